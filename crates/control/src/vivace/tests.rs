// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests statements of the paper on a deterministic bottleneck.

use super::interval::Outcome;
use super::*;
use crate::pipe::Pipe;

fn paper() -> Paper {
    Paper {
        utility: Utility { exponent: 0.9, latency: 900.0, loss: 11.35 },
        steps: Steps { conversion: 1.0, bound: 0.05, bound_increment: 0.1 },
        probe: 0.05,
        gradient_filter: 0.01,
    }
}

fn at(secs: u64) -> Time {
    Time::ZERO + Span::from_secs(secs)
}

/// Section 5 reports full use of the link. A single flow uses more than 90 % of the link and keeps hardly any queue
/// (theorem 2).
#[test]
fn alone_it_uses_the_link_and_queues_nothing() {
    for (rate, rtt, buffer) in [(2000.0, 50, 100.0), (10_000.0, 30, 75.0), (2000.0, 50, f64::INFINITY)] {
        let mut pipe = Pipe::new(rate, buffer);
        pipe.add(Box::new(Vivace::new(Rules::Paper(paper()))), rtt, at(0));
        pipe.run(at(20));
        let (seen, queue) = pipe.run(at(60));
        assert!(seen[0].rate > 0.9 * rate, "{seen:?}");
        assert!(seen[0].lost == 0 && queue.mean < 2.0, "{queue:?}");
    }
}

/// Theorem 1: senders with the same utility converge to the same rate.
#[test]
fn two_flows_share() {
    let mut pipe = Pipe::new(10_000.0, 75.0);
    pipe.add(Box::new(Vivace::new(Rules::Paper(paper()))), 30, at(0));
    pipe.add(Box::new(Vivace::new(Rules::Paper(paper()))), 30, at(5));
    pipe.run(at(20));
    let (seen, _) = pipe.run(at(100));
    for flow in &seen {
        assert!((0.4..0.6).contains(&(flow.rate / 10_000.0)), "{seen:?}");
    }
}

/// Equation 1 at 100 Mbit/s: 100^0.9 = 63.0957; 900 * 100 * 0.02 = 1800; 11.35 * 100 * 0.05 = 56.75.
#[test]
fn the_utility_is_equation_1() {
    let outcome = Outcome { rate: 12.5e6, rtt_gradient: 0.02, loss_rate: 0.05 };
    let utility = paper().utility.of(&outcome);
    assert!((utility - (63.095_734 - 1800.0 - 56.75)).abs() < 1e-5, "{utility}");
}

fn uspace() -> Uspace {
    Uspace { utility: paper().utility, conversion: 1.0, bound: 0.05, probe: 0.05 }
}

/// With the program's rules, a single flow without noise also uses the link and keeps hardly any queue.
#[test]
fn by_the_program_it_uses_the_link() {
    for (rate, rtt, buffer) in [(2000.0, 50, 100.0), (10_000.0, 30, 75.0), (2000.0, 50, f64::INFINITY)] {
        let mut pipe = Pipe::new(rate, buffer);
        pipe.add(Box::new(Vivace::new(Rules::Uspace(uspace()))), rtt, at(0));
        pipe.run(at(20));
        let (seen, queue) = pipe.run(at(60));
        assert!(seen[0].rate > 0.9 * rate, "{seen:?}");
        assert!(seen[0].lost == 0 && queue.mean < 2.0, "{queue:?}");
    }
}
