// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables and worked examples of RFC 9768, and the guarantees of its appendix for any losses.

use super::{Counter, DATA, Decoder, Marks, SYN, field, handshake};
use crate::{Flags, Segment};
use proptest::prelude::*;
use units::{Span, Time};

/// The flags as (AE, CWR, ECE).
fn bits(flags: Flags) -> (u8, u8, u8) {
    let bit = |bit| u8::from(flags.has(bit));
    (bit(Flags::AE), bit(Flags::CWR), bit(Flags::ECE))
}

fn ms(ms: u64) -> Time {
    Time::ZERO + Span::from_millis(ms)
}

const MSS: u32 = 1460;

/// An acknowledgement that reports these counts.
fn ack(marks: u64, bytes: u32, echoed: Time) -> Segment {
    let sack = [[0; 2], [0; 2], [bytes % (1 << 24), 0]];
    Segment { flags: field(marks), sack, timestamp: echoed, ..Segment::default() }
}

/// A sender that knows `marks` marked packets in addition to the initial 5, and no marked bytes. Each acknowledgement
/// so far covered one packet.
fn knows(marks: u64) -> Decoder {
    let mut decoder = Decoder::new(MSS);
    for more in 1..=marks {
        assert_eq!(decoder.hear(&ack(5 + more, 0, Time::ZERO), 1).packets, 1);
    }
    decoder
}

/// Table 2 (the first block) and table 3.
#[test]
fn the_handshake_tells_of_the_codepoint() {
    assert_eq!(bits(SYN), (1, 1, 1));
    let of = [Flags::NONE, Flags::ECT1, Flags::ECT, Flags::CE].map(|came| bits(handshake(came)));
    assert_eq!(of, [(0, 1, 0), (0, 1, 1), (1, 0, 0), (1, 1, 0)]);
}

/// Section 3.2.1: at the start, r.cep = 5, so the field is 0b101. After three more marks, the field is 0b000, and after
/// four more marks, it is 0b001.
#[test]
fn the_count_begins_with_five_and_goes_round() {
    let mut counter = Counter::new();
    let mut seen = vec![bits(counter.report())];
    for _ in 0..4 {
        counter.count(Flags::CE, MSS);
        seen.push(bits(counter.report()));
    }
    assert_eq!(seen, [(1, 0, 1), (1, 1, 0), (1, 1, 1), (0, 0, 0), (0, 0, 1)]);
    assert_eq!(bits(DATA), (1, 0, 1));
}

/// Section 3.2.2.5.1: a marked packet after an unmarked packet is acknowledged immediately, and so is every second
/// marked packet. The end of a sequence of marks is not acknowledged immediately.
#[test]
fn marks_are_acknowledged_in_time() {
    let mut counter = Counter::new();
    let mut at_once = Vec::new();
    for marked in [false, true, true, true, true, false, false, true] {
        let now = counter.count(if marked { Flags::CE } else { Flags::ECT }, MSS);
        at_once.push(now);
        if now {
            counter.report();
        }
    }
    //         -      first  1      2     1      -      -      first
    assert_eq!(at_once, [false, true, false, true, false, false, false, true]);
}

/// Appendix A.2.1, the worked examples. For 9 packets and an increment of 2, there are 2 marks, because 9 - ((9 - 2) %
/// 8) = 2. For 10 packets, there are 10 marks, unless the bytes show a different number. Here, the bytes show more than
/// two full packets.
#[test]
fn many_packets_at_once_may_hide_a_round() {
    for (newly, marks) in [(9, 2), (10, 10)] {
        let mut decoder = knows(40);
        assert_eq!(
            decoder.hear(&ack(5 + 40 + 2, 10 * MSS, ms(1)), newly),
            Marks { packets: marks, bytes: 14_600 }
        );
        assert_eq!(decoder.total().packets, 40 + marks);
    }
    // A number that the field can represent is accepted, even if it exceeds the number of acknowledged packets.
    assert_eq!(knows(40).hear(&ack(5 + 40 + 3, 3 * MSS, ms(1)), 1).packets, 3);
}

/// Appendix A.2.2, the worked examples with an MSS of 1460. The columns are (d.cep, dSafer.cep, d.ceb), and which of
/// the first two values applies.
#[test]
fn bytes_tell_whether_the_field_has_gone_round() {
    for (least, safer, bytes, holds) in [(0, 8, 1460, 8), (2, 10, 1460, 2), (7, 15, 10_200, 7)] {
        let mut decoder = knows(8);
        assert_eq!(
            decoder.hear(&ack(5 + 8 + least, bytes, ms(1)), safer).packets,
            holds,
            "{least} {safer} {bytes}"
        );
    }
}

/// Appendix A.1, the worked example: s.ceb = 33,554,433 and ECEB = 1461 result in 33,555,893.
#[test]
fn the_count_of_bytes_goes_round() {
    let mut decoder = Decoder::new(MSS);
    let two_rounds = Marks { packets: 5, bytes: 33_554_433 };
    decoder.known = two_rounds;
    assert_eq!(decoder.hear(&ack(6, 1461, Time::ZERO), 1), Marks { packets: 1, bytes: 1460 });
    assert_eq!(decoder.total().bytes, 33_555_893);
    let mut counter = Counter::new();
    for _ in 0..23_000 {
        counter.count(Flags::CE, MSS);
        counter.count(Flags::ECT1, MSS);
    }
    // The first counter is 33,580,000 - 2 * 16,777,216. The second counter began with 1.
    assert_eq!(counter.option(), [25_568, 25_569]);
}

/// Appendix A.1: an acknowledgement that was overtaken does not decrease a counter, and does not increase it by 7
/// either.
#[test]
fn what_was_overtaken_says_nothing() {
    let mut decoder = knows(0);
    assert_eq!(decoder.hear(&ack(8, 3 * MSS, ms(9)), 3).packets, 3);
    for at in [8, 9] {
        assert_eq!(decoder.hear(&ack(7, 2 * MSS, ms(at)), 0), Marks::default());
    }
    // The time is new, but there are no new data. These marked packets arrived earlier.
    assert_eq!(decoder.hear(&ack(9, 4 * MSS, ms(10)), 0), Marks { packets: 1, bytes: 1460 });
}

proptest! {
    /// For any lost acknowledgements and any packet lengths, the sender knows every marked byte. For full packets, it
    /// also knows every mark. It never counts fewer marks than there were.
    #[test]
    fn no_mark_is_missed(
        packets in prop::collection::vec((0..100_u32, 0..100_u32, MSS / 2..=MSS), 1..600),
        marked in 0..100_u32,
        lost in 0..95_u32,
        full: bool,
    ) {
        let (mut counter, mut decoder) = (Counter::new(), Decoder::new(MSS));
        let (mut marks, mut newly) = (Marks::default(), 0);
        for (mark, fate, len) in packets {
            let (is_marked, len) = (mark < marked, if full { MSS } else { len });
            marks.packets += u64::from(is_marked);
            marks.bytes += u64::from(len) * u64::from(is_marked);
            newly += 1;
            counter.count(if is_marked { Flags::CE } else { Flags::ECT1 }, len);
            let flags = counter.report();
            if fate < lost {
                continue;
            }
            let sack = [[0; 2], [0; 2], counter.option()];
            decoder.hear(&Segment { sack, flags, ..Segment::default() }, newly);
            newly = 0;
            prop_assert_eq!(decoder.total().bytes, marks.bytes);
            if full {
                prop_assert!(decoder.total().packets >= marks.packets);
            }
        }
    }
}
