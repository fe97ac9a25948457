// SPDX-License-Identifier: MIT OR Apache-2.0
//! State of the flow, used by both sets of rules.

use super::interval::Interval;
use crate::window::MAX_WINDOW_SEGMENTS;
use random::{SeedableRng as _, SplitMix64};
use std::collections::VecDeque;
use units::{Span, Time};

/// Largest number of intervals that are open or unsettled. Usually, there are few. If the RTT grows to a multiple,
/// there are more. When this number is reached, the newest interval continues.
pub(super) const MAX_INTERVALS: usize = 16;
/// Lowest rate, in segments per smoothed RTT. It equals the smallest window of other controllers.
const MIN_RATE_SEGMENTS: f64 = 2.0;

/// Intervals, rate and round trip.
#[derive(Clone, Debug, saved::Saved)]
pub(super) struct Flow {
    pub(super) mss: u32,
    /// Rate in bytes/s; `None` before the first RTT sample.
    pub(super) rate: Option<f64>,
    pub(super) srtt: Span,
    pub(super) min_rtt: Span,
    /// Intervals in the order of sending. The last interval may be open.
    pub(super) intervals: VecDeque<Interval>,
    /// Whether the newest interval accepts further packets.
    pub(super) open: bool,
    /// Chooses the order of the probes of a pair.
    pub(super) random: SplitMix64,
}

impl Flow {
    pub(super) fn new() -> Self {
        Self {
            mss: 1,
            rate: None,
            srtt: Span::ZERO,
            min_rtt: Span::ZERO,
            intervals: VecDeque::with_capacity(MAX_INTERVALS),
            open: false,
            random: SplitMix64::seed_from_u64(0),
        }
    }

    /// One segment per round trip, bytes/s.
    fn least(&self) -> f64 {
        f64::from(self.mss) / self.srtt.secs_f64().max(1e-9)
    }

    /// The largest window per round trip, bytes/s.
    pub(super) fn most(&self) -> f64 {
        MAX_WINDOW_SEGMENTS * self.least()
    }

    /// Limits `rate` to the lowest and the highest possible rate.
    pub(super) fn bounded(&self, rate: f64) -> f64 {
        rate.clamp(MIN_RATE_SEGMENTS * self.least(), self.most())
    }

    /// The interval in which `tx` was sent.
    pub(super) fn interval_of(&mut self, tx: u64) -> Option<&mut Interval> {
        self.intervals.iter_mut().rev().find(|interval| interval.began_before(tx))
    }

    /// Whether the unacknowledged packets of `interval` count as lost. They do if a packet was acknowledged that was
    /// sent a round trip after the end of `interval`.
    pub(super) fn is_overdue(&self, interval: &Interval, newest_sent: Option<Time>) -> bool {
        newest_sent.is_some_and(|sent| sent >= interval.last_sent.max(interval.end) + self.srtt)
    }

    /// Rate of the open interval. If no interval is open, rate of the next interval.
    pub(super) fn sending_rate(&self) -> Option<f64> {
        self.intervals.back().filter(|_| self.open).map(|interval| interval.rate).or(self.rate)
    }
}
