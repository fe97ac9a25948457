// SPDX-License-Identifier: MIT OR Apache-2.0
//! An exchange: a user sends requests on one connection, one after the other. The user sends the next request after the
//! previous answer has arrived and the think time has passed.
//!
//! ```text
//! ideal = opening + sum of (RTT + wait + answer / rate) + sum of the think times
//! ```

use crate::error::TrafficError;
use crate::law::Law;
use crate::visit::{Act, EmptyPath, Experience, Happened, Visit};
use random::{SeedableRng as _, SplitMix64};
use units::{Bytes, Span, Time};

/// Largest number of requests in one visit.
pub const MOST_REQUESTS: u32 = 1_000_000;

/// Model of an exchange.
#[derive(Clone, Debug, PartialEq)]
pub struct ExchangeModel {
    /// Size of a request, in bytes.
    pub request: Law,
    /// Size of an answer, in bytes.
    pub answer: Law,
    /// Processing time of the server before each answer, in seconds.
    pub wait: Law,
    /// Number of requests in a visit.
    pub count: Law,
    /// Think time of the user between an answer and the next request, in seconds.
    pub think: Law,
}

impl ExchangeModel {
    /// Checks that all distributions of the model are valid.
    ///
    /// # Errors
    /// Names the number that is out of bounds.
    pub fn check(&self) -> Result<(), TrafficError> {
        [&self.request, &self.answer, &self.wait, &self.count, &self.think]
            .into_iter()
            .try_for_each(Law::check)
    }

    /// Returns whether two exchanges can differ.
    pub(crate) fn draws(&self) -> bool {
        let Self { request, answer, wait, count, think } = self;
        [request, answer, wait, count, think].into_iter().any(Law::draws)
    }

    /// Starts a visit.
    pub(crate) fn visit(&self, seed: u64) -> Box<dyn Visit> {
        let mut dice = SplitMix64::seed_from_u64(seed);
        let count = self.count.count(&mut dice, MOST_REQUESTS);
        Box::new(Exchange {
            model: self.clone(),
            count,
            first: dice.clone(),
            dice,
            began: Time::ZERO,
            asked: Time::ZERO,
            think: Span::ZERO,
            due: 0,
            answered: 0,
            all: Span::ZERO,
            worst: Span::ZERO,
            wake: Time::MAX,
            took: None,
        })
    }
}

/// The drawn numbers of one request: its sizes, the server's processing time, and the think time after the answer.
struct Turn {
    request: Bytes,
    answer: Bytes,
    wait: Span,
    think: Span,
}

impl Turn {
    fn draw(model: &ExchangeModel, dice: &mut SplitMix64) -> Self {
        Self {
            request: model.request.bytes(dice),
            answer: model.answer.bytes(dice),
            wait: model.wait.span(dice),
            think: model.think.span(dice),
        }
    }
}

/// A running exchange.
#[derive(Clone, Debug, saved::Saved)]
struct Exchange {
    #[saved(fixed)]
    model: ExchangeModel,
    count: u32,
    /// State of the random generator before the first turn. The drawn numbers do not depend on the network, so
    /// [`Visit::ideal`] draws all turns again from this state.
    first: SplitMix64,
    dice: SplitMix64,
    began: Time,
    /// Time of the last request.
    asked: Time,
    /// Think time after the answer to the last request.
    think: Span,
    /// Number of bytes that have arrived on the connection when the answer to the last request is complete.
    due: u64,
    answered: u32,
    all: Span,
    worst: Span,
    wake: Time,
    took: Option<Span>,
}

impl Exchange {
    fn ask(&mut self, now: Time, acts: &mut Vec<Act>) {
        let Turn { request, answer, wait, think } = Turn::draw(&self.model, &mut self.dice);
        self.asked = now;
        self.think = think;
        self.due += answer.get();
        acts.push(Act::Ask { connection: 0, request, wait, answer });
    }

    fn answered(&mut self, now: Time, acts: &mut Vec<Act>) {
        let took = now.since(self.asked);
        self.answered += 1;
        self.all = self.all + took;
        self.worst = self.worst.max(took);
        if self.answered == self.count {
            self.took = Some(now.since(self.began));
            acts.extend([Act::Close(0), Act::Done]);
        } else {
            self.wake = now + self.think;
        }
    }
}

impl Visit for Exchange {
    fn happen(&mut self, now: Time, what: Happened, acts: &mut Vec<Act>) {
        match what {
            Happened::Begun => {
                self.began = now;
                acts.push(Act::Open);
            }
            Happened::Opened(_) => self.ask(now, acts),
            // During the think time, all requested bytes have arrived, so nothing more can arrive.
            Happened::Received { bytes, .. }
                if bytes >= self.due && self.wake == Time::MAX && self.took.is_none() =>
            {
                self.answered(now, acts);
            }
            Happened::Timeout if now >= self.wake => {
                self.wake = Time::MAX;
                self.ask(now, acts);
            }
            Happened::Received { .. }
            | Happened::Answered { .. }
            | Happened::Timeout
            | Happened::Broken { .. } => {}
        }
    }

    fn next_timeout(&self) -> Time {
        self.wake
    }

    fn experience(&self, _now: Time) -> Experience {
        let any = self.answered > 0;
        Experience::Exchange {
            requests: self.count,
            answered: self.answered,
            bytes: Bytes::new(self.due),
            mean: any.then(|| self.all / u64::from(self.answered)),
            worst: any.then_some(self.worst),
            took: self.took,
        }
    }

    fn ideal(&self, path: EmptyPath) -> Option<Span> {
        let mut dice = self.first.clone();
        let mut least = path.opening;
        for turn in 1..=self.count {
            let Turn { answer, wait, think, .. } = Turn::draw(&self.model, &mut dice);
            least = least + path.rtt + wait + path.rate.time_for(answer);
            if turn < self.count {
                least = least + think;
            }
        }
        Some(least)
    }
}
