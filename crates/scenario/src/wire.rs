// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes links of plain networks. Their rate and their delay have several forms.

use crate::ScenarioError;
use crate::check::Source;
use crate::document::{Wire, WireDelay, WireService};
use crate::format::{self, Medium, PathTrace, Propagation, ReturnLink, Service};
use crate::link_text::{rate_steps, schedule};
use crate::queue;
use crate::sight::with_hours;
use crate::text::{Q, Unlimited};
use crate::varied::recorded_of;
use crate::words::W;
use link::{Delay, LinkSpec, Queue, QueueLimit, Recorded, TraceEnd};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use units::{Code, Span, Time};

impl format::Wire {
    /// Reads a link with rate and delay.
    pub fn read(self, source: &Source<'_>, path: &str) -> Result<Wire, ScenarioError> {
        let queue = QueueLimit::Unlimited.into();
        let others = self.propagation.delay_trace.is_some();
        let traces = Traces { deliveries: self.service.trace.is_some(), others };
        let (path_trace, trace_end) = self.path_trace.read(traces, source, path)?;
        let (spec, service) = self.service.whole(self.medium, queue, source, path)?;
        let spec = with_hours(spec, self.hours.read(source, path)?);
        let spec = self.return_link.over(spec, &service, source, path)?;
        let (delay, _) = self.propagation.needed(None, source, path)?;
        Ok(Wire { spec, service, delay, path_trace, trace_end })
    }

    /// Returns the text form of this link.
    pub fn of(wire: &Wire) -> Self {
        Self {
            service: Service::of(wire),
            propagation: Propagation::of(&wire.delay),
            path_trace: PathTrace::of(wire),
            hours: format::ByDay::of(&wire.spec),
            medium: Medium::of(&wire.spec),
            return_link: ReturnLink::of(&wire.spec),
        }
    }
}

impl PathTrace {
    /// Reads the name of the path trace, if any, and the key for the end of traces. `traces` are the other traces of
    /// the link.
    pub fn read(
        &self,
        traces: Traces,
        source: &Source<'_>,
        path: &str,
    ) -> Result<(Option<PathBuf>, Option<TraceEnd>), ScenarioError> {
        let end = self.trace_end.map(|W(end)| end);
        let traces = Traces { others: traces.others || self.path_trace.is_some(), ..traces };
        refuse_end(end, traces, source, path)?;
        Ok((self.path_trace.as_ref().map(|file| source.file(file)), end))
    }

    /// Returns the text form of a path trace.
    pub fn of(wire: &Wire) -> Self {
        Self { path_trace: wire.path_trace.as_deref().map(file), trace_end: wire.trace_end.map(W) }
    }
}

/// The kinds of traces that a link has.
#[derive(Clone, Copy)]
pub struct Traces {
    /// Whether there is a trace of deliveries.
    pub deliveries: bool,
    /// Whether there is a trace of delays or a path trace.
    pub others: bool,
}

/// Refuses the key for the end of traces if there is no trace, or if a trace cannot have this end.
fn refuse_end(
    end: Option<TraceEnd>,
    traces: Traces,
    source: &Source<'_>,
    path: &str,
) -> Result<(), ScenarioError> {
    let message = match end {
        Some(_) if !traces.deliveries && !traces.others => {
            "`trace_end` has no effect without a trace (write path_trace = \"path.csv\", or remove `trace_end`)"
        }
        Some(TraceEnd::Hold) if traces.deliveries => {
            "\"hold\" keeps the last rate of a trace, but a trace of deliveries has no rates (write \"wrap\" or \
             \"stop\")"
        }
        _ => return Ok(()),
    };
    Err(source.error(Code::ScenarioValue, &format!("{path}.trace_end"), message))
}

impl format::Recorded {
    /// Reads the recordings of the link at `path`.
    pub fn read(&self, source: &Source<'_>, path: &str) -> Result<Option<Recorded>, ScenarioError> {
        let others = self.delay_trace.is_some() || self.path_trace.is_some();
        let traces = Traces { deliveries: self.trace.is_some(), others };
        let end = self.trace_end.map(|W(end)| end);
        refuse_end(end, traces, source, path)?;
        let beside = |file: &Option<String>| file.as_ref().map(|file| source.file(file));
        Ok((traces.deliveries || others).then(|| Recorded {
            deliveries: beside(&self.trace),
            delays: beside(&self.delay_trace),
            path: beside(&self.path_trace),
            end,
            needs_rate: false,
        }))
    }

    /// Returns the text form of a link's recordings.
    pub fn of(link: &LinkSpec) -> Self {
        let Some(recorded) = recorded_of(link) else { return Self::default() };
        Self {
            trace: recorded.deliveries.as_deref().map(file),
            delay_trace: recorded.delays.as_deref().map(file),
            path_trace: recorded.path.as_deref().map(file),
            trace_end: recorded.end.map(W),
        }
    }
}

