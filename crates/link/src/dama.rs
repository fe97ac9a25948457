// SPDX-License-Identifier: MIT OR Apache-2.0
//! Demand assignment (DAMA): a terminal asks for capacity and sends in what it is granted.
//!
//! The carrier sends in superframes of length T. At the start of each one the terminal asks; a request acts in the first
//! superframe that begins at least a latency later. Capacity is of the categories of DVB-RCS2 (ETSI EN 301 545-2), handed
//! out in this order, each up to its own limit and all of them up to the carrier:
//!
//! - CRA, *continuous rate assignment*: so much in every superframe, without asking;
//! - RBDC, *rate-based dynamic capacity*: the rate of what came during the last superframe; the request of the next
//!   superframe replaces it;
//! - VBDC, *volume-based dynamic capacity*: the bytes that wait and were not asked for; requests add up until they are
//!   served;
//! - FCA, *free capacity assignment*: a share of what is left, without asking.
//!
//! The standard leaves it to the terminal how it reckons a request. SNS3 (`satellite-request-manager.cc`), a model of the
//! standard by others, asks for what came, plus a share K of what waits beyond that and beyond the requests under way, less
//! the CRA. So does this one, with three differences: nothing is rounded to the steps of the signalling; VBDC has K = 1; RBDC
//! has K = 0, and what its limit cuts off or a full carrier did not give counts as if it came during the next superframe
//! (nobody would else ask for it). RBDC and VBDC do not know of each other.
//!
//! What is granted lies in one stretch, at the beginning of the superframe where the carrier is the terminal's own, and packets
//! are cut to fit it (as RLE does). Terminals that share a carrier: see `carrier`.
//!
//! A link with demand assignment holds its packets: departures cannot be known at arrival, because a packet that
//! comes later asks for capacity that packets before it may use. Requests are kept in a ring as long as the
//! latency. While packets wait there is one event for each superframe, otherwise none. The sending side is
//! `granted`.

use crate::RandomAccess;
use std::collections::VecDeque;
use units::{Rate, Span, Time};

/// What a terminal may ask for, and when it gets it.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub struct Dama {
    /// Length of a superframe.
    pub superframe: Span,
    /// From a request until the grant acts, at the least: a superframe begins then, or later.
    pub latency: Span,
    /// Assigned without asking.
    pub cra: Rate,
    /// The most that it asks for by rate; zero: it does not ask.
    pub rbdc: Rate,
    /// The most that it is given by volume; zero: it does not ask.
    pub vbdc: Rate,
    /// The share of free capacity that it is given, 0 to 1.
    pub fca: f64,
    /// While nothing is granted it sends without asking.
    pub random: Option<RandomAccess>,
    /// Number of the carrier that it shares with others; `None`: it has one of its own.
    pub carrier: Option<u16>,
}

impl Dama {
    /// How many superframes lie between a request and its grant.
    pub const fn delay_frames(&self) -> u64 {
        self.latency.nanos().div_ceil(self.superframe.nanos())
    }

    /// Whether what the terminal sends without asking is received by chance. On a shared carrier it always asks.
    pub fn draws(&self) -> bool {
        let Self { superframe: _, latency: _, cra: _, rbdc: _, vbdc: _, fca: _, random, carrier } = self;
        carrier.is_none() && random.is_some_and(RandomAccess::draws)
    }
}

/// What a terminal asks for at the start of a superframe, bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
struct Request {
    rate: u64,
    volume: u64,
}

/// What a terminal may be given in a superframe, by category, bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, saved::Plain)]
pub(crate) struct Claim {
    pub(crate) cra: u64,
    pub(crate) rate: u64,
    pub(crate) volume: u64,
    /// Share of what is left.
    pub(crate) fca: f64,
}

/// What of it the terminal is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub(crate) struct Given {
    pub(crate) cra: u64,
    pub(crate) rate: u64,
    pub(crate) volume: u64,
    pub(crate) free: u64,
}

impl Given {
    pub(crate) const fn bytes(self) -> u64 {
        self.cra + self.rate + self.volume + self.free
    }
}

impl Claim {
    /// Of a carrier of its own, with so many bytes in a superframe.
    fn alone(self, capacity: u64) -> Given {
        let cra = self.cra.min(capacity);
        let mut free = capacity - cra;
        let rate = self.rate.min(free);
        free -= rate;
        let volume = self.volume.min(free);
        free -= volume;
        Given { cra, rate, volume, free: (self.fca * free as f64) as u64 }
    }
}

