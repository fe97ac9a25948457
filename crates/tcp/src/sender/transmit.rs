// SPDX-License-Identifier: MIT OR Apache-2.0
//! Transmission: which segments may be sent, and at which time.

use super::tso::Burst;
use super::{Forced, Sender, Stage};
use crate::pacing::Pacer;
use crate::scoreboard::Record;
use crate::{AfterIdle, Config, Ecn, Flags, Recovery, Segment, SegmentKind, Setup};
use control::{Idle, Limit, Limited, PacketKind, Sent, Signals};
use units::{Bytes, Time};

/// The state of pacing.
#[derive(Clone, Debug, saved::Plain)]
pub(super) struct Pacing {
    pub(super) pacer: Pacer,
    /// The burst that is being sent. Used with segmentation offload.
    pub(super) burst: Option<Burst>,
    /// Time at which the next segment may be sent, if this segment is ready and waits for pacing. [`Time::MAX`] means
    /// that no segment is ready.
    pub(super) blocked_until: Time,
}

impl Pacing {
    pub(super) fn new(config: &Config) -> Self {
        let burst = config.tso.then(Burst::default);
        Self { pacer: Pacer::default(), burst, blocked_until: Time::MAX }
    }
}

/// The transmissions so far, and the reason why no more segments are sent.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(super) struct Transmissions {
    /// Number of the next transmission.
    pub(super) next_tx: u64,
    /// Time at which the newest segment was sent.
    pub(super) last_at: Time,
    /// Time since which no data are outstanding.
    pub(super) idle_since: Time,
    pub(super) limited: Option<Limit>,
    /// Time since which `limited` applies.
    pub(super) limited_since: Time,
    /// With [`crate::Trickle`]: one more than the newest segment that was sent before the application began to write at
    /// its rate.
    pub(super) before_trickle: u64,
}

impl Sender {
    /// Returns the next segment that is sent at `now`, or `None` if no segment may be sent.
    pub fn poll_transmit(&mut self, now: Time) -> Option<Segment> {
        self.pacing.blocked_until = Time::MAX;
        if self.connection.stage < Stage::Running {
            return self.open(now);
        }
        let chosen = if self.pacing.burst.is_some() { self.choose_in_burst(now) } else { self.choose(now) };
        if let Some(seq) = chosen {
            let release = self.cc.release(self.pacing.pacer.release());
            if release <= now {
                return Some(self.transmit(now, seq));
            }
            self.pacing.blocked_until = release;
        }
        if self.flow.asks {
            return Some(self.ask_for_window(now));
        }
        // Segments that the window allows are sent before probes. Routers use the same order.
        if self.probe_due() <= now { self.probe(now) } else { None }
    }

    /// Time at which the next probe is sent. While the controller holds data back, probes also wait.
    pub(super) fn probe_due(&self) -> Time {
        self.probing.due().max(self.cc.control.hold_until.unwrap_or(Time::ZERO))
    }

    /// Sends a probe. A probe has no record and no timer, and does not count in the window.
    fn probe(&mut self, now: Time) -> Option<Segment> {
        let (una, next) = (self.board.una(), self.board.next());
        let end =
            if self.connection.stage == Stage::Running { self.buffer.end.min(self.flow.limit) } else { next };
        let seq = self.probing.take(now, una, next, end)?;
        if seq < next {
            self.board.carry(seq);
        }
        let len = self.buffer.len(seq);
        self.log.stats.probes += 1;
        Some(Segment { timestamp: now, seq: seq as u32, len, kind: SegmentKind::Probe, ..Segment::default() })
    }

    /// Counts the next new segment as sent and acknowledged, because a probe has already delivered it.
    pub(super) fn skip_delivered(&mut self, now: Time) {
        self.board.push_ahead(Record { sent_at: now, tx: self.sent.next_tx, ..Record::default() });
        self.sent.next_tx += 1;
    }

    #[cold]
    fn skip_all_delivered(&mut self, now: Time) {
        self.probing.ahead.remove_below(self.board.next());
        while self.probing.ahead.first().is_some_and(|(from, _)| from == self.board.next()) {
            self.skip_delivered(now);
            self.probing.ahead.remove_below(self.board.next());
        }
    }

