// SPDX-License-Identifier: MIT OR Apache-2.0
//! How ns-2's `Sack1` and `Newreno` differ from the other senders of this crate. The sources are ns-2.35 and the packets
//! of `data/ns2`. In this mode:
//!
//! - The sender times one segment at a time. A new segment is timed if no other segment is being timed. A repair
//!   cancels the timing.
//! - The window limits how far data may be sent beyond the cumulative acknowledgement, regardless of SACKs. SACK
//!   reports are kept until the cumulative acknowledgement moves. A SACK that reports new data counts as a duplicate
//!   ACK.
//! - During a recovery, the SACKs form a scoreboard. The scoreboard is cleared at the end of the recovery.
//! - After a timeout, all data are sent again in slow start, whether they were SACKed or not. Each of the first two
//!   duplicate ACKs releases one segment, old or new. There is no fast retransmit until more data are acknowledged than
//!   were sent before the timeout.

use super::{Mode, Sender};
use crate::intervals::Intervals;
use crate::segment::expand;
use crate::{Recovery, Segment};
use units::{Bytes, Time};

/// The additional state of a sender that follows these ns-2 agents.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(super) struct Ns2 {
    /// The segment that is being timed, and its sending time.
    timed: Option<(u64, Time)>,
    /// Segments that were SACKed outside a recovery since the cumulative acknowledgement last moved.
    heard: Intervals,
    /// There is no fast retransmit until data beyond this segment are acknowledged.
    guard: u64,
    /// Whether SACKs are ignored, because no data were acknowledged since the timeout.
    deaf: bool,
}

impl Ns2 {
    /// Records that a new segment is sent.
    #[cold]
    pub(super) fn on_new(&mut self, now: Time, seq: u64) {
        self.timed.get_or_insert((seq, now));
    }

    /// Records that the cumulative acknowledgement moved outside a recovery.
    pub(super) fn on_advance(&mut self) {
        self.deaf = false;
        if !self.heard.is_empty() {
            self.heard = Intervals::default();
        }
    }

    /// Stores the blocks of an acknowledgement. Returns whether they report new data.
    pub(super) fn hear(&mut self, ack: &Segment, una: u64, next: u64) -> bool {
        if self.deaf {
            return false;
        }
        let mut news = false;
        for block in ack.blocks() {
            let (from, to) = (expand(block[0], una).max(una), expand(block[1], una).min(next));
            if from < to {
                self.heard.insert(from, to, |_, _| news = true);
            }
        }
        news
    }
}

impl Sender {
    /// Uses the timed segment as a sample, if it is acknowledged. Partial acknowledgements of a recovery are not used.
    #[cold]
    pub(super) fn take_timed(&mut self, now: Time, seq: u64) {
        let partial = self.recovery.mode == Mode::Recovery && seq < self.recovery.recover;
        if let Some(ns2) = &mut self.detection.ns2
            && let Some((_, sent)) = ns2.timed.take_if(|&mut (timed, _)| !partial && timed < seq)
        {
            self.timer.sample_timed(sent, now);
            self.detection.tail.sampled = true;
        }
    }

    /// Restarts the timer and cancels the timing, because of a fast retransmit.
    #[cold]
    pub(super) fn restart_timer(&mut self, now: Time) {
        if let Some(ns2) = &mut self.detection.ns2 {
            ns2.timed = None;
            ns2.guard = self.recovery.recover;
            self.timer.restart(now);
        }
    }

    /// Sets the state that applies after a timeout.
    #[cold]
    pub(super) fn go_back(&mut self) {
        self.forget_reports();
        if let Some(ns2) = &mut self.detection.ns2 {
            ns2.timed = None;
            ns2.deaf = true;
            ns2.guard = self.board.next();
        }
    }

    /// Clears the scoreboard at the end of a recovery.
    #[cold]
    pub(super) fn end_scoreboard(&mut self) {
        if self.recovery.mode == Mode::Recovery && self.config.recovery == Recovery::Sack {
            self.forget_reports();
            if let Some(ns2) = &mut self.detection.ns2 {
                ns2.guard = 0;
            }
        }
    }

    /// Clears the scoreboard. All outstanding segments then count as in flight.
    pub(super) fn forget_reports(&mut self) {
        let (buffer, mut bytes) = (&self.buffer, 0);
        self.board.forget(|seq| bytes += u64::from(buffer.len(seq)));
        self.log.stats.delivered_bytes -= bytes;
        self.last_ack.blocks = [[0; 2]; 3];
        if let Some(ns2) = &mut self.detection.ns2 {
            ns2.heard = Intervals::default();
        }
    }

    /// Processes the third duplicate ACK. The stored reports become the scoreboard, and the holes in it count as lost.
    #[cold]
    pub(super) fn believe_reports(&mut self, now: Time) {
        let Some(ns2) = &mut self.detection.ns2 else { return };
        let heard = std::mem::take(&mut ns2.heard);
        let (buffer, mut bytes) = (&self.buffer, 0);
        for &(from, to) in heard.spans() {
            self.board.sack(from, to, false, |seq, _| bytes += u64::from(buffer.len(seq)));
        }
        self.log.stats.delivered_bytes += bytes;
        self.detect_losses(now);
    }

    /// Whether the newest episode still forbids a fast retransmit.
    pub(super) fn is_guarded(&self) -> bool {
        let una = self.board.una();
        match &self.detection.ns2 {
            Some(ns2) => ns2.guard > 0 && una <= ns2.guard,
            // RFC 6582 section 3.2, step 2, allows a fast retransmit only if "the Cumulative Acknowledgment field
            // covers more than recover". After a timeout (section 4), duplicates at `recover` are caused by segments
            // that were sent twice.
            None => {
                self.config.recovery == Recovery::NewReno
                    && self.recovery.episode > 0
                    && una <= self.recovery.recover
            }
        }
    }

    /// The amount from which a reduction starts. For ns-2's agents, this is the window, regardless of the data in
    /// flight.
    pub(super) fn reduced_from(&self) -> Bytes {
        self.bytes_of(if self.detection.ns2.is_some() { self.cc.window } else { self.flight_size() })
    }
}
