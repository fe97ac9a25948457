// SPDX-License-Identifier: MIT OR Apache-2.0
//! One run to make: a scenario's text, and what is to be different.

use crate::error::Failure;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use scenario::Scenario;
use scenario::document::{ControllerChoice, FlowKind};
use std::path::PathBuf;

/// A scenario's text with what is to be different, and the folder to write.
#[pyclass(frozen, module = "bentpipe._core")]
pub struct Job {
    toml: String,
    origin: String,
    out: Option<PathBuf>,
    seed: Option<u64>,
    duration: Option<String>,
    controller: Option<String>,
}

/// The same, read and checked.
pub struct Plan {
    pub scenario: Scenario,
    pub out: Option<PathBuf>,
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
        Ok(((self.toml.clone(), self.origin.clone()), different))
    }

    #[new]
    #[pyo3(signature = (toml, origin, *, out = None, seed = None, duration = None, controller = None))]
    fn new(
        toml: String,
        origin: String,
        out: Option<PathBuf>,
        seed: Option<u64>,
        duration: Option<String>,
        controller: Option<String>,
    ) -> PyResult<Self> {
        // A file can say no more (TOML's integers).
        if seed.is_some_and(|seed| i64::try_from(seed).is_err()) {
            return Err(PyValueError::new_err("a seed is at most 2^63 - 1"));
        }
        Ok(Self { toml, origin, out, seed, duration, controller })
    }
}

impl Job {
    /// Reads the text and puts in what is to be different.
    pub fn plan(&self) -> Result<Plan, Failure> {
        let mut scenario = Scenario::from_toml(&self.toml, &self.origin)?;
        if let Some(seed) = self.seed {
            scenario.seed = seed;
        }
        if let Some(duration) = &self.duration {
            scenario.duration = duration.parse()?;
        }
        if let Some(name) = &self.controller {
            for flow in &mut scenario.flows {
                if let FlowKind::Tcp { controller, .. } = &mut flow.kind {
                    *controller = ControllerChoice { name: name.clone(), parameters: Vec::new() };
                }
            }
        }
        if self.duration.is_some() {
            // What was put in is held to the same bounds as what was read.
            scenario = Scenario::from_toml(&scenario.to_toml(""), "with the duration asked for")?;
        }
        Ok(Plan { scenario, out: self.out.clone() })
    }
}

impl Plan {
    /// The document as it is run, with version and seed on top.
    pub fn resolved(&self) -> String {
        let (version, seed) = (env!("CARGO_PKG_VERSION"), self.scenario.seed);
        self.scenario.to_toml(&format!("bentpipe {version}, seed {seed}"))
    }
}

/// The document as it is run: checked, every default filled in.
#[pyfunction]
pub fn resolve(job: &Job) -> PyResult<String> {
    Ok(job.plan()?.resolved())
}
