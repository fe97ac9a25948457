// SPDX-License-Identifier: MIT OR Apache-2.0
//! The largest number of bytes that all flows together hold in the buffers of a proxy. The sum is computed every 100
//! ms. Otherwise, every packet would have to update a common counter of the buffers of all flows.

use engine::{Engine, Observer};
use hosts::{Held, Metered};
use plan::Plan;
use record::summary::ProxySummary;
use std::collections::BTreeMap;

/// The largest sums so far, by the site of the proxy.
#[derive(Clone, Debug, Default, saved::Saved)]
pub(crate) struct ProxyPeaks {
    most: BTreeMap<u16, u64>,
}

impl ProxyPeaks {
    /// Adds the present sums.
    pub fn look<E: Metered, O: Observer<E::Body>>(&mut self, plan: &Plan, engine: &Engine<E, O>) {
        let mut now: BTreeMap<u16, u64> = BTreeMap::new();
        for part in plan.all_parts() {
            let Some(proxy) = plan.flows[part].part.as_ref().and_then(|part| part.proxy) else { continue };
            let held = engine.endpoints()[2 * part + 1].held();
            *now.entry(proxy.at).or_default() += held.map_or(0, |Held { now, .. }| now.get());
        }
        for (at, held) in now {
            let most = self.most.entry(at).or_default();
            *most = held.max(*most);
        }
    }

    /// Writes the largest sum of each proxy into the rows of this proxy. The largest number of bytes of a single flow
    /// is known exactly, so the sum is at least this number.
    pub fn enter(&self, plan: &Plan, rows: &mut [ProxySummary]) {
        let mut most: BTreeMap<&str, u64> = BTreeMap::new();
        for (&at, &held) in &self.most {
            let most = most.entry(&plan.site_names[usize::from(at)]).or_default();
            *most = held.max(*most);
        }
        for row in &*rows {
            if let Some(most) = most.get_mut(row.at.as_str()) {
                *most = row.most_held_total_bytes.max(*most);
            }
        }
        for row in rows {
            row.most_held_by_all_flows_bytes = most.get(row.at.as_str()).copied();
        }
    }
}
