// SPDX-License-Identifier: MIT OR Apache-2.0
//! The file format of constellations; see `format`.

use super::budget::StationRain;
use super::links::{MovingLink, RateStep, UserLink};
use crate::text::{Q, Unlimited};
use crate::words::W;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use topology::{During, InFlight, Policy, RouteTimes, Scope, Turns};
use units::{Altitude, Angle, Distance, FigureOfMerit, Power, Rate, Span};

/// Satellites: a preset, a Walker shell, a catalogue, or several shells.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Constellation {
    /// A known constellation; the other keys change it.
    pub preset: Option<String>,
    /// Name of a constellation that is no preset. Default "custom".
    #[schemars(extend("x-excludes" = [{ "keys": ["preset"] }]))]
    pub name: Option<String>,
    /// File of element sets (TLE, 3LE, OMM as JSON, CSV, XML or KVN), relative to the scenario's file. Of several sets of one
    /// object the one nearest to the start is used.
    #[schemars(extend("x-excludes" = [{ "keys": ["preset", "walker"] }]))]
    pub catalogue: Option<String>,
    /// Start of the run in UTC, RFC 3339, for a catalogue. Default: the newest epoch of the satellites that
    /// fly, at most 30 days after the median one.
    pub start: Option<String>,
    /// Sets of a catalogue whose epoch is farther from the start are left out. Default: none is.
    #[schemars(extend("x-max" = "3650 d"))]
    pub oldest: Option<Q<Span>>,
    /// Satellites of a catalogue that cannot be propagated: "refuse" the run or "skip" them. Default "refuse".
    pub unusable: Option<Unusable>,
    /// Which objects of a catalogue fly: "satellites" leaves out what names or fields declare not to be working satellites of
    /// the constellation (debris, rocket bodies, decayed, other owners'); "all" keeps every object. Default "satellites".
    pub objects: Option<Objects>,
    /// Several shells, instead of walker or catalogue.
    #[schemars(extend("x-excludes" = [{ "keys": ["preset", "walker", "catalogue"] }]))]
    pub shells: Option<Vec<Shell>>,
    /// Sites above this elevation see a satellite. Default "25 deg" if there is no preset.
    #[schemars(extend("x-min" = "-5 deg", "x-max" = "90 deg"))]
    pub min_elevation: Option<Q<Angle>>,
    /// Sites see satellites within this range, whatever their elevation (Hypatia's rule), instead of min_elevation.
    #[schemars(extend("x-excludes" = [{ "keys": ["min_elevation"] }]))]
    pub max_slant_range: Option<Q<Distance>>,
    /// No site or gateway uses a satellite that it sees within this angle of the visible geostationary arc (the topocentric
    /// angle alpha of Rec. ITU-R S.1503). Default "0 deg": any.
    #[schemars(extend("x-min" = "0 deg", "x-max" = "90 deg"))]
    pub gso_exclusion: Option<Q<Angle>>,
    /// Which of the satellites in view a site uses. Default: all, each path the one with the lowest delay.
    pub access: Option<Access>,
    /// What a switch from one satellite to another costs. Default: nothing.
    pub handover: Option<Handover>,
    /// "steps": routes change at route steps; "events": also at the moments in between at which paths change, to a
    /// millisecond. Default "steps".
    pub route_times: Option<W<RouteTimes>>,
    /// Ground stations that relay, and lead to points of presence.
    pub gateways: Option<Vec<Gateway>>,
    /// Where gateways meet the ground network.
    pub pops: Option<Vec<Place>>,
    /// Delay of fibre on the ground over that of light in vacuum along the great circle. Default 1.5.
    #[schemars(range(min = 1.0, max = 10.0))]
    pub fibre_factor: Option<f64>,
    /// Between a satellite and a gateway, either way. Default: that of the preset, or else "10 Gbit/s" and "500 packets".
    pub feeder: Option<MovingLink>,
    /// How often routes are computed anew. Default "10 s" if there is no preset.
    #[schemars(extend("x-min" = "1 ms", "x-max" = "1 d"))]
    pub route_step: Option<Q<Span>>,
    /// The run begins this long after the epoch of the orbits: another moment, another sky. Default "0 s".
    #[schemars(extend("x-min" = "0 s", "x-max" = "365 d"))]
    pub offset: Option<Q<Span>>,
    /// What happens to packets that wait for a link which goes away. Default "forward".
    pub in_flight: Option<W<InFlight>>,
    /// Links between planes are off while either end is beyond this latitude.
    #[schemars(extend("x-min" = "0 deg", "x-max" = "90 deg"))]
    pub isl_latitude_limit: Option<Q<Unlimited<Angle>>>,
    /// Links across the seam of a Walker star. Default false.
    pub cross_seam: Option<bool>,
    /// A Walker shell.
    #[schemars(extend("x-excludes" = [{ "keys": ["preset"] }]))]
    pub walker: Option<Walker>,
    /// Links between satellites, or false.
    pub isl: Option<Isl>,
    /// Ground to satellite and back, if both are the same.
    pub user_link: Option<UserLink>,
    /// Ground to satellite.
    pub uplink: Option<UserLink>,
    /// Satellite to ground.
    pub downlink: Option<MovingLink>,
    /// Links that share one transmitter, whose rate is that of the link. Default: each link has its own.
    pub shared: Option<SharedLinks>,
    /// With what right beams share the total of their satellite. Default: all alike.
    pub beams: Option<Vec<Beam>>,
    /// Places that flows may name besides the shipped list, or in its stead.
    pub sites: Option<Vec<Site>>,
}