impl Service {
    /// Reads the link's rate; `None` if the file has none.
    pub fn read(&self, source: &Source<'_>, path: &str) -> Result<Option<WireService>, ScenarioError> {
        if let Some(by_hour) = &self.rate_by_hour {
            return Ok(Some(WireService::ByHour(by_hour.whole(source, path)?)));
        }
        if let Some(steps) = &self.rate_steps {
            let schedule = schedule(steps, source, &format!("{path}.rate_steps"))?;
            return Ok(Some(WireService::Steps(schedule)));
        }
        if let Some(budget) = &self.budget {
            let budget = budget.clone().read(source, &format!("{path}.budget"))?;
            return Ok(Some(WireService::Budget(Arc::new(budget))));
        }
        let trace = self.trace.as_ref().map(|file| WireService::Trace(source.file(file)));
        Ok(trace.or(self.rate.map(|_| WireService::Constant)))
    }

    /// Reads the link's rate in one of its forms. Without such a key, the path trace has the rate.
    pub fn whole(
        self,
        medium: Medium,
        queue: Queue,
        source: &Source<'_>,
        path: &str,
    ) -> Result<(LinkSpec, WireService), ScenarioError> {
        let service = self.read(source, path)?.unwrap_or(WireService::PathTrace);
        let spec = medium.over(self.rate, &LinkSpec { queue, ..LinkSpec::IDEAL }, source, path)?;
        if service != WireService::Constant {
            queue::needs_no_rate(spec.queue, source, &format!("{path}.queue"))?;
        }
        Ok((spec, service))
    }

    /// Returns the text form of a link's rate.
    pub fn of(wire: &Wire) -> Self {
        let mut text = Self::default();
        match &wire.service {
            WireService::Constant => text.rate = Some(Q(Unlimited(wire.spec.rate))),
            WireService::Steps(schedule) => {
                text.rate_steps = Some(rate_steps(schedule));
            }
            WireService::ByHour(by) => text.rate_by_hour = Some(format::ByHour::of(by)),
            WireService::Trace(path) => text.trace = Some(file(path)),
            WireService::Budget(budget) => text.budget = Some(format::Budget::of(budget)),
            WireService::PathTrace => {}
        }
        text
    }
}

impl Propagation {
    /// Reads the delay in both directions; `None` if the file has none. For a dumbbell, the key `rtt` may have the sum
    /// of both.
    pub fn read(
        self,
        rtt: Option<Q<Span>>,
        source: &Source<'_>,
        path: &str,
    ) -> Result<Option<(WireDelay, WireDelay)>, ScenarioError> {
        let both = |delay: WireDelay| Some((delay.clone(), delay));
        let constant = |delay| WireDelay::Given(Delay::Constant(delay));
        if let Some(Q(rtt)) = rtt {
            let there = rtt / 2;
            return Ok(Some((constant(there), constant(rtt.saturating_sub(there)))));
        }
        if let Some(steps) = self.delay_steps {
            let fault = |message| source.error(Code::ScenarioValue, &format!("{path}.delay_steps"), message);
            return Ok(both(WireDelay::Given(delay_steps(&steps).map_err(fault)?)));
        }
        let trace = self.delay_trace.map(|file| WireDelay::Trace(source.file(&file)));
        Ok(trace.or(self.delay.map(|Q(delay)| constant(delay))).and_then(both))
    }

    /// Does the same as [`Self::read`]. If the file has no delay, the path trace has it.
    pub fn needed(
        self,
        rtt: Option<Q<Span>>,
        source: &Source<'_>,
        path: &str,
    ) -> Result<(WireDelay, WireDelay), ScenarioError> {
        Ok(self.read(rtt, source, path)?.unwrap_or((WireDelay::PathTrace, WireDelay::PathTrace)))
    }

    /// Returns the text form of this delay.
    pub fn of(delay: &WireDelay) -> Self {
        let mut text = Self::default();
        match delay {
            WireDelay::Given(Delay::Constant(delay)) => text.delay = Some(Q(*delay)),
            WireDelay::Given(Delay::Steps(steps)) => {
                text.delay_steps =
                    Some(steps.iter().map(|&(from, delay)| vec![Q::moment(from), Q(delay)]).collect());
            }
            WireDelay::Given(Delay::Curve(_) | Delay::Trace(_)) => {
                unreachable!("a plain link's delay is constant, in steps or in a file")
            }
            WireDelay::Trace(path) => text.delay_trace = Some(file(path)),
            WireDelay::PathTrace => {}
        }
        text
    }
}

fn delay_steps(steps: &[Vec<Q<Span>>]) -> Result<Delay, String> {
    let mut read: Vec<(Time, Span)> = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let [Q(from), Q(delay)] = step.as_slice() else {
            return Err(format!(
                "step {index} is not a pair of time and delay (write [\"15 s\", \"50 ms\"])"
            ));
        };
        let from = Time::ZERO + *from;
        if read.last().is_some_and(|&(before, _)| before >= from) {
            return Err(format!("step {index} at {from} is not later than the step before it"));
        }
        read.push((from, *delay));
    }
    if read.first().is_none_or(|&(from, _)| from != Time::ZERO) {
        return Err("the first step must be at \"0 s\" (write [[\"0 s\", \"30 ms\"], …])".to_owned());
    }
    Ok(Delay::Steps(read.into()))
}

fn file(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
