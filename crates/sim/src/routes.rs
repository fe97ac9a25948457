// SPDX-License-Identifier: MIT OR Apache-2.0
//! Changes of routes, and notices of path changes to flows.
//!
//! Routes change at route steps, or exactly when a path changes (`topology::moment`). When a link is removed, packets
//! that wait for it are forwarded by the new routes, and packets in flight on it arrive. With `in_flight = "drop"`,
//! both are lost.

use crate::state::State;
use control::PathKind;
use engine::Observer;
use hosts::{AnyBody, AnyEndpoint};
use plan::{Notice, Plan};
use saved::{Damaged, Plain as _, Reader, Saved, Writer};
use scenario::NetworkChoice;
use std::collections::VecDeque;
use std::ops::Range;
use topology::{InFlight, RouteUpdate};
use units::Time;

/// Changes the routes, moves packets that wait on removed links, and informs flows about changes of their path. The
/// notice is due at the change or before it.
#[derive(Clone, Debug)]
pub(crate) struct Routes {
    /// Changes of routes, in order of time.
    updates: VecDeque<RouteUpdate>,
    notices: VecDeque<Notice>,
    /// Whether packets in flight on a removed link are lost.
    lose: bool,
    /// The period of the page (part of the network over time) that was computed last; `None` after a caller has taken
    /// it.
    pub page: Option<Range<Time>>,
}

impl Routes {
    /// Creates the path changes until the end of the run. The engine already contains the first update of the network.
    pub fn new(plan: &mut Plan) -> Self {
        let lose = match &plan.scenario.network {
            NetworkChoice::Constellation { spec, .. } => spec.in_flight == InFlight::Drop,
            _ => false,
        };
        let end = plan.end();
        let mut notices = VecDeque::from(plan.notices());
        notices.retain(|notice| notice.tell < end);
        let mut updates = VecDeque::from(std::mem::take(&mut plan.network.updates));
        updates.pop_front();
        updates.retain(|update| update.at < end);
        Self { updates, notices, lose, page: None }
    }

    /// Adds the changes of the next page.
    pub fn extend(&mut self, plan: &Plan, updates: Vec<RouteUpdate>) {
        self.notices.extend(plan.announcements(&updates));
        self.notices.make_contiguous().sort_unstable_by_key(Notice::order);
        self.updates.extend(updates);
    }

    /// Returns the time of the next change or notice; [`Time::MAX`] if there is none.
    pub fn due(&self) -> Time {
        let update = self.updates.front().map_or(Time::MAX, |update| update.at);
        let notice = self.notices.front().map_or(Time::MAX, |notice| notice.tell);
        update.min(notice)
    }

    /// Performs the changes that are due at or before `now`, then the notices.
    pub fn act<O: Observer<AnyBody>>(&mut self, now: Time, state: &mut State<AnyEndpoint, O>) {
        while self.updates.front().is_some_and(|update| update.at <= now) {
            if let Some(update) = self.updates.pop_front() {
                self.change(&update, state);
            }
        }
        while self.notices.front().is_some_and(|notice| notice.tell <= now) {
            if let Some(notice) = self.notices.pop_front() {
                tell(&notice, state);
            }
        }
    }

    fn change<O: Observer<AnyBody>>(&self, update: &RouteUpdate, state: &mut State<AnyEndpoint, O>) {
        let State { plan, engine, shared, .. } = &mut *state;
        shared.follow(update);
        for entry in &update.entries {
            engine.route(entry.node, entry.site, entry.link.map(|link| plan.engine_link(link)));
        }
        for &link in &update.down {
            let from = plan.network.links[link as usize].from;
            engine.link_down(plan.engine_link(link), from, self.lose);
        }
        for flow in 0..state.plan.flows.len() {
            let its = &state.plan.flows[flow];
            if update.concerns(its.from, its.to) {
                let ends = (its.from, its.to);
                if tell(&Notice::now(update.at, flow), state) == PathKind::Handover {
                    let times = state.handovers.entry(ends).or_default();
                    // Several flows may have the same ends. Record their handover once.
                    if times.last() != Some(&update.at) {
                        times.push(update.at);
                    }
                }
            }
        }
    }
}

/// The saved state is the number of remaining changes and notices. Loading removes the past ones from the front.
impl Saved for Routes {
    fn save_to(&self, to: &mut Writer) {
        self.updates.len().save_to(to);
        self.notices.len().save_to(to);
    }

    fn load_from(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged> {
        let (updates, notices) = (usize::read_from(from)?, usize::read_from(from)?);
        let over = |all: usize, rest| all.checked_sub(rest).ok_or_else(|| from.damaged::<Self>());
        let (updates, notices) = (over(self.updates.len(), updates)?, over(self.notices.len(), notices)?);
        self.updates.drain(..updates);
        self.notices.drain(..notices);
        Ok(())
    }
}

/// Informs a flow about a change of its path. Returns the kind of the change.
fn tell<O: Observer<AnyBody>>(notice: &Notice, state: &mut State<AnyEndpoint, O>) -> PathKind {
    let change = state.plan.change(notice);
    state.engine.path_changed(2 * notice.flow, &change);
    change.kind
}
