// SPDX-License-Identifier: MIT OR Apache-2.0
//! Properties of a scenario that are known before a run.

use crate::error::Failure;
use crate::job::{Checked, Job, RunIdentity};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use units::{Span, Time};

/// A random draw of a run. With another seed, the run can differ because of it.
#[pyclass(frozen, get_all, module = "bentpipe._core")]
pub struct Chance {
    /// The key that causes the draw, as in the resolved scenario.
    place: String,
    /// Description of the draw.
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

/// A queue with a default limit.
#[pyclass(frozen, get_all, module = "bentpipe._core")]
pub struct DefaultQueue {
    /// The key that sets the limit.
    key: String,
    /// The limit as text, as in a scenario.
    limit: String,
    /// The limit in packets of the largest size that the scenario sends; `None` if there is no limit.
    packets: Option<f64>,
    /// The limit in bytes; `None` if there is no limit.
    bytes: Option<f64>,
    /// The time in which the link sends the limit, in s; `None` if the rate is not constant.
    seconds: Option<f64>,
}

/// A scenario that was read and checked.
#[pyclass(frozen, module = "bentpipe._core")]
pub struct Facts {
    plan: Checked,
}

#[pymethods]
impl Facts {
    /// The resolved scenario: checked, and with all default values.
    #[getter]
    fn resolved(&self) -> String {
        self.plan.resolved()
    }

    /// The identity of the run.
    #[getter]
    fn identity(&self) -> RunIdentity {
        RunIdentity::of(&self.plan)
    }

    /// The random draws of a run. Draws by controllers in Python are left out, because they are unknown.
    #[getter]
    fn chance(&self) -> Vec<Chance> {
        let typed = |scenario::Chance { place, what, kind }| Chance { place, what, kind: kind.word() };
        self.plan.scenario.chance().into_iter().map(typed).collect()
    }

    /// The queues with a default limit. If a limit is in bandwidth-delay products, the network is computed.
    fn default_queues(&self, py: Python<'_>) -> PyResult<Vec<DefaultQueue>> {
        let found = py.detach(|| self.queues());
        Ok(found?)
    }

    /// For each flow of the resolved scenario, the table of the original scenario that defines the flow, for example
    /// `flows[0]`.
    #[getter]
    fn flow_tables(&self) -> Vec<String> {
        self.plan.flow_tables()
    }

    /// Duration of the run in nanoseconds.
    #[getter]
    fn duration_ns(&self) -> u64 {
        self.plan.scenario.duration.nanos()
    }

    /// Computes the end of a first look: `seconds` after the last flow has started and the warm-up has ended. Returns
    /// this end in nanoseconds, and the later of the two events, "start" or "warm-up".
    fn first_look(&self, seconds: u64) -> (u64, &'static str) {
        let scenario = &self.plan.scenario;
        let starts = scenario.flows.iter().map(|flow| flow.start + flow.stagger * u64::from(flow.count - 1));
        let (last, warm) = (starts.max().unwrap_or_default(), Time::ZERO + scenario.warm_up);
        let after = if last >= warm { "start" } else { "warm-up" };
        ((last.max(warm) + Span::from_secs(seconds)).nanos(), after)
    }

    /// Describes a run that ends at this time in nanoseconds. Returns the longest base round trip of its flows in
    /// nanoseconds (`None` without a path), and whether it misses all handovers of paths.
    fn first_look_limits(&self, py: Python<'_>, end: u64) -> PyResult<(Option<u64>, bool)> {
        let scenario = &self.plan.scenario;
        let found = py.detach(|| plan::FirstLook::new(scenario, Span::from_nanos(end)));
        let plan::FirstLook { rtt, misses_handovers } = found.map_err(|error| self.plan.placed(error))?;
        Ok((rtt.map(Span::nanos), misses_handovers))
    }

    /// The network preset of the scenario and its validation, in words; `None` without a preset.
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

/// Reads and checks a scenario.
#[pyfunction]
pub fn facts(job: &Job) -> PyResult<Facts> {
    Ok(Facts { plan: job.checked()? })
}

/// The known name that is most similar to `name`, ignoring case; `None` if no name is similar.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "Python's list is copied anyway")]
pub fn nearest(name: &str, known: Vec<String>) -> Option<String> {
    scenario::nearest(name, known.iter().map(String::as_str)).map(str::to_owned)
}

/// The keys of a TOML text: the path of each key, and its line, counted from 1.
#[pyfunction]
pub fn key_lines(text: &str) -> PyResult<Vec<(Vec<String>, usize)>> {
    Ok(scenario::key_lines(text).map_err(Failure::from)?.into_iter().collect())
}

/// Converts a time with its unit to nanoseconds.
#[pyfunction]
pub fn nanos(text: &str) -> PyResult<u64> {
    let span: Span = text.parse().map_err(|error: units::UnitError| Failure::from(error))?;
    Ok(span.nanos())
}

/// A number with a unit.
#[pyclass(frozen, get_all, module = "bentpipe._core")]
pub struct Quantity {
    /// The number as in the text.
    number: String,
    unit: String,
    /// The units of this kind, with their values in a common unit.
    units: BTreeMap<String, f64>,
    /// Whether only whole numbers are allowed.
    is_count: bool,
}

/// Splits a quantity into number and unit; `None` if the text is not a quantity.
#[pyfunction]
pub fn quantity(text: &str) -> Option<Quantity> {
    let scenario::Quantity { number, unit, units, is_count } = scenario::Quantity::read(text)?;
    let alone = units.is_empty().then(|| (unit.to_owned(), 1.0));
    let units = units.iter().map(|&(name, worth)| (name.to_owned(), worth)).chain(alone).collect();
    Some(Quantity { number: number.to_owned(), unit: unit.to_owned(), units, is_count })
}
