// SPDX-License-Identifier: MIT OR Apache-2.0
//! Utilisation of shared transmitters. The utilisation of a single link does not show the utilisation of its
//! transmitter, because other links share the transmitter's time. At a change of satellites, a transmitter also changes
//! its links.

use crate::state::State;
use engine::Observer;
use hosts::Metered;
use plan::Plan;
use record::summary::{LinkSummary, TransmitterSummary};
use scenario::{NetworkChoice, Scenario};
use std::collections::BTreeMap;
use topology::{NodeKind, Serves, TotalRate};
use units::{Span, Time};

/// For each group and direction (whether the group sends), the time for which the group was served.
pub(crate) type Served = BTreeMap<(Serves, bool), Span>;

/// Returns rows for transmitters that sent something, and for totals that were used. `links` are the links of the
/// network by number, measured from `since` to `end`. `sent` is the number of bytes that each link sent. `before` is
/// the service time before `since`.
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
            // The time in which the total would send the data of its parts.
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
            // The sum can exceed the service time. At a change of satellites, the last packet of one satellite may end
            // after the first packet of the other satellite starts. For a total, a transmission in progress at the end
            // counts fully.
            utilisation: (busy_s / served_s).min(1.0),
        })
    };
    members.iter().filter_map(row).chain(carriers(scenario, links, end.since(since))).collect()
}

/// Returns the rows of the carriers that branches of a star share. Link 2 k of branch k leads to the hub, link 2 k + 1
/// leads from the hub. While a link is busy, it uses the time of its carrier.
fn carriers(scenario: &Scenario, links: &[LinkSummary], measured: Span) -> Vec<TransmitterSummary> {
    let NetworkChoice::Star { branches, carriers, forward } = &scenario.network else { return Vec::new() };
    let summed = |name: &str, way: &str, busy: Vec<f64>| TransmitterSummary {
        name: format!("{way} carrier {name}"),
        kind: "carrier".to_owned(),
        links: busy.len() as u32,
        served_s: measured.secs_f64(),
        // Each link counts a packet in transmission at the end only up to the end.
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

/// Returns the mean rate of a total from `since` to `end`, in bit/s.
fn mean(rate: &TotalRate, since: Time, end: Time) -> f64 {
    match rate {
        TotalRate::Constant(rate) => rate.bits_per_s() as f64,
        TotalRate::Schedule(schedule) => {
            (schedule.bits_until(end) - schedule.bits_until(since)) as f64 / end.since(since).secs_f64()
        }
    }
}

/// Returns the kind of a transmitter, and its name: sender and receiver.
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
            // Use the same words as the message about excessive load.
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
