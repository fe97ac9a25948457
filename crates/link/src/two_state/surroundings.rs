// SPDX-License-Identifier: MIT OR Apache-2.0
//! Environments for which ITU-R P.681 (annex 2, 1.5 to 3 GHz) contains the parameters of the two states.
//!
//! Source: the recommendation's tables as in Simu5G (github.com/Unipisa/Simu5G, commit 4415e0f,
//! `src/simu5g/stack/phy/channelmodel/NtnChannelModel.cc`). The row urban-45 has the same numbers as the default of
//! MathWorks' `p681LMSChannel` (P.681-11). For the other rows, we had no second source. We did not have the
//! recommendation itself. At 70 degrees, two environments have the same row. Both rows are omitted, because this is
//! probably a copying mistake. `p_min` and `p_max` are 0.1 and 0.9 in the bad state, and 0 and 1 in the good state.

use super::LooState;
use units::{Decibels, Distance};

/// An environment, with the elevation of the satellite in degrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surroundings {
    /// In a city, at 20 degrees.
    Urban20,
    /// In a city, at 30 degrees.
    Urban30,
    /// In a city, at 45 degrees.
    Urban45,
    /// In a city, at 60 degrees.
    Urban60,
    /// In a suburb, at 20 degrees.
    Suburban20,
    /// In a suburb, at 30 degrees.
    Suburban30,
    /// In a suburb, at 45 degrees.
    Suburban45,
    /// In a suburb, at 60 degrees.
    Suburban60,
    /// In wooded country, at 20 degrees.
    RuralWooded20,
    /// In wooded country, at 30 degrees.
    RuralWooded30,
    /// In wooded country, at 45 degrees.
    RuralWooded45,
    /// In wooded country, at 60 degrees.
    RuralWooded60,
    /// In wooded country, at 70 degrees.
    RuralWooded70,
}

/// Columns: mu, sigma, `dur_min`, `mu_MA`, `sigma_MA`, h1, h2, g1, g2, `L_corr`.
type Row = [f64; 10];

impl Surroundings {
    /// Returns the states GOOD and BAD.
    pub fn states(self) -> [LooState; 2] {
        let [good, bad] = self.rows();
        [
            LooState { level_between: (0.0, 1.0), ..state(good) },
            LooState { level_between: (0.1, 0.9), ..state(bad) },
        ]
    }

