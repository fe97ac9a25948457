// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rate control of the paper (section 4): a starting phase, and then one pair of probes after another.

use super::flow::Flow;
use super::interval::{Interval, Outcome, Purpose, Utility};
use super::step::{Stepper, Steps};
use random::Draw as _;
use units::{Span, Time};

/// Smallest number of packets in an interval. A gradient cannot be computed from fewer packets (PCC's `10 packets`,
/// NSDI 2015).
const MIN_PACKETS: f64 = 10.0;

/// Parameters of the paper's rules.
#[derive(Clone, Debug, saved::Plain)]
pub struct Paper {
    /// The utility's coefficients.
    pub utility: Utility,
    /// Sizes of the steps.
    pub steps: Steps,
    /// Relative difference between the probes of a pair and the rate (e, 0.05).
    pub probe: f64,
    /// RTT gradients below this value count as zero (0.01).
    pub gradient_filter: f64,
}

#[derive(Clone, Debug, saved::Plain)]
enum Phase {
    /// The starting phase. `before` is the outcome of the previous interval.
    Starting {
        before: Option<Outcome>,
    },
    Learning(Pair),
}

/// A pair of probes whose results are not complete.
#[derive(Clone, Debug, Default, saved::Plain)]
struct Pair {
    /// Number of intervals of this pair that have begun.
    opened: u32,
    /// Whether the first interval is the faster one.
    faster_first: bool,
    first: Option<Outcome>,
    /// Gradient of the previous pair, if this gradient was implausible.
    suspicious: Option<f64>,
}

/// The state of the rate control.
#[derive(Clone, Debug, saved::Plain)]
pub(super) struct PaperRules {
    parameters: Paper,
    phase: Phase,
    stepper: Stepper,
    pub(super) utility: f64,
    pub(super) decisions: u64,
}

impl PaperRules {
    pub(super) fn new(parameters: Paper) -> Self {
        Self {
            parameters,
            phase: Phase::Starting { before: None },
            stepper: Stepper::default(),
            utility: 0.0,
            decisions: 0,
        }
    }

    pub(super) const fn phase(&self) -> &'static str {
        match self.phase {
            Phase::Starting { .. } => "starting",
            Phase::Learning(_) => "learning",
        }
    }

    pub(super) fn confidence(&self) -> f64 {
        self.stepper.confidence()
    }

    /// Whether the open interval has ended.
    pub(super) fn is_over(flow: &Flow, now: Time) -> bool {
        flow.intervals.back().is_some_and(|newest| now >= newest.end)
    }

    /// Returns the next interval, which begins with the packet `tx`.
    pub(super) fn next(&mut self, flow: &Flow, now: Time, tx: u64, rate: f64) -> Interval {
        let (purpose, rate) = match &mut self.phase {
            Phase::Starting { .. } => {
                // The first interval has the initial rate. The result of a limited interval does not belong to its
                // rate, so the interval is repeated.
                let next = |newest: &Interval| newest.rate * if newest.is_limited() { 1.0 } else { 2.0 };
                (Purpose::Starting, flow.intervals.back().map_or(rate, next))
            }
            Phase::Learning(pair) if pair.opened < 2 => {
                let faster = pair.faster_first == (pair.opened == 0);
                pair.opened += 1;
                let e = self.parameters.probe;
                (Purpose::Probe, rate * if faster { 1.0 + e } else { 1.0 - e })
            }
            Phase::Learning(_) => (Purpose::Wait, rate),
        };
        let rate = flow.bounded(rate);
        let packets = Span::from_secs_f64(MIN_PACKETS * f64::from(flow.mss) / rate);
        Interval::new(purpose, rate, now, flow.srtt.max(packets), tx)
    }

    /// Processes all complete results. `newest_sent` is the time at which the newest acknowledged packet was sent.
    pub(super) fn settle(&mut self, flow: &mut Flow, newest_sent: Option<Time>) {
        while let Some(front) = flow.intervals.front() {
            let closed = flow.intervals.len() > 1 || !flow.open;
            if !closed || !(front.is_settled() || flow.is_overdue(front, newest_sent)) {
                return;
            }
            let outcome = front.outcome(self.parameters.gradient_filter);
            let purpose = front.purpose;
            flow.intervals.pop_front();
            match purpose {
                Purpose::Starting => self.started(flow, outcome),
                Purpose::Probe => self.probed(flow, outcome),
                Purpose::Move | Purpose::Wait => {}
            }
        }
    }

    /// Processes an interval of the starting phase.
    fn started(&mut self, flow: &mut Flow, outcome: Option<Outcome>) {
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
                flow.rate = Some(flow.bounded(before.rate));
                self.learn(flow, None);
            }
            _ => flow.rate = Some(outcome.rate),
        }
    }

    /// Processes a probe.
    fn probed(&mut self, flow: &mut Flow, outcome: Option<Outcome>) {
        let Phase::Learning(pair) = &mut self.phase else {
            return;
        };
        let suspicious = pair.suspicious;
        let (Some(outcome), Some(rate)) = (outcome, flow.rate) else {
            // The probe was not sent at its rate. The pair therefore has no result.
            self.learn(flow, suspicious);
            return;
        };
        let Some(first) = pair.first.take() else {
            pair.first = Some(outcome);
            return;
        };
        let utility = self.parameters.utility;
        self.utility = utility.of(&outcome);
        let gradient = utility.gradient(&first, &outcome);
        // Section 4.3: it is unlikely that a higher rate causes less loss.
        let odd = (first.rate - outcome.rate) * (first.loss_rate - outcome.loss_rate) < 0.0;
        let gradient = match suspicious {
            None if odd => {
                self.learn(flow, Some(gradient));
                return;
            }
            Some(before) if odd => f64::midpoint(before, gradient),
            _ => gradient,
        };
        let x = rate / Utility::bytes_per_s(1.0);
        let change = self.stepper.change(&self.parameters.steps, gradient, x);
        flow.rate = Some(flow.bounded(rate + Utility::bytes_per_s(change)));
        self.decisions += 1;
        self.learn(flow, None);
    }

    /// Starts the next pair, which begins with the next packet.
    fn learn(&mut self, flow: &mut Flow, suspicious: Option<f64>) {
        let faster_first = flow.random.word() & 1 == 1;
        self.phase = Phase::Learning(Pair { opened: 0, faster_first, first: None, suspicious });
        flow.open = false;
    }

    /// Section 4.3, "MI timeout": halves the rate if no results arrive. Also called at persistent congestion, when all
    /// results are losses.
    pub(super) fn timeout(&mut self, flow: &mut Flow) {
        if let Some(rate) = flow.rate {
            flow.rate = Some(flow.bounded(rate / 2.0));
            flow.intervals.clear();
            self.stepper = Stepper::default();
            self.learn(flow, None);
        }
    }
}
