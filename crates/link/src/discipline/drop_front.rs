// SPDX-License-Identifier: MIT OR Apache-2.0
//! Drop-front (Yin and Hluchyj 1990; Lakshman, Neidhardt and Ott 1996, "The drop from front strategy in TCP and in TCP over
//! ATM"): first come, first served; a full queue drops what has waited longest for what comes. The sender hears of the loss
//! a queue's length earlier than under drop-tail.
//!
//! With a threshold it marks at the front as well (Liu and Jain 2001, "Improving explicit congestion notification with the
//! mark-front strategy"): what leaves is marked for what waits behind it, so that a mark, too, is a queue's length earlier
//! than one on what comes.

use super::tail::Tail;
use super::{ActiveQueue, Amount, Coming, Desk, Entry, Settings, Threshold};
use crate::{Lost, Parcel};
use units::{Rate, Span};

/// A full queue drops its oldest packet.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub struct DropFront {
    /// With more than this behind it the packet that leaves is marked; a time: if it waited longer. `None`: nothing is.
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
    fn push(&mut self, parcel: Parcel, _sender: u64, desk: &mut Desk<'_>) -> Result<(), Lost> {
        self.tail.push(desk.now(), parcel);
        Ok(())
    }
    fn pop(&mut self, desk: &mut Desk<'_>) -> Option<Entry> {
        let head = self.tail.pop()?;
        if let Some(threshold) = self.settings.mark_above {
            threshold.meet(head.1, self.tail.amount(), desk);
            threshold.release(head.0, head.1, desk);
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
