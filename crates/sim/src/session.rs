// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run in progress: the engine and all changes of the network (routes, handovers, proxies) advance together.
//!
//! At each time, a session first computes the next page of the network (its state over a period) if it is needed. It
//! then changes routes and informs flows of their paths (`routes`), and then resets or moves proxies (`resets`).
//! Packets move after that. The caller decides how far a session advances, for example to the next event or to the time
//! of a wall clock. The number of calls does not change the result.

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

/// Settings of a session.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// Whether flows record losses, cuts, phases and path changes.
    pub events: bool,
    /// Returns the bytes of available memory, if known. The session calls this function when packets and connections
    /// need more memory. Without this function, a run may fill the memory of the machine.
    pub free_memory: Option<fn() -> Option<f64>>,
}

/// A run in progress. It owns all of its data. The caller decides how far it advances: to the end at once, or with a
/// clock.
pub struct Session<O: Observer<AnyBody> = NoObserver> {
    pub(crate) state: State<AnyEndpoint, O>,
    pub(crate) routes: Routes,
    pub(crate) breaks: Resets,
    pub(crate) connections: Connections,
    /// The times at which further pages of the network were computed.
    pub(crate) turns: Vec<Time>,
    free_memory: Option<fn() -> Option<f64>>,
    /// Memory of one packet of the largest size that flows send, in bytes.
    packet_bytes: f64,
    /// Memory of packets and connections, in bytes, at which the next memory check takes place.
    pub(crate) crowd: f64,
}

