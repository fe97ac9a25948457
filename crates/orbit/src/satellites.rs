// SPDX-License-Identifier: MIT OR Apache-2.0
//! Positions of all satellites at a time, from formulas or elements.

use crate::{Fleet, OrbitError, Walker};
use units::Time;

/// The satellites of a constellation, by index.
#[derive(Clone, Debug, PartialEq)]
pub enum Satellites {
    /// A Walker shell, plane by plane.
    Walker(Walker),
    /// Elements propagated by SGP4, in the order of the file.
    Sgp4(Fleet),
}

impl Satellites {
    /// Number of satellites.
    pub fn len(&self) -> usize {
        match self {
            Self::Walker(walker) => walker.len(),
            Self::Sgp4(fleet) => fleet.len(),
        }
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Name of a satellite: "plane/slot" (both from 1) in a Walker shell, the name of its elements otherwise.
    pub fn name(&self, index: usize) -> String {
        match self {
            Self::Walker(walker) => walker.name(index),
            Self::Sgp4(fleet) => fleet.name(index).to_owned(),
        }
    }

    /// Earth-fixed position of one satellite, metres.
    ///
    /// # Errors
    /// [`OrbitError::Propagation`].
    pub fn position(&self, index: usize, at: Time) -> Result<[f64; 3], OrbitError> {
        match self {
            Self::Walker(walker) => Ok(walker.position(index, at)),
            Self::Sgp4(fleet) => fleet.position(index, at, fleet.sidereal_rad(at)),
        }
    }

    /// Earth-fixed position and velocity of one satellite, metres and m/s. The velocity is the derivative of these
    /// coordinates: a site on the ground is at rest, and the range rate to it is the velocity along the line of sight.
    ///
    /// # Errors
    /// [`OrbitError::Propagation`].
    pub fn state(&self, index: usize, at: Time) -> Result<([f64; 3], [f64; 3]), OrbitError> {
        match self {
            Self::Walker(walker) => Ok(walker.state(index, at)),
            Self::Sgp4(fleet) => fleet.state(index, at),
        }
    }

    /// Earth-fixed positions of all satellites, metres; `positions` is cleared first.
    ///
    /// # Errors
    /// [`OrbitError::Propagation`] of the first satellite that cannot be propagated.
    pub fn positions(&self, at: Time, positions: &mut Vec<[f64; 3]>) -> Result<(), OrbitError> {
        positions.clear();
        match self {
            Self::Walker(walker) => walker.positions(at, positions),
            Self::Sgp4(fleet) => {
                let sidereal_rad = fleet.sidereal_rad(at);
                for index in 0..fleet.len() {
                    positions.push(fleet.position(index, at, sidereal_rad)?);
                }
            }
        }
        Ok(())
    }
}
