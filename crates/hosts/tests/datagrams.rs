// SPDX-License-Identifier: MIT OR Apache-2.0
//! A protocol that sends packets of real bytes alongside TCP, over the same bottleneck.

use control::PathChange;
use engine::{Attachment, Cause, Endpoint, Engine, Forwarding, NO_LINK, NoObserver, Observer};
use hosts::{AnyBody, Buffer, BufferKind, Metered, Packet, TcpSink, TcpSource, Transport};
use link::{Config, Delay, Discipline, Ecn, Impairment, Link, LinkSpec, Queue, QueueLimit, Threshold};
use std::collections::{BTreeMap, VecDeque};
use units::{Bytes, Rate, Span, Time};

/// Size of a chunk, in bytes.
const CHUNK: usize = 1200;
/// Number of chunks in flight.
const WINDOW: usize = 20;
/// Time after which an unacknowledged chunk is sent again.
const PATIENCE: Span = Span::from_millis(300);
/// Size of the IP and UDP headers, in bytes.
const HEADER: usize = 28;

/// A sender that sends a file in numbered chunks. It repeats each chunk until the chunk is acknowledged.
#[derive(Clone, Debug)]
struct Chunks {
    file: Vec<u8>,
    start: Time,
    next: u32,
    again: VecDeque<u32>,
    /// Time at which the last copy of each unacknowledged chunk was sent.
    unacknowledged: BTreeMap<u32, Time>,
    repeated: u32,
    /// Number of packets that were marked and then lost.
    marked_and_lost: u64,
}

impl Chunks {
    fn new(file: Vec<u8>) -> Self {
        Self {
            file,
            start: Time::ZERO,
            next: 0,
            again: VecDeque::new(),
            unacknowledged: BTreeMap::new(),
            repeated: 0,
            marked_and_lost: 0,
        }
    }
    fn handle(&mut self, datagram: &[u8]) {
        let number = number(datagram);
        self.unacknowledged.remove(&number);
        self.again.retain(|&chunk| chunk != number);
    }
    fn handle_timeout(&mut self, now: Time) {
        self.start = Time::MAX;
        let late = |sent: Time| sent + PATIENCE <= now;
        let late: Vec<u32> =
            self.unacknowledged.iter().filter(|&(_, &sent)| late(sent)).map(|(&chunk, _)| chunk).collect();
        for chunk in late {
            self.unacknowledged.remove(&chunk);
            self.again.push_back(chunk);
            self.repeated += 1;
        }
    }
    fn poll_transmit(&mut self, now: Time) -> Option<Buffer> {
        if self.start != Time::MAX || self.unacknowledged.len() >= WINDOW {
            return None;
        }
        let chunk = self.again.pop_front().unwrap_or(self.next);
        let bytes = self.file.chunks(CHUNK).nth(chunk as usize)?;
        self.next = self.next.max(chunk + 1);
        self.unacknowledged.insert(chunk, now);
        let bytes = [&chunk.to_le_bytes(), bytes].concat();
        let kind = BufferKind::Data;
        Some(Buffer { bytes: bytes.into(), sent_at: now, number: chunk, ecn: Ecn::Ect0, kind, to: None })
    }
    fn next_timeout(&self) -> Time {
        let first = self.unacknowledged.values().min();
        first.map_or(Time::MAX, |&sent| sent + PATIENCE).min(self.start)
    }
}

/// A receiver that assembles the file and acknowledges each chunk.
#[derive(Clone, Debug, Default)]
struct Assembly {
    chunks: BTreeMap<u32, Vec<u8>>,
    acknowledge: Option<u32>,
    /// Number of packets that arrived with a mark.
    marked: u64,
}

impl Assembly {
    fn handle(&mut self, mut datagram: Buffer) {
        let number = number(&datagram.bytes);
        self.acknowledge = Some(number);
        self.chunks.insert(number, datagram.bytes[4..].to_vec());
        self.marked += u64::from(datagram.ecn == Ecn::Ce);
        // The bytes now belong to this end. No other copy changes when this end overwrites them.
        datagram.bytes.fill(0);
    }
    fn poll_transmit(&mut self) -> Option<Buffer> {
        let number = self.acknowledge.take()?;
        let (bytes, sent_at) = (number.to_le_bytes().into(), Time::ZERO);
        Some(Buffer { bytes, sent_at, number, ecn: Ecn::NotEct, kind: BufferKind::Data, to: None })
    }
}

fn number(datagram: &[u8]) -> u32 {
    u32::from_le_bytes([datagram[0], datagram[1], datagram[2], datagram[3]])
}

/// Either end of either protocol.
#[expect(clippy::large_enum_variant, reason = "there are four of them")]
#[derive(Clone)]
enum Host {
    TcpSource(TcpSource),
    TcpSink(TcpSink),
    Chunks(Chunks),
    Assembly(Assembly),
}

fn buffer(body: AnyBody) -> Buffer {
    let AnyBody::Buffer(buffer) = body else { panic!("a segment came to the protocol of datagrams") };
    buffer
}

