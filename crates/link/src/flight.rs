// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets on a link, from the decision about their passage (start of transmission, departure, arrival) until they
//! arrive.

use crate::Parcel;
use crate::prefetch::prefetch;
use std::collections::VecDeque;
use units::Time;

#[derive(Clone, Copy, Debug, saved::Plain)]
pub(crate) struct InFlight {
    pub arrival: Time,
    pub parcel: Parcel,
}

/// Places of an empty ring that a link keeps.
const KEPT: usize = 32;

impl InFlight {
    const NONE: Self = Self { arrival: Time::MAX, parcel: Parcel { handle: 0, size: 0, site: 0 } };
}

/// Packets on a link in order of arrival. The first packet is stored outside the ring. Most links of a constellation
/// carry at most one packet at a time, so they do not use the memory of the ring. An empty ring with
/// more than [`KEPT`] places is freed: most rings are longer only in slow start.
#[derive(Clone, Debug, saved::Plain)]
#[repr(C)]
pub(crate) struct Flight {
    /// The first packet. Its arrival time is [`Time::MAX`] if there is no packet.
    head: InFlight,
    rest: VecDeque<InFlight>,
}

impl Flight {
    #[inline]
    pub fn head(&self) -> Option<&InFlight> {
        (self.head.arrival != Time::MAX).then_some(&self.head)
    }
    pub fn last(&self) -> Option<&InFlight> {
        self.rest.back().or(self.head())
    }
    pub fn len(&self) -> usize {
        self.rest.len() + usize::from(self.head().is_some())
    }
    /// Adds a packet that arrives after all other packets. Returns true if no other packet is on the link.
    #[inline]
    pub fn push(&mut self, entry: InFlight) -> bool {
        let alone = self.head.arrival == Time::MAX;
        if alone {
            self.head = entry;
        } else {
            self.rest.push_back(entry);
        }
        alone
    }
    /// Adds a packet behind all packets that arrive at the same time or earlier. Returns true if the added packet
    /// arrives first.
    pub fn insert(&mut self, entry: InFlight) -> bool {
        if self.head.arrival <= entry.arrival && self.head.arrival != Time::MAX {
            let at = self.rest.partition_point(|other| other.arrival <= entry.arrival);
            self.rest.insert(at, entry);
            return false;
        }
        let second = std::mem::replace(&mut self.head, entry);
        if second.arrival != Time::MAX {
            self.rest.push_front(second);
        }
        true
    }
    /// Removes and returns the first packet if it has arrived by `now`. `now` must be below [`Time::MAX`].
    #[inline]
    pub fn pop_due(&mut self, now: Time) -> Option<InFlight> {
        debug_assert!(now < Time::MAX, "`now` must be below `Time::MAX`");
        if self.head.arrival > now {
            return None;
        }
        let next = self.rest.pop_front().unwrap_or_else(|| {
            if self.rest.capacity() > KEPT {
                self.free_ring();
            }
            InFlight::NONE
        });
        Some(std::mem::replace(&mut self.head, next))
    }
    #[cold]
    fn free_ring(&mut self) {
        self.rest = VecDeque::new();
    }
    pub fn drain(&mut self) -> impl Iterator<Item = InFlight> {
        let first = std::mem::replace(&mut self.head, InFlight::NONE);
        (first.arrival != Time::MAX).then_some(first).into_iter().chain(self.rest.drain(..))
    }
    /// Prefetches the second packet, which is needed soon.
    #[inline]
    pub fn prefetch_second(&self) {
        if let Some(second) = self.rest.front() {
            prefetch(second);
        }
    }
}

impl Default for Flight {
    fn default() -> Self {
        Self { head: InFlight::NONE, rest: VecDeque::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(number: u32) -> InFlight {
        InFlight {
            arrival: Time::from_nanos(number.into()),
            parcel: Parcel { handle: number, size: 1500, site: 0 },
        }
    }

    #[test]
    fn a_long_ring_is_freed_when_it_is_empty_and_keeps_the_order() {
        let mut flight = Flight::default();
        for burst in [1_000, 10, 300] {
            for number in 0..burst {
                flight.push(entry(number));
            }
            let long = flight.rest.capacity();
            assert!(long + 1 >= burst as usize);
            for number in 0..burst {
                assert_eq!(flight.rest.capacity(), long, "a ring with packets keeps its places");
                let taken =
                    flight.pop_due(Time::from_nanos(u64::from(burst))).map(|taken| taken.parcel.handle);
                assert_eq!(taken, Some(number));
            }
            assert!(flight.rest.capacity() <= KEPT);
            assert!(flight.pop_due(Time::from_nanos(u64::from(burst))).is_none());
        }
    }
}
