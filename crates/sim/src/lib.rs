// SPDX-License-Identifier: MIT OR Apache-2.0
//! The packet simulator: from a [`scenario::Scenario`] to tables and a summary.
//!
//! [`run`] is all that most callers need. A [`Session`] is a run that goes on as its caller has the time, and a [`Run`] is
//! a session with what is written down of it.

mod applications;
mod assembly;
mod breaks;
mod controllers;
mod error;
mod output;
mod parts;
mod routes;
mod session;
mod transmitters;

pub use error::SimError;
pub use output::{Captures, Options, Outcome, PacketLog, Run, e_model, run, run_until_interrupted, sessions};
pub use session::{Session, Settings, State};

/// Fingerprint of everything that makes numbers here: the sources of the crates below this one (comments and tests
/// aside), the data that they embed, the locked versions of their libraries, and the schema of what is written. The same
/// on every machine; builds that share it give the same run for the same scenario.
pub fn fingerprint() -> String {
    format!("{}-{}", env!("BENTPIPE_FINGERPRINT"), record::SCHEMA_VERSION)
}

/// The build as provenance has it: version, and the first 12 digits of the [`fingerprint`].
pub fn build() -> String {
    format!("{}+{}", env!("CARGO_PKG_VERSION"), &env!("BENTPIPE_FINGERPRINT")[..12])
}
