// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shortest paths from all nodes to one site, updated while satellites move.
//!
//! From one step to the next, nearly every node keeps its next hop: in one second, fewer than 0.4 % of the entries of a
//! LEO constellation change. The search is therefore incremental:
//!
//! 1. The distances along the old tree are computed with the new link lengths, each node after its parent. This takes
//!    one pass without a queue. Nodes behind a link that no longer exists have no distance.
//! 2. For each link, the search checks whether the link is a shortcut. Dijkstra's algorithm continues from all
//!    shortcuts.
//!
//! The result depends only on the graph, not on the previous tree. If two paths have the same length, the path through
//! the node with the lower index is always taken. A tree may therefore be updated to any other time, including an
//! earlier time.
//!
//! A tree takes 9 bytes per node. A test compares updated trees with new trees and with the Bellman-Ford algorithm.
//!
//! Two satellites of an ideal shell can be at the same position, so a link can have length zero. Two nodes at the ends
//! of this link must not send to each other. Therefore a path that is only as short as the known path is taken only if
//! its next node is strictly nearer to the destination.

use crate::sky::Frame;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Value for "no node".
pub(crate) const NOWHERE: u32 = u32::MAX;

/// Destination of packets, and the points of presence that they may pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Destination {
    /// Index of the destination site.
    pub site: u16,
    /// Index of the only point of presence that packets may pass; `None` if they may pass any.
    pub via: Option<u16>,
}

/// Next hops of all nodes towards one destination.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub destination: Destination,
    /// For each node, the next node on the path. [`NOWHERE`] for the destination itself, and for a node without a path.
    pub next: Vec<u32>,
    /// For each node, the position of the next node among its links, as far as known ([`Frame::length_at`]).
    port: Vec<u8>,
    /// Nodes of the core in the order of the last update, in which most nodes follow their next nodes.
    order: Vec<u32>,
}

/// A next hop that changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub node: u32,
    pub before: u32,
}

/// Memory for updating trees, shared by the trees of one thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Workspace {
    /// Distance of each node to the destination, in metres.
    pub distance_m: Vec<f64>,
    /// Whether the known distance of a node is its distance along the old tree with the present link lengths.
    known: Vec<bool>,
    /// Length of the link between each node and the destination, in metres; infinite without a link.
    to_root: Vec<f64>,
    walk: Vec<u32>,
    /// The new [`Tree::order`].
    order: Vec<u32>,
    heap: BinaryHeap<Reverse<(u64, u32)>>,
    /// Sum of all reductions of distances by shortcuts, in metres.
    pub gained_m: f64,
    /// First change of each node in this update. A later change may have reversed it.
    touched: Vec<Change>,
    is_touched: Vec<bool>,
    /// Next hops that differ between before and after the update.
    pub changes: Vec<Change>,
}

impl Tree {
    pub fn new(destination: Destination, nodes: usize) -> Self {
        Self { destination, next: vec![NOWHERE; nodes], port: vec![0; nodes], order: Vec::new() }
    }

    /// Updates the tree to `frame`. Afterwards, `work.changes` contains the changed next hops, in the order of nodes.
    pub fn update(&mut self, frame: &Frame, work: &mut Workspace) {
        self.update_core(frame, work);
        self.attach_sites(frame, work);
        work.finish(&self.next);
    }

    /// Updates several trees to `frame`, tree n with workspace n, as [`Self::update`] does. The trees share the search
    /// for the first node of the path from each site.
    pub fn update_all(trees: &mut [Self], frame: &Frame, work: &mut [Workspace], lanes: &mut Lanes) {
        for (tree, work) in trees.iter_mut().zip(&mut *work) {
            tree.update_core(frame, work);
        }
        if trees.len() == LANES && trees.iter().all(|tree| tree.destination.via.is_none()) {
            lanes.fill(frame.core(), work);
            for site in 0..frame.sites() as u16 {
                let next = lanes.nearest(frame.view(site));
                let node = (frame.core() + usize::from(site)) as u32;
                for ((tree, work), next) in trees.iter_mut().zip(&mut *work).zip(next) {
                    if site != tree.destination.site {
                        tree.point(work, node, next);
                    }
                }
            }
        } else {
            for (tree, work) in trees.iter_mut().zip(&mut *work) {
                tree.attach_sites(frame, work);
            }
        }
        for (tree, work) in trees.iter().zip(work) {
            work.finish(&tree.next);
        }
    }

