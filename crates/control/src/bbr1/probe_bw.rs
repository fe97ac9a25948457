// SPDX-License-Identifier: MIT OR Apache-2.0
//! PROBE_BW: a cycle of eight phases. Each phase lasts about one smallest RTT. One phase is faster than the estimated
//! rate, one phase is slower, and six phases have the estimated rate.

use random::{Draw as _, SeedableRng as _, SplitMix64};
use units::{Span, Time};

/// Number of phases in a cycle (draft, `BBRGainCycleLen`).
const PHASES: usize = 8;
/// Number of phases from which the first phase is drawn. The slow phase is left out, because there is no queue to drain
/// yet.
const FIRST_PHASES: f64 = 7.0;

/// The cycle of pacing gains.
#[derive(Clone, Debug, saved::Plain)]
pub struct Cycle {
    /// Gain of the first phase (draft: 5/4).
    pub up_gain: f64,
    /// Gain of the second phase (draft: 3/4).
    pub down_gain: f64,
    phase: usize,
    began: Time,
    random: SplitMix64,
}

impl Cycle {
    /// A cycle with these gains. Random choices depend only on `seed`.
    pub fn new(up_gain: f64, down_gain: f64, seed: u64) -> Self {
        Self { up_gain, down_gain, phase: 0, began: Time::ZERO, random: SplitMix64::seed_from_u64(seed) }
    }

    /// PROBE_BW begins (draft, `BBREnterProbeBW()`).
    pub fn enter(&mut self, now: Time) {
        let drawn = (self.random.fraction() * FIRST_PHASES) as usize;
        self.phase = PHASES - 1 - drawn;
        self.advance(now);
    }

    /// Begins the next phase.
    pub const fn advance(&mut self, now: Time) {
        self.phase = (self.phase + 1) % PHASES;
        self.began = now;
    }

    /// Whether the phase, which is paced at `gain`, is over (draft, `BBRIsNextCyclePhase()`). `target` converts a gain
    /// to a number of segments in flight.
    pub fn is_over(
        &self,
        now: Time,
        gain: f64,
        min_rtt: Option<Span>,
        in_flight: f64,
        lost: bool,
        target: impl Fn(f64) -> f64,
    ) -> bool {
        let lasted = min_rtt.is_some_and(|min_rtt| now.since(self.began) > min_rtt);
        if gain > 1.0 {
            lasted && (lost || in_flight >= target(gain))
        } else if gain < 1.0 {
            lasted || in_flight <= target(1.0)
        } else {
            lasted
        }
    }

    /// Number of the phase, from 0.
    pub const fn phase(&self) -> usize {
        self.phase
    }

    /// The phase's pacing gain.
    pub const fn gain(&self) -> f64 {
        match self.phase {
            0 => self.up_gain,
            1 => self.down_gain,
            _ => 1.0,
        }
    }

    /// The phase's name.
    pub const fn name(&self) -> &'static str {
        match self.phase {
            0 => "probe bandwidth: up",
            1 => "probe bandwidth: down",
            _ => "probe bandwidth: cruise",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draft, section 4.3.4.2: the first phase is any phase except the slow phase, with equal probability. Of 7000
    /// draws, 1000 are expected for each phase. The bound is five standard deviations. One standard deviation is
    /// sqrt(7000 * 1/7 * 6/7) = 29.
    #[test]
    fn the_first_phase_is_any_but_the_slow_one() {
        let mut cycle = Cycle::new(1.25, 0.75, 7);
        let mut drawn = [0_u32; PHASES];
        for _ in 0..7000 {
            cycle.enter(Time::ZERO);
            drawn[cycle.phase()] += 1;
        }
        assert_eq!(drawn[1], 0);
        assert!(drawn.iter().enumerate().all(|(phase, n)| phase == 1 || n.abs_diff(1000) < 150), "{drawn:?}");
    }

    /// Draft, section 4.3.4.1: the average gain of a cycle is 1.
    #[test]
    fn a_cycle_sends_what_the_estimate_says() {
        let mut cycle = Cycle::new(1.25, 0.75, 7);
        let sum: f64 = (0..PHASES)
            .map(|_| {
                cycle.advance(Time::ZERO);
                cycle.gain()
            })
            .sum();
        assert!((sum - PHASES as f64).abs() < 1e-12);
    }
}
