// SPDX-License-Identifier: MIT OR Apache-2.0
//! Instants of the standard library as times since an epoch.

use crate::Setup;
use std::time::{Duration, Instant};
use units::{Span, Time};

/// Before the epoch, the time is 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    epoch: Instant,
}

impl Clock {
    /// The clock of a connection that starts at `now`.
    pub(crate) fn starting(setup: &Setup, now: Instant) -> Self {
        Self { epoch: setup.epoch.unwrap_or(now) }
    }

    pub(crate) fn time(self, at: Instant) -> Time {
        Time::ZERO + span(at.saturating_duration_since(self.epoch))
    }
}

/// Up to 584 years.
pub(crate) fn span(duration: Duration) -> Span {
    Span::from_nanos(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX))
}
