// SPDX-License-Identifier: MIT OR Apache-2.0
//! Findings: facts about a flow that a reader of the results must know. Most findings describe behaviour that no real
//! transport would show for long. A finding never changes a run.
//!
//! The guard checks every connection every 100 ms of virtual time. It also checks during the warm-up, and independently
//! of what is recorded.
//!
//! - *runaway*: the window exceeds 8 times the capacity of the path (`capacity`), or the pacing rate exceeds 8 times
//!   the rate of the narrowest link. The condition must hold at every check for more than 10 round trips. A single
//!   check is enough if the window more than doubled per round trip to reach such a value ([`most_growth`]). The guard
//!   compares the value that the controller commands, even if the sender does not use it; the text also contains the
//!   data in flight. A runaway does not start while the excess is harmless (`is_held`). The excess is harmless if the
//!   path holds the largest window of the receiver. It is also harmless while the application limits the sender to the
//!   amount that the empty path carries. A flow without a path is not checked until it has a path again.
//! - *long recovery*: one recovery lasts more than 10 round trips. If the timer expired once during the recovery, the
//!   limit is longer by the shortest timeout of the flow's TCP.
//! - *policed*: policers dropped at least ten data packets of the flow, and more than half of all its lost data
//!   packets. Flows of all kinds are checked. A policer is not a defect of the sender, but explains the goodput of the
//!   flow.
//! - *too large*: links dropped data packets of the flow that exceeded their MTU. Flows of all kinds are checked.
//! - *connection closed*: the QUIC library closed the connection, after a timeout or because of an error.
//! - *receive window*: the receive window of a TCP flow is smaller than the bandwidth-delay product of its path. It
//!   kept new data back for at least a tenth of the flow's active time.
//! - *not connected*: the timer of the SYN expired, and the connection was never established.
//!
//! Every connection of an application is checked in the same way ([`applications`]).
//!
//! The guard only reads. Its cost is too small to measure with the benchmarks S2 and S4.

use super::measured::no_delivery::unanswered;
use engine::{Cause, Engine, Observer};
use hosts::{Closed, FlowTotals, Metered, Transport};
use plan::{Capacity, FlowPlan, LEAST_SEGMENTS, Plan, memory_of};
use record::summary::{Finding, FindingKind};
use std::collections::BTreeMap;
use units::{Rate, Span, Time};

mod applications;
mod policed;
mod receive_window;
mod too_large;
use applications::HostWatch;

/// Interval between checks of a flow.
pub(super) const LOOK: Span = Span::from_millis(100);
/// A window or a pacing rate above this multiple of the path's capacity is a runaway.
const TOO_MUCH: f64 = 8.0;
/// A runaway or a recovery counts if it lasts longer than this number of round trips.
const ROUND_TRIPS: u64 = 10;

/// Returns the largest allowed growth of a window between two checks: one doubling per round trip, and at least one
/// doubling. The result is doubled again, because the round-trip time is not known exactly.
fn most_growth(rtt: Span) -> f64 {
    2.0 * (LOOK.secs_f64() / rtt.secs_f64()).max(1.0).exp2()
}

/// Returns whether a high demand of a flow is harmless. There are two cases. In the first case, the path holds the
/// largest window of the receiver. In the second case, the application has limited the sender since the last check, and
/// the data in flight do not exceed the amount that the empty path carries (`pipe`).
fn is_held(flow_plan: &FlowPlan, capacity: &Capacity, pipe: Option<f64>, in_flight_segments: f64) -> bool {
    let by_receiver = flow_plan
        .receive_window
        .zip(capacity.bytes)
        .is_some_and(|(window, path)| window.get() as f64 <= path);
    let in_flight = in_flight_segments * f64::from(flow_plan.mss);
    by_receiver
        || pipe.is_some_and(|pipe| in_flight <= pipe.max(LEAST_SEGMENTS as f64 * f64::from(flow_plan.mss)))
}

