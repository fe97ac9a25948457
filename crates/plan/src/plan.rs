// SPDX-License-Identifier: MIT OR Apache-2.0
//! The plan of a run: its network computed over time, its flows with their connections, and the links of their hosts.
//!
//! A long run over satellites is planned twice, because queues in BDP, refusals and the courses of links depend on the
//! whole run. The first pass computes pages until every flow has started and every pair of sites was connected. If
//! handovers cause an outage, it continues to the end of the run. Then the second pass starts with these results.

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
    /// Name of the link.
    pub name: String,
    /// Settings of the link.
    pub config: Config,
    /// Node at the end of the link, or [`TO_ENDPOINT`].
    pub to: u32,
    /// Number of the flow.
    pub flow: usize,
}

/// A change of the gateway at a gate. A gate is the place of proxies at the gateway of a path.
#[derive(Clone, Copy, Debug)]
pub struct GateSwitch {
    /// Time of the change.
    pub at: Time,
    /// Index of the gate in the plan.
    pub gate: usize,
    /// Node of the new gateway.
    pub node: u32,
}

/// The changes that a new page brings to a network.
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
    /// Sites whose node was unknown before this page.
    pub sites: Vec<u16>,
    /// Changes of routes on this page.
    pub updates: Vec<RouteUpdate>,
}

/// The network of a scenario with its flows attached, before any packet is sent. The plan owns all of its data. For a
/// long run over a constellation, it contains the first page, and [`Plan::turn`] computes the next page. Copies of such
/// a plan share the paths that controllers query.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The scenario.
    pub scenario: Arc<Scenario>,
    /// Nodes, links and routes over time.
    pub network: Network,
    /// Name of each site.
    pub site_names: Vec<String>,
    /// The flows. The parts of split flows follow from index `whole` on.
    pub flows: Vec<FlowPlan>,
    /// Number of the scenario's flows.
    pub whole: usize,
    /// Links of hosts. In the engine they follow the links of the network. Each flow with access links has four: sender
    /// up, sender down, receiver up, receiver down.
    pub access_links: Vec<AccessLink>,
    /// The node or link to which each endpoint is attached; two endpoints per flow.
    pub attachments: Vec<Attachment>,
    /// Index of each path in the network, by the sites at its ends.
    path_of: BTreeMap<(u16, u16), usize>,
    /// Rate of each link of the network; `None` if the link has no rate.
    rates: Arc<[Option<Rate>]>,
    /// Base round-trip time for queues in bandwidth-delay products.
    base_rtt: Span,
    /// Number of network links when the engine was built. In the engine, later links follow the access links.
    begun_with: usize,
    /// The paths that controllers query, if the network is computed page by page.
    known: Option<Arc<RwLock<Known>>>,
    /// The link properties that vary, if the network is computed page by page.
    vary: Option<Vary>,
    /// States of links with a budget. If the network is computed page by page, they extend to the end of the last page.
    pub states: States,
    /// For each path, whether at least one queue on it marks at some time.
    marking: Vec<bool>,
    /// For each path, whether at least one link on it clears the ECN field at some time.
    bleaching: Vec<bool>,
    /// Whether at least one link delays packets by something other than its queue.
    pub(crate) makes_late: bool,
    /// The gates: places of proxies at the gateway of a path.
    pub gates: Vec<Gate>,
    /// Changes of gateways at the gates, as far as the network is computed. [`Plan::take_gate_switches`] removes them.
    gate_switches: Vec<GateSwitch>,
    /// How far the network is computed at a time, and the almanac for the rest; `None` if all is computed.
    horizon: Horizon,
    almanac: Option<Almanac>,
}

impl Plan {
    /// Computes the network of a scenario over the whole run and attaches its flows.
    ///
    /// # Errors
    /// If the network cannot be created, if a pair of sites never has a path, or if a flow names an unknown site.
    pub fn new(scenario: &Scenario) -> Result<Self, PlanError> {
        Self::whole(&Arc::new(scenario.clone()), Horizon::of_run(scenario), &never)
    }

    fn whole(scenario: &Arc<Scenario>, horizon: Horizon, stop: Stop<'_>) -> Result<Self, PlanError> {
        let laid = lay_network(scenario, stop)?;
        let mut plan = Self::attached(scenario, laid, horizon, &[])?;
        plan.resolve_queues(plan.longest_rtt(Time::ZERO));
        Ok(plan)
    }

    /// Does the same as [`Plan::new`]. A run of more than an hour over a constellation is computed page by page. `stop`
    /// is called with 0 while routes are computed.
    ///
    /// # Errors
    /// The same as for [`Plan::new`], and [`PlanError::Interrupted`] if `stop` returns true.
    pub fn of_run(scenario: &Scenario, stop: Stop<'_>) -> Result<Self, PlanError> {
        Self::within(scenario, Horizon::of_run(scenario), stop)
    }

    /// Does the same as [`Plan::of_run`], but computes the network as far as `horizon` requires.
    ///
    /// # Errors
    /// The same as for [`Plan::of_run`].
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

