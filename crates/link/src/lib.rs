// SPDX-License-Identifier: MIT OR Apache-2.0
//! One direction of a link: rate, delay as a function of time, queue, impairments.

pub mod config;
pub mod course;
pub mod delay;
pub mod fifo;
mod low;
pub mod mahimahi;
mod prefetch;
pub mod service;
pub mod starlink;

pub use config::{Bursts, Config, CongestionWarning, Impairment, QueueLimit};
pub use course::{Course, Grants};
pub use delay::{Delay, DelayCurve, DelayTrace};
pub use fifo::{Arrival, Counters, Fifo, Lost, Offer, Parcel, Recalled};
pub use prefetch::prefetch;
pub use service::{Opportunities, Piece, RateSchedule, Service, ServiceError};
