// SPDX-License-Identifier: MIT OR Apache-2.0
//! Link budgets, line by line, in each state of the weather.

use crate::answers::{answer, json};
use crate::error::Failure;
use crate::job::Job;
use plan::link_states::{BudgetLinkState, budget_link_states};
use pyo3::prelude::*;
use radio::{Budget, Chain, Hop, HopChain, Rung};
use scenario::BudgetSheet;
use serde_json::Value;
use units::{Code, Time};

/// Largest number of links that the error message for an unknown link lists.
const NAMED: usize = 10;

/// The budget of a file as JSON, in clear sky and at the file's availabilities.
#[pyfunction]
pub fn link_budget(text: &str, origin: &str) -> PyResult<String> {
    let BudgetSheet { budget, availability } = BudgetSheet::from_toml(text, origin).map_err(Failure::from)?;
    let states = [None].into_iter().chain(availability.into_iter().map(Some));
    let states = states.map(|state| BudgetState::new(&budget.chain(state), Some(state.into())));
    Ok(json(&LinkBudget::new(&budget, states.collect())))
}

/// The budgets of all links of a scenario, or of the link with this name, at a time of the run, as a JSON array. Each
/// budget is given in clear sky and in the weather of the run. In both cases, the satellite is at its position at this
/// time.
#[pyfunction]
pub fn link_budgets(py: Python<'_>, job: &Job, link: Option<&str>, at: &str) -> PyResult<String> {
    let look = || -> Result<_, Failure> {
        let plan = job.checked()?;
        let scenario = &plan.scenario;
        let moment: Time = at.parse()?;
        let refuse = |code, message: String| Err(Failure::new(code, &message));
        if !scenario::has_budget(&scenario.network) {
            let message = format!(
                "cannot compute link budgets of {}: no link has a budget (for a link, write budget = {{ bandwidth = \
                 \"36 MHz\", down = {{ … }} }} instead of `rate`)",
                job.origin
            );
            return refuse(Code::ScenarioMissingKey, message);
        }
        if moment >= Time::ZERO + scenario.duration {
            let message = format!(
                "{moment} is not before the end of the run, which lasts {} (write an earlier moment, or a longer duration)",
                scenario.duration
            );
            return refuse(Code::ArgumentValue, message);
        }
        let mut links = budget_link_states(scenario, moment).map_err(|error| plan.placed(error))?;
        let names: Vec<String> = links.iter().take(NAMED).map(|link| link.link.clone()).collect();
        let more = links.len().saturating_sub(NAMED);
        links.retain(|one| link.is_none_or(|name| one.link == name));
        if links.is_empty() {
            let message = match (link, names.as_slice()) {
                (_, []) => {
                    format!(
                        "no link with a budget exists at {moment}, because no satellite is in view (choose \
                        another moment)"
                    )
                }
                (name, names) => {
                    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                    format!(
                        "no link \"{}\" has a budget at {moment} (links with a budget are {}{more})",
                        name.unwrap_or_default(),
                        names.join(", ")
                    )
                }
            };
            return refuse(Code::ArgumentValue, message);
        }
        Ok(links.iter().map(|link| StandingBudget::new(link, moment)).collect::<Vec<_>>())
    };
    Ok(json(&py.detach(look)?))
}

answer! {
    /// The budget of a link of a scenario at a time of the run.
    StandingBudget(link: &BudgetLinkState, at: Time) {
        #[serde(flatten)]
        budget: LinkBudget = stands(link),
        link: String = link.link.clone(),
        at_s: f64 = at.secs_f64(),
        /// Whether the link loses its frames, because Es/N0 is below the threshold of the modulation and code in use.
        frames_lost: bool = link.lost,
    }
}

fn stands(link: &BudgetLinkState) -> LinkBudget {
    let (budget, site) = &link.of;
    let budget = budget.in_state(site, &link.state);
    let chains = [budget.chain(None), budget.chain_in(&link.state)];
    let mut sheet =
        LinkBudget::new(&budget, chains.iter().map(|chain| BudgetState::new(chain, None)).collect());
    if link.state.rain_db[1].is_none() {
        // A budget with a moving satellite has a single hop. This name applies if the hop leads to the satellite.
        sheet.hops[0].name = "up";
        for state in &mut sheet.states {
            state.hops[0].name = "up";
        }
    }
    sheet
}

answer! {
    /// A link budget, line by line.
    LinkBudget(budget: &Budget, states: Vec<BudgetState>) {
        ladder: &'static str = budget.ladder.word(),
        /// Source of the thresholds.
        source: &'static str = budget.ladder.source(),
        bandwidth_mhz: f64 = budget.bandwidth_hz / 1e6,
        symbols_mbaud: f64 = budget.symbols_per_s() / 1e6,
        margin_db: f64 = budget.acm.margin_db,
        boltzmann_dbw_k_hz: f64 = radio::BOLTZMANN_DBW_K_HZ,
        hops: Vec<BudgetHop> = budget.hops().map(|(name, hop)| BudgetHop::new(name, hop)).collect(),
        states: Vec<BudgetState> = states,
    }
}

answer! {
    /// The part of a hop that does not depend on the weather.
    BudgetHop(name: &'static str, hop: &Hop) {
        name: &'static str = name,
        frequency_ghz: f64 = hop.frequency_ghz,
        elevation_deg: f64 = hop.elevation_deg,
        range_km: f64 = hop.range_km,
        eirp_dbw: f64 = hop.eirp_dbw,
        g_over_t_db_k: f64 = hop.g_over_t_db_k,
        losses_db: f64 = hop.losses_db,
        /// Ratio of the carrier to the interference; `null` without interference.
        c_over_i_db: Option<f64> = hop.c_over_i_db,
    }
}

answer! {
    /// A link in one state of the weather.
    BudgetState(chain: &Chain, availability: Option<Value>) {
        hops: Vec<HopState> = chain.hops.iter().map(HopState::new).collect(),
        es_n0_db: f64 = chain.es_n0_db,
        /// Modulation and code; `null` in an outage.
        modcod: Option<&'static str> =
            if let Rung::Holds { modcod, .. } = chain.rung { Some(modcod.name) } else { None },
        /// Es/N0 minus the threshold of the modulation and code; `null` in an outage.
        above_threshold_db: Option<f64> =
            if let Rung::Holds { above_db, .. } = chain.rung { Some(above_db) } else { None },
        rate_mbit_s: f64 = if let Rung::Holds { rate, .. } = chain.rung { rate.mbit_per_s() } else { 0.0 },
        /// In an outage, the lowest threshold with its margin minus Es/N0; otherwise `null`.
        missing_db: Option<f64> = if let Rung::Outage { missing_db } = chain.rung { Some(missing_db) } else { None },
        /// Only for budgets of files: the availability in percent. `null` in clear sky.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Option<f64>")]
        availability_percent: Option<Value> = availability,
    }
}

answer! {
    /// A hop in one state of the weather.
    HopState(hop: &HopChain) {
        name: &'static str = hop.name,
        free_space_db: f64 = hop.free_space_db,
        gas_db: f64 = hop.gas_db,
        cloud_db: f64 = hop.cloud_db,
        rain_db: f64 = hop.rain_db,
        scintillation_db: f64 = hop.scintillation_db,
        atmosphere_db: f64 = hop.atmosphere_db,
        noise_rise_db: f64 = hop.noise_rise_db,
        c_n0_db_hz: f64 = hop.c_n0_db_hz,
        c_n_db: f64 = hop.c_n_db,
        c_ni_db: f64 = hop.c_ni_db,
    }
}
