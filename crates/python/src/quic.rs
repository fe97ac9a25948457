// SPDX-License-Identifier: MIT OR Apache-2.0
//! The QUIC server and the QUIC client on sockets.

use crate::error::Failure;
use crate::runs::SIGNAL_CHECK;
use control::catalogue::Value;
use pyo3::prelude::*;
use quic::Setup;
use quic_socket::{Get, Identity, Observer, Output, Report, Serve, SocketError, Trust, Url};
use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use units::Code;

impl From<SocketError> for Failure {
    fn from(error: SocketError) -> Self {
        Self::new(error.code(), &error)
    }
}

/// A value of a controller's parameter.
#[derive(FromPyObject)]
pub enum Parameter {
    Flag(bool),
    Number(f64),
    Text(String),
}

/// A controller with its settings.
#[derive(FromPyObject)]
pub struct Choice {
    #[pyo3(item)]
    name: String,
    #[pyo3(item)]
    parameters: Vec<(String, Parameter)>,
    #[pyo3(item)]
    label: String,
}

impl Choice {
    fn setup(&self) -> Result<Setup, Failure> {
        let settings: Vec<(&str, Value<'_>)> = self
            .parameters
            .iter()
            .map(|(key, value)| {
                let value = match value {
                    Parameter::Flag(flag) => Value::Flag(*flag),
                    Parameter::Number(number) => Value::Number(*number),
                    Parameter::Text(text) => Value::Text(text),
                };
                (key.as_str(), value)
            })
            .collect();
        Setup::new(&self.name, &settings).map_err(|error| Failure::new(error.code(), &error))
    }
}

/// Checks Python's signals, and calls functions of Python.
struct Caller {
    listening: Option<Py<PyAny>>,
    closed: Option<Py<PyAny>>,
    looked: Instant,
    raised: Option<PyErr>,
}

impl Caller {
    fn new(listening: Option<Py<PyAny>>, closed: Option<Py<PyAny>>) -> Self {
        Self { listening, closed, looked: Instant::now(), raised: None }
    }

    fn call(&mut self, what: impl FnOnce(&Self) -> &Option<Py<PyAny>>, text: String) {
        let Some(function) = what(self) else { return };
        if let Err(error) = Python::attach(|py| function.call1(py, (text,))) {
            self.raised.get_or_insert(error);
        }
    }
}

impl Observer for Caller {
    fn stops(&mut self) -> bool {
        if self.raised.is_none() && self.looked.elapsed() >= SIGNAL_CHECK {
            self.looked = Instant::now();
            self.raised = Python::attach(|py| py.check_signals().err());
        }
        self.raised.is_some()
    }

    fn listening(&mut self, address: SocketAddr) {
        self.call(|caller| &caller.listening, address.to_string());
    }

    fn closed(&mut self, report: Report) {
        match serde_json::to_string(&report) {
            Ok(text) => self.call(|caller| &caller.closed, text),
            Err(error) => {
                self.raised.get_or_insert_with(|| Failure::new(Code::OutputUnwritable, &error).into());
            }
        }
    }
}

/// Serves the files of a folder. The stub describes the arguments.
#[pyfunction]
#[pyo3(signature = (root, listen, controller, *, files, write_cert, qlog, once, listening, closed))]
#[expect(clippy::too_many_arguments, reason = "named arguments of a Python function")]
pub fn quic_serve(
    py: Python<'_>,
    root: PathBuf,
    listen: &str,
    controller: Choice,
    files: Option<(PathBuf, PathBuf)>,
    write_cert: Option<PathBuf>,
    qlog: Option<PathBuf>,
    once: bool,
    listening: Py<PyAny>,
    closed: Py<PyAny>,
) -> PyResult<()> {
    let listen: SocketAddr = listen.parse().map_err(|_| {
        let why = format!(
            "--listen \"{listen}\": the value is not an address with a port (write for example 127.0.0.1:4433, \
             0.0.0.0:4433 or [::1]:4433)"
        );
        Failure::new(Code::ArgumentValue, &why)
    })?;
    let mut caller = Caller::new(Some(listening), Some(closed));
    let served = py.detach(|| {
        let setup = controller.setup()?;
        let identity = match files {
            Some((certificates, key)) => Identity::read(&certificates, &key)?,
            None => Identity::generate(listen.ip())?,
        };
        if let (Some(file), Some(pem)) = (write_cert, identity.pem()) {
            let mut out = std::fs::File::create(&file).map_err(|error| unwritable(&file, &error))?;
            out.write_all(pem.as_bytes()).map_err(|error| unwritable(&file, &error))?;
        }
        let options =
            Serve { root, listen, identity, controller: setup, label: controller.label, qlog, once };
        quic_socket::serve(options, &mut caller).map_err(Failure::from)
    });
    match caller.raised {
        Some(error) => Err(error),
        None => Ok(served?),
    }
}

fn unwritable(file: &std::path::Path, error: &std::io::Error) -> Failure {
    let why = format!("cannot write {}: {error} (choose another file)", file.display());
    Failure::new(Code::OutputUnwritable, &why)
}

/// Fetches files. The stub describes the arguments.
#[pyfunction]
#[pyo3(signature = (files, controller, *, ca, resume, timeout_ns, qlog))]
pub fn quic_get(
    py: Python<'_>,
    files: Vec<(String, Option<PathBuf>)>,
    controller: Choice,
    ca: Option<PathBuf>,
    resume: bool,
    timeout_ns: u64,
    qlog: Option<PathBuf>,
) -> PyResult<(String, Option<PyErrValue>)> {
    let mut caller = Caller::new(None, None);
    let got = py.detach(|| {
        let files = files
            .into_iter()
            .map(|(url, out)| {
                let output = match out {
                    None => Output::Nowhere,
                    Some(out) if out.as_os_str() == "-" => Output::Stdout,
                    Some(out) => Output::File(out),
                };
                Ok((url.parse::<Url>()?, output))
            })
            .collect::<Result<Vec<_>, SocketError>>()?;
        let trust = ca.map_or(Trust::Anyone, Trust::Authorities);
        let timeout = Duration::from_nanos(timeout_ns);
        let setup = controller.setup()?;
        let options = Get { files, trust, controller: setup, label: controller.label, resume, timeout, qlog };
        quic_socket::get(options, &mut caller).map_err(Failure::from)
    });
    if let Some(error) = caller.raised {
        return Err(error);
    }
    let got = got?;
    let reports =
        serde_json::to_string(&got.reports).map_err(|error| Failure::new(Code::OutputUnwritable, &error))?;
    let failure = got.failure.map(|error| PyErr::from(Failure::from(error)).into_value(py).into_any());
    Ok((reports, failure))
}

/// An exception as a Python object.
type PyErrValue = Py<PyAny>;
