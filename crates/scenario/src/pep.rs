// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes proxies that split TCP connections (RFC 3135), and finds the proxies on a flow's path.
//!
//! The TCP settings of a proxy are differences from the settings of each flow (`OwnTcp`). If the proxy does not set a
//! key, the flow's value applies. The two ends of a connection have separate settings. `tcp::Config::towards` computes
//! the values that both ends must share.

mod ends;

use crate::capture::matches;
use crate::check::Source;
use crate::document::{Flow, FlowKind, NetworkChoice, OnHandover, Pep};
use crate::flow::choice;
use crate::format::{self, AtHandover, Controller};
use crate::network::Network;
use crate::text::{Off, Q};
use crate::words::W;
use crate::{OwnTcp, Scenario, ScenarioError};
use topology::Attachment;
use units::{Code, Span, Time};

/// Largest number of proxies of one table that split the same flow. Two proxies are at the two ends of a hop.
const MOST: usize = 2;

impl NetworkChoice {
    /// Returns the places on a flow's path where a proxy may be, in order. These are places between the ends, and an
    /// end of the flow if its host is behind an access link. Between a dish and a site on fibre, the place is the
    /// serving gateway.
    fn passes(&self, flow: &Flow) -> Vec<String> {
        let between = match self {
            Self::Chain { links } => {
                let place = |site: &str| site.parse().unwrap_or(0_usize).min(links.len());
                let (from, to) = (place(&flow.from), place(&flow.to));
                let inner = from.min(to) + 1..from.max(to);
                let mut sites: Vec<String> = inner.map(|site| site.to_string()).collect();
                if from > to {
                    sites.reverse();
                }
                sites
            }
            Self::Star { .. } if flow.from != "hub" && flow.to != "hub" => vec!["hub".to_owned()],
            Self::Constellation { spec, .. } => {
                let on_fibre = |site: &str| spec.attachment(site) == Attachment::Fibre;
                let one = on_fibre(&flow.from) != on_fibre(&flow.to);
                one.then(|| Pep::GATEWAY.to_owned()).into_iter().collect()
            }
            _ => Vec::new(),
        };
        let end = |site: &String| flow.access.is_some().then(|| site.clone());
        end(&flow.from).into_iter().chain(between).chain(end(&flow.to)).collect()
    }
}

impl Pep {
    /// Returns whether one of the proxies is at the gateway of the path.
    pub fn is_at_gateway(&self, network: &NetworkChoice) -> bool {
        matches!(network, NetworkChoice::Constellation { .. }) && self.at.iter().any(|at| at == Self::GATEWAY)
    }

    /// Returns whether one of the proxies may lose its state or is absent for a time.
    pub fn may_lose_state(&self, network: &NetworkChoice) -> bool {
        !self.resets.is_empty() || self.is_at_gateway(network)
    }

    /// Returns whether the proxies split flows with this name.
    fn is_for(&self, name: &str) -> bool {
        self.flows.is_empty() || self.flows.iter().any(|pattern| matches(pattern, name))
    }
}

/// Returns whether a flow uses TCP.
const fn is_tcp(flow: &Flow) -> bool {
    flow.kind.tcp().is_some()
}

/// Returns the proxies that split one of a scenario's flows, and their sites, in the order in which data pass them.
pub fn met<'a>(peps: &'a [Pep], network: &NetworkChoice, flow: &Flow, index: u32) -> Vec<(&'a Pep, String)> {
    if is_tcp(flow) { passed(peps, network, flow, index) } else { Vec::new() }
}

/// Returns the proxies on the path of a flow whose pattern matches the flow's name, even if they cannot split it.
fn passed<'a>(peps: &'a [Pep], network: &NetworkChoice, flow: &Flow, index: u32) -> Vec<(&'a Pep, String)> {
    if peps.is_empty() {
        return Vec::new();
    }
    let name = flow.name_of(index);
    let sites = network.passes(flow).into_iter();
    let at = |site: String| {
        let pep = peps.iter().find(|pep| pep.at.contains(&site) && pep.is_for(&name))?;
        Some((pep, site))
    };
    sites.filter_map(at).collect()
}

/// Returns notes about QUIC flows that pass proxies. A proxy cannot split them, because QUIC encrypts acknowledgements.
fn unsplit(scenario: &Scenario) -> impl Iterator<Item = String> {
    let flows = scenario.flows.iter().filter(|flow| flow.kind.quic().is_some());
    flows.filter_map(|flow| {
        let proxies = passed(&scenario.peps, &scenario.network, flow, 0);
        let sites: Vec<String> = proxies.into_iter().map(|(_, site)| format!("\"{site}\"")).collect();
        (!sites.is_empty()).then(|| {
            format!(
                "flow \"{}\" uses QUIC, so the proxy at {} does not split it",
                flow.name,
                sites.join(" and ")
            )
        })
    })
}

