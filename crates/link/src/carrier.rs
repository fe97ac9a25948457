// SPDX-License-Identifier: MIT OR Apache-2.0
//! A carrier that terminals share: one scheduler hands out its superframes (the NCC of DVB-RCS2).
//!
//! A superframe is planned when it begins, from the requests that act in it. Each category is served before the next, of all
//! terminals: CRA, RBDC, VBDC, FCA (ETSI EN 301 545-2 names them in this order). Where terminals ask for more of a category
//! than is left, the standard leaves it to the operator who gets how much; see [`Sharing`]. FCA gives each terminal its share
//! of what is left; shares that sum up to more than 1 are scaled down to 1.
//!
//! What is handed out is time: slots of the carrier. A terminal whose own rate is lower, since its modulation and code carry
//! fewer bits in a symbol, needs more of it for the same bytes, and gets fewer bytes in the same time. What one asks for is
//! reckoned at the rate that it has when the superframe begins, and shares are of the time that all ask for: as much time for
//! each means that a terminal in rain pays for its rain, and the others have what they had. For its CRA it has the time that
//! this needs in clear sky, and more where more is left. The unit of time is that of a byte at the carrier's rate, so that
//! where all have that rate nothing is rounded.
//!
//! What the terminals are granted lies in the superframe one after the other, in the order of the terminals.
//!
//! A terminal without packets makes no events. Whoever comes to a superframe first plans all of those before it: terminals
//! that have not been there had nothing to send, and what they ask for follows from that. For this a request acts in a later
//! superframe than the one in which it is made.
//!
//! The planner looks up the rate of each terminal when it plans a superframe, so a terminal in rain causes no
//! event.

use crate::dama::{Claim, Dama, Given, Terminal};
use crate::granted::{Access, Slots};
use crate::{Config, Link, RateSchedule, Seeds};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use units::{Bytes, Rate, Span, Time};

/// No terminal needs more of a superframe's time, in bytes at the carrier's rate: the needs of all add up in 64 bits.
const MOST: u128 = 1 << 47;

/// Who gets how much where terminals ask for more of a category than is left of the carrier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum Sharing {
    /// As much time for each, but nobody more than it asks for (Bertsekas and Gallager 1992, section 6.5.2).
    #[default]
    MaxMin,
    /// In proportion to what each asks for.
    Proportional,
}

/// How fast a terminal sends in its slots.
#[derive(Clone, Debug)]
pub struct Pace {
    /// Over time.
    pub rate: RateSchedule,
    /// In clear sky: what its CRA has time for, whatever the weather will be.
    pub clear: Rate,
}

/// A carrier that terminals share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct Carrier {
    /// What it sends at with the highest modulation and code.
    pub rate: Rate,
    /// Length of a superframe.
    pub superframe: Span,
    /// From a request until the grant acts, at the least: above zero.
    pub latency: Span,
    /// Who gets how much of what is short.
    pub sharing: Sharing,
}

impl Carrier {
    /// Bytes of a superframe.
    pub const fn capacity(&self) -> u64 {
        self.rate.bytes_in(self.superframe).get()
    }

    /// A seat for each of these terminals, in their order, with how fast it sends in its slots where that is not always the carrier's
    /// rate.
    ///
    /// # Panics
    /// If a request acts in the superframe in which it is made, or a terminal has superframes or a latency of its own.
    pub fn seats(self, terminals: impl IntoIterator<Item = (Dama, Option<Pace>)>) -> Vec<Seat> {
        let place = |(dama, pace): (Dama, Option<Pace>)| {
            let same = (dama.superframe, dama.latency) == (self.superframe, self.latency);
            assert!(same && dama.delay_frames() > 0, "terminals of a carrier ask ahead, all alike");
            Place {
                terminal: Terminal::new(dama),
                pace,
                rate: self.rate,
                rest: 0,
                claim: Claim::default(),
                given: Given::default(),
                slots: 0,
                begins: Span::ZERO,
            }
        };
        let mut plan = Plan { carrier: self, frame: 0, places: terminals.into_iter().map(place).collect() };
        plan.hand_out();
        for place in &mut plan.places {
            place.terminal.ask(0);
            place.terminal.settle(place.claim, place.given);
        }
        let terminals = plan.places.len();
        let shared = Arc::new(Mutex::new(plan));
        let seat = |at| Seat { plan: shared.clone(), at, frame: 0, superframe: self.superframe };
        (0..terminals).map(seat).collect()
    }
}

/// A stretch of a superframe in which a terminal may send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stretch {
    /// When it begins.
    pub(crate) from: Time,
    /// What fits into it.
    pub(crate) bytes: u64,
    /// What is sent at in it.
    pub(crate) rate: Rate,
}

