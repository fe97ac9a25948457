// SPDX-License-Identifier: MIT OR Apache-2.0
//! The format of `vectors/*.toml`, as described in `vectors/README.md`.

use bentpipe_control::PacketKind;
use bentpipe_control::catalogue::Value;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use units::Span;

/// The segment size for cases that use bytes or rates but do not set `mss`.
pub const DEFAULT_MSS: u32 = 1_000_000;

pub fn ms(ms: f64) -> Span {
    Span::from_secs_f64(ms / 1e3)
}

pub fn kind(name: &str) -> PacketKind {
    match name {
        "" | "data" => PacketKind::Data,
        "retransmission" => PacketKind::Retransmission,
        "probe" => PacketKind::Probe,
        other => panic!("a packet is data, retransmission or probe, not {other}"),
    }
}

/// The folder that contains the vectors.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors")
}

/// Reads and parses the file `name` in this folder.
pub fn read<T: serde::de::DeserializeOwned>(name: &str) -> T {
    let text = std::fs::read_to_string(folder().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// All files with cases, by name.
pub fn files() -> BTreeMap<String, File> {
    let paths = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let files: BTreeMap<_, _> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .filter(|name| name != "profiles.toml")
        .map(|name| (name.clone(), read(&name)))
        .collect();
    assert!(files.len() >= 6, "vectors are missing: {:?}", files.keys());
    files
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    pub controller: String,
    #[serde(rename = "case")]
    pub cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    pub name: String,
    #[serde(default)]
    pub parameters: BTreeMap<String, toml::Value>,
    /// Bytes of a segment. `None` means any size.
    pub mss: Option<u32>,
    #[serde(default = "default_window")]
    pub initial_window: u32,
    /// Platforms that cannot pass the case (names of profiles), and the reason.
    #[serde(default)]
    pub not_on: BTreeMap<String, String>,
    /// Number of roundings of a platform that may add up in the expected value.
    #[serde(default = "default_roundings")]
    pub roundings: u32,
    #[serde(default)]
    pub start: StartStep,
    #[serde(rename = "step")]
    pub steps: Vec<Step>,
}

fn default_roundings() -> u32 {
    1
}
fn default_window() -> u32 {
    10
}

/// The parameters of a case in the form of the catalogue.
pub fn parameters(case: &Case) -> Vec<(&str, Value<'_>)> {
    let value = |name: &str, value| match value {
        &toml::Value::Boolean(flag) => Value::Flag(flag),
        &toml::Value::Float(number) => Value::Number(number),
        &toml::Value::Integer(number) => Value::Number(number as f64),
        other => panic!("parameter {name} = {other}"),
    };
    let named = case.parameters.iter().map(|(name, given)| {
        let given =
            if let toml::Value::String(text) = given { Value::Text(text) } else { value(name, given) };
        (name.as_str(), given)
    });
    named.collect()
}

#[derive(Deserialize)]
pub struct Step {
    #[serde(flatten)]
    pub event: Event,
    pub expect: Expect,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    Ack(AckStep),
    Loss(LossStep),
    Timeout(TimeoutStep),
    PersistentCongestion { at_ms: f64 },
    Spurious { at_ms: f64, episode: u32 },
    Recovered { at_ms: f64 },
    Idle { at_ms: f64, idle_ms: f64 },
    Sent(SentStep),
    Path(PathStep),
    Timer { at_ms: f64, id: usize },
    Limited { at_ms: f64, by: String },
    Mss { at_ms: f64, factor: f64 },
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StartStep {
    pub rtt_ms: Option<f64>,
    pub propagation_ms: Option<f64>,
    pub distance_km: Option<f64>,
    pub capacity_mbit_s: Option<f64>,
    pub saved_segments: Option<f64>,
    pub saved_rtt_ms: f64,
    pub saved_age_ms: f64,
    pub seed: u64,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SentStep {
    pub at_ms: f64,
    pub tx: Option<u64>,
    pub in_flight_segments: f64,
    pub after_idle: bool,
    pub kind: String,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PathStep {
    pub at_ms: f64,
    pub happens_ms: Option<f64>,
    pub uncertainty_ms: f64,
    pub lasts_ms: Option<f64>,
    pub kind: String,
    pub propagation_ms: Option<f64>,
    pub distance_km: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RateStep {
    pub delivered_segments: f64,
    pub interval_ms: f64,
    pub prior_delivered_segments: f64,
    pub tx_in_flight_segments: f64,
    pub lost_segments: f64,
    pub app_limited: bool,
}

#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about one ACK, each named")]
pub struct AckStep {
    pub at_ms: f64,
    pub every_ms: f64,
    pub repeat: u32,
    pub segments: u32,
    pub rtt_ms: Option<f64>,
    pub srtt_ms: Option<f64>,
    pub min_rtt_ms: Option<f64>,
    pub propagation_ms: Option<f64>,
    pub limited: bool,
    pub recovery: bool,
    pub round_start: bool,
    pub tx: Option<u64>,
    pub burst: u32,
    pub sent_at_ms: Option<f64>,
    pub sent_every_ms: Option<f64>,
    pub one_way_delay_ms: Option<f64>,
    pub in_flight_segments: Option<f64>,
    pub sent_segments: Option<f64>,
    pub delivered_segments: Option<f64>,
    pub lost_segments: f64,
    pub rate: Option<RateStep>,
    pub app_limited: Option<bool>,
    pub receiver_limited: bool,
    pub congestion_warning: bool,
    pub ce_segments: f64,
    pub probes: u32,
    pub duplicate: bool,
    pub kind: String,
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
pub struct LossStep {
    pub at_ms: f64,
    pub tx: u64,
    pub in_flight_segments: f64,
    pub new_episode: bool,
    pub episode: u32,
    pub segments: u32,
    pub ranges: u32,
    pub sent_at_ms: f64,
    pub tx_in_flight_segments: f64,
    pub lost_at_send_segments: f64,
    pub ecn: bool,
    pub kind: String,
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
pub struct TimeoutStep {
    pub at_ms: f64,
    pub consecutive: u32,
    pub in_flight_segments: f64,
    pub episode: u32,
}

impl Default for TimeoutStep {
    fn default() -> Self {
        Self { at_ms: 0.0, consecutive: 1, in_flight_segments: 0.0, episode: 1 }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    pub cwnd_segments: Option<f64>,
    pub ssthresh_segments: Option<f64>,
    #[serde(default)]
    pub ssthresh_unset: bool,
    pub pacing_mbit_s: Option<f64>,
    #[serde(default)]
    pub pacing_unset: bool,
    pub probes: Option<u32>,
    pub hold_until_ms: Option<f64>,
    /// Times at which the first and the second timer expire.
    pub timers_ms: Option<[f64; 2]>,
    pub verdict: Option<String>,
    pub phase: Option<String>,
    #[serde(default)]
    pub numbers: BTreeMap<String, f64>,
}
