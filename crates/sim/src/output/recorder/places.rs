// SPDX-License-Identifier: MIT OR Apache-2.0
//! The network of a run for viewers: nodes, ends of links and positions of satellites.

use crate::SimError;
use plan::Plan;
use plan::Stop;
use record::summary::LinkSummary;
use record::tables::{LinkEndRow, LinkEndTable, NodeRow, PositionRow, Tables};
use scenario::NetworkChoice;
use std::collections::BTreeSet;
use topology::knots::{Knots, moments};
use topology::{ConstellationSpec, Network, NodeKind, Site};

/// Writes the ends of the links of a summary.
pub fn link_ends(table: &mut LinkEndTable, plan: &Plan, links: &[LinkSummary]) {
    let listed: BTreeSet<u32> = links.iter().map(|link| link.link).collect();
    for (link, ends) in (0..).zip(&plan.network.links) {
        let number = plan.engine_link(link);
        if listed.contains(&number) {
            let (from_node, to_node) = (ends.from, ends.to);
            table.push_row(&LinkEndRow { link: Some(number), from_node, to_node });
        }
    }
}

/// Writes nodes, pairs of the grid of a constellation, and positions of satellites.
pub fn places(tables: &mut Tables, plan: &Plan, stop: Stop<'_>) -> Result<(), SimError> {
    let (network, scenario) = (&plan.network, &*plan.scenario);
    let NetworkChoice::Constellation { spec, sites, .. } = &scenario.network else {
        plain_nodes(tables, plan);
        return Ok(tables.check()?);
    };
    // If the file of a satellite catalogue was deleted during the run, only the positions are missing.
    let satellites = network.nodes.iter().filter(|node| node.kind == NodeKind::Satellite).count();
    let knots = Knots::new(spec).ok().filter(|knots| knots.satellites() as usize == satellites);
    nodes(tables, network, knots.as_ref(), satellites, &on_ground(spec, sites));
    let Some(knots) = knots else { return Ok(tables.check()?) };
    for (from_node, to_node) in knots.grid() {
        tables.link_ends.push_row(&LinkEndRow { link: None, from_node, to_node });
    }
    let seen = plan::located(network, scenario);
    for at in moments(scenario.duration) {
        if stop(1.0) {
            return Err(SimError::Interrupted);
        }
        for &node in &seen {
            let state = knots.state(node, at);
            let position = |axis: usize| state.map(|(metres, _)| (metres[axis] / 1e3) as f32);
            let velocity = |axis: usize| state.map(|(_, m_s)| (m_s[axis] / 1e3) as f32);
            tables.positions.push_row(&PositionRow {
                time_s: at.secs_f64(),
                node,
                x_km: position(0),
                y_km: position(1),
                z_km: position(2),
                vx_km_s: velocity(0),
                vy_km_s: velocity(1),
                vz_km_s: velocity(2),
            });
        }
    }
    Ok(tables.check()?)
}

fn nodes(
    tables: &mut Tables,
    network: &Network,
    knots: Option<&Knots>,
    satellites: usize,
    places: &[(&'static str, &Site)],
) {
    for (number, node) in network.nodes.iter().enumerate() {
        let place = number.checked_sub(satellites).map(|at| places[at]);
        tables.nodes.push_row(&NodeRow {
            node: number as u32,
            name: &node.name,
            kind: place.map_or("satellite", |(kind, _)| kind),
            shell: knots.filter(|_| place.is_none()).map(|knots| knots.shell(number as u32)),
            latitude_deg: place.map(|(_, site)| site.latitude.deg()),
            longitude_deg: place.map(|(_, site)| site.longitude.deg()),
            altitude_km: place.map(|(_, site)| site.altitude.km()),
        });
    }
}

fn plain_nodes(tables: &mut Tables, plan: &Plan) {
    let network = &plan.network;
    let ends: BTreeSet<u32> = plan
        .flows
        .iter()
        .flat_map(|flow| [flow.from, flow.to].map(|site| network.sites[usize::from(site)]))
        .collect();
    for (number, node) in (0..).zip(&network.nodes) {
        tables.nodes.push_row(&NodeRow {
            node: number,
            name: &node.name,
            kind: if ends.contains(&number) { "site" } else { "router" },
            shell: None,
            latitude_deg: None,
            longitude_deg: None,
            altitude_km: None,
        });
    }
}

/// Returns the nodes on the ground, in the order of the nodes after the satellites.
fn on_ground<'a>(spec: &'a ConstellationSpec, sites: &'a [Site]) -> Vec<(&'static str, &'a Site)> {
    let gateways = spec.gateways.iter().map(|gateway| ("gateway", &gateway.site));
    let pops = spec.pops.iter().map(|site| ("pop", site));
    gateways.chain(pops).chain(sites.iter().map(|site| ("site", site))).collect()
}