/// The observations of all flows.
#[derive(Clone, Debug, Default, saved::Saved)]
pub(crate) struct Guard {
    flows: Vec<Watch>,
    /// The connections of applications, by flow.
    hosts: BTreeMap<usize, HostWatch>,
    /// Whether at least one link has a policer.
    polices: bool,
    /// Whether at least one link has an MTU.
    has_mtus: bool,
}

/// The observations of one flow.
#[derive(Clone, Debug, Default, saved::Plain)]
struct Watch {
    /// The excess that is in progress, if any.
    excess: Option<Excess>,
    runaway: Option<Runaway>,
    /// The longest of the recoveries that exceeded the limit.
    recovery: Option<Recovery>,
    /// The recovery that may still be in progress: the one with the largest number of round trips so far. Then this
    /// number.
    lasting: Option<Recovery>,
    most_round_trips: f64,
    /// Lower bounds of TCP's timer: `min_rto` and `clock`.
    timer: (Span, Span),
    /// Total time for which the application had limited the sender, at the last check.
    app_limited: Span,
    /// The window at the last check, in segments.
    window: f64,
    /// Checks that found additional timeouts, with the total number of timeouts.
    timeouts: Vec<(Time, u64)>,
    /// Time of the first check that found a packet of the flow dropped by a policer.
    policed: Option<Time>,
    /// Time of the first check that found the receive window limiting the sender.
    receiver_limited: Option<Time>,
    /// Time of the first check that found a packet of the flow dropped because of an MTU.
    too_large: Option<Time>,
}

/// A period in which a flow demands too much: an excess.
#[derive(Clone, Debug, saved::Plain)]
struct Excess {
    from: Time,
    /// Time of the last check that observed the excess.
    last: Time,
    /// The excess counts if it lasts longer than this, or if it is `violent`.
    patience: Span,
    /// Whether the window more than doubled per round trip.
    violent: bool,
    worst: Worst,
}

/// The largest observed values.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
struct Worst {
    /// Window relative to the path's capacity, and window in segments.
    window: (f64, f64),
    /// Pacing rate relative to the path's rate, and both rates.
    pacing: (f64, Rate, Rate),
    in_flight_segments: f64,
}

impl Worst {
    fn of(capacity: &Capacity, transport: &dyn Transport, mss: f64) -> Self {
        let state = transport.state();
        let window = capacity.bytes.map_or(0.0, |bytes| state.cwnd.get() as f64 / bytes);
        let pacing = state.pacing.map_or((0.0, Rate::default(), capacity.rate), |pacing| {
            (pacing.bits_per_s() as f64 / capacity.rate.bits_per_s() as f64, pacing, capacity.rate)
        });
        let window = (window, state.cwnd.get() as f64 / mss);
        Self { window, pacing, in_flight_segments: state.in_flight_segments }
    }

    fn ratio(&self) -> f64 {
        self.window.0.max(self.pacing.0)
    }

    fn and(self, other: &Self) -> Self {
        Self {
            window: if other.window.0 > self.window.0 { other.window } else { self.window },
            pacing: if other.pacing.0 > self.pacing.0 { other.pacing } else { self.pacing },
            in_flight_segments: self.in_flight_segments.max(other.in_flight_segments),
        }
    }
}

#[derive(Clone, Debug, saved::Plain)]
struct Runaway {
    since: Time,
    /// Total length of the finished excesses.
    lasted: Span,
    worst: Worst,
}

#[derive(Clone, Copy, Debug, saved::Plain)]
struct Recovery {
    since: Time,
    lasted: Span,
    round_trips: f64,
    /// Timeouts in this recovery.
    timeouts: u64,
}

