// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets that wait, and whose transmissions have a known start.

use crate::limit::Limit;
use crate::ring::Ring;
use crate::{Parcel, QueueLimit};
use units::{Span, Time};

#[derive(Clone, Copy, Debug, saved::Plain)]
pub(crate) struct Entry {
    pub(crate) start: Time,
    /// Time at which the packet was offered. The packet waits from this time on.
    pub(crate) offered: Time,
    pub(crate) handle: u32,
    size: u16,
    /// Number of retransmissions.
    pub(crate) repeats: u16,
}

/// Initial number of entries at which the packets that have begun are removed.
const FEW: usize = 8;

/// Waiting packets in the order of their transmissions. Packets whose transmission has begun may also be among them, up
/// to the next call of [`Waiting::settle`].
#[derive(Clone, Debug, saved::Plain)]
#[repr(C)]
pub(crate) struct Waiting {
    /// Number of entries at which the packets that have begun are removed. The state of a link would otherwise depend on
    /// the memory that its ring has at present, which is not saved.
    most: usize,
    /// The limit of the queue, which also applies to held packets.
    pub(crate) limit: Limit,
    pub(crate) bytes: u64,
    pub(crate) entries: Ring<Entry>,
    /// Sum of the waits of all accepted packets, in nanoseconds.
    pub(crate) wait_ns: u64,
}

impl Waiting {
    pub(crate) fn new(limit: QueueLimit) -> Self {
        Self { most: FEW, limit: Limit::new(limit), bytes: 0, entries: Ring::default(), wait_ns: 0 }
    }

    /// Counts the wait of a packet.
    #[inline]
    pub(crate) fn count(&mut self, wait: Span) {
        // The sum saturates, because it can overflow: millions of packets may wait for days.
        self.wait_ns = self.wait_ns.saturating_add(wait.nanos());
    }

    /// Adds a packet. Its transmission must begin after the transmissions of all other packets. Packets that have begun
    /// are removed only if there are many entries. They are then removed one after the other, so that the processor
    /// reads adjacent memory.
    #[inline]
    pub(crate) fn push(&mut self, offered: Time, start: Time, parcel: Parcel, repeats: u16) {
        let Parcel { handle, size, .. } = parcel;
        if self.entries.len() >= self.most {
            self.make_room(offered);
        }
        self.bytes += u64::from(size);
        self.entries.push_back(Entry { start, offered, handle, size, repeats });
    }

    #[cold]
    fn make_room(&mut self, now: Time) {
        self.settle(now);
        if self.entries.len() > self.most - self.most / 4 {
            self.most += self.most / 2;
        }
    }

    /// Removes the packets whose transmission has begun by `now`.
    pub(crate) fn settle(&mut self, now: Time) {
        while let Some(first) = self.entries.front().filter(|first| first.start <= now) {
            self.bytes -= u64::from(first.size);
            self.entries.pop_front();
        }
    }

    /// Number of packets that wait at `now`, and the sum of their waits. The wait of a packet ends when its
    /// transmission begins.
    pub(crate) fn yet_to_begin(&self, now: Time) -> (u64, Span) {
        let waiting = self.entries.iter().rev().take_while(|entry| entry.start > now);
        waiting
            .fold((0, Span::ZERO), |(count, sum), entry| (count + 1, sum + entry.start.since(entry.offered)))
    }

    /// Removes and returns all packets.
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = Entry> {
        self.bytes = 0;
        self.entries.drain()
    }
}
