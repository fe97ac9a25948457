// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rate of the returning ACKs as an estimate of the bandwidth: the filters of Westwood and Westwood+.
//!
//! ```text
//! Westwood, per ACK:   b_k = d_k / D_k,  D_k = t_k - t_(k-1)
//!                      B_k = a_k B_(k-1) + (1 - a_k)/2 (b_k + b_(k-1)),  a_k = (2 tau - D_k)/(2 tau + D_k)
//! Westwood+, per RTT:  b = segments acknowledged / length of the window
//!                      B1 += (b - B1)/8,  B += (B1 - B)/8        or    B = 0.9 B + 0.1 (b + b_before)/2
//! ```
//!
//! Rates are in segments/s. [`AckedSegments`] counts the segments of an ACK, or the caller passes their number.
//! Sources: S. Mascolo et al., "TCP Westwood", MobiCom 2001; L. Grieco, S. Mascolo, "Performance evaluation and
//! comparison of Westwood+, New Reno, and Vegas TCP congestion control", ACM CCR 34(2), 2004; Linux
//! `net/ipv4/tcp_westwood.c`.

use crate::Ack;
use crate::window::Rescale;
use units::{Span, Time};

/// ACKs that arrive within this time count as one ACK. A rate over a shorter time would measure the sender and not the
/// path.
const BATCH: Span = Span::from_micros(1);
/// There is one virtual sample per tau/m. "TCP Westwood" requires m >= 2.
const NULLS_PER_TAU: f64 = 2.0;
/// Weight of a new value in each of Linux's two cascaded averages.
const CASCADE_GAIN: f64 = 1.0 / 8.0;
/// The coefficient a of Westwood+'s filter with constant coefficients.
const CONSTANT_A: f64 = 0.9;

/// Counts the segments that an ACK acknowledges, without SACK ("TCP Westwood", procedure AckedCount).
///
/// A duplicate ACK counts one segment, which arrived out of order. The next cumulative ACK counts the other segments
/// that it acknowledges, and at least the segment that filled the hole. If ACKs name each packet, the count is exact.
#[derive(Clone, Debug, Default, saved::Plain)]
pub struct AckedSegments {
    /// Segments that duplicate ACKs have counted and that no cumulative ACK has covered yet.
    accounted: f64,
}

impl AckedSegments {
    /// Returns the number of segments of `mss` bytes that `ack` acknowledges.
    pub fn count(&mut self, ack: &Ack<'_>, mss: u32) -> f64 {
        let (Some(cumulative), Some(duplicate)) = (ack.cumulative, ack.duplicate) else {
            return ack.acked.segments(mss);
        };
        if duplicate {
            self.accounted += 1.0;
            return 1.0;
        }
        let advance = cumulative.segments(mss);
        // An ACK of one segment (or less) counts this segment. A larger ACK also covers segments that duplicate ACKs
        // have counted.
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

/// a_k = (2 tau - D)/(2 tau + D): the fraction of the old estimate that remains after the time D = `gap`. `tau` and
/// `gap` are in seconds.
///
/// This is the trapezoidal rule (Tustin) for a first-order low pass with the time constant tau. If `gap` exceeds 2 tau,
/// the result is negative.
pub fn kept(tau: f64, gap: f64) -> f64 {
    (2.0 * tau - gap) / (2.0 * tau + gap)
}

/// What [`TustinBwe`] does after a long time without ACKs. The filter itself is not defined for such a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Silence {
    /// a_k is at least 0. After 2 tau, the estimate is the mean of the last two samples.
    Clamp,
    /// As in "TCP Westwood": until the ACK arrives, there is a sample of rate zero every tau/2.
    NullSamples,
}

/// State of a filter.
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

/// Westwood's estimate: each ACK gives one sample, which passes a low pass with the time constant tau.
///
/// The first sample initialises the filter. An ACK that arrives less than 1 µs after the previous ACK does not give a
/// sample. Its segments are counted with the next ACK.
#[derive(Clone, Debug, saved::Plain)]
pub struct TustinBwe {
    /// Time constant, s.
    tau: f64,
    silence: Silence,
    last: Option<Time>,
    /// Segments of ACKs that arrived too early for a sample of their own.
    batched: f64,
    filtered: Option<Filtered>,
}

impl TustinBwe {
    /// An estimator with time constant `tau`, which must not be zero.
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

    /// Processes an ACK of `segments`. Returns true if this ACK gave a sample.
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
            // The largest number that leaves some time for the sample of the ACK.
            let nulls = ((gap - BATCH.secs_f64()) / step).floor();
            if nulls >= 1.0 {
                let a = kept(self.tau, step);
                // The trapezoid of the first null sample ends the previous sample. Each further null sample multiplies
                // the estimate by a.
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
    /// ns-3: the trapezoidal rule with a constant coefficient. The weights are 0.9 for the old value and 0.1 for the
    /// mean of the last two samples.
    Tustin,
}

/// Westwood+'s estimate: one sample per round trip, so that compressed ACKs do not raise the estimate.
///
/// The first sample initialises the filter. If an ACK closes a window, the segments of this ACK count in the next
/// window.
#[derive(Clone, Debug, saved::Plain)]
pub struct RttBwe {
    filter: RttFilter,
    /// Length of the shortest window.
    min_window: Span,
    rtt: Option<Span>,
    opened: Option<Time>,
    /// Segments acknowledged since `opened`.
    acked: f64,
    filtered: Option<Filtered>,
}

impl RttBwe {
    /// An estimator with windows of one round trip, but at least `min_window` (Linux: 50 ms).
    pub const fn new(filter: RttFilter, min_window: Span) -> Self {
        Self { filter, min_window, rtt: None, opened: None, acked: 0.0, filtered: None }
    }

    /// B in segments/s; `None` before the first sample.
    pub fn get(&self) -> Option<f64> {
        self.filtered.map(|filtered| filtered.rate)
    }

    /// Processes an ACK of `segments`, with its RTT sample if there is one. Returns true if this ACK gave a bandwidth
    /// sample.
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
