// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rate, delay and loss of a flow's path over time, from the network alone. This simulates no packets.

use crate::{FlowPlan, Plan};
use link::{Config, Discipline, Impairment, QueueLimit};
use topology::Path;
use units::{Rate, Span, Time};

/// Direction along a flow's path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Direction of data.
    Forward,
    /// Direction of acknowledgements and echoes.
    Return,
}

/// The path in one step of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Start of the step.
    pub at: Time,
    /// Fraction of the step in which there is no path or in which all packets on the path are lost.
    pub outage: f64,
    /// The path in the rest of the step; `None` if there is no rest.
    pub state: Option<State>,
}

/// Total times for which a path carries nothing, by cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Nothing {
    /// Time without a path, or with an interrupted path.
    pub no_path: Span,
    /// Time in which a link loses all packets: frames that cannot be decoded, or a loss of 1.
    pub all_lost: Span,
    /// Time in which a link has a rate of 0, so that packets wait. It counts if it lasts for a whole step, or from one
    /// change to the next change.
    pub no_rate: Span,
}

/// State of an existing path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Mean rate of the narrowest link; `None` if no link has a rate.
    pub rate: Option<Rate>,
    /// Propagation delay at the start of the step.
    pub delay: Span,
    /// Mean probability that a packet of [`PACKET`] bytes is lost, apart from queues and outages.
    pub loss: f64,
}

/// Packet size for which losses by bit errors are computed, in bytes.
pub const PACKET: u16 = 1500;

/// The narrowest link of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Narrowest {
    /// Name of the link.
    pub link: String,
    /// Number of packets of [`PACKET`] bytes that fit into its queue; `None` if unlimited.
    pub queue_packets: Option<u64>,
}

/// The path over time.
#[derive(Clone, Debug)]
pub struct Series {
    /// The steps in order. The first step starts at zero.
    pub samples: Vec<Sample>,
    /// Total times for which the path carries nothing.
    pub nothing: Nothing,
    /// The narrowest link when the path first exists; `None` if no link has a rate.
    pub narrowest: Option<Narrowest>,
    /// Effects that the numbers do not include.
    pub left_out: Vec<&'static str>,
}

/// Returns the path of flow number `flow` from zero to `duration`, in steps of `step`.
///
/// # Panics If no flow has this number, or if `step` is zero.
pub fn series(plan: &Plan, flow: usize, direction: Direction, duration: Span, step: Span) -> Series {
    let route = Route::new(plan, flow, direction);
    let end = Time::ZERO + duration;
    let changes = route.changes(end);
    let (mut samples, mut next, mut narrowest) = (Vec::new(), 0, None);
    let mut nothing = Nothing::default();
    let mut at = Time::ZERO;
    while at < end {
        let until = (at + step).min(end);
        let first = next;
        while changes.get(next).is_some_and(|&change| change < until) {
            next += 1;
        }
        let sample = route.sample(at, &changes[first..next], until, &mut nothing);
        if narrowest.is_none() && sample.state.is_some() {
            narrowest = route.narrowest(at, until);
        }
        samples.push(sample);
        at = until;
    }
    Series { samples, nothing, narrowest, left_out: route.left_out() }
}

/// The links on a flow's path.
struct Route<'a> {
    plan: &'a Plan,
    /// The paths of the flow's connections, in order. Proxies are between them. Connections within a site have no path.
    paths: Vec<Option<&'a Path>>,
    /// Links of hosts: the link from the sending host and the link to the receiving host.
    hosts: Vec<(&'a str, &'a Config)>,
}

impl<'a> Route<'a> {
    fn new(plan: &'a Plan, flow: usize, direction: Direction) -> Self {
        let its = &plan.flows[flow];
        let mut connections: Vec<&FlowPlan> =
            its.connections(flow).into_iter().map(|number| &plan.flows[number]).collect();
        if direction == Direction::Return {
            connections.reverse();
        }
        let ends = |one: &FlowPlan| match direction {
            Direction::Forward => (one.from, one.to),
            Direction::Return => (one.to, one.from),
        };
        let between = connections.into_iter().map(ends).filter(|(from, to)| from != to);
        // The order is sender up, sender down, receiver up, receiver down.
        let wanted = match direction {
            Direction::Forward => [0, 3],
            Direction::Return => [1, 2],
        };
        let taken = plan.access_links_of(flow).enumerate().filter(|(at, _)| wanted.contains(at));
        let hosts = taken.map(|(_, access)| (access.name.as_str(), &access.config)).collect();
        Self { plan, paths: between.map(|(from, to)| plan.path(from, to)).collect(), hosts }
    }

