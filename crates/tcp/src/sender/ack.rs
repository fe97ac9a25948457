// SPDX-License-Identifier: MIT OR Apache-2.0
//! Processing of acknowledgements.

use super::{Mode, Order, Sender, Stage};
use crate::accurate::Marks;
use crate::recovery::News;
use crate::scoreboard::Record;
use crate::segment::{Flags, expand};
use crate::{ReceiveWindow, Recovery, Segment, SegmentKind};
use control::{Ack, AckedPacket, PacketKind, Signals};
use units::{Bytes, Span, Time};

/// The sending times of the segments that an acknowledgement newly covers.
#[derive(Default)]
struct SentTimes {
    /// Sending time of the first segment that is cumulatively acknowledged and was never retransmitted.
    acknowledged: Option<Time>,
    /// Sending time of the first segment that is SACKed and was never retransmitted.
    sacked: Option<Time>,
    /// Whether a cumulatively acknowledged segment was retransmitted.
    repeated: bool,
}

/// The data that an acknowledgement newly covers.
#[derive(Default)]
struct NewlyCovered {
    segments: u64,
    bytes: u64,
    /// Number of bytes that the cumulative acknowledgement newly covers.
    cumulative: u64,
    /// The most recently sent segment among those that are newly covered.
    newest: Option<Record>,
    /// Whether data arrived that a probe had delivered before.
    confirmed: bool,
    /// Used with ns-2's agents: whether there are new SACKs outside a recovery.
    heard: bool,
    /// Sending times of the newly covered segments.
    left: SentTimes,
    /// For F-RTO: whether one of the newly covered segments was sent before the timeout and never retransmitted.
    original: bool,
    /// The marks that the acknowledgement reports.
    marks: Marks,
}

impl NewlyCovered {
    fn add(&mut self, len: u32, record: &Record) {
        self.segments += 1;
        self.bytes += u64::from(len);
        if self.newest.is_none_or(|newest| record.tx > newest.tx) {
            self.newest = Some(*record);
        }
    }
}

/// The content of the newest acknowledgement.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(super) struct LastAck {
    /// The stamp of the receiver, which data must echo.
    pub(super) stamp: u8,
    /// The SACK blocks as they arrived.
    pub(super) blocks: [[u32; 2]; 3],
    pub(super) rtt: Option<Span>,
    /// Number of segments that the acknowledgement newly covers, or 0 if a timeout caused the call.
    pub(super) newly: u64,
    /// The newly covered segments, if the controller uses per-packet ACKs.
    packets: Vec<AckedPacket>,
}

impl Sender {
    /// Handles an acknowledgement that arrived.
    pub fn handle(&mut self, now: Time, ack: &Segment) {
        self.log.events.clear();
        self.last_ack.rtt = None;
        let una = self.board.una();
        let seq = expand(ack.seq, una);
        if !matches!(ack.kind, SegmentKind::Ack | SegmentKind::ProbeAck)
            || self.connection.stage < Stage::Running
        {
            self.handle_answer(now, ack);
            return;
        }
        let probes = u32::from(ack.kind == SegmentKind::ProbeAck);
        if self.probing.reached > self.board.next() {
            self.learn_ahead(now, ack, seq);
        }
        if seq > self.board.next() {
            return;
        }
        self.log.stats.acks += 1;
        self.last_ack.stamp = ack.stamp;
        let limit = self.flow.limit;
        self.flow.limit = limit.max(seq + u64::from(ack.window));
        let outstanding = self.board.outstanding();
        let in_flight_before = self.board.pipe();
        let advanced = seq.saturating_sub(una);
        let (lost, episode) = (self.log.stats.lost, self.recovery.episode);
        let mut newly = self.account(now, ack, seq);
        newly.marks = self.ecn.marks(ack, newly.segments, newly.bytes);
        self.last_ack.newly = newly.segments;
        self.recovery.order = Order::RepairsFirst;
        if let (Some(again), Some(newest)) = (&mut self.detection.again, &newly.newest) {
            again.on_delivered(newest);
        }
        // RFC 5681 section 2: a duplicate acknowledgement does not advance, although data are outstanding.
        let duplicate = seq == una && outstanding > 0 && probes == 0 && !self.is_update(ack, limit);
        self.log.stats.duplicate_acks += u64::from(duplicate);
        if self.detection.ns2.is_some() && advanced > 0 {
            self.take_timed(now, seq);
        }
        let rtt = self.sample_rtt(now, ack, advanced > 0, &newly);
        self.last_ack.rtt = rtt;
        if advanced > 0 && self.cc.validation.is_some() {
            self.measure_use(now);
        }
        if newly.segments > 0 || duplicate || probes > 0 {
            newly.cumulative = self.buffer.bytes(una, seq.max(una));
            self.tell_ack(now, ack, duplicate, in_flight_before, &newly);
        }
        if let Some(spurious) = self.spurious_by_dsack(ack) {
            self.undo_episode(now, spurious);
        }
        if advanced > 0 {
            self.judge_delayed(now, ack.timestamp);
        }
        if self.recovery.f_rto && self.recovery.mode == Mode::Timeout {
            let reported = newly.left.sacked.is_some() || duplicate;
            self.judge_timeout(now, advanced > 0, newly.original, reported);
        }
        if advanced > 0 {
            self.advance(now, advanced);
        } else if duplicate && (newly.heard || !self.selective()) {
            self.count_duplicate(now);
        } else if self.config.sack_restarts_timer && rtt.is_some() {
            self.restart_timer_by_sack(now, newly.newest.as_ref());
        }
        if advanced == 0 && outstanding > 0 && self.config.timeouts == crate::Timeouts::Ns2Linux {
            // LinuxTcpAgent::time_processing calls set_rtx_timer() for every ACK.
            self.timer.restart(now);
        }
        let may_show_losses = match self.config.recovery {
            Recovery::Reno | Recovery::NewReno => false,
            Recovery::Sack => self.board.sacked_out() > 0,
            Recovery::RackTlp => newly.segments > 0 || newly.confirmed,
        } && self.recovery.order != Order::NewOnly;
        if may_show_losses {
            self.detect_losses(now);
        }
        if newly.marks.packets > 0 {
            self.log.stats.marks += newly.marks.packets;
            self.hear_marks(now, newly.newest.as_ref(), in_flight_before);
        }
        // During a recovery, ns-2's Sack1 removes one segment from the pipe for each acknowledgement.
        if self.recovery.release.is_some() && (newly.segments > 0 || self.detection.ns2.is_some()) {
            self.tell_release(News {
                segments: newly.segments,
                advanced: advanced > 0,
                lost: self.log.stats.lost != lost,
                first: self.recovery.episode != episode,
            });
        }
        self.complete_if_done(now);
    }

