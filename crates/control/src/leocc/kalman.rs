// SPDX-License-Identifier: MIT OR Apache-2.0
//! A Kalman filter for one number that follows a random walk.

use crate::window::Rescale;

/// Variances in an arbitrary unit, which the authors chose. Only the ratios of the variances affect the filter.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub struct Noise {
    /// Q: variance of the number's change between two measurements (LeoCC: 4).
    pub process: f64,
    /// R: variance of the error of a measurement (LeoCC: 4).
    pub measurement: f64,
    /// P of the first estimate (LeoCC: 25).
    pub initial: f64,
}

/// The filter. It predicts that the number does not change. A measurement corrects the prediction with the gain K.
#[derive(Clone, Debug, saved::Plain)]
pub struct Kalman {
    noise: Noise,
    variance: f64,
    estimate: Option<f64>,
}

impl Kalman {
    /// A filter without measurements.
    pub const fn new(noise: Noise) -> Self {
        Self { noise, variance: noise.initial, estimate: None }
    }

    /// The estimate; `None` before the first measurement.
    pub const fn get(&self) -> Option<f64> {
        self.estimate
    }

    /// Processes a measurement. The first measurement is the first estimate.
    pub fn update(&mut self, measured: f64) {
        // P' = P + Q, K = P'/(P' + R), x += K (z - x), P = (1 - K) P'
        let predicted = self.variance + self.noise.process;
        let gain = predicted / (predicted + self.noise.measurement);
        self.variance = (1.0 - gain) * predicted;
        self.estimate =
            Some(self.estimate.map_or(measured, |estimate| estimate + gain * (measured - estimate)));
    }
}

impl Rescale for Kalman {
    fn rescale(&mut self, factor: f64) {
        // The variances do not depend on the unit of the number.
        self.estimate.rescale(factor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With Q = R the gain tends to the inverse golden ratio (sqrt(5) - 1)/2: P' = P + Q with P = K R gives
    /// K^2 + K - 1 = 0.
    #[test]
    fn equal_noises_settle_at_the_golden_ratio() {
        let mut kalman = Kalman::new(Noise { process: 4.0, measurement: 4.0, initial: 25.0 });
        for _ in 0..50 {
            kalman.update(0.0);
        }
        kalman.update(1.0);
        let gain = kalman.get().unwrap_or_default();
        assert!((gain - (5.0_f64.sqrt() - 1.0) / 2.0).abs() < 1e-12, "{gain}");
    }
}
