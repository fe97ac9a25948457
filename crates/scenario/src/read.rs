// SPDX-License-Identifier: MIT OR Apache-2.0
//! From the file's text to a [`Scenario`]: defaults, contradictions.

use crate::ScenarioError;
use crate::check::Source;
use crate::document::{
    Access, ControllerChoice, Flow, FlowKind, NetworkChoice, Record, Scenario, Value, Window,
};
use crate::format::{self, Controller, DelayedAck, Document, Kind, Packets, Recovery};
use crate::ideal;
use crate::network::{self, LinkText};
use crate::text::{Off, Q, Unlimited};
use control::SavedPath;
use link::{LinkSpec, starlink};
use units::{Bytes, Code, Span, Time};

/// Default length of a run.
const DURATION: Span = Span::from_secs(60);
/// Default interval of samples.
const INTERVAL: Span = Span::from_millis(100);
/// `delayed_ack = true`: every second segment (RFC 5681, section 4.2), 40 ms as Linux does at least.
const DELAYED_ACK: tcp::DelayedAck = tcp::DelayedAck { every: 2, at_most: Span::from_millis(40) };
/// Default packet of a constant-bit-rate flow.
const CBR_PACKET: Bytes = Bytes::new(1000);
/// Default packet of an echo: ping(8) sends 56 bytes of data, 8 of ICMP and 20 of IP come on top.
const PING_PACKET: Bytes = Bytes::new(84);
/// Default interval of echoes.
const PING_INTERVAL: Span = Span::from_millis(10);

/// The JSON Schema of scenario files, for editors. Besides the standard's words it uses `x-min` and `x-max` for the
/// bounds of quantities, which are text with a unit.
pub fn json_schema() -> String {
    let mut text = format!("{:#}", schema());
    text.push('\n');
    text
}

fn schema() -> serde_json::Value {
    schemars::schema_for!(Document).to_value()
}

impl Scenario {
    /// Reads a scenario file. `origin` is its path: errors name it, and files that the scenario names are relative
    /// to its folder.
    ///
    /// # Errors
    /// The first fault, with line, key, what is allowed there and how to write it.
    pub fn from_toml(text: &str, origin: &str) -> Result<Self, ScenarioError> {
        let source = Source::parse(text, origin)?;
        source.check(&schema())?;
        let document: Document = toml::from_str(text)
            .map_err(|error| source.error(Code::ScenarioWrongType, "", error.message()))?;
        read(document, &source)
    }
}

fn read(document: Document, source: &Source<'_>) -> Result<Scenario, ScenarioError> {
    let duration = document.duration.map_or(DURATION, |q| q.0);
    let end = Time::ZERO + duration;
    let warm_up = document.warm_up.map_or(Span::ZERO, |q| q.0);
    if warm_up >= duration {
        let message =
            format!("the warm-up of {warm_up} leaves nothing of the run of {duration} (shorten it)");
        return Err(source.error(Code::ScenarioValue, "warm_up", message));
    }
    let (flow_texts, traffic) = (document.flows.unwrap_or_default(), document.traffic.unwrap_or_default());
    if flow_texts.is_empty() && traffic.is_empty() {
        return Err(source.error(
            Code::ScenarioMissingKey,
            "flows",
            "a scenario needs at least one flow (write [[flows]] or [[traffic]])",
        ));
    }
    let announce = document.network.announce.map_or(Span::ZERO, |q| q.0);
    let announce_error = document.network.announce_error.map_or(Span::ZERO, |q| q.0);
    if announce_error > Span::ZERO && announce == Span::ZERO {
        let message = "nothing is announced beforehand that could be off (write announce = \"1 s\")";
        return Err(source.error(Code::ScenarioMissingKey, "network.announce_error", message));
    }
    let mut network = network::read(document.network, source)?;
    if matches!(network.choice, NetworkChoice::Starlink(_)) && duration > starlink::LONGEST {
        let message = format!(
            "a path over Starlink is drawn for at most {}, not for {duration} (shorten the run)",
            starlink::LONGEST
        );
        return Err(source.error(Code::ScenarioValue, "duration", message));
    }
    let mut flows = Vec::new();
    for (index, flow) in flow_texts.into_iter().enumerate() {
        let path = format!("flows[{index}]");
        let mut reader = FlowReader { source, path: path.clone(), network: &mut network, end };
        let flow = reader.read(flow, document.tcp.as_ref())?;
        ideal::refuse(&flow, &network.choice, source, &path)?;
        flows.push(flow);
    }
    for (index, text) in traffic.into_iter().enumerate() {
        let path = format!("traffic[{index}]");
        let reader = FlowReader { source, path: path.clone(), network: &mut network, end };
        let read = crate::traffic::read(reader, text, document.tcp.as_ref())?;
        read.iter().try_for_each(|flow| ideal::refuse(flow, &network.choice, source, &path))?;
        flows.extend(read);
    }
    let total: u64 = flows.iter().map(|flow| u64::from(flow.count)).sum();
    if total > 100_000 {
        return Err(source.error(
            Code::ScenarioValue,
            "flows",
            format!("{total} flows are too many: it must be at most 100000"),
        ));
    }
    Ok(Scenario {
        name: document.name.unwrap_or_else(|| "untitled".to_owned()),
        duration,
        seed: document.seed.map_or(1, i64::unsigned_abs),
        warm_up,
        network: network.choice,
        announce,
        announce_error,
        flows,
        record: record(document.record.unwrap_or_default(), end, source)?,
    })
}

