// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::Ecn;
use crate::rig::{Table, replay};

#[test]
fn as_the_rfc_has_it() {
    let (target, interval) = (Span::from_millis(2), Span::from_millis(20));
    let mut queue = CoDelQueue::new(CoDel { target, interval, ..CoDel::DEFAULT });
    replay(&mut queue, include_str!("../../../../../vectors/queues/codel.csv"));
}

fn ms(ms: u64) -> Time {
    Time::ZERO + Span::from_millis(ms)
}

fn parcel(handle: u32, size: u16) -> Parcel {
    Parcel { handle, size, site: 0 }
}

fn queue() -> CoDelQueue {
    CoDelQueue::new(CoDel::default())
}

/// Adds `packets` packets of 1000 B to a queue at the same time.
fn fill(queue: &mut CoDelQueue, at: Time, packets: u32) {
    for handle in 0..packets {
        assert_eq!(queue.push(parcel(handle, 1000), 0, &mut Table::new().context(at)), Ok(()));
    }
}

/// Removes a packet at `now`. Returns whether there was a packet, and how many packets were dropped before it.
fn pop(queue: &mut CoDelQueue, now: Time) -> (bool, usize) {
    let mut table = Table::new();
    (queue.pop(&mut table.context(now)).is_some(), table.state.dropped.len())
}

/// Removes a packet every millisecond. Returns the times (ms) at which packets were dropped.
fn drops(queue: &mut CoDelQueue, from: u64, to: u64) -> Vec<u64> {
    (from..=to).flat_map(|now| std::iter::repeat_n(now, pop(queue, ms(now)).1)).collect()
}

/// Waits reach 5 ms at 5 ms, and the first packet is dropped an interval later. The intervals between drops are then
/// 100 ms / sqrt(n): 100, 70.711, 57.735, 50, 44.721, 40.825, 37.796, 35.355 and 33.333 ms. Each drop is delayed until
/// the next packet leaves. From 105 ms on, the drops are due at 205, 275.711, 333.446, 383.446, 428.167, 468.992,
/// 506.788, 542.144 and 575.477 ms.
#[test]
fn drops_follow_the_control_law() {
    let mut queue = queue();
    fill(&mut queue, ms(0), 1000);
    assert_eq!(drops(&mut queue, 1, 600), [105, 205, 276, 334, 384, 429, 469, 507, 543, 576]);
}

/// Expected: ns-3 (`src/traffic-control/test/codel-queue-disc-test-suite.cc`, "Basic drop operations"). There are 20
/// packets of 1000 B. The values are the number of packets after each removal. At 420 ms, the drops of 310 and 380.7 ms
/// are due, but not that of 438.4 ms.
#[test]
fn drops_as_in_the_test_suite_of_ns3() {
    let mut queue = queue();
    fill(&mut queue, ms(0), 20);
    let mut dropped = 0;
    for (at, left, so_far) in [(10, 19, 0), (210, 17, 1), (210, 16, 1), (420, 13, 3)] {
        let (there, more) = pop(&mut queue, ms(at));
        dropped += more;
        assert!(there);
        assert_eq!(
            (queue.amount(), dropped),
            (Amount { packets: left, bytes: 1000 * left as u64 }, so_far),
            "at {at} ms"
        );
    }
}

/// There are five drops, the last at 384 ms. The sixth drop would be due at 428.2 ms. If waits are too long again soon
/// after that, dropping begins with the four drops that followed the first: the second drop follows the first after
/// 100/sqrt(4) ms. After 16 intervals, which is from 2028.2 ms on, dropping begins from the start.
#[test]
fn a_queue_that_stands_again_is_dropped_from_faster() {
    for (again, second) in [(400, 555), (1900, 2055), (2000, 2205)] {
        let mut queue = queue();
        fill(&mut queue, ms(0), 1000);
        assert_eq!(drops(&mut queue, 1, 384).len(), 5);
        while queue.pop_head().is_some() {}
        drops(&mut queue, 385, again - 1);
        fill(&mut queue, ms(again), 1000);
        // Waits reach 5 ms, and the first drop is 100 ms later.
        assert_eq!(drops(&mut queue, again, second), [again + 105, second], "again at {again} ms");
    }
}

/// If only one packet is behind a packet, this packet is never dropped, no matter how long it has waited. This also
/// applies to jumbo frames. It also applies if two small packets are behind it.
#[test]
fn the_last_packets_are_kept() {
    for (size, packets) in [(1500, 2), (9000, 2), (700, 3)] {
        let mut queue = queue();
        let push = |queue: &mut CoDelQueue, at| {
            assert_eq!(queue.push(parcel(0, size), 0, &mut Table::new().context(ms(at))), Ok(()));
        };
        for at in 0..packets - 1 {
            push(&mut queue, at);
        }
        for at in 0..100 {
            push(&mut queue, 10_000 * at + 1);
            assert_eq!(pop(&mut queue, ms(10_000 * (at + 1))), (true, 0));
        }
    }
}

