// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run in real time, between network namespaces.

use crate::error::Failure;
use crate::job::{Checked, Job};
use crate::outcome::{Outcome, RawOutcome};
use emulate::{Cable, EmulateError, Emulation as Loop, Ports, Program, Site, hosts_file, tapped};
use plan::Plan;
use pyo3::prelude::*;
use record::summary::{EmulatorFacts, Provenance};
use record::{Batches, RunFolder, Summary, Tables};
use sim::{Options, Run, SimError, Watch, watched};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use thread_priority::{
    RealtimeThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy, set_thread_priority_and_policy,
    thread_native_id,
};
use units::Code;

/// Priority of the thread that moves packets, under SCHED_FIFO. It is above ordinary threads and below threads of the
/// kernel.
const PRIORITY: u8 = 40;

impl From<EmulateError> for Failure {
    fn from(error: EmulateError) -> Self {
        Self::new(error.code(), &error)
    }
}

/// A scenario with its plan, of which nothing is written yet.
struct Planned {
    plan: Plan,
    checked: Checked,
    /// The files and controllers of the scenario.
    known: Provenance,
    scenario: String,
    ports: Ports,
    cables: Vec<Cable>,
}

/// The state of an emulation before the first packet, or after the last packet.
struct Parts {
    run: Loop<Watch>,
    checked: Checked,
    known: Provenance,
    scenario: String,
    folder: Option<RunFolder>,
    /// Takes the present state of the run, for [`Emulation::so_far`]. The thread that moves packets drops it at its
    /// end.
    present: Option<Sender<Present>>,
}

/// The summary of a run in progress, and the rows of its tables since the last time.
type Present = (Summary, Batches);

type Driven = Result<(Parts, Facts), Failure>;

/// Measurements of the thread that moved packets.
struct Facts {
    scheduling: &'static str,
    idle_processors: f64,
}

/// The thread that moves packets, as soon as it has the parts.
struct Mover {
    parts: Sender<Parts>,
    thread: JoinHandle<Driven>,
}

enum Stage {
    Planned(Box<Planned>, Mover),
    Ready(Box<Parts>, Mover),
    Running(JoinHandle<Driven>),
    Over,
}

/// A run in real time. Its sites have addresses, and programs run in them.
#[pyclass(frozen, module = "bentpipe._core")]
pub struct Emulation {
    names: Vec<String>,
    sites: Vec<Site>,
    stage: Mutex<Stage>,
    stop: Arc<AtomicBool>,
    /// Set when the thread that moves packets has ended.
    ended: Arc<AtomicBool>,
    /// Set when the thread that moves packets should send the present state.
    asked: Arc<AtomicBool>,
    /// Connected when the emulation is open.
    present: Mutex<Option<Receiver<Present>>>,
    /// The resolved scenario.
    scenario: String,
}

#[pymethods]
impl Emulation {
    /// Creates the sites of a scenario, and the thread that will move packets. Only this step needs root. With `keep`,
    /// the flows of the scenario run alongside the programs. With `capture`, the packets at both ends of each path are
    /// captured. `user` is the user and the group that the process will have when it starts programs.
    #[new]
    #[pyo3(signature = (job, *, keep, capture, user))]
    fn new(py: Python<'_>, job: &Job, keep: bool, capture: bool, user: Option<(u32, u32)>) -> PyResult<Self> {
        py.detach(|| Self::made(job, keep, capture, user)).map_err(PyErr::from)
    }

