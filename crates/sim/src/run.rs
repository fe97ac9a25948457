// SPDX-License-Identifier: MIT OR Apache-2.0
//! One run: the engine is driven from one moment of interest to the next (route changes, samples, end of the
//! warm-up), then the books are checked and the summary is drawn up.

use crate::SimError;
use crate::endpoint::AnyEndpoint;
use crate::engine::{Engine, Observer};
use crate::notices::Notice;
use crate::recorder::{PacketLog, Recorder};
use crate::wire::Layout;
use record::Summary;
use record::tables::Tables;
use scenario::{NetworkChoice, Scenario, Window};
use topology::{InFlight, RouteUpdate};
use units::{Span, Time};

/// What a run shall write down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Interval of the samples; `None`: no series.
    pub interval: Option<Span>,
    /// A row per loss, cut, phase and path change.
    pub events: bool,
    /// A row per packet, in this window.
    pub packets: Option<Window>,
}

impl Options {
    /// What the scenario asks for.
    pub fn of(scenario: &Scenario) -> Self {
        let record = &scenario.record;
        Self { interval: record.interval, events: record.events, packets: record.packets }
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
    run_until_interrupted(scenario, options, &mut |_| false)
}

/// Runs a scenario; `stop` is asked now and then with the share done, and answers true to give the run up.
///
/// # Errors
/// As [`run`], or [`SimError::Interrupted`].
pub fn run_until_interrupted(
    scenario: &Scenario,
    options: &Options,
    stop: &mut dyn FnMut(f64) -> bool,
) -> Result<Outcome, SimError> {
    let mut layout = Layout::new(scenario)?;
    let (tables, summary) = if options.packets.is_some() {
        let engine = layout.engine(scenario, options, PacketLog::new(options.packets))?;
        let (engine, recorder, baseline) = drive(scenario, options, &layout, engine, stop)?;
        let summary = crate::summary::draw_up(scenario, &layout, &engine, &baseline);
        (recorder.finish(Some(engine.into_observer())), summary)
    } else {
        let engine = layout.engine(scenario, options, crate::engine::Blind)?;
        let (engine, recorder, baseline) = drive(scenario, options, &layout, engine, stop)?;
        let summary = crate::summary::draw_up(scenario, &layout, &engine, &baseline);
        (recorder.finish(None), summary)
    };
    Ok(Outcome { summary, tables })
}

/// How often the caller is asked whether to go on, in virtual time.
const STOP_CHECK: Span = Span::from_secs(1);

type Driven<O> = (Engine<AnyEndpoint, O>, Recorder, crate::summary::Baseline);

fn drive<O: Observer>(
    scenario: &Scenario,
    options: &Options,
    layout: &Layout,
    mut engine: Engine<AnyEndpoint, O>,
    stop: &mut dyn FnMut(f64) -> bool,
) -> Result<Driven<O>, SimError> {
    let end = Time::ZERO + scenario.duration;
    let lose = matches!(&scenario.network, NetworkChoice::Constellation { spec, .. } if spec.in_flight == InFlight::Drop);
    let mut recorder = Recorder::new(layout);
    let mut baseline = crate::summary::Baseline::default();
    let mut warm_up = Some(Time::ZERO + scenario.warm_up);
    let mut updates = layout.network.updates.iter().skip(1).peekable();
    let mut next_sample = options.interval.map_or(Time::MAX, |interval| Time::ZERO + interval);
    let notices = layout.notices(scenario);
    let mut notices = notices.iter().peekable();
    let mut next_check = Time::ZERO;
    if options.interval.is_some() {
        recorder.paths(layout, scenario.duration);
    }
    loop {
        let next_update = updates.peek().map_or(Time::MAX, |update| update.at);
        let next_notice = notices.peek().map_or(Time::MAX, |notice| notice.tell);
        let next_change = next_update.min(next_notice);
        let next = end.min(next_sample).min(next_change).min(next_check).min(warm_up.unwrap_or(Time::MAX));
        engine.run_until(next);
        if warm_up.is_some_and(|at| at <= next) {
            baseline = crate::summary::Baseline::take(layout, &mut engine);
            warm_up = None;
        }
        if next >= next_check {
            next_check = next + STOP_CHECK;
            if stop(next.secs_f64() / end.secs_f64().max(f64::MIN_POSITIVE)) {
                return Err(SimError::Interrupted);
            }
        }
        if next >= next_sample {
            recorder.sample(layout, &mut engine);
            next_sample = options.interval.map_or(Time::MAX, |interval| next + interval);
        }
        if next >= end {
            break;
        }
        while let Some(update) = updates.next_if(|update| update.at <= next) {
            apply(scenario, layout, &mut engine, update, lose);
        }
        while let Some(notice) = notices.next_if(|notice| notice.tell <= next) {
            tell(scenario, layout, &mut engine, notice);
        }
    }
    recorder.drain_events(&mut engine);
    engine.check_conservation()?;
    Ok((engine, recorder, baseline))
}

/// Changes the routes, moves what waits on links that are gone, tells the flows whose path changes.
fn apply<O: Observer>(
    scenario: &Scenario,
    layout: &Layout,
    engine: &mut Engine<AnyEndpoint, O>,
    update: &RouteUpdate,
    lose: bool,
) {
    for entry in &update.entries {
        engine.route(entry.node, entry.site, entry.link);
    }
    for &link in &update.down {
        engine.link_down(link, layout.network.links[link as usize].from, lose);
    }
    for (flow, plan) in layout.flows.iter().enumerate() {
        if update.concerns(plan.from, plan.to) {
            tell(scenario, layout, engine, &Notice::now(update.at, flow));
        }
    }
}

/// Tells a flow of a change of its path.
fn tell<O: Observer>(
    scenario: &Scenario,
    layout: &Layout,
    engine: &mut Engine<AnyEndpoint, O>,
    notice: &Notice,
) {
    engine.path_changed(2 * notice.flow, &layout.change(scenario, notice));
}
