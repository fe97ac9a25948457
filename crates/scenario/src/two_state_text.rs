// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes the two-state channel of ITU-R P.681.

use crate::ScenarioError;
use crate::check::Source;
use crate::format::{LooState, TwoState};
use crate::text::{Fraction, Q};
use crate::words::words;
use link::Surroundings;
use units::Code;

words! {
    /// Environments for which ITU-R P.681 has the two states, and the elevation of the satellite in degrees.
    Surroundings {
        Urban20 = "urban-20",
        Urban30 = "urban-30",
        Urban45 = "urban-45",
        Urban60 = "urban-60",
        Suburban20 = "suburban-20",
        Suburban30 = "suburban-30",
        Suburban45 = "suburban-45",
        Suburban60 = "suburban-60",
        RuralWooded20 = "rural-wooded-20",
        RuralWooded30 = "rural-wooded-30",
        RuralWooded45 = "rural-wooded-45",
        RuralWooded60 = "rural-wooded-60",
        RuralWooded70 = "rural-wooded-70",
    }
}

/// Smallest probability that a log-normal length is at least the shortest length. Below it, the two settings contradict
/// each other.
const LEAST_SHARE: f64 = 1e-6;

impl TwoState {
    /// Reads the channel in the table at `at`.
    pub fn read(&self, source: &Source<'_>, at: &str) -> Result<link::LossChain, ScenarioError> {
        let known = self.surroundings.map(|surroundings| surroundings.0.states());
        let state = |key: &str, said: Option<LooState>, number: usize| match (said, known) {
            (Some(said), _) => said.read(source, &format!("{at}.{key}")),
            (None, Some(known)) => Ok(known[number]),
            (None, None) => unreachable!("the format requires the state, or surroundings"),
        };
        let (good, bad) = (state("good", self.good, 0)?, state("bad", self.bad, 1)?);
        let drive = link::TwoState { speed: self.speed.0, margin: self.margin.0, good, bad };
        Ok(link::LossChain::two_state(drive))
    }
}

impl LooState {
    fn read(self, source: &Source<'_>, at: &str) -> Result<link::LooState, ScenarioError> {
        let pair = |[one, other]: [f64; 2]| (one, other);
        let state = link::LooState {
            log_mean: self.log_mean,
            log_deviation: self.log_deviation,
            shortest: self.shortest.0,
            level_mean: self.level.0,
            level_deviation: self.level_deviation.0,
            level_between: pair(
                self.level_between.map_or([0.0, 1.0], |between| between.map(|level| level.0)),
            ),
            echoes: pair(self.echoes),
            direct: pair(self.direct),
            correlation: self.correlation.0,
        };
        let (least, most) = state.level_between;
        if least >= most {
            let message = format!(
                "{least} is not below {most}: the first of the two values must be smaller than the second"
            );
            return Err(source
                .error(Code::ScenarioValue, &format!("{at}.level_between"), message)
                .fix("write [0.1, 0.9]"));
        }
        let share = state.long_enough();
        if share < LEAST_SHARE {
            let message = format!(
                "{} is too long: only a fraction of {share:.1e} of the lengths with these `log_mean` and \
                 `log_deviation` are longer, because their median is {:.3} m. This fraction must be at least \
                 {LEAST_SHARE:.0e}",
                self.shortest.0,
                state.log_mean.exp()
            );
            return Err(source
                .error(Code::ScenarioValue, &format!("{at}.shortest"), message)
                .fix("write a shorter length, or a larger `log_mean`"));
        }
        Ok(state)
    }

    fn of(state: &link::LooState) -> Self {
        Self {
            log_mean: state.log_mean,
            log_deviation: state.log_deviation,
            shortest: Q(state.shortest),
            level: Q(state.level_mean),
            level_deviation: Q(state.level_deviation),
            level_between: Some(<[f64; 2]>::from(state.level_between).map(Fraction)),
            echoes: state.echoes.into(),
            direct: state.direct.into(),
            correlation: Q(state.correlation),
        }
    }
}

impl From<&link::TwoState> for TwoState {
    fn from(drive: &link::TwoState) -> Self {
        Self {
            speed: Q(drive.speed),
            margin: Q(drive.margin),
            surroundings: None,
            good: Some(LooState::of(&drive.good)),
            bad: Some(LooState::of(&drive.bad)),
        }
    }
}
