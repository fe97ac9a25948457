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
use std::collections::VecDeque;
use topology::{Almanac, InFlight, RouteUpdate};
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

/// How far a sky without end is laid out ahead, and how long before the end of a page the next is laid out. Packets wait
/// less on any link than is left then; what is past is kept for the last of these.
const PAGE: Span = Span::from_secs(60);
const AHEAD: Span = Span::from_secs(30);
const BEHIND: Span = Span::from_secs(1);

/// Until when a run without end has to be laid out at `now`.
pub(crate) fn laid_until(scenario: &Scenario, now: Time) -> Time {
    now + PAGE + AHEAD + scenario.announce
}

/// Changes the routes, moves what waits on links that are gone, tells the flows whose path changes, when it does or
/// beforehand. Of a sky without end it turns the pages.
pub(crate) struct Paths<'a> {
    /// In order of time.
    updates: VecDeque<RouteUpdate>,
    notices: VecDeque<Notice>,
    /// What flies on a link that goes is lost.
    lose: bool,
    almanac: Option<Almanac<'a>>,
    /// When to turn the page.
    turn: Time,
}

impl<'a> Paths<'a> {
    /// What happens to the paths before `end`; the network's first update stands in the engine. The `almanac` knows what
    /// follows on the network as it is, if anything does.
    pub fn new(scenario: &Scenario, wiring: &mut Wiring, end: Time, almanac: Option<Almanac<'a>>) -> Self {
        let lose = match &scenario.network {
            NetworkChoice::Constellation { spec, .. } => spec.in_flight == InFlight::Drop,
            _ => false,
        };
        let mut notices = VecDeque::from(wiring.notices(scenario));
        notices.retain(|notice| notice.tell < end);
        let mut updates = VecDeque::from(std::mem::take(&mut wiring.network.updates));
        updates.pop_front();
        updates.retain(|update| update.at < end);
        let mut paths = Self { updates, notices, lose, almanac, turn: Time::MAX };
        paths.plan_turn(scenario);
        paths
    }

    fn plan_turn(&mut self, scenario: &Scenario) {
        let ahead = (AHEAD + scenario.announce).nanos();
        let turn = |almanac: &Almanac<'_>| Time::from_nanos(almanac.laid().nanos().saturating_sub(ahead));
        self.turn = self.almanac.as_ref().map_or(Time::MAX, turn);
    }

    fn turn_page<O: Observer<SegmentBody>>(
        &mut self,
        now: Time,
        stage: &mut Stage<'_, O>,
    ) -> Result<(), SimError> {
        let Some(almanac) = &mut self.almanac else { return Ok(()) };
        let since = Time::from_nanos(now.nanos().saturating_sub(BEHIND.nanos()));
        let page = almanac.extend(since, laid_until(stage.scenario, now))?;
        let updates = stage.wiring.turn_to(page, stage.scenario, &mut stage.engine);
        self.notices.extend(stage.wiring.announcements(stage.scenario, &updates));
        self.notices.make_contiguous().sort_unstable_by_key(Notice::order);
        self.updates.extend(updates);
        self.plan_turn(stage.scenario);
        Ok(())
    }

    fn change<O: Observer<SegmentBody>>(&self, update: &RouteUpdate, stage: &mut Stage<'_, O>) {
        let Stage { wiring, engine, .. } = &mut *stage;
        for entry in &update.entries {
            engine.route(entry.node, entry.site, entry.link.map(|link| wiring.engine_link(link)));
        }
        for &link in &update.down {
            let from = wiring.network.links[link as usize].from;
            engine.link_down(wiring.engine_link(link), from, self.lose);
        }
        for flow in 0..stage.wiring.flows.len() {
            let plan = &stage.wiring.flows[flow];
            if update.concerns(plan.from, plan.to) {
                tell(&Notice::now(update.at, flow), stage);
            }
        }
    }
}

fn tell<O: Observer<SegmentBody>>(notice: &Notice, stage: &mut Stage<'_, O>) {
    let change = stage.wiring.change(stage.scenario, notice);
    stage.engine.path_changed(2 * notice.flow, &change);
}

impl<O: Observer<SegmentBody>> Task<Stage<'_, O>> for Paths<'_> {
    fn due(&self) -> Time {
        let update = self.updates.front().map_or(Time::MAX, |update| update.at);
        let notice = self.notices.front().map_or(Time::MAX, |notice| notice.tell);
        update.min(notice).min(self.turn)
    }
    fn act(&mut self, now: Time, stage: &mut Stage<'_, O>) -> Result<(), SimError> {
        if self.turn <= now {
            self.turn_page(now, stage)?;
        }
        while self.updates.front().is_some_and(|update| update.at <= now) {
            if let Some(update) = self.updates.pop_front() {
                self.change(&update, stage);
            }
        }
        while self.notices.front().is_some_and(|notice| notice.tell <= now) {
            if let Some(notice) = self.notices.pop_front() {
                tell(&notice, stage);
            }
        }
        Ok(())
    }
}
