// SPDX-License-Identifier: MIT OR Apache-2.0
//! The plan of a run: its network laid out over time, and its flows with their connections and their hosts' links.
//!
//! A long run over satellites is planned twice. First the pages are laid out until every flow has started, every pair
//! was connected and (if handovers cost an outage) to the end of the run, because queues in BDP, refusals and the
//! courses of links depend on the whole run. Then the plan starts again with these results.

use crate::ephemeris::{Beside, Ends, ExtraDelay, Known, Laid, Unfolding};
use crate::flows::{self, Connection, FlowPlan};
use crate::horizon::Horizon;
use crate::lay::{LaidNetwork, grant_page, lay_network, open_network};
use crate::replay::{Replay, by_day};
use crate::vary::Vary;
use crate::weather::States;
use crate::{PlanError, Stop, never};
use control::{Ephemeris, PathState};
use engine::{Attachment, NO_LINK, TO_ENDPOINT, UNCONNECTED};
use link::{Config, Course, Delay, LinkSpec};
use scenario::{Flow, FlowKind, NetworkChoice, Pep, Scenario, quic_label, tcp_label};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, PoisonError, RwLock};
use topology::{Almanac, Gate, LinkPlan, Network, NodeKind, Path, PathPiece, RouteUpdate};
use units::{Bytes, Distance, Rate, Span, Time};

/// The link of a host.
#[derive(Clone, Debug)]
pub struct AccessLink {
    /// Its name.
    pub name: String,
    /// Its settings.
    pub config: Config,
    /// The node at its end, or [`TO_ENDPOINT`].
    pub to: u32,
    /// Number of its flow.
    pub flow: usize,
}

/// Another gateway takes over at a gate, where proxies are.
#[derive(Clone, Copy, Debug)]
pub struct GateSwitch {
    /// When.
    pub at: Time,
    /// Index of the gate in the plan.
    pub gate: usize,
    /// Node of the gateway.
    pub node: u32,
}

/// The changes of a page of a network that is laid out page by page.
#[derive(Debug)]
pub struct PageChanges {
    /// Start and end of the page.
    pub page: std::ops::Range<Time>,
    /// New delays of existing links.
    pub delays: Vec<(u32, Delay)>,
    /// New courses of existing links.
    pub courses: Vec<(u32, Arc<Course>)>,
    /// Number of the first new link.
    pub first_link: usize,
    /// Sites whose node became known.
    pub sites: Vec<u16>,
    /// Changes of routes on this page.
    pub updates: Vec<RouteUpdate>,
}

/// A scenario's network with its flows attached, before any packet. It owns all of its data. For a long run over a
/// constellation it has the first page; [`Plan::turn`] lays out the next. Copies of such a plan share the paths that
/// controllers may query.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The scenario.
    pub scenario: Arc<Scenario>,
    /// Nodes, links, routes over time.
    pub network: Network,
    /// Name of each site.
    pub site_names: Vec<String>,
    /// The flows; from index `whole` on, the parts of split flows.
    pub flows: Vec<FlowPlan>,
    /// Number of the scenario's flows.
    pub whole: usize,
    /// Links of hosts, after the network's links: four per flow with access (sender up, sender down, receiver up,
    /// receiver down).
    pub access_links: Vec<AccessLink>,
    /// Where the endpoints are attached, two per flow.
    pub attachments: Vec<Attachment>,
    /// Place of each path in the network's, by its ends.
    path_of: BTreeMap<(u16, u16), usize>,
    /// Rate of each link of the network.
    rates: Arc<[Option<Rate>]>,
    /// Base round trip for queues in bandwidth-delay products.
    base_rtt: Span,
    /// Number of network links when the engine was built: later links come after the access links there.
    begun_with: usize,
    /// The paths that controllers may query, if the network is laid out page by page.
    known: Option<Arc<RwLock<Known>>>,
    /// What varies on its links, if the network is laid out page by page.
    vary: Option<Vary>,
    /// States of links with a budget; of a network that is laid out page by page, up to the end of the last page.
    pub states: States,
    /// Whether a queue on it ever marks, by path.
    marking: Vec<bool>,
    /// Whether a link on it ever clears the ECN field, by path.
    bleaching: Vec<bool>,
    /// Whether a link delays packets by something other than its queue.
    pub(crate) makes_late: bool,
    /// Gateways with proxies.
    pub gates: Vec<Gate>,
    /// Gateways that take over there, as far as the network is laid out, until [`Plan::take_gate_switches`].
    gate_switches: Vec<GateSwitch>,
    /// How far the network is laid out, and the almanac for the rest; `None`: nothing follows.
    horizon: Horizon,
    almanac: Option<Almanac>,
}