    /// Does the same as [`Plan::of_run`] for a run without an end. The duration of the scenario is ignored.
    ///
    /// # Errors
    /// The same as for [`Plan::of_run`], and [`PlanError::Unending`] if the network is drawn for a duration.
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

    /// Computes results that a page-by-page run needs in advance:
    /// - the longest round-trip time of the flows at their starts;
    /// - the links that have an outage at some time;
    /// - whether every pair of sites is connected at some time;
    /// - the first gateway of each gate.
    ///
    /// The pages are computed until all of this is known, and then discarded.
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

    /// Records the gateways of a page that starts at `from`.
    fn pass_gates(&mut self, from: Time) {
        let NetworkChoice::Constellation { spec, .. } = &self.scenario.network else { return };
        for (place, gate) in self.gates.iter_mut().enumerate() {
            let turns = self.network.pass(spec, gate, from).into_iter();
            self.gate_switches.extend(turns.map(|(at, node)| GateSwitch { at, gate: place, node }));
        }
    }

    /// Removes and returns the changes of gateways at the gates, as far as the network is computed.
    pub fn take_gate_switches(&mut self) -> Vec<GateSwitch> {
        std::mem::take(&mut self.gate_switches)
    }

    /// Returns the end of the run; [`Time::MAX`] if it has no end.
    pub fn end(&self) -> Time {
        self.horizon.end
    }

    /// Returns the time at which the next page must be computed; [`Time::MAX`] if no page follows.
    pub fn next_turn(&self) -> Time {
        self.almanac.as_ref().map_or(Time::MAX, |almanac| self.horizon.turn_at(almanac))
    }

    /// Returns whether the network is computed page by page, even if the last page has been reached.
    pub fn is_paged(&self) -> bool {
        self.almanac.is_some()
    }

    /// Returns the period that is computed. It includes the end of the run.
    pub fn laid(&self) -> std::ops::Range<Time> {
        let laid = self.almanac.as_ref().map_or(self.horizon.end, Almanac::laid);
        self.horizon.seen(Time::ZERO..laid)
    }

    /// Computes the next page at `now` and adds it to the network. Returns `None` if no page follows.
    ///
    /// # Errors
    /// If the next page cannot be computed, or if `stop` returns true ([`PlanError::Interrupted`]).
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

    /// Returns the longest round-trip propagation delay of the flows that start at `since` or later. The delay of a
    /// flow is its delay at its start. Only the part of the network that is computed counts.
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
            // Read the files that the access link names.
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

    /// Returns the path between two sites; `None` if flows use neither this path nor its reverse.
    pub fn path(&self, from: u16, to: u16) -> Option<&Path> {
        Some(&self.network.paths[*self.path_of.get(&(from, to))?])
    }

    /// Returns the name of a link by its number in the engine.
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
            // The ends of a flow use their addresses.
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

    /// Adds a connection and gives it the next number k. Its endpoints are 2k and 2k + 1, and each is the peer of the
    /// other.
    fn connect(&mut self, connection: Connection) {
        let first = self.attachments.len() as u32;
        let [source, sink] = connection.ends;
        self.attachments.push(Attachment { peer: first + 1, ..source });
        self.attachments.push(Attachment { peer: first, ..sink });
        self.flows.push(connection.plan);
    }

    /// Returns whether the network has satellites.
    pub fn is_constellation(&self) -> bool {
        self.network.nodes.iter().any(|node| node.kind == NodeKind::Satellite)
    }

    /// Returns the round-trip propagation delay of a flow between its hosts at a time.
    pub fn propagation_rtt(&self, flow: &FlowPlan, at: Time) -> Option<Span> {
        let one_way = |from, to| {
            if from == to { Some(Span::ZERO) } else { self.path(from, to)?.delay(at) }
        };
        Some(one_way(flow.from, flow.to)? + one_way(flow.to, flow.from)? + flow.access_delay * 2)
    }

    /// Returns the names of the nodes of a path, joined by " > ".
    pub fn via(&self, piece: &PathPiece) -> String {
        let network = &self.network;
        let first = piece.links.first().map(|&link| network.links[link as usize].from);
        let nodes = first.into_iter().chain(piece.links.iter().map(|&link| network.links[link as usize].to));
        nodes.map(|node| network.nodes[node as usize].name.as_str()).collect::<Vec<_>>().join(" > ")
    }

    /// Returns whether a queue on the path of the data of flow number `number` marks.
    pub fn marks(&self, number: usize) -> bool {
        let flow = &self.flows[number];
        let path = self.path_of.get(&(flow.from, flow.to));
        let mut access = self.access_links_of(number);
        path.is_some_and(|&path| self.marking[path]) || access.any(|access| marks(&access.config))
    }

    /// Returns whether at least one link has a policer.
    pub fn polices(&self) -> bool {
        self.configs().any(|config| config.spec.policer.is_some())
    }

