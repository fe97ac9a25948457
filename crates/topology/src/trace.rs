// SPDX-License-Identifier: MIT OR Apache-2.0
//! Looking at a constellation without laying out a network: a path over time, and the sky at one moment.

use crate::sky::{Frame, Sky, Tree, ground};
use crate::{ConstellationSpec, Site, TopologyError};
use orbit::Geodetic;
use units::{Distance, Span, Time};

/// The path between two sites at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct PathSample {
    /// When.
    pub at: Time,
    /// Names of the nodes on the way, both sites included; empty if there is no path.
    pub hops: Vec<String>,
    /// Indices of the satellites on the way.
    pub satellites: Vec<u32>,
    /// One-way propagation delay from the first site to its satellite.
    pub uplink: Span,
    /// One-way propagation delay from satellite to satellite, all together.
    pub isl: Span,
    /// One-way propagation delay from the last satellite to the other site.
    pub downlink: Span,
}

/// A satellite at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct SatelliteAt {
    /// Its name.
    pub name: String,
    /// Latitude, longitude, altitude over the WGS84 ellipsoid.
    pub place: Geodetic,
}

/// A constellation at one moment, for maps.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// All satellites.
    pub satellites: Vec<SatelliteAt>,
    /// Links between satellites that can be used, as pairs of satellites, the lower index first, in order.
    pub isls: Vec<(u32, u32)>,
}

impl PathSample {
    /// Links on the way; zero if there is no path.
    pub fn links(&self) -> usize {
        self.hops.len().saturating_sub(1)
    }

    /// One-way propagation delay; `None`: no path.
    pub fn one_way(&self) -> Option<Span> {
        (!self.hops.is_empty()).then(|| self.uplink + self.isl + self.downlink)
    }

    /// Round trip without any queue or transmission, 2D/c (the way back is the way there); `None`: no path.
    pub fn rtt(&self) -> Option<Span> {
        self.one_way().map(|span| span * 2)
    }
}

/// The shortest path between two sites every `step` from zero to `duration` (both included).
///
/// # Errors
/// Those of the constellation: see [`crate::constellation::build`]. No path at all is no error here.
pub fn path_over_time(
    spec: &ConstellationSpec,
    from: &Site,
    to: &Site,
    duration: Span,
    step: Span,
) -> Result<Vec<PathSample>, TopologyError> {
    let sky = Sky::new(spec)?;
    let grounds = [ground(from), ground(to)];
    let (mut frame, mut tree, mut way) = (Frame::default(), Tree::default(), Vec::new());
    let mut samples = Vec::new();
    let step = if step == Span::ZERO { Span::MAX } else { step };
    let mut at = Time::ZERO;
    while at.since(Time::ZERO) <= duration {
        sky.look(at, &grounds, &mut frame)?;
        tree.grow(&frame, 1);
        let site = frame.positions.len() as u32;
        tree.way(site, site + 1, &mut way);
        let satellites: Vec<u32> = way.iter().copied().filter(|&node| node < site).collect();
        let position = |node: u32| match node.checked_sub(site) {
            Some(ground) => grounds[ground as usize].position_m,
            None => frame.positions[node as usize],
        };
        let mut sample = PathSample {
            at,
            hops: Vec::new(),
            satellites,
            uplink: Span::ZERO,
            isl: Span::ZERO,
            downlink: Span::ZERO,
        };
        for leg in way.windows(2) {
            let delay =
                Distance::from_m(orbit::earth::distance_m(position(leg[0]), position(leg[1]))).light_time();
            match (leg[0] >= site, leg[1] >= site) {
                (true, _) => sample.uplink = delay,
                (_, true) => sample.downlink = delay,
                _ => sample.isl = sample.isl + delay,
            }
        }
        sample.hops.extend(way.iter().map(|&node| match node.checked_sub(site) {
            Some(0) => from.name.clone(),
            Some(_) => to.name.clone(),
            None => sky.name(node),
        }));
        samples.push(sample);
        at += step;
    }
    Ok(samples)
}

/// All satellites and the links between them at `at`.
///
/// # Errors
/// Those of the constellation: see [`crate::constellation::build`].
pub fn snapshot(spec: &ConstellationSpec, at: Time) -> Result<Snapshot, TopologyError> {
    let sky = Sky::new(spec)?;
    let mut frame = Frame::default();
    sky.look(at, &[], &mut frame)?;
    let satellites = frame
        .positions
        .iter()
        .enumerate()
        .map(|(satellite, &position)| SatelliteAt {
            name: sky.name(satellite as u32),
            place: Geodetic::from_fixed(position),
        })
        .collect();
    let mut isls: Vec<(u32, u32)> = frame
        .isls
        .iter()
        .enumerate()
        .flat_map(|(a, others)| others.iter().map(move |&(b, _)| (a as u32, b)))
        .filter(|(a, b)| a < b)
        .collect();
    isls.sort_unstable();
    Ok(Snapshot { satellites, isls })
}
