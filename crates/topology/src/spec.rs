// SPDX-License-Identifier: MIT OR Apache-2.0
//! The specification of a network: the choices that a scenario can make.

use crate::mask::Mask;
use crate::turns::{Beam, Shared, Terminal};
use link::LinkSpec;
use orbit::{Coordinates, Geodetic, Objects, Walker};
use std::path::PathBuf;
use units::{Angle, Distance, Span};

/// A shell of satellites.
#[derive(Clone, Debug, PartialEq)]
pub struct Shell {
    /// Name for people: "530 km 43 deg".
    pub name: String,
    /// Their orbits.
    pub orbits: Orbits,
}

/// Orbits of satellites.
#[derive(Clone, Debug, PartialEq)]
pub enum Orbits {
    /// A Walker shell.
    Walker(Walker),
    /// A Walker shell as mean elements, propagated by SGP4 as in Hypatia.
    Elements {
        /// Positions at the epoch. Its altitude is that of the mean motion ([`Walker::altitude_of`]).
        walker: Walker,
        /// Revolutions per day.
        mean_motion: f64,
        /// Eccentricity.
        eccentricity: f64,
        /// Epoch of the elements and start of the run in UTC, RFC 3339.
        epoch: String,
    },
    /// A file of element sets, propagated by SGP4.
    Catalogue {
        /// The file.
        file: PathBuf,
        /// Start of the run in UTC, RFC 3339; default: the newest epoch in the file.
        start: Option<String>,
        /// Sets whose epoch is farther from the start are left out.
        oldest: Option<Span>,
        /// Whether satellites that cannot be propagated are left out; otherwise they are an error.
        skip_unusable: bool,
        /// Which objects of the file are used.
        objects: Objects,
    },
}

/// Which satellites are linked.
#[derive(Clone, Debug, PartialEq)]
pub enum IslPattern {
    /// The two neighbours in the plane, and one in each neighbouring plane.
    Grid,
    /// At each time the nearest pairs with a free terminal, each satellite with at most this many links.
    Nearest {
        /// Terminals of a satellite.
        terminals: u32,
    },
    /// Only these pairs.
    List(Vec<(u32, u32)>),
}

/// Inter-satellite links.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each switches a kind of link of its own, as the file does"
)]
pub struct IslSpec {
    /// Rate, queue, loss of each direction.
    pub link: LinkSpec,
    /// Which satellites are linked.
    pub pattern: IslPattern,
    /// Grid: links to the two neighbours in the plane.
    pub intra_plane: bool,
    /// Grid: links to one satellite of each neighbouring plane.
    pub inter_plane: bool,
    /// Grid: satellite j of a plane is linked with j + shift of the next; `None`: with the nearest on average.
    pub shift: Option<i32>,
    /// Each satellite is linked with the nearest free one of another shell.
    pub inter_shell: bool,
    /// Links across the seam of a Walker star.
    pub cross_seam: bool,
    /// Links between planes are off while either end is beyond this latitude.
    pub latitude_limit: Option<Angle>,
    /// No link longer than this.
    pub max_range: Option<Distance>,
}

/// Which satellites a site can use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Visibility {
    /// Those above this elevation over the ellipsoid.
    Elevation(Angle),
    /// Those within this slant range at any elevation: Hypatia's rule, whose range comes from a flat Earth.
    Range(Distance),
}

/// Which satellites in view a site uses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SatelliteChoice {
    /// Rule.
    pub policy: Policy,
    /// The choice is made only at these times, or when the satellite sets.
    pub slot: Option<Slot>,
    /// At the end of a slot the satellite in use is kept if the best is no more than this above it: degrees of
    /// elevation, for any policy.
    pub hysteresis: Angle,
}

/// How a site chooses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// All satellites in view at once; each path takes the one with the lowest end-to-end delay.
    #[default]
    LowestDelay,
    /// The satellite with the highest elevation.
    HighestElevation,
    /// The satellite with the shortest slant range.
    Nearest,
    /// The satellite that stays in view longest.
    LongestVisible,
}

/// Times at which satellites are assigned: every `period`, counted from `phase` of the run. If satellites have a date
/// (a catalogue) they follow the clock: counted from `phase` after 1970-01-01T00:00:00Z, so that 15 s and 12 s are the
/// seconds :12, :27, :42 and :57 of every minute of UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Length.
    pub period: Span,
    /// A boundary.
    pub phase: Span,
}

/// Costs of a handover of a site from one satellite to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Handover {
    /// Time during which the new link carries nothing.
    pub outage: Span,
    /// What happens to packets in that time.
    pub during: During,
}

/// What happens to packets in an outage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum During {
    /// They wait in the queue.
    #[default]
    Hold,
    /// They are lost.
    Lose,
}

