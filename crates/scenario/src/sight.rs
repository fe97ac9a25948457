// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes rates, losses and delays that follow the satellite or the time of day.

use crate::ScenarioError;
use crate::check::Source;
use crate::format::{self, Cell};
use crate::text::{Fraction, Q, Written};
use crate::words::{W, Word};
use link::sight::{Axis, ByHour, BySight, Clock, Curve, DAY, SightRate, bits};
use link::{Changes, LinkSpec};
use std::sync::Arc;
use units::{Angle, Code, Distance, Rate, Span};

impl Word for Clock {
    const NAME: &'static str = "Clock";
    const MEANING: &'static str = "Clock of the time of day.";
    const ALL: &'static [Self] = &[Self::Utc, Self::Local];
    fn word(self) -> &'static str {
        match self {
            Self::Utc => "UTC",
            Self::Local => "local",
        }
    }
}

/// The type of values in a table.
trait InCell: Copy {
    /// An example of one point of the table.
    const EXAMPLE: &'static str;
    fn read(cell: &Cell) -> Result<f64, String>;
    fn write(value: f64) -> Cell;
}

/// A rate in bit/s.
#[derive(Clone, Copy)]
struct InBits;
/// A probability.
#[derive(Clone, Copy)]
struct Share;

/// A delay in nanoseconds.
#[derive(Clone, Copy)]
struct InNanos;

impl InCell for InNanos {
    const EXAMPLE: &'static str = "\"5 ms\"";
    fn read(cell: &Cell) -> Result<f64, String> {
        const MOST: Span = Span::from_secs(3600);
        let delay: Span = written(cell)?;
        if delay <= MOST {
            Ok(delay.nanos() as f64)
        } else {
            Err(format!("a delay of {delay} is too long (write at most 1 h)"))
        }
    }
    fn write(value: f64) -> Cell {
        Cell::Text(Span::from_nanos(value.round() as u64).write())
    }
}

