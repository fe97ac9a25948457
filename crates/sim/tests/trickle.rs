// SPDX-License-Identifier: MIT OR Apache-2.0
//! An application that trickles, then bursts.

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