/// What a superframe gives a terminal.
#[derive(Clone, Debug, saved::Saved)]
struct Place {
    terminal: Terminal,
    /// Its own rate; `None`: always the carrier's.
    #[saved(fixed)]
    pace: Option<Pace>,
    /// What that is in this superframe.
    rate: Rate,
    /// What its time carried besides whole bytes, of a byte the part that this is of the carrier's rate: the next byte has it.
    rest: u128,
    claim: Claim,
    given: Given,
    /// How much of the superframe that takes, in bytes at the carrier's rate.
    slots: u64,
    /// When what it is given begins, after the superframe.
    begins: Span,
}

/// Copies of carriers, by the places in memory of those that were copied.
pub(crate) type Copies = BTreeMap<usize, Arc<Mutex<Plan>>>;

/// The superframe that goes on, of all terminals of a carrier.
#[derive(Clone, Debug, saved::Saved)]
pub(crate) struct Plan {
    carrier: Carrier,
    /// Counted from time zero.
    frame: u64,
    #[saved(each)]
    places: Vec<Place>,
}

/// A terminal's place on a carrier that it shares.
#[derive(Clone, Debug, saved::Saved)]
pub struct Seat {
    plan: Arc<Mutex<Plan>>,
    at: usize,
    /// The last superframe in which it was there.
    frame: u64,
    superframe: Span,
}

/// The time that so many bytes need at this rate, in bytes at the carrier's.
fn needs(bytes: u64, rate: Rate, whole: Rate) -> u64 {
    let (own, whole) = (u128::from(rate.bits_per_s()), u128::from(whole.bits_per_s()));
    if own == 0 { 0 } else { (u128::from(bytes) * whole).div_ceil(own).min(MOST) as u64 }
}

impl Seat {
    /// Takes a copy in place of a carrier that others share too; `copies`: those that were copied before, by their place in
    /// memory.
    pub(crate) fn separate(&mut self, copies: &mut Copies) {
        let copy = || Arc::new(Mutex::new(self.plan.lock().unwrap_or_else(PoisonError::into_inner).clone()));
        self.plan = copies.entry(Arc::as_ptr(&self.plan).addr()).or_insert_with(copy).clone();
    }
}

impl Place {
    /// The time that so many bytes need, in bytes at the carrier's rate; none where nothing can be sent.
    fn needs(&self, bytes: u64, whole: Rate) -> u64 {
        needs(bytes, self.rate, whole)
    }

    /// The time that its CRA needs in clear sky: that is its own, whoever stands in rain.
    fn assured(&self, whole: Rate) -> u64 {
        let clear = self.pace.as_ref().map_or(whole, |pace| pace.clear);
        needs(self.claim.cra, clear, whole).min(self.needs(self.claim.cra, whole))
    }

    /// How many bytes so much time carries, of `asked` at the most.
    fn carries(&mut self, slots: u64, asked: u64, whole: Rate) -> u64 {
        if slots == 0 {
            return 0;
        }
        let (own, whole) = (u128::from(self.rate.bits_per_s()), u128::from(whole.bits_per_s()));
        let carried = u128::from(slots) * own + self.rest;
        let bytes = carried / whole;
        // Time is rounded up to the byte that it was asked for: of that nothing is left over.
        self.rest = if bytes < u128::from(asked) { carried % whole } else { 0 };
        bytes.min(u128::from(asked)) as u64
    }

    /// The terminal is in the superframe that goes on, where so many bytes wait.
    fn attend(&mut self, waiting: u64) {
        self.terminal.ask_next(waiting);
        self.terminal.settle(self.claim, self.given);
    }
}

impl Plan {
    /// Goes on to a superframe.
    fn go_to(&mut self, frame: u64) {
        while self.frame < frame {
            for place in &mut self.places {
                if place.terminal.frame() < self.frame {
                    place.attend(0);
                }
            }
            if self.places.iter().all(|place| place.terminal.is_quiet()) {
                self.frame = frame - 1;
                for place in &mut self.places {
                    place.terminal.skip_before(frame);
                }
            }
            self.frame += 1;
            self.hand_out();
        }
    }

