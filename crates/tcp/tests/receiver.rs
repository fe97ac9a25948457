// SPDX-License-Identifier: MIT OR Apache-2.0
//! The receiver as Linux 6.1: against a kernel's packets, sequences worked by hand from its rules, and what always holds.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use bentpipe_tcp::{Config, DelayedAck, Flags, GrowingWindow, ReceiveWindow, Receiver, Segment};
use units::{Bytes, Span, Time};

const MSS: u32 = 1448;

/// `tcp_rmem` of twice that window; autotuned: that as its maximum alone.
fn linux(at_most: u64, autotuned: bool) -> Config {
    let growing = GrowingWindow { at_most: Bytes::new(at_most), autotuned };
    Config {
        delayed_ack: Some(DelayedAck::Linux),
        receive_window: ReceiveWindow::Growing(growing),
        ..Config::default()
    }
}

/// What a kernel's receiver was sent and answered (`tests/traces`, from the logs of `tools/linux_traces`), in microseconds,
/// segments of 1448 bytes, and bytes for the window: `d TIME SEGMENT ACKS [p]`, data that were sent when so many ACKs had
/// come (p: with PSH), and `a TIME NEXT WINDOW [FROM TO]...`, an ACK with its SACK blocks.
struct Trace {
    data: Vec<(Time, Segment, usize)>,
    acks: Vec<Answer>,
}

/// An ACK: when, what is waited for, the window in segments, SACK blocks.
#[derive(Clone, Debug, PartialEq)]
struct Answer {
    at: Time,
    next: u32,
    window: u32,
    blocks: Vec<[u32; 2]>,
}

impl Trace {
    fn read(text: &str) -> Self {
        let mut me = Self { data: Vec::new(), acks: Vec::new() };
        // Which of ours each ACK is; the first is the SYN-ACK.
        let mut ours = vec![0];
        for line in text.lines() {
            let mut words: Vec<&str> = line.split(' ').collect();
            // PSH: the application's write ends here; ours says so with FIN.
            let flags = Flags::when(words.pop_if(|word| *word == "p").is_some(), Flags::FIN);
            let number: Vec<u32> = words[1..].iter().map(|word| word.parse().unwrap()).collect();
            let (at, seq) = (Time::from_nanos(u64::from(number[0]) * 1000), number[1]);
            if words[0] == "d" {
                let segment = Segment { timestamp: at, seq, len: MSS, flags, ..Segment::default() };
                me.data.push((at, segment, ours[number[2] as usize]));
            } else {
                let blocks = number[3..].chunks(2).map(|block| [block[0], block[1]]).collect();
                let ack = Answer { at, next: seq, window: number[2] / MSS, blocks };
                // Where much joins up the kernel acknowledges it, the application reads, and a second ACK tells the window
                // that is free again. Ours is one.
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

    /// What our receiver answers to the same. Its clock shows `phase` more: the kernel measures round trips in whole
    /// milliseconds of a clock of its own.
    fn replay(&self, config: &Config, phase: Span) -> Vec<Answer> {
        let (mut receiver, mut acks) = (Receiver::new(config), Vec::new());
        let mut stamps = vec![0];
        let mut drain = |receiver: &mut Receiver, now: Time, stamps: &mut Vec<u8>| {
            while let Some(ack) = receiver.poll_transmit(now) {
                stamps.push(ack.stamp);
                let blocks = ack.sack[..usize::from(ack.sack_count)].to_vec();
                let at = Time::from_nanos(now.nanos() - phase.nanos());
                acks.push(Answer { at, next: ack.seq, window: ack.window, blocks });
            }
        };
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

    /// The same ACKs, windows and blocks. The kernel takes 10 to 40 µs to answer; at times it is busy with the sender, which
    /// shares its processor.
    fn check(&self, config: &Config, phase: Span, busy_at_most: usize) {
        let ours = self.replay(config, phase);
        for (ours, theirs) in ours.iter().zip(&self.acks) {
            assert_eq!(ours, &Answer { at: ours.at, ..theirs.clone() }, "there at {:?}", theirs.at);
            // The timer of SACKs may run out up to 100 µs before ours (`tcp_comp_sack_slack_ns`).
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
    // 20 Mbit/s, 100 ms: the window grows from 64 kB to 3 MB within ten round trips, each segment is acknowledged
    // till then and 16 times more, and every second one from there on.
    let trace = Trace::read(include_str!("traces/linux-endless.txt"));
    trace.check(&linux(3_003_000, false), Span::ZERO, 1);
}

#[test]
fn tunes_its_buffer_as_a_kernel_does() {
    // As above with the kernel's own buffers: 128 KiB at first, 6 MiB at most.
    let trace = Trace::read(include_str!("traces/linux-default-window.txt"));
    trace.check(&linux(3_145_728, true), Span::from_micros(550), 1);
}

#[test]
fn holds_sacks_together_as_a_kernel_does() {
    // A window of 400 kB that is open when segments are lost. 20 Mbit/s: two SACKs in one; 100 Mbit/s: ten.
    let trace = Trace::read(include_str!("traces/linux-losses-20m.txt"));
    trace.check(&linux(400_000, false), Span::ZERO, 1);
    let trace = Trace::read(include_str!("traces/linux-losses-100m.txt"));
    trace.check(&linux(400_000, false), Span::ZERO, 5);
}
