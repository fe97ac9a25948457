// SPDX-License-Identifier: MIT OR Apache-2.0
//! Streams at a constant bit rate with on and off periods, and a call next to such a stream.

use record::summary::FlowSummary;
use scenario::Scenario;
use sim::Options;

fn flows(text: &str) -> Vec<FlowSummary> {
    let scenario = Scenario::from_toml(text, "on-off.toml").unwrap_or_else(|error| panic!("{error}"));
    sim::run(&scenario, &Options::of(&scenario)).unwrap_or_else(|error| panic!("{error}")).summary.flows
}

#[test]
fn constant_periods_send_what_fits() {
    // One packet every 10 ms. An on period of 95 ms has ten packets, and an off period has 405 ms, twenty times in 10
    // s. The last period is cut at 9.55 s.
    let [flow] = &flows(
        "duration = \"11 s\"\nnetwork.dumbbell = { rate = \"10 Mbit/s\", rtt = \"50 ms\" }\n[[flows]]\nkind = \"cbr\"\n\
         rate = \"800 kbit/s\"\npacket = \"1000 B\"\non = \"95 ms\"\noff = \"405 ms\"\nstop = \"9.545 s\"\n",
    )[..] else {
        panic!("one flow")
    };
    assert_eq!((flow.sent_packets, flow.delivered_packets), (19 * 10 + 5, 19 * 10 + 5));
}

#[test]
fn exponential_periods_have_their_means() {
    let run = |seed: u32| {
        let all = flows(&format!(
            "duration = \"3000 s\"\nseed = {seed}\nnetwork.dumbbell = {{ rate = \"10 Mbit/s\", rtt = \"50 ms\" }}\n[[flows]]\nkind = \"cbr\"\n\
             count = 2\nrate = \"80 kbit/s\"\npacket = \"1000 B\"\non = {{ law = \"exponential\", mean = \"1 s\" }}\noff = {{ law = \
             \"exponential\", mean = \"1.5 s\" }}\n[record]\ninterval = \"off\"\n"
        ));
        [all[0].sent_packets, all[1].sent_packets]
    };
    let [one, other] = run(1);
    // 1200 on and off periods of 2.5 s. One packet every 100 ms, the first at once: 1 / (1 - exp(-0.1)) = 10.5 per on
    // period. The standard deviation of the fraction over 1200 pairs of periods is 2.4 %. The tolerance is four
    // standard deviations.
    for sent in [one, other] {
        assert!((sent as f64 / (1200.0 * 10.508) - 1.0).abs() < 0.1, "{sent}");
    }
    // Each flow has its own random stream, which depends on the seed.
    assert!(one != other && run(1) == [one, other] && run(2) != [one, other]);
}

/// Packets of one size arrive at random times at one server: the mean waiting time is rho S / (2 (1 - rho)) (M/D/1,
/// Pollaczek and Khinchine). A call samples this queue every 20 ms.
#[test]
fn a_call_waits_as_in_m_d_1() {
    // One packet of 1000 B per on period, and 1 us plus an exponential time of 1.599 ms until the next: 625 per second,
    // 0.8 ms each.
    let all = flows(
        "duration = \"400 s\"\n[network.dumbbell]\nrate = \"10 Mbit/s\"\nrtt = \"50 ms\"\nqueue = \"1000 packets\"\n\
         [[flows]]\nkind = \"cbr\"\nrate = \"1 Gbit/s\"\npacket = \"1000 B\"\non = \"1 us\"\noff = { law = \"exponential\", mean = \"1.599 \
         ms\" }\n[[flows]]\nkind = \"call\"\n[record]\ninterval = \"off\"\n",
    );
    // 250,000 packets: four standard deviations are 0.8 %.
    assert!((all[0].sent_packets as f64 / 250_000.0 - 1.0).abs() < 0.008, "{}", all[0].sent_packets);
    let call = all[1].call.as_ref().unwrap_or_else(|| panic!("it is a call"));
    // rho = 0.5: the waiting time is 0.4 ms, in addition to 25 ms and 0.16 ms. There are 20,000 samples of waiting
    // times with a standard deviation of 0.6 ms, so four standard deviations of the mean are four times 4 us.
    let wait = call.there.one_way_delay_ms.map_or(0.0, |delay| delay.mean) - 25.16;
    assert!((wait - 0.4).abs() < 0.02, "{wait} ms");
    // The reverse direction is idle.
    assert_eq!(call.back.delay_variation_ms.map(|variation| variation.max), Some(0.0));
    // A packet arrives at an idle server with probability 1 - rho, so the smallest delay is that of an empty queue.
    assert_eq!(call.there.one_way_delay_ms.map(|delay| delay.min), Some(25.16));
}
