// SPDX-License-Identifier: MIT OR Apache-2.0
//! Proxies at the gateway of a path. The gateway may change over time.
//!
//! Such a proxy needs no separate routes. A sender sends towards the far end of the path, and the gateway intercepts
//! the packets. This works because up to the gateway, the route to the far end is also the route to the gateway. After
//! a handover, the site of the proxy moves to another node. If a packet is then still on its way through the previous
//! gateway, this gateway does not intercept it.
//!
//! In the engine, the site of the proxy has two addresses, one per direction. These addresses are not destinations of
//! the almanac. Instead, the gate processes each page (part of the network over time) of the almanac. `plan` determines
//! which gateway serves first.

use crate::network::{Network, NodeKind, Path, PathPiece, RouteEntry};
use crate::spec::{ConstellationSpec, Site};
use link::{Delay, DelayCurve};
use orbit::earth::great_circle;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
use units::Time;

/// The gateway on the path between two sites, one of which is on fibre.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    /// The two ends of the path.
    pub ends: (u16, u16),
    /// Site at which packets from the first end arrive. Packets to this site travel towards the second end.
    pub arrive: u16,
    /// Site that sends towards the second end. Packets to this site travel towards the first end.
    pub leave: u16,
    /// Node of the gateway that serves at the end of the computed part of the network; `None` if no gateway has served
    /// yet.
    pub node: Option<u32>,
}

/// The pieces of a path before and behind the gateway, and the gateways over time.
struct Cut {
    head: Vec<PathPiece>,
    tail: Vec<PathPiece>,
    nodes: Vec<(Time, u32)>,
}

impl Network {
    /// Adds the sites of a gate at the gateway of the path between two addresses. The sites are at the gateway `first`
    /// until the first serving gateway is known. [`Self::pass`] then processes each page for the gate.
    pub fn gate(&mut self, spec: &ConstellationSpec, sites: &[Site], from: u16, to: u16, first: u32) -> Gate {
        let arrive = self.sites.len() as u16;
        self.sites.extend([first; 2]);
        self.note_distances(spec, sites);
        Gate { ends: (from, to), arrive, leave: arrive + 1, node: None }
    }

    /// Returns the node of the first serving gateway between two addresses, in the part of the network that is
    /// computed; `None` if none has served yet.
    pub fn first_gateway(&self, spec: &ConstellationSpec, from: u16, to: u16) -> Option<u32> {
        self.cut(spec, self.path(from, to)?).nodes.first().map(|&(_, node)| node)
    }

    /// Returns the node of some gateway.
    ///
    /// # Panics
    /// If the constellation has no gateway.
    pub fn some_gateway(&self, spec: &ConstellationSpec) -> u32 {
        assert!(!spec.gateways.is_empty(), "a gate is at a gateway");
        self.gateways(spec).start as u32
    }

    /// Processes the last page for a gate, for the path in both directions. The sites of the gate get routes, and paths
    /// from and to the ends. Returns the times at which another gateway takes over, with the node of that gateway. The
    /// first serving gateway is not in this list, because the sites are placed there directly.
    ///
    /// # Panics
    /// If the path does not exist.
    pub fn pass(&mut self, spec: &ConstellationSpec, gate: &mut Gate, page: Time) -> Vec<(Time, u32)> {
        let Gate { ends: (from, to), arrive, leave, .. } = *gate;
        let cut = |from, to| {
            let path = self.path(from, to).unwrap_or_else(|| unreachable!("a flow goes there"));
            (path.since, path.until, self.cut(spec, path))
        };
        let ((since, until, there), (_, _, back)) = (cut(from, to), cut(to, from));
        for update in &mut self.updates {
            let twin = |entry: &RouteEntry| match entry.site {
                site if site == to => Some(RouteEntry { site: arrive, ..*entry }),
                site if site == from => Some(RouteEntry { site: leave, ..*entry }),
                _ => None,
            };
            let twins: Vec<RouteEntry> = update.entries.iter().filter_map(twin).collect();
            update.entries.extend(twins);
        }
        let new = [
            (from, arrive, there.head),
            (leave, to, there.tail),
            (to, leave, back.head),
            (arrive, from, back.tail),
        ];
        for (from, to, pieces) in new {
            let changes: BTreeSet<Time> = pieces.iter().skip(1).map(|piece| piece.from).collect();
            for update in self.updates.iter_mut().filter(|update| changes.contains(&update.at)) {
                update.changed_paths.push((from, to));
            }
            self.paths.push(Path { from, to, since, until, pieces });
        }
        let mut turns = Vec::new();
        for (at, node) in there.nodes {
            // Changes of the gateway before this page were found on earlier pages.
            if at < page && gate.node.is_some() {
                continue;
            }
            match gate.node.replace(node) {
                None => {
                    self.sites[usize::from(arrive)] = node;
                    self.sites[usize::from(leave)] = node;
                }
                Some(before) if before != node => turns.push((at, node)),
                Some(_) => {}
            }
        }
        turns
    }

