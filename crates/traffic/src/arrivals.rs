// SPDX-License-Identifier: MIT OR Apache-2.0
//! Times at which visits begin.

use crate::error::TrafficError;
use crate::law::{Law, number};
use random::{SeedableRng as _, SplitMix64};
use units::Span;

/// Shortest allowed mean of one on period plus one off period, in seconds. With shorter periods, a run would spend all
/// its time on changes between on and off.
const SHORTEST_CYCLE_S: f64 = 1e-3;

/// Rule for the times at which visits begin.
#[derive(Clone, Debug, PartialEq)]
pub enum Begin {
    /// Open loop: visits begin even if earlier visits have not finished.
    Open(Arrivals),
    /// Closed loop: each user thinks, makes a visit, thinks again, and so on. Every user also thinks before the first
    /// visit.
    Closed {
        /// Fixed number of users.
        users: u32,
        /// Think time of a user, in seconds.
        think: Law,
    },
}

/// Open-loop arrival process: visits begin independently of earlier visits.
#[derive(Clone, Debug, PartialEq)]
pub enum Arrivals {
    /// Poisson arrivals: the gaps between visits are independent and exponential.
    Poisson {
        /// Mean number of visits per second.
        per_s: f64,
    },
    /// Equal gaps. The first visit begins at time 0.
    Regular {
        /// Number of visits per second.
        per_s: f64,
    },
    /// Poisson arrivals in the on periods, and no arrivals in the off periods. The first period is on.
    OnOff {
        /// Mean number of visits per second in the on periods.
        per_s: f64,
        /// Length of an on period, in seconds.
        on: Law,
        /// Length of an off period, in seconds.
        off: Law,
    },
}

impl Begin {
    /// Checks that all numbers of the rule are within their bounds.
    ///
    /// # Errors
    /// Names the number that is out of bounds.
    pub fn check(&self) -> Result<(), TrafficError> {
        match self {
            Self::Open(arrivals) => arrivals.check(),
            Self::Closed { users, think } => {
                number("users", f64::from(*users), *users > 0, "1 or more")?;
                think.check()
            }
        }
    }

    /// Returns whether the times at which visits begin are random.
    pub fn draws(&self) -> bool {
        match self {
            Self::Open(arrivals) => arrivals.draws(),
            Self::Closed { users: _, think } => think.draws(),
        }
    }
}

impl Arrivals {
    /// Checks that all numbers of the process are within their bounds.
    ///
    /// # Errors
    /// Names the number that is out of bounds, or the period (`on` or `off`) whose distribution has no mean.
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
        number("the mean of `on` plus `off`, in s,", on + off, on + off >= SHORTEST_CYCLE_S, "0.001 or more")
    }

    fn draws(&self) -> bool {
        match self {
            Self::Regular { per_s: _ } => false,
            Self::Poisson { per_s: _ } | Self::OnOff { per_s: _, on: _, off: _ } => true,
        }
    }

    /// Returns the long-term mean number of visits per second; `None` if the distribution of a period has no mean.
    pub fn mean_per_s(&self) -> Option<f64> {
        match self {
            Self::Poisson { per_s } | Self::Regular { per_s } => Some(*per_s),
            Self::OnOff { per_s, on, off } => {
                let (on, off) = (on.mean()?, off.mean()?);
                Some(per_s * on / (on + off))
            }
        }
    }

    /// Returns this process, scaled to the long-term rate `mean_per_s`, in visits per second.
    #[must_use]
    pub fn with_mean(mut self, mean_per_s: f64) -> Self {
        *self.rate() = 1.0;
        // `share` is the fraction of the time in which arrivals are on. The mean rate is this fraction of the rate in
        // an on period.
        let share = self.mean_per_s().unwrap_or(1.0);
        *self.rate() = mean_per_s / share;
        self
    }

    const fn rate(&mut self) -> &mut f64 {
        match self {
            Self::Poisson { per_s } | Self::Regular { per_s } | Self::OnOff { per_s, .. } => per_s,
        }
    }

    /// Returns the times before `until` at which visits begin. All times count from the start of the traffic.
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

/// Iterator over the times at which visits begin, in ascending order, counted from the start of the traffic.
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
            // The times are not sums of gaps, because rounded gaps would drift.
            Arrivals::Regular { per_s } => self.at_s = self.count as f64 / per_s,
            Arrivals::Poisson { per_s } => self.at_s += gap(&mut self.dice, *per_s),
            Arrivals::OnOff { per_s, on, off } => {
                if self.count == 0 {
                    self.on_until_s = on.draw(&mut self.dice);
                }
                self.at_s += gap(&mut self.dice, *per_s);
                // If the gap is longer than the rest of the on period, it continues in the next on period, because the
                // exponential distribution has no memory.
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
