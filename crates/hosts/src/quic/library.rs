// SPDX-License-Identifier: MIT OR Apache-2.0
//! The library in virtual time. This module contains an endpoint of the library, its connections, and a host with one
//! connection.

use super::clock::{instant, time, zero};
use super::draws::Draws;
use super::log::LibraryLog;
use super::tls::{Configs, FixedClock, KeyLog, NoTokens, SERVER_NAME, hmac_key};
use bytes::BytesMut;
use link::Ecn;
use noq_proto::congestion::ControllerFactory;
use noq_proto::{
    AckFrequencyConfig, ClientConfig, Connection, ConnectionEvent, ConnectionHandle, ConnectionId,
    ConnectionIdGenerator, DatagramEvent, EcnCodepoint, Endpoint, EndpointConfig, FourTuple, Incoming,
    MtuDiscoveryConfig, PathId, ServerConfig, TransportConfig, VarInt,
};
use random::{Draw, SeedableRng, Xoshiro256PlusPlus};
use scenario::QuicConfig;
use std::collections::VecDeque;
use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use units::{Span, Time};

/// Address of the client as seen by the server, and address of the server as seen by the client. The simulator routes
/// packets by their endpoints. The library uses these addresses only to know that there is one path. They are from a
/// block for documentation (RFC 5737).
const ADDRESSES: [SocketAddr; 2] = [
    SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), 50_000),
    SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::new(192, 0, 2, 2)), 443),
];

/// Number of streams that may be open at the same time. The streams of a transfer follow each other, so this number
/// limits the bytes in flight only if streams are very small.
const STREAMS: VarInt = VarInt::from_u32(1024);

/// Time without packets after which the library closes a connection (the default of noq).
const IDLE: Span = Span::from_secs(30);

/// Length of a connection ID, in bytes (the default of noq).
const CID_BYTES: usize = 8;

/// A factory of controllers for the library.
pub type Factory = Arc<dyn ControllerFactory + Send + Sync>;

/// Connection IDs that are drawn from a seed.
struct SeededIds(Xoshiro256PlusPlus);

impl ConnectionIdGenerator for SeededIds {
    fn generate_cid(&mut self) -> ConnectionId {
        ConnectionId::new(&self.0.word().to_le_bytes())
    }
    fn cid_len(&self) -> usize {
        CID_BYTES
    }
    fn cid_lifetime(&self) -> Option<Duration> {
        None
    }
}

/// The transport settings of a host for the library.
///
/// # Errors
/// If a window exceeds the largest QUIC integer (62 bits).
fn transport(config: &QuicConfig, controller: Option<Factory>) -> TransportConfig {
    let window = |window: Option<units::Bytes>| {
        window.and_then(|window| VarInt::from_u64(window.get()).ok()).unwrap_or(VarInt::MAX)
    };
    let mut transport = TransportConfig::default();
    transport
        .max_concurrent_uni_streams(STREAMS)
        .max_concurrent_bidi_streams(STREAMS)
        .receive_window(window(config.receive_window))
        .stream_receive_window(window(config.stream_window))
        // Streams of a transfer follow each other and do not share the path.
        .send_fairness(false)
        .initial_rtt(duration(config.initial_rtt))
        .initial_mtu(config.datagram as u16)
        .mtu_discovery_config((config.largest_datagram > config.datagram).then(|| {
            let mut discovery = MtuDiscoveryConfig::default();
            discovery.upper_bound(config.largest_datagram as u16);
            discovery
        }));
    if let Some(window) = config.send_window {
        transport.send_window(window.get());
    }
    if let Some(rule) = config.ack_frequency {
        let mut frequency = AckFrequencyConfig::default();
        frequency
            .ack_eliciting_threshold(VarInt::from_u32(rule.every.saturating_sub(1)))
            .max_ack_delay(Some(duration(rule.at_most)));
        transport.ack_frequency_config(Some(frequency));
    }
    if let Some(controller) = controller {
        transport.congestion_controller_factory(controller);
    }
    transport
}

pub fn duration(span: Span) -> Duration {
    Duration::from_nanos(span.nanos())
}

/// A datagram of the library.
pub struct Sent {
    pub bytes: Box<[u8]>,
    pub ecn: Ecn,
}

/// The connection IDs that a client chooses for the server, until the server chooses its own IDs.
#[derive(Clone)]
pub struct FirstIds(Arc<Mutex<SeededIds>>);

