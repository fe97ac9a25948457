// SPDX-License-Identifier: MIT OR Apache-2.0
//! The level of the direct path over stretches.

use super::Stretches;
use super::loo::Loo;
use random::{Draw as _, Xoshiro256PlusPlus};
use units::{Span, Time};

/// The direct path at run time: a first-order autoregression in standard deviations above its mean, which continues
/// from stretch to stretch.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub(crate) struct Level {
    loo: Loo,
    deviations: f64,
    /// Time step, and correlation from one step to the next.
    held: (Span, f64),
    moves_at: Time,
    /// Probability of loss, once computed.
    loss: Option<f64>,
}

impl Level {
    /// Enters a stretch at `at`. The level continues from the stretch before, if there is one.
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

    /// Time of the next step, unless the stretch ends before.
    pub const fn moves_at(&self) -> Time {
        self.moves_at
    }

    /// Makes a step: z <- r z + sqrt(1 - r^2) n, which stays standard normal.
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
