// SPDX-License-Identifier: MIT OR Apache-2.0
//! Propagation delay, constant or moving.

use std::sync::Arc;
use units::{Span, Time};

/// Propagation delay as a function of time.
#[derive(Clone, Debug, PartialEq)]
pub enum Delay {
    /// Always the same.
    Constant(Span),
    /// Jumps at given times: `(from, delay)`, sorted, the first at time zero.
    Steps(Arc<[(Time, Span)]>),
    /// Follows a moving geometry.
    Curve(Arc<DelayCurve>),
    /// Replays a measurement, over and over.
    Trace(Arc<DelayTrace>),
}

/// A measured delay: one value for each step of time, from the first again after the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DelayTrace {
    step: Span,
    delays: Vec<Span>,
}

impl DelayTrace {
    /// The delays `delays`, each for one `step`.
    ///
    /// # Panics
    /// If there is no delay or `step` is zero.
    pub fn new(step: Span, delays: Vec<Span>) -> Self {
        assert!(!delays.is_empty() && step > Span::ZERO, "a trace of delays needs delays and a step");
        Self { step, delays }
    }

    fn at(&self, at: Time) -> Span {
        self.delays[(at.nanos() / self.step.nanos()) as usize % self.delays.len()]
    }
}

/// A smooth delay given at equidistant knots, quadratic in between. For satellites with knots every second the
/// interpolation stays within a millimetre of the orbit (third derivative of a LEO range: below 1e-2 m/s^3).
#[derive(Clone, Debug, PartialEq)]
pub struct DelayCurve {
    start: Time,
    step: Span,
    /// Delay at the knots, nanoseconds.
    knots_ns: Vec<f64>,
}

impl DelayCurve {
    /// A curve through `knots_ns`, the first at `start`, one every `step`. At least one knot.
    ///
    /// # Panics
    /// If there is no knot or `step` is zero.
    pub fn new(start: Time, step: Span, knots_ns: Vec<f64>) -> Self {
        assert!(!knots_ns.is_empty() && step > Span::ZERO, "a delay curve needs knots and a step");
        Self { start, step, knots_ns }
    }

    /// The delay at `at`; beyond the knots the nearest knot's value.
    pub fn at(&self, at: Time) -> Span {
        Span::from_nanos(self.nanos_at(at) as u64)
    }

    fn nanos_at(&self, at: Time) -> f64 {
        let last = self.knots_ns.len() - 1;
        let x = at.since(self.start).nanos() as f64 / self.step.nanos() as f64;
        let knot = (x as usize).min(last);
        if knot == last {
            return self.knots_ns[last].round();
        }
        // Quadratic through this knot, the next, and one more neighbour (before it at the right edge).
        let base = if knot + 2 <= last { knot } else { knot.saturating_sub(1) };
        let u = x - base as f64;
        let (a, b) = (self.knots_ns[base], self.knots_ns[base + 1]);
        let Some(&c) = self.knots_ns.get(base + 2) else { return (a + (b - a) * u).round() };
        (a + u * (b - a) + u * (u - 1.0) / 2.0 * (c - 2.0 * b + a)).round()
    }

    /// The sum of curves over the same knots (a path of several moving links).
    ///
    /// # Panics
    /// If the curves do not share start, step and length.
    #[must_use]
    pub fn sum(curves: &[&Self]) -> Self {
        let first = curves[0];
        let mut knots_ns = first.knots_ns.clone();
        for curve in &curves[1..] {
            assert!(
                (curve.start, curve.step, curve.knots_ns.len()) == (first.start, first.step, knots_ns.len()),
                "curves must share their knots"
            );
            for (sum, knot) in knots_ns.iter_mut().zip(&curve.knots_ns) {
                *sum += knot;
            }
        }
        Self { start: first.start, step: first.step, knots_ns }
    }
}

impl Delay {
    /// The delay for a packet whose last bit leaves at `at`.
    pub fn at(&self, at: Time) -> Span {
        match self {
            Self::Constant(delay) => *delay,
            Self::Steps(steps) => {
                let next = steps.partition_point(|&(from, _)| from <= at);
                steps[next.saturating_sub(1)].1
            }
            Self::Curve(curve) => curve.at(at),
            Self::Trace(trace) => trace.at(at),
        }
    }
}