impl Plan {
    /// Lays out the network of a scenario over the whole run and attaches its flows.
    ///
    /// # Errors
    /// If the network cannot be made, a pair of sites never has a path, or a flow names an unknown site.
    pub fn new(scenario: &Scenario) -> Result<Self, PlanError> {
        Self::whole(&Arc::new(scenario.clone()), Horizon::of_run(scenario), &never)
    }

    fn whole(scenario: &Arc<Scenario>, horizon: Horizon, stop: Stop<'_>) -> Result<Self, PlanError> {
        let laid = lay_network(scenario, stop)?;
        let mut plan = Self::attached(scenario, laid, horizon, &[])?;
        plan.resolve_queues(plan.longest_rtt(Time::ZERO));
        Ok(plan)
    }

    /// As [`Plan::new`]; a run over a constellation of more than an hour is laid out page by page. `stop` is called
    /// while routes are computed, with 0.
    ///
    /// # Errors
    /// As [`Plan::new`]; [`PlanError::Interrupted`] if `stop` answers true.
    pub fn of_run(scenario: &Scenario, stop: Stop<'_>) -> Result<Self, PlanError> {
        Self::within(scenario, Horizon::of_run(scenario), stop)
    }

    /// As [`Plan::of_run`], laid out as far as `horizon` requires.
    ///
    /// # Errors
    /// As [`Plan::of_run`].
    pub fn within(scenario: &Scenario, horizon: Horizon, stop: Stop<'_>) -> Result<Self, PlanError> {
        let scenario = Arc::new(scenario.clone());
        let satellites = matches!(scenario.network, NetworkChoice::Constellation { .. });
        if !satellites || scenario.duration <= horizon.whole {
            return Self::whole(&scenario, horizon, stop);
        }
        let first_pass = Self::first_pass(&scenario, horizon, stop)?;
        let base_rtt = first_pass.base_rtt;
        let mut plan = Self::opened(&scenario, horizon, Some(first_pass), stop)?;
        plan.resolve_queues(base_rtt);
        Ok(plan)
    }

    /// As [`Plan::of_run`] for a run without end, for any duration of the scenario.
    ///
    /// # Errors
    /// As [`Plan::of_run`]; [`PlanError::Unending`] if the network is drawn for a duration.
    pub fn open_ended(scenario: &Scenario, stop: Stop<'_>) -> Result<Self, PlanError> {
        Vary::refuse_endless(scenario)?;
        let horizon = Horizon::endless(scenario);
        let mut plan = Self::opened(&Arc::new(scenario.clone()), horizon, None, stop)?;
        plan.resolve_queues(plan.longest_rtt(Time::ZERO));
        Ok(plan)
    }

    fn opened(
        scenario: &Arc<Scenario>,
        horizon: Horizon,
        first_pass: Option<FirstPass>,
        stop: Stop<'_>,
    ) -> Result<Self, PlanError> {
        let (interrupted, first) = first_pass.map(|known| (known.interrupted, known.gateways)).unzip();
        let until = horizon.laid_until(Time::ZERO);
        let laid = open_network(scenario, until, interrupted, stop)?;
        let mut plan = Self::attached(scenario, laid, horizon, &first.unwrap_or_default())?;
        plan.known = plan.almanac.as_ref().map(|_| Arc::default());
        plan.publish();
        Ok(plan)
    }

