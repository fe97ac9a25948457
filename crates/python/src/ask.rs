// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known before any run: schemas, codes, controllers, constellations, sites, paths.

use crate::error::Failure;
use crate::table::Table;
use arrow::array::{ArrayRef, Float64Array, RecordBatch, StringArray, UInt32Array};
use control::catalogue::{self, Entry};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;
use topology::{Orbits, Preset, Shell, TopologyError, Visibility, presets, sites as list, trace};
use units::{Code, Span, Time};

/// The version of Bentpipe.
#[pyfunction]
pub const fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
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
        "papers": entry.papers,
        "requires": entry.requires().to_string(),
        "uses": entry.uses().to_string(),
    })
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

/// Columns of equal length as a table.
fn table(columns: Vec<(&str, ArrayRef)>) -> Table {
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, column)| (name, column, true)))
        .expect("the columns are made from the same rows")
        .into()
}

fn floats<T>(rows: &[T], cell: impl Fn(&T) -> Option<f64>) -> ArrayRef {
    Arc::new(rows.iter().map(cell).collect::<Float64Array>())
}

fn texts<T>(rows: &[T], cell: impl Fn(&T) -> String) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(rows.iter().map(cell)))
}

fn counts<T>(rows: &[T], cell: impl Fn(&T) -> u32) -> ArrayRef {
    Arc::new(UInt32Array::from_iter_values(rows.iter().map(cell)))
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

/// The shortest path between two places over time.
#[pyfunction]
pub fn path(
    py: Python<'_>,
    origin: &str,
    destination: &str,
    constellation: &str,
    duration: &str,
    step: &str,
) -> PyResult<Table> {
    let samples = py.detach(|| samples(origin, destination, constellation, duration, step))?;
    Ok(table(vec![
        ("time_s", floats(&samples, |sample| Some(sample.at.secs_f64()))),
        ("links", counts(&samples, |sample| sample.links() as u32)),
        ("one_way_delay_ms", floats(&samples, |sample| sample.one_way().map(Span::millis_f64))),
        ("propagation_rtt_ms", floats(&samples, |sample| sample.rtt().map(Span::millis_f64))),
        ("uplink_ms", floats(&samples, |sample| sample.one_way().map(|_| sample.uplink.millis_f64()))),
        ("isl_ms", floats(&samples, |sample| sample.one_way().map(|_| sample.isl.millis_f64()))),
        ("downlink_ms", floats(&samples, |sample| sample.one_way().map(|_| sample.downlink.millis_f64()))),
        ("via", texts(&samples, |sample| sample.hops.join(" > "))),
    ]))
}

fn samples(
    origin: &str,
    destination: &str,
    constellation: &str,
    duration: &str,
    step: &str,
) -> Result<Vec<trace::PathSample>, Failure> {
    let spec = presets::find(constellation)?;
    let (from, to) = (list::find(origin)?, list::find(destination)?);
    let samples = trace::path_over_time(&spec, &from, &to, duration.parse()?, step.parse()?)?;
    if samples.iter().all(|sample| sample.hops.is_empty()) {
        let why = "at no step of the time asked for";
        return Err(TopologyError::NoPath { from: from.name, to: to.name, why }.into());
    }
    Ok(samples)
}

/// Satellites, and the links between them as pairs of row numbers, at a moment.
#[pyfunction]
pub fn satellites_at(constellation: &str, at: &str) -> PyResult<(Table, Table)> {
    let look = || -> Result<_, Failure> {
        let spec = presets::find(constellation)?;
        Ok(trace::snapshot(&spec, &[], at.parse::<Time>()?)?)
    };
    let snapshot = look()?;
    let satellites = snapshot.satellites;
    let nodes = table(vec![
        ("name", texts(&satellites, |satellite| satellite.name.clone())),
        ("latitude_deg", floats(&satellites, |satellite| Some(satellite.place.latitude.deg()))),
        ("longitude_deg", floats(&satellites, |satellite| Some(satellite.place.longitude.deg()))),
        ("altitude_km", floats(&satellites, |satellite| Some(satellite.place.altitude.km()))),
    ]);
    let links = table(vec![
        ("a", counts(&snapshot.isls, |link| link.0)),
        ("b", counts(&snapshot.isls, |link| link.1)),
    ]);
    Ok((nodes, links))
}
