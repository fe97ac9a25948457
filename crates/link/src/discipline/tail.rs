// SPDX-License-Identifier: MIT OR Apache-2.0
//! A FIFO, which most disciplines use as their queue.

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

    /// Takes the oldest packet out.
    pub(crate) fn pop(&mut self) -> Option<Entry> {
        let head = self.waiting.pop_front()?;
        self.bytes -= u64::from(head.1.size);
        Some(head)
    }

    /// Takes the newest packet out.
    pub(crate) fn pop_newest(&mut self) -> Option<Parcel> {
        let (_, newest) = self.waiting.pop_back()?;
        self.bytes -= u64::from(newest.size);
        Some(newest)
    }

    /// The oldest packet.
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

    /// Takes everything out of several queues, in order of arrival. Simultaneous arrivals are in the order of the
    /// queues.
    pub(crate) fn drain_all<'a>(queues: impl IntoIterator<Item = &'a mut Self>) -> Vec<Entry> {
        let mut all: Vec<Entry> = queues.into_iter().flat_map(Self::drain).collect();
        all.sort_by_key(|&(offered, _)| offered);
        all
    }
}

/// Drop-tail on a link that holds its packets.
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
