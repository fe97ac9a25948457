// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which of the satellites in view a site uses, also for the sites of a cell together.
//!
//! The sites of a cell share a beam, whose capacity exists once: one satellite at a time has it, and all of them use and leave
//! that together. Starlink assigns its satellites every 15 s, everywhere at once (Tanveer et al., CoNEXT 2023; Mohan et
//! al., WWW 2024), and lets no two beams of one frequency meet on the ground (Nco = 1 of its filings). Up to eight, of a
//! frequency each and from one or more satellites, may serve a place (M. Puchol, starlink@lists.bufferbloat.net, 30 August 2022):
//! such a place has several cells here.
//!
//! The choice does not depend on the order of the sites: a satellite counts as the site that is worst off sees it.
//! If each site chose for itself, a cell would have a beam of each satellite chosen, and that many times its
//! capacity (measured: 400 Mbit/s of 240). All sites of the scenario count, so a run, its resolved scenario and a
//! look at the sky have the same satellites.

use crate::TopologyError;
use crate::sky::{Frame, Sky};
use crate::spec::{Policy, Slot};
use crate::view::Sighting;
use std::collections::BTreeMap;
use units::{Span, Time};

/// Time and step of the search for the satellite that stays longest.
const HORIZON: Span = Span::from_secs(3600);
const LOOK_STEP: Span = Span::from_secs(5);

/// The satellite that each site uses at present. Cloned to try a later time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Serving {
    /// By site; the sites of a cell have the same.
    chosen: Vec<Option<u32>>,
    /// Boundary of the last choice.
    boundary: Option<Time>,
}

impl Slot {
    /// The last boundary up to `at`; the start of the run before the first.
    fn last(self, at: Time) -> Time {
        let first = self.phase.nanos() % self.period.nanos();
        match at.nanos().checked_sub(first) {
            Some(since) => Time::from_nanos(first + since / self.period.nanos() * self.period.nanos()),
            None => Time::ZERO,
        }
    }

    /// The first boundary after `at`.
    pub(crate) fn next(self, at: Time) -> Time {
        let first = Time::from_nanos(self.phase.nanos() % self.period.nanos());
        if at < first { first } else { self.last(at) + self.period }
    }
}

impl Serving {
    /// Restricts each site of `frame`, which is the network at `at`, to the satellite that it uses. The choice at a
    /// boundary of a slot follows from the network at that boundary, at whatever time it is computed.
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
        // Between boundaries a satellite is kept until it sets. Without slots the highest and the nearest are chosen at
        // every time; the satellite that stays longest is not left for another before it sets.
        let free = boundary.map_or(choice.policy != Policy::LongestVisible, |then| begins && then == at);
        self.assign(sky, at, frame, free)?;
        for (site, &chosen) in self.chosen.iter().enumerate().take(frame.sites()) {
            if sky.observer(site).is_some() && (!uses_all(sky) || sky.in_cell(site)) {
                frame.serve(site, chosen);
            }
        }
        Ok(())
    }

    /// Chooses for each cell, and each other site, that has no satellite (any more) or is `free` to change.
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

/// Whether sites use all satellites in view at once; those of a cell never do.
fn uses_all(sky: &Sky) -> bool {
    sky.spec.choice.policy == Policy::LowestDelay && sky.slot.is_none()
}

fn of(satellite: u32, sightings: &[Sighting]) -> Option<&Sighting> {
    sightings.iter().find(|seen| seen.satellite == satellite)
}

/// The satellites that all sites of a cell see, each with its values at the worst site: lowest elevation, longest
/// range. If all sites see none in common, those that most sites see; the other sites then have none.
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

/// By the lowest delay a cell takes no satellite without onward links, if there is another: no link to a gateway or a
/// satellite, and no site outside the cell that sees it.
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

/// The satellite that `sites` use from now on, of those that they see together.
fn choose(
    sky: &Sky,
    at: Time,
    frame: &Frame,
    sites: &[usize],
    sightings: &[Sighting],
    current: Option<Sighting>,
) -> Result<Option<u32>, TopologyError> {
    let choice = sky.spec.choice;
    // Of equals the lower index.
    let best = match choice.policy {
        Policy::HighestElevation => max_by(sightings, |seen| seen.sine),
        // One satellite for all paths: the nearest is the one that adds the least delay.
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

/// Time for which a satellite in view stays in view, to [`LOOK_STEP`].
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
