// SPDX-License-Identifier: MIT OR Apache-2.0
//! For how long a flow is measured, whether that says anything about it, and what to change if it does not. The rules are
//! those of [`record::summary`].

use super::guard::in_words;
use crate::state::State;
use engine::{Cause, Engine, Observer};
use hosts::{FlowTotals, Metered, Transport};
use plan::{FlowPlan, Plan};
use record::summary::{Finding, FindingKind};
use units::{Rate, Span, Time};

/// Fewer round trips than these are told of.
const ROUND_TRIPS: u64 = 10;

/// The part of a run in which a flow is measured.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// From the end of the warm-up, or from its start.
    pub from: Time,
    /// Until it was complete, its last packet had arrived after its stop, or the run ended.
    pub to: Time,
    /// Whether all of the flow is in it: nothing can be cut off.
    whole: bool,
    round_trip: RoundTrip,
}

/// A base round trip of a flow: propagation, and one packet on the narrowest link of each connection.
#[derive(Clone, Copy, Debug, Default)]
struct RoundTrip {
    whole: Span,
    /// Of it the packets, and the rate of the slowest link.
    packets: Span,
    slowest: Option<Rate>,
}

impl RoundTrip {
    fn of(plan: &Plan, connections: &[usize], from: Time, to: Time) -> Self {
        let mut sum = Self::default();
        for &number in connections {
            // A path that is gone at the end may have been there before.
            let at = [to, from].into_iter().find(|&at| plan.idle_rtt(number, at).is_some());
            let Some((at, rtt)) = at.and_then(|at| Some((at, plan.idle_rtt(number, at)?))) else { continue };
            sum.whole = sum.whole + rtt;
            let Some(capacity) = plan.capacity(number, from.min(at), at) else { continue };
            let packet = f64::from(plan.flows[number].mss) / capacity.rate.bytes_per_s();
            let packet = Span::from_secs_f64(packet);
            sum.packets = sum.packets + packet;
            sum.whole = sum.whole + packet;
            sum.slowest = Some(sum.slowest.map_or(capacity.rate, |slowest| slowest.min(capacity.rate)));
        }
        sum
    }
}

impl Measured {
    /// Of a flow, or a part of one, that consists of these connections, in a run of which everything before `since` is
    /// left out and that ends at `end`. `completed_at` is when it had delivered everything, `last_arrival` when its last
    /// packet came so far.
    pub fn new(
        plan: &Plan,
        connections: &[usize],
        [since, end]: [Time; 2],
        completed_at: Option<Time>,
        last_arrival: Time,
    ) -> Self {
        let flow: &FlowPlan = &plan.flows[connections[0]];
        let from = since.max(flow.start);
        // A stopped flow is active until its last packet has arrived.
        let stopped = flow.stop.map(|stop| stop.max(last_arrival));
        let to = completed_at.or(stopped).unwrap_or(end).min(end);
        let round_trip = RoundTrip::of(plan, connections, from, to.max(from));
        // What was sent last before a stop has to arrive.
        let all_arrived = flow.stop.is_some_and(|stop| end.since(stop) >= round_trip.whole && stop < end);
        let whole = flow.start >= since && (completed_at.is_some() || all_arrived);
        Self { from, to, whole, round_trip }
    }

    /// For how long.
    pub fn active(&self) -> Span {
        self.to.since(self.from)
    }

    /// Whether rates and shares over this time are known.
    pub fn is_known(&self) -> bool {
        let active = self.active();
        active > Span::ZERO && (self.whole || active >= self.round_trip.whole)
    }
}

/// What is to be said of flows that were measured for too short a time, or of which nothing arrived. `others` are the
/// findings that there are already, which may say why.
pub fn findings<E: Metered, O: Observer<E::Body>>(
    state: &State<E, O>,
    since: Time,
    others: &[Finding],
) -> Vec<Finding> {
    let State { plan, engine, .. } = state;
    let one = |(flow, flow_plan): (usize, &FlowPlan)| {
        let (kind, measured, magnitude, text) = judge(plan, engine, flow, flow_plan, since, others)?;
        let controller = flow_plan.controller.as_deref().unwrap_or(flow_plan.kind);
        Some(Finding {
            flow: flow as u32,
            kind,
            since_s: measured.from.secs_f64(),
            lasted_s: measured.active().secs_f64(),
            magnitude,
            text: format!("flow \"{}\" ({controller}): {text}", flow_plan.name),
        })
    };
    plan.flows.iter().take(plan.whole).enumerate().filter_map(one).collect()
}

type Judged = (FindingKind, Measured, f64, String);

