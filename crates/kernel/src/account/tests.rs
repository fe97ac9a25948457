// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

const MS: u64 = 1_000_000;

fn at(ms: u64, kind: Kind, sent: u32, bytes_acked: u64) -> Record {
    let host = |last, port| SocketAddr::new(IpAddr::V4(Ipv4Addr::new(10, 0, 0, last)), port);
    Record {
        time_ns: ms * MS,
        connection: 1,
        kind,
        counters: Counters {
            bytes_acked,
            bytes_sent: u64::from(sent) * 1_000,
            delivered: (bytes_acked / 1_000) as u32,
            sent,
            ..Counters::default()
        },
        pacing_bytes_s: None,
        cwnd: 10,
        ssthresh: None,
        in_flight: 4,
        srtt_us: Some(50_000),
        rtt_us: Some(40_000),
        header_bytes: 52,
        local: host(1, 1_000),
        remote: host(2, 80),
    }
}

fn account() -> Account {
    Account::new(1_000 * MS, 100 * MS, "cubic", Tables::default())
}

fn finished(account: Account, end_ms: u64) -> (record::Batches, Vec<FlowSummary>, Totals) {
    let (tables, _, flows, totals) = account.finish(end_ms * MS);
    (tables.finish(&record::Provenance::default()).expect("in memory"), flows, totals)
}

fn close(found: Option<f64>, expected: f64) {
    assert!(found.is_some_and(|found| (found - expected).abs() < 1e-9), "{found:?}, not {expected}");
}

/// 100,000 bytes in half a second are 1.6 Mbit/s. The first row is that of the
/// interval with the first data: rows at 1.2 s to 1.6 s of the clock, and none after the end.
#[test]
fn a_connection_has_a_row_for_each_interval() {
    let mut account = account();
    account.add(at(1_050, Kind::Opened, 0, 0));
    account.add(at(1_150, Kind::Acked, 20, 10_000));
    account.add(at(1_550, Kind::Closed, 100, 100_000));
    let (tables, flows, totals) = finished(account, 2_000);
    assert_eq!(tables.flows.expect("rows").num_rows(), 5);
    let [flow] = &flows[..] else { panic!("one flow, not {}", flows.len()) };
    assert_eq!(flow.name, "tcp 10.0.0.1:1000 > 10.0.0.2:80");
    assert_eq!((flow.start_s, flow.stop_s), (0.05, Some(0.55)));
    close(flow.goodput_mbit_s, 1.6);
    // 100 segments of 1,000 bytes and 52 bytes of headers: 105,200 bytes
    close(flow.throughput_mbit_s, 1.6832);
    assert_eq!((flow.sent_packets, flow.delivered_packets), (100, 100));
    close(totals.delivered_mbit_s, 0.8);
}

#[test]
fn a_connection_without_data_is_left_out() {
    let mut account = account();
    account.add(at(1_050, Kind::Opened, 0, 0));
    account.add(at(1_100, Kind::State(State::Open), 0, 0));
    account.add(at(1_150, Kind::Closed, 0, 0));
    let (_, flows, totals) = finished(account, 2_000);
    assert!(flows.is_empty());
    assert_eq!(totals.delivered_mbit_s, None);
}

/// A connection that existed before the trace counts from its first report.
#[test]
fn counters_are_differences() {
    let mut account = account();
    account.add(at(1_000, Kind::Acked, 1_000, 1_000_000));
    account.add(at(1_500, Kind::Acked, 1_010, 1_010_000));
    let (_, flows, _) = finished(account, 2_000);
    assert_eq!(flows[0].sent_packets, 10);
    close(flows[0].goodput_mbit_s, 0.08);
}

/// A recovery of 300 ms with a smoothed round trip of 50 ms lasts 6 round trips; a timeout in it is a second cut.
#[test]
fn recoveries_are_measured_until_the_state_is_open() {
    let mut account = account();
    account.add(at(1_000, Kind::Acked, 10, 0));
    account.add(at(1_100, Kind::State(State::Recovery), 20, 10_000));
    account.add(at(1_200, Kind::State(State::Loss), 20, 10_000));
    account.add(at(1_400, Kind::State(State::Open), 30, 20_000));
    account.add(at(1_450, Kind::State(State::Cwr), 30, 20_000));
    let (tables, flows, _) = finished(account, 1_500);
    let flow = &flows[0];
    assert_eq!((flow.cuts, flow.ecn_cuts, flow.timeouts), (3, 1, 1));
    assert_eq!(flow.longest_recovery_s, Some(0.3));
    assert!((flow.longest_recovery_rtts.expect("known") - 6.0).abs() < 1e-9);
    // start; loss, timeout and mark, and the phase of each of the four states
    assert_eq!(tables.events.expect("rows").num_rows(), 1 + 3 + 4);
}

/// Round trips count if something was acknowledged since the report before.
#[test]
fn round_trips_are_measured_once() {
    let mut account = account();
    account.add(at(1_000, Kind::Acked, 10, 0));
    for (ms, acked) in [(1_010, 1_000), (1_020, 1_000), (1_030, 2_000)] {
        account.add(at(ms, Kind::Acked, 20, acked));
    }
    let (_, flows, _) = finished(account, 1_500);
    let rtt = flows[0].rtt_ms.expect("samples");
    assert_eq!((rtt.samples, rtt.mean, rtt.min), (2, 40.0, 40.0));
}
