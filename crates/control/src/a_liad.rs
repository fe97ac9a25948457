// SPDX-License-Identifier: MIT OR Apache-2.0
//! A-LIAD (M. Shin et al., KSII Transactions on Internet and Information Systems 8(8), 2014): a logarithmic increase
//! with a factor alpha that depends on the RTT, and an adaptive decrease. Equations have the paper's numbers.
//!
//! ```text
//! slow start:  SlowStart::SCurve                                                      (1), (2)
//! probing, until the first loss:
//!   RTT/RTTmin < delta:  W += ssthresh/W - 1/2     otherwise  W += 1/W (the text) or 1 (the equation)     (3)
//! epochs:   W += (1 - 1/alpha) (W_max - W)/W, alpha = alpha(RTTmin)                   (6), see `logarithmic`
//! loss:     beta = 1 - RTTmin/RTTmax,  W = (1 - beta) W                               (7); here beta <= 1/2
//! ```
//!
//! beta is the fraction by which a loss reduces the window. The paper does not say how a loss changes W_max, over which
//! period RTTmax is measured, or how the window grows beyond W_max ("until a packet loss occurs"). These choices are
//! parameters. In congestion avoidance, growth per acknowledged segment is at least 1/W, because otherwise the window
//! would stop below W_max. The growth is at most one segment.

pub mod alpha;
mod entry;

pub(crate) use entry::{A_LIAD_PAPER, A_LIAD_SAFE, LIAD};

use crate::catalogue::{parameters, words};
use crate::logarithmic::{AckRule, step};
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::window::{Rescale, Window};
use crate::{Ack, Snapshot, Start, reno};
use std::f64::consts::LN_2;
use units::Span;

/// If RTT/RTTmin exceeds this value at a loss, there is a queue (a choice of this laboratory).
const QUEUE_RATIO: f64 = 1.1;
/// Change of RTTmin after which alpha is computed again. When a path becomes shorter, every ACK may lower RTTmin, and
/// each computation of alpha needs several logarithms.
const ALPHA_STEP: Span = Span::from_micros(1);

/// How alpha is determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum AlphaMode {
    /// The solution of (8) to (11), which depends on the RTT alone. alpha(75 ms) = 2.
    Table,
    /// (11) with the flow's own beta W_max. Epochs last 1.5787 s if the path limits the window.
    Online,
    /// The value of the parameter `alpha`.
    Fixed,
}

/// Growth per acknowledged segment, for which the paper's text and equation differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Growth {
    /// 1/W per segment: the window grows by one segment per round.
    Linear,
    /// 1 per segment: the window doubles in a round.
    Exponential,
}

impl Growth {
    fn step(self, w: f64) -> f64 {
        match self {
            Self::Linear => 1.0 / w,
            Self::Exponential => 1.0,
        }
    }
}

/// How a loss below `W_max` changes `W_max`. Except with `Fixed`, a loss above `W_max` raises `W_max`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum MaxRule {
    /// A loss never lowers `W_max`.
    Max,
    /// A loss lowers `W_max` only if there is a queue (RTT > 1.1 RTTmin). A loss with an empty queue does not show the
    /// capacity.
    Keep,
    /// A loss sets `W_max` to the window at the loss.
    Always,
    /// No loss lowers or raises `W_max`.
    Fixed,
}

/// The period over which `RTTmax` is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum MaxRttOver {
    /// The whole connection ("experienced by the flow").
    Connection,
    /// The current epoch ("based on the current RTT").
    Epoch,
}

words! { AlphaMode { Table = "table", Online = "online", Fixed = "fixed" } }
words! { Growth { Linear = "linear", Exponential = "exponential" } }
words! { MaxRule { Max = "max", Keep = "keep", Always = "always", Fixed = "fixed" } }
words! { MaxRttOver { Connection = "ever", Epoch = "epoch" } }

