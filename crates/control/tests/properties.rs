// SPDX-License-Identifier: MIT OR Apache-2.0
//! What must hold for every controller of the catalogue under any sequence of events.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bentpipe_control::{
    Ack, AckedPacket, Control, Controller, Idle, Loss, LossTrigger, LostPacket, PacketKind, PathState,
    Signals, Spurious, Start, Timeout, catalogue,
};
use proptest::prelude::*;
use units::{Bytes, Span, Time};

/// One thing that happens, `after` the one before.
#[derive(Clone, Debug)]
struct Operation {
    after: Span,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    Ack(AckWhat),
    Loss { in_flight: u32, new_episode: bool, back: u64 },
    Timeout { in_flight: u32, consecutive: u32 },
    Spurious { back: u32 },
    Recovered,
    Idle,
}

#[derive(Clone, Debug)]
struct AckWhat {
    segments: u32,
    rtt: Option<Span>,
    limited: bool,
    recovery: bool,
    round: bool,
    burst: u32,
    propagation: Option<Span>,
}

/// From nothing to 30 s, small ones too.
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
        0..4_u32,
        proptest::option::of(span()),
    )
        .prop_map(|(segments, rtt, limited, recovery, round, burst, propagation)| {
            What::Ack(AckWhat { segments, rtt, limited, recovery, round, burst, propagation })
        });
    prop_oneof![
        12 => ack,
        2 => (0..1000_u32, any::<bool>(), 0..20_u64)
            .prop_map(|(in_flight, new_episode, back)| What::Loss { in_flight, new_episode, back }),
        1 => (0..1000_u32, 1..4_u32)
            .prop_map(|(in_flight, consecutive)| What::Timeout { in_flight, consecutive }),
        1 => (0..3_u32).prop_map(|back| What::Spurious { back }),
        1 => Just(What::Recovered),
        1 => Just(What::Idle),
    ]
}

fn operations() -> impl Strategy<Value = Vec<Operation>> {
    prop::collection::vec((span(), what()).prop_map(|(after, what)| Operation { after, what }), 1..120)
}

const MSS: u32 = 1448;

/// What a ground would keep between events.
struct Model {
    now: Time,
    tx: u64,
    episode: u32,
    min_rtt: Option<Span>,
}

fn segments(count: u32) -> Bytes {
    Bytes::new(u64::from(count) * u64::from(MSS))
}

impl Model {
    fn ack(&mut self, what: &AckWhat, controller: &mut dyn Controller, control: &mut Control) {
        let AckWhat { segments: count, rtt, limited, recovery, round, burst, propagation } = *what;
        self.min_rtt = rtt.into_iter().chain(self.min_rtt).min();
        let packets: Vec<_> = (0..u64::from(count))
            .map(|i| AckedPacket {
                tx: self.tx + i,
                bytes: MSS,
                kind: PacketKind::Data,
                sent_at: self.now,
                burst,
                propagation_rtt: propagation,
            })
            .collect();
        self.tx += u64::from(count);
        let ack = Ack {
            now: self.now,
            acked: segments(count),
            cumulative: segments(count),
            duplicate: count == 0,
            rtt,
            srtt: rtt.or(self.min_rtt),
            min_rtt: self.min_rtt,
            ack_delay: None,
            one_way_delay_ns: None,
            sent_at: Some(self.now),
            propagation_rtt: propagation,
            total_sent: Bytes::ZERO,
            total_delivered: Bytes::ZERO,
            total_lost: Bytes::ZERO,
            rate: None,
            in_flight_before: control.cwnd,
            in_flight: control.cwnd.saturating_sub(segments(count)),
            round: 0,
            round_start: round,
            in_recovery: recovery,
            cwnd_limited: limited,
            app_limited: !limited,
            receiver_limited: false,
            ce: Bytes::ZERO,
            congestion_warning: false,
            probes: 0,
            packets: &packets,
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
            bytes: MSS,
            kind: PacketKind::Data,
            sent_at: self.now,
            tx_in_flight: Bytes::ZERO,
            lost_at_send: Bytes::ZERO,
        };
        let loss = Loss {
            now: self.now,
            trigger: LossTrigger::Reordering,
            lost: segments(1),
            new_episode,
            episode: self.episode,
            in_flight_before: segments(in_flight),
            ranges: 1,
            packets: &[lost],
        };
        controller.on_loss(&loss, control);
    }

    /// Feeds one operation; true if the window may have grown by it.
    fn feed(
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
                return ack.limited && ack.segments > 0;
            }
            What::Loss { in_flight, new_episode, back } => {
                self.loss(in_flight, new_episode, back, controller, control);
            }
            What::Timeout { in_flight, consecutive } => {
                self.episode += 1;
                let (in_flight_before, episode) = (segments(in_flight), self.episode);
                controller.on_timeout(&Timeout { now, consecutive, in_flight_before, episode }, control);
            }
            What::Spurious { back } => {
                let episode = self.episode.saturating_sub(back);
                controller.on_spurious(&Spurious { now, episode }, control);
                return true;
            }
            What::Recovered => controller.on_recovery_exit(now, control),
            What::Idle => controller.on_idle(&Idle { now, idle_for: operation.after }, control),
        }
        false
    }
}

/// Feeds `operations`; gives the command after each, having checked it.
fn run(controller: &mut dyn Controller, initial_window: u32, operations: &[Operation]) -> Vec<Control> {
    let mut control = Control::new(segments(initial_window));
    let mut model = Model { now: Time::ZERO, tx: 0, episode: 0, min_rtt: None };
    let start = Start {
        now: model.now,
        mss: MSS,
        initial_window,
        provided: Signals::NONE,
        path: PathState::default(),
        saved: None,
    };
    controller.on_start(&start, &mut control);
    let mut trace = vec![control.clone()];
    for operation in operations {
        let before = control.cwnd;
        let may_grow = model.feed(operation, controller, &mut control);
        assert!(control.cwnd >= segments(1), "less than a segment after {operation:?}");
        assert!(control.cwnd < Bytes::MAX, "endless window after {operation:?}");
        assert!(control.ssthresh.is_none_or(|s| s < Bytes::MAX), "endless threshold after {operation:?}");
        assert!(control.pacing.is_none_or(|rate| rate.bits_per_s() > 0), "no rate after {operation:?}");
        assert!(may_grow || control.cwnd <= before, "{before:?} grew to {:?} by {operation:?}", control.cwnd);
        trace.push(control.clone());
    }
    let mut numbers = Vec::new();
    controller.snapshot(&mut numbers);
    for (name, value) in numbers {
        assert!(!value.is_nan(), "{name} is not a number");
    }
    trace
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_controller_stays_within_its_contract(initial_window in 1..200_u32, operations in operations()) {
        for entry in catalogue::entries() {
            let [first, second] = [(); 2].map(|()| {
                let mut controller = catalogue::build(entry.name, &[]).unwrap();
                run(controller.as_mut(), initial_window, &operations)
            });
            prop_assert_eq!(first, second, "{} answers the same events differently", entry.name);
        }
    }
}