    /// Updates the next hops of the nodes of the core.
    fn update_core(&mut self, frame: &Frame, work: &mut Workspace) {
        let core = frame.core();
        let root = (core + usize::from(self.destination.site)) as u32;
        work.begin(self.next.len());
        for &(node, metres) in frame.view(self.destination.site) {
            if self.may_pass(frame, node) {
                work.to_root[node as usize] = metres;
            }
        }
        work.distance_m[root as usize] = 0.0;
        work.known[root as usize] = true;
        if self.order.len() != core {
            self.order = (0..core as u32).collect();
        }
        // A node whose next node is known has a distance without a walk. In the order of the previous update, this is
        // the case for all nodes but those behind a change, so the processor predicts the branch.
        let order = std::mem::take(&mut self.order);
        work.order.clear();
        for &node in &order {
            if !work.known[node as usize] {
                self.follow(frame, work, node, root);
            }
        }
        self.order = std::mem::replace(&mut work.order, order);
        for &(node, metres) in frame.view(self.destination.site) {
            if work.to_root[node as usize].is_finite() {
                self.offer(work, node, root, metres);
            }
        }
        self.take_shortcuts(frame, work);
        self.spread(frame, work);
        for node in 0..core as u32 {
            if work.distance_m[node as usize].is_infinite() {
                self.point(work, node, NOWHERE);
            }
        }
        for &(node, _) in frame.view(self.destination.site) {
            work.to_root[node as usize] = f64::INFINITY;
        }
    }

    /// Writes the nodes of the path from `node` to the destination to `way`, including both ends; empty without a path.
    pub fn way(&self, frame: &Frame, node: u32, way: &mut Vec<u32>) {
        way.clear();
        let root = (frame.core() + usize::from(self.destination.site)) as u32;
        if self.next[node as usize] == NOWHERE {
            return;
        }
        let mut at = node;
        while at != root {
            way.push(at);
            at = self.next[at as usize];
        }
        way.push(root);
    }

    /// Returns whether packets to this destination may pass `node`.
    fn may_pass(&self, frame: &Frame, node: u32) -> bool {
        match (self.destination.via, frame.pop_of(node)) {
            (Some(via), Some(pop)) => via == pop,
            _ => true,
        }
    }

    /// Computes the distance of `node` along the old tree.
    #[inline]
    fn follow(&mut self, frame: &Frame, work: &mut Workspace, node: u32, root: u32) {
        let next = self.next[node as usize];
        if next != NOWHERE && work.known[next as usize] {
            self.step(frame, work, node, root);
            return;
        }
        let mut at = node;
        while at != NOWHERE && !work.known[at as usize] {
            work.walk.push(at);
            at = self.next[at as usize];
        }
        while let Some(child) = work.walk.pop() {
            self.step(frame, work, child, root);
        }
    }

    /// Computes the distance of `node` from the distance of its next node.
    #[inline]
    fn step(&mut self, frame: &Frame, work: &mut Workspace, node: u32, root: u32) {
        let next = self.next[node as usize];
        work.distance_m[node as usize] = if next == NOWHERE {
            f64::INFINITY
        } else if next == root {
            work.to_root[node as usize]
        } else {
            let metres = frame.length_at(node, next, &mut self.port[node as usize]);
            work.distance_m[next as usize] + metres
        };
        work.known[node as usize] = true;
        work.order.push(node);
    }

    /// For each link, checks whether the path over this link is better than the known path. Few links are better.
    /// Therefore the comparison has no branches. For a link of the tree itself, both paths are equal, so it needs no
    /// separate check.
    #[expect(clippy::needless_bitwise_bool, reason = "lazy operators are branches")]
    fn take_shortcuts(&mut self, frame: &Frame, work: &mut Workspace) {
        for &(a, b, metres) in frame.edges() {
            let (from_a, from_b) = (work.distance_m[a as usize], work.distance_m[b as usize]);
            let (to_a, to_b) = (from_b + metres, from_a + metres);
            let better = (to_a < from_a) | (to_b < from_b);
            let tie_a = (to_a <= from_a) & (b < self.next[a as usize]);
            let tie_b = (to_b <= from_b) & (a < self.next[b as usize]);
            if better | tie_a | tie_b {
                // Nodes that are reached for the first time are in the heap. They are processed from there.
                for (near, far, metres) in [(a, b, to_b), (b, a, to_a)] {
                    let known = work.known[near as usize] && metres.is_finite();
                    if known && self.may_pass(frame, near) {
                        self.offer(work, far, near, metres);
                    }
                }
            }
        }
    }

    /// Continues Dijkstra's algorithm from the shortcuts.
    pub fn spread(&mut self, frame: &Frame, work: &mut Workspace) {
        while let Some(Reverse((bits, node))) = work.heap.pop() {
            if f64::from_bits(bits) <= work.distance_m[node as usize] && self.may_pass(frame, node) {
                self.relax(frame, work, node);
            }
        }
    }

    /// Offers each neighbour of `node` the path through `node`.
    fn relax(&mut self, frame: &Frame, work: &mut Workspace, node: u32) {
        let so_far = work.distance_m[node as usize];
        for (neighbour, metres) in frame.links(node) {
            self.offer(work, neighbour, node, so_far + metres);
        }
    }

