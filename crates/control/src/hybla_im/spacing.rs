// SPDX-License-Identifier: MIT OR Apache-2.0
//! The fraction of the expected bandwidth that is in use, computed from the spacing of ACKs: equations (8) to (10).

use crate::window::Rescale;
use crate::windowed::WindowedMin;
use units::{Span, Time};

/// ACKs that arrive within this time belong to one batch. No spacing can be measured between them.
const BATCH: Span = Span::from_micros(1);
/// The round trip is divided into this number of slots, in which acknowledged segments are counted.
const SLOTS: usize = 32;

/// How the bandwidth in use is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum RatioMode {
    /// Per ACK, as printed: the ratio is min(D)/D_k.
    Raw,
    /// Segments acknowledged over the last smoothed RTT.
    Window,
    /// A smoothed rate with the smoothed RTT as its time constant.
    Ewma,
}

/// Segments acknowledged in the last smoothed RTT, counted in slots.
#[derive(Clone, Debug, Default, saved::Plain)]
struct Slots {
    counts: [f64; SLOTS],
    /// Sum of `counts`, recomputed with each slot.
    total: f64,
    current: usize,
    begun: Time,
}

impl Slots {
    /// Counts `segments` at `now`.
    fn count(&mut self, now: Time, segments: f64, srtt: Span) {
        let length = (srtt / SLOTS as u64).max(Span::from_nanos(1));
        let passed = now.since(self.begun).nanos() / length.nanos();
        for _ in 0..passed.min(SLOTS as u64) {
            self.current = (self.current + 1) % SLOTS;
            self.counts[self.current] = 0.0;
        }
        if passed > 0 {
            self.begun += length * passed;
            self.total = self.counts.iter().sum();
        }
        self.counts[self.current] += segments;
        self.total += segments;
    }

    /// Segments/s over the last `srtt`. The current slot is not complete, so the result is too low by half a slot on
    /// average.
    fn rate(&self, srtt: Span) -> f64 {
        self.total / srtt.secs_f64()
    }
}

/// Measures the spacing of ACKs.
#[derive(Clone, Debug, saved::Plain)]
pub struct AckSpacing {
    mode: RatioMode,
    /// min(D) per segment, s.
    min: WindowedMin,
    /// Start of the newest batch of ACKs, and the segments that this batch acknowledged after its first ACK.
    batch: Option<(Time, f64)>,
    slots: Slots,
    /// Smoothed rate, segments/s.
    rate: Option<f64>,
    ratio: f64,
}

impl AckSpacing {
    /// An estimator in which min(D) is the minimum over the last `window`.
    pub fn new(mode: RatioMode, window: Span) -> Self {
        Self {
            mode,
            min: WindowedMin::new(window),
            batch: None,
            slots: Slots::default(),
            rate: None,
            ratio: 0.0,
        }
    }

    /// b_k / bw_expect, from 0 (before the first spacing) to 1.
    pub const fn ratio(&self) -> f64 {
        self.ratio
    }

    /// Processes an ACK of `segments`. Returns the ratio.
    pub fn on_ack(&mut self, now: Time, segments: f64, srtt: Option<Span>) -> f64 {
        if segments <= 0.0 {
            return self.ratio;
        }
        let srtt = srtt.filter(|srtt| *srtt > Span::ZERO);
        if let (RatioMode::Window, Some(srtt)) = (self.mode, srtt) {
            self.slots.count(now, segments, srtt);
        }
        let Some((previous, waiting)) = self.batch else {
            self.batch = Some((now, 0.0));
            return self.ratio;
        };
        let gap = now.since(previous);
        if gap < BATCH {
            self.batch = Some((previous, waiting + segments));
            return self.ratio;
        }
        self.batch = Some((now, 0.0));
        let segments = segments + waiting;
        let spacing = gap.secs_f64() / segments;
        let min = self.min.update(now, spacing);
        self.ratio = match (self.mode, srtt) {
            // (8)/(9): (d_k / D_k) / (d_k / min(D)) = min(D) / D_k
            (RatioMode::Raw, _) | (_, None) => min / spacing,
            (RatioMode::Window, Some(srtt)) => self.slots.rate(srtt) * min,
            (RatioMode::Ewma, Some(srtt)) => {
                let gain = gap.secs_f64() / (gap + srtt).secs_f64();
                let rate = self.rate.get_or_insert(0.0);
                *rate += gain * (1.0 / spacing - *rate);
                *rate * min
            }
        }
        .clamp(0.0, 1.0);
        self.ratio
    }
}

impl Rescale for AckSpacing {
    fn rescale(&mut self, factor: f64) {
        // The stored minimum is in seconds per segment.
        self.min.multiply(1.0 / factor);
        if let Some((_, segments)) = &mut self.batch {
            segments.rescale(factor);
        }
        self.slots.counts.rescale(factor);
        self.slots.total.rescale(factor);
        self.rate.rescale(factor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Equations (8) and (9) as printed, with the minimum over all spacings so far. `raw` returns b_k / bw_expect,
        /// which equals min(D)/D_k and is in (0, 1].
        #[test]
        fn raw_ratio_is_the_papers(
            gaps_us in prop::collection::vec(1..1_000_000_u64, 1..60),
            segments in 1..4_u32,
        ) {
            let mut spacing = AckSpacing::new(RatioMode::Raw, Span::from_secs(3600));
            let mut now = Time::ZERO;
            spacing.on_ack(now, 1.0, None);
            let d_k = f64::from(segments);
            for k in 0..gaps_us.len() {
                now += Span::from_micros(gaps_us[k]);
                let ratio = spacing.on_ack(now, d_k, None);
                let interval = gaps_us[k] as f64;
                let min = *gaps_us[..=k].iter().min().unwrap_or(&0) as f64;
                let (b_k, bw_expect) = (d_k / interval, d_k / min);
                prop_assert!((ratio - b_k / bw_expect).abs() < 1e-12, "{ratio} {b_k} {bw_expect}");
                prop_assert!((ratio - min / interval).abs() < 1e-12);
                prop_assert!(ratio > 0.0 && ratio <= 1.0);
            }
        }
    }
}
