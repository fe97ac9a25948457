// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes TCP settings.

use crate::format::{
    AckRule, DelayedAck, Ecn, Flow, GrowingWindow, LikeLinux, ReceiveWindow, SavedPath, Tcp, Trickle,
};
use crate::settings::{TextOf, settings};
use crate::text::{Q, Unlimited};
use crate::words::{W, Word};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value as Json};
use std::fmt::Write;
use tcp::{Config, Preset, Setup};
use units::{Bytes, Span};

/// The value `delayed_ack = true`: every second segment (RFC 5681, section 4.2), at most 40 ms late, which is the
/// smallest delay of Linux.
const DELAYED_ACK: tcp::DelayedAck = tcp::DelayedAck::Every { segments: 2, at_most: Span::from_millis(40) };
/// Default receive window: half of `tcp_rmem[2]` in Linux, which is 6 MiB.
const RECEIVE_WINDOW: Bytes = Bytes::new(3_145_728);

settings! {
    Tcp => Config;
    always preset, mss, header, initial_window, recovery, repair, timeouts, limited_transmit, undo, f_rto, timestamps,
        delayed_ack, min_rto, max_rto,
        initial_rto, clock, dup_thresh, receive_window, setup, syn_header, after_lost_syn,
        fin_beyond_window, slow_start_after_idle, one_cut_per_recovery, sack_restarts_timer,
        reordering_timer_slack, tail_probe_by_oldest, growth_when_reordered, pacing_credit, tso, ecn;
    perhaps growth_limit, prr, saved_path
}

/// Settings that contradict each other, or a setting without effect.
#[derive(Debug)]
pub struct Contradiction {
    /// Keys of the settings. One of them must change; the most likely key is first.
    pub keys: Vec<&'static str>,
    pub message: String,
}

/// Returns the settings of a flow. The preset is that of the flow or else of the scenario, and the keys of both apply.
pub fn configured(scenario: Option<&Tcp>, flow: Option<&Tcp>) -> Result<Config, Contradiction> {
    // If a flow names a preset, its table replaces the whole table of the scenario.
    let scenario = scenario.filter(|_| flow.is_none_or(|flow| flow.preset.is_none()));
    let texts = [scenario, flow];
    let preset = texts.iter().flatten().find_map(|text| text.preset).unwrap_or_default().0;
    let mut config = preset.config();
    let before = config.timestamps;
    for text in texts.into_iter().flatten() {
        text.apply(&mut config);
    }
    make_room(&texts, before, &mut config);
    config.preset = preset;
    config.prr = Some(config.uses_prr());
    contradiction(&config).map_or(Ok(config), Err)
}

/// If `texts` switch timestamps off, segments gain the space of the option. If `texts` switch timestamps on, segments
/// lose it. Sizes that the texts state do not change.
fn make_room(texts: &[Option<&Tcp>], before: bool, config: &mut Config) {
    let says = |key: fn(&Tcp) -> bool| texts.iter().flatten().any(|text| key(text));
    if config.timestamps == before {
        return;
    }
    let resized = |size: u32, grows: bool| {
        if grows { size + tcp::TIMESTAMPS } else { size.saturating_sub(tcp::TIMESTAMPS).max(1) }
    };
    if !says(|text| text.header.is_some()) {
        config.header = resized(config.header, config.timestamps);
    }
    // Without a SYN, the header size of a SYN is not a setting.
    if config.setup != Setup::None && !says(|text| text.syn_header.is_some()) {
        config.syn_header = resized(config.syn_header, config.timestamps);
    }
    if !says(|text| text.mss.is_some()) {
        config.mss = resized(config.mss, !config.timestamps);
    }
}

/// Returns the first contradiction.
fn contradiction(config: &Config) -> Option<Contradiction> {
    let changed = changes(config);
    let (keys, message) = against_preset(config.preset, &changed)
        .or_else(|| timers(config, &changed))
        .or_else(|| repairs(config))
        .or_else(|| undoing(config, &changed))
        .or_else(|| timing(config, &changed))
        .or_else(|| openings(config, &changed))
        .or_else(|| windows(config))?;
    Some(Contradiction { keys, message })
}