/// The connections of applications. Unused connections are freed at intervals.
#[derive(Clone, Debug, saved::Saved)]
pub(crate) struct Connections {
    /// The endpoint numbers of each application.
    #[saved(fixed)]
    applications: Vec<Vec<usize>>,
    due: Time,
    /// Number of connection ends that hosts kept when connections were last freed.
    ends: usize,
    /// Memory of these ends, in bytes. It is counted again when connections are next freed.
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

/// Compile-time check that a session can move to another thread, and that threads can share its plan.
const _: () = {
    const fn is_send<T: Send>() {}
    const fn is_shared<T: Send + Sync>() {}
    is_send::<Session>();
    is_shared::<Plan>();
};

/// Number of events between two calls of `stop`. These events take well below a millisecond.
const BREATH: u64 = 256;
/// Interval at which a run frees unused connections of applications. Millions of tiny transfers per second leave as
/// many unused connections per second, which are tens of thousands in each interval.
const FREED_EVERY: Span = Span::from_millis(10);
/// Memory of packets and connections, in bytes, at which the first memory check takes place.
const CROWD_BYTES: f64 = 250e6;

impl<O: Observer<AnyBody>> Session<O> {
    /// Creates a run at time zero. `observer` receives every packet. `stop` is called with 0 for each flow that is set
    /// up.
    ///
    /// # Errors
    /// If a controller cannot be created or needs a signal that the network does not provide, or if `stop` returns true
    /// ([`SimError::Interrupted`]).
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
            turns: Vec::new(),
            free_memory: settings.free_memory,
            packet_bytes,
            crowd: CROWD_BYTES,
        })
    }

    /// Returns a copy of the run in its present state. The copy and the run do not affect each other. Both continue as
    /// the run would continue without a copy.
    ///
    /// # Errors
    /// [`SimError::NoFork`] if later pages (parts) of the network are not computed yet; [`SimError::NoForkOfQuic`] if
    /// the run has QUIC connections.
    pub fn fork(&self) -> Result<Self, SimError>
    where
        O: Clone,
    {
        let Self { state, routes, breaks, connections, turns, free_memory, packet_bytes, crowd } = self;
        if state.plan.next_turn() < Time::MAX {
            return Err(SimError::NoFork);
        }
        if state.engine.endpoints().iter().any(AnyEndpoint::is_quic) {
            return Err(SimError::NoForkOfQuic);
        }
        let (routes, breaks, connections) = (routes.clone(), breaks.clone(), connections.clone());
        let turns = turns.clone();
        let (free_memory, packet_bytes, crowd) = (*free_memory, *packet_bytes, *crowd);
        Ok(Self { state: state.fork(), routes, breaks, connections, turns, free_memory, packet_bytes, crowd })
    }

    /// Continues to `until`: performs the changes of the network that are due at or before `until`, and moves the
    /// packets that are due before `until`. The number of calls does not change the result. `stop` is called repeatedly
    /// with the completed fraction of the run. The number of calls of `stop` does not change the result.
    ///
    /// # Errors
    /// [`SimError::Interrupted`] if `stop` returns true. [`SimError::Crowded`] or [`SimError::CrowdedByConnections`] if
    /// memory becomes scarce. [`SimError::Plan`] if the next page of the network cannot be computed.
    pub fn advance(&mut self, until: Time, stop: Stop<'_>) -> Result<(), SimError> {
        self.go(until, |due| due <= until, stop)
    }

    /// Does the same as [`Self::advance`], except the changes of the network at `until` itself.
    ///
    /// # Errors
    /// The same as for [`Self::advance`].
    pub fn reach(&mut self, until: Time, stop: Stop<'_>) -> Result<(), SimError> {
        self.go(until, |due| due < until, stop)
    }

    fn go(&mut self, until: Time, is_now: impl Fn(Time) -> bool, stop: Stop<'_>) -> Result<(), SimError> {
        loop {
            let due = self.next_change();
            if due == Time::MAX || !is_now(due) {
                break;
            }
            // A wall clock may call late, when the engine is already past `due`.
            let now = due.max(self.state.engine.now());
            self.move_packets(now, stop)?;
            self.change(now, stop)?;
        }
        self.move_packets(until, stop)
    }

    /// Sends commands to the sender of flow number `flow`. From now on they replace the commands of its controller.
    ///
    /// # Errors
    /// [`SimError::NoCommand`] if the flow does not have exactly one sender with a controller. Only TCP flows have one.
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

    /// Lets an endpoint act now. Callers use this after they give the endpoint data from outside.
    pub fn wake(&mut self, endpoint: usize) {
        self.state.engine.wake(endpoint);
    }

    /// Adds an endpoint that is not part of the plan, attaches it to a site, and returns its number. The endpoint first
    /// acts at its first timeout. Tables and summary have no row for it, but links count its packets.
    pub fn add_endpoint(&mut self, endpoint: AnyEndpoint, attachment: Attachment) -> usize {
        self.state.engine.add_endpoint(endpoint, attachment)
    }

    /// Returns the time of the next change of the network.
    fn next_change(&self) -> Time {
        let turn = self.state.plan.next_turn();
        self.routes.due().min(turn).min(self.breaks.due()).min(self.connections.due)
    }

    /// Returns the time of the next action of [`Self::advance`]. Until then a caller with a wall clock may sleep.
    pub fn next_moment(&mut self) -> Time {
        self.next_change().min(self.state.engine.next_event().unwrap_or(Time::MAX))
    }

    /// Performs the changes of the network that are due at or before `now`.
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

    /// Computes the next page (part of the network over time): adds links to the engine, and sets new delays and
    /// courses of existing links.
    pub(crate) fn turn_page(&mut self, now: Time, stop: Stop<'_>) -> Result<(), SimError> {
        let State { plan, engine, shared, .. } = &mut self.state;
        let Some(turned) = plan.turn(now, stop)? else { return Ok(()) };
        self.turns.push(now);
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

    /// Returns the period of the page (part of the network over time) that the last [`Self::advance`] computed; `None`
    /// if it computed none.
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

    /// Returns an error if packets and connections occupy more memory than is free now. Without this check, the
    /// operating system could kill the process. Memory runs out if a window grows without limit over an unbounded
    /// queue, or if transfers start faster than the path carries them.
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

    /// Returns the present state of the run.
    pub fn state(&self) -> &State<AnyEndpoint, O> {
        &self.state
    }

    /// Returns the present state, mutable. Callers use it to remove events and finished visits of applications from
    /// endpoints.
    pub(crate) fn state_mut(&mut self) -> &mut State<AnyEndpoint, O> {
        &mut self.state
    }

    /// Returns the engine: the present packets, links and endpoints.
    pub fn engine(&self) -> &Engine<AnyEndpoint, O> {
        &self.state.engine
    }

    /// Returns the resets of proxies with their results.
    pub(crate) fn breaks(&mut self) -> Vec<record::summary::BreakSummary> {
        std::mem::take(&mut self.breaks).finish(&mut self.state.engine)
    }

    /// Ends the run at its present time and returns the observer.
    pub fn into_observer(self) -> O {
        self.state.engine.into_observer()
    }
}
