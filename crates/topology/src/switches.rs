// SPDX-License-Identifier: MIT OR Apache-2.0
//! The times at which a path changes, to a millisecond.

use crate::moment::{Moment, Steps, between};
use crate::route::Tree;
use crate::serving::Serving;
use crate::sky::Sky;
use crate::trace::{PathSample, destination, sample};
use crate::{ConstellationSpec, Site, TopologyError};
use units::{Span, Time};

/// A change of the path.
#[derive(Clone, Debug, PartialEq)]
pub struct Switch {
    /// The path just before the change. In the first element, it equals [`Self::after`].
    pub before: PathSample,
    /// The new path. Its time is the time of the change, rounded up to a millisecond.
    pub after: PathSample,
}

/// Returns the path between two sites at zero, and every change of this path before `duration`. The path is computed
/// every `step`. If the paths of two consecutive steps differ, bisection finds the time of the change to a millisecond.
/// If a change is reversed within one step, it is not found.
///
/// # Errors
/// The errors of the constellation: see [`crate::constellation::build`]. A missing path is not an error here.
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
    let way = (0, sky.core());
    let mut now = Moment::at(&sky, Time::ZERO, &Serving::default(), vec![tree])?;
    let first = sample(&sky, &sites, now.at, &now.way(way))?;
    let mut found = vec![Switch { before: first.clone(), after: first }];
    let step = if step == Span::ZERO { Span::MAX } else { step };
    let mut steps = Steps::new(&sky, step);
    while let Some(at) = steps.after(now.at).filter(|at| at.since(Time::ZERO) < duration) {
        let next = Moment::at(&sky, at, &now.serving, now.routes.clone())?;
        between(&sky, &[way], &now, &next, &mut |before, after| {
            let at = |moment: &Moment| sample(&sky, &sites, after.at, &moment.way(way));
            found.push(Switch { before: at(before)?, after: at(after)? });
            Ok(())
        })?;
        now = next;
    }
    Ok(found)
}
