// SPDX-License-Identifier: MIT OR Apache-2.0
//! The endpoints of flows. Each endpoint has the meters of its flow. The recorder and the summary read all endpoints
//! through the same interface.
//!
//! For connections, the recorder and the summary read a [`Transport`] view (window, rate, round-trip time, completion),
//! which every kind of connection can provide.

pub mod application;
mod call;
mod cbr;
mod cells;
mod losses;
mod messages;
pub mod meter;
mod on_off;
mod packet;
mod ping;
mod quic;
mod resettable;
mod tap;
mod tcp;
mod totals;

use self::quic::KeyLog;
pub use self::quic::{
    Closed, Hosts as QuicHosts, LIBRARY as QUIC_LIBRARY, Pair as QuicPair, QuicController, QuicCounts,
    QuicServers, QuicSink, QuicSource, QuicUsers, Sending,
};
pub use self::tcp::{TcpSink, TcpSource};
pub use application::{Relay, Servers, Users, VisitRow};
pub use call::{CallEnd, PlayedFrames};
pub use cbr::{CbrSink, CbrSource};
pub use messages::{Message, MessageKind};
pub use packet::{AnyBody, Buffer, BufferKind, Datagram, Frame, Labelled, Packet};
pub use ping::{PingSink, PingSource};
pub use resettable::Resettable;
pub use tap::{Arrived, Connection, Connections, Counts, Key, Protocol, Socket, Tap, ecn_of, write_ecn};
pub use totals::{FlowEvent, FlowEventKind, FlowTotals, Held, Received, SourceTotals, Verdicts};

use crate::meter::{Delays, OneWay};
use control::{Overrides, PathChange, SavedPath, Snapshot};
use engine::{Cause, Endpoint};
use units::{Bytes, Rate, Span, Time};

/// An endpoint with meters. It provides the data for tables and for the summary, for any protocol. If an endpoint does
/// not have some of these data, it uses the default method.
pub trait Metered: Endpoint {
    /// Returns the totals of the data sent so far. For a receiver that sends data back, these are the drops on the way
    /// back.
    fn totals(&self) -> SourceTotals {
        SourceTotals::default()
    }
    /// Returns the totals of the received data.
    fn received(&self) -> Received {
        Received::default()
    }
    /// Returns the RTT samples of a sender.
    fn rtt(&self) -> Option<&Delays> {
        None
    }
    /// Returns the queueing delays of the received data packets.
    fn queueing(&self) -> Option<&Delays> {
        None
    }
    /// Returns the one-way delays of the received data packets.
    fn one_way(&self) -> Option<&OneWay> {
        None
    }
    /// Returns the bytes that wait at this receiver, if it belongs to a proxy.
    fn held(&self) -> Option<Held> {
        None
    }
    /// Returns the connection of a sender that has congestion control.
    fn transport(&self) -> Option<&dyn Transport> {
        None
    }
    /// Returns this endpoint as an end of a call, if it is one.
    fn call(&self) -> Option<&CallEnd> {
        None
    }
    /// Returns this endpoint as an interface for programs outside the simulator, if it is one.
    fn tap(&self) -> Option<&Tap> {
        None
    }
    /// Returns the counts that exist only for a sender of QUIC.
    fn quic(&self) -> Option<QuicCounts> {
        None
    }
    /// Returns information about connections that the QUIC library closed although the flow or the visit had not ended.
    fn closed_by_library(&self) -> Option<&Closed> {
        None
    }
    /// Calls `show` for each connection of a host with many connections. The arguments are the connection's number, its
    /// sending half at this host, and the number of its timer expirations.
    fn each_connection(&self, _show: &mut dyn FnMut(u32, &dyn Transport, u64)) {}
    /// Returns the totals of the requests so far, for the users of an application.
    fn requests(&self) -> Option<SourceTotals> {
        None
    }
    /// Ends the warm-up at `now`. The delays and the results of call frames so far are cleared.
    fn forget_delays(&mut self, _now: Time) {}
    /// Removes and returns the visits that ended since the last call.
    fn take_visits(&mut self) -> Vec<VisitRow> {
        Vec::new()
    }
    /// Returns the running visits with their state at `now`.
    fn unfinished_visits(&self, _now: Time) -> Vec<VisitRow> {
        Vec::new()
    }
    /// Removes and returns the events since the last call.
    fn take_events(&mut self) -> Vec<FlowEvent> {
        Vec::new()
    }
}

