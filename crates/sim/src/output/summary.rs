// SPDX-License-Identifier: MIT OR Apache-2.0
//! Computes the summary of a run. All counts start at the end of the warm-up.

use super::calls;
use super::measured::Measured;
use super::transmitter_rows::{self, Served};
use super::visits::VisitResults;
use super::weather::Weather;
use crate::state::State;
use engine::{Cause, Engine, Observer};
use hosts::meter::{Delays, OneWay};
use hosts::{FlowTotals, Metered, QUIC_LIBRARY, SourceTotals, Transport, Verdicts};
use link::{Config, Counters, Impairment, QueueLimit};
use plan::{FlowPlan, Plan, queues};
use record::summary::{
    Bottleneck, Finding, FlowSummary, LinkSummary, Losses, OutageLosses, Provenance, ProxySummary,
    QuicSummary, RequestCounts, SCHEMA_VERSION, SavedPathSummary, Summary, Totals, TransmitterSummary,
    VisitsSummary,
};
use scenario::{Scenario, Value};
use std::collections::{BTreeMap, BTreeSet};
use units::{Span, Time};

/// Name of the platform on which the transports run.
const PLATFORM: &str = "packet simulator";

/// Counters at the end of the warm-up. The summary subtracts them, which excludes the warm-up.
#[derive(Clone, Debug, Default, saved::Saved)]
pub struct Baseline {
    at: Time,
    flows: Vec<FlowBaseline>,
    links: Vec<LinkBaseline>,
    served: Served,
}

/// Counters of a link at the end of the warm-up.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
struct LinkBaseline {
    counters: Counters,
    busy: Span,
    /// Number of packets whose transmission had started, and sum of their waiting times.
    waits: (u64, u64),
}

/// Counters of a flow at the end of the warm-up.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
struct FlowBaseline {
    totals: FlowTotals,
    /// Time for which the application had limited the sender.
    app_limited: Span,
    /// Time for which the receiver's window had limited the sender; `None` if it is not measured.
    receiver_limited: Option<Span>,
    /// Requests of an application's users.
    requests: SourceTotals,
    /// The other direction of a call: data that the receiver had sent and the sender had received.
    back: FlowTotals,
}

impl Baseline {
    /// Stores the present counters, and clears the distributions of delays.
    pub fn take<E: Metered, O: Observer<E::Body>>(state: &mut State<E, O>) -> Self {
        let State { plan, engine, shared, .. } = state;
        let at = engine.now();
        for endpoint in engine.endpoints_mut() {
            endpoint.forget_delays(at);
        }
        let endpoints = engine.endpoints();
        let flows = (0..plan.flows.len()).map(|i| FlowBaseline {
            totals: FlowTotals::of(endpoints, i),
            app_limited: app_limited(&endpoints[2 * i], at),
            receiver_limited: receiver_limited(&endpoints[2 * i], at),
            requests: endpoints[2 * i + 1].requests().unwrap_or_default(),
            back: FlowTotals { sent: endpoints[2 * i + 1].totals(), received: endpoints[2 * i].received() },
        });
        let of_link = |link: &link::Link| LinkBaseline {
            counters: link.counters(),
            busy: link.busy_time(at),
            waits: link.waits_that_are_over(at),
        };
        let links = engine.links().map(of_link).collect();
        Self { at, flows: flows.collect(), links, served: shared.served(at) }
    }

    /// Returns the end of the warm-up.
    pub fn at(&self) -> Time {
        self.at
    }

    /// Returns the counters that a flow of these connections had at the end of the warm-up.
    pub fn totals(&self, connections: &[usize]) -> FlowTotals {
        FlowTotals::whole(connections.iter().map(|&number| self.flows[number].totals))
    }

    /// Returns the counters that a call had at the end of the warm-up, for each direction.
    pub fn ways(&self, flow: usize) -> [FlowTotals; 2] {
        let FlowBaseline { totals: mut there, back, .. } = self.flows[flow];
        there.sent.sent_packets -= back.sent.sent_packets;
        there.sent.dropped =
            std::array::from_fn(|cause| there.sent.dropped[cause] - back.sent.dropped[cause]);
        there.received.packets -= back.received.packets;
        [there, back]
    }

    /// Returns the requests of an application's users at the end of the warm-up, and now.
    pub fn requests<E: Metered, O: Observer<E::Body>>(
        &self,
        flow: usize,
        engine: &Engine<E, O>,
    ) -> Option<[SourceTotals; 2]> {
        Some([self.flows[flow].requests, engine.endpoints()[2 * flow + 1].requests()?])
    }

    /// Returns for how long the application has limited a flow between the end of the warm-up and `now`.
    pub fn app_limited<E: Metered, O: Observer<E::Body>>(
        &self,
        flow: usize,
        engine: &Engine<E, O>,
        now: Time,
    ) -> Span {
        app_limited(&engine.endpoints()[2 * flow], now).saturating_sub(self.flows[flow].app_limited)
    }

