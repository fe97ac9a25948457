// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rapid Start (draft-kazuho-ccwg-rapid-start-02, 16 March 2026): triples the window per round trip while no queue
//! builds up. After the overshoot, it reduces the window by the amounts acknowledged and lost.
//!
//! ```text
//! section 3.1    the first window is paced over the round trip of the handshake
//! section 3.2    queue_buildup_thresh = min(min_rtt + 4 ms, 1.10 min_rtt)
//!                rtt_floor: smallest RTT of the last min_rtt
//!                cwnd += 2 bytes_acked if rtt_floor <= queue_buildup_thresh, else cwnd += bytes_acked
//! section 3.3    first loss or mark:      cwnd *= silence_factor
//!                until the repair ends:   cwnd -= ack_factor bytes_newly_acked + loss_factor bytes_newly_lost
//!                                         cwnd >= pre_recovery_cwnd beta/3
//! section 3.3.1  K = 2/3, ack_factor = K (1 - beta), silence_factor = loss_factor = beta + K (1 - beta)
//!                beta = 0.5: 1/3 and 5/6; beta = 0.7 (CUBIC): 1/5 and 9/10
//! ```
//!
//! Version 00 of the draft used K = 11/18 and the lower bound cwnd (silence - ack/3 - 2 loss/3), which also equals
//! beta/3.
//!
//! When the repair ends, the window is beta times the full BDP (path and queue). This result does not depend on the
//! share of packets that were lost (appendix A). Of W = A + L segments in flight, A are acknowledged and L are lost.
//! The remaining window is beta A, and A is the amount that the path and its queue held. beta is the fraction of the
//! flight that the window rule keeps at this loss or mark.
//!
//! The draft does not define some details. This code makes these choices:
//!
//! - During the repair, only the window limits sending. Proportional rate reduction (RFC 9937) is off. The reduction by
//!   `silence_factor`, and the reductions at each ACK, replace it (section 3.3: sending is blocked until bytes in
//!   flight are no greater than the window).
//! - Only packets that were sent before the reduction reduce the window, when they are acknowledged or lost. These
//!   packets are the bytes in flight of appendix A. They include the packets that the first ACK with a loss reports as
//!   lost. Acknowledged retransmissions and later data do not reduce the window.
//! - On TCP (section 4.1), the repair lasts until all holes are filled. This time is longer than the recovery period of
//!   QUIC. QUIC's period ends with the first acknowledgement of a packet that was sent in the period (RFC 9002, section
//!   7.3.2).
//! - When a queue builds up, the window grows as in classic slow start until a loss or mark ends the slow start.
//!   `growth_limit` applies only after the first slow start, because the draft counts bytes.
//! - The threshold falls with the window. At the loss, the rule stores the window from before the loss (CUBIC's
//!   `W_max`): "the underlying congestion controller's ordinary rules". quicly sets `W_max` to 2 cwnd/beta at the end
//!   of the repair.
//! - The draft's option to stop at the initial window times beta is not used.

use crate::window::{MIN_SSTHRESH_SEGMENTS, Rescale, Window};
use crate::windowed::WindowedMin;
use crate::{Ack, Loss, Start};
use units::{Rate, Span, Time};

/// K (section 3.3.1).
const K: f64 = 2.0 / 3.0;
/// Largest absolute rise of the RTT that does not count as a queue (section 3.2).
const MOST_RISE: Span = Span::from_millis(4);
/// Largest relative rise of the RTT that does not count as a queue.
const MOST_RISE_FACTOR: f64 = 1.10;
/// Bytes of growth per acknowledged byte while no queue builds up. The window triples per round trip.
const RAPID: f64 = 2.0;
/// Bytes of growth per acknowledged byte when a queue builds up, as in classic slow start.
const CLASSIC: f64 = 1.0;
/// The lower bound of the window is the window that beta would leave, divided by this number (the largest growth per
/// round trip).
const LARGEST_GROWTH: f64 = 3.0;

/// The repair that follows the first loss or mark.
#[derive(Clone, Copy, Debug, saved::Plain)]
struct Repair {
    began: Time,
    ack_factor: f64,
    loss_factor: f64,
    /// Lower bound of the window during the repair, in segments.
    least: f64,
}