impl InCell for InBits {
    const EXAMPLE: &'static str = "\"50 Mbit/s\"";
    fn read(cell: &Cell) -> Result<f64, String> {
        const MOST: f64 = 1e12;
        let rate: Rate = written(cell)?;
        let bits = rate.bits_per_s() as f64;
        if bits <= MOST {
            Ok(bits)
        } else {
            Err(format!("a rate of {rate} is too high (write at most 1 Tbit/s)"))
        }
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
            Cell::Number(share) => {
                Err(format!("{share} is not a probability (a probability is a number from 0 to 1)"))
            }
            Cell::Text(text) => {
                let Fraction(share) = Fraction::read(text).map_err(|(_, message)| message)?;
                if !(0.0..=1.0).contains(&share) {
                    return Err(format!(
                        "\"{text}\" is not a probability (a probability is from 0 % to 100 %)"
                    ));
                }
                Ok(share)
            }
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

/// Reads a table over `X`. `place` converts `X` to a number of at most `most`.
fn points<X: Written, Y: InCell>(
    table: &[Vec<Cell>],
    place: impl Fn(&X) -> f64,
    most: &X,
) -> Result<Vec<(f64, f64)>, String> {
    let mut points: Vec<(f64, f64)> = Vec::new();
    for (index, point) in table.iter().enumerate() {
        let [x, y] = point.as_slice() else {
            return Err(format!("entry {index} is not a pair (write [\"{}\", {}])", X::EXAMPLE, Y::EXAMPLE));
        };
        let fault = |message: String| format!("entry {index}: {message}");
        let at: X = written(x).map_err(fault)?;
        let (x, y) = (place(&at), Y::read(y).map_err(fault)?);
        if !(0.0..=place(most)).contains(&x) {
            return Err(fault(format!("{} must be from 0 to {}", at.write(), most.write())));
        }
        if points.last().is_some_and(|&(before, _)| x <= before) {
            return Err(fault(format!(
                "{} is not above the entry before it (sort the entries, and list each value once)",
                at.write()
            )));
        }
        points.push((x, y));
    }
    if points.is_empty() {
        return Err(format!(
            "the table is empty (write [[\"{}\", {}]], or remove the table)",
            X::EXAMPLE,
            Y::EXAMPLE
        ));
    }
    Ok(points)
}

/// Largest range in a table, in km.
const FARTHEST_KM: f64 = 1e6;

fn by_elevation<Y: InCell>(table: &[Vec<Cell>]) -> Result<Curve, String> {
    let points = points::<Angle, Y>(table, |angle| angle.deg(), &Angle::from_deg(90.0))?;
    Ok(Curve { axis: Axis::Elevation, points: points.into() })
}

fn by_range<Y: InCell>(table: &[Vec<Cell>]) -> Result<Curve, String> {
    let points = points::<Distance, Y>(table, |distance| distance.m(), &Distance::from_km(FARTHEST_KM))?;
    Ok(Curve { axis: Axis::Range, points: points.into() })
}

/// Reads a table over the time of day. The last argument is its clock and the time of day at the start of the run.
fn by_hour<Y: InCell>(table: &[Vec<Cell>], (clock, start): Day) -> Result<ByHour, String> {
    let points = points::<Span, Y>(table, |span| span.nanos() as f64, &DAY)?;
    let points: Vec<_> = points.into_iter().map(|(ns, value)| (Span::from_nanos(ns as u64), value)).collect();
    if points.last().is_some_and(|&(time, _)| time >= DAY) {
        return Err(format!("a time of day must be less than {} (write \"0 h\")", DAY.write()));
    }
    Ok(ByHour { clock: clock.0, start: start.map(|q| q.0), points: points.into() })
}

/// The clock, and the time of day at the start of the run.
type Day = (W<Clock>, Option<Q<Span>>);

/// Returns the text form of a table over the time of day.
fn hours<Y: InCell>(by: &ByHour) -> (Day, Vec<Vec<Cell>>) {
    let point = |&(at, value): &(Span, f64)| vec![Cell::Text(at.write()), Y::write(value)];
    ((W(by.clock), by.start.map(Q)), by.points.iter().map(point).collect())
}

/// Message for a link that can never send.
const NO_RATE: &str = "all rates are zero, so packets would wait for ever (write a rate above 0)";

impl format::ByHour {
    fn read(&self, source: &Source<'_>, path: &str) -> Result<ByHour, ScenarioError> {
        let fault =
            |message: String| source.error(Code::ScenarioValue, &format!("{path}.rate_by_hour"), message);
        by_hour::<InBits>(&self.rates, (self.clock, self.start)).map_err(fault)
    }

    /// Reads the complete rate of a plain link or of a host link.
    pub fn whole(&self, source: &Source<'_>, path: &str) -> Result<ByHour, ScenarioError> {
        let read = self.read(source, path)?;
        if read.highest() < 0.5 {
            return Err(source.error(Code::ScenarioValue, &format!("{path}.rate_by_hour"), NO_RATE));
        }
        refuse_places("rate_by_hour", &read, source, path)?;
        Ok(read)
    }

    /// Returns the text form of a table over the time of day.
    pub fn of(by: &ByHour) -> Self {
        let ((clock, start), rates) = hours::<InBits>(by);
        Self { clock, start, rates }
    }
}

impl format::ByDay {
    /// Reads the settings of a moving link at `path`.
    fn moving(&self, source: &Source<'_>, path: &str) -> Result<BySight, ScenarioError> {
        let key = |name: &'static str| {
            move |message: String| source.error(Code::ScenarioValue, &format!("{path}.{name}"), message)
        };
        let loss = self.loss_by_hour.as_ref();
        let loss = loss.map(|by| by_hour::<Share>(&by.losses, (by.clock, by.start)));
        let delay = self.delay_by_hour.as_ref();
        let delay = delay.map(|by| by_hour::<InNanos>(&by.delays, (by.clock, by.start)));
        Ok(BySight {
            loss_by_hour: loss.transpose().map_err(key("loss_by_hour"))?,
            delay_by_hour: delay.transpose().map_err(key("delay_by_hour"))?,
            ..BySight::default()
        })
    }

    /// Reads the settings of a plain link or of a host link at `path`.
    pub fn read(&self, source: &Source<'_>, path: &str) -> Result<BySight, ScenarioError> {
        let read = self.moving(source, path)?;
        for (key, by) in read.hours() {
            refuse_places(key, by, source, path)?;
        }
        Ok(read)
    }

    /// Returns the text form of a link's settings.
    pub fn of(link: &LinkSpec) -> Self {
        let Some(sight) = of_link(link) else { return Self::default() };
        Self {
            loss_by_hour: sight.loss_by_hour.as_ref().map(|by| {
                let ((clock, start), losses) = hours::<Share>(by);
                format::LossByHour { clock, start, losses }
            }),
            delay_by_hour: sight.delay_by_hour.as_ref().map(|by| {
                let ((clock, start), delays) = hours::<InNanos>(by);
                format::DelayByHour { clock, start, delays }
            }),
        }
    }
}

/// Returns the plain link with these tables over the time of day instead of its own.
pub fn with_hours(link: LinkSpec, own: BySight) -> LinkSpec {
    let mut changes = link.changes.as_deref().cloned().unwrap_or_default();
    let old = changes.sight.as_deref().cloned().unwrap_or_default();
    let sight = BySight {
        loss_by_hour: own.loss_by_hour.or(old.loss_by_hour),
        delay_by_hour: own.delay_by_hour.or(old.delay_by_hour),
        ..BySight::default()
    };
    changes.sight = (sight != BySight::default()).then(|| Arc::new(sight));
    let changes = (changes != Changes::default()).then(|| Arc::new(changes));
    LinkSpec { changes, ..link }
}

/// Refuses an unknown time of day on a link of a plain network or of a host. Such a link has no place, so it has no
/// local time, and the time at the start of the run must be given.
fn refuse_places(key: &str, by: &ByHour, source: &Source<'_>, path: &str) -> Result<(), ScenarioError> {
    if by.clock == Clock::Local {
        let message = "only links of satellites have a local time: it is the time at a place on the ground";
        return Err(source
            .error(Code::ScenarioValue, &format!("{path}.{key}.clock"), message)
            .fix("write \"UTC\""));
    }
    if by.start.is_none() {
        let message = "the time of day is unknown, because the scenario has no date and no start time";
        return Err(source
            .error(Code::ScenarioMissingKey, &format!("{path}.{key}.start"), message)
            .fix("write start = \"18 h\", the UTC time of day at the start of the run"));
    }
    Ok(())
}

impl format::BySight {
    /// Reads the settings of the link at `path`.
    pub fn read(&self, source: &Source<'_>, path: &str) -> Result<Option<BySight>, ScenarioError> {
        let key = |name: &'static str| {
            move |message: String| source.error(Code::ScenarioValue, &format!("{path}.{name}"), message)
        };
        let mut read = BySight {
            rate: self.budget.is_some().then_some(SightRate::Budget),
            ..self.hours.moving(source, path)?
        };
        if let Some(table) = &self.rate_by_elevation {
            let curve = by_elevation::<InBits>(table).map_err(key("rate_by_elevation"))?;
            read.rate = Some(SightRate::Curve(curve));
        }
        if let Some(table) = &self.rate_by_range {
            let curve = by_range::<InBits>(table).map_err(key("rate_by_range"))?;
            read.rate = Some(SightRate::Curve(curve));
        }
        if let Some(text) = &self.rate_by_hour {
            read.rate_by_hour = Some(text.read(source, path)?);
        }
        if let Some(table) = &self.loss_by_elevation {
            read.loss = Some(by_elevation::<Share>(table).map_err(key("loss_by_elevation"))?);
        }
        if let Some(table) = &self.loss_by_range {
            read.loss = Some(by_range::<Share>(table).map_err(key("loss_by_range"))?);
        }
        if let Some(table) = &self.delay_by_elevation {
            read.delay = Some(by_elevation::<InNanos>(table).map_err(key("delay_by_elevation"))?);
        }
        if let Some(table) = &self.delay_by_range {
            read.delay = Some(by_range::<InNanos>(table).map_err(key("delay_by_range"))?);
        }
        if read.highest() == Some(Rate::default()) {
            return Err(source.error(Code::ScenarioValue, path, NO_RATE));
        }
        Ok((read != BySight::default()).then_some(read))
    }

