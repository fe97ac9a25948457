// SPDX-License-Identifier: MIT OR Apache-2.0
//! A transfer: one request and one answer, on a connection of its own.
//!
//! ```text
//! ideal = opening + RTT + bytes / rate
//!
//! opening      one RTT with a handshake, or 0 if the request leaves with the first packet (in all models of visits)
//! RTT          from the request to the first byte of the answer
//! bytes/rate   the answer at full rate
//! ```

use crate::REQUEST;
use crate::visit::{Act, EmptyPath, Experience, Happened, Visit};
use units::{Bytes, Span, Time};

/// A running transfer.
#[derive(Clone, Debug, saved::Plain)]
pub(crate) struct Transfer {
    bytes: Bytes,
    began: Time,
    first_byte: Option<Span>,
    took: Option<Span>,
}

impl Transfer {
    pub(crate) const fn new(bytes: Bytes) -> Self {
        Self { bytes, began: Time::ZERO, first_byte: None, took: None }
    }
}

impl Visit for Transfer {
    fn happen(&mut self, now: Time, what: Happened, acts: &mut Vec<Act>) {
        match what {
            Happened::Begun => {
                self.began = now;
                acts.push(Act::Open);
            }
            Happened::Opened(connection) => {
                acts.push(Act::Ask { connection, request: REQUEST, wait: Span::ZERO, answer: self.bytes });
            }
            Happened::Received { connection, bytes } => {
                if bytes > 0 {
                    self.first_byte.get_or_insert(now.since(self.began));
                }
                if bytes >= self.bytes.get() && self.took.is_none() {
                    self.took = Some(now.since(self.began));
                    acts.extend([Act::Close(connection), Act::Done]);
                }
            }
            Happened::Answered { .. } | Happened::Timeout | Happened::Broken { .. } => {}
        }
    }

    fn next_timeout(&self) -> Time {
        Time::MAX
    }

    fn experience(&self, _now: Time) -> Experience {
        Experience::Transfer { bytes: self.bytes, first_byte: self.first_byte, took: self.took }
    }

    fn ideal(&self, path: EmptyPath) -> Option<Span> {
        Some(path.opening + path.rtt + path.rate.time_for(self.bytes))
    }
}
