// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run in progress: the engine and all changes of the network (routes, handovers, proxies) advance together.
//!
//! At each time a session acts in this order: it turns pages, changes routes and informs flows of their paths
//! (`routes`), then acts on proxies (`breaks`); packets move after that. The caller decides how far a session advances,
//! with an event queue or with a wall clock. The division of time into calls does not change the result.

use crate::SimError;
use crate::assembly::{Parts, assemble, link_of, rank};
use crate::resets::Resets;
use crate::routes::Routes;
use crate::state::State;
use control::Overrides;
use engine::{Attachment, Engine, NoObserver, Observer};
use hosts::application::free_connections;
use hosts::{AnyBody, AnyEndpoint};
use plan::cost::{connection_bytes, packet_bytes};
use plan::{FlowPlan, PageChanges, Plan, Stop};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use units::{Span, Time};

/// The settings of a session.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// Whether flows note losses, cuts, phases and path changes.
    pub events: bool,
    /// Returns the bytes of available memory, if known. It is called as a run's packets and connections need more
    /// memory; without it a run may fill the memory of the machine.
    pub free_memory: Option<fn() -> Option<f64>>,
}

/// A run in progress. It owns all its data. Its caller decides how far it advances: to the end at once, or with a
/// clock.
pub struct Session<O: Observer<AnyBody> = NoObserver> {
    pub(crate) state: State<AnyEndpoint, O>,
    pub(crate) routes: Routes,
    pub(crate) breaks: Resets,
    pub(crate) connections: Connections,
    free_memory: Option<fn() -> Option<f64>>,
    /// Memory of a packet, of the largest that flows send.
    packet_bytes: f64,
    /// Total size of packets and connections, in bytes, that triggers the next memory check.
    pub(crate) crowd: f64,
}

/// The connections of applications, which are freed at intervals.
#[derive(Clone, Debug, saved::Saved)]
pub(crate) struct Connections {
    /// For each application the numbers of its endpoints.
    #[saved(fixed)]
    applications: Vec<Vec<usize>>,
    due: Time,
    /// Ends of connections that hosts still had after the last freeing.
    ends: usize,
    /// Memory of these ends. It is counted again at the next freeing.
    #[saved(fixed)]
    bytes: f64,
}

impl Connections {
    fn new(applications: Vec<Vec<usize>>) -> Self {
        let due = if applications.is_empty() { Time::MAX } else { Time::ZERO + FREED_EVERY };
        Self { applications, due, ends: 0, bytes: 0.0 }
    }

    fn free<O: Observer<AnyBody>>(&mut self, now: Time, engine: &mut Engine<AnyEndpoint, O>) {
        if now >= self.due {
            self.due = now + FREED_EVERY;
            (self.ends, self.bytes) = (0, 0.0);
            for hosts in &self.applications {
                let ends = free_connections(engine.endpoints_mut(), hosts);
                let is_quic = hosts.iter().any(|&host| engine.endpoints()[host].is_quic());
                self.ends += ends;
                self.bytes += ends as f64 * connection_bytes(is_quic);
            }
        }
    }
}

impl<O: Observer<AnyBody>> fmt::Debug for Session<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let State { plan, engine, .. } = &self.state;
        let name = &plan.scenario.name;
        f.debug_struct("Session").field("scenario", name).field("now", &engine.now()).finish_non_exhaustive()
    }
}

/// A session can be sent to other threads, and they share the data from which it is made.
const _: () = {
    const fn is_send<T: Send>() {}
    const fn is_shared<T: Send + Sync>() {}
    is_send::<Session>();
    is_shared::<Plan>();
};

/// Events between two calls of `stop`: well below a millisecond of work.
const BREATH: u64 = 256;
/// Interval at which unused connections of applications are freed. A run with applications stops there. Millions of
/// tiny transfers a second leave as many connections behind; in this interval they are some ten thousand.
const FREED_EVERY: Span = Span::from_millis(10);
/// The first memory check takes place when packets and connections need this.
const CROWD_BYTES: f64 = 250e6;

impl<O: Observer<AnyBody>> Session<O> {
    /// A run at time zero. `observer` sees single packets; `stop` is asked for each flow that is set up, with 0.
    ///
    /// # Errors
    /// If a controller cannot be made, or does not get the signals that it needs; [`SimError::Interrupted`].
    pub fn new(mut plan: Plan, settings: Settings, observer: O, stop: Stop<'_>) -> Result<Self, SimError> {
        let Parts { engine, shared, degraded, applications } =
            assemble(&plan, settings.events, observer, stop)?;
        let mut breaks = Resets::new(&plan);
        breaks.look_ahead(plan.take_gate_switches());
        let routes = Routes::new(&mut plan);
        let state = State { plan, engine, shared, degraded, handovers: BTreeMap::new() };
        let connections = Connections::new(applications);
        let datagrams = state.plan.scenario.flows.iter().filter_map(|flow| flow.kind.quic());
        let packet_bytes = packet_bytes(datagrams.map(|config| config.largest_datagram).max());
        Ok(Self {
            state,
            routes,
            breaks,
            connections,
            free_memory: settings.free_memory,
            packet_bytes,
            crowd: CROWD_BYTES,
        })
    }

