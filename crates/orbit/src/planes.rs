// SPDX-License-Identifier: MIT OR Apache-2.0
//! The orbital planes of a real fleet.

use crate::{Fleet, OrbitError};
use sgp4::WGS72;
use std::f64::consts::TAU;
use units::{Angle, Distance, Time};

/// Largest difference in inclination within a shell, in degrees. The inclinations of shells that operators file differ
/// by at least 0.2 degrees (Starlink: 53.0 and 53.2).
const SAME_INCLINATION_DEG: f64 = 0.1;
/// Largest difference in altitude within a plane, in km. At 550 km, a difference of 1 km changes the argument of
/// latitude by 1.2 degrees per day (3/2 n / a per km), so satellites could not keep their slots. The altitudes of
/// neighbouring OneWeb planes differ by 4 km.
const SAME_ALTITUDE_KM: f64 = 1.0;
/// Smallest angle between the nodes of two planes of a shell, in degrees. In the densest shell in orbit or filed, 120
/// planes are 3 degrees apart.
const NODE_GAP_DEG: f64 = 1.0;
/// Smallest number of satellites in a plane.
const LEAST: usize = 3;
/// Gravitational parameter for SGP4's elements, in km^3/s^2 (WGS72).
pub(crate) const MU_KM3_S2: f64 = 398_600.8;

/// An orbital plane with its satellites.
#[derive(Clone, Debug, PartialEq)]
pub struct Plane {
    /// Mean of the inclinations of the elements.
    pub inclination: Angle,
    /// Mean altitude of the members. The altitude is the semi-major axis minus the equatorial radius of WGS72. The
    /// semi-major axis follows from the mean motion by Kepler's third law.
    pub altitude: Distance,
    /// Right ascension of the ascending node (true equator, mean equinox of date), in [0, 360) degrees.
    pub node: Angle,
    /// Indices of the satellites in the fleet, in order of their arguments of latitude.
    pub members: Vec<u32>,
    /// Argument of latitude of each member, ascending in [0, 360) degrees.
    pub arguments: Vec<Angle>,
}

#[derive(Clone, Copy)]
struct Sample {
    satellite: u32,
    inclination_deg: f64,
    altitude_km: f64,
    node_deg: f64,
    argument_deg: f64,
}

/// Finds the planes of a fleet at the time `at`, in the order of their nodes. Inclination and altitude are taken from
/// the mean elements. Nodes and arguments of latitude are computed from the states at `at`. Therefore the epochs of the
/// elements may differ.
///
/// The function first finds shells. The first shell consists of a satellite and all satellites with the same
/// inclination (within 0.1 degrees) and altitude (within 1 km). This satellite is chosen so that the shell is as large
/// as possible. The next shells are found in the same way among the remaining satellites. The function then splits each
/// shell into planes at gaps of at least one degree between nodes. Satellites that are raising or lowering their
/// orbits, and groups of two, are in no plane. Planes of equatorial orbits (O3b) are not found, because these orbits
/// have no node.
///
/// # Errors
/// [`OrbitError::Propagation`] of the first satellite that cannot be propagated.
pub fn find(fleet: &Fleet, at: Time) -> Result<Vec<Plane>, OrbitError> {
    let samples = (0..fleet.len()).map(|index| sample(fleet, index, at)).collect::<Result<Vec<_>, _>>()?;
    let mut planes: Vec<Plane> = shells(samples)
        .into_iter()
        .flat_map(split_by_node)
        .filter(|members| members.len() >= LEAST)
        .map(plane)
        .collect();
    planes.sort_by(|a, b| a.node.deg().total_cmp(&b.node.deg()));
    Ok(planes)
}

