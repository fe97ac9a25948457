// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rate control of PCC-Uspace (`PccSender`, `PccVivaceSender`, `PccUtilityManager`, May 2021).

use super::flow::Flow;
use super::interval::{Interval, Purpose, Utility};
use super::tolerance::{Bursts, Tolerance};
use crate::Ack;
use random::Draw as _;
use units::{Span, Time};

/// Number of bits that the program calls a Mbit (`kMegabit`). The program's thresholds and its utility use 10^6.
const MEBIBIT: f64 = 1_048_576.0;
/// Number of pairs of probes (`kNumIntervalGroupsInProbingPrimary`).
const PAIRS: usize = 3;
/// Number of RTT samples that an interval needs (`kMinReliableRtt`).
const MIN_SAMPLES: f64 = 4.0;
/// Smallest fraction of an interval's RTT samples that must be used. If fewer samples are used, the duration of the
/// interval is doubled once (`kMinReliabilityRatio`).
const MIN_COUNTING_SHARE: f64 = 0.8;
/// If the RTT rises by less than this value within an interval, the starting phase treats the rise as noise, in seconds
/// (`FLAGS_max_rtt_fluctuation_tolerance_ratio_in_starting` is above 50).
const STARTING_RISE: f64 = 1e-3;
/// Exponent of the growth of consecutive steps in one direction (`kRateChangeAmplifyExponent`).
const AMPLIFY_EXPONENT: f64 = 1.2;
/// Growth of the bound after a change has reached the bound (`kIncrementalStepSize`).
const BOUND_INCREMENT: f64 = 0.05;
/// Smallest change, bits/s (`kMinRateChange`).
const MIN_CHANGE: f64 = 500e3;
/// Lowest rate, bits/s (`kMinSendingRate`).
const MIN_RATE: f64 = 500e3;
/// If the RTT exceeds this value, the first rate is computed from this value (`kInitialRtt`).
const INITIAL_RTT: Span = Span::from_millis(100);

/// Parameters of the program's rules.
#[derive(Clone, Debug, saved::Plain)]
pub struct Uspace {
    /// The utility's coefficients.
    pub utility: Utility,
    /// Conversion from utility gradient to rate change, (Mbit/s)^2 per utility (`kUtilityGradientToRateChangeFactor`,
    /// 1).
    pub conversion: f64,
    /// First bound of a change, as a fraction of the rate (`kInitialMaxStepSize`, 0.05).
    pub bound: f64,
    /// Relative difference between the probes of a pair and the rate (`kProbingStepSize`, 0.05).
    pub probe: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
enum Mode {
    Starting,
    Probing,
    Moving,
}

/// A target rate in bits/s, and its utility.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
struct Trial {
    rate: f64,
    utility: f64,
}

/// Whether the result with the higher utility has the higher rate.
fn faster_is_better(pair: &[Trial]) -> bool {
    if pair[0].utility > pair[1].utility { pair[0].rate > pair[1].rate } else { pair[0].rate < pair[1].rate }
}

/// The state of the rate control.
#[derive(Clone, Debug, saved::Plain)]
pub(super) struct UspaceRules {
    parameters: Uspace,
    mode: Mode,
    /// While probing: whether the newest probe is the faster probe of its pair. After that: whether the steps increase
    /// the rate.
    up: bool,
    /// Number of consecutive decisions in this direction.
    rounds: u32,
    /// Since the last probes: number of changes that reached the bound, minus number of other changes.
    allowance: f64,
    latest: Trial,
    tolerance: Tolerance,
    bursts: Bursts,
    /// Shortest duration of an interval.
    duration: Span,
    pub(super) decisions: u64,
}

impl UspaceRules {
    pub(super) fn new(parameters: Uspace) -> Self {
        Self {
            parameters,
            mode: Mode::Starting,
            up: true,
            rounds: 1,
            allowance: 0.0,
            latest: Trial::default(),
            tolerance: Tolerance::default(),
            bursts: Bursts::default(),
            duration: Span::ZERO,
            decisions: 0,
        }
    }

    pub(super) const fn phase(&self) -> &'static str {
        match self.mode {
            Mode::Starting => "starting",
            Mode::Probing => "probing",
            Mode::Moving => "moving",
        }
    }

    pub(super) const fn utility(&self) -> f64 {
        self.latest.utility
    }

