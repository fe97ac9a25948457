// SPDX-License-Identifier: MIT OR Apache-2.0
//! Converts instants of the standard library to times since an epoch.

use crate::Setup;
use std::time::{Duration, Instant};
use units::{Span, Time};

/// Converts instants to times. Instants before the epoch become 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    epoch: Instant,
}

impl Clock {
    /// Creates the clock of a connection that starts at `now`.
    pub(crate) fn starting(setup: &Setup, now: Instant) -> Self {
        Self { epoch: setup.epoch.unwrap_or(now) }
    }

    pub(crate) fn time(self, at: Instant) -> Time {
        Time::ZERO + span(at.saturating_duration_since(self.epoch))
    }
}

/// Converts a duration of up to 584 years.
pub(crate) fn span(duration: Duration) -> Span {
    Span::from_nanos(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX))
}
