// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::rig::Rig;
use crate::{Config, Delay, LinkSpec, Parcel};
use units::{Rate, Time};

const MS: Span = Span::from_millis(1);
const COUNT: usize = 100_000;

/// Delays in ms.
fn drawn(jitter: Jitter) -> Vec<f64> {
    let mut stream = Stream::new(jitter, 7);
    (0..COUNT).map(|_| stream.draw().millis_f64()).collect()
}

/// Mean, standard deviation, and the correlation of each with the one before.
fn moments(values: &[f64]) -> (f64, f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    let next = values.windows(2).map(|pair| (pair[0] - mean) * (pair[1] - mean)).sum::<f64>() / count;
    (mean, variance.sqrt(), next / variance)
}

/// Moments from tables of distributions. Of 100,000 draws a mean is off by 0.0032 deviations (one standard error), a
/// deviation of a bell by 0.22 %, of the log-normal by 1 % (its kurtosis is 8.9); bounds are four of them.
#[test]
fn moments_are_those_of_the_distributions() {
    let holds = |jitter, mean: f64, deviation: f64, off: f64| {
        let (got_mean, got_deviation, correlation) = moments(&drawn(jitter));
        assert!((got_mean - mean).abs() < 4.0 * 0.0032 * deviation, "{jitter:?}: {got_mean}");
        assert!((got_deviation / deviation - 1.0).abs() < 4.0 * off, "{jitter:?}: {got_deviation}");
        assert!(correlation.abs() < 4.0 * 0.0032, "{jitter:?}: {correlation}");
    };
    // 12 / 2 and 12 / sqrt(12).
    holds(Jitter::Uniform(MS * 12), 6.0, 3.464_102, 0.0022);
    // Seven deviations above zero nothing is cut off.
    holds(Jitter::Normal(MS * 7, MS), 7.0, 1.0, 0.0022);
    // From its peak on: the half-normal, sqrt(2/pi) and sqrt(1 - 2/pi) of the deviation.
    holds(Jitter::Normal(Span::ZERO, MS * 10), 7.978_846, 6.028_103, 0.0025);
    // One deviation above zero: phi(1) = 0.241971, Phi(1) = 0.841345, mean 1 + 0.287600, variance 1 - 0.287600 -
    // 0.287600^2 = 0.629686 (Johnson, Kotz and Balakrishnan 1994, section 13.10.1).
    holds(Jitter::Normal(MS * 10, MS * 10), 12.876, 7.935_3, 0.0025);
    // exp(sigma^2 / 2) = 1.133148 of the median, and sqrt(exp(sigma^2) - 1) = 0.532940 of that.
    holds(Jitter::LogNormal(MS * 10, 0.5), 11.331_48, 6.039_00, 0.01);
}

#[test]
fn quantiles_are_those_of_the_distributions() {
    let share = |jitter, below: f64| {
        drawn(jitter).iter().filter(|value| **value < below).count() as f64 / COUNT as f64
    };
    // Standard error of a share of 100,000: 0.0016 at most.
    for (jitter, below, expected) in [
        (Jitter::Uniform(MS * 12), 3.0, 0.25),
        (Jitter::Normal(MS * 7, MS), 8.0, 0.841_345),
        (Jitter::LogNormal(MS * 10, 0.5), 10.0, 0.5),
        (Jitter::LogNormal(MS * 10, 0.5), 10.0 * 0.5f64.exp(), 0.841_345),
    ] {
        let got = share(jitter, below);
        assert!((got - expected).abs() < 0.0064, "{jitter:?}: {got}");
    }
}

/// 12 Mbit/s: a packet of 1500 bytes every millisecond.
fn link(jitter: Option<Jitter>, reorder: bool) -> Rig {
    let spec = LinkSpec { rate: Some(Rate::from_bits_per_s(12_000_000)), jitter, reorder, ..LinkSpec::IDEAL };
    Rig::new(&Config::new(spec, Delay::Constant(MS * 20)), 3)
}

fn send(link: &mut Rig, count: u32) -> Vec<(u32, f64)> {
    for handle in 0..count {
        link.offer(Time::ZERO + MS * u64::from(handle), Parcel { handle, size: 1500, site: 0 });
    }
    link.order(Time::MAX)
}

/// With order kept nobody overtakes, and whoever is faster than the one before arrives with it; without it each arrives when
/// its own delay is over.
#[test]
fn order_is_kept_or_not() {
    let jitter = Jitter::Uniform(MS * 10);
    let mut stream = Stream::new(jitter, 3);
    let own: Vec<f64> =
        (0..1000).map(|handle| f64::from(handle) + 21.0 + stream.draw().millis_f64()).collect();
    let kept = send(&mut link(Some(jitter), false), 1000);
    let mut latest = 0.0_f64;
    for (at, (handle, time)) in kept.into_iter().enumerate() {
        latest = latest.max(own[at]);
        assert_eq!(handle as usize, at);
        assert!((time - latest).abs() < 1e-6, "{handle}: {time}, not {latest}");
    }
    let free = send(&mut link(Some(jitter), true), 1000);
    assert!(free.iter().all(|&(handle, time)| (time - own[handle as usize]).abs() < 1e-6));
    let overtaken = free.windows(2).filter(|pair| pair[0].0 > pair[1].0).count();
    assert!(overtaken > 100, "{overtaken}");
}

#[test]
fn none_is_no_jitter() {
    assert_eq!(
        send(&mut link(Some(Jitter::Uniform(Span::ZERO)), true), 100),
        send(&mut link(None, true), 100)
    );
}

/// A delay that is set to what it was changes nothing, also for packets that wait.
#[test]
fn a_passage_decided_anew_has_the_same_jitter() {
    for reorder in [false, true] {
        let run = |set: bool| {
            let mut link = link(Some(Jitter::LogNormal(MS * 5, 1.0)), reorder);
            for handle in 0..60 {
                let now = Time::ZERO + Span::from_micros(700) * u64::from(handle);
                link.offer(now, Parcel { handle, size: 1500, site: 0 });
                if set && handle % 7 == 0 {
                    link.set_delay(now, Delay::Constant(MS * 20));
                }
            }
            link.finish()
        };
        assert_eq!(run(true), run(false));
    }
}
