// SPDX-License-Identifier: MIT OR Apache-2.0
//! Decides which RTT gradients are noise (`PccUtilityManager`) and which RTT samples are used
//! (`PccMonitorIntervalQueue`), as PCC-Uspace does.

use super::line::Line;
use units::{Span, Time};

/// Number of intervals whose mean RTTs form a trend (`kRttHistoryLen`).
const HISTORY: usize = 6;
/// Weight of the newest value in the moving averages (`kAlpha`).
const ALPHA: f64 = 0.1;
/// If a trend is below the smallest trend by more than this factor, the averages restart (`kBeta`).
const ABNORMAL: f64 = 100.0;
/// If a trend differs from the mean by more than this number of deviations, it is not noise (both
/// `kInflationToleranceGain…`).
const DEVIATIONS: f64 = 2.0;
/// If the smallest trend is below this value, it counts as unknown, microseconds.
const NO_TREND: f64 = 1e-6;
/// If the ratio of two gaps between ACKs exceeds the usual ratio by more than this factor, the ACKs are a burst.
const BURST: f64 = 50.0;

/// The trend of mean RTTs from interval to interval, microseconds.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(super) struct Tolerance {
    means: [f64; HISTORY],
    count: usize,
    average: f64,
    deviation: f64,
    least: f64,
    last: f64,
}

impl Tolerance {
    /// Returns the gradient to use for an interval with the samples `line`, whose computed gradient is `gradient`. The
    /// result is 0 if the gradient is noise or the RTT falls.
    pub(super) fn counting(&mut self, line: &Line, gradient: f64) -> f64 {
        // `DetermineToleranceGeneral`. The program computes the residual from the line of `gradient` (us per us) over
        // packet numbers, which is an error of units. The residual is therefore only a little larger than the spread of
        // the RTTs.
        let mut counts = gradient.abs() > line.residual(1e-6 * gradient) / line.mean().max(1e-9);
        if line.samples() >= 2.0 {
            self.means[self.count % HISTORY] = 1e6 * line.mean();
            self.count += 1;
            counts |= self.count >= HISTORY && self.is_rising();
        }
        if counts { gradient.max(0.0) } else { 0.0 }
    }

    /// `DetermineToleranceInflation`: whether the trend rises more than usual.
    fn is_rising(&mut self) -> bool {
        let mut line = Line::default();
        for i in 0..HISTORY {
            line.add(i as f64, self.means[(self.count + i) % HISTORY]);
        }
        let trend = line.slope();
        if self.least < NO_TREND || trend.abs() < self.least / ABNORMAL {
            (self.average, self.deviation, self.least, self.last) = (0.0, trend.abs(), trend.abs(), trend);
            return false;
        }
        self.least = self.least.min(trend.abs());
        if (trend - self.average).abs() > DEVIATIONS * self.deviation {
            return trend > 0.0;
        }
        self.deviation += ALPHA * ((trend - self.last).abs() - self.deviation);
        self.average += ALPHA * (trend - self.average);
        self.last = trend;
        false
    }
}

/// An RTT sample. The next sample decides whether this sample is used.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub(super) struct Sample {
    pub(super) tx: u64,
    pub(super) rtt: Span,
    pub(super) srtt: Span,
    /// Time since the previous ACK, in whole microseconds as in the program.
    gap: f64,
}

/// Excludes the RTTs of ACKs that arrive in a burst after a pause.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(super) struct Bursts {
    newest: Option<Time>,
    pending: Option<Sample>,
    /// Usual ratio of two successive gaps; `None` before the second gap.
    ratio: Option<f64>,
    burst: bool,
}