impl Endpoint for Host {
    type Body = AnyBody;
    fn handle(&mut self, now: Time, packet: Packet) {
        match self {
            Self::TcpSource(tcp) => tcp.handle(now, packet),
            Self::TcpSink(tcp) => tcp.handle(now, packet),
            Self::Chunks(chunks) => chunks.handle(&buffer(packet.body).bytes),
            Self::Assembly(assembly) => assembly.handle(buffer(packet.body)),
        }
    }
    fn handle_timeout(&mut self, now: Time) {
        match self {
            Self::TcpSource(tcp) => tcp.handle_timeout(now),
            Self::TcpSink(tcp) => tcp.handle_timeout(now),
            Self::Chunks(chunks) => chunks.handle_timeout(now),
            Self::Assembly(_) => {}
        }
    }
    fn poll_transmit(&mut self, now: Time) -> Option<(AnyBody, u16)> {
        let buffer = match self {
            Self::TcpSource(tcp) => return tcp.poll_transmit(now),
            Self::TcpSink(tcp) => return tcp.poll_transmit(now),
            Self::Chunks(chunks) => chunks.poll_transmit(now)?,
            Self::Assembly(assembly) => assembly.poll_transmit()?,
        };
        let size = (buffer.bytes.len() + HEADER) as u16;
        Some((AnyBody::Buffer(buffer), size))
    }
    fn next_timeout(&self) -> Time {
        match self {
            Self::TcpSource(tcp) => tcp.next_timeout(),
            Self::TcpSink(tcp) => tcp.next_timeout(),
            Self::Chunks(chunks) => chunks.next_timeout(),
            Self::Assembly(_) => Time::MAX,
        }
    }
    fn path_changed(&mut self, _change: &PathChange) {}
    fn dropped(&mut self, now: Time, packet: Packet, cause: Cause) {
        match self {
            Self::TcpSource(tcp) => tcp.dropped(now, packet, cause),
            Self::TcpSink(tcp) => tcp.dropped(now, packet, cause),
            Self::Chunks(chunks) => {
                chunks.marked_and_lost += u64::from(buffer(packet.body).ecn == Ecn::Ce);
            }
            Self::Assembly(_) => {}
        }
    }
}

/// All packets that arrived at the end of any link: time, sending endpoint, wait and size.
#[derive(Clone, Debug, Default, PartialEq)]
struct Arrivals(Vec<(Time, u32, u64, u16)>);

impl<B> Observer<B> for Arrivals {
    fn delivered(&mut self, now: Time, _: u32, packet: &engine::Packet<B>, size: u16) {
        self.0.push((now, packet.from, packet.queued_ns, size));
    }
}

/// Returns a TCP connection with Reno that sends this number of bytes.
fn tcp(bytes: u64) -> (TcpSource, TcpSink) {
    let config = tcp::Config::default();
    let reno = control::catalogue::build("reno", &[]).unwrap_or_else(|error| panic!("{error}"));
    let sender = tcp::Sender::new(config.clone(), reno, tcp::Transfer::Finite(Bytes::new(bytes)), None);
    let source = TcpSource::new(sender, &config, Time::ZERO, None, false);
    (source, TcpSink::new(tcp::Receiver::new(&config), &config))
}

/// Creates a bottleneck of 10 Mbit/s and 20 ms, and a link in the other direction. The bottleneck marks packets if more
/// than five wait, and loses one of a hundred packets.
fn bottleneck<O: Observer<AnyBody>>(endpoints: Vec<Host>, observer: O) -> Engine<Host, O> {
    let discipline = Discipline::Threshold(Threshold { above: QueueLimit::Packets(5) });
    let config = |loss| Config {
        spec: LinkSpec {
            rate: Some(Rate::from_bits_per_s(10_000_000)),
            queue: Queue { limit: QueueLimit::Packets(15), discipline },
            loss,
            ..LinkSpec::IDEAL
        },
        delay: Delay::Constant(Span::from_millis(20)),
        course: None,
    };
    let links = vec![
        (Link::new(&config(Impairment::PacketErrorRate(0.01)), 3), 1),
        (Link::new(&config(Impairment::None), 4), 0),
    ];
    let mut forwarding = Forwarding::new(2, 2);
    forwarding.set(0, 1, Some(0));
    forwarding.set(1, 0, Some(1));
    let attachments = (0..endpoints.len() as u32).map(|at| Attachment {
        peer: at ^ 1,
        site: at as u16 % 2,
        up: NO_LINK,
        down: NO_LINK,
    });
    let attachments = attachments.collect();
    Engine::new(links, forwarding, vec![0, 1], endpoints, attachments, observer)
}

/// Returns pseudo-random bytes.
fn file(length: usize) -> Vec<u8> {
    (0..length as u64).map(|at| random::stream_seed(at, "file") as u8).collect()
}

const FILE: usize = 1_000_007;
const TRANSFER: u64 = 2_000_000;