    /// Returns the next segment that the windows allow. Forced segments come first, then repairs and then new data.
    #[expect(clippy::inline_always, reason = "with and without bursts; a call per packet otherwise")]
    #[inline(always)]
    pub(super) fn choose(&mut self, now: Time) -> Option<u64> {
        match self.recovery.forced {
            Some(Forced::New) if self.has_data(now) => return Some(self.board.next()),
            Some(Forced::Repair(seq)) if seq >= self.board.una() && !self.board.record(seq).is_sacked() => {
                return Some(seq);
            }
            _ => self.recovery.forced = None,
        }
        if !self.window_open() {
            let next = self.board.next();
            // The congestion window does not limit a FIN without data.
            let fin = next == self.buffer.control
                && (self.config.fin_beyond_window || next == self.buffer.data_end);
            let leaves = fin && self.has_data(now) && next < self.flow.limit;
            self.buffer.closed |= leaves;
            return leaves.then_some(next);
        }
        if self.board.lost_out() > 0
            && let Some(seq) = self.board.next_repair()
        {
            if self.repairs_now(now) {
                return Some(seq);
            }
            if !self.has_new(now) {
                return None;
            }
        }
        if !self.probing.ahead.is_empty() {
            self.skip_all_delivered(now);
        }
        let limit = if !self.has_data(now) {
            self.pacing.blocked_until = self.data_at(now);
            Limit::Application
        } else if self.board.next() >= self.flow.limit {
            self.persist(now);
            Limit::Receiver
        } else {
            return Some(self.board.next());
        };
        if self.sent.limited != Some(limit) && !self.is_complete() {
            (self.sent.limited, self.sent.limited_since) = (Some(limit), now);
            self.log.stats.receiver_limited += u64::from(limit == Limit::Receiver);
            if limit == Limit::Application {
                self.cc.rates.app_limited(self.bytes_of(self.board.pipe()).get());
            }
            self.tell(now, |controller, control| controller.on_limited(&Limited { now, by: limit }, control));
        }
        None
    }

    /// Whether there are data that are available now and were never sent.
    pub(super) fn has_data(&self, now: Time) -> bool {
        self.data_at(now) <= now
    }

    /// Time at which the application writes the next new segment, or [`Time::MAX`] if it never does.
    fn data_at(&self, now: Time) -> Time {
        let next = self.board.next();
        if self.connection.stage != Stage::Running || next >= self.buffer.end {
            return Time::MAX;
        }
        if self.trickles(now) { self.written_at(next) } else { Time::ZERO }
    }

    /// Whether the application currently writes at its rate.
    fn trickles(&self, now: Time) -> bool {
        self.config.trickle.is_some_and(|trickle| now >= self.connection.began + trickle.begins)
    }

    /// Time at which the application wrote the last byte of a segment.
    fn written_at(&self, seq: u64) -> Time {
        let Some(trickle) = self.config.trickle else { return self.connection.began };
        let from = self.sent.before_trickle.max(self.connection.first);
        let took = trickle.rate.time_for(Bytes::new(self.buffer.bytes(from, seq + 1)));
        self.connection.began + trickle.begins + took.min(trickle.lasts)
    }

    /// Whether congestion control allows one more segment.
    pub(super) fn window_open(&self) -> bool {
        let mut pipe = self.board.pipe();
        if let Some(release) = &self.recovery.release {
            return release.lets_out(pipe, self.cc.window);
        }
        if !self.config.limited_transmit && !self.recovery.is_repairing() && self.board.lost_out() == 0 {
            // If RFC 3042 is off, SACKed segments do not allow new segments until a loss is detected.
            pipe += self.board.sacked_out();
        }
        // The condition is pipe + 1 <= floor(W).
        pipe < self.inflated_window()
    }

    /// The window in segments, plus the segments that duplicate ACKs allow beyond it.
    pub(super) fn inflated_window(&self) -> u64 {
        self.cc.window.saturating_add_signed(self.recovery.reno.inflation)
    }

    /// Adds the time in which the application or the receiver's window has limited sending until now.
    fn end_limit(&mut self, now: Time) {
        let Some(limit) = self.sent.limited.take() else { return };
        let lasted = now.since(self.sent.limited_since).nanos();
        match limit {
            Limit::Application => self.log.stats.app_limited_ns += lasted,
            Limit::Receiver => self.log.stats.receiver_limited_ns += lasted,
        }
    }

