// SPDX-License-Identifier: MIT OR Apache-2.0
//! The side of a connection that congestion control limits, and the counters of a host over all its connections.

use super::QuicCounts;
use super::library::Sent;
use crate::losses::{Losses, SegmentId};
use crate::meter::Delays;
use crate::{
    AnyBody, Buffer, BufferKind, FlowEvent, FlowEventKind, Packet, SourceTotals, Transport, TransportState,
};
use control::{SavedPath, Snapshot};
use engine::Cause;
use noq_proto::{Connection, PathId};
use quic::{EventKind, Watch};
use scenario::{QUIC_HEADERS, QuicConfig};
use units::{Bytes, Span, Time};

/// Smallest size of the send buffer, in bytes. It applies if the scenario does not limit the buffer.
const SEND_BUFFER: u64 = 1 << 20;

/// The sending side of a connection at one end, as its controller shows it.
pub struct Controlled {
    watch: Watch,
    /// Window before the connection is opened.
    initial_window: Bytes,
    /// RTT before the first sample.
    initial_rtt: Span,
    /// Whether the scenario limits the library's send buffer.
    is_bounded: bool,
    /// Size of the library's send buffer, if the scenario does not limit it.
    buffer: u64,
    /// Whether a timer has expired that can only be a probe timeout. See [`Controlled::is_probe_due`].
    probe_due: bool,
    /// Number of probe timeouts.
    timeouts: u64,
    /// Number of RTT samples that were processed.
    rtt_samples: u64,
    /// Number of ACKs that reported marks.
    marks: u64,
    pub counts: QuicCounts,
    pub completed_at: Option<Time>,
}

impl Controlled {
    /// Creates the view of a connection with `config`. `watch` provides access to its controller.
    pub fn new(watch: Watch, config: &QuicConfig) -> Self {
        Self {
            watch,
            initial_window: Bytes::new(u64::from(config.initial_window * config.datagram)),
            initial_rtt: config.initial_rtt,
            is_bounded: config.send_window.is_some(),
            buffer: 0,
            probe_due: false,
            timeouts: 0,
            rtt_samples: 0,
            marks: 0,
            counts: QuicCounts::default(),
            completed_at: None,
        }
    }

    /// Returns the object that provides access to the controller.
    pub const fn watch(&self) -> &Watch {
        &self.watch
    }

    /// Returns the number of probe timeouts.
    pub const fn timeouts(&self) -> u64 {
        self.timeouts
    }

    /// Returns the time of the next timer of the controller.
    pub fn next_timeout(&self) -> Time {
        self.watch.brief().next_timer
    }

    /// Handles a datagram that arrived. After the datagram, no probe timeout is due.
    pub const fn hears(&mut self) {
        self.probe_due = false;
    }

    /// Handles the timers that are due, before the library handles its own timers.
    pub fn handle_timeout(&mut self, now: Time) {
        self.probe_due = self.is_probe_due(now);
        self.watch.advance(now);
    }

    /// Returns whether a timer that expires now is a probe timeout (RFC 9002, section 6.2), if the timer leads to a
    /// packet. The library does not report probe timeouts. The only other timer that leads to packets is the pacing
    /// timer. The pacing timer expires within a smoothed round trip after the last packet, and the probe timeout
    /// expires later.
    fn is_probe_due(&self, now: Time) -> bool {
        let brief = self.watch.brief();
        let srtt = brief.srtt.unwrap_or(self.initial_rtt);
        brief.in_flight > Bytes::ZERO && brief.last_sent.is_some_and(|(_, sent)| sent + srtt <= now)
    }

    /// Keeps the library's send buffer larger than the window, if the scenario does not limit the buffer.
    pub fn enlarge_buffer(&mut self, connection: &mut Connection) {
        let wanted = SEND_BUFFER.max(4 * self.watch.brief().cwnd.get());
        if wanted > self.buffer && !self.is_bounded {
            self.buffer = wanted;
            connection.set_send_window(wanted);
        }
    }

    /// Reads the counters of the library.
    pub fn count(&mut self, connection: &mut Connection) {
        self.counts.datagram = connection.current_mtu().into();
        let Some(stats) = connection.path_stats(PathId::ZERO) else { return };
        self.counts.blocked = stats.frame_tx.data_blocked + stats.frame_tx.stream_data_blocked;
        self.counts.spurious = stats.spurious_congestion_events;
    }
}

impl Transport for Controlled {
    fn state(&self) -> TransportState {
        let Some(state) = self.watch.state() else {
            return TransportState {
                cwnd: self.initial_window,
                ssthresh: None,
                pacing: None,
                in_flight_segments: 0.0,
                srtt: None,
                phase: "",
            };
        };
        TransportState {
            cwnd: state.control.cwnd,
            ssthresh: state.control.ssthresh.filter(|&threshold| threshold > Bytes::ZERO),
            pacing: state.control.pacing,
            in_flight_segments: state.in_flight.get() as f64 / f64::from(state.mss.max(1)),
            srtt: state.srtt,
            phase: state.control.phase,
        }
    }
    fn snapshot(&self, out: &mut Snapshot) {
        out.extend(self.watch.snapshot());
    }
    fn completed_at(&self) -> Option<Time> {
        self.completed_at
    }
    fn app_limited_time(&self, _now: Time) -> Span {
        self.watch.counters().map_or(Span::ZERO, |counters| counters.app_limited)
    }
    fn is_receiver_limited(&self) -> bool {
        self.counts.blocked > 0
    }
    fn longest_recovery(&self, _now: Time) -> (Span, f64) {
        let Some((counters, state)) = self.watch.counters().zip(self.watch.state()) else {
            return (Span::ZERO, 0.0);
        };
        let longest = counters.longest_recovery;
        let trips = state.srtt.map_or(0.0, |srtt| longest.secs_f64() / srtt.secs_f64());
        (longest, trips)
    }
    fn saved_path(&self) -> Option<SavedPath> {
        self.watch.state().and_then(|state| state.saved())
    }
}

