// SPDX-License-Identifier: MIT OR Apache-2.0
//! Classifies losses by the queue (Veno: Fu and Liew 2003): if few segments wait, a loss is a link error.
//!
//! ```text
//! N = in flight (RTT - RTTmin)/RTT      congestion iff N >= limit
//! ```
//!
//! Veno itself reduces the window by a fifth at such a loss ([`crate::veno`]). This part leaves the window unchanged. N
//! is computed from the bytes in flight, at the newest ACK before the loss that has an RTT sample. While the window
//! limits sending, the bytes in flight equal the window.

use super::Verdicts;
use crate::vegas::backlog;
use crate::{Ack, Loss, LossVerdict, Signals, Snapshot};
use units::Span;

/// Computes N and judges losses.
#[derive(Clone, Debug, saved::Plain)]
pub struct Backlog {
    /// Limit of N in segments.
    limit: f64,
    /// N in bytes.
    queued_bytes: Option<f64>,
    verdicts: Verdicts,
}

impl Backlog {
    /// A part with the limit `limit` in segments (Veno: 3). A loss with at least this number of segments in the queue
    /// is congestion.
    pub const fn new(limit: f64) -> Self {
        Self { limit, queued_bytes: None, verdicts: Verdicts::NONE }
    }

    /// None: every platform gives RTT samples.
    pub const fn requires(&self) -> Signals {
        Signals::NONE
    }

    /// Processes an ACK. During a repair, ACKs are ignored, because they contain no information about the queue before
    /// the loss.
    pub fn on_ack(&mut self, ack: &Ack<'_>) {
        let (Some(rtt), Some(min_rtt), false) = (ack.rtt, ack.min_rtt, ack.in_recovery) else { return };
        let in_flight = ack.in_flight_before.get() as f64;
        self.queued_bytes = Some(backlog(in_flight, rtt.secs_f64(), Span::secs_f64(min_rtt)));
    }

    /// Judges the first loss of a possible episode.
    pub fn judge(&mut self, loss: &Loss<'_>) -> LossVerdict {
        let segment = loss.packets.first().map(|packet| f64::from(packet.bytes));
        let verdict = match self.queued_bytes.zip(segment) {
            Some((queued, segment)) if queued < self.limit * segment => LossVerdict::LinkError,
            // The queue is not known. Congestion is the safe verdict.
            _ => LossVerdict::Congestion,
        };
        self.verdicts.count(verdict)
    }

    /// Values for traces.
    pub fn snapshot(&self, out: &mut Snapshot) {
        if let Some(queued) = self.queued_bytes {
            out.push(("queued_bytes", queued));
        }
        self.verdicts.snapshot(out);
    }
}
