// SPDX-License-Identifier: MIT OR Apache-2.0
//! Makes one or several runs on separate threads, without Python's lock.
//!
//! On Ctrl-C, Python's main thread sets a flag within 50 ms. Every run checks this flag. If a controller's Python code
//! does not return, it is interrupted. If a thread does not react within 0.5 s, for example because it sleeps, the
//! command abandons this thread. A second Ctrl-C within 3 s ends the process from the signal handler (`bentpipe.cli`).

use crate::error::Failure;
use crate::job::{Checked, Job};
use crate::outcome::{Outcome, RawOutcome, Wanted};
use crate::{checkpoint, controller, cost};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyString;
use record::{Batches, Provenance, RunFolder, Tables};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Interval at which Python's signals are checked during runs.
pub const SIGNAL_CHECK: Duration = Duration::from_millis(50);
/// Longest wait for runs after they were asked to stop.
pub const PATIENCE: Duration = Duration::from_millis(500);

/// Temporary folder of a run that is being written.
type Place = Mutex<Option<PathBuf>>;

fn make(plan: &Checked, wanted: Wanted, stop: &AtomicBool, place: &Place) -> Result<RawOutcome, Failure> {
    let made = make_in(plan, wanted, stop, place);
    *place.lock().unwrap_or_else(PoisonError::into_inner) = None;
    made
}

fn make_in(plan: &Checked, wanted: Wanted, stop: &AtomicBool, place: &Place) -> Result<RawOutcome, Failure> {
    let is_read = wanted == Wanted::All || plan.out.is_some();
    let scenario = if is_read { plan.resolved() } else { String::new() };
    // The folder is created first. If it cannot be written, this is found before the run.
    let create = |out| RunFolder::create(out, plan.content(scenario.clone()));
    let folder = plan.out.as_deref().map(create).transpose()?;
    *place.lock().unwrap_or_else(PoisonError::into_inner) =
        folder.as_ref().map(|folder| folder.partial().to_owned());
    let free_memory: Option<fn() -> Option<f64>> = if plan.costly { None } else { Some(cost::free_memory) };
    let options = sim::Options { free_memory, ..sim::Options::of(&plan.scenario) };
    drop(controller::failure()); // discards a failure of an earlier run on this thread
    let give_up = |_| stop.load(Ordering::Relaxed) || controller::has_failed();
    let captures = folder.as_ref().map(|folder| plan.captures(&folder.captures())).transpose()?.flatten();
    // A lean summary has no provenance, because a store identifies the summary by its key.
    let known = is_read.then(|| plan.provenance());
    let kept = plan.checkpoint.zip(plan.out.as_deref());
    let kept = kept.map(|(_, out)| record::folder::checkpoint(out)).transpose()?;
    let outcome = if let (Some(folder), Some(kept)) = (&folder, &kept) {
        checkpoint::run(plan, &options, folder, kept, &give_up)
    } else {
        let tables = folder.as_ref().map_or_else(Tables::default, RunFolder::tables);
        sim::run_until_interrupted(&plan.scenario, &options, tables, captures, &give_up)
            .map_err(|error| plan.placed(error))
    };
    if let Some(failure) = controller::failure() {
        return Err(failure);
    }
    let mut outcome = outcome?;
    plan.check_files()?;
    if let Some(Provenance { identity, inputs, controllers, .. }) = known {
        let provenance = &mut outcome.summary.provenance;
        (provenance.identity, provenance.inputs, provenance.controllers) = (identity, inputs, controllers);
    }
    // Creating ninety columns with their descriptions takes long compared with a short run. A lean summary does not
    // need them.
    let batches =
        if is_read { outcome.tables.finish(&outcome.summary.provenance)? } else { Batches::default() };
    if let Some(folder) = folder {
        // The lock prevents another thread from removing the folder while it is completed. If the folder was already
        // removed, the run was interrupted.
        let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
        if place.take().is_none() {
            return Err(plan.placed(sim::SimError::Interrupted));
        }
        folder.finish(&outcome.summary)?;
    }
    if let Some(kept) = kept {
        kept.remove()?;
    }
    Ok(RawOutcome { summary: wanted.text(&outcome.summary), scenario, batches })
}

