// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is lost, what follows from it, and when it was not lost after all.

use super::{Forced, Found, Mode, Sender};
use crate::event::Event;
use crate::recovery::{Release, prr::Prr};
use crate::scoreboard::Record;
use crate::segment::{Flags, expand};
use crate::{Recovery, Segment, Timeouts};
use control::{Loss, LossTrigger, LossVerdict, LostPacket, PacketKind, Spurious, Timeout};
use units::{Bytes, Span, Time};

impl Sender {
    /// SACK or RACK: what do the reports say is lost?
    pub(super) fn detect_losses(&mut self, now: Time) {
        let (in_flight_before, repairing) = (self.board.pipe(), self.is_repairing());
        let (found, sizes) = (&mut self.found, &self.sizes);
        let mss = self.config.mss;
        let note = |seq: u64, record: &Record| found.add(seq, lost_packet(sizes.len(seq), mss, record));
        if self.config.recovery == Recovery::RackTlp {
            let (min_rtt, srtt) = (self.rtt.min().unwrap_or_default(), self.rtt.srtt().unwrap_or_default());
            let prompt = repairing || self.board.sacked_out() >= u64::from(self.config.dup_thresh);
            let reo_wnd = self.rack.reo_wnd(prompt, min_rtt, srtt);
            self.reorder_at = self.rack.detect(now, reo_wnd, &mut self.board, note);
        } else {
            let hole = self.ns2.is_some().then_some(1);
            let elder = hole.or_else(|| self.release.as_ref().and_then(Release::dup_thresh));
            self.board.mark_below_sacked(elder.unwrap_or(self.config.dup_thresh), note);
            if let Some(again) = &mut self.again {
                let note =
                    |seq: u64, record: &Record| found.add(seq, lost_packet(sizes.len(seq), mss, record));
                again.detect(&mut self.board, note);
            }
        }
        self.report(now, in_flight_before);
    }

    /// Without SACK: counts a duplicate ACK (RFC 5681 section 3.2, RFC 3042).
    pub(super) fn count_duplicate(&mut self, now: Time) {
        self.duplicates += 1;
        if self.mode == Mode::Timeout {
            // RFC 6582 section 4: duplicates of segments sent before the timeout say nothing.
            if self.ns2.is_some() && self.config.limited_transmit && self.duplicates < self.config.dup_thresh
            {
                self.inflation = self.duplicates.into();
            }
            return;
        }
        let threshold = self.config.dup_thresh;
        if self.duplicates >= threshold && self.mode == Mode::Open && self.is_guarded() {
            return;
        }
        if self.mode == Mode::Recovery {
            self.inflation += i64::from(!self.control.owns_recovery);
        } else if self.duplicates == threshold {
            if self.selective() {
                self.believe_reports(now);
                return;
            }
            self.inflation = threshold.into();
            self.lose_oldest(now);
        } else {
            let counts = self.config.limited_transmit || self.duplicates > threshold;
            self.inflation = if counts { self.duplicates.into() } else { 0 };
        }
    }

    /// NewReno's partial acknowledgement (RFC 6582 section 3.2, step 3): the next hole leaves at once; the window
    /// deflates by what was acknowledged and grows back by the segment that is sent.
    pub(super) fn repair_next_hole(&mut self, now: Time, advanced: u64) {
        if !self.control.owns_recovery {
            self.inflation += 1 - advanced.cast_signed();
        }
        self.lose_oldest(now);
    }

    /// Declares the oldest outstanding segment lost and sends it again whatever the window says.
    fn lose_oldest(&mut self, now: Time) {
        let in_flight_before = self.board.pipe();
        let seq = self.board.una();
        if self.board.mark_lost(seq) {
            let packet = lost_packet(self.sizes.len(seq), self.config.mss, self.board.record(seq));
            self.found.add(seq, packet);
            self.report(now, in_flight_before);
            self.forced = Some(Forced::Repair(seq));
        }
    }

