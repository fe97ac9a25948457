// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rate, loss and delay of a link as functions of its satellite's position and of the time of day.

use crate::chance::passes_between;
use crate::{Legs, Piece, RateSchedule};
use std::sync::Arc;
use units::{Rate, Span, Time};

/// Rate, loss and delay of a link that depend on the satellite's position or on the time of day. Their values are
/// computed before a run, for each time step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BySight {
    /// Rate as a function of the satellite's position.
    pub rate: Option<SightRate>,
    /// Rate as a function of the time of day. If `rate` is also present, the lower rate applies.
    pub rate_by_hour: Option<ByHour>,
    /// Probability of additional loss, as a function of the satellite's position.
    pub loss: Option<Curve>,
    /// Probability of additional loss, as a function of the time of day. `loss` and `loss_by_hour` are independent
    /// causes of loss.
    pub loss_by_hour: Option<ByHour>,
    /// Delay that is added to the delay of the path, in nanoseconds, as a function of the satellite's position.
    pub delay: Option<Curve>,
    /// Additional delay as a function of the time of day, in nanoseconds. `delay` and `delay_by_hour` add up.
    pub delay_by_hour: Option<ByHour>,
}

/// The source of a rate that depends on the satellite's position.
#[derive(Clone, Debug, PartialEq)]
pub enum SightRate {
    /// A curve with values in bit/s.
    Curve(Curve),
    /// A link budget. Another module computes the rate.
    Budget,
}

/// The quantity that describes a satellite's position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Elevation above the horizon, in degrees.
    Elevation,
    /// Distance between the ends of the link, in metres.
    Range,
}

/// A value as a function of elevation or range. The value is linear between the points of the curve. Beyond the
/// outermost points, it is constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The quantity that is the argument of the curve.
    pub axis: Axis,
    /// Pairs of position and value, in order of increasing position. There is at least one point.
    pub points: Arc<[(f64, f64)]>,
}

/// A value as a function of the time of day.
#[derive(Clone, Debug, PartialEq)]
pub struct ByHour {
    /// The clock that defines the time of day.
    pub clock: Clock,
    /// Time of day in UTC at the start of the run. It is used if the satellites have no date.
    pub start: Option<Span>,
    /// Pairs of time of day and value, in order of increasing time. A value is in bit/s, a probability, or in
    /// nanoseconds. Between the points, the value is linear, also across midnight. There is at least one point.
    pub points: Arc<[(Span, f64)]>,
}

/// The clock that defines a time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// UTC at every place.
    Utc,
    /// Mean solar time of the place on the ground. It is UTC plus four minutes for each degree of eastern longitude.
    Local,
}

/// Length of a day.
pub const DAY: Span = Span::from_secs(86_400);

impl Curve {
    /// Returns the value at the position `x`.
    pub fn at(&self, x: f64) -> f64 {
        let next = self.points.partition_point(|&(place, _)| place <= x);
        match (next.checked_sub(1).map(|before| self.points[before]), self.points.get(next)) {
            (Some((x0, y0)), Some(&(x1, y1))) => between(Point { x: x0, y: y0 }, Point { x: x1, y: y1 }, x),
            (Some((_, value)), None) | (None, Some(&(_, value))) => value,
            (None, None) => unreachable!("a curve has a point"),
        }
    }

    /// The highest value.
    pub fn highest(&self) -> f64 {
        self.points.iter().map(|&(_, value)| value).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Whether the value, used as a probability of loss, can lose some packets and deliver others.
    pub fn draws(&self) -> bool {
        passes_between(self.points.iter().map(|&(_, value)| value))
    }
}

impl ByHour {
    /// Whether the value, used as a probability of loss, can lose some packets and deliver others.
    pub fn draws(&self) -> bool {
        passes_between(self.points.iter().map(|&(_, value)| value))
    }

    /// Returns the value at a time of day. `time` is in the clock of this table.
    pub fn at(&self, time: Span) -> f64 {
        let day = DAY.secs_f64();
        let point = |&(time, y): &(Span, f64), days: f64| Point { x: time.secs_f64() + days * day, y };
        let (Some(first), Some(last)) = (self.points.first(), self.points.last()) else {
            unreachable!("a day has a point")
        };
        let next = self.points.partition_point(|&(from, _)| from <= time);
        let before = next.checked_sub(1).map_or_else(|| point(last, -1.0), |at| point(&self.points[at], 0.0));
        let after = self.points.get(next).map_or_else(|| point(first, 1.0), |after| point(after, 0.0));
        between(before, after, time.secs_f64())
    }

