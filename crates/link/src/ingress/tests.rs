// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::rig::Rig;
use crate::{Config, Delay, Discipline, DropFront, LinkSpec, Lost, Parcel, Policer, Queue, QueueLimit};
use units::{Bytes, Rate, Span, Time};

/// A packet of 1400 bytes passes, and a packet of 1401 bytes does not. A packet that is too large takes no room in the
/// queue, no time and no tokens. The bucket holds one packet, which passes after two packets that are too large. At
/// 11.2 Mbit/s, 1400 bytes take 1 ms.
#[test]
fn a_packet_above_the_mtu_reaches_neither_policer_nor_queue() {
    let (rate, burst) = (Some(Rate::from_bits_per_s(11_200_000)), Bytes::new(1400));
    let policer = Some(Policer { rate: Rate::from_bits_per_s(1_000_000), burst });
    for discipline in [Discipline::DropTail, Discipline::DropFront(DropFront { mark_above: None })] {
        let queue = Queue { limit: QueueLimit::Packets(1), discipline };
        let spec = LinkSpec { rate, queue, policer, mtu: Some(1400), ..LinkSpec::IDEAL };
        let mut rig = Rig::new(&Config::new(spec, Delay::Constant(Span::ZERO)), 1);
        for (handle, size) in [(0, 1401), (1, u16::MAX), (2, 1400), (3, 52)] {
            rig.offer(Time::ZERO, Parcel { handle, size, site: 0 });
        }
        assert_eq!(rig.log.dropped, [(0, Lost::TooLarge), (1, Lost::TooLarge), (3, Lost::Policed)]);
        assert_eq!(rig.order(Time::ZERO + Span::from_millis(100)), [(2, 1.0)]);
        let counters = rig.link.counters();
        assert_eq!((counters.too_large, counters.policed, counters.dropped_queue), (2, 1, 0));
        assert_eq!((counters.accepted, counters.delivered), (1, 1));
    }
}
