// SPDX-License-Identifier: MIT OR Apache-2.0
//! Windows that are not used, by RFC 7661 and by the rule of Linux. The expected values of RFC 7661 were computed by
//! hand from its text.

mod common;

use bentpipe_tcp::{AfterIdle, Config, Event, Recovery};
use common::{Halving, MSS, World, config, ms, segments};
use control::Controller;
use units::Time;

/// A window of `window` segments at this round-trip time, with an initial window of 10. The application writes from
/// time to time.
fn writer(rule: AfterIdle, window: u64, rtt_ms: u64) -> World {
    let settings = Config { slow_start_after_idle: rule, initial_window: 10, ..config(Recovery::Sack) };
    let mut world = World::new(&settings, window, segments(1), rtt_ms);
    let (controller, told) = Halving::new(window);
    world.told = told;
    let controller: Box<dyn Controller> = Box::new(controller);
    world.sender = bentpipe_tcp::Sender::new(settings, controller, segments(1), None).writing();
    world.sender.record_events(true);
    world.start();
    world
}

fn write(world: &mut World, at_ms: u64, count: u64) {
    world.write(ms(at_ms), count * u64::from(MSS));
}

/// For each acknowledgement between these times, whether it may increase the window.
fn widening(world: &World, from: Time, to: Time) -> Vec<bool> {
    world.told().acks.iter().filter(|ack| ack.0 >= from && ack.0 < to).map(|ack| ack.2).collect()
}

/// Section 4.4.3. The window of 40 is full at 0, and is acknowledged at 0.1 s. The sample is valid for 1 s (section
/// 4.2: max(3 RTT, 1 s)), so the non-validated phase begins at 1.1 s. Until 301.1 s, the window is constant. Then cwnd
/// = max(40/2, 10), and ssthresh is at least 3/4 of 40. After another five minutes, cwnd = max(20/2, 10). This is the
/// initial window, so the window does not change any more.
#[test]
fn five_minutes_without_use_halve_the_window() {
    for (at, expected) in [
        (301_000, vec![]),
        (301_200, vec![(20, Some(30), None)]),
        (601_200, vec![(20, Some(30), None), (10, Some(15), None)]),
        (3_600_000, vec![(20, Some(30), None), (10, Some(15), None)]),
    ] {
        let mut world = writer(AfterIdle::Rfc7661, 40, 100);
        write(&mut world, 0, 40);
        write(&mut world, at, 1);
        let told: Vec<_> =
            world.told().unused.iter().map(|&(_, cwnd, least, most)| (cwnd, least, most)).collect();
        assert_eq!(told, expected, "a pause until {at} ms");
    }
}

/// Section 4.4: an application that never pauses, but uses only a tenth of the window, also has its window reduced.
#[test]
fn little_use_is_no_use() {
    let mut world = writer(AfterIdle::Rfc7661, 40, 100);
    write(&mut world, 0, 40);
    for at in 1..=310 {
        write(&mut world, 1000 * at, 4);
    }
    let told = world.told().unused.clone();
    // This is the first acknowledgement or segment after 301.1 s.
    assert_eq!(told, [(ms(302_000), 20, Some(30), None)]);
}

/// Sections 4.3 and 4.4. At the start, pipeACK is undefined, so the phase is validated. After a pause, 12 of 40 are
/// used. The phase is then not validated, and no acknowledgement increases the window. When 25 of 40 are used, the
/// phase is validated at the acknowledgement that completes the sample. When the whole window is used after a pause,
/// the window limits the sender. The window may then increase, although the phase is not validated.
#[test]
fn half_of_the_window_or_all_of_it_at_once() {
    let mut world = writer(AfterIdle::Rfc7661, 40, 100);
    write(&mut world, 0, 3);
    write(&mut world, 5_000, 12);
    write(&mut world, 10_000, 25);
    write(&mut world, 15_000, 40);
    world.run(ms(20_000));
    // The first sample, of 3 segments, is complete at the last of three acknowledgements.
    assert_eq!(widening(&world, ms(0), ms(5_000)), [true, true, false]);
    assert_eq!(widening(&world, ms(5_000), ms(10_000)), [false; 12]);
    let burst = widening(&world, ms(10_000), ms(15_000));
    assert_eq!((burst.len(), burst.iter().filter(|may| **may).count(), burst[24]), (25, 1, true));
    assert_eq!(widening(&world, ms(15_000), ms(20_000)), [true; 40]);
    assert!(world.told().unused.is_empty());
}

