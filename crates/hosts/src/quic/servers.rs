// SPDX-License-Identifier: MIT OR Apache-2.0
//! The servers of an application over QUIC. They answer each request on its own stream, after the processing time of
//! the request.

use super::connections::{Accepted, Connections, Conversation, Own};
use super::controlled::Meter;
use super::library::server;
use super::streams::{Outgoing, Requests, read};
use super::tls::KeyLog;
use super::{Maker, QuicCounts};
use crate::meter::Delays;
use crate::{AnyBody, FlowEvent, FlowEventKind, Metered, Packet, SourceTotals, Transport};
use control::PathChange;
use engine::{Cause, Endpoint};
use noq_proto::{Dir, Event, StreamEvent, StreamId};
use std::collections::BTreeMap;
use std::sync::Arc;
use units::{Bytes, Time};

/// The servers' data about a connection.
#[derive(Debug, Default)]
struct Answering {
    /// For each request that has not arrived completely, the number of bytes that have arrived.
    partial: BTreeMap<StreamId, u64>,
    /// Answers that are not yet written. The key is the time from which the answer may be written, and its stream. The
    /// value is its size.
    due: BTreeMap<(Time, StreamId), Bytes>,
    answers: Outgoing,
}

impl Own for Answering {
    fn next_timeout(&self) -> Time {
        self.due.first_key_value().map_or(Time::MAX, |(&(at, _), _)| at)
    }
}

/// The servers of an application over QUIC.
pub struct QuicServers {
    connections: Connections<Answering>,
    requests: Requests,
}

impl QuicServers {
    /// Creates the servers. `maker` makes the settings of their connections. With `log`, they keep a row for every event.
    pub(super) fn new(maker: Maker, requests: Requests, seed: u64, log: bool) -> Self {
        let own = server(&maker.config, &maker.configs, None);
        Self { connections: Connections::new(maker, Some(own), Meter::new(log), seed), requests }
    }

    /// Returns the secrets of the connections.
    pub(crate) fn keys(&self) -> &KeyLog {
        self.connections.keys()
    }

    /// Returns the number of existing connections.
    pub fn connections(&self) -> usize {
        self.connections.len()
    }

    /// Processes the events of a connection.
    fn report(&mut self, now: Time, place: u32) {
        while let Some(Conversation { line, .. }) = self.connections.get(place)
            && let Some(event) = line.connection.poll()
        {
            match event {
                Event::Stream(StreamEvent::Opened { dir: Dir::Bi }) => {
                    while let Some(Conversation { line, .. }) = self.connections.get(place)
                        && let Some(stream) = line.connection.streams().accept(Dir::Bi)
                    {
                        self.read(now, place, stream);
                    }
                }
                Event::Stream(StreamEvent::Readable { id }) => self.read(now, place, id),
                _ => {}
            }
        }
        self.settle(now, place);
    }

    /// Reads a request. When the complete request has arrived, its answer becomes due after the processing time of the
    /// servers.
    ///
    /// # Panics
    /// If the size of the request differs from the size that the users have stored. This would be a defect of the
    /// hosts.
    fn read(&mut self, now: Time, place: u32, stream: StreamId) {
        let Some(Conversation { number, line, own, .. }) = self.connections.get(place) else { return };
        let came = read(&mut line.connection, *number, stream, false);
        let bytes = own.partial.remove(&stream).unwrap_or(0) + came.bytes;
        if !came.is_whole {
            own.partial.insert(stream, bytes);
            return;
        }
        // If a connection has ended, the users have removed its requests.
        let Some(request) = self.requests.take(*number, stream) else { return };
        assert_eq!(bytes, request.size.get(), "{request:?} on {stream:?} of connection {number}");
        own.due.insert((now + request.wait, stream), request.answer);
    }

    /// Updates a connection after an event, and writes the answers that are due.
    fn settle(&mut self, now: Time, place: u32) {
        if let Some(Conversation { number, line, controlled, own }) = self.connections.get(place) {
            while let Some(next) = own.due.first_entry().filter(|next| next.key().0 <= now) {
                let ((_, stream), size) = next.remove_entry();
                own.answers.push(*number, stream, true, size);
            }
            own.answers.write(controlled, &mut line.connection);
        }
        self.connections.settle(now, place);
    }
}

impl Endpoint for QuicServers {
    type Body = AnyBody;
    fn handle(&mut self, now: Time, packet: Packet) {
        let accept = |maker: &Maker, number| {
            let (factory, controlled) = maker.controller(number);
            let config = Arc::new(server(&maker.config, &maker.configs, Some(factory)));
            Some(Accepted { config, controlled, own: Answering::default() })
        };
        if let Some(place) = self.connections.handle(now, &packet, accept) {
            self.report(now, place);
        }
    }
    fn handle_timeout(&mut self, now: Time) {
        while let Some(place) = self.connections.next_due(now) {
            self.report(now, place);
        }
    }
    fn poll_transmit(&mut self, now: Time) -> Option<(AnyBody, u16)> {
        self.connections.poll_transmit(now)
    }
    fn stream(&self) -> u32 {
        self.connections.stream()
    }
    fn next_timeout(&self) -> Time {
        self.connections.next_timeout()
    }
    fn path_changed(&mut self, change: &PathChange) {
        if change.at == change.now {
            self.connections.meter.note(change.now, FlowEventKind::Path);
        }
        self.connections.announce(change);
    }
    fn dropped(&mut self, at: Time, packet: Packet, cause: Cause) {
        self.connections.meter.dropped(at, &packet, cause);
    }
    fn settle(&mut self, before: Time) {
        self.connections.settle_losses(before);
    }
}

impl Metered for QuicServers {
    fn totals(&self) -> SourceTotals {
        self.connections.meter.totals()
    }
    fn rtt(&self) -> Option<&Delays> {
        Some(self.connections.meter.rtt())
    }
    fn each_connection(&self, show: &mut dyn FnMut(u32, &dyn Transport, u64)) {
        self.connections.each(show);
    }
    fn quic(&self) -> Option<QuicCounts> {
        Some(self.connections.counts())
    }
    fn forget_delays(&mut self, _now: Time) {
        self.connections.meter.forget_delays();
    }
    fn take_events(&mut self) -> Vec<FlowEvent> {
        self.connections.meter.take_events()
    }
}