    /// Plans the superframe that goes on.
    fn hand_out(&mut self) {
        let Carrier { rate: whole, sharing, .. } = self.carrier;
        let begins = Time::ZERO + self.carrier.superframe * self.frame;
        for place in &mut self.places {
            place.claim = place.terminal.claim(self.frame);
            place.rate = place.pace.as_ref().map_or(whole, |pace| pace.rate.at(begins).min(whole));
        }
        let mut free = self.carrier.capacity();
        // Who gets the bytes that are left over by rounding changes from superframe to superframe.
        let first = (self.frame % self.places.len().max(1) as u64) as usize;
        let places = &self.places;
        let mut category = |needs: &dyn Fn(&Place) -> u64| {
            let slots = sharing.split(free, places.iter().map(needs).collect(), first);
            free -= slots.iter().sum::<u64>();
            slots
        };
        let slots = [
            category(&|place| place.assured(whole)),
            // What a fade makes of it besides.
            category(&|place| place.needs(place.claim.cra, whole) - place.assured(whole)),
            category(&|place| place.needs(place.claim.rate, whole)),
            category(&|place| place.needs(place.claim.volume, whole)),
        ];
        let shares: f64 = self.places.iter().map(|place| place.claim.fca).sum();
        let mut left = free;
        let mut begins = 0;
        for (at, place) in self.places.iter_mut().enumerate() {
            let [assured, besides, rate, volume] = [0, 1, 2, 3].map(|category| slots[category][at]);
            let cra = assured + besides;
            // Nothing is free for who cannot send.
            let fca = if place.rate > Rate::default() { place.claim.fca } else { 0.0 };
            let share = ((fca / shares.max(1.0) * free as f64) as u64).min(left);
            left -= share;
            let claim = place.claim;
            place.given = Given {
                cra: place.carries(cra, claim.cra, whole),
                rate: place.carries(rate, claim.rate, whole),
                volume: place.carries(volume, claim.volume, whole),
                free: place.carries(share, u64::MAX, whole),
            };
            place.slots = cra + rate + volume + share;
            place.begins = whole.time_for(Bytes::new(begins));
            begins += place.slots;
        }
    }

    /// What the superframe that goes on gives a terminal.
    fn stretch(&self, at: usize) -> Stretch {
        let place = &self.places[at];
        let from = Time::ZERO + self.carrier.superframe * self.frame + place.begins;
        Stretch { from, bytes: place.given.bytes(), rate: place.rate }
    }
}

impl Sharing {
    /// What each gets of so many free bytes; `first`: with whom bytes begin that are left over by rounding.
    fn split(self, free: u64, asked: Vec<u64>, first: usize) -> Vec<u64> {
        let total: u64 = asked.iter().sum();
        if total <= free {
            return asked;
        }
        let level = self.level(free, &asked);
        let part = |&asked: &u64| match self {
            Self::MaxMin => asked.min(level),
            Self::Proportional => (u128::from(asked) * u128::from(free) / u128::from(total)) as u64,
        };
        let mut given: Vec<u64> = asked.iter().map(part).collect();
        let mut left = free - given.iter().sum::<u64>();
        for at in (0..asked.len()).map(|at| (first + at) % asked.len()) {
            if left > 0 && given[at] < asked[at] {
                given[at] += 1;
                left -= 1;
            }
        }
        given
    }

    /// Of max-min: what nobody gets more than, so that all together get as much as there is, but for less than a byte each.
    fn level(self, free: u64, asked: &[u64]) -> u64 {
        if self == Self::Proportional {
            return 0;
        }
        // From the one who asks for least on: each leaves to the others what it does not need of its part.
        let mut sorted = asked.to_vec();
        sorted.sort_unstable();
        let (mut left, mut others) = (free, sorted.len() as u64);
        for asked in sorted {
            if asked > left / others {
                break;
            }
            left -= asked;
            others -= 1;
        }
        left / others.max(1)
    }
}

impl Seat {
    fn plan(&self) -> MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// When the superframe after the last one begins in which the terminal was there.
    pub(crate) fn next(&self) -> Time {
        Time::ZERO + self.superframe * (self.frame + 1)
    }

    /// What the superframe that goes on gives it.
    pub(crate) fn stretch(&self) -> Stretch {
        self.plan().stretch(self.at)
    }

    /// Bytes came.
    pub(crate) fn comes(&self, bytes: u64) {
        self.plan().places[self.at].terminal.comes(bytes);
    }

    /// Goes on to the superframe at `now`, where so many bytes wait; nothing waited in those that it skips. What it is given.
    pub(crate) fn turn(&mut self, now: Time, waiting: u64) -> Stretch {
        self.frame = now.nanos() / self.superframe.nanos();
        let mut plan = self.plan();
        plan.go_to(self.frame);
        plan.places[self.at].attend(waiting);
        plan.stretch(self.at)
    }
}

impl Link {
    /// As [`Link::new`], on a carrier that it shares.
    pub fn on_carrier(config: &Config, seeds: impl Into<Seeds>, seat: Seat) -> Self {
        let mut link = Self::build(config, Some(Self::waiting_room(config)), seeds.into());
        link.access = Access::Granted(Box::new(Slots::sharing(seat)));
        link
    }
}

#[cfg(test)]
mod tests;
