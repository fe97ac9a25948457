// SPDX-License-Identifier: MIT OR Apache-2.0
//! How the links with a budget stand at a moment of a run: what `link-budget` tells of a scenario.

use crate::Plan;
use crate::PlanError;
use scenario::{Budget, LinkState, Scenario};
use std::sync::Arc;
use units::Time;

/// How a link with a budget stands at a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Name of the link.
    pub link: String,
    /// Its budget, and the site or the gateway of a link whose satellite moves; see [`Budget::standing`].
    pub of: (Arc<Budget>, String),
    /// Rain, Es/N0, modulation and code, rate: those of the run.
    pub state: LinkState,
    /// Its frames are lost: what is sent does not hold.
    pub lost: bool,
}

/// The links of a scenario that have a budget and are there at a moment, in the order of the network.
///
/// # Errors
/// If the network cannot be made, or a flow has no path.
pub fn standing(scenario: &Scenario, at: Time) -> Result<Vec<Standing>, PlanError> {
    let plan = Plan::new(scenario)?;
    let standing = plan.states.iter().filter_map(|(&number, link)| {
        let (state, lost) = link.at(at)?;
        let name = plan.network.links[number as usize].name.clone();
        Some(Standing { link: name, of: link.of.clone(), state, lost })
    });
    Ok(standing.collect())
}
