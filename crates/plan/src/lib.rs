// SPDX-License-Identifier: MIT OR Apache-2.0
//! Turns a [`scenario::Scenario`] into a [`Plan`]: the network over time, and flows with their connections.
//!
//! A [`Plan`] owns all of its data. This crate simulates no packets: the path over time, its capacity and the cost of
//! the run follow from the scenario alone.

pub mod bottlenecks;
mod cache;
mod capacity;
mod connections;
pub mod cost;
mod ephemeris;
mod error;
mod first_look;
mod flows;
mod horizon;
mod l4s;
mod lay;
pub mod link_states;
mod notices;
pub mod path_series;
mod plan;
mod positions;
pub mod queues;
mod replay;
mod vary;
pub mod weather;

pub use capacity::{Capacity, LEAST_SEGMENTS, memory_of};
pub use ephemeris::Known;
pub use error::PlanError;
pub use first_look::FirstLook;
pub use flows::{FlowPlan, Part, Proxy, kind_of};
pub use horizon::Horizon;
pub use l4s::{needs, wrong_sides};
pub use lay::carrier_terminals;
pub use notices::Notice;
pub use plan::{AccessLink, GateSwitch, PageChanges, Plan};
pub use positions::located;

/// A function that returns whether to stop. Its argument is the completed fraction of the run.
pub type Stop<'a> = &'a dyn Fn(f64) -> bool;

/// A [`Stop`] function that never stops the run.
pub fn never(_share: f64) -> bool {
    false
}
