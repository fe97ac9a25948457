// SPDX-License-Identifier: MIT OR Apache-2.0
//! Links of a constellation whose rate, delay or loss is computed outside the network: from recordings, from the
//! satellite's position, or from the time of day.
//!
//! The network lists these links, and the times at which handovers interrupt them. This module gives them their
//! settings and their course. If nothing varies, nothing here is used.
//!
//! There are two separate steps, because the network is cached while files may change, and because `topology` does not
//! depend on `radio`. In the first step, the network records when handovers interrupt a link, and where its ends are at
//! each route step (`topology::LinkGeometry`). In the second step, this module reads files and computes values. For a
//! pass with a budget, all positions are kept until the pass ends, because a modem continues from its last state. The
//! length of pages does not change the results.
//!
//! A budget is computed before the run as the course of the link: pieces of constant rate, and windows in which all
//! packets are lost. The packet simulator does not know budgets. A link without a budget has no additional cost.

use crate::PlanError;
use crate::replay::{Replay, either, sum};
use crate::weather::{LinkStates, States};
use link::sight::{ByHour, BySight, SightRate, bits};
use link::{Course, LinkSpec, Piece, RateSchedule, Service, TraceEnd};
use random::stream_seed;
use scenario::{Budget, FollowedPass, LinkLookAngles, LinkState, NetworkChoice, Scenario, Weather};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use topology::{ConstellationSpec, During, LinkGeometry, LookAngles, Medium, Network, Page};
use units::{Distance, Rate, Span, Time};

/// The properties that vary, by kind of link.
#[derive(Clone, Debug)]
pub(crate) struct Vary {
    /// Settings of uplink, downlink, feeder link and inter-satellite link, with files read; `None` if there is no such
    /// link.
    media: [Option<LinkSpec>; 4],
    during: During,
    /// Link budgets: user link up, user link down, feeder link up, feeder link down.
    budgets: [Option<Arc<Budget>>; 4],
    /// Rain, by cell.
    rains: BTreeMap<String, Weather>,
    /// Longest time for which a position is used.
    route_step: Span,
    end: Time,
    seed: u64,
}

/// Returns the settings of a constellation's links: up, down, feeder, inter-satellite.
fn media(spec: &ConstellationSpec) -> [Option<&LinkSpec>; 4] {
    let isl = spec.isl.as_ref().map(|isl| &isl.link);
    [Some(&spec.uplink), Some(&spec.downlink), Some(&spec.feeder), isl]
}

/// Returns whether a link has a setting that must be computed over time.
fn varies(spec: &LinkSpec) -> bool {
    spec.changes.as_ref().is_some_and(|changes| changes.recorded.is_some() || changes.sight.is_some())
}

impl Vary {
    /// Returns the properties that vary in a scenario's constellation; `None` if nothing varies.
    pub fn of(scenario: &Scenario, replay: &mut Replay) -> Result<Option<Self>, PlanError> {
        let NetworkChoice::Constellation { spec, sites, budgets } = &scenario.network else {
            return Ok(None);
        };
        let links = media(spec);
        if !links.iter().flatten().any(|link| varies(link)) {
            return Ok(None);
        }
        let mut read = [const { None }; 4];
        for (read, link) in read.iter_mut().zip(links) {
            *read = link.map(|link| replay.over(link)).transpose()?;
        }
        let [up, down, feeder_up, feeder_down] = budgets;
        let users =
            [up, down].into_iter().flatten().flat_map(|budget| sites.iter().map(move |it| (budget, it)));
        let feeders = [feeder_up, feeder_down].into_iter().flatten();
        let feeders = feeders.flat_map(|budget| spec.gateways.iter().map(move |it| (budget, &it.site)));
        let cells = users.chain(feeders).filter_map(|(budget, at)| budget.cell(&at.name).map(str::to_owned));
        let rain = |cell: String| {
            let rain = Budget::rain(scenario.duration, stream_seed(scenario.seed, &format!("rain {cell}")));
            (cell, rain)
        };
        let cells: BTreeSet<String> = cells.collect();
        Ok(Some(Self {
            media: read,
            during: spec.handover.during,
            budgets: budgets.clone(),
            rains: cells.into_iter().map(rain).collect(),
            route_step: spec.route_step,
            end: Time::ZERO + scenario.duration + Span::from_secs(1),
            seed: scenario.seed,
        }))
    }

