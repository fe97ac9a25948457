// SPDX-License-Identifier: MIT OR Apache-2.0
//! Drop-front (Yin and Hluchyj 1990; Lakshman, Neidhardt and Ott 1996, "The drop from front strategy in TCP and in TCP over
//! ATM"): first come, first served; a full queue drops what has waited longest for what comes. The sender hears of the loss
//! a queue's length earlier than under drop-tail. It marks nothing: to drop for want of room is no signal of its own.

use super::tail::Tail;
use super::{ActiveQueue, Amount, Coming, Desk, Entry, Settings};
use crate::{Lost, Parcel};

/// A full queue drops its oldest packet. There is nothing to set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DropFront;

impl Settings for DropFront {
    const DEFAULT: Self = Self;
    const MARKS: bool = false;
    fn queue(self) -> Box<dyn ActiveQueue> {
        Box::new(DropFrontQueue::default())
    }
}

#[derive(Debug, Default)]
struct DropFrontQueue(Tail);

impl ActiveQueue for DropFrontQueue {
    fn push(&mut self, parcel: Parcel, _sender: u64, desk: &mut Desk<'_>) -> Result<(), Lost> {
        self.0.push(desk.now(), parcel);
        Ok(())
    }
    fn pop(&mut self, _desk: &mut Desk<'_>) -> Option<Entry> {
        self.0.pop()
    }
    fn amount(&self) -> Amount {
        self.0.amount()
    }
    fn drain(&mut self) -> Vec<Entry> {
        self.0.drain()
    }
    fn makes_room(&self) -> bool {
        true
    }
    fn make_room(&mut self, _coming: Coming) -> Option<Parcel> {
        self.0.pop().map(|(_, parcel)| parcel)
    }
}

#[cfg(test)]
mod tests;
