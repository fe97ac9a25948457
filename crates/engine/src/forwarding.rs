// SPDX-License-Identifier: MIT OR Apache-2.0
//! Forwarding tables.

use crate::NO_LINK;
use link::prefetch;

/// Forwarding table of the network. For each node and site, it contains the link that packets to this site take at this
/// node.
#[derive(Clone, Debug, Default, saved::Plain)]
pub struct Forwarding {
    nodes: usize,
    next: Vec<u32>,
}

impl Forwarding {
    /// Creates a table without routes.
    pub fn new(nodes: usize, sites: usize) -> Self {
        Self { nodes, next: vec![NO_LINK; nodes * sites] }
    }
    /// Sets the link that packets for `site` take at `node`; `None` removes the route.
    pub fn set(&mut self, node: u32, site: u16, link: Option<u32>) {
        self.next[usize::from(site) * self.nodes + node as usize] = link.unwrap_or(NO_LINK);
    }
    #[inline]
    pub(crate) fn get(&self, node: u32, site: u16) -> u32 {
        self.next[usize::from(site) * self.nodes + node as usize]
    }
    #[inline]
    pub(crate) fn prefetch(&self, node: u32, site: u16) {
        prefetch(&self.next[usize::from(site) * self.nodes + node as usize]);
    }
}
