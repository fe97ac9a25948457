// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::rig::Rig;
use crate::{
    CoDel, Config, Course, Dama, Delay, Discipline, LinkSpec, Parcel, Piece, Queue, QueueLimit, RateSchedule,
    Service,
};
use std::sync::Arc;
use units::{Bytes, Rate, Span, Time};

/// No capacity without requests, and no requests.
const NOTHING: Dama = Dama {
    superframe: Span::from_millis(40),
    latency: Span::from_millis(560),
    cra: Rate::from_bits_per_s(0),
    rbdc: Rate::from_bits_per_s(0),
    vbdc: Rate::from_bits_per_s(0),
    fca: 0.0,
    random: None,
    carrier: None,
};
const VBDC: Dama = Dama { vbdc: kbit(1000), ..NOTHING };
const RBDC: Dama = Dama { rbdc: kbit(1000), ..NOTHING };
const CRA: Dama = Dama { cra: kbit(100), ..NOTHING };

const fn kbit(kbit_per_s: u64) -> Rate {
    Rate::from_bits_per_s(1000 * kbit_per_s)
}

fn at(ms: u64) -> Time {
    Time::ZERO + Span::from_millis(ms)
}

/// At 1 Mbit/s, a superframe of 40 ms carries 5000 bytes. There is no propagation delay.
fn config(dama: Option<Dama>) -> Config {
    let spec = LinkSpec { rate: Some(kbit(1000)), dama, ..LinkSpec::IDEAL };
    Config { spec, delay: Delay::Constant(Span::ZERO), course: None }
}

fn link(dama: Dama) -> Rig {
    Rig::new(&config(Some(dama)), 1)
}

/// A packet of 500 bytes, which takes 4 ms on the carrier.
fn parcel(handle: u32) -> Parcel {
    Parcel { handle, size: 500, site: 0 }
}

/// A packet arrives at an idle terminal, `phase` after the start of a superframe. It waits for the next superframe, in
/// which its capacity is requested. It then waits for as many whole superframes as the latency needs: 14 superframes of
/// 40 ms, both for 560 ms and for 521 ms.
#[test]
fn the_first_packet_waits_for_a_request_and_its_grant() {
    for latency in [521, 560] {
        for phase in [1, 10, 39] {
            let mut link = link(Dama { latency: Span::from_millis(latency), ..VBDC });
            link.offer(at(400 + phase), parcel(1));
            assert_eq!(link.order(at(2000)), [(1, f64::from(400 + 40 + 560 + 4))]);
            assert_eq!(link.log.waits[&1], Span::from_millis(40 - phase + 560));
        }
    }
    // If a packet arrives at the start of a superframe, its capacity is requested in the next superframe.
    let mut link = link(VBDC);
    link.offer(at(400), parcel(1));
    assert_eq!(link.order(at(2000)), [(1, f64::from(400 + 40 + 560 + 4))]);
}

/// Volume is requested only once. Ten packets are 5000 bytes, which is the capacity of a superframe. An eleventh packet
/// arrives while they wait, and is requested separately.
#[test]
fn each_byte_is_asked_for_once() {
    let mut link = link(VBDC);
    for handle in 0..10 {
        link.offer(at(1), parcel(handle));
    }
    link.offer(at(300), parcel(10));
    let order = link.order(at(5000));
    for (handle, time) in (0..10).zip((0..10).map(|n| 600.0 + 4.0 * f64::from(n + 1))) {
        assert_eq!(order[handle as usize], (handle, time));
    }
    // 320 + 560 ms is the start of a superframe.
    assert_eq!(order[10], (10, 884.0));
}

/// With a limit of 100 kbit/s, each superframe has 500 bytes. Volume that was requested at once is granted one packet
/// at a time.
#[test]
fn volume_beyond_the_limit_is_owed() {
    let mut link = link(Dama { vbdc: kbit(100), ..VBDC });
    for handle in 0..4 {
        link.offer(at(1), parcel(handle));
    }
    assert_eq!(link.order(at(5000)), [(0, 604.0), (1, 644.0), (2, 684.0), (3, 724.0)]);
}

