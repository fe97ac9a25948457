// SPDX-License-Identifier: MIT OR Apache-2.0
//! Properties of a constellation that do not depend on time: the shells and, for each shell, extreme values for a
//! satellite seen from the ground (largest range, longest pass, largest range rate).

use crate::TopologyError;
use crate::sky::{Sky, refused};
use crate::spec::{ConstellationSpec, Orbits, Visibility};
use orbit::earth::{EQUATORIAL_RADIUS_M, ROTATION_RAD_S};
use orbit::{Satellites, Walker};
use std::f64::consts::TAU;
use units::{Angle, Distance, Span, Time};

/// Properties of a constellation.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// Number of satellites, including satellites that are not in a plane.
    pub satellites: u32,
    /// The shells. For a catalogue, these are the shells that were found, the largest first.
    pub shells: Vec<ShellFacts>,
    /// Start of the run (UTC): the start of the first shell whose elements have a date. `None` if no shell has a date.
    pub start: Option<String>,
    /// Notes for the user about the satellites.
    pub notes: Vec<String>,
}

/// Properties of a shell. Distances, times and speeds are computed for a circular orbit over a spherical Earth.
#[derive(Clone, Debug, PartialEq)]
pub struct ShellFacts {
    /// Name of the shell.
    pub name: String,
    /// Number of satellites.
    pub satellites: u32,
    /// Number of planes.
    pub planes: u32,
    /// Height above the equatorial radius.
    pub altitude: Distance,
    /// Inclination.
    pub inclination: Angle,
    /// Period of a revolution.
    pub period: Span,
    /// Range of a satellite at the lowest usable elevation.
    pub slant_range: Distance,
    /// Largest rate of change of the range, in m/s.
    pub range_rate_m_s: f64,
    /// Duration of a pass through the zenith; `None` if the satellite is always in view.
    pub pass: Option<Span>,
}

/// Returns notes for the user about the satellites of `spec`, as they are at the end of a run of this length.
///
/// # Errors
/// The errors of the constellation: see [`crate::constellation::build`].
pub fn notes_at_end(spec: &ConstellationSpec, length: Span) -> Result<Vec<String>, TopologyError> {
    if !orbit::Fleet::ends_later(length) {
        // The catalogue is read only if it is needed.
        return Ok(Vec::new());
    }
    Sky::new(spec, &[]).map(|sky| sky.notes_at_end(length))
}

/// Returns the properties of `spec`.
///
/// # Errors
/// The errors of the constellation: see [`crate::constellation::build`].
pub fn facts(spec: &ConstellationSpec) -> Result<Facts, TopologyError> {
    let sky = Sky::new(spec, &[])?;
    let (mut shells, mut start): (Vec<ShellFacts>, _) = (Vec::new(), None);
    for (shell, satellites) in spec.shells.iter().zip(&sky.shells) {
        if let Satellites::Sgp4(fleet) = satellites {
            let is_elements = matches!(shell.orbits, Orbits::Elements { .. });
            start.get_or_insert_with(|| fleet.date(if is_elements { spec.offset } else { Span::ZERO }));
        }
        match (&shell.orbits, satellites) {
            (Orbits::Catalogue { .. }, Satellites::Sgp4(fleet)) => {
                let planes = orbit::planes::find(fleet, Time::ZERO).map_err(|error| refused(shell, error))?;
                let first = shells.len();
                for planes in crate::planes::shells(planes) {
                    let (altitude, inclination) = (planes[0].altitude, planes[0].inclination);
                    let name = format!("{:.0} km {:.1} deg", altitude.km(), inclination.deg());
                    let members = planes.iter().map(|plane| plane.members.len()).sum::<usize>();
                    let like = Walker::delta(planes.len() as u32, 1, altitude, inclination);
                    shells.push(ShellFacts {
                        satellites: members as u32,
                        ..shell_facts(&name, &like, spec.visibility)
                    });
                }
                shells[first..].sort_by_key(|shell| std::cmp::Reverse(shell.satellites));
            }
            (Orbits::Walker(walker) | Orbits::Elements { walker, .. }, _) => {
                shells.push(shell_facts(&shell.name, walker, spec.visibility));
            }
            (Orbits::Catalogue { .. }, Satellites::Walker(_)) => {
                unreachable!("a catalogue is propagated by SGP4")
            }
        }
    }
    Ok(Facts { satellites: sky.satellites(), shells, start, notes: sky.notes })
}

