// SPDX-License-Identifier: MIT OR Apache-2.0
//! PCC Vivace (M. Dong and others, NSDI 2018): a rate that climbs the gradient of a utility.
//!
//! ```text
//! u = x^0.9 - 900 x dRTT/dt - 11.35 x L               (1)  x: rate in Mbit/s, L: share lost, in one monitor interval
//! starting: the rate doubles each interval until u falls; then back to the rate before
//! afterwards: two intervals at x (1 + e) and x (1 - e), in an order left to chance
//! gamma = (u(x (1 + e)) - u(x (1 - e))) / (2 e x),  change = m theta_0 gamma, at most omega x
//! m: 1, 2, 3, 5, 7, ... with the steps in one direction;  omega = 0.05 + 0.1 k after k changes that met it
//! dRTT/dt: slope of a straight line through (time of sending, RTT); below 0.01 it is noise
//! a pair in which the higher rate lost less is tried once more; if that says the same, the mean of both counts
//! ```
//!
//! An interval that the application or the receiver limited says nothing about its rate, and is tried again.
//!
//! An interval lasts one smoothed RTT, and at least ten packets. The results of a pair come a round trip after it; the
//! sender waits for them at x. Vivace has no window: the one commanded is twice what the rate needs.

mod interval;
mod step;

#[cfg(test)]
mod tests;

pub use interval::Utility;
pub use step::Steps;

use crate::catalogue::Entry;
use crate::catalogue::parts::number;
use crate::random::SplitMix64;
use crate::window::{MAX_WINDOW_SEGMENTS, MIN_WINDOW_SEGMENTS};
use crate::{
    Ack, Control, Controller, Limited, Loss, LossVerdict, NewMss, Sent, Signals, Snapshot, Start, Timeout,
};
use interval::{Interval, Outcome, Purpose};
use std::collections::VecDeque;
use step::Stepper;
use units::{Bytes, Rate, Span, Time};

/// Intervals that can be open or unsettled. Two or three are; more only while the RTT grows many times over. When
/// there is no room the newest is continued.
const MAX_INTERVALS: usize = 16;
/// Packets in an interval, at least: fewer say nothing about a gradient (PCC's `10 packets`, NSDI 2015).
const MIN_PACKETS: f64 = 10.0;
/// Slowest rate, segments per smoothed RTT: the smallest window of other controllers.
const MIN_RATE_SEGMENTS: f64 = 2.0;
/// Window over rate times RTT: it must not limit, and shall end sending when nothing comes back.
const WINDOW_GAIN: f64 = 2.0;

/// What can be chosen about Vivace.
#[derive(Clone, Debug)]
pub struct Parameters {
    /// The utility's coefficients.
    pub utility: Utility,
    /// Sizes of the steps.
    pub steps: Steps,
    /// How far the probes of a pair are from the rate (e, 0.05).
    pub probe: f64,
    /// RTT gradients below this count as none (0.01).
    pub gradient_filter: f64,
}

#[derive(Clone, Debug)]
enum Phase {
    /// The outcome of the interval before.
    Starting {
        before: Option<Outcome>,
    },
    Learning(Pair),
}

/// A pair of probes on its way.
#[derive(Clone, Debug, Default)]
struct Pair {
    /// Intervals of this pair that have been opened.
    opened: u32,
    /// Whether the first of them is the faster.
    faster_first: bool,
    first: Option<Outcome>,
    /// Gradient of the pair before, which looked wrong.
    suspicious: Option<f64>,
}

/// The controller.
#[derive(Clone, Debug)]
pub struct Vivace {
    parameters: Parameters,
    mss: u32,
    initial_window: f64,
    /// Rate in bytes/s; `None` before the first RTT sample.
    rate: Option<f64>,
    srtt: Span,
    phase: Phase,
    /// In the order of sending; the last is open.
    intervals: VecDeque<Interval>,
    /// Whether the newest interval takes further packets.
    open: bool,
    stepper: Stepper,
    /// Orders the probes of a pair.
    random: SplitMix64,
    utility: f64,
    decisions: u64,
}

impl Vivace {
    /// Vivace with `parameters`.
    pub fn new(parameters: Parameters) -> Self {
        Self {
            parameters,
            mss: 1,
            initial_window: MIN_WINDOW_SEGMENTS,
            rate: None,
            srtt: Span::ZERO,
            phase: Phase::Starting { before: None },
            intervals: VecDeque::with_capacity(MAX_INTERVALS),
            open: false,
            stepper: Stepper::default(),
            random: SplitMix64::new(0),
            utility: 0.0,
            decisions: 0,
        }
    }