/// 500 bytes are granted at the start of each superframe. A packet that arrives at this time is sent at once. A packet
/// that arrives later waits for less than a superframe. A packet that arrives during a grant is sent in two parts.
#[test]
fn a_constant_assignment_makes_a_sawtooth() {
    for (comes, begins, ends) in
        [(80, 80, 84.0), (81, 81, 121.0), (83, 83, 123.0), (84, 120, 124.0), (119, 120, 124.0)]
    {
        let mut link = link(CRA);
        link.offer(at(comes), parcel(1));
        assert_eq!(link.order(at(1000)), [(1, ends)], "{comes}");
        assert_eq!(link.log.begins[&1], at(begins), "{comes}");
    }
}

/// A packet of 1500 bytes takes three superframes with 500 bytes each.
#[test]
fn a_large_packet_is_cut_up() {
    let mut link = link(CRA);
    link.offer(at(79), Parcel { size: 1500, ..parcel(1) });
    link.offer(at(79), parcel(2));
    assert_eq!(link.order(at(1000)), [(1, 164.0), (2, 204.0)]);
    // The two packets used the carrier for 16 ms, not for 124 ms.
    assert_eq!(link.link.busy_time(at(1000)), Span::from_millis(16));
    let mut link = self::link(CRA);
    link.offer(at(79), Parcel { size: 1500, ..parcel(1) });
    for (now, busy) in [(79, 0), (82, 2), (84, 4), (119, 4), (122, 6), (130, 8), (165, 12)] {
        link.run(at(now));
        assert_eq!(link.link.busy_time(at(now)), Span::from_millis(busy), "{now}");
    }
}

/// At 400 kbit/s, a packet arrives every 10 ms. Packets that arrive during superframe k are requested when k + 1
/// begins, and granted in k + 15. The four packets are sent in the first 16 ms of the superframe. From then on, the
/// rate of departures equals the rate of arrivals.
#[test]
fn a_steady_load_gets_its_rate() {
    let mut link = link(RBDC);
    for handle in 0..400 {
        link.offer(at(1 + 10 * u64::from(handle)), parcel(handle));
    }
    let order = link.order(at(10_000));
    assert_eq!(order.len(), 400);
    for (handle, time) in order {
        let (k, n) = (handle / 4, handle % 4);
        assert_eq!(time, f64::from(40 * (k + 15) + 4 * (n + 1)), "{handle}");
    }
}

/// A limit of 200 kbit/s lets half of 400 kbit/s through, which is two packets per superframe. The rest of a finite
/// load is sent afterwards.
#[test]
fn a_rate_beyond_the_limit_is_asked_for_later() {
    let mut link = link(Dama { rbdc: kbit(200), ..RBDC });
    for handle in 0..100 {
        link.offer(at(1 + 10 * u64::from(handle)), parcel(handle));
    }
    for (handle, time) in link.order(at(10_000)) {
        let (k, n) = (handle / 2, handle % 2);
        assert_eq!(time, f64::from(40 * (k + 15) + 4 * (n + 1)), "{handle}");
    }
    assert_eq!(link.link.counters().delivered, 100);
}

/// With RBDC alone, the queue of the first latency never gets shorter. With VBDC in addition, its bytes are requested
/// twice. Later packets then find capacity that was requested for earlier packets, and wait for less than two
/// superframes.
#[test]
fn volume_drains_what_rate_leaves() {
    let waits = |dama: Dama| {
        let mut link = link(dama);
        for handle in 0..1000 {
            link.offer(at(1 + 10 * u64::from(handle)), parcel(handle));
        }
        link.finish();
        link.log.waits[&999]
    };
    assert!(waits(RBDC) > Span::from_millis(560));
    let both = waits(Dama { vbdc: kbit(1000), ..RBDC });
    assert!(both < Span::from_millis(80), "{both}");
}

