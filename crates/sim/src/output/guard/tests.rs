// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use control::{SavedPath, Snapshot};
use hosts::TransportState;
use units::Bytes;

/// A path of 10 Mbit/s that holds 100 segments.
const PATH: Capacity = Capacity { rate: Rate::from_bits_per_s(10_000_000), bytes: Some(100.0 * 1000.0) };

#[derive(Clone, Copy, Debug, Default)]
struct Fake {
    segments: u64,
    pacing_mbit_s: Option<u64>,
    recovery: (Span, f64),
}

impl Transport for Fake {
    fn state(&self) -> TransportState {
        TransportState {
            cwnd: Bytes::new(self.segments * 1000),
            ssthresh: None,
            pacing: self.pacing_mbit_s.map(|mbit_s| Rate::from_bits_per_s(mbit_s * 1_000_000)),
            in_flight_segments: 7.0,
            srtt: None,
            phase: "",
        }
    }
    fn snapshot(&self, _: &mut Snapshot) {}
    fn completed_at(&self) -> Option<Time> {
        None
    }
    fn app_limited_time(&self, _: Time) -> Span {
        Span::ZERO
    }
    fn is_receiver_limited(&self) -> bool {
        false
    }
    fn saved_path(&self) -> Option<SavedPath> {
        None
    }
    fn longest_recovery(&self, _: Time) -> (Span, f64) {
        self.recovery
    }
}

fn tenths(tenths: u64) -> Time {
    Time::ZERO + LOOK * tenths
}

/// Runs checks every 100 ms from 0.1 s on, with a round-trip time of 50 ms, and then ends the run. Returns when the
/// runaway started, how long it lasted, and by how much the flow exceeded the path.
fn seen(path: &Capacity, looks: &[Fake]) -> Option<(Time, Span, f64)> {
    let mut watch = Watch::default();
    for (look, fake) in (1..).zip(looks) {
        watch.note(tenths(look), Span::from_millis(50), &Worst::of(path, fake, 1000.0), false);
    }
    watch.close();
    watch.runaway.map(|runaway| (runaway.since, runaway.lasted, runaway.worst.ratio()))
}

fn window(segments: u64) -> Fake {
    Fake { segments, ..Fake::default() }
}

/// Ten round trips are 500 ms. Six checks span exactly this time. Seven checks span more.
#[test]
fn an_excess_counts_once_it_lasts_over_ten_round_trips() {
    assert_eq!(seen(&PATH, &[window(801); 6]), None);
    assert_eq!(seen(&PATH, &[window(801); 7]), Some((tenths(1), LOOK * 6, 8.01)));
    // Eight times the capacity does not exceed the limit.
    assert_eq!(seen(&PATH, &[window(800); 100]), None);
    // After a check without excess, the excess starts again. It lasts from its first check to its last check.
    let mut looks = [window(900); 12];
    looks[7] = window(700);
    assert_eq!(seen(&PATH, &looks), Some((tenths(1), LOOK * 6, 9.0)));
    looks[6] = window(700);
    assert_eq!(seen(&PATH, &looks), None);
}

/// A check interval is two round trips. Two doublings, and a factor of two for the unknown round-trip time, allow a
/// factor of eight.
#[test]
fn an_excess_that_no_doubling_reaches_counts_at_once() {
    assert_eq!(seen(&PATH, &[window(120), window(960), window(700)]), None);
    assert_eq!(seen(&PATH, &[window(119), window(960), window(700)]), Some((tenths(2), Span::ZERO, 9.6)));
    // Fast growth does not count below eight times the capacity, or at the start.
    assert_eq!(seen(&PATH, &[window(1), window(800), window(960)]), None);
    assert_eq!(seen(&PATH, &[window(10_000), window(700)]), None);
}

/// Two excesses give one finding: the start of the first, the sum of both durations, and the larger excess.
#[test]
fn stretches_add_up() {
    let mut looks = [window(900); 20];
    looks[9] = window(700);
    looks[15] = window(5000);
    assert_eq!(seen(&PATH, &looks), Some((tenths(1), LOOK * 8 + LOOK * 9, 50.0)));
}

#[test]
fn pacing_counts_by_the_rate_and_needs_no_limit_of_queues() {
    let paced = |mbit_s| Fake { segments: 10, pacing_mbit_s: Some(mbit_s), recovery: (Span::ZERO, 0.0) };
    assert_eq!(seen(&PATH, &[paced(80); 20]), None);
    assert_eq!(seen(&PATH, &[paced(1000); 20]).map(|(.., times)| times), Some(100.0));
    let open = Capacity { bytes: None, ..PATH };
    assert_eq!(seen(&open, &[paced(1000); 20]).map(|(.., times)| times), Some(100.0));
    assert_eq!(seen(&open, &[window(1_000_000); 20]), None);
}

