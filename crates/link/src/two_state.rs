// SPDX-License-Identifier: MIT OR Apache-2.0
//! The land-mobile channel of Recommendation ITU-R P.681 (section 6; Prieto-Cerdeira and others, "Versatile two-state land
//! mobile satellite channel model with first application to DVB-SH analysis", Int. J. Satell. Commun. Netw. 28, 2010).
//!
//! GOOD and BAD stretches alternate. Their lengths are log-normal with a lower bound. Within a stretch the power has
//! Loo's distribution: a direct path whose level in decibels is normal, plus echoes (Rayleigh). The mean level M_A of
//! the direct path is drawn for each stretch. The deviation of the level and the power of the echoes follow from M_A:
//! Sigma_A = g1 M_A + g2 and MP = h1 M_A + h2. Along the path the correlation of the level decays as exp(-distance /
//! L_corr).
//!
//! Our assumptions: the echoes of two packets are independent, as if the vehicle drove more than half a wavelength
//! between them; the level of the direct path is constant for a tenth of L_corr; stretches change abruptly (the
//! recommendation has transitions of a few metres).
//!
//! A drive begins in the middle of a stretch. The length of this stretch follows the length-biased law, which for
//! log-normal lengths is again log-normal, with mu + sigma^2.

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

/// Step of the direct path's level, as a fraction of its correlation distance.
const HELD: f64 = 0.1;

/// A drive, and the link's margin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoState {
    /// Speed of the vehicle.
    pub speed: Speed,
    /// Margin of an unobstructed path over the needed power.
    pub margin: Decibels,
    /// The state with the better view.
    pub good: LooState,
    /// The state behind obstacles.
    pub bad: LooState,
}

/// A state of the channel, with the recommendation's symbols. Levels are relative to an unobstructed path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LooState {
    /// Mean of the natural logarithm of a stretch's length in metres: mu.
    pub log_mean: f64,
    /// Standard deviation of the natural logarithm of a stretch's length: sigma.
    pub log_deviation: f64,
    /// Shortest length of a stretch: `dur_min`.
    pub shortest: Distance,
    /// Mean of M_A over the stretches: `mu_MA`.
    pub level_mean: Decibels,
    /// Standard deviation of M_A: `sigma_MA`.
    pub level_deviation: Decibels,
    /// M_A is between its quantiles with these two probabilities: `p_min` and `p_max`.
    pub level_between: (f64, f64),
    /// Power of the echoes MP = h1 M_A + h2, dB: h1 and h2.
    pub echoes: (f64, f64),
    /// Deviation of the direct path Sigma_A = g1 M_A + g2, dB (0 if this is negative): g1 and g2.
    pub direct: (f64, f64),
    /// Correlation distance of the direct path's level (to 1/e): `L_corr`.
    pub correlation: Distance,
}

impl LooState {
    /// Probability that a log-normal length exceeds the shortest, with the mean of its logarithm shifted by `shift`
    /// variances.
    fn longer(&self, shift: f64) -> f64 {
        if self.log_deviation == 0.0 {
            return 1.0;
        }
        tail((self.shortest.m().ln() - self.log_mean) / self.log_deviation - shift * self.log_deviation)
    }

    /// Mean length of a stretch in metres: the mean of a log-normal variable above a bound (Johnson, Kotz and
    /// Balakrishnan, Continuous Univariate Distributions 1, chapter 14): exp(mu + sigma^2 / 2) Q(a - sigma) / Q(a) with
    /// a = (ln `dur_min` - mu) / sigma.
    pub fn mean_m(&self) -> f64 {
        let free = (self.log_mean + self.log_deviation.powi(2) / 2.0).exp();
        (free * self.longer(1.0) / self.longer(0.0)).max(self.shortest.m())
    }

    /// The fraction of log-normal lengths that are at least the shortest.
    pub fn long_enough(&self) -> f64 {
        self.longer(0.0)
    }

    /// Draws a length in metres. `shift` is 1 for the stretch in which a drive begins: a drive begins more probably in
    /// a long stretch, and the length-biased law is the same law with mu + sigma^2.
    fn length_m(&self, shift: f64, random: &mut Xoshiro256PlusPlus) -> f64 {
        // By inversion: above the bound, uniform in probability.
        let above = self.longer(shift) * random.positive();
        let deviations = exceeded_with(above.clamp(1e-300, 1.0 - 1e-16)) + shift * self.log_deviation;
        (self.log_mean + self.log_deviation * deviations).exp().max(self.shortest.m())
    }

    /// Bounds of M_A, in standard deviations above its mean.
    fn bounds(&self) -> [f64; 2] {
        let (least, most) = self.level_between;
        [least, most].map(|below| -exceeded_with(below.clamp(1e-15, 1.0 - 1e-15)))
    }

    /// M_A at `deviations` standard deviations above its mean.
    fn level_db(&self, deviations: f64) -> f64 {
        self.level_mean.db() + self.level_deviation.db() * deviations
    }

    /// Loo's distribution about a mean level.
    fn about(&self, level_db: f64, margin: Decibels) -> Loo {
        Loo {
            mean_db: level_db,
            deviation_db: (self.direct.0 * level_db + self.direct.1).max(0.0),
            echoes: ratio(self.echoes.0 * level_db + self.echoes.1),
            threshold: ratio(-margin.db()),
        }
    }
}

/// One of the states at run time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stretches {
    state: LooState,
    speed: Speed,
    margin: Decibels,
}

impl TwoState {
    /// GOOD and BAD.
    pub(crate) fn states(&self) -> [Stretches; 2] {
        [self.good, self.bad].map(|state| Stretches { state, speed: self.speed, margin: self.margin })
    }
}

impl Stretches {
    /// Mean duration.
    pub fn mean(&self) -> Span {
        self.time(self.state.mean_m())
    }

    fn time(&self, metres: f64) -> Span {
        // At least the resolution of time.
        Span::from_secs_f64((metres / self.speed.m_s()).clamp(1e-9, 1e9))
    }

    /// Duration of a stretch. If a drive `begins` in this stretch, the rest of its duration.
    pub fn lasts(&self, begins: bool, random: &mut Xoshiro256PlusPlus) -> Span {
        let metres = self.state.length_m(f64::from(u8::from(begins)), random);
        self.time(if begins { metres * random.positive() } else { metres })
    }

    /// Time step of the direct path's level, and the correlation from one step to the next.
    pub fn held(&self) -> (Span, f64) {
        (self.time(self.state.correlation.m() * HELD), (-HELD).exp())
    }

    /// Draws the law of a stretch.
    fn draw(&self, random: &mut Xoshiro256PlusPlus) -> Loo {
        let (least, most) = self.state.level_between;
        // By inversion: uniform in probability.
        let below = (least + (most - least) * random.positive()).clamp(1e-15, 1.0 - 1e-15);
        self.state.about(self.state.level_db(-exceeded_with(below)), self.margin)
    }

    /// The fraction of packets lost in the long run, over stretches and levels.
    pub fn mean_loss(&self) -> f64 {
        // Simpson's rule over the normal density of M_A between its bounds, divided by the probability between the
        // bounds.
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