    /// Results that the run needs in advance, although the network is laid out page by page: the longest round trip of
    /// the flows at their starts, the links that will ever have an outage, that every pair is connected at some time,
    /// and the gateway that serves first. The pages are laid out until all of it is known, and forgotten again.
    fn first_pass(
        scenario: &Arc<Scenario>,
        horizon: Horizon,
        stop: Stop<'_>,
    ) -> Result<FirstPass, PlanError> {
        let mut first_pass = Self::opened(scenario, horizon, None, stop)?;
        let Some(mut almanac) = first_pass.almanac.take() else {
            unreachable!("a constellation has an almanac")
        };
        let outages = match &first_pass.scenario.network {
            NetworkChoice::Constellation { spec, .. } => spec.handover.outage > Span::ZERO,
            _ => false,
        };
        let last_start = first_pass.flows.iter().map(|flow| flow.start).max().unwrap_or_default();
        let mut base = first_pass.longest_rtt(Time::ZERO);
        while almanac.laid() < horizon.end
            && (outages || last_start >= almanac.laid() || !almanac.all_connected())
        {
            let from = almanac.laid();
            let page = horizon.turn(&mut almanac, from, from, stop)?;
            first_pass.network.turn_to(page);
            first_pass.pass_gates(from);
            first_pass.gate_switches.clear();
            base = base.max(first_pass.longest_rtt(from));
        }
        let gateways = first_pass.gates.iter().map(|gate| first_pass.network.sites[usize::from(gate.arrive)]);
        Ok(FirstPass {
            base_rtt: base,
            interrupted: almanac.interrupted().clone(),
            gateways: gateways.collect(),
        })
    }

    /// Records the gateways of a page that begins at `from`.
    fn pass_gates(&mut self, from: Time) {
        let NetworkChoice::Constellation { spec, .. } = &self.scenario.network else { return };
        for (place, gate) in self.gates.iter_mut().enumerate() {
            let turns = self.network.pass(spec, gate, from).into_iter();
            self.gate_switches.extend(turns.map(|(at, node)| GateSwitch { at, gate: place, node }));
        }
    }

    /// Takes the gateways that take over at the gates, as far as the network is laid out.
    pub fn take_gate_switches(&mut self) -> Vec<GateSwitch> {
        std::mem::take(&mut self.gate_switches)
    }

    /// When the run ends; [`Time::MAX`]: it has no end.
    pub fn end(&self) -> Time {
        self.horizon.end
    }

    /// When the next page has to be laid out; [`Time::MAX`]: never again.
    pub fn next_turn(&self) -> Time {
        self.almanac.as_ref().map_or(Time::MAX, |almanac| self.horizon.turn_at(almanac))
    }

    /// Whether the network is laid out page by page, complete or not.
    pub fn is_paged(&self) -> bool {
        self.almanac.is_some()
    }

    /// The times that are laid out, including the end of the run.
    pub fn laid(&self) -> std::ops::Range<Time> {
        let laid = self.almanac.as_ref().map_or(self.horizon.end, Almanac::laid);
        self.horizon.seen(Time::ZERO..laid)
    }

    /// Lays out the next page at `now` and adds it to the network. `None`: nothing follows.
    ///
    /// # Errors
    /// If the network cannot be laid out any further; [`PlanError::Interrupted`].
    pub fn turn(&mut self, now: Time, stop: Stop<'_>) -> Result<Option<PageChanges>, PlanError> {
        let Some(almanac) = &mut self.almanac else { return Ok(None) };
        let since = Time::from_nanos(now.nanos().saturating_sub(self.horizon.behind.nanos()));
        let mut page = self.horizon.turn(almanac, since, now, stop)?;
        if let Some(vary) = &self.vary {
            self.states = vary.page(&mut page, &self.network);
        }
        grant_page(self.scenario.seed, &mut page, &self.network);
        let (delays, courses) = (page.delays.clone(), page.courses.clone());
        let (from, until, first_link) = (page.from, page.until, self.network.links.len());
        let unknown: Vec<usize> =
            (0..self.gates.len()).filter(|&gate| self.gates[gate].node.is_none()).collect();
        self.network.turn_to(page);
        self.pass_gates(from);
        let sites = unknown.into_iter().map(|gate| &self.gates[gate]);
        let sites = sites.flat_map(|gate| [gate.arrive, gate.leave]).collect();
        for link in self.network.links.iter_mut().skip(first_link) {
            let rate = whole_rate(link);
            link.config.spec.queue = link.config.spec.queue.resolve(rate, self.base_rtt);
        }
        self.rates = self.network.links.iter().map(whole_rate).collect();
        self.note_marking();
        self.publish();
        let updates = std::mem::take(&mut self.network.updates);
        let page = self.horizon.seen(from..until);
        Ok(Some(PageChanges { page, delays, courses, first_link, sites, updates }))
    }

    /// The longest round-trip propagation at their starts among the flows that start at `since` or later, as far as
    /// known.
    fn longest_rtt(&self, since: Time) -> Span {
        let flows = self.flows.iter().take(self.whole).enumerate().filter(|(_, flow)| flow.start >= since);
        let longest = flows.filter_map(|(number, flow)| self.whole_rtt(number, flow.start)).max();
        longest.unwrap_or(Span::ZERO)
    }

