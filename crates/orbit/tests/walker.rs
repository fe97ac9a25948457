// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares circular shells with numbers from the literature and with closed forms.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bentpipe_orbit as orbit;
use orbit::earth::{self, distance_m};
use orbit::{Geodetic, Ground, Satellites, Walker, WalkerPattern};
use units::{Angle, Distance, Time};

fn iridium(alternate_half_slot: bool) -> Walker {
    Walker {
        planes: 6,
        per_plane: 11,
        altitude: Distance::from_km(780.0),
        inclination: Angle::from_deg(86.4),
        pattern: WalkerPattern::Star { spacing: Angle::from_deg(31.6) },
        first_node: Angle::default(),
        phase: Angle::from_deg(0.0),
        alternate_half_slot,
    }
}

fn at(secs: f64) -> Time {
    Time::from_secs_f64(secs)
}

#[test]
fn iridium_has_the_published_period() {
    // Bruno Pattan (1997), as quoted in ns-2's sat-iridium.tcl: 6026.9 s, with a = 6378 + 780 km. Our radius is 137 m
    // larger, which gives 1.5 * 0.137/7158 * 6027 s = 0.17 s more.
    assert!((iridium(true).period().secs_f64() - 0.17 - 6026.9).abs() < 0.1);
}

#[test]
fn iridium_link_lengths() {
    let shell = iridium(false);
    // 2 a sin(pi/11) with a = 7158.1 km is 4033 km, or 13.45 ms in one direction, at any time.
    for secs in [0.0, 100.0, 3000.0] {
        let length = distance_m(shell.position(0, at(secs)), shell.position(1, at(secs)));
        assert!((length / 1e3 - 4033.0).abs() < 1.0, "{length}");
        assert!((Distance::from_m(length).light_time().millis_f64() - 13.45).abs() < 0.01);
    }
    // Both satellites are at their ascending nodes: 2 a sin(31.6/2 deg) = 3898 km.
    let chord = distance_m(shell.position(0, Time::ZERO), shell.position(11, Time::ZERO));
    assert!((chord / 1e3 - 3898.0).abs() < 1.0, "{chord}");
}

#[test]
fn grid_links_in_the_plane() {
    // 2 a sin(pi/N), by hand. Starlink as filed: 2 * 6928.137 * sin(180/22 deg) = 1971.95 km. Starlink as launched (18
    // slots at 547 km): 2 * 6925.137 * sin(10 deg) = 2405.07 km. Kuiper: 2 * 7008.137 * sin(180/34 deg) = 1293.26 km.
    // Telesat: 2 * 7393.137 * sin(180/13 deg) = 3538.59 km.
    for (altitude_km, per_plane, length_km) in
        [(550.0, 22, 1971.95), (547.0, 18, 2405.07), (630.0, 34, 1293.26), (1015.0, 13, 3538.59)]
    {
        let shell = Walker { altitude: Distance::from_km(altitude_km), per_plane, ..iridium(false) };
        for (slot, secs) in (0..per_plane as usize).zip((0..).step_by(61)) {
            let next = (slot + 1) % per_plane as usize;
            let length = distance_m(
                shell.position(slot, at(f64::from(secs))),
                shell.position(next, at(f64::from(secs))),
            );
            assert!((length / 1e3 - length_km).abs() < 0.01, "{length}");
        }
    }
}

#[test]
fn iridium_with_half_slots_has_cross_links_of_2203_to_4471_km() {
    // Neighbours that are half a slot ahead, over a revolution. The values were computed independently from spherical
    // trigonometry.
    let shell = iridium(true);
    let lengths = (0..6027)
        .map(|s| distance_m(shell.position(0, at(f64::from(s))), shell.position(11, at(f64::from(s)))) / 1e3);
    let (shortest, longest) =
        lengths.fold((f64::MAX, 0.0_f64), |(low, high), length| (low.min(length), high.max(length)));
    assert!((shortest - 2203.0).abs() < 1.0, "{shortest}");
    assert!((longest - 4471.0).abs() < 1.0, "{longest}");
}

#[test]
fn iridium_leaves_a_seam_of_22_degrees() {
    // Angle between the node of plane 0 and the descending node of plane 5: 180 - 5 * 31.6 = 22.0 degrees.
    let shell = iridium(true);
    let descending = shell.ascending_node(5).deg() - 180.0;
    assert!((shell.ascending_node(0).deg() - descending - 22.0).abs() < 1e-9);
}

