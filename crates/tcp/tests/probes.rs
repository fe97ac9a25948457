// SPDX-License-Identifier: MIT OR Apache-2.0
//! Low-priority probes. They do not count in the window, and have their own acknowledgements. Data that they deliver
//! are not sent again.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use bentpipe_tcp::{Config, DelayedAck, Flags, Receiver, Recovery, Segment, SegmentKind, Sender, Transfer};
use common::{MSS, config, ms};
use control::{
    Ack, Control, Controller, Loss, LossVerdict, NewMss, ProbeRequest, Signals, Snapshot, Spurious, Start,
    Timeout,
};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use units::{Bytes, Span, Time};

/// A controller with a window of four segments. It requests probes when the connection starts.
#[derive(Clone, saved::Saved)]
struct Probes {
    request: ProbeRequest,
    hold_until: Option<Time>,
    #[saved(fixed)]
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
        control.probes = Some(self.request);
        control.hold_until = self.hold_until;
    }
    fn on_ack(&mut self, ack: &Ack<'_>, control: &mut Control) {
        assert!(control.probes.is_none(), "the transport has accepted the request");
        assert!(
            ack.probes == 0 || ack.duplicate == Some(false),
            "a probe's acknowledgement is no duplicate ACK"
        );
        assert!(ack.probes == 0 || ack.rtt.is_none(), "it is unknown whether data or the probe arrived");
        self.seen.lock().unwrap().probes += ack.probes;
    }
    fn on_loss(&mut self, _: &Loss<'_>, _: &mut Control) -> LossVerdict {
        self.seen.lock().unwrap().losses += 1;
        LossVerdict::Congestion
    }
    fn on_mss(&mut self, _: &NewMss, _: &mut Control) {}
    fn on_persistent_congestion(&mut self, _: Time, _: &mut Control) {
        unreachable!("TCP does not report this event");
    }
    fn on_timeout(&mut self, _: &Timeout, _: &mut Control) {
        self.seen.lock().unwrap().timeouts += 1;
    }
    fn on_spurious(&mut self, _: &Spurious, _: &mut Control) {
        self.seen.lock().unwrap().spurious += 1;
    }
    fn snapshot(&self, _: &mut Snapshot) {}
}

/// A transfer of `segments` segments with three probes. Returns the segments that were sent as data, the events that
/// the controller received, and the receiver.
fn transfer(new_data: bool, segments: u64, lost: &[usize]) -> (Vec<u32>, Arc<Mutex<Seen>>, Receiver) {
    let size = Bytes::new(segments * u64::from(MSS));
    Path { lost, ..Path::of(size, 3, new_data) }.transfer(Recovery::Sack)
}

/// A transfer over a path with 10 ms in each direction.
struct Path<'a> {
    size: Bytes,
    request: ProbeRequest,
    /// Numbers of the data transmissions that are lost.
    lost: &'a [usize],
    /// Segments whose probe is lost.
    lost_probes: &'a [u32],
    /// Delay of a probe to the receiver.
    probe_delay: Span,
}

impl Path<'_> {
    fn of(size: Bytes, count: u32, new_data: bool) -> Self {
        let request = ProbeRequest { count, gap: Span::ZERO, new_data };
        Self { size, request, lost: &[], lost_probes: &[], probe_delay: Span::from_millis(10) }
    }

    fn transfer(&self, recovery: Recovery) -> (Vec<u32>, Arc<Mutex<Seen>>, Receiver) {
        let seen = Arc::<Mutex<Seen>>::default();
        let controller = Box::new(Probes { request: self.request, hold_until: None, seen: seen.clone() });
        let size = Transfer::Finite(self.size);
        let (mut sender, mut receiver) =
            (Sender::new(config(recovery), controller, size, None), Receiver::new(&config(recovery)));
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
                let lost = if is_data {
                    self.lost.contains(&(sent.len() - 1))
                } else {
                    self.lost_probes.contains(&segment.seq)
                };
                if !lost {
                    order += 1;
                    let delay = if is_data { Span::from_millis(10) } else { self.probe_delay };
                    flying.insert((now + delay, order), segment);
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
                    SegmentKind::Data | SegmentKind::Probe => {
                        receiver.handle(now, &segment);
                        while let Some(ack) = receiver.poll_transmit(now) {
                            order += 1;
                            flying.insert((now + Span::from_millis(10), order), ack);
                        }
                    }
                    SegmentKind::Ack | SegmentKind::ProbeAck => sender.handle(now, &segment),
                    other => unreachable!("no connection is set up here: {other:?}"),
                }
            }
            sender.handle_timeout(now);
            receiver.handle_timeout(now);
        }
        // A complete transfer schedules no event, for any remaining part of the request.
        assert_eq!(sender.poll_transmit(now), None);
        assert_eq!(sender.next_timeout(), Time::MAX);
        (sent, seen, receiver)
    }
}

