// SPDX-License-Identifier: MIT OR Apache-2.0
//! Updates of trees to a slightly later time, at which nearly all links have only changed their lengths a little.
//!
//! Each link outside the tree has some *slack*. The link can become a shortcut only if the distances of its two ends
//! and its own length change by more than the slack. The distances of the tree are computed in a fixed order at every
//! time. This computation also gives a bound on the change of the difference between any two distances. Only links
//! whose slack is smaller than this bound are checked. The satellites of a site are treated in the same way.
//!
//! The results are exactly those of [`Tree::update`], because slack only decides which links need no check. If links
//! appear or disappear, [`Tree::update`] is used.

use crate::route::{NOWHERE, Tree, Workspace};
use crate::sky::Frame;

/// Safety margin in metres, far above the rounding errors of distances.
const MARGIN_M: f64 = 1e-3;
/// Slack is stored in 4 bytes, with a relative precision of 6e-8. This factor rounds slack down by more than this
/// precision.
const ROUND_DOWN: f64 = 1.0 - 1e-6;
const ROUND_UP: f64 = 1.0 + 1e-6;

/// Changes of link lengths from one time to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Motion {
    /// Present lengths of the links of the core in metres, in the order of [`Frame::edges`].
    lengths_m: Vec<f64>,
    /// Whether the links are the same as at the previous time.
    same_links: bool,
    /// Largest change of the length of one link, in metres.
    most_m: f64,
    views: Vec<View>,
}

/// The links of a site.
#[derive(Clone, Copy, Debug, Default)]
struct View {
    /// Whether the linked nodes are the same as at the previous time.
    same: bool,
    /// Bound of the change of the difference between two link lengths of the site since [`TreeUpdater::begin`], in
    /// metres.
    drift_m: f64,
}

impl Motion {
    /// Computes the changes from `before` to `after`.
    pub fn follow(&mut self, before: &Frame, after: &Frame) {
        let edges = before.edges().iter().zip(after.edges());
        self.same_links = before.edges().len() == after.edges().len()
            && edges.clone().all(|(old, new)| (old.0, old.1) == (new.0, new.1));
        self.most_m = edges.fold(0.0, |most, (old, new)| f64::max(most, (new.2 - old.2).abs()));
        self.lengths_m.clear();
        self.lengths_m.extend(after.edges().iter().map(|edge| edge.2));
        self.views.resize(after.sites(), View::default());
        for (site, view) in self.views.iter_mut().enumerate() {
            let (old, new) = (before.view(site as u16), after.view(site as u16));
            view.same = old.len() == new.len() && old.iter().zip(new).all(|(old, new)| old.0 == new.0);
            let moved = old.iter().zip(new).map(|(old, new)| new.1 - old.1);
            let (least, most) = moved.fold((0.0, 0.0), |(least, most), by| (by.min(least), by.max(most)));
            view.drift_m += most - least;
        }
    }
}

/// A node, the next node on its path, and the link between them.
#[derive(Clone, Copy, Debug)]
struct Leg {
    node: u32,
    next: u32,
    /// Index among the links of the core. For a last leg, index among the links of the destination.
    link: u32,
}

/// State of a tree that is kept between updates.
#[derive(Clone, Debug, Default)]
pub(crate) struct TreeUpdater {
    /// Whether the state is valid. The state is valid if the links are the same as at the previous time and every node
    /// has a path.
    holds: bool,
    /// Legs of the core nodes that are linked directly to the destination.
    last_legs: Vec<Leg>,
    /// Legs of all other nodes. The leg of a node follows the leg of the next node on its path.
    legs: Vec<Leg>,
    /// Distance of each node to the destination, in metres.
    distance_m: Vec<f64>,
    /// Bound of the change of a difference of two distances plus a link length since [`Self::begin`], in metres.
    drift_m: f64,
    /// For each link, the value of `drift_m` at which the link must be checked. Infinite for a link of the tree.
    link_due_m: Vec<f32>,
    /// For each site, the sum of `drift_m` and the drift of its view at which the site must be checked.
    site_due_m: Vec<f64>,
    asked: Vec<u32>,
}

impl TreeUpdater {
    /// Updates `tree` to `frame`. `motion` contains the changes of lengths. Afterwards, `work.changes` contains the
    /// changed next hops, in the order of nodes.
    pub fn update(&mut self, tree: &mut Tree, frame: &Frame, motion: &Motion, work: &mut Workspace) {
        let to = usize::from(tree.destination.site);
        if !(self.holds && motion.same_links && motion.views[to].same) {
            tree.update(frame, work);
            self.holds = motion.same_links && tree.destination.via.is_none() && self.begin(tree, frame, work);
            return;
        }
        self.move_on(frame.view(tree.destination.site), motion);
        work.resume(tree.next.len());
        std::mem::swap(&mut work.distance_m, &mut self.distance_m);
        let root = (frame.core() + to) as u32;
        for &(node, metres) in frame.view(tree.destination.site) {
            tree.offer(work, node, root, metres);
        }
        self.find_due();
        for &link in &self.asked {
            let (a, b, metres) = frame.edges()[link as usize];
            for (near, far) in [(a, b), (b, a)] {
                let way = work.distance_m[near as usize] + metres;
                tree.offer(work, far, near, way);
            }
        }
        tree.spread(frame, work);
        self.drift_m += work.gained_m;
        self.ask_sites(tree, frame, motion, work);
        work.finish(&tree.next);
        std::mem::swap(&mut work.distance_m, &mut self.distance_m);
        self.note(tree, frame, work);
    }

