// SPDX-License-Identifier: MIT OR Apache-2.0
//! A session driven by a clock between network interfaces: real programs exchange packets through a scenario.
//!
//! The links, queues, losses, orbits and weather are those of the simulator; there is no second engine. A packet that
//! arrives from an interface enters the session at the time of its arrival. When the session delivers the packet, it is
//! written to the interface of the other site ([`Emulation`]). The *lateness* of a packet is the time from its delivery
//! by the session until the interface gets it. Every run reports the lateness.
//!
//! [`Emulation`] works with any [`Interface`]. On Linux, [`Site`] makes a network namespace with a TUN device, in which
//! programs run.

#![cfg(target_os = "linux")]

mod addresses;
mod emulation;
mod error;
mod interface;
mod lateness;
mod site;
mod sockets;

pub use addresses::{Addresses, addresses_of, hosts_file, names_of};
pub use emulation::{Cable, Emulation, Ports, tapped};
pub use error::EmulateError;
pub use interface::Interface;
pub use lateness::{Lateness, LatenessSummary};
pub use site::{Program, Site};
pub use sockets::SocketReader;
