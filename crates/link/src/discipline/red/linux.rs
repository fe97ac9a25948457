// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares RED with the implementation in Linux (see `discipline/linux.rs`).
//!
//! Below a token bucket, Linux's RED is never called while its queue is empty, because `tbf` checks the queue first.
//! Its mean therefore does not decrease while no packet arrives. In these tests, our queue is not called at these times
//! either.

use super::*;
use crate::Ecn;
use crate::discipline::Discipline;
use crate::discipline::linux::{Call, Outcome, Row, assert_alike, calls, serve, trace, without_ecn};

/// The settings of `data/oracles/disciplines.toml`. Thresholds are in bytes, and `weight` is 2^-w_log.
fn settings(min: u64, max: u64, w_log: i32, max_p: f64) -> Red {
    let bytes = |bytes| QueueLimit::Bytes(Bytes::new(bytes));
    Red {
        min_threshold: bytes(min),
        max_threshold: bytes(max),
        weight: 0.5_f64.powi(w_log),
        max_p,
        gentle: false,
    }
}

/// Replays a trace. The queue accepts the same packets as the kernel. `look` is called with the queue after each update
/// of the mean.
fn follow(red: Red, rows: &[Row], mut look: impl FnMut(&mut RedQueue, &Row)) {
    let mut queue = RedQueue::new(red);
    for (now, call) in calls(rows) {
        match call {
            Call::Offered(row) => {
                queue.average(now, row.parcel.size, Some(Rate::from_bits_per_s(12_000_000)));
                look(&mut queue, row);
                if row.left.is_some() {
                    queue.tail.push(now, row.parcel);
                }
            }
            Call::Left(_) => assert!(queue.tail.pop().is_some()),
        }
    }
}

/// If both thresholds are equal, Linux drops (or, without `harddrop`, marks) exactly the packets that arrive while the
/// mean queue length is at or above the threshold. Each packet therefore shows on which side of the threshold the
/// kernel's mean is. The kernel's mean is in whole bytes, and is rounded down once per packet.
#[test]
fn the_mean_queue_is_that_of_linux() {
    for rows in [trace!("red-step"), trace!("red-step-ecn")] {
        let (mut above, mut unclear, mut sides) = (0, 0, 0);
        let mut was = false;
        follow(settings(12_000, 12_000, 4, 0.1), &rows, |queue, row| {
            if (queue.avg - 12_000.0).abs() < 1.0 {
                unclear += 1;
                return;
            }
            let is = queue.avg >= 12_000.0;
            sides += u32::from(is != was);
            was = is;
            match row.left {
                None => assert!(is, "{row:?} at {}", queue.avg),
                Some((_, Ecn::Ce)) if row.ecn != Ecn::Ce => assert!(is, "{row:?} at {}", queue.avg),
                Some(_) => assert!(!is || row.ecn == Ecn::Ce, "{row:?} at {}", queue.avg),
            }
            above += usize::from(is);
        });
        assert!(unclear <= 5 && sides > 5 && above > 100, "{above} {unclear} {sides}");
    }
}

/// Between the thresholds, Linux draws one number U per distance, and signals when count p_b reaches U. Our code draws
/// at each packet, with the probability p_b / (1 - count p_b). We compute the expected number of our signals from p_b
/// at each packet of the trace. Linux's number of signals must be within four standard deviations of it. Below the
/// lower threshold, there must be no signals. Above the upper threshold, all packets must be dropped, whether they
/// could be marked or not. Linux always passes the first packet above the lower threshold.
///
/// Packets that arrived with CE do not show whether they were marked. These are 4 % of the packets of `red-ecn`, and
/// they count as not signalled.
#[test]
fn signals_are_as_probable_as_in_linux() {
    for (name, rows) in [("red", without_ecn(trace!("red"))), ("red-ecn", trace!("red-ecn"))] {
        let (mut expected, mut variance, mut found, mut forced) = (0.0, 0.0, 0, 0);
        let (mut count, mut fresh, mut unclear) = (0.0, true, 0);
        follow(settings(6000, 30_000, 5, 0.25), &rows, |queue, row| {
            let dropped = row.left.is_none();
            let signalled = dropped || row.left.is_some_and(|(_, ecn)| ecn != row.ecn);
            if [6000.0, 30_000.0].iter().any(|threshold| (queue.avg - threshold).abs() < 1.0) {
                unclear += 1;
            } else if queue.avg < 6000.0 {
                assert!(!signalled, "{row:?} at {}", queue.avg);
                (count, fresh) = (0.0, true);
            } else if queue.avg >= 30_000.0 {
                assert!(dropped, "{row:?} at {}", queue.avg);
                forced += 1;
                (count, fresh) = (0.0, true);
            } else if fresh {
                assert!(!signalled, "{row:?} at {}", queue.avg);
                fresh = false;
            } else {
                let p_b = queue.initial_probability();
                let p_a = (p_b / (1.0 - count * p_b)).clamp(0.0, 1.0);
                expected += p_a;
                variance += p_a * (1.0 - p_a);
                found += u32::from(signalled);
                count = if signalled { 0.0 } else { count + 1.0 };
            }
        });
        let away = (f64::from(found) - expected) / variance.sqrt();
        assert!(found > 300 && forced > 200 && unclear < 5, "{name}: {found} {forced} {unclear}");
        assert!(away.abs() < 4.0, "{name}: {found} for {expected}");
    }
}

/// With the same arrivals and our own random numbers, the drops and marks, the mean wait and the 95th percentile of the
/// wait agree.
#[test]
fn drops_and_waits_are_those_of_linux() {
    for (name, rows) in [("red", without_ecn(trace!("red"))), ("red-ecn", trace!("red-ecn"))] {
        let red = Discipline::Red(settings(6000, 30_000, 5, 0.25));
        let limit = QueueLimit::Bytes(Bytes::new(100_000));
        let ours: Vec<Outcome> = (1..=40).map(|seed| serve(red, limit, &rows, false, seed)).collect();
        let kernel = Outcome::of_the_kernel(&rows);
        for number in [
            (|one| one.dropped) as fn(&Outcome) -> f64,
            |one| one.marked,
            Outcome::mean_ms,
            |one| one.quantile_ms(0.95),
        ] {
            let all: Vec<f64> = ours.iter().map(number).collect();
            assert_alike(name, number(&kernel), &all, 0.04);
        }
    }
}
