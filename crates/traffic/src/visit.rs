// SPDX-License-Identifier: MIT OR Apache-2.0
//! A visit on its way: what happens to it, what it does, what its user felt.
//!
//! ```text
//!              Begun, Opened, Received, Broken, Timeout
//!   network  ───────────────────────────────────►  Visit ──► Experience
//!            ◄───────────────────────────────────
//!              Open, Ask, Close, Reopen, Done
//! ```
//!
//! The contract: connections of a visit are numbered 0, 1, 2 … in the order of its [`Act::Open`]s. A visit asks on a
//! connection after its [`Happened::Opened`] and before its [`Act::Close`], never otherwise. Answers on a connection
//! come in the order asked, so that the bytes received say how far each is; interleaved answers of a visit arrive in
//! turns, and an event reports each complete answer. Where connections may be reset, visits are made so that they
//! continue ([`crate::Model::retrying`]); other visits get no event of it. [`Act::Done`] is the last action, once:
//! connections that are open, or being opened or secured, then close.

use std::fmt;
use units::{Bytes, Rate, Span, Time};

/// What happens to a visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Happened {
    /// It begins: told once, first.
    Begun,
    /// The moment of [`Visit::next_timeout`] has come.
    Timeout,
    /// This connection is open: requests may be written.
    Opened(u8),
    /// More of the answers has come.
    Received {
        /// On this connection.
        connection: u8,
        /// Bytes in order since it was opened, all answers together.
        bytes: u64,
    },
    /// Of a visit that interleaves: an answer is whole. Told after the bytes that made it so.
    Answered {
        /// On this connection.
        connection: u8,
        /// Which of those asked for on it, from 0.
        answer: u32,
    },
    /// A connection is gone: nothing more comes on it.
    Broken {
        /// This one.
        connection: u8,
        /// For how long the application waits before it tries again.
        wait: Span,
    },
}

/// What a visit wants done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Act {
    /// Open its next connection.
    Open,
    /// Ask for something.
    Ask {
        /// On this connection, which is open.
        connection: u8,
        /// Bytes of the request.
        request: Bytes,
        /// How long the server takes once it has the request; then it writes.
        wait: Span,
        /// Bytes of the answer.
        answer: Bytes,
    },
    /// This connection is needed no more: all that was asked on it has come.
    Close(u8),
    /// Open another in the place of this one, which is broken. Its bytes and its answers count from 0.
    Reopen(u8),
    /// The visit is over.
    Done,
}

/// Clones a visit of which only the trait is known.
pub trait CloneVisit {
    /// A visit in the same state.
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

/// A transfer, a page, a film or an exchange on its way.
pub trait Visit: CloneVisit + saved::Saved + fmt::Debug + Send {
    /// Something happens to it: what it wants done is added to `acts`, in this order.
    fn happen(&mut self, now: Time, what: Happened, acts: &mut Vec<Act>);

    /// When it wants [`Happened::Timeout`]; [`Time::MAX`]: not by itself. May move with every event.
    fn next_timeout(&self) -> Time;

    /// What its user has felt until `now`.
    fn experience(&self, now: Time) -> Experience;

    /// The least time that it takes over an empty path on which every byte flows at the path's rate at once: a bound from below,
    /// which no sender reaches that has to find the rate first; of a film until it plays. The formula stands with each model.
    fn ideal(&self, path: EmptyPath) -> Option<Span>;

    /// Whether the answers on a connection come in turns, frame by frame, instead of one after the other.
    fn interleaves(&self) -> bool {
        false
    }

    /// The highest rate of a film that an empty path carries without a stall; `None` if it carries none, and for other
    /// models.
    fn sustainable(&self, _path: EmptyPath) -> Option<Rate> {
        None
    }

    /// How many requests were made again after their connections broke.
    fn retries(&self) -> u32 {
        0
    }
}

/// A path without other traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmptyPath {
    /// Rate at which answers come: that of the slowest link, less what headers take.
    pub rate: Rate,
    /// Round trip with empty queues.
    pub rtt: Span,
    /// Until a connection is open: a round trip for a handshake, nothing where the request leaves at once.
    pub opening: Span,
}

/// What the user of a visit felt, until it was over or until now. What has not come is `None`.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub enum Experience {
    /// Of a transfer.
    Transfer {
        /// Bytes asked for.
        bytes: Bytes,
        /// Until the first byte came, from the beginning on.
        first_byte: Option<Span>,
        /// Until the last byte came.
        took: Option<Span>,
    },
    /// Of a page.
    Page {
        /// Objects it has.
        objects: u32,
        /// Bytes it has.
        bytes: Bytes,
        /// Until the first byte of the first object came.
        first_byte: Option<Span>,
        /// Until the last byte of the last object came.
        load_time: Option<Span>,
    },
    /// Of a film.
    Film {
        /// Bytes that came in whole segments.
        bytes: Bytes,
        /// Until it began to play.
        startup: Option<Span>,
        /// How often it stood still after that.
        stalls: u32,
        /// For how long.
        stalled: Span,
        /// How often a segment had another rate than the one before.
        switches: u32,
        /// Mean rate of the segments that came, each with the rate of its rung; none came: `None`.
        mean_rate: Option<Rate>,
        /// How much of it was played.
        played: Span,
        /// Whether it was played to its end.
        ended: bool,
    },
    /// Of an exchange.
    Exchange {
        /// Requests it has.
        requests: u32,
        /// Requests that were answered.
        answered: u32,
        /// Bytes of the answers asked for, until now.
        bytes: Bytes,
        /// From a request to the last byte of its answer, the mean.
        mean: Option<Span>,
        /// The longest.
        worst: Option<Span>,
        /// Until the last answer came, with the thinking.
        took: Option<Span>,
    },
}

impl Experience {
    /// Bytes that the visit asked for, without those of TLS.
    pub const fn bytes(&self) -> Bytes {
        match self {
            Self::Transfer { bytes, .. }
            | Self::Page { bytes, .. }
            | Self::Film { bytes, .. }
            | Self::Exchange { bytes, .. } => *bytes,
        }
    }

    /// How long it took, to be held against [`Visit::ideal`]: until it was over, a film until it played; `None` if it is not.
    pub const fn took(&self) -> Option<Span> {
        match self {
            Self::Transfer { took, .. }
            | Self::Page { load_time: took, .. }
            | Self::Exchange { took, .. }
            | Self::Film { startup: took, .. } => *took,
        }
    }
}