fn judge<E: Metered, O: Observer<E::Body>>(
    plan: &Plan,
    engine: &Engine<E, O>,
    flow: usize,
    flow_plan: &FlowPlan,
    since: Time,
    others: &[Finding],
) -> Option<Judged> {
    let end = engine.now();
    let connections = flow_plan.connections(flow);
    let totals =
        FlowTotals::whole(connections.iter().map(|&number| FlowTotals::of(engine.endpoints(), number)));
    let acknowledged_at = engine.endpoints()[2 * flow].transport().and_then(Transport::completed_at);
    let completed_at = if connections.len() == 1 { acknowledged_at } else { totals.received.whole_at };
    let measured =
        Measured::new(plan, &connections, [since, end], completed_at, totals.received.last_arrival);
    let active = measured.active();
    let round_trips = active.secs_f64() / measured.round_trip.whole.secs_f64().max(1e-9);
    let start = flow_plan.start;
    if start >= end {
        let text = format!(
            "it starts at {:.3} s, and the run ends at {:.3} s: it never sent anything (write an earlier `start`, a shorter \
             `stagger`, or a longer `duration`)",
            start.secs_f64(),
            end.secs_f64()
        );
        let measured = Measured { from: start, to: start, ..measured };
        return Some((FindingKind::NeverStarted, measured, 0.0, text));
    }
    if active == Span::ZERO {
        let (how, fix) = match completed_at {
            Some(_) => ("done", "a larger `size`"),
            None => ("stopped", "a later `stop`"),
        };
        let text = format!(
            "it was {how} at {:.3} s, within the warm-up of {:.3} s: nothing of it is measured (write a shorter `warm_up`, \
             {fix} or a later `start`)",
            measured.to.secs_f64(),
            since.secs_f64()
        );
        let measured = Measured { from: start, ..measured };
        return Some((FindingKind::NothingMeasured, measured, 0.0, text));
    }
    if !measured.whole && round_trips < ROUND_TRIPS as f64 {
        return Some((
            FindingKind::TooShort,
            measured,
            round_trips,
            measured.too_short(flow_plan, since, end),
        ));
    }
    let is_told =
        |finding: &Finding| finding.flow as usize == flow && finding.kind == FindingKind::NotConnected;
    if totals.received.delivered.get() > 0 || flow_plan.is_application() || others.iter().any(is_told) {
        return None;
    }
    let text = nothing_came(&totals);
    let all = Measured { from: start, ..measured };
    Some((FindingKind::NothingDelivered, all, totals.sent.sent_packets as f64, text))
}

impl Measured {
    /// What is to be said of a flow that was measured for few round trips.
    fn too_short(&self, flow_plan: &FlowPlan, since: Time, end: Time) -> String {
        let RoundTrip { whole, packets, slowest } = self.round_trip;
        let active = self.active();
        let round_trips = active.secs_f64() / whole.secs_f64();
        let packet = slowest
            .filter(|_| packets.secs_f64() > 0.5 * whole.secs_f64())
            .map(|rate| format!(", of which one packet takes {} at {rate}", in_words(packets)));
        let share = if round_trips < 0.1 { "less than 0.1".to_owned() } else { format!("{round_trips:.1}") };
        let what = if self.is_known() {
            "its numbers are those of how it began or ended"
        } else {
            "its rates are not known"
        };
        let long = in_words(whole * ROUND_TRIPS);
        let mut fixes = Vec::new();
        if self.from > flow_plan.start {
            fixes.push("a shorter `warm_up`");
        } else if flow_plan.start > since {
            fixes.push("an earlier `start`");
        }
        fixes.push(if self.to < end { "a longer flow" } else { "a longer `duration`" });
        if packet.is_some() {
            fixes.push("a higher rate of that link");
        }
        format!(
            "it is measured for {}, which are {share} of its round trips of {}{}: {what} (write {}, so that {long} \
             or more are measured)",
            in_words(active),
            in_words(whole),
            packet.unwrap_or_default(),
            fixes.join(" or "),
        )
    }
}

/// Why nothing came, and what to change.
fn nothing_came(totals: &FlowTotals) -> String {
    let sent = totals.sent.sent_packets;
    if sent == 0 {
        return "it sent nothing: it had no path, or nothing to send (look at the table `paths`)".to_owned();
    }
    let lost =
        |causes: &[Cause]| causes.iter().map(|&cause| totals.sent.dropped[cause as usize]).sum::<u64>();
    let causes = [
        (lost(&[Cause::Error]), "lost to link errors", "write a lower `loss`, per = 0.01 for 1 %"),
        (lost(&[Cause::Queue]), "dropped by full queues", "write queue = \"20 packets\""),
        (lost(&Cause::OUTAGES), "lost to outages", "look at the table `paths` and at `loss.spans`"),
        (lost(&[Cause::Policer]), "dropped by policers", "write a larger `burst`"),
    ];
    let (most, how, fix) = causes.into_iter().max_by_key(|&(count, ..)| count).unwrap_or_default();
    if most == 0 {
        return format!(
            "none of the {sent} data packets that it sent arrived before the end (write a longer `duration`, or higher \
             rates of links)"
        );
    }
    format!("none of the {sent} data packets that it sent arrived: {most} were {how} ({fix})")
}
