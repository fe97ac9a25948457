// SPDX-License-Identifier: MIT OR Apache-2.0
//! A FIFO queue. Most disciplines are built from it.

use super::{ActiveQueue, Amount, Entry, QueueContext};
use crate::{Lost, Parcel};
use std::collections::VecDeque;
use units::Time;

/// Waiting packets, oldest first.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(crate) struct Tail {
    waiting: VecDeque<Entry>,
    bytes: u64,
}

impl Tail {
    pub(crate) fn push(&mut self, now: Time, parcel: Parcel) {
        self.bytes += u64::from(parcel.size);
        self.waiting.push_back((now, parcel));
    }

    /// Removes and returns the oldest packet.
    pub(crate) fn pop(&mut self) -> Option<Entry> {
        let head = self.waiting.pop_front()?;
        self.bytes -= u64::from(head.1.size);
        Some(head)
    }

    /// Removes and returns the newest packet.
    pub(crate) fn pop_newest(&mut self) -> Option<Parcel> {
        let (_, newest) = self.waiting.pop_back()?;
        self.bytes -= u64::from(newest.size);
        Some(newest)
    }

    /// Returns the oldest packet.
    pub(crate) fn oldest(&self) -> Option<Entry> {
        self.waiting.front().copied()
    }

    pub(crate) fn amount(&self) -> Amount {
        Amount { packets: self.waiting.len(), bytes: self.bytes }
    }

    pub(crate) fn drain(&mut self) -> Vec<Entry> {
        self.bytes = 0;
        self.waiting.drain(..).collect()
    }

    /// Removes all packets from several queues, and returns them in order of arrival. Packets that arrived at the same
    /// time are in the order of their queues.
    pub(crate) fn drain_all<'a>(queues: impl IntoIterator<Item = &'a mut Self>) -> Vec<Entry> {
        let mut all: Vec<Entry> = queues.into_iter().flat_map(Self::drain).collect();
        all.sort_by_key(|&(offered, _)| offered);
        all
    }
}

/// The queue of a drop-tail link that holds its packets.
impl ActiveQueue for Tail {
    fn push(&mut self, parcel: Parcel, _: u64, context: &mut QueueContext<'_>) -> Result<(), Lost> {
        self.push(context.now(), parcel);
        Ok(())
    }
    fn pop(&mut self, _: &mut QueueContext<'_>) -> Option<Entry> {
        self.pop()
    }
    fn amount(&self) -> Amount {
        self.amount()
    }
    fn drain(&mut self) -> Vec<Entry> {
        self.drain()
    }
}
