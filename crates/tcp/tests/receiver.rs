// SPDX-License-Identifier: MIT OR Apache-2.0
//! The receiver with the rules of Linux 6.1. It is compared with the packets of a kernel and with sequences that were
//! computed by hand. Its invariants are also tested.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use bentpipe_tcp::{
    Config, DelayedAck, Flags, GrowingWindow, ReceiveWindow, Receiver, Recovery, Segment, SegmentKind, Setup,
};
use common::{World, ms, segments};
use proptest::prelude::*;
use units::{Bytes, Span, Time};

const MSS: u32 = 1448;
/// Time at which the SYN-ACK is sent on the path of 100 ms, in microseconds (`data/linux/openings.parquet`). On the
/// path of 30 ms, it is 35 ms earlier.
const SYN_US: u64 = 50_626;

/// Returns the settings of Linux. `tcp_rmem` is twice this window. If `autotuned` is true, this applies only to its
/// maximum.
fn linux(at_most: u64, autotuned: bool) -> Config {
    let growing = GrowingWindow { at_most: Bytes::new(at_most), autotuned };
    Config {
        delayed_ack: Some(DelayedAck::Linux),
        receive_window: ReceiveWindow::Growing(growing),
        ..Config::default()
    }
}

/// The input and the output of a kernel's receiver (`tests/traces`, from the logs of `tools/linux_traces`). Times are
/// in microseconds, segments have 1448 bytes, and windows are in bytes. The line `d TIME SEGMENT ACKS [p]` is data that
/// were sent after ACKS acknowledgements had arrived (p: with PSH). The line `a TIME NEXT WINDOW [FROM TO]...` is an
/// ACK with its SACK blocks.
struct Trace {
    data: Vec<(Time, Segment, usize)>,
    acks: Vec<Answer>,
    /// Time of the SYN-ACK.
    syn: Time,
}

/// An ACK. The fields are its time, the next expected segment, the window in segments, and the SACK blocks.
#[derive(Clone, Debug, PartialEq)]
struct Answer {
    at: Time,
    next: u32,
    window: u32,
    blocks: Vec<[u32; 2]>,
}

impl Trace {
    fn read(text: &str, syn_us: u64) -> Self {
        let syn = Time::from_nanos(syn_us * 1000);
        let mut me = Self { data: Vec::new(), acks: Vec::new(), syn };
        // For each ACK of the kernel, the number of our ACK. The first is the SYN-ACK.
        let mut ours = vec![0];
        for line in text.lines() {
            let mut words: Vec<&str> = line.split(' ').collect();
            // PSH marks the end of an application's write or of a burst.
            let flags = Flags::when(words.pop_if(|word| *word == "p").is_some(), Flags::PSH);
            let number: Vec<u32> = words[1..].iter().map(|word| word.parse().unwrap()).collect();
            let (at, seq) = (Time::from_nanos(u64::from(number[0]) * 1000), number[1]);
            if words[0] == "d" {
                let segment = Segment { timestamp: at, seq, len: MSS, flags, ..Segment::default() };
                me.data.push((at, segment, ours[number[2] as usize]));
            } else {
                let blocks = number[3..].chunks(2).map(|block| [block[0], block[1]]).collect();
                let ack = Answer { at, next: seq, window: number[2] / MSS, blocks };
                // When a hole below many data is filled, the kernel acknowledges the data, the application reads, and a
                // second ACK reports the free window. Our receiver sends only one ACK.
                let opens = |last: &mut Answer| {
                    (last.next, &last.blocks) == (ack.next, &ack.blocks) && last.window < ack.window
                };
                if me.acks.last_mut().is_some_and(opens) {
                    me.acks.pop();
                }
                me.acks.push(ack);
                ours.push(me.acks.len());
            }
        }
        me
    }

