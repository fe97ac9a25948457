// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records of a run in progress: samples at an interval, events, and packets if the scenario requests them.

use super::run::Options;
use super::taps::Marks;
use super::visits::{Progress, VisitResults, is_done, push_row};
use super::weather::{Weather, row};
use crate::state::State;
use control::{LossVerdict, Snapshot};
use engine::{Cause, Drops, NO_LINK, Observer, Packet, Slab};
use hosts::Labelled;
use hosts::meter::{DelaySum, Delays};
use hosts::{FlowEvent, FlowEventKind, FlowTotals, Metered, Transport, VisitRow};
use plan::{FlowPlan, Plan};
use record::RecordError;
use record::summary::Finding;
use record::tables::{
    EventRow, FlowRow, LinkRow, PacketRow, PacketTable, PathRow, SnapshotRow, SnapshotTable, Tables,
};
use scenario::Window;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use units::{Bytes, Rate, Span, Time};

pub mod places;

/// Writes a row for every packet in a part of the run.
#[derive(Clone, Debug)]
pub struct PacketLog {
    window: Option<Window>,
    table: PacketTable,
    /// Set if rows cannot be written. The driver of the run checks this flag, because it has no access to the log.
    failed: Arc<AtomicBool>,
}

impl PacketLog {
    /// Creates a log of the packets in `window`, which writes to `table`. With `None`, it logs nothing. The log sets
    /// `failed` if rows cannot be written.
    pub fn new(window: Option<Window>, table: PacketTable, failed: Arc<AtomicBool>) -> Self {
        Self { window, table, failed }
    }

    /// Returns the table so far.
    pub fn table(&self) -> PacketTable {
        self.table.clone()
    }

    /// Returns the complete table.
    pub fn into_table(self) -> PacketTable {
        self.table
    }

    #[inline]
    fn row<B: Labelled>(&mut self, now: Time, link: u32, packet: &Packet<B>, size: u16, event: &'static str) {
        if self.window.is_some_and(|window| (window.from..window.to).contains(&now)) {
            self.table.push_row(&PacketRow {
                time_s: now.secs_f64(),
                flow: packet.from / 2,
                link: (link != NO_LINK).then_some(link),
                sequence: packet.body.sequence(),
                kind: packet.body.kind(),
                event,
                bytes: u32::from(size),
                queued_ms: packet.queued_ns as f64 / 1e6,
            });
            if self.table.has_failed() {
                self.failed.store(true, Relaxed);
            }
        }
    }
}

impl<B: Labelled> Observer<B> for PacketLog {
    #[inline]
    fn entered(&mut self, now: Time, link: u32, packets: &Slab<B>, handle: u32, size: u16) {
        self.row(now, link, packets.get(handle), size, "enqueue");
    }
    fn dropped(&mut self, now: Time, link: u32, _: u32, packet: &Packet<B>, size: u16, cause: Cause) {
        let event = match cause {
            Cause::Queue => "drop: queue",
            Cause::Policer => "drop: policer",
            Cause::TooLarge => "drop: too large",
            Cause::Error => "drop: error",
            Cause::Listed | Cause::Switched | Cause::Gone | Cause::NoPath => "drop: outage",
        };
        self.row(now, link, packet, size, event);
    }
    #[inline]
    fn delivered(&mut self, now: Time, _: u32, packet: &Packet<B>, size: u16) {
        self.row(now, NO_LINK, packet, size, "deliver");
    }
}

/// The counters of a flow at the end of the last interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, saved::Plain)]
struct FlowMark {
    /// Whether the flow had ended: it was complete, or it was stopped and had nothing in flight.
    ended: bool,
    delivered: Bytes,
    sent_packets: u64,
    sent_bytes: u64,
    retransmitted: u64,
    dropped: Drops,
    rtt: DelaySum,
    queueing: DelaySum,
}

/// The counters of a link at the end of the last interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, saved::Plain)]
struct LinkMark {
    delivered: u64,
    dropped_queue: u64,
    dropped_error: u64,
    dropped_outage: u64,
    dropped_policer: u64,
    dropped_too_large: u64,
    bleached: u64,
    busy: Span,
}