    /// Returns the links at a time with their names; `None` if there is no path.
    fn links(&self, at: Time) -> Option<Vec<(&'a str, &'a Config)>> {
        let mut between: Vec<u32> = Vec::new();
        for path in &self.paths {
            let links = &path.as_ref()?.piece(at).links;
            if links.is_empty() {
                return None;
            }
            between.extend(links);
        }
        let plans = between.iter().map(|&link| &self.plan.network.links[link as usize]);
        Some(plans.map(|plan| (plan.name.as_str(), &plan.config)).chain(self.hosts.iter().copied()).collect())
    }

    /// Returns all links that the path uses at any time.
    fn ever(&self) -> Vec<&'a Config> {
        let pieces = self.paths.iter().flatten().flat_map(|path| &path.pieces);
        let mut numbers: Vec<u32> = pieces.flat_map(|piece| &piece.links).copied().collect();
        numbers.sort_unstable();
        numbers.dedup();
        let between = numbers.into_iter().map(|link| &self.plan.network.links[link as usize].config);
        between.chain(self.hosts.iter().map(|&(_, config)| config)).collect()
    }

    /// Returns the times at which the path changes, except in rate and delay, whose value is known at any time.
    fn changes(&self, end: Time) -> Vec<Time> {
        let mut times: Vec<Time> = Vec::new();
        times.extend(self.paths.iter().flatten().flat_map(|path| &path.pieces).map(|piece| piece.from));
        for config in self.ever() {
            if let Some(course) = &config.course {
                times.extend(course.loss.iter().map(|&(at, _)| at));
                times.extend(course.ramps.turns_of_loss());
                times.extend(course.cut.iter().map(|&(at, _)| at));
            }
            if let Some(listed) = &config.spec.listed {
                times.extend(listed.spans.iter().flat_map(|&(from, to)| [from, to]));
            }
        }
        times.retain(|&at| at > Time::ZERO && at < end);
        times.sort_unstable();
        times.dedup();
        times
    }

    /// Returns the path from `at` until `until`. `changes` are the changes in between or at `at`. Adds the times in
    /// which the path carries nothing to `nothing`.
    fn sample(&self, at: Time, changes: &[Time], until: Time, nothing: &mut Nothing) -> Sample {
        let mut sum = Sum::default();
        let mut from = at;
        for &to in changes.iter().chain(std::iter::once(&until)).filter(|&&to| to > at) {
            let span = to.since(from);
            let links = self.links(from);
            let out = |config: &Config| is_interrupted(config, from);
            let there = links.filter(|links| !links.iter().any(|(_, config)| out(config)));
            match there {
                None => {
                    sum.out += span.secs_f64();
                    nothing.no_path = nothing.no_path + span;
                }
                Some(links) if links.iter().any(|(_, config)| loss(config, from, span) >= 1.0) => {
                    sum.out += span.secs_f64();
                    nothing.all_lost = nothing.all_lost + span;
                }
                Some(links) => {
                    if sum.add(&links, from, span, || self.delay(&links, from)) == Some(Rate::default()) {
                        nothing.no_rate = nothing.no_rate + span;
                    }
                }
            }
            from = to;
        }
        Sample { at, outage: sum.out / until.since(at).secs_f64(), state: sum.state() }
    }

    fn delay(&self, links: &[(&str, &Config)], at: Time) -> Span {
        let between = self.paths.iter().flatten().filter_map(|path| path.delay(at));
        let between = between.fold(Span::ZERO, |sum, delay| sum + delay);
        let extra = |config: &Config| config.course.as_ref().map_or(Span::ZERO, |course| course.delay_at(at));
        let hosts = self.hosts.iter().fold(Span::ZERO, |sum, (_, config)| sum + config.delay.at(at));
        links.iter().fold(between + hosts, |sum, (_, config)| sum + extra(config))
    }

    fn narrowest(&self, at: Time, until: Time) -> Option<Narrowest> {
        let span = until.since(at);
        let rates = self.links(at)?.into_iter().filter_map(|link| Some((rate(link.1, at, span)?, link)));
        let (rate, (name, config)) = rates.min_by_key(|&(rate, _)| rate)?;
        let queue_packets = packets(config.spec.queue.limit, rate);
        Some(Narrowest { link: name.to_owned(), queue_packets })
    }

    fn left_out(&self) -> Vec<&'static str> {
        let links = self.ever();
        let any = |there: &dyn Fn(&Config) -> bool| links.iter().any(|config| there(config));
        let bursts = |config: &Config| config.spec.loss.has_memory();
        let bits = |config: &Config| matches!(config.spec.loss, Impairment::BitErrorRate(_));
        let numbered =
            |config: &Config| config.spec.listed.as_ref().is_some_and(|list| !list.packets.is_empty());
        let grants = |config: &Config| config.course.as_ref().is_some_and(|course| course.grants.is_some());
        let found = [
            (any(&bursts), "losses in bursts are replaced by independent losses with the same mean rate"),
            (any(&|config| config.spec.arq.is_some()), "the delay of retransmissions on links is left out"),
            (any(&bits), "bit errors are converted to losses of packets of 1500 bytes"),
            (any(&numbered), "losses that the scenario lists by packet number are left out"),
            (any(&grants), "the time that packets wait for grants of the shared uplink is left out"),
            (
                any(&|config| config.spec.dama.is_some()),
                "the time that packets wait for capacity on demand is left out",
            ),
            (any(&|config| config.spec.jitter.is_some()), "random delays of single packets are left out"),
            (
                any(&|config| config.spec.reorder),
                "reordering is left out: packets do not overtake each other",
            ),
            (
                any(&|config| config.spec.policer.is_some()),
                "policers are left out: the rate and the loss apply to a sender that stays below the rate of every \
                 policer",
            ),
            (any(&|config| config.spec.mtu.is_some()), "MTUs are left out"),
            (any(&|config| config.spec.ecn_bleach), "the clearing of the ECN field is left out"),
            (
                any(&|config| config.spec.queue.discipline != Discipline::DropTail),
                "queue disciplines are left out: only the limits of queues are used",
            ),
        ];
        found.into_iter().filter(|(there, _)| *there).map(|(_, words)| words).collect()
    }
}

