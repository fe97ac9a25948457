// SPDX-License-Identifier: MIT OR Apache-2.0
//! The start of a connection. It is compared with the tables of RFC 6298, 5681, 7323 and 7413, and with times that were
//! computed by hand.
//!
//! The two ends are connected by a path with a round trip of 100 ms and an unlimited rate. Every packet arrives 50 ms
//! after it was sent.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use bentpipe_tcp::{
    AfterLostSyn, Config, DelayedAck, Flags, Receiver, Segment, SegmentKind, Sender, Setup, Transfer, Trickle,
};
use control::{
    Ack, Control, Controller, Loss, LossVerdict, NewMss, Signals, Snapshot, Spurious, Start, Timeout,
};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use units::{Bytes, Rate, Span, Time};

const fn ms(ms: u64) -> Time {
    Time::from_nanos(ms * 1_000_000)
}

/// The time, SRTT, and the minimum RTT.
type AckSample = (Time, Option<Span>, Option<Span>);

/// A controller that records how it was started, and keeps the initial window.
#[derive(Clone, Default, saved::Saved)]
struct Witness {
    #[saved(fixed)]
    start: Arc<Mutex<Option<Start>>>,
    #[saved(fixed)]
    acks: Arc<Mutex<Vec<AckSample>>>,
}

impl Controller for Witness {
    fn requires(&self) -> Signals {
        Signals::NONE
    }
    fn on_start(&mut self, start: &Start, control: &mut Control) {
        assert!(self.start.lock().unwrap().replace(start.clone()).is_none(), "a connection starts once");
        control.cwnd = Bytes::new(u64::from(start.initial_window) * u64::from(start.mss));
    }
    fn on_ack(&mut self, ack: &Ack<'_>, _: &mut Control) {
        assert!(self.start.lock().unwrap().is_some(), "no ACK before the start");
        self.acks.lock().unwrap().push((ack.now, ack.srtt, ack.min_rtt));
    }
    fn on_loss(&mut self, _: &Loss<'_>, _: &mut Control) -> LossVerdict {
        LossVerdict::Congestion
    }
    fn on_limited(&mut self, _: &control::Limited, _: &mut Control) {
        assert!(self.start.lock().unwrap().is_some(), "nothing is limited before the start");
    }
    fn on_persistent_congestion(&mut self, _: Time, _: &mut Control) {
        unreachable!("TCP does not report this event");
    }
    fn on_timeout(&mut self, _: &Timeout, _: &mut Control) {}
    fn on_spurious(&mut self, _: &Spurious, _: &mut Control) {}
    fn on_mss(&mut self, _: &NewMss, _: &mut Control) {}
    fn snapshot(&self, _: &mut Snapshot) {}
}

/// Both ends, and the packets that they sent: (time, whether the sender sent it, segment). The packets in `lost` are
/// lost. Packets are counted from 0 over both ends.
struct Ends {
    now: Time,
    sender: Sender,
    receiver: Receiver,
    witness: Witness,
    wire: BTreeMap<(Time, usize), (bool, Segment)>,
    log: Vec<(Time, bool, Segment)>,
    lost: Vec<usize>,
}

