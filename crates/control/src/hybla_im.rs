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
//! In (9) the same d_k stands above both spacings, so the ratio of (10) is min(D)/D_k: never above 1. What it means per ACK
//! (`raw`, the paper's letter) hangs on how segments are sent. Paced over the round trip, D_k is about SRTT/W and the
//! ratio is the share in use. Sent as ACKs release them, segments stand one behind the other at the bottleneck, D_k is
//! min(D) for nearly every ACK whatever the share, and the window grows about once per round trip; `win` and `ewma` take
//! the rate over a round trip, either way. The paper says nothing of pacing; Hybla's paper has it ("packet spacing"), and
//! so both presets do.
//! Spacings are per segment, so that a delayed ACK is no larger step than two ACKs.
//!
//! The detector is weak: most random losses while a queue is building are still called congestion.

mod spacing;

pub use spacing::{AckSpacing, RatioMode};

use crate::catalogue::parts::{self, WINDOW_RULE, pacing, parts};
use crate::catalogue::{Domain, Entry, Parameter, Settings, Value};
use crate::hybla::{
    GAMMA, GROWTH_LIMIT, Normalisation, RTT0, Rho, SlowStartStep, avoidance_step, initial_ssthresh,
    normalisation, rho_rtt,
};
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::window::{Rescale, Window};
use crate::{Ack, Control, Signals, Snapshot, reno};
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
        self.rho.slow_start(counted, window, || self.step.of(self.rho_new.min(MAX_EXPONENT)))
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

/// `ratio_mode` with its default.
const fn ratio_mode(default: &'static str) -> Parameter {
    Parameter {
        name: "ratio_mode",
        unit: "none",
        default: Value::Text(default),
        domain: Domain::Choice(&["raw", "win", "ewma"]),
        source: "Hybla-IM, equations 8 to 10 (raw); this laboratory (win, ewma)",
        why: "per ACK and without pacing the ratio is near 1 on every busy path and growth stops; over a round trip it is the share in use",
    }
}

/// `rho_floor` with its default.
const fn rho_floor(default: f64) -> Parameter {
    Parameter {
        name: "rho_floor",
        unit: "none",
        default: Value::Number(default),
        domain: Domain::Number(0.0, 1.0),
        source: "Hybla-IM, equation 10 (0); Linux's rho >= 1",
        why: "at 0 a flow that fills the path stops probing for ever, even after the others have left",
    }
}

const ACK_SPACING_WINDOW: Parameter = Parameter {
    name: "ack_spacing_window",
    unit: "time",
    default: Value::Text("10 s"),
    domain: Domain::Time(Span::from_millis(100), Span::from_secs(86_400)),
    source: "this laboratory (the paper remembers for ever)",
    why: "a compressed pair of ACKs spoils min(D) for this long",
};

const LOSS_VERDICT: Parameter = parts::loss_verdict(
    "queueing-delay",
    "Hybla-IM, section 3.2",
    "\"congestion\" takes every loss for congestion, which shows what the growth rule does alone",
);

const LITERAL_PACING: Parameter = Parameter {
    source: "Caini and Firrincieli 2004 (packet spacing); Hybla-IM says nothing of it",
    why: "with it min(D)/D_k is the share in use; without, ACKs come as the bottleneck spaces them and growth stops",
    ..pacing(true)
};

const HYBLA_IM_EQUATIONS: &str = "rho = max(1, RTT/RTT0), rho_new = max(rho_floor, rho (1 - r))\n\
    r = min(D)/D_k (raw), or acked in the last SRTT / SRTT * min(D) (win), or smoothed rate * min(D) (ewma)\n\
    slow start: W += acked (2^min(rho_new, 16) - 1), up to ssthresh; avoidance: W += acked rho_new^2 / W\n\
    T_NPD = RTT - T_PD, T_QD = T_NPD - min(T_NPD), T'_QD += qd_gain (T_QD - T'_QD)\n\
    loss: congestion iff mean of the last three T_QD before the hole > T'_QD; then as Reno; else W stands\n\
    timeout: ssthresh = max(FlightSize/2, 2), W = 1";

pub(crate) const HYBLA_IM: Entry = Entry {
    name: "hybla-im",
    summary: "Hybla-IM: Hybla slowed by the bandwidth in use, losses told apart by queueing delay",
    equations: HYBLA_IM_EQUATIONS,
    own: &[
        RTT0,
        rho_rtt("srtt"),
        ratio_mode("win"),
        rho_floor(1.0),
        ACK_SPACING_WINDOW,
        LOSS_VERDICT,
        initial_ssthresh(&["hoe", "rho_gamma"]),
        GAMMA,
        GROWTH_LIMIT,
        pacing(true),
    ],
    frame: WINDOW_RULE,
    sources: &["Yang, Li and Wei, An Improved Hybla Algorithm in Satellite Networks"],
    limits: "The detector is weak: most random losses while a queue builds are still called congestion. \
             With N flows sharing a link the ratio is near 1/N and rho hardly changes. \
             A loss before any RTT sample, or further back than 256 ACKs, is congestion.",
    papers: &["Li Yang, Kui Li, Debin Wei, An Improved Hybla Algorithm in Satellite Networks (Hybla-IM)"],
    draws: false,
    construct: hybla_im,
};

pub(crate) const HYBLA_IM_LITERAL: Entry = Entry {
    name: "hybla-im-literal",
    summary: "Hybla-IM to the letter: ratio per ACK, no floor; paced as the Hybla that it amends",
    own: &[
        RTT0,
        rho_rtt("srtt"),
        ratio_mode("raw"),
        rho_floor(0.0),
        ACK_SPACING_WINDOW,
        LOSS_VERDICT,
        initial_ssthresh(&["rho_gamma", "hoe"]),
        GAMMA,
        GROWTH_LIMIT,
        LITERAL_PACING,
    ],
    ..HYBLA_IM
};

fn hybla_im(settings: &Settings<'_>) -> Box<dyn crate::Controller> {
    let ratio_mode = match settings.text("ratio_mode") {
        "raw" => RatioMode::Raw,
        "ewma" => RatioMode::Ewma,
        _ => RatioMode::Window,
    };
    Box::new(controller(Parameters {
        normalisation: normalisation(settings),
        parts: parts(settings),
        ratio_mode,
        rho_floor: settings.number("rho_floor"),
        ack_spacing_window: settings.time("ack_spacing_window"),
    }))
}
