// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes flows.

use crate::ScenarioError;
use crate::application::{self, Text};
use crate::check::Source;
use crate::document::{ControllerChoice, Flow, FlowKind, TransportConfig, Value};
use crate::format::{self, AccessLink, Controller, ControllerTable, Kind, Quic, Sizes, Tcp};
use crate::network::Network;
use crate::quic::{ControllerSource, LIBRARY_CONTROLLERS, QuicConfig, TransportProtocol};
use crate::text::Q;
use crate::words::{W, Word};
use crate::{Call, OnOff, model, quic, transport};
use control::catalogue;
use traffic::{Begin, Law};
use units::{Bytes, Code, Span, Time};

/// Default packet size of a flow at a constant bit rate.
const CBR_PACKET: Bytes = Bytes::new(1000);
/// Default packet size of an echo: ping(8) sends 56 bytes of data, plus headers of 8 bytes (ICMP) and 20 bytes (IP).
const PING_PACKET: Bytes = Bytes::new(84);
/// Default interval between echoes.
const PING_INTERVAL: Span = Span::from_millis(10);

/// Reads one table of `[[flows]]`.
pub struct FlowReader<'a> {
    pub source: &'a Source<'a>,
    pub path: String,
    pub network: &'a mut Network,
    pub end: Time,
}