    /// Creates the run folder and the run. Returns the tables of its nodes and satellites if `live` is true.
    fn open(&self, py: Python<'_>, live: bool) -> PyResult<Option<Outcome>> {
        let opened = py.detach(|| {
            let mut stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
            let Stage::Planned(planned, mover) = std::mem::replace(&mut *stage, Stage::Over) else {
                return Err(Failure::new(Code::ArgumentValue, &"the emulation is already open"));
            };
            let (sender, receiver) = channel();
            let parts = planned.open(sender)?;
            *self.present.lock().unwrap_or_else(PoisonError::into_inner) = Some(receiver);
            let places = live.then(|| parts.places()).transpose()?;
            *stage = Stage::Ready(Box::new(parts), mover);
            Ok(places)
        });
        let places = opened.map_err(PyErr::from)?;
        places
            .map(|batches| {
                let raw = RawOutcome { summary: String::new(), scenario: self.scenario.clone(), batches };
                raw.into_python(py)
            })
            .transpose()
    }

    /// The names, the IPv4 address and the IPv6 address of each site. The first name of a site is its name in the
    /// scenario.
    #[getter]
    fn sites(&self) -> Vec<(Vec<String>, String, String)> {
        let address = |((number, mut names), own): ((usize, Vec<String>), &String)| {
            let addresses = emulate::addresses_of(number);
            names[0].clone_from(own);
            (names, addresses.v4.to_string(), addresses.v6.to_string())
        };
        emulate::names_of(&self.names).into_iter().enumerate().zip(&self.names).map(address).collect()
    }

    /// Starts a program at the site with this number. Returns its process ID. The program is a child of this process.
    #[pyo3(signature = (site, arguments, *, environment, is_helper))]
    fn start(
        &self,
        site: usize,
        arguments: Vec<String>,
        environment: BTreeMap<String, String>,
        is_helper: bool,
    ) -> PyResult<u32> {
        let program = Program { arguments, environment, is_helper };
        self.sites[site].start(program).map_err(|error| Failure::from(error).into())
    }

    /// Starts the clock. Packets move from now until the end of the scenario.
    fn begin(&self) -> PyResult<()> {
        let mut stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        let Stage::Ready(parts, mover) = std::mem::replace(&mut *stage, Stage::Over) else {
            let why = "the emulation has already begun, or it is not open (create another emulation)";
            return Err(Failure::new(Code::ArgumentValue, &why).into());
        };
        // A thread that has ended says why when it is joined.
        let _ = mover.parts.send(*parts);
        *stage = Stage::Running(mover.thread);
        Ok(())
    }

    /// Whether packets no longer move, because the scenario is over or an error has ended it.
    #[getter]
    fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    /// The run so far: the present summary, and the rows of its tables since the last call. None if packets do not move
    /// yet, or no longer move.
    fn so_far(&self, py: Python<'_>) -> PyResult<Option<Outcome>> {
        let present = py.detach(|| {
            let receiver = self.present.lock().unwrap_or_else(PoisonError::into_inner);
            self.asked.store(true, Ordering::Relaxed);
            receiver.as_ref().and_then(|receiver| receiver.recv().ok())
        });
        let Some((summary, batches)) = present else { return Ok(None) };
        let raw = RawOutcome { summary: summary.to_json(), scenario: self.scenario.clone(), batches };
        raw.into_python(py).map(Some)
    }

    /// Ends the run at its present time, writes its folder, and returns its result.
    fn finish(&self, py: Python<'_>) -> PyResult<Outcome> {
        let finished = py.detach(|| {
            self.stop.store(true, Ordering::Relaxed);
            let mut stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
            let Stage::Running(thread) = std::mem::replace(&mut *stage, Stage::Over) else {
                return Err(Failure::new(
                    Code::ArgumentValue,
                    &"the emulation is not running (begin the emulation first)",
                ));
            };
            let (parts, facts) = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            finish(parts, &facts)
        });
        finished.map_err(PyErr::from)?.into_python(py)
    }
}

