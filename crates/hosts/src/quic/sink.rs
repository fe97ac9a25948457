// SPDX-License-Identifier: MIT OR Apache-2.0
//! The side of a QUIC flow that accepts the connection and receives data.

use super::arrivals::Arrivals;
use super::content;
use super::controlled::{body, size_of};
use super::library::Host;
use super::tls::KeyLog;
use crate::meter::{Delays, OneWay};
use crate::{AnyBody, BufferKind, Metered, Packet, Received};
use control::PathChange;
use engine::{Cause, Endpoint};
use noq_proto::{Connection, Dir, Event, StreamEvent, StreamId};
use tcp::Transfer;
use units::{Bytes, Time};

/// The receiving side of a QUIC flow. It reads each stream in order, and checks every byte.
pub struct QuicSink {
    host: Host,
    /// Size of each stream of the transfer, in bytes.
    stream_size: u64,
    /// Size of the transfer in bytes, or `u64::MAX` if the transfer has no end.
    size: u64,
    arrivals: Arrivals,
    /// Number of the next packet in the table of packets. The library's own packet numbers are not used, because it
    /// does not report them for packets that only acknowledge.
    number: u32,
}

impl QuicSink {
    /// Creates the sink on its host. The data of the transfer arrive in streams of `stream_size` bytes.
    pub fn new(host: Host, stream_size: Option<Bytes>, transfer: Transfer) -> Self {
        let size = match transfer {
            Transfer::Endless => u64::MAX,
            Transfer::Finite(size) => size.get(),
        };
        Self {
            host,
            stream_size: stream_size.map_or(u64::MAX, Bytes::get),
            size,
            arrivals: Arrivals::default(),
            number: 0,
        }
    }

    /// Returns the secrets of the connection.
    pub(crate) fn keys(&self) -> &KeyLog {
        self.host.keys()
    }

    /// Reads the data that have arrived.
    fn report(&mut self, now: Time) {
        while let Some(event) = self.host.connection().and_then(Connection::poll) {
            match event {
                Event::Stream(StreamEvent::Opened { dir: Dir::Uni }) => {
                    while let Some(id) = self.host.connection().and_then(|it| it.streams().accept(Dir::Uni)) {
                        self.read(id);
                    }
                }
                Event::Stream(StreamEvent::Readable { id }) => self.read(id),
                _ => {}
            }
        }
        if self.arrivals.received.delivered.get() >= self.size && self.arrivals.received.whole_at.is_none() {
            self.arrivals.received.whole_at = Some(now);
        }
        self.host.update();
    }

    /// Reads a stream up to the first gap.
    ///
    /// # Panics
    /// If a byte differs from the byte that was sent. This would be a defect of the library or of this endpoint.
    fn read(&mut self, id: StreamId) {
        let first = id.index().saturating_mul(self.stream_size);
        let Some(connection) = self.host.connection() else { return };
        let mut stream = connection.recv_stream(id);
        // If a stream was read to its end, or was reset, it is closed.
        let Ok(mut chunks) = stream.read(true) else { return };
        while let Ok(Some(chunk)) = chunks.next(usize::MAX) {
            assert!(
                content::is_data(first + chunk.offset, &chunk.bytes),
                "the QUIC library delivered wrong data in {id:?} at {}",
                chunk.offset
            );
            self.arrivals.received.delivered += Bytes::new(chunk.bytes.len() as u64);
        }
        // The next call of `poll_transmit` sends the new limits of flow control.
        let _ = chunks.finalize();
    }
}

impl Endpoint for QuicSink {
    type Body = AnyBody;
    fn handle(&mut self, now: Time, packet: Packet) {
        let buffer = packet.body.buffer();
        self.arrivals.count(now, &packet);
        self.host.handle(now, &buffer.bytes, buffer.ecn);
        self.report(now);
    }
    fn handle_timeout(&mut self, now: Time) {
        self.host.handle_timeout(now);
        self.report(now);
    }
    fn poll_transmit(&mut self, now: Time) -> Option<(AnyBody, u16)> {
        let sent = self.host.poll_transmit(now)?;
        let is_handshaking = self.host.view().is_some_and(Connection::is_handshaking);
        let kind = if is_handshaking { BufferKind::Handshake } else { BufferKind::Ack };
        let size = size_of(&sent);
        let number = self.number;
        self.number += 1;
        Some((body(now, number, kind, sent), size))
    }
    fn next_timeout(&self) -> Time {
        self.host.next_timeout()
    }
    fn path_changed(&mut self, _change: &PathChange) {}
    fn dropped(&mut self, _at: Time, _packet: Packet, _cause: Cause) {}
}

impl Metered for QuicSink {
    fn received(&self) -> Received {
        self.arrivals.received
    }
    fn queueing(&self) -> Option<&Delays> {
        Some(&self.arrivals.queueing)
    }
    fn one_way(&self) -> Option<&OneWay> {
        Some(&self.arrivals.one_way)
    }
    fn forget_delays(&mut self, _now: Time) {
        self.arrivals.forget_delays();
    }
}
