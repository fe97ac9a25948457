// SPDX-License-Identifier: MIT OR Apache-2.0
//! Visits: when they begin, their progress and their results.

use super::Application;
use super::timed::Timed;
use random::stream_seed;
use random::{SeedableRng as _, SplitMix64};
use saved::{Damaged, Reader, Saved as _, SavedBy, Writer};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use traffic::{Begin, Experience, Happened, Law, Model, Moments, Visit};
use units::{Bytes, Rate, Span, Time};

/// The result of a visit.
#[derive(Clone, Debug, PartialEq, saved::Plain)]
pub struct VisitRow {
    /// Number of the visit in its flow, counted from 0 in the order in which visits began.
    pub number: u64,
    /// Number of the user, if the application has a fixed number of users.
    pub user: Option<u32>,
    /// Start of the visit.
    pub began: Time,
    /// End of the visit; `None` if it is still running.
    pub ended: Option<Time>,
    /// Bytes of answers that arrived in order, including those of TLS.
    pub received: Bytes,
    /// The user's experience.
    pub experience: Experience,
    /// Number of requests that were repeated after their connections broke.
    pub retries: u32,
    /// Ideal duration on an empty path ([`Visit::ideal`]), for the path at the start of the visit. `None` if there was
    /// no path.
    pub ideal: Option<Span>,
    /// Highest rate of a film that this path carries without a stall ([`Visit::sustainable`]).
    pub sustainable: Option<Rate>,
}

impl VisitRow {
    /// Returns the duration as a multiple of the ideal duration.
    pub fn slow_down(&self) -> Option<f64> {
        let (took, ideal) = (self.experience.took()?, self.ideal?);
        (ideal > Span::ZERO).then(|| took.secs_f64() / ideal.secs_f64())
    }
}

/// The times at which visits begin.
#[derive(Clone, Debug, saved::Saved)]
pub(super) struct Beginnings {
    #[saved(fixed)]
    model: Model,
    /// Whether connections may break.
    shaken: bool,
    seed: u64,
    stop: Time,
    begun: u64,
    source: Source,
}

#[derive(Clone, Debug, saved::Saved)]
enum Source {
    Open {
        start: Time,
        moments: Moments,
        next: Time,
    },
    Closed {
        #[saved(fixed)]
        think: Law,
        users: Vec<User>,
        waiting: BinaryHeap<Reverse<(Time, u32)>>,
    },
}

/// A user of a closed loop, who alternates between think times and visits.
#[derive(Clone, Debug, saved::Plain)]
struct User {
    thinks: SplitMix64,
    visits: u64,
}

/// A visit that begins now.
pub(super) struct StartedVisit {
    pub number: u64,
    pub user: Option<u32>,
    pub visit: Box<dyn Visit>,
}

impl Beginnings {
    pub fn new(application: &Application) -> Self {
        let Application { begin, model, start, stop, seed, shaken, .. } = application;
        let stop = stop.unwrap_or(Time::MAX);
        let source = match begin {
            Begin::Open(arrivals) => {
                let mut moments = arrivals.moments(stream_seed(*seed, "arrivals"), stop.since(*start));
                let next = moments.next().map_or(Time::MAX, |at| *start + at);
                Source::Open { start: *start, moments, next }
            }
            Begin::Closed { users, think } => {
                let mut waiting = BinaryHeap::with_capacity(*users as usize);
                let user = |number| {
                    let mut thinks =
                        SplitMix64::seed_from_u64(stream_seed(*seed, &format!("user {number} thinks")));
                    waiting.push(Reverse((*start + think.span(&mut thinks), number)));
                    User { thinks, visits: 0 }
                };
                let users = (0..*users).map(user).collect();
                Source::Closed { think: think.clone(), users, waiting }
            }
        };
        Self { model: model.clone(), shaken: *shaken, seed: *seed, stop, begun: 0, source }
    }

    /// Returns the time at which the next visit begins.
    pub fn next(&self) -> Time {
        let next = match &self.source {
            Source::Open { next, .. } => *next,
            Source::Closed { waiting, .. } => waiting.peek().map_or(Time::MAX, |first| first.0.0),
        };
        if next < self.stop { next } else { Time::MAX }
    }

