// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks the connections of applications in the same way as the connection of a flow. A finding names the worst
//! connection of a flow, and the number of connections that have the problem. Runaways are checked at the end that
//! sends answers. Recoveries, and SYNs without an answer, are checked at both ends.

use super::{Recovery, Runaway, Watch, Worst, in_words, is_held};
use hosts::{Metered, Transport};
use plan::Plan;
use plan::memory_of;
use record::summary::{Finding, FindingKind};
use std::collections::BTreeMap;
use units::{Span, Time};

/// A connection counts as never established if its SYN was sent this often. Among thousands of connections, some lose
/// one SYN.
const SYNS: u64 = 3;

/// The observations of the connections of one flow.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(super) struct HostWatch {
    /// Open connections, by end and connection number.
    living: BTreeMap<(usize, u32), Living>,
    runaway: Option<(u32, Runaway)>,
    recovery: Option<(u32, Recovery)>,
    runaways: u64,
    recoveries: u64,
}

#[derive(Clone, Debug, saved::Plain)]
struct Living {
    watch: Watch,
    first: Time,
    last: Time,
}

impl HostWatch {
    /// Checks every connection of the flow. `ends` are the end that sends answers and the end that receives them.
    pub fn look<E: Metered>(&mut self, now: Time, plan: &Plan, flow: usize, ends: [&E; 2]) {
        let flow_plan = &plan.flows[flow];
        let base_rtt = plan.idle_rtt(flow, now);
        // Use the same period for all connections: the longest one that any connection needs.
        let mut rtt = base_rtt.unwrap_or(Span::ZERO);
        ends[0].each_connection(&mut |_, transport, _| {
            rtt = transport.state().srtt.map_or(rtt, |srtt| srtt.max(rtt));
        });
        let since = Time::from_nanos(now.nanos().saturating_sub(memory_of(rtt).nanos()));
        let capacity = plan.capacity(flow, since, now).zip(base_rtt);
        for (end, host) in ends.into_iter().enumerate() {
            host.each_connection(&mut |number, transport, timeouts| {
                let new = || Living { watch: Watch::default(), first: now, last: now };
                let Living { watch, last, .. } = self.living.entry((end, number)).or_insert_with(new);
                *last = now;
                watch.count(now, timeouts);
                watch.timer = (flow_plan.min_rto, flow_plan.clock);
                watch.note_recovery(now, transport);
                if end > 0 {
                    return;
                }
                let waits = watch.waits(now, transport);
                let Some((capacity, base_rtt)) = &capacity else { return watch.close() };
                let rtt = transport.state().srtt.map_or(*base_rtt, |srtt| srtt.max(*base_rtt));
                let asks = Worst::of(capacity, transport, f64::from(flow_plan.mss));
                let pipe = capacity.rate.bytes_per_s() * base_rtt.secs_f64();
                let held = is_held(flow_plan, capacity, waits.then_some(pipe), asks.in_flight_segments);
                watch.note(now, rtt, &asks, held);
            });
        }
        let gone: Vec<(usize, u32)> =
            self.living.iter().filter(|(_, living)| living.last < now).map(|(&key, _)| key).collect();
        for (end, connection) in gone {
            self.over(end, connection);
        }
    }

    /// Records the observations of a connection that has ended, or of a connection that is open at the end of the run.
    fn over(&mut self, end: usize, connection: u32) {
        let Some(Living { mut watch, .. }) = self.living.remove(&(end, connection)) else { return };
        watch.close();
        watch.settle();
        if let Some(runaway) = watch.runaway {
            self.runaways += 1;
            if self.runaway.as_ref().is_none_or(|(_, worst)| worst.worst.ratio() < runaway.worst.ratio()) {
                self.runaway = Some((connection, runaway));
            }
        }
        if let Some(recovery) = watch.recovery {
            self.recoveries += 1;
            if self.recovery.is_none_or(|(_, longest)| longest.round_trips < recovery.round_trips) {
                self.recovery = Some((connection, recovery));
            }
        }
    }

    /// Returns the findings at the end of the run. `finding` creates one from kind, start, duration, magnitude and
    /// text.
    pub fn findings<E: Metered>(
        &mut self,
        now: Time,
        ends: [&E; 2],
        fix: impl Fn() -> String,
        finding: &impl Fn(FindingKind, Time, Span, f64, String) -> Finding,
    ) -> Vec<Finding> {
        let (mut count, mut syns, mut first) = (0_u64, 0, now);
        for (end, host) in ends.into_iter().enumerate() {
            host.each_connection(&mut |number, transport: &dyn Transport, _| {
                let sent = transport.unanswered_syns();
                if sent >= SYNS {
                    count += 1;
                    syns = syns.max(sent);
                    first = self.living.get(&(end, number)).map_or(first, |living| living.first.min(first));
                }
            });
        }
        for (end, connection) in self.living.keys().copied().collect::<Vec<_>>() {
            self.over(end, connection);
        }
        let mut findings = Vec::new();
        let others = |count: u64| match count {
            0 | 1 => String::new(),
            2 => ". The same happened to 1 more connection".to_owned(),
            more => format!(". The same happened to {} more connections", more - 1),
        };
        if let Some((number, Runaway { since, lasted, worst })) = &self.runaway {
            let text =
                format!("connection {number}: {}{}", worst.text(*since, *lasted), others(self.runaways));
            findings.push(finding(FindingKind::Runaway, *since, *lasted, worst.ratio(), text));
        }
        if let Some((number, Recovery { since, lasted, round_trips, .. })) = self.recovery {
            let text = format!(
                "connection {number}: one recovery that began at {:.1} s lasted {}, which is {round_trips:.0} round trips{}",
                since.secs_f64(),
                in_words(lasted),
                others(self.recoveries)
            );
            findings.push(finding(FindingKind::LongRecovery, since, lasted, round_trips, text));
        }
        if count > 0 {
            let text = format!(
                "{count} connections of the application were never established, although up to {syns} SYNs were sent \
                 for one connection ({})",
                fix()
            );
            findings.push(finding(FindingKind::NotConnected, first, now.since(first), syns as f64, text));
        }
        findings
    }
}
