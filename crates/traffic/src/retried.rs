// SPDX-License-Identifier: MIT OR Apache-2.0
//! A visit that goes on when a connection of it breaks. What was asked for on it and is not whole is asked for again, from its
//! first byte, on a connection that takes its place; the visit within sees one connection all the time, on which bytes that came
//! before do not count again.
//!
//! Where nothing was asked for, a connection takes the place of one that broke only when something is.
//!
//! Only visits behind proxies that may lose their state are wrapped. The models know nothing of resets.

use crate::visit::{Act, EmptyPath, Experience, Happened, Visit};
use std::collections::VecDeque;
use units::{Bytes, Rate, Span, Time};

/// Something that was asked for and is not whole.
#[derive(Clone, Copy, Debug, saved::Plain)]
struct Asked {
    request: Bytes,
    wait: Span,
    answer: Bytes,
    /// Which it is of all that were asked for in this place.
    number: u32,
    /// It was made before.
    made: bool,
}

/// What a connection does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
enum State {
    Opening,
    Open,
    /// It broke; it is opened again then, or with the next request.
    Broken(Option<Time>),
    /// Nothing more is asked for.
    Closed,
}

/// The connections in one place, one after the other.
#[derive(Clone, Debug, saved::Plain)]
struct Line {
    state: State,
    /// The visit within knows that it is open.
    known: bool,
    asked: VecDeque<Asked>,
    count: u32,
    /// What was asked for on this connection, in order, by number.
    here: Vec<u32>,
    /// Bytes that the visit within had when this connection began, and bytes of whole answers on it.
    before: u64,
    whole: u64,
    /// Bytes that the visit within was reported of.
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

/// A visit whose requests are made again.
#[derive(Clone, Debug, saved::Saved)]
pub(crate) struct Retried {
    inner: Box<dyn Visit>,
    lines: Vec<Line>,
    retries: u32,
    /// What the visit within wants done.
    acts: Vec<Act>,
}

impl Retried {
    pub(crate) fn new(inner: Box<dyn Visit>) -> Self {
        Self { inner, lines: Vec::new(), retries: 0, acts: Vec::new() }
    }

    /// Tells the visit within, and does what it wants as far as its connections are there.
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
