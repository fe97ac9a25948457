// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::rig::{Log, Rig};
use crate::{CoDel, Course, Delay, DelayCurve, Discipline, FqCoDel, Grants, LinkSpec, Queue, QueueLimit};
use proptest::prelude::*;
use std::sync::Arc;
use units::{Bytes, Rate};

fn us(us: u64) -> Time {
    Time::ZERO + Span::from_micros(us)
}

fn mbit(mbit_per_s: u64) -> Rate {
    Rate::from_bits_per_s(mbit_per_s * 1_000_000)
}

fn parcel(handle: u32) -> Parcel {
    Parcel { handle, size: 1500, site: 0 }
}

/// At 12 Mbit/s, 1500 B take 1 ms. The delay is 10 ms.
fn config(queue: Queue) -> Config {
    let spec = LinkSpec { rate: Some(mbit(12)), queue, ..LinkSpec::IDEAL };
    Config::new(spec, Delay::Constant(Span::from_millis(10)))
}

fn unlimited() -> Config {
    config(QueueLimit::Unlimited.into())
}

fn four_packets(config: &Config) -> Rig {
    let mut link = Rig::new(config, 1);
    for handle in 0..4 {
        link.offer(us(0), parcel(handle));
    }
    link
}

/// At 0.5 ms, packet 0 is in transmission until 1 ms. At half the rate, each of the other packets takes 2 ms. At twice
/// the rate, each takes 0.5 ms.
#[test]
fn a_new_rate_is_that_of_what_waits() {
    let codel = Queue { limit: QueueLimit::Unlimited, discipline: Discipline::CoDel(CoDel::default()) };
    for queue in [QueueLimit::Unlimited.into(), codel] {
        for (rate, leave, waits, busy) in [
            (mbit(6), [1.0, 3.0, 5.0, 7.0], [0, 1000, 3000, 5000], 7000),
            (mbit(24), [1.0, 1.5, 2.0, 2.5], [0, 1000, 1500, 2000], 2500),
        ] {
            let mut link = four_packets(&config(queue));
            link.set_rate(us(500), Some(rate));
            let order = link.order(us(1_000_000));
            assert_eq!(order, [0, 1, 2, 3].map(|handle| (handle, leave[handle as usize] + 10.0)));
            assert_eq!([0, 1, 2, 3].map(|handle| link.log.waits[&handle].nanos() / 1000), waits);
            let counters = link.link.counters();
            assert_eq!((counters.wait_ns - counters.unwaited_ns) / 1000, waits.iter().sum::<u64>());
            assert_eq!(link.link.busy_time(us(20_000)), Span::from_micros(busy));
        }
    }
}

/// Packet 0 is sent immediately, and packets 1, 2 and 3 are sent from 1, 2 and 3 ms on. At 1.5 ms, two packets have
/// begun, and packet 1 has waited for 1 ms. The waits of packets 2 and 3 are not known yet. They are then taken back,
/// and never begin.
#[test]
fn waits_count_when_they_are_over() {
    let mut link = four_packets(&unlimited());
    for (at, begun, waited) in [(500, 1, 0), (1500, 2, 1000), (2500, 3, 3000), (3500, 4, 6000)] {
        assert_eq!(link.link.waits_that_are_over(us(at)), (begun, waited * 1000), "{at} us");
    }
    assert_eq!(link.link.recall(us(1500), false, &mut link.log).len(), 2);
    assert_eq!(link.link.waits_that_are_over(us(9000)), (2, 1_000_000));
}

/// If the rate is removed, all waiting packets leave when the transmission in progress ends. A packet that is offered
/// at the time of the change, but after it, is sent at the new rate.
#[test]
fn rates_come_and_go() {
    let mut link = four_packets(&unlimited());
    link.set_rate(us(500), None);
    assert_eq!(link.order(us(20_000)), [(0, 11.0), (1, 11.0), (2, 11.0), (3, 11.0)]);
    link.set_rate(us(20_000), Some(mbit(4)));
    link.offer(us(20_000), parcel(4));
    assert_eq!(link.order(us(40_000)), [(4, 33.0)]);
}

