// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which of the satellites in view a site uses.

use crate::TopologyError;
use crate::sky::{Frame, Sky};
use crate::spec::{Policy, Slot};
use crate::view::Sighting;
use units::{Span, Time};

/// How far ahead, and how finely, it is looked for the satellite that stays longest.
const HORIZON: Span = Span::from_secs(3600);
const LOOK_STEP: Span = Span::from_secs(5);

/// What each site uses at the moment. Cloned to try what a later moment would bring.
#[derive(Clone, Debug, Default)]
pub(crate) struct Serving {
    /// By site.
    chosen: Vec<Option<u32>>,
    /// Boundary of the last choice.
    boundary: Option<Time>,
}

impl Slot {
    /// The last boundary up to `at`; the start of the run before the first.
    fn last(self, at: Time) -> Time {
        let first = self.phase.nanos() % self.period.nanos();
        match at.nanos().checked_sub(first) {
            Some(since) => Time::from_nanos(first + since / self.period.nanos() * self.period.nanos()),
            None => Time::ZERO,
        }
    }

    /// The first boundary after `at`.
    pub(crate) fn next(self, at: Time) -> Time {
        let first = Time::from_nanos(self.phase.nanos() % self.period.nanos());
        if at < first { first } else { self.last(at) + self.period }
    }
}

impl Serving {
    /// Leaves each site of `frame`, which shows the sky at `at`, with the satellite it uses. What is chosen at a
    /// boundary of a slot follows from the sky at that boundary, whenever it is looked.
    pub fn apply(&mut self, sky: &Sky<'_>, at: Time, frame: &mut Frame) -> Result<(), TopologyError> {
        let choice = sky.spec.choice;
        if choice.policy == Policy::LowestDelay && sky.slot.is_none() {
            return Ok(());
        }
        self.chosen.resize(frame.sites(), None);
        let boundary = sky.slot.map(|slot| slot.last(at));
        let begins = boundary.is_some() && boundary != self.boundary;
        if let Some(then) = boundary.filter(|&then| begins && then < at) {
            let mut sky_then = Frame::default();
            sky.look(then, &mut sky_then)?;
            self.assign(sky, then, &sky_then, true)?;
        }
        self.boundary = boundary;
        // Between boundaries a satellite is kept until it sets. Without slots the highest and the nearest are looked for
        // at every moment; the one that stays longest would not be left for another before it sets.
        let free = boundary.map_or(choice.policy != Policy::LongestVisible, |then| begins && then == at);
        self.assign(sky, at, frame, free)?;
        for (site, &chosen) in self.chosen.iter().enumerate() {
            if sky.observer(site).is_some() {
                frame.serve(site, chosen);
            }
        }
        Ok(())
    }

    /// Chooses for each site that has no satellite (any more), or is `free` to leave it.
    fn assign(&mut self, sky: &Sky<'_>, at: Time, frame: &Frame, free: bool) -> Result<(), TopologyError> {
        for site in (0..frame.sites()).filter(|&site| sky.observer(site).is_some()) {
            let sightings = &frame.sightings[site];
            let current = self.chosen[site]
                .and_then(|chosen| sightings.iter().find(|seen| seen.satellite == chosen).copied());
            self.chosen[site] = match current {
                Some(current) if !free => Some(current.satellite),
                current => Self::choose(sky, at, site, sightings, current)?,
            };
        }
        Ok(())
    }

    fn choose(
        sky: &Sky<'_>,
        at: Time,
        site: usize,
        sightings: &[Sighting],
        current: Option<Sighting>,
    ) -> Result<Option<u32>, TopologyError> {
        let choice = sky.spec.choice;
        // Of equals the lower index.
        let best = match choice.policy {
            Policy::HighestElevation => max_by(sightings, |seen| seen.sine),
            // One satellite for all paths: the nearest is the one that adds the least delay.
            Policy::LowestDelay | Policy::Nearest => max_by(sightings, |seen| -seen.range_m),
            Policy::LongestVisible => {
                let mut lasting = Vec::with_capacity(sightings.len());
                for seen in sightings {
                    lasting.push(remaining(sky, site, seen.satellite, at)?.secs_f64());
                }
                let longest = lasting.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                lasting.iter().position(|&secs| secs >= longest).map(|at| sightings[at])
            }
        };
        let (Some(best), Some(current)) = (best, current) else {
            return Ok(best.map(|best| best.satellite));
        };
        let degrees = |seen: Sighting| seen.sine.clamp(-1.0, 1.0).asin().to_degrees();
        let near = degrees(best) - degrees(current) <= choice.hysteresis.deg();
        let keep = choice.hysteresis.deg() > 0.0 && near;
        Ok(Some(if keep { current.satellite } else { best.satellite }))
    }
}

/// How long a satellite that is in view stays so, to [`LOOK_STEP`].
fn remaining(sky: &Sky<'_>, site: usize, satellite: u32, at: Time) -> Result<Span, TopologyError> {
    let Some(observer) = sky.observer(site) else { return Ok(Span::MAX) };
    let mut ahead = Span::ZERO;
    while ahead < HORIZON {
        let next = ahead + LOOK_STEP;
        if observer.clearance(sky.position(satellite, at + next)?) < 0.0 {
            return Ok(ahead);
        }
        ahead = next;
    }
    Ok(HORIZON)
}

fn max_by(sightings: &[Sighting], key: impl Fn(&Sighting) -> f64) -> Option<Sighting> {
    sightings.iter().copied().fold(None, |best: Option<Sighting>, seen| match best {
        Some(best) if key(&seen) <= key(&best) => Some(best),
        _ => Some(seen),
    })
}
