// SPDX-License-Identifier: MIT OR Apache-2.0
//! TCP-Jersey's congestion warning. This module computes the mean queue length of a link that has such a warning.

use crate::CongestionWarning;
use units::{Span, Time};

/// The mean queue length of a link that has a congestion warning.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub(crate) struct Warning {
    above: f64,
    pub(crate) mean: f64,
    /// Time of the last update.
    at: Time,
}

impl Warning {
    /// Creates the state of a link on which no packet has waited yet.
    pub(crate) const fn new(warning: CongestionWarning) -> Self {
        Self { above: warning.above, mean: 0.0, at: Time::ZERO }
    }

    /// Updates RED's mean queue length (Floyd and Jacobson 1993, section 4) with `queued` packets at `now`. `transmit`
    /// is the transmission time of a packet. It determines the number of samples while the link was idle. Returns true
    /// if the mean is above the threshold.
    pub(crate) fn update(&mut self, now: Time, idle_since: Time, transmit: Span, queued: usize) -> bool {
        if queued == 0 && transmit > Span::ZERO {
            let idle = now.since(idle_since.max(self.at)).secs_f64() / transmit.secs_f64();
            self.mean *= (1.0 - CongestionWarning::WEIGHT).powf(idle);
        }
        self.mean += CongestionWarning::WEIGHT * (queued as f64 - self.mean);
        self.at = now;
        self.mean > self.above
    }
}
