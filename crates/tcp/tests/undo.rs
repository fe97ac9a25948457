// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reordering and spurious retransmissions: Eifel, DSACK, RACK, tail loss probes.

mod common;

use bentpipe_tcp::{Config, Event, Flags, ReceiveWindow, Recovery};
use common::{Fate, World, config, ms, segments};
use units::Span;

/// One segment arrives 30 ms after the rest of its window.
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
        // Segment 0 is retransmitted at 100 ms. The ACK of the original, at 130 ms, echoes an earlier time.
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
    // The first window of 10 and its first repair are 1.2 s late, because an outage queues packets. The timer expires
    // at 1 s, and the ACKs of the original segments arrive at 1.3 s.
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
    // Segments 0 and 1 are overtaken by more than the time of a repair. The repairs fill the holes, and their
    // timestamps do not show that they were unnecessary. The originals then arrive as duplicates, and RFC 2883 reports
    // both.
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
    // Segments 0 and 10 are lost. The repair of 10 (transmission 23) is 60 ms late. Segment 23 is new data that were
    // sent in recovery (transmission 25). It is therefore found lost and repaired before the episode ends at 260 ms.
    // The missing data then start the second episode. The ACK of the early repair of segment 23 is not the ACK of an
    // original.
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
    // Segment 5 arrives 2 ms late. RACK (RFC 8985) has no tolerance at first, if three segments above the hole are
    // SACKed.
    let mut world = World::new(&config(Recovery::RackTlp), 20, segments(300), 100);
    world.fates.insert(5, Fate::Late(Span::from_millis(2)));
    world.complete();
    assert_eq!(world.sender.stats().retransmitted, 1, "the first one is taken for a loss");

    // If one other segment overtakes a segment, this shows reordering without a loss. From then on, the tolerance is
    // min_RTT/4 = 25 ms. A segment that its whole window overtakes by 20 ms is then not repaired.
    let mut world = World::new(&config(Recovery::RackTlp), 20, segments(300), 100);
    world.fates.insert(18, Fate::Late(Span::from_millis(1)));
    world.fates.insert(45, Fate::Late(Span::from_millis(20)));
    world.complete();
    assert_eq!(world.sender.stats().retransmitted, 0);
    assert!(world.told().losses.is_empty());
}

#[test]
fn a_tail_loss_probe_replaces_a_timeout() {
    // The last two of 40 segments are lost, so no segment above them is SACKed. RFC 8985 section 7: a probe of the last
    // segment is sent after 2 SRTT = 200 ms. Its SACK shows the loss of the other segment.
    let mut world = World::new(&config(Recovery::RackTlp), 20, segments(40), 100).drop(&[38, 39]);
    world.complete();
    assert_eq!(world.sender.stats().tail_probes, 1);
    assert!(world.told().timeouts.is_empty());
    // The segment is sent at 100 ms. The last ACK that restarts the probe timer is the ACK of 37, at 200 ms. The probe
    // is sent at 400 ms, and its SACK arrives at 500 ms.
    assert_eq!(world.sendings(39), [ms(100), ms(400)]);
    assert_eq!(world.sendings(38), [ms(100), ms(500)]);

    let mut without = World::new(&config(Recovery::Sack), 20, segments(40), 100).drop(&[38, 39]);
    without.complete();
    // RTO = 100 + max(200, 4 RTTVAR), counted from the ACK at 200 ms. RTTVAR was initially 50, and has decayed below
    // 50.
    assert_eq!(without.told().timeouts, [(ms(500), 1)]);
}

#[test]
fn a_loss_that_only_the_probe_repaired_is_told() {
    // With a receive window of one segment, segment 5 (sent at 500 ms) is lost. There are no new data for a probe, so
    // segment 5 is sent again 200 ms after the last ACK. Segment 6 is acknowledged without a DSACK, so the loss was
    // real (RFC 8985 section 7.4.2).
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

/// The receiver limits the window to ten segments. One window and all later segments are delayed by 1.2 s.
fn held(config: &Config) -> World {
    let window = ReceiveWindow::Fixed(units::Bytes::new(10_000));
    let mut world = World::new(&Config { receive_window: window, ..config.clone() }, 20, segments(60), 100);
    // The first windows are sent at 0, 100 and 200 ms. Segments that are sent from 200 ms on arrive 1.2 s late.
    world.fates.extend((20..33).map(|tx| (tx, Fate::Late(Span::from_millis(1200)))));
    world.complete();
    world
}

#[test]
fn a_timeout_behind_a_tail_loss_probe_is_undone() {
    // The delay is longer than the timeout. The expected behaviour is that of Linux 6.1 (`data/linux`, a link of rate 0
    // for 0.6 to 3 s, windows of 100 and 300 kB). The last segment is sent again as a probe, and the first segment is
    // sent again at each timeout. The first ACK undoes all reductions.
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
    // RFC 5682, section 3.1: at the first ACK after the timeout, new data are sent. The second ACK acknowledges a
    // segment that was never retransmitted. Without F-RTO, the first window is sent again.
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
    // All segments of the first window are lost, except for its repair, so the timeout is genuine. Slow start then
    // repairs the losses.
    let mut world = World::new(&Config { f_rto: true, ..config(Recovery::Sack) }, 10, segments(30), 100);
    world = world.drop(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    world.complete();
    assert_eq!(world.sender.stats().timeouts, 1);
    assert!(world.told().spurious.is_empty());
    assert_eq!(world.sender.stats().retransmitted, 10);
}

#[test]
fn a_recovery_from_overtaking_forgives_what_it_had_marked() {
    // A path becomes shorter. Of forty segments, 1.2 ms apart, the last twenty overtake the first twenty. Four of the
    // first twenty are overtaken by so much that they count as lost. With timestamps, the ACK of a late segment shows
    // that they are not lost. Without timestamps, nearly all of them are sent again (Linux 6.1, with a path that
    // becomes 80 ms shorter: CUBIC sends 13 again with timestamps, and 65 without).
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
    // RFC 5682, section 3.1, step 1: a timeout during a loss recovery does not start F-RTO. Segment 0 and its repair
    // (transmission 22) are lost. Segments 20 and 21, the last of the transfer, are late. They are reported between the
    // timeout and the ACK of the segment that is sent again at the timeout. During a recovery, these reports prove
    // nothing. Without a recovery (no number of duplicates indicates a loss), the first report is about a segment that
    // was sent before the timeout and never again. The timeout is then spurious (step 3.b).
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
    // RFC 8985, section 6.2, step 2: the echoed timestamp rejects an ACK of an original, "if the connection has
    // timestamps". Without timestamps, the minimum RTT does. Segments 0 and 19, the last segment, are lost. The repair
    // of 0 is sent at 100 ms and is acknowledged at 200 ms, one full round trip later. Segment 19 was sent before this
    // repair, so it is found lost (step 5).
    for timestamps in [true, false] {
        let settings = Config { timestamps, ..config(Recovery::RackTlp) };
        let mut world = World::new(&settings, 20, segments(20), 100).drop(&[0, 19]);
        world.complete();
        assert_eq!(world.sendings(0), [ms(0), ms(100)]);
        assert_eq!(world.sendings(19), [ms(0), ms(200)], "timestamps = {timestamps}");
    }
}
