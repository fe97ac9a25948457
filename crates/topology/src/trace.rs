// SPDX-License-Identifier: MIT OR Apache-2.0
//! Looking at a constellation without laying out a network: paths over time, and the sky at one moment.

use crate::access::Serving;
use crate::route::{Destination, Tree, Workspace};
use crate::sky::{Frame, Sky, nanos};
use crate::{ConstellationSpec, Site, TopologyError};
use orbit::Geodetic;
use orbit::earth::distance_m;
use units::{Span, Time};

/// One link of a path at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leg {
    /// Length in metres (of fibre: in metres of vacuum).
    pub metres: f64,
    /// How fast it grows, m/s; Doppler shifts a carrier f by -f times this over the speed of light.
    pub range_rate_m_s: f64,
}

/// The path between two sites at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct PathSample {
    /// When.
    pub at: Time,
    /// Names of the nodes on the way, both sites included; empty if there is no path.
    pub hops: Vec<String>,
    /// Indices of the satellites on the way.
    pub satellites: Vec<u32>,
    /// The links on the way, in order.
    pub legs: Vec<Leg>,
    /// One-way propagation delay from the first site to its satellite.
    pub uplink: Span,
    /// One-way propagation delay of everything in between, all together.
    pub isl: Span,
    /// One-way propagation delay from the last satellite (or point of presence) to the other site.
    pub downlink: Span,
}

/// A satellite at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct SatelliteAt {
    /// Its name.
    pub name: String,
    /// Earth-fixed position, metres.
    pub position_m: [f64; 3],
    /// Latitude, longitude, altitude over the WGS84 ellipsoid.
    pub place: Geodetic,
}

/// A constellation at one moment, for maps and graphs.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// All satellites.
    pub satellites: Vec<SatelliteAt>,
    /// Links between satellites that can be used, as pairs of satellites with metres, the lower index first, in order.
    pub isls: Vec<(u32, u32, f64)>,
    /// Links between a site (its index) and a satellite that it can use, with metres, in order.
    pub views: Vec<(u32, u32, f64)>,
}

impl PathSample {
    /// Links on the way; zero if there is no path.
    pub fn links(&self) -> usize {
        self.legs.len()
    }

    /// One-way propagation delay; `None`: no path.
    pub fn one_way(&self) -> Option<Span> {
        (!self.hops.is_empty()).then(|| self.uplink + self.isl + self.downlink)
    }

    /// Round trip without any queue or transmission, 2D/c (the way back is the way there); `None`: no path.
    pub fn rtt(&self) -> Option<Span> {
        self.one_way().map(|span| span * 2)
    }

    /// How fast the round trip grows, seconds per second.
    pub fn rtt_rate(&self) -> f64 {
        2e-9 * nanos(self.legs.iter().map(|leg| leg.range_rate_m_s).sum())
    }
}

/// The shortest paths of pairs of sites (indices into `sites`) every `step` from zero to `duration` (both included);
/// `each` gets the number of the pair and its sample, moment by moment.
///
/// # Errors
/// Those of the constellation: see [`crate::constellation::build`]. No path at all is no error here.
///
/// # Panics
/// If a pair names a site that is not in `sites`.
pub fn paths_over_time(
    spec: &ConstellationSpec,
    sites: &[Site],
    pairs: &[(u16, u16)],
    duration: Span,
    step: Span,
    mut each: impl FnMut(usize, PathSample),
) -> Result<(), TopologyError> {
    let sky = Sky::new(spec, sites)?;
    let (mut frame, mut work) = (Frame::default(), Workspace::default());
    let mut serving = Serving::default();
    let nodes = sky.core() as usize + sites.len();
    let mut trees: Vec<Tree> = Vec::new();
    let mut tree_of = Vec::new();
    for &(from, to) in pairs {
        let destination = destination(spec, sites, from, to)?;
        let known = trees.iter().position(|tree| tree.destination == destination);
        tree_of.push(known.unwrap_or(trees.len()));
        if known.is_none() {
            trees.push(Tree::new(destination, nodes));
        }
    }
    let step = if step == Span::ZERO { Span::MAX } else { step };
    let mut way = Vec::new();
    let mut at = Time::ZERO;
    while at.since(Time::ZERO) <= duration {
        sky.look(at, &mut frame)?;
        serving.apply(&sky, at, &mut frame)?;
        for tree in &mut trees {
            tree.update(&frame, &mut work);
        }
        for (pair, (&(from, _), &tree)) in pairs.iter().zip(&tree_of).enumerate() {
            trees[tree].way(&frame, sky.core() + u32::from(from), &mut way);
            each(pair, sample(&sky, sites, at, &way)?);
        }
        at += step;
    }
    Ok(())
}

/// The shortest path between two sites every `step` from zero to `duration` (both included).
///
/// # Errors
/// Those of the constellation: see [`crate::constellation::build`]. No path at all is no error here.
pub fn path_over_time(
    spec: &ConstellationSpec,
    from: &Site,
    to: &Site,
    duration: Span,
    step: Span,
) -> Result<Vec<PathSample>, TopologyError> {
    let mut samples = Vec::new();
    let sites = [from.clone(), to.clone()];
    paths_over_time(spec, &sites, &[(0, 1)], duration, step, |_, sample| samples.push(sample))?;
    Ok(samples)
}

