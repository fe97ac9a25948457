// SPDX-License-Identifier: MIT OR Apache-2.0
//! Inter-satellite links: which satellites are linked.
//!
//! All links are symmetric. A grid has three kinds of links.
//!
//! - In the plane: each satellite is linked to the satellites in front of it and behind it.
//! - Between planes that move in the same direction: satellite j of a plane is linked to satellite j+k of the next
//!   plane. The scenario gives the shift k; otherwise k is the shift with the smallest mean squared distance over a
//!   revolution. On circular orbits this shift never changes. The momentarily nearest satellite, however, changes.
//!   Towards the poles, the nearest satellite is the satellite ahead, for both planes. A symmetric pairing cannot
//!   follow this change.
//! - Across the seam of a star, where the last and the first plane move in opposite directions. At each time, the
//!   nearest two free satellites are linked, then the next nearest two, and so on.
//!
//! Links between planes are off while the (geocentric) latitude of either end exceeds the limit. A link is also off if
//! it is longer than the given range, or passes less than [`GRAZING_M`] above the equatorial radius.

use crate::spec::{IslPattern, IslSpec};
use orbit::earth::{EQUATORIAL_RADIUS_M, distance_m, norm};
use orbit::{Walker, WalkerPattern};
use std::f64::consts::PI;

/// Minimum height of links between satellites above the equatorial radius, in metres. The value is the bottom of the
/// thermosphere, as in Hypatia.
pub(crate) const GRAZING_M: f64 = 80_000.0;

/// The satellites of one plane in their order along the orbit.
#[derive(Clone, Debug)]
pub(crate) struct Plane {
    pub members: Vec<u32>,
}

/// A link between two satellites, and its length in metres.
pub(crate) type Edge = (u32, u32, f64);

/// All links that the rules can create, before they are checked for given positions of the satellites.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pairing {
    steady: Vec<(u32, u32)>,
    between_planes: Vec<(u32, u32)>,
    /// For each seam, the satellites of the last and of the first plane of the star.
    seams: Vec<(Vec<u32>, Vec<u32>)>,
    /// Index of the first satellite of each shell, followed by the number of all satellites.
    shells: Vec<u32>,
}

impl Pairing {
    /// Creates a pairing without links. `shells` contains the index of the first satellite of each shell, followed by
    /// the number of all satellites.
    pub fn new(shells: Vec<u32>) -> Self {
        Self { shells, ..Self::default() }
    }

    /// Adds exactly these links.
    pub fn list(&mut self, pairs: &[(u32, u32)]) {
        self.steady.extend(pairs.iter().map(|&(a, b)| (a.min(b), a.max(b))));
        self.steady.sort_unstable();
        self.steady.dedup();
    }

    /// Adds the grid of a Walker shell whose first satellite has the index `first`.
    pub fn walker(&mut self, walker: &Walker, first: u32, isl: &IslSpec) {
        let (planes, slots) = (walker.planes, walker.per_plane);
        let members = |plane: u32| (0..slots).map(move |slot| first + plane * slots + slot);
        for plane in 0..planes {
            self.ring(&Plane { members: members(plane).collect() }, isl);
        }
        if !isl.inter_plane || planes < 2 || slots == 0 {
            return;
        }
        // From the first plane around to the first plane, the phases add up to F slots. Satellite j of the last plane
        // is therefore a neighbour of satellite j + shift + F of the first plane.
        let wrap = if walker.alternate_half_slot {
            0
        } else {
            let slot_deg = 360.0 / f64::from(slots);
            (f64::from(planes) * walker.phase.deg() / slot_deg).round() as i64
        };
        let join = |pairs: &mut Vec<(u32, u32)>, plane: u32, next: u32| {
            let shift = match isl.shift {
                Some(shift) => i64::from(shift) + if next < plane { wrap } else { 0 },
                None => i64::from(nearest_shift(walker, plane, next)),
            };
            pairs.extend((0..slots).map(|slot| {
                let other = (i64::from(slot) + shift).rem_euclid(i64::from(slots)) as u32;
                (first + plane * slots + slot, first + next * slots + other)
            }));
        };
        for plane in 1..planes {
            join(&mut self.between_planes, plane - 1, plane);
        }
        match walker.pattern {
            WalkerPattern::Delta if planes > 2 => join(&mut self.between_planes, planes - 1, 0),
            WalkerPattern::Star { .. } if isl.cross_seam => {
                self.seams.push((members(planes - 1).collect(), members(0).collect()));
            }
            _ => {}
        }
    }

