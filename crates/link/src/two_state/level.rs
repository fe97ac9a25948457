// SPDX-License-Identifier: MIT OR Apache-2.0
//! The level of the direct path over time.

use super::Stretches;
use super::loo::Loo;
use random::{Draw as _, Xoshiro256PlusPlus};
use units::{Span, Time};

/// The level of the direct path at run time. It is a first-order autoregression, in standard deviations above the mean
/// level. It continues from stretch to stretch.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub(crate) struct Level {
    loo: Loo,
    deviations: f64,
    /// Time between two steps, and the correlation between them.
    held: (Span, f64),
    moves_at: Time,
    /// Probability of loss at the current level, if it has been computed.
    loss: Option<f64>,
}

impl Level {
    /// Enters a stretch at `at`. If there was a previous stretch, its level continues.
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

    /// Time of the next step. If the stretch ends before this time, the step does not occur.
    pub const fn moves_at(&self) -> Time {
        self.moves_at
    }

    /// Makes a step: z <- r z + sqrt(1 - r^2) n. The distribution of z stays standard normal.
    pub fn go(&mut self, random: &mut Xoshiro256PlusPlus) {
        let keeps = self.held.1;
        self.deviations = keeps * self.deviations + (1.0 - keeps * keeps).sqrt() * random.normal_pair()[0];
        self.moves_at = after(self.moves_at, self.held.0);
        self.loss = None;
    }

    /// The probability that a packet is lost at the current level.
    pub fn loss(&mut self) -> f64 {
        *self.loss.get_or_insert_with(|| self.loo.outage_at(self.deviations))
    }
}

fn after(at: Time, span: Span) -> Time {
    Time::from_nanos(at.nanos().saturating_add(span.nanos().max(1)))
}
