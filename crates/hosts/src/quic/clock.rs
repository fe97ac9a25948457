// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conversion of virtual time to the instants of the QUIC library.

use std::sync::LazyLock;
use std::time::{Duration, Instant};
use units::Time;

/// The instant that represents time zero. The library may subtract durations from an instant. This instant is therefore
/// long after the earliest instant of the machine.
static ZERO: LazyLock<Instant> = LazyLock::new(|| Instant::now() + Duration::from_secs(1_000_000));

/// Returns the instant that represents time zero. No result depends on it, because only differences are used.
pub fn zero() -> Instant {
    *ZERO
}

/// Returns the instant that represents `at`.
pub fn instant(at: Time) -> Instant {
    zero() + Duration::from_nanos(at.nanos())
}

/// Returns the time that `at` represents, or [`Time::MAX`] for `None`.
pub fn time(at: Option<Instant>) -> Time {
    at.map_or(Time::MAX, |at| Time::from_nanos(at.saturating_duration_since(zero()).as_nanos() as u64))
}