    /// Converts to the time of day in the clock of this table, at this longitude. The run began at the time of day
    /// `utc`, and `since` is the time since its start.
    pub fn time_of_day(&self, utc: Span, since: Span, longitude_deg: f64) -> Span {
        let east_s = match self.clock {
            Clock::Utc => 0.0,
            Clock::Local => longitude_deg * 240.0,
        };
        let east_ns = (east_s.rem_euclid(DAY.secs_f64()) * 1e9) as u64;
        Span::from_nanos((utc.nanos() + east_ns + since.nanos() % DAY.nanos()) % DAY.nanos())
    }

    /// The highest value.
    pub fn highest(&self) -> f64 {
        self.points.iter().map(|&(_, value)| value).fold(f64::NEG_INFINITY, f64::max)
    }
}

impl ByHour {
    /// Returns times and values of a run that begins at the time of day `start` and lasts `until`. The value is linear
    /// between these times.
    pub fn knots(&self, until: Span) -> Vec<(Time, f64)> {
        let start = Span::from_nanos(self.start.unwrap_or_default().nanos() % DAY.nanos());
        let mut knots = vec![(Time::ZERO, self.at(start))];
        for day in 0.. {
            for &(time, value) in self.points.iter() {
                let at = DAY * day + time;
                if at <= start {
                    continue;
                }
                let since = at.saturating_sub(start);
                knots.push((Time::ZERO + since, value));
                if since >= until {
                    return knots;
                }
            }
        }
        knots
    }

    /// Returns the value as the rate of a link. The rate is constant after `until`. If the last rate is zero, the
    /// highest rate is appended, because packets would otherwise wait forever.
    pub fn schedule(&self, until: Span) -> RateSchedule {
        let knots = self.knots(until);
        let mut pieces: Vec<Piece> = Vec::new();
        for pair in knots.windows(2) {
            let ((from, start), (to, end)) = (pair[0], pair[1]);
            // A ramp may last an hour at most, so longer ramps are divided.
            let parts = to.since(from).nanos().div_ceil(Span::from_secs(3600).nanos()).max(1);
            let value = |part: u64| bits(start + (end - start) * (part as f64 / parts as f64));
            let lasts = to.since(from).nanos() / parts;
            let piece = |part: u64| {
                let from = from + Span::from_nanos(lasts * part);
                Piece { from, start: value(part), end: value(part + 1) }
            };
            pieces.extend((0..parts).map(piece));
        }
        let last = knots.last().map_or((Time::ZERO, 0.0), |&last| last);
        let rate = if last.1.round() > 0.0 { last.1 } else { self.highest() };
        pieces.push(Piece::constant(last.0, bits(rate)));
        match RateSchedule::new(pieces) {
            Ok(schedule) => schedule,
            Err(error) => unreachable!("the times of a day rise: {error}"),
        }
    }

    /// Returns the value as a loss of a link. The loss is constant after `until`.
    pub fn losses(&self, until: Span) -> Option<Legs<f64>> {
        Legs::through(&self.knots(until))
    }

    /// Returns the value as a delay of a link. The delay is constant after `until`.
    pub fn delays(&self, until: Span) -> Option<Legs<Span>> {
        let knots = self.knots(until).into_iter();
        Legs::through(&knots.map(|(at, ns)| (at, Span::from_nanos(ns.round() as u64))).collect::<Vec<_>>())
    }
}

impl BySight {
    /// Returns all tables of values by time of day, each with its key.
    pub fn hours(&self) -> impl Iterator<Item = (&'static str, &ByHour)> {
        let tables = [
            ("rate_by_hour", &self.rate_by_hour),
            ("loss_by_hour", &self.loss_by_hour),
            ("delay_by_hour", &self.delay_by_hour),
        ];
        tables.into_iter().filter_map(|(key, by)| Some((key, by.as_ref()?)))
    }

    /// Whether the rate depends on the satellite's position or on the time of day.
    pub const fn has_rate(&self) -> bool {
        self.rate.is_some() || self.rate_by_hour.is_some()
    }

