// SPDX-License-Identifier: MIT OR Apache-2.0
//! Catalogues of orbital elements, in any of the formats that CelesTrak and Space-Track serve.

use crate::{OrbitError, omm, tle};
use sgp4::Elements;
use sgp4::chrono::NaiveDateTime;
use std::ops::RangeInclusive;
use std::path::Path;

/// A catalogue: every element set of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Catalogue {
    /// In the order of the text. An object may have several.
    pub records: Vec<Record>,
}

/// An element set, with its message's data about the object.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The elements.
    pub set: Elements,
    /// `OBJECT_TYPE`: "PAYLOAD", "ROCKET BODY", "DEBRIS", "UNKNOWN" or "TBA".
    pub kind: Option<String>,
    /// `OPS_STATUS_CODE`: CelesTrak's code of operational status.
    pub status: Option<String>,
    /// `DECAY_DATE`: the day on which the object decayed, UTC.
    pub decay: Option<NaiveDateTime>,
}

/// The years of two-line elements (Space-Track): other epochs and starts have no elements, and SGP4's work grows with
/// the time between the two.
pub(crate) const YEARS: RangeInclusive<i32> = 1957..=2056;

/// Formats of catalogues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Two-line element sets, with or without names ([`tle::parse`]).
    Lines,
    /// CCSDS orbit mean-elements messages (OMM, 502.0-B) as JSON: an array or a single object ([`omm::parse_json`]).
    Json,
    /// The same as CSV with a header row ([`omm::parse_csv`]).
    Csv,
    /// The same as XML ([`omm::parse_xml`]).
    Xml,
    /// The same in key-value notation ([`omm::parse_kvn`]).
    Kvn,
}

impl Format {
    /// The format by a file's name, if the name determines it: `.tle` and `.txt` do not, and hold any format.
    pub fn of(file: &Path) -> Option<Self> {
        match file.extension()?.to_str()?.to_lowercase().as_str() {
            "json" => Some(Self::Json),
            "csv" => Some(Self::Csv),
            "xml" => Some(Self::Xml),
            "kvn" => Some(Self::Kvn),
            _ => None,
        }
    }

    /// The format by the content.
    fn by_content(text: &str) -> Self {
        let holds = |line: &&str| !line.is_empty() && !line.starts_with('#');
        let first = text.lines().map(str::trim).find(holds).unwrap_or_default();
        // A name of an object has no comma or semicolon beside this keyword, whatever its case.
        let upper = first.to_uppercase();
        if first.starts_with(['[', '{']) {
            Self::Json
        } else if first.starts_with('<') {
            Self::Xml
        } else if upper.starts_with("CCSDS_OMM_VERS") && !upper.contains([',', ';', '\t']) {
            Self::Kvn
        } else if upper.contains("NORAD_CAT_ID") {
            Self::Csv
        } else {
            Self::Lines
        }
    }
}

impl Catalogue {
    /// Reads a catalogue in the format of its content.
    ///
    /// # Errors
    /// [`OrbitError::TleSyntax`], [`OrbitError::TleChecksum`], [`OrbitError::ElementsSyntax`], each with its place.
    pub fn read(text: &str) -> Result<Self, OrbitError> {
        Self::read_as(text, None)
    }

    /// Reads a catalogue in the format of its file ([`Format::of`]), or else of its content.
    ///
    /// # Errors
    /// As [`Catalogue::read`].
    pub fn read_as(text: &str, format: Option<Format>) -> Result<Self, OrbitError> {
        // A byte-order mark is not part of the first name.
        let text = text.trim_start_matches('\u{feff}');
        let records = match format.unwrap_or_else(|| Format::by_content(text)) {
            Format::Lines => tle::parse(text)?.into_iter().map(Record::from).collect(),
            Format::Json => omm::parse_json(text)?,
            Format::Csv => omm::parse_csv(text)?,
            Format::Xml => omm::parse_xml(text)?,
            Format::Kvn => omm::parse_kvn(text)?,
        };
        Ok(Self { records })
    }
}

impl From<Elements> for Record {
    fn from(set: Elements) -> Self {
        Self { set, kind: None, status: None, decay: None }
    }
}

/// Name of a satellite: as in the catalogue, or its number there.
pub fn name(set: &Elements) -> String {
    set.object_name.clone().unwrap_or_else(|| format!("NORAD {}", set.norad_id))
}
