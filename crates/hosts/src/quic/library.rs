// SPDX-License-Identifier: MIT OR Apache-2.0
//! One host of a QUIC connection: the library's endpoint and its connection, driven in virtual time.

use super::clock::{instant, time, zero};
use super::draws::Draws;
use super::log::LibraryLog;
use super::tls::{Configs, FixedClock, KeyLog, NoTokens, SERVER_NAME, hmac_key};
use bytes::BytesMut;
use link::Ecn;
use noq_proto::congestion::ControllerFactory;
use noq_proto::{
    AckFrequencyConfig, ClientConfig, Connection, ConnectionHandle, ConnectionId, ConnectionIdGenerator,
    DatagramEvent, EcnCodepoint, Endpoint, EndpointConfig, FourTuple, MtuDiscoveryConfig, ServerConfig,
    TransportConfig, VarInt,
};
use random::{Draw, SeedableRng, Xoshiro256PlusPlus};
use scenario::QuicConfig;
use std::collections::VecDeque;
use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use units::{Span, Time};

/// Address of the client as the server sees it, and of the server as the client sees it. The simulator routes packets by
/// their endpoints; these addresses only tell the library that there is one path. (Block for documentation, RFC 5737.)
const ADDRESSES: [SocketAddr; 2] = [
    SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), 50_000),
    SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::new(192, 0, 2, 2)), 443),
];

/// Streams that may be open at once. Streams of a transfer follow each other, so this bounds the bytes in flight only
/// for tiny streams.
const STREAMS: VarInt = VarInt::from_u32(1024);

/// Bytes of a connection ID (noq's default length).
const CID_BYTES: usize = 8;

/// Connection IDs from a seed.
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

