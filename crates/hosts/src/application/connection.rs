// SPDX-License-Identifier: MIT OR Apache-2.0
//! One connection at one host. It has a sending half, a receiving half and their counters.

use super::connections::Leaving;
use crate::losses::{Losses, SegmentId};
use crate::messages::Messages;
use crate::meter::Delays;
use crate::packet::SegmentAndMessages;
use crate::tcp::is_counted;
use crate::{AnyBody, FlowEvent, FlowEventKind, Packet, SourceTotals};
use control::{Controller, Ephemeris, PathState, Signals};
use engine::Cause;
use random::{Draw as _, SeedableRng as _, SplitMix64};
use std::sync::Arc;
use tcp::{Event, Receiver, Segment, SegmentKind, Sender, Setup, Transfer};
use units::{Rate, Span, Time};

/// Settings from which a host creates its halves of connections.
#[derive(Clone)]
pub struct Maker {
    /// Settings of the sending halves.
    pub config: tcp::Config,
    /// Settings of the receiving halves.
    pub receives: tcp::Config,
    /// Creates the controller of a connection.
    pub controller: Arc<dyn Fn() -> Box<dyn Controller> + Send + Sync>,
    /// The path from this host, for controllers that use it.
    pub path: Option<Arc<dyn Ephemeris>>,
    /// Additional signals that the network provides.
    pub provided: Signals,
    /// Seed of the random choices of controllers.
    pub seed: u64,
}

impl std::fmt::Debug for Maker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Maker").field("config", &self.config).finish_non_exhaustive()
    }
}

impl Maker {
    /// Returns whether the state of the controllers can be saved.
    pub(crate) fn can_be_saved(&self) -> bool {
        (self.controller)().can_be_saved()
    }

    /// Creates the connection `number` with its sending half and its receiving half. `called` is true on the side that
    /// is called.
    pub(super) fn connection<S>(&self, number: u32, own: S, called: bool) -> Box<Connection<S>> {
        let seed = SplitMix64::seed_from_u64(self.config.seed ^ self.seed ^ u64::from(number)).word();
        let here = tcp::Config { seed, ..self.config.clone() };
        // The half from the called side to the calling side has no handshake of its own.
        let (sends, receives) = if called { (Setup::None, here.setup) } else { (here.setup, Setup::None) };
        let receiver = Receiver::new(&tcp::Config { setup: receives, seed, ..self.receives.clone() });
        let config = tcp::Config { setup: sends, ..here };
        let mut sender =
            Sender::new(config, (self.controller)(), Transfer::Endless, self.path.clone()).writing();
        sender.also_provides(self.provided);
        sender.record_events(true); // cuts, timeouts and undone reductions are counted, logged or not
        Box::new(Connection { number, sender, receiver, messages: Messages::default(), own })
    }
}

/// Returns the rate without headers and the round-trip time of an empty path, or `None` if there is no path.
pub(super) fn empty_path(path: &PathState, config: &tcp::Config) -> Option<traffic::EmptyPath> {
    let (mss, header) = (u128::from(config.mss), u128::from(config.header));
    // If no link of the path has a rate, transmission takes no time.
    let bits = path.capacity.map_or(u64::MAX, Rate::bits_per_s);
    // If the rate of the path is zero, no duration is finite. The rate of any other path is at least 1 bit/s.
    let bits = (bits > 0).then(|| (u128::from(bits) * mss / (mss + header)).max(1))?;
    let rate = Rate::from_bits_per_s(bits as u64);
    let rtt = path.propagation_rtt?;
    // RFC 7413, section 2: with Fast Open, data leave together with the SYN.
    let opening = match config.setup {
        Setup::Handshake | Setup::Ns2 => rtt,
        Setup::None | Setup::FastOpen | Setup::Ns2Linux => Span::ZERO,
    };
    Some(traffic::EmptyPath { rate, rtt, opening })
}

/// One connection at one host. `own` contains the host's data about this connection.
#[derive(Clone, saved::Saved)]
pub(super) struct Connection<S> {
    pub number: u32,
    pub sender: Sender,
    pub receiver: Receiver,
    pub messages: Messages,
    pub own: S,
}

/// A host's data about one of its connections.
pub(super) trait Own {
    /// Returns the time at which the host must act on this connection, even if no event occurs.
    fn next_timeout(&self) -> Time;
}

impl<S: Own> Connection<S> {
    pub fn next_timeout(&self) -> Time {
        self.sender.next_timeout().min(self.receiver.next_timeout()).min(self.own.next_timeout())
    }
}

impl<S> Connection<S> {
    /// Returns the body of a segment that leaves. A segment with data carries all messages that are not yet
    /// acknowledged.
    pub fn body(&mut self, segment: Segment) -> AnyBody {
        let carries = matches!(segment.kind, SegmentKind::Data | SegmentKind::Syn | SegmentKind::Probe);
        if segment.len == 0 || !carries {
            return AnyBody::Segment(segment);
        }
        let messages = self.messages.carried(self.sender.drained_bytes());
        if messages.is_empty() {
            return AnyBody::Segment(segment);
        }
        AnyBody::SegmentAndMessages(Box::new(SegmentAndMessages { segment, messages: messages.into() }))
    }
}

