// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::rig::{Rig, replay_within};
use crate::{Config, Delay, Discipline, Ecn, Link, LinkSpec, Queue, QueueLimit};
use random::{Draw as _, SeedableRng as _, Xoshiro256PlusPlus};
use units::{Rate, Span, Time};

/// Each class marks a packet that finds more than 6 packets of this class, or that waited longer than 10 ms. 20 packets
/// may wait.
#[test]
fn marks_as_the_papers_have_them() {
    let queue = |above| PriorityQueue {
        settings: Priority { mark_above: Some(Threshold { above }) },
        urgent: Tail::default(),
        ordinary: Tail::default(),
    };
    for (above, rows) in [
        (QueueLimit::Packets(6), include_str!("../../../../../vectors/queues/priority.csv")),
        (
            QueueLimit::Time(Span::from_millis(10)),
            include_str!("../../../../../vectors/queues/priority-by-wait.csv"),
        ),
    ] {
        replay_within(&mut queue(above), 20, rows);
    }
}

/// At 12 Mbit/s, 1500 B take 1 ms.
fn link(limit: QueueLimit) -> Rig {
    marking(limit, None)
}

fn marking(limit: QueueLimit, above: Option<QueueLimit>) -> Rig {
    let mark_above = above.map(|above| Threshold { above });
    let queue = Queue { limit, discipline: Discipline::Priority(Priority { mark_above }) };
    let spec = LinkSpec { rate: Some(Rate::from_bits_per_s(12_000_000)), queue, ..LinkSpec::IDEAL };
    Rig::of(Link::new(&Config::new(spec, Delay::Constant(Span::ZERO)), 1))
}

fn parcel(handle: u32) -> Parcel {
    Parcel { handle, size: 1500, site: 0 }
}

/// Packet 0 is sent, and packets 1 and 2 wait. The urgent packets 10 and 11 are sent before them, but do not interrupt
/// a transmission.
#[test]
fn urgent_packets_go_first() {
    let mut link = link(QueueLimit::Packets(10));
    link.log.urgent.extend([10, 11]);
    for handle in [0, 1, 2, 10, 11] {
        link.offer(Time::ZERO, parcel(handle));
    }
    assert_eq!(link.order(Time::MAX), [(0, 1.0), (10, 2.0), (11, 3.0), (1, 4.0), (2, 5.0)]);
}

/// All packets arrive at the same time. Packet 0 is sent. Packets 1 to 5 find 0 to 4 packets of their class. The urgent
/// packets 10 to 13 find 0 to 3 packets of their class, although five packets already wait. With a threshold of two
/// packets, 4, 5 and 13 are marked. With a threshold of 3 ms, packets 10 to 13 leave at 1 to 4 ms, and packets 1 to 5
/// after that.
#[test]
fn each_class_marks_by_itself() {
    for (above, expected) in [
        (QueueLimit::Packets(2), vec![4, 5, 13]),
        (QueueLimit::Time(Span::from_millis(3)), vec![13, 1, 2, 3, 4, 5]),
    ] {
        let mut link = marking(QueueLimit::Unlimited, Some(above));
        link.log.urgent.extend([10, 11, 12, 13]);
        for handle in [0, 1, 2, 3, 4, 5, 10, 11, 12, 13] {
            link.log.ecn.insert(handle, Ecn::Ect1);
            link.offer(Time::ZERO, parcel(handle));
        }
        assert_eq!(link.finish().len(), 10);
        assert_eq!(link.log.marked, expected, "{above:?}");
    }
}

/// Three packets may wait: 1, 2 and 3. Packet 4 is refused. The urgent packets 10 to 12 push out the newest ordinary
/// packets. Packet 13 finds only urgent packets.
#[test]
fn a_full_queue_makes_room_for_urgent_packets_alone() {
    let mut link = link(QueueLimit::Packets(3));
    link.log.urgent.extend([10, 11, 12, 13]);
    for handle in [0, 1, 2, 3, 4, 10, 11, 12, 13, 5] {
        link.offer(Time::ZERO, parcel(handle));
    }
    assert_eq!(link.dropped(), [4, 3, 2, 1, 13, 5]);
    assert_eq!(link.order(Time::MAX), [(0, 1.0), (10, 2.0), (11, 3.0), (12, 4.0)]);
}

/// Cobham 1954, equation 3. With Poisson arrivals, a service time of S = 1 ms, and loads of 0.3 (urgent) and 0.5, both
/// classes wait for W0 = 0.8 S/2. Urgent packets wait W0 / (1 - 0.3) = 0.571 ms, and ordinary packets wait W0 / ((1 -
/// 0.3)(1 - 0.8)) = 2.857 ms. The means are over 240,000 and 400,000 waits, which are correlated, so the bound is 3 %.
#[test]
fn waits_are_cobhams() {
    let mut link = link(QueueLimit::Unlimited);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut uniform = || ((random.word() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
    let (mut now, mut sums) = (0.0, [(0.0, 0.0); 2]);
    for handle in 0..800_000 {
        now += -uniform().ln() / 800.0;
        if uniform() < 3.0 / 8.0 {
            link.log.urgent.insert(handle);
        }
        link.offer(Time::ZERO + Span::from_secs_f64(now), parcel(handle));
    }
    link.finish();
    for (handle, wait) in &link.log.waits {
        let (sum, count) = &mut sums[usize::from(link.log.urgent.contains(handle))];
        *sum += wait.secs_f64() * 1e3;
        *count += 1.0;
    }
    let [(ordinary, n), (urgent, m)] = sums;
    let (ordinary, urgent) = (ordinary / n, urgent / m);
    assert!((urgent / (0.4 / 0.7) - 1.0).abs() < 0.03, "{urgent}");
    assert!((ordinary / (0.4 / (0.7 * 0.2)) - 1.0).abs() < 0.03, "{ordinary}");
}
