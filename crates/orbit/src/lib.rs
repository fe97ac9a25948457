// SPDX-License-Identifier: MIT OR Apache-2.0
//! Satellites and ground sites in space: Walker shells, two-line elements by SGP4, elevation, slant range.
//! Pure astronomy; links and routes are the next room's (`topology`).
//!
//! One frame is used throughout: **Earth-fixed**, right-handed, z to the north pole, x to longitude zero, metres.

pub mod earth;
pub mod error;
pub mod fleet;
pub mod satellites;
pub mod tle;
pub mod walker;

pub use earth::{Geodetic, Ground};
pub use error::OrbitError;
pub use fleet::Fleet;
pub use satellites::Satellites;
pub use walker::{Walker, WalkerPattern};
