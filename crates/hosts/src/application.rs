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
//! - What a request asks for travels beside the network, in a [`pair::Pair`]: TCP's payload has no content here.
//! - Connections live in a slab ([`connections`]) with one event queue for their timers. One that its visit has closed is
//!   freed at both ends as soon as everything is acknowledged both ways; memory follows those that live. Its number, which its
//!   packets carry, never comes again, and what still comes for it is ignored.
//! - The flow's meters count answers, as its senders do elsewhere; requests have counts of their own (`Metered::requests`).
//!
//! An application is one pair of endpoints, servers and users, however many connections it has. A packet names its
//! stream (a field of the engine's packet), because the sender determines the destination. So 100,000 connections
//! take two leaves of the engine's event queue and one row of every table. Each host has an event queue for the
//! timers of its connections, and a row of the connections that may send.
//!
//! Real hosts free a connection after FINs and TIME-WAIT. Modelling that would change no result here.
//!
//! A transfer of 30 kB over 600 ms costs 93 µs of CPU time with assertions (100,000 transfers: 9.3 s and 36 MB with
//! all their rows; `crates/sim/examples/transfers.rs`); at most 1,400 connections were alive.

mod connection;
mod connections;
mod pair;
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

use control::Ephemeris;
use pair::SharedPair;
use std::sync::Arc;
use traffic::{Begin, Model};
use units::{Bytes, Time};

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

/// The hosts of an application, and the sides of the proxies between them, as they are made one by one.
#[derive(Clone, Debug)]
pub struct Hosts {
    pair: SharedPair,
    /// Sides of proxies so far.
    sides: usize,
    log: bool,
}

impl Hosts {
    /// With so many proxies between servers and users; `log` keeps a row for every event.
    pub fn new(proxies: usize, log: bool) -> Self {
        Self { pair: SharedPair::new(2 + 2 * proxies), sides: 0, log }
    }

    /// The servers; `maker` says how their halves of connections are made.
    pub fn servers(&self, maker: Maker) -> Servers {
        Servers::new(maker, self.pair.clone(), self.log)
    }

    /// The users.
    pub fn users(&self, application: Application, maker: Maker) -> Users {
        Users::new(application, maker, self.pair.clone())
    }

    /// The side of a proxy that is called.
    pub fn called(&mut self, maker: Maker) -> Relay {
        self.side(maker, None)
    }

    /// The side of a proxy that calls on, with room for so many bytes of answers of each connection.
    pub fn calling(&mut self, maker: Maker, buffer: Bytes) -> Relay {
        self.side(maker, Some(buffer))
    }

    fn side(&mut self, maker: Maker, calls: Option<Bytes>) -> Relay {
        self.sides += 1;
        Relay::new(maker, self.pair.clone(), 1 + self.sides, calls, self.log)
    }
}