impl Ends {
    fn new(config: &Config, transfer: Transfer, lost: &[usize]) -> Self {
        let witness = Witness::default();
        let sender = Sender::new(config.clone(), Box::new(witness.clone()), transfer, None);
        let receiver = Receiver::new(config);
        let (wire, log, lost) = (BTreeMap::new(), Vec::new(), lost.to_vec());
        let mut ends = Self { now: Time::ZERO, sender, receiver, witness, wire, log, lost };
        ends.sender.start(Time::ZERO);
        ends.pump();
        ends
    }
    fn put(&mut self, by_sender: bool, segment: Segment) {
        let number = self.log.len();
        self.log.push((self.now, by_sender, segment));
        if !self.lost.contains(&number) {
            self.wire.insert((self.now + Span::from_millis(50), number), (by_sender, segment));
        }
    }
    fn pump(&mut self) {
        while let Some(segment) = self.sender.poll_transmit(self.now) {
            self.put(true, segment);
        }
        while let Some(segment) = self.receiver.poll_transmit(self.now) {
            self.put(false, segment);
        }
    }
    fn run(mut self, until: Time) -> Self {
        loop {
            let arrival = self.wire.first_key_value().map_or(Time::MAX, |(key, _)| key.0);
            let timeout = self.sender.next_timeout().min(self.receiver.next_timeout());
            let next = arrival.min(timeout);
            if next > until {
                return self;
            }
            self.now = next;
            if arrival == next {
                let (_, (by_sender, segment)) = self.wire.pop_first().unwrap();
                if by_sender {
                    self.receiver.handle(next, &segment);
                } else {
                    self.sender.handle(next, &segment);
                }
            } else {
                self.sender.handle_timeout(next);
                self.receiver.handle_timeout(next);
            }
            self.pump();
        }
    }
    /// Times at which the packets of a kind were sent. A separate packet with FIN does not count as data.
    fn times(&self, kind: SegmentKind) -> Vec<u64> {
        let rows = self.log.iter().filter(|row| row.2.kind == kind && !is_bare_fin(&row.2));
        rows.map(|row| row.0.since(Time::ZERO).nanos() / 1_000_000).collect()
    }
    fn data(&self) -> Vec<&Segment> {
        let data = |segment: &&Segment| segment.kind == SegmentKind::Data && !is_bare_fin(segment);
        self.log.iter().map(|row| &row.2).filter(data).collect()
    }
    /// Times at which FINs were sent, each with the number of its bytes.
    fn fins(&self) -> Vec<(u64, u32)> {
        let rows = self.log.iter().filter(|row| row.2.flags.has(Flags::FIN));
        rows.map(|row| (row.0.since(Time::ZERO).nanos() / 1_000_000, row.2.len)).collect()
    }
    fn started(&self) -> (Time, u32, Option<Span>) {
        let start = self.witness.start.lock().unwrap().clone().expect("the connection starts");
        (start.now, start.initial_window, start.rtt)
    }
}

const fn is_bare_fin(segment: &Segment) -> bool {
    segment.flags.has(Flags::FIN) && segment.len == 0
}

fn config(setup: Setup, after_lost_syn: AfterLostSyn) -> Config {
    Config { setup, after_lost_syn, ..Config::default() }
}

/// An application that writes at 1 Mbit/s for a second.
fn trickle() -> Trickle {
    Trickle { rate: Rate::from_bits_per_s(1_000_000), begins: Span::ZERO, lasts: Span::from_secs(1) }
}

fn handshake() -> Config {
    config(Setup::Handshake, AfterLostSyn::Rfc)
}

fn bytes(bytes: u64) -> Transfer {
    Transfer::Finite(Bytes::new(bytes))
}

const NONE_LOST: &[usize] = &[];

/// RFC 9293, section 3.5, figure 6.
#[test]
fn syn_syn_ack_ack_then_data() {
    let ends = Ends::new(&handshake(), bytes(3 * 1448), NONE_LOST).run(ms(10_000));
    let first: Vec<_> = ends.log.iter().take(6).map(|(at, by, segment)| (*at, *by, segment.kind)).collect();
    assert_eq!(
        first,
        [
            (ms(0), true, SegmentKind::Syn),
            (ms(50), false, SegmentKind::SynAck),
            (ms(100), true, SegmentKind::HandshakeAck),
            (ms(100), true, SegmentKind::Data),
            (ms(100), true, SegmentKind::Data),
            (ms(100), true, SegmentKind::Data),
        ]
    );
    assert_eq!(ends.started(), (ms(100), 10, Some(Span::from_millis(100))));
    // The transfer takes two round trips.
    assert_eq!(ends.sender.completed_at(), Some(ms(200)));
    let stats = ends.sender.stats();
    assert_eq!(
        (stats.syns, stats.sent, stats.retransmitted, stats.timeouts, stats.lost),
        (1, 4, 0, 0, 0),
        "FIN leaves too"
    );
    assert_eq!(ends.receiver.stats().received_bytes, 3 * 1448);
}

