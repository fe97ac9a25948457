// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rate of the returning ACKs as an estimate of the bandwidth: Westwood's filter and Westwood+'s.
//!
//! ```text
//! Westwood, per ACK:   b_k = d_k / D_k,  D_k = t_k - t_(k-1)
//!                      B_k = a_k B_(k-1) + (1 - a_k)/2 (b_k + b_(k-1)),  a_k = (2 tau - D_k)/(2 tau + D_k)
//! Westwood+, per RTT:  b = segments acknowledged / length of the window
//!                      B1 += (b - B1)/8,  B += (B1 - B)/8        or    B = 0.9 B + 0.1 (b + b_before)/2
//! ```
//!
//! The rates are segments/s; the segments of an ACK are counted by [`AckedSegments`] or taken as they are. Sources:
//! S. Mascolo et al., "TCP Westwood", MobiCom 2001; L. Grieco, S. Mascolo, "Performance evaluation and comparison
//! of Westwood+, New Reno, and Vegas TCP congestion control", ACM CCR 34(2), 2004; Linux `net/ipv4/tcp_westwood.c`.

use crate::Ack;
use crate::window::Rescale;
use units::{Span, Time};

/// ACKs closer together than this count as one: a rate over a shorter time is the sender's, not the path's.
const BATCH: Span = Span::from_micros(1);
/// Virtual samples come every tau/m; "TCP Westwood" asks for m >= 2.
const NULLS_PER_TAU: f64 = 2.0;
/// Weight of a new value in each of Linux's two cascaded averages.
const CASCADE_GAIN: f64 = 1.0 / 8.0;
/// a of Westwood+'s filter with constant coefficients.
const CONSTANT_A: f64 = 0.9;

/// How many segments an ACK stands for, told without SACK ("TCP Westwood", procedure AckedCount).
///
/// A duplicate ACK is one segment that arrived out of order; the cumulative ACK after it counts the rest, and at least
/// the one that filled the hole. Where ACKs name each packet they count exactly.
#[derive(Clone, Debug, Default, saved::Plain)]
pub struct AckedSegments {
    /// Segments that duplicate ACKs stood for and no cumulative one has covered.
    accounted: f64,
}

impl AckedSegments {
    /// The segments that `ack` stands for, of `mss` bytes.
    pub fn count(&mut self, ack: &Ack<'_>, mss: u32) -> f64 {
        let (Some(cumulative), Some(duplicate)) = (ack.cumulative, ack.duplicate) else {
            return ack.acked.segments(mss);
        };
        if duplicate {
            self.accounted += 1.0;
            return 1.0;
        }
        let advance = cumulative.segments(mss);
        // An ACK of one segment (or less) is that segment; a longer one repeats what duplicates stood for.
        if advance <= 1.0 {
            return advance;
        }
        if self.accounted >= advance {
            self.accounted -= advance;
            1.0
        } else {
            (advance - std::mem::take(&mut self.accounted)).max(1.0)
        }
    }
}

impl Rescale for AckedSegments {
    fn rescale(&mut self, factor: f64) {
        self.accounted.rescale(factor);
    }
}

/// a_k = (2 tau - D)/(2 tau + D): how much of the old estimate is kept after `gap`, both in seconds.
///
/// The trapezoidal rule (Tustin) on a first-order low pass with time constant tau; negative beyond 2 tau.
pub fn kept(tau: f64, gap: f64) -> f64 {
    (2.0 * tau - gap) / (2.0 * tau + gap)
}

/// How the filter of [`TustinBwe`] handles a long time without ACKs, for which it is not defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Silence {
    /// a_k is at least 0: after 2 tau the estimate is the mean of the last two samples.
    Clamp,
    /// As in "TCP Westwood": samples of rate zero every tau/2 until the ACK comes.
    NullSamples,
}

/// A running filter.
#[derive(Clone, Copy, Debug, saved::Plain)]
struct Filtered {
    /// B, segments/s.
    rate: f64,
    /// b_(k-1), segments/s.
    sample: f64,
}

impl Rescale for Filtered {
    fn rescale(&mut self, factor: f64) {
        self.rate.rescale(factor);
        self.sample.rescale(factor);
    }
}

/// Westwood's estimate: one sample per ACK through a low pass of time constant tau.
///
/// The first sample fills the filter. An ACK less than 1 µs after the one before is part of it: its segments count
/// with the next.
#[derive(Clone, Debug, saved::Plain)]
pub struct TustinBwe {
    /// s.
    tau: f64,
    silence: Silence,
    last: Option<Time>,
    /// Segments of ACKs that came too close together.
    batched: f64,
    filtered: Option<Filtered>,
}

impl TustinBwe {
    /// With time constant `tau`, which must not be zero.
    pub fn new(tau: Span, silence: Silence) -> Self {
        debug_assert!(tau > Span::ZERO, "tau must be positive");
        Self { tau: tau.secs_f64(), silence, last: None, batched: 0.0, filtered: None }
    }