fn shell_facts(name: &str, walker: &Walker, visibility: Visibility) -> ShellFacts {
    let (ground_m, radius_m) = (EQUATORIAL_RADIUS_M, walker.radius_m());
    // The site, the satellite and the centre of the Earth form a triangle. A pass spans twice the angle at the centre.
    let (elevation, range_m) = match visibility {
        Visibility::Elevation(least) => {
            let sine = least.rad().sin();
            // Law of cosines with the angle at the site, solved for the range.
            let root = (ground_m * sine).powi(2) + radius_m.powi(2) - ground_m.powi(2);
            (least.rad(), root.sqrt() - ground_m * sine)
        }
        Visibility::Range(most) => {
            let range_m = most.m().max(walker.altitude.m());
            let sine = (radius_m.powi(2) - ground_m.powi(2) - range_m.powi(2)) / (2.0 * ground_m * range_m);
            (sine.clamp(-1.0, 1.0).asin(), range_m)
        }
    };
    let half = (ground_m * elevation.cos() / radius_m).clamp(-1.0, 1.0).acos() - elevation;
    // Angular rate relative to the rotating Earth, at the equator. The component of the Earth's rotation along the
    // track is w cos i.
    let rate_rad_s = TAU / walker.period().secs_f64() - ROTATION_RAD_S * walker.inclination.rad().cos();
    // A geostationary satellite turns with the Earth, except for rounding errors. A satellite counts as still if a
    // revolution relative to the Earth takes longer than a year.
    let is_still = rate_rad_s.abs() < TAU / 31_557_600.0;
    ShellFacts {
        name: name.to_owned(),
        satellites: walker.len() as u32,
        planes: walker.planes,
        altitude: walker.altitude,
        inclination: walker.inclination,
        period: walker.period(),
        slant_range: Distance::from_m(range_m),
        // R/(R+h) cos e v at elevation e, where v = (R+h) w is the speed relative to the rotating Earth.
        range_rate_m_s: ground_m * elevation.cos() * rate_rad_s.abs(),
        pass: (!is_still).then(|| Span::from_secs_f64(2.0 * half / rate_rad_s.abs())),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn shells_are_seen_as_far_as_long_and_as_fast_as_computed_elsewhere() {
        // Slant range in km, longest pass in minutes with its rounding error, and range rate in km/s. Another program
        // computed these values for circular orbits; they are rounded as shown. `None`: that program gives no value.
        let cases = [
            ("starlink-550", Some(1123.0), Some((4.7, 0.05)), 6.08),
            ("kuiper", Some(1013.0), None, 5.39),
            ("oneweb", Some(2762.0), Some((12.6, 0.05)), 5.88),
            ("telesat", Some(2792.0), None, 6.31),
            ("iridium", Some(2465.0), Some((11.2, 0.05)), 6.55),
            ("o3b", Some(12_411.0), Some((118.0, 0.5)), 1.85),
        ];
        for (name, slant_km, pass_min, rate_km_s) in cases {
            let facts = facts(&crate::presets::find(name).unwrap()).unwrap();
            let shell = &facts.shells[0];
            if let Some(slant_km) = slant_km {
                assert!((shell.slant_range.km() - slant_km).abs() <= 0.5, "{name}: {}", shell.slant_range);
            }
            if let Some((pass_min, rounding)) = pass_min {
                let minutes = shell.pass.unwrap().secs_f64() / 60.0;
                assert!((minutes - pass_min).abs() <= rounding, "{name}: {minutes}");
            }
            let km_s = shell.range_rate_m_s / 1e3;
            assert!((km_s - rate_km_s).abs() <= 0.005, "{name}: {km_s}");
        }
    }

    #[test]
    fn what_stands_still_never_sets() {
        let facts = facts(&crate::presets::find("geo").unwrap()).unwrap();
        assert_eq!((facts.satellites, facts.shells[0].pass), (9, None));
    }
}
