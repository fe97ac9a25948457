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
    /// A built-in constellation. Other keys replace its values.
    pub preset: Option<String>,
    /// Name of a constellation without a preset. Default: the name of the file in `catalogue` without its extension, or
    /// "custom".
    #[schemars(extend("x-excludes" = [{ "keys": ["preset"] }]))]
    pub name: Option<String>,
    /// File of element sets (TLE, 3LE, OMM as JSON, CSV, XML or KVN). The file name is relative to the scenario's file.
    /// If an object has several element sets, the one whose epoch is nearest to the start is used.
    #[schemars(extend("x-excludes" = [{ "keys": ["preset", "walker"] }]))]
    pub catalogue: Option<String>,
    /// Start of the run in UTC (RFC 3339), for a catalogue. Default: the newest epoch of the satellites used, but at
    /// most 30 days after the median epoch.
    pub start: Option<String>,
    /// Largest time between the start of the run and the epoch of an element set. Element sets outside this limit are
    /// not used. Default: no limit.
    #[schemars(extend("x-max" = "3650 d"))]
    pub oldest: Option<Q<Span>>,
    /// What to do with satellites of a catalogue that cannot be propagated: "refuse" the run, or "skip" them. Default
    /// "refuse".
    pub unusable: Option<Unusable>,
    /// Which objects of a catalogue are used. "satellites": without objects whose names or fields show that they are
    /// not working satellites of the constellation (debris, rocket bodies, decayed satellites, satellites of other
    /// owners). "all": every object. Default "satellites".
    pub objects: Option<Objects>,
    /// Several shells, instead of `walker` or `catalogue`.
    #[schemars(extend("x-excludes" = [{ "keys": ["preset", "walker", "catalogue"] }]))]
    pub shells: Option<Vec<Shell>>,
    /// Smallest elevation at which sites use a satellite. Default "25 deg" without a preset.
    #[schemars(extend("x-min" = "-5 deg", "x-max" = "90 deg"))]
    pub min_elevation: Option<Q<Angle>>,
    /// Sites use satellites within this range at any elevation (Hypatia's rule), instead of `min_elevation`.
    #[schemars(extend("x-excludes" = [{ "keys": ["min_elevation"] }]))]
    pub max_slant_range: Option<Q<Distance>>,
    /// Sites and gateways do not use satellites within this angle of the visible geostationary arc (the topocentric
    /// angle alpha of Rec. ITU-R S.1503). Default "0 deg": no limit.
    #[schemars(extend("x-min" = "0 deg", "x-max" = "90 deg"))]
    pub gso_exclusion: Option<Q<Angle>>,
    /// Which of the satellites in view a site uses. Default: each path uses the satellite with the lowest delay.
    pub access: Option<Access>,
    /// Effects of a handover from one satellite to another. Default: none.
    pub handover: Option<Handover>,
    /// "steps": routes change at route steps. "events": routes also change between route steps when paths change, with
    /// a resolution of a millisecond. Default "steps".
    pub route_times: Option<W<RouteTimes>>,
    /// Ground stations that relay, and connect to points of presence.
    pub gateways: Option<Vec<Gateway>>,
    /// Points of presence, where gateways connect to the terrestrial network.
    pub pops: Option<Vec<Place>>,
    /// Delay of terrestrial fibre, divided by the delay of light in vacuum along the great circle. Default 1.5.
    #[schemars(range(min = 1.0, max = 10.0))]
    pub fibre_factor: Option<f64>,
    /// Link between a satellite and a gateway, in both directions. Default: the feeder link of the preset, or "10
    /// Gbit/s" and "500 packets" without a preset.
    pub feeder: Option<MovingLink>,
    /// Interval between route computations. Default "10 s" without a preset.
    #[schemars(extend("x-min" = "1 ms", "x-max" = "1 d"))]
    pub route_step: Option<Q<Span>>,
    /// Time from the epoch of the orbits to the start of the run. With another value, the satellites start at other
    /// positions. Default "0 s".
    #[schemars(extend("x-min" = "0 s", "x-max" = "365 d"))]
    pub offset: Option<Q<Span>>,
    /// What happens to packets that wait for a link when it goes down. Default "forward".
    pub in_flight: Option<W<InFlight>>,
    /// Inter-satellite links between planes are off while either end is above this latitude, north or south.
    #[schemars(extend("x-min" = "0 deg", "x-max" = "90 deg"))]
    pub isl_latitude_limit: Option<Q<Unlimited<Angle>>>,
    /// Whether there are links across the seam of a Walker star: between its first and its last plane, which move in
    /// opposite directions. Default false.
    pub cross_seam: Option<bool>,
    /// A Walker shell.
    #[schemars(extend("x-excludes" = [{ "keys": ["preset"] }]))]
    pub walker: Option<Walker>,
    /// Inter-satellite links, or false for none.
    pub isl: Option<Isl>,
    /// Link between ground and satellite if both directions are equal.
    pub user_link: Option<UserLink>,
    /// Link from ground to satellite.
    pub uplink: Option<UserLink>,
    /// Link from satellite to ground.
    pub downlink: Option<MovingLink>,
    /// Links that share one transmitter. They share the rate of the link. Default: each link has its own transmitter.
    pub shared: Option<SharedLinks>,
    /// Weights and priorities of beams within the total of their satellite. Default: all beams are equal.
    pub beams: Option<Vec<Beam>>,
    /// Places that flows may name, in addition to the built-in list. A place in this list replaces a built-in place
    /// with the same name.
    pub sites: Option<Vec<Site>>,
}

