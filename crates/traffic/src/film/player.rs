// SPDX-License-Identifier: MIT OR Apache-2.0
//! The player of a film: it downloads, buffers, plays and stalls.
//!
//! Playback does not set timers. The function `play` updates the buffer at each event. A stall is therefore detected at
//! the next event, but its duration counts from the time at which the buffer became empty.

use super::choice::{by_buffer, by_rate};
use super::{Choice, FilmModel};
use crate::REQUEST;
use crate::visit::{Act, EmptyPath, Experience, Happened, Visit};
use std::collections::VecDeque;
use units::{Bytes, Rate, Span, Time};

/// State of the playback.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
enum Screen {
    /// The film has not started.
    Dark,
    Playing,
    /// The film has been stalled since this time.
    Still(Time),
    /// The film was played to its end.
    Over,
}

/// What the player waits for.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
enum Fetch {
    /// No request is open. The player waits for its connection or for space in the buffer.
    Nothing,
    /// The requested segment.
    Segment { asked: Time, bytes: u64 },
    /// All segments have arrived.
    All,
}

/// A running film.
#[derive(Clone, Debug, saved::Saved)]
pub(super) struct Player {
    #[saved(fixed)]
    model: FilmModel,
    length: Span,
    began: Time,
    screen: Screen,
    fetch: Fetch,
    /// Time for which `level` and `played` were computed.
    at: Time,
    level: Span,
    played: Span,
    /// Length of film that has been downloaded.
    fetched: Span,
    bytes: u64,
    rung: Option<usize>,
    /// Throughputs of the last segments, in bit/s.
    throughputs: VecDeque<f64>,
    wake: Time,
    startup: Option<Span>,
    stalls: u32,
    stalled: Span,
    switches: u32,
}

impl Player {
    pub(super) const fn new(model: FilmModel, length: Span) -> Self {
        Self {
            model,
            length,
            began: Time::ZERO,
            screen: Screen::Dark,
            fetch: Fetch::Nothing,
            at: Time::ZERO,
            level: Span::ZERO,
            played: Span::ZERO,
            fetched: Span::ZERO,
            bytes: 0,
            rung: None,
            throughputs: VecDeque::new(),
            wake: Time::MAX,
            startup: None,
            stalls: 0,
            stalled: Span::ZERO,
            switches: 0,
        }
    }

    /// Returns the length of the next segment.
    fn next_length(&self) -> Span {
        self.model.segment.min(self.length - self.fetched)
    }

    /// Updates the playback to the time `now`.
    fn play(&mut self, now: Time) {
        let passed = now.since(self.at);
        if self.screen == Screen::Playing {
            let shown = passed.min(self.level);
            let dry = self.at + self.level;
            self.level = self.level - shown;
            self.played = self.played + shown;
            if self.played == self.length {
                self.screen = Screen::Over;
            } else if passed > shown {
                // A segment is in time if it arrives exactly when the buffer becomes empty.
                self.screen = Screen::Still(dry);
                self.stalls += 1;
            }
        }
        self.at = now;
    }

    /// Requests the next segment. If the segment does not fit into the buffer yet, sets `wake` to the time at which it
    /// fits.
    fn go_on(&mut self, now: Time, acts: &mut Vec<Act>) {
        self.wake = Time::MAX;
        let length = self.next_length();
        if self.level + length > self.model.buffer {
            // The film is playing, because `startup` and `resume` leave space for a segment.
            self.wake = now + (self.level + length).saturating_sub(self.model.buffer);
            return;
        }
        let ladder = &self.model.ladder;
        let rung = match self.model.choice {
            Choice::Buffer { reservoir, cushion } => {
                by_buffer(ladder, self.rung.unwrap_or(0), self.level, reservoir, cushion)
            }
            Choice::Rate { safety, .. } => by_rate(ladder, self.throughputs.iter().copied(), safety),
        };
        self.switches += u32::from(self.rung.is_some_and(|before| before != rung));
        self.rung = Some(rung);
        let bytes = ladder[rung].bytes_in(length).get().max(1);
        self.fetch = Fetch::Segment { asked: now, bytes };
        acts.push(Act::Ask { connection: 0, request: REQUEST, wait: Span::ZERO, answer: Bytes::new(bytes) });
    }

