// SPDX-License-Identifier: MIT OR Apache-2.0
//! Satellites and ground sites in space: Walker shells, catalogues of elements by SGP4, their planes, elevation, slant
//! range. Pure astronomy; `topology` has links and routes.
//!
//! One frame is used throughout: **Earth-fixed**, right-handed, z to the north pole, x to longitude zero, metres.
//! (Planes of real satellites are the exception: their nodes are in an inertial frame.)

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
