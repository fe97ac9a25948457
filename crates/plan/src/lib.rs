// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a [`scenario::Scenario`] to what will be simulated: a network laid out over time, and flows with their connections.
//!
//! A [`Plan`] owns all that it needs. No packet moves here: what is asked of a plan (the path over time, its capacity, the
//! cost of the run) follows from the scenario alone.

pub mod bottlenecks;
mod cache;
mod capacity;
mod connections;
pub mod cost;
mod ephemeris;
mod error;
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
pub use flows::{FlowPlan, Part, Proxy, kind_of};
pub use horizon::Horizon;
pub use l4s::{needs, wrong_sides};
pub use lay::seats;
pub use notices::Notice;
pub use plan::{AccessLink, GateTurn, Plan, Turned};
pub use positions::located;

/// Asked whether to give up; it is told the share of the run that is done.
pub type Stop<'a> = &'a dyn Fn(f64) -> bool;

/// Nobody gives up.
pub fn never(_share: f64) -> bool {
    false
}
