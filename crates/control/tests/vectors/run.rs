// SPDX-License-Identifier: MIT OR Apache-2.0
//! Passes the steps of a case to a controller, and compares the controller's commands with the expected values.

use crate::cases::{AckStep, Case, DEFAULT_MSS, Event, Expect, LossStep, kind, ms};
use crate::expect::Answer;
use crate::profile::Profile;
use bentpipe_control::{
    Ack, AckedPacket, Control, Controller, Idle, Limit, Limited, Loss, LossTrigger, LossVerdict, LostPacket,
    NewMss, PathChange, PathKind, PathState, RateSample, SavedPath, Sent, Spurious, Start, Timeout,
    TimerFired,
};
use units::{Bytes, Rate, Span, Time};

pub struct Runner<'a> {
    profile: &'a Profile,
    roundings: u32,
    rounds: u64,
    delivered: f64,
    controller: Box<dyn Controller>,
    control: Control,
    mss: u32,
    /// Bytes and rates on this platform divided by bytes and rates of the case. The segments of the case may have
    /// another size.
    scale: f64,
    next_tx: u64,
    /// Number of the newest burst, and the time at which the burst was sent.
    burst: Option<(u32, Time)>,
    min_rtt: Option<Span>,
    verdict: Option<LossVerdict>,
    /// Number of probes requested since the previous step.
    probes: u32,
}

/// Returns the differences from the case when `controller` runs on the platform of `profile`. Each difference names its
/// step.
pub fn differences(profile: &Profile, case: &Case, controller: Box<dyn Controller>) -> Vec<String> {
    let mut runner = Runner::new(profile, case, controller);
    let mut out = Vec::new();
    for (i, step) in case.steps.iter().enumerate() {
        runner.step(&step.event);
        let found = runner.differences(&step.expect).into_iter();
        out.extend(found.map(|difference| format!("{}: step {}: {difference}", case.name, i + 1)));
        runner.probes = 0;
    }
    out
}

impl<'a> Runner<'a> {
    fn new(profile: &'a Profile, case: &Case, mut controller: Box<dyn Controller>) -> Self {
        let mss = profile.mss_of(case.mss);
        let scale = f64::from(mss) / f64::from(case.mss.unwrap_or(DEFAULT_MSS));
        let mut control = Control::new(Bytes::from_segments(f64::from(case.initial_window), mss));
        let mut start = Start::new(mss, case.initial_window);
        start.provided = controller.uses();
        start.seed = case.start.seed;
        start.rtt = case.start.rtt_ms.map(ms);
        let capacity = case.start.capacity_mbit_s.map(|mbit| mbit * scale * 1e6 / 8.0);
        start.path = PathState {
            propagation_rtt: case.start.propagation_ms.map(ms),
            distance_m: case.start.distance_km.map(|km| km * 1e3),
            capacity: capacity.map(Rate::from_bytes_per_s),
            hops: None,
        };
        start.saved = case.start.saved_segments.map(|segments| SavedPath {
            cwnd: Bytes::from_segments(segments, mss),
            rtt: ms(case.start.saved_rtt_ms),
            age: ms(case.start.saved_age_ms),
        });
        controller.on_start(&start, &mut control);
        let probes = control.probes.take().map_or(0, |probes| probes.count);
        Self {
            profile,
            roundings: case.roundings,
            rounds: 0,
            delivered: 0.0,
            controller,
            control,
            mss,
            scale,
            next_tx: 0,
            burst: None,
            min_rtt: None,
            verdict: None,
            probes,
        }
    }

    fn bytes(&self, segments: f64) -> Bytes {
        Bytes::from_segments(segments, self.mss)
    }

