// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Earth: its ellipsoid and rotation, places on its surface, and the view from these places.

use units::{Angle, Distance};

/// Semi-major axis of the WGS84 ellipsoid, in metres (NIMA TR8350.2, table 3.1).
pub const EQUATORIAL_RADIUS_M: f64 = 6_378_137.0;
/// Flattening of the WGS84 ellipsoid (NIMA TR8350.2, table 3.1).
pub const FLATTENING: f64 = 1.0 / 298.257_223_563;
/// Mean radius for great-circle distances, in metres (IUGG: (2a+b)/3, rounded).
pub const MEAN_RADIUS_M: f64 = 6_371_000.0;
/// Rotation rate in an inertial frame, in rad/s (NIMA TR8350.2, table 3.1).
pub const ROTATION_RAD_S: f64 = 7.292_115_0e-5;

/// Square of the first eccentricity of the ellipsoid.
const E2: f64 = FLATTENING * (2.0 - FLATTENING);

/// Latitude, longitude, and height above the WGS84 ellipsoid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geodetic {
    /// Geodetic latitude, positive to the north.
    pub latitude: Angle,
    /// Longitude in (-180, 180] degrees, positive to the east.
    pub longitude: Angle,
    /// Height above the ellipsoid; negative below it.
    pub altitude: Distance,
}

/// A place on the ground, with its position and its vertical.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Earth-fixed position, in metres.
    pub position_m: [f64; 3],
    /// Unit vector to the zenith (normal to the ellipsoid).
    up: [f64; 3],
}

impl Geodetic {
    /// Returns the Earth-fixed position, in metres.
    pub fn to_fixed(&self) -> [f64; 3] {
        let (sin_lat, cos_lat) = self.latitude.rad().sin_cos();
        let (sin_lon, cos_lon) = self.longitude.rad().sin_cos();
        // Radius of curvature in the prime vertical.
        let n = EQUATORIAL_RADIUS_M / (1.0 - E2 * sin_lat * sin_lat).sqrt();
        let h = self.altitude.m();
        [(n + h) * cos_lat * cos_lon, (n + h) * cos_lat * sin_lon, (n * (1.0 - E2) + h) * sin_lat]
    }

    /// Converts an Earth-fixed position, in metres. The result is accurate to a millimetre from the ground to
    /// geostationary height.
    pub fn from_fixed(position_m: [f64; 3]) -> Self {
        let [x, y, z] = position_m;
        let p = x.hypot(y);
        // Fixed-point iteration for tan(lat) = (z + e2 N sin lat) / p. Each step reduces the error by the factor e2 =
        // 0.0067.
        let mut latitude = z.atan2(p * (1.0 - E2));
        let mut n = EQUATORIAL_RADIUS_M;
        for _ in 0..6 {
            let sin = latitude.sin();
            n = EQUATORIAL_RADIUS_M / (1.0 - E2 * sin * sin).sqrt();
            latitude = (z + E2 * n * sin).atan2(p);
        }
        let (sin, cos) = latitude.sin_cos();
        // Height along the normal. This formula is numerically stable at the poles and at the equator.
        let altitude = p * cos + z * sin - n * (1.0 - E2 * sin * sin);
        Self {
            latitude: Angle::from_deg(latitude.to_degrees()),
            longitude: Angle::from_deg(y.atan2(x).to_degrees()),
            altitude: Distance::from_m(altitude),
        }
    }
}

impl Ground {
    /// Returns the place on the ellipsoid at these coordinates.
    pub fn new(latitude: Angle, longitude: Angle) -> Self {
        Self::at(Geodetic { latitude, longitude, altitude: Distance::default() })
    }

    /// Returns a place above or below the ellipsoid. Its horizon is the horizontal plane through the place.
    pub fn at(place: Geodetic) -> Self {
        let (sin_lat, cos_lat) = place.latitude.rad().sin_cos();
        let (sin_lon, cos_lon) = place.longitude.rad().sin_cos();
        Self { position_m: place.to_fixed(), up: [cos_lat * cos_lon, cos_lat * sin_lon, sin_lat] }
    }

