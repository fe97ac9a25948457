// SPDX-License-Identifier: MIT OR Apache-2.0
//! The land-mobile channel of Recommendation ITU-R P.681 (section 6; Prieto-Cerdeira and others, "Versatile two-state land
//! mobile satellite channel model with first application to DVB-SH analysis", Int. J. Satell. Commun. Netw. 28, 2010).
//!
//! GOOD and BAD stretches alternate. Their lengths have a log-normal distribution with a lower bound. Within a stretch,
//! the power has Loo's distribution: a direct path plus echoes (Rayleigh). The level of the direct path in decibels is
//! normally distributed. Its mean M_A is drawn for each stretch. The deviation of the level and the power of the echoes
//! are functions of M_A: Sigma_A = g1 M_A + g2 and MP = h1 M_A + h2. Along the path, the correlation of the level
//! decays as exp(-distance / L_corr).
//!
//! The model makes three assumptions:
//!
//! - The echoes of two packets are independent, as if the vehicle moved more than half a wavelength between the
//!   packets.
//! - The level of the direct path is constant for a tenth of L_corr.
//! - Stretches change abruptly. The recommendation has transitions of a few metres.
//!
//! A drive begins in the middle of a stretch. The length of this stretch has the length-biased distribution. For
//! log-normal lengths, this is again a log-normal distribution, with mu + sigma^2 instead of mu.

mod level;
mod loo;
mod surroundings;

pub(crate) use level::Level;
pub use surroundings::Surroundings;

use crate::land_mobile::ratio;
use loo::Loo;
use random::normal::{exceeded_with, tail};
use random::{Draw as _, Xoshiro256PlusPlus};
use units::{Decibels, Distance, Span, Speed};

/// Distance over which the level of the direct path is constant, as a fraction of its correlation distance.
const HELD: f64 = 0.1;

/// A drive through GOOD and BAD stretches, and the link's margin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoState {
    /// Speed of the vehicle.
    pub speed: Speed,
    /// Ratio of the power of an unobstructed path to the required power.
    pub margin: Decibels,
    /// GOOD, the state with the better view.
    pub good: LooState,
    /// BAD, the state behind obstacles.
    pub bad: LooState,
}

/// A state of the channel. The symbols are those of the recommendation. Levels are relative to an unobstructed path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LooState {
    /// mu: mean of the natural logarithm of a stretch's length in metres.
    pub log_mean: f64,
    /// sigma: standard deviation of the natural logarithm of a stretch's length.
    pub log_deviation: f64,
    /// `dur_min`: shortest length of a stretch.
    pub shortest: Distance,
    /// `mu_MA`: mean of M_A over the stretches.
    pub level_mean: Decibels,
    /// `sigma_MA`: standard deviation of M_A.
    pub level_deviation: Decibels,
    /// `p_min` and `p_max`: two probabilities. M_A lies between its quantiles at these probabilities.
    pub level_between: (f64, f64),
    /// h1 and h2: the power of the echoes is MP = h1 M_A + h2, in dB.
    pub echoes: (f64, f64),
    /// g1 and g2: the standard deviation of the direct path is Sigma_A = g1 M_A + g2, in dB. A negative value counts as
    /// 0.
    pub direct: (f64, f64),
    /// `L_corr`: distance over which the correlation of the direct path's level falls to 1/e.
    pub correlation: Distance,
}

impl LooState {
    /// Probability that a log-normal length exceeds the shortest length. The mean of the logarithm is increased by
    /// `shift` times the variance.
    fn longer(&self, shift: f64) -> f64 {
        if self.log_deviation == 0.0 {
            return 1.0;
        }
        tail((self.shortest.m().ln() - self.log_mean) / self.log_deviation - shift * self.log_deviation)
    }

    /// Mean length of a stretch in metres. This is the mean of a log-normal variable above a bound (Johnson, Kotz and
    /// Balakrishnan, Continuous Univariate Distributions 1, chapter 14): exp(mu + sigma^2 / 2) Q(a - sigma) / Q(a) with
    /// a = (ln `dur_min` - mu) / sigma.
    pub fn mean_m(&self) -> f64 {
        let free = (self.log_mean + self.log_deviation.powi(2) / 2.0).exp();
        (free * self.longer(1.0) / self.longer(0.0)).max(self.shortest.m())
    }