/// At 1.5 ms, packet 0 propagates and packet 1 is in transmission. Both arrive as decided before. Packet 2 leaves at 3
/// ms, and packet 3 at 4 ms. With a delay of 2 ms, both are faster than the packets before them.
#[test]
fn a_new_delay_is_that_of_what_is_yet_to_be_sent() {
    for (reorder, expected) in [
        (false, [(0, 11.0), (1, 12.0), (2, 12.0), (3, 12.0)]),
        (true, [(2, 5.0), (3, 6.0), (0, 11.0), (1, 12.0)]),
    ] {
        let plain = unlimited();
        let mut link = four_packets(&Config { spec: LinkSpec { reorder, ..plain.spec }, ..plain });
        link.set_delay(us(1500), Delay::Constant(Span::from_millis(2)));
        assert_eq!(link.order(us(100_000)), expected, "reorder: {reorder}");
        assert_eq!(link.log.waits[&3], Span::from_millis(3));
    }
}

/// Grants are every 4 ms, there is an outage from 6 to 10 ms, and half of the packets are lost. Setting the same delay
/// again does not change any result.
#[test]
fn the_same_delay_changes_nothing() {
    let course = Course {
        grants: Some((Grants { apart: Span::from_millis(4), or: (0.3, Span::from_millis(5)) }, 4)),
        loss: [(Time::ZERO, 0.5)].into(),
        cut: [(us(9_000), true), (us(13_000), false)].into(),
        ..Course::default()
    };
    let config = Config { course: Some(Arc::new(course)), ..unlimited() };
    let run = |set: bool| {
        let mut link = Rig::new(&config, 3);
        for handle in 0..40 {
            link.offer(us(u64::from(handle) * 700), parcel(handle));
            if set && handle % 3 == 0 {
                link.set_delay(us(u64::from(handle) * 700), config.delay.clone());
            }
        }
        link.finish()
    };
    assert_eq!(run(true), run(false));
}

/// The delay is a parabola, 1 ms plus 0.5 ms x (t/s)^2. The curve is given for 3 s at first, and later for 6 s without
/// the knots before 1 s. When a packet that leaves at 4 s is offered at 0, its delay is beyond the end of the first
/// curve. The longer curve then provides it.
#[test]
fn a_curve_is_set_again_before_it_ends() {
    let knots = |from: u64, to: u64| (from..=to).map(|t| 1e6 + 0.5e6 * (t * t) as f64).collect::<Vec<_>>();
    let curve = |from, to| {
        Delay::Curve(Arc::new(DelayCurve::from_knot(Time::ZERO, Span::from_secs(1), from, knots(from, to))))
    };
    // The link sends 1500 B per second.
    let spec = LinkSpec { rate: Some(Rate::from_bits_per_s(12_000)), ..LinkSpec::IDEAL };
    let mut link = four_packets(&Config::new(spec, curve(0, 3)));
    link.set_delay(us(2_500_000), curve(1, 6));
    // The packets leave at 1, 2, 3 and 4 s, and propagate for 1.5, 3, 5.5 and 9 ms. The third packet began at 2 s, and
    // leaves at the end of the first curve.
    assert_eq!(link.order(us(5_000_000)), [(0, 1001.5), (1, 2003.0), (2, 3005.5), (3, 4009.0)]);
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "its delay is known only from 0 s to 1 s")]
fn a_link_is_not_used_when_its_delay_is_not_known() {
    let curve = DelayCurve::new(Time::ZERO, Span::from_secs(1), vec![1e6, 2e6]);
    let config = Config::new(LinkSpec::IDEAL, Delay::Curve(Arc::new(curve)));
    let _ = Link::new(&config, 1).offer(us(1_000_001), parcel(0), &mut Log::default());
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "time runs forward")]
fn time_does_not_run_backward() {
    let mut link = Link::new(&unlimited(), 1);
    let _ = link.offer(us(2), parcel(0), &mut Log::default());
    let _ = link.offer(us(1), parcel(1), &mut Log::default());
}

#[test]
#[should_panic(expected = "at rate zero a link would never send")]
fn a_rate_of_zero_is_refused() {
    let _ = Link::new(&unlimited(), 1).set_rate(us(0), Some(mbit(0)), &mut Log::default());
}