impl Recovery {
    /// Returns whether the recovery exceeds the limit. `min_rto` and `clock` are the lower bounds of TCP's timer.
    fn is_too_long(&self, min_rto: Span, clock: Span) -> bool {
        let rtt_s = self.lasted.secs_f64() / self.round_trips;
        // RFC 6298, (2.3) and (2.4): a timeout is at least SRTT + G, and at least min_rto. A recovery that waited once
        // for the timer is not stuck.
        let timeout_s = min_rto.secs_f64().max(rtt_s + clock.min(min_rto).secs_f64());
        let wait_s = if self.timeouts == 1 { timeout_s } else { 0.0 };
        self.round_trips > ROUND_TRIPS as f64 && self.lasted.secs_f64() > rtt_s * ROUND_TRIPS as f64 + wait_s
    }
}

impl Guard {
    /// Checks every connection in progress.
    pub fn look<E: Metered, O: Observer<E::Body>>(&mut self, plan: &Plan, engine: &Engine<E, O>) {
        let now = engine.now();
        if self.flows.is_empty() {
            self.polices = plan.polices();
            self.has_mtus = plan.has_mtus();
        }
        self.flows.resize_with(plan.flows.len(), Watch::default);
        for (flow, watch) in self.flows.iter_mut().enumerate() {
            let flow_plan = &plan.flows[flow];
            if flow_plan.start >= now {
                continue;
            }
            if self.polices && watch.policed.is_none() {
                let dropped = FlowTotals::of(engine.endpoints(), flow).sent.dropped;
                watch.policed = (dropped[Cause::Policer as usize] > 0).then_some(now);
            }
            if self.has_mtus && watch.too_large.is_none() {
                let dropped = FlowTotals::of(engine.endpoints(), flow).sent.dropped;
                watch.too_large = (dropped[Cause::TooLarge as usize] > 0).then_some(now);
            }
            let ends = [2 * flow, 2 * flow + 1].map(|end| &engine.endpoints()[end]);
            let Some(transport) = ends[0].transport() else {
                if flow_plan.is_application() {
                    self.hosts.entry(flow).or_default().look(now, plan, flow, ends);
                }
                continue;
            };
            if watch.receiver_limited.is_none() && transport.is_receiver_limited() {
                watch.receiver_limited = Some(now);
            }
            watch.count(now, engine.endpoints()[2 * flow].totals().timeouts);
            watch.timer = (flow_plan.min_rto, flow_plan.clock);
            watch.note_recovery(now, transport);
            let waits = watch.waits(now, transport);
            if transport.completed_at().is_some() || flow_plan.stop.is_some_and(|stop| stop <= now) {
                watch.close();
                continue;
            }
            let Some(base_rtt) = plan.idle_rtt(flow, now) else {
                watch.close();
                continue;
            };
            let rtt = transport.state().srtt.map_or(base_rtt, |srtt| srtt.max(base_rtt));
            let since = Time::from_nanos(now.nanos().saturating_sub(memory_of(rtt).nanos()));
            let Some(capacity) = plan.capacity(flow, since, now) else {
                watch.close();
                continue;
            };
            let asks = Worst::of(&capacity, transport, f64::from(flow_plan.mss));
            let pipe = capacity.rate.bytes_per_s() * base_rtt.secs_f64();
            let held = is_held(flow_plan, &capacity, waits.then_some(pipe), asks.in_flight_segments);
            watch.note(now, rtt, &asks, held);
        }
    }

