// SPDX-License-Identifier: MIT OR Apache-2.0
//! Proxies that lose their state, and the consequences (RFC 3135, sections 4.1.2 and 4.1.3). Such a proxy has
//! acknowledged data that no other host will deliver.
//!
//! - At the time of the loss, both connections end at the proxy. Data in its buffer are lost. Data that left the proxy
//!   before still arrive.
//! - A reset reaches the sending host after the propagation delay from the proxy. The reset is not modelled as a
//!   packet: it is never lost and never waits in a queue. It also ends the connections of proxies on its path.
//! - After the further time `retry`, the application learns from the receiver, without delay, which data arrived in
//!   order. It then sends the rest over new connections. Data of the old connections that arrive later are ignored.
//! - All connections of an application through the proxy are reset. The reset reaches users and servers after the
//!   propagation delay from the proxy. Users then request incomplete answers again (`traffic::Model::retrying`).
//!
//! A proxy at a gateway moves when the path changes to another gateway. Depending on the scenario, it either loses its
//! state, with the consequences above, or keeps its state and is absent for a time.
//!
//! A proxy at a gateway has two sites in the engine, which are not destinations of the scenario (see
//! `topology::gates`). The connections of an application that were reset are discarded by number: at the proxy at once,
//! at users and servers when the reset reaches them.

use engine::{Engine, Observer};
use hosts::AnyBody;
use hosts::application::free_connections;
use hosts::{AnyEndpoint, Metered, Relay, Resettable, Servers, Users};
use plan::{GateSwitch, Plan};
use record::summary::BreakSummary;
use scenario::{FlowKind, OnHandover, Pep};
use std::collections::BTreeMap;
use tcp::Transfer;
use units::{Bytes, Span, Time};

/// Order of actions that are due at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, saved::Plain)]
enum Rank {
    Reset,
    HandOver,
    Follows,
}

/// An action. Flows are given as indices into [`Resets::flows`], proxies as indices into [`Watched::proxies`].
#[derive(Clone, Copy, Debug, saved::Plain)]
enum Act {
    /// A proxy loses its state.
    Reset(usize, usize),
    /// The path through the gate with this index now uses the gateway at this node.
    HandOver(usize, u32),
    /// A proxy works again at its new site.
    Arrive(usize, usize),
    /// The reset reaches the sending host.
    SenderReset(usize),
    /// The application starts again.
    Again(usize),
    /// The reset reaches the servers (or the users) of an application. The index is that of the row in
    /// [`Resets::rows`].
    ServersReset(usize),
    UsersReset(usize),
}

/// A proxy of a flow.
#[derive(Clone, Debug)]
struct FlowProxy {
    at: String,
    retry: Option<Span>,
    /// Index of its gate, and the effect of a handover at this gate; `None` if the proxy is not at a gateway.
    gate: Option<(usize, OnHandover)>,
}

/// A flow whose proxies can lose their state.
#[derive(Clone, Debug, saved::Saved)]
struct Watched {
    #[saved(fixed)]
    flow: usize,
    /// Indices of its connections in the plan.
    #[saved(fixed)]
    parts: Vec<usize>,
    #[saved(fixed)]
    proxies: Vec<FlowProxy>,
    /// Data that remain to be sent; `None` for an application.
    transfer: Option<Transfer>,
    stop: Option<Time>,
    /// The proxy that reset the flow, until the application starts again.
    broken: Option<usize>,
}

/// Planned and past resets.
#[derive(Clone, Debug, Default, saved::Saved)]
pub(crate) struct Resets {
    #[saved(each)]
    flows: Vec<Watched>,
    /// Actions, sorted by time, rank and order of insertion.
    acts: BTreeMap<(Time, Rank, u64), Act>,
    order: u64,
    rows: Vec<Row>,
}

#[derive(Clone, Debug, saved::Plain)]
struct Row {
    watched: usize,
    /// Number of the connection that replaces the one that was reset.
    connection: u32,
    summary: BreakSummary,
    /// Whether the number of lost bytes is final.
    settled: bool,
    /// For an application: the connections that were reset, until the reset has reached all hosts.
    lost: Option<Lost>,
}