parameters! {
    /// Parameters of A-LIAD.
    pub struct Parameters {
        /// literal: in each round, the gap to W_max is divided by exp(1 - 1/alpha), which is less than e for any alpha;
        /// round and exact: the gap is divided by alpha
        ack_rule: AckRule = word("literal"),
            "A-LIAD, equations 2, 3 and 6 (literal), 5 (round), 1 and 4 (exact)";
        /// table: alpha depends on RTTmin alone; online: alpha is such that an epoch with the flow's own W_max lasts
        /// 1.5787 s; fixed: the parameter alpha is used
        alpha_mode: AlphaMode = word("table"), "A-LIAD, equations 8 to 11 (table, online); LIAD (fixed)";
        /// with alpha_mode = "fixed": factor by which each round divides the gap to W_max
        alpha: f64 = number("none", 2.0, 1.01..=1e6), "A-LIAD, section 3.2, on LIAD, LogWestwood+ and BIC";
        /// ratio RTT/RTTmin at which careful probing for the first W_max begins
        delta: f64 = number("none", 1.93, 1.0..=100.0), "A-LIAD, section 3.2";
        /// growth per ACK in careful probing: 1/W (linear) or 1 (exponential); with exponential growth, the buffer of a
        /// GEO path overflows by thousands of segments
        probe_inc: Growth = word("linear"),
            "A-LIAD, section 3.2: its text (linear) and its equation 3 (exponential) contradict each other";
        /// what a loss below W_max does: max: nothing; keep: W_max becomes W if RTT > 1.1 RTTmin; always: W_max becomes
        /// W; fixed: the first W_max is always used
        w_max_rule: MaxRule = word("max"), "Bentpipe (the A-LIAD paper gives no value)";
        /// time over which RTTmax is measured: ever: the whole connection, so after one full buffer, every later
        /// decrease is large; epoch: the current epoch, so a random loss at an empty queue causes only a small decrease
        rtt_max: MaxRttOver = word("ever"),
            "A-LIAD, section 3.2: \"experienced by the flow\" (ever), section 3: \"based on the current RTT\" (epoch)";
        /// growth per ACK when the window has passed W_max: 1/W (linear) or 1 (exponential)
        beyond_w_max: Growth = word("exponential"),
            "LogWestwood+ (exponential); Bentpipe (linear); the A-LIAD paper gives no rule";
        /// largest fraction by which a loss reduces the window; equation 7 alone has no bound
        beta_max: f64 = number("none", 0.5, 0.0..=0.9), "H-TCP, from which A-LIAD takes the rule of the decrease";
        /// if w_max_rule reduces W_max, it sets W_max to W (2 - beta)/2, so that other flows get capacity
        fast_convergence: bool = flag(false), "BIC; the A-LIAD paper has no such limit";
    }
}

/// State that an undo restores.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub struct Memory {
    w_max: Option<f64>,
    beta: f64,
    max_rtt: Option<Span>,
}

/// The window rule of A-LIAD.
#[derive(Clone, Debug, saved::Plain)]
pub struct ALiad {
    parameters: Parameters,
    /// Rate of the approach with alpha = 2 ([`AckRule::rate`]).
    probing_rate: f64,
    /// Rate of the approach with the alpha of the epochs.
    rate: f64,
    ln_alpha: f64,
    /// `RTTmin`, and the `RTTmin` for which alpha was computed.
    min_rtt: Option<Span>,
    alpha_rtt: Option<Span>,
    /// The newest RTT sample.
    rtt: Option<Span>,
    max_rtt: Option<Span>,
    /// `None` while probing.
    w_max: Option<f64>,
    /// Fraction by which the newest loss reduced the window.
    beta: f64,
    /// The window when the round began.
    w_round: f64,
}

/// A-LIAD with `parameters`, combined with `parts`.
pub fn controller(parts: Parts, parameters: Parameters) -> LossBased<ALiad> {
    let rate = parameters.ack_rule.rate(LN_2);
    let mut rule = ALiad {
        parameters,
        probing_rate: rate,
        rate,
        ln_alpha: LN_2,
        min_rtt: None,
        alpha_rtt: None,
        rtt: None,
        max_rtt: None,
        w_max: None,
        beta: parameters.beta_max,
        w_round: f64::INFINITY,
    };
    rule.choose_alpha();
    LossBased::new(rule, parts)
}

impl ALiad {
    /// Sets alpha for the current `RTTmin` and `beta W_max`. Before both are known, alpha is 2.
    fn choose_alpha(&mut self) {
        self.alpha_rtt = self.min_rtt;
        self.ln_alpha = match (self.parameters.alpha_mode, self.min_rtt) {
            (AlphaMode::Fixed, _) => self.parameters.alpha.ln().max(alpha::MIN_LN_ALPHA),
            (_, None) => LN_2,
            (AlphaMode::Table, Some(rtt)) => alpha::ln_alpha(rtt),
            (AlphaMode::Online, Some(rtt)) => {
                let gap = self.w_max.map(|w_max| self.beta * w_max);
                gap.and_then(|gap| alpha::ln_alpha_of_gap(gap, rtt)).unwrap_or(LN_2)
            }
        };
        self.rate = self.parameters.ack_rule.rate(self.ln_alpha);
    }

    /// RTT/RTTmin; `None` before the first sample.
    fn rtt_ratio(&self) -> Option<f64> {
        let (rtt, min) = (self.rtt?, self.min_rtt?);
        Some(rtt.nanos() as f64 / min.nanos().max(1) as f64)
    }

    /// Whether the newest RTT sample shows an empty queue.
    fn is_queue_empty(&self) -> bool {
        self.rtt_ratio().is_some_and(|ratio| ratio < QUEUE_RATIO)
    }