#[test]
fn a_pass_through_the_zenith_lasts_as_long_as_the_closed_form_says() {
    // The central angle of the Earth from the zenith to the rim is l = acos(Re cos(e)/(Re+h)) - e. The satellite covers
    // twice this angle at its mean motion n minus the component of the ground's motion along the orbit: 2 l / (n - w
    // cos i).
    // Iridium: l = 19.925 deg, 39.85/(0.059730 - 0.000262) = 670 s = 11.2 min, slant 2465 km.
    // Starlink: l = 8.45 deg, 16.90/(0.06273 - 0.00252) = 281 s = 4.7 min, slant 1123 km.
    // OneWeb: l = 20.61 deg, 41.22/(0.054833 - 0.000153) = 754 s = 12.6 min, slant 2762 km.
    // O3b: l = 58.89 deg, 117.78/(0.020846 - 0.004178) = 7066 s = 117.8 min, slant 12411 km.
    for (km, inclination_deg, mask_deg, slant_km, minutes) in [
        (780.0, 86.4, 8.2_f64, 2465.0, 11.2),
        (550.0, 53.0, 25.0, 1123.0, 4.7),
        (1200.0, 87.9, 15.0, 2762.0, 12.6),
        (8062.0, 0.0, 5.0, 12_411.0, 117.8),
    ] {
        let shell = Walker::delta(1, 1, Distance::from_km(km), Angle::from_deg(inclination_deg));
        // After a whole revolution, the satellite is over (0, 0). The site is placed below it at this time.
        let period = shell.period().secs_f64();
        let below = Geodetic::from_fixed(shell.position(0, at(period)));
        let site = Ground::new(below.latitude, below.longitude);
        assert!((below.altitude.km() - km).abs() < 0.001);
        let sine = mask_deg.to_radians().sin();
        let mut seen = (0, 0.0_f64);
        for s in 0..8000 {
            let (range, rise) = site.look(shell.position(0, at(period - 4000.0 + f64::from(s))));
            if rise >= sine {
                seen = (seen.0 + 1, seen.1.max(range / 1e3));
            }
        }
        // Pass times are quoted to 0.1 min. The slant range changes by 7 km per second.
        assert!((f64::from(seen.0) / 60.0 - minutes).abs() < 0.1, "{km}: {seen:?}");
        assert!((seen.1 - slant_km).abs() < 8.0, "{km}: {seen:?}");
    }
}

#[test]
fn the_earth_turns_under_the_orbit() {
    // One sidereal day (86164.1 s) after the start, the node is over the same longitude again.
    let shell = iridium(true);
    let sidereal_day = std::f64::consts::TAU / earth::ROTATION_RAD_S;
    assert!((sidereal_day - 86_164.1).abs() < 0.1);
    // After one revolution of 6026.9 s, the node has moved west by 360 * 6026.9/86164.1 = 25.18 degrees.
    let later = Geodetic::from_fixed(shell.position(0, at(shell.period().secs_f64())));
    assert!((later.longitude.deg() + 25.18).abs() < 0.01, "{later:?}");
    assert!(later.latitude.deg().abs() < 1e-4);
}

#[test]
fn delta_phase_is_counted_from_plane_to_plane() {
    // 1296/72/45 at 53.05 degrees: planes are 5 degrees apart, and each plane is 45 * 360/1296 = 12.5 degrees ahead of
    // the previous plane.
    let shell = Walker {
        phase: Angle::from_deg(12.5),
        ..Walker::delta(72, 18, Distance::from_km(547.0), Angle::from_deg(53.05))
    };
    assert!((shell.ascending_node(1).deg() - 5.0).abs() < 1e-12);
    assert!((shell.argument_of_latitude(1, 0).deg() - 12.5).abs() < 1e-12);
    // Over all planes, the phases add up to a whole number of slots: 72 * 12.5 = 900 = 45 slots of 20 degrees.
    assert!((shell.argument_of_latitude(72, 0).deg() % 20.0).abs() < 1e-9);
    let satellites = Satellites::Walker(shell);
    let mut positions = Vec::new();
    satellites.positions(at(7.0), &mut positions).unwrap();
    assert_eq!(positions.len(), 1296);
    assert_eq!(satellites.name(19), "2/2");
    assert_eq!(satellites.position(19, at(7.0)).unwrap(), positions[19]);
}
