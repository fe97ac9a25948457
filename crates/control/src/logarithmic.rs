// SPDX-License-Identifier: MIT OR Apache-2.0
//! The logarithmic approach of a window to its target, and three ways to approximate it from ACK to ACK.
//!
//! ```text
//! W(t) = T (1 - beta (1/alpha)^(t/RTT))                    the gap to the target T is divided by alpha per RTT
//! literal: W += (1 - 1/alpha) (T - W) / W                  A-LIAD, equation 6
//! round:   W += (1 - 1/alpha) (T - W_k) / W_k              equation 5 spread over the ACKs of round k
//! exact:   W += ln(alpha) (T - W) / W                      integrates to the curve
//! ```
//!
//! The literal rule uses the step of a whole round as the slope within the round. With W ACKs per RTT, each RTT divides
//! the gap by exp(1 - 1/alpha), which is less than e for every alpha.

/// How the window follows the curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum AckRule {
    /// The published rule per ACK.
    Literal,
    /// The published rule per round. The growth per ACK is fixed when the round begins.
    Round,
    /// The rule per ACK that integrates to the published curve.
    Exact,
}

impl AckRule {
    /// The factor of (T - W)/W, from ln(alpha).
    pub fn rate(self, ln_alpha: f64) -> f64 {
        match self {
            // 1 - 1/alpha
            Self::Literal | Self::Round => -(-ln_alpha).exp_m1(),
            Self::Exact => ln_alpha,
        }
    }
}

/// Growth per acknowledged segment from `w` towards `target`. If `w` exceeds `target`, the growth is negative.
pub fn step(rate: f64, target: f64, w: f64) -> f64 {
    rate * (target - w) / w
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::LN_2;

    /// The gap that is left of a gap of one half after one RTT, with W ACKs per RTT and a large window.
    fn left(rule: AckRule, ln_alpha: f64) -> f64 {
        let (target, rate) = (1e6, rule.rate(ln_alpha));
        let (mut w, mut rtts) = (0.5 * target, 0.0);
        while rtts < 1.0 {
            rtts += 1.0 / w;
            w += step(rate, target, w);
        }
        (target - w) / (0.5 * target)
    }

    /// The differential equation dW/dt = rate (T - W)/RTT leaves exp(-rate) of the gap after one RTT.
    #[test]
    fn the_gap_after_one_round_trip() {
        let close = |a: f64, b: f64| (a - b).abs() < 1e-5;
        assert!(close(left(AckRule::Exact, LN_2), 0.5));
        assert!(close(left(AckRule::Exact, 8_f64.ln()), 0.125));
        assert!(close(left(AckRule::Literal, LN_2), (-0.5_f64).exp()));
        assert!(close(left(AckRule::Literal, 8_f64.ln()), (-0.875_f64).exp()));
    }
}
