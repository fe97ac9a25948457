// SPDX-License-Identifier: MIT OR Apache-2.0
//! SEARCH 4.0 (draft-chung-ccwg-search-09): leaves slow start when the delivered bytes fall behind the bytes that were
//! sent one RTT earlier.
//!
//! ```text
//! bin        = 3.5 RTT_first / 10
//! delv       = acked[i] - acked[i - 10]                      acked, sent: running totals at the end of each bin
//! p, f       = i - floor(RTT / bin), fraction of RTT / bin
//! prev_sent  = f (sent[p-1] - sent[p-1-10]) + (1 - f) (sent[p] - sent[p-10])
//! slow start ends when (prev_sent - delv) / prev_sent >= 0.26, if p > 10 and i - p < 15
//! ```
//!
//! The window of 3.5 RTT is longer than one period of the usual variations (3.3 RTT on a GEO path), so that the
//! variations average out. The draft interpolates with sent[p+1], which is up to one bin later than the RTT requires.
//! The moment one RTT ago lies in bin p, before the end of this bin. This code therefore interpolates with the bin
//! before p. The implementation of Firefox does the same (neqo, `search.rs`).
//!
//! **With a short queue, SEARCH does not leave slow start before a loss. This follows from its definition.** The RTT is
//! the newest sample (as in neqo). The bytes that were sent until one RTT ago are then exactly the bytes that are
//! delivered now. A shortfall can therefore have only one cause: the RTT has grown. The window of the sent bytes then
//! begins earlier than the window of the delivered bytes. Slow start had sent little at that time, so the first window
//! contains more bytes. The following equations are a fluid model. The unit of the time t is the first RTT, and t is 0
//! when the rate reaches the capacity. Bytes are in BDPs (growth of one segment per acknowledged segment, no pacing):
//!
//! ```text
//! sent S(t)      = 2^t / ln 2 up to t = 1, then S(1) + 2 (t - 1)
//! delivered D(t) = S(t - 1) up to t = 1, then D(1) + (t - 1);     D(t) = S(t - RTT(t))
//! shortfall      = (D(t - 3.5) - S(t - RTT - 3.5)) / (D(t) - S(t - RTT - 3.5))
//! ```
//!
//! The shortfall reaches 0.26 at t = 4.88, with 5.32 BDP in flight. A queue of B BDPs overflows at t = 0.557 + B. The
//! sender detects the loss at t = 1.557 + 2 B. If B < 1.66, the sender detects the loss before t = 4.88. If B = 1, the
//! shortfall is only 0.10 when the loss is detected. SEARCH leaves slow start before the queue overflows only if B >
//! 4.32.

use crate::{Ack, Snapshot};
use units::{Bytes, Span, Time};

/// Length of the window over which bytes are compared, in first RTTs.
const WINDOW_RTTS: f64 = 3.5;
/// Number of bins in this window (W).
const BINS: usize = 10;
/// Number of additional bins. They are used when the RTT has grown.
const EXTRA_BINS: usize = 15;
/// Shortfall of delivered bytes at which slow start ends (THRESH).
const THRESHOLD: f64 = 0.26;
/// Number of running totals of acknowledged bytes that are kept.
const ACKED_BINS: usize = BINS + 1;
/// Number of running totals of sent bytes that are kept.
const SENT_BINS: usize = BINS + 1 + EXTRA_BINS;

/// The bins. The totals of a bin are read at the first ACK after the end of the bin.
#[derive(Clone, Debug, saved::Plain)]
struct Bins {
    acked: [Bytes; ACKED_BINS],
    sent: [Bytes; SENT_BINS],
    /// Number of the newest complete bin.
    index: usize,
    /// When the current bin ends.
    end: Time,
    /// Length of a bin.
    length: Span,
    /// The first RTT, which set the length of the bins.
    first_rtt: Span,
}

/// Compares the bytes sent with the bytes delivered.
#[derive(Clone, Debug, Default, saved::Plain)]
pub struct Search {
    bins: Option<Bins>,
    /// (prev_sent - delv) / prev_sent at its newest computation.
    shortfall: Option<f64>,
    /// Bytes delivered in the last `first_rtt` before slow start ended.
    target: Option<Bytes>,
}

impl Search {
    /// Processes an ACK. Returns true when slow start ends.
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
    /// The first bin begins with `ack`, whose RTT is `first_rtt`.
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

    /// Closes the bins that have ended. Returns false if these bins span more than one window, because the totals are
    /// then too old (an option of the draft).
    fn advance(&mut self, ack: &Ack<'_>) -> bool {
        let passed = ack.now.since(self.end).nanos() / self.length.nanos() + 1;
        if passed > BINS as u64 {
            return false;
        }
        // A bin without an ACK gets the totals of the previous bin.
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

    /// The fraction by which the delivered bytes fall behind the bytes that were sent `rtt` earlier. `None` if the
    /// stored totals do not reach back far enough.
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
