// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two endpoints of noq-proto, and a path between them, in virtual time.
//!
//! The server sends. The path to the client has a rate and a drop-tail queue, and loses or marks the datagrams that a
//! test lists. The path back has only a delay.

use noq_proto::congestion::ControllerFactory;
use noq_proto::rustls;
use noq_proto::{
    ClientConfig, Connection, ConnectionHandle, ConnectionId, ConnectionIdGenerator, DatagramEvent, Dir,
    EcnCodepoint, Endpoint, EndpointConfig, Event, FourTuple, PathId, ServerConfig, StreamEvent, StreamId,
    Transmit, TransportConfig, VarInt,
};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

/// Bytes of every full datagram. MTU discovery is off.
pub const DATAGRAM: u64 = 1_200;

/// The path from the server to the client.
#[derive(Clone, Debug)]
pub struct Path {
    /// Propagation delay in both directions together.
    pub rtt: Duration,
    /// Bytes per second; `None` if the rate is not limited.
    pub rate: Option<u64>,
    /// Largest number of waiting bytes.
    pub queue: u64,
    /// Full datagrams of the server that are lost. Datagrams are counted from 0.
    pub lost: BTreeSet<u64>,
    /// Full datagrams that are marked (CE).
    pub marked: BTreeSet<u64>,
    /// Full datagrams that arrive later, with the additional delay of each.
    pub late: BTreeMap<u64, Duration>,
}

impl Path {
    /// Returns a path with this delay and no limits.
    pub fn of(rtt_ms: u64) -> Self {
        let rtt = Duration::from_millis(rtt_ms);
        let (lost, marked, late) = Default::default();
        Self { rtt, rate: None, queue: u64::MAX, lost, marked, late }
    }

    /// Returns the path with a bottleneck, whose queue holds `bdps` bandwidth-delay products.
    pub fn with_rate(self, mbit_s: u64, bdps: f64) -> Self {
        let rate = mbit_s * 125_000;
        let queue = (bdps * rate as f64 * self.rtt.as_secs_f64()) as u64;
        Self { rate: Some(rate), queue, ..self }
    }

    /// Returns the path with losses of these full datagrams.
    pub fn losing(self, lost: impl IntoIterator<Item = u64>) -> Self {
        Self { lost: lost.into_iter().collect(), ..self }
    }
}

/// The result of a transfer.
#[derive(Debug, Default, PartialEq)]
pub struct Outcome {
    /// Time from the first datagram of the client to the last byte; `None` if the transfer was not complete after ten
    /// minutes.
    pub done: Option<Duration>,
    /// Number of bytes that the client read.
    pub read: u64,
    /// Number of full datagrams that the server sent.
    pub datagrams: u64,
    /// Number of full datagrams that the queue dropped.
    pub dropped: u64,
    /// The window of the server after each event that changed it.
    pub windows: Vec<(Duration, u64)>,
    /// Number of lost packets, as counted by the server's connection.
    pub lost: u64,
    /// Number of times at which the server found that losses were spurious.
    pub spurious: u64,
}

impl Outcome {
    /// Returns the window at `at`.
    pub fn window_at(&self, at: Duration) -> u64 {
        self.windows.iter().take_while(|(when, _)| *when <= at).last().map_or(0, |(_, window)| *window)
    }
}

pub type Factory = Arc<dyn ControllerFactory + Send + Sync>;

/// Time 0 of all transfers.
pub static EPOCH: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Sends `bytes` from a server with controllers of `factory` to a client.
pub fn transfer(path: &Path, factory: Factory, bytes: usize) -> Outcome {
    run(path, factory, bytes, |_, _| {})
}

/// Works as [`transfer`]. After each event, `each` is called with the time and the server's connection.
pub fn run(
    path: &Path,
    factory: Factory,
    bytes: usize,
    each: impl FnMut(Duration, &mut Connection),
) -> Outcome {
    Pipe::new(path, factory, bytes).run(each)
}

struct Pipe<'a> {
    path: &'a Path,
    now: Instant,
    client: Side,
    server: Side,
    /// Datagrams in flight, by time of arrival and order of sending.
    flying: BTreeMap<(Instant, u64), Flying>,
    sent: u64,
    link_free: Instant,
    outcome: Outcome,
}

struct Flying {
    to_server: bool,
    ecn: Option<EcnCodepoint>,
    bytes: Vec<u8>,
}

struct Side {
    endpoint: Endpoint,
    connection: Option<(ConnectionHandle, Connection)>,
    peer: SocketAddr,
    /// Number of bytes to send on one stream.
    to_send: usize,
    stream: Option<StreamId>,
}

fn address(port: u16) -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], port))
}

/// Connection IDs that are the same in each run.
struct Counted(u64);

