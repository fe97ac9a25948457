// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use hosts::VisitRow;
use units::{Bytes, Rate};

const fn s(seconds: u64) -> Span {
    Span::from_secs(seconds)
}

fn transfer(number: u64, bytes: u64, took: Option<Span>) -> VisitRow {
    let began = Time::ZERO + s(number);
    VisitRow {
        number,
        user: None,
        received: Bytes::new(bytes),
        began,
        ended: took.map(|took| began + took),
        experience: Experience::Transfer { bytes: Bytes::new(bytes), first_byte: Some(s(1)), took },
        retries: 0,
        ideal: Some(s(2)),
        sustainable: None,
    }
}

fn web(size: &str) -> Scenario {
    let text = format!(
        "[network.dumbbell]\nrate = \"10 Mbit/s\"\nrtt = \"600 ms\"\n[[flows]]\nkind = \"transfers\"\n{size}\ncontroller = \
         \"cubic\"\narrivals = {{ law = \"poisson\", rate = 2 }}\n"
    );
    Scenario::from_toml(&text, "a.toml").unwrap_or_else(|error| panic!("{error}"))
}

/// Worked out by hand: five transfers, one of which is in progress. A slow-down is a duration divided by 2 s.
#[test]
fn visits_are_counted_by_size() {
    let mut felt = VisitResults::default();
    for (number, bytes, took) in [
        (0, 9_999, Some(2)),
        (1, 10_000, Some(4)),
        (2, 50_000, Some(8)),
        (3, 1_000_000, Some(20)),
        (4, 5, None),
    ] {
        felt.add(&transfer(number, bytes, took.map(s)), Time::ZERO + s(34));
    }
    let scenario = web("size = \"500 kB\"");
    let summary = felt.summary(&scenario, &scenario.flows[0], s(40), s(10)).expect("it is an application");
    assert_eq!((summary.begun, summary.finished, summary.unfinished), (5, 4, 1));
    let took = summary.took_s.expect("some are over");
    assert_eq!(
        (took.samples, took.mean, took.p50, took.p95, took.min, took.max),
        (4, 8.5, 4.0, 20.0, 2.0, 20.0)
    );
    let slow = summary.slow_down.expect("some are over");
    assert_eq!((slow.mean, slow.max), (4.25, 10.0));
    let sizes = summary.by_size.expect("it is no film");
    let counts = [&sizes.under_10_kb, &sizes.under_100_kb, &sizes.under_1_mb, &sizes.from_1_mb]
        .map(|class| class.finished);
    assert_eq!(counts, [1, 2, 0, 1]);
    assert_eq!(sizes.under_100_kb.slow_down.map(|slow| slow.mean), Some(3.0));
    assert_eq!(sizes.under_1_mb.took_s, None);
    // 500 kB twice per second are 8 Mbit/s. With 52 bytes of header per 1448 bytes, this is 8.287 Mbit/s.
    assert_eq!(summary.offered_mbit_s, Some(8.0));
    // 1,070,004 B were requested in the 10 s (of 40 s) in which the flow was active.
    let drawn = summary.drawn_mbit_s.expect("visits could begin");
    assert!((drawn - 0.856_003_2).abs() < 1e-12, "{drawn}");
    let never = felt.summary(&scenario, &scenario.flows[0], s(40), Span::ZERO);
    assert_eq!(never.and_then(|never| never.drawn_mbit_s), None);
    let load = summary.load.expect("the rate is known");
    assert!((load - 0.8287).abs() < 1e-4, "{load}");
    assert_eq!(summary.of, "transfer");
    // Kaplan-Meier, worked out by hand: 4/5, 3/5, 2/5, 1/5 of the samples remain after 2, 4, 8 and 20 s. The transfer
    // in progress has lasted for 30 s, so the 95th percentile is unknown. Slow-downs are these durations divided by 2
    // s.
    let all = summary.all.expect("some began");
    assert_eq!(all.done_ratio, 0.8);
    assert_eq!((all.took_s.p50, all.took_s.p95), (8.0, 40.0));
    assert_eq!(all.slow_down.map(|slow| (slow.p50, slow.p95)), Some((4.0, 20.0)));
    // The goodputs are 0.04, 0.02, 0.05 and 0.4 Mbit/s. The slowest of all five is unknown, and three are below 0.05.
    let goodput = summary.goodput_mbit_s.expect("some are over");
    assert_eq!((goodput.samples, goodput.p5, goodput.max), (4, 0.02, 0.4));
    let low = all.goodput_mbit_s.expect("some began");
    assert!(low.p5 == 0.0 && (low.p50 - 0.039_996).abs() < 1e-12, "{low:?}");
    // All transfers have their first byte after one second, including the transfer in progress.
    assert_eq!(all.first_byte_s.map(|first| (first.p50, first.p95)), Some((1.0, 1.0)));
    assert_eq!(all.films, None);
}

