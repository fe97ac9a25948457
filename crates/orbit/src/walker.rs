// SPDX-License-Identifier: MIT OR Apache-2.0
//! Walker shells: circular orbits in evenly spaced planes.
//!
//! Each orbit is Keplerian, on a circle of radius [`EQUATORIAL_RADIUS_M`] + altitude, without precession and drag. At
//! time zero, the Earth-fixed frame and the inertial frame coincide. If `first_node` is 0, plane 0 then has its
//! ascending node at longitude zero. Satellite 0 of plane 0 is at this node, moving north.

use crate::earth::{EQUATORIAL_RADIUS_M, ROTATION_RAD_S, turning};
use std::f64::consts::TAU;
use units::{Angle, Distance, Span, Time};

/// Gravitational parameter of the Earth, in m^3/s^2 (WGS84 / EGM96).
pub const MU_M3_S2: f64 = 3.986_004_418e14;

/// Arrangement of the planes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WalkerPattern {
    /// Ascending nodes spread evenly over 360 degrees.
    Delta,
    /// Ascending nodes spread over about 180 degrees, `spacing` apart. Between the last and the first plane is the
    /// seam, where satellites move in opposite directions.
    Star {
        /// Angle between the ascending nodes of neighbouring planes.
        spacing: Angle,
    },
}

/// A shell of satellites on circular orbits.
#[derive(Clone, Debug, PartialEq)]
pub struct Walker {
    /// Number of orbital planes.
    pub planes: u32,
    /// Number of satellites in each plane.
    pub per_plane: u32,
    /// Height above the equatorial radius.
    pub altitude: Distance,
    /// Inclination.
    pub inclination: Angle,
    /// Star or delta.
    pub pattern: WalkerPattern,
    /// Longitude of the ascending node of plane 0 at time zero.
    pub first_node: Angle,
    /// Difference in argument of latitude between the satellites of a plane and the satellites of the previous plane.
    /// For a Walker delta `T/P/F`, it is `F * 360 / T` degrees.
    pub phase: Angle,
    /// Whether odd planes are half a slot ahead of even planes, as in ns-2's Iridium and Hypatia. `phase` is then
    /// ignored.
    pub alternate_half_slot: bool,
}

impl Walker {
    /// Returns a Walker delta without a phase difference between planes. Its first node is at longitude 0.
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

    /// Returns the number of satellites.
    pub const fn len(&self) -> usize {
        self.planes as usize * self.per_plane as usize
    }

    /// Returns whether the shell has no satellites.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the radius of the orbits, in metres.
    pub fn radius_m(&self) -> f64 {
        EQUATORIAL_RADIUS_M + self.altitude.m()
    }

    /// Returns the sidereal period of an orbit: 2 pi sqrt(a^3/mu).
    pub fn period(&self) -> Span {
        Span::from_secs_f64(TAU / self.mean_motion_rad_s())
    }

    /// Returns the semi-major axis, in metres, for a mean motion in revolutions per day: a^3 = mu / n^2.
    pub fn axis_m(mean_motion_rev_day: f64) -> f64 {
        let n = mean_motion_rev_day * TAU / 86_400.0;
        (MU_M3_S2 / (n * n)).cbrt()
    }

    /// Returns the height above the equatorial radius of a circular orbit, for a mean motion in revolutions per day.
    pub fn altitude_of(mean_motion_rev_day: f64) -> Distance {
        Distance::from_m(Self::axis_m(mean_motion_rev_day) - EQUATORIAL_RADIUS_M)
    }

    fn mean_motion_rad_s(&self) -> f64 {
        (MU_M3_S2 / self.radius_m().powi(3)).sqrt()
    }

    /// Returns the longitude of a plane's ascending node at time zero.
    pub fn ascending_node(&self, plane: u32) -> Angle {
        let step = match self.pattern {
            WalkerPattern::Delta => 360.0 / f64::from(self.planes),
            WalkerPattern::Star { spacing } => spacing.deg(),
        };
        Angle::from_deg(self.first_node.deg() + f64::from(plane) * step)
    }

