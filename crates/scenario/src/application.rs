// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes application flows: the times at which visits start, and their contents.

use crate::ScenarioError;
use crate::check::Source;
use crate::document::{ControllerChoice, Flow, FlowKind, NetworkChoice, TransportConfig};
use crate::format::{self, ArrivalLaw, Kind, Sizes, Times};
use crate::network::Network;
use crate::quic::{QuicConfig, TransportProtocol};
use crate::words::W;
use crate::{model, path_load};
use traffic::{Arrivals, Begin, Law, Model};
use units::{Bytes, Code, Time};

/// Default mean think time of a user (exponential distribution), in seconds. This is our choice: no measurement of such
/// users is known.
const THINK_MEAN_S: f64 = 30.0;

/// The keys of a flow's table that only applications have.
#[derive(Debug)]
pub struct Text {
    pub kind: Kind,
    pub size: Option<Sizes>,
    pub users: Option<u32>,
    pub think: Option<Times>,
    pub arrivals: Option<format::Arrivals>,
    pub load: Option<f64>,
    pub page: Option<format::Page>,
    pub video: Option<format::Video>,
    pub request: Option<format::Request>,
    pub tls: Option<format::Tls>,
}

impl Text {
    /// Removes these keys from a flow's table and returns them; `None` for a flow of another kind.
    pub fn take(kind: Kind, flow: &mut format::Flow) -> Option<Self> {
        let is_application = matches!(kind, Kind::Transfers | Kind::Web | Kind::Video | Kind::Requests);
        is_application.then(|| Self {
            kind,
            size: flow.size.take(),
            users: flow.users.take(),
            think: flow.think.take(),
            arrivals: flow.arrivals.take(),
            load: flow.load.take().map(|load| load.0),
            page: flow.page.take(),
            video: flow.video.take(),
            request: flow.request.take(),
            tls: flow.tls.take(),
        })
    }

    /// Reads the contents of a visit from the table at `path`.
    fn model(
        &mut self,
        transport: &TransportConfig,
        source: &Source<'_>,
        path: &str,
    ) -> Result<Model, ScenarioError> {
        let needs = |key: &str, example: &str| {
            let message = format!(
                "a flow of kind \"{}\" needs the key `{key}` (write {key} = {example})",
                word(self.kind)
            );
            source.error(Code::ScenarioMissingKey, &format!("{path}.{key}"), message)
        };
        let at = |key: &str| format!("{path}.{key}");
        let model = match self.kind {
            Kind::Web => {
                let page = model::page(self.page.take(), source, &at("page"))?;
                match transport {
                    TransportConfig::Tcp(_) => page,
                    TransportConfig::Quic(_) => model::over_streams(page, source, &at("page"))?,
                }
            }
            Kind::Video => model::film(self.video.take().unwrap_or_default(), source, &at("video"))?,
            Kind::Requests => {
                let request = self.request.take().ok_or_else(|| needs("request", "{ answer = \"2 kB\" }"))?;
                model::exchange(request, source, &at("request"))?
            }
            Kind::Transfers | Kind::Tcp | Kind::Cbr | Kind::Ping | Kind::Call => {
                let size = self.size.take().ok_or_else(|| needs("size", "\"1 MB\""))?;
                Model::Transfer { size: size.read(source, &at("size"))? }
            }
        };
        Ok(model::secured(model, self.tls))
    }

