// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hoe's estimate of the capacity from the ACKs of a back-to-back train (SIGCOMM 1996), for the initial threshold.
//!
//! Packets that leave back to back arrive spaced by the bottleneck; so do their ACKs. A train of k acknowledged
//! segments whose ACKs came from t_1 to t_k gives `C = (k - 1) / (t_k - t_1)` segments/s. The estimate is the median
//! over the trains of the first round that has one. With cross traffic it measures dispersion, not the fair share.

use crate::Ack;
use crate::window::Rescale;
use units::{Span, Time};

/// ACKs that make a train.
const MIN_ACKS: u32 = 3;
/// Smallest threshold that the estimate may set, segments.
const MIN_ESTIMATE_SEGMENTS: f64 = 4.0;
/// Trains of one round that are kept; more do not change a median much.
const MAX_TRAINS: usize = 16;

/// A train whose ACKs are coming in.
#[derive(Clone, Copy, Debug)]
struct Train {
    burst: u32,
    acks: u32,
    /// Segments acknowledged after the first ACK (delayed ACKs cover several).
    segments: f64,
    first: Time,
    last: Time,
}

impl Train {
    /// Segments per second; `None` if the train is too short or without duration.
    fn rate(&self) -> Option<f64> {
        let span = self.last.since(self.first);
        (self.acks >= MIN_ACKS && span > Span::ZERO).then(|| self.segments / span.secs_f64())
    }
}

/// Collects trains until a round with at least one is over.
#[derive(Clone, Debug)]
pub struct HoeEstimate {
    train: Option<Train>,
    rates: [f64; MAX_TRAINS],
    count: usize,
    /// Median over the finished trains and the running one.
    estimate: Option<f64>,
    /// Rounds that have begun.
    rounds: u32,
    over: bool,
}

impl Default for HoeEstimate {
    fn default() -> Self {
        Self { train: None, rates: [0.0; MAX_TRAINS], count: 0, estimate: None, rounds: 0, over: false }
    }
}

impl HoeEstimate {
    /// Takes an ACK with its packets; gives the threshold C * RTTmin, at least 4 segments, as far as this round has one.
    pub fn threshold(&mut self, ack: &Ack<'_>, min_rtt: Option<Span>) -> Option<f64> {
        let rate = self.on_ack(ack)?;
        Some((rate * min_rtt?.secs_f64()).max(MIN_ESTIMATE_SEGMENTS))
    }

    /// Takes an ACK with its packets; gives the estimate in segments/s as far as this round has one.
    pub fn on_ack(&mut self, ack: &Ack<'_>) -> Option<f64> {
        if self.over {
            return None;
        }
        if ack.round_start {
            self.rounds += 1;
            if self.estimate.is_some() {
                self.over = true;
                return None;
            }
        }
        let packet = ack.packets.last()?;
        let segments = ack.packets.iter().filter(|p| p.burst == packet.burst).count() as f64;
        match &mut self.train {
            Some(train) if train.burst == packet.burst => {
                train.acks += 1;
                train.segments += segments;
                train.last = ack.now;
            }
            other => {
                let new =
                    Train { burst: packet.burst, acks: 1, segments: 0.0, first: ack.now, last: ack.now };
                let finished = other.replace(new).and_then(|train| train.rate());
                self.keep(finished);
            }
        }
        if let Some(rate) = self.train.as_ref().and_then(Train::rate) {
            self.estimate = Some(self.median_with(rate));
        }
        self.estimate
    }

    /// Keeps the rate of a finished train, if it has one.
    fn keep(&mut self, rate: Option<f64>) {
        if let Some(rate) = rate
            && self.count < MAX_TRAINS
        {
            self.rates[self.count] = rate;
            self.count += 1;
        }
    }

    /// Whether a round with an estimate has ended: nothing more is taken.
    pub const fn is_over(&self) -> bool {
        self.over
    }

    /// Whether the first round is still running without an estimate.
    pub fn is_waiting(&self) -> bool {
        !self.over && self.rounds <= 1 && self.estimate.is_none()
    }

    /// Median over the finished trains and the running one, of `rate`.
    fn median_with(&self, rate: f64) -> f64 {
        let mut rates = [0.0; MAX_TRAINS + 1];
        rates[..self.count].copy_from_slice(&self.rates[..self.count]);
        rates[self.count] = rate;
        let sorted = &mut rates[..=self.count];
        sorted.sort_unstable_by(f64::total_cmp);
        let middle = sorted.len() / 2;
        if sorted.len() % 2 == 1 { sorted[middle] } else { f64::midpoint(sorted[middle - 1], sorted[middle]) }
    }
}

impl Rescale for HoeEstimate {
    fn rescale(&mut self, factor: f64) {
        if let Some(train) = &mut self.train {
            train.segments.rescale(factor);
        }
        self.rates.rescale(factor);
        self.estimate.rescale(factor);
    }
}
