// SPDX-License-Identifier: MIT OR Apache-2.0
//! Explicit congestion notification: which packets may be marked, how the receiver reports marks, and how the sender
//! reacts.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use bentpipe_tcp::sender::ecn::{syn_ack_flags, syn_flags};
use bentpipe_tcp::{Config, DelayedAck, Ecn, Event, Flags, Receiver, Recovery, Segment, Sender, Transfer};
use common::{Halving, MSS, config, ms};
use control::Signals;
use units::{Span, Time};

fn with(ecn: Ecn) -> Config {
    Config { ecn: Some(ecn), ..config(Recovery::RackTlp) }
}

fn data(seq: u32, flags: Flags) -> Segment {
    Segment { seq, len: MSS, flags: Flags::ECT | flags, ..Segment::default() }
}

/// The answers of the receiver to segments 0, 1, 2, ... with these bits. Each answer is its number, and whether it has
/// ECE.
fn answers(config: &Config, bits: &[Flags]) -> Vec<(u32, bool)> {
    let mut receiver = Receiver::new(config);
    let mut out = Vec::new();
    for (seq, bits) in (0..).zip(bits) {
        receiver.handle(ms(u64::from(seq)), &data(seq, *bits));
        while let Some(ack) = receiver.poll_transmit(ms(u64::from(seq))) {
            out.push((ack.seq, ack.flags.has(Flags::ECE)));
        }
    }
    out
}

const OFTEN: DelayedAck = DelayedAck::Every { segments: 2, at_most: Span::from_millis(40) };

/// RFC 3168, section 6.1.1: the SYN has ECE and CWR, and the SYN-ACK has only ECE. Both ends must request ECN.
#[test]
fn both_ends_must_want_it() {
    let (on, off) = (with(Ecn::Classic), config(Recovery::Sack));
    assert!(syn_flags(on.ecn).has(Flags::ECE | Flags::CWR));
    assert_eq!(syn_flags(off.ecn), Flags::NONE);
    assert_eq!(syn_ack_flags(on.ecn, syn_flags(on.ecn)), Flags::ECE);
    assert_eq!(syn_ack_flags(off.ecn, syn_flags(on.ecn)), Flags::NONE);
    assert_eq!(syn_ack_flags(on.ecn, syn_flags(off.ecn)), Flags::NONE);
}

/// RFC 3168, section 6.1.3: every ACK from the mark until CWR has ECE.
#[test]
fn a_classic_receiver_says_so_until_the_sender_has_cut() {
    let bits = [Flags::NONE, Flags::CE, Flags::NONE, Flags::NONE, Flags::CWR, Flags::NONE];
    let expected = [(1, false), (2, true), (3, true), (4, true), (5, false), (6, false)];
    assert_eq!(answers(&with(Ecn::Classic), &bits), expected);
    // A mark on the segment that carries CWR is a new mark.
    let again = [Flags::CE, Flags::CE | Flags::CWR, Flags::NONE];
    assert_eq!(answers(&with(Ecn::Classic), &again), [(1, true), (2, true), (3, true)]);
}

/// `__tcp_ecn_check_ce`: two quick ACKs begin with the first mark. Two quick ACKs also begin with a segment that is not
/// ECN-capable and follows ECN-capable segments. By then, the 16 quick ACKs of the start have been sent.
#[test]
fn linux_hurries_at_the_first_mark() {
    let linux = Config { delayed_ack: Some(DelayedAck::Linux), ..with(Ecn::Classic) };
    let bits = |special: Flags| {
        let mut bits = [Flags::NONE; 24];
        bits[18] = special;
        bits
    };
    let behind = |bits: &[Flags]| {
        let acks = answers(&linux, bits).into_iter().filter(|ack| ack.0 > 16);
        acks.collect::<Vec<_>>()
    };
    assert_eq!(behind(&bits(Flags::NONE)), [18, 20, 22, 24].map(|seq| (seq, false)));
    assert_eq!(behind(&bits(Flags::CE)), [(18, false), (19, true), (20, true), (22, true), (24, true)]);
    // A second mark causes no further quick ACKs.
    let mut twice = bits(Flags::CE);
    twice[20] = Flags::CE;
    assert_eq!(behind(&twice), behind(&bits(Flags::CE)));
    // The segment with CWR is acknowledged immediately, but later segments are not (tcp_ecn_accept_cwr).
    assert_eq!(behind(&bits(Flags::CWR)), [18, 19, 21, 23].map(|seq| (seq, false)));
    // This segment is a retransmission, so it is not ECN-capable.
    let mut receiver = Receiver::new(&linux);
    let mut acks = Vec::new();
    for seq in 0..24 {
        let mut segment = data(seq, Flags::NONE);
        if seq == 18 {
            segment.flags = Flags::NONE;
        }
        receiver.handle(ms(u64::from(seq)), &segment);
        acks.extend(std::iter::from_fn(|| receiver.poll_transmit(ms(u64::from(seq)))).map(|ack| ack.seq));
    }
    assert_eq!(acks[16..], [18, 19, 20, 22, 24]);
}

