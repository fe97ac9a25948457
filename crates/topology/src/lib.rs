// SPDX-License-Identifier: MIT OR Apache-2.0
//! Networks: nodes, links between them and routes over time, from constellations or from simple shapes.

mod almanac;
pub mod coast;
pub mod constellation;
mod departures;
pub mod error;
pub mod facts;
mod gates;
mod handover;
mod incremental;
mod isl;
pub mod knots;
mod link_geometry;
mod mask;
mod moment;
pub mod network;
pub mod passes;
mod planes;
pub mod presets;
mod route;
mod serving;
pub mod shapes;
pub mod sharing;
pub mod shortest;
pub mod sites;
mod sky;
pub mod spec;
pub mod survey;
pub mod switches;
pub mod trace;
mod turns;
mod view;
pub mod why;

pub use almanac::{Almanac, Page, Stop, never};
pub use error::TopologyError;
pub use facts::{Facts, ShellFacts};
pub use gates::Gate;
pub use handover::course;
pub use link_geometry::{LinkGeometry, LookAngles, Medium};
pub use mask::{Mask, MaskError};
pub use network::{LinkPlan, Network, Node, NodeKind, Path, PathPiece, RouteEntry, RouteUpdate};
pub use orbit::Objects;
pub use passes::Pass;
pub use presets::Preset;
pub use spec::{
    Attachment, ConstellationSpec, During, Gateway, Handover, InFlight, IslPattern, IslSpec, Orbits, Policy,
    RouteTimes, SatelliteChoice, Shell, Site, Slot, Visibility,
};
pub use switches::Switch;
pub use trace::{GroundAt, GroundKind, Leg, PathSample, SatelliteAt, Snapshot};
pub use turns::{
    Beam, Part, Scope, Serves, Shared, Terminal, Total, TotalRate, Totals, Transmitter, Turn, Turns,
};