/// Where packets from one site to another go, and what they have to pass.
pub(crate) fn destination(
    spec: &ConstellationSpec,
    sites: &[Site],
    from: u16,
    to: u16,
) -> Result<Destination, TopologyError> {
    use crate::spec::Attachment::{Dish, Fibre, Home};
    let name = |site: u16| &sites[usize::from(site)].name;
    let via = match (spec.attachment(name(from)), spec.attachment(name(to))) {
        (Home(pop), Fibre) | (Fibre, Home(pop)) => Some(pop),
        (Home(_), Dish | Home(_)) => {
            return Err(TopologyError::HomeWithoutFibre { home: name(from).clone(), other: name(to).clone() });
        }
        (Dish, Home(_)) => {
            return Err(TopologyError::HomeWithoutFibre { home: name(to).clone(), other: name(from).clone() });
        }
        _ => None,
    };
    Ok(Destination { site: to, via })
}

/// Where packets to a site go when it is not asked whose they are: to a dish with a home they pass that home.
pub(crate) fn own_destination(spec: &ConstellationSpec, sites: &[Site], site: u16) -> Destination {
    let via = match spec.attachment(&sites[usize::from(site)].name) {
        crate::spec::Attachment::Home(pop) => Some(pop),
        _ => None,
    };
    Destination { site, via }
}

/// Half of the time over which a range rate is taken. The third derivative of a LEO range is below 1e-2 m/s^3: the
/// difference is off by less than 1e-2 x 0.25 / 6 = 0.4 mm/s.
const RATE_HALF: Span = Span::from_millis(500);

fn sample(sky: &Sky<'_>, sites: &[Site], at: Time, way: &[u32]) -> Result<PathSample, TopologyError> {
    let core = sky.core();
    let mut legs = Vec::new();
    for leg in way.windows(2) {
        let before = Time::from_nanos(at.nanos().saturating_sub(RATE_HALF.nanos()));
        let after = at + RATE_HALF;
        let (earlier, now, later) =
            (length(sky, leg, before)?, length(sky, leg, at)?, length(sky, leg, after)?);
        legs.push(Leg {
            metres: now,
            range_rate_m_s: (later - earlier) / after.since(before).secs_f64(),
        });
    }
    let delay = |legs: &[Leg]| {
        Span::from_nanos(nanos(legs.iter().map(|leg| leg.metres).sum::<f64>()).round() as u64)
    };
    let (first, last) = (1.min(legs.len()), legs.len().saturating_sub(1));
    Ok(PathSample {
        at,
        hops: way
            .iter()
            .map(|&node| match node.checked_sub(core) {
                Some(site) => sites[site as usize].name.clone(),
                None => sky.node_name(node),
            })
            .collect(),
        satellites: way.iter().copied().filter(|&node| node < sky.satellites()).collect(),
        uplink: delay(&legs[..first]),
        isl: delay(&legs[first..last.max(first)]),
        downlink: delay(&legs[last.max(first)..]),
        legs,
    })
}

/// Length of a link, metres.
fn length(sky: &Sky<'_>, leg: &[u32], at: Time) -> Result<f64, TopologyError> {
    let satellites = sky.satellites();
    if leg[0].min(leg[1]) >= satellites {
        return Ok(sky.fibre_m(leg[0], leg[1]));
    }
    let position = |node: u32| match sky.ground_position(node) {
        Some(position) => Ok(position),
        None => sky.position(node, at),
    };
    Ok(distance_m(position(leg[0])?, position(leg[1])?))
}

/// All satellites, the links between them, and what `sites` can use, at `at`.
///
/// # Errors
/// Those of the constellation: see [`crate::constellation::build`].
pub fn snapshot(spec: &ConstellationSpec, sites: &[Site], at: Time) -> Result<Snapshot, TopologyError> {
    let sky = Sky::new(spec, sites)?;
    let mut frame = Frame::default();
    sky.look(at, &mut frame)?;
    let satellites = frame
        .positions
        .iter()
        .enumerate()
        .map(|(satellite, &position_m)| SatelliteAt {
            name: sky.name(satellite as u32),
            position_m,
            place: Geodetic::from_fixed(position_m),
        })
        .collect();
    let count = sky.satellites();
    let mut isls: Vec<(u32, u32, f64)> = frame
        .edges()
        .iter()
        .filter(|(a, b, _)| a.max(b) < &count)
        .map(|&(a, b, metres)| (a.min(b), a.max(b), metres))
        .collect();
    isls.sort_unstable_by_key(|&(a, b, _)| (a, b));
    let views = (0..sites.len() as u32)
        .flat_map(|site| {
            let seen = frame.sightings[site as usize].iter();
            seen.map(move |seen| (site, seen.satellite, seen.range_m))
        })
        .collect();
    Ok(Snapshot { satellites, isls, views })
}
