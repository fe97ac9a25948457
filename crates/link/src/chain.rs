// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loss by a Markov chain. Each state has a probability of loss, and the next state is drawn at random.
//!
//! A chain changes its state either with each packet, or once in each bin of time, or at any time. If a chain moves by
//! time, its steps depend only on the link's random stream and on the clock, not on the traffic. If a chain moves by
//! packets, its steps depend on the number of packets that have left, as in netem.
//!
//! One process implements all kinds of chains. These kinds are bursts after Gilbert and Elliott, states in continuous
//! time, netem's states by packets, and the land-mobile channels (`land_mobile`, `two_state`). The chain is evaluated
//! when a packet leaves, and draws from a separate random stream. The series of states is never computed in advance, so
//! a run can have any length.

use crate::chance::passes_between;
use crate::config::Bursts;
use crate::land_mobile::{LandMobile, Shadow};
use crate::two_state::{Stretches, TwoState};
use random::Xoshiro256PlusPlus;
use std::fmt;
use units::Span;

/// Largest number of states of a chain.
pub const MOST_STATES: usize = 16;

/// A chain. It consists of a specification and of the process that follows from the specification.
#[derive(Clone, Debug, PartialEq)]
pub struct LossChain {
    spec: ChainSpec,
    law: Law,
}

/// The kinds of chains.
#[derive(Clone, Debug, PartialEq)]
pub enum ChainSpec {
    /// States with durations in continuous time.
    States(Vec<ChainState>),
    /// The chain of netem's `loss state`.
    Netem(Netem),
    /// A drive through intervals of clear view and of shadow.
    LandMobile(LandMobile),
    /// A drive through the two states of ITU-R P.681.
    TwoState(TwoState),
}

impl ChainSpec {
    /// Returns the kind of chain, in words.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::States(_) => "chain of losses",
            Self::Netem(_) => "netem's chain of losses",
            Self::LandMobile(_) => "land-mobile channel",
            Self::TwoState(_) => "two-state channel",
        }
    }
}

/// A state of a chain in continuous time.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainState {
    /// Probability that a packet is lost in this state.
    pub loss: f64,
    /// Mean duration of the state. The duration is exponentially distributed.
    pub lasts: Span,
    /// For each state, the probability that this state is next. The probability of the state itself is zero. The sum is
    /// 1.
    pub next: Vec<f64>,
}

/// The chain of netem's `loss state` (Salsano, Ludovici, Ordine and Giannuzzi 2012, section 4.1; sch_netem.c,
/// `loss_4state`). The chain moves with each packet. State 1 is reception. State 2 is reception within a burst of
/// losses. State 3 is loss within a burst. State 4 is a single loss, which always leads back to state 1. `p13` is the
/// probability of a step from state 1 to state 3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Netem {
    /// Probability of a step from reception to a burst of losses.
    pub p13: f64,
    /// Probability of a step from a burst of losses back to reception.
    pub p31: f64,
    /// Probability of a step from loss to reception within a burst.
    pub p32: f64,
    /// Probability of a step from reception to loss within a burst.
    pub p23: f64,
    /// Probability of a step from reception to a single loss.
    pub p14: f64,
}

/// Reason why a chain is not valid.
#[derive(Clone, Debug, PartialEq)]
pub enum ChainError {
    /// The chain has too few or too many states.
    Count(usize),
    /// A state has the wrong number of probabilities.
    Row {
        /// Index of the state, from 0.
        state: usize,
        /// Number of probabilities that the state has.
        named: usize,
        /// Number of states of the chain.
        states: usize,
    },
    /// The probabilities of the next state do not sum to 1.
    Sum {
        /// Index of the state, from 0.
        state: usize,
        /// Sum of the probabilities.
        sum: f64,
    },
    /// A state is listed as its own successor. This is not valid, because the duration of a state is a separate value.
    Itself {
        /// Index of the state, from 0.
        state: usize,
    },
    /// The state is not reachable from the first state.
    Unreached {
        /// Index of the state, from 0.
        state: usize,
    },
    /// The first state is not reachable from this state.
    Trapped {
        /// Index of the state, from 0.
        state: usize,
    },
}