    /// Returns the next visit that begins by `now`; `None` if there is none. Its random draws depend only on its
    /// number, or on its user and the number of visits of that user. The network therefore does not change which visits
    /// occur.
    pub fn take(&mut self, now: Time) -> Option<StartedVisit> {
        if self.next() > now {
            return None;
        }
        let number = self.begun;
        self.begun += 1;
        // The names of streams determine the draws. Renaming "session" to "visit" would change every run.
        let (user, stream) = match &mut self.source {
            Source::Open { start, moments, next } => {
                *next = moments.next().map_or(Time::MAX, |at| *start + at);
                (None, format!("session {number}"))
            }
            Source::Closed { users, waiting, .. } => {
                let Reverse((_, user)) = waiting.pop()?;
                let own = &mut users[user as usize];
                own.visits += 1;
                (Some(user), format!("user {user} session {}", own.visits))
            }
        };
        let visit = self.visit(stream_seed(self.seed, &stream));
        Some(StartedVisit { number, user, visit })
    }

    fn visit(&self, seed: u64) -> Box<dyn Visit> {
        if self.shaken { self.model.retrying(seed) } else { self.model.visit(seed) }
    }

    /// Handles the end of a visit: the think time of its user begins.
    pub fn done(&mut self, now: Time, user: Option<u32>) {
        if let (Source::Closed { think, users, waiting }, Some(number)) = (&mut self.source, user) {
            let thinks = think.span(&mut users[number as usize].thinks);
            waiting.push(Reverse((now + thinks, number)));
        }
    }
}

/// A running visit.
#[derive(Clone, saved::Saved)]
pub(super) struct Live {
    pub number: u64,
    pub user: Option<u32>,
    pub began: Time,
    pub ideal: Option<Span>,
    pub sustainable: Option<Rate>,
    pub visit: Box<dyn Visit>,
    /// Numbers of its connections, in the order in which it opened them.
    pub connections: Vec<u32>,
    pub received: u64,
}

impl Live {
    /// Creates a visit without results.
    fn new(visit: Box<dyn Visit>) -> Self {
        Self {
            number: 0,
            user: None,
            began: Time::ZERO,
            ideal: None,
            sustainable: None,
            visit,
            connections: Vec::new(),
            received: 0,
        }
    }

    pub fn row(&self, now: Time, ended: Option<Time>) -> VisitRow {
        VisitRow {
            number: self.number,
            user: self.user,
            began: self.began,
            ended,
            received: Bytes::new(self.received),
            experience: self.visit.experience(now),
            retries: self.visit.retries(),
            ideal: self.ideal,
            sustainable: self.sustainable,
        }
    }
}

/// The running visits.
#[derive(Clone, Default)]
pub(super) struct Visits {
    slots: Timed<Live>,
    /// Events that were not reported yet, each with the place of its visit.
    pub news: std::collections::VecDeque<(u32, Happened)>,
}

impl Visits {
    pub fn insert(&mut self, live: Live) -> u32 {
        self.slots.insert(Box::new(live))
    }
    pub fn get(&mut self, slot: u32) -> Option<&mut Live> {
        self.slots.get(slot)
    }
    /// Removes a visit that is over.
    pub fn remove(&mut self, slot: u32) -> Option<Box<Live>> {
        self.slots.remove(slot)
    }
    pub fn all(&self) -> impl Iterator<Item = &Live> {
        self.slots.all()
    }
    pub fn len(&self) -> usize {
        self.slots.len()
    }
    /// Updates the timer of a visit after an event was reported to it.
    pub fn rearm(&mut self, slot: u32) {
        if let Some(live) = self.slots.get(slot) {
            let next = live.visit.next_timeout();
            self.slots.arm(slot, next);
        }
    }
    pub fn next_timeout(&self) -> Time {
        self.slots.next_timeout()
    }
    /// Returns the next visit whose timer has expired.
    pub fn next_due(&mut self, now: Time) -> Option<u32> {
        self.slots.next_due(now)
    }
}

/// Saves and loads running visits. The drawn numbers of a visit are part of its state, so that they can be loaded into
/// a visit of any seed.
impl SavedBy<Beginnings> for Visits {
    fn save_made(&self, to: &mut Writer) {
        self.slots.save_items(to);
        self.news.save_to(to);
    }

    fn load_made(&mut self, from: &mut Reader<'_>, beginnings: &Beginnings) -> Result<(), Damaged> {
        self.slots.load_items(from, || Box::new(Live::new(beginnings.visit(0))))?;
        self.news.load_from(from)
    }
}
