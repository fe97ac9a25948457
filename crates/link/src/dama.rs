// SPDX-License-Identifier: MIT OR Apache-2.0
//! Demand assignment (DAMA): a terminal requests capacity and sends in its grants.
//!
//! The carrier sends in superframes of length T. At the start of each one the terminal makes a request, which acts in
//! the first superframe that begins at least a latency later. Capacity is of the categories of DVB-RCS2 (ETSI EN 301
//! 545-2), handed out in this order, each up to its own limit and all of them up to the carrier:
//!
//! - CRA, *continuous rate assignment*: the same in every superframe, without requests;
//! - RBDC, *rate-based dynamic capacity*: the rate of the bytes that arrived during the last superframe; the request of
//!   the next superframe replaces it;
//! - VBDC, *volume-based dynamic capacity*: the bytes that wait and were not requested; requests add up until they are
//!   served;
//! - FCA, *free capacity assignment*: a share of what is left, without requests.
//!
//! The standard does not specify how a terminal computes a request. SNS3 (`satellite-request-manager.cc`), another
//! model of the standard, requests the bytes that arrived, plus a share K of the bytes that wait beyond them and beyond
//! pending requests, minus the CRA. Our model does the same, with three differences. Nothing is rounded to the steps of
//! the signalling. VBDC has K = 1. RBDC has K = 0. Bytes that its limit cut off or that a full carrier did not
//! grant count as if they arrived during the next superframe (otherwise nothing would request them). RBDC and VBDC are
//! independent.
//!
//! A grant is one stretch, at the start of the superframe if the terminal has its own carrier, and packets are
//! fragmented to fit it (as RLE does). Terminals that share a carrier: see `carrier`.
//!
//! A link with demand assignment holds its packets: departures cannot be known at arrival, because a packet that
//! comes later asks for capacity that packets before it may use. Requests are kept in a ring as long as the
//! latency. While packets wait there is one event for each superframe, otherwise none. The sending side is
//! `granted`.

use crate::RandomAccess;
use std::collections::VecDeque;
use units::{Rate, Span, Time};

/// What a terminal may request, and when it gets it.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub struct Dama {
    /// Length of a superframe.
    pub superframe: Span,
    /// Least time from a request until its grant: the grant's superframe begins then, or later.
    pub latency: Span,
    /// Assigned without requests.
    pub cra: Rate,
    /// Highest rate that it requests; zero: no such requests.
    pub rbdc: Rate,
    /// Highest rate of volume grants; zero: no such requests.
    pub vbdc: Rate,
    /// Its share of free capacity, 0 to 1.
    pub fca: f64,
    /// Random access while nothing is granted.
    pub random: Option<RandomAccess>,
    /// Number of the carrier that it shares; `None`: it has its own.
    pub carrier: Option<u16>,
}

impl Dama {
    /// Number of superframes between a request and its grant.
    pub const fn delay_frames(&self) -> u64 {
        self.latency.nanos().div_ceil(self.superframe.nanos())
    }

    /// Whether reception of what the terminal sends without a grant is random. On a shared carrier it always requests.
    pub fn draws(&self) -> bool {
        let Self { superframe: _, latency: _, cra: _, rbdc: _, vbdc: _, fca: _, random, carrier } = self;
        carrier.is_none() && random.is_some_and(RandomAccess::draws)
    }
}

/// A terminal's request at the start of a superframe, bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
struct Request {
    rate: u64,
    volume: u64,
}

/// A terminal's claim in a superframe, by category, bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, saved::Plain)]
pub(crate) struct Claim {
    pub(crate) cra: u64,
    pub(crate) rate: u64,
    pub(crate) volume: u64,
    /// Share of what is left.
    pub(crate) fca: f64,
}

/// The terminal's grant of its claim.
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
    /// On a carrier of its own, with `capacity` bytes in a superframe.
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

/// A terminal, with its state in the network.
#[derive(Clone, Debug, saved::Plain)]
pub(crate) struct Terminal {
    dama: Dama,
    /// The current superframe, counted from time zero.
    frame: u64,
    /// Requests before their grants, oldest first: as many as superframes in between.
    underway: VecDeque<Request>,
    /// Number of these that are not empty.
    asking: u64,
    /// Bytes that arrived without a rate request yet.
    came: u64,
    /// Volume that was requested and not granted.
    unanswered: u64,
    /// The part of it that the network knows.
    owed: u64,
    /// Bytes without a rate request in this superframe, because the CRA carries them.
    carried: u64,
}

impl Terminal {
    /// A terminal before its first superframe.
    pub(crate) fn new(dama: Dama) -> Self {
        let underway = std::iter::repeat_n(Request::default(), dama.delay_frames() as usize).collect();
        Self { dama, frame: 0, underway, asking: 0, came: 0, unanswered: 0, owed: 0, carried: 0 }
    }

    /// The current superframe, counted from time zero.
    pub(crate) const fn frame(&self) -> u64 {
        self.frame
    }

    /// Start of the current superframe.
    pub(crate) fn began(&self) -> Time {
        Time::ZERO + self.dama.superframe * self.frame
    }

    /// Start of the next superframe.
    pub(crate) fn next(&self) -> Time {
        self.began() + self.dama.superframe
    }

    /// Bytes came.
    pub(crate) fn comes(&mut self, bytes: u64) {
        // Without rate requests these bytes need not be remembered.
        if self.dama.rbdc > Rate::default() {
            self.came += bytes;
        }
    }

    /// Moves on to the next superframe. Returns the bytes granted in it on a carrier of `rate`, with `waiting` bytes.
    pub(crate) fn turn(&mut self, rate: Rate, waiting: u64) -> u64 {
        self.frame += 1;
        self.grant(rate, waiting)
    }

    /// Whether nothing is requested or owed: superframes without a packet may be skipped.
    pub(crate) const fn is_quiet(&self) -> bool {
        self.asking == 0 && self.came == 0 && self.owed == 0
    }

    /// Skips superframes up to the one at `now`, in which nothing is requested and nothing waits.
    pub(crate) fn skip_to(&mut self, now: Time) {
        if self.is_quiet() {
            self.skip_before(now.nanos() / self.dama.superframe.nanos());
        }
    }

    /// Moves on to the superframe before this one.
    pub(crate) fn skip_before(&mut self, frame: u64) {
        self.frame = self.frame.max(frame.saturating_sub(1));
    }

    /// The grant of the current superframe.
    pub(crate) fn grant(&mut self, rate: Rate, waiting: u64) -> u64 {
        self.ask(waiting);
        let claim = self.claim(self.frame);
        let given = claim.alone(rate.bytes_in(self.dama.superframe).get());
        self.settle(claim, given);
        given.bytes()
    }

    /// Makes a request in the next superframe, which another terminal plans.
    pub(crate) fn ask_next(&mut self, waiting: u64) {
        self.frame += 1;
        self.ask(waiting);
    }

    /// Its claim in a superframe. Takes the request that acts there: to be asked once of each.
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

    /// Records what the plan of the superframe grants the terminal, and what not.
    pub(crate) fn settle(&mut self, claim: Claim, given: Given) {
        // If the carrier has become too slow for its CRA, or for all CRAs, the rest has to be requested.
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

    /// Bytes of a rate in a superframe; over many superframes no byte is lost to rounding.
    fn share_of(&self, rate: Rate, frame: u64) -> u64 {
        let until = |frame: u64| rate.bytes_in(self.dama.superframe * frame).get();
        until(frame + 1) - until(frame)
    }
}
