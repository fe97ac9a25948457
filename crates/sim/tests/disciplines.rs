// SPDX-License-Identifier: MIT OR Apache-2.0
//! Queue disciplines in whole runs: they have their documented properties, packet counts balance, and runs are
//! repeatable.

use sim::{Options, Outcome};

fn run(text: &str) -> Outcome {
    let scenario =
        scenario::Scenario::from_toml(text, "disciplines.toml").unwrap_or_else(|error| panic!("{error}"));
    // A run whose packet counts do not balance is refused.
    sim::run(&scenario, &Options::of(&scenario)).unwrap_or_else(|error| panic!("{error}"))
}

/// A dumbbell of 10 Mbit/s.
fn dumbbell(rtt: &str, queue: &str, flows: &str) -> Outcome {
    run(&format!(
        "duration = \"60 s\"\nwarm_up = \"20 s\"\nnetwork.dumbbell = {{ rate = \"10 Mbit/s\", rtt = \"{rtt}\", \
         queue = {queue} }}\nflows = [{flows}]\nrecord.interval = \"off\"\n"
    ))
}

const CODEL: &str = "{ discipline = \"codel\" }";
const FQ_CODEL: &str = "{ discipline = \"fq-codel\" }";
const RENO: &str = "{ controller = \"reno\" }";

/// On the paths for which its defaults are intended (RFC 8289: round-trip times of 10 to 300 ms), CoDel keeps the queue
/// of a single Reno flow near its target, and the link busy. Drop-tail with 1000 packets fills its queue (1.2 s).
#[test]
fn codel_keeps_the_queue_short_and_the_link_busy() {
    let delay =
        |outcome: &Outcome| outcome.summary.flows[0].queueing_delay_ms.map_or(f64::NAN, |delay| delay.mean);
    for queue in [CODEL, FQ_CODEL] {
        let outcome = dumbbell("50 ms", queue, RENO);
        let flow = &outcome.summary.flows[0];
        assert!(delay(&outcome) < 15.0, "{flow:?}");
        // If Reno halved a full pipe without a queue, it would use three quarters. Of 1500 B, 1448 B are payload.
        assert!(flow.goodput_mbit_s.unwrap_or(f64::NAN) > 0.75 * 10.0 * 1448.0 / 1500.0, "{flow:?}");
        assert!(flow.losses.queue > 0 && flow.losses.error == 0, "{flow:?}");
        // The drops are those of the bottleneck link.
        let link = &outcome.summary.links[0];
        assert_eq!((link.dropped_queue, outcome.summary.links[1].dropped_queue), (flow.losses.queue, 0));
        assert!(
            link.mean_queue_ms.is_some_and(|mean| (mean / delay(&outcome) - 1.0).abs() < 0.05),
            "{link:?}"
        );
        assert!(link.utilisation <= 1.0);
    }
    assert!(delay(&dumbbell("50 ms", "\"1000 packets\"", RENO)) > 500.0);
}

/// Datagrams at 20 Mbit/s without congestion control, a Reno flow and echoes over 10 Mbit/s. With FQ-CoDel, the Reno
/// flow gets its half. No echo waits longer than the packet in transmission and a quantum of the Reno flow (if this
/// flow is also new), which is two packets: 3.6 ms. With drop-tail, the Reno flow gets nothing.
#[test]
fn fair_queueing_protects_the_meek() {
    let flows = format!(
        "{RENO}, {{ kind = \"cbr\", rate = \"20 Mbit/s\", packet = \"1500 B\" }}, {{ kind = \"ping\", interval = \"100 ms\" }}"
    );
    let share = |outcome: &Outcome| outcome.summary.flows[0].throughput_mbit_s.unwrap_or(f64::NAN);
    let fair = dumbbell("50 ms", FQ_CODEL, &flows);
    assert!(share(&fair) > 4.0, "{:?}", fair.summary.flows[0]);
    let echo = &fair.summary.flows[2];
    assert!(echo.queueing_delay_ms.is_some_and(|delay| delay.max < 3.6), "{echo:?}");
    assert_eq!(echo.losses.queue, 0);
    assert!(share(&dumbbell("50 ms", "\"100 packets\"", &flows)) < 0.5);
}

