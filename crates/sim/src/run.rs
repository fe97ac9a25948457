// SPDX-License-Identifier: MIT OR Apache-2.0
//! One run: the engine and its agenda (route changes, notices, samples, end of the warm-up) go through time together,
//! then the books are checked and the summary is drawn up.

use crate::acts::{Drains, Horizon, Paths, Samples, WarmUp};
use crate::breaks::Breaks;
use crate::cost::PACKET_BYTES;
use crate::endpoint::AnyEndpoint;
use crate::guard::{Guard, Looks};
use crate::lay::Stop;
use crate::packet::SegmentBody;
use crate::recorder::{PacketLog, Recorder};
use crate::summary::Baseline;
use crate::wire::Wiring;
use crate::{Captures, SimError};
use engine::{Agenda, Blind, Engine, Observer, World};
use record::Summary;
use record::tables::Tables;
use scenario::{Scenario, Window};
use std::rc::Rc;
use topology::Almanac;
use units::{Span, Time};

/// What a run shall write down.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Interval of the samples; `None`: no series.
    pub interval: Option<Span>,
    /// A row per loss, cut, phase and path change.
    pub events: bool,
    /// A row per packet, in this window.
    pub packets: Option<Window>,
    /// How many bytes of memory can still be had, if that is known. Asked as a run's packets become millions; without it
    /// they may become as many as the machine can bear.
    pub free_memory: Option<fn() -> Option<f64>>,
}

impl Options {
    /// What the scenario asks for.
    pub fn of(scenario: &Scenario) -> Self {
        let record = &scenario.record;
        Self { interval: record.interval, events: record.events, packets: record.packets, free_memory: None }
    }
}

/// What came of a run.
#[derive(Debug)]
pub struct Outcome {
    /// The numbers.
    pub summary: Summary,
    /// The series.
    pub tables: Tables,
}

/// Runs a scenario.
///
/// # Errors
/// What the scenario asks for cannot be built, or (a defect) the engine's books do not balance.
pub fn run(scenario: &Scenario, options: &Options) -> Result<Outcome, SimError> {
    run_until_interrupted(scenario, options, Tables::default(), None, &|_| false)
}

/// Runs a scenario and writes down what it shall in `tables` and `captures`; `stop` is asked over and over with the share done, and
/// answers true to give the run up: while routes are laid out, for each flow that is set up, every few hundred events, and
/// whenever something is on the agenda. Nothing depends on how often it is asked. It must be quick, and is no place for a
/// clock.
///
/// # Errors
/// As [`run`]; [`SimError::Interrupted`]; or the tables cannot be written.
pub fn run_until_interrupted(
    scenario: &Scenario,
    options: &Options,
    mut tables: Tables,
    captures: Option<Captures>,
    stop: &dyn Fn(f64) -> bool,
) -> Result<Outcome, SimError> {
    let end = Time::ZERO + scenario.duration;
    if options.packets.is_none() && captures.is_none() {
        let mut simulation = Simulation::new(scenario, options, tables, Blind, stop)?;
        simulation.advance(end)?;
        return Ok(simulation.finish()?.0);
    }
    let failed = captures.as_ref().map_or_else(Rc::default, Captures::failed);
    let log = PacketLog::new(options.packets, std::mem::take(&mut tables.packets), failed.clone());
    let stop = |share| failed.get() || stop(share);
    let mut simulation = Simulation::new(scenario, options, tables, (log, captures), &stop)?;
    let Stage { engine, wiring, .. } = &mut simulation.stage;
    engine.observer_mut().1.as_mut().map_or(Ok(()), |captures| captures.lay(scenario, wiring))?;
    let advanced = simulation.advance(end);
    if failed.get() {
        let (log, captures) = simulation.stage.engine.into_observer();
        Tables { packets: log.into_table(), ..Tables::default() }.check()?;
        captures.map_or(Ok(()), |captures| captures.finish(end))?;
        unreachable!("what has failed knows why");
    }
    advanced?;
    let (mut outcome, (log, captures)) = simulation.finish()?;
    outcome.tables.packets = log.into_table();
    captures.map_or(Ok(()), |captures| captures.finish(end))?;
    Ok(outcome)
}

