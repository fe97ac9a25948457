// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;

fn ms(ms: u64) -> Time {
    Time::ZERO + Span::from_millis(ms)
}

fn parcel(handle: u32, size: u16) -> Parcel {
    Parcel { handle, size, site: 0 }
}

/// A queue of `packets` packets of 1000 B, all offered at once.
fn filled(queue: &mut CoDelQueue, at: Time, packets: u32) {
    for handle in 0..packets {
        queue.push(at, parcel(handle, 1000));
    }
}

/// Takes a packet out every millisecond; gives the times (ms) at which packets were dropped.
fn drops(queue: &mut CoDelQueue, from: u64, to: u64) -> Vec<u64> {
    let mut times = Vec::new();
    for now in from..=to {
        let mut dropped = Vec::new();
        queue.pop(ms(now), &CoDel::default(), &mut dropped);
        times.extend(dropped.iter().map(|_| now));
    }
    times
}

/// Waits reach 5 ms at 5 ms, an interval later the first packet is dropped, and then after 100 ms / sqrt(n):
/// 100, 70.711, 57.735, 50, 44.721, 40.825, 37.796, 35.355, 33.333 ms, each rounded up to the next packet's leaving.
/// From 105: 205, 275.711, 333.446, 383.446, 428.167, 468.992, 506.788, 542.144, 575.477.
#[test]
fn drops_follow_the_control_law() {
    let mut queue = CoDelQueue::default();
    filled(&mut queue, ms(0), 1000);
    assert_eq!(drops(&mut queue, 1, 600), [105, 205, 276, 334, 384, 429, 469, 507, 543, 576]);
}

/// ns-3 (`src/traffic-control/test/codel-queue-disc-test-suite.cc`, "Basic drop operations"): 20 packets of 1000 B, and
/// what is there after each time that one is taken out. At 420 ms the drops of 310 and 380.7 ms are due; 438.4 is not.
#[test]
fn drops_as_in_the_test_suite_of_ns3() {
    let mut queue = CoDelQueue::default();
    filled(&mut queue, ms(0), 20);
    let mut dropped = Vec::new();
    for (at, left, so_far) in [(10, 19, 0), (210, 17, 1), (210, 16, 1), (420, 13, 3)] {
        assert!(queue.pop(ms(at), &CoDel::default(), &mut dropped).is_some());
        assert_eq!((queue.len(), dropped.len()), (left, so_far), "at {at} ms");
        assert_eq!(queue.bytes(), 1000 * left as u64);
    }
}

/// Five drops, the last at 384 ms; the sixth would have been due at 428.2 ms. A queue that stands again soon begins with
/// the four that came after the first: the second drop follows the first after 100/sqrt(4) ms. After 16 intervals, that
/// is from 2028.2 ms on, it begins anew.
#[test]
fn a_queue_that_stands_again_is_dropped_from_faster() {
    for (again, second) in [(400, 555), (1900, 2055), (2000, 2205)] {
        let mut queue = CoDelQueue::default();
        filled(&mut queue, ms(0), 1000);
        assert_eq!(drops(&mut queue, 1, 384).len(), 5);
        while queue.pop_head().is_some() {}
        drops(&mut queue, 385, again - 1);
        filled(&mut queue, ms(again), 1000);
        // Waits reach 5 ms; 100 ms later the first drop.
        assert_eq!(drops(&mut queue, again, second), [again + 105, second], "again at {again} ms");
    }
}

/// With one packet behind it none is dropped, however long it waited, jumbo frames too; with two small ones neither.
#[test]
fn the_last_packets_are_kept() {
    for (size, packets) in [(1500, 2), (9000, 2), (700, 3)] {
        let mut queue = CoDelQueue::default();
        let mut dropped = Vec::new();
        for at in 0..packets - 1 {
            queue.push(ms(at), parcel(0, size));
        }
        for at in 0..100 {
            queue.push(ms(10_000 * at + 1), parcel(0, size));
            assert!(queue.pop(ms(10_000 * (at + 1)), &CoDel::default(), &mut dropped).is_some());
        }
        assert_eq!(dropped, []);
    }
}

/// Short of the target for a moment, and the interval begins anew.
#[test]
fn a_short_wait_starts_the_interval_anew() {
    let mut queue = CoDelQueue::default();
    filled(&mut queue, ms(0), 100);
    assert_eq!(drops(&mut queue, 1, 90), []);
    while queue.pop_head().is_some() {}
    // The packet of 91 ms waited 4 ms; those behind it are above the target from 96 ms on.
    filled(&mut queue, ms(91), 1000);
    assert_eq!(drops(&mut queue, 95, 200), [196]);
}
