// SPDX-License-Identifier: MIT OR Apache-2.0
//! TCP settings at both ends of each connection of a flow with proxies. Hosts have the settings of the flow. A proxy
//! has its own settings where they are set. If the two ends must share a value, [`Config::towards`] computes it.

use crate::ScenarioError;
use crate::check::Source;
use crate::document::{Flow, FlowKind, Pep};
use crate::transport::{self, OwnTcp};
use tcp::{Config, ReceiveWindow, Setup};
use units::Code;

/// Settings at the two ends of a connection: first at the sender of the data, then at the receiver.
pub type Ends = [Config; 2];

impl Pep {
    /// Returns the TCP settings of these proxies on the path of a flow; `None` if the flow does not use TCP.
    fn transport(&self, kind: &FlowKind) -> Option<Config> {
        let flow = kind.tcp()?;
        let mut config = self.tcp.clone().unwrap_or_default().over(flow);
        let says_setup = self.tcp.as_ref().is_some_and(OwnTcp::has_setup);
        if matches!(kind, FlowKind::Application { .. }) && !says_setup {
            config.setup = flow.setup;
        }
        Some(config)
    }

    /// Returns the settings of a proxy as receiver. The proxy announces the free part of its buffer as its receive
    /// window. If its settings contain a receive window, the proxy announces at most this window.
    fn receiving(&self, config: Config) -> Config {
        let own = self.tcp.as_ref().is_some_and(OwnTcp::has_window);
        match config.receive_window {
            ReceiveWindow::Fixed(_) | ReceiveWindow::Growing(_) if own => config,
            _ => Config { receive_window: ReceiveWindow::Fixed(self.buffer), ..config },
        }
    }
}

/// Returns the TCP settings at the two ends of each connection of a flow, in the order in which data pass its proxies.
pub fn ends(proxies: &[(&Pep, String)], kind: &FlowKind) -> Vec<Ends> {
    let Some(host) = kind.tcp() else { return Vec::new() };
    // Only the sending host has the trickle of its application and the saved path.
    let last = Config { trickle: None, saved_path: None, ..host.clone() };
    let own: Vec<Config> = proxies.iter().filter_map(|(pep, _)| pep.transport(kind)).collect();
    let from = std::iter::once(host.clone()).chain(own.iter().cloned());
    let receiving = proxies.iter().zip(own.iter().cloned()).map(|((pep, _), config)| pep.receiving(config));
    from.zip(receiving.chain([last])).map(|(from, to)| [from, to]).collect()
}

/// Returns a fault in the TCP settings of a proxy for one of the flows that it splits.
pub fn contradiction(pep: &Pep, flow: &Flow, source: &Source<'_>, path: &str) -> Option<ScenarioError> {
    let own = pep.tcp.as_ref()?;
    let wrong = own.contradiction(flow.kind.tcp()?).or_else(|| {
        let application = matches!(flow.kind, FlowKind::Application { .. });
        application.then(|| transport::one_way(&pep.transport(&flow.kind)?)).flatten()
    })?;
    let mut places = wrong.keys.iter().map(|key| format!("{path}.tcp.{key}"));
    let place = places.find(|place| source.has(place)).unwrap_or_else(|| format!("{path}.tcp"));
    let message = format!("with the settings of flow \"{}\": {}", flow.name, wrong.message);
    Some(source.error(Code::ScenarioValue, &place, message))
}

/// Returns the smallest buffer, in bytes, with which data pass each proxy of a flow. This is one segment, or two
/// segments if segments behind the proxy have another size. In this case, a remainder smaller than a full segment stays
/// in the buffer while another segment arrives.
pub fn least_buffers(ends: &[Ends], kind: &FlowKind) -> Vec<u64> {
    let cuts = |[from, to]: &Ends| {
        let first_is_short = from.setup == Setup::FastOpen && from.trickle.is_none();
        (from.mss.min(to.mss), first_is_short.then_some(from.header))
    };
    let least = |pair: &[Ends]| {
        let (before, behind) = (cuts(&pair[0]), cuts(&pair[1]));
        // Messages of an application may also be sent in short segments.
        let alike = before == behind || matches!(kind, FlowKind::Application { .. });
        u64::from(before.0) + if alike { 0 } else { u64::from(behind.0) }
    };
    ends.windows(2).map(least).collect()
}