    fn attached(
        scenario: &Arc<Scenario>,
        laying: LaidNetwork,
        horizon: Horizon,
        first_gateways: &[u32],
    ) -> Result<Self, PlanError> {
        let LaidNetwork { mut network, mut site_names, states, almanac, vary } = laying;
        let gates = gates(scenario, &mut network, &mut site_names, first_gateways);
        let mut plan = Self {
            marking: Vec::new(),
            bleaching: Vec::new(),
            makes_late: false,
            gates,
            gate_switches: Vec::new(),
            begun_with: network.links.len(),
            base_rtt: Span::ZERO,
            known: None,
            vary,
            states,
            horizon,
            almanac,
            path_of: BTreeMap::new(),
            rates: network.links.iter().map(whole_rate).collect(),
            network,
            site_names,
            flows: Vec::new(),
            whole: scenario.flows.iter().map(|flow| flow.count as usize).sum(),
            access_links: Vec::new(),
            attachments: Vec::new(),
            scenario: scenario.clone(),
        };
        plan.pass_gates(Time::ZERO);
        let ends = plan.network.paths.iter().map(|path| (path.from, path.to));
        plan.path_of = ends.enumerate().map(|(at, ends)| (ends, at)).collect();
        plan.marking = vec![false; plan.network.paths.len()];
        plan.bleaching = plan.marking.clone();
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
                plan.attach(number, index, access.as_ref(), &mut later)?;
            }
        }
        plan.network.notes.extend(replay.notes());
        for part in later {
            plan.connect(part);
        }
        plan.note_marking();
        let makes_late = plan.configs().any(Config::makes_late);
        plan.makes_late = makes_late;
        Ok(plan)
    }

    /// The path between two sites, if flows use it or its reverse.
    pub fn path(&self, from: u16, to: u16) -> Option<&Path> {
        Some(&self.network.paths[*self.path_of.get(&(from, to))?])
    }

    /// Name of a link by its number in the engine.
    pub fn link_name(&self, number: usize) -> String {
        let behind = number.saturating_sub(self.begun_with);
        let of_host = (number >= self.begun_with).then(|| self.access_links.get(behind)).flatten();
        of_host.map_or_else(
            || {
                let place = if number < self.begun_with { number } else { number - self.access_links.len() };
                self.network.links[place].name.clone()
            },
            |access| access.name.clone(),
        )
    }

    fn site(&self, flow: &str, name: &str) -> Result<u16, PlanError> {
        self.site_names
            .iter()
            .position(|site| site == name)
            .and_then(|at| u16::try_from(at).ok().filter(|&at| usize::from(at) < link::Parcel::SITES))
            .ok_or_else(|| PlanError::SiteUnknown {
                flow: flow.to_owned(),
                site: name.to_owned(),
                known: self.site_names.clone(),
            })
    }

    fn attach(
        &mut self,
        scenario_flow: usize,
        index: u32,
        access: Option<&(LinkSpec, Span)>,
        later: &mut Vec<Connection>,
    ) -> Result<(), PlanError> {
        let scenario = self.scenario.clone();
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
                self.access_links.push(AccessLink {
                    name: format!("{name} {what}"),
                    config: config.clone(),
                    to: leads_to,
                    flow: self.flows.len(),
                });
            }
        }
        let link = |at| if flow.access.is_some() { first_link + at } else { NO_LINK };
        let end =
            |site, offset| Attachment { peer: UNCONNECTED, site, up: link(offset), down: link(offset + 1) };
        let ends = [end(from, 0), end(to, 2)];
        let (config, quic) = (flow.kind.tcp(), flow.kind.quic());
        let mss = match (config, quic) {
            (Some(config), _) => config.mss,
            (_, Some(quic)) => quic.largest_datagram,
            _ => flow.kind.packet().get() as u32,
        };
        let plan = FlowPlan {
            name,
            kind: flow.kind.word(),
            controller: flow.kind.controller().map(|controller| controller.name.clone()),
            tcp: config.map(tcp_label),
            quic: quic.map(quic_label),
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
            receive_window: match quic {
                Some(quic) => quic.receive_window,
                None => config.and_then(|config| config.receive_window.at_most()),
            },
            min_rto: config.map_or(Span::ZERO, |config| config.min_rto),
            clock: config.map_or(Span::ZERO, |config| config.clock),
            handshake: quic.is_some() || config.is_some_and(|config| config.setup != tcp::Setup::None),
            trickle: config.and_then(|config| {
                let segment = Bytes::new(u64::from(config.mss));
                let first = match flow.kind {
                    FlowKind::Tcp { transfer: tcp::Transfer::Finite(size), .. } => segment.min(size),
                    _ => segment,
                };
                config.trickle.map(|trickle| (trickle, first))
            }),
            part: None,
        };
        let own = |name: &str| {
            if let Some(gate) = self.gates.iter().find(|gate| gate.ends == (from, to) && name == Pep::GATEWAY)
            {
                return Ok((gate.arrive, gate.leave));
            }
            // The ends use their addresses.
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
        let sites = flows::sites_of(&scenario, flow, index, own)?;
        let (number, next) = (self.flows.len(), self.whole + later.len());
        let mut whole = Connection { plan, ends };
        later.extend(flows::split(&scenario, scenario_flow, index, &mut whole, &sites, number, next));
        self.connect(whole);
        Ok(())
    }

    /// Gives a connection its number k: its endpoints are 2k and 2k+1, each the other's peer.
    fn connect(&mut self, connection: Connection) {
        let first = self.attachments.len() as u32;
        let [source, sink] = connection.ends;
        self.attachments.push(Attachment { peer: first + 1, ..source });
        self.attachments.push(Attachment { peer: first, ..sink });
        self.flows.push(connection.plan);
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

    /// Whether a queue on the path of the data of flow number `number` marks.
    pub fn marks(&self, number: usize) -> bool {
        let flow = &self.flows[number];
        let path = self.path_of.get(&(flow.from, flow.to));
        let mut access = self.access_links_of(number);
        path.is_some_and(|&path| self.marking[path]) || access.any(|access| marks(&access.config))
    }

    /// Whether a link has a policer.
    pub fn polices(&self) -> bool {
        self.configs().any(|config| config.spec.policer.is_some())
    }

    /// Whether a link has an MTU.
    pub fn has_mtus(&self) -> bool {
        self.configs().any(|config| config.spec.mtu.is_some())
    }

    /// Whether the ECN field of the data of connection `number` may be cleared on a link of its path.
    pub fn bleaches(&self, number: usize) -> bool {
        let flow = &self.flows[number];
        let path = self.path_of.get(&(flow.from, flow.to));
        // Of the hosts' links, those that data use: the sender's up, the receiver's down.
        let mut access = self.access_links_of(number).step_by(3);
        path.is_some_and(|&path| self.bleaching[path]) || access.any(|access| access.config.spec.ecn_bleach)
    }

    /// The links of the hosts of flow number `flow`.
    pub(crate) fn access_links_of(&self, flow: usize) -> impl Iterator<Item = &AccessLink> {
        let first = self.access_links.partition_point(|access| access.flow < flow);
        self.access_links[first..].iter().take_while(move |access| access.flow == flow)
    }

    /// The settings of all links: the network's, then those of hosts.
    pub fn configs(&self) -> impl Iterator<Item = &Config> {
        let network = self.network.links.iter().map(|link| &link.config);
        network.chain(self.access_links.iter().map(|access| &access.config))
    }

    /// Records on which of the known paths a queue marks, or a link clears marks.
    fn note_marking(&mut self) {
        let network = &self.network;
        let notes = self.marking.iter_mut().zip(&mut self.bleaching);
        for ((marking, bleaching), path) in notes.zip(&network.paths) {
            let links = path.pieces.iter().flat_map(|piece| &piece.links);
            let mut configs = links.map(|&link| &network.links[link as usize].config);
            *marking |= configs.clone().any(marks);
            *bleaching |= configs.any(|config| config.spec.ecn_bleach);
        }
    }

    /// Resolves queues in bandwidth-delay products: the delay is the longest round-trip propagation among the flows at
    /// their starts.
    fn resolve_queues(&mut self, base: Span) {
        self.base_rtt = base;
        if self.network.links.iter().any(|link| goes_by_bdp(link, base)) {
            self.network.notes.push(BY_BDP.to_owned());
        }
        for link in &mut self.network.links {
            link.config.spec.queue = link.config.spec.queue.resolve(whole_rate(link), base);
        }
        for AccessLink { config, .. } in &mut self.access_links {
            config.spec.queue = config.spec.queue.resolve(config.spec.rate, base);
        }
    }

    /// Base round trip for queues in bandwidth-delay products.
    pub fn base_rtt(&self) -> Span {
        self.base_rtt
    }

    /// What the geometry determines about a flow's path at a time.
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
    pub fn engine_access(&self, access: usize) -> usize {
        self.begun_with + access
    }

    /// What the geometry determines about a flow's path, for its controller; `laid`: the paths, if they are laid out to
    /// the end.
    pub fn ephemeris(&self, flow: &FlowPlan, laid: &Arc<Known>) -> Option<Arc<dyn Ephemeris>> {
        self.look_at(flow, laid, None)
    }

    /// The path of flow number `flow` without other traffic: as `ephemeris`, plus the extra delay of links in its round
    /// trip.
    pub fn empty_path(&self, flow: usize, laid: &Arc<Known>) -> Option<Arc<dyn Ephemeris>> {
        let hosts = self.access_links_of(flow).filter_map(|access| access.config.course.clone());
        self.look_at(&self.flows[flow], laid, Some(hosts.collect()))
    }

    fn look_at(&self, flow: &FlowPlan, laid: &Arc<Known>, extra: ExtraDelay) -> Option<Arc<dyn Ephemeris>> {
        let ends = self.ends(flow);
        if flow.from == flow.to {
            return Some(Arc::new(Beside { ends, extra }));
        }
        let places = [*self.path_of.get(&(flow.from, flow.to))?, *self.path_of.get(&(flow.to, flow.from))?];
        Some(match &self.known {
            Some(known) => Arc::new(Unfolding { known: known.clone(), places, ends, extra }),
            None => Arc::new(Laid { known: laid.clone(), places, ends, extra }),
        })
    }

    /// The paths that are laid out to the end; empty if they are laid out page by page, as then `known` has them.
    pub fn known(&self) -> Known {
        let paths = if self.known.is_some() { Vec::new() } else { self.network.paths.clone() };
        Known { paths, rates: self.rates.to_vec(), courses: self.courses() }
    }

    fn courses(&self) -> Vec<Option<Arc<Course>>> {
        self.network.links.iter().map(|link| link.config.course.clone()).collect()
    }

    /// Updates the paths that controllers query, if they are laid out page by page.
    fn publish(&self) {
        if let Some(known) = &self.known {
            let mut known = known.write().unwrap_or_else(PoisonError::into_inner);
            known.paths.clone_from(&self.network.paths);
            known.rates.clone_from(&self.rates.to_vec());
            known.courses = self.courses();
        }
    }
}

