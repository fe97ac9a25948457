// SPDX-License-Identifier: MIT OR Apache-2.0
//! Builds the engine of a wiring: links with the streams of their losses, endpoints of every flow, and each later page.

use super::controllers::{Ground, make};
use super::{FlowPlan, Wiring, whole_rate};
use crate::endpoint::hosts::{Application, Hosts};
use crate::endpoint::{AnyEndpoint, CallEnd, CbrSink, CbrSource, PingSink, PingSource, Shaken, TcpSource};
use crate::lay::{Stop, grant_page, seats};
use crate::oracle::Known;
use crate::packet::SegmentBody;
use crate::split;
use crate::weather::Weather;
use crate::{Options, SimError};
use control::{Controller, Signals};
use engine::{Engine, Forwarding, Observer};
use link::{Link, Seat, Seeds};
use random::stream_seed;
use scenario::{FlowKind, Scenario};
use std::collections::BTreeMap;
use std::sync::Arc;
use topology::{LinkPlan, Page, RouteUpdate};
use units::{Span, Time};

impl Wiring {
    /// Turns to the next page: links are added to the engine or get their new delays and
    /// courses. Gives what changes on this page.
    pub(crate) fn turn_to<O: Observer<SegmentBody>>(
        &mut self,
        mut page: Page,
        scenario: &Scenario,
        engine: &mut Engine<AnyEndpoint, O>,
    ) -> Vec<RouteUpdate> {
        if let Some(vary) = &self.vary {
            let weathers = vary.page(&mut page, &self.network);
            match &mut self.weather {
                Some(weather) => weather.turn(weathers, (engine.now(), page.from)),
                None => self.weather = Weather::new(weathers, Time::ZERO + scenario.warm_up),
            }
        }
        grant_page(scenario.seed, &mut page, &self.network);
        for (link, delay) in &page.delays {
            engine.change_link(self.engine_link(*link), |link, now, packets| {
                link.set_delay(now, delay.clone(), packets)
            });
        }
        for (link, course) in &page.courses {
            engine.change_link(self.engine_link(*link), |link, now, _| {
                link.set_course(now, course);
                link.next_event()
            });
        }
        let (first, from) = (self.network.links.len(), page.from);
        let unknown: Vec<usize> =
            (0..self.gates.len()).filter(|&gate| self.gates[gate].node.is_none()).collect();
        self.network.turn_to(page);
        self.pass_gates(scenario, from);
        for gate in unknown.into_iter().map(|gate| &self.gates[gate]) {
            for site in [gate.arrive, gate.leave] {
                engine.move_site(site, self.network.sites[usize::from(site)]);
            }
        }
        for (plan, link) in self.network.links.iter_mut().enumerate().skip(first) {
            let rate = whole_rate(link);
            link.config.spec.queue = link.config.spec.queue.resolve(rate, self.base_rtt);
            let number = engine.add_link(built(scenario, link, None), link.to);
            if let Some(turn) = &link.turn {
                self.shared.seat(engine, (plan, number), turn);
            }
            engine.observer_mut().laid(number, &link.name);
        }
        self.rates = self.network.links.iter().map(whole_rate).collect();
        self.note_marking();
        self.publish();
        std::mem::take(&mut self.network.updates)
    }

    /// When a link next falls silent, or speaks again.
    pub(crate) fn next_silence(&self) -> Time {
        self.weather.as_ref().map_or(Time::MAX, Weather::next_change)
    }

    /// Notes what links were busy with that fall silent now, or speak again.
    pub(crate) fn fall_silent<O: Observer<SegmentBody>>(
        &mut self,
        now: Time,
        engine: &Engine<AnyEndpoint, O>,
    ) {
        let Some(mut weather) = self.weather.take() else { return };
        weather.change(now, |link| engine.link(self.engine_link(link) as usize).busy_time(now));
        self.weather = Some(weather);
    }

