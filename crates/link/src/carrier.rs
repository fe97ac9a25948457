// SPDX-License-Identifier: MIT OR Apache-2.0
//! A carrier that terminals share: one scheduler hands out its superframes (the NCC of DVB-RCS2).
//!
//! A superframe is planned when it begins, from the requests that act in it. Each category is served before the next, of all
//! terminals: CRA, RBDC, VBDC, FCA (ETSI EN 301 545-2 names them in this order). Where terminals ask for more of a category
//! than is left, the standard leaves it to the operator who gets how much; see [`Sharing`]. FCA gives each terminal its share
//! of what is left; shares that sum up to more than 1 are scaled down to 1.
//!
//! What the terminals are granted lies in the superframe one after the other, in the order of the terminals.
//!
//! A terminal without packets makes no events. Whoever comes to a superframe first plans all of those before it: terminals
//! that have not been there had nothing to send, and what they ask for follows from that. For this a request acts in a later
//! superframe than the one in which it is made.

use crate::dama::{Claim, Dama, Given, Terminal};
use crate::fifo::Slots;
use crate::{Config, Link, Seeds};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use units::{Bytes, Rate, Span, Time};

/// Who gets how much where terminals ask for more of a category than is left of the carrier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sharing {
    /// As much for each, but nobody more than it asks for (Bertsekas and Gallager 1992, section 6.5.2).
    #[default]
    MaxMin,
    /// In proportion to what each asks for.
    Proportional,
}

/// A carrier that terminals share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carrier {
    /// What all of them together send at.
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

    /// A seat for each of these terminals, in their order.
    ///
    /// # Panics
    /// If a request acts in the superframe in which it is made, or a terminal has superframes or a latency of its own.
    pub fn seats(self, terminals: &[Dama]) -> Vec<Seat> {
        for dama in terminals {
            let same = (dama.superframe, dama.latency) == (self.superframe, self.latency);
            assert!(same && dama.delay_frames() > 0, "terminals of a carrier ask ahead, all alike");
        }
        let place = |dama: &Dama| Place {
            terminal: Terminal::new(*dama),
            claim: Claim::default(),
            given: Given::default(),
            begins: Span::ZERO,
        };
        let mut plan = Plan { carrier: self, frame: 0, places: terminals.iter().map(place).collect() };
        plan.hand_out();
        for place in &mut plan.places {
            place.terminal.ask(0);
            place.terminal.settle(place.claim, place.given);
        }
        let shared = Arc::new(Mutex::new(plan));
        let seat = |at| Seat { plan: shared.clone(), at, frame: 0, superframe: self.superframe };
        (0..terminals.len()).map(seat).collect()
    }
}

/// What a superframe gives a terminal.
#[derive(Debug)]
struct Place {
    terminal: Terminal,
    claim: Claim,
    given: Given,
    /// When what it is given begins, after the superframe.
    begins: Span,
}

/// The superframe that goes on, of all terminals of a carrier.
#[derive(Debug)]
struct Plan {
    carrier: Carrier,
    /// Counted from time zero.
    frame: u64,
    places: Vec<Place>,
}

/// A terminal's place on a carrier that it shares.
#[derive(Debug)]
pub struct Seat {
    plan: Arc<Mutex<Plan>>,
    at: usize,
    /// The last superframe in which it was there.
    frame: u64,
    superframe: Span,
}

impl Place {
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
        let mut free = self.carrier.capacity();
        for place in &mut self.places {
            place.claim = place.terminal.claim(self.frame);
            let cra = place.claim.cra.min(free);
            free -= cra;
            place.given = Given { cra, ..Given::default() };
        }
        // Who gets the bytes that are left over by rounding changes from superframe to superframe.
        let first = (self.frame % self.places.len().max(1) as u64) as usize;
        let sharing = self.carrier.sharing;
        let rates: Vec<u64> = self.places.iter().map(|place| place.claim.rate).collect();
        let volumes: Vec<u64> = self.places.iter().map(|place| place.claim.volume).collect();
        let rates = sharing.split(free, rates, first);
        free -= rates.iter().sum::<u64>();
        let volumes = sharing.split(free, volumes, first);
        free -= volumes.iter().sum::<u64>();
        let shares: f64 = self.places.iter().map(|place| place.claim.fca).sum();
        let mut left = free;
        let mut begins = 0;
        for ((place, rate), volume) in self.places.iter_mut().zip(rates).zip(volumes) {
            let share = ((place.claim.fca / shares.max(1.0) * free as f64) as u64).min(left);
            left -= share;
            place.given = Given { rate, volume, free: share, ..place.given };
            place.begins = self.carrier.rate.time_for(Bytes::new(begins));
            begins += place.given.bytes();
        }
    }

    /// What the superframe that goes on gives a terminal: from when on, and how many bytes.
    fn stretch(&self, at: usize) -> (Time, u64) {
        let place = &self.places[at];
        (Time::ZERO + self.carrier.superframe * self.frame + place.begins, place.given.bytes())
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

    /// What the superframe that goes on gives it: from when on, and how many bytes.
    pub(crate) fn stretch(&self) -> (Time, u64) {
        self.plan().stretch(self.at)
    }

    /// Bytes came.
    pub(crate) fn comes(&self, bytes: u64) {
        self.plan().places[self.at].terminal.comes(bytes);
    }

    /// Goes on to the superframe at `now`, where so many bytes wait; nothing waited in those that it skips. What it is given.
    pub(crate) fn turn(&mut self, now: Time, waiting: u64) -> (Time, u64) {
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
        let rate = seat.plan().carrier.rate;
        let mut link = Self::build(config, Some(Self::waiting_room(config)), seeds.into());
        link.fifo.slots = Some(Box::new(Slots::sharing(seat, rate)));
        link
    }
}

#[cfg(test)]
mod tests;
