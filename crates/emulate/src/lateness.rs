// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lateness with which packets left the session.

use hdrhistogram::Histogram;
use units::Span;

/// A packet whose lateness exceeds this value counts as late.
pub const LATE: Span = Span::from_millis(1);
/// The largest value of the histogram, in nanoseconds: one hour. A longer lateness counts as one hour.
const LONGEST: u64 = 3_600_000_000_000;
/// If more than this share of the packets is late, the run is degraded.
const MOST_LATE: f64 = 0.01;

/// The lateness of all packets. The lateness of a packet is the time from its delivery by the session until the
/// interface gets it.
#[derive(Clone, Debug)]
pub struct Lateness {
    /// Lateness of each packet, in nanoseconds.
    histogram: Histogram<u64>,
    late: u64,
    /// Number of packets that were lost because an interface had no room for them.
    refused: u64,
}

/// Summary of the lateness in a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatenessSummary {
    /// Number of packets that left the session.
    pub packets: u64,
    /// Median lateness, in microseconds.
    pub p50_us: f64,
    /// 99th percentile of the lateness, in microseconds.
    pub p99_us: f64,
    /// 99.9th percentile of the lateness, in microseconds.
    pub p999_us: f64,
    /// Largest lateness, in microseconds.
    pub max_us: f64,
    /// Number of packets that were more than 1 ms late.
    pub late_packets: u64,
    /// Number of packets that were lost because an interface had no room for them.
    pub refused_packets: u64,
}

impl Default for Lateness {
    fn default() -> Self {
        let histogram = Histogram::new_with_max(LONGEST, 3);
        let histogram = histogram.unwrap_or_else(|_| unreachable!("the bounds and three digits are allowed"));
        Self { histogram, late: 0, refused: 0 }
    }
}

impl Lateness {
    /// Counts a packet.
    pub fn add(&mut self, late_by: Span) {
        self.histogram.saturating_record(late_by.nanos());
        self.late += u64::from(late_by > LATE);
    }

    /// Counts packets that were lost because an interface had no room for them.
    pub fn refuse(&mut self, packets: u64) {
        self.refused += packets;
    }

    /// Returns the summary.
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
    /// Returns the reason why the run is degraded; `None` if it is not degraded.
    pub fn degraded(&self) -> Option<String> {
        let share = self.late_packets as f64 / self.packets.max(1) as f64;
        if share > MOST_LATE {
            return Some(format!(
                "the machine was too slow: {:.1} % of the packets left the emulator more than 1 ms late, and 99 % were \
                 at most {:.0} µs late",
                100.0 * share,
                self.p99_us
            ));
        }
        (self.refused_packets > 0).then(|| {
            format!("{} packets were lost because the queue of an interface was full", self.refused_packets)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values are chosen so that the quantiles are known: 985 packets are 5 µs late, 10 are 2 ms late, and 5 are
    /// 30 s late.
    #[test]
    fn percentiles_are_those_of_the_packets() {
        let mut lateness = Lateness::default();
        for (count, span) in
            [(985, Span::from_micros(5)), (10, Span::from_millis(2)), (5, Span::from_secs(30))]
        {
            for _ in 0..count {
                lateness.add(span);
            }
        }
        let found = lateness.summary();
        for (value, expected) in
            [(found.p50_us, 5.0), (found.p99_us, 2e3), (found.p999_us, 30e6), (found.max_us, 30e6)]
        {
            assert!((value / expected - 1.0).abs() < 1e-3, "{found:?}");
        }
        assert_eq!((found.packets, found.late_packets), (1000, 15));
        assert!(found.degraded().is_some_and(|why| why.contains("1.5 % of the packets")), "{found:?}");
        lateness.refuse(3);
        for _ in 0..1000 {
            lateness.add(Span::ZERO);
        }
        // 15 of 2,000 packets are fewer than 1 %, but three packets were lost.
        assert!(lateness.summary().degraded().is_some_and(|why| why.starts_with("3 packets were lost")));
    }
}
