// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::rig::Rig;
use crate::{
    Arq, ChainState, Config, Course, Delay, Impairment, LinkSpec, LossChain, Lost, Parcel, QueueLimit,
};
use std::sync::Arc;
use units::{Rate, Span, Time};

const D: Span = Span::from_millis(10);

/// A packet of 1500 B takes 12 ns, unless `rate` is set.
fn config(loss: Impairment, repeats: u16) -> Config {
    let arq = Some(Arq { repeats, delay: Some(D) });
    let rate = Some(Rate::from_bits_per_s(1_000_000_000_000));
    let spec = LinkSpec { rate, loss, arq, ..LinkSpec::IDEAL };
    Config { spec, delay: Delay::Constant(Span::from_millis(5)), course: None }
}

/// Offers packets that are `apart` from each other. Returns for each packet how much later it arrives than without
/// retransmissions, in units of the retransmission delay, and whether it arrives intact.
fn fates(config: &Config, apart: Span, count: u32) -> Vec<(f64, bool)> {
    let mut link = Rig::new(config, 3);
    for handle in 0..count {
        let now = Time::ZERO + apart * u64::from(handle);
        assert!(link.offer(now, Parcel { handle, size: 1500, site: 0 }).is_some());
    }
    let due = |number: usize| Time::ZERO + apart * number as u64 + Span::from_millis(5);
    let arrivals = link.finish().into_iter().enumerate();
    arrivals
        .map(|(number, (at, arrival))| {
            assert_eq!(arrival.parcel.handle, number as u32);
            assert!(arrival.lost.is_none_or(|why| why == Lost::Error));
            (at.since(due(number)).secs_f64() / D.secs_f64(), arrival.lost.is_none())
        })
        .collect()
}

fn close(found: f64, wanted: f64, within: f64) {
    assert!((found - wanted).abs() <= within, "{found} instead of {wanted}");
}

/// The loss is 0.3, there are two retransmissions, and frames are far apart. Expected: a share of 0.7 arrives without
/// delay, 0.21 one retransmission later, 0.063 two retransmissions later, and 0.3^3 = 0.027 never. The mean delay of
/// the frames that arrive is 0.336 / 0.973 retransmissions. For 100,000 frames, the standard deviation of a share is at
/// most 0.0015.
#[test]
fn loss_becomes_delay() {
    let fates = fates(&config(Impairment::PacketErrorRate(0.3), 2), Span::from_millis(50), 100_000);
    let share = |of: &dyn Fn(f64, bool) -> bool| {
        fates.iter().filter(|(late, whole)| of(*late, *whole)).count() as f64 / 1e5
    };
    for (repeats, wanted) in [(0.0, 0.7), (1.0, 0.21), (2.0, 0.063)] {
        close(share(&|late, whole| whole && (late - repeats).abs() < 1e-3), wanted, 0.0075);
    }
    close(share(&|_, whole| !whole), 0.027, 0.0026);
    let sum: f64 = fates.iter().filter(|(_, whole)| *whole).map(|(late, _)| late).sum();
    close(sum / 97_300.0, 0.336 / 0.973, 0.01);
}

/// Frames are sent every 4 ms, and wait for earlier frames. A retransmission takes 10 ms. Frames up to 8 ms behind a
/// frame that is retransmitted are late, and frames up to 16 ms behind a frame that is retransmitted twice are late. A
/// frame is not late if it and the two frames before it were not retransmitted, and the two frames before these were
/// retransmitted at most once: 0.7^3 * 0.91^2 = 0.28404. A frame that remains lost after two retransmissions delays
/// other frames as much as any frame with two retransmissions.
#[test]
fn what_comes_behind_waits() {
    let fates = fates(&config(Impairment::PacketErrorRate(0.3), 2), Span::from_millis(4), 100_000);
    let punctual = fates.iter().filter(|(late, whole)| *whole && *late < 1e-3).count();
    close(punctual as f64 / 1e5, 0.284_04, 0.01); // neighbours are alike: sigma below 0.002
    // If packets may overtake, each packet is delayed only by its own retransmissions.
    let mut free = config(Impairment::PacketErrorRate(0.3), 2);
    free.spec.reorder = true;
    let mut link = Rig::new(&free, 3);
    for handle in 0..1000_u32 {
        let now = Time::ZERO + Span::from_millis(4) * u64::from(handle);
        assert!(link.offer(now, Parcel { handle, size: 1500, site: 0 }).is_some());
    }
    let mut late = [0; 3];
    for (at, arrival) in link.finish() {
        let due = Time::ZERO + Span::from_millis(5) + Span::from_millis(4) * u64::from(arrival.parcel.handle);
        late[(at.since(due).secs_f64() / D.secs_f64()).round() as usize] += 1;
    }
    assert!(late[0] > 650 && late[1] > 150 && late[2] > 60, "{late:?}");
}

