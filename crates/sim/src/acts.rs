// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is on the agenda of a run.

use crate::SimError;
use crate::notices::Notice;
use crate::packet::SegmentBody;
use crate::run::{Options, Stage};
use crate::summary::Baseline;
use crate::wire::Wiring;
use engine::{Observer, Task};
use scenario::{FlowKind, NetworkChoice, Scenario};
use std::collections::VecDeque;
use std::ops::Range;
use topology::{Almanac, InFlight, Page, RouteUpdate, TopologyError};
use units::{Span, Time};

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
        Ok(stage.recorder.check()?)
    }
}

/// Moves the flows' events and sessions into their tables where samples, which do so too, are rare: a run without them would
/// keep all.
#[derive(Debug)]
pub(crate) struct Drains {
    next: Time,
}

impl Drains {
    const EVERY: Span = Span::from_secs(1);

    pub fn new(scenario: &Scenario, options: &Options) -> Self {
        let rare = options.interval.is_none_or(|interval| interval > Self::EVERY);
        let fills = options.events
            || scenario.flows.iter().any(|flow| matches!(flow.kind, FlowKind::Application { .. }));
        Self { next: if fills && rare { Time::ZERO + Self::EVERY } else { Time::MAX } }
    }
}

impl<O: Observer<SegmentBody>> Task<Stage<'_, O>> for Drains {
    fn due(&self) -> Time {
        self.next
    }
    fn act(&mut self, now: Time, stage: &mut Stage<'_, O>) -> Result<(), SimError> {
        stage.recorder.drain_events(&mut stage.engine);
        stage.recorder.drain_sessions(&stage.wiring, &mut stage.engine);
        self.next = now + Self::EVERY;
        Ok(stage.recorder.check()?)
    }
}

/// How far a sky is laid out that is not laid out whole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Horizon {
    /// A run that is no longer is laid out at once, to its end.
    pub whole: Span,
    pub page: Span,
    /// How long before the end of a page the next is laid out. Packets wait less on any link than is left then.
    pub ahead: Span,
    /// For so long what is past is kept.
    pub behind: Span,
    /// Nothing is looked at that comes then.
    pub end: Time,
}

impl Horizon {
    /// Of a run without end, as a clock drives it: what a page takes to lay out must be short.
    pub fn endless(scenario: &Scenario) -> Self {
        let [whole, page, ahead, behind] = [0, 60, 30, 1].map(Span::from_secs);
        Self { whole, page, ahead: ahead + scenario.announce, behind, end: Time::MAX }
    }

    /// Of a run that ends: controllers may ask ten minutes back and ahead.
    pub fn of_run(scenario: &Scenario) -> Self {
        let [whole, page, ahead, behind] = [3600, 600, 600, 600].map(Span::from_secs);
        let end = Time::ZERO + scenario.duration;
        Self { whole, page, ahead: ahead + scenario.announce, behind, end }
    }

    /// Until when all has to be laid out at `now`.
    pub fn laid_until(&self, now: Time) -> Time {
        (now + self.page + self.ahead).min(self.end)
    }

    /// When the next page has to be laid out; [`Time::MAX`]: never again.
    fn turn_at(&self, almanac: &Almanac<'_>) -> Time {
        let laid = almanac.laid();
        if laid >= self.end {
            return Time::MAX;
        }
        Time::from_nanos(laid.nanos().saturating_sub(self.ahead.nanos()))
    }

    /// The moments of a stretch of time that is laid out; the end of the run is one.
    pub fn seen(&self, laid: Range<Time>) -> Range<Time> {
        let nothing_follows = laid.end >= self.end;
        laid.start..if nothing_follows { self.end + Span::from_nanos(1) } else { laid.end }
    }

    /// Lays out the next page at `now`; what was before `since` is forgotten.
    pub fn turn(&self, almanac: &mut Almanac<'_>, since: Time, now: Time) -> Result<Page, TopologyError> {
        let until = self.laid_until(now);
        if until >= self.end { almanac.end(since, self.end) } else { almanac.extend(since, until) }
    }
}

/// Changes the routes, moves what waits on links that are gone, tells the flows whose path changes, when it does or
/// beforehand. Of a sky that is laid out page by page it turns the pages. Notes when links fall silent that no rung is left to.
pub(crate) struct Paths<'a> {
    /// In order of time.
    updates: VecDeque<RouteUpdate>,
    notices: VecDeque<Notice>,
    /// What flies on a link that goes is lost.
    lose: bool,
    almanac: Option<Almanac<'a>>,
    horizon: Horizon,
    /// When to turn the page.
    turn: Time,
    /// When a link falls silent next, or speaks again.
    silence: Time,
    /// Whether paths are written down, page by page.
    record: bool,
}

impl<'a> Paths<'a> {
    /// What happens to the paths before `end`; the network's first update stands in the engine. The `almanac` knows what
    /// follows on the network as it is, if anything does.
    pub fn new(
        scenario: &Scenario,
        wiring: &mut Wiring,
        (horizon, almanac): (Horizon, Option<Almanac<'a>>),
        record: bool,
    ) -> Self {
        let end = horizon.end;
        let lose = match &scenario.network {
            NetworkChoice::Constellation { spec, .. } => spec.in_flight == InFlight::Drop,
            _ => false,
        };
        let mut notices = VecDeque::from(wiring.notices(scenario));
        notices.retain(|notice| notice.tell < end);
        let mut updates = VecDeque::from(std::mem::take(&mut wiring.network.updates));
        updates.pop_front();
        updates.retain(|update| update.at < end);
        let turn = almanac.as_ref().map_or(Time::MAX, |almanac| horizon.turn_at(almanac));
        let silence = wiring.next_silence();
        Self { updates, notices, lose, almanac, horizon, turn, silence, record }
    }

    fn turn_page<O: Observer<SegmentBody>>(
        &mut self,
        now: Time,
        stage: &mut Stage<'_, O>,
    ) -> Result<(), SimError> {
        let Some(almanac) = &mut self.almanac else { return Ok(()) };
        let since = Time::from_nanos(now.nanos().saturating_sub(self.horizon.behind.nanos()));
        let page = self.horizon.turn(almanac, since, now)?;
        let new = page.from..page.until;
        stage.recorder.weather(&mut stage.wiring, &stage.engine, None);
        let updates = stage.wiring.turn_to(page, stage.scenario, &mut stage.engine);
        stage.breaks.look_ahead(&mut stage.wiring);
        if self.record {
            stage.recorder.paths(&stage.wiring, &self.horizon.seen(new));
        }
        self.notices.extend(stage.wiring.announcements(stage.scenario, &updates));
        self.notices.make_contiguous().sort_unstable_by_key(Notice::order);
        self.updates.extend(updates);
        self.turn = self.horizon.turn_at(almanac);
        self.silence = stage.wiring.next_silence();
        Ok(())
    }

    fn change<O: Observer<SegmentBody>>(&self, update: &RouteUpdate, stage: &mut Stage<'_, O>) {
        let Stage { wiring, engine, .. } = &mut *stage;
        wiring.shared.follow(update);
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
        update.min(notice).min(self.turn).min(self.silence)
    }
    fn act(&mut self, now: Time, stage: &mut Stage<'_, O>) -> Result<(), SimError> {
        if self.silence <= now {
            stage.wiring.fall_silent(now, &stage.engine);
            self.silence = stage.wiring.next_silence();
        }
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
