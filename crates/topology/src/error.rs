// SPDX-License-Identifier: MIT OR Apache-2.0
//! Networks that cannot be laid out, and why.

use orbit::OrbitError;
use std::fmt;
use std::path::PathBuf;
use units::{Angle, Code, Distance, Time};

/// A network that cannot be created.
#[derive(Clone, Debug, PartialEq)]
pub enum TopologyError {
    /// No site of that name.
    SiteUnknown {
        /// The requested name.
        name: String,
        /// The nearest known names, best first.
        nearest: Vec<String>,
    },
    /// Latitude, longitude or altitude of a site is outside its range.
    SiteRange {
        /// The requested text.
        text: String,
        /// Which part is wrong, with its value, its range and how to write it.
        part: String,
    },
    /// No preset of that name.
    PresetUnknown {
        /// The requested name.
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
        /// First satellite in view after the start of the run, searched for over a day.
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
        /// First satellite in view after the start of the run, searched for over a day.
        next: Option<Time>,
    },
    /// Satellites come within a site's reach, but obstacles hide all of them.
    Hidden {
        /// The site.
        site: String,
        /// The constellation.
        constellation: String,
        /// The keys of these obstacles.
        keys: &'static str,
        /// First usable satellite after the start of the run, searched for over a day.
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
    /// A list of links names a satellite that does not exist, or links one with itself.
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
    /// The satellites' positions cannot be computed.
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
                {next} after the start of the run (start there with `offset`, write a longer duration, or lower \
                `min_elevation` if its terminals work below {bound})"
            ),
            Self::NoSatelliteInView { site, constellation, bound, best, at, next: None } => write!(
                f,
                "{site} sees no satellite of {constellation} above {bound}: the highest within a day is at {:.1} deg \
                at {at} (lower `min_elevation`, or choose a constellation that covers this latitude)",
                best.deg()
            ),
            Self::NoSatelliteInRange { site, constellation, bound, next: Some(next), .. } => write!(
                f,
                "{site} sees no satellite of {constellation} within {bound} during the run; the next comes into view \
                {next} after the start of the run (start there with `offset`, or write a longer duration)"
            ),
            Self::NoSatelliteInRange { site, constellation, bound, least, at, next: None } => write!(
                f,
                "{site} sees no satellite of {constellation} within {bound}: the nearest within a day is {:.1} km \
                away at {at} (raise `max_slant_range`, or choose a constellation that covers this latitude)",
                least.km()
            ),
            Self::Hidden { site, constellation, keys, next: Some(next) } => write!(
                f,
                "{site} can use no satellite of {constellation} during the run because of {keys}; the next is usable \
                {next} after the start of the run (start there with `offset`, write a longer duration, or lower the \
                values of {keys})"
            ),
            Self::Hidden { site, constellation, keys, next: None } => write!(
                f,
                "{site} can use no satellite of {constellation} within a day because of {keys} (lower the values of \
                {keys}: an elevation of a mask may be 0, an angle to the geostationary arc \"0 deg\")"
            ),
            Self::SameSite { name } => {
                write!(f, "a path from {name} to itself is not possible (name two places)")
            }
            Self::NoDish { name } => write!(
                f,
                "{name} has no passes: it has fibre and no dish (choose a site with a dish, or remove its `fibre`)"
            ),
            Self::HomeWithoutFibre { home, other } => write!(
                f,
                "packets of {home} always pass its home point of presence, but {other} has a dish and no fibre to it \
                (write fibre = true for {other}, or remove `home` of {home})"
            ),
            Self::BothOnFibre { from, to } => write!(
                f,
                "{from} and {to} are both on fibre: their packets would pass no satellite (remove `fibre` of one of \
                them)"
            ),
            Self::TooManySites { count, most } => {
                write!(f, "{count} sites are too many: the most is {most}")
            }
            Self::IslUnknown { pair: (a, b), satellites } if a == b => {
                write!(
                    f,
                    "the list of links joins satellite {a} with itself (satellites are numbered from 0 to below \
                    {satellites})"
                )
            }
            Self::IslUnknown { pair: (a, b), satellites } => write!(
                f,
                "the list of links joins satellites {a} and {b}, but the constellation has {satellites}, numbered \
                from 0"
            ),
            Self::NoPath { from, to, why } => {
                write!(f, "{from} and {to} are not connected at any time of the run: {why}")
            }
            Self::CatalogueUnreadable { file, why } => {
                write!(f, "cannot read the satellites of {}: {why}", file.display())
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
