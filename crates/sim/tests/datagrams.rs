// SPDX-License-Identifier: MIT OR Apache-2.0
//! A protocol of its own beside TCP in one run: real bytes, in buffers of its own, over the bottleneck that both share.
//!
//! What flies is an enum over both bodies, as large as TCP's alone: a datagram is the number of its buffer.

use control::PathChange;
use engine::{
    Attachment, Blind, Body, Cause, Endpoint, Engine, Forwarding, Ledger, NO_LINK, Observer, Packet,
};
use hosts::SegmentBody;
use hosts::{AnyEndpoint, Metered, TcpSink, TcpSource, Transport};
use link::{Config, Delay, Impairment, Link, LinkSpec, QueueLimit};
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use units::{Bytes, Rate, Span, Time};

/// What flies.
#[derive(Clone, Copy, Debug)]
enum Flying {
    Segment(SegmentBody),
    /// A datagram in its buffer.
    Datagram(u32),
}

const _: () = assert!(size_of::<Packet<Flying>>() == 64 && size_of::<Option<Packet<Flying>>>() == 64);

impl Body for Flying {
    fn warn(&mut self) {
        if let Self::Segment(segment) = self {
            segment.warn();
        }
    }
    fn is_low_priority(&self) -> bool {
        matches!(self, Self::Segment(segment) if segment.is_low_priority())
    }
}

/// The bytes of datagrams under way.
#[derive(Clone, Debug, Default)]
struct Pool(Rc<RefCell<Buffers>>);

#[derive(Debug, Default)]
struct Buffers {
    all: Vec<Vec<u8>>,
    free: Vec<u32>,
}

impl Pool {
    fn put(&self, bytes: Vec<u8>) -> u32 {
        let Buffers { all, free } = &mut *self.0.borrow_mut();
        let number = free.pop().unwrap_or_else(|| {
            all.push(Vec::new());
            all.len() as u32 - 1
        });
        all[number as usize] = bytes;
        number
    }
    fn take(&self, number: u32) -> Vec<u8> {
        let Buffers { all, free } = &mut *self.0.borrow_mut();
        free.push(number);
        std::mem::take(&mut all[number as usize])
    }
    fn in_use(&self) -> usize {
        let Buffers { all, free } = &*self.0.borrow();
        all.len() - free.len()
    }
}

/// Bytes of a chunk.
const CHUNK: usize = 1200;
/// Chunks in flight.
const WINDOW: usize = 20;
/// A chunk that is not acknowledged after so long is sent again.
const PATIENCE: Span = Span::from_millis(300);
/// IP and UDP.
const HEADER: usize = 28;

/// Sends a file in numbered chunks, and again until each is acknowledged.
struct Chunks {
    pool: Pool,
    file: Vec<u8>,
    start: Time,
    next: u32,
    again: VecDeque<u32>,
    /// When the last copy of each was sent.
    unacknowledged: BTreeMap<u32, Time>,
    repeated: u32,
}

impl Chunks {
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
    fn poll_transmit(&mut self, now: Time) -> Option<Vec<u8>> {
        if self.start != Time::MAX || self.unacknowledged.len() >= WINDOW {
            return None;
        }
        let chunk = self.again.pop_front().unwrap_or(self.next);
        let bytes = self.file.chunks(CHUNK).nth(chunk as usize)?;
        self.next = self.next.max(chunk + 1);
        self.unacknowledged.insert(chunk, now);
        Some([&chunk.to_le_bytes(), bytes].concat())
    }
    fn next_timeout(&self) -> Time {
        let first = self.unacknowledged.values().min();
        first.map_or(Time::MAX, |&sent| sent + PATIENCE).min(self.start)
    }
}

/// Puts the file together and acknowledges each chunk.
#[derive(Default)]
struct Assembly {
    chunks: BTreeMap<u32, Vec<u8>>,
    acknowledge: Option<u32>,
}

fn number(datagram: &[u8]) -> u32 {
    u32::from_le_bytes([datagram[0], datagram[1], datagram[2], datagram[3]])
}

/// Either end of either protocol.
#[expect(clippy::large_enum_variant, reason = "there are four of them")]
enum Host {
    TcpSource(TcpSource),
    TcpSink(TcpSink),
    Chunks(Chunks),
    Assembly(Pool, Assembly),
}

fn segment(body: Flying) -> SegmentBody {
    let Flying::Segment(segment) = body else { panic!("a datagram came to TCP") };
    segment
}

fn datagram(body: Flying) -> u32 {
    let Flying::Datagram(buffer) = body else { panic!("a segment came to the datagram protocol") };
    buffer
}

