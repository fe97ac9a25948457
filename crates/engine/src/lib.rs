// SPDX-License-Identifier: MIT OR Apache-2.0
//! The event engine: it moves packets of any protocol over links, in the order of events.
//!
//! This crate contains no protocol ([`Endpoint`] and [`Body`] are traits), scenario, table or clock.
//! [`Engine::advance`] takes the time as an argument. Complete runs and real-time use therefore work in the same way.
//!
//! - A packet carries a [`Body`]. The engine asks the body for its priority and its ECN codepoint, and tells the body
//!   about warnings and marks. A body may own buffers. Bodies of several protocols may share a run:
//!   `crates/hosts/tests/datagrams.rs` runs packets of real bytes alongside TCP.
//! - [`Engine::next_event`] returns the time of the next event. [`Engine::advance`] handles every event before a given
//!   time. [`Engine::wake`] lets an endpoint act after it received data from outside the network.
//! - `sim::Session` makes all other changes to the network: routes, announcements, new pages of the almanac, proxies.
//! - The same code runs on the event queue and on a wall clock. `crates/sim/examples/wall_clock.rs` moves packets over
//!   Iridium in real time, and a test compares its events with those of the run in virtual time.

mod endpoint;
mod engine;
mod forwarding;
mod ledger;
mod packet;
pub mod queue;
mod shared;
mod sharing;
mod total;

pub use endpoint::{Endpoint, NoObserver, Observer};
pub use engine::{Attachment, Engine, NO_LINK, TO_ENDPOINT, UNCONNECTED};
pub use forwarding::Forwarding;
pub use ledger::{Cause, Drops, Imbalance, Ledger};
pub use packet::{Body, Packet, Slab};
pub use sharing::{Scheduling, Turns};
