// SPDX-License-Identifier: MIT OR Apache-2.0
//! Carries out a run, from its plan to its tables and summary. A session advances, and the recorder and the guard read
//! it at the times of their samples and checks.
//!
//! A run never reads a clock. Instead, it asks its caller whether to continue: every 256 events, at every change of the
//! network and at every route step. While a network is computed, it asks at every satellite and link. While flows are
//! set up, it asks at every flow.

use super::capture::Captures;
use super::guard::{self, Guard};
use super::measured;
use super::proxy_peaks::ProxyPeaks;
use super::recorder::{PacketLog, Recorder, places};
use super::summary::{self, Baseline};
use super::taps;
use super::weather::Weather;
use crate::session::{Session, Settings};
use crate::state::State;
use crate::{SimError, Unsaved};
use control::Overrides;
use engine::{NoObserver, Observer};
use hosts::{AnyBody, AnyEndpoint, Arrived, Tap};
use plan::{Plan, Stop, never};
use record::tables::{LinkEndTable, Tables};
use record::{Batches, Summary};
use scenario::{FlowKind, Scenario, Window};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use units::{Span, Time};

/// What a run records.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Interval between samples; `None`: no samples.
    pub interval: Option<Span>,
    /// Whether each loss, cut, phase change and path change has a row.
    pub events: bool,
    /// Part of the run in which each packet has a row; `None`: no packets.
    pub packets: Option<Window>,
    /// Returns the bytes of available memory, if known. The run calls this function when it has millions of packets.
    /// Without this function, a run may fill the memory of the machine.
    pub free_memory: Option<fn() -> Option<f64>>,
}

impl Options {
    /// Returns the options that the scenario requests.
    pub fn of(scenario: &Scenario) -> Self {
        let record = &scenario.record;
        Self { interval: record.interval, events: record.events, packets: record.packets, free_memory: None }
    }
}

/// The results of a run.
#[derive(Debug)]
pub struct Outcome {
    /// The summary of the run.
    pub summary: Summary,
    /// The tables of the run.
    pub tables: Tables,
}

/// Runs a scenario.
///
/// # Errors
/// If the scenario cannot be built, or if the packet counts of the engine do not balance (a defect of Bentpipe).
pub fn run(scenario: &Scenario, options: &Options) -> Result<Outcome, SimError> {
    run_until_interrupted(scenario, options, Tables::default(), None, &never)
}

/// Runs a scenario and fills `tables` and `captures`.
///
/// `stop` is called repeatedly with the completed fraction of the run, and returns true to interrupt the run. It is
/// called while routes are computed and for each flow that is set up. During the run, it is called every few hundred
/// events and at every change of the network. The number of calls does not change the results. `stop` must return
/// quickly.
///
/// # Errors
/// The same as for [`run`]. [`SimError::Interrupted`] if `stop` returns true. [`SimError::Record`] if the tables cannot
/// be written.
pub fn run_until_interrupted(
    scenario: &Scenario,
    options: &Options,
    tables: Tables,
    captures: Option<Captures>,
    stop: Stop<'_>,
) -> Result<Outcome, SimError> {
    let plan = Plan::of_run(scenario, stop)?;
    let end = plan.end();
    if options.packets.is_none() && captures.is_none() {
        let mut run = Run::new(plan, options, tables, NoObserver, stop)?;
        run.advance(end, stop)?;
        return Ok(run.finish(stop)?.0);
    }
    let (mut run, failed) = watched(plan, options, tables, captures, stop)?;
    let stop = |share| failed.load(Relaxed) || stop(share);
    let advanced = run.advance(end, &stop);
    if failed.load(Relaxed) {
        let (log, captures) = run.session.into_observer();
        Tables { packets: log.into_table(), ..Tables::default() }.check()?;
        captures.map_or(Ok(()), |captures| captures.finish(end))?;
        unreachable!("what has failed knows why");
    }
    advanced?;
    run.finish_watched(&stop)
}

