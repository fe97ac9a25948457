// SPDX-License-Identifier: MIT OR Apache-2.0
//! Turns the network of a scenario into the network of a run: reads files and draws random presets.

use crate::replay::{Replay, by_day, either, missing, own_loss, stepped, twice};
use crate::vary::Vary;
use crate::weather::{LinkStates, States};
use crate::{PlanError, Stop, cache};
use link::starlink::Direction;
use link::{
    Carrier, CarrierTerminal, Config, Course, Delay, LinkSpec, Pace, PathTrace, Piece, RateSchedule, Service,
    TraceEnd, TraceRate,
};
use random::stream_seed;
use scenario::{
    Budget, ForwardCarriers, Losses, NetworkChoice, Scenario, Starlink, Wire, WireDelay, WireService,
};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use topology::{Almanac, LinkPlan, Network, Page, Site, Transmitter, Turn};
use units::{Rate, Span, Time};

/// Settings of a link, its delay, and its changes over time.
type Laid = (LinkSpec, Delay, Option<Arc<Course>>);

/// A network that is computed, either completely or up to the end of its first page.
pub(crate) struct LaidNetwork {
    pub network: Network,
    pub site_names: Vec<String>,
    /// States of links with a budget.
    pub states: States,
    /// The almanac that computes the rest of a constellation, and the properties that vary on its links.
    pub almanac: Option<Almanac>,
    pub vary: Option<Vary>,
}

/// Computes the network of a scenario over its whole run.
pub(crate) fn lay_network(scenario: &Scenario, stop: Stop<'_>) -> Result<LaidNetwork, PlanError> {
    let (mut replay, mut states) = (Replay::of(scenario), States::new());
    // The courses are in the order of the network's links.
    let (mut network, courses) = match &scenario.network {
        NetworkChoice::Constellation { spec, sites, .. } => {
            let pairs = pairs(scenario, sites);
            let vary = Vary::of(scenario, &mut replay)?;
            let mut network = cache::network(spec, sites, &pairs, scenario.duration, || {
                let (mut almanac, mut network) = Almanac::open(spec, sites, &pairs)?;
                let end = Time::ZERO + scenario.duration;
                network.turn_to(almanac.end(Time::ZERO, end, &|| stop(0.0))?);
                network.notes.extend(almanac.notes_at_end(scenario.duration));
                Ok(network)
            })?;
            if let Some(vary) = vary {
                states = vary.network(&mut network);
            }
            for link in &mut network.links {
                grant(scenario.seed, &link.name, &mut link.config);
            }
            (network, Vec::new())
        }
        NetworkChoice::Dumbbell { forward, reverse } => {
            let mut read = |wire, name, link| read(wire, scenario, &mut replay, &mut states, name, &[link]);
            let (there, there_delay, there_course) = read(forward, "left > right", 0)?;
            let (back, back_delay, back_course) = read(reverse, "right > left", 1)?;
            let network =
                topology::shapes::dumbbell(Config::new(there, there_delay), Config::new(back, back_delay));
            (network, vec![there_course, back_course])
        }
        NetworkChoice::Chain { links } => {
            let links = links.iter().enumerate();
            let links = links
                .map(|(at, link)| {
                    let name = format!("{at} > {}", at + 1);
                    read(link, scenario, &mut replay, &mut states, &name, &pair(at))
                })
                .collect::<Result<Vec<_>, _>>()?;
            let courses = links.iter().flat_map(|(.., course)| both_ways(course.clone())).collect();
            let plain: Vec<_> = links.into_iter().map(|(spec, delay, _)| Config::new(spec, delay)).collect();
            (topology::shapes::chain(&plain), courses)
        }
        NetworkChoice::Star { branches, carriers, forward } => {
            let (mut plain, mut courses) = (Vec::new(), Vec::new());
            for (at, (site, wire)) in branches.iter().enumerate() {
                let name = format!("{site} > hub");
                let (spec, delay, course) = read(wire, scenario, &mut replay, &mut states, &name, &pair(at))?;
                plain.push((site.clone(), spec, delay));
                let [mut there, back] = both_ways(course);
                let pace = carriers.pace(at);
                let changes = pace.is_some() || wire.service != WireService::Constant;
                if changes && carrier_of(scenario, &wire.spec).is_some() {
                    // The branch's own rate applies to the direction from the hub. Towards the hub, the carrier's rate
                    // applies, or a slower rate of the branch's terminal on the carrier.
                    let up = Wire { service: pace.cloned().unwrap_or(WireService::Constant), ..wire.clone() };
                    states.remove(&pair(at)[0]);
                    let name = format!("{name} in its slots");
                    there = read(&up, scenario, &mut replay, &mut states, &name, &pair(at)[..1])?.2;
                }
                courses.extend([there, back]);
            }
            let mut network = topology::shapes::star(&plain);
            take_turns(&mut network, forward);
            (network, courses)
        }
        NetworkChoice::Starlink(path) => {
            let [up, down] = draw(scenario, path);
            let courses = vec![up.2, down.2];
            let (up, down) = (Config::new(up.0, up.1), Config::new(down.0, down.1));
            (topology::shapes::pair(["dish", "server"], up, down), courses)
        }
    };
    for (link, course) in network.links.iter_mut().zip(courses) {
        link.config.course = course;
    }
    network.notes.extend(replay.notes());
    if matches!(scenario.network, NetworkChoice::Chain { .. } | NetworkChoice::Star { .. }) {
        // Demand assignment and thinning of ACKs apply to one direction. Every second link is the other direction.
        for back in network.links.iter_mut().skip(1).step_by(2) {
            (back.config.spec.dama, back.config.spec.acks) = (None, None);
        }
        for (at, there) in network.links.iter_mut().enumerate() {
            if let Some(carrier) = carrier_of(scenario, &there.config.spec) {
                there.config.spec.rate = Some(clear_rate(scenario, at).unwrap_or(carrier.rate));
            }
        }
    }
    let site_names = site_names(&network);
    Ok(LaidNetwork { network, site_names, states, almanac: None, vary: None })
}