    /// Returns whether at least one link has an MTU.
    pub fn has_mtus(&self) -> bool {
        self.configs().any(|config| config.spec.mtu.is_some())
    }

    /// Returns whether a link on the path of the data of connection `number` may clear the ECN field.
    pub fn bleaches(&self, number: usize) -> bool {
        let flow = &self.flows[number];
        let path = self.path_of.get(&(flow.from, flow.to));
        // Of the hosts' links, data use the sender's uplink and the receiver's downlink.
        let mut access = self.access_links_of(number).step_by(3);
        path.is_some_and(|&path| self.bleaching[path]) || access.any(|access| access.config.spec.ecn_bleach)
    }

    /// Returns the links of the hosts of flow number `flow`.
    pub(crate) fn access_links_of(&self, flow: usize) -> impl Iterator<Item = &AccessLink> {
        let first = self.access_links.partition_point(|access| access.flow < flow);
        self.access_links[first..].iter().take_while(move |access| access.flow == flow)
    }

    /// Returns the settings of all links: first the links of the network, then the links of hosts.
    pub fn configs(&self) -> impl Iterator<Item = &Config> {
        let network = self.network.links.iter().map(|link| &link.config);
        network.chain(self.access_links.iter().map(|access| &access.config))
    }

    /// Records for each known path whether a queue on it marks, and whether a link on it clears marks.
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

    /// Converts queues in bandwidth-delay products to bytes. The delay is the longest round-trip propagation delay
    /// among the flows at their starts.
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

    /// Returns the base round-trip time for queues in bandwidth-delay products.
    pub fn base_rtt(&self) -> Span {
        self.base_rtt
    }

    /// Returns the state of a flow's path at a time, as far as geometry determines it.
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

    /// Returns the number in the engine of a link of the network.
    pub fn engine_link(&self, link: u32) -> u32 {
        if (link as usize) < self.begun_with { link } else { link + self.access_links.len() as u32 }
    }

    /// Returns the number in the engine of an access link.
    pub fn engine_access(&self, access: usize) -> usize {
        self.begun_with + access
    }

    /// Returns the future of a flow's path as far as geometry determines it, for the controller of the flow. `laid` are
    /// the paths, if they are computed to the end.
    pub fn ephemeris(&self, flow: &FlowPlan, laid: &Arc<Known>) -> Option<Arc<dyn Ephemeris>> {
        self.look_at(flow, laid, None)
    }

    /// Returns the path of flow number `flow` without other traffic. In addition to `ephemeris`, the round-trip time
    /// contains the extra delay of links.
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

    /// Returns the paths that are computed to the end. The list is empty if the network is computed page by page,
    /// because the field `known` then has the paths.
    pub fn known(&self) -> Known {
        let paths = if self.known.is_some() { Vec::new() } else { self.network.paths.clone() };
        Known { paths, rates: self.rates.to_vec(), courses: self.courses() }
    }

    fn courses(&self) -> Vec<Option<Arc<Course>>> {
        self.network.links.iter().map(|link| link.config.course.clone()).collect()
    }

    /// Updates the paths that controllers query, if the network is computed page by page.
    fn publish(&self) {
        if let Some(known) = &self.known {
            let mut known = known.write().unwrap_or_else(PoisonError::into_inner);
            known.paths.clone_from(&self.network.paths);
            known.rates.clone_from(&self.rates.to_vec());
            known.courses = self.courses();
        }
    }
}

/// Returns whether the queue of a link marks.
fn marks(config: &Config) -> bool {
    config.spec.queue.discipline.marks()
}

/// Results of the first pass, which a run needs in advance.
struct FirstPass {
    base_rtt: Span,
    /// Links that have an outage at some time.
    interrupted: BTreeSet<u32>,
    /// For each gate, the node of its first gateway.
    gateways: Vec<u32>,
}

/// Creates the gates: each pair of sites whose flows have proxies at the gateway gets two additional sites. A gate
/// starts at its gateway in `first`. Without an entry in `first`, it starts at the first known gateway of the path.
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

/// Returns the highest rate of a link: its own rate, or the total that it shares if this is lower; `None` if unlimited.
pub(crate) fn whole_rate(link: &LinkPlan) -> Option<Rate> {
    let part = link.turn.as_ref().and_then(|turn| turn.part.as_ref());
    let total = part.map(|part| part.rate.highest());
    link.config.spec.rate.into_iter().chain(total).min()
}

/// Warning about queues in BDP on links that share a transmitter.
const BY_BDP: &str = "queue limits in bandwidth-delay products (BDP) are computed from the full rate of a \
    transmitter, although several links share this rate. If several of these links are full, each queue takes longer \
    to empty (to choose other sizes, write the limits in packets)";

/// Returns whether a link shares its transmitter and has a queue setting in BDP.
fn goes_by_bdp(link: &LinkPlan, base: Span) -> bool {
    let queue = link.config.spec.queue;
    link.turn.is_some() && queue != queue.resolve(whole_rate(link), base)
}
