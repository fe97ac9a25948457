// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds why nothing of a flow arrived, and what to change. The advice uses the settings of the scenario.

use super::super::guard::in_words;
use engine::{Cause, Drops, Engine, Observer};
use hosts::{FlowTotals, Metered, SourceTotals};
use link::{Config, Counters, Impairment, QueueLimit};
use plan::{FlowPlan, Plan, queues};
use std::collections::BTreeSet;
use units::{Rate, Time};

/// A queue of this number of packets lets a flow start. If a larger queue drops packets, the rate is too low.
const ENOUGH_PACKETS: u64 = 20;

/// The data of one direction of a flow in a period.
#[derive(Clone, Copy, Debug, Default)]
pub struct Way {
    pub sent: u64,
    pub dropped: Drops,
    pub arrived: u64,
    /// Whether the data travel from the receiver to the sender, as in one direction of a call.
    pub is_back: bool,
}

impl Way {
    /// Returns the data between two times. `arrived` counts packets for a call, and new data for all other flows.
    pub fn between(before: &FlowTotals, now: &FlowTotals, is_call: bool) -> Self {
        let arrived = |totals: &FlowTotals| {
            if is_call { totals.received.packets } else { totals.received.delivered.get() }
        };
        let (sent, was) = (&now.sent, &before.sent);
        Self {
            sent: sent.sent_packets - was.sent_packets,
            dropped: std::array::from_fn(|cause| sent.dropped[cause] - was.dropped[cause]),
            arrived: arrived(now) - arrived(before),
            is_back: false,
        }
    }

    /// Adds the requests of users between two times, which are data too.
    pub fn add(&mut self, before: &SourceTotals, now: &SourceTotals) {
        self.sent += now.sent_packets - before.sent_packets;
        for (cause, dropped) in self.dropped.iter_mut().enumerate() {
            *dropped += now.dropped[cause] - before.dropped[cause];
        }
    }

    /// Returns the number of lost packets, by any cause.
    pub fn lost_packets(&self) -> u64 {
        self.dropped.iter().sum()
    }

    fn lost(&self, causes: &[Cause]) -> u64 {
        causes.iter().map(|&cause| self.dropped[cause as usize]).sum()
    }

    /// Returns why nothing arrived. `after` names the part of the run; it is empty for the whole run.
    pub fn why<'a, E: Metered, O: Observer<E::Body>>(
        &self,
        plan: &'a Plan,
        engine: &Engine<E, O>,
        connections: &[usize],
        over: [Time; 2],
        after: &str,
    ) -> Why<'a> {
        let each = [Cause::Queue, Cause::Error, Cause::Policer, Cause::TooLarge].map(|cause| [cause]);
        let each = each.iter().map(<[Cause; 1]>::as_slice).chain([Cause::OUTAGES.as_slice()]);
        let counted = each.map(|causes| (self.lost(causes), causes[0])).filter(|&(count, _)| count > 0);
        // If several causes are equal, the first one counts.
        let lost = counted.reduce(|most, next| if next.0 > most.0 { next } else { most });
        let count: Option<fn(&Counters) -> u64> = match lost {
            Some((_, Cause::Queue)) => Some(|counters| counters.dropped_queue),
            Some((_, Cause::Error)) => Some(|counters| counters.dropped_error),
            Some((_, Cause::Policer)) => Some(|counters| counters.policed),
            Some((_, Cause::TooLarge)) => Some(|counters| counters.too_large),
            _ => None,
        };
        let met = count.and_then(|count| DroppingLink::worst(plan, engine, connections, self.is_back, count));
        let met = met.map(|(_, met)| met);
        let closed = closed(plan, connections, over);
        Why { sent: self.sent, after: after.to_owned(), lost, met, closed, outage: self.outage() }
    }

    /// Returns advice for the kind of outage that lost most packets.
    fn outage(&self) -> &'static str {
        let kinds = [
            (&[Cause::Listed][..], "change `loss.spans`"),
            (&[Cause::Switched][..], "check `handover.outage`, and `trace_end` of a trace that ends"),
            (&[Cause::Gone, Cause::NoPath][..], "the table `paths` lists the times with a path"),
        ];
        let most = kinds.into_iter().max_by_key(|&(causes, _)| self.lost(causes));
        most.map_or("", |(_, fix)| fix)
    }
}

