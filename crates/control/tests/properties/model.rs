// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arbitrary sequences of events, and the state of a platform between events.

use bentpipe_control::{
    Ack, AckedPacket, Control, Controller, Idle, Limit, Limited, Loss, LostPacket, NewMss, PacketKind,
    PathChange, PathKind, PathState, RateSample, SavedPath, Sent, Signals, Spurious, Start, Timeout,
    TimerFired,
};
use proptest::prelude::*;
use units::{Bytes, Span, Time};

/// One event. It happens `after` the previous event.
#[derive(Clone, Debug)]
pub struct Operation {
    pub after: Span,
    pub what: What,
}

#[derive(Clone, Debug)]
pub enum What {
    Ack(AckWhat),
    Loss { in_flight: u32, new_episode: bool, back: u64 },
    Timeout { in_flight: u32, consecutive: u32 },
    PersistentCongestion,
    Spurious { back: u32 },
    Recovered,
    Idle,
    Path { lasts: Option<Span>, propagation: Option<Span>, ahead: Span, outage: bool },
    Timer,
    Limited,
    Mss(u32),
}

#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about one ACK, each named")]
pub struct AckWhat {
    segments: u32,
    rtt: Option<Span>,
    limited: bool,
    recovery: bool,
    round: bool,
    propagation: Option<Span>,
    warning: bool,
    probes: u32,
    app_limited: bool,
    cumulative: bool,
}

/// Time spans from zero to 30 s, with many small values.
fn span() -> impl Strategy<Value = Span> {
    prop_oneof![
        Just(Span::ZERO),
        (0..2_000_u64).prop_map(Span::from_nanos),
        (0..1_000_000_u64).prop_map(Span::from_micros),
        (0..30_u64).prop_map(Span::from_secs),
    ]
}

fn what() -> impl Strategy<Value = What> {
    let ack = (
        0..100_u32,
        proptest::option::of(span().prop_map(|span| span.max(Span::from_nanos(1)))),
        any::<bool>(),
        proptest::bool::weighted(0.1),
        proptest::bool::weighted(0.2),
        proptest::option::of(span()),
        (
            proptest::bool::weighted(0.05),
            prop_oneof![9 => Just(0_u32), 1 => 0..20_u32],
            any::<bool>(),
            any::<bool>(),
        ),
    )
        .prop_map(|(segments, rtt, limited, recovery, round, propagation, rest)| {
            let (warning, probes, app_limited, cumulative) = rest;
            What::Ack(AckWhat {
                segments,
                rtt,
                limited,
                recovery,
                round,
                propagation,
                warning,
                probes,
                app_limited,
                cumulative,
            })
        });
    let path = (proptest::option::of(span()), proptest::option::of(span()), span(), any::<bool>())
        .prop_map(|(lasts, propagation, ahead, outage)| What::Path { lasts, propagation, ahead, outage });
    prop_oneof![
        12 => ack,
        2 => (0..1000_u32, any::<bool>(), 0..20_u64)
            .prop_map(|(in_flight, new_episode, back)| What::Loss { in_flight, new_episode, back }),
        1 => (0..1000_u32, 1..4_u32)
            .prop_map(|(in_flight, consecutive)| What::Timeout { in_flight, consecutive }),
        1 => Just(What::PersistentCongestion),
        1 => (0..3_u32).prop_map(|back| What::Spurious { back }),
        1 => Just(What::Recovered),
        1 => Just(What::Idle),
        1 => path,
        1 => Just(What::Timer),
        1 => Just(What::Limited),
        1 => mss().prop_map(What::Mss),
    ]
}

/// Segment sizes from small segments (modems) to jumbo frames.
pub fn mss() -> impl Strategy<Value = u32> {
    100..9_000_u32
}

pub fn operations() -> impl Strategy<Value = Vec<Operation>> {
    prop::collection::vec((span(), what()).prop_map(|(after, what)| Operation { after, what }), 1..120)
}

/// The state of a platform between events.
#[derive(Clone)]
pub struct Model {
    now: Time,
    /// Payload bytes of a full segment.
    pub mss: u32,
    tx: u64,
    episode: u32,
    min_rtt: Option<Span>,
    round: u64,
    sent: Bytes,
    delivered: Bytes,
    lost: Bytes,
}

impl Model {
    /// Starts a connection with `initial_window` segments.
    pub fn start(controller: &mut dyn Controller, initial_window: u32) -> (Self, Control) {
        let model = Self {
            now: Time::ZERO,
            mss: 1448,
            tx: 0,
            episode: 0,
            min_rtt: None,
            round: 0,
            sent: Bytes::ZERO,
            delivered: Bytes::ZERO,
            lost: Bytes::ZERO,
        };
        let saved = SavedPath { cwnd: model.segments(300), rtt: Span::from_millis(100), age: Span::ZERO };
        let start = Start::new(model.mss, initial_window);
        let start = Start { provided: controller.uses(), saved: Some(saved), ..start };
        let mut control = Control::new(model.segments(initial_window));
        controller.on_start(&start, &mut control);
        (model, control)
    }

    pub fn segments(&self, count: u32) -> Bytes {
        Bytes::new(u64::from(count) * u64::from(self.mss))
    }

