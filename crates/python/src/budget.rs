// SPDX-License-Identifier: MIT OR Apache-2.0
//! Link budgets: the chain at each state of the weather.

use crate::error::Failure;
use crate::job::Job;
use plan::link_states::{Standing, standing};
use pyo3::prelude::*;
use radio::{Budget, Chain, HopChain, Rung};
use scenario::BudgetSheet;
use serde_json::{Value, json};
use units::{Code, Time};

/// So many links are named where one is not found.
const NAMED: usize = 10;

/// A file's budget in clear sky and at its availabilities, as JSON.
#[pyfunction]
pub fn link_budget(text: &str, origin: &str) -> PyResult<String> {
    let BudgetSheet { budget, availability } = BudgetSheet::from_toml(text, origin).map_err(Failure::from)?;
    let states = [None].into_iter().chain(availability.into_iter().map(Some));
    let states = states.map(|state| {
        let mut lines = chain(&budget.chain(state));
        lines["availability_percent"] = json!(state);
        lines
    });
    Ok(sheet(&budget, &states.collect::<Vec<_>>()).to_string())
}

/// The budgets of a scenario's links, or of the one of that name, at a moment of its run, as a JSON array: in clear sky with the
/// satellite where it is, and as the run has it.
#[pyfunction]
pub fn link_budgets(py: Python<'_>, job: &Job, link: Option<&str>, at: &str) -> PyResult<String> {
    let look = || -> Result<_, Failure> {
        let plan = job.checked()?;
        let scenario = &plan.scenario;
        let moment: Time = at.parse()?;
        let refuse = |code, message: String| Err(Failure::new(code, &message));
        if !scenario::has_budget(&scenario.network) {
            let message = format!(
                "cannot reckon the link budgets of {}: none of its links has one (write budget = {{ bandwidth = \"36 MHz\", down \
                 = {{ … }} }} in the place of the rate of a link)",
                job.origin
            );
            return refuse(Code::ScenarioMissingKey, message);
        }
        if moment >= Time::ZERO + scenario.duration {
            let message = format!(
                "{moment} is not in the run, which lasts {} (write an earlier moment, or a longer duration)",
                scenario.duration
            );
            return refuse(Code::ArgumentValue, message);
        }
        let mut links = standing(scenario, moment).map_err(|error| plan.placed(error))?;
        let names: Vec<String> = links.iter().take(NAMED).map(|link| link.link.clone()).collect();
        let more = links.len().saturating_sub(NAMED);
        links.retain(|one| link.is_none_or(|name| one.link == name));
        if links.is_empty() {
            let message = match (link, names.as_slice()) {
                (_, []) => {
                    format!("no link with a budget is there at {moment}: no satellite is in sight then")
                }
                (name, names) => {
                    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                    format!(
                        "there is no link \"{}\" with a budget at {moment} (those with one are {}{more})",
                        name.unwrap_or_default(),
                        names.join(", ")
                    )
                }
            };
            return refuse(Code::ArgumentValue, message);
        }
        Ok(links.iter().map(|link| stands(link, moment)).collect::<Vec<_>>())
    };
    Ok(Value::from(py.detach(look)?).to_string())
}

fn stands(link: &Standing, at: Time) -> Value {
    let (budget, site) = &link.of;
    let budget = budget.standing(site, &link.state);
    let [clear, now] = [budget.chain(None), budget.chain_in(&link.state)].map(|lines| chain(&lines));
    let mut sheet = sheet(&budget, &[clear, now]);
    if link.state.rain_db[1].is_none() {
        // The one hop of a budget whose satellite moves, where it leads up.
        for place in ["/hops/0/name", "/states/0/hops/0/name", "/states/1/hops/0/name"] {
            if let Some(name) = sheet.pointer_mut(place) {
                *name = json!("up");
            }
        }
    }
    sheet["link"] = json!(link.link);
    sheet["at_s"] = json!(at.secs_f64());
    sheet["frames_lost"] = json!(link.lost);
    sheet
}

fn sheet(budget: &Budget, states: &[Value]) -> Value {
    let hops: Vec<Value> = budget
        .hops()
        .map(|(name, hop)| {
            json!({
                "name": name,
                "frequency_ghz": hop.frequency_ghz,
                "elevation_deg": hop.elevation_deg,
                "range_km": hop.range_km,
                "eirp_dbw": hop.eirp_dbw,
                "g_over_t_db_k": hop.g_over_t_db_k,
                "losses_db": hop.losses_db,
                "c_over_i_db": hop.c_over_i_db,
            })
        })
        .collect();
    json!({
        "ladder": budget.ladder.word(),
        "source": budget.ladder.source(),
        "bandwidth_mhz": budget.bandwidth_hz / 1e6,
        "symbols_mbaud": budget.symbols_per_s() / 1e6,
        "margin_db": budget.acm.margin_db,
        "boltzmann_dbw_k_hz": radio::BOLTZMANN_DBW_K_HZ,
        "hops": hops,
        "states": states,
    })
}

fn chain(chain: &Chain) -> Value {
    let (modcod, above_db, rate_mbit_s, missing_db) = match chain.rung {
        Rung::Holds { modcod, above_db, rate } => {
            (Some(modcod.name), Some(above_db), rate.mbit_per_s(), None)
        }
        Rung::Outage { missing_db } => (None, None, 0.0, Some(missing_db)),
    };
    json!({
        "hops": chain.hops.iter().map(hop).collect::<Vec<_>>(),
        "es_n0_db": chain.es_n0_db,
        "modcod": modcod,
        "above_threshold_db": above_db,
        "rate_mbit_s": rate_mbit_s,
        "missing_db": missing_db,
    })
}

fn hop(hop: &HopChain) -> Value {
    json!({
        "name": hop.name,
        "free_space_db": hop.free_space_db,
        "gas_db": hop.gas_db,
        "cloud_db": hop.cloud_db,
        "rain_db": hop.rain_db,
        "scintillation_db": hop.scintillation_db,
        "atmosphere_db": hop.atmosphere_db,
        "noise_rise_db": hop.noise_rise_db,
        "c_n0_db_hz": hop.c_n0_db_hz,
        "c_n_db": hop.c_n_db,
        "c_ni_db": hop.c_ni_db,
    })
}
