// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::rig::Rig;
use crate::{Config, Delay, LinkSpec, Parcel};
use units::{Rate, Time};

const MS: Span = Span::from_millis(1);
const COUNT: usize = 100_000;

/// Draws delays. The results are in ms.
fn drawn(jitter: Jitter) -> Vec<f64> {
    let mut stream = Stream::new(jitter, 7);
    (0..COUNT).map(|_| stream.draw().millis_f64()).collect()
}

/// Returns the mean, the standard deviation, and the correlation between consecutive values.
fn moments(values: &[f64]) -> (f64, f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    let next = values.windows(2).map(|pair| (pair[0] - mean) * (pair[1] - mean)).sum::<f64>() / count;
    (mean, variance.sqrt(), next / variance)
}

/// Expected: moments from tables of distributions. For 100,000 draws, the standard error of the mean is 0.0032 standard
/// deviations. The standard error of the standard deviation is 0.22 % for a normal distribution, and 1 % for the
/// log-normal distribution (its kurtosis is 8.9). The bounds are four standard errors.
#[test]
fn moments_are_those_of_the_distributions() {
    let holds = |jitter, mean: f64, deviation: f64, off: f64| {
        let (got_mean, got_deviation, correlation) = moments(&drawn(jitter));
        assert!((got_mean - mean).abs() < 4.0 * 0.0032 * deviation, "{jitter:?}: {got_mean}");
        assert!((got_deviation / deviation - 1.0).abs() < 4.0 * off, "{jitter:?}: {got_deviation}");
        assert!(correlation.abs() < 4.0 * 0.0032, "{jitter:?}: {correlation}");
    };
    // Expected: 12 / 2 and 12 / sqrt(12).
    holds(Jitter::Uniform(MS * 12), 6.0, 3.464_102, 0.0022);
    // The mean is seven standard deviations above zero, so no value is cut off.
    holds(Jitter::Normal(MS * 7, MS), 7.0, 1.0, 0.0022);
    // The distribution is cut off at its peak, so it is half-normal: sqrt(2/pi) and sqrt(1 - 2/pi) of the standard
    // deviation.
    holds(Jitter::Normal(Span::ZERO, MS * 10), 7.978_846, 6.028_103, 0.0025);
    // The mean is one standard deviation above zero: phi(1) = 0.241971, Phi(1) = 0.841345, the mean is 1 + 0.287600,
    // and the variance is 1 - 0.287600 - 0.287600^2 = 0.629686 (Johnson, Kotz and Balakrishnan 1994, section 13.10.1).
    holds(Jitter::Normal(MS * 10, MS * 10), 12.876, 7.935_3, 0.0025);
    // The mean is exp(sigma^2 / 2) = 1.133148 of the median. The standard deviation is sqrt(exp(sigma^2) - 1) =
    // 0.532940 of the mean.
    holds(Jitter::LogNormal(MS * 10, 0.5), 11.331_48, 6.039_00, 0.01);
}

#[test]
fn quantiles_are_those_of_the_distributions() {
    let share = |jitter, below: f64| {
        drawn(jitter).iter().filter(|value| **value < below).count() as f64 / COUNT as f64
    };
    // The standard error of a share of 100,000 draws is at most 0.0016.
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

/// At 12 Mbit/s, a packet of 1500 bytes is sent every millisecond.
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

/// If the order is kept, no packet overtakes another. A packet that is faster than the previous packet arrives together
/// with it. If the order is not kept, each packet arrives when its own delay is over.
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

/// Setting the same delay again does not change any result, not even for packets that wait.
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