    /// The fraction of log-normal lengths that are not below the shortest length.
    pub fn long_enough(&self) -> f64 {
        self.longer(0.0)
    }

    /// Draws a length in metres. `shift` is 1 for the first stretch of a drive, and 0 for all others. A drive is more
    /// likely to begin in a long stretch. The length-biased distribution is the same distribution with mu + sigma^2
    /// instead of mu.
    fn length_m(&self, shift: f64, random: &mut Xoshiro256PlusPlus) -> f64 {
        // The draw uses inversion. The probability is uniform above the bound.
        let above = self.longer(shift) * random.positive();
        let deviations = exceeded_with(above.clamp(1e-300, 1.0 - 1e-16)) + shift * self.log_deviation;
        (self.log_mean + self.log_deviation * deviations).exp().max(self.shortest.m())
    }

    /// Bounds of M_A, in standard deviations from its mean.
    fn bounds(&self) -> [f64; 2] {
        let (least, most) = self.level_between;
        [least, most].map(|below| -exceeded_with(below.clamp(1e-15, 1.0 - 1e-15)))
    }

    /// M_A in decibels, if it is `deviations` standard deviations above its mean.
    fn level_db(&self, deviations: f64) -> f64 {
        self.level_mean.db() + self.level_deviation.db() * deviations
    }

    /// Loo's distribution in a stretch whose mean level is `level_db`.
    fn about(&self, level_db: f64, margin: Decibels) -> Loo {
        Loo {
            mean_db: level_db,
            deviation_db: (self.direct.0 * level_db + self.direct.1).max(0.0),
            echoes: ratio(self.echoes.0 * level_db + self.echoes.1),
            threshold: ratio(-margin.db()),
        }
    }
}

/// The stretches of one state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stretches {
    state: LooState,
    speed: Speed,
    margin: Decibels,
}

impl TwoState {
    /// The stretches of the states GOOD and BAD.
    pub(crate) fn states(&self) -> [Stretches; 2] {
        [self.good, self.bad].map(|state| Stretches { state, speed: self.speed, margin: self.margin })
    }
}

impl Stretches {
    /// Mean duration of a stretch.
    pub fn mean(&self) -> Span {
        self.time(self.state.mean_m())
    }

    fn time(&self, metres: f64) -> Span {
        // The duration must be at least the resolution of time.
        Span::from_secs_f64((metres / self.speed.m_s()).clamp(1e-9, 1e9))
    }

    /// Draws the duration of a stretch. If `begins` is true, a drive begins in this stretch, and the result is the
    /// remaining duration.
    pub fn lasts(&self, begins: bool, random: &mut Xoshiro256PlusPlus) -> Span {
        let metres = self.state.length_m(f64::from(u8::from(begins)), random);
        self.time(if begins { metres * random.positive() } else { metres })
    }

    /// Time for which the level of the direct path is constant, and the correlation between two such times.
    pub fn held(&self) -> (Span, f64) {
        (self.time(self.state.correlation.m() * HELD), (-HELD).exp())
    }

    /// Draws Loo's distribution of a stretch.
    fn draw(&self, random: &mut Xoshiro256PlusPlus) -> Loo {
        let (least, most) = self.state.level_between;
        // The draw uses inversion. The probability is uniform between the bounds.
        let below = (least + (most - least) * random.positive()).clamp(1e-15, 1.0 - 1e-15);
        self.state.about(self.state.level_db(-exceeded_with(below)), self.margin)
    }

    /// The fraction of packets that are lost in the long run, over all stretches and levels.
    pub fn mean_loss(&self) -> f64 {
        // Simpson's rule integrates over the normal density of M_A between its bounds. The result is divided by the
        // probability between the bounds.
        const PARTS: u32 = 60;
        let [least, most] = self.state.bounds().map(|bound| bound.clamp(-6.5, 6.5));
        let (mut sum, mut all) = (0.0, 0.0);
        for part in 0..=PARTS {
            let z = least + (most - least) * f64::from(part) / f64::from(PARTS);
            let weight = if part == 0 || part == PARTS { 1.0 } else { f64::from(2 + part % 2 * 2) };
            let density = weight * (-z * z / 2.0).exp();
            all += density;
            sum += density * self.state.about(self.state.level_db(z), self.margin).outage();
        }
        sum / all
    }
}

#[cfg(test)]
mod tests;
