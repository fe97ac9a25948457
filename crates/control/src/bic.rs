// SPDX-License-Identifier: MIT OR Apache-2.0
//! BIC (L. Xu, K. Harfoush, I. Rhee, Binary Increase Congestion Control for Fast, Long Distance Networks, INFOCOM
//! 2004). Note that beta is the fraction by which a loss *reduces* the window.
//!
//! ```text
//! W < low_window: as Reno                       low_window = 14
//! W < W_max: increment = (W_max - W)/2 within [S_min, S_max]      S_min = 0.01, S_max = 32
//! W >= W_max: increment = 1, then twice that of the round before, up to S_max
//! no W_max known: increment = S_max
//! avoidance: W += increment per round trip
//! loss: W_max = W, or W (2 - beta)/2 if W < W_max (fast convergence); W = (1 - beta) W      beta = 0.125
//! ```
//!
//! The paper is ambiguous. In the text and the analysis, the window reaches the midpoint within a round trip. The
//! pseudo-code computes the midpoint again at each ACK, so the window covers only 1 - exp(-1/2), or 39 %, of the
//! distance. The default follows the text. `midpoint_per_ack` follows the pseudo-code.
//!
//! The pseudo-code also deletes W_max when the window has passed it, so every loss after a probe would cause fast
//! convergence. In this code, fast convergence compares the window with the W_max that was last used. The paper does
//! not mention timeouts. As in Linux, a timeout deletes W_max.

use crate::catalogue::parts::{WINDOW_RULE, parts};
use crate::catalogue::{Entry, Parameter, parameters};
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::window::{Rescale, Window};
use crate::{Ack, Snapshot, reno};

parameters! {
    /// Parameters of BIC.
    pub struct Parameters {
        /// below this window the rule is Reno's
        low_window: f64 = number("segments", 14.0, 1.0..=1e6), "Xu, Harfoush and Rhee 2004; Linux";
        /// largest growth per round trip
        s_max: f64 = number("segments", 32.0, 0.1..=1e6), "Xu, Harfoush and Rhee 2004 (S_max)";
        /// smallest growth per round trip below W_max; with a smaller value, the window stays near W_max for longer
        s_min: f64 = number("segments", 0.01, 1e-6..=1e3), "Xu, Harfoush and Rhee 2004 (S_min)";
        /// first growth above W_max; with the value of s_min, probing is the mirror image of the search
        probe_start: f64 = number("segments", 1.0, 1e-6..=1e3), "Xu, Harfoush and Rhee 2004 (pseudo-code)";
        /// fraction by which a loss reduces the window (in CUBIC and Linux, beta is the fraction that remains)
        beta: f64 = number("none", 0.125, 0.01..=0.9), "Xu, Harfoush and Rhee 2004";
        /// true releases capacity to new flows; a single flow does better with false
        fast_convergence: bool = flag(true), "Xu, Harfoush and Rhee 2004; Linux";
        /// true computes the midpoint again at each ACK, so that a round trip covers 39 % of the distance instead of
        /// half
        midpoint_per_ack: bool = flag(false), "Xu, Harfoush and Rhee 2004: text (false), pseudo-code (true)";
    }
}

/// State that an undo restores.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub struct State {
    /// `W_max`, segments; `None` before the first loss and after a timeout.
    w_max: Option<f64>,
    /// Increment of this round if the window is at least `W_max`; `None` below `W_max`.
    probe: Option<f64>,
    /// Growth per acknowledged segment. `None` from a loss until the next ACK.
    step: Option<f64>,
}

/// The window rule of BIC.
#[derive(Clone, Debug, saved::Plain)]
pub struct Bic {
    parameters: Parameters,
    state: State,
}

/// BIC with `parameters`, combined with `parts`.
pub const fn controller(parts: Parts, parameters: Parameters) -> LossBased<Bic> {
    LossBased::new(Bic { parameters, state: State::NONE }, parts)
}

impl State {
    /// The state before the first ACK.
    const NONE: Self = Self { w_max: None, probe: None, step: None };
}

impl Bic {
    /// Growth of a round trip that begins at `w`.
    fn increment(&mut self, w: f64) -> f64 {
        match self.state.w_max {
            None => self.parameters.s_max,
            // Paper: the midpoint, but the increment is at least S_min and at most S_max.
            Some(w_max) if w < w_max => {
                ((w_max - w) / 2.0).max(self.parameters.s_min).min(self.parameters.s_max)
            }
            // Paper: "slow start" above W_max, in steps of 1, 2, 4, ... S_max.
            Some(_) => {
                let probe = self
                    .state
                    .probe
                    .map_or(self.parameters.probe_start, |before| 2.0 * before)
                    .min(self.parameters.s_max);
                self.state.probe = Some(probe);
                probe
            }
        }
    }
}

impl Rescale for State {
    fn rescale(&mut self, factor: f64) {
        // The step has no unit, so the growth of this round does not change. The increments are settings, so they do
        // not change either.
        self.w_max.rescale(factor);
    }
}

impl Rescale for Bic {
    fn rescale(&mut self, factor: f64) {
        self.state.rescale(factor);
    }
}

impl Rule for Bic {
    type Memory = State;

    fn avoidance(&mut self, ack: &Ack<'_>, acked: f64, window: &Window) -> f64 {
        let w = window.w;
        if w < self.parameters.low_window {
            return reno::increase(acked, w);
        }
        let searching = self.parameters.midpoint_per_ack && self.state.w_max.is_some_and(|w_max| w < w_max);
        let step = match self.state.step {
            Some(step) if !ack.round_start && !searching => step,
            _ => self.increment(w) / w,
        };
        self.state.step = Some(step);
        step * acked
    }

