// SPDX-License-Identifier: MIT OR Apache-2.0
//! Attenuation by rain on a slant path. The attenuation per km is from Recommendation ITU-R P.838-3. The attenuation
//! that is exceeded for a percentage of time is from Recommendation ITU-R P.618-14, section 2.2.1.1.

/// Regression coefficients of P.838-3. `rows` contains rows of a, b and c. `slope` is m, and `offset` is c.
struct Curve {
    rows: &'static [[f64; 3]],
    slope: f64,
    offset: f64,
}

impl Curve {
    /// Evaluates P.838-3, equations 2 and 3: Σ a exp(-((log f - b) / c)²) + m log f + c.
    fn at(&self, frequency_ghz: f64) -> f64 {
        let x = frequency_ghz.log10();
        let sum: f64 = self.rows.iter().map(|[a, b, c]| a * (-((x - b) / c).powi(2)).exp()).sum();
        sum + self.slope * x + self.offset
    }
}

// P.838-3, table 1.
const K_HORIZONTAL: Curve = Curve {
    rows: &[
        [-5.339_80, -0.100_08, 1.130_98],
        [-0.353_51, 1.269_70, 0.454_00],
        [-0.237_89, 0.860_36, 0.153_54],
        [-0.941_58, 0.645_52, 0.168_17],
    ],
    slope: -0.189_61,
    offset: 0.711_47,
};
// P.838-3, table 2.
const K_VERTICAL: Curve = Curve {
    rows: &[
        [-3.805_95, 0.569_34, 0.810_61],
        [-3.449_65, -0.229_11, 0.510_59],
        [-0.399_02, 0.730_42, 0.118_99],
        [0.501_67, 1.073_19, 0.271_95],
    ],
    slope: -0.163_98,
    offset: 0.632_97,
};
// P.838-3, table 3.
const ALPHA_HORIZONTAL: Curve = Curve {
    rows: &[
        [-0.143_18, 1.824_42, -0.551_87],
        [0.295_91, 0.775_64, 0.198_22],
        [0.321_77, 0.637_73, 0.131_64],
        [-5.376_10, -0.962_30, 1.478_28],
        [16.172_1, -3.299_80, 3.439_90],
    ],
    slope: 0.678_49,
    offset: -1.955_37,
};
// P.838-3, table 4.
const ALPHA_VERTICAL: Curve = Curve {
    rows: &[
        [-0.077_71, 2.338_40, -0.762_84],
        [0.567_27, 0.955_45, 0.540_39],
        [-0.202_38, 1.145_20, 0.268_09],
        [-48.299_1, 0.791_669, 0.116_226],
        [48.583_3, 0.791_459, 0.116_479],
    ],
    slope: -0.053_739,
    offset: 0.834_33,
};

/// A path through rain. It contains the inputs of the long-term statistics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Path {
    /// Frequency, from 1 to 55 GHz.
    pub frequency_ghz: f64,
    /// Elevation, from 5° to 90°.
    pub elevation_deg: f64,
    /// Angle between the polarisation and the horizontal, in degrees. It is 0 for horizontal, 90 for vertical and 45
    /// for circular polarisation.
    pub tilt_deg: f64,
    /// Latitude of the station, in degrees. The sign has no effect.
    pub latitude_deg: f64,
    /// Height of the station above sea level, in km.
    pub station_km: f64,
    /// Rain height above sea level, in km.
    pub rain_km: f64,
    /// Rain rate that is exceeded for 0.01 % of an average year, in mm/h.
    pub rate_001_mm_h: f64,
}

impl Path {
    /// Returns k and α. The specific attenuation is k R^α in dB/km (P.838-3, equations 4 and 5).
    pub fn coefficients(&self) -> (f64, f64) {
        let (kh, kv) =
            [&K_HORIZONTAL, &K_VERTICAL].map(|curve| 10f64.powf(curve.at(self.frequency_ghz))).into();
        let (ah, av) = [&ALPHA_HORIZONTAL, &ALPHA_VERTICAL].map(|curve| curve.at(self.frequency_ghz)).into();
        let turn = self.elevation_deg.to_radians().cos().powi(2) * (2.0 * self.tilt_deg.to_radians()).cos();
        let k = (kh + kv + (kh - kv) * turn) / 2.0;
        (k, (kh * ah + kv * av + (kh * ah - kv * av) * turn) / (2.0 * k))
    }

    /// Returns the specific attenuation by rain with this rate, in dB/km.
    pub fn specific_db_km(&self, rate_mm_h: f64) -> f64 {
        let (k, alpha) = self.coefficients();
        k * rate_mm_h.powf(alpha)
    }

    /// Returns the attenuation that is exceeded for 0.01 % of an average year, in dB (P.618-14, section 2.2.1.1, steps
    /// 2 to 9).
    pub fn exceeded_001_db(&self) -> f64 {
        let (f, theta) = (self.frequency_ghz, self.elevation_deg.to_radians());
        let above = self.rain_km - self.station_km;
        if above <= 0.0 || self.rate_001_mm_h <= 0.0 {
            return 0.0;
        }
        // Step 2: equation 1, which is valid from 5° on.
        let slant = above / theta.sin();
        // Step 3.
        let ground = slant * theta.cos();
        // Step 5.
        let gamma = self.specific_db_km(self.rate_001_mm_h);
        // Step 6: horizontal reduction factor.
        let reduced = 1.0 / (1.0 + 0.78 * (ground * gamma / f).sqrt() - 0.38 * (1.0 - (-2.0 * ground).exp()));
        // Step 7: vertical adjustment factor.
        let zeta = above.atan2(ground * reduced);
        let within = if zeta > theta { ground * reduced / theta.cos() } else { slant };
        let chi = (36.0 - self.latitude_deg.abs()).max(0.0);
        let bent =
            31.0 * (1.0 - (-self.elevation_deg / (1.0 + chi)).exp()) * (within * gamma).sqrt() / f.powi(2);
        let adjusted = 1.0 / (1.0 + theta.sin().sqrt() * (bent - 0.45));
        // Steps 8 and 9.
        gamma * within * adjusted
    }

    /// Returns the attenuation that is exceeded for `p` percent of an average year, in dB. The result is valid for `p`
    /// from 0.001 to 5 (P.618-14, section 2.2.1.1, step 10).
    pub fn exceeded_db(&self, p: f64) -> f64 {
        let a001 = self.exceeded_001_db();
        if a001 <= 0.0 {
            return 0.0;
        }
        let (latitude, sine) = (self.latitude_deg.abs(), self.elevation_deg.to_radians().sin());
        let beta = if p >= 1.0 || latitude >= 36.0 {
            0.0
        } else if self.elevation_deg >= 25.0 {
            -0.005 * (latitude - 36.0)
        } else {
            -0.005 * (latitude - 36.0) + 1.8 - 4.25 * sine
        };
        let exponent = 0.655 + 0.033 * p.ln() - 0.045 * a001.ln() - beta * (1.0 - p) * sine;
        a001 * (p / 0.01).powf(-exponent)
    }
}
