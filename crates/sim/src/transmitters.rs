// SPDX-License-Identifier: MIT OR Apache-2.0
//! Transmitters that several links share, and totals that several transmitters share: their registration in the engine,
//! and the time for which each group of links was served.

use engine::{Engine, Observer, Scheduling};
use hosts::AnyBody;
use hosts::AnyEndpoint;
use std::collections::BTreeMap;
use topology::{RouteUpdate, Serves, Total, TotalRate, Transmitter, Turn};
use units::{Span, Time};

/// The group that a transmitter serves, and the direction: true if the group sends to the satellite or gateway.
type Way = (Serves, bool);

/// Numbers of transmitters and totals in the engine, and service times.
#[derive(Clone, Debug, Default, saved::Saved)]
pub(crate) struct Shared {
    #[saved(fixed)]
    transmitters: BTreeMap<Transmitter, usize>,
    #[saved(fixed)]
    totals: BTreeMap<Total, usize>,
    /// What each link of the network shares. The list may be shorter than the list of links: later links share nothing.
    links: Vec<Member>,
    service: BTreeMap<Way, Service>,
}

/// The transmitter and the total that a link shares.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
struct Member {
    ways: [Option<Way>; 2],
    in_use: bool,
}

/// Service time of a group.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
struct Service {
    /// Number of links in use, and the time since which at least one is in use.
    links: u32,
    since: Time,
    /// Total service time before this.
    before: Span,
}

impl Shared {
    /// Adds a link to the transmitter that it shares. `plan` is the number of the link in the network, `link` its
    /// number in the engine.
    pub fn add_link<O: Observer<AnyBody>>(
        &mut self,
        engine: &mut Engine<AnyEndpoint, O>,
        plan: usize,
        link: u32,
        turn: &Turn,
    ) {
        self.links.resize(self.links.len().max(plan + 1), Member::default());
        let total = turn.part.as_ref().map(|part| part.total.serves());
        self.links[plan] = Member { ways: [turn.transmitter.serves(), total], in_use: false };
        let next = self.transmitters.len();
        let number = *self.transmitters.entry(turn.transmitter).or_insert(next);
        if number == next && turn.turns == topology::Turns::Time {
            engine.charge(number, engine::Turns::Time);
        }
        engine.share(number, link, Scheduling { weight: turn.weight, class: turn.class });
        if let Some(part) = turn.part.as_ref().filter(|_| number == next) {
            let totals = self.totals.len();
            let total = *self.totals.entry(part.total).or_insert(totals);
            let scheduling = Scheduling { weight: part.weight, class: part.class };
            engine.limit(number, total, part.rate.highest(), scheduling);
            if let TotalRate::Schedule(schedule) = &part.rate
                && total == totals
            {
                engine.vary_total(total, schedule.clone());
            }
        }
    }
}

impl Shared {
    /// Records which links come into use and which leave use.
    pub fn follow(&mut self, update: &RouteUpdate) {
        if self.links.is_empty() {
            return;
        }
        for link in update.entries.iter().filter_map(|entry| entry.link) {
            self.turn_to(link, true, update.at);
        }
        for &link in &update.down {
            self.turn_to(link, false, update.at);
        }
    }

    fn turn_to(&mut self, link: u32, in_use: bool, at: Time) {
        let Some(member) = self.links.get_mut(link as usize) else { return };
        if std::mem::replace(&mut member.in_use, in_use) == in_use {
            return;
        }
        for way in member.ways.into_iter().flatten() {
            let service = self.service.entry(way).or_default();
            if in_use {
                service.since = if service.links == 0 { at } else { service.since };
                service.links += 1;
            } else {
                service.links -= 1;
                if service.links == 0 {
                    service.before = service.before + at.since(service.since);
                }
            }
        }
    }

    /// Returns for how long each group was served until `now`.
    pub fn served(&self, now: Time) -> BTreeMap<Way, Span> {
        let until_now = |service: &Service| match service.links {
            0 => service.before,
            _ => service.before + now.since(service.since),
        };
        self.service.iter().map(|(&way, service)| (way, until_now(service))).collect()
    }

    /// Returns, for each group, the links whose transmitter or satellite total serves the group.
    pub fn links(&self) -> BTreeMap<Way, Vec<usize>> {
        let mut links: BTreeMap<Way, Vec<usize>> = BTreeMap::new();
        for (number, member) in self.links.iter().enumerate() {
            for way in member.ways.into_iter().flatten() {
                links.entry(way).or_default().push(number);
            }
        }
        links
    }
}
