// SPDX-License-Identifier: MIT OR Apache-2.0
//! TCP Hybla (Caini and Firrincieli, Int. J. Satellite Communications and Networking 22, 2004).
//!
//! The instantaneous rate of a long path shall be that of a reference path of RTT0:
//!
//! ```text
//! rho = max(1, RTT / RTT0)
//! slow start: W += 2^rho - 1      avoidance: W += rho^2 / W      per acknowledged segment
//! ```
//!
//! The paper's companions are built, because without them the first ACK of a GEO path asks for 2^22 segments: Hoe's
//! estimate sets the initial threshold, and pacing spreads the window. Until Hoe's train has come nothing is paced (a
//! paced train would measure the pacing) and the window grows as the reference path's, by one per segment, up to the
//! six segments that make three ACKs even where they are delayed. A round of such a window without an estimate ends the wait:
//! the threshold is then the paper's rho * gamma.

use crate::catalogue::parts::{self, WINDOW_RULE, pacing, parts};
use crate::catalogue::{Domain, Entry, Parameter, Settings, Value};
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::slow_start::{HoeEstimate, TRAIN_SEGMENTS};
use crate::window::{Rescale, Window};
use crate::{Ack, Control, Signals, Snapshot, reno};
use units::Span;

/// Which RTT feeds rho.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RhoRtt {
    /// The smoothed RTT (ns-2 and the 2004 paper): a queue raises rho, which raises the queue.
    Smoothed,
    /// The smallest RTT: queueing never raises rho.
    Min,
}

/// How the initial threshold is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InitialThreshold {
    /// Hoe's estimate times the smallest RTT, at least 4 segments; rho * gamma until there is one.
    Hoe,
    /// rho * gamma.
    RhoGamma,
    /// None: the first ACK of a long path then asks for 2^rho segments.
    Unset,
}

/// What Hybla and its descendants share.
#[derive(Clone, Debug)]
pub struct Normalisation {
    /// Round trip of the reference path (2004 paper: 25 ms, a terrestrial path).
    pub rtt0: Span,
    /// Which RTT feeds rho.
    pub rho_rtt: RhoRtt,
    /// How the initial threshold is found.
    pub initial_threshold: InitialThreshold,
    /// Threshold of the reference path, segments.
    pub gamma: f64,
}

/// What can be chosen about Hybla.
#[derive(Clone, Debug)]
pub struct Parameters {
    /// The normalisation.
    pub normalisation: Normalisation,
    /// What surrounds the rule. Pacing is the "packet spacing" of the 2004 paper.
    pub parts: Parts,
}

/// How far the wait for Hoe's train is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wait {
    /// The window has been too small for a train that is sure to be seen.
    Short,
    /// A round whose window has such a train is under way.
    Due,
    /// The estimate is there.
    Found,
    /// No estimate is wanted, or that round brought none.
    Vain,
}

/// rho and the initial threshold.
#[derive(Clone, Debug)]
pub struct Rho {
    per_rtt0: f64,
    source: RhoRtt,
    threshold: InitialThreshold,
    gamma: f64,
    hoe: HoeEstimate,
    wait: Wait,
    /// At least 1; 1 before the first RTT sample.
    pub value: f64,
}

impl Rho {
    /// Before the first sample.
    pub fn new(normalisation: &Normalisation) -> Self {
        Self {
            per_rtt0: 1.0 / normalisation.rtt0.secs_f64(),
            source: normalisation.rho_rtt,
            threshold: normalisation.initial_threshold,
            gamma: normalisation.gamma,
            hoe: HoeEstimate::default(),
            wait: if normalisation.initial_threshold == InitialThreshold::Hoe {
                Wait::Short
            } else {
                Wait::Vain
            },
            value: 1.0,
        }
    }

    /// Per-packet ACKs, if Hoe's estimate is wanted.
    pub fn requires(&self) -> Signals {
        if self.threshold == InitialThreshold::Hoe { Signals::PER_PACKET } else { Signals::NONE }
    }

