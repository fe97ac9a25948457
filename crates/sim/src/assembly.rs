// SPDX-License-Identifier: MIT OR Apache-2.0
//! Builds the engine of a plan: links with the random streams of their losses, and the endpoints of every flow.
//!
//! The seed of a link's random stream depends only on the seed of the run and on the name of the link. The seed of an
//! access link or of a controller depends on the seed of the run and on the index of the flow. Therefore a change of
//! controller leaves the streams of all links unchanged, and runs with different controllers can be compared in pairs.
//! A loss is drawn when a packet arrives at a link. If the loss of the link changes with time, it is drawn when the
//! packet leaves.

mod applications;
mod controllers;
mod parts;
mod quic;

use crate::SimError;
use crate::transmitters::Shared;
use control::{Controller, Signals};
use controllers::make;
use engine::{Engine, Forwarding, Observer};
use hosts::application::Application;
use hosts::{
    AnyBody, AnyEndpoint, CallEnd, CbrSink, CbrSource, PingSink, PingSource, Resettable, Tap, TcpSource,
};
use link::{CarrierTerminal, Link, Seeds};
use plan::{FlowPlan, Known, Plan, Stop, carrier_terminals};
use random::stream_seed;
use scenario::{FlowKind, Scenario, TransportConfig};
use std::collections::BTreeMap;
use std::sync::Arc;
use topology::LinkPlan;
use units::Time;

/// All parts of a run at its start.
pub(crate) struct Parts<O> {
    pub engine: Engine<AnyEndpoint, O>,
    pub shared: Shared,
    /// For each flow, the signals that its controller would use but that are not available.
    pub degraded: Vec<Vec<&'static str>>,
    /// The endpoint numbers of each application.
    pub applications: Vec<Vec<usize>>,
}

/// Data that the assembly of all flows uses.
pub(crate) struct Assembly<'a> {
    pub plan: &'a Plan,
    /// Paths and rates of the part of the network that is computed so far.
    pub laid: Arc<Known>,
    /// Whether at least one router marks packets with congestion warnings.
    pub warns: bool,
    /// Whether endpoints record events.
    events: bool,
}

/// Builds the engine of a plan. `events` states whether endpoints record events.
///
/// # Errors
/// If a controller cannot be created or needs a signal that is not available, or if `stop` interrupts the assembly.
pub(crate) fn assemble<O: Observer<AnyBody>>(
    plan: &Plan,
    events: bool,
    observer: O,
    stop: Stop<'_>,
) -> Result<Parts<O>, SimError> {
    let warns = plan.configs().any(|config| config.spec.warning.is_some());
    Assembly { plan, laid: Arc::new(plan.known()), warns, events }.state(observer, stop)
}