    /// A copy of the run in its present state. The copy and the run do not affect each other, and both continue as the
    /// run would have without the copy.
    ///
    /// # Errors
    /// [`SimError::NoFork`] while pages of the network are still to come; [`SimError::NoForkOfQuic`] with QUIC connections.
    pub fn fork(&self) -> Result<Self, SimError>
    where
        O: Clone,
    {
        let Self { state, routes, breaks, connections, free_memory, packet_bytes, crowd } = self;
        if state.plan.next_turn() < Time::MAX {
            return Err(SimError::NoFork);
        }
        if state.engine.endpoints().iter().any(AnyEndpoint::is_quic) {
            return Err(SimError::NoForkOfQuic);
        }
        let (routes, breaks, connections) = (routes.clone(), breaks.clone(), connections.clone());
        let (free_memory, packet_bytes, crowd) = (*free_memory, *packet_bytes, *crowd);
        Ok(Self { state: state.fork(), routes, breaks, connections, free_memory, packet_bytes, crowd })
    }

    /// Continues to `until`: performs the changes of the network due by then, and moves the packets due before it. The
    /// division of time into calls does not matter. `stop` is called repeatedly with the completed share of the run;
    /// results do not depend on how often.
    ///
    /// # Errors
    /// [`SimError::Interrupted`] if `stop` returns true; [`SimError::Crowded`]; for a network that is laid out page by
    /// page also if it cannot be laid out any further.
    pub fn advance(&mut self, until: Time, stop: Stop<'_>) -> Result<(), SimError> {
        self.go(until, |due| due <= until, stop)
    }

    /// As [`Self::advance`], but without the changes of the network at `until` itself.
    ///
    /// # Errors
    /// Those of [`Self::advance`].
    pub fn reach(&mut self, until: Time, stop: Stop<'_>) -> Result<(), SimError> {
        self.go(until, |due| due < until, stop)
    }

    fn go(&mut self, until: Time, is_now: impl Fn(Time) -> bool, stop: Stop<'_>) -> Result<(), SimError> {
        loop {
            let due = self.next_change();
            if due == Time::MAX || !is_now(due) {
                break;
            }
            // A clock may come too late.
            let now = due.max(self.state.engine.now());
            self.move_packets(now, stop)?;
            self.change(now, stop)?;
        }
        self.move_packets(until, stop)
    }

    /// Sends commands to the sender of flow number `flow`; they replace its controller's from now on.
    ///
    /// # Errors
    /// [`SimError::NoCommand`] if the flow has no sender of its own: it is not TCP, or an application of many connections.
    pub fn command(&mut self, flow: usize, overrides: Overrides) -> Result<(), SimError> {
        let State { plan, engine, .. } = &mut self.state;
        let now = engine.now();
        if engine.endpoints_mut()[2 * flow].command(now, overrides) {
            engine.wake(2 * flow);
            return Ok(());
        }
        let FlowPlan { name, kind, .. } = &plan.flows[flow];
        Err(SimError::NoCommand { flow: name.clone(), kind })
    }

    /// Lets an endpoint act now, after its caller gave it data from outside.
    pub fn wake(&mut self, endpoint: usize) {
        self.state.engine.wake(endpoint);
    }

    /// Adds an endpoint beyond those of the plan, attached at a site, and returns its number. It acts at its first timeout.
    /// It is not a flow: tables and summary have no row for it, but links count its packets.
    pub fn add_endpoint(&mut self, endpoint: AnyEndpoint, attachment: Attachment) -> usize {
        self.state.engine.add_endpoint(endpoint, attachment)
    }

    /// The time of the next change of the network.
    fn next_change(&self) -> Time {
        let turn = self.state.plan.next_turn();
        self.routes.due().min(turn).min(self.breaks.due()).min(self.connections.due)
    }

    /// The time of the next action of [`Self::advance`]: until then a clock may sleep.
    pub fn next_moment(&self) -> Time {
        self.next_change().min(self.state.engine.next_event().unwrap_or(Time::MAX))
    }