impl ConnectionIdGenerator for Counted {
    fn generate_cid(&mut self) -> ConnectionId {
        self.0 += 1;
        ConnectionId::new(&self.0.to_be_bytes())
    }
    fn cid_len(&self) -> usize {
        8
    }
    fn cid_lifetime(&self) -> Option<Duration> {
        None
    }
}

fn endpoint(number: u8, server: Option<Arc<ServerConfig>>) -> Endpoint {
    let mut config = EndpointConfig::default();
    config.rng_seed(Some([number; 32]));
    config.cid_generator(Arc::new(move || Box::new(Counted(u64::from(number) << 32))));
    Endpoint::new(Arc::new(config), server, true)
}

/// A certificate for `localhost` and its key. It uses Ed25519, because all its signatures have the same size.
static CERTIFICATE: LazyLock<(CertificateDer<'static>, PrivateKeyDer<'static>)> = LazyLock::new(|| {
    let key = rcgen::KeyPair::generate_for(&rcgen::PKCS_ED25519).unwrap();
    let certificate =
        rcgen::CertificateParams::new(vec!["localhost".into()]).unwrap().self_signed(&key).unwrap();
    (certificate.der().clone(), PrivateKeyDer::Pkcs8(key.serialize_der().into()))
});

fn transport(factory: Option<Factory>, initial_rtt: Duration) -> Arc<TransportConfig> {
    let mut transport = TransportConfig::default();
    transport.initial_mtu(DATAGRAM as u16).mtu_discovery_config(None).initial_rtt(initial_rtt);
    let window = VarInt::from_u32(100_000_000);
    transport.stream_receive_window(window).receive_window(window).send_window(100_000_000);
    if let Some(factory) = factory {
        transport.congestion_controller_factory(factory);
    }
    Arc::new(transport)
}

fn server_config(transport: Arc<TransportConfig>) -> ServerConfig {
    let (certificate, key) = &*CERTIFICATE;
    let mut config = ServerConfig::with_single_cert(vec![certificate.clone()], key.clone_key()).unwrap();
    config.transport_config(transport);
    config
}

fn client_config(transport: Arc<TransportConfig>) -> ClientConfig {
    let mut roots = rustls::RootCertStore::empty();
    roots.add(CERTIFICATE.0.clone()).unwrap();
    let mut config = ClientConfig::with_root_certificates(Arc::new(roots)).unwrap();
    config.initial_dst_cid_provider(Arc::new(|| ConnectionId::new(&[7; 8])));
    config.transport_config(transport);
    config
}

impl<'a> Pipe<'a> {
    fn new(path: &'a Path, factory: Factory, bytes: usize) -> Self {
        let now = *EPOCH;
        let server = Arc::new(server_config(transport(Some(factory), path.rtt)));
        let (mut client, server) = (endpoint(1, None), endpoint(2, Some(server)));
        let config = client_config(transport(None, path.rtt));
        let connection = client.connect(now, config, address(4433), "localhost").unwrap();
        Self {
            path,
            now,
            client: Side {
                endpoint: client,
                connection: Some(connection),
                peer: address(4433),
                to_send: 0,
                stream: None,
            },
            server: Side {
                endpoint: server,
                connection: None,
                peer: address(1),
                to_send: bytes,
                stream: None,
            },
            flying: BTreeMap::new(),
            sent: 0,
            link_free: now,
            outcome: Outcome::default(),
        }
    }

    fn run(mut self, mut each: impl FnMut(Duration, &mut Connection)) -> Outcome {
        let (epoch, wanted) = (*EPOCH, self.server.to_send as u64);
        self.settle();
        while self.outcome.read < wanted {
            let arrival = self.flying.first_key_value().map(|((at, _), _)| *at);
            let timeout = |side: &Side| side.connection.as_ref().and_then(|(_, one)| one.poll_timeout());
            let next = [arrival, timeout(&self.client), timeout(&self.server)].into_iter().flatten().min();
            let Some(next) = next.filter(|next| *next < epoch + Duration::from_secs(600)) else { break };
            self.now = self.now.max(next);
            while let Some(first) = self.flying.first_entry().filter(|first| first.key().0 <= self.now) {
                let flying = first.remove();
                self.arrive(&flying);
            }
            for side in [&mut self.client, &mut self.server] {
                if let Some((_, connection)) = &mut side.connection {
                    connection.handle_timeout(self.now);
                }
            }
            self.settle();
            if let Some((_, connection)) = &mut self.server.connection {
                let elapsed = self.now - epoch;
                let controller = connection.congestion_state(PathId::ZERO).unwrap();
                let window = controller.window();
                if self.outcome.windows.last().is_none_or(|(_, before)| *before != window) {
                    self.outcome.windows.push((elapsed, window));
                }
                each(elapsed, connection);
            }
        }
        if self.outcome.read == wanted {
            self.outcome.done = Some(self.now - epoch);
        }
        if let Some((_, connection)) = &mut self.server.connection {
            let stats = connection.path_stats(PathId::ZERO).unwrap();
            (self.outcome.lost, self.outcome.spurious) =
                (stats.lost_packets, stats.spurious_congestion_events);
        }
        self.outcome
    }

