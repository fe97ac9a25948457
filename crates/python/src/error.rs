// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of the rooms as the exceptions of `bentpipe._errors`.

use pyo3::prelude::*;
use std::fmt::Display;
use units::Code;

/// An error on its way to Python: its code and its text.
#[derive(Clone, Debug)]
pub struct Failure {
    code: Code,
    message: String,
}

/// A longer line of a message is shortened: what a file says there in so many words helps nobody.
const LONGEST_LINE: usize = 2000;

/// A line with its beginning, where the place is, and its end, where the fix is.
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
    /// From a room's error.
    pub fn new(code: Code, error: &impl Display) -> Self {
        let lines: Vec<String> = error.to_string().lines().map(shortened).collect();
        Self { code, message: lines.join("\n") }
    }

    /// Whether the caller asked to stop.
    pub fn is_interruption(&self) -> bool {
        self.code == Code::Interrupted
    }
}

impl From<scenario::ScenarioError> for Failure {
    fn from(error: scenario::ScenarioError) -> Self {
        Self::new(error.code(), &error)
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

/// The Python class for a code: what the user asked for in the wrong way, or what went wrong on the way.
const fn class(code: Code) -> &'static str {
    match code {
        Code::FolderUnwritable
        | Code::DiskFull
        | Code::FolderNotARun
        | Code::FolderCutOff
        | Code::OutputUnwritable
        | Code::ControllerRaised
        | Code::FileChanged
        | Code::Interrupted
        | Code::Conservation => "RunError",
        _ => "ScenarioError",
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        Python::attach(|py| {
            let raised = py
                .import("bentpipe._errors")
                .and_then(|module| module.getattr(class(failure.code)))
                .and_then(|class| class.call1((failure.code.as_str(), failure.message)));
            match raised {
                Ok(exception) => Self::from_value(exception),
                Err(broken) => broken,
            }
        })
    }
}
