// SPDX-License-Identifier: MIT OR Apache-2.0
//! Vegas (Brakmo and Peterson 1995), and derived controllers that change its thresholds, its slow start or its
//! `BaseRTT`.
//!
//! ```text
//! diff = (W/BaseRTT - W/RTT) BaseRTT = W (RTT - BaseRTT)/RTT       segments waiting on the path, once per round
//! avoidance:  diff < alpha: +1 in this round    diff > beta: -1 at once    else nothing
//! slow start: doubles in every other round; before a round may double, diff > gamma ends slow start
//! loss:       W = 3/4 W, once for all packets sent before the cut        timeout: ssthresh = W/2, W = 2
//!
//! Vegas-A     Th = W/RTT of this round, Th' of the round before; alpha >= 1, beta - alpha is constant
//!   diff < alpha:  alpha = 1 or Th > Th': +1         else -1, alpha - 1, beta - 1
//!   between:       Th > Th': +1, alpha + 1, beta + 1 else nothing
//!   diff > beta:   -1; alpha - 1 and beta - 1 if alpha > 1
//! ```
//!
//! Where the 1995 paper is not specific, this code follows ns-2 (`tcp-vegas.cc`). RTT is the mean of the round's
//! samples. +1 is added as 1/W per segment, with the W at the start of the round. At the end of slow start, the window
//! is reduced by W/8. The first round does not double. W >= 2. ns-2 rounds diff to whole segments, and this code does
//! not.
//!
//! The retransmission of a segment at its first duplicate ACK is a task of the transport and not of this rule. While a
//! loss is repaired, the rule makes no decision, because the round began with another window. (ns-2 makes one decision
//! at the ACK that ends the repair.)

pub(crate) mod entry;
mod rtt;
mod thresholds;

pub(crate) use entry::{NEW_VEGAS, VEGAS, VEGAS_A, VEGAS_AB};
pub use rtt::{BaseRtt, MAX_REFRESH_SAMPLES, Refresh, RefreshTo, RoundTrip, RttOfRound, Samples, backlog};
pub use thresholds::{Step, Thresholds};

use crate::catalogue::{parameters, words};
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::window::{Rescale, Window};
use crate::{Ack, Snapshot, reno};
use units::Time;

/// Smallest window to which Vegas itself reduces, and the window after a timeout (ns-2, `v_slowstart_`).
const MIN_VEGAS_WINDOW_SEGMENTS: f64 = 2.0;
/// Fraction of the window that remains at the end of slow start (ns-2, `tcp-vegas.cc`).
const KEPT_AT_EXIT: f64 = 0.875;

/// The rounds in which slow start doubles the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Doubling {
    /// In every other round. The rounds between are used for the comparison (1995 paper).
    EveryOtherRound,
    /// In every round (Linux).
    EveryRound,
}

words! { Doubling { EveryOtherRound = "every-other-round", EveryRound = "every-round" } }
words! { RttOfRound { Mean = "mean", Min = "min" } }

parameters! {
    /// Parameters of Vegas and its descendants.
    pub struct Parameters {
        /// if fewer segments than this wait on the path, the window grows; papers give a rate (1 kb/s) instead, which
        /// is 0.07 segments at a BaseRTT of 0.54 s and 1000 bytes per segment, less than any queue
        alpha: f64 = number("segments", 1.0, 0.0..=1e6), "Brakmo and Peterson 1995; the value as in ns-2";
        /// if more segments than this wait on the path, the window shrinks
        beta: f64 = number("segments", 3.0, 0.0..=1e6), "Brakmo and Peterson 1995; the value as in ns-2";
        /// if more segments than this wait on the path, slow start ends; with a large value, only losses end slow start
        gamma: f64 = number("segments", 1.0, 0.0..=1e6), "Brakmo and Peterson 1995; the value as in ns-2";
        /// which RTT of a round is used; with the mean, the flow's own bursts end slow start early; the smallest RTT
        /// does not include their queue
        rtt: RttOfRound = word("mean"), "ns-2 (mean); Linux (min)";
        /// rounds of slow start in which the window doubles; a round without growth shows the queue of a constant
        /// window, but such rounds double the time to fill a long path
        doubling: Doubling = word("every-other-round"), "Brakmo and Peterson 1995 (every other); Linux (every)";
        /// fraction of the window that remains after a loss; Reno has 0.5
        kept_at_loss: f64 = number("none", 0.75, 0.1..=0.95), "Brakmo and Peterson 1995; ns-2";
    }
}

