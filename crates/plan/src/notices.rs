// SPDX-License-Identifier: MIT OR Apache-2.0
//! Determines which path changes are reported to flows, and when.

use crate::Plan;
use control::{PathChange, PathKind};
use link::Delay;
use random::stream_seed;
use scenario::{NetworkChoice, Scenario};
use topology::RouteUpdate;
use units::{Span, Time};

/// A notice to a flow about a change of its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Time of the notice.
    pub tell: Time,
    /// Time of the change.
    pub at: Time,
    /// Announced time of the change.
    pub said: Time,
    /// Largest error of the announced time.
    pub uncertainty: Span,
    /// Index of the flow.
    pub flow: usize,
}

impl Notice {
    /// Creates the notice of a change of `flow`'s path that happens now.
    pub const fn now(at: Time, flow: usize) -> Self {
        Self { tell: at, at, said: at, uncertainty: Span::ZERO, flow }
    }

    /// Returns the sort key: time of the notice, then time of the change, then flow.
    pub const fn order(&self) -> (Time, Time, usize) {
        (self.tell, self.at, self.flow)
    }

    /// Creates the notice of a later change. It is sent `announce` before the change, and the announced time has an
    /// error of up to `announce_error`.
    fn early(scenario: &Scenario, at: Time, flow: usize) -> Self {
        // The draw depends only on the flow and the time of the change. Additional announcements do not affect it.
        let word = stream_seed(scenario.seed ^ at.nanos(), &format!("flow {flow} announcement"));
        // A number between -1 and 1.
        let share = word as f64 / 2f64.powi(63) - 1.0;
        let off_ns = (share * scenario.announce_error.nanos() as f64) as i64;
        Self {
            tell: Time::from_nanos(at.nanos().saturating_sub(scenario.announce.nanos())),
            at,
            said: Time::from_nanos(at.nanos().saturating_add_signed(off_ns)),
            uncertainty: scenario.announce_error,
            flow,
        }
    }
}

impl Plan {
    /// Returns the announcements of route changes, the announcements of steps of a delay, and the steps of a delay at
    /// their time. Notices of route changes at the time of the change are not in the result.
    pub fn notices(&self) -> Vec<Notice> {
        let scenario = &self.scenario;
        let announced = scenario.announce > Span::ZERO;
        let mut notices = self.announcements(self.network.updates.get(1..).unwrap_or_default());
        let mut steps: Vec<Time> = Vec::new();
        for link in &self.network.links {
            if let Delay::Steps(delay) = &link.config.delay {
                steps.extend(delay.iter().map(|&(from, _)| from).filter(|from| *from > Time::ZERO));
            }
        }
        steps.sort_unstable();
        steps.dedup();
        for at in steps {
            for (flow, plan) in self.flows.iter().enumerate() {
                let just_before = Time::from_nanos(at.nanos() - 1);
                if self.propagation_rtt(plan, just_before) == self.propagation_rtt(plan, at) {
                    continue;
                }
                notices.push(Notice::now(at, flow));
                if announced {
                    notices.push(Notice::early(scenario, at, flow));
                }
            }
        }
        notices.sort_unstable_by_key(Notice::order);
        notices
    }

    /// Returns the announcements of route changes.
    pub fn announcements(&self, updates: &[RouteUpdate]) -> Vec<Notice> {
        let scenario = &self.scenario;
        let mut notices = Vec::new();
        for update in updates.iter().filter(|_| scenario.announce > Span::ZERO) {
            let flows = self.flows.iter().enumerate().filter(|(_, plan)| update.concerns(plan.from, plan.to));
            notices.extend(flows.map(|(flow, _)| Notice::early(scenario, update.at, flow)));
        }
        notices
    }

    /// Returns the change in the form that a controller receives.
    pub fn change(&self, notice: &Notice) -> PathChange {
        let plan = &self.flows[notice.flow];
        let after = self.path_state(plan, notice.at);
        let outage = match &self.scenario.network {
            NetworkChoice::Constellation { spec, .. } => spec.handover.outage,
            _ => Span::ZERO,
        };
        let (kind, lasts) = if after.propagation_rtt.is_none() {
            (PathKind::Outage, None)
        } else if self.switches(plan.from, plan.to, notice.at) || self.switches(plan.to, plan.from, notice.at)
        {
            (PathKind::Handover, Some(outage).filter(|outage| *outage > Span::ZERO))
        } else {
            (PathKind::Reroute, None)
        };
        PathChange { now: notice.tell, at: notice.said, uncertainty: notice.uncertainty, lasts, kind, after }
    }

    /// Returns whether the path between two sites has a different first or last link from `at` on.
    fn switches(&self, from: u16, to: u16, at: Time) -> bool {
        if self.network.distance_m.is_none() || at == Time::ZERO {
            return false;
        }
        let Some(path) = self.network.path(from, to) else { return false };
        let (before, after) = (&path.piece(Time::from_nanos(at.nanos() - 1)).links, &path.piece(at).links);
        !before.is_empty() && (before.first() != after.first() || before.last() != after.last())
    }
}
