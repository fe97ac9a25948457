// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a catalogue did not say plainly: sets left out, and how good the rest can be.

use crate::Refusal;
use std::fmt;
use units::Span;

/// How many names a note spells out.
const NAMES: usize = 3;

/// Something a user should know about the satellites of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// Several sets had the same catalogue number: the newest of each was kept.
    Duplicates {
        /// One name for each set that was dropped.
        dropped: Vec<String>,
    },
    /// Sets too far from the start of the run were left out.
    TooOld {
        /// The satellites.
        satellites: Vec<String>,
        /// The bound, days.
        max_age_days: f64,
    },
    /// SGP4 refused satellites at the start of the run: left out.
    Refused {
        /// The satellites, each with SGP4's reason.
        satellites: Vec<(String, Refusal)>,
    },
    /// Satellites fly, but the start of the run is far from the epochs of their elements.
    FarFromEpoch {
        /// The satellites, the farthest first.
        satellites: Vec<String>,
        /// Between the start and the epoch of the farthest, days.
        days: f64,
        /// Error of position to be expected of the farthest in low orbit, least and most.
        error_km: (f64, f64),
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duplicates { dropped } => {
                let (count, names) = (dropped.len(), list(dropped));
                write!(f, "{count} older sets of the same catalogue numbers were dropped: {names}")
            }
            Self::TooOld { satellites, max_age_days } => {
                let (count, names) = (satellites.len(), list(satellites));
                write!(
                    f,
                    "{count} satellites were left out, their elements are more than {} from the start: \
                     {names}",
                    age(*max_age_days)
                )
            }
            Self::Refused { satellites } => {
                let reasons: Vec<String> =
                    satellites.iter().map(|(name, why)| format!("{name} ({why})")).collect();
                write!(f, "{} satellites were left out, SGP4 refuses them: {}", reasons.len(), list(&reasons))
            }
            Self::FarFromEpoch { satellites, days, error_km: (least, most) } => write!(
                f,
                "{} satellites start far from the epochs of their elements, up to {days:.1} days; expect errors of \
                 {least:.0} to {most:.0} km there: {}",
                satellites.len(),
                list(satellites)
            ),
        }
    }
}

/// Days where these are round, hours or less otherwise.
fn age(days: f64) -> String {
    if days == 1.0 {
        "1 day".to_owned()
    } else if days > 1.0 && (days * 10.0).fract() == 0.0 {
        format!("{days} days")
    } else {
        Span::from_secs_f64(days * 86_400.0).to_string()
    }
}

/// The first few, and that there are more.
fn list(names: &[String]) -> String {
    let shown = names.iter().take(NAMES).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > NAMES { format!("{shown}, ...") } else { shown }
}
