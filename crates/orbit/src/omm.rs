// SPDX-License-Identifier: MIT OR Apache-2.0
//! CCSDS orbit mean-elements messages (502.0-B-3) as JSON, CSV, XML and in key-value notation. The keywords of the
//! standard, of CelesTrak and of Space-Track are read. In JSON, a number may be given as a number or as text.

use crate::elements::{Record, YEARS};
use crate::theory::unfit;
use crate::walker::Walker;
use crate::{OrbitError, Place};
use csvfile::{Fault, Rows};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Value};
use sgp4::chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime};
use sgp4::{Classification, Elements};
use std::fmt;

/// Fields and their allowed values. SGP4 cannot use other values (502.0-B-3, table 4-2).
const CONTEXT: [(&str, &[&str]); 4] = [
    ("CENTER_NAME", &["EARTH"]),
    ("REF_FRAME", &["TEME"]),
    ("TIME_SYSTEM", &["UTC"]),
    ("MEAN_ELEMENT_THEORY", &["SGP4", "SGP/SGP4"]),
];

/// Reads messages from JSON: an array of objects, or one object.
///
/// # Errors
/// [`OrbitError::ElementsSyntax`] with the record (counted from 1) and the field.
pub fn parse_json(text: &str) -> Result<Vec<Record>, OrbitError> {
    let bad = |place, what| OrbitError::ElementsSyntax { place, what };
    let records = match serde_json::from_str(text) {
        Ok(Unrepeated(Value::Array(records))) => records,
        Ok(Unrepeated(one)) => vec![one],
        Err(error) => {
            let what = if error.is_data() { error.to_string() } else { format!("it is not JSON: {error}") };
            return Err(bad(Place::Line(error.line()), what));
        }
    };
    if records.is_empty() {
        return Err(bad(Place::Line(1), "the array contains no message".to_owned()));
    }
    let mut sets = Vec::with_capacity(records.len());
    for (index, record) in records.iter().enumerate() {
        let place = Place::Record(index + 1);
        let Value::Object(fields) = record else {
            return Err(bad(place, "it is not an object with fields".to_owned()));
        };
        let text = |(key, value): (&'_ String, &'_ Value)| match value {
            Value::Null => None,
            Value::String(text) => Some((key.clone(), text.clone())),
            other => Some((key.clone(), other.to_string())),
        };
        let fields = Fields::of(fields.iter().filter_map(text));
        sets.push(message(&fields).map_err(|wrong| bad(place, wrong.what))?);
    }
    Ok(sets)
}

/// A JSON value whose objects have no repeated keys. `Value` alone would accept a repeated key and use its last value.
struct Unrepeated(Value);

impl<'de> Deserialize<'de> for Unrepeated {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(UnrepeatedVisitor)
    }
}

struct UnrepeatedVisitor;