/// Section 4.2: pipeACK is the largest sample of max(3 RTT, 1 s). With an RTT of 600 ms, the sample of 30 segments is
/// complete at 0.6 s and valid until 2.4 s. With an RTT of 100 ms, the sample of 0.1 s is valid until 1.1 s.
#[test]
fn a_sample_counts_for_three_round_trips() {
    for (rtt, at, validated) in
        [(600, 1_700, true), (600, 1_900, false), (100, 950, true), (100, 1_050, false)]
    {
        let mut world = writer(AfterIdle::Rfc7661, 40, rtt);
        write(&mut world, 0, 30);
        write(&mut world, at, 1);
        world.run(ms(at + 1_000));
        assert_eq!(widening(&world, ms(at), Time::MAX), [validated], "{rtt} ms, {at} ms");
    }
}

/// Section 4.4.1. After a pause (pipeACK is 0), 30 of 40 are sent, and three of them are lost. LossFlightSize is 30, so
/// cwnd = 30/2, although the controller halves the window to 20. At the end, with R = 3, (30 - 3)/2 = 13.5, which is
/// rounded down to 13. After that, pipeACK is undefined, and the standard methods apply immediately.
#[test]
fn congestion_halves_what_was_used() {
    let mut world = writer(AfterIdle::Rfc7661, 40, 100).drop(&[40, 41, 42]);
    write(&mut world, 0, 40);
    write(&mut world, 5_000, 30);
    write(&mut world, 5_500, 5);
    world.run(ms(6_000));
    assert_eq!(world.told().unused, [(ms(5_100), 15, None, Some(15)), (ms(5_200), 13, None, Some(13))]);
    assert_eq!(world.sender.control().cwnd.get(), 13_000);
    assert_eq!(world.sender.control().ssthresh.map(units::Bytes::get), Some(13_000));
    // This applies until the next sample, of 5 segments, is complete.
    assert_eq!(widening(&world, ms(5_600), Time::MAX), [true, true, true, true, false]);
}

/// With the same losses while pipeACK is 40 of 40, or while it is undefined, only RFC 5681 applies.
#[test]
fn congestion_in_the_validated_phase_is_the_controllers() {
    let mut world = writer(AfterIdle::Rfc7661, 40, 100).drop(&[40, 41, 42]);
    write(&mut world, 0, 40);
    write(&mut world, 500, 30);
    world.run(ms(5_000));
    let mut first = writer(AfterIdle::Rfc7661, 40, 100).drop(&[0, 1, 2]);
    write(&mut first, 0, 15);
    first.run(ms(5_000));
    for world in [world, first] {
        assert_eq!((world.sender.stats().episodes, world.told().unused.len()), (1, 0));
        assert_eq!(world.sender.control().cwnd.get(), 20_000);
    }
}

/// Section 4.4.1: a timeout ends the phase, and only RFC 5681 applies to the timeout.
#[test]
fn a_timeout_is_the_controllers() {
    let mut world = writer(AfterIdle::Rfc7661, 40, 100).drop(&[40, 41, 42]);
    write(&mut world, 0, 40);
    write(&mut world, 5_000, 3);
    world.run(ms(8_000));
    assert_eq!((world.sender.stats().timeouts, world.told().unused.len()), (1, 0));
    assert_eq!(world.sender.control().ssthresh.map(units::Bytes::get), Some(20_000));
}

/// Linux, `tcp_cwnd_application_limited()`: an application uses 30 of 80 segments at once, four times a second. The
/// window decreases to the mean of both, 55, once per timeout. If the window is less than twice the used part, slow
/// start considers the window to be in use (`tcp_is_cwnd_limited()`). It therefore grows to 60 again, and then
/// decreases to 45. The bursts do not hide that most of the window is unused.
#[test]
fn the_window_falls_towards_what_bursts_use() {
    let settings = Config { slow_start_after_idle: AfterIdle::Linux, ..config(Recovery::Sack) };
    let mut world = World::new(&settings, 10, segments(1), 100);
    let reno = control::catalogue::build("reno", &[]).expect("there is a Reno");
    world.sender = bentpipe_tcp::Sender::new(settings, reno, segments(1), None).writing();
    world.sender.record_events(true);
    world.start();
    for (at, count) in [(0, 10), (150, 20), (300, 40)] {
        write(&mut world, at, count);
    }
    world.run(ms(420));
    assert_eq!(world.sender.control().cwnd.get(), 80_000);
    for burst in 0..40 {
        write(&mut world, 450 + 250 * burst, 30);
    }
    let fell = world.events.iter().filter_map(|(_, event)| match event {
        Event::Unused { before, after } => Some((*before, *after)),
        _ => None,
    });
    let fell: Vec<_> = fell.collect();
    assert_eq!(fell[..2], [(80.0, 55.0), (60.0, 45.0)]);
    assert!(fell[1..].iter().all(|pair| *pair == (60.0, 45.0)), "{fell:?}");
}
