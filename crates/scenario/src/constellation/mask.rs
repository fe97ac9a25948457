// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes masks (skylines) around places. A mask is a list of pairs in the scenario, or a separate file.

use crate::ScenarioError;
use crate::check::Source;
use csvfile::{Fault, Rows};
use std::path::Path;
use topology::Mask;
use units::{Code, input};

/// The columns of a mask file.
const COLUMNS: [&str; 2] = ["azimuth_deg", "elevation_deg"];

/// Reads the mask of the place at `path`, from its pairs or from its file.
pub fn read(
    pairs: Option<Vec<Vec<f64>>>,
    file: Option<String>,
    source: &Source<'_>,
    path: &str,
) -> Result<Option<Mask>, ScenarioError> {
    match (pairs, file) {
        (None, None) => Ok(None),
        (Some(pairs), _) => from_pairs(pairs, source, &format!("{path}.mask")).map(Some),
        (None, Some(file)) => from_file(&source.file(&file)).map(Some),
    }
}

/// Returns the text form of a mask.
pub fn write(mask: &Mask) -> Vec<Vec<f64>> {
    mask.points().iter().map(|&(azimuth, elevation)| vec![azimuth, elevation]).collect()
}

fn from_pairs(pairs: Vec<Vec<f64>>, source: &Source<'_>, path: &str) -> Result<Mask, ScenarioError> {
    let mut points = Vec::with_capacity(pairs.len());
    for (index, pair) in pairs.into_iter().enumerate() {
        let [azimuth, elevation] = *pair.as_slice() else {
            let message = "a point of a mask must be an azimuth and an elevation, in degrees";
            return Err(source
                .error(Code::ScenarioValue, &format!("{path}[{index}]"), message)
                .fix("write [90, 40]"));
        };
        points.push((azimuth, elevation));
    }
    Mask::new(points).map_err(|error| {
        let key = error.point.map_or_else(|| path.to_owned(), |point| format!("{path}[{point}]"));
        source.error(Code::ScenarioValue, &key, error.to_string())
    })
}

fn from_file(file: &Path) -> Result<Mask, ScenarioError> {
    let fault = |line, key: &str, code, message| ScenarioError::in_file(file, line, key, code, message);
    let unreadable = |line, why| fault(line, "", Code::ScenarioUnreadable, why);
    let text = input::read(file, input::SCENARIO)
        .map_err(|why| unreadable(None, format!("cannot read the mask: {why}")))?;
    let told = |Fault { line, why }| unreadable(line.map(|line| line as u64), why);
    let mut rows = Rows::of(&text);
    let head = rows.head(&COLUMNS.join(",")).map_err(told)?;
    if !head.cells().eq(COLUMNS) {
        let message = format!(
            "a mask file needs the columns {} in its first line, not \"{}\"",
            COLUMNS.join(","),
            head.shown()
        );
        return Err(fault(Some(head.line as u64), "", Code::ScenarioMissingKey, message));
    }
    let (mut points, mut lines) = (Vec::new(), Vec::new());
    for row in rows {
        let row = row.map_err(told)?;
        let line = row.line as u64;
        let number = |column: usize| {
            let text = row.cell(column);
            text.parse::<f64>().map_err(|_| {
                let message = format!("\"{text}\" is not a number of degrees");
                fault(Some(line), COLUMNS[column], Code::ScenarioValue, message)
            })
        };
        points.push((number(0)?, number(1)?));
        lines.push(line);
    }
    Mask::new(points).map_err(|error| {
        let line = error.point.map(|point| lines[point]);
        fault(line, "", Code::ScenarioValue, error.to_string())
    })
}
