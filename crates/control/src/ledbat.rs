// SPDX-License-Identifier: MIT OR Apache-2.0
//! LEDBAT (RFC 6817) and LEDBAT++ (draft-irtf-iccrg-ledbat-plus-plus): background transport that yields to other flows.
//!
//! ```text
//! queueing = min(last four delays) - min(delays of ten minutes)
//! LEDBAT, per window of acknowledged data: W += GAIN (TARGET - queueing)/TARGET
//! LEDBAT++: GAIN = 1 / min(16, ceil(2 TARGET / base))
//!     queueing <= TARGET: W += GAIN, else W += max(GAIN - C W (queueing/TARGET - 1), -W/2)
//!     slow start: W += GAIN per segment; the first ends at queueing > 3/4 TARGET
//!     slowdown: ssthresh = W, W = 2 for two RTTs, then slow start to ssthresh;
//!         the first slowdown starts two RTTs after the first slow start; each pause until the next slowdown is nine
//!         times as long as the slowdown before the pause
//! loss: W /= 2, at least 2; timeout: W = 1
//! ```
//!
//! LEDBAT measures one-way delays and has a target of 100 ms. LEDBAT++ measures round trips and has a target of 60 ms.

mod delays;

#[cfg(test)]
mod tests;

pub use delays::Delay;

use crate::catalogue::parts::{WINDOW_RULE, parts};
use crate::catalogue::{Entry, Parameter, Value, parameters, words};
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::window::{MIN_SSTHRESH_SEGMENTS, Rescale, Window};
use crate::{Ack, Control, Signals, Snapshot, Start, reno};
use delays::Delays;
use units::{Bytes, Span, Time};

/// MIN_CWND (RFC 6817, section 2.5), and the window of a slowdown (LEDBAT++, section 4.4).
const MIN_SEGMENTS: f64 = 2.0;
/// LEDBAT++, section 4.2: the gain is at least 1/16.
const MAX_GAIN_DIVISOR: f64 = 16.0;
/// LEDBAT++, section 4.3: the first slow start ends when the queueing delay exceeds this fraction of the target.
const SLOW_START_EXIT: f64 = 0.75;
/// LEDBAT++, section 4.4: number of RTTs between the first slow start and the first slowdown, and number of RTTs at the
/// smallest window.
const SLOWDOWN_RTTS: u64 = 2;
/// LEDBAT++, section 4.4: the pause between two slowdowns is this number times the length of a slowdown. Slowdowns
/// therefore take at most a tenth of the time.
const SLOWDOWN_PAUSE: u64 = 9;

/// LEDBAT or LEDBAT++.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub enum Law {
    /// RFC 6817.
    Ledbat {
        /// GAIN: growth in segments per window if the queue is empty, at most 1.
        gain: f64,
        /// Whether the connection begins with slow start. The algorithm of the RFC does not use slow start.
        slow_start: bool,
    },
    /// LEDBAT++.
    PlusPlus {
        /// Strength of the multiplicative decrease ("Constant" of section 4.2, 1).
        decrease: f64,
        /// Whether the flow empties the queue from time to time, to measure the base delay again.
        slowdowns: bool,
    },
}

/// Parameters of both controllers.
#[derive(Clone, Debug, saved::Plain)]
pub struct Parameters {
    /// LEDBAT or LEDBAT++.
    pub law: Law,
    /// Target of the queueing delay.
    pub target: Span,
    /// The delay that is measured.
    pub delay: Delay,
    /// Parts of the frame.
    pub parts: Parts,
}

/// The window rule of LEDBAT and LEDBAT++.
#[derive(Clone, Debug, saved::Plain)]
pub struct Ledbat {
    law: Law,
    /// Target of the queueing delay, s.
    target: f64,
    delays: Delays,
    gain: f64,
    /// When the current slowdown began; `None` if there is no slowdown.
    slowdown: Option<Time>,
    /// Time until which the window of a slowdown is kept.
    frozen_until: Time,
    frozen: bool,
    next_slowdown: Option<Time>,
    slowdowns: u64,
}

