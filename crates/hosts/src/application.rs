// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hosts: an application of many users over many connections, as one pair of endpoints.
//!
//! ```text
//!   Servers (2k)                                Users (2k+1)
//!   Receiver ◄─── requests, SYN ──────────────  Sender     one connection:
//!   Sender   ─── answers ─────────────────────► Receiver   two halves, one number
//! ```
//!
//! - `Users` have the visits of a [`traffic::Model`]: each opens connections and asks on them. `Servers` answer.
//! - A connection is two halves, each with a sender and a controller of its own. The users' half makes the handshake; the
//!   servers' begins with it, and knows the round trip of its SYN-ACK. Acknowledgements never travel on data, nobody sends
//!   FIN, and requests are written as soon as the connection is there.
//! - What a request asks for travels with its segments ([`Message`](crate::Message)): TCP's payload has no content here.
//! - Connections live in a slab ([`connections`]) with one event queue for their timers. A session frees
//!   those that their visits have closed and where everything is acknowledged both ways, every 10 ms
//!   ([`free_connections`]). Memory follows those that live. A connection that ended while an older one
//!   lives takes four bytes more at each host. The number of a connection, which its packets carry, never comes again.
//! - The flow's meters count answers, as its senders do elsewhere; requests have counts of their own (`Metered::requests`).
//!
//! An application is one pair of endpoints, servers and users, however many connections it has. A packet names its
//! stream (a field of the engine's packet), because the sender determines the destination. So 100,000 connections
//! take two leaves of the engine's event queue and one row of every table. Each host has an event queue for the
//! timers of its connections, and a row of the connections that may send.
//!
//! Real hosts free a connection after FINs and TIME-WAIT. Until the session frees it here, a connection acknowledges copies
//! of segments that come late, and a controller that sends dummy segments goes on.
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

/// What users do, and when.
#[derive(Clone)]
pub struct Application {
    /// When visits begin.
    pub begin: Begin,
    /// What a visit is.
    pub model: Model,
    /// Nothing begins before.
    pub start: Time,
    /// Nothing begins from then on; what goes on goes on to its end.
    pub stop: Option<Time>,
    /// Of the streams of chance: when visits begin, and what each of them draws.
    pub seed: u64,
    /// Whether proxies on the way may lose its connections: what breaks is asked for again.
    pub shaken: bool,
    /// The way from the servers, for what a visit takes at least; `None`: not known, as behind a proxy, which shortens it.
    pub path: Option<Arc<dyn Ephemeris>>,
}

/// Frees the connections that a visit has closed and that no host of the application has anything to do with.
/// `hosts`: numbers of all endpoints of the application.
///
/// Real hosts exchange FINs and wait. Here the run does it for them from time to time: a connection that is not freed
/// yet only acknowledges copies of segments that come late.
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
