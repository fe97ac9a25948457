// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::rig::{Table, replay, replay_within};
use crate::{Ecn, QueueLimit};
use units::{Span, Time};

#[test]
fn as_the_paper_has_it() {
    let mut queue = queue(1000);
    replay(&mut queue, include_str!("../../../../../vectors/queues/drr.csv"));
}

/// Each sender's queue marks a packet that finds more than 9 kB in this queue. 30 packets may wait.
#[test]
fn marks_as_the_papers_have_them() {
    let mark_above = Some(Threshold { above: QueueLimit::Bytes(Bytes::new(9000)) });
    let mut queue = DrrQueue::new(Drr { quantum: Bytes::new(1000), mark_above });
    replay_within(&mut queue, 30, include_str!("../../../../../vectors/queues/drr-marks.csv"));
}

/// In each round of 2 ms, which is the time of two packets, one packet of sender 0 and two packets of sender 1 arrive.
/// The two senders take turns. In each round, sender 0 has no packet left, and sender 1 has one more. Above 5 packets,
/// only packets of sender 1 are marked. In round k (from 0 on), its first packet finds k waiting packets and its second
/// packet finds k + 1.
#[test]
fn marks_fall_on_who_makes_the_queue() {
    let mark_above = Some(Threshold { above: QueueLimit::Packets(5) });
    let mut queue = DrrQueue::new(Drr { quantum: Bytes::new(1500), mark_above });
    let mut table = Table::new();
    for round in 0..10_u32 {
        let at = |ms: u32| Time::ZERO + Span::from_millis(ms.into());
        for (sender, handle) in [(0, 3 * round), (1, 3 * round + 1), (1, 3 * round + 2)] {
            table.log.ecn.insert(handle, Ecn::Ect0);
            let parcel = Parcel { handle, size: 1500, site: 0 };
            assert_eq!(queue.push(parcel, sender, &mut table.context(at(2 * round))), Ok(()));
        }
        for later in 0..2 {
            let left = queue.pop(&mut table.context(at(2 * round + later)));
            let is_of_0 = left.map(|(_, parcel)| parcel.handle % 3 == 0);
            assert_eq!(is_of_0, Some(later == 0), "sender 0 first, then sender 1");
        }
    }
    // The second packet of round 5, and both packets of rounds 6 to 9.
    assert_eq!(table.log.marked, [17, 19, 20, 22, 23, 25, 26, 28, 29]);
}

fn queue(quantum: u64) -> DrrQueue {
    DrrQueue::new(Drr { quantum: Bytes::new(quantum), mark_above: None })
}

fn push(queue: &mut DrrQueue, sender: u64, handle: u32, size: u16) {
    let parcel = Parcel { handle, size, site: 0 };
    assert_eq!(queue.push(parcel, sender, &mut Table::new().context(Time::ZERO)), Ok(()));
}

fn pop(queue: &mut DrrQueue) -> Option<Parcel> {
    queue.pop(&mut Table::new().context(Time::ZERO)).map(|(_, parcel)| parcel)
}

/// Shreedhar and Varghese 1995, figures 1 and 2. The quantum is 500. The first flow has packets of 200, 750 and 20, and
/// the second flow has one packet of 500. The packet of 200 is sent, and a deficit of 300 is kept. Then the second flow
/// sends. In the next round, 800 are sufficient for the packet of 750, and the packet of 20 follows.
#[test]
fn the_example_of_the_paper() {
    let mut queue = queue(500);
    for (sender, handle, size) in [(1, 1, 200), (1, 2, 750), (1, 3, 20), (2, 4, 500)] {
        push(&mut queue, sender, handle, size);
    }
    let order: Vec<u32> = std::iter::from_fn(|| pop(&mut queue)).map(|parcel| parcel.handle).collect();
    assert_eq!(order, [1, 4, 2, 3]);
}