    /// Whether an ACK only moves the right edge of the window, which was at `limit` (RFC 5681, section 2, (e)). With a
    /// growing window, the result is always false: early data also move the edge, so an ACK that moves it acknowledges
    /// data.
    fn is_update(&self, ack: &Segment, limit: u64) -> bool {
        ack.sack_count == 0
            && self.flow.limit > limit
            && !matches!(self.config.receive_window, ReceiveWindow::Growing(_))
    }

    /// Records the segments beyond the window that probes have delivered. If segments are cumulatively acknowledged
    /// before they were sent, they count as sent and acknowledged.
    fn learn_ahead(&mut self, now: Time, ack: &Segment, seq: u64) {
        let (una, next, reached) = (self.board.una(), self.board.next(), self.probing.reached);
        for block in ack.blocks() {
            let (from, to) = (expand(block[0], una).max(next), expand(block[1], una).min(reached));
            if from < to {
                self.probing.ahead.insert(from, to, |_, _| {});
            }
        }
        while self.board.next() < seq.min(reached) {
            self.skip_delivered(now);
        }
    }

    /// Processes the data that the acknowledgement covers.
    fn account(&mut self, now: Time, ack: &Segment, seq: u64) -> NewlyCovered {
        let mut newly = NewlyCovered::default();
        self.last_ack.packets.clear();
        let una = self.board.una();
        let (buffer, packets, rack) = (&self.buffer, &mut self.last_ack.packets, &mut self.detection.rack);
        let per_packet = self.cc.uses.contains(Signals::PER_PACKET);
        let by_time = self.config.recovery == Recovery::RackTlp;
        let by_probe = ack.kind == SegmentKind::ProbeAck;
        let timestamps = self.config.timestamps;
        let min_rtt = self.timer.least_rtt();
        if ack.flags.has(Flags::DSACK) && ack.sack_count > 0 {
            let seq = expand(ack.sack[0][0], una);
            if let Some(record) = self.board.confirm(seq) {
                newly.confirmed = true;
                if by_time {
                    rack.on_delivered(now, seq, &record, min_rtt, None);
                }
            }
        }
        // For F-RTO, step 3.b: segments below this number were sent before the timeout.
        let before = if self.recovery.f_rto { self.recovery.recover } else { 0 };
        let cumulative = seq;
        let mut fresh = |seq: u64, record: &Record| {
            let len = buffer.len(seq);
            newly.add(len, record);
            if record.is_ambiguous() {
                newly.left.repeated |= seq < cumulative;
            } else {
                let first =
                    if seq < cumulative { &mut newly.left.acknowledged } else { &mut newly.left.sacked };
                first.get_or_insert(record.sent_at);
                newly.original |= seq < before;
            }
            if by_time && !(by_probe && record.is_carried()) {
                // RFC 7323 section 4.3: the echoed timestamp is that of the segment at the left edge.
                let echo = (timestamps && seq == una).then_some(ack.timestamp);
                rack.on_delivered(now, seq, record, min_rtt, echo);
            }
            if per_packet {
                packets.push(acked_packet(len, record));
            }
        };
        // RFC 8985 section 6.2, step 3, requires "ascending order of Segment.end_seq". If a delayed acknowledgement
        // covers a segment together with a SACK above it, the segment would otherwise look reordered.
        let mut again = false;
        if seq > una {
            again = self.board.acknowledge(seq, &mut fresh);
        }
        if let Some(ns2) = &mut self.detection.ns2
            && self.recovery.mode != Mode::Recovery
        {
            newly.heard = seq == una && ns2.hear(ack, una, self.board.next());
        } else if matches!(self.config.recovery, Recovery::Sack | Recovery::RackTlp) {
            let (mut blocks, mut count) = ([(0, 0); 3], 0);
            for block in ack.blocks() {
                // The receiver repeats its blocks. A block that was already in the last ACK is not new.
                if !self.last_ack.blocks.contains(block) {
                    blocks[count] = (expand(block[0], una), expand(block[1], una));
                    count += 1;
                }
            }
            if count > 1 {
                blocks[..count].sort_unstable();
            }
            for &(from, to) in &blocks[..count] {
                self.board.sack(from, to, by_probe, &mut fresh);
            }
            if !ack.flags.has(Flags::DSACK) {
                self.last_ack.blocks = ack.sack;
            }
        }
        newly.left.repeated |= again;
        // The packets are in the order of sending. Only retransmissions can violate this order.
        if !self.last_ack.packets.is_sorted_by_key(|packet| packet.tx) {
            self.last_ack.packets.sort_unstable_by_key(|packet| packet.tx);
        }
        newly
    }