    /// The factor of the next change.
    pub(super) fn confidence(&self) -> f64 {
        f64::from(u32::midpoint(self.rounds, 1)).powf(AMPLIFY_EXPONENT)
    }

    /// The first rate, in bytes/s: the initial window per round trip. The round trip counts as at most 100 ms.
    pub(super) fn first_rate(window: f64, srtt: Span) -> f64 {
        window / srtt.min(INITIAL_RTT).secs_f64()
    }

    fn wanted(&self) -> usize {
        if self.mode == Mode::Probing { 2 * PAIRS } else { 1 }
    }

    /// Whether the open interval has ended. If too few of its RTT samples are used, doubles its duration
    /// (`CreateNewInterval`).
    pub(super) fn is_over(&mut self, flow: &mut Flow, now: Time) -> bool {
        let Some(newest) = flow.intervals.back_mut() else { return true };
        if newest.purpose == Purpose::Wait || newest.line().samples() < MIN_SAMPLES || now < newest.end {
            return false;
        }
        if newest.extended || newest.counting_share() > MIN_COUNTING_SHARE {
            return true;
        }
        newest.extended = true;
        self.duration = self.duration * 2;
        newest.end = newest.start + self.duration;
        false
    }

    /// Returns the next interval, which begins with the packet `tx`.
    pub(super) fn next(&mut self, flow: &mut Flow, now: Time, tx: u64, rate: f64) -> Interval {
        let useful = flow.intervals.len();
        let (purpose, rate) = if useful >= self.wanted() {
            (Purpose::Wait, rate)
        } else if self.mode == Mode::Probing {
            self.up = if useful.is_multiple_of(2) { flow.random.word() & 1 == 1 } else { !self.up };
            let e = self.parameters.probe;
            (Purpose::Probe, rate * if self.up { 1.0 + e } else { 1.0 - e })
        } else {
            (if self.mode == Mode::Starting { Purpose::Starting } else { Purpose::Move }, rate)
        };
        self.duration = flow.min_rtt;
        Interval::new(purpose, rate, now, self.duration, tx)
    }

    /// Processes the RTT of an ACK. This RTT decides whether the previous RTT is used.
    pub(super) fn sample(&mut self, flow: &mut Flow, ack: &Ack<'_>) {
        let (Some(rtt), Some(newest)) =
            (ack.rtt, ack.packets.iter().rfind(|p| Some(p.sent_at) == ack.sent_at))
        else {
            return;
        };
        let (next, before) = self.bursts.take(ack.now, newest.tx, rtt, flow.srtt);
        if let Some(sample) = before
            && let Some(interval) = flow.interval_of(sample.tx)
            && interval.purpose != Purpose::Wait
        {
            interval.sample_over_packets(sample.tx, sample.rtt, self.bursts.counts(&sample, &next));
        }
    }

    /// Makes a decision when all intervals of a round are complete (`OnCongestionEvent` of the queue of intervals).
    pub(super) fn settle(&mut self, flow: &mut Flow, newest_sent: Option<Time>) {
        let mut results = [Trial::default(); 2 * PAIRS];
        let mut count = 0;
        for interval in flow.intervals.iter().filter(|interval| interval.purpose != Purpose::Wait) {
            let settled = interval.is_settled() || flow.is_overdue(interval, newest_sent);
            if interval.line().samples() < MIN_SAMPLES || !settled {
                return;
            }
            count += 1;
        }
        if count == 0 {
            return;
        }
        // If all packets were sent at the same moment, no rate can be computed. If the application limited an interval,
        // the interval was not sent at its rate, so its utility does not belong to its rate. In both cases, the round
        // has no result.
        let valid = flow.intervals.iter().all(|interval| {
            interval.purpose == Purpose::Wait
                || (interval.sending_time() > Span::ZERO && !interval.is_limited())
        });
        if valid && let Some(rate) = flow.rate {
            let useful = flow.intervals.iter().filter(|interval| interval.purpose != Purpose::Wait);
            for (result, interval) in results.iter_mut().zip(useful) {
                *result = self.result(flow.mss, interval);
            }
            let rate = self.decide(8.0 * rate, &results[..count.min(2 * PAIRS)]);
            flow.rate = Some((rate.max(MIN_RATE) / 8.0).min(flow.most()));
        }
        flow.intervals.clear();
        flow.open = false;
    }

