// SPDX-License-Identifier: MIT OR Apache-2.0
//! How late packets left the session.

use hdrhistogram::Histogram;
use units::Span;

/// A packet later than this counts as late.
pub const LATE: Span = Span::from_millis(1);
/// The largest lateness of the histogram, in nanoseconds: a minute. Larger values count as this one.
const LARGEST_NS: u64 = 60_000_000_000;
/// A run in which more than this share of the packets is late is degraded.
const MOST_LATE: f64 = 0.01;

/// The lateness of all packets: the time from the delivery by the session to the interface.
#[derive(Clone, Debug)]
pub struct Lateness {
    /// In nanoseconds.
    histogram: Histogram<u64>,
    late: u64,
    /// Packets that an interface had no room for.
    refused: u64,
}

/// The lateness of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatenessSummary {
    /// Packets that left the session.
    pub packets: u64,
    /// Percentiles in microseconds: 50, 99, 99.9 and the largest.
    pub p50_us: f64,
    /// 99th percentile.
    pub p99_us: f64,
    /// 99.9th percentile.
    pub p999_us: f64,
    /// The largest.
    pub max_us: f64,
    /// Packets that were more than 1 ms late.
    pub late_packets: u64,
    /// Packets that an interface had no room for.
    pub refused_packets: u64,
}

impl Default for Lateness {
    fn default() -> Self {
        let histogram = Histogram::new_with_bounds(1, LARGEST_NS, 3)
            .unwrap_or_else(|_| unreachable!("the bounds and three digits are allowed"));
        Self { histogram, late: 0, refused: 0 }
    }
}

impl Lateness {
    /// Counts a packet.
    pub fn add(&mut self, late_by: Span) {
        self.histogram.saturating_record(late_by.nanos());
        self.late += u64::from(late_by > LATE);
    }

    /// Counts a packet that an interface had no room for.
    pub fn refuse(&mut self) {
        self.refused += 1;
    }

    /// The numbers.
    pub fn summary(&self) -> LatenessSummary {
        let us = |quantile: f64| self.histogram.value_at_quantile(quantile) as f64 / 1e3;
        LatenessSummary {
            packets: self.histogram.len(),
            p50_us: us(0.5),
            p99_us: us(0.99),
            p999_us: us(0.999),
            max_us: self.histogram.max() as f64 / 1e3,
            late_packets: self.late,
            refused_packets: self.refused,
        }
    }
}

impl LatenessSummary {
    /// Why the run could not keep up; `None` if it could.
    pub fn degraded(&self) -> Option<String> {
        let share = self.late_packets as f64 / self.packets.max(1) as f64;
        if share > MOST_LATE {
            return Some(format!(
                "{:.1} % of the packets left the emulator more than 1 ms late (99 % within {:.0} µs): the machine \
                could not keep up",
                100.0 * share,
                self.p99_us
            ));
        }
        (self.refused_packets > 0).then(|| {
            format!("{} packets were lost because an interface had no room for them", self.refused_packets)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ninety packets that are 3 µs late, nine of 50 µs and one of 2 ms: percentiles by hand, to three digits.
    #[test]
    fn percentiles_cover_microseconds_and_milliseconds() {
        let mut lateness = Lateness::default();
        for (packets, micros) in [(90, 3), (9, 50), (1, 2000)] {
            for _ in 0..packets {
                lateness.add(Span::from_micros(micros));
            }
        }
        let summary = lateness.summary();
        let near = |value: f64, expected: f64| (value - expected).abs() <= 0.001 * expected;
        assert!(near(summary.p50_us, 3.0), "{summary:?}");
        assert!(near(summary.p99_us, 50.0), "{summary:?}");
        assert!(near(summary.max_us, 2000.0), "{summary:?}");
        assert_eq!((summary.packets, summary.late_packets), (100, 1));
    }
}
