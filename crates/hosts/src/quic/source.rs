// SPDX-License-Identifier: MIT OR Apache-2.0
//! The side of a QUIC flow that opens the connection and sends data.

use super::content;
use super::library::Host;
use super::log::LibraryLog;
use super::{Closed, QuicCounts};
use crate::losses::{Losses, SegmentId};
use crate::meter::Delays;
use crate::{
    AnyBody, Buffer, BufferKind, FlowEvent, FlowEventKind, Metered, Packet, SourceTotals, Transport,
    TransportState,
};
use control::{Overrides, PathChange, SavedPath, Snapshot};
use engine::{Cause, Endpoint};
use noq_proto::{Connection, Dir, Event, PathId, StreamEvent, StreamId, VarInt};
use quic::{EventKind, Hints, Watch};
use scenario::{QUIC_HEADERS, QuicConfig};
use tcp::Transfer;
use units::{Bytes, Span, Time};

/// Smallest size of the send buffer, if the scenario does not bound it.
const SEND_BUFFER: u64 = 1 << 20;

/// What a source sends, and when.
#[derive(Clone, Copy, Debug)]
pub struct Sending {
    /// The amount of data.
    pub transfer: Transfer,
    /// Time at which the connection is opened.
    pub start: Time,
    /// Time after which no data are sent.
    pub stop: Option<Time>,
    /// Whether events are recorded.
    pub log: bool,
    /// Whether the library writes a log (qlog).
    pub qlog: bool,
}

/// The sending side of a QUIC flow.
pub struct QuicSource {
    host: Host,
    watch: Watch,
    qlog: Option<LibraryLog>,
    hints: Option<Hints>,
    config: QuicConfig,
    transfer: Transfer,
    start: Time,
    stop: Time,
    has_started: bool,
    has_stopped: bool,
    /// Bytes that were given to the library.
    written: u64,
    /// The stream that is being written, and the bytes that it still takes.
    stream: Option<(StreamId, u64)>,
    /// Number of streams that are not acknowledged completely.
    open_streams: u64,
    /// Size of the library's send buffer.
    buffer: u64,
    completed_at: Option<Time>,
    closed: Option<Closed>,
    counts: QuicCounts,
    /// Whether a timer expired that can only be a probe timeout; see [`QuicSource::is_probe_due`].
    probe_due: bool,
    /// Number of RTT samples that were seen.
    rtt_samples: u64,
    totals: SourceTotals,
    rtt: Delays,
    losses: Losses,
    log: Option<Vec<FlowEvent>>,
    events: Vec<quic::Event>,
}

impl QuicSource {
    /// Creates the source on its host. `watch` shows the controller of the host's connection, and `hints` pass changes of
    /// the path to it.
    pub fn new(
        host: Host,
        watch: Watch,
        qlog: Option<LibraryLog>,
        hints: Option<Hints>,
        config: QuicConfig,
        sending: Sending,
    ) -> Self {
        let Sending { transfer, start, stop, log, qlog: _ } = sending;
        Self {
            host,
            watch,
            qlog,
            hints,
            config,
            transfer,
            start,
            stop: stop.unwrap_or(Time::MAX),
            has_started: false,
            has_stopped: false,
            written: 0,
            stream: None,
            open_streams: 0,
            buffer: 0,
            completed_at: None,
            closed: None,
            counts: QuicCounts::default(),
            probe_due: false,
            rtt_samples: 0,
            totals: SourceTotals::default(),
            rtt: Delays::default(),
            losses: Losses::default(),
            log: log.then(Vec::new),
            events: Vec::new(),
        }
    }

    /// Applies commands that replace decisions of the controller. Returns false before the connection is opened.
    pub fn command(&mut self, overrides: Overrides) -> bool {
        self.watch.command(overrides)
    }

    fn note(&mut self, at: Time, what: FlowEventKind) {
        if let Some(log) = &mut self.log {
            log.push(FlowEvent { at, what });
        }
    }

    /// As [`crate::AnyEndpoint::take_secrets`].
    pub(crate) fn take_secrets(&mut self) -> String {
        self.host.take_secrets()
    }

    /// Removes and returns what the library wrote into its log (qlog) since the last call.
    pub fn take_qlog(&mut self) -> Vec<u8> {
        self.qlog.as_ref().map(LibraryLog::take).unwrap_or_default()
    }

    /// Bytes that the application still has.
    fn left(&self) -> u64 {
        match self.transfer {
            Transfer::Endless => u64::MAX,
            Transfer::Finite(size) => size.get() - self.written,
        }
    }

