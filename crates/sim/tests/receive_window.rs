// SPDX-License-Identifier: MIT OR Apache-2.0
//! Flows that the receive window limits, and the finding about them.

use record::summary::{Finding, FindingKind};
use scenario::Scenario;
use sim::Outcome;

/// Runs flows of Reno over 20 Mbit/s and 600 ms, whose bandwidth-delay product is 1.5 MB.
fn run(more: &str) -> Outcome {
    let text = format!(
        "name = \"t\"\nduration = \"30 s\"\n\
         network.dumbbell = {{ rate = \"20 Mbit/s\", rtt = \"600 ms\", queue = \"1 BDP\" }}\n{more}"
    );
    let scenario = Scenario::from_toml(&text, "t.toml").unwrap_or_else(|error| panic!("{error}"));
    sim::run(&scenario, &sim::Options::of(&scenario)).unwrap_or_else(|error| panic!("{error}"))
}

fn found(outcome: &Outcome) -> Vec<&Finding> {
    let all = &outcome.summary.findings;
    all.iter().filter(|finding| finding.kind == FindingKind::ReceiveWindow).collect()
}

#[test]
fn a_window_below_the_bandwidth_delay_product_is_a_finding() {
    let outcome = run("flows = [{ controller = \"reno\", tcp = { receive_window = \"600 kB\" } }]\n");
    let flow = &outcome.summary.flows[0];
    // 600 kB are 414 segments. Slow start from 10 segments needs 5.4 to 8 round trips for them, 3.3 to 4.8 s of 30 s.
    // From then on, each ACK releases new data, and the window keeps the rest back.
    let share = flow.receiver_limited_share.unwrap_or(0.0);
    assert!((0.83..0.90).contains(&share), "{share}");
    let findings = found(&outcome);
    assert_eq!(findings.len(), 1);
    assert!((findings[0].magnitude - share).abs() < 1e-9);
    assert!((findings[0].lasted_s - 30.0 * share).abs() < 1e-6);
    for part in ["600 kB", "20.000 Mbit/s", "receive_window = "] {
        assert!(findings[0].text.contains(part), "{part}: {}", findings[0].text);
    }
}

#[test]
fn a_window_that_fills_the_path_is_not_a_finding() {
    // The window of 2 MB limits the sender, but it fills the link, and a part of it waits in the queue.
    let outcome = run("flows = [{ controller = \"reno\", tcp = { receive_window = \"2 MB\" } }]\n");
    assert!(outcome.summary.flows[0].receiver_limited_share.is_some_and(|share| share > 0.5));
    assert!(found(&outcome).is_empty());
    let unlimited = run("flows = [{ controller = \"reno\" }]\n");
    assert_eq!(unlimited.summary.flows[0].receiver_limited_share, Some(0.0));
    assert!(found(&unlimited).is_empty());
}

#[test]
fn flows_with_the_same_window_share_a_finding() {
    let outcome =
        run("flows = [{ controller = \"reno\", count = 5, tcp = { receive_window = \"100 kB\" } }]\n");
    let findings = found(&outcome);
    assert_eq!(findings.len(), 1);
    assert!(
        findings[0].text.starts_with("5 flows, ") && findings[0].text.contains("and 2 more"),
        "{findings:?}"
    );
}

#[test]
fn a_small_buffer_of_the_proxies_is_named() {
    let flows = "flows = [{ controller = \"reno\", access = { rate = \"1 Gbit/s\", delay = \"1 ms\" } }]\n";
    let outcome = run(&format!("{flows}peps = [{{ at = [\"left\", \"right\"], buffer = \"400 kB\" }}]\n"));
    let findings = found(&outcome);
    assert_eq!(findings.len(), 1);
    assert!(findings[0].text.contains("for the proxies"), "{}", findings[0].text);
    // The connection from the sender to the proxy waits for the proxy, which is not a finding of its own.
    assert_eq!(findings[0].flow, 0);
}

#[test]
fn a_proxy_holds_the_buffers_of_all_flows_together() {
    // The buffers in front of the satellite link are full during the run, because the link behind them is slower.
    let flows = "flows = [{ controller = \"reno\", count = 3, access = { rate = \"1 Gbit/s\", delay = \"1 ms\" } }]\n";
    let outcome = run(&format!("{flows}peps = [{{ at = [\"left\"], buffer = \"400 kB\" }}]\n"));
    let rows = &outcome.summary.proxies;
    assert_eq!(rows.len(), 3);
    for row in rows {
        assert!(row.most_held_bytes <= 400_000 && row.most_held_total_bytes == row.most_held_bytes);
        // Three full buffers at the same time, to a segment each.
        let all = row.most_held_by_all_flows_bytes.unwrap_or(0);
        assert!((3 * (400_000 - 1500)..=3 * 400_000).contains(&all), "{all}");
    }
}
