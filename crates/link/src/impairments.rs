// SPDX-License-Identifier: MIT OR Apache-2.0
//! Losses with constant parameters, which are drawn for each packet, and losses from a list.

use crate::listed::LossCursor;
use crate::{Impairment, LinkSpec};
use random::{Draw as _, SeedableRng as _, Xoshiro256PlusPlus};

#[derive(Clone, Debug, saved::Saved)]
pub(crate) struct Impairments {
    #[saved(fixed)]
    pub(crate) loss: Impairment,
    random: Xoshiro256PlusPlus,
    /// For each packet size of the link, a threshold. A packet of this size is lost if a uniform 64-bit number is below
    /// the threshold.
    thresholds: [u64; 2],
    /// Present if the link has a list of losses.
    #[saved(each)]
    pub(crate) listed_losses: Option<Box<LossCursor>>,
}

impl Impairments {
    pub(crate) fn new(spec: &LinkSpec, seed: u64) -> Self {
        let listed_losses = spec.listed.as_ref().map(|list| Box::new(LossCursor::new((**list).clone())));
        let random = Xoshiro256PlusPlus::seed_from_u64(seed);
        Self { loss: spec.loss.clone(), random, thresholds: [0; 2], listed_losses }
    }

    /// Adds a packet size at the front, and removes the last size.
    pub(crate) fn learn(&mut self, size: u16) {
        let threshold = (self.loss.probability(size) * 2f64.powi(64)) as u64;
        self.thresholds = [threshold, self.thresholds[0]];
    }

    /// Draws whether a packet is lost. `place` is the index of the packet's size.
    pub(crate) fn draws_loss(&mut self, place: usize) -> bool {
        self.random.word() < self.thresholds[place]
    }
}