/// Returns the numbers of a link of a chain or star in both directions.
fn pair(at: usize) -> [u32; 2] {
    [2 * at as u32, 2 * at as u32 + 1]
}

/// Does the same as [`lay_network`], but computes only the first page of a constellation (at least until `until`), and
/// returns the almanac for later pages. `prepared` are the links that have an outage at some time, if known. A plain
/// network does not change, so it has no pages. A network that is drawn for the run is refused.
pub(crate) fn open_network(
    scenario: &Scenario,
    until: Time,
    prepared: Option<BTreeSet<u32>>,
    stop: Stop<'_>,
) -> Result<LaidNetwork, PlanError> {
    match &scenario.network {
        NetworkChoice::Constellation { spec, sites, .. } => {
            let mut replay = Replay::of(scenario);
            let vary = Vary::of(scenario, &mut replay)?;
            let (almanac, mut network) = Almanac::open(spec, sites, &pairs(scenario, sites))?;
            let mut almanac = match prepared {
                Some(links) => almanac.prepared_for(links),
                None => almanac,
            };
            let mut page = almanac.extend(Time::ZERO, until, &|| stop(0.0))?;
            let states = vary.as_ref().map(|vary| vary.page(&mut page, &network)).unwrap_or_default();
            grant_page(scenario.seed, &mut page, &network);
            network.turn_to(page);
            network.notes.extend(almanac.notes_at_end(scenario.duration));
            network.notes.extend(replay.notes());
            let site_names = site_names(&network);
            Ok(LaidNetwork { network, site_names, states, almanac: Some(almanac), vary })
        }
        NetworkChoice::Starlink(_) => {
            Err(PlanError::Unending { name: scenario.name.clone(), what: "the path over Starlink" })
        }
        plain if wires(plain).any(repeats) => {
            Err(PlanError::Unending { name: scenario.name.clone(), what: "the path trace that repeats" })
        }
        plain if scenario::has_budget(plain) => {
            Err(PlanError::Unending { name: scenario.name.clone(), what: "the rain of the link budget" })
        }
        plain if wires(plain).any(goes_by_day) => {
            Err(PlanError::Unending { name: scenario.name.clone(), what: "the table over the time of day" })
        }
        NetworkChoice::Dumbbell { .. } | NetworkChoice::Chain { .. } | NetworkChoice::Star { .. } => {
            lay_network(scenario, stop)
        }
    }
}

/// Assigns the links from the hub of a star to the carriers that they share.
fn take_turns(network: &mut Network, forward: &ForwardCarriers) {
    for (branch, turn) in forward.turns.iter().enumerate() {
        // Every second link leads from the hub.
        let link = &mut network.links[2 * branch + 1];
        link.turn = turn.map(|turn| Turn {
            transmitter: Transmitter::carrier(link.from, turn.carrier),
            weight: turn.weight,
            class: turn.class,
            turns: forward.carriers[usize::from(turn.carrier)].turns,
            part: None,
        });
    }
}