/// RFC 6298 (2.1), (5.5): the timeout is 1 s, and doubles at each expiration.
#[test]
fn a_syn_is_repeated_after_1_3_7_and_15_seconds() {
    let ends = Ends::new(&handshake(), bytes(1448), &[0, 1, 2, 3]).run(ms(20_000));
    assert_eq!(ends.times(SegmentKind::Syn), [0, 1_000, 3_000, 7_000, 15_000]);
    assert_eq!(ends.started(), (ms(15_100), 1, Some(Span::from_millis(100))));
    let stats = ends.sender.stats();
    assert_eq!((stats.syns, stats.sent, stats.timeouts, stats.presumed_lost), (5, 2, 0, 0));
    assert_eq!(ends.sender.completed_at(), Some(ms(15_200)));
}

/// The back-off stops at the maximum timeout: 1, 2, 4, 5 and 5 s.
#[test]
fn a_syn_nobody_answers_is_repeated_for_ever() {
    let all: Vec<usize> = (0..100).collect();
    let config = Config { max_rto: Span::from_secs(5), ..handshake() };
    let ends = Ends::new(&config, bytes(1448), &all).run(ms(18_000));
    assert_eq!(ends.times(SegmentKind::Syn), [0, 1_000, 3_000, 7_000, 12_000, 17_000]);
    assert!(!ends.sender.is_established() && ends.sender.completed_at().is_none());
    assert!(ends.witness.start.lock().unwrap().is_none());
}

/// RFC 5681, section 3.1: the initial window is one segment. In Linux, the initial window is not reduced after one
/// repetition.
#[test]
fn the_initial_window_after_lost_syns() {
    let window = |after, lost: &[usize]| {
        let config = Config { initial_window: 10, ..config(Setup::Handshake, after) };
        let ends = Ends::new(&config, bytes(14_480), lost).run(ms(3_190));
        let at = ends.started().0;
        ends.log.iter().filter(|row| row.0 == at && row.2.len > 0).count()
    };
    assert_eq!(window(AfterLostSyn::Rfc, &[]), 10);
    assert_eq!(window(AfterLostSyn::Rfc, &[0]), 1);
    assert_eq!(window(AfterLostSyn::Linux, &[0]), 10);
    assert_eq!(window(AfterLostSyn::Linux, &[0, 1]), 1);
    // The SYN-ACK is lost, not the SYN. The RFC treats both cases in the same way.
    assert_eq!(window(AfterLostSyn::Rfc, &[1]), 1);
    // Two SYN-ACKs are lost. The third echoes the first SYN, so the repetitions of the SYN appear to be unnecessary
    // (RFC 3522).
    assert_eq!(window(AfterLostSyn::Linux, &[1, 3]), 10);
}

/// The data segment and the FIN after it are lost. Returns the time of each repetition, relative to the first
/// transmission.
fn first_timeout(after_lost_syn: AfterLostSyn, lost: &[usize]) -> Vec<u64> {
    let config = config(Setup::Handshake, after_lost_syn);
    let ends = Ends::new(&config, bytes(1448), lost).run(ms(9_000));
    let begun = ends.times(SegmentKind::Data)[0];
    ends.times(SegmentKind::Data)[1..].iter().map(|at| at - begun).collect()
}

