// SPDX-License-Identifier: MIT OR Apache-2.0
//! Explains why two places are not connected.

use crate::almanac::{Stop, ask, never};
use crate::serving::Serving;
use crate::sky::{Frame, Sky};
use crate::spec::{ConstellationSpec, Site, Visibility};
use crate::{TopologyError, trace};
use units::{Angle, Distance, Span, Time};

/// Length of the search for the next satellite of a site without coverage. `SEARCH_STEP` is the step of this search.
const SEARCH: Span = Span::from_secs(86_400);
const SEARCH_STEP: Span = Span::from_secs(30);

/// Returns why two sites have no path at any step from zero to `duration`; `None` if they have a path at some step. If
/// both sites are the same, returns why this site never sees a satellite.
///
/// # Errors
/// The errors of the constellation: see [`crate::constellation::build`].
///
/// # Panics
/// If the pair contains an index that is not in `sites`.
pub fn unconnected(
    spec: &ConstellationSpec,
    sites: &[Site],
    from: u16,
    to: u16,
    duration: Span,
    step: Span,
) -> Result<Option<TopologyError>, TopologyError> {
    let ends = [from, to].map(usize::from);
    let alone = sites[ends[0]].name == sites[ends[1]].name;
    if !alone {
        let mut connected = false;
        let each = |_, sample: trace::PathSample| connected |= !sample.hops.is_empty();
        trace::paths_over_time(spec, sites, &[(from, to)], duration, step, each)?;
        if connected {
            return Ok(None);
        }
    }
    let sky = Sky::new(spec, sites)?;
    let (mut frame, mut serving) = (Frame::default(), Serving::default());
    let mut reached = vec![false; sites.len()];
    let step = if step == Span::ZERO { Span::MAX } else { step };
    let mut at = Time::ZERO;
    while at.since(Time::ZERO) <= duration {
        sky.look(at, &mut frame)?;
        serving.apply(&sky, at, &mut frame)?;
        for (site, reached) in reached.iter_mut().enumerate() {
            *reached |= !frame.view(site as u16).is_empty();
        }
        at += step;
    }
    match ends.into_iter().find(|&site| !reached[site] && !cell_was_served(&sky, &reached, site)) {
        Some(site) => never_seen(&sky, sites, site, &never).map(Some),
        None if alone => Ok(None),
        None => Ok(Some(no_path(spec, &sites[ends[0]], &sites[ends[1]]))),
    }
}

/// Returns whether another site in the cell of a site had a satellite. If so, the cell lacks a common satellite, and
/// the site itself may see satellites.
pub(crate) fn cell_was_served(sky: &Sky, reached: &[bool], site: usize) -> bool {
    let cell = sky.cells.iter().find(|cell| cell.contains(&site));
    cell.is_some_and(|cell| cell.iter().any(|&other| reached.get(other) == Some(&true)))
}

/// Returns the error for two sites that both see satellites. These satellites are never the same and never linked.
pub(crate) fn no_path(spec: &ConstellationSpec, from: &Site, to: &Site) -> TopologyError {
    let mut cells: Vec<&str> =
        [from, to].into_iter().filter_map(|site| spec.terminal(&site.name)?.1.cell.as_deref()).collect();
    cells.dedup();
    let together = |cell: &str| {
        format!(
            "; all sites of the cell \"{cell}\" use the same satellite, one that most of them see (to let a site \
            choose independently, remove its `cell` or give it a separate cell)"
        )
    };
    let mut why = if spec.isl.is_some() {
        "no satellite in view of one site was ever linked, directly or over other satellites, to a \
            satellite in view of the other site"
    } else if spec.gateways.is_empty() {
        "no satellite was ever in view of both sites, and this constellation has no inter-satellite \
            links (`isl`)"
    } else {
        "no satellite was ever in view of one site and of a gateway that leads to the other site, and \
            this constellation \
            has no inter-satellite links (`isl`)"
    }
    .to_owned();
    why.extend(cells.into_iter().map(together));
    TopologyError::NoPath { from: from.name.clone(), to: to.name.clone(), why }
}

/// Returns the error for a site that saw no satellite in the whole run.
pub(crate) fn never_seen(
    sky: &Sky,
    sites: &[Site],
    site: usize,
    stop: Stop<'_>,
) -> Result<TopologyError, TopologyError> {
    let spec = &sky.spec;
    let Some(observer) = sky.observer(site) else { unreachable!("a wired site needs no satellite") };
    // The satellite with the largest clearance.
    let mut best = (f64::NEG_INFINITY, Time::ZERO);
    let (mut next, mut hidden) = (None, false);
    let mut at = Time::ZERO;
    while at.since(Time::ZERO) <= SEARCH {
        ask(stop)?;
        // Satellites that have decayed by this time are skipped.
        let followed = (0..sky.satellites()).filter_map(|satellite| sky.position(satellite, at).ok());
        let (mut reach, mut free) = (f64::NEG_INFINITY, false);
        for position in followed {
            reach = reach.max(observer.reach(position));
            free |= observer.clearance(position) >= 0.0;
        }
        if reach > best.0 {
            best = (reach, at);
        }
        if free {
            next = Some(at);
            break;
        }
        hidden |= reach >= 0.0;
        at += SEARCH_STEP;
    }
    if best.0 == f64::NEG_INFINITY {
        // If no satellite can be propagated at the start, this error is returned instead.
        sky.positions(Time::ZERO, &mut Vec::new())?;
    }
    let (site, constellation) = (sites[site].name.clone(), spec.name.clone());
    if let Some(obstacles) = observer.obstacles().filter(|_| hidden) {
        return Ok(TopologyError::Hidden { site, constellation, keys: obstacles.keys(), next });
    }
    let (best, at) = best;
    Ok(match spec.visibility {
        Visibility::Elevation(bound) => {
            // The clearance is a difference of sines of elevation.
            let sine = (best + bound.rad().sin()).clamp(-1.0, 1.0);
            let best = Angle::from_deg(sine.asin().to_degrees());
            TopologyError::NoSatelliteInView { site, constellation, bound, best, at, next }
        }
        Visibility::Range(bound) => {
            let least = Distance::from_m(bound.m() - best);
            TopologyError::NoSatelliteInRange { site, constellation, bound, least, at, next }
        }
    })
}
