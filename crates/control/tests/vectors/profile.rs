// SPDX-License-Identifier: MIT OR Apache-2.0
//! The unit of windows on each platform: `vectors/profiles.toml`.

use serde::Deserialize;
use std::collections::BTreeMap;

/// The unit of a platform's windows, and the allowed difference between its results and the numbers worked by hand.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Bytes of a segment.
    pub mss: u32,
    /// Whether a case may use another size.
    pub any_mss: bool,
    /// Whether ACKs are cumulative. If they are not, they report no advance and no duplicate.
    pub cumulative_acks: bool,
    /// Relative to the expected value (to 1 for values below 1).
    pub tolerance_share: f64,
    /// For windows and numbers in segments, in addition, for each rounding.
    pub tolerance_segments: f64,
    /// The commands to compare, by the names of expectations. `None`: all commands.
    pub commands: Option<Vec<String>>,
}

impl Profile {
    /// The profiles of `vectors/profiles.toml`.
    pub fn all() -> BTreeMap<String, Self> {
        crate::cases::read("profiles.toml")
    }

    /// The size of a segment in a case with `mss`.
    pub fn mss_of(&self, mss: Option<u32>) -> u32 {
        mss.filter(|_| self.any_mss).unwrap_or(self.mss)
    }

    /// Whether this profile compares the expectation `what`.
    pub fn compares(&self, what: &str) -> bool {
        self.commands.as_ref().is_none_or(|commands| commands.iter().any(|known| known == what))
    }

    /// Whether `got` equals the expectation `wanted` of `what` within the tolerance.
    pub fn near(&self, what: &str, got: f64, wanted: f64, roundings: u32) -> bool {
        let mut tolerance = self.tolerance_share * wanted.abs().max(1.0);
        if what.ends_with("_segments") || what.ends_with("_segments_per_s") {
            tolerance += self.tolerance_segments * f64::from(roundings);
        }
        // Rates are whole bit/s.
        if what.ends_with("_mbit_s") {
            tolerance += 1e-6;
        }
        got == wanted || (got - wanted).abs() <= tolerance
    }
}
