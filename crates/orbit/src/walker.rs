// SPDX-License-Identifier: MIT OR Apache-2.0
//! Walker shells: circular orbits in evenly spaced planes.

use units::{Angle, Distance};

/// How the planes stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WalkerPattern {
    /// Ascending nodes spread over 360 degrees.
    Delta,
    /// Ascending nodes spread over about 180 degrees, this far apart; a counter-rotating seam is left between the
    /// last plane and the first.
    Star {
        /// Angle between the ascending nodes of neighbouring planes.
        spacing: Angle,
    },
}

/// A shell of satellites on circular orbits.
#[derive(Clone, Debug, PartialEq)]
pub struct Walker {
    /// Orbital planes.
    pub planes: u32,
    /// Satellites in each plane.
    pub per_plane: u32,
    /// Height above the equatorial radius.
    pub altitude: Distance,
    /// Inclination.
    pub inclination: Angle,
    /// Star or delta.
    pub pattern: WalkerPattern,
    /// How far a plane's satellites run ahead of the plane before it (in argument of latitude). For a Walker delta
    /// `T/P/F` this is `F * 360 / T` degrees.
    pub phase: Angle,
    /// Odd planes run half a slot ahead and `phase` is ignored (as ns-2's Iridium and Hypatia lay shells out).
    pub alternate_half_slot: bool,
}
