// SPDX-License-Identifier: MIT OR Apache-2.0
//! TCP-Illinois (S. Liu, T. Basar, R. Srikant, TCP-Illinois: A loss- and delay-based congestion control algorithm for
//! high-speed networks, Performance Evaluation 65, 2008). The numbers and the filter are those of Linux's
//! `net/ipv4/tcp_illinois.c`. Note that beta is the fraction by which a loss *reduces* the window.
//!
//! ```text
//! d_a: mean queueing delay of a round trip, d_m: largest of all; d_i = eta_i d_m, eta = 0.01, 0.1, 0.8
//! alpha = alpha_max                        for d_a <= d_1, else kappa_1 / (kappa_2 + d_a)
//! beta  = beta_min up to d_2, beta_max from d_3 on, linear between
//! kappa_1 = (d_m - d_1) alpha_min alpha_max / (alpha_max - alpha_min)
//! kappa_2 = (d_m - d_1) alpha_min / (alpha_max - alpha_min) - d_1
//! avoidance: W += alpha / W per acknowledged segment      loss: W -= beta W
//! W < W_thresh: alpha = 1, beta = 1/2
//! ```
//!
//! alpha and beta change once per round trip. If the delay has exceeded d_1, alpha returns to alpha_max only after
//! theta round trips with a delay below d_1. `reading = "6.1"` uses the kernel's arithmetic, which is in
//! [`illinois_linux`].

use crate::catalogue::parts::{WINDOW_RULE, parts};
use crate::catalogue::{Entry, parameters};
use crate::illinois_linux;
use crate::linux::PaperOrLinux;
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::vegas::Samples;
use crate::window::{Rescale, Window};
use crate::{Ack, Snapshot};
use units::Span;

/// Reno's alpha, used for small windows and after a timeout.
pub(crate) const ALPHA_BASE: f64 = 1.0;
/// Reno's beta, used for small windows and after a timeout.
pub(crate) const BETA_BASE: f64 = 0.5;

parameters! {
    /// Parameters of TCP-Illinois.
    pub struct Parameters {
        /// "6.1" counts segments as the kernel does: after a recovery, the window grows by about alpha at once
        reading: PaperOrLinux = word("paper"),
            "Liu, Basar and Srikant 2008 (paper); Linux 6.1 net/ipv4/tcp_illinois.c (6.1)";
        /// growth per round trip with a full queue
        alpha_min: f64 = number("segments", 0.3, 0.01..=1.0), "Linux net/ipv4/tcp_illinois.c";
        /// growth per round trip without a queue
        alpha_max: f64 = number("segments", 10.0, 1.0..=1e4), "Linux net/ipv4/tcp_illinois.c";
        /// fraction by which a loss without a queue reduces the window; such a loss is likely to be a link error
        beta_min: f64 = number("none", 0.125, 0.01..=0.5), "Linux net/ipv4/tcp_illinois.c";
        /// fraction by which a loss at a full queue reduces the window
        beta_max: f64 = number("none", 0.5, 0.1..=0.9), "Linux net/ipv4/tcp_illinois.c";
        /// below this window the rule is Reno's
        win_thresh: f64 = number("segments", 15.0, 0.0..=1e6), "Linux net/ipv4/tcp_illinois.c";
        /// number of rounds without a queue before alpha returns to alpha_max; a single round is not enough evidence
        theta: u32 = number("rounds", 5.0, 1.0..=1e6), "Linux net/ipv4/tcp_illinois.c";
        /// d_1/d_m: the delay up to which the queue counts as empty
        eta1: f64 = number("none", 0.01, 0.0..=0.99), "Linux net/ipv4/tcp_illinois.c (1/100)";
        /// d_2/d_m: the delay up to which beta_min applies
        eta2: f64 = number("none", 0.1, 0.0..=1.0), "Linux net/ipv4/tcp_illinois.c (1/10)";
        /// d_3/d_m: the delay from which beta_max applies
        eta3: f64 = number("none", 0.8, 0.0..=1.0), "Linux net/ipv4/tcp_illinois.c (8/10)";
    }
}

/// State that an undo restores.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub struct State {
    alpha: f64,
    beta: f64,
    /// Whether the delay has exceeded `d_1`.
    above: bool,
    /// Number of rounds since then in which the delay was below `d_1`.
    low: u32,
}

/// The window rule of TCP-Illinois.
#[derive(Clone, Debug, saved::Plain)]
pub struct Illinois {
    parameters: Parameters,
    state: State,
    /// RTTs of this round.
    samples: Samples,
    max_rtt: Span,
}