/// LEDBAT or LEDBAT++ with `parameters`.
pub fn controller(parameters: Parameters) -> LossBased<Ledbat> {
    let rule = Ledbat {
        law: parameters.law,
        target: parameters.target.secs_f64(),
        delays: Delays::new(parameters.delay),
        gain: match parameters.law {
            Law::Ledbat { gain, .. } => gain,
            Law::PlusPlus { .. } => 1.0 / MAX_GAIN_DIVISOR,
        },
        slowdown: None,
        frozen_until: Time::ZERO,
        frozen: false,
        next_slowdown: None,
        slowdowns: 0,
    };
    LossBased::new(rule, parameters.parts)
}

/// LEDBAT++, section 4.2: 1 / min(16, ceil(2 TARGET / base)), with both times in seconds.
pub fn plus_plus_gain(target: f64, base: f64) -> f64 {
    if base > 0.0 {
        1.0 / (2.0 * target / base).ceil().clamp(1.0, MAX_GAIN_DIVISOR)
    } else {
        1.0 / MAX_GAIN_DIVISOR
    }
}

impl Ledbat {
    /// Change of a window of `w` segments per window of acknowledged data. Before the first delay sample, zero.
    fn per_window(&self, w: f64) -> f64 {
        let Some(queueing) = self.delays.queueing() else {
            return 0.0;
        };
        let ratio = queueing / self.target;
        match self.law {
            // RFC 6817, section 2.4.2: off_target = (TARGET - queuing_delay) / TARGET.
            Law::Ledbat { gain, .. } => gain * (1.0 - ratio),
            Law::PlusPlus { .. } if ratio <= 1.0 => self.gain,
            Law::PlusPlus { decrease, .. } => (self.gain - decrease * w * (ratio - 1.0)).max(-w / 2.0),
        }
    }

    /// Begins and ends slowdowns, and ends the first slow start.
    fn pace_slowdowns(&mut self, ack: &Ack<'_>, window: &mut Window) {
        let Law::PlusPlus { slowdowns, .. } = self.law else {
            return;
        };
        let now = ack.now;
        let queueing = self.delays.queueing().unwrap_or(0.0);
        let first = window.initial && self.next_slowdown.is_none();
        if first && window.in_slow_start() && queueing > SLOW_START_EXIT * self.target {
            window.ssthresh = window.w;
        }
        if !slowdowns || ack.in_recovery {
            return;
        }
        let srtt = window.srtt.unwrap_or_default();
        self.frozen = self.slowdown.is_some() && now < self.frozen_until;
        if self.frozen || window.in_slow_start() {
            return;
        }
        match (self.slowdown, self.next_slowdown) {
            (Some(since), _) => {
                self.slowdown = None;
                self.next_slowdown = Some(now + now.since(since) * SLOWDOWN_PAUSE);
            }
            (None, None) => self.next_slowdown = Some(now + srtt * SLOWDOWN_RTTS),
            (None, Some(next)) if now >= next => {
                window.ssthresh = window.w.max(MIN_SSTHRESH_SEGMENTS);
                window.w = window.w.min(MIN_SEGMENTS);
                self.slowdown = Some(now);
                self.slowdowns += 1;
                self.frozen_until = now + srtt * SLOWDOWN_RTTS;
                self.frozen = true;
            }
            (None, Some(_)) => {}
        }
    }
}

impl Rescale for Ledbat {
    fn rescale(&mut self, _factor: f64) {}
}

impl Rule for Ledbat {
    type Memory = ();

    fn requires(&self) -> Signals {
        self.delays.requires()
    }

    fn start(&mut self, _event: &Start, window: &mut Window) {
        if let Law::Ledbat { slow_start: false, .. } = self.law {
            window.ssthresh = window.w;
        }
    }

