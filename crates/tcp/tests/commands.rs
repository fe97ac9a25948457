// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sender applies the commands of its controller, and provides the signals that the controller requests.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use bentpipe_tcp::{Receiver, SegmentKind, Sender, Transfer};
use common::{MSS, config, ms};
use control::{
    Ack, AckedPacket, Control, Controller, Ephemeris, Loss, LossVerdict, NewMss, PacketKind, PathState,
    Platform, Sent, Signals, Snapshot, Start, Timeout, TimerFired,
};
use std::sync::{Arc, Mutex};
use units::{Bytes, Span, Time};

/// The events that the scripted controller received.
#[derive(Default)]
struct Seen {
    start: Option<Start>,
    sent: Vec<(u64, Bytes, bool)>,
    packets: Vec<AckedPacket>,
    timers: Vec<(Time, usize)>,
}

/// Delays sending until 30 ms, requests a timer at 70 ms, and uses all signals of the transport.
#[derive(Clone, saved::Saved)]
struct Scripted(#[saved(fixed)] Arc<Mutex<Seen>>);

impl Controller for Scripted {
    fn uses(&self) -> Signals {
        Platform::TCP.with(Signals::PROPAGATION).signals()
    }
    fn on_start(&mut self, event: &Start, control: &mut Control) {
        assert_eq!(control.cwnd, Bytes::new(10 * u64::from(MSS)));
        control.cwnd = Bytes::new(4 * u64::from(MSS) + 999);
        control.hold_until = Some(ms(30));
        control.timers[1] = Some(ms(70));
        self.0.lock().unwrap().start = Some(event.clone());
    }
    fn on_sent(&mut self, event: &Sent, _: &mut Control) {
        assert_eq!(event.kind, PacketKind::Data);
        self.0.lock().unwrap().sent.push((event.tx, event.in_flight, event.after_idle));
    }
    fn on_ack(&mut self, ack: &Ack<'_>, _: &mut Control) {
        self.0.lock().unwrap().packets.extend(ack.packets);
    }
    fn on_loss(&mut self, _: &Loss<'_>, _: &mut Control) -> LossVerdict {
        LossVerdict::Congestion
    }
    fn on_persistent_congestion(&mut self, _: Time, _: &mut Control) {
        unreachable!("TCP does not report this event");
    }
    fn on_timeout(&mut self, _: &Timeout, _: &mut Control) {}
    fn on_mss(&mut self, _: &NewMss, _: &mut Control) {}
    fn on_timer(&mut self, event: &TimerFired, _: &mut Control) {
        self.0.lock().unwrap().timers.push((event.now, event.id));
    }
    fn snapshot(&self, _: &mut Snapshot) {}
}

/// A propagation RTT that begins at 80 ms and increases by one microsecond per millisecond.
struct Moving;

impl Ephemeris for Moving {
    fn path(&self, at: Time) -> PathState {
        let rtt = Span::from_millis(80) + Span::from_nanos(at.nanos() / 1000);
        PathState { propagation_rtt: Some(rtt), ..PathState::default() }
    }
}

#[test]
fn holds_timers_windows_and_signals() {
    let seen = Arc::<Mutex<Seen>>::default();
    let config = config(bentpipe_tcp::Recovery::Sack);
    let path: Arc<dyn Ephemeris> = Arc::new(Moving);
    let mut sender =
        Sender::new(config.clone(), Box::new(Scripted(seen.clone())), Transfer::Endless, Some(path));
    let mut receiver = Receiver::new(&config);

    sender.start(ms(0));
    assert_eq!(sender.poll_transmit(ms(0)), None, "held");
    assert_eq!(sender.next_timeout(), ms(30));
    sender.handle_timeout(ms(30));
    // A window of 4.999 segments allows four segments.
    let window: Vec<_> = std::iter::from_fn(|| sender.poll_transmit(ms(30))).collect();
    assert_eq!(window.iter().map(|segment| segment.seq).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert!(window.iter().all(|segment| segment.kind == SegmentKind::Data && segment.len == MSS));
    assert_eq!(sender.next_timeout(), ms(70));
    sender.handle_timeout(ms(69));
    assert!(seen.lock().unwrap().timers.is_empty(), "not yet due");
    sender.handle_timeout(ms(70));
    assert_eq!(seen.lock().unwrap().timers, [(ms(70), 1)]);

    for segment in &window[..2] {
        receiver.handle(ms(75), segment);
        let ack = receiver.poll_transmit(ms(75)).unwrap();
        sender.handle(ms(110), &ack);
    }
    assert_eq!(sender.rtt_sample(), Some(Span::from_millis(80)));
    assert_eq!(sender.in_flight_segments(), 2);
    let seen = seen.lock().unwrap();
    let start = seen.start.as_ref().unwrap();
    assert!(start.provided.contains(Signals::PROPAGATION) && !start.provided.contains(Signals::ECN));
    assert!(!start.provided.contains(Signals::DISTANCE), "the ephemeris does not supply it");
    assert_eq!(start.path.propagation_rtt, Some(Span::from_millis(80)));
    let segment = u64::from(MSS);
    let expected: Vec<_> = (0..4).map(|n| (n, Bytes::new((n + 1) * segment), n == 0)).collect();
    assert_eq!(seen.sent, expected);
    // The propagation RTT of the path at the time of sending is 80 ms plus 30 us.
    assert_eq!(seen.packets.len(), 2);
    for (packet, tx) in seen.packets.iter().zip(0..) {
        assert_eq!((packet.tx, packet.bytes, packet.sent_at), (tx, MSS, ms(30)));
        assert_eq!(packet.propagation_rtt, Some(Span::from_micros(80_030)));
    }
}
