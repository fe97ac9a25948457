// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes losses that depend on earlier losses.

use crate::ScenarioError;
use crate::check::Source;
use crate::format::{Arq, BadStretch, GoodStretch, LandMobile, LossChain, LossState, Netem};
use crate::text::{Fraction, Q};
use link::ChainState;
use units::Code;

impl LossChain {
    /// Reads the chain in the table at `at`.
    pub fn read(&self, source: &Source<'_>, at: &str) -> Result<link::LossChain, ScenarioError> {
        let states: Vec<ChainState> = (self.states.iter().enumerate())
            .map(|(number, state)| {
                let next = match (&state.next, self.states.len()) {
                    (Some(next), _) => next.iter().map(|next| next.0).collect(),
                    (None, 1 | 2) => [vec![0.0, 1.0], vec![1.0, 0.0]][number].clone(),
                    (None, count) => {
                        let key = format!("{at}.states[{number}].next");
                        let message = format!(
                            "with {count} states, each state needs the key `next`, which lists for every state the \
                             probability that this state is the next one"
                        );
                        return Err(source
                            .error(Code::ScenarioMissingKey, &key, message)
                            .fix("write next = [0.0, 0.9, 0.1]"));
                    }
                };
                Ok(ChainState { loss: state.loss.map_or(0.0, |loss| loss.0), lasts: state.lasts.0, next })
            })
            .collect::<Result<_, _>>()?;
        link::LossChain::in_time(states).map_err(|error| {
            let key = match error.state() {
                Some(state) => format!("{at}.states[{state}].next"),
                None => format!("{at}.states"),
            };
            source.error(Code::ScenarioValue, &key, error.to_string())
        })
    }

    /// Returns the text form of these states.
    pub fn of(states: &[ChainState]) -> Self {
        let state = |state: &ChainState| LossState {
            lasts: Q(state.lasts),
            loss: Some(Fraction(state.loss)),
            next: Some(state.next.iter().copied().map(Fraction).collect()),
        };
        Self { states: states.iter().map(state).collect() }
    }
}

impl Netem {
    /// Reads the chain in the table at `at`.
    pub fn read(self, source: &Source<'_>, at: &str) -> Result<link::LossChain, ScenarioError> {
        // The defaults are those of tc's `loss state` (iproute2, q_netem.c).
        let or = |key: Option<Fraction>, default: f64| key.map_or(default, |key| key.0);
        let netem = link::Netem {
            p13: self.p13.0,
            p31: or(self.p31, 1.0 - self.p13.0),
            p32: or(self.p32, 0.0),
            p23: or(self.p23, 1.0),
            p14: or(self.p14, 0.0),
        };
        let fault = |key: &str, message: String| {
            Err(source.error(Code::ScenarioValue, &format!("{at}.{key}"), message))
        };
        for ((one, p), (other, q)) in
            [(("p14", netem.p14), ("p13", netem.p13)), (("p32", netem.p32), ("p31", netem.p31))]
        {
            // Percentages that were divided by 100 may exceed 1 because of rounding.
            if p + q > 1.0 + 1e-9 {
                let most = 1.0 - q;
                return fault(
                    one,
                    format!(
                        "{one} = {p} and {other} = {q} add up to more than 1 (write {one} = {most} or less)"
                    ),
                );
            }
        }
        match link::LossChain::netem(netem) {
            Ok(chain) => Ok(chain),
            Err(error) => {
                let key = if netem.p31 == 0.0 { "p31" } else { "p23" };
                let message = format!(
                    "with a probability of 0, a burst of losses would never end (write {key} = 0.25)"
                );
                debug_assert_eq!(error.state(), None, "{error}");
                fault(key, message)
            }
        }
    }
}

impl From<&link::Netem> for Netem {
    fn from(&link::Netem { p13, p31, p32, p23, p14 }: &link::Netem) -> Self {
        let [p31, p32, p23, p14] = [p31, p32, p23, p14].map(|p| Some(Fraction(p)));
        Self { p13: Fraction(p13), p31, p32, p23, p14 }
    }
}

impl From<LandMobile> for link::LandMobile {
    fn from(LandMobile { speed, margin, good, bad }: LandMobile) -> Self {
        Self {
            speed: speed.0,
            margin: margin.0,
            good: link::GoodStretch { lasts: good.lasts.0, rice_factor: good.rice_factor.0 },
            bad: link::BadStretch { lasts: bad.lasts.0, mean: bad.mean.0, deviation: bad.deviation.0 },
        }
    }
}

impl From<&link::LandMobile> for LandMobile {
    fn from(&link::LandMobile { speed, margin, good, bad }: &link::LandMobile) -> Self {
        Self {
            speed: Q(speed),
            margin: Q(margin),
            good: GoodStretch { lasts: Q(good.lasts), rice_factor: Q(good.rice_factor) },
            bad: BadStretch { lasts: Q(bad.lasts), mean: Q(bad.mean), deviation: Q(bad.deviation) },
        }
    }
}

impl From<Arq> for link::Arq {
    fn from(Arq { repeats, delay }: Arq) -> Self {
        Self { repeats, delay: delay.map(|q| q.0) }
    }
}

impl From<link::Arq> for Arq {
    fn from(link::Arq { repeats, delay }: link::Arq) -> Self {
        Self { repeats, delay: delay.map(Q) }
    }
}