#[test]
fn the_first_timeout_of_data() {
    // R = 100 ms, so SRTT is 100 ms and RTTVAR is 50 ms. RTO = SRTT + max(200 ms, 4 RTTVAR) = 300 ms (RFC 6298 (2.2),
    // (2.3)).
    assert_eq!(first_timeout(AfterLostSyn::Rfc, &[3, 4])[0], 300);
    // The packets are SYN 0, SYN 1, SYN-ACK 2, ACK 3, data 4 and FIN 5. RFC 6298 (5.7): the timeout is 3 s.
    assert_eq!(first_timeout(AfterLostSyn::Rfc, &[0, 4, 5])[0], 3_000);
    // In Linux, the sample comes from the timestamp.
    assert_eq!(first_timeout(AfterLostSyn::Linux, &[0, 4, 5])[0], 300);
    // The SYN-ACK was lost. The packet that arrives at 1.1 s echoes the first SYN, so R = 1.1 s and RTO = 1.1 + 2.2 s.
    assert_eq!(first_timeout(AfterLostSyn::Linux, &[1, 5, 6])[0], 3_300);
}

/// RFC 9293, section 3.5: a data segment establishes the connection in the same way as the ACK.
#[test]
fn a_lost_third_ack_is_made_good_by_data() {
    let ends = Ends::new(&handshake(), bytes(1448), &[2]).run(ms(10_000));
    assert_eq!(ends.times(SegmentKind::SynAck), [50]);
    assert_eq!(ends.sender.completed_at(), Some(ms(200)));
}

/// ACK, data and FIN are lost. The SYN-ACK is sent again one second after the first, and is then acknowledged.
#[test]
fn a_syn_ack_without_an_answer_is_repeated() {
    let config = Config { min_rto: Span::from_secs(5), ..handshake() };
    let ends = Ends::new(&config, bytes(1448), &[2, 3, 4]).run(ms(20_000));
    assert_eq!(ends.times(SegmentKind::SynAck), [50, 1_050]);
    assert_eq!(ends.times(SegmentKind::HandshakeAck), [100, 1_100]);
    assert_eq!(ends.times(SegmentKind::Data), [100, 5_100]);
    // A SYN-ACK is repeated after 1 s, and again 2 s later.
    let ends = Ends::new(&config, bytes(1448), &[2, 3, 4, 6]).run(ms(4_000));
    assert_eq!(ends.times(SegmentKind::SynAck), [50, 1_050, 3_050]);
}

/// A repeated SYN arrives when the SYN-ACK's own timer expires. There is only one answer.
#[test]
fn a_lost_syn_ack_costs_one_repetition() {
    let ends = Ends::new(&handshake(), bytes(1448), &[1]).run(ms(10_000));
    assert_eq!(ends.times(SegmentKind::Syn), [0, 1_000]);
    assert_eq!(ends.times(SegmentKind::SynAck), [50, 1_050]);
    assert_eq!(ends.sender.completed_at(), Some(ms(1_200)));
}

#[test]
fn the_handshake_is_the_first_sample() {
    let ends = Ends::new(&handshake(), bytes(1448), NONE_LOST).run(ms(10_000));
    let rtt = Some(Span::from_millis(100));
    assert_eq!(*ends.witness.acks.lock().unwrap(), [(ms(200), rtt, rtt); 2]);
}

/// All data have been sent when the application closes. FIN is a separate packet directly after the data
/// (`tcp_send_fin()`; the openings `transfer-1` to `transfer-10` of `data/linux`). If the ACK of the last segment were
/// delayed, it would be sent 40 ms late. Because of FIN, the receiver acknowledges immediately.
#[test]
fn fin_follows_data_that_have_left_and_is_not_delayed() {
    let delayed_ack = Some(DelayedAck::Every { segments: 2, at_most: Span::from_millis(40) });
    let end = |setup| {
        let config = Config { setup, delayed_ack, ..Config::default() };
        let ends = Ends::new(&config, bytes(3 * 1448), NONE_LOST).run(ms(10_000));
        assert_eq!(ends.receiver.stats().delivered_bytes, 3 * 1448);
        (ends.sender.completed_at(), ends.fins())
    };
    assert_eq!(end(Setup::None), (Some(ms(140)), vec![]));
    assert_eq!(end(Setup::Handshake), (Some(ms(200)), vec![(100, 0)]));
}