    /// Adds the links along a plane.
    pub fn ring(&mut self, plane: &Plane, isl: &IslSpec) {
        let slots = plane.members.len();
        if !isl.intra_plane || slots < 2 {
            return;
        }
        // A plane of two satellites has only one link.
        let links = if slots == 2 { 1 } else { slots };
        self.steady.extend((0..links).map(|slot| (plane.members[slot], plane.members[(slot + 1) % slots])));
    }

    /// Adds links between two planes of real satellites, from all positions at the start. The nearest pair is linked
    /// first, then the nearest pair of the remaining satellites, and so on.
    pub fn planes(&mut self, a: &Plane, b: &Plane, positions: &[[f64; 3]]) {
        let mut pairs: Vec<Edge> = Vec::new();
        for &one in &a.members {
            for &other in &b.members {
                let length_m = distance_m(positions[one as usize], positions[other as usize]);
                pairs.push((one, other, length_m));
            }
        }
        greedy(pairs, 1, positions.len(), |a, b, _| self.between_planes.push((a, b)));
    }

    /// Writes the links that exist for these positions to `edges`.
    pub fn links(&self, isl: &IslSpec, positions: &[[f64; 3]], edges: &mut Vec<Edge>) {
        edges.clear();
        let length = |a: u32, b: u32| usable(positions[a as usize], positions[b as usize], isl);
        let limit = isl.latitude_limit.map_or(1.0, |limit| limit.rad().sin());
        let low = |satellite: u32| {
            let position = positions[satellite as usize];
            limit >= 1.0 || position[2].abs() <= limit * norm(position)
        };
        for &(a, b) in &self.steady {
            edges.extend(length(a, b).map(|length_m| (a, b, length_m)));
        }
        for &(a, b) in &self.between_planes {
            if low(a) && low(b) {
                edges.extend(length(a, b).map(|length_m| (a, b, length_m)));
            }
        }
        for (last, first) in &self.seams {
            let mut pairs: Vec<Edge> = Vec::new();
            for &a in last.iter().filter(|&&a| low(a)) {
                for &b in first.iter().filter(|&&b| low(b)) {
                    pairs.extend(length(a, b).map(|length_m| (a, b, length_m)));
                }
            }
            greedy(pairs, 1, positions.len(), |a, b, length_m| edges.push((a, b, length_m)));
        }
        if let IslPattern::Nearest { terminals } = isl.pattern {
            let pairs = near_pairs(positions, isl, |_, _| true);
            greedy(pairs, terminals, positions.len(), |a, b, length_m| edges.push((a, b, length_m)));
        }
        if isl.inter_shell && self.shells.len() > 2 {
            let shell = |satellite: u32| self.shells.partition_point(|&first| first <= satellite);
            let pairs = near_pairs(positions, isl, |a, b| shell(a) != shell(b));
            greedy(pairs, 1, positions.len(), |a, b, length_m| edges.push((a, b, length_m)));
        }
    }
}

/// Calls `take` for the shortest pair whose ends both have a free terminal, and repeats this for the remaining pairs.
/// If two pairs have the same length, the pair with the lower indices is first.
fn greedy(mut pairs: Vec<Edge>, terminals: u32, satellites: usize, mut take: impl FnMut(u32, u32, f64)) {
    pairs.sort_unstable_by(|x, y| x.2.total_cmp(&y.2).then((x.0, x.1).cmp(&(y.0, y.1))));
    let mut used = vec![0_u32; satellites];
    for (a, b, length_m) in pairs {
        if used[a as usize] < terminals && used[b as usize] < terminals {
            used[a as usize] += 1;
            used[b as usize] += 1;
            take(a, b, length_m);
        }
    }
}

/// Smallest search radius in metres for links without a maximum range. The search radius is also at least four times
/// the mean distance of satellites. Within it, a satellite finds enough neighbours for all its terminals.
const SEARCH_M: f64 = 1_700_000.0;