    /// A new acknowledgement outside recovery: duplicates let nothing more out.
    pub(super) fn deflate(&mut self) {
        self.duplicates = 0;
        self.inflation = 0;
    }

    /// Tells the controller about the losses found, and opens an episode if they are the first of one.
    fn report(&mut self, now: Time, in_flight_before: u64) {
        let later = self.found.packets.iter().position(|packet| packet.tx >= self.reduced_at);
        match later {
            // RFC 8257, section 3.5: to a loss DCTCP reacts as TCP does, whatever the marks have taken (Linux,
            // dctcp_react_to_loss).
            _ if self.mode == Mode::Reduction && self.ecn.proportional => {
                self.report_found(now, true, in_flight_before);
            }
            // What was sent before the newest reduction was lost with it; the rest is the next event.
            Some(at) if at > 0 && self.mode != Mode::Open => {
                let rest = self.found.split_off(at);
                self.report_found(now, false, in_flight_before);
                self.found = rest;
                self.report_found(now, true, in_flight_before);
            }
            _ => self.report_found(now, later.is_some(), in_flight_before),
        }
    }

    /// The same for losses of which all or none (`later`) were sent after the newest reduction.
    fn report_found(&mut self, now: Time, later: bool, in_flight_before: u64) {
        if self.found.seqs.is_empty() {
            return;
        }
        let lost: u64 = self.found.packets.iter().map(|packet| u64::from(packet.bytes)).sum();
        self.rates.lost += lost;
        self.stats.lost += self.found.seqs.len() as u64;
        let new_episode = match self.mode {
            Mode::Open => true,
            // RFC 5681 section 4.3: "loss in two successive windows of data, or the loss of a retransmission" lowers
            // the window twice. RACK dates each loss (RFC 8985 section 9.3); RFC 6675 waits for the end of recovery.
            // Linux (tcp_fastretrans_alert) waits too.
            Mode::Recovery => {
                later
                    && self.config.recovery == Recovery::RackTlp
                    && !self.config.one_cut_per_recovery
                    && !self.control.owns_recovery
            }
            Mode::Timeout | Mode::Reduction => later,
        };
        let verdict = self.announce(now, lost, new_episode, in_flight_before);
        if verdict == LossVerdict::LinkError {
            self.stats.link_errors += self.found.seqs.len() as u64;
        } else if self.mode == Mode::Recovery && !new_episode && self.late.is_none() {
            let beyond = self.found.seqs.iter().position(|&seq| seq >= self.recover);
            self.late = beyond.map(|at| (self.found.seqs[at], self.found.packets[at]));
        }
        let losses = self.found.seqs.iter().zip(&self.found.packets).enumerate();
        self.events.extend(losses.map(|(index, (&seq, packet))| {
            let judged = (new_episode && index == 0).then_some(verdict);
            Event::Loss { seq, tx: packet.tx, verdict: judged }
        }));
        self.found.clear();
        if verdict == LossVerdict::Congestion {
            if new_episode {
                self.open_episode(now);
            } else if self.mode == Mode::Reduction {
                self.repair_after_mark(now);
            }
        }
    }

    /// Calls the controller with what stands in `found`.
    fn announce(&mut self, now: Time, lost: u64, new_episode: bool, in_flight_before: u64) -> LossVerdict {
        // What a reduction starts from is FlightSize, which counts what was SACKed before the loss was found.
        let flight = match &self.ns2 {
            Some(_) => self.window.0,
            None if new_episode => self.flight_size().max(in_flight_before),
            None => in_flight_before,
        };
        let (before, phase) = (self.control.cwnd, self.control.phase);
        let event = Loss {
            now,
            trigger: LossTrigger::Reordering,
            lost: Bytes::new(lost),
            new_episode,
            episode: self.episode + u32::from(new_episode),
            in_flight_before: self.bytes_of(flight),
            ranges: self.found.ranges(),
            packets: &self.found.packets,
        };
        let verdict = self.controller.on_loss(&event, &mut self.control);
        self.obey(now);
        self.note_phase(phase);
        self.note_cut(before);
        verdict
    }

