// SPDX-License-Identifier: MIT OR Apache-2.0
//! Paths over time and snapshots, without creating a network.

use crate::route::{Destination, Tree, Workspace};
use crate::serving::Serving;
use crate::sky::{Frame, Sky, nanos};
use crate::{ConstellationSpec, Site, TopologyError};
use orbit::Geodetic;
use orbit::earth::norm;
use units::{SPEED_OF_LIGHT_M_S, Span, Time};

/// One link of a path at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leg {
    /// Length in metres. For fibre, the length in vacuum with the same delay.
    pub metres: f64,
    /// Rate of change of the length, in m/s.
    pub range_rate_m_s: f64,
}

impl Leg {
    /// Returns the Doppler shift of a carrier to first order, -v/c, in parts per million. It is positive while the ends
    /// approach each other.
    pub fn doppler_ppm(&self) -> f64 {
        -self.range_rate_m_s / SPEED_OF_LIGHT_M_S * 1e6
    }
}

/// The path between two sites at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct PathSample {
    /// Time.
    pub at: Time,
    /// Names of the nodes on the path, including both sites; empty without a path.
    pub hops: Vec<String>,
    /// Indices of the nodes in `hops`. The order of indices is: satellites, gateways, points of presence, sites.
    pub nodes: Vec<u32>,
    /// Indices of the satellites on the path.
    pub satellites: Vec<u32>,
    /// The links of the path in order.
    pub legs: Vec<Leg>,
    /// One-way propagation delay of the first link, from the first site.
    pub uplink: Span,
    /// One-way propagation delay of all links between the first and the last link.
    pub isl: Span,
    /// One-way propagation delay of the last link, from the last satellite or point of presence to the other site.
    pub downlink: Span,
}

/// A satellite at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct SatelliteAt {
    /// Name of the satellite.
    pub name: String,
    /// Index of its shell.
    pub shell: u16,
    /// Earth-fixed position, in metres.
    pub position_m: [f64; 3],
    /// Latitude, longitude and altitude over the WGS84 ellipsoid.
    pub place: Geodetic,
}

/// Kind of a place on the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroundKind {
    /// A gateway, which relays.
    Gateway,
    /// A point of presence.
    Pop,
    /// A site, which is an end of paths.
    Site,
}

/// A place on the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundAt {
    /// Kind of the place.
    pub kind: GroundKind,
    /// Name and coordinates.
    pub site: Site,
    /// Earth-fixed position, in metres.
    pub position_m: [f64; 3],
}

/// A constellation at one time, for maps and graphs.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// All satellites.
    pub satellites: Vec<SatelliteAt>,
    /// Usable links between satellites, sorted: the two satellites (the lower index first), and the length in metres.
    pub isls: Vec<(u32, u32, f64)>,
    /// Gateways, points of presence and sites. Their nodes follow the satellites.
    pub ground: Vec<GroundAt>,
    /// Links that end on the ground, sorted: the two nodes (the lower index first), and the length in metres (for
    /// fibre, in metres of vacuum).
    pub ground_links: Vec<(u32, u32, f64)>,
}

impl PathSample {
    /// Returns the number of links on the path; zero without a path.
    pub fn links(&self) -> usize {
        self.legs.len()
    }

    /// Returns the one-way propagation delay; `None` without a path.
    pub fn one_way(&self) -> Option<Span> {
        (!self.hops.is_empty()).then(|| self.uplink + self.isl + self.downlink)
    }

    /// Returns the propagation round trip, 2D/c, without queues and transmission times. It assumes the same path in
    /// both directions. `None` without a path.
    pub fn rtt(&self) -> Option<Span> {
        self.one_way().map(|span| span * 2)
    }

    /// Returns the rate of change of the round trip, in seconds per second.
    pub fn rtt_rate(&self) -> f64 {
        2e-9 * nanos(self.legs.iter().map(|leg| leg.range_rate_m_s).sum())
    }
}

/// Computes the shortest paths of pairs of sites (indices into `sites`) every `step` from zero to `duration`, including
/// both ends. Calls `each` with the number of the pair and its sample, in order of time.
///
/// # Errors
/// The errors of the constellation: see [`crate::constellation::build`]. A missing path is not an error here.
///
/// # Panics
/// If a pair contains an index that is not in `sites`.
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

/// Returns the shortest path between two sites every `step` from zero to `duration`, including both ends.
///
/// # Errors
/// The errors of the constellation: see [`crate::constellation::build`]. A missing path is not an error here.
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

