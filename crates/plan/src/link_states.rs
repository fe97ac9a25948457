// SPDX-License-Identifier: MIT OR Apache-2.0
//! States of the links with a budget at one time of a run, for the command `link-budget`.

use crate::Plan;
use crate::PlanError;
use scenario::{Budget, LinkState, Scenario};
use std::sync::Arc;
use units::Time;

/// State of a link with a budget at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct BudgetLinkState {
    /// Name of the link.
    pub link: String,
    /// Budget of the link. If the satellite of the link moves, also the site or the gateway of the link; see
    /// [`Budget::in_state`].
    pub of: (Arc<Budget>, String),
    /// Rain, Es/N0, modulation and code, and rate at that time.
    pub state: LinkState,
    /// Whether its frames are lost, because they cannot be decoded.
    pub lost: bool,
}

/// Returns the links with a budget that exist at a given time, in the order of the network.
///
/// # Errors
/// If the network cannot be created, or if a flow has no path.
pub fn budget_link_states(scenario: &Scenario, at: Time) -> Result<Vec<BudgetLinkState>, PlanError> {
    let plan = Plan::new(scenario)?;
    let budget_link_states = plan.states.iter().filter_map(|(&number, link)| {
        let (state, lost) = link.at(at)?;
        let name = plan.network.links[number as usize].name.clone();
        Some(BudgetLinkState { link: name, of: link.of.clone(), state, lost })
    });
    Ok(budget_link_states.collect())
}