    /// Takes an ACK: rho, and the threshold as long as the initial slow start lasts.
    pub fn observe(&mut self, ack: &Ack<'_>, window: &mut Window) {
        let rtt = match self.source {
            RhoRtt::Smoothed => window.srtt,
            RhoRtt::Min => window.min_rtt,
        };
        let Some(rtt) = rtt else { return };
        // 2004 paper: rho = RTT / RTT0, not below 1 (a shorter path than the reference behaves as Reno).
        self.value = (rtt.secs_f64() * self.per_rtt0).max(1.0);
        if window.initial && self.threshold != InitialThreshold::Unset {
            self.set_threshold(ack, window);
        }
    }

    fn set_threshold(&mut self, ack: &Ack<'_>, window: &mut Window) {
        if ack.round_start {
            self.wait = match self.wait {
                Wait::Short if window.w >= TRAIN_SEGMENTS => Wait::Due,
                Wait::Due => Wait::Vain,
                wait => wait,
            };
        }
        let estimate = match self.threshold {
            InitialThreshold::Hoe => self.hoe.threshold(ack, window.min_rtt),
            InitialThreshold::RhoGamma | InitialThreshold::Unset => None,
        };
        if let Some(threshold) = estimate {
            window.ssthresh = threshold;
            self.wait = Wait::Found;
        } else if self.wait != Wait::Found && window.in_slow_start() {
            // 2004 paper: the window of the switch is rho * gamma.
            window.ssthresh = self.value * self.gamma;
        }
    }

    /// Whether Hoe's train is awaited.
    fn is_waiting(&self, window: &Window) -> bool {
        window.initial && matches!(self.wait, Wait::Short | Wait::Due)
    }

    /// Takes the pacing away while Hoe's train is awaited.
    pub fn command(&self, window: &Window, control: &mut Control) {
        if self.is_waiting(window) {
            control.pacing = None;
        }
    }

    /// Growth in slow start for `counted` segments, each worth `step`; while Hoe's train is awaited, one, up to a window that has a
    /// train.
    pub fn slow_start(&self, counted: f64, window: &Window, step: impl FnOnce() -> f64) -> f64 {
        if self.is_waiting(window) {
            counted.min((TRAIN_SEGMENTS - window.w).max(0.0))
        } else {
            counted * step()
        }
    }
}

impl Rescale for Rho {
    fn rescale(&mut self, factor: f64) {
        self.hoe.rescale(factor);
    }
}

/// 2004 paper, slow start: 2^rho - 1 per acknowledged segment.
fn slow_start_step(rho: f64) -> f64 {
    rho.exp2() - 1.0
}

/// [`slow_start_step`] of the newest rho: a power per ACK is saved while rho stands.
#[derive(Clone, Debug)]
pub struct SlowStartStep {
    rho: f64,
    step: f64,
}

impl SlowStartStep {
    /// Of rho = 1.
    pub const ONE: Self = Self { rho: 1.0, step: 1.0 };

    /// Of `rho`.
    pub fn of(&mut self, rho: f64) -> f64 {
        if self.rho != rho {
            *self = Self { rho, step: slow_start_step(rho) };
        }
        self.step
    }
}

/// 2004 paper, avoidance: rho^2 / W per acknowledged segment.
pub fn avoidance_step(rho: f64, w: f64) -> f64 {
    rho * rho / w
}

/// The rule.
#[derive(Clone, Debug)]
pub struct Hybla {
    rho: Rho,
    step: SlowStartStep,
}

/// Hybla with `parameters`.
pub fn controller(parameters: Parameters) -> LossBased<Hybla> {
    let rule = Hybla { rho: Rho::new(&parameters.normalisation), step: SlowStartStep::ONE };
    LossBased::new(rule, parameters.parts)
}

impl Rescale for Hybla {
    fn rescale(&mut self, factor: f64) {
        self.rho.rescale(factor);
    }
}

impl Rule for Hybla {
    type Memory = ();

    fn requires(&self) -> Signals {
        self.rho.requires()
    }
    fn observe(&mut self, ack: &Ack<'_>, window: &mut Window) {
        self.rho.observe(ack, window);
    }
    fn slow_start(&mut self, counted: f64, window: &Window) -> f64 {
        self.rho.slow_start(counted, window, || self.step.of(self.rho.value))
    }
    fn avoidance(&mut self, _ack: &Ack<'_>, acked: f64, window: &Window) -> f64 {
        acked * avoidance_step(self.rho.value, window.w)
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
    }
}