    /// Refuses settings that are not defined between satellites.
    pub fn refuse_in_space(&self, source: &Source<'_>, path: &str) -> Result<(), ScenarioError> {
        let clocks = [
            ("rate_by_hour.clock", self.rate_by_hour.as_ref().map(|by| by.clock.0)),
            ("loss_by_hour.clock", self.hours.loss_by_hour.as_ref().map(|by| by.clock.0)),
            ("delay_by_hour.clock", self.hours.delay_by_hour.as_ref().map(|by| by.clock.0)),
        ];
        let local = clocks.into_iter().find(|&(_, clock)| clock == Some(Clock::Local));
        let (key, message) = if self.budget.is_some() {
            (
                "budget",
                "inter-satellite links take no link budget, which models the atmosphere (write rate_by_range)",
            )
        } else if self.rate_by_elevation.is_some() {
            ("rate_by_elevation", "elevation is not defined between satellites (write rate_by_range)")
        } else if self.loss_by_elevation.is_some() {
            ("loss_by_elevation", "elevation is not defined between satellites (write loss_by_range)")
        } else if self.delay_by_elevation.is_some() {
            ("delay_by_elevation", "elevation is not defined between satellites (write delay_by_range)")
        } else if let Some((key, _)) = local {
            (key, "local time is not defined between satellites (write \"UTC\")")
        } else {
            return Ok(());
        };
        Err(source.error(Code::ScenarioValue, &format!("{path}.{key}"), message))
    }