    fn observe(&mut self, ack: &Ack<'_>, window: &mut Window) {
        self.delays.observe(ack);
        if let (Law::PlusPlus { .. }, Some(base)) = (self.law, self.delays.base()) {
            self.gain = plus_plus_gain(self.target, base);
        }
        self.pace_slowdowns(ack, window);
        if self.slowdown.is_none() && !window.in_slow_start() && !ack.in_recovery && ack.acked > Bytes::ZERO {
            let change = self.per_window(window.w).min(0.0) * ack.acked.segments(window.mss) / window.w;
            window.w = (window.w + change).max(window.w.min(MIN_SEGMENTS));
            // After a reduction that delay caused, there is no slow start.
            window.ssthresh = window.ssthresh.min(window.w);
        }
    }

    fn slow_start(&mut self, counted: f64, _window: &Window) -> f64 {
        match self.law {
            Law::Ledbat { .. } => counted,
            Law::PlusPlus { .. } if self.frozen => 0.0,
            Law::PlusPlus { .. } => self.gain * counted,
        }
    }

    fn avoidance(&mut self, _ack: &Ack<'_>, acked: f64, window: &Window) -> f64 {
        if self.frozen { 0.0 } else { self.per_window(window.w) * acked / window.w }
    }

    fn reduce(&mut self, event: &Reduction, window: &Window) -> f64 {
        match self.law {
            // RFC 6817 does not use slow start after a timeout either.
            Law::Ledbat { slow_start: false, .. } if event.sent_at.is_none() => MIN_SEGMENTS,
            // Packets that are lost during a slowdown were sent with the window from before the slowdown. This window
            // is the threshold.
            _ if self.slowdown.is_some() => reno::halve(window.ssthresh),
            _ => reno::halve(event.flight),
        }
    }

    fn persistent_congestion(&mut self, _now: Time, window: &mut Window) {
        if let Law::Ledbat { slow_start: false, .. } = self.law {
            window.ssthresh = window.ssthresh.min(MIN_SSTHRESH_SEGMENTS);
        }
    }

    fn command(&mut self, _window: &Window, control: &mut Control) {
        if self.slowdown.is_some() && control.phase == "slow start" {
            control.phase = "slowdown";
        }
    }

    fn save(&self) {}
    fn restore(&mut self, (): ()) {}

    fn snapshot(&self, out: &mut Snapshot) {
        out.push(("queueing_delay_s", self.delays.queueing().unwrap_or(0.0)));
        out.push(("gain", self.gain));
        out.push(("slowdowns", self.slowdowns as f64));
    }
}

words! { Delay { OneWay = "one-way", RoundTrip = "round-trip" } }

parameters! {
    /// Parameters of LEDBAT.
    struct LedbatParameters {
        /// target of the queueing delay: below it, the window grows; above it, the window shrinks
        target: Span = time("100 ms", Span::from_millis(1)..=Span::from_secs(10)), "RFC 6817, section 2.5";
        /// growth per round trip while the queue is empty; with 1, growth equals Reno's growth
        gain: f64 = number("segments", 1.0, 0.001..=1.0), "RFC 6817, section 2.5";
        /// which delay is measured; one-way delays do not count queues on the return path, but need the receiver's
        /// timestamps
        delay: Delay = word("one-way"), "RFC 6817, section 3.4";
        /// with false, the window grows by one segment per round trip from the start
        initial_slow_start: bool = flag(false), "RFC 6817, section 2.4.2 (its algorithm has no decrease of this kind)";
    }
}

const TARGET: Parameter = LedbatParameters::LIST
    .get("target")
    .preset(Value::Text("60 ms"))
    .source("draft-irtf-iccrg-ledbat-plus-plus, section 4");

const DELAY: Parameter = LedbatParameters::LIST
    .get("delay")
    .preset(Value::Text("round-trip"))
    .source("draft-irtf-iccrg-ledbat-plus-plus, section 4.1");