/// Returns a contradiction if the setup is for one direction only, because connections of an application need both.
pub fn one_way(config: &Config) -> Option<Contradiction> {
    matches!(config.setup, Setup::Ns2 | Setup::Ns2Linux).then(|| {
        let message = format!(
            "setup = \"{}\" is for connections that send data in one direction, but connections of applications \
             carry requests and answers (write setup = \"handshake\", or remove `setup`)",
            config.setup.word()
        );
        Contradiction { keys: vec!["setup"], message }
    })
}

/// TCP settings of proxies. Keys that are missing have the flow's value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OwnTcp(pub(crate) Tcp);

impl OwnTcp {
    /// Returns the settings of a proxy on the path of a flow with the settings `flow`. A preset replaces all settings.
    /// If the recovery is set, it determines PRR (RFC 9937, section 5). Only the host has the application's trickle and
    /// the saved path.
    pub fn over(&self, flow: &Config) -> Config {
        let Self(text) = self;
        let mut config = text.preset.map_or_else(
            || Config { trickle: None, saved_path: None, ..flow.clone() },
            |W(preset)| preset.config(),
        );
        if text.recovery.is_some() {
            config.prr = None;
        }
        let before = config.timestamps;
        text.apply(&mut config);
        make_room(&[Some(text)], before, &mut config);
        config.prr = Some(config.uses_prr());
        config
    }

    /// Returns whether these settings contain a receive window. The flow's receive window belongs to its receiving
    /// host.
    pub fn has_window(&self) -> bool {
        self.0.receive_window.is_some() || self.0.preset.is_some()
    }

    /// Returns whether these settings contain the setup of connections.
    pub fn has_setup(&self) -> bool {
        self.0.setup.is_some()
    }

    /// Returns a contradiction between these settings, or between them and the settings of the flow.
    pub fn contradiction(&self, flow: &Config) -> Option<Contradiction> {
        let mut config = self.over(flow);
        if !self.has_window() {
            config.receive_window = tcp::ReceiveWindow::Unlimited;
        }
        contradiction(&config)
    }
}

