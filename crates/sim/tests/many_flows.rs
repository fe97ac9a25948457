// SPDX-License-Identifier: MIT OR Apache-2.0
//! As many flows as there may be are set up in time that grows with their number, and any of them may be the last.

use engine::Blind;
use record::Tables;
use scenario::Scenario;
use sim::{Options, SimError, Simulation};
use std::cell::Cell;
use std::time::{Duration, Instant};

fn scenario(flows: u32) -> Scenario {
    let text = format!(
        r#"
duration = "100 ms"
network.constellation.preset = "iridium"
[[flows]]
from = "Paris"
to = "Tokyo"
controller = "reno"
count = {flows}
access = {{ rate = "1 Gbit/s", delay = "1 ms" }}
"#
    );
    Scenario::from_toml(&text, "flows.toml").unwrap_or_else(|error| panic!("{error}"))
}

fn set_up(flows: u32) -> Duration {
    let scenario = scenario(flows);
    let begun = Instant::now();
    let simulation = Simulation::new(&scenario, &Options::default(), Tables::default(), Blind, &|_| false);
    drop(simulation.unwrap_or_else(|error| panic!("{error}")));
    begun.elapsed()
}

/// 32 times the flows take 32 times as long; a thousand times as long when each looked at the links of all others. The
/// bound is the middle of the two, six times from either: work of other processes does not reach it, as the quickest of
/// several counts and both take turns.
#[test]
fn set_up_is_linear() {
    let (few, many): (Vec<_>, Vec<_>) = (0..3).map(|_| (set_up(2_000), set_up(64_000))).unzip();
    let (few, many) = (few.into_iter().min().unwrap_or_default(), many.into_iter().min().unwrap_or_default());
    assert!(many < few * 180, "{few:?} for 2,000 flows, {many:?} for 64,000");
}

/// The caller is asked for every flow.
#[test]
fn set_up_can_be_stopped() {
    let scenario = scenario(1000);
    let asked = Cell::new(0);
    let stop = |_| {
        asked.set(asked.get() + 1);
        asked.get() == 500
    };
    let refused = Simulation::new(&scenario, &Options::default(), Tables::default(), Blind, &stop).err();
    assert!(matches!(refused, Some(SimError::Interrupted)), "{refused:?}");
    assert_eq!(asked.get(), 500);
}