impl fmt::Display for ChainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(states) => {
                write!(f, "{states} states are not possible: the number must be from 2 to {MOST_STATES}")
            }
            Self::Row { named, states, .. } => write!(
                f,
                "a state has {named} probabilities for {states} states (write one for each, 0.0 for the state itself)"
            ),
            Self::Sum { sum, .. } => {
                write!(f, "the probabilities add up to {sum} (they must add up to 1.0)")
            }
            Self::Itself { state } => {
                write!(
                    f,
                    "state {state} can follow itself (write 0.0 for the state itself, and make `lasts` longer instead)"
                )
            }
            Self::Unreached { state } => {
                write!(
                    f,
                    "state {state} is not reachable from state 0 (give a state a probability for it, or remove \
                it)"
                )
            }
            Self::Trapped { state } => write!(
                f,
                "state 0 is not reachable from state {state}, so the chain would never return (give state {state} a \
                probability that leads back)"
            ),
        }
    }
}

impl std::error::Error for ChainError {}

impl ChainError {
    /// Returns the state whose `next` is wrong. The result is `None` if the list of states itself is wrong.
    pub const fn state(&self) -> Option<usize> {
        match *self {
            Self::Row { state, .. } | Self::Sum { state, .. } | Self::Itself { state } => Some(state),
            Self::Count(_) | Self::Unreached { .. } | Self::Trapped { .. } => None,
        }
    }
}

/// When a chain changes its state.
#[derive(Clone, Debug, PartialEq)]
enum Moves {
    /// With each packet, before the chain decides whether the packet is lost.
    PerPacket,
    /// Once in each bin of this length.
    Every(Span),
    /// When the current state ends. The values are the mean durations of the states.
    AtAnyTime(Vec<Span>),
    /// When the current interval of the drive ends. The loss also changes within an interval.
    Drives([Stretches; 2]),
}

/// The process of a chain.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Law {
    moves: Moves,
    /// Probability of loss in each state.
    loss: Vec<StateLoss>,
    /// Row i contains, for each state, the probability that this state follows state i.
    next: Vec<Vec<f64>>,
    /// Long-run fraction of the time, or of the packets, in each state.
    shares: Vec<f64>,
    /// Whether both directions of a link share the process.
    pub(crate) both_ways: bool,
}

/// Probability of loss in a state.
#[derive(Clone, Copy, Debug, PartialEq)]
enum StateLoss {
    /// The probability is constant.
    Always(f64),
    /// The probability is drawn when the state begins.
    Shadowed(Shadow),
    /// The probability changes during the state. The value is the mean probability.
    Moving(f64),
}

impl StateLoss {
    fn draw(self, random: &mut Xoshiro256PlusPlus) -> f64 {
        match self {
            Self::Always(loss) | Self::Moving(loss) => loss,
            Self::Shadowed(shadow) => shadow.draw(random),
        }
    }

    fn mean(self) -> f64 {
        match self {
            Self::Always(loss) | Self::Moving(loss) => loss,
            Self::Shadowed(shadow) => shadow.mean(),
        }
    }
}

impl LossChain {
    /// Creates a chain of states in continuous time.
    ///
    /// # Errors
    /// If the chain has too few or too many states, if a state has a wrong `next`, or if not all states are reachable
    /// from each other.
    pub fn in_time(states: Vec<ChainState>) -> Result<Self, ChainError> {
        if !(2..=MOST_STATES).contains(&states.len()) {
            return Err(ChainError::Count(states.len()));
        }
        let next: Vec<Vec<f64>> = states.iter().map(|state| state.next.clone()).collect();
        for (state, row) in next.iter().enumerate() {
            if row.len() != states.len() {
                return Err(ChainError::Row { state, named: row.len(), states: states.len() });
            }
            if row[state] > 0.0 {
                return Err(ChainError::Itself { state });
            }
            let sum: f64 = row.iter().sum();
            if (sum - 1.0).abs() > 1e-9 {
                return Err(ChainError::Sum { state, sum });
            }
        }
        connected(&next)?;
        // The share of a state is proportional to its weight in the embedded chain times its mean duration.
        let weights = stationary(&next);
        let lasting: Vec<f64> =
            weights.iter().zip(&states).map(|(weight, state)| weight * state.lasts.secs_f64()).collect();
        let law = Law {
            moves: Moves::AtAnyTime(states.iter().map(|state| state.lasts).collect()),
            loss: states.iter().map(|state| StateLoss::Always(state.loss)).collect(),
            next,
            shares: normalised(lasting),
            both_ways: false,
        };
        Ok(Self { spec: ChainSpec::States(states), law })
    }