    /// Processes everything that the library reported, and gives it more data.
    fn after(&mut self, now: Time) {
        self.collect(now);
        self.report(now);
        self.write();
        self.host.update();
        self.count();
    }

    /// Reads the counters of the library.
    fn count(&mut self) {
        let Some(connection) = self.host.connection() else { return };
        self.counts.datagram = connection.current_mtu().into();
        let Some(stats) = connection.path_stats(PathId::ZERO) else { return };
        self.counts.blocked = stats.frame_tx.data_blocked + stats.frame_tx.stream_data_blocked;
        self.counts.spurious = stats.spurious_congestion_events;
    }

    /// Processes the events of the connection.
    fn report(&mut self, now: Time) {
        while let Some(event) = self.host.connection().and_then(Connection::poll) {
            match event {
                Event::Connected => self.counts.handshake = Some(now.since(self.start)),
                Event::Stream(StreamEvent::Finished { .. }) => {
                    self.open_streams -= 1;
                    if self.left() == 0 && self.open_streams == 0 {
                        self.completed_at = Some(now);
                        self.note(now, FlowEventKind::Complete);
                        self.host.close(now);
                    }
                }
                Event::ConnectionLost { reason } if !self.has_stopped => {
                    self.closed = Some(Closed { at: now, reason: reason.to_string() });
                }
                _ => {}
            }
        }
    }

    /// Writes data as far as the library accepts them.
    fn write(&mut self) {
        if self.has_stopped {
            return;
        }
        self.enlarge_buffer();
        while self.left() > 0 {
            let left = self.left();
            let stream_size = self.config.stream_size.map_or(u64::MAX, Bytes::get);
            let Some(connection) = self.host.connection() else { return };
            let (id, room) = match self.stream {
                Some(open) => open,
                None => {
                    let Some(id) = connection.streams().open(Dir::Uni) else { return };
                    self.open_streams += 1;
                    *self.stream.insert((id, stream_size.min(left)))
                }
            };
            let mut chunk = [content::data(self.written, room)];
            let Ok(taken) = connection.send_stream(id).write_chunks(&mut &mut chunk[..]) else { return };
            self.written += taken as u64;
            let room = room - taken as u64;
            self.stream = Some((id, room));
            if room == 0 {
                // The stream is open, and was not reset.
                let _ = connection.send_stream(id).finish();
                self.stream = None;
            }
        }
    }

    /// Keeps the library's send buffer larger than what the window can use, if the scenario does not bound it.
    fn enlarge_buffer(&mut self) {
        if self.config.send_window.is_some() {
            return;
        }
        let wanted = SEND_BUFFER.max(4 * self.watch.brief().cwnd.get());
        if wanted > self.buffer
            && let Some(connection) = self.host.connection()
        {
            self.buffer = wanted;
            connection.set_send_window(wanted);
        }
    }