    fn arrive(&mut self, flying: &Flying) {
        let side = if flying.to_server { &mut self.server } else { &mut self.client };
        let path = FourTuple::new(side.peer, None);
        let mut answer = Vec::new();
        let data = flying.bytes.as_slice().into();
        match side.endpoint.handle(self.now, path, flying.ecn, data, &mut answer) {
            Some(DatagramEvent::ConnectionEvent(_, event)) => {
                if let Some((_, connection)) = &mut side.connection {
                    connection.handle_event(event);
                }
            }
            Some(DatagramEvent::NewConnection(incoming)) => {
                let accepted = side.endpoint.accept(incoming, self.now, &mut answer, None).unwrap();
                side.connection = Some(accepted);
            }
            Some(DatagramEvent::Response(_)) | None => {}
        }
    }

    /// Lets both endpoints do everything that is due now.
    fn settle(&mut self) {
        for to_server in [true, false] {
            let side = if to_server { &mut self.client } else { &mut self.server };
            let Some((handle, connection)) = &mut side.connection else { continue };
            while let Some(event) = connection.poll_endpoint_events() {
                if let Some(event) = side.endpoint.handle_event(*handle, event) {
                    connection.handle_event(event);
                }
            }
            while let Some(event) = connection.poll() {
                match event {
                    Event::Connected if side.to_send > 0 => {
                        side.stream = connection.streams().open(Dir::Uni);
                    }
                    Event::Stream(StreamEvent::Opened { dir }) => {
                        side.stream = connection.streams().accept(dir);
                    }
                    Event::ConnectionLost { reason } => panic!("{:?}: {reason}", self.now - *EPOCH),
                    _ => {}
                }
            }
            if let Some(stream) = side.stream {
                if side.to_send > 0 {
                    let chunk = vec![0x5a; side.to_send.min(1 << 20)];
                    while let Ok(written) =
                        connection.send_stream(stream).write(&chunk[..side.to_send.min(chunk.len())])
                    {
                        side.to_send -= written;
                        if side.to_send == 0 {
                            connection.send_stream(stream).finish().unwrap();
                            break;
                        }
                    }
                } else if to_server {
                    let mut recv = connection.recv_stream(stream);
                    if let Ok(mut chunks) = recv.read(true) {
                        while let Ok(Some(chunk)) = chunks.next(usize::MAX) {
                            assert!(chunk.bytes.iter().all(|byte| *byte == 0x5a));
                            self.outcome.read += chunk.bytes.len() as u64;
                        }
                        let _ = chunks.finalize();
                    }
                }
            }
            let mut buffer = Vec::new();
            let mut transmits = Vec::new();
            while let Some(transmit) = connection.poll_transmit(self.now, NonZeroUsize::MIN, &mut buffer) {
                transmits.push((transmit, std::mem::take(&mut buffer)));
            }
            for (transmit, bytes) in transmits {
                self.send(to_server, &transmit, bytes);
            }
        }
    }

    fn send(&mut self, to_server: bool, transmit: &Transmit, bytes: Vec<u8>) {
        let mut arrival = self.now + self.path.rtt / 2;
        let mut ecn = transmit.ecn;
        if !to_server {
            let size = bytes.len() as u64;
            let mut number = None;
            if size == DATAGRAM {
                number = Some(self.outcome.datagrams);
                self.outcome.datagrams += 1;
            }
            if number.is_some_and(|number| self.path.lost.contains(&number)) {
                return;
            }
            if number.is_some_and(|number| self.path.marked.contains(&number)) {
                ecn = Some(EcnCodepoint::Ce);
            }
            if let Some(rate) = self.path.rate {
                let waits = self.link_free.saturating_duration_since(self.now);
                if waits.as_secs_f64() * rate as f64 > self.path.queue as f64 {
                    self.outcome.dropped += 1;
                    return;
                }
                self.link_free =
                    self.link_free.max(self.now) + Duration::from_nanos(size * 1_000_000_000 / rate);
                arrival = self.link_free + self.path.rtt / 2;
            }
            arrival += number.and_then(|number| self.path.late.get(&number)).copied().unwrap_or_default();
        }
        self.flying.insert((arrival, self.sent), Flying { to_server, ecn, bytes });
        self.sent += 1;
    }
}
