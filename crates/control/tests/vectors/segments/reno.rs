// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reno in whole segments, written from Linux (`tcp_reno_cong_avoid`, `tcp_reno_ssthresh`).

use super::Module;
use units::Time;

/// The module Reno. Tests can set a wrong divisor of the flight. The correct divisor is 2.
#[derive(Clone, Debug)]
pub struct Reno {
    pub divisor: u64,
    /// Number of acknowledged windows per segment of growth. The correct value is 1.
    pub slowness: u64,
}

impl Reno {
    pub const AS_PUBLISHED: Self = Self { divisor: 2, slowness: 1 };
}

impl Module for Reno {
    fn count(&mut self, _now: Time, _acked: u64, cwnd: u64) -> u64 {
        cwnd * self.slowness
    }

    fn ssthresh(&mut self, flight: u64, _cwnd: u64) -> u64 {
        flight / self.divisor
    }
}