/// Returns the destination of packets from one site to another, and the point of presence that they must pass.
pub(crate) fn destination(
    spec: &ConstellationSpec,
    sites: &[Site],
    from: u16,
    to: u16,
) -> Result<Destination, TopologyError> {
    use crate::spec::Attachment::{Dish, Fibre, Home};
    let name = |site: u16| &sites[usize::from(site)].name;
    if name(from) == name(to) {
        return Err(TopologyError::SameSite { name: name(from).clone() });
    }
    let via = match (spec.attachment(name(from)), spec.attachment(name(to))) {
        (Home(pop), Fibre) | (Fibre, Home(pop)) => Some(pop),
        (Home(_), Dish | Home(_)) => {
            return Err(TopologyError::HomeWithoutFibre {
                home: name(from).clone(),
                other: name(to).clone(),
            });
        }
        (Dish, Home(_)) => {
            return Err(TopologyError::HomeWithoutFibre {
                home: name(to).clone(),
                other: name(from).clone(),
            });
        }
        _ => None,
    };
    Ok(Destination { site: to, via })
}

/// Returns the destination of packets to a site from any sender. Packets to a dish with a home must pass this home.
pub(crate) fn own_destination(spec: &ConstellationSpec, sites: &[Site], site: u16) -> Destination {
    let via = match spec.attachment(&sites[usize::from(site)].name) {
        crate::spec::Attachment::Home(pop) => Some(pop),
        _ => None,
    };
    Destination { site, via }
}

/// Returns the sample of a path with these nodes at one time.
pub(crate) fn sample(sky: &Sky, sites: &[Site], at: Time, way: &[u32]) -> Result<PathSample, TopologyError> {
    let core = sky.core();
    let legs = way.windows(2).map(|ends| leg(sky, ends, at)).collect::<Result<Vec<_>, _>>()?;
    let delay =
        |legs: &[Leg]| Span::from_nanos(nanos(legs.iter().map(|leg| leg.metres).sum::<f64>()).round() as u64);
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
        nodes: way.to_vec(),
        satellites: way.iter().copied().filter(|&node| node < sky.satellites()).collect(),
        uplink: delay(&legs[..first]),
        isl: delay(&legs[first..last.max(first)]),
        downlink: delay(&legs[last.max(first)..]),
        legs,
    })
}

/// Returns the length of a link and its rate of change.
fn leg(sky: &Sky, ends: &[u32], at: Time) -> Result<Leg, TopologyError> {
    let satellites = sky.satellites();
    if ends[0].min(ends[1]) >= satellites {
        return Ok(Leg { metres: sky.fibre_m(ends[0], ends[1]), range_rate_m_s: 0.0 });
    }
    // Places on the ground are at rest in Earth-fixed axes.
    let state = |node: u32| match sky.ground_position(node) {
        Some(position) => Ok((position, [0.0; 3])),
        None => sky.state(node, at),
    };
    let ((a, va), (b, vb)) = (state(ends[0])?, state(ends[1])?);
    let metres = norm([0, 1, 2].map(|i| b[i] - a[i]));
    // d|r|/dt = r . v / |r|. Two ideal satellites can be at one point, so |r| can be zero.
    let along: f64 = (0..3).map(|i| (b[i] - a[i]) * (vb[i] - va[i])).sum();
    Ok(Leg { metres, range_rate_m_s: if metres > 0.0 { along / metres } else { 0.0 } })
}

/// Returns all satellites, places on the ground and usable links at `at`.
///
/// # Errors
/// The errors of the constellation: see [`crate::constellation::build`].
pub fn snapshot(spec: &ConstellationSpec, sites: &[Site], at: Time) -> Result<Snapshot, TopologyError> {
    let sky = Sky::new(spec, sites)?;
    let mut frame = Frame::default();
    sky.look(at, &mut frame)?;
    Serving::default().apply(&sky, at, &mut frame)?;
    let satellites = frame
        .positions
        .iter()
        .enumerate()
        .map(|(satellite, &position_m)| SatelliteAt {
            name: sky.name(satellite as u32),
            shell: sky.shell_of(satellite as u32),
            position_m,
            place: Geodetic::from_fixed(position_m),
        })
        .collect();
    let on_ground = |kind: GroundKind| {
        move |site: &Site| GroundAt {
            kind,
            site: site.clone(),
            position_m: crate::sky::ground(site).position_m,
        }
    };
    let gateways = spec.gateways.iter().map(|gateway| &gateway.site).map(on_ground(GroundKind::Gateway));
    let ground = gateways
        .chain(spec.pops.iter().map(on_ground(GroundKind::Pop)))
        .chain(sites.iter().map(on_ground(GroundKind::Site)))
        .collect();
    let count = sky.satellites();
    let ordered = |&(a, b, metres): &(u32, u32, f64)| (a.min(b), a.max(b), metres);
    let (mut isls, mut ground_links): (Vec<_>, Vec<_>) =
        frame.edges().iter().map(ordered).partition(|&(_, b, _)| b < count);
    for site in 0..sites.len() as u16 {
        let node = sky.core() + u32::from(site);
        ground_links.extend(frame.view(site).iter().map(|&(seen, metres)| (seen, node, metres)));
    }
    for links in [&mut isls, &mut ground_links] {
        links.sort_unstable_by_key(|&(a, b, _)| (a, b));
    }
    Ok(Snapshot { satellites, isls, ground, ground_links })
}
