// SPDX-License-Identifier: MIT OR Apache-2.0
//! A real QUIC library in virtual time: physical bounds, repetition byte for byte, and complete transfers.

use record::summary::FlowSummary;
use sim::Options;

fn run(text: &str) -> sim::Outcome {
    let scenario = scenario::Scenario::from_toml(text, "quic.toml").unwrap_or_else(|error| panic!("{error}"));
    sim::run(&scenario, &Options::of(&scenario)).unwrap_or_else(|error| panic!("{error}"))
}

fn last(text: &str) -> FlowSummary {
    run(text).summary.flows.pop().unwrap_or_else(|| panic!("there is a flow"))
}

#[test]
fn a_transfer_arrives_complete() {
    let flow = last(
        "duration = \"5 s\"\nnetwork.dumbbell = { rate = \"100 Mbit/s\", rtt = \"50 ms\" }\n\
         flows = [{ transport = \"quic\", controller = \"cubic\", size = \"10 MB\" }]\n",
    );
    panic!("{flow:#?}");
}
