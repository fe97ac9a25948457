// SPDX-License-Identifier: MIT OR Apache-2.0
//! Applications compared with the laws of queueing theory, which know no packets.
//!
//! For a law to hold exactly, requests travel over a link without a rate, connections need no handshake, and the first
//! window contains a whole answer. Then an answer and the acknowledgement of its request arrive at the link at once.
//! The test compares the law with the mean over several seeds, within their confidence interval.

#[path = "shared/line.rs"]
mod line;

use hosts::VisitRow;
use hosts::application::Application;
use line::{Line, World};
use link::{Discipline, Drr, Queue, QueueLimit};
use std::sync::Arc;
use traffic::{Arrivals, Begin, Between, Cdf, Law, Model};
use units::{Span, Time};

const BITS_PER_S: f64 = 10e6;
/// Payload of a full segment, length of the headers, and length of the request's acknowledgement, which precedes the
/// answer, in bytes.
const MSS: f64 = 1448.0;
const HEADER: f64 = 52.0;
const ACK: f64 = 52.0;
const DELAY_S: f64 = 1e-3;
/// The 99.5 % quantile of Student's t distribution with 5 degrees of freedom: a 99 % confidence interval for six seeds.
const SEEDS: std::ops::Range<u64> = 1..7;
const T_5: f64 = 4.032;

/// Returns the time for which the link serves an answer of `bytes`, in s.
fn service_s(bytes: f64) -> f64 {
    (bytes + HEADER * (bytes / MSS).ceil() + ACK) * 8.0 / BITS_PER_S
}

/// Returns the visits of one seed. The link serves packets in order of arrival, or all flows in turn if `fair`.
fn visits(begin: Begin, size: &Law, fair: bool, seed: u64, seconds: u64) -> Vec<VisitRow> {
    let drr = Queue { discipline: Discipline::Drr(Drr::default()), limit: QueueLimit::Unlimited };
    let line = Line { rate_back: None, ..Line::of(Some(10), 1) };
    let line = if fair { Line { queue: drr, ..line } } else { line };
    let application = Application {
        begin,
        model: Model::Transfer { size: size.clone() },
        start: Time::ZERO,
        stop: Some(Time::ZERO + Span::from_secs(seconds)),
        seed,
        shaken: false,
        path: None,
    };
    let config = tcp::Config { setup: tcp::Setup::None, initial_window: 1_000, ..tcp::Config::default() };
    World::new(&line, application, &config, "reno").run(seconds + 1_000)
}