/// The tables of one run, filled during the run.
#[derive(Clone, Debug, saved::Saved)]
pub struct Recorder {
    tables: Tables,
    /// For each flow, the results of the visits that started after the warm-up.
    felt: Vec<VisitResults>,
    /// For each flow, whether visits make progress. This includes visits in the warm-up.
    progress: Vec<Progress>,
    /// End of the warm-up. Visits that started before this time do not count.
    #[saved(fixed)]
    warm: Time,
    /// Whether the table of visits is written.
    #[saved(fixed)]
    visit_rows: bool,
    flow_marks: Vec<FlowMark>,
    /// The connections that each flow consists of.
    #[saved(fixed)]
    connections: Vec<Vec<usize>>,
    /// The parts of flows that proxies split, in the order of flows.
    parts: Vec<(usize, FlowMark)>,
    link_marks: Vec<LinkMark>,
    /// The counters of the connections of programs outside the simulator.
    tap_marks: Marks,
    /// Whether the table of weather is written.
    #[saved(fixed)]
    weathered: bool,
    /// Whether links have rows only for intervals in which packets passed or waited.
    #[saved(fixed)]
    sparse: bool,
    /// In a network without satellites: for each pair of sites that flows use, the delays in both directions in the
    /// last row.
    recorded_delays: BTreeMap<(u16, u16), Option<[Option<Span>; 2]>>,
    last: Time,
    /// Memory that samples reuse.
    #[saved(fixed)]
    snapshot: Snapshot,
}

/// Returns whether at least one packet was ever on a link.
fn carried(link: &link::Link) -> bool {
    let counters = link.counters();
    let lost = counters.dropped_queue
        + counters.policed
        + counters.too_large
        + counters.dropped_error
        + counters.dropped_outage;
    counters.delivered + lost > 0 || link.in_flight() > 0
}

impl Recorder {
    /// Creates a recorder that writes to `tables`. Visits count from `warm` on. Visits have rows if events are
    /// recorded, and the weather has rows if samples are recorded.
    pub fn new(plan: &Plan, tables: Tables, warm: Time, options: &Options) -> Self {
        Self {
            tables,
            felt: vec![VisitResults::default(); plan.whole],
            progress: vec![Progress::default(); plan.whole],
            warm,
            visit_rows: options.events,
            flow_marks: vec![FlowMark::default(); plan.whole],
            connections: (0..plan.whole).map(|flow| plan.flows[flow].connections(flow)).collect(),
            parts: plan.all_parts().map(|part| (part, FlowMark::default())).collect(),
            link_marks: vec![LinkMark::default(); plan.network.links.len()],
            tap_marks: Marks::default(),
            weathered: options.interval.is_some(),
            sparse: plan.is_constellation(),
            recorded_delays: pairs(plan).into_iter().map(|pair| (pair, None)).collect(),
            last: Time::ZERO,
            snapshot: Snapshot::new(),
        }
    }

