// SPDX-License-Identifier: MIT OR Apache-2.0
//! The packet simulator: from a [`scenario::Scenario`] to tables and a summary.
//!
//! Most callers only need [`run`]. A [`Session`] is a run whose caller decides when it advances, and a [`Run`] is a
//! session with its records.
//!
//! | module | what it does | what it changes |
//! |---|---|---|
//! | `error` | why a run cannot be made | nothing |
//! | `transmitters` | links that share a transmitter: their numbers in the engine, how long each was served | its own counts; seats in the engine |
//! | `state` | what a run consists of at a moment: plan, engine, transmitters | nothing; makes copies |
//! | `assembly` | builds the engine of a plan: links, endpoints, controllers | nothing that exists before |
//! | `breaks` | proxies that lose their state or move | endpoints at proxies, sites of gateways |
//! | `routes` | changes of routes, and notices to flows | the engine's routes and links; endpoints hear of their paths |
//! | `session` | goes through time: packets, pages, routes, breaks; commands and copies | the plan (its next page) and the engine |
//! | `output` | recorder, summary, captures, guard | its own tables; takes events and finished visits of applications out of endpoints |
//!
//! A module uses only those above it, and only callers use `output` (`tests/project/test_architecture.py`).

mod assembly;
mod error;
mod output;
mod resets;
mod routes;
mod saving;
mod session;
mod state;
mod transmitters;

pub use error::{SimError, Unread, Unsaved};
pub use output::{
    Captures, Options, Outcome, PacketLog, Run, Watch, e_model, run, run_until_interrupted, visits, watched,
};
pub use session::{Session, Settings};
pub use state::State;

/// Fingerprint of everything that decides numbers here: the sources of the crates below this one (without comments and
/// tests), the data that they embed, the locked versions of their libraries, and the schema of the output. It is the
/// same on every machine. Builds with the same fingerprint give the same run for the same scenario.
pub fn fingerprint() -> String {
    format!("{}-{}", env!("BENTPIPE_FINGERPRINT"), record::SCHEMA_VERSION)
}

/// The build as in provenance data: version, and the first 12 digits of the [`fingerprint`].
pub fn build() -> String {
    format!("{}+{}", env!("CARGO_PKG_VERSION"), &env!("BENTPIPE_FINGERPRINT")[..12])
}
