// SPDX-License-Identifier: MIT OR Apache-2.0
//! Propagation delay, which is constant or changes with time.
//!
//! A changing delay is evaluated when the last bit of a packet leaves. The geometry gives the exact delay at knots one
//! second apart. Between the knots, the delay is interpolated quadratically. For a low orbit, the error is at most a
//! millimetre. No trigonometric function is computed per packet.

use std::sync::Arc;
use units::{Span, Time};

/// Propagation delay as a function of time.
#[derive(Clone, Debug, PartialEq)]
pub enum Delay {
    /// The delay is constant.
    Constant(Span),
    /// The delay changes in steps. The entries `(from, delay)` are sorted, and the first entry is at time zero.
    Steps(Arc<[(Time, Span)]>),
    /// The delay follows a moving geometry.
    Curve(Arc<DelayCurve>),
    /// The delay follows a measurement.
    Trace(Arc<DelayTrace>),
}

/// A measured delay, with one value for each time step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DelayTrace {
    step: Span,
    delays: Vec<Span>,
    /// Whether the trace is repeated after the last value. If not, the last value holds.
    wraps: bool,
}

impl DelayTrace {
    /// Creates a trace from `delays`. Each value holds for one `step`. After the last value, the trace is repeated.
    ///
    /// # Panics
    /// If `delays` is empty or `step` is zero.
    pub fn new(step: Span, delays: Vec<Span>) -> Self {
        assert!(!delays.is_empty() && step > Span::ZERO, "a trace of delays needs delays and a step");
        Self { step, delays, wraps: true }
    }

    /// Returns the same trace without repetition. The last value then holds forever.
    #[must_use]
    pub fn held(self) -> Self {
        Self { wraps: false, ..self }
    }

    /// The length of the trace.
    pub fn lasts(&self) -> Span {
        self.step * self.delays.len() as u64
    }

    /// Returns the delay until `until` as steps. The first step is at time zero.
    pub fn steps(&self, until: Time) -> Vec<(Time, Span)> {
        let count = until.nanos().div_ceil(self.step.nanos()).max(1);
        let count = if self.wraps { count } else { count.min(self.delays.len() as u64) };
        let mut steps: Vec<(Time, Span)> = Vec::new();
        for at in (0..count).map(|step| Time::ZERO + self.step * step) {
            let delay = self.at(at);
            if steps.last().is_none_or(|&(_, before)| before != delay) {
                steps.push((at, delay));
            }
        }
        steps
    }

    fn at(&self, at: Time) -> Span {
        let step = (at.nanos() / self.step.nanos()) as usize;
        self.delays[if self.wraps { step % self.delays.len() } else { step.min(self.delays.len() - 1) }]
    }
}

/// A smooth delay, given at equidistant knots and quadratic in between. For satellites with knots every second, the
/// interpolation error is at most a millimetre (the third derivative of a LEO range is below 1e-2 m/s^3).
#[derive(Clone, Debug, PartialEq)]
pub struct DelayCurve {
    start: Time,
    step: Span,
    /// Number of the first stored knot. Knots are counted from the start of the curve, and earlier knots have been
    /// removed.
    first: u64,
    /// Delay at the stored knots, in nanoseconds.
    knots_ns: Vec<f64>,
}

impl DelayCurve {
    /// Creates a curve through `knots_ns` (in nanoseconds). The first knot is at `start`, and the knots are `step`
    /// apart.
    ///
    /// # Panics
    /// If `knots_ns` is empty or `step` is zero.
    pub fn new(start: Time, step: Span, knots_ns: Vec<f64>) -> Self {
        Self::from_knot(start, step, 0, knots_ns)
    }

    /// Creates the same curve without the knots before number `first`. The first element of `knots_ns` is the knot with
    /// this number. In the range of the stored knots, the values equal those of the whole curve bit by bit.
    ///
    /// # Panics
    /// If `knots_ns` is empty or `step` is zero.
    pub fn from_knot(start: Time, step: Span, first: u64, knots_ns: Vec<f64>) -> Self {
        assert!(!knots_ns.is_empty() && step > Span::ZERO, "a delay curve needs knots and a step");
        Self { start, step, first, knots_ns }
    }

    /// Number of the first stored knot, counted from the start of the curve.
    pub fn first(&self) -> u64 {
        self.first
    }

    /// Delay at the stored knots, in nanoseconds.
    pub fn knots_ns(&self) -> &[f64] {
        &self.knots_ns
    }

    /// Start of the range: the time of the first stored knot.
    pub fn from(&self) -> Time {
        self.start + self.step * self.first
    }

    /// End of the range: the time of the last knot.
    pub fn until(&self) -> Time {
        self.start + self.step * (self.first + self.knots_ns.len() as u64 - 1)
    }

    /// The delay at `at`. The delay beyond the last knot is not known, so the value of the last knot is returned. Only
    /// a packet that leaves far in the future gets this provisional value. Before this packet leaves, the link gets a
    /// longer curve. A [`Link`](crate::Link) must not be called at a time beyond the last knot.
    pub fn at(&self, at: Time) -> Span {
        let piece = self.piece(at);
        Span::from_nanos(rounded(piece.nanos_at(piece.place(at))))
    }

