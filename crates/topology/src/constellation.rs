// SPDX-License-Identifier: MIT OR Apache-2.0
//! A satellite network laid out over the whole of a run.
//!
//! At every route step from zero the sky is looked at, the shortest ways (by propagation delay) to each site are
//! found, and what changed in the forwarding is written down. In between, routes rest and delays move on.

use crate::TopologyError;
use crate::access::Serving;
use crate::departures::{Departures, GONE};
use crate::kept::{Keeper, Motion};
use crate::moment::{Moment, Steps, Watched, between, look};
use crate::network::{LinkPlan, Network, Node, NodeKind, Path, PathPiece, RouteEntry, RouteUpdate};
use crate::route::{Destination, NOWHERE, Tree, Workspace};
use crate::sky::{Frame, Sky, nanos};
use crate::spec::{Attachment, ConstellationSpec, RouteTimes, Site};
use crate::trace::{destination, own_destination};
use link::{Config, Delay, DelayCurve, LinkSpec};
use orbit::earth::{distance_m, great_circle};
use std::collections::BTreeMap;
use std::sync::Arc;
use units::{Span, Time};

/// Knots of the delay curves are this far apart; a LEO range stays within a millimetre in between (see
/// [`DelayCurve`]).
const KNOT: Span = Span::from_secs(1);
/// Curves go on this many knots beyond the run, so that its end is no edge of the interpolation.
const MARGIN_KNOTS: u64 = 2;

/// Lays out the network of `spec` between `sites` for `duration`.
///
/// Nodes are the satellites, the gateways, the points of presence, then the sites. Only links that some forwarding entry
/// uses are made. A link that went down may be used again by a later entry. Paths are those of `pairs` (indices into
/// `sites`) and of their reverses; a pair that is connected for a part of the run only has pieces without a delay.
/// A flow's packets are sent to [`Network::address`].
///
/// # Errors
/// [`TopologyError::NoSatelliteInView`] if a site of a pair never sees a satellite, [`TopologyError::NoPath`] if a
/// pair is never connected, [`TopologyError::HomeWithoutFibre`], [`TopologyError::IslUnknown`], [`TopologyError::CatalogueUnreadable`], [`TopologyError::Orbit`].
///
/// # Panics
/// If a pair names a site that is not in `sites`.
pub fn build(
    spec: &ConstellationSpec,
    sites: &[Site],
    pairs: &[(u16, u16)],
    duration: Span,
) -> Result<Network, TopologyError> {
    let sky = Sky::new(spec, sites)?;
    let mut layout = Layout::new(&sky, sites, pairs)?;
    let step = if spec.route_step == Span::ZERO { Span::MAX } else { spec.route_step };
    let mut now = Moment::at(&sky, Time::ZERO, &Serving::default(), layout.routes())?;
    layout.write(&now);
    let watched = layout.watched();
    let mut departures = Departures::default();
    let mut steps = Steps::new(&sky, step);
    let mut kept = Kept { keepers: vec![Keeper::default(); now.routes.len()], ..Kept::default() };
    while let Some(at) = steps.after(now.at).filter(|at| at.since(Time::ZERO) < duration) {
        // What happens in between follows from both moments.
        let routes = match spec.route_times {
            RouteTimes::Events => now.routes.clone(),
            RouteTimes::Steps => std::mem::take(&mut now.routes),
        };
        let next = kept.next(&sky, at, &now, routes)?;
        if spec.route_times == RouteTimes::Events {
            between(&sky, &watched, &now, &next, &mut |_, after| {
                layout.write(after);
                Ok(())
            })?;
        }
        layout.write(&next);
        departures.watch(&sky, at, &next.frame.positions);
        now = next;
    }
    layout.check(sites)?;
    layout.network.notes.extend(departures.note(&sky));
    layout.finish(duration)
}

/// What leads from each moment to the next one soon after.
#[derive(Default)]
struct Kept {
    keepers: Vec<Keeper>,
    motion: Motion,
    work: Workspace,
}

impl Kept {
    /// The moment `at`; `routes` are those of `before`, the last that was asked for.
    fn next(
        &mut self,
        sky: &Sky<'_>,
        at: Time,
        before: &Moment,
        mut routes: Vec<Tree>,
    ) -> Result<Moment, TopologyError> {
        let (frame, serving) = look(sky, at, &before.serving)?;
        self.motion.follow(&before.frame, &frame);
        for (tree, keeper) in routes.iter_mut().zip(&mut self.keepers) {
            keeper.update(tree, &frame, &self.motion, &mut self.work);
        }
        Ok(Moment { at, frame, serving, routes })
    }
}

/// A network in the making.
struct Layout<'a> {
    sky: &'a Sky<'a>,
    network: Network,
    /// Ordered pairs of addresses and their reverses, without repeats.
    paths: Vec<Path>,
    /// Site and point of presence of each address.
    addresses: Vec<Destination>,
    /// Addresses that something is sent to, each with the next nodes of the last update, by node.
    destinations: Vec<(u16, Vec<u32>)>,
    /// Link from node to node.
    link_of: BTreeMap<(u32, u32), u32>,
    up: Vec<bool>,
    /// Whether some node was ever in reach, by site.
    reached: Vec<bool>,
    way: Vec<u32>,
}

