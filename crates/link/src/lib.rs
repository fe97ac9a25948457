// SPDX-License-Identifier: MIT OR Apache-2.0
//! One direction of a link: rate, delay as a function of time, queue, impairments.

pub mod config;
pub mod course;
pub mod delay;
pub mod discipline;
mod fifo;
mod flight;
mod gate;
mod held;
mod limit;
mod listed;
pub mod mahimahi;
pub mod parcel;
pub mod path_trace;
mod prefetch;
#[cfg(test)]
mod rig;
pub mod service;
mod shared;
pub mod starlink;
mod warning;

pub use config::{Bursts, Changes, Config, CongestionWarning, Impairment, LinkSpec, Queue, QueueLimit};
pub use course::{Course, Grants};
pub use delay::{Delay, DelayCurve, DelayTrace};
pub use discipline::*;
pub use gate::{Advance, Link, Packets};
pub use listed::LossList;
pub use parcel::{Arrival, Counters, Ecn, Lost, Parcel};
pub use path_trace::{PathTrace, TraceEnd, TraceRate};
pub use prefetch::prefetch;
pub use service::{Opportunities, Piece, RateSchedule, Service, ServiceError};
pub use shared::Sent;