/// Returns the shared carrier of a link; `None` if the link shares no carrier.
fn carrier_of<'a>(scenario: &'a Scenario, spec: &LinkSpec) -> Option<&'a Carrier> {
    let NetworkChoice::Star { carriers, .. } = &scenario.network else { return None };
    Some(&carriers.carriers.get(usize::from(spec.dama?.carrier?))?.1)
}

/// Returns the rate in clear sky of the terminal that sends on a link of a star; `None` if it uses the carrier's rate.
fn clear_rate(scenario: &Scenario, link: usize) -> Option<Rate> {
    let NetworkChoice::Star { carriers, .. } = &scenario.network else { return None };
    carriers.clear_rate(link / 2)
}

/// Gives a link of a constellation its grants, and the random stream that chooses between intervals.
fn grant(seed: u64, name: &str, config: &mut Config) {
    if let Some(grants) = config.spec.grants {
        let course = config.course.as_deref().cloned().unwrap_or_default();
        let grants = Some((grants, stream_seed(seed, &format!("link {name} grants"))));
        config.course = Some(Arc::new(Course { grants, ..course }));
    }
}

/// Does the same for the links of a later page.
pub(crate) fn grant_page(seed: u64, page: &mut Page, network: &Network) {
    for link in &mut page.links {
        grant(seed, &link.name, &mut link.config);
    }
    for (link, course) in &mut page.courses {
        // The numbers of the page's new links follow those of the known links.
        if let Some(LinkPlan { name, config, .. }) = network.links.get(*link as usize)
            && let Some(grants) = config.spec.grants
        {
            let grants = Some((grants, stream_seed(seed, &format!("link {name} grants"))));
            *course = Arc::new(Course { grants, ..(**course).clone() });
        }
    }
}

/// Returns for each link its terminal on the carrier that it shares; `None` if the link shares no carrier.
pub fn carrier_terminals(scenario: &Scenario, links: &[LinkPlan]) -> Vec<Option<CarrierTerminal>> {
    let mut found: Vec<Option<CarrierTerminal>> = links.iter().map(|_| None).collect();
    let NetworkChoice::Star { carriers, .. } = &scenario.network else { return found };
    for (number, (_, carrier)) in carriers.carriers.iter().enumerate() {
        let (mut places, mut terminals) = (Vec::new(), Vec::new());
        for (at, link) in links.iter().enumerate() {
            if let Some(dama) =
                link.config.spec.dama.filter(|dama| dama.carrier.map(usize::from) == Some(number))
            {
                places.push(at);
                let service = link.config.course.as_ref().and_then(|course| course.service.as_ref());
                let pace = service.and_then(|service| match service {
                    Service::Schedule(schedule) => Some(schedule.clone()),
                    Service::Opportunities(_) => None,
                });
                let pace = pace.zip(clear_rate(scenario, at)).map(|(rate, clear)| Pace { rate, clear });
                terminals.push((dama, pace));
            }
        }
        for (at, terminal) in places.into_iter().zip(carrier.terminals(terminals)) {
            found[at] = Some(terminal);
        }
    }
    found
}

/// Returns the course of a link of a chain or star in both directions. Only the first direction waits for grants.
fn both_ways(there: Option<Arc<Course>>) -> [Option<Arc<Course>>; 2] {
    let back = there.as_deref().map(|course| Course { grants: None, ..course.clone() });
    [there, back.filter(|course| *course != Course::default()).map(Arc::new)]
}

/// Returns the links of a plain network.
fn wires(network: &NetworkChoice) -> impl Iterator<Item = &Wire> {
    let (pair, row, branches) = match network {
        NetworkChoice::Dumbbell { forward, reverse } => (vec![forward, reverse], &[][..], &[][..]),
        NetworkChoice::Chain { links } => (Vec::new(), links.as_slice(), &[][..]),
        NetworkChoice::Star { branches, .. } => (Vec::new(), &[][..], branches.as_slice()),
        NetworkChoice::Constellation { .. } | NetworkChoice::Starlink(_) => (Vec::new(), &[][..], &[][..]),
    };
    pair.into_iter().chain(row).chain(branches.iter().map(|(_, wire)| wire))
}

