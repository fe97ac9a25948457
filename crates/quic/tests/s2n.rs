// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scripted calls of s2n-quic. Its interface can be used without a connection.
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
        // The RTT samples of 100 ms do not change the estimator.
        Self { controller, datagram, rtt: RttEstimator::new(Duration::from_millis(100)) }
    }

    fn window(&self) -> usize {
        self.controller.congestion_window() as usize
    }

    fn send(&mut self, now: Timestamp) -> Packet {
        self.controller.on_packet_sent(now, self.datagram, Some(false), &self.rtt, &mut Silent)
    }

    /// Sends datagrams until the window is full.
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

/// RFC 9002, sections 7.2, 7.3.1, 7.3.2: the window is ten datagrams at first. It doubles in a round trip, and is
/// halved once for all losses of a round trip.
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
    // Section 7.6.2: the window becomes two datagrams.
    sender.lose(900, second[2], true);
    sender.lose(900, second[3], true);
    assert_eq!(sender.window(), 2 * sender.datagram);
    assert_eq!(watch.counters().unwrap().persistent_congestions, 1);
}

/// RFC 8257, section 3.3: if every byte is marked, alpha is 1 and the window is halved.
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

/// RFC 9002, section 7.7: a burst of ten datagrams is followed by 1.25 windows per round trip.
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
    // Two bursts, each of half of the window of 20 datagrams: 2 × 100 ms / 1.25 / 2.
    assert_eq!(paced.saturating_duration_since(at(100)), Duration::from_millis(80));
    assert_eq!(departures(&setup("reno").pacing(Pacing::Off)), None);
}

// Windows in datagrams, round by round. They are snapshots of s2n-quic's own CUBIC, published in s2n-quic-core 0.91.0
// (Apache-2.0) as `src/recovery/snapshots/s2n_quic_core__recovery__simulation__*-CubicCongestionController.snap`: "Slow
// Start Unlimited", "Loss at 3MB", "Loss at 3MB and 2.75MB".
#[rustfmt::skip]
const UNLIMITED: [usize; 12] = [
    10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10240, 20480,
];
#[rustfmt::skip]
const LOSS_AT_3_MB: [usize; 135] = [
    10, 20, 40, 80, 160, 320, 640, 1280, 2560, 1792, 1815, 1845, 1878, 1911, 1943, 1975, 2005, 2034, 2063,
    2090, 2116, 2141, 2165, 2189, 2211, 2232, 2253, 2273, 2291, 2309, 2327, 2343, 2358, 2373, 2387, 2401,
    2413, 2425, 2436, 2447, 2457, 2466, 2475, 2483, 2491, 2498, 2505, 2511, 2517, 2522, 2526, 2531, 2535,
    2538, 2542, 2544, 2547, 2549, 2551, 2553, 2554, 2555, 2556, 2557, 2558, 2558, 2559, 2559, 2559, 2559,
    2559, 2559, 2559, 2559, 2559, 2559, 2560, 2560, 2560, 2561, 2561, 2562, 2563, 2564, 2566, 2567, 2569,
    2571, 2573, 2576, 2579, 2583, 2586, 2590, 2595, 2600, 2605, 2611, 2618, 2625, 2632, 2640, 2649, 2658,
    2667, 2678, 2689, 2700, 2713, 2725, 2739, 2754, 2769, 2785, 2802, 2819, 2838, 2857, 2877, 2898, 2920,
    2943, 2966, 2991, 3017, 3044, 3071, 3100, 3130, 3161, 3193, 3226, 3261, 3296, 3333,
];
#[rustfmt::skip]
const LOSSES_AT_3_AND_2_75_MB: [usize; 120] = [
    10, 20, 40, 80, 160, 320, 640, 1280, 2560, 1792, 1815, 1845, 1878, 1911, 1943, 1975, 2005, 2034, 2063,
    2090, 2116, 2141, 2165, 2189, 2211, 2232, 2253, 2273, 2291, 1604, 1617, 1635, 1654, 1673, 1691, 1708,
    1725, 1741, 1756, 1770, 1784, 1796, 1809, 1820, 1831, 1841, 1851, 1860, 1868, 1876, 1884, 1890, 1897,
    1903, 1908, 1913, 1917, 1921, 1925, 1928, 1931, 1934, 1936, 1939, 1940, 1942, 1943, 1944, 1945, 1946,
    1946, 1947, 1947, 1947, 1947, 1947, 1947, 1947, 1947, 1948, 1948, 1948, 1948, 1948, 1949, 1949, 1950,
    1951, 1952, 1953, 1955, 1956, 1958, 1961, 1963, 1966, 1969, 1973, 1977, 1981, 1986, 1991, 1997, 2003,
    2010, 2017, 2025, 2033, 2042, 2052, 2062, 2072, 2084, 2096, 2108, 2122, 2136, 2151, 2167, 2183,
];

/// The script of these snapshots (`src/recovery/simulation.rs`). Each round takes 200 ms. Usually it acknowledges a
/// full window. If the window has reached the next value of `drops` (in bytes), the round instead loses a single
/// datagram. Pacing is off, because only the times of the first datagrams in the script would depend on it.
fn windows(drops: &[usize], rounds: usize) -> Vec<usize> {
    let mut sender = Sender::new(&setup("cubic").pacing(Pacing::Off));
    sender.rtt = RttEstimator::new(Duration::from_millis(200));
    let mut drops = drops.iter().copied().peekable();
    let round = |round: usize| {
        let window = sender.window();
        let start = 1 + 200 * (round as u64 + 1);
        if drops.next_if(|drop| window >= *drop).is_some() {
            let packet = sender.send(at(start));
            sender.lose(start, packet, false);
        } else {
            for packet in sender.fill(start) {
                sender.ack(start, start + 200, &[packet]);
            }
        }
        window / sender.datagram
    };
    (0..rounds).map(round).collect()
}

/// Another implementation of RFC 9438 is the oracle. In s2n-quic, the time of the curve counts from the loss; here it counts
/// from the first acknowledgement after it (section 4.2), which is at most two rounds later. A window therefore lies between
/// those of the snapshot two rounds before and one round after.
///
/// s2n-quic has its window in single precision, in steps of a quarter of a byte here: where the curve is flat, it loses the
/// increments of an acknowledgement below an eighth of a byte, which are up to 0.3 datagrams in a round. Its snapshots
/// have whole datagrams. A window may therefore be one datagram larger.
#[test]
fn cubic_follows_that_of_s2n_quic() {
    assert_eq!(windows(&[], UNLIMITED.len()), UNLIMITED);
    for (drops, theirs) in
        [(&[3_000_000][..], &LOSS_AT_3_MB[..]), (&[3_000_000, 2_750_000], &LOSSES_AT_3_AND_2_75_MB)]
    {
        let ours = windows(drops, theirs.len());
        for (round, &window) in ours.iter().enumerate() {
            let near = &theirs[round.saturating_sub(2)..theirs.len().min(round + 2)];
            let (least, most) = (near.iter().min().unwrap(), near.iter().max().unwrap());
            assert!(
                (*least..=most + 1).contains(&window),
                "{drops:?}, round {round}: {window} in {near:?}\n{ours:?}"
            );
        }
    }
}
