// SPDX-License-Identifier: MIT OR Apache-2.0
//! Active queue management in whole runs: compared with the formulas of papers and RFCs.

use record::summary::FlowSummary;
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

/// Eight flows of the same kind.
fn eight(flow: &str) -> String {
    flow.replacen("{ ", "{ count = 8, ", 1)
}

/// Mean waiting time of a flow's data, in ms.
fn wait(flow: &FlowSummary) -> f64 {
    flow.queueing_delay_ms.map_or(f64::NAN, |delay| delay.mean)
}

/// Mean window of a flow, in packets of 1500 bytes.
fn window(flow: &FlowSummary, rtt_ms: f64) -> f64 {
    flow.throughput_mbit_s.unwrap_or(f64::NAN) * 1e6 / 12_000.0 * (rtt_ms + wait(flow)) / 1e3
}

/// RFC 9332, section 2.1 and appendix C: Reno's window is 1.22 / sqrt(p_C), and L4S packets are marked with p_L = k
/// sqrt(p_C), k = 2. Eight flows of each kind keep the probabilities steady, so that the mean of a square is near the
/// square of the mean. L4S packets wait for a fraction of the time of the other packets. The shares are not exactly
/// equal: the window of 2 / p_L in the appendix is not that of DCTCP, because DCTCP in Linux and in Bentpipe does not
/// grow while it responds to a mark. Neither kind gets less than half of the other kind.
#[test]
fn l4s_and_reno_share_under_dual_pi2() {
    let outcome = dumbbell(
        "rate = \"100 Mbit/s\", rtt = \"30 ms\"",
        "{ discipline = \"dualpi2\" }",
        &format!("{}, {}", eight(L4S), eight(RENO)),
    );
    let (scalable, reno) = outcome.summary.flows.split_at(8);
    let sum = |flows: &[FlowSummary], of: fn(&FlowSummary) -> f64| flows.iter().map(of).sum::<f64>();
    let sent = |flows: &[FlowSummary]| sum(flows, |flow| flow.sent_packets as f64);
    let lost = sum(reno, |flow| flow.losses.queue as f64) / sent(reno);
    let marked = sum(scalable, |flow| flow.marked_packets as f64) / sent(scalable);
    let window = sum(reno, |flow| window(flow, 30.0)) / 8.0;
    assert!((window * lost.sqrt() / 1.22 - 1.0).abs() < 0.2, "{window} {lost}");
    assert!((marked / (2.0 * lost.sqrt()) - 1.0).abs() < 0.2, "{marked} {lost}");
    let rate = |flows| sum(flows, |flow| flow.throughput_mbit_s.unwrap_or(f64::NAN));
    let ratio = rate(scalable) / rate(reno);
    assert!((0.5..2.0).contains(&ratio), "{ratio}");
    let wait = |flows| sum(flows, wait) / 8.0;
    assert!(
        wait(scalable) < 1.2 && (wait(reno) / 15.0 - 1.0).abs() < 0.2,
        "{} {}",
        wait(scalable),
        wait(reno)
    );
    assert!(scalable.iter().all(|flow| flow.losses.queue == 0));
}

/// The window of Prague with random marks is (1 + sqrt(3)) (1 - p) / p (derived in `crates/tcp/tests/prague.rs`; RFC
/// 9332, appendix C, has 2 / p). The window of Reno is 1.22 / sqrt(p_C). Both are coupled by p = 2 sqrt(p_C). DualPI2
/// spreads marks evenly over eight senders, so the marks of each sender are random. Windows and round-trip times
/// determine the shares.
#[test]
fn prague_and_reno_share_as_their_laws_say() {
    let prague = "{ controller = \"prague\", tcp = { recovery = \"rack\", ecn = \"accurate-l4s\" } }";
    let outcome = dumbbell(
        "rate = \"100 Mbit/s\", rtt = \"30 ms\"",
        "{ discipline = \"dualpi2\" }",
        &format!("{}, {}", eight(prague), eight(RENO)),
    );
    let (scalable, reno) = outcome.summary.flows.split_at(8);
    let sum = |flows: &[FlowSummary], of: fn(&FlowSummary) -> f64| flows.iter().map(of).sum::<f64>();
    let sent = sum(scalable, |flow| flow.sent_packets as f64);
    let p = sum(scalable, |flow| flow.marked_packets as f64) / sent;
    let law = (1.0 + 3_f64.sqrt()) * (1.0 - p) / p;
    let mean = sum(scalable, |flow| window(flow, 30.0)) / 8.0;
    assert!((mean / law - 1.0).abs() < 0.06, "{mean} {law}");
    let wait = |flows| sum(flows, wait) / 8.0;
    let ratio = sum(scalable, |flow| flow.throughput_mbit_s.unwrap_or(f64::NAN))
        / sum(reno, |flow| flow.throughput_mbit_s.unwrap_or(f64::NAN));
    let expected = law / (1.22 / (p / 2.0)) * (30.0 + wait(reno)) / (30.0 + wait(scalable));
    assert!((ratio / expected - 1.0).abs() < 0.1, "{ratio} {expected}");
    let reported = sum(scalable, |flow| flow.reported_marks as f64);
    assert!((reported / (p * sent) - 1.0).abs() < 0.001 && wait(scalable) < 0.5, "{reported} {}", p * sent);
    assert!(scalable.iter().all(|flow| flow.losses.queue == 0));
}

/// RFC 8033: packets wait for QDELAY_REF, for any number of flows and any estimate of the waiting time, and the link is
/// busy.
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