impl Bursts {
    /// Processes an ACK of the packet `tx` after `rtt`. `srtt` is the smoothed RTT after this sample. Returns this
    /// sample and the previous sample.
    pub(super) fn take(&mut self, now: Time, tx: u64, rtt: Span, srtt: Span) -> (Sample, Option<Sample>) {
        let gap = self.newest.map_or(0, |newest| now.since(newest).nanos() / 1000) as f64;
        self.newest = Some(now);
        let sample = Sample { tx, rtt, srtt, gap };
        (sample, self.pending.replace(sample))
    }

    /// Whether `sample` is used. It belongs to an interval whose result is required. `next` is the sample after
    /// `sample`.
    pub(super) fn counts(&mut self, sample: &Sample, next: &Sample) -> bool {
        if sample.gap == 0.0 {
            return false;
        }
        // Two ACKs may arrive within the same microsecond. The program divides by zero in this case.
        let ratio = sample.gap / next.gap.max(1.0);
        let ratio = if ratio < 1.0 { 1.0 / ratio } else { ratio };
        let usual = self.ratio.unwrap_or(ratio);
        self.ratio = Some(0.9 * usual + 0.1 * ratio);
        if ratio > BURST * usual {
            self.burst = true;
        } else if self.burst {
            self.burst = next.rtt <= sample.rtt || sample.rtt >= sample.srtt;
        } else {
            return true;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(rtts_ms: &[f64]) -> Line {
        let mut line = Line::default();
        for (i, rtt) in rtts_ms.iter().enumerate() {
            line.add(i as f64, rtt / 1e3);
        }
        line
    }

    /// With RTTs of 100 to 106 ms in steps of 2 ms, the spread is 2.24 % of the mean. At 10 ms per packet, the gradient
    /// is 0.2, which counts. At 100 ms per packet, the gradient is 0.02, which is noise. A negative gradient counts as
    /// zero.
    #[test]
    fn a_gradient_counts_beyond_the_spread_and_upwards() {
        let up = line(&[100.0, 102.0, 104.0, 106.0]);
        assert!((Tolerance::default().counting(&up, 0.2) - 0.2).abs() < 1e-12);
        assert_eq!(Tolerance::default().counting(&up, 0.02), 0.0);
        let down = line(&[106.0, 104.0, 102.0, 100.0]);
        assert_eq!(Tolerance::default().counting(&down, -0.2), 0.0);
    }

    /// Five intervals at 100 ms and one interval at 100.001 ms form the first trend. The next interval, at 110 ms, is
    /// far above this trend. A gradient within the spread then counts.
    #[test]
    fn a_rising_trend_makes_small_gradients_count() {
        let mut tolerance = Tolerance::default();
        let at = |mean: f64| line(&[mean - 3.0, mean + 3.0, mean - 3.0, mean + 4.0]);
        for mean in [100.0, 100.0, 100.0, 100.0, 100.0, 100.001] {
            assert_eq!(tolerance.counting(&at(mean), 0.001), 0.0);
        }
        assert!((tolerance.counting(&at(110.0), 0.001) - 0.001).abs() < 1e-12);
    }

    /// Gaps of 1 ms set the usual ratio to 1. An ACK that arrives 100 ms later begins a burst if further ACKs follow at
    /// 1 ms. The burst ends when a longer RTT follows an RTT below the mean.
    #[test]
    fn a_burst_does_not_count() {
        let mut bursts = Bursts::default();
        let mut at = Time::ZERO;
        let mut seen = Vec::new();
        for (gap_ms, rtt_ms) in
            [(1, 50), (1, 50), (1, 50), (100, 50), (1, 60), (1, 45), (1, 50), (1, 50), (1, 50)]
        {
            at += Span::from_millis(gap_ms);
            let (next, before) = bursts.take(at, 0, Span::from_millis(rtt_ms), Span::from_millis(50));
            seen.extend(before.map(|sample| bursts.counts(&sample, &next)));
        }
        // The third sample has a gap of 100 ms, so the ratio is 100. The sixth sample, with 45 ms, ends the burst and
        // does not count.
        assert_eq!(seen, [false, true, false, false, false, false, true, true]);
    }
}