/// Sums over everything that a host sends on its connections.
#[derive(Default)]
pub struct Meter {
    totals: SourceTotals,
    rtt: Delays,
    losses: Losses,
    log: Option<Vec<FlowEvent>>,
    events: Vec<quic::Event>,
}

impl Meter {
    /// Creates a meter. If `log` is true, a row is stored for every event.
    pub fn new(log: bool) -> Self {
        Self { log: log.then(Vec::new), ..Self::default() }
    }

    pub fn note(&mut self, at: Time, what: FlowEventKind) {
        if let Some(log) = &mut self.log {
            log.push(FlowEvent { at, what });
        }
    }

    /// Processes the events and RTT samples of the controller of connection `number`.
    pub fn collect(&mut self, now: Time, number: u32, controlled: &mut Controlled) {
        let brief = controlled.watch.brief();
        if brief.rtt_samples > controlled.rtt_samples {
            controlled.rtt_samples = brief.rtt_samples;
            if let Some(rtt) = brief.rtt {
                self.rtt.add(rtt);
            }
            let marks = controlled.watch.counters().map_or(0, |counters| counters.marked_acks);
            self.totals.reported_marks += marks - controlled.marks;
            controlled.marks = marks;
        }
        controlled.watch.take_events(&mut self.events);
        let segments = |window: Bytes| window.get() as f64 / f64::from(brief.mss.max(1));
        for quic::Event { at, kind } in self.events.drain(..) {
            let event = match kind {
                EventKind::Loss { number, tx, verdict, .. } => {
                    // The frames of a lost packet are retransmitted.
                    self.totals.retransmitted += 1;
                    tcp::Event::Loss { seq: number, tx, verdict }
                }
                EventKind::Marked => tcp::Event::Marked,
                EventKind::Cut { before, after } => {
                    tcp::Event::Cut { before: segments(before), after: segments(after) }
                }
                EventKind::PersistentCongestion { before, after } => {
                    controlled.counts.persistent_congestions += 1;
                    tcp::Event::Cut { before: segments(before), after: segments(after) }
                }
                EventKind::Spurious => tcp::Event::Spurious,
                EventKind::Phase(phase) => tcp::Event::Phase(phase),
                EventKind::Recovered
                | EventKind::Idle(_)
                | EventKind::AppLimited
                | EventKind::Mss(_)
                | EventKind::Path { .. } => continue,
            };
            self.totals.book(at.min(now), number, event, &mut self.losses, &mut self.log);
        }
    }

    /// Counts a datagram that leaves, and returns its body and its size. `before` is the number of ack-eliciting
    /// packets that were sent before it.
    pub fn sends(
        &mut self,
        now: Time,
        controlled: &mut Controlled,
        before: u64,
        is_handshaking: bool,
        sent: Sent,
    ) -> (AnyBody, u16) {
        let brief = controlled.watch.brief();
        let kind = match (brief.sent > before, is_handshaking) {
            (_, true) => BufferKind::Handshake,
            (true, false) => BufferKind::Data,
            (false, false) => BufferKind::Ack,
        };
        let size = size_of(&sent);
        self.totals.sent_bytes += u64::from(size);
        self.totals.sent_packets += u64::from(kind == BufferKind::Data);
        if controlled.probe_due && brief.sent > before {
            controlled.probe_due = false;
            controlled.timeouts += 1;
            self.totals.timeouts += 1;
            self.note(now, FlowEventKind::Timeout);
        }
        let number = brief.last_sent.map_or(0, |(number, _)| number) as u32;
        (body(now, number, kind, sent), size)
    }

    /// Counts a dropped packet.
    pub fn dropped(&mut self, at: Time, packet: &Packet, cause: Cause) {
        let buffer = packet.body.buffer();
        if buffer.kind == BufferKind::Data {
            self.totals.dropped[cause as usize] += 1;
            self.losses.dropped(at, SegmentId { stream: packet.stream, seq: buffer.number }, cause);
        }
    }

    /// Like [`engine::Endpoint::settle`]. `is_open` returns whether the connection with a number still exists.
    pub fn settle(&mut self, before: Time, is_open: impl Fn(u32) -> bool) {
        self.losses.settle(before, &mut self.totals, &mut self.log, is_open);
    }

    /// Removes and returns the events whose rows are complete.
    pub fn take_events(&mut self) -> Vec<FlowEvent> {
        self.losses.release(&mut self.log)
    }

    pub const fn totals(&self) -> SourceTotals {
        self.totals
    }

    pub const fn rtt(&self) -> &Delays {
        &self.rtt
    }

    pub fn forget_delays(&mut self) {
        self.rtt.forget();
    }
}

/// Returns the size of a datagram with its IP and UDP headers.
pub fn size_of(sent: &Sent) -> u16 {
    sent.bytes.len() as u16 + QUIC_HEADERS as u16
}

/// Returns the body of a datagram that leaves. `number` is its number in the table of packets.
pub fn body(now: Time, number: u32, kind: BufferKind, sent: Sent) -> AnyBody {
    let Sent { bytes, ecn } = sent;
    AnyBody::Buffer(Buffer { bytes, sent_at: now, number, ecn, kind, to: None })
}
