// SPDX-License-Identifier: MIT OR Apache-2.0
//! Recordings that a link replays: the files, and what happens at their end.

use crate::{DelayTrace, TraceEnd};
use std::path::PathBuf;
use units::{Span, Time};

/// Files that a link replays. They are read before a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// A mahimahi trace of deliveries, which replaces the rate.
    pub deliveries: Option<PathBuf>,
    /// One-way delays, which are added to the delay of the path.
    pub delays: Option<PathBuf>,
    /// Rate, delay and loss in one file. The rate replaces the link's rate; delay and loss are added.
    pub path: Option<PathBuf>,
    /// What happens at the end of the files; `None`: the default of each kind of file.
    pub end: Option<TraceEnd>,
    /// Whether `path` must contain a rate, because the link has no rate.
    pub needs_rate: bool,
}

impl Recorded {
    /// The named files.
    pub fn files(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        self.deliveries.iter_mut().chain(&mut self.delays).chain(&mut self.path)
    }
}

impl TraceEnd {
    /// Default for a trace of deliveries. mm-link(1) also begins again.
    pub const OF_DELIVERIES: Self = Self::Wrap;
    /// Default for a file of delays, as for deliveries.
    pub const OF_DELAYS: Self = Self::Wrap;
    /// Default for a path trace.
    pub const OF_PATH: Self = Self::Hold;

    /// For a trace of deliveries with this period: the time from which the link carries nothing. The last delivery
    /// still takes place.
    pub fn stop_after_deliveries(self, period: Span) -> Option<Time> {
        (self == Self::Stop).then(|| Time::ZERO + period + Span::from_nanos(1))
    }

    /// For a trace of this length: the time from which the link carries nothing.
    pub fn stop_after(self, lasts: Span) -> Option<Time> {
        (self == Self::Stop).then(|| Time::ZERO + lasts)
    }

    /// Applies this end to a file of delays.
    #[must_use]
    pub fn of_delays(self, delays: DelayTrace) -> DelayTrace {
        if self == Self::Wrap { delays } else { delays.held() }
    }
}
