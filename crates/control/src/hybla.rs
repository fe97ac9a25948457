// SPDX-License-Identifier: MIT OR Apache-2.0
//! TCP Hybla (Caini and Firrincieli, Int. J. Satellite Communications and Networking 22, 2004).
//!
//! Hybla gives a long path the same instantaneous rate as a reference path whose round trip is RTT0:
//!
//! ```text
//! rho = max(1, RTT / RTT0)
//! slow start: W += 2^rho - 1      avoidance: W += rho^2 / W      per acknowledged segment
//! ```
//!
//! The paper combines Hybla with Hoe's estimate and pacing, so this code implements both. Without them, the first ACK
//! of a GEO path requests 2^22 segments. Hoe's estimate sets the initial threshold, and pacing spreads the window.
//!
//! The flow is not paced before Hoe's train arrives, because the spacing of a paced train shows the pacing rate and not
//! the path. Until then, the window grows by one per segment, as on the reference path, up to six segments. Six
//! segments cause three ACKs even with delayed ACKs. If a round with such a window gives no estimate, the wait ends.
//! The threshold is then the paper's rho * gamma.

use crate::catalogue::parts::{self, WINDOW_RULE, pacing, parts};
use crate::catalogue::{Domain, Entry, Parameter, Value, parameters, words};
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::slow_start::{HoeEstimate, TRAIN_SEGMENTS};
use crate::window::{Rescale, Window};
use crate::{Ack, Control, Signals, Snapshot, reno};
use units::Span;

/// The RTT from which rho is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum RhoRtt {
    /// The smoothed RTT (ns-2 and the 2004 paper). A queue raises rho, and a larger rho lengthens the queue.
    Smoothed,
    /// The smallest RTT. A queue never raises rho.
    Min,
}

/// How the initial threshold is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum InitialThreshold {
    /// Hoe's estimate times the smallest RTT, at least 4 segments. Until an estimate exists, rho * gamma.
    Hoe,
    /// rho * gamma.
    RhoGamma,
    /// No threshold. The first ACK of a long path then requests 2^rho segments.
    Unset,
}

words! { RhoRtt { Smoothed = "srtt", Min = "min" } }
words! { InitialThreshold { Hoe = "hoe", RhoGamma = "rho_gamma", Unset = "unset" } }

parameters! {
    /// Parameters that Hybla shares with the controllers derived from it.
    pub struct Normalisation {
        /// round trip of the reference path; a long path gets the same rate as this path
        rtt0: Span = time("25 ms", Span::from_millis(1)..=Span::from_secs(10)),
            "Caini and Firrincieli 2004; Linux (ns-3 takes 50 ms)";
        /// RTT from which rho is computed; with the smoothed RTT, a queue raises rho, and a larger rho lengthens the
        /// queue
        rho_rtt: RhoRtt = word("srtt"), "Caini and Firrincieli 2004 and ns-2 (srtt); Linux and ns-3 (min)";
        /// first slow-start threshold; without a threshold, the first ACK of a GEO path increases the window by 2^22
        /// segments
        initial_ssthresh: InitialThreshold = word("hoe"), "Caini and Firrincieli 2004; J. Hoe, SIGCOMM 1996";
        /// threshold of the reference path; slow start ends at rho * gamma while there is no estimate
        gamma: f64 = number("segments", 32.0, 2.0..=1e6),
            "Caini and Firrincieli 2004; the value 32 is Bentpipe's choice";
    }
}

/// Progress of the wait for Hoe's train.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
enum Wait {
    /// The window is still too small to guarantee a train.
    Short,
    /// A round has begun whose window guarantees a train.
    Due,
    /// The estimate exists.
    Found,
    /// No estimate is required, or the round did not give an estimate.
    Vain,
}

/// rho and the initial threshold.
#[derive(Clone, Debug, saved::Plain)]
pub struct Rho {
    per_rtt0: f64,
    source: RhoRtt,
    threshold: InitialThreshold,
    gamma: f64,
    hoe: HoeEstimate,
    wait: Wait,
    /// rho, at least 1. It is 1 before the first RTT sample.
    pub value: f64,
}

impl Rho {
    /// The state before the first RTT sample.
    pub fn new(normalisation: &Normalisation) -> Self {
        Self {
            per_rtt0: 1.0 / normalisation.rtt0.secs_f64(),
            source: normalisation.rho_rtt,
            threshold: normalisation.initial_ssthresh,
            gamma: normalisation.gamma,
            hoe: HoeEstimate::default(),
            wait: if normalisation.initial_ssthresh == InitialThreshold::Hoe {
                Wait::Short
            } else {
                Wait::Vain
            },
            value: 1.0,
        }
    }

