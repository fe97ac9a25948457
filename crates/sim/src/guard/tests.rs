// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::endpoint::TransportState;
use control::{SavedPath, Snapshot};
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

/// Looks every 100 ms with a round trip of 50 ms, from 0.1 s on, then the run is over: when the runaway began, how long it
/// lasted, and by how much.
fn seen(path: &Capacity, looks: &[Fake]) -> Option<(Time, Span, f64)> {
    let mut watch = Watch::default();
    for (look, fake) in (1..).zip(looks) {
        watch.note(tenths(look), Span::from_millis(50), &Worst::of(path, fake, 1000.0));
    }
    watch.close();
    watch.runaway.map(|runaway| (runaway.since, runaway.lasted, runaway.worst.ratio()))
}

fn window(segments: u64) -> Fake {
    Fake { segments, ..Fake::default() }
}

/// Ten round trips are 500 ms: six looks span them, and no more; seven span more.
#[test]
fn an_excess_counts_once_it_lasts_over_ten_round_trips() {
    assert_eq!(seen(&PATH, &[window(801); 6]), None);
    assert_eq!(seen(&PATH, &[window(801); 7]), Some((tenths(1), LOOK * 6, 8.01)));
    // Eight times is not over eight times.
    assert_eq!(seen(&PATH, &[window(800); 100]), None);
    // A look without it begins anew; what lasted is from the first look with it to the last.
    let mut looks = [window(900); 12];
    looks[7] = window(10);
    assert_eq!(seen(&PATH, &looks), Some((tenths(1), LOOK * 6, 9.0)));
    looks[6] = window(10);
    assert_eq!(seen(&PATH, &looks), None);
}

/// Two stretches, one finding: from the first on, both lengths, the larger excess.
#[test]
fn stretches_add_up() {
    let mut looks = [window(900); 20];
    looks[9] = window(10);
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
        "its window was up to 1000 times what the path can hold (100000 segments) and its pacing rate was up to 10000 \
         times the path's (100000 Mbit/s over 10 Mbit/s), from 1.5 s on, for 3.0 s in all; at most 7 segments were in flight \
         then"
    );
}

/// A recovery that began at 0.55 s: noticed when it is over ten round trips, as long as it is in the end.
#[test]
fn a_long_recovery_is_dated_from_its_beginning() {
    let mut watch = Watch::default();
    let mut at = |tenth: u64, ms: u64, round_trips: f64| {
        let fake = Fake { recovery: (Span::from_millis(ms), round_trips), ..Fake::default() };
        watch.note_recovery(tenths(tenth), &fake);
        watch.recovery.map(|it| (it.since.nanos() / 1_000_000, it.lasted.nanos() / 1_000_000, it.round_trips))
    };
    assert_eq!(at(10, 450, 9.0), None);
    assert_eq!(at(11, 550, 11.0), Some((550, 550, 11.0)));
    // It ended 80 ms after the last look.
    assert_eq!(at(12, 630, 12.6), Some((550, 630, 12.6)));
    assert_eq!(at(13, 630, 12.6), Some((550, 630, 12.6)));
    // Another one, which is longer.
    assert_eq!(at(50, 700, 14.0), Some((4300, 700, 14.0)));
}