/// For a flow without ECN, a threshold queue gives exactly the same results as drop-tail, and the output explains why.
#[test]
fn nothing_is_marked_without_ecn() {
    let plain = dumbbell("50 ms", "\"40 packets\"", RENO);
    let marking = dumbbell(
        "50 ms",
        "{ discipline = \"threshold\", limit = \"40 packets\", mark_above = \"5 packets\" }",
        RENO,
    );
    assert!(plain.summary.flows[0].losses.queue > 0);
    assert_eq!(marking.summary.flows, plain.summary.flows);
    assert_eq!(marking.summary.totals.packet_hops, plain.summary.totals.packet_hops);
    assert!(plain.summary.provenance.degraded.is_empty());
    assert_eq!(
        marking.summary.provenance.degraded,
        [
            "2 links mark packets of ECN-capable senders instead of dropping them, but no flow is ECN-capable: no packet is marked, and a packet is dropped only when the queue is full"
        ]
    );
}

/// 10 Mbit/s x 50 ms are 62.5 kB. A queue of 1 BDP is full before 70 kB wait, and before any packet waits for 60 ms,
/// but not before a packet waits for 40 ms. If other packets could be served first, there is no warning for a time.
#[test]
fn full_before_it_marks_is_said() {
    let ecn = "{ controller = \"reno\", tcp = { recovery = \"rack\", ecn = \"classic\" } }";
    for discipline in ["threshold", "drop-front", "priority", "drr"] {
        let overtakes = ["priority", "drr"].contains(&discipline);
        for (above, never, said) in
            [("70 kB", true, true), ("60 ms", true, !overtakes), ("40 ms", false, false)]
        {
            let queue =
                format!("{{ discipline = \"{discipline}\", limit = \"1 BDP\", mark_above = \"{above}\" }}");
            let flow = dumbbell("50 ms", &queue, ecn).summary;
            assert_eq!(flow.flows[0].marked_packets == 0, never, "{queue}");
            let expected = "the queues of 2 links are full before `mark_above` is reached, so no packet is marked (lower `mark_above`, or write a larger limit)";
            assert_eq!(flow.provenance.degraded, if said { vec![expected] } else { vec![] }, "{queue}");
        }
    }
}

/// 60 kB leave a link of 10 Mbit/s in 48 ms. If 4 Mbit/s of other traffic go first or have their turn, the same bytes
/// take 80 ms. So there are marks above 60 ms, and no warning about missing marks.
#[test]
fn a_wait_for_others_is_longer_than_the_queue() {
    let sender = "{ controller = \"dctcp\", tcp = { recovery = \"rack\", ecn = \"dctcp\" } }";
    for (discipline, urgent) in [("priority", ", urgent = true"), ("drr", "")] {
        let queue = format!("{{ discipline = \"{discipline}\", limit = \"60 kB\", mark_above = \"60 ms\" }}");
        let others = format!("{{ kind = \"cbr\", rate = \"4 Mbit/s\", packet = \"1500 B\"{urgent} }}");
        let summary = dumbbell("50 ms", &queue, &format!("{others}, {sender}")).summary;
        assert!(summary.flows[1].marked_packets > 0, "{queue}");
        assert!(summary.provenance.degraded.is_empty(), "{:?}", summary.provenance.degraded);
    }
}

/// A threshold of 20 packets: packets above it are marked.
const THRESHOLD: &str =
    "{ discipline = \"threshold\", limit = \"200 packets\", mark_above = \"20 packets\" }";

/// Transmission time of a packet of 1500 bytes at 10 Mbit/s, in ms.
const PACKET_MS: f64 = 1.2;

