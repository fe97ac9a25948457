// SPDX-License-Identifier: MIT OR Apache-2.0
//! Copa (V. Arun and H. Balakrishnan, NSDI 2018).
//!
//! ```text
//! d_q = RTTstanding - RTTmin                          RTTstanding: smallest RTT of the last SRTT/2
//! lambda_t = 1 / (delta d_q), lambda = W / RTTstanding              RTTmin: smallest RTT of the last 10 s
//! lambda <= lambda_t: W += v / (delta W) per segment acknowledged, else W -= v / (delta W)
//! v = 1; doubled once per window when W has moved in one direction for three RTTs; 1 when it turns; <= delta W
//! slow start: W += 1 per segment acknowledged, until lambda > lambda_t
//! pacing 2 W / RTTstanding
//! queue nearly empty: d_q < 0.1 (RTTmax - RTTmin)                   RTTmax: largest RTT of the last four
//! nearly empty within the last 5 RTTs: delta = 0.5; else 1/delta += 1 per RTT, 1/delta /= 2 at a loss
//! ```
//!
//! With these rules, a flow keeps between 0 and 2.5/delta segments in the queue, and 1.25/delta on average (section 3
//! of the paper).
//!
//! The bound delta W is in the authors' code, but not in the paper. The authors' code (genericCC, `markoviancc.cc`)
//! differs from the paper in four ways. Each difference is a parameter here:
//!
//! - RTTmin is kept for at least 20 times its own value.
//! - The velocity doubles every RTT. Its direction is the direction of most ACKs.
//! - The test for an empty queue uses the smallest RTT of the last four RTTs.
//! - Heavy loss reduces the window.

mod velocity;

use crate::catalogue::{Entry, Parameter, Value, parameters, words};
use crate::window::{MAX_WINDOW_SEGMENTS, MIN_WINDOW_SEGMENTS, Rescale, factor, rescaled};
use crate::windowed::{WindowedMax, WindowedMin};
use crate::{
    Ack, Control, Controller, Loss, LossTrigger, LossVerdict, NewMss, Signals, Snapshot, Start, Timeout,
};
use units::{Bytes, Rate, Span, Time};
use velocity::Velocity;

/// Smallest window in segments, from genericCC. The window after a timeout has the same size. The paper does not
/// describe timeouts.
const MIN_SEGMENTS: f64 = 2.0;
/// Windows per RTTstanding while pacing (section 2.1). This rate avoids bursts, and the window still limits sending.
const PACING_GAIN: f64 = 2.0;
/// The queue is nearly empty if the queueing delay is below this fraction of the largest queueing delay (section 2.2).
const NEARLY_EMPTY: f64 = 0.1;
/// Number of RTTs that the maximum RTTmax covers (section 2.2).
const MAX_RTT_ROUNDS: u64 = 4;
/// If only Copa flows share the queue, they empty it once in this number of RTTs (section 2.2).
const EMPTY_WITHIN_ROUNDS: u64 = 5;
/// genericCC: loss is heavy if this fraction of the segments of two RTTs is lost.
const HEAVY_LOSS: f64 = 0.3;
/// Losses are tested only after more than this number of segments.
const HEAVY_LOSS_SEGMENTS: f64 = 20.0;
/// Fraction of the window that remains after heavy loss.
const KEPT_AT_HEAVY_LOSS: f64 = 0.7;

/// Whether a rule follows the paper or the authors' code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Way {
    /// NSDI 2018.
    Paper,
    /// genericCC.
    Code,
}

words! { Way { Paper = "paper", Code = "code" } }

parameters! {
    /// Parameters of Copa.
    pub struct Parameters {
        /// the target is 1/delta segments in the queue; with a smaller delta, the flow is faster and its queue is
        /// longer
        delta: f64 = number("1/segments", 0.5, 0.001..=10.0),
            "Arun and Balakrishnan 2018, section 2.2 (0.5); mvfst takes 0.05";
        /// after a change to a longer path, the additional delay counts as a queue for this time
        min_rtt_window: Span = time("10 s", Span::from_millis(100)..=Span::from_secs(86_400)),
            "Arun and Balakrishnan 2018, section 2.1";
        /// keeps the smallest RTT for at least this number of round trips; 10 s are only 16 round trips of a GEO path
        min_rtt_rounds: f64 = number("round trips", 0.0, 0.0..=1000.0),
            "Arun and Balakrishnan 2018 (0); genericCC (20)";
        /// false always uses the default delta, which gives the lowest delay, but hardly any share in competition with
        /// a flow that fills the queue
        mode_switching: bool = flag(true), "Arun and Balakrishnan 2018, section 2.2";
        /// "paper" doubles the velocity after three RTTs in one direction; "code" doubles it from the first RTT on
        velocity: Way = word("paper"), "Arun and Balakrishnan 2018, section 2.1 (paper); genericCC (code)";
        /// "paper" tests whether the queue was nearly empty within five RTTs; "code" tests the smallest RTT of the last
        /// four RTTs
        empty_test: Way = word("paper"), "Arun and Balakrishnan 2018, section 2.2 (paper); genericCC (code)";
        /// reduces the window to 0.7 of its size if more than 30 % of the segments of two RTTs are lost
        heavy_loss: bool = flag(false), "genericCC (in the paper, the default mode does not react to losses)";
    }
}

