// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors in networks that cannot be created.

use orbit::OrbitError;
use std::fmt;
use std::path::PathBuf;
use units::{Angle, Code, Distance, Time};

/// A network that cannot be created.
#[derive(Clone, Debug, PartialEq)]
pub enum TopologyError {
    /// There is no site with this name.
    SiteUnknown {
        /// The requested name.
        name: String,
        /// The most similar known names, best first.
        nearest: Vec<String>,
    },
    /// The latitude, longitude or altitude of a site is out of range.
    SiteRange {
        /// The given text.
        text: String,
        /// The wrong part, with its value, its range and the fix.
        part: String,
    },
    /// There is no preset with this name.
    PresetUnknown {
        /// The requested name.
        name: String,
        /// The most similar known name.
        nearest: Option<&'static str>,
    },
    /// A site sees no satellite above the minimum elevation at any step of the run.
    NoSatelliteInView {
        /// Name of the site.
        site: String,
        /// Name of the constellation.
        constellation: String,
        /// The minimum elevation.
        bound: Angle,
        /// The highest elevation found during a day.
        best: Angle,
        /// Time of the highest elevation.
        at: Time,
        /// Time of the first satellite in view after the start of the run, during a day.
        next: Option<Time>,
    },
    /// No satellite ever comes within the slant range of a site. This error occurs only if visibility is limited by
    /// slant range.
    NoSatelliteInRange {
        /// Name of the site.
        site: String,
        /// Name of the constellation.
        constellation: String,
        /// The maximum slant range.
        bound: Distance,
        /// The shortest range found during a day.
        least: Distance,
        /// Time of the shortest range.
        at: Time,
        /// Time of the first satellite in view after the start of the run, during a day.
        next: Option<Time>,
    },
    /// Satellites come into view of a site, but obstacles hide all of them.
    Hidden {
        /// Name of the site.
        site: String,
        /// Name of the constellation.
        constellation: String,
        /// Keys of the obstacles.
        keys: &'static str,
        /// Time of the first usable satellite after the start of the run, during a day.
        next: Option<Time>,
    },
    /// A path from a site to itself.
    SameSite {
        /// Name of the site.
        name: String,
    },
    /// Passes were requested for a site that has fibre and no dish.
    NoDish {
        /// Name of the site.
        name: String,
    },
    /// A flow between two sites with dishes, one of which has a home point of presence.
    HomeWithoutFibre {
        /// The site with the home point of presence.
        home: String,
        /// The other site.
        other: String,
    },
    /// A flow between two sites that both have fibre.
    BothOnFibre {
        /// One of the sites.
        from: String,
        /// The other site.
        to: String,
    },
    /// More sites than packets can address.
    TooManySites {
        /// Number of sites.
        count: usize,
        /// Largest allowed number of sites.
        most: usize,
    },
    /// A list of links contains a satellite that does not exist, or a link from a satellite to itself.
    IslUnknown {
        /// The two satellites.
        pair: (u32, u32),
        /// Number of satellites.
        satellites: u32,
    },
    /// Two sites are never connected.
    NoPath {
        /// The site at one end.
        from: String,
        /// The site at the other end.
        to: String,
        /// Reason.
        why: String,
    },
    /// A catalogue cannot be read.
    CatalogueUnreadable {
        /// Path of the file.
        file: PathBuf,
        /// Reason of the operating system.
        why: String,
    },
    /// The positions of satellites cannot be computed.
    Orbit {
        /// Name of the constellation, or of the file with the elements.
        place: String,
        /// The error.
        error: OrbitError,
    },
    /// The caller asked to stop.
    Interrupted,
}

impl TopologyError {
    /// Returns the stable error code.
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
                    write!(f, "; similar names are {}", nearest.join(", "))?;
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
                "{site} sees no satellite of {constellation} above {bound} during the run; the next satellite comes \
                 into view {next} after the start of the run (start there with `offset`, write a longer duration, or \
                 lower `min_elevation` if its terminals work below {bound})"
            ),
            Self::NoSatelliteInView { site, constellation, bound, best, at, next: None } => write!(
                f,
                "{site} sees no satellite of {constellation} above {bound}: the highest elevation during a day is \
                 {:.1} deg, at {at} (lower `min_elevation`, or choose a constellation that covers this latitude)",
                best.deg()
            ),
            Self::NoSatelliteInRange { site, constellation, bound, next: Some(next), .. } => write!(
                f,
                "{site} sees no satellite of {constellation} within {bound} during the run; the next \
                satellite comes into view {next} after the start of the run (start there with `offset`, or \
                write a longer duration)"
            ),
            Self::NoSatelliteInRange { site, constellation, bound, least, at, next: None } => write!(
                f,
                "{site} sees no satellite of {constellation} within {bound}: the shortest range during a day is {:.1} \
                 km, at {at} (raise `max_slant_range`, or choose a constellation that covers this latitude)",
                least.km()
            ),
            Self::Hidden { site, constellation, keys, next: Some(next) } => write!(
                f,
                "{site} can use no satellite of {constellation} during the run because of {keys}; the next \
                satellite is usable {next} after the start of the run (start there with `offset`, write a \
                longer duration, or lower the \
                values of {keys})"
            ),
            Self::Hidden { site, constellation, keys, next: None } => write!(
                f,
                "{site} can use no satellite of {constellation} during a day because of {keys} (lower the values of \
                {keys}: elevations of a mask down to -5, the angle to the geostationary arc down to \"0 deg\")"
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
                "{from} and {to} are both on fibre: packets between them would pass no satellite (remove \
                `fibre` of one of \
                them)"
            ),
            Self::TooManySites { count, most } => {
                write!(f, "{count} sites are too many: the limit is {most}")
            }
            Self::IslUnknown { pair: (a, b), satellites } if a == b => {
                write!(
                    f,
                    "the list of links joins satellite {a} with itself (name two different satellites, from 0 to {})",
                    satellites.saturating_sub(1)
                )
            }
            Self::IslUnknown { pair: (a, b), satellites } => write!(
                f,
                "the list of links joins satellites {a} and {b}, but the satellites of the constellation have the \
                 numbers 0 to {}",
                satellites.saturating_sub(1)
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