    /// Refuses settings that are computed for the duration of a run, because a run without an end has no duration.
    pub fn refuse_endless(scenario: &Scenario) -> Result<(), PlanError> {
        let hosts = scenario.flows.iter().filter_map(|flow| Some(&flow.access.as_ref()?.link));
        let by_day = |link: &LinkSpec| link.changes.as_ref().is_some_and(|changes| changes.sight.is_some());
        if hosts.clone().any(by_day) {
            let what = "a table over the time of day of an access link";
            return Err(PlanError::Unending { name: scenario.name.clone(), what });
        }
        let moving = match &scenario.network {
            NetworkChoice::Constellation { spec, .. } => media(spec),
            _ => [None; 4],
        };
        let links = moving.into_iter().flatten().chain(hosts);
        let recorded = links.filter_map(|link| link.changes.as_ref()?.recorded.as_ref());
        let wraps =
            |file: bool, end: Option<TraceEnd>, default| file && end.unwrap_or(default) == TraceEnd::Wrap;
        if let NetworkChoice::Constellation { budgets, .. } = &scenario.network
            && budgets.iter().any(Option::is_some)
        {
            return Err(PlanError::Unending {
                name: scenario.name.clone(),
                what: "the rain of the link budget",
            });
        }
        let mut laid = recorded.filter(|it| {
            wraps(it.path.is_some(), it.end, TraceEnd::OF_PATH)
                || wraps(it.delays.is_some(), it.end, TraceEnd::OF_DELAYS)
        });
        match laid.next() {
            Some(_) => {
                let what = "a trace of delays or of a path with trace_end = \"wrap\"";
                Err(PlanError::Unending { name: scenario.name.clone(), what })
            }
            None => Ok(()),
        }
    }

    /// Adds the varying properties to the links of a network that was computed completely. Returns the states of
    /// budgets.
    pub fn network(&self, network: &mut Network) -> States {
        let (utc, mut states) = (network.time_of_day, States::new());
        // The recorded geometry is used only once, so it is removed.
        for (link, seen) in std::mem::take(&mut network.seen) {
            let plan = &mut network.links[link as usize];
            let (spec, course, told) = self.found(&plan.name, &seen, utc);
            (plan.config.spec, plan.config.course) = (spec, Some(course));
            states.extend(told.map(|told| (link, told)));
        }
        states
    }

    /// Does the same as [`Self::network`] for a later page.
    pub fn page(&self, page: &mut Page, network: &Network) -> States {
        let mut states = States::new();
        let known = network.links.len() as u32;
        let mut courses: BTreeMap<u32, Arc<Course>> = std::mem::take(&mut page.courses).into_iter().collect();
        for (link, seen) in std::mem::take(&mut page.seen) {
            let plan = match link.checked_sub(known) {
                Some(new) => &page.links[new as usize],
                None => &network.links[link as usize],
            };
            let (spec, course, told) = self.found(&plan.name, &seen, network.time_of_day);
            states.extend(told.map(|told| (link, told)));
            match link.checked_sub(known) {
                Some(new) => {
                    let config = &mut page.links[new as usize].config;
                    (config.spec, config.course) = (spec, Some(course));
                }
                // A course with only recordings changes only if handovers interrupt the link.
                None if !seen.looks.is_empty() || courses.contains_key(&link) => {
                    courses.insert(link, course);
                }
                None => {}
            }
        }
        page.courses = courses.into_iter().collect();
        states
    }

    fn found(
        &self,
        name: &str,
        seen: &LinkGeometry,
        utc: Option<Span>,
    ) -> (LinkSpec, Arc<Course>, Option<LinkStates>) {
        let kind = match seen.medium {
            Medium::Up => 0,
            Medium::Down => 1,
            Medium::FeederUp | Medium::FeederDown => 2,
            Medium::Isl => 3,
        };
        let Some(spec) = &self.media[kind] else {
            unreachable!("a network has only the links of its constellation")
        };
        let mut spec = spec.clone();
        let mut changes = spec.changes.as_deref().cloned().unwrap_or_default();
        let mut told = None;
        if let Some(sight) = changes.sight.take() {
            if let Some(SightRate::Budget) = &sight.rate {
                let ground = seen.ground.as_ref().map_or("", |(name, ..)| name);
                spec.rate =
                    seen.looks.first().and_then(|look| Some(self.budget(seen)?.best(ground, &at(look))));
                let (followed, states) = self.follow(name, seen);
                told = states;
                changes.rate = schedule(followed.rates.into_iter()).map(Service::Schedule);
                let windows = followed.lost.iter().flat_map(|&(from, to)| [(from, 1.0), (to, 0.0)]);
                changes.loss = either(&changes.loss, &windows.collect());
            } else if sight.has_rate() {
                let rates = seen.looks.iter().map(|look| (look.at, rate(&sight, look, seen, utc)));
                changes.rate = schedule(rates).map(Service::Schedule);
            }
            if let Some(curve) = &sight.loss {
                let losses = seen.looks.iter().map(|look| (look.at, curve.at(look.on(curve.axis))));
                changes.loss = either(&changes.loss, &steps(losses).into());
            }
            if let Some(by) = &sight.loss_by_hour {
                let losses = seen.looks.iter().map(|look| (look.at, at_hour(by, look, seen, utc)));
                changes.loss = either(&changes.loss, &steps(losses).into());
            }
            if let Some(curve) = &sight.delay {
                let delays = seen.looks.iter().map(|look| (look.at, nanos(curve.at(look.on(curve.axis)))));
                changes.extra_delay = sum(&changes.extra_delay, &steps(delays).into());
            }
            if let Some(by) = &sight.delay_by_hour {
                let delays = seen.looks.iter().map(|look| (look.at, nanos(at_hour(by, look, seen, utc))));
                changes.extra_delay = sum(&changes.extra_delay, &steps(delays).into());
            }
        }
        spec.changes = Some(Arc::new(changes));
        let course = topology::course(&seen.outages, &spec, self.during);
        (spec, Arc::new(course), told)
    }