/// Why nothing of a flow arrived. Flows whose reasons differ only in their counts share one finding.
#[derive(Clone, Debug)]
pub struct Why<'a> {
    sent: u64,
    after: String,
    /// The main cause of losses, and the number of packets lost by it.
    lost: Option<(u64, Cause)>,
    /// The link that lost the packets.
    met: Option<DroppingLink<'a>>,
    /// The link that carried nothing for most of the time, and the period in which it carried nothing.
    closed: Option<String>,
    /// Advice about outages.
    outage: &'static str,
}

impl Why<'_> {
    /// Returns the number of packets that were sent.
    pub fn sent(&self) -> u64 {
        self.sent
    }

    /// Returns the part of the reason that is equal for flows with a shared finding.
    pub fn key(&self) -> String {
        let (how, place) = (self.how(), self.met.as_ref().map_or("", |met| met.name));
        let closed = self.closed.as_deref().unwrap_or_default();
        format!("{}|{}|{place}|{closed}", self.after, how.unwrap_or_default())
    }

    /// Returns this reason with the counts of another flow added.
    pub fn and(self, other: &Self) -> Self {
        let lost = self.lost.zip(other.lost).map(|((one, how), (two, _))| (one + two, how));
        Self { sent: self.sent + other.sent, lost, ..self }
    }

    fn how(&self) -> Option<&'static str> {
        Some(match self.lost?.1 {
            Cause::Queue => "dropped by full queues",
            Cause::Error => "lost to link errors",
            Cause::Policer => "dropped by policers",
            Cause::TooLarge => "larger than the MTU of a link",
            _ => "lost to outages",
        })
    }

    fn fix(&self, plan: &Plan) -> String {
        let met = self.met.as_ref();
        let fix = match self.lost {
            _ if self.closed.is_some() => self.closed.clone(),
            None => Some("write a longer `duration`, or higher rates of links".to_owned()),
            Some((_, Cause::Queue)) => met.map(|met| met.queue(plan)),
            Some((_, Cause::Error)) => met.and_then(DroppingLink::loss),
            Some((_, Cause::Policer)) => met.and_then(|met| met.policer(plan)),
            Some((_, Cause::TooLarge)) => met.and_then(DroppingLink::mtu),
            Some(_) => Some(self.outage.to_owned()),
        };
        fix.unwrap_or_else(|| "look at the table `links`".to_owned())
    }

    /// Returns the reason as text, for one flow or for `many`.
    pub fn text(&self, plan: &Plan, many: bool) -> String {
        let Self { sent, after, lost, .. } = self;
        let it = if many { "they" } else { "it" };
        let packets = if *sent == 1 { "data packet" } else { "data packets" };
        let how = lost.zip(self.how()).map_or(" before the end".to_owned(), |((most, _), how)| {
            format!(": {most} {} {how}", if most == 1 { "was" } else { "were" })
        });
        format!("none of the {sent} {packets} that {it} sent{after} arrived{how} ({})", self.fix(plan))
    }
}

/// The link on the path of a flow that dropped most packets, counted over all flows.
#[derive(Clone, Copy, Debug)]
struct DroppingLink<'a> {
    name: &'a str,
    config: &'a Config,
    /// Number of the link in the network; `None` for a link of a host.
    link: Option<u32>,
}

impl<'a> DroppingLink<'a> {
    fn worst<E: Metered, O: Observer<E::Body>>(
        plan: &'a Plan,
        engine: &Engine<E, O>,
        connections: &[usize],
        is_back: bool,
        count: fn(&Counters) -> u64,
    ) -> Option<(u64, Self)> {
        let ways = connections.iter().map(|&one| &plan.flows[one]);
        let ways = ways.map(|flow| if is_back { (flow.to, flow.from) } else { (flow.from, flow.to) });
        let links: BTreeSet<u32> = ways.flat_map(|(from, to)| links_of(plan, from, to)).collect();
        let network = links.into_iter().map(|link| {
            let its = &plan.network.links[link as usize];
            let met = DroppingLink { name: &its.name, config: &its.config, link: Some(link) };
            (count(&engine.link(plan.engine_link(link) as usize).counters()), met)
        });
        let access = plan.access_links.iter().enumerate();
        let access = access.filter(|(_, access)| connections.contains(&access.flow)).map(|(at, access)| {
            let met = DroppingLink { name: &access.name, config: &access.config, link: None };
            (count(&engine.link(plan.engine_access(at)).counters()), met)
        });
        let met = network.chain(access).reduce(|most, next| if next.0 > most.0 { next } else { most });
        met.filter(|&(count, _)| count > 0)
    }

