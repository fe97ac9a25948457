// SPDX-License-Identifier: MIT OR Apache-2.0
//! Segmentation offload. It is compared with sequences that were computed by hand from the rules of Linux 6.1: the size
//! of a burst (`tcp_tso_autosize`, `tcp_cwnd_test`), when a burst waits (`tcp_tso_should_defer`), and which segments
//! have PSH.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use bentpipe_tcp::{
    Config, DelayedAck, Flags, Receiver, Recovery, Segment, SegmentKind, Sender, Setup, Transfer,
};
use common::{Halving, MSS, config, ms};
use units::{Bytes, Rate, Time};

const fn us(us: u64) -> Time {
    Time::from_nanos(us * 1000)
}

/// A sender with a window of `window` segments. A handshake of 100 ms establishes the connection at 100 ms.
struct Flow {
    sender: Sender,
    /// For each burst, the time at which it was sent, and its segments: (number, PSH).
    bursts: Vec<(Time, Vec<(u32, bool)>)>,
    sent_at: Vec<Time>,
}

impl Flow {
    fn new(window: u64, pacing: Option<Rate>, transfer: Transfer) -> Self {
        let config = Config { setup: Setup::Handshake, tso: true, ..config(Recovery::RackTlp) };
        let controller = Halving::new(window).0;
        let controller = if let Some(rate) = pacing { controller.paced(rate) } else { controller };
        let mut sender = Sender::new(config, Box::new(controller), transfer, None);
        sender.start(ms(0));
        sender.poll_transmit(ms(0)).unwrap();
        let kind = SegmentKind::SynAck;
        sender.handle(ms(100), &Segment { kind, window: 1 << 20, ..Segment::default() });
        assert_eq!(sender.poll_transmit(ms(100)).unwrap().kind, SegmentKind::HandshakeAck);
        let mut flow = Self { sender, bursts: Vec::new(), sent_at: Vec::new() };
        flow.send(ms(100));
        flow
    }
    fn send(&mut self, now: Time) {
        let segments: Vec<_> = std::iter::from_fn(|| self.sender.poll_transmit(now)).collect();
        self.sent_at.extend(segments.iter().map(|_| now));
        if !segments.is_empty() {
            let of = |segment: &Segment| (segment.seq, segment.flags.has(Flags::PSH));
            self.bursts.push((now, segments.iter().map(of).collect()));
        }
    }
    /// Acknowledges all segments before `seq`. Returns the segments that are then sent.
    fn ack(&mut self, now: Time, seq: u32) -> Vec<(u32, bool)> {
        let timestamp = self.sent_at[seq as usize - 1];
        let kind = SegmentKind::Ack;
        self.sender.handle(now, &Segment { kind, seq, timestamp, window: 1 << 20, ..Segment::default() });
        let before = self.bursts.len();
        self.send(now);
        if self.bursts.len() > before { self.bursts[before].1.clone() } else { Vec::new() }
    }
    fn lens(&self) -> Vec<usize> {
        self.bursts.iter().map(|burst| burst.1.len()).collect()
    }
}

/// 1.2 windows of 20 kB in 100 ms are 240 kB/s, or 234 bytes in 2^-10 s. This is less than the minimum of two segments.
#[test]
fn a_slow_flow_sends_two_at_a_time() {
    let flow = Flow::new(20, None, Transfer::Endless);
    let expected: Vec<_> = (0..20).map(|seq| (seq, seq % 2 == 1)).collect();
    assert_eq!(flow.bursts, [(ms(100), expected)]);
}