impl Emulation {
    fn made(job: &Job, keep: bool, capture: bool, user: Option<(u32, u32)>) -> Result<Self, Failure> {
        let mut checked = job.ready()?;
        let (scenario, known) = (checked.resolved(), checked.provenance());
        let mut emulated = tapped(&checked.scenario, keep)?;
        if capture {
            let taps = emulated.flows.iter().filter(|flow| flow.kind.word() == "tap");
            emulated.record.capture.pcap = taps.map(|flow| flow.name.clone()).collect();
        }
        checked.scenario = emulated;
        let plan = Plan::of_run(&checked.scenario, &plan::never);
        let plan = plan.map_err(|error| checked.placed(SimError::from(error)))?;
        let ports = Ports::of(&plan);
        let (names, mtu) = (ports.sites().to_vec(), ports.mtu());
        let hosts = temporary_file(&hosts_file(&names))
            .map_err(|error| EmulateError::system("writing a hosts file", error))?;
        let made: Result<Vec<_>, _> =
            (0..names.len()).map(|number| Site::new(number, &hosts, mtu, user)).collect();
        // The sites have mounted the file, so its name is no longer needed.
        let _ = std::fs::remove_file(&hosts);
        let (sites, cables) = made?.into_iter().unzip();
        let planned = Planned { plan, checked, known, scenario: scenario.clone(), ports, cables };
        let flags: [Arc<AtomicBool>; 3] = Default::default();
        let mover = Mover::start(flags.clone())?;
        let [stop, ended, asked] = flags;
        let stage = Mutex::new(Stage::Planned(Box::new(planned), mover));
        Ok(Self { names, sites, stage, stop, ended, asked, present: Mutex::default(), scenario })
    }
}

impl Planned {
    fn open(self, present: Sender<Present>) -> Result<Parts, Failure> {
        let Self { plan, checked, known, scenario, ports, cables } = self;
        let folder = checked.out.as_deref();
        let folder =
            folder.map(|out| RunFolder::create(out, checked.content(scenario.clone()))).transpose()?;
        let tables = folder.as_ref().map_or_else(Tables::default, RunFolder::tables);
        let captures =
            folder.as_ref().map(|folder| checked.captures(&folder.captures())).transpose()?.flatten();
        let run = watched(plan, &Options::of(&checked.scenario), tables, captures, &plan::never);
        let run = run.map_err(|error| checked.placed(error))?.0;
        Ok(Parts {
            run: Loop::new(run, ports, cables)?,
            checked,
            known,
            scenario,
            folder,
            present: Some(present),
        })
    }
}

impl Parts {
    /// Returns the nodes of the network and the positions of its satellites.
    fn places(&self) -> Result<Batches, Failure> {
        let tables = self.run.run().places(&plan::never).map_err(|error| self.checked.placed(error))?;
        Ok(tables.finish(&self.known)?)
    }
}

impl Mover {
    /// Starts the thread, with a real-time policy if the process may have one. The thread ends when the flag `stop` is
    /// set, and sets the flag `ended` at its end. When the flag `asked` is set, the thread sends the present state.
    fn start([stop, ended, asked]: [Arc<AtomicBool>; 3]) -> Result<Self, EmulateError> {
        let (parts, to_move) = channel();
        let thread = std::thread::Builder::new().name("packets".to_owned());
        let thread = thread.spawn(move || {
            let driven = moved(&to_move, &stop, &asked);
            ended.store(true, Ordering::Relaxed);
            driven
        });
        let thread = thread.map_err(|error| EmulateError::system("starting a thread", error))?;
        Ok(Self { parts, thread })
    }
}

