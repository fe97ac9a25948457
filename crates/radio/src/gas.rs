// SPDX-License-Identifier: MIT OR Apache-2.0
//! Attenuation by oxygen and water vapour (Recommendation ITU-R P.676-13). The attenuation per km is a sum over
//! spectral lines (annex 1). The zenith attenuation is the attenuation per km at the ground times an equivalent height.
//! The attenuation of a slant path is this value divided by the sine of the elevation (annex 2).

use crate::lines::{OXYGEN, WATER};
use crate::oxygen::{FIRST_GHZ, HEIGHT, STEP_GHZ};

/// The air at the station.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Air {
    /// Pressure of the dry air, in hPa.
    pub dry_hpa: f64,
    /// Temperature, in K.
    pub temperature_k: f64,
    /// Density of water vapour, in g/m³.
    pub vapour_g_m3: f64,
}

impl Air {
    /// Creates the air from the total pressure, in hPa.
    pub fn of(all_hpa: f64, temperature_k: f64, vapour_g_m3: f64) -> Self {
        let air = Self { dry_hpa: all_hpa, temperature_k, vapour_g_m3 };
        Self { dry_hpa: all_hpa - air.vapour_hpa(), ..air }
    }

    /// Returns the pressure of the water vapour, in hPa (P.676-13, equation 4).
    fn vapour_hpa(&self) -> f64 {
        self.vapour_g_m3 * self.temperature_k / 216.7
    }

    /// Returns the attenuation by oxygen, in dB/km (P.676-13, annex 1, equations 1 to 9).
    pub fn oxygen_db_km(&self, frequency_ghz: f64) -> f64 {
        let (f, p, e) = (frequency_ghz, self.dry_hpa, self.vapour_hpa());
        let theta = 300.0 / self.temperature_k;
        let line = |&[f0, a1, a2, a3, a4, a5, a6]: &[f64; 7]| {
            let strength = a1 * 1e-7 * p * theta.powi(3) * (a2 * (1.0 - theta)).exp();
            let width = a3 * 1e-4 * (p * theta.powf(0.8 - a4) + 1.1 * e * theta);
            let width = width.hypot(2.25e-6_f64.sqrt());
            let delta = (a5 + a6 * theta) * 1e-4 * (p + e) * theta.powf(0.8);
            let shape = |away: f64, side: f64| (width - delta * side) / (away * away + width * width);
            strength * f / f0 * (shape(f0 - f, f0 - f) + shape(f0 + f, f0 + f))
        };
        // Attenuation by the dry continuum.
        let d = 5.6e-4 * (p + e) * theta.powf(0.8);
        let continuum = f
            * p
            * theta.powi(2)
            * (6.14e-5 / (d * (1.0 + (f / d).powi(2)))
                + 1.4e-12 * p * theta.powf(1.5) / (1.0 + 1.9e-5 * f.powf(1.5)));
        0.1820 * f * (OXYGEN.iter().map(line).sum::<f64>() + continuum)
    }

    /// Returns the attenuation by water vapour, in dB/km (P.676-13, annex 1, equations 1 to 9).
    pub fn vapour_db_km(&self, frequency_ghz: f64) -> f64 {
        let (f, p, e) = (frequency_ghz, self.dry_hpa, self.vapour_hpa());
        let theta = 300.0 / self.temperature_k;
        let line = |&[f0, b1, b2, b3, b4, b5, b6]: &[f64; 7]| {
            let strength = b1 * 1e-1 * e * theta.powf(3.5) * (b2 * (1.0 - theta)).exp();
            let width = b3 * 1e-4 * (p * theta.powf(b4) + b5 * e * theta.powf(b6));
            let width = 0.535 * width + (0.217 * width * width + 2.1316e-12 * f0 * f0 / theta).sqrt();
            let shape = |away: f64| width / (away * away + width * width);
            strength * f / f0 * (shape(f0 - f) + shape(f0 + f))
        };
        0.1820 * f * WATER.iter().map(line).sum::<f64>()
    }

    /// Returns the equivalent height of oxygen, in km (P.676-13, annex 2, equation 31, with the total pressure).
    fn oxygen_km(&self, frequency_ghz: f64) -> f64 {
        let place = ((frequency_ghz - FIRST_GHZ) / STEP_GHZ).clamp(0.0, (HEIGHT.len() - 1) as f64);
        let low = (place as usize).min(HEIGHT.len() - 2);
        let share = place - low as f64;
        let [a, b, c, d] =
            std::array::from_fn(|i| HEIGHT[low][i] * (1.0 - share) + HEIGHT[low + 1][i] * share);
        a + b * self.temperature_k + c * (self.dry_hpa + self.vapour_hpa()) + d * self.vapour_g_m3
    }

    /// Returns the attenuation on a path through the whole atmosphere, in dB. The result is valid for 1 to 55 GHz and
    /// for 5° to 90° (P.676-13, annex 2, section 1).
    pub fn slant_db(&self, frequency_ghz: f64, elevation_deg: f64) -> f64 {
        let zenith = self.oxygen_db_km(frequency_ghz) * self.oxygen_km(frequency_ghz)
            + self.vapour_db_km(frequency_ghz) * vapour_km(frequency_ghz);
        zenith / elevation_deg.to_radians().sin()
    }
}

/// Returns the equivalent height of water vapour, in km (P.676-13, annex 2, equation 37 and table 4).
fn vapour_km(f: f64) -> f64 {
    const LINES: [[f64; 3]; 3] =
        [[22.235_080, 2.684_6, 2.764_9], [183.310_087, 5.890_5, 4.921_9], [325.152_888, 2.981_0, 3.074_8]];
    let lines: f64 = LINES.iter().map(|[f0, a, b]| a / ((f - f0).powi(2) + b)).sum();
    5.6585e-5 * f + 1.8348 + lines
}
