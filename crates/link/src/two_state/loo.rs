// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loo's distribution (C. Loo, "A statistical model for a land mobile satellite link", IEEE Trans. Vehicular Technology
//! 34, 1985): Rice fading about a direct path whose power is log-normal.

use crate::land_mobile::{ratio, rice_below};
use std::f64::consts::TAU;

/// Loo's distribution, and the power below which packets are lost. Powers are relative to an unobstructed path.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub(crate) struct Loo {
    /// M_A: mean level of the direct path, in decibels.
    pub mean_db: f64,
    /// Sigma_A: standard deviation of the level of the direct path, in decibels.
    pub deviation_db: f64,
    /// MP: power of the echoes.
    pub echoes: f64,
    pub threshold: f64,
}

impl Loo {
    /// Probability of loss if the level of the direct path is `deviations` standard deviations above its mean.
    pub fn outage_at(&self, deviations: f64) -> f64 {
        let direct = ratio(self.mean_db + self.deviation_db * deviations);
        let (factor, below) = (direct / self.echoes, self.threshold / direct);
        // If the direct path is this strong, echoes change the power by less than 1 %. The probability is then a step
        // function.
        if factor > 1e5 {
            return if below > 1.0 { 1.0 } else { 0.0 };
        }
        // If the direct path is far below the echoes, it has no effect. The distribution is then Rayleigh's, 1 - exp(-S
        // / MP).
        if factor < 1e-9 {
            return -(-self.threshold / self.echoes).exp_m1();
        }
        rice_below(factor, below)
    }

    /// Probability of loss over all levels. It is the mean over the normal distribution of the level.
    pub fn outage(&self) -> f64 {
        // The trapezoidal rule converges geometrically if the integrand vanishes at both ends.
        const STEP: f64 = 0.2;
        const REACH: i32 = 33;
        if self.deviation_db == 0.0 {
            return self.outage_at(0.0);
        }
        let term = |k: i32| {
            let z = STEP * f64::from(k);
            (-z * z / 2.0).exp() * self.outage_at(z)
        };
        (-REACH..=REACH).map(term).sum::<f64>() * STEP / TAU.sqrt()
    }
}
