// SPDX-License-Identifier: MIT OR Apache-2.0
//! An application that writes messages. The tests check the lengths of segments, the counters, and losses of short
//! segments.

mod common;

use bentpipe_tcp::{
    Config, DelayedAck, Ecn, ReceiveWindow, Receiver, Recovery, Repair, Segment, SegmentKind, Sender, Setup,
    Timeouts, Transfer,
};
use common::{Fate, Halving, MSS, World, config, ms};
use proptest::prelude::*;
use units::{Bytes, Span, Time};

fn writer(config: Config, window: u64) -> Sender {
    let (controller, _) = Halving::new(window);
    Sender::new(config, Box::new(controller), Transfer::Endless, None).writing()
}

fn plain() -> Config {
    Config { mss: MSS, ..Config::default() }
}

/// Sends all segments that may be sent, and returns their lengths.
fn sent(sender: &mut Sender, now: Time) -> Vec<u32> {
    std::iter::from_fn(|| sender.poll_transmit(now)).map(|segment| segment.len).collect()
}

fn ack(seq: u32) -> Segment {
    Segment { kind: SegmentKind::Ack, seq, window: 1000, ..Segment::default() }
}

/// The last segment of a message may be short. If it still waits when the next message is written, the next message
/// fills it.
#[test]
fn a_message_ends_with_a_short_segment() {
    let mut sender = writer(plain(), 4);
    sender.start(ms(0));
    assert_eq!((sent(&mut sender, ms(0)), sender.is_drained()), (vec![], true), "nothing is written");
    sender.write(2300);
    assert_eq!(sent(&mut sender, ms(0)), [1000, 1000, 300]);
    sender.write(400);
    sender.write(250);
    // Two waiting messages form one segment, which fills the window. The third message waits for an ACK, and the fourth
    // message is added to its segment.
    assert_eq!(sent(&mut sender, ms(1)), [650]);
    sender.write(250);
    assert_eq!(sent(&mut sender, ms(1)), []);
    sender.write(800);
    assert_eq!(sent(&mut sender, ms(1)), []);
    sender.handle(ms(10), &ack(3));
    assert_eq!((sender.drained_bytes(), sender.is_drained()), (2300, false));
    assert_eq!(sent(&mut sender, ms(10)), [1000, 50]);
    sender.handle(ms(20), &ack(6));
    assert_eq!((sender.drained_bytes(), sender.is_drained()), (4000, true));
    assert_eq!(sender.stats().sent_bytes, 4000);
    // A short segment that has been sent keeps its length when it is sent again.
    sender.write(10);
    assert_eq!(sent(&mut sender, ms(30)), [10]);
    sender.write(2000);
    assert_eq!(sent(&mut sender, ms(30)), [1000, 1000]);
    let rto = sender.next_timeout();
    sender.handle_timeout(rto);
    let again = sender.poll_transmit(rto).map(|segment| (segment.seq, segment.len));
    assert_eq!(again, Some((6, 10)));
}

/// RFC 7413: the SYN carries the data that have been written by then and that fit into it. The remaining data follow
/// after the SYN-ACK.
#[test]
fn a_message_begins_in_a_syn() {
    let config = Config { setup: Setup::FastOpen, ..plain() };
    let room = MSS + config.header - 80;
    let mut sender = writer(config.clone(), 10);
    let mut receiver = Receiver::new(&config);
    sender.write(300);
    sender.start(ms(0));
    let syn = sender.poll_transmit(ms(0)).expect("a SYN leaves");
    assert_eq!((syn.kind, syn.len), (SegmentKind::Syn, 300));
    // No data are added to the segment that the SYN has carried.
    sender.write(100);
    receiver.handle(ms(50), &syn);
    assert_eq!(receiver.stats().delivered_bytes, 300);
    let answer = receiver.poll_transmit(ms(50)).expect("a SYN-ACK leaves");
    sender.handle(ms(100), &answer);
    let lens: Vec<_> =
        std::iter::from_fn(|| sender.poll_transmit(ms(100))).map(|it| (it.kind, it.len)).collect();
    assert_eq!(lens, [(SegmentKind::HandshakeAck, 0), (SegmentKind::Data, 100)]);

    let mut sender = writer(config, 10);
    sender.write(2500);
    sender.start(ms(0));
    let first = sender.poll_transmit(ms(0)).map(|syn| syn.len);
    assert_eq!(first, Some(room));
    sender.handle(ms(100), &Segment { seq: 1, ..answer });
    let lens: Vec<_> = std::iter::from_fn(|| sender.poll_transmit(ms(100))).map(|it| it.len).collect();
    assert_eq!(lens, [0, 1000, 2500 - room - 1000]);
}

