// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hybla-IM: a variant of Hybla. The more bandwidth is in use, the more slowly the window grows. Losses are classified
//! by queueing delay.
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
//! In (9), both spacings have the same d_k, so the ratio in (10) is min(D)/D_k, which never exceeds 1. `raw` uses this
//! ratio per ACK, as printed. The meaning of the ratio depends on how segments are sent:
//!
//! - If segments are paced over the round trip, D_k is about SRTT/W. The ratio is then the fraction of the bandwidth in
//!   use.
//! - If ACKs release the segments, the segments queue at the bottleneck. D_k then equals min(D) for nearly every ACK,
//!   whatever the fraction in use is. The window then grows about once per round trip.
//!
//! In both cases, `win` and `ewma` use the rate over a round trip. The paper does not mention pacing. Hybla's paper
//! describes pacing ("packet spacing"), and both presets pace by default. The paper's measurements used ns-2, which
//! does not pace. The study of the paper (`papers/bentpipe_papers/hybla_im`) therefore sets `pacing = false`. Spacings
//! are per segment, so a delayed ACK counts as much as two ACKs.
//!
//! The detector is weak: while a queue is building, it still calls most random losses congestion.

mod spacing;

pub use spacing::{AckSpacing, RatioMode};

use crate::catalogue::parts::{self, WINDOW_RULE, pacing, parts};
use crate::catalogue::{Entry, Parameter, Value, parameters, words};
use crate::hybla::{
    GAMMA, NO_GROWTH_LIMIT, Normalisation, RHO_RTT, RTT0, Rho, SlowStartStep, avoidance_step,
    initial_ssthresh,
};
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::window::{Rescale, Window};
use crate::{Ack, Control, Signals, Snapshot, reno};
use units::Span;

words! { RatioMode { Raw = "raw", Window = "win", Ewma = "ewma" } }

parameters! {
    /// Parameters of Hybla-IM, in addition to the parameters of the normalisation.
    pub struct Parameters {
        /// how the ratio r is computed; raw: per ACK (without pacing, r is near 1 on every busy path, so growth
        /// stops); win and ewma: over a round trip, so r is the fraction of the capacity in use
        ratio_mode: RatioMode = word("win"), "Hybla-IM, equations 8 to 10 (raw); Bentpipe (win, ewma)";
        /// lower bound of rho_new; with 0, a flow that fills the path never probes again, even after other flows have
        /// ended
        rho_floor: f64 = number("none", 1.0, 0.0..=1.0), "Hybla-IM, equation 10 (0); Linux's Hybla (rho >= 1)";
        /// time over which min(D), the smallest time between two ACKs, is measured; two compressed ACKs make min(D)
        /// wrong for this time
        ack_spacing_window: Span = time("10 s", Span::from_millis(100)..=Span::from_secs(86_400)),
            "Bentpipe (the paper never forgets min(D))";
    }
}

/// The window rule of Hybla-IM.
#[derive(Clone, Debug, saved::Plain)]
pub struct HyblaIm {
    rho: Rho,
    rho_floor: f64,
    rho_new: f64,
    step: SlowStartStep,
    spacing: AckSpacing,
}

/// Hybla-IM with `normalisation` and `parameters`, combined with `parts`.
pub fn controller(parts: Parts, normalisation: Normalisation, parameters: Parameters) -> LossBased<HyblaIm> {
    let rule = HyblaIm {
        rho: Rho::new(&normalisation),
        rho_floor: parameters.rho_floor,
        rho_new: 1.0,
        step: SlowStartStep::ONE,
        spacing: AckSpacing::new(parameters.ratio_mode, parameters.ack_spacing_window),
    };
    LossBased::new(rule, parts)
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
        self.rho.slow_start(counted, window, || self.step.of(self.rho_new))
    }

    fn avoidance(&mut self, _ack: &Ack<'_>, acked: f64, window: &Window) -> f64 {
        acked * avoidance_step(self.rho_new, window.w)
    }

    fn reduce(&mut self, event: &Reduction, _window: &Window) -> f64 {
        reno::halve(event.flight)
    }
    fn command(&mut self, window: &Window, control: &mut Control) {
        self.rho.command(window, control);
    }
    fn save(&self) {}
    fn restore(&mut self, (): ()) {}

    fn snapshot(&self, out: &mut Snapshot) {
        out.push(("rho", self.rho.value));
        out.push(("rho_new", self.rho_new));
        out.push(("bandwidth_ratio", self.spacing.ratio()));
    }
}

