// SPDX-License-Identifier: MIT OR Apache-2.0
//! The start of a connection at the listening side.

use super::Receiver;
use crate::sender::ecn::syn_ack_flags;
use crate::{AfterLostSyn, Config, Flags, Segment, SegmentKind, Setup};
use units::{Span, Time};

/// Pending answers to SYNs, and their repetition.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub(super) struct Listening {
    /// Whether a SYN-ACK must be sent.
    pub(super) answers: bool,
    /// When the SYN-ACK is repeated; [`Time::MAX`]: the state is not SYN-RECEIVED.
    pub(super) due: Time,
    /// Whether a SYN has arrived.
    called: bool,
    /// The flags of the newest SYN.
    syn: Flags,
    /// Whether a SYN-ACK echoes the first SYN that arrived.
    echoes_first: bool,
    setup: Setup,
    /// Number of expirations of the timer of the SYN-ACK.
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

    /// Whether the SYN is treated as an ordinary segment.
    pub(super) fn is_in_stream(&self) -> bool {
        self.setup == Setup::Ns2Linux
    }

    /// The SYN-ACK was not acknowledged in time: it is sent again.
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
            // The connection is established, so this is an old SYN that its repetition has overtaken (RFC 9293, section
            // 3.10.7.4).
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

    /// The state becomes ESTABLISHED.
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

    /// The SYN-ACK that is sent at `now`.
    #[cold]
    pub(super) fn answer_syn(&mut self, now: Time) -> Segment {
        let listening = &mut self.listening;
        listening.answers = false;
        // RFC 6298, section 5: the SYN-ACK has its own timer, which doubles at each expiration. A repeated SYN restarts
        // it.
        listening.due = now + (listening.initial_rto * (1 << listening.timeouts)).min(listening.max_rto);
        self.last_ack = self.next;
        if let Some(relay) = &mut self.relay {
            relay.on_told(self.next, self.window);
        }
        let flags = syn_ack_flags(self.ecn.kind(), self.listening.syn);
        // The first data echo this stamp, which gives the first sample of the receiver's round trip
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
