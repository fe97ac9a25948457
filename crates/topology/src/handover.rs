// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a switch from one satellite to another costs: the new link carries nothing for a while.

use crate::network::{LinkPlan, Path};
use crate::spec::{During, Handover};
use link::{Course, Piece, RateSchedule, Service};
use std::collections::BTreeMap;
use std::sync::Arc;
use units::{Rate, Time};

/// Rate of an ideal wire that has to pause: more than any link of a scenario, and within what a schedule can count.
const IDEAL: Rate = Rate::from_bits_per_s(1_000_000_000_000);

/// Puts the outages of all switches on `paths` into the links that are switched to.
pub(crate) fn interrupt(links: &mut [LinkPlan], paths: &[Path], handover: Handover) {
    let mut outages: BTreeMap<u32, Vec<(Time, Time)>> = BTreeMap::new();
    for path in paths {
        for pieces in path.pieces.windows(2) {
            let (before, after) = (&pieces[0].links, &pieces[1].links);
            // The links of the two ends; a path that was broken is found again, not switched.
            let ends = [(before.first(), after.first()), (before.last(), after.last())];
            for (old, new) in ends {
                if let (Some(old), Some(&new)) = (old, new)
                    && *old != new
                    && !in_use(paths, new, pieces[1].from)
                {
                    let from = pieces[1].from;
                    outages.entry(new).or_default().push((from, from + handover.outage));
                }
            }
        }
    }
    for (link, mut times) in outages {
        times.sort_unstable();
        let mut merged: Vec<(Time, Time)> = Vec::new();
        for (from, to) in times {
            match merged.last_mut() {
                Some((_, end)) if from <= *end => *end = to.max(*end),
                _ => merged.push((from, to)),
            }
        }
        let config = &mut links[link as usize].config;
        config.course = Some(Arc::new(match handover.during {
            During::Hold => hold(config.spec.rate.unwrap_or(IDEAL).min(IDEAL), &merged),
            During::Lose => lose(&merged),
        }));
    }
}

/// Whether some path leads over a link just before a moment: then it is pointed and locked already.
fn in_use(paths: &[Path], link: u32, at: Time) -> bool {
    let before = Time::from_nanos(at.nanos().saturating_sub(1));
    paths.iter().any(|path| path.piece(before).links.contains(&link))
}

/// Nothing leaves meanwhile; what waits stays in the queue.
fn hold(rate: Rate, outages: &[(Time, Time)]) -> Course {
    let mut pieces = Vec::new();
    if outages.first().is_none_or(|&(from, _)| from > Time::ZERO) {
        pieces.push(Piece::constant(Time::ZERO, rate));
    }
    for &(from, to) in outages {
        pieces.push(Piece::constant(from, Rate::from_bits_per_s(0)));
        pieces.push(Piece::constant(to, rate));
    }
    let schedule = RateSchedule::new(pieces);
    let schedule = schedule.unwrap_or_else(|error| unreachable!("outages are in order and end: {error}"));
    Course { service: Some(Service::Schedule(schedule)), ..Course::default() }
}

/// What leaves meanwhile is lost.
fn lose(outages: &[(Time, Time)]) -> Course {
    let cut = outages.iter().flat_map(|&(from, to)| [(from, true), (to, false)]).collect();
    Course { cut, ..Course::default() }
}
