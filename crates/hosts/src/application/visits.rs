// SPDX-License-Identifier: MIT OR Apache-2.0
//! Visits: the times at which they begin, their progress and their results.

use super::Application;
use super::timed::Timed;
use control::{Ephemeris, PathState};
use random::stream_seed;
use random::{SeedableRng as _, SplitMix64};
use saved::{Damaged, Reader, Saved as _, SavedBy, Writer};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use traffic::{Act, Begin, EmptyPath, Experience, Happened, Law, Model, Moments, Visit};
use units::{Bytes, Rate, Span, Time};

/// The result of a visit.
#[derive(Clone, Debug, PartialEq, saved::Plain)]
pub struct VisitRow {
    /// Number of the visit in its flow. Visits are counted from 0, in the order in which they began.
    pub number: u64,
    /// Number of the user, if the application has a fixed number of users.
    pub user: Option<u32>,
    /// Start of the visit.
    pub began: Time,
    /// End of the visit, or `None` if it is still running.
    pub ended: Option<Time>,
    /// Bytes of answers that arrived in order, including the bytes of TLS.
    pub received: Bytes,
    /// The experience of the user.
    pub experience: Experience,
    /// Number of requests that were repeated after their connections broke.
    pub retries: u32,
    /// Ideal duration on the empty path at the start of the visit ([`Visit::ideal`]), or `None` if there was no path.
    pub ideal: Option<Span>,
    /// Highest rate of a film that this path can carry without a stall ([`Visit::sustainable`]).
    pub sustainable: Option<Rate>,
}

impl VisitRow {
    /// Returns the duration of the visit divided by its ideal duration.
    pub fn slow_down(&self) -> Option<f64> {
        let (took, ideal) = (self.experience.took()?, self.ideal?);
        (ideal > Span::ZERO).then(|| took.secs_f64() / ideal.secs_f64())
    }
}

/// The visits of an application: their beginnings, the running visits, and the results of ended visits.
#[derive(Clone, saved::Saved)]
pub(crate) struct Visitors {
    beginnings: Beginnings,
    /// The path from the servers, which determines the ideal duration of visits.
    #[saved(fixed)]
    path: Option<Arc<dyn Ephemeris>>,
    #[saved(by = beginnings)]
    visits: Visits,
    finished: Vec<VisitRow>,
    /// A buffer for the actions of a visit, which is reused.
    acts: Vec<Act>,
}

impl Visitors {
    pub fn new(application: Application) -> Self {
        Self {
            beginnings: Beginnings::new(&application),
            path: application.path,
            visits: Visits::default(),
            finished: Vec::new(),
            acts: Vec::new(),
        }
    }

    /// Returns the number of running visits.
    pub fn len(&self) -> usize {
        self.visits.slots.len()
    }

    /// Returns the time at which the next visit begins, or at which a running visit needs its timer.
    pub fn next_timeout(&self) -> Time {
        self.visits.slots.next_timeout().min(self.beginnings.next())
    }

    /// Stores an event that will be reported to the visit at a place.
    pub fn report(&mut self, slot: u32, what: Happened) {
        self.visits.news.push_back((slot, what));
    }

    /// Stores the timer event of the next visit whose timer has expired. Returns false if there is no such visit.
    pub fn report_due(&mut self, now: Time) -> bool {
        let due = self.visits.slots.next_due(now);
        self.visits.news.extend(due.map(|slot| (slot, Happened::Timeout)));
        due.is_some()
    }

    /// Begins the next visit that is due, and stores its first event. Returns false if no visit is due. `empty_path`
    /// describes an empty path from the servers, from which the ideal duration is computed.
    pub fn begin(&mut self, now: Time, empty_path: impl FnOnce(&PathState) -> Option<EmptyPath>) -> bool {
        let Some(begun) = self.beginnings.take(now) else { return false };
        let path = self.path.as_ref().and_then(|path| empty_path(&path.path(now)));
        let ideal = path.and_then(|path| begun.visit.ideal(path));
        let sustainable = path.and_then(|path| begun.visit.sustainable(path));
        let slot = self.visits.slots.insert(Box::new(Live {
            number: begun.number,
            user: begun.user,
            began: now,
            ideal,
            sustainable,
            visit: begun.visit,
            connections: Vec::new(),
            received: 0,
        }));
        self.report(slot, Happened::Begun);
        true
    }