    /// Returns for how long the receiver's window has limited a flow between the end of the warm-up and `now`.
    fn receiver_limited<E: Metered, O: Observer<E::Body>>(
        &self,
        flow: usize,
        engine: &Engine<E, O>,
        now: Time,
    ) -> Option<Span> {
        let before = self.flows[flow].receiver_limited.unwrap_or_default();
        Some(receiver_limited(&engine.endpoints()[2 * flow], now)?.saturating_sub(before))
    }
}

/// Returns for how long the receiver's window has limited a sender until `now`.
fn receiver_limited<E: Metered>(source: &E, now: Time) -> Option<Span> {
    source.transport()?.receiver_limited_time(now)
}

/// Returns a note if queues only mark before they are full.
fn nothing_marked(plan: &Plan) -> Option<String> {
    let marks = |config: &&Config| config.spec.queue.discipline.threshold().is_some();
    let marking = plan.configs().filter(marks).count();
    let links = if marking == 1 { "1 link marks" } else { &format!("{marking} links mark") };
    (marking > 0 && !plan.flows.iter().any(|flow| flow.ecn.is_some())).then(|| {
        format!(
            "{links} packets of ECN-capable senders instead of dropping them, but no flow is ECN-capable: no packet \
             is marked, and a packet is dropped only when the queue is full"
        )
    })
}

/// Returns a note about links that randomly lose most packets: the user may have meant percent.
fn lossy(plan: &Plan, scenario: &Scenario) -> Vec<String> {
    const MOST: f64 = 0.5;
    let packet = queues::largest_packet(scenario);
    let chance_text = |config: &Config| match config.spec.loss {
        Impairment::PacketErrorRate(per) if per >= MOST => Some(format!(
            "per = {per} is a probability, so {} % of the packets are lost (for 1 % write per = 0.01)",
            units::short((1e4 * per).round() / 1e2)
        )),
        Impairment::BitErrorRate(ber) => {
            let lost = 1.0 - (1.0 - ber).powf(8.0 * packet.get() as f64);
            (lost >= MOST).then(|| {
                format!(
                    "ber = {} is a probability, so {} % of the packets of {packet} are lost (for one wrong bit in ten million write \
                     ber = 1e-7)",
                    units::short(ber),
                    units::short((1e4 * lost).round() / 1e2)
                )
            })
        }
        _ => None,
    };
    let mut links: BTreeMap<String, usize> = BTreeMap::new();
    for text in plan.configs().filter_map(chance_text) {
        *links.entry(text).or_default() += 1;
    }
    let lines = links.into_iter().map(|(text, count)| {
        let whose =
            if count == 1 { "loss of 1 link: ".to_owned() } else { format!("loss of {count} links: ") };
        whose + &text
    });
    lines.collect()
}

/// Returns notes about links that thin or compress ACKs, for flows whose ACKs the links cannot read.
fn unseen_acks(plan: &Plan) -> impl Iterator<Item = String> {
    let handles = plan.configs().any(|config| config.spec.acks.is_some());
    let flows = plan.flows.iter().filter(move |flow| handles && flow.kind == "quic");
    flows.map(|flow| {
        format!(
            "flow \"{}\" uses QUIC, so links that thin or compress ACKs do not see its acknowledgements",
            flow.name
        )
    })
}

/// Returns a note about queues that are full before they mark. If both amounts have the same unit, the check of the
/// scenario reports this. Queues that serve other packets first are excluded, because the delay in them depends on
/// these packets.
fn full_before_it_marks(plan: &Plan) -> Option<String> {
    let never = |config: &&Config| {
        let amount = |limit: QueueLimit| match limit {
            QueueLimit::Bytes(bytes) => Some(bytes.get() as f64),
            QueueLimit::Time(span) => config.spec.rate.map(|rate| rate.bytes_per_s() * span.secs_f64()),
            _ => None,
        };
        let queue = config.spec.queue;
        let above = queue.discipline.threshold_within_limit().and_then(|threshold| amount(threshold.above));
        above.zip(amount(queue.limit)).is_some_and(|(above, limit)| above >= limit)
    };
    let full = plan.configs().filter(never).count();
    let links = if full == 1 { "the queue of 1 link is" } else { &format!("the queues of {full} links are") };
    (full > 0).then(|| {
        format!(
            "{links} full before `mark_above` is reached, so no packet is marked (lower `mark_above`, or write a \
             larger limit)"
        )
    })
}

