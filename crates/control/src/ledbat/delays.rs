// SPDX-License-Identifier: MIT OR Apache-2.0
//! LEDBAT's queueing delay: the current delay minus the smallest delay of the last ten minutes.

use crate::{Ack, Signals};
use units::{Span, Time};

/// BASE_HISTORY: number of minutes over which the base delay is the minimum (RFC 6817, section 3.4.1).
const BASE_HISTORY: usize = 10;
/// CURRENT_FILTER: number of samples whose minimum is the current delay (RFC 6817, section 3.4.2).
const CURRENT_FILTER: usize = 4;
const MINUTE: Span = Span::from_secs(60);

/// The delay that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Delay {
    /// The one-way delay of the data by the receiver's clock (RFC 6817). Queues on the return path do not count.
    OneWay,
    /// The round trip (LEDBAT++). The receiver's clock is not used.
    RoundTrip,
}

/// Delays in nanoseconds, with an arbitrary offset.
#[derive(Clone, Debug, saved::Plain)]
pub(super) struct Delays {
    delay: Delay,
    /// Smallest delay of each minute. The current minute is at index `newest`.
    minutes: [i64; BASE_HISTORY],
    newest: usize,
    /// Number of the newest minute.
    minute: Option<u64>,
    recent: [i64; CURRENT_FILTER],
    next: usize,
}

impl Delays {
    pub(super) const fn new(delay: Delay) -> Self {
        Self {
            delay,
            minutes: [i64::MAX; BASE_HISTORY],
            newest: 0,
            minute: None,
            recent: [i64::MAX; CURRENT_FILTER],
            next: 0,
        }
    }

    pub(super) const fn requires(&self) -> Signals {
        match self.delay {
            Delay::OneWay => Signals::ONE_WAY_DELAY,
            Delay::RoundTrip => Signals::NONE,
        }
    }

    pub(super) fn observe(&mut self, ack: &Ack<'_>) {
        let sample = match self.delay {
            Delay::OneWay => ack.one_way_delay_ns,
            Delay::RoundTrip => ack.rtt.and_then(|rtt| i64::try_from(rtt.nanos()).ok()),
        };
        if let Some(sample) = sample {
            self.take(ack.now, sample);
        }
    }

    fn take(&mut self, now: Time, sample: i64) {
        self.recent[self.next] = sample;
        self.next = (self.next + 1) % CURRENT_FILTER;
        // UPDATE_BASE_DELAY: a new minute replaces the oldest minute.
        let minute = Some(now.nanos() / MINUTE.nanos());
        if self.minute != minute {
            self.minute = minute;
            self.newest = (self.newest + 1) % BASE_HISTORY;
            self.minutes[self.newest] = sample;
        }
        self.minutes[self.newest] = self.minutes[self.newest].min(sample);
    }

    /// Base delay in seconds; `None` before the first sample.
    pub(super) fn base(&self) -> Option<f64> {
        self.minute?;
        self.minutes.iter().min().map(|&base| base as f64 / 1e9)
    }

    /// Queueing delay in seconds; `None` before the first sample.
    pub(super) fn queueing(&self) -> Option<f64> {
        self.minute?;
        let (current, base) = (self.recent.iter().min()?, self.minutes.iter().min()?);
        Some(current.saturating_sub(*base).max(0) as f64 / 1e9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(secs: u64) -> Time {
        Time::ZERO + Span::from_secs(secs)
    }

    #[test]
    fn the_smallest_of_four_samples_above_the_smallest_of_ten_minutes() {
        let mut delays = Delays::new(Delay::OneWay);
        assert_eq!(delays.queueing(), None);
        // The delays have a negative offset, because only differences count.
        let ms = 1_000_000;
        delays.take(at(0), -50 * ms);
        for (sample, wanted) in [(-20, 0.0), (-30, 0.0), (-20, 0.0), (-20, 0.02), (-10, 0.02)] {
            delays.take(at(1), sample * ms);
            assert_eq!(delays.queueing(), Some(wanted));
        }
        // The delay of -50 ms in the first minute counts for ten minutes, including the first minute.
        for minute in 1..10 {
            delays.take(at(60 * minute), 0);
            assert_eq!(delays.base(), Some(-0.05), "minute {minute}");
        }
        delays.take(at(600), 0);
        assert_eq!(delays.base(), Some(0.0));
    }
}