/// With ECN, marks replace losses, for every discipline and every kind of echo.
#[test]
fn marks_take_the_place_of_losses() {
    for queue in [CODEL, FQ_CODEL, THRESHOLD] {
        for ecn in ["classic", "dctcp", "accurate"] {
            let flow = |tcp: &str| {
                dumbbell("50 ms", queue, &format!("{{ controller = \"reno\", tcp = {{ {tcp} }} }}"))
            };
            let outcome = flow(&format!("recovery = \"rack\", ecn = \"{ecn}\""));
            let reno = &outcome.summary.flows[0];
            assert!(reno.ecn_cuts > 0 && reno.marked_packets >= reno.ecn_cuts, "{queue}, {ecn}: {reno:?}");
            assert_eq!((reno.losses.queue, reno.losses_detected, reno.retransmitted_packets), (0, 0, 0));
            assert_eq!(reno.cuts, reno.ecn_cuts, "{queue}, {ecn}");
            assert!(outcome.summary.provenance.degraded.is_empty());
        }
    }
}

/// Alizadeh et al. 2010, section 3.3, with one flow: the queue is at most K + N = 21 packets, and oscillates by half of
/// sqrt(2 N (C RTT + K)) = 5.6, with C RTT = 41.7 packets. K exceeds C RTT/7, so the queue never runs empty. The bound
/// adds one packet in transmission. The oscillation is that of a fluid model, so the test compares only its order of
/// magnitude (the simulation has whole windows and the dynamics of alpha). Reno with the same marks leaves the link
/// idle at times, because K is below C RTT.
#[test]
fn dctcp_keeps_the_queue_at_the_threshold() {
    let with = |name: &str| {
        let tcp = "recovery = \"rack\", ecn = \"dctcp\"";
        dumbbell("50 ms", THRESHOLD, &format!("{{ controller = \"{name}\", tcp = {{ {tcp} }} }}"))
    };
    let (dctcp, reno) = (with("dctcp"), with("reno"));
    let delay = dctcp.summary.flows[0].queueing_delay_ms.unwrap_or_else(|| panic!("nothing was measured"));
    assert!(delay.max < (21.0 + 1.0) * PACKET_MS, "{delay:?}");
    let swing = (delay.max - delay.min) / PACKET_MS;
    assert!(swing > 5.6 / 2.0 && swing < 5.6 * 2.0, "{swing}");
    assert!(dctcp.summary.links[0].utilisation > 0.999, "{:?}", dctcp.summary.links[0]);
    assert!(reno.summary.links[0].utilisation < 0.97, "{:?}", reno.summary.links[0]);
}

/// ECN over queues that cannot mark gives a warning. DCTCP without its echo is refused.
#[test]
fn ecn_without_marks_is_said() {
    let classic = "{ name = \"bulk\", controller = \"reno\", tcp = { ecn = \"classic\" } }";
    let outcome = dumbbell("50 ms", "\"40 packets\"", classic);
    assert_eq!(
        outcome.summary.provenance.degraded,
        [
            "flow \"bulk\": ECN is on, but no queue on its path marks, so only losses signal congestion (to mark packets, write discipline = \"codel\" or `mark_above` for a queue)"
        ]
    );
    let abe = |ecn: &str| {
        let flow =
            format!("{{ controller = {{ name = \"reno\", beta_ecn = 0.8 }}, tcp = {{ ecn = {ecn} }} }}");
        dumbbell("50 ms", THRESHOLD, &flow).summary.provenance.degraded
    };
    assert!(abe("true").is_empty());
    assert_eq!(
        abe("false").last().map(String::as_str),
        Some(
            "flow \"reno\": beta_ecn = 0.8 has no effect, because the flow does not use ECN (write tcp = { ecn = true })"
        )
    );
}