/// Times at which routes are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RouteTimes {
    /// At every route step.
    #[default]
    Steps,
    /// At every route step, and if paths differ between two of them, at the times in between at which they change (to a
    /// millisecond).
    Events,
}

/// What happens to packets that wait for a link when it ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InFlight {
    /// They are forwarded by the new table; packets in flight arrive.
    #[default]
    Forward,
    /// They are lost, and so are packets in flight on that link.
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
    /// Height over the ellipsoid.
    pub altitude: Distance,
}

impl Site {
    /// Its position on the Earth.
    pub const fn geodetic(&self) -> Geodetic {
        Geodetic { latitude: self.latitude, longitude: self.longitude, altitude: self.altitude }
    }

    /// Its latitude and longitude.
    pub fn coordinates(&self) -> Coordinates {
        Coordinates { latitude: self.latitude, longitude: self.longitude }
    }
}

/// A ground station that connects satellites to the ground and may relay.
#[derive(Clone, Debug, PartialEq)]
pub struct Gateway {
    /// Its place.
    pub site: Site,
    /// Index of the point of presence that it is connected to; `None`: it only relays between satellites.
    pub pop: Option<u16>,
    /// Which satellites it can use, if its rule differs from that of sites.
    pub visibility: Option<Visibility>,
    /// Obstacles around it.
    pub mask: Option<Mask>,
    /// Its own [`ConstellationSpec::gso_exclusion`].
    pub gso_exclusion: Option<Angle>,
}

/// How a site is connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attachment {
    /// A dish of its own; its packets may pass any gateway.
    Dish,
    /// A dish whose packets always pass this point of presence (its index).
    Home(u16),
    /// No dish: fibre to the points of presence.
    Fibre,
}

/// A satellite network.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstellationSpec {
    /// Name of the preset, or "custom".
    pub name: String,
    /// Satellites, shell by shell.
    pub shells: Vec<Shell>,
    /// Inter-satellite links; `None`: bent pipe only.
    pub isl: Option<IslSpec>,
    /// Gateways.
    pub gateways: Vec<Gateway>,
    /// Points of presence, where gateways connect to the terrestrial network.
    pub pops: Vec<Site>,
    /// Connections of sites other than plain dishes, by name.
    pub attachments: Vec<(String, Attachment)>,
    /// Delay of fibre, as a multiple of light in vacuum along the great circle: refraction and detours.
    pub fibre_factor: f64,
    /// Link between a satellite and a gateway, in both directions.
    pub feeder: LinkSpec,
    /// Link from ground to satellite.
    pub uplink: LinkSpec,
    /// Link from satellite to ground.
    pub downlink: LinkSpec,
    /// Which satellites a site can use.
    pub visibility: Visibility,
    /// Obstacles around sites, by name.
    pub masks: Vec<(String, Mask)>,
    /// Sites and gateways use no satellite within this angle of the geostationary arc; zero: any.
    pub gso_exclusion: Angle,
    /// Which of those a site uses.
    pub choice: SatelliteChoice,
    /// Which links share a transmitter.
    pub shared: Shared,
    /// Sites with weight, priority or cell on shared transmitters. Those of a cell count in the choice of its satellite
    /// with or without traffic.
    pub terminals: Vec<(Site, Terminal)>,
    /// Weights and priorities of cells' beams within their satellite's total; others have the defaults.
    pub beams: Vec<Beam>,
    /// Costs of a handover from one satellite to another.
    pub handover: Handover,
    /// Interval between route computations.
    pub route_step: Span,
    /// Whether they change at steps only.
    pub route_times: RouteTimes,
    /// Time from the epoch of the orbits to the start of the run, for other positions of the satellites.
    pub offset: Span,
    /// What happens to packets at a reroute.
    pub in_flight: InFlight,
}

impl ConstellationSpec {
    /// The connection of the site of that name.
    pub fn attachment(&self, site: &str) -> Attachment {
        self.attachments
            .iter()
            .find(|(name, _)| name == site)
            .map_or(Attachment::Dish, |&(_, attachment)| attachment)
    }

    /// The settings on shared transmitters of the site of that name, and its place in [`Self::terminals`], if it has
    /// any.
    pub fn terminal(&self, site: &str) -> Option<(usize, &Terminal)> {
        let place = self.terminals.iter().position(|(known, _)| known.name == site)?;
        Some((place, &self.terminals[place].1))
    }

    /// The obstacles around the site of that name.
    pub fn mask(&self, site: &str) -> Option<&Mask> {
        self.masks.iter().find(|(name, _)| name == site).map(|(_, mask)| mask)
    }
}
