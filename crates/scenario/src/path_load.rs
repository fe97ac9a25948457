// SPDX-License-Identifier: MIT OR Apache-2.0
//! The capacity of the links between two sites, as far as it is known before a run, and the load of a flow.

use crate::application::on_the_wire;
use crate::document::{Flow, FlowKind, NetworkChoice, Wire, WireService};
use link::{LinkSpec, Service};
use std::ops::Range;
use topology::{Attachment, ConstellationSpec, Scope, TotalRate};
use traffic::Begin;
use units::Time;

/// A link on the path: its name, and its mean rate over the run in bit/s. The rate is infinite for a link without a
/// rate. If the rate is unknown, the second value is the reason.
pub type Passed = (String, Result<f64, &'static str>);

/// Returns the smallest link rate on the path of a flow's data in bit/s. For a rate in steps, the mean counts.
///
/// # Errors
/// The reason why the rate is unknown, as the end of a sentence.
pub fn narrowest(network: &NetworkChoice, flow: &Flow, end: Time) -> Result<f64, String> {
    let mut least = f64::INFINITY;
    for (name, rate) in links_on_path(network, flow, end) {
        least = least.min(
            rate.map_err(|why| format!("the rate of \"{name}\" is unknown before the run, because {why}"))?,
        );
    }
    if least.is_finite() { Ok(least) } else { Err("no link on this path has a rate".to_owned()) }
}

/// Returns the links on the path of a flow's data. Links with the same name are the same shared link.
pub fn links_on_path(network: &NetworkChoice, flow: &Flow, end: Time) -> Vec<Passed> {
    let wired = |name: String, wire: &Wire| (name, of_wire(wire, end));
    let between = match network {
        NetworkChoice::Dumbbell { forward, reverse } => {
            let wire = if flow.from == "left" { forward } else { reverse };
            vec![wired(format!("{} > {}", flow.from, flow.to), wire)]
        }
        NetworkChoice::Chain { links } => {
            let upward = place(&flow.from) < place(&flow.to);
            let name = |at: usize| {
                if upward { format!("{at} > {}", at + 1) } else { format!("{} > {at}", at + 1) }
            };
            chain_places(flow, links.len()).map(|at| wired(name(at), &links[at])).collect()
        }
        NetworkChoice::Star { branches, carriers, forward } => {
            let name = |site: &str| {
                if site == flow.from { format!("{site} > hub") } else { format!("hub > {site}") }
            };
            // Returns the shared carrier, and the highest rate of a terminal that is slower than the carrier.
            let carrier = |at: usize, site: &str, wire: &Wire| {
                let number = wire.spec.dama.and_then(|dama| dama.carrier).filter(|_| site == flow.from)?;
                let (name, carrier) = &carriers.carriers[usize::from(number)];
                let shared = (format!("carrier {name}"), Ok(carrier.rate.bits_per_s() as f64));
                let own = carriers
                    .pace(at)
                    .map(|pace| (format!("{site} > hub"), of_service(pace, &wire.spec, end)));
                Some([shared].into_iter().chain(own).collect())
            };
            let ends =
                branches.iter().enumerate().filter(|(_, (site, _))| *site == flow.from || *site == flow.to);
            let passed = |(at, (site, wire)): (usize, &(String, Wire))| {
                let own = carrier(at, site, wire).unwrap_or_else(|| vec![wired(name(site), wire)]);
                let shared = forward.of(at).filter(|_| *site == flow.to).map(|turn| {
                    let carrier = &forward.carriers[usize::from(turn.carrier)];
                    (format!("forward carrier {}", carrier.name), Ok(carrier.rate.bits_per_s() as f64))
                });
                shared.into_iter().chain(own)
            };
            ends.flat_map(passed).collect()
        }
        NetworkChoice::Starlink(starlink) => {
            let (name, direction) = if flow.from == "dish" {
                ("dish > server", &starlink.preset.up)
            } else {
                ("server > dish", &starlink.preset.down)
            };
            // Use the median over epochs, as queues in bandwidth-delay products do.
            vec![(name.to_owned(), Ok(direction.median_mbit_s * 1e6))]
        }
        NetworkChoice::Constellation { spec, budgets, .. } => {
            let by_budget = |budget: bool, link: &LinkSpec, total: &Option<TotalRate>| {
                if budget {
                    return Err("it follows from a link budget");
                }
                // The total of a satellite limits each of its beams. The total of a gateway limits each of its links.
                let total = match total {
                    None => f64::INFINITY,
                    Some(TotalRate::Constant(rate)) => rate.bits_per_s() as f64,
                    Some(TotalRate::Schedule(schedule)) => schedule.bits_until(end) as f64 / end.secs_f64(),
                };
                Ok(of_link(link, end)?.min(total))
            };
            let totals = &spec.shared.totals;
            let up = has_dish(spec, &flow.from).then(|| {
                let name = format!("{} > its satellite", sender(spec, &flow.from, spec.shared.uplink));
                (name, by_budget(budgets[0].is_some(), &spec.uplink, &totals.uplink))
            });
            let down = has_dish(spec, &flow.to).then(|| {
                let name = format!("satellite > {}", sender(spec, &flow.to, spec.shared.downlink));
                (name, by_budget(budgets[1].is_some(), &spec.downlink, &totals.downlink))
            });
            // Only routes determine which of many links a flow uses. Flows certainly share links if they have the same
            // ends.
            let between = |what: &str| format!("{what} from {} to {}", flow.from, flow.to);
            let isl =
                spec.isl.as_ref().map(|isl| (between("a link between satellites"), of_link(&isl.link, end)));
            let feeder = (!spec.gateways.is_empty()).then(|| {
                (between("a feeder link"), by_budget(budgets[2].is_some(), &spec.feeder, &totals.feeder))
            });
            up.into_iter().chain(isl).chain(feeder).chain(down).collect()
        }
    };
    let access =
        flow.access.as_ref().map(|access| (format!("access of {}", flow.name), of_link(&access.link, end)));
    between.into_iter().chain(access).collect()
}

/// Returns the router of a chain at the site.
fn place(site: &str) -> usize {
    site.parse().unwrap_or(0)
}

/// Returns the links that the flow passes in a chain of `links` links.
pub fn chain_places(flow: &Flow, links: usize) -> Range<usize> {
    let (from, to) = (place(&flow.from), place(&flow.to));
    from.min(to).min(links)..from.max(to).min(links)
}

/// Returns whether packets of the site use a satellite link of the site, not fibre.
pub fn has_dish(spec: &ConstellationSpec, site: &str) -> bool {
    !spec.attachments.iter().any(|(name, at)| name == site && *at == Attachment::Fibre)
}

/// Returns the sender on a satellite link: the site, or the beam that it shares with other sites of its cell. At any
/// time, one satellite serves the beam.
fn sender(spec: &ConstellationSpec, site: &str, shared: Option<Scope>) -> String {
    let cell = spec.terminal(site).and_then(|(_, terminal)| terminal.cell.as_ref());
    match cell.filter(|_| shared == Some(Scope::Beam)) {
        Some(cell) => format!("the cell {cell}"),
        None => site.to_owned(),
    }
}

fn of_wire(wire: &Wire, end: Time) -> Result<f64, &'static str> {
    of_service(&wire.service, &wire.spec, end)
}