/// A shell of satellites on circular orbits in evenly spaced planes.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Walker {
    /// Orbital planes.
    #[schemars(range(min = 1, max = 1000))]
    pub planes: u32,
    /// Satellites in each plane.
    #[schemars(range(min = 1, max = 1000))]
    pub per_plane: u32,
    /// Height above the equatorial radius. Not needed beside mean_motion, which says the same. At least 160 km: lower circles
    /// are inside the atmosphere (the lowest that a satellite kept is 167.4 km, Tsubame in 2019).
    #[schemars(extend("x-min" = "160 km", "x-max" = "100000 km"))]
    pub altitude: Option<Q<Distance>>,
    /// Inclination.
    #[schemars(extend("x-min" = "0 deg", "x-max" = "180 deg"))]
    pub inclination: Q<Angle>,
    /// Angle between neighbouring ascending nodes: a Walker star. Without it: a delta, spread over 360 degrees.
    #[schemars(extend("x-min" = "0 deg", "x-max" = "360 deg"))]
    pub spacing: Option<Q<Angle>>,
    /// Longitude of the ascending node of the first plane at the start. Default "0 deg".
    #[schemars(extend("x-min" = "-360 deg", "x-max" = "360 deg"))]
    pub first_node: Option<Q<Angle>>,
    /// How far a plane runs ahead of the plane before it (Walker T/P/F: F * 360 / T). Default "0 deg".
    #[schemars(extend("x-min" = "-360 deg", "x-max" = "360 deg"))]
    pub phase: Option<Q<Angle>>,
    /// Odd planes run half a slot ahead and `phase` is ignored. Default false.
    pub alternate_half_slot: Option<bool>,
    /// Revolutions per day, instead of altitude: the shell is propagated by SGP4 as mean elements. Default: circles.
    #[schemars(range(min = 0.1, max = 17.0))]
    pub mean_motion: Option<f64>,
    /// With mean_motion: eccentricity. Default 1e-7.
    #[schemars(range(min = 0.0, max = 0.9))]
    #[schemars(extend("x-needs" = [{
        "keys": ["mean_motion"],
        "why": "`eccentricity` belongs to mean elements",
        "fix": "remove it, or write mean_motion = 15.19",
    }]))]
    pub eccentricity: Option<f64>,
    /// With mean_motion: epoch of the elements and start of the run in UTC, RFC 3339. Default "2000-01-01T00:00:00Z".
    #[schemars(extend("x-needs" = [{
        "keys": ["mean_motion"],
        "why": "`epoch` belongs to mean elements",
        "fix": "remove it, or write mean_motion = 15.19",
    }]))]
    pub epoch: Option<String>,
}

