// SPDX-License-Identifier: MIT OR Apache-2.0
//! The packet simulator: from a [`scenario::Scenario`] to tables and a summary.
//!
//! [`run`] is all that most callers need; [`Simulation`] is a run that goes on as its caller has the time. The event
//! engine is a room of its own.

mod acts;
pub mod bottlenecks;
mod breaks;
mod calls;
mod capacity;
mod capture;
pub mod cost;
pub mod e_model;
pub mod endpoint;
mod error;
mod guard;
mod l4s;
mod lay;
pub mod meter;
mod notices;
mod oracle;
mod packet;
pub mod path_series;
pub mod queues;
mod recorder;
mod replay;
mod run;
pub mod sessions;
mod shelf;
mod split;
pub mod standing;
mod summary;
mod transmitters;
mod vary;
mod weather;
pub mod wire;

pub use capture::Captures;
pub use error::SimError;
pub use packet::{Labelled, Packet, SegmentBody};

pub use run::{Options, Outcome, Simulation, run, run_until_interrupted};

/// Fingerprint of everything that makes numbers here: the sources of the rooms below this one (comments and tests
/// aside), the data that they embed, the locked versions of their libraries, and the schema of what is written. The same
/// on every machine; builds that share it give the same run for the same scenario.
pub fn fingerprint() -> String {
    format!("{}-{}", env!("BENTPIPE_FINGERPRINT"), record::SCHEMA_VERSION)
}

/// The build as provenance has it: version, and the first 12 digits of the [`fingerprint`].
pub fn build() -> String {
    format!("{}+{}", env!("CARGO_PKG_VERSION"), &env!("BENTPIPE_FINGERPRINT")[..12])
}
