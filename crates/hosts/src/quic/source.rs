// SPDX-License-Identifier: MIT OR Apache-2.0
//! The side of a QUIC flow that opens the connection and sends data.

use super::content;
use super::controlled::{Controlled, Meter};
use super::library::Host;
use super::log::LibraryLog;
use super::tls::KeyLog;
use super::{Closed, QuicCounts};
use crate::meter::Delays;
use crate::{AnyBody, FlowEvent, FlowEventKind, Metered, Packet, SourceTotals, Transport};
use control::{Overrides, PathChange};
use engine::{Cause, Endpoint};
use noq_proto::{Connection, Dir, Event, StreamEvent, StreamId, VarInt};
use quic::{Hints, Watch};
use scenario::QuicConfig;
use tcp::Transfer;
use units::{Bytes, Time};

/// The data that a source sends, and the times at which it sends them.
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
}

/// The sending side of a QUIC flow.
pub struct QuicSource {
    host: Host,
    controlled: Controlled,
    qlog: LibraryLog,
    hints: Option<Hints>,
    config: QuicConfig,
    transfer: Transfer,
    start: Time,
    stop: Time,
    has_started: bool,
    has_stopped: bool,
    /// Number of bytes that were passed to the library.
    written: u64,
    /// The stream that is currently written, and the number of bytes that still fit into it.
    stream: Option<(StreamId, u64)>,
    /// Number of streams that are not completely acknowledged.
    open_streams: u64,
    closed: Option<Closed>,
    meter: Meter,
}

impl QuicSource {
    /// Creates the source on its host. `watch` provides access to the controller of the host's connection. `hints` pass
    /// changes of the path to this controller.
    pub fn new(
        host: Host,
        watch: Watch,
        qlog: LibraryLog,
        hints: Option<Hints>,
        config: QuicConfig,
        sending: Sending,
    ) -> Self {
        let Sending { transfer, start, stop, log } = sending;
        Self {
            host,
            controlled: Controlled::new(watch, &config),
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
            closed: None,
            meter: Meter::new(log),
        }
    }

    /// Applies commands that replace decisions of the controller. Returns false if the connection is not opened yet.
    pub fn command(&mut self, overrides: Overrides) -> bool {
        self.controlled.watch().command(overrides)
    }

    /// Returns the secrets of the connection.
    pub(crate) fn keys(&self) -> &KeyLog {
        self.host.keys()
    }

    /// Lets the library write a log (qlog) of the connection, which has not opened yet.
    pub fn keep_qlog(&self) {
        self.qlog.keep();
    }

    /// Removes and returns what the library wrote into its log since the last call.
    pub fn take_qlog(&self) -> Vec<u8> {
        self.qlog.take()
    }

    /// Number of bytes that the application has not written yet.
    fn left(&self) -> u64 {
        match self.transfer {
            Transfer::Endless => u64::MAX,
            Transfer::Finite(size) => size.get() - self.written,
        }
    }

    /// Processes everything that the library has reported, and passes more data to the library.
    fn after(&mut self, now: Time) {
        self.meter.collect(now, 0, &mut self.controlled);
        self.report(now);
        self.write();
        self.host.update();
        if let Some(connection) = self.host.connection() {
            self.controlled.count(connection);
        }
    }

    /// Processes the events of the connection.
    fn report(&mut self, now: Time) {
        while let Some(event) = self.host.connection().and_then(Connection::poll) {
            match event {
                Event::Connected => self.controlled.counts.handshake = Some(now.since(self.start)),
                Event::Stream(StreamEvent::Finished { .. }) => {
                    self.open_streams -= 1;
                    if self.left() == 0 && self.open_streams == 0 {
                        self.controlled.completed_at = Some(now);
                        self.meter.note(now, FlowEventKind::Complete);
                        self.host.close(now);
                    }
                }
                Event::ConnectionLost { reason } if !self.has_stopped => {
                    self.closed = Some(Closed { at: now, reason: reason.to_string(), connections: 1 });
                }
                _ => {}
            }
        }
    }

