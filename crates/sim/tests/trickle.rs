// SPDX-License-Identifier: MIT OR Apache-2.0
//! An application that writes at a limited rate, and an application that does so before it writes the rest at once.

use scenario::Scenario;

#[test]
fn a_trickle_is_sent_as_it_is_written_and_the_rest_at_once() {
    // 100 kbit/s for 20 s of 30 s over 10 Mbit/s: 250 kB. Then 10 s at the rate of the link, minus the cost of slow
    // start.
    let text = "name = \"t\"\nduration = \"30 s\"\n[network.dumbbell]\nrate = \"10 Mbit/s\"\nrtt = \"100 ms\"\n\
                [[flows]]\ncontroller = \"reno\"\ntrickle = { rate = \"100 kbit/s\", lasts = \"20 s\" }\n";
    let scenario = Scenario::from_toml(text, "t.toml").unwrap_or_else(|error| panic!("{error}"));
    let outcome = sim::run(&scenario, &sim::Options::of(&scenario)).unwrap_or_else(|error| panic!("{error}"));
    let flow = &outcome.summary.flows[0];
    let delivered_mb = flow.goodput_mbit_s.unwrap_or(f64::NAN) * 30.0 / 8.0;
    assert!((0.25 + 10.0..0.25 + 12.5).contains(&delivered_mb), "{delivered_mb} MB");
    // The application limits the flow from the first segment until the burst.
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
    // 1448 B take 11.584 ms to write: 2589 segments in 30 s. No segment waits for another, and the window always has
    // space.
    assert_eq!((flow.sent_packets, flow.retransmitted_packets), (2589, 0));
    assert_eq!(flow.queueing_delay_ms.map(|waited| waited.max), Some(0.0));
    assert!(flow.app_limited_share.is_some_and(|share| share > 0.99), "{:?}", flow.app_limited_share);
    // The resolved scenario contains the same application.
    let again =
        Scenario::from_toml(&scenario.to_toml(""), "again.toml").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.flows, scenario.flows);
}

/// A connection that loses a packet early, has little data for a long time, and then has a large amount of data.
fn early_loss_then_all_at_once(controller: &str, rate: &str, rtt: &str, trickles_s: u32) -> sim::Outcome {
    let text = format!(
        "name = \"t\"\nduration = \"{} s\"\ntcp = {{ preset = \"linux\", receive_window = \"unlimited\" }}\n\
         network.dumbbell = {{ rate = \"{rate}\", rtt = \"{rtt}\", queue = \"1 BDP\", loss = {{ packets = [60] }} }}\n\
         [[flows]]\ncontroller = {controller}\ntrickle = {{ rate = \"100 kbit/s\", lasts = \"{trickles_s} s\" }}\n\
         size = \"2 GB\"\n",
        trickles_s + 30
    );
    let scenario = Scenario::from_toml(&text, "t.toml").unwrap_or_else(|error| panic!("{error}"));
    sim::run(&scenario, &sim::Options::of(&scenario)).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn growth_after_a_trickle_does_not_depend_on_how_long_it_lasted() {
    // 20 Mbit/s and 600 ms contain 1036 segments, and the queue contains as many. With a doubling per round trip, an
    // overshoot loses at most the contents of both, once in 30 s. On the shorter path, there are more losses at other
    // times. If H-TCP counted the whole time since the last loss in D, it would have a window of 3.2e8 segments,
    // 111,670 retransmissions and 9 timeouts.
    let whole = "{ name = \"h-tcp\", reading = \"6.1\" }";
    for controller in ["\"h-tcp\"", whole, "\"cubic\"", "\"hybic\"", "\"cubic-linux\""] {
        for (rate, rtt, most) in [("20 Mbit/s", "600 ms", 2070), ("5 Mbit/s", "100 ms", u64::MAX)] {
            let retransmitted = [60, 600].map(|trickles_s| {
                let outcome = early_loss_then_all_at_once(controller, rate, rtt, trickles_s);
                let flow = &outcome.summary.flows[0];
                assert_eq!(flow.timeouts, 0, "{controller}, {rate}, {trickles_s} s");
                flow.retransmitted_packets
            });
            let [short, long] = retransmitted;
            assert!(
                short.abs_diff(long) <= short / 10 && long <= most,
                "{controller}, {rate}: {retransmitted:?}"
            );
        }
    }
}