    /// Initialises the state from a tree that was just updated. Returns false if some node of the core has no path in
    /// the tree.
    fn begin(&mut self, tree: &Tree, frame: &Frame, work: &Workspace) -> bool {
        self.distance_m.clone_from(&work.distance_m);
        if self.distance_m[..frame.core()].iter().any(|metres| metres.is_infinite()) {
            return false;
        }
        self.drift_m = 0.0;
        self.arrange(tree, frame);
        self.link_due_m.clear();
        for link in 0..frame.edges().len() {
            let due = self.link_due(tree, frame, link);
            self.link_due_m.push(due);
        }
        self.site_due_m.clear();
        self.site_due_m.resize(frame.sites(), f64::NEG_INFINITY);
        true
    }

    /// Sorts the legs so that the leg of a node follows the leg of its next node.
    fn arrange(&mut self, tree: &Tree, frame: &Frame) {
        let root = (frame.core() + usize::from(tree.destination.site)) as u32;
        self.last_legs.clear();
        self.legs.clear();
        let mut placed = vec![false; tree.next.len()];
        placed[root as usize] = true;
        for (link, &(node, _)) in frame.view(tree.destination.site).iter().enumerate() {
            if tree.next[node as usize] == root {
                placed[node as usize] = true;
                self.last_legs.push(Leg { node, next: root, link: link as u32 });
            }
        }
        for node in 0..frame.core() as u32 {
            let (begin, mut at) = (self.legs.len(), node);
            while !placed[at as usize] {
                placed[at as usize] = true;
                let next = tree.next[at as usize];
                let link = frame.edge(at, next).unwrap_or(NOWHERE);
                self.legs.push(Leg { node: at, next, link });
                at = next;
            }
            self.legs[begin..].reverse();
        }
    }

    /// Computes the new distances along the tree, and the bound on their change.
    fn move_on(&mut self, view: &[(u32, f64)], motion: &Motion) {
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut set = |distance: &mut f64, metres: f64| {
            let by = metres - std::mem::replace(distance, metres);
            least = if by < least { by } else { least };
            most = if by > most { by } else { most };
        };
        for leg in &self.last_legs {
            set(&mut self.distance_m[leg.node as usize], view[leg.link as usize].1);
        }
        for leg in &self.legs {
            let metres = self.distance_m[leg.next as usize] + motion.lengths_m[leg.link as usize];
            set(&mut self.distance_m[leg.node as usize], metres);
        }
        self.drift_m += (most - least).max(0.0) + motion.most_m;
    }

    /// Finds the links that must be checked. Few links must be checked, so links are skipped in blocks of sixteen.
    #[expect(clippy::needless_bitwise_bool, reason = "lazy operators are branches")]
    fn find_due(&mut self) {
        const AT_ONCE: usize = 16;
        let drift_m = (self.drift_m * ROUND_UP) as f32;
        self.asked.clear();
        for (at, dues) in self.link_due_m.chunks(AT_ONCE).enumerate() {
            if dues.iter().fold(false, |some, &due| some | (due <= drift_m)) {
                let links = (at * AT_ONCE) as u32..;
                self.asked.extend(links.zip(dues).filter(|(_, due)| **due <= drift_m).map(|(link, _)| link));
            }
        }
    }

    /// Returns the value of `drift_m` at which a link must be checked again.
    fn link_due(&self, tree: &Tree, frame: &Frame, link: usize) -> f32 {
        let (a, b, metres) = frame.edges()[link];
        if tree.next[a as usize] == b || tree.next[b as usize] == a {
            return f32::INFINITY;
        }
        let slack = metres - (self.distance_m[a as usize] - self.distance_m[b as usize]).abs();
        ((self.drift_m + slack - MARGIN_M) * ROUND_DOWN) as f32
    }

    /// Checks the sites whose nearest satellite may have changed.
    fn ask_sites(&mut self, tree: &mut Tree, frame: &Frame, motion: &Motion, work: &mut Workspace) {
        for (site, view) in motion.views.iter().enumerate() {
            let drift_m = self.drift_m + view.drift_m;
            let asked = !view.same || self.site_due_m[site] <= drift_m;
            if asked && site != usize::from(tree.destination.site) {
                tree.attach_site(frame, work, site as u16);
                let next = tree.next[frame.core() + site];
                let (mut best, mut other) = (f64::INFINITY, f64::INFINITY);
                for &(node, metres) in frame.view(site as u16) {
                    let way = work.distance_m[node as usize] + metres;
                    if node == next {
                        best = way;
                    } else {
                        other = other.min(way);
                    }
                }
                self.site_due_m[site] =
                    if other.is_finite() { drift_m + (other - best) - MARGIN_M } else { f64::INFINITY };
            }
        }
    }

    /// Updates the state after an update of the tree.
    fn note(&mut self, tree: &Tree, frame: &Frame, work: &Workspace) {
        let core = frame.core();
        let mut turned = false;
        for change in work.changes.iter().filter(|change| (change.node as usize) < core) {
            turned = true;
            for next in [change.before, tree.next[change.node as usize]] {
                if (next as usize) < core {
                    self.asked.extend(frame.edge(change.node, next));
                }
            }
        }
        if turned {
            self.arrange(tree, frame);
        }
        for at in 0..self.asked.len() {
            let link = self.asked[at] as usize;
            self.link_due_m[link] = self.link_due(tree, frame, link);
        }
    }
}

#[cfg(test)]
mod tests;
