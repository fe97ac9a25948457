// SPDX-License-Identifier: MIT OR Apache-2.0
//! The users of an application over QUIC, and their visits.

use super::arrivals::Arrivals;
use super::connections::{Connections, Conversation, Own};
use super::controlled::Meter;
use super::library::{FirstIds, client};
use super::streams::{Came, Outgoing, Request, Requests, read};
use super::tls::KeyLog;
use super::{Closed, Maker, QuicCounts, Resumed};
use crate::application::{Application, VisitRow, Visitors};
use crate::meter::{Delays, OneWay};
use crate::{AnyBody, Metered, Packet, Received, SourceTotals, Transport};
use control::{PathChange, PathState};
use engine::{Cause, Endpoint};
use noq_proto::{Connection, ConnectionError, Dir, Event, StreamEvent, StreamId};
use scenario::QuicConfig;
use std::collections::VecDeque;
use traffic::{Act, EmptyPath, Happened};
use units::{Bytes, Rate, Span, Time};

/// The visit of a connection that is no longer needed by its visit.
const NO_VISIT: u32 = u32::MAX;

/// A request that is not yet removed from the list, because its answer or the answer of an earlier request is
/// incomplete.
#[derive(Clone, Copy, Debug)]
struct Asked {
    answer: u64,
    received: u64,
    is_whole: bool,
}

/// The users' data about a connection.
#[derive(Debug, Default)]
struct Asking {
    /// Place of the connection's visit. The next field is the number of the connection within this visit.
    visit: u32,
    of_visit: u8,
    /// Whether each answer is reported when it is complete, also before answers to earlier requests.
    interleaves: bool,
    /// Whether the visit was informed that the connection is open.
    opened: bool,
    /// Whether requests may leave before the handshake is complete.
    is_early: bool,
    /// Requests for which the server has not granted streams yet.
    waiting: VecDeque<Request>,
    requests: Outgoing,
    /// Requests in the order of their streams, from the first request with an incomplete answer on.
    asked: VecDeque<Asked>,
    /// Number of requests before those in `asked`.
    answered: u64,
    /// Number of answer bytes that have arrived. The next fields count the bytes of the complete answers before
    /// `asked`, and the bytes that were reported to the visit.
    received: u64,
    complete: u64,
    reported: u64,
}

impl Own for Asking {
    fn next_timeout(&self) -> Time {
        Time::MAX
    }
}

impl Asking {
    /// Sends waiting requests, as far as the server grants streams.
    fn ask(&mut self, number: u32, connection: &mut Connection, requests: &Requests) {
        while let Some(&request) = self.waiting.front() {
            let Some(stream) = connection.streams().open(Dir::Bi) else { return };
            self.waiting.pop_front();
            requests.insert(number, stream, request);
            self.requests.push(number, stream, false, request.size);
            self.asked.push_back(Asked { answer: request.answer.get(), received: 0, is_whole: false });
        }
    }

    /// Counts data of an answer that arrived.
    ///
    /// # Panics
    /// If the size of the answer differs from the size in the request. This would be a defect of the hosts.
    fn take(&mut self, stream: StreamId, came: Came) {
        let place = stream.index().checked_sub(self.answered);
        let Some(asked) = place.and_then(|place| self.asked.get_mut(place as usize)) else { return };
        asked.received += came.bytes;
        asked.is_whole |= came.is_whole;
        assert!(!asked.is_whole || asked.received == asked.answer, "{asked:?} is whole");
        self.received += came.bytes;
        while let Some(&Asked { answer, is_whole: true, .. }) = self.asked.front() {
            self.asked.pop_front();
            self.answered += 1;
            self.complete += answer;
        }
    }

    /// Returns the number of answer bytes that may be reported to the visit. If answers are not reported one by one,
    /// the bytes of an answer count only if all earlier answers are complete.
    fn in_order(&self) -> u64 {
        if self.interleaves {
            return self.received;
        }
        self.complete + self.asked.front().map_or(0, |first| first.received)
    }

    /// Returns whether the visit waits for an answer.
    fn is_busy(&self) -> bool {
        !self.opened || !self.waiting.is_empty() || !self.asked.is_empty()
    }
}

/// The users of an application over QUIC. Each request of a visit has its own stream on one of the visit's connections.
pub struct QuicUsers {
    ids: FirstIds,
    resumed: Option<Resumed>,
    /// The connections of the users. Their meter counts requests.
    connections: Connections<Asking>,
    requests: Requests,
    /// Number of the newest connection.
    newest: u32,
    visitors: Visitors,
    closed: Option<Closed>,
    arrivals: Arrivals,
}

