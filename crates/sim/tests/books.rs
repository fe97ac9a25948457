// SPDX-License-Identifier: MIT OR Apache-2.0
//! Properties that every summary must have: no rates above the rate of the link, no waiting times that did not occur,
//! and no verdicts that no controller gave.

use sim::{Options, Outcome};

fn run(text: &str) -> Outcome {
    let scenario =
        scenario::Scenario::from_toml(text, "books.toml").unwrap_or_else(|error| panic!("{error}"));
    sim::run(&scenario, &Options::of(&scenario)).unwrap_or_else(|error| panic!("{error}"))
}

/// A dumbbell of 10 Mbit/s with the given round-trip time and flows.
fn dumbbell(rtt: &str, flows: &str) -> Outcome {
    run(&format!(
        "duration = \"60 s\"\nnetwork.dumbbell = {{ rate = \"10 Mbit/s\", rtt = \"{rtt}\", queue = \"2 BDP\" }}\n{flows}"
    ))
}

#[test]
fn flows_one_after_the_other_never_exceed_the_link() {
    let outcome = dumbbell(
        "100 ms",
        "[[flows]]\ncontroller = \"cubic\"\nstop = \"30 s\"\n[[flows]]\ncontroller = \"cubic\"\nstart = \"30 s\"\n",
    );
    let totals = &outcome.summary.totals;
    assert!(
        totals.delivered_mbit_s.unwrap_or(f64::NAN) > 8.0
            && totals.delivered_mbit_s.unwrap_or(f64::NAN) <= 10.0,
        "{}",
        totals.delivered_mbit_s.unwrap_or(f64::NAN)
    );
    assert!(
        totals.sent_mbit_s.unwrap_or(f64::NAN) <= 10.0 * 1.1,
        "{}",
        totals.sent_mbit_s.unwrap_or(f64::NAN)
    );
    assert!(outcome.summary.flows.iter().all(|flow| flow.goodput_mbit_s.unwrap_or(f64::NAN) <= 10.0));
}

#[test]
fn a_stopped_flow_counts_the_time_its_last_packets_take() {
    let outcome = dumbbell("600 ms", "[[flows]]\ncontroller = \"hybla\"\nstop = \"4 s\"\n");
    let flow = &outcome.summary.flows[0];
    assert!(
        flow.goodput_mbit_s.unwrap_or(f64::NAN) > 0.0 && flow.goodput_mbit_s.unwrap_or(f64::NAN) <= 10.0,
        "{}",
        flow.goodput_mbit_s.unwrap_or(f64::NAN)
    );
    assert!(!flow.receiver_limited);
}

#[test]
fn a_small_receive_window_is_reported() {
    let outcome =
        dumbbell("600 ms", "[[flows]]\ncontroller = \"reno\"\ntcp = { receive_window = \"50 kB\" }\n");
    let flow = &outcome.summary.flows[0];
    assert!(flow.receiver_limited);
    // 50 kB contain 34 full segments of 1448 B: at most 34 x 1448 x 8 bit per 600 ms = 0.656 Mbit/s.
    assert!(
        flow.goodput_mbit_s.unwrap_or(f64::NAN) > 0.6 && flow.goodput_mbit_s.unwrap_or(f64::NAN) <= 0.657,
        "{}",
        flow.goodput_mbit_s.unwrap_or(f64::NAN)
    );
}

/// Four flows from Berkeley to Boston during a handover of the satellite over Berkeley (530 s after the epoch of the
/// preset).
fn handover(extra: &str) -> Outcome {
    run(&format!(
        r#"
duration = "60 s"
{extra}
[network.constellation]
preset = "iridium"
offset = "500 s"
user_link = {{ rate = "1.5 Mbit/s", queue = "200 packets" }}

[[flows]]
count = 4
from = "Berkeley"
to = "Boston"
controller = "reno"
"#
    ))
}

#[test]
fn nobody_waits_longer_than_the_round_trip_over_a_handover() {
    for extra in ["", "warm_up = \"30 s\""] {
        let outcome = handover(extra);
        for flow in &outcome.summary.flows {
            let (Some(queueing), Some(rtt)) = (flow.queueing_delay_ms, flow.rtt_ms) else {
                panic!("no samples")
            };
            // 200 packets of 1500 B at 1.5 Mbit/s take 1.6 s. RTT samples of retransmitted packets are excluded.
            assert!(queueing.max <= 1700.0, "{queueing:?}");
            assert!(queueing.mean <= rtt.mean, "{queueing:?} {rtt:?}");
            assert!(rtt.p50 <= rtt.p95 && rtt.p95 <= rtt.p99 && rtt.min < rtt.p50, "{rtt:?}");
        }
        for link in &outcome.summary.links {
            assert!(link.utilisation <= 1.0, "{link:?}");
            assert!(link.mean_queue_ms.is_none_or(|mean| mean <= 1700.0), "{link:?}");
        }
    }
}

