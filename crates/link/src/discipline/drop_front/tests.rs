// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::rig::{Rig, replay_within};
use crate::{Config, Delay, Discipline, Ecn, Link, LinkSpec, Queue, QueueLimit};
use units::{Bytes, Rate, Span, Time};

/// A packet that leaves is marked if more than 8 packets are behind it. 20 packets may wait.
#[test]
fn marks_as_the_papers_have_them() {
    let mark_above = Some(Threshold { above: QueueLimit::Packets(8) });
    let mut queue = DropFrontQueue { settings: DropFront { mark_above }, tail: Tail::default() };
    replay_within(&mut queue, 20, include_str!("../../../../../vectors/queues/drop-front.csv"));
}

/// At 12 Mbit/s, 1500 B take 1 ms.
fn link(limit: QueueLimit) -> Rig {
    marking(limit, None)
}

fn marking(limit: QueueLimit, above: Option<QueueLimit>) -> Rig {
    let mark_above = above.map(|above| Threshold { above });
    let queue = Queue { limit, discipline: Discipline::DropFront(DropFront { mark_above }) };
    let spec = LinkSpec { rate: Some(Rate::from_bits_per_s(12_000_000)), queue, ..LinkSpec::IDEAL };
    Rig::of(Link::new(&Config::new(spec, Delay::Constant(Span::ZERO)), 1))
}

/// Ten packets arrive at the same time, and three may wait. Packet 0 is sent. Packets 1 to 6 are dropped when 4 to 9
/// arrive. The packets that arrive at the far end waited 0, 1, 2 and 3 ms, as with drop-tail, which would drop 4 to 9.
/// The newest packet is always accepted.
#[test]
fn the_oldest_goes() {
    for limit in [QueueLimit::Packets(3), QueueLimit::Bytes(Bytes::new(4500))] {
        let mut link = link(limit);
        for handle in 0..10 {
            assert!(link.offer(Time::ZERO, Parcel { handle, size: 1500, site: 0 }).is_some());
        }
        assert_eq!(link.dropped(), [1, 2, 3, 4, 5, 6]);
        assert!(link.log.dropped.iter().all(|&(_, why)| why == Lost::Full));
        assert_eq!(link.order(Time::MAX), [(0, 1.0), (7, 2.0), (8, 3.0), (9, 4.0)]);
    }
}

/// If a packet is larger than the whole queue, no waiting packet is dropped for it.
#[test]
fn nobody_goes_in_vain() {
    let mut link = link(QueueLimit::Bytes(Bytes::new(1000)));
    for (handle, size) in [(0, 1500), (1, 400), (2, 400), (3, 1500), (4, 700)] {
        link.offer(Time::ZERO, Parcel { handle, size, site: 0 });
    }
    // If several packets are dropped at the same time, the last one is reported first.
    assert_eq!(link.dropped(), [3, 2, 1]);
}

/// 30 packets arrive, one every 0.5 ms. Packet k begins at k ms. By then, the packets up to 2k have arrived, and k + 1
/// have begun. Hence k - 1 packets are behind packet k. From packet 15 on, when all packets have arrived, this number
/// is 29 - k. It exceeds three from packet 5 to packet 25. The first marked packet leaves at 5 ms. A mark at arrival
/// (`threshold`) would be on packet 9, which leaves at 9 ms. Packet n waits n/2 ms, which exceeds 3 ms from packet 7
/// on.
#[test]
fn what_leaves_is_marked_for_what_is_behind_it() {
    for (above, expected) in [
        (QueueLimit::Packets(3), 5..26),
        (QueueLimit::Bytes(Bytes::new(4500)), 5..26),
        (QueueLimit::Time(Span::from_millis(3)), 7..30),
    ] {
        let mut link = marking(QueueLimit::Unlimited, Some(above));
        for handle in 0..30 {
            link.log.ecn.insert(handle, Ecn::Ect0);
            let at = Time::ZERO + Span::from_micros(500 * u64::from(handle));
            link.offer(at, Parcel { handle, size: 1500, site: 0 });
        }
        assert_eq!(link.finish().len(), 30);
        assert_eq!(link.log.marked, expected.collect::<Vec<u32>>(), "{above:?}");
    }
}