    /// Returns the number of flows that use the link.
    fn flows(&self, plan: &Plan) -> usize {
        let Some(link) = self.link else { return 1 };
        let passes = |path: &&topology::Path| path.pieces.iter().any(|piece| piece.links.contains(&link));
        let ends: BTreeSet<(u16, u16)> =
            plan.network.paths.iter().filter(passes).map(|path| (path.from, path.to)).collect();
        let sends = |flow: &FlowPlan| {
            ends.contains(&(flow.from, flow.to))
                || flow.kind == "call" && ends.contains(&(flow.to, flow.from))
        };
        let connections = |number: usize, flow: &FlowPlan| flow.connections(number);
        let flows = plan.flows.iter().take(plan.whole).enumerate();
        flows
            .filter(|&(number, flow)| connections(number, flow).iter().any(|&one| sends(&plan.flows[one])))
            .count()
    }

    /// Returns the rate as text, with the number of flows that share it.
    fn share(&self, plan: &Plan, rate: Option<Rate>) -> String {
        let rate = rate.map_or(String::new(), |rate| format!("{rate} of "));
        match self.flows(plan) {
            0 | 1 => format!("one flow uses the {rate}\"{}\"", self.name),
            flows => format!("{flows} flows share the {rate}\"{}\"", self.name),
        }
    }

    fn queue(&self, plan: &Plan) -> String {
        let packet = queues::largest_packet(&plan.scenario).get().max(1);
        let Config { spec, .. } = self.config;
        let (holds, enough) = match spec.queue.limit {
            QueueLimit::Packets(packets) => (format!("{packets} packets"), packets >= ENOUGH_PACKETS),
            QueueLimit::Bytes(bytes) => (bytes.to_string(), bytes.get() >= ENOUGH_PACKETS * packet),
            QueueLimit::Time(span) => {
                let bytes = spec.rate.map_or(f64::INFINITY, |rate| rate.bytes_per_s() * span.secs_f64());
                (in_words(span), bytes >= (ENOUGH_PACKETS * packet) as f64)
            }
            QueueLimit::Bdp(_) | QueueLimit::Unlimited => ("any number of packets".to_owned(), true),
        };
        if !enough {
            return format!(
                "the queue of \"{}\" holds only {holds}: write queue = \"{ENOUGH_PACKETS} packets\"",
                self.name
            );
        }
        let fewer = if self.flows(plan) > 1 { "fewer flows, " } else { "" };
        format!(
            "{}, whose queue holds {holds}: write {fewer}a higher rate or a longer `duration`",
            self.share(plan, spec.rate)
        )
    }

    fn loss(&self) -> Option<String> {
        match self.config.spec.loss {
            Impairment::PacketErrorRate(per) if per > 0.01 => Some(format!(
                "\"{}\" has loss = {{ per = {per} }}: write a lower value (per = 0.01 is a loss of 1 %)",
                self.name
            )),
            Impairment::PacketErrorRate(per) => Some(format!(
                "\"{}\" has loss = {{ per = {per} }}, and all packets were lost by chance: make the flow longer",
                self.name
            )),
            Impairment::None => None,
            _ => Some(format!("write a lower `loss` of \"{}\"", self.name)),
        }
    }

    fn mtu(&self) -> Option<String> {
        let mtu = self.config.spec.mtu?;
        Some(format!(
            "\"{}\" carries packets of at most {mtu} B: write a larger `mtu`, or smaller packets",
            self.name
        ))
    }

    fn policer(&self, plan: &Plan) -> Option<String> {
        let policer = self.config.spec.policer?;
        // The check of scenarios refuses a burst that is smaller than a packet.
        Some(format!(
            "{}, whose policer passes {}: write a higher rate of the policer",
            self.share(plan, self.config.spec.rate),
            policer.rate
        ))
    }
}

/// Returns the link on the path of a flow, in either direction, that dropped most packets because of its MTU. Packets
/// of all flows count.
pub fn narrowest<'a, E: Metered, O: Observer<E::Body>>(
    plan: &'a Plan,
    engine: &Engine<E, O>,
    connections: &[usize],
) -> Option<(&'a str, u16)> {
    let met = [false, true].into_iter().filter_map(|is_back| {
        DroppingLink::worst(plan, engine, connections, is_back, |counters| counters.too_large)
    });
    // If several links are equal, the first one counts.
    let (_, met) = met.reduce(|most, next| if next.0 > most.0 { next } else { most })?;
    Some((met.name, met.config.spec.mtu?))
}