impl FirstIds {
    /// Creates the IDs of a client with this seed.
    pub fn new(seed: u64) -> Self {
        Self(Arc::new(Mutex::new(SeededIds(Xoshiro256PlusPlus::seed_from_u64(seed ^ 1)))))
    }
}

/// The settings of a connection that a client opens. `controller` controls what the client sends. The library logs the
/// connection in `qlog`.
pub fn client(
    config: &QuicConfig,
    configs: &Configs,
    controller: Option<Factory>,
    qlog: Option<LibraryLog>,
    ids: &FirstIds,
) -> ClientConfig {
    let FirstIds(ids) = ids.clone();
    let mut client = ClientConfig::new(configs.client.clone());
    let mut transport = transport(config, controller);
    if let Some(log) = qlog {
        transport.qlog_factory(Arc::new(log));
    }
    client.transport_config(Arc::new(transport));
    client.initial_dst_cid_provider(Arc::new(move || {
        ids.lock().unwrap_or_else(PoisonError::into_inner).generate_cid()
    }));
    client
}

/// The settings of connections that a server accepts. `controller` controls what the server sends.
pub fn server(config: &QuicConfig, configs: &Configs, controller: Option<Factory>) -> ServerConfig {
    let mut server = ServerConfig::new(configs.server.clone(), Arc::new(NoTokens));
    server.transport_config(Arc::new(transport(config, controller))).time_source(Arc::new(FixedClock));
    server
}

/// A connection, and the time of its next timer.
pub struct Line {
    pub handle: ConnectionHandle,
    pub connection: Connection,
    due: Time,
    /// Time at which the timers were last handled.
    handled: Time,
    /// Time of the probe that the library does not schedule. See [`Line::arm_probe`].
    probe: Time,
}

impl Line {
    /// Returns the time of the next timer.
    pub fn next_timeout(&self) -> Time {
        self.due.min(self.probe)
    }

    /// Schedules the client's probe against the deadlock of RFC 9002, section 6.2.2.1, if the library does not schedule
    /// it. In this deadlock, the anti-amplification limit blocks a server until the client sends again.
    ///
    /// The library schedules its timer for this probe in two cases only: if no packet at all is in flight, or if a
    /// packet of the Initial or Handshake space is in flight (noq-proto 1.4.0, `connection/mod.rs:3627` and `3659`;
    /// quinn-proto 0.11.19 behaves likewise). Early data in flight do not start a timer before the handshake is
    /// confirmed (line 3652). If the server has acknowledged the client's Initial packets, and the server's own answer
    /// is lost, both sides therefore wait until the idle timeout.
    ///
    /// The library's timer for lost packets and probes expires long before the idle timeout. If the next timer expires
    /// more than half of the idle timeout from now, this code concludes that the library has scheduled no probe.
    fn arm_probe(&mut self, now: Time) {
        let Self { connection, due, probe, .. } = self;
        let is_handshaking =
            connection.side().is_client() && connection.has_0rtt() && connection.is_handshaking();
        let stops = is_handshaking && *due != Time::MAX && *due > now + IDLE / 2;
        *probe = match connection.rtt(PathId::ZERO).filter(|_| stops) {
            // This is the probe timeout with an initial variation of half a round trip (RFC 9002, sections 5.3 and
            // 6.2.1).
            Some(rtt) => (*probe).min(now + Span::from_nanos(rtt.as_nanos() as u64) * 3),
            None => Time::MAX,
        };
    }
}

/// The destination of a datagram that arrived.
pub enum Arrived {
    /// A connection. Pass the event to it with [`Library::deliver`].
    Event(ConnectionHandle, ConnectionEvent),
    /// A client opens a connection. Accept it with [`Library::accept`].
    New(Incoming),
    /// No connection. If there is a response, it may be sent.
    Nobody(Option<Sent>),
}

/// The library's endpoint at one host. All its random bytes come from the random stream of the host.
pub struct Library {
    endpoint: Endpoint,
    /// Address of the other host.
    peer: SocketAddr,
    draws: Draws,
    /// Whether packets carry an ECN codepoint.
    ecn: bool,
    scratch: Vec<u8>,
}

impl Library {
    /// Creates the endpoint of a host. If it gets the settings of a server, it accepts connections.
    pub fn new(config: &QuicConfig, server: Option<ServerConfig>, seed: u64) -> Self {
        let mut draws = Draws::new(seed);
        let mut settings = EndpointConfig::new(hmac_key(&draws.seed()));
        let of_ids = seed ^ 2;
        settings.rng_seed(Some(draws.seed()));
        settings
            .cid_generator(Arc::new(move || Box::new(SeededIds(Xoshiro256PlusPlus::seed_from_u64(of_ids)))));
        // The schema limits the size, and its limit is above the smallest value of the library.
        let _ = settings.max_udp_payload_size((config.largest_datagram as u16).max(1472));
        let peer = ADDRESSES[usize::from(server.is_none())];
        let endpoint = Endpoint::new(Arc::new(settings), server.map(Arc::new), true);
        Self { endpoint, peer, draws, ecn: config.ecn, scratch: Vec::new() }
    }