    /// Reports the next stored event to its visit. Returns the place of the visit and its actions, or `None` if no
    /// event is stored. The buffer of the actions must be returned by [`Visitors::acted`].
    pub fn tell(&mut self, now: Time) -> Option<(u32, Vec<Act>)> {
        let (slot, what) = self.visits.news.pop_front()?;
        let mut acts = std::mem::take(&mut self.acts);
        if let Some(live) = self.visits.slots.get(slot) {
            live.visit.happen(now, what, &mut acts);
            let next = live.visit.next_timeout();
            self.visits.slots.arm(slot, next);
        }
        Some((slot, acts))
    }

    /// Returns an empty buffer for later use.
    pub fn acted(&mut self, acts: Vec<Act>) {
        self.acts = acts;
    }

    /// Returns whether the answers of a visit are interleaved, or `None` if the visit is over.
    pub fn interleaves(&mut self, slot: u32) -> Option<bool> {
        self.visits.slots.get(slot).map(|live| live.visit.interleaves())
    }

    /// Adds a connection to a visit, or replaces connection `place` of the visit. Returns the number of the connection
    /// within the visit.
    pub fn connect(&mut self, slot: u32, number: u32, place: Option<u8>) -> Option<u8> {
        let live = self.visits.slots.get(slot)?;
        let of_visit = place.unwrap_or(live.connections.len() as u8);
        match live.connections.get_mut(usize::from(of_visit)) {
            Some(before) => *before = number,
            None => live.connections.push(number),
        }
        Some(of_visit)
    }

    /// Returns the number of a visit's connection. `of_visit` is the number of the connection within the visit.
    pub fn connection(&mut self, slot: u32, of_visit: u8) -> Option<u32> {
        self.visits.slots.get(slot)?.connections.get(usize::from(of_visit)).copied()
    }

    /// Counts bytes of answers that arrived.
    pub fn receive(&mut self, slot: u32, bytes: u64) {
        if let Some(live) = self.visits.slots.get(slot) {
            live.received += bytes;
        }
    }

    /// Ends a visit, and returns the numbers of its connections.
    pub fn end(&mut self, now: Time, slot: u32) -> Vec<u32> {
        let Some(live) = self.visits.slots.remove(slot) else { return Vec::new() };
        self.finished.push(live.row(now, Some(now)));
        self.beginnings.done(now, live.user);
        live.connections
    }

    /// Removes and returns the visits that ended since the last call.
    pub fn take_finished(&mut self) -> Vec<VisitRow> {
        std::mem::take(&mut self.finished)
    }

    /// Returns the running visits with their state at `now`.
    pub fn unfinished(&self, now: Time) -> Vec<VisitRow> {
        let mut rows: Vec<VisitRow> = self.visits.slots.all().map(|live| live.row(now, None)).collect();
        rows.sort_unstable_by_key(|row| row.number);
        rows
    }
}

/// The times at which visits begin.
#[derive(Clone, Debug, saved::Saved)]
struct Beginnings {
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

/// A user of a closed loop. Think times and visits alternate.
#[derive(Clone, Debug, saved::Plain)]
struct User {
    thinks: SplitMix64,
    visits: u64,
}

/// A visit that begins now.
struct StartedVisit {
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

    /// Returns the next visit that begins by `now`, or `None` if there is none. The random draws of a visit depend only
    /// on its number, or on its user and the number of visits of this user. The network therefore does not change which
    /// visits occur.
    pub fn take(&mut self, now: Time) -> Option<StartedVisit> {
        if self.next() > now {
            return None;
        }
        let number = self.begun;
        self.begun += 1;
        // The names of the streams determine the draws. If "session" were renamed to "visit", every run would change.
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

    /// Handles the end of a visit. The think time of its user begins now.
    pub fn done(&mut self, now: Time, user: Option<u32>) {
        if let (Source::Closed { think, users, waiting }, Some(number)) = (&mut self.source, user) {
            let thinks = think.span(&mut users[number as usize].thinks);
            waiting.push(Reverse((now + thinks, number)));
        }
    }
}

/// A running visit.
#[derive(Clone, saved::Saved)]
struct Live {
    pub number: u64,
    pub user: Option<u32>,
    pub began: Time,
    pub ideal: Option<Span>,
    pub sustainable: Option<Rate>,
    pub visit: Box<dyn Visit>,
    /// Numbers of the visit's connections, in the order in which the visit opened them.
    pub connections: Vec<u32>,
    pub received: u64,
}

impl Live {
    /// Creates a running visit that has no results yet.
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
struct Visits {
    slots: Timed<Live>,
    /// Events that were not yet reported. Each event has the place of its visit.
    news: std::collections::VecDeque<(u32, Happened)>,
}

/// Saves and loads running visits. The random numbers that a visit has drawn are part of its state. They can therefore
/// be loaded into a visit with any seed.
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