/// A run under way. Whoever has the time drives it: [`run`] goes to the end at once, a clock as time goes on.
#[derive(Debug)]
pub struct Simulation<'a, O: Observer<SegmentBody> = Blind> {
    stage: Stage<'a, O>,
    agenda: Agenda<'a, Stage<'a, O>>,
}

/// What the acts of a run work on.
pub(crate) struct Stage<'a, O> {
    pub scenario: &'a Scenario,
    pub wiring: Wiring,
    pub engine: Engine<AnyEndpoint, O>,
    pub recorder: Recorder,
    /// The numbers at the end of the warm-up.
    pub baseline: Baseline,
    pub guard: Guard,
    pub breaks: Breaks,
    stop: Stop<'a>,
    end: Time,
    /// Whether nodes, the ends of links and the positions of satellites are written down.
    places: bool,
    free_memory: Option<fn() -> Option<f64>>,
    /// At how many packets it is looked next whether there is room for as many again.
    crowd: usize,
}

/// Events between two questions whether to go on: well below a millisecond of work.
const BREATH: u64 = 256;
/// As many packets take a quarter of a gigabyte: it is first looked then whether there is room for more.
const CROWD: usize = 1 << 20;

impl<O> Stage<'_, O> {
    fn ask(&self, now: Time) -> Result<(), SimError> {
        let share = now.secs_f64() / self.end.secs_f64().max(f64::MIN_POSITIVE);
        if (self.stop)(share) { Err(SimError::Interrupted) } else { Ok(()) }
    }
}

impl<O: Observer<SegmentBody>> Stage<'_, O> {
    /// Whether there is room for as many packets again: a window that runs away over a queue without a bound would have
    /// the system kill the whole process.
    fn look_for_room(&mut self) -> Result<(), SimError> {
        let packets = self.engine.packets();
        if packets < self.crowd {
            return Ok(());
        }
        self.crowd = 2 * packets;
        let needed = packets as f64 * PACKET_BYTES;
        match self.free_memory.and_then(|ask| ask()) {
            Some(free) if needed > free => {
                let fullest = self.engine.links().enumerate().max_by_key(|(_, link)| link.in_flight());
                let link = fullest.map_or_else(String::new, |(number, _)| self.wiring.link_name(number));
                Err(SimError::Crowded { at: self.engine.now(), packets, link, free })
            }
            _ => Ok(()),
        }
    }
}

impl<O: Observer<SegmentBody>> World for Stage<'_, O> {
    type Error = SimError;
    fn now(&self) -> Time {
        self.engine.now()
    }
    fn next_event(&self) -> Option<Time> {
        self.engine.next_event()
    }
    fn advance(&mut self, until: Time) -> Result<(), SimError> {
        while !self.engine.advance_some(until, BREATH) {
            self.ask(self.engine.now())?;
            self.look_for_room()?;
        }
        self.ask(until)
    }
}

impl<O> std::fmt::Debug for Stage<'_, O> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stage").field("scenario", &self.scenario.name).finish_non_exhaustive()
    }
}

impl<'a, O: Observer<SegmentBody>> Simulation<'a, O> {
    /// A run at time zero, written down in `tables`. `observer` sees single packets; `stop` as in [`run_until_interrupted`].
    ///
    /// # Errors
    /// If what the scenario asks for cannot be built.
    pub fn new(
        scenario: &'a Scenario,
        options: &Options,
        tables: Tables,
        observer: O,
        stop: &'a dyn Fn(f64) -> bool,
    ) -> Result<Self, SimError> {
        Self::within((scenario, options), tables, observer, stop, Horizon::of_run(scenario))
    }