/// Python's identifiers of the threads that make runs.
#[derive(Default)]
pub struct Workers(Mutex<Vec<u64>>);

impl Workers {
    /// Registers the calling thread. If this fails, the thread cannot be interrupted, but works otherwise.
    pub fn enter(&self, py: Python<'_>) -> Option<u64> {
        let name = py.import("threading").and_then(|module| module.call_method0("get_ident"));
        let name = name.and_then(|name| name.extract()).ok()?;
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(name);
        Some(name)
    }
    pub fn leave(&self, name: Option<u64>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|known| Some(*known) != name);
    }
    /// Raises KeyboardInterrupt in the Python code that the threads execute.
    pub fn interrupt(&self, py: Python<'_>) {
        let raise = |name: u64| -> PyResult<()> {
            let ctypes = py.import("ctypes")?;
            let (number, object) = (ctypes.getattr("c_ulong")?, ctypes.getattr("py_object")?);
            let set = ctypes.getattr("pythonapi")?.getattr("PyThreadState_SetAsyncExc")?;
            let what = object.call1((py.get_type::<PyKeyboardInterrupt>(),))?;
            set.call1((number.call1((name,))?, what)).map(drop)
        };
        let names = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for name in names {
            // If this fails, the thread is not interrupted. It is abandoned in the end.
            drop(raise(name));
        }
    }
}

/// Finished runs with their indices.
type Finished = Vec<(usize, Result<RawOutcome, Failure>)>;

/// Data that the threads of runs share. A thread may outlive the call, because threads that do not react are abandoned.
struct Batch {
    plans: Vec<Checked>,
    wanted: Wanted,
    places: Vec<Place>,
    stop: AtomicBool,
    next: AtomicUsize,
    workers: Workers,
}

impl Batch {
    /// Makes runs until no runs are left.
    fn work(&self, sender: &Sender<Finished>) {
        let (mut finished, mut reported) = (Vec::new(), Instant::now());
        while !self.stop.load(Ordering::Relaxed) {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(plan) = self.plans.get(index) else { break };
            finished.push((index, make(plan, self.wanted, &self.stop, &self.places[index])));
            // Waking the waiting thread takes a tenth of the time of a short run. Therefore lean summaries are sent in
            // batches.
            if self.wanted == Wanted::All || reported.elapsed() >= SIGNAL_CHECK {
                if sender.send(std::mem::take(&mut finished)).is_err() {
                    return;
                }
                reported = Instant::now();
            }
        }
        if !finished.is_empty() {
            drop(sender.send(finished));
        }
    }
}