    /// Returns the nodes of the gateways, which follow the satellites.
    fn gateways(&self, spec: &ConstellationSpec) -> Range<usize> {
        let satellites = self.nodes.iter().take_while(|node| node.kind == NodeKind::Satellite).count();
        satellites..satellites + spec.gateways.len()
    }

    /// Cuts a path at its gateway. If the path passes several gateways, it is cut at the gateway next to the fibre.
    fn cut(&self, spec: &ConstellationSpec, path: &Path) -> Cut {
        let gateways = self.gateways(spec);
        let mut cut = Cut { head: Vec::new(), tail: Vec::new(), nodes: Vec::new() };
        for piece in &path.pieces {
            let leads_to = |&link: &u32| self.links[link as usize].to;
            let is_gateway = |link: &u32| gateways.contains(&(leads_to(link) as usize));
            // The first link from a site on fibre leads to a point of presence.
            let from_fibre = piece.links.first().is_some_and(|link| leads_to(link) as usize >= gateways.end);
            let at = if from_fibre {
                piece.links.iter().position(is_gateway)
            } else {
                piece.links.iter().rposition(is_gateway)
            };
            let (head, tail) = piece.links.split_at(at.map_or(0, |at| at + 1));
            let tail = if at.is_some() { tail } else { &[] };
            for (part, links) in [(&mut cut.head, head), (&mut cut.tail, tail)] {
                let known = part.last().map(|piece: &PathPiece| piece.links.as_slice());
                if known != Some(links) {
                    let (links, delay) = (links.to_vec(), self.whole_delay(links));
                    part.push(PathPiece { from: piece.from, links, delay });
                }
            }
            let node = head.last().map(leads_to);
            if let Some(node) = node.filter(|&node| cut.nodes.last().is_none_or(|&(_, last)| last != node)) {
                cut.nodes.push((piece.from, node));
            }
        }
        cut
    }

    /// Returns the total delay of consecutive links; `None` if there are no links.
    fn whole_delay(&self, links: &[u32]) -> Option<Delay> {
        let curve = |&link: &u32| match &self.links[link as usize].config.delay {
            Delay::Curve(curve) => &**curve,
            _ => unreachable!("the links of a constellation have curves"),
        };
        let curves: Vec<&DelayCurve> = links.iter().map(curve).collect();
        (!curves.is_empty()).then(|| Delay::Curve(Arc::new(DelayCurve::sum(&curves))))
    }

    /// Updates the distances between sites. The sites of a gate have the position of their gateway.
    fn note_distances(&mut self, spec: &ConstellationSpec, sites: &[Site]) {
        let gateways = self.gateways(spec);
        let core = gateways.end + spec.pops.len();
        let place = |&node: &u32| {
            let node = node as usize;
            let site = match node.checked_sub(core) {
                Some(site) => &sites[site],
                None => &spec.gateways[node - gateways.start].site,
            };
            site.coordinates()
        };
        let places: Vec<_> = self.sites.iter().map(place).collect();
        let row = |&a: &_| places.iter().map(|&b| great_circle(a, b).m()).collect();
        self.distance_m = Some(places.iter().map(row).collect());
    }
}