    /// Reads the times at which visits start. `per_s` is the rate that follows from `load`.
    fn begin(
        self,
        per_s: impl FnOnce(f64) -> Result<f64, ScenarioError>,
        source: &Source<'_>,
        path: &str,
    ) -> Result<Begin, ScenarioError> {
        let error = |code, key: &str, message: String| source.error(code, &format!("{path}.{key}"), message);
        match (self.users, self.arrivals.is_some() || self.load.is_some()) {
            (None, false) => {
                let message = format!(
                    "a flow of kind \"{}\" needs a key that determines when visits begin",
                    word(self.kind)
                );
                return Err(error(Code::ScenarioMissingKey, "users", message)
                    .fix("write users = 40, arrivals = { law = \"poisson\", rate = 12.5 } or load = 0.6"));
            }
            (Some(users), _) => {
                let think =
                    self.think.map(|think| think.read(source, &format!("{path}.think"))).transpose()?;
                return Ok(Begin::Closed {
                    users,
                    think: think.unwrap_or(Law::Exponential { mean: THINK_MEAN_S }),
                });
            }
            (None, true) => {}
        }
        let text = self.arrivals.unwrap_or_default();
        let at = format!("{path}.arrivals");
        let part = |key: &str, law: Option<Times>| {
            let Some(law) = law else {
                let message = format!("arrivals of law \"on-off\" need the key `{key}`");
                return Err(source
                    .error(Code::ScenarioMissingKey, &format!("{at}.{key}"), message)
                    .fix(format!("write {key} = {{ law = \"exponential\", mean = \"5 s\" }}")));
            };
            law.read(source, &format!("{at}.{key}"))
        };
        let periods = match text.law.0 {
            ArrivalLaw::OnOff => Some((part("on", text.on)?, part("off", text.off)?)),
            ArrivalLaw::Poisson | ArrivalLaw::Regular => None,
        };
        let of_rate = |per_s| match (text.law.0, &periods) {
            (ArrivalLaw::OnOff, Some((on, off))) => {
                Arrivals::OnOff { per_s, on: on.clone(), off: off.clone() }
            }
            (ArrivalLaw::Regular, _) => Arrivals::Regular { per_s },
            _ => Arrivals::Poisson { per_s },
        };
        let refused =
            |fault: traffic::TrafficError| source.error(Code::ScenarioValue, &at, fault.to_string());
        let arrivals = match (text.rate, self.load) {
            (Some(rate), Some(load)) => {
                let message = format!(
                    "`load` = {load} and `rate` = {} both define the rate at which visits begin",
                    units::short(rate)
                );
                return Err(error(Code::ScenarioValue, "load", message).fix("remove `load` or `rate`"));
            }
            (Some(rate), None) => of_rate(rate),
            (None, Some(load)) => {
                let one = of_rate(1.0);
                one.check().map_err(refused)?;
                let arrivals = one.with_mean(per_s(load)?);
                // The user did not write this rate: it follows from `load`.
                arrivals.check().map_err(|fault| {
                    let message = format!("`load` = {load} leads to arrivals that are not possible: {fault}");
                    error(Code::ScenarioValue, "load", message)
                })?;
                arrivals
            }
            (None, None) => {
                let message = "`arrivals` needs the key `rate`, in visits per second";
                return Err(source
                    .error(Code::ScenarioMissingKey, &format!("{at}.rate"), message)
                    .fix("write rate = 12.5, or add load = 0.6 to the flow"));
            }
        };
        arrivals.check().map_err(refused)?;
        Ok(Begin::Open(arrivals))
    }
}

/// Reads when the visits of an application start and what they contain, from the table of `flow` at
/// `path`.
pub fn read(
    mut text: Text,
    flow: &Flow,
    transport: &TransportConfig,
    network: &Network,
    end: Time,
    source: &Source<'_>,
    path: &str,
) -> (Begin, Model) {
    // Read both before returning, so that the faults of both are reported.
    let model = source.keep(text.model(transport, source, path));
    let per_s = |load: f64| {
        let Some(model) = &model else { return Ok(load) };
        let comes_to = visits_per_s(load, flow, model, transport, &network.choice, end);
        comes_to.map_err(|why| source.error(Code::ScenarioValue, &format!("{path}.load"), why))
    };
    let begin = source.keep(text.begin(per_s, source, path));
    // If a fault was recorded, the flow is not used.
    (
        begin.unwrap_or(Begin::Closed { users: 1, think: Law::Constant(1.0) }),
        model.unwrap_or_else(model::none),
    )
}

/// Sets the visit rate of a flow that a traffic matrix creates. The load is a fraction of the smallest link rate on the
/// path of this flow, and visits have the size of this flow.
///
/// # Errors
/// The reason why no rate follows from the load.
pub fn at_load(load: f64, flow: &mut Flow, network: &NetworkChoice, end: Time) -> Result<(), String> {
    let FlowKind::Application { transport, begin: Begin::Open(arrivals), model, .. } = &flow.kind else {
        return Ok(());
    };
    let arrivals = arrivals.clone().with_mean(visits_per_s(load, flow, model, transport, network, end)?);
    arrivals.check().map_err(|fault| fault.to_string())?;
    if let FlowKind::Application { begin, .. } = &mut flow.kind {
        *begin = Begin::Open(arrivals);
    }
    Ok(())
}

/// Returns the number of visits per second at which a flow needs the fraction `load` of the smallest link rate on its
/// path.
fn visits_per_s(
    load: f64,
    flow: &Flow,
    model: &Model,
    transport: &TransportConfig,
    network: &NetworkChoice,
    end: Time,
) -> Result<f64, String> {
    let Some(mean) = model.mean_bytes() else {
        return Err(format!(
            "load = {load} needs the mean size of a visit, but the visits of this flow have no mean size: {} (write \
             arrivals = {{ law = \"poisson\", rate = 1 }})",
            model::why_no_mean(model)
        ));
    };
    let rate = path_load::narrowest(network, flow, end).map_err(|why| {
        format!(
            "load = {load} is relative to the smallest link rate from \"{}\" to \"{}\", but {why} (write arrivals = \
             {{ law = \"poisson\", rate = 1 }})",
            flow.from, flow.to
        )
    })?;
    if rate <= 0.0 {
        return Err(format!(
            "load = {load} needs a rate of each link from \"{}\" to \"{}\", but a link on this path has the rate 0 \
             during the whole run of {} (write a rate above 0, a longer duration, or arrivals = \
             {{ law = \"poisson\", rate = 1 }})",
            flow.from,
            flow.to,
            end.since(Time::ZERO),
        ));
    }
    Ok(load * rate / (8.0 * on_the_wire(mean, transport)))
}