    /// Writes as many data as the library accepts.
    fn write(&mut self) {
        if self.has_stopped {
            return;
        }
        if let Some(connection) = self.host.connection() {
            self.controlled.enlarge_buffer(connection);
        }
        while self.left() > 0 {
            let left = self.left();
            let stream_size = self.config.stream_size.map_or(u64::MAX, Bytes::get);
            let Some(connection) = self.host.connection() else { return };
            if self.stream.is_none() {
                let Some(id) = connection.streams().open(Dir::Uni) else { return };
                self.open_streams += 1;
                self.stream = Some((id, stream_size.min(left)));
            }
            let Some((id, room)) = self.stream else { return };
            let mut chunk = [content::data(self.written, room)];
            let Ok(taken) = connection.send_stream(id).write_chunks(&mut &mut chunk[..]) else { return };
            self.written += taken as u64;
            let room = room - taken as u64;
            self.stream = Some((id, room));
            if room == 0 {
                // This cannot fail, because the stream is open and was not reset.
                let _ = connection.send_stream(id).finish();
                self.stream = None;
            }
        }
    }

    /// Stops sending data. Data that the library has not sent yet are discarded.
    fn end(&mut self, now: Time) {
        self.meter.note(now, FlowEventKind::Stop);
        self.has_stopped = true;
        if let Some((id, _)) = self.stream.take()
            && let Some(connection) = self.host.connection()
        {
            // This cannot fail, because the stream is open and was not finished.
            let _ = connection.send_stream(id).reset(VarInt::from_u32(0));
        }
    }
}

impl Endpoint for QuicSource {
    type Body = AnyBody;
    fn handle(&mut self, now: Time, packet: Packet) {
        let buffer = packet.body.buffer();
        self.controlled.hears();
        self.host.handle(now, &buffer.bytes, buffer.ecn);
        self.after(now);
    }
    fn handle_timeout(&mut self, now: Time) {
        if !self.has_started && now >= self.start {
            self.has_started = true;
            self.meter.note(now, FlowEventKind::Start);
            self.host.connect(now);
        }
        if now >= self.stop {
            self.stop = Time::MAX;
            self.end(now);
        }
        self.controlled.handle_timeout(now);
        if self.host.next_timeout() <= now {
            self.host.handle_timeout(now);
        }
        self.after(now);
    }
    fn poll_transmit(&mut self, now: Time) -> Option<(AnyBody, u16)> {
        let before = self.controlled.watch().brief().sent;
        let sent = self.host.poll_transmit(now)?;
        let is_handshaking = self.host.view().is_some_and(Connection::is_handshaking);
        Some(self.meter.sends(now, &mut self.controlled, before, is_handshaking, sent))
    }
    fn next_timeout(&self) -> Time {
        if self.has_started {
            self.host.next_timeout().min(self.stop).min(self.controlled.next_timeout())
        } else {
            self.start
        }
    }
    fn path_changed(&mut self, change: &PathChange) {
        if change.at == change.now {
            self.meter.note(change.now, FlowEventKind::Path);
        }
        if let Some(hints) = &self.hints {
            hints.announce(*change);
            self.controlled.watch().advance(change.now);
        }
    }
    fn dropped(&mut self, at: Time, packet: Packet, cause: Cause) {
        self.meter.dropped(at, &packet, cause);
    }
    fn settle(&mut self, before: Time) {
        self.meter.settle(before, |_| true);
    }
}

impl Metered for QuicSource {
    fn totals(&self) -> SourceTotals {
        self.meter.totals()
    }
    fn rtt(&self) -> Option<&Delays> {
        Some(self.meter.rtt())
    }
    fn transport(&self) -> Option<&dyn Transport> {
        Some(&self.controlled)
    }
    fn forget_delays(&mut self, _now: Time) {
        self.meter.forget_delays();
    }
    fn take_events(&mut self) -> Vec<FlowEvent> {
        self.meter.take_events()
    }
    fn quic(&self) -> Option<QuicCounts> {
        Some(self.controlled.counts)
    }
    fn closed_by_library(&self) -> Option<&Closed> {
        self.closed.as_ref()
    }
}