    /// RFC 5681 FlightSize, without what limited transmit sent beyond the window (section 3.2, step 1).
    pub(super) fn flight_size(&self) -> u64 {
        self.board.outstanding().min(self.window.0.max(self.board.pipe()))
    }

    fn open_episode(&mut self, now: Time) {
        self.stats.episodes += 1;
        self.episode += 1;
        self.mode = Mode::Recovery;
        self.recovery_began.get_or_insert((now, self.rtt.srtt()));
        self.recover = self.board.next();
        self.reduced_at = self.next_tx;
        self.late = None;
        self.ecn.reduced();
        self.partial_seen = false;
        self.tail.reset();
        self.undo.begin(self.episode, self.board.una(), self.board.repaired_out() > 0);
        self.restart_timer(now);
        if self.selective() {
            self.inflation = 0;
            // RFC 6675 section 5, step 4.3: the first repair leaves whatever the pipe says.
            self.forced = self.board.next_repair().map(Forced::Repair);
        }
        if self.selective() && !self.control.owns_recovery {
            let (board, window) = (&self.board, self.window.0);
            let reports = self.ns2.as_ref().map(|_| u64::from(self.config.dup_thresh));
            let (outstanding, sacked) = (board.outstanding(), reports.unwrap_or(board.sacked_out()));
            self.release = if self.config.uses_prr() {
                Some(Release::Prr(Prr::new(outstanding, sacked, self.newly)))
            } else {
                let least = if self.controller.keeps_window_in_repair() { window } else { window / 2 };
                Release::of_repair(self.config.repair, outstanding, sacked, board.pipe(), least)
            };
        }
        if self.control.owns_recovery {
            self.inflation = 0;
        }
    }

    /// Everything sent before the episode began is acknowledged.
    pub(super) fn leave_recovery(&mut self, now: Time) {
        if self.ns2.is_some() {
            self.end_scoreboard();
        }
        if let Some(again) = &mut self.again {
            // TCP-Linux: scb_->ClearScoreBoard(), what was sent since included.
            again.forget();
            self.late = None;
            self.forget_reports();
        }
        let release = self.release.take();
        self.close_episode(now);
        let in_flight = self.board.pipe();
        self.release = release.and_then(|release| release.repaired(in_flight, self.window.0));
        self.rack.on_recovery_exit();
        self.tell(now, |controller, control| controller.on_recovery_exit(now, control));
        let late = self.late.take().filter(|&(seq, _)| seq >= self.board.una() && self.board.lost_out() > 0);
        if let Some((seq, packet)) = late {
            // Data sent after the cut was lost as well, and is still missing: the next episode.
            self.found.add(seq, packet);
            let verdict = self.announce(now, 0, true, self.board.pipe());
            self.found.clear();
            if verdict == LossVerdict::Congestion {
                self.open_episode(now);
            }
        }
    }

    fn close_episode(&mut self, now: Time) {
        (self.stats.longest_recovery, self.stats.longest_recovery_rtts) = self.longest_recovery(now);
        self.recovery_began = None;
        self.mode = Mode::Open;
        self.release = None;
        self.forced = None;
        self.deflate();
    }

