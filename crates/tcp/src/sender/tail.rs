// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tail loss probes (RFC 8985, section 7).

use super::detection::lost_packet;
use super::{Forced, Mode, Sender};
use crate::event::Event;
use control::{LossVerdict, LostPacket};
use units::{Span, Time};

/// The newest tail loss probe, and the time of the next tail loss probe.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub(super) struct TailProbe {
    /// PTO: time at which the next probe is due.
    pub(super) due: Time,
    /// TLP.end_seq: one more than the last segment that was outstanding when the probe was sent, if a probe is in
    /// flight.
    pub(super) end: Option<u64>,
    /// TLP.is_retrans: the segment that the probe retransmitted, if it did not carry new data.
    pub(super) repeated: Option<LostPacket>,
    /// Whether the RTT was measured since the last probe. At the start of the connection, the RTT of the handshake
    /// counts.
    pub(super) sampled: bool,
}

impl TailProbe {
    /// The state in which no probe is scheduled and no probe is in flight (section 7.1).
    pub(super) const NONE: Self = Self { due: Time::MAX, end: None, repeated: None, sampled: true };

    /// Cancels the scheduled probe and forgets the probe in flight, because a recovery begins (section 7.1).
    pub(super) const fn reset(&mut self) {
        self.due = Time::MAX;
        self.settle();
    }

    /// Records that no probe is in flight any more.
    pub(super) const fn settle(&mut self) {
        (self.end, self.repeated) = (None, None);
    }
}

impl Sender {
    /// Schedules the tail loss probe (RFC 8985 section 7.2).
    pub(super) fn schedule_tail_probe(&mut self, now: Time) {
        self.detection.tail.due = Time::MAX;
        if self.recovery.is_repairing() || self.board.sacked_out() > 0 {
            return;
        }
        let mut pto = self.timer.rtt.srtt().map_or(Span::from_secs(1), |srtt| srtt * 2);
        if let Some(delayed) = self.config.delayed_ack
            && self.board.outstanding() == 1
        {
            pto = pto + delayed.at_most();
        }
        self.detection.tail.due = (now + pto).min(self.timer.due);
    }

    /// Makes the scheduled probe earlier if necessary, because new data are sent. The probe must be sent at the latest
    /// one timeout after the oldest outstanding segment was sent (Linux, `tcp_schedule_loss_probe()`).
    pub(super) fn hasten_tail_probe(&mut self, now: Time) {
        let oldest = self.board.record(self.board.una()).sent_at + self.timer.rto();
        if oldest > now {
            self.detection.tail.due = self.detection.tail.due.min(oldest);
        }
    }

    /// Causes an acknowledgement by sending new data or by retransmitting the last segment (RFC 8985 section 7.3).
    pub(super) fn probe_tail(&mut self, now: Time) {
        self.detection.tail.due = Time::MAX;
        if self.board.outstanding() == 0 {
            return;
        }
        self.timer.restart(now);
        if self.detection.tail.end.is_some() || !self.detection.tail.sampled {
            // At most one probe may be in flight, and the RTT must be measured between two probes.
            return;
        }
        self.detection.tail.sampled = false;
        self.log.stats.tail_probes += 1;
        let next = self.board.next();
        if self.has_data(now) && next < self.flow.limit {
            self.recovery.forced = Some(Forced::New);
            self.detection.tail.end = Some(next + 1);
        } else {
            let seq = next - 1;
            let packet = lost_packet(self.buffer.len(seq), self.config.mss, self.board.record(seq));
            self.recovery.forced = Some(Forced::Repair(seq));
            self.detection.tail.end = Some(next);
            self.detection.tail.repeated = Some(packet);
        }
    }

    /// Processes an acknowledgement that advances, with respect to the last tail loss probe (RFC 8985 section 7.4.2).
    pub(super) fn settle_tail_probe(&mut self, now: Time) {
        let una = self.board.una();
        match (self.detection.tail.end, self.detection.tail.repeated) {
            (Some(end), None) if una >= end => self.detection.tail.end = None,
            (Some(end), Some(packet)) if una > end => {
                // The probe repaired a loss that no other report has shown, so the loss is now reported to congestion
                // control.
                self.detection.tail.settle();
                if self.recovery.mode == Mode::Open {
                    self.cc.rates.lost += u64::from(packet.bytes);
                    self.log.stats.lost += 1;
                    self.detection.found.add(end - 1, packet);
                    let verdict = self.announce(now, packet.bytes.into(), true, self.board.pipe());
                    self.log.events.push(Event::Loss { seq: end - 1, tx: packet.tx, verdict: Some(verdict) });
                    self.detection.found.clear();
                    if verdict == LossVerdict::Congestion {
                        self.log.stats.episodes += 1;
                        self.recovery.episode += 1;
                        self.tell(now, |controller, control| controller.on_recovery_exit(now, control));
                    }
                }
            }
            _ => {}
        }
    }
}
