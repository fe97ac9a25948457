// SPDX-License-Identifier: MIT OR Apache-2.0
//! HYBIC (A. Bisu, A. Gallant and H. Sun, IEEE Future Networks World Forum 2024): Hybla's slow start and CUBIC's
//! congestion avoidance. The paper computes windows as functions of time. This controller implements the paper's update
//! rule (7).
//!
//! ```text
//! rho = max(1, RTTmin / RTTref), first ssthresh = rho gamma
//! slow start: W += 2^rho - 1 per acknowledged segment, as Hybla
//! avoidance:  CUBIC (RFC 9438) with C = A, but W_est(t) = W_epoch + 3 (1 - beta)/(1 + beta) t / RTTref       (7)
//! ```
//!
//! W_est grows with time divided by the reference RTT, which is rho times as fast as in CUBIC. If slow start ends
//! without a loss, K = 0 and `W_max` = W. In (7) and RFC 9438, beta is the fraction of the window that remains after a
//! loss. In (4), K = cbrt(beta W_max/A), beta is the fraction by which a loss reduces the window (as in CUBIC, 2008).

use crate::catalogue::parts::{WINDOW_RULE, pacing, parts};
use crate::catalogue::{Entry, Value, parameters};
use crate::cubic::{self, Cubic};
use crate::hybla::{GAMMA, NO_GROWTH_LIMIT, Normalisation, RTT0, Rho, SlowStartStep, initial_ssthresh};
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::window::{Rescale, Window};
use crate::{Ack, Control, Signals, Snapshot};

parameters! {
    /// Parameters of HYBIC, in addition to those of the normalisation.
    pub struct Parameters {
        /// scaling factor of the cubic function; a larger value is more aggressive on paths with a large
        /// bandwidth-delay product
        a: f64 = number("segments/s^3", 0.4, 1e-4..=100.0), "HYBIC, section II (A); RFC 9438, section 5 (C)";
        /// fraction of the window that remains after a loss, as in equation 7; in equation 4, beta is the fraction by
        /// which a loss reduces the window
        beta: f64 = number("none", 0.7, 0.1..=0.95), "RFC 9438, section 4.6 (HYBIC gives no value)";
        /// true releases capacity to new flows; a single flow does better with false
        fast_convergence: bool = flag(true), "RFC 9438, section 4.7";
    }
}

/// The window rule of HYBIC.
#[derive(Clone, Debug, saved::Plain)]
pub struct Hybic {
    rho: Rho,
    step: SlowStartStep,
    cubic: Cubic,
    /// Growth of `W_est`, segments/s.
    slope: f64,
}

/// HYBIC with `normalisation` and `parameters`, combined with `parts`.
pub fn controller(parts: Parts, normalisation: Normalisation, parameters: Parameters) -> LossBased<Hybic> {
    let Parameters { a, beta, fast_convergence } = parameters;
    let cubic = Cubic::new(a, beta, fast_convergence);
    // (7): 3 (1 - beta) / ((1 + beta) RTTref)
    let slope = cubic.alpha() / normalisation.rtt0.secs_f64();
    LossBased::new(Hybic { rho: Rho::new(&normalisation), step: SlowStartStep::ONE, cubic, slope }, parts)
}

impl Rescale for Hybic {
    fn rescale(&mut self, factor: f64) {
        self.rho.rescale(factor);
        // The amount by which W_est has grown in this stage keeps its bytes too. From now on, W_est grows by segments
        // of the new size.
        let grown = self.cubic.stage().map_or(0.0, |epoch| epoch.w_est - epoch.w_start);
        self.cubic.rescale(factor);
        if let Some(epoch) = self.cubic.stage() {
            epoch.w_start = epoch.w_est - grown;
        }
    }
}

impl Rule for Hybic {
    type Memory = cubic::Memory;

    fn unused(&mut self) {
        self.cubic.unused();
    }

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
        let epoch = self.cubic.epoch(window);
        let t = epoch.age(window);
        // (7): beta W_max + 3 t (1 - beta) / ((1 + beta) RTTref), where beta W_max is the window after the loss.
        epoch.w_est = epoch.w_start + self.slope * t;
        let epoch = *epoch;
        Cubic::growth(&epoch, t, acked, window)
    }

    fn reduce(&mut self, event: &Reduction, window: &Window) -> f64 {
        self.cubic.reduce(event, window)
    }
    fn timeout(&mut self) {
        self.cubic.timeout();
    }
    fn command(&mut self, window: &Window, control: &mut Control) {
        self.rho.command(window, control);
    }
    fn save(&self) -> cubic::Memory {
        self.cubic.save()
    }
    fn restore(&mut self, memory: cubic::Memory) {
        self.cubic.restore(memory);
    }
    fn snapshot(&self, out: &mut Snapshot) {
        out.push(("rho", self.rho.value));
        self.cubic.snapshot(out);
    }
}

pub(crate) const HYBIC: Entry = Entry {
    name: "hybic",
    summary: "HYBIC as a controller: Hybla's slow start, and CUBIC's avoidance whose Reno region grows once per \
              reference RTT",
    equations: "rho = max(1, RTTmin/RTT0), first ssthresh = rho gamma\n\
                slow start: W += acked (2^rho - 1), up to ssthresh\n\
                avoidance: CUBIC, with W_est = W_epoch + 3 (1 - beta)/(1 + beta) t/RTT0 and C = a\n\
                without a loss before: K = 0, W_max = W\n\
                loss and timeout as CUBIC; pacing 2 W/SRTT in slow start, 1.2 W/SRTT in avoidance",
    own: &[
        &Normalisation::LIST
            .with(RTT0.preset(Value::Text("100 ms")).source("HYBIC, section III (RTT_ref)"))
            .preset("rho_rtt", Value::Text("min"))
            .with(initial_ssthresh(&["rho_gamma", "hoe", "unset"]))
            .with(GAMMA.preset(Value::Number(128.0)).source("HYBIC, section III"))
            .all,
        &[NO_GROWTH_LIMIT],
        &Parameters::LIST.all,
        &[pacing(true)],
    ],
    frame: WINDOW_RULE,
    sources: &[
        "Bisu, Gallant and Sun, IEEE Future Networks World Forum 2024",
        "RFC 9438",
        "Caini and Firrincieli 2004",
    ],
    limits: "The paper evaluates its formulae as functions of time, without ACKs and losses. To get the rate, the \
             paper divides HYBIC's window by the reference RTT (RTT_ref), although a path carries one window per RTT. \
             At an RTT of 2287 ms, the window to which the paper assigns 3 Gbit/s therefore gives about 117 Mbit/s. \
             This controller follows the paper's update rule (equation 7). Everything else follows RFC 9438. At an RTT \
             of 2287 ms, the paper's switching time (equation 8) is 1.15 s. This is before the first ACK, so no \
             controller can switch then. Every loss counts as congestion.",
    papers: &[
        "A. A. Bisu, A. Gallant, H. Sun, HYBIC: An Improved Congestion Control Algorithm for Integrated \
         Satellite-Terrestrial Networks in 5G and Beyond Communications, IEEE Future Networks World Forum 2024",
    ],
    draws: false,
    construct: |settings| {
        let normalisation = Normalisation::read(settings);
        Box::new(controller(parts(settings), normalisation, Parameters::read(settings)))
    },
};
