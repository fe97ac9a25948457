// SPDX-License-Identifier: MIT OR Apache-2.0
//! The servers of an application.
//!
//! Interleaved answers (`http2-interleaved`) are written frame by frame. At most one frame is written ahead of the data
//! that were sent, because the order of written frames can no longer change.

use super::connection::{Accepting, Connection, Headers, Maker, Meter, Own, is_answer};
use super::connections::Connections;
use crate::messages::{Message, MessageKind, Over};
use crate::meter::Delays;
use crate::{AnyBody, Packet};
use crate::{FlowEvent, FlowEventKind, Metered, SourceTotals, Transport};
use control::PathChange;
use engine::{Cause, Endpoint};
use std::collections::VecDeque;
use tcp::{SegmentKind, Setup};
use units::Time;

/// Size of a frame of interleaved answers, in bytes. It is the default, and also the smallest maximum that every
/// receiver must accept (RFC 9113, section 4.2).
const FRAME: u64 = 1 << 14;

/// The servers' data about a connection.
#[derive(Clone, Debug, Default, saved::Plain)]
struct Answering {
    handshake: Accepting,
    /// Answers that are not yet written. Each entry is the time from which the answer may be written, and its size in
    /// bytes.
    answers: VecDeque<(Time, u64)>,
    /// The state of interleaved answers, or `None` if answers are written one after the other.
    turns: Option<Turns>,
}

/// Answers that are written frame by frame, in turns.
#[derive(Clone, Debug, Default, saved::Plain)]
struct Turns {
    /// Answers that are not completely written. Each entry is the number of the answer and its remaining bytes. The
    /// first entry has the next turn.
    open: VecDeque<(u32, u64)>,
    /// Number of interleaved answers so far.
    count: u32,
    /// Number of bytes in all frames so far.
    written: u64,
}

impl Own for Answering {
    fn next_timeout(&self) -> Time {
        self.answers.front().map_or(Time::MAX, |answer| answer.0)
    }
}

/// The servers of an application.
#[derive(Clone, saved::Saved)]
pub struct Servers {
    #[saved(fixed)]
    pub(crate) maker: Maker,
    headers: Headers,
    #[saved(by = maker)]
    connections: Connections<Answering>,
    over: Over,
    meter: Meter,
    stream: u32,
}

impl Servers {
    /// Creates the servers. `maker` creates their halves of connections. If `log` is true, a row is stored for every
    /// event.
    pub fn new(maker: Maker, log: bool) -> Self {
        let headers = Headers::of(&maker.config);
        let mut meter = Meter::default();
        meter.log = log.then(Vec::new);
        Self { maker, headers, connections: Connections::default(), over: Over::default(), meter, stream: 0 }
    }

    /// Returns the number of existing connections.
    pub fn connections(&self) -> usize {
        self.connections.len()
    }

    /// Returns the number of places for connections. It is the largest number of simultaneous connections so far.
    pub fn places(&self) -> usize {
        self.connections.places()
    }

    /// Returns whether a connection has no pending action here.
    pub(crate) fn is_idle(&self, number: u32) -> bool {
        let is_busy = |connection: &Connection<Answering>| {
            let Answering { answers, turns, .. } = &connection.own;
            let is_writing = turns.as_ref().is_some_and(|turns| !turns.open.is_empty());
            !answers.is_empty() || is_writing || !connection.sender.is_drained()
        };
        !self.connections.look(number).is_some_and(is_busy)
    }

    /// Frees a connection. Later packets for it are ignored.
    pub(crate) fn free(&mut self, number: u32) {
        self.connections.remove(number);
        self.over.insert(number);
    }

    /// Discards connections that were broken.
    pub fn lose(&mut self, numbers: &[u32]) {
        for &number in numbers {
            self.free(number);
        }
    }

    /// Returns the place of the packet's connection. If a user has just opened the connection, it is created. If it was
    /// freed before, returns `None`.
    fn find(&mut self, now: Time, packet: &Packet) -> Option<u32> {
        if let Some(slot) = self.connections.find(packet.stream) {
            return Some(slot);
        }
        if self.over.contains(packet.stream) {
            return None;
        }
        let mut connection = self.maker.connection(packet.stream, Answering::default(), true);
        if self.maker.config.setup == Setup::None {
            connection.own.handshake.accept(now, &mut connection.sender);
        }
        Some(self.connections.insert(now, connection))
    }

