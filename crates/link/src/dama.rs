// SPDX-License-Identifier: MIT OR Apache-2.0
//! Demand assignment (DAMA): a terminal requests capacity, and sends in the capacity that is granted.
//!
//! The carrier is divided into superframes of length T. At the start of each superframe, the terminal makes a request.
//! The request takes effect in the first superframe that begins at least one latency later. The categories of capacity
//! are those of DVB-RCS2 (ETSI EN 301 545-2). They are granted in the following order. Each category has its own limit,
//! and the sum of all categories is at most the capacity of the carrier.
//!
//! - CRA, *continuous rate assignment*: the same capacity in every superframe, without requests.
//! - RBDC, *rate-based dynamic capacity*: the rate of the bytes that arrived during the last superframe. The request of
//!   the next superframe replaces the request of this superframe.
//! - VBDC, *volume-based dynamic capacity*: the waiting bytes that were not requested before. Requests add up until
//!   they are served.
//! - FCA, *free capacity assignment*: a share of the remaining capacity, without requests.
//!
//! The standard does not specify how a terminal computes a request. SNS3 (`satellite-request-manager.cc`) is another
//! model of the standard. It requests the bytes that arrived, minus the CRA. In addition, it requests a share K of the
//! other waiting bytes that no pending request covers. Our model does the same, with these differences:
//!
//! - Requests are not rounded to the steps of the signalling.
//! - VBDC has K = 1.
//! - RBDC has K = 0. Bytes above the limit of RBDC, and bytes that a full carrier does not grant, are treated as if
//!   they arrived during the next superframe. Otherwise, they would never be requested.
//! - RBDC and VBDC are independent of each other.
//!
//! A grant is one interval. Packets are fragmented to fit into it (as RLE does). If the terminal has its own carrier,
//! the grant begins at the start of the superframe. The module `carrier` describes the grants on a shared carrier.
//!
//! A link with demand assignment holds its packets. The departure of a packet is not known at its arrival, because
//! earlier packets may use capacity that later packets request. A ring buffer stores the requests for the duration of
//! the latency. While packets wait, the link makes one event per superframe. The module `granted` contains the sending
//! side.

use crate::RandomAccess;
use std::collections::VecDeque;
use units::{Rate, Span, Time};

/// The settings of demand assignment. They state what a terminal may request, and when capacity is granted.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub struct Dama {
    /// Length of a superframe.
    pub superframe: Span,
    /// Minimum time from a request until its grant. The superframe of the grant begins at this time or later.
    pub latency: Span,
    /// CRA: rate that is always assigned, without requests.
    pub cra: Rate,
    /// RBDC: highest rate that the terminal may request. Zero disables RBDC.
    pub rbdc: Rate,
    /// VBDC: highest rate at which requested volume is granted. Zero disables VBDC.
    pub vbdc: Rate,
    /// FCA: share of the free capacity, from 0 to 1.
    pub fca: f64,
    /// Random access, which is used while no capacity is granted. With `None`, there is no random access.
    pub random: Option<RandomAccess>,
    /// Number of the shared carrier. With `None`, the terminal has its own carrier.
    pub carrier: Option<u16>,
}

impl Dama {
    /// Number of superframes between a request and its grant.
    pub const fn delay_frames(&self) -> u64 {
        self.latency.nanos().div_ceil(self.superframe.nanos())
    }