    /// Samples every active flow and every link. A constellation has thousands of links, so only the links that carried
    /// something are sampled.
    pub fn sample<E: Metered, O: Observer<E::Body>>(&mut self, state: &mut State<E, O>) {
        let State { plan, engine, .. } = &mut *state;
        let now = engine.now();
        let interval = now.since(self.last).secs_f64();
        if interval <= 0.0 {
            return;
        }
        self.last = now;
        for (flow, mark) in self.flow_marks.iter_mut().enumerate() {
            let flow_plan = &plan.flows[flow];
            let propagation = plan.propagation_rtt(flow_plan, now);
            let measured = MeasuredFlow {
                plan: flow_plan,
                number: flow,
                name: &flow_plan.name,
                connections: &self.connections[flow],
            };
            let (row, after) = flow_row(engine.endpoints(), measured, now, interval, mark, propagation);
            if !has_row(flow_plan, now, mark, &after) {
                continue;
            }
            *mark = after;
            self.tables.flows.push_row(&row);
            let source = &engine.endpoints()[2 * flow];
            show(source, now, flow, &mut self.snapshot, &mut self.tables.snapshots);
        }
        for (part, mark) in &mut self.parts {
            let flow_plan = &plan.flows[*part];
            let propagation = plan.propagation_rtt(flow_plan, now);
            let name = flow_plan.part_name();
            let measured =
                MeasuredFlow { plan: flow_plan, number: *part, name: &name, connections: &[*part] };
            let (row, after) = flow_row(engine.endpoints(), measured, now, interval, mark, propagation);
            if !has_row(flow_plan, now, mark, &after) {
                continue;
            }
            *mark = after;
            self.tables.parts.push_row(&row);
            // The first part has the number of its flow. Its row is written with those of the flows.
            if *part >= plan.whole {
                let source = &engine.endpoints()[2 * *part];
                show(source, now, *part, &mut self.snapshot, &mut self.tables.snapshots);
            }
        }
        self.tap_marks.sample(state, interval, &mut self.tables.flows);
        let State { plan, engine, .. } = &mut *state;
        // A page may have added links.
        self.link_marks.resize(plan.network.links.len(), LinkMark::default());
        for (at, mark) in self.link_marks.iter_mut().enumerate() {
            let number = plan.engine_link(at as u32);
            let link = engine.link(number as usize);
            let counters = link.counters();
            let busy = link.busy_time(now);
            let after = LinkMark {
                delivered: counters.delivered,
                dropped_queue: counters.dropped_queue,
                dropped_error: counters.dropped_error,
                dropped_outage: counters.dropped_outage,
                dropped_policer: counters.policed,
                dropped_too_large: counters.too_large,
                bleached: counters.bleached,
                busy,
            };
            if self.sparse && after == *mark && link.in_flight() == 0 {
                continue;
            }
            self.tables.links.push_row(&LinkRow {
                time_s: now.secs_f64(),
                link: number,
                name: &plan.network.links[at].name,
                queue_packets: link.waiting_packets(now) as u64,
                queue_ms: link.backlog(now).millis_f64(),
                utilisation: busy.saturating_sub(mark.busy).secs_f64() / interval,
                delivered_packets: counters.delivered - mark.delivered,
                dropped_queue: counters.dropped_queue - mark.dropped_queue,
                dropped_error: counters.dropped_error - mark.dropped_error,
                dropped_outage: counters.dropped_outage - mark.dropped_outage,
                dropped_policer: counters.policed - mark.dropped_policer,
                dropped_too_large: counters.too_large - mark.dropped_too_large,
                bleached_packets: counters.bleached - mark.bleached,
            });
            *mark = after;
        }
        self.drain_events(state);
        self.drain_visits(state);
    }

    /// Adds the weather until now to the sums of the links, and moves the rows of links that carried something into the
    /// table. `end` is the end of the run.
    pub fn weather<E: Metered, O: Observer<E::Body>>(
        &mut self,
        state: &State<E, O>,
        weather: &mut Weather,
        end: Option<Time>,
    ) {
        let State { plan, engine, .. } = state;
        let until = end.map_or(engine.now(), |_| Time::MAX);
        weather.forget(until, end.unwrap_or(Time::MAX), |link, interval| {
            let number = plan.engine_link(link);
            if self.weathered && (!self.sparse || carried(engine.link(number as usize))) {
                let name = &plan.network.links[link as usize].name;
                self.tables.weather.push_row(&row(interval, number, name));
            }
        });
    }

    /// Moves the events of flows into their table, in order of time.
    pub fn drain_events<E: Metered, O: Observer<E::Body>>(&mut self, state: &mut State<E, O>) {
        let mut events: Vec<(u32, FlowEvent)> = Vec::new();
        let ends = 2 * state.plan.flows.len();
        for (index, endpoint) in state.engine.endpoints_mut().iter_mut().take(ends).enumerate() {
            events.extend(endpoint.take_events().into_iter().map(|event| (index as u32 / 2, event)));
        }
        events.sort_by_key(|&(flow, event)| (event.at, flow));
        for (flow, event) in events {
            self.tables.events.push_row(&event_row(flow, event));
        }
    }