/// If waits fall below the target for a moment, the interval begins again.
#[test]
fn a_short_wait_starts_the_interval_anew() {
    let mut queue = queue();
    fill(&mut queue, ms(0), 100);
    assert_eq!(drops(&mut queue, 1, 90), []);
    while queue.pop_head().is_some() {}
    // The packet of 91 ms waited for 4 ms. The packets behind it are above the target from 96 ms on.
    fill(&mut queue, ms(91), 1000);
    assert_eq!(drops(&mut queue, 95, 200), [196]);
}

/// Like `drops_follow_the_control_law`, with packets that can be marked. The marks are at the same times, and no packet
/// is dropped. If a packet cannot be marked, it is dropped instead, and the packet behind it leaves without a mark.
#[test]
fn marks_follow_the_control_law() {
    let times = [105, 205, 276, 334, 384, 429, 469, 507, 543, 576];
    for without_ecn in [None, Some(275)] {
        let mut queue = queue();
        fill(&mut queue, ms(0), 1000);
        let mut table = Table::new();
        table.log.ecn =
            (0..1000).map(|handle| (handle, if handle % 2 == 0 { Ecn::Ect0 } else { Ecn::Ect1 })).collect();
        // Packet 275 leaves at 276 ms.
        table.log.ecn.extend(without_ecn.map(|handle| (handle, Ecn::NotEct)));
        let mut marked = Vec::new();
        for now in 1..=600 {
            let before = table.log.marked.len();
            let (_, parcel) =
                queue.pop(&mut table.context(ms(now))).unwrap_or_else(|| panic!("it is empty at {now} ms"));
            if table.log.marked.len() > before {
                assert_eq!(table.log.marked[before..], [parcel.handle]);
                marked.push(now);
            }
        }
        let expected: Vec<u64> =
            times.into_iter().filter(|&time| without_ecn.is_none() || time != 276).collect();
        assert_eq!(marked, expected);
        assert_eq!(table.state.marked, marked.len() as u64);
        let dropped: Vec<u32> = table.state.dropped.iter().map(|(parcel, _)| parcel.handle).collect();
        assert_eq!(dropped, without_ecn.into_iter().collect::<Vec<_>>());
    }
}

/// A packet that arrives with CE is neither marked again nor dropped.
#[test]
fn who_is_marked_already_stays_so() {
    let mut queue = queue();
    fill(&mut queue, ms(0), 1000);
    let mut table = Table::new();
    table.log.ecn = (0..1000).map(|handle| (handle, Ecn::Ce)).collect();
    for now in 1..=600 {
        queue.pop(&mut table.context(ms(now)));
    }
    assert_eq!((table.state.marked, table.state.dropped.len(), queue.amount().packets), (0, 0, 400));
}

/// Like `drops_as_in_the_test_suite_of_ns3`, with packets that can be marked. At 420 ms, the marks of 310 and 380.7 ms
/// are due. The first packet gets one mark, and the next packet gets the other. The mark of 438.4 ms is not due.
#[test]
fn a_packet_takes_one_mark() {
    let mut queue = queue();
    fill(&mut queue, ms(0), 20);
    let mut table = Table::new();
    table.log.ecn = (0..20).map(|handle| (handle, Ecn::Ect0)).collect();
    for (at, so_far) in [(10, 0), (210, 1), (210, 1), (420, 2), (420, 3), (420, 3)] {
        assert!(queue.pop(&mut table.context(ms(at))).is_some());
        assert_eq!(table.log.marked.len(), so_far, "at {at} ms");
    }
    assert_eq!((table.state.dropped.len(), queue.amount().packets), (0, 14));
}

/// The waits are 1 to 4 ms, which is below the target. Packets that waited longer than 2 ms are marked. With
/// `only_ect1`, only packets with ECT(1) are marked. Packets that cannot be marked are not changed.
#[test]
fn a_shallow_threshold_marks_besides() {
    for (only_ect1, expected) in [(false, vec![6, 7, 10, 11]), (true, vec![7, 11])] {
        let ce_threshold = Some(CeThreshold { above: Span::from_millis(2), only_ect1 });
        let mut queue = CoDelQueue::new(CoDel { ce_threshold, ..CoDel::default() });
        let mut table = Table::new();
        for handle in 0..12 {
            let ecn = [Ecn::NotEct, Ecn::NotEct, Ecn::Ect0, Ecn::Ect1][handle as usize % 4];
            table.log.ecn.insert(handle, ecn);
            assert_eq!(queue.push(parcel(handle, 1000), 0, &mut table.context(ms(0))), Ok(()));
        }
        // Four packets leave at 1 ms, four at 3 ms, and four at 4 ms.
        for (handle, at) in (0..12).zip([1, 1, 1, 1, 3, 3, 3, 3, 4, 4, 4, 4]) {
            assert_eq!(queue.pop(&mut table.context(ms(at))).map(|(_, parcel)| parcel.handle), Some(handle));
        }
        assert_eq!((table.log.marked, table.state.dropped.len()), (expected, 0));
    }
}
