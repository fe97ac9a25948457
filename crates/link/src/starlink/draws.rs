// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random draws: distributions, and factors that change in random steps.

use random::{Draw as _, Xoshiro256PlusPlus};

/// A distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Draw {
    /// The value is always the same.
    Constant(f64),
    /// The value is uniform between the two numbers.
    Uniform(f64, f64),
    /// The value is log-normal. The numbers are the median, and the standard deviation of the natural logarithm.
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

/// A log-normal factor with median 1. Its logarithm is a first-order autoregression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Autoregression {
    /// Standard deviation of the natural logarithm.
    pub sigma: f64,
    /// Correlation between the logarithms of two consecutive steps.
    pub correlation: f64,
}

impl Autoregression {
    /// Draws the first state, which is standard normal.
    #[expect(clippy::unused_self, reason = "a wander begins, then steps")]
    pub(super) fn begin(self, random: &mut Xoshiro256PlusPlus) -> f64 {
        random.normal()
    }
    /// Draws the next state: x' = r x + sqrt(1 - r^2) e. This is a stationary AR(1) process of unit variance.
    pub(super) fn step(self, state: &mut f64, random: &mut Xoshiro256PlusPlus) {
        let r = self.correlation;
        *state = r * *state + (1.0 - r * r).sqrt() * random.normal();
    }
    /// Returns the factor that belongs to a state.
    pub(super) fn factor(self, state: f64) -> f64 {
        (self.sigma * state).exp()
    }
}
