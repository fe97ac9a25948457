// SPDX-License-Identifier: MIT OR Apache-2.0
//! A satellite network over a complete run.

use crate::almanac::never;
use crate::network::Network;
use crate::spec::{ConstellationSpec, Site};
use crate::{Almanac, TopologyError};
use units::{Span, Time};

/// Computes the network of `spec` between `sites` for `duration`. This is an [`Almanac`] with a single page.
///
/// Nodes are the satellites, the gateways, the points of presence and the sites, in this order. A link is created only
/// if a forwarding entry uses it. A link that ended may be used again by a later entry. Paths exist for `pairs`
/// (indices into `sites`), in both directions. If a pair is connected only during a part of the run, its path has
/// pieces without a delay. Flows send their packets to [`Network::address`].
///
/// # Errors
/// [`TopologyError::NoSatelliteInView`] if a site of a pair never sees a satellite, [`TopologyError::NoPath`] if a pair
/// is never connected, and the errors of [`Almanac::open`].
///
/// # Panics
/// If `pairs` contains an index that is not in `sites`.
pub fn build(
    spec: &ConstellationSpec,
    sites: &[Site],
    pairs: &[(u16, u16)],
    duration: Span,
) -> Result<Network, TopologyError> {
    let (mut almanac, mut network) = Almanac::open(spec, sites, pairs)?;
    network.turn_to(almanac.end(Time::ZERO, Time::ZERO + duration, &never)?);
    Ok(network)
}