impl FlowReader<'_> {
    pub fn error(&self, code: Code, key: &str, message: impl Into<String>) -> ScenarioError {
        self.source.error(code, &format!("{}.{key}", self.path), message)
    }

    pub fn read(&mut self, mut flow: format::Flow, defaults: Option<&Tcp>) -> Result<Flow, ScenarioError> {
        let kind = flow.kind.unwrap_or(Kind::Tcp);
        let ends = self.ends(flow.from.take(), flow.to.take());
        let ends = self.source.keep(ends);
        let times = self.source.keep(self.times(flow.start, flow.stop, one_of_many(&flow)));
        let access = format!("{}.access", self.path);
        let access = flow.access.take().map(|link| link.read(self.source, &access)).transpose();
        let access = self.source.keep(access);
        let application = Text::take(kind, &mut flow);
        let (default_name, kind) = match kind {
            Kind::Transfers | Kind::Web | Kind::Video | Kind::Requests => {
                let controller = self.source.keep(self.controller(kind, flow.controller.take()));
                let controller = controller.unwrap_or_else(placeholder);
                let transport = match TransportProtocol::from(flow.transport) {
                    TransportProtocol::Tcp => {
                        TransportConfig::Tcp(self.transport_of_requests(&flow, defaults)?)
                    }
                    TransportProtocol::Quic => {
                        TransportConfig::Quic(self.quic_of_requests(&flow, &controller)?)
                    }
                };
                // A placeholder. The contents of visits depend on the flow's path, and are read last.
                let (begin, model) = (Begin::Closed { users: 1, think: Law::Constant(1.0) }, model::none());
                (
                    application::word(kind).to_owned(),
                    FlowKind::Application { controller, transport, begin, model },
                )
            }
            Kind::Cbr => {
                let Some(Q(rate)) = flow.rate else {
                    let message = "a flow of kind \"cbr\" needs the key `rate`";
                    return Err(self
                        .error(Code::ScenarioMissingKey, "rate", message)
                        .fix("write rate = \"1 Mbit/s\""));
                };
                let on_off = OnOff::read(&flow);
                let packet = flow.packet.map_or(CBR_PACKET, |q| q.0);
                ("cbr".to_owned(), FlowKind::Cbr { rate, packet, on_off })
            }
            Kind::Ping => {
                let interval = flow.interval.map_or(PING_INTERVAL, |q| q.0);
                let packet = flow.packet.map_or(PING_PACKET, |q| q.0);
                ("ping".to_owned(), FlowKind::Ping { interval, packet })
            }
            Kind::Call => {
                let call = Call::read(&flow, self.source, &self.path);
                (call.profile.word().to_owned(), FlowKind::Call(call))
            }
            Kind::Tcp => {
                let controller = self.source.keep(self.controller(kind, flow.controller.take()));
                let controller = controller.unwrap_or_else(placeholder);
                let transfer = match flow.size.take() {
                    None => tcp::Transfer::Endless,
                    Some(Sizes::Always(Q(size))) => tcp::Transfer::Finite(size),
                    Some(Sizes::Table(_)) => {
                        let message = "the flow is one connection, so it has one size, not a law of sizes";
                        return Err(self
                            .error(Code::ScenarioValue, "size", message)
                            .fix("write size = \"10 MB\", or kind = \"transfers\""));
                    }
                };
                let name = controller.name.clone();
                let kind = match TransportProtocol::from(flow.transport) {
                    TransportProtocol::Tcp => {
                        FlowKind::Tcp { controller, config: self.transport(&flow, defaults)?, transfer }
                    }
                    TransportProtocol::Quic => {
                        FlowKind::Quic { config: self.quic(&flow, &controller)?, controller, transfer }
                    }
                };
                (name, kind)
            }
        };
        let ((from, to), (start, stop), access) =
            (ends.unwrap_or_default(), times.unwrap_or_default(), access.unwrap_or_default());
        let mut read = Flow {
            distance: flow.distance.map(|q| q.0),
            urgent: flow.urgent.unwrap_or(false),
            name: flow.name.unwrap_or(default_name),
            count: flow.count.unwrap_or(1),
            from,
            to,
            access,
            start,
            stagger: flow.stagger.map_or(Span::ZERO, |q| q.0),
            stop,
            kind,
        };
        if let Some(text) = application {
            self.application(&mut read, text);
        }
        Ok(read)
    }

    /// Reads the contents of a flow's visits. The path of the flow must already be known.
    fn application(&self, flow: &mut Flow, text: Text) {
        let FlowKind::Application { transport, .. } = &flow.kind else { return };
        let read = application::read(text, flow, transport, self.network, self.end, self.source, &self.path);
        if let FlowKind::Application { begin, model, .. } = &mut flow.kind {
            (*begin, *model) = read;
        }
    }

    fn quic(&self, flow: &format::Flow, controller: &ControllerChoice) -> Result<QuicConfig, ScenarioError> {
        let config = quic::configured(flow.quic.as_ref(), self.source, &format!("{}.quic", self.path))?;
        let is_own = LIBRARY_CONTROLLERS.contains(&controller.name.as_str());
        if config.controllers == ControllerSource::Bentpipe || controller.name.is_empty() {
            return Ok(config);
        }
        if !is_own {
            let message = format!(
                "the QUIC library has no controller \"{}\" of its own (its controllers are {})",
                controller.name,
                LIBRARY_CONTROLLERS.join(", ")
            );
            let fault = self.error(Code::ScenarioValue, "controller", message);
            return Err(fault.fix("write quic = { controllers = \"bentpipe\" }, or another controller"));
        }
        if let Some((parameter, _)) = controller.parameters.first() {
            let message = format!("the QUIC library's controllers have no parameter `{parameter}`");
            let place = format!("controller.{parameter}");
            return Err(self
                .error(Code::ScenarioValue, &place, message)
                .fix(format!("remove `{parameter}`")));
        }
        Ok(config)
    }

    /// Reads the settings of an application's QUIC connections.
    fn quic_of_requests(
        &self,
        flow: &format::Flow,
        controller: &ControllerChoice,
    ) -> Result<QuicConfig, ScenarioError> {
        if flow.quic.as_ref().is_some_and(|quic| quic.stream_size.is_some()) {
            let message =
                "`stream_size` has no effect: each request uses its own stream, together with its answer";
            let fault = self.error(Code::ScenarioValue, "quic.stream_size", message);
            return Err(fault.fix("remove `stream_size`"));
        }
        let config = self.quic(flow, controller)?;
        if config.controllers == ControllerSource::Library {
            let message = "the QUIC library's own controllers work only in flows without the key `kind`";
            let fault = self.error(Code::ScenarioValue, "quic.controllers", message);
            return Err(fault.fix("write quic = { controllers = \"bentpipe\" }, or remove this key"));
        }
        Ok(config)
    }

    /// Reads the settings of an application's TCP connections.
    fn transport_of_requests(
        &self,
        flow: &format::Flow,
        defaults: Option<&Tcp>,
    ) -> Result<tcp::Config, ScenarioError> {
        let mut config = self.transport(flow, defaults)?;
        let texts = [flow.tcp.as_ref(), defaults];
        if texts.into_iter().flatten().all(|tcp| tcp.setup.is_none()) {
            config.setup = tcp::Setup::Handshake;
        }
        if let Some(wrong) = transport::one_way(&config) {
            let place = self.place(flow, &wrong.keys);
            return Err(self.source.error(Code::ScenarioValue, &place, wrong.message));
        }
        Ok(config)
    }

    fn transport(&self, flow: &format::Flow, defaults: Option<&Tcp>) -> Result<tcp::Config, ScenarioError> {
        let mut config = transport::configured(defaults, flow.tcp.as_ref()).map_err(|contradiction| {
            let place = self.place(flow, &contradiction.keys);
            self.source.error(Code::ScenarioValue, &place, contradiction.message)
        })?;
        flow.apply(&mut config);
        Ok(config)
    }

    /// Returns the position of the first of these TCP keys: in the flow's table, or else in the scenario's table.
    fn place(&self, flow: &format::Flow, keys: &[&str]) -> String {
        let own = format!("{}.tcp", self.path);
        // If a flow names a preset, its table replaces the scenario's table `tcp`.
        let alone = flow.tcp.as_ref().is_some_and(|tcp| tcp.preset.is_some());
        let tables = if alone { vec![own.as_str()] } else { vec![own.as_str(), "tcp"] };
        let places = tables.iter().flat_map(|table| keys.iter().map(move |key| format!("{table}.{key}")));
        places.into_iter().find(|place| self.source.has(place)).unwrap_or(own)
    }

    fn ends(&mut self, from: Option<String>, to: Option<String>) -> Result<(String, String), ScenarioError> {
        let ends = self.network.default_ends();
        let mut sites = Vec::new();
        for (key, name, default) in [("from", from, 0), ("to", to, 1)] {
            let name = name.or_else(|| ends.as_ref().map(|ends| ends[default].clone()));
            let Some(name) = name else {
                let message =
                    format!("`{}` needs the key `{key}`, which names a site of the network", self.path);
                return Err(self.error(Code::ScenarioMissingKey, key, message));
            };
            let site = self.network.site(&name).map_err(|(code, message)| self.error(code, key, message))?;
            sites.push(site);
        }
        let (to, from) = (sites.pop().unwrap_or_default(), sites.pop().unwrap_or_default());
        if from == to {
            let message = format!("the flow goes from \"{from}\" to itself");
            return Err(self.error(Code::ScenarioValue, "to", message).fix("name another site"));
        }
        Ok((from, to))
    }

    /// Reads when a flow starts and stops.
    ///
    /// # Errors
    /// If the flow would never send, except where this is allowed.
    pub fn times(
        &self,
        start: Option<Q<Span>>,
        stop: Option<Q<Span>>,
        may_never_start: bool,
    ) -> Result<(Time, Option<Time>), ScenarioError> {
        let start = Time::ZERO + start.map_or(Span::ZERO, |q| q.0);
        let stop = stop.map(|q| Time::ZERO + q.0);
        if may_never_start {
            return Ok((start, stop));
        }
        if start >= self.end {
            let message = format!("the flow starts at {start}, but the run already ends after {}", self.end);
            return Err(self.error(Code::ScenarioValue, "start", message));
        }
        if let Some(stop) = stop.filter(|stop| *stop <= start) {
            let message = format!("the flow stops at {stop}, before its start at {start}");
            return Err(self.error(Code::ScenarioValue, "stop", message));
        }
        Ok((start, stop))
    }

    fn controller(
        &self,
        kind: Kind,
        controller: Option<Controller>,
    ) -> Result<ControllerChoice, ScenarioError> {
        match controller {
            None => {
                let whose = match kind {
                    Kind::Tcp => "a TCP flow".to_owned(),
                    other => format!("a flow of kind \"{}\"", application::word(other)),
                };
                let message = format!("{whose} needs the key `controller`");
                Err(self
                    .error(Code::ScenarioMissingKey, "controller", message)
                    .fix("write controller = \"cubic\""))
            }
            Some(controller) => choice(controller, self.source, &format!("{}.controller", self.path)),
        }
    }
}