    /// Returns the ACKs of our receiver for the same segments. Its clock is ahead by `phase`, because the kernel
    /// measures round trips in whole milliseconds of its own clock.
    fn replay(&self, config: &Config, phase: Span) -> Vec<Answer> {
        let config = Config { setup: Setup::Handshake, ..config.clone() };
        let (mut receiver, mut acks) = (Receiver::new(&config), Vec::new());
        let mut stamps = vec![0];
        let mut drain = |receiver: &mut Receiver, now: Time, stamps: &mut Vec<u8>| {
            while let Some(ack) = receiver.poll_transmit(now) {
                stamps.push(ack.stamp);
                let blocks = ack.sack[..usize::from(ack.sack_count)].to_vec();
                let at = Time::from_nanos(now.nanos() - phase.nanos());
                acks.push(Answer { at, next: ack.seq, window: ack.window, blocks });
            }
        };
        // The first data segment echoes the SYN-ACK.
        receiver.handle(self.syn, &Segment { kind: SegmentKind::Syn, ..Segment::default() });
        stamps[0] = receiver.poll_transmit(self.syn + phase).unwrap().stamp;
        let end = self.acks[self.acks.len() - 1].at;
        for data in self.data.iter().map(Some).chain([None]) {
            let at = data.map_or(end, |data| data.0) + phase;
            while receiver.next_timeout() < at {
                let due = receiver.next_timeout();
                receiver.handle_timeout(due);
                drain(&mut receiver, due, &mut stamps);
            }
            let Some((_, segment, echoes)) = data else { break };
            let stamp = stamps.get(*echoes).copied().unwrap_or_default();
            receiver.handle(at, &Segment { stamp, ..*segment });
            drain(&mut receiver, at, &mut stamps);
        }
        acks
    }

    /// Checks that ACKs, windows and blocks are equal. The kernel responds after 10 to 40 µs. Sometimes it is busy with
    /// the sender, which runs on the same processor.
    fn check(&self, config: &Config, phase: Span, busy_at_most: usize) {
        let ours = self.replay(config, phase);
        for (ours, theirs) in ours.iter().zip(&self.acks) {
            assert_eq!(ours, &Answer { at: ours.at, ..theirs.clone() }, "there at {:?}", theirs.at);
            // The kernel's timer of SACKs may expire up to 100 µs earlier than ours (`tcp_comp_sack_slack_ns`).
            assert!(theirs.at + Span::from_micros(100) >= ours.at, "{ours:?} {theirs:?}");
        }
        assert_eq!(ours.len(), self.acks.len());
        let late = ours.iter().zip(&self.acks).filter(|(a, b)| b.at.since(a.at) > Span::from_micros(50));
        let late = late.count();
        assert!(late <= busy_at_most, "{late} are late");
    }
}

#[test]
fn opens_its_window_as_a_kernel_does() {
    // On 20 Mbit/s and 100 ms, the window grows from 64 kB to 3 MB within ten round trips. During this growth, and for
    // 16 more segments, each segment is acknowledged. After that, every second segment is acknowledged.
    let trace = Trace::read(include_str!("traces/linux-endless.txt"), SYN_US);
    trace.check(&linux(3_003_000, false), Span::ZERO, 1);
}

#[test]
fn tunes_its_buffer_as_a_kernel_does() {
    // Like the test above, with the buffers of the kernel: 128 KiB at first, and at most 6 MiB.
    let trace = Trace::read(include_str!("traces/linux-default-window.txt"), SYN_US);
    trace.check(&linux(3_145_728, true), Span::from_micros(550), 1);
}

#[test]
fn holds_sacks_together_as_a_kernel_does() {
    // A window of 400 kB is fully open when segments are lost. At 20 Mbit/s, there is one ACK for two SACKs. At 100
    // Mbit/s, there is one ACK for ten SACKs.
    let trace = Trace::read(include_str!("traces/linux-losses-20m.txt"), SYN_US);
    trace.check(&linux(400_000, false), Span::ZERO, 1);
    let trace = Trace::read(include_str!("traces/linux-losses-100m.txt"), 15_608);
    trace.check(&linux(400_000, false), Span::ZERO, 5);
}