/// Returns whether a segment is an answer for the sending half.
pub(super) const fn is_answer(kind: SegmentKind) -> bool {
    matches!(kind, SegmentKind::Ack | SegmentKind::ProbeAck | SegmentKind::SynAck)
}

/// Sizes of the headers of data packets and of SYNs, in bytes.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub(super) struct Headers {
    pub data: u16,
    pub syn: u16,
}

impl Headers {
    pub const fn of(config: &tcp::Config) -> Self {
        Self { data: config.header as u16, syn: config.syn_header as u16 }
    }
}

/// Sums of the counters of all sending halves of a host.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(super) struct Meter {
    pub totals: SourceTotals,
    pub rtt: Delays,
    pub log: Option<Vec<FlowEvent>>,
    scratch: Vec<Event>,
    losses: Losses,
}

impl Meter {
    pub fn note(&mut self, at: Time, what: FlowEventKind) {
        if let Some(log) = &mut self.log {
            log.push(FlowEvent { at, what });
        }
    }

    /// Handles an acknowledgement.
    pub fn hear<S>(&mut self, now: Time, connection: &mut Connection<S>, ack: &Segment) {
        let marks = connection.sender.stats().marks;
        connection.sender.handle(now, ack);
        self.totals.reported_marks += connection.sender.stats().marks - marks;
        if let Some(rtt) = connection.sender.rtt_sample().filter(|_| ack.kind != SegmentKind::SynAck) {
            self.rtt.add(rtt);
        }
        self.collect(now, connection);
    }

    /// Processes the events that a connection reports.
    pub fn collect<S>(&mut self, now: Time, connection: &mut Connection<S>) {
        self.scratch.extend(connection.sender.events());
        if self.scratch.is_empty() {
            return;
        }
        let mut events = std::mem::take(&mut self.scratch);
        for event in events.drain(..) {
            self.totals.book(now, connection.number, event, &mut self.losses, &mut self.log);
        }
        self.scratch = events;
    }

    /// Counts a segment that leaves the sending half. Returns its size on the wire.
    pub fn sends<S>(
        &mut self,
        now: Time,
        connection: &mut Connection<S>,
        leaving: &Leaving,
        headers: Headers,
    ) -> u16 {
        if connection.sender.has_events() {
            self.collect(now, connection); // a window that was not used is smaller now
        }
        let segment = &leaving.segment;
        let size = crate::tcp::size_of_sent(segment, headers.data, headers.syn);
        self.totals.sent_packets += u64::from(is_counted(segment));
        self.totals.probes += u64::from(segment.kind == SegmentKind::Probe);
        self.totals.sent_bytes += u64::from(size);
        if leaving.repeated {
            self.totals.retransmitted += 1;
            self.losses.repeated(now, SegmentId { stream: connection.number, seq: segment.seq });
        }
        size
    }

    /// Counts a dropped packet.
    pub fn dropped(&mut self, at: Time, packet: &Packet, cause: Cause) {
        let segment = packet.body.segment();
        if is_counted(segment) {
            self.totals.dropped[cause as usize] += 1;
        }
        if segment.kind == SegmentKind::Data {
            self.losses.dropped(at, SegmentId { stream: packet.stream, seq: segment.seq }, cause);
        }
    }

    /// Removes and returns the events whose rows are complete.
    pub fn take_events(&mut self) -> Vec<FlowEvent> {
        self.losses.release(&mut self.log)
    }

    /// Like [`engine::Endpoint::settle`]. `is_open` returns whether the connection with a number still exists.
    pub fn settle(&mut self, before: Time, is_open: impl Fn(u32) -> bool) {
        self.losses.settle(before, &mut self.totals, &mut self.log, is_open);
    }
}

/// The state of a handshake on the called side.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
pub(super) struct Accepting {
    /// Time of the last SYN-ACK.
    sent: Time,
    /// Number of SYN-ACKs sent.
    times: u32,
    /// Whether the handshake is over: the SYN-ACK was acknowledged, or no SYN-ACK was needed.
    pub over: bool,
}

impl Accepting {
    pub fn sends(&mut self, now: Time) {
        (self.sent, self.times) = (now, self.times + 1);
    }

    /// Handles a segment from the other half. Returns whether the answering half may begin. It may begin when the
    /// SYN-ACK is acknowledged. With Fast Open, it may already begin when data arrive with the SYN (RFC 7413, section
    /// 4.2.2).
    pub fn hear(&mut self, now: Time, segment: &Segment, sender: &mut Sender) -> bool {
        let accepts = match segment.kind {
            SegmentKind::HandshakeAck | SegmentKind::Data => !self.over,
            SegmentKind::Syn => !self.over && segment.len > 0,
            _ => false,
        };
        if accepts {
            self.accept(now, sender);
        }
        accepts
    }

    /// Ends the handshake. The answering half may then begin.
    pub fn accept(&mut self, now: Time, sender: &mut Sender) {
        self.over = true;
        let rtt: Option<Span> = (self.times == 1).then(|| now.since(self.sent));
        sender.start_accepted(now, rtt, self.times.saturating_sub(1));
    }
}
