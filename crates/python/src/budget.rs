// SPDX-License-Identifier: MIT OR Apache-2.0
//! Link budgets: the chain at each state of the weather.

use crate::error::Failure;
use pyo3::prelude::*;
use radio::{Chain, HopChain, Rung};
use scenario::BudgetSheet;
use serde_json::{Value, json};

/// A file's budget in clear sky and at its availabilities, as JSON.
#[pyfunction]
pub fn link_budget(text: &str, origin: &str) -> PyResult<String> {
    let BudgetSheet { budget, availability } = BudgetSheet::from_toml(text, origin).map_err(Failure::from)?;
    let states = [None].into_iter().chain(availability.into_iter().map(Some));
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
    let answer = json!({
        "ladder": budget.ladder.word(),
        "source": budget.ladder.source(),
        "bandwidth_mhz": budget.bandwidth_hz / 1e6,
        "symbols_mbaud": budget.symbols_per_s() / 1e6,
        "margin_db": budget.acm.margin_db,
        "boltzmann_dbw_k_hz": radio::BOLTZMANN_DBW_K_HZ,
        "hops": hops,
        "states": states.map(|state| chain(state, &budget.chain(state))).collect::<Vec<_>>(),
    });
    Ok(answer.to_string())
}

fn chain(availability: Option<f64>, chain: &Chain) -> Value {
    let (modcod, above_db, rate_mbit_s, missing_db) = match chain.rung {
        Rung::Holds { modcod, above_db, rate } => {
            (Some(modcod.name), Some(above_db), rate.mbit_per_s(), None)
        }
        Rung::Outage { missing_db } => (None, None, 0.0, Some(missing_db)),
    };
    json!({
        "availability_percent": availability,
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