/// RFC 8257, section 3.2 and figure 1, with one ACK per two segments. When the mark changes, the earlier segments are
/// acknowledged first, with the old bit. The segment with the changed mark is then acknowledged immediately.
#[test]
fn dctcps_receiver_tells_which_were_marked() {
    let delayed = Config { delayed_ack: Some(OFTEN), ..with(Ecn::Dctcp) };
    let no = Flags::NONE;
    let bits = [no, no, no, Flags::CE, Flags::CE, Flags::CE, no, no, no];
    // 0 1 | 2, then CE: ACK 3 without ECE, ACK 4 with ECE | 4 5 | no mark: no segment waits, ACK 7 without ECE | 7 8
    let expected = [(2, false), (3, false), (4, true), (6, true), (7, false), (9, false)];
    assert_eq!(answers(&delayed, &bits), expected);
    // Every segment is acknowledged with its own bit, for any sequence of marks.
    let every = [no, Flags::CE, no, Flags::CE, Flags::CE, no];
    assert_eq!(
        answers(&with(Ecn::Dctcp), &every),
        [(1, false), (2, true), (3, false), (4, true), (5, true), (6, false)]
    );
}

/// The early acknowledgement echoes the timestamp of the segments that it acknowledges (RFC 7323, section 4.3).
#[test]
fn the_early_acknowledgement_echoes_its_own_timestamp() {
    let mut receiver = Receiver::new(&Config { delayed_ack: Some(OFTEN), ..with(Ecn::Dctcp) });
    receiver.handle(ms(10), &Segment { timestamp: ms(1), ..data(0, Flags::NONE) });
    assert!(receiver.poll_transmit(ms(10)).is_none());
    receiver.handle(ms(11), &Segment { timestamp: ms(2), ..data(1, Flags::CE) });
    let first = receiver.poll_transmit(ms(11)).unwrap();
    let second = receiver.poll_transmit(ms(11)).unwrap();
    assert_eq!([(first.seq, first.timestamp), (second.seq, second.timestamp)], [(1, ms(1)), (2, ms(2))]);
    assert!(receiver.poll_transmit(ms(11)).is_none());
}

/// A sender with a window of 20 segments. It receives one ACK per segment.
struct Flow {
    sender: Sender,
    now: Time,
    sent: Vec<Segment>,
    events: Vec<Event>,
}

impl Flow {
    fn new(config: &Config) -> Self {
        let (controller, _) = Halving::new(20);
        let mut sender = Sender::new(config.clone(), Box::new(controller), Transfer::Endless, None);
        sender.record_events(true);
        sender.start(ms(0));
        let mut flow = Self { sender, now: ms(0), sent: Vec::new(), events: Vec::new() };
        flow.send();
        flow
    }
    fn send(&mut self) {
        self.sent.extend(std::iter::from_fn(|| self.sender.poll_transmit(self.now)));
    }
    /// Sends ACKs up to `last`. Each ACK covers one more segment.
    fn acks(&mut self, numbers: std::ops::RangeInclusive<u32>, flags: Flags) {
        for seq in numbers {
            self.now += Span::from_millis(1);
            let timestamp = self.sent.iter().find(|sent| sent.seq + 1 == seq).unwrap().timestamp;
            let kind = bentpipe_tcp::SegmentKind::Ack;
            let ack = Segment { kind, seq, timestamp, flags, window: 1 << 20, ..Segment::default() };
            self.sender.handle(self.now, &ack);
            self.events.extend(self.sender.events());
            self.send();
        }
    }
    fn marks(&self) -> usize {
        self.events.iter().filter(|event| **event == Event::Marked).count()
    }
    fn cwr(&self) -> Vec<u32> {
        self.sent.iter().filter(|sent| sent.flags.has(Flags::CWR)).map(|sent| sent.seq).collect()
    }
}

/// RFC 3168, section 6.1.2: there is one reduction per window of data, for any number of ACKs with ECE. The first new
/// segment carries CWR.
#[test]
fn a_sender_answers_once_per_window_of_data() {
    let mut flow = Flow::new(&Config { prr: Some(false), ..with(Ecn::Classic) });
    assert_eq!((flow.sent.len(), flow.sent.iter().all(|sent| sent.flags == Flags::ECT)), (20, true));
    // Segments 0 to 19 are outstanding. The first ACK acknowledges segment 0 and carries the mark. The window is then
    // 10, and 19 segments are in flight.
    flow.acks(1..=20, Flags::ECE);
    assert_eq!((flow.marks(), flow.sender.control().cwnd.get()), (1, 10_000));
    // 20 - n is below 10 for the first time at the 11th ACK.
    assert_eq!(flow.sent[20].timestamp, ms(11));
    assert_eq!(flow.cwr(), [20]);
    // Segment 20 was not outstanding at the mark, so its acknowledgement ends the reduction. The mark of this ACK is
    // the next mark.
    flow.acks(21..=21, Flags::ECE);
    assert_eq!((flow.marks(), flow.sender.control().cwnd.get()), (2, 5_000));
    let stats = flow.sender.stats();
    assert_eq!((stats.ece_acks, stats.ecn_cuts, stats.episodes, stats.lost), (21, 2, 0, 0));
}

