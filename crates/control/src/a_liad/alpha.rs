// SPDX-License-Identifier: MIT OR Apache-2.0
//! The increasing factor alpha as a function of the RTT.
//!
//! ```text
//! N = log_alpha(beta W_max)                          (8)   RTTs until a gap of beta W_max is one segment
//! Y = W_max ((N + 1) + beta alpha/(alpha - 1))       (9)   segments of an epoch
//! N RTT = 1.5787 s                                   (11)
//! ```
//!
//! The paper fits a curve to the solution, but prints neither the curve nor the solution. According to its text,
//! alpha(75 ms) = 2. This alpha gives every printed digit of 1.5787 in (11) if beta = 1/2, Y = 1/PER and PER = 1e-8
//! (figure 1 of the paper). This result requires a plus sign in (9). The minus sign that the paper prints is correct,
//! but gives 1.5879.

use units::Span;

/// Length of an epoch, s (11).
const EPOCH_S: f64 = 1.5787;
/// Number of segments in an epoch, 1/PER.
const EPOCH_SEGMENTS: f64 = 1e8;
/// Fraction by which the loss reduces the window.
const BETA: f64 = 0.5;
/// ln(1.01). Without this lower bound, alpha would approach 1 for RTTs below 10 ms, and the window would not grow.
pub const MIN_LN_ALPHA: f64 = 0.009_950_330_853_168_083;
/// Smallest RTT for which alpha is computed, s. A smaller RTT is treated as this value.
const MIN_RTT_S: f64 = 1e-6;

/// The ln(alpha) that solves (8), (9) and (11) for `rtt`.
pub fn ln_alpha(rtt: Span) -> f64 {
    let n = EPOCH_S / rtt.secs_f64().max(MIN_RTT_S);
    // With x = ln(alpha) and q = beta alpha/(alpha - 1), Newton's method solves f(x) = n x + ln(n + 1 + q) - ln(beta Y)
    // = 0.
    let budget = (BETA * EPOCH_SEGMENTS).ln();
    // The start value is the solution for alpha = 2 (q = 1).
    let mut x = ((budget - (n + 2.0).ln()) / n).max(MIN_LN_ALPHA);
    for _ in 0..20 {
        let q = BETA / -(-x).exp_m1();
        let sum = n + 1.0 + q;
        let slope = n - q * (q / BETA - 1.0) / sum;
        let next = (x - (n * x + sum.ln() - budget) / slope).max(MIN_LN_ALPHA);
        if (next - x).abs() <= 1e-12 * x {
            return next;
        }
        x = next;
    }
    x
}

/// The ln(alpha) with which a gap of `gap` segments closes in one epoch: alpha = gap^(RTT/T). `None` for a gap of less
/// than two segments.
pub fn ln_alpha_of_gap(gap: f64, rtt: Span) -> Option<f64> {
    (gap >= 2.0).then(|| (gap.ln() * rtt.secs_f64() / EPOCH_S).max(MIN_LN_ALPHA))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table was computed from the equations by a fixed-point iteration, independently of the solver.
    #[test]
    fn table() {
        let table = [
            (10, 1.0832, 5e-5),
            (25, 1.2389, 5e-5),
            (50, 1.5680, 5e-5),
            (75, 2.0, 5e-5),
            (100, 2.5631, 5e-5),
            (150, 4.2498, 5e-5),
            (200, 7.1061, 5e-5),
            (250, 11.951, 5e-4),
            (300, 20.182, 5e-4),
            (400, 58.079, 5e-4),
            (500, 168.53, 5e-3),
            (600, 491.91, 5e-3),
        ];
        for (rtt_ms, alpha, tolerance) in table {
            let solved = ln_alpha(Span::from_millis(rtt_ms)).exp();
            assert!((solved - alpha).abs() <= tolerance * 1.1, "{rtt_ms} ms: {solved}, not {alpha}");
        }
    }

    /// (9): for every RTT, R = Y/(N RTT) = 1e8/1.5787 = 6.334e7 segments/s.
    #[test]
    fn the_rate_does_not_depend_on_the_rtt() {
        for rtt_ms in [10, 25, 75, 200, 600, 2287] {
            let rtt = Span::from_millis(rtt_ms);
            let (alpha, n) = (ln_alpha(rtt).exp(), EPOCH_S / rtt.secs_f64());
            let w_max = alpha.powf(n) / BETA;
            let rate = w_max * (n + 1.0 + BETA * alpha / (alpha - 1.0)) / EPOCH_S;
            assert!((rate / 6.3343e7 - 1.0).abs() < 1e-5, "{rtt_ms} ms: {rate}");
        }
    }

    #[test]
    fn ends() {
        assert_eq!(ln_alpha(Span::ZERO), MIN_LN_ALPHA);
        assert!(ln_alpha(Span::MAX).is_finite());
        assert_eq!(ln_alpha_of_gap(1.0, Span::from_millis(75)), None);
        // The example of the paper: a gap of 2^21.05 segments at 75 ms gives alpha = 2.
        let ln_alpha = ln_alpha_of_gap(21.049_333_3_f64.exp2(), Span::from_millis(75)).unwrap_or_default();
        assert!((ln_alpha.exp() - 2.0).abs() < 1e-6);
    }
}