    /// The highest rate, if it is known in advance.
    pub fn highest(&self) -> Option<Rate> {
        let sight = match &self.rate {
            Some(SightRate::Curve(curve)) => Some(curve.highest()),
            Some(SightRate::Budget) => return None,
            None => None,
        };
        let hour = self.rate_by_hour.as_ref().map(ByHour::highest);
        sight.into_iter().chain(hour).reduce(f64::min).map(bits)
    }
}

/// Converts bit/s to a rate.
pub fn bits(bits_per_s: f64) -> Rate {
    Rate::from_bits_per_s(bits_per_s.round() as u64)
}

/// A point of a curve.
#[derive(Clone, Copy)]
struct Point {
    x: f64,
    y: f64,
}

fn between(a: Point, b: Point, x: f64) -> f64 {
    if b.x > a.x { a.y + (b.y - a.y) * ((x - a.x) / (b.x - a.x)) } else { a.y }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hours(hours: u64) -> Span {
        Span::from_secs(3600 * hours)
    }

    /// The curve is 50 at 25 degrees and 150 at 60 degrees. At 30 degrees, it has risen by a seventh, to 64.29. Beyond
    /// the points, it is constant.
    #[test]
    fn curves_are_linear_between_their_points() {
        let points = [(25.0, 50.0), (60.0, 150.0)].into();
        let curve = Curve { axis: Axis::Elevation, points };
        for (x, y) in
            [(10.0, 50.0), (25.0, 50.0), (30.0, 450.0 / 7.0), (42.5, 100.0), (60.0, 150.0), (90.0, 150.0)]
        {
            assert!((curve.at(x) - y).abs() < 1e-9, "{x}: {}", curve.at(x));
        }
    }

    /// From 20 h to 6 h, the value rises by 10 per hour. The run begins at 19 h, while the value still falls by 100 in
    /// 14 hours. After 60 h, the time is 7 h, and the value has fallen by a fourteenth of 100 again.
    #[test]
    fn a_run_goes_through_the_points_of_its_days() {
        let points = [(hours(6), 160.0), (hours(20), 60.0)].into();
        let day = ByHour { clock: Clock::Utc, start: Some(hours(19)), points };
        let knots = day.knots(hours(60));
        let times: Vec<u64> = knots.iter().map(|(at, _)| at.nanos() / 3_600_000_000_000).collect();
        assert_eq!(times, [0, 1, 11, 25, 35, 49, 59, 73]);
        assert!((knots[0].1 - (60.0 + 100.0 / 14.0)).abs() < 1e-9);
        let legs = day.losses(hours(60)).expect("it has points");
        let value = |hour| legs.at(Time::ZERO + hours(hour));
        for (hour, loss) in [(1, 60.0), (6, 110.0), (11, 160.0), (60, 160.0 - 100.0 / 14.0)] {
            assert!((value(hour) - loss).abs() < 1e-9, "{hour}: {}", value(hour));
        }
        // During ten hours, the rate rises from 60 to 160 bit/s, so the mean is 110 bit/s.
        let schedule = day.schedule(hours(60));
        let sent = schedule.bits_until(Time::ZERO + hours(11)) - schedule.bits_until(Time::ZERO + hours(1));
        assert!(sent.abs_diff(110 * 36_000) <= 36_000, "{sent}");
    }

    /// From 20 h to 6 h, across midnight, the value rises by 10 per hour. Local time at 90 degrees east is six hours
    /// ahead.
    #[test]
    fn days_are_round() {
        let points = [(hours(6), 160.0), (hours(20), 60.0)].into();
        let day = ByHour { clock: Clock::Local, start: None, points };
        for (hour, rate) in [(0, 100.0), (3, 130.0), (6, 160.0), (13, 110.0), (20, 60.0), (22, 80.0)] {
            assert!((day.at(hours(hour)) - rate).abs() < 1e-9, "{hour}");
        }
        assert_eq!(day.time_of_day(hours(20), hours(25), 90.0), hours(3));
        assert_eq!(day.time_of_day(hours(2), hours(0), -90.0), hours(20));
        let utc = ByHour { clock: Clock::Utc, ..day };
        assert_eq!(utc.time_of_day(hours(20), hours(25), 90.0), hours(21));
    }
}
