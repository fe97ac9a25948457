// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hosts: an application of many users over many connections, as one pair of endpoints.
//!
//! ```text
//!   Servers (2k)                                Users (2k+1)
//!   Receiver ◄─── requests, SYN ──────────────  Sender     one connection:
//!   Sender   ─── answers ─────────────────────► Receiver   two halves, one number
//! ```
//!
//! - `Users` have the visits of a [`traffic::Model`]: each visit opens connections and sends requests on them.
//!   `Servers` answer.
//! - A connection is two halves, each with its own sender and controller. The users' half makes the handshake; the
//!   servers' half begins with it, and knows the round trip of its SYN-ACK. Acknowledgements never travel on data, no
//!   host sends FIN, and requests are written as soon as the connection is established.
//! - The content of a request travels with its segments ([`Message`](crate::Message)): TCP's payload has no content
//!   here.
//! - Connections are in a slab ([`connections`]) with one event queue for their timers. Every 10 ms a session frees the
//!   connections that their visits have closed and whose data are all acknowledged in both directions
//!   ([`free_connections`]). Memory follows the open connections. A connection that ended while an older one is still
//!   open takes four more bytes at each host. The number of a connection, which its packets carry, is never used again.
//! - The flow's meters count answers, as its senders do elsewhere; requests have their own counters
//!   (`Metered::requests`).
//!
//! An application is one pair of endpoints, servers and users, however many connections it has. A packet names its
//! stream (a field of the engine's packet), because the sender determines the destination. So 100,000 connections
//! take two leaves of the engine's event queue and one row of every table. Each host has an event queue for the
//! timers of its connections, and a row of the connections that may send.
//!
//! Real hosts free a connection after FINs and TIME-WAIT. Here, until the session frees it, a connection acknowledges
//! copies of segments that arrive late, and a controller that sends dummy segments continues.
//!
//! A transfer of 30 kB over 600 ms costs 93 µs of CPU time with assertions (100,000 transfers: 9.3 s and 36 MB with
//! all their rows; `crates/sim/examples/transfers.rs`); at most 1,400 connections were alive.

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
pub use users::Users;
pub use visits::VisitRow;

use crate::AnyEndpoint;
use control::Ephemeris;
use std::sync::Arc;
use traffic::{Begin, Model};
use units::Time;

/// The behaviour of users.
#[derive(Clone)]
pub struct Application {
    /// When visits begin.
    pub begin: Begin,
    /// The model of a visit.
    pub model: Model,
    /// No visit begins before this time.
    pub start: Time,
    /// No visit begins from this time on; open visits continue to their end.
    pub stop: Option<Time>,
    /// Seed of the random streams: when visits begin, and the draws of each visit.
    pub seed: u64,
    /// Whether proxies on the path may break its connections: users then repeat their requests.
    pub shaken: bool,
    /// The path from the servers, for the shortest possible duration of a visit; `None`: not known, as behind a proxy,
    /// which shortens it.
    pub path: Option<Arc<dyn Ephemeris>>,
}

/// Frees the connections that a visit has closed and that no host of the application uses any more. `hosts`: numbers of
/// all endpoints of the application.
///
/// Real hosts exchange FINs and wait. Here the run frees connections from time to time: until then a connection only
/// acknowledges copies of segments that arrive late.
///
/// Returns how many ends of connections the hosts still have.
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
