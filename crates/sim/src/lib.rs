// SPDX-License-Identifier: MIT OR Apache-2.0
//! The packet simulator: runs a [`scenario::Scenario`] and produces tables and a summary.
//!
//! Most callers only need [`run`]. A [`Session`] is a run that advances when its caller asks for it. A [`Run`] is a
//! session with its records.
//!
//! | module | what it does | what it changes |
//! |---|---|---|
//! | `error` | the reasons why a run fails | nothing |
//! | `transmitters` | links that share a transmitter: their numbers in the engine, and the time for which each was served | its own counts; the links' places at transmitters in the engine |
//! | `state` | the parts of a run at one moment: plan, engine, transmitters | nothing; copies itself |
//! | `assembly` | builds the engine of a plan: links, endpoints, controllers | nothing that exists before |
//! | `resets` | proxies that lose their state or move | endpoints at proxies, sites of gateways |
//! | `routes` | changes of routes, and notices to flows | routes and links of the engine; path data of endpoints |
//! | `session` | advances a run: packets, pages, routes, resets; commands and copies | the plan (its next page) and the engine |
//! | `output` | recorder, summary, captures, guard | its own tables; removes events and finished visits of applications from endpoints |
//!
//! A module uses only the modules above it in this table. Only callers of the crate use `output`
//! (`tests/project/test_architecture.py` checks this).

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
    Captures, Options, Outcome, PacketLog, Run, Watch, e_model, run, run_in_steps, run_until_interrupted,
    visits, watched,
};
pub use saving::saved_time;
pub use session::{Session, Settings};
pub use state::State;

/// Returns the fingerprint of everything in this build that determines results. The fingerprint covers:
/// - the sources of this crate and of the crates that it uses, without comments and tests;
/// - the data that these crates embed;
/// - the locked versions of their libraries;
/// - the schema of the output.
///
/// The fingerprint is the same on every machine. Builds with the same fingerprint give the same results for the same
/// scenario.
pub fn fingerprint() -> String {
    format!("{}-{}", env!("BENTPIPE_FINGERPRINT"), record::SCHEMA_VERSION)
}

/// Returns the build as provenance data shows it: version, and the first 12 digits of the [`fingerprint`].
pub fn build() -> String {
    format!("{}+{}", env!("CARGO_PKG_VERSION"), &env!("BENTPIPE_FINGERPRINT")[..12])
}