/// TCP-Illinois with `parameters`, combined with `parts`.
pub const fn controller(parts: Parts, parameters: Parameters) -> LossBased<Illinois> {
    // As in Linux, the connection begins with alpha_max and Reno's beta.
    let state = State { alpha: parameters.alpha_max, beta: BETA_BASE, above: false, low: 0 };
    let rule = Illinois { parameters, state, samples: Samples::NONE, max_rtt: Span::ZERO };
    LossBased::new(rule, parts)
}

/// alpha and beta as functions of the delay.
impl Parameters {
    /// `d_1` if the largest delay is `d_m` seconds.
    fn d_1(&self, d_m: f64) -> f64 {
        self.eta1 * d_m
    }

    /// alpha for delays `d_a` and `d_m` in seconds.
    fn alpha(&self, d_a: f64, d_m: f64) -> f64 {
        let d_1 = self.d_1(d_m);
        if d_a <= d_1 {
            return self.alpha_max;
        }
        // 2008 paper: kappa_1 / (kappa_2 + d_a). Numerator and denominator are multiplied by (alpha_max -
        // alpha_min)/alpha_min.
        let span = d_m - d_1;
        span * self.alpha_max / (span + (d_a - d_1) * (self.alpha_max - self.alpha_min) / self.alpha_min)
    }

    /// beta for delays `d_a` and `d_m` in seconds.
    fn beta(&self, d_a: f64, d_m: f64) -> f64 {
        let [d_2, d_3] = [self.eta2 * d_m, self.eta3 * d_m];
        if d_a <= d_2 {
            self.beta_min
        } else if d_a >= d_3 {
            self.beta_max
        } else {
            // 2008 paper: kappa_3 + kappa_4 d_a, the line from (d_2, beta_min) to (d_3, beta_max).
            self.beta_min + (self.beta_max - self.beta_min) * (d_a - d_2) / (d_3 - d_2)
        }
    }
}

impl Illinois {
    /// Whether alpha stays unchanged, because the delay has not been low for theta rounds yet.
    fn is_waiting(&mut self, low: bool) -> bool {
        let State { above, low: rounds, .. } = &mut self.state;
        if !low {
            *above = true;
        } else if *above {
            *rounds += 1;
            if *rounds < self.parameters.theta {
                return true;
            }
            (*above, *rounds) = (false, 0);
        }
        false
    }

    /// Updates alpha and beta at the end of a round trip.
    fn update(&mut self, window: &Window) {
        if window.w < self.parameters.win_thresh {
            (self.state.alpha, self.state.beta) = (ALPHA_BASE, BETA_BASE);
        } else if let Some(mean) = self.samples.mean() {
            let base = window.min_rtt.unwrap_or(Span::ZERO);
            let d_a = mean.saturating_sub(base).secs_f64();
            let d_m = self.max_rtt.saturating_sub(base).secs_f64();
            let curves = self.parameters;
            if !self.is_waiting(d_a <= curves.d_1(d_m)) {
                self.state.alpha = curves.alpha(d_a, d_m);
            }
            self.state.beta = curves.beta(d_a, d_m);
        }
        self.samples = Samples::NONE;
    }
}

/// alpha is a number of segments per round trip, of any size, between two settings. A new segment size therefore does
/// not change alpha.
impl Rescale for State {
    fn rescale(&mut self, _factor: f64) {}
}

impl Rescale for Illinois {
    fn rescale(&mut self, _factor: f64) {}
}

impl Rule for Illinois {
    type Memory = State;

    fn observe(&mut self, ack: &Ack<'_>, window: &mut Window) {
        if let Some(rtt) = ack.rtt {
            self.samples.add(rtt);
            self.max_rtt = self.max_rtt.max(rtt);
        }
        if ack.round_start {
            self.update(window);
        }
    }

    fn avoidance(&mut self, _ack: &Ack<'_>, acked: f64, window: &Window) -> f64 {
        self.state.alpha * acked / window.w
    }

    fn reduce(&mut self, event: &Reduction, _window: &Window) -> f64 {
        event.flight * (1.0 - self.state.beta)
    }

    fn timeout(&mut self) {
        self.state = State { alpha: ALPHA_BASE, beta: BETA_BASE, above: false, low: 0 };
        self.samples = Samples::NONE;
    }

    fn save(&self) -> State {
        self.state
    }

    fn restore(&mut self, memory: State) {
        self.state = memory;
    }

    fn snapshot(&self, out: &mut Snapshot) {
        out.push(("alpha_segments", self.state.alpha));
        out.push(("beta", self.state.beta));
        out.push(("max_rtt_ms", self.max_rtt.secs_f64() * 1e3));
    }
}