/// Returns the search radius for possible neighbours, in metres.
fn search_m(positions: &[[f64; 3]], isl: &IslSpec) -> f64 {
    isl.max_range.map_or_else(
        || {
            let square: f64 = positions.iter().map(|&position| dot_self(position)).sum();
            // Each satellite has an equal share of the sphere with the mean radius: 4 pi r^2 / n = 4 pi (sum of r^2) /
            // n^2.
            let mean_m = (4.0 * PI * square).sqrt() / (positions.len().max(1) as f64);
            SEARCH_M.max(4.0 * mean_m)
        },
        units::Distance::m,
    )
}

/// Returns the pairs of satellites that may be linked, the lower index first. The distance of a pair is at most the
/// maximum range or [`search_m`].
fn near_pairs(positions: &[[f64; 3]], isl: &IslSpec, wanted: impl Fn(u32, u32) -> bool) -> Vec<Edge> {
    let range_m = search_m(positions, isl);
    // After sorting the satellites by x, only satellites with a similar x must be compared.
    let mut by_x: Vec<u32> = (0..positions.len() as u32).collect();
    let x = |satellite: u32| positions[satellite as usize][0];
    by_x.sort_unstable_by(|&a, &b| x(a).total_cmp(&x(b)).then(a.cmp(&b)));
    let mut pairs = Vec::new();
    for (at, &a) in by_x.iter().enumerate() {
        for &b in by_x[at + 1..].iter().take_while(|&&b| x(b) - x(a) <= range_m) {
            let (a, b) = (a.min(b), a.max(b));
            if wanted(a, b)
                && let Some(length_m) = usable(positions[a as usize], positions[b as usize], isl)
                && length_m <= range_m
            {
                pairs.push((a, b, length_m));
            }
        }
    }
    pairs
}

/// Returns the shift k with the smallest mean distance between satellite j of `plane` and satellite j+k of `next`.
fn nearest_shift(walker: &Walker, plane: u32, next: u32) -> u32 {
    // Consider satellites at arguments of latitude u and u+d in planes whose nodes are W apart. By spherical
    // trigonometry, the cosine of the angle between them is A cos d + C sin d + B cos(2u+d), with A = (cos W (1 + cos^2
    // i) + sin^2 i)/2 and C = -cos i sin W. The last term has mean zero.
    let (sin_w, cos_w) = (walker.ascending_node(next).rad() - walker.ascending_node(plane).rad()).sin_cos();
    let (sin_i, cos_i) = walker.inclination.rad().sin_cos();
    let a = f64::midpoint(cos_w * (1.0 + cos_i * cos_i), sin_i * sin_i);
    let c = -cos_i * sin_w;
    let from = walker.argument_of_latitude(plane, 0).rad();
    let nearness = |shift: u32| {
        let (sin_d, cos_d) = (walker.argument_of_latitude(next, shift).rad() - from).sin_cos();
        a * cos_d + c * sin_d
    };
    // Two shifts can be equally near (an exact half slot on a polar orbit). The lower shift is then used; rounding
    // errors must not decide.
    (1..walker.per_plane)
        .fold((0, nearness(0)), |best, shift| {
            let near = nearness(shift);
            if near > best.1 + 1e-12 { (shift, near) } else { best }
        })
        .0
}

/// Returns the length of a link between two satellites in metres; `None` if the link is not allowed.
fn usable(a: [f64; 3], b: [f64; 3], isl: &IslSpec) -> Option<f64> {
    let length_m = distance_m(a, b);
    if isl.max_range.is_some_and(|range| length_m > range.m()) {
        return None;
    }
    // The link is the base of a triangle whose third corner is the centre of the Earth. If the foot of the height is on
    // the link, the height is the smallest distance of the link from the centre.
    let dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let (a2, b2) = (dot_self(a), dot_self(b));
    // The position of a satellite that has left is the centre of the Earth.
    if a2.min(b2) <= 0.0 {
        return None;
    }
    let foot_on_link = dot < a2.min(b2);
    let clear_m = EQUATORIAL_RADIUS_M + GRAZING_M;
    let clears = a2 * b2 - dot * dot > clear_m * clear_m * length_m * length_m;
    (!foot_on_link || clears).then_some(length_m)
}

fn dot_self(v: [f64; 3]) -> f64 {
    v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
}
