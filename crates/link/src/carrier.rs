// SPDX-License-Identifier: MIT OR Apache-2.0
//! A carrier that terminals share. One scheduler assigns its superframes (the NCC of DVB-RCS2).
//!
//! A superframe is planned when it begins, from the requests that act in it. The categories are served in the order
//! CRA, RBDC, VBDC, FCA (the order of ETSI EN 301 545-2), each for all terminals before the next. If terminals request
//! more of a category than is left, the standard leaves the division to the operator; see [`Sharing`]. FCA gives each
//! terminal its share of the remaining time; shares that sum up to more than 1 are scaled down to 1.
//!
//! The scheduler assigns time (slots of the carrier). A terminal with a lower rate (its modulation and code carry fewer
//! bits per symbol) needs more time for the same bytes, and gets fewer bytes in the same time. Requests are converted
//! to time at the terminal's rate at the start of the superframe. Equal time for each terminal means that only the
//! terminal in rain loses bytes. For its CRA a terminal gets the time that the CRA needs in clear sky, and more time if
//! some is left. The unit of time is the time of a byte at the carrier's rate, so nothing is rounded if all terminals
//! have the carrier's rate.
//!
//! The grants of the terminals are one after the other in the superframe, in the order of the terminals.
//!
//! A terminal without packets makes no events. The first terminal that reaches a superframe also plans all earlier
//! superframes that are not planned yet. Terminals that did not reach them had nothing to send, so their requests are
//! known. This is possible because a request always acts in a later superframe than the one in which it is made.
//!
//! The planner looks up the rate of each terminal when it plans a superframe, so a terminal in rain causes no
//! event.

use crate::dama::{Claim, Dama, Given, Terminal};
use crate::granted::{Access, Slots};
use crate::{Config, Link, RateSchedule, Seeds};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use units::{Bytes, Rate, Span, Time};

/// Most time of a superframe for a terminal, in bytes at the carrier's rate. The sum over all terminals then fits into
/// 64 bits.
const MOST: u128 = 1 << 47;

/// How a category is divided if terminals request more time than is left in the superframe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum Sharing {
    /// Equal time for each terminal, but not more than the terminal requests (max-min fairness; Bertsekas and Gallager
    /// 1992, section 6.5.2).
    #[default]
    MaxMin,
    /// In proportion to the requests.
    Proportional,
}

/// A terminal's rate in its slots.
#[derive(Clone, Debug)]
pub struct Pace {
    /// Rate over time.
    pub rate: RateSchedule,
    /// Rate in clear sky. The CRA gets time for this rate in any weather.
    pub clear: Rate,
}

/// A carrier that terminals share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct Carrier {
    /// The rate with the highest modulation and code.
    pub rate: Rate,
    /// Length of a superframe.
    pub superframe: Span,
    /// Least time from a request until its grant; above zero.
    pub latency: Span,
    /// How a shortage is shared.
    pub sharing: Sharing,
}

impl Carrier {
    /// Bytes of a superframe.
    pub const fn capacity(&self) -> u64 {
        self.rate.bytes_in(self.superframe).get()
    }

    /// Returns the place of each terminal on the carrier, in order. Each terminal is given with its rate in its slots,
    /// or `None` if this is always the carrier's rate.
    ///
    /// # Panics
    /// If a request acts in the superframe in which it is made, or if a terminal's superframe or latency differs from
    /// the carrier's.
    pub fn terminals(
        self,
        terminals: impl IntoIterator<Item = (Dama, Option<Pace>)>,
    ) -> Vec<CarrierTerminal> {
        let place = |(dama, pace): (Dama, Option<Pace>)| {
            let same = (dama.superframe, dama.latency) == (self.superframe, self.latency);
            assert!(
                same && dama.delay_frames() > 0,
                "terminals of a shared carrier request ahead, with the carrier's \
            timing"
            );
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
        let terminal =
            |at| CarrierTerminal { plan: shared.clone(), at, frame: 0, superframe: self.superframe };
        (0..terminals).map(terminal).collect()
    }
}

/// A part of a superframe in which a terminal may send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stretch {
    /// Start of the stretch.
    pub(crate) from: Time,
    /// Bytes that fit into it.
    pub(crate) bytes: u64,
    /// Rate in the stretch.
    pub(crate) rate: Rate,
}

/// A terminal on the carrier, with its grant in the current superframe.
#[derive(Clone, Debug, saved::Saved)]
struct Place {
    terminal: Terminal,
    /// Rate of the terminal; `None`: always the carrier's.
    #[saved(fixed)]
    pace: Option<Pace>,
    /// Its rate in this superframe.
    rate: Rate,
    /// Remainder of the time beyond whole bytes, in units of a byte divided by the carrier's rate. It is added to the
    /// next byte.
    rest: u128,
    claim: Claim,
    given: Given,
    /// Length of the grant, in bytes at the carrier's rate.
    slots: u64,
    /// Start of the grant, relative to the start of the superframe.
    begins: Span,
}

/// Copies of carriers, by the address of the original.
pub(crate) type Copies = BTreeMap<usize, Arc<Mutex<Plan>>>;

/// The current superframe of all terminals of a carrier.
#[derive(Clone, Debug, saved::Saved)]
pub(crate) struct Plan {
    carrier: Carrier,
    /// Number of the superframe, counted from time zero.
    frame: u64,
    #[saved(each)]
    places: Vec<Place>,
}

/// A terminal's place on a shared carrier.
#[derive(Clone, Debug, saved::Saved)]
pub struct CarrierTerminal {
    plan: Arc<Mutex<Plan>>,
    at: usize,
    /// The last superframe that the terminal has reached.
    frame: u64,
    superframe: Span,
}

