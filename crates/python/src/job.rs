// SPDX-License-Identifier: MIT OR Apache-2.0
//! One run to make: a scenario's text, and what is to be different.

use crate::cost;
use crate::error::Failure;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use record::RecordError;
use scenario::document::{ControllerChoice, FlowKind};
use scenario::{Places, Scenario};
use sim::{Captures, SimError};
use std::path::{Path, PathBuf};
use topology::TopologyError;

/// A scenario's text with what is to be different, and the folder to write.
#[pyclass(frozen, module = "bentpipe._core")]
pub struct Job {
    toml: String,
    origin: String,
    out: Option<PathBuf>,
    seed: Option<u64>,
    duration: Option<String>,
    controller: Option<String>,
    pcap: Option<Vec<String>>,
    qlog: Option<Vec<String>>,
    force: bool,
    costly: bool,
}

/// The same, read and checked.
pub struct Plan {
    pub scenario: Scenario,
    pub out: Option<PathBuf>,
    /// What stands in the way of `out` is replaced, if it is ours.
    pub force: bool,
    /// It may need more than is free.
    pub costly: bool,
    places: Places,
    /// The controllers are not those of the text.
    replaced: bool,
}

#[pymethods]
impl Job {
    /// What makes it anew: a job can be pickled.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((String, String), Bound<'py, PyDict>)> {
        let different = PyDict::new(py);
        different.set_item("out", &self.out)?;
        different.set_item("seed", self.seed)?;
        different.set_item("duration", &self.duration)?;
        different.set_item("controller", &self.controller)?;
        different.set_item("pcap", &self.pcap)?;
        different.set_item("qlog", &self.qlog)?;
        different.set_item("force", self.force)?;
        different.set_item("costly", self.costly)?;
        Ok(((self.toml.clone(), self.origin.clone()), different))
    }

    #[new]
    #[pyo3(signature = (
        toml, origin, *, out = None, seed = None, duration = None, controller = None, pcap = None, qlog = None, force = false,
        costly = false
    ))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new(
        toml: String,
        origin: String,
        out: Option<PathBuf>,
        seed: Option<u64>,
        duration: Option<String>,
        controller: Option<String>,
        pcap: Option<Vec<String>>,
        qlog: Option<Vec<String>>,
        force: bool,
        costly: bool,
    ) -> PyResult<Self> {
        // A file can say no more (TOML's integers).
        if seed.is_some_and(|seed| i64::try_from(seed).is_err()) {
            return Err(PyValueError::new_err("a seed is at most 2^63 - 1"));
        }
        Ok(Self { toml, origin, out, seed, duration, controller, pcap, qlog, force, costly })
    }
}

impl Job {
    /// Reads the text and puts in what is to be different.
    pub fn plan(&self) -> Result<Plan, Failure> {
        let (mut scenario, places) = Scenario::read(&self.toml, &self.origin, self.duration.as_deref())?;
        if let Some(seed) = self.seed {
            scenario.seed = seed;
        }
        if let Some(name) = &self.controller {
            for flow in &mut scenario.flows {
                if let FlowKind::Tcp { controller, .. } = &mut flow.kind {
                    *controller = ControllerChoice { name: name.clone(), parameters: Vec::new() };
                }
            }
        }
        let capture = &mut scenario.record.capture;
        if let Some(names) = &self.pcap {
            capture.pcap.clone_from(names);
        }
        if let Some(names) = &self.qlog {
            capture.qlog.clone_from(names);
        }
        if self.pcap.is_some() || self.qlog.is_some() {
            scenario::check_captures(&scenario.record.capture, &scenario.flows)?;
        }
        let (out, replaced) = (self.out.clone(), self.controller.is_some());
        Ok(Plan { scenario, out, force: self.force, costly: self.costly, places, replaced })
    }

    /// As [`Job::plan`], to be made: refused if something else stands where its folder should go, or if it would need more
    /// than is free.
    pub fn ready(&self) -> Result<Plan, Failure> {
        let plan = self.plan()?;
        if let Some(out) = &plan.out {
            record::folder::refuse(out, &plan.resolved(), plan.force)?;
        }
        cost::refuse(&plan)?;
        Ok(plan)
    }
}

impl Plan {
    /// The document as it is run, with version and seed on top.
    pub fn resolved(&self) -> String {
        let (version, seed) = (env!("CARGO_PKG_VERSION"), self.scenario.seed);
        self.scenario.to_toml(&format!("bentpipe {version}, seed {seed}"))
    }

    /// What the scenario wants captured, in `folder`.
    pub fn captures(&self, folder: &Path) -> Result<Option<Captures>, RecordError> {
        Captures::begin(&self.scenario, folder, concat!("bentpipe ", env!("CARGO_PKG_VERSION")))
    }

    /// What went wrong in a run, with the place in the scenario's text that it is about.
    pub fn placed(&self, error: SimError) -> Failure {
        let (code, text) = (error.code(), error.to_string());
        let controller = if self.replaced { "" } else { "controller" };
        let fault = match &error {
            SimError::Controller { flow, .. } | SimError::SignalMissing { flow, .. } => {
                self.places.of_flow(flow, controller, code, text)
            }
            SimError::SiteUnknown { flow, .. } => self.places.of_flow(flow, "", code, text),
            SimError::TraceUnreadable { file, .. }
            | SimError::Trace { file, .. }
            | SimError::Topology(TopologyError::CatalogueUnreadable { file, .. }) => {
                self.places.of_file(file, code, text)
            }
            SimError::Topology(TopologyError::Orbit { place, .. }) => {
                self.places.of_file(place.as_ref(), code, text)
            }
            SimError::Topology(_) => self.places.error("network", code, text),
            _ => return error.into(),
        };
        fault.into()
    }
}

/// The document as it is run: checked, every default filled in.
#[pyfunction]
pub fn resolve(job: &Job) -> PyResult<String> {
    Ok(job.plan()?.resolved())
}