/// Reads one table of `[[peps]]`.
pub fn read(
    text: format::Pep,
    network: &Network,
    flows: &[Flow],
    source: &Source<'_>,
    path: &str,
) -> Result<Pep, ScenarioError> {
    let error = |code, key: &str, message: String| source.error(code, &format!("{path}.{key}"), message);
    let mut at = Vec::new();
    for (index, said) in text.at.iter().enumerate() {
        let places =
            places(network, said).map_err(|(code, message)| error(code, &format!("at[{index}]"), message))?;
        for site in places {
            if !at.contains(&site) {
                at.push(site);
            } else if !said.contains('*') {
                let message = format!("the site \"{site}\" is listed twice");
                return Err(
                    error(Code::ScenarioValue, &format!("at[{index}]"), message).fix("list each site once")
                );
            }
        }
    }
    if at.is_empty() {
        return Err(error(Code::ScenarioValue, "at", "`at` lists no site".to_owned())
            .fix("write at = [\"SITE\"], or the two sites at the ends of the hop"));
    }
    let controller = match text.controller {
        None => None,
        Some(controller) => Some(choice(controller, source, &format!("{path}.controller"))?),
    };
    let on_handover = match (text.on_handover, text.move_time) {
        (Some(W(AtHandover::Move)), Some(time)) => OnHandover::Move(time.0),
        (Some(W(AtHandover::Move)), None) => {
            let message = "`on_handover` = \"move\" needs the key `move_time`";
            return Err(error(Code::ScenarioMissingKey, "move_time", message.to_owned())
                .fix("write move_time = \"200 ms\""));
        }
        _ => OnHandover::Reset,
    };
    let resets = text.resets.unwrap_or_default().into_iter().map(|at| Time::ZERO + at.0).collect();
    let pep = Pep {
        at,
        buffer: text.buffer.0,
        controller,
        tcp: text.tcp.map(OwnTcp),
        flows: text.flows.unwrap_or_default(),
        resets,
        retry: text.retry.map_or(Some(Pep::RETRY), |Q(Off(wait))| wait),
        on_handover,
    };
    let said = [("on_handover", text.on_handover.is_some()), ("retry", text.retry.is_some())];
    if let Some((key, message)) = without_effect(&pep, &network.choice, said) {
        return Err(error(Code::ScenarioValue, key, message));
    }
    for (index, pattern) in pep.flows.iter().enumerate() {
        let is_meant =
            |flow: &Flow| is_tcp(flow) && (0..flow.count).any(|at| matches(pattern, &flow.name_of(at)));
        if !flows.iter().any(is_meant) {
            let message = format!("no TCP flow is called \"{pattern}\" (`*` matches anything)");
            return Err(error(Code::ScenarioValue, &format!("flows[{index}]"), message));
        }
    }
    if let Some((key, message)) = refuse(&pep, &network.choice, flows) {
        return Err(error(Code::ScenarioValue, key, message));
    }
    let alone = std::slice::from_ref(&pep);
    let splits =
        |flow: &&Flow| (0..flow.count).any(|index| !met(alone, &network.choice, flow, index).is_empty());
    let wrong = flows.iter().filter(splits).find_map(|flow| ends::contradiction(&pep, flow, source, path));
    wrong.map_or(Ok(pep), Err)
}

/// Returns the places of a name or pattern: sites of the network, or the serving gateway.
fn places(network: &Network, name: &str) -> Result<Vec<String>, (Code, String)> {
    let NetworkChoice::Constellation { spec, .. } = &network.choice else { return network.sites_named(name) };
    let refused = |message: String| Err((Code::ScenarioValue, message));
    if name == Pep::GATEWAY {
        if spec.gateways.is_empty() {
            return refused(
                "the constellation has no gateways (add network.constellation.gateways)".to_owned(),
            );
        }
        if network.has_place(name) {
            return refused(format!(
                "\"{name}\" means the serving gateway, but a site has the same name (rename the site)"
            ));
        }
        return Ok(vec![name.to_owned()]);
    }
    let ground = [
        ("gateway", spec.gateways.iter().map(|gateway| &gateway.site).collect::<Vec<_>>()),
        ("point of presence", spec.pops.iter().collect()),
    ];
    for (what, places) in ground {
        if places.iter().any(|place| place.name == name) {
            return refused(format!(
                "\"{name}\" is a {what} that only some paths pass. A proxy must be at a site or at the serving gateway \
                 (write at = [\"{}\"])",
                Pep::GATEWAY
            ));
        }
    }
    network.sites_named(name)
}