    /// Returns the slant range, in metres, and the sine of the elevation of an object at `position_m` (Earth-fixed).
    pub fn look(&self, position_m: [f64; 3]) -> (f64, f64) {
        let d = [0, 1, 2].map(|i| position_m[i] - self.position_m[i]);
        let range = norm(d);
        let rise = d[0] * self.up[0] + d[1] * self.up[1] + d[2] * self.up[2];
        (range, rise / range)
    }

    /// Returns the unit vector to the zenith.
    pub(crate) const fn up(&self) -> [f64; 3] {
        self.up
    }

    /// Returns the azimuth of an object at `position_m` (Earth-fixed), in [0, 360) degrees clockwise from north.
    pub fn azimuth(&self, position_m: [f64; 3]) -> Angle {
        let d = [0, 1, 2].map(|i| position_m[i] - self.position_m[i]);
        let [x, y, z] = self.up;
        // East is the z axis times `up`, and north is `up` times east. The length of both vectors is the cosine of the
        // latitude.
        let east = d[1] * x - d[0] * y;
        let north = d[2] * (x * x + y * y) - z * (d[0] * x + d[1] * y);
        Angle::from_deg(east.atan2(north).to_degrees().rem_euclid(360.0))
    }

    /// Returns the elevation of an object at `position_m` (Earth-fixed) above the horizon.
    pub fn elevation(&self, position_m: [f64; 3]) -> Angle {
        Angle::from_deg(self.look(position_m).1.clamp(-1.0, 1.0).asin().to_degrees())
    }
}

/// Returns the length of a vector.
pub fn norm(v: [f64; 3]) -> f64 {
    (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt()
}

/// Returns the straight-line distance between two positions, in metres.
pub fn distance_m(a: [f64; 3], b: [f64; 3]) -> f64 {
    norm([a[0] - b[0], a[1] - b[1], a[2] - b[2]])
}

/// Latitude and longitude of a place on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coordinates {
    /// Latitude, positive to the north.
    pub latitude: Angle,
    /// Longitude, positive to the east.
    pub longitude: Angle,
}

/// Returns the great-circle distance on the mean sphere ([`MEAN_RADIUS_M`]).
pub fn great_circle(a: Coordinates, b: Coordinates) -> Distance {
    // The haversine formula is numerically stable for short distances.
    let half_lat = ((b.latitude.rad() - a.latitude.rad()) / 2.0).sin();
    let half_lon = ((b.longitude.rad() - a.longitude.rad()) / 2.0).sin();
    let h = half_lat * half_lat + a.latitude.rad().cos() * b.latitude.rad().cos() * half_lon * half_lon;
    Distance::from_m(2.0 * MEAN_RADIUS_M * h.clamp(0.0, 1.0).sqrt().asin())
}

/// Converts a vector from an inertial frame to a frame that is rotated eastward by `angle_rad`.
pub(crate) fn turn(v: [f64; 3], angle_rad: f64) -> [f64; 3] {
    let (sin, cos) = angle_rad.sin_cos();
    [v[0] * cos + v[1] * sin, v[1] * cos - v[0] * sin, v[2]]
}