/// The immediate ACK for a segment, if there is one.
fn answer(receiver: &mut Receiver, at: Time, seq: u32) -> Option<Segment> {
    let segment = Segment { timestamp: at, seq, len: MSS, ..Segment::default() };
    receiver.handle(at, &segment);
    receiver.poll_transmit(at)
}

#[test]
fn acknowledges_sixteen_times_at_once_then_every_second_segment_or_after_40_ms() {
    // The window is fully open from the start. TCP_MAX_QUICKACKS is 16. 64 kB are 22 times two segments, so the limit
    // is 16.
    let fixed = ReceiveWindow::Fixed(Bytes::new(65_536));
    let config = Config { receive_window: fixed, ..linux(65_536, false) };
    let mut receiver = Receiver::new(&config);
    for seq in 0..16 {
        assert_eq!(answer(&mut receiver, ms(u64::from(seq)), seq).unwrap().seq, seq + 1);
    }
    assert!(answer(&mut receiver, ms(16), 16).is_none());
    assert_eq!(answer(&mut receiver, ms(17), 17).unwrap().seq, 18);
    // A single segment is acknowledged TCP_ATO_MIN later.
    assert!(answer(&mut receiver, ms(18), 18).is_none());
    assert_eq!(receiver.next_timeout(), ms(58));
    receiver.handle_timeout(ms(58));
    assert_eq!(receiver.poll_transmit(ms(58)).unwrap().seq, 19);
    // The delay has expired, so ato = 80 ms. The next segment arrives 42 ms after the previous one, which is more than
    // ATO_MIN/2 and less than 80 ms, so ato = 80/2 + 42 = 82 ms. Without an RTT, the only bound is TCP_DELACK_MAX, 200
    // ms.
    assert!(answer(&mut receiver, ms(60), 19).is_none());
    assert_eq!(receiver.next_timeout(), ms(142));
    assert_eq!(answer(&mut receiver, ms(61), 20).unwrap().seq, 21);
    // After a pause longer than the timeout (1 s without an RTT), quick ACKs begin again.
    for seq in 21..37 {
        assert_eq!(answer(&mut receiver, ms(2000 + u64::from(seq)), seq).unwrap().seq, seq + 1);
    }
    assert!(answer(&mut receiver, ms(2100), 37).is_none());
    // This segment arrived before. Quick ACKs begin again, and the duplicate is reported (RFC 2883).
    let again = answer(&mut receiver, ms(2101), 5).unwrap();
    assert!(again.flags.has(Flags::DSACK) && again.seq == 38 && again.sack[0] == [5, 6]);
    assert_eq!(answer(&mut receiver, ms(2102), 38).unwrap().seq, 39);
}