impl Assembly<'_> {
    /// Builds the engine: links with their loss streams, endpoints with their controllers.
    fn state<O: Observer<AnyBody>>(&self, observer: O, stop: Stop<'_>) -> Result<Parts<O>, SimError> {
        let (scenario, network) = (&*self.plan.scenario, &self.plan.network);
        let terminals = carrier_terminals(scenario, &network.links);
        let plain = network
            .links
            .iter()
            .zip(terminals)
            .map(|(link, terminal)| (link_of(scenario, link, terminal), link.to));
        // The stream contains the index of the flow, because flow names may repeat. A flow without a name in the
        // scenario has the name of its controller.
        let access = self.plan.access_links.iter().enumerate().map(|(at, access)| {
            let plan::AccessLink { config, to, flow, .. } = access;
            let own = stream_seed(scenario.seed, &format!("flow {flow} access link {} loss", at % 4));
            // Indices 0 and 1 are the sender's links up and down, 2 and 3 the receiver's.
            let both_ways = format!("flow {flow} access link {} both ways", at % 4 / 2);
            let seeds = Seeds { own, both_ways: stream_seed(scenario.seed, &both_ways) };
            (Link::new(config, seeds), *to)
        });
        let links = plain.chain(access).collect();
        let mut forwarding = Forwarding::new(network.nodes.len(), network.sites.len());
        for entry in network.updates.first().map_or(&[][..], |update| &update.entries) {
            forwarding.set(entry.node, entry.site, entry.link);
        }
        let site_node = network.sites.clone();
        let mut endpoints = Vec::with_capacity(self.plan.flows.len() * 2);
        let counts = scenario.flows.iter().map(|flow| flow.count).enumerate();
        let of_flows = counts.flat_map(|(flow, count)| (0..count).map(move |_| flow));
        let of_parts = self.plan.flows.iter().skip(self.plan.whole).filter_map(|plan| plan.part.as_ref());
        let scenario_flows = of_flows.chain(of_parts.map(|part| part.scenario_flow));
        let mut degraded = Vec::with_capacity(self.plan.flows.len());
        let mut applications: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for ((number, plan), scenario_flow) in self.plan.flows.iter().enumerate().zip(scenario_flows) {
            if stop(0.0) {
                return Err(SimError::Interrupted);
            }
            let split;
            let kind = if plan.part.is_some() {
                split = plan::kind_of(scenario, scenario_flow, plan.part.as_ref());
                &split
            } else {
                &scenario.flows[scenario_flow].kind
            };
            let stream = match (&plan.part, kind) {
                (Some(part), _) if part.place > 0 => {
                    format!("flow {} part {} controller", part.flow, part.place + 1)
                }
                (_, FlowKind::Cbr { .. }) => format!("flow {number} on-off"),
                _ => format!("flow {number} controller"),
            };
            let seed = stream_seed(scenario.seed, &stream);
            let (pair, missing) = if let FlowKind::Application { controller, transport, begin, model } = kind
            {
                // All parts of a flow have the same visits.
                let flow = plan.part.as_ref().map_or(number, |part| part.flow);
                applications.entry(flow).or_default().extend([2 * number, 2 * number + 1]);
                let application = Application {
                    begin: begin.clone(),
                    model: model.clone(),
                    start: plan.start,
                    stop: self.plan.flows[flow].stop,
                    // Do not rename the stream to "visits": its name determines the draws, so every run would change.
                    seed: stream_seed(scenario.seed, &format!("flow {flow} sessions")),
                    shaken: plan.part.as_ref().is_some_and(|part| part.may_lose_state),
                    // A flow that proxies split has no single empty path.
                    path: if plan.part.is_none() { self.plan.empty_path(number, &self.laid) } else { None },
                };
                match transport {
                    TransportConfig::Tcp(config) => {
                        self.application(plan, seed, controller, config, application)?
                    }
                    TransportConfig::Quic(config) => {
                        self.quic_application(plan, controller, config, application, seed)?
                    }
                }
            } else {
                self.endpoints(plan, kind, &stream)?
            };
            endpoints.extend(pair);
            degraded.push(missing.names().collect());
        }
        let mut engine =
            Engine::new(links, forwarding, site_node, endpoints, self.plan.attachments.clone(), observer);
        for (number, _) in self.plan.flows.iter().enumerate().filter(|(_, plan)| plan.urgent) {
            engine.make_urgent(2 * number);
            engine.make_urgent(2 * number + 1);
        }
        let mut shared = Shared::default();
        self.splice(&mut engine);
        for (number, link) in network.links.iter().enumerate() {
            engine.rank(number as u32, rank(link));
            if let Some(turn) = &link.turn {
                shared.add_link(&mut engine, number, number as u32, turn);
            }
        }
        if let Some(first) = network.updates.first() {
            shared.follow(first);
        }
        let names = network.links.iter().map(|link| &link.name);
        let names = names.chain(self.plan.access_links.iter().map(|access| &access.name));
        for (number, name) in names.enumerate() {
            engine.observer_mut().laid(number as u32, name);
        }
        let applications = applications.into_values().collect();
        Ok(Parts { engine, shared, degraded, applications })
    }

    /// Joins consecutive parts of a flow at their proxy.
    fn splice<O: Observer<AnyBody>>(&self, engine: &mut Engine<AnyEndpoint, O>) {
        for (number, flow) in self.plan.flows.iter().enumerate() {
            for joint in flow.parts(number).windows(2) {
                engine.splice(2 * joint[0] + 1, 2 * joint[1]);
            }
        }
    }

    fn endpoints(
        &self,
        plan: &FlowPlan,
        kind: &FlowKind,
        stream: &str,
    ) -> Result<([AnyEndpoint; 2], Signals), SimError> {
        let root = self.plan.scenario.seed;
        let seed = stream_seed(root, stream);
        match kind {
            FlowKind::Cbr { rate, packet, on_off } => {
                let source =
                    CbrSource::new(*rate, *packet, plan.start, plan.stop).with_periods(*on_off, seed);
                Ok((
                    [AnyEndpoint::CbrSource(source), AnyEndpoint::CbrSink(CbrSink::default())],
                    Signals::NONE,
                ))
            }
            FlowKind::Ping { interval, packet } => {
                let source = PingSource::new(*interval, *packet, plan.start, plan.stop);
                Ok((
                    [AnyEndpoint::PingSource(source), AnyEndpoint::PingSink(PingSink::default())],
                    Signals::NONE,
                ))
            }
            FlowKind::Call(call) => {
                let ends = CallEnd::pair(call, plan.start, plan.stop);
                Ok((ends.map(AnyEndpoint::Call), Signals::NONE))
            }
            FlowKind::Tap { .. } => Ok((
                [Tap::default(), Tap::default()].map(|tap| AnyEndpoint::Tap(Box::new(tap))),
                Signals::NONE,
            )),
            FlowKind::Application { .. } => unreachable!("an application has hosts"),
            FlowKind::Quic { controller, config, transfer } => {
                self.quic(plan, controller, config, *transfer, seed)
            }
            FlowKind::Tcp { controller, config, transfer } => {
                let [sends, receives] = plan.part.as_ref().map_or_else(
                    || [config.clone(), config.clone()],
                    |part| part.ends[0].towards(&part.ends[1]),
                );
                let (built, given) = self.controlled(plan, controller, sends.platform())?;
                let config = &tcp::Config { seed, ..sends };
                let relays = plan.part.as_ref().is_some_and(|part| part.place > 0);
                let (ephemeris, provided) = (given.ephemeris, given.provided);
                let sender = move |config: &tcp::Config, built: Box<dyn Controller>, transfer| {
                    let mut sender = tcp::Sender::new(config.clone(), built, transfer, ephemeris.clone());
                    sender.also_provides(provided);
                    if relays { sender.relaying() } else { sender }
                };
                // A proxy opens its connection when the connection before it is set up.
                let called = relays && config.setup != tcp::Setup::None;
                let start = if called { Time::MAX } else { plan.start };
                let first = sender(config, built, *transfer);
                let source = TcpSource::new(first, config, start, plan.stop, self.events);
                let sink = parts::sink(&receives, plan.part.as_ref(), *transfer);
                let Some(part) = plan.part.clone().filter(|part| part.may_lose_state) else {
                    return Ok((
                        [AnyEndpoint::TcpSource(source), AnyEndpoint::TcpSink(sink)],
                        given.degraded,
                    ));
                };
                let (choice, own, stream) = (controller.clone(), config.clone(), stream.to_owned());
                let later = move |connection: u32, transfer| {
                    let seed = stream_seed(root, &format!("{stream} connection {}", connection + 1));
                    // The same controller was created once before, so this cannot fail.
                    let built = make(&choice, own.platform()).unwrap_or_else(|error| unreachable!("{error}"));
                    sender(&tcp::Config { seed, ..own.clone() }, built, transfer)
                };
                let receiver = move || parts::receiver(&receives, Some(&part));
                Ok((Resettable::pair(source, later, sink, receiver), given.degraded))
            }
        }
    }
}

/// Rank of a link of the network, which decides the order of simultaneous events. It is computed from the two nodes of
/// the link, because the link's number depends on the page (the part of the network over time) that added it. The links
/// of hosts keep rank 0. With more than 16,384 nodes, some links have the same rank, and their numbers decide.
pub(crate) fn rank(link: &LinkPlan) -> u32 {
    link.from << 14 | link.to & 0x3fff
}

/// Creates a link of the network with the random streams of its losses.
pub(crate) fn link_of(scenario: &Scenario, link: &LinkPlan, terminal: Option<CarrierTerminal>) -> Link {
    let seed = |stream: &str| stream_seed(scenario.seed, stream);
    // The name of this stream is the same for both directions.
    let (from, to) = link.name.split_once(" > ").unwrap_or((&link.name, ""));
    let (one, other) = if from < to { (from, to) } else { (to, from) };
    let both_ways = seed(&format!("link {one} - {other} both ways"));
    let seeds = Seeds { own: seed(&format!("link {} loss", link.name)), both_ways };
    match terminal {
        Some(terminal) => Link::on_carrier(&link.config, seeds, terminal),
        None if link.turn.is_some() => Link::sharing(&link.config, seeds),
        None => Link::new(&link.config, seeds),
    }
}
