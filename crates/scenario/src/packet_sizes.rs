// SPDX-License-Identifier: MIT OR Apache-2.0
//! Refuses flows if a link on their path would drop all of their largest packets. Such packets exceed the MTU of the
//! link or the burst of its policer. In a constellation, every kind of link that the path can use counts.

use crate::ScenarioError;
use crate::check::Source;
use crate::document::{Flow, FlowKind, NetworkChoice, Wire};
use crate::path_load::{chain_places, has_dish};
use crate::quic::QUIC_HEADERS;
use crate::text::Written as _;
use link::LinkSpec;
use units::{Bytes, Code};

/// Refuses a flow if a link on its path would drop all of its largest packets.
pub fn refuse(
    flow: &Flow,
    network: &NetworkChoice,
    source: &Source<'_>,
    path: &str,
) -> Result<(), ScenarioError> {
    refuse_small_bursts(flow, network, source, path)?;
    refuse_small_mtus(flow, network, source, path)
}

/// Refuses a flow whose largest packets are larger than the burst of a policer on its path.
fn refuse_small_bursts(
    flow: &Flow,
    network: &NetworkChoice,
    source: &Source<'_>,
    path: &str,
) -> Result<(), ScenarioError> {
    for (key, link, (packet, which)) in passed(flow, network, source, path, "policer", Sizes::of(&flow.kind))
    {
        let Some(burst) = link.policer.map(|policer| policer.burst).filter(|&burst| burst < packet) else {
            continue;
        };
        let message = format!(
            "{which} have {}, but the bucket of `{key}.policer` holds only {}: the policer would drop all these \
             packets",
            packet.write(),
            burst.write()
        );
        return Err(source
            .error(Code::ScenarioValue, path, message)
            .fix(format!("write a `burst` of {} or more", packet.write())));
    }
    Ok(())
}

/// Refuses a flow whose packets exceed the MTU of a link on its path. TCP in Bentpipe has no path MTU discovery, so
/// such a flow would deliver nothing. QUIC starts with `datagram` and searches for the MTU, so only `datagram` must
/// fit.
fn refuse_small_mtus(
    flow: &Flow,
    network: &NetworkChoice,
    source: &Source<'_>,
    path: &str,
) -> Result<(), ScenarioError> {
    let all = passed(flow, network, source, path, "mtu", Sizes::without_discovery(&flow.kind));
    let small = all.into_iter().filter_map(|(key, link, (packet, which))| {
        let mtu = Bytes::new(link.mtu?.into());
        (mtu < packet).then_some((mtu, key, packet, which))
    });
    let Some((mtu, key, packet, which)) = small.min_by_key(|&(mtu, ..)| mtu) else { return Ok(()) };
    let (mtu, packet) = (mtu.get(), packet.get());
    let message =
        format!("{which} have {packet} B, but `{key}.mtu` is {mtu} B: the link would drop all these packets");
    let smaller = fitting(&flow.kind, mtu).map_or_else(String::new, |smaller| format!("{smaller}, or "));
    Err(source
        .error(Code::ScenarioValue, path, message)
        .fix(format!("write {smaller}mtu = \"{packet} B\" or more")))
}

/// Returns the key of a flow with the largest value whose packets fit into `mtu`; `None` if no value fits.
fn fitting(kind: &FlowKind, mtu: u64) -> Option<String> {
    let (key, headers, least) = match (kind, kind.tcp()) {
        (_, Some(config)) if u64::from(config.syn_header) > mtu => return None,
        (_, Some(config)) => ("tcp.mss", config.header.into(), 64),
        // RFC 9000, section 14: a path must carry UDP payloads of at least 1200 bytes.
        (FlowKind::Quic { .. } | FlowKind::Application { .. }, None) => {
            ("quic.datagram", QUIC_HEADERS.into(), 1200)
        }
        (FlowKind::Call(call), None) => ("payload", call.there.header.max(call.back.header).get(), 1),
        _ => ("packet", 0, 1),
    };
    let fits = mtu.checked_sub(headers).filter(|&fits| fits >= least)?;
    Some(format!("{key} = \"{fits} B\""))
}

