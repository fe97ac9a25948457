// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run to make: the text of a scenario, with changes.

use crate::cost;
use crate::error::Failure;
use crate::own;
use plan::PlanError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use record::{Content, Input, OwnController, Provenance, RecordError};
use scenario::{DefaultQueue, Identity, NamedFile, Overrides, Places, Scenario};
use sim::{Captures, SimError, Unsaved};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::Value;
use topology::TopologyError;
use units::Code;

/// The text of a scenario, changes to it, and the folder to which the run is written.
#[pyclass(frozen, module = "bentpipe._core")]
pub struct Job {
    toml: String,
    /// Origin of the text, for messages.
    pub origin: String,
    out: Option<PathBuf>,
    seed: Option<u64>,
    overrides: Overrides,
    pcap: Option<Vec<String>>,
    pcap_links: Option<Vec<String>>,
    qlog: Option<Vec<String>>,
    force: bool,
    costly: bool,
    checkpoint: Option<f64>,
}

/// A scenario that was read, and the place of each key in the text.
type Read = (Scenario, Places);

/// A job whose scenario was read and checked.
pub struct Checked {
    pub scenario: Scenario,
    pub out: Option<PathBuf>,
    /// Whether files of Bentpipe that exist in `out` are replaced.
    pub force: bool,
    /// Whether the run may need more memory or disk space than is free.
    pub costly: bool,
    /// Interval between the states of a run with a checkpoint, in wall-clock time.
    pub checkpoint: Option<Duration>,
    /// The files that the scenario names, with their digests at the time at which the job was read.
    files: Vec<NamedFile>,
    places: Places,
    /// Folder that contains the text.
    home: PathBuf,
}

#[pymethods]
impl Job {
    /// Arguments with which pickle creates the job again.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((String, String), Bound<'py, PyDict>)> {
        let different = PyDict::new(py);
        different.set_item("out", &self.out)?;
        different.set_item("seed", self.seed)?;
        different.set_item("duration", &self.overrides.duration)?;
        different.set_item("pcap", &self.pcap)?;
        different.set_item("pcap_links", &self.pcap_links)?;
        different.set_item("qlog", &self.qlog)?;
        different.set_item("force", self.force)?;
        different.set_item("costly", self.costly)?;
        different.set_item("checkpoint", self.checkpoint)?;
        different.set_item("copies", &self.overrides.copies)?;
        Ok(((self.toml.clone(), self.origin.clone()), different))
    }

    #[new]
    #[pyo3(signature = (
        toml, origin, *, out = None, seed = None, duration = None, pcap = None, pcap_links = None,
        qlog = None, force = false, costly = false, checkpoint = None, copies = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new(
        toml: String,
        origin: String,
        out: Option<PathBuf>,
        seed: Option<u64>,
        duration: Option<String>,
        pcap: Option<Vec<String>>,
        pcap_links: Option<Vec<String>>,
        qlog: Option<Vec<String>>,
        force: bool,
        costly: bool,
        checkpoint: Option<f64>,
        copies: Option<BTreeMap<PathBuf, PathBuf>>,
    ) -> PyResult<Self> {
        // TOML's integers have at most 63 bits.
        if seed.is_some_and(|seed| i64::try_from(seed).is_err()) {
            return Err(PyValueError::new_err("a seed is at most 2^63 - 1"));
        }
        let overrides = Overrides { duration, copies: copies.unwrap_or_default() };
        if checkpoint.is_some_and(|every_s| Duration::try_from_secs_f64(every_s).is_err()) {
            return Err(PyValueError::new_err("an interval is a number of seconds, 0 or more"));
        }
        Ok(Self { toml, origin, out, seed, overrides, pcap, pcap_links, qlog, force, costly, checkpoint })
    }
}

impl Job {
    /// Reads the text and applies the changes.
    pub fn checked(&self) -> Result<Checked, Failure> {
        self.checked_of(self.read()?)
    }

    fn read(&self) -> Result<Read, Failure> {
        Ok(Scenario::read(&self.toml, &self.origin, &self.overrides)?)
    }

