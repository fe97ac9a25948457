// SPDX-License-Identifier: MIT OR Apache-2.0
//! SEARCH 4.0 (draft-chung-ccwg-search-09): leave slow start when the bytes delivered fall behind the bytes that had
//! been sent one RTT before.
//!
//! ```text
//! bin        = 3.5 RTT_first / 10
//! delv       = acked[i] - acked[i - 10]                      acked, sent: running totals at the end of each bin
//! p, f       = i - floor(RTT / bin), fraction of RTT / bin
//! prev_sent  = f (sent[p-1] - sent[p-1-10]) + (1 - f) (sent[p] - sent[p-10])
//! slow start ends when (prev_sent - delv) / prev_sent >= 0.26, if p > 10 and i - p < 15
//! ```
//!
//! The window of 3.5 RTT covers more than one period of the usual variations (on a GEO path 3.3 RTT), so that they
//! average out. The draft interpolates with sent[p+1], which looks forward by up to a bin. The RTT reaches back to
//! before p, so this code uses the bin before p, as in the implementation of Firefox (neqo, `search.rs`).
//!
//! **Over a short queue SEARCH does not leave before a loss, by construction.** The RTT is the newest (as in neqo):
//! what was sent until one such RTT ago is exactly what is delivered now. The shortfall comes only from the part of the
//! window of the sent bytes that reaches further back because the RTT grew, and there slow start had sent little. As a
//! fluid, with the time t in first RTTs from when the rate meets the capacity, and bytes in BDPs (one segment per
//! segment acknowledged, no pacing):
//!
//! ```text
//! sent S(t)      = 2^t / ln 2 up to t = 1, then S(1) + 2 (t - 1)
//! delivered D(t) = S(t - 1) up to t = 1, then D(1) + (t - 1);     D(t) = S(t - RTT(t))
//! shortfall      = (D(t - 3.5) - S(t - RTT - 3.5)) / (D(t) - S(t - RTT - 3.5))
//! ```
//!
//! It reaches 0.26 at t = 4.88, with 5.32 BDP in flight. A queue of B BDPs overflows at t = 0.557 + B, and the loss is
//! seen at 1.557 + 2 B: before that for B < 1.66, when the shortfall is still 0.10 over one BDP. Only above 4.32 BDP does
//! SEARCH leave before the queue overflows.

use crate::{Ack, Snapshot};
use units::{Bytes, Span, Time};

/// Length of the window over which bytes are compared, first RTTs.
const WINDOW_RTTS: f64 = 3.5;
/// Bins of that window (W).
const BINS: usize = 10;
/// Further bins, to look back by an RTT that has grown.
const EXTRA_BINS: usize = 15;
/// Shortfall of delivered bytes that ends slow start (THRESH).
const THRESHOLD: f64 = 0.26;
/// Running totals kept of what was acknowledged.
const ACKED_BINS: usize = BINS + 1;
/// Running totals kept of what was sent.
const SENT_BINS: usize = BINS + 1 + EXTRA_BINS;

/// The bins. Their totals are taken from the ACKs, at the first ACK after the end of a bin.
#[derive(Clone, Debug, saved::Plain)]
struct Bins {
    acked: [Bytes; ACKED_BINS],
    sent: [Bytes; SENT_BINS],
    /// Number of the newest complete bin.
    index: usize,
    /// When the bin under way ends.
    end: Time,
    /// Length of a bin.
    length: Span,
    /// The RTT that set it.
    first_rtt: Span,
}

/// Follows what is sent and what is delivered.
#[derive(Clone, Debug, Default, saved::Plain)]
pub struct Search {
    bins: Option<Bins>,
    /// (prev_sent - delv) / prev_sent when it was last computed.
    shortfall: Option<f64>,
    /// Bytes delivered over the last first RTT when slow start ended.
    target: Option<Bytes>,
}

impl Search {
    /// Takes an ACK; true when slow start ends.
    pub fn observe(&mut self, ack: &Ack<'_>) -> bool {
        let Some(rtt) = ack.rtt.filter(|rtt| *rtt > Span::ZERO) else { return false };
        let Some(bins) = &mut self.bins else {
            self.bins = Some(Bins::new(ack, rtt));
            return false;
        };
        if ack.now <= bins.end {
            return false;
        }
        if !bins.advance(ack) {
            self.bins = None;
            return false;
        }
        self.shortfall = bins.shortfall(rtt);
        let found = self.shortfall.is_some_and(|shortfall| shortfall >= THRESHOLD);
        if found {
            self.target = Some(bins.delivered_in(bins.first_rtt));
        }
        found
    }

    /// Values for traces.
    pub fn snapshot(&self, out: &mut Snapshot) {
        if let Some(shortfall) = self.shortfall {
            out.push(("search_shortfall", shortfall));
        }
        if let Some(target) = self.target {
            out.push(("search_target_bytes", target.get() as f64));
        }
    }
}

impl Bins {
    /// Begun by `ack`, whose RTT is `first_rtt`.
    fn new(ack: &Ack<'_>, first_rtt: Span) -> Self {
        let length = first_rtt.mul_f64(WINDOW_RTTS / BINS as f64).max(Span::from_nanos(1));
        Self {
            acked: [ack.total_delivered; ACKED_BINS],
            sent: [ack.total_sent; SENT_BINS],
            index: 0,
            end: ack.now + length,
            length,
            first_rtt,
        }
    }

    /// Closes the bins that have passed. Returns false if they are more than a window (an option of the draft): the
    /// totals are too old then.
    fn advance(&mut self, ack: &Ack<'_>) -> bool {
        let passed = ack.now.since(self.end).nanos() / self.length.nanos() + 1;
        if passed > BINS as u64 {
            return false;
        }
        // A bin in which no ACK came holds what the one before it held.
        for _ in 1..passed {
            self.push(self.acked[self.index % ACKED_BINS], self.sent[self.index % SENT_BINS]);
        }
        self.push(ack.total_delivered, ack.total_sent);
        self.end += self.length * passed;
        true
    }

    fn push(&mut self, acked: Bytes, sent: Bytes) {
        self.index += 1;
        self.acked[self.index % ACKED_BINS] = acked;
        self.sent[self.index % SENT_BINS] = sent;
    }

    /// Bytes sent in the window that ended with bin `last`.
    fn sent_until(&self, last: usize) -> f64 {
        (self.sent[last % SENT_BINS] - self.sent[(last - BINS) % SENT_BINS]).get() as f64
    }

    /// Bytes delivered in the last `span`, rounded up to whole bins.
    fn delivered_in(&self, span: Span) -> Bytes {
        let bins = (span.nanos().div_ceil(self.length.nanos()) as usize).min(BINS).min(self.index);
        self.acked[self.index % ACKED_BINS] - self.acked[(self.index - bins) % ACKED_BINS]
    }

    /// By how much the delivered bytes fall behind those sent `rtt` before; `None` if the totals do not reach back far
    /// enough.
    fn shortfall(&self, rtt: Span) -> Option<f64> {
        let back = (rtt.nanos() / self.length.nanos()).min(EXTRA_BINS as u64) as usize;
        let previous = self.index.checked_sub(back).filter(|previous| *previous > BINS)?;
        if back >= EXTRA_BINS {
            return None;
        }
        let delivered = self.delivered_in(Span::MAX).get() as f64;
        let fraction = (rtt.nanos() % self.length.nanos()) as f64 / self.length.nanos() as f64;
        let sent = fraction * self.sent_until(previous - 1) + (1.0 - fraction) * self.sent_until(previous);
        (sent > 0.0).then(|| (sent - delivered) / sent)
    }
}
