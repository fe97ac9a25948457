// SPDX-License-Identifier: MIT OR Apache-2.0
//! One direction of a link: its rate, its delay as a function of time, its queue, and its impairments.
//!
//! At run time, [`Link`] is the only interface. Its main methods are `offer`, `advance` and `recall`, and setters
//! change its settings. If the rate or the delay changes, the new value applies to packets whose transmission has not
//! begun.

mod acks;
mod arq;
pub mod carrier;
pub mod chain;
pub mod chance;
pub mod config;
pub mod course;
pub mod dama;
pub mod delay;
pub mod discipline;
mod flight;
mod gate;
mod granted;
mod held;
mod impairments;
mod ingress;
pub mod jitter;
mod land_mobile;
mod limit;
mod listed;
pub mod mahimahi;
pub mod parcel;
mod passage;
pub mod path_trace;
mod policer;
mod prefetch;
mod propagation;
mod ramp;
mod random_access;
pub mod recorded;
mod retime;
#[cfg(test)]
mod rig;
pub mod service;
mod shared;
pub mod sight;
pub mod starlink;
mod totals;
mod transmitter;
mod two_state;
mod waiting;
mod warning;

pub use acks::{Ack, Acks, Thinning};
pub use arq::Arq;
pub use carrier::{Carrier, CarrierTerminal, Pace, Sharing};
pub use chain::{ChainError, ChainSpec, ChainState, LossChain, Netem, Onsets};
pub use chance::Chance;
pub use config::{Bursts, Changes, Config, CongestionWarning, Impairment, LinkSpec, Queue, QueueLimit};
pub use course::{Course, Grants};
pub use dama::Dama;
pub use delay::{Delay, DelayCurve, DelayTrace};
pub use discipline::*;
pub use gate::{Advance, Link, Packets, Seeds, separate};
pub use jitter::Jitter;
pub use land_mobile::{BadStretch, GoodStretch, LandMobile};
pub use listed::LossList;
pub use parcel::{Arrival, Counters, Ecn, Lost, Parcel};
pub use path_trace::{PathTrace, TraceEnd, TraceRate};
pub use policer::Policer;
pub use prefetch::prefetch;
pub use ramp::{Leg, Legs, Linear, Ramps};
pub use random_access::RandomAccess;
pub use recorded::Recorded;
pub use service::{Opportunities, Piece, RateSchedule, Service, ServiceError};
pub use shared::{Free, Sent};
pub use two_state::{LooState, Surroundings, TwoState};
