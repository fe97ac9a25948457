// SPDX-License-Identifier: MIT OR Apache-2.0
//! Nodes, links between them, and routes over time: from constellations or plain shapes.

pub mod constellation;
pub mod error;
pub mod network;
pub mod presets;
pub mod shapes;
pub mod sites;
mod sky;
pub mod spec;
pub mod trace;

pub use error::TopologyError;
pub use network::{LinkPlan, Network, Node, NodeKind, Path, PathPiece, RouteEntry, RouteUpdate};
pub use presets::Preset;
pub use spec::{ConstellationSpec, InFlight, IslSpec, LinkSpec, Orbits, Site};
pub use trace::{PathSample, SatelliteAt, Snapshot};
