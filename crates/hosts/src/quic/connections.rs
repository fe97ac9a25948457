// SPDX-License-Identifier: MIT OR Apache-2.0
//! The connections of a host of an application. One endpoint of the library has many connections.

use super::controlled::{Controlled, Meter};
use super::library::{Arrived, Library, Line, Sent};
use super::tls::KeyLog;
use super::{Maker, QuicCounts};
use crate::application::Timed;
use crate::{AnyBody, BufferKind, Packet, Transport};
use control::PathChange;
use noq_proto::{Connection, Incoming, ServerConfig};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use units::Time;

/// One connection at one host. `own` contains the host's data about this connection.
pub struct Conversation<S> {
    pub number: u32,
    pub line: Line,
    pub controlled: Controlled,
    pub own: S,
}

/// A host's data about one of its connections.
pub trait Own {
    /// Returns the time at which the host must act on this connection, even if no event occurs.
    fn next_timeout(&self) -> Time;
}

/// The settings of a connection that a server accepts, the view of its controller, and the host's data about it.
pub struct Accepted<S> {
    pub config: Arc<ServerConfig>,
    pub controlled: Controlled,
    pub own: S,
}

/// The connections of a host.
pub struct Connections<S> {
    pub maker: Maker,
    pub library: Library,
    /// Sums over what the host sends.
    pub meter: Meter,
    slots: Timed<Conversation<S>>,
    by_number: BTreeMap<u32, u32>,
    /// Places of the connections by the handles of the library. The library reuses handles.
    by_handle: BTreeMap<usize, u32>,
    /// `ready` is a queue of the places of connections that may send. Each place is in the queue at most once.
    /// `is_ready` states for each place whether it is in the queue.
    ready: VecDeque<u32>,
    is_ready: Vec<bool>,
    /// Datagrams that the endpoint sends outside of its connections. Each has the number of the connection to which it
    /// responds.
    responses: VecDeque<(u32, Sent)>,
    /// Sums of the counts over the connections that have ended.
    past: QuicCounts,
    /// Number of the connection that sent the last datagram.
    stream: u32,
}

impl<S: Own> Connections<S> {
    /// Creates a host without connections. `maker` makes their settings. `server` contains the settings with which the
    /// endpoint accepts connections. With `None`, it accepts none.
    pub fn new(maker: Maker, server: Option<ServerConfig>, meter: Meter, seed: u64) -> Self {
        Self {
            library: Library::new(&maker.config, server, seed),
            maker,
            meter,
            slots: Timed::default(),
            by_number: BTreeMap::new(),
            by_handle: BTreeMap::new(),
            ready: VecDeque::new(),
            is_ready: Vec::new(),
            responses: VecDeque::new(),
            past: QuicCounts::default(),
            stream: 0,
        }
    }

    /// Adds a connection and returns its place. The connection may send immediately.
    pub fn insert(&mut self, conversation: Conversation<S>) -> u32 {
        let (number, handle) = (conversation.number, conversation.line.handle);
        let slot = self.slots.insert(Box::new(conversation));
        self.is_ready.resize(self.slots.places(), false);
        self.by_number.insert(number, slot);
        self.by_handle.insert(handle.0, slot);
        self.wake(slot);
        slot
    }

    /// Returns the place of the connection with this number, or `None` if it does not exist.
    pub fn find(&self, number: u32) -> Option<u32> {
        self.by_number.get(&number).copied()
    }

    /// Returns the connection at a place.
    pub fn get(&mut self, slot: u32) -> Option<&mut Conversation<S>> {
        self.slots.get(slot)
    }

    /// Returns the secrets of the connections, which both hosts share.
    pub fn keys(&self) -> &KeyLog {
        &self.maker.configs.keys
    }

    /// Announces a change of the path to all controllers.
    pub fn announce(&mut self, change: &PathChange) {
        let Some(hints) = &self.maker.hints else { return };
        hints.announce(*change);
        let slots: Vec<u32> = self.by_number.values().copied().collect();
        for slot in slots {
            if let Some(conversation) = self.slots.get(slot) {
                conversation.controlled.watch().advance(change.now);
                self.wake(slot);
            }
        }
    }

    /// Returns the number of connections.
    pub fn len(&self) -> usize {
        self.by_number.len()
    }

    /// Handles a datagram that arrived, and returns the place of its connection. If the datagram opens a connection,
    /// `accept` creates the connection, whose number is the stream of the packet.
    pub fn handle(
        &mut self,
        now: Time,
        packet: &Packet,
        accept: impl FnOnce(&Maker, u32) -> Option<Accepted<S>>,
    ) -> Option<u32> {
        let buffer = packet.body.buffer();
        match self.library.handle(now, &buffer.bytes, buffer.ecn) {
            Arrived::Event(handle, event) => {
                let slot = *self.by_handle.get(&handle.0)?;
                let Conversation { line, controlled, .. } = self.slots.get(slot)?;
                controlled.hears();
                self.library.deliver(line, event);
                Some(slot)
            }
            Arrived::New(incoming) => self.accept(now, packet.stream, incoming, accept),
            Arrived::Nobody(response) => {
                self.responses.extend(response.map(|response| (packet.stream, response)));
                None
            }
        }
    }