/// Parameters of Vegas, and the differences of a derived controller.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub struct RuleParameters {
    /// The parameters of Vegas.
    pub vegas: Parameters,
    /// Fraction of W that remains at the end of slow start (ns-2: 7/8). The last round of slow start sent too much.
    pub kept_at_exit: f64,
    /// Whether alpha and beta change (Vegas-A).
    pub adaptive: bool,
    /// Whether the window continues to grow after the first end of slow start, by W/2, W/4, ... per round (New Vegas*).
    pub convergence: bool,
    /// How `BaseRTT` is replaced after a change to a longer route (Vegas-W); `None` if it is not replaced.
    pub refresh: Option<Refresh>,
}

impl RuleParameters {
    /// Vegas itself.
    pub const fn new(vegas: Parameters) -> Self {
        Self { vegas, kept_at_exit: KEPT_AT_EXIT, adaptive: false, convergence: false, refresh: None }
    }
}

/// How ACKs grow the window in the current round.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
enum Growth {
    /// No growth.
    Hold,
    /// Slow start: growth per counted segment.
    SlowStart(f64),
    /// Avoidance: growth per segment.
    Avoidance(f64),
}

/// The window rule of Vegas.
#[derive(Clone, Debug, saved::Plain)]
pub struct Vegas {
    parameters: RuleParameters,
    thresholds: Thresholds,
    base: BaseRtt,
    samples: Samples,
    growth: Growth,
    /// With doubling in every other round: whether the window may grow in this round.
    turn: bool,
    /// Growth per counted segment in slow start. It is 1 at first, and 1/2, 1/4, ... after the first end of slow start
    /// (New Vegas*).
    damping: f64,
    /// Whether the losses of a timeout are being repaired. Slow start then continues.
    timed_out: bool,
    /// Time of the newest reduction.
    cut_at: Option<Time>,
    /// diff at the newest decision.
    diff: Option<f64>,
}

/// Vegas with `parameters`, combined with `parts`.
pub fn controller(parts: Parts, parameters: RuleParameters) -> LossBased<Vegas> {
    LossBased::new(Vegas::new(parameters), parts)
}

impl Vegas {
    /// The state before the first ACK.
    pub fn new(parameters: RuleParameters) -> Self {
        let RuleParameters { vegas: Parameters { alpha, beta, .. }, adaptive, refresh, .. } = parameters;
        Self {
            parameters,
            thresholds: Thresholds::new(alpha, beta, adaptive),
            base: BaseRtt::new(refresh),
            samples: Samples::NONE,
            growth: Growth::Hold,
            turn: true,
            damping: 1.0,
            timed_out: false,
            cut_at: None,
            diff: None,
        }
    }

    /// The RTT of the empty path, s.
    pub fn base_rtt(&self) -> Option<f64> {
        self.base.get()
    }

    /// Processes an ACK. While the window is below `capacity` segments, slow start does not end (Vegas-W; 0 for Vegas).
    pub fn follow(&mut self, ack: &Ack<'_>, window: &mut Window, capacity: f64) {
        if ack.in_recovery && !self.timed_out {
            self.growth = Growth::Hold;
            self.samples = Samples::NONE;
        } else if ack.round_start {
            self.decide(window, capacity);
            self.samples = Samples::NONE;
        }
        if let Some(rtt) = ack.rtt {
            self.base.observe(rtt, !window.in_slow_start());
            self.samples.add(rtt);
        }
    }

    /// Once per round: adjusts the window from the samples of the last round.
    fn decide(&mut self, window: &mut Window, capacity: f64) {
        let rtt = self.samples.value(self.parameters.vegas.rtt);
        // Without an RTT sample, the number of waiting segments is not known.
        self.diff = rtt.zip(self.base.get()).map(|(rtt, base)| backlog(window.w, rtt, base));
        let rose = rtt.is_some_and(|rtt| self.thresholds.rose(window.w, rtt));
        self.growth = if window.in_slow_start() {
            self.decide_slow_start(window, capacity)
        } else {
            self.decide_avoidance(window, rose)
        };
    }