    /// B in segments/s; `None` before the first sample.
    pub fn get(&self) -> Option<f64> {
        self.filtered.map(|filtered| filtered.rate)
    }

    /// The newest sample b_k in segments/s; `None` before the first.
    pub fn sample(&self) -> Option<f64> {
        self.filtered.map(|filtered| filtered.sample)
    }

    /// Takes an ACK of `segments`. True if it made a sample.
    pub fn on_ack(&mut self, now: Time, segments: f64) -> bool {
        let Some(last) = self.last else {
            self.last = Some(now);
            return false;
        };
        let gap = now.since(last);
        if gap < BATCH {
            self.batched += segments;
            return false;
        }
        self.last = Some(now);
        let segments = segments + std::mem::take(&mut self.batched);
        self.filtered = Some(self.filter(segments, gap.secs_f64()));
        true
    }

    fn filter(&self, segments: f64, gap: f64) -> Filtered {
        let Some(mut before) = self.filtered else {
            let rate = segments / gap;
            return Filtered { rate, sample: rate };
        };
        let mut rest = gap;
        if self.silence == Silence::NullSamples {
            let step = self.tau / NULLS_PER_TAU;
            // As many as leave a positive rest for the sample itself.
            let nulls = ((gap - BATCH.secs_f64()) / step).floor();
            if nulls >= 1.0 {
                let a = kept(self.tau, step);
                // The first ends the trapezoid of the last sample; each further one leaves a of the estimate.
                let first = a * before.rate + (1.0 - a) / 2.0 * before.sample;
                before = Filtered { rate: first * a.powf(nulls - 1.0), sample: 0.0 };
                rest = gap - nulls * step;
            }
        }
        // b_k = d_k / D_k;  B_k = a_k B_(k-1) + (1 - a_k)/2 (b_k + b_(k-1))
        let sample = segments / rest;
        let a = kept(self.tau, rest).max(0.0);
        Filtered { rate: a * before.rate + (1.0 - a) / 2.0 * (sample + before.sample), sample }
    }
}

impl Rescale for TustinBwe {
    fn rescale(&mut self, factor: f64) {
        self.batched.rescale(factor);
        self.filtered.rescale(factor);
    }
}

/// The low pass of [`RttBwe`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum RttFilter {
    /// Linux: two averages in series, each 7/8 old and 1/8 new.
    Cascade,
    /// ns-3: the trapezoidal rule with a constant coefficient, 0.9 old and 0.1 the mean of the last two samples.
    Tustin,
}

/// Westwood+'s estimate: one sample per round trip, so that compressed ACKs do not count as bandwidth.
///
/// The first sample fills the filter. An ACK counts for the window that it finds open or opens.
#[derive(Clone, Debug, saved::Plain)]
pub struct RttBwe {
    filter: RttFilter,
    /// Shortest window.
    min_window: Span,
    rtt: Option<Span>,
    opened: Option<Time>,
    /// Segments since then.
    acked: f64,
    filtered: Option<Filtered>,
}

impl RttBwe {
    /// With windows of a round trip, but at least `min_window` (Linux: 50 ms).
    pub const fn new(filter: RttFilter, min_window: Span) -> Self {
        Self { filter, min_window, rtt: None, opened: None, acked: 0.0, filtered: None }
    }

    /// B in segments/s; `None` before the first sample.
    pub fn get(&self) -> Option<f64> {
        self.filtered.map(|filtered| filtered.rate)
    }

    /// Takes an ACK of `segments`, with an RTT sample if it has one. True if it made a bandwidth sample.
    pub fn on_ack(&mut self, now: Time, segments: f64, rtt: Option<Span>) -> bool {
        self.rtt = rtt.or(self.rtt);
        let opened = *self.opened.get_or_insert(now);
        let window = now.since(opened);
        let closes = self.rtt.is_some_and(|rtt| window > rtt.max(self.min_window).max(BATCH));
        if closes {
            self.opened = Some(now);
            let acked = std::mem::take(&mut self.acked);
            self.take(acked / window.secs_f64());
        }
        self.acked += segments;
        closes
    }

    fn take(&mut self, b: f64) {
        self.filtered = Some(match (self.filtered, self.filter) {
            (None, _) => Filtered { rate: b, sample: b },
            (Some(Filtered { rate, sample }), RttFilter::Cascade) => {
                // Here `sample` is the first of the two averages.
                let first = sample + CASCADE_GAIN * (b - sample);
                Filtered { rate: rate + CASCADE_GAIN * (first - rate), sample: first }
            }
            (Some(Filtered { rate, sample }), RttFilter::Tustin) => {
                let mean = f64::midpoint(b, sample);
                Filtered { rate: CONSTANT_A * rate + (1.0 - CONSTANT_A) * mean, sample: b }
            }
        });
    }
}

impl Rescale for RttBwe {
    fn rescale(&mut self, factor: f64) {
        self.acked.rescale(factor);
        self.filtered.rescale(factor);
    }
}

mod ticks;

pub use ticks::TickedBwe;

#[cfg(test)]
mod tests;