    fn accept(
        &mut self,
        now: Time,
        number: u32,
        incoming: Incoming,
        accept: impl FnOnce(&Maker, u32) -> Option<Accepted<S>>,
    ) -> Option<u32> {
        let Some(Accepted { config, controlled, own }) = accept(&self.maker, number) else {
            self.library.ignore(incoming);
            return None;
        };
        match self.library.accept(now, incoming, Some(config)) {
            Ok(line) => Some(self.insert(Conversation { number, line, controlled, own })),
            Err(response) => {
                self.responses.extend(response.map(|response| (number, response)));
                None
            }
        }
    }

    /// Updates a connection after an event, and marks it: it may have data to send, and its timers may have changed.
    /// Frees it if the library no longer needs it.
    pub fn settle(&mut self, now: Time, slot: u32) {
        let Some(Conversation { number, line, controlled, .. }) = self.slots.get(slot) else { return };
        self.meter.collect(now, *number, controlled);
        self.library.update(line);
        controlled.count(&mut line.connection);
        if line.connection.is_drained() {
            self.remove(slot);
        } else {
            self.wake(slot);
        }
    }

    /// As [`engine::Endpoint::settle`].
    pub fn settle_losses(&mut self, before: Time) {
        let Self { meter, by_number, .. } = self;
        meter.settle(before, |number| by_number.contains_key(&number));
    }

    fn remove(&mut self, slot: u32) {
        let Some(conversation) = self.slots.remove(slot) else { return };
        self.past = self.past.and(&conversation.controlled.counts);
        self.by_handle.remove(&conversation.line.handle.0);
        self.by_number.remove(&conversation.number);
    }

    /// Closes a connection without an error.
    pub fn close(&mut self, now: Time, slot: u32) {
        if let Some(conversation) = self.slots.get(slot) {
            self.library.close(now, &mut conversation.line);
        }
    }

    fn wake(&mut self, slot: u32) {
        if !std::mem::replace(&mut self.is_ready[slot as usize], true) {
            self.ready.push_back(slot);
        }
    }

    /// Returns the time at which the next timer expires.
    pub fn next_timeout(&self) -> Time {
        self.slots.next_timeout()
    }

    /// Handles the next connection whose timer has expired, and returns its place.
    pub fn next_due(&mut self, now: Time) -> Option<u32> {
        let slot = self.slots.next_due(now)?;
        if let Some(Conversation { line, controlled, .. }) = self.slots.get(slot) {
            controlled.handle_timeout(now);
            if line.next_timeout() <= now {
                self.library.handle_timeout(now, line);
            }
        }
        Some(slot)
    }

    /// Returns the next datagram that leaves, and its size. A connection without data to send then waits for its
    /// timers.
    pub fn poll_transmit(&mut self, now: Time) -> Option<(AnyBody, u16)> {
        if let Some((stream, response)) = self.responses.pop_front() {
            self.stream = stream;
            let size = super::controlled::size_of(&response);
            return Some((super::controlled::body(now, 0, BufferKind::Ack, response), size));
        }
        while let Some(&slot) = self.ready.front() {
            if let Some(Conversation { number, line, controlled, own }) = self.slots.get(slot) {
                let before = controlled.watch().brief().sent;
                if let Some(sent) = self.library.poll_transmit(now, line) {
                    self.stream = *number;
                    let is_handshaking = Connection::is_handshaking(&line.connection);
                    return Some(self.meter.sends(now, controlled, before, is_handshaking, sent));
                }
                let next = line.next_timeout().min(controlled.next_timeout()).min(own.next_timeout());
                let is_over = line.connection.is_drained();
                self.slots.arm(slot, next);
                if is_over {
                    self.remove(slot);
                }
            }
            self.ready.pop_front();
            self.is_ready[slot as usize] = false;
        }
        None
    }

    /// Returns the number of the connection that sent the last datagram.
    pub const fn stream(&self) -> u32 {
        self.stream
    }

    /// Calls `show` for each connection, in ascending order of the numbers.
    pub fn each(&self, show: &mut dyn FnMut(u32, &dyn Transport, u64)) {
        for (&number, &slot) in &self.by_number {
            if let Some(conversation) = self.slots.look(slot) {
                show(number, &conversation.controlled, conversation.controlled.timeouts());
            }
        }
    }

    /// Returns the sum of the counts over all connections so far.
    pub fn counts(&self) -> QuicCounts {
        self.slots.all().fold(self.past, |sum, conversation| sum.and(&conversation.controlled.counts))
    }
}