/// Makes runs on `threads` threads. A run that fails does not affect the other runs. `between` is called regularly with
/// the number of finished runs. If `between` fails, the runs in progress are stopped, and the error of `between` is
/// returned. If a run does not react in time (a controller in Python may sleep), its thread is abandoned, and ends when
/// it continues.
fn make_all(
    py: Python<'_>,
    plans: Vec<Checked>,
    wanted: Wanted,
    threads: usize,
    mut between: impl FnMut(Python<'_>, usize) -> PyResult<()>,
) -> PyResult<Vec<Result<RawOutcome, Failure>>> {
    let (sender, receiver) = channel();
    // To wait without Python's lock, the type must be shareable between threads. A receiver without a lock is not
    // shareable.
    let receiver = Mutex::new(receiver);
    let mut results: Vec<Option<Result<RawOutcome, Failure>>> = plans.iter().map(|_| None).collect();
    let threads = threads.clamp(1, plans.len().max(1));
    let batch = Arc::new(Batch {
        places: plans.iter().map(|_| Place::default()).collect(),
        plans,
        wanted,
        stop: AtomicBool::new(false),
        next: AtomicUsize::new(0),
        workers: Workers::default(),
    });
    let spawn = |sender: Sender<Finished>| {
        let batch = batch.clone();
        std::thread::spawn(move || {
            // The thread attaches to Python once. Then calls of controllers in Python do not need to attach it again.
            Python::attach(|py| {
                let known = batch.workers.enter(py);
                py.detach(|| batch.work(&sender));
                batch.workers.leave(known);
            });
            // The sender is dropped last. When all senders are dropped, no thread needs Python any more.
            drop(sender);
        })
    };
    let spawned: Vec<_> = (0..threads).map(|_| spawn(sender.clone())).collect();
    drop(sender);
    let (mut done, mut asked_to_stop) = (0, None);
    loop {
        let wait = || receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(SIGNAL_CHECK);
        match py.detach(wait) {
            Ok(finished) => {
                for (index, made) in finished {
                    done += usize::from(made.as_ref().err().is_none_or(|failure| !failure.is_interruption()));
                    results[index] = Some(made);
                }
            }
            // A run does not react. A controller in Python may be in a loop, so it is interrupted.
            Err(RecvTimeoutError::Timeout) if asked_to_stop.is_some() => batch.workers.interrupt(py),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                for thread in spawned {
                    if let Err(panic) = thread.join() {
                        resume_unwind(panic);
                    }
                }
                break;
            }
        }
        match &asked_to_stop {
            None => {
                if let Err(error) = between(py, done).and_then(|()| py.check_signals()) {
                    batch.stop.store(true, Ordering::Relaxed);
                    asked_to_stop = Some((error, Instant::now()));
                }
            }
            // The user pressed Ctrl-C again, or the wait was too long.
            Some((_, since)) if py.check_signals().is_err() || since.elapsed() > PATIENCE => break,
            Some(_) => {}
        }
    }
    if let Some((error, _)) = asked_to_stop {
        // Removes the temporary folders of abandoned runs.
        for place in &batch.places {
            // If a folder is just being completed, it is not removed.
            if let Some(partial) = place.try_lock().ok().and_then(|mut place| place.take()) {
                drop(std::fs::remove_dir_all(partial));
            }
        }
        // Runs that finished in the meantime also count. Only the first reason for stopping is reported.
        drop(between(py, done));
        return Err(error);
    }
    results
        .into_iter()
        .map(|made| made.filter(|made| !made.as_ref().is_err_and(Failure::is_interruption)))
        .map(|made| made.ok_or_else(interrupted))
        .collect()
}

/// Executes long work without Python code on a separate thread, and checks Python's signals in the meantime. On Ctrl-C,
/// the thread is abandoned.
pub fn away<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let (sender, receiver) = channel();
    let receiver = Mutex::new(receiver);
    let thread = std::thread::spawn(move || drop(sender.send(work())));
    loop {
        let wait = || receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(SIGNAL_CHECK);
        match py.detach(wait) {
            Ok(answer) => return Ok(answer?),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Ok(()) => unreachable!("it answers before it ends"),
                Err(panic) => resume_unwind(panic),
            },
        }
    }
}

fn interrupted() -> PyErr {
    PyKeyboardInterrupt::new_err(())
}

/// Makes one run.
#[pyfunction]
pub fn run(py: Python<'_>, job: &Job) -> PyResult<Outcome> {
    let plan = py.detach(|| job.ready())?;
    let mut made = make_all(py, vec![plan], Wanted::All, 1, |_, _| Ok(()))?;
    made.pop().ok_or_else(interrupted)??.into_python(py)
}

