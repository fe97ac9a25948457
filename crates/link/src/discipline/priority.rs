// SPDX-License-Identifier: MIT OR Apache-2.0
//! Strict priority of two classes, without preemption (Cobham 1954, "Priority assignment in waiting line problems"): an
//! urgent packet goes before every ordinary one that waits. Both share the limit; a full queue drops its newest ordinary
//! packets for an urgent one, and refuses an ordinary one.
//!
//! The ordinary class is not protected: it gets what the urgent class leaves, which is nothing once that class offers
//! as much as the link carries. Below that, every ordinary packet leaves in the end, after the transmission in progress
//! and all urgent packets. For guaranteed shares use DRR.
//!
//! With a threshold each class marks by itself: a packet by the amount that waits of its own class, or by its own wait.
//! So the class that builds the queue is marked, and a class whose packets hardly wait is not. The threshold of a class
//! is fixed. Bai et al. 2016, "Enabling ECN in multi-service multi-queue data centers", show what a fixed one costs in
//! wait or in throughput; their MQ-ECN, which moves it with the share that a queue has, is not built.

use super::tail::Tail;
use super::{ActiveQueue, Amount, Coming, Entry, QueueContext, Settings, Threshold};
use crate::{Lost, Parcel};
use units::{Rate, Span};

/// Urgent packets go first. Flows determine which packets are urgent.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub struct Priority {
    /// Threshold of each class; `None`: no marks.
    pub mark_above: Option<Threshold>,
}

impl Settings for Priority {
    const DEFAULT: Self = Self { mark_above: None };
    const SIGNALS: bool = false;
    const OVERTAKES: bool = true;
    fn threshold(&self) -> Option<Threshold> {
        self.mark_above
    }
    fn draws(&self) -> bool {
        false
    }
    fn queue(self) -> Box<dyn ActiveQueue> {
        Box::new(PriorityQueue { settings: self, urgent: Tail::default(), ordinary: Tail::default() })
    }
    fn resolve(self, rate: Option<Rate>, base_rtt: Span) -> Self {
        Self { mark_above: self.mark_above.map(|threshold| threshold.resolve(rate, base_rtt)) }
    }
}

#[derive(Clone, Debug, saved::Plain)]
struct PriorityQueue {
    settings: Priority,
    urgent: Tail,
    ordinary: Tail,
}

impl ActiveQueue for PriorityQueue {
    fn push(&mut self, parcel: Parcel, _sender: u64, context: &mut QueueContext<'_>) -> Result<(), Lost> {
        let class = if context.is_urgent(parcel) { &mut self.urgent } else { &mut self.ordinary };
        if let Some(threshold) = self.settings.mark_above {
            threshold.meet(parcel, class.amount(), context);
        }
        class.push(context.now(), parcel);
        Ok(())
    }
    fn pop(&mut self, context: &mut QueueContext<'_>) -> Option<Entry> {
        let next = self.urgent.pop().or_else(|| self.ordinary.pop())?;
        if let Some(threshold) = self.settings.mark_above {
            threshold.release(next.0, next.1, context);
        }
        Some(next)
    }
    fn amount(&self) -> Amount {
        self.urgent.amount() + self.ordinary.amount()
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
