// SPDX-License-Identifier: MIT OR Apache-2.0
//! The measured time of a flow: its length, whether it is long enough, and what to change if it is too short. The rules
//! are documented in [`record::summary`].

use super::summary::Baseline;
use crate::state::State;
use engine::{Engine, Observer};
use hosts::{FlowTotals, Metered, SourceTotals, Transport};
use no_delivery::{Way, Why};
use plan::{FlowPlan, Plan};
use record::summary::{Finding, FindingKind};
use std::collections::BTreeMap;
use units::{Rate, Span, Time};

pub mod no_delivery;

/// A measured time of fewer round trips than this gives a finding.
const ROUND_TRIPS: u64 = 10;

/// Applies to a flow that started before its measured time: the narrowest link must be able to carry at least this
/// number of packets in the measured time. A packet counts when it arrives. A packet whose transmission started in the
/// warm-up counts fully, so a rate is wrong by at most 2 %.
const PACKETS: u64 = 50;

/// The part of a run in which a flow is measured.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Start: the end of the warm-up, or the start of the flow if this is later.
    pub from: Time,
    /// End: the completion of the flow, the arrival of its last packet after its stop, or the end of the run.
    pub to: Time,
    /// Whether the flow is completely within the measured time.
    whole: bool,
    /// Whether the flow started before the measured time.
    began_before: bool,
    round_trip: RoundTrip,
}

/// Base round-trip time of a flow: propagation, and the transmission of one packet on the narrowest link of each
/// connection.
#[derive(Clone, Copy, Debug, Default)]
struct RoundTrip {
    whole: Span,
    /// The transmission times of the packets, and the rate of the slowest link.
    packets: Span,
    slowest: Option<Rate>,
}

impl RoundTrip {
    fn of(plan: &Plan, connections: &[usize], from: Time, to: Time) -> Self {
        let mut sum = Self::default();
        for &number in connections {
            // Use the longer of two round-trip times. A path may exist at the start and not at the end. If a path
            // becomes shorter, packets that were sent before do not arrive sooner.
            let known = [to, from].map(|at| Some((at, plan.idle_rtt(number, at)?)));
            let Some((at, _)) = known.into_iter().flatten().next() else { continue };
            let rtt = known.into_iter().flatten().map(|(_, rtt)| rtt).max().unwrap_or_default();
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
    /// Returns the measured time of a flow, or of a part of a flow, with these connections, in a run that ends at
    /// `end`. Everything before `since` is excluded. `completed_at` is the time at which all data were delivered, and
    /// `last_arrival` the time of the last arrival so far.
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
        // The last packets before the stop need one round trip to arrive.
        let all_arrived = flow.stop.is_some_and(|stop| end.since(stop) >= round_trip.whole && stop < end);
        // A flow that is stopped within one round trip has no meaningful rate. The same applies to a flow that is
        // measured for less than one round trip.
        let all_arrived = all_arrived && to.since(from) >= round_trip.whole;
        let whole = flow.start >= since && (completed_at.is_some() || all_arrived);
        Self { from, to, whole, began_before: flow.start < since, round_trip }
    }

    /// Returns the length of the measured time.
    pub fn active(&self) -> Span {
        self.to.since(self.from)
    }

    /// Returns the length of the measured time in base round trips.
    fn round_trips(&self) -> f64 {
        self.active().secs_f64() / self.round_trip.whole.secs_f64().max(1e-9)
    }

    /// Returns whether rates and shares over the measured time are known.
    pub fn is_known(&self) -> bool {
        let active = self.active();
        active > Span::ZERO && (self.whole || active >= self.least())
    }

    /// Returns the shortest measured time over which rates are known, for a flow that is only partly within the
    /// measured time.
    fn least(&self) -> Span {
        let RoundTrip { whole, packets, .. } = self.round_trip;
        if self.began_before { whole.max(packets * PACKETS) } else { whole }
    }

    /// Returns the shortest measured time that gives no finding.
    fn enough(&self) -> Span {
        (self.round_trip.whole * ROUND_TRIPS).max(self.least())
    }
}

/// Number, measured time and reason of a flow of which nothing arrived.
type Alike<'a> = (usize, Measured, Why<'a>);