/// A shell of satellites on circular orbits in evenly spaced planes.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Walker {
    /// Number of orbital planes.
    #[schemars(range(min = 1, max = 1000))]
    pub planes: u32,
    /// Number of satellites in each plane.
    #[schemars(range(min = 1, max = 1000))]
    pub per_plane: u32,
    /// Height above the equatorial radius. Required without mean_motion. Circular orbits below 160 km are inside the
    /// atmosphere (Tsubame kept 167.4 km in 2019, the lowest altitude so far).
    #[schemars(extend("x-min" = "160 km", "x-max" = "100000 km"))]
    pub altitude: Option<Q<Distance>>,
    /// Inclination of the orbits.
    #[schemars(extend("x-min" = "0 deg", "x-max" = "180 deg"))]
    pub inclination: Q<Angle>,
    /// Angle between neighbouring ascending nodes, for a Walker star. Default: a Walker delta over 360 degrees.
    #[schemars(extend("x-min" = "0 deg", "x-max" = "360 deg"))]
    pub spacing: Option<Q<Angle>>,
    /// Longitude of the ascending node of the first plane at the start. Default "0 deg".
    #[schemars(extend("x-min" = "-360 deg", "x-max" = "360 deg"))]
    pub first_node: Option<Q<Angle>>,
    /// Phase by which a plane is ahead of the plane before it (Walker T/P/F: F * 360 / T). Default "0 deg".
    #[schemars(extend("x-min" = "-360 deg", "x-max" = "360 deg"))]
    pub phase: Option<Q<Angle>>,
    /// If true, the satellites of odd planes are half a slot ahead. This key contradicts a `phase` other than zero.
    /// Default false.
    pub alternate_half_slot: Option<bool>,
    /// Revolutions per day, instead of `altitude`. SGP4 then propagates the shell as mean elements. Default: circular
    /// orbits.
    #[schemars(range(min = 0.1, max = 17.0))]
    pub mean_motion: Option<f64>,
    /// With mean_motion: eccentricity. Default 1e-7.
    #[schemars(range(min = 0.0, max = 0.9))]
    #[schemars(extend("x-needs" = [{
        "keys": ["mean_motion"],
        "why": "`eccentricity` has an effect only with `mean_motion`",
        "fix": "remove `eccentricity`, or write mean_motion = 15.19",
    }]))]
    pub eccentricity: Option<f64>,
    /// With mean_motion: epoch of the elements and start of the run in UTC, RFC 3339. Default "2000-01-01T00:00:00Z".
    #[schemars(extend("x-needs" = [{
        "keys": ["mean_motion"],
        "why": "`epoch` has an effect only with `mean_motion`",
        "fix": "remove `epoch`, or write mean_motion = 15.19",
    }]))]
    pub epoch: Option<String>,
}

/// A shell of satellites: either `walker` or `catalogue`.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-needs" = [{
    "keys": ["walker", "catalogue"],
    "why": "a shell needs either `walker` or `catalogue`",
    "fix": "write walker = { … } or catalogue = \"file\"",
}]))]
pub struct Shell {
    /// Name of the shell. Default: the name of the constellation and a number.
    pub name: Option<String>,
    /// A Walker shell.
    pub walker: Option<Walker>,
    /// File of element sets. The file name is relative to the scenario's file.
    #[schemars(extend("x-excludes" = [{ "keys": ["walker"] }]))]
    pub catalogue: Option<String>,
}