/// Returns the time that a visit spent at the link, in s.
fn at_link_s(row: &VisitRow) -> f64 {
    row.experience.took().unwrap_or_else(|| panic!("{row:?}")).secs_f64() - 2.0 * DELAY_S
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

/// Checks that the law is within the confidence interval of the seeds, and that the interval is narrow.
fn agrees(what: &str, by_seed: &[f64], law: f64, narrow: f64) {
    let (count, middle) = (by_seed.len() as f64, mean(by_seed.iter().copied()));
    let variance = by_seed.iter().map(|value| (value - middle).powi(2)).sum::<f64>() / (count - 1.0);
    let half = T_5 * (variance / count).sqrt();
    assert!((middle - law).abs() <= half, "{what}: {middle} ± {half}, law {law}");
    assert!(half < narrow * law, "{what}: {middle} ± {half} says little of {law}");
}

/// Pollaczek and Khinchine (Kleinrock, Queueing Systems I, eq. 5.70): W = lambda E\[S^2\] / (2 (1 - rho)). For answers
/// of one packet, this is M/D/1.
#[test]
fn answers_wait_as_pollaczek_and_khinchine_say() {
    let mixed = Cdf::new(vec![(MSS, 0.75), (10.0 * MSS, 0.75), (10.0 * MSS, 1.0)], Between::Linear);
    let mixed = Law::Empirical(Arc::new(mixed.unwrap_or_else(|error| panic!("{error}"))));
    let (one, ten) = (service_s(MSS), service_s(10.0 * MSS));
    let both = (0.75 * one + 0.25 * ten, 0.75 * one * one + 0.25 * ten * ten);
    for (what, size, (first, second), rho, per_seed, narrow) in [
        ("M/D/1 at 0.5", Law::Constant(MSS), (one, one * one), 0.5, 3_000, 0.1),
        ("M/D/1 at 0.8", Law::Constant(MSS), (one, one * one), 0.8, 4_000, 0.3),
        ("M/G/1 at 0.6", mixed, both, 0.6, 3_000, 0.25),
    ] {
        let per_s = rho / first;
        let seconds = (f64::from(per_seed) / per_s).ceil() as u64;
        let wait = |seed| {
            let begin = Begin::Open(Arrivals::Poisson { per_s });
            let rows = visits(begin, &size, false, seed, seconds);
            mean(rows.iter().map(|row| at_link_s(row) - service_s(row.experience.bytes().get() as f64)))
        };
        let waits: Vec<f64> = SEEDS.map(wait).collect();
        agrees(what, &waits, per_s * second / (2.0 * (1.0 - rho)), narrow);
    }
}

/// If all share the link equally, the mean slow-down of a transfer of any size is 1 / (1 - rho), for any distribution
/// of sizes. This is the law of processor sharing (Kleinrock, Queueing Systems II, eq. 4.17). Fredj and others show
/// that it holds for flows on a link (Statistical Bandwidth Sharing, SIGCOMM 2001). Turns are packets here, and answers
/// have 20 packets on average.
#[test]
fn a_fair_link_slows_down_as_processor_sharing() {
    let size = Law::Exponential { mean: 20.0 * MSS };
    // Mean service time for an exponential size: the mean number of segments is 1 / (1 - exp(-1 / 20)).
    let mean_s = (20.0 * MSS + HEADER / -(-1.0_f64 / 20.0).exp_m1() + ACK) * 8.0 / BITS_PER_S;
    for (rho, visits_each, narrow) in [(0.2, 500, 0.1), (0.5, 1_000, 0.15), (0.8, 2_500, 0.4)] {
        let per_s = rho / mean_s;
        let seconds = (f64::from(visits_each) / per_s).ceil() as u64;
        let slow_down = |seed| {
            let rows = visits(Begin::Open(Arrivals::Poisson { per_s }), &size, true, seed, seconds);
            // Only long answers: for a short answer, the turn of one packet is a large part.
            let long = rows.iter().filter(|row| row.experience.bytes().get() as f64 > 10.0 * MSS);
            let slow: Vec<f64> =
                long.map(|row| at_link_s(row) / service_s(row.experience.bytes().get() as f64)).collect();
            mean(slow.into_iter())
        };
        let by_seed: Vec<f64> = SEEDS.map(slow_down).collect();
        agrees(&format!("processor sharing at {rho}"), &by_seed, 1.0 / (1.0 - rho), narrow);
    }
}

/// The machine repairman model (Kleinrock, Queueing Systems I, section 3.8, M/M/1//M). N users think for Z and are
/// served for S. The link is idle for p0 = 1 / sum N! / (N - n)! (S / Z)^n of the time. X = (1 - p0) / S visits end per
/// second. By Little's law, a visit takes R = N / X - Z. The model holds for first come, first served with exponential
/// sizes, and for processor sharing with any sizes (Baskett, Chandy, Muntz and Palacios 1975). It holds for any
/// distribution of the time away from the link, which is think time plus round trip.
#[test]
fn users_who_think_share_the_link_as_machines_share_a_repairman() {
    const N: u32 = 10;
    const THINK_S: f64 = 0.4;
    const SECONDS: u64 = 80;
    let exponential = Law::Exponential { mean: 30.0 * MSS };
    let exponential_s = (30.0 * MSS + HEADER / -(-1.0_f64 / 30.0).exp_m1() + ACK) * 8.0 / BITS_PER_S;
    for (what, size, mean_s, fair) in [
        ("first come, first served", exponential, exponential_s, false),
        ("shared", Law::Constant(30.0 * MSS), service_s(30.0 * MSS), true),
    ] {
        let away_s = THINK_S + 2.0 * DELAY_S;
        let (mut term, mut sum) = (1.0, 1.0);
        for n in 0..N {
            term *= f64::from(N - n) * mean_s / away_s;
            sum += term;
        }
        let per_s = (1.0 - 1.0 / sum) / mean_s;
        let response_s = f64::from(N) / per_s - away_s;
        let (mut rates, mut responses) = (Vec::new(), Vec::new());
        for seed in SEEDS {
            let begin = Begin::Closed { users: N, think: Law::Exponential { mean: THINK_S } };
            let rows = visits(begin, &size, fair, seed, SECONDS);
            // All users think at first, so count visits from 10 s on that have ended.
            let span = 10.0..SECONDS as f64;
            let ended = rows
                .iter()
                .filter(|row| row.ended.is_some_and(|at| span.contains(&at.since(Time::ZERO).secs_f64())));
            let took: Vec<f64> = ended.map(at_link_s).collect();
            rates.push(took.len() as f64 / (span.end - span.start));
            responses.push(mean(took.into_iter()));
        }
        agrees(&format!("{what}, visits per second"), &rates, per_s, 0.05);
        agrees(&format!("{what}, time at the link"), &responses, response_s, 0.1);
    }
}
