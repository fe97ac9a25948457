// SPDX-License-Identifier: MIT OR Apache-2.0
//! Obstacles that hide a part of the sky from a place on the ground: a skyline of buildings and trees, and the
//! geostationary arc.

use crate::view::all_or_none;
use orbit::gso::is_geostationary;
use orbit::{Ground, GsoArc};
use std::f64::consts::{FRAC_PI_2, PI};
use std::fmt;
use units::Angle;

/// Largest number of points of a mask: one per tenth of a degree.
pub const MOST_POINTS: usize = 3600;
/// Lowest and highest elevation of a mask, in degrees. The bounds are those of minimum elevations. From a hill, the
/// horizon is below the horizontal.
pub const ELEVATION_DEG: (f64, f64) = (-5.0, 90.0);

/// The skyline around a place. Satellites below it are hidden.
///
/// Between two points, the elevation is linear in azimuth, around the full circle. Two points with the same azimuth
/// form the edge of a wall.
#[derive(Clone, Debug, PartialEq)]
pub struct Mask {
    /// Azimuth (clockwise from north) and elevation of each point in degrees, in the order of azimuth.
    points: Vec<(f64, f64)>,
}

/// An error in the points of a mask.
#[derive(Clone, Debug, PartialEq)]
pub struct MaskError {
    /// Index of the wrong point; `None` if the error concerns all points.
    pub point: Option<usize>,
    why: String,
}

impl fmt::Display for MaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl Mask {
    /// Creates a skyline through points of azimuth (clockwise from north) and elevation, in degrees. The points must be
    /// in the order of azimuth.
    ///
    /// # Errors [`MaskError`] if there are no points or more than `MOST_POINTS`, if a point is out of bounds or out of
    /// order, or if more than two points have the same azimuth.
    pub fn new(points: Vec<(f64, f64)>) -> Result<Self, MaskError> {
        let fault = |point, why: String| Err(MaskError { point, why });
        if points.is_empty() {
            return fault(
                None,
                "a mask needs at least one point (write mask = [[0, 25], [90, 40]])".to_owned(),
            );
        }
        if points.len() > MOST_POINTS {
            let why = format!("{} points are too many for a mask: the limit is {MOST_POINTS}", points.len());
            return fault(None, why);
        }
        let (low, high) = ELEVATION_DEG;
        for (index, &(azimuth, elevation)) in points.iter().enumerate() {
            let at = Some(index);
            if !(0.0..=360.0).contains(&azimuth) {
                return fault(
                    at,
                    format!("{azimuth} is not an azimuth: it must be within 0 and 360 degrees"),
                );
            }
            if !(low..=high).contains(&elevation) {
                return fault(
                    at,
                    format!("{elevation} is not an elevation: it must be within {low} and {high} degrees"),
                );
            }
            let before = |back: usize| index.checked_sub(back).map(|before| points[before].0);
            if let Some(last) = before(1).filter(|&last| last > azimuth) {
                return fault(
                    at,
                    format!(
                        "azimuth {azimuth} comes after {last} (sort the points by azimuth, from 0 to 360)"
                    ),
                );
            }
            if before(2) == Some(azimuth) {
                let why = format!(
                    "azimuth {azimuth} is listed three times: two points already make the edge of a wall \
                    (remove one)"
                );
                return fault(at, why);
            }
        }
        Ok(Self { points })
    }

    /// Returns the points: azimuth and elevation in degrees.
    pub fn points(&self) -> &[(f64, f64)] {
        &self.points
    }

    /// Returns the elevation of the skyline in a direction.
    pub fn elevation(&self, azimuth: Angle) -> Angle {
        let azimuth = azimuth.deg().rem_euclid(360.0);
        let (first, last) = (self.points[0], self.points[self.points.len() - 1]);
        let next = self.points.partition_point(|point| point.0 <= azimuth);
        let from = if next == 0 { (last.0 - 360.0, last.1) } else { self.points[next - 1] };
        let to = self.points.get(next).copied().unwrap_or((first.0 + 360.0, first.1));
        let share = if to.0 > from.0 { (azimuth - from.0) / (to.0 - from.0) } else { 0.0 };
        Angle::from_deg(from.1 + share * (to.1 - from.1))
    }
}

