// SPDX-License-Identifier: MIT OR Apache-2.0
//! The state of a run at one moment.

use crate::transmitters::Shared;
use engine::{Endpoint, Engine, Observer};
use hosts::{AnyBody, AnyEndpoint};
use plan::Plan;
use std::collections::BTreeMap;
use units::Time;

/// The state of a run at one moment. Recorder, summary and guard read it.
pub struct State<E: Endpoint, O> {
    /// The plan, with the part of its network that is computed so far.
    pub plan: Plan,
    /// Packets, links and endpoints.
    pub engine: Engine<E, O>,
    /// Shared transmitters, and the time for which each group of links was served.
    pub(crate) shared: Shared,
    /// For each flow, the signals that its controller would use but that are not available.
    pub degraded: Vec<Vec<&'static str>>,
    /// Times of past handovers, for each pair of sites that flows use.
    pub handovers: BTreeMap<(u16, u16), Vec<Time>>,
}

impl<O: Observer<AnyBody> + Clone> State<AnyEndpoint, O> {
    /// Returns a copy that shares no mutable data with the original.
    pub(crate) fn fork(&self) -> Self {
        let mut engine = self.engine.clone();
        link::separate(engine.links_mut());
        Self {
            plan: self.plan.clone(),
            engine,
            shared: self.shared.clone(),
            degraded: self.degraded.clone(),
            handovers: self.handovers.clone(),
        }
    }
}
