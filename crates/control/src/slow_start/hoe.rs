// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hoe's estimate of the capacity from the ACKs of a train (SIGCOMM 1996), for the initial threshold.
//!
//! Segments that queue behind each other at the bottleneck arrive with its spacing, and so do their ACKs. A train of k
//! acknowledged segments whose ACKs came from t_1 to t_k gives `C = (k - 1) / (t_k - t_1)` segments/s. Three ACKs make
//! a train, as in Hoe 1996. The estimate is the median over the trains of the first round that has one.
//!
//! The sender's own clock shows whether segments queued in this way, whether they were sent back to back or released by
//! ACKs. With s_i the time of sending and t_i that of the ACK, the queueing parts of two round trips differ by
//!
//! ```text
//! wait_i - wait_1 = (t_i - t_1) - (s_i - s_1)
//! ```
//!
//! Segment i has waited if the time from the first ACK to its ACK is longer than the time from the first sending to its
//! sending: the train has built its own queue (the "self-loading" of Jain and Dovrolis, SIGCOMM 2002; packet trains of
//! slow start: Allman and Paxson, SIGCOMM 1999, section 4). A segment that waited in a FIFO left it right behind the
//! segment before. The segment must have waited half a segment's spacing longer: segments sent one by one, each into an
//! empty queue, differ only by jitter.
//!
//! A delayed ACK covers several segments. Those before its newest segment are assumed to have left the bottleneck
//! evenly since the ACK before. An ACK that covers a single segment, after one that covered more, may have been held
//! back by the receiver's timer (RFC 1122, section 4.2.3.2): it ends the train.
//!
//! The estimate fails where delays jump by more than half a spacing during a train (jitter, a longer route): the jump
//! counts as waiting. With cross traffic it measures dispersion, not the fair share. Where ACKs queue on the return
//! path, it measures the return path. A timer's first single ACK after single ACKs sent at once is not recognised.

use crate::window::Rescale;
use crate::{Ack, PacketKind};
use units::{Span, Time};

/// ACKs that make a train.
const MIN_ACKS: u32 = 3;
/// Segments with which [`MIN_ACKS`] come, whether the receiver acknowledges each or every second one (RFC 5681, section 4.2).
pub const TRAIN_SEGMENTS: f64 = 2.0 * MIN_ACKS as f64;
/// Least waiting time of a segment of a train beyond that of the first, in spacings.
const MIN_RISE: f64 = 0.5;
/// Smallest threshold that the estimate may set, segments.
const MIN_ESTIMATE_SEGMENTS: f64 = 4.0;
/// Trains of one round that are kept; more do not change a median much.
const MAX_TRAINS: usize = 16;

/// A train whose ACKs are coming in.
#[derive(Clone, Copy, Debug, saved::Plain)]
struct Train {
    acks: u32,
    /// Segments acknowledged after the first ACK (delayed ACKs cover several).
    segments: f64,
    /// Most packets that one of its ACKs covered.
    most: usize,
    /// When the newest segment of the first ACK was sent.
    sent: Time,
    first: Time,
    last: Time,
}

impl Train {
    /// Begins with an ACK whose newest segment was sent at `sent`.
    const fn new(ack: &Ack<'_>, sent: Time) -> Self {
        Self { acks: 1, segments: 0.0, most: ack.packets.len(), sent, first: ack.now, last: ack.now }
    }

    /// Segments per second; `None` if the train is too short or without duration.
    fn rate(&self) -> Option<f64> {
        let span = self.last.since(self.first);
        (self.acks >= MIN_ACKS && span > Span::ZERO).then(|| self.segments / span.secs_f64())
    }

    /// Whether an ACK may have been held back by the receiver's timer.
    fn may_be_held(&self, ack: &Ack<'_>) -> bool {
        ack.packets.len() == 1 && self.most > 1
    }

    /// Whether each segment of `ack` queued behind the one before it at the bottleneck.
    fn is_followed_by(&self, ack: &Ack<'_>) -> bool {
        let covered = ack.packets.len() as f64;
        let span = ack.now.since(self.first).secs_f64();
        let spacing = span / (self.segments + covered);
        let gap = ack.now.since(self.last).secs_f64() / covered;
        ack.packets.iter().rev().zip(0..).all(|(packet, behind)| {
            // (t_i - t_1) - (s_i - s_1)
            let longer = span - gap * f64::from(behind) - packet.sent_at.since(self.sent).secs_f64();
            longer >= MIN_RISE * spacing
        })
    }

    fn extend(&mut self, ack: &Ack<'_>) {
        self.acks += 1;
        self.segments += ack.packets.len() as f64;
        self.most = self.most.max(ack.packets.len());
        self.last = ack.now;
    }
}

/// Collects trains until a round with at least one is over.
#[derive(Clone, Debug, saved::Plain)]
pub struct HoeEstimate {
    train: Option<Train>,
    rates: [f64; MAX_TRAINS],
    count: usize,
    /// Median over the finished trains and the running one.
    estimate: Option<f64>,
    over: bool,
}

impl Default for HoeEstimate {
    fn default() -> Self {
        Self { train: None, rates: [0.0; MAX_TRAINS], count: 0, estimate: None, over: false }
    }
}

impl HoeEstimate {
    /// Takes an ACK with its packets; returns the threshold C * RTTmin, at least 4 segments, if this round has one.
    pub fn threshold(&mut self, ack: &Ack<'_>, min_rtt: Option<Span>) -> Option<f64> {
        let rate = self.on_ack(ack)?;
        Some((rate * min_rtt?.secs_f64()).max(MIN_ESTIMATE_SEGMENTS))
    }

    /// Takes an ACK with its packets; returns the estimate in segments/s as far as this round has one.
    pub fn on_ack(&mut self, ack: &Ack<'_>) -> Option<f64> {
        if self.over {
            return None;
        }
        if ack.round_start && self.estimate.is_some() {
            self.over = true;
            return None;
        }
        let newest = ack.packets.last()?;
        let train = match self.train {
            // An ambiguous segment has no time of sending.
            _ if ack.packets.iter().any(|packet| packet.kind == PacketKind::Retransmission) => None,
            Some(train) if train.may_be_held(ack) => None,
            Some(mut train) if train.is_followed_by(ack) => {
                train.extend(ack);
                if let Some(rate) = train.rate() {
                    self.estimate = Some(self.median_with(rate));
                }
                self.train = Some(train);
                return self.estimate;
            }
            _ => Some(Train::new(ack, newest.sent_at)),
        };
        let finished = std::mem::replace(&mut self.train, train).and_then(|train| train.rate());
        self.keep(finished);
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

#[cfg(test)]
mod tests;
