// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests statements of RFC 6817 and of the draft on a deterministic bottleneck.

use super::*;
use crate::loss_verdict::LossJudge;
use crate::pipe::Pipe;
use crate::slow_start::SlowStart;

fn parameters(law: Law, target_ms: u64, delay: Delay) -> Parameters {
    let parts = Parts {
        slow_start: SlowStart::Classic { limit: 1.0 },
        loss_judge: LossJudge::Congestion,
        careful_resume: None,
        pacing: false,
        beta_ecn: None,
    };
    Parameters { law, target: Span::from_millis(target_ms), delay, parts }
}

fn rfc() -> Parameters {
    parameters(Law::Ledbat { gain: 1.0, slow_start: false }, 100, Delay::OneWay)
}

fn plus_plus() -> Parameters {
    parameters(Law::PlusPlus { decrease: 1.0, slowdowns: true }, 60, Delay::RoundTrip)
}

fn at(secs: u64) -> Time {
    Time::ZERO + Span::from_secs(secs)
}

/// RFC 6817, section 2.4: LEDBAT saturates the link and keeps the queueing delay at the target, which is 100 ms at
/// 1000/s.
#[test]
fn ledbat_queues_its_target() {
    let mut pipe = Pipe::new(1000.0, f64::INFINITY);
    pipe.add(Box::new(controller(rfc())), 50, at(0));
    pipe.run(at(60));
    let (seen, queue) = pipe.run(at(100));
    assert!(seen[0].rate > 999.0, "{seen:?}");
    assert!((queue.mean - 100.0).abs() < 3.0, "{queue:?}");
}

/// With RFC 6817, a later flow has an advantage, because it measures the first flow's queue as its base delay. LEDBAT++
/// was designed to remove this advantage.
#[test]
fn a_latecomer_starves_ledbat_but_not_ledbat_plus_plus() {
    let share = |make: fn() -> Parameters| {
        let mut pipe = Pipe::new(1000.0, f64::INFINITY);
        pipe.add(Box::new(controller(make())), 50, at(0));
        pipe.add(Box::new(controller(make())), 50, at(60));
        pipe.run(at(200));
        pipe.run(at(400)).0[0].rate / 1000.0
    };
    let (ledbat, plus_plus) = (share(rfc), share(plus_plus));
    assert!(ledbat < 0.1, "{ledbat}");
    assert!((0.35..0.65).contains(&plus_plus), "{plus_plus}");
}

/// Section 4.4: slowdowns take at most a tenth of the time. Between two slowdowns, the queueing delay is at most about
/// the target.
#[test]
fn ledbat_plus_plus_uses_the_link_within_its_target() {
    let mut pipe = Pipe::new(1000.0, f64::INFINITY);
    pipe.add(Box::new(controller(plus_plus())), 50, at(0));
    pipe.run(at(60));
    let before = pipe.number(0, "slowdowns").unwrap_or(0.0);
    let (seen, queue) = pipe.run(at(200));
    assert!(pipe.number(0, "slowdowns").unwrap_or(0.0) > before);
    assert!(seen[0].rate > 900.0, "{seen:?}");
    assert!(queue.least < 1.0 && queue.most < 66.0, "{queue:?}");
}

/// Section 4.2 with a target of 60 ms: the gain is about 1/16 up to 8 ms, 1/3 at 50 ms, and 1 from 120 ms on.
#[test]
fn the_gain_falls_on_short_paths() {
    for (base_ms, divisor) in
        [(0.0, 16.0), (1.0, 16.0), (8.0, 15.0), (10.0, 12.0), (50.0, 3.0), (120.0, 1.0), (600.0, 1.0)]
    {
        assert_eq!(plus_plus_gain(0.06, base_ms / 1e3), 1.0 / divisor, "{base_ms} ms");
    }
}
