// SPDX-License-Identifier: MIT OR Apache-2.0
//! Creates both ends of a QUIC connection, and both hosts of an application over QUIC.

use super::Assembly;
use crate::SimError;
use control::Signals;
use control::catalogue::Value;
use hosts::application::Application;
use hosts::{AnyEndpoint, QuicController, QuicHosts, QuicPair, Sending};
use plan::FlowPlan;
use quic::{Hints, Library, Refused};
use scenario::{ControllerChoice, QuicConfig};
use tcp::Transfer;

impl Assembly<'_> {
    /// Returns both ends of a QUIC flow, and the signals that its controller would use but that are not available.
    pub(super) fn quic(
        &self,
        plan: &FlowPlan,
        controller: &ControllerChoice,
        config: &QuicConfig,
        transfer: Transfer,
        seed: u64,
    ) -> Result<([AnyEndpoint; 2], Signals), SimError> {
        let parameters = parameters(controller);
        let controller = of(controller, &parameters, self.hints(plan));
        let degraded = degraded(plan, &controller, config, seed)?;
        let sending = Sending { transfer, start: plan.start, stop: plan.stop, log: self.events };
        let QuicPair { source, sink } =
            QuicPair::new(config, &controller, sending, seed).map_err(|source| refused(plan, source))?;
        let ends = [AnyEndpoint::QuicSource(Box::new(source)), AnyEndpoint::QuicSink(Box::new(sink))];
        Ok((ends, degraded))
    }

    /// Both hosts of an application over QUIC, and the signals that its controllers would use but do not get.
    pub(super) fn quic_application(
        &self,
        plan: &FlowPlan,
        controller: &ControllerChoice,
        config: &QuicConfig,
        application: Application,
        seed: u64,
    ) -> Result<([AnyEndpoint; 2], Signals), SimError> {
        // Requests travel in the other direction.
        let back = FlowPlan { from: plan.to, to: plan.from, ..plan.clone() };
        let parameters = parameters(controller);
        let answers = of(controller, &parameters, self.hints(plan));
        let requests = of(controller, &parameters, self.hints(&back));
        let degraded = degraded(plan, &answers, config, seed)?;
        let QuicHosts { servers, users } =
            QuicHosts::new(config, [&answers, &requests], application, seed, self.events)
                .map_err(|source| refused(plan, source))?;
        let hosts = [AnyEndpoint::QuicServers(Box::new(servers)), AnyEndpoint::QuicUsers(Box::new(users))];
        Ok((hosts, degraded))
    }

    /// Returns the data that the network provides about the path of a flow; `None` if it provides no data.
    fn hints(&self, plan: &FlowPlan) -> Option<Hints> {
        self.plan.ephemeris(plan, &self.laid).map(Hints::following)
    }
}

/// Returns the parameters of a controller in the form that the catalogue accepts.
fn parameters(controller: &ControllerChoice) -> Vec<(&str, Value<'_>)> {
    controller.parameters.iter().map(|(key, value)| (key.as_str(), value.of_catalogue())).collect()
}

fn of<'a>(
    controller: &'a ControllerChoice,
    parameters: &'a [(&'a str, Value<'a>)],
    hints: Option<Hints>,
) -> QuicController<'a> {
    QuicController { name: &controller.name, parameters, hints }
}

/// Returns the signals that a controller would use but that are not available.
fn degraded(
    plan: &FlowPlan,
    controller: &QuicController<'_>,
    config: &QuicConfig,
    seed: u64,
) -> Result<Signals, SimError> {
    let setup = controller.setup(config, seed).and_then(|setup| setup.degraded(Library::Noq));
    setup.map_err(|source| refused(plan, source))
}

fn refused(plan: &FlowPlan, source: Refused) -> SimError {
    SimError::Quic { flow: plan.name.clone(), source }
}
