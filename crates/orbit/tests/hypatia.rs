// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares a shell of SGP4 elements with round trips that Hypatia stored (data/SOURCE.md). Hypatia propagates with
//! PyEphem and computes ranges from an observer on the WGS72 ellipsoid. The path is read from the stored data; tests of
//! the crate `topology` check that the path is found.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bentpipe_orbit as orbit;
use orbit::earth::distance_m;
use orbit::{Fleet, Ground, Satellites, Walker, WalkerPattern};
use units::{Angle, Distance, Time};

const PATHS: &str = include_str!("data/networkx_path_1173_to_1229.txt");
const ROUND_TRIPS: &str = include_str!("data/networkx_rtt_1173_to_1229.txt");
const LIGHT_M_S: f64 = 299_792_458.0;

/// A fleet as in Hypatia's `main_kuiper_630.py`: 34 planes of 34 satellites, 51.9 degrees, 14.80 revolutions per day.
/// Odd planes are half a slot ahead.
fn kuiper_630() -> Fleet {
    let walker = Walker {
        planes: 34,
        per_plane: 34,
        altitude: Distance::from_km(630.0),
        inclination: Angle::from_deg(51.9),
        pattern: WalkerPattern::Delta,
        first_node: Angle::default(),
        phase: Angle::from_deg(0.0),
        alternate_half_slot: true,
    };
    Fleet::from_walker(&walker, 14.80, 1e-7, "2000-01-01T00:00:00Z").unwrap()
}

fn ground(latitude_deg: f64, longitude_deg: f64) -> Ground {
    Ground::new(Angle::from_deg(latitude_deg), Angle::from_deg(longitude_deg))
}

#[test]
fn kuiper_630_follows_hypatia_within_a_microsecond() {
    let fleet = kuiper_630();
    assert_eq!((fleet.len(), fleet.name(34), fleet.norad_id(0)), (1156, "2/1", 1));
    let satellites = Satellites::Sgp4(fleet);
    // Node 1156 + i is city i of Hypatia's list: 17 is Manila, and 73 is Saint Petersburg.
    let sites = [(1173, ground(14.6042, 120.9822)), (1229, ground(59.929_858, 30.326_228))];
    let position = |node: usize, at: Time| match sites.iter().find(|(site, _)| *site == node) {
        Some((_, ground)) => ground.position_m,
        None => satellites.position(node, at).unwrap(),
    };
    let row = |line: &'static str| line.split_once(',').unwrap();
    let paths: Vec<(u64, Vec<usize>)> = PATHS
        .lines()
        .map(row)
        .map(|(ns, way)| (ns.parse().unwrap(), way.split('-').filter_map(|node| node.parse().ok()).collect()))
        .collect();
    let (mut compared, mut unreachable, mut worst_us, mut sum_us) = (0, 0, 0.0_f64, 0.0);
    for (ns, stored_ns) in ROUND_TRIPS.lines().map(row) {
        let (ns, stored_ns): (u64, f64) = (ns.parse().unwrap(), stored_ns.parse().unwrap());
        let (_, way) = paths.iter().rfind(|(from, _)| *from <= ns).unwrap();
        if stored_ns == 0.0 {
            assert!(way.is_empty());
            unreachable += 1;
            continue;
        }
        let at = Time::from_nanos(ns);
        let metres: f64 =
            way.windows(2).map(|hop| distance_m(position(hop[0], at), position(hop[1], at))).sum();
        let error_us = 2.0 * metres / LIGHT_M_S * 1e6 - stored_ns / 1e3;
        worst_us = worst_us.max(error_us.abs());
        sum_us += error_us;
        compared += 1;
    }
    // From 155.4 s to 165.2 s, no path exists, in steps of 0.1 s.
    assert_eq!((compared, unreachable), (1902, 98));
    let mean_us = sum_us / f64::from(compared);
    // Measured: 0.52 at most, -0.38 on average (our ellipsoid is WGS84).
    assert!(worst_us < 1.0 && mean_us.abs() < 0.5, "{worst_us} us, mean {mean_us} us");
}

#[test]
fn elements_are_rounded_as_a_tle_prints_them() {
    let fleet = kuiper_630();
    // Satellite 2 of plane 2 (both counted from 0), by hand: the node is 2 * 360/34 = 21.17647 degrees, and the anomaly
    // has the same value. Plane 1 is half a slot ahead: 360/68 = 5.29412 degrees.
    let set = fleet.elements(2 * 34 + 2);
    assert_eq!((set.right_ascension, set.mean_anomaly), (21.1765, 21.1765));
    assert_eq!(fleet.elements(34).mean_anomaly, 5.2941);
    assert_eq!((set.eccentricity, set.mean_motion, set.drag_term), (1e-7, 14.8, 0.0));
    assert_eq!(fleet.epoch(0), fleet.start());
    assert_eq!(fleet.start(), "2000-01-01T00:00:00Z");
}