pub(crate) const ILLINOIS: Entry = Entry {
    name: "illinois",
    summary: "TCP-Illinois (Liu, Basar and Srikant 2008) with Linux's defaults",
    equations: "once per round trip, d_a = mean(RTT) - RTTmin of the round, d_m = max(RTT) - RTTmin, d_i = eta_i d_m\n\
                alpha = alpha_max if d_a <= d_1 (once above: after theta such rounds), else (d_m - d_1) \
                alpha_max/((d_m - d_1) + (d_a - d_1) (alpha_max - alpha_min)/alpha_min)\n\
                beta = beta_min if d_a <= d_2, beta_max if d_a >= d_3, linear between\n\
                W < win_thresh: alpha = 1, beta = 1/2; before the first round alpha_max and 1/2\n\
                avoidance: W += alpha acked/W\n\
                loss: ssthresh = max((1 - beta) FlightSize, 2), W = ssthresh\n\
                timeout: ssthresh likewise, W = 1, then alpha = 1, beta = 1/2\n\
                6.1: alpha in 1/128, beta in 1/64, RTT in us (of retransmissions in ms), W in segments, all rounded \
                down; count += acked; if count alpha >= W: W += floor(count alpha/W), count = 0; the ACK that ends a \
                recovery counts too, and alpha and beta do not change before it; loss: W - floor(beta W)",
    own: &[&Parameters::LIST.all],
    frame: WINDOW_RULE,
    sources: &[
        "Linux net/ipv4/tcp_illinois.c",
        "S. Liu, T. Basar, R. Srikant, Performance Evaluation 65, 2008",
    ],
    limits: "RTTmin and RTTmax cover the whole connection and never expire. A change of the path therefore looks like \
             a queue, or hides a queue. The functions are those of the paper. We did not have the paper's numbers, so \
             the defaults are those of Linux. With reading = \"paper\", the arithmetic uses floating-point numbers. \
             With reading = \"6.1\", the arithmetic is that of Linux, and the platform decides whether a second \
             reduction occurs inside a recovery.",
    papers: &["S. Liu, T. Basar, R. Srikant, TCP-Illinois: A loss- and delay-based congestion control \
         algorithm for high-speed networks, Performance Evaluation 65, 2008"],
    draws: false,
    construct: |settings| {
        let (parts, parameters) = (parts(settings), Parameters::read(settings));
        match parameters.reading {
            PaperOrLinux::Paper => Box::new(controller(parts, parameters)),
            PaperOrLinux::Linux => Box::new(illinois_linux::controller(parts, parameters)),
        }
    },
};

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Linux's defaults.
    pub(crate) const CURVES: Parameters = Parameters {
        reading: PaperOrLinux::Linux,
        alpha_min: 0.3,
        alpha_max: 10.0,
        beta_min: 0.125,
        beta_max: 0.5,
        win_thresh: 15.0,
        theta: 5,
        eta1: 0.01,
        eta2: 0.1,
        eta3: 0.8,
    };

    /// The functions of the 2008 paper are continuous. From `d_1` to `d_m`, alpha falls from `alpha_max` to `alpha_min`
    /// as `kappa_1`/(`kappa_2` + `d_a`). From `d_2` to `d_3`, beta rises from `beta_min` to `beta_max`. With `d_m` = 1
    /// s, `kappa_1` = 0.99 * 3/9.7 = 0.3061856 and `kappa_2` = 0.99 * 0.3/9.7 - 0.01 = 0.0206186.
    #[test]
    fn the_curves_of_the_paper() {
        for (d_a, alpha, beta) in [
            (0.0, 10.0, 0.125),
            (0.01, 10.0, 0.125),
            (0.01 + 1e-9, 10.0, 0.125),
            (0.1, 0.306_185_6 / 0.120_618_6, 0.125),
            (0.45, 0.306_185_6 / 0.470_618_6, 0.3125),
            (0.8, 0.306_185_6 / 0.820_618_6, 0.5),
            (1.0, 0.3, 0.5),
        ] {
            let (got_alpha, got_beta) = (CURVES.alpha(d_a, 1.0), CURVES.beta(d_a, 1.0));
            assert!((got_alpha - alpha).abs() < 1e-5 * alpha, "alpha({d_a}) = {got_alpha}");
            assert!((got_beta - beta).abs() < 1e-9, "beta({d_a}) = {got_beta}");
        }
        // If there has never been a queue, the queue is not full.
        assert_eq!((CURVES.alpha(0.0, 0.0), CURVES.beta(0.0, 0.0)), (10.0, 0.125));
    }
}