/// Sums over the parts of a step.
#[derive(Default)]
struct Sum {
    out: f64,
    there: f64,
    loss: f64,
    /// Number of bits, and the time in which there was a rate.
    bits: Option<(f64, f64)>,
    only: Option<Rate>,
    delay: Option<Span>,
}

impl Sum {
    /// Adds a part of a step. Returns the rate in this part.
    fn add(
        &mut self,
        links: &[(&str, &Config)],
        from: Time,
        span: Span,
        delay: impl Fn() -> Span,
    ) -> Option<Rate> {
        let seconds = span.secs_f64();
        self.there += seconds;
        self.delay.get_or_insert_with(delay);
        let passes: f64 = links.iter().map(|(_, config)| 1.0 - loss(config, from, span)).product();
        self.loss += seconds * (1.0 - passes);
        let narrowest = links.iter().filter_map(|(_, config)| rate(config, from, span)).min();
        if let Some(rate) = narrowest {
            let (bits, time) = self.bits.unwrap_or_default();
            // If all parts have the same rate, this rate is returned exactly.
            self.only = if self.bits.is_none() || self.only == Some(rate) { Some(rate) } else { None };
            self.bits = Some((bits + rate.bits_per_s() as f64 * seconds, time + seconds));
        }
        narrowest
    }

    fn state(&self) -> Option<State> {
        let mean = |(bits, time): (f64, f64)| Rate::from_bits_per_s((bits / time).round() as u64);
        let rate = self.only.or_else(|| self.bits.map(mean));
        Some(State { rate, delay: self.delay?, loss: self.loss / self.there })
    }
}

/// Returns whether the link is interrupted: a path was just switched to it, or a list drops every packet.
fn is_interrupted(config: &Config, at: Time) -> bool {
    let spans = config.spec.listed.as_ref().map_or(&[][..], |list| &list.spans);
    spans.iter().any(|&(from, to)| (from..to).contains(&at))
        || config.course.as_ref().is_some_and(|course| last(&course.cut, at))
}

/// Returns the mean probability of random loss on the link in this span. The mean of a ramp is its value in the middle.
fn loss(config: &Config, at: Time, span: Span) -> f64 {
    let course = config.course.as_ref();
    let window = course.map_or(0.0, |course| last(&course.loss, at));
    let ramps = course.map_or(0.0, |course| course.ramps.loss(at + span / 2));
    let once = 1.0 - (1.0 - config.spec.loss.mean(PACKET)) * (1.0 - window) * (1.0 - ramps);
    config.spec.arq.map_or(once, |arq| arq.residual(once))
}

/// Returns the mean rate of a link; `None` if the link has no rate.
fn rate(config: &Config, from: Time, span: Span) -> Option<Rate> {
    let service = config.course.as_ref().and_then(|course| course.service.as_ref());
    service.map(|service| service.mean(from, span)).or(config.spec.rate)
}

/// Returns the value in force at a time. Before the first step, it is the default of its type.
fn last<T: Copy + Default>(steps: &[(Time, T)], at: Time) -> T {
    let begun = steps.partition_point(|&(from, _)| from <= at);
    begun.checked_sub(1).map_or_else(T::default, |index| steps[index].1)
}

/// Returns the number of packets of [`PACKET`] bytes that fit into a queue at a rate; `None` if unlimited.
fn packets(limit: QueueLimit, rate: Rate) -> Option<u64> {
    match limit {
        QueueLimit::Packets(packets) => Some(packets),
        QueueLimit::Bytes(bytes) => Some((bytes.get() / u64::from(PACKET)).max(1)),
        QueueLimit::Time(span) => Some((rate.bytes_in(span).get() / u64::from(PACKET)).max(1)),
        QueueLimit::Bdp(_) | QueueLimit::Unlimited => None,
    }
}
