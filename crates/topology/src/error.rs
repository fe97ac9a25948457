// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a user can ask for that cannot be laid out.

use orbit::OrbitError;
use std::fmt;
use std::path::PathBuf;
use units::{Angle, Code, Distance, Time};

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
    /// Latitude, longitude or altitude of a site is outside its range.
    SiteRange {
        /// What was asked for.
        text: String,
        /// Which part is wrong, with its value, its range and how to write it.
        part: String,
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
        /// First satellite in view after the start of the run, looked for over a day.
        next: Option<Time>,
    },
    /// A site is never near enough to a satellite, where a slant range bounds what is in view.
    NoSatelliteInRange {
        /// The site.
        site: String,
        /// The constellation.
        constellation: String,
        /// The maximum slant range.
        bound: Distance,
        /// The least range over the day.
        least: Distance,
        /// When it was reached.
        at: Time,
        /// First satellite in view after the start of the run, looked for over a day.
        next: Option<Time>,
    },
    /// Satellites come within a site's reach, but something hides all of them.
    Hidden {
        /// The site.
        site: String,
        /// The constellation.
        constellation: String,
        /// The keys that say what hides them.
        keys: &'static str,
        /// First satellite that is free after the start of the run, looked for over a day.
        next: Option<Time>,
    },
    /// A path from a site to itself.
    SameSite {
        /// The site.
        name: String,
    },
    /// Passes over a site that has fibre and no dish.
    NoDish {
        /// The site.
        name: String,
    },
    /// A flow between two dishes one of which has a home point of presence.
    HomeWithoutFibre {
        /// The site with the home.
        home: String,
        /// The other one.
        other: String,
    },
    /// A flow between two sites on fibre.
    BothOnFibre {
        /// One.
        from: String,
        /// The other.
        to: String,
    },
    /// More sites than packets can name.
    TooManySites {
        /// How many.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// A list of links names a satellite that is not there, or links one with itself.
    IslUnknown {
        /// The pair.
        pair: (u32, u32),
        /// How many satellites there are.
        satellites: u32,
    },
    /// Two sites are never connected.
    NoPath {
        /// From site.
        from: String,
        /// To site.
        to: String,
        /// Why not.
        why: String,
    },
    /// A catalogue cannot be read.
    CatalogueUnreadable {
        /// The file.
        file: PathBuf,
        /// The system's reason.
        why: String,
    },
    /// The satellites cannot be placed.
    Orbit {
        /// The constellation, or the file of its elements.
        place: String,
        /// What is wrong.
        error: OrbitError,
    },
    /// The caller asked to stop.
    Interrupted,
}

impl TopologyError {
    /// The stable code.
    pub const fn code(&self) -> Code {
        match self {
            Self::SiteUnknown { .. } => Code::SiteUnknown,
            Self::SiteRange { .. } => Code::UnitRange,
            Self::PresetUnknown { .. } => Code::PresetUnknown,
            Self::NoSatelliteInView { .. } | Self::NoSatelliteInRange { .. } | Self::Hidden { .. } => {
                Code::NoSatelliteInView
            }
            Self::NoPath { .. } => Code::NoPath,
            Self::HomeWithoutFibre { .. }
            | Self::BothOnFibre { .. }
            | Self::TooManySites { .. }
            | Self::IslUnknown { .. }
            | Self::SameSite { .. }
            | Self::NoDish { .. } => Code::ScenarioValue,
            Self::CatalogueUnreadable { .. } => Code::ScenarioUnreadable,
            Self::Orbit { error, .. } => error.code(),
            Self::Interrupted => Code::Interrupted,
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
            Self::SiteRange { text, part } => write!(f, "cannot place a site at \"{text}\": {part}"),
            Self::PresetUnknown { name, nearest } => {
                write!(f, "cannot find the constellation \"{name}\"")?;
                match nearest {
                    Some(nearest) => write!(f, " (did you mean \"{nearest}\"?)"),
                    None => Ok(()),
                }
            }
            Self::NoSatelliteInView { site, constellation, bound, next: Some(next), .. } => write!(
                f,
                "{site} sees no satellite of {constellation} above {bound} during the run; the next comes into view \
                 {next} after its start (let it begin there with `offset`, or last longer)"
            ),
            Self::NoSatelliteInView { site, constellation, bound, best, at, next: None } => write!(
                f,
                "{site} sees no satellite of {constellation} above {bound}: the best of a whole day is {:.1} deg at \
                 {at} (lower the minimum elevation, or choose a constellation that covers this latitude)",
                best.deg()
            ),
            Self::NoSatelliteInRange { site, constellation, bound, next: Some(next), .. } => write!(
                f,
                "{site} sees no satellite of {constellation} within {bound} during the run; the next comes into view \
                 {next} after its start (let it begin there with `offset`, or last longer)"
            ),
            Self::NoSatelliteInRange { site, constellation, bound, least, at, next: None } => write!(
                f,
                "{site} sees no satellite of {constellation} within {bound}: the nearest of a whole day is {:.1} km \
                 away at {at} (raise `max_slant_range`, or choose a constellation that covers this latitude)",
                least.km()
            ),
            Self::Hidden { site, constellation, keys, next: Some(next) } => write!(
                f,
                "{keys} of {site} left it no satellite of {constellation} during the run; the next comes free {next} after \
                 its start (let it begin there with `offset`, last longer, or lower what {keys} says)"
            ),
            Self::Hidden { site, constellation, keys, next: None } => write!(
                f,
                "{keys} of {site} leaves it no satellite of {constellation} in a whole day (lower what {keys} says: an elevation \
                 of a mask may be 0, an angle to the geostationary arc \"0 deg\")"
            ),
            Self::SameSite { name } => {
                write!(f, "cannot look for a path from {name} to itself (name two places)")
            }
            Self::NoDish { name } => write!(
                f,
                "cannot tell the passes over {name}: it is wired, with fibre and no dish (choose a site with a dish, \
                 or take `fibre` away from it)"
            ),
            Self::HomeWithoutFibre { home, other } => write!(
                f,
                "packets of {home} always pass its home point of presence, but {other} has a dish and not fibre to it \
                 (give {other} fibre = true, or take `home` away from {home})"
            ),
            Self::BothOnFibre { from, to } => write!(
                f,
                "{from} and {to} are both on fibre: their packets would meet no satellite (take `fibre` away from one)"
            ),
            Self::TooManySites { count, most } => {
                write!(f, "{count} sites are too many: it must be at most {most}")
            }
            Self::IslUnknown { pair: (a, b), satellites } if a == b => {
                write!(
                    f,
                    "the list of links joins satellite {a} with itself (of {satellites}, numbered from 0)"
                )
            }
            Self::IslUnknown { pair: (a, b), satellites } => write!(
                f,
                "the list of links joins satellites {a} and {b}, but there are {satellites}, numbered from 0"
            ),
            Self::NoPath { from, to, why } => {
                write!(f, "there is no path from {from} to {to} at any time of the run: {why}")
            }
            Self::CatalogueUnreadable { file, why } => {
                write!(f, "cannot read the satellites in {}: {why}", file.display())
            }
            Self::Orbit { place, error } => write!(f, "{place}: {error}"),
            Self::Interrupted => f.write_str("the run was interrupted"),
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
