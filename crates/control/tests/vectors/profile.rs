// SPDX-License-Identifier: MIT OR Apache-2.0
//! The platforms and their units of windows, from `vectors/profiles.toml`.

use serde::Deserialize;
use std::collections::BTreeMap;

/// The unit of a platform's windows, and the allowed difference between its results and the numbers computed by hand.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Bytes of a segment.
    pub mss: u32,
    /// Whether a case may set another size.
    pub any_mss: bool,
    /// Whether ACKs are cumulative. Otherwise, they do not report an advance or a duplicate.
    pub cumulative_acks: bool,
    /// Allowed difference relative to the expected value (relative to 1 for values below 1).
    pub tolerance_share: f64,
    /// Additional allowed difference of windows and numbers in segments, per rounding.
    pub tolerance_segments: f64,
    /// The commands to compare (names of expectations). `None` means all commands.
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

    /// Whether `got` equals the expected value `wanted` of `what` within the tolerance.
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
