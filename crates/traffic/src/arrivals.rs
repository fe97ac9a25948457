// SPDX-License-Identifier: MIT OR Apache-2.0
//! When visits begin.

use crate::error::TrafficError;
use crate::law::{Law, number};
use random::{SeedableRng as _, SplitMix64};
use units::Span;

/// Periods of on and off follow each other no faster than this, in s: a run would do nothing else.
const SHORTEST_CYCLE_S: f64 = 1e-3;

/// When visits begin.
#[derive(Clone, Debug, PartialEq)]
pub enum Begin {
    /// Open loop: whether or not earlier visits have finished.
    Open(Arrivals),
    /// Each user thinks, has a visit, thinks again. All users think before their first one.
    Closed {
        /// A fixed number of users.
        users: u32,
        /// For how long a user thinks, in s.
        think: Law,
    },
}

/// Visits that begin independently of earlier ones.
#[derive(Clone, Debug, PartialEq)]
pub enum Arrivals {
    /// Independently of each other: gaps are exponential.
    Poisson {
        /// Mean number in a second.
        per_s: f64,
    },
    /// All gaps alike; the first visit at once.
    Regular {
        /// Number in a second.
        per_s: f64,
    },
    /// Poisson while on, none while off; on at first.
    OnOff {
        /// Mean number in a second that is on.
        per_s: f64,
        /// For how long it is on, in s.
        on: Law,
        /// For how long it is off, in s.
        off: Law,
    },
}

impl Begin {
    /// Whether it can be followed.
    ///
    /// # Errors
    /// The number that is out of bounds.
    pub fn check(&self) -> Result<(), TrafficError> {
        match self {
            Self::Open(arrivals) => arrivals.check(),
            Self::Closed { users, think } => {
                number("users", f64::from(*users), *users > 0, "1 or more")?;
                think.check()
            }
        }
    }

    /// Whether it is drawn when visits begin.
    pub fn draws(&self) -> bool {
        match self {
            Self::Open(arrivals) => arrivals.draws(),
            Self::Closed { users: _, think } => think.draws(),
        }
    }
}

impl Arrivals {
    /// Whether it can be followed.
    ///
    /// # Errors
    /// The number that is out of bounds, or a period without a mean.
    pub fn check(&self) -> Result<(), TrafficError> {
        let per_s = match self {
            Self::Poisson { per_s } | Self::Regular { per_s } | Self::OnOff { per_s, .. } => *per_s,
        };
        number("the rate", per_s, per_s > 0.0, "above 0 visits per second")?;
        let Self::OnOff { on, off, .. } = self else { return Ok(()) };
        on.check()?;
        off.check()?;
        let on = on.mean().ok_or(TrafficError::NoMean { what: "on" })?;
        let off = off.mean().ok_or(TrafficError::NoMean { what: "off" })?;
        number("the mean time on", on, on > 0.0, "above 0")?;
        number(
            "on and off together, in s,",
            on + off,
            on + off >= SHORTEST_CYCLE_S,
            "0.001 on average or more",
        )
    }

    fn draws(&self) -> bool {
        match self {
            Self::Regular { per_s: _ } => false,
            Self::Poisson { per_s: _ } | Self::OnOff { per_s: _, on: _, off: _ } => true,
        }
    }

    /// Mean number of visits in a second, in the long run; `None` if a period has no mean.
    pub fn mean_per_s(&self) -> Option<f64> {
        match self {
            Self::Poisson { per_s } | Self::Regular { per_s } => Some(*per_s),
            Self::OnOff { per_s, on, off } => {
                let (on, off) = (on.mean()?, off.mean()?);
                Some(per_s * on / (on + off))
            }
        }
    }

    /// The same process with another long-term rate in visits per second.
    #[must_use]
    pub fn with_mean(mut self, mean_per_s: f64) -> Self {
        *self.rate() = 1.0;
        // Of what comes while it is on a part is left in the mean.
        let share = self.mean_per_s().unwrap_or(1.0);
        *self.rate() = mean_per_s / share;
        self
    }

    const fn rate(&mut self) -> &mut f64 {
        match self {
            Self::Poisson { per_s } | Self::Regular { per_s } | Self::OnOff { per_s, .. } => per_s,
        }
    }

    /// The moments at which visits begin, before `until`, both counted from the start of the traffic.
    pub fn moments(&self, seed: u64, until: Span) -> Moments {
        Moments {
            arrivals: self.clone(),
            dice: SplitMix64::seed_from_u64(seed),
            until_s: until.secs_f64(),
            at_s: 0.0,
            on_until_s: 0.0,
            count: 0,
        }
    }
}

/// The moments at which visits begin, counted from the start of the traffic, never falling.
#[derive(Clone, Debug, saved::Saved)]
pub struct Moments {
    #[saved(fixed)]
    arrivals: Arrivals,
    dice: SplitMix64,
    until_s: f64,
    at_s: f64,
    on_until_s: f64,
    count: u64,
}

impl Iterator for Moments {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        let gap = |dice: &mut SplitMix64, per_s: f64| Law::Exponential { mean: 1.0 / per_s }.draw(dice);
        match &self.arrivals {
            // Not by adding gaps: a rate that no nanosecond divides would drift.
            Arrivals::Regular { per_s } => self.at_s = self.count as f64 / per_s,
            Arrivals::Poisson { per_s } => self.at_s += gap(&mut self.dice, *per_s),
            Arrivals::OnOff { per_s, on, off } => {
                if self.count == 0 {
                    self.on_until_s = on.draw(&mut self.dice);
                }
                self.at_s += gap(&mut self.dice, *per_s);
                // What does not fit into the period that is on goes on in the next one: the law has no memory.
                while self.at_s >= self.on_until_s && self.at_s < self.until_s {
                    let pause = off.draw(&mut self.dice);
                    self.at_s += pause;
                    self.on_until_s += pause + on.draw(&mut self.dice);
                }
            }
        }
        self.count += 1;
        (self.at_s < self.until_s).then(|| Span::from_secs_f64(self.at_s))
    }
}