    /// Growth by (6) towards `target`, but at least 1/W.
    fn towards(&self, target: f64, rate: f64, w: f64) -> f64 {
        let from = match self.parameters.ack_rule {
            // W_k of this round. If the window was reduced within the round, W.
            AckRule::Round => self.w_round.min(w),
            AckRule::Literal | AckRule::Exact => w,
        };
        step(rate, target, from).max(1.0 / w)
    }

    /// `W_max` after a loss at `w` segments.
    fn max_after_loss(&self, w: f64, window: &Window) -> f64 {
        let Some(w_max) = self.w_max else {
            // After a loss in slow start with an empty queue, W_max is the target of probing if Hoe's estimate set this
            // target.
            let target = 2.0 * window.ssthresh;
            let trusted = window.in_slow_start() && target.is_finite() && self.is_queue_empty();
            return if trusted { w.max(target) } else { w };
        };
        let lowered = match self.parameters.w_max_rule {
            MaxRule::Fixed => return w_max,
            _ if w >= w_max => return w,
            MaxRule::Max => false,
            MaxRule::Keep => !self.is_queue_empty(),
            MaxRule::Always => true,
        };
        match (lowered, self.parameters.fast_convergence) {
            (false, _) => w_max,
            (true, false) => w,
            (true, true) => w * (2.0 - self.beta) / 2.0,
        }
    }
}

impl Rescale for Memory {
    fn rescale(&mut self, factor: f64) {
        self.w_max.rescale(factor);
    }
}

impl Rescale for ALiad {
    fn rescale(&mut self, factor: f64) {
        self.w_max.rescale(factor);
        self.w_round.rescale(factor);
        // In the mode `Online`, alpha depends on a gap in segments, so it is computed again.
        self.choose_alpha();
    }
}

impl Rule for ALiad {
    type Memory = Memory;

    fn start(&mut self, _event: &Start, window: &mut Window) {
        self.w_round = window.w;
    }

    fn observe(&mut self, ack: &Ack<'_>, window: &mut Window) {
        if ack.rtt.is_some() {
            self.rtt = ack.rtt;
            self.max_rtt = self.max_rtt.max(ack.rtt);
        }
        self.min_rtt = window.min_rtt;
        let moved = |(rtt, before): (Span, Span)| rtt.max(before) - rtt.min(before) >= ALPHA_STEP;
        if self.min_rtt.is_some() && self.min_rtt.zip(self.alpha_rtt).is_none_or(moved) {
            self.choose_alpha();
        }
        if ack.round_start {
            self.w_round = window.w;
        }
    }

    fn avoidance(&mut self, _ack: &Ack<'_>, acked: f64, window: &Window) -> f64 {
        let w = window.w;
        let growth = match self.w_max {
            None if self.rtt_ratio().is_some_and(|ratio| ratio >= self.parameters.delta) => {
                self.parameters.probe_inc.step(w)
            }
            // (3), (6) with alpha = 2: W += (2 ssthresh - W) / 2W.
            None => self.towards(2.0 * window.ssthresh, self.probing_rate, w),
            Some(w_max) if w < w_max => self.towards(w_max, self.rate, w),
            Some(_) => self.parameters.beyond_w_max.step(w),
        };
        acked * growth.min(1.0)
    }

    fn reduce(&mut self, event: &Reduction, window: &Window) -> f64 {
        let max_rtt = self.max_rtt;
        if self.parameters.rtt_max == MaxRttOver::Epoch {
            self.max_rtt = self.rtt;
        }
        if event.sent_at.is_none() {
            // The paper does not describe timeouts. As in Reno, this code halves the flight. W_max is unchanged.
            return reno::halve(event.flight);
        }
        // (7) reduces the window and not the FlightSize of RFC 5681.
        let w = window.w;
        self.beta = match (self.min_rtt, max_rtt) {
            // (7): beta = 1 - RTTmin/RTTmax.
            (Some(min), Some(max)) if max > Span::ZERO => {
                (1.0 - min.nanos() as f64 / max.nanos() as f64).clamp(0.0, self.parameters.beta_max)
            }
            _ => self.parameters.beta_max,
        };
        self.w_max = Some(self.max_after_loss(w, window));
        self.choose_alpha();
        (1.0 - self.beta) * w
    }

    fn save(&self) -> Memory {
        Memory { w_max: self.w_max, beta: self.beta, max_rtt: self.max_rtt }
    }

    fn restore(&mut self, memory: Memory) {
        Memory { w_max: self.w_max, beta: self.beta, max_rtt: self.max_rtt } = memory;
        self.choose_alpha();
    }

    fn snapshot(&self, out: &mut Snapshot) {
        if let Some(w_max) = self.w_max {
            out.push(("w_max_segments", w_max));
        }
        out.push(("alpha", self.ln_alpha.exp()));
        out.push(("beta", self.beta));
    }
}