impl Endpoint for Host {
    type Body = Flying;
    fn handle(&mut self, now: Time, packet: Packet<Flying>) {
        match self {
            Self::TcpSource(tcp) => tcp.handle(now, packet.map(segment)),
            Self::TcpSink(tcp) => tcp.handle(now, packet.map(segment)),
            Self::Chunks(chunks) => {
                let bytes = chunks.pool.take(datagram(packet.body));
                chunks.handle(&bytes);
            }
            Self::Assembly(pool, assembly) => {
                let bytes = pool.take(datagram(packet.body));
                assembly.acknowledge = Some(number(&bytes));
                assembly.chunks.insert(number(&bytes), bytes[4..].to_vec());
            }
        }
    }
    fn handle_timeout(&mut self, now: Time) {
        match self {
            Self::TcpSource(tcp) => tcp.handle_timeout(now),
            Self::TcpSink(tcp) => tcp.handle_timeout(now),
            Self::Chunks(chunks) => chunks.handle_timeout(now),
            Self::Assembly(..) => {}
        }
    }
    fn poll_transmit(&mut self, now: Time) -> Option<(Flying, u16)> {
        let (pool, bytes) = match self {
            Self::TcpSource(tcp) => {
                return tcp.poll_transmit(now).map(|(segment, size)| (Flying::Segment(segment), size));
            }
            Self::TcpSink(tcp) => {
                return tcp.poll_transmit(now).map(|(segment, size)| (Flying::Segment(segment), size));
            }
            Self::Chunks(chunks) => {
                let bytes = chunks.poll_transmit(now)?;
                (&chunks.pool, bytes)
            }
            Self::Assembly(pool, assembly) => (&*pool, assembly.acknowledge.take()?.to_le_bytes().to_vec()),
        };
        let size = (bytes.len() + HEADER) as u16;
        Some((Flying::Datagram(pool.put(bytes)), size))
    }
    fn next_timeout(&self) -> Time {
        match self {
            Self::TcpSource(tcp) => tcp.next_timeout(),
            Self::TcpSink(tcp) => tcp.next_timeout(),
            Self::Chunks(chunks) => chunks.next_timeout(),
            Self::Assembly(..) => Time::MAX,
        }
    }
    fn path_changed(&mut self, _change: &PathChange) {}
    fn dropped(&mut self, now: Time, packet: Packet<Flying>, cause: Cause) {
        match self {
            Self::TcpSource(tcp) => tcp.dropped(now, packet.map(segment), cause),
            Self::TcpSink(tcp) => tcp.dropped(now, packet.map(segment), cause),
            // The protocol cannot know, but the bytes are its again.
            Self::Chunks(Chunks { pool, .. }) | Self::Assembly(pool, _) => {
                pool.take(datagram(packet.body));
            }
        }
    }
}

/// Every packet that arrived anywhere: when, of which endpoint, after which wait, how large.
#[derive(Debug, Default)]
struct Arrivals(Vec<(Time, u32, u64, u16)>);

impl<B> Observer<B> for Arrivals {
    fn delivered(&mut self, now: Time, _: u32, packet: &Packet<B>, size: u16) {
        self.0.push((now, packet.from, packet.queued_ns, size));
    }
}

/// TCP with Reno, which sends so many bytes.
fn tcp(bytes: u64) -> (TcpSource, TcpSink) {
    let config = tcp::Config::default();
    let reno = control::catalogue::build("reno", &[]).unwrap_or_else(|error| panic!("{error}"));
    let sender = tcp::Sender::new(config.clone(), reno, tcp::Transfer::Finite(Bytes::new(bytes)), None);
    let source = TcpSource::new(sender, &config, Time::ZERO, None, false);
    (source, TcpSink::new(tcp::Receiver::new(&config), &config))
}

