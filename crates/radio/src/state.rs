// SPDX-License-Identifier: MIT OR Apache-2.0
//! State of a link with a budget.

use crate::Modcod;
use units::Rate;

/// State of a link from a given time on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Start of the state, in seconds.
    pub from_s: f64,
    /// Rain attenuation of the uplink and of the downlink, in dB; `None` for a hop that the budget does not have.
    pub rain_db: [Option<f64>; 2],
    /// Fade: reduction of Es/N0 by the rain and its noise, in dB, compared with clear sky at the same position of the
    /// satellite.
    pub fade_db: f64,
    /// Es/N0 at the receiver, in dB.
    pub es_n0_db: f64,
    /// The transmitted modulation and code; `None` in an outage.
    pub modcod: Option<Modcod>,
    /// Data rate; zero in an outage.
    pub rate: Rate,
    /// Es/N0 that is missing for the lowest rung with its margin, in dB. Negative if that rung is possible.
    pub missing_db: f64,
    /// Elevation (degrees) and distance (km) of a moving satellite. With `None`, those of the budget apply.
    pub sight: Option<(f64, f64)>,
}

impl State {
    /// Converts the state of an uplink that was computed as a downlink: moves its rain attenuation to the uplink.
    #[must_use]
    pub fn upwards(self) -> Self {
        Self { rain_db: [self.rain_db[1], None], ..self }
    }

    /// Returns whether the states differ only in time and in the position of the satellite.
    pub fn continues(&self, before: &Self) -> bool {
        Self { from_s: before.from_s, sight: before.sight, ..*self } == *before
    }
}
