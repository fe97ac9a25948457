// SPDX-License-Identifier: MIT OR Apache-2.0
//! An application that writes at a rate, and one that trickles, then bursts.

use scenario::Scenario;

#[test]
fn a_trickle_is_sent_as_it_is_written_and_the_rest_at_once() {
    // 100 kbit/s for 20 s of 30 s over 10 Mbit/s: 250 kB; then 10 s at the link's rate less what slow start costs.
    let text = "name = \"t\"\nduration = \"30 s\"\n[network.dumbbell]\nrate = \"10 Mbit/s\"\nrtt = \"100 ms\"\n\
                [[flows]]\ncontroller = \"reno\"\ntrickle = { rate = \"100 kbit/s\", lasts = \"20 s\" }\n";
    let scenario = Scenario::from_toml(text, "t.toml").unwrap_or_else(|error| panic!("{error}"));
    let outcome = sim::run(&scenario, &sim::Options::of(&scenario)).unwrap_or_else(|error| panic!("{error}"));
    let flow = &outcome.summary.flows[0];
    let delivered_mb = flow.goodput_mbit_s * 30.0 / 8.0;
    assert!((0.25 + 10.0..0.25 + 12.5).contains(&delivered_mb), "{delivered_mb} MB");
    // Limited by the application from the first segment until the burst.
    let share = flow.app_limited_share.unwrap_or(0.0);
    assert!((0.6..=0.667).contains(&share), "{share}");
}

#[test]
fn a_writer_at_a_rate_sends_each_segment_when_it_is_written() {
    let text = "name = \"t\"\nduration = \"30 s\"\n[network.dumbbell]\nrate = \"10 Mbit/s\"\nrtt = \"100 ms\"\n\
                [[flows]]\ncontroller = \"cubic\"\ntrickle = { rate = \"1 Mbit/s\" }\n";
    let scenario = Scenario::from_toml(text, "t.toml").unwrap_or_else(|error| panic!("{error}"));
    let outcome = sim::run(&scenario, &sim::Options::of(&scenario)).unwrap_or_else(|error| panic!("{error}"));
    let flow = &outcome.summary.flows[0];
    // 1448 B take 11.584 ms to write: 2589 of them in 30 s. None waits for another, and there is always room in the window.
    assert_eq!((flow.sent_packets, flow.retransmitted_packets), (2589, 0));
    assert_eq!(flow.queueing_delay_ms.map(|waited| waited.max), Some(0.0));
    assert!(flow.app_limited_share.is_some_and(|share| share > 0.99), "{:?}", flow.app_limited_share);
    // Who reads the resolved scenario finds the same application.
    let again =
        Scenario::from_toml(&scenario.to_toml(""), "again.toml").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.flows, scenario.flows);
}
