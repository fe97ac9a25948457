// SPDX-License-Identifier: MIT OR Apache-2.0
//! A session driven by a clock between network interfaces: real programs exchange packets through a scenario.
//!
//! The links, queues, losses, orbits and weather are those of the simulator; there is no second engine. A packet that an
//! interface delivers enters the session at the time of its arrival, and leaves it at the time at which the session
//! delivers it ([`Emulation`]). The difference between this time and the time at which the interface gets the packet is
//! the *lateness*, which every run reports.
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
