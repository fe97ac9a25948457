// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rates and losses that follow the satellite or the time of day, read and written.

use crate::ScenarioError;
use crate::check::Source;
use crate::format::{self, Cell};
use crate::text::{Q, Written};
use crate::words::{W, Word};
use link::LinkSpec;
use link::sight::{Axis, ByHour, BySight, Clock, Curve, DAY, SightRate, bits};
use std::sync::Arc;
use units::{Angle, Code, Distance, Rate, Span};

impl Word for Clock {
    const NAME: &'static str = "Clock";
    const MEANING: &'static str = "Whose time of day.";
    const ALL: &'static [Self] = &[Self::Utc, Self::Local];
    fn word(self) -> &'static str {
        match self {
            Self::Utc => "UTC",
            Self::Local => "local",
        }
    }
}

/// A value in a cell of a table.
trait InCell: Copy {
    /// What a point of the table looks like.
    const EXAMPLE: &'static str;
    fn read(cell: &Cell) -> Result<f64, String>;
    fn write(value: f64) -> Cell;
}

/// A rate, in bit/s.
#[derive(Clone, Copy)]
struct InBits;
/// A probability.
#[derive(Clone, Copy)]
struct Share;

impl InCell for InBits {
    const EXAMPLE: &'static str = "\"50 Mbit/s\"";
    fn read(cell: &Cell) -> Result<f64, String> {
        const MOST: f64 = 1e12;
        let rate: Rate = written(cell)?;
        let bits = rate.bits_per_s() as f64;
        if bits <= MOST { Ok(bits) } else { Err(format!("{rate} is too much (write at most 1 Tbit/s)")) }
    }
    fn write(value: f64) -> Cell {
        Cell::Text(Written::write(&bits(value)))
    }
}

impl InCell for Share {
    const EXAMPLE: &'static str = "0.01";
    fn read(cell: &Cell) -> Result<f64, String> {
        match cell {
            Cell::Number(share) if (0.0..=1.0).contains(share) => Ok(*share),
            Cell::Number(share) => Err(format!("{share} is no probability (write a number from 0 to 1)")),
            Cell::Text(text) => Err(format!("\"{text}\" is no probability (write a number from 0 to 1)")),
        }
    }
    fn write(value: f64) -> Cell {
        Cell::Number(value)
    }
}

fn written<T: Written>(cell: &Cell) -> Result<T, String> {
    match cell {
        Cell::Text(text) => T::read(text).map_err(|(_, message)| message),
        Cell::Number(number) => Err(format!("{number} has no unit (write \"{number} {}\")", T::UNIT)),
    }
}

/// A table over `X`, which `place` turns into a number, up to `most`.
fn points<X: Written, Y: InCell>(
    table: &[Vec<Cell>],
    place: impl Fn(&X) -> f64,
    most: &X,
) -> Result<Vec<(f64, f64)>, String> {
    let mut points: Vec<(f64, f64)> = Vec::new();
    for (index, point) in table.iter().enumerate() {
        let [x, y] = point.as_slice() else {
            return Err(format!("number {index} is no pair (write [\"{}\", {}])", X::EXAMPLE, Y::EXAMPLE));
        };
        let fault = |message: String| format!("number {index}: {message}");
        let at: X = written(x).map_err(fault)?;
        let (x, y) = (place(&at), Y::read(y).map_err(fault)?);
        if !(0.0..=place(most)).contains(&x) {
            return Err(fault(format!("{} must be from 0 to {}", at.write(), most.write())));
        }
        if points.last().is_some_and(|&(before, _)| x <= before) {
            return Err(fault(format!(
                "{} is not above the one before it (sort them, each once)",
                at.write()
            )));
        }
        points.push((x, y));
    }
    if points.is_empty() {
        return Err(format!(
            "the table is empty (write [[\"{}\", {}]], or remove it)",
            X::EXAMPLE,
            Y::EXAMPLE
        ));
    }
    Ok(points)
}

/// No link is longer.
const FARTHEST_KM: f64 = 1e6;

fn by_elevation<Y: InCell>(table: &[Vec<Cell>]) -> Result<Curve, String> {
    let points = points::<Angle, Y>(table, |angle| angle.deg(), &Angle::from_deg(90.0))?;
    Ok(Curve { axis: Axis::Elevation, points: points.into() })
}

fn by_range<Y: InCell>(table: &[Vec<Cell>]) -> Result<Curve, String> {
    let points = points::<Distance, Y>(table, |distance| distance.m(), &Distance::from_km(FARTHEST_KM))?;
    Ok(Curve { axis: Axis::Range, points: points.into() })
}

fn by_hour(text: &format::ByHour) -> Result<ByHour, String> {
    let points = points::<Span, InBits>(&text.rates, |span| span.nanos() as f64, &DAY)?;
    let points: Vec<_> = points.into_iter().map(|(ns, rate)| (Span::from_nanos(ns as u64), rate)).collect();
    if points.last().is_some_and(|&(time, _)| time >= DAY) {
        return Err(format!("a day ends before {} (write \"0 h\")", DAY.write()));
    }
    Ok(ByHour { clock: text.clock.0, start: text.start.map(|q| q.0), points: points.into() })
}

