// SPDX-License-Identifier: MIT OR Apache-2.0
//! The reasons why a scenario has no plan.

use std::fmt;
use std::path::PathBuf;
use units::Code;

/// The reason why a plan could not be created.
#[derive(Debug)]
pub enum PlanError {
    /// The network could not be computed.
    Topology(topology::TopologyError),
    /// A flow names a site that the network does not have.
    SiteUnknown {
        /// Name of the flow.
        flow: String,
        /// Name of the site.
        site: String,
        /// Names of the network's sites.
        known: Vec<String>,
    },
    /// A recorded file that the scenario names cannot be read.
    TraceUnreadable {
        /// The file.
        file: PathBuf,
        /// Reason from the operating system.
        why: String,
    },
    /// A recorded file has invalid content.
    Trace {
        /// The file.
        file: PathBuf,
        /// Position and reason.
        source: link::mahimahi::TraceError,
    },
    /// The request needs satellites, but the scenario has none.
    NoConstellation {
        /// Name of the scenario.
        name: String,
    },
    /// A run without an end was requested, but the network is drawn for the scenario's duration.
    Unending {
        /// Name of the scenario.
        name: String,
        /// The part that is drawn for the duration.
        what: &'static str,
    },
    /// The caller asked to stop.
    Interrupted,
}

impl PlanError {
    /// Returns the stable error code.
    pub fn code(&self) -> Code {
        match self {
            Self::Topology(error) => error.code(),
            Self::SiteUnknown { .. } => Code::SiteUnknown,
            Self::TraceUnreadable { .. } => Code::ScenarioUnreadable,
            Self::Trace { .. } | Self::NoConstellation { .. } | Self::Unending { .. } => Code::ScenarioValue,
            Self::Interrupted => Code::Interrupted,
        }
    }
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Topology(error) => error.fmt(f),
            Self::SiteUnknown { flow, site, known } => {
                write!(
                    f,
                    "flow \"{flow}\": the network has no site \"{site}\" (the sites are {})",
                    known.join(", ")
                )
            }
            Self::TraceUnreadable { file, why } => {
                let hint = if file.is_file() {
                    ""
                } else {
                    " (write the path of the file relative to the folder of \
                    the scenario)"
                };
                write!(f, "cannot read the recorded file {}: {why}{hint}", file.display())
            }
            Self::Trace { file, source } => write!(f, "cannot replay {}: {source}", file.display()),
            Self::NoConstellation { name } => write!(
                f,
                "cannot search among cities: the network of \"{name}\" is not a constellation (leave out the sites to \
                 examine the flows of the scenario)"
            ),
            Self::Unending { name, what } => write!(
                f,
                "cannot run \"{name}\" without an end: {what} must be computed in advance, for the `duration` of the \
                 scenario (write a `duration` that is long enough, or use a constellation)"
            ),
            Self::Interrupted => f.write_str("the run was interrupted"),
        }
    }
}

impl std::error::Error for PlanError {}

impl From<topology::TopologyError> for PlanError {
    fn from(error: topology::TopologyError) -> Self {
        Self::Topology(error)
    }
}
