// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run that its caller advances, inspects, commands and copies.

use crate::error::Failure;
use crate::job::{Checked, Job};
use crate::outcome::{Outcome, RawOutcome};
use crate::runs::{PATIENCE, SIGNAL_CHECK, Workers};
use crate::{controller, cost};
use control::Overrides;
use plan::Plan;
use pyo3::prelude::*;
use record::{Provenance, Tables};
use sim::{Options, PacketLog, Run, SimError};
use std::cell::{Cell, RefCell};
use std::panic::resume_unwind;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use units::{Bytes, Code, Rate, Time};

/// A run in progress, with the data that its result needs.
struct ActiveRun {
    checked: Arc<Checked>,
    run: Run<PacketLog>,
    /// Identity, inputs and controllers, as they were at the start of the run.
    known: Arc<Provenance>,
    /// The reason why the run cannot continue. After a failure, the state of a controller or of the network may be
    /// inconsistent.
    failed: Option<Failure>,
}

/// A run that its caller advances.
#[pyclass(frozen, module = "bentpipe._core")]
pub struct Session {
    going: Mutex<Option<ActiveRun>>,
}

/// Commands to a sender that replace the commands of its controller. With `None`, the controller's command applies.
#[derive(Clone, Copy, FromPyObject)]
pub struct Commands {
    #[pyo3(item)]
    cwnd_segments: Option<f64>,
    #[pyo3(item)]
    ssthresh_segments: Option<f64>,
    #[pyo3(item)]
    pacing_mbit_s: Option<f64>,
}

#[pymethods]
impl Session {
    /// Starts a run at time zero.
    #[new]
    fn new(py: Python<'_>, job: &Job) -> PyResult<Self> {
        let going = py.detach(|| ActiveRun::new(job)).map_err(PyErr::from)?;
        Ok(Self { going: Mutex::new(Some(going)) })
    }

    /// Current time of the run, in nanoseconds.
    #[getter]
    fn now_ns(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |going| Ok(going.now().nanos()))
    }

    /// End of the run, in nanoseconds.
    #[getter]
    fn end_ns(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |going| Ok(going.end().nanos()))
    }

    /// Names of the flows.
    #[getter]
    fn flows(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.with(py, |going| {
            let plan = &going.run.session().state().plan;
            Ok(plan.flows.iter().take(plan.whole).map(|flow| flow.name.clone()).collect())
        })
    }

    /// Advances to a time. On Ctrl-C the run stops at the time that it has reached, and can continue from there.
    fn advance(&self, py: Python<'_>, until_ns: u64) -> PyResult<()> {
        self.with(py, |going| going.advance(Time::from_nanos(until_ns)))
    }

    /// The tables up to now.
    fn tables(&self, py: Python<'_>) -> PyResult<Outcome> {
        let made = self.with(py, |going| {
            let packets = going.run.session().engine().observer().table();
            let tables = Tables { packets, ..going.run.tables() };
            let batches = tables.finish(&going.known).map_err(Failure::from)?;
            Ok(RawOutcome { summary: String::new(), scenario: String::new(), batches })
        })?;
        made.into_python(py)
    }

    /// Sets the commands to the sender of the flow with this index.
    fn command(&self, py: Python<'_>, flow: usize, commands: Commands) -> PyResult<()> {
        self.with(py, |going| going.command(flow, commands))
    }

    /// A copy of the run, in its current state.
    fn fork(&self, py: Python<'_>) -> PyResult<Self> {
        let fork = self.with(py, ActiveRun::fork)?;
        Ok(Self { going: Mutex::new(Some(fork)) })
    }

    /// Advances to the end, and returns the result.
    fn finish(&self, py: Python<'_>) -> PyResult<Outcome> {
        self.with(py, |going| going.advance(going.end()))?;
        let going = self.going.try_lock().map_err(|_| PyErr::from(is_at_work()))?.take();
        let made = py.detach(|| going.ok_or_else(is_over)?.finish())?;
        made.into_python(py)
    }
}

