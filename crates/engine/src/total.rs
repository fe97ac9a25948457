// SPDX-License-Identifier: MIT OR Apache-2.0
//! Joint limits of several transmitters: the beams of a satellite, the carriers of a gateway.
//!
//! A transmitter is ready for its next packet when its earlier packets end within the time of one full packet. So it
//! always has one to send next, and does not get packets that others could send meanwhile. Of the ready transmitters
//! with data to send, the one that has had least for its weight goes next. This is start-time fair queueing (Goyal, Vin
//! and Cheng 1996, sections 2 and 3), which stays fair when the shared rate changes, and so in a tree. A packet
//! occupies the total for its bytes at the rate of the total, and the transmitter for its bytes at the rate of the
//! link.
//!
//! A transmitter whose own rate is below its share is not always ready. Others get what it could not use. When it is
//! ready again it goes first, ahead by at most a quantum: only its own rate then limits it (water filling).
//!
//! Round robin is not used here. A transmitter whose own rate is below its share would wait for a round after each
//! packet. It would get less than its rate (with unequal weights 60 % of it, by calculation). Therefore a transmitter
//! that its own rate limits may lag by a quantum, and counts as ready while a packet is still being sent. The tests
//! compare the shares with water filling worked by hand, and the waiting times with M/D/1.

use crate::sharing::{QUANTUM, Scheduling};
use link::{RateSchedule, Sent};
use std::collections::BTreeSet;
use units::{Bytes, Rate, Span, Time};

/// Virtual time of a byte for a transmitter of weight 1.
const BYTE: u64 = 1 << 16;

/// State of a transmitter with regard to its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
enum Stance {
    /// It has nothing to send.
    Rests,
    /// It is ready, and waits for its turn.
    Waits,
    /// It has data to send, and is ready at this time.
    Later(Time),
}

#[derive(Clone, Debug, saved::Plain)]
struct Member {
    transmitter: usize,
    scheduling: Scheduling,
    /// Virtual time at which its service so far ends.
    tag: u64,
    /// The time from which it can get another packet.
    ready: Time,
    stance: Stance,
}

/// The members of a class.
#[derive(Clone, Debug, saved::Plain)]
struct Class {
    number: u8,
    /// Virtual time: the tag of the member that went last.
    now: u64,
    /// The waiting members, by their tags.
    row: BTreeSet<(u64, usize)>,
}

/// A total.
#[derive(Clone, Debug, saved::Saved)]
pub(crate) struct Total {
    rate: Rate,
    /// The rate over time, if it changes.
    #[saved(fixed)]
    over_time: Option<RateSchedule>,
    /// The time from which another packet may go.
    pub(crate) free: Time,
    /// The link that has the event of its next turn; [`None`]: none has sent or waited.
    pub(crate) bearer: Option<u32>,
    members: Vec<Member>,
    /// The highest first.
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

    /// Sets the rate over time, from the start on.
    pub(crate) fn vary(&mut self, rate: RateSchedule) {
        self.over_time = Some(rate);
    }

    /// Adds a transmitter; returns its number here.
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

    /// Whether a transmitter could be given a packet at `now`, if it were its turn.
    pub(crate) fn is_open(&self, at: usize, now: Time) -> bool {
        self.free <= now && self.members[at].ready <= now
    }

    /// The time of the next action.
    pub(crate) fn wakes(&self) -> Option<Time> {
        if self.classes.iter().any(|class| !class.row.is_empty()) {
            return Some(self.free);
        }
        self.later.first().map(|&(at, _)| at.max(self.free))
    }

    /// The next member at `now`: its number here, and the transmitter.
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

    /// A transmitter has something to send from `wakes` on, or nothing.
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
        // Goyal, Vin and Cheng, eq. 4: a member that joins begins at the virtual time. A member that only its own rate
        // held back may lag.
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

    /// A transmitter has sent at `now`, from `begins` on; the caller must then report whether it has more.
    pub(crate) fn after(&mut self, at: usize, sent: Sent, now: Time, begins: Time) {
        let bytes = Bytes::new(sent.bytes);
        self.free = match &self.over_time {
            Some(rate) => rate.passed(now, bytes),
            None => now + self.rate.time_for(bytes),
        };
        // Removed under its old tag.
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