    /// Keeps `rate` within what can be sent.
    fn bounded(&self, rate: f64) -> f64 {
        let per_rtt = f64::from(self.mss) / self.srtt.secs_f64().max(1e-9);
        rate.clamp(MIN_RATE_SEGMENTS * per_rtt, MAX_WINDOW_SEGMENTS * per_rtt)
    }

    /// Opens the next interval with packet `tx`.
    fn open_next(&mut self, now: Time, tx: u64, rate: f64) {
        let (purpose, rate) = match &mut self.phase {
            Phase::Starting { .. } => {
                // The first interval is at the initial rate; one that was limited shows nothing, and is tried again.
                let next = |newest: &Interval| newest.rate * if newest.is_limited() { 1.0 } else { 2.0 };
                (Purpose::Starting, self.intervals.back().map_or(rate, next))
            }
            Phase::Learning(pair) if pair.opened < 2 => {
                let faster = pair.faster_first == (pair.opened == 0);
                pair.opened += 1;
                let e = self.parameters.probe;
                (Purpose::Probe, rate * if faster { 1.0 + e } else { 1.0 - e })
            }
            Phase::Learning(_) => (Purpose::Wait, rate),
        };
        let rate = self.bounded(rate);
        let packets = Span::from_secs_f64(MIN_PACKETS * f64::from(self.mss) / rate);
        self.intervals.push_back(Interval::new(purpose, rate, now, self.srtt.max(packets), tx));
        self.open = true;
    }

    /// Takes up the results that are in. `newest_sent`: when the newest acknowledged packet was sent.
    fn settle(&mut self, newest_sent: Option<Time>) {
        while let Some(front) = self.intervals.front() {
            let closed = self.intervals.len() > 1 || !self.open;
            // What is still out a round trip after the last packet of the interval is lost.
            let overdue = newest_sent.is_some_and(|sent| sent >= front.end + self.srtt);
            if !closed || !(front.is_settled() || overdue) {
                return;
            }
            let outcome = front.outcome(self.parameters.gradient_filter);
            let purpose = front.purpose;
            self.intervals.pop_front();
            match purpose {
                Purpose::Starting => self.started(outcome),
                Purpose::Probe => self.probed(outcome),
                Purpose::Wait => {}
            }
        }
    }

    /// An interval of the starting phase.
    fn started(&mut self, outcome: Option<Outcome>) {
        let Phase::Starting { before } = &mut self.phase else {
            return;
        };
        let Some(outcome) = outcome else {
            return;
        };
        let utility = self.parameters.utility.of(&outcome);
        self.utility = utility;
        match before.replace(outcome) {
            Some(before) if utility < self.parameters.utility.of(&before) => {
                self.rate = Some(self.bounded(before.rate));
                self.learn(None);
            }
            _ => self.rate = Some(outcome.rate),
        }
    }

    /// A probe.
    fn probed(&mut self, outcome: Option<Outcome>) {
        let Phase::Learning(pair) = &mut self.phase else {
            return;
        };
        let suspicious = pair.suspicious;
        let (Some(outcome), Some(rate)) = (outcome, self.rate) else {
            // It was not sent at its rate: the pair says nothing.
            self.learn(suspicious);
            return;
        };
        let Some(first) = pair.first.take() else {
            pair.first = Some(outcome);
            return;
        };
        let utility = self.parameters.utility;
        self.utility = utility.of(&outcome);
        let gradient = utility.gradient(&first, &outcome);
        // Section 4.3: sending faster is hardly ever the cause of losing less.
        let odd = (first.rate - outcome.rate) * (first.loss_rate - outcome.loss_rate) < 0.0;
        let gradient = match suspicious {
            None if odd => {
                self.learn(Some(gradient));
                return;
            }
            Some(before) if odd => f64::midpoint(before, gradient),
            _ => gradient,
        };
        let x = rate / Utility::bytes_per_s(1.0);
        let change = self.stepper.change(&self.parameters.steps, gradient, x);
        self.rate = Some(self.bounded(rate + Utility::bytes_per_s(change)));
        self.decisions += 1;
        self.learn(None);
    }

