// SPDX-License-Identifier: MIT OR Apache-2.0
//! What may leave, and leaving.

use super::{Forced, Sender, Stage};
use crate::scoreboard::Record;
use crate::{Ecn, Flags, Recovery, Segment, SegmentKind, Setup};
use control::{Idle, Limit, Limited, PacketKind, Sent, Signals};
use units::{Bytes, Time};

impl Sender {
    /// The next segment that leaves at `now`, or `None`.
    pub fn poll_transmit(&mut self, now: Time) -> Option<Segment> {
        self.blocked_until = Time::MAX;
        if self.stage < Stage::Running {
            return self.open(now);
        }
        let chosen = if self.burst_of.is_some() { self.choose_in_burst(now) } else { self.choose(now) };
        if let Some(seq) = chosen {
            let paced = if self.control.pacing.is_some() { self.pacer.release() } else { Time::ZERO };
            let release = self.control.hold_until.map_or(paced, |hold| hold.max(paced));
            if release <= now {
                return Some(self.transmit(now, seq));
            }
            self.blocked_until = release;
        }
        if self.persist.asks {
            return Some(self.ask_for_window(now));
        }
        // What the window lets out goes first, here as in the routers.
        if self.probe_due() <= now { self.probe(now) } else { None }
    }

    /// When the next probe leaves: a hold is one for probes too.
    pub(super) fn probe_due(&self) -> Time {
        self.probing.due().max(self.control.hold_until.unwrap_or(Time::ZERO))
    }

    /// A probe: no record, no timer, no window.
    fn probe(&mut self, now: Time) -> Option<Segment> {
        let (una, next) = (self.board.una(), self.board.next());
        let end = if self.stage == Stage::Running { self.sizes.end.min(self.receive_limit) } else { next };
        let seq = self.probing.take(now, una, next, end)?;
        if seq < next {
            self.board.carry(seq);
        }
        let len = self.sizes.len(seq);
        self.stats.probes += 1;
        Some(Segment { timestamp: now, seq: seq as u32, len, kind: SegmentKind::Probe, ..Segment::default() })
    }

    /// The next new segment is at the receiver already, brought by a probe: it counts as sent and acknowledged.
    pub(super) fn skip_delivered(&mut self, now: Time) {
        self.board.push_ahead(Record { sent_at: now, tx: self.next_tx, ..Record::default() });
        self.next_tx += 1;
    }

    #[cold]
    fn skip_all_delivered(&mut self, now: Time) {
        self.probing.ahead.remove_below(self.board.next());
        while self.probing.ahead.first().is_some_and(|(from, _)| from == self.board.next()) {
            self.skip_delivered(now);
            self.probing.ahead.remove_below(self.board.next());
        }
    }

    /// The segment that the windows let out: forced ones first, then repairs, then new data.
    #[expect(clippy::inline_always, reason = "with and without bursts; a call per packet otherwise")]
    #[inline(always)]
    pub(super) fn choose(&mut self, now: Time) -> Option<u64> {
        match self.forced {
            Some(Forced::New) if self.has_data(now) => return Some(self.board.next()),
            Some(Forced::Repair(seq)) if seq >= self.board.una() && !self.board.record(seq).is_sacked() => {
                return Some(seq);
            }
            _ => self.forced = None,
        }
        if !self.window_open() {
            let next = self.board.next();
            // A FIN without data is none of what the window holds back.
            let fin =
                next == self.sizes.control && (self.config.fin_beyond_window || next == self.sizes.data_end);
            let leaves = fin && self.has_data(now) && next < self.receive_limit;
            self.closed |= leaves;
            return leaves.then_some(next);
        }
        if self.board.lost_out() > 0
            && let Some(seq) = self.board.next_repair()
        {
            return Some(seq);
        }
        if !self.probing.ahead.is_empty() {
            self.skip_all_delivered(now);
        }
        let limit = if !self.has_data(now) {
            self.blocked_until = self.data_at();
            Limit::Application
        } else if self.board.next() >= self.receive_limit {
            self.persist(now);
            Limit::Receiver
        } else {
            return Some(self.board.next());
        };
        if self.limited != Some(limit) && !self.is_complete() {
            self.limited = Some(limit);
            self.limited_since = now;
            self.stats.receiver_limited += u64::from(limit == Limit::Receiver);
            if limit == Limit::Application {
                self.rates.app_limited(self.bytes_of(self.board.pipe()).get());
            }
            self.tell(now, |controller, control| controller.on_limited(&Limited { now, by: limit }, control));
        }
        None
    }

