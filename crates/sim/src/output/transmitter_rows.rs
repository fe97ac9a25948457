// SPDX-License-Identifier: MIT OR Apache-2.0
//! The utilisation of shared transmitters. A link's own share of the time says little about it: other links send in the
//! rest, and where satellites change, each has its links for a part of the run.

use crate::state::State;
use engine::Observer;
use hosts::Metered;
use plan::Plan;
use record::summary::{LinkSummary, TransmitterSummary};
use scenario::{NetworkChoice, Scenario};
use std::collections::BTreeMap;
use topology::{NodeKind, Serves, TotalRate};
use units::{Span, Time};

/// How long each was served, by the served object, and whether it sends.
pub(crate) type Served = BTreeMap<(Serves, bool), Span>;

/// Rows for those that sent something, and for totals that were used. `links` are the network's, by number, measured
/// from `since` to `end`, with the bytes that each sent; `before`: the service until then.
pub(crate) fn summary<E: Metered, O: Observer<E::Body>>(
    state: &State<E, O>,
    links: &[LinkSummary],
    sent: &[u64],
    before: &Served,
    since: Time,
    end: Time,
) -> Vec<TransmitterSummary> {
    let State { plan, shared, .. } = state;
    let scenario = &*plan.scenario;
    let (members, served) = (shared.links(), shared.served(end));
    let row = |(way, members): (&(Serves, bool), &Vec<usize>)| {
        let &(serves, sends) = way;
        let of = |served: &Served| served.get(way).copied().unwrap_or_default();
        let served_s = of(&served).saturating_sub(of(before)).secs_f64();
        let busy_s = match serves {
            // The time that the total would need for the data of its parts.
            Serves::Total(_) => {
                let turn = plan.network.links[*members.first()?].turn.as_ref();
                let rate = &turn.and_then(|turn| turn.part.as_ref())?.rate;
                8.0 * members.iter().map(|&link| sent[link] as f64).sum::<f64>() / mean(rate, since, end)
            }
            _ => {
                members.iter().map(|&link| links[link].utilisation).sum::<f64>() * end.since(since).secs_f64()
            }
        };
        let (kind, name) = named(scenario, plan, serves, sends);
        (busy_s > 0.0 && served_s > 0.0).then(|| TransmitterSummary {
            name,
            kind: kind.to_owned(),
            links: members.len() as u32,
            served_s,
            // At a change of satellites the last packet of one may end after the first packet of the other has started.
            // At the end a transmission that has begun counts fully for a total.
            utilisation: (busy_s / served_s).min(1.0),
        })
    };
    members.iter().filter_map(row).chain(carriers(scenario, links, end.since(since))).collect()
}

/// The carriers that branches of a star share: link 2 k of branch k leads to the hub, and link 2 k + 1 from it. A link
/// uses the time of its carrier while it is busy.
fn carriers(scenario: &Scenario, links: &[LinkSummary], measured: Span) -> Vec<TransmitterSummary> {
    let NetworkChoice::Star { branches, carriers, forward } = &scenario.network else { return Vec::new() };
    let summed = |name: &str, way: &str, busy: Vec<f64>| TransmitterSummary {
        name: format!("{way} carrier {name}"),
        kind: "carrier".to_owned(),
        links: busy.len() as u32,
        served_s: measured.secs_f64(),
        // A packet that straddles the end counts up to it on each link.
        utilisation: busy.iter().sum::<f64>().min(1.0),
    };
    let from_hub = forward.carriers.iter().enumerate().map(|(number, carrier)| {
        let on = |branch: &usize| forward.of(*branch).is_some_and(|turn| usize::from(turn.carrier) == number);
        let busy = (0..branches.len()).filter(on).map(|branch| links[2 * branch + 1].utilisation);
        summed(&carrier.name, "forward", busy.collect())
    });
    let to_hub = carriers.carriers.iter().enumerate().map(|(number, (name, _))| {
        let of = |branch: usize| branches[branch].1.spec.dama.and_then(|dama| dama.carrier);
        let on = |branch: &usize| of(*branch).map(usize::from) == Some(number);
        let busy = (0..branches.len()).filter(on).map(|branch| links[2 * branch].utilisation);
        summed(name, "return", busy.collect())
    });
    from_hub.chain(to_hub).collect()
}

/// The mean of a total from `since` to `end`, bit/s.
fn mean(rate: &TotalRate, since: Time, end: Time) -> f64 {
    match rate {
        TotalRate::Constant(rate) => rate.bits_per_s() as f64,
        TotalRate::Schedule(schedule) => {
            (schedule.bits_until(end) - schedule.bits_until(since)) as f64 / end.since(since).secs_f64()
        }
    }
}

/// The kind and name of a transmitter: sender, and receiver.
fn named(scenario: &Scenario, plan: &Plan, serves: Serves, sends: bool) -> (&'static str, String) {
    let node = |node: u32| &plan.network.nodes[node as usize];
    let (kind, one, others) = match serves {
        Serves::Cell(first) => {
            let cell = match &scenario.network {
                NetworkChoice::Constellation { spec, .. } => {
                    spec.terminals[usize::from(first)].1.cell.as_deref()
                }
                _ => None,
            };
            // The same words as in the message about excessive load.
            let cell = format!("the cell {}", cell.unwrap_or_default());
            return (
                "beam",
                if sends { format!("{cell} > its satellite") } else { format!("satellite > {cell}") },
            );
        }
        Serves::Sites(satellite) => ("satellite", node(satellite), "sites"),
        Serves::Feeder(at) if node(at).kind == NodeKind::Satellite => ("satellite", node(at), "gateways"),
        Serves::Feeder(at) => ("gateway", node(at), "satellites"),
        Serves::Total(at) if node(at).kind == NodeKind::Satellite => ("total", node(at), "beams"),
        Serves::Total(at) => ("total", node(at), "satellites"),
    };
    (kind, if sends { format!("{others} > {}", one.name) } else { format!("{} > its {others}", one.name) })
}