/// Returns notes about flows with ECN whose data pass no queue that marks.
fn never_marked(plan: &Plan) -> impl Iterator<Item = String> {
    let unmarked = |number, flow_plan: &FlowPlan| {
        let connections = flow_plan.connections(number).into_iter();
        let mut capable = connections.filter(|&one| plan.flows[one].ecn.is_some()).peekable();
        capable.peek().is_some() && !capable.any(|one| plan.marks(one))
    };
    let flows = plan.flows.iter().take(plan.whole).enumerate();
    let flows = flows.filter(move |(number, flow)| unmarked(*number, flow));
    flows.map(|(_, flow)| {
        format!(
            "flow \"{}\": ECN is on, but no queue on its path marks, so only losses signal congestion (to mark \
             packets, write discipline = \"codel\" or `mark_above` for a queue)",
            flow.name
        )
    })
}

/// Returns notes about flows with ECN whose data pass a middlebox that clears the ECN field.
fn bleached(plan: &Plan) -> impl Iterator<Item = String> {
    let is_bleached = |number: usize, flow: &FlowPlan| {
        let mut capable = flow.connections(number).into_iter().filter(|&one| plan.flows[one].ecn.is_some());
        capable.any(|one| plan.marks(one) && plan.bleaches(one))
    };
    let flows = plan.flows.iter().take(plan.whole).enumerate();
    let flows = flows.filter(move |&(number, flow)| is_bleached(number, flow));
    flows.map(|(_, flow)| {
        format!(
            "flow \"{}\": ECN is on, but a link on its path clears the ECN field (`ecn_bleach`). Queues behind this \
             link drop packets instead of marking them, and marks that were set before this link are lost",
            flow.name
        )
    })
}

/// Returns notes about flows with priority if no queue has priority classes.
fn goes_first_nowhere(plan: &Plan) -> impl Iterator<Item = String> {
    let knows_classes =
        |config: &Config| matches!(config.spec.queue.discipline, link::Discipline::Priority(_));
    let classes = plan.configs().any(knows_classes);
    plan.flows.iter().filter(move |flow| flow.urgent && !classes).map(|flow| {
        format!(
            "flow \"{}\" is urgent, but no queue has discipline \"priority\", so its packets wait like all others",
            flow.name
        )
    })
}

/// Returns notes about flows without ECN whose controller has a parameter for marks.
fn answers_no_mark(scenario: &Scenario) -> impl Iterator<Item = String> {
    scenario.flows.iter().filter_map(|flow| {
        let (controller, config) = flow.kind.controller().zip(flow.kind.tcp())?;
        let beta = controller.parameters.iter().find_map(|(name, value)| match value {
            Value::Number(beta) if name == "beta_ecn" => Some(beta),
            _ => None,
        });
        let beta = beta.filter(|_| config.ecn.is_none())?;
        Some(format!(
            "flow \"{}\": beta_ecn = {beta} has no effect, because the flow does not use ECN (write tcp = {{ ecn = \
             true }})",
            flow.name
        ))
    })
}

fn is_stand_in(controller: &str) -> bool {
    control::catalogue::entry(controller).is_ok_and(control::catalogue::Entry::is_stand_in)
}

/// Returns the visits of each application flow, by kind; `None` for other flows.
fn visits<E: Metered, O: Observer<E::Body>>(
    state: &State<E, O>,
    baseline: &Baseline,
    felt: &[VisitResults],
) -> Vec<Option<Box<VisitsSummary>>> {
    let State { plan, engine, .. } = state;
    let scenario = &*plan.scenario;
    let end = engine.now();
    let measured = end.since(baseline.at);
    let of_scenario = scenario.flows.iter().flat_map(|flow| (0..flow.count).map(move |_| flow));
    let each = of_scenario.zip(felt).zip(plan.flows.iter().enumerate());
    each.map(|((flow, felt), (number, flow_plan))| {
        let last = flow_plan.last(number);
        let requests = requests(&engine.endpoints()[2 * last + 1], &baseline.flows[last]);
        let (from, to) = (flow_plan.start.max(baseline.at), flow_plan.stop.unwrap_or(end).min(end));
        let open = to.max(from).since(from);
        felt.summary(scenario, flow, measured, open).map(|felt| Box::new(VisitsSummary { requests, ..felt }))
    })
    .collect()
}

/// Returns the lost packets by the categories of a summary. `lost` returns the lost packets of one cause.
pub(super) fn losses(lost: impl Fn(Cause) -> u64) -> Losses {
    Losses {
        queue: lost(Cause::Queue),
        error: lost(Cause::Error),
        outage: Cause::OUTAGES.into_iter().map(&lost).sum(),
        policer: lost(Cause::Policer),
        too_large: lost(Cause::TooLarge),
    }
}

/// Number of loss categories in a summary.
const CAUSES: usize = 5;

