// SPDX-License-Identifier: MIT OR Apache-2.0
//! Grants every 4 ms, of which 8 % are 8 ms apart. The test prints the distribution of the wait, and its distance from
//! the recording of a Starlink uplink (`data/leocc-30s.deliveries`, one line for each packet that left, in whole
//! milliseconds): `cargo test -p bentpipe-link --test grants -- --nocapture`
#![expect(clippy::print_stdout, reason = "the table of distances is what the test is for")]

use bentpipe_link as link;
use link::{Config, Course, Delay, Ecn, Grants, Link, LinkSpec, Lost, Packets, Parcel};
use std::sync::Arc;
use units::{Span, Time};

/// Packets of which only the arrival times matter.
#[derive(Debug)]
struct Alone;

impl Packets for Alone {
    fn sender(&self, _: u32) -> u64 {
        0
    }
    fn carries_data(&self, _: u32) -> bool {
        true
    }
    fn ecn(&self, _: u32) -> Ecn {
        Ecn::NotEct
    }
    fn ack(&self, _: u32) -> Option<link::Ack> {
        None
    }
    fn is_urgent(&self, _: u32) -> bool {
        false
    }
    fn mark(&mut self, _: u32) {}
    fn bleach(&mut self, _: u32) {}
    fn warn(&mut self, _: u32) {}
    fn waits(&mut self, _: u32, _: Span) {}
    fn spared(&mut self, _: u32, _: Span) {}
    fn entered(&mut self, _: Parcel) {}
    fn begins(&mut self, _: u32, _: Time) {}
    fn dropped(&mut self, parcel: Parcel, why: Lost) {
        panic!("nothing is lost here: {parcel:?}, {why:?}");
    }
}

/// Waits of packets that are sent every 10.007 ms for 5000 s, in ms, sorted.
fn waits(or: (f64, Span)) -> Vec<f64> {
    let grants = Some((Grants { apart: Span::from_millis(4), or }, 11));
    let course = Some(Arc::new(Course { grants, ..Course::default() }));
    let config = Config { spec: LinkSpec::IDEAL, delay: Delay::Constant(Span::ZERO), course };
    let mut link = Link::new(&config, 1);
    let mut out = Vec::new();
    for handle in 0..500_000 {
        let now = Time::ZERO + Span::from_micros(10_007) * u64::from(handle);
        let at = link.offer(now, Parcel { handle, size: 84, site: 0 }, Alone);
        let Some(at) = at else { panic!("it is alone") };
        assert!(link.advance(at, Alone).arrived.is_some());
        out.push(at.since(now).millis_f64());
    }
    out.sort_by(f64::total_cmp);
    out
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn quantile(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * share) as usize]
}

/// A packet that arrives at a random time waits up to one period, with a uniform distribution. The mean is half a
/// period, and the standard deviation is p/sqrt(12). The 500,000 waits cover the period evenly.
#[test]
fn the_wait_for_a_regular_grant_is_uniform() {
    let waits = waits((0.0, Span::ZERO));
    assert!((mean(&waits) - 2.0).abs() < 0.005, "{}", mean(&waits));
    let square = waits.iter().map(|wait| (wait - 2.0).powi(2)).sum::<f64>() / waits.len() as f64;
    assert!((square.sqrt() - 4.0 / 12f64.sqrt()).abs() < 0.005, "{square}");
    for share in [0.1, 0.25, 0.5, 0.75, 0.9] {
        assert!((quantile(&waits, share) - 4.0 * share).abs() < 0.01, "{share}");
    }
    assert!(waits[0] >= 0.0 && waits[waits.len() - 1] < 4.0);
}

/// For gaps g, the mean wait is E[g^2] / 2 E[g] (the inspection paradox; Cox 1962, Renewal Theory, section 5). With 8 %
/// of 8 ms, it is 19.84 / 8.64 = 2.296 ms. The wait in the recording is printed next to it.
#[test]
fn the_wait_beside_the_recording() {
    let ours = waits((0.08, Span::from_millis(8)));
    assert!((mean(&ours) - 19.84 / 8.64).abs() < 0.015, "{}", mean(&ours));
    let path = format!("{}/../../data/leocc-30s.deliveries", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut busy: Vec<u64> = text.lines().filter_map(|line| line.parse().ok()).collect();
    busy.dedup();
    // Consecutive busy milliseconds are one burst. Gaps of 30 ms and more are the pauses at two boundaries.
    let begins: Vec<u64> = busy
        .iter()
        .enumerate()
        .filter(|&(at, ms)| at == 0 || busy[at - 1] + 1 < *ms)
        .map(|(_, ms)| *ms)
        .collect();
    let gaps: Vec<u64> = begins.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap < 30).collect();
    // Waits of packets that arrive at any time, with a resolution of a tenth of a millisecond.
    let mut measured: Vec<f64> =
        gaps.iter().flat_map(|&gap| (0..10 * gap).map(|tenth| tenth as f64 / 10.0 + 0.05)).collect();
    measured.sort_by(f64::total_cmp);
    let spacing = gaps.iter().sum::<u64>() as f64 / gaps.len() as f64;
    let row = |what: &str, measured: f64, ours: f64| {
        println!("| {what} | {measured:.2} | {ours:.2} | {:+.1} % |", 100.0 * (ours / measured - 1.0));
        ours / measured - 1.0
    };
    println!("| grants | recorded | ours | distance |");
    let far = [row("spacing, ms", spacing, 4.32), row("wait, mean, ms", mean(&measured), mean(&ours))];
    for share in [0.05, 0.25, 0.5, 0.75, 0.95, 0.99] {
        row(&format!("wait, p{:.0}, ms", 100.0 * share), quantile(&measured, share), quantile(&ours, share));
    }
    // The spacing and the share of long gaps are from the complete recording of 120 s, and this test uses its first 30
    // s. These contain 7000 gaps with a standard deviation of 1 ms, and the levels of a few epochs.
    assert!(far.iter().all(|far| far.abs() < 0.03), "{far:?}");
}
