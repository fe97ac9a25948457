// SPDX-License-Identifier: MIT OR Apache-2.0
//! Flows that proxies split (RFC 3135). A split flow consists of several connections, its *parts*, which are joined at
//! the proxies. The first part has the number and the index of the flow. The other parts follow after all flows, in
//! order. Therefore connection k always has the endpoints 2k and 2k + 1, split or not.
//!
//! Joining two parts (`engine::Engine::splice`) creates no event, no packet and no copy. After an event at one endpoint
//! of the pair, this endpoint sends, and then exchanges data with the other endpoint. After that, the other endpoint
//! may send. The state of a proxy is in `tcp::receiver::relay` and `tcp::sender::relay`.
//!
//! A run reports for the flow what its hosts observe, and what happened on all parts together: the loss of the flow is
//! 1 − ∏(1 − l), where l is the loss of each part. Totals count the flow once. Samples of parts are in a separate
//! table, `parts`, so sums over `flows` count nothing twice. A run without proxies has no such file.
//!
//! A run without proxies executes one additional branch for each event of an endpoint, two for each data packet and one
//! for each ACK.

use crate::PlanError;
use engine::{Attachment, NO_LINK, UNCONNECTED};
use scenario::{ControllerChoice, Flow, FlowKind, Scenario};
use units::{Bytes, Distance, Rate, Span, Time};

/// One flow of the run. A scenario entry with a `count` has several.
#[derive(Clone, Debug)]
pub struct FlowPlan {
    /// Name of the flow in tables.
    pub name: String,
    /// "tcp", "quic", "cbr", "ping", "call" or the word for a kind of application.
    pub kind: &'static str,
    /// Name of the controller; `None` for a flow without congestion control.
    pub controller: Option<String>,
    /// TCP preset, for TCP.
    pub tcp: Option<String>,
    /// Settings as text, for QUIC.
    pub quic: Option<String>,
    /// Site of the sender of the data.
    pub from: u16,
    /// Site of the receiver of the data.
    pub to: u16,
    /// Time at which the flow starts.
    pub start: Time,
    /// Time at which the flow stops sending; `None`: the end of the run.
    pub stop: Option<Time>,
    /// One-way propagation delay of both access links.
    pub access_delay: Span,
    /// Rate of the access links.
    pub access_rate: Option<Rate>,
    /// Distance between the ends, if the scenario states it.
    pub distance: Option<Distance>,
    /// Bytes of a full segment, for conversions in tables.
    pub mss: u32,
    /// How queues may mark packets of the flow; `None`: they must not mark them.
    pub ecn: Option<tcp::Ecn>,
    /// Whether queues with classes send the packets of the flow first.
    pub urgent: bool,
    /// Largest window of the receiver; `None` if unlimited.
    pub receive_window: Option<Bytes>,
    /// Lower bound of the retransmission timeout.
    pub min_rto: Span,
    /// Lower bound of the variance term of the timeout, if it is smaller than `min_rto`.
    pub clock: Span,
    /// Whether the connection starts with a handshake.
    pub handshake: bool,
    /// How the application writes, and the bytes of its first segment; `None` if all data are available at once.
    pub trickle: Option<(tcp::Trickle, Bytes)>,
    /// The position of this connection among the parts of its flow, if proxies split the flow.
    pub part: Option<Part>,
}

/// A proxy at the end of a part.
#[derive(Clone, Copy, Debug)]
pub struct Proxy {
    /// Site of the proxy.
    pub at: u16,
    /// Largest buffer of the proxy.
    pub buffer: Bytes,
}

/// The position of a connection in a split flow.
#[derive(Clone, Debug)]
pub struct Part {
    /// Number of the flow, which is also the number of its first part.
    pub flow: usize,
    /// Index of this part, counted from 0.
    pub place: usize,
    /// Number of the flow in the scenario.
    pub scenario_flow: usize,
    /// The proxy at the receiving end; `None` if the receiver is a host.
    pub proxy: Option<Proxy>,
    /// Controller of this part, if it differs from the flow's controller.
    pub controller: Option<ControllerChoice>,
    /// Number of the scenario's proxy entry that sets the controller.
    pub pep: Option<usize>,
    /// TCP settings of the sender and of the receiver.
    pub ends: [tcp::Config; 2],
    /// In the first part, the numbers of all further parts.
    pub rest: Vec<usize>,
    /// Whether a proxy of the flow may lose its state or move.
    pub may_lose_state: bool,
}

/// The two sites of a proxy: first of its receiving end, then of its sending end. They differ at a gateway, which has
/// one site for each direction of the path.
pub(crate) type Stop = (u16, u16);

impl FlowPlan {
    /// Returns whether this is an application with visits. Every other flow with a controller is one connection.
    pub fn is_application(&self) -> bool {
        self.controller.is_some() && self.kind != "tcp" && self.kind != "quic"
    }

    /// Returns the number of the connection that delivers the data of this flow to its receiver.
    pub fn last(&self, own: usize) -> usize {
        self.part.as_ref().and_then(|part| part.rest.last().copied()).unwrap_or(own)
    }

    /// Returns the numbers of the parts of a split flow, from the first. The list is empty for any other flow.
    pub fn parts(&self, own: usize) -> Vec<usize> {
        let Some(part) = self.part.as_ref().filter(|part| part.flow == own) else { return Vec::new() };
        std::iter::once(own).chain(part.rest.iter().copied()).collect()
    }

    /// Returns the numbers of the flow's connections in order: its parts, or the flow itself.
    pub fn connections(&self, own: usize) -> Vec<usize> {
        let parts = self.parts(own);
        if parts.is_empty() { vec![own] } else { parts }
    }

