// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hosts of an application. One pair of endpoints represents many users and many connections.
//!
//! ```text
//!   Servers (2k)                                Users (2k+1)
//!   Receiver ◄─── requests, SYN ──────────────  Sender     one connection:
//!   Sender   ─── answers ─────────────────────► Receiver   two halves, one number
//! ```
//!
//! - `Users` perform the visits of a [`traffic::Model`]. Each visit opens connections and sends requests on them.
//!   `Servers` answer the requests.
//! - A connection consists of two halves, one per direction. Each half has its own sender and controller. The half
//!   whose sender is at the users performs the handshake. The other half begins when the handshake ends, and uses the
//!   round trip of its SYN-ACK. Acknowledgements never travel on data segments, and no host sends FIN. Requests are
//!   written as soon as the connection is established.
//! - The content of a request travels with its segments ([`Message`](crate::Message)), because the payload of TCP has
//!   no content here.
//! - Each host stores its connections in a slab (module `connections`). One event queue has the timers of all
//!   connections. One further queue has the connections that may send.
//! - Every 10 ms, a session frees connections ([`free_connections`]). It frees a connection if its visit has closed it
//!   and all its data are acknowledged in both directions. Memory is therefore proportional to the number of open
//!   connections. In addition, an ended connection takes four bytes at each host while an older connection is still
//!   open. Packets carry the number of their connection. This number is never reused.
//! - The meters of the flow count answers, as for the senders of other flows. Requests have separate counters
//!   (`Metered::requests`).
//!
//! An application is one pair of endpoints for any number of connections. The stream of a packet (a field of the
//! engine's packet) identifies the connection. It is a separate field, because the destination of a packet follows from
//! its sender. With this design, 100,000 connections take only two leaves of the engine's event queue, and one row of
//! every table.
//!
//! Real hosts free a connection after FINs and TIME-WAIT. Here, a connection acknowledges late copies of segments until
//! the session frees it. Until then, a controller that sends dummy segments also continues.
//!
//! A transfer of 30 kB over 600 ms takes 93 µs of CPU time with assertions. This was measured with
//! `crates/sim/examples/transfers.rs`: 100,000 transfers took 9.3 s and 36 MB including all their rows, with at most
//! 1,400 simultaneous connections.

mod connection;
mod connections;
mod relay;
mod servers;
mod timed;
mod users;
mod visits;

pub use connection::Maker;
pub use relay::Relay;
pub use servers::Servers;
pub(crate) use timed::Timed;
pub use users::Users;
pub use visits::VisitRow;
pub(crate) use visits::Visitors;

use crate::AnyEndpoint;
use control::Ephemeris;
use std::sync::Arc;
use traffic::{Begin, Model};
use units::Time;

/// Settings of the users of an application.
#[derive(Clone)]
pub struct Application {
    /// Rule for the times at which visits begin.
    pub begin: Begin,
    /// Model of a visit.
    pub model: Model,
    /// Time before which no visit begins.
    pub start: Time,
    /// Time from which on no visit begins. Running visits continue to their end.
    pub stop: Option<Time>,
    /// Seed of all random streams of the application: the times at which visits begin, and the draws of each visit.
    pub seed: u64,
    /// Whether proxies on the path may break connections. If so, users repeat their requests.
    pub shaken: bool,
    /// The path from the servers, which determines the ideal duration of visits. `None` if this path is unknown. This
    /// is the case behind a proxy, which shortens the duration.
    pub path: Option<Arc<dyn Ephemeris>>,
}

/// Frees the connections that their visits have closed and that no host of the application still uses. `hosts` contains
/// the numbers of all endpoints of the application.
///
/// Real hosts exchange FINs and wait. Here, the run frees connections from time to time. Until then, a closed
/// connection only acknowledges late copies of segments.
///
/// Returns the number of connection ends that still exist at the hosts.
pub fn free_connections(endpoints: &mut [AnyEndpoint], hosts: &[usize]) -> usize {
    let closed: Vec<u32> = hosts.iter().flat_map(|&host| endpoints[host].closed_connections()).collect();
    for number in closed {
        if hosts.iter().all(|&host| endpoints[host].is_idle(number)) {
            for &host in hosts {
                endpoints[host].free(number);
            }
        }
    }
    hosts.iter().map(|&host| endpoints[host].connections()).sum()
}
