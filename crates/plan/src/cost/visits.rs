// SPDX-License-Identifier: MIT OR Apache-2.0
//! What visits of applications add: connections, requests and answers, each with packets of its own.

use super::{LEAST_RTT_S, Stream};
use scenario::FlowKind;
use traffic::{Begin, Model};

/// Packets that set a connection up: SYN, SYN-ACK and ACK (RFC 9293, section 3.5).
const SET_UP: f64 = 3.0;
/// A request and its acknowledgement.
const REQUEST: f64 = 2.0;
/// The last packet of an answer is full by half, in the mean.
const LAST: f64 = 0.5;

/// Round trips that a small transfer takes: its connection, its answer, its end.
const ROUND_TRIPS: f64 = 3.0;

/// The visits of a flow over the run.
pub(super) struct Visits {
    /// How many begin.
    pub begun: f64,
    /// How many answers they ask for.
    pub answers: f64,
    /// Connections that they set up.
    connections: f64,
    /// How many of them are open at the same time, at most.
    pub open: f64,
}

impl Visits {
    /// Visits that begin by themselves do so whether the path carries them or not; users begin as many as the path carries.
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
                // Each begins one, however short the run is.
                users + carried.min(users * stream.seconds / lasts)
            }
        };
        let each = model.mean_answers().unwrap_or(1.0);
        let together = f64::from(model.connections()).min(each);
        // What the path does not carry stays; what it carries takes a few round trips.
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

    /// What last packets of answers are more than the bytes in them.
    pub fn last_packets(&self) -> f64 {
        LAST * self.answers
    }

    /// Packets that carry nothing of an answer, without the acknowledgements of answers.
    pub fn other_packets(&self) -> f64 {
        SET_UP * self.connections + REQUEST * self.answers
    }
}

/// Films take their length, others next to nothing.
fn lasts_s(model: &Model) -> f64 {
    match model {
        Model::Secured { inner, .. } => lasts_s(inner),
        Model::Film(film) => film.length.mean().unwrap_or(f64::INFINITY),
        _ => 0.0,
    }
}