/// Creates a file that only this process can write and all users can read. An earlier process with the same number may
/// have been killed, and may have left a file with this name. Such a file is not used, because it can be anyone's.
fn temporary_file(text: &str) -> std::io::Result<PathBuf> {
    let mut number = 0;
    loop {
        let path = std::env::temp_dir().join(format!("bentpipe-hosts-{}-{number}", std::process::id()));
        match std::fs::File::options().write(true).create_new(true).open(&path) {
            Ok(mut file) => return file.write_all(text.as_bytes()).map(|()| path),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    }
}

/// Waits for the parts, and moves packets until the end of the scenario, or until `stop` is set.
fn moved(parts: &Receiver<Parts>, stop: &AtomicBool, asked: &AtomicBool) -> Driven {
    let real_time = ThreadSchedulePolicy::Realtime(RealtimeThreadSchedulePolicy::Fifo);
    let priority = ThreadPriority::try_from(PRIORITY)
        .ok()
        .and_then(|priority| set_thread_priority_and_policy(thread_native_id(), priority, real_time).ok());
    let scheduling = if priority.is_some() { "real time" } else { "normal" };
    // Without a real-time policy, timers of a thread are 50 µs late by default (prctl(2), PR_SET_TIMERSLACK).
    let _ = rustix::thread::set_current_timer_slack(std::num::NonZeroU64::new(1));
    let Ok(mut parts) = parts.recv() else {
        return Err(Failure::new(Code::ArgumentValue, &"the emulation was not begun"));
    };
    let before = processors();
    let end = parts.run.end();
    let present = parts.present.take();
    parts.run.drive(end, stop, &|run: &mut Run<Watch>| {
        if asked.swap(false, Ordering::Relaxed) {
            // Nobody receives it after the emulation was dropped.
            if let Some(present) = &present {
                drop(present.send(run.so_far()));
            }
        }
    })?;
    let idle_processors = match (before, processors()) {
        (Some([idle, all]), Some([idle_after, all_after])) if all_after > all => {
            (idle_after - idle) / (all_after - all)
        }
        _ => 0.0,
    };
    Ok((parts, Facts { scheduling, idle_processors }))
}

/// Returns the idle time and the total time of all processors so far (proc(5), /proc/stat).
fn processors() -> Option<[f64; 2]> {
    let text = std::fs::read_to_string("/proc/stat").ok()?;
    let times: Vec<f64> =
        text.lines().next()?.split_whitespace().skip(1).filter_map(|time| time.parse().ok()).collect();
    let idle = times.get(3)? + times.get(4)?;
    Some([idle, times.iter().take(8).sum()])
}

fn finish(parts: Parts, facts: &Facts) -> Result<RawOutcome, Failure> {
    let Parts { run, checked, known, scenario, folder, present: _ } = parts;
    let (lateness, unroutable) = (run.lateness().summary(), run.unroutable());
    let run = run.into_run();
    let end = run.session().engine().now();
    let mut outcome = run.finish_watched(&plan::never).map_err(|error| checked.placed(error))?;
    let provenance = &mut outcome.summary.provenance;
    "emulator".clone_into(&mut provenance.platform);
    // The user may have ended it before the end of the scenario.
    provenance.duration_s = end.secs_f64();
    (provenance.inputs, provenance.controllers) = (known.inputs, known.controllers);
    provenance.degraded.extend(lateness.degraded());
    if unroutable > 0 {
        provenance.path_notes.push(format!(
            "{unroutable} packets were discarded: their destination address belongs to no site, or no flow of the \
             scenario connects the two sites"
        ));
    }
    let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    provenance.emulator = Some(EmulatorFacts {
        kernel: kernel.trim().to_owned(),
        processors: std::thread::available_parallelism().map_or(0, |count| count.get() as u32),
        scheduling: facts.scheduling.to_owned(),
        packets: lateness.packets,
        lateness_p50_us: lateness.p50_us,
        lateness_p99_us: lateness.p99_us,
        lateness_p999_us: lateness.p999_us,
        lateness_max_us: lateness.max_us,
        late_packets: lateness.late_packets,
        refused_packets: lateness.refused_packets,
        unroutable_packets: unroutable,
        idle_processors: facts.idle_processors,
    });
    let batches = outcome.tables.finish(&outcome.summary.provenance)?;
    if let Some(folder) = folder {
        folder.finish(&outcome.summary)?;
    }
    Ok(RawOutcome { summary: outcome.summary.to_json(), scenario, batches })
}
