// SPDX-License-Identifier: MIT OR Apache-2.0
//! QUIC in the simulator beside the bare library: datagrams of the sender per second of CPU time. The bare loop has two endpoints of
//! noq-proto, a link with a rate and a drop-tail queue, and nothing else. Both have noq's CUBIC and real keys; the
//! simulator also records its tables. `cargo bench -p bentpipe-benches --bench quic` prints medians of five runs each,
//! made in turn, and the ratio.

use bytes::{Bytes, BytesMut};
use noq_proto::congestion::CubicConfig;
use noq_proto::rustls::RootCertStore;
use noq_proto::rustls::pki_types::PrivatePkcs8KeyDer;
use noq_proto::{
    ClientConfig, Connection, ConnectionHandle, DatagramEvent, Dir, EcnCodepoint, Endpoint, EndpointConfig,
    FourTuple, ServerConfig, StreamId, TransportConfig, VarInt,
};
use rustix::time::ClockId;
use scenario::Scenario;
use sim::Options;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Bytes of each stream: fewer packets than the library's limit of gaps.
const STREAM: u64 = 1_000_000;
/// Runs of each kind.
const RUNS: usize = 5;

/// A path: rate in Mbit/s, round trip, duration.
struct Path {
    mbit_s: u64,
    rtt: Duration,
    lasts: Duration,
}

impl Path {
    fn name(&self) -> String {
        format!("{} Mbit/s, {} ms, {} s", self.mbit_s, self.rtt.as_millis(), self.lasts.as_secs())
    }
}

/// A datagram under way: arrival, number (for ties), destination, content, codepoint.
struct Flying(Reverse<(Instant, u64)>, usize, Vec<u8>, Option<EcnCodepoint>);

impl PartialEq for Flying {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl Eq for Flying {}
impl PartialOrd for Flying {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Flying {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}

struct Node {
    endpoint: Endpoint,
    connection: Option<(ConnectionHandle, Connection)>,
    peer: SocketAddr,
}

impl Node {
    fn handle(&mut self, now: Instant, bytes: &[u8], ecn: Option<EcnCodepoint>) {
        let mut scratch = Vec::new();
        let path = FourTuple::from_remote(self.peer);
        match self.endpoint.handle(now, path, ecn, BytesMut::from(bytes), &mut scratch) {
            Some(DatagramEvent::ConnectionEvent(_, event)) => {
                if let Some((_, connection)) = &mut self.connection {
                    connection.handle_event(event);
                }
            }
            Some(DatagramEvent::NewConnection(incoming)) => {
                self.connection = self.endpoint.accept(incoming, now, &mut scratch, None).ok();
            }
            Some(DatagramEvent::Response(_)) | None => {}
        }
    }

