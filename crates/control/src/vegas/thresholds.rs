// SPDX-License-Identifier: MIT OR Apache-2.0
//! The thresholds alpha and beta: fixed as in Vegas, or variable as in Vegas-A.

use crate::window::Rescale;

/// Vegas-A: two rates count as equal if a difference of the RTT by this value would explain their difference, s.
const TOLERANCE_S: f64 = 1e-6;

/// How a round changes the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// One segment of growth, spread over the round.
    Up,
    /// No change.
    Stay,
    /// One segment less, immediately.
    Down,
}

/// Target number of segments in the queues of the path.
#[derive(Clone, Debug, saved::Plain)]
pub struct Thresholds {
    /// If fewer segments wait, the window grows.
    alpha: f64,
    /// beta - alpha. If more than beta segments wait, the window shrinks.
    band: f64,
    adaptive: bool,
    /// Throughput of the previous round, segments/s.
    rate: Option<f64>,
}

impl Thresholds {
    /// Thresholds of `alpha` and `beta` segments. If `adaptive` is true, both change (Vegas-A).
    pub fn new(alpha: f64, beta: f64, adaptive: bool) -> Self {
        Self { alpha, band: (beta - alpha).max(0.0), adaptive, rate: None }
    }

    /// alpha, segments.
    pub const fn alpha(&self) -> f64 {
        self.alpha
    }

    /// beta, segments.
    pub fn beta(&self) -> f64 {
        self.alpha + self.band
    }

    /// Processes the throughput of a round of `w` segments and `rtt` s. Returns true if the throughput has risen.
    pub fn rose(&mut self, w: f64, rtt: f64) -> bool {
        let rose = self.rate.is_some_and(|before| w / (rtt + TOLERANCE_S) > before);
        self.rate = Some(w / rtt.max(TOLERANCE_S));
        rose
    }

    /// The step for `diff` waiting segments. `rose` is true if the throughput rose in this round.
    pub fn step(&mut self, diff: f64, rose: bool) -> Step {
        let (below, above) = (diff < self.alpha, diff > self.beta());
        if !self.adaptive {
            return if below {
                Step::Up
            } else if above {
                Step::Down
            } else {
                Step::Stay
            };
        }
        // Vegas-A: the table in `crate::vegas` lists these cases.
        if above || below && self.alpha > 1.0 && !rose {
            self.alpha = self.alpha.min((self.alpha - 1.0).max(1.0));
            Step::Down
        } else if below {
            Step::Up
        } else if rose {
            self.alpha += 1.0;
            Step::Up
        } else {
            Step::Stay
        }
    }
}

impl Rescale for Thresholds {
    fn rescale(&mut self, factor: f64) {
        // alpha and beta are settings, even if they change, so they keep their number of segments.
        self.rate.rescale(factor);
    }
}