/// A flow that leaves its slow half unfinished has the same fast half. Without the unfinished visits, its results would
/// look better.
#[test]
fn nobody_looks_better_for_what_is_not_finished() {
    let felt = |slow: Option<u64>| {
        let mut felt = VisitResults::default();
        for number in 0..40 {
            let took = if number % 2 == 0 { Some(3) } else { slow };
            felt.add(&transfer(number, 1000, took.map(s)), Time::ZERO + s(100));
        }
        let scenario = web("size = \"500 kB\"");
        felt.summary(&scenario, &scenario.flows[0], s(100), s(100)).expect("it is an application")
    };
    let (whole, stuck) = (felt(Some(50)), felt(None));
    let finished = |summary: &VisitsSummary| summary.took_s.map(|took| took.p95);
    assert_eq!((finished(&whole), finished(&stuck)), (Some(50.0), Some(3.0)));
    let all = |summary: &VisitsSummary| summary.all.as_ref().map(|all| (all.took_s.p95, all.done_ratio));
    assert_eq!((all(&whole), all(&stuck)), (Some((50.0, 1.0)), Some((100.0, 0.5))));
    // If visits need more time than the run has even on an empty path, no visit can finish. Their waiting time does not
    // give a slow-down.
    let mut hopeless = VisitResults::default();
    hopeless.add(&VisitRow { ideal: Some(s(1000)), ..transfer(0, 1000, None) }, Time::ZERO + s(100));
    let scenario = web("size = \"500 kB\"");
    let hopeless =
        hopeless.summary(&scenario, &scenario.flows[0], s(100), s(100)).and_then(|summary| summary.all);
    assert_eq!(hopeless.map(|all| (all.took_s.p95, all.slow_down)), Some((100.0, None)));
}

/// A film that is still playing counts with its values so far. A film that never started to play does not count.
#[test]
fn films_count_before_they_end() {
    let film = |startup: Option<Span>, stalled, played| VisitRow {
        number: 0,
        user: Some(0),
        received: Bytes::ZERO,
        began: Time::ZERO,
        ended: None,
        retries: 0,
        experience: Experience::Film {
            bytes: Bytes::new(1000),
            startup,
            stalls: u32::from(startup.is_some()),
            stalled: s(stalled),
            switches: if startup.is_some() { 3 } else { 0 },
            mean_rate: startup.map(|_| Rate::from_bits_per_s(2_000_000)),
            played: s(played),
            ended: false,
        },
        ideal: Some(s(1)),
        sustainable: Some(Rate::from_bits_per_s(3_000_000)),
    };
    let mut felt = VisitResults::default();
    felt.add(&film(Some(s(2)), 10, 30), Time::ZERO + s(42));
    felt.add(&film(None, 0, 0), Time::ZERO + s(42));
    let text = "[network.dumbbell]\nrate = \"10 Mbit/s\"\nrtt = \"600 ms\"\n[[flows]]\nkind = \"video\"\nvideo = { ladder = [\"1 \
                Mbit/s\"] }\ncontroller = \"cubic\"\nusers = 2\n";
    let scenario = Scenario::from_toml(text, "a.toml").unwrap_or_else(|error| panic!("{error}"));
    let summary = felt.summary(&scenario, &scenario.flows[0], s(40), s(10)).expect("it is an application");
    assert_eq!((summary.begun, summary.finished, summary.unfinished), (2, 0, 2));
    assert_eq!(summary.took_s.map(|took| (took.samples, took.mean)), Some((1, 2.0)));
    assert_eq!(summary.stalled_share.map(|share| share.mean), Some(0.25));
    assert_eq!(summary.quality_mbit_s.map(|rate| rate.mean), Some(2.0));
    assert_eq!(summary.sustainable_mbit_s.map(|rate| rate.mean), Some(3.0));
    assert_eq!(summary.slow_down.map(|slow| (slow.samples, slow.mean)), Some((1, 2.0)));
    assert_eq!((summary.by_size, summary.load), (None, None));
    // The first film played for 30 s and stalled for 10 s. The user of the second film waited for 42 s.
    let all = summary.all.expect("two began");
    // The user of the second film waited for 42 s. No value is known that more than half of two films exceed.
    assert_eq!(all.slow_down.map(|slow| (slow.p50, slow.p95)), Some((2.0, 40.0)));
    let films = all.films.expect("they are films");
    assert_eq!((films.watched_s, films.stalled_ratio), (82.0, Some(52.0 / 82.0)));
    assert_eq!(films.stalls_per_min, Some(60.0 / 82.0));
    assert_eq!(films.switches_per_min, Some(180.0 / 82.0));
    assert_eq!(films.quality_mbit_s, Some(2.0 * 40.0 / 82.0));
    assert_eq!((all.done_ratio, all.took_s.p50, all.took_s.p95), (0.5, 2.0, 40.0));
}
