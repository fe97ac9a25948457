// SPDX-License-Identifier: MIT OR Apache-2.0
//! The users of an application and their visits.

use super::Application;
use super::connection::{Headers, Maker, Meter, Own, empty_path, is_answer};
use super::connections::Connections;
use super::visits::{VisitRow, Visitors};
use crate::messages::MessageKind;
use crate::meter::{Delays, OneWay};
use crate::tcp::is_counted;
use crate::{AnyBody, Packet};
use crate::{Metered, Received, SourceTotals, Transport};
use control::PathChange;
use engine::{Cause, Endpoint};
use std::collections::BTreeSet;
use tcp::{SegmentKind, Setup};
use traffic::{Act, Happened};
use units::{Bytes, Span, Time};

/// Value of [`Used::visit`] for a connection whose visit is over.
const NO_VISIT: u32 = u32::MAX;

/// The users' data about a connection.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
struct Asking {
    /// Place of the connection's visit. The next field is the number of the connection within this visit.
    visit: u32,
    of_visit: u8,
    /// Whether the visit was informed that the connection is open.
    opened: bool,
    /// Whether the visit will send no more requests on the connection.
    closed: bool,
    /// Whether the answers on this connection are interleaved.
    interleaves: bool,
    /// Number of bytes of all requests so far.
    asked: u64,
}

impl Own for Asking {
    fn next_timeout(&self) -> Time {
        Time::MAX
    }
}

/// The users of an application.
#[derive(Clone, saved::Saved)]
pub struct Users {
    #[saved(fixed)]
    pub(crate) maker: Maker,
    headers: Headers,
    #[saved(by = maker)]
    connections: Connections<Asking>,
    /// Number of the newest connection.
    newest: u32,
    /// Numbers of the connections that their visits have closed.
    closed: BTreeSet<u32>,
    visitors: Visitors,
    /// Counts of requests.
    meter: Meter,
    received: Received,
    queueing: Delays,
    one_way: OneWay,
    stream: u32,
}

impl Users {
    /// Creates the users. `maker` creates their halves of connections.
    pub fn new(application: Application, maker: Maker) -> Self {
        Self {
            headers: Headers::of(&maker.config),
            maker,
            connections: Connections::default(),
            newest: 0,
            closed: BTreeSet::new(),
            visitors: Visitors::new(application),
            meter: Meter::default(),
            received: Received::default(),
            queueing: Delays::default(),
            one_way: OneWay::default(),
            stream: 0,
        }
    }

    /// Returns the number of existing connections.
    pub fn connections(&self) -> usize {
        self.connections.len()
    }

    /// Returns the number of places for connections. It is the largest number of simultaneous connections so far.
    pub fn places(&self) -> usize {
        self.connections.places()
    }

    /// Returns the number of running visits.
    pub fn visits(&self) -> usize {
        self.visitors.len()
    }

    /// Returns the numbers of the connections that their visits have closed.
    pub(crate) fn closed(&self) -> impl Iterator<Item = u32> {
        self.closed.iter().copied()
    }

    /// Returns whether a connection has no pending action here.
    pub(crate) fn is_idle(&self, number: u32) -> bool {
        self.connections.look(number).is_none_or(|connection| connection.sender.is_drained())
    }

    /// Frees a connection. Later packets of this connection are ignored, because only users open connections.
    pub(crate) fn free(&mut self, number: u32) {
        self.connections.remove(number);
        self.closed.remove(&number);
    }

    /// Reports pending events to visits, and executes the actions of the visits.
    fn tell(&mut self, now: Time) {
        while let Some((slot, mut acts)) = self.visitors.tell(now) {
            for act in acts.drain(..) {
                self.act(now, slot, act);
            }
            self.visitors.acted(acts);
        }
    }

