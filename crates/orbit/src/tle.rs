// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two-line element sets: with or without a name line, five-digit and Alpha-5 catalogue numbers.

use crate::OrbitError;
use crate::theory::other_theory;
use sgp4::Elements;
use std::ops::Range;

/// Columns of a line, the checksum in the last.
const COLUMNS: usize = 69;

/// A field with a number: its name and its columns, from 0.
type Field = (&'static str, Range<usize>);

/// Numbers of line 1 (Space-Track, "Basic description of the two-line element set format").
const FIRST: [Field; 5] = [
    ("epoch year", 18..20),
    ("epoch day", 20..32),
    ("mean motion dot", 33..43),
    ("mean motion double dot", 44..52),
    ("B*", 53..61),
];

/// Numbers of line 2.
const SECOND: [Field; 6] = [
    ("inclination", 8..16),
    ("right ascension of the node", 17..25),
    ("eccentricity", 26..33),
    ("argument of perigee", 34..42),
    ("mean anomaly", 43..51),
    ("mean motion", 52..63),
];

/// Reads all element sets of a text. Empty lines and lines that start with `#` are skipped; a line before line 1
/// is the satellite's name.
///
/// # Errors
/// [`OrbitError::TleSyntax`] and [`OrbitError::TleChecksum`], each with its line.
pub fn parse(text: &str) -> Result<Vec<Elements>, OrbitError> {
    let mut sets = Vec::new();
    let mut name: Option<&str> = None;
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(at, line)| (at + 1, line.trim_end()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    while let Some((number, line)) = lines.next() {
        if !line.starts_with("1 ") {
            if let Some(before) = name {
                return Err(syntax(number, &format!("line 1 of \"{before}\" should stand here")));
            }
            name = Some(line.strip_prefix("0 ").unwrap_or(line).trim());
            continue;
        }
        check(number, line, &FIRST)?;
        let Some((second_number, second)) = lines.next() else {
            return Err(syntax(number, "its line 2 is missing (the text is cut off)"));
        };
        if !second.starts_with("2 ") {
            return Err(syntax(second_number, "line 2 of the set should stand here (it begins with \"2 \")"));
        }
        check(second_number, second, &SECOND)?;
        check_day(number, line)?;
        let set = Elements::from_tle(name.take().map(str::to_owned), line.as_bytes(), second.as_bytes())
            .map_err(|error| syntax(number, &error.to_string()))?;
        if let Some(what) = other_theory(&set) {
            return Err(syntax(number, what));
        }
        sets.push(set);
    }
    match name {
        Some(name) => Err(syntax(text.lines().count(), &format!("\"{name}\" has no elements"))),
        None if sets.is_empty() => Err(syntax(1, "the text holds no element set")),
        None => Ok(sets),
    }
}

/// The checksum of a line: its digits plus one for each minus sign, modulo ten, over columns 1 to 68.
pub fn checksum(line: &str) -> u8 {
    let sum: u32 = line
        .bytes()
        .take(COLUMNS - 1)
        .map(|c| match c {
            b'0'..=b'9' => u32::from(c - b'0'),
            b'-' => 1,
            _ => 0,
        })
        .sum();
    (sum % 10) as u8
}

fn check(number: usize, line: &str, fields: &[Field]) -> Result<(), OrbitError> {
    if !line.is_ascii() {
        return Err(syntax(number, "it holds characters that are not ASCII"));
    }
    if line.len() != COLUMNS {
        return Err(syntax(number, &format!("it has {} columns, not {COLUMNS}", line.len())));
    }
    let (expected, found) = (checksum(line), char::from(line.as_bytes()[COLUMNS - 1]));
    if found.to_digit(10) != Some(u32::from(expected)) {
        return Err(OrbitError::TleChecksum { line: number, expected, found });
    }
    // The crate's own parser gives columns but no names, and takes "nan" for a number.
    for (name, columns) in fields {
        let text = &line[columns.clone()];
        if !numeric(text.trim()) {
            return Err(syntax(number, &format!("its {name} is \"{text}\", not a number")));
        }
    }
    Ok(())
}

/// Refuses days that the year does not have: the library would name the year.
fn check_day(number: usize, line: &str) -> Result<(), OrbitError> {
    let (year, day) = (line[18..20].trim(), line[20..32].trim());
    let whole = day.split('.').next().unwrap_or_default().parse::<u32>();
    let (Ok(short), Ok(whole)) = (year.parse::<u32>(), whole) else {
        return Err(syntax(number, &format!("its epoch is \"{year}\" and \"{day}\", not a year and a day")));
    };
    // Space-Track: 57 to 99 are of the last century, since 1957.
    let year = short + if short < 57 { 2000 } else { 1900 };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = if leap { 366 } else { 365 };
    if (1..=days).contains(&whole) {
        return Ok(());
    }
    Err(syntax(number, &format!("its epoch day is {day}, and days of {year} are 1 to {days}")))
}

/// Whether a field holds a number, be it with an exponent as in "11606-4".
fn numeric(text: &str) -> bool {
    let mut text = text.to_owned();
    if let Some(sign) = text.rfind(['+', '-']).filter(|&at| at > 0) {
        text.insert(sign, 'e');
    }
    text.parse::<f64>().is_ok_and(f64::is_finite)
}

fn syntax(line: usize, what: &str) -> OrbitError {
    OrbitError::TleSyntax { line, what: what.to_owned() }
}
