// SPDX-License-Identifier: MIT OR Apache-2.0
//! The window of Prague with random marks, over AccECN, on a path without a queue.
//!
//! An ACK without a mark adds a/W, so one round trip adds a (1 - p). A reduction subtracts W p/2, because the mean of
//! alpha is p. After a reduction, there is no reduction for one round. The next reduction then follows at the next
//! mark. With random marks, this mark comes 1/p packets later, or 1/(pW) of a round. Reductions are therefore T = 1 +
//! 1/v rounds apart, where v = pW is the number of marks in a round. In the equilibrium, W p/2 = T (1 - p). For small
//! p, this results in v^2 = 2 v + 2, so v = 1 + sqrt(3). The draft has v = 2, because it assumes marks that arrive
//! exactly when a reduction is allowed.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bentpipe_tcp::{Config, Ecn, Flags, Receiver, Recovery, Segment, Sender, Transfer};
use control::catalogue;
use std::collections::VecDeque;
use units::{Span, Time};

/// Removes and returns the segments that have arrived by now.
fn due(
    wire: &mut VecDeque<(Time, Segment)>,
    now: Time,
) -> std::collections::vec_deque::Drain<'_, (Time, Segment)> {
    let arrived = wire.iter().take_while(|packet| packet.0 <= now).count();
    wire.drain(..arrived)
}

/// Returns the number of packets sent per second in the last nine tenths of `seconds` seconds, and the fraction of them
/// that was marked.
fn rate(rtt_us: u64, p: f64, seconds: u64) -> (f64, f64) {
    let config = Config { ecn: Some(Ecn::AccurateL4s), mss: 1000, ..Config::default() };
    let config = Config { recovery: Recovery::RackTlp, ..config };
    let prague = catalogue::build("prague", &[]).unwrap();
    let mut sender = Sender::new(config.clone(), prague, Transfer::Endless, None);
    let mut receiver = Receiver::new(&config);
    let one_way = Span::from_nanos(rtt_us * 500);
    let (mut there, mut back) = (VecDeque::<(Time, Segment)>::new(), VecDeque::<(Time, Segment)>::new());
    let (mut now, end) = (Time::ZERO, Time::ZERO + Span::from_secs(seconds));
    let warm = Time::ZERO + Span::from_secs(seconds / 10);
    let (mut sent, mut marked, mut state) = (0_u64, 0_u64, 88_172_645_463_325_252_u64);
    sender.start(now);
    while now < end {
        while let Some(mut segment) = sender.poll_transmit(now) {
            // Marsaglia's xorshift (Journal of Statistical Software 8(14), 2003).
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let mark = ((state >> 11) as f64) < p * (1_u64 << 53) as f64;
            segment.flags |= Flags::when(mark, Flags::CE);
            sent += u64::from(now >= warm);
            marked += u64::from(now >= warm && mark);
            there.push_back((now + one_way, segment));
        }
        while let Some(ack) = receiver.poll_transmit(now) {
            back.push_back((now + one_way, ack));
        }
        let first = |wire: &VecDeque<(Time, Segment)>| wire.front().map_or(Time::MAX, |packet| packet.0);
        now = first(&there).min(first(&back)).min(sender.next_timeout()).min(receiver.next_timeout());
        for (_, segment) in due(&mut there, now) {
            receiver.handle(now, &segment);
        }
        for (_, ack) in due(&mut back, now) {
            sender.handle(now, &ack);
        }
        if sender.next_timeout() <= now {
            sender.handle_timeout(now);
        }
    }
    assert_eq!(sender.stats().lost, 0);
    let measured_s = end.since(warm).secs_f64();
    (sent as f64 / measured_s, marked as f64 / sent as f64)
}

/// The equilibrium is checked for windows of some tens and of some hundreds of segments.
#[test]
fn the_window_follows_the_law() {
    for (p, seconds) in [(0.02, 600), (0.1, 2_000)] {
        let (rate, share) = rate(100_000, p, seconds);
        let (window, law) = (rate * 0.1, (1.0 + 3_f64.sqrt()) * (1.0 - share) / share);
        assert!((window / law - 1.0).abs() < 0.06, "p = {share}: window {window}, law {law}");
    }
}

/// If the equilibrium is below two segments per round trip, the rate follows the equilibrium for any round-trip time: 2
/// (1 - p)/p segments in 25 ms, which is "r [Mbps] = 1/p - 1" in the module. If there are several marks in 25 ms,
/// random marks increase this rate (see the equilibrium above). If there is hardly one packet in 25 ms, they decrease
/// it: when the rate is low by chance, few ACKs arrive, so the rate grows late. A window of two segments would be 250
/// segments in 25 ms at 0.2 ms, and 10 segments at 5 ms.
#[test]
fn small_rates_follow_the_law() {
    for p in [0.3, 0.5, 0.7, 0.8] {
        let law = 2.0 * (1.0 - p) / p / 0.025;
        let of = |rtt_us| rate(rtt_us, p, 600).0 / law;
        let shares = [200, 1_000, 5_000].map(of);
        assert!(shares.iter().all(|share| (0.65..1.35).contains(share)), "p = {p}: {shares:?}");
        assert!(shares.iter().all(|share| (share / shares[1] - 1.0).abs() < 0.1), "p = {p}: {shares:?}");
    }
}

/// Below the virtual round-trip time of 25 ms, the rate is that of a flow with 25 ms. Above it, the window is constant.
#[test]
fn short_round_trips_win_nothing() {
    let law = (1.0 + 3_f64.sqrt()) * 0.98 / 0.02 / 0.025;
    for rtt_ms in [5, 12, 25] {
        let (rate, _) = rate(1000 * rtt_ms, 0.02, 120);
        assert!((rate / law - 1.0).abs() < 0.1, "{rtt_ms} ms: {rate} packets/s, law {law}");
    }
    let (slow, fast) = (rate(50_000, 0.02, 200).0 * 50.0, rate(25_000, 0.02, 120).0 * 25.0);
    assert!((slow / fast - 1.0).abs() < 0.08, "{slow} {fast}");
}