    /// Updates a connection after an event. Answers that are due are written, and the connection may send.
    fn settle(&mut self, now: Time, slot: u32) {
        let Some(connection) = self.connections.get(slot) else { return };
        self.meter.collect(now, connection);
        let Connection { sender, own, .. } = &mut *connection;
        while let Some(&(_, bytes)) = own.answers.front().filter(|answer| answer.0 <= now) {
            own.answers.pop_front();
            match &mut own.turns {
                Some(turns) => {
                    turns.open.push_back((turns.count, bytes));
                    turns.count += 1;
                }
                None => sender.write(bytes),
            }
        }
        take_turns(connection, self.maker.config.mss);
        self.connections.wake(slot);
    }
}

impl Endpoint for Servers {
    type Body = AnyBody;
    fn handle(&mut self, now: Time, packet: Packet) {
        let Some(slot) = self.find(now, &packet) else { return };
        let Some(connection) = self.connections.get(slot) else { return };
        let segment = packet.body.segment();
        if is_answer(segment.kind) {
            self.meter.hear(now, connection, segment);
        } else {
            connection.receiver.handle(now, segment);
            let accepted = connection.own.handshake.hear(now, segment, &mut connection.sender);
            connection.messages.come(packet.body.messages());
            take_requests(now, connection);
            if accepted {
                self.connections.established(now, slot);
            }
        }
        self.settle(now, slot);
    }
    fn handle_timeout(&mut self, now: Time) {
        while let Some(slot) = self.connections.next_due(now) {
            if let Some(connection) = self.connections.get(slot) {
                connection.receiver.handle_timeout(now);
                if connection.own.handshake.over {
                    connection.sender.handle_timeout(now);
                }
            }
            self.settle(now, slot);
        }
    }
    fn poll_transmit(&mut self, now: Time) -> Option<(AnyBody, u16)> {
        let leaving = self.connections.poll_transmit(now)?;
        let connection = self.connections.get(leaving.slot)?;
        self.stream = connection.number;
        let segment = leaving.segment;
        take_turns(connection, self.maker.config.mss);
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
        self.connections.next_timeout()
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

/// Writes the next frames of interleaved answers. Only a few frames are written ahead, so that a new answer does not
/// wait long. These frames are sufficient for the connection to always have data to send.
fn take_turns(connection: &mut Connection<Answering>, mss: u32) {
    let Connection { sender, messages, own, .. } = connection;
    let Some(turns) = &mut own.turns else { return };
    let enough = FRAME / u64::from(mss);
    while sender.unsent_segments() <= enough {
        let Some((answer, left)) = turns.open.pop_front() else { return };
        let frame = left.min(FRAME);
        sender.write(frame);
        turns.written += frame;
        if left > frame {
            turns.open.push_back((answer, left - frame));
        } else {
            messages.write(turns.written, MessageKind::Answer(answer));
        }
    }
}

/// Reads complete requests. Each answer is due after the processing time of the servers, and answers are processed one
/// after the other.
fn take_requests(now: Time, connection: &mut Connection<Answering>) {
    let Connection { receiver, messages, own, .. } = connection;
    let got = receiver.stats().delivered_bytes;
    while let Some(Message { kind, .. }) = messages.read(got) {
        let MessageKind::Request { wait, answer, in_turns } = kind else { continue };
        if in_turns {
            own.turns.get_or_insert_default();
        }
        let due = own.answers.back().map_or(Time::ZERO, |last| last.0).max(now + wait);
        own.answers.push_back((due, answer.get()));
    }
}

impl Metered for Servers {
    fn totals(&self) -> SourceTotals {
        self.meter.totals
    }
    fn rtt(&self) -> Option<&Delays> {
        Some(&self.meter.rtt)
    }
    fn each_connection(&self, show: &mut dyn FnMut(u32, &dyn Transport, u64)) {
        self.connections.each(show);
    }
    fn forget_delays(&mut self, _now: Time) {
        self.meter.rtt.forget();
    }
    fn take_events(&mut self) -> Vec<FlowEvent> {
        self.meter.take_events()
    }
}
