// SPDX-License-Identifier: MIT OR Apache-2.0
//! Passes: when satellites rise and set over a place.

mod behind;

use crate::sky::Sky;
use crate::view::Observer;
use crate::{ConstellationSpec, Site, TopologyError};
use units::{Angle, Span, Time};

/// Interval between examined times. The shortest LEO passes take minutes. Therefore the height of a satellite above the
/// bound has at most one extreme in an interval. The first and the last millisecond of the run are also examined: the
/// direction of motion there shows whether an extreme is within the run. Behind obstacles, the height may have more
/// extremes (see `behind`).
const STEP: Span = Span::from_secs(10);
/// Resolution of times.
const RESOLUTION: Span = Span::from_millis(1);

/// A pass of a satellite over a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Pass {
    /// Index of the satellite.
    pub satellite: u32,
    /// Name of the satellite.
    pub name: String,
    /// Time at which the satellite comes into view, to a millisecond; `None` if it is in view at the start.
    pub rise: Option<Time>,
    /// Time at which the satellite goes out of view, to a millisecond; `None` if it is in view at the end.
    pub set: Option<Time>,
    /// Highest elevation of the pass.
    pub highest: Angle,
    /// Time of the highest elevation.
    pub culmination: Time,
}

/// Returns the passes over a site from zero to `duration`, in the order in which they begin. The list includes passes
/// of a few seconds between two examined times.
///
/// # Errors
/// The errors of the constellation: see [`crate::constellation::build`]. [`TopologyError::NoDish`] for a site on fibre.
pub fn passes(spec: &ConstellationSpec, site: &Site, duration: Span) -> Result<Vec<Pass>, TopologyError> {
    let sites = [site.clone()];
    let sky = Sky::new(spec, &sites)?;
    let Some(observer) = sky.observer(0) else {
        return Err(TopologyError::NoDish { name: site.name.clone() });
    };
    let watch = Watch { sky: &sky, observer };
    let mut passes = if observer.obstacles().is_some() {
        behind::passes(&watch, Time::ZERO + duration)?
    } else {
        in_the_open(&watch, duration)?
    };
    passes.sort_by_key(|pass| (pass.rise, pass.satellite));
    Ok(passes)
}

/// Returns the passes over a place without obstacles.
fn in_the_open(watch: &Watch<'_>, duration: Span) -> Result<Vec<Pass>, TopologyError> {
    let Watch { sky, observer } = watch;
    let count = sky.satellites() as usize;
    let mut passes = Vec::new();
    let mut positions = Vec::new();
    // Clearance at the last examined time, and at the time before it.
    let (mut last, mut before) = (vec![f64::INFINITY; count], vec![f64::INFINITY; count]);
    // For each satellite in view, the start of its pass.
    let mut up: Vec<Option<Option<Time>>> = vec![None; count];
    let end = Time::ZERO + duration;
    let near_end = Time::ZERO + duration.saturating_sub(RESOLUTION);
    // This examined time, the last examined time, and the time before it.
    let (mut at, mut earlier, mut from) = (Time::ZERO, Time::ZERO, Time::ZERO);
    loop {
        sky.positions(at, &mut positions)?;
        for (satellite, &position) in positions.iter().enumerate() {
            let clearance = observer.clearance(position);
            let index = satellite as u32;
            if at == Time::ZERO {
                up[satellite] = (clearance >= 0.0).then_some(None);
            } else if let Some(rise) = up[satellite].filter(|_| clearance < 0.0) {
                let set = watch.crossing(index, earlier, at)?;
                passes.push(watch.pass(index, rise, Some(set), set)?);
                up[satellite] = None;
            } else if up[satellite].is_none() && clearance >= 0.0 {
                up[satellite] = Some(Some(watch.crossing(index, earlier, at)?));
            } else if clearance < 0.0 && last[satellite] < 0.0 {
                let (low, high) = (before[satellite], last[satellite]);
                // The clearance may exceed the bound between two examined times at which it is below the bound.
                if high > low && high >= clearance {
                    let (peak, top) = watch.peak(index, from, at, |p| observer.clearance(p))?;
                    if top >= 0.0 {
                        let rise = watch.crossing(index, from, peak)?;
                        let set = watch.crossing(index, peak, at)?;
                        passes.push(watch.pass(index, Some(rise), Some(set), set)?);
                    }
                }
            }
            before[satellite] = std::mem::replace(&mut last[satellite], clearance);
        }
        if at >= end {
            break;
        }
        from = std::mem::replace(&mut earlier, at);
        let next = at + if at == Time::ZERO { RESOLUTION } else { STEP };
        at = if at < near_end { next.min(near_end) } else { end };
    }
    for (satellite, rise) in up.into_iter().enumerate() {
        if let Some(rise) = rise {
            passes.push(watch.pass(satellite as u32, rise, None, at)?);
        }
    }
    Ok(passes)
}

struct Watch<'a> {
    sky: &'a Sky,
    observer: &'a Observer,
}

impl Watch<'_> {
    fn is_up(&self, satellite: u32, at: Time) -> Result<bool, TopologyError> {
        Ok(self.observer.clearance(self.sky.position(satellite, at)?) >= 0.0)
    }

    /// Returns the time between `a` and `b` at which the satellite crosses the bound. The satellite must be above the
    /// bound at one of the two times, and below it at the other.
    fn crossing(&self, satellite: u32, mut a: Time, mut b: Time) -> Result<Time, TopologyError> {
        let up = self.is_up(satellite, a)?;
        while b.since(a) > RESOLUTION {
            let middle = a + Span::from_nanos(b.since(a).nanos() / 2);
            if self.is_up(satellite, middle)? == up { a = middle } else { b = middle }
        }
        Ok(b)
    }

    /// Returns the time and the value of the maximum of `height` between two times. There must be only one maximum.
    fn peak(
        &self,
        satellite: u32,
        mut a: Time,
        mut b: Time,
        height: impl Fn([f64; 3]) -> f64,
    ) -> Result<(Time, f64), TopologyError> {
        let height = |at| Ok::<_, TopologyError>(height(self.sky.position(satellite, at)?));
        while b.since(a) > RESOLUTION {
            let third = Span::from_nanos(b.since(a).nanos() / 3);
            let (one, other) = (a + third, a + third * 2);
            if height(one)? < height(other)? { a = one } else { b = other }
        }
        Ok((a, height(a)?))
    }

    fn pass(
        &self,
        satellite: u32,
        rise: Option<Time>,
        set: Option<Time>,
        end: Time,
    ) -> Result<Pass, TopologyError> {
        let begin = rise.unwrap_or(Time::ZERO);
        let sine = |position| self.observer.ground.look(position).1;
        // A satellite in a high orbit can culminate more than once. Therefore the search covers the interval around the
        // highest examined time.
        let mut best = (begin, f64::NEG_INFINITY);
        let mut at = begin;
        while at <= end {
            let height = sine(self.sky.position(satellite, at)?);
            if height > best.1 {
                best = (at, height);
            }
            at += STEP;
        }
        let from = (Time::ZERO + best.0.since(Time::ZERO).saturating_sub(STEP)).max(begin);
        let (culmination, height) = self.peak(satellite, from, (best.0 + STEP).min(end), sine)?;
        Ok(Pass {
            satellite,
            name: self.sky.name(satellite),
            rise,
            set,
            highest: Angle::from_deg(height.clamp(-1.0, 1.0).asin().to_degrees()),
            culmination,
        })
    }
}