    fn budget(&self, seen: &LinkGeometry) -> Option<&Arc<Budget>> {
        let [up, down, feeder_up, feeder_down] = &self.budgets;
        match seen.medium {
            Medium::Up => up.as_ref(),
            Medium::Down => down.as_ref(),
            Medium::FeederUp => feeder_up.as_ref(),
            Medium::FeederDown => feeder_down.as_ref(),
            Medium::Isl => None,
        }
    }

    /// Returns the states of the modem on each pass over a site or a gateway, and the states of the link.
    fn follow(&self, name: &str, seen: &LinkGeometry) -> (FollowedPass, Option<LinkStates>) {
        let mut all = FollowedPass::default();
        let (Some(budget), Some((site, latitude, _))) = (self.budget(seen), &seen.ground) else {
            return (all, None);
        };
        let mut told = LinkStates::new(budget, site);
        let upwards = matches!(seen.medium, Medium::Up | Medium::FeederUp);
        let turned = |state: LinkState| if upwards { state.upwards() } else { state };
        let rain = budget.cell(site).and_then(|cell| self.rains.get(cell));
        let mut passes = seen.looks.chunk_by(|_, next| !next.first).peekable();
        while let Some(pass) = passes.next() {
            let ([first, ..], Some(last)) = (pass, pass.last()) else { continue };
            let next = passes.peek().and_then(|next| next.first()).map_or(Time::MAX, |look| look.at);
            let end = (last.at + self.route_step).min(self.end.max(last.at)).min(next);
            let seed = stream_seed(self.seed, &format!("link {name} frames {}", first.at.nanos()));
            let looks: Vec<LinkLookAngles> = pass.iter().map(at).collect();
            let followed = budget.follow(site, *latitude, &looks, end, rain, seed);
            told.add(followed.states.into_iter().map(turned), end, followed.lost.iter().copied());
            all.rates.extend(followed.rates);
            all.lost.extend(followed.lost);
        }
        (all, Some(told))
    }
}

/// Converts a position for a budget.
fn at(look: &LookAngles) -> LinkLookAngles {
    let range_km = Distance::from_m(look.range_m).km();
    LinkLookAngles { at_s: look.at.secs_f64(), elevation_deg: look.elevation_deg, range_km }
}

/// Returns the rate of a link at a position.
fn rate(sight: &BySight, look: &LookAngles, seen: &LinkGeometry, utc: Option<Span>) -> Rate {
    let by_sight = match &sight.rate {
        Some(SightRate::Curve(curve)) => Some(curve.at(look.on(curve.axis))),
        Some(SightRate::Budget) | None => None,
    };
    let by_hour = sight.rate_by_hour.as_ref().map(|by| at_hour(by, look, seen, utc));
    bits(by_sight.into_iter().chain(by_hour).fold(f64::INFINITY, f64::min))
}

/// Returns the value of a table over the time of day at a position.
fn at_hour(by: &ByHour, look: &LookAngles, seen: &LinkGeometry, utc: Option<Span>) -> f64 {
    let east_deg = seen.ground.as_ref().map_or(0.0, |(.., longitude)| longitude.deg());
    let start = by.start.or(utc).unwrap_or_default();
    by.at(by.time_of_day(start, look.at.since(Time::ZERO), east_deg))
}

fn nanos(ns: f64) -> Span {
    Span::from_nanos(ns.round() as u64)
}

/// Returns the steps of a value over time. Equal neighbours are merged. If several values have the same time, the last
/// value counts.
fn steps<T: PartialEq>(values: impl Iterator<Item = (Time, T)>) -> Vec<(Time, T)> {
    let mut steps: Vec<(Time, T)> = Vec::new();
    for (at, value) in values {
        steps.pop_if(|(before, _)| *before >= at);
        if steps.last().is_none_or(|(_, before)| *before != value) {
            steps.push((at, value));
        }
    }
    steps
}

/// Returns a rate in steps, from the first step on; `None` if there are no steps. If the last step is a pause, a
/// further step follows one hour later, so that waiting packets leave. By then the link does not exist any more, or the
/// next page has a new rate.
fn schedule(rates: impl Iterator<Item = (Time, Rate)>) -> Option<RateSchedule> {
    let mut steps = steps(rates);
    steps.first_mut()?.0 = Time::ZERO;
    let mut pieces: Vec<Piece> = steps.iter().map(|&(from, rate)| Piece::constant(from, rate)).collect();
    if let Some(last) = pieces.last().copied().filter(|last| last.start == Rate::default()) {
        let least = Rate::from_bits_per_s(1_000_000);
        let rate = steps.iter().map(|&(_, rate)| rate).max().filter(|&rate| rate > Rate::default());
        pieces.push(Piece::constant(last.from + Span::from_secs(3600), rate.unwrap_or(least)));
    }
    match RateSchedule::new(pieces) {
        Ok(schedule) => Some(schedule),
        Err(error) => unreachable!("looks come one after the other: {error}"),
    }
}
