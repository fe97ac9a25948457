// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests the estimator at a FIFO without cross traffic. By Lindley's recursion, segment i leaves the FIFO at `D_i =
//! max(A_i, D_(i-1)) + S`. For every train that the estimator accepts, the rate must be 1/S.

use super::*;
use crate::AckedPacket;
use proptest::prelude::*;

/// Propagation delay in both directions, in microseconds.
const PROPAGATION_US: u64 = 100_000;

/// Times at which segments leave a FIFO. The segments were sent at `sent_us`, and the service of a segment takes
/// `service_us`.
fn fifo(sent_us: &[u64], service_us: u64) -> Vec<u64> {
    let mut free = 0;
    let leaves = sent_us.iter().map(|&sent| {
        free = free.max(sent) + service_us;
        free
    });
    leaves.collect()
}

/// ACKs of a receiver as pairs (time, newest segment). There is an ACK for every `every` segments, and after `timer_us`
/// without an ACK (RFC 1122, section 4.2.3.2).
fn acks(leaves_us: &[u64], every: usize, timer_us: u64) -> Vec<(u64, usize)> {
    let mut acks = Vec::new();
    let mut waiting = 0;
    for (i, &at) in leaves_us.iter().enumerate() {
        waiting += 1;
        let next = leaves_us.get(i + 1).copied().unwrap_or(u64::MAX);
        if waiting == every {
            acks.push((at, i));
            waiting = 0;
        } else if next > at + timer_us {
            acks.push((at + timer_us, i));
            waiting = 0;
        }
    }
    acks
}

/// Estimates after each ACK in `acks`, in segments/s.
fn estimates(sent_us: &[u64], acks: &[(u64, usize)]) -> Vec<Option<f64>> {
    let mut hoe = HoeEstimate::default();
    let mut next = 0;
    let mut seen = Vec::new();
    for &(at, newest) in acks {
        let packets: Vec<_> = (next..=newest)
            .map(|i| AckedPacket { sent_at: at_us(sent_us[i]), bytes: 1000, ..AckedPacket::default() })
            .collect();
        next = newest + 1;
        seen.push(hoe.on_ack(&Ack { packets: &packets, ..Ack::at(at_us(at + PROPAGATION_US)) }));
    }
    seen
}

fn at_us(us: u64) -> Time {
    Time::ZERO + Span::from_micros(us)
}

/// Converts gaps to times.
fn summed(gaps_us: &[u64]) -> Vec<u64> {
    let mut at = 0;
    let times = gaps_us.iter().map(|gap| {
        at += gap;
        at
    });
    times.collect()
}

proptest! {
    /// The sending times have any spacing. There is an ACK for each segment, or for every second segment (with a timer
    /// of 40 ms). All segments that the criterion accepts as contiguous must be contiguous, because a segment that
    /// waits in a FIFO leaves directly behind the previous segment. The estimate is therefore 1/S.
    #[test]
    fn an_estimate_is_the_rate_of_the_bottleneck(
        gaps in prop::collection::vec(prop_oneof![Just(0), 0..4000_u64, 0..200_000_u64], 3..80),
        service_us in 100..3000_u64,
        every in 1..3_usize,
    ) {
        let sent = summed(&gaps);
        let acks = acks(&fifo(&sent, service_us), every, 40_000);
        for estimate in estimates(&sent, &acks).into_iter().flatten() {
            let exact = 1e6 / service_us as f64;
            prop_assert!((estimate / exact - 1.0).abs() < 1e-9, "{estimate} for {exact}");
        }
    }

    /// Segments are sent one by one, with gaps that exceed their service time. Their delays vary by a tenth of the
    /// spacing. The round trips of two segments therefore differ by at most a fifth of a spacing, and two ACKs are at
    /// least 0.8 spacings apart. The difference is less than half of this distance.
    #[test]
    fn paced_segments_are_no_train(jitter in prop::collection::vec(0..2000_u64, 3..60)) {
        let sent = summed(&vec![10_000; jitter.len()]);
        let acks: Vec<_> = sent.iter().zip(&jitter).map(|(at, late)| at + 1000 + late).zip(0..).collect();
        prop_assert!(estimates(&sent, &acks).iter().all(Option::is_none));
    }
}

/// Slow start begins with two segments, and each segment is acknowledged. S is 1 ms. At 100 ms and at 101 ms, two
/// segments are released. The first of the four segments does not wait. The other segments wait 1, 1 and 2 ms. The four
/// segments form a train, whose third ACK is the fifth ACK of the connection.
#[test]
fn two_segments_then_acks_that_release_two_each() {
    let released = 101_000;
    let sent = [0, 0, released, released, released + 1000, released + 1000];
    let acks = acks(&fifo(&sent, 1000), 1, 0);
    assert_eq!(estimates(&sent, &acks), [None, None, None, None, Some(1000.0), Some(1000.0)]);
}

/// The window is constant, so each ACK releases one segment. Equal spacings do not show a queue.
#[test]
fn equal_spacings_are_no_train() {
    let sent = [0, 1000, 2000, 3000, 4000, 5000];
    let acks = acks(&fifo(&sent, 1000), 1, 0);
    assert!(estimates(&sent, &acks).iter().all(Option::is_none));
}

/// Seven segments are sent at once, with an ACK for every second segment. The last ACK is delayed by 40 ms. The rate is
/// 2 segments per 2 ms. The seventh segment does not count.
#[test]
fn a_held_back_ack_ends_the_train() {
    let sent = [0; 7];
    let acks = acks(&fifo(&sent, 1000), 2, 40_000);
    assert_eq!(acks, [(2000, 1), (4000, 3), (6000, 5), (47_000, 6)]);
    assert_eq!(estimates(&sent, &acks), [None, None, Some(1000.0), Some(1000.0)]);
}
