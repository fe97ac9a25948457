// SPDX-License-Identifier: MIT OR Apache-2.0
//! AccECN (RFC 9768) between a sender and a receiver. The feedback of marks must be correct for any treatment of
//! acknowledgements.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use bentpipe_tcp::sender::ecn::{handshake_ack_flags, syn_ack_flags, syn_flags};
use bentpipe_tcp::{
    Config, DelayedAck, Ecn, Flags, GrowingWindow, ReceiveWindow, Receiver, Recovery, Segment,
};
use common::{Fate, MSS, World, config, ms, segments};
use control::Signals;
use units::{Bytes, Span, Time};

fn with(ecn: Ecn) -> Config {
    Config { ecn: Some(ecn), ..config(Recovery::RackTlp) }
}

const OFTEN: DelayedAck = DelayedAck::Every { segments: 8, at_most: Span::from_millis(40) };

/// AE, CWR and ECE as one number.
fn ace(segment: &Segment) -> u8 {
    let bit = |bit, value: u8| if segment.flags.has(bit) { value } else { 0 };
    bit(Flags::AE, 4) + bit(Flags::CWR, 2) + bit(Flags::ECE, 1)
}

/// Uniform numbers below 1, from Marsaglia's xorshift with 64 bits of state (Journal of Statistical Software 8(14),
/// 2003).
fn chances(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// RFC 9768, table 2: the SYN requests AccECN with all three bits. The SYN-ACK reports that the SYN arrived without
/// ECT. Table 3: the ACK reports the same for the SYN-ACK.
#[test]
fn the_set_up_agrees_on_it() {
    let ecn = Some(Ecn::AccurateL4s);
    let flags = [syn_flags(ecn), syn_ack_flags(ecn, syn_flags(ecn)), handshake_ack_flags(ecn)];
    assert_eq!(flags.map(|flags| ace(&Segment { flags, ..Segment::default() })), [7, 2, 2]);
    assert!(!flags.iter().any(|flags| flags.is_markable()));
    // Table 2, third block: a SYN that requests only RFC 3168 receives a reply for RFC 3168.
    assert_eq!(syn_ack_flags(ecn, syn_flags(Some(Ecn::Classic))), Flags::ECE);
    assert_eq!(handshake_ack_flags(Some(Ecn::Classic)), Flags::NONE);
}

/// Section 3.2.2.5.1, with one ACK for eight segments: the first mark and every second mark are acknowledged
/// immediately. The end of a sequence of marks is not acknowledged immediately. Section 3.2.1: the field begins with 5.
#[test]
fn a_receiver_counts_and_hurries() {
    let mut receiver = Receiver::new(&Config { delayed_ack: Some(OFTEN), ..with(Ecn::Accurate) });
    let mut acks = Vec::new();
    for (seq, marked) in (0_u32..).zip([false, true, true, true, true, false, false, true, false]) {
        let now = ms(u64::from(seq));
        let flags = if marked { Flags::CE } else { Flags::ECT };
        receiver.handle(now, &Segment { seq, len: MSS, flags, ..Segment::default() });
        acks.extend(std::iter::from_fn(|| receiver.poll_transmit(now)).map(|ack| (ack.seq, ace(&ack))));
    }
    receiver.handle_timeout(ms(60));
    acks.extend(std::iter::from_fn(|| receiver.poll_transmit(ms(60))).map(|ack| (ack.seq, ace(&ack))));
    // Two values exceed 7 and wrap around: 5 + 4 = 9 is sent as 1, and 10 is sent as 2.
    assert_eq!(acks, [(2, 6), (4, 0), (8, 2), (9, 2)]);
    assert!(!receiver.poll_transmit(ms(60)).is_some_and(|ack| ack.flags.is_markable()));
    // A segment that arrived earlier is not "acceptable" (RFC 9293, section 3.10.7.4), and is not counted.
    receiver.handle(ms(70), &Segment { seq: 3, len: MSS, flags: Flags::CE, ..Segment::default() });
    assert_eq!(ace(&receiver.poll_transmit(ms(70)).unwrap()), 2);
}

/// A transfer in which every tenth segment is marked at random and some data are lost. `acks` determines the fate of
/// each acknowledgement. Returns the number of marks that arrived, and the number of marks that the sender knows.
fn told(config: &Config, acks: impl Fn(f64) -> Option<Fate>) -> (u64, u64) {
    let mut world = World::new(config, 40, segments(20_000), 50);
    let mut chance = chances(7);
    for number in 0..21_000 {
        match chance() {
            p if p < 0.1 => world.fates.insert(number, Fate::Mark),
            p if p < 0.101 => world.fates.insert(number, Fate::Drop),
            _ => None,
        };
        if let Some(fate) = acks(chance()) {
            world.ack_fates.insert(number, fate);
        }
    }
    world.complete();
    assert!(world.sent.len() > 20_000, "something was lost");
    (world.receiver.stats().marked, world.sender.stats().marks)
}

/// Section 6, "Resilience": if acknowledgements are lost or overtaken, the next acknowledgement contains their
/// information. With the echo of DCTCP, some marks are lost, and some marks are counted twice.
#[test]
fn lost_acknowledgements_lose_no_marks() {
    let lost = |share: f64| move |chance: f64| (chance < share).then_some(Fate::Drop);
    let late = |chance: f64| (chance < 0.3).then_some(Fate::Late(Span::from_millis(3)));
    for ecn in [Ecn::Accurate, Ecn::AccurateL4s] {
        let (marked, heard) = told(&with(ecn), late);
        assert_eq!(marked, heard, "{ecn:?} late");
        // If ACKs are lost, some data arrive twice. With "accurate-l4s", the second copy may be marked, but this mark
        // is not counted.
        let (marked, heard) = told(&with(ecn), lost(0.2));
        let twice = if ecn == Ecn::Accurate { 0..=0 } else { 0..=40 };
        assert!(marked > 1_500 && twice.contains(&(marked - heard)), "{ecn:?} {marked} {heard}");
    }
    let (marked, heard) = told(&with(Ecn::Dctcp), lost(0.2));
    assert!(heard != marked, "{marked} {heard}");
}

/// A controller that responds once per window of data gets one request per window. CWR is never sent (section 3.1.5).
/// With "accurate", SYNs, ACKs and repairs carry no ECT.
#[test]
fn a_mark_is_answered_once_per_window_and_without_cwr() {
    assert!(with(Ecn::Accurate).platform().signals().contains(Signals::ECN));
    let mut world = World::new(&with(Ecn::Accurate), 20, segments(60), 100);
    // Ten segments of the first window are marked, and two of the next window, which ends with segment 29.
    world.fates.extend((5..15).chain(24..26).map(|number| (number, Fate::Mark)));
    world.complete();
    let stats = *world.sender.stats();
    assert_eq!((stats.marks, world.receiver.stats().marked, stats.ecn_cuts), (12, 12, 2));
}

/// The feedback of a receiver. The fields are the next expected segment, the field ACE, and the option (ECEB and EE0B).
type AccurateEcnFields = (u32, u8, Option<[u32; 2]>);

/// Compares the trace of a real kernel's receiver with our receiver, for the same packets at the same times
/// (`tests/oracles/accurate_of_linux.py` describes how the trace is read). Returns the last feedback of each receiver
/// before each next packet, by the number of packets that have arrived.
fn beside_linux(text: &str) -> Vec<(Option<AccurateEcnFields>, Option<AccurateEcnFields>)> {
    // Segments have 1436 bytes, because the option takes 12 bytes of each packet. `tcp_rmem` is twice this window.
    let growing = GrowingWindow { at_most: Bytes::new(3_003_000), autotuned: false };
    let mut receiver = Receiver::new(&Config {
        delayed_ack: Some(DelayedAck::Linux),
        receive_window: ReceiveWindow::Growing(growing),
        ..with(Ecn::Accurate)
    });
    let mut told: Vec<(Option<AccurateEcnFields>, Option<AccurateEcnFields>)> = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |at: usize| words[at].parse::<u32>().unwrap();
        let (now, seq) = (Time::from_nanos(u64::from(number(1)) * 1000), number(2));
        if words[0] == "a" {
            let option = (words.len() > 4).then(|| [number(4), number(5)]);
            told.last_mut().unwrap().1 = Some((seq, number(3) as u8, option));
            continue;
        }
        let drain =
            |receiver: &mut Receiver,
             now: Time,
             told: &mut Vec<(Option<AccurateEcnFields>, Option<AccurateEcnFields>)>| {
                while let Some(ack) = receiver.poll_transmit(now) {
                    told.last_mut().unwrap().0 = Some((ack.seq, ace(&ack), Some(ack.sack[2])));
                }
            };
        while receiver.next_timeout() < now {
            let due = receiver.next_timeout();
            receiver.handle_timeout(due);
            drain(&mut receiver, due, &mut told);
        }
        told.push((None, None));
        let flags = if words[3] == "ce" { Flags::CE } else { Flags::ECT };
        receiver.handle(now, &Segment { timestamp: now, seq, len: 1436, flags, ..Segment::default() });
        drain(&mut receiver, now, &mut told);
    }
    told
}

/// For the same packets, our receiver sends the same feedback as Linux 7.2 whenever both send feedback (1,731 times).
/// The feedback consists of the next expected segment, the field ACE, and both counters of the option. The option is
/// compared only if Linux has room for it, because Linux prefers SACK blocks. The test does not compare how often each
/// receiver sends an acknowledgement. Linux 7.2 increases its window by other rules than Linux 6.1, and therefore also
/// sends other quick ACKs.
#[test]
fn a_kernels_receiver_counts_the_same() {
    let mut both = 0;
    for text in [
        include_str!("traces/linux-accurate-cubic.txt"),
        include_str!("traces/linux-accurate-dctcp.txt"),
        include_str!("traces/linux-accurate-losses.txt"),
    ] {
        for pair in beside_linux(text) {
            let (Some(ours), Some(theirs)) = pair else { continue };
            assert_eq!((ours.0, ours.1), (theirs.0, theirs.1));
            assert!(theirs.2.is_none() || ours.2 == theirs.2, "{ours:?} {theirs:?}");
            both += 1;
        }
    }
    assert_eq!(both, 1731);
}
