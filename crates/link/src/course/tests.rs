// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::rig::Rig;
use crate::{
    BadStretch, Bursts, Delay, GoodStretch, LandMobile, Leg, Legs, Link, LinkSpec, LossChain, Lost, Parcel,
    Piece, QueueLimit, RateSchedule,
};
use units::{Decibels, Distance, Rate, Speed};

fn at(ms: u64) -> Time {
    Time::ZERO + Span::from_millis(ms)
}

fn config(course: Course, loss: Impairment) -> Config {
    Config {
        spec: LinkSpec {
            rate: Some(Rate::from_bits_per_s(12_000_000)), // 1500 B take 1 ms
            queue: QueueLimit::Unlimited.into(),
            loss,
            ..LinkSpec::IDEAL
        },
        delay: Delay::Constant(Span::from_millis(10)),
        course: Some(Arc::new(course)),
    }
}

/// Sends one packet of 1500 B every `every`, from time zero on. Returns for each packet its arrival time, and the
/// reason if it was lost.
fn probe(link: &mut Rig, every: Span, count: u32) -> Vec<(Time, Option<Lost>)> {
    for handle in 0..count {
        let taken =
            link.offer(Time::ZERO + every * u64::from(handle), Parcel { handle, size: 1500, site: 3 });
        assert!(taken.is_some());
    }
    let mut out = Vec::new();
    for (at, arrival) in link.finish() {
        assert_eq!(arrival.parcel, Parcel { handle: out.len() as u32, size: 1500, site: 3 });
        out.push((at, arrival.lost));
    }
    assert_eq!(out.len(), count as usize);
    out
}

/// Packets are ready at 1, 2, 3 … ms, and grants are every 4 ms. Three of four packets wait for the grant of the
/// fourth.
#[test]
fn grants_gather_packets() {
    let grants = (Grants { apart: Span::from_millis(4), or: (0.0, Span::ZERO) }, 1);
    let mut link =
        Rig::new(&config(Course { grants: Some(grants), ..Course::default() }, Impairment::None), 1);
    for handle in 0..9 {
        link.offer(at(0), Parcel { handle, size: 1500, site: 0 });
    }
    let times: Vec<u64> = link.finish().iter().map(|(at, _)| at.nanos() / 1_000_000).collect();
    assert_eq!(times, [14, 14, 14, 14, 18, 18, 18, 18, 22]);
}

/// The interval is 4 ms, or 8 ms with probability 1/4. The mean is 5 ms.
#[test]
fn grants_are_apart_by_one_or_the_other() {
    let grants = (Grants { apart: Span::from_millis(4), or: (0.25, Span::from_millis(8)) }, 7);
    let mut link =
        Rig::new(&config(Course { grants: Some(grants), ..Course::default() }, Impairment::None), 1);
    let mut times: Vec<Time> =
        probe(&mut link, Span::from_millis(1), 60_000).into_iter().map(|(arrival, _)| arrival).collect();
    times.dedup();
    let apart: Vec<u64> = times.windows(2).map(|pair| pair[1].since(pair[0]).nanos() / 1_000_000).collect();
    assert!(apart.iter().all(|ms| [4, 8].contains(ms)));
    let mean = apart.iter().sum::<u64>() as f64 / apart.len() as f64;
    assert!((mean - 5.0).abs() < 0.1, "{mean}"); // 12,000 grants: sigma of the mean 0.016 ms
}

/// Packets leave at 1, 11, 21, … ms. Packets that leave from 50 ms on are delayed by 5 ms, and packets that leave from
/// 100 ms on are not delayed.
#[test]
fn extra_delay_goes_by_the_time_of_leaving() {
    let course = Course {
        extra_delay: [(at(51), Span::from_millis(5)), (at(101), Span::ZERO)].into(),
        ..Course::default()
    };
    let late: Vec<u64> =
        probe(&mut Rig::new(&config(course, Impairment::None), 1), Span::from_millis(10), 15)
            .iter()
            .enumerate()
            .map(|(index, (arrival, _))| arrival.nanos() / 1_000_000 - 10 * index as u64 - 11)
            .collect();
    assert_eq!(late, [0, 0, 0, 0, 0, 5, 5, 5, 5, 5, 0, 0, 0, 0, 0]);
}

/// Packets leave at 1, 11, 21, ... ms. From 11 ms on, the delay rises by 10 ms in 40 ms, and is 2 ms after that. The
/// packets are delayed by 0, 2.5, 5 and 7.5 ms, and by 2 ms from 51 ms on. The packet that leaves at 51 ms would arrive
/// at 63 ms, which is after the arrival of the previous packet at 58.5 ms.
#[test]
fn a_ramp_of_delay_goes_by_the_time_of_leaving() {
    let knots = [Leg { from: at(11), start: Span::ZERO, end: Span::from_millis(10) }, {
        let two = Span::from_millis(2);
        Leg { from: at(51), start: two, end: two }
    }];
    let delays = vec![Legs::new(knots.to_vec()).expect("they are in order")];
    let course = Course { ramps: Ramps { delays, ..Ramps::default() }, ..Course::default() };
    let late: Vec<u64> = probe(&mut Rig::new(&config(course, Impairment::None), 1), Span::from_millis(10), 8)
        .iter()
        .enumerate()
        .map(|(index, (arrival, _))| arrival.nanos() / 1000 - 10_000 * index as u64 - 11_000)
        .collect();
    assert_eq!(late, [0, 0, 2500, 5000, 7500, 2000, 2000, 2000]);
}

