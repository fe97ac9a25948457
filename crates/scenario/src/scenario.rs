// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads the text of a file as a [`Scenario`], fills in defaults and refuses contradictions. Also writes a scenario
//! with all defaults.

use crate::ScenarioError;
use crate::budget;
use crate::capture;
use crate::check::Source;
use crate::document::{NetworkChoice, Record, Scenario, Window};
use crate::flow::FlowReader;
use crate::format::{self, Document, Packets, Part};
use crate::network::Network;
use crate::places::Places;
use crate::text::{Off, Q};
use crate::{facts, ideal, packet_sizes, pep, traffic};
use link::starlink;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::LazyLock;
use units::{Code, Span, Time};

/// Default length of a run.
const DURATION: Span = Span::from_secs(60);
/// Default interval of samples.
const INTERVAL: Span = Span::from_millis(100);

/// Returns the JSON Schema of scenario files, for editors. In addition to the keywords of the standard, it uses `x-min`
/// and `x-max`, which are bounds of quantities (text with a unit). `x-only` marks keys that belong only to tables of
/// some kind. `x-excludes` and `x-needs` mark keys that exclude or need other keys.
pub fn json_schema() -> String {
    let mut text = format!("{:#}", schema());
    text.push('\n');
    text
}

/// The schema is built once: building it takes longer than reading a document, and the result is always the same.
fn schema() -> &'static serde_json::Value {
    static SCHEMA: LazyLock<serde_json::Value> = LazyLock::new(|| schemars::schema_for!(Document).to_value());
    &SCHEMA
}

/// Values that replace values of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// Duration of the run, with its unit.
    pub duration: Option<String>,
    /// By the path of each original file, a copy that is opened instead. This is for a machine that has only copies.
    pub copies: BTreeMap<PathBuf, PathBuf>,
}

impl Scenario {
    /// Reads a scenario file. `origin` is its path: errors contain it, and files that the scenario names are relative
    /// to its folder.
    ///
    /// # Errors
    /// The faults of the text, each with line, key, allowed values and fix. If the text does not match the schema,
    /// these are all faults against the schema. Otherwise, these are all contradictions, except those that another
    /// fault hides.
    pub fn from_toml(text: &str, origin: &str) -> Result<Self, ScenarioError> {
        Self::read(text, origin, &Overrides::default()).map(|(scenario, _)| scenario)
    }

    /// Does the same as [`Scenario::from_toml`], with `overrides`. Also returns the positions of the scenario's parts
    /// in the text.
    ///
    /// # Errors
    /// The same as for [`Scenario::from_toml`].
    pub fn read(text: &str, origin: &str, overrides: &Overrides) -> Result<(Self, Places), ScenarioError> {
        let source = Source::parse_with(text, origin, &overrides.copies)?;
        let (scenario, flows) = Self::read_source(&source, overrides)?;
        let (text, origin, copies) = (text.to_owned(), origin.to_owned(), overrides.copies.clone());
        let default_queues = facts::default_queues(&scenario.network, &source);
        let places = Places { text, origin, flows, files: source.files(), copies, default_queues };
        Ok((scenario, places))
    }

    /// Returns the files that a text names, sorted by path. If the text is refused, these are the files found before
    /// the fault.
    pub fn files(text: &str, origin: &str) -> BTreeSet<PathBuf> {
        let Ok(source) = Source::parse(text, origin) else { return BTreeSet::new() };
        drop(Self::read_source(&source, &Overrides::default()));
        source.files()
    }

    /// Reads a scenario. Also returns the name of each flow with the path of its table.
    fn read_source(
        source: &Source<'_>,
        overrides: &Overrides,
    ) -> Result<(Self, Vec<(String, String)>), ScenarioError> {
        let duration = overrides.duration.as_deref();
        let schema = schema();
        if let Some(duration) = duration {
            source.keep(source.check_instead(schema, "duration", duration));
        }
        source.check(schema)?;
        let mut document: Document = source.read()?;
        if let Some(asked) = duration.and_then(|duration| duration.parse().ok()) {
            document.duration = Some(Q(asked));
        }
        let mut flows = Vec::new();
        let scenario = read(document, source, &mut flows).map_err(|fault| source.with_others(fault))?;
        Ok((scenario, flows))
    }