    /// Performs the changes of the network due by `now`.
    fn change(&mut self, now: Time, stop: Stop<'_>) -> Result<(), SimError> {
        while self.state.plan.next_turn() <= now {
            self.turn_page(now, stop)?;
        }
        while self.routes.due() <= now {
            self.routes.act(now, &mut self.state);
        }
        self.breaks.act_until(now, &self.state.plan, &mut self.state.engine);
        self.connections.free(now, &mut self.state.engine);
        Ok(())
    }

    /// Lays out the next page: adds links to the engine, or sets their new delays and courses.
    fn turn_page(&mut self, now: Time, stop: Stop<'_>) -> Result<(), SimError> {
        let State { plan, engine, shared, .. } = &mut self.state;
        let Some(turned) = plan.turn(now, stop)? else { return Ok(()) };
        let PageChanges { page, delays, courses, first_link, sites, updates } = turned;
        for (link, delay) in delays {
            engine.change_link(plan.engine_link(link), |link, now, packets| {
                link.set_delay(now, delay, packets)
            });
        }
        for (link, course) in &courses {
            engine.change_link(plan.engine_link(*link), |link, now, _| {
                link.set_course(now, course);
                link.next_event()
            });
        }
        for site in sites {
            engine.move_site(site, plan.network.sites[usize::from(site)]);
        }
        for (number, link) in plan.network.links.iter().enumerate().skip(first_link) {
            let of_engine = engine.add_link(link_of(&plan.scenario, link, None), link.to);
            engine.rank(of_engine, rank(link));
            if let Some(turn) = &link.turn {
                shared.add_link(engine, number, of_engine, turn);
            }
            engine.observer_mut().laid(of_engine, &link.name);
        }
        self.breaks.look_ahead(plan.take_gate_switches());
        self.routes.extend(plan, updates);
        self.routes.page = Some(page);
        Ok(())
    }

    /// The page that the last [`Self::advance`] laid out, if it laid out one.
    pub fn take_page(&mut self) -> Option<Range<Time>> {
        self.routes.page.take()
    }

    fn move_packets(&mut self, until: Time, stop: Stop<'_>) -> Result<(), SimError> {
        while !self.state.engine.advance_some(until, BREATH) {
            self.ask(self.state.engine.now(), stop)?;
            self.look_for_memory()?;
        }
        self.ask(until, stop)
    }

    fn ask(&self, now: Time, stop: Stop<'_>) -> Result<(), SimError> {
        let share = now.secs_f64() / self.state.plan.end().secs_f64().max(f64::MIN_POSITIVE);
        if stop(share) { Err(SimError::Interrupted) } else { Ok(()) }
    }

    /// Checks whether there is memory for twice the present use. With a window that grows without limit over an
    /// unbounded queue, or transfers that begin faster than the path carries them, the system would otherwise kill the
    /// process.
    fn look_for_memory(&mut self) -> Result<(), SimError> {
        let State { engine, plan, .. } = &self.state;
        let packets = engine.packets();
        let of_packets = packets as f64 * self.packet_bytes;
        let of_connections = self.connections.bytes;
        if of_packets + of_connections < self.crowd {
            return Ok(());
        }
        self.crowd = 2.0 * (of_packets + of_connections);
        match self.free_memory.and_then(|ask| ask()) {
            Some(free) if of_connections > of_packets && of_packets + of_connections > free => {
                Err(SimError::CrowdedByConnections { at: engine.now(), ends: self.connections.ends, free })
            }
            Some(free) if of_packets + of_connections > free => {
                let fullest = engine.links().enumerate().max_by_key(|(_, link)| link.in_flight());
                let link = fullest.map_or_else(String::new, |(number, _)| plan.link_name(number));
                Err(SimError::Crowded { at: engine.now(), packets, link, free })
            }
            _ => Ok(()),
        }
    }

    /// The present state of the run.
    pub fn state(&self) -> &State<AnyEndpoint, O> {
        &self.state
    }

    /// The same, mutable, for the removal of events and finished visits of applications from endpoints.
    pub(crate) fn state_mut(&mut self) -> &mut State<AnyEndpoint, O> {
        &mut self.state
    }

    /// The present packets, links and endpoints.
    pub fn engine(&self) -> &Engine<AnyEndpoint, O> {
        &self.state.engine
    }

    /// The results of the proxies that lost their state.
    pub(crate) fn breaks(&mut self) -> Vec<record::summary::BreakSummary> {
        std::mem::take(&mut self.breaks).finish(&mut self.state.engine)
    }

    /// Ends the run at its present time; returns the observer.
    pub fn into_observer(self) -> O {
        self.state.engine.into_observer()
    }
}
