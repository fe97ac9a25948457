// SPDX-License-Identifier: MIT OR Apache-2.0
//! Walker shells: circular orbits in evenly spaced planes.
//!
//! The orbit is Keplerian on a circle of radius [`EQUATORIAL_RADIUS_M`] + altitude: no precession, no drag. At time
//! zero the Earth-fixed and the inertial frame agree, plane 0 has its ascending node at longitude zero, and
//! satellite 0 of plane 0 stands in it, going north.

use crate::earth::{EQUATORIAL_RADIUS_M, ROTATION_RAD_S, turn};
use std::f64::consts::TAU;
use units::{Angle, Distance, Span, Time};

/// Gravitational parameter of the Earth, m^3/s^2 (WGS84 / EGM96).
pub const MU_M3_S2: f64 = 3.986_004_418e14;

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

impl Walker {
    /// How many satellites.
    pub const fn len(&self) -> usize {
        self.planes as usize * self.per_plane as usize
    }

    /// True of a shell without satellites.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Radius of the orbits, metres.
    pub fn radius_m(&self) -> f64 {
        EQUATORIAL_RADIUS_M + self.altitude.m()
    }

    /// Time of one revolution against the stars: 2 pi sqrt(a^3/mu).
    pub fn period(&self) -> Span {
        Span::from_secs_f64(TAU / self.mean_motion_rad_s())
    }

    fn mean_motion_rad_s(&self) -> f64 {
        (MU_M3_S2 / self.radius_m().powi(3)).sqrt()
    }

    /// Ascending node of a plane at time zero.
    pub fn ascending_node(&self, plane: u32) -> Angle {
        let step = match self.pattern {
            WalkerPattern::Delta => 360.0 / f64::from(self.planes),
            WalkerPattern::Star { spacing } => spacing.deg(),
        };
        Angle::from_deg(f64::from(plane) * step)
    }

    /// Argument of latitude of a satellite at time zero: how far it stands past its ascending node.
    pub fn argument_of_latitude(&self, plane: u32, slot: u32) -> Angle {
        let slot_deg = 360.0 / f64::from(self.per_plane);
        let ahead = if self.alternate_half_slot {
            f64::from(plane % 2) * slot_deg / 2.0
        } else {
            f64::from(plane) * self.phase.deg()
        };
        Angle::from_deg(f64::from(slot) * slot_deg + ahead)
    }

    /// Earth-fixed position of satellite `index` (plane by plane), metres.
    pub fn position(&self, index: usize, at: Time) -> [f64; 3] {
        let (plane, slot) = (index as u32 / self.per_plane, index as u32 % self.per_plane);
        let t = at.secs_f64();
        let a = self.radius_m();
        let u = self.argument_of_latitude(plane, slot).rad() + self.mean_motion_rad_s() * t;
        let (sin_u, cos_u) = u.sin_cos();
        let (sin_i, cos_i) = self.inclination.rad().sin_cos();
        let in_plane = [a * cos_u, a * sin_u * cos_i, a * sin_u * sin_i];
        // The Earth turns under the node.
        turn(in_plane, ROTATION_RAD_S * t - self.ascending_node(plane).rad())
    }
}
