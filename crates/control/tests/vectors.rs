// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs the language-neutral cases of `vectors/` (format: `vectors/README.md`).
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bentpipe_control::catalogue::{self, Value};
use bentpipe_control::{
    Ack, AckedPacket, Control, Controller, Idle, Limit, Limited, Loss, LossTrigger, LossVerdict, LostPacket,
    PacketKind, PathChange, PathKind, PathState, RateSample, SavedPath, Sent, Spurious, Start, Timeout,
    TimerFired,
};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use units::{Bytes, Span, Time};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    controller: String,
    #[serde(rename = "case")]
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    #[serde(default)]
    parameters: BTreeMap<String, toml::Value>,
    #[serde(default = "default_mss")]
    mss: u32,
    #[serde(default = "default_window")]
    initial_window: u32,
    #[serde(default)]
    start: StartStep,
    #[serde(rename = "step")]
    steps: Vec<Step>,
}

fn default_mss() -> u32 {
    1_000_000
}
fn default_window() -> u32 {
    10
}

#[derive(Deserialize)]
struct Step {
    #[serde(flatten)]
    event: Event,
    expect: Expect,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Event {
    Ack(AckStep),
    Loss(LossStep),
    Timeout(TimeoutStep),
    Spurious { at_ms: f64, episode: u32 },
    Recovered { at_ms: f64 },
    Idle { at_ms: f64, idle_ms: f64 },
    Sent(SentStep),
    Path(PathStep),
    Timer { at_ms: f64, id: usize },
    Limited { at_ms: f64, by: String },
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct StartStep {
    propagation_ms: Option<f64>,
    distance_km: Option<f64>,
    capacity_mbit_s: Option<f64>,
    saved_segments: Option<f64>,
    saved_rtt_ms: f64,
    saved_age_ms: f64,
    seed: u64,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct SentStep {
    at_ms: f64,
    tx: Option<u64>,
    in_flight_segments: f64,
    after_idle: bool,
    kind: String,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct PathStep {
    at_ms: f64,
    happens_ms: Option<f64>,
    uncertainty_ms: f64,
    lasts_ms: Option<f64>,
    kind: String,
    propagation_ms: Option<f64>,
    distance_km: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct RateStep {
    delivered_segments: f64,
    interval_ms: f64,
    prior_delivered_segments: f64,
    tx_in_flight_segments: f64,
    lost_segments: f64,
    app_limited: bool,
}

#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about one ACK, each named")]
struct AckStep {
    at_ms: f64,
    every_ms: f64,
    repeat: u32,
    segments: u32,
    rtt_ms: Option<f64>,
    srtt_ms: Option<f64>,
    min_rtt_ms: Option<f64>,
    propagation_ms: Option<f64>,
    limited: bool,
    recovery: bool,
    round_start: bool,
    tx: Option<u64>,
    burst: u32,
    sent_at_ms: Option<f64>,
    sent_every_ms: Option<f64>,
    one_way_delay_ms: Option<f64>,
    in_flight_segments: Option<f64>,
    sent_segments: Option<f64>,
    delivered_segments: Option<f64>,
    lost_segments: f64,
    rate: Option<RateStep>,
    app_limited: Option<bool>,
    receiver_limited: bool,
    congestion_warning: bool,
    ce_segments: f64,
    probes: u32,
    duplicate: bool,
    kind: String,
}

impl Default for AckStep {
    fn default() -> Self {
        Self {
            at_ms: 0.0,
            every_ms: 0.0,
            repeat: 1,
            segments: 1,
            rtt_ms: None,
            srtt_ms: None,
            min_rtt_ms: None,
            propagation_ms: None,
            limited: true,
            recovery: false,
            round_start: false,
            tx: None,
            burst: 0,
            sent_at_ms: None,
            sent_every_ms: None,
            one_way_delay_ms: None,
            in_flight_segments: None,
            sent_segments: None,
            delivered_segments: None,
            lost_segments: 0.0,
            rate: None,
            app_limited: None,
            receiver_limited: false,
            congestion_warning: false,
            ce_segments: 0.0,
            probes: 0,
            duplicate: false,
            kind: String::new(),
        }
    }
}

#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct LossStep {
    at_ms: f64,
    tx: u64,
    in_flight_segments: f64,
    new_episode: bool,
    episode: u32,
    segments: u32,
    ranges: u32,
    sent_at_ms: f64,
    tx_in_flight_segments: f64,
    lost_at_send_segments: f64,
    ecn: bool,
    kind: String,
}

impl Default for LossStep {
    fn default() -> Self {
        Self {
            at_ms: 0.0,
            tx: 0,
            in_flight_segments: 0.0,
            new_episode: true,
            episode: 1,
            segments: 1,
            ranges: 1,
            sent_at_ms: 0.0,
            tx_in_flight_segments: 0.0,
            lost_at_send_segments: 0.0,
            ecn: false,
            kind: String::new(),
        }
    }
}

#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct TimeoutStep {
    at_ms: f64,
    consecutive: u32,
    in_flight_segments: f64,
    episode: u32,
}

impl Default for TimeoutStep {
    fn default() -> Self {
        Self { at_ms: 0.0, consecutive: 1, in_flight_segments: 0.0, episode: 1 }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expect {
    cwnd_segments: Option<f64>,
    ssthresh_segments: Option<f64>,
    #[serde(default)]
    ssthresh_unset: bool,
    pacing_mbit_s: Option<f64>,
    #[serde(default)]
    pacing_unset: bool,
    probes: Option<u32>,
    hold_until_ms: Option<f64>,
    /// When the first and the second timer shall fire.
    timers_ms: Option<[f64; 2]>,
    verdict: Option<String>,
    phase: Option<String>,
    #[serde(default)]
    numbers: BTreeMap<String, f64>,
}

/// Windows, rates and numbers must agree to this fraction (absolutely below 1).
const TOLERANCE: f64 = 2e-6;

fn near(got: f64, wanted: f64) -> bool {
    (got - wanted).abs() <= TOLERANCE * wanted.abs().max(1.0)
}

fn ms(ms: f64) -> Span {
    Span::from_secs_f64(ms / 1e3)
}

fn kind(name: &str) -> PacketKind {
    match name {
        "" | "data" => PacketKind::Data,
        "retransmission" => PacketKind::Retransmission,
        "probe" => PacketKind::Probe,
        other => panic!("a packet is data, retransmission or probe, not {other}"),
    }
}

struct Runner {
    rounds: u64,
    delivered: f64,
    controller: Box<dyn Controller>,
    control: Control,
    mss: u32,
    next_tx: u64,
    min_rtt: Option<Span>,
    verdict: Option<LossVerdict>,
    /// Asked for since the step before.
    probes: u32,
}

impl Runner {
    fn new(file: &File, case: &Case) -> Self {
        let parameters: Vec<(&str, Value<'_>)> = case
            .parameters
            .iter()
            .map(|(name, value)| {
                let value = match value {
                    toml::Value::String(text) => Value::Text(text),
                    toml::Value::Boolean(flag) => Value::Flag(*flag),
                    toml::Value::Float(number) => Value::Number(*number),
                    toml::Value::Integer(number) => Value::Number(*number as f64),
                    other => panic!("parameter {name} = {other}"),
                };
                (name.as_str(), value)
            })
            .collect();
        let mut controller = catalogue::build(&file.controller, &parameters).unwrap();
        let mut control = Control::new(Bytes::from_segments(f64::from(case.initial_window), case.mss));
        let mut start = Start::new(case.mss, case.initial_window);
        start.provided = controller.uses();
        start.seed = case.start.seed;
        start.path = PathState {
            propagation_rtt: case.start.propagation_ms.map(ms),
            distance_m: case.start.distance_km.map(|km| km * 1e3),
            capacity: case.start.capacity_mbit_s.map(|mbit| units::Rate::from_bytes_per_s(mbit * 1e6 / 8.0)),
            hops: None,
        };
        start.saved = case.start.saved_segments.map(|segments| SavedPath {
            cwnd: Bytes::from_segments(segments, case.mss),
            rtt: ms(case.start.saved_rtt_ms),
            age: ms(case.start.saved_age_ms),
        });
        controller.on_start(&start, &mut control);
        let probes = control.probes.take().map_or(0, |probes| probes.count);
        Self {
            rounds: 0,
            delivered: 0.0,
            controller,
            control,
            mss: case.mss,
            next_tx: 0,
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
        let propagation_rtt = step.propagation_ms.map(ms);
        let packets: Vec<_> = (0..u64::from(step.segments))
            .rev()
            .map(|back| AckedPacket {
                tx: newest - back,
                bytes: self.mss,
                kind: kind(&step.kind),
                sent_at,
                burst: step.burst,
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
        let ack = Ack {
            acked,
            cumulative: if step.duplicate { Bytes::ZERO } else { acked },
            duplicate: step.duplicate || step.segments == 0,
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

    fn step(&mut self, event: &Event) {
        let time = |at_ms: f64| Time::ZERO + ms(at_ms);
        self.verdict = None;
        match event {
            Event::Ack(step) => {
                for i in 0..step.repeat {
                    self.ack(step, time(step.at_ms + f64::from(i) * step.every_ms), i);
                }
            }
            Event::Loss(step) => {
                let now = time(step.at_ms);
                let packets: Vec<_> = (0..u64::from(step.segments))
                    .map(|i| LostPacket {
                        tx: step.tx + i,
                        bytes: self.mss,
                        kind: kind(&step.kind),
                        sent_at: time(step.sent_at_ms),
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
            Event::Timeout(step) => {
                let timeout = Timeout {
                    now: time(step.at_ms),
                    consecutive: step.consecutive,
                    in_flight_before: self.bytes(step.in_flight_segments),
                    episode: step.episode,
                };
                self.controller.on_timeout(&timeout, &mut self.control);
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
            Event::Limited { at_ms, by } => {
                let by = if by == "receiver" { Limit::Receiver } else { Limit::Application };
                self.controller.on_limited(&Limited { now: time(*at_ms), by }, &mut self.control);
            }
        }
        self.take_probes();
    }

    /// Everything that differs from what is expected.
    fn differences(&self, expect: &Expect) -> Vec<String> {
        let mut out = Vec::new();
        let mut check = |what: &str, got: Option<f64>, wanted: Option<f64>| {
            if let Some(wanted) = wanted
                && !got.is_some_and(|got| near(got, wanted))
            {
                out.push(format!("{what}: got {got:?}, expected {wanted}"));
            }
        };
        let ssthresh = self.control.ssthresh.map(|bytes| bytes.segments(self.mss));
        check("cwnd_segments", Some(self.control.cwnd.segments(self.mss)), expect.cwnd_segments);
        check("ssthresh_segments", ssthresh, expect.ssthresh_segments);
        check("pacing_mbit_s", self.control.pacing.map(units::Rate::mbit_per_s), expect.pacing_mbit_s);
        let in_ms = |at: Time| at.nanos() as f64 / 1e6;
        check("hold_until_ms", self.control.hold_until.map(in_ms), expect.hold_until_ms);
        for (i, timer) in self.control.timers.iter().enumerate() {
            check("timers_ms", timer.map(in_ms), expect.timers_ms.map(|timers| timers[i]));
        }
        check("probes", Some(f64::from(self.probes)), expect.probes.map(f64::from));
        let mut snapshot = Vec::new();
        self.controller.snapshot(&mut snapshot);
        for (name, wanted) in &expect.numbers {
            let got = snapshot.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
            check(name, got, Some(*wanted));
        }
        if expect.ssthresh_unset && ssthresh.is_some() {
            out.push(format!("ssthresh_segments: got {ssthresh:?}, expected it unset"));
        }
        if expect.pacing_unset && self.control.pacing.is_some() {
            out.push(format!("pacing: got {:?}, expected none", self.control.pacing));
        }
        if let Some(wanted) = &expect.verdict {
            let got = self.verdict.map(|verdict| match verdict {
                LossVerdict::Congestion => "congestion",
                LossVerdict::LinkError => "link error",
            });
            if got != Some(wanted.as_str()) {
                out.push(format!("verdict: got {got:?}, expected {wanted}"));
            }
        }
        if expect.phase.as_ref().is_some_and(|wanted| wanted != self.control.phase) {
            out.push(format!("phase: got {}, expected {:?}", self.control.phase, expect.phase));
        }
        out
    }
}

#[test]
fn every_case_of_every_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors");
    let mut failures = Vec::new();
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    assert!(files.len() >= 6, "the vectors are not where they should be: {files:?}");
    for path in files {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let file: File = toml::from_str(&std::fs::read_to_string(&path).unwrap())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        for case in &file.cases {
            let mut runner = Runner::new(&file, case);
            for (i, step) in case.steps.iter().enumerate() {
                runner.step(&step.event);
                for difference in runner.differences(&step.expect) {
                    failures.push(format!("{name}: {}: step {}: {difference}", case.name, i + 1));
                }
                runner.probes = 0;
            }
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}