/// Returns the lost packets of each category, in order.
const fn by_cause(losses: &Losses) -> [u64; CAUSES] {
    let Losses { queue, error, outage, policer, too_large } = *losses;
    [queue, error, outage, policer, too_large]
}

/// Returns the requests of the users since the end of the warm-up.
fn requests<E: Metered>(users: &E, before: &FlowBaseline) -> Option<RequestCounts> {
    let (now, before) = (users.requests()?, &before.requests);
    let lost = |cause: Cause| now.dropped[cause as usize] - before.dropped[cause as usize];
    Some(RequestCounts {
        sent_packets: now.sent_packets - before.sent_packets,
        retransmitted_packets: now.retransmitted - before.retransmitted,
        losses: losses(lost),
        timeouts: now.timeouts - before.timeouts,
    })
}

/// Returns for how long the application has limited a sender until `now`.
fn app_limited<E: Metered>(source: &E, now: Time) -> Span {
    source.transport().map_or(Span::ZERO, |connection| connection.app_limited_time(now))
}

/// The rows of all flows, the rows of the parts of split flows, and for each split flow the fraction of lost packets by
/// category.
type Lines = (Vec<FlowSummary>, Vec<FlowSummary>, Vec<Option<[f64; CAUSES]>>);

fn of_flows<E: Metered, O: Observer<E::Body>>(
    state: &State<E, O>,
    baseline: &Baseline,
    felt: &[VisitResults],
) -> Lines {
    let plan = &state.plan;
    let line = |connections: &[usize]| flow_summary(state, baseline, connections, state.engine.now());
    let (mut flows, mut parts, mut lost) = (Vec::new(), Vec::new(), Vec::new());
    let visits = visits(state, baseline, felt).into_iter().chain(std::iter::repeat(None));
    for ((flow, flow_plan), visits) in plan.flows.iter().take(plan.whole).enumerate().zip(visits) {
        let its_parts: Vec<FlowSummary> = flow_plan
            .parts(flow)
            .into_iter()
            .map(|part| FlowSummary { name: plan.flows[part].part_name(), ..line(&[part]) })
            .collect();
        let shares = lost_on_the_way(&its_parts);
        let loss_ratio = shares.map(|shares| shares.iter().sum());
        flows.push(FlowSummary { visits, loss_ratio, ..line(&flow_plan.connections(flow)) });
        parts.extend(its_parts);
        lost.push(shares);
    }
    (flows, parts, lost)
}

/// Returns the bytes that each link has sent since the end of the warm-up.
fn sent_bytes<E: Metered, O: Observer<E::Body>>(
    engine: &Engine<E, O>,
    baseline: &Baseline,
    links: &[LinkSummary],
) -> Vec<u64> {
    let sent = |link: &LinkSummary| {
        let before =
            baseline.links.get(link.link as usize).map_or(0, |before| before.counters.accepted_bytes);
        engine.link(link.link as usize).counters().accepted_bytes - before
    };
    links.iter().map(sent).collect()
}

/// Returns notes about controllers that replace a controller whose paper was not available.
fn stand_ins(plan: &Plan) -> Vec<String> {
    let names: BTreeSet<&str> = plan
        .flows
        .iter()
        .filter_map(|flow| flow.controller.as_deref())
        .filter(|name| is_stand_in(name))
        .collect();
    let lines = names.iter().map(|name| {
        format!(
            "{name} replaces a controller whose paper was not available (`bentpipe controllers {name}` describes the \
             difference)"
        )
    });
    lines.collect()
}

