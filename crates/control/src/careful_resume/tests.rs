// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests of properties that the vectors cannot test: commands other than window and phase, CUBIC's factor, and limits
//! under arbitrary events.

use super::{CarefulResume, Parameters};
use crate::catalogue::{self, Value};
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::loss_verdict::LossJudge;
use crate::slow_start::SlowStart;
use crate::window::{Rescale, Window};
use crate::{
    Ack, AckedPacket, Control, Controller, Loss, LostPacket, PathChange, PathKind, PathState, SavedPath,
    Sent, Signals, Start, Timeout, TimerFired,
};
use proptest::prelude::*;
use units::{Bytes, Span, Time};

const MSS: u32 = 1000;

fn segments(count: u64) -> Bytes {
    Bytes::new(count * u64::from(MSS))
}

fn at(ms: u64) -> Time {
    Time::ZERO + Span::from_millis(ms)
}

/// Returns a controller with a saved path of 300 segments and 100 ms, and its commands at the start.
fn resumed(name: &str) -> (Box<dyn Controller>, Control) {
    let parameters = [("careful_resume", Value::Flag(true)), ("slow_start", Value::Text("classic"))];
    let controller = catalogue::build(name, &parameters).expect("declared parameters");
    let mut control = Control::new(segments(10));
    (start(controller, &mut control), control)
}

fn start(mut controller: Box<dyn Controller>, control: &mut Control) -> Box<dyn Controller> {
    let saved = SavedPath { cwnd: segments(300), rtt: Span::from_millis(100), age: Span::ZERO };
    controller.on_start(&Start { saved: Some(saved), ..Start::new(MSS, 10) }, control);
    controller
}

fn sent(ms: u64, tx: u64, in_flight: u64) -> Sent {
    let in_flight = segments(in_flight);
    Sent { now: at(ms), tx, bytes: MSS, kind: crate::PacketKind::Data, in_flight, after_idle: false }
}

/// An acknowledgement of the packets `first` to `last`, all sent in order, with an RTT of 100 ms.
fn ack(ms: u64, packets: &[AckedPacket], in_flight: u64) -> Ack<'_> {
    let rtt = Some(Span::from_millis(100));
    Ack {
        acked: segments(packets.len() as u64),
        total_delivered: segments(packets.last().map_or(0, |packet| packet.tx + 1)),
        rtt,
        srtt: rtt,
        min_rtt: rtt,
        in_flight: segments(in_flight),
        packets,
        ..Ack::at(at(ms))
    }
}

fn packets(first: u64, last: u64) -> Vec<AckedPacket> {
    (first..=last).map(|tx| AckedPacket { tx, bytes: MSS, ..AckedPacket::default() }).collect()
}

fn loss(ms: u64, tx: u64, episode: u32) -> (Time, LostPacket, u32) {
    (at(ms), LostPacket { tx, bytes: MSS, ..LostPacket::default() }, episode)
}

fn lose(controller: &mut dyn Controller, what: (Time, LostPacket, u32), control: &mut Control) {
    let (now, packet, episode) = what;
    let loss = Loss { lost: segments(1), episode, packets: &[packet], ..Loss::at(now) };
    controller.on_loss(&loss, control);
}