    fn reduce(&mut self, event: &Reduction, window: &Window) -> f64 {
        let w = window.w;
        let shrinking = self.parameters.fast_convergence && self.state.w_max.is_some_and(|w_max| w < w_max);
        let legacy = w < self.parameters.low_window;
        // Paper: W_max = (W_max + W_min)/2 = W (2 - beta)/2.
        let w_max = if shrinking { w * (2.0 - self.parameters.beta) / 2.0 } else { w };
        self.state = State { w_max: Some(w_max), ..State::NONE };
        if legacy { reno::halve(event.flight) } else { event.flight * (1.0 - self.parameters.beta) }
    }

    fn timeout(&mut self) {
        self.state = State::NONE;
    }

    fn save(&self) -> State {
        self.state
    }

    fn restore(&mut self, memory: State) {
        self.state = memory;
    }

    fn snapshot(&self, out: &mut Snapshot) {
        if let Some(w_max) = self.state.w_max {
            out.push(("w_max_segments", w_max));
        }
    }
}

/// The parameter `fast_convergence` of both BIC controllers.
pub(crate) const FAST_CONVERGENCE: Parameter = Parameters::LIST.get("fast_convergence");

pub(crate) const BIC: Entry = Entry {
    name: "bic",
    summary: "BIC as published (Xu, Harfoush and Rhee 2004)",
    equations: "W < low_window: as Reno\n\
                per round trip: (W_max - W)/2 within [s_min, s_max] below W_max; from W_max on probe_start, then \
                twice the round before, up to s_max; s_max while no W_max is known\n\
                avoidance: W += acked increment/W of the round's beginning\n\
                loss: W_max = W, or W (2 - beta)/2 if W < W_max; ssthresh = max((1 - beta) FlightSize, 2)\n\
                timeout: ssthresh likewise, W = 1, W_max forgotten",
    own: &[&Parameters::LIST.all],
    frame: WINDOW_RULE,
    sources: &["L. Xu, K. Harfoush, I. Rhee, INFOCOM 2004"],
    limits: "Every loss counts as congestion. The platform counts the rounds. On a platform that does not count \
             rounds, growth is linear until the next loss. We did not have the paper itself, so the implementation \
             follows descriptions of the paper. The paper's constants, and the difference between its text and its \
             pseudo-code, are therefore parameters. While the window grows beyond W_max, W_max does not change. The \
             paper does not mention timeouts. In this controller, a timeout deletes W_max.",
    papers: &[
        "L. Xu, K. Harfoush, I. Rhee, Binary Increase Congestion Control for Fast, Long Distance Networks, \
         INFOCOM 2004",
    ],
    draws: false,
    construct: |settings| Box::new(controller(parts(settings), Parameters::read(settings))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Control, Controller, Loss, Start};
    use units::{Bytes, Time};

    const MSS: u32 = 1_000_000;

    /// Runs one epoch, from a loss at `w_max` until the window is `w_max` again. Returns the number of segments that
    /// were sent in the epoch, and the mean window.
    fn epoch(w_max: u32) -> (f64, f64) {
        let parts = Parts::classic(1.0);
        let mut bic = controller(
            parts,
            Parameters {
                low_window: 14.0,
                s_max: 32.0,
                s_min: 0.01,
                probe_start: 1.0,
                beta: 0.125,
                fast_convergence: true,
                midpoint_per_ack: false,
            },
        );
        let mut control = Control::new(Bytes::from_segments(f64::from(w_max), MSS));
        bic.on_start(&Start::new(MSS, w_max), &mut control);
        let loss = Loss { in_flight_before: control.cwnd, ..Loss::at(Time::ZERO) };
        bic.on_loss(&loss, &mut control);
        bic.on_recovery_exit(Time::ZERO, &mut control);
        let (mut sent, mut rounds) = (0.0, 0.0);
        while control.cwnd < Bytes::from_segments(f64::from(w_max), MSS) {
            // One ACK acknowledges the whole round. The growth at this ACK is therefore the increment of the round.
            sent += control.cwnd.segments(MSS);
            rounds += 1.0;
            let ack = Ack { acked: control.cwnd, round_start: true, ..Ack::at(Time::ZERO) };
            bic.on_ack(&ack, &mut control);
        }
        (sent, sent / rounds)
    }

    /// From the equations: a loss at `W_max` leaves the distance d = beta `W_max`. n rounds of `S_max` follow while d >
    /// 2 `S_max`. Then d halves until it is below 2 `S_min`, and one or two rounds of `S_min` follow. At 100 segments,
    /// d = 12.5. Ten halvings leave 0.0122, and two steps of 0.01 follow. In these 12 rounds, the windows are below 100
    /// by 12.5 (1 + 1/2 + ...), about 25, in total. 1/p is therefore 1200 - 25 = 1175, and the mean is 97.9. The other
    /// rows, with 16, 51 and 403 rounds, are computed in the same way.
    #[test]
    fn deterministic_epochs() {
        for (w_max, p, mean) in [
            (100, 8.5e-4, 97.9),
            (1_000, 6.39e-5, 978.8),
            (10_000, 2.06e-6, 9_508.0),
            (100_000, 2.64e-8, 93_926.0),
        ] {
            let (sent, average) = epoch(w_max);
            assert!((sent * p - 1.0).abs() < 5e-3, "1/p = {sent} at {w_max}");
            assert!((average / mean - 1.0).abs() < 5e-4, "mean window {average} at {w_max}");
        }
    }
}