/// Satellites of one kind: walker or catalogue.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-needs" = [{
    "keys": ["walker", "catalogue"],
    "why": "a shell is one of `walker` and `catalogue`",
    "fix": "write walker = { … } or catalogue = \"file\"",
}]))]
pub struct Shell {
    /// Name for people. Default: the constellation's and a number.
    pub name: Option<String>,
    /// A Walker shell.
    pub walker: Option<Walker>,
    /// File of element sets, relative to the scenario's file.
    #[schemars(extend("x-excludes" = [{ "keys": ["walker"] }]))]
    pub catalogue: Option<String>,
}

/// Which objects of a catalogue fly.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Objects {
    Satellites,
    All,
}

/// What happens with satellites that cannot be propagated.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Unusable {
    Refuse,
    Skip,
}

/// Which of the satellites in view a site uses.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Access {
    /// Default "lowest-delay".
    pub policy: Option<W<Policy>>,
    /// The choice is made anew only so often, or when the satellite sets. Default: at every route step.
    #[schemars(extend("x-min" = "100 ms", "x-max" = "1 d"))]
    pub slot: Option<Q<Span>>,
    /// A boundary of slots: so long after the start of the run; of a catalogue, whose slots follow the clock of UTC, after
    /// 1970-01-01T00:00:00Z, that is the second of the minute if slots divide one. Default "0 s", of slots of 15 s over a
    /// catalogue "12 s": Starlink's :12, :27, :42 and :57.
    #[schemars(extend("x-max" = "1 d"))]
    pub phase: Option<Q<Span>>,
    /// At a boundary the satellite in use is kept if the best stands no more than this above it. Default "0 deg".
    #[schemars(extend("x-min" = "0 deg", "x-max" = "90 deg"))]
    pub hysteresis: Option<Q<Angle>>,
}

/// What a switch from one satellite to another costs.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Handover {
    /// The new link carries nothing for so long. Default "0 s".
    #[schemars(extend("x-max" = "1 h"))]
    pub outage: Option<Q<Span>>,
    /// What happens to packets meanwhile: they wait ("hold") or are lost ("lose"). Default "hold".
    pub during: Option<W<During>>,
}

/// Links that share one transmitter and take turns, each direction for itself.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SharedLinks {
    /// Sites to satellites: those of a "satellite", or of one of its beams, which serves the sites of a cell ("beam").
    pub uplink: Option<W<Scope>>,
    /// Satellites to sites, likewise.
    pub downlink: Option<W<Scope>>,
    /// Between satellites and gateways, up and down: those of a "gateway", or of a "satellite".
    pub feeder: Option<W<Scope>>,
    /// What turns are charged with: "bytes", so that all who have enough to send get the same rate, or "time", so that all get the same
    /// time on the air, and one with a low rate takes nothing from others. Default "bytes".
    pub turns: Option<W<Turns>>,
    /// What all beams of a satellite get from sites together; each has the rate of the link besides. Default: no bound.
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub uplink_total: Option<Q<Rate>>,
    /// The same over time, instead of uplink_total: `[{ at = "0 s", rate = "90 Mbit/s" }, { at = "15 s", rate = "60 Mbit/s" }]`.
    #[schemars(extend("x-excludes" = [{ "keys": ["uplink_total"] }]))]
    pub uplink_total_steps: Option<Vec<RateStep>>,
    /// What all beams of a satellite send together.
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub downlink_total: Option<Q<Rate>>,
    /// The same over time, instead of downlink_total, as of uplink_total_steps.
    #[schemars(extend("x-excludes" = [{ "keys": ["downlink_total"] }]))]
    pub downlink_total_steps: Option<Vec<RateStep>>,
    /// What a gateway sends to all its satellites together, and what it gets from them; each link has its own rate besides.
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub feeder_total: Option<Q<Rate>>,
    /// The same over time, instead of feeder_total, as of uplink_total_steps.
    #[schemars(extend("x-excludes" = [{ "keys": ["feeder_total"] }]))]
    pub feeder_total_steps: Option<Vec<RateStep>>,
}

