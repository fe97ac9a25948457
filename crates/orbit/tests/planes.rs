// SPDX-License-Identifier: MIT OR Apache-2.0
//! Planes of real fleets. The expected numbers were determined from the same files by other methods: histograms of
//! nodes, and sums of unit vectors at N times the argument of latitude.
//!
//! Two more files are not shipped but were examined with the same code. Iridium NEXT of 2019-03-09 has six planes at
//! 777.67 km whose nodes are 31.58 to 31.66 degrees apart (22.0 degrees at the seam), with a coherence of at least
//! 0.999 for 11 slots. OneWeb of 2025-01-29 has twelve planes, 15.14 to 15.29 degrees apart.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bentpipe_orbit as orbit;
use orbit::{Catalogue, Fleet, FleetOptions, Note, OnBad, Plane, Walker, planes};
use units::{Angle, Distance, Time};

const STARLINK: &str = include_str!("../../../data/starlink_2022-09-14.tle");
const ONEWEB: &str = include_str!("../../../data/oneweb_2022-09-14.tle");

fn fleet(text: &str) -> (Fleet, Vec<Note>) {
    let options = FleetOptions { on_bad: OnBad::Skip, ..FleetOptions::default() };
    Fleet::from_catalogue(&Catalogue::read(text).unwrap(), options).unwrap()
}

fn shell(planes: Vec<Plane>, inclination_deg: f64, altitudes_km: std::ops::Range<f64>) -> Vec<Plane> {
    let of = |plane: &Plane| {
        (plane.inclination.deg() - inclination_deg).abs() < 0.05
            && altitudes_km.contains(&plane.altitude.km())
    };
    planes.into_iter().filter(of).collect()
}

/// Returns length and angle (degrees) of the mean of unit vectors at `degrees`.
fn mean_vector(degrees: impl Iterator<Item = f64>) -> (f64, f64) {
    let (mut x, mut y, mut count) = (0.0, 0.0, 0.0);
    for angle in degrees {
        x += angle.to_radians().cos();
        y += angle.to_radians().sin();
        count += 1.0;
    }
    (f64::hypot(x, y) / count, y.atan2(x).to_degrees())
}

fn slots(plane: &Plane, count: f64) -> (f64, f64) {
    mean_vector(plane.arguments.iter().map(|argument| argument.deg() * count))
}

#[test]
fn starlink_flies_72_planes_of_18_slots() {
    let (fleet, notes) = fleet(STARLINK);
    // The first note is on pieces of debris. The second note is on a satellite on its last day.
    let Note::Refused { satellites } = &notes[1] else { panic!("{notes:?}") };
    let names: Vec<&str> = satellites.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["STARLINK-4653"]);
    let shell = shell(planes::find(&fleet, Time::ZERO).unwrap(), 53.05, 546.0..548.0);
    assert_eq!(shell.len(), 72);
    for pair in shell.windows(2) {
        let step = pair[1].node.deg() - pair[0].node.deg();
        assert!((step - 5.0).abs() < 0.1, "{step}");
    }
    // The planes do not have the 22 slots of the filing.
    let coherence = |count: f64| shell.iter().map(|plane| slots(plane, count).0).sum::<f64>() / 72.0;
    assert!((0.89..=0.94).contains(&coherence(18.0)), "{}", coherence(18.0));
    assert!((0.06..=0.15).contains(&coherence(22.0)), "{}", coherence(22.0));
    // Each plane is 12.5 degrees ahead of the previous plane: a Walker delta 1296/72/45, because 45 * 360/1296 = 12.5.
    let ahead = (0..72).map(|at| slots(&shell[(at + 1) % 72], 18.0).1 - slots(&shell[at], 18.0).1);
    let (coherent, ahead) = mean_vector(ahead);
    assert!(coherent > 0.99, "{coherent}");
    assert!(((ahead / 18.0).rem_euclid(20.0) - 12.5).abs() < 0.01, "{ahead}");
    for plane in &shell {
        assert!((15..26).contains(&plane.members.len()));
        assert!(plane.arguments.is_sorted_by(|a, b| a.deg() <= b.deg()));
    }
}

#[test]
fn oneweb_staggers_its_planes() {
    let (fleet, notes) = fleet(ONEWEB);
    assert_eq!(notes, []);
    // One of the twelve planes had no satellites yet in 2022. The planes are 15.2 degrees and 4 km of altitude apart.
    let shell = shell(planes::find(&fleet, Time::ZERO).unwrap(), 87.9, 1170.0..1230.0);
    assert_eq!(shell.len(), 11);
    let mut holes = 0;
    for pair in shell.windows(2) {
        let step = pair[1].node.deg() - pair[0].node.deg();
        let planes = (step / 15.2).round();
        holes += planes as i32 - 1;
        assert!((step / planes - 15.2).abs() < 0.2, "{step}");
    }
    assert_eq!(holes, 1);
    let mut altitudes: Vec<f64> = shell.iter().map(|plane| plane.altitude.km()).collect();
    altitudes.sort_by(f64::total_cmp);
    assert!(altitudes.windows(2).all(|pair| (pair[1] - pair[0] - 4.0).abs() < 0.1), "{altitudes:?}");
}

#[test]
fn planes_of_a_shell_are_found_again() {
    // Nodes on both sides of zero, and slots that cross 360 degrees: the planes that are found are the planes that were
    // created.
    let walker = Walker {
        phase: Angle::from_deg(5.0),
        ..Walker::delta(9, 8, Distance::from_km(630.0), Angle::from_deg(97.7))
    };
    let fleet = Fleet::from_walker(&walker, 14.80, 1e-7, "2025-01-29T00:00:00Z").unwrap();
    let found = planes::find(&fleet, Time::ZERO).unwrap();
    assert_eq!(found.len(), 9);
    for plane in &found {
        let index = (plane.node.deg() / 40.0).round() as u32 % 9;
        let off = (plane.node.deg() - f64::from(index) * 40.0 + 180.0).rem_euclid(360.0) - 180.0;
        assert!(off.abs() < 0.05, "{off}");
        let mut members = plane.members.clone();
        members.sort_unstable();
        assert_eq!(members, (index * 8..index * 8 + 8).collect::<Vec<_>>());
        // In the order of the argument of latitude, each satellite is one slot ahead of the previous satellite.
        for pair in plane.members.windows(2) {
            assert_eq!((pair[1] + 8 - pair[0]) % 8, 1);
        }
        for pair in plane.arguments.windows(2) {
            assert!((pair[1].deg() - pair[0].deg() - 45.0).abs() < 0.2);
        }
    }
}
