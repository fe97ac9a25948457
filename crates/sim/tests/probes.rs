// SPDX-License-Identifier: MIT OR Apache-2.0
//! Low-priority probes next to data: they do not reduce the data, and packet counts balance.

use record::Summary;
use sim::{Options, Outcome};

fn run(text: &str) -> Outcome {
    let scenario =
        scenario::Scenario::from_toml(text, "probes.toml").unwrap_or_else(|error| panic!("{error}"));
    // A run whose packet counts do not balance is refused.
    sim::run(&scenario, &Options::of(&scenario)).unwrap_or_else(|error| panic!("{error}"))
}

/// A Reno flow on its own branch. Next to it, over the same branch to the receivers, 600 consecutive connections of two
/// segments. Each of them starts with a Sudden Start of 49 probes.
fn star(queue: &str, beside: &str) -> Outcome {
    run(&format!(
        r#"
duration = "120 s"
warm_up = "10 s"

[network.star]
branches = [
    {{ site = "a", rate = "100 Mbit/s", delay = "10 ms", queue = "{queue}" }},
    {{ site = "b", rate = "100 Mbit/s", delay = "10 ms", queue = "{queue}" }},
    {{ site = "c", rate = "10 Mbit/s", delay = "20 ms", queue = "{queue}" }},
]

[[flows]]
name = "data"
from = "a"
to = "c"
controller = "reno"
{beside}
"#
    ))
}

fn short_flows(controller: &str) -> String {
    format!(
        r#"
[[flows]]
name = "short"
count = 600
stagger = "190 ms"
from = "b"
to = "c"
controller = {controller}
size = "2 kB"
"#
    )
}

fn goodput(summary: &Summary) -> f64 {
    summary.flows[0].goodput_mbit_s.unwrap_or(f64::NAN)
}

/// The same short transfers without probes and with probes (copies and new data): 600 x 49 probes of 1500 B in 120 s
/// are 2.9 Mbit/s, on a link of 10 Mbit/s that the Reno flow fills. The limits are in packets, bytes and time.
#[test]
fn probes_displace_no_data() {
    // If the queue never runs empty, probes never leave. Otherwise, each probe may delay data by one transmission.
    for (queue, bound) in [("80 packets", 1e-4), ("20 packets", 0.015), ("30 kB", 0.015), ("25 ms", 0.015)] {
        let without = star(queue, &short_flows(r#""reno""#));
        for name in ["peach", "cherry"] {
            let with = star(queue, &short_flows(&format!(r#"{{ name = "{name}", rwnd = 50 }}"#)));
            let probes = |outcome: &Outcome| {
                outcome.summary.flows[1..].iter().map(|flow| flow.probe_packets).sum::<u64>()
            };
            assert!(probes(&with) > 25_000, "{name}, {queue}");
            let ratio = goodput(&with.summary) / goodput(&without.summary);
            assert!((ratio - 1.0).abs() < bound, "{name}, {queue}: {ratio}");
            let done = |outcome: &Outcome| {
                outcome.summary.flows.iter().filter(|flow| flow.completed_at_s.is_some()).count()
            };
            assert_eq!((done(&with), done(&without)), (600, 600), "{name}, {queue}");
            // A flow that has ended causes no events: at most two events per packet-hop, and a few per flow.
            let totals = &with.summary.totals;
            assert!(totals.events < 2 * totals.packet_hops + 10_000, "{totals:?}");
        }
    }
}

#[test]
fn probes_come_out_the_same_twice() {
    let text = r#"
duration = "20 s"
network.dumbbell = { rate = "5 Mbit/s", rtt = "300 ms", queue = "0.5 BDP", loss = { per = 5e-3 } }
flows = [{ controller = "peach" }, { controller = "cherry" }, { controller = "reno" }]

[record]
packets = true
"#;
    let (one, two) = (run(text), run(text));
    assert_eq!(format!("{:?}", one.summary), format!("{:?}", two.summary));
    assert_eq!(format!("{:?}", one.tables), format!("{:?}", two.tables));
    let flow = &one.summary.flows[0];
    assert!(flow.probe_packets > 1000 && flow.losses.error > 0, "{flow:?}");
}
