// SPDX-License-Identifier: MIT OR Apache-2.0
//! Differences of ns-2's `Sack1` and `Newreno` (ns-2.35; from its sources and the packets of `data/ns2`):
//!
//! - One segment at a time is timed: a new segment that is sent while no other segment is timed. A repair cancels the
//!   timing.
//! - The window limits how far beyond the cumulative acknowledgement data may be sent, whatever is SACKed. SACK reports
//!   are kept until the cumulative acknowledgement moves. A SACK that reports new data counts as a duplicate ACK.
//! - In a recovery, the SACKs are a scoreboard, which is cleared at the end of the recovery.
//! - After a timeout, all data are sent again in slow start, whether they were SACKed or not. Each of the first two
//!   duplicate ACKs releases a segment, old or new. There is no fast retransmit until more is acknowledged than was
//!   sent before the timeout.

use super::{Mode, Sender};
use crate::intervals::Intervals;
use crate::segment::expand;
use crate::{Recovery, Segment};
use units::{Bytes, Time};

/// The additional state of these agents.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(super) struct Ns2 {
    /// The timed segment, and its sending time.
    timed: Option<(u64, Time)>,
    /// Segments SACKed since the cumulative acknowledgement moved last, outside a recovery.
    heard: Intervals,
    /// There is no fast retransmit before more than this is acknowledged.
    guard: u64,
    /// Nothing was acknowledged since the timeout, so SACKs are ignored.
    deaf: bool,
}

impl Ns2 {
    /// A new segment is sent.
    #[cold]
    pub(super) fn on_new(&mut self, now: Time, seq: u64) {
        self.timed.get_or_insert((seq, now));
    }

    /// The cumulative acknowledgement moved, outside a recovery.
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
    /// Processes the sample of the timed segment, if all data up to this segment are acknowledged outside a recovery.
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

    /// A fast retransmit: restarts the timer and cancels the timing.
    #[cold]
    pub(super) fn restart_timer(&mut self, now: Time) {
        if let Some(ns2) = &mut self.detection.ns2 {
            ns2.timed = None;
            ns2.guard = self.recovery.recover;
            self.timer.restart(now);
        }
    }

    /// Prepares the state after a timeout.
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

    /// Clears the scoreboard. All outstanding segments count as in flight.
    pub(super) fn forget_reports(&mut self) {
        let (buffer, mut bytes) = (&self.buffer, 0);
        self.board.forget(|seq| bytes += u64::from(buffer.len(seq)));
        self.log.stats.delivered_bytes -= bytes;
        self.last_ack.blocks = [[0; 2]; 3];
        if let Some(ns2) = &mut self.detection.ns2 {
            ns2.heard = Intervals::default();
        }
    }

    /// The third duplicate ACK. The stored reports become the scoreboard, and the holes in it are lost.
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

    /// Whether a fast retransmit is still forbidden because of the newest episode.
    pub(super) fn is_guarded(&self) -> bool {
        let una = self.board.una();
        match &self.detection.ns2 {
            Some(ns2) => ns2.guard > 0 && una <= ns2.guard,
            // RFC 6582 section 3.2, step 2: no fast retransmit unless "the Cumulative Acknowledgment field covers more
            // than recover". After a timeout (section 4), duplicates at `recover` come from segments that were sent
            // twice.
            None => {
                self.config.recovery == Recovery::NewReno
                    && self.recovery.episode > 0
                    && una <= self.recovery.recover
            }
        }
    }

    /// The amount from which a reduction starts. With these agents, it is the window, whatever is in flight.
    pub(super) fn reduced_from(&self) -> Bytes {
        self.bytes_of(if self.detection.ns2.is_some() { self.cc.window } else { self.flight_size() })
    }
}