/// Copies do not affect the receiver. Every segment is sent once as data, and the three probes are acknowledged.
#[test]
fn copies_are_answered_and_change_nothing_else() {
    let (sent, seen, receiver) = transfer(false, 12, &[]);
    assert_eq!(sent, (0..12).collect::<Vec<_>>());
    let seen = seen.lock().unwrap();
    assert_eq!((seen.probes, seen.losses, seen.timeouts), (3, 0, 0));
    assert_eq!(receiver.stats().received_bytes, 12 * u64::from(MSS));
}

/// Segments 0 to 3 fill the window. The probes deliver 4, 5 and 6, which are then not sent again. This delivery is not
/// evidence that segments in flight below them are lost.
#[test]
fn new_data_in_probes_is_not_sent_again() {
    let (sent, seen, receiver) = transfer(true, 12, &[]);
    assert_eq!(sent, [0, 1, 2, 3, 7, 8, 9, 10, 11]);
    let seen = seen.lock().unwrap();
    assert_eq!((seen.probes, seen.losses, seen.timeouts), (3, 0, 0));
    assert_eq!(receiver.stats().received_bytes, 12 * u64::from(MSS));
    assert_eq!(receiver.stats().delivered_bytes, 12 * u64::from(MSS));
}

/// The last segment of the window is lost, and the probes deliver the next segments. The loss is detected and repaired.
#[test]
fn a_hole_below_what_probes_brought_is_repaired() {
    let (sent, seen, receiver) = transfer(true, 12, &[3]);
    assert_eq!(sent.iter().filter(|&&seq| seq == 3).count(), 2, "{sent:?}");
    assert!(!sent.contains(&5), "5 was brought by a probe: {sent:?}");
    assert_eq!(seen.lock().unwrap().probes, 3);
    assert_eq!(receiver.stats().delivered_bytes, 12 * u64::from(MSS));
}

/// Data and a probe can deliver the same segment. The report of the second copy contains no information about the loss
/// that is being repaired at that time.
#[test]
fn a_second_copy_by_a_probe_undoes_nothing() {
    let (_, seen, _) = transfer(true, 40, &[3, 9]);
    let seen = seen.lock().unwrap();
    assert!(seen.losses >= 2, "both losses are found");
    assert_eq!(seen.spurious, 0);
}

/// The probe of 4 is lost, and the probes of 5 to 9 arrive late. In the meantime, 4 to 7 were sent as data. If probes
/// deliver 5, 6 and 7, this does not imply that 4 is lost.
#[test]
fn what_probes_brought_is_no_evidence_of_loss() {
    for recovery in [Recovery::Sack, Recovery::RackTlp] {
        let size = Bytes::new(20 * u64::from(MSS));
        let path = Path { lost_probes: &[4], probe_delay: Span::from_millis(15), ..Path::of(size, 6, true) };
        let (sent, seen, receiver) = path.transfer(recovery);
        assert_eq!(sent.iter().filter(|&&seq| seq == 4).count(), 1, "{sent:?}");
        let seen = seen.lock().unwrap();
        assert_eq!((seen.probes, seen.losses, seen.timeouts), (5, 0, 0), "{recovery:?}");
        assert_eq!(receiver.stats().delivered_bytes, size.get());
    }
}

