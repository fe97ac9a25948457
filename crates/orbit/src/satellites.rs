// SPDX-License-Identifier: MIT OR Apache-2.0
//! Positions of all satellites at a given time, from formulas or from elements.

use crate::{Fleet, OrbitError, Walker};
use units::Time;

/// The satellites of a constellation, by index.
#[derive(Clone, Debug, PartialEq)]
pub enum Satellites {
    /// A Walker shell, in the order of its planes.
    Walker(Walker),
    /// Returns the name of a satellite. In a Walker shell, it is "plane/slot", both counted from 1. Otherwise, it is
    /// the name in the satellite's element set.
    Sgp4(Fleet),
}

impl Satellites {
    /// Returns the number of satellites.
    pub fn len(&self) -> usize {
        match self {
            Self::Walker(walker) => walker.len(),
            Self::Sgp4(fleet) => fleet.len(),
        }
    }

    /// Returns whether there are no satellites.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the name of a satellite: "plane/slot" (both counted from 1) in a Walker shell, otherwise the name of its
    /// elements.
    pub fn name(&self, index: usize) -> String {
        match self {
            Self::Walker(walker) => walker.name(index),
            Self::Sgp4(fleet) => fleet.name(index).to_owned(),
        }
    }

    /// Returns the Earth-fixed position of one satellite, in metres.
    ///
    /// # Errors
    /// [`OrbitError::Propagation`].
    pub fn position(&self, index: usize, at: Time) -> Result<[f64; 3], OrbitError> {
        match self {
            Self::Walker(walker) => Ok(walker.position(index, at)),
            Self::Sgp4(fleet) => fleet.position(index, at, fleet.sidereal_rad(at)),
        }
    }

    /// Returns the Earth-fixed position (m) and velocity (m/s) of one satellite. The velocity is the derivative of the
    /// Earth-fixed coordinates. In these coordinates, sites on the ground are at rest. The range rate to a site is
    /// therefore the component of the velocity along the line of sight.
    ///
    /// # Errors
    /// [`OrbitError::Propagation`].
    pub fn state(&self, index: usize, at: Time) -> Result<([f64; 3], [f64; 3]), OrbitError> {
        match self {
            Self::Walker(walker) => Ok(walker.state(index, at)),
            Self::Sgp4(fleet) => fleet.state(index, at),
        }
    }

    /// Clears `positions`, and writes the Earth-fixed positions of all satellites, in metres, to it.
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