fn record(record: format::Record, end: Time, source: &Source<'_>) -> Result<Record, ScenarioError> {
    let packets = match record.packets {
        None | Some(Packets::Switch(false)) => None,
        Some(Packets::Switch(true)) => Some(Window { from: Time::ZERO, to: end }),
        Some(Packets::Part(part)) => {
            let window = Window { from: Time::ZERO + part.from.0, to: Time::ZERO + part.to.0 };
            if window.from >= window.to {
                let message = format!(
                    "nothing lies between {} and {} (write the earlier one in `from`)",
                    window.from, window.to
                );
                return Err(source.error(Code::ScenarioValue, "record.packets", message));
            }
            Some(window)
        }
    };
    let interval = record.interval.map_or(Some(INTERVAL), |Q(Off(interval))| interval);
    Ok(Record { interval, events: record.events.unwrap_or(true), packets })
}

/// Reads one table of `[[flows]]`.
pub struct FlowReader<'a> {
    pub source: &'a Source<'a>,
    pub path: String,
    pub network: &'a mut network::Network,
    pub end: Time,
}

impl FlowReader<'_> {
    pub fn error(&self, code: Code, key: &str, message: impl Into<String>) -> ScenarioError {
        self.source.error(code, &format!("{}.{key}", self.path), message)
    }

    pub fn read(
        &mut self,
        flow: format::Flow,
        defaults: Option<&format::Tcp>,
    ) -> Result<Flow, ScenarioError> {
        let kind = flow.kind.unwrap_or(Kind::Tcp);
        self.refuse_foreign(kind, &flow)?;
        let (from, to) = self.ends(flow.from, flow.to)?;
        let (start, stop) = self.times(flow.start, flow.stop)?;
        let access = match flow.access {
            None => None,
            Some(access) => {
                let delay = access.delay.map_or(Span::ZERO, |q| q.0);
                let link = LinkText {
                    rate: access.rate,
                    queue: access.queue,
                    loss: access.loss,
                    reorder: access.reorder,
                    warn_above: access.warn_above,
                };
                let ideal = LinkSpec::IDEAL;
                let link = link.over(&ideal, self.source, &format!("{}.access", self.path))?;
                Some(Access { link, delay })
            }
        };
        let (default_name, kind) = match kind {
            Kind::Cbr => {
                let Some(Q(rate)) = flow.rate else {
                    let message = "a flow of kind \"cbr\" needs its rate (write rate = \"1 Mbit/s\")";
                    return Err(self.error(Code::ScenarioMissingKey, "rate", message));
                };
                ("cbr".to_owned(), FlowKind::Cbr { rate, packet: flow.packet.map_or(CBR_PACKET, |q| q.0) })
            }
            Kind::Ping => {
                let interval = flow.interval.map_or(PING_INTERVAL, |q| q.0);
                let packet = flow.packet.map_or(PING_PACKET, |q| q.0);
                ("ping".to_owned(), FlowKind::Ping { interval, packet })
            }
            Kind::Tcp => {
                let controller = self.controller(flow.controller)?;
                let mut config = tcp::Config::default();
                apply(&mut config, defaults);
                apply(&mut config, flow.tcp.as_ref());
                config.trickle =
                    flow.trickle.map(|text| tcp::Trickle { rate: text.rate.0, lasts: text.lasts.0 });
                if config.min_rto > config.max_rto {
                    let message =
                        format!("min_rto of {} is above max_rto of {}", config.min_rto, config.max_rto);
                    return Err(self.error(Code::ScenarioValue, "tcp", message));
                }
                if config.prr && matches!(config.recovery, tcp::Recovery::Reno | tcp::Recovery::NewReno) {
                    let message =
                        "prr needs selective acknowledgements (write recovery = \"sack\" or \"rack\")";
                    return Err(self.error(Code::ScenarioValue, "tcp", message));
                }
                if config.receive_window.is_some_and(|window| window < Bytes::new(u64::from(config.mss))) {
                    let message = format!(
                        "the receive window is smaller than one segment of {} B: nothing could be sent",
                        config.mss
                    );
                    return Err(self.error(Code::ScenarioValue, "tcp", message));
                }
                let transfer = flow.size.map_or(tcp::Transfer::Endless, |q| tcp::Transfer::Finite(q.0));
                (controller.name.clone(), FlowKind::Tcp { controller, config, transfer })
            }
        };
        Ok(Flow {
            distance: flow.distance.map(|q| q.0),
            name: flow.name.unwrap_or(default_name),
            count: flow.count.unwrap_or(1),
            from,
            to,
            access,
            start,
            stagger: flow.stagger.map_or(Span::ZERO, |q| q.0),
            stop,
            kind,
        })
    }

    /// Refuses keys of other kinds of flow.
    fn refuse_foreign(&self, kind: Kind, flow: &format::Flow) -> Result<(), ScenarioError> {
        let keys: [(&str, bool, &[Kind]); 8] = [
            ("rate", flow.rate.is_some(), &[Kind::Cbr]),
            ("packet", flow.packet.is_some(), &[Kind::Cbr, Kind::Ping]),
            ("interval", flow.interval.is_some(), &[Kind::Ping]),
            ("controller", flow.controller.is_some(), &[Kind::Tcp]),
            ("size", flow.size.is_some(), &[Kind::Tcp]),
            ("trickle", flow.trickle.is_some(), &[Kind::Tcp]),
            ("tcp", flow.tcp.is_some(), &[Kind::Tcp]),
            ("distance", flow.distance.is_some(), &[Kind::Tcp]),
        ];
        for (key, there, owners) in keys {
            if there && !owners.contains(&kind) {
                let (this, other) = (kind.name(), owners[0].name());
                let message = format!(
                    "a flow of kind \"{this}\" has no `{key}` (remove it, or write kind = \"{other}\")"
                );
                return Err(self.error(Code::ScenarioValue, key, message));
            }
        }
        Ok(())
    }

    fn ends(&mut self, from: Option<String>, to: Option<String>) -> Result<(String, String), ScenarioError> {
        let mut ends = Vec::new();
        for (key, name, default) in [("from", from, 0), ("to", to, 1)] {
            let name = name.or_else(|| self.network.default_ends.as_ref().map(|ends| ends[default].clone()));
            let Some(name) = name else {
                let message = format!("`{}` needs the key `{key}`: a site of the network", self.path);
                return Err(self.error(Code::ScenarioMissingKey, key, message));
            };
            let site = self.network.site(&name).map_err(|(code, message)| self.error(code, key, message))?;
            ends.push(site);
        }
        let (to, from) = (ends.pop().unwrap_or_default(), ends.pop().unwrap_or_default());
        if from == to {
            let message = format!("the flow goes from \"{from}\" to itself (name another site)");
            return Err(self.error(Code::ScenarioValue, "to", message));
        }
        Ok((from, to))
    }

    pub fn times(
        &self,
        start: Option<Q<Span>>,
        stop: Option<Q<Span>>,
    ) -> Result<(Time, Option<Time>), ScenarioError> {
        let start = Time::ZERO + start.map_or(Span::ZERO, |q| q.0);
        let stop = stop.map(|q| Time::ZERO + q.0);
        if start >= self.end {
            let message = format!("the flow starts at {start}, when the run of {} is over", self.end);
            return Err(self.error(Code::ScenarioValue, "start", message));
        }
        if let Some(stop) = stop.filter(|stop| *stop <= start) {
            let message = format!("the flow stops at {stop}, before it starts at {start}");
            return Err(self.error(Code::ScenarioValue, "stop", message));
        }
        Ok((start, stop))
    }

    fn controller(&self, controller: Option<Controller>) -> Result<ControllerChoice, ScenarioError> {
        match controller {
            None => {
                let message = "a TCP flow needs its controller (write controller = \"cubic\")";
                Err(self.error(Code::ScenarioMissingKey, "controller", message))
            }
            Some(Controller::Name(name)) => Ok(ControllerChoice { name, parameters: Vec::new() }),
            Some(Controller::Table(table)) => {
                let mut parameters = Vec::new();
                for (name, value) in table.parameters {
                    let value = match value {
                        toml::Value::Integer(number) => Value::Number(number as f64),
                        toml::Value::Float(number) => Value::Number(number),
                        toml::Value::Boolean(flag) => Value::Flag(flag),
                        toml::Value::String(text) => Value::Text(text),
                        other => {
                            let message = format!(
                                "a parameter is a number, a word or true/false, not {}",
                                other.type_str()
                            );
                            return Err(self.error(
                                Code::ScenarioWrongType,
                                &format!("controller.{name}"),
                                message,
                            ));
                        }
                    };
                    parameters.push((name, value));
                }
                Ok(ControllerChoice { name: table.name, parameters })
            }
        }
    }
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Tcp => "tcp",
            Self::Cbr => "cbr",
            Self::Ping => "ping",
        }
    }
}