/// A terminal and what its network knows of it.
#[derive(Clone, Debug, saved::Plain)]
pub(crate) struct Terminal {
    dama: Dama,
    /// The superframe that goes on, counted from time zero.
    frame: u64,
    /// On their way to a grant, oldest first: as many as lie between a request and its grant.
    underway: VecDeque<Request>,
    /// How many of these ask for something.
    asking: u64,
    /// Bytes that came, and for which no rate was asked.
    came: u64,
    /// Volume that was asked for and not given.
    unanswered: u64,
    /// The part of it that the network knows of.
    owed: u64,
    /// Bytes that no rate is asked for in this superframe, since the CRA carries them.
    carried: u64,
}

impl Terminal {
    /// A terminal before its first superframe.
    pub(crate) fn new(dama: Dama) -> Self {
        let underway = std::iter::repeat_n(Request::default(), dama.delay_frames() as usize).collect();
        Self { dama, frame: 0, underway, asking: 0, came: 0, unanswered: 0, owed: 0, carried: 0 }
    }

    /// The superframe that goes on, counted from time zero.
    pub(crate) const fn frame(&self) -> u64 {
        self.frame
    }

    /// When the superframe that goes on began.
    pub(crate) fn began(&self) -> Time {
        Time::ZERO + self.dama.superframe * self.frame
    }

    /// When the next one begins.
    pub(crate) fn next(&self) -> Time {
        self.began() + self.dama.superframe
    }

    /// Bytes came.
    pub(crate) fn comes(&mut self, bytes: u64) {
        // What no rate is asked for need not be remembered.
        if self.dama.rbdc > Rate::default() {
            self.came += bytes;
        }
    }

    /// Goes on to the next superframe: the bytes that are granted in it on a carrier of `rate`, where `waiting` bytes wait.
    pub(crate) fn turn(&mut self, rate: Rate, waiting: u64) -> u64 {
        self.frame += 1;
        self.grant(rate, waiting)
    }

    /// Whether nothing of it is asked for or owed: superframes without a packet may be skipped.
    pub(crate) const fn is_quiet(&self) -> bool {
        self.asking == 0 && self.came == 0 && self.owed == 0
    }

    /// Skips superframes up to the one at `now` in which nothing is asked and nothing waits.
    pub(crate) fn skip_to(&mut self, now: Time) {
        if self.is_quiet() {
            self.skip_before(now.nanos() / self.dama.superframe.nanos());
        }
    }

    /// Goes on to the superframe before this one.
    pub(crate) fn skip_before(&mut self, frame: u64) {
        self.frame = self.frame.max(frame.saturating_sub(1));
    }

    /// What the superframe that goes on grants.
    pub(crate) fn grant(&mut self, rate: Rate, waiting: u64) -> u64 {
        self.ask(waiting);
        let claim = self.claim(self.frame);
        let given = claim.alone(rate.bytes_in(self.dama.superframe).get());
        self.settle(claim, given);
        given.bytes()
    }

    /// In the next superframe, which another plans: asks there.
    pub(crate) fn ask_next(&mut self, waiting: u64) {
        self.frame += 1;
        self.ask(waiting);
    }

    /// What it may be given in a superframe. Takes the request that acts there: to be asked once of each.
    pub(crate) fn claim(&mut self, frame: u64) -> Claim {
        let acts = self.underway.pop_front().unwrap_or_default();
        self.asking -= u64::from(acts != Request::default());
        self.owed += acts.volume;
        Claim {
            cra: self.share_of(self.dama.cra, frame),
            rate: acts.rate,
            volume: self.owed.min(self.share_of(self.dama.vbdc, frame)),
            fca: self.dama.fca,
        }
    }

    /// The terminal sees in the plan of the superframe what it is given, and what not.
    pub(crate) fn settle(&mut self, claim: Claim, given: Given) {
        // A carrier that has become too narrow for its CRA, or for that of all, leaves of it what then has to be asked for.
        self.came += claim.rate - given.rate + self.carried.min(claim.cra - given.cra);
        self.owed -= given.volume;
        self.unanswered -= given.volume;
    }

    /// Makes the request of this superframe for what the CRA does not carry.
    pub(crate) fn ask(&mut self, waiting: u64) {
        let cra = self.share_of(self.dama.cra, self.frame);
        let mut request = Request::default();
        self.carried = self.came.min(cra);
        self.came -= self.carried;
        request.rate = self.came.min(self.share_of(self.dama.rbdc, self.frame));
        self.came -= request.rate;
        if self.dama.vbdc > Rate::default() {
            request.volume = waiting.saturating_sub(cra).saturating_sub(self.unanswered);
            self.unanswered += request.volume;
        }
        self.asking += u64::from(request != Request::default());
        self.underway.push_back(request);
    }

    /// What a rate gives in a superframe; over many of them no byte is lost to rounding.
    fn share_of(&self, rate: Rate, frame: u64) -> u64 {
        let until = |frame: u64| rate.bytes_in(self.dama.superframe * frame).get();
        until(frame + 1) - until(frame)
    }
}
