// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a scenario to an engine: the network is laid out, hosts get their access links, flows their endpoints.

use crate::SimError;
use crate::acts::Horizon;
use crate::lay::{Stop, lay_network, open_network};
use crate::oracle::{Ends, Known};
use crate::replay::{Replay, by_day};
use crate::split::{self, Later, Part};
use crate::vary::Vary;
use crate::weather::Weather;
use control::PathState;
use engine::{Attachment, NO_LINK, TO_ENDPOINT};
use link::{Config, Delay, LinkSpec};
use scenario::{Flow, FlowKind, NetworkChoice, Pep, Scenario, tcp_label};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, PoisonError, RwLock};
use topology::{Almanac, Gate, Network, NodeKind, Path, PathPiece};
use units::{Bytes, Distance, Rate, Span, Time};

mod assembly;
mod controllers;
mod hosts;
mod shared;

use shared::{Shared, whole_rate};

/// One flow of the run (a scenario's `count` multiplied out).
#[derive(Clone, Debug)]
pub struct FlowPlan {
    /// Name for tables.
    pub name: String,
    /// "tcp", "cbr", "ping" or "call".
    pub kind: &'static str,
    /// Name of the controller, for TCP.
    pub controller: Option<String>,
    /// Whose TCP, for TCP.
    pub tcp: Option<String>,
    /// Site the data comes from.
    pub from: u16,
    /// Site it goes to.
    pub to: u16,
    /// When it starts.
    pub start: Time,
    /// When it stops sending, if before the end.
    pub stop: Option<Time>,
    /// Propagation of both access links, one way.
    pub access_delay: Span,
    /// Rate of the access links.
    pub access_rate: Option<Rate>,
    /// Distance between the ends as the scenario states it.
    pub distance: Option<Distance>,
    /// Bytes of a full segment, for conversions in tables.
    pub mss: u32,
    /// How queues may mark its packets; `None`: they may not.
    pub ecn: Option<tcp::Ecn>,
    /// Whether its packets go first where queues know classes.
    pub urgent: bool,
    /// The most that its receiver ever takes; `None`: there is no bound.
    pub receive_window: Option<Bytes>,
    /// Lower bound of its retransmission timeout.
    pub min_rto: Span,
    /// Lower bound of what that has besides the round trip, if it is smaller.
    pub clock: Span,
    /// Whether its connection begins with a handshake.
    pub handshake: bool,
    /// Signals the controller would use but this run does not give.
    pub degraded: Vec<&'static str>,
    /// What it is of its flow, where proxies split that.
    pub part: Option<Part>,
}

/// A scenario's network with its flows attached, before any packet.
#[derive(Debug)]
pub struct Wiring {
    /// Nodes, links, routes over time.
    pub network: Network,
    /// Name of each site.
    pub site_names: Vec<String>,
    /// The flows; behind them, from `whole` on, the parts of those that are split.
    pub flows: Vec<FlowPlan>,
    /// How many flows the scenario has.
    pub whole: usize,
    /// Links of hosts, after the network's links: four per flow with access (sender up, sender down, receiver up,
    /// receiver down). Each with its name, where it leads, and the number of its flow.
    pub access_links: Vec<(String, Config, u32, usize)>,
    attachments: Vec<Attachment>,
    /// Place of each path in the network's, by its ends.
    path_of: BTreeMap<(u16, u16), usize>,
    /// Rate of each link of the network.
    rates: Arc<[Option<Rate>]>,
    /// Base round trip that queues in bandwidth-delay products go by.
    base_rtt: Span,
    /// Links of the network when the engine was built: those that came later stand behind the access links there.
    begun_with: usize,
    /// Numbers in the engine of what links share, and what was served when.
    pub(crate) shared: Shared,
    /// What controllers may ask, where the network is laid out page by page.
    known: Option<Arc<RwLock<Known>>>,
    /// What varies on its links, where the network is laid out page by page.
    vary: Option<Vary>,
    /// What budgets make of the weather, if links have some.
    pub(crate) weather: Option<Weather>,
    /// Whether some queue on it ever marked, by path.
    marking: Vec<bool>,
    /// Whether some link makes packets late besides its queue.
    pub(crate) makes_late: bool,
    /// Where proxies stand at gateways.
    pub(crate) gates: Vec<Gate>,
    /// Which gateways take over there and when, as far as it is laid out, until somebody takes note: place of the gate, node.
    pub(crate) handovers: Vec<(Time, usize, u32)>,
}

