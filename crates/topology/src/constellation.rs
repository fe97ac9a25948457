// SPDX-License-Identifier: MIT OR Apache-2.0
//! A satellite network laid out over the whole of a run.
//!
//! At every route step from zero the sky is looked at, the shortest ways (by propagation delay) to each site are
//! found, and what changed in the forwarding is written down. In between, routes rest and delays move on.

use crate::TopologyError;
use crate::network::{LinkPlan, Network, Node, NodeKind, Path, PathPiece, RouteEntry, RouteUpdate};
use crate::sky::{Frame, NOWHERE, Sky, Tree, elevation, ground};
use crate::spec::{ConstellationSpec, Site};
use link::{Delay, DelayCurve};
use orbit::Ground;
use orbit::earth::{distance_m, great_circle};
use std::collections::BTreeMap;
use std::sync::Arc;
use units::{SPEED_OF_LIGHT_M_S, Span, Time};

/// Knots of the delay curves are this far apart; a LEO range stays within a millimetre in between (see
/// [`DelayCurve`]).
const KNOT: Span = Span::from_secs(1);
/// Curves go on this many knots beyond the run, so that its end is no edge of the interpolation.
const MARGIN_KNOTS: u64 = 2;

/// Lays out the network of `spec` between `sites` for `duration`.
///
/// Nodes are the satellites, then the sites. Only links that some forwarding entry uses are made. A link that went
/// down may be used again by a later entry. Paths are those of `pairs` (indices into `sites`) and of their reverses;
/// a pair that is connected for a part of the run only has pieces without a delay.
///
/// # Errors
/// [`TopologyError::NoSatelliteInView`] if a site of a pair never sees a satellite, [`TopologyError::NoPath`] if a
/// pair is never connected, [`TopologyError::IslWithoutPlanes`], [`TopologyError::TleUnreadable`],
/// [`TopologyError::Orbit`].
///
/// # Panics
/// If a pair names a site that is not in `sites`.
pub fn build(
    spec: &ConstellationSpec,
    sites: &[Site],
    pairs: &[(u16, u16)],
    duration: Span,
) -> Result<Network, TopologyError> {
    let sky = Sky::new(spec)?;
    let mut layout = Layout::new(&sky, sites, pairs);
    let mut frame = Frame::default();
    let step = if spec.route_step == Span::ZERO { Span::MAX } else { spec.route_step };
    let mut at = Time::ZERO;
    while at == Time::ZERO || at.since(Time::ZERO) < duration {
        sky.look(at, &layout.grounds, &mut frame)?;
        layout.advance(at, &frame);
        at += step;
    }
    layout.check(sites)?;
    layout.finish(duration)
}

/// A network in the making.
struct Layout<'a> {
    sky: &'a Sky<'a>,
    grounds: Vec<Ground>,
    network: Network,
    /// Ordered pairs and their reverses, without repeats.
    paths: Vec<Path>,
    /// Sites that something is sent to, each with the next nodes of the last step, by node.
    destinations: Vec<(u16, Vec<u32>)>,
    /// Link from node to node.
    link_of: BTreeMap<(u32, u32), u32>,
    up: Vec<bool>,
    /// Best sine of elevation and when, by site.
    best: Vec<(f64, Time)>,
    tree: Tree,
    way: Vec<u32>,
}