/// Returns the link on the path of a flow, in either direction, that carried nothing for at least half of the time
/// between two moments. The text contains this period and the key that causes it.
pub fn closed(plan: &Plan, connections: &[usize], [from, to]: [Time; 2]) -> Option<String> {
    let ends = connections.iter().map(|&one| &plan.flows[one]);
    let ways = ends.flat_map(|flow| [(flow.from, flow.to), (flow.to, flow.from)]);
    let links: BTreeSet<u32> = ways.flat_map(|(from, to)| links_of(plan, from, to)).collect();
    let network = links.into_iter().map(|link| &plan.network.links[link as usize]);
    let network = network.map(|link| (&link.name, &link.config));
    let access = plan.access_links.iter().filter(|access| connections.contains(&access.flow));
    let access = access.map(|access| (&access.name, &access.config));
    let lasts = |begin: Time, end: Time| end.min(to).since(begin.max(from));
    let stretches = network.chain(access).flat_map(|(name, config)| {
        let service = config.course.as_ref().and_then(|course| course.service.as_ref());
        let pauses = service.map_or_else(Vec::new, |service| service.pauses(from, to));
        let spans = config.spec.listed.iter().flat_map(|list| list.spans.iter().copied());
        let pauses = pauses.into_iter().map(|pause| (pause, true));
        pauses.chain(spans.map(|span| (span, false))).map(move |what| (name, what))
    });
    // If several links are equal, the first one counts.
    let longest = stretches.reduce(|best, next| {
        let [(begun, ended), (begin, end)] = [best, next].map(|(_, (stretch, _))| stretch);
        if lasts(begin, end) > lasts(begun, ended) { next } else { best }
    });
    let (name, ((begin, end), pauses)) = longest?;
    (lasts(begin, end) * 2 >= to.since(from) && to > from).then(|| {
        let until = if end >= to { "the end".to_owned() } else { format!("{:.3} s", end.secs_f64()) };
        let when = format!("\"{name}\" carried nothing from {:.3} s to {until}", begin.secs_f64());
        if pauses {
            format!("{when}: its rate was 0 (check its `rate_steps`, trace, budget or handovers)")
        } else {
            format!("{when} (change its `loss.spans`)")
        }
    })
}

/// Returns advice for a flow whose SYNs had no answer. The advice names the link on its path, in either direction, that
/// dropped most packets of all flows between two moments.
pub fn unanswered<E: Metered, O: Observer<E::Body>>(
    plan: &Plan,
    engine: &Engine<E, O>,
    connections: &[usize],
    over: [Time; 2],
) -> String {
    type Count = fn(&Counters) -> u64;
    let counts: [(Cause, Count); 5] = [
        (Cause::Queue, |counters| counters.dropped_queue),
        (Cause::Error, |counters| counters.dropped_error),
        (Cause::Policer, |counters| counters.policed),
        (Cause::TooLarge, |counters| counters.too_large),
        (Cause::NoPath, |counters| counters.dropped_outage),
    ];
    let both = counts.into_iter().flat_map(|(cause, count)| [false, true].map(|back| (cause, count, back)));
    let met = both.filter_map(|(cause, count, is_back)| {
        let (dropped, met) = DroppingLink::worst(plan, engine, connections, is_back, count)?;
        Some((dropped, cause, met))
    });
    // If several links are equal, the first one counts.
    let most = met.reduce(|most, next| if next.0 > most.0 { next } else { most });
    let fix = closed(plan, connections, over).or_else(|| match most {
        Some((_, Cause::Queue, met)) => Some(met.queue(plan)),
        Some((_, Cause::Error, met)) => met.loss(),
        Some((_, Cause::Policer, met)) => met.policer(plan),
        Some((_, Cause::TooLarge, met)) => met.mtu(),
        Some((_, _, met)) => {
            Some(format!("outages of \"{}\": the table `paths` lists the times with a path", met.name))
        }
        None => None,
    });
    fix.unwrap_or_else(|| "write a longer `duration`, or check the table `paths`".to_owned())
}

/// Returns the links of the network between two sites, at any known time.
fn links_of(plan: &Plan, from: u16, to: u16) -> impl Iterator<Item = u32> {
    let pieces = plan.path(from, to).map_or(&[][..], |path| path.pieces.as_slice());
    pieces.iter().flat_map(|piece| piece.links.iter().copied())
}
