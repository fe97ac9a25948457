// SPDX-License-Identifier: MIT OR Apache-2.0
//! States of links with a budget over time.
//!
//! The engine uses only rates and losses ([`link::Course`]). The causes are kept here for the tables and the summary. A
//! scenario without budgets has no states.
//!
//! `sim` writes these states to `weather.parquet`. They are also the source of the sums in the summary, and of the
//! warning about a link below its lowest modulation and code.

use scenario::{Budget, LinkState};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use units::Time;

/// States of links with a budget, by number of the link in the network.
pub type States = BTreeMap<u32, LinkStates>;

/// An interval in which the state of a link does not change.
#[derive(Clone, Copy, Debug)]
pub struct StateInterval {
    /// Start of the interval.
    pub from: Time,
    /// End of the interval.
    pub until: Time,
    /// The state.
    pub state: LinkState,
}

/// The states of one link, as its budget computes them.
#[derive(Clone, Debug)]
pub struct LinkStates {
    /// The budget. If the satellite of the link moves, also the site or gateway of the link.
    pub of: (Arc<Budget>, String),
    /// The states, in order of time.
    pub intervals: VecDeque<StateInterval>,
    /// Intervals in which frames are lost.
    pub lost: VecDeque<(Time, Time)>,
}

impl LinkStates {
    /// Creates a link without states.
    pub fn new(budget: &Arc<Budget>, site: &str) -> Self {
        let of = (budget.clone(), site.to_owned());
        Self { of, intervals: VecDeque::new(), lost: VecDeque::new() }
    }

    /// Returns the name of the modem's ladder of MODCODs.
    pub fn ladder(&self) -> &'static str {
        self.of.0.radio.ladder.word()
    }

    /// Returns the same link without its states.
    #[must_use]
    pub fn emptied(&self) -> Self {
        Self { of: self.of.clone(), intervals: VecDeque::new(), lost: VecDeque::new() }
    }

    /// Returns the state at a time, and whether frames are lost then; `None` if the link does not exist.
    pub fn at(&self, moment: Time) -> Option<(LinkState, bool)> {
        let holds = |from: Time, until: Time| from <= moment && moment < until;
        let interval = self.intervals.iter().find(|interval| holds(interval.from, interval.until))?;
        Some((interval.state, self.lost.iter().any(|&(from, until)| holds(from, until))))
    }

    /// Adds states in order of time, and the losses in them. The last state ends at `end`.
    pub fn add(
        &mut self,
        states: impl Iterator<Item = LinkState>,
        end: Time,
        lost: impl IntoIterator<Item = (Time, Time)>,
    ) {
        let mut states = states.peekable();
        while let Some(state) = states.next() {
            let from = Time::from_secs_f64(state.from_s);
            let until = states.peek().map_or(end, |next| Time::from_secs_f64(next.from_s).min(end));
            self.push(StateInterval { from, until, state });
        }
        self.lost.extend(lost);
    }

    /// Adds an interval. If the state equals the last state, extends the last interval.
    fn push(&mut self, interval: StateInterval) {
        let StateInterval { from, until, state } = interval;
        if from >= until {
            return;
        }
        match self.intervals.back_mut() {
            Some(last) if last.until == from && state.continues(&last.state) => last.until = until,
            _ => self.intervals.push_back(interval),
        }
    }

    /// Replaces the states from `from` on by the states of `later`.
    pub fn turn(&mut self, from: Time, later: Self) {
        self.intervals.retain(|interval| interval.from < from);
        if let Some(last) = self.intervals.back_mut() {
            last.until = last.until.min(from);
        }
        for interval in later.intervals {
            self.push(StateInterval { from: interval.from.max(from), ..interval });
        }
        self.lost.retain(|&(begun, _)| begun < from);
        self.lost.extend(later.lost.into_iter().filter(|&(begun, _)| begun >= from));
    }
}
