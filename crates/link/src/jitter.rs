// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random delay that is added to the delay of the path. The delay of each packet is independent of the other packets.
//!
//! The n-th packet of a link uses the n-th number of the link's jitter stream, independent of the time at which the
//! packet leaves. Therefore, a packet keeps its jitter if the link computes its departure and arrival again.
//!
//! Routes can be computed for the whole run at once, or one interval after the other. The jitter is equal in both
//! cases, because it depends on the number of the packet and not on its time of departure.

use random::{Draw as _, SeedableRng as _, Xoshiro256PlusPlus};
use units::Span;

/// The distribution of a random delay.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub enum Jitter {
    /// Uniform between zero and this value.
    Uniform(Span),
    /// Normal with this mean and this standard deviation. A value below zero is drawn again.
    Normal(Span, Span),
    /// Log-normal. The values are the median, and the standard deviation of the natural logarithm.
    LogNormal(Span, f64),
}

impl Jitter {
    /// A high quantile of the delay. For a normal distribution, about one of 40 delays is above this value.
    pub(crate) fn high(self) -> Span {
        match self {
            Self::Uniform(most) => most,
            Self::Normal(mean, deviation) => mean + deviation * 2,
            Self::LogNormal(median, sigma) => median.mul_f64((2.0 * sigma).exp()),
        }
    }

    /// Whether the delay differs from packet to packet.
    pub fn draws(self) -> bool {
        match self {
            Self::Uniform(most) => most > Span::ZERO,
            Self::Normal(_, deviation) => deviation > Span::ZERO,
            Self::LogNormal(median, sigma) => median > Span::ZERO && sigma > 0.0,
        }
    }

    fn draw(self, random: &mut Xoshiro256PlusPlus) -> Span {
        match self {
            Self::Uniform(most) => most.mul_f64(random.fraction()),
            Self::Normal(mean, deviation) => loop {
                // The mean is not negative, so the probability that a draw is accepted is at least one half.
                let delay = mean.secs_f64() + deviation.secs_f64() * random.normal();
                if delay >= 0.0 {
                    return Span::from_secs_f64(delay);
                }
            },
            Self::LogNormal(median, sigma) => median.mul_f64((sigma * random.normal()).exp()),
        }
    }
}

/// Separates the random stream of jitter from that of losses.
const JITTER_STREAM: u64 = 0x6a69_7474_6572;

/// The jitter stream of a link.
#[derive(Clone, Debug, saved::Plain)]
pub(crate) struct Stream {
    jitter: Jitter,
    seed: u64,
    /// Number of the next packet.
    next: u64,
}

impl Stream {
    /// Creates the stream of a link with this seed.
    pub(crate) const fn new(jitter: Jitter, seed: u64) -> Self {
        Self { jitter, seed: seed ^ JITTER_STREAM, next: 0 }
    }

    /// The delay of the next packet.
    pub(crate) fn draw(&mut self) -> Span {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed.wrapping_add(self.next));
        self.next += 1;
        self.jitter.draw(&mut random)
    }

    /// Moves back, so that the delays of the last `packets` packets are drawn again.
    pub(crate) const fn go_back(&mut self, packets: u64) {
        self.next -= packets;
    }
}

#[cfg(test)]
mod tests;
