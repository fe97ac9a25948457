// SPDX-License-Identifier: MIT OR Apache-2.0
//! The input of a link budget.

use crate::gas::Air;
use crate::rain::Path;
use crate::scintillation::Scintillation;
use crate::{Acm, Ladder, Marginal, Rung, frames};
use units::Rate;

/// A carrier from a station to a station over a transparent satellite, or one hop of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Budget {
    /// Hop to the satellite; `None`: only the downlink counts.
    pub up: Option<Hop>,
    /// Hop from the satellite.
    pub down: Hop,
    /// Bandwidth of the carrier.
    pub bandwidth_hz: f64,
    /// Roll-off of its filter: the symbol rate is the bandwidth over (1 + roll-off).
    pub roll_off: f64,
    /// The modem's modulations and codes.
    pub ladder: Ladder,
    /// Its adaptive coding and modulation.
    pub acm: Acm,
}

/// The hop between a station and a satellite, in one direction.
#[derive(Clone, Debug, PartialEq)]
pub struct Hop {
    /// Frequency.
    pub frequency_ghz: f64,
    /// Power of the transmitter with the gain of its antenna.
    pub eirp_dbw: f64,
    /// Gain of the receiving antenna over its noise temperature, in clear sky.
    pub g_over_t_db_k: f64,
    /// Elevation of the satellite at the station.
    pub elevation_deg: f64,
    /// Distance between the two.
    pub range_km: f64,
    /// Losses by pointing, polarisation and feed.
    pub losses_db: f64,
    /// Carrier over interference: other beams, other satellites, intermodulation.
    pub c_over_i_db: Option<f64>,
    /// Noise temperature of a receiving station in clear sky; without it rain adds no noise.
    pub noise_k: Option<f64>,
    /// Diameter of the station's antenna; scintillation needs it.
    pub antenna_m: Option<f64>,
    /// Latitude of the station.
    pub latitude_deg: f64,
    /// Height of the station above the sea.
    pub station_km: f64,
    /// The atmosphere at the station.
    pub sky: Sky,
    /// Its rain.
    pub rain: Option<Rain>,
}

/// Weather of a station, except rain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sky {
    /// Pressure, temperature, vapour.
    pub air: Air,
    /// Water in the clouds above a square metre.
    pub cloud_kg_m2: f64,
    /// Wet term of the radio refractivity.
    pub wet_refractivity: f64,
}

/// Rain of a station.
#[derive(Clone, Debug, PartialEq)]
pub struct Rain {
    /// Rate exceeded for 0.01 % of an average year.
    pub rate_001_mm_h: f64,
    /// Height of the rain above the sea.
    pub height_km: f64,
    /// Tilt of the polarisation against the horizontal.
    pub tilt_deg: f64,
    /// Fraction of the year in which it rains.
    pub probability: f64,
    /// Attenuation at the start of a run; `None`: drawn, as for any time.
    pub start_db: Option<f64>,
    /// Hops with the same name are in the same rain.
    pub cell: String,
}

/// The word for frames that a decoder cannot correct.
const FRAME_ERRORS: &str = "frame errors";
/// Efficiency of antennas where it only matters for scintillation.
const EFFICIENCY: f64 = 0.65;

impl Budget {
    /// Symbols per second.
    pub fn symbols_per_s(&self) -> f64 {
        self.bandwidth_hz / (1.0 + self.roll_off)
    }

    /// The rate on the highest rung of its ladder.
    pub fn highest(&self) -> Option<Rate> {
        self.ladder.rungs().last().map(|rung| rung.rate(self.symbols_per_s()))
    }

    /// The rate in clear sky; zero if no rung is possible even then.
    pub fn clear_rate(&self) -> Rate {
        match self.chain(None).rung {
            Rung::Holds { rate, .. } => rate,
            Rung::Outage { .. } => Rate::default(),
        }
    }

    /// What a run over it draws, in words; `None`: nothing. The satellite does not move.
    pub fn draws(&self) -> Option<&'static str> {
        let Self { up, down, bandwidth_hz: _, roll_off: _, ladder: _, acm: _ } = self;
        if up.iter().chain([down]).any(|hop| hop.marginal().is_some()) {
            return Some("rain");
        }
        match self.chain(None).rung {
            Rung::Holds { modcod: _, above_db, rate: _ } => {
                frames::may_be_lost(above_db).then_some(FRAME_ERRORS)
            }
            Rung::Outage { missing_db: _ } => None,
        }
    }

    /// The same for a budget whose satellite moves: frames are lost at random while the modem is late.
    pub fn draws_in_passes(&self) -> &'static str {
        let Self { up, down, bandwidth_hz: _, roll_off: _, ladder: _, acm: _ } = self;
        let rains = up.iter().chain([down]).any(|hop| hop.rain.is_some());
        if rains { "rain" } else { FRAME_ERRORS }
    }

    /// The hops in the order of travel, with their names.
    pub fn hops(&self) -> impl Iterator<Item = (&'static str, &Hop)> {
        self.up.iter().map(|up| ("up", up)).chain([("down", &self.down)])
    }
}

impl Hop {
    /// The hop's path through the rain.
    pub fn rain_path(&self) -> Option<Path> {
        self.rain.as_ref().map(|rain| Path {
            frequency_ghz: self.frequency_ghz,
            elevation_deg: self.elevation_deg,
            tilt_deg: rain.tilt_deg,
            latitude_deg: self.latitude_deg,
            station_km: self.station_km,
            rain_km: rain.height_km,
            rate_001_mm_h: rain.rate_001_mm_h,
        })
    }

    /// The distribution of its rain attenuation at any one time.
    pub fn marginal(&self) -> Option<Marginal> {
        Marginal::fit(&self.rain_path()?, self.rain.as_ref()?.probability)
    }

    /// Its scintillation.
    pub(crate) fn scintillation(&self) -> Option<Scintillation> {
        self.antenna_m.map(|antenna_m| Scintillation {
            frequency_ghz: self.frequency_ghz,
            elevation_deg: self.elevation_deg,
            wet_refractivity: self.sky.wet_refractivity,
            antenna_m,
            efficiency: EFFICIENCY,
        })
    }
}