/// Connections of an application that were reset.
#[derive(Clone, Debug, saved::Plain)]
struct Lost {
    proxy: usize,
    numbers: Vec<u32>,
    /// For each connection, the bytes of answers that the proxy had accepted.
    took: Vec<u64>,
    /// Whether the reset has reached one side (servers or users).
    half: bool,
}

fn end<O>(engine: &mut Engine<AnyEndpoint, O>, number: usize) -> &mut Resettable
where
    O: Observer<AnyBody>,
{
    match &mut engine.endpoints_mut()[number] {
        AnyEndpoint::Resettable(end) => end,
        _ => unreachable!("its flow can be reset"),
    }
}

macro_rules! ends_of_applications {
    ($($name:ident: $kind:ident),+) => {
        $(fn $name<O: Observer<AnyBody>>(engine: &mut Engine<AnyEndpoint, O>, number: usize) -> &mut $kind {
            match &mut engine.endpoints_mut()[number] {
                AnyEndpoint::$kind(end) => end,
                _ => unreachable!("it is an application"),
            }
        })+
    };
}

ends_of_applications! { relay: Relay, servers: Servers, users: Users }

/// Returns the number of the endpoint that sends on a connection.
const fn source(part: usize) -> usize {
    2 * part
}

/// Returns the number of the endpoint that receives on a connection.
const fn sink(part: usize) -> usize {
    2 * part + 1
}

/// Returns the time that a reset takes over these connections in sequence: half the sum of their round-trip times.
fn way(parts: &[usize], plan: &Plan, now: Time) -> Span {
    let trips = parts.iter().filter_map(|&part| plan.propagation_rtt(&plan.flows[part], now));
    trips.fold(Span::ZERO, |sum, rtt| sum + rtt) / 2
}

impl Resets {
    /// Creates the planned actions of a scenario's proxies.
    pub fn new(plan: &Plan) -> Self {
        let scenario = &plan.scenario;
        let mut breaks = Self::default();
        let flows = scenario.flows.iter().flat_map(|flow| (0..flow.count).map(move |index| (flow, index)));
        for (number, (flow, index)) in flows.enumerate() {
            let proxies = scenario.proxies(flow, index);
            let transfer = match flow.kind {
                FlowKind::Tcp { transfer, .. } => Some(transfer),
                _ => None,
            };
            if !proxies.iter().any(|(pep, _)| pep.may_lose_state(&scenario.network)) {
                continue;
            }
            let its = &plan.flows[number];
            let parts = its.parts(number);
            let ends = (its.from, plan.flows[its.last(number)].to);
            let gate = plan.gates.iter().position(|gate| gate.ends == ends);
            let place = breaks.flows.len();
            for (proxy, (pep, _)) in proxies.iter().enumerate() {
                for &at in &pep.resets {
                    breaks.put(at, Rank::Reset, Act::Reset(place, proxy));
                }
            }
            let proxy = |(pep, at): (&Pep, String)| {
                let gate = gate.filter(|_| at == Pep::GATEWAY).map(|gate| (gate, pep.on_handover));
                FlowProxy { at, retry: pep.retry, gate }
            };
            let proxies = proxies.into_iter().map(proxy).collect();
            breaks.flows.push(Watched {
                flow: number,
                parts,
                proxies,
                transfer,
                stop: its.stop,
                broken: None,
            });
        }
        breaks
    }

    /// Adds changes of gateways.
    pub fn look_ahead(&mut self, turns: Vec<GateSwitch>) {
        for GateSwitch { at, gate, node } in turns {
            self.put(at, Rank::HandOver, Act::HandOver(gate, node));
        }
    }

    /// Returns the time of the next action; [`Time::MAX`] if there is none.
    pub fn due(&self) -> Time {
        self.acts.first_key_value().map_or(Time::MAX, |(&(at, ..), _)| at)
    }

    /// Performs the actions that are due at or before `now`.
    pub fn act_until<O>(&mut self, now: Time, plan: &Plan, engine: &mut Engine<AnyEndpoint, O>)
    where
        O: Observer<AnyBody>,
    {
        while let Some(first) = self.acts.first_entry().filter(|first| first.key().0 <= now) {
            let act = first.remove();
            self.act(now, act, plan, engine);
        }
    }

    fn put(&mut self, at: Time, rank: Rank, act: Act) {
        self.order += 1;
        self.acts.insert((at, rank, self.order), act);
    }

