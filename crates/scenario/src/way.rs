// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the links between two sites carry, as far as a scenario says it before it is run; and what is asked of them.

use crate::application::on_the_wire;
use crate::document::{Flow, FlowKind, NetworkChoice, Scenario, Wire, WireService};
use crate::text::Written;
use link::{LinkSpec, Service};
use std::collections::BTreeMap;
use topology::Attachment;
use traffic::Begin;
use units::{Rate, Time};

/// A link on the way: its name for people, and its mean rate in bit/s over the run, infinite without a rate, or why it is not known.
type Passed = (String, Result<f64, &'static str>);

/// The smallest link rate on the way of a flow's data in bit/s, the mean where it moves in steps.
///
/// # Errors
/// Why it is not known, as the end of a sentence.
pub fn narrowest(network: &NetworkChoice, flow: &Flow, end: Time) -> Result<f64, String> {
    let mut least = f64::INFINITY;
    for (name, rate) in way(network, flow, end) {
        least =
            least.min(rate.map_err(|why| format!("that of \"{name}\" is not known before the run: {why}"))?);
    }
    if least.is_finite() { Ok(least) } else { Err("no link there has a rate".to_owned()) }
}

/// The links that a flow's data pass.
fn way(network: &NetworkChoice, flow: &Flow, end: Time) -> Vec<Passed> {
    let wired = |name: String, wire: &Wire| (name, of_wire(wire, end));
    let between = match network {
        NetworkChoice::Dumbbell { forward, reverse } => {
            let wire = if flow.from == "left" { forward } else { reverse };
            vec![wired(format!("{} > {}", flow.from, flow.to), wire)]
        }
        NetworkChoice::Chain { links } => {
            let place = |site: &str| site.parse().unwrap_or(0_usize).min(links.len());
            let (from, to) = (place(&flow.from), place(&flow.to));
            let name = |at: usize| {
                if from < to { format!("{at} > {}", at + 1) } else { format!("{} > {at}", at + 1) }
            };
            (from.min(to)..from.max(to)).map(|at| wired(name(at), &links[at])).collect()
        }
        NetworkChoice::Star { branches, carriers } => {
            let name = |site: &str| {
                if site == flow.from { format!("{site} > hub") } else { format!("hub > {site}") }
            };
            let on_the_way = |(site, _): &&(String, Wire)| *site == flow.from || *site == flow.to;
            let carrier = |site: &str, wire: &Wire| {
                let number = wire.spec.dama.and_then(|dama| dama.carrier).filter(|_| site == flow.from)?;
                let (name, carrier) = &carriers[usize::from(number)];
                Some((format!("carrier {name}"), Ok(carrier.rate.bits_per_s() as f64)))
            };
            let passed = |(site, wire): &(String, Wire)| {
                carrier(site, wire).unwrap_or_else(|| wired(name(site), wire))
            };
            branches.iter().filter(on_the_way).map(passed).collect()
        }
        NetworkChoice::Starlink(starlink) => {
            let (name, direction) = if flow.from == "dish" {
                ("dish > server", &starlink.preset.up)
            } else {
                ("server > dish", &starlink.preset.down)
            };
            // The median over epochs, as a queue in bandwidth-delay products goes by.
            vec![(name.to_owned(), Ok(direction.median_mbit_s * 1e6))]
        }
        NetworkChoice::Constellation { spec, budgets, .. } => {
            let by_fibre = |name: &str, of: Attachment| {
                spec.attachments.iter().any(|(site, at)| site == name && *at == of)
            };
            let has_dish = |name: &str| !by_fibre(name, Attachment::Fibre);
            let by_budget = |budget: bool, link: &LinkSpec| {
                if budget { Err("it follows from a link budget") } else { of_link(link, end) }
            };
            let up = has_dish(&flow.from).then(|| {
                (format!("{} > its satellite", flow.from), by_budget(budgets[0].is_some(), &spec.uplink))
            });
            let down = has_dish(&flow.to).then(|| {
                (format!("satellite > {}", flow.to), by_budget(budgets[1].is_some(), &spec.downlink))
            });
            let isl = spec
                .isl
                .as_ref()
                .map(|isl| ("a link between satellites".to_owned(), of_link(&isl.link, end)));
            let feeder = (!spec.gateways.is_empty())
                .then(|| ("a feeder link".to_owned(), by_budget(budgets[2].is_some(), &spec.feeder)));
            up.into_iter().chain(isl).chain(feeder).chain(down).collect()
        }
    };
    let access =
        flow.access.as_ref().map(|access| (format!("access of {}", flow.name), of_link(&access.link, end)));
    between.into_iter().chain(access).collect()
}

fn of_wire(wire: &Wire, end: Time) -> Result<f64, &'static str> {
    match &wire.service {
        WireService::Constant => of_link(&wire.spec, end),
        WireService::Steps(schedule) => Ok(schedule.bits_until(end) as f64 / end.secs_f64()),
        WireService::Trace(_) | WireService::PathTrace => Err("a trace says it"),
        WireService::Budget(_) => Err("it follows from a link budget"),
    }
}

