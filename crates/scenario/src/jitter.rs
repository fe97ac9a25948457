// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random delays of links, read and written.

use crate::ScenarioError;
use crate::check::Source;
use crate::format::{self, LogNormalJitter, NormalJitter};
use crate::text::Q;
use link::Jitter;
use units::Code;

impl format::Jitter {
    /// The distribution that the table at `path` says.
    pub fn read(self, source: &Source<'_>, path: &str) -> Result<Jitter, ScenarioError> {
        match (self.uniform, self.normal, self.log_normal) {
            (Some(Q(most)), None, None) => Ok(Jitter::Uniform(most)),
            (None, Some(NormalJitter { mean, deviation }), None) => Ok(Jitter::Normal(mean.0, deviation.0)),
            (None, None, Some(LogNormalJitter { median, sigma })) => Ok(Jitter::LogNormal(median.0, sigma)),
            (None, None, None) => {
                let message = "it says no distribution (write uniform = \"5 ms\", normal = { mean = \"10 ms\", deviation = \
                               \"3 ms\" } or log_normal = { median = \"10 ms\", sigma = 0.5 })";
                Err(source.error(Code::ScenarioMissingKey, path, message))
            }
            _ => {
                let message =
                    "distributions contradict each other (write one of `uniform`, `normal` and `log_normal`)";
                Err(source.error(Code::ScenarioValue, path, message))
            }
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