    /// The retransmission timer expired (RFC 6298 section 5, RFC 5681 section 3.1).
    pub(super) fn time_out(&mut self, now: Time) {
        self.rto_at = Time::MAX;
        if self.board.outstanding() == 0 {
            self.repeat_syn();
            self.wonder_at_window();
            return;
        }
        self.stats.timeouts += 1;
        self.timeouts_in_a_row += 1;
        if self.timeouts_in_a_row == 1 {
            self.episode += 1;
            self.undo.begin(self.episode, self.board.una(), self.board.repaired_out() > 0);
        }
        self.rtt.back_off();
        let in_flight_before = self.reduced_from();
        if self.ns2.is_some() {
            self.go_back();
        }
        let lost = self.presume_lost(now);
        self.stats.presumed_lost += lost;
        self.rates.lost += self.bytes_of(lost).get();
        self.close_episode(now);
        self.mode = Mode::Timeout;
        self.recover = self.board.next();
        self.reduced_at = self.next_tx;
        self.late = None;
        self.ecn.reduced();
        // RFC 6298 (5.4): the earliest segment leaves, whatever is still thought to be in flight.
        self.forced = Some(Forced::Repair(self.board.una()));
        self.tail.reset();
        let before = self.control.cwnd;
        // ns-2's agents lower their threshold each time.
        let each = self.config.timeouts != Timeouts::Rfc6298;
        let consecutive = if each { 1 } else { self.timeouts_in_a_row };
        let episode = self.episode;
        let event = Timeout { now, consecutive, in_flight_before, episode };
        self.tell(now, |controller, control| controller.on_timeout(&event, control));
        if self.recording {
            self.events.push(Event::Timeout);
        }
        self.note_cut(before);
        self.rto_at = now + self.rtt.rto();
    }

    /// Marks what a timeout presumes lost; returns how many segments that is news for.
    fn presume_lost(&mut self, now: Time) -> u64 {
        if self.config.recovery != Recovery::RackTlp {
            if let Some(again) = &mut self.again {
                again.forget();
            }
            return self.board.mark_all_lost(|_, _| true);
        }
        // RFC 8985 section 6.3: the oldest, and those sent longer ago than a round trip.
        let (min_rtt, srtt) = (self.rtt.min().unwrap_or_default(), self.rtt.srtt().unwrap_or_default());
        let reo_wnd = self.rack.reo_wnd(true, min_rtt, srtt);
        let (una, rack) = (self.board.una(), &self.rack);
        self.board.mark_all_lost(|seq, record| seq == una || rack.overdue(now, record.sent_at, reo_wnd))
    }

    /// A DSACK: what does it say about the newest episode?
    pub(super) fn spurious_by_dsack(&mut self, ack: &Segment) -> Option<u32> {
        if !ack.flags.has(Flags::DSACK) || ack.sack_count == 0 || !self.selective() {
            return None;
        }
        let una = self.board.una();
        let (from, to) = (expand(ack.sack[0][0], una), expand(ack.sack[0][1], una));
        self.rack.on_dsack(una, self.board.next());
        if self.tail.repeated.is_some() && self.tail.end == Some(to) {
            self.tail.end = None;
            self.tail.repeated = None;
        }
        self.undo.on_dsack(from, to).filter(|_| self.config.undo)
    }

    /// The episode was spurious: the controller takes its reduction back (RFC 4015).
    pub(super) fn undo_episode(&mut self, now: Time, episode: u32) {
        self.stats.spurious += 1;
        if self.mode == Mode::Timeout {
            self.board.forgive();
        }
        if self.mode != Mode::Open {
            self.close_episode(now);
        }
        if self.recording {
            self.events.push(Event::Spurious);
        }
        self.tell(now, |controller, control| controller.on_spurious(&Spurious { now, episode }, control));
    }

    /// Arms the tail loss probe (RFC 8985 section 7.2).
    pub(super) fn schedule_tail_probe(&mut self, now: Time) {
        self.tail.due = Time::MAX;
        if self.is_repairing() || self.board.sacked_out() > 0 {
            return;
        }
        let mut pto = self.rtt.srtt().map_or(Span::from_secs(1), |srtt| srtt * 2);
        if let Some(delayed) = self.config.delayed_ack
            && self.board.outstanding() == 1
        {
            pto = pto + delayed.at_most();
        }
        self.tail.due = (now + pto).min(self.rto_at);
    }