/// Which objects of a catalogue are used.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Objects {
    Satellites,
    All,
}

/// What to do with satellites that cannot be propagated.
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
    /// How the site chooses a satellite. Default "lowest-delay".
    pub policy: Option<W<Policy>>,
    /// Interval between choices. Between two choices, a site changes its satellite only if the satellite sets. Default:
    /// every route step.
    #[schemars(extend("x-min" = "100 ms", "x-max" = "1 d"))]
    pub slot: Option<Q<Span>>,
    /// Time from the start of the run to a slot boundary. For a catalogue, slots follow the UTC clock, and the time
    /// counts from 1970-01-01T00:00:00Z. If a minute is a multiple of the slot, the value is the second of the minute
    /// at which a slot begins. Default "0 s". For slots of 15 s with a catalogue, the default is "12 s", which gives
    /// Starlink's :12, :27, :42 and :57.
    #[schemars(extend("x-max" = "1 d"))]
    pub phase: Option<Q<Span>>,
    /// At a slot boundary, the site keeps its satellite unless another satellite is higher by more than this angle.
    /// Default "0 deg".
    #[schemars(extend("x-min" = "0 deg", "x-max" = "90 deg"))]
    pub hysteresis: Option<Q<Angle>>,
}

/// Effects of a handover from one satellite to another.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Handover {
    /// Time for which the new link carries nothing. Default "0 s".
    #[schemars(extend("x-max" = "1 h"))]
    pub outage: Option<Q<Span>>,
    /// What happens to packets in the outage: they wait ("hold") or are lost ("lose"). Default "hold".
    pub during: Option<W<During>>,
}

/// Links that share a transmitter and transmit in turns, separately in each direction.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SharedLinks {
    /// Which links from sites to satellites share a transmitter. "satellite": all links to a satellite. "beam": the
    /// links of each beam, which serves the sites of a cell.
    pub uplink: Option<W<Scope>>,
    /// Which links from satellites to sites share a transmitter, with the same words as `uplink`.
    pub downlink: Option<W<Scope>>,
    /// Which links between satellites and gateways share a transmitter, in both directions: "gateway" or "satellite".
    pub feeder: Option<W<Scope>>,
    /// How turns are measured. "bytes": links with enough data get the same rate. "time": links with enough data get
    /// the same transmission time, so a link with a low rate does not slow down the other links. Default "bytes".
    pub turns: Option<W<Turns>>,
    /// Limit of the total rate of all beams from sites to a satellite. Each beam is also limited by the rate of its
    /// link. Default: no limit.
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub uplink_total: Option<Q<Rate>>,
    /// Limit of this total over time, instead of `uplink_total`: `[{ at = "0 s", rate = "90 Mbit/s" }, { at = "15 s",
    /// rate = "60 Mbit/s" }]`.
    #[schemars(extend("x-excludes" = [{ "keys": ["uplink_total"] }]))]
    pub uplink_total_steps: Option<Vec<RateStep>>,
    /// Limit of the total rate of all beams from a satellite to sites.
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub downlink_total: Option<Q<Rate>>,
    /// Limit of this total over time, instead of `downlink_total`, in the form of `uplink_total_steps`.
    #[schemars(extend("x-excludes" = [{ "keys": ["downlink_total"] }]))]
    pub downlink_total_steps: Option<Vec<RateStep>>,
    /// Limit of the total rate of all links of a gateway, in each direction. Each link is also limited by its own rate.
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub feeder_total: Option<Q<Rate>>,
    /// Limit of this total over time, instead of `feeder_total`, in the form of `uplink_total_steps`.
    #[schemars(extend("x-excludes" = [{ "keys": ["feeder_total"] }]))]
    pub feeder_total_steps: Option<Vec<RateStep>>,
}

/// The beam that serves the sites of a cell, if the beams of a satellite share a total.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Beam {
    /// Name of the cell in `sites`.
    pub cell: String,
    /// Weight of the beam in the satellite's total, among beams of the same priority that have data to send. Default 1.
    #[schemars(range(min = 1, max = 100))]
    pub weight: Option<u16>,
    /// Beams of a higher priority send first. Default 0.
    #[schemars(range(min = 0, max = 7))]
    pub priority: Option<u8>,
}