impl<'a> Layout<'a> {
    fn new(sky: &'a Sky<'a>, sites: &[Site], pairs: &[(u16, u16)]) -> Self {
        let satellites = sky.satellites.len() as u32;
        let mut nodes: Vec<Node> = (0..satellites)
            .map(|satellite| Node { name: sky.name(satellite), kind: NodeKind::Satellite })
            .collect();
        nodes.extend(sites.iter().map(|site| Node { name: site.name.clone(), kind: NodeKind::Ground }));
        let mut paths: Vec<Path> = Vec::new();
        for &(a, b) in pairs.iter().filter(|(a, b)| a != b) {
            for (from, to) in [(a, b), (b, a)] {
                if !paths.iter().any(|path| (path.from, path.to) == (from, to)) {
                    paths.push(Path { from, to, pieces: Vec::new() });
                }
            }
        }
        let mut destinations: Vec<u16> = paths.iter().map(|path| path.to).collect();
        destinations.sort_unstable();
        destinations.dedup();
        let places: Vec<_> = sites.iter().map(|site| (site.latitude, site.longitude)).collect();
        let distance_m =
            places.iter().map(|&a| places.iter().map(|&b| great_circle(a, b).m()).collect()).collect();
        Self {
            sky,
            grounds: sites.iter().map(ground).collect(),
            destinations: destinations.into_iter().map(|site| (site, vec![NOWHERE; nodes.len()])).collect(),
            network: Network {
                sites: (satellites..nodes.len() as u32).collect(),
                nodes,
                distance_m: Some(distance_m),
                ..Network::default()
            },
            paths,
            link_of: BTreeMap::new(),
            up: Vec::new(),
            best: vec![(-1.0, Time::ZERO); sites.len()],
            tree: Tree::default(),
            way: Vec::new(),
        }
    }

    /// Routes of one step.
    fn advance(&mut self, at: Time, frame: &Frame) {
        for (best, &sine) in self.best.iter_mut().zip(&frame.best_sine) {
            if sine > best.0 {
                *best = (sine, at);
            }
        }
        let first = self.network.updates.is_empty();
        let mut update = RouteUpdate { at, ..RouteUpdate::default() };
        let mut destinations = std::mem::take(&mut self.destinations);
        for (site, next) in &mut destinations {
            self.tree.grow(frame, usize::from(*site));
            for (node, &before) in next.iter().enumerate() {
                let hop = self.tree.next[node];
                let own = node as u32 == self.network.sites[usize::from(*site)];
                if !own && (first || hop != before) {
                    let link = (hop != NOWHERE).then(|| self.link(node as u32, hop));
                    update.entries.push(RouteEntry { node: node as u32, site: *site, link });
                }
            }
            next.clone_from(&self.tree.next);
            self.follow_paths(*site, first, &mut update);
        }
        self.destinations = destinations;
        for (link, plan) in self.network.links.iter().enumerate() {
            if self.up[link] && !frame.linked(plan.from, plan.to) {
                self.up[link] = false;
                update.down.push(link as u32);
            }
        }
        update.changed_paths.sort_unstable();
        if first || !(update.entries.is_empty() && update.down.is_empty()) {
            self.network.updates.push(update);
        }
    }

    /// Writes down the paths to `site` that are new, along the tree that has just grown.
    fn follow_paths(&mut self, site: u16, first: bool, update: &mut RouteUpdate) {
        let mut paths = std::mem::take(&mut self.paths);
        for path in paths.iter_mut().filter(|path| path.to == site) {
            let node = |site: u16| self.network.sites[usize::from(site)];
            self.tree.way(node(path.from), node(site), &mut self.way);
            let way = std::mem::take(&mut self.way);
            let links: Vec<u32> = way.windows(2).map(|leg| self.link(leg[0], leg[1])).collect();
            self.way = way;
            if path.pieces.last().is_none_or(|piece| piece.links != links) {
                path.pieces.push(PathPiece { from: update.at, links, delay: None });
                if !first {
                    update.changed_paths.push((path.from, path.to));
                }
            }
        }
        self.paths = paths;
    }

    /// The link between two nodes that an entry uses, made if it is new.
    fn link(&mut self, from: u32, to: u32) -> u32 {
        if let Some(&link) = self.link_of.get(&(from, to)) {
            self.up[link as usize] = true;
            return link;
        }
        let link = self.network.links.len() as u32;
        let spec = self.sky.spec;
        let satellites = self.sky.satellites.len() as u32;
        let link_spec = match &spec.isl {
            _ if from >= satellites => &spec.uplink,
            Some(isl) if to < satellites => &isl.link,
            _ => &spec.downlink,
        };
        let name = |node: u32| &self.network.nodes[node as usize].name;
        let name = format!("{} > {}", name(from), name(to));
        // The delay follows when all links are known.
        let config = link_spec.config(Delay::Constant(Span::ZERO));
        self.network.links.push(LinkPlan { name, from, to, config });
        self.link_of.insert((from, to), link);
        self.up.push(true);
        link
    }