    /// How long the transmitter of a link of the network has sent by `now`, where it has been busy for `busy`.
    pub(crate) fn sent(&self, link: u32, busy: Span) -> Span {
        self.weather.as_ref().map_or(busy, |weather| weather.sent(link, busy))
    }

    /// Whether some router marks packets with congestion warnings.
    fn warns(&self) -> bool {
        let access = self.access_links.iter().map(|(_, config, ..)| config);
        self.network
            .links
            .iter()
            .map(|link| &link.config)
            .chain(access)
            .any(|config| config.spec.warning.is_some())
    }

    /// Builds the engine: links with their loss streams, endpoints with their controllers.
    ///
    /// # Errors
    /// If a controller cannot be made, or needs signals that this ground does not give; or `stop` gave the run up.
    pub(crate) fn engine<O: Observer<SegmentBody>>(
        &mut self,
        scenario: &Scenario,
        options: &Options,
        observer: O,
        stop: Stop<'_>,
    ) -> Result<Engine<AnyEndpoint, O>, SimError> {
        // Of a run that is laid out page by page they are asked for elsewhere.
        let paths = if self.known.is_some() { Vec::new() } else { self.network.paths.clone() };
        let laid = Arc::new(Known { paths, rates: self.rates.to_vec() });
        let ground = Ground { laid, warns: self.warns() };
        let network = &self.network;
        let seats = seats(scenario, &network.links);
        let plain =
            network.links.iter().zip(seats).map(|(link, seat)| (built(scenario, link, seat), link.to));
        // Names of flows may repeat, and are their controllers' where the scenario gives none.
        let access = self.access_links.iter().enumerate().map(|(at, (_, config, to, flow))| {
            let own = stream_seed(scenario.seed, &format!("flow {flow} access link {} loss", at % 4));
            // Up and down of the sender, up and down of the receiver.
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
        let mut endpoints = Vec::with_capacity(self.flows.len() * 2);
        let counts = scenario.flows.iter().map(|flow| flow.count).enumerate();
        let of_flows = counts.flat_map(|(flow, count)| (0..count).map(move |_| flow));
        let of_parts = self.flows.iter().skip(self.whole).filter_map(|plan| plan.part.as_ref());
        let scenario_flows = of_flows.chain(of_parts.map(|part| part.scenario_flow));
        let mut degraded = Vec::with_capacity(self.flows.len());
        let mut hosts: BTreeMap<usize, Hosts> = BTreeMap::new();
        for ((number, plan), scenario_flow) in self.flows.iter().enumerate().zip(scenario_flows) {
            if stop(0.0) {
                return Err(SimError::Interrupted);
            }
            let split;
            let kind = if plan.part.is_some() {
                split = split::kind_of(scenario, scenario_flow, plan.part.as_ref());
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
            let (pair, missing) = if let FlowKind::Application { controller, config, begin, model } = kind {
                // Sessions are those of the flow, wherever its users stand.
                let flow = plan.part.as_ref().map_or(number, |part| part.flow);
                let hosts = hosts.entry(flow).or_insert_with(|| {
                    let proxies = plan.part.as_ref().map_or(0, |part| part.rest.len());
                    Hosts::new(proxies, options.events)
                });
                let application = Application {
                    begin: begin.clone(),
                    model: model.clone(),
                    start: plan.start,
                    stop: self.flows[flow].stop,
                    seed: stream_seed(scenario.seed, &format!("flow {flow} sessions")),
                    shaken: plan.part.as_ref().is_some_and(|part| part.shaken),
                    path: None,
                };
                self.application((plan, seed), (controller, config), application, &ground, hosts)?
            } else {
                self.endpoints(plan, kind, (scenario.seed, &stream), (options, &ground))?
            };
            endpoints.extend(pair);
            degraded.push(missing);
        }
        for (plan, missing) in self.flows.iter_mut().zip(degraded) {
            plan.degraded = missing.names().collect();
        }
        let mut engine =
            Engine::new(links, forwarding, site_node, endpoints, self.attachments.clone(), observer);
        for (number, _) in self.flows.iter().enumerate().filter(|(_, plan)| plan.urgent) {
            engine.make_urgent(2 * number);
            engine.make_urgent(2 * number + 1);
        }
        self.splice(&mut engine);
        for (number, link) in network.links.iter().enumerate() {
            if let Some(turn) = &link.turn {
                self.shared.seat(&mut engine, (number, number as u32), turn);
            }
        }
        if let Some(first) = network.updates.first() {
            self.shared.follow(first);
        }
        let names = network.links.iter().map(|link| &link.name);
        let names = names.chain(self.access_links.iter().map(|(name, ..)| name));
        for (number, name) in names.enumerate() {
            engine.observer_mut().laid(number as u32, name);
        }
        Ok(engine)
    }

    fn endpoints(
        &self,
        plan: &FlowPlan,
        kind: &FlowKind,
        (root, stream): (u64, &str),
        (options, ground): (&Options, &Ground),
    ) -> Result<([AnyEndpoint; 2], Signals), SimError> {
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
            FlowKind::Application { .. } => unreachable!("an application has hosts"),
            FlowKind::Tcp { controller, config, transfer } => {
                let [sends, receives] = plan.part.as_ref().map_or_else(
                    || [config.clone(), config.clone()],
                    |part| part.ends[0].towards(&part.ends[1]),
                );
                let (built, given) = self.controlled(plan, controller, &sends, ground)?;
                let config = &tcp::Config { seed, ..sends };
                let relays = plan.part.as_ref().is_some_and(|part| part.place > 0);
                let (oracle, provided) = (given.oracle, given.provided);
                let sender = move |config: &tcp::Config, built: Box<dyn Controller>, transfer| {
                    let mut sender = tcp::Sender::new(config.clone(), built, transfer, oracle.clone());
                    sender.also_provides(provided);
                    if relays { sender.relaying() } else { sender }
                };
                // A proxy opens a connection when it is called.
                let called = relays && config.setup != tcp::Setup::None;
                let start = if called { Time::MAX } else { plan.start };
                let first = sender(config, built, *transfer);
                let source = TcpSource::new(first, config, start, plan.stop, options.events);
                let sink = split::sink(&receives, plan.part.as_ref(), *transfer);
                let Some(part) = plan.part.clone().filter(|part| part.shaken) else {
                    return Ok((
                        [AnyEndpoint::TcpSource(source), AnyEndpoint::TcpSink(sink)],
                        given.degraded,
                    ));
                };
                let (choice, own, stream) = (controller.clone(), config.clone(), stream.to_owned());
                let later = move |connection: u32, transfer| {
                    let seed = stream_seed(root, &format!("{stream} connection {}", connection + 1));
                    // It has just been made once.
                    let built = make(&choice, &own).unwrap_or_else(|error| unreachable!("{error}"));
                    sender(&tcp::Config { seed, ..own.clone() }, built, transfer)
                };
                let receiver = move || split::receiver(&receives, Some(&part));
                Ok((Shaken::pair((source, later), (sink, receiver)), given.degraded))
            }
        }
    }
}

/// A link of the network with the streams of its losses.
fn built(scenario: &Scenario, link: &LinkPlan, seat: Option<Seat>) -> Link {
    let seed = |stream: &str| stream_seed(scenario.seed, stream);
    // Both directions name the same two ends.
    let (from, to) = link.name.split_once(" > ").unwrap_or((&link.name, ""));
    let (one, other) = if from < to { (from, to) } else { (to, from) };
    let both_ways = seed(&format!("link {one} - {other} both ways"));
    let seeds = Seeds { own: seed(&format!("link {} loss", link.name)), both_ways };
    match seat {
        Some(seat) => Link::on_carrier(&link.config, seeds, seat),
        None if link.turn.is_some() => Link::sharing(&link.config, seeds),
        None => Link::new(&link.config, seeds),
    }
}