    fn ack(&mut self, step: &AckStep, now: Time, repeated: u32) {
        let rtt = step.rtt_ms.map(ms);
        self.min_rtt = match (self.min_rtt, rtt) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let newest = step.tx.unwrap_or(self.next_tx + u64::from(step.segments).saturating_sub(1));
        let back = Time::from_nanos(now.nanos().saturating_sub(rtt.unwrap_or_default().nanos()));
        let every = step.sent_every_ms.unwrap_or(step.every_ms);
        let sent_at =
            step.sent_at_ms.map_or(back, |at_ms| Time::ZERO + ms(at_ms + every * f64::from(repeated)));
        // All packets of a burst have the sending time of the first packet.
        let sent_at = match self.burst {
            Some((number, left)) if step.burst == number && step.sent_at_ms.is_none() => left,
            _ => sent_at,
        };
        self.burst = (step.burst > 0).then_some((step.burst, sent_at));
        let propagation_rtt = step.propagation_ms.map(ms);
        let packets: Vec<_> = (0..u64::from(step.segments))
            .rev()
            .map(|back| AckedPacket {
                tx: newest - back,
                bytes: self.mss,
                kind: kind(&step.kind),
                sent_at,
                propagation_rtt,
            })
            .collect();
        self.next_tx = newest + 1;
        let acked = self.bytes(f64::from(step.segments));
        self.rounds += u64::from(step.round_start);
        self.delivered = step.delivered_segments.unwrap_or(self.delivered + f64::from(step.segments));
        let in_flight = step.in_flight_segments.map_or(self.control.cwnd, |segments| self.bytes(segments));
        let rate = step.rate.as_ref().map(|rate| RateSample {
            delivered: self.bytes(rate.delivered_segments),
            interval: ms(rate.interval_ms),
            prior_delivered: self.bytes(rate.prior_delivered_segments),
            tx_in_flight: self.bytes(rate.tx_in_flight_segments),
            lost: self.bytes(rate.lost_segments),
            app_limited: rate.app_limited,
        });
        let cumulative = self.profile.cumulative_acks;
        let ack = Ack {
            acked,
            cumulative: cumulative.then_some(if step.duplicate { Bytes::ZERO } else { acked }),
            duplicate: cumulative.then_some(step.duplicate || step.segments == 0),
            rtt,
            srtt: step.srtt_ms.map(ms).or(rtt),
            min_rtt: step.min_rtt_ms.map(ms).or(self.min_rtt),
            one_way_delay_ns: step.one_way_delay_ms.map(|delay| (delay * 1e6) as i64),
            sent_at: Some(sent_at),
            propagation_rtt,
            total_sent: self.bytes(step.sent_segments.unwrap_or(self.delivered)),
            total_delivered: self.bytes(self.delivered),
            total_lost: self.bytes(step.lost_segments),
            rate,
            in_flight_before: in_flight + acked,
            in_flight,
            round: self.rounds,
            round_start: step.round_start,
            in_recovery: step.recovery,
            cwnd_limited: step.limited,
            app_limited: step.app_limited.unwrap_or(!step.limited),
            receiver_limited: step.receiver_limited,
            ce: self.bytes(step.ce_segments),
            congestion_warning: step.congestion_warning,
            probes: step.probes,
            packets: &packets,
            ..Ack::at(now)
        };
        self.controller.on_ack(&ack, &mut self.control);
        self.take_probes();
    }

    fn take_probes(&mut self) {
        self.probes += self.control.probes.take().map_or(0, |probes| probes.count);
    }

    fn lose(&mut self, step: &LossStep) {
        let now = Time::ZERO + ms(step.at_ms);
        let packets: Vec<_> = (0..u64::from(step.segments))
            .map(|i| LostPacket {
                tx: step.tx + i,
                bytes: self.mss,
                kind: kind(&step.kind),
                sent_at: Time::ZERO + ms(step.sent_at_ms),
                tx_in_flight: self.bytes(step.tx_in_flight_segments),
                lost_at_send: self.bytes(step.lost_at_send_segments),
            })
            .collect();
        let loss = Loss {
            trigger: if step.ecn { LossTrigger::Ecn } else { LossTrigger::Reordering },
            lost: self.bytes(f64::from(step.segments)),
            new_episode: step.new_episode,
            episode: step.episode,
            in_flight_before: self.bytes(step.in_flight_segments),
            ranges: step.ranges,
            packets: &packets,
            ..Loss::at(now)
        };
        self.verdict = Some(self.controller.on_loss(&loss, &mut self.control));
    }

