// SPDX-License-Identifier: MIT OR Apache-2.0
//! A-LIAD's slow start: exponential growth up to half of the threshold, then a logarithmic approach to the threshold.
//!
//! ```text
//! gamma = ssthresh / 2
//! W < gamma:  W += 1 per ACK        else  W += gamma/W - 1/2 = (ssthresh - W) / 2W          equation 2
//! ```
//!
//! Hoe's estimate sets the threshold, and sets it again in every round that has a train. The logarithmic approach alone
//! would never end. When less than one segment is missing, growth is therefore exponential again.

use super::HoeEstimate;
use crate::Ack;
use crate::logarithmic::{AckRule, step};
use crate::window::{Rescale, Window};
use std::f64::consts::LN_2;

/// The growth of the window, and the estimate of the threshold.
#[derive(Clone, Debug, saved::Plain)]
pub struct SCurve {
    /// Largest number of segments that one ACK may count.
    limit: f64,
    /// Rate of the approach with alpha = 2.
    rate: f64,
    estimate: HoeEstimate,
}

impl SCurve {
    /// A slow start in which an ACK counts at most `limit` segments. `rule` defines how the window follows the curve.
    /// `Round` is treated as `Exact`, because the two rules agree at the end of every round.
    pub fn new(limit: f64, rule: AckRule) -> Self {
        let rule = if rule == AckRule::Literal { rule } else { AckRule::Exact };
        Self { limit, rate: rule.rate(LN_2), estimate: HoeEstimate::default() }
    }

    /// Processes an ACK of the initial slow start.
    pub fn observe(&mut self, ack: &Ack<'_>, window: &mut Window) {
        let mut threshold = self.estimate.threshold(ack, window.min_rtt);
        if self.estimate.is_over() {
            // "By repeating this estimation every RTT during a slow start" (section 3.1).
            self.estimate = HoeEstimate::default();
            threshold = self.estimate.threshold(ack, window.min_rtt);
        }
        if let Some(threshold) = threshold {
            window.ssthresh = threshold;
        }
    }

    /// How many of the `acked` segments count.
    pub fn counted(&self, acked: f64, window: &Window) -> f64 {
        let Window { w, ssthresh, .. } = *window;
        let counted = acked.min(self.limit);
        if w < ssthresh / 2.0 || ssthresh - w < 1.0 {
            counted
        } else {
            counted * step(self.rate, ssthresh, w).min(1.0)
        }
    }
}

impl Rescale for SCurve {
    fn rescale(&mut self, factor: f64) {
        self.estimate.rescale(factor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of round trips, of W ACKs each, from `w` segments to the threshold.
    fn rounds(rule: AckRule, w: f64, ssthresh: f64) -> f64 {
        let curve = SCurve::new(1.0, rule);
        let mut window = Window { ssthresh, ..Window::new(w, 1) };
        let mut rounds = 0.0;
        while window.in_slow_start() {
            rounds += 1.0 / window.w;
            let counted = curve.counted(1.0, &window);
            window.grow(counted, ssthresh);
        }
        rounds
    }

    /// Equation 1: the window is 2^(t/RTT) up to gamma. Then the gap, which is gamma, halves per RTT until one segment
    /// is left. Below gamma, dW/dt = W/RTT, which takes ln(gamma/W0) RTTs. Above gamma, the approach takes log2(gamma)
    /// RTTs, or 2 ln(gamma) RTTs with the literal rule (the gap falls by the factor exp(1/2) per RTT). The last segment
    /// takes about 1/W RTTs.
    #[test]
    fn duration_of_the_two_halves() {
        let gamma: f64 = 5000.0;
        let [first, exact, literal] = [(gamma / 10.0).ln(), gamma.log2(), 2.0 * gamma.ln()];
        assert!((rounds(AckRule::Exact, 10.0, 2.0 * gamma) - first - exact).abs() < 0.06);
        assert!((rounds(AckRule::Literal, 10.0, 2.0 * gamma) - first - literal).abs() < 0.06);
    }

    #[test]
    fn an_unset_threshold_is_exponential() {
        let curve = SCurve::new(1.0, AckRule::Literal);
        assert_eq!(curve.counted(1.0, &Window::new(1e9, 1)), 1.0);
    }
}
