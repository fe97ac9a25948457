// SPDX-License-Identifier: MIT OR Apache-2.0
//! PCC Vivace (M. Dong and others, NSDI 2018): the rate follows the gradient of a utility.
//!
//! ```text
//! u = x^0.9 - 900 x dRTT/dt - 11.35 x L               (1)  x: rate in Mbit/s, L: share lost, in one monitor interval
//! ```
//!
//! Rules of the **paper** ([`Paper`]):
//!
//! ```text
//! starting: the rate doubles each interval until u falls; then back to the rate before
//! afterwards: two intervals at x (1 + e) and x (1 - e), in random order
//! gamma = (u(x (1 + e)) - u(x (1 - e))) / (2 e x),  change = m theta_0 gamma, at most omega x
//! m: 1, 2, 3, 5, 7, ... with the steps in one direction;  omega = 0.05 + 0.1 k after k changes that met it
//! dRTT/dt: slope of a straight line through (time of sending, RTT); below 0.01 it is noise
//! if the higher rate of a pair lost less, the pair is tried once more; if the result is the same, the mean counts
//! ```
//!
//! An interval lasts one smoothed RTT, and contains at least ten packets. The results of a pair arrive a round trip
//! after the pair was sent. Until then, the sender sends at the rate x.
//!
//! The authors' program **PCC-Uspace** ([`Uspace`]) has other rules in these points:
//!
//! ```text
//! an interval lasts the smallest RTT, and until it has four RTT samples; x in u is the rate that was sent
//! starting: one interval at a time, until u falls; then half the rate
//! dRTT/dt: 0 if the RTT falls, or if the slope is within the spread of the RTTs and their means do not rise unusually
//! three pairs: two for a higher rate, or three for a lower rate, cause a step; more steps follow while u rises
//! change = floor((rounds + 1)/2)^1.2 gamma, at least 0.5 Mbit/s, at most (0.05 + 0.05 k) x
//! ```
//!
//! If the application or the receiver limited an interval, the utility of this interval does not belong to its rate.
//! The interval is then repeated. Vivace does not use a window. The commanded window is twice the amount that the rate
//! requires.

mod entry;
mod flow;
mod interval;
mod line;
mod paper;
mod step;
mod tolerance;
mod uspace;

#[cfg(test)]
mod tests;

pub(crate) use entry::VIVACE;
pub use interval::Utility;
pub use paper::Paper;
pub use step::Steps;
pub use uspace::Uspace;

use crate::window::{MAX_WINDOW_SEGMENTS, MIN_WINDOW_SEGMENTS};
use crate::{
    Ack, Control, Controller, Limited, Loss, LossTrigger, LossVerdict, NewMss, Sent, Signals, Snapshot,
    Start, Timeout,
};
use flow::{Flow, MAX_INTERVALS};
use paper::PaperRules;
use random::{SeedableRng as _, SplitMix64};
use units::{Bytes, Rate, Span, Time};
use uspace::UspaceRules;

/// Commanded window divided by rate times RTT. While ACKs arrive, the window must not limit sending. When they stop,
/// the window must stop sending.
const WINDOW_GAIN: f64 = 2.0;

/// The set of rules and its parameters.
#[derive(Clone, Debug)]
pub enum Rules {
    /// The rules of the paper.
    Paper(Paper),
    /// The rules of the program.
    Uspace(Uspace),
}

#[derive(Clone, Debug, saved::Plain)]
enum State {
    Paper(PaperRules),
    Uspace(Box<UspaceRules>),
}

/// The controller Vivace.
#[derive(Clone, Debug, saved::Saved)]
pub struct Vivace {
    initial_window: f64,
    flow: Flow,
    state: State,
}

impl Vivace {
    /// Vivace with `rules`.
    pub fn new(rules: Rules) -> Self {
        let state = match rules {
            Rules::Paper(parameters) => State::Paper(PaperRules::new(parameters)),
            Rules::Uspace(parameters) => State::Uspace(Box::new(UspaceRules::new(parameters))),
        };
        Self { initial_window: MIN_WINDOW_SEGMENTS, flow: Flow::new(), state }
    }

    /// Processes all complete results. `newest_sent` is the time at which the newest acknowledged packet was sent.
    fn settle(&mut self, newest_sent: Option<Time>) {
        match &mut self.state {
            State::Paper(rules) => rules.settle(&mut self.flow, newest_sent),
            State::Uspace(rules) => rules.settle(&mut self.flow, newest_sent),
        }
    }

    fn command(&self, control: &mut Control) {
        let mss = self.flow.mss;
        let floor = Bytes::from_segments(self.initial_window, mss);
        if let Some(rate) = self.flow.sending_rate() {
            // The rate may be older than the RTT, from a time when the RTT was much shorter.
            let segments = WINDOW_GAIN * rate * self.flow.srtt.secs_f64() / f64::from(mss);
            let window = Bytes::from_segments(segments.min(MAX_WINDOW_SEGMENTS), mss);
            control.cwnd = window.max(floor);
            control.pacing = Some(Rate::from_bytes_per_s(rate).max(Rate::from_bits_per_s(1)));
        } else {
            control.cwnd = floor;
        }
        control.phase = match &self.state {
            State::Paper(rules) => rules.phase(),
            State::Uspace(rules) => rules.phase(),
        };
    }
}

