// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes the satellites.

use super::key::at;
use crate::ScenarioError;
use crate::check::Source;
use crate::format::{self, Constellation};
use crate::text::Q;
use orbit::earth::EQUATORIAL_RADIUS_M;
use orbit::{Objects, Walker, WalkerPattern};
use std::collections::BTreeMap;
use topology::{ConstellationSpec, Orbits, Shell};
use units::{Angle, Code};

/// Default eccentricity of a shell that SGP4 propagates: that of Hypatia.
const ECCENTRICITY: f64 = 1e-7;
const EPOCH: &str = "2000-01-01T00:00:00Z";
/// An altitude and a mean motion count as equal if they differ by less than this, in km. Two decimals of a mean motion
/// are 1.5 km.
const SAME_KM: f64 = 2.0;
/// Lowest allowed perigee of a shell in km, as for `altitude`.
const LOWEST_KM: f64 = 160.0;

/// Reads the satellites: those of the file, or else those of the preset.
pub fn shells(
    text: &mut Constellation,
    preset: Option<&ConstellationSpec>,
    name: &str,
    source: &Source<'_>,
) -> Result<Vec<Shell>, ScenarioError> {
    let has_catalogue =
        text.catalogue.is_some() || text.shells.iter().flatten().any(|shell| shell.catalogue.is_some());
    for (key, there) in [
        ("start", text.start.is_some()),
        ("oldest", text.oldest.is_some()),
        ("unusable", text.unusable.is_some()),
        ("objects", text.objects.is_some()),
    ] {
        if there && !has_catalogue {
            let message =
                format!("`{key}` is for constellations from a catalogue, but `catalogue` is missing");
            return Err(source
                .error(Code::ScenarioValue, &at(key), message)
                .fix(format!("remove `{key}`, or name a file in `catalogue`")));
        }
    }
    let start = text.start.take();
    let oldest = text.oldest.take().map(|q| q.0);
    let skip_unusable = matches!(text.unusable, Some(format::Unusable::Skip));
    let objects = match text.objects {
        Some(format::Objects::All) => Objects::All,
        Some(format::Objects::Satellites) | None => Objects::Satellites,
    };
    let catalogue = |file: String| Orbits::Catalogue {
        file: source.file(&file),
        start: start.clone(),
        oldest,
        skip_unusable,
        objects,
    };
    let preset = preset.filter(|preset| !preset.shells.is_empty());
    match (preset, text.walker.take(), text.catalogue.take(), text.shells.take()) {
        (Some(preset), ..) => Ok(preset.shells.clone()),
        (_, Some(shell), ..) => {
            Ok(vec![Shell { name: name.to_owned(), orbits: orbits(&shell, source, &at("walker"))? }])
        }
        (_, _, Some(file), _) => Ok(vec![Shell { name: name.to_owned(), orbits: catalogue(file) }]),
        (.., Some(shells)) if !shells.is_empty() => {
            let mut read: Vec<Shell> = Vec::new();
            for (index, shell) in shells.into_iter().enumerate() {
                let orbits = match (shell.walker, shell.catalogue) {
                    (Some(walker), _) => orbits(&walker, source, &at(&format!("shells[{index}].walker")))?,
                    (None, Some(file)) => catalogue(file),
                    (None, None) => unreachable!("the format requires `walker` or `catalogue`"),
                };
                let name = shell.name.unwrap_or_else(|| format!("{name} {}", index + 1));
                if read.iter().any(|known| known.name == name) {
                    let message = format!(
                        "two shells are named \"{name}\", so their satellites would have the same names"
                    );
                    return Err(source
                        .error(Code::ScenarioValue, &at(&format!("shells[{index}].name")), message)
                        .fix("give each shell its own name"));
                }
                read.push(Shell { name, orbits });
            }
            Ok(read)
        }
        (None, ..) => {
            let message = "a constellation needs satellites";
            Err(source
                .error(Code::ScenarioMissingKey, &at("preset"), message)
                .fix("write preset = \"iridium\", walker = { … }, catalogue = \"file\" or shells = [ … ]"))
        }
    }
}