/// The first transmission of each packet has the same outcome as without retransmissions.
#[test]
fn first_transmissions_do_not_know_of_repetitions() {
    let apart = Span::from_millis(50);
    let repeated = fates(&config(Impairment::PacketErrorRate(0.3), 2), apart, 10_000);
    // With a course, losses are drawn at the same point of the code.
    let mut plain = config(Impairment::PacketErrorRate(0.3), 0);
    plain.spec.arq = None;
    plain.course = Some(Arc::new(Course::default()));
    let plain = fates(&plain, apart, 10_000);
    assert!(plain.iter().zip(&repeated).all(|(plain, repeated)| plain.1 == (repeated.0 < 1e-3)));
}

/// At 12 Mbit/s, a packet takes 1 ms. With a loss of 0.5 and three retransmissions, there are (1 - 0.5^4) / (1 - 0.5) =
/// 1.875 transmissions per packet.
#[test]
fn repetitions_take_the_links_time() {
    let mut config = config(Impairment::PacketErrorRate(0.5), 3);
    config.spec.rate = Some(Rate::from_bits_per_s(12_000_000));
    let mut link = Rig::new(&config, 1);
    for handle in 0..20_000 {
        assert!(link.offer(Time::ZERO, Parcel { handle, size: 1500, site: 0 }).is_some());
    }
    let busy = link.link.busy_time(Time::ZERO + Span::from_secs(1000)).secs_f64();
    close(busy / 37.5, 1.0, 0.04); // sigma of a packet's number is 1.05: 0.4 % of the mean of 20,000
}

/// The link is bad for 0.1 s every 1.1 s. After 0.2 s, a bad link is still bad with probability 1/11 + 10/11 exp(-11 *
/// 0.2) = 0.19164. A million frames over 100,000 s meet 90,000 bad intervals, so the standard deviation of the share of
/// lost frames is about 1 %.
#[test]
fn a_repetition_meets_the_link_as_it_is_then() {
    let state =
        |loss, ms, next: [f64; 2]| ChainState { loss, lasts: Span::from_millis(ms), next: next.into() };
    let chain = LossChain::in_time(vec![state(0.0, 1000, [0.0, 1.0]), state(1.0, 100, [1.0, 0.0])]);
    let chain = Impairment::Chain(Arc::new(chain.unwrap_or_else(|error| panic!("{error}"))));
    let mut config = config(chain, 1);
    config.spec.arq = Some(Arq { repeats: 1, delay: Some(Span::from_millis(200)) });
    let fates = fates(&config, Span::from_millis(100), 1_000_000);
    let lost = fates.iter().filter(|(_, whole)| !whole).count() as f64 / 1e6;
    close(lost / (0.191_64 / 11.0), 1.0, 0.06);
}

/// All transmissions are lost, and there are two retransmissions with a delay of 10 ms. At 12 Mbit/s, a packet that
/// waits is sent three times, from 3 ms on. At 6 Mbit/s, each transmission takes 2 ms. The first transmission leaves at
/// 5 ms, and the last retransmission arrives 25 ms later.
#[test]
fn a_new_rate_keeps_repetitions() {
    let mut config = config(Impairment::PacketErrorRate(1.0), 2);
    config.spec.rate = Some(Rate::from_bits_per_s(12_000_000));
    let ms = |ms| Time::ZERO + Span::from_millis(ms);
    let parcel = |handle| Parcel { handle, size: 1500, site: 0 };
    let mut link = Rig::new(&config, 1);
    assert_eq!(link.offer(ms(0), parcel(0)), Some(Span::ZERO));
    assert_eq!(link.offer(ms(0), parcel(1)), Some(Span::from_millis(3)));
    link.set_rate(ms(1), Some(Rate::from_bits_per_s(6_000_000)));
    assert_eq!(link.order(ms(100)), [(0, 26.0), (1, 30.0)]);
    assert_eq!(link.link.busy_time(ms(100)), Span::from_millis(9));
    // If no delay is set, the delay is the round-trip time of the link. It is 2 * 5 ms, so the result is the same.
    config.spec.arq = Some(Arq { repeats: 2, delay: None });
    config.spec.queue = QueueLimit::Unlimited.into();
    let mut link = Rig::new(&config, 1);
    assert_eq!(link.offer(ms(0), parcel(0)), Some(Span::ZERO));
    assert_eq!(link.order(ms(100)), [(0, 26.0)]);
}
