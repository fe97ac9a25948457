// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cost of applications' visits: connections, requests and answers, each with its own packets.

use super::{LEAST_RTT_S, Stream};
use scenario::FlowKind;
use traffic::{Begin, Model};

/// Packets that set a connection up: SYN, SYN-ACK and ACK (RFC 9293, section 3.5).
const SET_UP: f64 = 3.0;
/// A request and its acknowledgement.
const REQUEST: f64 = 2.0;
/// Unused part of the last packet of an answer, on average.
const LAST: f64 = 0.5;

/// Round trips that a small transfer takes: its connection, its answer, its end.
const ROUND_TRIPS: f64 = 3.0;

/// The visits of a flow over the run.
pub(super) struct Visits {
    /// Number of visits that begin.
    pub begun: f64,
    /// Number of answers that they request.
    pub answers: f64,
    /// Connections that they set up.
    connections: f64,
    /// Largest number of visits that are open at the same time.
    pub open: f64,
}

impl Visits {
    /// Open-loop visits begin whether or not the path carries them; users begin as many as the path carries.
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
                // Each user begins one, in a run of any length.
                users + carried.min(users * stream.seconds / lasts)
            }
        };
        let each = model.mean_answers().unwrap_or(1.0);
        let together = f64::from(model.connections()).min(each);
        // Visits that the path does not carry stay open; those that it carries take a few round trips.
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

    /// Bytes of the last packets of answers beyond the answers' bytes.
    pub fn last_packets(&self) -> f64 {
        LAST * self.answers
    }

    /// Packets without bytes of an answer, without the acknowledgements of answers.
    pub fn other_packets(&self) -> f64 {
        SET_UP * self.connections + REQUEST * self.answers
    }
}

/// Videos take their length, others almost no time.
fn lasts_s(model: &Model) -> f64 {
    match model {
        Model::Secured { inner, .. } => lasts_s(inner),
        Model::Film(film) => film.length.mean().unwrap_or(f64::INFINITY),
        _ => 0.0,
    }
}
