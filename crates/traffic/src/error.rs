// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors in traffic models.

use std::fmt;

/// An invalid distribution, curve or model. The message contains the value, the bound and the fix. The reader of the
/// scenario file adds the place in the file.
#[derive(Clone, Debug, PartialEq)]
pub enum TrafficError {
    /// A number of a distribution or model is outside its bounds.
    Number {
        /// Name of the number, for example `mean` or `shape`.
        what: &'static str,
        /// The refused value.
        value: f64,
        /// Allowed range in words, for example "above 0".
        bound: &'static str,
    },
    /// A Pareto distribution with this shape and bound cannot have the requested mean.
    Mean {
        /// The requested mean.
        mean: f64,
        /// Why the mean is impossible, and the fix.
        why: String,
    },
    /// A distribution does not have a mean, but its mean is required.
    NoMean {
        /// Name of the distribution: `on` or `off`.
        what: &'static str,
    },
    /// A CDF without points.
    CdfEmpty,
    /// A row of a CDF is not a value and a probability, or is out of order.
    CdfRow {
        /// Line in the file, counted from 1. If the points do not come from a file, the number of the point, counted
        /// from 1.
        line: usize,
        /// What is wrong with the row, and the fix.
        why: String,
    },
    /// The last probability of a CDF is not 1.
    CdfEnd {
        /// The last probability.
        end: f64,
    },
    /// A page without objects.
    PageEmpty,
    /// A page with more than the allowed number of objects.
    PageLarge {
        /// Number of objects.
        objects: usize,
        /// Largest allowed number of objects.
        most: usize,
    },
    /// An object waits for an object that is not on the page.
    ObjectUnknown {
        /// Name of the waiting object.
        object: String,
        /// Name of the missing object.
        after: String,
    },
    /// An object of 0 bytes.
    ObjectEmpty {
        /// Name of the object.
        object: String,
    },
    /// Two objects have the same name.
    ObjectTwice {
        /// The name.
        name: String,
    },
    /// Objects wait for each other in a circle.
    Circle {
        /// Names of the objects. Each object waits for the next object in the list. The last object waits for the first
        /// object.
        objects: Vec<String>,
    },
    /// The number of connections is out of bounds.
    Connections {
        /// The refused number of connections.
        connections: u8,
        /// Largest allowed number of connections.
        most: u8,
    },
    /// A ladder without rates.
    LadderEmpty,
    /// A rate of the ladder is not above the previous rate.
    LadderFalls {
        /// Number of the rung, counted from 1.
        rung: usize,
        /// Rate of this rung.
        rate: units::Rate,
        /// Rate of the previous rung.
        before: units::Rate,
    },
    /// A duration of a film (segment, startup, resume, reservoir or cushion) is too short, or does not fit into the
    /// player's buffer.
    Buffer {
        /// Key of the duration.
        what: &'static str,
        /// The refused duration.
        span: units::Span,
        /// Allowed range, the limit on which the range depends, and the fix.
        bound: String,
    },
}

impl fmt::Display for TrafficError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number { what, value, bound } => write!(f, "{what} is {value}, but must be {bound}"),
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
                    "the CDF ends at the probability {end}: its last row must have the probability 1 (fractions, not percent)"
                )
            }
            Self::PageEmpty => write!(f, "the page has no objects (write at least one)"),
            Self::PageLarge { objects, most } => {
                write!(f, "the page has {objects} objects, but the limit is {most}")
            }
            Self::ObjectUnknown { object, after } => write!(
                f,
                "the object \"{object}\" waits for \"{after}\", which is not an object of the page (name a listed \
                object)"
            ),
            Self::ObjectEmpty { object } => {
                write!(f, "the object \"{object}\" has size 0 (headers count as well: write at least 1 byte)")
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
                write!(
                    f,
                    "{connections} connections are not possible: the number must be between 1 and {most}"
                )
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