    /// Creates the chain of netem's `loss state`.
    ///
    /// # Errors
    /// If the chain could enter states 2 and 3 but never leave them.
    pub fn netem(netem: Netem) -> Result<Self, ChainError> {
        let Netem { p13, p31, p32, p23, p14 } = netem;
        if p13 > 0.0 && p31 == 0.0 {
            return Err(ChainError::Trapped { state: 3 });
        }
        if p13 > 0.0 && p32 > 0.0 && p23 == 0.0 {
            return Err(ChainError::Trapped { state: 2 });
        }
        let over = |a: f64, b: f64| if a == 0.0 { 0.0 } else { a / b };
        // In equilibrium, the flows between {1, 4} and {2, 3} are equal, and so are the flows between 2 and 3 (Salsano
        // and others 2012, section 4.1). Hence pi3 p31 = pi1 p13, pi2 p23 = pi3 p32, and pi4 = pi1 p14.
        let bursts = over(p13, p31);
        let shares = normalised(vec![1.0, bursts * over(p32, p23), bursts, p14]);
        let law = Law {
            moves: Moves::PerPacket,
            loss: [0.0, 0.0, 1.0, 1.0].map(StateLoss::Always).into(),
            next: vec![
                vec![1.0 - p13 - p14, 0.0, p13, p14],
                vec![0.0, 1.0 - p23, p23, 0.0],
                vec![p31, p32, 1.0 - p31 - p32, 0.0],
                vec![1.0, 0.0, 0.0, 0.0],
            ],
            shares,
            both_ways: false,
        };
        Ok(Self { spec: ChainSpec::Netem(netem), law })
    }

    /// Creates the chain of a drive through intervals of clear view and of shadow. Both directions of a link share the
    /// states.
    pub fn land_mobile(drive: LandMobile) -> Self {
        let durations = drive.durations();
        let law = Law {
            // The share of the time in shadow is A = D_b / (D_g + D_b) (Lutz and others 1991, equation 8).
            shares: normalised(durations.map(Span::secs_f64).into()),
            moves: Moves::AtAnyTime(durations.into()),
            loss: vec![StateLoss::Always(drive.good_outage()), StateLoss::Shadowed(drive.shadow())],
            next: vec![vec![0.0, 1.0], vec![1.0, 0.0]],
            both_ways: true,
        };
        Self { spec: ChainSpec::LandMobile(drive), law }
    }

    /// Creates the chain of a drive through the two states of ITU-R P.681. Both directions of a link share the states
    /// and levels.
    pub fn two_state(drive: TwoState) -> Self {
        let states = drive.states();
        let law = Law {
            // The states alternate, so the share of each state is proportional to its mean duration.
            shares: normalised(states.map(|state| state.mean().secs_f64()).into()),
            loss: states.map(|state| StateLoss::Moving(state.mean_loss())).into(),
            moves: Moves::Drives(states),
            next: vec![vec![0.0, 1.0], vec![1.0, 0.0]],
            both_ways: true,
        };
        Self { spec: ChainSpec::TwoState(drive), law }
    }

    /// The specification of the chain.
    pub const fn spec(&self) -> &ChainSpec {
        &self.spec
    }

    /// The fraction of the time, or of the packets, that the chain spends in each state in the long run.
    pub fn shares(&self) -> &[f64] {
        &self.law.shares
    }

    /// The fraction of packets that are lost in the long run.
    pub fn mean_loss(&self) -> f64 {
        self.law.shares.iter().zip(&self.law.loss).map(|(share, loss)| share * loss.mean()).sum()
    }

