// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares PIE with the implementation in Linux (see `discipline/linux.rs`).
//!
//! At 250 Hz, Linux updates every 12 ms for a setting of 8 ms, and every 20 ms for a setting of 15 ms. The actual
//! interval is the setting in whole ticks, plus one tick. A timer that is set again when it is due counts from the next
//! tick. Our settings use the actual intervals of Linux.

use super::*;
use crate::discipline::Discipline;
use crate::discipline::linux::{Call, Outcome, Row, assert_alike, calls, serve, trace, without_ecn};
use crate::rig::Table;

/// Times at which the kernel's probability was read, and the values that were read.
type Readings = Vec<(Time, f64)>;

fn said(text: &str) -> Readings {
    let row = |line: &str| {
        let mut fields = line.split(',');
        let at = fields.next().and_then(|at| at.parse().ok());
        let probability = fields.next().and_then(|it| it.parse().ok());
        at.map(Time::from_nanos).zip(probability).unwrap_or_else(|| panic!("{line}"))
    };
    text.lines().skip(1).map(row).collect()
}

macro_rules! said {
    ($name:literal) => {
        said(include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../vectors/queues/linux/",
            $name,
            "-probability.csv"
        )))
    };
}

/// The settings of `data/oracles/disciplines.toml`. Times are in ms. Linux's alpha and beta are in sixteenths.
fn settings(target: u64, update: u64, alpha: f64, beta: f64, estimate: WaitEstimate) -> Pie {
    let ms = Span::from_millis;
    let (alpha, beta) = (alpha / 16.0, beta / 16.0);
    Pie { target: ms(target), update: ms(update), alpha, beta, burst: ms(150), mark_below: 0.1, estimate }
}

/// Time at which the kernel's timer was first due. After that, it is due every `update`. It must be due in each
/// interval in which the probability changed.
fn first_update(said: &Readings, update: Span) -> Time {
    let step = 20_000;
    let fits = |phase: &u64| {
        said.windows(2).filter(|pair| pair[0].1 != pair[1].1).all(|pair| {
            let before = |at: Time| (at.nanos() + update.nanos() - phase) / update.nanos();
            before(pair[0].0) < before(pair[1].0)
        })
    };
    let all: Vec<u64> = (0..update.nanos()).step_by(step).filter(fits).collect();
    let (Some(first), Some(last)) = (all.first(), all.last()) else { panic!("no timer is like that") };
    assert!(last - first < 300_000, "{first} to {last}");
    Time::from_nanos(u64::midpoint(*first, *last))
}

/// Replays a trace. The queue accepts the same packets as the kernel. For each reading of the kernel's probability,
/// `look` is called with our queue and this probability.
fn follow(pie: Pie, rows: &[Row], said: &Readings, shift: i64, mut look: impl FnMut(&mut PieQueue, f64)) {
    let (mut queue, mut table) = (PieQueue::new(pie), Table::new());
    queue.update_at = Time::from_nanos(first_update(said, pie.update).nanos().saturating_add_signed(shift));
    let (mut probes, mut held) = (said.iter().peekable(), false);
    for (now, call) in calls(rows) {
        while let Some(&&(at, probability)) = probes.peek().filter(|(at, _)| *at <= now) {
            queue.catch_up(at);
            look(&mut queue, probability);
            probes.next();
        }
        queue.catch_up(now);
        match call {
            Call::Offered(row) if row.left.is_some() => queue.tail.push(now, row.parcel),
            Call::Offered(_) => {}
            Call::Left(_) => assert!(std::mem::take(&mut held)),
        }
        // The bucket looks ahead, so it takes the next packet as soon as it is empty.
        if !held {
            held = queue.pop(&mut table.context(now)).is_some();
        }
    }
}

fn quick(estimate: WaitEstimate) -> Pie {
    settings(5, 12, 32.0, 320.0, estimate)
}