/// RFC 9959, section 3.3: pacing, and the time limit of one RTT. Section 4.5: no PRR in the Safe Retreat Phase. After
/// this phase, all these commands are withdrawn. Section 3.5 says "Cubic defines a Beta_cubic of 0.7", so ssthresh =
/// 0.7 * (29 + 120) = 104.3.
#[test]
fn commands_of_each_phase_and_cubics_beta() {
    let (mut controller, mut control) = resumed("cubic");
    let needs = Signals::RESUME | Signals::SENT | Signals::PACING | Signals::PER_PACKET | Signals::TIMER;
    assert!(controller.requires().contains(needs));
    controller.on_sent(&sent(0, 28, 10), &mut control);
    controller.on_ack(&ack(100, &packets(0, 9), 29), &mut control);
    assert_eq!(control.phase, "careful resume: unvalidated");
    assert_eq!(control.timers, [None, Some(at(200))]);
    assert_eq!(control.pacing.map(units::Rate::bits_per_s), Some(12_000_000));
    controller.on_sent(&sent(190, 149, 150), &mut control);
    assert_eq!(control.phase, "careful resume: validating");
    assert_eq!((control.timers, control.pacing), ([None, None], None));
    controller.on_ack(&ack(210, &packets(29, 62), 116), &mut control);
    assert!(!control.owns_recovery);
    lose(controller.as_mut(), loss(211, 63, 1), &mut control);
    assert_eq!(control.phase, "careful resume: safe retreat");
    assert!(control.owns_recovery);
    assert_eq!(control.cwnd, Bytes::new(31_500));
    controller.on_ack(&ack(250, &packets(64, 149), 30), &mut control);
    assert!(!control.owns_recovery);
    assert_eq!(control.ssthresh.map(Bytes::get), Some(104_300));
}

/// A rule that requests a threshold that is much too large.
#[derive(Clone, saved::Plain)]
struct Greedy;

impl Rescale for Greedy {
    fn rescale(&mut self, _factor: f64) {}
}

impl Rule for Greedy {
    type Memory = ();

    fn avoidance(&mut self, _ack: &Ack<'_>, acked: f64, _window: &Window) -> f64 {
        acked
    }
    fn reduce(&mut self, _event: &Reduction, _window: &Window) -> f64 {
        1e6
    }
    fn save(&self) {}
    fn restore(&mut self, (): ()) {}
}

/// Section 3.5: the threshold is at most `PipeSize` times a Beta of at most 1, for every estimate of the rule.
#[test]
fn no_rule_sets_a_threshold_beyond_pipe_size() {
    let parameters = Parameters { max_jump: 1e9, saved_lifetime: Span::from_secs(300) };
    let parts = Parts {
        slow_start: SlowStart::Classic { limit: 1.0 },
        loss_judge: LossJudge::Congestion,
        careful_resume: Some(Box::new(CarefulResume::new(parameters))),
        pacing: false,
        beta_ecn: None,
    };
    let mut control = Control::new(segments(10));
    let mut controller = start(Box::new(LossBased::new(Greedy, parts)), &mut control);
    controller.on_sent(&sent(0, 28, 10), &mut control);
    controller.on_ack(&ack(100, &packets(0, 9), 29), &mut control);
    controller.on_sent(&sent(150, 60, 61), &mut control);
    lose(controller.as_mut(), loss(151, 11, 1), &mut control);
    controller.on_ack(&ack(250, &packets(29, 60), 1), &mut control);
    assert_eq!(control.ssthresh, Some(segments(29 + 32)));
}

/// "The set of saved CC parameters for the path are deleted": nothing is saved until the path has been measured again.
/// The new measurement begins after the end of Careful Resume.
#[test]
fn what_is_saved() {
    let (mut controller, mut control) = resumed("reno");
    let round = |ms, delivered| Ack {
        total_delivered: segments(delivered),
        round_start: true,
        cwnd_limited: false,
        ..ack(ms, &[], 10)
    };
    for (i, delivered) in [0, 50, 100, 150].into_iter().enumerate() {
        controller.on_ack(&round(100 * i as u64, delivered), &mut control);
        assert_eq!(control.phase, "careful resume: reconnaissance");
    }
    assert_eq!(control.save, None);
    controller.on_timeout(
        &Timeout { now: at(1000), consecutive: 1, in_flight_before: segments(10), episode: 1 },
        &mut control,
    );
    for (i, delivered) in [150, 195].into_iter().enumerate() {
        assert_eq!(control.save, None);
        controller.on_ack(&round(1100 + 100 * i as u64, delivered), &mut control);
    }
    let seen = SavedPath { cwnd: segments(45), rtt: Span::from_millis(100), age: Span::ZERO };
    assert_eq!(control.save, Some(seen));
}

