// SPDX-License-Identifier: MIT OR Apache-2.0
//! Proxies that split the connections of an application (RFC 3135). A proxy has two sides. Users connect to the
//! *called* side. The *calling* side connects to the next proxy or to the servers.
//!
//! Both sides use the number that the user gave to a connection. As soon as a user connects, the proxy starts the
//! onward connection. In-order data that arrive on one side are written on the other side. Answers wait in a buffer,
//! one per connection, and the receive window is the free space of this buffer. For requests, there is always space.
//!
//! A proxy of an application consists of two hosts. They exchange data like the two connections of other proxies.

use super::connection::{Accepting, Headers, Maker, Meter, Own, is_answer};
use super::connections::Connections;
use crate::messages::Over;
use crate::meter::{Delays, OneWay};
use crate::tcp::is_counted;
use crate::{AnyBody, Packet};
use crate::{FlowEvent, FlowEventKind, Held, Metered, Received, SourceTotals, Transport};
use control::PathChange;
use engine::{Cause, Endpoint};
use tcp::{SegmentKind, Setup};
use units::{Bytes, Span, Time};

/// What one side of a proxy knows about a connection.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
struct Passing {
    handshake: Accepting,
    /// Number of bytes that were written here and came from the other side.
    written: u64,
    /// Number of in-order bytes that wait here for the other side.
    held: u64,
}

impl Own for Passing {
    fn next_timeout(&self) -> Time {
        Time::MAX
    }
}

/// One side of a proxy.
#[derive(Clone, saved::Saved)]
pub struct Relay {
    #[saved(fixed)]
    pub(crate) maker: Maker,
    headers: Headers,
    /// Size of the buffer for the answers of each connection. Present on the calling side only.
    calls: Option<Bytes>,
    #[saved(by = maker)]
    connections: Connections<Passing>,
    over: Over,
    /// Numbers of the connections that had events since the two sides last exchanged data.
    touched: Vec<u32>,
    meter: Meter,
    received: Received,
    queueing: Delays,
    one_way: OneWay,
    /// Number of bytes that wait here. The next fields are its maximum so far, and the maximum of a single connection.
    held: u64,
    most_held: u64,
    most_held_of_one: u64,
    /// Time until which the proxy is moving to another place, or `None` if the proxy is present.
    away: Option<Time>,
    stream: u32,
}

impl Relay {
    /// Creates the called side. If `log` is true, a row is stored for every event.
    pub fn called(maker: Maker, log: bool) -> Self {
        Self::new(maker, None, log)
    }

    /// Creates the calling side. `buffer` is the size of the buffer for the answers of each connection.
    pub fn calling(maker: Maker, buffer: Bytes, log: bool) -> Self {
        Self::new(maker, Some(buffer), log)
    }

    fn new(maker: Maker, calls: Option<Bytes>, log: bool) -> Self {
        let mut meter = Meter::default();
        meter.log = log.then(Vec::new);
        Self {
            headers: Headers::of(&maker.config),
            maker,
            calls,
            connections: Connections::default(),
            over: Over::default(),
            touched: Vec::new(),
            meter,
            received: Received::default(),
            queueing: Delays::default(),
            one_way: OneWay::default(),
            held: 0,
            most_held: 0,
            most_held_of_one: 0,
            away: None,
            stream: 0,
        }
    }

    /// Returns the number of existing connections.
    pub(crate) fn connections(&self) -> usize {
        self.connections.len()
    }

    /// Discards all state of the proxy. Returns its connections, each with the number of answer bytes that the proxy
    /// had accepted.
    pub fn lose_all(&mut self) -> Vec<(u32, u64)> {
        let numbers: Vec<u32> = self.connections.numbers().collect();
        let took = numbers.iter().map(|&number| {
            let connection = self.connections.find(number).and_then(|at| self.connections.get(at));
            let bytes = connection.map_or(0, |connection| connection.receiver.stats().delivered_bytes);
            (number, if self.calls.is_some() { bytes } else { 0 })
        });
        let lost = took.collect();
        for number in numbers {
            self.free(number);
        }
        lost
    }

