// SPDX-License-Identifier: MIT OR Apache-2.0
//! Start and end of the connection.
//!
//! The side that sends data opens the connection (RFC 9293, section 3.5). The segments are SYN, SYN-ACK and ACK, and
//! then data immediately, as from an application that writes as soon as it is connected. With Fast Open (RFC 7413; the
//! cookie is known and valid), the first SYN carries the data that fit into it. All other data wait for the SYN-ACK. As
//! in Linux, repeated SYNs carry no data. A SYN is repeated without end, because the flow decides when to give up, not
//! TCP.
//!
//! The application closes when it has written all data. If the last data segment was not sent yet, it carries FIN.
//! Otherwise, FIN follows immediately in a separate segment without data. A SYN never carries FIN. After
//! [`Sender::stop`], there is no FIN. The receiver's own FIN is not simulated.

use super::{Sender, ecn};
use crate::scoreboard::Scoreboard;
use crate::{AfterLostSyn, Segment, SegmentKind, Setup};
use control::Start;
use units::{Span, Time};

/// RFC 6298 (5.7): the first timeout of data, if the SYN's timer has expired before.
const RTO_AFTER_LOST_SYN: Span = Span::from_secs(3);

/// The state of the connection from the first SYN to the end of the transfer.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
pub(super) struct Connection {
    pub(super) stage: Stage,
    pub(super) handshake: Handshake,
    /// The first segment whose data were not carried by a SYN. The next field is the time from which it could be sent.
    pub(super) first: u64,
    pub(super) began: Time,
    pub(super) completed_at: Option<Time>,
}

/// Stage of the connection. Before `Running`, no data may be sent. After `Running`, no new data may be sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, saved::Plain)]
pub(super) enum Stage {
    /// The connection was not started, or was stopped before it was established.
    #[default]
    Created,
    /// SYN-SENT: a SYN was sent, or is about to be sent.
    Opening,
    /// The SYN-ACK must be acknowledged before anything else is sent.
    Answered,
    Running,
    Stopped,
}

/// The state of the exchange of SYNs.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
pub(super) struct Handshake {
    /// Whether a SYN must be sent.
    due: bool,
    /// Time at which the first SYN was sent.
    first_sent: Time,
    /// Number of expirations of the SYN's timer.
    timeouts: u32,
    /// Whether the flow has stopped. After the handshake, no new data are then sent.
    stopped: bool,
}

impl Sender {
    /// Starts the flow. From now on, its SYN may be sent. If there is no set-up, its data may be sent.
    pub fn start(&mut self, now: Time) {
        if matches!(self.config.setup, Setup::None | Setup::Ns2Linux) {
            self.connection.stage = Stage::Running;
            self.establish(now, self.config.initial_window, None);
        } else {
            self.connection.stage = Stage::Opening;
            self.connection.handshake.due = true;
        }
    }

    /// Starts sending, because the other half of the connection has completed the handshake. The sender of the other
    /// half is the peer. `rtt` is the time between the SYN-ACK and the segment that acknowledged it, if the SYN-ACK was
    /// sent only once (Karn's rule). `repeated` is the number of repetitions of the SYN-ACK.
    pub fn start_accepted(&mut self, now: Time, rtt: Option<Span>, repeated: u32) {
        self.connection.stage = Stage::Running;
        if let Some(rtt) = rtt {
            self.timer.sample(rtt);
            (self.timer.handshake_rtt, self.timer.min_rtt) = (Some(rtt), None);
        }
        // RFC 5681, section 3.1, and RFC 6298, section 5.7, also apply to SYN-ACKs. Linux counts both
        // (tcp_init_transfer).
        let lost = match self.config.after_lost_syn {
            AfterLostSyn::Rfc => repeated > 0,
            AfterLostSyn::Linux => repeated > 1,
        };
        if lost && self.config.after_lost_syn == AfterLostSyn::Rfc {
            self.timer.begin_with(RTO_AFTER_LOST_SYN);
        }
        self.establish(now, if lost { 1 } else { self.config.initial_window }, rtt);
    }

    /// Stops the flow. From now on, no new data are sent, but outstanding data are still repaired. A connection that is
    /// not established is abandoned.
    pub fn stop(&mut self, _now: Time) {
        match self.connection.stage {
            Stage::Created | Stage::Opening => {
                self.connection.stage = Stage::Created;
                self.timer.stop();
            }
            Stage::Answered => self.connection.handshake.stopped = true,
            Stage::Running | Stage::Stopped => self.connection.stage = Stage::Stopped,
        }
    }

    /// Whether the controller's `on_start` was called.
    pub fn is_established(&self) -> bool {
        self.connection.stage > Stage::Opening
    }

