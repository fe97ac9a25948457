// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loss recovery as the RFCs describe it. The path has a round trip of 100 ms and no queue. The window is full at the
//! start, so transmission `n` of the first window is segment `n`.

mod common;

use bentpipe_tcp::{Config, DelayedAck, Event, Recovery, Sender};
use common::{World, config, ms, segments};
use control::LossVerdict;
use units::Span;

fn episodes(world: &World) -> usize {
    world.told().losses.iter().filter(|loss| loss.2).count()
}

#[test]
fn newreno_repairs_one_hole_per_round_trip() {
    // RFC 6582: three losses in one window cause one halving. Each hole takes one round trip.
    let mut world = World::new(&config(Recovery::NewReno), 20, segments(200), 100).drop(&[0, 5, 10]);
    world.complete();
    assert_eq!(episodes(&world), 1);
    assert_eq!(world.told().exits.len(), 1);
    assert!(world.told().timeouts.is_empty());
    // The third duplicate ACK arrives 100 ms after the first window. After that, one hole is repaired every 100 ms.
    assert_eq!(world.sendings(0), [ms(0), ms(100)]);
    assert_eq!(world.sendings(5), [ms(0), ms(200)]);
    assert_eq!(world.sendings(10), [ms(0), ms(300)]);
    assert_eq!(world.told().exits[0], ms(400));
    assert_eq!(world.sender.stats().retransmitted, 3);
    assert_eq!(world.sender.control().cwnd.get(), 10_000);
}

#[test]
fn newreno_takes_no_duplicate_at_recover_for_a_loss() {
    // RFC 6582, section 3.2, step 2, and section 4. The first half of a window of 40 is lost, and so is the fast
    // retransmit, which is transmission 40. The timeout returns to segment 0. From 20 on, the sender retransmits
    // segments that had arrived. The resulting duplicate ACKs arrive at `recover`, which is 40, and do not show a loss.
    let lost: Vec<u64> = (0..20).chain([40]).collect();
    let config = Config { limited_transmit: false, ..config(Recovery::NewReno) };
    let mut world = World::new(&config, 40, segments(400), 100).drop(&lost);
    world.complete();
    assert_eq!(world.told().timeouts.len(), 1);
    assert!((20..23).all(|seq| world.sendings(seq).len() == 2), "three duplicates");
    assert_eq!(episodes(&world), 1);
}

#[test]
fn sack_repairs_three_holes_in_one_round_trip() {
    let mut world = World::new(&config(Recovery::Sack), 20, segments(200), 100).drop(&[0, 5, 10]);
    world.complete();
    assert_eq!(episodes(&world), 1);
    for seq in [0, 5, 10] {
        assert_eq!(world.sendings(seq), [ms(0), ms(100)], "{seq}");
    }
    assert_eq!(world.told().exits, [ms(200)]);
    assert_eq!(world.sender.stats().retransmitted, 3);
}

#[test]
fn reno_leaves_at_the_next_new_ack() {
    // RFC 5681: the second hole in the window needs three more duplicate ACKs, so there are two halvings.
    let mut world = World::new(&config(Recovery::Reno), 20, segments(200), 100).drop(&[0, 10]);
    world.complete();
    assert_eq!(episodes(&world), 2);
    assert_eq!(world.told().exits[0], ms(200));
    assert_eq!(world.sender.control().cwnd.get(), 5_000);
}

#[test]
fn limited_transmit_sends_on_the_first_two_duplicates() {
    // RFC 3042, with too few segments above the hole for a third duplicate ACK. The window is 3, and segment 0 is lost.
    // At the duplicate ACKs for 1 and 2, segments 3 and 4 are sent. Their duplicate ACKs include the third, so there is
    // no timeout.
    for recovery in [Recovery::Reno, Recovery::NewReno, Recovery::Sack] {
        let on = config(recovery);
        let mut world = World::new(&on, 3, segments(20), 100).drop(&[0]);
        world.complete();
        assert_eq!(world.sendings(3), [ms(100)], "{recovery:?}");
        assert_eq!(world.sendings(4), [ms(100)], "{recovery:?}");
        assert!(world.told().timeouts.is_empty(), "{recovery:?}");

        let off = Config { limited_transmit: false, ..on };
        let mut world = World::new(&off, 3, segments(20), 100).drop(&[0]);
        world.complete();
        // The initial RTO of 1 s applies, because there was no earlier sample.
        assert_eq!(world.told().timeouts.len(), 1, "{recovery:?}");
    }
}