#[test]
fn a_small_mss_grows_the_window_up_to_a_quarter_of_the_largest_buffer() {
    // 536 bytes of data take 1280 bytes of memory: 64 + 588 and 320 are a kmalloc of 1024, and 256 are added. Half of
    // this is 640, which is more than the data. In __tcp_grow_window, half of 640 is 320, which is less than the data.
    // The window therefore grows while it is at most a quarter of the largest buffer, 6291456/2/2.
    let config = Config { mss: 536, ..linux(3_145_728, false) };
    let mut receiver = Receiver::new(&config);
    let mut window = 0;
    for seq in 0..2000 {
        receiver.handle(
            ms(seq),
            &Segment { timestamp: ms(seq), seq: seq as u32, len: 536, ..Segment::default() },
        );
        while let Some(ack) = receiver.poll_transmit(ms(seq)) {
            window = ack.window;
        }
    }
    // The window exceeds the bound by at most one step of 1072 bytes. Windows are multiples of 128 bytes.
    let reached = u64::from(window) * 536;
    assert!((1_572_864 - 536..1_572_864 + 1072 + 128).contains(&reached), "{reached}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// For any losses, the right edge never moves back (RFC 9293, section 3.8.6), in-order data are acknowledged at
    /// least every second segment, and all data arrive.
    #[test]
    fn the_edge_never_moves_back(
        lost in prop::collection::vec(0_u64..500, 0..40),
        late in prop::collection::vec((0_u64..500, 1_u64..80), 0..10),
        at_most in 8_000_u64..400_000,
        autotuned in any::<bool>(),
        window in 2_u64..150,
    ) {
        let config = Config { mss: common::MSS, recovery: Recovery::RackTlp, ..linux(at_most, autotuned) };
        let mut world = World::new(&config, window, segments(400), 60).drop(&lost);
        world.fates.extend(late.iter().map(|&(tx, by)| (tx, common::Fate::Late(Span::from_millis(by)))));
        world.complete();
        let edges: Vec<u32> = world.acks.iter().map(|ack| ack.seq + ack.window).collect();
        prop_assert!(edges.is_sorted());
        prop_assert_eq!(world.acks.last().unwrap().seq, 400);
        if lost.is_empty() && late.is_empty() {
            prop_assert!(world.acks.windows(2).all(|two| two[1].seq - two[0].seq <= 2));
        }
    }
}

/// The immediate ACK of a data segment that was sent and arrived at these times.
fn answer_to(receiver: &mut Receiver, seq: u32, sent_ms: u64, arrives_ms: u64) -> Segment {
    let segment = Segment { timestamp: ms(sent_ms), seq, len: MSS, ..Segment::default() };
    receiver.handle(ms(arrives_ms), &segment);
    receiver.poll_transmit(ms(arrives_ms)).unwrap()
}

#[test]
fn an_old_duplicate_does_not_renew_the_echo() {
    // RFC 7323, section 5.3: a segment outside of the window is rejected (R2) before its timestamp is recorded (R3).
    let mut receiver = Receiver::new(&Config::default());
    for seq in 0..4 {
        answer_to(&mut receiver, seq, 10 + u64::from(seq), 60);
    }
    let ack = answer_to(&mut receiver, 1, 3000, 3050);
    assert_eq!((ack.seq, ack.timestamp), (4, ms(13)));
    assert!(ack.flags.has(Flags::DSACK));
    // The next in-order segment is inside the window.
    assert_eq!(answer_to(&mut receiver, 4, 3010, 3060).timestamp, ms(3010));
}

#[test]
fn paws_rejects_what_is_older_than_the_echo() {
    // RFC 7323, section 5.3, R1. Segments 0 and 1 are overtaken. The repair of 0 arrives first and updates the echoed
    // timestamp. The original of 1 is older, so it is rejected. The repair of 1 is accepted.
    let mut receiver = Receiver::new(&Config::default());
    assert_eq!(answer_to(&mut receiver, 0, 200, 250).seq, 1);
    let refused = answer_to(&mut receiver, 1, 100, 260);
    assert_eq!((refused.seq, refused.timestamp), (1, ms(200)));
    assert_eq!(answer_to(&mut receiver, 1, 210, 270).seq, 2);
    // Within one tick of the timestamp clock, which is 1 ms, both segments have the same age.
    let mut receiver = Receiver::new(&Config::default());
    answer_to(&mut receiver, 0, 200, 250);
    let segment =
        Segment { timestamp: Time::from_nanos(200_000_001), seq: 1, len: MSS, ..Segment::default() };
    receiver.handle(ms(260), &segment);
    assert_eq!(receiver.poll_transmit(ms(260)).unwrap().seq, 2);
    // Without timestamps, no segment is rejected.
    let mut receiver = Receiver::new(&Config { timestamps: false, ..Config::default() });
    answer_to(&mut receiver, 0, 200, 250);
    assert_eq!(answer_to(&mut receiver, 1, 100, 260).seq, 2);
}
