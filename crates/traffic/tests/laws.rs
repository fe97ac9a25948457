// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares distributions with the distributions of scipy, and named distributions with the tables of their papers.

use bentpipe_traffic::{Arrivals, Between, Cdf, Law, NAMED};
use random::{SeedableRng as _, SplitMix64};
use units::Span;

const DRAWS: usize = 20_000;
/// Kolmogorov-Smirnov distance. The distance of draws exceeds this value with a probability of 0.001 (scipy 1.17.1,
/// `stats.kstwo.ppf(0.999, 20000)`).
const FAR: f64 = 0.013_776;
/// Probabilities at which quantiles are compared with scipy.
const AT: [f64; 10] = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999];

/// A distribution, and its mean and quantiles by scipy 1.17.1 (`mean`, `ppf`). The mean is infinite if the distribution
/// does not have a mean.
struct Case {
    /// The distribution in scipy's notation.
    scipy: &'static str,
    law: Law,
    mean: f64,
    quantiles: [f64; 10],
}

#[expect(clippy::too_many_lines, reason = "a table")]
fn cases() -> Vec<Case> {
    let pareto = |mean, shape, most| Law::pareto_of_mean(mean, shape, most).expect("there is one");
    vec![
        Case {
            scipy: "expon(scale=30)",
            law: Law::Exponential { mean: 30.0 },
            mean: 30.0,
            quantiles: [
                0.301_510_075_6,
                1.538_798_832,
                3.160_815_47,
                8.630_462_174,
                20.794_415_42,
                41.588_830_83,
                69.077_552_79,
                89.871_968_21,
                138.155_105_6,
                207.232_658_4,
            ],
        },
        Case {
            scipy: "lognorm(1.5, scale=20000)",
            law: Law::LogNormal { median: 20e3, sigma: 1.5 },
            mean: 61_604.336_978_4,
            quantiles: [
                610.309_216_8,
                1_696.304_113,
                2_925.323_068,
                7_271.754_875,
                20_000.0,
                55_007.354_74,
                136_737.034_1,
                235_806.773_7,
                655_405.471_5,
                2_061_276.506,
            ],
        },
        Case {
            scipy: "lognorm(1.5, scale=100000 * exp(-1.125))",
            law: Law::log_normal_of_mean(100e3, 1.5),
            mean: 100e3,
            quantiles: [
                990.691_965_4,
                2_753.546_578,
                4_748.566_759,
                11_803.965_81,
                32_465.246_74,
                89_291.367_2,
                221_960.077_4,
                382_776.254_4,
                1_063_895.017,
                3_345_992.517,
            ],
        },
        Case {
            scipy: "pareto(1.2, scale=100000 / 6)",
            law: pareto(100e3, 1.2, None),
            mean: 100e3,
            quantiles: [
                16_806.840_84,
                17_394.518_52,
                18_196.170_26,
                21_181.873_18,
                29_696.623_94,
                52_913.368_4,
                113_548.678_2,
                202_320.743_7,
                773_598.138_9,
                5_270_462.767,
            ],
        },
        Case {
            scipy: "truncpareto(1.2, 1e6 / 200, scale=200)",
            law: pareto(981.568_035_789, 1.2, Some(1e6)),
            mean: 981.568_035_789,
            quantiles: [
                201.682_028_2,
                208.733_888_8,
                218.353_306_9,
                254.179_907_3,
                356.348_674_7,
                634.902_627_3,
                1_362.212_149,
                2_426.450_127,
                9_255.383_474,
                61_390.230_87,
            ],
        },
        Case {
            scipy: "truncpareto(0.5, 1e5 / 64, scale=64)",
            law: Law::Pareto { least: 64.0, shape: 0.5, most: Some(1e5) },
            mean: 2_529.822_128_13,
            quantiles: [
                65.266_099_09,
                70.725_661_68,
                78.570_017_84,
                111.882_863_4,
                243.522_760_1,
                884.627_527_7,
                4_246.262_01,
                11_676.848_28,
                52_110.101_62,
                92_717.814_48,
            ],
        },
        Case {
            scipy: "truncpareto(1.0, 100, scale=10)",
            law: Law::Pareto { least: 10.0, shape: 1.0, most: Some(1e3) },
            mean: 46.516_870_565_5,
            quantiles: [
                10.099_989_9,
                10.520_778_54,
                11.098_779_13,
                13.289_036_54,
                19.801_980_2,
                38.834_951_46,
                91.743_119_27,
                168.067_226_9,
                502.512_562_8,
                909.918_107_4,
            ],
        },
        Case {
            scipy: "truncpareto(1 + 1e-9, 100, scale=10)",
            law: Law::Pareto { least: 10.0, shape: 1.0 + 1e-9, most: Some(1e3) },
            mean: 46.516_870_463_8,
            quantiles: [
                10.099_989_9,
                10.520_778_54,
                11.098_779_13,
                13.289_036_54,
                19.801_980_19,
                38.834_951_41,
                91.743_119_1,
                168.067_226_5,
                502.512_562,
                909.918_107_1,
            ],
        },
        Case {
            scipy: "rv_histogram over the points of web-search",
            law: Law::Empirical(Cdf::named("web-search").expect("it is there")),
            mean: 1_711_250.0,
            quantiles: [
                666.666_666_7,
                3_333.333_333,
                6_666.666_667,
                25e3,
                73_076.923_08,
                1.5e6,
                5e6,
                8_571_428.571,
                23_333_333.33,
                29_333_333.33,
            ],
        },
        Case {
            scipy: "rv_histogram over the points of data-mining",
            law: Law::Empirical(Cdf::named("data-mining").expect("it is there")),
            mean: 12_658_198.6,
            quantiles: [18.0, 90.0, 180.0, 388.0, 1_100.0, 6_580.0, 400e3, 3.16e6, 550e6, 955e6],
        },
    ]
}