#[test]
fn what_is_said() {
    let asks = Fake { segments: 100_000, pacing_mbit_s: Some(100_000), recovery: (Span::ZERO, 0.0) };
    let text = Worst::of(&PATH, &asks, 1000.0).text(tenths(15), Span::from_secs(3));
    assert_eq!(
        text,
        "the window reached 100000 segments, which is 1000 times the amount that the path can hold, and the pacing rate \
         reached 100000 Mbit/s, which is 10000 times the rate of the path (10 Mbit/s). The excess began at 1.5 s and \
         lasted 3.0 s in total. During this time, at most 7 segments were in flight"
    );
}

/// A recovery starts at 0.55 s. It is found when it exceeds ten round trips, and reported with its final duration.
#[test]
fn a_long_recovery_is_dated_from_its_beginning() {
    let mut watch = Watch::default();
    let mut at = |tenth: u64, ms: u64, round_trips: f64| {
        let fake = Fake { recovery: (Span::from_millis(ms), round_trips), ..Fake::default() };
        watch.note_recovery(tenths(tenth), &fake);
        let mut then = watch.clone();
        then.settle();
        then.recovery.map(|it| (it.since.nanos() / 1_000_000, it.lasted.nanos() / 1_000_000, it.round_trips))
    };
    assert_eq!(at(10, 450, 9.0), None);
    assert_eq!(at(11, 550, 11.0), Some((550, 550, 11.0)));
    // The recovery ended 80 ms after the last check.
    assert_eq!(at(12, 630, 12.6), Some((550, 630, 12.6)));
    assert_eq!(at(13, 630, 12.6), Some((550, 630, 12.6)));
    // A second recovery that is longer.
    assert_eq!(at(50, 700, 14.0), Some((4300, 700, 14.0)));
}

/// With a round-trip time of 0.2 ms and a minimum timeout of 1 s, a recovery takes one timeout and two round trips of
/// repair. A recovery is stuck if it has two timeouts, or if it takes as long without a timeout.
#[test]
fn one_wait_for_the_timer_is_no_long_recovery() {
    let after = |timeouts: &[(u64, u64)], ms: u64, last: u64| {
        let mut watch = Watch { timer: (Span::from_secs(1), Span::from_millis(200)), ..Watch::default() };
        for tenth in 1..=last {
            for &(_, count) in timeouts.iter().filter(|&&(at, _)| at == tenth) {
                watch.count(tenths(tenth), count);
            }
            // The recovery starts at 0.95 s.
            let lasts = (100 * tenth).saturating_sub(950).min(ms);
            let recovery = (Span::from_millis(lasts), lasts as f64 / 0.2);
            watch.note_recovery(tenths(tenth), &Fake { recovery, ..Fake::default() });
        }
        watch.settle();
        watch.recovery.map(|it| it.timeouts)
    };
    assert_eq!(after(&[(20, 1)], 1001, 40), None);
    // Timeouts at other times do not count.
    assert_eq!(after(&[(3, 4), (20, 5), (30, 6)], 1001, 40), None);
    assert_eq!(after(&[(20, 1)], 1003, 40), Some(1));
    assert_eq!(after(&[(20, 1), (40, 2)], 3001, 60), Some(2));
    assert_eq!(after(&[], 1001, 40), Some(0));
}

/// Checks with a held demand neither start nor end an excess. A runaway that later waits is reported from its start to
/// its end.
#[test]
fn what_is_held_back_does_not_begin() {
    let mut watch = Watch::default();
    let mut look = |tenth, held| {
        watch.note(tenths(tenth), Span::from_millis(50), &Worst::of(&PATH, &window(900), 1000.0), held);
        let mut then = watch.clone();
        then.close();
        then.runaway.map(|runaway| (runaway.since, runaway.lasted))
    };
    for tenth in 1..=20 {
        assert_eq!(look(tenth, true), None);
    }
    assert_eq!(look(21, false), None);
    for tenth in 22..=29 {
        look(tenth, true);
    }
    assert_eq!(look(30, true), Some((tenths(21), LOOK * 9)));
}

#[test]
fn short_times_are_told_in_milliseconds() {
    assert_eq!(in_words(Span::from_micros(11_240)), "11.2 ms");
    assert_eq!(in_words(Span::from_millis(1030)), "1.0 s");
}