impl Mask {
    /// Returns the lowest and the highest elevation of the skyline within `half_deg` on either side of a direction, in
    /// degrees.
    fn extremes(&self, azimuth: Angle, half_deg: f64) -> (f64, f64) {
        let wider = |(low, high): (f64, f64), e: f64| (low.min(e), high.max(e));
        let all =
            |points: &[(f64, f64)], found| points.iter().fold(found, |found, point| wider(found, point.1));
        let none = (f64::INFINITY, f64::NEG_INFINITY);
        if half_deg >= 180.0 {
            return all(&self.points, none);
        }
        let (from, to) = (azimuth.deg() - half_deg, azimuth.deg() + half_deg);
        let ends = [from, to].map(|deg| self.elevation(Angle::from_deg(deg)).deg());
        let found = wider(wider(none, ends[0]), ends[1]);
        // Between the ends, the skyline can have an extreme only at a point.
        let (from, to) = (from.rem_euclid(360.0), to.rem_euclid(360.0));
        let first = self.points.partition_point(|point| point.0 < from);
        let last = self.points.partition_point(|point| point.0 <= to);
        let found = if from <= to {
            all(&self.points[first..last.max(first)], found)
        } else {
            all(&self.points[..last], all(&self.points[first..], found))
        };
        // 0 and 360 are the same direction.
        let seam = from > to || from == 0.0;
        let round = |point: &&(f64, f64)| seam && (point.0 == 0.0 || point.0 == 360.0);
        self.points.iter().filter(round).fold(found, |found, point| wider(found, point.1))
    }
}

/// The obstacles that hide satellites from a place.
#[derive(Clone, Debug)]
pub(crate) struct Obstacles {
    mask: Option<Mask>,
    /// The geostationary arc, and the smallest allowed angle between it and a satellite.
    arc: Option<(GsoArc, Angle)>,
}

impl Obstacles {
    /// Returns the obstacles around a place: its mask, and the part of the sky within `gso_exclusion` of the
    /// geostationary arc. Returns `None` if there are no obstacles.
    pub fn around(ground: &Ground, mask: Option<&Mask>, gso_exclusion: Angle) -> Option<Self> {
        let arc = Some(gso_exclusion).filter(|angle| angle.deg() > 0.0);
        let arc = arc.and_then(|angle| Some((GsoArc::over(ground)?, angle)));
        let mask = mask.cloned();
        (mask.is_some() || arc.is_some()).then_some(Self { mask, arc })
    }

    /// Returns the clearance of a direction from the obstacles; negative if the direction is hidden. The clearance from
    /// the skyline is a difference of sines of elevation. The clearance from the arc is an angle in radians. The
    /// smaller value is returned.
    pub fn clearance(&self, ground: &Ground, position_m: [f64; 3], sine: f64) -> f64 {
        let above = self
            .mask
            .as_ref()
            .map_or(f64::INFINITY, |mask| sine - mask.elevation(ground.azimuth(position_m)).rad().sin());
        let beside = match &self.arc {
            Some((arc, angle)) if !is_geostationary(position_m) => {
                arc.separation(position_m).rad() - angle.rad()
            }
            _ => f64::INFINITY,
        };
        above.min(beside)
    }

