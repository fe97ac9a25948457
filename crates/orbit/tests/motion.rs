// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares velocities with differences of positions, and range rates with closed forms.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bentpipe_orbit as orbit;
use orbit::earth::{EQUATORIAL_RADIUS_M, ROTATION_RAD_S, distance_m, norm};
use orbit::{Fleet, Satellites, Walker};
use sgp4::MinutesSinceEpoch;
use units::{Angle, Distance, Time};

const ONEWEB: &str = include_str!("../../../data/oneweb_2022-09-14.tle");

fn shell(altitude_km: f64, inclination_deg: f64) -> Walker {
    Walker {
        phase: Angle::from_deg(11.0),
        ..Walker::delta(5, 7, Distance::from_km(altitude_km), Angle::from_deg(inclination_deg))
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Returns the derivative by five-point differences, from positions 0.25 and 0.5 s before and after. At these
/// altitudes, the error of this method is below a micrometre per second.
fn difference(place: impl Fn(f64) -> [f64; 3]) -> [f64; 3] {
    let (a, b, c, d) = (place(-0.5), place(-0.25), place(0.25), place(0.5));
    [0, 1, 2].map(|i| (a[i] - 8.0 * b[i] + 8.0 * c[i] - d[i]) / (12.0 * 0.25))
}

#[test]
fn velocity_on_a_circle_is_what_positions_change_by() {
    for (km, inclination_deg) in [(550.0, 53.0), (1200.0, 87.9), (35_786.0, 0.0), (590.0, 148.0)] {
        let satellites = Satellites::Walker(shell(km, inclination_deg));
        for (index, secs) in (0..satellites.len()).zip((10..).step_by(977)) {
            let at = |offset: f64| Time::from_secs_f64(f64::from(secs) + offset);
            let (position, velocity) = satellites.state(index, at(0.0)).unwrap();
            let place = |offset: f64| satellites.position(index, at(offset)).unwrap();
            assert!(distance_m(position, place(0.0)) < 1e-6);
            let off = distance_m(velocity, difference(place));
            assert!(off < 1e-5, "{}: {off} m/s", satellites.name(index));
        }
    }
}

#[test]
fn velocity_of_sgp4_is_what_positions_change_by() {
    // The velocity of SGP4 is not exactly the derivative of its position (it differs by cm/s, because not all periodic
    // terms are differentiated). The rotation to the Earth-fixed frame must not add to this difference.
    let fleet = Fleet::from_tle(ONEWEB, None).unwrap();
    let satellites = Satellites::Sgp4(fleet.clone());
    let mut worst = (0.0_f64, 0.0_f64);
    for index in (0..fleet.len()).step_by(5) {
        let constants = orbit::fleet::constants(fleet.elements(index)).unwrap();
        for secs in [10.0, 1234.5, 5000.0] {
            let at = |offset: f64| Time::from_secs_f64(secs + offset);
            let (position, velocity) = satellites.state(index, at(0.0)).unwrap();
            let place = |offset: f64| satellites.position(index, at(offset)).unwrap();
            assert!(distance_m(position, place(0.0)) < 1e-6);
            let off = distance_m(velocity, difference(place));

            let epoch_s = fleet.age_days(index) * 86_400.0 + secs;
            let state =
                |offset: f64| constants.propagate(MinutesSinceEpoch((epoch_s + offset) / 60.0)).unwrap();
            let quotient = difference(|offset| state(offset).position);
            let own = distance_m(state(0.0).velocity, quotient) * 1e3;
            worst = (worst.0.max(off), worst.1.max((off - own).abs()));
        }
    }
    assert!(worst.0 < 0.05 && worst.1 < 1e-3, "{worst:?} m/s");
}

#[test]
fn a_geostationary_satellite_stands_still() {
    // One revolution per sidereal day: 35,786 km.
    let (_, velocity) = Satellites::Walker(shell(35_786.0, 0.0)).state(0, Time::ZERO).unwrap();
    assert!(norm(velocity) < 0.05, "{velocity:?}");
}

#[test]
fn greatest_range_rates() {
    // A satellite is at its node. A site below its orbit, on a sphere of the equatorial radius, sees the satellite at
    // the given elevation. By hand, with v = sqrt(mu/r) and lengths in km, the range rate is Re/r cos(elevation)
    // v_along. In the inertial frame, v_along is v. For a site that rotates with the Earth, v_along is v - w r cos(i),
    // where w r cos(i) is the component of the Earth's rotation along the orbit.
    // Example Starlink: r is 6928.137, v is 7.5851, and Re/r cos is 0.83436. In the inertial frame, v_along is 7.5851
    // and the range rate is 6.329. For a rotating site, v_along is smaller by 0.5052 * 0.6018 = 0.3040, and the range
    // rate is 6.075.
    for (name, km, inclination_deg, elevation_deg, still_km_s, turning_km_s) in [
        ("Starlink 550", 550.0, 53.0, 25.0_f64, 6.329, 6.075),
        ("Starlink 340", 340.0, 53.0, 25.0, 6.628, 6.374),
        ("Kuiper 630", 630.0, 51.9, 35.0, 5.622, 5.387),
        ("OneWeb 1200", 1200.0, 87.9, 15.0, 5.896, 5.880),
        ("Telesat 1015", 1015.0, 98.98, 10.0, 6.238, 6.310),
        ("Iridium 780", 780.0, 86.4, 8.2, 6.581, 6.552),
        ("O3b 8062", 8062.0, 0.0, 5.0, 2.312, 1.849),
    ] {
        let (position, velocity) = shell(km, inclination_deg).state(0, Time::ZERO);
        let r = norm(position);
        // The velocity in the inertial frame: the rotation that was subtracted is added again.
        let inertial = [
            velocity[0] - ROTATION_RAD_S * position[1],
            velocity[1] + ROTATION_RAD_S * position[0],
            velocity[2],
        ];
        let speed = norm(inertial);
        let elevation = elevation_deg.to_radians();
        let central = (EQUATORIAL_RADIUS_M / r * elevation.cos()).acos() - elevation;
        let (sin, cos) = central.sin_cos();
        let site =
            [0, 1, 2].map(|i| EQUATORIAL_RADIUS_M * (cos * position[i] / r - sin * inertial[i] / speed));
        let sight = [0, 1, 2].map(|i| position[i] - site[i]);
        let rate = |velocity: [f64; 3]| dot(velocity, sight) / norm(sight) / 1e3;
        assert!((rate(inertial) - still_km_s).abs() < 2e-3, "{name}: {}", rate(inertial));
        assert!((rate(velocity) - turning_km_s).abs() < 2e-3, "{name}: {}", rate(velocity));
    }
}