#[test]
fn a_timeout_backs_off_and_restarts_from_one_segment() {
    // The window is 1, and segment 0 is lost three times. Timeouts occur after 1, 2 and 4 s (initial RTO of 1 s, RFC
    // 6298 5.5).
    let mut world = World::new(&config(Recovery::Sack), 1, segments(3), 100).drop(&[0, 1, 2]);
    world.start();
    world.run(ms(20_000));
    assert_eq!(world.told().timeouts, [(ms(1000), 1), (ms(3000), 2), (ms(7000), 3)]);
    assert_eq!(world.sendings(0), [ms(0), ms(1000), ms(3000), ms(7000)]);
    // The timestamp of the ACK identifies the transmission, so the ACK gives a sample and ends the back-off.
    assert_eq!(world.sender.srtt(), Some(Span::from_millis(100)));
    assert!(world.sender.is_complete());
    assert!(world.told().spurious.is_empty());
}

#[test]
fn a_timeout_presumes_all_lost_and_goes_back() {
    // The whole first window of 10 is lost. There is one timeout at 1 s, and then a slow start from one segment.
    let all: Vec<u64> = (0..10).collect();
    let mut world = World::new(&config(Recovery::Sack), 10, segments(10), 100).drop(&all);
    // One segment is sent at 1.0 s, and two at 1.1 s. Up to the threshold of 5, four are sent (window 2+2), and then
    // the rest.
    world.complete();
    assert_eq!(world.told().timeouts, [(ms(1000), 1)]);
    assert_eq!(world.sendings(0), [ms(0), ms(1000)]);
    assert_eq!(world.sendings(1), [ms(0), ms(1100)]);
    assert_eq!(world.sendings(2), [ms(0), ms(1100)]);
    assert_eq!(world.sender.stats().presumed_lost, 10);
    assert_eq!(world.sender.stats().retransmitted, 10);
}

#[test]
fn a_lost_repair_needs_a_timeout_without_rack() {
    // At the first two duplicate ACKs, two new segments are sent (20, 21). Transmission 22 is therefore the repair of
    // segment 0.
    let mut world = World::new(&config(Recovery::Sack), 20, segments(400), 100).drop(&[0, 22]);
    world.complete();
    assert_eq!(world.told().timeouts.len(), 1);
    assert_eq!(world.sendings(0).len(), 3);
}

#[test]
fn rack_finds_a_lost_repair() {
    // RFC 8985: segments that were sent after the repair are delivered, so the repair is lost. There is no timeout.
    let mut world = World::new(&config(Recovery::RackTlp), 20, segments(400), 100).drop(&[0, 22]);
    world.complete();
    assert!(world.told().timeouts.is_empty());
    assert_eq!(world.sendings(0).len(), 3);
    // RFC 5681 section 4.3: the loss of a retransmission is a second indication of congestion, so the window is 20, 10,
    // 5. There is one recovery, which ends once.
    assert_eq!(episodes(&world), 2);
    assert_eq!(world.sender.control().cwnd.get(), 5_000);
    assert_eq!(world.told().exits.len(), 1);
    // The repair is sent at 100 ms. New data are sent in the same round, after the pipe has decreased to 10 segments.
    // Their SACKs arrive at 200 ms. Because no reordering is known, the reordering window is zero in recovery.
    assert_eq!(world.sendings(0)[2], ms(200));
}

#[test]
fn what_is_lost_of_one_window_is_one_event() {
    // Both repairs (transmissions 22 and 23) are lost, which causes one further reduction. The third transmission of
    // segment 0, which is sent after this reduction, is also lost. This causes one more reduction. The window is 20,
    // 10, 5 and 2 segments, because the controller keeps at least two.
    let mut world = World::new(&config(Recovery::RackTlp), 20, segments(400), 100).drop(&[0, 1]);
    world.start();
    world.run(ms(199));
    let repairs: Vec<u64> = (0..).zip(&world.sent).filter(|sent| sent.1.1 < 2).map(|sent| sent.0).collect();
    assert_eq!(repairs.len(), 4, "two originals and two repairs");

    let mut world = World::new(&config(Recovery::RackTlp), 20, segments(400), 100).drop(&[0, 1]);
    world = world.drop(&repairs[2..]);
    world.complete();
    assert_eq!(episodes(&world), 2);
    assert_eq!(world.sender.control().cwnd.get(), 5_000);
    assert_eq!((world.sendings(0).len(), world.sendings(1).len()), (3, 3));

    let third = (0..).zip(&world.sent).filter(|sent| sent.1.1 == 0).nth(2).map(|sent| sent.0);
    let mut world = World::new(&config(Recovery::RackTlp), 20, segments(400), 100).drop(&[0, 1]);
    world = world.drop(&repairs[2..]).drop(&[third.expect("segment 0 was sent three times")]);
    world.complete();
    let cuts: Vec<_> =
        world.told().losses.iter().filter(|loss| loss.2).map(|loss| (loss.0, loss.3)).collect();
    assert_eq!(cuts, [(ms(100), 1), (ms(200), 2), (ms(300), 3)]);
    assert_eq!(world.sender.control().cwnd.get(), 2_000);
    assert_eq!(world.told().exits.len(), 1);
    assert!(world.told().timeouts.is_empty() && world.told().spurious.is_empty());
}

