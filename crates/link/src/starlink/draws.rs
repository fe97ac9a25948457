// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random draws: distributions, and levels that change in random steps.

use random::{Draw as _, Xoshiro256PlusPlus};

/// A distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Draw {
    /// Always this value.
    Constant(f64),
    /// Uniform between the two values.
    Uniform(f64, f64),
    /// Log-normal: the median, and the standard deviation of the natural logarithm.
    LogNormal(f64, f64),
}

impl Draw {
    /// Draws a value.
    pub(super) fn value(self, random: &mut Xoshiro256PlusPlus) -> f64 {
        match self {
            Self::Constant(value) => value,
            Self::Uniform(low, high) => low + (high - low) * random.fraction(),
            Self::LogNormal(median, sigma) => median * (sigma * random.normal()).exp(),
        }
    }
}

/// A log-normal factor of median 1 whose logarithm is a first-order autoregression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Autoregression {
    /// Standard deviation of the natural logarithm.
    pub sigma: f64,
    /// Correlation of the logarithm with the logarithm one step before.
    pub correlation: f64,
}

impl Autoregression {
    /// Draws the first state, which is standard normal.
    #[expect(clippy::unused_self, reason = "a wander begins, then steps")]
    pub(super) fn begin(self, random: &mut Xoshiro256PlusPlus) -> f64 {
        random.normal()
    }
    /// Draws the next state: x' = r x + sqrt(1 - r^2) e (a stationary AR(1) process of unit variance).
    pub(super) fn step(self, state: &mut f64, random: &mut Xoshiro256PlusPlus) {
        let r = self.correlation;
        *state = r * *state + (1.0 - r * r).sqrt() * random.normal();
    }
    /// The factor of a state.
    pub(super) fn factor(self, state: f64) -> f64 {
        (self.sigma * state).exp()
    }
}