    fn settle(&mut self) {
        let Some((handle, connection)) = &mut self.connection else { return };
        while let Some(event) = connection.poll_endpoint_events() {
            if let Some(event) = self.endpoint.handle_event(*handle, event) {
                connection.handle_event(event);
            }
        }
    }
}

fn transport() -> Arc<TransportConfig> {
    let mut config = TransportConfig::default();
    config
        .congestion_controller_factory(Arc::new(CubicConfig::default()))
        .stream_receive_window(VarInt::MAX)
        .send_window(u64::MAX / 4)
        .send_fairness(false)
        .max_concurrent_uni_streams(VarInt::from_u32(1024));
    Arc::new(config)
}

/// Two endpoints, and the client's connection.
fn nodes(now: Instant) -> Option<[Node; 2]> {
    let made = rcgen::generate_simple_self_signed(["server".to_owned()]).ok()?;
    let (certificate, key) =
        (made.cert.der().clone(), PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()));
    let mut server = ServerConfig::with_single_cert(vec![certificate.clone()], key.into()).ok()?;
    server.transport_config(transport());
    let mut roots = RootCertStore::empty();
    roots.add(certificate).ok()?;
    let mut client = ClientConfig::with_root_certificates(Arc::new(roots)).ok()?;
    client.transport_config(transport());
    let [one, other] = [([192, 0, 2, 1], 50_000).into(), ([192, 0, 2, 2], 443).into()];
    let settings = Arc::new(EndpointConfig::default());
    let mut endpoint = Endpoint::new(settings.clone(), None, true);
    let opened = endpoint.connect(now, client, other, "server").ok()?;
    let first = Node { endpoint, connection: Some(opened), peer: other };
    let second =
        Node { endpoint: Endpoint::new(settings, Some(Arc::new(server)), true), connection: None, peer: one };
    Some([first, second])
}

/// Writes until the library takes no more.
fn write(connection: &mut Connection, stream: &mut Option<(StreamId, u64)>) {
    static CONTENT: [u8; 65_536] = [7; 65_536];
    // As in the simulator, the library stores little more than the window.
    let window = connection
        .congestion_state(noq_proto::PathId::ZERO)
        .map_or(0, noq_proto::congestion::Controller::window);
    connection.set_send_window((4 * window).max(1 << 20));
    loop {
        let (id, left) = match *stream {
            Some(open) => open,
            None => match connection.streams().open(Dir::Uni) {
                Some(id) => (id, STREAM),
                None => return,
            },
        };
        *stream = Some((id, left));
        let mut chunk = [Bytes::from_static(&CONTENT[..left.min(65_536) as usize])];
        let Ok(taken) = connection.send_stream(id).write_chunks(&mut &mut chunk[..]) else { return };
        *stream = Some((id, left - taken as u64));
        if left == taken as u64 {
            let _ = connection.send_stream(id).finish();
            *stream = None;
        }
    }
}

/// Reads everything in order.
fn read(connection: &mut Connection, open: &mut Vec<StreamId>) {
    while connection.poll().is_some() {}
    while let Some(id) = connection.streams().accept(Dir::Uni) {
        open.push(id);
    }
    open.retain(|&id| {
        let mut stream = connection.recv_stream(id);
        let Ok(mut chunks) = stream.read(true) else { return false };
        let is_open = loop {
            match chunks.next(usize::MAX) {
                Ok(Some(_)) => {}
                Ok(None) => break false,
                Err(_) => break true,
            }
        };
        let _ = chunks.finalize();
        is_open
    });
}

/// The number of datagrams that the sender sends in the bare loop.
fn bare(path: &Path) -> Option<u64> {
    let start = Instant::now() + Duration::from_secs(1_000_000);
    let (mut now, end) = (start, start + path.lasts);
    let mut nodes = nodes(now)?;
    let limit = path.rtt.mul_f64(1.0);
    let mut free = [now; 2];
    let mut flying = BinaryHeap::new();
    let (mut stream, mut open, mut scratch) = (None, Vec::new(), Vec::new());
    let (mut sent, mut number) = (0, 0);
    while now < end {
        for at in 0..2 {
            if let Some((_, connection)) = &mut nodes[at].connection {
                if at == 0 {
                    while connection.poll().is_some() {}
                    write(connection, &mut stream);
                } else {
                    read(connection, &mut open);
                }
                scratch.clear();
                while let Some(datagram) = connection.poll_transmit(now, NonZeroUsize::MIN, &mut scratch) {
                    sent += u64::from(at == 0);
                    number += 1;
                    let bits = 8 * (datagram.size as u64 + 28);
                    let begins = free[at].max(now);
                    if begins - now <= limit {
                        free[at] = begins + Duration::from_nanos(bits * 1000 / path.mbit_s);
                        flying.push(Flying(
                            Reverse((free[at] + path.rtt / 2, number)),
                            1 - at,
                            scratch.clone(),
                            datagram.ecn,
                        ));
                    }
                    scratch.clear();
                }
            }
            nodes[at].settle();
        }
        let arrival = flying.peek().map(|one: &Flying| one.0.0.0);
        let timers =
            nodes.each_ref().map(|node| node.connection.as_ref().and_then(|(_, one)| one.poll_timeout()));
        let next = timers.into_iter().flatten().chain(arrival).min()?;
        now = now.max(next);
        while flying.peek().is_some_and(|one| one.0.0.0 <= now)
            && let Some(Flying(_, to, bytes, ecn)) = flying.pop()
        {
            nodes[to].handle(now, &bytes, ecn);
        }
        for node in &mut nodes {
            if let Some((_, connection)) = &mut node.connection
                && connection.poll_timeout().is_some_and(|at| at <= now)
            {
                connection.handle_timeout(now);
            }
        }
    }
    Some(sent)
}

/// The number of datagrams that the sender sends in the simulator.
fn simulated(path: &Path) -> Option<u64> {
    let text = format!(
        "duration = \"{} s\"\nnetwork.dumbbell = {{ rate = \"{} Mbit/s\", rtt = \"{} ms\", queue = \"1 BDP\" }}\n\
         [[flows]]\ntransport = \"quic\"\ncontroller = \"cubic\"\nquic = {{ controllers = \"library\" }}\n",
        path.lasts.as_secs(),
        path.mbit_s,
        path.rtt.as_millis()
    );
    let scenario = Scenario::from_toml(&text, "quic.toml").ok()?;
    let outcome = sim::run(&scenario, &Options::of(&scenario)).ok()?;
    Some(outcome.summary.totals.sent_packets)
}

/// CPU time of this thread.
fn cpu() -> Duration {
    let time = rustix::time::clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn speed(path: &Path, run: fn(&Path) -> Option<u64>) -> f64 {
    let before = cpu();
    let datagrams = run(path).unwrap_or_default();
    datagrams as f64 / cpu().saturating_sub(before).as_secs_f64()
}

#[expect(clippy::print_stdout, reason = "it is the result")]
fn main() {
    let paths = [
        Path { mbit_s: 100, rtt: Duration::from_millis(50), lasts: Duration::from_secs(30) },
        Path { mbit_s: 20, rtt: Duration::from_millis(600), lasts: Duration::from_secs(60) },
    ];
    println!("| datagrams per CPU second | bare noq | simulator | ratio |\n|---|---:|---:|---:|");
    for path in &paths {
        let (mut bare, mut simulated): (Vec<_>, Vec<_>) =
            (0..RUNS).map(|_| (speed(path, bare), speed(path, simulated))).unzip();
        let [bare, simulated] = [&mut bare, &mut simulated].map(|some| {
            some.sort_by(f64::total_cmp);
            some[RUNS / 2]
        });
        println!("| {} | {bare:.0} | {simulated:.0} | {:.2} |", path.name(), simulated / bare);
    }
}
