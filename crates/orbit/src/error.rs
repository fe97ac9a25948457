// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can go wrong with elements and orbits.

use std::fmt;
use units::{Code, Time};

/// Elements that cannot be read, or an orbit that cannot be followed.
#[derive(Clone, Debug, PartialEq)]
pub enum OrbitError {
    /// A line of a two-line element set is malformed.
    TleSyntax {
        /// Line in the text, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// The checksum of a line is not that of its text.
    TleChecksum {
        /// Line in the text, from 1.
        line: usize,
        /// The checksum of the line's text.
        expected: u8,
        /// The checksum that stands in column 69.
        found: char,
    },
    /// The start of a run is not a date.
    StartSyntax {
        /// What was given.
        text: String,
    },
    /// SGP4 refuses a satellite: its elements are outside the model's domain, or it has decayed.
    Propagation {
        /// The satellite.
        satellite: String,
        /// Time of the run.
        at: Time,
        /// SGP4's reason.
        why: String,
    },
}

impl OrbitError {
    /// The stable code.
    pub const fn code(&self) -> Code {
        match self {
            Self::TleSyntax { .. } => Code::TleSyntax,
            Self::TleChecksum { .. } => Code::TleChecksum,
            Self::StartSyntax { .. } => Code::ScenarioValue,
            Self::Propagation { .. } => Code::OrbitPropagation,
        }
    }
}

impl fmt::Display for OrbitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TleSyntax { line, what } => {
                write!(f, "cannot read line {line} as part of a two-line element set: {what}")
            }
            Self::TleChecksum { line, expected, found } => write!(
                f,
                "line {line} of the two-line elements is damaged: column 69 says checksum {found}, the line's text \
                 gives {expected} (fetch the elements again)"
            ),
            Self::StartSyntax { text } => write!(
                f,
                "cannot read \"{text}\" as the start of a run (write UTC as in RFC 3339: \"2022-09-14T22:00:00Z\")"
            ),
            Self::Propagation { satellite, at, why } => write!(
                f,
                "cannot propagate {satellite} to {at} after the start of the run: {why} (remove it from the file, or \
                 start nearer to the epoch of its elements)"
            ),
        }
    }
}

impl std::error::Error for OrbitError {}
