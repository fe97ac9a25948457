// SPDX-License-Identifier: MIT OR Apache-2.0
//! Creates the hosts of an application. If proxies split the application, creates the hosts of each part.

use super::Assembly;
use super::controllers::make;
use crate::SimError;
use control::Signals;
use hosts::application::{Application, Maker};
use hosts::{AnyEndpoint, Relay, Servers, Users};
use plan::FlowPlan;
use scenario::ControllerChoice;
use std::sync::Arc;

impl Assembly<'_> {
    /// Returns both ends of an application, or of one part of it. `hosts` are the hosts of the whole flow.
    pub(super) fn application(
        &self,
        plan: &FlowPlan,
        seed: u64,
        controller: &ControllerChoice,
        config: &tcp::Config,
        application: Application,
    ) -> Result<([AnyEndpoint; 2], Signals), SimError> {
        // Requests travel in the other direction.
        let back = FlowPlan { from: plan.to, to: plan.from, ..plan.clone() };
        let whole = || [config.clone(), config.clone()];
        let [mut servers, users] = plan.part.as_ref().map_or_else(whole, |part| part.ends.clone());
        // Users open the connections and request ECN (RFC 3168, section 6.1.1).
        (servers.setup, servers.ecn) = (users.setup, users.ecn);
        let ([answers, from_there], [requests, from_back]) =
            (servers.towards(&users), users.towards(&servers));
        let mut degraded = Signals::NONE;
        let mut maker = |plan: &FlowPlan, config: tcp::Config, receives, seed| {
            let (_, given) = self.controlled(plan, controller, config.platform())?;
            degraded = given.degraded;
            let (choice, platform) = (controller.clone(), config.platform());
            // The same controller was created once before, so this cannot fail.
            let again = move || make(&choice, platform).unwrap_or_else(|error| unreachable!("{error}"));
            Ok::<_, SimError>(Maker {
                config,
                receives,
                controller: Arc::new(again),
                path: given.ephemeris,
                provided: given.provided,
                seed,
            })
        };
        let there = maker(plan, answers, from_back, seed)?;
        let back = maker(&back, requests, from_there, !seed)?;
        let (is_first, proxy) = plan.part.as_ref().map_or((true, None), |part| (part.place == 0, part.proxy));
        let source = if is_first {
            AnyEndpoint::Servers(Box::new(Servers::new(there, self.events)))
        } else {
            AnyEndpoint::Relay(Box::new(Relay::called(there, self.events)))
        };
        let sink = match proxy {
            Some(proxy) => AnyEndpoint::Relay(Box::new(Relay::calling(back, proxy.buffer, self.events))),
            None => AnyEndpoint::Users(Box::new(Users::new(application, back))),
        };
        Ok(([source, sink], degraded))
    }
}
