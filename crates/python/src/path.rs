// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rate, delay and loss of the path of a flow, over time.

use crate::answers::{answer, json};
use crate::error::Failure;
use crate::job::Job;
use crate::table::{Table, floats, table};
use plan::path_series::{Direction, Sample, Series, State, series};
use plan::{FlowPlan, Plan};
use pyo3::prelude::*;
use units::{Code, Rate, Span};

/// Largest number of steps. A larger number is probably a mistake.
const MAX_STEPS: u64 = 10_000_000;
/// Largest number of flows that the error message for an unknown flow lists.
const NAMED: usize = 10;

/// The path of a flow in steps of time, and facts about the complete path as JSON. The default flow is the first flow.
#[pyfunction]
pub fn path_series(
    py: Python<'_>,
    job: &Job,
    flow: Option<&str>,
    there: bool,
    step: &str,
) -> PyResult<(Table, String)> {
    let look = || -> Result<_, Failure> {
        let checked = job.checked()?;
        let duration = checked.scenario.duration;
        let step: Span = step.parse()?;
        steps(duration, step)?;
        let plan = Plan::new(&checked.scenario).map_err(|error| checked.placed(error))?;
        let number = find(&plan, flow)?;
        let way = if there { Direction::Forward } else { Direction::Return };
        let series = series(&plan, number, way, duration, step);
        let about = PathFacts::new(&plan, &plan.flows[number], &series, duration, step);
        Ok((series, json(&about)))
    };
    let (series, about) = py.detach(look)?;
    Ok((samples(&series.samples), about))
}

fn steps(duration: Span, step: Span) -> Result<(), Failure> {
    let refuse = |message: String| Err(Failure::new(Code::ArgumentValue, &message));
    if step < Span::from_millis(1) {
        return refuse(format!("a step of {step} is too short: a step must be at least 1 ms"));
    }
    let count = duration.nanos().div_ceil(step.nanos());
    if count > MAX_STEPS {
        return refuse(format!(
            "{duration} in steps of {step} would be {count} steps, but at most {MAX_STEPS} steps are possible (write \
             a longer step, or a shorter duration)"
        ));
    }
    Ok(())
}

fn find(plan: &Plan, flow: Option<&str>) -> Result<usize, Failure> {
    let Some(name) = flow else { return Ok(0) };
    plan.flows.iter().position(|flow| flow.name == name).ok_or_else(|| {
        let known: Vec<&str> = plan.flows.iter().take(NAMED).map(|flow| flow.name.as_str()).collect();
        let more = plan.flows.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let message = format!("unknown flow \"{name}\" (flows are {}{more})", known.join(", "));
        Failure::new(Code::ArgumentValue, &message)
    })
}

answer! {
    /// Facts about the path of a flow over the complete run.
    PathFacts(plan: &Plan, flow: &FlowPlan, series: &Series, duration: Span, step: Span) {
        flow: String = flow.name.clone(),
        flows: usize = plan.flows.len(),
        from: String = site(plan, flow.from),
        to: String = site(plan, flow.to),
        duration_s: f64 = duration.secs_f64(),
        step_s: f64 = step.secs_f64(),
        /// Whether at all times no link has a rate.
        unlimited: bool = states(series).all(|state| state.rate.is_none()),
        /// Whether at some time no link has a rate.
        sometimes_unlimited: bool = states(series).any(|state| state.rate.is_none()),
        /// Whether there is no path at any time.
        never: bool = states(series).next().is_none(),
        /// The link with the smallest rate; `null` if no link has a rate.
        link: Option<String> = series.narrowest.as_ref().map(|narrowest| narrowest.link.clone()),
        /// Limit of the queue of `link` in packets; `null` if the queue has no such limit.
        queue_packets: Option<u64> = series.narrowest.as_ref().and_then(|narrowest| narrowest.queue_packets),
        no_path_s: f64 = series.nothing.no_path.secs_f64(),
        all_lost_s: f64 = series.nothing.all_lost.secs_f64(),
        no_rate_s: f64 = series.nothing.no_rate.secs_f64(),
        /// Effects that the numbers do not include.
        left_out: Vec<&'static str> = series.left_out.clone(),
    }
}

fn site(plan: &Plan, site: u16) -> String {
    let node = plan.network.sites[usize::from(site)];
    plan.network.nodes[node as usize].name.clone()
}

fn states(series: &Series) -> impl Iterator<Item = State> {
    series.samples.iter().filter_map(|sample| sample.state)
}

fn samples(rows: &[Sample]) -> Table {
    table(vec![
        ("time_s", floats(rows, |row| Some(row.at.secs_f64()))),
        ("rate_mbit_s", floats(rows, |row| row.state?.rate.map(Rate::mbit_per_s))),
        ("delay_ms", floats(rows, |row| row.state.map(|state| state.delay.millis_f64()))),
        ("loss_ratio", floats(rows, |row| row.state.map(|state| state.loss))),
        ("outage_ratio", floats(rows, |row| Some(row.outage))),
    ])
}
