// SPDX-License-Identifier: MIT OR Apache-2.0
//! The choice of the satellite that each site uses, including the common choice of the sites of a cell.
//!
//! The sites of a cell share one beam with a single capacity. Therefore one satellite at a time serves the cell, and
//! all its sites change satellite at the same time. Starlink assigns its satellites every 15 s, everywhere at the same
//! time (Tanveer et al., CoNEXT 2023; Mohan et al., WWW 2024). According to Starlink's filings, two beams of one
//! frequency do not overlap on the ground (Nco = 1). Up to eight beams, each with a different frequency and from one or
//! more satellites, may serve a place (M. Puchol, starlink@lists.bufferbloat.net, 30 August 2022). In Bentpipe, such a
//! place has several cells.
//!
//! The choice does not depend on the order of the sites. The rating of a satellite is its rating at the site of the
//! cell with the worst view of it. If each site chose independently, the cell would get one beam from each chosen
//! satellite, and a multiple of its capacity (measured: 400 Mbit/s instead of 240). All sites of the scenario take part
//! in the choice, with or without traffic. Therefore a run, its resolved scenario and a view of the sky use the same
//! satellites.

use crate::TopologyError;
use crate::sky::{Frame, Sky};
use crate::spec::{Policy, Slot};
use crate::view::Sighting;
use std::collections::BTreeMap;
use units::{Span, Time};

/// Length of the search for the satellite that stays in view longest. `LOOK_STEP` is the step of this search.
const HORIZON: Span = Span::from_secs(3600);
const LOOK_STEP: Span = Span::from_secs(5);

/// The satellite that each site uses at present. To try a later time, the caller clones this value.
#[derive(Clone, Debug, Default)]
pub(crate) struct Serving {
    /// The satellite of each site. All sites of a cell have the same satellite.
    chosen: Vec<Option<u32>>,
    /// Slot boundary at which the last choice was made.
    boundary: Option<Time>,
}

impl Slot {
    /// Returns the last boundary at or before `at`. Before the first boundary, returns the start of the run.
    fn last(self, at: Time) -> Time {
        let first = self.phase.nanos() % self.period.nanos();
        match at.nanos().checked_sub(first) {
            Some(since) => Time::from_nanos(first + since / self.period.nanos() * self.period.nanos()),
            None => Time::ZERO,
        }
    }

    /// Returns the first boundary after `at`.
    pub(crate) fn next(self, at: Time) -> Time {
        let first = Time::from_nanos(self.phase.nanos() % self.period.nanos());
        if at < first { first } else { self.last(at) + self.period }
    }
}

impl Serving {
    /// Restricts each site of `frame`, the network at `at`, to the satellite that the site uses. The choice at a slot
    /// boundary depends only on the network at that boundary, not on the time of this call.
    pub fn apply(&mut self, sky: &Sky, at: Time, frame: &mut Frame) -> Result<(), TopologyError> {
        let choice = sky.spec.choice;
        if uses_all(sky) && sky.cells.is_empty() {
            return Ok(());
        }
        self.chosen.resize(frame.sightings.len(), None);
        let boundary = sky.slot.map(|slot| slot.last(at));
        let begins = boundary.is_some() && boundary != self.boundary;
        if let Some(then) = boundary.filter(|&then| begins && then < at) {
            let mut sky_then = Frame::default();
            sky.look(then, &mut sky_then)?;
            self.assign(sky, then, &sky_then, true)?;
        }
        self.boundary = boundary;
        // Between boundaries, a satellite is kept until it sets. Without slots, the highest and the nearest satellite
        // are chosen at every time. A satellite that was chosen because it stays longest is kept until it sets.
        let free = boundary.map_or(choice.policy != Policy::LongestVisible, |then| begins && then == at);
        self.assign(sky, at, frame, free)?;
        for (site, &chosen) in self.chosen.iter().enumerate().take(frame.sites()) {
            if sky.observer(site).is_some() && (!uses_all(sky) || sky.in_cell(site)) {
                frame.serve(site, chosen);
            }
        }
        Ok(())
    }

    /// Chooses a satellite for each cell without a satellite, and for each site without a satellite that is not in a
    /// cell. With `free`, the cells and sites that have a satellite may also change it.
    fn assign(&mut self, sky: &Sky, at: Time, frame: &Frame, free: bool) -> Result<(), TopologyError> {
        for cell in &sky.cells {
            let seen = together(frame, cell);
            let current = self.chosen[cell[0]].and_then(|chosen| of(chosen, &seen).copied());
            let chosen = match current {
                Some(current) if !free => Some(current.satellite),
                current => choose(
                    sky,
                    at,
                    frame,
                    cell,
                    &leading(sky.spec.choice.policy, frame, cell, &seen),
                    current,
                )?,
            };
            for &site in cell {
                self.chosen[site] = chosen;
            }
        }
        if uses_all(sky) {
            return Ok(());
        }
        for site in (0..frame.sites()).filter(|&site| sky.observer(site).is_some() && !sky.in_cell(site)) {
            let sightings = &frame.sightings[site];
            let current = self.chosen[site].and_then(|chosen| of(chosen, sightings).copied());
            self.chosen[site] = match current {
                Some(current) if !free => Some(current.satellite),
                current => choose(sky, at, frame, &[site], sightings, current)?,
            };
        }
        Ok(())
    }
}

