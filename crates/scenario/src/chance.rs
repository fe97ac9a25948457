// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lists what a run of a scenario draws at random. The list follows from the scenario alone.
//!
//! The types with random streams report whether they draw (`draws`, [`LinkSpec::chance`]). This module adds the
//! positions in the document. A draw without effect (a packet error rate of 0, a constant law) is left out. The code
//! lists all fields of structs and all variants of enums. Therefore a new field or variant does not compile until its
//! author states whether it draws.

use crate::document::{
    AccessLink, ControllerChoice, Flow, FlowKind, ForwardCarriers, Losses, NetworkChoice, Pep,
    ReturnCarriers, Scenario, Starlink, Wire, WireService,
};
use crate::{Budget, Call, OnOff};
use link::{Changes, LinkSpec, Ramps};
use std::collections::BTreeSet;
use std::sync::Arc;
use topology::{ConstellationSpec, IslSpec};
use traffic::Begin;
use units::{Span, input};

/// Something that a run draws at random. With another seed, the run can differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chance {
    /// The key that causes the draw, as in the resolved document.
    pub place: String,
    /// The quantity that is drawn, in words.
    pub what: String,
    /// The part of the run that draws.
    pub kind: ChanceKind,
}

/// Parts of a run that draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChanceKind {
    /// The network: links, queues, weather, announcements.
    Network,
    /// The traffic: starts of visits, their sizes, and the times at which a stream sends.
    Traffic,
    /// A controller of the catalogue.
    Controller,
}

impl ChanceKind {
    /// Returns the word for this part in results.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::Traffic => "traffic",
            Self::Controller => "controller",
        }
    }
}

/// The draws that were found so far.
struct Found<'a> {
    scenario: &'a Scenario,
    all: Vec<Chance>,
}

impl Scenario {
    /// Returns what a run draws, in the order of the document. If the list is empty, the run is the same for every
    /// seed. The exception is a controller that the user's program added, because its draws are unknown.
    ///
    /// A path trace is read to find its losses. A trace that cannot be read counts as a trace without losses. (The run
    /// itself fails.)
    pub fn chance(&self) -> Vec<Chance> {
        let Self {
            name: _,
            duration: _,
            seed: _,
            warm_up: _,
            network,
            origin: _,
            announce,
            announce_error,
            flows,
            peps,
            record: _,
        } = self;
        let mut found = Found { scenario: self, all: Vec::new() };
        if *announce > Span::ZERO && *announce_error > Span::ZERO {
            found.network("network.announce_error", Some("announced times"));
        }
        found.of_network(network);
        for (at, flow) in flows.iter().enumerate() {
            found.of_flow(flow, &format!("flows[{at}]"));
        }
        for (at, pep) in peps.iter().enumerate() {
            let Pep { at: _, buffer: _, controller, tcp: _, flows: _, resets: _, retry: _, on_handover: _ } =
                pep;
            if let Some(controller) = controller {
                found.controller(&format!("peps[{at}].controller"), controller);
            }
        }
        found.all
    }
}

