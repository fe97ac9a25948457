// SPDX-License-Identifier: MIT OR Apache-2.0
//! Notes on a catalogue: which element sets were left out, and how accurate the other sets are.

use crate::accuracy::{self, Off};
use crate::{Other, Refusal};
use std::collections::BTreeMap;
use std::fmt;
use units::Span;

/// Largest number of names that a note lists.
const NAMES: usize = 3;

/// A note for the user on the satellites of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// Objects were left out, because the catalogue marks them as something other than working satellites.
    NotSatellites {
        /// Name and kind of each object.
        objects: Vec<(String, Other)>,
    },
    /// Satellites were left out, because another file of the constellation also contains them.
    Elsewhere {
        /// Names of the satellites.
        satellites: Vec<String>,
    },
    /// Several sets had the same catalogue number. For each number, the set that is nearest to the start of the run was
    /// kept.
    Duplicates {
        /// For each dropped set, the name of its object.
        dropped: Vec<String>,
    },
    /// Several sets with the same epoch contradict each other. The first set was kept.
    Contradicting {
        /// Names of the satellites.
        satellites: Vec<String>,
    },
    /// Satellites were left out, because the epochs of their elements are too far from the start of the run.
    TooOld {
        /// Names of the satellites.
        satellites: Vec<String>,
        /// Largest allowed age, in days.
        max_age_days: f64,
    },
    /// Satellites were left out, because they cannot be propagated at the start of the run.
    Refused {
        /// Name of each satellite, and the reason.
        satellites: Vec<(String, Refusal)>,
    },
    /// Satellites are far from the epochs of their elements.
    FarFromEpoch {
        /// Names of the satellites. The satellite with the largest time from its epoch is first.
        satellites: Vec<String>,
        /// Time between `after` and the farthest epoch, in days.
        days: f64,
        /// Position errors; `None` if they are unknown for all satellites.
        off: Option<Off>,
        /// Number of satellites with an unknown error.
        unknown: usize,
        /// Time to which the note applies, after the start of the run: zero, or the length of the run.
        after: Span,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSatellites { objects } => {
                let mut kinds: BTreeMap<Other, Vec<String>> = BTreeMap::new();
                for (name, other) in objects {
                    kinds.entry(*other).or_default().push(name.clone());
                }
                let kinds: Vec<String> = kinds
                    .into_iter()
                    .map(|(other, mut names)| {
                        let count = names.len();
                        names.dedup();
                        format!("{count} {other} ({})", list(&names))
                    })
                    .collect();
                let kept = match objects.iter().filter(|(_, other)| *other == Other::Decayed).count() {
                    0 => " (objects = \"all\" keeps them)",
                    decayed if decayed == objects.len() => "",
                    _ => " (objects = \"all\" keeps all that have not decayed)",
                };
                write!(
                    f,
                    "{} left out, because their names or fields show that they are not working satellites of the \
                    constellation{kept}: {}",
                    were(objects.len(), "object"),
                    kinds.join(", ")
                )
            }
            Self::Elsewhere { satellites } => {
                let (count, names) = (satellites.len(), list(satellites));
                write!(
                    f,
                    "{} left out, because another file of the constellation has element sets of these \
                    satellites that are nearer to the start of the run: \
                    {names}",
                    were(count, "satellite")
                )
            }
            Self::Duplicates { dropped } => {
                let (count, names) = (dropped.len(), list(dropped));
                write!(
                    f,
                    "{} dropped; for each catalogue number, the set nearest to the start is used: {names}",
                    were(count, "set")
                )
            }
            Self::Contradicting { satellites } => write!(
                f,
                "{} several different sets with the same number and epoch; the first set is used (remove the \
                wrong \
                ones, or give each object its own number): {}",
                have(satellites.len(), "satellite"),
                list(satellites)
            ),
            Self::TooOld { satellites, max_age_days } => {
                let (count, names) = (satellites.len(), list(satellites));
                write!(
                    f,
                    "{} left out, because the epochs of their elements are more than {} from the start: {names}",
                    were(count, "satellite"),
                    age(*max_age_days)
                )
            }
            Self::Refused { satellites } => {
                let reasons: Vec<String> =
                    satellites.iter().map(|(name, why)| format!("{name} ({why})")).collect();
                write!(
                    f,
                    "{} left out, because SGP4 cannot propagate them: {}",
                    were(reasons.len(), "satellite"),
                    list(&reasons)
                )
            }
            Self::FarFromEpoch { satellites, days, off, unknown, after } => {
                far_from_epoch(f, satellites, *days, off.as_ref(), *unknown, *after)
            }
        }
    }
}

/// Writes [`Note::FarFromEpoch`] in words.
fn far_from_epoch(
    f: &mut fmt::Formatter<'_>,
    satellites: &[String],
    days: f64,
    off: Option<&Off>,
    unknown: usize,
    after: Span,
) -> fmt::Result {
    let (count, names) = (satellites.len(), list(satellites));
    write!(
        f,
        "{} elements whose epoch is far from the {} of the run (up to {days:.1} days); ",
        have(count, "satellite"),
        if after == Span::ZERO { "start" } else { "end" }
    )?;
    let of =
        if unknown == 0 { "these".to_owned() } else { format!("the {} with known errors", count - unknown) };
    if let Some(Off { median_km, p90_km }) = off {
        write!(
            f,
            "half of {of} have position errors of at most {median_km:.0} km, and 90 % have errors of at most \
             {p90_km:.0} km"
        )?;
        write!(f, " (as measured for Starlink satellites in 2025 and 2026)")?;
    }
    if unknown > 0 {
        let (least, most) = accuracy::ALTITUDES_KM;
        let join = if off.is_some() { "; " } else { "" };
        write!(
            f,
            "{join}the errors{} are unknown (errors were measured up to {:.0} days from the epoch, for circular \
            orbits at {least:.0} to {most:.0} km)",
            if off.is_some() { format!(" of {unknown} others") } else { String::new() },
            accuracy::MOST_DAYS,
        )?;
    }
    write!(f, ": {names}")
}

/// Formats a number of objects: "1 set was", "2 sets were".
fn were(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun} was") } else { format!("{count} {noun}s were") }
}

/// Formats a number of objects: "1 set has", "2 sets have".
fn have(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun} has") } else { format!("{count} {noun}s have") }
}

/// Formats a number of days. The result is in days if the number is above 1 and a multiple of 0.1, otherwise it is a
/// time span.
fn age(days: f64) -> String {
    if days == 1.0 {
        "1 day".to_owned()
    } else if days > 1.0 && (days * 10.0).fract() == 0.0 {
        format!("{days} days")
    } else {
        Span::from_secs_f64(days * 86_400.0).to_string()
    }
}

/// Lists the first [`NAMES`] names, followed by "..." if there are more.
fn list(names: &[String]) -> String {
    let shown = names.iter().take(NAMES).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > NAMES { format!("{shown}, ...") } else { shown }
}
