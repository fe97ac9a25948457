// SPDX-License-Identifier: MIT OR Apache-2.0
//! Nodes, links between them, and routes over time: from constellations or plain shapes.

mod access;
pub mod constellation;
pub mod error;
mod handover;
mod isl;
pub mod network;
mod planes;
pub mod presets;
mod route;
pub mod shapes;
pub mod sharing;
pub mod sites;
mod sky;
pub mod spec;
pub mod survey;
pub mod trace;
mod view;

pub use error::TopologyError;
pub use network::{LinkPlan, Network, Node, NodeKind, Path, PathPiece, RouteEntry, RouteUpdate};
pub use presets::Preset;
pub use spec::{
    Access, Attachment, ConstellationSpec, During, Gateway, Handover, InFlight, IslPattern, IslSpec,
    LinkSpec, Orbits, Policy, RouteTimes, Shell, Site, Slot, Visibility,
};
pub use trace::{Leg, PathSample, SatelliteAt, Snapshot};