    /// Offers `node` a path of `metres` whose next node is `next`. The path is taken if it is better than the known
    /// path.
    #[inline]
    pub fn offer(&mut self, work: &mut Workspace, node: u32, next: u32, metres: f64) {
        let known = work.distance_m[node as usize];
        if metres < known {
            work.gained_m += known - metres;
            work.distance_m[node as usize] = metres;
            work.known[node as usize] = false;
            self.point(work, node, next);
            // Lengths are not negative, so their bits have the same order.
            work.heap.push(Reverse((metres.to_bits(), node)));
        } else if metres.total_cmp(&known).is_eq()
            && next < self.next[node as usize]
            // Two satellites of an ideal shell can be at the same point. They must not send to each other.
            && work.distance_m[next as usize] < known
        {
            self.point(work, node, next);
        }
    }

    /// Chooses the first node of the path from every other site. Sites are only ends of paths and never relay.
    fn attach_sites(&mut self, frame: &Frame, work: &mut Workspace) {
        for site in 0..frame.sites() as u16 {
            if site != self.destination.site {
                self.attach_site(frame, work, site);
            }
        }
    }

    /// Chooses the first node of the path from another site.
    pub fn attach_site(&mut self, frame: &Frame, work: &mut Workspace, site: u16) {
        let view = frame.view(site);
        let length = |&(node, metres): &(u32, f64)| work.distance_m[node as usize] + metres;
        let passes = |&&(node, _): &&(u32, f64)| self.may_pass(frame, node);
        // The code first finds the smallest length, without branches. It then finds the node with this length; of
        // several such nodes, the node with the lowest index.
        let least = |best: f64, way: f64| if way < best { way } else { best };
        let (best, next) = if self.destination.via.is_none() {
            let best = view.iter().map(length).fold(f64::INFINITY, least);
            (best, view.iter().find(|way| length(way) <= best))
        } else {
            let best = view.iter().filter(passes).map(length).fold(f64::INFINITY, least);
            (best, view.iter().filter(passes).find(|way| length(way) <= best))
        };
        let next = next.filter(|_| best.is_finite()).map_or(NOWHERE, |&(node, _)| node);
        self.point(work, (frame.core() + usize::from(site)) as u32, next);
    }

    #[inline]
    fn point(&mut self, work: &mut Workspace, node: u32, next: u32) {
        let before = std::mem::replace(&mut self.next[node as usize], next);
        if before != next && !std::mem::replace(&mut work.is_touched[node as usize], true) {
            work.touched.push(Change { node, before });
        }
    }
}

/// Number of trees that [`Tree::update_all`] updates together.
pub(crate) const LANES: usize = 8;

/// Distances of the core nodes to [`LANES`] destinations in metres, node by node: one cache line per node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lanes(Vec<[f64; LANES]>);

impl Lanes {
    fn fill(&mut self, core: usize, work: &[Workspace]) {
        self.0.resize(core, [0.0; LANES]);
        for (lane, work) in work.iter().enumerate() {
            for (lanes, &metres) in self.0.iter_mut().zip(&work.distance_m) {
                lanes[lane] = metres;
            }
        }
    }

    /// Returns, for each destination, the first node of the shortest path over one of these links; [`NOWHERE`] without
    /// a path. Of several paths with this length, the path over the link that comes first is taken.
    fn nearest(&self, view: &[(u32, f64)]) -> [u32; LANES] {
        let (mut best, mut at) = ([f64::INFINITY; LANES], [0.0; LANES]);
        // The last link comes first, so that of equal paths the first one remains. Positions are floating-point numbers,
        // so that the compiler can select lengths and positions of several lanes with the same mask.
        for (position, &(node, metres)) in view.iter().enumerate().rev() {
            let position = position as f64;
            for ((best, at), from) in best.iter_mut().zip(&mut at).zip(&self.0[node as usize]) {
                let way = from + metres;
                *at = if way <= *best { position } else { *at };
                *best = if way <= *best { way } else { *best };
            }
        }
        std::array::from_fn(|lane| if best[lane].is_finite() { view[at[lane] as usize].0 } else { NOWHERE })
    }
}

impl Workspace {
    fn begin(&mut self, nodes: usize) {
        self.distance_m.clear();
        self.distance_m.resize(nodes, f64::INFINITY);
        self.known.clear();
        self.known.resize(nodes, false);
        self.to_root.resize(nodes, f64::INFINITY);
        self.is_touched.resize(nodes, false);
        self.changes.clear();
    }

    /// Works as [`Self::begin`], but keeps the known distances.
    pub fn resume(&mut self, nodes: usize) {
        self.known.resize(nodes, false);
        self.is_touched.resize(nodes, false);
        self.changes.clear();
        self.gained_m = 0.0;
    }

    pub fn finish(&mut self, next: &[u32]) {
        for change in self.touched.drain(..) {
            self.is_touched[change.node as usize] = false;
            if next[change.node as usize] != change.before {
                self.changes.push(change);
            }
        }
        self.changes.sort_unstable_by_key(|change| change.node);
    }
}

#[cfg(test)]
mod tests;
