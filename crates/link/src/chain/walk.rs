// SPDX-License-Identifier: MIT OR Apache-2.0
//! A chain of losses on its way.

use super::{Law, Moves};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use units::Time;

/// A chain at run time.
#[derive(Debug)]
pub(crate) struct Walk {
    law: Law,
    random: Xoshiro256PlusPlus,
    pub(super) state: usize,
    /// Probability of loss in it.
    loss: f64,
    /// Bins that have begun.
    bin: u64,
    /// When the state ends.
    until: Time,
}

impl Walk {
    /// Begins in the stationary state.
    pub(crate) fn new(law: Law, seed: u64) -> Self {
        let random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut walk = Self { law, random, state: 0, loss: 0.0, bin: 0, until: Time::ZERO };
        walk.state = pick(&mut walk.random, &walk.law.shares, 0);
        // What is left of an exponential duration is distributed as all of it.
        walk.enter();
        walk
    }

    /// The probability that what leaves at `at` is lost. Where the chain goes by packets, each call is one.
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
        }
        self.loss
    }

    fn go(&mut self) {
        self.state = pick(&mut self.random, &self.law.next[self.state], self.state);
        self.enter();
    }

    /// A state begins.
    fn enter(&mut self) {
        self.loss = self.law.loss[self.state].draw(&mut self.random);
        let Moves::AtAnyTime(lasts) = &self.law.moves else { return };
        // Above 0 and at most 1: its logarithm is finite.
        let unit = ((self.random.next_u64() >> 11) + 1) as f64 / 2f64.powi(53);
        let lasts = lasts[self.state].mul_f64(-unit.ln());
        self.until = Time::from_nanos(self.until.nanos().saturating_add(lasts.nanos().max(1)));
    }
}

/// One of the states, each with its probability; `or` takes what they leave.
fn pick(random: &mut Xoshiro256PlusPlus, probabilities: &[f64], or: usize) -> usize {
    let word = random.next_u64();
    let mut sum = 0.0;
    for state in (0..probabilities.len()).rev().filter(|&state| state != or) {
        sum += probabilities[state];
        if word < threshold(sum) {
            return state;
        }
    }
    or
}

/// A uniform 64-bit number is below this with a probability.
fn threshold(probability: f64) -> u64 {
    (probability * 2f64.powi(64)) as u64
}