    /// Opens a connection.
    ///
    /// # Panics
    /// If the library refuses its fixed arguments.
    pub fn connect(&mut self, now: Time, client: ClientConfig) -> Line {
        let Self { endpoint, peer, draws, .. } = self;
        let opened = draws.lend(|| endpoint.connect(instant(now), client, *peer, SERVER_NAME));
        #[expect(clippy::expect_used, reason = "the arguments are fixed")]
        let (handle, connection) = opened.expect("the library opens a connection");
        self.line(handle, connection)
    }

    /// Accepts a connection. The settings are `server`, or the settings of the endpoint if `server` is `None`.
    ///
    /// # Errors
    /// If the library refuses the connection, returns a response, which may be sent.
    pub fn accept(
        &mut self,
        now: Time,
        incoming: Incoming,
        server: Option<Arc<ServerConfig>>,
    ) -> Result<Line, Option<Sent>> {
        let Self { endpoint, draws, scratch, .. } = self;
        scratch.clear();
        match draws.lend(|| endpoint.accept(incoming, instant(now), scratch, server)) {
            Ok((handle, connection)) => Ok(self.line(handle, connection)),
            Err(refused) => Err(refused.response.map(|response| self.response(response.size))),
        }
    }

    /// Refuses a connection without a response.
    pub fn ignore(&mut self, incoming: Incoming) {
        self.endpoint.ignore(incoming);
    }

    fn line(&mut self, handle: ConnectionHandle, connection: Connection) -> Line {
        let mut line = Line { handle, connection, due: Time::MAX, handled: Time::ZERO, probe: Time::MAX };
        self.update(&mut line);
        line
    }

    fn response(&self, size: usize) -> Sent {
        Sent { bytes: self.scratch[..size].into(), ecn: Ecn::NotEct }
    }

    /// Handles a datagram that arrived.
    pub fn handle(&mut self, now: Time, bytes: &[u8], ecn: Ecn) -> Arrived {
        let Self { endpoint, peer, draws, scratch, .. } = self;
        let ecn = match ecn {
            Ecn::NotEct => None,
            Ecn::Ect0 => Some(EcnCodepoint::Ect0),
            Ecn::Ect1 => Some(EcnCodepoint::Ect1),
            Ecn::Ce => Some(EcnCodepoint::Ce),
        };
        let path = FourTuple::from_remote(*peer);
        scratch.clear();
        match draws.lend(|| endpoint.handle(instant(now), path, ecn, BytesMut::from(bytes), scratch)) {
            Some(DatagramEvent::ConnectionEvent(handle, event)) => Arrived::Event(handle, event),
            Some(DatagramEvent::NewConnection(incoming)) => Arrived::New(incoming),
            Some(DatagramEvent::Response(response)) => Arrived::Nobody(Some(self.response(response.size))),
            None => Arrived::Nobody(None),
        }
    }

    /// Passes the event of a datagram to its connection.
    pub fn deliver(&mut self, line: &mut Line, event: ConnectionEvent) {
        self.draws.lend(|| line.connection.handle_event(event));
        self.update(line);
    }

    /// Handles the due timers of a connection.
    pub fn handle_timeout(&mut self, now: Time, line: &mut Line) {
        self.draws.lend(|| line.connection.handle_timeout(instant(now)));
        line.handled = now;
        if line.probe <= now {
            line.probe = Time::MAX;
            line.connection.ping();
        }
        self.update(line);
    }

    /// Returns the next datagram of a connection that may leave now.
    pub fn poll_transmit(&mut self, now: Time, line: &mut Line) -> Option<Sent> {
        let Self { draws, scratch, .. } = self;
        scratch.clear();
        let sent = draws.lend(|| line.connection.poll_transmit(instant(now), NonZeroUsize::MIN, scratch));
        let sent = sent.map(|sent| Sent {
            bytes: scratch[..sent.size].into(),
            ecn: match sent.ecn.filter(|_| self.ecn) {
                None => Ecn::NotEct,
                Some(EcnCodepoint::Ect0) => Ecn::Ect0,
                Some(EcnCodepoint::Ect1) => Ecn::Ect1,
                Some(EcnCodepoint::Ce) => Ecn::Ce,
            },
        });
        self.update(line);
        if sent.is_none() {
            line.arm_probe(now);
        }
        sent
    }

