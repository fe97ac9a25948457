// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random delays of links, read and written.

use crate::format::{self, LogNormalJitter, NormalJitter};
use crate::text::Q;
use link::Jitter;

impl format::Jitter {
    /// The distribution that the table says.
    pub fn read(self) -> Jitter {
        match (self.uniform, self.normal, self.log_normal) {
            (Some(Q(most)), ..) => Jitter::Uniform(most),
            (_, Some(NormalJitter { mean, deviation }), _) => Jitter::Normal(mean.0, deviation.0),
            (.., Some(LogNormalJitter { median, sigma })) => Jitter::LogNormal(median.0, sigma),
            (None, None, None) => unreachable!("the format needs one of them"),
        }
    }

    /// What a file says of it.
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
