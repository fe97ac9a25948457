// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random delay in addition to the path's, independent for each packet.
//!
//! The n-th packet of a link gets the n-th number of the link's jitter stream, independent of the time at which it
//! leaves. If a passage is decided again, it therefore has the same jitter.
//!
//! For the same reason, a network whose routes are computed page by page has the same jitter as a network whose routes
//! are computed at once.

use random::{Draw as _, SeedableRng as _, Xoshiro256PlusPlus};
use units::Span;

/// The distribution of a random delay.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub enum Jitter {
    /// Uniform between zero and this.
    Uniform(Span),
    /// Normal with this mean and this standard deviation; values below zero are drawn again.
    Normal(Span, Span),
    /// Log-normal: the median, and the standard deviation of the natural logarithm.
    LogNormal(Span, f64),
}

impl Jitter {
    /// A high quantile: about one of 40 delays of a normal distribution is above it.
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
                // The mean is not negative, so at least every second draw is accepted.
                let delay = mean.secs_f64() + deviation.secs_f64() * random.normal();
                if delay >= 0.0 {
                    return Span::from_secs_f64(delay);
                }
            },
            Self::LogNormal(median, sigma) => median.mul_f64((sigma * random.normal()).exp()),
        }
    }
}

/// Separates this stream from that of losses.
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

    /// Goes back, so that the delays of the last `packets` packets are drawn again.
    pub(crate) const fn go_back(&mut self, packets: u64) {
        self.next -= packets;
    }
}

#[cfg(test)]
mod tests;
