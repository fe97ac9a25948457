// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reordering and spurious retransmissions: Eifel, DSACK, RACK, tail loss probes.

mod common;

use bentpipe_tcp::{Config, Event, Flags, ReceiveWindow, Recovery};
use common::{Fate, World, config, ms, segments};
use units::Span;

/// One segment overtaken by the rest of its window, by 30 ms.
fn late(config: &Config) -> World {
    let mut world = World::new(config, 20, segments(300), 100);
    world.fates.insert(0, Fate::Late(Span::from_millis(30)));
    world
}

#[test]
fn eifel_takes_a_spurious_fast_retransmit_back() {
    for recovery in [Recovery::NewReno, Recovery::Sack] {
        let mut world = late(&config(recovery));
        world.complete();
        // Segment 0 is sent again at 100 ms; the ACK of the first one, at 130 ms, echoes a time before that.
        assert_eq!(world.sendings(0), [ms(0), ms(100)], "{recovery:?}");
        assert_eq!(world.told().spurious, [1], "{recovery:?}");
        assert!(world.events.contains(&(ms(130), Event::Spurious)), "{recovery:?}");
        assert_eq!(world.sender.control().cwnd.get(), 20_000, "{recovery:?}");
        assert_eq!(world.sender.stats().spurious, 1);
        assert_eq!(world.receiver.stats().duplicates, 1);
    }
}

#[test]
fn without_undo_the_window_stays_halved() {
    let mut world = late(&Config { undo: false, ..config(Recovery::Sack) });
    world.complete();
    assert!(world.told().spurious.is_empty());
    assert_eq!(world.sender.control().cwnd.get(), 10_000);
}

#[test]
fn eifel_takes_a_spurious_timeout_back() {
    // The first window of 10 and its first repair are 1.2 s late (an outage that buffers): the timer fires at 1 s,
    // the ACKs of the first sending come at 1.3 s.
    for recovery in [Recovery::Reno, Recovery::NewReno, Recovery::Sack] {
        let mut world = World::new(&config(recovery), 10, segments(100), 100);
        world.fates.extend((0..11).map(|tx| (tx, Fate::Late(Span::from_millis(1200)))));
        world.complete();
        assert_eq!(world.sender.stats().timeouts, 1, "{recovery:?}");
        assert_eq!(world.told().spurious.len(), 1, "{recovery:?}");
        assert_eq!(world.sender.control().cwnd.get(), 10_000, "{recovery:?}");
    }
}

#[test]
fn dsack_takes_back_what_eifel_cannot_see() {
    // Segments 0 and 1 are overtaken by more than a repair takes: the repairs fill the holes (their timestamps say
    // nothing), then the originals arrive as duplicates, and RFC 2883 reports both.
    let mut world = World::new(&config(Recovery::Sack), 20, segments(300), 100);
    world.fates.insert(0, Fate::Late(Span::from_millis(160)));
    world.fates.insert(1, Fate::Late(Span::from_millis(170)));
    world.complete();
    assert_eq!(world.told().exits, [ms(200)]);
    let dsacks: Vec<_> =
        world.acks.iter().filter(|ack| ack.flags.has(Flags::DSACK)).map(|ack| ack.sack[0]).collect();
    assert_eq!(dsacks, [[0, 1], [1, 2]]);
    assert!(world.events.contains(&(ms(270), Event::Spurious)));
    assert_eq!(world.told().spurious, [1]);
    assert_eq!(world.sender.control().cwnd.get(), 20_000);
}

#[test]
fn a_real_loss_is_not_undone() {
    let mut world = World::new(&config(Recovery::Sack), 20, segments(300), 100).drop(&[0, 3, 7]);
    world.complete();
    assert!(world.told().spurious.is_empty());
    assert_eq!(world.sender.control().cwnd.get(), 10_000);
}

#[test]
fn an_episode_on_top_of_repairs_is_not_undone() {
    // Segments 0 and 10 are lost; the repair of 10 (transmission 23) is 60 ms late, so that segment 23, new data
    // sent in recovery (transmission 25), is found lost and repaired before the episode ends at 260 ms. What is
    // still missing then opens the second episode, and the ACK of its early repair is not one of an original.
    let mut world = World::new(&config(Recovery::Sack), 20, segments(300), 100).drop(&[0, 10, 25]);
    world.fates.insert(23, Fate::Late(Span::from_millis(60)));
    world.complete();
    assert_eq!(world.sendings(10), [ms(0), ms(100)]);
    assert_eq!(world.sendings(23), [ms(100), ms(200)]);
    let opened: Vec<_> = world.told().losses.iter().filter(|loss| loss.2).map(|loss| loss.0).collect();
    assert_eq!(opened, [ms(100), ms(260)]);
    assert!(world.told().spurious.is_empty());
}