    /// Closes a connection without an error.
    pub fn close(&mut self, now: Time, line: &mut Line) {
        let code = VarInt::from_u32(0);
        self.draws.lend(|| line.connection.close(instant(now), code, bytes::Bytes::new()));
    }

    /// Passes events between a connection and the endpoint, and stores the time of the next timer.
    pub fn update(&mut self, line: &mut Line) {
        let Self { endpoint, draws, .. } = self;
        let Line { handle, connection, due, handled, .. } = line;
        draws.lend(|| {
            while let Some(event) = connection.poll_endpoint_events() {
                if let Some(event) = endpoint.handle_event(*handle, event) {
                    connection.handle_event(event);
                }
            }
        });
        *due = time(connection.poll_timeout());
        // At a high pacing rate, the next packet may be due in less than a nanosecond.
        if *due <= *handled {
            *due = *handled + Span::from_nanos(1);
        }
    }
}

/// A host with one connection.
pub struct Host {
    library: Library,
    line: Option<Line>,
    /// Settings of the connection that the client opens, or `None` at the server.
    client: Option<ClientConfig>,
    /// Datagrams that the endpoint sends outside of the connection.
    responses: VecDeque<Sent>,
    keys: Arc<KeyLog>,
}

impl Host {
    /// Creates the host that opens the connection. `controller` controls what the host sends. The library logs the
    /// connection in `qlog`.
    pub fn client(
        config: &QuicConfig,
        configs: &Configs,
        controller: Option<Factory>,
        qlog: Option<LibraryLog>,
        seed: u64,
    ) -> Self {
        let client = client(config, configs, controller, qlog, &FirstIds::new(seed));
        Self::new(Library::new(config, None, seed), configs.keys.clone(), Some(client))
    }

    /// Creates the host that accepts the connection. `controller` controls what the host sends.
    pub fn server(config: &QuicConfig, configs: &Configs, controller: Option<Factory>, seed: u64) -> Self {
        let server = server(config, configs, controller);
        Self::new(Library::new(config, Some(server), seed), configs.keys.clone(), None)
    }

    fn new(library: Library, keys: Arc<KeyLog>, client: Option<ClientConfig>) -> Self {
        Self { library, line: None, client, responses: VecDeque::new(), keys }
    }

    /// Opens the connection.
    ///
    /// # Panics
    /// At a server, or if the library refuses its fixed arguments.
    pub fn connect(&mut self, now: Time) {
        #[expect(clippy::expect_used, reason = "the source calls it once")]
        let client = self.client.take().expect("a client connects once");
        self.line = Some(self.library.connect(now, client));
    }

    /// Returns the connection, if it already exists.
    pub fn connection(&mut self) -> Option<&mut Connection> {
        self.line.as_mut().map(|line| &mut line.connection)
    }

    /// Returns the connection for reading, if it already exists.
    pub fn view(&self) -> Option<&Connection> {
        self.line.as_ref().map(|line| &line.connection)
    }

    /// Handles a datagram that arrived.
    pub fn handle(&mut self, now: Time, bytes: &[u8], ecn: Ecn) {
        let Self { library, line, responses, .. } = self;
        match library.handle(now, bytes, ecn) {
            Arrived::Event(_, event) => {
                if let Some(line) = line {
                    library.deliver(line, event);
                }
            }
            Arrived::New(incoming) => match library.accept(now, incoming, None) {
                Ok(accepted) => *line = Some(accepted),
                Err(response) => responses.extend(response),
            },
            Arrived::Nobody(response) => responses.extend(response),
        }
    }

    /// Handles the timers that are due.
    pub fn handle_timeout(&mut self, now: Time) {
        if let Some(line) = &mut self.line {
            self.library.handle_timeout(now, line);
        }
    }

    /// Returns the next datagram that may leave now.
    pub fn poll_transmit(&mut self, now: Time) -> Option<Sent> {
        let response = self.responses.pop_front();
        response.or_else(|| self.library.poll_transmit(now, self.line.as_mut()?))
    }

    /// Returns the time of the next timer.
    pub fn next_timeout(&self) -> Time {
        self.line.as_ref().map_or(Time::MAX, Line::next_timeout)
    }

    /// Returns the secrets of both hosts.
    pub fn keys(&self) -> &KeyLog {
        &self.keys
    }

