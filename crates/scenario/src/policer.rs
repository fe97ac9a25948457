// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes policers of links.

use crate::format;
use crate::text::Q;
use link::Policer;

impl format::Policer {
    /// Returns the policer that the table describes.
    pub const fn read(self) -> Policer {
        Policer { rate: self.rate.0, burst: self.burst.0 }
    }

    /// Returns the text form of a policer.
    pub const fn of(policer: Policer) -> Self {
        Self { rate: Q(policer.rate), burst: Q(policer.burst) }
    }
}
