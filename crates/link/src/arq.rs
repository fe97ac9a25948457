// SPDX-License-Identifier: MIT OR Apache-2.0
//! A link that retransmits what arrives with errors: selective repeat, frame by frame, with delivery in order.
//!
//! A frame is a packet. Whether a transmission has errors is drawn from the link's loss at the time at which it leaves.
//! With independent losses of probability p, a fraction p^(n+1) is lost for good after n retransmissions (Lin and
//! Costello, Error Control Coding, chapter 22). Frames behind a retransmitted one wait for it, unless the link may
//! reorder. Our assumptions: requests for a retransmission are never lost, and the receiver has enough memory. The
//! transmitter sends all transmissions of a frame one after the other: they take the right time, but other frames begin
//! a little later than if a retransmission came in between.
//!
//! All transmissions of a packet are decided together with its passage, so departures are still known at arrival. The
//! losses of k-th retransmissions come from a walk of their own through the chain of losses, because they are needed
//! out of order.

use crate::chain::{Law, Walk};
use random::{SeedableRng as _, Xoshiro256PlusPlus};
use units::{Span, Time};

/// Retransmission of frames by a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct Arq {
    /// Most retransmissions of a frame; at most [`Arq::MOST`].
    pub repeats: u16,
    /// Time from a transmission to the next one of the same frame; `None`: a round trip of the link.
    pub delay: Option<Span>,
}

impl Arq {
    /// Largest allowed number of retransmissions.
    pub const MOST: u16 = 64;

    /// The fraction lost for good if each transmission is lost independently with this probability.
    pub fn residual(self, loss: f64) -> f64 {
        loss.powi(i32::from(self.repeats) + 1)
    }
}

/// State of retransmission at run time.
#[derive(Clone, Debug, saved::Saved)]
pub(crate) struct Repeater {
    arq: Arq,
    random: Xoshiro256PlusPlus,
    /// State of a chain in time when the first, second, … retransmission leaves: each is queried in order of time.
    #[saved(each)]
    walks: Vec<Walk>,
}

/// Separate from the stream of first transmissions, so that these do not depend on retransmissions.
const REPEAT_STREAM: u64 = 0x0072_6570_6561;

impl Repeater {
    /// `chain`: the process of the link's loss and its seed, if it depends on time.
    pub(crate) fn new(arq: Arq, chain: Option<(&Law, u64)>, seed: u64) -> Self {
        let walk = |(law, seed): (&Law, u64)| Walk::new(law.clone(), seed);
        let walks = (0..arq.repeats).filter_map(|_| chain.map(walk)).collect();
        Self { arq, random: Xoshiro256PlusPlus::seed_from_u64(seed ^ REPEAT_STREAM), walks }
    }

    /// When retransmission number `number`, from 1, of a frame leaves that first left at `first`.
    pub(crate) fn leaves(&self, first: Time, number: u16, round_trip: Span) -> Time {
        first + self.arq.delay.unwrap_or(round_trip) * u64::from(number)
    }

    pub(crate) const fn most(&self) -> u16 {
        self.arq.repeats
    }

    /// Probability that the chain loses retransmission `number`; `None`: the chain counts packets.
    pub(crate) fn chain(&mut self, number: u16, at: Time) -> Option<f64> {
        self.walks.get_mut(usize::from(number) - 1).map(|walk| walk.loss(at))
    }

    pub(crate) const fn random(&mut self) -> &mut Xoshiro256PlusPlus {
        &mut self.random
    }
}

#[cfg(test)]
mod tests;