    /// As [`Simulation::new`], laid out as far as `horizon` says.
    fn within(
        (scenario, options): (&'a Scenario, &Options),
        tables: Tables,
        observer: O,
        stop: Stop<'a>,
        horizon: Horizon,
    ) -> Result<Self, SimError> {
        let (wiring, almanac) = Wiring::ahead(scenario, &horizon, stop)?;
        let laid = almanac.as_ref().map_or(horizon.end, Almanac::laid);
        let record = options.interval.is_some();
        let mut simulation =
            Self::begin((scenario, options), observer, stop, wiring, (horizon, almanac), (tables, record))?;
        if record {
            let Stage { recorder, wiring, .. } = &mut simulation.stage;
            recorder.paths(wiring, &horizon.seen(Time::ZERO..laid));
        }
        Ok(simulation)
    }

    /// A run without end at time zero, whatever the scenario's duration: a constellation is laid out page by page as time
    /// goes on, in bounded memory (what is recorded grows). The table of paths stays empty.
    ///
    /// # Errors
    /// As [`Simulation::new`]; [`SimError::Unending`] where the network is drawn for a duration.
    pub fn open_ended(
        scenario: &'a Scenario,
        options: &Options,
        observer: O,
        stop: &'a dyn Fn(f64) -> bool,
    ) -> Result<Self, SimError> {
        let horizon = Horizon::endless(scenario);
        let (wiring, almanac) = Wiring::open_ended(scenario, &horizon, stop)?;
        Self::begin(
            (scenario, options),
            observer,
            stop,
            wiring,
            (horizon, almanac),
            (Tables::default(), false),
        )
    }

    fn begin(
        (scenario, options): (&'a Scenario, &Options),
        observer: O,
        stop: Stop<'a>,
        mut wiring: Wiring,
        (horizon, almanac): (Horizon, Option<Almanac<'a>>),
        (tables, places): (Tables, bool),
    ) -> Result<Self, SimError> {
        let engine = wiring.engine(scenario, options, observer, stop)?;
        // The order in which they act where several are due at the same time.
        let mut breaks = Breaks::new(scenario, &wiring);
        breaks.look_ahead(&mut wiring);
        let mut agenda = Agenda::new()
            .with(WarmUp::until(Time::ZERO + scenario.warm_up))
            .with(Samples::every(options.interval))
            .with(Drains::new(scenario, options))
            .with(Paths::new(scenario, &mut wiring, (horizon, almanac), places));
        if let Some(task) = breaks.task() {
            agenda = agenda.with(task);
        }
        let agenda = agenda.with(Looks::new());
        let sessions = (Time::ZERO + scenario.warm_up, options.events);
        let recorder = Recorder::new(&wiring, tables, sessions, options.interval.is_some());
        let (baseline, guard) = (Baseline::default(), Guard::default());
        let (end, free_memory, crowd) = (horizon.end, options.free_memory, CROWD);
        let stage = Stage {
            scenario,
            wiring,
            engine,
            recorder,
            baseline,
            guard,
            breaks,
            stop,
            end,
            places,
            free_memory,
            crowd,
        };
        Ok(Self { stage, agenda })
    }

    /// Goes on to `until`: what is on the agenda by then is done, packets move that have to before it. Where a stretch of
    /// time is cut makes no difference.
    ///
    /// # Errors
    /// [`SimError::Interrupted`]; of a run without end also where the sky cannot be laid out any further.
    pub fn advance(&mut self, until: Time) -> Result<(), SimError> {
        self.agenda.advance(until, &mut self.stage)
    }

    /// When [`Simulation::advance`] has something to do again: until then a clock may sleep.
    pub fn next_moment(&self) -> Time {
        self.agenda.next_moment(&self.stage)
    }

    /// Packets, links and endpoints as they stand.
    pub fn engine(&self) -> &Engine<AnyEndpoint, O> {
        &self.stage.engine
    }

    /// The run is over where it stands: what came of it, and the observer.
    ///
    /// # Errors
    /// [`SimError::Conservation`], [`SimError::Interrupted`].
    pub fn finish(self) -> Result<(Outcome, O), SimError> {
        let Stage {
            scenario,
            mut wiring,
            mut engine,
            mut recorder,
            baseline,
            guard,
            breaks,
            places,
            stop,
            ..
        } = self.stage;
        recorder.weather(&mut wiring, &engine, Some(engine.now()));
        recorder.drain_events(&mut engine);
        recorder.last_sessions(&wiring, &mut engine);
        engine.check_conservation()?;
        let mut findings = guard.findings(&wiring, &engine);
        findings.extend(recorder.stuck(&wiring, engine.now()));
        findings.sort_by_key(|finding| finding.flow);
        let mut summary =
            crate::summary::draw_up(scenario, &wiring, &engine, &baseline, (findings, recorder.felt()));
        summary.breaks = breaks.finish(&mut engine);
        if places {
            recorder.places(scenario, &wiring, &summary, stop)?;
        }
        Ok((Outcome { summary, tables: recorder.finish() }, engine.into_observer()))
    }
}

#[cfg(test)]
mod tests;
