// SPDX-License-Identifier: MIT OR Apache-2.0
//! The moments at which a path changes, to a millisecond.

use crate::access::Serving;
use crate::constellation::{Moment, RESOLUTION, Steps};
use crate::route::Tree;
use crate::sky::Sky;
use crate::trace::{PathSample, destination, sample};
use crate::{ConstellationSpec, Site, TopologyError};
use units::{Span, Time};

/// From here on the path is another.
#[derive(Clone, Debug, PartialEq)]
pub struct Switch {
    /// The path that was left, as it is at this moment; of the first: as [`Self::after`].
    pub before: PathSample,
    /// The new path; its time is that of the switch, rounded up to a millisecond.
    pub after: PathSample,
}

/// The path between two sites at zero, and every change of it before `duration`. It is looked for every `step`; where
/// the path is another than a step before, the moments in between are halved down to a millisecond. What changes and
/// changes back within one step is not seen.
///
/// # Errors
/// Those of the constellation: see [`crate::constellation::build`]. No path at all is no error here.
pub fn switches(
    spec: &ConstellationSpec,
    from: &Site,
    to: &Site,
    duration: Span,
    step: Span,
) -> Result<Vec<Switch>, TopologyError> {
    let sites = [from.clone(), to.clone()];
    let sky = Sky::new(spec, &sites)?;
    let tree = Tree::new(destination(spec, &sites, 0, 1)?, sky.core() as usize + sites.len());
    let mut search = Search { sky: &sky, sites: &sites, found: Vec::new() };
    let mut now = Moment::at(&sky, Time::ZERO, &Serving::default(), vec![tree])?;
    let first = sample(&sky, &sites, now.at, &search.way(&now))?;
    search.found.push(Switch { before: first.clone(), after: first });
    let step = if step == Span::ZERO { Span::MAX } else { step };
    let mut steps = Steps::new(spec, step);
    while let Some(at) = steps.after(now.at).filter(|at| at.since(Time::ZERO) < duration) {
        let next = Moment::at(&sky, at, &now.serving, now.routes.clone())?;
        search.between(&now, &next)?;
        now = next;
    }
    Ok(search.found)
}

struct Search<'a> {
    sky: &'a Sky<'a>,
    sites: &'a [Site],
    found: Vec<Switch>,
}

impl Search<'_> {
    fn way(&self, moment: &Moment) -> Vec<u32> {
        let mut way = Vec::new();
        moment.routes[0].way(&moment.frame, self.sky.core(), &mut way);
        way
    }

    fn between(&mut self, a: &Moment, b: &Moment) -> Result<(), TopologyError> {
        let (before, after) = (self.way(a), self.way(b));
        if before == after {
            return Ok(());
        }
        let apart = b.at.since(a.at);
        if apart <= RESOLUTION {
            let at = |way: &[u32]| sample(self.sky, self.sites, b.at, way);
            self.found.push(Switch { before: at(&before)?, after: at(&after)? });
            return Ok(());
        }
        let half = Span::from_nanos(apart.nanos() / 2 / RESOLUTION.nanos() * RESOLUTION.nanos());
        let middle = Moment::at(self.sky, a.at + half.max(RESOLUTION), &a.serving, a.routes.clone())?;
        self.between(a, &middle)?;
        self.between(&middle, b)
    }
}