    fn act<O>(&mut self, now: Time, act: Act, plan: &Plan, engine: &mut Engine<AnyEndpoint, O>)
    where
        O: Observer<AnyBody>,
    {
        match act {
            Act::Reset(watched, proxy) => self.lose(watched, proxy, "reset", plan, engine),
            Act::HandOver(gate, node) => self.hand_over(now, gate, node, plan, engine),
            Act::Arrive(watched, proxy) => {
                for number in self.ends_at(watched, proxy) {
                    match self.flows[watched].transfer {
                        Some(_) => end(engine, number).arrive(now),
                        None => relay(engine, number).arrive(now),
                    }
                    engine.wake(number);
                }
            }
            Act::ServersReset(row) => self.tell_servers(row, engine),
            Act::UsersReset(row) => self.tell_users(now, row, engine),
            Act::SenderReset(watched) => self.tell(now, watched, engine),
            Act::Again(watched) => self.begin_anew(now, watched, plan, engine),
        }
    }

    /// Returns the two endpoints at a proxy: first the receiver of the connection before it, then the sender of the
    /// connection behind it.
    fn ends_at(&self, watched: usize, proxy: usize) -> [usize; 2] {
        let parts = &self.flows[watched].parts;
        [sink(parts[proxy]), source(parts[proxy + 1])]
    }

    fn hand_over<O>(
        &mut self,
        now: Time,
        gate: usize,
        node: u32,
        plan: &Plan,
        engine: &mut Engine<AnyEndpoint, O>,
    ) where
        O: Observer<AnyBody>,
    {
        engine.move_site(plan.gates[gate].arrive, node);
        engine.move_site(plan.gates[gate].leave, node);
        for watched in 0..self.flows.len() {
            for proxy in 0..self.flows[watched].proxies.len() {
                match self.flows[watched].proxies[proxy].gate.filter(|&(of, _)| of == gate) {
                    Some((_, OnHandover::Reset)) => self.lose(watched, proxy, "handover", plan, engine),
                    Some((_, OnHandover::Move(time))) => {
                        for number in self.ends_at(watched, proxy) {
                            match self.flows[watched].transfer {
                                Some(_) => end(engine, number).leave(now + time),
                                None => relay(engine, number).leave(now + time),
                            }
                            engine.wake(number);
                        }
                        self.put(now + time, Rank::Follows, Act::Arrive(watched, proxy));
                    }
                    None => {}
                }
            }
        }
    }

    /// Removes the state of a proxy. If no transfer is in progress, the proxy has no state.
    fn lose<O>(
        &mut self,
        place: usize,
        proxy: usize,
        cause: &str,
        plan: &Plan,
        engine: &mut Engine<AnyEndpoint, O>,
    ) where
        O: Observer<AnyBody>,
    {
        let now = engine.now();
        let watched = &self.flows[place];
        if watched.transfer.is_none() {
            self.lose_many(place, proxy, cause, plan, engine);
            return;
        }
        let (first, last) = (source(watched.parts[0]), sink(watched.parts[watched.parts.len() - 1]));
        if !end(engine, first).is_started() || end(engine, last).is_whole() {
            return;
        }
        let ends = self.ends_at(place, proxy);
        let held = end(engine, ends[0]).held().map_or(0, |held| held.now.get());
        for number in ends {
            end(engine, number).end();
            engine.wake(number);
        }
        if watched.broken.is_some() {
            // The transfer is already reset, so the data that this proxy holds are lost as well.
            if let Some(row) = self.rows.iter_mut().rev().find(|row| row.watched == place) {
                row.summary.held_bytes += held;
            }
            return;
        }
        self.note_silence(place, engine);
        let connection = end(engine, last).connection() + 1;
        let watched = &mut self.flows[place];
        watched.broken = Some(proxy);
        // Propagation time from the proxy to the sending host.
        let due = now + way(&watched.parts[..=proxy], plan, now);
        self.rows.push(Row {
            watched: place,
            connection,
            summary: BreakSummary {
                flow: watched.flow as u32,
                name: plan.flows[watched.flow].name.clone(),
                at: watched.proxies[proxy].at.clone(),
                cause: cause.to_owned(),
                time_s: now.secs_f64(),
                held_bytes: held,
                lost_bytes: 0,
                again_s: None,
                silent_s: None,
                connections: None,
            },
            settled: false,
            lost: None,
        });
        self.put(due, Rank::Follows, Act::SenderReset(place));
    }

