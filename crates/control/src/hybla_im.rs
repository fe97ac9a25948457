// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hybla-IM: Hybla slowed by the bandwidth in use, with losses told apart by queueing delay.
//!
//! ```text
//! b_k = d_k / D_k,  bw_expect = d_k / min(D)        (8), (9)   D_k: spacing of two ACKs, d_k: what the second covers
//! rho_new = rho (1 - b_k / bw_expect)               (10)
//! slow start: W += 2^rho_new - 1     avoidance: W += rho_new^2 / W     (6) with rho_new
//! T_NPD = RTT - T_PD,  T_QD = T_NPD - min(T_NPD)               T_PD: propagation delay, known from the orbits
//! T'_QD(n) = (1 - a) T'_QD(n-1) + a T_QD(n)
//! a loss is congestion iff mean(T_QD of the last three packets before the hole) > T'_QD there
//! ```
//!
//! In (9) the same d_k stands above both spacings, so the ratio of (10) is min(D)/D_k: never above 1. Taken per ACK
//! (`raw`, the paper's letter) it is 1 for nearly every ACK of a busy bottleneck, whose ACKs come evenly spaced, and
//! the window grows about once per round trip; `win` and `ewma` take the rate over a round trip instead.
//! Spacings are per segment, so that a delayed ACK is no larger step than two ACKs.
//!
//! The detector is weak: most random losses while a queue is building are still called congestion.

mod spacing;

pub use spacing::{AckSpacing, RatioMode};

use crate::hybla::{Normalisation, Rho, SlowStartStep, avoidance_step};
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::window::{Rescale, Window};
use crate::{Ack, Signals, Snapshot, reno};
use units::Span;

/// Largest exponent in 2^rho_new: the window of an ACK then grows by at most 65 535 segments, as in Linux's Hybla.
pub(crate) const MAX_EXPONENT: f64 = 16.0;

/// What can be chosen about Hybla-IM.
#[derive(Clone, Debug)]
pub struct Parameters {
    /// rho and the initial threshold, which is never unset here.
    pub normalisation: Normalisation,
    /// How the bandwidth in use is measured.
    pub ratio_mode: RatioMode,
    /// Lower bound of rho_new: 0 is the paper's letter (growth can stop for ever), 1 keeps Reno's probing.
    pub rho_floor: f64,
    /// How long the smallest ACK spacing is remembered; ACK compression spoils it for that long.
    pub ack_spacing_window: Span,
    /// What surrounds the rule; the paper's detector of losses is [`crate::loss_verdict::Queueing`].
    pub parts: Parts,
}

/// The rule.
#[derive(Clone, Debug)]
pub struct HyblaIm {
    rho: Rho,
    rho_floor: f64,
    rho_new: f64,
    step: SlowStartStep,
    spacing: AckSpacing,
}

/// Hybla-IM with `parameters`.
pub fn controller(parameters: Parameters) -> LossBased<HyblaIm> {
    let rule = HyblaIm {
        rho: Rho::new(&parameters.normalisation),
        rho_floor: parameters.rho_floor,
        rho_new: 1.0,
        step: SlowStartStep::ONE,
        spacing: AckSpacing::new(parameters.ratio_mode, parameters.ack_spacing_window),
    };
    LossBased::new(rule, parameters.parts)
}

impl Rescale for HyblaIm {
    fn rescale(&mut self, factor: f64) {
        self.rho.rescale(factor);
        self.spacing.rescale(factor);
    }
}

impl Rule for HyblaIm {
    type Memory = ();

    fn requires(&self) -> Signals {
        self.rho.requires()
    }

    fn observe(&mut self, ack: &Ack<'_>, window: &mut Window) {
        self.rho.observe(ack, window);
        let ratio = self.spacing.on_ack(ack.now, ack.acked.segments(window.mss), window.srtt);
        // (10): rho_new = rho (1 - b_k / bw_expect)
        self.rho_new = (self.rho.value * (1.0 - ratio)).max(self.rho_floor);
    }

    fn slow_start(&mut self, counted: f64, window: &Window) -> f64 {
        if self.rho.is_waiting(window) {
            return 0.0;
        }
        counted * self.step.of(self.rho_new.min(MAX_EXPONENT))
    }

    fn avoidance(&mut self, _ack: &Ack<'_>, acked: f64, window: &Window) -> f64 {
        acked * avoidance_step(self.rho_new, window.w)
    }

    fn reduce(&mut self, event: &Reduction, _window: &Window) -> f64 {
        reno::halve(event.flight)
    }
    fn save(&self) {}
    fn restore(&mut self, (): ()) {}

    fn snapshot(&self, out: &mut Snapshot) {
        out.push(("rho", self.rho.value));
        out.push(("rho_new", self.rho_new));
        out.push(("bandwidth_ratio", self.spacing.ratio()));
    }
}
