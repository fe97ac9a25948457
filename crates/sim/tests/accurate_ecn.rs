// SPDX-License-Identifier: MIT OR Apache-2.0
//! AccECN (RFC 9768) in whole runs: the sender knows of every mark that a queue made, though acknowledgements are lost.

use record::summary::FlowSummary;
use sim::Options;

/// A transfer through a queue that marks, with a share of the packets lost on the way back.
fn flow(ecn: &str, lost: f64) -> FlowSummary {
    let text = format!(
        r#"
duration = "200 s"
record.interval = "off"

[network.dumbbell]
rate = "20 Mbit/s"
rtt = "60 ms"
queue = {{ discipline = "threshold", limit = "300 packets", mark_above = "20 packets" }}
reverse = {{ rate = "20 Mbit/s", loss = {{ per = {lost} }} }}

[[flows]]
controller = "cubic"
size = "100 MB"
tcp = {{ recovery = "rack", setup = "handshake", delayed_ack = true, ecn = "{ecn}" }}
"#
    );
    let scenario =
        scenario::Scenario::from_toml(&text, "accurate.toml").unwrap_or_else(|error| panic!("{error}"));
    let outcome = sim::run(&scenario, &Options::of(&scenario)).unwrap_or_else(|error| panic!("{error}"));
    let flow = outcome.summary.flows[0].clone();
    assert!(flow.completed_at_s.is_some() && flow.losses.queue == 0 && flow.marked_packets > 200, "{flow:?}");
    flow
}

/// RFC 9768, section 6, "Resilience": whether ACKs are lost or not, and one for two segments or fewer; no data are
/// lost, so what arrives with a mark is what the queue marked. Of a classic echo the sender hears of more, until it has
/// cut.
#[test]
fn every_mark_is_told_of() {
    for (ecn, lost) in [("accurate", 0.0), ("accurate", 0.2), ("accurate-l4s", 0.2)] {
        let flow = flow(ecn, lost);
        assert_eq!(flow.reported_marks, flow.marked_packets, "{ecn} {lost}");
    }
    let classic = flow("classic", 0.0);
    assert!(classic.reported_marks > 2 * classic.marked_packets, "{classic:?}");
}
