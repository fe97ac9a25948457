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
        let (start, stop, log, qlog) = (plan.start, plan.stop, self.events, self.has_qlog(plan));
        let sending = Sending { transfer, start, stop, log, qlog };
        let QuicPair { source, sink } = QuicPair::new(config, &controller, sending, seed).map_err(refused)?;
        let ends = [AnyEndpoint::QuicSource(Box::new(source)), AnyEndpoint::QuicSink(Box::new(sink))];
        Ok((ends, degraded))
    }

    /// Whether the scenario asks for a qlog of a flow.
    fn has_qlog(&self, plan: &FlowPlan) -> bool {
        let scenario = &self.plan.scenario;
        let wanted = &scenario.record.capture;
        let number = || self.plan.flows.iter().position(|flow| std::ptr::eq(flow, plan));
        !wanted.qlog.is_empty()
            && number().is_some_and(|number| wanted.qlog(&scenario.flows).contains(&(number as u32)))
    }

    /// What the network says about the path of a flow; `None` if it says nothing.
    fn hints(&self, plan: &FlowPlan) -> Option<Hints> {
        self.plan.ephemeris(plan, &self.laid).map(Hints::following)
    }
}