    /// Returns the argument of latitude of a satellite at time zero: its angle past the ascending node.
    pub fn argument_of_latitude(&self, plane: u32, slot: u32) -> Angle {
        let slot_deg = 360.0 / f64::from(self.per_plane);
        let ahead = if self.alternate_half_slot {
            f64::from(plane % 2) * slot_deg / 2.0
        } else {
            f64::from(plane) * self.phase.deg()
        };
        Angle::from_deg(f64::from(slot) * slot_deg + ahead)
    }

    /// Returns the name of a satellite: "plane/slot", both counted from 1.
    pub fn name(&self, index: usize) -> String {
        let per_plane = self.per_plane as usize;
        format!("{}/{}", index / per_plane + 1, index % per_plane + 1)
    }

    /// Returns the Earth-fixed position of a satellite, in metres. Satellites are numbered plane by plane.
    pub fn position(&self, index: usize, at: Time) -> [f64; 3] {
        let (plane, slot) = (index as u32 / self.per_plane, index as u32 % self.per_plane);
        let (sin, cos) = self.slot(slot);
        self.ring(plane, at).position(sin, cos)
    }

    /// Returns the Earth-fixed position (m) and velocity (m/s) of a satellite.
    pub fn state(&self, index: usize, at: Time) -> ([f64; 3], [f64; 3]) {
        let (plane, slot) = (index as u32 / self.per_plane, index as u32 % self.per_plane);
        let (ring, (sin, cos)) = (self.ring(plane, at), self.slot(slot));
        let position = ring.position(sin, cos);
        // The velocity has the direction of the position a quarter of a revolution ahead.
        let n = self.mean_motion_rad_s();
        let velocity = ring.position(cos, -sin).map(|m| m * n);
        (position, turning(position, velocity, ROTATION_RAD_S))
    }

    /// Appends the Earth-fixed positions of all satellites, in metres. Sines and cosines are computed only once for
    /// each plane and once for each slot.
    pub fn positions(&self, at: Time, positions: &mut Vec<[f64; 3]>) {
        let slots: Vec<(f64, f64)> = (0..self.per_plane).map(|slot| self.slot(slot)).collect();
        for plane in 0..self.planes {
            let ring = self.ring(plane, at);
            positions.extend(slots.iter().map(|&(sin, cos)| ring.position(sin, cos)));
        }
    }

    /// Returns the sine and cosine of the angle between a slot and the first slot of its plane.
    fn slot(&self, slot: u32) -> (f64, f64) {
        (f64::from(slot) * TAU / f64::from(self.per_plane)).sin_cos()
    }

    fn ring(&self, plane: u32, at: Time) -> Ring {
        let (t, a) = (at.secs_f64(), self.radius_m());
        let u = self.argument_of_latitude(plane, 0).rad() + self.mean_motion_rad_s() * t;
        let (sin_u, cos_u) = u.sin_cos();
        let (sin_i, cos_i) = self.inclination.rad().sin_cos();
        // The Earth rotates below the node.
        let (sin_w, cos_w) = (self.ascending_node(plane).rad() - ROTATION_RAD_S * t).sin_cos();
        let node = [cos_w, sin_w, 0.0];
        let quarter = [-sin_w * cos_i, cos_w * cos_i, sin_i];
        Ring {
            first: [0, 1, 2].map(|i| a * (cos_u * node[i] + sin_u * quarter[i])),
            ahead: [0, 1, 2].map(|i| a * (cos_u * quarter[i] - sin_u * node[i])),
        }
    }
}

/// A plane at a given time: the position of its first slot, and the position a quarter of a revolution ahead.
struct Ring {
    first: [f64; 3],
    ahead: [f64; 3],
}

impl Ring {
    /// Returns the position at an angle from the first slot, given by the sine and cosine of the angle.
    fn position(&self, sin: f64, cos: f64) -> [f64; 3] {
        [0, 1, 2].map(|i| cos * self.first[i] + sin * self.ahead[i])
    }
}
