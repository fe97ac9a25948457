// SPDX-License-Identifier: MIT OR Apache-2.0
//! Listed losses instead of random ones: data packets by their number, and intervals in which everything is lost.
//!
//! A listed packet is lost when it arrives, before the queue: it takes no room and no time on the link. A link without
//! a list pays nothing for it.

use crate::Lost;
use std::sync::Arc;
use units::Time;

/// A list of losses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LossList {
    /// Numbers of the data packets that are lost, sorted, counted from 1 in order of arrival at the link, over all
    /// senders, retransmissions included. Packets without payload (acknowledgements, probes) are not counted.
    pub packets: Arc<[u64]>,
    /// Number of data packets after which the list begins again. At least the last number.
    pub period: Option<u64>,
    /// Intervals in which every packet is lost; the end is not included; sorted, disjoint.
    pub spans: Arc<[(Time, Time)]>,
}

/// A list, and a cursor in it.
#[derive(Clone, Debug, saved::Saved)]
pub(crate) struct LossCursor {
    #[saved(fixed)]
    list: LossList,
    /// Data packets since the list began.
    seen: u64,
    /// Numbers already passed.
    passed: usize,
    /// Intervals already over.
    over: usize,
    pub(crate) errors: u64,
    pub(crate) outages: u64,
}

impl LossCursor {
    pub(crate) const fn new(list: LossList) -> Self {
        Self { list, seen: 0, passed: 0, over: 0, errors: 0, outages: 0 }
    }

    /// A packet arrives, with data or not: why it is lost, if it is.
    pub(crate) fn next_loss(&mut self, now: Time, is_data: bool) -> Option<Lost> {
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

    /// Counts a data packet: whether it is listed.
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