/// The loss rises from 0 to 0.4 in 100 s, and is then 0. Of the packets in these 100 s, a fifth is lost: a tenth in the
/// first half, and three tenths in the second half. There are 10,000 packets in each half. The sum of p(1-p) is at most
/// that of the mean, and the bounds are five standard deviations.
#[test]
fn a_ramp_of_loss_loses_its_mean() {
    let (zero, end) = (Leg { from: at(0), start: 0.0, end: 0.4 }, at(100_000));
    let losses = vec![Legs::new(vec![zero, Leg { from: end, start: 0.0, end: 0.0 }]).expect("in order")];
    let course = Course { ramps: Ramps { losses, ..Ramps::default() }, ..Course::default() };
    let fate = probe(&mut Rig::new(&config(course, Impairment::None), 1), Span::from_millis(5), 24_000);
    let lost = |part: &[(Time, Option<Lost>)]| part.iter().filter(|fate| fate.1.is_some()).count() as f64;
    for (part, mean) in [(&fate[..10_000], 0.1_f64), (&fate[10_000..20_000], 0.3)] {
        let five_sigma = 5.0 * (1e4 * mean * (1.0 - mean)).sqrt();
        assert!((lost(part) - 1e4 * mean).abs() < five_sigma, "{mean}: {}", lost(part));
    }
    assert_eq!(lost(&fate[20_000..]), 0.0);
}

/// All packets that leave from 100 to 200 ms are lost. No other packet is lost.
#[test]
fn a_window_of_loss() {
    let course = Course { loss: [(at(100), 1.0), (at(200), 0.0)].into(), ..Course::default() };
    let fate = probe(&mut Rig::new(&config(course, Impairment::None), 1), Span::from_millis(10), 40);
    let lost: Vec<usize> =
        fate.iter().enumerate().filter(|(_, fate)| fate.1.is_some()).map(|(index, _)| index).collect();
    assert_eq!(lost, (10..20).collect::<Vec<_>>());
}

/// For independent causes, the loss is 1 - (1 - 0.1)(1 - 0.2) = 0.28. There are 100,000 packets, and the bound is five
/// standard deviations.
#[test]
fn causes_of_loss_add_up_as_independent_ones() {
    let course = Course { loss: [(Time::ZERO, 0.2)].into(), ..Course::default() };
    let mut link = Rig::new(&config(course, Impairment::PacketErrorRate(0.1)), 1);
    let lost =
        probe(&mut link, Span::from_millis(2), 100_000).iter().filter(|fate| fate.1.is_some()).count() as f64;
    assert!((lost - 28_000.0).abs() < 5.0 * (1e5_f64 * 0.28 * 0.72).sqrt(), "{lost}");
    assert_eq!(link.link.counters().dropped_error, lost as u64);
    assert_eq!(link.link.counters().delivered, 100_000 - lost as u64);
}

/// Gilbert-Elliott: P(bad) = a / (a + b), and the mean length of an interval in the bad state is 1 / b bins.
#[test]
fn bursts_have_the_statistics_of_the_chain() {
    let bursts = Bursts { bin: Span::from_millis(100), to_bad: 0.05, to_good: 0.4, loss: 1.0 };
    let mut link = Rig::new(&config(Course::default(), Impairment::Bursts(bursts)), 3);
    let fate: Vec<bool> = probe(&mut link, Span::from_millis(100), 200_000)
        .into_iter()
        .map(|(_, lost)| lost.is_some())
        .collect();
    let bad = fate.iter().filter(|lost| **lost).count() as f64;
    let runs = fate.windows(2).filter(|pair| !pair[0] && pair[1]).count() as f64;
    assert!((bad / 200_000.0 - 0.05 / 0.45).abs() < 0.004, "{}", bad / 200_000.0);
    assert!((bad / runs - 1.0 / 0.4).abs() < 0.1, "{}", bad / runs);
    // The chain depends on time, not on packets. With twice the number of packets, the states are the same.
    let mut other = Rig::new(&config(Course::default(), Impairment::Bursts(bursts)), 3);
    let twice: Vec<bool> = probe(&mut other, Span::from_millis(50), 400_000)
        .into_iter()
        .map(|(_, lost)| lost.is_some())
        .collect();
    assert!(twice.iter().step_by(2).eq(fate.iter()));
}

