// SPDX-License-Identifier: MIT OR Apache-2.0
//! A link that retransmits frames that arrive with errors: selective-repeat ARQ with delivery in order.
//!
//! A frame is a packet. The link draws from its loss, at the time at which a transmission leaves, whether this
//! transmission has errors. With independent losses of probability p, a fraction p^(n+1) of the frames is lost for good
//! after n retransmissions (Lin and Costello, Error Control Coding, chapter 22). Frames behind a retransmitted frame
//! wait for it, unless the link may reorder. Our assumptions: requests for a retransmission are never lost, and the
//! receiver has enough memory. The transmitter sends all transmissions of a frame one after the other. They take the
//! right time, but other frames begin a little later than on a link that sends them between two transmissions.
//!
//! All transmissions of a packet are decided together with its passage, so departures are still known at arrival. For
//! each k, the losses of k-th retransmissions come from a separate walk through the chain of losses, because a walk can
//! only move forward in time.

use crate::chain::{Law, Walk};
use random::{SeedableRng as _, Xoshiro256PlusPlus};
use units::{Span, Time};

/// Retransmission of frames by a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct Arq {
    /// Most retransmissions of a frame; at most [`Arq::MOST`].
    pub repeats: u16,
    /// Time from a transmission to the next transmission of the same frame; `None`: a round trip of the link.
    pub delay: Option<Span>,
}

impl Arq {
    /// Largest allowed number of retransmissions.
    pub const MOST: u16 = 64;

    /// The fraction of frames lost for good if each transmission is lost independently with probability `loss`.
    pub fn residual(self, loss: f64) -> f64 {
        loss.powi(i32::from(self.repeats) + 1)
    }
}

/// State of retransmission at run time.
#[derive(Clone, Debug, saved::Saved)]
pub(crate) struct Repeater {
    arq: Arq,
    random: Xoshiro256PlusPlus,
    /// Walks through a chain in time, one for the first retransmissions, one for the second, and so on. Each walk is
    /// queried in order of time.
    #[saved(each)]
    walks: Vec<Walk>,
}

/// Separates this stream from that of first transmissions, which therefore do not depend on retransmissions.
const REPEAT_STREAM: u64 = 0x0072_6570_6561;

impl Repeater {
    /// `chain` is the process of the link's loss and its seed; `None` if the loss does not depend on time.
    pub(crate) fn new(arq: Arq, chain: Option<(&Law, u64)>, seed: u64) -> Self {
        let walk = |(law, seed): (&Law, u64)| Walk::new(law.clone(), seed);
        let walks = (0..arq.repeats).filter_map(|_| chain.map(walk)).collect();
        Self { arq, random: Xoshiro256PlusPlus::seed_from_u64(seed ^ REPEAT_STREAM), walks }
    }

    /// Time at which retransmission `number` (counted from 1) leaves, of a frame that first left at `first`.
    pub(crate) fn leaves(&self, first: Time, number: u16, round_trip: Span) -> Time {
        first + self.arq.delay.unwrap_or(round_trip) * u64::from(number)
    }

    pub(crate) const fn most(&self) -> u16 {
        self.arq.repeats
    }

    /// Probability that the chain loses retransmission `number`; `None` if the chain moves with packets.
    pub(crate) fn chain(&mut self, number: u16, at: Time) -> Option<f64> {
        self.walks.get_mut(usize::from(number) - 1).map(|walk| walk.loss(at))
    }

    pub(crate) const fn random(&mut self) -> &mut Xoshiro256PlusPlus {
        &mut self.random
    }
}

#[cfg(test)]
mod tests;
