// SPDX-License-Identifier: MIT OR Apache-2.0
//! Simple networks whose routes never change.

use crate::network::{LinkPlan, Network, Node, NodeKind, Path, PathPiece, RouteEntry, RouteUpdate};
use link::{Config, Delay, LinkSpec};
use units::{Span, Time};

/// Largest number of sites in a chain for which every pair of sites has a path. In a longer chain, only the two ends
/// have a path.
const MAX_CHAIN_PATHS: usize = 32;

/// Returns two sites, "left" and "right", with a link in each direction.
pub fn dumbbell(forward: Config, reverse: Config) -> Network {
    pair(["left", "right"], forward, reverse)
}

/// Returns two sites with these names, and a link in each direction.
pub fn pair(names: [&str; 2], forward: Config, reverse: Config) -> Network {
    let mut shape = Shape::new(names.map(str::to_owned));
    shape.link(0, 1, forward);
    shape.link(1, 0, reverse);
    shape.finish(&all_pairs(2), |from, to| u32::from(from > to))
}

/// Returns sites "0" to "n" in a row. Neighbours are connected by `links`, which are equal in both directions.
pub fn chain(links: &[Config]) -> Network {
    let sites = links.len() + 1;
    let mut shape = Shape::new((0..sites).map(|at| at.to_string()));
    for (at, link) in links.iter().enumerate() {
        shape.link(at as u32, at as u32 + 1, link.clone());
        shape.link(at as u32 + 1, at as u32, link.clone());
    }
    let end = sites as u16 - 1;
    let pairs = if sites <= MAX_CHAIN_PATHS { all_pairs(sites as u16) } else { vec![(0, end), (end, 0)] };
    // Link 2k leads from site k to site k+1, and link 2k+1 leads back.
    shape.finish(&pairs, |from, to| if to > from { 2 * from } else { 2 * from - 1 })
}

/// Returns branches that meet in a "hub", the last site. Each branch has a separate link, which is equal in both
/// directions.
pub fn star(branches: &[(String, LinkSpec, Delay)]) -> Network {
    let hub = branches.len() as u32;
    let names = branches.iter().map(|(name, ..)| name.clone());
    let mut shape = Shape::new(names.chain(std::iter::once("hub".to_owned())));
    for (at, (_, spec, delay)) in branches.iter().enumerate() {
        let link = Config::new(spec.clone(), delay.clone());
        shape.link(at as u32, hub, link.clone());
        shape.link(hub, at as u32, link);
    }
    // Link 2k leads from branch k to the hub, and link 2k+1 leads back.
    shape.finish(&all_pairs(hub as u16 + 1), |from, to| if from == hub { 2 * to + 1 } else { 2 * from })
}

fn all_pairs(sites: u16) -> Vec<(u16, u16)> {
    (0..sites).flat_map(|from| (0..sites).filter(move |&to| to != from).map(move |to| (from, to))).collect()
}

/// A network under construction. Node and site indices are the same.
struct Shape {
    network: Network,
}

impl Shape {
    fn new(names: impl IntoIterator<Item = String>) -> Self {
        let nodes: Vec<Node> = names.into_iter().map(|name| Node { name, kind: NodeKind::Ground }).collect();
        let sites = (0..nodes.len() as u32).collect();
        Self { network: Network { nodes, sites, ..Network::default() } }
    }

    fn link(&mut self, from: u32, to: u32, config: Config) {
        let name = |node: u32| &self.network.nodes[node as usize].name;
        let name = format!("{} > {}", name(from), name(to));
        self.network.links.push(LinkPlan { name, from, to, config, turn: None });
    }

    /// Sets the routes. `next` returns the link from one node towards another node.
    fn finish(mut self, pairs: &[(u16, u16)], next: impl Fn(u32, u32) -> u32) -> Network {
        let nodes = self.network.nodes.len() as u32;
        let entries = (0..nodes)
            .flat_map(|site| (0..nodes).filter(move |&node| node != site).map(move |node| (node, site)))
            .map(|(node, site)| RouteEntry { node, site: site as u16, link: Some(next(node, site)) })
            .collect();
        self.network.updates = vec![RouteUpdate { at: Time::ZERO, entries, ..RouteUpdate::default() }];
        self.network.paths = pairs
            .iter()
            .map(|&(from, to)| {
                let (mut at, mut links) = (u32::from(from), Vec::new());
                while at != u32::from(to) {
                    let link = next(at, u32::from(to));
                    links.push(link);
                    at = self.network.links[link as usize].to;
                }
                let delays: Vec<&Delay> =
                    links.iter().map(|&link| &self.network.links[link as usize].config.delay).collect();
                let delay = Some(sum(&delays));
                let pieces = vec![PathPiece { from: Time::ZERO, links, delay }];
                Path { from, to, since: Time::ZERO, until: Time::MAX, pieces }
            })
            .collect();
        self.network
    }
}

/// Returns the total delay of consecutive links as a function of time. All links are evaluated at the same time; the
/// delay of earlier links does not shift this time for later links. A delay curve among several links is sampled at the
/// steps of the other links. (In simple networks, delays are constant, change in steps, or replay a trace. A trace is
/// also evaluated only at these times. A single link may have any delay.)
fn sum(delays: &[&Delay]) -> Delay {
    if let [delay] = delays {
        return (*delay).clone();
    }
    let mut times = vec![Time::ZERO];
    for delay in delays {
        if let Delay::Steps(steps) = delay {
            times.extend(steps.iter().map(|&(at, _)| at));
        }
    }
    times.sort_unstable();
    times.dedup();
    let total = |at: Time| delays.iter().fold(Span::ZERO, |sum, delay| sum + delay.at(at));
    match times.as_slice() {
        [start] => Delay::Constant(total(*start)),
        _ => Delay::Steps(times.iter().map(|&at| (at, total(at))).collect()),
    }
}