/// A connection with congestion control (for example of TCP or QUIC), as it appears in tables.
pub trait Transport {
    /// Returns the current window, rate and round-trip time.
    fn state(&self) -> TransportState;
    /// Writes the internal variables of the controller to `out`.
    fn snapshot(&self, out: &mut Snapshot);
    /// Returns the time at which the last byte of a transfer was acknowledged.
    fn completed_at(&self) -> Option<Time>;
    /// Returns the total time until `now` in which the application has limited sending.
    fn app_limited_time(&self, now: Time) -> Span;
    /// Returns whether the receiver's window has ever limited sending.
    fn is_receiver_limited(&self) -> bool;
    /// Returns the total time until `now` in which the receiver's window has limited sending. `None` if this time is not
    /// measured.
    fn receiver_limited_time(&self, _now: Time) -> Option<Span> {
        None
    }
    /// Returns the duration of the longest recovery until `now`, and the largest number of round trips of any recovery.
    fn longest_recovery(&self, _now: Time) -> (Span, f64) {
        (Span::ZERO, 0.0)
    }
    /// Returns the number of SYNs sent so far, if the connection is not established yet. Otherwise, returns 0.
    fn unanswered_syns(&self) -> u64 {
        0
    }
    /// Returns the state from which a later connection over the same path may start.
    fn saved_path(&self) -> Option<SavedPath>;
}

/// Window, rate and round-trip time of a connection at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TransportState {
    /// Congestion window.
    pub cwnd: Bytes,
    /// Slow-start threshold, or `None` if there is none yet or if the controller has no slow start.
    pub ssthresh: Option<Bytes>,
    /// Pacing rate, or `None` if the sender does not pace.
    pub pacing: Option<Rate>,
    /// Number of segments in flight.
    pub in_flight_segments: f64,
    /// Smoothed round-trip time, or `None` before the first sample.
    pub srtt: Option<Span>,
    /// Phase of the controller.
    pub phase: &'static str,
}

/// Any endpoint of the simulator. Endpoints are stored by value, not behind pointers. This saves one cache miss per
/// packet.
#[expect(
    clippy::large_enum_variant,
    reason = "senders and receivers are equal in number; memory is cheaper than a pointer"
)]
#[derive(Clone, saved::Saved)]
pub enum AnyEndpoint {
    /// TCP: the side that sends data.
    TcpSource(TcpSource),
    /// TCP: the side that acknowledges.
    TcpSink(TcpSink),
    /// Constant-bit-rate UDP: the sender.
    CbrSource(CbrSource),
    /// Constant-bit-rate UDP: the receiver.
    CbrSink(CbrSink),
    /// Echoes: the side that sends echoes and measures their round trips.
    PingSource(PingSource),
    /// Echoes: the side that returns them.
    PingSink(PingSink),
    /// Application with many connections: the servers.
    Servers(Box<Servers>),
    /// Application with many connections: the users.
    Users(Box<Users>),
    /// Either end of a call.
    Call(CallEnd),
    /// One side of a proxy of an application.
    Relay(Box<Relay>),
    /// Either end of a TCP connection to or from a proxy that may lose its state.
    Resettable(Box<Resettable>),
    /// QUIC: the side that opens the connection and sends data.
    QuicSource(Box<QuicSource>),
    /// QUIC: the side that accepts the connection and receives.
    QuicSink(Box<QuicSink>),
    /// Application over QUIC: the servers.
    QuicServers(Box<QuicServers>),
    /// Application over QUIC: the users.
    QuicUsers(Box<QuicUsers>),
    /// A network interface for programs outside the simulator.
    Tap(Box<Tap>),
}

