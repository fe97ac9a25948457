// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of elements and orbits.

use crate::elements::YEARS;
use std::fmt;
use units::{Code, Time};

/// Elements that cannot be read, or an orbit that cannot be propagated.
#[derive(Clone, Debug, PartialEq)]
pub enum OrbitError {
    /// A line of a two-line element set is malformed.
    TleSyntax {
        /// Line in the text, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// The checksum of a line does not match its text.
    TleChecksum {
        /// Line in the text, from 1.
        line: usize,
        /// The checksum of the line's text.
        expected: u8,
        /// The checksum in column 69.
        found: char,
    },
    /// An orbit mean-elements message is malformed.
    ElementsSyntax {
        /// Its place.
        place: Place,
        /// What is wrong with it, with the name of the field.
        what: String,
    },
    /// The start of a run is not a date.
    StartSyntax {
        /// The given text.
        text: String,
    },
    /// No satellite is left.
    FleetEmpty {
        /// Start of the run, UTC.
        start: String,
        /// Why the satellites were left out, as in the notes.
        why: String,
        /// The fix.
        fix: &'static str,
    },
    /// A satellite cannot be propagated: its elements are outside the model's domain, or it has decayed.
    Propagation {
        /// The satellite.
        satellite: String,
        /// Time of the run.
        at: Time,
        /// SGP4's reason.
        why: Refusal,
    },
}

/// The place of a message in a catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line of the text, from 1.
    Line(usize),
    /// A record of a JSON array, from 1.
    Record(usize),
}

/// Why a satellite cannot be propagated: the error codes of SGP4's reference code (AIAA 2006-6753, `sgp4unit.cpp`), and
/// cases in which that code gives positions although no satellite can be there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Refusal {
    /// Code 1: the eccentricity, before periodic terms, has left its domain.
    MeanElements {
        /// The eccentricity.
        eccentricity: f64,
    },
    /// Code 2: the mean motion is not positive.
    MeanMotion,
    /// Code 3: the eccentricity, with the pull of Sun and Moon, has left its domain.
    PerturbedElements {
        /// The eccentricity.
        eccentricity: f64,
    },
    /// Code 4: the semi-latus rectum is negative.
    SemiLatusRectum,
    /// Code 6: the satellite is below the surface.
    Decayed {
        /// Distance from the centre of the Earth.
        radius_km: f64,
    },
    /// The satellite is so deep in the atmosphere that it soon decays.
    Atmosphere {
        /// Height over the equatorial radius.
        height_km: f64,
    },
    /// The orbit is larger (or, before the epoch, smaller) than that of the elements, which drag cannot cause.
    Contradiction {
        /// Semi-major axis of the orbit.
        axis_km: f64,
        /// That of the elements at their epoch.
        epoch_axis_km: f64,
    },
    /// The orbit leaves the Earth.
    Escape {
        /// Distance of the apogee from the centre of the Earth.
        apogee_km: f64,
    },
    /// SGP4 gives numbers that are not finite.
    Diverged,
    /// The catalogue marks the satellite as decayed.
    Declared,
}

impl OrbitError {
    /// The stable code.
    pub const fn code(&self) -> Code {
        match self {
            Self::TleSyntax { .. } => Code::TleSyntax,
            Self::TleChecksum { .. } => Code::TleChecksum,
            Self::ElementsSyntax { .. } => Code::ElementsSyntax,
            Self::StartSyntax { .. } => Code::ScenarioValue,
            Self::FleetEmpty { .. } => Code::FleetEmpty,
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
                "line {line} of the two-line elements is damaged: column 69 has checksum {found}, and the line's text \
                gives {expected} (fetch the elements again)"
            ),
            Self::ElementsSyntax { place, what } => {
                write!(f, "cannot read {place} as an orbit mean-elements message: {what}")
            }
            Self::StartSyntax { text } => write!(
                f,
                "cannot read \"{text}\" as the start of a run (write UTC between {} and {} as in RFC 3339: \
                 \"2022-09-14T22:00:00Z\")",
                YEARS.start(),
                YEARS.end()
            ),
            Self::FleetEmpty { start, why, fix } => {
                write!(
                    f,
                    "no satellite of the catalogue is left for a run that starts at {start}: {why} ({fix})"
                )
            }
            Self::Propagation { satellite, at, why } => write!(
                f,
                "cannot propagate {satellite} to {at} after the start of the run: {why} (remove it from the file, \
                 write unusable = \"skip\", or start nearer to the epoch of its elements)"
            ),
        }
    }
}

impl std::error::Error for OrbitError {}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Record(record) => write!(f, "record {record}"),
        }
    }
}

impl Refusal {
    /// Number of the error in the reference code, which has no other reasons.
    pub const fn number(self) -> Option<u8> {
        match self {
            Self::MeanElements { .. } => Some(1),
            Self::MeanMotion => Some(2),
            Self::PerturbedElements { .. } => Some(3),
            Self::SemiLatusRectum => Some(4),
            Self::Decayed { .. } => Some(6),
            Self::Atmosphere { .. }
            | Self::Contradiction { .. }
            | Self::Escape { .. }
            | Self::Diverged
            | Self::Declared => None,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MeanElements { eccentricity } => {
                write!(f, "its mean eccentricity {eccentricity} is not between 0 and 1")
            }
            Self::MeanMotion => write!(f, "its mean motion is not positive"),
            Self::PerturbedElements { eccentricity } => {
                write!(f, "its perturbed eccentricity {eccentricity} is not between 0 and 1")
            }
            Self::SemiLatusRectum => write!(f, "its semi-latus rectum is negative"),
            Self::Decayed { radius_km } => {
                write!(f, "it has decayed ({radius_km:.0} km from the centre of the Earth)")
            }
            Self::Atmosphere { height_km } => {
                write!(f, "it has decayed ({height_km:.0} km high, inside the atmosphere)")
            }
            Self::Diverged => {
                f.write_str("SGP4 finds no finite position from its elements (check the drag term BSTAR)")
            }
            Self::Contradiction { axis_km, epoch_axis_km } => write!(
                f,
                "its elements are not consistent this far from their epoch (semi-major axis {axis_km:.0} km, \
                {epoch_axis_km:.0} km at the epoch)"
            ),
            Self::Escape { apogee_km } => {
                write!(f, "its orbit leaves the Earth ({apogee_km:.0} km from its centre)")
            }
            Self::Declared => write!(f, "the catalogue has a DECAY_DATE for it"),
        }?;
        self.number().map_or(Ok(()), |number| write!(f, ", SGP4 error {number}"))
    }
}

impl From<sgp4::ElementsError> for Refusal {
    fn from(error: sgp4::ElementsError) -> Self {
        match error {
            sgp4::ElementsError::KozaiElementsError(_) => Self::MeanMotion,
            sgp4::ElementsError::OutOfRangeEpochEccentricity(error) => {
                Self::MeanElements { eccentricity: error.0 }
            }
        }
    }
}

impl From<sgp4::Error> for Refusal {
    fn from(error: sgp4::Error) -> Self {
        match error {
            sgp4::Error::OutOfRangeEccentricity { eccentricity, .. } => Self::MeanElements { eccentricity },
            sgp4::Error::OutOfRangePerturbedEccentricity { eccentricity, .. } => {
                Self::PerturbedElements { eccentricity }
            }
            sgp4::Error::NegativeSemiLatusRectum { .. } => Self::SemiLatusRectum,
        }
    }
}