    /// Returns the number of the scenario's proxy entry that sets the controller; `None` if the flow sets it.
    pub fn pep(&self) -> Option<usize> {
        self.part.as_ref().and_then(|part| part.pep)
    }

    /// Returns whether one end of the connection is at a proxy: the sender (`end` = 0) or the receiver (`end` = 1).
    pub fn is_at_proxy(&self, end: usize) -> bool {
        self.part.as_ref().is_some_and(|part| if end == 0 { part.place > 0 } else { part.proxy.is_some() })
    }

    /// Returns the name of this part in tables.
    pub fn part_name(&self) -> String {
        match &self.part {
            Some(part) if part.place == 0 => format!("{} part 1", self.name),
            _ => self.name.clone(),
        }
    }
}

/// A connection without a number: its plan, and the sites of its endpoints.
pub(crate) struct Connection {
    pub plan: FlowPlan,
    pub ends: [Attachment; 2],
}

/// Splits the connection `whole` of a flow at the scenario's proxies. `whole` becomes the first part, and the function
/// returns the other parts. `sites` are the sites of the proxies, `number` is the number of the flow, and `next` the
/// number of the next part.
pub(crate) fn split(
    scenario: &Scenario,
    scenario_flow: usize,
    index: u32,
    whole: &mut Connection,
    sites: &[Stop],
    number: usize,
    next: usize,
) -> Vec<Connection> {
    let flow: &Flow = &scenario.flows[scenario_flow];
    let proxies = scenario.proxies(flow, index);
    let Some((first, _)) = proxies.first() else { return Vec::new() };
    let from = std::iter::once(whole.plan.from).chain(sites.iter().map(|&(_, leave)| leave));
    let to = sites.iter().map(|&(arrive, _)| arrive).chain([whole.plan.to]);
    let stops: Vec<[u16; 2]> = from.zip(to).map(|(from, to)| [from, to]).collect();
    let last = stops.len() - 1;
    let may_lose_state = proxies.iter().any(|(pep, _)| pep.may_lose_state(&scenario.network));
    let access = flow.access.as_ref();
    let (flow_plan, flow_ends) = (whole.plan.clone(), whole.ends);
    let tcp = scenario.ends(flow, index);
    let here = |site| Attachment { peer: UNCONNECTED, site, up: NO_LINK, down: NO_LINK };
    // The users of an application, at its receiving end, open the connections.
    let opens = usize::from(matches!(flow.kind, FlowKind::Application { .. }));
    let mut parts = stops.into_iter().zip(tcp).enumerate().map(|(place, (stops, tcp))| {
        let hosts = u64::from(place == 0) + u64::from(place == last);
        let proxy = proxies.get(place).map(|(pep, _)| Proxy { at: stops[1], buffer: pep.buffer });
        let covers = stops == [flow_plan.from, flow_plan.to];
        let controller = first.controller.clone().filter(|_| place == 1);
        let pep = scenario.peps.iter().position(|pep| std::ptr::eq(pep, *first));
        let pep = pep.filter(|_| controller.is_some());
        let plan = FlowPlan {
            name: if place == 0 {
                flow_plan.name.clone()
            } else {
                format!("{} part {}", flow_plan.name, place + 1)
            },
            controller: controller
                .as_ref()
                .map(|it| it.name.clone())
                .or_else(|| flow_plan.controller.clone()),
            from: stops[0],
            to: stops[1],
            stop: flow_plan.stop.filter(|_| place == 0),
            access_delay: access.map_or(Span::ZERO, |access| access.delay) * hosts,
            access_rate: flow_plan.access_rate.filter(|_| hosts > 0),
            distance: flow_plan.distance.filter(|_| covers),
            tcp: Some(scenario::tcp_label(&tcp[0])),
            mss: tcp[0].mss.min(tcp[1].mss),
            ecn: tcp[opens].ecn,
            receive_window: tcp[1]
                .receive_window
                .at_most()
                .into_iter()
                .chain(proxy.map(|it| it.buffer))
                .min(),
            min_rto: tcp[0].min_rto,
            clock: tcp[0].clock,
            handshake: tcp[opens].setup != tcp::Setup::None,
            part: Some(Part {
                flow: number,
                place,
                scenario_flow,
                proxy,
                controller,
                pep,
                ends: tcp,
                rest: (place..last).map(|behind| next + behind).collect(),
                may_lose_state,
            }),
            ..flow_plan.clone()
        };
        let from = if place == 0 { flow_ends[0] } else { here(stops[0]) };
        let to = if place == last { flow_ends[1] } else { here(stops[1]) };
        Connection { plan, ends: [from, to] }
    });
    if let Some(first) = parts.next() {
        *whole = first;
    }
    parts.collect()
}

/// Returns the kind of a connection: the kind of its flow, with the controller of the connection.
pub fn kind_of(scenario: &Scenario, scenario_flow: usize, part: Option<&Part>) -> FlowKind {
    let kind = scenario.flows[scenario_flow].kind.clone();
    match (kind, part) {
        (FlowKind::Tcp { controller, config, transfer }, Some(part)) => {
            FlowKind::Tcp { controller: part.controller.clone().unwrap_or(controller), config, transfer }
        }
        (FlowKind::Application { controller, transport, begin, model }, Some(part)) => {
            FlowKind::Application {
                controller: part.controller.clone().unwrap_or(controller),
                transport,
                begin,
                model,
            }
        }
        (kind, _) => kind,
    }
}

/// Returns the sites of the proxies on a flow's path.
pub(crate) fn sites_of(
    scenario: &Scenario,
    flow: &Flow,
    index: u32,
    site: impl Fn(&str) -> Result<Stop, PlanError>,
) -> Result<Vec<Stop>, PlanError> {
    scenario.proxies(flow, index).iter().map(|(_, name)| site(name)).collect()
}
