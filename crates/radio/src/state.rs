// SPDX-License-Identifier: MIT OR Apache-2.0
//! How a link with a budget stands in the weather.

use crate::Modcod;
use units::Rate;

/// The state of a link from a time on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// From when, in seconds.
    pub from_s: f64,
    /// Rain attenuation on the way up and on the way down; `None`: the budget has no such hop.
    pub rain_db: [Option<f64>; 2],
    /// What the rain takes of Es/N0, its noise included: the difference to a clear sky with the satellite at the same place.
    pub fade_db: f64,
    /// Es/N0 at the receiver.
    pub es_n0_db: f64,
    /// What is sent; `None`: nothing, no rung holds.
    pub modcod: Option<Modcod>,
    /// How fast data flows; zero: nothing is sent.
    pub rate: Rate,
    /// What Es/N0 lacks to the lowest rung with its margin; below zero: that holds.
    pub missing_db: f64,
    /// Elevation in degrees and distance in km of a satellite that moves; `None`: the budget says where it stands.
    pub stands: Option<(f64, f64)>,
}

impl State {
    /// The same where the hop that stands as the way down leads up.
    #[must_use]
    pub fn upwards(self) -> Self {
        Self { rain_db: [self.rain_db[1], None], ..self }
    }

    /// Whether nothing but the time, and where the satellite stands, is another.
    pub fn goes_on(&self, before: &Self) -> bool {
        Self { from_s: before.from_s, stands: before.stands, ..*self } == *before
    }
}
