// SPDX-License-Identifier: MIT OR Apache-2.0
//! The event engine: packets of any protocol over links, in the order in which things happen.
//!
//! It knows no protocol ([`Endpoint`], [`Body`]), no scenario, no tables and no clock: [`Engine::advance`] takes the
//! time, so a run to the end and a wall clock drive it alike.

mod endpoint;
mod engine;
mod forwarding;
mod ledger;
mod packet;
pub mod queue;
mod shared;
mod sharing;
mod total;

pub use endpoint::{Blind, Endpoint, Observer};
pub use engine::{Attachment, Engine, NO_LINK, TO_ENDPOINT};
pub use forwarding::Forwarding;
pub use ledger::{Cause, Drops, Imbalance, Ledger};
pub use packet::{Body, Packet, Slab};
pub use sharing::{Seat, Turns};