    /// Returns whether another job has the same text, the same origin and the same changes. Such a job need not be read
    /// again.
    fn reads_as(&self, other: &Self) -> bool {
        (&self.toml, &self.origin, &self.overrides) == (&other.toml, &other.origin, &other.overrides)
    }

    fn checked_of(&self, (mut scenario, places): Read) -> Result<Checked, Failure> {
        if let Some(seed) = self.seed {
            scenario.seed = seed;
        }
        let capture = &mut scenario.record.capture;
        if let Some(names) = &self.pcap {
            capture.pcap.clone_from(names);
        }
        if let Some(names) = &self.pcap_links {
            capture.pcap_links.clone_from(names);
        }
        if let Some(names) = &self.qlog {
            capture.qlog.clone_from(names);
        }
        if self.pcap.is_some() || self.pcap_links.is_some() || self.qlog.is_some() {
            scenario::check_captures(&scenario)?;
        }
        let home = Path::new(&self.origin).parent().map(Path::to_owned).unwrap_or_default();
        let files = self.files(&places);
        let (out, force, costly) = (self.out.clone(), self.force, self.costly);
        let checkpoint = self.checkpoint.map(Duration::from_secs_f64);
        Ok(Checked { scenario, out, force, costly, checkpoint, files, places, home })
    }

    /// Returns the files that the text names, with their digests. If a file has a copy, the digest of the copy is
    /// returned.
    fn files(&self, places: &Places) -> Vec<NamedFile> {
        let opened = |path| self.overrides.copies.get(path).unwrap_or(path);
        places.files().iter().map(|path| NamedFile::read(opened(path))).collect()
    }

    /// Works as [`Job::checked`], for a run that will be made. Refuses the run if its folder has other content, or if
    /// the run needs more memory or disk space than is free.
    pub fn ready(&self) -> Result<Checked, Failure> {
        self.checked().and_then(Checked::admitted)
    }

    /// Returns the result of [`Job::ready`] for each job. Reading a text takes as long as a short run. Runs of the same
    /// scenario with several seeds usually follow each other. Therefore a text that equals the previous text is not
    /// read again.
    pub fn all_ready(jobs: &[&Self]) -> Vec<Result<Checked, Failure>> {
        let mut last: Option<(&Self, Result<Read, Failure>)> = None;
        let each = jobs.iter().map(|job| {
            if !last.as_ref().is_some_and(|(before, _)| job.reads_as(before)) {
                last = Some((job, job.read()));
            }
            let read = last.as_ref().expect("it was read just now").1.clone();
            read.and_then(|read| job.checked_of(read)).and_then(Checked::admitted)
        });
        each.collect()
    }
}

impl Checked {
    fn admitted(self) -> Result<Self, Failure> {
        if let Some(out) = &self.out {
            record::folder::refuse(out, &self.content(self.resolved()))?;
        }
        if let Some(why) = self.checkpoint.and_then(|_| self.unsaved()) {
            return Err(self.placed(SimError::NoSave(why)));
        }
        cost::refuse(&self)?;
        Ok(self)
    }

    /// Returns why the run cannot have a checkpoint; `None` if the scenario is not a reason.
    fn unsaved(&self) -> Option<Unsaved> {
        let own = own::controllers(&self.scenario);
        let is_own = |name: &str| own.iter().any(|own| own.name == name);
        let flows = self.scenario.flows.iter();
        let of_flows = flows.filter_map(|flow| Some((flow.name_of(0), flow.kind.controller()?)));
        let mut own_flows = of_flows.filter(|(_, controller)| is_own(&controller.name));
        let controller = own_flows
            .next()
            .map(|(flow, controller)| Unsaved::Controller { flow, controller: controller.name.clone() });
        Unsaved::of(&self.scenario).or(controller)
    }

    /// Returns the resolved scenario, with version and seed at the top. Paths of files are relative to the folder to
    /// which the scenario is written.
    pub fn resolved(&self) -> String {
        let (version, seed) = (env!("CARGO_PKG_VERSION"), self.scenario.seed);
        let header = format!("bentpipe {version}, seed {seed}");
        match &self.out {
            Some(folder) => self.scenario.seen_from(folder, &self.home).to_toml(&header),
            None => self.scenario.to_toml(&header),
        }
    }