/// If data still wait when the application closes, the last of them carries FIN. Ten segments fill the window, so FIN
/// is an eleventh packet.
#[test]
fn fin_rides_on_what_still_waits() {
    let fins = |segments: u64, fin_beyond_window| {
        let config = Config { fin_beyond_window, ..handshake() };
        let ends = Ends::new(&config, bytes(segments * 1448), NONE_LOST).run(ms(10_000));
        assert!(ends.sender.is_complete());
        assert_eq!(ends.receiver.stats().delivered_bytes, segments * 1448);
        ends.fins()
    };
    assert_eq!(fins(10, false), [(100, 0)]);
    assert_eq!(fins(11, false), [(200, 1448)]);
    assert_eq!(fins(11, true), [(100, 1448)]);
    assert_eq!(fins(12, true), [(200, 1448)]);
}

/// The last data segment is lost, and the acknowledgement of FIN shows this loss. Without FIN, the loss would be
/// detected only by the timeout.
#[test]
fn fin_shows_that_the_last_data_are_lost() {
    let config = Config { recovery: bentpipe_tcp::Recovery::RackTlp, ..handshake() };
    // The packets are SYN 0, SYN-ACK 1, ACK 2, data 3 to 12 and FIN 13.
    let ends = Ends::new(&config, bytes(14_480), &[12]).run(ms(10_000));
    // The repair is sent a quarter of the round trip after the acknowledgement of FIN (RFC 8985, section 6.2).
    assert_eq!(ends.times(SegmentKind::Data)[9..], [100, 225]);
    assert_eq!((ends.sender.stats().timeouts, ends.sender.stats().tail_probes), (0, 0));
    assert_eq!(ends.sender.completed_at(), Some(ms(325)));
}

/// FIN is repeated like data, but does not count as a byte.
#[test]
fn a_lost_fin_is_repeated() {
    let ends = Ends::new(&handshake(), bytes(1448 + 7), &[5]).run(ms(10_000));
    assert_eq!(ends.fins(), [(100, 0), (500, 0)], "RTO 300 ms after the ACK of the data");
    assert_eq!(ends.sender.completed_at(), Some(ms(200)));
    assert_eq!(ends.receiver.stats().delivered_bytes, 1455);
    // The short segment and FIN wait for the first segment.
    let ends = Ends::new(&handshake(), bytes(1448 + 7), &[3]).run(ms(10_000));
    assert_eq!((ends.receiver.stats().delivered_bytes, ends.sender.stats().delivered_bytes), (1455, 1455));
}

/// If an application writes slowly, it closes after its last write.
#[test]
fn fin_follows_what_trickles() {
    let trickle = Some(trickle());
    let ends = Ends::new(&Config { trickle, ..handshake() }, bytes(2_896), NONE_LOST).run(ms(10_000));
    assert_eq!((ends.times(SegmentKind::Data), ends.fins()), (vec![111, 123], vec![(123, 0)]));
}

/// Linux sends the last segment even if it exceeds the window. With a window of ten, eleven segments are sent at once.
/// Of twelve segments, the eleventh and the twelfth wait.
#[test]
fn fin_beyond_the_window() {
    let sendings = |segments: u64, fin_beyond_window| {
        let config = Config { fin_beyond_window, ..handshake() };
        let ends = Ends::new(&config, bytes(segments * 1448), NONE_LOST).run(ms(10_000));
        ends.times(SegmentKind::Data)[9..].to_vec()
    };
    assert_eq!(sendings(11, false), [100, 200]);
    assert_eq!(sendings(11, true), [100, 100]);
    assert_eq!(sendings(12, true), [100, 200, 200]);
}