/// With all of the free capacity, granted without requests, the link behaves like a link without demand assignment.
/// With half of the free capacity, it sends in the first half of each superframe.
#[test]
fn free_capacity() {
    let mut free = link(Dama { fca: 1.0, ..NOTHING });
    let mut plain = Rig::new(&config(None), 1);
    for handle in 0..50 {
        for link in [&mut free, &mut plain] {
            link.offer(at(3 * u64::from(handle) + u64::from(handle) / 20 * 100), parcel(handle));
        }
    }
    assert_eq!(free.order(at(10_000)), plain.order(at(10_000)));
    let mut half = link(Dama { fca: 0.5, ..NOTHING });
    for handle in 0..6 {
        half.offer(at(41), parcel(handle));
    }
    // Of 20 ms, 1 ms has passed. Four packets and three quarters of the fifth fit into the rest.
    let times = [45.0, 49.0, 53.0, 57.0, 81.0, 85.0];
    assert_eq!(half.order(at(1000)), (0..6).zip(times).collect::<Vec<_>>());
}

/// A terminal on a carrier whose rate changes. Each step is a time in ms and a rate in kbit/s.
fn moving(dama: Dama, steps: &[(u64, u64)]) -> Rig {
    let pieces = steps.iter().map(|&(ms, rate)| Piece::constant(at(ms), kbit(rate))).collect();
    let schedule = RateSchedule::new(pieces).unwrap_or_else(|error| panic!("{error}"));
    let course = Course { service: Some(Service::Schedule(schedule)), ..Course::default() };
    Rig::new(&Config { course: Some(Arc::new(course)), ..config(Some(dama)) }, 1)
}

/// The rate is halved within a superframe. This superframe is sent as planned, with ten packets of 4 ms. From the next
/// superframe on, each packet takes 8 ms.
#[test]
fn a_superframe_is_sent_at_the_rate_with_which_it_began() {
    let mut link = moving(Dama { fca: 1.0, ..NOTHING }, &[(0, 1000), (90, 500)]);
    for handle in 0..15 {
        link.offer(at(80), parcel(handle));
    }
    let times =
        (1..=10).map(|n| 80.0 + 4.0 * f64::from(n)).chain((1..=5).map(|n| 120.0 + 8.0 * f64::from(n)));
    assert_eq!(link.order(at(1000)), (0..15).zip(times).collect::<Vec<_>>());
}

/// Superframes that begin in a pause have no grant, here those at 120 and 160 ms. The superframe in which the pause
/// begins is sent completely.
#[test]
fn a_pause_takes_whole_superframes() {
    for first in [0, 60] {
        let mut link = moving(Dama { fca: 1.0, ..NOTHING }, &[(0, 1000), (100, 0), (170, 1000)]);
        for handle in 0..12 {
            link.offer(at(80), parcel(handle));
        }
        link.run(at(first));
        let times = (1..=10).map(|n| 80.0 + 4.0 * f64::from(n)).chain([204.0, 208.0]);
        assert_eq!(link.order(at(1000)), (0..12).zip(times).collect::<Vec<_>>());
    }
}

/// Capacity was requested while the carrier had 5000 bytes per superframe, and is granted when it has 2500. The other
/// half remains owed, and no byte is requested twice.
#[test]
fn what_a_fade_leaves_of_a_grant_is_owed() {
    let mut link = moving(VBDC, &[(0, 1000), (590, 500), (720, 1000)]);
    for handle in 0..10 {
        link.offer(at(1), parcel(handle));
    }
    link.offer(at(690), parcel(10));
    // The eleventh packet is requested at 720 ms, and granted 560 ms later at the full rate.
    let times = (1..=10).map(|n| 600.0 + 8.0 * f64::from(n)).chain([1284.0]);
    assert_eq!(link.order(at(3000)), (0..11).zip(times).collect::<Vec<_>>());
}

/// A CRA of 500 kbit/s carries five packets per superframe. One superframe is lost in a pause. From then on, all
/// packets are one superframe late. This ends when the lost bytes, which are requested by rate, are granted, 560 ms
/// after the start of the next superframe.
#[test]
fn what_a_fade_takes_of_the_cra_is_asked_for() {
    let mut link = moving(Dama { cra: kbit(500), ..RBDC }, &[(0, 1000), (200, 0), (240, 1000)]);
    for handle in 0..125 {
        link.offer(at(40 * (u64::from(handle) / 5) + 30), parcel(handle));
    }
    let order = link.order(at(5000));
    assert_eq!(order.len(), 125);
    for (handle, time) in order {
        let (k, n) = (handle / 5, handle % 5);
        let late = match k {
            // These are the packets that leave in superframes 1 to 4, and from superframe 20 (800 ms) on.
            0..4 | 19.. => 0,
            _ => 1,
        };
        // This superframe carries two groups of packets, one after the other.
        let after = if k == 19 { 20.0 } else { 0.0 };
        assert_eq!(time, f64::from(40 * (k + 1 + late) + 4 * (n + 1)) + after, "{handle}");
    }
}

