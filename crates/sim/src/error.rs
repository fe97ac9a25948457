// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of a run.

use scenario::Scenario;
use std::fmt;
use units::{Code, Time};

/// The reason why a run could not start or continue.
#[derive(Debug)]
pub enum SimError {
    /// No plan could be made for the scenario.
    Plan(plan::PlanError),
    /// The controller of a flow could not be created.
    Controller {
        /// Name of the flow.
        flow: String,
        /// Index of the proxy entry in the scenario that names the controller; `None` if the flow names it.
        pep: Option<usize>,
        /// The reason.
        source: control::catalogue::ControlError,
    },
    /// A capture names a link that does not exist.
    LinkUnknown {
        /// The name that the capture asks for.
        link: String,
        /// Names of the existing links.
        known: Vec<String>,
    },
    /// A controller needs signals that this build or this network does not provide.
    SignalMissing {
        /// Name of the flow.
        flow: String,
        /// Index of the proxy entry in the scenario that names the controller; `None` if the flow names it.
        pep: Option<usize>,
        /// Name of the controller.
        controller: String,
        /// The signals.
        signals: control::Signals,
    },
    /// The QUIC library cannot run a flow's controller.
    Quic {
        /// Name of the flow.
        flow: String,
        /// The reason.
        source: quic::Refused,
    },
    /// The packets on the network occupy more memory than is free now, so their number could not double.
    Crowded {
        /// Time at which the run stopped.
        at: Time,
        /// Number of packets on the network.
        packets: usize,
        /// The link with the most packets.
        link: String,
        /// Bytes of available memory.
        free: f64,
    },
    /// The open connections of applications occupy more memory than is free now, so their number could not double.
    CrowdedByConnections {
        /// Time at which the run stopped.
        at: Time,
        /// Number of connection ends at hosts.
        ends: usize,
        /// Bytes of available memory.
        free: f64,
    },
    /// The packet counts do not balance. This is a defect of Bentpipe.
    Conservation(engine::Imbalance),
    /// The result could not be put into tables.
    Record(record::RecordError),
    /// The caller sent a command to a flow that does not have exactly one sender with a controller.
    NoCommand {
        /// Name of the flow.
        flow: String,
        /// Kind of the flow.
        kind: &'static str,
    },
    /// The run cannot be copied, because later parts (pages) of its network are not computed yet.
    NoFork,
    /// The run cannot be copied, because it has QUIC connections.
    NoForkOfQuic,
    /// The state of a run cannot be saved.
    NoSave(Unsaved),
    /// A saved state cannot be restored.
    NoRestore(Unread),
    /// The caller asked to stop.
    Interrupted,
}

impl SimError {
    /// Returns the stable error code.
    pub fn code(&self) -> Code {
        match self {
            Self::Plan(error) => error.code(),
            Self::Controller { source, .. } => source.code(),
            Self::Quic { source, .. } => source.code(),
            Self::LinkUnknown { .. } => Code::ScenarioValue,
            Self::NoFork
            | Self::NoForkOfQuic
            | Self::NoSave(_)
            | Self::NoRestore(_)
            | Self::NoCommand { .. } => Code::ArgumentValue,
            Self::SignalMissing { .. } => Code::SignalMissing,
            Self::Crowded { .. } | Self::CrowdedByConnections { .. } => Code::CostTooHigh,
            Self::Conservation(error) => error.code(),
            Self::Record(error) => error.code(),
            Self::Interrupted => Code::Interrupted,
        }
    }
}

impl fmt::Display for SimError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plan(error) => error.fmt(f),
            Self::Controller { flow, source, .. } => write!(f, "flow \"{flow}\": {source}"),
            Self::Quic { flow, source } => write!(f, "flow \"{flow}\" over QUIC: {source}"),
            Self::LinkUnknown { link, known } => {
                let some =
                    known.iter().take(8).map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
                let more = if known.len() > 8 { ", …" } else { "" };
                write!(f, "no link is called \"{link}\" (the links are {some}{more}; * matches any text)")
            }
            Self::SignalMissing { flow, controller, signals, .. } if *signals == control::Signals::ECN => {
                let (ecn, discipline) = plan::needs(controller);
                write!(
                    f,
                    "flow \"{flow}\": controller \"{controller}\" needs {signals}, which this flow's TCP does not \
                     report (write tcp = {{ ecn = \"{ecn}\" }} in the flow, and discipline = \"{discipline}\" for a \
                     queue on the path)"
                )
            }
            Self::SignalMissing { flow, controller, signals, .. } => write!(
                f,
                "flow \"{flow}\": controller \"{controller}\" needs {signals}, but this network does not provide \
                 these signals (choose another controller, or a preset that needs fewer signals)"
            ),
            Self::Crowded { at, packets, link, free } => write!(
                f,
                "the run stopped at {:.3} s: {:.1} million packets are on the network at once, most of them on \
                 {link}, and {:.1} GB of memory are left (limit the `queue` of this link, or limit the window of the \
                 flow: tcp = {{ receive_window = \"4 MB\" }})",
                at.since(Time::ZERO).secs_f64(),
                *packets as f64 / 1e6,
                free / 1e9
            ),
            Self::CrowdedByConnections { at, ends, free } => write!(
                f,
                "the run stopped at {:.3} s: applications have {:.1} million open connection ends at once, and {:.1} \
                 GB of memory are left (lower the `load` or the rate of `arrivals`, or write larger answers)",
                at.since(Time::ZERO).secs_f64(),
                *ends as f64 / 1e6,
                free / 1e9
            ),
            Self::Conservation(error) => error.fmt(f),
            Self::Record(error) => error.fmt(f),
            Self::NoCommand { flow, kind } => write!(
                f,
                "cannot command flow \"{flow}\" of kind \"{kind}\": commands apply to a single TCP sender, and only \
                 flows of kind \"tcp\" have one (name a TCP flow)"
            ),
            Self::NoFork => f.write_str(
                "cannot fork the session: the run is so long that its constellation is computed page by page (write \
                 a `duration` of at most 1 h)",
            ),
            Self::NoForkOfQuic => f.write_str(
                "cannot fork the session: a QUIC connection cannot be copied (write transport = \"tcp\", or run the \
                 scenario again from its start: the same scenario and seed give the same bytes)",
            ),
            Self::NoSave(why) => write!(f, "cannot save the state of the run: {why}"),
            Self::NoRestore(why) => write!(f, "cannot restore the state of the run: {why}"),
            Self::Interrupted => f.write_str("the run was interrupted"),
        }
    }
}