/// Computes the summary of a finished run.
pub fn draw_up<E: Metered, O: Observer<E::Body>>(
    state: &State<E, O>,
    baseline: &Baseline,
    weather: Option<&Weather>,
    findings: Vec<Finding>,
    felt: &[VisitResults],
) -> Summary {
    let State { plan, engine, .. } = state;
    let scenario = &*plan.scenario;
    let end = engine.now();
    let (flows, parts, lost) = of_flows(state, baseline, felt);
    let network = plan.network.links.iter().enumerate();
    let network = network.map(|(link, its)| {
        let link = link as u32;
        (plan.engine_link(link) as usize, &its.name, Some(link))
    });
    let access = plan.access_links.iter().enumerate();
    let access = access.map(|(link, access)| (plan.engine_access(link), &access.name, None));
    let mut links: Vec<LinkSummary> = network
        .chain(access)
        .map(|(at, name, of_network)| {
            // A page may have added links after the end of the warm-up.
            let LinkBaseline { counters: before, busy: busy_before, waits: waits_before } =
                baseline.links.get(at).copied().unwrap_or_default();
            let link = engine.link(at);
            let counters = link.counters();
            let (begun, waited) = link.waits_that_are_over(end);
            // A packet that waited at the end of the warm-up counts, because its transmission starts later.
            let begun = begun.saturating_sub(waits_before.0);
            let waited = waited.saturating_sub(waits_before.1);
            let busy = link.busy_time(end).saturating_sub(busy_before);
            LinkSummary {
                link: at as u32,
                name: name.clone(),
                utilisation: busy.secs_f64() / end.since(baseline.at).secs_f64(),
                mean_queue_ms: (begun > 0).then(|| waited as f64 / begun as f64 / 1e6),
                delivered_packets: counters.delivered - before.delivered,
                dropped_queue: counters.dropped_queue - before.dropped_queue,
                thinned_acks: counters.thinned - before.thinned,
                dropped_error: counters.dropped_error - before.dropped_error,
                dropped_outage: counters.dropped_outage - before.dropped_outage,
                dropped_policer: link.is_policed().then(|| counters.policed - before.policed),
                dropped_too_large: link.has_mtu().then(|| counters.too_large - before.too_large),
                bleached_packets: link.bleaches().then(|| counters.bleached - before.bleached),
                budget: of_network.and_then(|link| weather?.summary(link)),
            }
        })
        .collect();
    let busiest_link = busiest(&links).cloned();
    let bytes = sent_bytes(engine, baseline, &links);
    let transmitters = transmitter_rows::summary(state, &links, &bytes, &baseline.served, baseline.at, end);
    let bottleneck = bottleneck(busiest_link.as_ref(), &transmitters);
    links.truncate(plan.network.links.len());
    if plan.is_constellation() {
        links.retain(LinkSummary::carried);
    }
    let lacking = plan.flows.iter().zip(&state.degraded).filter(|(_, signals)| !signals.is_empty());
    let degraded = lacking.map(|(flow, signals)| {
        let controller = flow.controller.as_deref().unwrap_or(flow.kind);
        format!("flow \"{}\": {controller} runs without {}", flow.name, signals.join(", "))
    });
    Summary {
        provenance: Provenance {
            bentpipe_version: env!("CARGO_PKG_VERSION").to_owned(),
            build: crate::build(),
            platform: PLATFORM.to_owned(),
            scenario_name: scenario.name.clone(),
            seed: scenario.seed,
            duration_s: scenario.duration.secs_f64(),
            warm_up_s: scenario.warm_up.secs_f64(),
            schema_version: SCHEMA_VERSION,
            degraded: degraded
                .chain(stand_ins(plan))
                .chain(nothing_marked(plan))
                .chain(queues::too_short(plan, scenario))
                .chain(full_before_it_marks(plan))
                .chain(never_marked(plan))
                .chain(bleached(plan))
                .chain(plan::wrong_sides(plan))
                .chain(goes_first_nowhere(plan))
                .chain(answers_no_mark(scenario))
                .collect(),
            path_notes: scenario
                .overloads()
                .into_iter()
                .chain(lossy(plan, scenario))
                .chain(scenario.unsplit_flows())
                .chain(scenario.rain_note())
                .chain(scenario::paced_anyway(scenario))
                .chain(unseen_acks(plan))
                .chain(weather.and_then(|weather| weather.note(plan, &links)))
                .chain(plan.network.notes.iter().cloned())
                .collect(),
            preset: scenario.origin.as_ref().map(scenario::Origin::words),
            // The caller adds identity, input files and the user's own controllers.
            ..Provenance::default()
        },
        findings,
        totals: totals(state, baseline, &flows, &lost),
        flows,
        parts,
        proxies: proxies(state),
        breaks: Vec::new(),
        bottleneck,
        busiest_link,
        transmitters,
        links,
    }
}

/// Returns the link with the highest utilisation. If several links are equal, the first one counts: links of the network
/// precede links of hosts.
fn busiest(links: &[LinkSummary]) -> Option<&LinkSummary> {
    links.iter().reduce(|best, link| if link.utilisation > best.utilisation { link } else { best })
}

/// Returns the link or shared transmitter with the highest utilisation. If several transmitters are equal, the one that
/// served longest counts.
fn bottleneck(link: Option<&LinkSummary>, transmitters: &[TransmitterSummary]) -> Option<Bottleneck> {
    let shared = transmitters.iter().reduce(|best, next| {
        if (next.utilisation, next.served_s) > (best.utilisation, best.served_s) { next } else { best }
    });
    let of_link = link.map(|link| (&link.name, "link", link.utilisation));
    let of_shared = shared.map(|one| (&one.name, one.kind.as_str(), one.utilisation));
    let highest = match (of_link, of_shared) {
        (Some(link), Some(shared)) if link.2 > shared.2 => Some(link),
        (link, shared) => shared.or(link),
    };
    highest.map(|(name, kind, utilisation)| Bottleneck {
        name: name.clone(),
        kind: Some(kind.to_owned()),
        utilisation,
    })
}

