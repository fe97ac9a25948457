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
    Ack {
        segments: u32,
        rtt: Option<Span>,
        limited: bool,
        recovery: bool,
        round: bool,
        burst: u32,
        propagation: Option<Span>,
    },
    Loss {
        in_flight: u32,
        new_episode: bool,
        back: u64,
    },
    Timeout {
        in_flight: u32,
        consecutive: u32,
    },
    Spurious {
        back: u32,
    },
    Recovered,
    Idle,
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
        .prop_map(|(segments, rtt, limited, recovery, round, burst, propagation)| What::Ack {
            segments,
            rtt,
            limited,
            recovery,
            round,
            burst,
            propagation,
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

/// Feeds `operations`; gives the command after each, having checked it.
fn run(controller: &mut dyn Controller, initial_window: u32, operations: &[Operation]) -> Vec<Control> {
    let mut control = Control::new(Bytes::from_segments(f64::from(initial_window), MSS));
    let (mut now, mut tx, mut episode) = (Time::ZERO, 0_u64, 0_u32);
    let mut min_rtt: Option<Span> = None;
    controller.on_start(
        &Start {
            now,
            mss: MSS,
            initial_window,
            provided: Signals::NONE,
            path: PathState::default(),
            saved: None,
        },
        &mut control,
    );
    let mut trace = vec![control.clone()];
    for Operation { after, what } in operations {
        now += *after;
        let before = control.cwnd;
        let mut may_grow = false;
        match *what {
            What::Ack { segments, rtt, limited, recovery, round, burst, propagation } => {
                min_rtt = rtt.into_iter().chain(min_rtt).min();
                let packets: Vec<_> = (0..u64::from(segments))
                    .map(|i| AckedPacket {
                        tx: tx + i,
                        bytes: MSS,
                        kind: PacketKind::Data,
                        sent_at: now,
                        burst,
                        propagation_rtt: propagation,
                    })
                    .collect();
                tx += u64::from(segments);
                let acked = Bytes::new(u64::from(segments) * u64::from(MSS));
                may_grow = limited && segments > 0;
                let ack = Ack {
                    now,
                    acked,
                    cumulative: acked,
                    duplicate: segments == 0,
                    rtt,
                    srtt: rtt.or(min_rtt),
                    min_rtt,
                    ack_delay: None,
                    one_way_delay_ns: None,
                    sent_at: Some(now),
                    propagation_rtt: propagation,
                    total_sent: Bytes::ZERO,
                    total_delivered: Bytes::ZERO,
                    total_lost: Bytes::ZERO,
                    rate: None,
                    in_flight_before: before,
                    in_flight: before.saturating_sub(acked),
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
                controller.on_ack(&ack, &mut control);
            }
            What::Loss { in_flight, new_episode, back } => {
                episode += u32::from(new_episode);
                let lost = LostPacket {
                    tx: tx.saturating_sub(back),
                    bytes: MSS,
                    kind: PacketKind::Data,
                    sent_at: now,
                    tx_in_flight: Bytes::ZERO,
                    lost_at_send: Bytes::ZERO,
                };
                let loss = Loss {
                    now,
                    trigger: LossTrigger::Reordering,
                    lost: Bytes::new(u64::from(MSS)),
                    new_episode,
                    episode,
                    in_flight_before: Bytes::new(u64::from(in_flight) * u64::from(MSS)),
                    ranges: 1,
                    packets: &[lost],
                };
                controller.on_loss(&loss, &mut control);
            }
            What::Timeout { in_flight, consecutive } => {
                episode += 1;
                let in_flight_before = Bytes::new(u64::from(in_flight) * u64::from(MSS));
                controller.on_timeout(&Timeout { now, consecutive, in_flight_before, episode }, &mut control);
            }
            What::Spurious { back } => {
                may_grow = true;
                let episode = episode.saturating_sub(back);
                controller.on_spurious(&Spurious { now, episode }, &mut control);
            }
            What::Recovered => controller.on_recovery_exit(now, &mut control),
            What::Idle => controller.on_idle(&Idle { now, idle_for: *after }, &mut control),
        }
        assert!(control.cwnd >= Bytes::new(u64::from(MSS)), "less than a segment after {what:?}");
        assert!(control.cwnd < Bytes::MAX, "endless window after {what:?}");
        assert!(control.ssthresh.is_none_or(|s| s < Bytes::MAX), "endless threshold after {what:?}");
        assert!(control.pacing.is_none_or(|rate| rate.bits_per_s() > 0), "no pacing rate after {what:?}");
        assert!(may_grow || control.cwnd <= before, "{before:?} grew to {:?} after {what:?}", control.cwnd);
        trace.push(control.clone());
    }
    let mut numbers = Vec::new();
    controller.snapshot(&mut numbers);
    assert!(numbers.iter().all(|(name, value)| !value.is_nan() || panic!("{name} is not a number")));
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