/// Reads a shell. `path` is the path of its table. Mean motion and altitude determine each other, so a text in which
/// they contradict each other is refused.
fn orbits(text: &format::Walker, source: &Source<'_>, path: &str) -> Result<Orbits, ScenarioError> {
    let fault = |key: &str, message: String, fix: String| {
        Err(source.error(Code::ScenarioValue, &format!("{path}.{key}"), message).fix(&fix))
    };
    let altitude = match (text.altitude, text.mean_motion) {
        (Some(altitude), None) => altitude.0,
        (None, None) => {
            let error = source.error(
                Code::ScenarioMissingKey,
                path,
                "a Walker shell needs the altitude of its satellites".to_owned(),
            );
            return Err(error.fix("write altitude = \"550 km\", or mean_motion = 15.05"));
        }
        (altitude, Some(motion)) => {
            let flown = Walker::altitude_of(motion);
            if let Some(Q(said)) = altitude.filter(|said| (said.0.km() - flown.km()).abs() > SAME_KM) {
                let message = format!(
                    "`altitude` contradicts `mean_motion`: at {motion} revolutions per day the altitude is {:.1} km, \
                    and `altitude` is {:.1} km",
                    flown.km(),
                    said.km()
                );
                return fault("altitude", message, "remove one of the two keys".to_owned());
            }
            let perigee_km = Walker::axis_m(motion) / 1e3 * (1.0 - text.eccentricity.unwrap_or(ECCENTRICITY))
                - EQUATORIAL_RADIUS_M / 1e3;
            if perigee_km < LOWEST_KM {
                let message = format!(
                    "a shell of {motion} revolutions per day is inside the atmosphere: its perigee is \
                     {perigee_km:.0} km high, but the perigee must be at least {LOWEST_KM} km high"
                );
                let circle_km = Walker::axis_m(motion) / 1e3 - EQUATORIAL_RADIUS_M / 1e3;
                let (key, fix) = if circle_km < LOWEST_KM {
                    ("mean_motion", "write mean_motion = 15.05 (550 km)".to_owned())
                } else {
                    let most = (circle_km - LOWEST_KM) / (circle_km + EQUATORIAL_RADIUS_M / 1e3);
                    let most = (most * 1e4).floor() / 1e4;
                    (
                        "eccentricity",
                        format!("write an eccentricity of {most} or less, or a lower mean_motion"),
                    )
                };
                return fault(key, message, fix);
            }
            flown
        }
    };
    let walker = Walker {
        planes: text.planes,
        per_plane: text.per_plane,
        altitude,
        inclination: text.inclination.0,
        pattern: text
            .spacing
            .map_or(WalkerPattern::Delta, |spacing| WalkerPattern::Star { spacing: spacing.0 }),
        first_node: text.first_node.map_or(Angle::from_deg(0.0), |q| q.0),
        phase: text.phase.map_or(Angle::from_deg(0.0), |q| q.0),
        alternate_half_slot: text.alternate_half_slot.unwrap_or(false),
    };
    if let (true, Some(phase)) = (walker.alternate_half_slot, text.phase.filter(|phase| phase.0.deg() != 0.0))
    {
        let message = format!(
            "alternate_half_slot = true and phase = \"{}\" both define the phase between planes",
            phase.0
        );
        return fault("phase", message, "remove `alternate_half_slot` or `phase`".to_owned());
    }
    if let Some((one, other)) = coincide(&walker) {
        let message = format!("satellites of the planes {one} and {other} are at the same positions");
        let key = if text.spacing.is_some() { "spacing" } else { "phase" };
        return fault(key, message, "write another `spacing` or `phase`".to_owned());
    }
    let Some(mean_motion) = text.mean_motion else {
        return Ok(Orbits::Walker(walker));
    };
    Ok(Orbits::Elements {
        walker,
        mean_motion,
        eccentricity: text.eccentricity.unwrap_or(ECCENTRICITY),
        epoch: text.epoch.clone().unwrap_or_else(|| EPOCH.to_owned()),
    })
}

/// Writes the satellites, and the settings of a catalogue.
pub fn write_shells(shells: &[Shell], text: &mut Constellation) {
    text.shells = Some(shells.iter().map(write_shell).collect());
    for shell in shells {
        if let Orbits::Catalogue { start, oldest, skip_unusable, objects, .. } = &shell.orbits {
            text.objects = Some(match objects {
                Objects::Satellites => format::Objects::Satellites,
                Objects::All => format::Objects::All,
            });
            text.start.clone_from(start);
            text.oldest = oldest.map(Q);
            text.unusable =
                Some(if *skip_unusable { format::Unusable::Skip } else { format::Unusable::Refuse });
        }
    }
}

fn write_shell(shell: &Shell) -> format::Shell {
    let (walker, catalogue) = match &shell.orbits {
        Orbits::Walker(walker) => (Some(write_walker(walker)), None),
        Orbits::Elements { walker, mean_motion, eccentricity, epoch } => {
            let walker = format::Walker {
                altitude: None,
                mean_motion: Some(*mean_motion),
                eccentricity: Some(*eccentricity),
                epoch: Some(epoch.clone()),
                ..write_walker(walker)
            };
            (Some(walker), None)
        }
        Orbits::Catalogue { file, .. } => (None, Some(file.to_string_lossy().into_owned())),
    };
    format::Shell { name: Some(shell.name.clone()), walker, catalogue }
}

/// Returns two planes (counted from 1) with the same node and the same slots.
fn coincide(walker: &Walker) -> Option<(u32, u32)> {
    // Rounds to a billionth of a turn.
    let round = |turns: f64| (turns.rem_euclid(1.0) * 1e9).round() as u64 % 1_000_000_000;
    let mut known = BTreeMap::new();
    (0..walker.planes).find_map(|plane| {
        let node = round(walker.ascending_node(plane).deg() / 360.0);
        let slots = round(walker.argument_of_latitude(plane, 0).deg() / 360.0 * f64::from(walker.per_plane));
        known.insert((node, slots), plane).map(|other| (other + 1, plane + 1))
    })
}

fn write_walker(walker: &Walker) -> format::Walker {
    format::Walker {
        planes: walker.planes,
        per_plane: walker.per_plane,
        altitude: Some(Q(walker.altitude)),
        inclination: Q(walker.inclination),
        spacing: match walker.pattern {
            WalkerPattern::Delta => None,
            WalkerPattern::Star { spacing } => Some(Q(spacing)),
        },
        first_node: Some(Q(walker.first_node)),
        phase: Some(Q(walker.phase)),
        alternate_half_slot: Some(walker.alternate_half_slot),
        mean_motion: None,
        eccentricity: None,
        epoch: None,
    }
}
