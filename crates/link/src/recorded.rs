// SPDX-License-Identifier: MIT OR Apache-2.0
//! Recordings that a link replays: which files, and what follows where they end.

use crate::{DelayTrace, TraceEnd};
use std::path::PathBuf;
use units::{Span, Time};

/// Files that a link with a path of its own replays. They are read when a run is laid out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// A mahimahi trace of deliveries, instead of the rate.
    pub deliveries: Option<PathBuf>,
    /// One-way delays, added to the path's.
    pub delays: Option<PathBuf>,
    /// Rate, delay and loss in one file: the rate replaces the link's, delay and loss are added.
    pub path: Option<PathBuf>,
    /// What follows at their end; `None`: the default of each.
    pub end: Option<TraceEnd>,
    /// Whether `path` must have a rate, because the link has none.
    pub needs_rate: bool,
}

impl Recorded {
    /// The files that it names.
    pub fn files(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        self.deliveries.iter_mut().chain(&mut self.delays).chain(&mut self.path)
    }
}

impl TraceEnd {
    /// Default for a trace of deliveries: mm-link(1) begins again.
    pub const OF_DELIVERIES: Self = Self::Wrap;
    /// Default for a file of delays: as for deliveries.
    pub const OF_DELAYS: Self = Self::Wrap;
    /// Default for a path trace.
    pub const OF_PATH: Self = Self::Hold;

    /// Time from which a link carries nothing that replays deliveries with this period: the last of them is within it.
    pub fn stop_after_deliveries(self, period: Span) -> Option<Time> {
        (self == Self::Stop).then(|| Time::ZERO + period + Span::from_nanos(1))
    }

    /// Time from which a link carries nothing whose trace has this length.
    pub fn stop_after(self, lasts: Span) -> Option<Time> {
        (self == Self::Stop).then(|| Time::ZERO + lasts)
    }

    /// A file of delays with this end.
    #[must_use]
    pub fn of_delays(self, delays: DelayTrace) -> DelayTrace {
        if self == Self::Wrap { delays } else { delays.held() }
    }
}