impl<'a> Layout<'a> {
    fn new(sky: &'a Sky<'a>, sites: &[Site], pairs: &[(u16, u16)]) -> Result<Self, TopologyError> {
        let spec = sky.spec;
        let satellites = sky.satellites();
        let mut nodes: Vec<Node> = (0..satellites)
            .map(|satellite| Node { name: sky.name(satellite), kind: NodeKind::Satellite })
            .collect();
        let on_ground = spec.gateways.iter().map(|gateway| &gateway.site).chain(&spec.pops).chain(sites);
        nodes.extend(on_ground.map(|site| Node { name: site.name.clone(), kind: NodeKind::Ground }));
        let first_site = sky.core();
        let attachment = |site: u16| spec.attachment(&sites[usize::from(site)].name);
        let mut addresses: Vec<Destination> =
            (0..sites.len() as u16).map(|site| own_destination(spec, sites, site)).collect();
        let mut aliases = Vec::new();
        let mut paths: Vec<Path> = Vec::new();
        for &(a, b) in pairs.iter().filter(|(a, b)| a != b) {
            if [a, b].map(attachment) == [Attachment::Fibre; 2] {
                let name = |site: u16| sites[usize::from(site)].name.clone();
                return Err(TopologyError::BothOnFibre { from: name(a), to: name(b) });
            }
            let mut ends = [a, b];
            for (end, from, to) in [(0, b, a), (1, a, b)] {
                // The way to a wired site depends on whose it is: it has an address for each home.
                let address = destination(spec, sites, from, to)?;
                let known = addresses.iter().position(|&known| known == address);
                ends[end] = known.unwrap_or(addresses.len()) as u16;
                if known.is_none() {
                    addresses.push(address);
                }
                if ends[end] != to {
                    aliases.push(((from, to), ends[end]));
                }
            }
            for (from, to) in [(ends[0], ends[1]), (ends[1], ends[0])] {
                if !paths.iter().any(|path| (path.from, path.to) == (from, to)) {
                    paths.push(Path { from, to, pieces: Vec::new() });
                }
            }
        }
        aliases.sort_unstable();
        aliases.dedup();
        let mut destinations: Vec<u16> = paths.iter().map(|path| path.to).collect();
        destinations.sort_unstable();
        destinations.dedup();
        let places: Vec<_> = addresses
            .iter()
            .map(|address| &sites[usize::from(address.site)])
            .map(|site| (site.latitude, site.longitude))
            .collect();
        let distance_m =
            places.iter().map(|&a| places.iter().map(|&b| great_circle(a, b).m()).collect()).collect();
        Ok(Self {
            sky,
            destinations: destinations.into_iter().map(|site| (site, vec![NOWHERE; nodes.len()])).collect(),
            network: Network {
                sites: addresses.iter().map(|address| first_site + u32::from(address.site)).collect(),
                nodes,
                distance_m: Some(distance_m),
                aliases,
                notes: sky.notes.clone(),
                ..Network::default()
            },
            addresses,
            paths,
            link_of: BTreeMap::new(),
            up: Vec::new(),
            reached: vec![false; sites.len()],
            way: Vec::new(),
        })
    }

    /// Routes to all destinations, none known yet.
    fn routes(&self) -> Vec<Tree> {
        let tree = |&(address, _): &(u16, _)| {
            Tree::new(self.addresses[usize::from(address)], self.network.nodes.len())
        };
        self.destinations.iter().map(tree).collect()
    }

    /// Where the paths begin, and the trees that they follow.
    fn watched(&self) -> Vec<Watched> {
        let tree = |path: &Path| self.destinations.iter().position(|&(address, _)| address == path.to);
        let from = |path: &Path| self.network.sites[usize::from(path.from)];
        self.paths.iter().filter_map(|path| Some((tree(path)?, from(path)))).collect()
    }