/// Runs a scenario in steps and fills `tables`. `saved` is the state from which the run continues; see
/// [`Run::restore`].
///
/// `step` is called before each step with the run at that time, and returns the length of the step in virtual time. It
/// may save the run. Neither the number nor the length of steps changes the results. `stop` has the same meaning as in
/// [`run_until_interrupted`].
///
/// # Errors
/// The same as for [`run_until_interrupted`] and [`Run::restore`], and the errors of `step`. [`SimError::NoSave`] if
/// the run cannot be saved.
pub fn run_in_steps(
    scenario: &Scenario,
    options: &Options,
    tables: Tables,
    saved: Option<&[u8]>,
    step: &mut dyn FnMut(&Run) -> Result<Span, SimError>,
    stop: Stop<'_>,
) -> Result<Outcome, SimError> {
    if let Some(why) = Unsaved::of(scenario) {
        return Err(SimError::NoSave(why));
    }
    let plan = Plan::of_run(scenario, stop)?;
    let end = plan.end();
    let mut run = match saved {
        Some(saved) => Run::restore(plan, options, tables, stop, saved)?,
        None => Run::new(plan, options, tables, NoObserver, stop)?,
    };
    run.check_saved()?;
    let mut now = run.session.engine().now();
    while now < end {
        now = (now + step(&run)?).min(end);
        run.advance(now, stop)?;
    }
    Ok(run.finish(stop)?.0)
}

/// The observer of packets: the log of packets, and captures.
pub type Watch = (PacketLog, Option<Captures>);

/// Creates a run at time zero whose packets are written to the table of packets and to captures. Also returns the flag
/// that is set when a row or a capture cannot be written.
///
/// # Errors
/// The same as for [`Run::new`], or if a capture cannot be started.
pub fn watched(
    plan: Plan,
    options: &Options,
    mut tables: Tables,
    captures: Option<Captures>,
    stop: Stop<'_>,
) -> Result<(Run<Watch>, Arc<AtomicBool>), SimError> {
    let failed = captures.as_ref().map_or_else(Arc::<AtomicBool>::default, Captures::failed);
    let log = PacketLog::new(options.packets, std::mem::take(&mut tables.packets), failed.clone());
    let mut run = Run::new(plan, options, tables, (log, captures), stop)?;
    let State { plan, engine, .. } = run.session.state_mut();
    let mut captures = engine.observer_mut().1.take();
    captures.as_mut().map_or(Ok(()), |captures| captures.lay(plan, engine.endpoints()))?;
    engine.observer_mut().1 = captures;
    Ok((run, failed))
}

impl Run<Watch> {
    /// Does the same as [`Run::finish`]. The result also has the table of packets, and captures are completed.
    ///
    /// # Errors
    /// The same as for [`Run::finish`], or if a capture cannot be written.
    pub fn finish_watched(self, stop: Stop<'_>) -> Result<Outcome, SimError> {
        let end = self.session.engine().now();
        let (mut outcome, (log, captures)) = self.finish(stop)?;
        outcome.tables.packets = log.into_table();
        captures.map_or(Ok(()), |captures| captures.finish(end))?;
        Ok(outcome)
    }
}

/// A session with the records of the run.
#[derive(Debug)]
pub struct Run<O: Observer<AnyBody> = NoObserver> {
    pub(super) session: Session<O>,
    pub(super) recorder: Recorder,
    /// The counters at the end of the warm-up.
    pub(super) baseline: Baseline,
    pub(super) guard: Guard,
    pub(super) peaks: ProxyPeaks,
    /// The weather of link budgets; `None` if no link has a budget.
    pub(super) weather: Option<Weather>,
    pub(super) moments: Moments,
    /// Whether nodes, the ends of links and the positions of satellites are recorded.
    pub(super) places: bool,
}