    /// Discards connections that were broken by another proxy.
    pub fn lose(&mut self, numbers: &[u32]) {
        for &number in numbers {
            self.free(number);
        }
    }

    /// Returns whether the proxy is absent.
    pub fn is_away(&self) -> bool {
        self.away.is_some()
    }

    /// Makes the proxy absent until `until`. The proxy keeps its state.
    pub fn leave(&mut self, until: Time) {
        self.away = Some(until);
    }

    /// Makes the proxy present again if its absence is over.
    pub fn arrive(&mut self, now: Time) {
        self.away = self.away.filter(|&until| until > now);
    }

    /// Returns whether a connection has no pending action here.
    pub(crate) fn is_idle(&self, number: u32) -> bool {
        let is_passing = self.away.is_some() || !self.touched.is_empty();
        !is_passing && self.connections.look(number).is_none_or(|connection| connection.sender.is_drained())
    }

    /// Frees a connection. Later packets for it are ignored.
    pub(crate) fn free(&mut self, number: u32) {
        self.over.insert(number);
        let slot = self.connections.find(number);
        if let Some(connection) = slot.and_then(|slot| self.connections.get(slot)) {
            self.held -= connection.own.held;
        }
        self.connections.remove(number);
    }

    /// Returns the place of a connection. If the connection is unknown here, it is created. If it was freed before,
    /// returns `None`.
    fn place(&mut self, now: Time, number: u32) -> Option<u32> {
        if let Some(slot) = self.connections.find(number) {
            return Some(slot);
        }
        if self.over.contains(number) {
            return None;
        }
        let mut connection = self.maker.connection(number, Passing::default(), self.calls.is_none());
        if let Some(buffer) = self.calls {
            connection.receiver = connection.receiver.clone().relaying(buffer);
            connection.sender.start(now);
        } else if self.maker.config.setup == Setup::None {
            connection.own.handshake.accept(now, &mut connection.sender);
        }
        Some(self.connections.insert(now, connection))
    }

    fn settle(&mut self, now: Time, slot: u32) {
        let Some(connection) = self.connections.get(slot) else { return };
        self.meter.collect(now, connection);
        self.connections.wake(slot);
    }

    /// Writes the in-order data that arrived on the other side, and frees their space there.
    fn take(&mut self, now: Time, number: u32, other: &mut Self) {
        let Some(from) = other.connections.find(number) else { return };
        let Some(to) = self.place(now, number) else { return };
        let (Some(source), Some(sink)) = (other.connections.get(from), self.connections.get(to)) else {
            return;
        };
        let there = source.receiver.stats().delivered_bytes;
        sink.sender.write(there - sink.own.written);
        sink.messages.pass_on(&mut source.messages, there);
        sink.own.written = there;
        source.receiver.release(sink.sender.drained_bytes());
        let held = if other.calls.is_some() { there - sink.sender.drained_bytes() } else { 0 };
        other.held = other.held + held - std::mem::replace(&mut source.own.held, held);
        other.most_held = other.most_held.max(other.held);
        other.most_held_of_one = other.most_held_of_one.max(held);
        self.settle(now, to);
        other.settle(now, from);
    }

    /// Exchanges data after an event on one side. Each side takes the data that wait for it on the other side.
    pub(crate) fn exchange(&mut self, now: Time, other: &mut Self) {
        if self.away.is_some() || other.away.is_some() {
            return;
        }
        let mut touched = std::mem::take(&mut self.touched);
        touched.append(&mut other.touched);
        for number in touched {
            self.take(now, number, other);
            other.take(now, number, self);
        }
    }
}