/// Settings of a host for the library.
///
/// # Errors
/// A window is larger than a QUIC integer of 62 bits.
fn transport(
    config: &QuicConfig,
    controller: Option<Arc<dyn ControllerFactory + Send + Sync>>,
) -> TransportConfig {
    let window = |window: Option<units::Bytes>| {
        window.and_then(|window| VarInt::from_u64(window.get()).ok()).unwrap_or(VarInt::MAX)
    };
    let mut transport = TransportConfig::default();
    transport
        .max_concurrent_uni_streams(STREAMS)
        .max_concurrent_bidi_streams(STREAMS)
        .receive_window(window(config.receive_window))
        .stream_receive_window(window(config.stream_window))
        // Streams of a transfer follow each other instead of sharing the path.
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

/// One host.
pub struct Host {
    endpoint: Endpoint,
    connection: Option<(ConnectionHandle, Connection)>,
    /// Settings of the connection that the client opens; `None` at the server.
    client: Option<ClientConfig>,
    /// Address of the other host.
    peer: SocketAddr,
    draws: Draws,
    /// Whether packets carry an ECN codepoint.
    ecn: bool,
    /// Datagrams that the endpoint sends outside of the connection.
    responses: VecDeque<Sent>,
    scratch: Vec<u8>,
    keys: Arc<KeyLog>,
    due: Time,
    /// Time at which timers were last handled.
    handled: Time,
}

impl Host {
    /// Creates the host that opens the connection. `controller` controls what it sends, and the library logs it in `qlog`.
    pub fn client(
        config: &QuicConfig,
        configs: &Configs,
        controller: Option<Arc<dyn ControllerFactory + Send + Sync>>,
        qlog: Option<LibraryLog>,
        seed: u64,
    ) -> Self {
        let ids = Arc::new(Mutex::new(SeededIds(Xoshiro256PlusPlus::seed_from_u64(seed ^ 1))));
        let mut client = ClientConfig::new(configs.client.clone());
        let mut transport = transport(config, controller);
        if let Some(log) = qlog {
            transport.qlog_factory(Arc::new(log));
        }
        client.transport_config(Arc::new(transport));
        client.initial_dst_cid_provider(Arc::new(move || {
            ids.lock().unwrap_or_else(PoisonError::into_inner).generate_cid()
        }));
        Self::new(config, configs.keys.clone(), None, Some(client), seed)
    }

    /// Creates the host that accepts the connection. `controller` controls what it sends.
    pub fn server(
        config: &QuicConfig,
        configs: &Configs,
        controller: Option<Arc<dyn ControllerFactory + Send + Sync>>,
        seed: u64,
    ) -> Self {
        let mut server = ServerConfig::new(configs.server.clone(), Arc::new(NoTokens));
        server.transport_config(Arc::new(transport(config, controller))).time_source(Arc::new(FixedClock));
        Self::new(config, configs.keys.clone(), Some(server), None, seed)
    }

    fn new(
        config: &QuicConfig,
        keys: Arc<KeyLog>,
        server: Option<ServerConfig>,
        client: Option<ClientConfig>,
        seed: u64,
    ) -> Self {
        let mut draws = Draws::new(seed);
        let mut settings = EndpointConfig::new(hmac_key(&draws.seed()));
        let of_ids = seed ^ 2;
        settings.rng_seed(Some(draws.seed()));
        settings
            .cid_generator(Arc::new(move || Box::new(SeededIds(Xoshiro256PlusPlus::seed_from_u64(of_ids)))));
        // The schema bounds the size; the library's smallest value is smaller.
        let _ = settings.max_udp_payload_size((config.largest_datagram as u16).max(1472));
        let peer = ADDRESSES[usize::from(client.is_some())];
        let endpoint = Endpoint::new(Arc::new(settings), server.map(Arc::new), true);
        Self {
            endpoint,
            connection: None,
            client,
            peer,
            draws,
            ecn: config.ecn,
            responses: VecDeque::new(),
            scratch: Vec::new(),
            keys,
            due: Time::MAX,
            handled: Time::ZERO,
        }
    }

    /// Opens the connection.
    ///
    /// # Panics
    /// At a server, or if the library refuses its fixed arguments.
    pub fn connect(&mut self, now: Time) {
        let Self { endpoint, client, peer, draws, .. } = self;
        #[expect(clippy::expect_used, reason = "the arguments are fixed")]
        let client = client.take().expect("a client connects once");
        let opened = draws.lend(|| endpoint.connect(instant(now), client, *peer, SERVER_NAME));
        #[expect(clippy::expect_used, reason = "the arguments are fixed")]
        let opened = opened.expect("the library opens a connection");
        self.connection = Some(opened);
        self.update();
    }

    /// Returns the connection, once there is one.
    pub fn connection(&mut self) -> Option<&mut Connection> {
        self.connection.as_mut().map(|(_, connection)| connection)
    }

    /// Returns the connection for reading.
    pub fn view(&self) -> Option<&Connection> {
        self.connection.as_ref().map(|(_, connection)| connection)
    }

    /// Handles a datagram that arrived.
    pub fn handle(&mut self, now: Time, bytes: &[u8], ecn: Ecn) {
        let Self { endpoint, connection, peer, draws, responses, scratch, .. } = self;
        let ecn = match ecn {
            Ecn::NotEct => None,
            Ecn::Ect0 => Some(EcnCodepoint::Ect0),
            Ecn::Ect1 => Some(EcnCodepoint::Ect1),
            Ecn::Ce => Some(EcnCodepoint::Ce),
        };
        let (at, path) = (instant(now), FourTuple::from_remote(*peer));
        scratch.clear();
        draws.lend(|| match endpoint.handle(at, path, ecn, BytesMut::from(bytes), scratch) {
            Some(DatagramEvent::ConnectionEvent(_, event)) => {
                if let Some((_, connection)) = connection {
                    connection.handle_event(event);
                }
            }
            Some(DatagramEvent::NewConnection(incoming)) => {
                match endpoint.accept(incoming, at, scratch, None) {
                    Ok(accepted) => *connection = Some(accepted),
                    Err(refused) => {
                        if let Some(response) = refused.response {
                            responses
                                .push_back(Sent { bytes: scratch[..response.size].into(), ecn: Ecn::NotEct });
                        }
                    }
                }
            }
            Some(DatagramEvent::Response(response)) => {
                responses.push_back(Sent { bytes: scratch[..response.size].into(), ecn: Ecn::NotEct });
            }
            None => {}
        });
        self.update();
    }

    /// Handles the timers that are due.
    pub fn handle_timeout(&mut self, now: Time) {
        let Self { connection, draws, .. } = self;
        if let Some((_, connection)) = connection {
            draws.lend(|| connection.handle_timeout(instant(now)));
        }
        self.handled = now;
        self.update();
    }

    /// Returns the next datagram that may leave now.
    pub fn poll_transmit(&mut self, now: Time) -> Option<Sent> {
        if let Some(response) = self.responses.pop_front() {
            return Some(response);
        }
        let Self { connection, draws, scratch, .. } = self;
        let (_, connection) = connection.as_mut()?;
        scratch.clear();
        let sent = draws.lend(|| connection.poll_transmit(instant(now), NonZeroUsize::MIN, scratch));
        let sent = sent.map(|sent| Sent {
            bytes: scratch[..sent.size].into(),
            ecn: match sent.ecn.filter(|_| self.ecn) {
                None => Ecn::NotEct,
                Some(EcnCodepoint::Ect0) => Ecn::Ect0,
                Some(EcnCodepoint::Ect1) => Ecn::Ect1,
                Some(EcnCodepoint::Ce) => Ecn::Ce,
            },
        });
        self.update();
        sent
    }

    /// Returns the time of the next timer.
    pub fn next_timeout(&self) -> Time {
        self.due
    }

    /// Removes and returns the secrets that either host of the connection has learned since the last call.
    pub fn take_secrets(&self) -> String {
        self.keys.take()
    }

    /// Closes the connection without an error.
    pub fn close(&mut self, now: Time) {
        let Self { connection, draws, .. } = self;
        if let Some((_, connection)) = connection {
            draws.lend(|| connection.close(instant(now), VarInt::from_u32(0), bytes::Bytes::new()));
        }
    }

    /// Passes events between connection and endpoint, and notes the next timer.
    pub fn update(&mut self) {
        let Self { endpoint, connection, draws, due, handled, .. } = self;
        let Some((handle, connection)) = connection else { return };
        draws.lend(|| {
            while let Some(event) = connection.poll_endpoint_events() {
                if let Some(event) = endpoint.handle_event(*handle, event) {
                    connection.handle_event(event);
                }
            }
        });
        *due = time(connection.poll_timeout());
        // At a high pacing rate the next packet may be due in less than a nanosecond.
        if *due <= *handled {
            *due = *handled + Span::from_nanos(1);
        }
    }
}

/// Lets an earlier connection between two hosts with these configurations take place at time zero, without delay. It
/// leaves a session ticket for 0-RTT at the client.
pub fn earlier_connection(config: &QuicConfig, configs: &Configs, seed: u64) {
    /// Datagrams that each side sends at most: a handshake needs fewer than ten.
    const ROUNDS: usize = 32;
    debug_assert_eq!(instant(Time::ZERO), zero());
    let mut client = Host::client(config, configs, None, None, seed);
    let mut server = Host::server(config, configs, None, !seed);
    client.connect(Time::ZERO);
    for _ in 0..ROUNDS {
        while let Some(sent) = client.poll_transmit(Time::ZERO) {
            server.handle(Time::ZERO, &sent.bytes, sent.ecn);
        }
        while let Some(sent) = server.poll_transmit(Time::ZERO) {
            client.handle(Time::ZERO, &sent.bytes, sent.ecn);
        }
    }
    // Its secrets belong to no packet of the run.
    drop(configs.keys.take());
}