    fn transmit(&mut self, now: Time, seq: u64) -> Segment {
        let forced = self.recovery.forced.take();
        let is_probe = forced == Some(Forced::New);
        let is_new = seq == self.board.next();
        let len = self.buffer.len(seq);
        let after_idle = self.board.outstanding() == 0;
        if after_idle {
            self.end_persist();
            self.restart_after_idle(now);
            self.cc.rates.restart(now);
            let idle_for = now.since(self.sent.idle_since);
            if self.sent.next_tx > 0 {
                self.tell(now, |controller, control| controller.on_idle(&Idle { now, idle_for }, control));
            }
        }
        self.sent.last_at = now;
        let mut flags = if self.cc.rates.is_app_limited() { Record::APP_LIMITED } else { 0 };
        if is_new && seq < self.probing.reached {
            flags |= Record::CARRIED;
        }
        let record = Record {
            sent_at: now,
            tx: self.sent.next_tx,
            delivered: self.cc.rates.delivered,
            delivered_at: self.cc.rates.delivered_at,
            first_sent_at: self.cc.rates.first_sent_at,
            lost_at_send: self.cc.rates.lost,
            in_flight: (self.board.pipe() + 1) as u32,
            propagation_ns: self.cc.propagation_ns(now),
            flags,
        };
        self.sent.next_tx += 1;
        self.log.stats.sent += 1;
        self.log.stats.sent_bytes += u64::from(len);
        if is_new {
            self.end_limit(now);
            if self.config.trickle.is_some() && !self.trickles(now) {
                self.sent.before_trickle = seq + 1;
            }
            self.board.push(record);
            if let Some(ns2) = &mut self.detection.ns2 {
                ns2.on_new(now, seq);
            }
        } else {
            self.log.stats.retransmitted += 1;
            let alone = !self.recovery.is_repairing() && self.board.repaired_out() == 0;
            self.recovery.undo.on_retransmission(now, alone);
            self.board.retransmit(seq, record);
            if let Some(again) = &mut self.detection.again {
                again.on_repair(seq, record.tx);
            }
        }
        // Segments that are sent regardless of the window do not show how much of it is used.
        if forced.is_none() {
            self.cc.note_usage(&self.board);
            if self.config.slow_start_after_idle == AfterIdle::Linux {
                self.note_unused(now);
            }
        }
        if let Some(release) = &mut self.recovery.release {
            release.on_sent(self.board.pipe());
        }
        if let Some(rate) = self.cc.control.pacing {
            let quantum = self.cc.control.quantum.unwrap_or(Bytes::new(self.config.mss.into()));
            self.pacing.pacer.sent(now, len, rate, quantum, self.config.pacing_credit);
        }
        // RFC 6298 (5.1): start the timer if it is not running. As in Linux, if SACK shows that the oldest segment must
        // be repaired, this repair gets a full timeout.
        if self.timer.due == Time::MAX
            || (!is_new && seq == self.board.una() && self.selective() && self.detection.ns2.is_none())
        {
            self.timer.restart(now);
        }
        if self.config.recovery == Recovery::RackTlp {
            self.detection.rack.on_sent(seq, record.tx);
            if is_new && !is_probe {
                self.schedule_tail_probe(now);
                if self.config.tail_probe_by_oldest && self.detection.tail.due != Time::MAX {
                    self.hasten_tail_probe(now);
                }
            }
        }
        if self.cc.uses.contains(Signals::SENT) {
            let event = Sent {
                now,
                tx: record.tx,
                bytes: len,
                kind: if is_new { PacketKind::Data } else { PacketKind::Retransmission },
                in_flight: self.bytes_of(self.board.pipe()),
                after_idle,
            };
            self.tell(now, |controller, control| controller.on_sent(&event, control));
        }
        let (mut kind, mut len, mut flags) = (SegmentKind::Data, len, self.ecn.stamp(is_new));
        if self.pacing.burst.is_some() {
            flags |= self.push();
        }
        if seq == self.buffer.control {
            (kind, len, flags) = self.control_bits(now, seq, is_new, len, flags);
        }
        let (seq, stamp) = (seq as u32, self.last_ack.stamp);
        Segment { timestamp: now, seq, len, kind, flags, stamp, ..Segment::default() }
    }

    /// Returns the kind, the length and the flags of a segment with SYN or FIN, which is sent now.
    #[cold]
    fn control_bits(
        &mut self,
        now: Time,
        seq: u64,
        is_new: bool,
        len: u32,
        flags: Flags,
    ) -> (SegmentKind, u32, Flags) {
        if self.config.setup != Setup::Ns2Linux {
            return (SegmentKind::Data, len, self.close(now, seq, is_new, flags));
        }
        self.log.stats.sent_bytes -= u64::from(len);
        self.log.stats.syns += 1;
        self.log.stats.sent -= 1;
        self.log.stats.retransmitted -= u64::from(!is_new);
        (SegmentKind::Syn, 0, flags)
    }

    /// Returns the flags of the last segment with data, or of the segment with FIN, which is sent now. If the
    /// application closes only after the last data were sent, the segment with data carries no FIN, and a separate
    /// segment with FIN follows.
    fn close(&mut self, now: Time, seq: u64, is_new: bool, flags: Flags) -> Flags {
        if seq == self.buffer.data_end {
            // RFC 3168, section 6.1.4: a segment without data is not ECN-capable. With DCTCP, it is ECN-capable in
            // Linux (tcp_ecn_send).
            return self.config.ecn.map_or(Flags::NONE, Ecn::control) | Flags::FIN;
        }
        // RFC 9293, section 3.10.4: FIN follows when all earlier data have been segmentized. The application closes
        // when it has written all data. If data still wait at this time, the last of them carries FIN (Linux,
        // tcp_send_fin).
        if is_new && !self.buffer.closed && self.written_at(seq) == now {
            self.buffer.append_fin();
            return flags | Flags::PSH;
        }
        flags | Flags::FIN
    }
}
