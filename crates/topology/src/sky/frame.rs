// SPDX-License-Identifier: MIT OR Apache-2.0
//! The network of a constellation at one time.
//!
//! The frame is computed from all positions and the lengths of links. Each site checks only the satellites in the cells
//! that it can reach (`view`). Obstacles (`mask`) are checked last. Passes, policies and routes use the same code for
//! this check.

use crate::isl::Edge;
use crate::view::{Cells, Sighting};

/// The network of a constellation at one time. Its memory is reused for other times.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    pub positions: Vec<[f64; 3]>,
    /// The satellites that each site sees, in ascending order. The entries of the sites are followed by entries for
    /// sites in cells that are not in the list of sites.
    pub sightings: Vec<Vec<Sighting>>,
    pub(super) gateways: u32,
    /// Point of presence of each gateway.
    pub(super) pop_of_gateway: Vec<Option<u16>>,
    pub(super) pops: u32,
    pub(super) edges: Vec<Edge>,
    /// For each node, the first index of its links in `other`, `metres` and `edge`. The last element is the number of
    /// all links.
    pub(super) first: Vec<u32>,
    pub(super) other: Vec<u32>,
    pub(super) metres: Vec<f64>,
    /// Index of the link in `edges`.
    pub(super) edge: Vec<u32>,
    /// The core nodes to which each site is linked, in ascending order, with distances in metres.
    pub(super) views: Vec<Vec<(u32, f64)>>,
    pub(super) cells: Cells,
    pub(super) seen: Vec<Sighting>,
}

impl Frame {
    /// Returns the number of nodes of the core, which relay packets.
    pub fn core(&self) -> usize {
        self.positions.len() + self.gateways as usize + self.pops as usize
    }

    /// Returns the number of sites.
    pub fn sites(&self) -> usize {
        self.views.len()
    }

    /// Returns the core nodes to which a site is linked, with distances in metres.
    pub fn view(&self, site: u16) -> &[(u32, f64)] {
        &self.views[usize::from(site)]
    }

    /// Restricts a site to one satellite.
    pub fn serve(&mut self, site: usize, satellite: Option<u32>) {
        self.views[site].retain(|&(node, _)| Some(node) == satellite);
    }

    /// Returns the links of a core node to other core nodes, as pairs of the other node and the length in metres.
    #[inline]
    pub fn links(&self, node: u32) -> impl Iterator<Item = (u32, f64)> + '_ {
        let range = self.first[node as usize] as usize..self.first[node as usize + 1] as usize;
        self.other[range.clone()].iter().copied().zip(self.metres[range].iter().copied())
    }

    /// Returns the length of the link between two core nodes; infinite without a link.
    #[inline]
    pub fn length(&self, a: u32, b: u32) -> f64 {
        // A node has few links. The code checks all of them, so that it has no branch.
        self.links(a).fold(f64::INFINITY, |length, (other, metres)| if other == b { metres } else { length })
    }

    /// Works as [`Self::length`]. `port` is the expected position of `b` among the links of `a`. If `b` is at another
    /// position, `port` is corrected.
    #[inline]
    pub fn length_at(&self, a: u32, b: u32, port: &mut u8) -> f64 {
        let (first, end) = (self.first[a as usize] as usize, self.first[a as usize + 1] as usize);
        let expected = first + usize::from(*port);
        if expected < end && self.other[expected] == b {
            return self.metres[expected];
        }
        let Some(found) = self.other[first..end].iter().position(|&other| other == b) else {
            return f64::INFINITY;
        };
        *port = u8::try_from(found).unwrap_or(u8::MAX);
        self.metres[first + found]
    }

    /// Returns the index of the link between two core nodes in [`Self::edges`].
    pub fn edge(&self, a: u32, b: u32) -> Option<u32> {
        let range = self.first[a as usize] as usize..self.first[a as usize + 1] as usize;
        let found = self.other[range.clone()].iter().position(|&other| other == b)?;
        Some(self.edge[range.start + found])
    }

    /// Returns all links of the core, each once.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Returns the point of presence at a node. For a gateway, returns the point of presence to which the gateway is
    /// connected.
    pub fn pop_of(&self, node: u32) -> Option<u16> {
        let gateway = (node as usize).checked_sub(self.positions.len())?;
        let gateways = self.gateways as usize;
        if gateway < gateways { self.pop_of_gateway[gateway] } else { Some((gateway - gateways) as u16) }
    }

    /// Returns whether a link between two nodes is usable.
    pub fn linked(&self, from: u32, to: u32) -> bool {
        self.metres(from, to).is_some()
    }

    /// Returns the length of a link in metres; `None` if the link is not usable.
    pub fn metres(&self, from: u32, to: u32) -> Option<f64> {
        let (site, node) = (from.max(to), from.min(to));
        match (site as usize).checked_sub(self.core()) {
            None => Some(self.length(from, to)).filter(|metres| metres.is_finite()),
            Some(site) => self.views[site].iter().find(|&&(seen, _)| seen == node).map(|&(_, metres)| metres),
        }
    }

    /// Sorts the links of the core by node.
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