/// Segments counted since `since`, for genericCC's reaction to heavy loss.
#[derive(Clone, Debug, Default, saved::Plain)]
struct HeavyLoss {
    since: Time,
    lost: f64,
    all: f64,
}

/// The controller Copa.
#[derive(Clone, Debug, saved::Plain)]
pub struct Copa {
    parameters: Parameters,
    /// Window, segments.
    w: f64,
    mss: u32,
    /// 1/delta, segments.
    inv_delta: f64,
    slow_start: bool,
    competitive: bool,
    /// Whether a loss was detected in this round.
    lost_in_round: bool,
    velocity: Velocity,
    heavy_loss: HeavyLoss,
    rtts: Rtts,
}

/// RTTs over the time windows that Copa uses, in seconds.
#[derive(Clone, Debug, saved::Plain)]
struct Rtts {
    /// RTTmin.
    min: WindowedMin,
    /// RTTstanding.
    standing: WindowedMin,
    /// Smallest RTT of the last four RTTs.
    recent_min: WindowedMin,
    /// RTTmax: largest RTT of the last four RTTs. Ticks of this filter are nanoseconds.
    recent_max: WindowedMax,
    latest: Span,
    /// When the queue was last nearly empty.
    empty_at: Time,
}

impl Copa {
    /// Copa with `parameters`.
    pub const fn new(parameters: Parameters) -> Self {
        Self {
            w: MIN_WINDOW_SEGMENTS,
            mss: 1,
            inv_delta: 1.0 / parameters.delta,
            slow_start: true,
            competitive: false,
            lost_in_round: false,
            velocity: Velocity::new(parameters.velocity),
            heavy_loss: HeavyLoss { since: Time::ZERO, lost: 0.0, all: 0.0 },
            rtts: Rtts {
                min: WindowedMin::new(parameters.min_rtt_window),
                standing: WindowedMin::new(Span::ZERO),
                recent_min: WindowedMin::new(Span::ZERO),
                recent_max: WindowedMax::new(0),
                latest: Span::ZERO,
                empty_at: Time::ZERO,
            },
            parameters,
        }
    }

    /// Queueing delay in seconds; `None` before the first RTT sample.
    fn queueing_delay(&self) -> Option<f64> {
        Some(self.rtts.standing.get()? - self.rtts.min.get()?)
    }

    /// The window at the target rate, in segments. Infinite if there is no queue, and before the first RTT sample.
    fn target(&self) -> f64 {
        match (self.rtts.standing.get(), self.queueing_delay()) {
            // Equation 1 times RTTstanding: RTTstanding / (delta d_q).
            (Some(standing), Some(d_q)) if d_q > 0.0 => standing * self.inv_delta / d_q,
            _ => f64::INFINITY,
        }
    }

    /// Processes an RTT sample, and tests whether other flows fill the queue.
    fn observe(&mut self, now: Time, rtt: Span, srtt: Span) {
        let rtts = &mut self.rtts;
        let secs = rtt.secs_f64();
        rtts.latest = rtt;
        let min = rtts.min.get().unwrap_or(secs);
        let floor = Span::from_secs_f64(self.parameters.min_rtt_rounds * min);
        rtts.min.set_window(self.parameters.min_rtt_window.max(floor));
        rtts.standing.set_window(srtt / 2);
        rtts.recent_max.set_window((srtt * MAX_RTT_ROUNDS).nanos());
        let min = rtts.min.update(now, secs);
        let standing = rtts.standing.update(now, secs);
        let max = rtts.recent_max.update(now.nanos(), secs);
        if !self.parameters.mode_switching {
            return;
        }
        let threshold = NEARLY_EMPTY * (max - min);
        let competitive = match self.parameters.empty_test {
            Way::Paper => {
                // If both sides are equal, the queue is nearly empty. Without any queue, both sides are 0.
                if standing - min <= threshold {
                    rtts.empty_at = now;
                }
                now.since(rtts.empty_at) > srtt * EMPTY_WITHIN_ROUNDS
            }
            Way::Code => {
                rtts.recent_min.set_window(srtt * MAX_RTT_ROUNDS);
                rtts.recent_min.update(now, secs) - min > threshold
            }
        };
        if self.competitive && !competitive {
            self.inv_delta = 1.0 / self.parameters.delta;
        }
        self.competitive = competitive;
    }

