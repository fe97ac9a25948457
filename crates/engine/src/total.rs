// SPDX-License-Identifier: MIT OR Apache-2.0
//! Joint rate limits of several transmitters: the beams of a satellite, or the carriers of a gateway.
//!
//! A transmitter is *ready* for its next packet if its earlier packets end within the time of one full packet.
//! Therefore a transmitter always gets its next packet in time, but does not take packets early that other transmitters
//! could send meanwhile. Among the ready transmitters with data to send, the next transmitter is the one with the least
//! service in proportion to its weight. This is start-time fair queueing (Goyal, Vin and Cheng 1996, sections 2 and 3).
//! It stays fair if the shared rate changes, and therefore also in a hierarchy. A packet occupies the total for its
//! bytes divided by the rate of the total. It occupies the transmitter for its bytes divided by the rate of the link.
//!
//! If the link rate of a transmitter is below its share of the total, the transmitter is not always ready. The other
//! transmitters get the rate that this transmitter cannot use. When it is ready again, it is served first, but it may
//! lag by at most a quantum. Only its link rate then limits the transmitter (water filling).
//!
//! Round robin would not give each transmitter its share. A transmitter whose link rate is below its share would wait
//! for a full round after each packet. Therefore, it would get less than its link rate: with unequal weights, 60 % of
//! this rate (calculated). For this reason, such a transmitter may lag by a quantum, and counts as ready while its
//! packet is still being sent. The tests compare the shares with water filling computed by hand, and the waiting times
//! with M/D/1.

use crate::sharing::{QUANTUM, Scheduling};
use link::{RateSchedule, Sent};
use std::collections::BTreeSet;
use units::{Bytes, Rate, Span, Time};

/// Virtual time of one byte for a transmitter of weight 1.
const BYTE: u64 = 1 << 16;

/// State of a transmitter in the order of turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
enum Stance {
    /// The transmitter has nothing to send.
    Rests,
    /// The transmitter is ready and waits for its turn.
    Waits,
    /// The transmitter has data to send, and will be ready at this time.
    Later(Time),
}

#[derive(Clone, Debug, saved::Plain)]
struct Member {
    transmitter: usize,
    scheduling: Scheduling,
    /// Finish tag: the virtual time at which the service of the transmitter so far ends.
    tag: u64,
    /// Time from which the transmitter can get its next packet.
    ready: Time,
    stance: Stance,
}

/// The members of a class.
#[derive(Clone, Debug, saved::Plain)]
struct Class {
    number: u8,
    /// Virtual time: the tag of the member that was served last.
    now: u64,
    /// The waiting members, by their tags.
    row: BTreeSet<(u64, usize)>,
}

/// A joint rate limit.
#[derive(Clone, Debug, saved::Saved)]
pub(crate) struct Total {
    rate: Rate,
    /// Rate over time; `None` if the rate is constant.
    #[saved(fixed)]
    over_time: Option<RateSchedule>,
    /// Time from which the next packet may be sent.
    pub(crate) free: Time,
    /// The link to which the event of the next turn belongs (the bearer); [`None`] if no link has sent or waited yet.
    pub(crate) bearer: Option<u32>,
    members: Vec<Member>,
    /// Classes, the highest first.
    classes: Vec<Class>,
    /// The members that will be ready later, by time.
    later: BTreeSet<(Time, usize)>,
}

impl Total {
    pub(crate) const fn new(rate: Rate) -> Self {
        Self {
            rate,
            over_time: None,
            free: Time::ZERO,
            bearer: None,
            members: Vec::new(),
            classes: Vec::new(),
            later: BTreeSet::new(),
        }
    }

    /// Replaces the constant rate by a rate over time.
    pub(crate) fn vary(&mut self, rate: RateSchedule) {
        self.over_time = Some(rate);
    }

    /// Adds a transmitter and returns its member number.
    pub(crate) fn take(&mut self, transmitter: usize, scheduling: Scheduling) -> usize {
        let (ready, stance) = (Time::ZERO, Stance::Rests);
        self.members.push(Member { transmitter, scheduling, tag: 0, ready, stance });
        if let Err(at) = self.classes.binary_search_by(|other| scheduling.class.cmp(&other.number)) {
            self.classes.insert(at, Class { number: scheduling.class, now: 0, row: BTreeSet::new() });
        }
        self.members.len() - 1
    }