fn flow_summary<E: Metered, O: Observer<E::Body>>(
    state: &State<E, O>,
    baseline: &Baseline,
    connections: &[usize],
    end: Time,
) -> FlowSummary {
    let State { plan, engine, .. } = state;
    let (flow, last) = (connections[0], connections[connections.len() - 1]);
    let flow_plan: &FlowPlan = &plan.flows[flow];
    let (source, sink) = (&engine.endpoints()[2 * flow], &engine.endpoints()[2 * last + 1]);
    let each = || connections.iter().copied();
    let now = FlowTotals::whole(each().map(|number| FlowTotals::of(engine.endpoints(), number)));
    let before = FlowTotals::whole(each().map(|number| baseline.flows[number].totals));
    let FlowTotals { sent: totals, received } = now;
    let FlowTotals { sent: before, received: received_before } = before;
    let acknowledged_at = source.transport().and_then(Transport::completed_at);
    let is_one = last == flow;
    // Data that a proxy has acknowledged may not have arrived at the receiver yet.
    let completed_at = if is_one { acknowledged_at } else { received.whole_at };
    let measured = Measured::new(plan, connections, [baseline.at, end], completed_at, received.last_arrival);
    let active_s = measured.active().secs_f64();
    let is_known = measured.is_known();
    let rate = |bytes: u64| is_known.then(|| bytes as f64 * 8e-6 / active_s);
    let lost = |cause: Cause| totals.dropped[cause as usize] - before.dropped[cause as usize];
    let (sent, arrived) =
        (totals.sent_packets - before.sent_packets, received.packets - received_before.packets);
    // No packet of a split flow travels the whole path. The rows of its parts contain the delays.
    let one_way = sink.one_way().filter(|_| is_one);
    let (one_way, variation, jitter) = one_way.map(OneWay::distributions).unwrap_or_default();
    let senders = each().filter_map(|number| engine.endpoints()[2 * number].transport());
    let recoveries = senders.map(|connection| connection.longest_recovery(end));
    // If several recoveries are equal, the first one counts.
    let longest = recoveries.reduce(|best, next| if next.1 > best.1 { next } else { best });
    let longest = longest.filter(|(lasted, _)| *lasted > Span::ZERO);
    let call = source.call().zip(sink.call());
    let idle = |is_back| {
        // The path may not have existed at the start.
        let known = |at| plan.idle_one_way(flow, is_back, [at, end]);
        known(flow_plan.start).or_else(|| known(end)).unwrap_or_default()
    };
    FlowSummary {
        flow: flow as u32,
        name: flow_plan.name.clone(),
        kind: flow_plan.kind.to_owned(),
        controller: flow_plan.controller.clone(),
        tcp: flow_plan.tcp.clone(),
        quic: quic_summary(flow_plan, [source, sink]),
        from: plan.site_names[usize::from(flow_plan.from)].clone(),
        to: plan.site_names[usize::from(plan.flows[last].to)].clone(),
        start_s: flow_plan.start.secs_f64(),
        stop_s: flow_plan.stop.map(Time::secs_f64),
        completed_at_s: completed_at.map(Time::secs_f64),
        goodput_mbit_s: rate((received.delivered - received_before.delivered).get()),
        throughput_mbit_s: rate(totals.sent_bytes - before.sent_bytes),
        sent_packets: sent,
        delivered_packets: arrived,
        // Data sent in the warm-up may arrive after it. If more arrived than was sent since, the ratio is unknown.
        delivery_ratio: (sent > 0 && arrived <= sent && is_one && is_known)
            .then(|| arrived as f64 / sent as f64),
        retransmitted_packets: totals.retransmitted - before.retransmitted,
        probe_packets: totals.probes - before.probes,
        losses: losses(lost),
        loss_ratio: None,
        outages: Some(OutageLosses {
            switch: lost(Cause::Switched),
            link_gone: lost(Cause::Gone),
            no_path: lost(Cause::NoPath),
            listed: lost(Cause::Listed),
        })
        .filter(|outages| *outages != OutageLosses::default()),
        handovers: plan.is_constellation().then(|| handovers(state, connections, &measured)),
        losses_detected: totals.losses_detected - before.losses_detected,
        timeouts: totals.timeouts - before.timeouts,
        cuts: totals.cuts - before.cuts,
        ecn_cuts: totals.ecn_cuts - before.ecn_cuts,
        marked_packets: received.marked - received_before.marked,
        reported_marks: totals.reported_marks - before.reported_marks,
        spurious_undone: totals.undone - before.undone,
        verdicts: verdicts(&totals.verdicts, &before.verdicts),
        rtt_ms: source.rtt().and_then(Delays::distribution),
        queueing_delay_ms: sink.queueing().filter(|_| is_one).and_then(Delays::distribution),
        one_way_delay_ms: one_way,
        delay_variation_ms: variation,
        jitter_ms: jitter,
        longest_recovery_s: longest.map(|(lasted, _)| lasted.secs_f64()),
        longest_recovery_rtts: longest.map(|(_, round_trips)| round_trips),
        receiver_limited: source.transport().is_some_and(Transport::is_receiver_limited),
        app_limited_share: source.transport().filter(|_| is_known).map(|_| {
            let limited = baseline.app_limited(flow, engine, measured.to);
            (limited.secs_f64() / active_s).min(1.0)
        }),
        receiver_limited_share: baseline
            .receiver_limited(flow, engine, measured.to)
            .filter(|_| is_known && flow_plan.kind == "tcp")
            .map(|limited| (limited.secs_f64() / active_s).min(1.0)),
        saved_path: source
            .transport()
            .and_then(Transport::saved_path)
            .map(|saved| SavedPathSummary { cwnd_bytes: saved.cwnd.get(), rtt_ms: saved.rtt.millis_f64() }),
        visits: None,
        call: call
            .map(|(caller, called)| Box::new(calls::summary(caller, called, [false, true].map(idle), end))),
    }
}

