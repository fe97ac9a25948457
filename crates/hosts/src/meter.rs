// SPDX-License-Identifier: MIT OR Apache-2.0
//! Distributions of delays. The mean, the minimum and the maximum are exact. Percentiles are accurate to 0.1 %.

use crate::cells::Cells;
use record::summary::Distribution;
use std::collections::BTreeMap;
use units::Span;

/// Number of samples that are collected before they are added to the histogram. If each sample were added separately, a
/// run with many flows would have several cache misses per packet.
const BATCH: usize = 32;

/// Number of delays and their sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub struct DelaySum {
    /// Number of delays.
    pub count: u64,
    /// Sum of the delays, in nanoseconds.
    pub sum_ns: u128,
}

impl DelaySum {
    /// Returns the mean of the delays that were added after `before`, in ms, or `None` if none were added.
    pub fn mean_ms_since(self, before: Self) -> Option<f64> {
        let count = self.count.checked_sub(before.count).filter(|&count| count > 0)?;
        Some(self.sum_ns.saturating_sub(before.sum_ns) as f64 / count as f64 / 1e6)
    }
}

/// Delays of one kind. The memory is bounded for any number of samples.
#[derive(Clone, Debug, saved::Plain)]
pub struct Delays {
    /// Samples in microseconds. The first `waiting` samples are not in the histogram yet.
    batch: [u32; BATCH],
    waiting: usize,
    /// Histogram in microseconds, with three significant digits.
    histogram: Cells,
    sum_ns: u128,
    count: u64,
    /// Number and sum of the delays that were cleared at the end of the warm-up.
    forgotten: DelaySum,
    min: Span,
    max: Span,
}

impl Default for Delays {
    fn default() -> Self {
        Self {
            batch: [0; BATCH],
            waiting: 0,
            histogram: Cells::default(),
            sum_ns: 0,
            count: 0,
            forgotten: DelaySum::default(),
            min: Span::MAX,
            max: Span::ZERO,
        }
    }
}

impl Delays {
    /// Adds a sample.
    #[inline]
    pub fn add(&mut self, delay: Span) {
        self.sum_ns += u128::from(delay.nanos());
        self.count += 1;
        self.min = self.min.min(delay);
        self.max = self.max.max(delay);
        if self.waiting == BATCH {
            self.flush();
        }
        // A delay of more than 71 minutes is counted as 71 minutes.
        self.batch[self.waiting] = u32::try_from(delay.nanos() / 1000).unwrap_or(u32::MAX);
        self.waiting += 1;
    }

    #[cold]
    fn flush(&mut self) {
        for &delay_us in &self.batch[..self.waiting] {
            self.histogram.record(delay_us);
        }
        self.waiting = 0;
    }

    /// Returns the number and the sum of all samples since the start of the run. Means over intervals are computed from
    /// them.
    pub fn count_and_sum(&self) -> DelaySum {
        DelaySum { count: self.forgotten.count + self.count, sum_ns: self.forgotten.sum_ns + self.sum_ns }
    }

    /// Clears the distribution at the end of the warm-up.
    pub fn forget(&mut self) {
        *self = Self { forgotten: self.count_and_sum(), ..Self::default() };
    }

    /// Returns the values for the summary, or `None` if there are no samples.
    pub fn distribution(&self) -> Option<Distribution> {
        if self.count == 0 {
            return None;
        }
        let mut histogram = self.histogram.clone();
        for &delay_us in &self.batch[..self.waiting] {
            histogram.record(delay_us);
        }
        // The cells of the histogram are 0.1 % wide, so a percentile is limited to the measured range.
        let (min, max) = (self.min.millis_f64(), self.max.millis_f64());
        let percentile = |q: f64| (f64::from(histogram.value_at_quantile(q)) / 1e3).clamp(min, max);
        Some(Distribution {
            samples: self.count,
            mean: self.sum_ns as f64 / self.count as f64 / 1e6,
            p5: percentile(0.05),
            p50: percentile(0.5),
            p95: percentile(0.95),
            p99: percentile(0.99),
            min,
            max,
        })
    }
}

/// One-way delays of a flow's packets, in the order of arrival, and the variation of these delays.
#[derive(Clone, Debug, Default, saved::Plain)]
pub struct OneWay {
    /// Delays in nanoseconds. The first `waiting` delays are not counted yet.
    batch: [u64; BATCH],
    waiting: usize,
    delays: Delays,
    variations: Delays,
    /// Delay of the last counted packet.
    last_ns: Option<u64>,
    jitter_ns: f64,
}

impl OneWay {
    /// Adds the delay of a packet that arrived.
    #[inline]
    pub fn add(&mut self, delay: Span) {
        if self.waiting == BATCH {
            self.flush();
        }
        self.batch[self.waiting] = delay.nanos();
        self.waiting += 1;
    }

    #[cold]
    fn flush(&mut self) {
        for &delay_ns in &self.batch[..self.waiting] {
            self.delays.add(Span::from_nanos(delay_ns));
            if let Some(last_ns) = self.last_ns.replace(delay_ns) {
                // RFC 3393, section 2.4, for consecutive arrivals. The absolute value is used.
                let variation_ns = delay_ns.abs_diff(last_ns);
                self.variations.add(Span::from_nanos(variation_ns));
                // RFC 3550, section 6.4.1: J(i) = J(i-1) + (|D(i-1,i)| - J(i-1))/16.
                self.jitter_ns += (variation_ns as f64 - self.jitter_ns) / 16.0;
            }
        }
        self.waiting = 0;
    }