    /// Returns the scenario as a file with all defaults. Reading this file gives an equal scenario. The file contains
    /// the paths under which files are opened, so read it with an origin in the current folder. Each line of `header`
    /// is a comment at the start.
    ///
    /// # Panics
    /// If the delay of a plain link is a [`link::Delay::Curve`], or if a number is outside the range of a file (a seed
    /// of 2^63 or more). Neither can come from a file.
    pub fn to_toml(&self, header: &str) -> String {
        let mut text = String::new();
        for line in header.lines() {
            let _ = writeln!(text, "# {line}");
        }
        let body = toml::to_string(&write(self)).expect("every value of the format has a TOML form");
        text + &body
    }
}

/// Reads a document. Faults that can be reported together are recorded in `source`. `places` receives the name of each
/// flow and the path of its table.
fn read(
    document: Document,
    source: &Source<'_>,
    places: &mut Vec<(String, String)>,
) -> Result<Scenario, ScenarioError> {
    let duration = document.duration.map_or(DURATION, |q| q.0);
    let end = Time::ZERO + duration;
    let warm_up = document.warm_up.map_or(Span::ZERO, |q| q.0);
    let refuse = |code, key, message: String| {
        source.keep::<()>(Err(source.error(code, key, message)));
    };
    if warm_up >= duration {
        let message = format!(
            "warm_up = {warm_up} is not shorter than the run of {duration} (write a shorter \
        `warm_up`)"
        );
        refuse(Code::ScenarioValue, "warm_up", message);
    }
    let (flow_texts, traffic) = (document.flows.unwrap_or_default(), document.traffic.unwrap_or_default());
    if flow_texts.is_empty() && traffic.is_empty() {
        let message = "a scenario needs at least one flow (write [[flows]] or [[traffic]])";
        refuse(Code::ScenarioMissingKey, "flows", message.to_owned());
    }
    let announce = document.network.announce.map_or(Span::ZERO, |q| q.0);
    let announce_error = document.network.announce_error.map_or(Span::ZERO, |q| q.0);
    if announce_error > Span::ZERO && announce == Span::ZERO {
        let message = "`announce_error` has no effect without `announce` (write announce = \"1 s\")";
        refuse(Code::ScenarioMissingKey, "network.announce_error", message.to_owned());
    }
    let record = source.keep(document.record.unwrap_or_default().read(end, source));
    // Read the network first, because it determines the keys that a flow may have.
    let mut network = Network::read(document.network, source)?;
    source.keep(budget::refuse_two_starts(&network.choice, source));
    if matches!(network.choice, NetworkChoice::Starlink(_)) && duration > starlink::LONGEST {
        let message = format!(
            "a path over Starlink lasts at most {}, but the run lasts {duration} (write a shorter `duration`)",
            starlink::LONGEST
        );
        refuse(Code::ScenarioValue, "duration", message);
    }
    let mut flows = Vec::new();
    for (index, flow) in flow_texts.into_iter().enumerate() {
        let path = format!("flows[{index}]");
        let mut reader = FlowReader { source, path: path.clone(), network: &mut network, end };
        if source.is_full() {
            break;
        }
        let read = if traffic::is_pattern(&flow) {
            source.keep(traffic::matching(reader, flow, document.tcp.as_ref()))
        } else {
            source.keep(reader.read(flow, document.tcp.as_ref())).map(|flow| vec![flow])
        };
        for flow in read.into_iter().flatten() {
            source.keep(ideal::refuse(&flow, &network.choice, source, &path));
            source.keep(packet_sizes::refuse(&flow, &network.choice, source, &path));
            places.push((flow.name.clone(), path.clone()));
            flows.push(flow);
        }
    }
    for (index, text) in traffic.into_iter().enumerate() {
        let path = format!("traffic[{index}]");
        let reader = FlowReader { source, path: path.clone(), network: &mut network, end };
        let Some(read) = source.keep(traffic::read(reader, text, document.tcp.as_ref())) else { continue };
        for flow in &read {
            source.keep(ideal::refuse(flow, &network.choice, source, &path));
            source.keep(packet_sizes::refuse(flow, &network.choice, source, &path));
            places.push((flow.name.clone(), path.clone()));
        }
        flows.extend(read);
    }
    let total: u64 = flows.iter().map(|flow| u64::from(flow.count)).sum();
    if total > 100_000 {
        let message = format!("{total} flows are too many: a scenario can have at most 100000");
        refuse(Code::ScenarioValue, "flows", message);
    }
    let mut peps = Vec::new();
    for (index, text) in document.peps.unwrap_or_default().into_iter().enumerate() {
        peps.extend(source.keep(pep::read(text, &network, &flows, source, &format!("peps[{index}]"))));
    }
    pep::check(&peps, &network.choice, &flows, source);
    if let Some(record) = &record {
        capture::check(&record.capture, (&flows, &peps, &network.choice), source);
    }
    source.verdict()?;
    Ok(Scenario {
        name: document.name.unwrap_or_else(|| "untitled".to_owned()),
        duration,
        seed: document.seed.map_or(1, i64::unsigned_abs),
        warm_up,
        network: network.choice,
        origin: network.origin,
        announce,
        announce_error,
        flows,
        peps,
        record: record.expect("a document without faults was read"),
    })
}

