// SPDX-License-Identifier: MIT OR Apache-2.0
//! Queues that manage themselves in whole runs: the laws that their papers and RFCs hold them to.

use record::FlowSummary;
use sim::{Options, Outcome};

fn run(text: &str) -> Outcome {
    let scenario =
        scenario::Scenario::from_toml(text, "queues.toml").unwrap_or_else(|error| panic!("{error}"));
    sim::run(&scenario, &Options::of(&scenario)).unwrap_or_else(|error| panic!("{error}"))
}

fn dumbbell(link: &str, queue: &str, flows: &str) -> Outcome {
    run(&format!(
        "duration = \"120 s\"\nwarm_up = \"30 s\"\nnetwork.dumbbell = {{ {link}, queue = {queue} }}\nflows = [{flows}]\n\
         record.interval = \"off\"\n"
    ))
}

const RENO: &str = "{ controller = \"reno\", tcp = { recovery = \"rack\" } }";
const RENO_ECN: &str = "{ controller = \"reno\", tcp = { recovery = \"rack\", ecn = \"classic\" } }";
const L4S: &str = "{ controller = \"dctcp\", tcp = { recovery = \"rack\", ecn = \"l4s\" } }";

/// Mean wait of a flow's data, ms.
fn wait(flow: &FlowSummary) -> f64 {
    flow.queueing_delay_ms.map_or(f64::NAN, |delay| delay.mean)
}

/// The product of window and square root (or first power) of the share that was signalled: what a response law fixes.
fn windows(flow: &FlowSummary, rtt_ms: f64) -> f64 {
    flow.throughput_mbit_s * 1e6 / 12_000.0 * (rtt_ms + wait(flow)) / 1e3
}

/// RFC 9332, section 2.1 and appendix C: Reno's window is 1.22 / sqrt(p_C), that of a scalable controller 2 / p_L, and the
/// square between the two probabilities with k = 2 makes them alike. Each alone and both together over 40 Mbit/s and 30 ms:
/// the laws hold within a fifth, the shares within a third (the classic flow's round trip is longer by its 15 ms of queue), and
/// L4S waits for a tenth of what the other does.
#[test]
fn l4s_and_reno_share_under_dual_pi2() {
    let outcome = dumbbell(
        "rate = \"40 Mbit/s\", rtt = \"30 ms\"",
        "{ discipline = \"dualpi2\" }",
        &format!("{L4S}, {RENO}"),
    );
    let [scalable, reno] = &outcome.summary.flows[..] else { panic!() };
    let share = |signals: u64, flow: &FlowSummary| signals as f64 / flow.sent_packets as f64;
    let law = windows(reno, 30.0) * share(reno.losses.queue, reno).sqrt();
    assert!((law / 1.22 - 1.0).abs() < 0.2, "Reno: {law}: {reno:?}");
    let law = windows(scalable, 30.0) * share(scalable.marked_packets, scalable);
    assert!((law / 2.0 - 1.0).abs() < 0.2, "scalable: {law}: {scalable:?}");
    let ratio = scalable.throughput_mbit_s / reno.throughput_mbit_s;
    assert!((0.75..1.34).contains(&ratio), "{ratio}");
    assert!(wait(scalable) < 1.2 && (wait(reno) / 15.0 - 1.0).abs() < 0.2, "{scalable:?} {reno:?}");
    assert_eq!(scalable.losses.queue, 0);
}

/// RFC 8033: packets wait for QDELAY_REF, whatever the number of flows and the way the wait is known, and the link is busy.
#[test]
fn pie_keeps_its_target() {
    for (estimate, flows) in [("timestamp", 4), ("rate", 4), ("timestamp", 16)] {
        let queue = format!("{{ discipline = \"pie\", estimate = \"{estimate}\" }}");
        let flows = format!("{{ count = {flows}, {}", RENO.trim_start_matches("{ "));
        let outcome = dumbbell("rate = \"20 Mbit/s\", rtt = \"60 ms\"", &queue, &flows);
        let link = &outcome.summary.links[0];
        assert!(
            link.mean_queue_ms.is_some_and(|mean| (mean / 15.0 - 1.0).abs() < 0.25),
            "{estimate}: {link:?}"
        );
        assert!(link.utilisation > 0.95, "{link:?}");
    }
}

