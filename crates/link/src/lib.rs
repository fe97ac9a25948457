// SPDX-License-Identifier: MIT OR Apache-2.0
//! One direction of a link: rate, delay as a function of time, queue, impairments.

mod codel;
pub mod config;
pub mod course;
pub mod delay;
pub mod fifo;
mod flight;
mod fq_codel;
mod held;
pub mod mahimahi;
pub mod parcel;
mod prefetch;
pub mod service;
pub mod starlink;

pub use config::{
    Bursts, CoDel, Config, CongestionWarning, Discipline, FqCoDel, Impairment, LinkSpec, Queue, QueueLimit,
};
pub use course::{Course, Grants};
pub use delay::{Delay, DelayCurve, DelayTrace};
pub use fifo::{Fifo, Recalled};
pub use parcel::{Arrival, Counters, Lost, Offer, Parcel};
pub use prefetch::prefetch;
pub use service::{Opportunities, Piece, RateSchedule, Service, ServiceError};
