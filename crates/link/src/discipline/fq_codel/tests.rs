// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::Ecn;
use crate::rig::{Table, replay};
use units::{Span, Time};

#[test]
fn as_the_rfc_has_it() {
    let (target, interval) = (Span::from_millis(2), Span::from_millis(20));
    let codel = CoDel { target, interval, ..CoDel::DEFAULT };
    let mut queue = FqCoDelQueue::new(FqCoDel { codel, ..FqCoDel::default() });
    replay(&mut queue, include_str!("../../../../../vectors/queues/fq-codel.csv"));
}

const PLENTY: u64 = 1514;

fn queue(quantum: u64, flows: u32) -> FqCoDelQueue {
    FqCoDelQueue::new(FqCoDel { quantum: Bytes::new(quantum), flows, ..FqCoDel::default() })
}

fn parcel(handle: u32, size: u16) -> Parcel {
    Parcel { handle, size, site: 0 }
}

/// Returns the packet that leaves next.
fn pop(queue: &mut FqCoDelQueue) -> Option<u32> {
    queue.pop(&mut Table::new().context(Time::ZERO)).map(|(_, parcel)| parcel.handle)
}

fn push(queue: &mut FqCoDelQueue, at: Time, sender: u64, parcel: Parcel) {
    assert_eq!(queue.push(parcel, sender, &mut Table::new().context(at)), Ok(()));
}

/// Expected: ns-3 (`src/test/ns3tc/fq-codel-queue-disc-test-suite.cc`, "Test credits and flows status"). The quantum is
/// 90 B, and packets have 120 B. The test checks the deficits and the lists of the two flows after each step.
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
    push(&mut queue, Time::ZERO, 1, parcel(1, 120));
    assert_eq!(states(&queue), [(90, "new")]);
    assert_eq!(pop(&mut queue), Some(1));
    assert_eq!((states(&queue), queue.amount()), (vec![(-30, "new")], Amount::default()));
    push(&mut queue, Time::ZERO, 1, parcel(1, 120));
    push(&mut queue, Time::ZERO, 1, parcel(1, 120));
    assert_eq!(states(&queue), [(-30, "new")]);
    push(&mut queue, Time::ZERO, 2, parcel(2, 120));
    push(&mut queue, Time::ZERO, 2, parcel(2, 120));
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
    assert_eq!(queue.amount(), Amount::default());
}

/// The first sender has ten packets of 1000 B, and each other sender has one packet of 100 B. The small packets are
/// sent after one packet of the first sender.
#[test]
fn new_flows_go_before_old_ones() {
    let mut queue = queue(1000, 1024);
    for _ in 0..10 {
        push(&mut queue, Time::ZERO, 0, parcel(0, 1000));
    }
    assert_eq!((pop(&mut queue), pop(&mut queue)), (Some(0), Some(0)));
    for sender in 1..4 {
        push(&mut queue, Time::ZERO, sender, parcel(sender as u32, 100));
    }
    let order: Vec<u32> = std::iter::from_fn(|| pop(&mut queue)).take(5).collect();
    assert_eq!(order, [1, 2, 3, 0, 0]);
}

/// Sender 0 has 3000 B. Sender 1 has 2000 B, and a packet of 900 B arrives. The oldest packet of sender 0 is dropped.
/// After that, sender 1 would have most bytes. An arriving packet that is larger than every queue is refused.
#[test]
fn the_longest_queue_loses_its_oldest() {
    let mut queue = queue(PLENTY, 1024);
    for (sender, handle, size) in [(0, 1, 1500), (0, 2, 1500), (1, 3, 1000), (1, 4, 1000)] {
        push(&mut queue, Time::ZERO, sender, parcel(handle, size));
    }
    let mut fattest = |sender, size| {
        queue.make_room(Coming { sender, size, urgent: false, ack: None }).map(|parcel| parcel.handle)
    };
    assert_eq!(fattest(1, 900), Some(1));
    assert_eq!(fattest(1, 900), Some(3));
    assert_eq!(fattest(9, 1500), Some(2));
    assert_eq!(fattest(9, 1500), None);
    assert_eq!(queue.amount(), Amount { packets: 1, bytes: 1000 });
    assert_eq!(pop(&mut queue), Some(4));
    assert_eq!(pop(&mut queue), None);
}