/// Returns whether a link's trace is repeated, and therefore computed for the scenario's duration.
fn repeats(wire: &Wire) -> bool {
    wire.path_trace.is_some() && wire.trace_end.unwrap_or(TraceEnd::OF_PATH) == TraceEnd::Wrap
}

/// Returns whether a link follows the time of day, and is therefore computed for the scenario's duration.
fn goes_by_day(wire: &Wire) -> bool {
    let hours = wire.spec.changes.as_ref().is_some_and(|changes| changes.sight.is_some());
    hours || matches!(wire.service, WireService::ByHour(_))
}

/// Returns the pairs of sites between which flows send.
fn pairs(scenario: &Scenario, sites: &[Site]) -> Vec<(u16, u16)> {
    let index = |name: &str| sites.iter().position(|site| site.name == name).map(|at| at as u16);
    let mut pairs: Vec<(u16, u16)> = Vec::new();
    for flow in &scenario.flows {
        if let (Some(from), Some(to)) = (index(&flow.from), index(&flow.to))
            && !pairs.contains(&(from, to))
        {
            pairs.push((from, to));
        }
    }
    pairs
}

fn site_names(network: &Network) -> Vec<String> {
    network.sites.iter().map(|&node| network.nodes[node as usize].name.clone()).collect()
}

/// Draws the two directions of a path over Starlink, each from a separate random stream.
fn draw(scenario: &Scenario, path: &Starlink) -> [Laid; 2] {
    let there = path.rtt / 2;
    let rest = [there, path.rtt.saturating_sub(there)];
    let direction = |at: usize, name: &str, direction: &Direction| {
        let seed = stream_seed(scenario.seed, &format!("link {name} starlink"));
        let mut laid = direction.lay(path.phase, scenario.duration, rest[at], seed);
        let Losses { chance: loss, listed, steps, ramps } = path.losses[at].clone();
        laid.course.loss = either(&laid.course.loss, &steps);
        laid.course.ramps.losses.extend(ramps);
        let spec =
            LinkSpec { rate: Some(laid.rate), queue: path.queues[at], loss, listed, ..LinkSpec::IDEAL };
        (spec, laid.delay, Some(Arc::new(laid.course)))
    };
    [direction(0, "dish > server", &path.preset.up), direction(1, "server > dish", &path.preset.down)]
}

/// Returns a plain link after reading its files. `name` is the name of its random streams, and `links` are its numbers
/// in the network.
fn read(
    wire: &Wire,
    scenario: &Scenario,
    replay: &mut Replay,
    states: &mut States,
    name: &str,
    links: &[u32],
) -> Result<Laid, PlanError> {
    let mut spec = by_day(wire.spec.clone(), scenario.duration);
    let (file, end) = (wire.path_trace.as_deref().unwrap_or(Path::new("")), wire.trace_end);
    let mut stops: Vec<Time> = Vec::new();
    let traced = match &wire.path_trace {
        Some(file) => {
            let (trace, stop) = replay.path(file, end)?;
            stops.extend(stop);
            trace
        }
        None => PathTrace::default(),
    };
    let mut lost = None;
    let service = match (&wire.service, traced.rate) {
        (WireService::PathTrace, Some(TraceRate::Unlimited)) | (WireService::Constant, None) => None,
        (WireService::Steps(schedule), None) => Some(stepped(&mut spec, schedule)),
        (WireService::ByHour(by), None) => Some(stepped(&mut spec, &by.schedule(scenario.duration))),
        (WireService::PathTrace, Some(TraceRate::Steps(schedule))) => match schedule.pieces() {
            [only] => {
                spec.rate = Some(only.start);
                None
            }
            _ => Some(stepped(&mut spec, &schedule)),
        },
        (WireService::Trace(file), None) => {
            let (trace, stop) = replay.deliveries(file, end)?;
            spec.rate = Some(trace.mean());
            stops.extend(stop);
            Some(Service::Opportunities(trace))
        }
        (WireService::Budget(budget), None) => {
            let (schedule, frames, told) = weathered(budget, scenario, name);
            lost = Some(frames);
            states.extend(links.iter().map(|&link| (link, told.clone())));
            Some(stepped(&mut spec, &schedule))
        }
        (WireService::PathTrace, None) => return Err(missing(file, "rate_mbit_s", "rate")),
        (_, Some(_)) => return Err(twice(file, "rate_mbit_s", "rate")),
    };
    let delay = match (&wire.delay, traced.delay) {
        (WireDelay::Given(delay), None) => delay.clone(),
        (WireDelay::Trace(file), None) => {
            let (delays, stop) = replay.delays(file, end)?;
            stops.extend(stop);
            Delay::Trace(Arc::new(delays))
        }
        (WireDelay::PathTrace, Some(steps)) => match steps.as_ref() {
            &[(_, only)] => Delay::Constant(only),
            _ => Delay::Steps(steps),
        },
        (WireDelay::PathTrace, None) => return Err(missing(file, "delay_ms", "delay")),
        (_, Some(_)) => return Err(twice(file, "delay_ms", "delay")),
    };
    let stop = stops.into_iter().min();
    let cut = outages(traced.loss.as_deref().unwrap_or_default(), stop);
    let loss = match (&traced.loss, lost) {
        (Some(traced), Some(frames)) => Some(either(traced, &frames)),
        (None, Some(frames)) => Some(frames),
        _ => own_loss(&mut spec, traced.loss),
    };
    let own = spec.course();
    let grants =
        spec.grants.map(|grants| (grants, stream_seed(scenario.seed, &format!("link {name} grants"))));
    let changes = service.is_some() || loss.is_some() || !cut.is_empty();
    let course = (changes || own.is_some() || grants.is_some()).then(|| {
        let own = own.unwrap_or_default();
        let loss = either(&own.loss, &loss.unwrap_or_default());
        Arc::new(Course { service, loss, cut, grants, ..own })
    });
    Ok((spec, delay, course))
}