macro_rules! each {
    ($self:ident, $endpoint:ident => $call:expr) => {
        match $self {
            AnyEndpoint::TcpSource($endpoint) => $call,
            AnyEndpoint::TcpSink($endpoint) => $call,
            AnyEndpoint::CbrSource($endpoint) => $call,
            AnyEndpoint::CbrSink($endpoint) => $call,
            AnyEndpoint::PingSource($endpoint) => $call,
            AnyEndpoint::PingSink($endpoint) => $call,
            AnyEndpoint::Servers($endpoint) => $call,
            AnyEndpoint::Users($endpoint) => $call,
            AnyEndpoint::Call($endpoint) => $call,
            AnyEndpoint::Relay($endpoint) => $call,
            AnyEndpoint::Resettable($endpoint) => $call,
            AnyEndpoint::QuicSource($endpoint) => $call,
            AnyEndpoint::QuicSink($endpoint) => $call,
            AnyEndpoint::QuicServers($endpoint) => $call,
            AnyEndpoint::QuicUsers($endpoint) => $call,
            AnyEndpoint::Tap($endpoint) => $call,
        }
    };
}

impl AnyEndpoint {
    /// Applies commands that replace decisions of a sender's controller. Returns false if the endpoint does not have a
    /// single sender. For example, an application has many senders.
    pub fn command(&mut self, now: Time, overrides: Overrides) -> bool {
        match self {
            Self::TcpSource(source) => source.command(now, overrides),
            Self::Resettable(end) => return end.command(now, overrides),
            Self::QuicSource(source) => return source.command(overrides),
            _ => return false,
        }
        true
    }

    /// Returns the TLS secrets of the endpoint's connections; `None` without TLS.
    fn keys(&self) -> Option<&KeyLog> {
        match self {
            Self::QuicSource(source) => Some(source.keys()),
            Self::QuicSink(sink) => Some(sink.keys()),
            Self::QuicUsers(users) => Some(users.keys()),
            Self::QuicServers(servers) => Some(servers.keys()),
            _ => None,
        }
    }

    /// Keeps the TLS secrets of later handshakes, of both ends of the connections, for [`AnyEndpoint::take_secrets`].
    pub fn keep_secrets(&self) {
        self.keys().map(KeyLog::keep);
    }

    /// Removes and returns the TLS secrets that either end has learned since the last call, as lines of `SSLKEYLOGFILE`
    /// (RFC 9850). Before [`AnyEndpoint::keep_secrets`] there are none.
    pub fn take_secrets(&self) -> String {
        self.keys().map(KeyLog::take).unwrap_or_default()
    }

    /// Returns whether the endpoint is one of QUIC. Its state can neither be saved nor copied.
    pub const fn is_quic(&self) -> bool {
        matches!(self, Self::QuicSource(_) | Self::QuicSink(_) | Self::QuicServers(_) | Self::QuicUsers(_))
    }

    /// Returns whether the endpoint is an interface for programs outside the simulator.
    pub const fn is_tap(&self) -> bool {
        matches!(self, Self::Tap(_))
    }

    /// Returns whether the state of the endpoint can be saved. This depends on its protocol and its controllers.
    pub fn can_be_saved(&self) -> bool {
        match self {
            Self::TcpSource(source) => source.can_be_saved(),
            Self::Resettable(end) => end.can_be_saved(),
            Self::Servers(servers) => servers.maker.can_be_saved(),
            Self::Users(users) => users.maker.can_be_saved(),
            Self::Relay(relay) => relay.maker.can_be_saved(),
            Self::QuicSource(_)
            | Self::QuicSink(_)
            | Self::QuicServers(_)
            | Self::QuicUsers(_)
            | Self::Tap(_) => false,
            _ => true,
        }
    }
}

/// The methods of hosts that [`application::free_connections`] calls.
impl AnyEndpoint {
    fn closed_connections(&self) -> Vec<u32> {
        if let Self::Users(users) = self { users.closed().collect() } else { Vec::new() }
    }
    fn is_idle(&self, number: u32) -> bool {
        match self {
            Self::Servers(servers) => servers.is_idle(number),
            Self::Users(users) => users.is_idle(number),
            Self::Relay(relay) => relay.is_idle(number),
            _ => true,
        }
    }
    fn connections(&self) -> usize {
        match self {
            Self::Servers(servers) => servers.connections(),
            Self::Users(users) => users.connections(),
            Self::Relay(relay) => relay.connections(),
            Self::QuicServers(servers) => servers.connections(),
            Self::QuicUsers(users) => users.connections(),
            _ => 0,
        }
    }
    fn free(&mut self, number: u32) {
        match self {
            Self::Servers(servers) => servers.free(number),
            Self::Users(users) => users.free(number),
            Self::Relay(relay) => relay.free(number),
            _ => {}
        }
    }
}

