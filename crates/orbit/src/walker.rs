// SPDX-License-Identifier: MIT OR Apache-2.0
//! Walker shells: circular orbits in evenly spaced planes.
//!
//! The orbit is Keplerian on a circle of radius [`EQUATORIAL_RADIUS_M`] + altitude: no precession, no drag. At time
//! zero the Earth-fixed and the inertial frame agree, plane 0 has its ascending node at longitude zero, and
//! satellite 0 of plane 0 stands in it, going north.

use crate::earth::{EQUATORIAL_RADIUS_M, ROTATION_RAD_S, turning};
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
    /// Longitude of the ascending node of plane 0 at time zero.
    pub first_node: Angle,
    /// How far a plane's satellites run ahead of the plane before it (in argument of latitude). For a Walker delta
    /// `T/P/F` this is `F * 360 / T` degrees.
    pub phase: Angle,
    /// Odd planes run half a slot ahead and `phase` is ignored (as ns-2's Iridium and Hypatia lay shells out).
    pub alternate_half_slot: bool,
}

impl Walker {
    /// A delta whose planes do not run ahead of each other, the first of them at longitude 0.
    pub fn delta(planes: u32, per_plane: u32, altitude: Distance, inclination: Angle) -> Self {
        Self {
            planes,
            per_plane,
            altitude,
            inclination,
            pattern: WalkerPattern::Delta,
            first_node: Angle::default(),
            phase: Angle::default(),
            alternate_half_slot: false,
        }
    }

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

    /// Semi-major axis of a mean motion in revolutions per day, metres: a^3 = mu / n^2.
    pub fn axis_m(mean_motion_rev_day: f64) -> f64 {
        let n = mean_motion_rev_day * TAU / 86_400.0;
        (MU_M3_S2 / (n * n)).cbrt()
    }

    /// Height over the equatorial radius of a circular orbit of a mean motion in revolutions per day.
    pub fn altitude_of(mean_motion_rev_day: f64) -> Distance {
        Distance::from_m(Self::axis_m(mean_motion_rev_day) - EQUATORIAL_RADIUS_M)
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
        Angle::from_deg(self.first_node.deg() + f64::from(plane) * step)
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

    /// Name of satellite `index`: "plane/slot", both from 1.
    pub fn name(&self, index: usize) -> String {
        let per_plane = self.per_plane as usize;
        format!("{}/{}", index / per_plane + 1, index % per_plane + 1)
    }

    /// Earth-fixed position of satellite `index` (plane by plane), metres.
    pub fn position(&self, index: usize, at: Time) -> [f64; 3] {
        let (plane, slot) = (index as u32 / self.per_plane, index as u32 % self.per_plane);
        let (sin, cos) = self.slot(slot);
        self.ring(plane, at).position(sin, cos)
    }

    /// Earth-fixed position and velocity of satellite `index`, metres and m/s.
    pub fn state(&self, index: usize, at: Time) -> ([f64; 3], [f64; 3]) {
        let (plane, slot) = (index as u32 / self.per_plane, index as u32 % self.per_plane);
        let (ring, (sin, cos)) = (self.ring(plane, at), self.slot(slot));
        let position = ring.position(sin, cos);
        // A quarter of a revolution ahead, at the mean motion.
        let n = self.mean_motion_rad_s();
        let velocity = ring.position(cos, -sin).map(|m| m * n);
        (position, turning(position, velocity, ROTATION_RAD_S))
    }

    /// Appends the Earth-fixed positions of all satellites, metres. Trigonometry is done once for each plane and once
    /// for each slot.
    pub fn positions(&self, at: Time, positions: &mut Vec<[f64; 3]>) {
        let slots: Vec<(f64, f64)> = (0..self.per_plane).map(|slot| self.slot(slot)).collect();
        for plane in 0..self.planes {
            let ring = self.ring(plane, at);
            positions.extend(slots.iter().map(|&(sin, cos)| ring.position(sin, cos)));
        }
    }

    /// Sine and cosine of how far a slot is ahead of the first of its plane.
    fn slot(&self, slot: u32) -> (f64, f64) {
        (f64::from(slot) * TAU / f64::from(self.per_plane)).sin_cos()
    }

    fn ring(&self, plane: u32, at: Time) -> Ring {
        let (t, a) = (at.secs_f64(), self.radius_m());
        let u = self.argument_of_latitude(plane, 0).rad() + self.mean_motion_rad_s() * t;
        let (sin_u, cos_u) = u.sin_cos();
        let (sin_i, cos_i) = self.inclination.rad().sin_cos();
        // The Earth turns under the node.
        let (sin_w, cos_w) = (self.ascending_node(plane).rad() - ROTATION_RAD_S * t).sin_cos();
        let node = [cos_w, sin_w, 0.0];
        let quarter = [-sin_w * cos_i, cos_w * cos_i, sin_i];
        Ring {
            first: [0, 1, 2].map(|i| a * (cos_u * node[i] + sin_u * quarter[i])),
            ahead: [0, 1, 2].map(|i| a * (cos_u * quarter[i] - sin_u * node[i])),
        }
    }
}

/// A plane at a moment: where the satellite of its first slot stands, and the place a quarter of a revolution ahead.
struct Ring {
    first: [f64; 3],
    ahead: [f64; 3],
}

impl Ring {
    /// Position at an angle from the first slot, given by its sine and cosine.
    fn position(&self, sin: f64, cos: f64) -> [f64; 3] {
        [0, 1, 2].map(|i| cos * self.first[i] + sin * self.ahead[i])
    }
}
