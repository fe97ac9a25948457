// SPDX-License-Identifier: MIT OR Apache-2.0
//! The event engine: it moves packets of any protocol over links, in the order of events.
//!
//! This crate contains no protocols ([`Endpoint`] and [`Body`] are traits), no scenarios, no tables and no clock. The
//! caller passes the time to [`Engine::advance`]. Therefore the engine works in the same way for complete runs and in
//! real time.
//!
//! - A packet carries a [`Body`]. The engine reads the priority and the ECN codepoint of the body, and sets congestion
//!   warnings and marks in it. A body may own buffers. Packets of several protocols may be in the same run:
//!   `crates/hosts/tests/datagrams.rs` runs packets of real bytes alongside TCP.
//! - [`Engine::next_event`] returns the time of the next event. [`Engine::advance`] handles every event before a given
//!   time. [`Engine::wake`] lets an endpoint act after it got data from outside the network.
//! - `sim::Session` makes all other changes to the network: routes, announcements, proxies, and new pages of the
//!   almanac (the next part of the network's state over time).
//! - The same code runs in virtual time and on a wall clock. `crates/sim/examples/wall_clock.rs` moves packets over
//!   Iridium in real time. A test compares its events with the events of the run in virtual time.

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
