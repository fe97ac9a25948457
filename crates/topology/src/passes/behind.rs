// SPDX-License-Identifier: MIT OR Apache-2.0
//! Passes over a place behind obstacles, which may have gaps of any width.
//!
//! In an interval of time, a satellite moves only a limited distance, so it stays in a ball. If the whole ball is free,
//! or the whole ball is hidden, the visibility of the satellite does not change. Otherwise each half of the interval is
//! examined separately, until the interval is a millisecond.
//!
//! The cost depends on the number of edges that satellites come near to. Therefore many narrow obstacles need no
//! special treatment.

use super::{Pass, RESOLUTION, STEP, Watch};
use crate::TopologyError;
use units::{Span, Time};

/// Bound of a satellite's acceleration in Earth-fixed axes, in m/s2. It is the sum of mu / R^2 = 9.8 at the surface, 2
/// w v = 1.6 at 11 km/s, and w^2 r = 0.2 in the geostationary orbit, rounded up.
const MOST_M_S2: f64 = 12.0;
/// Smallest angle that is resolved, in radians. It corresponds to 0.04 m in the geostationary orbit and 0.5 mm in a low
/// orbit. Without this limit, the search would not end for a satellite that stays on the edge of a wall.
const SMALLEST_RAD: f64 = 1e-9;

/// A time, and the position of the satellite at that time.
type At = (Time, [f64; 3]);

/// Returns the passes from zero to `end`.
pub(super) fn passes(watch: &Watch<'_>, end: Time) -> Result<Vec<Pass>, TopologyError> {
    let (mut here, mut there) = (Vec::new(), Vec::new());
    watch.sky.positions(Time::ZERO, &mut here)?;
    let mut up: Vec<bool> = here.iter().map(|&position| watch.observer.clearance(position) >= 0.0).collect();
    let mut rises: Vec<Option<Time>> = vec![None; here.len()];
    let (mut passes, mut turns) = (Vec::new(), Vec::new());
    let mut at = Time::ZERO;
    while at < end {
        let next = (at + STEP).min(end);
        watch.sky.positions(next, &mut there)?;
        for (satellite, ends) in here.iter().zip(&there).enumerate() {
            let index = satellite as u32;
            turns.clear();
            turn(watch, index, [(at, *ends.0), (next, *ends.1)], up[satellite], &mut turns)?;
            for &moment in &turns {
                up[satellite] = !up[satellite];
                if up[satellite] {
                    rises[satellite] = Some(moment);
                } else {
                    let rise = rises[satellite];
                    passes.push(watch.pass(index, rise, Some(moment), moment)?);
                }
            }
        }
        std::mem::swap(&mut here, &mut there);
        at = next;
    }
    for (satellite, _) in up.iter().enumerate().filter(|(_, up)| **up) {
        passes.push(watch.pass(satellite as u32, rises[satellite], None, end)?);
    }
    Ok(passes)
}