/// Returns whether a flow is one of several flows of a table that start one after another.
///
/// The later flows of a table may start after the end of the run or after the flow's stop; a finding reports this. A
/// comparison with random starts writes each flow into a separate table, and keeps its `stagger`.
fn one_of_many(flow: &format::Flow) -> bool {
    flow.count.unwrap_or(1) == 1 && flow.stagger.is_some_and(|Q(span)| span > Span::ZERO)
}

/// Returns a controller for a flow with a recorded fault. It is not used.
fn placeholder() -> ControllerChoice {
    ControllerChoice { name: String::new(), parameters: Vec::new() }
}

/// Reads a controller from the text at `path`. Records an unknown name or an invalid parameter in `source`.
pub fn choice(
    controller: Controller,
    source: &Source<'_>,
    path: &str,
) -> Result<ControllerChoice, ScenarioError> {
    let table = match controller {
        Controller::Name(name) => ControllerTable { name, parameters: toml::map::Map::new() },
        Controller::Table(table) => table,
    };
    let mut parameters = Vec::new();
    for (name, value) in table.parameters {
        let value = match value {
            toml::Value::Integer(number) => Value::Number(number as f64),
            toml::Value::Float(number) => Value::Number(number),
            toml::Value::Boolean(flag) => Value::Flag(flag),
            toml::Value::String(text) => Value::Text(text),
            other => {
                let message =
                    format!("a parameter must be a number, a word or true/false, not {}", other.type_str());
                return Err(source.error(Code::ScenarioWrongType, &format!("{path}.{name}"), message));
            }
        };
        parameters.push((name, value));
    }
    let choice = ControllerChoice { name: table.name, parameters };
    let given: Vec<_> =
        choice.parameters.iter().map(|(name, value)| (name.as_str(), value.of_catalogue())).collect();
    for fault in catalogue::faults(&choice.name, &given) {
        let key = fault.parameter().map_or_else(|| path.to_owned(), |name| format!("{path}.{name}"));
        source.keep::<()>(Err(source.error(fault.code(), &key, fault.to_string())));
    }
    Ok(choice)
}