impl<'de> Visitor<'de> for UnrepeatedVisitor {
    type Value = Unrepeated;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("messages")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Unrepeated, A::Error> {
        let mut values = Vec::new();
        while let Some(Unrepeated(value)) = seq.next_element()? {
            values.push(value);
        }
        Ok(Unrepeated(Value::Array(values)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Unrepeated, A::Error> {
        let mut fields = Map::new();
        while let Some((key, Unrepeated(value))) = map.next_entry::<String, Unrepeated>()? {
            match fields.entry(key) {
                Entry::Vacant(free) => free.insert(value),
                Entry::Occupied(taken) => {
                    return Err(A::Error::custom(format!("{} is given twice in one message", taken.key())));
                }
            };
        }
        Ok(Unrepeated(Value::Object(fields)))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Unrepeated, E> {
        Ok(Unrepeated(value.into()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Unrepeated, E> {
        Ok(Unrepeated(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Unrepeated, E> {
        Ok(Unrepeated(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Unrepeated, E> {
        Ok(Unrepeated(value.into()))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Unrepeated, E> {
        Ok(Unrepeated(value.into()))
    }

    fn visit_unit<E: Error>(self) -> Result<Unrepeated, E> {
        Ok(Unrepeated(Value::Null))
    }
}

/// Reads messages from CSV. The first row contains the keywords; fields may be quoted.
///
/// # Errors
/// [`OrbitError::ElementsSyntax`] with the line (counted from 1) and the field.
pub fn parse_csv(text: &str) -> Result<Vec<Record>, OrbitError> {
    let bad = |line: usize, what| OrbitError::ElementsSyntax { place: Place::Line(line), what };
    let holds = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let first = text.lines().find(holds).unwrap_or_default();
    if let Some(what) = not_a_header(first) {
        return Err(bad(1, what));
    }
    let fault = |Fault { line, why }| bad(line.unwrap_or(1), why);
    let mut rows = Rows::of(text);
    let head = rows.head("OBJECT_NAME,NORAD_CAT_ID,EPOCH,MEAN_MOTION,…").map_err(fault)?;
    let mut sets = Vec::new();
    for row in rows {
        let row = row.map_err(fault)?;
        let cell = |(column, name): (usize, &str)| (name.to_owned(), row.cell(column).to_owned());
        let fields = Fields::of(head.cells().enumerate().map(cell));
        sets.push(message(&fields).map_err(|wrong| bad(row.line, wrong.what))?);
    }
    if sets.is_empty() {
        return Err(bad(1, "the table contains no message below its header".to_owned()));
    }
    Ok(sets)
}

/// Returns the fault in the header of a table, for example its separator or the case of its keywords. Returns `None` if
/// the header is valid.
fn not_a_header(first: &str) -> Option<String> {
    if first.is_empty() {
        return Some(
            "the table is empty: its first row must name the fields (NORAD_CAT_ID, EPOCH, …)".to_owned(),
        );
    }
    if first.trim_start().starts_with(['[', '{']) {
        return Some("it is JSON (give the file a name that ends in .json)".to_owned());
    }
    if first.contains("NORAD_CAT_ID") && first.contains(',') {
        return None;
    }
    if let Some((separator, name)) =
        [(';', "semicolons"), ('\t', "tabs")].into_iter().find(|(separator, _)| first.contains(*separator))
    {
        return Some(format!(
            "its columns are separated by {name} (\"{separator}\"), not by commas: save the table with commas, and \
             with points in numbers",
            separator = separator.escape_default()
        ));
    }
    if first.to_uppercase().contains("NORAD_CAT_ID") && first.contains(',') {
        return Some(
            "its first row names the fields in lower case: write them as in the standard (NORAD_CAT_ID, EPOCH, …)"
                .to_owned(),
        );
    }
    Some(
        "its first row must name the fields, including NORAD_CAT_ID (as in CelesTrak's FORMAT=csv)"
            .to_owned(),
    )
}

/// Reads messages from XML (CCSDS 505.0-B, "XML Specification for Navigation Data Messages"). Each element `omm` of the
/// text is a message.
/// # Errors
/// [`OrbitError::ElementsSyntax`] with the line (counted from 1) and the field.
pub fn parse_xml(text: &str) -> Result<Vec<Record>, OrbitError> {
    let bad = |line: u32, what| OrbitError::ElementsSyntax { place: Place::Line(line as usize), what };
    // A document type could define entities that grow without bound. The standard does not use a document type.
    let options = roxmltree::ParsingOptions { allow_dtd: false, ..roxmltree::ParsingOptions::default() };
    let begin: String = text.trim_start().chars().take(14).collect::<String>().to_lowercase();
    if begin.starts_with("<!doctype html") || begin.starts_with("<html") {
        return Err(bad(1, "it is a web page, not a catalogue (fetch the elements again)".to_owned()));
    }
    let document = roxmltree::Document::parse_with_options(text, options)
        .map_err(|error| bad(error.pos().row, format!("it is not XML: {error}")))?;
    let mut records = Vec::new();
    for omm in document.descendants().filter(|node| node.has_tag_name("omm")) {
        // To find a line number, the parser counts lines from the start of the text. Therefore line numbers are
        // computed only for errors.
        let bad_at = |offset, what| bad(document.text_pos_at(offset).row, what);
        // Only elements that contain text are fields. The name of a user-defined field is an attribute.
        let mut fields = Fields::default();
        for node in omm
            .descendants()
            .filter(|node| node.is_element() && !node.children().any(|child| child.is_element()))
        {
            let name = node.tag_name().name();
            let key = if name == "USER_DEFINED" { node.attribute("parameter").unwrap_or(name) } else { name };
            let offset = node.range().start;
            if let Some(unit) = node.attribute("units") {
                has_unit(key, unit).map_err(|what| bad_at(offset, what))?;
            }
            // Comments and processing instructions split a text into several nodes.
            let text: String =
                node.children().filter(roxmltree::Node::is_text).filter_map(|child| child.text()).collect();
            fields.add(key, &text, offset).map_err(|what| bad_at(offset, what))?;
        }
        let whole = omm.range().start;
        let record = message(&fields);
        records.push(record.map_err(|wrong| bad_at(fields.place(wrong.key).unwrap_or(whole), wrong.what))?);
    }
    if records.is_empty() {
        return Err(bad(1, "the document contains no element `omm`".to_owned()));
    }
    Ok(records)
}

/// Reads messages in key-value notation (502.0-B-3, section 7.4). Each line is `KEYWORD = value`, and each message
/// begins with `CCSDS_OMM_VERS`. If a unit in brackets follows a value, it must be the unit of the standard. Lines that
/// begin with `COMMENT` are skipped.
///
/// # Errors
/// [`OrbitError::ElementsSyntax`] with the line (counted from 1) and the field.
pub fn parse_kvn(text: &str) -> Result<Vec<Record>, OrbitError> {
    let bad = |line, what| OrbitError::ElementsSyntax { place: Place::Line(line), what };
    let mut messages: Vec<(usize, Fields)> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line == "COMMENT" || line.starts_with("COMMENT ") {
            continue;
        }
        let Some((key, value)) = line.split_once('=') else {
            return Err(bad(index + 1, format!("\"{line}\" is not of the form KEYWORD = value")));
        };
        let key = key.trim();
        if key == "CCSDS_OMM_VERS" {
            messages.push((index + 1, Fields::default()));
        }
        let Some((_, fields)) = messages.last_mut() else {
            return Err(bad(index + 1, "a message begins with CCSDS_OMM_VERS = 2.0".to_owned()));
        };
        let value = value.trim();
        let value = match value.rsplit_once('[') {
            Some((value, unit)) if unit.ends_with(']') && !key.eq_ignore_ascii_case("OBJECT_NAME") => {
                has_unit(key, unit.trim_end_matches(']')).map_err(|what| bad(index + 1, what))?;
                value.trim_end()
            }
            _ => value,
        };
        let key = key.strip_prefix("USER_DEFINED_").unwrap_or(key);
        fields.add(key, value, index + 1).map_err(|what| bad(index + 1, what))?;
    }
    if messages.is_empty() {
        return Err(bad(1, "the text contains no message".to_owned()));
    }
    let record = |(line, fields): &(usize, Fields)| {
        message(fields).map_err(|wrong| bad(fields.place(wrong.key).unwrap_or(*line), wrong.what))
    };
    messages.iter().map(record).collect()
}

/// Units of the fields that are read (502.0-B-3, table 4-3).
const UNITS: [(&str, &str); 10] = [
    ("SEMI_MAJOR_AXIS", "km"),
    ("SEMIMAJOR_AXIS", "km"),
    ("MEAN_MOTION", "rev/day"),
    ("INCLINATION", "deg"),
    ("RA_OF_ASC_NODE", "deg"),
    ("ARG_OF_PERICENTER", "deg"),
    ("MEAN_ANOMALY", "deg"),
    ("BSTAR", "1/ER"),
    ("MEAN_MOTION_DOT", "rev/day**2"),
    ("MEAN_MOTION_DDOT", "rev/day**3"),
];

/// Checks the unit of a field.
///
/// # Errors
/// If the unit is not the unit of the standard.
fn has_unit(key: &str, unit: &str) -> Result<(), String> {
    match UNITS.iter().find(|known| known.0 == key) {
        Some((_, known)) if !known.eq_ignore_ascii_case(unit.trim()) => {
            Err(format!("{key} has the unit [{unit}], but only [{known}] can be read (convert the value)"))
        }
        _ => Ok(()),
    }
}

/// A field of a message, as written in the text.
struct Field {
    key: String,
    text: String,
    /// Line or offset of the field in the text, depending on the format. `None` if only the place of the message is
    /// known.
    place: Option<usize>,
}

/// The fields of a message.
#[derive(Default)]
struct Fields(Vec<Field>);

/// An error in a message. `key` is the field with the error. It is empty if the error concerns several fields.
struct Wrong {
    key: &'static str,
    what: String,
}

impl Wrong {
    fn all(what: String) -> Self {
        Self { key: "", what }
    }
}

impl Fields {
    /// Creates the fields of a message. The fields have no places of their own.
    fn of(fields: impl Iterator<Item = (String, String)>) -> Self {
        Self(fields.map(|(key, text)| Field { key, text, place: None }).collect())
    }

    /// Adds a field.
    ///
    /// # Errors
    /// If the message already has the field. Several comments are allowed.
    fn add(&mut self, key: &str, text: &str, place: usize) -> Result<(), String> {
        if key != "COMMENT" && self.0.iter().any(|known| known.key == key) {
            return Err(format!("{key} is given twice in one message"));
        }
        self.0.push(Field { key: key.to_owned(), text: text.to_owned(), place: Some(place) });
        Ok(())
    }

    fn find(&self, key: &str) -> Option<&Field> {
        self.0.iter().find(|field| field.key.eq_ignore_ascii_case(key))
    }

    fn place(&self, key: &str) -> Option<usize> {
        self.find(key)?.place
    }

    /// Returns the text of a field; `None` if the field is absent or empty.
    ///
    /// # Errors
    /// If the keyword of the field is not in capital letters.
    fn filled(&self, key: &'static str) -> Result<Option<String>, Wrong> {
        let Some(field) = self.find(key) else { return Ok(None) };
        if field.key != key {
            let what = format!("{} is not a keyword of the standard: write {key}", field.key);
            return Err(Wrong { key, what });
        }
        Ok(Some(field.text.trim()).filter(|text| !text.is_empty()).map(str::to_owned))
    }
}

/// Builds a record from the fields of one message.
fn message(fields: &Fields) -> Result<Record, Wrong> {
    let filled = |key: &'static str| fields.filled(key);
    for (key, allowed) in CONTEXT {
        if let Some(found) = filled(key)?.filter(|found| !allowed.contains(&found.as_str())) {
            let what = format!("{key} is \"{found}\", but only \"{}\" can be propagated", allowed[0]);
            return Err(Wrong { key, what });
        }
    }
    let needed = |key| filled(key)?.ok_or_else(|| Wrong::all(format!("the field {key} is missing")));
    let number = |key, text: String| {
        text.parse::<f64>()
            .ok()
            .filter(|number| number.is_finite())
            .ok_or_else(|| Wrong { key, what: format!("{key} is \"{text}\", not a number") })
    };
    let whole = |key, text: String| {
        text.parse::<u64>()
            .map_err(|_| Wrong { key, what: format!("{key} is \"{text}\", not a whole number") })
    };
    let must = |key| number(key, needed(key)?);
    let may = |key| filled(key)?.map_or(Ok(0.0), |text| number(key, text));
    let count = |key| filled(key)?.map_or(Ok(0), |text| whole(key, text));

    let norad_id = whole("NORAD_CAT_ID", needed("NORAD_CAT_ID")?)?;
    // CCSDS 502.0-B-3, table 4-3: a catalogue number has up to nine digits.
    if norad_id > 999_999_999 {
        let what = format!("NORAD_CAT_ID is {norad_id}, which has more than nine digits");
        return Err(Wrong { key: "NORAD_CAT_ID", what });
    }
    let ephemeris_type = count("EPHEMERIS_TYPE")?;
    let set = Elements {
        object_name: filled("OBJECT_NAME")?,
        international_designator: filled("OBJECT_ID")?,
        norad_id,
        classification: match filled("CLASSIFICATION_TYPE")?.as_deref() {
            Some("C") => Classification::Classified,
            Some("S") => Classification::Secret,
            _ => Classification::Unclassified,
        },
        datetime: epoch(&needed("EPOCH")?).map_err(|what| Wrong { key: "EPOCH", what })?,
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
        ephemeris_type: u8::try_from(ephemeris_type).map_err(|_| Wrong {
            key: "EPHEMERIS_TYPE",
            what: format!("EPHEMERIS_TYPE is {ephemeris_type}, which has more than one digit"),
        })?,
    };
    if let Some(what) = unfit(&set) {
        return Err(Wrong::all(what));
    }
    // Space-Track adds the semi-major axis, in km. It must agree with the mean motion; in messages of other sources it
    // may not.
    for key in ["SEMIMAJOR_AXIS", "SEMI_MAJOR_AXIS"] {
        let Some(text) = filled(key)? else { continue };
        let (axis_km, flown_km) = (number(key, text)?, Walker::axis_m(set.mean_motion) / 1e3);
        if set.mean_motion > 0.0 && (axis_km - flown_km).abs() > flown_km / 100.0 {
            let what = format!(
                "{key} is {axis_km} km, but MEAN_MOTION of {} revolutions per day gives {flown_km:.0} km",
                set.mean_motion
            );
            return Err(Wrong { key, what });
        }
    }
    let decay = filled("DECAY_DATE")?.map(|text| day(&text)).transpose();
    Ok(Record {
        set,
        kind: filled("OBJECT_TYPE")?,
        status: filled("OPS_STATUS_CODE")?,
        decay: decay.map_err(|what| Wrong { key: "DECAY_DATE", what })?,
    })
}

/// Parses a date, with or without a time of day.
fn day(text: &str) -> Result<NaiveDateTime, String> {
    NaiveDate::parse_from_str(text, "%Y-%m-%d")
        .map(|day| day.and_time(NaiveTime::MIN))
        .or_else(|_| NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S"))
        .or_else(|_| epoch(text))
        .map_err(|_| format!("DECAY_DATE is \"{text}\", not a date like 2022-09-14"))
}

/// Parses a calendar or day-of-year date (502.0-B-3, section 7.5.10), with or without the Z of UTC.
fn epoch(text: &str) -> Result<NaiveDateTime, String> {
    let plain = text.strip_suffix('Z').unwrap_or(text);
    let moment = NaiveDateTime::parse_from_str(plain, "%Y-%m-%dT%H:%M:%S%.f")
        .or_else(|_| NaiveDateTime::parse_from_str(plain, "%Y-%jT%H:%M:%S%.f"))
        .map_err(|_| format!("EPOCH is \"{text}\", not a date like 2022-09-14T11:06:57.106"))?;
    if YEARS.contains(&moment.year()) {
        return Ok(moment);
    }
    Err(format!("EPOCH is \"{text}\", but must be between {} and {}", YEARS.start(), YEARS.end()))
}
