// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scintillation (Recommendation ITU-R P.618-14, section 2.4.1, for elevations of at least 5°).

/// Height of the turbulent layer, in metres.
const LAYER_M: f64 = 1000.0;

/// The inputs of the scintillation statistics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scintillation {
    /// Frequency, in GHz.
    pub frequency_ghz: f64,
    /// Elevation, in degrees.
    pub elevation_deg: f64,
    /// Wet term of the radio refractivity.
    pub wet_refractivity: f64,
    /// Diameter of the antenna, in metres.
    pub antenna_m: f64,
    /// Efficiency of the antenna.
    pub efficiency: f64,
}

impl Scintillation {
    /// Returns the standard deviation of the signal level, in dB (steps 3 to 7).
    pub fn sigma_db(&self) -> f64 {
        let (f, sine) = (self.frequency_ghz, self.elevation_deg.to_radians().sin());
        let reference = 3.6e-3 + 1e-4 * self.wet_refractivity;
        let path_m = 2.0 * LAYER_M / ((sine * sine + 2.35e-4).sqrt() + sine);
        let effective_m = self.efficiency.sqrt() * self.antenna_m;
        let x = 1.22 * effective_m.powi(2) * f / path_m;
        // Step 6: from 7.0 on, averaging over the antenna removes all scintillation.
        if x >= 7.0 {
            return 0.0;
        }
        let averaged = 3.86 * (x * x + 1.0).powf(11.0 / 12.0) * (11.0 / 6.0 * 1f64.atan2(x)).sin()
            - 7.08 * x.powf(5.0 / 6.0);
        reference * f.powf(7.0 / 12.0) * averaged.sqrt() / sine.powf(1.2)
    }

    /// Returns the fade that is exceeded for `p` percent of the time, in dB. The result is valid for `p` from 0.01 to
    /// 50 (steps 8 and 9).
    pub fn exceeded_db(&self, p: f64) -> f64 {
        let x = p.log10();
        let factor = -0.061 * x.powi(3) + 0.072 * x.powi(2) - 1.71 * x + 3.0;
        factor * self.sigma_db()
    }
}
