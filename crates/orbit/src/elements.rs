// SPDX-License-Identifier: MIT OR Apache-2.0
//! Catalogues of orbital elements, in any of the formats that CelesTrak and Space-Track serve.

use crate::{Note, OrbitError, Place, omm, tle};
use sgp4::Elements;
use std::collections::BTreeMap;

/// Element sets, one for each satellite.
#[derive(Clone, Debug, PartialEq)]
pub struct Catalogue {
    /// In the order of the text.
    pub sets: Vec<Elements>,
    /// What was left out.
    pub notes: Vec<Note>,
}

impl Catalogue {
    /// Reads a catalogue; its content tells the format:
    /// - two-line element sets, with or without names ([`tle::parse`]);
    /// - CCSDS orbit mean-elements messages (OMM, 502.0-B) as JSON, an array or a single object ([`omm::parse_json`]);
    /// - the same as CSV with a header row ([`omm::parse_csv`]).
    ///
    /// Of several sets with one catalogue number the newest is kept (the first, if they are of one age).
    ///
    /// # Errors
    /// [`OrbitError::TleSyntax`], [`OrbitError::TleChecksum`], [`OrbitError::ElementsSyntax`], each with its place.
    pub fn read(text: &str) -> Result<Self, OrbitError> {
        // A byte-order mark is no part of the first name.
        let text = text.trim_start_matches('\u{feff}');
        let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        let sets = if first.starts_with(['[', '{']) {
            omm::parse_json(text)?
        } else if first.starts_with('<') || first.starts_with("CCSDS_OMM_VERS ") {
            let what = "XML and key-value notation are not read here; ask for FORMAT=json, csv or tle";
            return Err(OrbitError::ElementsSyntax { place: Place::Line(1), what: what.to_owned() });
        } else if first.contains(',') && first.contains("NORAD_CAT_ID") {
            omm::parse_csv(text)?
        } else {
            tle::parse(text)?
        };
        Ok(Self::newest(sets))
    }

    fn newest(sets: Vec<Elements>) -> Self {
        let mut newest: BTreeMap<u64, usize> = BTreeMap::new();
        for (index, set) in sets.iter().enumerate() {
            let kept = newest.entry(set.norad_id).or_insert(index);
            if set.datetime > sets[*kept].datetime {
                *kept = index;
            }
        }
        let (mut kept, mut dropped) = (Vec::with_capacity(newest.len()), Vec::new());
        for (index, set) in sets.into_iter().enumerate() {
            if newest[&set.norad_id] == index {
                kept.push(set);
            } else {
                dropped.push(name(&set));
            }
        }
        let notes = if dropped.is_empty() { Vec::new() } else { vec![Note::Duplicates { dropped }] };
        Self { sets: kept, notes }
    }
}

/// Name of a satellite: as in the catalogue, or its number there.
pub fn name(set: &Elements) -> String {
    set.object_name.clone().unwrap_or_else(|| format!("NORAD {}", set.norad_id))
}