impl Wiring {
    /// Lays out the network of a scenario and attaches its flows.
    ///
    /// # Errors
    /// If the network cannot be made, a pair of sites never has a path, or a flow names an unknown site.
    pub fn new(scenario: &Scenario) -> Result<Self, SimError> {
        Self::whole(scenario, &|_| false)
    }

    fn whole(scenario: &Scenario, stop: Stop<'_>) -> Result<Self, SimError> {
        let (network, site_names, weathers) = lay_network(scenario, stop)?;
        let mut wiring = Self::attached(scenario, network, site_names, &[])?;
        wiring.weather = Weather::new(weathers, Time::ZERO + scenario.warm_up);
        wiring.resolve_queues(wiring.longest_rtt(Time::ZERO));
        Ok(wiring)
    }

    /// As [`Wiring::new`]; a long run over a constellation is laid out page by page: the first as far as `horizon` says,
    /// and the almanac lays out what follows.
    pub(crate) fn ahead<'a>(
        scenario: &'a Scenario,
        horizon: &Horizon,
        stop: Stop<'a>,
    ) -> Result<(Self, Option<Almanac<'a>>), SimError> {
        let satellites = matches!(scenario.network, NetworkChoice::Constellation { .. });
        if !satellites || scenario.duration <= horizon.whole {
            return Ok((Self::whole(scenario, stop)?, None));
        }
        let known = Self::scout(scenario, horizon, stop)?;
        let base_rtt = known.base_rtt;
        let (mut wiring, almanac) = Self::opened(scenario, horizon, Some(known), stop)?;
        wiring.resolve_queues(base_rtt);
        Ok((wiring, almanac))
    }

    /// As [`Wiring::new`] for a run without end, whatever the scenario's duration.
    pub(crate) fn open_ended<'a>(
        scenario: &'a Scenario,
        horizon: &Horizon,
        stop: Stop<'a>,
    ) -> Result<(Self, Option<Almanac<'a>>), SimError> {
        Vary::refuse_endless(scenario)?;
        let (mut wiring, almanac) = Self::opened(scenario, horizon, None, stop)?;
        wiring.resolve_queues(wiring.longest_rtt(Time::ZERO));
        Ok((wiring, almanac))
    }

    fn opened<'a>(
        scenario: &'a Scenario,
        horizon: &Horizon,
        known: Option<Scouted>,
        stop: Stop<'a>,
    ) -> Result<(Self, Option<Almanac<'a>>), SimError> {
        let (interrupted, first) = known.map(|known| (known.interrupted, known.gateways)).unzip();
        let until = horizon.laid_until(Time::ZERO);
        let (network, site_names, weathers, almanac) = open_network(scenario, until, interrupted, stop)?;
        let mut wiring = Self::attached(scenario, network, site_names, &first.unwrap_or_default())?;
        wiring.weather = Weather::new(weathers, Time::ZERO + scenario.warm_up);
        let (almanac, vary) = almanac.unzip();
        wiring.vary = vary.flatten();
        wiring.known = almanac.as_ref().map(|_| Arc::default());
        wiring.publish();
        Ok((wiring, almanac))
    }

    /// What must be known of a sky before the run, though it is laid out page by page: the longest round trip of the flows
    /// at the moment each starts, which links will ever have an outage, that every pair is connected at some time, and the gateway
    /// that serves first. The pages are turned until all of it is known, and forgotten again.
    fn scout(scenario: &Scenario, horizon: &Horizon, stop: Stop<'_>) -> Result<Scouted, SimError> {
        let (mut scout, almanac) = Self::opened(scenario, horizon, None, stop)?;
        let Some(mut almanac) = almanac else { unreachable!("a constellation has an almanac") };
        let outages = match &scenario.network {
            NetworkChoice::Constellation { spec, .. } => spec.handover.outage > Span::ZERO,
            _ => false,
        };
        let last_start = scout.flows.iter().map(|flow| flow.start).max().unwrap_or_default();
        let mut base = scout.longest_rtt(Time::ZERO);
        while almanac.laid() < horizon.end
            && (outages || last_start >= almanac.laid() || !almanac.all_connected())
        {
            let from = almanac.laid();
            let page = horizon.turn(&mut almanac, from, from)?;
            scout.network.turn_to(page);
            scout.pass_gates(scenario, from);
            scout.handovers.clear();
            base = base.max(scout.longest_rtt(from));
        }
        let gateways = scout.gates.iter().map(|gate| scout.network.sites[usize::from(gate.arrive)]);
        Ok(Scouted {
            base_rtt: base,
            interrupted: almanac.interrupted().clone(),
            gateways: gateways.collect(),
        })
    }

    /// Leads a page that begins at `from` past the gates.
    pub(crate) fn pass_gates(&mut self, scenario: &Scenario, from: Time) {
        let NetworkChoice::Constellation { spec, .. } = &scenario.network else { return };
        for (place, gate) in self.gates.iter_mut().enumerate() {
            let turns = self.network.pass(spec, gate, from);
            self.handovers.extend(turns.into_iter().map(|(at, node)| (at, place, node)));
        }
    }

    /// The longest round-trip propagation among the flows that start at `since` or later, as far as it is known, at the
    /// moment each starts.
    fn longest_rtt(&self, since: Time) -> Span {
        let flows = self.flows.iter().take(self.whole).enumerate().filter(|(_, flow)| flow.start >= since);
        let longest = flows.filter_map(|(number, flow)| self.whole_rtt(number, flow.start)).max();
        longest.unwrap_or(Span::ZERO)
    }

    fn attached(
        scenario: &Scenario,
        mut network: Network,
        mut site_names: Vec<String>,
        first_gateways: &[u32],
    ) -> Result<Self, SimError> {
        let gates = gates(scenario, &mut network, &mut site_names, first_gateways);
        let mut wiring = Self {
            marking: Vec::new(),
            makes_late: false,
            gates,
            handovers: Vec::new(),
            begun_with: network.links.len(),
            base_rtt: Span::ZERO,
            known: None,
            vary: None,
            weather: None,
            shared: Shared::default(),
            path_of: BTreeMap::new(),
            rates: network.links.iter().map(whole_rate).collect(),
            network,
            site_names,
            flows: Vec::new(),
            whole: scenario.flows.iter().map(|flow| flow.count as usize).sum(),
            access_links: Vec::new(),
            attachments: Vec::new(),
        };
        wiring.pass_gates(scenario, Time::ZERO);
        let ends = wiring.network.paths.iter().map(|path| (path.from, path.to));
        wiring.path_of = ends.enumerate().map(|(at, ends)| (ends, at)).collect();
        wiring.marking = vec![false; wiring.network.paths.len()];
        let (mut later, mut replay) = (Vec::new(), Replay::of(scenario));
        for (number, flow) in scenario.flows.iter().enumerate() {
            // A host's link with its files read.
            let access = flow.access.as_ref();
            let access = access.map(|access| {
                let link = replay.over(&access.link);
                link.map(|link| (by_day(link, scenario.duration), access.delay))
            });
            let access = access.transpose()?;
            for index in 0..flow.count {
                wiring.attach((scenario, number), index, access.as_ref(), &mut later)?;
            }
        }
        wiring.network.notes.extend(replay.notes());
        for (plan, attached) in later {
            wiring.flows.push(plan);
            wiring.attachments.extend(attached);
        }
        wiring.note_marking();
        let network = wiring.network.links.iter().map(|link| &link.config);
        let mut links = network.chain(wiring.access_links.iter().map(|(_, config, ..)| config));
        wiring.makes_late = links.any(|config| config.spec.lateness() > Span::ZERO);
        Ok(wiring)
    }

    /// The path between two sites, if flows use it or its reverse.
    pub fn path(&self, from: u16, to: u16) -> Option<&Path> {
        Some(&self.network.paths[*self.path_of.get(&(from, to))?])
    }

    /// Name of a link by its number in the engine.
    pub(crate) fn link_name(&self, number: usize) -> String {
        let behind = number.saturating_sub(self.begun_with);
        let of_host = (number >= self.begun_with).then(|| self.access_links.get(behind)).flatten();
        of_host.map_or_else(
            || {
                let place = if number < self.begun_with { number } else { number - self.access_links.len() };
                self.network.links[place].name.clone()
            },
            |(name, ..)| name.clone(),
        )
    }

    fn site(&self, flow: &str, name: &str) -> Result<u16, SimError> {
        self.site_names
            .iter()
            .position(|site| site == name)
            .and_then(|at| u16::try_from(at).ok().filter(|&at| usize::from(at) < link::Parcel::SITES))
            .ok_or_else(|| SimError::SiteUnknown {
                flow: flow.to_owned(),
                site: name.to_owned(),
                known: self.site_names.clone(),
            })
    }

    fn attach(
        &mut self,
        (scenario, scenario_flow): (&Scenario, usize),
        index: u32,
        access: Option<&(LinkSpec, Span)>,
        later: &mut Vec<Later>,
    ) -> Result<(), SimError> {
        let flow: &Flow = &scenario.flows[scenario_flow];
        let name = flow.name_of(index);
        let (from, to) = (self.site(&name, &flow.from)?, self.site(&name, &flow.to)?);
        let (from, to) = (self.network.address(to, from), self.network.address(from, to));
        let first_link = self.network.links.len() as u32 + self.access_links.len() as u32;
        let site_node = |site: u16| self.network.sites[usize::from(site)];
        if let Some((link, delay)) = access {
            let config = Config::new(link.clone(), Delay::Constant(*delay));
            for (what, leads_to) in [
                ("sender up", site_node(from)),
                ("sender down", TO_ENDPOINT),
                ("receiver up", site_node(to)),
                ("receiver down", TO_ENDPOINT),
            ] {
                self.access_links.push((
                    format!("{name} {what}"),
                    config.clone(),
                    leads_to,
                    self.flows.len(),
                ));
            }
        }
        let link = |at| if flow.access.is_some() { first_link + at } else { NO_LINK };
        let end = |site, offset| Attachment { site, up: link(offset), down: link(offset + 1) };
        let mut ends = [end(from, 0), end(to, 2)];
        let config = match &flow.kind {
            FlowKind::Tcp { config, .. } | FlowKind::Application { config, .. } => Some(config),
            FlowKind::Cbr { .. } | FlowKind::Ping { .. } | FlowKind::Call(_) => None,
        };
        let (kind, controller, tcp, mss) = match &flow.kind {
            FlowKind::Tcp { controller, config, .. } => {
                ("tcp", Some(controller.name.clone()), Some(tcp_label(config)), config.mss)
            }
            FlowKind::Application { controller, config, .. } => {
                let word = flow.kind.word();
                (word, Some(controller.name.clone()), Some(tcp_label(config)), config.mss)
            }
            FlowKind::Cbr { packet, .. } => ("cbr", None, None, packet.get() as u32),
            FlowKind::Ping { packet, .. } => ("ping", None, None, packet.get() as u32),
            FlowKind::Call(call) => ("call", None, None, call.there.largest().get() as u32),
        };
        let mut plan = FlowPlan {
            name,
            kind,
            controller,
            tcp,
            from,
            to,
            start: flow.start + flow.stagger * u64::from(index),
            stop: flow.stop,
            access_delay: access.map_or(Span::ZERO, |&(_, delay)| delay) * 2,
            access_rate: access.and_then(|(link, _)| link.rate),
            distance: flow.distance,
            mss,
            ecn: config.and_then(|config| config.ecn),
            urgent: flow.urgent,
            receive_window: config.and_then(|config| config.receive_window.at_most()),
            min_rto: config.map_or(Span::ZERO, |config| config.min_rto),
            clock: config.map_or(Span::ZERO, |config| config.clock),
            handshake: config.is_some_and(|config| config.setup != tcp::Setup::None),
            degraded: Vec::new(),
            part: None,
        };
        let own = |name: &str| {
            if let Some(gate) = self.gates.iter().find(|gate| gate.ends == (from, to) && name == Pep::GATEWAY)
            {
                return Ok((gate.arrive, gate.leave));
            }
            // The ends go by their addresses.
            let site = self.site(&plan.name, name)?;
            let site = if name == flow.from {
                from
            } else if name == flow.to {
                to
            } else {
                site
            };
            Ok((site, site))
        };
        let sites = split::sites_of(scenario, (flow, index), own)?;
        let numbers = (self.flows.len(), self.whole + later.len());
        later.extend(split::split((scenario, scenario_flow, index), (&mut plan, &mut ends), &sites, numbers));
        self.flows.push(plan);
        self.attachments.extend(ends);
        Ok(())
    }

    /// Whether the network has satellites.
    pub fn is_constellation(&self) -> bool {
        self.network.nodes.iter().any(|node| node.kind == NodeKind::Satellite)
    }

    /// Round-trip propagation of a flow, host to host, at a time.
    pub fn propagation_rtt(&self, flow: &FlowPlan, at: Time) -> Option<Span> {
        let one_way = |from, to| {
            if from == to { Some(Span::ZERO) } else { self.path(from, to)?.delay(at) }
        };
        Some(one_way(flow.from, flow.to)? + one_way(flow.to, flow.from)? + flow.access_delay * 2)
    }

    /// The nodes of a path by name, joined by " > ".
    pub fn via(&self, piece: &PathPiece) -> String {
        let network = &self.network;
        let first = piece.links.first().map(|&link| network.links[link as usize].from);
        let nodes = first.into_iter().chain(piece.links.iter().map(|&link| network.links[link as usize].to));
        nodes.map(|node| network.nodes[node as usize].name.as_str()).collect::<Vec<_>>().join(" > ")
    }

    /// Whether some queue on the way of the data of flow number `number` marks.
    pub fn marks(&self, number: usize) -> bool {
        let flow = &self.flows[number];
        let path = self.path_of.get(&(flow.from, flow.to));
        let first = self.access_links.partition_point(|&(.., of)| of < number);
        let mut access = self.access_links[first..].iter().take_while(|&&(.., of)| of == number);
        path.is_some_and(|&path| self.marking[path]) || access.any(|(_, config, ..)| marks(config))
    }

    /// Notes on which of the paths that are known some queue marks.
    fn note_marking(&mut self) {
        let network = &self.network;
        for (marking, path) in self.marking.iter_mut().zip(&network.paths) {
            let mut links = path.pieces.iter().flat_map(|piece| &piece.links);
            *marking |= links.any(|&link| marks(&network.links[link as usize].config));
        }
    }

    /// Queues stated in bandwidth-delay products: the delay is the longest round-trip propagation among the flows
    /// at the moment each starts.
    fn resolve_queues(&mut self, base: Span) {
        self.base_rtt = base;
        if self.network.links.iter().any(|link| shared::goes_by_bdp(link, base)) {
            self.network.notes.push(shared::BY_BDP.to_owned());
        }
        for link in &mut self.network.links {
            link.config.spec.queue = link.config.spec.queue.resolve(whole_rate(link), base);
        }
        for (_, config, ..) in &mut self.access_links {
            config.spec.queue = config.spec.queue.resolve(config.spec.rate, base);
        }
    }

    /// Base round trip that queues in bandwidth-delay products go by.
    pub fn base_rtt(&self) -> Span {
        self.base_rtt
    }

    /// What the geometry says about a flow's path at a time.
    pub fn path_state(&self, flow: &FlowPlan, at: Time) -> PathState {
        let paths = self.path(flow.from, flow.to).zip(self.path(flow.to, flow.from));
        match paths {
            Some((forward, reverse)) => self.ends(flow).path([forward, reverse], &self.rates, at),
            None if flow.from == flow.to => self.ends(flow).beside(),
            None => PathState::default(),
        }
    }

    fn ends(&self, flow: &FlowPlan) -> Ends {
        let of_sites =
            self.network.distance_m.as_ref().map(|table| table[usize::from(flow.from)][usize::from(flow.to)]);
        Ends {
            access: flow.access_delay,
            distance_m: flow.distance.map(Distance::m).or(of_sites),
            access_rate: flow.access_rate,
        }
    }

    /// Number in the engine of a link of the network.
    pub fn engine_link(&self, link: u32) -> u32 {
        if (link as usize) < self.begun_with { link } else { link + self.access_links.len() as u32 }
    }

    /// Number in the engine of an access link.
    pub(crate) fn engine_access(&self, access: usize) -> usize {
        self.begun_with + access
    }

    /// Tells controllers how far the paths are known, where they are laid out page by page.
    fn publish(&self) {
        if let Some(known) = &self.known {
            let mut known = known.write().unwrap_or_else(PoisonError::into_inner);
            known.paths.clone_from(&self.network.paths);
            known.rates.clone_from(&self.rates.to_vec());
        }
    }
}