impl format::BySight {
    /// What the link at `path` says of it; `rate`: the ways in which its rate is said besides, and whether they are.
    pub fn read(
        &self,
        rate: &[(&str, bool)],
        source: &Source<'_>,
        path: &str,
    ) -> Result<Option<BySight>, ScenarioError> {
        let of_sight = [
            ("rate_by_elevation", self.rate_by_elevation.is_some()),
            ("rate_by_range", self.rate_by_range.is_some()),
        ];
        let losses = [
            ("loss_by_elevation", self.loss_by_elevation.is_some()),
            ("loss_by_range", self.loss_by_range.is_some()),
        ];
        let hour = [("rate_by_hour", self.rate_by_hour.is_some())];
        let one_of = |keys: Vec<(&str, bool)>| {
            let there: Vec<_> =
                keys.iter().filter(|(_, there)| *there).map(|(key, _)| format!("`{key}`")).collect();
            if there.len() < 2 {
                return Ok(());
            }
            let message = format!("{} contradict each other (keep one)", there.join(" and "));
            Err(source.error(Code::ScenarioValue, path, message))
        };
        let budget = [("budget", self.budget.is_some())];
        one_of(rate.iter().chain(&of_sight).chain(&budget).copied().collect())?;
        one_of(rate.iter().chain(&hour).chain(&budget).copied().collect())?;
        one_of(losses.to_vec())?;
        let key = |name: &'static str| {
            move |message: String| source.error(Code::ScenarioValue, &format!("{path}.{name}"), message)
        };
        let mut read =
            BySight { rate: self.budget.is_some().then_some(SightRate::Budget), ..BySight::default() };
        if let Some(table) = &self.rate_by_elevation {
            let curve = by_elevation::<InBits>(table).map_err(key("rate_by_elevation"))?;
            read.rate = Some(SightRate::Curve(curve));
        }
        if let Some(table) = &self.rate_by_range {
            let curve = by_range::<InBits>(table).map_err(key("rate_by_range"))?;
            read.rate = Some(SightRate::Curve(curve));
        }
        if let Some(text) = &self.rate_by_hour {
            read.rate_by_hour = Some(by_hour(text).map_err(key("rate_by_hour"))?);
        }
        if let Some(table) = &self.loss_by_elevation {
            read.loss = Some(by_elevation::<Share>(table).map_err(key("loss_by_elevation"))?);
        }
        if let Some(table) = &self.loss_by_range {
            read.loss = Some(by_range::<Share>(table).map_err(key("loss_by_range"))?);
        }
        if read.highest() == Some(Rate::default()) {
            let message = "no rate is above zero, so packets would wait for ever (write one that is)";
            return Err(source.error(Code::ScenarioValue, path, message));
        }
        Ok((read != BySight::default()).then_some(read))
    }

    /// Refuses what has no meaning between satellites.
    pub fn refuse_in_space(&self, source: &Source<'_>, path: &str) -> Result<(), ScenarioError> {
        let local = self.rate_by_hour.as_ref().is_some_and(|by| by.clock.0 == Clock::Local);
        let (key, message) = if self.budget.is_some() {
            (
                "budget",
                "links between satellites have no budget, which is of air and weather (write rate_by_range)",
            )
        } else if self.rate_by_elevation.is_some() {
            ("rate_by_elevation", "a satellite has no horizon (write rate_by_range)")
        } else if self.loss_by_elevation.is_some() {
            ("loss_by_elevation", "a satellite has no horizon (write loss_by_range)")
        } else if local {
            ("rate_by_hour.clock", "a satellite has no local time (write \"UTC\")")
        } else {
            return Ok(());
        };
        Err(source.error(Code::ScenarioValue, &format!("{path}.{key}"), message))
    }

    /// What a file says of it.
    pub fn of(link: &LinkSpec) -> Self {
        let Some(sight) = of_link(link) else { return Self::default() };
        let mut text = Self::default();
        match &sight.rate {
            Some(SightRate::Curve(curve)) if curve.axis == Axis::Elevation => {
                text.rate_by_elevation = Some(write::<InBits>(curve));
            }
            Some(SightRate::Curve(curve)) => text.rate_by_range = Some(write::<InBits>(curve)),
            // Who has it writes it.
            Some(SightRate::Budget) | None => {}
        }
        match &sight.loss {
            Some(curve) if curve.axis == Axis::Elevation => {
                text.loss_by_elevation = Some(write::<Share>(curve));
            }
            Some(curve) => text.loss_by_range = Some(write::<Share>(curve)),
            None => {}
        }
        text.rate_by_hour = sight.rate_by_hour.as_ref().map(|by| format::ByHour {
            clock: W(by.clock),
            start: by.start.map(Q),
            rates: by
                .points
                .iter()
                .map(|&(at, rate)| vec![Cell::Text(at.write()), InBits::write(rate)])
                .collect(),
        });
        text
    }
}

fn write<Y: InCell>(curve: &Curve) -> Vec<Vec<Cell>> {
    let place = |x: f64| match curve.axis {
        Axis::Elevation => Angle::from_deg(x).write(),
        Axis::Range => Distance::from_m(x).write(),
    };
    curve.points.iter().map(|&(x, y)| vec![Cell::Text(place(x)), Y::write(y)]).collect()
}

/// What a link follows.
pub fn of_link(link: &LinkSpec) -> Option<&Arc<BySight>> {
    link.changes.as_ref()?.sight.as_ref()
}

/// Refuses a time of day that nobody knows, and one that is said twice; `dated`: satellites have a date.
pub fn refuse_hours(
    link: &LinkSpec,
    dated: bool,
    source: &Source<'_>,
    path: &str,
) -> Result<(), ScenarioError> {
    let Some(by) = of_link(link).and_then(|sight| sight.rate_by_hour.as_ref()) else { return Ok(()) };
    let (code, message) = match (by.start, dated) {
        (None, false) => (
            Code::ScenarioMissingKey,
            "these satellites have no date, so nobody knows the time of day (write start = \"18 h\": that of UTC when the \
             run begins)",
        ),
        (Some(_), true) => (
            Code::ScenarioValue,
            "the satellites' date says when the run begins (remove it, or change that of the satellites)",
        ),
        _ => return Ok(()),
    };
    Err(source.error(code, &format!("{path}.rate_by_hour.start"), message))
}