/// Returns the number of bytes on the wire, with the headers of full segments.
pub fn on_the_wire(bytes: f64, transport: &TransportConfig) -> f64 {
    let (payload, headers) = transport.full_packet();
    bytes * f64::from(payload + headers) / f64::from(payload)
}

impl TransportConfig {
    /// Returns the bytes of data and the bytes of headers in a full packet.
    pub const fn full_packet(&self) -> (u32, u32) {
        match self {
            Self::Tcp(config) => (config.mss, config.header),
            Self::Quic(config) => config.full_packet(),
        }
    }
}

/// Returns the word for a kind.
pub fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Tcp => "tcp",
        Kind::Cbr => "cbr",
        Kind::Ping => "ping",
        Kind::Call => "call",
        Kind::Transfers => "transfers",
        Kind::Web => "web",
        Kind::Video => "video",
        Kind::Requests => "requests",
    }
}

/// Returns the kind of flow whose visits follow this model.
pub fn kind_of(model: &Model) -> Kind {
    match model {
        Model::Transfer { .. } => Kind::Transfers,
        Model::Page(_) => Kind::Web,
        Model::Film(_) => Kind::Video,
        Model::Exchange(_) => Kind::Requests,
        Model::Secured { inner, .. } => kind_of(inner),
    }
}

impl FlowKind {
    /// Returns the word in a scenario: "tcp", "quic", "cbr", "ping", "call", "transfers", "web", "video" or "requests".
    pub fn word(&self) -> &'static str {
        match self {
            Self::Tcp { .. } => "tcp",
            Self::Quic { .. } => "quic",
            Self::Cbr { .. } => "cbr",
            Self::Ping { .. } => "ping",
            Self::Call(_) => "call",
            Self::Tap { .. } => "tap",
            Self::Application { model, .. } => word(kind_of(model)),
        }
    }

    /// Returns the settings of the flow's TCP connections; `None` if it has no such connections.
    pub const fn tcp(&self) -> Option<&tcp::Config> {
        match self {
            Self::Tcp { config, .. } | Self::Application { transport: TransportConfig::Tcp(config), .. } => {
                Some(config)
            }
            _ => None,
        }
    }

    /// Returns the settings of the flow's QUIC connections; `None` if it has no such connections.
    pub const fn quic(&self) -> Option<&QuicConfig> {
        match self {
            Self::Quic { config, .. }
            | Self::Application { transport: TransportConfig::Quic(config), .. } => Some(config),
            _ => None,
        }
    }

    /// Returns the controller of the flow's connections; `None` if it has none.
    pub const fn controller(&self) -> Option<&ControllerChoice> {
        match self {
            Self::Tcp { controller, .. }
            | Self::Quic { controller, .. }
            | Self::Application { controller, .. } => Some(controller),
            Self::Cbr { .. } | Self::Ping { .. } | Self::Call(_) | Self::Tap { .. } => None,
        }
    }

    /// Returns the size of the flow's largest data packet, including headers.
    pub fn packet(&self) -> Bytes {
        let sum = |(payload, headers): (u32, u32)| Bytes::new((payload + headers).into());
        match self {
            Self::Tcp { config, .. } => sum((config.mss, config.header)),
            Self::Quic { config, .. } => sum(config.full_packet()),
            Self::Application { transport, .. } => sum(transport.full_packet()),
            Self::Cbr { packet, .. } | Self::Ping { packet, .. } => *packet,
            Self::Call(call) => call.there.largest(),
            Self::Tap { mtu } => *mtu,
        }
    }
}

/// Returns the keys of an application in a flow's table.
pub fn write(transport: &TransportConfig, begin: &Begin, model: &Model) -> format::Flow {
    let mut with_model = model::write(model);
    match transport {
        TransportConfig::Tcp(config) => with_model.tcp = Some(format::Tcp::from_settings(config)),
        TransportConfig::Quic(config) => {
            with_model.transport = Some(W(TransportProtocol::Quic));
            // The requests determine how much data a stream carries.
            let settings = format::Quic { stream_size: None, ..format::Quic::from_settings(config) };
            with_model.quic = Some(settings);
            if let Some(format::Page::Table(page)) = &mut with_model.page {
                page.protocol = None;
            }
        }
    }
    match begin {
        Begin::Closed { users, think } => {
            format::Flow { users: Some(*users), think: Some(Times::of(think)), ..with_model }
        }
        Begin::Open(arrivals) => {
            let (law, rate, on, off) = match arrivals {
                Arrivals::Poisson { per_s } => (ArrivalLaw::Poisson, per_s, None, None),
                Arrivals::Regular { per_s } => (ArrivalLaw::Regular, per_s, None, None),
                Arrivals::OnOff { per_s, on, off } => (ArrivalLaw::OnOff, per_s, Some(on), Some(off)),
            };
            let arrivals = format::Arrivals {
                law: W(law),
                rate: Some(*rate),
                on: on.map(Times::of),
                off: off.map(Times::of),
            };
            format::Flow { arrivals: Some(arrivals), ..with_model }
        }
    }
}
