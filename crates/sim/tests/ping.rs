// SPDX-License-Identifier: MIT OR Apache-2.0
//! Echoes: their round-trip time consists of propagation, transmission and queueing, and every loss is counted.

use record::summary::FlowSummary;
use sim::Options;

fn run(text: &str) -> sim::Outcome {
    let scenario = scenario::Scenario::from_toml(text, "ping.toml").unwrap_or_else(|error| panic!("{error}"));
    sim::run(&scenario, &Options::of(&scenario)).unwrap_or_else(|error| panic!("{error}"))
}

fn last(text: &str) -> FlowSummary {
    run(text).summary.flows.pop().unwrap_or_else(|| panic!("there is a flow"))
}

#[test]
fn on_an_idle_path_it_is_propagation_and_two_transmissions() {
    let flow = last(
        "duration = \"2 s\"\nnetwork.dumbbell = { rate = \"10 Mbit/s\", rtt = \"50 ms\" }\nflows = [{ kind = \"ping\" }]\n",
    );
    // 84 B at 10 Mbit/s take 67.2 us in each direction.
    let rtt = flow.rtt_ms.unwrap_or_else(|| panic!("echoes come back"));
    assert_eq!((rtt.min, rtt.max), (50.1344, 50.1344));
    // One echo leaves every 10 ms from zero on. The echoes that leave until 1940 ms return within 2 s.
    assert_eq!((flow.sent_packets, flow.delivered_packets, rtt.samples), (200, 195, 195));
    assert_eq!((flow.kind.as_str(), flow.cuts, flow.retransmitted_packets), ("ping", 0, 0));
}

#[test]
fn it_waits_for_the_queue_it_meets() {
    // Every second, five packets of 10 kB arrive at once, and take 8 ms each at 10 Mbit/s. After 8 ms, four remain: 32
    // ms.
    let flow = last(
        "duration = \"10 s\"\nnetwork.dumbbell = { rate = \"10 Mbit/s\", rtt = \"50 ms\", queue = \"10 packets\" }\n\
         [[flows]]\nkind = \"cbr\"\ncount = 5\nrate = \"80 kbit/s\"\npacket = \"10 kB\"\n\
         [[flows]]\nkind = \"ping\"\nstart = \"8 ms\"\ninterval = \"1 s\"\n",
    );
    let rtt = flow.rtt_ms.unwrap_or_else(|| panic!("echoes come back"));
    assert_eq!((rtt.samples, rtt.min, rtt.max), (10, 82.1344, 82.1344));
    assert_eq!(flow.queueing_delay_ms.map(|queue| (queue.min, queue.max)), Some((32.0, 32.0)));
}

/// Four replies wait at the same time. A link that filters ACKs does not drop them, because an echo is not TCP.
#[test]
fn replies_are_not_thinned_as_acknowledgements() {
    for thinning in ["filter", "filter-aggressive", "decimate"] {
        let flow = last(&format!(
            "duration = \"10 s\"\n[network.dumbbell]\nrate = \"10 Mbit/s\"\nrtt = \"50 ms\"\n\
             reverse = {{ rate = \"20 kbit/s\", queue = \"100 packets\", acks = {{ thinning = \"{thinning}\" }} }}\n\
             [[flows]]\nkind = \"ping\"\ninterval = \"20 ms\"\nstop = \"200 ms\"\n"
        ));
        // 84 B at 20 kbit/s take 33.6 ms, which is more than the interval of 20 ms between echoes.
        let rtt = flow.rtt_ms.unwrap_or_else(|| panic!("echoes come back"));
        assert_eq!((flow.sent_packets, rtt.samples), (10, 10), "{thinning}");
        assert_eq!(flow.losses.queue, 0, "{thinning}");
    }
}

#[test]
fn a_loss_on_either_way_is_counted() {
    let ping = |forward: &str, reverse: &str| {
        last(&format!(
            "duration = \"101 s\"\n[network.dumbbell]\nrate = \"10 Mbit/s\"\nrtt = \"50 ms\"\nloss = {{ per = {forward} \
             }}\nreverse = {{ loss = {{ per = {reverse} }} }}\n[[flows]]\nkind = \"ping\"\nstop = \"100 s\"\n"
        ))
    };
    for (forward, reverse, share) in [("0.2", "0.0", 0.2), ("0.0", "0.2", 0.2), ("0.2", "0.2", 0.36)] {
        let flow = ping(forward, reverse);
        assert_eq!(flow.sent_packets, 10_000);
        // One second after the last echo, no packet is in flight.
        assert_eq!(flow.sent_packets, flow.delivered_packets + flow.losses.error);
        // Four standard deviations of a fraction of 10000.
        let lost = flow.losses.error as f64 / 1e4;
        assert!((lost - share).abs() < 0.02, "{forward} {reverse}: {lost}");
    }
}

#[test]
fn a_full_queue_drops_it() {
    let outcome = run(
        "duration = \"10 s\"\nnetwork.dumbbell = { rate = \"1 Mbit/s\", rtt = \"50 ms\", queue = \"5 packets\" }\n\
         [[flows]]\nkind = \"cbr\"\nrate = \"2 Mbit/s\"\n[[flows]]\nkind = \"ping\"\n",
    );
    let flow = &outcome.summary.flows[1];
    assert!(flow.losses.queue > 100 && flow.losses.error == 0, "{flow:?}");
    // At most the packets of one round trip are in flight: 50 ms and six packets of 8 ms, at intervals of ten ms.
    let on_the_way = flow.sent_packets - flow.delivered_packets - flow.losses.queue;
    assert!(on_the_way <= 10, "{on_the_way}");
    // Fairness is defined only for flows that use all the rate that they can get.
    assert_eq!(outcome.summary.totals.jain_index, None);
}