/// A shadow applies to both directions. Here, no packet is lost in clear view, and every packet is lost in shadow.
#[test]
fn shadows_are_those_of_both_directions() {
    let chain = LossChain::land_mobile(LandMobile {
        speed: Speed::from_m_s(20.0),
        margin: Decibels::from_db(10.0),
        good: GoodStretch { lasts: Distance::from_m(40.0), rice_factor: Decibels::from_db(30.0) },
        bad: BadStretch {
            lasts: Distance::from_m(20.0),
            mean: Decibels::from_db(-60.0),
            deviation: Decibels::from_db(0.0),
        },
    });
    let config = config(Course::default(), Impairment::Chain(Arc::new(chain)));
    let fates = |own, both_ways, apart| {
        let mut link = Rig::of(Link::new(&config, Seeds { own, both_ways }));
        let fates = probe(&mut link, apart, 10_000);
        fates.into_iter().map(|(_, lost)| lost).collect::<Vec<_>>()
    };
    let ms = Span::from_millis;
    let there = fates(1, 7, ms(10));
    assert!(there.contains(&None) && there.contains(&Some(Lost::Error)));
    // There are twice as many packets in the reverse direction. Every second packet leaves at the same time as a
    // forward packet.
    assert!(there.iter().take(5000).eq(fates(2, 7, ms(5)).iter().step_by(2)));
    assert_ne!(there, fates(1, 8, ms(10)));
}

/// A link without a course and a link with an empty course treat every packet in the same way.
#[test]
fn an_empty_course_changes_nothing() {
    let empty = config(Course::default(), Impairment::None);
    let none = Config { course: None, ..empty.clone() };
    let run = |config: &Config| probe(&mut Rig::new(config, 1), Span::from_micros(700), 1000);
    assert_eq!(run(&empty), run(&none));
}

/// A packet is offered every 2 ms, and its transmission takes 1 ms. The outage from 10 to 20 ms affects the packets
/// that leave at 11, 13, 15, 17 and 19 ms. Half of the other packets are lost because of errors. These are the same
/// packets with and without the outage.
#[test]
fn what_leaves_during_an_outage_is_lost_to_it() {
    let run = |cut: Arc<[(Time, bool)]>| {
        let course = Course { cut, ..Course::default() };
        let mut link = Rig::new(&config(course, Impairment::PacketErrorRate(0.5)), 3);
        let fates: Vec<Option<Lost>> =
            probe(&mut link, Span::from_millis(2), 20).into_iter().map(|(_, lost)| lost).collect();
        (fates, link.link.counters())
    };
    let (smooth, _) = run(Arc::new([]));
    let (fates, counters) = run(Arc::new([(at(10), true), (at(20), false)]));
    assert_eq!(fates[5..10], [Some(Lost::Switched); 5]);
    assert_eq!((&fates[..5], &fates[10..]), (&smooth[..5], &smooth[10..]));
    assert_eq!(counters.dropped_outage, 5);
    assert_eq!(counters.delivered + counters.dropped_error, 15);
    assert!((3..=12).contains(&counters.dropped_error), "{}", counters.dropped_error);
}

/// On one path, outages and pauses become known 20 ms in advance, in steps of 10 ms. On the other path, they are known
/// from the start. Both paths have the same results. Losses are drawn from one stream, and a schedule of 7 Mbit/s (1500
/// B take 1 714 285.7 ns) carries its remainder over. Changes in the past are removed.
#[test]
fn a_course_that_becomes_known_is_the_course() {
    let seven = Rate::from_bits_per_s(7_000_000);
    let course = |from: u64, until: u64| {
        let known = |time: Time| (at(from)..=at(until)).contains(&time);
        let cuts = [(at(40), true), (at(70), false), (at(110), true), (at(115), false)];
        let mut service = vec![Piece::constant(Time::ZERO, seven)];
        // When a pause becomes known, its end is also known.
        for (pause, goes_on) in [(30, 40), (90, 95)].into_iter().filter(|&(pause, _)| known(at(pause))) {
            service.push(Piece::constant(at(pause), Rate::from_bits_per_s(0)));
            service.push(Piece::constant(at(goes_on), seven));
        }
        // The value that applies at the start of the window.
        let before = cuts.into_iter().rfind(|&(time, _)| time < at(from));
        Course {
            service: Some(Service::Schedule(
                RateSchedule::new(service).unwrap_or_else(|error| panic!("{error}")),
            )),
            cut: before.into_iter().chain(cuts.into_iter().filter(|&(time, _)| known(time))).collect(),
            loss: [(Time::ZERO, 0.3)].into(),
            ..Course::default()
        }
    };
    let run = |first: Course, pages: bool| {
        let mut link = Rig::new(&config(first, Impairment::None), 9);
        for ms in 0..200 {
            if pages && ms % 10 == 0 {
                link.set_course(at(ms), &course(ms, ms + 20));
            }
            for handle in [2 * ms as u32, 2 * ms as u32 + 1].into_iter().filter(|_| ms % 4 == 0) {
                link.offer(at(ms), Parcel { handle, size: 1500, site: 0 });
            }
        }
        link.finish()
    };
    let (whole, paged) = (run(course(0, 1000), false), run(course(0, 20), true));
    assert_eq!(whole, paged);
    assert!(whole.iter().any(|(_, it)| it.lost == Some(Lost::Switched)));
    assert!(whole.iter().any(|(_, it)| it.lost == Some(Lost::Error)));
}
