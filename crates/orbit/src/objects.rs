// SPDX-License-Identifier: MIT OR Apache-2.0
//! Selection of the objects of a catalogue that are satellites of the constellation.
//!
//! A catalogue lists every tracked object. One of the following marks shows that an object is not a working satellite
//! of the constellation:
//!
//! - `OBJECT_TYPE` of a message: "PAYLOAD", "ROCKET BODY", "DEBRIS", "UNKNOWN", "TBA" (Space-Track, class `gp`);
//! - `OPS_STATUS_CODE` of a message, or the mark after a name. `[-]` is not operational and `[D]` is decayed. `[+]`,
//!   `[P]`, `[B]`, `[S]` and `[X]` are working or on standby, and `[?]` is unknown (CelesTrak, "SATCAT operational
//!   status");
//! - words of a name: DEB, R/B, AKM, PKM, PLAT (CelesTrak, "SATCAT format documentation"), OBJECT A, TBA, UNKNOWN;
//! - `DECAY_DATE` of a message;
//! - a name of another family, if nearly all other names of a large catalogue have the same beginning.

use crate::elements::{Record, name};
use std::collections::BTreeMap;
use std::fmt;

/// The names of a catalogue form one family if at most one name in this number begins differently. The object with the
/// different name is then a satellite of another owner, or a mistake in the list. Catalogues of several families (GEO,
/// or several constellations in one file) have many more differences.
const FAMILY: usize = 100;

/// Which objects of a catalogue are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objects {
    /// All objects except objects with a mark that they are not a working satellite of the constellation.
    #[default]
    Satellites,
    /// All objects with elements.
    All,
}

/// Kinds of objects that are not working satellites of the constellation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Other {
    /// Debris: a fragment.
    Debris,
    /// Rocket stage.
    RocketBody,
    /// Motor, platform or adapter.
    Part,
    /// Several satellites that have not separated and have one common set.
    Stack,
    /// Unidentified piece of a launch, without a name.
    Unidentified,
    /// Satellite that does not operate.
    Dead,
    /// Satellite that decayed before the start of the run.
    Decayed,
    /// Object whose name belongs to another family.
    Stranger,
}

impl fmt::Display for Other {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Debris => "debris",
            Self::RocketBody => "rocket body",
            Self::Part => "part of a rocket or satellite",
            Self::Stack => "stack of satellites",
            Self::Unidentified => "not identified",
            Self::Dead => "not operational",
            Self::Decayed => "decayed",
            Self::Stranger => "name of another family",
        })
    }
}

/// Returns the kind of an object from the name and the fields of its record; `None` for a working satellite.
pub fn declared(record: &Record) -> Option<Other> {
    let kind = record.kind.as_deref().map(str::to_uppercase);
    let by_kind = match kind.as_deref() {
        Some("DEBRIS" | "DEB") => Some(Other::Debris),
        Some("ROCKET BODY" | "R/B") => Some(Other::RocketBody),
        Some("UNKNOWN" | "UNK" | "TBA") => Some(Other::Unidentified),
        _ => None,
    };
    let by_status = record.status.as_deref().and_then(status);
    by_kind.or(by_status).or_else(|| record.set.object_name.as_deref().and_then(by_name))
}

/// Returns whether the object was unidentified when the record was made.
pub(crate) fn unidentified(record: &Record) -> bool {
    declared(record) == Some(Other::Unidentified)
}

/// Interprets CelesTrak's code for the operational status; `None` for a satellite that works or may work.
fn status(code: &str) -> Option<Other> {
    match code {
        "-" => Some(Other::Dead),
        "D" => Some(Other::Decayed),
        _ => None,
    }
}

fn by_name(name: &str) -> Option<Other> {
    let name = name.trim().to_uppercase();
    let marked = name.strip_suffix(']').and_then(|name| name.rsplit_once('[')).map(|(_, code)| code.trim());
    if let Some(other) = marked.and_then(status) {
        return Some(other);
    }
    let words: Vec<&str> = name
        .split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | ',' | ';' | '_'))
        .filter(|word| !word.is_empty())
        .collect();
    let by_word = words.iter().find_map(|word| match *word {
        "DEB" | "DEBRIS" | "COOLANT" => Some(Other::Debris),
        "AKM" | "PKM" | "PLAT" => Some(Other::Part),
        "STACK" => Some(Other::Stack),
        word if word == "R/B" || word.starts_with("R/B") => Some(Other::RocketBody),
        _ => None,
    });
    by_word.or_else(|| match words[..] {
        ["TBA" | "UNKNOWN", ..] => Some(Other::Unidentified),
        // The name of a piece of a launch is "OBJECT" and the letters of its international designator: A to ZZZ.
        ["OBJECT", piece] if piece.len() <= 3 && piece.chars().all(|c| c.is_ascii_uppercase()) => {
            Some(Other::Unidentified)
        }
        _ => None,
    })
}

/// Returns the part of a name that all names of its family share: the letters and digits up to the first separator,
/// without trailing digits.
fn family(name: &str) -> String {
    let first = name.trim().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let stem = first.trim_end_matches(|c: char| c.is_ascii_digit());
    (if stem.is_empty() { first } else { stem }).to_uppercase()
}

/// Splits records into satellites, and other objects with their kinds.
pub(crate) fn part(records: Vec<Record>) -> (Vec<Record>, Vec<(String, Other)>) {
    let (mut kept, mut others) = (Vec::with_capacity(records.len()), Vec::new());
    for record in records {
        match declared(&record) {
            Some(other) => others.push((name(&record.set), other)),
            None => kept.push(record),
        }
    }
    let of = |record: &Record| record.set.object_name.as_deref().map(family);
    let mut families: BTreeMap<String, usize> = BTreeMap::new();
    for family in kept.iter().filter_map(of) {
        *families.entry(family).or_default() += 1;
    }
    let named: usize = families.values().sum();
    let Some((main, count)) = families.into_iter().max_by_key(|&(_, count)| count) else {
        return (kept, others);
    };
    if count * FAMILY < named * (FAMILY - 1) || count == named {
        return (kept, others);
    }
    let (kept, strangers): (Vec<_>, Vec<_>) =
        kept.into_iter().partition(|record| of(record).is_none_or(|family| family == main));
    others.extend(strangers.iter().map(|record| (name(&record.set), Other::Stranger)));
    (kept, others)
}