/// An event in a resumed connection.
#[derive(Clone, Debug)]
enum Happens {
    Sent { count: u64 },
    Acked { count: u64, rtt_ms: u64, limited: bool },
    Lost,
    Timeout,
    Path { ahead_ms: u64 },
    Timer,
}

fn happens() -> impl Strategy<Value = Happens> {
    prop_oneof![
        6 => (1..200_u64).prop_map(|count| Happens::Sent { count }),
        6 => (1..60_u64, 20..300_u64, any::<bool>())
            .prop_map(|(count, rtt_ms, limited)| Happens::Acked { count, rtt_ms, limited }),
        1 => Just(Happens::Lost),
        1 => Just(Happens::Timeout),
        1 => (0..300_u64).prop_map(|ahead_ms| Happens::Path { ahead_ms }),
        1 => Just(Happens::Timer),
    ]
}

proptest! {
        /// After any events, the window is at least one segment. While the window is unvalidated, it is at most half of
        /// the saved window, and the flow is paced. In Safe Retreat, the window does not grow. Careful Resume does not
        /// begin a second time.
    #[test]
    fn limits_hold_under_any_events(events in prop::collection::vec((0..150_u64, happens()), 1..60)) {
        for name in ["reno", "cubic"] {
            let (mut controller, mut control) = resumed(name);
            let (mut ms, mut next, mut acked, mut episode, mut over) = (0, 0_u64, 0_u64, 0, false);
            for (after, happens) in &events {
                ms += after;
                let before = control.clone();
                match *happens {
                    Happens::Sent { count } => {
                        let room = (control.cwnd.get() / u64::from(MSS)).saturating_sub(next - acked);
                        for _ in 0..count.min(room) {
                            controller.on_sent(&sent(ms, next, next + 1 - acked), &mut control);
                            next += 1;
                        }
                    }
                    Happens::Acked { count, rtt_ms, limited } => {
                        let last = next.min(acked + count);
                        let packets: Vec<_> = packets(acked, last.saturating_sub(1))
                            .into_iter().filter(|packet| packet.tx < last).collect();
                        acked = last;
                        let rtt = Some(Span::from_millis(rtt_ms));
                        let event = Ack {
                            rtt, min_rtt: rtt, total_delivered: segments(acked), cwnd_limited: limited,
                            ..ack(ms, &packets, next - acked)
                        };
                        controller.on_ack(&event, &mut control);
                    }
                    Happens::Lost => {
                        episode += 1;
                        lose(controller.as_mut(), loss(ms, acked, episode), &mut control);
                    }
                    Happens::Timeout => {
                        episode += 1;
                        let in_flight_before = segments(next - acked);
                        let timeout = Timeout { now: at(ms), consecutive: 1, in_flight_before, episode };
                        controller.on_timeout(&timeout, &mut control);
                    }
                    Happens::Path { ahead_ms } => {
                        let change = PathChange {
                            now: at(ms), at: at(ms + ahead_ms), uncertainty: Span::ZERO, lasts: None,
                            kind: PathKind::Handover, after: PathState::default(),
                        };
                        controller.on_path(&change, &mut control);
                    }
                    Happens::Timer => controller.on_timer(&TimerFired { now: at(ms), id: 1 }, &mut control),
                }
                prop_assert!(control.cwnd >= segments(1));
                let resuming = control.phase.starts_with("careful resume");
                prop_assert!(!(over && resuming), "{:?} begins again", control.phase);
                over |= !resuming;
                if control.phase == "careful resume: unvalidated" {
                    prop_assert!(control.cwnd <= segments(150) && control.pacing.is_some());
                }
                if before.phase == "careful resume: safe retreat" && control.phase == before.phase {
                    prop_assert!(control.cwnd <= before.cwnd);
                }
            }
        }
    }
}
