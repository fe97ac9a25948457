// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the network knows of links whose rate or loss somebody else finds: from recordings.

use link::LinkSpec;
use units::Time;

/// Kinds of links of a constellation that may vary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    /// From a site to a satellite.
    Up,
    /// From a satellite to a site.
    Down,
    /// Between a satellite and a gateway.
    Feeder,
    /// Between satellites.
    Isl,
}

impl Medium {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Feeder, Self::Isl];
}

/// Of one link, as far as it is laid out.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// What it is.
    pub medium: Medium,
    /// From when until when it carries nothing because a path was switched to it, in order and apart.
    pub outages: Vec<(Time, Time)>,
}

/// Whether somebody else finds the rate or the loss of links with this spec.
pub(crate) fn is_found_elsewhere(spec: &LinkSpec) -> bool {
    spec.changes.as_ref().is_some_and(|changes| changes.recorded.is_some())
}
