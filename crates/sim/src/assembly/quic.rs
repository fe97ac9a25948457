// SPDX-License-Identifier: MIT OR Apache-2.0
//! Both ends of a QUIC connection.

use super::Assembly;
use crate::SimError;
use control::Signals;
use hosts::{AnyEndpoint, QuicController, QuicPair, Sending};
use plan::FlowPlan;
use quic::{Hints, Library};
use scenario::{ControllerChoice, QuicConfig};
use tcp::Transfer;

impl Assembly<'_> {
    /// Both ends of a QUIC flow, and the signals that its controller would use but does not get.
    pub(super) fn quic(
        &self,
        plan: &FlowPlan,
        controller: &ControllerChoice,
        config: &QuicConfig,
        transfer: Transfer,
        seed: u64,
    ) -> Result<([AnyEndpoint; 2], Signals), SimError> {
        let parameters: Vec<_> =
            controller.parameters.iter().map(|(key, value)| (key.as_str(), value.of_catalogue())).collect();
        let controller =
            QuicController { name: &controller.name, parameters: &parameters, hints: self.hints(plan) };
        let refused = |source| SimError::Quic { flow: plan.name.clone(), source };
        let degraded =
            controller.setup(config, seed).and_then(|setup| setup.degraded(Library::Noq)).map_err(refused)?;
        let sending = Sending { transfer, start: plan.start, stop: plan.stop, log: self.events };
        let QuicPair { source, sink } = QuicPair::new(config, &controller, sending, seed).map_err(refused)?;
        let ends = [AnyEndpoint::QuicSource(Box::new(source)), AnyEndpoint::QuicSink(Box::new(sink))];
        Ok((ends, degraded))
    }

    /// What the network says about the path of a flow; `None` if it says nothing.
    fn hints(&self, plan: &FlowPlan) -> Option<Hints> {
        self.plan.ephemeris(plan, &self.laid).map(Hints::following)
    }
}
