// SPDX-License-Identifier: MIT OR Apache-2.0
//! The times at which routes of a constellation are computed, and the times at which paths change.
//!
//! Bisection finds the time of a change. If a path differs between two steps, the path halfway between the steps is
//! computed, and so on until the interval is a millisecond. The cost is acceptable, because a tree can be updated to
//! any time.

use crate::TopologyError;
use crate::route::{Tree, Workspace};
use crate::serving::Serving;
use crate::sky::{Frame, Sky};
use crate::spec::Slot;
use units::{Span, Time};

/// Resolution of the times at which paths change.
const RESOLUTION: Span = Span::from_millis(1);

/// The times at which routes are computed: every step, and every boundary of a slot.
#[derive(Clone)]
pub(crate) struct Steps {
    step: Span,
    slot: Option<Slot>,
    next: Time,
}

impl Steps {
    pub(crate) fn new(sky: &Sky, step: Span) -> Self {
        Self { step, slot: sky.slot, next: Time::ZERO }
    }

    /// Returns the next time after `now`; `None` if there is no later time.
    pub(crate) fn after(&mut self, now: Time) -> Option<Time> {
        while self.next <= now {
            if self.step == Span::MAX {
                return self.slot.map(|slot| slot.next(now));
            }
            self.next += self.step;
        }
        Some(self.slot.map_or(self.next, |slot| slot.next(now).min(self.next)))
    }
}

/// The state of the network at one time: positions, links, serving satellites and routes.
#[derive(Clone, Default)]
pub(crate) struct Moment {
    pub at: Time,
    pub frame: Frame,
    pub serving: Serving,
    pub routes: Vec<Tree>,
}

impl Moment {
    /// Computes the state at `at`. The computation starts from the serving satellites and the routes of another time.
    pub fn at(sky: &Sky, at: Time, serving: &Serving, mut routes: Vec<Tree>) -> Result<Self, TopologyError> {
        let (frame, serving) = look(sky, at, serving)?;
        let mut work = Workspace::default();
        for tree in &mut routes {
            tree.update(&frame, &mut work);
        }
        Ok(Self { at, frame, serving, routes })
    }

    /// Returns the nodes of a watched path; empty if there is no path.
    pub fn way(&self, (tree, from): Watched) -> Vec<u32> {
        let mut way = Vec::new();
        self.routes[tree].way(&self.frame, from, &mut way);
        way
    }
}

/// Computes the network at `at`. The computation starts from the serving satellites of another time.
pub(crate) fn look(sky: &Sky, at: Time, serving: &Serving) -> Result<(Frame, Serving), TopologyError> {
    let mut frame = Frame::default();
    sky.look(at, &mut frame)?;
    let mut serving = serving.clone();
    serving.apply(sky, at, &mut frame)?;
    Ok((frame, serving))
}

/// A watched path: the index of the tree that leads to the end of the path, and the node at the start of the path.
pub(crate) type Watched = (usize, u32);

/// Finds the times between `a` and `b` at which the nodes of a watched path change, in order of time. For each change,
/// calls `each` with the states before and after the change, which are at most [`RESOLUTION`] apart. If a change is
/// reversed between `a` and `b`, it may not be found.
pub(crate) fn between(
    sky: &Sky,
    watched: &[Watched],
    a: &Moment,
    b: &Moment,
    each: &mut impl FnMut(&Moment, &Moment) -> Result<(), TopologyError>,
) -> Result<(), TopologyError> {
    if watched.iter().all(|&way| a.way(way) == b.way(way)) {
        return Ok(());
    }
    let apart = b.at.since(a.at);
    if apart <= RESOLUTION {
        return each(a, b);
    }
    let half = Span::from_nanos(apart.nanos() / 2 / RESOLUTION.nanos() * RESOLUTION.nanos());
    let middle = Moment::at(sky, a.at + half.max(RESOLUTION), &a.serving, a.routes.clone())?;
    between(sky, watched, a, &middle, each)?;
    between(sky, watched, &middle, b, each)
}
