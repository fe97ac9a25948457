// SPDX-License-Identifier: MIT OR Apache-2.0
//! A satellite network laid out over the whole of a run.

use crate::almanac::never;
use crate::network::Network;
use crate::spec::{ConstellationSpec, Site};
use crate::{Almanac, TopologyError};
use units::{Span, Time};

/// Lays out the network of `spec` between `sites` for `duration`: one page of an [`Almanac`], the first and the last.
///
/// Nodes are the satellites, the gateways, the points of presence, then the sites. Only links that a forwarding entry
/// uses are created. A link that went down may be used again by a later entry. Paths are those of `pairs` (indices into
/// `sites`) and of their reverses; a pair that is connected during a part of the run only has pieces without a delay. A
/// flow's packets are sent to [`Network::address`].
///
/// # Errors
/// [`TopologyError::NoSatelliteInView`] if a site of a pair never sees a satellite, [`TopologyError::NoPath`] if a
/// pair is never connected; and those of [`Almanac::open`].
///
/// # Panics
/// If a pair names a site that is not in `sites`.
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
