// SPDX-License-Identifier: MIT OR Apache-2.0
//! Catalogues of orbital elements, in all formats of CelesTrak and Space-Track.

use crate::{OrbitError, omm, tle};
use sgp4::Elements;
use sgp4::chrono::NaiveDateTime;
use std::ops::RangeInclusive;
use std::path::Path;

/// A catalogue: all element sets of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Catalogue {
    /// The element sets in the order of the text. Several sets may belong to the same object.
    pub records: Vec<Record>,
}

/// An element set, together with the data about the object in the same message.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The orbital elements.
    pub set: Elements,
    /// `OBJECT_TYPE`: "PAYLOAD", "ROCKET BODY", "DEBRIS", "UNKNOWN" or "TBA".
    pub kind: Option<String>,
    /// `OPS_STATUS_CODE`: CelesTrak's code for the operational status.
    pub status: Option<String>,
    /// `DECAY_DATE`: the day on which the object decayed, UTC.
    pub decay: Option<NaiveDateTime>,
}

/// Years that two-line elements can express (Space-Track). Epochs and starts outside these years are refused. No
/// elements exist for such years, and the computing time of SGP4 grows with the time between start and epoch.
pub(crate) const YEARS: RangeInclusive<i32> = 1957..=2056;

/// Formats of catalogues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Two-line element sets, with or without name lines ([`tle::parse`]).
    Lines,
    /// CCSDS orbit mean-elements messages (OMM, 502.0-B) as JSON: an array of objects, or one object
    /// ([`omm::parse_json`]).
    Json,
    /// OMM as CSV with a header row ([`omm::parse_csv`]).
    Csv,
    /// OMM as XML ([`omm::parse_xml`]).
    Xml,
    /// OMM in key-value notation ([`omm::parse_kvn`]).
    Kvn,
}

impl Format {
    /// Returns the format for the extension of a file name. Returns `None` for `.tle`, `.txt` and unknown extensions,
    /// because such files may contain any format.
    pub fn of(file: &Path) -> Option<Self> {
        match file.extension()?.to_str()?.to_lowercase().as_str() {
            "json" => Some(Self::Json),
            "csv" => Some(Self::Csv),
            "xml" => Some(Self::Xml),
            "kvn" => Some(Self::Kvn),
            _ => None,
        }
    }

    /// Determines the format from the content.
    fn by_content(text: &str) -> Self {
        let holds = |line: &&str| !line.is_empty() && !line.starts_with('#');
        let first = text.lines().map(str::trim).find(holds).unwrap_or_default();
        // Keywords are recognised in any case, so that the reader of the format can report a wrong case. If
        // `CCSDS_OMM_VERS` is followed by a separator, the line is the header of a CSV table.
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
    /// Reads a catalogue. The content determines the format.
    ///
    /// # Errors
    /// [`OrbitError::TleSyntax`], [`OrbitError::TleChecksum`] or [`OrbitError::ElementsSyntax`], with the place in the
    /// text.
    pub fn read(text: &str) -> Result<Self, OrbitError> {
        Self::read_as(text, None)
    }

    /// Reads a catalogue in this format ([`Format::of`] determines the format from a file name). With `None`, the
    /// content determines the format.
    ///
    /// # Errors
    /// The same errors as [`Catalogue::read`].
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

/// Returns the name of a satellite in the catalogue, or "NORAD" and its catalogue number if it has no name.
pub fn name(set: &Elements) -> String {
    set.object_name.clone().unwrap_or_else(|| format!("NORAD {}", set.norad_id))
}
