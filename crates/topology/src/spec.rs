// SPDX-License-Identifier: MIT OR Apache-2.0
//! The specification of a satellite network: everything that a scenario can choose.

use crate::mask::Mask;
use crate::turns::{Beam, Shared, Terminal};
use link::LinkSpec;
use orbit::{Coordinates, Geodetic, Objects, Walker};
use std::path::PathBuf;
use units::{Angle, Distance, Span};

/// A shell of satellites.
#[derive(Clone, Debug, PartialEq)]
pub struct Shell {
    /// Name for display: "530 km 43 deg".
    pub name: String,
    /// Orbits of the satellites.
    pub orbits: Orbits,
}

/// Orbits of the satellites of a shell.
#[derive(Clone, Debug, PartialEq)]
pub enum Orbits {
    /// A Walker shell on circular orbits.
    Walker(Walker),
    /// A Walker shell as mean elements, propagated by SGP4 as in Hypatia.
    Elements {
        /// Positions at the epoch. The altitude follows from the mean motion ([`Walker::altitude_of`]).
        walker: Walker,
        /// Mean motion, in revolutions per day.
        mean_motion: f64,
        /// Eccentricity.
        eccentricity: f64,
        /// Epoch of the elements and start of the run, in UTC (RFC 3339).
        epoch: String,
    },
    /// A file of element sets, propagated by SGP4.
    Catalogue {
        /// Path of the file.
        file: PathBuf,
        /// Start of the run in UTC (RFC 3339). The default is the newest epoch in the file.
        start: Option<String>,
        /// Largest time between the epoch of an element set and the start. Sets with a larger difference are left out.
        oldest: Option<Span>,
        /// Whether satellites that cannot be propagated are left out. If this is false, such a satellite is an error.
        skip_unusable: bool,
        /// Which objects of the file are used.
        objects: Objects,
    },
}

/// Rule for which satellites are linked.
#[derive(Clone, Debug, PartialEq)]
pub enum IslPattern {
    /// Each satellite is linked to its two neighbours in the plane and to one satellite in each neighbouring plane.
    Grid,
    /// At each time, the nearest pairs of satellites with free terminals are linked.
    Nearest {
        /// Number of terminals of each satellite.
        terminals: u32,
    },
    /// Exactly these pairs are linked.
    List(Vec<(u32, u32)>),
}

/// Inter-satellite links.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each switches a kind of link of its own, as the file does"
)]
pub struct IslSpec {
    /// Rate, queue and loss of each direction.
    pub link: LinkSpec,
    /// Rule for which satellites are linked.
    pub pattern: IslPattern,
    /// Grid: whether each satellite is linked to its two neighbours in the plane.
    pub intra_plane: bool,
    /// Grid: whether each satellite is linked to one satellite of each neighbouring plane.
    pub inter_plane: bool,
    /// Grid: satellite j of a plane is linked to satellite j + shift of the next plane. With `None`, the shift is
    /// chosen so that the linked satellite is the nearest on average.
    pub shift: Option<i32>,
    /// Whether each satellite is linked to the nearest free satellite of another shell.
    pub inter_shell: bool,
    /// Whether there are links across the seam of a Walker star.
    pub cross_seam: bool,
    /// Links between planes are off while either end is beyond this latitude.
    pub latitude_limit: Option<Angle>,
    /// Largest length of a link.
    pub max_range: Option<Distance>,
}

/// Rule for which satellites a site can use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Visibility {
    /// Satellites above this elevation over the ellipsoid.
    Elevation(Angle),
    /// Satellites within this slant range, at any elevation. This is the rule of Hypatia, which computes the range for
    /// a flat Earth.
    Range(Distance),
}

/// Which of the usable satellites a site uses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SatelliteChoice {
    /// Rule of the choice.
    pub policy: Policy,
    /// Times at which the choice is made. Between these times, the choice is repeated only if the satellite in use
    /// sets.
    pub slot: Option<Slot>,
    /// At a slot boundary, a site changes satellite only if the best satellite is higher than the satellite in use by
    /// more than this angle. This applies to every policy.
    pub hysteresis: Angle,
}

/// Rule by which a site chooses a satellite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// The site uses all satellites in view at the same time. Each path takes the satellite with the lowest end-to-end
    /// delay.
    #[default]
    LowestDelay,
    /// The satellite with the highest elevation.
    HighestElevation,
    /// The satellite with the shortest slant range.
    Nearest,
    /// The satellite that stays in view longest.
    LongestVisible,
}

/// Times at which satellites are assigned: every `period`, counted from `phase` after the start of the run. If the
/// satellites have a date (a catalogue), the times are counted from `phase` after 1970-01-01T00:00:00Z instead. A
/// period of 15 s with a phase of 12 s then means the seconds :12, :27, :42 and :57 of every minute of UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Length of a slot.
    pub period: Span,
    /// Time of a slot boundary.
    pub phase: Span,
}

/// Cost of a handover of a site from one satellite to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Handover {
    /// Time during which the new link carries nothing.
    pub outage: Span,
    /// What happens to packets during the outage.
    pub during: During,
}

/// What happens to packets in an outage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum During {
    /// Packets wait in the queue.
    #[default]
    Hold,
    /// Packets are lost.
    Lose,
}