    /// Removes the state of a proxy for all connections of an application.
    fn lose_many<O>(
        &mut self,
        place: usize,
        proxy: usize,
        cause: &str,
        plan: &Plan,
        engine: &mut Engine<AnyEndpoint, O>,
    ) where
        O: Observer<AnyBody>,
    {
        let now = engine.now();
        // First free the connections whose data all users have: their data are not lost.
        let hosts: Vec<usize> =
            self.flows[place].parts.iter().flat_map(|&part| [source(part), sink(part)]).collect();
        free_connections(engine.endpoints_mut(), &hosts);
        let ends = self.ends_at(place, proxy);
        let held = relay(engine, ends[0]).held().map_or(0, |held| held.now.get());
        let mut lost: BTreeMap<u32, u64> = BTreeMap::new();
        for number in ends {
            for (connection, took) in relay(engine, number).lose_all() {
                let known = lost.entry(connection).or_default();
                *known = took.max(*known);
            }
            engine.wake(number);
        }
        if lost.is_empty() {
            return;
        }
        let (row, watched) = (self.rows.len(), &self.flows[place]);
        let (before, behind) = watched.parts.split_at(proxy + 1);
        let due = [way(before, plan, now), way(behind, plan, now)].map(|way| now + way);
        self.rows.push(Row {
            watched: place,
            connection: 0,
            summary: BreakSummary {
                flow: watched.flow as u32,
                name: plan.flows[watched.flow].name.clone(),
                at: watched.proxies[proxy].at.clone(),
                cause: cause.to_owned(),
                time_s: now.secs_f64(),
                held_bytes: held,
                lost_bytes: 0,
                again_s: None,
                silent_s: None,
                connections: Some(lost.len() as u64),
            },
            settled: false,
            lost: Some(Lost {
                proxy,
                numbers: lost.keys().copied().collect(),
                took: lost.into_values().collect(),
                half: false,
            }),
        });
        self.put(due[0], Rank::Follows, Act::ServersReset(row));
        self.put(due[1], Rank::Follows, Act::UsersReset(row));
    }

    /// Reports a reset to the servers of an application. The reset passes the proxies between the servers and the proxy
    /// that lost its state.
    fn tell_servers<O>(&mut self, row: usize, engine: &mut Engine<AnyEndpoint, O>)
    where
        O: Observer<AnyBody>,
    {
        let Some(lost) = self.rows[row].lost.clone() else { return };
        let place = self.rows[row].watched;
        for number in (0..lost.proxy).flat_map(|proxy| self.ends_at(place, proxy)) {
            relay(engine, number).lose(&lost.numbers);
            engine.wake(number);
        }
        let first = source(self.flows[place].parts[0]);
        servers(engine, first).lose(&lost.numbers);
        engine.wake(first);
        self.tell_half(row);
    }

    /// The reset reaches the users of an application. Users with incomplete answers request them again after the wait.
    fn tell_users<O>(&mut self, now: Time, row: usize, engine: &mut Engine<AnyEndpoint, O>)
    where
        O: Observer<AnyBody>,
    {
        let Some(lost) = self.rows[row].lost.clone() else { return };
        let place = self.rows[row].watched;
        let proxies = self.flows[place].proxies.len();
        for number in (lost.proxy + 1..proxies).flat_map(|proxy| self.ends_at(place, proxy)) {
            relay(engine, number).lose(&lost.numbers);
            engine.wake(number);
        }
        let Watched { parts, proxies, .. } = &self.flows[place];
        let last = sink(parts[parts.len() - 1]);
        // Applications always try again: the checks of scenarios refuse applications at proxies without `retry`.
        let wait = proxies[lost.proxy].retry.unwrap_or(Pep::RETRY);
        let missing = lost.numbers.iter().zip(&lost.took).map(|(&number, took)| {
            users(engine, last).brought(number).map_or(0, |brought| took.saturating_sub(brought))
        });
        let missing = missing.sum();
        let needed = users(engine, last).lose(now, &lost.numbers, wait);
        engine.wake(last);
        let summary = &mut self.rows[row].summary;
        (summary.lost_bytes, summary.again_s) = (missing, needed.then(|| (now + wait).secs_f64()));
        self.tell_half(row);
    }

