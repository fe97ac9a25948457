// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs, one or many, on threads of their own while Python is free.

use crate::controller;
use crate::error::Failure;
use crate::job::{Job, Plan};
use crate::table::Table;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use record::{Batches, RunFolder};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How often Python's signals are looked at while runs are under way.
const SIGNAL_CHECK: Duration = Duration::from_millis(50);

/// What came out of a run.
#[pyclass(frozen, get_all, name = "Result", module = "bentpipe._core")]
pub struct Outcome {
    summary: String,
    scenario: String,
    flows: Py<Table>,
    links: Py<Table>,
    paths: Py<Table>,
    events: Py<Table>,
    snapshots: Py<Table>,
    packets: Py<Table>,
}

/// The same before Python sees it.
struct Made {
    summary: String,
    scenario: String,
    batches: Batches,
}

impl Made {
    fn into_python(self, py: Python<'_>) -> PyResult<Outcome> {
        let Self { summary, scenario, batches } = self;
        let table = |batch| Py::new(py, Table::from(batch));
        Ok(Outcome {
            summary,
            scenario,
            flows: table(batches.flows)?,
            links: table(batches.links)?,
            paths: table(batches.paths)?,
            events: table(batches.events)?,
            snapshots: table(batches.snapshots)?,
            packets: table(batches.packets)?,
        })
    }
}

fn make(plan: &Plan, stop: &AtomicBool) -> Result<Made, Failure> {
    // The folder first: one that cannot be written is found before the time is spent.
    let folder = plan.out.as_deref().map(RunFolder::create).transpose()?;
    let options = sim::Options::of(&plan.scenario);
    drop(controller::failure()); // of an earlier run on this thread
    let mut give_up = |_| stop.load(Ordering::Relaxed) || controller::has_failed();
    let outcome = sim::run_until_interrupted(&plan.scenario, &options, &mut give_up);
    if let Some(failure) = controller::failure() {
        return Err(failure);
    }
    let outcome = outcome?;
    let batches = outcome.tables.finish(&outcome.summary.provenance);
    let scenario = plan.resolved();
    if let Some(folder) = folder {
        folder.scenario(&scenario)?;
        folder.tables(&batches)?;
        folder.finish(&outcome.summary)?;
    }
    Ok(Made { summary: outcome.summary.to_json(), scenario, batches })
}

/// Makes runs on `threads` threads. `between` is called every now and then and after every run with the number of
/// finished ones; if it fails, the runs under way are given up and its error is returned.
fn make_all(
    py: Python<'_>,
    plans: &[Plan],
    threads: usize,
    mut between: impl FnMut(Python<'_>, usize) -> PyResult<()>,
) -> PyResult<Vec<Made>> {
    let (stop, next) = (AtomicBool::new(false), AtomicUsize::new(0));
    let (sender, receiver) = channel();
    // A receiver may not be shared, but waiting for it without Python's lock is sharing.
    let receiver = Mutex::new(receiver);
    let mut results: Vec<Option<Result<Made, Failure>>> = plans.iter().map(|_| None).collect();
    let mut asked_to_stop = None;
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, plans.len().max(1)) {
            let (sender, stop, next) = (sender.clone(), &stop, &next);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(plan) = plans.get(index) else { break };
                    let made = make(plan, stop);
                    if made.is_err() {
                        stop.store(true, Ordering::Relaxed);
                    }
                    if sender.send((index, made)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut done = 0;
        loop {
            let received = py.detach(|| {
                receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(SIGNAL_CHECK)
            });
            match received {
                Ok((index, made)) => {
                    done += usize::from(made.is_ok());
                    results[index] = Some(made);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if asked_to_stop.is_none()
                && let Err(error) = py.check_signals().and_then(|()| between(py, done))
            {
                stop.store(true, Ordering::Relaxed);
                asked_to_stop = Some(error);
            }
        }
    });
    if let Some(error) = asked_to_stop {
        return Err(error);
    }
    // Runs that were given up because another failed are not the error: the first that failed by itself is.
    if let Some(failure) = results
        .iter()
        .flatten()
        .filter_map(|made| made.as_ref().err())
        .find(|failure| !failure.is_interruption())
    {
        return Err(failure.clone().into());
    }
    results
        .into_iter()
        .map(|made| made.map_or_else(|| Err(interrupted()), |made| made.map_err(Into::into)))
        .collect()
}

fn interrupted() -> PyErr {
    PyKeyboardInterrupt::new_err(())
}

/// Makes one run.
#[pyfunction]
pub fn run(py: Python<'_>, job: &Job) -> PyResult<Outcome> {
    let plan = job.plan()?;
    let mut made = make_all(py, std::slice::from_ref(&plan), 1, |_, _| Ok(()))?;
    made.pop().ok_or_else(interrupted)?.into_python(py)
}

/// Makes runs in parallel; results come in the order of the jobs.
#[pyfunction]
#[pyo3(signature = (jobs, threads, progress = None))]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 hands lists and optional objects over by value")]
pub fn run_many(
    py: Python<'_>,
    jobs: Vec<PyRef<'_, Job>>,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Vec<Outcome>> {
    let plans = jobs.iter().map(|job| job.plan()).collect::<Result<Vec<_>, _>>()?;
    let all = plans.len();
    let made = make_all(py, &plans, threads, |_, done| {
        progress.as_ref().map_or(Ok(()), |report| report.call1((done, all)).map(drop))
    })?;
    made.into_iter().map(|made| made.into_python(py)).collect()
}

/// Raises if the folder is not a whole run folder.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 hands paths over by value")]
pub fn check_folder(folder: PathBuf) -> PyResult<()> {
    record::folder::check(Path::new(&folder)).map_err(|error| Failure::from(error).into())
}
