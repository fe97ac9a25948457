// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known before any run: schemas, codes, controllers, constellations, sites, coasts.

use crate::error::Failure;
use crate::table::{Table, counts, floats, table, texts};
use control::catalogue::{self, Entry};
use pyo3::prelude::*;
use serde_json::{Value, json};
use topology::{Orbits, Preset, Shell, Visibility, coast, presets, sites as list};
use units::{Code, Span};

/// The version of Bentpipe.
#[pyfunction]
pub const fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Version and fingerprint as a run's provenance has them.
#[pyfunction]
pub fn build() -> String {
    sim::build()
}

/// Fingerprint of everything that makes numbers.
#[pyfunction]
pub fn fingerprint() -> String {
    sim::fingerprint()
}

/// Whether this build checks its own assertions.
#[pyfunction]
pub const fn checks_itself() -> bool {
    cfg!(debug_assertions)
}

/// All error codes with their meanings.
#[pyfunction]
pub fn codes() -> Vec<(&'static str, &'static str)> {
    Code::ALL.iter().map(|code| (code.as_str(), code.meaning())).collect()
}

/// JSON Schema of a scenario.
#[pyfunction]
pub fn scenario_schema() -> String {
    scenario::json_schema()
}

/// JSON Schema of summary.json.
#[pyfunction]
pub fn summary_schema() -> String {
    record::summary_schema()
}

/// The catalogue of controllers, or the one entry of that name, as a JSON array.
#[pyfunction]
#[pyo3(signature = (name = None))]
pub fn controllers(name: Option<&str>) -> PyResult<String> {
    let entries = match name {
        Some(name) => {
            vec![controller(catalogue::entry(name).map_err(|error| Failure::new(error.code(), &error))?)]
        }
        None => catalogue::entries().iter().map(controller).collect(),
    };
    Ok(Value::from(entries).to_string())
}

fn controller(entry: &Entry) -> Value {
    let parameters: Vec<Value> = entry
        .parameters()
        .map(|parameter| {
            json!({
                "name": parameter.name,
                "unit": parameter.unit,
                "default": parameter.default.to_string(),
                "bounds": parameter.domain.to_string(),
                "source": parameter.source,
                "why": parameter.why,
            })
        })
        .collect();
    json!({
        "name": entry.name,
        "summary": entry.summary,
        "equations": entry.equations,
        "parameters": parameters,
        "sources": entry.sources,
        "limits": entry.limits,
        "stand_in": entry.is_stand_in(),
        "draws": entry.draws,
        "papers": entry.papers,
        "requires": entry.requires().to_string(),
        "uses": entry.uses().to_string(),
    })
}

/// The presets of TCP with their settings and sources, as a JSON array.
#[pyfunction]
pub fn tcp_presets() -> String {
    scenario::tcp_presets().to_string()
}

/// The networks by name with sources, assumptions and measurements, as a JSON array.
#[pyfunction]
pub fn network_presets() -> String {
    scenario::network_presets().to_string()
}

/// The constellation presets as a JSON array.
#[pyfunction]
pub fn constellations() -> String {
    Value::from(presets::ALL.iter().map(constellation).collect::<Vec<_>>()).to_string()
}

fn constellation(preset: &Preset) -> Value {
    let spec = preset.spec();
    let mut entry = json!({ "name": preset.name });
    let shells: Vec<_> = spec.shells.iter().filter_map(shell).collect();
    entry["satellites"] = shells.iter().filter_map(|shell| shell["satellites"].as_u64()).sum::<u64>().into();
    entry["shells"] = shells.into();
    match spec.visibility {
        Visibility::Elevation(least) => entry["min_elevation_deg"] = json!(least.deg()),
        Visibility::Range(most) => entry["max_slant_range_km"] = json!(most.km()),
    }
    entry["isl"] = json!(spec.isl.is_some());
    entry["route_step_s"] = json!(spec.route_step.secs_f64());
    entry["description"] = json!(preset.description);
    entry["source"] = json!(preset.source);
    entry
}

fn shell(shell: &Shell) -> Option<Value> {
    let walker = match &shell.orbits {
        Orbits::Walker(walker) | Orbits::Elements { walker, .. } => walker,
        Orbits::Catalogue { .. } => return None,
    };
    Some(json!({
        "name": shell.name,
        "satellites": walker.len(),
        "planes": walker.planes,
        "per_plane": walker.per_plane,
        "altitude_km": walker.altitude.km(),
        "inclination_deg": walker.inclination.deg(),
        "period_s": walker.period().secs_f64(),
    }))
}

/// The cities that a scenario can name.
#[pyfunction]
pub fn sites() -> Table {
    let rows: Vec<_> = list::all().collect();
    table(vec![
        ("name", texts(&rows, |site| site.name.clone())),
        ("latitude_deg", floats(&rows, |site| Some(site.latitude.deg()))),
        ("longitude_deg", floats(&rows, |site| Some(site.longitude.deg()))),
    ])
}

/// Coastlines for maps, point by point.
#[pyfunction]
pub fn coastline() -> Table {
    let rows: Vec<_> = coast::points().collect();
    table(vec![
        ("line", counts(&rows, |point| point.line)),
        ("latitude_deg", floats(&rows, |point| Some(point.latitude_deg))),
        ("longitude_deg", floats(&rows, |point| Some(point.longitude_deg))),
    ])
}

/// Every step from zero to the end of a duration, both included where they meet, in seconds.
#[pyfunction]
pub fn steps(duration: &str, step: &str) -> PyResult<Vec<f64>> {
    let parse = || -> Result<_, Failure> { Ok((duration.parse::<Span>()?, step.parse::<Span>()?)) };
    let (duration, step) = parse()?;
    let count = duration.nanos().checked_div(step.nanos()).unwrap_or(0);
    Ok((0..=count).map(|number| (step * number).secs_f64()).collect())
}
