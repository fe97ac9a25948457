// SPDX-License-Identifier: MIT OR Apache-2.0
//! A link that repeats what arrives broken: selective repeat, frame by frame, with delivery in order.
//!
//! A frame is a packet. Whether a transmission is broken is drawn as the link's loss says for the moment at which it
//! leaves: of independent losses with probability p a share of p^(n+1) is lost for good after n repetitions (Lin and
//! Costello, Error Control Coding, chapter 22). What comes behind a frame that is repeated waits for it, unless the
//! link may reorder. What is ours, and an assumption: requests for a repetition are never lost, the receiver has room,
//! and the transmitter sends all transmissions of a frame one after the other, so that they cost what they cost, but
//! others begin a little later than where a repetition slips in between.
//!
//! All transmissions of a packet are decided together with its passage, so departures are still known at arrival.
//! The losses of k-th repetitions come from a walk of their own through the chain of losses, because they are asked
//! for out of order.

use crate::chain::{Law, Walk};
use random::{SeedableRng as _, Xoshiro256PlusPlus};
use units::{Span, Time};

/// A link repeats what arrives broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct Arq {
    /// So many times at most, [`Arq::MOST`] at most.
    pub repeats: u16,
    /// So long after a transmission the next one of the same frame follows; `None`: after a round trip of the link.
    pub delay: Option<Span>,
}

impl Arq {
    /// No frame is repeated more often.
    pub const MOST: u16 = 64;

    /// What is lost for good where each transmission is with this probability, whatever becomes of others.
    pub fn residual(self, loss: f64) -> f64 {
        loss.powi(i32::from(self.repeats) + 1)
    }
}

/// What repeats at run time.
#[derive(Clone, Debug, saved::Saved)]
pub(crate) struct Repeater {
    arq: Arq,
    random: Xoshiro256PlusPlus,
    /// Where a chain in time is when the first, second, … repetition leaves: each is asked in order of time.
    #[saved(each)]
    walks: Vec<Walk>,
}

/// Apart from the stream of first transmissions, so that what they meet does not depend on repetitions.
const REPEAT_STREAM: u64 = 0x0072_6570_6561;

impl Repeater {
    /// `chain`: the process of the link's loss and its seed, where it goes by time.
    pub(crate) fn new(arq: Arq, chain: Option<(&Law, u64)>, seed: u64) -> Self {
        let walk = |(law, seed): (&Law, u64)| Walk::new(law.clone(), seed);
        let walks = (0..arq.repeats).filter_map(|_| chain.map(walk)).collect();
        Self { arq, random: Xoshiro256PlusPlus::seed_from_u64(seed ^ REPEAT_STREAM), walks }
    }

    /// When the repetition of that number, from 1, leaves of a frame that first left at `first`.
    pub(crate) fn leaves(&self, first: Time, number: u16, round_trip: Span) -> Time {
        first + self.arq.delay.unwrap_or(round_trip) * u64::from(number)
    }

    pub(crate) const fn most(&self) -> u16 {
        self.arq.repeats
    }

    /// Probability that the chain takes the repetition of that number; `None`: it goes by packets.
    pub(crate) fn chain(&mut self, number: u16, at: Time) -> Option<f64> {
        self.walks.get_mut(usize::from(number) - 1).map(|walk| walk.loss(at))
    }

    pub(crate) const fn random(&mut self) -> &mut Xoshiro256PlusPlus {
        &mut self.random
    }
}

#[cfg(test)]
mod tests;
