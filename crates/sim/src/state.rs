// SPDX-License-Identifier: MIT OR Apache-2.0
//! The state of a run at a moment.

use crate::transmitters::Shared;
use engine::{Endpoint, Engine, Observer};
use hosts::{AnyBody, AnyEndpoint};
use plan::Plan;
use std::collections::BTreeMap;
use units::Time;

/// The state of a run at a moment. Recorder, summary and guards read it.
pub struct State<E: Endpoint, O> {
    /// The plan, as far as its network is laid out.
    pub plan: Plan,
    /// Packets, links and endpoints.
    pub engine: Engine<E, O>,
    /// Shared transmitters, and how long each was served.
    pub(crate) shared: Shared,
    /// For each flow: the signals that its controller would use but does not get.
    pub degraded: Vec<Vec<&'static str>>,
    /// Times of the handovers so far between two sites that a connection joins.
    pub handovers: BTreeMap<(u16, u16), Vec<Time>>,
}

impl<O: Observer<AnyBody> + Clone> State<AnyEndpoint, O> {
    /// A copy that shares no mutable data.
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
