// SPDX-License-Identifier: MIT OR Apache-2.0
//! Refuses flows that nothing limits: their rate would grow until memory is exhausted.

use crate::ScenarioError;
use crate::check::Source;
use crate::document::{Flow, FlowKind, NetworkChoice, Wire, WireService};
use link::{Impairment, LinkSpec};
use units::Code;

/// Refuses a connection without end if its growth has no limit: no rate, no loss and no receive window.
pub fn refuse(
    flow: &Flow,
    network: &NetworkChoice,
    source: &Source<'_>,
    path: &str,
) -> Result<(), ScenarioError> {
    let (is_unlimited, table) = match &flow.kind {
        FlowKind::Tcp { config, transfer: tcp::Transfer::Endless, .. } => {
            (config.receive_window == tcp::ReceiveWindow::Unlimited, "tcp")
        }
        FlowKind::Quic { config, transfer: tcp::Transfer::Endless, .. } => {
            (config.receive_window.is_none() && config.send_window.is_none(), "quic")
        }
        _ => return Ok(()),
    };
    let at_host = flow.access.as_ref().is_none_or(|access| is_ideal(&access.link));
    if !is_unlimited || !at_host || !is_ideal_way(network, &flow.from, &flow.to) {
        return Ok(());
    }
    let message = format!(
        "no link on the path from \"{}\" to \"{}\" has a rate or loses packets, so nothing limits this flow, and its \
         rate would grow until the memory is full",
        flow.from, flow.to
    );
    Err(source.error(Code::ScenarioValue, path, message).fix(format!(
        "write a rate for a link, or write {table} = {{ receive_window = \"4 MB\" }} or size = \"10 MB\""
    )))
}

/// Returns whether a link neither queues packets nor loses them.
fn is_ideal(link: &LinkSpec) -> bool {
    link.rate.is_none()
        && link.policer.is_none()
        && link.changes.as_ref().is_none_or(|changes| {
            let sight = changes.sight.as_ref();
            let loses = sight.is_some_and(|sight| sight.loss.is_some() || sight.loss_by_hour.is_some());
            changes.recorded.is_none() && !loses && !sight.is_some_and(|sight| sight.has_rate())
        })
        && link.listed.as_ref().is_none_or(|list| list.period.is_none())
        && match &link.loss {
            Impairment::None => true,
            Impairment::PacketErrorRate(rate) | Impairment::BitErrorRate(rate) => *rate == 0.0,
            Impairment::Bursts(_) => false,
            Impairment::Chain(chain) => chain.mean_loss() == 0.0,
        }
}

/// Returns whether all links between two sites are ideal. In a constellation, this requires that all of its links are
/// ideal.
fn is_ideal_way(network: &NetworkChoice, from: &str, to: &str) -> bool {
    let ideal = |wire: &Wire| {
        wire.service == WireService::Constant && wire.path_trace.is_none() && is_ideal(&wire.spec)
    };
    match network {
        NetworkChoice::Constellation { spec, .. } => {
            let between = spec.isl.as_ref().map(|isl| &isl.link);
            let down = (!spec.gateways.is_empty()).then_some(&spec.feeder);
            [&spec.uplink, &spec.downlink].into_iter().chain(between).chain(down).all(is_ideal)
        }
        NetworkChoice::Dumbbell { forward, reverse } => ideal(forward) && ideal(reverse),
        NetworkChoice::Chain { links } => {
            let place = |site: &str| site.parse().unwrap_or(0_usize).min(links.len());
            let (a, b) = (place(from), place(to));
            links[a.min(b)..a.max(b)].iter().all(ideal)
        }
        NetworkChoice::Star { branches, .. } => {
            // A carrier always has a rate, even if the branch has none.
            let shares = |wire: &Wire| wire.spec.dama.is_some_and(|dama| dama.carrier.is_some());
            let ends = branches.iter().filter(|(site, _)| site == from || site == to);
            ends.into_iter().all(|(site, wire)| ideal(wire) && !(site == from && shares(wire)))
        }
        NetworkChoice::Starlink(_) => false,
    }
}
