// SPDX-License-Identifier: MIT OR Apache-2.0
//! Complete transfers: completion, limits, rules of acknowledgement, pacing, samples, and the wrap of sequence numbers.

mod common;

use bentpipe_tcp::{
    Config, DelayedAck, Event, Flags, ReceiveWindow, Receiver, Recovery, Segment, Transfer, Trickle,
};
use common::{Halving, MSS, World, config, ms, segments};
use control::Limit;
use units::{Bytes, Rate, Span, Time};

#[test]
fn a_window_per_round_trip() {
    // 40 segments in windows of 10 take four round trips of 100 ms.
    let mut world = World::new(&config(Recovery::Sack), 10, segments(40), 100);
    assert_eq!(world.complete(), ms(400));
    assert_eq!(world.sender.stats().sent, 40);
    assert_eq!(world.receiver.stats().delivered, 40);
    assert_eq!(world.told().rounds, 4);
    assert_eq!(world.sender.srtt(), Some(Span::from_millis(100)));
}

#[test]
fn the_last_segment_may_be_short() {
    let mut world = World::new(&config(Recovery::Sack), 10, Transfer::Finite(Bytes::new(12_345)), 100);
    assert_eq!(world.complete(), ms(200));
    assert_eq!(world.receiver.stats().delivered, 13);
    assert_eq!(world.receiver.stats().delivered_bytes, 12_345);
    assert_eq!(world.sender.stats().sent_bytes, 12_345);
    assert_eq!(world.sender.stats().delivered_bytes, 12_345);
    assert!(world.events.iter().any(|(at, event)| *at == ms(200) && *event == Event::Complete));
}

/// Windows of ten segments are sent at 0 and 100 ms. From 150 ms on, the application writes a segment of 1000 bytes
/// every 10 ms. Five segments therefore wait when the ACKs arrive at 200 ms. 100 ms later, all remaining data have been
/// written.
#[test]
fn an_application_that_becomes_slow() {
    let trickle = Some(Trickle {
        rate: Rate::from_bits_per_s(800_000),
        begins: Span::from_millis(150),
        lasts: Span::from_millis(100),
    });
    let mut world = World::new(&Config { trickle, ..config(Recovery::Sack) }, 10, Transfer::Endless, 100);
    world.start();
    world.run(ms(299));
    let leaves: Vec<_> = world.sent.iter().map(|(at, _)| *at).collect();
    let mut expected = [vec![ms(0); 10], vec![ms(100); 10], vec![ms(200); 5]].concat();
    expected.extend([210, 220, 230, 240].map(ms));
    expected.push(ms(250)); // the tenth, and with it nothing more fits into the window of ten
    assert_eq!(leaves, expected);
}

#[test]
fn an_empty_transfer_is_complete_at_once() {
    let mut world = World::new(&config(Recovery::Sack), 10, Transfer::Finite(Bytes::ZERO), 100);
    assert_eq!(world.complete(), ms(0));
    assert!(world.sent.is_empty());
    assert_eq!(world.sender.next_timeout(), Time::MAX);
}

#[test]
fn a_stopped_sender_repairs_what_is_outstanding() {
    let mut world = World::new(&config(Recovery::Sack), 10, Transfer::Endless, 100).drop(&[12]);
    world.start();
    world.run(ms(100));
    world.sender.stop(ms(100));
    world.run(ms(5000));
    assert_eq!(world.receiver.stats().delivered, 20);
    assert_eq!(world.sendings(12).len(), 2);
    assert_eq!(world.sender.in_flight_segments(), 0);
    assert_eq!(world.sender.next_timeout(), Time::MAX);
}

#[test]
fn numbers_beyond_32_bits() {
    // The transfer starts 50 segments below 2^32. Losses and SACK blocks occur across the wrap.
    for recovery in [Recovery::Sack, Recovery::NewReno, Recovery::RackTlp] {
        let (controller, told) = Halving::new(40);
        let first = (1 << 32) - 50;
        let mut world = World::with(&config(recovery), controller, told, segments(300), 100, first);
        world = world.drop(&[20, 49, 50]);
        world.complete();
        assert_eq!(world.receiver.stats().delivered, 300, "{recovery:?}");
        assert_eq!(world.receiver.stats().delivered_bytes, 300_000, "{recovery:?}");
        assert!(world.told().timeouts.is_empty(), "{recovery:?}");
    }
}

#[test]
fn the_receivers_window_limits_and_is_told() {
    // With a receive window of 5 segments and a congestion window of 20, 5 segments are sent per round trip.
    let narrow = Config {
        receive_window: ReceiveWindow::Fixed(Bytes::new(5 * u64::from(MSS))),
        ..config(Recovery::Sack)
    };
    let mut world = World::new(&narrow, 20, segments(50), 100);
    assert_eq!(world.complete(), ms(1000));
    assert!(world.told().limited.contains(&Limit::Receiver));
    // The congestion window is never the limit, so a controller must not grow.
    assert!(world.told().acks.iter().all(|ack| !ack.2));
}

#[test]
fn the_congestion_window_is_told_to_limit() {
    let mut world = World::new(&config(Recovery::Sack), 10, segments(100), 100);
    world.complete();
    assert!(world.told().acks.iter().all(|ack| ack.2));
    // The end of the application's data is reported once.
    assert_eq!(world.told().limited, [Limit::Application]);
}

