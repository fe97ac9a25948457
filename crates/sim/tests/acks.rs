// SPDX-License-Identifier: MIT OR Apache-2.0
//! Acknowledgements on a narrow return link, in whole runs. The example is that of RFC 3449, section 3.1: 10 Mbit/s
//! forward and 50 kbit/s back, data packets of 1000 bytes and ACKs of 40 bytes. The normalised bandwidth ratio is k =
//! (10,000 / 50) / (1000 / 40) = 8. With more than one ACK for k data packets, the return link is full before the
//! forward link.

use record::summary::{FlowSummary, LinkSummary};
use sim::Options;

/// Returns the flow and the return link after 20 s. A window of 100 packets fills the forward link (the BDP of 50 ms is
/// 62.5 kB) without losses.
fn run(there: &str, back: &str, tcp: &str) -> (FlowSummary, LinkSummary) {
    let text = format!(
        "duration = \"60 s\"\nwarm_up = \"20 s\"\ntcp = {{ preset = \"bentpipe-0.1\", mss = \"960 B\", header = \"40 B\"{tcp} }}\n\
         network.dumbbell = {{ rate = \"10 Mbit/s\", rtt = \"50 ms\", queue = \"1 BDP\"{there}, reverse = {{ queue = \"unlimited\", \
         {back} }} }}\nflows = [{{ controller = \"reno\" }}]\n"
    );
    let scenario =
        scenario::Scenario::from_toml(&text, "acks.toml").unwrap_or_else(|error| panic!("{error}"));
    let mut run = sim::run(&scenario, &Options::of(&scenario)).unwrap_or_else(|error| panic!("{error}"));
    (run.summary.flows.remove(0), run.summary.links.remove(1))
}

const NARROW: &str = "rate = \"50 kbit/s\"";
const WINDOW: &str = ", receive_window = \"96 kB\"";

fn goodput(back: &str, tcp: &str) -> f64 {
    run("", back, &format!("{WINDOW}{tcp}")).0.goodput_mbit_s.unwrap_or(f64::NAN)
}

fn near(value: f64, expected: f64) {
    assert!((value / expected - 1.0).abs() < 0.01, "{value} is not {expected}");
}

/// 50 kbit/s carry 156.25 ACKs per second. With a full window, each ACK releases the data that it acknowledges. If
/// every packet is acknowledged, this is one k-th of 10 Mbit/s. If every second packet is acknowledged, it is twice as
/// much. Of 1000 bytes, 960 are goodput.
#[test]
fn the_return_link_limits_the_forward_link() {
    let k = 8.0;
    near(goodput(NARROW, ""), 9.6 / k);
    near(goodput(NARROW, ", delayed_ack = true"), 2.0 * 9.6 / k);
    // With k = 1, the return link carries an ACK for each packet.
    near(goodput("rate = \"401 kbit/s\"", ""), 9.6);
}

/// After thinning, as many ACKs remain as the return link carries, and each contains the information of the ACKs before
/// it. Compression makes k smaller: with 5 bytes instead of 40 (RFC 1144), the ratio of sizes is 200, and k is 1.
#[test]
fn what_thinning_and_compression_give_back() {
    for thinning in ["filter", "filter-aggressive", "decimate"] {
        let acks = format!("{NARROW}, acks = {{ thinning = \"{thinning}\" }}");
        let (flow, link) = run("", &acks, WINDOW);
        near(flow.goodput_mbit_s.unwrap_or(f64::NAN), 9.6);
        assert_eq!((flow.retransmitted_packets, flow.timeouts), (0, 0), "{thinning}: {flow:?}");
        // Of 1250 ACKs per second, 156.25 are carried.
        near(link.delivered_packets as f64, 40.0 * 156.25);
        near(link.thinned_acks as f64, 40.0 * (1250.0 - 156.25));
        assert_eq!(link.thinned_acks, link.dropped_queue, "{thinning}: {link:?}");
    }
    near(goodput(&format!("{NARROW}, acks = {{ compressed = \"10 B\" }}"), ""), 9.6 / 2.0);
    near(goodput("rate = \"50.1 kbit/s\", acks = { compressed = \"5 B\" }", ""), 9.6);
}

/// Single losses. A SACK block of a newer ACK makes older ACKs with the same block redundant, so repairs are
/// acknowledged at once. Without SACK, duplicate ACKs are kept, and each takes 6.4 ms. The ACKs of a window of 96
/// packets precede the ACK of the repair, and take longer than a timeout. Decimation drops them. A filter does not know
/// the AccECN option, so it drops no ACKs with this option.
#[test]
fn what_stays() {
    let once = ", loss = { packets = [2000], period = 4000 }";
    let lossy = |thinning: &str, recovery: &str| {
        let acks = format!("{NARROW}, acks = {{ thinning = \"{thinning}\" }}");
        let (flow, _) = run(once, &acks, &format!("{WINDOW}, recovery = \"{recovery}\""));
        assert!(flow.losses.error >= 5, "{flow:?}");
        (flow.timeouts, flow.losses.error)
    };
    assert_eq!(lossy("filter", "sack").0, 0);
    assert_eq!(lossy("filter-aggressive", "sack").0, 0);
    assert_eq!(lossy("decimate", "newreno").0, 0);
    let (timeouts, losses) = lossy("filter", "newreno");
    assert_eq!(timeouts, losses);
    let accurate = format!("{WINDOW}, recovery = \"rack\", ecn = \"accurate\"");
    let (_, link) = run("", &format!("{NARROW}, acks = {{ thinning = \"filter\" }}"), &accurate);
    assert_eq!(link.thinned_acks, 0, "{link:?}");
    let (_, link) = run("", &format!("{NARROW}, acks = {{ thinning = \"decimate\" }}"), &accurate);
    assert!(link.thinned_acks > 10_000, "{link:?}");
}
