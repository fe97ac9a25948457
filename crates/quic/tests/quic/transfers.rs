// SPDX-License-Identifier: MIT OR Apache-2.0
//! Transfers over the pipe: with every controller, compared with noq's own controllers, and with tests of the adapter's
//! counters.

use crate::pipe::{DATAGRAM, EPOCH, Factory, Outcome, Path, run, transfer};
use bentpipe_quic::control::catalogue::{self, Value};
use bentpipe_quic::control::{LossVerdict, Overrides, PathChange, PathKind, PathState, SavedPath, Snapshot};
use bentpipe_quic::units::{Bytes, Rate, Span, Time};
use bentpipe_quic::{Counters, Event, EventKind, Hints, Pacing, Setup, Watch};
use noq_proto::PathId;
use noq_proto::congestion::{CubicConfig, NewRenoConfig};
use std::sync::Arc;
use std::time::Duration;

fn setup(name: &str) -> Setup {
    Setup::new(name, &[]).unwrap().epoch(*EPOCH)
}

fn factory(setup: &Setup) -> Factory {
    Arc::new(setup.noq().unwrap())
}

const MEGABYTE: usize = 1_000_000;

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// Makes a transfer with a watch. Returns its outcome, counters and events.
fn watched(path: &Path, setup: Setup, bytes: usize) -> (Outcome, Counters, Vec<Event>) {
    let watch = Watch::recording();
    let outcome = transfer(path, factory(&setup.watch(watch.clone())), bytes);
    let mut events = Vec::new();
    watch.take_events(&mut events);
    (outcome, watch.counters().unwrap(), events)
}

fn hints() -> Hints {
    let propagation_rtt = Some(Span::from_millis(50));
    Hints::new(PathState { propagation_rtt, distance_m: Some(5e6), ..PathState::default() })
}

/// At 10 Mbit/s, 1 MB takes 0.8 s. One round trip for the handshake, and half a round trip to the client, precede it.
#[test]
fn every_controller_that_noq_can_run_delivers_a_megabyte() {
    let path = Path::of(50).with_rate(10, 1.0);
    let mut delivered = 0;
    for entry in catalogue::entries() {
        let Ok(factory) = setup(entry.name).hints(hints()).noq() else { continue };
        let outcome = transfer(&path, Arc::new(factory), MEGABYTE);
        let done = outcome.done.unwrap_or_else(|| panic!("{}: {} of {MEGABYTE}", entry.name, outcome.read));
        assert!(done > ms(875), "{}: {done:?}", entry.name);
        assert!(done < ms(4_000), "{}: {done:?}", entry.name);
        delivered += 1;
    }
    assert_eq!(delivered, 42);
}

/// noq's own controllers are an independent implementation of the same RFCs. They set no rate, so ours are also paced
/// by noq.
fn beside(name: &str, theirs: Factory) -> (Outcome, Outcome) {
    let path = Path::of(100).losing([150, 600, 601, 1_800, 2_900]);
    let ours = transfer(&path, factory(&setup(name).pacing(Pacing::Library)), 5 * MEGABYTE);
    let theirs = transfer(&path, theirs, 5 * MEGABYTE);
    assert_eq!((ours.lost, theirs.lost), (5, 5));
    (ours, theirs)
}

/// Returns the largest difference of the windows in datagrams, at these times.
fn difference(one: &Outcome, other: &Outcome, times: impl Iterator<Item = u64>) -> f64 {
    let apart = times.map(|at| one.window_at(ms(at)).abs_diff(other.window_at(ms(at))));
    apart.max().unwrap() as f64 / DATAGRAM as f64
}

/// Returns the windows up to and including the first reduction.
fn first_windows(outcome: &Outcome) -> &[(Duration, u64)] {
    let reduced = outcome.windows.windows(2).position(|pair| pair[1].1 < pair[0].1).unwrap();
    &outcome.windows[..=reduced + 1]
}

/// In slow start and at the first reduction, both windows are exactly equal. Afterwards, noq adds whole datagrams and
/// follows RFC 8312 in part. Our controller follows RFC 9438.
#[test]
fn cubic_beside_that_of_noq() {
    let (ours, theirs) = beside("cubic", Arc::new(CubicConfig::default()));
    assert_eq!(first_windows(&ours), first_windows(&theirs));
    assert!(first_windows(&ours).len() > 50);
    let apart = difference(&ours, &theirs, (100..2_400).step_by(100));
    assert!(apart < 6.5, "{apart}");
}