impl Endpoint for AnyEndpoint {
    type Body = AnyBody;
    #[inline]
    fn handle(&mut self, now: Time, packet: Packet) {
        each!(self, endpoint => endpoint.handle(now, packet));
    }
    fn handle_timeout(&mut self, now: Time) {
        each!(self, endpoint => endpoint.handle_timeout(now));
    }
    #[inline]
    fn poll_transmit(&mut self, now: Time) -> Option<(AnyBody, u16)> {
        each!(self, endpoint => endpoint.poll_transmit(now))
    }
    #[inline]
    fn stream(&self) -> u32 {
        match self {
            Self::Servers(servers) => servers.stream(),
            Self::Users(users) => users.stream(),
            Self::Relay(relay) => relay.stream(),
            Self::Resettable(end) => end.stream(),
            Self::QuicServers(servers) => servers.stream(),
            Self::QuicUsers(users) => users.stream(),
            Self::Tap(tap) => tap.stream(),
            _ => 0,
        }
    }
    #[inline]
    fn next_timeout(&self) -> Time {
        each!(self, endpoint => endpoint.next_timeout())
    }
    fn path_changed(&mut self, change: &PathChange) {
        each!(self, endpoint => endpoint.path_changed(change));
    }
    fn exchange(&mut self, now: Time, other: &mut Self) {
        match (self, other) {
            (Self::TcpSink(sink), Self::TcpSource(source))
            | (Self::TcpSource(source), Self::TcpSink(sink)) => {
                tcp::exchange(now, sink, source);
            }
            (Self::Relay(one), Self::Relay(other)) => one.exchange(now, other),
            (Self::Resettable(one), Self::Resettable(other)) => one.exchange(now, other),
            _ => {}
        }
    }
    fn dropped(&mut self, at: Time, packet: Packet, cause: Cause) {
        each!(self, endpoint => endpoint.dropped(at, packet, cause));
    }
    fn settle(&mut self, before: Time) {
        each!(self, endpoint => endpoint.settle(before));
    }
}

impl Metered for AnyEndpoint {
    fn totals(&self) -> SourceTotals {
        each!(self, endpoint => endpoint.totals())
    }
    fn received(&self) -> Received {
        each!(self, endpoint => endpoint.received())
    }
    fn rtt(&self) -> Option<&Delays> {
        each!(self, endpoint => endpoint.rtt())
    }
    fn queueing(&self) -> Option<&Delays> {
        each!(self, endpoint => endpoint.queueing())
    }
    fn one_way(&self) -> Option<&OneWay> {
        each!(self, endpoint => endpoint.one_way())
    }
    fn held(&self) -> Option<Held> {
        each!(self, endpoint => endpoint.held())
    }
    fn transport(&self) -> Option<&dyn Transport> {
        each!(self, endpoint => endpoint.transport())
    }
    fn call(&self) -> Option<&CallEnd> {
        each!(self, endpoint => endpoint.call())
    }
    fn tap(&self) -> Option<&Tap> {
        each!(self, endpoint => endpoint.tap())
    }
    fn quic(&self) -> Option<QuicCounts> {
        each!(self, endpoint => endpoint.quic())
    }
    fn closed_by_library(&self) -> Option<&Closed> {
        each!(self, endpoint => endpoint.closed_by_library())
    }
    fn each_connection(&self, show: &mut dyn FnMut(u32, &dyn Transport, u64)) {
        each!(self, endpoint => endpoint.each_connection(show));
    }
    fn requests(&self) -> Option<SourceTotals> {
        each!(self, endpoint => endpoint.requests())
    }
    fn forget_delays(&mut self, now: Time) {
        each!(self, endpoint => endpoint.forget_delays(now));
    }
    fn take_visits(&mut self) -> Vec<VisitRow> {
        each!(self, endpoint => endpoint.take_visits())
    }
    fn unfinished_visits(&self, now: Time) -> Vec<VisitRow> {
        each!(self, endpoint => endpoint.unfinished_visits(now))
    }
    fn take_events(&mut self) -> Vec<FlowEvent> {
        each!(self, endpoint => endpoint.take_events())
    }
}