/// Returns findings for flows whose measured time is too short, and for flows of which nothing arrived. `others` are
/// the findings that exist already; they may contain the reason. Flows with the same controller share one finding if
/// nothing of them arrived for the same reason. The shared finding belongs to the first of these flows.
pub fn findings<E: Metered, O: Observer<E::Body>>(
    state: &State<E, O>,
    baseline: &Baseline,
    others: &[Finding],
) -> Vec<Finding> {
    let plan = &state.plan;
    let mut findings = Vec::new();
    let mut alike: BTreeMap<(&str, String), Vec<Alike<'_>>> = BTreeMap::new();
    for (flow, flow_plan) in plan.flows.iter().take(plan.whole).enumerate() {
        let judge = Judge::new(state, baseline, flow);
        if let Some((kind, measured, magnitude, text)) = judge.length() {
            findings.push(measured.finding(kind, plan, &[flow], magnitude, &text));
            continue;
        }
        let is_told = |kind: FindingKind| {
            kind == FindingKind::NotConnected
                || kind == FindingKind::NoVisitBegun
                || kind == FindingKind::NoVisitDone
        };
        if others.iter().any(|finding| finding.flow as usize == flow && is_told(finding.kind)) {
            continue;
        }
        match judge.nothing() {
            None => {}
            Some((measured, NoDelivery::Sent(text))) => {
                findings.push(measured.finding(FindingKind::NothingDelivered, plan, &[flow], 0.0, &text));
            }
            Some((measured, NoDelivery::Arrived(why))) => {
                let key = (flow_plan.controller.as_deref().unwrap_or(flow_plan.kind), why.key());
                alike.entry(key).or_default().push((flow, measured, why));
            }
        }
    }
    for flows in alike.into_values() {
        let numbers: Vec<usize> = flows.iter().map(|&(flow, ..)| flow).collect();
        let together = flows.into_iter().reduce(|(flow, measured, why), (_, next, other)| {
            let (from, to) = (measured.from.min(next.from), measured.to.max(next.to));
            (flow, Measured { from, to, ..measured }, why.and(&other))
        });
        let Some((_, measured, why)) = together else { continue };
        let text = why.text(plan, numbers.len() > 1);
        let kind = FindingKind::NothingDelivered;
        findings.push(measured.finding(kind, plan, &numbers, why.sent() as f64, &text));
    }
    findings
}

/// Number of flows that a shared finding names.
const NAMED: usize = 3;

impl Measured {
    fn finding(
        &self,
        kind: FindingKind,
        plan: &Plan,
        flows: &[usize],
        magnitude: f64,
        text: &str,
    ) -> Finding {
        let first = &plan.flows[flows[0]];
        let controller = first.controller.as_deref().unwrap_or(first.kind);
        let who = if flows.len() == 1 {
            format!("flow \"{}\" ({controller})", first.name)
        } else {
            let named: Vec<String> =
                flows.iter().take(NAMED).map(|&flow| format!("\"{}\"", plan.flows[flow].name)).collect();
            let more = flows.len().saturating_sub(NAMED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("{} flows, {}{more} ({controller})", flows.len(), named.join(", "))
        };
        Finding {
            flow: flows[0] as u32,
            kind,
            since_s: self.from.secs_f64(),
            lasted_s: self.active().secs_f64(),
            magnitude,
            text: format!("{who}: {text}"),
        }
    }
}

/// The reason why a flow delivered no data.
enum NoDelivery<'a> {
    /// The flow sent nothing. The text is the finding.
    Sent(String),
    /// The flow sent data, but nothing arrived.
    Arrived(Why<'a>),
}

/// One flow at the end of the run.
struct Judge<'a, E: Metered, O: Observer<E::Body>> {
    plan: &'a Plan,
    engine: &'a Engine<E, O>,
    baseline: &'a Baseline,
    flow: usize,
    connections: Vec<usize>,
    completed_at: Option<Time>,
    measured: Measured,
}