    /// Returns the target rate and the utility of an interval (`CalculateUtilityProportional`).
    fn result(&mut self, mss: u32, interval: &Interval) -> Trial {
        let transfer = f64::from(mss) / interval.rate;
        let duration = interval.sending_time().secs_f64() + transfer;
        let x = 8e-6 * interval.packets() * f64::from(mss) / duration;
        let mut gradient = self.tolerance.counting(interval.line(), interval.line().slope() / transfer);
        if interval.purpose == Purpose::Starting && gradient < STARTING_RISE / duration {
            gradient = 0.0;
        }
        let Utility { exponent, latency, loss } = self.parameters.utility;
        let utility = x.powf(exponent) - latency * x * gradient - loss * x * interval.loss_rate();
        Trial { rate: 8.0 * interval.rate, utility }
    }

    /// Returns the new rate after the results of a round at `rate`, in bits/s (`OnUtilityAvailable`).
    fn decide(&mut self, rate: f64, results: &[Trial]) -> f64 {
        self.decisions += 1;
        match self.mode {
            Mode::Starting if results[0].utility > self.latest.utility => {
                self.latest = results[0];
                2.0 * rate
            }
            Mode::Starting => {
                self.probe();
                rate / 2.0
            }
            Mode::Probing => self.probed(rate, results),
            Mode::Moving => self.moved(rate, results[0]),
        }
    }

    fn probe(&mut self) {
        self.mode = Mode::Probing;
        self.rounds = 1;
    }

    /// Called after the probes. If most pairs favour a higher rate, or all pairs favour a lower rate, a step follows.
    fn probed(&mut self, rate: f64, results: &[Trial]) -> f64 {
        let ups = results.chunks_exact(2).filter(|pair| faster_is_better(pair)).count();
        // If the application caused a gap, there are fewer pairs.
        if results.len() < 2 * PAIRS || !(ups > PAIRS / 2 || ups == 0) {
            self.rounds += 1;
            return if rate <= MIN_RATE { self.start_again() } else { rate };
        }
        self.up = ups > 0;
        let mut difference = 0.0;
        for pair in results.chunks_exact(2).filter(|pair| faster_is_better(pair) == self.up) {
            self.latest = if pair[0].utility > pair[1].utility { pair[0] } else { pair[1] };
            difference += (pair[0].utility - pair[1].utility).abs() / PAIRS as f64;
        }
        let e = self.parameters.probe;
        let rate = rate * if self.up { 1.0 + e } else { 1.0 - e };
        self.rounds = 1;
        self.allowance = 0.0;
        let change = self.bounded(rate, difference / (results[0].rate - results[1].rate).abs());
        let rate = self.step(rate, change);
        if self.mode == Mode::Moving && rate <= MIN_RATE { self.start_again() } else { rate }
    }

    /// Called after a step. If the step has raised the utility, another step follows. Otherwise, the rate returns by
    /// one step.
    fn moved(&mut self, rate: f64, result: Trial) -> f64 {
        let (du, dr) = (result.utility - self.latest.utility, result.rate - self.latest.rate);
        let gradient = if dr == 0.0 { 0.0 } else { (du / dr).abs() };
        if if self.up { du * dr > 0.0 } else { du * dr < 0.0 } {
            self.rounds += 1;
            let change = self.bounded(rate, self.confidence() * gradient);
            self.latest = result;
            return self.step(rate, change);
        }
        self.probe();
        let change = self.bounded(rate, gradient);
        let rate = if self.up { rate - change } else { rate + change };
        if rate < MIN_RATE {
            self.allowance = 0.0;
        }
        rate.max(MIN_RATE)
    }

    /// Adds `change` in the direction of the steps (`EnterDecisionMade`).
    fn step(&mut self, rate: f64, change: f64) -> f64 {
        let rate = if self.up { rate + change } else { rate - change };
        self.mode = Mode::Moving;
        if rate < MIN_RATE {
            self.probe();
            self.allowance = 0.0;
        }
        rate.max(MIN_RATE)
    }

    fn start_again(&mut self) -> f64 {
        self.mode = Mode::Starting;
        self.rounds = 1;
        self.allowance = 0.0;
        MIN_RATE
    }

