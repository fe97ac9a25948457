// SPDX-License-Identifier: MIT OR Apache-2.0
//! One end of a connection to or from a proxy that may lose its state. If the proxy loses its state, the connection
//! ends, and another connection replaces it.
//!
//! A pair of endpoints can have several such connections, one after the other. The stream of a packet identifies the
//! connection. Packets of an earlier connection that are still in flight are therefore ignored when they arrive.
//!
//! Only connections to or from such a proxy use this type, so other flows have no additional cost. `sim::resets` resets
//! the connections.

use super::{
    AnyEndpoint, FlowEvent, Held, Metered, Received, SourceTotals, TcpSink, TcpSource, Transport,
    TransportState,
};
use crate::meter::{Delays, OneWay};
use crate::{AnyBody, Packet};
use control::{Overrides, PathChange, SavedPath, Snapshot};
use engine::{Cause, Endpoint};
use std::sync::Arc;
use tcp::{Receiver, Sender, Transfer};
use units::{Bytes, Span, Time};

/// Creates the sender of a connection. The arguments are the number of the connection and the transfer.
type MakeSender = Arc<dyn Fn(u32, Transfer) -> Sender + Send + Sync>;
/// Creates a receiver.
type MakeReceiver = Arc<dyn Fn() -> Receiver + Send + Sync>;