    /// Writes down what is other than at the last moment.
    fn write(&mut self, moment: &Moment) {
        let (at, frame) = (moment.at, &moment.frame);
        for (site, reached) in self.reached.iter_mut().enumerate() {
            *reached |= !frame.view(site as u16).is_empty();
        }
        let first = self.network.updates.is_empty();
        let mut update = RouteUpdate { at, ..RouteUpdate::default() };
        let mut destinations = std::mem::take(&mut self.destinations);
        for ((address, next), tree) in destinations.iter_mut().zip(&moment.routes) {
            if !first && *next == tree.next {
                continue;
            }
            let own_node = self.network.sites[usize::from(*address)];
            for (node, (&hop, before)) in tree.next.iter().zip(next.iter_mut()).enumerate() {
                let node = node as u32;
                if node != own_node && (first || hop != *before) {
                    let link = (hop != NOWHERE).then(|| self.link(node, hop));
                    update.entries.push(RouteEntry { node, site: *address, link });
                }
                *before = hop;
            }
            self.follow_paths(*address, tree, frame, first, &mut update);
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

    /// Writes down the paths to an address that are new.
    fn follow_paths(&mut self, to: u16, tree: &Tree, frame: &Frame, first: bool, update: &mut RouteUpdate) {
        let mut paths = std::mem::take(&mut self.paths);
        for path in paths.iter_mut().filter(|path| path.to == to) {
            tree.way(frame, self.network.sites[usize::from(path.from)], &mut self.way);
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
        let name = |node: u32| &self.network.nodes[node as usize].name;
        let name = format!("{} > {}", name(from), name(to));
        // The delay follows when all links are known.
        let config = self.medium(from, to);
        self.network.links.push(LinkPlan { name, from, to, config });
        self.link_of.insert((from, to), link);
        self.up.push(true);
        link
    }

    /// What a link between two nodes is but for its delay.
    fn medium(&self, from: u32, to: u32) -> Config {
        let spec = self.sky.spec;
        let (satellites, core) = (self.sky.satellites(), self.sky.core());
        let in_space = |node: u32| node < satellites;
        let link = match (&spec.isl, in_space(from), in_space(to)) {
            (Some(isl), true, true) => &isl.link,
            (_, true, false) | (_, false, true) if from.max(to) < core => &spec.feeder,
            (_, false, true) => &spec.uplink,
            (_, true, false) => &spec.downlink,
            // Fibre is no bottleneck.
            (_, false, false) | (None, true, true) => &LinkSpec::IDEAL,
        };
        Config::new(link.clone(), Delay::Constant(Span::ZERO))
    }

    /// Whether every pair is connected at some time.
    fn check(&self, sites: &[Site]) -> Result<(), TopologyError> {
        let real = |address: u16| usize::from(self.addresses[usize::from(address)].site);
        for path in &self.paths {
            let site = real(path.from);
            if !self.reached[site] {
                return Err(crate::why::never_seen(self.sky, sites, site)?);
            }
        }
        match self.paths.iter().find(|path| path.pieces.iter().all(|piece| piece.links.is_empty())) {
            None => Ok(()),
            Some(path) => {
                Err(crate::why::no_path(self.sky.spec, &sites[real(path.from)], &sites[real(path.to)]))
            }
        }
    }

    /// Gives every link and every path its delay.
    fn finish(self, duration: Span) -> Result<Network, TopologyError> {
        let knots = duration.nanos().div_ceil(KNOT.nanos()) + 1 + MARGIN_KNOTS;
        let mut tracks: Vec<Vec<[f64; 3]>> = vec![Vec::new(); self.network.nodes.len()];
        for plan in &self.network.links {
            for node in [plan.from, plan.to] {
                let track = &mut tracks[node as usize];
                if !track.is_empty() {
                    continue;
                }
                // What stands on the ground stays where it is: one position. A wired site needs none.
                match self.sky.ground_position(node) {
                    Some(position) => track.push(position),
                    None if node >= self.sky.satellites() => {}
                    None => {
                        for knot in 0..knots {
                            let position = self.sky.position(node, Time::ZERO + KNOT * knot)?;
                            // Until routes turn away from one that left, light goes by where it was last.
                            let last = track.last().copied().filter(|_| position == GONE);
                            track.push(last.unwrap_or(position));
                        }
                    }
                }
            }
        }
        let position = |node: u32, knot: u64| {
            let track = &tracks[node as usize];
            track[(knot as usize).min(track.len() - 1)]
        };
        let satellites = self.sky.satellites();
        let mut network = self.network;
        let mut delays_ns: Vec<Vec<f64>> = Vec::with_capacity(network.links.len());
        for plan in &mut network.links {
            let knots_ns: Vec<f64> = if plan.from.min(plan.to) >= satellites {
                vec![nanos(self.sky.fibre_m(plan.from, plan.to)); knots as usize]
            } else {
                let metres = |knot| distance_m(position(plan.from, knot), position(plan.to, knot));
                (0..knots).map(|knot| nanos(metres(knot))).collect()
            };
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
        let handover = self.sky.spec.handover;
        if handover.outage > Span::ZERO {
            crate::handover::interrupt(&mut network.links, &network.paths, handover);
        }
        Ok(network)
    }
}

/// An ideal wire.
/// Delay of links one after the other from one time to another: their curves summed over the knots needed.
fn sum(links: &[u32], delays_ns: &[Vec<f64>], (from, to): (Time, Time)) -> Delay {
    let first = from.nanos() / KNOT.nanos();
    let last = to.nanos().div_ceil(KNOT.nanos()) + MARGIN_KNOTS;
    let knots_ns = (first as usize..=last as usize)
        .map(|knot| links.iter().map(|&link| delays_ns[link as usize][knot]).sum())
        .collect();
    Delay::Curve(Arc::new(DelayCurve::new(Time::ZERO + KNOT * first, KNOT, knots_ns)))
}