/// 2 Mbit/s are offered to 1 Mbit/s for 4 s. For any categories, the bytes that arrive within 40 ms are at most the
/// capacity of the carrier. While enough packets wait, they equal this capacity.
#[test]
fn never_more_than_the_carrier() {
    for dama in [
        VBDC,
        RBDC,
        Dama { vbdc: kbit(1000), ..RBDC },
        Dama { cra: kbit(100), rbdc: kbit(300), vbdc: kbit(5000), fca: 0.3, ..NOTHING },
    ] {
        let mut link = link(dama);
        for handle in 0..2000 {
            link.offer(at(2 * u64::from(handle)), parcel(handle));
        }
        let order = link.order(at(20_000));
        assert_eq!(order.len(), 2000);
        for pair in order.windows(11) {
            assert!(pair[10].1 - pair[0].1 >= 40.0 - 1e-6, "{dama:?}: {pair:?}");
        }
        let between = order.iter().filter(|&&(_, time)| time > 2000.0 && time <= 4000.0).count();
        assert!((499..=501).contains(&between), "{dama:?}: {between}");
    }
}

/// The limit of the queue counts packets that wait for a grant. A packet that arrives at an empty link is always
/// accepted.
#[test]
fn queues_in_front_of_grants() {
    let limited = |limit: QueueLimit, discipline: Discipline| {
        let spec = LinkSpec { queue: Queue { limit, discipline }, ..config(Some(VBDC)).spec };
        Rig::new(&Config { spec, ..config(None) }, 1)
    };
    let mut link = limited(QueueLimit::Packets(3), Discipline::DropTail);
    for handle in 0..5 {
        link.offer(at(1), parcel(handle));
    }
    assert_eq!(link.dropped(), [3, 4]);
    let mut link = limited(QueueLimit::Bytes(Bytes::new(100)), Discipline::DropTail);
    assert!(link.offer(at(1), parcel(1)).is_some());
    assert_eq!(link.offer(at(1), parcel(2)), None);
    // The wait for a grant is much longer than CoDel's target, so CoDel drops packets.
    let mut link = limited(QueueLimit::Unlimited, Discipline::CoDel(CoDel::default()));
    for handle in 0..500 {
        link.offer(at(4 * u64::from(handle)), parcel(handle));
    }
    link.finish();
    assert!(!link.dropped().is_empty());
}

/// Low-priority packets are sent only if no other packet waits, and only in a grant.
#[test]
fn low_priority_needs_grants_too() {
    let mut link = link(CRA);
    link.offer(at(85), Parcel { site: Parcel::LOW, ..parcel(1) });
    link.offer(at(86), parcel(2));
    assert_eq!(link.order(at(1000)), [(2, 124.0), (1, 164.0)]);
}

/// If the link ends while a packet is fragmented, the complete packet is handed back.
#[test]
fn recalled_amid_a_packet() {
    let mut link = link(CRA);
    link.offer(at(80), Parcel { size: 1500, ..parcel(1) });
    link.offer(at(81), parcel(2));
    let back: Vec<u32> = link.recall(at(90), false).iter().map(|parcel| parcel.handle).collect();
    assert_eq!(back, [1, 2]);
    assert_eq!((link.link.in_flight(), link.link.next_event()), (0, None));
}

/// An hour without packets needs no events and changes nothing.
#[test]
fn idle_for_long() {
    let mut link = link(Dama { rbdc: kbit(500), vbdc: kbit(500), ..NOTHING });
    link.offer(at(1), parcel(1));
    assert_eq!(link.order(at(5000)), [(1, 604.0)]);
    let hour = 3_600_000;
    link.offer(at(hour + 1), parcel(2));
    assert_eq!(link.order(at(2 * hour)), [(2, (hour + 604) as f64)]);
}
