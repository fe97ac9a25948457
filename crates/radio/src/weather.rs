// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rain attenuation over time, by the model of Maseng and Bakken (Recommendation ITU-R P.1853-2, annex 1, section 2).
//!
//! A = max(exp(m + σ x) - A_offset, 0), where x is an Ornstein-Uhlenbeck process. At any time, x has a standard normal
//! distribution. Its autocorrelation is exp(-β t).
//!
//! Links in the same weather cell share x, but the m and σ of each link follow from its own frequency and path. At any
//! time, the attenuations of these links are therefore equally rare: by its own P.618 statistics, each attenuation is
//! exceeded for the same share of a year. This is our assumption. P.618 itself does not relate the statistics of two
//! links at one time. It scales a *measured* fade to another frequency (section 2.2.1.3). This scaling uses only the
//! two frequencies, and neither path nor rain rate. From 14.25 to 29 GHz, it results in 0.70 to 1.07 times the
//! attenuation that the statistics of P.618 yield at 29 GHz.
//!
//! Each weather cell has one process with steps of 1 s. Its random stream is "rain CELL", from the seed of the run.

use crate::rain::Path;
use random::normal;
use random::{Draw as _, SeedableRng as _, Xoshiro256PlusPlus};
use units::Span;

/// β, the rate at which the autocorrelation of the rain process decays, per second (P.1853-2, annex 1, section 2.2,
/// step B).
pub const BETA_PER_S: f64 = 2e-4;

/// Percentages of a year at which the distribution is fitted to P.618 (P.1853-2, step A2). They are within the valid
/// range of P.618.
const FITTED: [f64; 12] = [0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0, 5.0];

/// Distribution of the rain attenuation at a single time. It is log-normal with an offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marginal {
    /// m: mean of the logarithm.
    pub m: f64,
    /// σ: standard deviation of the logarithm.
    pub sigma: f64,
    /// A_offset, in dB. Because of this offset, the probability that the attenuation is above zero equals the
    /// probability of rain.
    pub offset_db: f64,
}

impl Marginal {
    /// Fits the distribution to the long-term statistics of a path (P.1853-2, steps A and C). `probability` is the
    /// probability of rain. The fit is a least-squares line through ln A as a function of the normal quantile. The
    /// result is `None` if rain causes no attenuation.
    pub fn fit(path: &Path, probability: f64) -> Option<Self> {
        let points: Vec<(f64, f64)> = FITTED
            .iter()
            .filter(|&&p| p < probability * 100.0)
            .map(|&p| (normal::exceeded_with(p / 100.0), path.exceeded_db(p).ln()))
            .filter(|(_, log)| log.is_finite())
            .collect();
        if points.len() < 2 {
            return None;
        }
        let count = points.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
        let (x, y) = (mean(|p| p.0), mean(|p| p.1));
        let spread: f64 = points.iter().map(|p| (p.0 - x).powi(2)).sum();
        let sigma = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum::<f64>() / spread;
        let m = y - sigma * x;
        Some(Self { m, sigma, offset_db: (m + sigma * normal::exceeded_with(probability)).exp() })
    }

    /// Returns the attenuation for the value `x` of the process, in dB.
    pub fn attenuation_db(&self, x: f64) -> f64 {
        ((self.m + self.sigma * x).exp() - self.offset_db).max(0.0)
    }

    /// Returns the value of the process that results in this attenuation. The attenuation must be above zero.
    pub fn place(&self, attenuation_db: f64) -> f64 {
        ((attenuation_db + self.offset_db).ln() - self.m) / self.sigma
    }
}

/// The values of the process x that were drawn for one weather cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Weather(Vec<f64>);

impl Weather {
    /// Draws `count` values, one per `step`. If `start` is given, it is the first value. If not, the first value is
    /// drawn from the standard normal distribution.
    pub fn draw(seed: u64, step: Span, count: usize, beta_per_s: f64, start: Option<f64>) -> Self {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let kept = (-beta_per_s * step.secs_f64()).exp();
        let fresh = (1.0 - kept * kept).sqrt();
        let [first, _] = random.normal_pair();
        let mut x = start.unwrap_or(first);
        let mut values = Vec::with_capacity(count + 1);
        while values.len() < count {
            for noise in random.normal_pair() {
                values.push(x);
                x = kept * x + fresh * noise;
            }
        }
        values.truncate(count);
        Self(values)
    }

    /// Returns the values in order of time.
    pub fn values(&self) -> &[f64] {
        &self.0
    }
}
