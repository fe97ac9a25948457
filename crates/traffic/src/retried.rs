// SPDX-License-Identifier: MIT OR Apache-2.0
//! A wrapper that continues a visit after a connection is reset. The wrapper requests every incomplete answer again,
//! from the first byte, on a new connection that replaces the broken connection. The wrapped visit receives the events
//! of one unbroken connection, on which repeated bytes do not count twice.
//!
//! If no request is open on a broken connection, the connection is replaced only at the next request.
//!
//! Only visits behind proxies that can lose their state use this wrapper. The models themselves do not handle resets.

use crate::visit::{Act, EmptyPath, Experience, Happened, Visit};
use std::collections::VecDeque;
use units::{Bytes, Rate, Span, Time};

/// A request whose answer is incomplete.
#[derive(Clone, Copy, Debug, saved::Plain)]
struct Asked {
    request: Bytes,
    wait: Span,
    answer: Bytes,
    /// Number of this request among all requests on this connection and its predecessors, counted from 0.
    number: u32,
    /// Whether the request was already sent.
    made: bool,
}

/// State of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
enum State {
    Opening,
    Open,
    /// The connection is broken. It is opened again at this time. With `None`, the next request opens the connection.
    Broken(Option<Time>),
    /// No further requests are made.
    Closed,
}

/// A connection of the wrapped visit, and the real connections that have replaced each other for it.
#[derive(Clone, Debug, saved::Plain)]
struct Line {
    state: State,
    /// Whether the wrapped visit knows that the connection is open.
    known: bool,
    asked: VecDeque<Asked>,
    count: u32,
    /// Numbers of the requests on the current real connection, in the order of sending.
    here: Vec<u32>,
    /// `before` is the number of bytes that the wrapped visit had received when the current real connection began.
    /// `whole` is the number of bytes of complete answers on the current real connection.
    before: u64,
    whole: u64,
    /// Bytes that were reported to the wrapped visit.
    reported: u64,
}

impl Line {
    const NEW: Self = Self {
        state: State::Opening,
        known: false,
        asked: VecDeque::new(),
        count: 0,
        here: Vec::new(),
        before: 0,
        whole: 0,
        reported: 0,
    };
}

/// A visit that repeats requests after a reset.
#[derive(Clone, Debug, saved::Saved)]
pub(crate) struct Retried {
    inner: Box<dyn Visit>,
    lines: Vec<Line>,
    retries: u32,
    /// Buffer for the actions of the wrapped visit.
    acts: Vec<Act>,
}

impl Retried {
    pub(crate) fn new(inner: Box<dyn Visit>) -> Self {
        Self { inner, lines: Vec::new(), retries: 0, acts: Vec::new() }
    }

    /// Reports an event to the wrapped visit. Executes the actions of the visit on connections that are open.
    fn tell(&mut self, now: Time, what: Happened, acts: &mut Vec<Act>) {
        self.inner.happen(now, what, &mut self.acts);
        for act in self.acts.drain(..) {
            match act {
                Act::Open => self.lines.push(Line::NEW),
                Act::Ask { connection, request, wait, answer } => {
                    let line = &mut self.lines[usize::from(connection)];
                    let number = line.count;
                    line.count += 1;
                    let made = line.state == State::Open;
                    line.asked.push_back(Asked { request, wait, answer, number, made });
                    match line.state {
                        State::Open => line.here.push(number),
                        State::Broken(None) => {
                            line.state = State::Opening;
                            acts.push(Act::Reopen(connection));
                            continue;
                        }
                        _ => continue,
                    }
                }
                Act::Close(connection) => self.lines[usize::from(connection)].state = State::Closed,
                Act::Reopen(_) | Act::Done => {}
            }
            acts.push(act);
        }
    }

    fn broke(&mut self, now: Time, connection: u8, wait: Span) {
        let in_turns = self.inner.interleaves();
        let line = &mut self.lines[usize::from(connection)];
        if line.state == State::Closed {
            return;
        }
        line.here.clear();
        line.before = if in_turns { line.reported } else { line.before + line.whole };
        line.whole = 0;
        let idle = line.known && line.asked.is_empty();
        line.state = State::Broken((!idle).then(|| now + wait));
    }

    fn received(&mut self, now: Time, connection: u8, bytes: u64, acts: &mut Vec<Act>) {
        let in_turns = self.inner.interleaves();
        let line = &mut self.lines[usize::from(connection)];
        while let Some(first) = line.asked.front().filter(|_| !in_turns) {
            let whole = line.whole + first.answer.get();
            if whole > bytes {
                break;
            }
            line.whole = whole;
            line.asked.pop_front();
        }
        let reported = line.before + bytes;
        if reported > line.reported {
            line.reported = reported;
            self.tell(now, Happened::Received { connection, bytes: reported }, acts);
        }
    }

    fn opened(&mut self, now: Time, connection: u8, acts: &mut Vec<Act>) {
        let line = &mut self.lines[usize::from(connection)];
        if line.state == State::Closed {
            return;
        }
        line.state = State::Open;
        for asked in &mut line.asked {
            self.retries += u32::from(std::mem::replace(&mut asked.made, true));
            line.here.push(asked.number);
            let Asked { request, wait, answer, .. } = *asked;
            acts.push(Act::Ask { connection, request, wait, answer });
        }
        if !std::mem::replace(&mut line.known, true) {
            self.tell(now, Happened::Opened(connection), acts);
        }
    }
}

impl Visit for Retried {
    fn happen(&mut self, now: Time, what: Happened, acts: &mut Vec<Act>) {
        match what {
            Happened::Begun => self.tell(now, what, acts),
            Happened::Timeout => {
                for (connection, line) in self.lines.iter_mut().enumerate() {
                    if matches!(line.state, State::Broken(Some(at)) if at <= now) {
                        line.state = State::Opening;
                        acts.push(Act::Reopen(connection as u8));
                    }
                }
                if self.inner.next_timeout() <= now {
                    self.tell(now, what, acts);
                }
            }
            Happened::Opened(connection) => self.opened(now, connection, acts),
            Happened::Received { connection, bytes } => self.received(now, connection, bytes, acts),
            Happened::Answered { connection, answer } => {
                let line = &mut self.lines[usize::from(connection)];
                let answer = line.here[answer as usize];
                line.asked.retain(|asked| asked.number != answer);
                self.tell(now, Happened::Answered { connection, answer }, acts);
            }
            Happened::Broken { connection, wait } => self.broke(now, connection, wait),
        }
    }

    fn next_timeout(&self) -> Time {
        let again = self.lines.iter().filter_map(|line| match line.state {
            State::Broken(at) => at,
            _ => None,
        });
        again.fold(self.inner.next_timeout(), Time::min)
    }

    fn experience(&self, now: Time) -> Experience {
        self.inner.experience(now)
    }

    fn ideal(&self, path: EmptyPath) -> Option<Span> {
        self.inner.ideal(path)
    }

    fn interleaves(&self) -> bool {
        self.inner.interleaves()
    }

    fn sustainable(&self, path: EmptyPath) -> Option<Rate> {
        self.inner.sustainable(path)
    }

    fn retries(&self) -> u32 {
        self.retries
    }
}
