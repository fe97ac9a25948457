// SPDX-License-Identifier: MIT OR Apache-2.0
//! A carrier that several terminals share. One scheduler (the NCC of DVB-RCS2) assigns its superframes.
//!
//! A superframe is planned when it begins. The plan uses the requests that take effect in this superframe. The
//! categories of capacity are served in the order CRA, RBDC, VBDC, FCA, as in ETSI EN 301 545-2. Each category is
//! served for all terminals before the next category. If the requests of a category exceed the capacity that is left,
//! the standard lets the operator decide how the capacity is divided (see [`Sharing`]). FCA gives each terminal its
//! share of the remaining time. If the sum of these shares exceeds 1, all shares are scaled down so that the sum is 1.
//!
//! The scheduler assigns time (slots of the carrier). If the modulation and code of a terminal carry fewer bits per
//! symbol, the terminal has a lower rate. It then needs more time for the same bytes, and sends fewer bytes in the same
//! time. Requests are converted to time with the terminal's rate at the start of the superframe. If each terminal gets
//! the same time, only the terminals in rain lose bytes. For its CRA, a terminal gets the time that the CRA needs in
//! clear sky. If the CRA needs more time, the terminal gets this additional time only if time is left. Time is counted
//! in units of the time of one byte at the carrier's rate. If all terminals have the carrier's rate, nothing is
//! rounded.
//!
//! Within a superframe, the grants of the terminals follow each other in the order of the terminals.
//!
//! A terminal without packets causes no events. The first terminal that reaches a superframe also plans all earlier
//! superframes that have no plan yet. The terminals that did not reach these superframes had no packets to send, so
//! their requests are known. Planning late is possible because a request always takes effect in a later superframe than
//! the one in which it is made.
//!
//! The scheduler looks up the rate of each terminal when it plans a superframe. A change of the rate in rain therefore
//! causes no event.

use crate::dama::{Claim, Dama, Given, Terminal};
use crate::granted::{Access, Slots};
use crate::{Config, Link, RateSchedule, Seeds};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use units::{Bytes, Rate, Span, Time};

/// Largest part of a superframe that one terminal may request, in bytes at the carrier's rate. With this bound, the sum
/// over all terminals fits into 64 bits.
const MOST: u128 = 1 << 47;

/// How a category is divided if the terminals request more time than is left in the superframe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum Sharing {
    /// Each terminal gets the same time, but not more than it requests (max-min fairness; Bertsekas and Gallager 1992,
    /// section 6.5.2).
    #[default]
    MaxMin,
    /// Each terminal gets time in proportion to its request.
    Proportional,
}

/// The rate of a terminal in its slots.
#[derive(Clone, Debug)]
pub struct Pace {
    /// Rate over time.
    pub rate: RateSchedule,
    /// Rate in clear sky. It determines the time that the terminal always gets for its CRA.
    pub clear: Rate,
}

/// The settings of a shared carrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct Carrier {
    /// The rate of the carrier, with the highest modulation and code.
    pub rate: Rate,
    /// Length of a superframe.
    pub superframe: Span,
    /// Minimum time from a request until its grant. It is above zero.
    pub latency: Span,
    /// How capacity is divided if there is not enough for all requests.
    pub sharing: Sharing,
}

impl Carrier {
    /// Number of bytes that fit into a superframe at the carrier's rate.
    pub const fn capacity(&self) -> u64 {
        self.rate.bytes_in(self.superframe).get()
    }

    /// Puts the given terminals on the carrier, and returns the place of each terminal, in the same order. Each
    /// terminal is given with its rate over time, or with `None` if its rate is always the carrier's rate.
    ///
    /// # Panics
    /// If a request would take effect in the superframe in which it is made, or if the superframe or the latency of a
    /// terminal differs from that of the carrier.
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

/// An interval of a superframe in which a terminal may send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stretch {
    /// Start of the interval.
    pub(crate) from: Time,
    /// Number of bytes that fit into the interval.
    pub(crate) bytes: u64,
    /// Rate of the terminal in the interval.
    pub(crate) rate: Rate,
}

/// A terminal on the carrier, with its grant in the current superframe.
#[derive(Clone, Debug, saved::Saved)]
struct Place {
    terminal: Terminal,
    /// Rate of the terminal over time, or `None` if it is always the carrier's rate.
    #[saved(fixed)]
    pace: Option<Pace>,
    /// Rate of the terminal in the current superframe.
    rate: Rate,
    /// The rest of the last grant, which was too short for a whole byte. The next byte uses it. The unit is the time of
    /// one byte, divided by the carrier's rate.
    rest: u128,
    claim: Claim,
    given: Given,
    /// Length of the grant, in bytes at the carrier's rate.
    slots: u64,
    /// Start of the grant, relative to the start of the superframe.
    begins: Span,
}

/// Copies of carriers. The key is the address of the original.
pub(crate) type Copies = BTreeMap<usize, Arc<Mutex<Plan>>>;

