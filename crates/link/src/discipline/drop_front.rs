// SPDX-License-Identifier: MIT OR Apache-2.0
//! Drop-front (Yin and Hluchyj 1990; Lakshman, Neidhardt and Ott 1996, "The drop from front strategy in TCP and in TCP
//! over ATM"). The queue is first in, first out. If a packet arrives while the queue is full, the packet that has
//! waited longest is dropped. The sender detects this loss earlier than with drop-tail. The difference is the time that
//! a packet waits in the queue.
//!
//! If the queue has a threshold, it also marks at the front (Liu and Jain 2001, "Improving explicit congestion
//! notification with the mark-front strategy"). A packet that leaves is marked if the amount behind it exceeds the
//! threshold. The sender gets this mark earlier than a mark at arrival.

use super::tail::Tail;
use super::{ActiveQueue, Amount, Coming, Entry, QueueContext, Settings, Threshold};
use crate::{Lost, Parcel};
use units::{Rate, Span};

/// Settings of drop-front: a full queue drops its oldest packet.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub struct DropFront {
    /// Threshold for marks. A packet that leaves is marked if more than this amount waits behind it. If the threshold
    /// is a time, a packet is marked if it waited longer. With `None`, packets are not marked.
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
