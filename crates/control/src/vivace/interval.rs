// SPDX-License-Identifier: MIT OR Apache-2.0
//! Vivace's monitor intervals: the packets of an interval, and their results.

use super::line::Line;
use units::{Span, Time};

/// Mbit in a byte. The utility uses Mbit/s.
const MBIT_PER_BYTE: f64 = 8e-6;

/// The purpose of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub(super) enum Purpose {
    /// A step of the starting phase.
    Starting,
    /// One interval of a pair.
    Probe,
    /// A step in the direction that the probes have found.
    Move,
    /// No measurement. The interval fills the time until results arrive.
    Wait,
}

/// Packets sent at one rate.
#[derive(Clone, Debug, saved::Plain)]
pub(super) struct Interval {
    pub(super) purpose: Purpose,
    /// Target rate, bytes/s.
    pub(super) rate: f64,
    pub(super) start: Time,
    /// When the interval ends. After its end, when it ended.
    pub(super) end: Time,
    pub(super) last_sent: Time,
    first_tx: u64,
    sent: u32,
    acked: u32,
    lost: u32,
    /// Number of RTT samples, including samples that are not used.
    samples: u32,
    /// Whether the application or the receiver limited the interval. The interval was then not sent at its rate.
    limited: bool,
    /// Whether the duration of the interval was doubled.
    pub(super) extended: bool,
    line: Line,
}

/// The result of an interval.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub(super) struct Outcome {
    /// Target rate, bytes/s.
    pub(super) rate: f64,
    /// d RTT / dt, without unit. Noise is filtered out.
    pub(super) rtt_gradient: f64,
    /// Fraction of lost packets.
    pub(super) loss_rate: f64,
}

/// The coefficients of the utility.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub struct Utility {
    /// Exponent of the rate (t in the paper, 0.9).
    pub exponent: f64,
    /// Weight of the RTT gradient (b, 900).
    pub latency: f64,
    /// Weight of the loss rate (c, 11.35).
    pub loss: f64,
}

impl Utility {
    /// Equation 1: u = x^t - b x dRTT/dt - c x L, with x in Mbit/s.
    pub(super) fn of(&self, outcome: &Outcome) -> f64 {
        let x = outcome.rate * MBIT_PER_BYTE;
        x.powf(self.exponent) - self.latency * x * outcome.rtt_gradient - self.loss * x * outcome.loss_rate
    }

    /// Difference of the utilities per Mbit/s between two outcomes; 0 if the rates are equal.
    pub(super) fn gradient(&self, a: &Outcome, b: &Outcome) -> f64 {
        let dx = (a.rate - b.rate) * MBIT_PER_BYTE;
        if dx == 0.0 { 0.0 } else { (self.of(a) - self.of(b)) / dx }
    }

    /// Converts `mbit` Mbit/s to bytes/s.
    pub(super) fn bytes_per_s(mbit: f64) -> f64 {
        mbit / MBIT_PER_BYTE
    }
}

impl Interval {
    /// An interval that begins with the packet `tx`, sent at `start`.
    pub(super) fn new(purpose: Purpose, rate: f64, start: Time, length: Span, tx: u64) -> Self {
        Self {
            purpose,
            rate,
            start,
            end: start + length,
            last_sent: start,
            first_tx: tx,
            sent: 0,
            acked: 0,
            lost: 0,
            samples: 0,
            limited: false,
            extended: false,
            line: Line::default(),
        }
    }

    pub(super) const fn count_sent(&mut self, now: Time) {
        self.sent += 1;
        self.last_sent = now;
    }

    /// Whether `tx` was sent in this interval or in a later interval.
    pub(super) const fn began_before(&self, tx: u64) -> bool {
        self.first_tx <= tx
    }

    pub(super) const fn count_acked(&mut self) {
        self.acked += 1;
    }

    /// Marks the interval as limited by the application or the receiver.
    pub(super) const fn limit(&mut self) {
        self.limited = true;
    }

    pub(super) const fn is_limited(&self) -> bool {
        self.limited
    }

    pub(super) const fn count_lost(&mut self) {
        self.lost += 1;
    }

    /// Counts all unacknowledged packets of the interval as lost.
    pub(super) const fn lose_the_rest(&mut self) {
        self.lost += self.sent.saturating_sub(self.acked + self.lost);
    }

    /// Adds a sample over time: a packet sent at `sent_at` was acknowledged after `rtt`.
    pub(super) fn sample_over_time(&mut self, sent_at: Time, rtt: Span) {
        self.samples += 1;
        self.line.add(sent_at.since(self.start).secs_f64(), rtt.secs_f64());
    }

    /// Adds a sample over packet numbers: the packet `tx` was acknowledged after `rtt`. If `counts` is false, only the
    /// number of samples changes.
    pub(super) fn sample_over_packets(&mut self, tx: u64, rtt: Span, counts: bool) {
        self.samples += 1;
        if counts {
            self.line.add(tx.saturating_sub(self.first_tx) as f64, rtt.secs_f64());
        }
    }

    /// The straight line through the samples that are used.
    pub(super) const fn line(&self) -> &Line {
        &self.line
    }

    /// Fraction of the samples that are used; 1 without samples.
    pub(super) fn counting_share(&self) -> f64 {
        if self.samples == 0 { 1.0 } else { self.line.samples() / f64::from(self.samples) }
    }

    /// Whether each packet of the interval is either acknowledged or lost.
    pub(super) const fn is_settled(&self) -> bool {
        self.acked + self.lost >= self.sent
    }

    /// Time from the first packet of the interval to the last packet.
    pub(super) const fn sending_time(&self) -> Span {
        self.last_sent.since(self.start)
    }

    /// Number of packets sent in the interval.
    pub(super) fn packets(&self) -> f64 {
        f64::from(self.sent)
    }

    /// Fraction of the sent packets that are not acknowledged.
    pub(super) fn loss_rate(&self) -> f64 {
        let delivered = f64::from(self.acked.min(self.sent));
        1.0 - delivered / f64::from(self.sent.max(1))
    }

    /// The result of the interval by the paper's rules. Unacknowledged packets count as lost. `None` if the interval
    /// was not sent at its rate.
    pub(super) fn outcome(&self, gradient_filter: f64) -> Option<Outcome> {
        if self.limited || self.sent == 0 {
            return None;
        }
        let slope = self.line.slope();
        Some(Outcome {
            rate: self.rate,
            // Section 4.3: small gradients are noise.
            rtt_gradient: if slope.abs() < gradient_filter { 0.0 } else { slope },
            loss_rate: self.loss_rate(),
        })
    }
}