/// One bottleneck of 10 Mbit/s and 20 ms that loses one packet of a hundred, and the way back.
fn bottleneck<E: Endpoint, O: Observer<E::Body>>(endpoints: Vec<E>, observer: O) -> Engine<E, O> {
    let config = |loss| Config {
        spec: LinkSpec {
            rate: Some(Rate::from_bits_per_s(10_000_000)),
            queue: QueueLimit::Packets(15).into(),
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

/// Bytes without a pattern.
fn file(length: usize) -> Vec<u8> {
    (0..length as u64).map(|at| random::stream_seed(at, "file") as u8).collect()
}

const FILE: usize = 1_000_007;
const TRANSFER: u64 = 2_000_000;

/// Both protocols side by side, until nothing is left to happen.
fn side_by_side() -> (Engine<Host, Arrivals>, Pool) {
    let pool = Pool::default();
    let chunks = Chunks {
        pool: pool.clone(),
        file: file(FILE),
        start: Time::ZERO,
        next: 0,
        again: VecDeque::new(),
        unacknowledged: BTreeMap::new(),
        repeated: 0,
    };
    let (source, sink) = tcp(TRANSFER);
    let endpoints = vec![
        Host::TcpSource(source),
        Host::TcpSink(sink),
        Host::Chunks(chunks),
        Host::Assembly(pool.clone(), Assembly::default()),
    ];
    let mut engine = bottleneck(endpoints, Arrivals::default());
    while let Some(next) = engine.next_event() {
        engine.advance(next + Span::from_nanos(1));
        assert!(engine.check_conservation().is_ok());
    }
    (engine, pool)
}

#[test]
fn real_bytes_fly_beside_tcp() {
    let (engine, pool) = side_by_side();
    let [Host::TcpSource(source), Host::TcpSink(sink), Host::Chunks(chunks), Host::Assembly(_, assembly)] =
        engine.endpoints()
    else {
        panic!("four hosts")
    };
    // TCP is done.
    assert_eq!(sink.received().delivered, Bytes::new(TRANSFER));
    assert!(source.transport().and_then(Transport::completed_at).is_some());
    // So is the file, though chunks were lost to the queue and to errors on the way.
    let got: Vec<u8> = assembly.chunks.values().flatten().copied().collect();
    assert!(got == file(FILE), "{} of {FILE} bytes arrived", got.len());
    let ledger = *engine.ledger();
    let lost_by_tcp: u64 = source.totals().dropped.iter().sum();
    assert!(lost_by_tcp > 0 && chunks.repeated > 0);
    assert!(ledger.dropped[Cause::Queue as usize] > 0 && ledger.dropped[Cause::Error as usize] > 0);
    // Nothing is on the way any more, no buffer in use.
    assert_eq!(ledger.created, ledger.delivered + ledger.dropped.iter().sum::<u64>());
    assert_eq!(pool.in_use(), 0);
    // They took turns: each had at least a fifth of the packets while both were at it.
    let arrivals = engine.into_observer().0;
    let last = |from| arrivals.iter().rposition(|arrival| arrival.1 == from).unwrap_or(0);
    let both = &arrivals[..last(0).min(last(2))];
    let share = |from| both.iter().filter(|arrival| arrival.1 == from).count() * 5 / 2;
    let data = both.iter().filter(|arrival| arrival.1 % 2 == 0).count();
    assert!(share(0) >= data / 2 && share(2) >= data / 2, "{} and {} of {data}", share(0), share(2));
}

#[test]
fn two_runs_are_the_same() {
    let [(first, _), (second, _)] = [side_by_side(), side_by_side()];
    assert_eq!(first.ledger(), second.ledger());
    assert_eq!(first.into_observer().0, second.into_observer().0);
}

/// Alone, TCP sends what it sends where nothing but segments fly.
#[test]
fn tcp_does_not_see_in_whose_company_it_is() {
    fn whole<E: Endpoint>(endpoints: Vec<E>) -> (Ledger, Vec<(Time, u32, u64, u16)>) {
        let mut engine = bottleneck(endpoints, Arrivals::default());
        engine.advance(Time::ZERO + Span::from_secs(60));
        (*engine.ledger(), engine.into_observer().0)
    }
    let (source, sink) = tcp(TRANSFER);
    let mixed = whole(vec![Host::TcpSource(source), Host::TcpSink(sink)]);
    let (source, sink) = tcp(TRANSFER);
    let plain = whole(vec![AnyEndpoint::TcpSource(source), AnyEndpoint::TcpSink(sink)]);
    assert!(mixed.0.dropped[Cause::Error as usize] > 0 && mixed == plain);
}

/// What comes from outside waits for nobody.
#[test]
fn a_host_that_is_woken_sends_at_once() {
    let pool = Pool::default();
    let ends = vec![
        Host::Assembly(pool.clone(), Assembly::default()),
        Host::Assembly(pool.clone(), Assembly::default()),
    ];
    let mut engine = bottleneck(ends, Blind);
    assert_eq!(engine.next_event(), None);
    let now = Time::ZERO + Span::from_millis(7);
    engine.advance(now);
    let Host::Assembly(_, outside) = &mut engine.endpoints_mut()[0] else { panic!() };
    outside.acknowledge = Some(42);
    assert_eq!((engine.next_event(), engine.ledger().created), (None, 0));
    engine.wake(0);
    // 32 bytes at 10 Mbit/s take 25.6 us, and 20 ms to the other side.
    assert_eq!(engine.next_event(), Some(now + Span::from_micros(20_025) + Span::from_nanos(600)));
    assert_eq!((engine.ledger().created, pool.in_use()), (1, 1));
}
