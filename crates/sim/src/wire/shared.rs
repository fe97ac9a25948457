// SPDX-License-Identifier: MIT OR Apache-2.0
//! Links that share a transmitter, and transmitters that share a total: from the network to the engine.

use crate::endpoint::AnyEndpoint;
use crate::packet::SegmentBody;
use engine::{Engine, Observer, Seat};
use std::collections::BTreeMap;
use topology::{LinkPlan, Total, TotalRate, Transmitter, Turn};
use units::{Rate, Span};

/// Numbers in the engine.
#[derive(Debug, Default)]
pub(super) struct Shared {
    transmitters: BTreeMap<Transmitter, usize>,
    totals: BTreeMap<Total, usize>,
}

impl Shared {
    /// Seats a link of the engine at the transmitter that it shares.
    pub fn seat<O: Observer<SegmentBody>>(
        &mut self,
        engine: &mut Engine<AnyEndpoint, O>,
        link: u32,
        turn: &Turn,
    ) {
        let next = self.transmitters.len();
        let number = *self.transmitters.entry(turn.transmitter).or_insert(next);
        if number == next && turn.turns == topology::Turns::Time {
            engine.charge(number, engine::Turns::Time);
        }
        engine.share(number, link, Seat { weight: turn.weight, class: turn.class });
        if let Some(part) = turn.part.as_ref().filter(|_| number == next) {
            let totals = self.totals.len();
            let total = *self.totals.entry(part.total).or_insert(totals);
            let seat = Seat { weight: part.weight, class: part.class };
            engine.limit(number, total, part.rate.highest(), seat);
            if let TotalRate::Schedule(schedule) = &part.rate
                && total == totals
            {
                engine.vary_total(total, schedule.clone());
            }
        }
    }
}

/// The most that a link sends at: its rate, or the total that it has a part of; `None`: there is no bound.
pub(super) fn whole_rate(link: &LinkPlan) -> Option<Rate> {
    let part = link.turn.as_ref().and_then(|turn| turn.part.as_ref());
    let total = part.map(|part| part.rate.highest());
    link.config.spec.rate.into_iter().chain(total).min()
}

/// What is said of queues in BDPs where links share a transmitter.
pub(super) const BY_BDP: &str = "queues in bandwidth-delay products of links that share a transmitter go by its whole rate, which one \
                                 of them may have alone: of several that are full each takes longer to empty (state them in \
                                 packets for another share)";

/// Whether something of a queue is said in BDPs, on a link that shares its transmitter.
pub(super) fn goes_by_bdp(link: &LinkPlan, base: Span) -> bool {
    let queue = link.config.spec.queue;
    link.turn.is_some() && queue != queue.resolve(whole_rate(link), base)
}