impl Found<'_> {
    fn add(&mut self, place: &str, what: Option<&str>, kind: ChanceKind) {
        self.all.extend(what.map(|what| Chance { place: place.to_owned(), what: what.to_owned(), kind }));
    }

    fn network(&mut self, place: &str, what: Option<&str>) {
        self.add(place, what, ChanceKind::Network);
    }

    fn traffic(&mut self, place: &str, draws: bool, what: &str) {
        self.add(place, draws.then_some(what), ChanceKind::Traffic);
    }

    fn controller(&mut self, place: &str, choice: &ControllerChoice) {
        let ControllerChoice { name, parameters: _ } = choice;
        let draws = control::catalogue::draws(name);
        self.add(place, draws.then_some(name), ChanceKind::Controller);
    }

    fn of_network(&mut self, network: &NetworkChoice) {
        match network {
            NetworkChoice::Constellation { spec, sites: _, budgets } => self.of_satellites(spec, budgets),
            NetworkChoice::Dumbbell { forward, reverse } => {
                self.of_wire(forward, "network.dumbbell");
                self.of_wire(reverse, "network.dumbbell.reverse");
            }
            NetworkChoice::Chain { links } => {
                for (at, wire) in links.iter().enumerate() {
                    self.of_wire(wire, &format!("network.chain.links[{at}]"));
                }
            }
            NetworkChoice::Star { branches, carriers, forward } => {
                let ReturnCarriers { carriers: _, paces } = carriers;
                let ForwardCarriers { carriers: _, turns: _ } = forward;
                for (at, (_, wire)) in branches.iter().enumerate() {
                    let branch = format!("network.star.branches[{at}]");
                    self.of_wire(wire, &branch);
                    if let Some(Some(pace)) = paces.get(at) {
                        self.of_service(pace, &format!("{branch}.dama"));
                    }
                }
            }
            NetworkChoice::Starlink(path) => {
                let Starlink { preset: _, phase: _, rtt: _, queues, losses } = path;
                self.network("network.starlink.preset", Some("path over Starlink"));
                for ((queue, losses), way) in queues.iter().zip(losses).zip(["up", "down"]) {
                    self.network(&format!("network.starlink.queue.{way}"), queue.draws());
                    self.of_losses(losses, &format!("network.starlink.loss.{way}"));
                }
            }
        }
    }

    fn of_losses(&mut self, losses: &Losses, place: &str) {
        let Losses { chance, listed: _, steps, ramps } = losses;
        let ramps = Ramps { losses: ramps.iter().cloned().collect(), ..Ramps::default() };
        let changes = Changes { loss: steps.clone(), ramps, ..Changes::default() };
        let link = LinkSpec { loss: chance.clone(), changes: Some(Arc::new(changes)), ..LinkSpec::IDEAL };
        for link::Chance { key: _, what } in link.chance() {
            self.network(place, Some(what));
        }
    }

    fn of_satellites(&mut self, spec: &ConstellationSpec, budgets: &[Option<Arc<Budget>>; 4]) {
        let ConstellationSpec {
            name: _,
            shells: _,
            isl,
            gateways,
            pops: _,
            attachments: _,
            fibre_factor: _,
            feeder,
            uplink,
            downlink,
            visibility: _,
            masks: _,
            gso_exclusion: _,
            choice: _,
            shared: _,
            terminals: _,
            beams: _,
            handover: _,
            route_step: _,
            route_times: _,
            offset: _,
            in_flight: _,
        } = spec;
        let isl = isl.as_ref().map(|isl| {
            let IslSpec {
                link,
                pattern: _,
                intra_plane: _,
                inter_plane: _,
                shift: _,
                inter_shell: _,
                cross_seam: _,
                latitude_limit: _,
                max_range: _,
            } = isl;
            link
        });
        let [up, down, feeder_up, feeder_down] = budgets;
        // Without gateways there are no feeder links.
        let feeder = (!gateways.is_empty()).then_some(feeder);
        let kinds = [
            ("uplink", Some(uplink), [up, &None]),
            ("downlink", Some(downlink), [down, &None]),
            ("feeder", feeder, [feeder_up, feeder_down]),
            ("isl", isl, [&None, &None]),
        ];
        for (key, link, budgets) in kinds {
            let Some(link) = link else { continue };
            let place = format!("network.constellation.{key}");
            self.of_link(link, &place);
            let drawn = budgets.into_iter().flatten().flat_map(|budget| budget.draws_in_passes());
            for what in drawn.collect::<BTreeSet<_>>() {
                self.network(&format!("{place}.budget"), Some(what));
            }
        }
    }

    fn of_wire(&mut self, wire: &Wire, place: &str) {
        // Delays are never drawn here: jitter is a property of the link.
        let Wire { spec, service, delay: _, path_trace, trace_end } = wire;
        self.of_link(spec, place);
        self.of_service(service, place);
        let recorded =
            link::Recorded { path: path_trace.clone(), end: *trace_end, ..link::Recorded::default() };
        self.of_recording(&recorded, place);
    }

    fn of_service(&mut self, service: &WireService, place: &str) {
        match service {
            WireService::Constant
            | WireService::Steps(_)
            | WireService::ByHour(_)
            | WireService::Trace(_)
            | WireService::PathTrace => {}
            WireService::Budget(budget) => self.network(&format!("{place}.budget"), budget.radio.draws()),
        }
    }

    fn of_link(&mut self, link: &LinkSpec, place: &str) {
        for link::Chance { key, what } in link.chance() {
            self.network(&format!("{place}.{key}"), Some(what));
        }
        if let Some(recorded) = link.changes.as_ref().and_then(|changes| changes.recorded.as_ref()) {
            self.of_recording(recorded, place);
        }
    }

    fn of_recording(&mut self, recorded: &link::Recorded, place: &str) {
        let link::Recorded { deliveries: _, delays: _, path, end, needs_rate: _ } = recorded;
        let Some(Ok(text)) = path.as_ref().map(|file| input::read(file, input::DATA)) else { return };
        let end = end.unwrap_or(link::TraceEnd::OF_PATH);
        let trace = link::path_trace::read(&text, end, self.scenario.duration);
        let draws = trace.is_ok_and(|trace| trace.draws());
        self.network(&format!("{place}.path_trace"), draws.then_some("losses of a path trace"));
    }

    fn of_flow(&mut self, flow: &Flow, place: &str) {
        let Flow {
            name: _,
            count: _,
            from: _,
            to: _,
            access,
            distance: _,
            urgent: _,
            start: _,
            stagger: _,
            stop: _,
            kind,
        } = flow;
        if let Some(AccessLink { link, delay: _ }) = access {
            self.of_link(link, &format!("{place}.access"));
        }
        match kind {
            FlowKind::Tcp { controller, config: _, transfer: _ } => {
                self.controller(&format!("{place}.controller"), controller);
            }
            FlowKind::Quic { controller, config: _, transfer: _ } => {
                // A QUIC library skips packet numbers at random (RFC 9000, section 21.4), which changes times.
                self.traffic(
                    &format!("{place}.transport"),
                    true,
                    "keys, connection IDs and packet numbers of QUIC",
                );
                self.controller(&format!("{place}.controller"), controller);
            }
            FlowKind::Application { controller, transport: _, begin, model } => {
                let key = match begin {
                    Begin::Open(_) => "arrivals",
                    Begin::Closed { users: _, think: _ } => "think",
                };
                self.traffic(&format!("{place}.{key}"), begin.draws(), "beginnings of visits");
                self.traffic(place, model.draws(), "sizes of visits");
                self.controller(&format!("{place}.controller"), controller);
            }
            FlowKind::Cbr { rate: _, packet: _, on_off } => {
                let Some(OnOff { on, off }) = on_off else { return };
                self.traffic(&format!("{place}.on"), on.draws(), "on periods");
                self.traffic(&format!("{place}.off"), off.draws(), "off periods");
            }
            FlowKind::Ping { interval: _, packet: _ }
            | FlowKind::Tap { mtu: _ }
            | FlowKind::Call(Call { profile: _, playout: _, there: _, back: _ }) => {}
        }
    }
}
