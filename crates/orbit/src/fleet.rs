// SPDX-License-Identifier: MIT OR Apache-2.0
//! Satellites whose elements are known, propagated by SGP4.
//!
//! WGS72 constants and the AFSPC sidereal time, in the improved mode: what the official verification vectors
//! (AIAA 2006-6753) were made with. SGP4's frame (TEME) is turned to Earth-fixed by Greenwich mean sidereal time of
//! 1982; polar motion (below 15 m) and UT1-UTC (below 0.9 s, that is 420 m at the equator for satellite and site
//! alike) are left out.

use crate::earth::{norm, turn};
use crate::{OrbitError, tle};
use sgp4::chrono::{DateTime, Duration, NaiveDateTime};
use sgp4::{Constants, Elements, MinutesSinceEpoch, Orbit, WGS72};
use std::f64::consts::PI;
use units::Time;

/// Satellites with their elements, and the moment at which the run starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Fleet {
    satellites: Vec<Member>,
    start: NaiveDateTime,
}

#[derive(Clone, Debug, PartialEq)]
struct Member {
    name: String,
    constants: Constants,
    /// Start of the run minus epoch of the elements, minutes.
    minutes_at_start: f64,
}

impl Fleet {
    /// From the text of a file of two-line element sets. The run starts at `start` (UTC, RFC 3339), or at the newest
    /// epoch of the file.
    ///
    /// # Errors
    /// [`OrbitError::TleSyntax`], [`OrbitError::TleChecksum`]; [`OrbitError::StartSyntax`];
    /// [`OrbitError::Propagation`] if SGP4 refuses a set.
    pub fn from_tle(text: &str, start: Option<&str>) -> Result<Self, OrbitError> {
        let sets = tle::parse(text)?;
        let newest = sets.iter().map(|set| set.datetime).max().unwrap_or_default();
        let start = match start {
            None => newest,
            Some(text) => DateTime::parse_from_rfc3339(text)
                .map_err(|_| OrbitError::StartSyntax { text: text.to_owned() })?
                .naive_utc(),
        };
        let satellites = sets.iter().map(|set| Member::new(set, start)).collect::<Result<_, _>>()?;
        Ok(Self { satellites, start })
    }

    /// How many satellites.
    pub fn len(&self) -> usize {
        self.satellites.len()
    }

    /// True of a fleet without satellites.
    pub fn is_empty(&self) -> bool {
        self.satellites.is_empty()
    }

    /// Name of a satellite: as in the file, or its catalogue number.
    pub fn name(&self, index: usize) -> &str {
        &self.satellites[index].name
    }

    /// Start of the run, UTC.
    pub fn start(&self) -> String {
        self.start.format("%Y-%m-%dT%H:%M:%S%.fZ").to_string()
    }

    /// Greenwich mean sidereal time at `at`, radians.
    pub(crate) fn sidereal_rad(&self, at: Time) -> f64 {
        let moment = self.start + Duration::nanoseconds(at.nanos().cast_signed());
        sgp4::iau_epoch_to_sidereal_time(sgp4::julian_years_since_j2000(&moment))
    }

    /// Earth-fixed position of satellite `index` when the sidereal time is `sidereal_rad`, metres.
    pub(crate) fn position(&self, index: usize, at: Time, sidereal_rad: f64) -> Result<[f64; 3], OrbitError> {
        let member = &self.satellites[index];
        let minutes = member.minutes_at_start + at.secs_f64() / 60.0;
        let fail = |why| OrbitError::Propagation { satellite: member.name.clone(), at, why };
        let state = member
            .constants
            .propagate(MinutesSinceEpoch(minutes))
            .map_err(|error| fail(error.to_string()))?;
        // Error 6 of the reference code, which the crate leaves to its caller.
        let radius_km = norm(state.position);
        if radius_km < WGS72.ae {
            return Err(fail(format!("it has decayed ({radius_km:.0} km from the centre of the Earth)")));
        }
        Ok(turn(state.position, sidereal_rad).map(|km| km * 1e3))
    }
}

impl Member {
    fn new(set: &Elements, start: NaiveDateTime) -> Result<Self, OrbitError> {
        let name = set.object_name.clone().unwrap_or_else(|| format!("NORAD {}", set.norad_id));
        let refuse = |why: String| OrbitError::Propagation { satellite: name.clone(), at: Time::ZERO, why };
        let constants = constants(set).map_err(refuse)?;
        let since_epoch = start - set.datetime;
        let minutes_at_start =
            since_epoch.num_seconds() as f64 / 60.0 + f64::from(since_epoch.subsec_nanos()) / 60e9;
        Ok(Self { name, constants, minutes_at_start })
    }
}

/// SGP4's constants of an element set: WGS72 and the AFSPC sidereal time (the crate's `from_elements` would take
/// WGS84, 39 m off at epoch and more later, for elements that were fitted with WGS72).
///
/// # Errors
/// SGP4's reason in words, if the elements are outside its domain.
pub fn constants(set: &Elements) -> Result<Constants, String> {
    let orbit = Orbit::from_kozai_elements(
        &WGS72,
        set.inclination.to_radians(),
        set.right_ascension.to_radians(),
        set.eccentricity,
        set.argument_of_perigee.to_radians(),
        set.mean_anomaly.to_radians(),
        // Revolutions per day to radians per minute: 2 pi / 1440.
        set.mean_motion * (PI / 720.0),
    )
    .map_err(|error| error.to_string())?;
    Constants::new(
        WGS72,
        sgp4::afspc_epoch_to_sidereal_time,
        set.epoch_afspc_compatibility_mode(),
        set.drag_term,
        orbit,
    )
    .map_err(|error| error.to_string())
}
