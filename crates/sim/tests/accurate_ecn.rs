// SPDX-License-Identifier: MIT OR Apache-2.0
//! AccECN (RFC 9768) in whole runs: the sender learns of every mark that a queue made, even if acknowledgements are
//! lost.

use record::summary::FlowSummary;
use sim::Options;

/// Runs a transfer through a queue that marks. `lost` is the fraction of packets that are lost in the reverse
/// direction.
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

/// RFC 9768, section 6, "Resilience": the count holds whether ACKs are lost or not, with one ACK for at most two
/// segments. No data are lost, so the marks that arrive are the marks that the queue made. With a classic echo, the
/// sender counts more marks, because the echo continues until the sender has cut.
#[test]
fn every_mark_is_told_of() {
    for (ecn, lost) in [("accurate", 0.0), ("accurate", 0.2), ("accurate-l4s", 0.2)] {
        let flow = flow(ecn, lost);
        assert_eq!(flow.reported_marks, flow.marked_packets, "{ecn} {lost}");
    }
    let classic = flow("classic", 0.0);
    assert!(classic.reported_marks > 2 * classic.marked_packets, "{classic:?}");
}
