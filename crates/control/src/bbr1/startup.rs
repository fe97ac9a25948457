// SPDX-License-Identifier: MIT OR Apache-2.0
//! STARTUP: the rate doubles per round until the bandwidth stops growing.

use crate::window::Rescale;

/// Gain of the pacing rate and the window: 2/ln 2. It is the smallest gain with which a paced rate doubles per round
/// (Linux `bbr_high_gain`).
pub const HIGH_GAIN: f64 = 2.885;
/// If the bandwidth grows by this factor in a round, the path has unused capacity (draft: 25 %; Linux
/// `bbr_full_bw_thresh`).
const GROWTH: f64 = 1.25;
/// After this number of rounds in a row without this growth, the pipe is full (draft: 3; Linux `bbr_full_bw_cnt`).
const ROUNDS: u32 = 3;

/// Detects whether the pipe is full (draft, `BBRCheckFullPipe()`).
#[derive(Clone, Debug, Default, saved::Plain)]
pub struct FullPipe {
    reached: bool,
    bandwidth: f64,
    rounds: u32,
}

impl FullPipe {
    /// Whether the pipe is full.
    pub const fn reached(&self) -> bool {
        self.reached
    }

    /// Processes the end of a round in which neither the application nor PROBE_RTT limited the flow. `bandwidth` is the
    /// estimate.
    pub fn round(&mut self, bandwidth: f64) {
        if self.reached {
            return;
        }
        if bandwidth >= GROWTH * self.bandwidth {
            self.bandwidth = bandwidth;
            self.rounds = 0;
        } else {
            self.rounds += 1;
            self.reached = self.rounds >= ROUNDS;
        }
    }

    /// Forgets the bandwidth. A timeout or a spurious recovery may have reduced it (Linux sets `full_bw` to 0).
    pub const fn forget_bandwidth(&mut self) {
        self.bandwidth = 0.0;
        self.rounds = 0;
    }
}

impl Rescale for FullPipe {
    fn rescale(&mut self, factor: f64) {
        self.bandwidth.rescale(factor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The draft derives 2/ln 2 (2.885390). Linux uses 2885/1000.
    #[test]
    fn the_gain_doubles_the_rate_per_round() {
        assert!((HIGH_GAIN - 2.0 / 2.0_f64.ln()).abs() < 0.001);
    }
}
