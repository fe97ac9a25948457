// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rate, loss and delay of a link as functions of its satellite's position, and of the time of day.

use crate::chance::passes_between;
use crate::{Legs, Piece, RateSchedule};
use std::sync::Arc;
use units::{Rate, Span, Time};

/// Rate, loss and delay of a link that follow the satellite's position or the time of day. Values are computed for each
/// step before a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BySight {
    /// Rate by the satellite's position.
    pub rate: Option<SightRate>,
    /// Rate by the time of day; the lower of the two applies.
    pub rate_by_hour: Option<ByHour>,
    /// Probability of additional loss.
    pub loss: Option<Curve>,
    /// Probability of additional loss by the time of day. `loss` and `loss_by_hour` are independent causes.
    pub loss_by_hour: Option<ByHour>,
    /// Delay in addition to the path's, nanoseconds.
    pub delay: Option<Curve>,
    /// Delay by the time of day, nanoseconds. `delay` and `delay_by_hour` add up.
    pub delay_by_hour: Option<ByHour>,
}

/// The source of a rate that follows the satellite.
#[derive(Clone, Debug, PartialEq)]
pub enum SightRate {
    /// A curve in bit/s.
    Curve(Curve),
    /// A link budget, which another module computes.
    Budget,
}

/// Measure of a satellite's position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Elevation over the horizon, degrees.
    Elevation,
    /// Distance, metres.
    Range,
}

/// A value as a function of elevation or range. It is linear between its points, and constant beyond the outermost
/// points.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The argument of the curve.
    pub axis: Axis,
    /// Positions, rising, and values. At least one point.
    pub points: Arc<[(f64, f64)]>,
}

/// A value as a function of the time of day.
#[derive(Clone, Debug, PartialEq)]
pub struct ByHour {
    /// The clock.
    pub clock: Clock,
    /// Time of day in UTC at the start of the run, if satellites have no date.
    pub start: Option<Span>,
    /// Times of day, rising, and values (bit/s, a probability, or nanoseconds). The value is linear in between, also
    /// around midnight. At least one point.
    pub points: Arc<[(Span, f64)]>,
}

/// The clock of a time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// UTC everywhere.
    Utc,
    /// Mean solar time of the place on the ground: UTC plus four minutes for each degree east.
    Local,
}

/// A day.
pub const DAY: Span = Span::from_secs(86_400);

impl Curve {
    /// The value at `x`.
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

    /// Whether the value, as a probability of loss, ever loses some packets and not others.
    pub fn draws(&self) -> bool {
        passes_between(self.points.iter().map(|&(_, value)| value))
    }
}

impl ByHour {
    /// Whether the value, as a probability of loss, ever loses some packets and not others.
    pub fn draws(&self) -> bool {
        passes_between(self.points.iter().map(|&(_, value)| value))
    }

    /// The value at a time of day of its clock.
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

    /// The time of day of its clock at this longitude, `since` after the start of a run that began at `utc`.
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
    /// Times and values of a run that begins at `start` of the table and lasts until `until`. The value is linear in
    /// between.
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

    /// The value as the rate of a link until `until`, and constant after that. If the last rate is zero, the highest
    /// rate follows, because packets would otherwise wait for ever.
    pub fn schedule(&self, until: Span) -> RateSchedule {
        let knots = self.knots(until);
        let mut pieces: Vec<Piece> = Vec::new();
        for pair in knots.windows(2) {
            let ((from, start), (to, end)) = (pair[0], pair[1]);
            // A ramp may last at most an hour.
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

    /// The value as a loss of a link until `until`, and constant after that.
    pub fn losses(&self, until: Span) -> Option<Legs<f64>> {
        Legs::through(&self.knots(until))
    }

    /// The value as a delay of a link until `until`, and constant after that.
    pub fn delays(&self, until: Span) -> Option<Legs<Span>> {
        let knots = self.knots(until).into_iter();
        Legs::through(&knots.map(|(at, ns)| (at, Span::from_nanos(ns.round() as u64))).collect::<Vec<_>>())
    }
}

impl BySight {
    /// The tables over the time of day, each with its key.
    pub fn hours(&self) -> impl Iterator<Item = (&'static str, &ByHour)> {
        let tables = [
            ("rate_by_hour", &self.rate_by_hour),
            ("loss_by_hour", &self.loss_by_hour),
            ("delay_by_hour", &self.delay_by_hour),
        ];
        tables.into_iter().filter_map(|(key, by)| Some((key, by.as_ref()?)))
    }

    /// Whether it contains a rate.
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

    /// 50 at 25 degrees and 150 at 60: a seventh of the way up 64.29, and no more beyond.
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

    /// From 20 h to 6 h it rises by 10 an hour; the run begins at 19 h, where it still falls by 100 in 14 hours. 60 h later it is
    /// 7 h: a fourteenth of the way down again.
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
        // Ten hours at 60 to 160 bit/s are 110 bit/s in the mean.
        let schedule = day.schedule(hours(60));
        let sent = schedule.bits_until(Time::ZERO + hours(11)) - schedule.bits_until(Time::ZERO + hours(1));
        assert!(sent.abs_diff(110 * 36_000) <= 36_000, "{sent}");
    }

    /// From 20 h to 6 h it rises by 10 an hour, over midnight too. 90 degrees east are six hours ahead.
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
