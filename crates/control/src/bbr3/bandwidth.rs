// SPDX-License-Identifier: MIT OR Apache-2.0
//! BBR.max_bw: the largest delivery rate of two ProbeBW cycles (sections 5.5.2 to 5.5.6).

use super::{Bbr3, Sample};

/// The filter, in bytes/s. It has one slot for the previous cycle and one slot for the current cycle
/// (BBR.MaxBwFilterLen = 2).
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
pub(super) struct MaxBandwidth {
    previous: f64,
    current: f64,
}

impl MaxBandwidth {
    pub(super) const fn get(self) -> f64 {
        self.previous.max(self.current)
    }

    const fn update(&mut self, rate: f64) {
        self.current = self.current.max(rate);
    }

    /// AdvanceMaxBwFilter(). If the cycle had no sample, nothing changes.
    pub(super) fn advance(&mut self) {
        if self.current > 0.0 {
            self.previous = self.current;
            self.current = 0.0;
        }
    }
}

impl Bbr3 {
    /// UpdateMaxBw(). An application-limited sample counts only if it is at least `max_bw`.
    pub(super) fn update_max_bw(&mut self, rs: &Sample) {
        self.update_round(rs);
        if rs.delivery_rate > 0.0 && (rs.delivery_rate >= self.max_bw.get() || !rs.is_app_limited) {
            self.max_bw.update(rs.delivery_rate);
        }
    }

    /// BoundBWForModel(): bw = min(max_bw, bw_shortterm).
    pub(super) const fn bound_bw_for_model(&mut self) {
        self.bw = self.max_bw.get().min(self.congestion.bw_shortterm);
    }
}
