// SPDX-License-Identifier: MIT OR Apache-2.0
//! The network of a constellation at one time.
//!
//! Computing it takes all positions and the lengths of links; each site checks only the satellites in the cells that it
//! can reach (`view`). Obstacles (`mask`) are checked last, in the same place for passes, policies and routes.

use crate::isl::Edge;
use crate::view::{Cells, Sighting};

/// The network of a constellation at one time. Reused from time to time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    pub positions: Vec<[f64; 3]>,
    /// The satellites that each site sees, ascending; followed by those of cells' sites that are not among the sites.
    pub sightings: Vec<Vec<Sighting>>,
    pub(super) gateways: u32,
    /// Point of presence of each gateway.
    pub(super) pop_of_gateway: Vec<Option<u16>>,
    pub(super) pops: u32,
    pub(super) edges: Vec<Edge>,
    /// Links of the core by node: first entry in `other`, `metres` and `edge`, and one above the last.
    pub(super) first: Vec<u32>,
    pub(super) other: Vec<u32>,
    pub(super) metres: Vec<f64>,
    /// Index in `edges`.
    pub(super) edge: Vec<u32>,
    /// Core nodes that each site is linked to, ascending, with metres.
    pub(super) views: Vec<Vec<(u32, f64)>>,
    pub(super) cells: Cells,
    pub(super) seen: Vec<Sighting>,
}

impl Frame {
    /// Nodes that relay.
    pub fn core(&self) -> usize {
        self.positions.len() + self.gateways as usize + self.pops as usize
    }

    /// Number of sites.
    pub fn sites(&self) -> usize {
        self.views.len()
    }

    /// Core nodes that a site is linked to, with metres.
    pub fn view(&self, site: u16) -> &[(u32, f64)] {
        &self.views[usize::from(site)]
    }

    /// Restricts a site to one satellite.
    pub fn serve(&mut self, site: usize, satellite: Option<u32>) {
        self.views[site].retain(|&(node, _)| Some(node) == satellite);
    }

    /// Links of a core node to others of the core: the other, metres.
    #[inline]
    pub fn links(&self, node: u32) -> impl Iterator<Item = (u32, f64)> + '_ {
        let range = self.first[node as usize] as usize..self.first[node as usize + 1] as usize;
        self.other[range.clone()].iter().copied().zip(self.metres[range].iter().copied())
    }

    /// Length of the link between two nodes of the core; infinite without a link.
    #[inline]
    pub fn length(&self, a: u32, b: u32) -> f64 {
        // All of a node's few links are checked, so there is no branch to predict.
        self.links(a).fold(f64::INFINITY, |length, (other, metres)| if other == b { metres } else { length })
    }

    /// Index of the link between two nodes of the core in [`Self::edges`].
    pub fn edge(&self, a: u32, b: u32) -> Option<u32> {
        let range = self.first[a as usize] as usize..self.first[a as usize + 1] as usize;
        let found = self.other[range.clone()].iter().position(|&other| other == b)?;
        Some(self.edge[range.start + found])
    }

    /// All links of the core, each once.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Point of presence at a node, or that of a gateway.
    pub fn pop_of(&self, node: u32) -> Option<u16> {
        let gateway = (node as usize).checked_sub(self.positions.len())?;
        let gateways = self.gateways as usize;
        if gateway < gateways { self.pop_of_gateway[gateway] } else { Some((gateway - gateways) as u16) }
    }

    /// Whether a link between two nodes is usable.
    pub fn linked(&self, from: u32, to: u32) -> bool {
        self.metres(from, to).is_some()
    }

    /// Length of a usable link, metres; `None`: it is not usable.
    pub fn metres(&self, from: u32, to: u32) -> Option<f64> {
        let (site, node) = (from.max(to), from.min(to));
        match (site as usize).checked_sub(self.core()) {
            None => Some(self.length(from, to)).filter(|metres| metres.is_finite()),
            Some(site) => self.views[site].iter().find(|&&(seen, _)| seen == node).map(|&(_, metres)| metres),
        }
    }

    /// Sorts the links by node.
    pub(super) fn connect(&mut self) {
        let core = self.core();
        self.first.clear();
        self.first.resize(core + 2, 0);
        for &(a, b, _) in &self.edges {
            self.first[a as usize + 2] += 1;
            self.first[b as usize + 2] += 1;
        }
        for node in 2..core + 2 {
            self.first[node] += self.first[node - 1];
        }
        self.other.resize(self.edges.len() * 2, 0);
        self.metres.resize(self.edges.len() * 2, 0.0);
        self.edge.resize(self.edges.len() * 2, 0);
        for (edge, &(a, b, metres)) in self.edges.iter().enumerate() {
            for (from, to) in [(a, b), (b, a)] {
                let at = &mut self.first[from as usize + 1];
                self.edge[*at as usize] = edge as u32;
                self.other[*at as usize] = to;
                self.metres[*at as usize] = metres;
                *at += 1;
            }
        }
        self.first.pop();
    }
}
