// SPDX-License-Identifier: MIT OR Apache-2.0
//! The number of packets grows where no queue has a limit. The run ends with an error message; the process survives.

use scenario::Scenario;
use sim::{Options, SimError, run};

/// Two million packets per second, one thousandth of which leave.
const FLOOD: &str = r#"
duration = "1 s"
record = { interval = "off", events = false }
network.chain = { links = [{ rate = "1 Mbit/s", delay = "5 ms", queue = "unlimited" }] }
flows = [{ kind = "cbr", rate = "1 Gbit/s", packet = "64 B" }]
"#;

/// 100,000 transfers per second. A link of 1 Mbit/s lets almost none of them start.
const CALLERS: &str = r#"
duration = "1 s"
record = { interval = "off", events = false }
network.chain = { links = [{ rate = "1 Mbit/s", delay = "5 ms", queue = "20 packets" }] }
flows = [{ kind = "transfers", controller = "reno", size = "100 B", arrivals = { law = "regular", rate = 100000.0 } }]
"#;

fn flood(text: &str, free_memory: fn() -> Option<f64>) -> Result<(), SimError> {
    let scenario = Scenario::from_toml(text, "flood.toml").unwrap_or_else(|error| panic!("{error}"));
    run(&scenario, &Options { free_memory: Some(free_memory), ..Options::of(&scenario) }).map(drop)
}

#[test]
fn a_run_ends_before_memory_does() {
    let refused = flood(FLOOD, || Some(1e8)).expect_err("a million packets take more");
    assert_eq!(refused.code().as_str(), "cost-too-high");
    let said = refused.to_string();
    assert!(said.contains("million packets are on the network at once, most of them on 0 > 1"), "{said}");
    assert!(said.contains("0.1 GB of memory are left (limit the `queue` of this link"), "{said}");
}

/// 250 MB are 52,000 connection ends of 4800 bytes. Memory is checked then, half a second after the start.
#[test]
fn open_connections_take_memory_too() {
    let refused = flood(CALLERS, || Some(1e8)).expect_err("they take 250 MB");
    assert_eq!(refused.code().as_str(), "cost-too-high");
    let said = refused.to_string();
    assert!(said.contains("stopped at 0.5") && said.contains("0.1 million open connection ends"), "{said}");
    assert!(said.contains("0.1 GB of memory are left (lower the `load` or the rate of `arrivals`"), "{said}");
    flood(CALLERS, || Some(1e12)).expect("there is room");
}

#[test]
fn with_room_or_where_none_is_known_it_goes_on() {
    flood(FLOOD, || Some(1e12)).expect("there is room");
    flood(FLOOD, || None).expect("nobody knows");
}
