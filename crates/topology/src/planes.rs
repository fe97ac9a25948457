// SPDX-License-Identifier: MIT OR Apache-2.0
//! A grid of links between real satellites. The planes are found from the elements of the satellites.
//!
//! In a plane, each satellite is linked to the satellites in front of it and behind it. Between neighbouring planes of
//! a shell, satellites are paired at the start of the run, the nearest pair first. The pairs stay fixed, because the
//! drift within a run is small compared with the distances between satellites. Satellites that are not in a plane
//! (while they raise or lower their orbits) have no links.

use crate::isl::{Pairing, Plane};
use crate::spec::IslSpec;
use orbit::{Fleet, planes};
use units::Time;

/// Largest difference in inclination (degrees) and in altitude (km) between the planes of one shell. Shells that
/// operators file differ by at least 0.2 degrees, and the altitudes of planes in a shell differ by at most 2 km.
const SAME_INCLINATION_DEG: f64 = 0.1;
const SAME_ALTITUDE_KM: f64 = 2.0;
/// A gap between nodes is a hole, or the seam of a star, if it exceeds the median gap by this factor.
const HOLE: f64 = 1.6;

/// Adds links between the satellites of a fleet. `first` is the index of the first satellite of the fleet. `at` is the
/// start of the run in the fleet's time. `positions` contains the positions of all satellites at this time.
pub(crate) fn join(
    pairing: &mut Pairing,
    fleet: &Fleet,
    first: u32,
    isl: &IslSpec,
    at: Time,
    positions: &[[f64; 3]],
) -> Result<(), orbit::OrbitError> {
    for shell in shells(planes::find(fleet, at)?) {
        let rings: Vec<Plane> = shell
            .iter()
            .map(|plane| Plane { members: plane.members.iter().map(|&member| first + member).collect() })
            .collect();
        for ring in &rings {
            pairing.ring(ring, isl);
        }
        if !isl.inter_plane {
            continue;
        }
        let gaps: Vec<f64> = (0..shell.len())
            .map(|plane| {
                let next = &shell[(plane + 1) % shell.len()];
                (next.node.deg() - shell[plane].node.deg()).rem_euclid(360.0)
            })
            .collect();
        let mut sorted = gaps.clone();
        sorted.sort_by(f64::total_cmp);
        // A shell of two planes has one pair of neighbours.
        let count = if shell.len() == 2 { 1 } else { shell.len() };
        for plane in
            (0..count).filter(|&plane| shell.len() > 1 && gaps[plane] <= HOLE * sorted[sorted.len() / 2])
        {
            pairing.planes(&rings[plane], &rings[(plane + 1) % shell.len()], positions);
        }
    }
    Ok(())
}

/// Groups planes of equal inclination and altitude into shells. In each shell, the planes are in the order of their
/// nodes.
pub(crate) fn shells(planes: Vec<planes::Plane>) -> Vec<Vec<planes::Plane>> {
    let mut shells: Vec<Vec<planes::Plane>> = Vec::new();
    for plane in planes {
        let same = |shell: &&mut Vec<planes::Plane>| {
            (shell[0].inclination.deg() - plane.inclination.deg()).abs() <= SAME_INCLINATION_DEG
                && (shell[0].altitude.km() - plane.altitude.km()).abs() <= SAME_ALTITUDE_KM
        };
        match shells.iter_mut().find(same) {
            Some(shell) => shell.push(plane),
            None => shells.push(vec![plane]),
        }
    }
    shells
}