/// Returns the outages of a link: the times at which its path trace has a loss of 1, and the time after its end.
fn outages(loss: &[(Time, f64)], stop: Option<Time>) -> Arc<[(Time, bool)]> {
    let before_end = loss.iter().filter(|(at, _)| stop.is_none_or(|stop| *at < stop));
    let steps = before_end.map(|&(at, loss)| (at, loss >= 1.0)).chain(stop.map(|at| (at, true)));
    let mut outages: Vec<(Time, bool)> = Vec::new();
    for (at, is_out) in steps {
        if is_out != outages.last().is_some_and(|&(_, before)| before) {
            outages.push((at, is_out));
        }
    }
    outages.into()
}

/// Returns the rate of a link budget over the run, its loss over time, and the states of the link. If a frame cannot be
/// decoded, all of its packets are lost.
fn weathered(
    budget: &Arc<Budget>,
    scenario: &Scenario,
    name: &str,
) -> (RateSchedule, Arc<[(Time, f64)]>, LinkStates) {
    let seed = |stream: &str| match stream {
        // Several links may be in the same rain, so the stream's name does not contain the link.
        rain if rain.starts_with("rain ") => stream_seed(scenario.seed, rain),
        own => stream_seed(scenario.seed, &format!("link {name} {own}")),
    };
    let radio = &budget.radio;
    let series = radio.series(scenario.duration, &scenario::rain_starts(&scenario.network), seed);
    let rate = |rung: usize| series.rungs[rung].rate(radio.symbols_per_s());
    let nothing = Rate::from_bits_per_s(0);
    let mut pieces: Vec<Piece> = Vec::new();
    for stretch in &series.stretches {
        let rate = stretch.rung.map_or(nothing, rate);
        if pieces.last().is_none_or(|last| last.start != rate) {
            pieces.push(Piece::constant(Time::from_secs_f64(stretch.from_s), rate));
        }
    }
    // Without a last step, packets in an outage at the end of the run would wait forever.
    let end = Time::ZERO + scenario.duration + Span::from_secs(1);
    pieces.retain(|piece| piece.from < end);
    if pieces.last().is_some_and(|last| last.start == nothing) {
        pieces.push(Piece::constant(end, rate(0)));
    }
    let schedule = RateSchedule::new(pieces).expect("stretches begin at zero and rise");
    let lost = series.lost.iter().map(|&(from, to)| (Time::from_secs_f64(from), Time::from_secs_f64(to)));
    let lost: Vec<_> = lost.collect();
    let windows = lost.iter().flat_map(|&(from, to)| [(from, 1.0), (to, 0.0)]).collect();
    let mut told = LinkStates::new(budget, "");
    told.add(series.states.into_iter(), Time::ZERO + scenario.duration, lost);
    (schedule, windows, told)
}