    fn act(&mut self, now: Time, slot: u32, act: Act) {
        match act {
            Act::Open => self.open(now, slot, None),
            Act::Reopen(connection) => self.open(now, slot, Some(connection)),
            Act::Ask { connection, request, wait, answer } => {
                let Some(place) = self.place(slot, connection) else { return };
                if let Some(connection) = self.connections.get(place).filter(|it| !it.own.closed) {
                    connection.sender.write(request.get());
                    connection.own.asked += request.get();
                    let in_turns = connection.own.interleaves;
                    let kind = MessageKind::Request { wait, answer, in_turns };
                    connection.messages.write(connection.own.asked, kind);
                    self.settle(now, place);
                }
            }
            Act::Close(connection) => {
                if let Some(place) = self.place(slot, connection) {
                    self.close(now, place);
                }
            }
            Act::Done => {
                for number in self.visitors.end(now, slot) {
                    if let Some(place) = self.connections.find(number) {
                        self.close(now, place);
                    }
                }
            }
        }
    }

    /// Returns the place of a connection of a visit.
    fn place(&mut self, slot: u32, connection: u8) -> Option<u32> {
        let number = self.visitors.connection(slot, connection)?;
        self.connections.find(number)
    }

    /// Opens the next connection of a visit, or a connection that replaces connection `place` of the visit.
    fn open(&mut self, now: Time, slot: u32, place: Option<u8>) {
        let number = self.newest + 1;
        let Some(interleaves) = self.visitors.interleaves(slot) else { return };
        let Some(of_visit) = self.visitors.connect(slot, number, place) else { return };
        self.newest = number;
        // With Fast Open, the SYN carries the request. Without a handshake, the connection exists immediately.
        let opened = matches!(self.maker.config.setup, Setup::None | Setup::FastOpen);
        let own = Asking { visit: slot, of_visit, opened, closed: false, interleaves, asked: 0 };
        let mut connection = self.maker.connection(number, own, false);
        connection.sender.start(now);
        self.connections.insert(now, connection);
        if opened {
            self.visitors.report(slot, Happened::Opened(of_visit));
        }
    }

    /// Returns the number of answer bytes that a connection has delivered, or `None` if its visit no longer needs the
    /// connection.
    pub fn brought(&mut self, number: u32) -> Option<u64> {
        let place = self.connections.find(number)?;
        let connection = self.connections.get(place)?;
        (!connection.own.closed).then(|| connection.receiver.stats().delivered_bytes)
    }

    /// Discards connections that were broken. Their visits try again after `wait`. Returns whether a visit still needed
    /// one of these connections.
    pub fn lose(&mut self, now: Time, numbers: &[u32], wait: Span) -> bool {
        let mut needed = false;
        for &number in numbers {
            let Some(connection) = self.connections.find(number).and_then(|at| self.connections.get(at))
            else {
                continue;
            };
            let Asking { visit, of_visit, .. } = connection.own;
            self.free(number);
            if visit != NO_VISIT {
                needed = true;
                self.visitors.report(visit, Happened::Broken { connection: of_visit, wait });
            }
        }
        self.tell(now);
        needed
    }

    fn close(&mut self, now: Time, place: u32) {
        if let Some(connection) = self.connections.get(place) {
            (connection.own.closed, connection.own.visit) = (true, NO_VISIT);
            self.closed.insert(connection.number);
            self.settle(now, place);
        }
    }

    /// Updates a connection after an event.
    fn settle(&mut self, now: Time, place: u32) {
        let Some(connection) = self.connections.get(place) else { return };
        self.meter.collect(now, connection);
        self.connections.wake(place);
    }

    fn count(&mut self, now: Time, packet: &Packet) {
        let segment = packet.body.segment();
        if is_counted(segment) {
            self.received.last_arrival = now;
            self.received.packets += 1;
            self.queueing.add(Span::from_nanos(packet.queued_ns));
            self.one_way.add(now.since(segment.timestamp));
        } else if segment.kind == SegmentKind::Probe {
            self.received.last_arrival = now;
        }
    }

    fn begin(&mut self, now: Time) {
        while self.visitors.begin(now, |path| empty_path(path, &self.maker.config)) {
            self.tell(now);
        }
    }
}

