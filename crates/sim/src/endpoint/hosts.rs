// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hosts: an application of many users over many connections, as one pair of endpoints.
//!
//! ```text
//!   Servers (2k)                                Users (2k+1)
//!   Receiver ◄─── requests, SYN ──────────────  Sender     one connection:
//!   Sender   ─── answers ─────────────────────► Receiver   two halves, one number
//! ```
//!
//! - `Users` have the sessions of a [`traffic::Model`]: each opens connections and asks on them. `Servers` answer.
//! - A connection is two halves, each with a sender and a controller of its own. The users' half makes the handshake; the
//!   servers' begins with it, and knows the round trip of its SYN-ACK. Acknowledgements never travel on data, nobody sends
//!   FIN, and requests are written as soon as the connection is there.
//! - What a request asks for travels beside the network, in a [`pair::Pair`]: TCP's payload has no content here.
//! - Connections live in a slab ([`connections`]) with one event queue for their timers. One that its session has closed is
//!   freed at both ends as soon as everything is acknowledged both ways; memory follows those that live. Its number, which its
//!   packets carry, never comes again, and what still comes for it is ignored.
//! - The flow's meters count answers, as its senders do elsewhere; requests count for their bytes on the links alone.

mod connection;
mod connections;
mod pair;
mod servers;
mod sessions;
mod users;

pub use connection::Maker;
pub use servers::Servers;
pub use sessions::SessionRow;
pub use users::Users;

use pair::Pair;
use std::cell::RefCell;
use std::rc::Rc;
use traffic::{Begin, Model};
use units::Time;

/// What users do, and when.
#[derive(Clone, Debug)]
pub struct Application {
    /// When sessions begin.
    pub begin: Begin,
    /// What a session is.
    pub model: Model,
    /// Nothing begins before.
    pub start: Time,
    /// Nothing begins from then on; what goes on goes on to its end.
    pub stop: Option<Time>,
    /// Of the streams of chance: when sessions begin, and what each of them draws.
    pub seed: u64,
}

/// The two hosts of an application, servers first. `servers` and `users` say how their halves of connections are made; `log`
/// keeps a row for every event.
pub fn hosts(application: Application, servers: Maker, users: Maker, log: bool) -> (Servers, Users) {
    let pair = Rc::new(RefCell::new(Pair::new(2)));
    let servers = Servers::new(servers, pair.clone(), log);
    (servers, Users::new(application, users, pair))
}
