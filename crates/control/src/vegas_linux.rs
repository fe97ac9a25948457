// SPDX-License-Identifier: MIT OR Apache-2.0
//! Vegas as in Linux (`net/ipv4/tcp_vegas.c`), in the kernel's integer arithmetic.
//!
//! ```text
//! RTT = smallest sample of the round; BaseRTT = smallest of all; both in microseconds, plus one
//! target = floor(W BaseRTT / RTT),  diff = floor(W (RTT - BaseRTT) / BaseRTT)
//! slow start: doubles in every round; diff > gamma: W = min(W, target + 1), ssthresh = min(ssthresh, W)
//! avoidance:  diff > beta: W - 1    diff < alpha: W + 1, at once    else nothing; W >= 2
//! at most two samples in the round: as Reno
//! loss: ssthresh = max(floor(W/2), 2), W = ssthresh    timeout: the same, W = 1
//! ```
//!
//! Each of these differences from the 1995 paper changes results:
//!
//! 1. diff is divided by `BaseRTT` and not by RTT. diff is therefore larger than in the paper, by the factor
//!    RTT/`BaseRTT`.
//! 2. The smallest RTT represents a round. The first packet of a burst meets no queue, so slow start does not end early
//!    on a long path. Often only an overflow ends slow start.
//! 3. Slow start doubles in every round.
//! 4. A loss halves the window.
//! 5. After an idle period, `BaseRTT` is measured again.
//! 6. After a loss or a timeout, the window grows as in Reno until all losses are repaired. Then a round begins
//!    (`vegas_enable`).
//!
//! The kernel adds +1 and doubles even if the window does not limit sending. In this frame, the window grows only while
//! it limits sending. The kernel's lower bound of ssthresh (3/4 W) does not change any of its commands, so this code
//! omits it.

use crate::catalogue::parts::PACING;
use crate::catalogue::{Entry, parameters};
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::vegas::{RoundTrip, Samples};
use crate::window::{Rescale, Window};
use crate::{Ack, Snapshot, reno};
use units::{Span, Time};

/// Smallest number of samples in a round from which a decision is made. At least one of these samples does not come
/// from a delayed ACK.
const ENOUGH_SAMPLES: u32 = 3;
/// Smallest window after a decision.
const MIN_WINDOW: f64 = 2.0;

parameters! {
    /// Parameters of the kernel's module.
    pub struct Parameters {
        /// if fewer segments than this wait on the path, the window grows
        alpha: u64 = number("segments", 2.0, 0.0..=1e6), "Linux";
        /// if more segments than this wait on the path, the window shrinks
        beta: u64 = number("segments", 4.0, 0.0..=1e6), "Linux";
        /// if more segments than this wait on the path, slow start ends; with a large value, only losses end slow start
        gamma: u64 = number("segments", 1.0, 0.0..=1e6), "Linux";
        pacing: bool as PACING;
    }
}

/// The growth in avoidance that the newest ACK allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
enum Growth {
    Nothing,
    /// One segment, because of the decision at this ACK.
    One,
    /// Reno's growth.
    Reno,
}

/// The window rule of Linux's Vegas.
#[derive(Clone, Debug, saved::Plain)]
pub struct VegasLinux {
    parameters: Parameters,
    base: Option<Span>,
    round: RoundTrip,
    samples: Samples,
    growth: Growth,
    /// Whether the losses of a timeout are being repaired. Reno's rule then applies.
    timed_out: bool,
    diff: Option<u64>,
}

/// Linux's Vegas.
pub fn controller(parameters: Parameters) -> LossBased<VegasLinux> {
    let rule = VegasLinux {
        parameters,
        base: None,
        round: RoundTrip::FIRST,
        samples: Samples::NONE,
        growth: Growth::Nothing,
        timed_out: false,
        diff: None,
    };
    let parts = Parts { pacing: parameters.pacing, ..Parts::classic(f64::INFINITY) };
    LossBased::new(rule, parts)
}

/// The RTT in microseconds, plus one: "never allow zero".
fn micros(rtt: Span) -> u64 {
    rtt.nanos() / 1000 + 1
}

/// Returns the window that belongs to the actual rate, and diff. Both are in segments.
fn compare(w: u64, rtt: Span, base: Span) -> (u64, u64) {
    let (rtt, base) = (micros(rtt), micros(base));
    // u128 is enough for a window of 2^30 segments and an RTT of hours.
    let share = |over: u64, under: u64| (u128::from(w) * u128::from(over) / u128::from(under)) as u64;
    (share(base, rtt), share(rtt.saturating_sub(base), base))
}

impl VegasLinux {
    /// `vegas_enable`: begins a round.
    const fn restart(&mut self, now: Time) {
        self.round.restart(now);
        self.samples = Samples::NONE;
    }