    /// Returns the content that identifies the run of the `resolved` scenario.
    pub fn content(&self, resolved: String) -> Content {
        Content { scenario: resolved, inputs: self.inputs(), force: self.force }
    }

    /// Returns the files that the scenario names, as in the provenance.
    pub fn inputs(&self) -> Vec<Input> {
        let input = |file: &NamedFile| Input { file: file.name.clone(), sha256: file.sha256.clone() };
        self.files.iter().map(input).collect()
    }

    /// Returns the part of the provenance that depends on files and on controllers in Python. Call this function before
    /// the run, because a controller may change its own class during the run.
    pub fn provenance(&self) -> Provenance {
        let controllers = own::controllers(&self.scenario);
        let is_known = controllers.iter().all(|own| own.sha256.is_some());
        let identity = is_known.then(|| self.identity(&controllers).hexadecimal());
        Provenance { identity, inputs: self.inputs(), controllers, ..Provenance::default() }
    }

    /// Returns the identity of the run with these `controllers` in Python. If a controller has no digest, the identity
    /// is valid only within this process.
    fn identity(&self, controllers: &[OwnController]) -> Identity {
        let unknown = || format!("known to process {}", own::process());
        let digest = |own: &OwnController| own.sha256.clone().unwrap_or_else(unknown);
        let digests: Vec<_> = controllers.iter().map(|own| (own.name.clone(), digest(own))).collect();
        Identity::of(&self.scenario, &self.files, &sim::fingerprint(), &digests)
    }

    /// Returns an error if a file that the scenario names has changed since the job was read.
    pub fn check_files(&self) -> Result<(), Failure> {
        match self.files.iter().find(|file| NamedFile::read(&file.path) != **file) {
            Some(NamedFile { path, .. }) => Err(Failure::new(
                Code::FileChanged,
                &format_args!(
                    "the file {} was changed during the run (run the scenario again)",
                    path.display()
                ),
            )),
            None => Ok(()),
        }
    }

    /// Returns the queues with a default limit.
    pub fn default_queues(&self) -> &[DefaultQueue] {
        self.places.default_queues()
    }

    /// Returns, for each flow of the resolved document, the path of its table.
    pub fn flow_tables(&self) -> Vec<String> {
        self.places.flow_tables().map(str::to_owned).collect()
    }

    /// Begins the captures of the scenario in `folder`.
    pub fn captures(&self, folder: &Path) -> Result<Option<Captures>, RecordError> {
        Captures::begin(&self.scenario, folder, concat!("bentpipe ", env!("CARGO_PKG_VERSION")))
    }

    /// Converts the error of a run, and adds the place in the scenario's text.
    pub fn placed(&self, error: impl Into<SimError>) -> Failure {
        let error = error.into();
        let (code, text) = (error.code(), error.to_string());
        let fault = match &error {
            SimError::Controller { pep: Some(pep), .. } | SimError::SignalMissing { pep: Some(pep), .. } => {
                self.places.error(&format!("peps[{pep}].controller"), code, text)
            }
            SimError::Controller { flow, .. }
            | SimError::SignalMissing { flow, .. }
            | SimError::Quic { flow, .. } => self.places.of_flow(flow, "controller", code, text),
            SimError::Plan(PlanError::SiteUnknown { flow, .. }) => self.places.of_flow(flow, "", code, text),
            SimError::LinkUnknown { .. } => self.places.error("record.pcap_links", code, text),
            SimError::Plan(
                PlanError::TraceUnreadable { file, .. }
                | PlanError::Trace { file, .. }
                | PlanError::Topology(TopologyError::CatalogueUnreadable { file, .. }),
            ) => self.places.of_file(file, code, text),
            SimError::Plan(PlanError::Topology(TopologyError::Orbit { place, .. })) => {
                self.places.of_file(place.as_ref(), code, text)
            }
            SimError::Plan(PlanError::Topology(_)) => self.places.error("network", code, text),
            _ => return error.into(),
        };
        fault.into()
    }
}

