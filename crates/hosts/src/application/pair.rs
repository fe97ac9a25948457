// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the hosts of one application know of each other without the network: what was asked for on each connection, and which
//! connections nobody needs any more.
//!
//! With answers that take turns (`http2-interleaved`) servers and users learn here which bytes belong to which
//! answer, and a visit is told which answer is complete.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use units::{Bytes, Span};

/// Place of the users among the hosts, and of the servers.
pub(super) const USERS: usize = 0;
pub(super) const SERVERS: usize = 1;

/// A request on its way.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub(crate) struct Request {
    /// It is there when so many bytes have come in order, since the connection was opened.
    pub upto: u64,
    /// How long the server takes.
    pub wait: Span,
    pub answer: Bytes,
}

/// A connection, as all its hosts see it.
#[derive(Clone, Debug, Default, saved::Plain)]
struct Talk {
    requests: VecDeque<Request>,
    /// Bytes of all requests so far.
    asked: u64,
    /// Its visit asks for nothing more.
    closed: bool,
    /// Frames of answers that come in turns, as they were written; `None`: they come one after the other.
    frames: Option<Frames>,
    /// Hosts that have something to say yet, or to hear acknowledged: a bit for each.
    busy: u32,
    /// A proxy has lost its state: nobody takes it in any more.
    broken: bool,
}

/// Frames of answers, in the order in which they were written and have not come.
#[derive(Clone, Debug, Default, saved::Plain)]
struct Frames {
    /// Which answer it is of, and how far the connection is with it; whether it is the last of the answer.
    written: VecDeque<(u32, u64, bool)>,
    /// Bytes of all that was written.
    bytes: u64,
}

/// The connections that live.
#[derive(Clone, Debug, saved::Plain)]
pub(crate) struct Pair {
    talks: BTreeMap<u32, Talk>,
    /// Number of the newest.
    newest: u32,
    /// Of each host: connections that others have freed.
    gone: Vec<Vec<u32>>,
}

/// The connections of an application, for all its hosts. One thread moves them: nobody ever waits for the lock.
#[derive(Clone, Debug, saved::Saved)]
pub(crate) struct SharedPair(Arc<Mutex<Pair>>);

impl SharedPair {
    /// Of so many hosts: users, servers, and the sides of proxies between them.
    pub fn new(hosts: usize) -> Self {
        Self(Arc::new(Mutex::new(Pair::new(hosts))))
    }

    /// Takes a copy in place of connections that others know too; `copies`: those that were copied before, by their place
    /// in memory.
    pub fn separate(&mut self, copies: &mut BTreeMap<usize, Self>) {
        let copy = || Self(Arc::new(Mutex::new(self.lock().clone())));
        *self = copies.entry(Arc::as_ptr(&self.0).addr()).or_insert_with(copy).clone();
    }

    pub fn lock(&self) -> MutexGuard<'_, Pair> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pair {
    fn new(hosts: usize) -> Self {
        Self { talks: BTreeMap::new(), newest: 0, gone: vec![Vec::new(); hosts] }
    }

    /// A new connection, on which answers come in turns or one after the other: its number. 0 is that of no connection.
    ///
    /// # Panics
    /// After 2^32 - 1 of them.
    #[expect(clippy::expect_used, reason = "a run of so many connections ends before: each takes packets")]
    pub fn open(&mut self, interleaves: bool) -> u32 {
        self.newest = self.newest.checked_add(1).expect("fewer than 2^32 connections in a run");
        let frames = interleaves.then(Frames::default);
        self.talks.insert(self.newest, Talk { frames, ..Talk::default() });
        self.newest
    }

    /// Whether a connection lives, so that who hears of it first takes it in.
    pub fn lives(&self, number: u32) -> bool {
        self.talks.get(&number).is_some_and(|talk| !talk.broken)
    }

    /// A proxy has lost its state of a connection.
    pub fn break_off(&mut self, number: u32) {
        if let Some(talk) = self.talks.get_mut(&number) {
            talk.broken = true;
        }
    }

    /// A connection that broke is over, and all its hosts have freed it.
    pub fn forget(&mut self, number: u32) {
        self.talks.remove(&number);
    }

    /// Something is asked for: the servers have to do.
    pub fn ask(&mut self, number: u32, request: Bytes, wait: Span, answer: Bytes) {
        if let Some(talk) = self.talks.get_mut(&number) {
            talk.asked += request.get();
            talk.requests.push_back(Request { upto: talk.asked, wait, answer });
            talk.busy |= 1 << SERVERS;
        }
    }

    /// The next request that is there when `got` bytes of requests have come.
    pub fn next_request(&mut self, number: u32, got: u64) -> Option<Request> {
        let requests = &mut self.talks.get_mut(&number)?.requests;
        if requests.front()?.upto > got { None } else { requests.pop_front() }
    }

    /// Whether answers come in turns.
    pub fn interleaves(&self, number: u32) -> bool {
        self.talks.get(&number).is_some_and(|talk| talk.frames.is_some())
    }

    /// The servers have written so many bytes of an answer, the last of it or not.
    pub fn frame(&mut self, number: u32, answer: u32, bytes: u64, is_last: bool) {
        if let Some(frames) = self.talks.get_mut(&number).and_then(|talk| talk.frames.as_mut()) {
            frames.bytes += bytes;
            frames.written.push_back((answer, frames.bytes, is_last));
        }
    }

    /// The next answer that is whole when so many bytes have come.
    pub fn next_whole(&mut self, number: u32, bytes: u64) -> Option<u32> {
        let written = &mut self.talks.get_mut(&number)?.frames.as_mut()?.written;
        while let Some(&(answer, _, is_last)) = written.front().filter(|frame| frame.1 <= bytes) {
            written.pop_front();
            if is_last {
                return Some(answer);
            }
        }
        None
    }

    /// Its visit asks for nothing more.
    pub fn close(&mut self, number: u32) {
        if let Some(talk) = self.talks.get_mut(&number) {
            talk.closed = true;
        }
    }

    /// Whether `host` has something to do yet; then, whether the connection is over for all: it is forgotten, and the others
    /// find it among those that are gone.
    pub fn settle(&mut self, number: u32, host: usize, busy: bool) -> bool {
        let Some(talk) = self.talks.get_mut(&number) else { return true };
        let busy = busy || (host == SERVERS && !talk.requests.is_empty());
        talk.busy = talk.busy & !(1 << host) | u32::from(busy) << host;
        // Of one that broke each is told.
        let over = talk.closed && talk.busy == 0 && !talk.broken;
        if over {
            self.talks.remove(&number);
            for (_, gone) in self.gone.iter_mut().enumerate().filter(|(other, _)| *other != host) {
                gone.push(number);
            }
        }
        over
    }

    /// How many connections others have freed that `host` has not freed yet.
    pub fn gone(&self, host: usize) -> usize {
        self.gone[host].len()
    }

    /// Takes one of the connections that others have freed.
    pub fn next_gone(&mut self, host: usize) -> Option<u32> {
        self.gone[host].pop()
    }
}
