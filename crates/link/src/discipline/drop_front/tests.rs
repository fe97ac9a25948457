// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::rig::Rig;
use crate::{Config, Delay, Discipline, Link, LinkSpec, Queue, QueueLimit};
use units::{Bytes, Rate, Span, Time};

/// 12 Mbit/s: 1500 B take 1 ms.
fn link(limit: QueueLimit) -> Rig {
    let queue = Queue { limit, discipline: Discipline::DropFront(DropFront) };
    let spec = LinkSpec { rate: Some(Rate::from_bits_per_s(12_000_000)), queue, ..LinkSpec::IDEAL };
    Rig::of(Link::new(&Config::new(spec, Delay::Constant(Span::ZERO)), 1))
}

/// Ten at once, three may wait: 0 is sent; 1 to 6 are dropped as 4 to 9 come. What arrives waited 0, 1, 2 and 3 ms, as under
/// drop-tail, where 4 to 9 would have been dropped. The newest always gets in.
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

/// What is larger than the whole queue drops nobody.
#[test]
fn nobody_goes_in_vain() {
    let mut link = link(QueueLimit::Bytes(Bytes::new(1000)));
    for (handle, size) in [(0, 1500), (1, 400), (2, 400), (3, 1500), (4, 700)] {
        link.offer(Time::ZERO, Parcel { handle, size, site: 0 });
    }
    // Of those that go at once the last is told first.
    assert_eq!(link.dropped(), [3, 2, 1]);
}