impl Controller for Vivace {
    fn requires(&self) -> Signals {
        Signals::PACING.and(Signals::SENT).and(Signals::PER_PACKET)
    }

    fn on_start(&mut self, event: &Start, control: &mut Control) {
        self.flow.mss = event.mss;
        self.initial_window = f64::from(event.initial_window).max(MIN_WINDOW_SEGMENTS);
        self.flow.random = SplitMix64::seed_from_u64(event.seed);
        // A loss changes the utility and not the window.
        control.owns_recovery = true;
        self.command(control);
    }

    fn on_sent(&mut self, event: &Sent, control: &mut Control) {
        let Some(rate) = self.flow.rate else {
            return;
        };
        if self.flow.intervals.len() < MAX_INTERVALS {
            let is_over = self.flow.open
                && match &mut self.state {
                    State::Paper(_) => PaperRules::is_over(&self.flow, event.now),
                    State::Uspace(rules) => rules.is_over(&mut self.flow, event.now),
                };
            if is_over || !self.flow.open {
                let next = match &mut self.state {
                    State::Paper(rules) => rules.next(&self.flow, event.now, event.tx, rate),
                    State::Uspace(rules) => rules.next(&mut self.flow, event.now, event.tx, rate),
                };
                self.flow.intervals.push_back(next);
                self.flow.open = true;
            }
        }
        if let Some(newest) = self.flow.intervals.back_mut() {
            newest.count_sent(event.now);
        }
        self.command(control);
    }

    fn on_ack(&mut self, ack: &Ack<'_>, control: &mut Control) {
        if let Some(srtt) = ack.srtt.filter(|srtt| *srtt > Span::ZERO) {
            self.flow.srtt = srtt;
            self.flow.min_rtt = ack.min_rtt.unwrap_or(srtt);
            if self.flow.rate.is_none() {
                let window = self.initial_window * f64::from(self.flow.mss);
                self.flow.rate = Some(match self.state {
                    State::Paper(_) => self.flow.bounded(window / srtt.secs_f64()),
                    State::Uspace(_) => UspaceRules::first_rate(window, srtt),
                });
            }
        }
        if let State::Uspace(rules) = &mut self.state {
            rules.sample(&mut self.flow, ack);
        }
        let over_time = matches!(self.state, State::Paper(_));
        for packet in ack.packets {
            if let Some(interval) = self.flow.interval_of(packet.tx) {
                interval.count_acked();
                if ack.app_limited {
                    interval.limit();
                }
                if over_time && let Some(rtt) = ack.rtt.filter(|_| Some(packet.sent_at) == ack.sent_at) {
                    interval.sample_over_time(packet.sent_at, rtt);
                }
            }
        }
        self.settle(ack.sent_at);
        self.command(control);
    }

    fn on_loss(&mut self, event: &Loss<'_>, control: &mut Control) -> LossVerdict {
        if event.trigger == LossTrigger::Ecn {
            return LossVerdict::LinkError;
        }
        for packet in event.packets {
            if let Some(interval) = self.flow.interval_of(packet.tx) {
                interval.count_lost();
            }
        }
        self.settle(None);
        self.command(control);
        LossVerdict::Congestion
    }

    fn on_limited(&mut self, _event: &Limited, _control: &mut Control) {
        if self.flow.open
            && let Some(newest) = self.flow.intervals.back_mut()
        {
            newest.limit();
        }
    }

    fn on_timeout(&mut self, _event: &Timeout, control: &mut Control) {
        match &mut self.state {
            State::Paper(rules) => rules.timeout(&mut self.flow),
            State::Uspace(rules) => rules.timeout(&mut self.flow),
        }
        self.command(control);
    }

    /// The intervals already count the losses. Packets in flight are not presumed lost.
    fn on_persistent_congestion(&mut self, _now: Time, control: &mut Control) {
        if let State::Paper(rules) = &mut self.state {
            rules.timeout(&mut self.flow);
        }
        self.command(control);
    }

    /// The rate does not change. The lower bound of the window is the initial window, which counts segments of the new
    /// size.
    fn on_mss(&mut self, event: &NewMss, control: &mut Control) {
        self.flow.mss = event.mss.max(1);
        self.flow.rate = self.flow.rate.map(|rate| match self.state {
            State::Paper(_) => self.flow.bounded(rate),
            State::Uspace(_) => rate.min(self.flow.most()),
        });
        self.command(control);
    }

    fn snapshot(&self, out: &mut Snapshot) {
        let (utility, confidence, decisions) = match &self.state {
            State::Paper(rules) => (rules.utility, rules.confidence(), rules.decisions),
            State::Uspace(rules) => (rules.utility(), rules.confidence(), rules.decisions),
        };
        out.push(("rate_mbit_s", self.flow.rate.unwrap_or(0.0) / Utility::bytes_per_s(1.0)));
        out.push(("utility", utility));
        out.push(("confidence", confidence));
        out.push(("decisions", decisions as f64));
    }
}