    /// Returns the findings at the end of the run, in the order of flows.
    pub fn findings<E: Metered, O: Observer<E::Body>>(
        mut self,
        plan: &Plan,
        engine: &Engine<E, O>,
    ) -> Vec<Finding> {
        self.look(plan, engine);
        let mut findings = Vec::new();
        for (flow, watch) in self.flows.iter_mut().enumerate() {
            watch.close();
            watch.settle();
            let flow_plan = &plan.flows[flow];
            let who = format!(
                "flow \"{}\" ({})",
                flow_plan.name,
                flow_plan.controller.as_deref().unwrap_or(flow_plan.kind)
            );
            let finding = |kind, since: Time, lasted: Span, magnitude: f64, text: String| Finding {
                flow: flow as u32,
                kind,
                since_s: since.secs_f64(),
                lasted_s: lasted.secs_f64(),
                magnitude,
                text: format!("{who}: {text}"),
            };
            if let Some(Runaway { since, lasted, worst }) = &watch.runaway {
                let text = worst.text(*since, *lasted);
                findings.push(finding(FindingKind::Runaway, *since, *lasted, worst.ratio(), text));
            }
            if let Some(Recovery { since, lasted, round_trips, .. }) = watch.recovery {
                let text = format!(
                    "one recovery that began at {:.1} s lasted {}, which is {round_trips:.0} round trips",
                    since.secs_f64(),
                    in_words(lasted)
                );
                findings.push(finding(FindingKind::LongRecovery, since, lasted, round_trips, text));
            }
            if let Some(since) = watch.policed
                && let Some((lasted, dropped, text)) = policed::mostly(plan, engine, flow, since)
            {
                findings.push(finding(FindingKind::Policed, since, lasted, dropped as f64, text));
            }
            if let Some(since) = watch.too_large {
                let (lasted, dropped, text) = too_large::told(plan, engine, flow, since);
                findings.push(finding(FindingKind::TooLarge, since, lasted, dropped as f64, text));
            }
            if let Some(hosts) = self.hosts.get_mut(&flow) {
                let ends = [2 * flow, 2 * flow + 1].map(|end| &engine.endpoints()[end]);
                let over = [flow_plan.start, engine.now()];
                let fix = || unanswered(plan, engine, &flow_plan.connections(flow), over);
                findings.extend(hosts.findings(engine.now(), ends, fix, &finding));
            }
            let mut ends = [2 * flow, 2 * flow + 1].into_iter().map(|end| &engine.endpoints()[end]);
            if let Some(Closed { at, reason, connections }) = ends.find_map(Metered::closed_by_library) {
                let what = match connections {
                    1 => "its connection".to_owned(),
                    more => format!("{more} connections of the flow, the first of them"),
                };
                let text = format!("the QUIC library closed {what} at {:.3} s: {reason}", at.secs_f64());
                let lasted = engine.now().since(*at);
                let count = *connections as f64;
                findings.push(finding(FindingKind::ConnectionClosed, *at, lasted, count, text));
            }
            let syns = engine.endpoints()[2 * flow].transport().map_or(0, Transport::unanswered_syns);
            if syns > 1 {
                let end = flow_plan.stop.unwrap_or(Time::MAX).min(engine.now());
                let over = [flow_plan.start, end];
                let fix = unanswered(plan, engine, &flow_plan.connections(flow), over);
                let text =
                    format!("the connection was never established, although {syns} SYNs were sent ({fix})");
                let lasted = end.since(flow_plan.start);
                findings.push(finding(FindingKind::NotConnected, flow_plan.start, lasted, syns as f64, text));
            }
        }
        let limited_since = |number: usize| self.flows[number].receiver_limited;
        findings.extend(receive_window::findings(plan, engine, limited_since));
        findings
    }
}

impl Worst {
    fn text(&self, since: Time, lasted: Span) -> String {
        let window = format!(
            "the window reached {:.0} segments, which is {:.0} times the amount that the path can hold",
            self.window.1, self.window.0
        );
        let (times, pacing, rate) = self.pacing;
        let pacing = format!(
            "the pacing rate reached {}, which is {times:.0} times the rate of the path ({})",
            mbit_s(pacing),
            mbit_s(rate)
        );
        let what = match (self.window.0 > TOO_MUCH, times > TOO_MUCH) {
            (true, true) => format!("{window}, and {pacing}"),
            (true, false) => window,
            _ => pacing,
        };
        format!(
            "{what}. The excess began at {:.1} s and lasted {} in total. During this time, at most {:.0} segments \
             were in flight",
            since.secs_f64(),
            in_words(lasted),
            self.in_flight_segments
        )
    }
}

