// SPDX-License-Identifier: MIT OR Apache-2.0
//! Losses with constant parameters, which are drawn for each packet, and listed losses.

use crate::listed::LossCursor;
use crate::{Impairment, LinkSpec};
use random::{Draw as _, SeedableRng as _, Xoshiro256PlusPlus};

#[derive(Clone, Debug, saved::Saved)]
pub(crate) struct Impairments {
    #[saved(fixed)]
    pub(crate) loss: Impairment,
    random: Xoshiro256PlusPlus,
    /// A packet of one of the link's sizes is lost if a uniform 64-bit number is below this.
    thresholds: [u64; 2],
    /// Present if losses are listed.
    #[saved(each)]
    pub(crate) listed_losses: Option<Box<LossCursor>>,
}

impl Impairments {
    pub(crate) fn new(spec: &LinkSpec, seed: u64) -> Self {
        let listed_losses = spec.listed.as_ref().map(|list| Box::new(LossCursor::new((**list).clone())));
        let random = Xoshiro256PlusPlus::seed_from_u64(seed);
        Self { loss: spec.loss.clone(), random, thresholds: [0; 2], listed_losses }
    }

    /// Puts a packet size first, and removes the last size.
    pub(crate) fn learn(&mut self, size: u16) {
        let threshold = (self.loss.probability(size) * 2f64.powi(64)) as u64;
        self.thresholds = [threshold, self.thresholds[0]];
    }

    /// Draws whether a packet is lost whose size is at this place.
    pub(crate) fn draws_loss(&mut self, place: usize) -> bool {
        self.random.word() < self.thresholds[place]
    }
}