#[test]
fn rack_waits_for_a_reordered_segment() {
    // Segment 5 comes 2 ms late. RACK (RFC 8985) starts without tolerance once three segments above are SACKed.
    let mut world = World::new(&config(Recovery::RackTlp), 20, segments(300), 100);
    world.fates.insert(5, Fate::Late(Span::from_millis(2)));
    world.complete();
    assert_eq!(world.sender.stats().retransmitted, 1, "the first one is taken for a loss");

    // A segment overtaken by one other shows reordering without a loss; from then on the tolerance is min_RTT/4 =
    // 25 ms, and a segment overtaken by its whole window by 20 ms is left alone.
    let mut world = World::new(&config(Recovery::RackTlp), 20, segments(300), 100);
    world.fates.insert(18, Fate::Late(Span::from_millis(1)));
    world.fates.insert(45, Fate::Late(Span::from_millis(20)));
    world.complete();
    assert_eq!(world.sender.stats().retransmitted, 0);
    assert!(world.told().losses.is_empty());
}

#[test]
fn a_tail_loss_probe_replaces_a_timeout() {
    // The last two of 40 segments are lost: nothing above them is SACKed. RFC 8985 section 7: a probe of the last
    // one after 2 SRTT = 200 ms, and its SACK shows the other.
    let mut world = World::new(&config(Recovery::RackTlp), 20, segments(40), 100).drop(&[38, 39]);
    world.complete();
    assert_eq!(world.sender.stats().tail_probes, 1);
    assert!(world.told().timeouts.is_empty());
    // Sent at 100 ms; the last ACK that re-arms the probe is that of 37, at 200 ms: probe at 400 ms, SACK at 500 ms.
    assert_eq!(world.sendings(39), [ms(100), ms(400)]);
    assert_eq!(world.sendings(38), [ms(100), ms(500)]);

    let mut without = World::new(&config(Recovery::Sack), 20, segments(40), 100).drop(&[38, 39]);
    without.complete();
    // RTO = 100 + max(200, 4 RTTVAR) counted from the ACK at 200 ms; RTTVAR halves of 50 have decayed below 50.
    assert_eq!(without.told().timeouts, [(ms(500), 1)]);
}

#[test]
fn a_loss_that_only_the_probe_repaired_is_told() {
    // A receiver's window of one segment: segment 5 (sent at 500 ms) is lost, there is no new data to probe with, so
    // it is sent again 200 ms after the last ACK; when segment 6 is acknowledged without a DSACK, the loss was real
    // (RFC 8985 section 7.4.2).
    let config =
        Config { receive_window: ReceiveWindow::Fixed(units::Bytes::new(1000)), ..config(Recovery::RackTlp) };
    let mut world = World::new(&config, 20, segments(10), 100).drop(&[5]);
    world.complete();
    assert_eq!(world.sendings(5), [ms(500), ms(700)]);
    assert_eq!(world.told().losses, [(ms(900), 1, true, 1)]);
    assert_eq!(world.told().exits, [ms(900)]);
    assert!(world.told().timeouts.is_empty());
    assert_eq!(world.sender.stats().lost, 1);
}

/// A window of ten segments that the receiver bounds, held for 1.2 s with everything behind it.
fn held(config: &Config) -> World {
    let window = ReceiveWindow::Fixed(units::Bytes::new(10_000));
    let mut world = World::new(&Config { receive_window: window, ..config.clone() }, 20, segments(60), 100);
    // The first windows leave at 0, 100 and 200 ms; what leaves from 200 ms on arrives 1.2 s late.
    world.fates.extend((20..33).map(|tx| (tx, Fate::Late(Span::from_millis(1200)))));
    world.complete();
    world
}

#[test]
fn a_timeout_behind_a_tail_loss_probe_is_undone() {
    // A hold longer than the timer. Linux 6.1 (`data/linux`, a link of rate 0 for 0.6 to 3 s, windows of 100 and 300 kB): the
    // last segment leaves again as a probe, the first one at each timeout, and the first ACK undoes it all.
    let world = held(&config(Recovery::RackTlp));
    let stats = world.sender.stats();
    assert_eq!(stats.tail_probes, 1);
    assert!(stats.timeouts >= 1);
    assert_eq!(stats.retransmitted, 1 + stats.timeouts, "the probe and one per timeout");
    assert_eq!(stats.spurious, 1);
    assert_eq!(world.sender.control().cwnd.get(), 20_000);
}

