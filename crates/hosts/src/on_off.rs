// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lengths of successive on and off periods.

use random::{Draw as _, SeedableRng as _, SplitMix64};
use scenario::{Law, OnOff, Period};
use units::Span;

/// The on and off periods of one stream.
#[derive(Clone, Debug, saved::Saved)]
pub struct Periods {
    #[saved(fixed)]
    lengths: OnOff,
    dice: SplitMix64,
}

impl Periods {
    pub fn new(lengths: OnOff, seed: u64) -> Self {
        Self { lengths, dice: SplitMix64::seed_from_u64(seed) }
    }

    pub fn on(&mut self) -> Span {
        self.draw(self.lengths.on)
    }

    pub fn off(&mut self) -> Span {
        self.draw(self.lengths.off)
    }

    fn draw(&mut self, period: Period) -> Span {
        match period {
            Period::Constant(span) => span,
            // The draw uses inversion. A period is never zero, so that time advances.
            Period::Drawn(Law::Exponential, mean) => {
                mean.mul_f64(-(1.0 - self.dice.fraction()).ln()).max(Span::from_nanos(1))
            }
        }
    }
}
