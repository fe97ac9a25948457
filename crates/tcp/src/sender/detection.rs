// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loss detection from the receiver's reports, and the controller's verdicts about losses.

use super::{Forced, Mode, Sender, ns2::Ns2, tail::TailProbe};
use crate::event::Event;
use crate::recovery::{Release, again::LostAgain, rack::Rack};
use crate::scoreboard::Record;
use crate::{Config, Recovery, Repair, Timeouts};
use control::{Loss, LossTrigger, LossVerdict, LostPacket, PacketKind};
use units::{Bytes, Time};

/// The state of loss detection.
#[derive(Clone, saved::Plain)]
pub(super) struct LossDetection {
    pub(super) rack: Rack,
    /// Time at which RACK can detect the next loss.
    pub(super) reorder_at: Time,
    pub(super) tail: TailProbe,
    /// Detection of lost repairs. Used only with TCP-Linux of ns-2.
    pub(super) again: Option<Box<LostAgain>>,
    pub(super) ns2: Option<Box<Ns2>>,
    pub(super) found: Found,
}

/// Losses that one event has shown. The memory is used again for the next event.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(super) struct Found {
    seqs: Vec<u64>,
    packets: Vec<LostPacket>,
}

impl LossDetection {
    pub(super) fn new(config: &Config) -> Self {
        Self {
            rack: Rack::default(),
            reorder_at: Time::MAX,
            tail: TailProbe::NONE,
            again: (config.repair == Repair::RateHalving).then(Box::default),
            ns2: (config.timeouts == Timeouts::Ns2).then(Box::default),
            found: Found::default(),
        }
    }

    /// Time at which the next timer of loss detection expires, or [`Time::MAX`] if no timer is running.
    pub(super) fn next(&self) -> Time {
        self.reorder_at.min(self.tail.due)
    }
}

impl Sender {
    /// Detects the losses that the newest reports show. Used with SACK and RACK.
    pub(super) fn detect_losses(&mut self, now: Time) {
        let (in_flight_before, repairing) = (self.board.pipe(), self.recovery.is_repairing());
        let (found, buffer) = (&mut self.detection.found, &self.buffer);
        let mss = self.config.mss;
        let mut note = |seq: u64, record: &Record| found.add(seq, lost_packet(buffer.len(seq), mss, record));
        if self.config.recovery == Recovery::RackTlp {
            let prompt = repairing || self.board.sacked_out() >= u64::from(self.config.dup_thresh);
            let reo_wnd = self.detection.rack.reo_wnd(prompt, &self.timer);
            let due = self.detection.rack.detect(now, reo_wnd, &mut self.board, note);
            self.detection.reorder_at =
                if due == Time::MAX { due } else { due + self.config.reordering_timer_slack };
        } else {
            let hole = self.detection.ns2.is_some().then_some(1);
            let elder = hole.or_else(|| self.recovery.release.as_ref().and_then(Release::dup_thresh));
            self.board.mark_below_sacked(elder.unwrap_or(self.config.dup_thresh), &mut note);
            if let Some(again) = &mut self.detection.again {
                again.detect(&mut self.board, note);
            }
        }
        self.report(now, in_flight_before);
    }

    /// Counts a duplicate ACK (RFC 5681 section 3.2, RFC 3042). Used without SACK.
    pub(super) fn count_duplicate(&mut self, now: Time) {
        self.recovery.reno.duplicates += 1;
        let (duplicates, threshold) = (self.recovery.reno.duplicates, self.config.dup_thresh);
        if self.recovery.mode == Mode::Timeout {
            // RFC 6582 section 4: duplicates that were caused by segments sent before the timeout contain no
            // information.
            if self.detection.ns2.is_some() && self.config.limited_transmit && duplicates < threshold {
                self.recovery.reno.inflation = duplicates.into();
            }
            return;
        }
        if duplicates >= threshold && self.recovery.mode == Mode::Open && self.is_guarded() {
            return;
        }
        if self.recovery.mode == Mode::Recovery {
            self.recovery.reno.inflation += i64::from(!self.cc.control.owns_recovery);
        } else if duplicates == threshold {
            if self.selective() {
                self.believe_reports(now);
                return;
            }
            self.recovery.reno.inflation = threshold.into();
            self.lose_oldest(now);
        } else {
            let counts = self.config.limited_transmit || duplicates > threshold;
            self.recovery.reno.inflation = if counts { duplicates.into() } else { 0 };
        }
    }

