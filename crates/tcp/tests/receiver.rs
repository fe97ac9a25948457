// SPDX-License-Identifier: MIT OR Apache-2.0
//! The receiver as Linux 6.1: against a kernel's packets, sequences worked by hand from its rules, and what always holds.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use bentpipe_tcp::{Config, DelayedAck, Flags, GrowingWindow, ReceiveWindow, Receiver, Recovery, Segment, SegmentKind};
use common::{World, ms, segments};
use proptest::prelude::*;
use units::{Bytes, Span, Time};

const fn us(us: u64) -> Time {
    Time::from_nanos(us * 1000)
}

fn linux(at_most: u64, autotuned: bool) -> Config {
    let growing = GrowingWindow { at_most: Bytes::new(at_most), autotuned };
    Config {
        delayed_ack: Some(DelayedAck::Linux),
        receive_window: ReceiveWindow::Growing(growing),
        ..Config::default()
    }
}

/// What a kernel's receiver was sent and answered, from `tools/linux_traces` (`[[opening]]` of `data/oracles/cases.toml`):
/// `data TIME FIRST-BYTE LENGTH SENT-AT NUMBER-OF-THE-ACK-WHOSE-TIMESTAMP-IT-ECHOES TCP-FLAGS` and
/// `ack TIME NEXT-BYTE WINDOW SACK-BLOCKS`, in microseconds and bytes.
struct Trace {
    data: Vec<(Time, Segment, usize)>,
    acks: Vec<(Time, u64, u64, String)>,
}

impl Trace {
    fn read(text: &str, mss: u64) -> Self {
        let mut me = Self { data: Vec::new(), acks: Vec::new() };
        for line in text.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let number = |i: usize| words[i].parse::<u64>().unwrap();
            match words[0] {
                "data" => {
                    let segment = Segment {
                        timestamp: us(number(4)),
                        seq: (number(2) / mss) as u32,
                        len: number(3) as u32,
                        ..Segment::default()
                    };
                    me.data.push((us(number(1)), segment, number(5) as usize));
                }
                "ack" => me.acks.push((us(number(1)), number(2) / mss, number(3) / mss, words[4].to_owned())),
                _ => assert_eq!(words[0], "open"),
            }
        }
        me
    }

    /// What our receiver answers to the same.
    fn replay(&self, config: &Config) -> Vec<(Time, u64, u64, String)> {
        let mut receiver = Receiver::new(config);
        let (mut acks, mut stamps) = (Vec::new(), vec![0]);
        let mut drain = |receiver: &mut Receiver, now: Time, stamps: &mut Vec<u8>| {
            while let Some(ack) = receiver.poll_transmit(now) {
                stamps.push(ack.stamp);
                let blocks = ack.sack[..usize::from(ack.sack_count)].iter();
                let byte = |segment: u32| u64::from(segment) * u64::from(config.mss) + 1;
                let blocks: Vec<_> = blocks.map(|block| format!("{}-{}", byte(block[0]), byte(block[1]))).collect();
                let text = if blocks.is_empty() { "-".to_owned() } else { blocks.join(" ") };
                acks.push((now, ack.seq.into(), ack.window.into(), text));
            }
        };
        for &(at, segment, echoes) in &self.data {
            while receiver.next_timeout() < at {
                let due = receiver.next_timeout();
                receiver.handle_timeout(due);
                drain(&mut receiver, due, &mut stamps);
            }
            let stamp = stamps.get(echoes).copied().unwrap_or(0);
            receiver.handle(at, &Segment { stamp, ..segment });
            drain(&mut receiver, at, &mut stamps);
        }
        acks
    }
}

/// The kernel takes 10 to 40 µs to answer; once it was busy for 0.6 ms.
fn compare(ours: &[(Time, u64, u64, String)], linux: &[(Time, u64, u64, String)], late: Span) {
    let mut busy = 0;
    for (ours, theirs) in ours.iter().zip(linux) {
        assert_eq!((ours.1, ours.2, &ours.3), (theirs.1, theirs.2, &theirs.3), "at {:?}, there {:?}", ours.0, theirs.0);
        assert!(theirs.0 >= ours.0, "{:?} {:?}", ours, theirs);
        busy += u32::from(theirs.0.since(ours.0) > late);
    }
    assert!(busy <= 1, "{busy} are late");
    assert!(ours.len().abs_diff(linux.len()) <= 1, "{} {}", ours.len(), linux.len());
}

#[test]
fn acknowledges_and_opens_its_window_as_a_kernel_does() {
    // 20 Mbit/s, 100 ms: the window grows from 64 kB to 3 MB within ten round trips, each segment is acknowledged
    // till then and 16 times more, and every second one from there on.
    let trace = Trace::read(include_str!("traces/linux-endless.txt"), 1448);
    let ours = trace.replay(&linux(3_003_000, false));
    compare(&ours, &trace.acks, Span::from_micros(50));
}