/// noq's NewReno does not count bytes that were sent at the instant of the start (450 bytes of the handshake), and adds
/// whole datagrams.
#[test]
fn reno_beside_that_of_noq() {
    let (ours, theirs) = beside("reno", Arc::new(NewRenoConfig::default()));
    let apart = difference(&ours, &theirs, (100..4_000).step_by(100));
    assert!(apart < 2.5, "{apart}");
}

#[test]
fn the_same_transfer_twice_and_watched() {
    let path = Path::of(50).with_rate(10, 0.5);
    let once = transfer(&path, factory(&setup("bbr1").seed(3)), MEGABYTE);
    assert_eq!(once, transfer(&path, factory(&setup("bbr1").seed(3)), MEGABYTE));
    assert_eq!(once, watched(&path, setup("bbr1").seed(3), MEGABYTE).0);
    assert!(once.lost > 0);
}

/// noq's connection and the pipe have independent counters.
#[test]
fn counters_agree_with_the_library_and_the_path() {
    let path = Path::of(50).with_rate(10, 0.5);
    let watch = Watch::recording();
    let mut smoothed = Vec::new();
    let outcome = run(&path, factory(&setup("cubic").watch(watch.clone())), MEGABYTE, |_, connection| {
        let state = watch.state().unwrap();
        if let Some(srtt) = state.srtt {
            let theirs = connection.rtt(PathId::ZERO).unwrap();
            smoothed.push((srtt.secs_f64() - theirs.as_secs_f64()).abs());
        }
        assert_eq!(state.control.cwnd.get(), connection.congestion_state(PathId::ZERO).unwrap().window());
    });
    let (counters, state) = (watch.counters().unwrap(), watch.state().unwrap());
    assert_eq!(counters.lost.packets, outcome.lost);
    assert_eq!(counters.unknown, 0);
    assert!(counters.sent.packets >= outcome.datagrams);
    // Bytes that are neither delivered nor lost are in flight, or left the flight when the keys of the handshake were
    // discarded.
    let open = counters.sent.bytes - counters.delivered.bytes - counters.lost.bytes;
    let in_flight = state.in_flight.get();
    assert!((in_flight..in_flight + 3 * DATAGRAM).contains(&open), "{open} {in_flight}");
    // The book does not know the delay of the newest ACK. Therefore the values differ by up to an eighth of the largest
    // ACK delay (25 ms).
    let apart = smoothed.iter().copied().fold(0.0, f64::max);
    assert!(apart <= 0.025 / 8.0 + 1e-9, "{apart}");
    assert_eq!(state.min_rtt.unwrap().nanos() / 1_000_000, 50);
    let mut events = Vec::new();
    watch.take_events(&mut events);
    let losses = events.iter().filter(|event| matches!(event.kind, EventKind::Loss { .. })).count() as u64;
    let cuts = events.iter().filter(|event| matches!(event.kind, EventKind::Cut { .. })).count() as u64;
    assert_eq!((losses, cuts), (counters.lost.packets, counters.cuts));
    assert_eq!(counters.episodes, counters.cuts);
    assert!(events.is_sorted_by_key(|event| event.at));
}

fn named(snapshot: &Snapshot, name: &str) -> f64 {
    snapshot.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("{name}: {snapshot:?}")).1
}

/// The rate of the path is the expected value. A sample is smaller if no packet waited or if the application limited
/// sending.
#[test]
fn bbr_measures_the_rate_of_the_path() {
    let watch = Watch::new();
    let path = Path::of(100).with_rate(20, 2.0);
    let outcome = transfer(&path, factory(&setup("bbr1").watch(watch.clone())), 5 * MEGABYTE);
    let snapshot = watch.snapshot();
    let rate = named(&snapshot, "max_bandwidth_mbit_s");
    assert!((rate - 20.0).abs() < 1e-6, "{rate}");
    assert!(outcome.done.unwrap() < ms(2_700));
}