    fn step(&mut self, event: &Event) {
        let time = |at_ms: f64| Time::ZERO + ms(at_ms);
        self.verdict = None;
        match event {
            Event::Ack(step) => {
                for i in 0..step.repeat {
                    self.ack(step, time(step.at_ms + f64::from(i) * step.every_ms), i);
                }
            }
            Event::Loss(step) => self.lose(step),
            Event::Timeout(step) => {
                let timeout = Timeout {
                    now: time(step.at_ms),
                    consecutive: step.consecutive,
                    in_flight_before: self.bytes(step.in_flight_segments),
                    episode: step.episode,
                };
                self.controller.on_timeout(&timeout, &mut self.control);
            }
            Event::PersistentCongestion { at_ms } => {
                self.controller.on_persistent_congestion(time(*at_ms), &mut self.control);
            }
            Event::Spurious { at_ms, episode } => {
                let spurious = Spurious { now: time(*at_ms), episode: *episode };
                self.controller.on_spurious(&spurious, &mut self.control);
            }
            Event::Recovered { at_ms } => self.controller.on_recovery_exit(time(*at_ms), &mut self.control),
            Event::Idle { at_ms, idle_ms } => {
                let idle = Idle { now: time(*at_ms), idle_for: ms(*idle_ms) };
                self.controller.on_idle(&idle, &mut self.control);
            }
            Event::Sent(step) => {
                let tx = step.tx.unwrap_or(self.next_tx);
                let sent = Sent {
                    now: time(step.at_ms),
                    tx,
                    bytes: self.mss,
                    kind: kind(&step.kind),
                    in_flight: self.bytes(step.in_flight_segments),
                    after_idle: step.after_idle,
                };
                self.controller.on_sent(&sent, &mut self.control);
            }
            Event::Path(step) => {
                let change = PathChange {
                    now: time(step.at_ms),
                    at: time(step.happens_ms.unwrap_or(step.at_ms)),
                    uncertainty: ms(step.uncertainty_ms),
                    lasts: step.lasts_ms.map(ms),
                    kind: match step.kind.as_str() {
                        "" | "handover" => PathKind::Handover,
                        "reroute" => PathKind::Reroute,
                        "rate" => PathKind::RateChange,
                        "outage" => PathKind::Outage,
                        other => panic!("a path changes by handover, reroute, rate or outage, not {other}"),
                    },
                    after: PathState {
                        propagation_rtt: step.propagation_ms.map(ms),
                        distance_m: step.distance_km.map(|km| km * 1e3),
                        ..PathState::default()
                    },
                };
                self.controller.on_path(&change, &mut self.control);
            }
            Event::Timer { at_ms, id } => {
                self.control.timers[*id] = None;
                self.controller.on_timer(&TimerFired { now: time(*at_ms), id: *id }, &mut self.control);
            }
            Event::Mss { at_ms, factor } => {
                let mss = f64::from(self.mss) * factor;
                assert!(mss >= 1.0 && mss.fract() == 0.0, "{factor} times {} is not a whole size", self.mss);
                self.mss = mss as u32;
                let change = NewMss { now: time(*at_ms), mss: self.mss };
                self.controller.on_mss(&change, &mut self.control);
            }
            Event::Limited { at_ms, by } => {
                let by = if by == "receiver" { Limit::Receiver } else { Limit::Application };
                self.controller.on_limited(&Limited { now: time(*at_ms), by }, &mut self.control);
            }
        }
        self.take_probes();
    }

    /// Returns all differences from the expected values.
    fn differences(&self, expect: &Expect) -> Vec<String> {
        let mut snapshot = Vec::new();
        self.controller.snapshot(&mut snapshot);
        let answer = Answer {
            control: &self.control,
            mss: self.mss,
            scale: self.scale,
            verdict: self.verdict,
            probes: self.probes,
            snapshot,
        };
        answer.differences(self.profile, self.roundings, expect)
    }
}