    /// Processes the RTT sample for the timeout, and returns the RTT sample of the newest packet.
    ///
    /// The sample for the timeout comes from the first possible source in this list (RFC 7323, section 4.1; Linux,
    /// `tcp_ack_update_rtt()`):
    ///
    /// - the first newly acknowledged segment, if none of the newly acknowledged segments was retransmitted (Karn's
    ///   rule);
    /// - the first newly SACKed segment that was not retransmitted;
    /// - the echoed timestamp, if the left edge moves.
    ///
    /// The smallest RTT comes from the newest segment, because this segment waited least for the acknowledgement. In
    /// `tcp_clean_rtx_queue()`, `seq_rtt_us` is the RTT of the first segment, and `ca_rtt_us` is the RTT of the last
    /// segment.
    fn sample_rtt(&mut self, now: Time, ack: &Segment, advanced: bool, newly: &NewlyCovered) -> Option<Span> {
        let newest = newly.newest.as_ref()?;
        if ack.kind == SegmentKind::ProbeAck {
            // The probe may have delivered the segment. The record and the echo may then belong to a transmission that
            // was much earlier.
            return None;
        }
        // Karn's rule: the acknowledgement of a retransmitted segment is a sample only if its timestamp identifies the
        // transmission.
        let echo = (advanced && self.config.timestamps).then_some(ack.timestamp);
        let certain = !newest.is_ambiguous() || echo == Some(newest.sent_at);
        let sample = certain.then(|| now.since(newest.sent_at));
        if self.detection.ns2.is_some() {
            self.timer.note(now.since(newest.sent_at));
        } else {
            let acknowledged_at = newly.left.acknowledged.filter(|_| !newly.left.repeated);
            let sent_at = acknowledged_at.or(newly.left.sacked).or(echo)?;
            self.timer.sample(now.since(sent_at));
            if let Some(sample) = sample {
                self.timer.note(sample);
            }
        }
        self.detection.tail.sampled = true;
        sample
    }

    /// Linux, `tcp_clean_rtx_queue()`: restarts the timer if the SACKed data were sent before the last transmission of
    /// the oldest segment.
    fn restart_timer_by_sack(&mut self, now: Time, newest: Option<&Record>) {
        let oldest = self.board.record(self.board.una()).sent_at;
        if newest.is_some_and(|newest| newest.sent_at < oldest) {
            self.timer.restart(now);
        }
    }

    #[cold]
    fn tell_release(&mut self, news: News) {
        let (in_flight, window) = (self.board.pipe(), self.cc.window);
        if let Some(release) = &mut self.recovery.release {
            release.on_ack(news, in_flight, window);
        }
        if !news.first {
            self.recovery.release.take_if(|release| release.is_over(window));
        }
    }