    fn class(&mut self, at: usize) -> &mut Class {
        let class = self.members[at].scheduling.class;
        let Ok(place) = self.classes.binary_search_by(|other| class.cmp(&other.number)) else {
            unreachable!("a member has its class")
        };
        &mut self.classes[place]
    }

    /// Returns whether a member could send at `now` if it had the next turn.
    pub(crate) fn is_open(&self, at: usize, now: Time) -> bool {
        self.free <= now && self.members[at].ready <= now
    }

    /// Returns the time of the next action; `None` if there is no next action.
    pub(crate) fn wakes(&self) -> Option<Time> {
        if self.classes.iter().any(|class| !class.row.is_empty()) {
            return Some(self.free);
        }
        self.later.first().map(|&(at, _)| at.max(self.free))
    }

    /// Returns the next member at `now`, as its member number and the number of its transmitter.
    pub(crate) fn next(&mut self, now: Time) -> Option<(usize, usize)> {
        while let Some(&(_, at)) = self.later.first().filter(|(ready, _)| *ready <= now) {
            self.stand(at, Stance::Waits);
        }
        if self.free > now {
            return None;
        }
        let class = self.classes.iter_mut().find(|class| !class.row.is_empty())?;
        let &(tag, at) = class.row.first()?;
        class.now = class.now.max(tag);
        Some((at, self.members[at].transmitter))
    }

    /// Updates a member that has data to send from `wakes` on. `None` means that it has no data to send.
    pub(crate) fn note(&mut self, at: usize, wakes: Option<Time>, now: Time) {
        let member = &self.members[at];
        let stance = match wakes.map(|wakes| wakes.max(member.ready)) {
            None => Stance::Rests,
            Some(ready) if ready <= now => Stance::Waits,
            Some(ready) => Stance::Later(ready),
        };
        if stance != member.stance {
            self.stand(at, stance);
        }
    }

    fn stand(&mut self, at: usize, stance: Stance) {
        let (before, tag) = (self.members[at].stance, self.members[at].tag);
        match before {
            Stance::Rests => {}
            Stance::Waits => {
                self.class(at).row.remove(&(tag, at));
            }
            Stance::Later(ready) => {
                self.later.remove(&(ready, at));
            }
        }
        let weight = u64::from(self.members[at].scheduling.weight);
        let virtual_now = self.class(at).now;
        // Goyal, Vin and Cheng, eq. 4: a member that joins starts at the virtual time. A member may lag if only its own
        // rate delayed it.
        let least = match before {
            Stance::Rests => virtual_now,
            _ => virtual_now.saturating_sub(QUANTUM.cast_unsigned() * BYTE / weight),
        };
        let tag = tag.max(least);
        (self.members[at].stance, self.members[at].tag) = (stance, tag);
        match stance {
            Stance::Rests => {}
            Stance::Waits => {
                self.class(at).row.insert((tag, at));
            }
            Stance::Later(ready) => {
                self.later.insert((ready, at));
            }
        }
    }

    /// Updates a member that sent at `now`. Its transmission begins at `begins`. The caller must then report with
    /// [`Self::note`] whether the member has more data.
    pub(crate) fn after(&mut self, at: usize, sent: Sent, now: Time, begins: Time) {
        let bytes = Bytes::new(sent.bytes);
        self.free = match &self.over_time {
            Some(rate) => rate.passed(now, bytes),
            None => now + self.rate.time_for(bytes),
        };
        // The member is removed under its old tag.
        self.stand(at, Stance::Later(Time::MAX));
        let member = &mut self.members[at];
        // Eq. 5: the finish tag.
        member.tag += sent.bytes * BYTE / u64::from(member.scheduling.weight);
        let lasts = sent.free.from.since(begins).nanos();
        let full = u128::from(lasts) * u128::from(QUANTUM.cast_unsigned()) / u128::from(sent.bytes);
        let ahead = Span::from_nanos(u64::try_from(full).unwrap_or(u64::MAX));
        let ends = sent.free.from;
        member.ready = if ends.since(Time::ZERO) > ahead { ends - ahead } else { Time::ZERO };
    }
}

#[cfg(test)]
mod tests;