    #[rustfmt::skip]
    const fn rows(self) -> [Row; 2] {
        match self {
            Self::Urban20 => [
                [2.004_2, 1.204_9, 3.988_9, -3.368_1, 3.322_6, 0.173_9, -11.596_6, 0.003_6, 1.323, 0.968],
                [3.689, 0.979_6, 10.311_4, -18.177_1, 3.267_2, 1.141_1, 4.058_1, -0.250_2, -1.252_8, 0.968],
            ],
            Self::Urban30 => [
                [2.733_2, 1.103, 7.317_4, -2.377_3, 2.122_2, 0.094_1, -13.167_9, -0.281_1, 0.932_3, 1.473_1],
                [2.758_2, 1.221, 5.727_6, -17.427_6, 3.953_2, 0.917_5, -0.800_9, -0.148_4, 0.591, 1.473_1],
            ],
            Self::Urban45 => [
                [3.063_9, 1.698, 10.0, -1.822_5, 1.131_7, -0.048_1, -14.745, -0.464_3, 0.333_4, 1.791],
                [2.910_8, 1.260_2, 6.0, -15.484_4, 3.324_5, 0.943_4, -1.755_5, -0.079_8, 2.810_1, 1.791],
            ],
            Self::Urban60 => [
                [2.813_5, 1.596_2, 10.0, -1.587_2, 1.244_6, -0.516_8, -17.406, -0.195_3, 0.535_3, 1.797_7],
                [2.021_1, 0.656_8, 1.912_6, -14.143_5, 3.270_6, 0.697_5, -7.538_3, 0.042_2, 3.203, 1.797_7],
            ],
            Self::Suburban20 => [
                [2.220_1, 1.276_7, 2.291_4, -2.719_1, 1.384, -0.303_7, -13.071_9, -0.125_4, 0.789_4, 0.929],
                [2.265_7, 1.381_2, 2.558_5, -13.880_8, 2.583, 1.013_6, 0.515_8, -0.144_1, 0.775_7, 0.929],
            ],
            Self::Suburban30 => [
                [3.013_8, 1.416_1, 8.321_4, -0.701_8, 1.210_7, -0.654_3, -14.645_7, -0.133_3, 0.899_2, 1.713_5],
                [2.452_1, 0.763_7, 5.908_7, -11.982_3, 3.472_8, 0.62, -7.548_5, -0.164_4, 0.276_2, 1.713_5],
            ],
            Self::Suburban45 => [
                [4.585_7, 1.391_8, 126.837_5, -1.149_6, 1.036_9, 0.214_8, -17.846_2, 0.072_9, 1.030_3, 3.229_3],
                [2.241_4, 0.788_4, 4.313_2, -10.380_6, 2.354_3, 0.034_4, -14.208_7, 0.066_2, 3.504_3, 3.229_3],
            ],
            Self::Suburban60 => [
                [3.412_4, 1.433_1, 19.543_1, -0.781_1, 0.797_9, -2.110_2, -19.795_4, -0.228_4, 0.279_6, 2.021_5],
                [1.992_2, 0.713_2, 3.121_3, -12.143_6, 3.179_8, 0.437_2, -8.365_1, -0.290_3, -0.600_1, 2.021_5],
            ],
            Self::RuralWooded20 => [
                [2.159_7, 1.376_6, 2.074_4, -0.806_5, 1.563_5, -0.917, -12.122_8, -0.034_8, 0.957_1, 0.884_5],
                [1.958_7, 1.546_5, 1.393_4, -10.661_5, 2.617, 0.844, -1.480_4, -0.106_9, 1.614_1, 0.884_5],
            ],
            Self::RuralWooded30 => [
                [2.557_9, 1.244_4, 3.594_7, -1.321_4, 1.664_5, -1.044_5, -14.317_6, -0.165_6, 0.718, 1.094_2],
                [2.379_1, 1.177_8, 2.28, -10.424, 2.444_6, 0.627_8, -4.814_6, -0.045_1, 2.232_7, 1.094_2],
            ],
            Self::RuralWooded45 => [
                [3.180_3, 1.342_7, 6.767_3, -0.990_2, 1.034_8, -0.423_5, -16.838, -0.109_5, 0.689_3, 2.395_6],
                [2.538_2, 1.129_1, 3.368_3, -10.289_1, 2.309, 0.338_6, -9.711_8, -0.046, 2.131, 2.395_6],
            ],
            Self::RuralWooded60 => [
                [2.932_2, 1.323_4, 5.720_9, -0.615_3, 1.172_3, -1.402_4, -16.966_4, -0.251_6, 0.535_3, 1.758_6],
                [2.195_5, 1.111_5, 1.651_2, -9.959_5, 2.218_8, 0.266_6, -9.004_6, -0.090_7, 1.473, 1.758_6],
            ],
            Self::RuralWooded70 => [
                [3.876_8, 1.473_8, 16.085_5, -0.781_8, 0.704_4, -2.956_6, -20.032_6, -0.287_4, 0.405, 1.654_6],
                [1.844_5, 0.887_4, 2.962_9, -6.776_9, 2.133_9, -0.372_3, -14.963_8, -0.182_2, 0.116_3, 1.654_6],
            ],
        }
    }
}

/// Converts a row to a state without bounds on its level.
const fn state(row: Row) -> LooState {
    let [mu, sigma, shortest, level, deviation, h1, h2, g1, g2, correlation] = row;
    LooState {
        log_mean: mu,
        log_deviation: sigma,
        shortest: Distance::from_m(shortest),
        level_mean: Decibels::from_db(level),
        level_deviation: Decibels::from_db(deviation),
        level_between: (0.0, 1.0),
        echoes: (h1, h2),
        direct: (g1, g2),
        correlation: Distance::from_m(correlation),
    }
}