/// Fast Open (RFC 7413): with an MTU of 1500 B, there is room for 1420 B in addition to the longest headers, as in
/// Linux.
#[test]
fn fast_open_brings_data_with_the_syn() {
    let config = config(Setup::FastOpen, AfterLostSyn::Rfc);
    // All data fit into the SYN, so the transfer takes one round trip.
    let ends = Ends::new(&config, bytes(1_420), NONE_LOST).run(ms(10_000));
    assert_eq!(ends.sender.completed_at(), Some(ms(100)));
    assert_eq!((ends.log[0].2.len, ends.data().len()), (1_420, 0));
    assert_eq!((ends.sender.stats().delivered_bytes, ends.receiver.stats().delivered_bytes), (1_420, 1_420));
    // With one more byte, this byte is sent after the SYN-ACK.
    let ends = Ends::new(&config, bytes(1_421), NONE_LOST).run(ms(10_000));
    assert_eq!(ends.data().iter().map(|segment| (segment.seq, segment.len)).collect::<Vec<_>>(), [(1, 1)]);
    assert_eq!(ends.times(SegmentKind::Data), [100]);
    assert_eq!(ends.sender.completed_at(), Some(ms(200)));
    // 15928 = 1420 + 10 * 1448 + 28: the SYN, the window of ten, and the rest.
    let ends = Ends::new(&config, bytes(15_928), NONE_LOST).run(ms(10_000));
    let lens: Vec<_> = ends.data().iter().map(|segment| segment.len).collect();
    assert_eq!(lens, [&[1_448; 10][..], &[28]].concat());
    assert_eq!(ends.sender.completed_at(), Some(ms(300)));
    assert_eq!(ends.receiver.stats().delivered_bytes, 15_928);
    assert_eq!(ends.sender.stats().sent_bytes, 15_928);
}