/// Returns the complete document of a scenario.
fn write(scenario: &Scenario) -> Document {
    let error = scenario.announce_error;
    Document {
        name: Some(scenario.name.clone()),
        duration: Some(Q(scenario.duration)),
        seed: Some(i64::try_from(scenario.seed).expect("a seed from a file is below 2^63")),
        warm_up: Some(Q(scenario.warm_up)),
        network: format::Network {
            announce: Some(Q(scenario.announce)),
            announce_error: (error > Span::ZERO).then_some(Q(error)),
            origin: scenario.origin.as_ref().map(format::Origin::of),
            ..format::Network::of(&scenario.network)
        },
        tcp: None,
        flows: Some(scenario.flows.iter().map(format::Flow::of).collect()),
        traffic: None,
        peps: (!scenario.peps.is_empty()).then(|| scenario.peps.iter().map(format::Pep::of).collect()),
        record: Some(format::Record::of(&scenario.record)),
    }
}

impl format::Record {
    fn read(mut self, end: Time, source: &Source<'_>) -> Result<Record, ScenarioError> {
        let capture = self.take_capture();
        let packets = match self.packets {
            None | Some(Packets::Switch(false)) => None,
            Some(Packets::Switch(true)) => Some(Window { from: Time::ZERO, to: end }),
            Some(Packets::Part(part)) => {
                let window = Window { from: Time::ZERO + part.from.0, to: Time::ZERO + part.to.0 };
                if window.from >= window.to {
                    let message = format!("the part from {} to {} is empty", window.from, window.to);
                    return Err(source
                        .error(Code::ScenarioValue, "record.packets", message)
                        .fix("write the earlier time in `from`"));
                }
                Some(window)
            }
        };
        let interval = self.interval.map_or(Some(INTERVAL), |Q(Off(interval))| interval);
        Ok(Record { interval, events: self.events.unwrap_or(true), packets, capture })
    }

    fn of(record: &Record) -> Self {
        let part =
            |window: Window| Packets::Part(Part { from: Q::moment(window.from), to: Q::moment(window.to) });
        let plain = Self {
            interval: Some(Q(Off(record.interval))),
            events: Some(record.events),
            packets: Some(record.packets.map_or(Packets::Switch(false), part)),
            ..Self::default()
        };
        plain.with_capture(&record.capture)
    }
}
