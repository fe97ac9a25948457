// SPDX-License-Identifier: MIT OR Apache-2.0
//! The satellites that a place on the ground sees, found without checking all satellites.
//!
//! Satellites are sorted into cells of latitude and longitude. A place checks only the cells that its cone of vision
//! can reach. Satellites far above all others, such as a satellite on a transfer orbit, are few. They are always
//! checked.

use crate::mask::{Mask, Obstacles};
use crate::spec::Visibility;
use orbit::Ground;
use orbit::earth::{EQUATORIAL_RADIUS_M, norm};
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use units::Angle;

/// Number of cells from pole to pole (`BANDS`), and around the Earth (`SECTORS`).
const BANDS: usize = 45;
const SECTORS: usize = 90;
/// Margin around the cone on a sphere, in radians. The normal of the ellipsoid leans by up to 0.193 degrees. The radius
/// of the Earth varies by 21 km, which corresponds to a fifth of a degree at an elevation of 25 degrees.
const MARGIN_RAD: f64 = 0.6 / 180.0 * PI;
/// Distance from the centre of the Earth, in metres, above which satellites are not sorted into cells.
const LOW_M: f64 = EQUATORIAL_RADIUS_M + 2.5e6;
/// Satellites up to this height, in metres, above the highest low satellite at the start are sorted into cells.
/// Satellites above this height are always checked.
const SLACK_M: f64 = 50_000.0;

/// Data with which a place finds the satellites that it sees.
#[derive(Clone, Debug)]
pub(crate) struct Observer {
    pub ground: Ground,
    rule: Visibility,
    /// Obstacles that hide some of the satellites that the rule allows.
    obstacles: Option<Obstacles>,
    /// The cells within its cone, in order.
    cells: Vec<u32>,
}

/// Satellites sorted by cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells {
    /// For each cell, its first index in `members`, and one past the last index. The last cell contains the satellites
    /// that are always checked.
    first: Vec<u32>,
    members: Vec<u32>,
    cell_of: Vec<u32>,
}

/// A satellite that a place can use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sighting {
    pub satellite: u32,
    pub range_m: f64,
    pub sine: f64,
}

/// Returns the distance from the centre of the Earth, in metres, above which satellites are always checked. It exceeds
/// the highest of the low satellites at the start.
pub(crate) fn sorted_below(positions: &[[f64; 3]]) -> f64 {
    positions.iter().map(|&position| norm(position)).filter(|&radius| radius <= LOW_M).fold(0.0, f64::max)
        + SLACK_M
}

impl Cells {
    /// Sorts satellites into cells. Satellites beyond `below_m` from the centre of the Earth are in the last cell.
    pub fn sort(&mut self, positions: &[[f64; 3]], below_m: f64) {
        let cells = BANDS * SECTORS + 1;
        self.cell_of.clear();
        self.cell_of.extend(positions.iter().map(|&[x, y, z]| {
            let radius = norm([x, y, z]);
            if radius > below_m {
                return (cells - 1) as u32;
            }
            let band = band((z / radius).asin());
            (band * SECTORS + sector(y.atan2(x))) as u32
        }));
        self.first.clear();
        self.first.resize(cells + 1, 0);
        for &cell in &self.cell_of {
            self.first[cell as usize + 1] += 1;
        }
        for cell in 0..cells {
            self.first[cell + 1] += self.first[cell];
        }
        self.members.resize(positions.len(), 0);
        let mut at = self.first.clone();
        for (satellite, &cell) in self.cell_of.iter().enumerate() {
            self.members[at[cell as usize] as usize] = satellite as u32;
            at[cell as usize] += 1;
        }
    }

    fn cell(&self, cell: usize) -> &[u32] {
        &self.members[self.first[cell] as usize..self.first[cell + 1] as usize]
    }
}

impl Observer {
    /// Creates the view of a place that sees satellites by `rule`. Satellites farther than `below_m` from the centre of
    /// the Earth are always checked.
    pub fn new(ground: Ground, rule: Visibility, below_m: f64) -> Self {
        let [x, y, z] = ground.position_m;
        let (latitude, longitude) = ((z / norm([x, y, z])).asin(), y.atan2(x));
        let cone = (cone(rule, norm([x, y, z]), below_m) + MARGIN_RAD).min(PI);
        let mut cells = Vec::new();
        let bands = band((latitude - cone).max(-FRAC_PI_2))..=band((latitude + cone).min(FRAC_PI_2));
        // A cap over a pole touches every meridian. Any other cap extends asin(sin cone / cos latitude) to each side.
        let half = if latitude.abs() + cone < FRAC_PI_2 {
            (cone.sin() / latitude.cos()).clamp(0.0, 1.0).asin()
        } else {
            PI
        };
        let from = sector(longitude - half);
        let count = if half >= PI - TAU / SECTORS as f64 {
            SECTORS
        } else {
            (sector(longitude + half) + SECTORS - from) % SECTORS + 1
        };
        for band in bands {
            cells.extend((0..count).map(|step| (band * SECTORS + (from + step) % SECTORS) as u32));
        }
        cells.push((BANDS * SECTORS) as u32);
        Self { ground, rule, obstacles: None, cells }
    }