/// Reno on a path without limits: a round takes one RTT. In slow start, the window doubles in each round (RFC 5681,
/// section 3.1).
#[test]
fn rounds_are_round_trips() {
    let watch = Watch::new();
    let path = Path::of(100);
    run(&path, factory(&setup("reno").watch(watch.clone())), 5 * MEGABYTE, |elapsed, _| {
        let rounds = watch.state().unwrap().round;
        let most = elapsed.as_millis() as u64 / 100;
        assert!(rounds <= most + 1, "{rounds} rounds after {elapsed:?}");
        assert!(rounds + 2 >= most, "{rounds} rounds after {elapsed:?}");
    });
}

fn kinds(events: &[Event]) -> Vec<EventKind> {
    let of_interest =
        |kind: &EventKind| !matches!(kind, EventKind::Phase(_) | EventKind::Idle(_) | EventKind::AppLimited);
    events.iter().map(|event| event.kind).filter(of_interest).collect()
}

/// A datagram that arrives late is declared lost. When it is acknowledged, the reduction is undone.
#[test]
fn a_spurious_loss_is_undone() {
    let mut path = Path::of(100);
    path.late.insert(300, ms(20));
    let (outcome, counters, events) = watched(&path, setup("reno"), MEGABYTE);
    assert_eq!((counters.spurious, counters.episodes, counters.lost.packets), (1, 1, 1));
    assert_eq!(outcome.spurious, 1);
    let found = kinds(&events);
    let [
        EventKind::Loss { verdict: Some(LossVerdict::Congestion), .. },
        EventKind::Cut { before, after },
        EventKind::Recovered,
        EventKind::Spurious,
    ] = found[..]
    else {
        panic!("{found:?}")
    };
    assert_eq!(after.get(), before.get() / 2);
    let spurious = events.iter().find(|event| event.kind == EventKind::Spurious).unwrap();
    let at = Duration::from_nanos(spurious.at.nanos());
    assert!(outcome.window_at(at + ms(1)) >= before.get());
}

/// RFC 9002, section 7.1: there is one reduction per round trip, for any number of ACKs with marks. RFC 5681: the
/// reduction is to half.
#[test]
fn marks_reduce_once_in_a_round_trip() {
    let mut path = Path::of(100);
    path.marked.extend([300, 305, 310]);
    let (outcome, counters, events) = watched(&path, setup("reno"), MEGABYTE);
    assert_eq!((counters.ecn_cuts, counters.cuts, counters.lost.packets), (1, 1, 0));
    assert!(counters.marked_acks >= 2, "{counters:?}");
    let found = kinds(&events);
    let [EventKind::Marked, EventKind::Cut { before, after }, EventKind::Recovered] = found[..] else {
        panic!("{found:?}")
    };
    assert_eq!(after.get(), before.get() / 2);
    assert_eq!(outcome.lost, 0);
}

/// RFC 9002, section 7.6.2: the window becomes the minimum window, which is two datagrams (section 7.2).
#[test]
fn persistent_congestion_leaves_two_datagrams() {
    let path = Path::of(100).losing(200..420);
    let (outcome, counters, events) = watched(&path, setup("reno"), MEGABYTE);
    assert_eq!(counters.persistent_congestions, 1);
    let after = kinds(&events).into_iter().find_map(|kind| match kind {
        EventKind::PersistentCongestion { after, .. } => Some(after),
        _ => None,
    });
    assert_eq!(after, Some(Bytes::new(2 * DATAGRAM)));
    assert!(outcome.done.is_some());
}

