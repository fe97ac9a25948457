// SPDX-License-Identifier: MIT OR Apache-2.0
//! Low-priority probes: outside the window, answered apart, and what they deliver ahead is not sent again.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use bentpipe_tcp::{Receiver, Recovery, Segment, SegmentKind, Sender, Transfer};
use common::{MSS, config, ms};
use control::{
    Ack, Control, Controller, Loss, ProbeRequest, Signals, Snapshot, Spurious, Start, Timeout, Verdict,
};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use units::{Bytes, Span, Time};

/// A window of four; asks for three probes at once when the connection starts.
struct Probes {
    new_data: bool,
    seen: Arc<Mutex<Seen>>,
}

#[derive(Default)]
struct Seen {
    probes: u32,
    losses: u32,
    timeouts: u32,
    spurious: u32,
}

impl Controller for Probes {
    fn requires(&self) -> Signals {
        Signals::PROBE
    }
    fn on_start(&mut self, _: &Start, control: &mut Control) {
        control.cwnd = Bytes::new(4 * u64::from(MSS));
        control.probes = Some(ProbeRequest { count: 3, gap: Span::ZERO, new_data: self.new_data });
    }
    fn on_ack(&mut self, ack: &Ack<'_>, control: &mut Control) {
        assert!(control.probes.is_none(), "the ground has taken the request");
        assert!(ack.probes == 0 || !ack.duplicate, "a probe's acknowledgement is no duplicate ACK");
        self.seen.lock().unwrap().probes += ack.probes;
    }
    fn on_loss(&mut self, _: &Loss<'_>, _: &mut Control) -> Verdict {
        self.seen.lock().unwrap().losses += 1;
        Verdict::Congestion
    }
    fn on_timeout(&mut self, _: &Timeout, _: &mut Control) {
        self.seen.lock().unwrap().timeouts += 1;
    }
    fn on_spurious(&mut self, _: &Spurious, _: &mut Control) {
        self.seen.lock().unwrap().spurious += 1;
    }
    fn snapshot(&self, _: &mut Snapshot) {}
}

/// A transfer of `segments` over a path of 10 ms each way on which `lost` transmissions of data are lost; gives what
/// was sent as data, what the controller saw, and the receiver.
fn transfer(new_data: bool, segments: u64, lost: &[usize]) -> (Vec<u32>, Arc<Mutex<Seen>>, Receiver) {
    let seen = Arc::<Mutex<Seen>>::default();
    let controller = Box::new(Probes { new_data, seen: seen.clone() });
    let size = Transfer::Finite(Bytes::new(segments * u64::from(MSS)));
    let (mut sender, mut receiver) =
        (Sender::new(config(Recovery::Sack), controller, size, None), Receiver::new(&config(Recovery::Sack)));
    let mut flying: BTreeMap<(Time, usize), Segment> = BTreeMap::new();
    let (mut sent, mut order, mut now) = (Vec::new(), 0, Time::ZERO);
    sender.start(now);
    while !sender.is_complete() {
        assert!(now < ms(10_000), "the transfer does not end");
        while let Some(segment) = sender.poll_transmit(now) {
            let is_data = segment.kind == SegmentKind::Data;
            if is_data {
                sent.push(segment.seq);
            }
            if !(is_data && lost.contains(&(sent.len() - 1))) {
                order += 1;
                flying.insert((now + Span::from_millis(10), order), segment);
            }
        }
        while let Some(segment) = receiver.poll_transmit(now) {
            order += 1;
            flying.insert((now + Span::from_millis(10), order), segment);
        }
        let arrival = flying.first_key_value().map_or(Time::MAX, |(key, _)| key.0);
        now = arrival.min(sender.next_timeout()).min(receiver.next_timeout());
        while let Some(entry) = flying.first_entry().filter(|entry| entry.key().0 <= now) {
            let segment = entry.remove();
            match segment.kind {
                SegmentKind::Data | SegmentKind::Probe => receiver.handle(now, &segment),
                SegmentKind::Ack | SegmentKind::ProbeAck => sender.handle(now, &segment),
            }
        }
        sender.handle_timeout(now);
        receiver.handle_timeout(now);
    }
    (sent, seen, receiver)
}

/// Copies change nothing for the receiver: every segment is sent once as data, the three probes are acknowledged.
#[test]
fn copies_are_answered_and_change_nothing_else() {
    let (sent, seen, receiver) = transfer(false, 12, &[]);
    assert_eq!(sent, (0..12).collect::<Vec<_>>());
    let seen = seen.lock().unwrap();
    assert_eq!((seen.probes, seen.losses, seen.timeouts), (3, 0, 0));
    assert_eq!(receiver.stats().received_bytes, 12 * u64::from(MSS));
}

/// Segments 0 to 3 fill the window; the probes bring 4, 5 and 6, which are then not sent again, and are no evidence
/// that what flies below them is lost.
#[test]
fn new_data_in_probes_is_not_sent_again() {
    let (sent, seen, receiver) = transfer(true, 12, &[]);
    assert_eq!(sent, [0, 1, 2, 3, 7, 8, 9, 10, 11]);
    let seen = seen.lock().unwrap();
    assert_eq!((seen.probes, seen.losses, seen.timeouts), (3, 0, 0));
    assert_eq!(receiver.stats().received_bytes, 12 * u64::from(MSS));
    assert_eq!(receiver.stats().delivered_bytes, 12 * u64::from(MSS));
}

/// The last segment of the window is lost while the probes bring what follows: it is found and repaired.
#[test]
fn a_hole_below_what_probes_brought_is_repaired() {
    let (sent, seen, receiver) = transfer(true, 12, &[3]);
    assert_eq!(sent.iter().filter(|&&seq| seq == 3).count(), 2, "{sent:?}");
    assert!(!sent.contains(&5), "5 was brought by a probe: {sent:?}");
    assert_eq!(seen.lock().unwrap().probes, 3);
    assert_eq!(receiver.stats().delivered_bytes, 12 * u64::from(MSS));
}

/// Data and a probe may bring the same segment; the report of the second copy says nothing about the loss that is
/// being repaired at that time.
#[test]
fn a_second_copy_by_a_probe_undoes_nothing() {
    let (_, seen, _) = transfer(true, 40, &[3, 9]);
    let seen = seen.lock().unwrap();
    assert!(seen.losses >= 2, "both losses are found");
    assert_eq!(seen.spurious, 0);
}