/// The size of a flow's largest packets in one direction, and their name in messages.
type Largest = (Bytes, &'static str);

const THERE: &str = "the largest packets of this flow";
const BACK: &str = "the largest packets of this flow in the other direction";

#[derive(Clone, Copy)]
struct Sizes {
    /// Packets from `from` to `to`.
    there: Largest,
    /// Packets from `to` to `from`; zero bytes if no link could refuse any of them.
    back: Largest,
}

impl Sizes {
    fn of(kind: &FlowKind) -> Self {
        let back = match kind {
            // Acknowledgements are smaller than the smallest allowed `burst`, 64 B.
            FlowKind::Tcp { .. } | FlowKind::Quic { .. } | FlowKind::Cbr { .. } => (Bytes::ZERO, ""),
            // Users send requests, and an echo reply has the size of its request.
            FlowKind::Application { .. } | FlowKind::Ping { .. } | FlowKind::Tap { .. } => {
                (kind.packet(), BACK)
            }
            FlowKind::Call(call) => (call.back.largest(), BACK),
        };
        Self { there: (kind.packet(), THERE), back }
    }

    /// Returns the sizes before QUIC has found a larger MTU. Acknowledgements and SYNs count.
    fn without_discovery(kind: &FlowKind) -> Self {
        let all = Self::of(kind);
        if let Some(quic) = kind.quic() {
            let first = Bytes::new((quic.datagram + QUIC_HEADERS).into());
            return Self { there: (first, THERE), back: (first, BACK) };
        }
        let Some(tcp) = kind.tcp() else { return all };
        let bare = Bytes::new(tcp.header.max(tcp.syn_header).into());
        Self { there: (all.there.0.max(bare), THERE), back: (all.back.0.max(bare), BACK) }
    }

    /// Returns the larger of both directions, for a link with the same settings in both directions.
    fn both(self) -> Largest {
        if self.back.0 > self.there.0 { self.back } else { self.there }
    }
}

/// Returns the links on the flow's path that may have the key `what`, including links of hosts. Each link has its key
/// and the largest packets that it carries.
fn passed<'n>(
    flow: &'n Flow,
    network: &'n NetworkChoice,
    source: &Source<'_>,
    path: &str,
    what: &str,
    sizes: Sizes,
) -> Vec<(String, &'n LinkSpec, Largest)> {
    let mut passed = links(flow, network, source, what, sizes);
    if let Some(access) = &flow.access {
        passed.push((format!("{path}.access"), &access.link, sizes.both()));
    }
    passed
}

/// Returns the links of the network on the flow's path, each with its key and the largest packets that it carries. In a
/// constellation, these are all kinds of links that a path can use.
fn links<'n>(
    flow: &Flow,
    network: &'n NetworkChoice,
    source: &Source<'_>,
    what: &str,
    sizes: Sizes,
) -> Vec<(String, &'n LinkSpec, Largest)> {
    let Sizes { there, back } = sizes;
    match network {
        NetworkChoice::Dumbbell { forward, reverse } => {
            let (right, left) = if flow.from == "left" { (there, back) } else { (back, there) };
            let (key, own) = ("network.dumbbell", "network.dumbbell.reverse");
            let of_reverse = if source.has(&format!("{own}.{what}")) { own } else { key };
            vec![(key.to_owned(), &forward.spec, right), (of_reverse.to_owned(), &reverse.spec, left)]
        }
        NetworkChoice::Chain { links } => {
            let key = |at: usize| {
                let alike = source.has("network.chain.link");
                if alike { "network.chain.link".to_owned() } else { format!("network.chain.links[{at}]") }
            };
            chain_places(flow, links.len()).map(|at| (key(at), &links[at].spec, sizes.both())).collect()
        }
        NetworkChoice::Star { branches, .. } => {
            let on_way = |(_, (site, _)): &(usize, &(String, Wire))| *site == flow.from || *site == flow.to;
            let passed = branches.iter().enumerate().filter(on_way);
            passed
                .map(|(at, (_, wire))| (format!("network.star.branches[{at}]"), &wire.spec, sizes.both()))
                .collect()
        }
        NetworkChoice::Constellation { spec, .. } => {
            let (from, to) = (has_dish(spec, &flow.from), has_dish(spec, &flow.to));
            let key = |name: &str, of_user: bool| {
                let own = format!("network.constellation.{name}");
                let shared = of_user && !source.has(&format!("{own}.{what}"));
                if shared { "network.constellation.user_link".to_owned() } else { own }
            };
            // Between two dishes, both send over uplinks.
            let one_way = |first: bool| match (from && to, first) {
                (true, _) => sizes.both(),
                (false, true) => there,
                (false, false) => back,
            };
            let up = (from || to).then(|| (key("uplink", true), &spec.uplink, one_way(from)));
            let down = (from || to).then(|| (key("downlink", true), &spec.downlink, one_way(to)));
            let isl = spec.isl.as_ref().map(|isl| (key("isl", false), &isl.link, sizes.both()));
            let feeder =
                (!spec.gateways.is_empty()).then(|| (key("feeder", false), &spec.feeder, sizes.both()));
            [up, isl, feeder, down].into_iter().flatten().collect()
        }
        NetworkChoice::Starlink(_) => Vec::new(),
    }
}
