// SPDX-License-Identifier: MIT OR Apache-2.0
//! Nodes, links between them, and routes over time: from constellations or plain shapes.

pub mod network;
pub mod spec;

pub use network::{LinkPlan, Network, Node, NodeKind, Path, PathPiece, RouteEntry, RouteUpdate};
pub use spec::{ConstellationSpec, InFlight, IslSpec, LinkSpec, Orbits, Site};
