// SPDX-License-Identifier: MIT OR Apache-2.0
//! A grid of links over real satellites, whose planes are found from their elements.
//!
//! Along a plane each satellite is linked with the one before and the one behind. Between neighbouring planes of a
//! shell satellites are paired at the start of the run, the nearest first, and keep their partners: the drift within a
//! run is small compared with their distance. Satellites in no plane (on their way up or down) have no links.

use crate::isl::{Pairing, Plane};
use crate::spec::IslSpec;
use orbit::{Fleet, planes};
use units::Time;

/// Largest difference of planes in one shell: operators file shells 0.2 degrees apart, and keep planes within 2 km of
/// height.
const SAME_INCLINATION_DEG: f64 = 0.1;
const SAME_ALTITUDE_KM: f64 = 2.0;
/// A gap between nodes this much wider than the median is a hole, or the seam of a star.
const HOLE: f64 = 1.6;

/// Joins the satellites of a fleet, the first of which has the index `first`; `at`: start of the run relative to the
/// fleet's; `positions`: of all satellites at that time.
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
        // Two planes are neighbours once.
        let count = if shell.len() == 2 { 1 } else { shell.len() };
        for plane in
            (0..count).filter(|&plane| shell.len() > 1 && gaps[plane] <= HOLE * sorted[sorted.len() / 2])
        {
            pairing.planes(&rings[plane], &rings[(plane + 1) % shell.len()], positions);
        }
    }
    Ok(())
}

/// Planes of equal inclination and height, each shell in order of its nodes.
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
