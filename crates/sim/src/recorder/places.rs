// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a run was made on, for whoever wants to see it: nodes, where links lead, where satellites are.

use super::Recorder;
use crate::SimError;
use crate::lay::Stop;
use crate::wire::Wiring;
use record::Summary;
use record::tables::{LinkEndRow, NodeRow, PositionRow};
use scenario::{NetworkChoice, Scenario};
use std::collections::BTreeSet;
use topology::knots::{Knots, moments};
use topology::{ConstellationSpec, Network, NodeKind, Site};

/// Positions of more are not written down: 28 bytes each. A week of Iridium has 133,000, an hour of 7,000 satellites
/// 91,000. Where there would be more, those count that were ever on a way; of too many of these there is none.
const MOST_POSITIONS: usize = 1_000_000;

/// How many positions a run writes down.
pub(crate) fn position_rows(network: &Network, scenario: &Scenario) -> usize {
    seen(network, scenario).len() * moments(scenario.duration).count()
}

/// The satellites whose positions are written down.
fn seen(network: &Network, scenario: &Scenario) -> Vec<u32> {
    let knots = moments(scenario.duration).count();
    let is_satellite = |&node: &u32| network.nodes[node as usize].kind == NodeKind::Satellite;
    let all: Vec<u32> = (0..network.nodes.len() as u32).filter(is_satellite).collect();
    if all.len().saturating_mul(knots) <= MOST_POSITIONS {
        return all;
    }
    let ends = network.links.iter().flat_map(|link| [link.from, link.to]);
    let used: BTreeSet<u32> = ends.filter(is_satellite).collect();
    if used.len().saturating_mul(knots) <= MOST_POSITIONS { used.into_iter().collect() } else { Vec::new() }
}

impl Recorder {
    /// Nodes, ends of links and positions of satellites. At the end of the run: links come with its pages.
    pub(crate) fn places(
        &mut self,
        scenario: &Scenario,
        wiring: &Wiring,
        summary: &Summary,
        stop: Stop<'_>,
    ) -> Result<(), SimError> {
        let network = &wiring.network;
        let listed: BTreeSet<u32> = summary.links.iter().map(|link| link.link).collect();
        for (link, plan) in (0..).zip(&network.links) {
            let number = wiring.engine_link(link);
            if listed.contains(&number) {
                let (from_node, to_node) = (plan.from, plan.to);
                self.tables.link_ends.push_row(&LinkEndRow { link: Some(number), from_node, to_node });
            }
        }
        let NetworkChoice::Constellation { spec, sites, .. } = &scenario.network else {
            self.plain_nodes(wiring);
            return Ok(self.check()?);
        };
        // A catalogue that was taken away since the run began costs the positions, not the run.
        let satellites = network.nodes.iter().filter(|node| node.kind == NodeKind::Satellite).count();
        let knots = Knots::new(spec).ok().filter(|knots| knots.satellites() as usize == satellites);
        self.nodes(network, knots.as_ref(), satellites, &places(spec, sites));
        let Some(knots) = knots else { return Ok(self.check()?) };
        for (from_node, to_node) in knots.grid() {
            self.tables.link_ends.push_row(&LinkEndRow { link: None, from_node, to_node });
        }
        let seen = seen(network, scenario);
        for at in moments(scenario.duration) {
            if stop(1.0) {
                return Err(SimError::Interrupted);
            }
            for &node in &seen {
                let state = knots.state(node, at);
                let position = |axis: usize| state.map(|(metres, _)| (metres[axis] / 1e3) as f32);
                let velocity = |axis: usize| state.map(|(_, m_s)| (m_s[axis] / 1e3) as f32);
                self.tables.positions.push_row(&PositionRow {
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
        Ok(self.check()?)
    }

    fn nodes(
        &mut self,
        network: &Network,
        knots: Option<&Knots<'_>>,
        satellites: usize,
        places: &[(&'static str, &Site)],
    ) {
        for (number, node) in network.nodes.iter().enumerate() {
            let place = number.checked_sub(satellites).map(|at| places[at]);
            self.tables.nodes.push_row(&NodeRow {
                node: number as u32,
                name: &node.name,
                kind: place.map_or("satellite", |(kind, _)| kind),
                shell: knots.filter(|_| place.is_none()).map(|knots| knots.shell(number as u32)),
                latitude_deg: place.map(|(_, site)| site.latitude.deg()),
                longitude_deg: place.map(|(_, site)| site.longitude.deg()),
            });
        }
    }

    fn plain_nodes(&mut self, wiring: &Wiring) {
        let network = &wiring.network;
        let ends: BTreeSet<u32> = wiring
            .flows
            .iter()
            .flat_map(|flow| [flow.from, flow.to].map(|site| network.sites[usize::from(site)]))
            .collect();
        for (number, node) in (0..).zip(&network.nodes) {
            self.tables.nodes.push_row(&NodeRow {
                node: number,
                name: &node.name,
                kind: if ends.contains(&number) { "site" } else { "router" },
                shell: None,
                latitude_deg: None,
                longitude_deg: None,
            });
        }
    }
}

/// What stands on the ground, in the order of the nodes after the satellites.
fn places<'a>(spec: &'a ConstellationSpec, sites: &'a [Site]) -> Vec<(&'static str, &'a Site)> {
    let gateways = spec.gateways.iter().map(|gateway| ("gateway", &gateway.site));
    let pops = spec.pops.iter().map(|site| ("pop", site));
    gateways.chain(pops).chain(sites.iter().map(|site| ("site", site))).collect()
}