impl format::Flow {
    /// Returns the complete table of a flow.
    pub fn of(flow: &Flow) -> Self {
        let own = match &flow.kind {
            FlowKind::Cbr { rate, packet, on_off } => {
                let (rate, packet) = (Some(Q(*rate)), Some(Q(*packet)));
                let on = on_off.map(|periods| format::Period::of(periods.on));
                let off = on_off.map(|periods| format::Period::of(periods.off));
                Self { kind: Some(Kind::Cbr), rate, packet, on, off, ..Self::default() }
            }
            FlowKind::Ping { interval, packet } => {
                let (interval, packet) = (Some(Q(*interval)), Some(Q(*packet)));
                Self { kind: Some(Kind::Ping), interval, packet, ..Self::default() }
            }
            FlowKind::Application { controller, transport, begin, model } => Self {
                controller: Some(Controller::of(controller)),
                ..application::write(transport, begin, model)
            },
            FlowKind::Call(call) => call.write(),
            FlowKind::Tap { .. } => unreachable!("the emulator writes the flows of the file"),
            FlowKind::Tcp { controller, config, transfer } => Self {
                kind: Some(Kind::Tcp),
                size: Sizes::of_transfer(*transfer),
                controller: Some(Controller::of(controller)),
                tcp: Some(Tcp::from_settings(config)),
                ..Self::from_settings(config)
            },
            FlowKind::Quic { controller, config, transfer } => Self {
                kind: Some(Kind::Tcp),
                transport: Some(W(TransportProtocol::Quic)),
                size: Sizes::of_transfer(*transfer),
                controller: Some(Controller::of(controller)),
                quic: Some(Quic::from_settings(config)),
                ..Self::default()
            },
        };
        Self {
            name: Some(flow.name.clone()),
            count: Some(flow.count),
            from: Some(flow.from.clone()),
            to: Some(flow.to.clone()),
            start: Some(Q::moment(flow.start)),
            stagger: Some(Q(flow.stagger)),
            stop: flow.stop.map(Q::moment),
            access: flow.access.as_ref().map(AccessLink::of),
            distance: flow.distance.map(Q),
            urgent: flow.urgent.then_some(true),
            ..own
        }
    }
}

impl Sizes {
    /// Returns the size of a connection's transfer; `None` if the transfer has no end.
    fn of_transfer(transfer: tcp::Transfer) -> Option<Self> {
        match transfer {
            tcp::Transfer::Endless => None,
            tcp::Transfer::Finite(size) => Some(Self::Always(Q(size))),
        }
    }
}

impl Controller {
    /// Returns the complete table of a controller.
    pub fn of(choice: &ControllerChoice) -> Self {
        let parameters = choice.parameters.iter().map(|(name, value)| {
            let value = match value {
                Value::Number(number) => toml::Value::Float(*number),
                Value::Text(text) => toml::Value::String(text.clone()),
                Value::Flag(flag) => toml::Value::Boolean(*flag),
            };
            (name.clone(), value)
        });
        Self::Table(ControllerTable { name: choice.name.clone(), parameters: parameters.collect() })
    }
}