    /// Processes a partial acknowledgement of NewReno (RFC 6582 section 3.2, step 3). The next hole is repaired
    /// immediately. The window is deflated by the acknowledged amount, and then increased by the segment that is sent.
    pub(super) fn repair_next_hole(&mut self, now: Time, advanced: u64) {
        if !self.cc.control.owns_recovery {
            self.recovery.reno.inflation += 1 - advanced.cast_signed();
        }
        self.lose_oldest(now);
    }

    /// Declares the oldest outstanding segment lost, and retransmits it regardless of the window.
    fn lose_oldest(&mut self, now: Time) {
        let in_flight_before = self.board.pipe();
        let seq = self.board.una();
        if self.board.mark_lost(seq) {
            let packet = lost_packet(self.buffer.len(seq), self.config.mss, self.board.record(seq));
            self.detection.found.add(seq, packet);
            self.report(now, in_flight_before);
            self.recovery.forced = Some(Forced::Repair(seq));
        }
    }

    /// Reports the detected losses to the controller. If they are the first losses of an episode, the episode begins.
    fn report(&mut self, now: Time, in_flight_before: u64) {
        let reduced_at = self.recovery.reduced_at;
        let later = self.detection.found.packets.iter().position(|packet| packet.tx >= reduced_at);
        match later {
            // RFC 8257, section 3.5: DCTCP reacts to a loss as TCP does, regardless of earlier reductions for marks
            // (Linux, dctcp_react_to_loss).
            _ if self.recovery.mode == Mode::Reduction && self.ecn.proportional => {
                self.report_found(now, true, in_flight_before);
            }
            // Losses of data that were sent before the newest reduction belong together. All later losses are reported
            // in a second event.
            Some(at) if at > 0 && self.recovery.mode != Mode::Open => {
                let rest = self.detection.found.split_off(at);
                self.report_found(now, false, in_flight_before);
                self.detection.found = rest;
                self.report_found(now, true, in_flight_before);
            }
            _ => self.report_found(now, later.is_some(), in_flight_before),
        }
    }

    /// Like [`Self::report`], for losses of packets that were all sent after the newest reduction (`later`), or that
    /// were all sent before it.
    fn report_found(&mut self, now: Time, later: bool, in_flight_before: u64) {
        let found = &self.detection.found;
        if found.seqs.is_empty() {
            return;
        }
        let lost: u64 = found.packets.iter().map(|packet| u64::from(packet.bytes)).sum();
        self.cc.rates.lost += lost;
        self.log.stats.lost += found.seqs.len() as u64;
        let new_episode = match self.recovery.mode {
            Mode::Open => true,
            // RFC 5681 section 4.3: "loss in two successive windows of data, or the loss of a retransmission" reduces
            // the window twice. RACK knows the sending time of each lost packet (RFC 8985 section 9.3). RFC 6675 waits
            // for the end of the recovery. Linux also waits (tcp_fastretrans_alert).
            Mode::Recovery => {
                later
                    && self.config.recovery == Recovery::RackTlp
                    && !self.config.one_cut_per_recovery
                    && !self.cc.control.owns_recovery
            }
            Mode::Timeout | Mode::Reduction => later,
        };
        let verdict = self.announce(now, lost, new_episode, in_flight_before);
        if self.cc.validation.is_some() {
            let firsts = self.detection.found.packets.iter().filter(|packet| packet.kind == PacketKind::Data);
            let firsts = firsts.count() as u64;
            self.count_repaired(firsts);
        }
        let found = &self.detection.found;
        if verdict == LossVerdict::LinkError {
            self.log.stats.link_errors += found.seqs.len() as u64;
        } else if self.recovery.mode == Mode::Recovery && !new_episode && self.recovery.late.is_none() {
            let beyond = found.seqs.iter().position(|&seq| seq >= self.recovery.recover);
            self.recovery.late = beyond.map(|at| (found.seqs[at], found.packets[at]));
        }
        let losses = found.seqs.iter().zip(&found.packets).enumerate();
        self.log.events.extend(losses.map(|(index, (&seq, packet))| {
            let judged = (new_episode && index == 0).then_some(verdict);
            Event::Loss { seq, tx: packet.tx, verdict: judged }
        }));
        self.detection.found.clear();
        if verdict == LossVerdict::Congestion {
            if new_episode {
                self.open_episode(now);
            } else if self.recovery.mode == Mode::Reduction {
                self.repair_after_mark(now);
            }
        }
    }

