// SPDX-License-Identifier: MIT OR Apache-2.0
//! Data that need no run: schemas, error codes, controllers, constellations, sites, coastlines.

use crate::answers::{answer, json};
use crate::error::Failure;
use crate::table::{Table, counts, floats, table, texts};
use control::catalogue::{self, Entry, Parameter};
use orbit::Walker;
use pyo3::prelude::*;
use topology::{ConstellationSpec, Orbits, Preset, Visibility, coast, presets, sites as list};
use units::{Code, Span};

/// The version of Bentpipe.
#[pyfunction]
pub const fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Version and fingerprint, as in the provenance of a run.
#[pyfunction]
pub fn build() -> String {
    sim::build()
}

/// Fingerprint of all code and data that affect the numbers.
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
    record::schema_of::<record::Summary>()
}

/// The catalogue of controllers as a JSON array. With a name, only this controller.
#[pyfunction]
#[pyo3(signature = (name = None))]
pub fn controllers(name: Option<&str>) -> PyResult<String> {
    let entries: Vec<_> = match name {
        Some(name) => {
            let entry = catalogue::entry(name).map_err(|error| Failure::new(error.code(), &error))?;
            vec![ControllerEntry::new(entry)]
        }
        None => catalogue::entries().iter().map(ControllerEntry::new).collect(),
    };
    Ok(json(&entries))
}

answer! {
    /// A controller of the catalogue.
    ControllerEntry(entry: &Entry) {
        name: &'static str = entry.name,
        summary: &'static str = entry.summary,
        equations: &'static str = entry.equations,
        parameters: Vec<ControllerParameter> = entry.parameters().map(ControllerParameter::new).collect(),
        sources: &'static [&'static str] = entry.sources,
        limits: &'static str = entry.limits,
        /// Whether the entry is a substitute for a controller whose paper was not available.
        stand_in: bool = entry.is_stand_in(),
        /// Whether the controller draws random numbers.
        draws: bool = entry.draws,
        papers: &'static [&'static str] = entry.papers,
        /// Signals that the controller needs with its default parameters.
        requires: String = entry.requires().to_string(),
        /// Signals that the controller uses with its default parameters.
        uses: String = entry.uses().to_string(),
    }
}

answer! {
    /// A parameter of a controller. Default and bounds are text, as in TOML.
    ControllerParameter(parameter: &Parameter) {
        name: &'static str = parameter.name,
        unit: &'static str = parameter.unit,
        default: String = parameter.default.to_string(),
        bounds: String = parameter.domain.to_string(),
        source: &'static str = parameter.source,
        why: &'static str = parameter.why,
    }
}

/// The presets of TCP with their settings and sources, as a JSON array.
#[pyfunction]
pub fn tcp_presets() -> String {
    json(&scenario::tcp_presets())
}

/// The network presets with their sources, assumptions and measurements, as a JSON array.
#[pyfunction]
pub fn network_presets() -> String {
    json(&scenario::network_presets())
}

/// The constellation presets as a JSON array.
#[pyfunction]
pub fn constellations() -> String {
    let entry = |preset: &Preset| {
        let spec = preset.spec();
        let shells = spec.shells.iter().filter_map(|shell| match &shell.orbits {
            Orbits::Walker(walker) | Orbits::Elements { walker, .. } => {
                Some(ShellEntry::new(&shell.name, walker))
            }
            Orbits::Catalogue { .. } => None,
        });
        ConstellationEntry::new(preset, &spec, shells.collect())
    };
    json(&presets::ALL.iter().map(entry).collect::<Vec<_>>())
}

answer! {
    /// A constellation of the catalogue.
    ConstellationEntry(preset: &Preset, spec: &ConstellationSpec, shells: Vec<ShellEntry>) {
        name: &'static str = preset.name,
        satellites: usize = shells.iter().map(|shell| shell.satellites).sum(),
        shells: Vec<ShellEntry> = shells,
        #[serde(flatten)]
        visible: Visible = Visible::new(spec.visibility),
        isl: bool = spec.isl.is_some(),
        route_step_s: f64 = spec.route_step.secs_f64(),
        description: &'static str = preset.description,
        source: &'static str = preset.source,
    }
}

answer! {
    /// The rule by which a satellite is visible. Exactly one of the two keys is present.
    Visible(visibility: Visibility) {
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(with = "f64")]
        min_elevation_deg: Option<f64> =
            if let Visibility::Elevation(least) = visibility { Some(least.deg()) } else { None },
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(with = "f64")]
        max_slant_range_km: Option<f64> =
            if let Visibility::Range(most) = visibility { Some(most.km()) } else { None },
    }
}

answer! {
    /// A shell of a constellation of the catalogue.
    ShellEntry(name: &str, walker: &Walker) {
        name: String = name.to_owned(),
        satellites: usize = walker.len(),
        planes: u32 = walker.planes,
        per_plane: u32 = walker.per_plane,
        altitude_km: f64 = walker.altitude.km(),
        inclination_deg: f64 = walker.inclination.deg(),
        period_s: f64 = walker.period().secs_f64(),
    }
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

/// Times in seconds from zero to the end of a duration, one per step. The end is included if it falls on a step.
#[pyfunction]
pub fn steps(duration: &str, step: &str) -> PyResult<Vec<f64>> {
    let parse = || -> Result<_, Failure> { Ok((duration.parse::<Span>()?, step.parse::<Span>()?)) };
    let (duration, step) = parse()?;
    let count = duration.nanos().checked_div(step.nanos()).unwrap_or(0);
    Ok((0..=count).map(|number| (step * number).secs_f64()).collect())
}
