// SPDX-License-Identifier: MIT OR Apache-2.0
//! TCP as two sans-I/O state machines, [`Sender`] and [`Receiver`], and constant-bit-rate UDP ([`cbr`]).
//!
//! They take `now` and know no clock; they exchange [`Segment`]s. A sequence number counts segments of one MSS
//! (the last of a transfer may be shorter), as the papers of this field do; byte counters are 64 bits wide.

pub mod config;
pub mod segment;

pub use config::{Config, DelayedAck, Recovery, Transfer};
pub use segment::{Segment, SegmentKind};