    /// Whether reception without a grant is random. On a shared carrier, terminals send only in their grants, so the
    /// result is false.
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

/// A terminal's claim in a superframe: the requests that take effect, by category and in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, saved::Plain)]
pub(crate) struct Claim {
    pub(crate) cra: u64,
    pub(crate) rate: u64,
    pub(crate) volume: u64,
    /// Share of the remaining capacity.
    pub(crate) fca: f64,
}

/// The granted part of a claim, by category and in bytes.
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
    /// Grants the claim on the terminal's own carrier. `capacity` is the number of bytes in a superframe.
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

/// A terminal, and the records of the scheduler about it.
#[derive(Clone, Debug, saved::Plain)]
pub(crate) struct Terminal {
    dama: Dama,
    /// Number of the current superframe. The superframe that begins at time zero has number 0.
    frame: u64,
    /// Pending requests, oldest first. There is one entry for each superframe between a request and its grant.
    underway: VecDeque<Request>,
    /// Number of pending requests that are not zero.
    asking: u64,
    /// Bytes that arrived, but are not yet requested by rate.
    came: u64,
    /// Requested volume that is not yet granted, in bytes.
    unanswered: u64,
    /// The part of `unanswered` whose request has reached the scheduler.
    owed: u64,
    /// Bytes that arrived and were not requested by rate in this superframe, because the CRA carries them.
    carried: u64,
}

impl Terminal {
    /// Creates a terminal that has not made a request yet.
    pub(crate) fn new(dama: Dama) -> Self {
        let underway = std::iter::repeat_n(Request::default(), dama.delay_frames() as usize).collect();
        Self { dama, frame: 0, underway, asking: 0, came: 0, unanswered: 0, owed: 0, carried: 0 }
    }

    /// The number of the current superframe.
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
        // This count is needed only for rate requests.
        if self.dama.rbdc > Rate::default() {
            self.came += bytes;
        }
    }

    /// Moves on to the next superframe, with `waiting` waiting bytes. Returns the number of bytes that are granted in
    /// this superframe. `rate` is the rate of the carrier.
    pub(crate) fn turn(&mut self, rate: Rate, waiting: u64) -> u64 {
        self.frame += 1;
        self.grant(rate, waiting)
    }

    /// Whether the terminal has neither pending requests nor volume owed. If so, superframes without packets can be
    /// skipped.
    pub(crate) const fn is_quiet(&self) -> bool {
        self.asking == 0 && self.came == 0 && self.owed == 0
    }

    /// If the terminal is quiet, skips all superframes before the superframe at `now`. No bytes may wait.
    pub(crate) fn skip_to(&mut self, now: Time) {
        if self.is_quiet() {
            self.skip_before(now.nanos() / self.dama.superframe.nanos());
        }
    }

    /// Moves on to the superframe directly before `frame`.
    pub(crate) fn skip_before(&mut self, frame: u64) {
        self.frame = self.frame.max(frame.saturating_sub(1));
    }

    /// Makes the request of the current superframe, and returns the number of bytes that are granted in it.
    pub(crate) fn grant(&mut self, rate: Rate, waiting: u64) -> u64 {
        self.ask(waiting);
        let claim = self.claim(self.frame);
        let given = claim.alone(rate.bytes_in(self.dama.superframe).get());
        self.settle(claim, given);
        given.bytes()
    }

    /// Makes the request of the next superframe. The plan of that superframe can come from another terminal.
    pub(crate) fn ask_next(&mut self, waiting: u64) {
        self.frame += 1;
        self.ask(waiting);
    }

    /// Returns the claim in a superframe. The method removes the request that takes effect there, so it must be called
    /// exactly once per superframe.
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

    /// Records which part of the claim is granted.
    pub(crate) fn settle(&mut self, claim: Claim, given: Given) {
        // If the carrier has become too slow for this CRA, or for the CRAs of all terminals, the missing bytes must be
        // requested by rate.
        self.came += claim.rate - given.rate + self.carried.min(claim.cra - given.cra);
        self.owed -= given.volume;
        self.unanswered -= given.volume;
    }

    /// Makes the request of this superframe. The request covers the bytes that the CRA does not carry.
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

    /// Number of bytes that a rate carries in a superframe. Rounding does not lose bytes over many superframes.
    fn share_of(&self, rate: Rate, frame: u64) -> u64 {
        let until = |frame: u64| rate.bytes_in(self.dama.superframe * frame).get();
        until(frame + 1) - until(frame)
    }
}
