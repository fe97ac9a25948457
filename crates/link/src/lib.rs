// SPDX-License-Identifier: MIT OR Apache-2.0
//! One direction of a link: rate, delay as a function of time, queue, impairments.

pub mod config;
pub mod delay;
pub mod fifo;
mod low;
mod prefetch;

pub use config::{Config, CongestionWarning, Impairment, QueueLimit};
pub use delay::{Delay, DelayCurve};
pub use fifo::{Arrival, Counters, Fifo, Offer, Parcel, Recalled};
pub use prefetch::prefetch;
