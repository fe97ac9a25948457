// SPDX-License-Identifier: MIT OR Apache-2.0
//! The engine alone: packet-hops per second with the cheapest possible endpoints (a fixed window of packets, each
//! answered by one packet). `benches/run.py` runs complete scenarios, which include the cost of TCP.

use control::PathChange;
use divan::Bencher;
use divan::counter::ItemsCount;
use engine::{Attachment, Cause, Endpoint, Engine, Forwarding, NoObserver, TO_ENDPOINT};
use hosts::{AnyBody, Datagram, Packet};
use link::{Config, Delay, Link, LinkSpec, QueueLimit};
use units::{Rate, Span, Time};

fn main() {
    divan::main();
}

/// Keeps `credit` packets in flight (sender), or answers each packet with one (receiver: credit 0 at the start).
#[derive(Debug)]
struct Pump {
    credit: u32,
    size: u16,
    start: Time,
}

impl Endpoint for Pump {
    type Body = AnyBody;
    fn handle(&mut self, _now: Time, _packet: Packet) {
        self.credit += 1;
    }
    fn handle_timeout(&mut self, _now: Time) {
        self.start = Time::MAX;
    }
    fn poll_transmit(&mut self, now: Time) -> Option<(AnyBody, u16)> {
        self.credit = self.credit.checked_sub(1)?;
        let (number, len) = (self.credit, self.size);
        Some((AnyBody::Datagram(Datagram { sent_at: now, number, len, is_reply: false }), len))
    }
    fn next_timeout(&self) -> Time {
        self.start
    }
    fn path_changed(&mut self, _change: &PathChange) {}
    fn dropped(&mut self, _now: Time, _packet: Packet, _cause: Cause) {}
}

/// `hops` links in a row between two routers at the ends, `flows` flows with access links of their own.
fn row(hops: u32, flows: u32, window: u32) -> Engine<Pump, NoObserver> {
    let config = |mbit_per_s: u64, delay: Span| Config {
        spec: LinkSpec {
            rate: Some(Rate::from_bits_per_s(mbit_per_s * 1_000_000)),
            queue: QueueLimit::Unlimited.into(),
            ..LinkSpec::IDEAL
        },
        delay: Delay::Constant(delay),
        course: None,
    };
    let mut links = Vec::new();
    let mut forwarding = Forwarding::new(hops as usize + 1, 2);
    for hop in 0..hops {
        let trunk = config(1000, Span::from_millis(10));
        forwarding.set(hop, 1, Some(links.len() as u32));
        links.push((Link::new(&trunk, 0), hop + 1));
        forwarding.set(hop + 1, 0, Some(links.len() as u32));
        links.push((Link::new(&trunk, 0), hop));
    }
    let (mut endpoints, mut attachments) = (Vec::new(), Vec::new());
    for flow in 0..flows {
        let access = config(1000, Span::from_millis(1));
        for (site, node) in [(0, 0), (1, hops)] {
            let up = links.len() as u32;
            links.push((Link::new(&access, 0), node));
            links.push((Link::new(&access, 0), TO_ENDPOINT));
            let peer = attachments.len() as u32 ^ 1;
            attachments.push(Attachment { peer, site, up, down: up + 1 });
        }
        let start = Time::ZERO + Span::from_micros(13 * u64::from(flow));
        endpoints.push(Pump { credit: window, size: 1500, start });
        endpoints.push(Pump { credit: 0, size: 52, start: Time::MAX });
    }
    Engine::new(links, forwarding, vec![0, hops], endpoints, attachments, NoObserver)
}

fn pump(bencher: Bencher, hops: u32, flows: u32, window: u32) {
    let mut engine = row(hops, flows, window);
    let mut until = Time::ZERO + Span::from_secs(2);
    engine.advance(until); // fill the pipe
    let before = engine.ledger().hops;
    engine.advance(until + Span::from_millis(500));
    until += Span::from_millis(500);
    let per_half_second = engine.ledger().hops - before;
    bencher.counter(ItemsCount::new(per_half_second)).bench_local(|| {
        until += Span::from_millis(500);
        engine.advance(until);
    });
}

/// Dumbbell: one bottleneck, three links per direction; 1000 packets in flight in all.
#[divan::bench(args = [1, 10, 100, 1000])]
fn dumbbell_by_flows(bencher: Bencher, flows: u32) {
    pump(bencher, 1, flows, 1000 / flows);
}

/// Twelve links in a row; 4000 packets in flight in all.
#[divan::bench(args = [1, 10, 100, 1000])]
fn chain_of_12_by_flows(bencher: Bencher, flows: u32) {
    pump(bencher, 12, flows, 4000 / flows);
}

/// One flow over the dumbbell; the window grows.
#[divan::bench(args = [10, 100, 1000, 10_000, 100_000])]
fn dumbbell_by_window(bencher: Bencher, window: u32) {
    pump(bencher, 1, 1, window);
}