/// The times of the next samples and records; [`Time::MAX`] means "never".
#[derive(Clone, Debug, saved::Saved)]
pub(super) struct Moments {
    warm_up: Time,
    #[saved(fixed)]
    interval: Option<Span>,
    sample: Time,
    drain: Time,
    look: Time,
}

/// Largest interval between two moves of flow events and visits into their tables. Samples move them too. A run without
/// samples would otherwise keep all of them in memory.
const DRAIN: Span = Span::from_secs(1);

impl Moments {
    fn new(scenario: &Scenario, options: &Options) -> Self {
        let rare = options.interval.is_none_or(|interval| interval > DRAIN);
        let fills = options.events
            || scenario.flows.iter().any(|flow| matches!(flow.kind, FlowKind::Application { .. }));
        Self {
            warm_up: Time::ZERO + scenario.warm_up,
            interval: options.interval,
            sample: options.interval.map_or(Time::MAX, |interval| Time::ZERO + interval),
            drain: if fills && rare { Time::ZERO + DRAIN } else { Time::MAX },
            look: Time::ZERO + guard::LOOK,
        }
    }

    fn next(&self) -> Time {
        self.warm_up.min(self.sample).min(self.drain).min(self.look)
    }
}

impl<O: Observer<AnyBody>> Run<O> {
    /// Creates a run at time zero that is recorded in `tables`. `observer` receives every packet. `stop` has the same
    /// meaning as in [`run_until_interrupted`].
    ///
    /// # Errors
    /// If the session cannot be created; see [`Session::new`].
    pub fn new(
        plan: Plan,
        options: &Options,
        tables: Tables,
        observer: O,
        stop: Stop<'_>,
    ) -> Result<Self, SimError> {
        let mut run = Self::begin(plan, options, tables, observer, stop)?;
        run.places = options.interval.is_some();
        if run.places {
            let plan = &run.session.state().plan;
            run.recorder.paths(plan, &plan.laid());
        }
        Ok(run)
    }

    /// Does the same as [`Run::new`] for a run without an end, whose records grow. The tables of paths and places stay
    /// empty.
    ///
    /// # Errors
    /// The same as for [`Run::new`].
    pub fn open_ended(plan: Plan, options: &Options, observer: O, stop: Stop<'_>) -> Result<Self, SimError> {
        Self::begin(plan, options, Tables::default(), observer, stop)
    }

    pub(super) fn begin(
        mut plan: Plan,
        options: &Options,
        tables: Tables,
        observer: O,
        stop: Stop<'_>,
    ) -> Result<Self, SimError> {
        let moments = Moments::new(&plan.scenario, options);
        let weather = Weather::new(std::mem::take(&mut plan.states), moments.warm_up);
        let settings = Settings { events: options.events, free_memory: options.free_memory };
        let session = Session::new(plan, settings, observer, stop)?;
        let recorder = Recorder::new(&session.state().plan, tables, moments.warm_up, options);
        let (baseline, guard, peaks) = (Baseline::default(), Guard::default(), ProxyPeaks::default());
        Ok(Self { session, recorder, baseline, guard, peaks, weather, moments, places: false })
    }

    /// Continues to `until` in the same way as [`Session::advance`], and records samples and events.
    ///
    /// # Errors
    /// The same as for [`Session::advance`], or if a table cannot be written.
    pub fn advance(&mut self, until: Time, stop: Stop<'_>) -> Result<(), SimError> {
        loop {
            let due = self.next();
            if due == Time::MAX || due > until {
                return self.session.advance(until, stop);
            }
            // A wall clock may call late, when the engine is already past `due`.
            let now = due.max(self.session.engine().now());
            self.session.reach(now, stop)?;
            self.before_changes(now)?;
            self.session.advance(now, stop)?;
            self.after_changes(now);
        }
    }

    /// Returns the time of the next record, or of the next page (part of the network over time).
    fn next(&self) -> Time {
        self.moments.next().min(self.session.state().plan.next_turn())
    }

