// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads recorded files and converts them for a run: deliveries, delays and path traces.

use crate::PlanError;
use link::mahimahi::TraceError;
use link::{
    Changes, DelayTrace, Impairment, LinkSpec, Opportunities, PathTrace, RateSchedule, Recorded, Service,
    TraceEnd, TraceRate, mahimahi, path_trace,
};
use scenario::Scenario;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use units::{Span, Time, input};

/// Reads files, and collects notes for the user without duplicates.
pub(crate) struct Replay {
    duration: Span,
    notes: Vec<String>,
}

impl Replay {
    pub fn of(scenario: &Scenario) -> Self {
        Self { duration: scenario.duration, notes: Vec::new() }
    }

    /// Returns the collected notes.
    pub fn notes(self) -> Vec<String> {
        self.notes
    }

    pub fn deliveries(
        &mut self,
        file: &Path,
        end: Option<TraceEnd>,
    ) -> Result<(Opportunities, Option<Time>), PlanError> {
        let end = end.unwrap_or(TraceEnd::OF_DELIVERIES);
        let moments = parse(file, mahimahi::deliveries)?;
        self.note(file, moments.period(), end);
        let stop = end.stop_after_deliveries(moments.period());
        Ok((moments, stop))
    }

    pub fn delays(
        &mut self,
        file: &Path,
        end: Option<TraceEnd>,
    ) -> Result<(DelayTrace, Option<Time>), PlanError> {
        let end = end.unwrap_or(TraceEnd::OF_DELAYS);
        let delays = parse(file, mahimahi::delays)?;
        self.note(file, delays.lasts(), end);
        let stop = end.stop_after(delays.lasts());
        Ok((end.of_delays(delays), stop))
    }

    pub fn path(
        &mut self,
        file: &Path,
        end: Option<TraceEnd>,
    ) -> Result<(PathTrace, Option<Time>), PlanError> {
        let end = end.unwrap_or(TraceEnd::OF_PATH);
        let trace = parse(file, |text| path_trace::read(text, end, self.duration))?;
        // A trace with a single row is constant over the whole run.
        if trace.lasts > Span::ZERO {
            self.note(file, trace.lasts, end);
        }
        let stop = end.stop_after(trace.lasts);
        Ok((trace, stop))
    }

