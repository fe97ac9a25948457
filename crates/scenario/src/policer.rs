// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes policers of links, and refuses flows whose packets a policer would all drop.

use crate::ScenarioError;
use crate::check::Source;
use crate::document::{Flow, FlowKind, NetworkChoice, Wire};
use crate::format;
use crate::path_load::{chain_places, has_dish};
use crate::text::{Q, Written as _};
use link::{LinkSpec, Policer};
use units::{Bytes, Code};

impl format::Policer {
    /// The policer of the table.
    pub const fn read(self) -> Policer {
        Policer { rate: self.rate.0, burst: self.burst.0 }
    }

    /// The text form of a policer.
    pub const fn of(policer: Policer) -> Self {
        Self { rate: Q(policer.rate), burst: Q(policer.burst) }
    }
}

/// Refuses a flow whose largest packets are larger than the burst of a policer on its path: all of them would be
/// dropped.
pub fn refuse_small_bursts(
    flow: &Flow,
    network: &NetworkChoice,
    source: &Source<'_>,
    path: &str,
) -> Result<(), ScenarioError> {
    let sizes = Sizes::of(&flow.kind);
    let mut passed = links(flow, network, source, sizes);
    if let Some(access) = &flow.access {
        passed.push((format!("{path}.access"), &access.link, sizes.there));
    }
    for (key, link, (packet, which)) in passed {
        let Some(burst) = link.policer.map(|policer| policer.burst).filter(|&burst| burst < packet) else {
            continue;
        };
        let message = format!(
            "{which} have {}, and the bucket of `{key}.policer` holds {}: the policer would drop all of them",
            packet.write(),
            burst.write()
        );
        return Err(source
            .error(Code::ScenarioValue, path, message)
            .fix(format!("write a `burst` of {} or more", packet.write())));
    }
    Ok(())
}

/// The size of a flow's largest packets in one direction, and their name in messages.
type Largest = (Bytes, &'static str);

#[derive(Clone, Copy)]
struct Sizes {
    /// From `from` to `to`.
    there: Largest,
    /// From `to` to `from`; zero bytes if a policer could not refuse any packet there.
    back: Largest,
}

impl Sizes {
    fn of(kind: &FlowKind) -> Self {
        let back = match kind {
            // Acknowledgements are smaller than the smallest `burst`, 64 B.
            FlowKind::Tcp { .. } | FlowKind::Quic { .. } | FlowKind::Cbr { .. } => (Bytes::ZERO, ""),
            // Users send requests, and echoes have the size of what they answer.
            FlowKind::Application { .. } | FlowKind::Ping { .. } | FlowKind::Tap { .. } => {
                (kind.packet(), "its largest packets in the other direction")
            }
            FlowKind::Call(call) => (call.back.largest(), "its largest packets in the other direction"),
        };
        Self { there: (kind.packet(), "its largest packets"), back }
    }
}

/// The links of the network on the flow's path, each with its key and the largest packets that it carries.
///
/// In a constellation: the kinds of links that a path can have.
fn links<'n>(
    flow: &Flow,
    network: &'n NetworkChoice,
    source: &Source<'_>,
    Sizes { there, back }: Sizes,
) -> Vec<(String, &'n LinkSpec, Largest)> {
    match network {
        NetworkChoice::Dumbbell { forward, reverse } => {
            let (right, left) = if flow.from == "left" { (there, back) } else { (back, there) };
            let key = "network.dumbbell";
            vec![(key.to_owned(), &forward.spec, right), (format!("{key}.reverse"), &reverse.spec, left)]
        }
        NetworkChoice::Chain { links } => {
            let key = |at: usize| {
                let alike = source.has("network.chain.link");
                if alike { "network.chain.link".to_owned() } else { format!("network.chain.links[{at}]") }
            };
            chain_places(flow, links.len()).map(|at| (key(at), &links[at].spec, there)).collect()
        }
        NetworkChoice::Star { branches, .. } => {
            let on_way = |(_, (site, _)): &(usize, &(String, Wire))| *site == flow.from || *site == flow.to;
            let passed = branches.iter().enumerate().filter(on_way);
            passed
                .map(|(at, (_, wire))| (format!("network.star.branches[{at}]"), &wire.spec, there))
                .collect()
        }
        NetworkChoice::Constellation { spec, .. } => {
            let (from, to) = (has_dish(spec, &flow.from), has_dish(spec, &flow.to));
            let key = |name: &str, of_user: bool| {
                let own = format!("network.constellation.{name}");
                let shared = of_user && !source.has(&format!("{own}.policer"));
                if shared { "network.constellation.user_link".to_owned() } else { own }
            };
            let up =
                (from || to).then(|| (key("uplink", true), &spec.uplink, if from { there } else { back }));
            let down =
                (from || to).then(|| (key("downlink", true), &spec.downlink, if to { there } else { back }));
            let isl = spec.isl.as_ref().map(|isl| (key("isl", false), &isl.link, there));
            let feeder = (!spec.gateways.is_empty()).then(|| (key("feeder", false), &spec.feeder, there));
            [up, isl, feeder, down].into_iter().flatten().collect()
        }
        NetworkChoice::Starlink(_) => Vec::new(),
    }
}
