// SPDX-License-Identifier: MIT OR Apache-2.0
//! Chance: distributions, and levels that wander.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Draw {
    /// Always this.
    Constant(f64),
    /// Anything between the two, equally likely.
    Uniform(f64, f64),
    /// Log-normal: the median, and the standard deviation of the natural logarithm.
    LogNormal(f64, f64),
}

/// A log-normal factor of median 1 whose logarithm is a first-order autoregression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wander {
    /// Standard deviation of the natural logarithm.
    pub sigma: f64,
    /// Correlation of the logarithm with that of the step before.
    pub correlation: f64,
}

impl Wander {
    /// The first state, standard normal.
    #[expect(clippy::unused_self, reason = "a wander begins, then steps")]
    pub(super) fn begin(self, draws: &mut Draws) -> f64 {
        draws.normal()
    }
    /// The next state: x' = r x + sqrt(1 - r^2) e (a stationary AR(1) of unit variance).
    pub(super) fn step(self, state: &mut f64, draws: &mut Draws) {
        let r = self.correlation;
        *state = r * *state + (1.0 - r * r).sqrt() * draws.normal();
    }
    /// The factor of a state.
    pub(super) fn factor(self, state: f64) -> f64 {
        (self.sigma * state).exp()
    }
}

/// A stream of chance.
#[derive(Debug)]
pub(crate) struct Draws(Xoshiro256PlusPlus);

impl Draws {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Seed of another stream.
    pub(super) fn seed(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// In [0, 1), 53 bits.
    pub(crate) fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / 2f64.powi(53)
    }

    /// Standard normal (Box and Muller 1958; the second of the pair is not used, so that the stream has no state).
    pub(crate) fn normal(&mut self) -> f64 {
        let (u, v) = (1.0 - self.uniform(), self.uniform());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }

    pub(super) fn draw(&mut self, from: Draw) -> f64 {
        match from {
            Draw::Constant(value) => value,
            Draw::Uniform(low, high) => low + (high - low) * self.uniform(),
            Draw::LogNormal(median, sigma) => median * (sigma * self.normal()).exp(),
        }
    }
}
