// SPDX-License-Identifier: MIT OR Apache-2.0
//! A connection to or from a proxy. The tests check windows that close and open, and the data that are sent.

mod common;

use bentpipe_tcp::{Config, Receiver, Segment, SegmentKind, Sender, Transfer};
use common::{Halving, MSS, ms};
use units::{Bytes, Span, Time};

fn config() -> Config {
    Config { mss: MSS, ..Config::default() }
}

fn data(seq: u32) -> Segment {
    Segment { seq, len: MSS, timestamp: ms(u64::from(seq)), ..Segment::default() }
}

fn acks(receiver: &mut Receiver, now: Time) -> Vec<(u32, u32)> {
    std::iter::from_fn(|| receiver.poll_transmit(now)).map(|ack| (ack.seq, ack.window)).collect()
}

/// The buffer holds eight segments. In-order data take room in the buffer until they are released. Early data take room
/// in the announced window. An update is sent after two segments (4.4BSD), but not while more than half of the buffer
/// is announced (Linux).
#[test]
fn the_window_is_what_is_free() {
    let mut receiver = Receiver::new(&config()).relaying(Bytes::new(8 * 1000 + 999));
    for seq in [0, 1, 3] {
        receiver.handle(ms(1), &data(seq));
    }
    assert_eq!(acks(&mut receiver, ms(1)), [(2, 6)], "the last ACK of several: 3 is early");
    receiver.handle(ms(2), &data(2));
    assert_eq!((acks(&mut receiver, ms(2)), receiver.held_bytes()), (vec![(4, 4)], 4000));
    // Four of eight segments are announced, so an update is sent after the second segment.
    receiver.release(1000);
    assert_eq!(acks(&mut receiver, ms(3)), []);
    receiver.release(2000);
    assert_eq!(acks(&mut receiver, ms(4)), [(4, 6)]);
    // Six segments are announced, so no update is sent for any amount of released data.
    receiver.release(4000);
    assert_eq!((acks(&mut receiver, ms(5)), receiver.held_bytes()), (vec![], 0));
    // The next ACK reports the window.
    receiver.handle(ms(6), &data(4));
    assert_eq!(acks(&mut receiver, ms(6)), [(5, 7)]);
}

/// RFC 9293, section 3.8.6.1: if the window is closed, a sender sends a probe after its timeout (at least 200 ms). Each
/// later interval is twice as long. RFC 5681, section 2 (e): the answer is not a duplicate ACK. When the window opens,
/// data are sent.
#[test]
fn a_sender_asks_whether_a_window_is_still_closed() {
    let config = Config { receive_window: bentpipe_tcp::ReceiveWindow::Fixed(Bytes::new(2000)), ..config() };
    let (controller, _) = Halving::new(10);
    let mut sender = Sender::new(config, Box::new(controller), Transfer::Endless, None);
    sender.start(ms(0));
    let sent = |sender: &mut Sender, now| -> Vec<(SegmentKind, u32)> {
        std::iter::from_fn(|| sender.poll_transmit(now)).map(|segment| (segment.kind, segment.seq)).collect()
    };
    assert_eq!(sent(&mut sender, ms(0)), [(SegmentKind::Data, 0), (SegmentKind::Data, 1)]);
    let closed = Segment { kind: SegmentKind::Ack, seq: 2, window: 0, ..Segment::default() };
    sender.handle(ms(10), &closed);
    assert_eq!(sent(&mut sender, ms(10)), []);
    let mut asked = Vec::new();
    while asked.len() < 4 {
        let now = sender.next_timeout();
        sender.handle_timeout(now);
        let left = sent(&mut sender, now);
        if !left.is_empty() {
            assert_eq!(left, [(SegmentKind::WindowProbe, 2)]);
            asked.push(now);
            sender.handle(now + Span::from_millis(10), &closed);
            assert_eq!(sent(&mut sender, now + Span::from_millis(10)), []);
        }
    }
    // With a round trip of 10 ms and G = 200 ms, the timeout is 210 ms (RFC 6298). It doubles each time.
    let waits: Vec<u64> = asked.iter().map(|at| at.since(ms(0)).nanos() / 1_000_000).collect();
    assert_eq!(waits, [220, 640, 1480, 3160]);
    assert_eq!(
        (sender.stats().window_probes, sender.stats().duplicate_acks, sender.stats().timeouts),
        (4, 0, 0)
    );
    let open = Segment { kind: SegmentKind::Ack, seq: 2, window: 1, ..Segment::default() };
    sender.handle(ms(3200), &open);
    assert_eq!(sent(&mut sender, ms(3200)), [(SegmentKind::Data, 2)]);
    // The sender's retransmission timer starts again.
    assert_eq!(sender.next_timeout(), ms(3410));
    // If an update arrives while the segment is outstanding, it is not a duplicate ACK, for any kind of recovery.
    sender.handle(ms(3210), &Segment { window: 5, ..open });
    assert_eq!((sent(&mut sender, ms(3210)).len(), sender.stats().duplicate_acks), (4, 0));
}

/// The data of a proxy are sent in full segments. When the whole transfer is available, the last, short segment is sent
/// with FIN.
#[test]
fn what_is_there_leaves() {
    let (controller, _) = Halving::new(100);
    let transfer = Transfer::Finite(Bytes::new(3500));
    let mut sender = Sender::new(config(), Box::new(controller), transfer, None).relaying();
    sender.start(ms(0));
    let sent = |sender: &mut Sender, there| -> Vec<u32> {
        sender.supply(there);
        std::iter::from_fn(|| sender.poll_transmit(ms(1))).map(|segment| segment.len).collect()
    };
    assert_eq!(sent(&mut sender, 0), []);
    assert_eq!(sent(&mut sender, 999), []);
    assert_eq!(sent(&mut sender, 2600), [1000, 1000]);
    assert_eq!(sent(&mut sender, 3499), [1000]);
    assert_eq!(sent(&mut sender, 3500), [500]);
    assert_eq!(sender.acknowledged_bytes(), 0);
    sender.handle(ms(2), &Segment { kind: SegmentKind::Ack, seq: 3, window: 100, ..Segment::default() });
    assert_eq!(sender.acknowledged_bytes(), 3000);
    sender.handle(ms(3), &Segment { kind: SegmentKind::Ack, seq: 4, window: 100, ..Segment::default() });
    assert_eq!((sender.acknowledged_bytes(), sender.completed_at()), (3500, Some(ms(3))));
}