/// Paths of the files that a scenario names. If the scenario is refused, the list contains only files that were found
/// before the fault.
#[pyfunction]
pub fn named_files(job: &Job) -> Vec<PathBuf> {
    Scenario::files(&job.toml, &job.origin).into_iter().collect()
}

/// The identity of a run without its seed.
#[pyclass(frozen, name = "Identity", module = "bentpipe._core")]
pub struct RunIdentity {
    identity: Identity,
    files: Vec<NamedFile>,
    /// Whether the identity depends only on the text, because the text names no files and no controllers in Python.
    #[pyo3(get)]
    is_constant: bool,
}

#[pymethods]
impl RunIdentity {
    /// The digest, as in the provenance.
    #[getter]
    fn digest(&self) -> String {
        self.identity.hexadecimal()
    }

    /// The files that the scenario names, sorted by path. Each entry is the name without folders, and the SHA-256 of
    /// the content (`None` if the file cannot be read).
    #[getter]
    fn inputs(&self) -> Vec<(&str, Option<&str>)> {
        self.files.iter().map(|file| (file.name.as_str(), file.sha256.as_deref())).collect()
    }

    /// The name of the run with a seed: 40 hexadecimal digits.
    fn run(&self, seed: u64) -> String {
        self.identity.run(seed)
    }

    /// The first file whose content has changed since the identity was computed; `None` if no file has changed.
    fn changed_file(&self, py: Python<'_>) -> Option<PathBuf> {
        let changed = || self.files.iter().find(|file| NamedFile::read(&file.path) != **file);
        py.detach(changed).map(|file| file.path.clone())
    }
}

impl RunIdentity {
    /// Returns the identity of a checked run.
    pub fn of(plan: &Checked) -> Self {
        let controllers = own::controllers(&plan.scenario);
        let is_constant = plan.files.is_empty() && controllers.is_empty();
        Self { identity: plan.identity(&controllers), files: plan.files.clone(), is_constant }
    }
}

/// The identity of a run. If a scenario is refused, the identity of its text.
#[pyfunction]
pub fn identity(py: Python<'_>, job: &Job) -> RunIdentity {
    py.detach(|| {
        if let Ok(plan) = job.checked() {
            RunIdentity::of(&plan)
        } else {
            // The reason for the refusal may be a missing file, which may exist later. Therefore the identity is not
            // constant.
            let identity = Identity::of_refused(&job.toml, &sim::fingerprint());
            RunIdentity { identity, files: Vec::new(), is_constant: false }
        }
    })
}

/// The keys and values of a TOML text. The text is read like a scenario. Dates are returned as text.
#[pyfunction]
pub fn read_toml<'py>(py: Python<'py>, text: &str, origin: &str) -> PyResult<Bound<'py, PyDict>> {
    let table = scenario::parse_toml(text, origin).map_err(Failure::from)?;
    dict(py, table)
}

fn dict(py: Python<'_>, table: toml::Table) -> PyResult<Bound<'_, PyDict>> {
    let dict_of = PyDict::new(py);
    for (key, value) in table {
        dict_of.set_item(key, object(py, value)?)?;
    }
    Ok(dict_of)
}

fn object(py: Python<'_>, value: Value) -> PyResult<Bound<'_, PyAny>> {
    Ok(match value {
        Value::String(text) => text.into_pyobject(py)?.into_any(),
        Value::Integer(number) => number.into_pyobject(py)?.into_any(),
        Value::Float(number) => number.into_pyobject(py)?.into_any(),
        Value::Boolean(flag) => flag.into_pyobject(py)?.to_owned().into_any(),
        Value::Datetime(date) => date.to_string().into_pyobject(py)?.into_any(),
        Value::Array(items) => {
            let items: Vec<_> = items.into_iter().map(|item| object(py, item)).collect::<PyResult<_>>()?;
            PyList::new(py, items)?.into_any()
        }
        Value::Table(table) => dict(py, table)?.into_any(),
    })
}