/// The reason why the state of a run cannot be saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsaved {
    /// A flow's controller keeps state that the run cannot read. An example is a controller written in Python.
    Controller {
        /// Name of the flow.
        flow: String,
        /// Name of the controller.
        controller: String,
    },
    /// The caller added endpoints that are not part of the plan.
    Endpoints,
    /// The scenario asks for captures.
    Captures,
    /// The scenario asks for rows of packets.
    Packets,
    /// Rows of a table were already written to a file without a journal.
    Rows,
    /// A flow is a QUIC connection. The QUIC library does not export its state.
    Quic {
        /// Name of the flow.
        flow: String,
    },
}

impl Unsaved {
    /// Returns why no run of a scenario can be saved; `None` if the scenario alone is not a reason.
    pub fn of(scenario: &Scenario) -> Option<Self> {
        let record = &scenario.record;
        let capture = &record.capture;
        if !(capture.pcap.is_empty() && capture.pcap_links.is_empty() && capture.qlog.is_empty()) {
            return Some(Self::Captures);
        }
        if record.packets.is_some() {
            return Some(Self::Packets);
        }
        let quic = scenario.flows.iter().find(|flow| flow.kind.quic().is_some())?;
        Some(Self::Quic { flow: quic.name_of(0) })
    }
}

impl fmt::Display for Unsaved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Captures => f.write_str(
                "captures are written during the run, and cannot be continued (remove `capture` from `record`, \
                 --pcap, --pcap-link and --qlog)",
            ),
            Self::Packets => f.write_str(
                "rows of packets are written during the run, and cannot be continued (remove `packets` from `record`)",
            ),
            Self::Rows => {
                f.write_str("rows were already written to a file that cannot be continued (write tables with journals)")
            }
            Self::Quic { flow } => write!(
                f,
                "the state of the QUIC connection of flow \"{flow}\" cannot be written (write transport = \"tcp\")"
            ),
            Self::Controller { flow, controller } => write!(
                f,
                "controller \"{controller}\" of flow \"{flow}\" cannot be saved (choose a controller that `bentpipe \
                 controllers` lists)"
            ),
            Self::Endpoints => {
                f.write_str("endpoints were added to the session (save the session before you add endpoints)")
            }
        }
    }
}

/// The reason why a saved state cannot be restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// The bytes are not a saved state.
    Foreign,
    /// Bytes are missing or have changed.
    Damaged,
    /// Another build saved the state.
    Build {
        /// Fingerprint of this other build.
        saved_by: String,
    },
    /// The state belongs to another scenario or another seed.
    Scenario,
    /// The state does not fit the run that the plan describes.
    Misfit(saved::Damaged),
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign => f.write_str("its bytes are not a saved state"),
            Self::Damaged => f.write_str("it is damaged: some bytes changed or are missing"),
            Self::Build { saved_by } => {
                write!(f, "build {saved_by} of Bentpipe saved it, but this build is {}", crate::fingerprint())
            }
            Self::Scenario => {
                f.write_str("it belongs to another scenario, to other input files or to another seed")
            }
            Self::Misfit(damaged) => damaged.fmt(f),
        }
    }
}

impl std::error::Error for SimError {}

impl From<plan::PlanError> for SimError {
    fn from(error: plan::PlanError) -> Self {
        match error {
            plan::PlanError::Interrupted => Self::Interrupted,
            error => Self::Plan(error),
        }
    }
}

impl From<record::RecordError> for SimError {
    fn from(error: record::RecordError) -> Self {
        Self::Record(error)
    }
}

impl From<engine::Imbalance> for SimError {
    fn from(error: engine::Imbalance) -> Self {
        Self::Conservation(error)
    }
}