#[test]
fn means_are_those_of_scipy() {
    for Case { scipy, law, mean, .. } in cases() {
        let ours = law.mean().unwrap_or(f64::INFINITY);
        assert!((ours / mean - 1.0).abs() < 1e-8, "{scipy}: {ours}, scipy {mean}");
    }
}

/// The fraction of draws that are at most scipy's quantile of p must be p.
#[test]
fn draws_follow_the_laws_of_scipy() {
    for (seed, Case { scipy, law, quantiles, .. }) in cases().into_iter().enumerate() {
        law.check().expect("it can be drawn from");
        let mut dice = SplitMix64::seed_from_u64(seed as u64);
        let draws: Vec<f64> = (0..DRAWS).map(|_| law.draw(&mut dice)).collect();
        for (quantile, at) in quantiles.into_iter().zip(AT) {
            let share = draws.iter().filter(|&&draw| draw <= quantile).count() as f64 / DRAWS as f64;
            assert!((share - at).abs() < FAR, "{scipy}: {share} of draws up to {quantile}, not {at}");
        }
    }
}

#[test]
fn a_law_without_a_mean_says_so() {
    let heavy = |shape, most| Law::Pareto { least: 1.0, shape, most };
    assert_eq!(heavy(1.0, None).mean(), None);
    assert_eq!(heavy(0.3, None).mean(), None);
    assert!(heavy(0.3, Some(1e9)).mean().is_some());
    // Every drawn size must be within the bounds. With a shape of 0.02, half of the values are above 10^15.
    let mut dice = SplitMix64::seed_from_u64(1);
    let sizes: Vec<u64> = (0..100).map(|_| heavy(0.02, None).bytes(&mut dice).get()).collect();
    assert!(sizes.iter().all(|size| (1..=1_000_000_000_000_000).contains(size)), "{sizes:?}");
    assert_eq!(Law::Constant(0.0).bytes(&mut dice).get(), 1);
}

/// For each part of the curve, the table of the source gives a fraction of flows and a fraction of bytes, and therefore
/// a mean size. The curve does not use these means. The power law between the points is an assumption, which changes
/// the mean by 4 %. (Interpolation over the logarithm would change it by 48 %.)
#[test]
fn internet_mix_has_the_bytes_of_its_source() {
    const FLOWS: [f64; 13] = [
        4.3082, 32.3376, 56.8711, 71.1101, 79.0397, 82.6085, 89.7285, 94.0991, 98.4030, 99.6050, 99.9165,
        99.9876, 99.9997,
    ];
    const OCTETS: [f64; 13] = [
        0.0040, 0.0424, 0.1030, 0.1780, 0.2622, 0.3275, 0.5845, 0.9875, 2.9510, 8.2231, 21.7954, 53.1475,
        90.2202,
    ];
    const MEAN: f64 = 68_410.894_128;
    let cdf = Cdf::named("internet-mix").expect("it is there");
    assert!((cdf.mean() / MEAN - 1.0).abs() < 0.05, "{}", cdf.mean());
    for stretch in 1..13 {
        let flows = (FLOWS[stretch] - FLOWS[stretch - 1]) / 100.0;
        let measured = (OCTETS[stretch] - OCTETS[stretch - 1]) / 100.0 * MEAN / flows;
        // The mean of a part of the curve is computed from many of its quantiles.
        let from = FLOWS[stretch - 1] / 100.0;
        let ours =
            (0..1_000).map(|at| cdf.quantile(from + flows * (f64::from(at) + 0.5) / 1e3)).sum::<f64>() / 1e3;
        assert!((ours / measured - 1.0).abs() < 0.1, "stretch {stretch}: {ours}, measured {measured}");
    }
}