/// Appends the times between two given times at which a satellite comes into view or goes out of view. `up` states
/// whether the satellite is in view at the first time. Returns whether the satellite is in view at the last time.
fn turn(
    watch: &Watch<'_>,
    satellite: u32,
    [(from, a), (to, b)]: [At; 2],
    up: bool,
    turns: &mut Vec<Time>,
) -> Result<bool, TopologyError> {
    let span = to.since(from);
    let seconds = span.secs_f64();
    // The distance of the satellite from the middle of the chord is at most half the chord plus the deviation from the
    // chord.
    let middle = [0, 1, 2].map(|i| f64::midpoint(a[i], b[i]));
    let chord = [0, 1, 2].map(|i| b[i] - a[i]);
    let reach_m = orbit::earth::norm(chord) / 2.0 + MOST_M_S2 * seconds * seconds / 8.0;
    let (range_m, _) = watch.observer.ground.look(middle);
    let known = watch.observer.surely(middle, reach_m);
    let now = match known {
        Some(known) => known,
        None if span <= RESOLUTION || reach_m < SMALLEST_RAD * range_m => watch.observer.clearance(b) >= 0.0,
        None => {
            let half = from + Span::from_nanos(span.nanos() / 2);
            let between = (half, watch.sky.position(satellite, half)?);
            let up = turn(watch, satellite, [(from, a), between], up, turns)?;
            return turn(watch, satellite, [between, (to, b)], up, turns);
        }
    };
    if now != up {
        turns.push(to);
    }
    Ok(now)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::sky::Sky;
    use crate::spec::{ConstellationSpec, Orbits, Shell, Visibility};
    use crate::{Mask, Site, presets};
    use orbit::Walker;
    use units::{Angle, Distance};

    fn lone(altitude_km: f64, inclination_deg: f64) -> ConstellationSpec {
        let walker = Walker::delta(1, 1, Distance::from_km(altitude_km), Angle::from_deg(inclination_deg));
        ConstellationSpec {
            shells: vec![Shell { name: "one".to_owned(), orbits: Orbits::Walker(walker) }],
            isl: None,
            visibility: Visibility::Elevation(Angle::from_deg(10.0)),
            ..presets::find("iridium").unwrap()
        }
    }

    fn yard() -> Site {
        Site {
            name: "yard".to_owned(),
            latitude: Angle::from_deg(48.0),
            longitude: Angle::from_deg(11.0),
            altitude: Distance::default(),
        }
    }

    /// Returns the times at which visibility changes, found by checking every 10 ms while the satellite is above the
    /// bound.
    fn by_looking(watch: &Watch<'_>, open: &[Pass], end: Time) -> Vec<Time> {
        let mut turns = Vec::new();
        for pass in open {
            let (mut at, mut up) = (pass.rise.unwrap_or(Time::ZERO), pass.rise.is_none());
            at = Time::from_nanos(at.nanos().saturating_sub(50_000_000) / 10_000_000 * 10_000_000);
            let last = pass.set.unwrap_or(end) + Span::from_millis(50);
            up &= watch.is_up(0, at).unwrap();
            while at <= last.min(end) {
                if watch.is_up(0, at).unwrap() != up {
                    up = !up;
                    turns.push(at);
                }
                at += Span::from_millis(10);
            }
        }
        turns
    }

    /// Obstacles: posts of 0.02 degrees every two degrees, slits of 0.02 degrees in a wall, and a skyline that the
    /// satellite grazes. Expected: the search finds every change that a check every 10 ms finds. Most intervals last
    /// less than a second.
    #[test]
    fn what_looking_every_ten_milliseconds_finds_is_found() {
        let comb = |low: f64, high: f64| {
            let post = |at: u32| {
                let deg = f64::from(at) * 2.0 + 0.5;
                [(deg, low), (deg, high), (deg + 0.02, high), (deg + 0.02, low)]
            };
            (0..180).flat_map(post).collect::<Vec<_>>()
        };
        let (mut short, mut all) = (0, 0);
        for (inclination, points, arc) in [
            (53.0, comb(0.0, 89.0), 0.0),
            (53.0, comb(89.0, 0.0), 0.0),
            (97.6, vec![(0.0, 10.0), (90.0, 70.0), (180.0, 20.0), (270.0, 45.0)], 12.0),
        ] {
            let open = lone(550.0, inclination);
            let end = Time::ZERO + Span::from_secs(3 * 3600);
            let masks = vec![("yard".to_owned(), Mask::new(points).unwrap())];
            let spec = ConstellationSpec { masks, gso_exclusion: Angle::from_deg(arc), ..open.clone() };
            let sites = [yard()];
            let sky = Sky::new(&spec, &sites).unwrap();
            let watch = Watch { sky: &sky, observer: sky.observer(0).unwrap() };
            let free = crate::passes::passes(&open, &sites[0], end.since(Time::ZERO)).unwrap();
            let wanted = by_looking(&watch, &free, end);
            let found = passes(&watch, end).unwrap();
            let mut turns: Vec<Time> =
                found.iter().flat_map(|pass| [pass.rise, pass.set]).flatten().collect();
            turns.sort_unstable();
            // Intervals that are shorter than 10 ms can be missed by the check every 10 ms.
            let gone: Vec<usize> = (1..turns.len())
                .filter(|&at| turns[at].since(turns[at - 1]) < Span::from_millis(10))
                .filter(|&at| !wanted.iter().any(|&one| (turns[at - 1]..turns[at]).contains(&one)))
                .collect();
            let kept: Vec<Time> = (0..turns.len())
                .filter(|at| !gone.contains(at) && !gone.contains(&(at + 1)))
                .map(|at| turns[at])
                .collect();
            assert_eq!(kept.len(), wanted.len(), "{inclination} {kept:?} {wanted:?}");
            for (found, wanted) in kept.iter().zip(&wanted) {
                // The search finds a change at most a millisecond late. The check sees a change up to 10 ms late.
                let late_ms = (found.nanos() as f64 - wanted.nanos() as f64) / 1e6;
                assert!((-10.0..=1.0).contains(&late_ms), "{found} {wanted}");
            }
            all += turns.len();
            short += turns.windows(2).filter(|pair| pair[1].since(pair[0]) < Span::from_secs(1)).count();
        }
        assert!(short > 100, "{short} of {all}");
    }

    /// The search must end for a geostationary satellite exactly on the edge of a wall.
    #[test]
    fn what_stands_still_on_an_edge_has_few_passes() {
        let mut spec = presets::find("geo").unwrap();
        let sites = [yard()];
        let sky = Sky::new(&spec, &sites).unwrap();
        let place = sky.position(4, Time::ZERO).unwrap();
        let ground = sky.observer(0).unwrap().ground;
        let edge = ground.elevation(place).deg();
        drop(sky);
        spec.masks = vec![("yard".to_owned(), Mask::new(vec![(0.0, edge)]).unwrap())];
        let sky = Sky::new(&spec, &sites).unwrap();
        let watch = Watch { sky: &sky, observer: sky.observer(0).unwrap() };
        assert!(passes(&watch, Time::ZERO + Span::from_secs(3600)).unwrap().len() < 20);
    }
}
