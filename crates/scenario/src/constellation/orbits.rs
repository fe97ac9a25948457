// SPDX-License-Identifier: MIT OR Apache-2.0
//! The satellites, read and written.

use super::key::at;
use crate::ScenarioError;
use crate::check::Source;
use crate::format::{self, Constellation};
use crate::text::Q;
use orbit::{Walker, WalkerPattern};
use topology::{ConstellationSpec, Orbits, Shell};
use units::{Angle, Code};

/// Eccentricity and epoch of a shell propagated by SGP4 where the file does not say: Hypatia's.
const ECCENTRICITY: f64 = 1e-7;
const EPOCH: &str = "2000-01-01T00:00:00Z";

/// The satellites: those of the preset, or what the file says.
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
    ] {
        if there && !has_catalogue {
            let message = format!("`{key}` belongs to a catalogue");
            return Err(source
                .error(Code::ScenarioValue, &at(key), message)
                .fix("remove it, or name a file in `catalogue`"));
        }
    }
    let start = text.start.take();
    let oldest = text.oldest.take().map(|q| q.0);
    let skip_unusable = matches!(text.unusable, Some(format::Unusable::Skip));
    let catalogue = |file: String| Orbits::Catalogue {
        file: source.file(&file),
        start: start.clone(),
        oldest,
        skip_unusable,
    };
    let preset = preset.filter(|preset| !preset.shells.is_empty());
    match (preset, text.walker.take(), text.catalogue.take(), text.shells.take()) {
        (Some(preset), ..) => Ok(preset.shells.clone()),
        (_, Some(shell), ..) => Ok(vec![Shell { name: name.to_owned(), orbits: orbits(&shell) }]),
        (_, _, Some(file), _) => Ok(vec![Shell { name: name.to_owned(), orbits: catalogue(file) }]),
        (.., Some(shells)) if !shells.is_empty() => {
            let mut read = Vec::new();
            for (index, shell) in shells.into_iter().enumerate() {
                let orbits = match (shell.walker, shell.catalogue) {
                    (Some(walker), _) => orbits(&walker),
                    (None, Some(file)) => catalogue(file),
                    (None, None) => unreachable!("the format needs one of them"),
                };
                let name = shell.name.unwrap_or_else(|| format!("{name} {}", index + 1));
                read.push(Shell { name, orbits });
            }
            Ok(read)
        }
        (None, ..) => {
            let message = "a constellation needs its satellites";
            Err(source
                .error(Code::ScenarioMissingKey, &at("preset"), message)
                .fix("write preset = \"iridium\", walker = { … }, catalogue = \"file\" or shells = [ … ]"))
        }
    }
}

fn orbits(text: &format::Walker) -> Orbits {
    let walker = Walker {
        planes: text.planes,
        per_plane: text.per_plane,
        altitude: text.altitude.0,
        inclination: text.inclination.0,
        pattern: text
            .spacing
            .map_or(WalkerPattern::Delta, |spacing| WalkerPattern::Star { spacing: spacing.0 }),
        first_node: text.first_node.map_or(Angle::from_deg(0.0), |q| q.0),
        phase: text.phase.map_or(Angle::from_deg(0.0), |q| q.0),
        alternate_half_slot: text.alternate_half_slot.unwrap_or(false),
    };
    let Some(mean_motion) = text.mean_motion else {
        return Orbits::Walker(walker);
    };
    Orbits::Elements {
        walker,
        mean_motion,
        eccentricity: text.eccentricity.unwrap_or(ECCENTRICITY),
        epoch: text.epoch.clone().unwrap_or_else(|| EPOCH.to_owned()),
    }
}

/// Writes the satellites, and what a catalogue has of its own.
pub fn write_shells(shells: &[Shell], text: &mut Constellation) {
    text.shells = Some(shells.iter().map(write_shell).collect());
    for shell in shells {
        if let Orbits::Catalogue { start, oldest, skip_unusable, .. } = &shell.orbits {
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

fn write_walker(walker: &Walker) -> format::Walker {
    format::Walker {
        planes: walker.planes,
        per_plane: walker.per_plane,
        altitude: Q(walker.altitude),
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
