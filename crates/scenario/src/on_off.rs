// SPDX-License-Identifier: MIT OR Apache-2.0
//! On and off periods of a constant-bit-rate stream.

use crate::format::{self, DrawnPeriod};
use crate::text::Q;
use crate::words::W;
use units::{Bytes, Rate, Span};

/// On and off periods in turn, beginning with an on period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnOff {
    /// Length of on periods.
    pub on: Period,
    /// Length of off periods.
    pub off: Period,
}

/// Length of a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Period {
    /// Constant.
    Constant(Span),
    /// Random, with this mean.
    Drawn(Law, Span),
}

/// A law of chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// Without memory (exponential).
    Exponential,
}

impl Period {
    /// Whether it is drawn.
    pub fn draws(self) -> bool {
        match self {
            Self::Constant(_) => false,
            Self::Drawn(Law::Exponential, mean) => mean > Span::ZERO,
        }
    }
}

impl OnOff {
    /// The periods in the table of a flow; `None`: it always sends.
    pub(crate) fn read(flow: &format::Flow) -> Option<Self> {
        flow.on.zip(flow.off).map(|(on, off)| Self { on: on.read(), off: off.read() })
    }

    /// Mean bits per second on the wire, of packets of this size that leave at this rate during on periods.
    pub fn mean_bits_per_s(&self, rate: Rate, packet: Bytes) -> f64 {
        8.0 * packet.get() as f64 * self.packets_per_s(rate.time_for(packet))
    }

    /// Mean packets per second of a stream that sends a packet every `interval` during on periods. Each period begins
    /// with a packet.
    pub fn packets_per_s(&self, interval: Span) -> f64 {
        let between_s = interval.secs_f64();
        let per_period = match self.on {
            Period::Constant(on) => (on.secs_f64() / between_s).ceil(),
            // The sum over k of the probability that a period is longer than k intervals.
            Period::Drawn(Law::Exponential, mean) => 1.0 / (1.0 - (-between_s / mean.secs_f64()).exp()),
        };
        per_period / (self.on.mean() + self.off.mean()).secs_f64()
    }
}

impl Period {
    /// Its mean length.
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

    /// The text form of a period.
    pub fn of(period: Period) -> Self {
        match period {
            Period::Constant(span) => Self::Constant(Q(span)),
            Period::Drawn(law, mean) => Self::Drawn(DrawnPeriod { law: W(law), mean: Q(mean) }),
        }
    }
}
