// SPDX-License-Identifier: MIT OR Apache-2.0
//! The level of the direct path on its way through stretches.

use super::Stretches;
use super::loo::Loo;
use random::{Draw as _, Xoshiro256PlusPlus};
use units::{Span, Time};

/// The direct path at run time: a first-order autoregression in deviations above its mean, which goes on from stretch to
/// stretch.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub(crate) struct Level {
    loo: Loo,
    deviations: f64,
    /// It is held for so long, and keeps this share of itself to the next.
    held: (Span, f64),
    moves_at: Time,
    /// Probability of loss, once it was asked for.
    loss: Option<f64>,
}

impl Level {
    /// A stretch begins at `at`, after the last one's level if there was one.
    pub fn enter(
        last: Option<Self>,
        stretches: &Stretches,
        at: Time,
        random: &mut Xoshiro256PlusPlus,
    ) -> Self {
        let loo = stretches.draw(random);
        let deviations = match last {
            Some(last) => last.deviations,
            None => random.normal_pair()[0],
        };
        let held = stretches.held();
        Self { loo, deviations, held, moves_at: after(at, held.0), loss: None }
    }

    /// When it moves next, unless the stretch ends before.
    pub const fn moves_at(&self) -> Time {
        self.moves_at
    }

    /// It moves: z <- r z + sqrt(1 - r^2) n, which stays standard normal.
    pub fn go(&mut self, random: &mut Xoshiro256PlusPlus) {
        let keeps = self.held.1;
        self.deviations = keeps * self.deviations + (1.0 - keeps * keeps).sqrt() * random.normal_pair()[0];
        self.moves_at = after(self.moves_at, self.held.0);
        self.loss = None;
    }

    /// The probability that a packet is lost.
    pub fn loss(&mut self) -> f64 {
        *self.loss.get_or_insert_with(|| self.loo.outage_at(self.deviations))
    }
}

fn after(at: Time, span: Span) -> Time {
    Time::from_nanos(at.nanos().saturating_add(span.nanos().max(1)))
}