    /// Clears the meter at the end of the warm-up.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// Returns the values for the summary: the delays, their variation, and the jitter in ms.
    pub fn distributions(&self) -> (Option<Distribution>, Option<Distribution>, Option<f64>) {
        let mut all = self.clone();
        all.flush();
        let variation = all.variations.distribution();
        (all.delays.distribution(), variation, variation.map(|_| all.jitter_ns / 1e6))
    }
}

/// Delays with a resolution of one microsecond. The resolution of [`Delays`] is not sufficient for variations, because
/// 0.1 % of the delay over a satellite is more than its variation. There is one cell for each microsecond that
/// occurred. This is suitable for flows of at most a few hundred packets per second.
#[derive(Clone, Debug, Default, saved::Plain)]
pub struct Spread {
    cells: BTreeMap<u32, u32>,
}

impl Spread {
    /// Adds a sample.
    pub fn add(&mut self, delay: Span) {
        // A delay of more than 71 minutes is counted as 71 minutes.
        *self.cells.entry(u32::try_from(delay.nanos() / 1000).unwrap_or(u32::MAX)).or_default() += 1;
    }

    /// Clears the meter at the end of the warm-up.
    pub fn forget(&mut self) {
        self.cells.clear();
    }

    /// Returns the distribution of the differences between the samples and the smallest sample (RFC 5481, section 4.2:
    /// PDV(i) = D(i) - D(min)). `delays` is the distribution of the same samples. Percentiles are accurate to a
    /// microsecond.
    pub fn beyond_least(&self, delays: &Distribution) -> Distribution {
        let count: u64 = self.cells.values().map(|&count| u64::from(count)).sum();
        let least = self.cells.keys().next().copied().unwrap_or_default();
        let max = delays.max - delays.min;
        let percentile = |percent: u64| {
            let rank = (count * percent).div_ceil(100);
            let mut seen = 0;
            let reached = self.cells.iter().find(|&(_, &count)| {
                seen += u64::from(count);
                seen >= rank
            });
            let delay_us = reached.map_or(least, |(&delay_us, _)| delay_us);
            (f64::from(delay_us - least) / 1e3).min(max)
        };
        Distribution {
            samples: count,
            mean: delays.mean - delays.min,
            p5: percentile(5),
            p50: percentile(50),
            p95: percentile(95),
            p99: percentile(99),
            min: 0.0,
            max,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected: delays of 10, 14, 14, 8 and 9 ms have differences of 4, 0, 6 and 1 ms (mean 2.75). The jitter after
    /// each of them is 0.25, 0.234375, 0.5947265625 and 0.62005615234375 ms. Every packet counts, regardless of the
    /// number of batches.
    #[test]
    fn variation_of_a_known_sequence() {
        let mut one_way = OneWay::default();
        assert!(matches!(one_way.distributions(), (None, None, None)));
        for ms in [10, 14, 14, 8, 9] {
            one_way.add(Span::from_millis(ms));
        }
        let (Some(delay), Some(variation), Some(jitter)) = one_way.distributions() else { panic!() };
        assert_eq!((delay.samples, delay.mean, delay.min, delay.max), (5, 11.0, 8.0, 14.0));
        assert_eq!((variation.samples, variation.mean, variation.max), (4, 2.75, 6.0));
        assert!((jitter - 0.620_056_152_343_75).abs() < 1e-12, "{jitter}");
        one_way.forget();
        for packet in 0..1000 {
            one_way.add(Span::from_millis(5 + packet % 2 * 2));
        }
        let (Some(delay), Some(variation), Some(jitter)) = one_way.distributions() else { panic!() };
        assert_eq!((delay.samples, delay.mean), (1000, 6.0));
        assert_eq!((variation.samples, variation.min, variation.max), (999, 2.0, 2.0));
        assert!((jitter - 2.0).abs() < 1e-9, "{jitter}");
    }

    /// The delays are 300 ms plus 0 to 99 us. Expected: the k-th percentile of the difference is (k - 1) us.
    #[test]
    fn what_delays_have_over_the_least_does_not_depend_on_how_long_they_are() {
        let (mut one_way, mut spread) = (OneWay::default(), Spread::default());
        for us in (0..100).rev() {
            one_way.add(Span::from_micros(300_000 + us));
            spread.add(Span::from_micros(300_000 + us));
        }
        let Some(delays) = one_way.distributions().0 else { panic!() };
        let over = spread.beyond_least(&delays);
        assert_eq!((over.samples, over.min), (100, 0.0));
        assert_eq!([over.p5, over.p50, over.p95, over.p99], [0.004, 0.049, 0.094, 0.098]);
        assert!((over.mean - 0.0495).abs() < 1e-9 && (over.max - 0.099).abs() < 1e-9, "{over:?}");
    }

    #[test]
    fn percentiles_of_a_known_sequence() {
        let mut delays = Delays::default();
        assert!(delays.distribution().is_none());
        for ms in 1..=1000 {
            delays.add(Span::from_millis(ms));
        }
        let got = delays.distribution().map(|d| (d.samples, d.mean, d.min, d.max));
        assert_eq!(got, Some((1000, 500.5, 1.0, 1000.0)));
        let d = delays.distribution().map_or([0.0; 3], |d| [d.p50, d.p95, d.p99]);
        for (got, exact) in d.into_iter().zip([500.0, 950.0, 990.0]) {
            assert!((got / exact - 1.0).abs() < 1e-3, "{got} {exact}");
        }
    }
}