impl Endpoint for Relay {
    type Body = AnyBody;
    fn handle(&mut self, now: Time, packet: Packet) {
        if self.away.is_some() {
            return;
        }
        let segment = packet.body.segment();
        let answer = is_answer(segment.kind);
        if self.calls.is_some() && !answer && is_counted(segment) {
            self.received.last_arrival = now;
            self.received.packets += 1;
            self.queueing.add(Span::from_nanos(packet.queued_ns));
            self.one_way.add(now.since(segment.timestamp));
        }
        let known = self.connections.find(packet.stream);
        // Only on the called side can a packet open a connection.
        let slot = if self.calls.is_some() { known } else { self.place(now, packet.stream) };
        let Some(slot) = slot else { return };
        let Some(connection) = self.connections.get(slot) else { return };
        let before = connection.sender.is_established();
        if answer {
            self.meter.hear(now, connection, segment);
        } else {
            let stats = *connection.receiver.stats();
            connection.receiver.handle(now, segment);
            connection.messages.come(packet.body.messages());
            let after = connection.receiver.stats();
            self.received.marked += after.marked - stats.marked;
            self.received.delivered += Bytes::new(after.received_bytes - stats.received_bytes);
            if self.calls.is_none() {
                connection.own.handshake.hear(now, segment, &mut connection.sender);
            }
        }
        if !before && connection.sender.is_established() {
            self.connections.established(now, slot);
        }
        self.touched.push(packet.stream);
        self.settle(now, slot);
    }
    fn handle_timeout(&mut self, now: Time) {
        if self.away.is_some() {
            return;
        }
        while let Some(slot) = self.connections.next_due(now) {
            if let Some(connection) = self.connections.get(slot) {
                connection.receiver.handle_timeout(now);
                if self.calls.is_some() || connection.own.handshake.over {
                    connection.sender.handle_timeout(now);
                }
            }
            self.settle(now, slot);
        }
    }
    fn poll_transmit(&mut self, now: Time) -> Option<(AnyBody, u16)> {
        if self.away.is_some() {
            return None;
        }
        let leaving = self.connections.poll_transmit(now)?;
        let connection = self.connections.get(leaving.slot)?;
        self.stream = connection.number;
        let segment = leaving.segment;
        let size = if !leaving.is_answer {
            self.meter.sends(now, connection, &leaving, self.headers)
        } else if segment.kind == SegmentKind::SynAck {
            connection.own.handshake.sends(now);
            self.headers.syn
        } else {
            self.headers.data
        };
        Some((connection.body(segment), size))
    }
    fn stream(&self) -> u32 {
        self.stream
    }
    fn next_timeout(&self) -> Time {
        if self.away.is_some() { Time::MAX } else { self.connections.next_timeout() }
    }
    fn path_changed(&mut self, change: &PathChange) {
        if change.at == change.now {
            self.meter.note(change.now, FlowEventKind::Path);
        }
        self.connections.path_changed(change);
    }
    fn dropped(&mut self, at: Time, packet: Packet, cause: Cause) {
        self.meter.dropped(at, &packet, cause);
    }
    fn settle(&mut self, before: Time) {
        let Self { meter, connections, .. } = self;
        meter.settle(before, |number| connections.find(number).is_some());
    }
}

impl Metered for Relay {
    fn totals(&self) -> SourceTotals {
        // The calling side sends requests, which are not counted by any flow.
        if self.calls.is_some() { SourceTotals::default() } else { self.meter.totals }
    }
    fn received(&self) -> Received {
        if self.calls.is_some() { self.received } else { Received::default() }
    }
    fn rtt(&self) -> Option<&Delays> {
        self.calls.is_none().then_some(&self.meter.rtt)
    }
    fn queueing(&self) -> Option<&Delays> {
        self.calls.map(|_| &self.queueing)
    }
    fn one_way(&self) -> Option<&OneWay> {
        self.calls.map(|_| &self.one_way)
    }
    fn held(&self) -> Option<Held> {
        let [most, most_of_one, now] = [self.most_held, self.most_held_of_one, self.held].map(Bytes::new);
        self.calls.map(|_| Held { most, most_of_one, now })
    }
    fn each_connection(&self, show: &mut dyn FnMut(u32, &dyn Transport, u64)) {
        self.connections.each(show);
    }
    fn forget_delays(&mut self, _now: Time) {
        self.meter.rtt.forget();
        self.queueing.forget();
        self.one_way.forget();
    }
    fn take_events(&mut self) -> Vec<FlowEvent> {
        self.meter.take_events()
    }
}