    /// Whether there is data that was never sent.
    pub(super) fn has_data(&self, now: Time) -> bool {
        self.data_at() <= now
    }

    /// When the application has written the next new segment; [`Time::MAX`]: never.
    fn data_at(&self) -> Time {
        let next = self.board.next();
        if self.stage != Stage::Running || next >= self.sizes.end {
            return Time::MAX;
        }
        if self.config.trickle.is_none() { Time::ZERO } else { self.written_at(next) }
    }

    /// When the application wrote the last byte of a segment.
    fn written_at(&self, seq: u64) -> Time {
        let (start, first) = self.began;
        let Some(trickle) = self.config.trickle else { return start };
        let took = trickle.rate.time_for(Bytes::new(self.sizes.bytes(first, seq + 1)));
        start + took.min(trickle.lasts)
    }

    /// Whether congestion control lets one more segment out.
    pub(super) fn window_open(&self) -> bool {
        let mut pipe = self.board.pipe();
        if let Some(release) = &self.release {
            return release.lets_out(pipe, self.window.0);
        }
        if !self.config.limited_transmit && !self.is_repairing() && self.board.lost_out() == 0 {
            // RFC 3042 off: SACKed segments let nothing out until a loss is found.
            pipe += self.board.sacked_out();
        }
        // pipe + 1 <= floor(W)
        pipe < self.window.0.saturating_add_signed(self.inflation)
    }

