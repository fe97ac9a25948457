// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can go wrong between a scenario and its result.

use std::fmt;
use units::{Code, Time};

/// A run that could not be made.
#[derive(Debug)]
pub enum SimError {
    /// The scenario has no plan.
    Plan(plan::PlanError),
    /// A flow's controller could not be made.
    Controller {
        /// Name of the flow.
        flow: String,
        /// Number of the scenario's proxies that name it, if it is not the flow that does.
        pep: Option<usize>,
        /// Why.
        source: control::catalogue::ControlError,
    },
    /// No link has a name at which packets shall be captured.
    LinkUnknown {
        /// The name.
        link: String,
        /// Names of the links there are.
        known: Vec<String>,
    },
    /// The controller needs signals that this ground cannot give.
    SignalMissing {
        /// Name of the flow.
        flow: String,
        /// Number of the scenario's proxies that name the controller, if it is not the flow that does.
        pep: Option<usize>,
        /// Name of the controller.
        controller: String,
        /// The signals.
        signals: control::Signals,
    },
    /// There are so many packets at once that there is no room for as many again.
    Crowded {
        /// When.
        at: Time,
        /// How many.
        packets: usize,
        /// The link that has the most of them.
        link: String,
        /// Bytes of memory that can still be had.
        free: f64,
    },
    /// The books do not balance: a defect of Bentpipe.
    Conservation(engine::Imbalance),
    /// The result could not be put into tables.
    Record(record::RecordError),
    /// A flow has no controller of one sender that could be commanded.
    NoCommand {
        /// Name of the flow.
        flow: String,
        /// What it is.
        kind: &'static str,
    },
    /// A run cannot be copied while pages of its network are still to come.
    NoFork,
    /// The caller asked to stop.
    Interrupted,
}

impl SimError {
    /// The stable code.
    pub fn code(&self) -> Code {
        match self {
            Self::Plan(error) => error.code(),
            Self::Controller { source, .. } => source.code(),
            Self::LinkUnknown { .. } => Code::ScenarioValue,
            Self::NoFork | Self::NoCommand { .. } => Code::ArgumentValue,
            Self::SignalMissing { .. } => Code::SignalMissing,
            Self::Crowded { .. } => Code::CostTooHigh,
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
            Self::LinkUnknown { link, known } => {
                let some =
                    known.iter().take(8).map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
                let more = if known.len() > 8 { ", …" } else { "" };
                write!(f, "no link is called \"{link}\" (the links are {some}{more}; * stands for anything)")
            }
            Self::SignalMissing { flow, controller, signals, .. } if *signals == control::Signals::ECN => {
                let (ecn, discipline) = plan::needs(controller);
                write!(
                    f,
                    "flow \"{flow}\": controller \"{controller}\" needs {signals}, which this flow's TCP does not report \
                     (write tcp = {{ ecn = \"{ecn}\" }}, and let a queue on the path mark: discipline \"{discipline}\")"
                )
            }
            Self::SignalMissing { flow, controller, signals, .. } => write!(
                f,
                "flow \"{flow}\": controller \"{controller}\" needs {signals}, which this network cannot give \
                 (choose another controller, or a preset that does without)"
            ),
            Self::Crowded { at, packets, link, free } => write!(
                f,
                "stopped at {:.3} s: {:.1} million packets are on the network at once, most of them on {link}, and {:.1} GB of \
                 memory are left (bound the link's `queue`, or the flow's window with tcp = {{ receive_window = \"4 MB\" }})",
                at.since(Time::ZERO).secs_f64(),
                *packets as f64 / 1e6,
                free / 1e9
            ),
            Self::Conservation(error) => error.fmt(f),
            Self::Record(error) => error.fmt(f),
            Self::NoCommand { flow, kind } => write!(
                f,
                "cannot command flow \"{flow}\": it is of kind \"{kind}\", and only a TCP flow has one sender (name a TCP flow)"
            ),
            Self::NoFork => f.write_str(
                "cannot fork the session: its constellation is laid out page by page (give a duration of an hour at most)",
            ),
            Self::Interrupted => f.write_str("the run was interrupted"),
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
