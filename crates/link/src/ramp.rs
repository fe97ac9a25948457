// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loss and delay that change linearly with time. Values that jump are stored as steps in the course.

use crate::chance::is_open;
use std::sync::Arc;
use units::{Span, Time};

/// A value that changes linearly between the start of this leg and the start of the next leg.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leg<T> {
    /// Start of the leg.
    pub from: Time,
    /// Value at the start of the leg.
    pub start: T,
    /// Value at the start of the next leg. In the last leg, this value must equal `start`.
    pub end: T,
}

/// Legs in order of time. Before the first leg, the value is zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Legs<T>(Arc<[Leg<T>]>);

/// Additional losses and delays that change linearly. Each of them has its own legs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ramps {
    /// Probabilities of loss. The losses have independent causes.
    pub losses: Vec<Legs<f64>>,
    /// Delays. Their sum is the additional delay.
    pub delays: Vec<Legs<Span>>,
}

impl Ramps {
    /// Whether at some time the ramps lose some packets and deliver others.
    pub fn draws(&self) -> bool {
        let Self { losses, delays: _ } = self;
        let open = |leg: &Leg<f64>| is_open(leg.start) || is_open(leg.end) || leg.start != leg.end;
        losses.iter().any(|legs| legs.legs().iter().any(open))
    }
}

/// A value that can be interpolated linearly.
pub trait Linear: Copy + Default + PartialEq {
    /// Returns the value at the fraction `share` of the distance from `start` to `end`.
    #[must_use]
    fn between(start: Self, end: Self, share: f64) -> Self;
}

impl Linear for f64 {
    fn between(start: Self, end: Self, share: f64) -> Self {
        start + (end - start) * share
    }
}

impl Linear for Span {
    fn between(start: Self, end: Self, share: f64) -> Self {
        let ns = f64::between(start.nanos() as f64, end.nanos() as f64, share);
        Self::from_nanos(ns.round() as u64)
    }
}

impl<T: Linear> Legs<T> {
    /// Creates legs. Returns `None` if there are no legs, if they are not in order, or if the value changes in the last
    /// leg.
    pub fn new(legs: Vec<Leg<T>>) -> Option<Self> {
        let last = legs.last()?;
        let rises = legs.windows(2).all(|pair| pair[0].from < pair[1].from);
        (rises && last.start == last.end).then(|| Self(legs.into()))
    }

    /// Creates legs through values at increasing times. The legs are linear between the values, and constant after the
    /// last value. Returns `None` if there are no values.
    pub fn through(knots: &[(Time, T)]) -> Option<Self> {
        let ends = knots.iter().skip(1).chain(knots.last());
        let legs = knots.iter().zip(ends).map(|(&(from, start), &(_, end))| Leg { from, start, end });
        Self::new(legs.collect())
    }

    /// The legs in order.
    pub fn legs(&self) -> &[Leg<T>] {
        &self.0
    }

    /// The value at a time.
    pub fn at(&self, at: Time) -> T {
        let next = self.0.partition_point(|leg| leg.from <= at);
        let Some(leg) = next.checked_sub(1).map(|begun| self.0[begun]) else { return T::default() };
        match self.0.get(next) {
            Some(end) if leg.start != leg.end => {
                let (passed, lasts) = (at.since(leg.from).secs_f64(), end.from.since(leg.from).secs_f64());
                T::between(leg.start, leg.end, passed / lasts)
            }
            _ => leg.start,
        }
    }
}

impl Ramps {
    /// Whether there are neither losses nor delays.
    pub const fn is_empty(&self) -> bool {
        self.losses.is_empty() && self.delays.is_empty()
    }

    /// The probability that a packet that leaves at `at` is lost by at least one cause.
    pub fn loss(&self, at: Time) -> f64 {
        1.0 - self.losses.iter().map(|legs| 1.0 - legs.at(at)).product::<f64>()
    }

    /// The sum of the delays.
    pub fn delay(&self, at: Time) -> Span {
        self.delays.iter().fold(Span::ZERO, |sum, legs| sum + legs.at(at))
    }

    /// The times at which the legs of the losses begin.
    pub fn turns_of_loss(&self) -> impl Iterator<Item = Time> {
        self.losses.iter().flat_map(|legs| legs.legs().iter().map(|leg| leg.from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(secs: u64) -> Time {
        Time::ZERO + Span::from_secs(secs)
    }

    /// The value is 0.1 at 10 s, rises to 0.3 at 30 s, and is then 0. At 15 s it has risen by a quarter, to 0.15. At 29
    /// s it is 0.29. At 30 s it is 0.
    #[test]
    fn legs_are_linear_and_jump_where_the_next_begins() {
        let leg = |from, start, end| Leg { from: at(from), start, end };
        let legs = Legs::new(vec![leg(10, 0.1, 0.3), leg(30, 0.0, 0.0)]).expect("they are in order");
        for (secs, value) in [(0, 0.0), (9, 0.0), (10, 0.1), (15, 0.15), (29, 0.29), (30, 0.0), (99, 0.0)] {
            assert!((legs.at(at(secs)) - value).abs() < 1e-12, "{secs}: {}", legs.at(at(secs)));
        }
        assert_eq!(Legs::new(vec![leg(10, 0.1, 0.3)]), None);
        assert_eq!(Legs::new(vec![leg(10, 0.1, 0.1), leg(10, 0.0, 0.0)]), None);
        assert_eq!(Legs::<f64>::new(Vec::new()), None);
    }

    /// Two independent causes with losses 0.1 and 0.2 lose 1 - 0.9 × 0.8 = 0.28. Delays of 3 and 4 ms add up to 7 ms.
    #[test]
    fn losses_are_independent_and_delays_add_up() {
        let steady = |loss| Legs::through(&[(at(0), loss)]).expect("there is one");
        let rising = Legs::through(&[(at(0), Span::ZERO), (at(10), Span::from_millis(6))]).expect("two");
        let four = Legs::through(&[(at(0), Span::from_millis(4))]).expect("there is one");
        let ramps = Ramps { losses: vec![steady(0.1), steady(0.2)], delays: vec![rising, four] };
        assert!((ramps.loss(at(5)) - 0.28).abs() < 1e-12);
        assert_eq!(ramps.delay(at(5)), Span::from_millis(7));
        assert_eq!(ramps.delay(at(50)), Span::from_millis(10));
    }
}