/// Controllers that depend on marks are refused without marks, with a message about their needs. DCTCP needs its echo
/// and a threshold. Prague needs AccECN, ECT(1) and a queue that separates L4S (RFC 9331, sections 4.1 and 4.2). If a
/// proxy names the controller, the fault is that of the proxy.
#[test]
fn who_lives_by_marks_is_told_which() {
    let refused = |controller: &str, peps: &str| {
        let text = format!(
            "duration = \"1 s\"\nnetwork.dumbbell = {{ rate = \"10 Mbit/s\", rtt = \"50 ms\" }}\nflows = [{{ name = \"bulk\", \
             controller = \"{controller}\", access.delay = \"1 ms\", tcp = {{ ecn = true }} }}]\n{peps}"
        );
        let scenario =
            scenario::Scenario::from_toml(&text, "ecn.toml").unwrap_or_else(|error| panic!("{error}"));
        match sim::run(&scenario, &Options::of(&scenario)) {
            Err(error @ sim::SimError::SignalMissing { pep, .. }) => (error.to_string(), pep),
            other => panic!("{:?}", other.map(|_| ())),
        }
    };
    let says = |flow: &str, controller: &str, ecn: &str, discipline: &str| {
        format!(
            "flow \"{flow}\": controller \"{controller}\" needs ECN marks, which this flow's TCP does not report (write tcp = \
             {{ ecn = \"{ecn}\" }} in the flow, and discipline = \"{discipline}\" for a queue on the path)"
        )
    };
    assert_eq!(refused("dctcp", ""), (says("bulk", "dctcp", "dctcp", "threshold"), None));
    assert_eq!(refused("prague", ""), (says("bulk", "prague", "accurate-l4s", "dualpi2"), None));
    let proxy = "peps = [{ at = [\"left\"], buffer = \"1 MB\", controller = \"prague\" }]\n";
    let said = says("bulk part 2", "prague", "accurate-l4s", "dualpi2");
    assert_eq!(refused("reno", proxy), (said, Some(0)));
}

/// RFC 9331, section 4.1: a packet that should be treated as L4S carries ECT(1). Section 4.3: its sender responds to
/// the fraction of marks. A flow with only one of these properties gets a warning. A flow with both or neither gets
/// none.
#[test]
fn senders_on_the_wrong_side_are_named() {
    let said = |queue: &str, controller: &str, ecn: &str| {
        let flow = format!(
            "{{ name = \"a\", controller = \"{controller}\", tcp = {{ recovery = \"rack\", ecn = \"{ecn}\" }} }}"
        );
        dumbbell("50 ms", queue, &flow).summary.provenance.degraded.join("; ")
    };
    let dual = "{ discipline = \"dualpi2\" }";
    for (controller, ecn, queue) in [
        ("prague", "accurate-l4s", dual),
        ("dctcp", "l4s", dual),
        ("dctcp", "dctcp", THRESHOLD),
        ("cubic", "classic", dual),
        ("reno", "accurate", dual),
    ] {
        assert_eq!(said(queue, controller, ecn), "", "{controller}, {ecn}");
    }
    assert_eq!(
        said(dual, "prague", "dctcp"),
        "flow \"a\": prague responds to the fraction of marks, but the flow sends ECT(0). A queue for L4S then treats the flow as a classic sender, so the flow takes the share of real classic senders (RFC 9331, section 4.1; write \
         tcp = { ecn = \"accurate-l4s\" })"
    );
    assert!(said(THRESHOLD, "prague", "accurate").contains("accurate-l4s"));
    assert!(said(dual, "dctcp", "dctcp").contains("(RFC 9331, section 4.1; write tcp = { ecn = \"l4s\" })"));
    for (controller, ecn) in [("cubic", "accurate-l4s"), ("bbr3", "l4s")] {
        assert_eq!(
            said(dual, controller, ecn),
            format!(
                "flow \"a\": {controller} does not respond to the fraction of marks, but the flow sends ECT(1). \
                 Among L4S senders, the flow gets less than its share of the rate or takes the share of the L4S \
                 senders (RFC 9331, section 4.3; write tcp = {{ ecn = \"accurate\" }})"
            )
        );
    }
}

