// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs the language-neutral cases of `vectors/` (format: `vectors/README.md`).
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bentpipe_control::catalogue::{self, Value};
use bentpipe_control::{
    Ack, AckedPacket, Control, Controller, Idle, Loss, LossTrigger, LostPacket, PacketKind, PathState,
    Signals, Spurious, Start, Timeout, Verdict,
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
}

#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
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
}

impl Default for LossStep {
    fn default() -> Self {
        Self { at_ms: 0.0, tx: 0, in_flight_segments: 0.0, new_episode: true, episode: 1 }
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

struct Runner {
    controller: Box<dyn Controller>,
    control: Control,
    mss: u32,
    next_tx: u64,
    min_rtt: Option<Span>,
    verdict: Option<Verdict>,
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
        controller.on_start(
            &Start {
                now: Time::ZERO,
                mss: case.mss,
                initial_window: case.initial_window,
                provided: Signals::NONE,
                path: PathState::default(),
                saved: None,
            },
            &mut control,
        );
        Self { controller, control, mss: case.mss, next_tx: 0, min_rtt: None, verdict: None }
    }

    fn bytes(&self, segments: f64) -> Bytes {
        Bytes::from_segments(segments, self.mss)
    }

    fn ack(&mut self, step: &AckStep, now: Time) {
        let rtt = step.rtt_ms.map(ms);
        self.min_rtt = match (self.min_rtt, rtt) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let newest = step.tx.unwrap_or(self.next_tx + u64::from(step.segments).saturating_sub(1));
        let sent_at = Time::from_nanos(now.nanos().saturating_sub(rtt.unwrap_or_default().nanos()));
        let propagation_rtt = step.propagation_ms.map(ms);
        let packets: Vec<_> = (0..u64::from(step.segments))
            .rev()
            .map(|back| AckedPacket {
                tx: newest - back,
                bytes: self.mss,
                kind: PacketKind::Data,
                sent_at,
                burst: step.burst,
                propagation_rtt,
            })
            .collect();
        self.next_tx = newest + 1;
        let acked = self.bytes(f64::from(step.segments));
        let ack = Ack {
            now,
            acked,
            cumulative: acked,
            duplicate: step.segments == 0,
            rtt,
            srtt: step.srtt_ms.map(ms).or(rtt),
            min_rtt: step.min_rtt_ms.map(ms).or(self.min_rtt),
            ack_delay: None,
            one_way_delay_ns: None,
            sent_at: Some(sent_at),
            propagation_rtt,
            total_sent: Bytes::ZERO,
            total_delivered: Bytes::ZERO,
            total_lost: Bytes::ZERO,
            rate: None,
            in_flight_before: self.control.cwnd,
            in_flight: self.control.cwnd,
            round: 0,
            round_start: step.round_start,
            in_recovery: step.recovery,
            cwnd_limited: step.limited,
            app_limited: !step.limited,
            receiver_limited: false,
            ce: Bytes::ZERO,
            congestion_warning: false,
            probes: 0,
            packets: &packets,
        };
        self.controller.on_ack(&ack, &mut self.control);
    }

    fn step(&mut self, event: &Event) {
        let time = |at_ms: f64| Time::ZERO + ms(at_ms);
        self.verdict = None;
        match event {
            Event::Ack(step) => {
                for i in 0..step.repeat {
                    self.ack(step, time(step.at_ms + f64::from(i) * step.every_ms));
                }
            }
            Event::Loss(step) => {
                let now = time(step.at_ms);
                let lost = LostPacket {
                    tx: step.tx,
                    bytes: self.mss,
                    kind: PacketKind::Data,
                    sent_at: Time::ZERO,
                    tx_in_flight: Bytes::ZERO,
                    lost_at_send: Bytes::ZERO,
                };
                let loss = Loss {
                    now,
                    trigger: LossTrigger::Reordering,
                    lost: self.bytes(1.0),
                    new_episode: step.new_episode,
                    episode: step.episode,
                    in_flight_before: self.bytes(step.in_flight_segments),
                    ranges: 1,
                    packets: &[lost],
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
        }
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
        let mut snapshot = Vec::new();
        self.controller.snapshot(&mut snapshot);
        for (name, wanted) in &expect.numbers {
            let got = snapshot.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
            check(name, got, Some(*wanted));
        }
        if expect.ssthresh_unset && ssthresh.is_some() {
            out.push(format!("ssthresh_segments: got {ssthresh:?}, expected it unset"));
        }
        if let Some(wanted) = &expect.verdict {
            let got = self.verdict.map(|verdict| match verdict {
                Verdict::Congestion => "congestion",
                Verdict::LinkError => "link error",
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
            }
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}