/// A ground station that relays.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gateway {
    /// Name of the gateway.
    pub name: String,
    /// Geodetic latitude, north positive. Default: the latitude of the city of this name.
    #[schemars(extend("x-min" = "-90 deg", "x-max" = "90 deg"))]
    #[schemars(extend("x-needs" = beside("longitude")))]
    pub latitude: Option<Q<Angle>>,
    /// Longitude, east positive.
    #[schemars(extend("x-min" = "-180 deg", "x-max" = "360 deg"))]
    #[schemars(extend("x-needs" = beside("latitude")))]
    pub longitude: Option<Q<Angle>>,
    /// Height above the ellipsoid, as for a site.
    #[schemars(extend("x-min" = "-500 m", "x-max" = "9 km"))]
    pub altitude: Option<Q<Altitude>>,
    /// Point of presence to which the gateway is connected. Default: none. The gateway then only relays between
    /// satellites.
    pub pop: Option<String>,
    /// Smallest elevation of the satellites that the gateway uses. Default: as for sites.
    #[schemars(extend("x-min" = "-5 deg", "x-max" = "90 deg"))]
    pub min_elevation: Option<Q<Angle>>,
    /// Smallest angle between the satellites that the gateway uses and the geostationary arc. Default: as for sites.
    #[schemars(extend("x-min" = "0 deg", "x-max" = "90 deg"))]
    pub gso_exclusion: Option<Q<Angle>>,
    /// Obstacles around the gateway, as for a site.
    pub mask: Option<Vec<Vec<f64>>>,
    /// File of obstacles, instead of `mask`. The file name is relative to the scenario's file.
    #[schemars(extend("x-excludes" = [{ "keys": ["mask"] }]))]
    pub mask_file: Option<String>,
    /// EIRP of the gateway towards the satellite, instead of `eirp` in the budget of the feeder link.
    #[schemars(extend("x-min" = "-100 dBW", "x-max" = "200 dBW"))]
    pub eirp: Option<Q<Power>>,
    /// G/T of the gateway, instead of `g_over_t` in the budget of the feeder link.
    #[schemars(extend("x-min" = "-100 dB/K", "x-max" = "100 dB/K"))]
    pub g_over_t: Option<Q<FigureOfMerit>>,
    /// Rain at the gateway, as for a site.
    pub rain: Option<StationRain>,
}

/// Which satellites are linked.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Pattern {
    Grid,
    Nearest,
}

/// Inter-satellite links, or false for none.
#[expect(clippy::large_enum_variant, reason = "a document has this type only once")]
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Isl {
    Switch(bool),
    Links(IslTable),
}

/// Inter-satellite links. Keys that are missing have the values of the preset. Without a preset, a rate is required,
/// and the default queue is "50 packets".
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct IslTable {
    #[serde(flatten)]
    pub link: MovingLink,
    /// "grid": links to neighbours in the same plane and in adjacent planes. "nearest": links between the nearest pairs
    /// of satellites with a free terminal. Default "grid".
    pub pattern: Option<Pattern>,
    /// Nearest: number of terminals per satellite. Default 4.
    #[schemars(range(min = 1, max = 16))]
    pub terminals: Option<u32>,
    /// Only these links, as pairs of satellite numbers (counted from 0), instead of a pattern.
    #[schemars(extend("x-excludes" = [{
        "keys": ["pattern", "terminals"],
        "why": "`pattern` and `terminals` have no effect, because `pairs` already determines which satellites are \
                linked",
        "fix": "remove `pattern` and `terminals`",
    }]))]
    pub pairs: Option<Vec<Vec<u32>>>,
    /// Grid: satellite j of a plane has a link to satellite j + shift of the next plane. Default: the shift with the
    /// smallest mean distance.
    #[schemars(range(min = -1000, max = 1000))]
    pub shift: Option<i32>,
    /// If true, each satellite also has a link to the nearest free satellite of another shell. Default false.
    pub inter_shell: Option<bool>,
    /// Grid: whether there are links to the two neighbours in the plane. Default true.
    pub intra_plane: Option<bool>,
    /// Grid: whether there are links to one satellite of each neighbouring plane. Default true.
    pub inter_plane: Option<bool>,
    /// Length of the longest link. Default "unlimited".
    pub max_range: Option<Q<Unlimited<Distance>>>,
}