/// Times at which routes are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RouteTimes {
    /// At every route step.
    #[default]
    Steps,
    /// At every route step. If a path differs between two steps, routes are also computed at the time of the change (to
    /// a millisecond).
    Events,
}

/// What happens to packets that wait for a link when the link ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InFlight {
    /// Waiting packets are forwarded by the new table. Packets in flight on the link arrive.
    #[default]
    Forward,
    /// Waiting packets are lost, together with the packets in flight on the link.
    Drop,
}

/// A place on the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Site {
    /// Name for display and tables.
    pub name: String,
    /// Geodetic latitude, positive to the north.
    pub latitude: Angle,
    /// Longitude, positive to the east.
    pub longitude: Angle,
    /// Height above the ellipsoid.
    pub altitude: Distance,
}

impl Site {
    /// Returns the position on the Earth.
    pub const fn geodetic(&self) -> Geodetic {
        Geodetic { latitude: self.latitude, longitude: self.longitude, altitude: self.altitude }
    }

    /// Returns latitude and longitude.
    pub fn coordinates(&self) -> Coordinates {
        Coordinates { latitude: self.latitude, longitude: self.longitude }
    }
}

/// A ground station that connects satellites to the terrestrial network and may relay between satellites.
#[derive(Clone, Debug, PartialEq)]
pub struct Gateway {
    /// Place of the gateway on the ground.
    pub site: Site,
    /// Index of the point of presence to which the gateway is connected; `None` if the gateway only relays between
    /// satellites.
    pub pop: Option<u16>,
    /// Which satellites the gateway can use; `None` for the rule of sites.
    pub visibility: Option<Visibility>,
    /// Skyline around the gateway.
    pub mask: Option<Mask>,
    /// Smallest allowed angle to the geostationary arc; `None` for [`ConstellationSpec::gso_exclusion`].
    pub gso_exclusion: Option<Angle>,
}

/// Connection of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attachment {
    /// A dish. Its packets may pass any gateway.
    Dish,
    /// A dish whose packets always pass the point of presence with this index.
    Home(u16),
    /// Fibre to the points of presence, without a dish.
    Fibre,
}

/// Specification of a satellite network.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstellationSpec {
    /// Name of the preset, or "custom".
    pub name: String,
    /// Satellites, shell by shell.
    pub shells: Vec<Shell>,
    /// Inter-satellite links; `None` for a bent pipe.
    pub isl: Option<IslSpec>,
    /// Gateways.
    pub gateways: Vec<Gateway>,
    /// Points of presence, where gateways connect to the terrestrial network.
    pub pops: Vec<Site>,
    /// Connections of sites, by name. Sites that are not listed have a dish without a home.
    pub attachments: Vec<(String, Attachment)>,
    /// Delay of fibre as a multiple of the delay of light in vacuum along the great circle. It covers refraction and
    /// detours.
    pub fibre_factor: f64,
    /// Link between a satellite and a gateway, in both directions.
    pub feeder: LinkSpec,
    /// Link from a site to a satellite.
    pub uplink: LinkSpec,
    /// Link from a satellite to a site.
    pub downlink: LinkSpec,
    /// Which satellites a site can use.
    pub visibility: Visibility,
    /// Skylines around sites, by name.
    pub masks: Vec<(String, Mask)>,
    /// Smallest allowed angle between a used satellite and the geostationary arc, for sites and gateways. Zero means no
    /// limit.
    pub gso_exclusion: Angle,
    /// Which of the usable satellites a site uses.
    pub choice: SatelliteChoice,
    /// Which links share a transmitter.
    pub shared: Shared,
    /// Sites that have a weight, a priority or a cell on shared transmitters. All sites of a cell take part in the
    /// choice of its satellite, with or without traffic.
    pub terminals: Vec<(Site, Terminal)>,
    /// Weights and priorities of the beams of cells, within the total of their satellite. Beams that are not listed
    /// have the default values.
    pub beams: Vec<Beam>,
    /// Cost of a handover from one satellite to another.
    pub handover: Handover,
    /// Interval between route computations.
    pub route_step: Span,
    /// Whether routes change only at steps.
    pub route_times: RouteTimes,
    /// Time from the epoch of the orbits to the start of the run. This offset determines the positions of the
    /// satellites at the start.
    pub offset: Span,
    /// What happens to packets at a reroute.
    pub in_flight: InFlight,
}

impl ConstellationSpec {
    /// Returns the connection of the site with this name.
    pub fn attachment(&self, site: &str) -> Attachment {
        self.attachments
            .iter()
            .find(|(name, _)| name == site)
            .map_or(Attachment::Dish, |&(_, attachment)| attachment)
    }

    /// Returns the settings on shared transmitters of the site with this name, and their index in [`Self::terminals`].
    /// Returns `None` if the site has no such settings.
    pub fn terminal(&self, site: &str) -> Option<(usize, &Terminal)> {
        let place = self.terminals.iter().position(|(known, _)| known.name == site)?;
        Some((place, &self.terminals[place].1))
    }

    /// Returns the skyline around the site with this name.
    pub fn mask(&self, site: &str) -> Option<&Mask> {
        self.masks.iter().find(|(name, _)| name == site).map(|(_, mask)| mask)
    }
}