/// Lemma 2 and theorem 4 of the paper: consider two flows that always have packets waiting. In any interval, the bytes
/// that they have sent differ by less than a quantum plus twice the largest packet, for any packet sizes.
#[test]
fn shares_differ_by_a_quantum_and_two_packets_at_most() {
    const SIZES: [u16; 4] = [1500, 40, 700, 1499];
    for quantum in [300, 1500, 4000] {
        let mut queue = queue(quantum);
        for handle in 0..2000 {
            (0..4_u32).for_each(|one| push(&mut queue, one.into(), handle * 4 + one, SIZES[one as usize]));
        }
        // The bytes that each sender has sent after each packet, while all senders have packets left.
        let mut sent = vec![[0_i64; 4]];
        for _ in 0..2000 {
            let mut now = *sent.last().unwrap_or(&[0; 4]);
            let parcel = pop(&mut queue).unwrap_or_else(|| panic!("something waits"));
            now[parcel.handle as usize % 4] += i64::from(parcel.size);
            sent.push(now);
        }
        let bound = quantum.cast_signed() + 2 * 1500;
        for one in 0..4 {
            for other in 0..one {
                let ahead = sent.iter().map(|sent| sent[one] - sent[other]);
                let (least, most) = ahead.fold((i64::MAX, i64::MIN), |(a, b), x| (a.min(x), b.max(x)));
                // The difference over an interval is the difference between two of these values.
                assert!(most - least < bound, "{quantum}: {}", most - least);
            }
        }
    }
}

/// Sender 0 has 3000 B and sender 1 has 2000 B. The newest packet of sender 0 is dropped for sender 1. If the sender of
/// the arriving packet would have most bytes, the arriving packet is dropped.
#[test]
fn the_longest_queue_loses_its_newest() {
    let mut queue = queue(1514);
    for (sender, handle, size) in [(0, 1, 1500), (0, 2, 1500), (1, 3, 1000), (1, 4, 1000)] {
        push(&mut queue, sender, handle, size);
    }
    let mut room = |sender, size| {
        queue.make_room(Coming { sender, size, urgent: false, ack: None }).map(|parcel| parcel.handle)
    };
    assert_eq!(room(0, 100), None);
    assert_eq!(room(1, 900), Some(2));
    assert_eq!(room(1, 900), None);
    assert_eq!(room(9, 1500), Some(4));
    assert_eq!(room(9, 1500), None);
    assert_eq!(
        (queue.amount(), pop(&mut queue).map(|parcel| parcel.handle)),
        (Amount { packets: 2, bytes: 2500 }, Some(1))
    );
}

/// A flow whose packets were all dropped is treated as a new flow when it sends again.
#[test]
fn an_emptied_queue_starts_anew() {
    let mut queue = queue(1000);
    push(&mut queue, 0, 1, 1500);
    push(&mut queue, 1, 2, 100);
    assert_eq!(
        queue.make_room(Coming { sender: 1, size: 100, urgent: false, ack: None }).map(|it| it.handle),
        Some(1)
    );
    assert_eq!(pop(&mut queue).map(|it| it.handle), Some(2));
    assert_eq!((pop(&mut queue), queue.flows[0].active), (None, false));
    let later = Time::ZERO + Span::from_millis(1);
    let parcel = Parcel { handle: 3, size: 900, site: 0 };
    assert_eq!(queue.push(parcel, 0, &mut Table::new().context(later)), Ok(()));
    assert_eq!(pop(&mut queue), Some(parcel));
}

/// One sender has streams that end, three at a time. The streams are served in turn. After they have ended, no queue
/// remains assigned to them.
#[test]
fn streams_that_pass_leave_their_queues() {
    let mut queue = queue(1500);
    for round in 1..=1000_u64 {
        for stream in [3 * round, 3 * round + 1, 3 * round + 2] {
            let handle = (stream % 3) as u32;
            push(&mut queue, stream << 32 | 7, handle, 1500);
            push(&mut queue, stream << 32 | 7, handle, 1500);
        }
        let order: Vec<u32> = std::iter::from_fn(|| pop(&mut queue)).map(|parcel| parcel.handle).collect();
        assert_eq!(order, [0, 1, 2, 0, 1, 2]);
    }
    assert_eq!((queue.flows.len(), queue.flow_of.len(), queue.spare.len()), (3, 0, 3));
}