/// What a file says of TCP replaces what stood before.
fn apply(config: &mut tcp::Config, text: Option<&format::Tcp>) {
    fn set<T: Copy>(slot: &mut T, value: Option<T>) {
        if let Some(value) = value {
            *slot = value;
        }
    }
    let Some(text) = text else { return };
    set(&mut config.mss, text.mss.map(|q| q.0.get() as u32));
    set(&mut config.header, text.header.map(|q| q.0.get() as u32));
    set(&mut config.initial_window, text.initial_window);
    set(&mut config.recovery, text.recovery.map(recovery));
    set(&mut config.prr, text.prr);
    set(&mut config.limited_transmit, text.limited_transmit);
    set(&mut config.undo, text.undo);
    set(&mut config.delayed_ack, text.delayed_ack.as_ref().map(delayed_ack));
    set(&mut config.min_rto, text.min_rto.map(|q| q.0));
    set(&mut config.max_rto, text.max_rto.map(|q| q.0));
    set(&mut config.initial_rto, text.initial_rto.map(|q| q.0));
    set(&mut config.dup_thresh, text.dup_thresh);
    set(&mut config.receive_window, text.receive_window.map(|Q(Unlimited(window))| window));
    set(&mut config.saved_path, text.saved_path.map(|saved| Some(saved_path(saved))));
}

