// SPDX-License-Identifier: MIT OR Apache-2.0
//! TCP as two sans-I/O state machines, [`Sender`] and [`Receiver`].
//!
//! Both receive the time as an argument `now`, and do not use a clock. They exchange [`Segment`]s. A sequence number
//! counts segments of one MSS, as in the papers of this field. The last segment of a transfer may be shorter. Byte
//! counters have 64 bits.

#[cfg(test)]
extern crate self as bentpipe_tcp;

pub mod accurate;
pub mod config;
pub mod event;
mod intervals;
mod pacing;
pub mod preset;
mod probing;
mod rate;
pub mod receiver;
mod recovery;
mod rtt;
mod scoreboard;
pub mod segment;
pub mod sender;
mod timer;

pub use config::{
    AfterIdle, AfterLostSyn, Config, DelayedAck, Ecn, GrowingWindow, ReceiveWindow, Recovery, Repair, Setup,
    TIMESTAMPS, Timeouts, Transfer, Trickle,
};
pub use event::{Event, SenderStats};
pub use preset::{Preset, Reason};
pub use receiver::{Receiver, ReceiverStats};
pub use segment::{Flags, Segment, SegmentKind, expand};
pub use sender::{Sender, ecn};
