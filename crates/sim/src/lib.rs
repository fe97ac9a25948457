// SPDX-License-Identifier: MIT OR Apache-2.0
//! The packet simulator: from a [`scenario::Scenario`] to tables and a summary, in virtual time.
//!
//! [`run`] is all that most callers need. [`engine`] is the event engine, generic over its endpoints.

pub mod bottlenecks;
pub mod endpoint;
pub mod engine;
mod error;
mod lay;
mod meter;
mod notices;
mod packet;
pub mod ping;
pub mod queue;
mod recorder;
mod run;
mod streams;
mod summary;
pub mod wire;

pub use error::SimError;
pub use packet::{Packet, Slab};
pub use run::{Options, Outcome, run, run_until_interrupted};
pub use streams::stream_seed;

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

/// The true cause of a packet's end on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A queue was full.
    Queue = 0,
    /// It arrived broken.
    Error = 1,
    /// No path, or its link went away.
    Outage = 2,
}

impl Cause {
    /// As tables name it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Queue => "queue",
            Self::Error => "error",
            Self::Outage => "outage",
        }
    }
    /// As the table of packets names the drop.
    const fn drop_name(self) -> &'static str {
        match self {
            Self::Queue => "drop: queue",
            Self::Error => "drop: error",
            Self::Outage => "drop: outage",
        }
    }
}
