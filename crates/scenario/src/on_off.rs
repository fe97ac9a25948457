// SPDX-License-Identifier: MIT OR Apache-2.0
//! On and off periods of a stream at a constant bit rate.

use crate::format::{self, DrawnPeriod};
use crate::text::Q;
use crate::words::W;
use units::{Bytes, Rate, Span};

/// Alternating on and off periods. The first period is an on period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnOff {
    /// Length of on periods.
    pub on: Period,
    /// Length of off periods.
    pub off: Period,
}

/// The length of periods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Period {
    /// All periods have this length.
    Constant(Span),
    /// The length is random, with this mean.
    Drawn(Law, Span),
}

/// A probability distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// Exponential distribution.
    Exponential,
}

impl Period {
    /// Returns whether the length is random.
    pub fn draws(self) -> bool {
        match self {
            Self::Constant(_) => false,
            Self::Drawn(Law::Exponential, mean) => mean > Span::ZERO,
        }
    }
}

impl OnOff {
    /// Reads the periods in the table of a flow; `None` if the flow always sends.
    pub(crate) fn read(flow: &format::Flow) -> Option<Self> {
        flow.on.zip(flow.off).map(|(on, off)| Self { on: on.read(), off: off.read() })
    }

    /// Returns the mean bits per second on the wire. In on periods, packets of size `packet` leave at the rate `rate`.
    pub fn mean_bits_per_s(&self, rate: Rate, packet: Bytes) -> f64 {
        8.0 * packet.get() as f64 * self.packets_per_s(rate.time_for(packet))
    }

    /// Returns the mean packets per second of a stream that sends a packet every `interval` in on periods. Each on
    /// period starts with a packet.
    pub fn packets_per_s(&self, interval: Span) -> f64 {
        let between_s = interval.secs_f64();
        let per_period = match self.on {
            Period::Constant(on) => (on.secs_f64() / between_s).ceil(),
            // This is the sum over k of the probability that a period is longer than k intervals.
            Period::Drawn(Law::Exponential, mean) => 1.0 / (1.0 - (-between_s / mean.secs_f64()).exp()),
        };
        per_period / (self.on.mean() + self.off.mean()).secs_f64()
    }
}

impl Period {
    /// Returns the mean length.
    pub const fn mean(self) -> Span {
        match self {
            Self::Constant(span) | Self::Drawn(_, span) => span,
        }
    }
}

impl format::Period {
    fn read(self) -> Period {
        match self {
            Self::Constant(Q(span)) => Period::Constant(span),
            Self::Drawn(DrawnPeriod { law: W(law), mean: Q(mean) }) => Period::Drawn(law, mean),
        }
    }

    /// Returns the text form of a period.
    pub fn of(period: Period) -> Self {
        match period {
            Period::Constant(span) => Self::Constant(Q(span)),
            Period::Drawn(law, mean) => Self::Drawn(DrawnPeriod { law: W(law), mean: Q(mean) }),
        }
    }
}
