// SPDX-License-Identifier: MIT OR Apache-2.0
//! Converts errors of the other crates to the exceptions of `bentpipe.base.errors`.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use scenario::{Context, ScenarioError};
use std::fmt::Display;
use units::Code;

/// An error for Python: its code, its text, and, if it is an error in a document, its faults.
#[derive(Clone, Debug)]
pub struct Failure {
    code: Code,
    message: String,
    faults: Vec<ScenarioError>,
}

/// Largest number of characters of a line of a message. Longer lines are shortened.
const LONGEST_LINE: usize = 2000;

/// Shortens a line in the middle. Its beginning contains the place, and its end contains the fix.
fn shortened(line: &str) -> String {
    let characters = line.chars().count();
    if characters <= LONGEST_LINE {
        return line.to_owned();
    }
    let half = LONGEST_LINE / 2;
    let begin: String = line.chars().take(half).collect();
    let end: String = line.chars().skip(characters - half).collect();
    format!("{begin} [… {} characters …] {end}", characters - 2 * half)
}

impl Failure {
    /// Converts the error of a crate.
    pub fn new(code: Code, error: &impl Display) -> Self {
        let lines: Vec<String> = error.to_string().lines().map(shortened).collect();
        Self { code, message: lines.join("\n"), faults: Vec::new() }
    }

    /// Whether the run ended because the caller asked it to stop.
    pub fn is_interruption(&self) -> bool {
        self.code == Code::Interrupted
    }
}

impl From<ScenarioError> for Failure {
    fn from(error: ScenarioError) -> Self {
        let faults = std::iter::once(&error).chain(error.others()).cloned().collect();
        Self { faults, ..Self::new(error.code(), &error) }
    }
}
impl From<plan::PlanError> for Failure {
    fn from(error: plan::PlanError) -> Self {
        sim::SimError::from(error).into()
    }
}

impl From<sim::SimError> for Failure {
    fn from(error: sim::SimError) -> Self {
        Self::new(error.code(), &error)
    }
}
impl From<topology::TopologyError> for Failure {
    fn from(error: topology::TopologyError) -> Self {
        Self::new(error.code(), &error)
    }
}
impl From<record::RecordError> for Failure {
    fn from(error: record::RecordError) -> Self {
        Self::new(error.code(), &error)
    }
}
impl From<units::UnitError> for Failure {
    fn from(error: units::UnitError) -> Self {
        Self::new(error.code(), &error)
    }
}

/// Returns the Python class for a code: an error in the input, or an error during a run.
const fn class(code: Code) -> &'static str {
    match code {
        Code::FolderUnwritable
        | Code::DiskFull
        | Code::FolderNotARun
        | Code::FolderCutOff
        | Code::OutputUnwritable
        | Code::ControllerRaised
        | Code::FileChanged
        | Code::AddressUnusable
        | Code::CertificateRefused
        | Code::ConnectionFailed
        | Code::RequestRefused
        | Code::KernelRefused
        | Code::Interrupted
        | Code::Conservation => "RunError",
        _ => "ScenarioError",
    }
}

/// Converts a fault to `bentpipe.Fault`.
fn fault<'py>(class: &Bound<'py, PyAny>, error: &ScenarioError) -> PyResult<Bound<'py, PyAny>> {
    let Context { value, bound, alternatives, fix } = error.context();
    let fields = PyDict::new(class.py());
    fields.set_item("code", error.code().as_str())?;
    fields.set_item("message", shortened(error.message()))?;
    fields.set_item("file", error.origin())?;
    fields.set_item("line", error.line())?;
    fields.set_item("key", error.key())?;
    fields.set_item("value", value.as_deref().map(shortened))?;
    fields.set_item("bound", bound)?;
    fields.set_item("alternatives", PyTuple::new(class.py(), alternatives)?)?;
    fields.set_item("fix", fix.as_deref().map(shortened))?;
    class.call((), Some(&fields))
}

fn exception(py: Python<'_>, failure: Failure) -> PyResult<Bound<'_, PyAny>> {
    let module = py.import("bentpipe.base.errors")?;
    let fault_class = module.getattr("Fault")?;
    let faults =
        failure.faults.iter().map(|error| fault(&fault_class, error)).collect::<PyResult<Vec<_>>>()?;
    let class = module.getattr(class(failure.code))?;
    class.call1((failure.code.as_str(), failure.message, PyTuple::new(py, faults)?))
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        Python::attach(|py| exception(py, failure).map_or_else(|broken| broken, Self::from_value))
    }
}
