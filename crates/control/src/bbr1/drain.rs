// SPDX-License-Identifier: MIT OR Apache-2.0
//! DRAIN: empties the queue that STARTUP built. The window does not change.

use super::startup::HIGH_GAIN;

/// Pacing gain. With this gain, one round of DRAIN empties the queue that one round of STARTUP built (draft:
/// 1/`BBRHighGain`).
pub const PACING_GAIN: f64 = 1.0 / HIGH_GAIN;

/// Whether the queue is empty, because no more than `target` segments are in flight (draft, `BBRCheckDrain()`).
pub fn is_over(in_flight: f64, target: f64) -> bool {
    in_flight <= target
}