pub(crate) const RTT0: Parameter = Parameter {
    name: "rtt0",
    unit: "time",
    default: Value::Text("25 ms"),
    domain: Domain::Time(Span::from_millis(1), Span::from_secs(10)),
    source: "Caini and Firrincieli 2004; Linux (ns-3 takes 50 ms)",
    why: "round trip of the reference path whose rate a long path shall reach",
};

pub(crate) const GAMMA: Parameter = Parameter {
    name: "gamma",
    unit: "segments",
    default: Value::Number(32.0),
    domain: Domain::Number(2.0, 1e6),
    source: "Caini and Firrincieli 2004 (the symbol); 32 is this laboratory's choice",
    why: "threshold of the reference path: slow start ends at rho * gamma while nothing better is known",
};

/// Hybla counts every acknowledged segment.
pub(crate) const GROWTH_LIMIT: Parameter = Parameter {
    default: Value::Number(1e9),
    source: "Caini and Firrincieli 2004 (no limit)",
    ..parts::GROWTH_LIMIT
};

/// `rho_rtt` with its default.
pub(crate) const fn rho_rtt(default: &'static str) -> Parameter {
    Parameter {
        name: "rho_rtt",
        unit: "none",
        default: Value::Text(default),
        domain: Domain::Choice(&["srtt", "min"]),
        source: "Caini and Firrincieli 2004 and ns-2 (srtt); Linux and ns-3 (min)",
        why: "with the smoothed RTT a queue raises rho, which raises the queue",
    }
}

/// `initial_ssthresh` with its choices, the first of which is the default.
pub(crate) const fn initial_ssthresh(choices: &'static [&'static str]) -> Parameter {
    Parameter {
        name: "initial_ssthresh",
        unit: "none",
        default: Value::Text(choices[0]),
        domain: Domain::Choice(choices),
        source: "Caini and Firrincieli 2004; J. Hoe, SIGCOMM 1996",
        why: "an unset threshold lets the first ACK of a GEO path ask for 2^22 segments",
    }
}

/// Reads [`RTT0`], [`GAMMA`], [`rho_rtt`] and [`initial_ssthresh`].
pub(crate) fn normalisation(settings: &Settings<'_>) -> Normalisation {
    Normalisation {
        rtt0: settings.time("rtt0"),
        rho_rtt: if settings.text("rho_rtt") == "min" { RhoRtt::Min } else { RhoRtt::Smoothed },
        initial_threshold: match settings.text("initial_ssthresh") {
            "hoe" => InitialThreshold::Hoe,
            "rho_gamma" => InitialThreshold::RhoGamma,
            _ => InitialThreshold::Unset,
        },
        gamma: settings.number("gamma"),
    }
}

pub(crate) const HYBLA: Entry = Entry {
    name: "hybla",
    summary: "TCP Hybla as its paper has it, with Hoe's estimate and pacing",
    equations: "rho = max(1, RTT/RTT0)\n\
                slow start: W += acked (2^rho - 1), up to ssthresh\n\
                avoidance: W += acked rho^2 / W\n\
                first ssthresh: Hoe's estimate * RTTmin, at least 4; rho gamma without one\n\
                loss and timeout as Reno; pacing 2 W/SRTT in slow start, 1.2 W/SRTT in avoidance",
    own: &[
        RTT0,
        rho_rtt("srtt"),
        initial_ssthresh(&["hoe", "rho_gamma", "unset"]),
        GAMMA,
        GROWTH_LIMIT,
        pacing(true),
    ],
    frame: WINDOW_RULE,
    sources: &["Caini and Firrincieli 2004", "J. Hoe, SIGCOMM 1996"],
    limits: "Every loss is congestion. The window is bounded by 2^30 segments. \
             Until Hoe's train is there, or a round of six segments is over, the window grows by one per segment, \
             unpaced and to six at most.",
    papers: &["C. Caini, R. Firrincieli, TCP Hybla: a TCP enhancement for heterogeneous networks, \
         Int. J. Satellite Communications and Networking 22, 2004"],
    draws: false,
    construct: |settings| {
        Box::new(controller(Parameters { normalisation: normalisation(settings), parts: parts(settings) }))
    },
};