    fn decide_slow_start(&mut self, window: &mut Window, capacity: f64) -> Growth {
        self.turn = !self.turn || self.parameters.vegas.doubling == Doubling::EveryRound;
        if !self.turn {
            return Growth::Hold;
        }
        if self.diff.is_some_and(|diff| diff > self.parameters.vegas.gamma) && window.w >= capacity {
            let kept = window.w * self.parameters.kept_at_exit;
            window.w = window.w.min(kept.max(MIN_VEGAS_WINDOW_SEGMENTS));
            if self.parameters.convergence && self.damping >= 1.0 {
                self.damping = 0.5;
            } else {
                window.ssthresh = window.w;
            }
            return Growth::Hold;
        }
        let factor = self.damping;
        if factor < 1.0 {
            // New Vegas*: W += W/2^k, k = 1, 2, ..., until this growth is less than a segment.
            if window.w * factor < 1.0 {
                window.ssthresh = window.w;
                return Growth::Hold;
            }
            self.damping /= 2.0;
        }
        Growth::SlowStart(factor)
    }

    fn decide_avoidance(&mut self, window: &mut Window, rose: bool) -> Growth {
        let Some(diff) = self.diff else { return Growth::Hold };
        match self.thresholds.step(diff, rose) {
            Step::Up => Growth::Avoidance(1.0 / window.w),
            Step::Stay => Growth::Hold,
            Step::Down => {
                window.w = window.w.min((window.w - 1.0).max(MIN_VEGAS_WINDOW_SEGMENTS));
                // After Vegas has reduced the window, it does not return to slow start.
                window.ssthresh = window.ssthresh.min(window.w);
                Growth::Hold
            }
        }
    }

    /// Whether the loss of a packet that was sent at `sent_at` requires a reduction. If so, stores `now` as the time of
    /// the reduction.
    ///
    /// Brakmo and Peterson: the window is reduced only once for all losses of packets that were sent at one rate.
    pub fn cuts(&mut self, sent_at: Time, now: Time) -> bool {
        let cuts = self.cut_at.is_none_or(|cut_at| sent_at > cut_at);
        if cuts {
            self.cut_at = Some(now);
        }
        self.timed_out = false;
        cuts
    }
}

impl Rescale for Vegas {
    fn rescale(&mut self, factor: f64) {
        self.thresholds.rescale(factor);
        self.diff.rescale(factor);
        if let Growth::Avoidance(per_segment) = &mut self.growth {
            // Growth is one segment per round trip. After the change, a round trip acknowledges another number of
            // segments.
            *per_segment /= factor;
        }
    }
}

impl Rule for Vegas {
    /// Time of the reduction before the reduction that an undo reverses.
    type Memory = Option<Time>;

    fn observe(&mut self, ack: &Ack<'_>, window: &mut Window) {
        self.follow(ack, window, 0.0);
    }

    fn slow_start(&mut self, counted: f64, _window: &Window) -> f64 {
        if let Growth::SlowStart(factor) = self.growth { counted * factor } else { 0.0 }
    }

    fn avoidance(&mut self, _ack: &Ack<'_>, acked: f64, _window: &Window) -> f64 {
        if let Growth::Avoidance(per_segment) = self.growth { acked * per_segment } else { 0.0 }
    }

    fn reduce(&mut self, event: &Reduction, window: &Window) -> f64 {
        match event.sent_at {
            Some(sent_at) if self.cuts(sent_at, event.now) => {
                event.flight * self.parameters.vegas.kept_at_loss
            }
            Some(_) => window.w,
            None => {
                self.cut_at = Some(event.now);
                reno::halve(event.flight)
            }
        }
    }

    fn timeout(&mut self) {
        self.timed_out = true;
        self.growth = Growth::Hold;
        self.turn = true;
        self.damping = 1.0;
        self.samples = Samples::NONE;
    }

    fn window_after_timeout(&self) -> f64 {
        MIN_VEGAS_WINDOW_SEGMENTS
    }

    fn repaired(&mut self, _now: Time, _window: &mut Window) {
        self.timed_out = false;
    }

    fn idle(&mut self, _now: Time, _window: &mut Window) {
        self.samples = Samples::NONE;
        self.growth = Growth::Hold;
    }

    fn save(&self) -> Option<Time> {
        self.cut_at
    }

    fn restore(&mut self, cut_at: Option<Time>) {
        self.cut_at = cut_at;
        self.timed_out = false;
    }

    fn snapshot(&self, out: &mut Snapshot) {
        if let Some(base) = self.base.get() {
            out.push(("base_rtt_ms", base * 1e3));
        }
        if let Some(diff) = self.diff {
            out.push(("diff_segments", diff));
        }
        out.push(("alpha_segments", self.thresholds.alpha()));
        out.push(("beta_segments", self.thresholds.beta()));
        if let Some(refreshes) = self.base.refreshes() {
            out.push(("base_rtt_refreshes", refreshes as f64));
        }
    }
}

#[cfg(test)]
mod tests;