impl QuicUsers {
    /// Creates the users. `maker` creates the settings of their connections.
    pub(super) fn new(
        application: Application,
        maker: Maker,
        requests: Requests,
        resumed: Option<Resumed>,
        seed: u64,
    ) -> Self {
        Self {
            connections: Connections::new(maker, None, Meter::default(), seed),
            ids: FirstIds::new(seed),
            resumed,
            requests,
            newest: 0,
            // A visit continues if the library closes its connection.
            visitors: Visitors::new(Application { shaken: true, ..application }),
            closed: None,
            arrivals: Arrivals::default(),
        }
    }

    /// Returns the secrets of the connections.
    pub(crate) fn keys(&self) -> &KeyLog {
        self.connections.keys()
    }

    /// Returns the number of existing connections.
    pub fn connections(&self) -> usize {
        self.connections.len()
    }

    /// Reports pending events to visits, and executes the actions of the visits.
    fn tell(&mut self, now: Time) {
        loop {
            while let Some((slot, mut acts)) = self.visitors.tell(now) {
                for act in acts.drain(..) {
                    self.act(now, slot, act);
                }
                self.visitors.acted(acts);
            }
            if !self.visitors.report_due(now) {
                return;
            }
        }
    }

    fn act(&mut self, now: Time, slot: u32, act: Act) {
        match act {
            Act::Open => self.open(now, slot, None),
            Act::Reopen(connection) => self.open(now, slot, Some(connection)),
            Act::Ask { connection, request, wait, answer } => {
                let number = self.visitors.connection(slot, connection);
                let Some(place) = number.and_then(|number| self.connections.find(number)) else { return };
                if let Some(Conversation { own, .. }) = self.connections.get(place)
                    && own.visit == slot
                {
                    own.waiting.push_back(Request { size: request, wait, answer });
                    self.settle(now, place);
                }
            }
            Act::Close(connection) => {
                if let Some(number) = self.visitors.connection(slot, connection) {
                    self.close(now, number);
                }
            }
            Act::Done => {
                for number in self.visitors.end(now, slot) {
                    self.close(now, number);
                }
            }
        }
    }

    /// Opens the next connection of a visit, or a connection that replaces connection `place` of the visit.
    fn open(&mut self, now: Time, slot: u32, place: Option<u8>) {
        let number = self.newest + 1;
        let Some(interleaves) = self.visitors.interleaves(slot) else { return };
        let Some(of_visit) = self.visitors.connect(slot, number, place) else { return };
        self.newest = number;
        if let Some(resumed) = &mut self.resumed {
            resumed.replenish(&self.connections.maker);
        }
        let maker = &self.connections.maker;
        let (factory, controlled) = maker.controller(number);
        let config = client(&maker.config, &maker.configs, Some(factory), None, &self.ids);
        let line = self.connections.library.connect(now, config);
        let opened = line.connection.has_0rtt();
        let own =
            Asking { visit: slot, of_visit, interleaves, opened, is_early: opened, ..Asking::default() };
        self.connections.insert(Conversation { number, line, controlled, own });
        if opened {
            self.visitors.report(slot, Happened::Opened(of_visit));
        }
    }

    fn close(&mut self, now: Time, number: u32) {
        let Some(place) = self.connections.find(number) else { return };
        if let Some(Conversation { own, .. }) = self.connections.get(place)
            && own.visit != NO_VISIT
        {
            own.visit = NO_VISIT;
            self.requests.forget(number);
            self.connections.close(now, place);
            self.settle(now, place);
        }
    }

    /// Processes the events of a connection, and reports them to its visit.
    fn report(&mut self, now: Time, place: u32) {
        while let Some(Conversation { number, line, own, .. }) = self.connections.get(place)
            && let Some(event) = line.connection.poll()
        {
            match event {
                Event::Connected if own.is_early && !line.connection.accepted_0rtt() => {
                    let number = *number;
                    self.lose(now, place, "the server refused early data", true);
                    self.close(now, number);
                }
                Event::Connected if !std::mem::replace(&mut own.opened, true) && own.visit != NO_VISIT => {
                    self.visitors.report(own.visit, Happened::Opened(own.of_visit));
                }
                Event::Stream(StreamEvent::Readable { id }) => self.read(place, id),
                Event::ConnectionLost { reason } => {
                    // If a connection has no open requests, it may time out (RFC 9000, section 10.1).
                    let is_idle = reason == ConnectionError::TimedOut && !own.is_busy();
                    self.lose(now, place, &reason.to_string(), !is_idle);
                }
                _ => {}
            }
        }
        self.settle(now, place);
    }

    /// Reads an answer.
    fn read(&mut self, place: u32, stream: StreamId) {
        let Some(Conversation { number, line, own, .. }) = self.connections.get(place) else { return };
        let came = read(&mut line.connection, *number, stream, true);
        self.arrivals.received.delivered += Bytes::new(came.bytes);
        own.take(stream, came);
        if own.visit == NO_VISIT {
            return;
        }
        self.visitors.receive(own.visit, came.bytes);
        let (connection, bytes) = (own.of_visit, own.in_order());
        if bytes > own.reported {
            own.reported = bytes;
            self.visitors.report(own.visit, Happened::Received { connection, bytes });
        }
        if own.interleaves && came.is_whole {
            let answer = stream.index() as u32;
            self.visitors.report(own.visit, Happened::Answered { connection, answer });
        }
    }

