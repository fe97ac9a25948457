// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rain over time: the model of Maseng and Bakken as in Recommendation ITU-R P.1853-2, annex 1, section 2.
//!
//! A = max(exp(m + σ x) - A_offset, 0), and x is an Ornstein-Uhlenbeck process: standard normal at any time, correlated by
//! exp(-β t). Links through the same rain share x, each with m and σ of its own frequency; so at any time both are at the
//! level that P.618's curve of their own frequency and path exceeds for the same share of a year. That is an assumption of
//! ours: P.618 itself scales a *measured* fade to another frequency (section 2.2.1.3, of frequencies alone), and says
//! nothing of two curves at one time.
//!
//! There is one process for each cell, in steps of 1 s, from the stream "rain CELL" of the run's seed. The scaling
//! of section 2.2.1.3 uses neither path nor rain rate; from 14.25 to 29 GHz it gives 0.70 to 1.07 times what P.618
//! gives there itself.

use crate::rain::Path;
use random::normal;
use random::{Draw as _, SeedableRng as _, Xoshiro256PlusPlus};
use units::Span;

/// The rate at which rain forgets (P.1853-2, annex 1, section 2.2, step B), per second.
pub const BETA_PER_S: f64 = 2e-4;

/// Shares of a year in percent at which the law is fitted to P.618 (P.1853-2, step A2), as far as P.618 goes.
const FITTED: [f64; 12] = [0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0, 5.0];

/// The law of the attenuation at any one time: log-normal, shifted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marginal {
    /// Mean of the logarithm.
    pub m: f64,
    /// Standard deviation of the logarithm.
    pub sigma: f64,
    /// Taken off, so that it rains for the probability of rain.
    pub offset_db: f64,
}

impl Marginal {
    /// The law that follows a path's long-term statistics, where it rains with this probability (P.1853-2, steps A and C):
    /// the line of least squares through ln A over the normal quantile. `None` where no rain attenuates.
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

    /// Attenuation where the process is at `x`.
    pub fn attenuation_db(&self, x: f64) -> f64 {
        ((self.m + self.sigma * x).exp() - self.offset_db).max(0.0)
    }

    /// Where the process is at this attenuation, which must be above zero.
    pub fn place(&self, attenuation_db: f64) -> f64 {
        ((attenuation_db + self.offset_db).ln() - self.m) / self.sigma
    }
}

/// The process behind the rain of one place, drawn once.
#[derive(Clone, Debug, PartialEq)]
pub struct Weather(Vec<f64>);

impl Weather {
    /// Draws `count` values, one for each `step`. The first is `start`, or drawn as for any time of the year.
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

    /// The values in order.
    pub fn values(&self) -> &[f64] {
        &self.0
    }
}
