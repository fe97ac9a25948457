// SPDX-License-Identifier: MIT OR Apache-2.0
//! Drop-front (Yin and Hluchyj 1990; Lakshman, Neidhardt and Ott 1996, "The drop from front strategy in TCP and in TCP
//! over ATM"): first in, first out. When a packet arrives at a full queue, the packet that has waited longest is
//! dropped. The sender detects the loss earlier than with drop-tail, by the time that a packet waits in the queue.
//!
//! With a threshold it marks at the front as well (Liu and Jain 2001, "Improving explicit congestion notification with
//! the mark-front strategy"): a leaving packet is marked according to the amount behind it. A mark is therefore also
//! earlier than a mark at arrival.

use super::tail::Tail;
use super::{ActiveQueue, Amount, Coming, Entry, QueueContext, Settings, Threshold};
use crate::{Lost, Parcel};
use units::{Rate, Span};

/// A full queue drops its oldest packet.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub struct DropFront {
    /// A packet that leaves with more than this behind it is marked. If the threshold is a time, a packet that waited
    /// longer is marked. `None`: no marks.
    pub mark_above: Option<Threshold>,
}

impl Settings for DropFront {
    const DEFAULT: Self = Self { mark_above: None };
    const SIGNALS: bool = false;
    fn threshold(&self) -> Option<Threshold> {
        self.mark_above
    }
    fn draws(&self) -> bool {
        false
    }
    fn queue(self) -> Box<dyn ActiveQueue> {
        Box::new(DropFrontQueue { settings: self, tail: Tail::default() })
    }
    fn resolve(self, rate: Option<Rate>, base_rtt: Span) -> Self {
        Self { mark_above: self.mark_above.map(|threshold| threshold.resolve(rate, base_rtt)) }
    }
}

#[derive(Clone, Debug, saved::Plain)]
struct DropFrontQueue {
    settings: DropFront,
    tail: Tail,
}

impl ActiveQueue for DropFrontQueue {
    fn push(&mut self, parcel: Parcel, _sender: u64, context: &mut QueueContext<'_>) -> Result<(), Lost> {
        self.tail.push(context.now(), parcel);
        Ok(())
    }
    fn pop(&mut self, context: &mut QueueContext<'_>) -> Option<Entry> {
        let head = self.tail.pop()?;
        if let Some(threshold) = self.settings.mark_above {
            threshold.meet(head.1, self.tail.amount(), context);
            threshold.release(head.0, head.1, context);
        }
        Some(head)
    }
    fn amount(&self) -> Amount {
        self.tail.amount()
    }
    fn drain(&mut self) -> Vec<Entry> {
        self.tail.drain()
    }
    fn makes_room(&self) -> bool {
        true
    }
    fn make_room(&mut self, _coming: Coming) -> Option<Parcel> {
        self.tail.pop().map(|(_, parcel)| parcel)
    }
}

#[cfg(test)]
mod tests;