/// Each step of the probability follows from the kernel's previous value and from the waits of the trace. If a packet
/// leaves within 0.1 ms of an update, the order of the two is unknown. With a beta of 20/s, a wait that is 1 ms longer
/// adds 0.02. Updates that are up to 0.1 ms earlier or later yield a range of probabilities. The kernel's probability
/// must be in this range, with a tolerance of 0.002. With the departure rate, the estimates differ: Linux gives a new
/// rate the weight 1/8, and the RFC gives a new time the weight 1/4.
#[test]
fn the_probability_is_that_of_linux() {
    for (name, rows, said) in
        [("pie", trace!("pie"), said!("pie")), ("pie-ecn", trace!("pie-ecn"), said!("pie-ecn"))]
    {
        let pie = quick(WaitEstimate::Timestamp);
        let mut range = vec![(f64::INFINITY, f64::NEG_INFINITY); said.len()];
        for shift in [-100_000, -50_000, -20_000, 0, 20_000, 50_000, 100_000] {
            let mut probe = 0;
            follow(pie, &rows, &said, shift, |queue, kernel| {
                let (least, most): &mut (f64, f64) = &mut range[probe];
                (*least, *most) = (least.min(queue.drop_prob), most.max(queue.drop_prob));
                probe += 1;
                queue.drop_prob = kernel;
            });
        }
        let (mut steps, mut inside, mut before) = (0, 0, 0.0);
        // Readings after the last packet are not compared.
        for (&(_, kernel), &(least, most)) in said.iter().zip(&range).filter(|(_, it)| it.0.is_finite()) {
            if kernel != before {
                steps += 1;
                inside += u32::from((least - 0.002..=most + 0.002).contains(&kernel));
            }
            before = kernel;
        }
        assert!(steps > 100 && inside == steps, "{name}: {inside} of {steps}");
    }
}

/// With tc's default settings (15 ms, 2, 20), every step equals the kernel's step with a tolerance of 0.002, if the
/// wait is at most 250 ms. For a longer wait, Linux adds 0.02 to each step. No RFC describes this addition. Linux also
/// does not limit its probability to one, so the reported value wraps.
#[test]
fn by_default_linux_adds_to_long_waits() {
    let (rows, said) = (trace!("pie-default"), said!("pie-default"));
    let pie = settings(15, 20, 2.0, 20.0, WaitEstimate::Timestamp);
    let (mut before, mut short, mut long, mut over) = (0.0, 0, 0, false);
    follow(pie, &rows, &said, 0, |queue, kernel| {
        if kernel != before && !over {
            if queue.qdelay_old > Span::from_millis(250) {
                // This is the last value before the reported value wraps.
                over = kernel < before;
                if !over {
                    assert!((kernel - queue.drop_prob - 0.02).abs() < 0.002, "{kernel} {}", queue.drop_prob);
                    long += 1;
                }
            } else {
                assert!((kernel - queue.drop_prob).abs() < 0.002, "{kernel} {}", queue.drop_prob);
                short += 1;
            }
        }
        before = kernel;
        queue.drop_prob = kernel;
    });
    assert!(short > 50 && long >= 5 && over, "{short} {long}");
}

/// With the same arrivals and our own random numbers, the drops, the mean wait and the 95th percentile of the wait
/// agree. With default settings, they do not agree: Linux drops 681 packets, and our queue drops 630 (see the test
/// above).
#[test]
fn drops_and_waits_are_those_of_linux() {
    use WaitEstimate::{DepartureRate, Timestamp};
    for (name, rows, pie) in [
        ("pie", without_ecn(trace!("pie")), quick(Timestamp)),
        ("pie-ecn", trace!("pie-ecn"), quick(Timestamp)),
        ("pie-rate", without_ecn(trace!("pie-rate")), quick(DepartureRate)),
    ] {
        let limit = crate::QueueLimit::Packets(1000);
        let ours: Vec<Outcome> =
            (1..=40).map(|seed| serve(Discipline::Pie(pie), limit, &rows, true, seed)).collect();
        let kernel = Outcome::of_the_kernel(&rows);
        for (number, largest) in [
            ((|one| one.dropped) as fn(&Outcome) -> f64, 0.04),
            (Outcome::mean_ms, 0.04),
            (|one| one.quantile_ms(0.95), 0.05),
        ] {
            let all: Vec<f64> = ours.iter().map(number).collect();
            assert_alike(name, number(&kernel), &all, largest);
        }
    }
}
