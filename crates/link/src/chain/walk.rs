// SPDX-License-Identifier: MIT OR Apache-2.0
//! The state of a chain of losses over time.

use super::{Law, Moves};
use crate::two_state::Level;
use random::{Draw as _, SeedableRng as _, Xoshiro256PlusPlus};
use units::Time;

/// The run-time state of a chain.
#[derive(Clone, Debug, saved::Saved)]
pub(crate) struct Walk {
    #[saved(fixed)]
    law: Law,
    random: Xoshiro256PlusPlus,
    pub(super) state: usize,
    /// Probability of loss in the current state.
    loss: f64,
    /// Number of bins that have begun since the start of the run.
    bin: u64,
    /// Time at which the current state ends.
    until: Time,
    /// The signal level, if the loss changes within a state.
    level: Option<Level>,
}

impl Walk {
    /// Draws the first state from the stationary distribution.
    pub(crate) fn new(law: Law, seed: u64) -> Self {
        let random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut walk = Self { law, random, state: 0, loss: 0.0, bin: 0, until: Time::ZERO, level: None };
        walk.state = pick(&mut walk.random, &walk.law.shares, 0);
        walk.enter(true);
        walk
    }

    /// The probability that a packet that leaves at `at` is lost. If the chain moves with packets, each call counts as
    /// one packet.
    pub(crate) fn loss(&mut self, at: Time) -> f64 {
        match &self.law.moves {
            Moves::PerPacket => self.go(),
            Moves::Every(bin) => {
                let bin = at.nanos() / bin.nanos();
                while self.bin < bin {
                    self.bin += 1;
                    self.go();
                }
            }
            Moves::AtAnyTime(_) => {
                while self.until <= at {
                    self.go();
                }
            }
            Moves::Drives(_) => return self.drive(at),
        }
        self.loss
    }

    /// The current state.
    #[cfg(test)]
    pub(crate) const fn state(&self) -> usize {
        self.state
    }

    fn go(&mut self) {
        self.state = pick(&mut self.random, &self.law.next[self.state], self.state);
        self.enter(false);
    }

    /// Enters a state. If `begins` is true, the run begins in the middle of this state.
    fn enter(&mut self, begins: bool) {
        self.loss = self.law.loss[self.state].draw(&mut self.random);
        let lasts = match &self.law.moves {
            Moves::PerPacket | Moves::Every(_) => return,
            // The remaining part of an exponential duration has the same distribution as the whole duration.
            Moves::AtAnyTime(lasts) => {
                // The number is above 0 and at most 1, so its logarithm is finite.
                let unit = self.random.positive();
                lasts[self.state].mul_f64(-unit.ln())
            }
            Moves::Drives(states) => {
                let stretches = &states[self.state];
                self.level = Some(Level::enter(self.level, stretches, self.until, &mut self.random));
                stretches.lasts(begins, &mut self.random)
            }
        };
        self.until = Time::from_nanos(self.until.nanos().saturating_add(lasts.nanos().max(1)));
    }

    /// The probability that a packet that leaves at `at` is lost, for a chain whose loss changes within states.
    fn drive(&mut self, at: Time) -> f64 {
        loop {
            let Some(level) = &mut self.level else { return self.loss };
            let moves = level.moves_at();
            if self.until.min(moves) > at {
                return level.loss();
            }
            if moves < self.until { level.go(&mut self.random) } else { self.go() }
        }
    }
}

/// Draws a state with the given probabilities. The state `or` has the remaining probability.
fn pick(random: &mut Xoshiro256PlusPlus, probabilities: &[f64], or: usize) -> usize {
    let word = random.word();
    let mut sum = 0.0;
    for state in (0..probabilities.len()).rev().filter(|&state| state != or) {
        sum += probabilities[state];
        if word < threshold(sum) {
            return state;
        }
    }
    or
}

/// Returns a threshold. A uniform 64-bit number is below this threshold with the given probability.
fn threshold(probability: f64) -> u64 {
    (probability * 2f64.powi(64)) as u64
}
