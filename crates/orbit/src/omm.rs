// SPDX-License-Identifier: MIT OR Apache-2.0
//! CCSDS orbit mean-elements messages (502.0-B-3) as JSON and CSV: keywords of the standard and of CelesTrak and
//! Space-Track, numbers as numbers or as text.

use crate::theory::other_theory;
use crate::{OrbitError, Place};
use serde_json::Value;
use sgp4::chrono::NaiveDateTime;
use sgp4::{Classification, Elements};

/// What the message may say about itself where it does: nothing else can be given to SGP4 (502.0-B-3, table 4-2).
const CONTEXT: [(&str, &[&str]); 4] = [
    ("CENTER_NAME", &["EARTH"]),
    ("REF_FRAME", &["TEME"]),
    ("TIME_SYSTEM", &["UTC"]),
    ("MEAN_ELEMENT_THEORY", &["SGP4", "SGP/SGP4"]),
];

/// Messages from JSON: an array of objects, or one object.
///
/// # Errors
/// [`OrbitError::ElementsSyntax`] with the record, from 1, and the field.
pub fn parse_json(text: &str) -> Result<Vec<Elements>, OrbitError> {
    let bad = |place, what| OrbitError::ElementsSyntax { place, what };
    let records = match serde_json::from_str(text) {
        Ok(Value::Array(records)) => records,
        Ok(one) => vec![one],
        Err(error) => return Err(bad(Place::Line(error.line()), format!("it is not JSON: {error}"))),
    };
    if records.is_empty() {
        return Err(bad(Place::Line(1), "the array holds no message".to_owned()));
    }
    let mut sets = Vec::with_capacity(records.len());
    for (index, record) in records.iter().enumerate() {
        let place = Place::Record(index + 1);
        let Value::Object(fields) = record else {
            return Err(bad(place, "it is not an object with fields".to_owned()));
        };
        let field = |key: &str| match fields.get(key)? {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            other => Some(other.to_string()),
        };
        sets.push(message(&field).map_err(|what| bad(place, what))?);
    }
    Ok(sets)
}

/// Messages from CSV with a row of keywords first; fields may be quoted.
///
/// # Errors
/// [`OrbitError::ElementsSyntax`] with the line, from 1, and the field.
pub fn parse_csv(text: &str) -> Result<Vec<Elements>, OrbitError> {
    let bad = |line: u64, what| OrbitError::ElementsSyntax { place: Place::Line(line as usize), what };
    // The reader ends a row at the CR and would count its line without the LF.
    let text = text.replace("\r\n", "\n");
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let line_of = |error: &csv::Error| error.position().map_or(1, csv::Position::line);
    let header = match reader.headers() {
        Ok(header) => header.clone(),
        Err(error) => return Err(bad(line_of(&error), error.to_string())),
    };
    let mut sets = Vec::new();
    for row in reader.records() {
        let row = match row {
            Ok(row) => row,
            Err(error) => return Err(bad(line_of(&error), error.to_string())),
        };
        let line = row.position().map_or(1, csv::Position::line);
        let field = |key: &str| {
            let column = header.iter().position(|name| name == key)?;
            row.get(column).map(str::to_owned)
        };
        sets.push(message(&field).map_err(|what| bad(line, what))?);
    }
    if sets.is_empty() {
        return Err(bad(1, "the table holds no message below its header".to_owned()));
    }
    Ok(sets)
}

/// One message from its fields.
fn message(field: &dyn Fn(&str) -> Option<String>) -> Result<Elements, String> {
    let filled = |key: &str| field(key).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    for (key, allowed) in CONTEXT {
        if let Some(found) = filled(key).filter(|found| !allowed.contains(&found.as_str())) {
            return Err(format!("{key} is \"{found}\", only \"{}\" can be propagated", allowed[0]));
        }
    }
    let needed = |key: &str| filled(key).ok_or_else(|| format!("it has no {key}"));
    let number = |key: &str, text: String| {
        text.parse::<f64>()
            .ok()
            .filter(|number| number.is_finite())
            .ok_or_else(|| format!("{key} is \"{text}\", not a number"))
    };
    let whole = |key: &str, text: String| {
        text.parse::<u64>().map_err(|_| format!("{key} is \"{text}\", not a whole number"))
    };
    let must = |key: &str| number(key, needed(key)?);
    let may = |key: &str| filled(key).map_or(Ok(0.0), |text| number(key, text));
    let count = |key: &str| filled(key).map_or(Ok(0), |text| whole(key, text));

    let norad_id = whole("NORAD_CAT_ID", needed("NORAD_CAT_ID")?)?;
    // CCSDS 502.0-B-3, table 4-3: a catalogue number has up to nine digits.
    if norad_id > 999_999_999 {
        return Err(format!("NORAD_CAT_ID is {norad_id}, more than nine digits"));
    }
    let ephemeris_type = count("EPHEMERIS_TYPE")?;
    let set = Elements {
        object_name: filled("OBJECT_NAME"),
        international_designator: filled("OBJECT_ID"),
        norad_id,
        classification: match filled("CLASSIFICATION_TYPE").as_deref() {
            Some("C") => Classification::Classified,
            Some("S") => Classification::Secret,
            _ => Classification::Unclassified,
        },
        datetime: epoch(&needed("EPOCH")?)?,
        mean_motion_dot: may("MEAN_MOTION_DOT")?,
        mean_motion_ddot: may("MEAN_MOTION_DDOT")?,
        drag_term: must("BSTAR")?,
        element_set_number: count("ELEMENT_SET_NO")?,
        inclination: must("INCLINATION")?,
        right_ascension: must("RA_OF_ASC_NODE")?,
        eccentricity: must("ECCENTRICITY")?,
        argument_of_perigee: must("ARG_OF_PERICENTER")?,
        mean_anomaly: must("MEAN_ANOMALY")?,
        mean_motion: must("MEAN_MOTION")?,
        revolution_number: count("REV_AT_EPOCH")?,
        ephemeris_type: u8::try_from(ephemeris_type)
            .map_err(|_| format!("EPHEMERIS_TYPE is {ephemeris_type}, more than one digit"))?,
    };
    other_theory(&set).map_or(Ok(set), |what| Err(format!("EPHEMERIS_TYPE: {what}")))
}

/// A calendar or day-of-year date (502.0-B-3, section 7.5.10), with or without the Z of UTC.
fn epoch(text: &str) -> Result<NaiveDateTime, String> {
    let plain = text.strip_suffix('Z').unwrap_or(text);
    NaiveDateTime::parse_from_str(plain, "%Y-%m-%dT%H:%M:%S%.f")
        .or_else(|_| NaiveDateTime::parse_from_str(plain, "%Y-%jT%H:%M:%S%.f"))
        .map_err(|_| format!("EPOCH is \"{text}\", not a date like 2022-09-14T11:06:57.106"))
}
