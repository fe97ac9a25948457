// SPDX-License-Identifier: MIT OR Apache-2.0
//! A running visit: the events that it receives, the actions that it returns, and the experience of its user.
//!
//! ```text
//!              Begun, Opened, Received, Broken, Timeout
//!   network  ───────────────────────────────────►  Visit ──► Experience
//!            ◄───────────────────────────────────
//!              Open, Ask, Close, Reopen, Done
//! ```
//!
//! Contract:
//!
//! - Connections of a visit are numbered 0, 1, 2 … in the order of its [`Act::Open`] actions.
//! - A visit makes requests on a connection only after its [`Happened::Opened`] and before its [`Act::Close`].
//! - Answers on a connection arrive in the order of the requests. The number of received bytes therefore shows which
//!   answers are complete. If a visit interleaves its answers, the answers take turns, and an event reports each
//!   complete answer.
//! - If connections may be reset, the visit must be started by [`crate::Model::retrying`]. Such a visit continues after
//!   a reset. Other visits do not receive an event at a reset.
//! - [`Act::Done`] is the last action and occurs once. This action also closes all connections of the visit that are
//!   open, or are being opened or secured.

use std::fmt;
use units::{Bytes, Rate, Span, Time};

/// Event that is reported to a visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Happened {
    /// The visit begins. This is the first event, and it occurs once.
    Begun,
    /// The time of [`Visit::next_timeout`] has come.
    Timeout,
    /// This connection is open, and the visit may send requests on it.
    Opened(u8),
    /// More bytes of the answers have arrived.
    Received {
        /// Number of the connection.
        connection: u8,
        /// Bytes that arrived in order since the connection was opened, over all answers.
        bytes: u64,
    },
    /// An interleaved answer is complete. This event follows the [`Happened::Received`] that reports the last bytes of
    /// the answer.
    Answered {
        /// Number of the connection.
        connection: u8,
        /// Number of the request on this connection, counted from 0.
        answer: u32,
    },
    /// A connection is broken. No more bytes arrive on it.
    Broken {
        /// Number of the connection.
        connection: u8,
        /// Time that the application waits before it tries again.
        wait: Span,
    },
}

/// Action that a visit requests from its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Act {
    /// Open the next connection.
    Open,
    /// Send a request.
    Ask {
        /// Number of the connection, which must be open.
        connection: u8,
        /// Size of the request.
        request: Bytes,
        /// Processing time of the server between the complete request and the first byte of the answer.
        wait: Span,
        /// Size of the answer.
        answer: Bytes,
    },
    /// Close this connection, because all its answers have arrived.
    Close(u8),
    /// Open a connection that replaces this broken connection. Its bytes and answers count from 0.
    Reopen(u8),
    /// The visit is complete.
    Done,
}

/// Clones a `dyn Visit`.
pub trait CloneVisit {
    /// Returns a visit in the same state.
    fn clone_box(&self) -> Box<dyn Visit>;
}

impl<S: Visit + Clone + 'static> CloneVisit for S {
    fn clone_box(&self) -> Box<dyn Visit> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Visit> {
    fn clone(&self) -> Self {
        self.as_ref().clone_box()
    }
}

/// A running transfer, page, film or exchange.
pub trait Visit: CloneVisit + saved::Saved + fmt::Debug + Send {
    /// Reports an event to the visit. Appends the visit's actions to `acts`, in the order of execution.
    fn happen(&mut self, now: Time, what: Happened, acts: &mut Vec<Act>);

    /// Returns the time at which the visit needs [`Happened::Timeout`]; [`Time::MAX`] if the visit does not need this
    /// event. Every event may change this time.
    fn next_timeout(&self) -> Time;

    /// Returns the experience of the user until `now`.
    fn experience(&self, now: Time) -> Experience;

    /// Returns the smallest possible duration of the visit on an empty path, where every byte is sent at the path's
    /// rate from the start. For a film, the duration is the time until the film starts to play. The result is a lower
    /// bound. A sender that must first find the rate needs more time. Each model documents its formula.
    fn ideal(&self, path: EmptyPath) -> Option<Span>;

    /// Returns whether the answers on a connection are interleaved frame by frame. Otherwise, they are sent one after
    /// the other.
    fn interleaves(&self) -> bool {
        false
    }

    /// Returns the highest rate of a film that an empty path carries without a stall. `None` if the path carries no
    /// rate of the ladder. Models other than films also return `None`.
    fn sustainable(&self, _path: EmptyPath) -> Option<Rate> {
        None
    }

    /// Returns the number of requests that were repeated because their connections broke.
    fn retries(&self) -> u32 {
        0
    }
}

/// A path without other traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmptyPath {
    /// Rate of the answers: the rate of the slowest link, reduced by the share of packet headers.
    pub rate: Rate,
    /// Round-trip time with empty queues.
    pub rtt: Span,
    /// Time until a connection is open: one round trip with a handshake. The time is 0 if the request is part of the
    /// first packet.
    pub opening: Span,
}

/// The experience of the user of a visit until the visit was complete, or until now. A time is `None` if its event has
/// not happened yet.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub enum Experience {
    /// The experience of a transfer.
    Transfer {
        /// Requested bytes.
        bytes: Bytes,
        /// Time from the beginning of the visit to the first byte.
        first_byte: Option<Span>,
        /// Time from the beginning of the visit to the last byte.
        took: Option<Span>,
    },
    /// The experience of a page.
    Page {
        /// Number of objects of the page.
        objects: u32,
        /// Size of all objects.
        bytes: Bytes,
        /// Time from the beginning of the visit to the first byte of the first object.
        first_byte: Option<Span>,
        /// Time from the beginning of the visit to the last byte of the last object.
        load_time: Option<Span>,
    },
    /// The experience of a film.
    Film {
        /// Bytes of all complete segments.
        bytes: Bytes,
        /// Time from the beginning of the visit until the film started to play.
        startup: Option<Span>,
        /// Number of stalls after the start of the film.
        stalls: u32,
        /// Total duration of the stalls.
        stalled: Span,
        /// Number of segments whose rate differs from the rate of the previous segment.
        switches: u32,
        /// Mean rate of the complete segments, where each segment counts with the rate of its rung. `None` before the
        /// first complete segment.
        mean_rate: Option<Rate>,
        /// Length of film that was played.
        played: Span,
        /// Whether the film was played to its end.
        ended: bool,
    },
    /// The experience of an exchange.
    Exchange {
        /// Number of requests of the visit.
        requests: u32,
        /// Number of requests that were answered.
        answered: u32,
        /// Size of all answers that were requested until now.
        bytes: Bytes,
        /// Mean time from a request to the last byte of its answer.
        mean: Option<Span>,
        /// Longest time from a request to the last byte of its answer.
        worst: Option<Span>,
        /// Time from the beginning of the visit to the last answer, including think times.
        took: Option<Span>,
    },
}

impl Experience {
    /// Returns the number of bytes that the visit requested, without the bytes of TLS.
    pub const fn bytes(&self) -> Bytes {
        match self {
            Self::Transfer { bytes, .. }
            | Self::Page { bytes, .. }
            | Self::Film { bytes, .. }
            | Self::Exchange { bytes, .. } => *bytes,
        }
    }

    /// Returns the duration to compare with [`Visit::ideal`]: the time until the visit was complete. For a film, the
    /// duration is the time until the film started to play. `None` if this has not happened yet.
    pub const fn took(&self) -> Option<Span> {
        match self {
            Self::Transfer { took, .. }
            | Self::Page { load_time: took, .. }
            | Self::Exchange { took, .. }
            | Self::Film { startup: took, .. } => *took,
        }
    }
}
