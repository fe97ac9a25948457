// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets that wait, and whose transmissions have a known start.

use crate::limit::Limit;
use crate::{Parcel, QueueLimit};
use std::collections::VecDeque;
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

/// Waiting packets in the order of their transmissions.
#[derive(Clone, Debug, saved::Plain)]
#[repr(C)]
pub(crate) struct Waiting {
    /// Start of the first transmission, or [`Time::MAX`] if no packet waits.
    pub(crate) next_start: Time,
    /// The limit of the queue, which also applies to held packets.
    pub(crate) limit: Limit,
    pub(crate) bytes: u64,
    pub(crate) entries: VecDeque<Entry>,
}

impl Waiting {
    pub(crate) const fn new(limit: QueueLimit) -> Self {
        Self { next_start: Time::MAX, limit: Limit::new(limit), bytes: 0, entries: VecDeque::new() }
    }

    /// Adds a packet. Its transmission must begin after the transmissions of all other packets.
    #[inline]
    pub(crate) fn push(&mut self, offered: Time, start: Time, parcel: Parcel, repeats: u16) {
        let Parcel { handle, size, .. } = parcel;
        self.bytes += u64::from(size);
        self.next_start = self.next_start.min(start);
        self.entries.push_back(Entry { start, offered, handle, size, repeats });
    }

    /// Removes the packets whose transmission has begun by `now`.
    #[inline]
    pub(crate) fn settle(&mut self, now: Time) {
        if self.next_start > now {
            return;
        }
        while let Some(first) = self.entries.front() {
            self.next_start = first.start;
            if first.start > now {
                return;
            }
            self.bytes -= u64::from(first.size);
            self.entries.pop_front();
        }
        self.next_start = Time::MAX;
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
        (self.bytes, self.next_start) = (0, Time::MAX);
        self.entries.drain(..)
    }
}
