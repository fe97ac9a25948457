// SPDX-License-Identifier: MIT OR Apache-2.0
//! A QUIC server and a QUIC client on UDP sockets, with a controller of Bentpipe.
//!
//! [`serve`] serves the files of a folder, and [`get`] fetches files: HTTP/0.9 over QUIC version 1 with the application
//! protocol `hq-interop` of the interoperability tests. Both block the calling thread until they are done, or until their
//! [`Observer`] stops them.
//!
//! | module | contents |
//! |---|---|
//! | [`serve`] | the server: connections, requests, saved paths for Careful Resume |
//! | [`get`] | the client: addresses, requests, resumed sessions |
//! | `line` | one connection with its controller, its log and its report |
//! | `root` | which files a request may name |
//! | `tls` | certificates, TLS 1.3 with ring's randomness and the system's clock |
//! | `socket` | UDP with ECN, waiting |
//! | `log` | the qlog file of a connection |
//!
//! This crate must not depend on the simulator: the simulator's TLS draws its keys from a seed.

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

/// The application protocol (RFC 7301) of both sides.
pub const ALPN: &str = "hq-interop";

/// The caller of a server or of a client, who learns what happens and can stop it.
pub trait Observer {
    /// Whether to stop. Asked at least ten times a second.
    fn stops(&mut self) -> bool;

    /// The server listens.
    fn listening(&mut self, address: SocketAddr) {
        let _ = address;
    }

    /// A connection of the server has ended.
    fn closed(&mut self, report: Report) {
        let _ = report;
    }
}