/// The sender of the called side knows the round-trip time from its SYN-ACK. If this SYN-ACK was lost, the initial
/// window is one segment (RFC 5681, section 3.1).
#[test]
fn the_side_that_was_called_begins_without_a_handshake_of_its_own() {
    let begin = |rtt, repeated| {
        let built = control::catalogue::build("reno", &[]).expect("there is a Reno");
        let mut sender = Sender::new(plain(), built, Transfer::Endless, None).writing();
        sender.start_accepted(ms(600), rtt, repeated);
        sender.write(20_000);
        (sent(&mut sender, ms(600)).len(), sender.next_timeout().since(ms(600)))
    };
    // RFC 6298, (2.2): RTO = R + max(G, 4 R/2) = 600 + 1200 ms.
    assert_eq!(begin(Some(Span::from_millis(600)), 0), (10, Span::from_millis(1800)));
    assert_eq!(begin(None, 0), (10, Span::from_secs(1)));
    assert_eq!(begin(None, 1), (1, Span::from_secs(3)));
}

fn fate() -> impl Strategy<Value = Fate> {
    prop_oneof![
        3 => Just(Fate::Drop),
        2 => Just(Fate::Mark),
        1 => (1_u64..400).prop_map(|late| Fate::Late(Span::from_millis(late))),
        1 => (1_u64..400).prop_map(|late| Fate::Twice(Span::from_millis(late))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// For any behaviour of the path and any times of writing, every byte arrives once, and both sides count it.
    #[test]
    fn any_path_delivers_every_byte_of_every_message(
        recovery in prop_oneof![
            Just(Recovery::Reno), Just(Recovery::NewReno), Just(Recovery::Sack), Just(Recovery::RackTlp)
        ],
        ns2: bool,
        halving: bool,
        tso: bool,
        delayed in proptest::option::of(prop_oneof![
            Just(DelayedAck::Every { segments: 2, at_most: Span::from_millis(40) }),
            Just(DelayedAck::Linux)
        ]),
        ecn in proptest::option::of(prop_oneof![Just(Ecn::Classic), Just(Ecn::Dctcp), Just(Ecn::Accurate)]),
        receive_window in proptest::option::of(1_u64..40),
        window in 1_u64..40,
        writes in proptest::collection::vec((0_u64..300, 1_u64..6000), 1..30),
        fates in proptest::collection::btree_map(0_u64..150, fate(), 0..50),
        ack_fates in proptest::collection::btree_map(0_u64..150, fate(), 0..50),
    ) {
        let ns2 = ns2 && matches!(recovery, Recovery::NewReno | Recovery::Sack);
        let repair = match recovery {
            Recovery::Sack if ns2 => Repair::FallFloyd,
            Recovery::Sack if halving => Repair::RateHalving,
            _ => Repair::Rfc6675,
        };
        let config = Config {
            repair,
            timeouts: if ns2 { Timeouts::Ns2 } else { Timeouts::Rfc6298 },
            prr: (repair != Repair::Rfc6675).then_some(false),
            ecn,
            tso,
            delayed_ack: delayed,
            receive_window: receive_window
                .map_or(ReceiveWindow::Unlimited, |n| ReceiveWindow::Fixed(Bytes::new(n * 1000))),
            ..config(recovery)
        };
        let mut world = World::new(&config, window, Transfer::Endless, 100);
        world.sender = writer(config, window);
        world.fates = fates;
        world.ack_fates = ack_fates;
        world.start();
        let (mut at, mut written) = (0, 0);
        for (wait, bytes) in writes {
            at += wait;
            written += bytes;
            world.write(ms(at), bytes);
        }
        while world.step(ms(100_000_000)) {
            prop_assert!(world.sent.len() < 20_000, "too many transmissions");
        }
        prop_assert!(world.sender.is_drained());
        prop_assert_eq!(world.sender.drained_bytes(), written);
        prop_assert_eq!(world.receiver.stats().delivered_bytes, written);
        prop_assert_eq!(world.receiver.stats().received_bytes, written);
        prop_assert_eq!(world.sender.stats().delivered_bytes, written);
        prop_assert_eq!(world.sender.in_flight_segments(), 0);
    }
}
