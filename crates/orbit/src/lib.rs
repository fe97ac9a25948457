// SPDX-License-Identifier: MIT OR Apache-2.0
//! Orbits of satellites and their geometry to sites on the ground: Walker shells, catalogues of elements propagated by
//! SGP4, orbital planes, elevation and slant range. This crate contains only astronomy. The crate `topology` contains
//! links and routes.
//!
//! All positions are in one frame: **Earth-fixed**, right-handed, z to the north pole, x to longitude zero, in metres.
//! (Only the ascending nodes of planes of real satellites are given in an inertial frame.)

mod accuracy;
pub mod earth;
pub mod elements;
pub mod error;
pub mod fleet;
pub mod gso;
pub mod note;
pub mod objects;
pub mod omm;
pub mod planes;
pub mod satellites;
mod sets;
mod theory;
pub mod tle;
pub mod walker;

pub use accuracy::Off;
pub use earth::{Coordinates, Geodetic, Ground};
pub use elements::{Catalogue, Format, Record};
pub use error::{OrbitError, Place, Refusal};
pub use fleet::{Fleet, FleetOptions, OnBad};
pub use gso::GsoArc;
pub use note::Note;
pub use objects::{Objects, Other};
pub use planes::Plane;
pub use satellites::Satellites;
pub use walker::{Walker, WalkerPattern};