/// Returns the number of handovers of the path of these connections in the measured time. A handover that affects
/// several connections counts once.
fn handovers<E: Metered, O: Observer<E::Body>>(
    state: &State<E, O>,
    connections: &[usize],
    measured: &Measured,
) -> u64 {
    let ends = connections.iter().map(|&number| (state.plan.flows[number].from, state.plan.flows[number].to));
    let times = ends.filter_map(|ends| state.handovers.get(&ends)).flatten();
    let times: BTreeSet<Time> =
        times.copied().filter(|at| (measured.from..measured.to).contains(at)).collect();
    times.len() as u64
}

/// Returns the values that only QUIC has; `None` for other flows. `ends` are the sender and the receiver.
fn quic_summary<E: Metered>(flow_plan: &FlowPlan, ends: [&E; 2]) -> Option<Box<QuicSummary>> {
    let (counts, closed) = (ends[0].quic()?, ends.into_iter().find_map(Metered::closed_by_library));
    Some(Box::new(QuicSummary {
        settings: flow_plan.quic.clone()?,
        library: QUIC_LIBRARY.to_owned(),
        handshake_s: counts.handshake.map(Span::secs_f64),
        datagram_bytes: counts.datagram,
        blocked: counts.blocked,
        persistent_congestions: counts.persistent_congestions,
        spurious_events: counts.spurious,
        closed: closed.map(|closed| closed.reason.clone()),
        closed_at_s: closed.map(|closed| closed.at.secs_f64()),
        closed_connections: closed.map_or(0, |closed| closed.connections),
    }))
}

fn verdicts(now: &Verdicts, before: &Verdicts) -> record::summary::Verdicts {
    record::summary::Verdicts {
        congestion_as_congestion: now.congestion_as_congestion - before.congestion_as_congestion,
        congestion_as_error: now.congestion_as_error - before.congestion_as_error,
        error_as_error: now.error_as_error - before.error_as_error,
        error_as_congestion: now.error_as_congestion - before.error_as_congestion,
        spurious: now.spurious - before.spurious,
    }
}