    /// The next pair begins with the next packet.
    fn learn(&mut self, suspicious: Option<f64>) {
        let faster_first = self.random.word() & 1 == 1;
        self.phase = Phase::Learning(Pair { opened: 0, faster_first, first: None, suspicious });
        self.open = false;
    }

    fn command(&self, control: &mut Control) {
        let floor = Bytes::from_segments(self.initial_window, self.mss);
        let newest = self.intervals.back().filter(|_| self.open).map(|interval| interval.rate);
        if let Some(rate) = newest.or(self.rate) {
            // The rate may stem from a time with a far shorter RTT.
            let segments = WINDOW_GAIN * rate * self.srtt.secs_f64() / f64::from(self.mss);
            let window = Bytes::from_segments(segments.min(MAX_WINDOW_SEGMENTS), self.mss);
            control.cwnd = window.max(floor);
            control.pacing = Some(Rate::from_bytes_per_s(rate).max(Rate::from_bits_per_s(1)));
        } else {
            control.cwnd = floor;
        }
        control.phase = match self.phase {
            Phase::Starting { .. } => "starting",
            Phase::Learning(_) => "learning",
        };
    }
}

impl Controller for Vivace {
    fn requires(&self) -> Signals {
        Signals::PACING.and(Signals::SENT).and(Signals::PER_PACKET)
    }

    fn on_start(&mut self, event: &Start, control: &mut Control) {
        self.mss = event.mss;
        self.initial_window = f64::from(event.initial_window).max(MIN_WINDOW_SEGMENTS);
        self.random = SplitMix64::new(event.seed);
        // A loss changes the utility, not a window.
        control.owns_recovery = true;
        self.command(control);
    }

    fn on_sent(&mut self, event: &Sent, control: &mut Control) {
        let Some(rate) = self.rate else {
            return;
        };
        if let Some(newest) = self.intervals.back_mut()
            && self.open
            && event.now >= newest.end
            && self.intervals.len() < MAX_INTERVALS
        {
            self.open = false;
        }
        if !self.open && self.intervals.len() < MAX_INTERVALS {
            self.open_next(event.now, event.tx, rate);
        }
        if let Some(newest) = self.intervals.back_mut() {
            newest.count_sent();
        }
        self.command(control);
    }

    fn on_ack(&mut self, ack: &Ack<'_>, control: &mut Control) {
        if let Some(srtt) = ack.srtt.filter(|srtt| *srtt > Span::ZERO) {
            self.srtt = srtt;
            if self.rate.is_none() {
                self.rate = Some(self.bounded(self.initial_window * f64::from(self.mss) / srtt.secs_f64()));
            }
        }
        for packet in ack.packets {
            if let Some(interval) = self.intervals.iter_mut().rev().find(|i| i.began_before(packet.tx)) {
                interval.count_acked();
                if ack.app_limited {
                    interval.limit();
                }
                if let Some(rtt) = ack.rtt.filter(|_| Some(packet.sent_at) == ack.sent_at) {
                    interval.sample(packet.sent_at, rtt);
                }
            }
        }
        self.settle(ack.sent_at);
        self.command(control);
    }

    fn on_loss(&mut self, event: &Loss<'_>, control: &mut Control) -> LossVerdict {
        for packet in event.packets {
            if let Some(interval) = self.intervals.iter_mut().rev().find(|i| i.began_before(packet.tx)) {
                interval.count_lost();
            }
        }
        self.settle(None);
        self.command(control);
        LossVerdict::Congestion
    }

    fn on_limited(&mut self, _event: &Limited, _control: &mut Control) {
        if let Some(newest) = self.intervals.back_mut().filter(|_| self.open) {
            newest.limit();
        }
    }

    fn on_timeout(&mut self, _event: &Timeout, control: &mut Control) {
        // Section 4.3, "MI timeout": half the rate when no results come.
        if let Some(rate) = self.rate {
            self.rate = Some(self.bounded(rate / 2.0));
            self.intervals.clear();
            self.stepper = Stepper::default();
            self.learn(None);
        }
        self.command(control);
    }

    /// The rate stays; the initial window, below which the window does not fall, is one of segments of the new size.
    fn on_mss(&mut self, event: &NewMss, control: &mut Control) {
        self.mss = event.mss.max(1);
        self.rate = self.rate.map(|rate| self.bounded(rate));
        self.command(control);
    }

