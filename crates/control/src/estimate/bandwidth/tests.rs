// SPDX-License-Identifier: MIT OR Apache-2.0
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;
use units::Bytes;

const MSS: u32 = 1000;

fn at(us: u64) -> Time {
    Time::ZERO + Span::from_micros(us)
}

fn near(got: Option<f64>, wanted: f64) {
    let got = got.unwrap();
    assert!((got - wanted).abs() < 1e-9 * wanted.abs().max(1.0), "{got}, not {wanted}");
}

fn tustin(silence: Silence) -> TustinBwe {
    TustinBwe::new(Span::from_millis(500), silence)
}

/// "TCP Westwood" prints the coefficient as (2 tau/D - 1)/(2 tau/D + 1).
#[test]
fn the_coefficient_is_that_of_the_paper() {
    for (tau, gap) in [(0.5, 0.001), (0.5, 0.25), (0.05, 0.1), (1.0, 3.0)] {
        let printed = (2.0 * tau / gap - 1.0) / (2.0 * tau / gap + 1.0);
        assert!((kept(tau, gap) - printed).abs() < 1e-12, "{tau} {gap}");
    }
    assert!((kept(0.5, 0.25) - 0.6).abs() < 1e-12);
    assert!(kept(0.5, 1.0).abs() < 1e-12);
}

/// The estimate falls from twice the capacity to the capacity. The error decreases as exp(-t/tau). The trapezoid
/// matches this decrease to second order in D/tau.
#[test]
fn acks_at_a_constant_rate_converge_to_it() {
    let mut bwe = tustin(Silence::Clamp);
    bwe.on_ack(at(0), 1.0);
    bwe.on_ack(at(500), 1.0); // 2000/s
    near(bwe.get(), 2000.0);
    let spacing_us = 1000; // 1000/s
    let mut now = 500;
    for _ in 0..500 {
        now += spacing_us;
        bwe.on_ack(at(now), 1.0);
    }
    // After one tau, the estimate is 1000 + 1000/e = 1367.88. Because of the trapezoid, it is half a step larger.
    assert!((bwe.get().unwrap() - 1367.88).abs() < 1.0, "{:?}", bwe.get());
    for _ in 0..20_000 {
        now += spacing_us;
        bwe.on_ack(at(now), 1.0);
    }
    near(bwe.get(), 1000.0);
    near(bwe.sample(), 1000.0);
}

/// Two ACKs that are 0.4 µs apart count as one ACK of two segments.
#[test]
fn acks_within_a_microsecond_are_one() {
    let mut bwe = tustin(Silence::Clamp);
    bwe.on_ack(at(0), 2.0);
    for k in 1..200_u64 {
        let now = at(k * 2000);
        assert!(bwe.on_ack(now, 1.0));
        assert!(!bwe.on_ack(now + Span::from_nanos(400), 1.0));
    }
    // The first interval counted only one of its two segments. This error decays with the time constant tau.
    let error = 1000.0 - bwe.get().unwrap();
    let wanted = 500.0 * (-0.396_f64 / 0.5).exp();
    assert!((error - wanted).abs() < 2.0, "{error}, about {wanted}");
}

/// tau = 0.5 s and B = b = 1000/s. 10 segments arrive after a silence of 2 s. With the clamp, a = (1 - 2)/(1 + 2) < 0,
/// so B = (5 + 1000)/2.
#[test]
fn after_a_long_silence_the_clamped_estimate_is_the_mean_of_two_samples() {
    let mut bwe = tustin(Silence::Clamp);
    bwe.on_ack(at(0), 1.0);
    bwe.on_ack(at(1000), 1.0);
    bwe.on_ack(at(2_001_000), 10.0);
    near(bwe.get(), 502.5);
}

/// With tau = 0.5 s, there is a null sample every 0.25 s, with a = (1 - 0.25)/(1 + 0.25) = 0.6. A silence of 0.6 s
/// follows B = b = 1000. Its null samples are at 0.25 and 0.5 s: B = 0.6*1000 + 0.2*1000 = 800, then 0.6*800 = 480. 10
/// segments in the remaining 0.1 s are 100/s, with a = 0.9/1.1 = 9/11: B = 9/11*480 + 1/11*(100 + 0) = 4420/11.
#[test]
fn null_samples_fill_a_silence() {
    let mut bwe = tustin(Silence::NullSamples);
    bwe.on_ack(at(0), 1.0);
    bwe.on_ack(at(1000), 1.0);
    bwe.on_ack(at(601_000), 10.0);
    near(bwe.get(), 4420.0 / 11.0);
    // A silence of exactly two steps has one null sample, because the sample of the ACK uses the second step: B =
    // 0.6*800 + 0.2*(b + 0).
    let mut bwe = tustin(Silence::NullSamples);
    bwe.on_ack(at(0), 1.0);
    bwe.on_ack(at(1000), 1.0);
    bwe.on_ack(at(501_000), 10.0);
    near(bwe.get(), 480.0 + 0.2 * 40.0);
    // A silence of one day.
    bwe.on_ack(at(86_400_000_000), 1.0);
    assert!(bwe.get().unwrap() < 3.0);
}

