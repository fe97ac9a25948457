// SPDX-License-Identifier: MIT OR Apache-2.0
//! Retransmission of frames that arrive with errors. The link uses selective-repeat ARQ with delivery in order.
//!
//! A frame is a packet. For each transmission of a frame, the link draws whether the transmission has errors. The
//! probability is the loss of the link at the time at which the transmission leaves. If losses are independent and have
//! probability p, a fraction p^(n+1) of the frames remains lost after n retransmissions (Lin and Costello, Error
//! Control Coding, chapter 22). Frames behind a retransmitted frame wait for it, unless the link may reorder.
//!
//! The model assumes that requests for a retransmission are never lost and that the receiver has enough memory. The
//! transmitter sends all transmissions of a frame one after the other. The total transmission time is correct. Other
//! frames begin a little later than on a link that sends them between two transmissions of the same frame.
//!
//! The link decides all transmissions of a packet when it decides the packet's passage (start, departure and arrival).
//! The departure of a packet is therefore known at its arrival. If losses follow a Markov chain, a walk through this
//! chain can only move forward in time. Therefore, each k has a separate walk, which decides the losses of all k-th
//! retransmissions.

use crate::chain::{Law, Walk};
use random::{SeedableRng as _, Xoshiro256PlusPlus};
use units::{Span, Time};

/// Settings of retransmission on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct Arq {
    /// Maximum number of retransmissions of a frame. It is at most [`Arq::MOST`].
    pub repeats: u16,
    /// Time from one transmission of a frame to its next transmission. With `None`, this time is the round-trip time of
    /// the link.
    pub delay: Option<Span>,
}

impl Arq {
    /// Largest allowed number of retransmissions.
    pub const MOST: u16 = 64;

    /// The fraction of frames that remain lost if each transmission is lost independently with probability `loss`.
    pub fn residual(self, loss: f64) -> f64 {
        loss.powi(i32::from(self.repeats) + 1)
    }
}

/// The state of retransmission at run time.
#[derive(Clone, Debug, saved::Saved)]
pub(crate) struct Repeater {
    arq: Arq,
    random: Xoshiro256PlusPlus,
    /// Walks through a loss chain (a Markov chain) whose state depends on time. The first walk decides the first
    /// retransmissions, the second walk decides the second retransmissions, and so on. Each walk must be queried in
    /// order of time.
    #[saved(each)]
    walks: Vec<Walk>,
}

/// Separates the random stream of retransmissions from that of first transmissions. First transmissions therefore do
/// not depend on retransmissions.
const REPEAT_STREAM: u64 = 0x0072_6570_6561;

impl Repeater {
    /// Creates the state. `chain` contains the process of the link's loss and its seed, or is `None` if the loss does
    /// not depend on time.
    pub(crate) fn new(arq: Arq, chain: Option<(&Law, u64)>, seed: u64) -> Self {
        let walk = |(law, seed): (&Law, u64)| Walk::new(law.clone(), seed);
        let walks = (0..arq.repeats).filter_map(|_| chain.map(walk)).collect();
        Self { arq, random: Xoshiro256PlusPlus::seed_from_u64(seed ^ REPEAT_STREAM), walks }
    }

    /// Time at which retransmission `number` of a frame leaves. The first retransmission has number 1. `first` is the
    /// time at which the first transmission left.
    pub(crate) fn leaves(&self, first: Time, number: u16, round_trip: Span) -> Time {
        first + self.arq.delay.unwrap_or(round_trip) * u64::from(number)
    }

    pub(crate) const fn most(&self) -> u16 {
        self.arq.repeats
    }

    /// Probability that the chain loses retransmission `number`, or `None` if the chain moves with packets.
    pub(crate) fn chain(&mut self, number: u16, at: Time) -> Option<f64> {
        self.walks.get_mut(usize::from(number) - 1).map(|walk| walk.loss(at))
    }

    pub(crate) const fn random(&mut self) -> &mut Xoshiro256PlusPlus {
        &mut self.random
    }
}

#[cfg(test)]
mod tests;