/// Whether a link's queue marks.
fn marks(config: &Config) -> bool {
    config.spec.queue.discipline.marks()
}

/// What must be known of a sky before a run.
struct Scouted {
    base_rtt: Span,
    /// Links that will ever have an outage.
    interrupted: BTreeSet<u32>,
    /// Of each gate: the node of the gateway that serves first.
    gateways: Vec<u32>,
}

/// Gives the gateways at which proxies stand sites of their own, at the one that is `first` or, if that is not said, that
/// serves first as far as it is known.
fn gates(
    scenario: &Scenario,
    network: &mut Network,
    site_names: &mut Vec<String>,
    first: &[u32],
) -> Vec<Gate> {
    let NetworkChoice::Constellation { spec, sites, .. } = &scenario.network else { return Vec::new() };
    let site = |name: &str| sites.iter().position(|site| site.name == name).map(|at| at as u16);
    let mut gates: Vec<Gate> = Vec::new();
    for flow in &scenario.flows {
        let is_at_gateway =
            |index| scenario.proxies(flow, index).iter().any(|(_, place)| place == Pep::GATEWAY);
        let (Some(from), Some(to)) = (site(&flow.from), site(&flow.to)) else { continue };
        let ends = (network.address(to, from), network.address(from, to));
        if gates.iter().all(|gate| gate.ends != ends) && (0..flow.count).any(is_at_gateway) {
            let first = first.get(gates.len()).copied().or_else(|| network.first_gateway(spec, ends));
            let first = first.unwrap_or_else(|| network.some_gateway(spec));
            gates.push(network.gate(spec, sites, ends, first));
            site_names.extend([Pep::GATEWAY; 2].map(str::to_owned));
        }
    }
    gates
}
