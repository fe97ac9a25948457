// SPDX-License-Identifier: MIT OR Apache-2.0
//! The input of a link budget.

use crate::gas::Air;
use crate::rain::Path;
use crate::scintillation::Scintillation;
use crate::{Acm, Ladder, Marginal, Rung, frames};
use units::Rate;

/// Link budget of a carrier from one station to another over a transparent satellite, or over a single hop.
#[derive(Clone, Debug, PartialEq)]
pub struct Budget {
    /// Hop to the satellite. With `None`, the budget consists only of the downlink.
    pub up: Option<Hop>,
    /// Hop from the satellite.
    pub down: Hop,
    /// Bandwidth of the carrier, in Hz.
    pub bandwidth_hz: f64,
    /// Roll-off of the carrier's filter. The symbol rate is the bandwidth divided by (1 + roll-off).
    pub roll_off: f64,
    /// The set of modulations and codes of the modem.
    pub ladder: Ladder,
    /// Adaptive coding and modulation of the modem.
    pub acm: Acm,
}

/// A hop between a station and a satellite, in one direction.
#[derive(Clone, Debug, PartialEq)]
pub struct Hop {
    /// Frequency, in GHz.
    pub frequency_ghz: f64,
    /// EIRP: power of the transmitter plus gain of its antenna, in dBW.
    pub eirp_dbw: f64,
    /// G/T: ratio of the receiving antenna's gain to its noise temperature in clear sky, in dB/K.
    pub g_over_t_db_k: f64,
    /// Elevation of the satellite at the station, in degrees.
    pub elevation_deg: f64,
    /// Distance between station and satellite, in km.
    pub range_km: f64,
    /// Losses caused by pointing, polarisation and feed, in dB.
    pub losses_db: f64,
    /// Ratio of carrier to interference, in dB. The interference comes from other beams, other satellites and
    /// intermodulation.
    pub c_over_i_db: Option<f64>,
    /// Noise temperature of the receiving station in clear sky, in K. With `None`, rain adds no noise.
    pub noise_k: Option<f64>,
    /// Diameter of the station's antenna, in metres. With `None`, scintillation is not computed.
    pub antenna_m: Option<f64>,
    /// Latitude of the station, in degrees.
    pub latitude_deg: f64,
    /// Height of the station above sea level, in km.
    pub station_km: f64,
    /// Atmosphere at the station.
    pub sky: Sky,
    /// Rain at the station, if the budget has rain.
    pub rain: Option<Rain>,
}

/// Weather at a station, except rain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sky {
    /// Pressure, temperature and water vapour of the air.
    pub air: Air,
    /// Liquid water in the clouds above one square metre, in kg/m2.
    pub cloud_kg_m2: f64,
    /// Wet term of the radio refractivity.
    pub wet_refractivity: f64,
}

/// Rain at a station.
#[derive(Clone, Debug, PartialEq)]
pub struct Rain {
    /// Rain rate that is exceeded for 0.01 % of an average year, in mm/h.
    pub rate_001_mm_h: f64,
    /// Rain height above sea level, in km.
    pub height_km: f64,
    /// Angle between the polarisation and the horizontal, in degrees.
    pub tilt_deg: f64,
    /// Fraction of the year in which it rains.
    pub probability: f64,
    /// Attenuation at the start of a run, in dB. With `None`, it is drawn from its distribution.
    pub start_db: Option<f64>,
    /// Name of the weather cell. Hops with the same cell have the same rain.
    pub cell: String,
}

/// Name of the decoder's random frame losses in lists of random draws.
const FRAME_ERRORS: &str = "frame errors";
/// Antenna efficiency for the computation of scintillation.
const EFFICIENCY: f64 = 0.65;

impl Budget {
    /// Returns the symbol rate, in symbols per second.
    pub fn symbols_per_s(&self) -> f64 {
        self.bandwidth_hz / (1.0 + self.roll_off)
    }

    /// Returns the rate on the highest rung of the ladder.
    pub fn highest(&self) -> Option<Rate> {
        self.ladder.rungs().last().map(|rung| rung.rate(self.symbols_per_s()))
    }

    /// Returns the rate in clear sky, or zero if no rung is possible in clear sky.
    pub fn clear_rate(&self) -> Rate {
        match self.chain(None).rung {
            Rung::Holds { rate, .. } => rate,
            Rung::Outage { .. } => Rate::default(),
        }
    }

    /// Describes in words the random numbers that a run over this budget draws. The result is `None` if nothing is
    /// drawn. The satellite is assumed not to move.
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

    /// Like [`Self::draws`], for a budget whose satellite moves. Frame errors are then always possible, because frames
    /// are lost at random until the modem has reacted.
    pub fn draws_in_passes(&self) -> &'static str {
        let Self { up, down, bandwidth_hz: _, roll_off: _, ladder: _, acm: _ } = self;
        let rains = up.iter().chain([down]).any(|hop| hop.rain.is_some());
        if rains { "rain" } else { FRAME_ERRORS }
    }

    /// Returns the hops in the order in which the signal passes them, with their names.
    pub fn hops(&self) -> impl Iterator<Item = (&'static str, &Hop)> {
        self.up.iter().map(|up| ("up", up)).chain([("down", &self.down)])
    }
}

impl Hop {
    /// Returns the path of the hop through the rain, or `None` without rain.
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

    /// Returns the distribution of the hop's rain attenuation at a single time.
    pub fn marginal(&self) -> Option<Marginal> {
        Marginal::fit(&self.rain_path()?, self.rain.as_ref()?.probability)
    }

    /// Returns the inputs of the hop's scintillation, or `None` if no antenna diameter is given.
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