    /// Adds a segment that has arrived completely to the buffer.
    fn store(&mut self, now: Time, asked: Time, bytes: u64, acts: &mut Vec<Act>) {
        let length = self.next_length();
        self.level = self.level + length;
        self.fetched = self.fetched + length;
        self.bytes += bytes;
        self.fetch = if self.fetched == self.length { Fetch::All } else { Fetch::Nothing };
        if let Choice::Rate { segments, .. } = self.model.choice {
            if self.throughputs.len() == segments as usize {
                self.throughputs.pop_front();
            }
            let took = now.since(asked).max(Span::from_nanos(1));
            self.throughputs.push_back(bytes as f64 * 8.0 / took.secs_f64());
        }
        let all = self.fetch == Fetch::All;
        match self.screen {
            Screen::Dark if all || self.level >= self.model.startup => {
                self.screen = Screen::Playing;
                self.startup = Some(now.since(self.began));
            }
            Screen::Still(since) if all || self.level >= self.model.resume => {
                self.screen = Screen::Playing;
                self.stalled = self.stalled + now.since(since);
            }
            _ => {}
        }
        if all {
            self.wake = now + self.level;
            acts.push(Act::Close(0));
        } else {
            self.go_on(now, acts);
        }
    }
}

impl Visit for Player {
    fn happen(&mut self, now: Time, what: Happened, acts: &mut Vec<Act>) {
        if self.screen == Screen::Over {
            return;
        }
        self.play(now);
        match (what, self.fetch) {
            (Happened::Begun, _) => {
                self.began = now;
                acts.push(Act::Open);
            }
            (Happened::Opened(_), Fetch::Nothing) => self.go_on(now, acts),
            (Happened::Received { bytes: come, .. }, Fetch::Segment { asked, bytes })
                if come >= self.bytes + bytes =>
            {
                self.store(now, asked, bytes, acts);
            }
            (Happened::Timeout, Fetch::Nothing) if now >= self.wake => self.go_on(now, acts),
            _ => {}
        }
        if self.screen == Screen::Over {
            self.wake = Time::MAX;
            acts.push(Act::Done);
        }
    }

    fn next_timeout(&self) -> Time {
        self.wake
    }

    fn experience(&self, now: Time) -> Experience {
        let mut then = self.clone();
        then.play(now);
        let standing = if let Screen::Still(since) = then.screen { now.since(since) } else { Span::ZERO };
        let fetched_s = then.fetched.secs_f64();
        Experience::Film {
            bytes: Bytes::new(then.bytes),
            startup: then.startup,
            stalls: then.stalls,
            stalled: then.stalled + standing,
            switches: then.switches,
            mean_rate: (fetched_s > 0.0)
                .then(|| Rate::from_bits_per_s((then.bytes as f64 * 8.0 / fetched_s).round() as u64)),
            played: then.played,
            ended: then.screen == Screen::Over,
        }
    }

    fn ideal(&self, path: EmptyPath) -> Option<Span> {
        let model = &self.model;
        let (lowest, mut least, mut stored) = (model.ladder[0], path.opening, Span::ZERO);
        while stored < self.length && (stored == Span::ZERO || stored < model.startup) {
            let length = model.segment.min(self.length - stored);
            least = least + path.rtt + path.rate.time_for(lowest.bytes_in(length));
            stored = stored + length;
        }
        Some(least)
    }

    fn sustainable(&self, path: EmptyPath) -> Option<Rate> {
        let segment = self.model.segment;
        let plays_on = |rung: &&Rate| path.rtt + path.rate.time_for(rung.bytes_in(segment)) <= segment;
        self.model.ladder.iter().rev().find(plays_on).copied()
    }
}