/// Floyd and Jacobson 1993: the mean queue stays between the thresholds, and the link is busy; drop-tail fills all it has.
#[test]
fn red_keeps_the_queue_between_its_thresholds() {
    let link = "rate = \"20 Mbit/s\", rtt = \"60 ms\"";
    let queue = "{ discipline = \"red\", limit = \"200 packets\", min_threshold = \"20 packets\" }";
    let flows = "{ count = 4, controller = \"reno\", tcp = { recovery = \"rack\" } }";
    let packets = |queue: &str| {
        let outcome = dumbbell(link, queue, flows);
        // 1500 B at 20 Mbit/s are 0.6 ms.
        (
            outcome.summary.links[0].mean_queue_ms.unwrap_or(f64::NAN) / 0.6,
            outcome.summary.links[0].utilisation,
        )
    };
    let (red, busy) = packets(queue);
    assert!((20.0..60.0).contains(&red) && busy > 0.93, "{red} {busy}");
    assert!(packets("\"200 packets\"").0 > 120.0);
}

/// With ECN nothing is lost to a queue that signals early, and the sender cuts as often as it was told.
#[test]
fn marks_take_the_place_of_losses() {
    for queue in ["red", "pie", "dualpi2"] {
        let outcome = dumbbell(
            "rate = \"20 Mbit/s\", rtt = \"60 ms\"",
            &format!("{{ discipline = \"{queue}\", limit = \"500 packets\" }}"),
            RENO_ECN,
        );
        let flow = &outcome.summary.flows[0];
        assert!(flow.ecn_cuts > 5 && flow.marked_packets >= flow.ecn_cuts, "{queue}: {flow:?}");
        assert_eq!((flow.losses.queue, flow.cuts), (0, flow.ecn_cuts), "{queue}: {flow:?}");
        assert!(outcome.summary.provenance.degraded.is_empty(), "{queue}");
    }
}

/// 8 Mbit/s of voice and control that are urgent beside a Reno flow that fills the queue: an urgent packet waits for the
/// transmission that has begun (1.2 ms) and for urgent ones alone. Under drop-tail it waits behind all. What nobody sorts is said.
#[test]
fn urgent_flows_do_not_wait_for_others() {
    let cbr = |urgent: bool| {
        format!(
            "{{ kind = \"cbr\", rate = \"2 Mbit/s\", packet = \"500 B\", urgent = {urgent}, name = \"voice\" }}"
        )
    };
    let max = |queue: &str, urgent| {
        let outcome =
            dumbbell("rate = \"10 Mbit/s\", rtt = \"50 ms\"", queue, &format!("{}, {RENO}", cbr(urgent)));
        let voice = &outcome.summary.flows[0];
        (voice.queueing_delay_ms.map_or(f64::NAN, |delay| delay.max), voice.losses.queue, outcome)
    };
    let queue = "{ discipline = \"priority\", limit = \"100 packets\" }";
    let (delay, lost, outcome) = max(queue, true);
    assert!(delay <= 1.21 && lost == 0, "{delay} {lost}");
    // What is left, all of it.
    assert!(outcome.summary.flows[1].throughput_mbit_s > 7.5);
    assert!(max(queue, false).0 > 50.0);
    let (_, _, outcome) = max("\"100 packets\"", true);
    assert_eq!(
        outcome.summary.provenance.degraded,
        ["flow \"voice\" is urgent, and no queue is of discipline \"priority\": it waits as others do"]
    );
}

/// Deficit round robin: of a flow that yields to nothing and a Reno flow each has half; drop-front, which has one queue, leaves
/// the Reno flow next to nothing, as drop-tail does.
#[test]
fn drr_protects_the_meek() {
    let flows = format!("{RENO}, {{ kind = \"cbr\", rate = \"20 Mbit/s\", packet = \"1500 B\" }}");
    let share = |discipline: &str| {
        let queue = format!("{{ discipline = \"{discipline}\", limit = \"100 packets\" }}");
        let outcome = dumbbell("rate = \"10 Mbit/s\", rtt = \"50 ms\"", &queue, &flows);
        outcome.summary.flows[0].throughput_mbit_s
    };
    assert!(share("drr") > 4.5, "{}", share("drr"));
    assert!(share("drop-front") < 0.5);
}
