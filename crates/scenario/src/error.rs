// SPDX-License-Identifier: MIT OR Apache-2.0
//! A scenario that cannot be used: what is wrong, and where.

use std::fmt;
use units::Code;

/// One fault of a scenario, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioError {
    pub(crate) code: Code,
    pub(crate) origin: String,
    pub(crate) line: Option<usize>,
    pub(crate) key: String,
    pub(crate) message: String,
}

impl ScenarioError {
    /// The stable code.
    pub const fn code(&self) -> Code {
        self.code
    }
    /// The file, as the caller named it.
    pub fn origin(&self) -> &str {
        &self.origin
    }
    /// The line, counted from 1, where it is known.
    pub const fn line(&self) -> Option<usize> {
        self.line
    }
    /// The key's path (`network.dumbbell.rate`, `flows[0].size`); empty if the fault is not at a key.
    pub fn key(&self) -> &str {
        &self.key
    }
    /// What is wrong and how to mend it, without the place.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.origin.as_str(), self.line) {
            ("", _) => {}
            (origin, Some(line)) => write!(f, "{origin}:{line}: ")?,
            (origin, None) => write!(f, "{origin}: ")?,
        }
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for ScenarioError {}