#[test]
fn one_free_segment_waits_for_the_next_ack_if_that_is_near() {
    let mut flow = Flow::new(20, None, Transfer::Endless);
    // No segment has been sent for a millisecond. This segment is therefore sent immediately and alone, so without PSH.
    assert_eq!(flow.ack(ms(200), 1), [(20, false)]);
    // The next ACK was expected at 200 ms.
    assert_eq!(flow.ack(us(200_300), 2), []);
    assert!(flow.sender.next_timeout() > ms(250), "it waits for ACKs alone");
    assert_eq!(flow.ack(us(200_600), 3), [(21, false), (22, true)]);
    // After more than a millisecond, the sender does not wait.
    assert_eq!(flow.ack(us(201_700), 4), [(23, false)]);
    // A third of the window is free: 7 of 20 segments. They are sent in bursts of two and a last burst of one.
    assert_eq!(
        flow.ack(us(201_800), 11),
        [(24, false), (25, true), (26, false), (27, true), (28, false), (29, true)]
    );
    // Segment 11 was sent at 100 ms, and segment 24 at 201.8 ms. When all segments before 24 are acknowledged, the next
    // ACK is expected in 100 ms.
    assert_eq!(flow.ack(us(202_000), 24).len(), 14);
    assert_eq!(flow.ack(us(202_100), 25), [(44, false)]);
}

/// The end of the data does not wait, so all remaining data are sent (`tcp_tso_should_defer`: FIN).
#[test]
fn the_last_segments_do_not_wait() {
    let mut flow = Flow::new(20, None, Transfer::Finite(Bytes::new(21 * u64::from(MSS))));
    assert_eq!(flow.ack(ms(200), 1), [(20, false)]);
    let mut flow = Flow::new(20, None, Transfer::Finite(Bytes::new(23 * u64::from(MSS))));
    assert_eq!(flow.ack(ms(200), 1), [(20, false)]);
    assert_eq!(flow.ack(us(200_100), 2), [], "two are left, one may go");
    assert_eq!(flow.ack(us(200_200), 3), [(21, false), (22, true)]);
}

/// The duration of each burst is the time of its bytes. At 1 MB/s, 1 MB/s / 1024 = 976 B, so bursts have the minimum of
/// two segments. At 10 MB/s, 10 MB/s / 1024 = 9765 B, so bursts have nine segments. Bursts of 64 kB are limited to
/// 65,279 B, and to half of the window.
#[test]
fn the_pacing_timer_covers_the_whole_burst() {
    let paced = |window, mbit_s: u64, until: Time| {
        let rate = Rate::from_bits_per_s(mbit_s * 1_000_000);
        let mut flow = Flow::new(window, Some(rate), Transfer::Endless);
        while flow.sender.next_timeout() < until {
            let now = flow.sender.next_timeout();
            flow.sender.handle_timeout(now);
            flow.send(now);
        }
        let times = flow.bursts.iter().map(|burst| burst.0.since(ms(100)).nanos() / 1000).collect::<Vec<_>>();
        (flow.lens(), times)
    };
    assert_eq!(paced(100, 8, us(106_500)), (vec![2; 4], vec![0, 2000, 4000, 6000]));
    assert_eq!(paced(100, 80, us(103_000)), (vec![9; 4], vec![0, 900, 1800, 2700]));
    assert_eq!(paced(1000, 8000, us(100_140)).0, [65, 65, 65]);
    assert_eq!(paced(20, 8000, us(100_140)).0, [10, 10]);
}

/// A receiver that delays ACKs acknowledges the end of a burst immediately, because the application reads
/// (`tcp_cleanup_rbuf`).
#[test]
fn the_end_of_a_burst_is_acknowledged_at_once() {
    let config = Config { delayed_ack: Some(DelayedAck::Linux), ..config(Recovery::RackTlp) };
    let acks = |push: bool| {
        let mut receiver = Receiver::new(&config);
        let mut out = Vec::new();
        for seq in 0..39 {
            // The bursts have three segments.
            let flags = Flags::when(push && seq % 3 == 2, Flags::PSH);
            let segment = Segment { seq, len: MSS, flags, ..Segment::default() };
            receiver.handle(ms(10), &segment);
            out.extend(std::iter::from_fn(|| receiver.poll_transmit(ms(10))).map(|ack| ack.seq));
        }
        // The first 16 ACKs are quick.
        out.into_iter().filter(|&seq| seq > 18).collect::<Vec<_>>()
    };
    assert_eq!(acks(true)[..6], [20, 21, 23, 24, 26, 27]);
    assert_eq!(acks(false)[..4], [20, 22, 24, 26]);
}