/// All disciplines on all links, with satellite handovers, rerouted packets, probes, bursts of loss, and hosts with
/// their own links: packet counts balance, and two runs give the same results.
#[test]
fn books_close_over_handovers_and_probes() {
    for discipline in ["codel", "fq-codel"] {
        for in_flight in ["forward", "drop"] {
            let text = format!(
                r#"
duration = "60 s"

[network.constellation]
preset = "iridium"
offset = "500 s"
in_flight = "{in_flight}"
user_link = {{ rate = "1.5 Mbit/s", queue = {{ discipline = "{discipline}", limit = "60 packets", interval = "200 ms" }} }}
isl = {{ rate = "2 Mbit/s", queue = {{ discipline = "{discipline}", limit = "100 ms" }}, loss = {{ per = 1e-3 }} }}

[[flows]]
count = 4
from = "Berkeley"
to = "Boston"
controller = "reno"
access = {{ rate = "2 Mbit/s", delay = "1 ms", queue = {{ discipline = "{discipline}" }} }}

[[flows]]
from = "Boston"
to = "Berkeley"
controller = "peach"

[record]
packets = {{ from = "25 s", to = "35 s" }}
"#
            );
            let (one, two) = (run(&text), run(&text));
            assert_eq!(format!("{:?}", one.summary), format!("{:?}", two.summary));
            assert_eq!(format!("{:?}", one.tables), format!("{:?}", two.tables));
            for flow in &one.summary.flows {
                assert!(flow.delivered_packets > 100 && flow.losses.queue > 0, "{flow:?}");
                // No packet waits longer than all queues on the path together would take, in both directions.
                let longest = flow.queueing_delay_ms.map_or(f64::NAN, |delay| delay.max);
                assert!(longest < 4000.0, "{flow:?}");
            }
            for link in &one.summary.links {
                assert!(link.utilisation <= 1.0, "{link:?}");
            }
        }
    }
}

/// Packets of 1500 B every 12 ms take 1.2 ms at 10 Mbit/s. On a path of 25 ms, each has a delay of 26.2 ms, equal to
/// the delay of the packet before it. Next to a flow that fills the link, delays differ.
#[test]
fn delays_vary_only_where_something_waits() {
    let cbr = "{ kind = \"cbr\", rate = \"1 Mbit/s\", packet = \"1500 B\" }";
    let flow = |flows: &str| dumbbell("50 ms", "\"100 packets\"", flows).summary.flows[0].clone();
    let alone = flow(cbr);
    let delay = alone.one_way_delay_ms.map(|delay| (delay.min, delay.mean, delay.p99, delay.max));
    assert_eq!(delay, Some((26.2, 26.2, 26.2, 26.2)));
    let variation =
        alone.delay_variation_ms.map(|variation| (variation.samples, variation.mean, variation.max));
    // From 20 to 60 s, the packets that have arrived by then: one every 12 ms, and one difference less.
    assert_eq!(variation, Some((alone.delivered_packets - 1, 0.0, 0.0)));
    assert_eq!((alone.jitter_ms, alone.delivery_ratio), (Some(0.0), Some(1.0)));
    // A queue of up to 100 packets at either end of the measured time is 3 % of 3333.
    let crowded = flow(&format!("{cbr}, {RENO}"));
    let variation = crowded.delay_variation_ms.map_or(f64::NAN, |variation| variation.mean);
    assert!(variation > 0.1 && crowded.jitter_ms.is_some_and(|jitter| jitter > 0.0), "{crowded:?}");
    assert!(crowded.delivery_ratio.is_some_and(|ratio| (ratio - 1.0).abs() < 0.03), "{crowded:?}");
}
