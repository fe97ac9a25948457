// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use units::{Bytes, Span};

const PLENTY: u64 = 1514;

fn queue(quantum: u64, flows: u32) -> FqCoDelQueue {
    FqCoDelQueue::new(FqCoDel { quantum: Bytes::new(quantum), flows, ..FqCoDel::default() })
}

fn parcel(handle: u32, size: u16) -> Parcel {
    Parcel { handle, size, site: 0 }
}

/// Who leaves next.
fn pop(queue: &mut FqCoDelQueue) -> Option<u32> {
    queue.pop(Time::ZERO, &mut Vec::new()).map(|(_, parcel)| parcel.handle)
}

/// ns-3 (`src/test/ns3tc/fq-codel-queue-disc-test-suite.cc`, "Test credits and flows status"): a quantum of 90 B, packets
/// of 120 B, and after each step the deficits and where the two flows stand.
#[test]
fn deficits_as_in_the_test_suite_of_ns3() {
    fn states(queue: &FqCoDelQueue) -> Vec<(i64, &'static str)> {
        let state = |(at, flow): (usize, &Flow)| {
            let place = match (queue.new.contains(&at), queue.old.contains(&at), flow.active) {
                (true, false, true) => "new",
                (false, true, true) => "old",
                (false, false, false) => "inactive",
                other => panic!("{other:?}"),
            };
            (flow.deficit, place)
        };
        queue.flows.iter().enumerate().map(state).collect()
    }
    let mut queue = queue(90, 1024);
    queue.push(Time::ZERO, 1, parcel(1, 120));
    assert_eq!(states(&queue), [(90, "new")]);
    assert_eq!(pop(&mut queue), Some(1));
    assert_eq!((states(&queue), queue.len()), (vec![(-30, "new")], 0));
    queue.push(Time::ZERO, 1, parcel(1, 120));
    queue.push(Time::ZERO, 1, parcel(1, 120));
    assert_eq!(states(&queue), [(-30, "new")]);
    queue.push(Time::ZERO, 2, parcel(2, 120));
    queue.push(Time::ZERO, 2, parcel(2, 120));
    assert_eq!(states(&queue), [(-30, "new"), (90, "new")]);
    for (who, first, second) in [
        (Some(2), (60, "old"), (-30, "new")),
        (Some(1), (-60, "old"), (60, "old")),
        (Some(2), (30, "old"), (-60, "old")),
        (Some(1), (-90, "old"), (30, "old")),
        (None, (90, "inactive"), (30, "inactive")),
    ] {
        assert_eq!(pop(&mut queue), who);
        assert_eq!(states(&queue), [first, second]);
    }
    assert_eq!((queue.len(), queue.bytes()), (0, 0));
}

/// Ten packets of 1000 B of the first sender, one of 100 B of each other: these go after one packet of the first.
#[test]
fn new_flows_go_before_old_ones() {
    let mut queue = queue(1000, 1024);
    for _ in 0..10 {
        queue.push(Time::ZERO, 0, parcel(0, 1000));
    }
    assert_eq!((pop(&mut queue), pop(&mut queue)), (Some(0), Some(0)));
    for sender in 1..4 {
        queue.push(Time::ZERO, sender, parcel(sender, 100));
    }
    let order: Vec<u32> = std::iter::from_fn(|| pop(&mut queue)).take(5).collect();
    assert_eq!(order, [1, 2, 3, 0, 0]);
}

/// Sender 0 holds 3000 B, sender 1 holds 2000 B and comes with 900 B more: the oldest of sender 0 goes. Then sender 1 would
/// hold most. Who brings more than anybody holds, is refused.
#[test]
fn the_longest_queue_loses_its_oldest() {
    let mut queue = queue(PLENTY, 1024);
    for (sender, handle, size) in [(0, 1, 1500), (0, 2, 1500), (1, 3, 1000), (1, 4, 1000)] {
        queue.push(Time::ZERO, sender, parcel(handle, size));
    }
    let mut fattest = |sender, size| queue.pop_fattest(sender, size).map(|parcel| parcel.handle);
    assert_eq!(fattest(1, 900), Some(1));
    assert_eq!(fattest(1, 900), Some(3));
    assert_eq!(fattest(9, 1500), Some(2));
    assert_eq!(fattest(9, 1500), None);
    assert_eq!((queue.len(), queue.bytes()), (1, 1000));
    assert_eq!(pop(&mut queue), Some(4));
    assert_eq!(pop(&mut queue), None);
}

/// Two queues: the first and the third sender share one, and go in the order in which they came.
#[test]
fn more_senders_than_queues_share() {
    let mut queue = queue(100, 2);
    for sender in [7, 8, 9, 7, 8, 9] {
        queue.push(Time::ZERO, sender, parcel(sender, 100));
    }
    let order: Vec<u32> = std::iter::from_fn(|| pop(&mut queue)).collect();
    assert_eq!((order, queue.flows.len()), (vec![7, 8, 9, 8, 7, 9], 2));
}

/// Everything comes out in the order in which it came.
#[test]
fn drained_in_the_order_of_arrival() {
    let mut queue = queue(PLENTY, 1024);
    for at in 0..9 {
        queue.push(Time::ZERO + Span::from_millis(at), (at % 2) as u32, parcel(at as u32, 100));
    }
    let handles: Vec<u32> = queue.drain().iter().map(|(_, parcel)| parcel.handle).collect();
    assert_eq!(handles, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!((queue.len(), queue.bytes(), pop(&mut queue)), (0, 0, None));
}