/// The keys of a contradiction, and the message; `None` if there is no contradiction.
type Wrong = Option<(Vec<&'static str>, String)>;

/// Finds a setting whose value differs from a value that the preset fixes.
fn against_preset(preset: Preset, changed: &Map<String, Json>) -> Wrong {
    let fixed = |reason: &&tcp::Reason| reason.is_fixed && changed.contains_key(reason.key);
    let reason = preset.reasons().find(fixed)?;
    let message = format!(
        "{} contradicts preset = \"{}\". This preset fixes `{}`: {} (remove the key, or write another preset)",
        changed[reason.key],
        preset.word(),
        reason.key,
        reason.source,
    );
    Some((vec![reason.key], message))
}

/// Finds timeouts outside their bounds. The values of a preset may be outside: they are clamped without a message.
fn timers(config: &Config, changed: &Map<String, Json>) -> Wrong {
    let Config { min_rto, max_rto, initial_rto, clock, .. } = *config;
    let above = |key: &'static str, value: Span, bound: &'static str, limit: Span, why: &str| {
        let message = format!(
            "{key} of {value} is above {bound} of {limit}{why} (write {key} = \"{limit}\" or less, or {bound} = \"{value}\" \
             or more)"
        );
        Some((vec![key, bound], message))
    };
    if min_rto > max_rto {
        return above("min_rto", min_rto, "max_rto", max_rto, "");
    }
    if initial_rto > max_rto && changed.contains_key("initial_rto") {
        return above("initial_rto", initial_rto, "max_rto", max_rto, ", its upper bound");
    }
    if clock > min_rto && changed.contains_key("clock") {
        return above("clock", clock, "min_rto", min_rto, ", so it has no effect");
    }
    None
}

/// Finds repairs whose requirements are not met.
fn repairs(config: &Config) -> Wrong {
    let selective = matches!(config.recovery, tcp::Recovery::Sack | tcp::Recovery::RackTlp);
    if config.uses_prr() && !selective {
        let message = "prr needs selective acknowledgements (write recovery = \"sack\" or \"rack\")";
        return Some((vec!["prr", "recovery"], message.to_owned()));
    }
    if config.repair != tcp::Repair::Rfc6675 && (config.uses_prr() || !selective) {
        let message = format!(
            "repair = \"{}\" needs selective acknowledgements and no PRR (write recovery = \"sack\", prr = false)",
            config.repair.word()
        );
        return Some((vec!["repair", "recovery", "prr"], message));
    }
    let elder = config.recovery == tcp::Recovery::NewReno || config.repair == tcp::Repair::FallFloyd;
    if config.timeouts == tcp::Timeouts::Ns2 && !elder {
        let message = "timeouts = \"ns-2\" needs recovery = \"newreno\" or repair = \"fall-floyd\" (write one of \
            these two keys, or remove `timeouts`)";
        return Some((vec!["timeouts", "recovery", "repair"], message.to_owned()));
    }
    None
}

/// Finds F-RTO without its requirements.
fn undoing(config: &Config, changed: &Map<String, Json>) -> Wrong {
    let value = changed.get("f_rto")?;
    let (why, fix, other) = if !config.undo {
        ("undo = false, no reduction is undone", "undo = true", "undo")
    } else if !matches!(config.recovery, tcp::Recovery::Sack | tcp::Recovery::RackTlp) {
        (
            "recovery = \"reno\" or \"newreno\", no SACK reports which segments arrived (RFC 5682, section 3)",
            "recovery = \"sack\" or \"rack\"",
            "recovery",
        )
    } else {
        return None;
    };
    let message = format!("f_rto = {value} has no effect: with {why} (remove `f_rto`, or write {fix})");
    Some((vec!["f_rto", other], message))
}

/// Finds settings of RACK without RACK.
fn timing(config: &Config, changed: &Map<String, Json>) -> Wrong {
    const OF_RACK: [(&str, &str); 3] = [
        ("reordering_timer_slack", "no timer of RACK"),
        ("tail_probe_by_oldest", "no tail loss probe"),
        ("growth_when_reordered", "no measurement of reordering"),
    ];
    if config.recovery == tcp::Recovery::RackTlp {
        return None;
    }
    let (key, lacks) = OF_RACK.into_iter().find(|(key, _)| changed.contains_key(*key))?;
    let message = format!(
        "{key} = {} has no effect: with recovery = \"{}\", there is {lacks} (remove `{key}`, or write recovery = \
         \"rack\")",
        changed[key],
        config.recovery.word()
    );
    Some((vec![key, "recovery"], message))
}

/// Finds settings of a handshake without a handshake.
fn openings(config: &Config, changed: &Map<String, Json>) -> Wrong {
    const OF_A_SET_UP: [&str; 3] = ["after_lost_syn", "syn_header", "fin_beyond_window"];
    let idle = OF_A_SET_UP.into_iter().find(|key| changed.contains_key(*key))?;
    (config.setup == Setup::None).then(|| {
        let message = format!(
            "{idle} = {} has no effect: with setup = \"none\", the sender sends no SYN and no FIN (remove `{idle}`, \
             or write setup = \"handshake\")",
            changed[idle]
        );
        (vec![idle, "setup"], message)
    })
}

/// Finds a receive window that is too small.
fn windows(config: &Config) -> Wrong {
    let mss = config.mss;
    let window = config.receive_window.at_most()?.get();
    (window < u64::from(mss)).then(|| {
        let message = format!(
            "the receive window of {window} B is smaller than one segment of {mss} B: nothing can be sent (write a \
            receive_window of \"{mss} B\" or more, or mss = \"{window} B\" or less)"
        );
        (vec!["receive_window", "mss"], message)
    })
}

/// Returns the differences from the flow's preset, by key, as in a file.
pub fn changes(config: &Config) -> Map<String, Json> {
    let mut theirs = written(&config.preset.config());
    let mut ours = written(config);
    // A saved path belongs to the connection, not to the TCP implementation.
    ours.remove("saved_path");
    ours.retain(|key, value| theirs.remove(key).as_ref() != Some(value));
    ours
}

/// Returns the settings of a preset, by key, as in a file.
pub fn written(config: &Config) -> Map<String, Json> {
    let config = Config { prr: Some(config.uses_prr()), ..config.clone() };
    let Ok(Json::Object(mut table)) = serde_json::to_value(Tcp::from_settings(&config)) else {
        return Map::new();
    };
    table.retain(|key, value| !value.is_null() && key != "preset");
    table
}

/// Returns the preset and the differences from it as text for users: "linux", "linux; delayed_ack = false".
pub fn label(config: &Config) -> String {
    let changes = changes(config);
    let mut label = config.preset.word().to_owned();
    for (at, (key, value)) in changes.iter().enumerate() {
        label += if at == 0 { "; " } else { ", " };
        let _ = write!(label, "{key} = {}", plain(value));
    }
    label
}

/// Returns a value as in a file.
fn plain(value: &Json) -> String {
    match value {
        Json::Object(table) => {
            let fields: Vec<_> =
                table.iter().map(|(key, value)| format!("{key} = {}", plain(value))).collect();
            format!("{{ {} }}", fields.join(", "))
        }
        other => other.to_string(),
    }
}

/// A TCP preset.
#[derive(Serialize, JsonSchema)]
pub struct TcpPreset {
    name: &'static str,
    about: &'static str,
    settings: Vec<TcpSetting>,
}

/// A setting of a TCP preset.
#[derive(Serialize, JsonSchema)]
struct TcpSetting {
    key: String,
    /// Value in TOML syntax.
    value: String,
    /// Source of the value; `null` if the preset does not set it.
    source: Option<&'static str>,
    /// Whether a scenario cannot change the setting.
    fixed: bool,
}

/// Returns the presets with their settings and the sources of these settings.
pub fn presets() -> Vec<TcpPreset> {
    let entry = |preset: &Preset| {
        let settings = written(&preset.config()).into_iter().map(|(key, value)| {
            let reason = preset.reasons().find(|reason| reason.key == key);
            TcpSetting {
                key,
                value: plain(&value),
                source: reason.map(|reason| reason.source),
                fixed: reason.is_some_and(|reason| reason.is_fixed),
            }
        });
        TcpPreset { name: preset.word(), about: preset.about(), settings: settings.collect() }
    };
    Preset::ALL.iter().map(entry).collect()
}

// The keys of a flow outside its table `tcp` that belong to its connection.
settings! { Flow => Config; always; perhaps trickle; ..Self::default() }

impl TextOf<Option<tcp::DelayedAck>> for DelayedAck {
    fn read(self) -> Option<tcp::DelayedAck> {
        match self {
            Self::Switch(false) => None,
            Self::Switch(true) => Some(DELAYED_ACK),
            Self::Word(W(LikeLinux::Linux)) => Some(tcp::DelayedAck::Linux),
            Self::Rule(rule) => {
                Some(tcp::DelayedAck::Every { segments: rule.every, at_most: rule.at_most.0 })
            }
        }
    }
    fn write(rule: Option<tcp::DelayedAck>) -> Self {
        match rule {
            None => Self::Switch(false),
            Some(tcp::DelayedAck::Every { segments, at_most }) => {
                Self::Rule(AckRule { every: segments, at_most: Q(at_most) })
            }
            Some(tcp::DelayedAck::Linux) => Self::Word(W(LikeLinux::Linux)),
        }
    }
}

impl TextOf<tcp::ReceiveWindow> for ReceiveWindow {
    fn read(self) -> tcp::ReceiveWindow {
        match self {
            Self::Fixed(Q(Unlimited(None))) => tcp::ReceiveWindow::Unlimited,
            Self::Fixed(Q(Unlimited(Some(window)))) => tcp::ReceiveWindow::Fixed(window),
            Self::Growing(growing) => tcp::ReceiveWindow::Growing(tcp::GrowingWindow {
                at_most: growing.at_most.map_or(RECEIVE_WINDOW, |q| q.0),
                autotuned: growing.autotuned.unwrap_or_default(),
            }),
        }
    }
    fn write(window: tcp::ReceiveWindow) -> Self {
        match window {
            tcp::ReceiveWindow::Unlimited => Self::Fixed(Q(Unlimited(None))),
            tcp::ReceiveWindow::Fixed(window) => Self::Fixed(Q(Unlimited(Some(window)))),
            tcp::ReceiveWindow::Growing(tcp::GrowingWindow { at_most, autotuned }) => {
                Self::Growing(GrowingWindow { at_most: Some(Q(at_most)), autotuned: Some(autotuned) })
            }
        }
    }
}

impl TextOf<Option<tcp::Ecn>> for Ecn {
    fn read(self) -> Option<tcp::Ecn> {
        match self {
            Self::Switch(on) => on.then_some(tcp::Ecn::Classic),
            Self::Echo(W(echo)) => Some(echo),
        }
    }
    fn write(ecn: Option<tcp::Ecn>) -> Self {
        ecn.map_or(Self::Switch(false), |echo| Self::Echo(W(echo)))
    }
}

impl TextOf<control::SavedPath> for SavedPath {
    fn read(self) -> control::SavedPath {
        let age = self.age.map_or(Span::ZERO, |q| q.0);
        control::SavedPath { cwnd: self.cwnd.0, rtt: self.rtt.0, age }
    }
    fn write(saved: control::SavedPath) -> Self {
        Self { cwnd: Q(saved.cwnd), rtt: Q(saved.rtt), age: Some(Q(saved.age)) }
    }
}

impl TextOf<tcp::Trickle> for Trickle {
    fn read(self) -> tcp::Trickle {
        let begins = self.begins.map_or(Span::ZERO, |q| q.0);
        tcp::Trickle { rate: self.rate.0, begins, lasts: self.lasts.map_or(Span::MAX, |q| q.0) }
    }
    fn write(trickle: tcp::Trickle) -> Self {
        let lasts = (trickle.lasts < Span::MAX).then_some(Q(trickle.lasts));
        let begins = (trickle.begins > Span::ZERO).then_some(Q(trickle.begins));
        Self { rate: Q(trickle.rate), begins, lasts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each value that a preset sets must have a source.
    #[test]
    fn every_setting_that_differs_from_the_bare_machine_has_a_source() {
        let bare = written(&Preset::Bentpipe01.config());
        for preset in Preset::ALL {
            let settings = written(&preset.config());
            for reason in preset.reasons() {
                assert!(settings.contains_key(reason.key), "{}: {} is no setting", preset.word(), reason.key);
            }
            for (key, value) in &settings {
                let said = preset.reasons().any(|reason| reason.key == key);
                assert!(
                    said || bare.get(key) == Some(value),
                    "{}: where is {key} = {value} from?",
                    preset.word()
                );
            }
            assert_eq!(label(&preset.config()), preset.word(), "nothing is changed");
        }
    }

    /// RFC 7323, appendix A: the timestamps option has 12 bytes. A packet of 1500 bytes (40 bytes of IP and TCP
    /// headers, 1460 of payload; RFC 6691) has a payload of 1448 bytes with the option. If one end does not use the
    /// option, neither end sends it (RFC 7323, section 3.2).
    #[test]
    fn both_ends_have_timestamps_or_none() -> Result<(), Box<dyn std::error::Error>> {
        let settings = |text: &str| -> Result<Config, Box<dyn std::error::Error>> {
            let tcp: Tcp = toml::from_str(text)?;
            configured(None, Some(&tcp)).map_err(|wrong| wrong.message.into())
        };
        let sizes = |config: &Config| (config.mss, config.header, config.syn_header);
        // Without a SYN, its size has no meaning.
        assert_eq!(sizes(&settings("timestamps = false")?), (1460, 40, 60));
        let with = settings("setup = \"handshake\"")?;
        let without = settings("setup = \"handshake\"\ntimestamps = false")?;
        assert_eq!((sizes(&with), sizes(&without)), ((1448, 52, 60), (1460, 40, 48)));
        for (from, to) in [(&with, &without), (&without, &with), (&without, &without)] {
            for half in from.towards(to) {
                assert_eq!((half.mss, half.header, half.timestamps), (1460, 40, false));
            }
        }
        let [sends, receives] = with.towards(&with);
        assert_eq!((sends.mss, sends.header, receives.mss, receives.header), (1448, 52, 1448, 52));
        // Sizes in the text stay. Other sizes gain the space of the option.
        assert_eq!(
            sizes(&settings("setup = \"handshake\"\ntimestamps = false\nmss = \"1000 B\"")?),
            (1000, 40, 48)
        );
        assert_eq!(
            sizes(&settings("setup = \"handshake\"\ntimestamps = false\nheader = \"52 B\"")?),
            (1460, 52, 48)
        );
        let small = settings("mss = \"536 B\"")?;
        for (from, to) in [(&small, &without), (&without, &small)] {
            for half in from.towards(to) {
                // Without the option, 536 becomes 548.
                assert_eq!((half.mss, half.header), (548, 40));
            }
        }
        // The first proxy sets no sizes, and its flow has no timestamps. The second proxy switches timestamps on. The
        // third switches them off.
        let proxy = |text: &str| toml::from_str::<Tcp>(text).map(OwnTcp);
        assert_eq!(sizes(&proxy("")?.over(&without)), (1460, 40, 48));
        assert_eq!(sizes(&proxy("timestamps = true")?.over(&without)), (1448, 52, 60));
        assert_eq!(sizes(&proxy("timestamps = false")?.over(&with)), (1460, 40, 48));
        Ok(())
    }
}
