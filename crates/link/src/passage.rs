// SPDX-License-Identifier: MIT OR Apache-2.0
//! The passage of a packet consists of the start of its transmission, its departure and its arrival. This module
//! contains passages that are decided when a packet arrives at the link. This is possible on a drop-tail link whose
//! rate is constant or known over time. The module `held` contains the passages that a link decides at departure (queue
//! disciplines, low priority).
//!
//! When a packet is offered, its complete passage is decided. The transmission starts when the transmitter is free. The
//! packet leaves after its transmission time, and arrives after the propagation delay at the time of leaving. One entry
//! of 16 bytes in a ring therefore represents a packet, and the event queue needs only the arrival of the first entry.

use crate::discipline::Amount;
use crate::limit::Limit;
use crate::{Arrival, Link, Lost, Packets, Parcel};
use units::{Span, Time};

/// The passage of a packet that was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Accepted {
    /// Wait of the packet before its first bit is sent.
    pub(crate) wait: Span,
    /// Arrival time of the packet, if it arrives before all other packets on the link.
    pub(crate) new_head: Option<Time>,
    /// Whether the mean queue length was above the threshold of the congestion warning.
    pub(crate) warned: bool,
}

impl Accepted {
    /// Reports the passage of a packet that was offered at `now`.
    #[inline]
    pub(crate) fn tell<P: Packets>(self, now: Time, parcel: Parcel, packets: &mut P) {
        if self.wait > Span::ZERO {
            packets.waits(parcel.handle, self.wait);
        }
        if self.warned {
            packets.warn(parcel.handle);
        }
        packets.entered(parcel);
        packets.begins(parcel.handle, now + self.wait);
    }
}

impl Link {
    /// Returns the index of the cached results for a packet size.
    #[inline]
    pub(crate) fn place_of(&mut self, size: u16) -> usize {
        if self.sizes[0] == size {
            return 0;
        }
        if self.sizes[1] != size {
            self.learn(size);
            return 0;
        }
        1
    }

    /// Adds a packet size at the front of the cache, and removes the last size.
    #[cold]
    pub(crate) fn learn(&mut self, size: u16) {
        self.sizes = [size, self.sizes[0]];
        self.transmitter.times = [self.transmitter.time_for(size.into()), self.transmitter.times[0]];
        self.impairments.learn(size);
    }

    /// Accepts a packet on a link that holds no packets. Returns `None` if the queue is full.
    #[inline]
    pub(crate) fn take_in(&mut self, now: Time, parcel: Parcel) -> Option<Accepted> {
        // If the transmitter is free, the transmissions of all waiting packets have begun. In this case, `settle` need
        // not be called here, because the next query removes these packets.
        if self.transmitter.busy_until > now {
            self.waiting.settle(now);
            if self.is_full(now, parcel.size, Amount::default()) {
                self.totals.dropped_queue += 1;
                return None;
            }
        }
        Some(self.accept(now, parcel))
    }

    /// Whether the queue has no room for a packet of `size` bytes. The amount `held` is added to the amount in the
    /// queue.
    #[inline]
    pub(crate) fn is_full(&self, now: Time, size: u16, held: Amount) -> bool {
        match self.waiting.limit {
            Limit::Packets(packets) => (self.waiting.entries.len() + held.packets) as u64 >= packets,
            Limit::Bytes(bytes) => self.waiting.bytes + held.bytes + u64::from(size) > bytes,
            Limit::Time(span) => {
                self.transmitter.busy_until.since(now) + self.transmitter.time_for(held.bytes) > span
            }
            Limit::None => false,
        }
    }

    /// Accepts a packet behind all waiting packets.
    #[inline]
    pub(crate) fn accept(&mut self, now: Time, parcel: Parcel) -> Accepted {
        let mut start = now;
        if self.transmitter.busy_until > now {
            start = self.transmitter.busy_until;
            self.waiting.push(now, start, parcel, 0);
        }
        self.pass(now, start, parcel)
    }

    /// Decides the passage of a packet whose transmission begins at `start`.
    #[inline]
    pub(crate) fn pass(&mut self, now: Time, start: Time, parcel: Parcel) -> Accepted {
        let place = self.place_of(parcel.size);
        let transmit = self.transmitter.times[place];
        if self.detours.special {
            return self.pass_special(now, start, parcel, transmit);
        }
        let departure = start + transmit;
        let arrival = departure + self.propagation.delay_at(departure);
        let wait = self.count(now, start, departure, parcel.size);
        Accepted { wait, new_head: self.propagation.send_in_order(arrival, parcel), warned: false }
    }

