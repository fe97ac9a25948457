// SPDX-License-Identifier: MIT OR Apache-2.0
//! The analysis of A-LIAD (Shin et al., "A-LIAD", KSII Transactions on Internet and Information Systems 8(8), 2014).
//!
//! beta is the fraction of the window that a loss removes. alpha is the factor by which the gap to the largest window
//! shrinks in one round trip. Equation numbers are the numbers in the paper.

pub(crate) mod alpha;
pub(crate) mod epoch;
pub(crate) mod response;
pub(crate) mod start;

use crate::numeric::root;
use crate::parameter::Parameter;

const BETA: Parameter = Parameter::one(
    "beta",
    "none",
    &[0.5],
    0.01..=0.99,
    "fraction of the window that a loss removes (1/2 reproduces the paper's constant)",
);

/// The sign in the bracket of (9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bracket {
    /// Y = `W_max` ((N + 1) - beta alpha/(alpha - 1)), with the sign that the paper prints. This expression equals the
    /// sum of the series.
    Printed,
    /// Y = `W_max` ((N + 1) + beta alpha/(alpha - 1)). This sign reproduces every printed digit of the paper's constant
    /// 1.5787.
    Plus,
}

impl Bracket {
    /// Returns the bracket of (9): the number of segments in an epoch of `n` round trips, divided by `W_max`.
    fn of(self, n: f64, alpha: f64, beta: f64) -> f64 {
        let given_up = beta * alpha / (alpha - 1.0);
        match self {
            Self::Printed => n + 1.0 - given_up,
            Self::Plus => n + 1.0 + given_up,
        }
    }
}

/// Returns N of (8), the number of round trips in which a gap of beta `W_max` shrinks to one segment: N =
/// `log_alpha(beta W_max)`.
pub(crate) fn round_trips(w_max: f64, alpha: f64, beta: f64) -> f64 {
    (beta * w_max).ln() / alpha.ln()
}

/// Returns the largest window `W_max` of an epoch that sends `segments`, from (9) solved for `W_max`. `None` if the
/// epoch would be shorter than one round trip.
pub(crate) fn largest_window(segments: f64, alpha: f64, beta: f64, bracket: Bracket) -> Option<f64> {
    let sent = |ln_w: f64| {
        let w = ln_w.exp();
        w * bracket.of(round_trips(w, alpha, beta), alpha, beta) - segments
    };
    // The smallest window is that of an epoch of one round trip: beta W_max = alpha.
    let least = (alpha / beta).ln();
    (sent(least) <= 0.0).then(|| root(least, least + segments.ln().max(1.0), sent).exp())
}