/// The SYN with data is lost. It is repeated without data, and the data are sent after the handshake
/// (`tcp_send_syn_data()`).
#[test]
fn a_lost_syn_with_data_falls_back() {
    let config = config(Setup::FastOpen, AfterLostSyn::Linux);
    let ends = Ends::new(&config, bytes(3_000), &[0]).run(ms(10_000));
    let syns: Vec<_> = ends.log.iter().filter(|row| row.2.kind == SegmentKind::Syn).collect();
    assert_eq!(syns.iter().map(|row| row.2.len).collect::<Vec<_>>(), [1_420, 0]);
    let lens: Vec<_> = ends.data().iter().map(|segment| (segment.seq, segment.len)).collect();
    assert_eq!(lens, [(0, 1_420), (1, 1_448), (2, 132)]);
    assert_eq!(ends.sender.completed_at(), Some(ms(1_200)));
    assert_eq!((ends.receiver.stats().delivered_bytes, ends.receiver.stats().received_bytes), (3_000, 3_000));
    // The SYN-ACK was lost. The data have arrived, and the second SYN-ACK acknowledges them.
    let ends = Ends::new(&config, bytes(3_000), &[1]).run(ms(10_000));
    assert_eq!(ends.data().iter().map(|segment| segment.seq).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(ends.receiver.stats().delivered_bytes, 3_000);
}

/// Short segments are counted with their length, in any order of arrival.
#[test]
fn short_segments_out_of_order() {
    let config = config(Setup::FastOpen, AfterLostSyn::Linux);
    // SYN 0 and the first data are lost (SYN 1, SYN-ACK 2, ACK 3, data 4). The last segment therefore arrives before
    // the first.
    let ends = Ends::new(&config, bytes(1_420 + 3 * 1_448 + 5), &[0, 4]).run(ms(10_000));
    assert!(ends.sender.is_complete());
    let stats = ends.receiver.stats();
    assert_eq!((stats.delivered, stats.delivered_bytes), (6, 1_420 + 3 * 1_448 + 5));
    assert_eq!(ends.sender.stats().delivered_bytes, stats.delivered_bytes);
}

/// If an application has not written yet, the SYN carries no data.
#[test]
fn a_trickle_has_nothing_for_the_syn() {
    let trickle = Some(trickle());
    let config = Config { trickle, ..config(Setup::FastOpen, AfterLostSyn::Rfc) };
    let ends = Ends::new(&config, bytes(2_896), NONE_LOST).run(ms(10_000));
    assert_eq!(ends.log[0].2.len, 0);
    // At 1 Mbit/s, 1448 B are written 11.584 ms after the connection began.
    assert_eq!(ends.times(SegmentKind::Data), [111, 123]);
}

/// The first data segment echoes the stamp of the SYN-ACK. The receiver therefore has a sample of the round trip
/// (`tcp_rcv_rtt_measure_ts`; `rcv_rtt_us` of `data/linux/openings.parquet`). If there are two SYN-ACKs, the sample is
/// from the newer one.
#[test]
fn the_handshake_is_the_receivers_first_sample() {
    let delayed_ack = Some(DelayedAck::Linux);
    let config = Config { delayed_ack, ..config(Setup::Handshake, AfterLostSyn::Linux) };
    for lost in [&[][..], &[1]] {
        let ends = Ends::new(&config, bytes(1448), lost).run(ms(10_000));
        let answers: Vec<_> = ends.log.iter().filter(|row| row.2.kind == SegmentKind::SynAck).collect();
        assert_eq!(answers.len(), 1 + lost.len());
        let newest = answers[lost.len()].2.stamp;
        assert!(newest > 0 && answers.iter().filter(|row| row.2.stamp == newest).count() == 1);
        assert_eq!(ends.data()[0].stamp, newest);
    }
}

#[test]
fn stopped_before_it_is_established_nothing_more_leaves() {
    let mut ends = Ends::new(&handshake(), Transfer::Endless, &[0]);
    ends.sender.stop(ms(0));
    assert_eq!(ends.sender.next_timeout(), Time::MAX);
    let ends = ends.run(ms(10_000));
    assert_eq!(ends.log.len(), 1);
    // The SYN-ACK of the stopped connection arrives later, and is not answered.
    let mut ends = Ends::new(&handshake(), Transfer::Endless, NONE_LOST).run(ms(60));
    ends.sender.stop(ms(60));
    let ends = ends.run(ms(900));
    assert_eq!(ends.times(SegmentKind::HandshakeAck), [] as [u64; 0]);
    assert!(!ends.sender.is_established());
}

/// The round trip is longer than the first timeout. There are two SYNs, two SYN-ACKs and one connection.
#[test]
fn a_timeout_that_was_a_mistake_does_no_harm() {
    let config =
        Config { initial_rto: Span::from_millis(60), ..config(Setup::Handshake, AfterLostSyn::Linux) };
    let ends = Ends::new(&config, bytes(1448), NONE_LOST).run(ms(10_000));
    // The SYN is repeated at 60 ms. At 110 ms, the second SYN arrives when the timer of the SYN-ACK expires (50 + 60
    // ms), so there is one answer.
    assert_eq!(ends.times(SegmentKind::Syn), [0, 60]);
    assert_eq!(ends.times(SegmentKind::SynAck), [50, 110]);
    assert_eq!(ends.times(SegmentKind::HandshakeAck), [100, 160]);
    assert_eq!(ends.sender.completed_at(), Some(ms(200)));
    assert_eq!(ends.started().1, 10);
}

#[test]
fn without_a_set_up_nothing_changes() {
    let ends = Ends::new(&config(Setup::None, AfterLostSyn::Rfc), bytes(1448), NONE_LOST).run(ms(10_000));
    let kinds: Vec<_> = ends.log.iter().map(|row| row.2.kind).collect();
    assert_eq!(kinds, [SegmentKind::Data, SegmentKind::Ack]);
    assert_eq!(ends.started(), (ms(0), 10, None));
}
