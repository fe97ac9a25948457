// SPDX-License-Identifier: MIT OR Apache-2.0
//! The satellites of a constellation, from formulas or from files, and their start time.

use crate::TopologyError;
use crate::spec::{ConstellationSpec, Orbits, Shell, Slot};
use link::sight::DAY;
use orbit::{Catalogue, Fleet, FleetOptions, Format, OnBad, Satellites};
use std::collections::{BTreeMap, BTreeSet};
use units::{Span, input};

/// Returns the slots relative to the start of the run. If the satellites have a date, the slots of the scenario follow
/// UTC.
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

/// Returns the time of day in UTC at the start of the run, if satellites have a date. The date of a catalogue has
/// precedence over other dates.
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

/// Returns whether satellites of a shell may leave during the run.
pub(crate) fn may_leave(shell: &Shell) -> bool {
    matches!(shell.orbits, Orbits::Catalogue { skip_unusable: true, .. })
}

/// The catalogues of a constellation's shells, each read once, and data derived from all catalogues.
pub(super) struct Catalogues {
    /// For each shell, its catalogue, if it has one.
    of_shells: Vec<Option<Catalogue>>,
    /// Default start of the run: the newest epoch of all catalogues.
    newest: Option<String>,
    /// For each shell, the catalogue numbers of satellites that another shell also has, with an epoch nearer to the
    /// start. The shell leaves out these satellites. If both epochs are equally near, the first shell has the
    /// satellite.
    elsewhere: Vec<BTreeSet<u64>>,
}

impl Catalogues {
    /// Reads the catalogues of a constellation.
    pub(super) fn read(spec: &ConstellationSpec) -> Result<Self, TopologyError> {
        let of_shell = |shell: &Shell| {
            let Orbits::Catalogue { file, .. } = &shell.orbits else { return Ok(None) };
            let text = input::read(file, input::DATA)
                .map_err(|why| TopologyError::CatalogueUnreadable { file: file.clone(), why })?;
            Catalogue::read_as(&text, Format::of(file)).map(Some).map_err(|error| refused(shell, error))
        };
        let of_shells = spec.shells.iter().map(of_shell).collect::<Result<Vec<_>, _>>()?;
        let epoch = |(shell, catalogue): (&Shell, &Option<Catalogue>)| match &shell.orbits {
            Orbits::Catalogue { start: None, objects, .. } => {
                Some(catalogue.as_ref()?.newest_epoch(*objects))
            }
            _ => None,
        };
        // Start times are in RFC 3339, in UTC, to the nanosecond. Therefore the order of the texts is the order of
        // time.
        let newest = spec.shells.iter().zip(&of_shells).filter_map(epoch).max();
        let elsewhere = vec![BTreeSet::new(); of_shells.len()];
        let mut catalogues = Self { of_shells, newest, elsewhere };
        if catalogues.of_shells.iter().flatten().count() > 1 {
            catalogues.share(spec)?;
        }
        Ok(catalogues)
    }

    /// Assigns each satellite to one shell.
    fn share(&mut self, spec: &ConstellationSpec) -> Result<(), TopologyError> {
        let mut nearest: BTreeMap<u64, (i64, usize)> = BTreeMap::new();
        for (index, (shell, catalogue)) in spec.shells.iter().zip(&self.of_shells).enumerate() {
            let (Orbits::Catalogue { start, .. }, Some(catalogue)) = (&shell.orbits, catalogue) else {
                continue;
            };
            let Some(start) = start.as_ref().or(self.newest.as_ref()) else { continue };
            let found = catalogue.distances(start).map_err(|error| refused(shell, error))?;
            // The number 0 means that the satellite has no number.
            for (number, far) in found.into_iter().filter(|&(number, _)| number != 0) {
                let Some(&(known, holder)) = nearest.get(&number) else {
                    nearest.insert(number, (far, index));
                    continue;
                };
                let loser = if far < known { holder } else { index };
                self.elsewhere[loser].insert(number);
                if far < known {
                    nearest.insert(number, (far, index));
                }
            }
        }
        Ok(())
    }

    /// Returns the satellites of a shell, and adds notes about them for the user.
    pub(super) fn satellites(
        &self,
        spec: &ConstellationSpec,
        index: usize,
        notes: &mut Vec<String>,
    ) -> Result<Satellites, TopologyError> {
        let shell = &spec.shells[index];
        match (&shell.orbits, &self.of_shells[index]) {
            (Orbits::Catalogue { file, start, oldest, skip_unusable, objects }, Some(catalogue)) => {
                let options = FleetOptions {
                    start: start.as_ref().or(self.newest.as_ref()).map(String::as_str),
                    offset: spec.offset,
                    max_age: *oldest,
                    on_bad: if *skip_unusable { OnBad::Skip } else { OnBad::Refuse },
                    objects: *objects,
                    elsewhere: Some(&self.elsewhere[index]),
                };
                let (fleet, found) =
                    Fleet::from_catalogue(catalogue, options).map_err(|error| refused(shell, error))?;
                notes.extend(found.iter().map(|note| format!("{}: {note}", file.display())));
                Ok(Satellites::Sgp4(fleet))
            }
            (Orbits::Elements { walker, mean_motion, eccentricity, epoch }, _) => {
                let other = |shell: &Shell| matches!(&shell.orbits, Orbits::Elements { epoch: other, .. } if other != epoch);
                if self.newest.is_some() || spec.shells.iter().any(other) {
                    notes.push(format!(
                        "the satellites of {} start at their own epoch {epoch}, but the other satellites start at \
                        another time",
                        shell.name
                    ));
                }
                Fleet::from_walker(walker, *mean_motion, *eccentricity, epoch)
                    .map(Satellites::Sgp4)
                    .map_err(|error| refused(shell, error))
            }
            (Orbits::Walker(walker), _) => Ok(Satellites::Walker(walker.clone())),
            (Orbits::Catalogue { .. }, None) => unreachable!("each shell with a catalogue was read"),
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
