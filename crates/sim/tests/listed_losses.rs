// SPDX-License-Identifier: MIT OR Apache-2.0
//! Losses from a list in whole runs: which packets are lost, how many, and that nothing else changes.

use sim::{Options, Outcome};

/// At 12 Mbit/s, a full packet takes 1 ms. The queue is unlimited, so nothing else is lost.
fn run(loss: &str, flows: &str) -> Outcome {
    let text = format!(
        "duration = \"10 s\"\nnetwork.dumbbell = {{ rate = \"12 Mbit/s\", rtt = \"40 ms\", queue = \"unlimited\"{loss} }}\n\
         flows = [{flows}]\nrecord.interval = \"off\"\n"
    );
    let scenario =
        scenario::Scenario::from_toml(&text, "listed.toml").unwrap_or_else(|error| panic!("{error}"));
    // A run whose packet counts do not balance is refused.
    sim::run(&scenario, &Options::of(&scenario)).unwrap_or_else(|error| panic!("{error}"))
}

/// Packets of 1200 bits, one per ms.
const CBR: &str = "{ kind = \"cbr\", rate = \"1.2 Mbit/s\", packet = \"150 B\" }";
const RENO: &str = "{ controller = \"reno\", size = \"2 MB\" }";

/// 10,000 packets in 10 s. The list drops 3 of each 1000. From 2 to 4 s, all 2000 packets are lost, including those of
/// the list.
#[test]
fn so_many_packets_of_a_steady_stream() {
    let lost = |loss: &str| {
        let flow = &run(loss, CBR).summary.flows[0];
        (flow.losses.error, flow.losses.outage, flow.losses.queue)
    };
    assert_eq!(lost(", loss = { packets = [1, 2, 700] }"), (3, 0, 0));
    assert_eq!(lost(", loss = { packets = [1, 2, 700], period = 1000 }"), (30, 0, 0));
    let spans = "spans = [[\"2 s\", \"4 s\"]]";
    assert_eq!(lost(&format!(", loss = {{ {spans} }}")), (0, 2000, 0));
    assert_eq!(lost(&format!(", loss = {{ packets = [1, 2, 700], period = 1000, {spans} }}")), (24, 2000, 0));
}

/// Segments 11 and 12 of a transfer are lost, and 12 is lost again when it is retransmitted, because the retransmission
/// is the first packet after the rest of its flight. Each loss is found and repaired. The reverse direction loses
/// nothing.
#[test]
fn a_transfer_repeats_what_a_list_took() {
    let outcome = run(", loss = { packets = [11, 12] }", RENO);
    let flow = &outcome.summary.flows[0];
    assert_eq!((flow.losses.error, flow.retransmitted_packets), (2, 2));
    let [there, back] = &outcome.summary.links[..] else { panic!("a dumbbell has two directions") };
    assert_eq!((there.dropped_error, back.dropped_error), (2, 0));
    // ACKs that pass the link with the list are neither counted nor lost. The flow from the right sends its data over
    // the other link.
    let two = run(
        ", loss = { packets = [1, 2, 3], period = 3 }",
        "{ from = \"right\", to = \"left\", controller = \"reno\", size = \"2 MB\" }",
    );
    assert_eq!(
        two.summary.flows,
        run("", "{ from = \"right\", to = \"left\", controller = \"reno\", size = \"2 MB\" }").summary.flows
    );
}

/// Packet numbers count on the link, not per flow. For two streams that alternate, the list [1, 2] drops one packet of
/// each.
#[test]
fn numbers_run_over_all_flows() {
    let outcome = run(", loss = { packets = [1, 2], period = 100 }", &format!("{CBR}, {CBR}"));
    let lost: Vec<u64> = outcome.summary.flows.iter().map(|flow| flow.losses.error).collect();
    assert_eq!((lost.iter().sum::<u64>(), outcome.summary.links[0].dropped_error), (400, 400));
    assert_eq!(lost, [200, 200]);
}
