// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which of the satellites in view a site uses.

use crate::TopologyError;
use crate::sky::{Frame, Sky};
use crate::spec::Policy;
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
    /// Slot of the last choice.
    slot: Option<u64>,
}

impl Serving {
    /// Leaves each site of `frame`, which shows the sky at `at`, with the satellite it uses.
    pub fn apply(&mut self, sky: &Sky<'_>, at: Time, frame: &mut Frame) -> Result<(), TopologyError> {
        let access = sky.spec.access;
        if access.policy == Policy::LowestDelay && access.slot.is_none() {
            return Ok(());
        }
        let slot = access.slot.map(|slot| {
            let phase = slot.phase.nanos() % slot.period.nanos();
            (at.nanos() + slot.period.nanos() - phase) / slot.period.nanos()
        });
        let boundary = slot != self.slot || self.chosen.is_empty();
        self.slot = slot;
        self.chosen.resize(frame.sites(), None);
        for site in 0..frame.sites() {
            if sky.observer(site).is_none() {
                continue;
            }
            let sightings = std::mem::take(&mut frame.sightings[site]);
            let current = self.chosen[site]
                .and_then(|chosen| sightings.iter().find(|seen| seen.satellite == chosen).copied());
            // Between boundaries a satellite is kept until it sets. Without slots the highest and the nearest are
            // looked for at every moment; the one that stays longest would not be left for another before it sets.
            let free = access.slot.map_or(access.policy != Policy::LongestVisible, |_| boundary);
            self.chosen[site] = match current {
                Some(current) if !free => Some(current.satellite),
                current => Self::choose(sky, at, site, &sightings, current)?,
            };
            frame.serve(site, self.chosen[site]);
            frame.sightings[site] = sightings;
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
        let access = sky.spec.access;
        // Of equals the lower index.
        let best = match access.policy {
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
        let near = degrees(best) - degrees(current) <= access.hysteresis.deg();
        let keep = access.hysteresis.deg() > 0.0 && near;
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
