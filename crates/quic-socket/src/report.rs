// SPDX-License-Identifier: MIT OR Apache-2.0
//! The report of a connection that has ended.

use record::summary::SavedPathSummary;
use serde::Serialize;

/// A connection that has ended.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Address and port of the peer.
    pub peer: String,
    /// The controller of this side, with its settings.
    pub controller: String,
    /// Signals that the controller uses but does not get; `None` if it gets all signals.
    pub degraded: Option<String>,
    /// Time from the first packet until the handshake was complete, in seconds; `None` if it was never complete.
    pub handshake_s: Option<f64>,
    /// Time from the first packet until the end of the connection, in seconds.
    pub duration_s: f64,
    /// Whether requests in 0-RTT packets were accepted.
    pub zero_rtt: bool,
    /// What an earlier connection with the same address measured, if the controller can start from it (Careful Resume).
    pub saved_path: Option<SavedPathSummary>,
    /// Bytes of the files, as far as they were sent (server) or received (client).
    pub bytes: u64,
    /// The requests in the order in which they were made.
    pub requests: Vec<Request>,
    /// Smoothed RTT in ms.
    pub rtt_ms: Option<f64>,
    /// Smallest RTT in ms.
    pub min_rtt_ms: Option<f64>,
    /// Congestion window of this side in bytes.
    pub cwnd_bytes: Option<u64>,
    /// Largest UDP payload that this side may send, in bytes.
    pub datagram_bytes: u16,
    /// Packets that this side sent.
    pub sent_packets: u64,
    /// The part of `sent_packets` that was declared lost.
    pub lost_packets: u64,
    /// Acknowledgements that contained ECN marks.
    pub marked_acks: u64,
    /// Reductions of the window.
    pub cuts: u64,
    /// Why the connection ended; `None` if it was closed without an error.
    pub error: Option<String>,
}

/// A request.
#[derive(Clone, Debug, Serialize)]
pub struct Request {
    /// The path (server), or the URL (client).
    pub path: String,
    /// Bytes of the file that were sent (server) or received (client).
    pub bytes: u64,
    /// Time from the request until the last byte was acknowledged (server) or received (client), in seconds; `None` if
    /// this did not happen.
    pub duration_s: Option<f64>,
    /// The code with which the stream was reset; `None` if it was not reset.
    pub reset: Option<u64>,
}