    /// Whether every pair is connected at some time.
    fn check(&self, sites: &[Site]) -> Result<(), TopologyError> {
        let spec = self.sky.spec;
        let mask = spec.min_elevation.rad().sin();
        for path in &self.paths {
            let (site, (sine, at)) = (&sites[usize::from(path.from)], self.best[usize::from(path.from)]);
            if sine < mask {
                return Err(TopologyError::NoSatelliteInView {
                    site: site.name.clone(),
                    constellation: spec.name.clone(),
                    bound: spec.min_elevation,
                    best: elevation(sine),
                    at,
                });
            }
        }
        match self.paths.iter().find(|path| path.pieces.iter().all(|piece| piece.links.is_empty())) {
            None => Ok(()),
            Some(path) => Err(TopologyError::NoPath {
                from: sites[usize::from(path.from)].name.clone(),
                to: sites[usize::from(path.to)].name.clone(),
                why: if spec.isl.is_some() {
                    "no satellite in view of the one was ever linked, over others, to one in view of the other"
                } else {
                    "no satellite was ever in view of both, and this constellation has no links between satellites \
                     (`isl`)"
                },
            }),
        }
    }

    /// Gives every link and every path its delay.
    fn finish(self, duration: Span) -> Result<Network, TopologyError> {
        let knots = duration.nanos().div_ceil(KNOT.nanos()) + 1 + MARGIN_KNOTS;
        let satellites = self.sky.satellites.len();
        let mut tracks: Vec<Vec<[f64; 3]>> = vec![Vec::new(); self.network.nodes.len()];
        for (node, ground) in tracks[satellites..].iter_mut().zip(&self.grounds) {
            node.push(ground.position_m);
        }
        for plan in &self.network.links {
            for node in [plan.from, plan.to] {
                let track = &mut tracks[node as usize];
                if track.is_empty() {
                    for knot in 0..knots {
                        track.push(self.sky.position(node, Time::ZERO + KNOT * knot)?);
                    }
                }
            }
        }
        // A site stays where it is: its track is one position.
        let position = |node: u32, knot: u64| {
            let track = &tracks[node as usize];
            track[(knot as usize).min(track.len() - 1)]
        };
        let mut network = self.network;
        let mut delays_ns: Vec<Vec<f64>> = Vec::with_capacity(network.links.len());
        for plan in &mut network.links {
            let knots_ns: Vec<f64> = (0..knots)
                .map(|knot| distance_m(position(plan.from, knot), position(plan.to, knot)))
                .map(|metres| metres / SPEED_OF_LIGHT_M_S * 1e9)
                .collect();
            plan.config.delay = Delay::Curve(Arc::new(DelayCurve::new(Time::ZERO, KNOT, knots_ns.clone())));
            delays_ns.push(knots_ns);
        }
        network.paths = self.paths;
        for path in &mut network.paths {
            let mut end = Time::ZERO + duration;
            for piece in path.pieces.iter_mut().rev() {
                if !piece.links.is_empty() {
                    piece.delay = Some(sum(&piece.links, &delays_ns, (piece.from, end)));
                }
                end = piece.from;
            }
        }
        Ok(network)
    }
}

/// Delay of links one after the other from one time to another: their curves summed over the knots needed.
fn sum(links: &[u32], delays_ns: &[Vec<f64>], (from, to): (Time, Time)) -> Delay {
    let first = from.nanos() / KNOT.nanos();
    let last = to.nanos().div_ceil(KNOT.nanos()) + MARGIN_KNOTS;
    let knots_ns = (first as usize..=last as usize)
        .map(|knot| links.iter().map(|&link| delays_ns[link as usize][knot]).sum())
        .collect();
    Delay::Curve(Arc::new(DelayCurve::new(Time::ZERO + KNOT * first, KNOT, knots_ns)))
}
