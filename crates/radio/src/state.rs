// SPDX-License-Identifier: MIT OR Apache-2.0
//! The state of a link with a link budget.

use crate::Modcod;
use units::Rate;

/// The state of a link with a link budget, from a given time on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Start of the state, in seconds.
    pub from_s: f64,
    /// Rain attenuation of the uplink and of the downlink, in dB. A value is `None` if the budget does not have this
    /// hop.
    pub rain_db: [Option<f64>; 2],
    /// Fade: the reduction of Es/N0 by rain and by the noise of rain, in dB. The reference is clear sky at the same
    /// position of the satellite.
    pub fade_db: f64,
    /// Es/N0 at the receiver, in dB.
    pub es_n0_db: f64,
    /// The transmitted modulation and code, or `None` in an outage.
    pub modcod: Option<Modcod>,
    /// Data rate. In an outage, it is zero.
    pub rate: Rate,
    /// Difference between the Es/N0 that the lowest rung requires with its margin, and the actual Es/N0, in dB. The
    /// value is negative if this rung is possible.
    pub missing_db: f64,
    /// Elevation (degrees) and distance (km) of a moving satellite. With `None`, the values of the budget apply.
    pub sight: Option<(f64, f64)>,
}

impl State {
    /// Converts the state of an uplink that was computed as a downlink. The rain attenuation is moved to the uplink.
    #[must_use]
    pub fn upwards(self) -> Self {
        Self { rain_db: [self.rain_db[1], None], ..self }
    }

    /// Returns whether two states differ only in their time and in the position of the satellite.
    pub fn continues(&self, before: &Self) -> bool {
        Self { from_s: before.from_s, sight: before.sight, ..*self } == *before
    }
}