    /// Processes the controller's events and RTT samples.
    fn collect(&mut self, now: Time) {
        let brief = self.watch.brief();
        if brief.rtt_samples > self.rtt_samples {
            self.rtt_samples = brief.rtt_samples;
            if let Some(rtt) = brief.rtt {
                self.rtt.add(rtt);
            }
        }
        self.watch.take_events(&mut self.events);
        if self.events.is_empty() {
            return;
        }
        let mut events = std::mem::take(&mut self.events);
        let segments = |window: Bytes| window.get() as f64 / f64::from(brief.mss.max(1));
        for quic::Event { at, kind } in events.drain(..) {
            let event = match kind {
                EventKind::Loss { number, tx, verdict, .. } => {
                    // The frames of a lost packet are sent again.
                    self.totals.retransmitted += 1;
                    tcp::Event::Loss { seq: number, tx, verdict }
                }
                EventKind::Marked => tcp::Event::Marked,
                EventKind::Cut { before, after } => {
                    tcp::Event::Cut { before: segments(before), after: segments(after) }
                }
                EventKind::PersistentCongestion { before, after } => {
                    self.counts.persistent_congestions += 1;
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
            self.totals.book(at.min(now), 0, event, &mut self.losses, &mut self.log);
        }
        self.events = events;
    }

    /// Whether a timer that expires now is the probe timeout (RFC 9002, section 6.2), if it leads to a packet. The library
    /// does not report probe timeouts. Its other timer that leads to packets is that of pacing; it expires within a
    /// smoothed round trip of the last packet, and the probe timeout later than that.
    fn is_probe_due(&self, now: Time) -> bool {
        let brief = self.watch.brief();
        let srtt = brief.srtt.unwrap_or(self.config.initial_rtt);
        brief.in_flight > Bytes::ZERO && brief.last_sent.is_some_and(|(_, sent)| sent + srtt <= now)
    }

    /// Stops sending data: data that the library has not sent are discarded.
    fn end(&mut self, now: Time) {
        self.note(now, FlowEventKind::Stop);
        self.has_stopped = true;
        if let Some((id, _)) = self.stream.take()
            && let Some(connection) = self.host.connection()
        {
            // The stream is open, and was not finished.
            let _ = connection.send_stream(id).reset(VarInt::from_u32(0));
        }
    }
}

impl Endpoint for QuicSource {
    type Body = AnyBody;
    fn handle(&mut self, now: Time, packet: Packet) {
        let buffer = packet.body.buffer();
        self.probe_due = false;
        self.host.handle(now, &buffer.bytes, buffer.ecn);
        self.after(now);
    }
    fn handle_timeout(&mut self, now: Time) {
        if !self.has_started && now >= self.start {
            self.has_started = true;
            self.note(now, FlowEventKind::Start);
            self.host.connect(now);
        }
        if now >= self.stop {
            self.stop = Time::MAX;
            self.end(now);
        }
        self.probe_due = self.is_probe_due(now);
        self.watch.advance(now);
        if self.host.next_timeout() <= now {
            self.host.handle_timeout(now);
        }
        self.after(now);
    }
    fn poll_transmit(&mut self, now: Time) -> Option<(AnyBody, u16)> {
        let before = self.watch.brief().sent;
        let sent = self.host.poll_transmit(now)?;
        let brief = self.watch.brief();
        let is_handshaking = self.host.view().is_some_and(Connection::is_handshaking);
        let kind = match (brief.sent > before, is_handshaking) {
            (_, true) => BufferKind::Handshake,
            (true, false) => BufferKind::Data,
            (false, false) => BufferKind::Ack,
        };
        let size = sent.bytes.len() as u16 + QUIC_HEADERS as u16;
        self.totals.sent_bytes += u64::from(size);
        self.totals.sent_packets += u64::from(kind == BufferKind::Data);
        if self.probe_due && brief.sent > before {
            self.probe_due = false;
            self.totals.timeouts += 1;
            self.note(now, FlowEventKind::Timeout);
        }
        let number = brief.last_sent.map_or(0, |(number, _)| number) as u32;
        Some((
            AnyBody::Buffer(Buffer {
                bytes: sent.bytes,
                sent_at: now,
                number,
                ecn: sent.ecn,
                kind,
                to: None,
            }),
            size,
        ))
    }
    fn next_timeout(&self) -> Time {
        if self.has_started {
            self.host.next_timeout().min(self.stop).min(self.watch.brief().next_timer)
        } else {
            self.start
        }
    }
    fn path_changed(&mut self, change: &PathChange) {
        if change.at == change.now {
            self.note(change.now, FlowEventKind::Path);
        }
        if let Some(hints) = &self.hints {
            hints.announce(*change);
            self.watch.advance(change.now);
        }
    }
    fn dropped(&mut self, at: Time, packet: Packet, cause: Cause) {
        let buffer = packet.body.buffer();
        if buffer.kind == BufferKind::Data {
            self.totals.dropped[cause as usize] += 1;
            self.losses.dropped(at, SegmentId { stream: 0, seq: buffer.number }, cause);
        }
    }
    fn settle(&mut self, before: Time) {
        let Self { losses, totals, log, .. } = self;
        losses.settle(before, totals, log, |_| true);
    }
}

impl Metered for QuicSource {
    fn totals(&self) -> SourceTotals {
        SourceTotals {
            reported_marks: self.watch.counters().map_or(0, |counters| counters.marked_acks),
            ..self.totals
        }
    }
    fn rtt(&self) -> Option<&Delays> {
        Some(&self.rtt)
    }
    fn transport(&self) -> Option<&dyn Transport> {
        Some(self)
    }
    fn forget_delays(&mut self, _now: Time) {
        self.rtt.forget();
    }
    fn take_events(&mut self) -> Vec<FlowEvent> {
        self.losses.release(&mut self.log)
    }
    fn quic(&self) -> Option<QuicCounts> {
        Some(self.counts)
    }
    fn closed_by_library(&self) -> Option<&Closed> {
        self.closed.as_ref()
    }
}

impl Transport for QuicSource {
    fn state(&self) -> TransportState {
        let state = self.watch.state();
        let initial = u64::from(self.config.initial_window * self.config.datagram);
        let Some(state) = state else {
            let cwnd = Bytes::new(initial);
            return TransportState {
                cwnd,
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
