// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares paths with Hypatia's own output for Kuiper's first shell. The path is Manila to St Petersburg, for 200 s in
//! steps of 100 ms. The source is satgenpy/tests/data_to_match/kuiper_630 (MIT licence). The files are with the tests
//! of the crate `orbit`.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bentpipe_topology as topology;
use topology::{presets, sites, trace};
use units::{Span, Time};

const PATHS: &str = include_str!("../../orbit/tests/data/networkx_path_1173_to_1229.txt");
const RTTS: &str = include_str!("../../orbit/tests/data/networkx_rtt_1173_to_1229.txt");
const STEP: Span = Span::from_millis(100);

#[test]
fn paths_change_when_hypatias_do_and_round_trips_agree_to_a_microsecond() {
    let spec = presets::find("hypatia-kuiper-630").unwrap();
    let (manila, petersburg) = (sites::find("Manila").unwrap(), sites::find("St. Petersburg").unwrap());
    // The last entry of the series is at 199.9 s.
    let samples =
        trace::path_over_time(&spec, &manila, &petersburg, Span::from_millis(199_900), STEP).unwrap();

    // Each change is a time in nanoseconds, and the nodes from then on. Satellites are numbered from 0, plane by plane.
    let ours: Vec<(u64, Vec<u32>)> = samples.iter().fold(Vec::new(), |mut changes, sample| {
        if changes.last().is_none_or(|(_, before)| *before != sample.satellites) {
            changes.push((sample.at.nanos(), sample.satellites.clone()));
        }
        changes
    });
    let theirs: Vec<(u64, Vec<u32>)> = PATHS
        .lines()
        .map(|line| {
            let (at, nodes) = line.split_once(',').unwrap();
            let nodes = nodes.split('-').filter_map(|node| node.parse().ok());
            (at.parse().unwrap(), nodes.filter(|&node| node < 1156).collect())
        })
        .collect();
    assert_eq!(
        ours.iter().map(|(_, nodes)| nodes).collect::<Vec<_>>(),
        theirs.iter().map(|(_, nodes)| nodes).collect::<Vec<_>>()
    );
    for ((ours, _), (theirs, _)) in ours.iter().zip(&theirs) {
        assert!(ours.abs_diff(*theirs) <= STEP.nanos(), "{ours} {theirs}");
    }

    // Near a change, one of the two programs may be one step later. At all other times, the same path has the same
    // length.
    let mut worst_ns = 0.0_f64;
    let mut compared = 0;
    for (sample, line) in samples.iter().zip(RTTS.lines()) {
        let (at, rtt_ns) = line.split_once(',').unwrap();
        let (at, rtt_ns): (u64, f64) = (at.parse().unwrap(), rtt_ns.parse().unwrap());
        assert_eq!(sample.at, Time::from_nanos(at));
        if theirs.iter().any(|(change, _)| change.abs_diff(at) <= STEP.nanos() && *change > 0) {
            continue;
        }
        assert_eq!(sample.rtt().is_some(), rtt_ns > 0.0, "at {at} ns");
        if let Some(rtt) = sample.rtt() {
            worst_ns = worst_ns.max((rtt.nanos() as f64 - rtt_ns).abs());
            compared += 1;
        }
    }
    assert!(compared > 1500 && worst_ns < 1000.0, "{compared} round trips, at most {worst_ns:.0} ns apart");
}