    /// Calls the controller with the losses in `found`, and returns its verdict.
    pub(super) fn announce(
        &mut self,
        now: Time,
        lost: u64,
        new_episode: bool,
        in_flight_before: u64,
    ) -> LossVerdict {
        // A reduction starts from FlightSize. FlightSize includes data that were SACKed before the loss was detected.
        let flight = match &self.detection.ns2 {
            Some(_) => self.cc.window,
            None if new_episode => self.flight_size().max(in_flight_before),
            None => in_flight_before,
        };
        if new_episode && self.cc.validation.is_some() {
            self.doubt_window(now, flight);
        }
        let (before, phase) = (self.cc.control.cwnd, self.cc.control.phase);
        let episode = self.recovery.episode + u32::from(new_episode);
        let event = Loss {
            now,
            trigger: LossTrigger::Reordering,
            lost: Bytes::new(lost),
            new_episode,
            episode,
            in_flight_before: self.bytes_of(flight),
            ranges: self.detection.found.ranges(),
            packets: &self.detection.found.packets,
        };
        let verdict = self.cc.controller.on_loss(&event, &mut self.cc.control);
        self.obey(now);
        self.log.note_phase(phase, self.cc.control.phase);
        if verdict == LossVerdict::Congestion && new_episode && self.cc.validation.is_some() {
            self.respond_unvalidated(now);
        }
        let after = self.cc.control.cwnd;
        if new_episode {
            self.log.note_cut(episode, before, after, self.config.mss);
        } else {
            self.log.note_late_cut(episode, before, after, self.config.mss);
        }
        verdict
    }
}

impl Found {
    pub(super) fn add(&mut self, seq: u64, packet: LostPacket) {
        self.seqs.push(seq);
        self.packets.push(packet);
    }
    /// Removes and returns the losses from index `at` on.
    fn split_off(&mut self, at: usize) -> Self {
        Self { seqs: self.seqs.split_off(at), packets: self.packets.split_off(at) }
    }
    pub(super) fn clear(&mut self) {
        self.seqs.clear();
        self.packets.clear();
    }
    /// Number of contiguous ranges of lost segments.
    fn ranges(&self) -> u32 {
        let gaps = self.seqs.windows(2).filter(|pair| pair[1] != pair[0] + 1).count();
        gaps as u32 + u32::from(!self.seqs.is_empty())
    }
}

pub(super) fn lost_packet(len: u32, mss: u32, record: &Record) -> LostPacket {
    LostPacket {
        tx: record.tx,
        bytes: len,
        kind: if record.is_ambiguous() { PacketKind::Retransmission } else { PacketKind::Data },
        sent_at: record.sent_at,
        tx_in_flight: Bytes::new(u64::from(record.in_flight) * u64::from(mss)),
        lost_at_send: Bytes::new(record.lost_at_send),
    }
}
