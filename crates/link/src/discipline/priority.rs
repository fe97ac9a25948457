// SPDX-License-Identifier: MIT OR Apache-2.0
//! Strict priority of two classes, without preemption (Cobham 1954, "Priority assignment in waiting line problems"). An
//! urgent packet is sent before every waiting ordinary packet. Both classes share the limit. If the queue is full, an
//! arriving urgent packet pushes out the newest ordinary packets, and an arriving ordinary packet is refused.
//!
//! The ordinary class has no guaranteed share. It gets the capacity that the urgent class does not use. If the urgent
//! class offers as much as the link can send, no capacity is left. Below that load, every ordinary packet leaves after
//! the transmission in progress and all urgent packets. DRR provides guaranteed shares.
//!
//! If there is a threshold, each class marks separately. A packet is marked because of the waiting amount of its own
//! class, or because of its own wait. Therefore, only the class that builds the queue is marked, and a class whose
//! packets hardly wait is not marked. The threshold of a class is constant. Bai et al. 2016, "Enabling ECN in
//! multi-service multi-queue data centers", show that a constant threshold increases the wait or reduces the
//! throughput. Their MQ-ECN adapts the threshold to the share of a queue. It is not implemented here.

use super::tail::Tail;
use super::{ActiveQueue, Amount, Coming, Entry, QueueContext, Settings, Threshold};
use crate::{Lost, Parcel};
use units::{Rate, Span};

/// Settings of strict priority. Urgent packets are sent first. The flow of a packet determines whether the packet is
/// urgent.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub struct Priority {
    /// Marking threshold of each class. With `None`, packets are not marked.
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