impl Session {
    /// Calls a function with the run, without Python's lock. Otherwise waiting for the run would block controllers in
    /// Python.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut ActiveRun) -> Result<T, Stopped> + Send,
    ) -> PyResult<T> {
        let answer = py.detach(|| match self.going.try_lock() {
            Ok(mut going) => going.as_mut().ok_or_else(is_over).map_err(Stopped::from).and_then(|going| {
                if let Some(failure) = &going.failed {
                    return Err(failure.clone().into());
                }
                work(going)
            }),
            Err(_) => Err(is_at_work().into()),
        });
        answer.map_err(PyErr::from)
    }
}

/// Checks Python's signals at intervals. Returns whether a signal raised an exception.
fn look_at_signals(raised: &RefCell<Option<PyErr>>, looked: &Cell<Instant>) -> bool {
    if looked.get().elapsed() >= SIGNAL_CHECK {
        looked.set(Instant::now());
        *raised.borrow_mut() = raised_signal();
    }
    raised.borrow().is_some()
}

/// The exception that Python raises for a signal, for example on Ctrl-C.
fn raised_signal() -> Option<PyErr> {
    Python::attach(|py| py.check_signals().err())
}

fn is_at_work() -> Failure {
    let why = "the session is busy: another thread, or a function that called this one, is advancing the session \
        (call again after this step)";
    Failure::new(Code::ArgumentValue, &why)
}

fn is_over() -> Failure {
    let why = "the session is finished (start another session, or fork it earlier)";
    Failure::new(Code::ArgumentValue, &why)
}

/// The reason why a session did not advance.
enum Stopped {
    Failed(Failure),
    /// Python raised an exception, for example on Ctrl-C.
    Raised(PyErr),
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<SimError> for Stopped {
    fn from(error: SimError) -> Self {
        Self::Failed(error.into())
    }
}

impl From<Stopped> for PyErr {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Failed(failure) => failure.into(),
            Stopped::Raised(error) => error,
        }
    }
}

impl ActiveRun {
    fn new(job: &Job) -> Result<Self, Stopped> {
        let checked = job.ready()?;
        let free_memory: Option<fn() -> Option<f64>> =
            if checked.costly { None } else { Some(cost::free_memory) };
        let options = Options { free_memory, ..Options::of(&checked.scenario) };
        let known = Arc::new(checked.provenance());
        drop(controller::failure()); // discards a failure of an earlier run on this thread
        let raised = RefCell::new(None);
        let looked = Cell::new(Instant::now());
        let stop = |_| look_at_signals(&raised, &looked) || controller::has_failed();
        let log = PacketLog::new(options.packets, record::tables::PacketTable::default(), Arc::default());
        let run = Plan::of_run(&checked.scenario, &stop)
            .map_err(SimError::from)
            .and_then(|plan| Run::new(plan, &options, Tables::default(), log, &stop));
        if let Some(error) = raised.take() {
            return Err(Stopped::Raised(error));
        }
        if let Some(failure) = controller::failure() {
            return Err(failure.into());
        }
        let run = run.map_err(|error| checked.placed(error))?;
        Ok(Self { checked: Arc::new(checked), run, known, failed: None })
    }

    fn now(&self) -> Time {
        self.run.session().engine().now()
    }

    fn end(&self) -> Time {
        self.run.session().state().plan.end()
    }

    fn advance(&mut self, until: Time) -> Result<(), Stopped> {
        if self.known.controllers.is_empty() { self.advance_here(until) } else { self.advance_apart(until) }
    }

    /// Advances on this thread, and checks Python's signals in the meantime.
    fn advance_here(&mut self, until: Time) -> Result<(), Stopped> {
        let (raised, looked) = (RefCell::new(None), Cell::new(Instant::now()));
        let advanced = self.run.advance(until, &|_| look_at_signals(&raised, &looked));
        match raised.take() {
            Some(error) => Err(Stopped::Raised(error)),
            None => self.settled(advanced),
        }
    }