    /// The piece of the curve that contains `at`. A piece is between two knots, or beyond the last knot.
    fn piece(&self, at: Time) -> Piece {
        let last = self.knots_ns.len() - 1;
        let (start, step) = (self.start, self.step.nanos() as f64);
        let passed = (at.since(start).nanos() as f64 / step) as u64;
        debug_assert!(passed >= self.first, "the knot for the delay at {at} was removed");
        let knot = (passed.saturating_sub(self.first) as usize).min(last);
        // The quadratic goes through this knot and the next two knots. At the right edge, it goes through the knot
        // before, this knot and the next knot.
        let base = if knot == last || knot + 2 <= last { knot } else { knot.saturating_sub(1) };
        let first = self.knots_ns[base];
        let mut piece = Piece {
            start,
            step,
            // Positions are counted from the start of the curve, even if earlier knots were removed. They are therefore
            // equal bit by bit.
            base: (self.first + base as u64) as f64,
            first,
            slope: 0.0,
            bend: 0.0,
            from: (knot - base) as f32,
            to: f32::INFINITY,
        };
        if knot < last {
            let second = self.knots_ns[base + 1];
            piece.slope = second - first;
            piece.bend = self.knots_ns.get(base + 2).map_or(0.0, |third| third - 2.0 * second + first);
            piece.to = piece.from + 1.0;
        }
        piece
    }

    /// The sum of curves that have the same knots. This is the delay of a path over several moving links.
    ///
    /// # Panics
    /// If the curves do not share start, step and length.
    #[must_use]
    pub fn sum(curves: &[&Self]) -> Self {
        let first = curves[0];
        let mut knots_ns = first.knots_ns.clone();
        for curve in &curves[1..] {
            assert!(
                (curve.start, curve.step, curve.first, curve.knots_ns.len())
                    == (first.start, first.step, first.first, knots_ns.len()),
                "curves must share their knots"
            );
            for (sum, knot) in knots_ns.iter_mut().zip(&curve.knots_ns) {
                *sum += knot;
            }
        }
        Self { start: first.start, step: first.step, first: first.first, knots_ns }
    }
}

/// A piece of a curve. It contains all data that a link needs to evaluate the delay, and fits into one cache line.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub(crate) struct Piece {
    /// Start of the curve.
    start: Time,
    /// Time between two knots, in nanoseconds.
    step: f64,
    /// Number of the knot that is the origin of positions.
    base: f64,
    /// Coefficients of Newton's form through the knots: first value, first difference and second difference, in
    /// nanoseconds.
    first: f64,
    slope: f64,
    bend: f64,
    /// Start and end of the piece. They are positions, in steps from `base`.
    from: f32,
    to: f32,
}

impl Piece {
    /// Creates the piece of a constant delay.
    fn constant(delay: Span) -> Self {
        let first = delay.nanos() as f64;
        Self {
            start: Time::ZERO,
            step: 1.0,
            base: 0.0,
            first,
            slope: 0.0,
            bend: 0.0,
            from: 0.0,
            to: f32::INFINITY,
        }
    }

    /// Position of `at`, in steps from `base`.
    #[inline]
    #[expect(
        clippy::cast_possible_wrap,
        reason = "292 years; a signed number is converted in one instruction"
    )]
    fn place(&self, at: Time) -> f64 {
        at.since(self.start).nanos() as i64 as f64 / self.step - self.base
    }

    #[inline]
    fn nanos_at(&self, u: f64) -> f64 {
        self.first + u * self.slope + u * (u - 1.0) / 2.0 * self.bend
    }

    /// The delay at `at`, or `None` if the piece does not contain `at`.
    #[inline]
    pub(crate) fn at(&self, at: Time) -> Option<Span> {
        let u = self.place(at);
        let within = u >= f64::from(self.from) && u < f64::from(self.to);
        within.then(|| Span::from_nanos(rounded(self.nanos_at(u))))
    }
}

/// Rounds to the nearest integer, with halves rounded up. The argument must be below 2^51. A negative number yields
/// zero. `f64::round` is not used, because it is a function call on processors that are not known to have the
/// instruction. The first case handles the largest number below a half, for which the sum with 0.5 would round to 1.
#[inline]
fn rounded(ns: f64) -> u64 {
    if ns < 0.5 { 0 } else { (ns + 0.5) as i64 as u64 }
}

impl Delay {
    /// Start of the range.
    pub fn from(&self) -> Time {
        match self {
            Self::Curve(curve) => curve.from(),
            Self::Constant(_) | Self::Steps(_) | Self::Trace(_) => Time::ZERO,
        }
    }

    /// End of the range, or [`Time::MAX`] if the range has no end.
    pub fn until(&self) -> Time {
        match self {
            Self::Curve(curve) => curve.until(),
            Self::Constant(_) | Self::Steps(_) | Self::Trace(_) => Time::MAX,
        }
    }

    /// The piece that contains `at`. A delay without pieces (steps, traces) yields a piece with the value at `at`.
    pub(crate) fn piece(&self, at: Time) -> Piece {
        match self {
            Self::Curve(curve) => curve.piece(at),
            Self::Constant(_) | Self::Steps(_) | Self::Trace(_) => Piece::constant(self.at(at)),
        }
    }

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
