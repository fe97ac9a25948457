// SPDX-License-Identifier: MIT OR Apache-2.0
//! The constellation at one moment: who links to whom, who sees whom, and the shortest way.
//!
//! Node indices: satellites first, in their own order, then sites.
//!
//! Rules for links between satellites, all of them symmetric:
//! - in the plane: the satellite before and the one behind;
//! - between planes that run the same way: satellite j of a plane with satellite j+k of the next, where k is the shift
//!   that brings them nearest in the mean (of the squared distance) over a revolution. On circular orbits k never
//!   changes. The satellite nearest at the moment does change: towards the poles it is the one ahead, as seen from
//!   both planes, so that no symmetric pairing could follow it;
//! - across the seam of a star (last and first plane run in opposite ways): at each moment the nearest two that are
//!   still free are joined, and so on;
//! - links between planes rest while either end is beyond the latitude limit (geocentric);
//! - no link is longer than the stated range, or dips below [`GRAZING_M`] above the equatorial radius.

use crate::spec::{ConstellationSpec, IslSpec, Orbits};
use crate::{Site, TopologyError};
use orbit::earth::{EQUATORIAL_RADIUS_M, distance_m, norm};
use orbit::{Fleet, Ground, Satellites, Walker, WalkerPattern};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use units::{Angle, Time};

/// Links between satellites keep this far above the ground: the thermosphere begins (Hypatia's choice).
pub(crate) const GRAZING_M: f64 = 80_000.0;

/// No node.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// A constellation that can be looked at.
pub(crate) struct Sky<'a> {
    pub spec: &'a ConstellationSpec,
    pub satellites: Satellites,
    in_plane: Vec<(u32, u32)>,
    between_planes: Vec<(u32, u32)>,
    /// Satellites of the last and of the first plane, if there are links across the seam.
    seam: Option<(Vec<u32>, Vec<u32>)>,
}

/// What the sky looks like at one moment. Reused from moment to moment.
#[derive(Default)]
pub(crate) struct Frame {
    pub positions: Vec<[f64; 3]>,
    /// Links between satellites, by satellite: the other one, metres.
    pub isls: Vec<Vec<(u32, f64)>>,
    /// Satellites above the minimum elevation, by site: the satellite, metres.
    pub views: Vec<Vec<(u32, f64)>>,
    /// Sine of the highest elevation, by site.
    pub best_sine: Vec<f64>,
}

/// Shortest ways from everywhere to one site.
#[derive(Default)]
pub(crate) struct Tree {
    distance_m: Vec<f64>,
    /// Next node on the way, by node; [`NOWHERE`] if there is no way.
    pub next: Vec<u32>,
    heap: BinaryHeap<Reverse<(u64, u32)>>,
}

impl<'a> Sky<'a> {
    pub fn new(spec: &'a ConstellationSpec) -> Result<Self, TopologyError> {
        let mut sky = Self {
            spec,
            satellites: satellites(spec)?,
            in_plane: Vec::new(),
            between_planes: Vec::new(),
            seam: None,
        };
        match (&spec.orbits, &spec.isl) {
            (_, None) => {}
            (Orbits::Tle { file, .. }, Some(_)) => {
                return Err(TopologyError::IslWithoutPlanes { file: file.clone() });
            }
            (Orbits::Walker(walker), Some(isl)) => sky.pair(walker, isl),
        }
        Ok(sky)
    }

    /// The links that the rules allow somewhere on the orbit.
    fn pair(&mut self, walker: &Walker, isl: &IslSpec) {
        let (planes, slots) = (walker.planes, walker.per_plane);
        let index = |plane: u32, slot: u32| plane * slots + slot % slots;
        if isl.intra_plane && slots > 1 {
            // Two satellites in a plane have one link, not two.
            let links = if slots == 2 { 1 } else { slots };
            for plane in 0..planes {
                self.in_plane.extend((0..links).map(|slot| (index(plane, slot), index(plane, slot + 1))));
            }
        }
        if !isl.inter_plane || planes < 2 || slots == 0 {
            return;
        }
        let mut join = |plane: u32, next: u32| {
            let shift = nearest_shift(walker, plane, next);
            self.between_planes
                .extend((0..slots).map(|slot| (index(plane, slot), index(next, slot + shift))));
        };
        for plane in 1..planes {
            join(plane - 1, plane);
        }
        match walker.pattern {
            WalkerPattern::Delta if planes > 2 => join(planes - 1, 0),
            WalkerPattern::Star { .. } if isl.cross_seam => {
                let plane = |plane: u32| (0..slots).map(|slot| index(plane, slot)).collect();
                self.seam = Some((plane(planes - 1), plane(0)));
            }
            _ => {}
        }
    }

