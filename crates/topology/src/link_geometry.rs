// SPDX-License-Identifier: MIT OR Apache-2.0
//! Data of links whose rate or loss other modules compute: from recordings, or from the satellite's position.

use crate::sky::{Frame, Sky};
use link::LinkSpec;
use link::sight::{Axis, SightRate};
use orbit::earth::distance_m;
use units::{Angle, Time};

/// Kinds of links of a constellation that may vary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    /// From a site to a satellite.
    Up,
    /// From a satellite to a site.
    Down,
    /// From a gateway to a satellite.
    FeederUp,
    /// From a satellite to a gateway.
    FeederDown,
    /// Between satellites.
    Isl,
}

/// Data of one link, as far as it is laid out.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkGeometry {
    /// Kind of link.
    pub medium: Medium,
    /// Intervals in which it carries nothing because a path was switched to it, in order and disjoint.
    pub outages: Vec<(Time, Time)>,
    /// Name, latitude and longitude of its end on the ground.
    pub ground: Option<(String, Angle, Angle)>,
    /// Relative positions of its ends at each step at which it existed, if they matter.
    pub looks: Vec<LookAngles>,
}

/// Relative position of a link's ends at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAngles {
    /// When.
    pub at: Time,
    /// Whether it did not exist before.
    pub first: bool,
    /// Elevation of the satellite, degrees; NaN between satellites.
    pub elevation_deg: f64,
    /// Their distance, metres.
    pub range_m: f64,
}

impl LookAngles {
    /// Between two nodes, the satellite first if one is on the ground.
    pub(crate) fn at(sky: &Sky, frame: &Frame, at: Time, first: bool, from: u32, to: u32) -> Self {
        let (satellite, other) = (from.min(to), from.max(to));
        let position = frame.positions[satellite as usize];
        let (range_m, sine) = match sky.ground(other) {
            Some(ground) => ground.look(position),
            None => (distance_m(position, frame.positions[other as usize]), f64::NAN),
        };
        Self { at, first, elevation_deg: sine.clamp(-1.0, 1.0).asin().to_degrees(), range_m }
    }

    /// Its value on an axis of a table.
    pub fn on(&self, axis: Axis) -> f64 {
        match axis {
            Axis::Elevation => self.elevation_deg,
            Axis::Range => self.range_m,
        }
    }
}

/// Whether other modules compute the rate or the loss of links with this spec.
pub(crate) fn is_found_elsewhere(spec: &LinkSpec) -> bool {
    spec.changes.as_ref().is_some_and(|changes| changes.recorded.is_some() || changes.sight.is_some())
}

/// Whether data of a pass before now matter: a modem continues from its state.
pub(crate) fn continues(spec: &LinkSpec) -> bool {
    let sight = spec.changes.as_ref().and_then(|changes| changes.sight.as_ref());
    sight.is_some_and(|sight| sight.rate == Some(SightRate::Budget))
}

/// Whether they follow the positions of the ends.
pub(crate) fn follows_sight(spec: &LinkSpec) -> bool {
    spec.changes.as_ref().is_some_and(|changes| changes.sight.is_some())
}