/// Returns the velocity v - w x r in a frame that rotates about z at `rate_rad_s`. The components of `position` and
/// `velocity` are along the axes of that frame, but `velocity` is measured in an inertial frame.
pub(crate) fn turning(position: [f64; 3], velocity: [f64; 3], rate_rad_s: f64) -> [f64; 3] {
    let [x, y, _] = position;
    [velocity[0] + rate_rad_s * y, velocity[1] - rate_rad_s * x, velocity[2]]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deg(x: f64) -> Angle {
        Angle::from_deg(x)
    }

    /// Result of Skyfield 1.55: height (m), Earth-fixed position (m), elevation and azimuth (degrees), distance (km).
    type Looked = (f64, [f64; 3], f64, f64, f64);
    const SKYFIELD: [Looked; 3] = [
        (
            0.0,
            [2_276_662.946_720_984, -5_677_688.991_091_291, -1_799_848.009_211_362_8],
            24.588_432_730_995_81,
            91.271_921_614_667_87,
            1_135.802_575_627_717,
        ),
        (
            3640.0,
            [2_277_961.886_414_266_7, -5_680_928.370_731_581, -1_800_881.825_066_085],
            24.421_240_436_019_637,
            91.271_921_614_667_87,
            1_134.292_811_020_812_2,
        ),
        (
            -430.0,
            [2_276_509.500_548_426, -5_677_306.317_123_173, -1_799_725.882_613_14],
            24.608_154_080_031_586,
            91.271_921_614_667_87,
            1_135.981_564_725_602_8,
        ),
    ];

    #[test]
    fn ellipsoid_has_its_known_axes() {
        // WGS84: a = 6378137 m, b = 6356752.3142 m (NIMA TR8350.2, table 3.3).
        let equator = Ground::new(deg(0.0), deg(90.0)).position_m;
        let pole = Ground::new(deg(90.0), deg(0.0)).position_m;
        assert!(distance_m(equator, [0.0, 6_378_137.0, 0.0]) < 1e-3);
        assert!(distance_m(pole, [0.0, 0.0, 6_356_752.314_2]) < 1e-3);
    }

    /// Expected: La Paz (16.5° S, 68.15° W) and a satellite at 550 km over 16.5° S, 59.21° W, by Skyfield 1.55:
    ///
    /// ```text
    /// site = wgs84.latlon(-16.5, -68.15, elevation_m=h); (satellite - site).at(t).altaz()
    /// ```
    ///
    /// By hand, at an elevation e of 25°: consider a place that is higher by h = 3640 m. At this place, the elevation
    /// of the satellite is lower by h cos(e) / range = 3640 m cos(25°) / 1123 km = 0.168°, and the distance is shorter
    /// by h sin(e) = 1.54 km.
    #[test]
    fn who_stands_high_sees_satellites_lower_and_nearer() {
        let satellite =
            Geodetic { latitude: deg(-16.5), longitude: deg(-59.21), altitude: Distance::from_m(550e3) };
        let looks = SKYFIELD.map(|(height_m, position_m, elevation_deg, azimuth_deg, range_km)| {
            let altitude = Distance::from_m(height_m);
            let place = Ground::at(Geodetic { latitude: deg(-16.5), longitude: deg(-68.15), altitude });
            assert!(distance_m(place.position_m, position_m) < 1e-6, "{height_m} m: {place:?}");
            let (range_m, _) = place.look(satellite.to_fixed());
            let elevation = place.elevation(satellite.to_fixed()).deg();
            assert!((elevation - elevation_deg).abs() < 1e-9, "{height_m} m: {elevation}");
            assert!((place.azimuth(satellite.to_fixed()).deg() - azimuth_deg).abs() < 1e-9);
            assert!((range_m / 1e3 - range_km).abs() < 1e-7, "{height_m} m: {range_m}");
            (elevation, range_m / 1e3)
        });
        let [(sea_deg, sea_km), (high_deg, high_km), _] = looks;
        assert!((sea_deg - high_deg - 0.168).abs() < 0.005, "{sea_deg} {high_deg}");
        assert!((sea_km - high_km - 1.54).abs() < 0.05, "{sea_km} {high_km}");
        // At altitude zero, the result is exactly the same as without an altitude.
        let there = Geodetic { latitude: deg(-16.5), longitude: deg(-68.15), altitude: Distance::default() };
        assert_eq!(Ground::at(there), Ground::new(deg(-16.5), deg(-68.15)));
    }

    #[test]
    fn geodetic_and_back_within_a_millimetre() {
        for latitude in [-90.0, -89.999, -45.0, -1e-6, 0.0, 37.9, 60.0, 90.0] {
            for (longitude, height) in [(-122.3, 0.0), (179.9, 550e3), (0.0, 780e3), (12.0, 35_786e3)] {
                let place = Geodetic {
                    latitude: deg(latitude),
                    longitude: deg(longitude),
                    altitude: Distance::from_m(height),
                };
                let fixed = place.to_fixed();
                let back = Geodetic::from_fixed(fixed);
                assert!(distance_m(back.to_fixed(), fixed) < 1e-3, "{place:?} {back:?}");
                assert!((back.altitude.m() - height).abs() < 1e-3, "{place:?} {back:?}");
                assert!((back.latitude.deg() - latitude).abs() < 1e-8, "{place:?} {back:?}");
            }
        }
    }

    #[test]
    fn zenith_and_horizon() {
        let site = Ground::new(deg(0.0), deg(0.0));
        assert_eq!(site.elevation([7_000_000.0, 0.0, 0.0]).deg(), 90.0);
        assert!(site.elevation([6_378_137.0, 1e6, 0.0]).deg().abs() < 1e-9);
        // A geostationary satellite, seen from a place on the equator 81.30 degrees of longitude away, is on the
        // horizon at a distance of 41679 km (cos g = 6378.137/42164.17).
        let g = (6_378.137_f64 / 42_164.17).acos();
        let (range, sine) = site.look([42_164_170.0 * g.cos(), 42_164_170.0 * g.sin(), 0.0]);
        assert!(sine.abs() < 1e-9);
        assert!((range / 1e3 - 41_679.0).abs() < 1.0, "{range}");
    }

    #[test]
    fn azimuths_are_those_of_dishes() {
        // From London (51.5 N, 0.13 W) to geostationary satellites at 28.2 and 13.0 E and 0.8 W. On a sphere, the
        // azimuth is 180 degrees minus atan(tan dl / sin lat), where dl is the difference of longitude.
        let london = Ground::new(deg(51.5), deg(-0.13));
        for (longitude, azimuth) in [(28.2_f64, 145.44), (13.0, 163.40), (-0.8, 180.86)] {
            let (sin, cos) = longitude.to_radians().sin_cos();
            let found = london.azimuth([42_164_200.0 * cos, 42_164_200.0 * sin, 0.0]).deg();
            assert!((found - azimuth).abs() < 0.05, "{longitude}: {found}");
        }
        // Places slightly to the north, east, south and west.
        for (latitude, longitude) in [(10.0, 20.0), (-60.0, 179.9), (88.0, -100.0)] {
            let place = Ground::new(deg(latitude), deg(longitude));
            let at = |d_lat: f64, d_lon: f64| {
                let there = Ground::new(deg(latitude + d_lat), deg(longitude + d_lon)).position_m;
                place.azimuth(there).deg()
            };
            assert!((at(1e-4, 0.0) + 180.0).rem_euclid(360.0) - 180.0 < 1e-3);
            assert!((at(0.0, 1e-4) - 90.0).abs() < 1e-3 && (at(0.0, -1e-4) - 270.0).abs() < 1e-3);
            assert!((at(-1e-4, 0.0) - 180.0).abs() < 1e-3);
        }
    }

    #[test]
    fn great_circles_of_the_literature() {
        // Distance between the ground stations of the Hybla-IM paper, Berkeley and Boston: 4317 km (computed
        // independently).
        let place = |(north, east)| Coordinates { latitude: deg(north), longitude: deg(east) };
        let km = |a: (f64, f64), b: (f64, f64)| great_circle(place(a), place(b)).km();
        assert!((km((37.9, -122.3), (42.3, -71.1)) - 4317.0).abs() < 0.6);
        // A quarter of a great circle on R = 6371 km: 6371 pi / 2 = 10007.543 km.
        assert!((km((0.0, 0.0), (0.0, 90.0)) - 10_007.543).abs() < 0.001);
        assert!((km((0.0, 0.0), (90.0, 17.0)) - 10_007.543).abs() < 0.001);
    }
}
