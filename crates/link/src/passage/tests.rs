// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::rig::Rig;
use crate::{Config, CongestionWarning, Delay, Impairment, LinkSpec, QueueLimit};
use std::sync::Arc;
use units::{Bytes, Rate};

fn config(queue: QueueLimit) -> Config {
    Config {
        spec: LinkSpec {
            rate: Some(Rate::from_bits_per_s(12_000_000)), // 1500 B take 1 ms
            queue: queue.into(),
            ..LinkSpec::IDEAL
        },
        delay: Delay::Constant(Span::from_millis(10)),
        course: None,
    }
}

fn parcel(handle: u32) -> Parcel {
    Parcel { handle, size: 1500, site: 0 }
}

fn ms(ms: u64) -> Time {
    Time::ZERO + Span::from_millis(ms)
}

#[test]
fn packets_leave_one_after_the_other() {
    let mut link = Rig::new(&config(QueueLimit::Unlimited), 1);
    assert_eq!(link.offer(ms(0), parcel(0)), Some(Span::ZERO));
    assert_eq!(link.link.next_event(), Some(ms(11)));
    assert_eq!(link.offer(ms(0), parcel(1)), Some(Span::from_millis(1)));
    assert_eq!(link.link.next_event(), Some(ms(11)));
    assert_eq!(link.link.backlog(ms(1)), Span::from_millis(1));
    assert_eq!(link.link.busy_time(ms(1)), Span::from_millis(1));
    assert_eq!(link.order(ms(19)), [(0, 11.0), (1, 12.0)]);
    assert_eq!(link.link.next_event(), None);
    // The link is idle from 2 ms on, so the next packet is sent immediately.
    assert_eq!(link.offer(ms(20), parcel(2)), Some(Span::ZERO));
    assert_eq!(link.order(ms(40)), [(2, 31.0)]);
    assert_eq!(link.link.busy_time(ms(40)), Span::from_millis(3));
}

#[test]
fn the_packet_in_transmission_does_not_count_as_waiting() {
    let mut link = Rig::new(&config(QueueLimit::Packets(2)), 1);
    let outcomes: Vec<bool> = (0..4).map(|i| link.offer(ms(0), parcel(i)).is_some()).collect();
    assert_eq!(outcomes, [true, true, true, false]); // one is sent, two wait, the fourth finds no room
    assert_eq!(link.link.waiting_packets(ms(0)), 2);
    assert_eq!(link.link.waiting_packets(ms(1)), 1); // the second begins at 1 ms
    assert!(link.offer(ms(1), parcel(4)).is_some());
    assert_eq!(link.log.dropped, [(3, Lost::Full)]);
}

#[test]
fn limits_in_bytes_and_time() {
    let mut link = Rig::new(&config(QueueLimit::Bytes(Bytes::new(3000))), 1);
    let accepted = (0..5).filter(|&i| link.offer(ms(0), parcel(i)).is_some()).count();
    assert_eq!(accepted, 3);
    let mut link = Rig::new(&config(QueueLimit::Time(Span::from_millis(2))), 1);
    let accepted = (0..5).filter(|&i| link.offer(ms(0), parcel(i)).is_some()).count();
    assert_eq!(accepted, 3); // waits of 0, 1, 2 ms are allowed
    let resolved =
        QueueLimit::Bdp(1.0).resolve(Some(Rate::from_bits_per_s(1_000_000_000)), Span::from_millis(600));
    assert_eq!(resolved, QueueLimit::Bytes(Bytes::new(75_000_000)));
}

fn shrinking(reorder: bool) -> Rig {
    let steps =
        Delay::Steps(Arc::from([(Time::ZERO, Span::from_millis(50)), (ms(2), Span::from_millis(10))]));
    let config = config(QueueLimit::Unlimited);
    Rig::new(&Config { spec: LinkSpec { reorder, ..config.spec }, delay: steps, course: None }, 1)
}

#[test]
fn order_is_kept_when_the_delay_shrinks() {
    let mut link = shrinking(false);
    link.offer(ms(0), parcel(0)); // leaves at 1 ms, arrives at 51 ms
    link.offer(ms(0), parcel(1)); // leaves at 2 ms, would arrive at 12 ms
    assert_eq!(link.order(ms(100)), [(0, 51.0), (1, 51.0)]);
}

#[test]
fn order_may_break_when_the_scenario_says_so() {
    let mut link = shrinking(true);
    link.offer(ms(0), parcel(0));
    assert_eq!(link.offer(ms(0), parcel(1)), Some(Span::from_millis(1)));
    assert_eq!(link.order(ms(100)), [(1, 12.0), (0, 51.0)]);
}

