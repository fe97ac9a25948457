// SPDX-License-Identifier: MIT OR Apache-2.0
//! RACK (RFC 8985, section 6.2). A segment is lost if another segment that was sent sufficiently later has been
//! delivered.
//!
//! Transmissions are stored in a FIFO in the order of sending. A transmission is settled when it is delivered or
//! declared lost. Settled transmissions are removed from the head of the FIFO, so detection visits only transmissions
//! about which it decides.

use crate::scoreboard::{Record, Scoreboard};
use crate::timer::RetransmissionTimer;
use std::collections::VecDeque;
use units::{Span, Time};

/// Upper bound of `reordering` (Linux, `tcp_max_reordering`).
const MAX_REORDERING: u64 = 300;

/// RACK.reo_wnd_persist: number of loss recoveries for which a widened reordering window is kept.
const PERSIST: u32 = 16;

#[derive(Clone, Debug, Default, saved::Plain)]
pub(crate) struct Rack {
    /// Transmissions that may not be settled yet. The fields are the segment and the number of the transmission.
    sent: VecDeque<(u64, u64)>,
    /// RACK.xmit_ts, and the transmission number of the most recently sent segment that was delivered.
    newest: Option<(Time, u64)>,
    /// RACK.rtt.
    rtt: Span,
    /// The time at which the acknowledgement that provided `rtt` arrived, and the number of the transmission that it
    /// acknowledged.
    rtt_of: (Time, u64),
    /// RACK.fack: one more than the highest delivered segment.
    fack: u64,
    reordering_seen: bool,
    /// The largest number of segments that have overtaken a segment (Linux, `tp->reordering`).
    reordering: u64,
    reo_wnd_mult: u32,
    reo_wnd_persist: u32,
    /// RACK.dsack_round. A DSACK widens the reordering window at most once per round trip, and this field is the end of
    /// the round trip.
    dsack_round: Option<u64>,
}

impl Rack {
    pub(crate) fn on_sent(&mut self, seq: u64, tx: u64) {
        self.sent.push_back((seq, tx));
    }

    /// Steps 1 to 3: processes a delivered segment. If the segment was retransmitted, it counts only if the
    /// acknowledgement can belong to its newest transmission. The acknowledgement must not arrive too early. The echoed
    /// timestamp, if `echo` contains the echo of this segment, must not be older than this transmission.
    pub(crate) fn on_delivered(
        &mut self,
        now: Time,
        seq: u64,
        record: &Record,
        min_rtt: Span,
        echo: Option<Time>,
    ) {
        let rtt = now.since(record.sent_at);
        if !record.is_ambiguous() && seq < self.fack {
            self.reordering_seen = true;
            // Linux, tcp_check_sack_reordering(): the value is at most net.ipv4.tcp_max_reordering.
            self.reordering = self.reordering.max(self.fack - 1 - seq).min(MAX_REORDERING);
        }
        self.fack = self.fack.max(seq + 1);
        if record.is_ambiguous() && (rtt < min_rtt || echo.is_some_and(|echo| echo < record.sent_at)) {
            return;
        }
        // "In ascending order of Segment.xmit_ts": the most recently sent segment of this acknowledgement determines
        // RACK.rtt, even if it was sent before RACK.segment.
        if self.rtt_of.0 != now || record.tx >= self.rtt_of.1 {
            self.rtt = rtt;
            self.rtt_of = (now, record.tx);
        }
        if self.newest.is_none_or(|(_, tx)| record.tx > tx) {
            self.newest = Some((record.sent_at, record.tx));
        }
    }

    /// Step 4: a DSACK widens the reordering window, at most once per round trip.
    pub(crate) fn on_dsack(&mut self, una: u64, next: u64) {
        if self.dsack_round.is_none_or(|round| una >= round) {
            self.dsack_round = Some(next);
            self.reo_wnd_mult += 1;
            self.reo_wnd_persist = PERSIST;
        }
    }

    /// Adds transmissions to the FIFO again, because a timeout that had settled them proved to be spurious. In Linux,
    /// `tcp_timeout_mark_lost()` leaves them in the order of sending, which `tcp_rack_detect_loss()` uses.
    pub(crate) fn judge_once_more(&mut self, mut outstanding: Vec<(u64, u64)>) {
        outstanding.sort_unstable_by_key(|&(_, tx)| tx);
        self.sent = outstanding.into();
    }

    /// The largest number of segments that have overtaken a segment.
    pub(crate) fn reordering(&self) -> u64 {
        self.reordering
    }

    /// Reduces the reordering to `dup_thresh`, because a timeout occurred outside a recovery although `dup_thresh`
    /// segments were SACKed. The reordering was therefore overestimated (Linux, `tcp_enter_loss()`).
    pub(crate) fn doubt_reordering(&mut self, dup_thresh: u32) {
        self.reordering = self.reordering.min(dup_thresh.into());
    }

    /// Records that a loss recovery has ended.
    pub(crate) fn on_recovery_exit(&mut self) {
        self.reo_wnd_persist = self.reo_wnd_persist.saturating_sub(1);
        if self.reo_wnd_persist == 0 {
            self.reo_wnd_mult = 0;
        }
    }

    /// RACK_update_reo_wnd(): the reordering window, which is the additional time before an overtaken segment counts as
    /// lost.
    pub(crate) fn reo_wnd(&self, prompt: bool, timer: &RetransmissionTimer) -> Span {
        if !self.reordering_seen && prompt {
            return Span::ZERO;
        }
        let (min_rtt, srtt) = (timer.least_rtt(), timer.rtt.srtt().unwrap_or_default());
        (min_rtt / 4 * u64::from(1 + self.reo_wnd_mult)).min(srtt)
    }

    /// Whether a segment that was sent at `sent_at` is presumed lost when the retransmission timer expires (section
    /// 6.3).
    pub(crate) fn overdue(&self, now: Time, sent_at: Time, reo_wnd: Span) -> bool {
        sent_at + self.rtt + reo_wnd <= now
    }

    /// Step 5: declares segments lost that were sent before the newest delivered segment and are overdue. `found` is
    /// called for each of them, in the order of sending. Returns the time at which the next segment will be overdue.
    /// The RFC's timer waits until the last of these segments is overdue. Here, each loss is detected at its own time.
    pub(crate) fn detect(
        &mut self,
        now: Time,
        reo_wnd: Span,
        board: &mut Scoreboard,
        mut found: impl FnMut(u64, &Record),
    ) -> Time {
        let Some((_, newest_tx)) = self.newest else { return Time::MAX };
        while let Some(&(seq, tx)) = self.sent.front() {
            let settled = seq < board.una() || {
                let record = board.record(seq);
                record.tx != tx || record.is_sacked()
            };
            if !settled {
                if tx > newest_tx {
                    break;
                }
                let due = board.record(seq).sent_at + self.rtt + reo_wnd;
                if due > now {
                    return due;
                }
                if board.mark_lost(seq) {
                    found(seq, board.record(seq));
                }
            }
            self.sent.pop_front();
        }
        Time::MAX
    }
}
