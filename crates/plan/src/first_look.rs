// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a run that ends early does not contain: enough round trips, or handovers that only happen later.

use crate::{Plan, PlanError};
use scenario::{NetworkChoice, Scenario};
use topology::PathSample;
use topology::trace::paths_over_time;
use units::Span;

/// Shortest step of the search for handovers.
const STEP: Span = Span::from_secs(1);
/// Largest number of steps after the early end.
const STEPS: u64 = 300;

/// Facts about a run that ends early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FirstLook {
    /// The longest base round-trip time of the flows, without transmission times; `None` if no flow has a path.
    pub rtt: Option<Span>,
    /// Whether the path of a flow has a handover in the complete run, but no path has a handover before the early end.
    pub misses_handovers: bool,
}

impl FirstLook {
    /// Examines a run of `scenario` that ends at `end`. The times of handovers are exact to one second, or to 1/300 of
    /// the rest of the run after `end` if this is longer.
    ///
    /// # Errors
    /// If the network cannot be computed.
    pub fn new(scenario: &Scenario, end: Span) -> Result<Self, PlanError> {
        if matches!(scenario.network, NetworkChoice::Constellation { .. }) {
            let early = Handovers::find(scenario, end, STEP)?;
            let rest = STEP.max(scenario.duration / STEPS);
            let misses_handovers = !early.any && Handovers::find(scenario, scenario.duration, rest)?.any;
            return Ok(Self { rtt: early.rtt, misses_handovers });
        }
        let plan = Plan::new(&Scenario { duration: end, ..scenario.clone() })?;
        let rtts = (0..plan.whole).filter_map(|flow| plan.idle_rtt(flow, plan.flows[flow].start));
        Ok(Self { rtt: rtts.max(), misses_handovers: false })
    }
}

/// The paths of all flows over a period.
#[derive(Default)]
struct Handovers {
    rtt: Option<Span>,
    any: bool,
}

impl Handovers {
    fn find(scenario: &Scenario, duration: Span, step: Span) -> Result<Self, PlanError> {
        let NetworkChoice::Constellation { spec, sites, .. } = &scenario.network else {
            return Ok(Self::default());
        };
        let place = |name: &str| sites.iter().position(|site| site.name == name).map(|at| at as u16);
        let pairs = scenario.flows.iter().filter_map(|flow| place(&flow.from).zip(place(&flow.to)));
        let mut pairs: Vec<(u16, u16)> = pairs.collect();
        pairs.sort_unstable();
        pairs.dedup();
        let mut found = Self::default();
        // The nodes that served both ends of each pair in the previous step.
        let mut before: Vec<Option<(u32, u32)>> = vec![None; pairs.len()];
        paths_over_time(spec, sites, &pairs, duration, step, |pair, sample| {
            found.rtt = found.rtt.max(sample.rtt());
            let now = serving(&sample);
            let was = std::mem::replace(&mut before[pair], now);
            found.any |= was.is_some() && now.is_some() && was != now;
        })?;
        Ok(found)
    }
}

/// Returns the nodes next to both ends of a path.
fn serving(sample: &PathSample) -> Option<(u32, u32)> {
    match sample.nodes[..] {
        [_, first, .., last, _] => Some((first, last)),
        [_, only, _] => Some((only, only)),
        _ => None,
    }
}