/// Before the first arrival, no event is due. If calls are late, each call returns one packet, for any discipline.
#[test]
fn early_calls_do_nothing_and_late_ones_catch_up() {
    let fair = Queue { limit: QueueLimit::Unlimited, discipline: Discipline::FqCoDel(FqCoDel::default()) };
    for queue in [QueueLimit::Unlimited.into(), fair] {
        let (mut link, mut log) = (Link::new(&config(queue), 1), Log::default());
        for handle in 0..2 {
            let _ = link.offer(us(0), parcel(handle), &mut log);
        }
        let first = link.next_event();
        assert_eq!(link.advance(us(500), &mut log), Advance { arrived: None, next: first });
        for handle in 0..2 {
            let arrived = link.advance(us(50_000), &mut log).arrived;
            assert_eq!(arrived, Some(Arrival { parcel: parcel(handle), lost: None }));
        }
        assert_eq!(link.advance(us(50_000), &mut log), Advance { arrived: None, next: None });
        assert_eq!(log.waits[&1], Span::from_millis(1));
    }
}

/// The queue holds 1000 B. A packet of 1400 B would need more than that. Packets that were dropped to make room for it
/// are reported immediately.
#[test]
fn what_gives_way_in_vain_is_told() {
    let discipline = Discipline::FqCoDel(FqCoDel::default());
    let mut link = Rig::new(&config(Queue { limit: QueueLimit::Bytes(Bytes::new(1000)), discipline }), 1);
    link.offer(us(0), parcel(0));
    link.offer_from(us(0), Parcel { size: 900, ..parcel(1) }, 1);
    assert_eq!(link.offer_from(us(0), Parcel { size: 1400, ..parcel(2) }, 2), None);
    assert_eq!((link.dropped(), link.link.waiting_packets(us(0))), (vec![2], 1));
    assert_eq!(link.offer_from(us(0), Parcel { size: 800, ..parcel(3) }, 2), Some(Span::ZERO));
    assert_eq!(link.dropped(), [2, 1]);
}

/// An action on a link.
#[derive(Clone, Copy, Debug)]
enum Act {
    Offer(u16),
    Rate(u64),
    Delay(u64),
}

prop_compose! {
    fn any_acts()(acts in prop::collection::vec((0u64..4000, prop_oneof![
        4 => (40u16..1600).prop_map(Act::Offer),
        1 => (1u64..50).prop_map(Act::Rate),
        1 => (0u64..20_000).prop_map(Act::Delay),
    ]), 1..80)) -> Vec<(Time, Act)> {
        let mut now = Time::ZERO;
        acts.into_iter().map(|(gap, act)| {
            now += Span::from_micros(gap);
            (now, act)
        }).collect()
    }
}

proptest! {
    /// The transmission of a packet begins when the packet is offered and the previous packet is sent. The rate and the
    /// delay are those that were set last before this beginning.
    #[test]
    fn rates_and_delays_are_those_of_the_beginning(acts in any_acts(), holds in any::<bool>()) {
        let discipline = if holds {
            Discipline::CoDel(CoDel {
                target: Span::from_secs(3600),
                interval: Span::from_secs(3600),
                ce_threshold: None,
            })
        } else {
            Discipline::DropTail
        };
        let mut link = Rig::new(&config(Queue { limit: QueueLimit::Unlimited, discipline }), 1);
        let (mut free, mut last) = (Time::ZERO, Time::ZERO);
        let mut expected = Vec::new();
        for (at, &(now, act)) in acts.iter().enumerate() {
            match act {
                Act::Rate(rate) => link.set_rate(now, Some(mbit(rate))),
                Act::Delay(delay) => link.set_delay(now, Delay::Constant(Span::from_micros(delay))),
                Act::Offer(size) => {
                    let handle = expected.len() as u32;
                    link.offer(now, Parcel { handle, size, site: 0 });
                    let start = free.max(now);
                    let (mut rate, mut delay) = (12, 10_000);
                    for (other, &(when, act)) in acts.iter().enumerate() {
                        match act {
                            Act::Rate(new) if other < at || when < start => rate = new,
                            Act::Delay(new) if other < at || when < start => delay = new,
                            _ => {}
                        }
                    }
                    free = start + mbit(rate).time_for(Bytes::new(size.into()));
                    last = last.max(free + Span::from_micros(delay));
                    expected.push((handle, last, start.since(now), start));
                }
            }
        }
        let arrived = link.finish().into_iter();
        let (waits, begins) = (&link.log.waits, &link.log.begins);
        let told = |handle| (waits[&handle], begins[&handle]);
        let got: Vec<_> = arrived
            .map(|(at, it)| (it.parcel.handle, at, told(it.parcel.handle)))
            .map(|(handle, at, (wait, start))| (handle, at, wait, start))
            .collect();
        prop_assert_eq!(got, expected);
    }
}