fn of_service(service: &WireService, spec: &LinkSpec, end: Time) -> Result<f64, &'static str> {
    match service {
        WireService::Constant => of_link(spec, end),
        WireService::Steps(schedule) => Ok(policed(spec, schedule.bits_until(end) as f64 / end.secs_f64())),
        WireService::ByHour(by) => {
            let schedule = by.schedule(end.since(Time::ZERO));
            Ok(policed(spec, schedule.bits_until(end) as f64 / end.secs_f64()))
        }
        WireService::Trace(_) | WireService::PathTrace => Err("a trace determines it"),
        WireService::Budget(_) => Err("it follows from a link budget"),
    }
}

/// Returns the capacity of a link that sends at `bit_s`. The long-term rate of its policer limits the capacity.
fn policed(link: &LinkSpec, bit_s: f64) -> f64 {
    link.policer.map_or(bit_s, |policer| bit_s.min(policer.rate.bits_per_s() as f64))
}

fn of_link(link: &LinkSpec, end: Time) -> Result<f64, &'static str> {
    if let Some(changes) = &link.changes {
        match &changes.rate {
            Some(Service::Schedule(schedule)) => {
                return Ok(policed(link, schedule.bits_until(end) as f64 / end.secs_f64()));
            }
            Some(_) => return Err("a trace determines it"),
            None => {}
        }
        if changes.recorded.is_some() {
            return Err("a trace determines it");
        }
        if changes.sight.as_ref().is_some_and(|sight| sight.has_rate()) {
            return Err("it depends on the satellite or on the time of day");
        }
    }
    Ok(policed(link, link.rate.map_or(f64::INFINITY, |rate| rate.bits_per_s() as f64)))
}

impl Flow {
    /// Returns the mean load of each of these flows: payload in bit/s, and the same including headers. Returns `None`
    /// for flows whose load depends on the network, and for sizes without a mean.
    pub fn demand(&self) -> Option<(f64, f64)> {
        match &self.kind {
            FlowKind::Cbr { rate, packet, on_off } => {
                let always = rate.bits_per_s() as f64;
                let mean = on_off.as_ref().map_or(always, |periods| periods.mean_bits_per_s(*rate, *packet));
                Some((mean, mean))
            }
            FlowKind::Call(call) => Some((call.there.load().1, call.there.load().1)),
            FlowKind::Application { transport, begin: Begin::Open(arrivals), model, .. } => {
                let bytes = model.mean_bytes()?;
                let per_s = arrivals.mean_per_s()?;
                Some((8.0 * bytes * per_s, 8.0 * on_the_wire(bytes, transport) * per_s))
            }
            FlowKind::Application { .. }
            | FlowKind::Tcp { .. }
            | FlowKind::Quic { .. }
            | FlowKind::Ping { .. }
            | FlowKind::Tap { .. } => None,
        }
    }

    /// Returns the smallest load of each flow in bit/s, including headers. It differs from [`Flow::demand`] in two
    /// points: videos have their lowest rate, and each answer of any size has one header.
    pub(crate) fn least_demand(&self) -> Option<f64> {
        match &self.kind {
            FlowKind::Application { transport, begin: Begin::Open(arrivals), model, .. } => {
                let (payload, headers) = transport.full_packet();
                let bytes = model.least_mean_bytes()?;
                // The mean number of packets is at least the number of packets of a mean answer, and at least the
                // number of answers.
                let packets = (bytes / f64::from(payload)).max(model.mean_answers()?);
                Some(8.0 * (bytes + packets * f64::from(headers)) * arrivals.mean_per_s()?)
            }
            _ => self.demand().map(|(_, with_headers)| with_headers),
        }
    }
}