/// Values can be drawn from every named distribution, and its quantiles give its points.
#[test]
fn named_laws_have_their_points() {
    assert_eq!(Cdf::named("websearch"), None);
    for named in NAMED {
        let cdf = named.cdf();
        assert!(!named.source.is_empty() && !named.about.is_empty());
        for &(value, share) in named.points.iter().filter(|point| point.1 < 1.0) {
            assert!((cdf.quantile(share) - value).abs() <= 1e-6 * value, "{}: {value}", named.name);
        }
        assert_eq!(cdf.quantile(1.0), named.points[named.points.len() - 1].0);
    }
}

/// A curve with half of the probability at 100, a quarter distributed evenly up to 300, and the rest at exactly 300.
#[test]
fn a_curve_may_jump() {
    let cdf = Cdf::read("bytes,share\n# a comment\n100, 0.5\n\n300, 0.75\n300, 1\n", Between::Linear)
        .expect("it is one");
    assert!((cdf.mean() - (50.0 + 0.25 * 200.0 + 75.0)).abs() < 1e-12);
    for (probability, value) in
        [(0.0, 100.0), (0.49, 100.0), (0.5, 100.0), (0.625, 200.0), (0.75, 300.0), (0.9, 300.0)]
    {
        assert_eq!(cdf.quantile(probability), value, "{probability}");
    }
    // In ns-2's format, the second number of a row is the number of the row.
    let ns2 = Cdf::read("100 1 0.5\n300 2 0.75\n300 3 1\n", Between::Linear).expect("it is one");
    assert_eq!(ns2, cdf);
    // A row with values and other separators is not a row of column names.
    for first in ["100;0.5", "-,1", ".5x,1"] {
        let refused =
            Cdf::read(&format!("{first}\n300,1\n"), Between::Linear).expect_err("it is none").to_string();
        assert!(refused.contains("row 1") && refused.contains("write `12000, 0.53`"), "{refused}");
    }
}

fn gaps(arrivals: &Arrivals, s: u64) -> Vec<f64> {
    let moments: Vec<f64> = arrivals.moments(7, Span::from_secs(s)).map(Span::secs_f64).collect();
    assert!(moments.is_sorted());
    moments.iter().zip(&moments[1..]).map(|(one, next)| next - one).collect()
}

/// The gaps of a Poisson process are exponential, so their mean and their standard deviation are both 1 / rate. The
/// number of arrivals per second has a variance that equals its mean.
#[test]
fn poisson_arrivals_have_exponential_gaps() {
    let arrivals = Arrivals::Poisson { per_s: 20.0 };
    let gaps = gaps(&arrivals, 1_000);
    let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
    let variance = gaps.iter().map(|gap| (gap - mean).powi(2)).sum::<f64>() / gaps.len() as f64;
    // Standard errors with 20,000 gaps: 0.7 % of the mean, and 2 % of the variance (the fourth moment is 9).
    assert!((mean * 20.0 - 1.0).abs() < 0.02, "{mean}");
    assert!((variance * 400.0 - 1.0).abs() < 0.06, "{variance}");
    let mut counts = vec![0.0; 1_000];
    arrivals.moments(8, Span::from_secs(1_000)).for_each(|at| counts[at.secs_f64() as usize] += 1.0);
    let mean = counts.iter().sum::<f64>() / 1e3;
    let variance = counts.iter().map(|count: &f64| (count - mean).powi(2)).sum::<f64>() / 1e3;
    assert!((variance / mean - 1.0).abs() < 0.15, "{variance} of {mean}");
}

#[test]
fn regular_arrivals_do_not_drift() {
    let moments: Vec<Span> = Arrivals::Regular { per_s: 3.0 }.moments(1, Span::from_secs(10)).collect();
    assert_eq!(moments.len(), 30);
    assert_eq!(moments[1], Span::from_nanos(333_333_333));
    assert_eq!(moments[27], Span::from_secs(9));
}

/// One second on and three seconds off, with 100 arrivals per second while on. Expected: all arrivals are in the
/// seconds 0, 4, 8 …. The mean is 25 per second.
#[test]
fn on_off_arrivals_come_while_on() {
    let arrivals = Arrivals::OnOff { per_s: 100.0, on: Law::Constant(1.0), off: Law::Constant(3.0) };
    assert_eq!(arrivals.mean_per_s(), Some(25.0));
    let moments: Vec<f64> = arrivals.moments(3, Span::from_secs(400)).map(Span::secs_f64).collect();
    assert!(moments.iter().all(|at| at % 4.0 < 1.0));
    // 100 on periods with 100 arrivals each are 10,000 arrivals, with a standard deviation of 100.
    assert!((moments.len() as f64 - 10_000.0).abs() < 300.0, "{}", moments.len());
}