/// State of Rapid Start: its measurements of the path, and its repair.
#[derive(Clone, Debug, saved::Plain)]
pub struct RapidStart {
    /// Largest number of segments that one ACK counts after the first slow start.
    limit: f64,
    /// The round trip over which the first window is spread. `None` after the first ACK, and `None` if the round trip
    /// is not known.
    first_rtt: Option<Span>,
    /// `rtt_floor`, ns.
    floor: WindowedMin,
    /// Growth per acknowledged segment.
    growth: f64,
    repair: Option<Repair>,
}

impl RapidStart {
    /// `limit` is the largest number of segments that one ACK counts in a later slow start (after a timeout).
    pub const fn new(limit: f64) -> Self {
        let floor = WindowedMin::new(Span::ZERO);
        Self { limit, first_rtt: None, floor, growth: RAPID, repair: None }
    }

    /// The connection starts.
    pub fn start(&mut self, event: &Start) {
        self.first_rtt = event.rtt.filter(|rtt| *rtt > Span::ZERO);
    }

    /// Processes an ACK of the first slow start.
    pub fn observe(&mut self, ack: &Ack<'_>) {
        if let Some((rtt, min_rtt)) = ack.rtt.zip(ack.min_rtt) {
            self.floor.set_window(min_rtt);
            let floor = self.floor.update(ack.now, rtt.nanos() as f64);
            // min_rtt is the minimum over the whole connection, so it does not exceed the floor.
            let min_rtt_ns = min_rtt.nanos() as f64;
            let threshold = (min_rtt_ns + MOST_RISE.nanos() as f64).min(min_rtt_ns * MOST_RISE_FACTOR);
            self.growth = if floor <= threshold { RAPID } else { CLASSIC };
        }
    }

    /// The growth of the window, in segments, for `acked` acknowledged segments.
    pub fn counted(&self, acked: f64, initial: bool) -> f64 {
        if initial { acked * self.growth } else { acked.min(self.limit) }
    }

    /// Factor by which the window grows per round trip: 3 or 2.
    pub fn factor_per_round(&self) -> f64 {
        1.0 + self.growth
    }

    /// The pacing rate of the first window.
    pub fn first_pace(&self, window: &Window) -> Option<Rate> {
        let rtt = self.first_rtt?;
        let rate = Rate::from_bytes_per_s(window.w * f64::from(window.mss) / rtt.secs_f64());
        Some(rate.max(Rate::from_bits_per_s(1)))
    }

    /// Whether the overshoot is being repaired.
    pub const fn repairs(&self) -> bool {
        self.repair.is_some()
    }

    /// The first loss or mark: begins the repair. The rule keeps the fraction `beta` of the flight.
    pub fn reduce(&mut self, event: &Loss<'_>, beta: f64, window: &mut Window) {
        let ack_factor = K * (1.0 - beta);
        let factor = beta + ack_factor;
        let least = (window.w * beta / LARGEST_GROWTH).max(MIN_SSTHRESH_SEGMENTS);
        self.first_rtt = None;
        self.repair = Some(Repair { began: event.now, ack_factor, loss_factor: factor, least });
        let segments = window.w * (1.0 - factor);
        self.take(segments + factor * event.lost.segments(window.mss), window);
    }

    /// Processes an ACK of any phase. `repairing` is true while losses are being repaired.
    pub fn on_ack(&mut self, ack: &Ack<'_>, repairing: bool, window: &mut Window) {
        self.first_rtt = None;
        let Some(repair) = self.repair else { return };
        if !repairing {
            self.repair = None;
        } else if ack.sent_at.is_some_and(|at| at < repair.began) {
            self.take(repair.ack_factor * ack.acked.segments(window.mss), window);
        }
    }

    /// Processes further losses during the repair.
    pub fn on_loss(&mut self, event: &Loss<'_>, window: &mut Window) {
        let Some(repair) = self.repair else { return };
        if event.packets.first().is_some_and(|packet| packet.sent_at < repair.began) {
            self.take(repair.loss_factor * event.lost.segments(window.mss), window);
        }
    }

    /// Ends the repair, because it is complete or because another event interrupted it.
    pub const fn end(&mut self) {
        self.repair = None;
    }

    fn take(&self, segments: f64, window: &mut Window) {
        let least = self.repair.map_or(MIN_SSTHRESH_SEGMENTS, |repair| repair.least);
        window.w = (window.w - segments).max(least.min(window.w));
        window.ssthresh = window.w;
    }
}

impl Rescale for RapidStart {
    fn rescale(&mut self, factor: f64) {
        if let Some(repair) = &mut self.repair {
            repair.least.rescale(factor);
        }
    }
}