    /// Handles a connection that ended although its visit did not close it. The visit repeats its open requests on
    /// another connection. If the end is a fault, it is reported as a finding.
    fn lose(&mut self, now: Time, place: u32, reason: &str, is_fault: bool) {
        let Some(Conversation { number, own, .. }) = self.connections.get(place) else { return };
        if own.visit == NO_VISIT {
            return;
        }
        let visit = std::mem::replace(&mut own.visit, NO_VISIT);
        self.visitors.report(visit, Happened::Broken { connection: own.of_visit, wait: Span::ZERO });
        self.requests.forget(*number);
        if is_fault {
            let first = || Closed { at: now, reason: reason.to_owned(), connections: 0 };
            self.closed.get_or_insert_with(first).connections += 1;
        }
    }

    /// Updates a connection after an event, and sends its requests.
    fn settle(&mut self, now: Time, place: u32) {
        if let Some(Conversation { number, line, controlled, own }) = self.connections.get(place)
            && own.visit != NO_VISIT
        {
            own.ask(*number, &mut line.connection, &self.requests);
            own.requests.write(controlled, &mut line.connection);
        }
        self.connections.settle(now, place);
    }
}

/// Returns the rate without headers and the round-trip time of an empty path, or `None` if there is no path.
fn empty_path(path: &PathState, config: &QuicConfig) -> Option<EmptyPath> {
    let bits = path.capacity.map_or(u64::MAX, Rate::bits_per_s);
    let (payload, headers) = config.full_packet();
    let (payload, packet) = (u128::from(payload), u128::from(payload + headers));
    // If the rate of the path is zero, no duration is finite.
    let bits = (bits > 0).then(|| (u128::from(bits) * payload / packet).max(1))?;
    let rtt = path.propagation_rtt?;
    let opening = if config.zero_rtt { Span::ZERO } else { rtt };
    Some(EmptyPath { rate: Rate::from_bits_per_s(bits as u64), rtt, opening })
}

impl Endpoint for QuicUsers {
    type Body = AnyBody;
    fn handle(&mut self, now: Time, packet: Packet) {
        self.arrivals.count(now, &packet);
        if let Some(place) = self.connections.handle(now, &packet, |_, _| None) {
            self.report(now, place);
            self.tell(now);
        }
    }
    fn handle_timeout(&mut self, now: Time) {
        while let Some(place) = self.connections.next_due(now) {
            self.report(now, place);
            self.tell(now);
        }
        while self.visitors.report_due(now) {
            self.tell(now);
        }
        while self.visitors.begin(now, |path| empty_path(path, &self.connections.maker.config)) {
            self.tell(now);
        }
    }
    fn poll_transmit(&mut self, now: Time) -> Option<(AnyBody, u16)> {
        self.connections.poll_transmit(now)
    }
    fn stream(&self) -> u32 {
        self.connections.stream()
    }
    fn next_timeout(&self) -> Time {
        self.connections.next_timeout().min(self.visitors.next_timeout())
    }
    fn path_changed(&mut self, change: &PathChange) {
        self.connections.announce(change);
    }
    fn dropped(&mut self, at: Time, packet: Packet, cause: Cause) {
        self.connections.meter.dropped(at, &packet, cause);
    }
    fn settle(&mut self, before: Time) {
        self.connections.settle_losses(before);
    }
}

impl Metered for QuicUsers {
    fn received(&self) -> Received {
        self.arrivals.received
    }
    fn queueing(&self) -> Option<&Delays> {
        Some(&self.arrivals.queueing)
    }
    fn one_way(&self) -> Option<&OneWay> {
        Some(&self.arrivals.one_way)
    }
    fn each_connection(&self, show: &mut dyn FnMut(u32, &dyn Transport, u64)) {
        self.connections.each(show);
    }
    fn requests(&self) -> Option<SourceTotals> {
        Some(self.connections.meter.totals())
    }
    fn quic(&self) -> Option<QuicCounts> {
        Some(self.connections.counts())
    }
    fn closed_by_library(&self) -> Option<&Closed> {
        self.closed.as_ref()
    }
    fn forget_delays(&mut self, _now: Time) {
        self.arrivals.forget_delays();
    }
    fn take_visits(&mut self) -> Vec<VisitRow> {
        self.visitors.take_finished()
    }
    fn unfinished_visits(&self, now: Time) -> Vec<VisitRow> {
        self.visitors.unfinished(now)
    }
}