/// The beam that serves the sites of a cell, where the beams of a satellite share a total.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Beam {
    /// The cell, by the name that its sites have.
    pub cell: String,
    /// Its share of the satellite's total, against the others of its priority that have something to send. Default 1.
    #[schemars(range(min = 1, max = 100))]
    pub weight: Option<u16>,
    /// Beams of a higher priority go first. Default 0.
    #[schemars(range(min = 0, max = 7))]
    pub priority: Option<u8>,
}

/// A ground station that relays.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gateway {
    /// Name.
    pub name: String,
    /// Geodetic latitude, north positive. Default: that of the city of this name.
    #[schemars(extend("x-min" = "-90 deg", "x-max" = "90 deg"))]
    #[schemars(extend("x-needs" = beside("longitude")))]
    pub latitude: Option<Q<Angle>>,
    /// Longitude, east positive.
    #[schemars(extend("x-min" = "-180 deg", "x-max" = "360 deg"))]
    #[schemars(extend("x-needs" = beside("latitude")))]
    pub longitude: Option<Q<Angle>>,
    /// Height over the ellipsoid, as of a site.
    #[schemars(extend("x-min" = "-500 m", "x-max" = "9 km"))]
    pub altitude: Option<Q<Altitude>>,
    /// Point of presence that it is wired to. Default: none, it only passes on from satellite to satellite.
    pub pop: Option<String>,
    /// It uses satellites above this elevation. Default: as sites.
    #[schemars(extend("x-min" = "-5 deg", "x-max" = "90 deg"))]
    pub min_elevation: Option<Q<Angle>>,
    /// The angle that it keeps to the geostationary arc. Default: as sites.
    #[schemars(extend("x-min" = "0 deg", "x-max" = "90 deg"))]
    pub gso_exclusion: Option<Q<Angle>>,
    /// The skyline around it, as of a site.
    pub mask: Option<Vec<Vec<f64>>>,
    /// File of that skyline, instead of `mask`; relative to the scenario's file.
    #[schemars(extend("x-excludes" = [{ "keys": ["mask"] }]))]
    pub mask_file: Option<String>,
    /// Power that it sends to the satellite, in place of `eirp` in the feeder's budget.
    #[schemars(extend("x-min" = "-100 dBW", "x-max" = "200 dBW"))]
    pub eirp: Option<Q<Power>>,
    /// Its G/T, in place of `g_over_t` in the feeder's budget.
    #[schemars(extend("x-min" = "-100 dB/K", "x-max" = "100 dB/K"))]
    pub g_over_t: Option<Q<FigureOfMerit>>,
    /// Its rain, as of a site.
    pub rain: Option<StationRain>,
}

/// Which satellites are linked.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Pattern {
    Grid,
    Nearest,
}

/// Links between satellites, or false for none.
#[expect(clippy::large_enum_variant, reason = "there is one in a document")]
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Isl {
    Switch(bool),
    Links(IslTable),
}

/// Links between satellites. What they do not say is the preset's; without a preset they must say their rate, and their
/// queue is "50 packets".
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct IslTable {
    #[serde(flatten)]
    pub link: MovingLink,
    /// "grid": neighbours in the plane and in the planes beside it; "nearest": the nearest pairs that have a terminal free. Default "grid".
    pub pattern: Option<Pattern>,
    /// Nearest: terminals of a satellite. Default 4.
    #[schemars(range(min = 1, max = 16))]
    pub terminals: Option<u32>,
    /// These links and no others, as pairs of satellites numbered from 0, instead of a pattern.
    #[schemars(extend("x-excludes" = [{
        "keys": ["pattern", "terminals"],
        "why": "`pairs` says which satellites are linked",
        "fix": "remove `pattern` and `terminals`",
    }]))]
    pub pairs: Option<Vec<Vec<u32>>>,
    /// Grid: satellite j of a plane is linked with satellite j + shift of the next. Default: with the nearest in the mean.
    #[schemars(range(min = -1000, max = 1000))]
    pub shift: Option<i32>,
    /// Each satellite is also linked with the nearest free one of another shell. Default false.
    pub inter_shell: Option<bool>,
    /// Grid: links to the two neighbours in the plane. Default true.
    pub intra_plane: Option<bool>,
    /// Grid: links to one satellite of each neighbouring plane. Default true.
    pub inter_plane: Option<bool>,
    /// No link longer than this. Default "unlimited".
    pub max_range: Option<Q<Unlimited<Distance>>>,
}