    /// Returns the time of the next action of [`Run::advance`]. Until then a caller with a wall clock may sleep.
    pub fn next_moment(&mut self) -> Time {
        self.next().min(self.session.next_moment())
    }

    /// Performs the actions that are due at or before `now` and precede the changes of routes at that time.
    fn before_changes(&mut self, now: Time) -> Result<(), SimError> {
        let Self { session, recorder, baseline, weather, moments, .. } = self;
        let is_turning = session.state().plan.next_turn() <= now;
        let state = session.state_mut();
        if moments.warm_up <= now {
            *baseline = Baseline::take(state);
            moments.warm_up = Time::MAX;
        }
        while moments.sample <= now {
            recorder.sample(state);
            moments.sample = moments.interval.map_or(Time::MAX, |interval| now + interval);
            recorder.check()?;
        }
        while moments.drain <= now {
            recorder.drain_events(state);
            recorder.drain_visits(state);
            moments.drain = now + DRAIN;
            recorder.check()?;
        }
        if let Some(weather) = weather.as_mut().filter(|_| is_turning) {
            recorder.weather(state, weather, None);
        }
        Ok(())
    }

    /// Performs the actions that are due at or before `now` and follow the changes of routes.
    fn after_changes(&mut self, now: Time) {
        let Self { session, recorder, guard, peaks, weather, moments, .. } = self;
        let page = session.take_page();
        let State { plan, engine, .. } = session.state_mut();
        if let Some(page) = page {
            turn_weather(weather, plan, page.start);
            if self.places {
                recorder.paths(plan, &page);
            }
        }
        while moments.look <= now {
            guard.look(plan, engine);
            peaks.look(plan, engine);
            moments.look = now + guard::LOOK;
        }
    }

    /// Returns a copy of the run and of its records so far; see [`Session::fork`]. The copy writes no files.
    ///
    /// # Errors
    /// The same as for [`Session::fork`].
    pub fn fork(&self) -> Result<Self, SimError>
    where
        O: Clone,
    {
        let Self { session, recorder, baseline, guard, peaks, weather, moments, places } = self;
        let (recorder, baseline, guard) = (recorder.clone(), baseline.clone(), guard.clone());
        let peaks = peaks.clone();
        let (weather, moments) = (weather.clone(), moments.clone());
        Ok(Self {
            session: session.fork()?,
            recorder,
            baseline,
            guard,
            peaks,
            weather,
            moments,
            places: *places,
        })
    }

    /// Returns the records so far, except rows that were already written to a file. Events and visits of applications
    /// are added with each sample, and at least once per second.
    pub fn tables(&self) -> Tables {
        self.recorder.tables().clone()
    }

    /// Returns the nodes, the pairs of the grid of a constellation, and the positions of satellites, which the tables
    /// of [`Run::so_far`] lack.
    ///
    /// # Errors
    /// [`SimError::Interrupted`] if `stop` returns true.
    pub fn places(&self, stop: Stop<'_>) -> Result<Tables, SimError> {
        let mut tables = Tables::default();
        places::places(&mut tables, &self.session.state().plan, stop)?;
        Ok(tables)
    }

    /// Returns the summary of the run so far, without findings, and the rows of its tables since the last call
    /// ([`Tables::fresh`]). The table of link ends contains all links of the summary.
    pub fn so_far(&mut self) -> (Summary, Batches) {
        let Self { session, recorder, baseline, peaks, weather, .. } = self;
        let state = session.state();
        let mut summary = summary::draw_up(state, baseline, weather.as_ref(), Vec::new(), recorder.felt());
        peaks.enter(&state.plan, &mut summary.proxies);
        summary.flows.extend(taps::summaries(state));
        // The tables end with the last sample.
        let sampled = recorder.last();
        let end = if sampled > Time::ZERO { sampled } else { state.engine.now() };
        summary.provenance.duration_s = end.secs_f64();
        let mut ends = LinkEndTable::default();
        places::link_ends(&mut ends, &state.plan, &summary.links);
        (summary, Batches { link_ends: ends.fresh(), ..recorder.tables_mut().fresh() })
    }