impl<'a, E: Metered, O: Observer<E::Body>> Judge<'a, E, O> {
    fn new(state: &'a State<E, O>, baseline: &'a Baseline, flow: usize) -> Self {
        let State { plan, engine, .. } = state;
        let connections = plan.flows[flow].connections(flow);
        let received = Self::totals(engine, &connections).received;
        let acknowledged_at = engine.endpoints()[2 * flow].transport().and_then(Transport::completed_at);
        let completed_at = if connections.len() == 1 { acknowledged_at } else { received.whole_at };
        let times = [baseline.at(), engine.now()];
        let measured = Measured::new(plan, &connections, times, completed_at, received.last_arrival);
        Self { plan, engine, baseline, flow, connections, completed_at, measured }
    }

    fn totals(engine: &Engine<E, O>, connections: &[usize]) -> FlowTotals {
        FlowTotals::whole(connections.iter().map(|&number| FlowTotals::of(engine.endpoints(), number)))
    }

    fn plan(&self) -> &'a FlowPlan {
        &self.plan.flows[self.flow]
    }

    /// Returns the number of SYNs of a flow whose connection was never established.
    fn unanswered_syns(&self) -> u64 {
        self.engine.endpoints()[2 * self.flow].transport().map_or(0, Transport::unanswered_syns)
    }

    /// Returns the finding about the length of the measured time.
    fn length(&self) -> Option<(FindingKind, Measured, f64, String)> {
        let Self { measured, .. } = *self;
        let (start, since, end) = (self.plan().start, self.baseline.at(), self.engine.now());
        if start >= end {
            let text = format!(
                "the flow starts at {:.3} s, but the run ends at {:.3} s, so the flow sent nothing (write an earlier \
                 `start`, a shorter `stagger`, or a longer `duration`)",
                start.secs_f64(),
                end.secs_f64()
            );
            let measured = Measured { from: start, to: start, ..measured };
            return Some((FindingKind::NeverStarted, measured, 0.0, text));
        }
        if measured.active() == Span::ZERO {
            let (how, fix) = match self.completed_at {
                Some(_) => ("completed", "a larger `size`"),
                None => ("stopped", "a later `stop`"),
            };
            let text = format!(
                "the flow was {how} at {:.3} s, before the warm-up of {:.3} s was over, so the flow was not measured \
                 (write a shorter `warm_up`, {fix} or a later `start`)",
                measured.to.secs_f64(),
                since.secs_f64()
            );
            let measured = Measured { from: start, ..measured };
            return Some((FindingKind::NothingMeasured, measured, 0.0, text));
        }
        let round_trips = measured.round_trips();
        // Advice about the flow does not apply to a tap: it ends with the programs that use it.
        let is_tap = self.plan().kind == "tap";
        let is_short = !is_tap && !measured.whole && measured.active() < measured.enough();
        is_short.then(|| (FindingKind::TooShort, measured, round_trips, self.too_short()))
    }

    /// Returns the data of each direction, first in the measured time and then in the whole run.
    fn ways(&self) -> Vec<[Way; 2]> {
        let is_call = self.plan().kind == "call";
        let now = Self::totals(self.engine, &self.connections);
        let before = self.baseline.totals(&self.connections);
        if !is_call {
            let [mut since, mut all] =
                [&before, &FlowTotals::default()].map(|before| Way::between(before, &now, false));
            if let Some([before, requests]) = self.baseline.requests(self.flow, self.engine) {
                since.add(&before, &requests);
                all.add(&SourceTotals::default(), &requests);
            }
            return vec![[since, all]];
        }
        let ends = [2 * self.flow, 2 * self.flow + 1].map(|end| &self.engine.endpoints()[end]);
        let way = |from: usize, before: FlowTotals| {
            let now = FlowTotals { sent: ends[from].totals(), received: ends[1 - from].received() };
            [&before, &FlowTotals::default()]
                .map(|before| Way { is_back: from == 1, ..Way::between(before, &now, true) })
        };
        let [there, back] = self.baseline.ways(self.flow);
        vec![way(0, there), way(1, back)]
    }

    /// Returns the finding if nothing of the flow arrived although the measured time is long enough.
    fn nothing(&self) -> Option<(Measured, NoDelivery<'a>)> {
        if self.completed_at.is_some() {
            return None;
        }
        let Self { plan, engine, measured, .. } = *self;
        let is_application = self.plan().is_application();
        let ways = self.ways();
        let (since, all) =
            ways.iter().map(|&[since, all]| (since, all)).find(|(since, _)| since.arrived == 0)?;
        let ever = all.arrived > 0;
        if since.sent == 0 && ever {
            // Exclude a flow that sends nothing because it pauses. A sender that waits for its timer has data to send.
            let idle = self.baseline.app_limited(self.flow, engine, measured.to);
            let waits = engine.endpoints()[2 * self.flow].transport().is_some();
            if !waits || idle.nanos() > measured.active().nanos() / 2 {
                return None;
            }
        }
        if is_application && since.lost_packets() == 0 {
            return None;
        }
        // If nothing of a flow ever arrived, the counts are those of the whole run.
        let way = if ever { since } else { all };
        let from = if ever { measured.from } else { self.plan().start };
        let measured = Measured { from, ..measured };
        let after = if ways.len() > 1 {
            let sites = [self.plan().from, self.plan().to].map(|site| &plan.site_names[usize::from(site)]);
            let [from, to] = if way.is_back { [sites[1], sites[0]] } else { sites };
            format!(" from {from} to {to}")
        } else if measured.from > self.plan().start {
            " after the warm-up".to_owned()
        } else {
            String::new()
        };
        if way.sent > 0 {
            let over = [measured.from, measured.to];
            return Some((
                measured,
                NoDelivery::Arrived(way.why(plan, engine, &self.connections, over, &after)),
            ));
        }
        let text = if self.unanswered_syns() > 0 {
            let (how, fix) = match self.plan().stop {
                Some(stop) if stop < engine.now() => ("the flow was stopped", "a later `stop`"),
                _ => ("the run ended", "a longer `duration`"),
            };
            format!(
                "{how} {} after the start of the flow. No answer to the SYN had arrived by then, so the connection \
                 was not established (write {fix})",
                exact(measured.to.since(self.plan().start), Rounding::Down)
            )
        } else if ever {
            "the flow sent nothing after the warm-up, and none of its packets arrived: the sender waited for its \
             retransmission timer (check the tables `events` and `paths`)"
                .to_owned()
        } else if let Some(text) = self.trickled_nothing() {
            text
        } else {
            "the flow sent nothing, because it had no path or no data to send (check the table `paths`)"
                .to_owned()
        };
        Some((measured, NoDelivery::Sent(text)))
    }

    /// Returns the finding for a flow whose application has not written a full segment yet.
    fn trickled_nothing(&self) -> Option<String> {
        let (trickle, segment) = self.plan().trickle.filter(|(trickle, _)| trickle.begins == Span::ZERO)?;
        let first = trickle.rate.time_for(segment).min(trickle.lasts);
        let had = self.measured.to.since(self.plan().start);
        (first >= had).then(|| {
            format!(
                "the flow sent nothing. Its application writes {} (`trickle`), so the first segment of {} B would \
                 leave {} after the start of the flow, but the flow lasted only {} (write a higher `rate` of \
                 `trickle`, or a longer `duration`)",
                trickle.rate,
                segment.get(),
                exact(first, Rounding::Up),
                exact(had, Rounding::Down),
            )
        })
    }

    /// Returns the finding for a flow that was measured for few round trips.
    fn too_short(&self) -> String {
        let (flow_plan, measured) = (self.plan(), &self.measured);
        let (since, end) = (self.baseline.at(), self.engine.now());
        let RoundTrip { whole, packets, slowest } = measured.round_trip;
        let few_packets = measured.active() >= whole && !measured.is_known();
        let packet =
            slowest.filter(|_| few_packets || packets.secs_f64() > 0.5 * whole.secs_f64()).map(|rate| {
                format!(" (this includes {} for one packet at {rate})", exact(packets, Rounding::Down))
            });
        // Round down, so that the printed number stays below its limit: ten, or one if rates are not known.
        let round_trips = measured.round_trips();
        let most = [1.0, ROUND_TRIPS as f64].into_iter().find(|&most| round_trips < most);
        let rounded = (10.0 * round_trips).round() / 10.0;
        let tenths = most.map_or(rounded, |most| rounded.min(most - 0.1));
        let share = if tenths < 0.1 { "less than 0.1".to_owned() } else { format!("{tenths:.1}") };
        let what = match (measured.is_known(), self.unanswered_syns() > 0) {
            (true, _) => "the numbers describe only the start or the end of the flow",
            (false, false) if few_packets => {
                "the rates of the flow are not known, because one more packet would change them considerably"
            }
            (false, false) => "its rates are not known",
            (false, true) => {
                "the flow ended before its connection was established, so its rates are not known"
            }
        };
        let needs = measured.enough();
        let mut fixes = Vec::new();
        // Give only advice that is sufficient.
        let is_complete = self.completed_at.is_some();
        if measured.from > flow_plan.start && (is_complete || measured.to.since(flow_plan.start) >= needs) {
            fixes.push("a shorter `warm_up`");
        } else if flow_plan.start > since && measured.to.since(since) >= needs {
            fixes.push("an earlier `start`");
        }
        fixes.push(match (measured.to < end, is_complete) {
            (false, _) => "a longer `duration`",
            (true, true) => "a larger `size`",
            (true, false) if end.since(measured.from) >= needs => "a later `stop`",
            (true, false) => "a later `stop` and a longer `duration`",
        });
        if packet.is_some() {
            fixes.push("a higher rate of that link");
        }
        format!(
            "the flow was measured for {}, which is {share} round trips of {}{}: {what} (write {}, so that the \
             measurement lasts {} or more)",
            exact(measured.active(), Rounding::Down),
            exact(whole, Rounding::Down),
            packet.unwrap_or_default(),
            fixes.join(" or "),
            exact(needs, Rounding::Up),
        )
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rounding {
    Down,
    Up,
}

/// Returns a length of time with three or four digits. It is rounded down for an available time, and rounded up for a
/// required time.
fn exact(span: Span, rounding: Rounding) -> String {
    const UNITS: [(u64, u64, usize, &str); 6] = [
        (10_000_000_000, 1_000_000_000, 1, "s"),
        (1_000_000_000, 1_000_000_000, 2, "s"),
        (10_000_000, 1_000_000, 1, "ms"),
        (1_000_000, 1_000_000, 2, "ms"),
        (1_000, 1_000, 1, "us"),
        (0, 1, 0, "ns"),
    ];
    let nanos = span.nanos();
    let fits = UNITS.into_iter().find(|&(from, ..)| nanos >= from);
    let (_, unit, digits, name) = fits.unwrap_or(UNITS[5]);
    let step = unit / 10_u64.pow(digits as u32);
    let steps = match rounding {
        Rounding::Down => nanos / step,
        Rounding::Up => nanos.div_ceil(step),
    };
    // The product may exceed 64 bits: the greatest length, rounded up, has more nanoseconds.
    format!("{:.digits$} {name}", steps as f64 * step as f64 / unit as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_rounded_to_the_safe_side() {
        let both = |nanos: u64| [Rounding::Down, Rounding::Up].map(|way| exact(Span::from_nanos(nanos), way));
        assert_eq!(both(511_584_000), ["511.5 ms", "511.6 ms"]);
        assert_eq!(both(11_900_100_000), ["11.9 s", "12.0 s"]);
        assert_eq!(both(6_012_000_000), ["6.01 s", "6.02 s"]);
        assert_eq!(both(1_234_567), ["1.23 ms", "1.24 ms"]);
        assert_eq!(both(12_340), ["12.3 us", "12.4 us"]);
        assert_eq!(both(7), ["7 ns", "7 ns"]);
        // 2^64 - 1 ns equals 18,446,744,073.709 s.
        assert_eq!(both(u64::MAX), ["18446744073.7 s", "18446744073.8 s"]);
    }
}
