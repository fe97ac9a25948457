// SPDX-License-Identifier: MIT OR Apache-2.0
//! Recordings that a link replays: which files, and what follows where they end.

use crate::{DelayTrace, TraceEnd};
use std::path::PathBuf;
use units::{Span, Time};

/// Files that a link with a path of its own replays. Whoever lays out a run reads them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// A mahimahi trace of deliveries, in place of the rate.
    pub deliveries: Option<PathBuf>,
    /// One-way delays, on top of the path's.
    pub delays: Option<PathBuf>,
    /// Rate, delay and loss in one file: the rate in place of the link's, delay and loss on top.
    pub path: Option<PathBuf>,
    /// What follows where they end; `None`: as each of them has it.
    pub end: Option<TraceEnd>,
    /// No rate is said beside `path`, which must have one.
    pub needs_rate: bool,
}

impl Recorded {
    /// The files that it names.
    pub fn files(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        self.deliveries.iter_mut().chain(&mut self.delays).chain(&mut self.path)
    }
}

impl TraceEnd {
    /// Of a trace of deliveries, if nothing is said: mm-link(1) begins again.
    pub const OF_DELIVERIES: Self = Self::Wrap;
    /// Of a file of delays: as the deliveries beside it.
    pub const OF_DELAYS: Self = Self::Wrap;
    /// Of a path trace, if nothing is said.
    pub const OF_PATH: Self = Self::Hold;

    /// From when on a link carries nothing that replays deliveries with this period: the last of them is within it.
    pub fn stop_after_deliveries(self, period: Span) -> Option<Time> {
        (self == Self::Stop).then(|| Time::ZERO + period + Span::from_nanos(1))
    }

    /// From when on a link carries nothing whose trace lasts so long.
    pub fn stop_after(self, lasts: Span) -> Option<Time> {
        (self == Self::Stop).then(|| Time::ZERO + lasts)
    }

    /// A file of delays that ends so.
    #[must_use]
    pub fn of_delays(self, delays: DelayTrace) -> DelayTrace {
        if self == Self::Wrap { delays } else { delays.held() }
    }
}
