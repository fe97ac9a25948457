// SPDX-License-Identifier: MIT OR Apache-2.0
//! Strict priority of two classes, without preemption (Cobham 1954, "Priority assignment in waiting line problems"): an
//! urgent packet goes before every ordinary one that waits. Both share the limit; a full queue drops its newest ordinary
//! packets for an urgent one, and refuses an ordinary one.
//!
//! Nothing protects the ordinary class: it has what the urgent one leaves, which is nothing once that one offers as much as
//! the link carries. Below that every ordinary packet leaves in the end, after the transmission that has begun and all
//! that is urgent. Who needs a share that holds takes DRR. It marks nothing.

use super::tail::Tail;
use super::{ActiveQueue, Amount, Coming, Desk, Entry, Settings};
use crate::{Lost, Parcel};

/// Urgent packets go first. Which ones those are the flows say; there is nothing to set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Priority;

impl Settings for Priority {
    const DEFAULT: Self = Self;
    const MARKS: bool = false;
    fn queue(self) -> Box<dyn ActiveQueue> {
        Box::new(PriorityQueue::default())
    }
}

#[derive(Debug, Default)]
struct PriorityQueue {
    urgent: Tail,
    ordinary: Tail,
}

impl ActiveQueue for PriorityQueue {
    fn push(&mut self, parcel: Parcel, _sender: u64, desk: &mut Desk<'_>) -> Result<(), Lost> {
        let class = if desk.is_urgent(parcel) { &mut self.urgent } else { &mut self.ordinary };
        class.push(desk.now(), parcel);
        Ok(())
    }
    fn pop(&mut self, _desk: &mut Desk<'_>) -> Option<Entry> {
        self.urgent.pop().or_else(|| self.ordinary.pop())
    }
    fn amount(&self) -> Amount {
        let ((packets, bytes), (more, more_bytes)) = (self.urgent.amount(), self.ordinary.amount());
        (packets + more, bytes + more_bytes)
    }
    fn drain(&mut self) -> Vec<Entry> {
        Tail::drain_all([&mut self.urgent, &mut self.ordinary])
    }
    fn makes_room(&self) -> bool {
        true
    }
    fn make_room(&mut self, coming: Coming) -> Option<Parcel> {
        if coming.urgent { self.ordinary.pop_newest() } else { None }
    }
}

#[cfg(test)]
mod tests;
