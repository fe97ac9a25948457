// SPDX-License-Identifier: MIT OR Apache-2.0
//! A transfer between two endpoints of quinn-proto in virtual time, on a path with a delay and with losses that a test
//! lists.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bentpipe_quic::control::catalogue::Value;
use bentpipe_quic::{Library, Setup, Watch};
use noq_proto::rustls;
use quinn_proto::congestion::{ControllerFactory, CubicConfig, NewRenoConfig};
use quinn_proto::{
    ClientConfig, Connection, ConnectionHandle, DatagramEvent, Dir, Endpoint, EndpointConfig, Event,
    ServerConfig, StreamEvent, StreamId, TransportConfig, VarInt,
};
use rcgen::{CertificateParams, KeyPair, PKCS_ED25519};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

const RTT: Duration = Duration::from_millis(100);
const DATAGRAM: usize = 1_200;
static EPOCH: LazyLock<Instant> = LazyLock::new(Instant::now);

struct Side {
    endpoint: Endpoint,
    connection: Option<(ConnectionHandle, Connection)>,
    peer: SocketAddr,
    to_send: usize,
    stream: Option<StreamId>,
}

/// The window of the server after each event.
type Windows = Vec<(Duration, u64)>;

fn transport(factory: Option<Arc<dyn ControllerFactory + Send + Sync>>) -> Arc<TransportConfig> {
    let mut transport = TransportConfig::default();
    let window = VarInt::from_u32(100_000_000);
    transport.initial_mtu(DATAGRAM as u16).mtu_discovery_config(None).initial_rtt(RTT);
    transport.stream_receive_window(window).receive_window(window).send_window(100_000_000);
    if let Some(factory) = factory {
        transport.congestion_controller_factory(factory);
    }
    Arc::new(transport)
}

/// Sends `bytes` from a server to a client. The full datagrams `lost`, counted from 0, do not arrive.
fn transfer(factory: Arc<dyn ControllerFactory + Send + Sync>, bytes: usize, lost: &[u64]) -> Windows {
    let key = KeyPair::generate_for(&PKCS_ED25519).unwrap();
    let certificate = CertificateParams::new(vec!["localhost".into()]).unwrap().self_signed(&key).unwrap();
    let private = rustls::pki_types::PrivateKeyDer::Pkcs8(key.serialize_der().into());
    let mut server = ServerConfig::with_single_cert(vec![certificate.der().clone()], private).unwrap();
    server.transport_config(transport(Some(factory)));
    let mut roots = rustls::RootCertStore::empty();
    roots.add(certificate.der().clone()).unwrap();
    let mut client = ClientConfig::with_root_certificates(Arc::new(roots)).unwrap();
    client.transport_config(transport(None));

    let endpoint =
        |seed: u8, server| Endpoint::new(Arc::new(EndpointConfig::default()), server, true, Some([seed; 32]));
    let address = |port: u16| SocketAddr::from(([127, 0, 0, 1], port));
    let mut ends = [endpoint(1, None), endpoint(2, Some(Arc::new(server)))];
    let connection = ends[0].connect(*EPOCH, client, address(2), "localhost").unwrap();
    let [one, other] = ends;
    let side =
        |endpoint, connection, peer, to_send| Side { endpoint, connection, peer, to_send, stream: None };
    let mut sides = [side(one, Some(connection), address(2), 0), side(other, None, address(1), bytes)];
    let (mut now, mut flying, mut count) = (*EPOCH, BTreeMap::new(), 0u64);
    let (mut full, mut read, mut windows) = (0, 0, Windows::new());
    while read < bytes {
        for (from, side) in sides.iter_mut().enumerate() {
            let Side { endpoint, connection, to_send, stream, .. } = side;
            let Some((handle, connection)) = connection else { continue };
            connection.handle_timeout(now);
            while let Some(event) = connection.poll_endpoint_events() {
                if let Some(event) = endpoint.handle_event(*handle, event) {
                    connection.handle_event(event);
                }
            }
            while let Some(event) = connection.poll() {
                match event {
                    Event::Connected if *to_send > 0 => *stream = connection.streams().open(Dir::Uni),
                    Event::Stream(StreamEvent::Opened { dir }) => *stream = connection.streams().accept(dir),
                    Event::ConnectionLost { reason } => panic!("{reason}"),
                    _ => {}
                }
            }
            if let Some(stream) = *stream {
                if *to_send > 0 {
                    let written = connection.send_stream(stream).write(&vec![0; *to_send]).unwrap_or(0);
                    *to_send -= written;
                } else if from == 0 {
                    let mut recv = connection.recv_stream(stream);
                    let mut chunks = recv.read(true).unwrap();
                    while let Ok(Some(chunk)) = chunks.next(usize::MAX) {
                        read += chunk.bytes.len();
                    }
                    let _ = chunks.finalize();
                }
            }
            let mut datagram = Vec::new();
            while connection.poll_transmit(now, 1, &mut datagram).is_some() {
                let datagram = std::mem::take(&mut datagram);
                let is_full = from == 1 && datagram.len() == DATAGRAM;
                full += u64::from(is_full);
                if !is_full || !lost.contains(&(full - 1)) {
                    flying.insert((now + RTT / 2, count), (1 - from, datagram));
                    count += 1;
                }
            }
            if from == 1 {
                windows.push((now - *EPOCH, connection.congestion_state().window()));
            }
        }
        let due =
            |side: &mut Side| side.connection.as_mut().and_then(|(_, connection)| connection.poll_timeout());
        let [client, server] = &mut sides;
        let arrival = flying.first_key_value().map(|((at, _), _)| *at);
        now = [arrival, due(client), due(server)].into_iter().flatten().min().unwrap().max(now);
        assert!(now < *EPOCH + Duration::from_secs(60), "{read} of {bytes}");
        while let Some(first) = flying.first_entry().filter(|first| first.key().0 <= now) {
            let (to, datagram) = first.remove();
            let (side, mut answer) = (&mut sides[to], Vec::new());
            let data = datagram.as_slice().into();
            match side.endpoint.handle(now, side.peer, None, None, data, &mut answer) {
                Some(DatagramEvent::ConnectionEvent(_, event)) => {
                    side.connection.as_mut().unwrap().1.handle_event(event);
                }
                Some(DatagramEvent::NewConnection(incoming)) => {
                    side.connection = Some(side.endpoint.accept(incoming, now, &mut answer, None).unwrap());
                }
                _ => {}
            }
        }
    }
    windows
}

