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

/// The true cause of a packet's end on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A queue was full, or gave it up.
    Queue = 0,
    /// It arrived broken.
    Error = 1,
    /// No path, or its link went away.
    Outage = 2,
}

impl From<link::Lost> for Cause {
    fn from(why: link::Lost) -> Self {
        match why {
            link::Lost::Full | link::Lost::Refused | link::Lost::Managed => Self::Queue,
            link::Lost::Error => Self::Error,
            link::Lost::Outage => Self::Outage,
        }
    }
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