    fn snapshot(&self, out: &mut Snapshot) {
        out.push(("rate_mbit_s", self.rate.unwrap_or(0.0) / Utility::bytes_per_s(1.0)));
        out.push(("utility", self.utility));
        out.push(("confidence", self.stepper.confidence()));
        out.push(("decisions", self.decisions as f64));
    }
}

pub(crate) const VIVACE: Entry = Entry {
    name: "vivace",
    summary: "PCC Vivace: a rate that climbs the gradient of a utility",
    equations: "u = x^exponent - latency_weight x dRTT/dt - loss_weight x L, x in Mbit/s\n\
                per interval of one SRTT, at least ten packets; |dRTT/dt| < gradient_filter is 0\n\
                starting: first rate IW/RTT, doubled each interval until u falls; then the rate before\n\
                pairs at x (1 + e), x (1 - e): gamma = difference of u / difference of x\n\
                x += min(m conversion |gamma|, omega x) in the direction of gamma\n\
                m = 1, 2, 3, 5, 7, ... with the steps in one direction; omega = bound + k bound_increment\n\
                a pair whose higher rate lost less is repeated once\n\
                timeout: x /= 2; W = 2 x SRTT, at least IW",
    own: &[
        number(
            "exponent",
            "none",
            (0.9, 0.1, 1.0),
            "Dong et al. 2018, equation 1 (t)",
            "nearer to 1 weighs the rate more",
        ),
        number(
            "latency_weight",
            "none",
            (900.0, 0.0, 1e6),
            "Dong et al. 2018, equation 1 (b)",
            "0 is the loss-only Vivace, which fills the queue",
        ),
        number(
            "loss_weight",
            "none",
            (11.35, 0.0, 1e6),
            "Dong et al. 2018, equation 1 (c); PCC-Uspace, kVivaceLossCoefficient",
            "smaller bears more random loss and causes more when many share",
        ),
        number(
            "probe",
            "share of the rate",
            (0.05, 0.001, 0.5),
            "Dong et al. 2018, section 4.2 (epsilon)",
            "larger probes are told from noise more easily and cost more",
        ),
        number(
            "gradient_filter",
            "none",
            (0.01, 0.0, 1.0),
            "Dong et al. 2018, section 4.3",
            "RTT gradients below are noise; a moving satellite alone makes less than 1e-4",
        ),
        number(
            "conversion",
            "(Mbit/s)^2",
            (1.0, 1e-3, 1e3),
            "Dong et al. 2018, section 4.2 (theta_0)",
            "larger steps per utility gradient",
        ),
        number(
            "bound",
            "share of the rate",
            (0.05, 1e-3, 1.0),
            "Dong et al. 2018, section 4.2 (omega_0)",
            "first bound of one step",
        ),
        number(
            "bound_increment",
            "share of the rate",
            (0.1, 1e-3, 1.0),
            "Dong et al. 2018, section 4.2 (delta)",
            "how fast the bound widens while it is met",
        ),
    ],
    frame: &[],
    sources: &[
        "Dong et al. 2018",
        "PCC-Uspace (pcc_utility_manager.cpp, pcc_vivace_rc.cpp)",
        "WebRTC, modules/congestion_controller/pcc",
    ],
    limits: "The numbers are those of the paper's public implementations; the paper was not at hand in full. Whether the \
             confidence counts 1, 2, 3, 5 or 1, 1, 2, 3, 5 is read as WebRTC does. Starting doubles before results are \
             in, up to four times the capacity, as PCC-Uspace does. One step takes about three RTTs, so on a GEO path \
             growth is slow: 1, 2, 3, 5 ... times 0.6 Mbit/s. The MI timeout is the transport's timeout. The window is \
             this laboratory's: Vivace has none.",
    papers: &["M. Dong, T. Meng, D. Zarchy, E. Arslan, Y. Gilad, P. B. Godfrey, M. Schapira, \
         PCC Vivace: Online-Learning Congestion Control, NSDI 2018"],
    construct: |settings| {
        Box::new(Vivace::new(Parameters {
            utility: Utility {
                exponent: settings.number("exponent"),
                latency: settings.number("latency_weight"),
                loss: settings.number("loss_weight"),
            },
            steps: Steps {
                conversion: settings.number("conversion"),
                bound: settings.number("bound"),
                bound_increment: settings.number("bound_increment"),
            },
            probe: settings.number("probe"),
            gradient_filter: settings.number("gradient_filter"),
        }))
    },
};