/// Two equations with one solution. 16 Reno flows send 1.22 / (R sqrt(p)) each (Mathis et al. 1997) and fill 1667
/// packets/s. RED with thresholds 20 and 60 drops a fraction p = 2 / (1/p_b + 1) (section 7 of its paper), with p_b =
/// 0.1 (q - 20) / 40 and R = 60 ms + q / 1667/s. With q = 24.9 packets: R = 74.9 ms, p = 0.0245, p_b = 0.0124. The
/// tolerance of a quarter covers the oscillation of windows. Drop-tail fills its whole queue.
#[test]
fn red_and_reno_meet_where_their_laws_do() {
    let link = "rate = \"20 Mbit/s\", rtt = \"60 ms\"";
    let queue = "{ discipline = \"red\", limit = \"200 packets\", min_threshold = \"20 packets\" }";
    let flows = "{ count = 16, controller = \"reno\", tcp = { recovery = \"rack\" } }";
    let packets = |queue: &str| {
        let outcome = dumbbell(link, queue, flows);
        // 1500 B at 20 Mbit/s take 0.6 ms.
        (
            outcome.summary.links[0].mean_queue_ms.unwrap_or(f64::NAN) / 0.6,
            outcome.summary.links[0].utilisation,
        )
    };
    let (red, busy) = packets(queue);
    assert!((red / 24.9 - 1.0).abs() < 0.25 && busy > 0.9, "{red} {busy}");
    assert!(packets("\"200 packets\"").0 > 120.0);
}

/// With ECN, a queue that signals early loses no packets, and the sender cuts as often as it receives signals.
#[test]
fn marks_take_the_place_of_losses() {
    let above = ", mark_above = \"20 packets\"";
    for (queue, above) in [
        ("red", ""),
        ("pie", ""),
        ("dualpi2", ""),
        ("drop-front", above),
        ("priority", above),
        ("drr", above),
        ("priority", ", mark_above = \"12 ms\""),
    ] {
        let outcome = dumbbell(
            "rate = \"20 Mbit/s\", rtt = \"60 ms\"",
            &format!("{{ discipline = \"{queue}\", limit = \"500 packets\"{above} }}"),
            RENO_ECN,
        );
        let flow = &outcome.summary.flows[0];
        assert!(flow.ecn_cuts > 5 && flow.marked_packets >= flow.ecn_cuts, "{queue}: {flow:?}");
        assert_eq!((flow.losses.queue, flow.cuts), (0, flow.ecn_cuts), "{queue}: {flow:?}");
        assert!(outcome.summary.provenance.degraded.is_empty(), "{queue}");
    }
}

/// 8 Mbit/s of urgent voice and control packets next to a Reno flow that fills the queue. An urgent packet waits only
/// for the transmission in progress (1.2 ms) and for other urgent packets. With drop-tail, it waits behind all packets.
/// If no queue has classes, there is a warning.
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
    // The Reno flow gets all of the remaining rate.
    assert!(outcome.summary.flows[1].throughput_mbit_s.unwrap_or(f64::NAN) > 7.5);
    assert!(max(queue, false).0 > 50.0);
    let (_, _, outcome) = max("\"100 packets\"", true);
    assert_eq!(
        outcome.summary.provenance.degraded,
        [
            "flow \"voice\" is urgent, but no queue has discipline \"priority\", so its packets wait like all others"
        ]
    );
}

/// Fair shares with marks: DCTCP, marked above 20 of its own packets, gets its half next to a Reno flow that responds
/// only to losses. Its queue is at most 21 packets (Alizadeh et al. 2010, section 3.3, as in `disciplines.rs`). A Reno
/// packet precedes each of them and the arriving packet, and one packet is in transmission: 44 packets of 1.2 ms. Each
/// turn of 1514 B leaves a credit of 14 B, so in one of 108 turns Reno sends two packets. With a `threshold` queue,
/// which all flows share, Reno starves DCTCP.
#[test]
fn marks_keep_a_senders_own_queue_short() {
    let dctcp = "{ controller = \"dctcp\", tcp = { recovery = \"rack\", ecn = \"dctcp\" } }";
    let of = |discipline: &str| {
        let queue = format!(
            "{{ discipline = \"{discipline}\", limit = \"200 packets\", mark_above = \"20 packets\" }}"
        );
        dumbbell("rate = \"10 Mbit/s\", rtt = \"50 ms\"", &queue, &format!("{dctcp}, {RENO}"))
    };
    let fair = of("drr");
    let [scalable, reno] = &fair.summary.flows[..] else { panic!("two flows") };
    assert!(scalable.throughput_mbit_s.unwrap_or(f64::NAN) > 4.8, "{scalable:?}");
    assert!(scalable.queueing_delay_ms.is_some_and(|delay| delay.max <= 45.0 * 1.2), "{scalable:?}");
    assert_eq!((scalable.losses.queue, reno.marked_packets), (0, 0));
    assert!(wait(reno) > 2.0 * wait(scalable), "{}", wait(reno));
    assert!(of("threshold").summary.flows[0].throughput_mbit_s.unwrap_or(f64::NAN) < 1.0);
}

/// Deficit round robin: a flow without congestion control and a Reno flow get half each. Drop-front has a single queue,
/// so it leaves almost nothing to the Reno flow, as drop-tail does.
#[test]
fn drr_protects_the_meek() {
    let flows = format!("{RENO}, {{ kind = \"cbr\", rate = \"20 Mbit/s\", packet = \"1500 B\" }}");
    let share = |discipline: &str| {
        let queue = format!("{{ discipline = \"{discipline}\", limit = \"100 packets\" }}");
        let outcome = dumbbell("rate = \"10 Mbit/s\", rtt = \"50 ms\"", &queue, &flows);
        outcome.summary.flows[0].throughput_mbit_s.unwrap_or(f64::NAN)
    };
    assert!(share("drr") > 4.5, "{}", share("drr"));
    assert!(share("drop-front") < 0.5);
}