/// Returns whether sites use all satellites in view at the same time. Sites of a cell never do.
fn uses_all(sky: &Sky) -> bool {
    sky.spec.choice.policy == Policy::LowestDelay && sky.slot.is_none()
}

fn of(satellite: u32, sightings: &[Sighting]) -> Option<&Sighting> {
    sightings.iter().find(|seen| seen.satellite == satellite)
}

/// Returns the satellites that all sites of a cell see, with the lowest elevation and the longest range at any of these
/// sites. If no satellite is seen by all sites, returns the satellites that the largest number of sites see. The other
/// sites then have no satellite.
fn together(frame: &Frame, cell: &[usize]) -> Vec<Sighting> {
    let mut seen: BTreeMap<u32, (usize, Sighting)> = BTreeMap::new();
    for sighting in cell.iter().flat_map(|&site| &frame.sightings[site]) {
        let (sites, worst) = seen.entry(sighting.satellite).or_insert((0, *sighting));
        *sites += 1;
        worst.sine = worst.sine.min(sighting.sine);
        worst.range_m = worst.range_m.max(sighting.range_m);
    }
    let most = seen.values().map(|&(sites, _)| sites).max();
    seen.into_values().filter(|&(sites, _)| Some(sites) == most).map(|(_, worst)| worst).collect()
}

/// Under the lowest-delay policy, removes satellites without onward links, unless no satellite has an onward link. An
/// onward link leads to a gateway, to a satellite, or to a site outside the cell.
fn leading(policy: Policy, frame: &Frame, cell: &[usize], seen: &[Sighting]) -> Vec<Sighting> {
    let leads = |satellite: u32| {
        let mut others = (0..frame.sites()).filter(|site| !cell.contains(site));
        frame.links(satellite).next().is_some()
            || others.any(|site| of(satellite, &frame.sightings[site]).is_some())
    };
    let leading: Vec<Sighting> = match policy {
        Policy::LowestDelay => seen.iter().filter(|seen| leads(seen.satellite)).copied().collect(),
        _ => Vec::new(),
    };
    if leading.is_empty() { seen.to_vec() } else { leading }
}

/// Returns the satellite that `sites` use from now on. All `sites` see the given satellites.
fn choose(
    sky: &Sky,
    at: Time,
    frame: &Frame,
    sites: &[usize],
    sightings: &[Sighting],
    current: Option<Sighting>,
) -> Result<Option<u32>, TopologyError> {
    let choice = sky.spec.choice;
    // If two satellites are rated equal, the satellite with the lower index is chosen.
    let best = match choice.policy {
        Policy::HighestElevation => max_by(sightings, |seen| seen.sine),
        // If one satellite serves all paths, the nearest satellite adds the least delay.
        Policy::LowestDelay | Policy::Nearest => max_by(sightings, |seen| -seen.range_m),
        Policy::LongestVisible => {
            let mut lasting = Vec::with_capacity(sightings.len());
            for seen in sightings {
                let mut least = Span::MAX;
                for &site in
                    sites.iter().filter(|&&site| of(seen.satellite, &frame.sightings[site]).is_some())
                {
                    least = least.min(remaining(sky, site, seen.satellite, at)?);
                }
                lasting.push(least.secs_f64());
            }
            let longest = lasting.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            lasting.iter().position(|&secs| secs >= longest).map(|at| sightings[at])
        }
    };
    let (Some(best), Some(current)) = (best, current) else {
        return Ok(best.map(|best| best.satellite));
    };
    let degrees = |seen: Sighting| seen.sine.clamp(-1.0, 1.0).asin().to_degrees();
    let near = degrees(best) - degrees(current) <= choice.hysteresis.deg();
    let keep = choice.hysteresis.deg() > 0.0 && near;
    Ok(Some(if keep { current.satellite } else { best.satellite }))
}

/// Returns how long a satellite stays in view, with a resolution of [`LOOK_STEP`].
fn remaining(sky: &Sky, site: usize, satellite: u32, at: Time) -> Result<Span, TopologyError> {
    let Some(observer) = sky.observer(site) else { return Ok(Span::MAX) };
    let mut ahead = Span::ZERO;
    while ahead < HORIZON {
        let next = ahead + LOOK_STEP;
        if observer.clearance(sky.position(satellite, at + next)?) < 0.0 {
            return Ok(ahead);
        }
        ahead = next;
    }
    Ok(HORIZON)
}

fn max_by(sightings: &[Sighting], key: impl Fn(&Sighting) -> f64) -> Option<Sighting> {
    sightings.iter().copied().fold(None, |best: Option<Sighting>, seen| match best {
        Some(best) if key(&seen) <= key(&best) => Some(best),
        _ => Some(seen),
    })
}
