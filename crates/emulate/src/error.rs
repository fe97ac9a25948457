// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of an emulation.

use sim::SimError;
use std::{fmt, io};
use units::Code;

/// The reason why an emulation cannot start or continue.
#[derive(Debug)]
pub enum EmulateError {
    /// The scenario cannot be emulated.
    Scenario(String),
    /// The session failed.
    Sim(SimError),
    /// The operating system refused something.
    System {
        /// The attempted operation.
        attempt: String,
        /// The error that the operating system returned.
        error: io::Error,
        /// The fix, for the user.
        fix: String,
    },
}

impl EmulateError {
    /// Creates the error for an `attempt` that the operating system refused. The fix depends on `error`.
    pub fn system(attempt: impl Into<String>, error: io::Error) -> Self {
        let fix = match error.kind() {
            io::ErrorKind::PermissionDenied => {
                "run the command as root, or in a user namespace, if the kernel allows network devices there"
            }
            io::ErrorKind::NotFound => {
                "load the kernel module \"tun\" (modprobe tun), and check that the file exists"
            }
            _ => "the system's message contains the cause",
        };
        Self::System { attempt: attempt.into(), error, fix: fix.to_owned() }
    }

    /// Returns the stable error code.
    pub fn code(&self) -> Code {
        match self {
            Self::Scenario(_) => Code::ScenarioValue,
            Self::Sim(error) => error.code(),
            Self::System { .. } => Code::ArgumentValue,
        }
    }
}

impl fmt::Display for EmulateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scenario(why) => f.write_str(why),
            Self::Sim(error) => error.fmt(f),
            Self::System { attempt, error, fix } => write!(f, "{attempt} failed: {error} ({fix})"),
        }
    }
}

impl std::error::Error for EmulateError {}

impl From<SimError> for EmulateError {
    fn from(error: SimError) -> Self {
        Self::Sim(error)
    }
}
