// SPDX-License-Identifier: MIT OR Apache-2.0
//! The k shortest paths without loops between two sites at one time.
//!
//! The algorithm is by Yen, "Finding the k shortest loopless paths in a network", Management Science 17 (1971).
//! For each node of each known path, it searches the shortest continuation from that node that no known path uses. A*
//! finds the continuations. Its lower bound is the distance to the destination in the whole graph.

use crate::route::Destination;
use crate::serving::Serving;
use crate::sky::{Frame, Sky};
use crate::trace::{PathSample, destination, sample};
use crate::{ConstellationSpec, Site, TopologyError};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use units::Time;

/// Returns the `count` shortest paths by propagation delay between two sites at `at`, the shortest path first. Returns
/// fewer paths if no more exist. If two paths have the same length, the path with lower indices is first.
///
/// # Errors
/// The errors of the constellation: see [`crate::constellation::build`]. A missing path is not an error here.
pub fn shortest(
    spec: &ConstellationSpec,
    from: &Site,
    to: &Site,
    at: Time,
    count: usize,
) -> Result<Vec<PathSample>, TopologyError> {
    let sites = [from.clone(), to.clone()];
    let destination = destination(spec, &sites, 0, 1)?;
    let sky = Sky::new(spec, &sites)?;
    let mut frame = Frame::default();
    sky.look(at, &mut frame)?;
    Serving::default().apply(&sky, at, &mut frame)?;
    let ways = Graph::new(&frame, destination).shortest(sky.core(), count);
    ways.iter().map(|way| sample(&sky, &sites, at, way)).collect()
}

/// The neighbours of each node, with their distances in metres.
struct Graph {
    links: Vec<Vec<(u32, f64)>>,
    root: u32,
    /// Distance of each node to the root in metres; infinite without a path.
    to_root_m: Vec<f64>,
}

/// A path and the bits of its length. Lengths are not negative. Therefore the bits have the same order as the lengths.
type Candidate = (u64, Vec<u32>);

impl Graph {
    fn new(frame: &Frame, destination: Destination) -> Self {
        let core = frame.core() as u32;
        let may_pass = |node: u32| match (destination.via, frame.pop_of(node)) {
            (Some(via), Some(pop)) => via == pop,
            _ => true,
        };
        let mut links: Vec<Vec<(u32, f64)>> = vec![Vec::new(); core as usize + frame.sites()];
        let edges = frame.edges().iter().copied();
        for (a, b, metres) in edges.filter(|&(a, b, _)| may_pass(a) && may_pass(b)) {
            links[a as usize].push((b, metres));
            links[b as usize].push((a, metres));
        }
        for site in 0..frame.sites() as u16 {
            let own = core + u32::from(site);
            for &(node, metres) in frame.view(site).iter().filter(|&&(node, _)| may_pass(node)) {
                links[own as usize].push((node, metres));
                links[node as usize].push((own, metres));
            }
        }
        let root = core + u32::from(destination.site);
        let mut graph = Self { to_root_m: vec![f64::INFINITY; links.len()], links, root };
        graph.measure(core);
        graph
    }

    /// Computes all distances to the root with Dijkstra's algorithm. Sites (nodes from `core` on) do not relay.
    fn measure(&mut self, core: u32) {
        let mut heap = BinaryHeap::from([Reverse((0_u64, self.root))]);
        self.to_root_m[self.root as usize] = 0.0;
        while let Some(Reverse((bits, node))) = heap.pop() {
            let so_far = f64::from_bits(bits);
            if so_far > self.to_root_m[node as usize] || (node >= core && node != self.root) {
                continue;
            }
            for &(next, metres) in &self.links[node as usize] {
                if so_far + metres < self.to_root_m[next as usize] {
                    self.to_root_m[next as usize] = so_far + metres;
                    heap.push(Reverse(((so_far + metres).to_bits(), next)));
                }
            }
        }
        // A link to another site cannot be part of a path, because sites do not relay.
        let root = self.root;
        for (node, links) in self.links.iter_mut().enumerate() {
            if node < core as usize {
                links.retain(|&(next, _)| next < core || next == root);
            }
        }
    }

    fn shortest(&self, from: u32, count: usize) -> Vec<Vec<u32>> {
        let mut found: Vec<Vec<u32>> = Vec::new();
        let mut candidates: BTreeSet<Candidate> = BTreeSet::new();
        candidates.extend(self.continued(&[from], &[]));
        while found.len() < count {
            let Some((_, way)) = candidates.pop_first() else { break };
            for spur in 0..way.len() - 1 {
                let head = &way[..=spur];
                // The continuations of this head that known paths, and the present path, already use.
                let taken: Vec<u32> = found
                    .iter()
                    .chain([&way])
                    .filter(|known| known.starts_with(head))
                    .map(|known| known[spur + 1])
                    .collect();
                candidates.extend(self.continued(head, &taken));
            }
            found.push(way);
        }
        found
    }

    /// Returns the shortest path that begins with `head` and whose next node is not in `taken`.
    fn continued(&self, head: &[u32], taken: &[u32]) -> Option<Candidate> {
        let (&spur, passed) = head.split_last()?;
        let mut metres = vec![f64::INFINITY; self.links.len()];
        let mut before = vec![u32::MAX; self.links.len()];
        let head_m: f64 = head.windows(2).map(|leg| self.length(leg[0], leg[1])).sum();
        metres[spur as usize] = 0.0;
        let mut heap = BinaryHeap::from([Reverse((self.to_root_m[spur as usize].to_bits(), spur, 0_u64))]);
        while let Some(Reverse((_, node, bits))) = heap.pop() {
            let so_far = f64::from_bits(bits);
            if so_far > metres[node as usize] {
                continue;
            }
            if node == self.root {
                let mut tail = vec![node];
                let mut at = node;
                while at != spur {
                    at = before[at as usize];
                    tail.push(at);
                }
                let way: Vec<u32> = passed.iter().copied().chain(tail.into_iter().rev()).collect();
                return Some(((head_m + so_far).to_bits(), way));
            }
            for &(next, length) in &self.links[node as usize] {
                let ahead = self.to_root_m[next as usize];
                let barred = passed.contains(&next) || (node == spur && taken.contains(&next));
                let longer = so_far + length;
                if !barred && ahead.is_finite() && longer < metres[next as usize] {
                    metres[next as usize] = longer;
                    before[next as usize] = node;
                    heap.push(Reverse(((longer + ahead).to_bits(), next, longer.to_bits())));
                }
            }
        }
        None
    }

    fn length(&self, a: u32, b: u32) -> f64 {
        let found = self.links[a as usize].iter().find(|&&(other, _)| other == b);
        found.map_or(f64::INFINITY, |&(_, metres)| metres)
    }
}