fn of_link(link: &LinkSpec, end: Time) -> Result<f64, &'static str> {
    if let Some(changes) = &link.changes {
        match &changes.rate {
            Some(Service::Schedule(schedule)) => return Ok(schedule.bits_until(end) as f64 / end.secs_f64()),
            Some(_) => return Err("a trace says it"),
            None => {}
        }
        if changes.recorded.is_some() {
            return Err("a trace says it");
        }
        if changes.sight.as_ref().is_some_and(|sight| sight.rate.is_some()) {
            return Err("it follows the satellite or the time of day");
        }
    }
    Ok(link.rate.map_or(f64::INFINITY, |rate| rate.bits_per_s() as f64))
}

impl Flow {
    /// What each of these flows asks for in the mean, whatever the network gives: payload in bit/s, and the same with headers.
    /// `None` for what goes by the network, and for sizes without a mean.
    pub fn asks_for(&self) -> Option<(f64, f64)> {
        match &self.kind {
            FlowKind::Cbr { rate, packet, on_off } => {
                let always = rate.bits_per_s() as f64;
                let mean = on_off.as_ref().map_or(always, |periods| periods.mean_bits_per_s(*rate, *packet));
                Some((mean, mean))
            }
            FlowKind::Call(call) => Some((call.there.load().1, call.there.load().1)),
            FlowKind::Application { config, begin: Begin::Open(arrivals), model, .. } => {
                let bytes = model.mean_bytes()?;
                let per_s = arrivals.mean_per_s()?;
                Some((8.0 * bytes * per_s, 8.0 * on_the_wire(bytes, config) * per_s))
            }
            FlowKind::Application { .. } | FlowKind::Tcp { .. } | FlowKind::Ping { .. } => None,
        }
    }
}

impl Scenario {
    /// The share of the smallest link rate on its way that a flow asks for, headers counted; `None` where either is not known.
    pub fn load(&self, flow: &Flow) -> Option<f64> {
        let (_, asked) = flow.asks_for()?;
        let rate = narrowest(&self.network, flow, Time::ZERO + self.duration).ok()?;
        Some(asked / rate)
    }

    /// What to know of links that are asked for more than they carry, by applications whose sessions begin come what may: a
    /// sentence each.
    pub fn overloads(&self) -> Vec<String> {
        let end = Time::ZERO + self.duration;
        let mut asked: BTreeMap<String, (f64, f64, Vec<&str>)> = BTreeMap::new();
        for flow in &self.flows {
            let Some((_, bit_s)) = flow.asks_for() else { continue };
            let is_application = matches!(flow.kind, FlowKind::Application { .. });
            for (name, rate) in way(&self.network, flow, end) {
                let Ok(rate) = rate else { continue };
                let own = name.starts_with("access of ");
                let (sum, carries, flows) = asked.entry(name).or_insert((0.0, rate, Vec::new()));
                *sum += bit_s * if own { 1.0 } else { f64::from(flow.count) };
                *carries = rate;
                if is_application {
                    flows.push(&flow.name);
                }
            }
        }
        let over = asked.into_iter().filter(|(_, (sum, carries, flows))| sum > carries && !flows.is_empty());
        over.map(|(name, (sum, carries, flows))| {
            let named = flows.iter().map(|flow| format!("\"{flow}\"")).collect::<Vec<_>>().join(", ");
            format!(
                "{} {named}: sessions begin come what may and ask for {} of \"{name}\", which carries {} (load {}): the \
                 backlog grows by {:.3} MB/s, sessions take longer the later they begin, and more and more are unfinished",
                if flows.len() == 1 { "flow" } else { "flows" },
                rate_text(sum),
                rate_text(carries),
                units::short((1e3 * sum / carries).round() / 1e3),
                (sum - carries) / 8e6,
            )
        })
        .collect()
    }
}

fn rate_text(bit_s: f64) -> String {
    Rate::from_bits_per_s(((bit_s / 1e3).round() * 1e3) as u64).write()
}