    fn transmit(&mut self, now: Time, seq: u64) -> Segment {
        let is_probe = self.forced.take() == Some(Forced::New);
        let is_new = seq == self.board.next();
        let len = self.sizes.len(seq);
        let after_idle = self.board.outstanding() == 0;
        if after_idle {
            self.end_persist();
            self.rates.restart(now);
            let idle_for = now.since(self.idle_since);
            if self.next_tx > 0 {
                self.tell(now, |controller, control| controller.on_idle(&Idle { now, idle_for }, control));
            }
        }
        self.last_sent_at = now;
        let mut flags = if self.rates.is_app_limited() { Record::APP_LIMITED } else { 0 };
        if is_new && seq < self.probing.reached {
            flags |= Record::CARRIED;
        }
        let record = Record {
            sent_at: now,
            tx: self.next_tx,
            delivered: self.rates.delivered,
            delivered_at: self.rates.delivered_at,
            first_sent_at: self.rates.first_sent_at,
            lost_at_send: self.rates.lost,
            in_flight: (self.board.pipe() + 1) as u32,
            propagation_ns: self.propagation_ns(now),
            flags,
        };
        self.next_tx += 1;
        self.stats.sent += 1;
        self.stats.sent_bytes += u64::from(len);
        if is_new {
            if self.limited.take() == Some(Limit::Application) {
                self.stats.app_limited_ns += now.since(self.limited_since).nanos();
            }
            self.board.push(record);
            if let Some(ns2) = &mut self.ns2 {
                ns2.on_new(now, seq);
            }
        } else {
            self.stats.retransmitted += 1;
            self.board.retransmit(seq, record);
            if let Some(again) = &mut self.again {
                again.on_repair(seq, record.tx);
            }
            if self.is_repairing() {
                self.undo.on_retransmission(now);
            }
        }
        self.note_usage();
        if let Some(release) = &mut self.release {
            release.on_sent(self.board.pipe());
        }
        if let Some(rate) = self.control.pacing {
            let quantum = self.control.quantum.unwrap_or(Bytes::new(self.config.mss.into()));
            self.pacer.sent(now, len, rate, quantum, self.config.pacing_credit);
        }
        // RFC 6298 (5.1): start the timer if it is not running. As Linux: the repair of the oldest segment, when
        // SACK says that it is needed, gets a full timeout of its own.
        if self.rto_at == Time::MAX
            || (!is_new && seq == self.board.una() && self.selective() && self.ns2.is_none())
        {
            self.rto_at = now + self.rtt.rto();
        }
        if self.config.recovery == Recovery::RackTlp {
            self.rack.on_sent(seq, record.tx);
            if is_new && !is_probe {
                self.schedule_tail_probe(now);
            }
        }
        if self.uses.contains(Signals::SENT) {
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
        if self.burst_of.is_some() {
            flags |= self.push();
        }
        if seq == self.sizes.control {
            (kind, len, flags) = self.control_bits(now, seq, is_new, (len, flags));
        }
        let (seq, stamp) = (seq as u32, self.stamp);
        Segment { timestamp: now, seq, len, kind, flags, stamp, ..Segment::default() }
    }

    /// The segment with SYN or FIN leaves: what it is, its length and bits.
    #[cold]
    fn control_bits(
        &mut self,
        now: Time,
        seq: u64,
        is_new: bool,
        (len, flags): (u32, Flags),
    ) -> (SegmentKind, u32, Flags) {
        if self.config.setup != Setup::Ns2Linux {
            return (SegmentKind::Data, len, self.close(now, seq, is_new, flags));
        }
        self.stats.sent_bytes -= u64::from(len);
        self.stats.syns += 1;
        self.stats.sent -= 1;
        self.stats.retransmitted -= u64::from(!is_new);
        (SegmentKind::Syn, 0, flags)
    }

    /// The bits of the segment with FIN, which leaves now; one with data may be left without it.
    fn close(&mut self, now: Time, seq: u64, is_new: bool, flags: Flags) -> Flags {
        if seq == self.sizes.data_end {
            // RFC 3168, section 6.1.4: no data, not ECN-capable; DCTCP's are in Linux (tcp_ecn_send).
            return self.config.ecn.map_or(Flags::NONE, Ecn::control) | Flags::FIN;
        }
        // RFC 9293, section 3.10.4: FIN follows when all that was sent before has been segmentized; the application closes
        // when it has written. What is still there then takes FIN along (Linux, tcp_send_fin).
        if is_new && !self.closed && self.written_at(seq) == now {
            self.sizes.append_fin();
            return flags | Flags::PSH;
        }
        flags | Flags::FIN
    }

    fn propagation_ns(&self, now: Time) -> u32 {
        if !self.uses.contains(Signals::PROPAGATION) {
            return Record::UNKNOWN;
        }
        let rtt = self.path.as_ref().and_then(|path| path.propagation_rtt(now));
        rtt.and_then(|rtt| u32::try_from(rtt.nanos()).ok()).unwrap_or(Record::UNKNOWN)
    }

    /// Linux, `tcp_cwnd_validate()`: was the window the limit, and if not, how much of it was used?
    fn note_usage(&mut self) {
        let outstanding = self.board.outstanding();
        let limited = self.board.pipe() >= self.window.0;
        let usage = &mut self.usage;
        if limited
            || self.board.una() >= usage.until
            || (!usage.limited && outstanding > usage.max_outstanding)
        {
            usage.limited = limited;
            usage.max_outstanding = outstanding;
            usage.until = self.board.next();
        }
    }

    /// Linux, `tcp_is_cwnd_limited()`.
    pub(super) fn is_window_limited(&self) -> bool {
        let slow_start = self.control.ssthresh.is_none_or(|ssthresh| self.control.cwnd < ssthresh);
        self.usage.limited || (slow_start && self.window.0 < 2 * self.usage.max_outstanding)
    }
}
