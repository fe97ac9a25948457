// SPDX-License-Identifier: MIT OR Apache-2.0
//! The start of a connection on the listening side.

use super::Receiver;
use crate::sender::ecn::syn_ack_flags;
use crate::{AfterLostSyn, Config, Flags, Segment, SegmentKind, Setup};
use units::{Span, Time};

/// The state of the answers to SYNs, and of their repetition.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub(super) struct Listening {
    /// Whether a SYN-ACK must be sent.
    pub(super) answers: bool,
    /// Time at which the SYN-ACK is repeated. [`Time::MAX`] means that the state is not SYN-RECEIVED.
    pub(super) due: Time,
    /// Whether a SYN has arrived.
    called: bool,
    /// The flags of the newest SYN.
    syn: Flags,
    /// Whether a SYN-ACK echoes the timestamp of the first SYN that arrived. If not, it echoes the newest SYN.
    echoes_first: bool,
    setup: Setup,
    /// Number of expirations of the SYN-ACK's timer.
    timeouts: u32,
    initial_rto: Span,
    max_rto: Span,
}

impl Listening {
    pub(super) fn new(config: &Config) -> Self {
        Self {
            answers: false,
            due: Time::MAX,
            called: false,
            syn: Flags::NONE,
            echoes_first: config.after_lost_syn == AfterLostSyn::Linux,
            setup: config.setup,
            timeouts: 0,
            initial_rto: config.initial_rto,
            max_rto: config.max_rto,
        }
    }

    /// Whether a SYN has arrived.
    pub(super) fn was_called(&self) -> bool {
        self.called
    }

    /// Whether the SYN is treated as an ordinary segment of the stream.
    pub(super) fn is_in_stream(&self) -> bool {
        self.setup == Setup::Ns2Linux
    }

    /// Handles the expired timer of the SYN-ACK: the SYN-ACK is sent again.
    #[cold]
    pub(super) fn handle_timeout(&mut self) {
        self.due = Time::MAX;
        self.timeouts = (self.timeouts + 1).min(32);
        self.answers = true;
    }
}

impl Receiver {
    /// Handles a SYN, or the ACK that ends the handshake.
    #[cold]
    pub(super) fn handle_setup(&mut self, now: Time, segment: &Segment) {
        if segment.kind == SegmentKind::HandshakeAck {
            self.establish(now);
            self.echo = self.echo.max(segment.timestamp);
            return;
        }
        if self.listening.called && self.listening.due == Time::MAX && !self.listening.answers {
            // The connection is already established, so this SYN is old and was overtaken by its repetition (RFC 9293,
            // section 3.10.7.4).
            self.ack_now = true;
            return;
        }
        if !self.listening.called || !self.listening.echoes_first {
            self.echo = segment.timestamp;
        }
        self.one_way_delay_ns = u32::try_from(now.since(segment.timestamp).nanos()).unwrap_or(u32::MAX);
        if segment.len > 0 && !self.listening.called {
            // RFC 7413, section 4.2.2: the cookie is valid, so the data are delivered to the application.
            self.stats.received_bytes += u64::from(segment.len);
            self.next += 1;
            self.stats.delivered += 1;
            self.stats.delivered_bytes += u64::from(segment.len);
            self.settle_window();
            self.begin_window(now);
        }
        self.listening.called = true;
        self.listening.syn = segment.flags;
        self.listening.answers = true;
    }

    /// Changes the state to ESTABLISHED.
    #[cold]
    pub(super) fn establish(&mut self, now: Time) {
        self.listening.due = Time::MAX;
        self.begin_window(now);
    }

    fn begin_window(&mut self, now: Time) {
        if let Some(linux) = &mut self.linux {
            linux.begin(now);
        }
    }

    /// Returns the SYN-ACK that is sent at `now`.
    #[cold]
    pub(super) fn answer_syn(&mut self, now: Time) -> Segment {
        let listening = &mut self.listening;
        listening.answers = false;
        // RFC 6298, section 5: the SYN-ACK has its own timer, whose timeout doubles at each expiration. A repeated SYN
        // restarts this timer.
        listening.due = now + (listening.initial_rto * (1 << listening.timeouts)).min(listening.max_rto);
        self.last_ack = self.next;
        if let Some(relay) = &mut self.relay {
            relay.on_told(self.next, self.window);
        }
        let flags = syn_ack_flags(self.ecn.kind(), self.listening.syn);
        // The first data echo this stamp, and so provide the receiver's first sample of the round-trip time
        // (tcp_rcv_rtt_measure_ts).
        let stamp = self.linux.as_mut().map_or(0, |linux| linux.stamp(now));
        Segment {
            timestamp: self.echo,
            seq: self.next as u32,
            len: self.one_way_delay_ns,
            window: self.window,
            kind: SegmentKind::SynAck,
            flags,
            stamp,
            ..Segment::default()
        }
    }
}
