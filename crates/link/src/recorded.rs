// SPDX-License-Identifier: MIT OR Apache-2.0
//! Recordings that a link replays. A recording consists of files and of the behaviour at their end.

use crate::{DelayTrace, TraceEnd};
use std::path::PathBuf;
use units::{Span, Time};

/// Files that a link replays. The files are read before the run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// A mahimahi trace of deliveries. It replaces the rate of the link.
    pub deliveries: Option<PathBuf>,
    /// A file of one-way delays. They are added to the delay of the path.
    pub delays: Option<PathBuf>,
    /// A path trace: rate, delay and loss in one file. The rate replaces the rate of the link. Delay and loss are added
    /// to those of the link.
    pub path: Option<PathBuf>,
    /// Behaviour at the end of the files. With `None`, the default of each kind of file applies.
    pub end: Option<TraceEnd>,
    /// Whether `path` must contain a rate, because the link has no rate.
    pub needs_rate: bool,
}

impl Recorded {
    /// The paths of all files that are set.
    pub fn files(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        self.deliveries.iter_mut().chain(&mut self.delays).chain(&mut self.path)
    }
}

impl TraceEnd {
    /// Default for a trace of deliveries. It is the behaviour of mm-link(1).
    pub const OF_DELIVERIES: Self = Self::Wrap;
    /// Default for a file of delays. It equals the default for a trace of deliveries.
    pub const OF_DELAYS: Self = Self::Wrap;
    /// Default for a path trace.
    pub const OF_PATH: Self = Self::Hold;

    /// For a trace of deliveries with this period, returns the time from which on the link carries nothing. The last
    /// delivery still takes place.
    pub fn stop_after_deliveries(self, period: Span) -> Option<Time> {
        (self == Self::Stop).then(|| Time::ZERO + period + Span::from_nanos(1))
    }

    /// For a trace of this length, returns the time from which on the link carries nothing.
    pub fn stop_after(self, lasts: Span) -> Option<Time> {
        (self == Self::Stop).then(|| Time::ZERO + lasts)
    }

    /// Applies this behaviour to a file of delays.
    #[must_use]
    pub fn of_delays(self, delays: DelayTrace) -> DelayTrace {
        if self == Self::Wrap { delays } else { delays.held() }
    }
}