    /// Name of a satellite for people.
    pub fn name(&self, satellite: u32) -> String {
        let name = self.satellites.name(satellite as usize);
        match self.spec.orbits {
            Orbits::Walker(_) => format!("{} {name}", self.spec.name),
            Orbits::Tle { .. } => name,
        }
    }

    /// Position of one satellite, Earth-fixed, metres.
    pub fn position(&self, satellite: u32, at: Time) -> Result<[f64; 3], TopologyError> {
        self.satellites
            .position(satellite as usize, at + self.spec.offset)
            .map_err(|error| place(self.spec, error))
    }

    /// Fills `frame` with what is there at `at`.
    pub fn look(&self, at: Time, grounds: &[Ground], frame: &mut Frame) -> Result<(), TopologyError> {
        self.satellites
            .positions(at + self.spec.offset, &mut frame.positions)
            .map_err(|error| place(self.spec, error))?;
        clear(&mut frame.isls, frame.positions.len());
        clear(&mut frame.views, grounds.len());
        frame.best_sine.clear();
        self.link_satellites(frame);
        let mask = self.spec.min_elevation.rad().sin();
        for (view, ground) in frame.views.iter_mut().zip(grounds) {
            let mut best = -1.0_f64;
            for (satellite, &position) in frame.positions.iter().enumerate() {
                let (range_m, sine) = ground.look(position);
                best = best.max(sine);
                if sine >= mask {
                    view.push((satellite as u32, range_m));
                }
            }
            frame.best_sine.push(best);
        }
        Ok(())
    }

    fn link_satellites(&self, frame: &mut Frame) {
        let Some(isl) = &self.spec.isl else { return };
        let Frame { positions, isls, .. } = frame;
        let position = |satellite: u32| positions[satellite as usize];
        let length = |a: u32, b: u32| usable(position(a), position(b), isl);
        let mut join = |a: u32, b: u32, length_m: f64| {
            isls[a as usize].push((b, length_m));
            isls[b as usize].push((a, length_m));
        };
        for &(a, b) in &self.in_plane {
            if let Some(length_m) = length(a, b) {
                join(a, b, length_m);
            }
        }
        let limit = isl.latitude_limit.map_or(1.0, |limit| limit.rad().sin());
        let steady = |satellite: u32| {
            let position = position(satellite);
            position[2].abs() <= limit * norm(position)
        };
        for &(a, b) in &self.between_planes {
            if steady(a)
                && steady(b)
                && let Some(length_m) = length(a, b)
            {
                join(a, b, length_m);
            }
        }
        if let Some((last, first)) = &self.seam {
            let mut pairs: Vec<(f64, u32, u32)> = Vec::new();
            for &a in last.iter().filter(|&&a| steady(a)) {
                for &b in first.iter().filter(|&&b| steady(b)) {
                    pairs.extend(length(a, b).map(|length_m| (length_m, a, b)));
                }
            }
            pairs.sort_by(|x, y| x.0.total_cmp(&y.0).then((x.1, x.2).cmp(&(y.1, y.2))));
            let mut taken: Vec<u32> = Vec::new();
            for (length_m, a, b) in pairs {
                if !taken.contains(&a) && !taken.contains(&b) {
                    taken.extend([a, b]);
                    join(a, b, length_m);
                }
            }
        }
    }
}

impl Frame {
    /// Whether a link between two nodes can be used now.
    pub fn linked(&self, from: u32, to: u32) -> bool {
        let satellites = self.positions.len() as u32;
        let (ground, satellite) = (from.max(to), from.min(to));
        if ground < satellites {
            self.isls[from as usize].iter().any(|&(other, _)| other == to)
        } else {
            self.views[(ground - satellites) as usize].iter().any(|&(seen, _)| seen == satellite)
        }
    }
}

impl Tree {
    /// Shortest ways to `site` (Dijkstra over metres). Sites only begin and end a way, they never relay. Of two ways
    /// of the same length the one found through the node of the lower index holds.
    pub fn grow(&mut self, frame: &Frame, site: usize) {
        let satellites = frame.positions.len();
        let nodes = satellites + frame.views.len();
        self.distance_m.clear();
        self.distance_m.resize(nodes, f64::INFINITY);
        self.next.clear();
        self.next.resize(nodes, NOWHERE);
        let root = (satellites + site) as u32;
        for &(satellite, range_m) in &frame.views[site] {
            self.reach(satellite, range_m, root);
        }
        while let Some(Reverse((bits, node))) = self.heap.pop() {
            let so_far = f64::from_bits(bits);
            if so_far > self.distance_m[node as usize] {
                continue;
            }
            for &(neighbour, length_m) in &frame.isls[node as usize] {
                self.reach(neighbour, so_far + length_m, node);
            }
        }
        for (other, view) in frame.views.iter().enumerate().filter(|&(other, _)| other != site) {
            let node = satellites + other;
            for &(satellite, range_m) in view {
                let length_m = self.distance_m[satellite as usize] + range_m;
                if length_m < self.distance_m[node] {
                    self.distance_m[node] = length_m;
                    self.next[node] = satellite;
                }
            }
        }
    }