    /// Sends new data, or the last segment again, to provoke an acknowledgement (RFC 8985 section 7.3).
    pub(super) fn probe_tail(&mut self, now: Time) {
        self.tail.due = Time::MAX;
        if self.board.outstanding() == 0 {
            return;
        }
        self.rto_at = now + self.rtt.rto();
        if self.tail.end.is_some() || !self.tail.sampled {
            // One probe in flight at a time, and an RTT measured since the last one.
            return;
        }
        self.tail.sampled = false;
        self.stats.tail_probes += 1;
        let next = self.board.next();
        if self.has_data(now) && next < self.receive_limit {
            self.forced = Some(Forced::New);
            self.tail.end = Some(next + 1);
        } else {
            let seq = next - 1;
            let packet = lost_packet(self.sizes.len(seq), self.config.mss, self.board.record(seq));
            self.forced = Some(Forced::Repair(seq));
            self.tail.end = Some(next);
            self.tail.repeated = Some(packet);
        }
    }

    /// What an advancing acknowledgement says about the last tail loss probe (RFC 8985 section 7.4.2).
    pub(super) fn settle_tail_probe(&mut self, now: Time) {
        let una = self.board.una();
        match (self.tail.end, self.tail.repeated) {
            (Some(end), None) if una >= end => self.tail.end = None,
            (Some(end), Some(packet)) if una > end => {
                // The probe repaired a loss that nothing else reported: congestion control must hear of it.
                self.tail.end = None;
                self.tail.repeated = None;
                if self.mode == Mode::Open {
                    self.rates.lost += u64::from(packet.bytes);
                    self.stats.lost += 1;
                    self.found.add(end - 1, packet);
                    let verdict = self.announce(now, packet.bytes.into(), true, self.board.pipe());
                    self.events.push(Event::Loss { seq: end - 1, tx: packet.tx, verdict: Some(verdict) });
                    self.found.clear();
                    if verdict == LossVerdict::Congestion {
                        self.stats.episodes += 1;
                        self.episode += 1;
                        self.tell(now, |controller, control| controller.on_recovery_exit(now, control));
                    }
                }
            }
            _ => {}
        }
    }

    /// Records that the window was cut.
    pub(super) fn note_cut(&mut self, before: Bytes) {
        if self.recording && self.control.cwnd < before {
            let mss = self.config.mss;
            let (before, after) = (before.segments(mss), self.control.cwnd.segments(mss));
            self.events.push(Event::Cut { before, after });
        }
    }

    /// Records that the controller is in another phase than `before`.
    pub(super) fn note_phase(&mut self, before: &'static str) {
        if self.recording && before != self.control.phase {
            self.events.push(Event::Phase(self.control.phase));
        }
    }
}

impl Found {
    fn add(&mut self, seq: u64, packet: LostPacket) {
        self.seqs.push(seq);
        self.packets.push(packet);
    }
    /// What comes from place `at` on, taken out.
    fn split_off(&mut self, at: usize) -> Self {
        Self { seqs: self.seqs.split_off(at), packets: self.packets.split_off(at) }
    }
    fn clear(&mut self) {
        self.seqs.clear();
        self.packets.clear();
    }
    /// Discontiguous ranges.
    fn ranges(&self) -> u32 {
        let gaps = self.seqs.windows(2).filter(|pair| pair[1] != pair[0] + 1).count();
        gaps as u32 + u32::from(!self.seqs.is_empty())
    }
}

fn lost_packet(len: u32, mss: u32, record: &Record) -> LostPacket {
    LostPacket {
        tx: record.tx,
        bytes: len,
        kind: if record.is_ambiguous() { PacketKind::Retransmission } else { PacketKind::Data },
        sent_at: record.sent_at,
        tx_in_flight: Bytes::new(u64::from(record.in_flight) * u64::from(mss)),
        lost_at_send: Bytes::new(record.lost_at_send),
    }
}
