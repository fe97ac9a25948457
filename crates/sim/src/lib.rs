// SPDX-License-Identifier: MIT OR Apache-2.0
//! The packet simulator: from a [`scenario::Scenario`] to tables and a summary.
//!
//! [`run`] is all that most callers need; [`Simulation`] is a run that goes on as its caller has the time. The event
//! engine is a room of its own.

mod acts;
pub mod bottlenecks;
pub mod endpoint;
mod error;
mod lay;
pub mod meter;
mod notices;
mod oracle;
mod packet;
mod recorder;
mod run;
mod summary;
pub mod wire;

pub use error::SimError;
pub use packet::{Labelled, Packet, SegmentBody};

pub use run::{Options, Outcome, Simulation, run, run_until_interrupted};