fn sample(fleet: &Fleet, index: usize, at: Time) -> Result<Sample, OrbitError> {
    let set = fleet.elements(index);
    let state = fleet.inertial_km(index, at)?;
    let ([x, y, z], [u, v, w]) = (state.position, state.velocity);
    // Angular momentum r x v. The node is in the equatorial plane, perpendicular to the angular momentum (Vallado,
    // algorithm 9).
    let [hx, hy, hz] = [y * w - z * v, z * u - x * w, x * v - y * u];
    let node = hx.atan2(-hy);
    let inclination = hx.hypot(hy).atan2(hz);
    let (sin, cos) = node.sin_cos();
    // Components along the node, and along the direction a quarter of a revolution ahead of the node.
    let (along, ahead) = (x * cos + y * sin, (y * cos - x * sin) * inclination.cos() + z * inclination.sin());
    let n_rad_s = set.mean_motion * TAU / 86_400.0;
    Ok(Sample {
        satellite: index as u32,
        inclination_deg: set.inclination,
        altitude_km: (MU_KM3_S2 / (n_rad_s * n_rad_s)).cbrt() - WGS72.ae,
        node_deg: node.to_degrees().rem_euclid(360.0),
        argument_deg: ahead.atan2(along).to_degrees().rem_euclid(360.0),
    })
}

/// Groups satellites of equal inclination and altitude. The satellite with the most neighbours forms a group with all
/// its neighbours. The remaining satellites are grouped in the same way.
fn shells(mut samples: Vec<Sample>) -> Vec<Vec<Sample>> {
    samples.sort_by(|a, b| a.altitude_km.total_cmp(&b.altitude_km).then(a.satellite.cmp(&b.satellite)));
    let neighbours: Vec<Vec<usize>> = samples
        .iter()
        .map(|of| {
            let from = samples.partition_point(|x| x.altitude_km < of.altitude_km - SAME_ALTITUDE_KM);
            (from..samples.len())
                .take_while(|&index| samples[index].altitude_km <= of.altitude_km + SAME_ALTITUDE_KM)
                .filter(|&index| {
                    (samples[index].inclination_deg - of.inclination_deg).abs() <= SAME_INCLINATION_DEG
                })
                .collect()
        })
        .collect();
    let mut order: Vec<usize> = (0..samples.len()).collect();
    order.sort_by_key(|&index| (std::cmp::Reverse(neighbours[index].len()), samples[index].satellite));
    let mut taken = vec![false; samples.len()];
    let mut shells = Vec::new();
    for centre in order {
        if taken[centre] {
            continue;
        }
        let mut shell = Vec::new();
        for &index in &neighbours[centre] {
            if !std::mem::replace(&mut taken[index], true) {
                shell.push(samples[index]);
            }
        }
        shells.push(shell);
    }
    shells
}

/// Splits a shell at large gaps between nodes, around the full circle.
fn split_by_node(mut shell: Vec<Sample>) -> Vec<Vec<Sample>> {
    shell.sort_by(|a, b| a.node_deg.total_cmp(&b.node_deg).then(a.satellite.cmp(&b.satellite)));
    let before =
        |index: usize| shell[index].node_deg - shell[(index + shell.len() - 1) % shell.len()].node_deg;
    let first = (0..shell.len()).find(|&index| before(index).rem_euclid(360.0) >= NODE_GAP_DEG).unwrap_or(0);
    shell.rotate_left(first);
    let mut planes: Vec<Vec<Sample>> = Vec::new();
    for sample in shell {
        match planes.last_mut() {
            Some(plane)
                if plane
                    .last()
                    .is_some_and(|x| (sample.node_deg - x.node_deg).rem_euclid(360.0) < NODE_GAP_DEG) =>
            {
                plane.push(sample);
            }
            _ => planes.push(vec![sample]),
        }
    }
    planes
}

fn plane(mut members: Vec<Sample>) -> Plane {
    let count = members.len() as f64;
    let mean = |of: &dyn Fn(&Sample) -> f64| members.iter().map(of).sum::<f64>() / count;
    let inclination = Angle::from_deg(mean(&|x| x.inclination_deg));
    let altitude = Distance::from_km(mean(&|x| x.altitude_km));
    // Angles are taken relative to the first node. Otherwise nodes on both sides of zero would average to 180 degrees.
    let first = members[0].node_deg;
    let node = first + mean(&|x| (x.node_deg - first + 180.0).rem_euclid(360.0) - 180.0);
    members.sort_by(|a, b| a.argument_deg.total_cmp(&b.argument_deg));
    Plane {
        inclination,
        altitude,
        node: Angle::from_deg(node.rem_euclid(360.0)),
        members: members.iter().map(|x| x.satellite).collect(),
        arguments: members.iter().map(|x| Angle::from_deg(x.argument_deg)).collect(),
    }
}