#[test]
fn each_judgement_counts_once() {
    let outcome = run(r#"
duration = "60 s"
network.dumbbell = { rate = "10 Mbit/s", rtt = "100 ms", loss = { per = 1e-2 } }
flows = [{ controller = "reno" }]
"#);
    let flow = &outcome.summary.flows[0];
    let verdicts = &flow.verdicts;
    let judged = verdicts.congestion_as_congestion
        + verdicts.congestion_as_error
        + verdicts.error_as_error
        + verdicts.error_as_congestion
        + verdicts.spurious;
    // Reno never reports a link error. It is asked once per loss episode, which is once per cut (without timeouts).
    assert_eq!((verdicts.error_as_error, verdicts.congestion_as_error), (0, 0));
    assert!(judged <= flow.cuts && judged > 0 && judged < flow.losses_detected, "{flow:?}");
}

/// Flows without names have the names of their controllers. Random streams depend on the index of a flow. Two flows
/// with the same name lose different packets, and the losses of a flow do not depend on the names of other flows.
#[test]
fn chance_goes_by_a_flows_place() {
    let lost = |first: &str| {
        let cbr = "kind = \"cbr\", rate = \"1 Mbit/s\", access = { loss = { per = 0.1 } }";
        let outcome = dumbbell("50 ms", &format!("flows = [{{ {first}{cbr} }}, {{ {cbr} }}]"));
        outcome.summary.flows.iter().map(|flow| flow.losses.error).collect::<Vec<_>>()
    };
    let (unnamed, named) = (lost(""), lost("name = \"other\", "));
    assert_eq!(unnamed, named);
    assert_ne!(unnamed[0], unnamed[1]);
}

/// A single segment leaves at once and is acknowledged one round trip later. In all this time, the application has no
/// data to send. An endless flow always has data.
#[test]
fn time_without_data_to_send_is_the_applications() {
    let one = dumbbell("600 ms", "[[flows]]\ncontroller = \"reno\"\nsize = \"1448 B\"\n");
    assert_eq!(one.summary.flows[0].app_limited_share, Some(1.0));
    let endless = dumbbell("600 ms", "[[flows]]\ncontroller = \"reno\"\n");
    assert_eq!(endless.summary.flows[0].app_limited_share, Some(0.0));
    let cbr = dumbbell("600 ms", "[[flows]]\nkind = \"cbr\"\nrate = \"1 Mbit/s\"\n");
    assert_eq!(cbr.summary.flows[0].app_limited_share, None);
}

/// TCP-Peach's dummy segments count neither as data sent nor as data lost, but as bytes on the wire.
#[test]
fn probes_are_counted_apart() {
    let outcome = dumbbell("600 ms", "[[flows]]\ncontroller = \"peach\"\n");
    let flow = &outcome.summary.flows[0];
    assert!(flow.probe_packets >= 699, "{}", flow.probe_packets);
    assert!(flow.delivered_packets <= flow.sent_packets);
    let data_mbit = flow.sent_packets as f64 * 1500.0 * 8e-6 / 60.0;
    assert!(
        flow.throughput_mbit_s.unwrap_or(f64::NAN) > data_mbit,
        "{} {data_mbit}",
        flow.throughput_mbit_s.unwrap_or(f64::NAN)
    );
    assert_eq!(flow.losses.error + flow.losses.outage, 0);
}

/// With Careful Resume, a run reports the state with which the next run over the same path can start.
#[test]
fn what_a_flow_has_learnt_of_its_path_is_saved() {
    let resume = "controller = { name = \"cubic\", careful_resume = true }";
    let first = dumbbell("600 ms", &format!("[[flows]]\n{resume}\n"));
    let saved = first.summary.flows[0].saved_path.unwrap_or_else(|| panic!("nothing saved"));
    // 10 Mbit/s * 600 ms = 750 kB are in flight when the path is full, and the queue holds twice as much.
    assert!(saved.cwnd_bytes > 500_000 && saved.cwnd_bytes < 2_500_000, "{saved:?}");
    assert!((saved.rtt_ms - 600.0).abs() < 3.0, "{saved:?}");

    // The second flow jumps to half of the saved window instead of doubling from ten segments. 2 s are three round
    // trips.
    let goodput = |extra: &str| {
        let text = format!("[[flows]]\n{resume}\nsize = \"1 MB\"\n{extra}");
        dumbbell("600 ms", &text).summary.flows[0].completed_at_s.unwrap_or(f64::INFINITY)
    };
    let saved_path =
        format!("tcp = {{ saved_path = {{ cwnd = \"{} B\", rtt = \"600 ms\" }} }}\n", saved.cwnd_bytes);
    let (fresh, resumed) = (goodput(""), goodput(&saved_path));
    assert!(resumed < 0.75 * fresh, "{resumed} s against {fresh} s");
}
