// SPDX-License-Identifier: MIT OR Apache-2.0
//! The connections of a flow: a single connection, or one for each part if proxies split the flow.

use super::{LEAST_RTT_S, path, reno};
use control::catalogue;
use link::Config;
use scenario::{Flow, FlowKind, Scenario};
use topology::Network;
use units::Time;

/// Controllers that do not reduce their rate after random loss, by the first part of their names.
const LOSS_INSENSITIVE: [&str; 4] = ["bbr", "copa", "leocc", "vivace"];

/// One connection of a flow.
pub(super) struct Lane<'a> {
    pub links: Vec<&'a Config>,
    /// Round-trip time in seconds, without queues.
    pub rtt: f64,
    /// Name of the controller; `None` if the connection has no controller.
    controller: Option<&'a str>,
    /// Largest window of the receiver in bytes.
    window: f64,
}

impl Lane<'_> {
    /// Returns the rate in bit/s that window and random loss allow. `packet` is the size of packets in bytes.
    pub fn bit_s(&self, packet: f64) -> f64 {
        let rtt = self.rtt.max(LEAST_RTT_S);
        let deaf = LOSS_INSENSITIVE.iter().any(|name| self.controller.is_some_and(|it| it.starts_with(name)));
        let losses = self.links.iter().map(|link| reno(&link.spec, packet, rtt));
        let reno = if deaf { f64::INFINITY } else { losses.fold(f64::INFINITY, f64::min) };
        (8.0 * self.window / rtt).min(2.0 * 8.0 * packet * reno)
    }

    /// Returns the number of values that the controller reports at each sample. For a controller in Python, this is an
    /// assumption.
    pub fn shown(&self) -> usize {
        let Some(controller) = self.controller else { return 0 };
        let Ok(entry) = catalogue::entry(controller) else { return 4 };
        let mut numbers = control::Snapshot::new();
        if let Ok(built) = catalogue::build(entry.name, &[]) {
            built.snapshot(&mut numbers);
        }
        numbers.len()
    }
}

/// Returns the connections of a flow, in order. For a scenario entry with several flows, these are the connections of
/// the first flow.
pub(super) fn lanes<'a>(
    scenario: &'a Scenario,
    flow: &'a Flow,
    network: &'a Network,
    site: impl Fn(&str) -> u16,
) -> Vec<Lane<'a>> {
    let (proxies, tcp) = (scenario.proxies(flow, 0), scenario.ends(flow, 0));
    let inner = proxies.iter().map(|(_, site)| site.as_str());
    let stops: Vec<&str> =
        std::iter::once(flow.from.as_str()).chain(inner).chain([flow.to.as_str()]).collect();
    let last = stops.len() - 2;
    // An application does not have one single controller.
    let own = match &flow.kind {
        FlowKind::Tcp { controller, .. } | FlowKind::Quic { controller, .. } => {
            Some(controller.name.as_str())
        }
        _ => None,
    };
    let lane = |(place, ends): (usize, &[&str])| {
        let within = ends[0] == ends[1] && !proxies.is_empty();
        let links = if within { Vec::new() } else { path(network, site(ends[0]), site(ends[1])) };
        let hosts = f64::from(u8::from(place == 0) + u8::from(place == last));
        let access = flow.access.as_ref().map_or(0.0, |access| access.delay.secs_f64());
        let delay: f64 = links.iter().map(|config| config.delay.at(Time::ZERO).secs_f64()).sum();
        let receiver = tcp.get(place).and_then(|[_, receiver]| receiver.receive_window.at_most());
        let buffer = proxies.get(place).map(|(pep, _)| pep.buffer);
        let window = receiver.into_iter().chain(buffer).map(|bytes| bytes.get() as f64);
        // The controller of the first proxy also controls the connection that starts there.
        let begins = proxies.first().filter(|_| place == 1).and_then(|(pep, _)| pep.controller.as_ref());
        Lane {
            links,
            rtt: 2.0 * (delay + hosts * access),
            controller: own.map(|own| begins.map_or(own, |it| it.name.as_str())),
            window: window.fold(f64::INFINITY, f64::min),
        }
    };
    stops.windows(2).enumerate().map(lane).collect()
}
