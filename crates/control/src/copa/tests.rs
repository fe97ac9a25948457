// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests statements of the paper about the steady state on a deterministic bottleneck.

use super::*;
use crate::pipe::Pipe;
use crate::{loss_based, reno};

fn paper() -> Parameters {
    Parameters {
        delta: 0.5,
        min_rtt_window: Span::from_secs(10),
        min_rtt_rounds: 0.0,
        mode_switching: true,
        velocity: Way::Paper,
        empty_test: Way::Paper,
        heavy_loss: false,
    }
}

/// If 0.1 (RTTmax - RTTmin) is less than a segment, a queue of whole segments is often not "nearly empty". The paper's
/// results for the default mode are therefore tested without mode switching.
fn default_mode(delta: f64) -> Parameters {
    Parameters { delta, mode_switching: false, ..paper() }
}

fn at(secs: u64) -> Time {
    Time::ZERO + Span::from_secs(secs)
}

/// Section 3: between 0 and 2.5/delta segments are queued, 1.25/delta on average, and the link is busy.
#[test]
fn the_queue_is_that_of_the_paper() {
    for delta in [0.5, 0.1] {
        let mut pipe = Pipe::new(2000.0, f64::INFINITY);
        pipe.add(Box::new(Copa::new(default_mode(delta))), 50, at(0));
        pipe.run(at(20));
        let (seen, queue) = pipe.run(at(60));
        assert!(seen[0].rate > 1990.0, "{seen:?}");
        assert!((queue.mean * delta - 1.25).abs() < 0.125, "{queue:?}");
        assert!(queue.least <= 1.0 && queue.most <= 2.5 / delta + 1.0, "{queue:?}");
    }
}

/// Section 3: flows with the same delta and RTT get the same rate. The queue is the sum of the queues of the flows.
#[test]
fn two_flows_share() {
    let mut pipe = Pipe::new(2000.0, f64::INFINITY);
    pipe.add(Box::new(Copa::new(default_mode(0.5))), 50, at(0));
    pipe.add(Box::new(Copa::new(default_mode(0.5))), 50, at(5));
    pipe.run(at(20));
    let (seen, queue) = pipe.run(at(60));
    for flow in &seen {
        assert!((flow.rate / 1000.0 - 1.0).abs() < 0.05, "{seen:?}");
    }
    assert!((queue.mean - 5.0).abs() < 1.0, "{queue:?}");
}

/// Section 2.2: in competition with a flow that fills the queue, the default mode gets almost nothing, and mode
/// switching gets a share.
#[test]
fn mode_switching_holds_its_own_against_reno() {
    let share = |mode_switching| {
        let reno =
            reno::controller(loss_based::Parts::classic(1.0), reno::Parameters { byte_counting: true });
        let mut pipe = Pipe::new(2000.0, 300.0);
        pipe.add(Box::new(Copa::new(Parameters { mode_switching, ..paper() })), 50, at(0));
        pipe.add(Box::new(reno), 50, at(5));
        pipe.run(at(30));
        pipe.run(at(100)).0[0].rate / 2000.0
    };
    assert!(share(false) < 0.1);
    assert!((0.35..0.65).contains(&share(true)));
}