fn ack(cumulative: u64, duplicate: bool) -> Ack<'static> {
    let cumulative = Some(Bytes::new(cumulative * u64::from(MSS)));
    Ack { cumulative, duplicate: Some(duplicate), ..Ack::at(Time::ZERO) }
}

/// Three duplicate ACKs count three segments. The next ACK, of four segments, adds the segment that filled the hole.
#[test]
fn every_segment_is_counted_once() {
    let mut acked = AckedSegments::default();
    let counts = [(1, false), (0, true), (0, true), (0, true), (4, false), (2, false)]
        .map(|(cumulative, duplicate)| acked.count(&ack(cumulative, duplicate), MSS));
    assert_eq!(counts, [1.0, 1.0, 1.0, 1.0, 1.0, 2.0]);
    // There are two holes. The partial ACK covers two of the five duplicates and counts the segment that filled the
    // first hole. The last ACK covers the other segments.
    let counts = [(0, true), (0, true), (0, true), (0, true), (0, true), (3, false), (4, false)]
        .map(|(cumulative, duplicate)| acked.count(&ack(cumulative, duplicate), MSS));
    assert_eq!(counts, [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0]);
    assert_eq!(acked.count(&ack(0, false), MSS), 0.0);
    // If ACKs name each packet, they count the newly acknowledged amount, in any order.
    let named = |segments: u64| Ack { acked: Bytes::new(segments * u64::from(MSS)), ..Ack::at(Time::ZERO) };
    assert_eq!([3, 1, 0, 4].map(|segments| acked.count(&named(segments), MSS)), [3.0, 1.0, 0.0, 4.0]);
}

/// With 100 segments/s and an RTT of 100 ms, a window closes with the first ACK that arrives more than 100 ms after the
/// window opened.
#[test]
fn westwood_plus_takes_one_sample_per_round_trip() {
    for filter in [RttFilter::Cascade, RttFilter::Tustin] {
        let mut bwe = RttBwe::new(filter, Span::from_millis(50));
        let mut samples = 0;
        for k in 0..=110_u64 {
            samples += u32::from(bwe.on_ack(at(k * 10_000), 1.0, Some(Span::from_millis(100))));
        }
        // The windows last 110 ms. Ten windows fit into 1100 ms.
        assert_eq!(samples, 10);
        near(bwe.get(), 100.0);
    }
}

/// The first sample initialises the filter. The next values are computed by hand for an estimate of 100/s and samples
/// of 900/s.
#[test]
fn the_filters_of_westwood_plus() {
    let after = |filter| {
        let mut bwe = RttBwe::new(filter, Span::from_millis(50));
        bwe.take(100.0);
        near(bwe.get(), 100.0);
        [(); 2].map(|()| {
            bwe.take(900.0);
            bwe.get().unwrap()
        })
    };
    // B1: 100 + 800/8 = 200, then 200 + 700/8 = 287.5. B: 100 + 100/8 = 112.5, then 112.5 + 175/8 = 134.375.
    assert_eq!(after(RttFilter::Cascade), [112.5, 134.375]);
    // 90 + 0.1*500 = 140; 126 + 90 = 216.
    let [first, second] = after(RttFilter::Tustin);
    near(Some(first), 140.0);
    near(Some(second), 216.0);
}

/// Each sample is twice the previous sample. One average of 1/8 settles at y with y = 7/8 y/2 + 1/8, so y = 2/9. Two
/// averages settle at (2/9)^2 = 0.0494. The trapezoid settles at y = 0.9 y/2 + 0.05 * 1.5, so y = 0.075/0.55.
#[test]
fn the_filters_lag_behind_a_slow_start() {
    for (filter, share) in [(RttFilter::Cascade, 4.0 / 81.0), (RttFilter::Tustin, 0.075 / 0.55)] {
        let mut bwe = RttBwe::new(filter, Span::from_millis(50));
        let mut b = 1.0;
        for _ in 0..60 {
            b *= 2.0;
            bwe.take(b);
        }
        near(Some(bwe.get().unwrap() / b), share);
    }
}

/// If the RTT is below 50 ms, the window is 50 ms. Without an RTT, there is no sample.
#[test]
fn windows_are_not_too_short() {
    let mut bwe = RttBwe::new(RttFilter::Cascade, Span::from_millis(50));
    for k in 0..100_u64 {
        assert!(!bwe.on_ack(at(k * 1000), 1.0, None));
    }
    assert!(bwe.get().is_none());
    let mut bwe = RttBwe::new(RttFilter::Cascade, Span::from_millis(50));
    let samples: u32 =
        (0..=102_u64).map(|k| u32::from(bwe.on_ack(at(k * 1000), 1.0, Some(Span::from_millis(2))))).sum();
    assert_eq!(samples, 2); // at 51 and 102 ms
}
