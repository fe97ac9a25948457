// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a scenario says, told before it is run.

use crate::error::Failure;
use crate::job::{Checked, Job, RunIdentity};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use units::{Span, Time};

/// Something that a run draws: with another seed the run can differ.
#[pyclass(frozen, get_all, module = "bentpipe._core")]
pub struct Chance {
    /// The key that asks for the draw, as the resolved scenario has it.
    place: String,
    /// What is drawn, in words.
    what: String,
    /// "network", "traffic" or "controller".
    kind: &'static str,
}

#[pymethods]
impl Chance {
    fn __repr__(&self) -> String {
        let Self { place, what, kind } = self;
        format!("Chance(place={place:?}, what={what:?}, kind={kind:?})")
    }
}

/// A queue whose limit the scenario leaves to a default.
#[pyclass(frozen, get_all, module = "bentpipe._core")]
pub struct DefaultQueue {
    /// The key that would choose the limit.
    key: String,
    /// The limit as a scenario would have it.
    limit: String,
    /// What it comes to in packets of the largest size that the scenario sends; `None` if it has no bound.
    packets: Option<f64>,
    /// The same in bytes.
    bytes: Option<f64>,
    /// The same as the time that the link takes to send them, s; `None` if its rate is not constant.
    seconds: Option<f64>,
}

/// A scenario that was read and found right.
#[pyclass(frozen, module = "bentpipe._core")]
pub struct Facts {
    plan: Checked,
}

#[pymethods]
impl Facts {
    /// The document as it is run: checked, every default filled in.
    #[getter]
    fn resolved(&self) -> String {
        self.plan.resolved()
    }

    /// The identity of the run.
    #[getter]
    fn identity(&self) -> RunIdentity {
        RunIdentity::of(&self.plan)
    }

    /// What a run draws. Controllers in Python are left out: whether they draw is not known.
    #[getter]
    fn chance(&self) -> Vec<Chance> {
        let typed = |scenario::Chance { place, what, kind }| Chance { place, what, kind: kind.word() };
        self.plan.scenario.chance().into_iter().map(typed).collect()
    }

    /// The queues whose limit is left to a default. The network is laid out if one is in bandwidth-delay products.
    fn default_queues(&self, py: Python<'_>) -> PyResult<Vec<DefaultQueue>> {
        let found = py.detach(|| self.queues());
        Ok(found?)
    }

    /// For each flow of the resolved document the table of the scenario that it comes from: `flows[0]`.
    #[getter]
    fn flow_tables(&self) -> Vec<String> {
        self.plan.flow_tables()
    }

    /// Duration of the run in nanoseconds.
    #[getter]
    fn duration_ns(&self) -> u64 {
        self.plan.scenario.duration.nanos()
    }

    /// The first look that lasts `seconds` after the last flow has started and the warm-up is over: its end in nanoseconds
    /// and what it follows, "start" or "warm-up".
    fn first_look(&self, seconds: u64) -> (u64, &'static str) {
        let scenario = &self.plan.scenario;
        let starts = scenario.flows.iter().map(|flow| flow.start + flow.stagger * u64::from(flow.count - 1));
        let (last, warm) = (starts.max().unwrap_or_default(), Time::ZERO + scenario.warm_up);
        let after = if last >= warm { "start" } else { "warm-up" };
        ((last.max(warm) + Span::from_secs(seconds)).nanos(), after)
    }

    /// The network preset below the scenario and how far it is validated, in words; nothing if it names none.
    #[getter]
    fn network_preset(&self) -> Option<String> {
        self.plan.scenario.origin.as_ref().map(scenario::Origin::words)
    }
}

impl Facts {
    fn queues(&self) -> Result<Vec<DefaultQueue>, Failure> {
        let queues = self.plan.default_queues();
        let sizes = plan::queues::queue_sizes(&self.plan.scenario, queues)
            .map_err(|error| self.plan.placed(error))?;
        let typed = |(queue, size): (&scenario::DefaultQueue, plan::queues::QueueSize)| {
            let plan::queues::QueueSize { packets, bytes, seconds } = size;
            DefaultQueue { key: queue.key.clone(), limit: queue.limit_text(), packets, bytes, seconds }
        };
        Ok(queues.iter().zip(sizes).map(typed).collect())
    }
}

/// What a scenario says.
#[pyfunction]
pub fn facts(job: &Job) -> PyResult<Facts> {
    Ok(Facts { plan: job.checked()? })
}

/// The known name nearest to `name`; `None` if none is near. Case does not count.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "Python's list is copied anyway")]
pub fn nearest(name: &str, known: Vec<String>) -> Option<String> {
    scenario::nearest(name, known.iter().map(String::as_str)).map(str::to_owned)
}

/// The lines of all keys of a TOML text, counted from 1, by their paths.
#[pyfunction]
pub fn key_lines(text: &str) -> PyResult<Vec<(Vec<String>, usize)>> {
    Ok(scenario::key_lines(text).map_err(Failure::from)?.into_iter().collect())
}

/// A time with its unit in nanoseconds.
#[pyfunction]
pub fn nanos(text: &str) -> PyResult<u64> {
    let span: Span = text.parse().map_err(|error: units::UnitError| Failure::from(error))?;
    Ok(span.nanos())
}

/// A number with a unit.
#[pyclass(frozen, get_all, module = "bentpipe._core")]
pub struct Quantity {
    /// The number as the text has it.
    number: String,
    unit: String,
    /// What the units of its kind are worth in one of them.
    units: BTreeMap<String, f64>,
    /// Whether only whole numbers have a meaning.
    is_count: bool,
}

/// A quantity taken apart; nothing if the text is none.
#[pyfunction]
pub fn quantity(text: &str) -> Option<Quantity> {
    let scenario::Quantity { number, unit, units, is_count } = scenario::Quantity::read(text)?;
    let alone = units.is_empty().then(|| (unit.to_owned(), 1.0));
    let units = units.iter().map(|&(name, worth)| (name.to_owned(), worth)).chain(alone).collect();
    Some(Quantity { number: number.to_owned(), unit: unit.to_owned(), units, is_count })
}
