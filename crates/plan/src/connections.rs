// SPDX-License-Identifier: MIT OR Apache-2.0
//! The connections of a plan's flows: their settings, their parts and their round-trip times.

use crate::flows::Proxy;
use crate::plan::Plan;
use scenario::FlowKind;
use units::{Span, Time};

impl Plan {
    /// Returns the settings of both ends (sender and receiver) of a TCP connection of a flow of this kind, as their
    /// SYNs announce them. The window of a proxy is at most its buffer. This applies to both of its connections,
    /// although the proxy receives only acknowledgements on one of them.
    pub fn settings(&self, kind: &FlowKind, number: usize) -> Option<[tcp::Config; 2]> {
        let config = kind.tcp()?;
        let Some(part) = &self.flows[number].part else { return Some([config.clone(), config.clone()]) };
        let [mut sends, mut receives] = part.ends.clone();
        let bounded = |config: &mut tcp::Config, proxy: Option<Proxy>| {
            if let Some(proxy) = proxy {
                let own = config.receive_window.at_most();
                let most = own.map_or(proxy.buffer, |most| most.min(proxy.buffer));
                config.receive_window = tcp::ReceiveWindow::Fixed(most);
            }
        };
        bounded(&mut receives, part.proxy);
        if matches!(kind, FlowKind::Tcp { .. }) {
            let parts = self.flows[part.flow].parts(part.flow);
            let before =
                part.place.checked_sub(1).and_then(|place| self.flows[parts[place]].part.as_ref()?.proxy);
            bounded(&mut sends, before);
        } else {
            // Users open the connection, and send requests.
            (sends.setup, sends.ecn) = (receives.setup, receives.ecn);
        }
        Some([sends, receives])
    }

    /// Returns the numbers of the parts of all split flows, in the order of flows.
    pub fn all_parts(&self) -> impl Iterator<Item = usize> {
        self.flows.iter().enumerate().flat_map(|(number, plan)| plan.parts(number))
    }

    /// Returns the round-trip propagation delay of a flow between its hosts at a time. Proxies do not change it.
    pub fn whole_rtt(&self, number: usize, at: Time) -> Option<Span> {
        let plan = &self.flows[number];
        let rest = plan.part.as_ref().map_or(&[][..], |part| &part.rest);
        rest.iter().try_fold(self.propagation_rtt(plan, at)?, |sum, &part| {
            Some(sum + self.propagation_rtt(&self.flows[part], at)?)
        })
    }
}
