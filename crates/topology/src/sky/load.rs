// SPDX-License-Identifier: MIT OR Apache-2.0
//! The satellites of a sky: laid out, or read from files, and the moment at which they start.

use crate::TopologyError;
use crate::spec::{ConstellationSpec, Orbits, Shell, Slot};
use link::sight::DAY;
use orbit::{Fleet, FleetOptions, Format, OnBad, Satellites};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use units::{Span, input};

/// Slots counted from the start of the run, where those of the scenario follow the clock.
pub(super) fn of_run(slot: Slot, spec: &ConstellationSpec, shells: &[Satellites]) -> Slot {
    let dated =
        spec.shells.iter().zip(shells).find_map(|(shell, satellites)| match (&shell.orbits, satellites) {
            (Orbits::Catalogue { .. }, Satellites::Sgp4(fleet)) => Some(fleet),
            _ => None,
        });
    let Some(fleet) = dated else { return slot };
    let period = slot.period.nanos();
    let ahead = slot.phase.nanos() % period + period - fleet.past(slot.period).nanos();
    Slot { phase: Span::from_nanos(ahead % period), ..slot }
}

/// Time of day in UTC when the run begins, where satellites have a date: that of a catalogue first, which begins together.
pub(super) fn time_of_day(spec: &ConstellationSpec, shells: &[Satellites]) -> Option<Span> {
    let dated = |catalogue: bool| {
        spec.shells.iter().zip(shells).find_map(move |(shell, satellites)| {
            match (&shell.orbits, satellites) {
                (Orbits::Catalogue { .. }, Satellites::Sgp4(fleet)) if catalogue => Some(fleet.past(DAY)),
                (Orbits::Elements { .. }, Satellites::Sgp4(fleet)) if !catalogue => {
                    Some(Span::from_nanos((fleet.past(DAY) + spec.offset).nanos() % DAY.nanos()))
                }
                _ => None,
            }
        })
    };
    dated(true).or_else(|| dated(false))
}

/// Whether satellites of a shell may leave during the run.
pub(crate) fn may_leave(shell: &Shell) -> bool {
    matches!(shell.orbits, Orbits::Catalogue { skip_unusable: true, .. })
}

/// Where the run starts if there are several catalogues and nothing is said: at the newest epoch of all of them.
pub(super) fn common_start(spec: &ConstellationSpec) -> Result<Option<String>, TopologyError> {
    let mut newest = None;
    for shell in &spec.shells {
        if let Orbits::Catalogue { file, start: None, objects, .. } = &shell.orbits {
            let epoch = Fleet::newest_epoch(&read(file)?, Format::of(file), *objects)
                .map_err(|error| refused(shell, error))?;
            // RFC 3339 in UTC, to the nanosecond: in the order of time.
            newest = newest.max(Some(epoch));
        }
    }
    Ok(newest)
}

/// For each shell the catalogue numbers that it leaves to another one, whose set is nearer to the start; of two that are as
/// near the first shell has the satellite.
pub(super) fn elsewhere(
    spec: &ConstellationSpec,
    newest: Option<&str>,
) -> Result<Vec<BTreeSet<u64>>, TopologyError> {
    let is_catalogue = |shell: &&Shell| matches!(shell.orbits, Orbits::Catalogue { .. });
    let mut left = vec![BTreeSet::new(); spec.shells.len()];
    if spec.shells.iter().filter(is_catalogue).count() < 2 {
        return Ok(left);
    }
    let mut nearest: BTreeMap<u64, (i64, usize)> = BTreeMap::new();
    for (index, shell) in spec.shells.iter().enumerate() {
        let Orbits::Catalogue { file, start, .. } = &shell.orbits else { continue };
        let Some(start) = start.as_deref().or(newest) else { continue };
        let found =
            Fleet::distances(&read(file)?, Format::of(file), start).map_err(|error| refused(shell, error))?;
        // Number 0 is not a number.
        for (number, far) in found.into_iter().filter(|&(number, _)| number != 0) {
            let Some(&(known, holder)) = nearest.get(&number) else {
                nearest.insert(number, (far, index));
                continue;
            };
            let loser = if far < known { holder } else { index };
            left[loser].insert(number);
            if far < known {
                nearest.insert(number, (far, index));
            }
        }
    }
    Ok(left)
}

fn read(file: &Path) -> Result<String, TopologyError> {
    input::read(file, input::DATA)
        .map_err(|why| TopologyError::CatalogueUnreadable { file: file.to_owned(), why })
}

/// The satellites of a shell, and what a user should know of them. `elsewhere` has the catalogue numbers that other shells fly.
pub(super) fn satellites(
    spec: &ConstellationSpec,
    shell: &Shell,
    newest: Option<&str>,
    elsewhere: &BTreeSet<u64>,
    notes: &mut Vec<String>,
) -> Result<Satellites, TopologyError> {
    match &shell.orbits {
        Orbits::Walker(walker) => Ok(Satellites::Walker(walker.clone())),
        Orbits::Elements { walker, mean_motion, eccentricity, epoch } => {
            if newest.is_some() {
                notes.push(format!(
                    "{} begins at its own epoch, {epoch}, beside satellites of another time",
                    shell.name
                ));
            }
            Fleet::from_walker(walker, *mean_motion, *eccentricity, epoch)
                .map(Satellites::Sgp4)
                .map_err(|error| refused(shell, error))
        }
        Orbits::Catalogue { file, start, oldest, skip_unusable, objects } => {
            let options = FleetOptions {
                start: start.as_deref().or(newest),
                offset: spec.offset,
                max_age: *oldest,
                on_bad: if *skip_unusable { OnBad::Skip } else { OnBad::Refuse },
                objects: *objects,
                format: Format::of(file),
                elsewhere: Some(elsewhere),
            };
            let (fleet, found) =
                Fleet::from_catalogue(&read(file)?, options).map_err(|error| refused(shell, error))?;
            notes.extend(found.iter().map(|note| format!("{}: {note}", file.display())));
            Ok(Satellites::Sgp4(fleet))
        }
    }
}

pub(crate) fn refused(shell: &Shell, error: orbit::OrbitError) -> TopologyError {
    let place = match &shell.orbits {
        Orbits::Catalogue { file, .. } => file.display().to_string(),
        _ => shell.name.clone(),
    };
    TopologyError::Orbit { place, error }
}