#[test]
fn f_rto_tells_a_spurious_timeout_without_timestamps() {
    // RFC 5682, section 3.1: the first ACK after the timeout lets new data out, and the second acknowledges a segment that was
    // never sent again. Without F-RTO the first window is sent again.
    let late = |f_rto| {
        let settings = Config { timestamps: false, f_rto, ..config(Recovery::Sack) };
        let mut world = World::new(&settings, 10, segments(100), 100);
        world.fates.extend((0..11).map(|tx| (tx, Fate::Late(Span::from_millis(1200)))));
        world.complete();
        let stats = *world.sender.stats();
        assert_eq!(stats.timeouts, 1);
        (stats.retransmitted, stats.spurious, world.sender.control().cwnd.get())
    };
    assert_eq!(late(true), (1, 1, 10_000));
    let (again, _, _) = late(false);
    assert!(again >= 5, "{again} segments");
}

#[test]
fn f_rto_believes_a_timeout_after_which_nothing_old_comes() {
    // All of the first window is lost but its repair: a real timeout, from which slow start repairs.
    let mut world = World::new(&Config { f_rto: true, ..config(Recovery::Sack) }, 10, segments(30), 100);
    world = world.drop(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    world.complete();
    assert_eq!(world.sender.stats().timeouts, 1);
    assert!(world.told().spurious.is_empty());
    assert_eq!(world.sender.stats().retransmitted, 10);
}

#[test]
fn a_recovery_from_overtaking_forgives_what_it_had_marked() {
    // A path becomes shorter: of forty segments, 1.2 ms apart, the last twenty overtake the first twenty, four of them by so much
    // that they count as lost. With timestamps the ACK of a late one tells that they are not; without, nearly all of them leave
    // again (Linux 6.1, 80 ms shorter: CUBIC 13 with, 65 without).
    let again = |timestamps| {
        let settings = Config { timestamps, ..config(Recovery::RackTlp) };
        let mut world = World::new(&settings, 40, segments(400), 100);
        let spaced = |tx: u64, late_us: u64| Fate::Late(Span::from_micros(late_us + 1200 * tx));
        world.fates.extend((0..20).map(|tx| (40 + tx, spaced(tx, 6000))));
        world.fates.extend((0..4).map(|tx| (60 + tx, spaced(tx, 0))));
        world.fates.extend((4..20).map(|tx| (60 + tx, spaced(tx, 24_000))));
        world.complete();
        world.sender.stats().retransmitted
    };
    assert!(again(true) <= 2, "{}", again(true));
    assert!(again(false) >= 15, "{}", again(false));
}

#[test]
fn f_rto_is_not_for_a_timeout_in_a_repair() {
    // RFC 5682, section 3.1, step 1: a timeout in a loss recovery begins no F-RTO. Segment 0 is lost and so is its repair
    // (transmission 22); 20 and 21, the last of the transfer, are late, and are reported between the timeout and the ACK
    // of the segment that it sends again. In the recovery that proves nothing. Without one (no number of duplicates means a
    // loss) the first of the reports is of what left before the timeout and never again: spurious (step 3.b).
    for (dup_thresh, late, timeout, spurious) in [(3, 280, 400, 0), (1000, 880, 1000, 1)] {
        let settings = Config { timestamps: false, f_rto: true, dup_thresh, ..config(Recovery::Sack) };
        let mut world = World::new(&settings, 20, segments(22), 100).drop(&[0]);
        if dup_thresh == 3 {
            world = world.drop(&[22]);
        }
        let late = Fate::Late(Span::from_millis(late));
        world.fates.extend([(20, late), (21, late)]);
        world.complete();
        assert_eq!(world.sendings(20)[0], ms(100));
        assert_eq!(world.told().timeouts, [(ms(timeout), 1)]);
        assert_eq!(world.told().spurious.len(), spurious, "{dup_thresh}");
    }
}

#[test]
fn rack_needs_no_timestamps() {
    // RFC 8985, section 6.2, step 2: the echo rejects an ACK of an original, "if the connection has timestamps"; otherwise the
    // smallest RTT does. Segments 0 and 19, the last, are lost. The repair of 0 leaves at 100 ms and is acknowledged at 200 ms,
    // a whole round trip later; segment 19 left before it, and is lost in time (step 5).
    for timestamps in [true, false] {
        let settings = Config { timestamps, ..config(Recovery::RackTlp) };
        let mut world = World::new(&settings, 20, segments(20), 100).drop(&[0, 19]);
        world.complete();
        assert_eq!(world.sendings(0), [ms(0), ms(100)]);
        assert_eq!(world.sendings(19), [ms(0), ms(200)], "timestamps = {timestamps}");
    }
}