    /// Returns the text form of a link's settings.
    pub fn of(link: &LinkSpec) -> Self {
        let Some(sight) = of_link(link) else { return Self::default() };
        let mut text = Self { hours: format::ByDay::of(link), ..Self::default() };
        match &sight.rate {
            Some(SightRate::Curve(curve)) if curve.axis == Axis::Elevation => {
                text.rate_by_elevation = Some(write::<InBits>(curve));
            }
            Some(SightRate::Curve(curve)) => text.rate_by_range = Some(write::<InBits>(curve)),
            // The owner of the budget writes it.
            Some(SightRate::Budget) | None => {}
        }
        match &sight.loss {
            Some(curve) if curve.axis == Axis::Elevation => {
                text.loss_by_elevation = Some(write::<Share>(curve));
            }
            Some(curve) => text.loss_by_range = Some(write::<Share>(curve)),
            None => {}
        }
        match &sight.delay {
            Some(curve) if curve.axis == Axis::Elevation => {
                text.delay_by_elevation = Some(write::<InNanos>(curve));
            }
            Some(curve) => text.delay_by_range = Some(write::<InNanos>(curve)),
            None => {}
        }
        text.rate_by_hour = sight.rate_by_hour.as_ref().map(format::ByHour::of);
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

/// Returns the tables that a link follows.
pub fn of_link(link: &LinkSpec) -> Option<&Arc<BySight>> {
    link.changes.as_ref()?.sight.as_ref()
}

/// Refuses a time of day that is unknown or given twice. `dated` states whether the satellites have a date.
pub fn refuse_hours(
    link: &LinkSpec,
    dated: bool,
    source: &Source<'_>,
    path: &str,
) -> Result<(), ScenarioError> {
    for (key, by) in of_link(link).iter().flat_map(|sight| sight.hours()) {
        let (code, message) = match (by.start, dated) {
            (None, false) => (
                Code::ScenarioMissingKey,
                "these satellites have no date, so the time of day is unknown (write start = \"18 h\", the UTC time \
                of day at the start of the run)",
            ),
            (Some(_), true) => (
                Code::ScenarioValue,
                "the date of the satellites already determines the start of the run (remove `start`, or change the \
                 date of the satellites)",
            ),
            _ => continue,
        };
        return Err(source.error(code, &format!("{path}.{key}.start"), message));
    }
    Ok(())
}
