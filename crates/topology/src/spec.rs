// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a network is made from: the choices a scenario can make.

use link::{CongestionWarning, Impairment, QueueLimit};
use orbit::Walker;
use std::path::PathBuf;
use units::{Angle, Distance, Rate, Span};

/// Everything about a link but its delay.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkSpec {
    /// Rate; `None` is an ideal wire.
    pub rate: Option<Rate>,
    /// Queue.
    pub queue: QueueLimit,
    /// Loss on the way.
    pub loss: Impairment,
    /// Packets may overtake each other when the delay shrinks.
    pub reorder: bool,
    /// Marks data packets when the queue grows long.
    pub warning: Option<CongestionWarning>,
}

/// Where the satellites are.
#[derive(Clone, Debug, PartialEq)]
pub enum Orbits {
    /// A Walker shell.
    Walker(Walker),
    /// A file of two-line element sets, propagated by SGP4 from the newest epoch in it (or the stated one).
    Tle {
        /// The file.
        file: PathBuf,
        /// Start of the run in UTC, RFC 3339; the newest epoch in the file if not stated.
        start: Option<String>,
    },
}

/// Links between satellites.
#[derive(Clone, Debug, PartialEq)]
pub struct IslSpec {
    /// Rate, queue, loss of each direction.
    pub link: LinkSpec,
    /// Links to the two neighbours in the plane.
    pub intra_plane: bool,
    /// Links to the nearest satellite of each neighbouring plane.
    pub inter_plane: bool,
    /// Links across the seam of a Walker star.
    pub cross_seam: bool,
    /// Links between planes are off while either end is beyond this latitude.
    pub latitude_limit: Option<Angle>,
    /// No link longer than this.
    pub max_range: Option<Distance>,
}

/// What happens to packets that wait for a link which goes away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InFlight {
    /// They are forwarded by the new table; those already in the air arrive.
    #[default]
    Forward,
    /// They are lost, and so are those in the air on that link.
    Drop,
}

/// A place on the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Site {
    /// Name for people and tables.
    pub name: String,
    /// Geodetic latitude, north positive.
    pub latitude: Angle,
    /// Longitude, east positive.
    pub longitude: Angle,
}

/// A satellite network.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstellationSpec {
    /// Name of the preset, or "custom".
    pub name: String,
    /// Satellites.
    pub orbits: Orbits,
    /// Links between satellites; `None`: bent pipe only.
    pub isl: Option<IslSpec>,
    /// Ground to satellite.
    pub uplink: LinkSpec,
    /// Satellite to ground.
    pub downlink: LinkSpec,
    /// A site uses satellites above this elevation only.
    pub min_elevation: Angle,
    /// How often routes are computed anew.
    pub route_step: Span,
    /// The run begins this long after the epoch of the orbits: another moment, another sky.
    pub offset: Span,
    /// What happens to packets at a reroute.
    pub in_flight: InFlight,
}