    /// Closes the connection without an error.
    pub fn close(&mut self, now: Time) {
        if let Some(line) = &mut self.line {
            self.library.close(now, line);
        }
    }

    /// Passes events between the connection and the endpoint, and stores the time of the next timer.
    pub fn update(&mut self) {
        if let Some(line) = &mut self.line {
            self.library.update(line);
        }
    }
}

/// Performs an earlier connection between two hosts with these configurations, without delay and outside of the
/// simulated network. Afterwards, the client has session tickets for 0-RTT.
pub fn earlier_connection(config: &QuicConfig, configs: &Configs, seed: u64) {
    /// Largest number of datagrams that each side sends. A handshake needs fewer than ten.
    const ROUNDS: usize = 32;
    debug_assert_eq!(instant(Time::ZERO), zero());
    let mut client = Host::client(config, configs, None, None, seed);
    let mut server = Host::server(config, configs, None, !seed);
    // Its secrets belong to no packet of the run.
    configs.keys.without(|| {
        client.connect(Time::ZERO);
        for _ in 0..ROUNDS {
            while let Some(sent) = client.poll_transmit(Time::ZERO) {
                server.handle(Time::ZERO, &sent.bytes, sent.ecn);
            }
            while let Some(sent) = server.poll_transmit(Time::ZERO) {
                client.handle(Time::ZERO, &sent.bytes, sent.ecn);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::super::tls;
    use super::*;
    use noq_proto::Dir;
    use std::collections::BTreeMap;

    /// Returns the time at which the client's handshake with early data is complete. If bit n of `lost` is set, the
    /// n-th datagram of the client, or of the server, is lost. The server answers with more data than its
    /// anti-amplification limit allows.
    fn handshake(lost: [u32; 2]) -> Option<Time> {
        const END: Time = Time::from_nanos(40_000_000_000);
        let delay = Span::from_millis(50);
        let config = QuicConfig { zero_rtt: true, initial_rtt: Span::from_secs(1), ..QuicConfig::default() };
        let configs = tls::configs(true, true).unwrap_or_else(|error| panic!("{error}"));
        earlier_connection(&config, &configs, 1);
        let mut hosts =
            [Host::client(&config, &configs, None, None, 2), Host::server(&config, &configs, None, 3)];
        hosts[0].connect(Time::ZERO);
        let write = |host: &mut Host, size: usize| {
            let Some(connection) = host.connection() else { return false };
            let Some(stream) = connection.streams().open(Dir::Uni) else { return false };
            connection.send_stream(stream).write(&vec![0; size]).is_ok()
        };
        assert!(write(&mut hosts[0], 500), "the client has early data");
        let (mut now, mut answers, mut sent) = (Time::ZERO, false, [0; 2]);
        let mut network = BTreeMap::new();
        while now < END {
            for side in 0..2 {
                while let Some(datagram) = hosts[side].poll_transmit(now) {
                    if sent[side] >= 32 || lost[side] >> sent[side] & 1 == 0 {
                        network.insert((now + delay, side, sent[side]), datagram);
                    }
                    sent[side] += 1;
                }
            }
            if hosts[0].view().is_some_and(|client| !client.is_handshaking() && !client.is_closed()) {
                return Some(now);
            }
            let timers = hosts.iter().map(Host::next_timeout).min().unwrap_or(Time::MAX);
            now = network.first_key_value().map_or(Time::MAX, |(&(at, ..), _)| at).min(timers);
            for host in &mut hosts {
                if host.next_timeout() <= now {
                    host.handle_timeout(now);
                }
            }
            while let Some(next) = network.first_entry().filter(|next| next.key().0 <= now) {
                let ((_, side, _), datagram) = next.remove_entry();
                hosts[1 - side].handle(now, &datagram.bytes, datagram.ecn);
            }
            answers = answers || write(&mut hosts[1], 100_000);
        }
        None
    }

    /// Every pattern of losses among the first datagrams is tested. RFC 9002, section 6.2.2.1, excludes a deadlock.
    #[test]
    fn handshakes_with_early_data_end_whatever_is_lost() {
        assert_eq!(handshake([0, 0]), Some(Time::from_nanos(100_000_000)));
        let patterns = (0..4).flat_map(|client| (0..64).map(move |server| [client, server]));
        let stopped: Vec<_> = patterns.filter(|&lost| handshake(lost).is_none()).collect();
        assert!(stopped.is_empty(), "{} stop: {stopped:?}", stopped.len());
    }
}
