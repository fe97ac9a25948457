// SPDX-License-Identifier: MIT OR Apache-2.0
//! Outages after handovers: the link to the new satellite carries nothing for some time.

use crate::network::Path;
use crate::spec::During;
use link::{Course, LinkSpec, Piece, RateSchedule, Service};
use std::collections::{BTreeMap, BTreeSet};
use units::{Rate, Span, Time};

/// Rate of an ideal link that has pauses. This rate exceeds the rate of any link in a scenario, and a schedule can
/// represent it.
const IDEAL: Rate = Rate::from_bits_per_s(1_000_000_000_000);

/// Outages of the links to which paths were switched.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outages {
    /// Outages of each link, as disjoint intervals in order of time.
    of: BTreeMap<u32, Vec<(Time, Time)>>,
    /// Links that got an outage since the last call of [`Self::take_changed`].
    changed: BTreeSet<u32>,
    /// Links that ever had an outage.
    ever: BTreeSet<u32>,
}

impl Outages {
    /// Records the handovers of all `paths` that have a new piece at `at`. Calls must be in order of time.
    pub fn switch(&mut self, paths: &[Path], at: Time, outage: Span) {
        if outage == Span::ZERO {
            return;
        }
        for path in paths {
            let [.., before, after] = path.pieces.as_slice() else { continue };
            if after.from != at {
                continue;
            }
            // The links at the two ends. If the path was interrupted before, the new path is not a handover.
            let (before, after) = (&before.links, &after.links);
            for (old, new) in [(before.first(), after.first()), (before.last(), after.last())] {
                if let (Some(old), Some(&new)) = (old, new)
                    && *old != new
                    && !in_use(paths, new, at)
                {
                    self.interrupt(new, at, at + outage);
                }
            }
        }
    }

    fn interrupt(&mut self, link: u32, from: Time, to: Time) {
        let outages = self.of.entry(link).or_default();
        match outages.last_mut() {
            Some((_, end)) if from <= *end => *end = to.max(*end),
            _ => outages.push((from, to)),
        }
        self.changed.insert(link);
        self.ever.insert(link);
    }

    /// Forgets the outages that ended before `since`.
    pub fn forget(&mut self, since: Time) {
        self.of.retain(|_, outages| {
            outages.retain(|&(_, to)| to >= since);
            !outages.is_empty()
        });
    }

    /// Returns the outages of a link.
    pub fn of(&self, link: u32) -> &[(Time, Time)] {
        self.of.get(&link).map_or(&[], Vec::as_slice)
    }

    /// Returns the links that ever had an outage.
    pub fn ever(&self) -> &BTreeSet<u32> {
        &self.ever
    }

    /// Returns the links that got an outage since the last call.
    pub fn take_changed(&mut self) -> BTreeSet<u32> {
        std::mem::take(&mut self.changed)
    }
}

/// Returns whether a path uses a link just before `at`. The antennas of such a link are already pointed and locked.
fn in_use(paths: &[Path], link: u32, at: Time) -> bool {
    let before = Time::from_nanos(at.nanos().saturating_sub(1));
    paths.iter().any(|path| path.piece(before).links.contains(&link))
}

/// Returns the course of a link with these outages, which must be disjoint and in order of time.
pub fn course(outages: &[(Time, Time)], spec: &LinkSpec, during: During) -> Course {
    let course = spec.course().unwrap_or_default();
    match during {
        During::Hold => hold(course, spec.rate.unwrap_or(IDEAL).min(IDEAL), outages),
        During::Lose => lose(course, outages),
    }
}

/// Adds outages during which nothing leaves the link. Packets wait in the queue.
fn hold(course: Course, rate: Rate, outages: &[(Time, Time)]) -> Course {
    let steady = || match RateSchedule::new(vec![Piece::constant(Time::ZERO, rate)]) {
        Ok(schedule) => Service::Schedule(schedule),
        Err(error) => unreachable!("one rate from the start on: {error}"),
    };
    let service = course.service.unwrap_or_else(steady);
    Course { service: Some(service.with_pauses(outages)), ..course }
}

/// Adds outages during which everything that leaves the link is lost. Packets that leave after the end of the link are
/// also lost.
fn lose(course: Course, outages: &[(Time, Time)]) -> Course {
    let stop = course.cut.first().map_or(Time::MAX, |&(at, _)| at);
    let before =
        outages.iter().flat_map(|&(from, to)| [(from, true), (to, false)]).filter(|cut| cut.0 < stop);
    let cut = before.chain(course.cut.iter().copied()).collect();
    Course { cut, ..course }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secs(secs: u64) -> Time {
        Time::ZERO + Span::from_secs(secs)
    }

    #[test]
    fn outages_that_touch_are_one_and_what_is_over_is_forgotten() {
        let mut outages = Outages::default();
        for (from, to) in [(0, 3), (0, 3), (2, 5), (5, 6), (9, 10)] {
            outages.interrupt(7, secs(from), secs(to));
        }
        assert_eq!(outages.take_changed().into_iter().collect::<Vec<_>>(), [7]);
        assert!(outages.take_changed().is_empty());
        // An outage that has begun but not ended is kept as a whole.
        outages.forget(secs(6));
        assert_eq!(outages.of(7), [(secs(0), secs(6)), (secs(9), secs(10))]);
        outages.forget(secs(7));
        assert_eq!(outages.of(7), [(secs(9), secs(10))]);
        outages.forget(secs(11));
        assert_eq!((outages.of(7), outages.of.len()), (&[][..], 0));
        // If a link may have outages but has none, its rate does not change.
        let rate = Rate::from_bits_per_s(1000);
        let steady = RateSchedule::new(vec![Piece::constant(Time::ZERO, rate)]).map(Service::Schedule);
        let spec = LinkSpec { rate: Some(rate), ..LinkSpec::IDEAL };
        assert_eq!(course(&[], &spec, During::Hold).service, steady.ok());
        assert!(course(&[], &spec, During::Lose).cut.is_empty());
    }
}
