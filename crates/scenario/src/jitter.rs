// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes random delays of links.

use crate::format::{self, LogNormalJitter, NormalJitter};
use crate::text::Q;
use link::Jitter;

impl format::Jitter {
    /// Returns the distribution that the table describes.
    pub fn read(self) -> Jitter {
        match (self.uniform, self.normal, self.log_normal) {
            (Some(Q(most)), ..) => Jitter::Uniform(most),
            (_, Some(NormalJitter { mean, deviation }), _) => Jitter::Normal(mean.0, deviation.0),
            (.., Some(LogNormalJitter { median, sigma })) => Jitter::LogNormal(median.0, sigma),
            (None, None, None) => unreachable!("the format requires a distribution"),
        }
    }

    /// Returns the text form of the distribution.
    pub fn of(jitter: Jitter) -> Self {
        match jitter {
            Jitter::Uniform(most) => Self { uniform: Some(Q(most)), ..Self::default() },
            Jitter::Normal(mean, deviation) => {
                let normal = NormalJitter { mean: Q(mean), deviation: Q(deviation) };
                Self { normal: Some(normal), ..Self::default() }
            }
            Jitter::LogNormal(median, sigma) => {
                Self { log_normal: Some(LogNormalJitter { median: Q(median), sigma }), ..Self::default() }
            }
        }
    }
}
