// SPDX-License-Identifier: MIT OR Apache-2.0
//! BBR.extra_acked: how much more data are acknowledged at once than `bw` explains (section 5.5.9).

use super::{Bbr3, Sample};
use crate::estimate::AckExcess;
use crate::windowed::WindowedMax;
use units::Time;

/// BBR.ExtraAckedFilterLen, rounds.
const FILTER_LEN: u64 = 10;

/// The estimator: an interval that restarts when ACKs fall behind `bw`, and the largest excess of the last rounds.
#[derive(Clone, Debug, saved::Plain)]
pub(super) struct ExtraAcked {
    excess: AckExcess,
    filter: WindowedMax,
}

impl Default for ExtraAcked {
    fn default() -> Self {
        Self { excess: AckExcess::NONE, filter: WindowedMax::new(FILTER_LEN) }
    }
}

impl ExtraAcked {
    /// BBR.extra_acked, bytes.
    pub(super) fn get(&self) -> f64 {
        self.filter.get().unwrap_or(0.0)
    }

    /// Begins a new interval.
    pub(super) const fn restart(&mut self, now: Time) {
        self.excess.restart(now);
    }
}

impl Bbr3 {
    /// UpdateACKAggregation(): processes an ACK.
    pub(super) fn update_ack_aggregation(&mut self, rs: &Sample) {
        let extra = self.extra_acked.excess.update(rs.now, rs.newly_acked, self.bw).min(self.cwnd);
        // "In Startup, just remember 1 round."
        if self.rounds.start && !self.full_pipe.reached {
            self.extra_acked.filter.reset();
        }
        self.extra_acked.filter.update(self.rounds.count, extra);
    }
}