/// RFC 9959, section 3.3: the window jumps to half of the saved window.
#[test]
fn careful_resume_jumps_to_half_of_what_was_saved() {
    let path = Path::of(600).with_rate(20, 1.0);
    let resume = [("careful_resume", Value::Flag(true))];
    let watch = Watch::new();
    let first = Setup::new("cubic", &resume).unwrap().epoch(*EPOCH).watch(watch.clone());
    let without = transfer(&path, factory(&first), 10 * MEGABYTE);
    let saved = watch.state().unwrap().saved().unwrap();
    // The path holds 1.5 MB, and the queue holds the same amount.
    assert!((1_000_000..=3_100_000).contains(&saved.cwnd.get()), "{saved:?}");
    assert!(saved.rtt >= Span::from_millis(600) && saved.rtt < Span::from_millis(610), "{saved:?}");
    let saved = SavedPath { cwnd: Bytes::new(1_200_000), age: Span::from_secs(1), ..saved };
    let again = Setup::new("cubic", &resume).unwrap().epoch(*EPOCH).saved_path(Some(saved));
    let with = transfer(&path, factory(&again), 2 * MEGABYTE);
    let jump = with.windows.iter().map(|(_, window)| *window).find(|window| *window > 100_000);
    assert_eq!(jump, Some(600_000));
    let same = transfer(&path, factory(&first), 2 * MEGABYTE);
    assert!(with.done.unwrap() + ms(1_200) < same.done.unwrap(), "{:?} {:?}", with.done, same.done);
    assert!(without.done.is_some());
}

/// The rates in bytes per second that the library gets after two round trips.
#[test]
fn pacing_is_the_controllers_the_librarys_or_none() {
    let rate = |pacing| {
        let mut rate = None;
        run(&Path::of(100), factory(&setup("reno").pacing(pacing)), MEGABYTE, |elapsed, connection| {
            if elapsed > ms(300) && rate.is_none() {
                let metrics = connection.congestion_state(PathId::ZERO).unwrap().metrics();
                rate = Some((metrics.pacing_rate, metrics.congestion_window));
            }
        });
        rate.unwrap()
    };
    // Two windows per smoothed RTT (Linux, tcp_pacing_ss_ratio). The RTT is constant.
    let (Some(given), window) = rate(Pacing::Controller) else { panic!("no rate") };
    assert!((given as f64 / (window as f64 * 2.0 / 0.1) - 1.0).abs() < 0.01, "{given} {window}");
    assert_eq!(rate(Pacing::Library).0, None);
    assert_eq!(rate(Pacing::Off).0, Some(1_000_000_000));
}

#[test]
fn commands_from_outside_hold_until_they_are_withdrawn() {
    let watch = Watch::new();
    assert!(watch.state().is_none() && !watch.command(Overrides::default()));
    let path = Path::of(100);
    let commanded = Overrides {
        cwnd: Some(Bytes::new(24_000)),
        pacing: Some(Rate::from_bits_per_s(4_000_000)),
        ..Overrides::default()
    };
    let mut before = None;
    run(&path, factory(&setup("reno").watch(watch.clone())), 2 * MEGABYTE, |elapsed, connection| {
        let window = || connection.congestion_state(PathId::ZERO).unwrap().metrics();
        if elapsed > ms(400) && before.is_none() {
            before = Some(window().congestion_window);
            watch.command(commanded);
        }
        if (ms(401)..ms(900)).contains(&elapsed) {
            assert_eq!((window().congestion_window, window().pacing_rate), (24_000, Some(500_000)));
        }
        if elapsed > ms(900) && watch.state().unwrap().control.cwnd == Bytes::new(24_000) {
            watch.command(Overrides::default());
            assert_eq!(Some(window().congestion_window), before);
        }
    });
    assert!(before.is_some());
}

#[test]
fn a_change_of_the_path_is_heard() {
    let (watch, hints) = (Watch::recording(), hints());
    let setup = setup("starquic").hints(hints.clone()).watch(watch.clone());
    let at = Time::from_nanos(600_000_000);
    let mut announced = false;
    run(&Path::of(100), factory(&setup), MEGABYTE, |elapsed, _| {
        if elapsed > ms(300) && !std::mem::replace(&mut announced, true) {
            hints.announce(PathChange {
                now: Time::ZERO,
                at,
                uncertainty: Span::ZERO,
                lasts: None,
                kind: PathKind::Handover,
                after: PathState::default(),
            });
        }
    });
    let mut events = Vec::new();
    watch.take_events(&mut events);
    let heard: Vec<_> = events.iter().filter(|event| matches!(event.kind, EventKind::Path { .. })).collect();
    let [Event { at: heard_at, kind }] = heard[..] else { panic!("{heard:?}") };
    assert_eq!(*kind, EventKind::Path { kind: PathKind::Handover, at });
    assert!((0.3..0.4).contains(&heard_at.secs_f64()), "{heard_at:?}");
}