    /// The change in bits/s for a utility gradient of `gradient` per bit/s, within the bounds of a change
    /// (`ComputeRateChange`).
    fn bounded(&mut self, rate: f64, gradient: f64) -> f64 {
        let change = self.parameters.conversion * gradient * MEBIBIT * MEBIBIT;
        let most = rate * (self.parameters.bound + BOUND_INCREMENT * self.allowance);
        if change > most {
            self.allowance += 1.0;
        } else {
            self.allowance = (self.allowance - 1.0).max(0.0);
        }
        change.min(most).max(MIN_CHANGE)
    }

    /// The program has no rule for timeouts. In this code, unacknowledged packets count as lost.
    pub(super) fn timeout(&mut self, flow: &mut Flow) {
        for interval in &mut flow.intervals {
            interval.lose_the_rest();
        }
        self.settle(flow, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> UspaceRules {
        let utility = Utility { exponent: 0.9, latency: 900.0, loss: 11.35 };
        let mut rules = UspaceRules::new(Uspace { utility, conversion: 1.0, bound: 0.05, probe: 0.05 });
        rules.probe();
        rules
    }

    /// Three pairs at 105 and 95 Mbit/s. The utilities of a pair differ by 30. If its element in `up` is true, the
    /// faster interval is better.
    fn pairs(up: [bool; 3]) -> Vec<Trial> {
        let pair = |up| {
            [(105e6, if up { 70.0 } else { 40.0 }), (95e6, if up { 40.0 } else { 70.0 })]
                .map(|(rate, utility)| Trial { rate, utility })
        };
        up.into_iter().flat_map(pair).collect()
    }

    /// Two of three pairs are enough for a step up, but a step down needs all three pairs. For the step up, the change
    /// is 2 * 30/3 = 20 utility in 10 Mbit/s, times 2^40 (bits/s)^2, which is 2 199 023 bits/s. This change is below 5
    /// % of the rate. For the step down, 3 * 30/3 in 10 Mbit/s gives 3 298 535 bits/s.
    #[test]
    fn most_pairs_must_say_up_and_all_must_say_down() {
        for (up, wanted, phase) in [
            ([true, true, false], 105e6 + 2_199_023.26, "moving"),
            ([true, false, false], 100e6, "probing"),
            ([false, false, false], 95e6 - 3_298_534.88, "moving"),
        ] {
            let mut rules = rules();
            let rate = rules.decide(100e6, &pairs(up));
            assert!((rate - wanted).abs() < 1.0 && rules.phase() == phase, "{up:?}: {rate}");
        }
    }

    /// While steps reach the bound, they are 5, 10 and 15 %. A step is at least 0.5 Mbit/s. When the utility falls, the
    /// last step is reversed.
    #[test]
    fn steps_are_bounded_and_taken_back() {
        let mut rules = rules();
        let mut rate = rules.decide(100e6, &pairs([true, true, true]));
        assert!((rate - (105e6 + 3_298_534.88)).abs() < 1.0);
        let mut utility = 70.0;
        for share in [0.05, 0.10, 0.15] {
            utility += 1e3;
            let next = rules.decide(rate, &[Trial { rate, utility }]);
            assert!((next / rate - 1.0 - share).abs() < 1e-9, "{}", next / rate);
            rate = next;
        }
        // The utility is lower at a higher rate. The gradient is tiny, so the change is the smallest possible change.
        let next = rules.decide(rate, &[Trial { rate, utility: utility - 1e-3 }]);
        assert_eq!((next, rules.phase()), (rate - 500e3, "probing"));
    }

    /// m = floor((rounds + 1)/2)^1.2: 1, 1, 2^1.2 = 2.297, 2.297, 3^1.2 = 3.737.
    #[test]
    fn the_amplifier_grows_every_other_round() {
        let mut rules = rules();
        for (rounds, wanted) in [(1, 1.0), (2, 1.0), (3, 2.297_397), (4, 2.297_397), (5, 3.737_193)] {
            rules.rounds = rounds;
            assert!((rules.confidence() - wanted).abs() < 1e-6);
        }
    }

    /// At the smallest rate, the starting phase begins again.
    #[test]
    fn at_the_slowest_rate_it_starts_again() {
        let mut rules = rules();
        assert_eq!(rules.decide(MIN_RATE, &pairs([true, false, false])), MIN_RATE);
        assert_eq!(rules.phase(), "starting");
    }
}