/// Makes runs in parallel. Results are in the order of the jobs. For a run that fails, the result is its error. If a
/// job is refused, this function raises an exception before any run. With `keep_refused`, the result of a refused job
/// is its error instead.
#[pyfunction]
#[pyo3(signature = (jobs, threads, progress = None, *, keep_refused = false))]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 hands lists and optional objects over by value")]
pub fn run_many(
    py: Python<'_>,
    jobs: Vec<Bound<'_, Job>>,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
    keep_refused: bool,
) -> PyResult<Vec<Py<PyAny>>> {
    let (plans, all) = (all_checked(py, &jobs), jobs.len());
    if !keep_refused && let Some(refused) = plans.iter().find_map(|plan| plan.as_ref().err()) {
        return Err(refused.clone().into());
    }
    let report =
        |_: Python<'_>, done| progress.as_ref().map_or(Ok(()), |call| call.call1((done, all)).map(drop));
    let made = make_possible(py, plans, Wanted::All, threads, report)?;
    made.into_iter()
        .map(|made| in_place(py, made, |made| Ok(Py::new(py, made.into_python(py)?)?.into_any())))
        .collect()
}

/// Makes runs one after the other. The result of a run is the summary that a store keeps, as JSON on one line (without
/// links except the busiest one). For a run that fails or is refused, the result is its error. `look` is called
/// regularly. If `look` fails, the run in progress is stopped, and the error of `look` is raised.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 hands lists and optional objects over by value")]
pub fn lean_summaries(
    py: Python<'_>,
    jobs: Vec<Bound<'_, Job>>,
    look: Bound<'_, PyAny>,
) -> PyResult<Vec<Py<PyAny>>> {
    let plans = all_checked(py, &jobs);
    let made = make_possible(py, plans, Wanted::LeanSummary, 1, |_, _| look.call0().map(drop))?;
    let text = |made: RawOutcome| Ok(PyString::new(py, &made.summary).into_any().unbind());
    made.into_iter().map(|made| in_place(py, made, text)).collect()
}

/// Reads the texts of the jobs without Python's lock.
fn all_checked(py: Python<'_>, jobs: &[Bound<'_, Job>]) -> Vec<Result<Checked, Failure>> {
    let jobs: Vec<&Job> = jobs.iter().map(Bound::get).collect();
    py.detach(|| Job::all_ready(&jobs))
}

/// Calls [`make_all`] for the jobs that were not refused. Refused jobs keep their places, and count as finished.
fn make_possible(
    py: Python<'_>,
    plans: Vec<Result<Checked, Failure>>,
    wanted: Wanted,
    threads: usize,
    mut between: impl FnMut(Python<'_>, usize) -> PyResult<()>,
) -> PyResult<Vec<Result<RawOutcome, Failure>>> {
    let mut possible = Vec::new();
    let refused: Vec<Option<Failure>> =
        plans.into_iter().map(|plan| plan.map(|plan| possible.push(plan)).err()).collect();
    let at_first = refused.len() - possible.len();
    let mut made =
        make_all(py, possible, wanted, threads, |py, done| between(py, at_first + done))?.into_iter();
    Ok(refused
        .into_iter()
        .map(|one| one.map_or_else(|| made.next().expect("one for each plan"), Err))
        .collect())
}

/// Returns the results as Python objects. For a failed run, the object is its error.
fn in_place(
    py: Python<'_>,
    made: Result<RawOutcome, Failure>,
    whole: impl FnOnce(RawOutcome) -> PyResult<Py<PyAny>>,
) -> PyResult<Py<PyAny>> {
    match made {
        Ok(made) => whole(made),
        Err(failure) => Ok(PyErr::from(failure).into_value(py).into_any()),
    }
}

/// The columns of every table, by the name of the table.
#[pyfunction]
pub fn table_columns() -> Vec<(&'static str, Vec<&'static str>)> {
    record::tables::columns().iter().map(|(name, columns)| (*name, columns.to_vec())).collect()
}

/// Raises an exception if the folder is not a complete run folder.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 hands paths over by value")]
pub fn check_folder(folder: PathBuf) -> PyResult<()> {
    record::folder::check(Path::new(&folder)).map_err(|error| Failure::from(error).into())
}