    fn reach(&mut self, node: u32, length_m: f64, next: u32) {
        if length_m < self.distance_m[node as usize] {
            self.distance_m[node as usize] = length_m;
            self.next[node as usize] = next;
            // Lengths are not negative: their bits are in their order.
            self.heap.push(Reverse((length_m.to_bits(), node)));
        }
    }

    /// Appends the nodes of the way from `node` to the tree's site, both included; nothing if there is no way.
    pub fn way(&self, node: u32, site_node: u32, way: &mut Vec<u32>) {
        way.clear();
        if self.next[node as usize] == NOWHERE {
            return;
        }
        let mut at = node;
        while at != site_node {
            way.push(at);
            at = self.next[at as usize];
        }
        way.push(site_node);
    }
}

/// Where a site stands.
pub(crate) fn ground(site: &Site) -> Ground {
    Ground::new(site.latitude, site.longitude)
}

/// The elevation whose sine this is.
pub(crate) fn elevation(sine: f64) -> Angle {
    Angle::from_deg(sine.clamp(-1.0, 1.0).asin().to_degrees())
}

fn satellites(spec: &ConstellationSpec) -> Result<Satellites, TopologyError> {
    match &spec.orbits {
        Orbits::Walker(walker) => Ok(Satellites::Walker(walker.clone())),
        Orbits::Tle { file, start } => {
            let text = std::fs::read_to_string(file).map_err(|error| TopologyError::TleUnreadable {
                file: file.clone(),
                why: error.to_string(),
            })?;
            let fleet = Fleet::from_tle(&text, start.as_deref()).map_err(|error| place(spec, error))?;
            Ok(Satellites::Sgp4(fleet))
        }
    }
}

fn place(spec: &ConstellationSpec, error: orbit::OrbitError) -> TopologyError {
    let place = match &spec.orbits {
        Orbits::Walker(_) => spec.name.clone(),
        Orbits::Tle { file, .. } => file.display().to_string(),
    };
    TopologyError::Orbit { place, error }
}

/// The shift k for which satellite j of `plane` and satellite j+k of `next` are nearest in the mean.
fn nearest_shift(walker: &Walker, plane: u32, next: u32) -> u32 {
    // Satellites at arguments of latitude u and u+d in planes whose nodes are W apart: the cosine of the angle
    // between them is A cos d + C sin d + B cos(2u+d), by spherical trigonometry, with
    // A = (cos W (1 + cos^2 i) + sin^2 i)/2 and C = -cos i sin W. The last term has mean zero.
    let (sin_w, cos_w) = (walker.ascending_node(next).rad() - walker.ascending_node(plane).rad()).sin_cos();
    let (sin_i, cos_i) = walker.inclination.rad().sin_cos();
    let a = f64::midpoint(cos_w * (1.0 + cos_i * cos_i), sin_i * sin_i);
    let c = -cos_i * sin_w;
    let from = walker.argument_of_latitude(plane, 0).rad();
    let nearness = |shift: u32| {
        let (sin_d, cos_d) = (walker.argument_of_latitude(next, shift).rad() - from).sin_cos();
        a * cos_d + c * sin_d
    };
    // Ties (an exact half slot on a polar orbit) go to the lower shift; rounding must not decide.
    (1..walker.per_plane)
        .fold((0, nearness(0)), |best, shift| {
            let near = nearness(shift);
            if near > best.1 + 1e-12 { (shift, near) } else { best }
        })
        .0
}

/// Length of a link between two satellites in metres, if it may be.
fn usable(a: [f64; 3], b: [f64; 3], isl: &IslSpec) -> Option<f64> {
    let length_m = distance_m(a, b);
    if isl.max_range.is_some_and(|range| length_m > range.m()) {
        return None;
    }
    // Height of the triangle over the link is its least distance from the centre, if its foot lies on the link.
    let dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let (a2, b2) = (norm(a).powi(2), norm(b).powi(2));
    let foot_on_link = dot < a2.min(b2);
    let height2 = (a2 * b2 - dot * dot) / (length_m * length_m);
    (!foot_on_link || height2 > (EQUATORIAL_RADIUS_M + GRAZING_M).powi(2)).then_some(length_m)
}

fn clear<T>(lists: &mut Vec<Vec<T>>, len: usize) {
    lists.resize_with(len, Vec::new);
    for list in lists {
        list.clear();
    }
}
