// SPDX-License-Identifier: MIT OR Apache-2.0
//! The velocity of Copa: how fast the window moves.

use super::Way;
use crate::Ack;
use crate::window::Rescale;
use units::{Span, Time};

/// Number of consecutive rounds in which the window must move in the same direction before the velocity doubles. In the
/// steady state, the window moves in one direction for 2.5 RTTs (section 2.1). Three rounds in one direction can
/// therefore occur in the steady state, but four cannot.
const SAME_DIRECTION_ROUNDS: u32 = 3;

/// The velocity v.
#[derive(Clone, Debug, saved::Plain)]
pub(super) struct Velocity {
    pub(super) v: f64,
    rule: Rule,
}

#[derive(Clone, Debug, saved::Plain)]
enum Rule {
    Paper {
        /// Window when this round began; `None` before the first round.
        began: Option<f64>,
        /// Whether the window grew in the previous round; `None` if it did not move.
        up: Option<bool>,
        /// Number of further consecutive rounds in which the window moved in the direction `up`.
        same: u32,
    },
    Code {
        looked_at: Time,
        /// Segments since `looked_at` that require growth, minus segments that require a reduction.
        balance: f64,
        /// Sign of the previous movement.
        before: f64,
    },
}

impl Velocity {
    /// The velocity at the start, and after a timeout.
    pub(super) const fn new(way: Way) -> Self {
        let rule = match way {
            Way::Paper => Rule::Paper { began: None, up: None, same: 0 },
            Way::Code => Rule::Code { looked_at: Time::ZERO, balance: 1.0, before: 1.0 },
        };
        Self { v: 1.0, rule }
    }

    /// Called at every ACK, before the window moves from `w` segments.
    pub(super) fn update(&mut self, ack: &Ack<'_>, w: f64, delta: f64, rtt: Span) {
        match &mut self.rule {
            // Section 2.1, step 4: once per window, the window is compared with the window at the time when the newest
            // acknowledged packet was sent.
            Rule::Paper { began, up, same } if ack.round_start => {
                let before = began.replace(w).unwrap_or(w);
                let now_up = (w != before).then_some(w > before);
                *same = if now_up.is_some() && now_up == *up { *same + 1 } else { 0 };
                *up = now_up;
                let doubled = if *same >= SAME_DIRECTION_ROUNDS { self.v * 2.0 } else { self.v };
                // The velocity is at most one window per RTT, which is genericCC's bound. The paper gives no bound.
                // Without a bound, a window that jumps over its target with every ACK could seem to move in one
                // direction for ever.
                self.v = if *same == 0 { 1.0 } else { doubled.min(w * delta).max(1.0) };
            }
            Rule::Paper { .. } => {}
            Rule::Code { looked_at, balance, before } => {
                if ack.now.since(*looked_at) > rtt {
                    // genericCC's update_amt: a balance of zero counts as a change of direction.
                    if *before * *balance > 0.0 {
                        self.v = self.v.floor() * 2.0;
                    } else {
                        self.v = 1.0;
                        *before = -*before;
                    }
                    *looked_at = ack.now;
                    *balance = 0.0;
                }
                if self.v > w * delta {
                    self.v /= 2.0;
                }
                self.v = self.v.max(1.0);
            }
        }
    }

    /// Counts `segments` that require growth. A negative number requires a reduction.
    pub(super) fn count(&mut self, segments: f64) {
        if let Rule::Code { balance, .. } = &mut self.rule {
            *balance += segments;
        }
    }
}

impl Rescale for Velocity {
    fn rescale(&mut self, factor: f64) {
        match &mut self.rule {
            Rule::Paper { began, .. } => began.rescale(factor),
            Rule::Code { balance, .. } => balance.rescale(factor),
        }
    }
}
