// SPDX-License-Identifier: MIT OR Apache-2.0
//! Chooses the satellites whose positions are recorded.
//!
//! The recorder writes nodes, ends of links and positions at the end of a run that records samples. It writes at most a
//! million positions. They are 300 s apart. A cubic Hermite polynomial through them has an error below 1 km, even at
//! the perigee of a Molniya orbit (`topology::knots`).

use scenario::Scenario;
use std::collections::BTreeSet;
use topology::knots::moments;
use topology::{Network, NodeKind};

/// Largest number of recorded positions, of 28 bytes each. A week of Iridium has 133,000 positions, and an hour of
/// 7,000 satellites has 91,000. If there are more, only satellites on a path at some time are recorded. If these are
/// too many, no positions are recorded.
const MOST_POSITIONS: usize = 1_000_000;

/// Returns the number of positions that a run records.
pub(crate) fn position_rows(network: &Network, scenario: &Scenario) -> usize {
    located(network, scenario).len() * moments(scenario.duration).count()
}

/// Returns the satellites whose positions are recorded.
pub fn located(network: &Network, scenario: &Scenario) -> Vec<u32> {
    let knots = moments(scenario.duration).count();
    let is_satellite = |&node: &u32| network.nodes[node as usize].kind == NodeKind::Satellite;
    let all: Vec<u32> = (0..network.nodes.len() as u32).filter(is_satellite).collect();
    if all.len().saturating_mul(knots) <= MOST_POSITIONS {
        return all;
    }
    let ends = network.links.iter().flat_map(|link| [link.from, link.to]);
    let used: BTreeSet<u32> = ends.filter(is_satellite).collect();
    if used.len().saturating_mul(knots) <= MOST_POSITIONS { used.into_iter().collect() } else { Vec::new() }
}