    /// Moves the finished visits into their table.
    pub fn drain_visits<E: Metered, O: Observer<E::Body>>(&mut self, state: &mut State<E, O>) {
        let State { plan, engine, .. } = state;
        let now = engine.now();
        for flow in 0..self.felt.len() {
            for endpoint in ends_of(plan, flow) {
                for visit in engine.endpoints_mut()[endpoint].take_visits() {
                    self.visit(plan, flow, &visit, now);
                }
            }
        }
    }

    /// Moves all visits into their table at the end of the run, including the visits in progress.
    pub fn last_visits<E: Metered, O: Observer<E::Body>>(&mut self, state: &mut State<E, O>) {
        self.drain_visits(state);
        let State { plan, engine, .. } = &*state;
        let now = engine.now();
        for flow in 0..self.felt.len() {
            for endpoint in ends_of(plan, flow) {
                for visit in engine.endpoints()[endpoint].unfinished_visits(now) {
                    self.visit(plan, flow, &visit, now);
                }
            }
        }
    }

    fn visit(&mut self, plan: &Plan, flow: usize, visit: &VisitRow, now: Time) {
        self.progress[flow].add(visit, is_done(visit));
        if visit.began >= self.warm {
            self.felt[flow].add(visit, now);
        }
        if self.visit_rows {
            push_row(&mut self.tables.visits, flow as u32, &plan.flows[flow], visit);
        }
    }

    /// Returns the tables so far.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Returns the results of the visits of each flow.
    pub fn felt(&self) -> &[VisitResults] {
        &self.felt
    }

    /// Returns the findings about flows whose visits make no progress, at the end of the run.
    pub fn stuck(&self, plan: &Plan, end: Time) -> Vec<Finding> {
        let asked = plan.scenario.flows.iter().flat_map(|flow| (0..flow.count).map(move |_| flow));
        let plans = plan.flows.iter().zip(&self.progress).zip(asked).zip(0..);
        let of_applications = plans.filter(|(((flow_plan, _), _), _)| flow_plan.is_application());
        of_applications
            .filter_map(|(((_, progress), asked), flow)| progress.finding(flow, plan, asked, end))
            .collect()
    }

    /// Writes the paths that flows use, in both directions, over a period for which the network is computed. With
    /// satellites, there is a row at every path change and at every second. In a network without satellites, whose
    /// delays are constant or jump, a row is written only if a delay differs from its value one second before.
    pub fn paths(&mut self, plan: &Plan, over: &Range<Time>) {
        let network = &plan.network;
        let moving = plan.is_constellation();
        for path in &network.paths {
            let ends = (path.from, path.to);
            // In a plain network, all pairs of sites have a path.
            if !moving && !self.recorded_delays.contains_key(&ends) {
                continue;
            }
            let pieces = path.pieces.iter().map(|piece| piece.from).filter(|from| over.contains(from));
            let mut times: Vec<(Time, bool)> = pieces.map(|from| (from, true)).collect();
            let second = |at: Time| at.nanos().div_ceil(1_000_000_000);
            let seconds = second(over.start)..second(over.end);
            times.extend(seconds.map(|s| (Time::ZERO + Span::from_secs(s), false)));
            times.sort_by_key(|&(at, changed)| (at, !changed));
            times.dedup_by_key(|&mut (at, _)| at);
            let reverse = plan.path(path.to, path.from);
            for (at, changed) in times {
                let back = reverse.and_then(|reverse| reverse.delay(at));
                let delay = path.delay(at);
                if !moving
                    && self.recorded_delays.insert(ends, Some([delay, back])) == Some(Some([delay, back]))
                {
                    continue;
                }
                let piece = path.piece(at);
                self.tables.paths.push_row(&PathRow {
                    time_s: at.secs_f64(),
                    from: &plan.site_names[usize::from(path.from)],
                    to: &plan.site_names[usize::from(path.to)],
                    links: piece.links.len() as u32,
                    one_way_delay_ms: delay.map(Span::millis_f64),
                    propagation_rtt_ms: delay.zip(back).map(|(there, back)| (there + back).millis_f64()),
                    via: &plan.via(piece),
                    changed,
                });
            }
        }
    }

