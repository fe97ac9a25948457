// SPDX-License-Identifier: MIT OR Apache-2.0
//! The calls of s2n-quic, scripted: its interface can be driven without a connection.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bentpipe_quic::control::Signals;
use bentpipe_quic::s2n::{Packet, S2nController};
use bentpipe_quic::{Pacing, Setup, Watch};
use s2n_quic_core::event::builder::{BbrState, SlowStartExitCause};
use s2n_quic_core::inet::SocketAddress;
use s2n_quic_core::path;
use s2n_quic_core::random;
use s2n_quic_core::recovery::RttEstimator;
use s2n_quic_core::recovery::bandwidth::{Bandwidth, RateSample};
use s2n_quic_core::recovery::congestion_controller::{CongestionController, Endpoint, PathInfo, Publisher};
use s2n_quic_core::time::{Clock, NoopClock, Timestamp};
use std::time::Duration;

struct Silent;

impl Publisher for Silent {
    fn on_slow_start_exited(&mut self, _: SlowStartExitCause, _: u32) {}
    fn on_delivery_rate_sampled(&mut self, _: RateSample) {}
    fn on_pacing_rate_updated(&mut self, _: Bandwidth, _: u32, _: num_rational::Ratio<u64>) {}
    fn on_bbr_state_changed(&mut self, _: BbrState) {}
}

struct Zeros;

impl random::Generator for Zeros {
    fn public_random_fill(&mut self, dest: &mut [u8]) {
        dest.fill(0);
    }
    fn private_random_fill(&mut self, dest: &mut [u8]) {
        dest.fill(0);
    }
}

/// A sender of full datagrams.
struct Sender {
    controller: S2nController,
    datagram: usize,
    rtt: RttEstimator,
}

fn at(ms: u64) -> Timestamp {
    NoopClock.get_time().checked_add(Duration::from_millis(ms)).unwrap()
}

impl Sender {
    fn new(setup: &Setup) -> Self {
        let address = SocketAddress::default();
        let info = PathInfo::new(&path::Config::default(), &address);
        let datagram = info.max_datagram_size.into();
        let controller = setup.s2n().unwrap().new_congestion_controller(info);
        // A sample of 100 ms changes nothing.
        Self { controller, datagram, rtt: RttEstimator::new(Duration::from_millis(100)) }
    }

    fn window(&self) -> usize {
        self.controller.congestion_window() as usize
    }

    fn send(&mut self, now: Timestamp) -> Packet {
        self.controller.on_packet_sent(now, self.datagram, Some(false), &self.rtt, &mut Silent)
    }

    /// Sends until the window is full.
    fn fill(&mut self, ms: u64) -> Vec<Packet> {
        let mut packets = Vec::new();
        while !self.controller.is_congestion_limited() {
            packets.push(self.send(at(ms)));
        }
        packets
    }

    fn ack(&mut self, sent_ms: u64, ms: u64, packets: &[Packet]) {
        let (bytes, newest) = (packets.len() * self.datagram, *packets.last().unwrap());
        self.controller.on_rtt_update(at(sent_ms), at(ms), &self.rtt, &mut Silent);
        self.controller.on_ack(at(sent_ms), bytes, newest, &self.rtt, &mut Zeros, at(ms), &mut Silent);
    }

    fn lose(&mut self, ms: u64, packet: Packet, persistent: bool) {
        let bytes = self.datagram as u32;
        self.controller.on_packet_lost(bytes, packet, persistent, true, &mut Zeros, at(ms), &mut Silent);
    }
}

fn setup(name: &str) -> Setup {
    Setup::new(name, &[]).unwrap()
}

/// RFC 9002, sections 7.2, 7.3.1, 7.3.2: ten datagrams at first, doubled in a round trip, halved once by losses of one
/// round trip.
#[test]
fn reno_doubles_and_halves() {
    let watch = Watch::new();
    let mut sender = Sender::new(&setup("reno").watch(watch.clone()));
    let first = sender.fill(0);
    assert_eq!(sender.window(), 10 * sender.datagram);
    assert_eq!(first.len(), 10);
    sender.ack(0, 100, &first);
    assert_eq!(sender.window(), 20 * sender.datagram);
    let second = sender.fill(100);
    assert_eq!(second.len(), 20);
    sender.lose(200, second[0], false);
    assert_eq!(sender.window(), 10 * sender.datagram);
    assert!(sender.controller.requires_fast_retransmission());
    sender.lose(200, second[1], false);
    assert_eq!(sender.window(), 10 * sender.datagram);
    let counters = watch.counters().unwrap();
    assert_eq!((counters.episodes, counters.lost.packets, counters.unknown), (1, 2, 0));
    assert_eq!(sender.controller.bytes_in_flight() as usize, 18 * sender.datagram);
    sender.send(at(201));
    assert!(!sender.controller.requires_fast_retransmission());
    // Section 7.6.2: two datagrams.
    sender.lose(900, second[2], true);
    sender.lose(900, second[3], true);
    assert_eq!(sender.window(), 2 * sender.datagram);
    assert_eq!(watch.counters().unwrap().persistent_congestions, 1);
}

/// RFC 8257, section 3.3: with every byte marked, alpha is 1 and the window halves.
#[test]
fn dctcp_reads_the_number_of_marks() {
    let mut sender = Sender::new(&setup("dctcp"));
    let first = sender.fill(0);
    sender.ack(0, 100, &first);
    let before = sender.window();
    let second = sender.fill(100);
    sender.controller.on_explicit_congestion(second.len() as u64, at(200), &mut Silent);
    sender.ack(100, 200, &second);
    assert!(sender.window() <= before, "{} {before}", sender.window());
    assert_eq!(setup("dctcp").degraded(bentpipe_quic::Library::S2n).unwrap(), Signals::UNDO);
}

/// RFC 9002, section 7.7: bursts of ten datagrams, then 1.25 windows in a round trip.
#[test]
fn departures_are_spread_unless_pacing_is_off() {
    let departures = |setup: &Setup| {
        let mut sender = Sender::new(setup);
        let first = sender.fill(0);
        sender.ack(0, 100, &first);
        sender.fill(100);
        sender.controller.earliest_departure_time()
    };
    let paced = departures(&setup("reno").pacing(Pacing::Library)).unwrap();
    // Two bursts, each a half of the window of 20 datagrams: 2 × 100 ms / 1.25 / 2.
    assert_eq!(paced.saturating_duration_since(at(100)), Duration::from_millis(80));
    assert_eq!(departures(&setup("reno").pacing(Pacing::Off)), None);
}