/// Finds a fault in the keys for resets and handovers: times out of order, or the first key in `written` that has no
/// effect.
fn without_effect(
    pep: &Pep,
    network: &NetworkChoice,
    written: [(&'static str, bool); 2],
) -> Option<(&'static str, String)> {
    if pep.resets.windows(2).any(|pair| pair[0] >= pair[1]) {
        return Some((
            "resets",
            "the times are not in order (list each time once, the earliest first)".to_owned(),
        ));
    }
    let [(on_handover, says_handover), (retry, says_retry)] = written;
    let moves = pep.is_at_gateway(network);
    if says_handover && !moves {
        let message = format!(
            "this key has no effect: no proxy is at the gateway, so no proxy is handed over (write at = [\"{}\"])",
            Pep::GATEWAY
        );
        return Some((on_handover, message));
    }
    let breaks = !pep.resets.is_empty() || (moves && pep.on_handover == OnHandover::Reset);
    (says_retry && !breaks).then(|| {
        let message = "this key has no effect: no proxy loses its state, so nothing is retried (write resets = [\"20 \
        s\"])";
        (retry, message.to_owned())
    })
}

/// Finds a fault in the places of the proxies or in their buffer.
fn refuse(pep: &Pep, network: &NetworkChoice, flows: &[Flow]) -> Option<(&'static str, String)> {
    let alone = std::slice::from_ref(pep);
    // QUIC flows may pass the proxy, so that a comparison can show what the proxy does for TCP.
    let can_pass = |flow: &&Flow| is_tcp(flow) || flow.kind.quic().is_some();
    let passes = |flow: &&Flow| (0..flow.count).any(|index| !passed(alone, network, flow, index).is_empty());
    let mut passing = flows.iter().filter(can_pass).filter(passes).peekable();
    if passing.peek().is_none() {
        let place = match &pep.at[..] {
            [first, .., last] if pep.at.len() > MOST => {
                format!("any of {} sites, \"{first}\" to \"{last}\"", pep.at.len())
            }
            few => few.iter().map(|site| format!("\"{site}\"")).collect::<Vec<_>>().join(" or "),
        };
        if pep.is_at_gateway(network) {
            let message = format!(
                "no TCP flow passes {place}: a gateway is only on paths between a site with a dish and a site with \
                 fibre (write fibre = true for one site of the flow in network.constellation.sites)"
            );
            return Some(("at", message));
        }
        let where_to = if matches!(network, NetworkChoice::Constellation { .. } | NetworkChoice::Starlink(_))
        {
            "over satellites, a proxy is between the network and a host, so the flow needs access links: write access"
        } else {
            "a proxy at an end of a flow is between the network and a host, so the flow needs access links: write \
             access"
        };
        return Some(("at", format!("no TCP flow passes {place} ({where_to} = {{ delay = \"10 ms\" }})")));
    }
    let each = flows.iter().flat_map(|flow| (0..flow.count).map(move |index| (flow, index)));
    let mut each = each.map(|(flow, index)| (flow.name_of(index), met(alone, network, flow, index)));
    if let Some((name, proxies)) = each.find(|(_, proxies)| proxies.len() > MOST) {
        let sites = proxies.iter().map(|(_, site)| format!("\"{site}\"")).collect::<Vec<_>>().join(", ");
        let message = format!(
            "the flow \"{name}\" passes {} of these sites ({sites}), but one table of `peps` can split a flow at \
             only one or two sites (name fewer sites, or name other flows in `flows`)",
            proxies.len()
        );
        return Some(("at", message));
    }
    let application = passing.find(|flow| is_tcp(flow) && matches!(flow.kind, FlowKind::Application { .. }));
    let flow = application.filter(|_| pep.retry.is_none())?;
    let message = format!(
        "without `retry`, the users of the application \"{}\" would never begin another visit after a reset (write \
         retry = \"1 s\", or name other flows in `flows`)",
        flow.name
    );
    Some(("retry", message))
}

/// Returns every flow of a run that proxies split: its number, its name and its proxies.
fn split<'a>(
    peps: &'a [Pep],
    network: &'a NetworkChoice,
    flows: &'a [Flow],
) -> impl Iterator<Item = (u32, String, Vec<(&'a Pep, String)>)> {
    let each = flows.iter().flat_map(|flow| (0..flow.count).map(move |index| (flow, index)));
    let each = each.enumerate().map(move |(number, (flow, index))| {
        (number as u32, flow.name_of(index), met(peps, network, flow, index))
    });
    each.filter(|(.., sites)| !sites.is_empty())
}

/// Refuses a flow that two tables split at the same site, and a buffer that is too small for a flow.
pub fn check(peps: &[Pep], network: &NetworkChoice, flows: &[Flow], source: &Source<'_>) {
    for (_, name, sites) in split(peps, network, flows) {
        let twice = peps.iter().enumerate().find_map(|(at, pep)| {
            let (_, site) = sites.iter().find(|(other, site)| {
                !std::ptr::eq(*other, pep) && pep.at.contains(site) && pep.is_for(&name)
            })?;
            Some((at, site))
        });
        if let Some((at, site)) = twice {
            let message = format!(
                "two tables of `peps` split the flow \"{name}\" at \"{site}\" (list different flows in `flows` of \
                 these tables)"
            );
            source.keep::<()>(Err(source.error(Code::ScenarioValue, &format!("peps[{at}].at"), message)));
            return;
        }
    }
    let mut each = flows.iter().flat_map(|flow| (0..flow.count).map(move |index| (flow, index)));
    if let Some((key, message)) = each.find_map(|(flow, index)| too_small(peps, network, flow, index)) {
        source.keep::<()>(Err(source.error(Code::ScenarioValue, &key, message)));
    }
}

/// Returns the key and the message for a buffer that is too small for a flow.
fn too_small(peps: &[Pep], network: &NetworkChoice, flow: &Flow, index: u32) -> Option<(String, String)> {
    let proxies = met(peps, network, flow, index);
    let ends = ends::ends(&proxies, &flow.kind);
    let least = ends::least_buffers(&ends, &flow.kind);
    let (place, (pep, _), least) =
        proxies.iter().zip(least).enumerate().find_map(|(place, (proxy, least))| {
            (proxy.0.buffer.get() < least).then_some((place, proxy, least))
        })?;
    let mss = |[from, to]: &ends::Ends| from.mss.min(to.mss);
    let (name, before, behind) = (flow.name_of(index), mss(&ends[place]), mss(&ends[place + 1]));
    let what = if least > u64::from(before) {
        format!(
            "could stop flow \"{name}\" for ever, because its segments have {before} B before the proxy and {behind} \
             B behind the proxy"
        )
    } else {
        format!("cannot hold a segment of flow \"{name}\", which has {before} B, so no data could pass")
    };
    let message = format!("a buffer of {} {what} (write {least} B or more)", pep.buffer);
    let at = peps.iter().position(|one| std::ptr::eq(one, *pep))?;
    Some((format!("peps[{at}].buffer"), message))
}

impl format::Pep {
    /// Returns the complete table of a proxy.
    pub fn of(pep: &Pep) -> Self {
        let moves: Option<Span> = match pep.on_handover {
            OnHandover::Reset => None,
            OnHandover::Move(time) => Some(time),
        };
        Self {
            at: pep.at.clone(),
            buffer: Q(pep.buffer),
            controller: pep.controller.as_ref().map(Controller::of),
            tcp: pep.tcp.as_ref().map(|OwnTcp(text)| text.clone()),
            flows: (!pep.flows.is_empty()).then(|| pep.flows.clone()),
            resets: (!pep.resets.is_empty()).then(|| pep.resets.iter().copied().map(Q::moment).collect()),
            retry: (pep.retry != Some(Pep::RETRY)).then_some(Q(Off(pep.retry))),
            on_handover: moves.is_some().then_some(W(AtHandover::Move)),
            move_time: moves.map(Q),
        }
    }
}

impl Scenario {
    /// Returns notes about QUIC flows that pass proxies without being split.
    pub fn unsplit_flows(&self) -> impl Iterator<Item = String> {
        unsplit(self)
    }

    /// Returns the proxies that split one of the flows, and their sites, in the order in which data pass them.
    pub fn proxies(&self, flow: &Flow, index: u32) -> Vec<(&Pep, String)> {
        met(&self.peps, &self.network, flow, index)
    }

    /// Returns the TCP settings at the two ends of each connection of a flow, in the order in which data pass the
    /// proxies. Returns an empty list for flows without TCP.
    pub fn ends(&self, flow: &Flow, index: u32) -> Vec<[tcp::Config; 2]> {
        ends::ends(&self.proxies(flow, index), &flow.kind)
    }
}
