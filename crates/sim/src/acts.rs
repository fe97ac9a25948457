// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is on the agenda of a run.

use crate::SimError;
use crate::notices::Notice;
use crate::packet::SegmentBody;
use crate::run::Stage;
use crate::summary::Baseline;
use crate::wire::Wiring;
use engine::{Observer, Task};
use scenario::{NetworkChoice, Scenario};
use topology::InFlight;
use units::{Span, Time};

/// How often the caller is asked whether to go on, in virtual time.
const STOP_CHECK: Span = Span::from_secs(1);

/// The end of the warm-up: what came before is left out of the summary.
#[derive(Debug)]
pub(crate) struct WarmUp {
    until: Time,
}

impl WarmUp {
    pub fn until(until: Time) -> Self {
        Self { until }
    }
}

impl<O: Observer<SegmentBody>> Task<Stage<'_, O>> for WarmUp {
    fn due(&self) -> Time {
        self.until
    }
    fn act(&mut self, _now: Time, stage: &mut Stage<'_, O>) -> Result<(), SimError> {
        stage.baseline = Baseline::take(&stage.wiring, &mut stage.engine);
        self.until = Time::MAX;
        Ok(())
    }
}

/// Asks the caller whether to go on.
pub(crate) struct StopChecks<'a> {
    next: Time,
    end: Time,
    stop: &'a mut dyn FnMut(f64) -> bool,
}

impl<'a> StopChecks<'a> {
    /// `stop` is told the share of the way to `end` that is done.
    pub fn new(end: Time, stop: &'a mut dyn FnMut(f64) -> bool) -> Self {
        Self { next: Time::ZERO, end, stop }
    }
}

impl<O: Observer<SegmentBody>> Task<Stage<'_, O>> for StopChecks<'_> {
    fn due(&self) -> Time {
        self.next
    }
    fn act(&mut self, now: Time, _stage: &mut Stage<'_, O>) -> Result<(), SimError> {
        self.next = now + STOP_CHECK;
        let share = now.secs_f64() / self.end.secs_f64().max(f64::MIN_POSITIVE);
        if (self.stop)(share) { Err(SimError::Interrupted) } else { Ok(()) }
    }
}

/// Samples of flows and links.
#[derive(Debug)]
pub(crate) struct Samples {
    interval: Option<Span>,
    next: Time,
}

impl Samples {
    pub fn every(interval: Option<Span>) -> Self {
        Self { interval, next: interval.map_or(Time::MAX, |interval| Time::ZERO + interval) }
    }
}

impl<O: Observer<SegmentBody>> Task<Stage<'_, O>> for Samples {
    fn due(&self) -> Time {
        self.next
    }
    fn act(&mut self, now: Time, stage: &mut Stage<'_, O>) -> Result<(), SimError> {
        stage.recorder.sample(&stage.wiring, &mut stage.engine);
        self.next = self.interval.map_or(Time::MAX, |interval| now + interval);
        Ok(())
    }
}

/// Changes the routes, moves what waits on links that are gone, tells the flows whose path changes.
#[derive(Debug)]
pub(crate) struct Reroutes {
    /// The next of the network's updates.
    update: usize,
    at: Time,
    end: Time,
    /// What flies on a link that goes is lost.
    lose: bool,
}

impl Reroutes {
    /// The network's updates before `end`; the first stands in the engine.
    pub fn new(scenario: &Scenario, wiring: &Wiring, end: Time) -> Self {
        let constellation = match &scenario.network {
            NetworkChoice::Constellation { spec, .. } => Some(spec),
            _ => None,
        };
        let lose = constellation.is_some_and(|spec| spec.in_flight == InFlight::Drop);
        let mut reroutes = Self { update: 0, at: Time::MAX, end, lose };
        reroutes.go_on(wiring);
        reroutes
    }

    fn go_on(&mut self, wiring: &Wiring) {
        self.update += 1;
        let next = wiring.network.updates.get(self.update).map_or(Time::MAX, |update| update.at);
        self.at = if next < self.end { next } else { Time::MAX };
    }
}

impl<O: Observer<SegmentBody>> Task<Stage<'_, O>> for Reroutes {
    fn due(&self) -> Time {
        self.at
    }
    fn act(&mut self, _now: Time, stage: &mut Stage<'_, O>) -> Result<(), SimError> {
        let Stage { scenario, wiring, engine, .. } = stage;
        let update = &wiring.network.updates[self.update];
        for entry in &update.entries {
            engine.route(entry.node, entry.site, entry.link);
        }
        for &link in &update.down {
            engine.link_down(link, wiring.network.links[link as usize].from, self.lose);
        }
        for (flow, plan) in wiring.flows.iter().enumerate() {
            if update.concerns(plan.from, plan.to) {
                let change = wiring.change(scenario, &Notice::now(update.at, flow));
                engine.path_changed(2 * flow, &change);
            }
        }
        self.go_on(wiring);
        Ok(())
    }
}

/// Tells flows of changes of their paths, but for those that a change of routes brings at its own time.
#[derive(Debug)]
pub(crate) struct Notices {
    /// The next is last.
    notices: Vec<Notice>,
}

impl Notices {
    /// Those of `notices`, which are in order, that are told before `end`.
    pub fn new(mut notices: Vec<Notice>, end: Time) -> Self {
        notices.retain(|notice| notice.tell < end);
        notices.reverse();
        Self { notices }
    }
}

impl<O: Observer<SegmentBody>> Task<Stage<'_, O>> for Notices {
    fn due(&self) -> Time {
        self.notices.last().map_or(Time::MAX, |notice| notice.tell)
    }
    fn act(&mut self, _now: Time, stage: &mut Stage<'_, O>) -> Result<(), SimError> {
        if let Some(notice) = self.notices.pop() {
            let change = stage.wiring.change(stage.scenario, &notice);
            stage.engine.path_changed(2 * notice.flow, &change);
        }
        Ok(())
    }
}