const LOSS_VERDICT: Parameter = parts::loss_verdict(
    "queueing-delay",
    "Hybla-IM, section 3.2",
    "\"congestion\" treats every loss as congestion, which shows the effect of the growth rule alone",
);

const HYBLA_IM_EQUATIONS: &str = "rho = max(1, RTT/RTT0), rho_new = max(rho_floor, rho (1 - r))\n\
    r = min(D)/D_k (raw), or acked in the last SRTT / SRTT * min(D) (win), or smoothed rate * min(D) (ewma)\n\
    slow start: W += acked (2^rho_new - 1), up to ssthresh; avoidance: W += acked rho_new^2 / W\n\
    T_NPD = RTT - T_PD, T_QD = T_NPD - min(T_NPD), T'_QD += qd_gain (T_QD - T'_QD)\n\
    loss: congestion iff mean of the last three T_QD before the hole > T'_QD; then as Reno; else W is unchanged\n\
    timeout: ssthresh = max(FlightSize/2, 2), W = 1";

pub(crate) const HYBLA_IM: Entry = Entry {
    name: "hybla-im",
    summary: "Hybla-IM: Hybla whose growth is slower while the bandwidth is in use, and which classifies losses by the \
              queueing delay",
    equations: HYBLA_IM_EQUATIONS,
    own: &[
        &[RTT0, RHO_RTT],
        &Parameters::LIST.all,
        &[LOSS_VERDICT, initial_ssthresh(&["hoe", "rho_gamma"]), GAMMA, NO_GROWTH_LIMIT, pacing(true)],
    ],
    frame: WINDOW_RULE,
    sources: &["Yang, Li and Wei, An Improved Hybla Algorithm in Satellite Networks"],
    limits: "The detector of congestion losses is weak. While a queue becomes longer, it treats most random losses as \
             congestion. With N flows on a link, the ratio r (the fraction of the capacity in use, as a flow measures \
             it) is near 1/N, so rho hardly changes. A loss counts as congestion if there was no RTT sample before \
             the loss, or if the lost packet was sent more than 256 ACKs earlier.",
    papers: &["Li Yang, Kui Li, Debin Wei, An Improved Hybla Algorithm in Satellite Networks (Hybla-IM)"],
    draws: false,
    construct: |settings| {
        let normalisation = Normalisation::read(settings);
        Box::new(controller(parts(settings), normalisation, Parameters::read(settings)))
    },
};

pub(crate) const HYBLA_IM_LITERAL: Entry = Entry {
    name: "hybla-im-literal",
    summary: "Hybla-IM exactly as printed: the ratio is computed per ACK and has no floor; pacing as in Hybla",
    own: &[
        &[RTT0, RHO_RTT],
        &Parameters::LIST
            .preset("ratio_mode", Value::Text("raw"))
            .preset("rho_floor", Value::Number(0.0))
            .all,
        &[LOSS_VERDICT, initial_ssthresh(&["rho_gamma", "hoe"]), GAMMA, NO_GROWTH_LIMIT],
        &[Parameter {
            source: "Caini and Firrincieli 2004 (packet spacing); the Hybla-IM paper does not mention packet spacing",
            why: "with pacing, min(D)/D_k is the fraction of the capacity in use; without pacing, ACKs have \
                  the spacing of the bottleneck, so growth stops",
            ..pacing(true)
        }],
    ],
    ..HYBLA_IM
};