fn window_at(windows: &Windows, at: Duration) -> u64 {
    windows.iter().take_while(|(when, _)| *when <= at).last().unwrap().1
}

/// Our windows and those of quinn's own controller, which is others' code for the same RFC.
fn beside(
    name: &str,
    settings: &[(&str, Value<'_>)],
    theirs: Arc<dyn ControllerFactory + Send + Sync>,
) -> (Windows, Windows) {
    let watch = Watch::new();
    let setup =
        Setup::new(name, settings).unwrap().pacing(bentpipe_quic::Pacing::Library).watch(watch.clone());
    let lost = [150, 600, 601];
    let ours = transfer(Arc::new(setup.quinn().unwrap()), 2_000_000, &lost);
    let theirs = transfer(theirs, 2_000_000, &lost);
    let counters = watch.counters().unwrap();
    assert_eq!((counters.unknown, counters.episodes, counters.cuts), (0, 2, 2));
    (ours, theirs)
}

/// The largest difference in datagrams over a second.
fn difference(ours: &Windows, theirs: &Windows) -> f64 {
    let times = (100..=1_000).step_by(100).map(Duration::from_millis);
    let apart = times.map(|at| window_at(ours, at).abs_diff(window_at(theirs, at)));
    apart.max().unwrap() as f64 / DATAGRAM as f64
}

#[test]
fn reno_beside_that_of_quinn() {
    let (ours, theirs) = beside("reno", &[], Arc::new(NewRenoConfig::default()));
    let apart = difference(&ours, &theirs);
    assert!(apart <= 3.0, "{apart}");
}

/// quinn has no HyStart. It adds whole datagrams, as noq does, and the bound is that of noq.
#[test]
fn cubic_beside_that_of_quinn() {
    let classic = [("slow_start", Value::Text("classic"))];
    let (ours, theirs) = beside("cubic", &classic, Arc::new(CubicConfig::default()));
    let apart = difference(&ours, &theirs);
    assert!(apart < 6.5, "{apart}");
}

/// A controller that sets a rate runs, and reports the missing signals.
#[test]
fn bbr_runs_degraded() {
    let setup = Setup::new("bbr1", &[]).unwrap();
    assert_eq!(setup.degraded(Library::Quinn).unwrap().to_string(), "pacing, spurious-loss reports");
    transfer(Arc::new(setup.quinn().unwrap()), 1_000_000, &[]);
}
