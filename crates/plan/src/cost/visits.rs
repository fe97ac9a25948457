// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cost of the visits of applications: connections, requests and answers, each with additional packets.

use super::{LEAST_RTT_S, Stream};
use scenario::FlowKind;
use traffic::{Begin, Model};

/// Packets that set up a connection: SYN, SYN-ACK and ACK (RFC 9293, section 3.5).
const SET_UP: f64 = 3.0;
/// Packets of a request: the request and its acknowledgement.
const REQUEST: f64 = 2.0;
/// Mean unused part of the last packet of an answer.
const LAST: f64 = 0.5;

/// Number of round trips of a small transfer: connection, answer, end.
const ROUND_TRIPS: f64 = 3.0;

/// Returns the packets that a visit adds, as text.
pub(super) fn terms() -> String {
    format!("{SET_UP} packets per connection, {REQUEST} per answer, and {LAST} packets of data")
}

/// The visits of a flow over the run.
pub(super) struct Visits {
    /// Number of visits that start.
    pub begun: f64,
    /// Number of answers that the visits request.
    pub answers: f64,
    /// Number of connections that the visits set up.
    connections: f64,
    /// Largest number of visits that are open at the same time.
    pub open: f64,
}

impl Visits {
    /// Computes the visits of a flow. Open-loop visits start even if the path cannot carry them. Users start as many
    /// visits as the path carries.
    pub fn of(stream: &Stream<'_>) -> Self {
        let FlowKind::Application { begin, model, .. } = &stream.flow.kind else {
            return Self { begun: 0.0, answers: 0.0, connections: 0.0, open: 0.0 };
        };
        let carried = match model.mean_bytes() {
            Some(bytes) if bytes > 0.0 => stream.bits / 8.0 / bytes,
            _ => f64::INFINITY,
        };
        let begun = match begin {
            Begin::Open(arrivals) => stream.seconds * arrivals.mean_per_s().unwrap_or_default(),
            Begin::Closed { users, think } => {
                let users = f64::from(*users);
                let lasts =
                    think.mean().unwrap_or(f64::INFINITY) + lasts_s(model) + stream.rtt.max(LEAST_RTT_S);
                // In a run of any length, each user starts at least one visit.
                users + carried.min(users * stream.seconds / lasts)
            }
        };
        let each = model.mean_answers().unwrap_or(1.0);
        let together = f64::from(model.connections()).min(each);
        // Visits that the path does not carry stay open. Visits that the path carries last a few round trips.
        let open = match begin {
            Begin::Open(_) => {
                let left = begun * (1.0 - (stream.bits / stream.asked_bits.max(1.0)).min(1.0));
                let lasts = lasts_s(model) + ROUND_TRIPS * stream.rtt;
                begun.min(left + begun * (lasts / stream.seconds.max(LEAST_RTT_S)).min(1.0))
            }
            Begin::Closed { users, .. } => f64::from(*users),
        };
        Self { begun, answers: begun * each, connections: begun * together, open: open * together }
    }

    /// Returns the number of packets that the unused parts of last packets amount to.
    pub fn last_packets(&self) -> f64 {
        LAST * self.answers
    }

    /// Returns the number of packets without bytes of an answer. Acknowledgements of answers are not included.
    pub fn other_packets(&self) -> f64 {
        SET_UP * self.connections + REQUEST * self.answers
    }
}

/// Returns the duration of a visit in seconds, apart from round trips. A video lasts for its length. Other visits take
/// almost no time.
fn lasts_s(model: &Model) -> f64 {
    match model {
        Model::Secured { inner, .. } => lasts_s(inner),
        Model::Film(film) => film.length.mean().unwrap_or(f64::INFINITY),
        _ => 0.0,
    }
}
