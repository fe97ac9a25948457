// SPDX-License-Identifier: MIT OR Apache-2.0
//! The moments at which a constellation is looked at, and those at which its ways change.
//!
//! Exact times of change come from bisection: where a path differs between two steps, the moment in between is
//! looked at, down to a millisecond. This is affordable because a tree can be updated to any moment.

use crate::TopologyError;
use crate::route::{Tree, Workspace};
use crate::serving::Serving;
use crate::sky::{Frame, Sky};
use crate::spec::Slot;
use units::{Span, Time};

/// Ways that differ between two moments are followed to so short a time.
const RESOLUTION: Span = Span::from_millis(1);

/// The moments at which routes are looked at: every step, and at the boundaries of slots.
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

    /// The next one.
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

/// Routes and what they follow from, at one time.
#[derive(Clone, Default)]
pub(crate) struct Moment {
    pub at: Time,
    pub frame: Frame,
    pub serving: Serving,
    pub routes: Vec<Tree>,
}

impl Moment {
    /// The moment `at`, with what was served and routed at some other.
    pub fn at(sky: &Sky, at: Time, serving: &Serving, mut routes: Vec<Tree>) -> Result<Self, TopologyError> {
        let (frame, serving) = look(sky, at, serving)?;
        let mut work = Workspace::default();
        for tree in &mut routes {
            tree.update(&frame, &mut work);
        }
        Ok(Self { at, frame, serving, routes })
    }

    /// Nodes of a way that is watched; none if there is no way.
    pub fn way(&self, (tree, from): Watched) -> Vec<u32> {
        let mut way = Vec::new();
        self.routes[tree].way(&self.frame, from, &mut way);
        way
    }
}

/// The sky at `at`, with what was served at some other time.
pub(crate) fn look(sky: &Sky, at: Time, serving: &Serving) -> Result<(Frame, Serving), TopologyError> {
    let mut frame = Frame::default();
    sky.look(at, &mut frame)?;
    let mut serving = serving.clone();
    serving.apply(sky, at, &mut frame)?;
    Ok((frame, serving))
}

/// A way that is watched: which of the routes leads to its end, and the node where it begins.
pub(crate) type Watched = (usize, u32);

/// Looks for the moments between two at which some way runs over other nodes, in order of time: `each` gets the moment
/// before and the moment after, at most [`RESOLUTION`] apart. What changes and changes back between `a` and `b` is not
/// seen.
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
