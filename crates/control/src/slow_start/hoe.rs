// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hoe's estimate of the capacity from the ACKs of a train (SIGCOMM 1996), for the initial threshold.
//!
//! If segments queue one behind the other at the bottleneck, they arrive with the bottleneck's spacing. Their ACKs have
//! the same spacing. If the ACKs of a train of k segments arrive from t_1 to t_k, the estimate is `C = (k - 1) / (t_k -
//! t_1)` segments/s. Three ACKs make a train, as in Hoe 1996. The final estimate is the median over all trains in the
//! first round that has a train.
//!
//! The sender needs only its own clock to find out whether segments queued in this way. The method works for segments
//! that were sent back to back and for segments that were released by ACKs. With the sending time s_i and the ACK time
//! t_i, the waiting times of segment i and segment 1 differ by
//!
//! ```text
//! wait_i - wait_1 = (t_i - t_1) - (s_i - s_1)
//! ```
//!
//! Segment i has waited if the ACKs of segments 1 and i are further apart than their sendings. The train has then built
//! its own queue (the "self-loading" of Jain and Dovrolis, SIGCOMM 2002; packet trains of slow start: Allman and
//! Paxson, SIGCOMM 1999, section 4). In a FIFO, a segment that waited leaves directly behind the previous segment. This
//! code requires that the difference of the waiting times is at least half of a segment's spacing. If segments are sent
//! one by one, each into an empty queue, their waiting times differ only by jitter.
//!
//! A delayed ACK covers several segments. The code assumes that these segments left the bottleneck at equal intervals
//! since the previous ACK. If an ACK covers one segment after an ACK that covered several segments, the receiver's
//! timer may have delayed this ACK (RFC 1122, section 4.2.3.2). Such an ACK ends the train.
//!
//! The estimate has these limits:
//!
//! - If the delay jumps by more than half a spacing during a train (jitter, a longer route), the jump counts as
//!   waiting, and the estimate is wrong.
//! - With cross traffic, the code measures the dispersion of the train and not the fair share.
//! - If ACKs queue on the return path, the code measures the return path.
//! - If the receiver acknowledged single segments at once and then delays a single ACK by its timer, the code does not
//!   detect the delay.

use crate::window::Rescale;
use crate::{Ack, PacketKind};
use units::{Span, Time};

/// Number of ACKs that make a train.
const MIN_ACKS: u32 = 3;
/// Number of segments that `MIN_ACKS` ACKs acknowledge, if the receiver acknowledges at least every second segment (RFC
/// 5681, section 4.2).
pub const TRAIN_SEGMENTS: f64 = 2.0 * MIN_ACKS as f64;
/// Smallest difference between the waiting times of a segment and of the first segment of the train, in spacings.
const MIN_RISE: f64 = 0.5;
/// Smallest threshold that the estimate may set, in segments.
const MIN_ESTIMATE_SEGMENTS: f64 = 4.0;
/// Number of trains of one round that are stored. Further trains change the median little.
const MAX_TRAINS: usize = 16;

/// A train whose ACKs are arriving.
#[derive(Clone, Copy, Debug, saved::Plain)]
struct Train {
    acks: u32,
    /// Segments acknowledged after the first ACK. A delayed ACK covers several segments.
    segments: f64,
    /// Largest number of packets that an ACK of the train covered.
    most: usize,
    /// When the newest segment of the first ACK was sent.
    sent: Time,
    first: Time,
    last: Time,
}

impl Train {
    /// A train that begins with an ACK whose newest segment was sent at `sent`.
    const fn new(ack: &Ack<'_>, sent: Time) -> Self {
        Self { acks: 1, segments: 0.0, most: ack.packets.len(), sent, first: ack.now, last: ack.now }
    }

    /// Rate in segments per second; `None` if the train has too few ACKs or if its duration is zero.
    fn rate(&self) -> Option<f64> {
        let span = self.last.since(self.first);
        (self.acks >= MIN_ACKS && span > Span::ZERO).then(|| self.segments / span.secs_f64())
    }

    /// Whether the receiver's timer may have delayed `ack`.
    fn may_be_held(&self, ack: &Ack<'_>) -> bool {
        ack.packets.len() == 1 && self.most > 1
    }

    /// Whether each segment of `ack` queued behind the previous segment at the bottleneck.
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

/// Collects trains until the end of the first round that has a train.
#[derive(Clone, Debug, saved::Plain)]
pub struct HoeEstimate {
    train: Option<Train>,
    rates: [f64; MAX_TRAINS],
    count: usize,
    /// Median of the finished trains and the current train.
    estimate: Option<f64>,
    over: bool,
}

impl Default for HoeEstimate {
    fn default() -> Self {
        Self { train: None, rates: [0.0; MAX_TRAINS], count: 0, estimate: None, over: false }
    }
}

impl HoeEstimate {
    /// Processes an ACK and its packets. Returns the threshold C * RTTmin, at least 4 segments, if this round has an
    /// estimate.
    pub fn threshold(&mut self, ack: &Ack<'_>, min_rtt: Option<Span>) -> Option<f64> {
        let rate = self.on_ack(ack)?;
        Some((rate * min_rtt?.secs_f64()).max(MIN_ESTIMATE_SEGMENTS))
    }

    /// Processes an ACK and its packets. Returns the estimate in segments/s, if this round has an estimate.
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
            // The sending time of a retransmitted segment is ambiguous.
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

    /// Stores the rate of a finished train, if the train has a rate.
    fn keep(&mut self, rate: Option<f64>) {
        if let Some(rate) = rate
            && self.count < MAX_TRAINS
        {
            self.rates[self.count] = rate;
            self.count += 1;
        }
    }

    /// Whether a round with an estimate has ended. All later ACKs are ignored.
    pub const fn is_over(&self) -> bool {
        self.over
    }

    /// Median of the finished trains and the current train, whose rate is `rate`.
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
