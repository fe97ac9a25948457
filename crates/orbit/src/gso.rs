// SPDX-License-Identifier: MIT OR Apache-2.0
//! The geostationary arc as seen from a place on the ground.

use crate::Ground;
use crate::earth::norm;
use units::Angle;

/// Radius of the geostationary orbit, in metres. The source is Rec. ITU-R S.1503-2, constants of the simulation (`Rgeo`
/// = 42,164.2 km).
pub const GEOSTATIONARY_RADIUS_M: f64 = 42_164_200.0;
/// Half the height of the geostationary region, in metres: 200 km above and below the geostationary orbit. The region
/// also extends 15 degrees north and south (IADC Space Debris Mitigation Guidelines, section 3.3.2, region B).
const REGION_M: f64 = 200_000.0;
const REGION_DEG: f64 = 15.0;
/// Number of points at which the arc is computed. Neighbouring points are at most 4 degrees of longitude apart, so that
/// the angle between a direction and the arc has at most one extreme between them.
const POINTS: usize = 41;
/// Number of bisections of the interval between two points. The remaining interval is shorter than a microdegree.
const HALVINGS: u32 = 24;

/// The part of the geostationary orbit above the horizon of a place, without refraction.
///
/// The coordinates are rotated so that the place is at longitude zero.
#[derive(Clone, Debug, PartialEq)]
pub struct GsoArc {
    /// Sine and cosine of the longitude of the place.
    turn: (f64, f64),
    /// Position of the place, in metres: distance from the Earth's axis, and height above the equatorial plane.
    place_m: (f64, f64),
    /// Half the length of the arc, as a difference of longitude in radians.
    half_rad: f64,
    /// Unit vectors from the place to the points of the arc, from west to east.
    toward: Vec<[f64; 3]>,
}

impl GsoArc {
    /// Returns the arc over a place; `None` near the poles, where the arc is below the horizon.
    pub fn over(ground: &Ground) -> Option<Self> {
        let [x, y, z] = ground.position_m;
        let place_m = (x.hypot(y), z);
        let [x_up, y_up, sin_lat] = ground.up();
        let cos_lat = x_up.hypot(y_up);
        // A point a = R (cos l, sin l, 0) is on the horizon of the place P if (a - P) . up = 0.
        let horizon = (place_m.0 * cos_lat + z * sin_lat) / (GEOSTATIONARY_RADIUS_M * cos_lat);
        let half_rad = if horizon < 1.0 { horizon.acos() } else { return None };
        let direction = |point: usize| {
            let (sin, cos) = longitude(half_rad, point).sin_cos();
            let d = [GEOSTATIONARY_RADIUS_M * cos - place_m.0, GEOSTATIONARY_RADIUS_M * sin, -place_m.1];
            let range = norm(d);
            d.map(|side| side / range)
        };
        let toward = (0..POINTS).map(direction).collect();
        Some(Self { turn: (y_up / cos_lat, x_up / cos_lat), place_m, half_rad, toward })
    }

    /// Returns the topocentric angle alpha of Rec. ITU-R S.1503-2: the smallest angle, seen from the place, between the
    /// direction to `position_m` (Earth-fixed) and any point of the arc.
    pub fn separation(&self, position_m: [f64; 3]) -> Angle {
        let (sin, cos) = self.turn;
        let [x, y, z] = position_m;
        let d = [x * cos + y * sin - self.place_m.0, y * cos - x * sin, z - self.place_m.1];
        let range = norm(d);
        let u = d.map(|side| side / range);
        let mut nearest = (0, f64::NEG_INFINITY);
        for (point, a) in self.toward.iter().enumerate() {
            let cosine = u[0] * a[0] + u[1] * a[1] + u[2] * a[2];
            if cosine > nearest.1 {
                nearest = (point, cosine);
            }
        }
        let mut west = longitude(self.half_rad, nearest.0.saturating_sub(1));
        let mut east = longitude(self.half_rad, (nearest.0 + 1).min(POINTS - 1));
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(west, east);
            if self.cosine(u, middle).1 > 0.0 { west = middle } else { east = middle }
        }
        let cosine = self.cosine(u, f64::midpoint(west, east)).0.max(nearest.1);
        Angle::from_deg(cosine.clamp(-1.0, 1.0).acos().to_degrees())
    }

    /// Returns the cosine of the angle between the direction `u` and the point of the arc at a longitude. Also returns
    /// a number with the same sign as the derivative of this cosine with respect to eastward longitude.
    fn cosine(&self, u: [f64; 3], longitude_rad: f64) -> (f64, f64) {
        let (sin, cos) = longitude_rad.sin_cos();
        let (r, (rho, z)) = (GEOSTATIONARY_RADIUS_M, self.place_m);
        // Let a = R (cos l, sin l, 0), n = u . (a - P) and D^2 = |a - P|^2. The cosine is n / D, and its derivative is
        // (n' D^2 - n R rho sin l) / D^3.
        let n = r * (u[0] * cos + u[1] * sin) - u[0] * rho - u[2] * z;
        let square = r * r + rho * rho + z * z - 2.0 * r * rho * cos;
        let slope = r * (u[1] * cos - u[0] * sin) * square - n * r * rho * sin;
        (n / square.sqrt(), slope)
    }
}

