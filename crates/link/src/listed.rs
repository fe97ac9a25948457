// SPDX-License-Identifier: MIT OR Apache-2.0
//! Losses that are listed instead of drawn: which data packets by their number, and when everything.
//!
//! A packet is struck when it comes, before the queue: it takes no room and no time on the link. A link without a list pays
//! nothing for it.

use crate::Lost;
use std::sync::Arc;
use units::Time;

/// What does not get onto a link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LossList {
    /// Numbers of the data packets that are lost, sorted, in the order in which they come to the link, over all senders,
    /// repeated ones included; the first is 1. Packets without payload (acknowledgements, probes) are no data.
    pub packets: Arc<[u64]>,
    /// After so many data packets the list begins again. At least the last number.
    pub period: Option<u64>,
    /// From the one time on and before the other every packet is lost, whatever it carries; sorted, apart.
    pub spans: Arc<[(Time, Time)]>,
}

/// A list, and how far it has been read.
#[derive(Clone, Debug, saved::Saved)]
pub(crate) struct Censor {
    #[saved(fixed)]
    list: LossList,
    /// Data packets since the list began.
    seen: u64,
    /// Numbers that are behind.
    passed: usize,
    /// Spans that are over.
    over: usize,
    pub(crate) errors: u64,
    pub(crate) outages: u64,
}

impl Censor {
    pub(crate) const fn new(list: LossList) -> Self {
        Self { list, seen: 0, passed: 0, over: 0, errors: 0, outages: 0 }
    }

    /// A packet comes, of data or not: why it is lost, if it is.
    pub(crate) fn strike(&mut self, now: Time, is_data: bool) -> Option<Lost> {
        let listed = is_data && self.count();
        while self.list.spans.get(self.over).is_some_and(|&(_, to)| to <= now) {
            self.over += 1;
        }
        if self.list.spans.get(self.over).is_some_and(|&(from, _)| from <= now) {
            self.outages += 1;
            return Some(Lost::Listed);
        }
        self.errors += u64::from(listed);
        listed.then_some(Lost::Error)
    }

    /// One data packet more: whether it is listed.
    fn count(&mut self) -> bool {
        if self.list.period == Some(self.seen) {
            (self.seen, self.passed) = (0, 0);
        }
        self.seen += 1;
        let listed = self.list.packets.get(self.passed) == Some(&self.seen);
        self.passed += usize::from(listed);
        listed
    }
}

#[cfg(test)]
mod tests;