/// Like the test above, but the data transmission of 4 is also lost. The second copies of 5, 6 and 7 are evidence of
/// this loss. There is no other evidence, because no data remain to be sent.
#[test]
fn data_behind_what_probes_brought_is_evidence_of_loss() {
    for recovery in [Recovery::Sack, Recovery::RackTlp] {
        let size = Bytes::new(10 * u64::from(MSS));
        let probe_delay = Span::from_millis(15);
        let path = Path { lost: &[4], lost_probes: &[4], probe_delay, ..Path::of(size, 6, true) };
        let (sent, seen, receiver) = path.transfer(recovery);
        assert_eq!(sent.iter().filter(|&&seq| seq == 4).count(), 2, "{sent:?}");
        let seen = seen.lock().unwrap();
        assert_eq!((seen.losses, seen.timeouts), (1, 0), "{recovery:?}");
        assert_eq!(receiver.stats().delivered_bytes, size.get());
    }
}

/// The copy of 3 fills the hole of the lost data. This delivery does not provide an RTT sample.
#[test]
fn a_copy_that_fills_a_hole_gives_no_round_trip() {
    let size = Bytes::new(12 * u64::from(MSS));
    let path = Path { lost: &[3], probe_delay: Span::from_millis(15), ..Path::of(size, 4, false) };
    let (sent, seen, _) = path.transfer(Recovery::Sack);
    assert_eq!(sent, (0..12).collect::<Vec<_>>());
    assert_eq!(seen.lock().unwrap().probes, 4);
}

/// The last segment is short. A probe delivers it, in order or early.
#[test]
fn a_short_last_segment_in_a_probe_counts_as_long_as_it_is() {
    let size = Bytes::new(4 * u64::from(MSS) + 100);
    for lost in [&[][..], &[1]] {
        let (sent, _, receiver) = Path { lost, ..Path::of(size, 3, true) }.transfer(Recovery::Sack);
        assert!(!sent.contains(&4), "{sent:?}");
        assert_eq!(receiver.stats().delivered_bytes, size.get());
        assert_eq!(receiver.stats().received_bytes, size.get());
    }
}

/// Before the hold ends, neither segments nor probes are sent, and no timer runs for probes.
#[test]
fn a_hold_holds_probes() {
    let request = ProbeRequest { count: 2, gap: Span::from_millis(1), new_data: false };
    let controller = Probes { request, hold_until: Some(ms(30)), seen: Arc::default() };
    let mut sender = Sender::new(config(Recovery::Sack), Box::new(controller), Transfer::Endless, None);
    sender.start(ms(0));
    assert_eq!((sender.poll_transmit(ms(5)), sender.next_timeout()), (None, ms(30)));
    let out: Vec<_> =
        std::iter::from_fn(|| sender.poll_transmit(ms(30))).map(|segment| segment.kind).collect();
    assert_eq!(out.iter().filter(|&&kind| kind == SegmentKind::Data).count(), 4);
    assert_eq!(out.last(), Some(&SegmentKind::Probe));
    // A stopped sender discards its probes after all sent data are acknowledged.
    sender.stop(ms(30));
    for seq in 1..=4 {
        let ack = Segment { kind: SegmentKind::Ack, seq, window: 100, ..Segment::default() };
        sender.handle(ms(31), &ack);
    }
    assert_eq!((sender.poll_transmit(ms(31)), sender.next_timeout()), (None, Time::MAX));
}

/// A congestion warning is reported with an acknowledgement of data, because the acknowledgement of a probe may be
/// dropped first.
#[test]
fn the_acknowledgement_of_a_probe_takes_no_mark_with_it() {
    let delayed_ack = Some(DelayedAck::Every { segments: 2, at_most: Span::from_millis(40) });
    let mut receiver = Receiver::new(&Config { delayed_ack, ..config(Recovery::Sack) });
    let data = Segment { len: MSS, flags: Flags::WARNED, ..Segment::default() };
    receiver.handle(ms(1), &data);
    receiver.handle(ms(2), &Segment { kind: SegmentKind::Probe, flags: Flags::NONE, ..data });
    let first = receiver.poll_transmit(ms(2)).unwrap();
    assert_eq!(
        (first.kind, first.flags.has(Flags::WARNED), receiver.poll_transmit(ms(2))),
        (SegmentKind::ProbeAck, false, None)
    );
    receiver.handle_timeout(ms(41));
    let second = receiver.poll_transmit(ms(41)).unwrap();
    assert_eq!((second.kind, second.flags.has(Flags::WARNED)), (SegmentKind::Ack, true));
}
