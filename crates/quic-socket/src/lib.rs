// SPDX-License-Identifier: MIT OR Apache-2.0
//! A QUIC server and a QUIC client on UDP sockets, with a controller of Bentpipe.
//!
//! [`serve`] serves the files of a folder, and [`get`] fetches files. The protocol is HTTP/0.9 over QUIC version 1. The
//! application protocol is `hq-interop`, as in the interoperability tests. Both functions block the calling thread
//! until they are done, or until their [`Observer`] stops them.
//!
//! | module | contents |
//! |---|---|
//! | [`serve`] | the server: connections, requests, saved paths for Careful Resume |
//! | [`get`] | the client: addresses, requests, resumed sessions |
//! | `line` | one connection with its controller, log and report |
//! | `root` | the files that a request may name |
//! | `tls` | certificates; TLS 1.3 with random numbers from ring and the clock of the system |
//! | `socket` | UDP with ECN, and waiting for events |
//! | `log` | the qlog file of a connection |
//!
//! This crate must not depend on the simulator, because the simulator's TLS derives its keys from a seed.

mod client;
mod error;
mod line;
mod log;
mod report;
mod root;
mod server;
mod socket;
mod tls;
mod url;

pub use client::{Get, Got, Output, get};
pub use error::SocketError;
pub use report::{Report, Request};
pub use server::{Serve, serve};
pub use tls::{Identity, Trust};
pub use url::Url;

use std::net::SocketAddr;

/// The application protocol (RFC 7301) of client and server.
pub const ALPN: &str = "hq-interop";

/// The caller of a server or a client. It receives events and can stop the server or client.
pub trait Observer {
    /// Returns whether to stop. This function is called at least ten times per second.
    fn stops(&mut self) -> bool;

    /// The server listens at this address.
    fn listening(&mut self, address: SocketAddr) {
        let _ = address;
    }

    /// A connection of the server has ended.
    fn closed(&mut self, report: Report) {
        let _ = report;
    }
}
