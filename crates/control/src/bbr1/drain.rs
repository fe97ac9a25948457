// SPDX-License-Identifier: MIT OR Apache-2.0
//! DRAIN: the queue that STARTUP built goes, while the window stays.

use super::startup::HIGH_GAIN;

/// Pacing gain: what STARTUP built in a round goes in a round (draft: 1/`BBRHighGain`).
pub const PACING_GAIN: f64 = 1.0 / HIGH_GAIN;

/// The queue is gone: no more than `target` segments are in flight (draft, `BBRCheckDrain()`).
pub fn is_over(in_flight: f64, target: f64) -> bool {
    in_flight <= target
}
