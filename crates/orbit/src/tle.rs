// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two-line element sets, with or without name lines, and with five-digit or Alpha-5 catalogue numbers.

use crate::OrbitError;
use crate::theory::unfit;
use sgp4::Elements;
use std::ops::Range;

/// Number of columns of a line. The last column contains the checksum.
const COLUMNS: usize = 69;

/// A numeric field: its name, and its columns counted from 0.
type Field = (&'static str, Range<usize>);

/// Columns of line 1 and of line 2 in front of which the format implies a decimal point: the mantissas of the second
/// derivative and of B*, and the eccentricity. As in all columns of the format, a blank means zero.
const FRACTIONS: [[Range<usize>; 2]; 2] = [[45..50, 54..59], [26..33, 0..0]];
/// Integer fields of line 1 and of line 2. SGP4 does not need them, and some sources leave them blank.
const COUNTS: [&[Field]; 2] =
    [&[("ephemeris type", 62..63), ("number of the set", 64..68)], &[("number of the revolution", 63..68)]];

/// Numeric fields of line 1 (Space-Track, "Basic description of the two-line element set format").
const FIRST: [Field; 5] = [
    ("epoch year", 18..20),
    ("epoch day", 20..32),
    ("mean motion dot", 33..43),
    ("mean motion double dot", 44..52),
    ("B*", 53..61),
];

/// Numeric fields of line 2.
const SECOND: [Field; 6] = [
    ("inclination", 8..16),
    ("right ascension of the node", 17..25),
    ("eccentricity", 26..33),
    ("argument of perigee", 34..42),
    ("mean anomaly", 43..51),
    ("mean motion", 52..63),
];

/// Reads all element sets of a text. Empty lines and lines that begin with `#` are skipped. A line in front of line 1
/// is the name of the satellite.
///
/// # Errors
/// [`OrbitError::TleSyntax`] and [`OrbitError::TleChecksum`], with the line of the error.
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
            if line.trim_start().starts_with("1 ") && line.trim_start().len() == COLUMNS {
                return Err(syntax(number, "line 1 of the set begins with blanks (remove them)"));
            }
            if let Some(before) = name {
                return Err(syntax(number, &format!("line 1 of \"{before}\" is missing here")));
            }
            name = Some(line.strip_prefix("0 ").unwrap_or(line).trim());
            continue;
        }
        check(number, line, &FIRST)?;
        let Some((second_number, second)) = lines.next() else {
            return Err(syntax(number, "its line 2 is missing (the text is cut off)"));
        };
        if !second.starts_with("2 ") {
            return Err(syntax(second_number, "line 2 of the set is missing here (it begins with \"2 \")"));
        }
        check(second_number, second, &SECOND)?;
        let [one, other] = [line, second].map(|line| &line[2..7]);
        if one != other {
            return Err(syntax(
                second_number,
                &format!("its catalogue number is {other}, and that of line 1 is {one}"),
            ));
        }
        check_day(number, line)?;
        let lines = [filled(number, line, 0)?, filled(second_number, second, 1)?];
        let set =
            Elements::from_tle(name.take().map(str::to_owned), lines[0].as_bytes(), lines[1].as_bytes())
                .map_err(|error| {
                    let what = error.to_string();
                    syntax(if what.contains("TLE line 2") { second_number } else { number }, &what)
                })?;
        if let Some(what) = unfit(&set) {
            return Err(syntax(number, &what));
        }
        sets.push(set);
    }
    match name {
        Some(name) => Err(syntax(text.lines().count(), &format!("\"{name}\" has no elements"))),
        None if sets.is_empty() => Err(syntax(1, "the text contains no element set")),
        None => Ok(sets),
    }
}

/// Returns the checksum of a line, over columns 1 to 68. It is the sum of all digits, plus one for each minus sign,
/// modulo ten.
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
        return Err(syntax(number, "it contains characters that are not ASCII"));
    }
    if line.len() != COLUMNS {
        return Err(syntax(number, &format!("it has {} columns, not {COLUMNS}", line.len())));
    }
    let (expected, found) = (checksum(line), char::from(line.as_bytes()[COLUMNS - 1]));
    if found.to_digit(10) != Some(u32::from(expected)) {
        return Err(OrbitError::TleChecksum { line: number, expected, found });
    }
    // The fields are checked here, because the crate's parser reports columns instead of fields, and accepts "nan" as a
    // number.
    for (name, columns) in fields {
        let text = &line[columns.clone()];
        if !numeric(text.trim()) {
            return Err(syntax(number, &format!("its {name} is \"{text}\", not a number")));
        }
    }
    Ok(())
}

/// Replaces blanks in the fractions and integers of a line by zeros. Without this, the library would read a shorter
/// number or refuse the line.
fn filled(number: usize, line: &str, which: usize) -> Result<String, OrbitError> {
    let mut line = line.to_owned();
    let zeros = |text: &str| text.replace(' ', "0");
    for columns in FRACTIONS[which].clone() {
        let text = zeros(&line[columns.clone()]);
        line.replace_range(columns, &text);
    }
    for (name, columns) in COUNTS[which] {
        let text = zeros(line[columns.clone()].trim_end());
        if !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(syntax(
                number,
                &format!("its {name} is \"{}\", not a whole number", &line[columns.clone()]),
            ));
        }
        let text = format!("{text:0>width$}", width = columns.len());
        line.replace_range(columns.clone(), &text);
    }
    // The classification is U, C or S.
    if which == 0 && &line[7..8] == " " {
        line.replace_range(7..8, "U");
    }
    Ok(line)
}

/// Refuses a day of the epoch that does not exist in its year. The library would accept the day, or report the year
/// instead.
fn check_day(number: usize, line: &str) -> Result<(), OrbitError> {
    let (year, day) = (line[18..20].trim(), line[20..32].trim());
    let whole = day.split('.').next().unwrap_or_default().parse::<u32>();
    let (Ok(short), Ok(whole)) = (year.parse::<u32>(), whole) else {
        return Err(syntax(number, &format!("its epoch is \"{year}\" and \"{day}\", not a year and a day")));
    };
    // Space-Track: years 57 to 99 are 1957 to 1999.
    let year = short + if short < 57 { 2000 } else { 1900 };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = if leap { 366 } else { 365 };
    if (1..=days).contains(&whole) {
        return Ok(());
    }
    Err(syntax(number, &format!("its epoch day is {day}, and days of {year} are 1 to {days}")))
}

/// Returns whether a field contains a number, which may have an exponent as in "11606-4".
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
