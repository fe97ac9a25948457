// SPDX-License-Identifier: MIT OR Apache-2.0
//! The routes of a whole constellation over time, from every node to every site.
//!
//! The state takes 9 bytes for each node and site: the next hop, its position among the links of the node, and the
//! node's place in the order of updates. The results are the entries that change, step by step. Therefore, memory does
//! not grow with the length of the survey.
//!
//! An update costs about 10 ns for each node and destination (`benches/README.md`).

use crate::route::{LANES, Lanes, NOWHERE, Tree, Workspace};
use crate::serving::Serving;
use crate::sky::{Frame, Sky};
use crate::{ConstellationSpec, Site, TopologyError};
use std::num::NonZeroUsize;
use units::{Span, Time};

/// A next hop that changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RouteChange {
    /// Node at which the packet is. The order is: satellites, gateways, points of presence, sites.
    pub node: u32,
    /// Destination: an index into the sites.
    pub site: u16,
    /// The new next node on the path; `None` if there is no longer a path.
    pub next: Option<u32>,
}

/// Size of a survey.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// Number of satellites.
    pub satellites: u32,
    /// Number of nodes: satellites, gateways, points of presence and sites.
    pub nodes: u32,
    /// Number of computed times.
    pub steps: u64,
    /// Number of entries at the first time.
    pub entries: u64,
    /// Number of entries that changed afterwards.
    pub changes: u64,
}

/// Computes the routes at zero and then every `step`, before `duration`, on `threads` threads. Calls `each` with the
/// time and the changed entries, in the order of sites and nodes. At the first time, all entries count as changed. The
/// result does not depend on the number of threads.
///
/// # Errors
/// The errors of the constellation (see [`crate::constellation::build`]), and the errors of `each`. An error of `each`
/// ends the survey.
pub fn routes<E: From<TopologyError>>(
    spec: &ConstellationSpec,
    sites: &[Site],
    duration: Span,
    step: Span,
    threads: NonZeroUsize,
    mut each: impl FnMut(Time, &[RouteChange]) -> Result<(), E>,
) -> Result<Survey, E> {
    let sky = Sky::new(spec, sites)?;
    let nodes = sky.core() + sites.len() as u32;
    let mut survey = Survey { satellites: sky.satellites(), nodes, ..Survey::default() };
    let tree = |site| Tree::new(crate::trace::own_destination(spec, sites, site), nodes as usize);
    let mut trees: Vec<Tree> = (0..sites.len() as u16).map(tree).collect();
    let share = trees.len().div_ceil(threads.get()).max(1);
    let mut workers: Vec<Worker> = Vec::new();
    workers.resize_with(trees.len().div_ceil(share), Default::default);
    let mut frame = Frame::default();
    let mut serving = Serving::default();
    let step = if step == Span::ZERO { Span::MAX } else { step };
    let mut at = Time::ZERO;
    while at == Time::ZERO || at.since(Time::ZERO) < duration {
        sky.look(at, &mut frame)?;
        serving.apply(&sky, at, &mut frame)?;
        let frame = &frame;
        std::thread::scope(|scope| {
            let mut parts = trees.chunks_mut(share).zip(&mut workers);
            // This thread itself computes the first share.
            let own = parts.next();
            for (trees, worker) in parts {
                scope.spawn(move || worker.work(frame, trees));
            }
            if let Some((trees, worker)) = own {
                worker.work(frame, trees);
            }
        });
        for Worker { changes, .. } in &workers {
            let count = changes.len() as u64;
            if survey.steps == 0 {
                survey.entries += count;
            } else {
                survey.changes += count;
            }
            each(at, changes)?;
        }
        survey.steps += 1;
        at += step;
    }
    Ok(survey)
}

/// Memory of one thread.
#[derive(Default)]
struct Worker {
    work: [Workspace; LANES],
    lanes: Lanes,
    changes: Vec<RouteChange>,
}

impl Worker {
    /// Updates `trees` to `frame` and collects the changed entries.
    fn work(&mut self, frame: &Frame, trees: &mut [Tree]) {
        self.changes.clear();
        for trees in trees.chunks_mut(LANES) {
            Tree::update_all(trees, frame, &mut self.work, &mut self.lanes);
            for (tree, work) in trees.iter().zip(&self.work) {
                self.changes.extend(work.changes.iter().map(|change| {
                    let next = tree.next[change.node as usize];
                    RouteChange {
                        node: change.node,
                        site: tree.destination.site,
                        next: (next != NOWHERE).then_some(next),
                    }
                }));
            }
        }
    }
}
