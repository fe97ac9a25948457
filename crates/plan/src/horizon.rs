// SPDX-License-Identifier: MIT OR Apache-2.0
//! How far ahead a network is computed, and for how long past parts are kept. A *page* is the part of the network over
//! time that is computed at once.
//!
//! A run of up to an hour is one page. A longer run has pages of ten minutes, which are computed ten to twenty minutes
//! ahead. Its controllers may query the past ten minutes.
//!
//! A run without an end (`Plan::open_ended`) has pages of one minute. It computes the next page half a minute before
//! the last page ends, plus the time by which changes are announced. New links are added, and known links get new
//! delays and courses. Controllers query the same paths.

use crate::Stop;
use scenario::Scenario;
use std::ops::Range;
use topology::{Almanac, Page, TopologyError};
use units::{Span, Time};

/// How far a constellation is computed at a time.
#[derive(Clone, Copy, Debug)]
pub struct Horizon {
    /// A run of at most this length is computed at once, to its end.
    pub whole: Span,
    /// Shortest length of a page.
    pub page: Span,
    /// Time before the end of a page at which the next page is computed. Packets must wait less than this on any link.
    pub ahead: Span,
    /// Time for which past parts are kept.
    pub behind: Span,
    /// End of the run; later events are ignored.
    pub end: Time,
}

impl Horizon {
    /// Returns the horizon of a run without an end. A clock drives such a run, so a page must be computed quickly.
    pub fn endless(scenario: &Scenario) -> Self {
        let [whole, page, ahead, behind] = [0, 60, 30, 1].map(Span::from_secs);
        Self { whole, page, ahead: ahead + scenario.announce, behind, end: Time::MAX }
    }

    /// Returns the horizon of a run with an end: controllers may query ten minutes of past and future.
    pub fn of_run(scenario: &Scenario) -> Self {
        let [whole, page, ahead, behind] = [3600, 600, 600, 600].map(Span::from_secs);
        let end = Time::ZERO + scenario.duration;
        Self { whole, page, ahead: ahead + scenario.announce, behind, end }
    }

    /// Returns the time up to which everything must be computed at `now`.
    pub(crate) fn laid_until(&self, now: Time) -> Time {
        (now + self.page + self.ahead).min(self.end)
    }

    /// Returns the time at which the next page must be computed; [`Time::MAX`] if no page follows.
    pub(crate) fn turn_at(&self, almanac: &Almanac) -> Time {
        let laid = almanac.laid();
        if laid >= self.end {
            return Time::MAX;
        }
        Time::from_nanos(laid.nanos().saturating_sub(self.ahead.nanos()))
    }

    /// Returns the times of a period that is computed. The last period includes the end of the run.
    pub(crate) fn seen(&self, laid: Range<Time>) -> Range<Time> {
        let nothing_follows = laid.end >= self.end;
        laid.start..if nothing_follows { self.end + Span::from_nanos(1) } else { laid.end }
    }

    /// Computes the next page at `now`, and discards everything before `since`.
    pub(crate) fn turn(
        &self,
        almanac: &mut Almanac,
        since: Time,
        now: Time,
        stop: Stop<'_>,
    ) -> Result<Page, TopologyError> {
        let (until, stop) = (self.laid_until(now), || stop(0.0));
        if until >= self.end {
            almanac.end(since, self.end, &stop)
        } else {
            almanac.extend(since, until, &stop)
        }
    }
}
