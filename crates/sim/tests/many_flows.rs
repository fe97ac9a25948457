// SPDX-License-Identifier: MIT OR Apache-2.0
//! The set-up of many flows can be stopped at each of them. The benchmark `set_up` measures how its time grows.

use engine::NoObserver;
use plan::{Plan, never};
use scenario::Scenario;
use sim::{Session, Settings, SimError};
use std::cell::Cell;

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

/// `stop` is called for every flow.
#[test]
fn set_up_can_be_stopped() {
    let scenario = scenario(1000);
    let asked = Cell::new(0);
    let stop = |_| {
        asked.set(asked.get() + 1);
        asked.get() == 500
    };
    let plan = Plan::of_run(&scenario, &never).unwrap_or_else(|error| panic!("{error}"));
    let refused = Session::new(plan, Settings::default(), NoObserver, &stop).err();
    assert!(matches!(refused, Some(SimError::Interrupted)), "{refused:?}");
    assert_eq!(asked.get(), 500);
}
