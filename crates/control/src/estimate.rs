// SPDX-License-Identifier: MIT OR Apache-2.0
//! Estimators that several controllers share.

pub mod bandwidth;

use crate::window::Rescale;
use units::Time;

/// How far ACKs are ahead of a rate (BBR's `extra_acked`): the amount acknowledged in an interval, minus rate times
/// interval. When the ACKs fall behind the rate, the interval restarts.
#[derive(Clone, Debug, saved::Plain)]
pub struct AckExcess {
    began: Time,
    acked: f64,
}

impl AckExcess {
    /// An interval that begins at time zero.
    pub const NONE: Self = Self { began: Time::ZERO, acked: 0.0 };

    /// Begins a new interval.
    pub const fn restart(&mut self, now: Time) {
        self.began = now;
        self.acked = 0.0;
    }

    /// Adds `acked` and returns the excess, in the unit of `acked`. `rate` is in this unit per second.
    pub fn update(&mut self, now: Time, acked: f64, rate: f64) -> f64 {
        let mut expected = rate * now.since(self.began).secs_f64();
        if self.acked <= expected {
            self.restart(now);
            expected = 0.0;
        }
        self.acked += acked;
        self.acked - expected
    }
}

/// For controllers that count segments.
impl Rescale for AckExcess {
    fn rescale(&mut self, factor: f64) {
        self.acked.rescale(factor);
    }
}