fn totals<E: Metered, O: Observer<E::Body>>(
    state: &State<E, O>,
    baseline: &Baseline,
    flows: &[FlowSummary],
    split: &[Option<[f64; CAUSES]>],
) -> Totals {
    let State { plan, engine, .. } = state;
    let sum = |of: fn(&FlowSummary) -> u64| flows.iter().map(of).sum::<u64>();
    let sent = sum(|flow| flow.sent_packets);
    // For a split flow, count the packets of its sending host that do not arrive. The product is exact below 2^53.
    let lost_of = |(flow, split): (&FlowSummary, &Option<[f64; CAUSES]>)| match split {
        Some(shares) => shares.map(|share| share * flow.sent_packets as f64),
        None => by_cause(&flow.losses).map(|count| count as f64),
    };
    let add = |sum: [f64; CAUSES], next: [f64; CAUSES]| std::array::from_fn(|cause| sum[cause] + next[cause]);
    let lost = flows.iter().zip(split).map(lost_of).fold([0.0; CAUSES], add);
    // Data sent in the warm-up may be lost after it. If more was lost than was sent since, the ratio is unknown.
    let all_lost = lost.iter().sum::<f64>();
    // Packets in flight count neither as lost nor as delivered.
    let is_any_known = all_lost > 0.0 || flows.iter().any(|flow| flow.delivered_packets > 0);
    let is_share = sent > 0 && all_lost <= sent as f64 && is_any_known;
    let ratio = |lost: f64| is_share.then(|| lost / sent as f64);
    // All flows have the same period here. A sum of rates over different periods could exceed the rate of the link.
    let measured_s = engine.now().since(baseline.at).secs_f64();
    // If a value is unknown for one flow, the sum is unknown too, except if nothing of that flow arrived.
    let is_in_it = |flow: &FlowSummary| flow.goodput_mbit_s.is_some() || flow.delivered_packets == 0;
    let is_known = measured_s > 0.0
        && flows.iter().any(|flow| flow.goodput_mbit_s.is_some())
        && flows.iter().all(is_in_it);
    let rate = |bytes: u64| is_known.then(|| bytes as f64 * 8e-6 / measured_s);
    let (mut delivered_bytes, mut sent_bytes) = (0, 0);
    let mut shares = Vec::new();
    let mut tcp_flows = 0;
    for (flow, flow_plan) in plan.flows.iter().enumerate() {
        let before = &baseline.flows[flow];
        let now = FlowTotals::of(engine.endpoints(), flow);
        if flow < plan.whole {
            // The first connection of a flow, on which its host sends.
            sent_bytes += now.sent.sent_bytes - before.totals.sent.sent_bytes;
        }
        if flow_plan.last(flow) == flow {
            // The last connection of a flow, which ends at the receiver.
            delivered_bytes += (now.received.delivered - before.totals.received.delivered).get();
        }
        if let Some(flow) = flows.get(flow).filter(|_| flow_plan.kind == "tcp") {
            shares.extend(flow.goodput_mbit_s);
            tcp_flows += 1;
        }
    }
    // Jain, Chiu, Hawe 1984: (sum x)^2 / (n sum x^2). The index is not defined for a single flow.
    let is_alone = shares.len() < 2 && tcp_flows > 1;
    let squares: f64 = shares.iter().map(|x| x * x).sum();
    let jain = (squares > 0.0 && !is_alone)
        .then(|| shares.iter().sum::<f64>().powi(2) / (shares.len() as f64 * squares));
    Totals {
        delivered_mbit_s: rate(delivered_bytes),
        sent_mbit_s: rate(sent_bytes),
        sent_packets: sent,
        delivered_packets: sum(|flow| flow.delivered_packets),
        loss_ratio: ratio(lost.iter().sum()),
        loss_ratio_queue: ratio(lost[0]),
        loss_ratio_error: ratio(lost[1]),
        loss_ratio_outage: ratio(lost[2]),
        loss_ratio_policer: ratio(lost[3]).filter(|_| plan.polices()),
        loss_ratio_too_large: ratio(lost[4]).filter(|_| plan.has_mtus()),
        jain_index: jain,
        events: engine.ledger().events,
        packet_hops: engine.ledger().hops,
    }
}

/// Returns the results of the proxies, in the order of flows and of their path.
fn proxies<E: Metered, O: Observer<E::Body>>(state: &State<E, O>) -> Vec<ProxySummary> {
    let State { plan, engine, .. } = state;
    let flows = plan.flows.iter().enumerate();
    let parts =
        flows.flat_map(|(number, flow)| flow.parts(number).into_iter().map(move |part| (number, flow, part)));
    let proxies = parts.filter_map(|(number, flow, part)| {
        let proxy = plan.flows[part].part.as_ref()?.proxy?;
        let held = engine.endpoints()[2 * part + 1].held().unwrap_or_default();
        Some(ProxySummary {
            flow: number as u32,
            name: flow.name.clone(),
            at: plan.site_names[usize::from(proxy.at)].clone(),
            buffer_bytes: proxy.buffer.get(),
            most_held_bytes: held.most_of_one.get(),
            most_held_total_bytes: held.most.get(),
            held_at_end_bytes: held.now.get(),
            most_held_by_all_flows_bytes: None,
        })
    });
    proxies.collect()
}

/// Returns the fraction of a split flow's packets that are lost between its hosts, for each category in the order of
/// [`by_cause`]. A packet can be lost on a part only if it passed the parts before. Therefore the sum over all
/// categories is 1 - prod(1 - lost / sent), with the product over all parts. `None` if the sending host sent nothing,
/// or if a part lost more packets than it sent (it then also lost packets of the warm-up).
fn lost_on_the_way(parts: &[FlowSummary]) -> Option<[f64; CAUSES]> {
    parts.first().filter(|part| part.sent_packets > 0)?;
    let (mut passed, mut lost) = (1.0, [0.0; CAUSES]);
    for part in parts.iter().filter(|part| part.sent_packets > 0) {
        if by_cause(&part.losses).iter().sum::<u64>() > part.sent_packets {
            return None;
        }
        let here = by_cause(&part.losses).map(|count| count as f64 / part.sent_packets as f64);
        lost = std::array::from_fn(|cause| lost[cause] + passed * here[cause]);
        passed *= 1.0 - here.iter().sum::<f64>();
    }
    Some(lost)
}
