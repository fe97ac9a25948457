// SPDX-License-Identifier: MIT OR Apache-2.0
//! Satellites and ground sites in space: Walker shells, two-line elements by SGP4, elevation, slant range.
//! Pure astronomy; links and routes are the next room's (`topology`).

pub mod walker;

pub use walker::{Walker, WalkerPattern};