    fn tell_ack(
        &mut self,
        now: Time,
        ack: &Segment,
        duplicate: bool,
        in_flight_before: u64,
        newly: &NewlyCovered,
    ) {
        self.log.stats.delivered_bytes += newly.bytes;
        let newest = newly.newest.as_ref();
        let mut round_start = false;
        let mut rate = None;
        if let Some(newest) = newest {
            round_start = self.cc.rates.delivered(now, newly.bytes, newest);
            if self.cc.uses.contains(Signals::RATE_SAMPLE) {
                rate = self.cc.rates.sample(newest, self.config.mss, self.timer.min_rtt);
            }
        }
        let event = Ack {
            now,
            acked: Bytes::new(newly.bytes),
            cumulative: Some(Bytes::new(newly.cumulative)),
            duplicate: Some(duplicate),
            rtt: self.last_ack.rtt,
            srtt: self.timer.rtt.srtt(),
            min_rtt: self.timer.min_rtt,
            ack_delay: None,
            one_way_delay_ns: (ack.kind == SegmentKind::Ack).then_some(ack.len.into()),
            sent_at: newest.map(|record| record.sent_at),
            propagation_rtt: newest.and_then(propagation),
            total_sent: Bytes::new(self.log.stats.sent_bytes),
            total_delivered: Bytes::new(self.cc.rates.delivered),
            total_lost: Bytes::new(self.cc.rates.lost),
            rate,
            in_flight_before: self.bytes_of(in_flight_before),
            in_flight: self.bytes_of(self.board.pipe()),
            round: self.cc.rates.round,
            round_start,
            in_recovery: match self.recovery.mode {
                // Linux, tcp_cong_control: an acknowledgement that reports marks does not increase the window.
                Mode::Open => newly.marks.packets > 0 && !self.ecn.unanswered,
                Mode::Reduction | Mode::Recovery => true,
                Mode::Timeout => false,
            },
            cwnd_limited: match self.cc.validation {
                None => self.cc.is_window_limited(),
                Some(_) => self.may_widen(now),
            },
            app_limited: newest.is_some_and(Record::is_app_limited),
            receiver_limited: self.sent.limited == Some(control::Limit::Receiver),
            ce: Bytes::new(newly.marks.bytes),
            congestion_warning: ack.flags.has(Flags::WARNED),
            probes: u32::from(ack.kind == SegmentKind::ProbeAck),
            packets: &self.last_ack.packets,
            reordered: self.config.growth_when_reordered
                && self.detection.rack.reordering() > u64::from(self.config.dup_thresh),
        };
        let phase = self.cc.control.phase;
        self.cc.controller.on_ack(&event, &mut self.cc.control);
        self.obey(now);
        self.log.note_phase(phase, self.cc.control.phase);
    }

    /// Processes an advance of the cumulative acknowledgement by `advanced` segments.
    fn advance(&mut self, now: Time, advanced: u64) {
        self.timer.expirations = 0;
        let una = self.board.una();
        if let Some(ns2) = &mut self.detection.ns2
            && self.recovery.mode != Mode::Recovery
        {
            ns2.on_advance();
        }
        self.settle_tail_probe(now);
        let mut restart_timer = true;
        match (self.recovery.mode, self.config.recovery) {
            (Mode::Reduction, _) if una > self.recovery.recover => self.leave_reduction(now),
            (Mode::Open | Mode::Reduction, _) => self.recovery.deflate(),
            (Mode::Timeout, _) if self.detection.ns2.is_some() && una < self.recovery.recover => {
                self.recovery.deflate();
            }
            // RFC 5681 section 3.2, step 6: the next new ACK ends the recovery.
            (Mode::Recovery, Recovery::Reno) => self.leave_recovery(now),
            _ if una >= self.recovery.recover => self.leave_recovery(now),
            (Mode::Recovery, Recovery::NewReno) => {
                // RFC 6582 section 3.2, step 3: only the first partial ACK restarts the timer.
                restart_timer = !self.recovery.reno.partial_seen;
                self.recovery.reno.partial_seen = true;
                self.repair_next_hole(now, advanced);
            }
            _ => {}
        }
        if self.board.outstanding() == 0 {
            self.sent.idle_since = now;
            self.timer.stop();
            self.detection.tail.due = Time::MAX;
        } else {
            if restart_timer {
                self.timer.restart(now);
                if self.detection.ns2.is_some() && self.recovery.mode == Mode::Recovery && self.selective() {
                    self.timer.end_back_off();
                }
            }
            if self.config.recovery == Recovery::RackTlp {
                self.schedule_tail_probe(now);
            }
        }
    }
}

fn propagation(record: &Record) -> Option<Span> {
    (record.propagation_ns != Record::UNKNOWN).then(|| Span::from_nanos(record.propagation_ns.into()))
}

fn acked_packet(len: u32, record: &Record) -> AckedPacket {
    AckedPacket {
        tx: record.tx,
        bytes: len,
        kind: if record.is_ambiguous() { PacketKind::Retransmission } else { PacketKind::Data },
        sent_at: record.sent_at,
        propagation_rtt: propagation(record),
    }
}