    fn ack(&mut self, what: &AckWhat, controller: &mut dyn Controller, control: &mut Control) {
        let AckWhat { segments: count, rtt, limited, recovery, round, propagation, .. } = *what;
        self.min_rtt = rtt.into_iter().chain(self.min_rtt).min();
        let packets: Vec<_> = (0..u64::from(count))
            .map(|i| AckedPacket {
                tx: self.tx + i,
                bytes: self.mss,
                kind: PacketKind::Data,
                sent_at: self.now,
                propagation_rtt: propagation,
            })
            .collect();
        self.tx += u64::from(count);
        if controller.uses().contains(Signals::SENT) {
            for packet in &packets {
                let sent = Sent {
                    now: self.now,
                    tx: packet.tx,
                    bytes: self.mss,
                    kind: PacketKind::Data,
                    in_flight: control.cwnd,
                    after_idle: false,
                };
                controller.on_sent(&sent, control);
            }
        }
        let acked = self.segments(count);
        self.round += u64::from(round);
        self.delivered += acked;
        self.sent = self.delivered + control.cwnd;
        let ack = Ack {
            acked,
            cumulative: what.cumulative.then_some(acked),
            duplicate: what.cumulative.then_some(count == 0),
            rtt,
            srtt: rtt.or(self.min_rtt),
            min_rtt: self.min_rtt,
            one_way_delay_ns: rtt.map(|rtt| i64::try_from(rtt.nanos() / 2).unwrap()),
            sent_at: Some(self.now),
            propagation_rtt: propagation,
            total_sent: self.sent,
            total_delivered: self.delivered,
            total_lost: self.lost,
            rate: rtt.map(|interval| RateSample {
                delivered: acked,
                interval,
                prior_delivered: self.delivered.saturating_sub(control.cwnd),
                tx_in_flight: control.cwnd,
                lost: Bytes::ZERO,
                app_limited: what.app_limited,
            }),
            in_flight_before: control.cwnd,
            in_flight: control.cwnd.saturating_sub(acked),
            round: self.round,
            round_start: round,
            in_recovery: recovery,
            cwnd_limited: limited,
            app_limited: what.app_limited,
            congestion_warning: what.warning,
            probes: what.probes,
            packets: &packets,
            ..Ack::at(self.now)
        };
        controller.on_ack(&ack, control);
    }

    fn loss(
        &mut self,
        in_flight: u32,
        new_episode: bool,
        back: u64,
        controller: &mut dyn Controller,
        control: &mut Control,
    ) {
        self.episode += u32::from(new_episode);
        let lost = LostPacket {
            tx: self.tx.saturating_sub(back),
            bytes: self.mss,
            sent_at: self.now,
            tx_in_flight: self.segments(in_flight),
            ..LostPacket::default()
        };
        self.lost += self.segments(1);
        let loss = Loss {
            lost: self.segments(1),
            new_episode,
            episode: self.episode,
            in_flight_before: self.segments(in_flight),
            packets: &[lost],
            ..Loss::at(self.now)
        };
        controller.on_loss(&loss, control);
    }

    /// Passes one operation to the controller. Returns true if the window may have grown.
    pub fn feed(
        &mut self,
        operation: &Operation,
        controller: &mut dyn Controller,
        control: &mut Control,
    ) -> bool {
        self.now += operation.after;
        let now = self.now;
        match operation.what {
            What::Ack(ref ack) => {
                self.ack(ack, controller, control);
                return ack.limited && (ack.segments > 0 || ack.probes > 0);
            }
            What::Loss { in_flight, new_episode, back } => {
                self.loss(in_flight, new_episode, back, controller, control);
            }
            What::Timeout { in_flight, consecutive } => {
                self.episode += 1;
                let (in_flight_before, episode) = (self.segments(in_flight), self.episode);
                controller.on_timeout(&Timeout { now, consecutive, in_flight_before, episode }, control);
            }
            What::PersistentCongestion => controller.on_persistent_congestion(now, control),
            What::Spurious { back } => {
                let episode = self.episode.saturating_sub(back);
                controller.on_spurious(&Spurious { now, episode }, control);
                return true;
            }
            What::Recovered => controller.on_recovery_exit(now, control),
            What::Idle => controller.on_idle(&Idle { now, idle_for: operation.after }, control),
            What::Path { lasts, propagation, ahead, outage } => {
                let change = PathChange {
                    now,
                    at: now + ahead,
                    uncertainty: Span::ZERO,
                    lasts,
                    kind: if outage { PathKind::Outage } else { PathKind::Handover },
                    after: PathState { propagation_rtt: propagation, ..PathState::default() },
                };
                controller.on_path(&change, control);
                return true;
            }
            What::Timer => {
                let due =
                    (0..control.timers.len()).find(|id| control.timers[*id].is_some_and(|at| at <= now));
                if let Some(id) = due {
                    control.timers[id] = None;
                    controller.on_timer(&TimerFired { now, id }, control);
                    return true;
                }
            }
            What::Mss(mss) => {
                self.mss = mss;
                controller.on_mss(&NewMss { now, mss }, control);
                return true;
            }
            What::Limited => controller.on_limited(&Limited { now, by: Limit::Application }, control),
        }
        false
    }
}