#[test]
fn a_link_that_goes_away_hands_back_what_waits() {
    for reorder in [false, true] {
        let mut link = Rig::new(
            &Config {
                spec: LinkSpec { reorder, ..config(QueueLimit::Unlimited).spec },
                ..config(QueueLimit::Unlimited)
            },
            1,
        );
        for i in 0..4 {
            link.offer(ms(0), parcel(i));
        }
        let recalled = link.recall(Time::ZERO + Span::from_micros(1500), false);
        // At 1.5 ms, packet 0 propagates, packet 1 is in transmission, and packets 2 and 3 have waited for 1.5 ms.
        assert_eq!(recalled, [parcel(2), parcel(3)]);
        assert_eq!([2, 3].map(|handle| link.log.waits[&handle].nanos() / 1000), [1500, 1500]);
        // The reported starts of their transmissions are in the future, so these transmissions have not begun.
        assert_eq!([0, 1, 2, 3].map(|handle| link.log.begins[&handle]), [0, 1, 2, 3].map(ms));
        assert_eq!(link.link.in_flight(), 2);
        assert_eq!(link.link.backlog(Time::ZERO + Span::from_micros(1500)), Span::from_micros(500));
        assert_eq!(link.link.busy_time(ms(10)), Span::from_millis(2));
        assert_eq!(link.recall(ms(2), true), []);
        assert_eq!(link.log.dropped, [(0, Lost::Gone), (1, Lost::Gone)]);
        assert_eq!(link.link.next_event(), None);
    }
}

#[test]
fn losses_are_bernoulli_with_the_stated_probability() {
    let lost = |loss, size, seed| {
        let mut link = Rig::new(
            &Config {
                spec: LinkSpec { loss, rate: None, ..config(QueueLimit::Unlimited).spec },
                ..config(QueueLimit::Unlimited)
            },
            seed,
        );
        for at in 0..100_000 {
            link.offer(ms(at), Parcel { handle: 0, size, site: 0 });
        }
        link.finish().iter().filter(|(_, arrival)| arrival.lost.is_some()).count() as f64
    };
    // The tolerance is 5 standard deviations of 100 000 p. For 1500 B at a BER of 1e-6, p is 1-(1-1e-6)^12000 = 1.193
    // %.
    let sigma = |p: f64| 5.0 * (1e5 * p * (1.0 - p)).sqrt();
    assert!((lost(Impairment::PacketErrorRate(0.01), 1500, 7) - 1e3).abs() < sigma(0.01));
    assert!((lost(Impairment::BitErrorRate(1e-6), 1500, 7) - 1193.0).abs() < sigma(0.01193));
    assert!(lost(Impairment::None, 1500, 7).abs() < 0.5);
    // The same stream causes the same losses, so runs can be compared in pairs.
    assert_eq!(
        lost(Impairment::PacketErrorRate(0.01), 1500, 7),
        lost(Impairment::PacketErrorRate(0.01), 40, 7)
    );
}

#[test]
fn ber_matches_the_published_conversion() {
    // Expected for 1-(1-BER)^(8L) with 1500 B: 11.3 % for 1e-5, 1.19 % for 1e-6, 0.12 % for 1e-7, and 0.012 % for 1e-8.
    for (ber, per) in [(1e-5, 0.113), (1e-6, 0.0119), (1e-7, 0.0012), (1e-8, 0.00012)] {
        let got = Impairment::BitErrorRate(ber).probability(1500);
        assert!((got / per - 1.0).abs() < 0.01, "{ber}: {got}");
    }
}

#[test]
fn a_curve_is_exact_for_a_parabola() {
    let knots: Vec<f64> = (0..10).map(|t| 1e6 + 100.0 * f64::from(t) + 7.0 * f64::from(t * t)).collect();
    let curve = crate::DelayCurve::new(Time::ZERO, Span::from_secs(1), knots);
    // 1e6 + 100*3.5 + 7*3.5^2 = 1 000 435.75 ns
    assert_eq!(curve.at(Time::from_secs_f64(3.5)).nanos(), 1_000_436);
    assert_eq!(curve.at(Time::from_secs_f64(8.5)).nanos(), 1_001_356); // 1e6+850+505.75
    assert_eq!(curve.at(Time::from_secs_f64(99.0)).nanos(), 1_001_467); // the last knot
    let sum = crate::DelayCurve::sum(&[&curve, &curve]);
    assert_eq!(sum.at(Time::from_secs_f64(3.5)).nanos(), 2_000_872); // 2 x 1 000 435.75 = 2 000 871.5
    let steps = Delay::Steps(Arc::from([(Time::ZERO, Span::from_millis(1)), (ms(5), Span::from_millis(2))]));
    assert_eq!([steps.at(ms(4)), steps.at(ms(5))].map(Span::nanos), [1_000_000, 2_000_000]);
}

/// 100 packets are offered at the same time, and none after that. The packets that have left are therefore still in the
/// list of waiting packets. When a probe is then served, no packet waits, so the mean queue length falls.
#[test]
fn a_served_probe_finds_an_empty_queue() {
    let warning = Some(CongestionWarning { above: 1.0 });
    let mut link = Rig::new(
        &Config {
            spec: LinkSpec { warning, ..config(QueueLimit::Unlimited).spec },
            ..config(QueueLimit::Unlimited)
        },
        1,
    );
    for handle in 0..100 {
        link.offer(ms(0), parcel(handle));
    }
    for handle in 100..110 {
        link.offer(ms(0), Parcel { site: Parcel::LOW, ..parcel(handle) });
    }
    let mean = |link: &Rig| link.link.warning.map_or(f64::NAN, |warning| warning.mean);
    let full = mean(&link);
    assert_eq!(link.order(ms(200)).len(), 110);
    assert!((mean(&link) / full - (1.0 - CongestionWarning::WEIGHT).powi(10)).abs() < 1e-12);
}