/// A place on the ground.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Name.
    pub name: String,
    /// Geodetic latitude, north positive. Default: that of the city of this name.
    #[schemars(extend("x-min" = "-90 deg", "x-max" = "90 deg"))]
    #[schemars(extend("x-needs" = beside("longitude")))]
    pub latitude: Option<Q<Angle>>,
    /// Longitude, east positive.
    #[schemars(extend("x-min" = "-180 deg", "x-max" = "360 deg"))]
    #[schemars(extend("x-needs" = beside("latitude")))]
    pub longitude: Option<Q<Angle>>,
    /// Height over the ellipsoid, as of a site.
    #[schemars(extend("x-min" = "-500 m", "x-max" = "9 km"))]
    pub altitude: Option<Q<Altitude>>,
}

/// A place that flows may name.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Site {
    /// Name.
    pub name: String,
    /// Geodetic latitude, north positive. Default: that of the city of this name.
    #[schemars(extend("x-min" = "-90 deg", "x-max" = "90 deg"))]
    #[schemars(extend("x-needs" = beside("longitude")))]
    pub latitude: Option<Q<Angle>>,
    /// Longitude, east positive.
    #[schemars(extend("x-min" = "-180 deg", "x-max" = "360 deg"))]
    #[schemars(extend("x-needs" = beside("latitude")))]
    pub longitude: Option<Q<Angle>>,
    /// Height over the WGS84 ellipsoid, which is that over the sea within 110 m. It counts for distances, elevations and what
    /// is in view, and in place of `altitude` in the budgets of its links. Default "0 m".
    #[schemars(extend("x-min" = "-500 m", "x-max" = "9 km"))]
    pub altitude: Option<Q<Altitude>>,
    /// Its packets always pass this point of presence. Default: any.
    pub home: Option<String>,
    /// It has no dish, but fibre to the points of presence. Default false.
    pub fibre: Option<bool>,
    /// Sites of one cell are served by one beam of one satellite at a time, which `access` chooses for all of them: of the satellites
    /// that all see, by the site that is worst off. A place that several beams serve has several cells. Default: it has a beam of its own.
    pub cell: Option<String>,
    /// Its share of a transmitter, against the others of its priority that have something to send; of a beam of its own, its
    /// share of the satellite's total. Default 1.
    #[schemars(range(min = 1, max = 100))]
    pub weight: Option<u16>,
    /// Sites of a higher priority go first on a transmitter that they share. Default 0.
    #[schemars(range(min = 0, max = 7))]
    pub priority: Option<u8>,
    /// The skyline around it: pairs of azimuth (from north through east) and elevation in degrees, ordered by azimuth. Between
    /// them the elevation is linear in azimuth, around the circle; two pairs of one azimuth are the edge of a wall.
    /// Satellites below it are hidden, and those below `min_elevation`. Default: nothing is hidden.
    pub mask: Option<Vec<Vec<f64>>>,
    /// File of that skyline, instead of `mask`: a CSV file of the columns azimuth_deg and elevation_deg,
    /// relative to the scenario's file.
    #[schemars(extend("x-excludes" = [{ "keys": ["mask"] }]))]
    pub mask_file: Option<String>,
    /// Power that its dish sends to the satellite, in place of `eirp` in the budget of the link up.
    #[schemars(extend("x-min" = "-100 dBW", "x-max" = "200 dBW"))]
    pub eirp: Option<Q<Power>>,
    /// G/T of its dish, in place of `g_over_t` in the budget of the link down.
    #[schemars(extend("x-min" = "-100 dB/K", "x-max" = "100 dB/K"))]
    pub g_over_t: Option<Q<FigureOfMerit>>,
    /// Its rain: what is said here counts in place of the budgets' `rain`. Default: that of the budgets.
    pub rain: Option<StationRain>,
}

/// The other half of a place on the ground, which a latitude or a longitude needs.
fn beside(other: &str) -> Json {
    let why = "a place has both latitude and longitude, or neither and the name of a city";
    json!([{ "keys": [other], "why": why, "fix": format!("write {other} too, or remove it") }])
}