    /// Considers the disc of directions around a direction, between the elevations `low` and `high` (radians). Returns
    /// `Some(true)` if no direction of the disc is hidden, `Some(false)` if all are hidden, and `None` otherwise.
    pub fn surely(&self, ground: &Ground, position_m: [f64; 3], low: f64, high: f64) -> Option<bool> {
        let (middle, around) = (f64::midpoint(low, high), (high - low) / 2.0);
        let above = self.mask.as_ref().map_or(Some(true), |mask| {
            // Half of the azimuths that the disc spans, if the disc does not reach the zenith. The tangent to the disc
            // forms a right-angled triangle.
            let half = if middle.abs() + around < FRAC_PI_2 {
                (around.sin() / middle.cos()).clamp(0.0, 1.0).asin()
            } else {
                PI
            };
            let (least, most) = mask.extremes(ground.azimuth(position_m), half.to_degrees());
            all_or_none(low >= most.to_radians(), high < least.to_radians())
        });
        let beside = match &self.arc {
            Some((arc, angle)) if !is_geostationary(position_m) => {
                let apart = arc.separation(position_m).rad();
                all_or_none(apart - around >= angle.rad(), apart + around < angle.rad())
            }
            _ => Some(true),
        };
        match (above, beside) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        }
    }

    /// Returns the scenario keys of these obstacles.
    pub const fn keys(&self) -> &'static str {
        match (&self.mask, &self.arc) {
            (Some(_), None) => "`mask` or `mask_file`",
            (None, _) => "`gso_exclusion`",
            (Some(_), Some(_)) => "`mask` or `mask_file` and `gso_exclusion`",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mask(points: &[(f64, f64)]) -> Mask {
        Mask::new(points.to_vec()).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn skylines_go_from_point_to_point_around_the_circle() {
        // A slope from 10 degrees in the east to 50 degrees in the south, a wall from 200 to 300 degrees, and a level
        // skyline through the north.
        let around =
            mask(&[(90.0, 10.0), (180.0, 50.0), (200.0, 50.0), (200.0, 80.0), (300.0, 80.0), (300.0, 10.0)]);
        for (azimuth, elevation) in [
            (90.0, 10.0),
            (135.0, 30.0),
            (180.0, 50.0),
            (199.9, 50.0),
            (200.1, 80.0),
            (299.9, 80.0),
            (300.1, 10.0),
            (0.0, 10.0),
            (359.9, 10.0),
            (45.0, 10.0),
            (-45.0, 10.0),
            (495.0, 30.0),
        ] {
            let found = around.elevation(Angle::from_deg(azimuth)).deg();
            assert!((found - elevation).abs() < 1e-9, "{azimuth}: {found}");
        }
        // Through the north: from 20 degrees high at azimuth 350 to 40 degrees high at azimuth 10.
        let north = mask(&[(10.0, 40.0), (350.0, 20.0)]);
        for (azimuth, elevation) in
            [(350.0, 20.0), (355.0, 25.0), (0.0, 30.0), (360.0, 30.0), (5.0, 35.0), (180.0, 30.0)]
        {
            assert!((north.elevation(Angle::from_deg(azimuth)).deg() - elevation).abs() < 1e-9, "{azimuth}");
        }
        // A single point is a skyline of constant elevation. A wall may end in the north.
        assert_eq!(mask(&[(77.0, 33.0)]).elevation(Angle::from_deg(200.0)).deg(), 33.0);
        let half = mask(&[(0.0, 60.0), (180.0, 60.0), (180.0, 5.0), (360.0, 5.0)]);
        for (azimuth, elevation) in [(0.0, 60.0), (0.1, 60.0), (179.0, 60.0), (181.0, 5.0), (359.9, 5.0)] {
            assert_eq!(half.elevation(Angle::from_deg(azimuth)).deg(), elevation, "{azimuth}");
        }
    }

    #[test]
    fn points_that_make_no_skyline_are_refused() {
        for (points, at, why) in [
            (vec![], None, "needs at least one point"),
            (
                vec![(0.0, 1.0); MOST_POINTS + 1],
                None,
                "3601 points are too many for a mask: the limit is 3600",
            ),
            (
                vec![(0.0, 1.0), (361.0, 1.0)],
                Some(1),
                "361 is not an azimuth: it must be within 0 and 360 degrees",
            ),
            (vec![(f64::NAN, 1.0)], Some(0), "NaN is not an azimuth"),
            (vec![(0.0, 91.0)], Some(0), "91 is not an elevation: it must be within -5 and 90 degrees"),
            (vec![(0.0, f64::NAN)], Some(0), "NaN is not an elevation"),
            (vec![(0.0, 1.0), (90.0, 1.0), (45.0, 1.0)], Some(2), "azimuth 45 comes after 90"),
            (vec![(9.0, 1.0), (9.0, 2.0), (9.0, 3.0)], Some(2), "azimuth 9 is listed three times"),
        ] {
            let Err(error) = Mask::new(points) else { panic!("it must be refused: {why}") };
            assert_eq!(error.point, at, "{error}");
            assert!(error.to_string().contains(why), "{error}");
        }
    }
}