/// Returns the longitude of one of the [`POINTS`] of an arc, relative to the place.
fn longitude(half_rad: f64, point: usize) -> f64 {
    half_rad * (2.0 * point as f64 / (POINTS - 1) as f64 - 1.0)
}

/// Returns whether `position_m` (Earth-fixed) is in the geostationary region.
pub fn is_geostationary(position_m: [f64; 3]) -> bool {
    let radius_m = norm(position_m);
    (radius_m - GEOSTATIONARY_RADIUS_M).abs() <= REGION_M
        && position_m[2].abs() <= radius_m * REGION_DEG.to_radians().sin()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::earth::Geodetic;
    use units::Distance;

    fn ground(latitude: f64, longitude: f64) -> Ground {
        Ground::new(Angle::from_deg(latitude), Angle::from_deg(longitude))
    }

    fn fixed(latitude: f64, longitude: f64, km: f64) -> [f64; 3] {
        Geodetic {
            latitude: Angle::from_deg(latitude),
            longitude: Angle::from_deg(longitude),
            altitude: Distance::from_km(km),
        }
        .to_fixed()
    }

    /// Returns a point in a given direction from a place. Azimuth and elevation are in degrees.
    fn along(latitude: f64, longitude: f64, azimuth: f64, elevation: f64) -> [f64; 3] {
        let place = ground(latitude, longitude);
        let ((sin_lat, cos_lat), (sin_lon, cos_lon)) =
            (latitude.to_radians().sin_cos(), longitude.to_radians().sin_cos());
        let ((sin_az, cos_az), (sin_el, cos_el)) =
            (azimuth.to_radians().sin_cos(), elevation.to_radians().sin_cos());
        let up = [cos_lat * cos_lon, cos_lat * sin_lon, sin_lat];
        let north = [-sin_lat * cos_lon, -sin_lat * sin_lon, cos_lat];
        let east = [-sin_lon, cos_lon, 0.0];
        [0, 1, 2].map(|i| {
            place.position_m[i] + 1e6 * (cos_el * (cos_az * north[i] + sin_az * east[i]) + sin_el * up[i])
        })
    }

    #[test]
    fn at_the_equator_the_arc_goes_through_the_zenith_from_east_to_west() {
        // All satellites over the equator are on the arc. If a direction in the north or south has the elevation e, its
        // angle to the arc is 90 - e.
        let arc = GsoArc::over(&ground(0.0, 100.0)).unwrap_or_else(|| panic!("the arc stands overhead"));
        for longitude in [85.0, 100.0, 113.0] {
            assert!(arc.separation(fixed(0.0, longitude, 550.0)).deg() < 1e-4);
        }
        for elevation in [10.0, 45.0, 72.0, 89.0] {
            for azimuth in [0.0, 180.0] {
                let alpha = arc.separation(along(0.0, 100.0, azimuth, elevation)).deg();
                assert!((alpha - (90.0 - elevation)).abs() < 1e-4, "{elevation}: {alpha}");
            }
        }
    }

    #[test]
    fn due_south_of_the_northern_hemisphere_the_arc_stands_where_dishes_for_television_point() {
        // Look angles to a geostationary satellite at the longitude of the place, over a sphere: tan E = (cos lat - R /
        // r) / sin lat, as in guides for the installation of dishes. On the ellipsoid, E differs by up to 0.2 degrees.
        for (latitude, elevation) in [(51.5, 31.1), (40.0, 43.7), (-33.9, 50.6)] {
            let arc = GsoArc::over(&ground(latitude, 18.4)).unwrap_or_else(|| panic!("the arc is up"));
            let south = if latitude > 0.0 { 180.0 } else { 0.0 };
            for above in [-20.0, -3.0, 0.0, 5.0, 22.0] {
                // In the meridian, the arc is highest and horizontal. Its nearest point is therefore directly below or
                // above the direction.
                let alpha = arc.separation(along(latitude, 18.4, south, elevation + above)).deg();
                assert!((alpha - f64::abs(above)).abs() < 0.25, "{latitude} {above}: {alpha}");
            }
        }
    }

    #[test]
    fn near_the_poles_the_earth_hides_the_arc() {
        // On a sphere, the arc is above the horizon for latitudes up to acos(6378.137 / 42164.2) = 81.30 degrees.
        for (latitude, seen) in [(81.0, true), (-81.0, true), (81.6, false), (-90.0, false), (90.0, false)] {
            assert_eq!(GsoArc::over(&ground(latitude, 40.0)).is_some(), seen, "{latitude}");
        }
    }

    #[test]
    fn geostationary_satellites_are_part_of_the_arc() {
        assert!(is_geostationary(fixed(0.0, 9.0, 35_786.0)) && is_geostationary(fixed(14.9, 9.0, 35_786.0)));
        for (latitude, km) in [(16.0, 35_786.0), (0.0, 35_500.0), (0.0, 36_100.0), (0.0, 550.0)] {
            assert!(!is_geostationary(fixed(latitude, 9.0, km)), "{latitude} {km}");
        }
    }
}