/// Returns an engine in which both protocols run at the same time.
fn side_by_side() -> Engine<Host, Arrivals> {
    let (source, sink) = tcp(TRANSFER);
    let endpoints = vec![
        Host::TcpSource(source),
        Host::TcpSink(sink),
        Host::Chunks(Chunks::new(file(FILE))),
        Host::Assembly(Assembly::default()),
    ];
    bottleneck(endpoints, Arrivals::default())
}

/// Runs the engine until no events are left.
fn finish(engine: &mut Engine<Host, Arrivals>) {
    while let Some(next) = engine.next_event() {
        engine.advance(next + Span::from_nanos(1));
        assert!(engine.check_conservation().is_ok());
    }
}

/// Returns the four endpoints.
fn hosts(engine: &Engine<Host, Arrivals>) -> (&TcpSource, &TcpSink, &Chunks, &Assembly) {
    let [Host::TcpSource(source), Host::TcpSink(sink), Host::Chunks(chunks), Host::Assembly(assembly)] =
        engine.endpoints()
    else {
        panic!("four hosts")
    };
    (source, sink, chunks, assembly)
}

#[test]
fn real_bytes_fly_beside_tcp() {
    let mut engine = side_by_side();
    finish(&mut engine);
    let (source, sink, chunks, assembly) = hosts(&engine);
    // The TCP transfer is complete.
    assert_eq!(sink.received().delivered, Bytes::new(TRANSFER));
    assert!(source.transport().and_then(Transport::completed_at).is_some());
    // The file is also complete, although the queue and errors on the link have lost chunks.
    let got: Vec<u8> = assembly.chunks.values().flatten().copied().collect();
    assert!(got == file(FILE), "{} of {FILE} bytes arrived", got.len());
    let ledger = *engine.ledger();
    let lost_by_tcp: u64 = source.totals().dropped.iter().sum();
    assert!(lost_by_tcp > 0 && chunks.repeated > 0);
    assert!(ledger.dropped[Cause::Queue as usize] > 0 && ledger.dropped[Cause::Error as usize] > 0);
    // Every packet that the bottleneck marked has arrived at the other end, or was lost.
    assert!(assembly.marked > 0);
    assert_eq!(engine.link(0).counters().marked, assembly.marked + chunks.marked_and_lost);
    // No packets are in flight any more.
    assert_eq!(ledger.created, ledger.delivered + ledger.dropped.iter().sum::<u64>());
    assert_eq!(engine.packets(), 0);
    // Both protocols shared the link: each had at least a fifth of the packets while both were sending.
    let arrivals = engine.into_observer().0;
    let last = |from| arrivals.iter().rposition(|arrival| arrival.1 == from).unwrap_or(0);
    let both = &arrivals[..last(0).min(last(2))];
    let share = |from| both.iter().filter(|arrival| arrival.1 == from).count() * 5 / 2;
    let data = both.iter().filter(|arrival| arrival.1 % 2 == 0).count();
    assert!(share(0) >= data / 2 && share(2) >= data / 2, "{} and {} of {data}", share(0), share(2));
}

#[test]
fn two_runs_are_the_same() {
    let mut runs = [side_by_side(), side_by_side()];
    runs.iter_mut().for_each(finish);
    assert_eq!(runs[0].ledger(), runs[1].ledger());
    assert_eq!(runs[0].observer(), runs[1].observer());
}

/// A copy of the engine that is made while packets are in flight continues independently to the same end. The original
/// keeps its own bytes.
#[test]
fn a_copy_has_bytes_of_its_own() {
    let mut engine = side_by_side();
    engine.advance(Time::ZERO + Span::from_millis(500));
    assert!(engine.packets() > 0);
    let mut copy = engine.clone();
    finish(&mut copy);
    let (ledger, observer) = (*copy.ledger(), copy.observer().clone());
    assert!(hosts(&copy).3.chunks.values().flatten().eq(&file(FILE)));
    drop(copy);
    finish(&mut engine);
    assert!(hosts(&engine).3.chunks.values().flatten().eq(&file(FILE)));
    assert_eq!((engine.ledger(), engine.observer()), (&ledger, &observer));
}

/// If an endpoint gets data from outside the simulator, it sends immediately.
#[test]
fn a_host_that_is_woken_sends_at_once() {
    let ends = vec![Host::Assembly(Assembly::default()), Host::Assembly(Assembly::default())];
    let mut engine = bottleneck(ends, NoObserver);
    assert_eq!(engine.next_event(), None);
    let now = Time::ZERO + Span::from_millis(7);
    engine.advance(now);
    let Host::Assembly(outside) = &mut engine.endpoints_mut()[0] else { panic!() };
    outside.acknowledge = Some(42);
    assert_eq!((engine.next_event(), engine.ledger().created), (None, 0));
    engine.wake(0);
    // At 10 Mbit/s, 32 bytes take 25.6 us. The delay to the other side is 20 ms.
    assert_eq!(engine.next_event(), Some(now + Span::from_micros(20_025) + Span::from_nanos(600)));
    assert_eq!((engine.ledger().created, engine.packets()), (1, 1));
}
