// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why a model is refused.

use std::fmt;

/// An invalid distribution, curve or model. The text has the value, the bound and the fix; the reader of the file adds
/// the place.
#[derive(Clone, Debug, PartialEq)]
pub enum TrafficError {
    /// A number of a law is outside its bounds.
    Number {
        /// Which one: `mean`, `shape`.
        what: &'static str,
        /// What it is.
        value: f64,
        /// What it must be, in words: "above 0".
        bound: &'static str,
    },
    /// No least value of a Pareto law has this mean.
    Mean {
        /// The mean that is wanted.
        mean: f64,
        /// Why there is none, and the fix.
        why: String,
    },
    /// A law has no mean where one is needed.
    NoMean {
        /// Which law: `on`, `size`.
        what: &'static str,
    },
    /// A CDF without points.
    CdfEmpty,
    /// A row of a CDF that is not value and probability, or falls.
    CdfRow {
        /// Line of the file, from 1; without a file the number of the point.
        line: usize,
        /// What is wrong with it, and the fix.
        why: String,
    },
    /// A CDF does not end at 1.
    CdfEnd {
        /// Where it ends.
        end: f64,
    },
    /// A page without objects.
    PageEmpty,
    /// A page of more objects than can be told apart.
    PageLarge {
        /// How many.
        objects: usize,
        /// How many there may be.
        most: usize,
    },
    /// An object waits for one that the page does not have.
    ObjectUnknown {
        /// Which object, by its name.
        object: String,
        /// For which one it waits.
        after: String,
    },
    /// An object without a byte.
    ObjectEmpty {
        /// Which object, by its name.
        object: String,
    },
    /// Two objects have one name.
    ObjectTwice {
        /// The name.
        name: String,
    },
    /// Objects wait for each other in a circle.
    Circle {
        /// Their names, each waiting for the one behind it, the last for the first.
        objects: Vec<String>,
    },
    /// Too few connections, or too many.
    Connections {
        /// How many connections.
        connections: u8,
        /// How many there may be.
        most: u8,
    },
    /// A ladder without rungs.
    LadderEmpty,
    /// A rung is not above the one below it.
    LadderFalls {
        /// Which rung, from 1.
        rung: usize,
        /// Its rate.
        rate: units::Rate,
        /// The rate of the rung before.
        before: units::Rate,
    },
    /// A stretch of a film's buffer does not fit.
    Buffer {
        /// Which one, by its key.
        what: &'static str,
        /// How long.
        span: units::Span,
        /// What it must be, with the other number, and the fix.
        bound: String,
    },
}

impl fmt::Display for TrafficError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number { what, value, bound } => write!(f, "{what} is {value}: must be {bound}"),
            Self::Mean { mean, why } => write!(f, "no such distribution has the mean {mean}: {why}"),
            Self::NoMean { what } => write!(
                f,
                "the distribution of {what} has no mean (Pareto with a shape of 1 or less: write `most`, or a shape \
                above 1)"
            ),
            Self::CdfEmpty => {
                write!(
                    f,
                    "the CDF has no points (write rows of value and probability, the last one of probability 1)"
                )
            }
            Self::CdfRow { line, why } => write!(f, "row {line} of the CDF: {why}"),
            Self::CdfEnd { end } => {
                write!(
                    f,
                    "the CDF ends at the probability {end}: its last row must have 1 (fractions, not percent)"
                )
            }
            Self::PageEmpty => write!(f, "the page has no objects (write at least one)"),
            Self::PageLarge { objects, most } => {
                write!(f, "the page has {objects} objects: the limit is {most}")
            }
            Self::ObjectUnknown { object, after } => write!(
                f,
                "the object \"{object}\" waits for \"{after}\", which is not an object of the page (name a listed \
                object)"
            ),
            Self::ObjectEmpty { object } => {
                write!(f, "the object \"{object}\" has no bytes (its headers count: write at least one)")
            }
            Self::ObjectTwice { name } => {
                write!(f, "two objects have the name \"{name}\" (use different names)")
            }
            Self::Circle { objects } => {
                let first = objects.first().map_or("", String::as_str);
                let chain: Vec<&str> = objects.iter().map(String::as_str).chain([first]).collect();
                write!(
                    f,
                    "objects wait for each other in a circle: \"{}\" (remove one `after`)",
                    chain.join("\" after \"")
                )
            }
            Self::Connections { connections, most } => {
                write!(f, "{connections} connections: must be between 1 and {most}")
            }
            Self::LadderEmpty => write!(f, "the ladder has no rungs (write at least one rate)"),
            Self::LadderFalls { rung, rate, before } => write!(
                f,
                "the ladder must rise: rung {rung} has {rate} after {before} (write the rates from the lowest to the \
                highest)"
            ),
            Self::Buffer { what, span, bound } => write!(f, "{what} is {span}: {bound}"),
        }
    }
}

impl std::error::Error for TrafficError {}