parameters! {
    /// Parameters of LEDBAT++.
    struct PlusPlusParameters {
        target: Span as TARGET;
        /// strength of the decrease above the target; with a larger value, the flow yields faster to other flows
        decrease: f64 = number("none", 1.0, 0.01..=10.0),
            "draft-irtf-iccrg-ledbat-plus-plus, section 4.2 (Constant)";
        delay: Delay as DELAY;
        /// without slowdowns (false), a later flow has an advantage over an earlier flow
        periodic_slowdown: bool = flag(true), "draft-irtf-iccrg-ledbat-plus-plus, section 4.4";
    }
}

pub(crate) const LEDBAT: Entry = Entry {
    name: "ledbat",
    summary: "LEDBAT (RFC 6817): background transport that keeps a fixed queueing delay",
    equations: "queueing = min(last 4 delays) - min(delays of 10 minutes)\n\
                W += gain (target - queueing)/target acked/W, at least 2\n\
                loss: W = max(FlightSize/2, 2); timeout: W = 1, then 2",
    own: &[&LedbatParameters::LIST.all],
    frame: WINDOW_RULE,
    sources: &["RFC 6817"],
    limits: "The base delay that a later flow measures includes the queue of an earlier flow. The later flow therefore \
             displaces the earlier flow. If the path becomes longer, the additional delay counts as a queue for ten \
             minutes. The window grows only while it limits sending. This rule replaces the RFC's ALLOWED_INCREASE. \
             The platform sets the initial window (the RFC's INIT_CWND). Clock skew is not corrected. During recovery, \
             the window does not change. LEDBAT needs one-way delays. On a platform without one-way delays, set `delay \
             = \"round-trip\"`; queues on the return path then count too. The RFC's text was not read in full.",
    papers: &[
        "D. Rossi, C. Testa, S. Valenti, L. Muscariello, LEDBAT: the new BitTorrent congestion control protocol, \
         ICCCN 2010",
    ],
    draws: false,
    construct: |settings| {
        let LedbatParameters { target, gain, delay, initial_slow_start } = LedbatParameters::read(settings);
        let law = Law::Ledbat { gain, slow_start: initial_slow_start };
        Box::new(controller(Parameters { law, target, delay, parts: parts(settings) }))
    },
};

pub(crate) const LEDBAT_PLUS_PLUS: Entry = Entry {
    name: "ledbat-plus-plus",
    summary: "LEDBAT++: LEDBAT with multiplicative decrease, gentler growth and periodic slowdowns",
    equations: "queueing = min(last 4 RTTs) - min(RTTs of 10 minutes), G = 1/min(16, ceil(2 target/base))\n\
                queueing <= target: W += G acked/W\n\
                else W += max(G - decrease W (queueing/target - 1), -W/2) acked/W, at least 2\n\
                slow start: W += G per counted segment; the first ends at queueing > 0.75 target\n\
                slowdown: ssthresh = W, W = 2 for 2 RTT, then slow start to ssthresh\n\
                first slowdown 2 RTT after the first slow start; each pause is 9 times as long as the slowdown before it\n\
                loss: W = max(FlightSize/2, 2); timeout: W = 1",
    own: &[&PlusPlusParameters::LIST.all],
    frame: WINDOW_RULE,
    sources: &["draft-irtf-iccrg-ledbat-plus-plus", "RFC 6817"],
    limits: "If the base delay is 120 ms or more, the gain is 1, so the window grows like Reno's. A queue on \
             the return path counts as queueing delay. The draft does not mention losses in a slowdown. In this \
             controller, such a loss halves the window to which the slowdown returns. During recovery, the \
             window does not change. The draft's text was not read in full. Section numbers are from memory.",
    papers: &["P. Balasubramanian, O. Ertugay, D. Havey, M. Bagnulo, \
         LEDBAT++: Congestion Control for Background Traffic, draft-irtf-iccrg-ledbat-plus-plus"],
    draws: false,
    construct: |settings| {
        let PlusPlusParameters { target, decrease, delay, periodic_slowdown } =
            PlusPlusParameters::read(settings);
        let law = Law::PlusPlus { decrease, slowdowns: periodic_slowdown };
        Box::new(controller(Parameters { law, target, delay, parts: parts(settings) }))
    },
};