/// The current end, and the function that creates the next end.
#[expect(
    clippy::large_enum_variant,
    reason = "there are as many of the one as of the other, and each has its own box"
)]
#[derive(Clone, saved::Saved)]
enum Half {
    Source(TcpSource, #[saved(fixed)] MakeSender),
    Sink(TcpSink, #[saved(fixed)] MakeReceiver),
}

/// Whether an end handles packets and timers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
enum State {
    /// The end handles packets and timers.
    Up,
    /// The connection has ended.
    Over,
    /// The proxy is moving to another place until this time.
    Away(Time),
}

/// An end of a connection that may be reset.
#[derive(Clone, saved::Saved)]
pub struct Resettable {
    half: Half,
    /// Number of the connection, counted from 0.
    connection: u32,
    state: State,
    /// Total time in which the application limited the earlier connections.
    app_limited: Span,
    /// Total time in which the receiver's window limited the earlier connections.
    receiver_limited: Span,
    /// Time at which the first in-order byte of this connection arrived.
    first_byte: Option<Time>,
}

macro_rules! each {
    ($self:ident, $end:ident => $call:expr) => {
        match &mut $self.half {
            Half::Source($end, _) => $call,
            Half::Sink($end, _) => $call,
        }
    };
    (ref $self:ident, $end:ident => $call:expr) => {
        match &$self.half {
            Half::Source($end, _) => $call,
            Half::Sink($end, _) => $call,
        }
    };
}

impl Resettable {
    /// Creates both ends of a connection. `sender` and `receiver` create the ends of later connections.
    pub fn pair(
        source: TcpSource,
        sender: impl Fn(u32, Transfer) -> Sender + Send + Sync + 'static,
        sink: TcpSink,
        receiver: impl Fn() -> Receiver + Send + Sync + 'static,
    ) -> [AnyEndpoint; 2] {
        let halves = [Half::Source(source, Arc::new(sender)), Half::Sink(sink, Arc::new(receiver))];
        halves.map(|half| {
            AnyEndpoint::Resettable(Box::new(Self {
                half,
                connection: 0,
                state: State::Up,
                app_limited: Span::ZERO,
                receiver_limited: Span::ZERO,
                first_byte: None,
            }))
        })
    }

    /// Like [`AnyEndpoint::command`].
    pub(crate) fn command(&mut self, now: Time, overrides: Overrides) -> bool {
        match &mut self.half {
            Half::Source(source, _) if self.state == State::Up => source.command(now, overrides),
            _ => return false,
        }
        true
    }

    /// Like [`AnyEndpoint::can_be_saved`].
    pub(crate) fn can_be_saved(&self) -> bool {
        match &self.half {
            Half::Source(source, _) => source.can_be_saved(),
            Half::Sink(..) => true,
        }
    }

    /// Ends the connection. From now on, this end sends nothing, and packets of the connection are ignored.
    pub fn end(&mut self) {
        self.state = State::Over;
    }

    /// Makes the proxy absent until `until`. The proxy keeps its state.
    pub fn leave(&mut self, until: Time) {
        if self.state != State::Over {
            self.state = State::Away(until);
        }
    }

    /// Makes the proxy present again if its absence is over.
    pub fn arrive(&mut self, now: Time) {
        if matches!(self.state, State::Away(until) if until <= now) {
            self.state = State::Up;
        }
    }

    /// Replaces the connection by another connection. Its sender sends `transfer`, and starts at `start`.
    pub fn again(&mut self, now: Time, transfer: Transfer, start: Time) {
        self.connection += 1;
        if let Some(total) = self.transport() {
            // The view already contains the times of the earlier connections.
            let by_receiver = total.receiver_limited_time(now).unwrap_or_default();
            (self.app_limited, self.receiver_limited) = (total.app_limited_time(now), by_receiver);
        }
        (self.state, self.first_byte) = (State::Up, None);
        match &mut self.half {
            Half::Source(source, make) => source.again(make(self.connection, transfer), start),
            Half::Sink(sink, make) => sink.again(make()),
        }
    }

    /// Returns whether this end handles packets and timers. It does not if the connection has ended or if the proxy is
    /// moving.
    pub fn is_up(&self) -> bool {
        self.state == State::Up
    }

    /// Returns the sender, if this is the sending end.
    pub fn source(&mut self) -> Option<&mut TcpSource> {
        match &mut self.half {
            Half::Source(source, _) => Some(source),
            Half::Sink(..) => None,
        }
    }

    /// Returns the number of the connection.
    pub fn connection(&self) -> u32 {
        self.connection
    }

    /// Returns the time at which the first in-order byte of this connection arrived.
    pub fn first_byte(&self) -> Option<Time> {
        self.first_byte
    }

    /// Returns whether the connection has started.
    pub fn is_started(&self) -> bool {
        matches!(&self.half, Half::Source(source, _) if source.is_started())
    }

    /// Returns the number of bytes that this connection has delivered in order.
    pub fn delivered_bytes(&self) -> u64 {
        match &self.half {
            Half::Source(..) => 0,
            Half::Sink(sink, _) => sink.delivered_bytes(),
        }
    }

    /// Returns whether the transfer has arrived completely.
    pub fn is_whole(&self) -> bool {
        matches!(&self.half, Half::Sink(sink, _) if sink.is_whole())
    }

    /// Exchanges data between two spliced ends, if both are present. Each end takes the data that wait for it at the
    /// other end.
    pub(super) fn exchange(&mut self, now: Time, other: &mut Self) {
        if (self.state, other.state) != (State::Up, State::Up) {
            return;
        }
        if let (Half::Sink(sink, _), Half::Source(source, _))
        | (Half::Source(source, _), Half::Sink(sink, _)) = (&mut self.half, &mut other.half)
        {
            super::tcp::exchange(now, sink, source);
        }
    }
}

impl Endpoint for Resettable {
    type Body = AnyBody;
    fn handle(&mut self, now: Time, packet: Packet) {
        if self.state != State::Up || packet.stream != self.connection {
            return;
        }
        each!(self, end => end.handle(now, packet));
        if self.first_byte.is_none() && self.delivered_bytes() > 0 {
            self.first_byte = Some(now);
        }
    }
    fn handle_timeout(&mut self, now: Time) {
        if self.state == State::Up {
            each!(self, end => end.handle_timeout(now));
        }
    }
    fn poll_transmit(&mut self, now: Time) -> Option<(AnyBody, u16)> {
        if self.state != State::Up {
            return None;
        }
        each!(self, end => end.poll_transmit(now))
    }
    fn stream(&self) -> u32 {
        self.connection
    }
    fn next_timeout(&self) -> Time {
        if self.state == State::Up { each!(ref self, end => end.next_timeout()) } else { Time::MAX }
    }
    fn path_changed(&mut self, change: &PathChange) {
        if self.state != State::Over {
            each!(self, end => end.path_changed(change));
        }
    }
    fn dropped(&mut self, at: Time, packet: Packet, cause: Cause) {
        each!(self, end => end.dropped(at, packet, cause));
    }
    fn settle(&mut self, before: Time) {
        each!(self, end => end.settle(before));
    }
}

impl Metered for Resettable {
    fn totals(&self) -> SourceTotals {
        each!(ref self, end => end.totals())
    }
    fn received(&self) -> Received {
        each!(ref self, end => end.received())
    }
    fn rtt(&self) -> Option<&Delays> {
        each!(ref self, end => end.rtt())
    }
    fn queueing(&self) -> Option<&Delays> {
        each!(ref self, end => end.queueing())
    }
    fn one_way(&self) -> Option<&OneWay> {
        each!(ref self, end => end.one_way())
    }
    fn held(&self) -> Option<Held> {
        let held = each!(ref self, end => end.held())?;
        Some(if self.state == State::Over { Held { now: Bytes::ZERO, ..held } } else { held })
    }
    fn transport(&self) -> Option<&dyn Transport> {
        match &self.half {
            Half::Source(..) => Some(self),
            Half::Sink(..) => None,
        }
    }
    fn forget_delays(&mut self, now: Time) {
        each!(self, end => end.forget_delays(now));
    }
    fn take_events(&mut self) -> Vec<FlowEvent> {
        each!(self, end => end.take_events())
    }
}

impl Resettable {
    /// Returns the sender. [`Metered::transport`] calls this method only at a sending end.
    fn sender(&self) -> &Sender {
        match &self.half {
            Half::Source(source, _) => source.sender(),
            Half::Sink(..) => unreachable!("a receiver has no connection that sends"),
        }
    }
}

/// A view of the current connection. The times in which sending was limited are summed over all
/// connections.
impl Transport for Resettable {
    fn state(&self) -> TransportState {
        Transport::state(self.sender())
    }
    fn snapshot(&self, out: &mut Snapshot) {
        self.sender().snapshot(out);
    }
    fn completed_at(&self) -> Option<Time> {
        self.sender().completed_at()
    }
    fn app_limited_time(&self, now: Time) -> Span {
        self.app_limited + self.sender().app_limited_time(now)
    }
    fn receiver_limited_time(&self, now: Time) -> Option<Span> {
        Some(self.receiver_limited + Transport::receiver_limited_time(self.sender(), now)?)
    }
    fn is_receiver_limited(&self) -> bool {
        Transport::is_receiver_limited(self.sender())
    }
    fn longest_recovery(&self, now: Time) -> (Span, f64) {
        self.sender().longest_recovery(now)
    }
    fn unanswered_syns(&self) -> u64 {
        Transport::unanswered_syns(self.sender())
    }
    fn saved_path(&self) -> Option<SavedPath> {
        Transport::saved_path(self.sender())
    }
}
