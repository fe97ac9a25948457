// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a user can ask for that cannot be laid out.

use orbit::OrbitError;
use std::fmt;
use std::path::PathBuf;
use units::{Angle, Code, Time};

/// A network that cannot be made.
#[derive(Clone, Debug, PartialEq)]
pub enum TopologyError {
    /// No site of that name.
    SiteUnknown {
        /// What was asked for.
        name: String,
        /// The nearest known names, best first.
        nearest: Vec<String>,
    },
    /// Latitude or longitude of a site is outside its range.
    SiteRange {
        /// What was asked for.
        text: String,
    },
    /// No preset of that name.
    PresetUnknown {
        /// What was asked for.
        name: String,
        /// The nearest known name.
        nearest: Option<&'static str>,
    },
    /// A site sees no satellite above the minimum elevation at any step of the run.
    NoSatelliteInView {
        /// The site.
        site: String,
        /// The constellation.
        constellation: String,
        /// The minimum elevation.
        bound: Angle,
        /// The best elevation over the run.
        best: Angle,
        /// When it was reached.
        at: Time,
    },
    /// Two sites are never connected.
    NoPath {
        /// From site.
        from: String,
        /// To site.
        to: String,
        /// Why not.
        why: &'static str,
    },
    /// A file of two-line elements cannot be read.
    TleUnreadable {
        /// The file.
        file: PathBuf,
        /// The system's reason.
        why: String,
    },
    /// Links between satellites were asked for, but elements in a file do not say which satellites share a plane.
    IslWithoutPlanes {
        /// The file.
        file: PathBuf,
    },
    /// The satellites cannot be placed.
    Orbit {
        /// The constellation, or the file of its elements.
        place: String,
        /// What is wrong.
        error: OrbitError,
    },
}

impl TopologyError {
    /// The stable code.
    pub const fn code(&self) -> Code {
        match self {
            Self::SiteUnknown { .. } => Code::SiteUnknown,
            Self::SiteRange { .. } => Code::UnitRange,
            Self::PresetUnknown { .. } => Code::PresetUnknown,
            Self::NoSatelliteInView { .. } => Code::NoSatelliteInView,
            Self::NoPath { .. } => Code::NoPath,
            Self::TleUnreadable { .. } => Code::ScenarioUnreadable,
            Self::IslWithoutPlanes { .. } => Code::ScenarioValue,
            Self::Orbit { error, .. } => error.code(),
        }
    }
}

impl fmt::Display for TopologyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SiteUnknown { name, nearest } => {
                write!(f, "cannot find the site \"{name}\"")?;
                if !nearest.is_empty() {
                    write!(f, "; nearest known: {}", nearest.join(", "))?;
                }
                f.write_str(" (or write latitude and longitude in degrees: \"37.9, -122.3\")")
            }
            Self::SiteRange { text } => write!(
                f,
                "cannot place a site at \"{text}\": latitude must be within -90..90 degrees and longitude within \
                 -180..360 (write latitude first: \"37.9, -122.3\")"
            ),
            Self::PresetUnknown { name, nearest } => {
                write!(f, "cannot find the constellation \"{name}\"")?;
                match nearest {
                    Some(nearest) => write!(f, " (did you mean \"{nearest}\"?)"),
                    None => Ok(()),
                }
            }
            Self::NoSatelliteInView { site, constellation, bound, best, at } => write!(
                f,
                "{site} sees no satellite of {constellation} above {bound}: the best of the run is {:.1} deg at \
                 {at} (lower the minimum elevation, or choose a constellation that covers this latitude)",
                best.deg()
            ),
            Self::NoPath { from, to, why } => {
                write!(f, "there is no path from {from} to {to} at any time of the run: {why}")
            }
            Self::TleUnreadable { file, why } => {
                write!(f, "cannot read the two-line elements in {}: {why}", file.display())
            }
            Self::IslWithoutPlanes { file } => write!(
                f,
                "cannot lay links between the satellites of {}: elements do not say who shares a plane (leave `isl` \
                 out for bent pipes, or describe the shell as a Walker constellation)",
                file.display()
            ),
            Self::Orbit { place, error } => write!(f, "{place}: {error}"),
        }
    }
}

impl std::error::Error for TopologyError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Orbit { error, .. } => Some(error),
            _ => None,
        }
    }
}