    /// Returns the next segment of the set-up: a SYN, or the answer to a SYN-ACK.
    #[cold]
    pub(super) fn open(&mut self, now: Time) -> Option<Segment> {
        let seq = self.board.una() as u32;
        if self.connection.stage == Stage::Answered {
            self.connection.stage =
                if self.connection.handshake.stopped { Stage::Stopped } else { Stage::Running };
            return Some(Segment {
                timestamp: now,
                seq,
                kind: SegmentKind::HandshakeAck,
                flags: ecn::handshake_ack_flags(self.config.ecn),
                ..Segment::default()
            });
        }
        if !std::mem::take(&mut self.connection.handshake.due) {
            return None;
        }
        let mut len = 0;
        if self.connection.handshake.timeouts == 0 {
            self.connection.handshake.first_sent = now;
            len = self.syn_data();
        }
        self.log.stats.syns += 1;
        // RFC 6298 (2.1): before the first sample, the timeout is one second.
        self.timer.restart(now);
        let flags = ecn::syn_flags(self.config.ecn);
        Some(Segment { timestamp: now, seq, len, kind: SegmentKind::Syn, flags, ..Segment::default() })
    }

    /// Payload of the first SYN, in bytes.
    fn syn_data(&self) -> u32 {
        let first = self.board.una();
        if self.config.syn_room() > 0 && first < self.buffer.end { self.buffer.len(first) } else { 0 }
    }

    /// Handles an expired timer if no data are outstanding. A SYN may be outstanding.
    #[cold]
    pub(super) fn repeat_syn(&mut self) {
        if self.connection.stage == Stage::Opening {
            self.connection.handshake.timeouts += 1;
            self.connection.handshake.due = true;
            self.timer.back_off();
        }
    }

    /// Processes a segment that is not an acknowledgement of data, or that arrives before the connection is
    /// established. The segment may be a SYN-ACK.
    #[cold]
    pub(super) fn handle_answer(&mut self, now: Time, answer: &Segment) {
        if answer.kind != SegmentKind::SynAck {
            return;
        }
        match self.connection.stage {
            // There is no connection that could answer.
            Stage::Created | Stage::Answered => {}
            Stage::Opening => self.finish_opening(now, answer),
            Stage::Running | Stage::Stopped if self.config.setup == Setup::Ns2 => {}
            // The ACK was lost, or two SYN-ACKs were in flight. The SYN-ACK is acknowledged again (RFC 9293, section
            // 3.10.7.4).
            Stage::Running | Stage::Stopped => {
                self.connection.handshake.stopped = self.connection.stage == Stage::Stopped;
                self.connection.stage = Stage::Answered;
            }
        }
    }

    fn finish_opening(&mut self, now: Time, answer: &Segment) {
        self.connection.stage =
            if self.config.setup == Setup::Ns2 { Stage::Running } else { Stage::Answered };
        self.last_ack.stamp = answer.stamp;
        self.timer.stop();
        let timeouts = self.connection.handshake.timeouts;
        // RFC 7323, section 4: the echoed timestamp identifies the SYN that is answered, whether it was a repetition or
        // not. Without timestamps, Karn's rule applies.
        let timestamps = self.config.timestamps;
        let rtt = (timestamps || timeouts == 0).then(|| now.since(answer.timestamp));
        if let Some(rtt) = rtt {
            self.timer.sample(rtt);
        }
        // The smallest RTT counts only data. SYNs are shorter, and Linux's modules restart when the connection is
        // established.
        (self.timer.handshake_rtt, self.timer.min_rtt) = (rtt, None);
        let lost = match self.config.after_lost_syn {
            AfterLostSyn::Rfc => {
                if timeouts > 0 {
                    self.timer.begin_with(RTO_AFTER_LOST_SYN);
                }
                timeouts > 0
            }
            AfterLostSyn::Linux => {
                let first = timestamps && answer.timestamp == self.connection.handshake.first_sent;
                timeouts > 1 && !first
            }
        };
        let (first, len) = (self.board.una(), self.syn_data());
        if len > 0 && answer.seq == (first + 1) as u32 {
            // The data of the SYN count as sent and acknowledged at the same time.
            self.board = Scoreboard::new(first + 1);
            self.log.stats.sent_bytes += u64::from(len);
            self.log.stats.delivered_bytes += u64::from(len);
            self.cc.rates.delivered += u64::from(len);
        }
        self.flow.limit = self.flow.limit.max(self.board.una() + u64::from(answer.window));
        let initial_window = if lost { 1 } else { self.config.initial_window };
        self.establish(now, initial_window, rtt);
    }

    /// Establishes the connection, and calls the controller's `on_start`.
    fn establish(&mut self, now: Time, initial_window: u32, rtt: Option<Span>) {
        (self.connection.began, self.connection.first) = (now, self.board.una());
        self.sent.idle_since = now;
        let (path, provided) = self.cc.provided(now, &self.config);
        let event = Start {
            now,
            mss: self.config.mss,
            initial_window,
            provided,
            path,
            saved: self.config.saved_path,
            rtt,
            seed: self.config.seed,
        };
        self.cc.control.cwnd = self.bytes_of(initial_window.into());
        self.tell(now, |controller, control| controller.on_start(&event, control));
        self.complete_if_done(now);
    }
}
