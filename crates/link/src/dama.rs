// SPDX-License-Identifier: MIT OR Apache-2.0
//! Demand assignment (DAMA): a terminal requests capacity and sends in its grants.
//!
//! The carrier sends in superframes of length T. At the start of each superframe the terminal makes a request. The
//! request acts in the first superframe that begins at least a latency later. Capacity has the categories of DVB-RCS2
//! (ETSI EN 301 545-2). They are granted in this order, each up to its own limit, and all together up to the capacity
//! of the carrier:
//!
//! - CRA, *continuous rate assignment*: the same capacity in every superframe, without requests;
//! - RBDC, *rate-based dynamic capacity*: the rate of the bytes that arrived during the last superframe; the request of
//!   the next superframe replaces it;
//! - VBDC, *volume-based dynamic capacity*: the waiting bytes that were not requested yet. Requests add up until they
//!   are served;
//! - FCA, *free capacity assignment*: a share of the remaining capacity, without requests.
//!
//! The standard does not specify how a terminal computes a request. SNS3 (`satellite-request-manager.cc`), another
//! model of the standard, requests the bytes that arrived, minus the CRA, plus a share K of the other waiting bytes
//! that no pending request covers. Our model does the same, with these differences. Nothing is rounded to the steps of
//! the signalling. VBDC has K = 1. RBDC has K = 0: bytes above its limit, and bytes that a full carrier did not grant,
//! count as if they arrived during the next superframe (otherwise nothing would request them). RBDC and VBDC are
//! independent.
//!
//! A grant is one interval, and packets are fragmented to fit into it (as RLE does). If the terminal has its own
//! carrier, the grant begins at the start of the superframe. For terminals that share a carrier see `carrier`.
//!
//! A link with demand assignment holds its packets. Departures cannot be known at arrival, because later packets
//! request capacity that earlier packets may use. A ring as long as the latency stores the requests. While packets
//! wait, the link makes one event for each superframe, otherwise none. The module `granted` has the sending side.

use crate::RandomAccess;
use std::collections::VecDeque;
use units::{Rate, Span, Time};

/// What a terminal may request, and when the capacity is granted.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub struct Dama {
    /// Length of a superframe.
    pub superframe: Span,
    /// Least time from a request until its grant. The superframe of the grant begins at this time or later.
    pub latency: Span,
    /// CRA: rate that is assigned without requests.
    pub cra: Rate,
    /// RBDC: highest rate that the terminal requests; zero: no RBDC.
    pub rbdc: Rate,
    /// VBDC: highest rate of grants by volume; zero: no VBDC.
    pub vbdc: Rate,
    /// FCA: share of free capacity, 0 to 1.
    pub fca: f64,
    /// Random access while nothing is granted; `None`: no random access.
    pub random: Option<RandomAccess>,
    /// Number of the shared carrier; `None`: the terminal has its own carrier.
    pub carrier: Option<u16>,
}

impl Dama {
    /// Number of superframes between a request and its grant.
    pub const fn delay_frames(&self) -> u64 {
        self.latency.nanos().div_ceil(self.superframe.nanos())
    }

    /// Whether reception without a grant is random. On a shared carrier, terminals send only in their grants.
    pub fn draws(&self) -> bool {
        let Self { superframe: _, latency: _, cra: _, rbdc: _, vbdc: _, fca: _, random, carrier } = self;
        carrier.is_none() && random.is_some_and(RandomAccess::draws)
    }
}

/// A terminal's request at the start of a superframe, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
struct Request {
    rate: u64,
    volume: u64,
}

/// A terminal's claim in a superframe by category, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, saved::Plain)]
pub(crate) struct Claim {
    pub(crate) cra: u64,
    pub(crate) rate: u64,
    pub(crate) volume: u64,
    /// Share of the remaining capacity.
    pub(crate) fca: f64,
}

/// The part of the claim that is granted.
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
    /// Grants the claim on the terminal's own carrier, with `capacity` bytes in a superframe.
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

/// A terminal, with its state in the network (the scheduler's records).
#[derive(Clone, Debug, saved::Plain)]
pub(crate) struct Terminal {
    dama: Dama,
    /// The current superframe, counted from time zero.
    frame: u64,
    /// Pending requests, oldest first, one for each superframe between a request and its grant.
    underway: VecDeque<Request>,
    /// Number of pending requests that are not empty.
    asking: u64,
    /// Bytes that arrived and were not requested by rate yet.
    came: u64,
    /// Requested volume that was not granted yet, in bytes.
    unanswered: u64,
    /// The part of `unanswered` that the network knows.
    owed: u64,
    /// Bytes that were not requested by rate in this superframe, because the CRA carries them.
    carried: u64,
}

impl Terminal {
    /// Creates a terminal before its first superframe.
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

    /// Counts bytes that arrived at the terminal.
    pub(crate) fn comes(&mut self, bytes: u64) {
        // Only rate requests need this count.
        if self.dama.rbdc > Rate::default() {
            self.came += bytes;
        }
    }

    /// Moves on to the next superframe, with `waiting` bytes. Returns the bytes granted in it on a carrier of `rate`.
    pub(crate) fn turn(&mut self, rate: Rate, waiting: u64) -> u64 {
        self.frame += 1;
        self.grant(rate, waiting)
    }

    /// Whether nothing is requested or owed. Then superframes without a packet may be skipped.
    pub(crate) const fn is_quiet(&self) -> bool {
        self.asking == 0 && self.came == 0 && self.owed == 0
    }

    /// Skips superframes in which nothing is requested and nothing waits, up to the superframe at `now`.
    pub(crate) fn skip_to(&mut self, now: Time) {
        if self.is_quiet() {
            self.skip_before(now.nanos() / self.dama.superframe.nanos());
        }
    }

    /// Moves on to the superframe before `frame`.
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

    /// Makes a request in the next superframe. Another terminal plans that superframe.
    pub(crate) fn ask_next(&mut self, waiting: u64) {
        self.frame += 1;
        self.ask(waiting);
    }

    /// Returns the claim in a superframe. It takes the request that acts there, so it must be called once for each
    /// superframe.
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

    /// Records which part of the claim the plan of the superframe grants.
    pub(crate) fn settle(&mut self, claim: Claim, given: Given) {
        // If the carrier has become too slow for this CRA, or for all CRAs, the rest must be requested by rate.
        self.came += claim.rate - given.rate + self.carried.min(claim.cra - given.cra);
        self.owed -= given.volume;
        self.unanswered -= given.volume;
    }

    /// Makes the request of this superframe, for the bytes that the CRA does not carry.
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

    /// Bytes that a rate carries in a superframe. Over many superframes, no byte is lost by rounding.
    fn share_of(&self, rate: Rate, frame: u64) -> u64 {
        let until = |frame: u64| rate.bytes_in(self.dama.superframe * frame).get();
        until(frame + 1) - until(frame)
    }
}
