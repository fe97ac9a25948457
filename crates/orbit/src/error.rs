// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors in elements and orbits.

use crate::elements::YEARS;
use std::fmt;
use units::{Code, Time};

/// Elements that cannot be read, or an orbit that cannot be propagated.
#[derive(Clone, Debug, PartialEq)]
pub enum OrbitError {
    /// A line of a two-line element set is malformed.
    TleSyntax {
        /// Line of the text, counted from 1.
        line: usize,
        /// What is wrong with the line.
        what: String,
    },
    /// The checksum of a line does not match the text of the line.
    TleChecksum {
        /// Line of the text, counted from 1.
        line: usize,
        /// The checksum that the text of the line requires.
        expected: u8,
        /// The character in column 69, where the checksum must be.
        found: char,
    },
    /// An orbit mean-elements message is malformed.
    ElementsSyntax {
        /// Place of the message.
        place: Place,
        /// What is wrong with the message, with the name of the field.
        what: String,
    },
    /// The start of a run is not a valid date.
    StartSyntax {
        /// The refused text.
        text: String,
    },
    /// No satellite of the catalogue is left.
    FleetEmpty {
        /// Start of the run, UTC.
        start: String,
        /// The reasons why satellites were left out, in the words of the notes.
        why: String,
        /// The fix.
        fix: &'static str,
    },
    /// A satellite cannot be propagated, because its elements are outside the domain of SGP4 or because it has decayed.
    Propagation {
        /// Name and catalogue number of the satellite.
        satellite: String,
        /// Time after the start of the run.
        at: Time,
        /// Reason.
        why: Refusal,
    },
}

/// Place of a message in a catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Line of the text, counted from 1.
    Line(usize),
    /// Record of a JSON array, counted from 1.
    Record(usize),
}

/// Reason why a satellite cannot be propagated. Reasons with codes are errors of SGP4's reference code (AIAA 2006-6753,
/// `sgp4unit.cpp`). For the other reasons, the reference code returns a position, although no satellite can be there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Refusal {
    /// Code 1: the mean eccentricity (before periodic terms) is outside its domain.
    MeanElements {
        /// The eccentricity.
        eccentricity: f64,
    },
    /// Code 2: the mean motion is not positive.
    MeanMotion,
    /// Code 3: the eccentricity, including the perturbations by Sun and Moon, is outside its domain.
    PerturbedElements {
        /// The eccentricity.
        eccentricity: f64,
    },
    /// Code 4: the semi-latus rectum is negative.
    SemiLatusRectum,
    /// Code 6: the satellite is below the surface of the Earth.
    Decayed {
        /// Distance from the centre of the Earth, in km.
        radius_km: f64,
    },
    /// The satellite is so deep in the atmosphere that it will soon decay.
    Atmosphere {
        /// Height above the equatorial radius, in km.
        height_km: f64,
    },
    /// The orbit is larger than the elements allow, or is smaller before the epoch of the elements. Drag cannot cause
    /// either case.
    Contradiction {
        /// Semi-major axis of the propagated orbit, in km.
        axis_km: f64,
        /// Semi-major axis of the elements at their epoch, in km.
        epoch_axis_km: f64,
    },
    /// The apogee is outside the Earth's sphere of influence, or the orbit is not closed.
    Escape {
        /// Distance of the apogee from the centre of the Earth, in km.
        apogee_km: f64,
    },
    /// SGP4 returns numbers that are not finite.
    Diverged,
    /// The catalogue marks the satellite as decayed.
    Declared,
}

impl OrbitError {
    /// Returns the stable error code.
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
    /// Returns the error number of the reference code; `None` for a reason that the reference code does not have.
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