    /// Moves the window for `segments` acknowledged segments. The window grows only while it limits sending.
    fn step(&mut self, segments: f64, limited: bool) {
        let target = self.target();
        if self.slow_start {
            if limited {
                self.w += segments;
            }
            self.slow_start = self.w < target;
        } else {
            let signed = if self.w > target { -segments } else { segments };
            if signed < 0.0 || limited {
                self.velocity.count(signed);
                // Section 2.1, step 3: W +- v / (delta W).
                self.w += self.velocity.v * self.inv_delta * signed / self.w;
            }
        }
        self.w = self.w.clamp(MIN_SEGMENTS, MAX_WINDOW_SEGMENTS);
    }

    /// genericCC: every two RTTs, tests for heavy loss if more than 20 segments (including lost segments) were counted.
    fn count_losses(&mut self, now: Time) {
        let HeavyLoss { since, lost, all } = self.heavy_loss;
        if now.since(since) > self.rtts.latest * 2 && all > HEAVY_LOSS_SEGMENTS {
            if lost > HEAVY_LOSS * all {
                self.w = (self.w * KEPT_AT_HEAVY_LOSS).max(MIN_SEGMENTS);
            }
            self.heavy_loss = HeavyLoss { since: now, ..HeavyLoss::default() };
        }
    }

    /// A timeout or persistent congestion: sets the smallest window and begins slow start.
    fn collapse(&mut self) {
        self.w = MIN_SEGMENTS.min(self.w);
        self.slow_start = true;
        self.lost_in_round = true;
        self.velocity = Velocity::new(self.parameters.velocity);
    }

    fn command(&self, control: &mut Control) {
        control.cwnd = Bytes::from_segments(self.w, self.mss);
        control.pacing = self.rtts.standing.get().filter(|standing| *standing > 0.0).map(|standing| {
            let rate = Rate::from_bytes_per_s(PACING_GAIN * self.w * f64::from(self.mss) / standing);
            rate.max(Rate::from_bits_per_s(1))
        });
        control.phase = match (self.slow_start, self.competitive) {
            (true, _) => "slow start",
            (false, true) => "competitive",
            (false, false) => "default",
        };
    }
}

impl Controller for Copa {
    fn requires(&self) -> Signals {
        Signals::PACING
    }

    fn on_start(&mut self, event: &Start, control: &mut Control) {
        *self = Self::new(self.parameters);
        self.w = f64::from(event.initial_window).max(MIN_SEGMENTS);
        self.mss = event.mss;
        self.rtts.empty_at = event.now;
        // A loss changes delta and not the window, so there is no proportional rate reduction.
        control.owns_recovery = true;
        self.command(control);
    }

    fn on_ack(&mut self, ack: &Ack<'_>, control: &mut Control) {
        if let Some(rtt) = ack.rtt.filter(|rtt| *rtt > Span::ZERO) {
            self.observe(ack.now, rtt, ack.srtt.unwrap_or(rtt));
        }
        if ack.round_start {
            if self.competitive && !self.lost_in_round {
                // Section 2.2, as in NewReno: 1/delta grows by 1 per RTT.
                self.inv_delta = (self.inv_delta + 1.0).min(MAX_WINDOW_SEGMENTS);
            }
            self.lost_in_round = false;
        }
        let segments = ack.acked.segments(self.mss);
        if !self.slow_start {
            self.velocity.update(ack, self.w, 1.0 / self.inv_delta, self.rtts.latest);
        }
        if segments > 0.0 {
            self.step(segments, ack.cwnd_limited);
        }
        if self.parameters.heavy_loss {
            self.heavy_loss.all += segments;
            self.count_losses(ack.now);
        }
        self.command(control);
    }

    fn on_loss(&mut self, event: &Loss<'_>, control: &mut Control) -> LossVerdict {
        if event.trigger == LossTrigger::Ecn {
            return LossVerdict::LinkError;
        }
        if event.new_episode && self.competitive {
            // Section 2.2, as in NewReno: 1/delta is halved. delta never exceeds the default.
            self.inv_delta = (self.inv_delta / 2.0).max(1.0 / self.parameters.delta);
        }
        self.lost_in_round = true;
        let lost = event.lost.segments(self.mss);
        self.heavy_loss.lost += lost;
        self.heavy_loss.all += lost;
        self.command(control);
        LossVerdict::Congestion
    }