    /// Does the same as [`Session::command`].
    ///
    /// # Errors
    /// The same as for [`Session::command`].
    pub fn command(&mut self, flow: usize, overrides: Overrides) -> Result<(), SimError> {
        self.session.command(flow, overrides)
    }

    /// Sends an IP packet into the network now, at the tap with this endpoint number. Returns false if the packet is
    /// not an IP packet.
    ///
    /// # Panics
    /// If the endpoint is not a tap.
    pub fn send(&mut self, endpoint: usize, packet: Box<[u8]>) -> bool {
        let engine = &mut self.session.state_mut().engine;
        let now = engine.now();
        let is_ip = tap_of(&mut engine.endpoints_mut()[endpoint]).send(now, packet);
        engine.wake(endpoint);
        is_ip
    }

    /// Removes and returns the packet that arrived first at the tap with this endpoint number.
    ///
    /// # Panics
    /// If the endpoint is not a tap.
    pub fn take_arrived(&mut self, endpoint: usize) -> Option<Arrived> {
        tap_of(&mut self.session.state_mut().engine.endpoints_mut()[endpoint]).take_arrived()
    }

    /// Returns the tap with this endpoint number.
    ///
    /// # Panics
    /// If the endpoint is not a tap.
    pub fn tap_mut(&mut self, endpoint: usize) -> &mut Tap {
        tap_of(&mut self.session.state_mut().engine.endpoints_mut()[endpoint])
    }

    /// Returns the session.
    pub fn session(&self) -> &Session<O> {
        &self.session
    }

    /// Ends the run at its present time. Returns its results and the observer.
    ///
    /// # Errors
    /// [`SimError::Conservation`] if the packet counts do not balance; [`SimError::Interrupted`] if `stop` returns
    /// true.
    pub fn finish(self, stop: Stop<'_>) -> Result<(Outcome, O), SimError> {
        let Self { mut session, mut recorder, baseline, guard, mut peaks, mut weather, places, .. } = self;
        let state = session.state_mut();
        let now = state.engine.now();
        state.engine.settle(Time::MAX);
        if let Some(weather) = &mut weather {
            recorder.weather(state, weather, Some(now));
        }
        recorder.drain_events(state);
        recorder.last_visits(state);
        state.engine.check_conservation()?;
        peaks.look(&state.plan, &state.engine);
        let mut findings = guard.findings(&state.plan, &state.engine);
        findings.extend(recorder.stuck(&state.plan, now));
        findings.extend(measured::findings(state, &baseline, &findings));
        findings.sort_by_key(|finding| finding.flow);
        let weather = weather.as_ref();
        let mut summary = summary::draw_up(state, &baseline, weather, findings, recorder.felt());
        peaks.enter(&session.state().plan, &mut summary.proxies);
        summary.flows.extend(taps::summaries(session.state()));
        summary.breaks = session.breaks();
        if places {
            let plan = &session.state().plan;
            places::link_ends(&mut recorder.tables_mut().link_ends, plan, &summary.links);
            places::places(recorder.tables_mut(), plan, stop)?;
        }
        Ok((Outcome { summary, tables: recorder.finish() }, session.into_observer()))
    }
}

/// Adds the weather of a page (a part of the network over time) that starts at `from`.
pub(super) fn turn_weather(weather: &mut Option<Weather>, plan: &mut Plan, from: Time) {
    let states = std::mem::take(&mut plan.states);
    match weather {
        Some(weather) => weather.turn(states, from),
        None => *weather = Weather::new(states, Time::ZERO + plan.scenario.warm_up),
    }
}

fn tap_of(endpoint: &mut AnyEndpoint) -> &mut Tap {
    let AnyEndpoint::Tap(tap) = endpoint else { unreachable!("only taps exchange packets with programs") };
    tap
}

#[cfg(test)]
mod tests;