/// Time for `bytes` at `rate`, in bytes at the carrier's rate `whole`.
fn needs(bytes: u64, rate: Rate, whole: Rate) -> u64 {
    let (own, whole) = (u128::from(rate.bits_per_s()), u128::from(whole.bits_per_s()));
    if own == 0 { 0 } else { (u128::from(bytes) * whole).div_ceil(own).min(MOST) as u64 }
}

impl CarrierTerminal {
    /// Replaces the shared carrier by a copy. `copies` holds earlier copies, by address of the original.
    pub(crate) fn separate(&mut self, copies: &mut Copies) {
        let copy = || Arc::new(Mutex::new(self.plan.lock().unwrap_or_else(PoisonError::into_inner).clone()));
        self.plan = copies.entry(Arc::as_ptr(&self.plan).addr()).or_insert_with(copy).clone();
    }
}

impl Place {
    /// Time for `bytes`, in bytes at the carrier's rate; zero if nothing can be sent.
    fn needs(&self, bytes: u64, whole: Rate) -> u64 {
        needs(bytes, self.rate, whole)
    }

    /// Time for the terminal's CRA in clear sky. The weather of other terminals does not change it.
    fn assured(&self, whole: Rate) -> u64 {
        let clear = self.pace.as_ref().map_or(whole, |pace| pace.clear);
        needs(self.claim.cra, clear, whole).min(self.needs(self.claim.cra, whole))
    }

    /// Bytes that the terminal can send in `slots`, at most `asked`.
    fn carries(&mut self, slots: u64, asked: u64, whole: Rate) -> u64 {
        if slots == 0 {
            return 0;
        }
        let (own, whole) = (u128::from(self.rate.bits_per_s()), u128::from(whole.bits_per_s()));
        let carried = u128::from(slots) * own + self.rest;
        let bytes = carried / whole;
        // If the terminal gets all bytes that it asked for, there is no remainder, because the requested time was
        // rounded up.
        self.rest = if bytes < u128::from(asked) { carried % whole } else { 0 };
        bytes.min(u128::from(asked)) as u64
    }

    /// The terminal reaches the current superframe with `waiting` bytes.
    fn arrive(&mut self, waiting: u64) {
        self.terminal.ask_next(waiting);
        self.terminal.settle(self.claim, self.given);
    }
}

impl Plan {
    /// Moves on to a superframe.
    fn go_to(&mut self, frame: u64) {
        while self.frame < frame {
            for place in &mut self.places {
                if place.terminal.frame() < self.frame {
                    place.arrive(0);
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

    /// Plans the current superframe.
    fn hand_out(&mut self) {
        let Carrier { rate: whole, sharing, .. } = self.carrier;
        let begins = Time::ZERO + self.carrier.superframe * self.frame;
        for place in &mut self.places {
            place.claim = place.terminal.claim(self.frame);
            place.rate = place.pace.as_ref().map_or(whole, |pace| pace.rate.at(begins).min(whole));
        }
        let mut free = self.carrier.capacity();
        // The terminals that get the bytes left over by rounding change from superframe to superframe.
        let first = (self.frame % self.places.len().max(1) as u64) as usize;
        let places = &self.places;
        let mut category = |needs: &dyn Fn(&Place) -> u64| {
            let slots = sharing.split(free, places.iter().map(needs).collect(), first);
            free -= slots.iter().sum::<u64>();
            slots
        };
        let slots = [
            category(&|place| place.assured(whole)),
            // The additional time for CRA during a fade.
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
            // A terminal that cannot send gets no free capacity.
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

    /// The terminal's grant in the current superframe.
    fn stretch(&self, at: usize) -> Stretch {
        let place = &self.places[at];
        let from = Time::ZERO + self.carrier.superframe * self.frame + place.begins;
        Stretch { from, bytes: place.given.bytes(), rate: place.rate }
    }
}

impl Sharing {
    /// Divides `free` bytes; `first`: the terminal that gets the first byte left over by rounding.
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

    /// For max-min fairness: the largest share with which not more than `free` is assigned. Less than a byte per
    /// terminal is left over.
    fn level(self, free: u64, asked: &[u64]) -> u64 {
        if self == Self::Proportional {
            return 0;
        }
        // From the smallest request on, each request leaves the unused part of its share to the remaining requests.
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

impl CarrierTerminal {
    fn plan(&self) -> MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Start of the superframe after the last one that the terminal reached.
    pub(crate) fn next(&self) -> Time {
        Time::ZERO + self.superframe * (self.frame + 1)
    }

    /// The terminal's grant in the current superframe.
    pub(crate) fn stretch(&self) -> Stretch {
        self.plan().stretch(self.at)
    }

    /// Counts bytes that arrived at the terminal.
    pub(crate) fn comes(&self, bytes: u64) {
        self.plan().places[self.at].terminal.comes(bytes);
    }

    /// Moves on to the superframe at `now`, with `waiting` bytes. In the skipped superframes, nothing waited. Returns
    /// the grant.
    pub(crate) fn turn(&mut self, now: Time, waiting: u64) -> Stretch {
        self.frame = now.nanos() / self.superframe.nanos();
        let mut plan = self.plan();
        plan.go_to(self.frame);
        plan.places[self.at].arrive(waiting);
        plan.stretch(self.at)
    }
}

impl Link {
    /// As [`Link::new`], on a shared carrier.
    pub fn on_carrier(config: &Config, seeds: impl Into<Seeds>, terminal: CarrierTerminal) -> Self {
        let mut link = Self::build(config, Some(Self::departure_queue(config)), seeds.into());
        link.access = Access::Granted(Box::new(Slots::sharing(terminal)));
        link
    }
}

#[cfg(test)]
mod tests;