#[test]
fn a_delayed_acknowledgement_is_no_reordering() {
    // Every second segment is acknowledged. Segment 0 waits for its ACK, and segment 1 is lost. When segment 2 arrives,
    // one ACK acknowledges 0 and SACKs 2. If the segments are processed in ascending order (RFC 8985 section 6.2, step
    // 3), there is no reordering, and the third SACK detects the loss immediately. Otherwise, the loss would be
    // detected min_RTT/4 = 25 ms later.
    let delayed_ack = Some(DelayedAck::Every { segments: 2, at_most: Span::from_millis(40) });
    let mut world =
        World::new(&Config { delayed_ack, ..config(Recovery::RackTlp) }, 20, segments(300), 100).drop(&[1]);
    world.complete();
    assert_eq!(world.sendings(1), [ms(0), ms(100)]);
}

#[test]
fn a_link_error_is_repaired_without_an_episode() {
    for recovery in [Recovery::NewReno, Recovery::Sack, Recovery::RackTlp] {
        let (mut controller, told) = common::Halving::new(20);
        controller.verdict = LossVerdict::LinkError;
        let mut world =
            World::with(&config(recovery), controller, told, segments(300), 100, 0).drop(&[0, 45]);
        world.complete();
        // Each loss is judged separately, the window is constant, and sending continues. 300 segments in windows of 20
        // take 15 round trips, and two repairs.
        let losses: Vec<_> = world.told().losses.iter().map(|loss| loss.2).collect();
        assert_eq!(losses, [true, true], "{recovery:?}");
        assert!(world.told().exits.is_empty() && world.told().timeouts.is_empty(), "{recovery:?}");
        assert_eq!(world.sender.control().cwnd.get(), 20_000, "{recovery:?}");
        assert_eq!(world.sender.stats().link_errors, 2);
        assert_eq!(world.sender.stats().episodes, 0);
        let events = world
            .events
            .iter()
            .filter(|e| matches!(e.1, Event::Loss { verdict: Some(LossVerdict::LinkError), .. }));
        assert_eq!(events.count(), 2);
    }
}

#[test]
fn the_pipe_rule_waits_for_half_a_window() {
    // RFC 6675 without PRR, with a window of 20, an ssthresh of 10 and one loss. Two new segments and the repair are
    // sent. No more segments are sent until the pipe is below 10. After the 19 ACKs of the round, 22 - 19 - 1 + 1 = 3
    // segments are in flight, so 7 new segments are sent: 22 to 28.
    let mut world = World::new(&config(Recovery::Sack), 20, segments(100), 100).drop(&[0]);
    world.start();
    world.run(ms(100));
    let round: Vec<u32> = world.sent.iter().filter(|s| s.0 == ms(100)).map(|s| s.1).collect();
    assert_eq!(round, [20, 21, 0, 22, 23, 24, 25, 26, 27, 28]);
}

#[test]
fn prr_spreads_the_same_reduction() {
    // With PRR, the number of segments in the round is the same, but they are sent from the first ACK on.
    let with = Config { prr: Some(true), ..config(Recovery::Sack) };
    let mut world = World::new(&with, 20, segments(100), 100).drop(&[0]);
    world.complete();
    assert_eq!(world.sendings(0), [ms(0), ms(100)]);
    assert_eq!(episodes(&world), 1);
    assert_eq!(world.told().exits, [ms(200)]);
}

#[test]
fn the_smallest_round_trip_is_of_the_newest_segment() {
    // Linux, tcp_clean_rtx_queue(): in an ACK of two segments, the older segment provides the sample of the timeout,
    // and the newer segment provides the sample of the minimum RTT. The second segment is sent 20 ms after the first
    // and is acknowledged with it, so the samples are 120 and 100 ms.
    let delayed = DelayedAck::Every { segments: 2, at_most: Span::from_millis(40) };
    let settings = Config { delayed_ack: Some(delayed), ..config(Recovery::Sack) };
    let mut world = World::new(&settings, 10, segments(1), 100);
    let (controller, _) = common::Halving::new(10);
    world.sender = Sender::new(settings, Box::new(controller), segments(1), None).writing();
    world.start();
    world.write(ms(0), 1000);
    world.write(ms(20), 1000);
    world.run(ms(1000));
    assert_eq!(world.sender.srtt(), Some(Span::from_millis(120)));
    assert_eq!(world.sender.min_rtt(), Some(Span::from_millis(100)));
}