    /// Returns the time of the last sample; zero before the first sample.
    pub fn last(&self) -> Time {
        self.last
    }

    /// Returns the tables, to add rows.
    pub fn tables_mut(&mut self) -> &mut Tables {
        &mut self.tables
    }

    /// Checks that all rows so far could be written.
    ///
    /// # Errors
    /// The reason why a row could not be written.
    pub fn check(&mut self) -> Result<(), RecordError> {
        self.tables.check()
    }

    /// Returns the complete tables.
    pub fn finish(self) -> Tables {
        self.tables
    }
}

/// Returns the pairs of sites between which flows and their parts send, in both directions.
fn pairs(plan: &Plan) -> BTreeSet<(u16, u16)> {
    let whole = (0..plan.whole).map(|flow| {
        let last = plan.flows[flow].last(flow);
        (plan.flows[flow].from, plan.flows[last].to)
    });
    let parts = plan.flows.iter().map(|flow_plan| (flow_plan.from, flow_plan.to));
    whole.chain(parts).flat_map(|(from, to)| [(from, to), (to, from)]).collect()
}

/// Returns the number of the endpoint that sends the data of a flow, and of the endpoint that receives them.
fn ends_of(plan: &Plan, flow: usize) -> [usize; 2] {
    [2 * flow, 2 * plan.flows[flow].last(flow) + 1]
}

/// Records the internal values of a sender's controller.
fn show<E: Metered>(
    source: &E,
    now: Time,
    number: usize,
    snapshot: &mut Snapshot,
    table: &mut SnapshotTable,
) {
    let Some(source) = source.transport() else { return };
    snapshot.clear();
    source.snapshot(snapshot);
    for &(name, value) in &*snapshot {
        table.push_row(&SnapshotRow { time_s: now.secs_f64(), flow: number as u32, name, value });
    }
}

/// A flow, or a part of a flow.
#[derive(Clone, Copy)]
struct MeasuredFlow<'a> {
    plan: &'a FlowPlan,
    number: usize,
    name: &'a str,
    /// Numbers of the connections of which the flow consists.
    connections: &'a [usize],
}

/// Returns whether the table has a row of the flow for the interval that ends at `now`. This is so from the start of
/// the flow to its end. Later, there is a row only if a packet of the flow arrived or was dropped. Then the sum of the
/// rows equals the summary.
fn has_row(plan: &FlowPlan, now: Time, before: &FlowMark, after: &FlowMark) -> bool {
    plan.start < now && !(before.ended && before == after)
}

/// Returns whether a flow, or a part of a flow, has ended by `now`: it is complete, or it is stopped and has nothing in
/// flight.
fn has_ended<E: Metered>(
    plan: &FlowPlan,
    connections: &[usize],
    source: &E,
    whole_at: Option<Time>,
    now: Time,
) -> bool {
    let transport = source.transport();
    let completed_at =
        if connections.len() == 1 { transport.and_then(Transport::completed_at) } else { whole_at };
    let is_idle = transport.is_none_or(|transport| transport.state().in_flight_segments <= 0.0);
    completed_at.is_some() || plan.stop.is_some_and(|stop| stop < now) && is_idle && !plan.is_application()
}