    fn on_timeout(&mut self, _event: &Timeout, control: &mut Control) {
        self.collapse();
        self.command(control);
    }

    fn on_persistent_congestion(&mut self, _now: Time, control: &mut Control) {
        self.collapse();
        self.command(control);
    }

    fn on_mss(&mut self, event: &NewMss, control: &mut Control) {
        let factor = factor(self.mss, event.mss);
        self.mss = event.mss.max(1);
        self.w = rescaled(self.w, factor);
        if self.competitive {
            // 1/delta has grown to the share that other flows leave. This share keeps its bytes. The default of delta
            // is a setting, which does not change.
            self.inv_delta = (self.inv_delta * factor).max(1.0 / self.parameters.delta);
        }
        self.velocity.rescale(factor);
        self.heavy_loss.lost.rescale(factor);
        self.heavy_loss.all.rescale(factor);
        self.command(control);
    }

    fn snapshot(&self, out: &mut Snapshot) {
        out.push(("cwnd_segments", self.w));
        out.push(("target_segments", self.target()));
        out.push(("delta", 1.0 / self.inv_delta));
        out.push(("velocity", self.velocity.v));
        out.push(("rtt_min_s", self.rtts.min.get().unwrap_or(0.0)));
        out.push(("rtt_standing_s", self.rtts.standing.get().unwrap_or(0.0)));
    }
}

pub(crate) const COPA: Entry = Entry {
    name: "copa",
    summary: "Copa as published, with mode switching",
    equations: "d_q = RTTstanding - RTTmin; target W = RTTstanding/(delta d_q)\n\
                RTTstanding: smallest RTT of SRTT/2; RTTmin: of min_rtt_window\n\
                slow start: W += acked, until W >= target\n\
                then W += v acked/(delta W) up to the target, W -= v acked/(delta W) above it; W >= 2\n\
                v = 1, doubled per RTT from the third on in one direction, at most delta W\n\
                d_q above 0.1 (RTTmax - RTTmin) for 5 SRTT: 1/delta += 1 per RTT, halved at a loss; else delta\n\
                timeout: W = 2 and slow start; pacing 2 W/RTTstanding",
    own: &[&Parameters::LIST.all],
    frame: &[],
    sources: &["Arun and Balakrishnan 2018", "genericCC (markoviancc.cc, rtt-window.cc, estimators.cc)"],
    limits: "If the RTT without a queue increases by x, Copa treats x as queueing delay until RTTmin expires \
             (min_rtt_window, 10 s). The rate falls to 1/(delta x) segments per second. Copa changes to the \
             competitive mode if the queueing delay stays above 0.1 (RTTmax - RTTmin). If the queue holds only a few \
             segments, this limit is shorter than the transmission time of one segment. A single flow can then change \
             to the competitive mode for some time. The velocity v is bounded by delta W, as in the authors' code. \
             The paper prints no bound. Without a bound, the window grows without control. We had only parts of the \
             paper's text. These parts contain no rule for a timeout, and no rule for a time in which the window does \
             not limit sending.",
    papers: &[
        "V. Arun, H. Balakrishnan, Copa: Practical Delay-Based Congestion Control for the Internet, NSDI 2018",
    ],
    draws: false,
    construct: |settings| Box::new(Copa::new(Parameters::read(settings))),
};

const MIN_RTT_ROUNDS: Parameter = Parameters::LIST.get("min_rtt_rounds");

pub(crate) const COPA_CODE: Entry = Entry {
    name: "copa-code",
    summary: "Copa as in genericCC, its authors' program",
    own: &[&Parameters::LIST
        .with(
            MIN_RTT_ROUNDS
                .preset(Value::Number(20.0))
                .source("genericCC (20); Arun and Balakrishnan 2018 (0)"),
        )
        .preset("velocity", Value::Text("code"))
        .preset("empty_test", Value::Text("code"))
        .preset("heavy_loss", Value::Flag(true))
        .all],
    limits: "Four parts follow genericCC: the velocity, the test for an empty queue, the reaction to heavy loss, and \
             the window of RTTmin. Three parts differ from genericCC: slow start begins with the first ACK; the \
             platform computes SRTT (with a gain of 1/8; genericCC uses 1/16); and timeouts have an effect (genericCC \
             ignores them). The other limits of copa apply.",
    ..COPA
};

#[cfg(test)]
mod tests;