impl Endpoint for Users {
    type Body = AnyBody;
    fn handle(&mut self, now: Time, packet: Packet) {
        let segment = packet.body.segment();
        let answer = is_answer(segment.kind);
        if !answer {
            self.count(now, &packet);
        }
        let Some(place) = self.connections.find(packet.stream) else { return };
        let Some(connection) = self.connections.get(place) else { return };
        let Asking { visit, of_visit, interleaves, .. } = connection.own;
        let mut news = None;
        if answer {
            let before = connection.sender.is_established();
            self.meter.hear(now, connection, segment);
            if !before && connection.sender.is_established() {
                if !std::mem::replace(&mut connection.own.opened, true) {
                    news = Some(Happened::Opened(of_visit));
                }
                self.connections.established(now, place);
            }
        } else {
            let before = *connection.receiver.stats();
            connection.receiver.handle(now, segment);
            let after = connection.receiver.stats();
            self.received.marked += after.marked - before.marked;
            self.received.delivered += Bytes::new(after.received_bytes - before.received_bytes);
            let bytes = after.delivered_bytes;
            connection.messages.come(packet.body.messages());
            if bytes > before.delivered_bytes {
                self.visitors.receive(visit, bytes - before.delivered_bytes);
                news = Some(Happened::Received { connection: of_visit, bytes });
            }
        }
        self.settle(now, place);
        if let Some(news) = news.filter(|_| visit != NO_VISIT) {
            self.visitors.report(visit, news);
            if let Happened::Received { bytes, .. } = news
                && interleaves
            {
                while let Some(connection) = self.connections.get(place)
                    && let Some(message) = connection.messages.read(bytes)
                {
                    if let MessageKind::Answer(answer) = message.kind {
                        let whole = Happened::Answered { connection: of_visit, answer };
                        self.visitors.report(visit, whole);
                    }
                }
            }
            self.tell(now);
        }
    }
    fn handle_timeout(&mut self, now: Time) {
        while let Some(place) = self.connections.next_due(now) {
            if let Some(connection) = self.connections.get(place) {
                connection.receiver.handle_timeout(now);
                connection.sender.handle_timeout(now);
            }
            self.settle(now, place);
        }
        while self.visitors.report_due(now) {
            self.tell(now);
        }
        self.begin(now);
    }
    fn poll_transmit(&mut self, now: Time) -> Option<(AnyBody, u16)> {
        let leaving = self.connections.poll_transmit(now)?;
        let connection = self.connections.get(leaving.slot)?;
        self.stream = connection.number;
        let segment = leaving.segment;
        let size = if leaving.is_answer {
            self.headers.data
        } else {
            self.meter.sends(now, connection, &leaving, self.headers)
        };
        Some((connection.body(segment), size))
    }
    fn stream(&self) -> u32 {
        self.stream
    }
    fn next_timeout(&self) -> Time {
        self.connections.next_timeout().min(self.visitors.next_timeout())
    }
    fn path_changed(&mut self, change: &PathChange) {
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

impl Metered for Users {
    fn received(&self) -> Received {
        self.received
    }
    fn queueing(&self) -> Option<&Delays> {
        Some(&self.queueing)
    }
    fn one_way(&self) -> Option<&OneWay> {
        Some(&self.one_way)
    }
    fn each_connection(&self, show: &mut dyn FnMut(u32, &dyn Transport, u64)) {
        self.connections.each(show);
    }
    fn requests(&self) -> Option<SourceTotals> {
        Some(self.meter.totals)
    }
    fn forget_delays(&mut self, _now: Time) {
        self.queueing.forget();
        self.one_way.forget();
    }
    fn take_visits(&mut self) -> Vec<VisitRow> {
        self.visitors.take_finished()
    }
    fn unfinished_visits(&self, now: Time) -> Vec<VisitRow> {
        self.visitors.unfinished(now)
    }
}