    /// How often the chain enters a state with more loss than the previous state.
    pub fn onsets(&self) -> Onsets {
        let Law { moves, loss, next, shares, .. } = &self.law;
        let loss: Vec<f64> = loss.iter().map(|loss| loss.mean()).collect();
        let onset = |state: usize, weight: f64| -> f64 {
            let worse = next[state].iter().zip(&loss).filter(|(_, other)| **other > loss[state]);
            weight * worse.map(|(next, _)| next).sum::<f64>()
        };
        let all = |weight: &dyn Fn(usize) -> f64| (0..loss.len()).map(|at| onset(at, weight(at))).sum();
        match moves {
            Moves::PerPacket => Onsets::PerPacket(all(&|at| shares[at])),
            Moves::Every(bin) => Onsets::PerSecond(all(&|at| shares[at] / bin.secs_f64())),
            Moves::AtAnyTime(lasts) => Onsets::PerSecond(all(&|at| shares[at] / lasts[at].secs_f64())),
            Moves::Drives(states) => Onsets::PerSecond(all(&|at| shares[at] / states[at].mean().secs_f64())),
        }
    }

    pub(crate) const fn law(&self) -> &Law {
        &self.law
    }
}

impl Law {
    /// Whether the state depends only on the clock, and not on earlier packets.
    pub(crate) const fn goes_by_time(&self) -> bool {
        !matches!(self.moves, Moves::PerPacket)
    }

    /// Whether the chain loses some packets and delivers others. This is the case if a state loses a part of its
    /// packets, or if one state loses all packets and another state loses none.
    pub(crate) fn draws(&self) -> bool {
        let met = self.shares.iter().zip(&self.loss).filter(|(share, _)| **share > 0.0);
        passes_between(met.map(|(_, loss)| loss.mean()))
    }
}

/// How often losses begin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Onsets {
    /// Number of onsets per packet.
    PerPacket(f64),
    /// Number of onsets per second.
    PerSecond(f64),
}

impl From<Bursts> for Law {
    fn from(Bursts { bin, to_bad, to_good, loss }: Bursts) -> Self {
        // P(bad) = to_bad / (to_bad + to_good) (Gilbert 1960). If both probabilities are 0, the chain is always in the
        // good state.
        let sum = to_bad + to_good;
        let bad = if sum > 0.0 { to_bad / sum } else { 0.0 };
        Self {
            moves: Moves::Every(bin),
            loss: [0.0, loss].map(StateLoss::Always).into(),
            next: vec![vec![1.0 - to_bad, to_bad], vec![to_good, 1.0 - to_good]],
            shares: vec![1.0 - bad, bad],
            both_ways: false,
        }
    }
}

/// Checks that every state is reachable from the first state, and that the first state is reachable from every state.
fn connected(next: &[Vec<f64>]) -> Result<(), ChainError> {
    let reached = |leads: &dyn Fn(usize, usize) -> bool| {
        let (mut found, mut open) = (vec![false; next.len()], vec![0]);
        while let Some(state) = open.pop() {
            if !std::mem::replace(&mut found[state], true) {
                open.extend((0..next.len()).filter(|&other| leads(state, other)));
            }
        }
        found.iter().position(|found| !found)
    };
    if let Some(state) = reached(&|from, to| next[from][to] > 0.0) {
        return Err(ChainError::Unreached { state });
    }
    match reached(&|to, from| next[from][to] > 0.0) {
        Some(state) => Err(ChainError::Trapped { state }),
        None => Ok(()),
    }
}

/// Computes the stationary distribution of a connected chain with the elimination of Grassmann, Taksar and Heyman
/// (1985). The method does not subtract, so it does not lose digits by cancellation.
#[expect(clippy::needless_range_loop, reason = "rows and columns of one matrix")]
fn stationary(next: &[Vec<f64>]) -> Vec<f64> {
    let mut p = next.to_vec();
    for n in (1..p.len()).rev() {
        let out: f64 = p[n][..n].iter().sum();
        for i in 0..n {
            p[i][n] /= out;
            for j in 0..n {
                let by_way = p[i][n] * p[n][j];
                p[i][j] += by_way;
            }
        }
    }
    let mut weights = vec![1.0];
    for n in 1..p.len() {
        weights.push((0..n).map(|i| weights[i] * p[i][n]).sum());
    }
    normalised(weights)
}

fn normalised(weights: Vec<f64>) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

mod walk;
pub(crate) use walk::Walk;

#[cfg(test)]
mod tests;
