// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rate, delay and loss of a flow's path over time.

use crate::error::Failure;
use crate::job::Job;
use crate::table::{Table, floats, table};
use plan::Plan;
use plan::path_series::{Sample, Series, Way, series};
use pyo3::prelude::*;
use serde_json::json;
use units::{Code, Rate, Span};

/// More steps are a slip.
const MAX_STEPS: u64 = 10_000_000;
/// So many flows are named where one is not found.
const NAMED: usize = 10;

/// The path of a flow (the first, if none is named) in steps of time, and as JSON what is known of the whole.
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
        let way = if there { Way::Forward } else { Way::Return };
        let series = series(&plan, number, way, (duration, step));
        let about = about(&plan, number, &series, (duration, step));
        Ok((series, about))
    };
    let (series, about) = py.detach(look)?;
    Ok((samples(&series.samples), about))
}

fn steps(duration: Span, step: Span) -> Result<(), Failure> {
    let refuse = |message: String| Err(Failure::new(Code::ArgumentValue, &message));
    if step < Span::from_millis(1) {
        return refuse(format!("a step of {step} is too short: it must be at least 1 ms"));
    }
    let count = duration.nanos().div_ceil(step.nanos());
    if count > MAX_STEPS {
        return refuse(format!(
            "{duration} in steps of {step} are {count} steps: it must be at most {MAX_STEPS} (write a longer step, or \
             a shorter duration)"
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
        let message = format!("there is no flow \"{name}\" (flows are {}{more})", known.join(", "));
        Failure::new(Code::ArgumentValue, &message)
    })
}

fn about(plan: &Plan, number: usize, series: &Series, (duration, step): (Span, Span)) -> String {
    let flow = &plan.flows[number];
    let site = |site: u16| {
        let node = plan.network.sites[usize::from(site)];
        plan.network.nodes[node as usize].name.clone()
    };
    let states = || series.samples.iter().filter_map(|sample| sample.state);
    let narrowest = series.narrowest.as_ref();
    json!({
        "flow": flow.name,
        "flows": plan.flows.len(),
        "from": site(flow.from),
        "to": site(flow.to),
        "duration_s": duration.secs_f64(),
        "step_s": step.secs_f64(),
        "unlimited": states().all(|state| state.rate.is_none()),
        "sometimes_unlimited": states().any(|state| state.rate.is_none()),
        "never": states().next().is_none(),
        "link": narrowest.map(|narrowest| narrowest.link.clone()),
        "queue_packets": narrowest.and_then(|narrowest| narrowest.queue_packets),
        "no_path_s": series.nothing.no_path.secs_f64(),
        "all_lost_s": series.nothing.all_lost.secs_f64(),
        "no_rate_s": series.nothing.no_rate.secs_f64(),
        "left_out": series.left_out,
    })
    .to_string()
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
