// SPDX-License-Identifier: MIT OR Apache-2.0
//! A list of losses, which replaces random losses. It contains the numbers of lost data packets, and intervals in which
//! every packet is lost.
//!
//! A listed packet is lost when it arrives, before the queue. It takes no room in the queue and no time on the link.

use crate::Lost;
use std::sync::Arc;
use units::Time;

/// A list of losses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LossList {
    /// Numbers of the lost data packets, sorted. Numbers start at 1, in the order of arrival at the link. The data
    /// packets of all senders and retransmissions are counted. Packets without payload (acknowledgements, probes) are
    /// not counted.
    pub packets: Arc<[u64]>,
    /// Number of data packets after which the list is repeated. It is at least the last number in `packets`.
    pub period: Option<u64>,
    /// Intervals in which every packet is lost. They are sorted and do not overlap. The end of an interval does not
    /// belong to the interval.
    pub spans: Arc<[(Time, Time)]>,
}

/// A list of losses, and the current position in the list.
#[derive(Clone, Debug, saved::Saved)]
pub(crate) struct LossCursor {
    #[saved(fixed)]
    list: LossList,
    /// Number of data packets since the start of the list or its last repetition.
    seen: u64,
    /// Number of entries of `packets` that lie before the current position.
    passed: usize,
    /// Number of intervals that are over.
    over: usize,
    pub(crate) errors: u64,
    pub(crate) outages: u64,
}

impl LossCursor {
    pub(crate) const fn new(list: LossList) -> Self {
        Self { list, seen: 0, passed: 0, over: 0, errors: 0, outages: 0 }
    }

    /// Counts an arriving packet. Returns the reason why the packet is lost, or `None` if it is not lost.
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

    /// Counts a data packet. Returns whether the packet's number is in the list.
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