fn saved_path(text: format::SavedPath) -> SavedPath {
    SavedPath { cwnd: text.cwnd.0, rtt: text.rtt.0, age: text.age.map_or(Span::ZERO, |q| q.0) }
}

const fn recovery(text: Recovery) -> tcp::Recovery {
    match text {
        Recovery::Reno => tcp::Recovery::Reno,
        Recovery::NewReno => tcp::Recovery::NewReno,
        Recovery::Sack => tcp::Recovery::Sack,
        Recovery::Rack => tcp::Recovery::RackTlp,
    }
}

const fn delayed_ack(text: &DelayedAck) -> Option<tcp::DelayedAck> {
    match text {
        DelayedAck::Switch(false) => None,
        DelayedAck::Switch(true) => Some(DELAYED_ACK),
        DelayedAck::Rule(rule) => Some(tcp::DelayedAck { every: rule.every, at_most: rule.at_most.0 }),
    }
}

/// The network of a scenario while its flows are read.
impl network::Network {
    /// Names of the sites of a plain network.
    pub fn known_sites(&self) -> Vec<String> {
        match &self.choice {
            NetworkChoice::Constellation { .. } => Vec::new(),
            NetworkChoice::Dumbbell { .. } => vec!["left".to_owned(), "right".to_owned()],
            NetworkChoice::Starlink(_) => vec!["dish".to_owned(), "server".to_owned()],
            NetworkChoice::Chain { links } => (0..=links.len()).map(|site| site.to_string()).collect(),
            NetworkChoice::Star { branches } => {
                branches.iter().map(|(site, _)| site.clone()).chain(["hub".to_owned()]).collect()
            }
        }
    }

    /// The network's name for a site that a flow names; a constellation takes the site in.
    pub fn site(&mut self, name: &str) -> Result<String, (Code, String)> {
        let known = self.known_sites();
        let NetworkChoice::Constellation { sites, .. } = &mut self.choice else {
            if known.iter().any(|site| site == name) {
                return Ok(name.to_owned());
            }
            let hint = crate::check::nearest(name, known.iter().map(String::as_str))
                .map_or_else(String::new, |near| format!("did you mean \"{near}\"? "));
            let message =
                format!("the network has no site \"{name}\" ({hint}its sites are {})", known.join(", "));
            return Err((Code::SiteUnknown, message));
        };
        let own = self.places.iter().find(|place| place.name == name).cloned();
        let site = match own {
            Some(site) => site,
            None => topology::sites::find(name).map_err(|error| (error.code(), error.to_string()))?,
        };
        if !sites.iter().any(|known| known.name == site.name) {
            sites.push(site.clone());
        }
        Ok(site.name)
    }
}