/// Whether a link's queue marks.
fn marks(config: &Config) -> bool {
    config.spec.queue.discipline.marks()
}

/// Results that a run needs in advance.
struct FirstPass {
    base_rtt: Span,
    /// Links that will ever have an outage.
    interrupted: BTreeSet<u32>,
    /// For each gate: the node of the gateway that serves first.
    gateways: Vec<u32>,
}

/// Gives each gateway with proxies a site of its own, at `first`, or else at the gateway that serves first as far as
/// known.
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
        let (from, to) = (network.address(to, from), network.address(from, to));
        if gates.iter().all(|gate| gate.ends != (from, to)) && (0..flow.count).any(is_at_gateway) {
            let first = first.get(gates.len()).copied().or_else(|| network.first_gateway(spec, from, to));
            let first = first.unwrap_or_else(|| network.some_gateway(spec));
            gates.push(network.gate(spec, sites, from, to, first));
            site_names.extend([Pep::GATEWAY; 2].map(str::to_owned));
        }
    }
    gates
}

/// The highest rate of a link: its own, or the total that it shares; `None`: unlimited.
pub(crate) fn whole_rate(link: &LinkPlan) -> Option<Rate> {
    let part = link.turn.as_ref().and_then(|turn| turn.part.as_ref());
    let total = part.map(|part| part.rate.highest());
    link.config.spec.rate.into_iter().chain(total).min()
}

/// Warning about queues in BDP on links that share a transmitter.
const BY_BDP: &str = "links that share a transmitter have queues in bandwidth-delay products, which are computed \
from the whole rate of the transmitter: if several links are full, each queue takes longer to empty (write these limits \
in packets to choose other sizes)";

/// Whether a setting of a queue is in BDP, on a link that shares its transmitter.
fn goes_by_bdp(link: &LinkPlan, base: Span) -> bool {
    let queue = link.config.spec.queue;
    link.turn.is_some() && queue != queue.resolve(whole_rate(link), base)
}