    /// Records that the reset has reached one side. When it has reached both sides, the connections are discarded.
    fn tell_half(&mut self, row: usize) {
        let Some(lost) = &mut self.rows[row].lost else { return };
        if std::mem::replace(&mut lost.half, true) {
            self.rows[row].lost = None;
        }
    }

    /// Reports a reset to the sending host. The reset passes the proxies between this host and the proxy that lost its
    /// state.
    fn tell<O>(&mut self, now: Time, place: usize, engine: &mut Engine<AnyEndpoint, O>)
    where
        O: Observer<AnyBody>,
    {
        let Watched { broken: Some(proxy), parts, proxies, stop, .. } = &self.flows[place] else { return };
        for &part in &parts[..=*proxy] {
            for number in [source(part), sink(part)] {
                end(engine, number).end();
                engine.wake(number);
            }
        }
        let again = proxies[*proxy].retry.map(|wait| now + wait);
        if let Some(again) = again.filter(|again| stop.is_none_or(|stop| *again < stop)) {
            self.put(again, Rank::Follows, Act::Again(place));
        }
    }

    fn begin_anew<O>(&mut self, now: Time, place: usize, plan: &Plan, engine: &mut Engine<AnyEndpoint, O>)
    where
        O: Observer<AnyBody>,
    {
        self.settle(place, engine);
        let watched = &mut self.flows[place];
        let last = sink(watched.parts[watched.parts.len() - 1]);
        let brought = end(engine, last).delivered_bytes();
        if end(engine, last).is_whole() {
            // The rest of the data had left the proxy before the reset, and has arrived.
            return;
        }
        let Some(transfer) = &mut watched.transfer else { return };
        if let Transfer::Finite(bytes) = transfer {
            *bytes = Bytes::new(bytes.get() - brought);
        }
        let transfer = *transfer;
        watched.broken = None;
        for (at, &part) in watched.parts.iter().enumerate() {
            // A proxy opens its connection when the connection before it is set up.
            let start = if at > 0 && plan.flows[part].handshake { Time::MAX } else { now };
            end(engine, source(part)).again(now, transfer, start);
            end(engine, sink(part)).again(now, transfer, start);
        }
        for &part in &watched.parts {
            engine.wake(sink(part));
            engine.wake(source(part));
        }
        if let Some(row) = self.rows.iter_mut().rev().find(|row| row.watched == place) {
            row.summary.again_s = Some(now.secs_f64());
        }
    }

    /// Computes the lost bytes of the reset connections. From now on, none of their data can arrive.
    fn settle<O>(&mut self, place: usize, engine: &mut Engine<AnyEndpoint, O>)
    where
        O: Observer<AnyBody>,
    {
        let parts = &self.flows[place].parts;
        let taken = end(engine, sink(parts[0])).delivered_bytes();
        let brought = end(engine, sink(parts[parts.len() - 1])).delivered_bytes();
        if let Some(row) = self.rows.iter_mut().rev().find(|row| row.watched == place && !row.settled) {
            row.summary.lost_bytes = taken - brought;
            row.settled = true;
        }
    }

    /// Records how long the receiver received nothing after the last reset of its flow.
    fn note_silence<O>(&mut self, place: usize, engine: &mut Engine<AnyEndpoint, O>)
    where
        O: Observer<AnyBody>,
    {
        let parts = &self.flows[place].parts;
        let last = end(engine, sink(parts[parts.len() - 1]));
        let (connection, first) = (last.connection(), last.first_byte());
        let Some(row) = self.rows.iter_mut().rev().find(|row| row.watched == place) else { return };
        if row.connection == connection {
            row.summary.silent_s = first.map(|at| at.secs_f64() - row.summary.time_s);
        }
    }

    /// Returns all resets with their results, at the end of a run.
    pub fn finish<O>(mut self, engine: &mut Engine<AnyEndpoint, O>) -> Vec<BreakSummary>
    where
        O: Observer<AnyBody>,
    {
        for place in 0..self.flows.len() {
            if self.flows[place].transfer.is_none() {
                continue;
            }
            if self.flows[place].broken.is_some() {
                self.settle(place, engine);
            }
            self.note_silence(place, engine);
        }
        self.rows.into_iter().map(|row| row.summary).collect()
    }
}