#[test]
fn delayed_acknowledgements() {
    // RFC 5681 section 4.2: every second segment is acknowledged, and a single segment is acknowledged after 40 ms.
    let delayed = Some(DelayedAck::Every { segments: 2, at_most: Span::from_millis(40) });
    let config = Config { delayed_ack: delayed, ..config(Recovery::Sack) };
    let mut receiver = Receiver::new(&config);
    let mut arrives = |at: u64, seq: u32| {
        receiver.handle_timeout(ms(at));
        receiver.handle(ms(at), &Segment { seq, len: MSS, timestamp: ms(at - 1), ..Segment::default() });
        let ack = receiver.poll_transmit(ms(at)).map(|ack| (ack.seq, ack.timestamp));
        (ack, receiver.next_timeout())
    };
    // The second segment causes the ACK, which echoes the timestamp of the first segment (RFC 7323).
    assert_eq!(arrives(1, 0), (None, ms(41)));
    assert_eq!(arrives(2, 1), (Some((2, ms(0))), Time::MAX));
    // An out-of-order segment is acknowledged immediately. A segment that fills a gap is also acknowledged immediately.
    assert_eq!(arrives(3, 3).0, Some((2, ms(0))));
    assert_eq!(arrives(4, 2).0, Some((4, ms(3))));
    // A single segment is acknowledged when the timer expires.
    assert_eq!(arrives(5, 4), (None, ms(45)));
    receiver.handle_timeout(ms(45));
    assert_eq!(receiver.poll_transmit(ms(45)).map(|ack| ack.seq), Some(5));
    // A duplicate is acknowledged immediately.
    receiver.handle(ms(46), &Segment { seq: 4, len: MSS, ..Segment::default() });
    let ack = receiver.poll_transmit(ms(46)).map(|ack| (ack.seq, ack.flags.has(Flags::DSACK), ack.sack[0]));
    assert_eq!(ack, Some((5, true, [4, 5])));
}

#[test]
fn sack_blocks_newest_first() {
    // RFC 2018 section 4: the block with the newest segment comes first, and then the most recently reported blocks.
    let mut receiver = Receiver::new(&config(Recovery::Sack));
    let mut blocks = |seq: u32| {
        receiver.handle(ms(1), &Segment { seq, len: MSS, ..Segment::default() });
        let ack = receiver.poll_transmit(ms(1)).unwrap_or_default();
        (ack.flags.has(Flags::DSACK), ack.sack[..ack.sack_count.into()].to_vec())
    };
    assert_eq!(blocks(2), (false, vec![[2, 3]]));
    assert_eq!(blocks(4), (false, vec![[4, 5], [2, 3]]));
    assert_eq!(blocks(8), (false, vec![[8, 9], [4, 5], [2, 3]]));
    assert_eq!(blocks(6), (false, vec![[6, 7], [8, 9], [4, 5]]));
    // Segment 5 joins 4 and 6 into one block.
    assert_eq!(blocks(5), (false, vec![[5 - 1, 7], [8, 9]]));
    // RFC 2883 section 4.2: the first block is a duplicate above the cumulative ACK, and the second is the block that
    // contains it.
    assert_eq!(blocks(8), (true, vec![[8, 9], [8, 9], [4, 7]]));
}

#[test]
fn no_sack_blocks_without_sack() {
    let mut receiver = Receiver::new(&config(Recovery::NewReno));
    receiver.handle(ms(1), &Segment { seq: 5, len: MSS, ..Segment::default() });
    assert_eq!(receiver.poll_transmit(ms(1)).map(|ack| (ack.sack_count, ack.seq)), Some((0, 0)));
}

#[test]
fn pacing_spaces_segments() {
    // At 8 Mbit/s, one segment of 1000 B is sent per millisecond. The window of 50 is sent in 50 ms and not at once.
    let (controller, told) = Halving::new(50);
    let controller = controller.paced(Rate::from_bits_per_s(8_000_000));
    let mut world = World::with(&config(Recovery::Sack), controller, told, segments(50), 100, 0);
    assert_eq!(world.complete(), ms(149));
    let times: Vec<Time> = world.sent.iter().map(|sent| sent.0).collect();
    assert_eq!(times, (0..50).map(ms).collect::<Vec<_>>());
}

#[test]
fn delivery_rate_of_a_paced_flow() {
    // This is the same flow without an end, with a round trip of 99 ms. ACKs and transmissions then coincide in whole
    // milliseconds, but data and ACKs do not. After the first round trip, each sample has a duration of 99 ms, in which
    // 99 segments are delivered. This is 1000 B per ms, the pacing rate. The window must be large enough for these
    // segments, so it is 200.
    let (controller, told) = Halving::new(200);
    let controller = controller.paced(Rate::from_bits_per_s(8_000_000));
    let mut world = World::with(&config(Recovery::Sack), controller, told, Transfer::Endless, 99, 0);
    world.start();
    world.run(ms(1000));
    let told = world.told();
    let last = told.rates.last().copied();
    assert_eq!(
        last.map(|rate| (rate.delivered, rate.interval)),
        Some((Bytes::new(99_000), Span::from_millis(99)))
    );
    assert_eq!(last.map(|rate| rate.tx_in_flight), Some(Bytes::new(99_000)));
    assert!(told.rates.iter().all(|rate| !rate.app_limited));
    // There is one round per round trip. The first ACK at 99 ms begins round 1, and the tenth round begins at 990 ms.
    assert_eq!(told.rounds, 10);
}

#[test]
fn karn_ignores_what_is_ambiguous() {
    // Segments 0 and 5 are lost. The repair of 5 is SACKed before the hole at 0 is filled, because the first repair of
    // 0 is also lost. The timestamp of this ACK does not identify the repair. The ACK is therefore not a sample, and
    // all samples are 100 ms.
    let mut world = World::new(&config(Recovery::Sack), 20, segments(200), 100).drop(&[0, 5, 22]);
    world.complete();
    let told = world.told();
    assert!(told.acks.iter().filter_map(|ack| ack.1).all(|rtt| rtt == Span::from_millis(100)));
    assert!(told.acks.iter().any(|ack| ack.1.is_none() && ack.0 == ms(200)));
}