    /// [`Self::pass`] on a link that has a course or a congestion warning, or on which packets may overtake.
    #[cold]
    fn pass_special(&mut self, now: Time, start: Time, mut parcel: Parcel, transmit: Span) -> Accepted {
        let idle_since = self.transmitter.busy_until;
        let warned = self.warning.is_some() && self.warn(now, transmit);
        let (departure, arrival) = if self.course.is_some() {
            self.follow_course(start, start > idle_since, &mut parcel, transmit)
        } else {
            let departure = start + transmit;
            (departure, departure + self.propagation.delay_at(departure))
        };
        let wait = self.count(now, start, departure, parcel.size);
        Accepted { wait, new_head: self.propagation.send(arrival, parcel), warned }
    }

    /// Counts a packet that was offered at `now` and is sent from `start` to `departure`. Returns the packet's wait.
    #[inline]
    fn count(&mut self, now: Time, start: Time, departure: Time, size: u16) -> Span {
        let wait = start.since(now);
        self.transmitter.busy_until = departure;
        self.totals.accept(size);
        self.totals.wait(wait);
        self.totals.transmit_ns += departure.since(start).nanos();
        wait
    }

    /// Updates the mean queue length. Returns true if the packet gets a warning.
    fn warn(&mut self, now: Time, transmit: Span) -> bool {
        self.waiting.settle(now);
        let queued = self.waiting.entries.len();
        let idle_since = self.transmitter.busy_until;
        self.warning.as_mut().is_some_and(|warning| warning.update(now, idle_since, transmit, queued))
    }

    /// On a link with a course, returns the time at which the transmitter is free again, and the time at which the
    /// packet arrives.
    #[cold]
    fn follow_course(
        &mut self,
        start: Time,
        idle: bool,
        parcel: &mut Parcel,
        transmit: Span,
    ) -> (Time, Time) {
        let Some(course) = &mut self.course else { return (start, start) };
        let sent = course.sent(start, idle, parcel.size, transmit);
        let (arrives, repeats) = self.leave_on_course(sent, parcel);
        let mut free = sent;
        if let Some(course) = &mut self.course {
            for _ in 0..repeats {
                free = course.sent(free, false, parcel.size, transmit);
            }
        }
        if let Some(entry) = self.waiting.entries.back_mut().filter(|entry| entry.handle == parcel.handle) {
            entry.repeats = repeats;
        }
        (free, arrives)
    }

    /// On a link with a course, returns the arrival time of a packet whose transmission ends at `sent`, and the number
    /// of its retransmissions.
    pub(crate) fn leave_on_course(&mut self, sent: Time, parcel: &mut Parcel) -> (Time, u16) {
        let own_loss = self.impairments.loss.probability(parcel.size);
        let Some(course) = &mut self.course else { return (sent, 0) };
        let leaving = course.leave(sent);
        let broken = course.breaks(leaving.at, own_loss);
        let propagation = self.propagation.delay.at(leaving.at);
        let fate = course.repeat(leaving, broken, own_loss, propagation * 2);
        *parcel = parcel.with_fate(fate.broken, fate.cut);
        (leaving.at + propagation + leaving.extra + fate.later, fate.repeats)
    }

    /// Removes the first packet from the link if it has arrived by `now`.
    #[inline]
    pub(crate) fn take_arrival(&mut self, now: Time) -> Option<Arrival> {
        let mut parcel = self.propagation.flight.pop_due(now)?.parcel;
        let lost = if self.detours.lossy { self.fate(&mut parcel) } else { None };
        match lost {
            None => {}
            Some(Lost::Switched) => self.totals.lost_cut += 1,
            Some(_) => self.totals.dropped_error += 1,
        }
        Some(Arrival { parcel, lost })
    }

    /// The reason why a packet does not arrive intact, if there is one. The loss is drawn here. If the link has a
    /// course, it was already drawn when the passage was decided.
    fn fate(&mut self, parcel: &mut Parcel) -> Option<Lost> {
        if self.course.is_none() {
            let place = self.place_of(parcel.size);
            return self.impairments.draws_loss(place).then_some(Lost::Error);
        }
        let (broken, cut) = (parcel.site & Parcel::LOST != 0, parcel.site & Parcel::CUT != 0);
        *parcel = parcel.plain();
        if cut { Some(Lost::Switched) } else { broken.then_some(Lost::Error) }
    }
}

#[cfg(test)]
mod tests;