/// The current superframe of all terminals of a carrier.
#[derive(Clone, Debug, saved::Saved)]
pub(crate) struct Plan {
    carrier: Carrier,
    /// Number of the current superframe. The superframe that begins at time zero has number 0.
    frame: u64,
    #[saved(each)]
    places: Vec<Place>,
}

/// A terminal's place on a shared carrier.
#[derive(Clone, Debug, saved::Saved)]
pub struct CarrierTerminal {
    plan: Arc<Mutex<Plan>>,
    at: usize,
    /// Number of the last superframe that the terminal has reached.
    frame: u64,
    superframe: Span,
}

/// Time that `bytes` take at `rate`. The unit is the time of one byte at the carrier's rate `whole`.
fn needs(bytes: u64, rate: Rate, whole: Rate) -> u64 {
    let (own, whole) = (u128::from(rate.bits_per_s()), u128::from(whole.bits_per_s()));
    if own == 0 { 0 } else { (u128::from(bytes) * whole).div_ceil(own).min(MOST) as u64 }
}

impl CarrierTerminal {
    /// Replaces the shared carrier by a copy. `copies` contains the copies that already exist, by the address of the
    /// original.
    pub(crate) fn separate(&mut self, copies: &mut Copies) {
        let copy = || Arc::new(Mutex::new(self.plan.lock().unwrap_or_else(PoisonError::into_inner).clone()));
        self.plan = copies.entry(Arc::as_ptr(&self.plan).addr()).or_insert_with(copy).clone();
    }
}

impl Place {
    /// Time that `bytes` take at the terminal's rate, in bytes at the carrier's rate. The result is zero if the rate is
    /// zero.
    fn needs(&self, bytes: u64, whole: Rate) -> u64 {
        needs(bytes, self.rate, whole)
    }

    /// Time for the terminal's CRA in clear sky. This time does not depend on the weather at other terminals.
    fn assured(&self, whole: Rate) -> u64 {
        let clear = self.pace.as_ref().map_or(whole, |pace| pace.clear);
        needs(self.claim.cra, clear, whole).min(self.needs(self.claim.cra, whole))
    }

    /// Number of bytes that the terminal can send in `slots`. The result is at most `asked`.
    fn carries(&mut self, slots: u64, asked: u64, whole: Rate) -> u64 {
        if slots == 0 {
            return 0;
        }
        let (own, whole) = (u128::from(self.rate.bits_per_s()), u128::from(whole.bits_per_s()));
        let carried = u128::from(slots) * own + self.rest;
        let bytes = carried / whole;
        // If the terminal can send all bytes that it asked for, no remainder is kept. In this case, the remainder comes
        // only from rounding up the requested time.
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
    /// Plans all superframes up to `frame`.
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
        // Rounding leaves some bytes over. The first terminal that gets one of these bytes changes from superframe to
        // superframe.
        let first = (self.frame % self.places.len().max(1) as u64) as usize;
        let places = &self.places;
        let mut category = |needs: &dyn Fn(&Place) -> u64| {
            let slots = sharing.split(free, places.iter().map(needs).collect(), first);
            free -= slots.iter().sum::<u64>();
            slots
        };
        let slots = [
            category(&|place| place.assured(whole)),
            // The additional time for the CRA of terminals whose rate is reduced by a fade.
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
            // A terminal whose rate is zero gets no free capacity.
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

    /// The grant of terminal `at` in the current superframe.
    fn stretch(&self, at: usize) -> Stretch {
        let place = &self.places[at];
        let from = Time::ZERO + self.carrier.superframe * self.frame + place.begins;
        Stretch { from, bytes: place.given.bytes(), rate: place.rate }
    }
}

impl Sharing {
    /// Divides `free` bytes among the requests `asked`. The bytes left over by rounding are assigned one by one,
    /// beginning with the terminal `first`.
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

    /// For max-min fairness, returns the largest share for which the sum of all grants is at most `free`. Less than one
    /// byte per terminal is then left over. For proportional sharing, returns 0.
    fn level(self, free: u64, asked: &[u64]) -> u64 {
        if self == Self::Proportional {
            return 0;
        }
        // The requests are processed from the smallest to the largest. If a request is smaller than an equal share, the
        // rest of the share is left to the remaining requests.
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

    /// Start of the superframe after the last superframe that the terminal has reached.
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

    /// Moves the terminal on to the superframe at `now`. `waiting` is the number of waiting bytes. No bytes waited in
    /// the superframes that are skipped. Returns the grant.
    pub(crate) fn turn(&mut self, now: Time, waiting: u64) -> Stretch {
        self.frame = now.nanos() / self.superframe.nanos();
        let mut plan = self.plan();
        plan.go_to(self.frame);
        plan.places[self.at].arrive(waiting);
        plan.stretch(self.at)
    }
}

impl Link {
    /// Like [`Link::new`], for a link on a shared carrier.
    pub fn on_carrier(config: &Config, seeds: impl Into<Seeds>, terminal: CarrierTerminal) -> Self {
        let mut link = Self::build(config, Some(Self::departure_queue(config)), seeds.into());
        link.access = Access::Granted(Box::new(Slots::sharing(terminal)));
        link
    }
}

#[cfg(test)]
mod tests;
