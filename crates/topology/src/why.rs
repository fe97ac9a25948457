// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why two places are not connected.

use crate::access::Serving;
use crate::sky::{Frame, Sky};
use crate::spec::{ConstellationSpec, Site, Visibility};
use crate::{TopologyError, trace};
use units::{Angle, Span, Time};

/// A site without coverage is told of the next within so long, looked for in such steps.
const SEARCH: Span = Span::from_secs(86_400);
const SEARCH_STEP: Span = Span::from_secs(30);

/// Why there is no path between two sites at any step from zero to `duration`; `None` if there is one.
///
/// # Errors
/// Those of the constellation: see [`crate::constellation::build`].
///
/// # Panics
/// If the pair names a site that is not in `sites`.
pub fn unconnected(
    spec: &ConstellationSpec,
    sites: &[Site],
    (from, to): (u16, u16),
    duration: Span,
    step: Span,
) -> Result<Option<TopologyError>, TopologyError> {
    let mut connected = false;
    let each = |_, sample: trace::PathSample| connected |= !sample.hops.is_empty();
    trace::paths_over_time(spec, sites, &[(from, to)], duration, step, each)?;
    if connected {
        return Ok(None);
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
    let ends = [from, to].map(usize::from);
    match ends.into_iter().find(|&site| !reached[site]) {
        Some(site) => never_seen(&sky, sites, site).map(Some),
        None => Ok(Some(no_path(spec, &sites[ends[0]], &sites[ends[1]]))),
    }
}

/// What to say of two sites that see satellites, but never the same or linked ones.
pub(crate) fn no_path(spec: &ConstellationSpec, from: &Site, to: &Site) -> TopologyError {
    TopologyError::NoPath {
        from: from.name.clone(),
        to: to.name.clone(),
        why: if spec.isl.is_some() {
            "no satellite in view of the one was ever linked, over others, to one in view of the other"
        } else if spec.gateways.is_empty() {
            "no satellite was ever in view of both, and this constellation has no links between satellites (`isl`)"
        } else {
            "no satellite was ever in view of the one and of a gateway that leads to the other, and this \
             constellation has no links between satellites (`isl`)"
        },
    }
}

/// What to say of a site that saw no satellite in the whole run.
pub(crate) fn never_seen(sky: &Sky<'_>, sites: &[Site], site: usize) -> Result<TopologyError, TopologyError> {
    let spec = sky.spec;
    let Some(observer) = sky.observer(site) else { unreachable!("a wired site needs no satellite") };
    let mut best = (-1.0_f64, Time::ZERO);
    let mut next = None;
    let mut positions = Vec::new();
    let mut at = Time::ZERO;
    while at.since(Time::ZERO) <= SEARCH {
        sky.positions(at, &mut positions)?;
        let sines = positions.iter().map(|&position| observer.ground.look(position).1);
        let sine = sines.fold(-1.0, f64::max);
        if sine > best.0 {
            best = (sine, at);
        }
        if positions.iter().any(|&position| observer.clearance(position) >= 0.0) {
            next = Some(at);
            break;
        }
        at += SEARCH_STEP;
    }
    let bound = match spec.visibility {
        Visibility::Elevation(least) => least,
        Visibility::Range(_) => Angle::from_deg(0.0),
    };
    Ok(TopologyError::NoSatelliteInView {
        site: sites[site].name.clone(),
        constellation: spec.name.clone(),
        bound,
        best: Angle::from_deg(best.0.clamp(-1.0, 1.0).asin().to_degrees()),
        at: best.1,
        next,
    })
}