/// RFC 9937 applied to a mark: the window decreases from 20 to 10 over the round trip. Every second ACK decreases it by
/// one segment.
#[test]
fn with_prr_the_window_comes_down_over_the_round_trip() {
    let mut flow = Flow::new(&with(Ecn::Classic));
    flow.acks(1..=1, Flags::ECE);
    flow.acks(2..=20, Flags::NONE);
    // SndCnt = ceil(n 10/20) - sent, so segments are sent at the ACKs 1, 3, 5, ... 17. At ACK 19, inflight is 20 - 19 +
    // 9 = 10, which is not above ssthresh, and MIN(10 - 10, ...) = 0. At ACK 20, inflight is 9, so one segment is sent.
    let times: Vec<Time> = flow.sent[20..].iter().map(|sent| sent.timestamp).collect();
    assert_eq!(times, [1, 3, 5, 7, 9, 11, 13, 15, 17, 20].map(ms));
    assert_eq!(flow.cwr(), [20]);
}

/// A segment that is lost in the window of the mark is repaired without a further reduction (RFC 3168, section 6.1.2).
/// With DCTCP, this loss halves the window like any other loss (RFC 8257, section 3.5; `dctcp_state`). The repair is
/// not ECN-capable (RFC 3168, section 6.1.5; with DCTCP, as in Linux).
#[test]
fn a_loss_beside_a_mark_cuts_further_with_dctcp_alone() {
    for (ecn, again, left) in [(Ecn::Classic, Flags::NONE, 10_000), (Ecn::Dctcp, Flags::ECT, 5_000)] {
        let mut flow = Flow::new(&with(ecn));
        flow.acks(1..=2, Flags::ECE);
        // Segment 2 is lost, and the segments above it are SACKed.
        for above in 4..=20 {
            flow.now += Span::from_millis(1);
            let timestamp = ms(0);
            let kind = bentpipe_tcp::SegmentKind::Ack;
            let sack = [[3, above], [0, 0], [0, 0]];
            let ack = Segment {
                kind,
                seq: 2,
                timestamp,
                sack,
                sack_count: 1,
                window: 1 << 20,
                ..Segment::default()
            };
            flow.sender.handle(flow.now, &ack);
            flow.events.extend(flow.sender.events());
            flow.send();
        }
        assert_eq!((flow.marks(), flow.sender.control().cwnd.get()), (1, left), "{ecn:?}");
        let repairs: Vec<_> = flow.sent.iter().filter(|sent| sent.seq == 2).map(|sent| sent.flags).collect();
        assert_eq!(repairs, [Flags::ECT, again], "{ecn:?}");
        let stats = flow.sender.stats();
        assert_eq!(
            (stats.episodes, stats.lost, stats.retransmitted),
            (u64::from(ecn == Ecn::Dctcp), 1, 1),
            "{ecn:?}"
        );
        // The repair fills the hole, and segment 20 is acknowledged. The recovery is over, so the window may increase.
        flow.acks(21..=21, Flags::NONE);
        assert!(!flow.events.contains(&Event::Timeout));
    }
}

/// A mark during a recovery causes no further reduction (`tcp_enter_cwr` does nothing in recovery; RFC 8257, section
/// 3.5: once per window of data).
#[test]
fn a_mark_beside_a_loss_cuts_no_further() {
    for ecn in [Ecn::Classic, Ecn::Dctcp] {
        let mut flow = Flow::new(&with(ecn));
        // Segment 0 is lost.
        for above in 2..=20 {
            flow.now += Span::from_millis(1);
            let kind = bentpipe_tcp::SegmentKind::Ack;
            let sack = [[1, above], [0, 0], [0, 0]];
            let flags = Flags::when(above > 10, Flags::ECE);
            let ack = Segment { kind, sack, sack_count: 1, flags, window: 1 << 20, ..Segment::default() };
            flow.sender.handle(flow.now, &ack);
            flow.events.extend(flow.sender.events());
            flow.send();
        }
        assert_eq!((flow.marks(), flow.sender.control().cwnd.get()), (0, 10_000), "{ecn:?}");
    }
}

/// Only with the echo of DCTCP does the sender know single marks.
#[test]
fn only_dctcps_echo_reports_every_mark() {
    assert!(with(Ecn::Dctcp).platform().signals().contains(Signals::ECN));
    assert!(!with(Ecn::Classic).platform().signals().contains(Signals::ECN));
}
