// SPDX-License-Identifier: MIT OR Apache-2.0
//! The event engine: packets of any protocol over links, in the order in which things happen.
//!
//! It has no protocol ([`Endpoint`], [`Body`]), scenario, tables or clock of its own. [`Engine::advance`] takes the
//! time, so a complete run and a wall clock use it in the same way.
//!
//! - A packet carries a [`Body`]. The engine asks the body for its priority and its ECN codepoint, and informs the body
//!   of a warning or a mark. A body may own buffers, and bodies of several protocols may share a run:
//!   `crates/hosts/tests/datagrams.rs` runs packets of real bytes beside TCP.
//! - [`Engine::next_event`] returns the time of the next event. [`Engine::advance`] handles every event that is due
//!   before a time. [`Engine::wake`] lets an endpoint act that received something from outside the network.
//! - Everything else that changes the network (routes, notices, new pages, proxies) is done by `sim::Session`.
//! - The event queue and a wall clock drive the same code: `crates/sim/examples/wall_clock.rs` moves packets over
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
