// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds the links for which the flows of a scenario will compete. The search uses only routes and simulates no
//! packets.

use crate::Plan;
use crate::PlanError;
use scenario::{NetworkChoice, Scenario};
use std::collections::BTreeSet;
use topology::sharing::{self, Shared};
use topology::{Network, NodeKind, Site};
use units::{Rate, Span};

/// Number of times at which the search examines the network, evenly spaced over the run.
const SAMPLES: u64 = 20;
/// Smallest number of found pairs that are measured in detail, because the measurement may change their order.
const MEASURED: usize = 1000;

/// Two paths that share links.
#[derive(Clone, Debug, PartialEq)]
pub struct Bottleneck {
    /// Sites of the path with the longer round-trip time.
    pub long: [String; 2],
    /// Sites of the path with the shorter round-trip time.
    pub short: [String; 2],
    /// Time during which both paths have at least one link in common.
    pub time: Span,
    /// Mean round-trip propagation delay of the longer path in that time, without access links.
    pub long_rtt: Span,
    /// Mean round-trip propagation delay of the shorter path in that time.
    pub short_rtt: Span,
    /// Name of the common link that both paths use for the longest time.
    pub link: String,
    /// Kind of the common link `link`: "up", "down", "isl" (between satellites) or "ground" (elsewhere).
    pub kind: &'static str,
    /// Time during which both paths use `link`.
    pub link_time: Span,
    /// Rate of `link`; `None` if unlimited.
    pub rate: Option<Rate>,
    /// Number of links that both paths have in common at some time of the run.
    pub links: usize,
}

impl Bottleneck {
    /// Returns the longer round-trip time divided by the shorter.
    pub fn ratio(&self) -> f64 {
        self.long_rtt.secs_f64() / self.short_rtt.secs_f64().max(1e-9)
    }

    fn new(network: &Network, names: &[String], shared: &Shared) -> Self {
        let ends = |(from, to): (u16, u16)| [from, to].map(|site| names[usize::from(site)].clone());
        let (link, link_time) = shared.links[0];
        let plan = &network.links[link as usize];
        let in_space = |node: u32| network.nodes[node as usize].kind == NodeKind::Satellite;
        Self {
            long: ends(shared.long),
            short: ends(shared.short),
            time: shared.time,
            long_rtt: shared.long_rtt,
            short_rtt: shared.short_rtt,
            link: plan.name.clone(),
            kind: match (in_space(plan.from), in_space(plan.to)) {
                (true, true) => "isl",
                (false, true) => "up",
                (true, false) => "down",
                (false, false) => "ground",
            },
            link_time,
            rate: plan.config.spec.rate,
            links: shared.links.len(),
        }
    }
}

/// Returns pairs of a scenario's paths that share a link in the same direction. Flows between the same sites are one
/// path. The pairs are ordered by common time, multiplied by the ratio of round-trip times. At most `keep` pairs are
/// returned.
///
/// # Errors
/// If the network cannot be computed.
pub fn of_flows(scenario: &Scenario, keep: usize) -> Result<Vec<Bottleneck>, PlanError> {
    let plan = Plan::new(scenario)?;
    let paths: BTreeSet<(u16, u16)> =
        plan.flows.iter().map(|flow| (flow.from, flow.to)).filter(|(from, to)| from != to).collect();
    let paths: Vec<_> = paths.into_iter().collect();
    Ok(named(&plan.network, &plan.site_names, &paths, scenario.duration, keep))
}

/// Does the same as [`of_flows`] for all paths between `sites`, instead of the paths of the scenario's flows.
/// [`topology::sharing::search`] documents which pairs the search may miss.
///
/// # Errors
/// [`PlanError::NoConstellation`] if the scenario has no satellites, or if the network cannot be computed.
pub fn among(scenario: &Scenario, sites: &[Site], keep: usize) -> Result<Vec<Bottleneck>, PlanError> {
    let NetworkChoice::Constellation { spec, .. } = &scenario.network else {
        return Err(PlanError::NoConstellation { name: scenario.name.clone() });
    };
    let duration = scenario.duration;
    let step = Span::from_nanos(duration.nanos().div_ceil(SAMPLES));
    let candidates = sharing::search(spec, sites, duration, step, keep.max(MEASURED))?;
    let paths: BTreeSet<(u16, u16)> = candidates.into_iter().flatten().collect();
    let paths: Vec<_> = paths.into_iter().collect();
    // Lay out only the sites on these paths.
    let used: BTreeSet<u16> = paths.iter().flat_map(|&(from, to)| [from, to]).collect();
    let used: Vec<u16> = used.into_iter().collect();
    let sites: Vec<Site> = used.iter().map(|&site| sites[usize::from(site)].clone()).collect();
    let index = |site: u16| used.partition_point(|&other| other < site) as u16;
    let paths: Vec<_> = paths.into_iter().map(|(from, to)| (index(from), index(to))).collect();
    let network = topology::constellation::build(spec, &sites, &paths, duration)?;
    let paths: Vec<_> =
        paths.iter().map(|&(from, to)| (network.address(to, from), network.address(from, to))).collect();
    let names: Vec<String> =
        network.sites.iter().map(|&node| network.nodes[node as usize].name.clone()).collect();
    Ok(named(&network, &names, &paths, duration, keep))
}

fn named(
    network: &Network,
    names: &[String],
    paths: &[(u16, u16)],
    duration: Span,
    keep: usize,
) -> Vec<Bottleneck> {
    let shared = sharing::shared(network, paths, duration, keep);
    shared.iter().map(|shared| Bottleneck::new(network, names, shared)).collect()
}