    /// Requires per-packet ACKs if Hoe's estimate is used.
    pub fn requires(&self) -> Signals {
        if self.threshold == InitialThreshold::Hoe { Signals::PER_PACKET } else { Signals::NONE }
    }

    /// Processes an ACK. Updates rho and, during the initial slow start, also the threshold.
    pub fn observe(&mut self, ack: &Ack<'_>, window: &mut Window) {
        let rtt = match self.source {
            RhoRtt::Smoothed => window.srtt,
            RhoRtt::Min => window.min_rtt,
        };
        let Some(rtt) = rtt else { return };
        // 2004 paper: rho = RTT / RTT0, at least 1. On a path that is shorter than the reference path, Hybla therefore
        // behaves as Reno.
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
            // 2004 paper: slow start ends at a window of rho * gamma.
            window.ssthresh = self.value * self.gamma;
        }
    }

    /// Whether the flow waits for Hoe's train.
    fn is_waiting(&self, window: &Window) -> bool {
        window.initial && matches!(self.wait, Wait::Short | Wait::Due)
    }

    /// Turns pacing off while the flow waits for Hoe's train.
    pub fn command(&self, window: &Window, control: &mut Control) {
        if self.is_waiting(window) {
            control.pacing = None;
        }
    }

    /// Growth in slow start for `counted` segments, each of which counts `step`. While the flow waits for Hoe's train,
    /// each segment counts one, up to a window that guarantees a train.
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

/// `slow_start_step` of the newest rho. The result is stored, because it needs a power per ACK.
#[derive(Clone, Debug, saved::Plain)]
pub struct SlowStartStep {
    rho: f64,
    step: f64,
}

impl SlowStartStep {
    /// The step for rho = 1.
    pub const ONE: Self = Self { rho: 1.0, step: 1.0 };

    /// Returns the step for `rho`.
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

/// The window rule of Hybla.
#[derive(Clone, Debug, saved::Plain)]
pub struct Hybla {
    rho: Rho,
    step: SlowStartStep,
}

/// Hybla with `normalisation`, combined with `parts`.
pub fn controller(parts: Parts, normalisation: Normalisation) -> LossBased<Hybla> {
    LossBased::new(Hybla { rho: Rho::new(&normalisation), step: SlowStartStep::ONE }, parts)
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

pub(crate) const RTT0: Parameter = Normalisation::LIST.get("rtt0");
pub(crate) const RHO_RTT: Parameter = Normalisation::LIST.get("rho_rtt");
pub(crate) const GAMMA: Parameter = Normalisation::LIST.get("gamma");
pub(crate) const NO_GROWTH_LIMIT: Parameter = parts::no_growth_limit("Caini and Firrincieli 2004 (no limit)");

/// The parameter `initial_ssthresh` with these `choices`. The first choice is the default.
pub(crate) const fn initial_ssthresh(choices: &'static [&'static str]) -> Parameter {
    let (default, domain) = (Value::Text(choices[0]), Domain::Choice(choices));
    Parameter { default, domain, ..Normalisation::LIST.get("initial_ssthresh") }
}

pub(crate) const HYBLA: Entry = Entry {
    name: "hybla",
    summary: "TCP Hybla as published, with Hoe's estimate and pacing",
    equations: "rho = max(1, RTT/RTT0)\n\
                slow start: W += acked (2^rho - 1), up to ssthresh\n\
                avoidance: W += acked rho^2 / W\n\
                first ssthresh: Hoe's estimate * RTTmin, at least 4; if there is no estimate, rho gamma\n\
                loss and timeout as Reno; pacing 2 W/SRTT in slow start, 1.2 W/SRTT in avoidance",
    own: &[&Normalisation::LIST.all, &[NO_GROWTH_LIMIT, pacing(true)]],
    frame: WINDOW_RULE,
    sources: &["Caini and Firrincieli 2004", "J. Hoe, SIGCOMM 1996"],
    limits: "Every loss counts as congestion. The window is bounded by 2^30 segments. Hoe's estimate needs \
             three ACKs of segments that queued one behind the other. Until these ACKs arrive, or until a round \
             of six segments ends, the window is not paced. During this time, the window grows by one per \
             acknowledged segment, up to six segments.",
    papers: &["C. Caini, R. Firrincieli, TCP Hybla: a TCP enhancement for heterogeneous networks, \
         Int. J. Satellite Communications and Networking 22, 2004"],
    draws: false,
    construct: |settings| Box::new(controller(parts(settings), Normalisation::read(settings))),
};