    /// Advances on a separate thread. With this thread, an interrupt does not stop a controller in Python in the middle
    /// of an event.
    fn advance_apart(&mut self, until: Time) -> Result<(), Stopped> {
        let (workers, stop) = (Workers::default(), AtomicBool::new(false));
        let (sender, receiver) = channel();
        let Self { run, .. } = self;
        let (advanced, raised) = std::thread::scope(|scope| {
            let (workers, stop) = (&workers, &stop);
            let worker = scope.spawn(move || {
                let give_up = |_| stop.load(Relaxed) || controller::has_failed();
                let advanced = Python::attach(|py| {
                    let known = workers.enter(py);
                    let advanced = py.detach(|| run.advance(until, &give_up));
                    workers.leave(known);
                    advanced
                });
                drop(sender.send((advanced, controller::failure())));
            });
            let mut raised: Option<(PyErr, Instant)> = None;
            loop {
                match receiver.recv_timeout(SIGNAL_CHECK) {
                    Ok(advanced) => return (advanced, raised),
                    Err(RecvTimeoutError::Timeout) => {}
                    // The thread sends an answer before it ends, unless it panics.
                    Err(RecvTimeoutError::Disconnected) => {
                        resume_unwind(worker.join().err().unwrap_or_else(|| Box::new("no answer")))
                    }
                }
                match &raised {
                    None => {
                        let error = raised_signal();
                        stop.store(error.is_some(), Relaxed);
                        raised = error.map(|error| (error, Instant::now()));
                    }
                    // The thread does not react. A controller may be in a loop.
                    Some((_, since)) if since.elapsed() > PATIENCE => {
                        Python::attach(|py| workers.interrupt(py));
                    }
                    Some(_) => {}
                }
            }
        });
        let (advanced, failure) = advanced;
        // A controller that was interrupted in the middle of an event may be inconsistent.
        self.failed.clone_from(&failure);
        if let Some((error, _)) = raised {
            return Err(Stopped::Raised(error));
        }
        if let Some(failure) = failure {
            return Err(failure.into());
        }
        self.settled(advanced)
    }

    /// Converts the result of advancing, and stores a failure.
    fn settled(&mut self, advanced: Result<(), SimError>) -> Result<(), Stopped> {
        advanced.map_err(|error| {
            let failure = self.checked.placed(error);
            self.failed = Some(failure.clone());
            failure.into()
        })
    }

    fn command(&mut self, flow: usize, commands: Commands) -> Result<(), Stopped> {
        let mss = self.run.session().state().plan.flows[flow].mss;
        let Commands { cwnd_segments, ssthresh_segments, pacing_mbit_s } = commands;
        let bytes = |segments: Option<f64>| segments.map(|segments| Bytes::from_segments(segments, mss));
        let pacing = pacing_mbit_s.map(|rate| Rate::from_bits_per_s((rate * 1e6).round() as u64));
        let overrides = Overrides { cwnd: bytes(cwnd_segments), ssthresh: bytes(ssthresh_segments), pacing };
        drop(controller::failure()); // discards a failure of an earlier run on this thread
        self.run.command(flow, overrides)?;
        self.failed = controller::failure();
        self.failed.clone().map_or(Ok(()), |failure| Err(failure.into()))
    }

    fn fork(&mut self) -> Result<Self, Stopped> {
        drop(controller::failure()); // discards a failure of an earlier run on this thread
        let run = self.run.fork()?;
        if let Some(failure) = controller::failure() {
            return Err(failure.into());
        }
        Ok(Self { checked: self.checked.clone(), run, known: self.known.clone(), failed: None })
    }

    fn finish(self) -> Result<RawOutcome, Failure> {
        let Self { checked, run, known, .. } = self;
        let (mut outcome, log) = run.finish(&plan::never).map_err(|error| checked.placed(error))?;
        outcome.tables.packets = log.into_table();
        checked.check_files()?;
        let Provenance { identity, inputs, controllers, .. } = (*known).clone();
        let provenance = &mut outcome.summary.provenance;
        (provenance.identity, provenance.inputs, provenance.controllers) = (identity, inputs, controllers);
        let batches = outcome.tables.finish(&outcome.summary.provenance)?;
        Ok(RawOutcome { summary: outcome.summary.to_json(), scenario: checked.resolved(), batches })
    }
}
