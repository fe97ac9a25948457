// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::rig::Rig;
use crate::{Config, Delay, Discipline, Ecn, LinkSpec, Queue};
use units::{Bytes, Time};

fn us(us: u64) -> Time {
    Time::ZERO + Span::from_micros(us)
}

/// At 12 Mbit/s, 1500 B take 1 ms.
fn config(discipline: Discipline) -> Config {
    let queue = Queue { limit: QueueLimit::Packets(20), discipline };
    let spec = LinkSpec { rate: Some(Rate::from_bits_per_s(12_000_000)), queue, ..LinkSpec::IDEAL };
    Config::new(spec, Delay::Constant(Span::from_millis(10)))
}

/// Offers `count` packets of 1500 B with one codepoint, one every 0.5 ms.
fn fed(discipline: Discipline, ecn: Ecn, count: u32) -> Rig {
    let mut link = Rig::new(&config(discipline), 1);
    for handle in 0..count {
        link.log.ecn.insert(handle, ecn);
        link.offer(us(500 * u64::from(handle)), Parcel { handle, size: 1500, site: 0 });
    }
    link
}

fn above(above: QueueLimit) -> Discipline {
    Discipline::Threshold(Threshold { above })
}

/// Packet n arrives at n/2 ms. Packet 2k finds 2k earlier packets, of which k + 1 have begun (at 0, 1, …, k ms), so k -
/// 1 wait. Packet 2k + 1 finds k waiting packets. More than three packets wait for odd numbers from 9 on (k = 4), and
/// for even numbers from 10 on (k - 1 = 4). 6000 B are four packets, so the numbers are from 11 and 12 on.
#[test]
fn what_finds_a_long_queue_is_marked() {
    for (threshold, first) in [
        (QueueLimit::Packets(3), 9),
        (QueueLimit::Packets(4), 11),
        (QueueLimit::Bytes(Bytes::new(5999)), 9),
        (QueueLimit::Bytes(Bytes::new(6000)), 11),
        (QueueLimit::Unlimited, 30),
    ] {
        for ecn in [Ecn::Ect0, Ecn::Ect1] {
            let mut link = fed(above(threshold), ecn, 30);
            assert_eq!(link.log.marked, (first..30).collect::<Vec<u32>>(), "{threshold:?}");
            assert_eq!(link.link.counters().marked, u64::from(30 - first));
            assert_eq!(link.finish().len(), 30);
        }
    }
}

/// Packet n waits n/2 ms, which exceeds 3 ms from packet 7 on. It is marked when its transmission begins, at n ms.
#[test]
fn what_waited_long_is_marked_when_it_leaves() {
    let threshold = above(QueueLimit::Time(Span::from_millis(3)));
    let mut link = fed(threshold, Ecn::Ect1, 30);
    link.run(us(14_500));
    assert_eq!(link.log.marked, (7..=14).collect::<Vec<u32>>());
    link.finish();
    assert_eq!(link.log.marked, (7..30).collect::<Vec<u32>>());
}

/// For packets that cannot be marked, the queue is a drop-tail queue: the same packets are dropped, and the others
/// arrive at the same times after the same waits. Marks do not remove packets, so this also applies to packets that can
/// be marked.
#[test]
fn but_for_marks_it_is_drop_tail() {
    let mut plain = fed(Discipline::DropTail, Ecn::NotEct, 100);
    let expected = (plain.finish(), plain.log.dropped.clone(), plain.log.waits.clone());
    assert!(!plain.log.dropped.is_empty());
    for ecn in [Ecn::NotEct, Ecn::Ect0] {
        let mut link = fed(above(QueueLimit::Packets(3)), ecn, 100);
        let got = (link.finish(), link.log.dropped.clone(), link.log.waits.clone());
        assert_eq!(got, expected);
        assert_eq!(link.log.marked.is_empty(), ecn == Ecn::NotEct);
    }
}

/// 12 Mbit/s x 40 ms are 60 kB. The threshold is a fifth of this amount.
#[test]
fn a_threshold_in_bdp_is_resolved() {
    let queue = Queue { limit: QueueLimit::Packets(20), discipline: above(QueueLimit::Bdp(0.2)) };
    let resolved = queue.resolve(Some(Rate::from_bits_per_s(12_000_000)), Span::from_millis(40));
    assert_eq!(resolved.discipline, above(QueueLimit::Bytes(Bytes::new(12_000))));
}