/// There are two queues. The first and the third sender share a queue, and their packets are sent in the order of
/// arrival.
#[test]
fn more_senders_than_queues_share() {
    let mut queue = queue(100, 2);
    for sender in [7, 8, 9, 7, 8, 9] {
        push(&mut queue, Time::ZERO, sender, parcel(sender as u32, 100));
    }
    let order: Vec<u32> = std::iter::from_fn(|| pop(&mut queue)).collect();
    assert_eq!((order, queue.flows.len()), (vec![7, 8, 9, 8, 7, 9], 2));
}

/// `drain` returns all packets in the order of arrival.
#[test]
fn drained_in_the_order_of_arrival() {
    let mut queue = queue(PLENTY, 1024);
    for at in 0..9 {
        push(&mut queue, Time::ZERO + Span::from_millis(at), at % 2, parcel(at as u32, 100));
    }
    let handles: Vec<u32> = queue.drain().iter().map(|(_, parcel)| parcel.handle).collect();
    assert_eq!(handles, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!((queue.amount(), pop(&mut queue)), (Amount::default(), None));
}

/// There are three senders with 1000 packets each, and one packet leaves every millisecond. The turns of queue k are at
/// 1 + k, 4 + k, 7 + k, … ms. Waits reach 5 ms at the turns of 7, 5 and 6 ms. An interval later, the next turns are at
/// 109, 107 and 108 ms, and 100 ms after these at 211, 209 and 210 ms. A sender whose packets can be marked loses no
/// packet. The other sender loses as many packets as are marked.
#[test]
fn each_queue_marks_by_itself() {
    let mut queue = queue(1000, 1024);
    let mut table = Table::new();
    for handle in 0..3000 {
        let sender = handle % 3;
        if sender < 2 {
            table.log.ecn.insert(handle, Ecn::Ect0);
        }
        assert_eq!(queue.push(parcel(handle, 1000), sender.into(), &mut table.context(Time::ZERO)), Ok(()));
    }
    let ms = |ms| Time::ZERO + Span::from_millis(ms);
    let mut acts: [Vec<u64>; 3] = Default::default();
    for now in 1..=250 {
        let (marked, dropped) = (table.log.marked.len(), table.state.dropped.len());
        queue.pop(&mut table.context(ms(now)));
        for handle in &table.log.marked[marked..] {
            acts[*handle as usize % 3].push(now);
        }
        for (parcel, _) in &table.state.dropped[dropped..] {
            acts[parcel.handle as usize % 3].push(now);
        }
    }
    assert_eq!(acts, [[109, 211], [107, 209], [108, 210]]);
    assert!(table.log.marked.iter().all(|handle| handle % 3 < 2));
    assert!(table.state.dropped.iter().all(|(parcel, _)| parcel.handle % 3 == 2));
}

/// Streams that end are sent, three at a time, next to a sender that stays. Each stream has its own queue while it has
/// packets. After the streams have ended, no queue remains assigned to them.
#[test]
fn streams_that_pass_leave_their_queues() {
    let mut queue = queue(PLENTY, 8);
    for round in 1..=1000_u64 {
        let streams = [3 * round, 3 * round + 1, 3 * round + 2].map(|stream| stream << 32 | 7);
        for sender in [[7].as_slice(), &streams].concat() {
            push(&mut queue, Time::ZERO, sender, parcel(1, 1000));
        }
        let mut places: Vec<usize> = queue.flow_of.values().copied().collect();
        places.sort_unstable();
        assert_eq!(places, [0, 1, 2, 3]);
        while pop(&mut queue).is_some() {}
    }
    assert_eq!((queue.flows.len(), queue.flow_of.len(), queue.spare.len()), (4, 1, 3));
}