/// Returns a length of time as text, in milliseconds if it is shorter than a tenth of a second.
pub(super) fn in_words(lasted: Span) -> String {
    let s = lasted.secs_f64();
    if s < 0.1 { format!("{:.1} ms", 1e3 * s) } else { format!("{s:.1} s") }
}

fn mbit_s(rate: Rate) -> String {
    let digits = if rate < Rate::from_bits_per_s(10_000_000) { 3 } else { 0 };
    format!("{:.digits$} Mbit/s", rate.mbit_per_s())
}

impl Watch {
    /// Returns whether the application has limited the sender since the last check.
    fn waits(&mut self, now: Time, transport: &dyn Transport) -> bool {
        let before = std::mem::replace(&mut self.app_limited, transport.app_limited_time(now));
        self.app_limited > before
    }

    /// Records the number of timeouts until `now`.
    fn count(&mut self, now: Time, timeouts: u64) {
        if timeouts > self.timeouts.last().map_or(0, |&(_, before)| before) {
            self.timeouts.push((now, timeouts));
        }
    }

    /// Returns the number of timeouts since `began`. The number may include timeouts up to one check earlier.
    fn timeouts_since(&self, began: Time) -> u64 {
        let all = self.timeouts.last().map_or(0, |&(_, all)| all);
        let before = self.timeouts.iter().rev().find(|&&(seen, _)| seen + LOOK <= began);
        all - before.map_or(0, |&(_, before)| before)
    }

    /// Updates the longest recovery so far.
    fn note_recovery(&mut self, now: Time, transport: &dyn Transport) {
        let (lasted, round_trips) = transport.longest_recovery(now);
        if round_trips <= self.most_round_trips {
            self.settle();
            return;
        }
        // The longest recovery has grown since the last check: it is still in progress, or has ended in the meantime.
        self.most_round_trips = round_trips;
        let began = Time::from_nanos(now.nanos().saturating_sub(lasted.nanos()));
        let since = match self.lasting {
            Some(before) if before.since + LOOK + LOOK > began => before.since,
            _ => {
                self.settle();
                began
            }
        };
        self.lasting = Some(Recovery { since, lasted, round_trips, timeouts: self.timeouts_since(began) });
    }

    /// Ends the present recovery, and keeps it if it exceeded the limit.
    fn settle(&mut self) {
        let Some(over) = self.lasting.take() else { return };
        let longest = self.recovery.is_none_or(|longest| longest.round_trips < over.round_trips);
        let (min_rto, clock) = self.timer;
        if longest && over.is_too_long(min_rto, clock) {
            self.recovery = Some(over);
        }
    }

    /// Records the demand of the flow at `now`. While `held` is true (the demand is harmless), a new excess does not
    /// start.
    fn note(&mut self, now: Time, rtt: Span, asks: &Worst, held: bool) {
        let before = std::mem::replace(&mut self.window, asks.window.1);
        if asks.ratio() <= TOO_MUCH {
            self.close();
            return;
        }
        let violent = before > 0.0 && asks.window.1 > before * most_growth(rtt);
        match &mut self.excess {
            Some(excess) => {
                (excess.last, excess.worst) = (now, excess.worst.and(asks));
                excess.violent |= violent;
            }
            None if held => {}
            None => {
                let patience = rtt * ROUND_TRIPS;
                self.excess = Some(Excess { from: now, last: now, patience, violent, worst: *asks });
            }
        }
    }

    /// Ends the excess at the last check that observed it.
    fn close(&mut self) {
        let Some(Excess { from, last, patience, violent, worst }) = self.excess.take() else { return };
        let lasted = last.since(from);
        if lasted <= patience && !violent {
            return;
        }
        let runaway = self.runaway.get_or_insert(Runaway { since: from, lasted: Span::ZERO, worst });
        runaway.lasted = runaway.lasted + lasted;
        runaway.worst = runaway.worst.and(&worst);
    }
}

#[cfg(test)]
mod tests;