    /// Adds a note if a trace is shorter than the run.
    fn note(&mut self, file: &Path, lasts: Span, end: TraceEnd) {
        if lasts >= self.duration {
            return;
        }
        let follows = match end {
            TraceEnd::Wrap => "begins again",
            TraceEnd::Hold => "keeps its last value",
            TraceEnd::Stop => "ends, and the link carries nothing",
        };
        let note = format!(
            "the trace {} lasts {lasts}, but the run lasts {}. At its end, the trace {follows} (trace_end = \"{}\")",
            file.file_name().unwrap_or_default().display(),
            self.duration,
            end.word()
        );
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Returns a link after reading its recordings.
    pub fn over(&mut self, spec: &LinkSpec) -> Result<LinkSpec, PlanError> {
        let Some(Changes { recorded: Some(recorded), .. }) = spec.changes.as_deref() else {
            return Ok(spec.clone());
        };
        let (mut spec, mut changes) = (
            spec.clone(),
            Changes { recorded: None, ..spec.changes.as_deref().cloned().unwrap_or_default() },
        );
        let Recorded { deliveries, delays, path, end, needs_rate } = recorded;
        let mut stops = changes.stop.into_iter().collect::<Vec<_>>();
        if let Some(file) = deliveries {
            let (moments, stop) = self.deliveries(file, *end)?;
            spec.rate = Some(moments.mean());
            changes.rate = Some(Service::Opportunities(moments));
            stops.extend(stop);
        }
        if let Some(file) = delays {
            let (delays, stop) = self.delays(file, *end)?;
            let until = Time::ZERO + self.duration + Span::from_secs(1);
            changes.extra_delay = sum(&changes.extra_delay, &delays.steps(until).into());
            stops.extend(stop);
        }
        if let Some(file) = path {
            let (trace, stop) = self.path(file, *end)?;
            let by_sight = changes.sight.as_ref().is_some_and(|sight| sight.has_rate());
            if trace.rate.is_some() && (changes.rate.is_some() || by_sight) {
                return Err(twice(file, "rate_mbit_s", "rate"));
            }
            match trace.rate {
                Some(TraceRate::Unlimited) => spec.rate = None,
                Some(TraceRate::Steps(schedule)) => match schedule.pieces() {
                    [only] => spec.rate = Some(only.start),
                    _ => changes.rate = Some(stepped(&mut spec, &schedule)),
                },
                None if *needs_rate => return Err(missing(file, "rate_mbit_s", "rate")),
                None => {}
            }
            let delay = trace.delay.unwrap_or_default();
            changes.extra_delay = sum(&changes.extra_delay, &delay);
            changes.loss = either(&changes.loss, &own_loss(&mut spec, trace.loss).unwrap_or_default());
            stops.extend(stop);
        }
        changes.stop = stops.into_iter().min();
        spec.changes = Some(Arc::new(changes));
        Ok(spec)
    }
}

/// Returns a link of a plain network or of a host, whose tables over the time of day are computed for this duration.
pub(crate) fn by_day(spec: LinkSpec, duration: Span) -> LinkSpec {
    let Some(sight) = spec.changes.as_ref().and_then(|changes| changes.sight.clone()) else { return spec };
    let mut changes = Changes { sight: None, ..spec.changes.as_deref().cloned().unwrap_or_default() };
    if let Some(by) = &sight.rate_by_hour {
        changes.rate = Some(Service::Schedule(by.schedule(duration)));
    }
    changes.ramps.losses.extend(sight.loss_by_hour.as_ref().and_then(|by| by.losses(duration)));
    changes.ramps.delays.extend(sight.delay_by_hour.as_ref().and_then(|by| by.delays(duration)));
    LinkSpec { changes: Some(Arc::new(changes)), ..spec }
}

/// Turns a loss over time that never changes into the link's constant loss. The random draws are the same.
pub(crate) fn own_loss(spec: &mut LinkSpec, loss: Option<Arc<[(Time, f64)]>>) -> Option<Arc<[(Time, f64)]>> {
    match loss.as_deref() {
        Some(&[(_, only)]) if spec.loss == Impairment::None => {
            spec.loss = Impairment::PacketErrorRate(only);
            None
        }
        _ => loss,
    }
}

/// Returns a rate in steps. A queue in bandwidth-delay products uses the highest rate.
pub(crate) fn stepped(spec: &mut LinkSpec, schedule: &RateSchedule) -> Service {
    spec.rate = schedule.highest();
    Service::Schedule(schedule.clone())
}

/// Returns the probability that a packet is lost by at least one of two causes that change with time.
pub(crate) fn either(one: &Arc<[(Time, f64)]>, other: &Arc<[(Time, f64)]>) -> Arc<[(Time, f64)]> {
    together(one, other, |one, other| 1.0 - (1.0 - one) * (1.0 - other))
}

/// Returns the sum of two delays that change with time.
pub(crate) fn sum(one: &Arc<[(Time, Span)]>, other: &Arc<[(Time, Span)]>) -> Arc<[(Time, Span)]> {
    together(one, other, |one, other| one + other)
}

/// Combines two values that change in steps. Before its first step, a value is the default of its type.
fn together<T: Copy + Default>(
    one: &Arc<[(Time, T)]>,
    other: &Arc<[(Time, T)]>,
    both: impl Fn(T, T) -> T,
) -> Arc<[(Time, T)]> {
    if one.is_empty() || other.is_empty() {
        return if one.is_empty() { other.clone() } else { one.clone() };
    }
    let at = |steps: &[(Time, T)], time: Time| {
        steps[..steps.partition_point(|&(from, _)| from <= time)]
            .last()
            .map_or_else(T::default, |&(_, value)| value)
    };
    let times: BTreeSet<Time> = one.iter().chain(&**other).map(|&(from, _)| from).collect();
    times.into_iter().map(|time| (time, both(at(one, time), at(other, time)))).collect()
}

fn parse<T>(file: &Path, read: impl Fn(&str) -> Result<T, TraceError>) -> Result<T, PlanError> {
    let text = input::read(file, input::DATA)
        .map_err(|why| PlanError::TraceUnreadable { file: file.to_owned(), why })?;
    read(&text).map_err(|source| PlanError::Trace { file: file.to_owned(), source })
}

fn unfit(file: &Path, why: String) -> PlanError {
    PlanError::Trace { file: file.to_owned(), source: TraceError { line: None, why } }
}

/// Returns the error for a path trace that lacks a column that its link needs.
pub(crate) fn missing(file: &Path, column: &str, key: &str) -> PlanError {
    unfit(
        file,
        format!("the column {column} is missing, and the link has no `{key}` (add the column or the key)"),
    )
}

/// Returns the error for a path trace with a column that its link also sets.
pub(crate) fn twice(file: &Path, column: &str, key: &str) -> PlanError {
    unfit(
        file,
        format!(
            "the column {column} contradicts the key `{key}` of the link (keep only the column or only \
        the key)"
        ),
    )
}