/// Returns the row of a flow for the `interval` (in seconds) that ends at `now`, and the present counters of the flow.
fn flow_row<'a, E: Metered>(
    endpoints: &[E],
    measured: MeasuredFlow<'a>,
    now: Time,
    interval: f64,
    mark: &FlowMark,
    propagation: Option<Span>,
) -> (FlowRow<'a>, FlowMark) {
    let MeasuredFlow { plan, number, name, connections } = measured;
    let segment = f64::from(plan.mss);
    let last = connections.last().copied().unwrap_or(number);
    let (source, sink) = (&endpoints[2 * number], &endpoints[2 * last + 1]);
    let FlowTotals { sent: totals, received } = match connections {
        [one] => FlowTotals::of(endpoints, *one),
        several => FlowTotals::whole(several.iter().map(|&number| FlowTotals::of(endpoints, number))),
    };
    let queueing = sink.queueing().filter(|_| last == number);
    let after = FlowMark {
        ended: has_ended(plan, connections, source, received.whole_at, now),
        delivered: received.delivered,
        sent_packets: totals.sent_packets,
        sent_bytes: totals.sent_bytes,
        retransmitted: totals.retransmitted,
        dropped: totals.dropped,
        rtt: source.rtt().map(Delays::count_and_sum).unwrap_or_default(),
        queueing: queueing.map(Delays::count_and_sum).unwrap_or_default(),
    };
    let lost = |cause: Cause| after.dropped[cause as usize] - mark.dropped[cause as usize];
    let mut row = FlowRow {
        time_s: now.secs_f64(),
        flow: number as u32,
        name,
        cwnd_segments: 0.0,
        ssthresh_segments: None,
        pacing_mbit_s: None,
        in_flight_segments: 0.0,
        srtt_ms: None,
        rtt_ms: after.rtt.mean_ms_since(mark.rtt),
        propagation_rtt_ms: propagation.map(Span::millis_f64),
        queueing_delay_ms: after.queueing.mean_ms_since(mark.queueing),
        goodput_mbit_s: (after.delivered - mark.delivered).get() as f64 * 8e-6 / interval,
        throughput_mbit_s: (after.sent_bytes - mark.sent_bytes) as f64 * 8e-6 / interval,
        sent_packets: after.sent_packets - mark.sent_packets,
        retransmitted_packets: after.retransmitted - mark.retransmitted,
        lost_queue: lost(Cause::Queue),
        lost_error: lost(Cause::Error),
        lost_outage: Cause::OUTAGES.into_iter().map(lost).sum(),
        lost_policer: lost(Cause::Policer),
        lost_too_large: lost(Cause::TooLarge),
        phase: plan.kind,
    };
    if let Some(state) = source.transport().map(Transport::state) {
        row.cwnd_segments = state.cwnd.get() as f64 / segment;
        row.ssthresh_segments = state.ssthresh.map(|bytes| bytes.get() as f64 / segment);
        row.pacing_mbit_s = state.pacing.map(Rate::mbit_per_s);
        row.in_flight_segments = state.in_flight_segments;
        row.srtt_ms = state.srtt.map(Span::millis_f64);
        row.phase = state.phase;
    }
    (row, after)
}

fn event_row(flow: u32, event: FlowEvent) -> EventRow<'static> {
    let mut row = EventRow {
        time_s: event.at.secs_f64(),
        flow: Some(flow),
        link: None,
        event: "start",
        cause: None,
        verdict: None,
        before: None,
        after: None,
        detail: None,
    };
    match event.what {
        FlowEventKind::Start => {}
        FlowEventKind::Stop => row.event = "stop",
        FlowEventKind::Loss(cause, verdict) => {
            row.event = "loss";
            row.cause = Some(cause.map_or("none", Cause::name));
            row.verdict = verdict.map(|verdict| match verdict {
                LossVerdict::Congestion => "congestion",
                LossVerdict::LinkError => "link error",
            });
        }
        FlowEventKind::Marked => row.event = "mark",
        FlowEventKind::Cut(before, after) => {
            row.event = "cut";
            (row.before, row.after) = (Some(before), Some(after));
        }
        FlowEventKind::Unused(before, after) => {
            row.event = "unused";
            (row.before, row.after) = (Some(before), Some(after));
        }
        FlowEventKind::Timeout => row.event = "timeout",
        FlowEventKind::Spurious => row.event = "spurious",
        FlowEventKind::Phase(phase) => {
            row.event = "phase";
            row.detail = Some(phase);
        }
        FlowEventKind::Path => row.event = "path",
        FlowEventKind::Complete => row.event = "complete",
    }
    row
}

#[cfg(test)]
mod tests;