    /// Adds obstacles to the view.
    pub fn behind(mut self, mask: Option<&Mask>, gso_exclusion: Angle) -> Self {
        self.obstacles = Obstacles::around(&self.ground, mask, gso_exclusion);
        self
    }

    /// Returns the obstacles that hide some of the satellites that the rule allows.
    pub const fn obstacles(&self) -> Option<&Obstacles> {
        self.obstacles.as_ref()
    }

    /// Writes the satellites that the place can use, in the order of their indices.
    pub fn see(&self, cells: &Cells, positions: &[[f64; 3]], seen: &mut Vec<Sighting>) {
        seen.clear();
        for &cell in &self.cells {
            for &satellite in cells.cell(cell as usize) {
                let (range_m, sine) = self.ground.look(positions[satellite as usize]);
                let usable = match self.rule {
                    Visibility::Elevation(least) => sine >= least.rad().sin(),
                    Visibility::Range(most) => range_m <= most.m(),
                };
                let free = |obstacles: &Obstacles| {
                    obstacles.clearance(&self.ground, positions[satellite as usize], sine) >= 0.0
                };
                if usable && self.obstacles.as_ref().is_none_or(free) {
                    seen.push(Sighting { satellite, range_m, sine });
                }
            }
        }
        seen.sort_unstable_by_key(|sighting| sighting.satellite);
    }

    /// Returns the clearance of a satellite: its height above the bound, or its distance from the obstacles if that is
    /// smaller. The satellite is usable if the clearance is not negative.
    pub fn clearance(&self, position: [f64; 3]) -> f64 {
        let reach = self.reach(position);
        match &self.obstacles {
            // Satellites out of reach need no check of obstacles.
            Some(obstacles) if reach >= 0.0 => {
                let sine = self.ground.look(position).1;
                reach.min(obstacles.clearance(&self.ground, position, sine))
            }
            _ => reach,
        }
    }

    /// Considers all positions within `reach_m` of a position. Returns `Some(true)` if all are usable, `Some(false)` if
    /// none is usable, and `None` if both are uncertain.
    pub fn surely(&self, position: [f64; 3], reach_m: f64) -> Option<bool> {
        let (range_m, sine) = self.ground.look(position);
        if reach_m >= range_m {
            return None;
        }
        // Seen from the ground, the ball appears as a disc of this radius.
        let around = (reach_m / range_m).asin();
        let (low, high) = (sine.clamp(-1.0, 1.0).asin() - around, sine.clamp(-1.0, 1.0).asin() + around);
        let within = match self.rule {
            Visibility::Elevation(least) => all_or_none(low >= least.rad(), high < least.rad()),
            Visibility::Range(most) => {
                all_or_none(range_m + reach_m <= most.m(), range_m - reach_m > most.m())
            }
        };
        match (within, &self.obstacles) {
            (Some(false), _) | (_, None) => within,
            (_, Some(obstacles)) => match obstacles.surely(&self.ground, position, low, high) {
                Some(true) => within,
                hidden_or_unsure => hidden_or_unsure,
            },
        }
    }

    /// Returns the height above the bound, without obstacles. Its unit is a difference of sines of elevation, or metres
    /// of range. The satellite is in reach if the value is not negative.
    pub fn reach(&self, position: [f64; 3]) -> f64 {
        let (range_m, sine) = self.ground.look(position);
        match self.rule {
            Visibility::Elevation(least) => sine - least.rad().sin(),
            Visibility::Range(most) => most.m() - range_m,
        }
    }
}

/// Returns `Some(true)` if `all`, `Some(false)` if `none`, and `None` otherwise.
pub(crate) const fn all_or_none(all: bool, none: bool) -> Option<bool> {
    match (all, none) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

/// Returns the central angle of the cone of vision, up to a sphere of radius `radius_m` around the Earth.
fn cone(rule: Visibility, ground_m: f64, radius_m: f64) -> f64 {
    match rule {
        // Plane triangle of site, satellite and centre: cos(elevation + angle) = R cos(elevation) / r.
        Visibility::Elevation(least) => {
            let least = least.rad();
            (ground_m * least.cos() / radius_m).clamp(-1.0, 1.0).acos() - least
        }
        // Law of cosines. The angle is largest for the lowest satellite, so the ground's radius gives an upper bound.
        Visibility::Range(most) => 2.0 * (most.m() / (2.0 * ground_m)).clamp(0.0, 1.0).asin(),
    }
}

fn band(latitude_rad: f64) -> usize {
    let x = (latitude_rad + FRAC_PI_2) / PI * BANDS as f64;
    (x.max(0.0) as usize).min(BANDS - 1)
}

fn sector(longitude_rad: f64) -> usize {
    let x = longitude_rad.rem_euclid(TAU) / TAU * SECTORS as f64;
    (x as usize).min(SECTORS - 1)
}

#[cfg(test)]
mod tests;
