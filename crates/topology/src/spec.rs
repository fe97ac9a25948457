// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a network is made from: the choices a scenario can make.

use crate::mask::Mask;
use crate::turns::{Beam, Shared, Terminal};
use link::LinkSpec;
use orbit::{Coordinates, Geodetic, Objects, Walker};
use std::path::PathBuf;
use units::{Angle, Distance, Span};

/// Satellites of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Shell {
    /// Name for people: "530 km 43 deg".
    pub name: String,
    /// Where they are.
    pub orbits: Orbits,
}

/// Where the satellites are.
#[derive(Clone, Debug, PartialEq)]
pub enum Orbits {
    /// A Walker shell.
    Walker(Walker),
    /// A Walker shell written down as mean elements and propagated by SGP4, as Hypatia does.
    Elements {
        /// How the satellites stand at the epoch. Its altitude is that of the mean motion ([`Walker::altitude_of`]).
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
        /// Start of the run in UTC, RFC 3339; the newest epoch in the file if not stated.
        start: Option<String>,
        /// Sets whose epoch is farther from the start are left out.
        oldest: Option<Span>,
        /// Satellites that cannot be propagated are left out; otherwise they are an error.
        skip_unusable: bool,
        /// Which objects of the file fly.
        objects: Objects,
    },
}

/// Which satellites are linked.
#[derive(Clone, Debug, PartialEq)]
pub enum IslPattern {
    /// The two neighbours in the plane, and one in each neighbouring plane.
    Grid,
    /// At each moment the nearest pairs that still have a terminal free, each satellite with at most so many links.
    Nearest {
        /// Terminals of a satellite.
        terminals: u32,
    },
    /// These pairs and no others.
    List(Vec<(u32, u32)>),
}

/// Links between satellites.
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
    /// Grid: satellite j of a plane is linked with j + shift of the next; `None`: with the nearest in the mean.
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
    /// Those within this slant range, whatever their elevation: Hypatia's rule, whose range comes from a flat Earth.
    Range(Distance),
}

/// Which satellites in view a site uses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SatelliteChoice {
    /// Rule.
    pub policy: Policy,
    /// The choice is made anew at these times only, or when the satellite sets.
    pub slot: Option<Slot>,
    /// At the end of a slot the satellite in use is kept if it is so near to the best: degrees of elevation, whatever
    /// the policy.
    pub hysteresis: Angle,
}

/// How a site chooses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// All satellites in view at once; each path takes the one with the lowest end-to-end delay.
    #[default]
    LowestDelay,
    /// The one highest over the horizon.
    HighestElevation,
    /// The one with the shortest slant range.
    Nearest,
    /// The one that stays in view longest.
    LongestVisible,
}

/// Times at which satellites are assigned anew: every `period`, counted from `phase` of the run. Where satellites fly at a
/// date (a catalogue) they follow the clock: counted from `phase` after 1970-01-01T00:00:00Z, so that 15 s and 12 s are
/// the seconds :12, :27, :42 and :57 of every minute of UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Length.
    pub period: Span,
    /// A boundary.
    pub phase: Span,
}

/// A switch of a site from one satellite to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Handover {
    /// The new link carries nothing for so long.
    pub outage: Span,
    /// What happens to packets meanwhile.
    pub during: During,
}

/// What happens to packets that meet an outage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum During {
    /// They wait in the queue.
    #[default]
    Hold,
    /// They are lost.
    Lose,
}

/// When routes are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RouteTimes {
    /// At every route step.
    #[default]
    Steps,
    /// At every route step, and where paths differ between two of them, at the moments in between at which they
    /// change (to a millisecond).
    Events,
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
    /// Height over the ellipsoid.
    pub altitude: Distance,
}

impl Site {
    /// Where it stands on the Earth.
    pub const fn geodetic(&self) -> Geodetic {
        Geodetic { latitude: self.latitude, longitude: self.longitude, altitude: self.altitude }
    }

    /// Its latitude and longitude.
    pub fn coordinates(&self) -> Coordinates {
        Coordinates { latitude: self.latitude, longitude: self.longitude }
    }
}

/// A ground station that feeds satellites and may be passed through.
#[derive(Clone, Debug, PartialEq)]
pub struct Gateway {
    /// Where it stands.
    pub site: Site,
    /// Index of the point of presence that it is wired to; `None`: it only relays from satellite to satellite.
    pub pop: Option<u16>,
    /// Which satellites it can use, if by another rule than sites.
    pub visibility: Option<Visibility>,
    /// What stands around it.
    pub mask: Option<Mask>,
    /// [`ConstellationSpec::gso_exclusion`] of its own.
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
    /// Links between satellites; `None`: bent pipe only.
    pub isl: Option<IslSpec>,
    /// Ground stations that relay.
    pub gateways: Vec<Gateway>,
    /// Where gateways meet the ground network.
    pub pops: Vec<Site>,
    /// How sites are connected that are not plain dishes, by name.
    pub attachments: Vec<(String, Attachment)>,
    /// Delay of fibre over that of light in vacuum along the great circle: refraction and detours.
    pub fibre_factor: f64,
    /// Between a satellite and a gateway, either way.
    pub feeder: LinkSpec,
    /// Ground to satellite.
    pub uplink: LinkSpec,
    /// Satellite to ground.
    pub downlink: LinkSpec,
    /// Which satellites a site can use.
    pub visibility: Visibility,
    /// What stands around sites, by name.
    pub masks: Vec<(String, Mask)>,
    /// No earth station uses a satellite that it sees within this angle of the geostationary arc; zero: any.
    pub gso_exclusion: Angle,
    /// Which of those it does use.
    pub choice: SatelliteChoice,
    /// Which links share a transmitter.
    pub shared: Shared,
    /// Sites with a right to shared ones, and that right. Those of a cell count for its satellite whether or not anything is
    /// sent to them.
    pub terminals: Vec<(Site, Terminal)>,
    /// With what right the beams of cells have parts of their satellite's total; the others are as any other.
    pub beams: Vec<Beam>,
    /// A switch from one satellite to another.
    pub handover: Handover,
    /// How often routes are computed anew.
    pub route_step: Span,
    /// Whether they change at steps only.
    pub route_times: RouteTimes,
    /// The run begins this long after the epoch of the orbits: another moment, another sky.
    pub offset: Span,
    /// What happens to packets at a reroute.
    pub in_flight: InFlight,
}

impl ConstellationSpec {
    /// How the site of that name is connected.
    pub fn attachment(&self, site: &str) -> Attachment {
        self.attachments
            .iter()
            .find(|(name, _)| name == site)
            .map_or(Attachment::Dish, |&(_, attachment)| attachment)
    }

    /// The right to shared transmitters of the site of that name, and its place among [`Self::terminals`], if it has one.
    pub fn terminal(&self, site: &str) -> Option<(usize, &Terminal)> {
        let place = self.terminals.iter().position(|(known, _)| known.name == site)?;
        Some((place, &self.terminals[place].1))
    }

    /// What stands around the site of that name.
    pub fn mask(&self, site: &str) -> Option<&Mask> {
        self.masks.iter().find(|(name, _)| name == site).map(|(_, mask)| mask)
    }
}
