// SPDX-License-Identifier: MIT OR Apache-2.0
//! The state of a link with a budget in the weather.

use crate::Modcod;
use units::Rate;

/// The state of a link from a time on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Start, in seconds.
    pub from_s: f64,
    /// Rain attenuation of the uplink and of the downlink; `None`: the budget has no such hop.
    pub rain_db: [Option<f64>; 2],
    /// Reduction of Es/N0 by rain, its noise included: the difference from a clear sky at the same position of the satellite.
    pub fade_db: f64,
    /// Es/N0 at the receiver.
    pub es_n0_db: f64,
    /// The transmitted modulation and code; `None`: an outage.
    pub modcod: Option<Modcod>,
    /// Rate of data; zero in an outage.
    pub rate: Rate,
    /// Es/N0 missing for the lowest rung with its margin; negative if that rung is possible.
    pub missing_db: f64,
    /// Elevation in degrees and distance in km of a satellite that moves; `None`: those of the budget.
    pub sight: Option<(f64, f64)>,
}

impl State {
    /// The same for an uplink, whose hop is stored as the downlink.
    #[must_use]
    pub fn upwards(self) -> Self {
        Self { rain_db: [self.rain_db[1], None], ..self }
    }

    /// Whether only the time and the position of the satellite differ.
    pub fn continues(&self, before: &Self) -> bool {
        Self { from_s: before.from_s, sight: before.sight, ..*self } == *before
    }
}