    fn decide(&mut self, window: &mut Window) {
        let Some(base) = self.base.filter(|_| self.samples.count() >= ENOUGH_SAMPLES) else {
            self.growth = Growth::Reno;
            return;
        };
        let (target, diff) = compare(window.w as u64, self.samples.min(), base);
        self.diff = Some(diff);
        if window.in_slow_start() {
            if diff > self.parameters.gamma {
                window.w = window.w.min((target as f64 + 1.0).max(MIN_WINDOW));
                window.ssthresh = window.ssthresh.min(window.w);
            }
        } else if diff > self.parameters.beta {
            window.w = window.w.min((window.w - 1.0).max(MIN_WINDOW));
            window.ssthresh = window.ssthresh.min(window.w);
        } else if diff < self.parameters.alpha {
            self.growth = Growth::One;
        }
    }
}

impl Rescale for VegasLinux {
    fn rescale(&mut self, factor: f64) {
        self.diff = self.diff.map(|diff| (diff as f64 * factor) as u64);
    }
}

impl Rule for VegasLinux {
    type Memory = ();

    fn observe(&mut self, ack: &Ack<'_>, window: &mut Window) {
        if let Some(rtt) = ack.rtt {
            self.base = Some(self.base.map_or(rtt, |base| base.min(rtt)));
            self.samples.add(rtt);
        }
        self.growth = Growth::Nothing;
        if self.timed_out || ack.in_recovery {
            self.growth = Growth::Reno;
        } else if self.round.ends(ack) {
            self.decide(window);
            self.samples = Samples::NONE;
        }
    }

    fn slow_start(&mut self, counted: f64, _window: &Window) -> f64 {
        counted
    }

    fn avoidance(&mut self, _ack: &Ack<'_>, acked: f64, window: &Window) -> f64 {
        match self.growth {
            Growth::Nothing => 0.0,
            Growth::One => 1.0,
            Growth::Reno => reno::increase(acked, window.w),
        }
    }

    fn reduce(&mut self, _event: &Reduction, window: &Window) -> f64 {
        // tcp_reno_ssthresh: max(cwnd >> 1, 2)
        ((window.w as u64) >> 1) as f64
    }

    fn timeout(&mut self) {
        self.timed_out = true;
    }

    fn repaired(&mut self, now: Time, _window: &mut Window) {
        self.timed_out = false;
        self.restart(now);
    }

    fn idle(&mut self, now: Time, _window: &mut Window) {
        self.base = None;
        self.restart(now);
    }

    fn save(&self) {}

    fn restore(&mut self, (): ()) {
        self.timed_out = false;
    }

    fn snapshot(&self, out: &mut Snapshot) {
        if let Some(base) = self.base {
            out.push(("base_rtt_ms", base.millis_f64()));
        }
        if let Some(diff) = self.diff {
            out.push(("diff_segments", diff as f64));
        }
    }
}

pub(crate) const VEGAS_LINUX: Entry = Entry {
    name: "vegas-linux",
    summary: "Vegas as in Linux: smallest RTT of a round, doubling in every round, halving at losses",
    equations: "RTT the smallest of the last round; diff = floor(W (RTT - BaseRTT)/BaseRTT)\n\
                slow start: W += acked; diff > gamma: W = min(W, floor(W BaseRTT/RTT) + 1) and avoidance\n\
                avoidance, once per round: diff < alpha: W += 1; diff > beta: W -= 1; W >= 2\n\
                fewer than 3 samples in a round, and while a timeout is repaired: as Reno\n\
                loss: ssthresh = max(floor(W/2), 2), W = ssthresh; timeout: the same, W = 1",
    own: &[&Parameters::LIST.all],
    frame: &[],
    sources: &["Linux 6.1 net/ipv4/tcp_vegas.c"],
    limits: "Thresholds are whole segments (fractions are cut off). If the path becomes longer, the change \
             looks like a queue until the flow is idle. Linux's state Disorder is not modelled.",
    papers: &["L. Brakmo, L. Peterson, TCP Vegas, IEEE JSAC 13(8), 1995"],
    draws: false,
    construct: |settings| Box::new(controller(Parameters::read(settings))),
};

#[cfg(test)]
mod tests {
    use super::*;

    /// The kernel's arithmetic, computed by hand for W = 20, base 100 ms and RTT 110 ms. The window is 20 *
    /// 100001/110001 = 18.18, and diff is 20 * 10000/100001 = 1.99998. Because of the added microsecond, diff is 1 and
    /// not 2.
    #[test]
    fn whole_segments() {
        assert_eq!(compare(20, Span::from_millis(110), Span::from_millis(100)), (18, 1));
        assert_eq!(compare(20, Span::from_micros(110_001), Span::from_millis(100)), (18, 2));
        assert_eq!(compare(20, Span::from_millis(100), Span::from_millis(100)), (20, 0));
    }
}