/// A place on the ground.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Name of the place.
    pub name: String,
    /// Geodetic latitude, north positive. Default: the latitude of the city of this name.
    #[schemars(extend("x-min" = "-90 deg", "x-max" = "90 deg"))]
    #[schemars(extend("x-needs" = beside("longitude")))]
    pub latitude: Option<Q<Angle>>,
    /// Longitude, east positive.
    #[schemars(extend("x-min" = "-180 deg", "x-max" = "360 deg"))]
    #[schemars(extend("x-needs" = beside("latitude")))]
    pub longitude: Option<Q<Angle>>,
    /// Height above the ellipsoid, as for a site.
    #[schemars(extend("x-min" = "-500 m", "x-max" = "9 km"))]
    pub altitude: Option<Q<Altitude>>,
}

/// A place that flows may name.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Site {
    /// Name of the site.
    pub name: String,
    /// Number of equal sites at this place, called "NAME 1", "NAME 2" and so on. Default: one site, called NAME.
    #[schemars(range(min = 1, max = 10_000))]
    pub count: Option<u32>,
    /// Geodetic latitude, north positive. Default: the latitude of the city of this name.
    #[schemars(extend("x-min" = "-90 deg", "x-max" = "90 deg"))]
    #[schemars(extend("x-needs" = beside("longitude")))]
    pub latitude: Option<Q<Angle>>,
    /// Longitude, east positive.
    #[schemars(extend("x-min" = "-180 deg", "x-max" = "360 deg"))]
    #[schemars(extend("x-needs" = beside("latitude")))]
    pub longitude: Option<Q<Angle>>,
    /// Height above the WGS84 ellipsoid, which differs from the sea level by up to 110 m. It affects distances,
    /// elevations and visibility, and replaces `altitude` in the budgets of the site's links. Default "0 m".
    #[schemars(extend("x-min" = "-500 m", "x-max" = "9 km"))]
    pub altitude: Option<Q<Altitude>>,
    /// Point of presence that all packets of the site pass. Default: any point of presence.
    pub home: Option<String>,
    /// If true, the site has fibre to the points of presence instead of a dish. Default false.
    pub fibre: Option<bool>,
    /// Name of a cell. One beam of one satellite serves the sites of a cell at a time. `access` chooses the satellite
    /// for all of them: among the satellites that all these sites see, `access` takes the satellite whose worst value
    /// over the sites is best. If several beams serve a place, the place has several cells. Default: the site has its
    /// own beam.
    pub cell: Option<String>,
    /// Weight of the site at a shared transmitter, among sites of the same priority that have data to send. For a site
    /// with its own beam, this key is the weight in the satellite's total. Default 1.
    #[schemars(range(min = 1, max = 100))]
    pub weight: Option<u16>,
    /// At a shared transmitter, sites of a higher priority send first. Default 0.
    #[schemars(range(min = 0, max = 7))]
    pub priority: Option<u8>,
    /// Obstacles around the site: pairs of azimuth (from north through east) and elevation in degrees, ordered by
    /// azimuth. Between pairs, and across north, the elevation is linear in azimuth. Two pairs with the same azimuth
    /// are the edge of a wall. Satellites below the mask or below `min_elevation` are hidden. Default: no obstacles.
    pub mask: Option<Vec<Vec<f64>>>,
    /// File of obstacles, instead of `mask`: CSV with the columns azimuth_deg and elevation_deg, relative to the
    /// scenario's file.
    #[schemars(extend("x-excludes" = [{ "keys": ["mask"] }]))]
    pub mask_file: Option<String>,
    /// EIRP of the site's dish, instead of `eirp` in the budget of the uplink.
    #[schemars(extend("x-min" = "-100 dBW", "x-max" = "200 dBW"))]
    pub eirp: Option<Q<Power>>,
    /// G/T of the site's dish, instead of `g_over_t` in the budget of the downlink.
    #[schemars(extend("x-min" = "-100 dB/K", "x-max" = "100 dB/K"))]
    pub g_over_t: Option<Q<FigureOfMerit>>,
    /// Rain at the site, instead of `rain` in the budgets. Default: `rain` of the budgets.
    pub rain: Option<StationRain>,
}

/// Returns the rule that latitude and longitude of a place need each other.
fn beside(other: &str) -> Json {
    let why = "a place needs both latitude and longitude, or neither and the name of a city";
    json!([{ "keys": [other], "why": why, "fix": format!("write {other} as well, or remove this key") }])
}
