// SPDX-License-Identifier: MIT OR Apache-2.0
//! Data of links whose rate or loss is computed by other modules. These modules use recordings, or the position of the
//! satellite.

use crate::sky::{Frame, Sky};
use link::LinkSpec;
use link::sight::{Axis, SightRate};
use orbit::earth::distance_m;
use units::{Angle, Time};

/// Kinds of links of a constellation that may have a varying rate or loss.
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

/// Data of one link in the computed part of the network.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkGeometry {
    /// Kind of the link.
    pub medium: Medium,
    /// Disjoint intervals, in order of time, in which the link carries nothing after a handover to it.
    pub outages: Vec<(Time, Time)>,
    /// Name, latitude and longitude of the link's end on the ground.
    pub ground: Option<(String, Angle, Angle)>,
    /// Relative positions of the link's ends, at each step at which the link existed. Empty if the positions are not
    /// needed.
    pub looks: Vec<LookAngles>,
}

/// Relative position of a link's ends at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAngles {
    /// Time.
    pub at: Time,
    /// Whether the link did not exist before this time.
    pub first: bool,
    /// Elevation of the satellite, in degrees; NaN between satellites.
    pub elevation_deg: f64,
    /// Distance between the ends, in metres.
    pub range_m: f64,
}

impl LookAngles {
    /// Computes the relative position of two nodes at a time.
    pub(crate) fn at(sky: &Sky, frame: &Frame, at: Time, first: bool, from: u32, to: u32) -> Self {
        let (satellite, other) = (from.min(to), from.max(to));
        let position = frame.positions[satellite as usize];
        let (range_m, sine) = match sky.ground(other) {
            Some(ground) => ground.look(position),
            None => (distance_m(position, frame.positions[other as usize]), f64::NAN),
        };
        Self { at, first, elevation_deg: sine.clamp(-1.0, 1.0).asin().to_degrees(), range_m }
    }

    /// Returns the elevation or the range, depending on the axis of a table.
    pub fn on(&self, axis: Axis) -> f64 {
        match axis {
            Axis::Elevation => self.elevation_deg,
            Axis::Range => self.range_m,
        }
    }
}

/// Returns whether other modules compute the rate or the loss of links with this spec.
pub(crate) fn is_found_elsewhere(spec: &LinkSpec) -> bool {
    spec.changes.as_ref().is_some_and(|changes| changes.recorded.is_some() || changes.sight.is_some())
}

/// Returns whether data from the beginning of the current pass are needed, because a modem continues from its earlier
/// state.
pub(crate) fn continues(spec: &LinkSpec) -> bool {
    let sight = spec.changes.as_ref().and_then(|changes| changes.sight.as_ref());
    sight.is_some_and(|sight| sight.rate == Some(SightRate::Budget))
}

/// Returns whether the rate or the loss depends on the positions of the ends.
pub(crate) fn follows_sight(spec: &LinkSpec) -> bool {
    spec.changes.as_ref().is_some_and(|changes| changes.sight.is_some())
}
