// SPDX-License-Identifier: MIT OR Apache-2.0
//! Attenuation by clouds: Recommendation ITU-R P.840-8.

/// Returns the specific attenuation coefficient of cloud water at 273.15 K, in dB/km per g/m³. The value also equals
/// the attenuation of a vertical path in dB per kg/m² (P.840-8, equations 2 to 11: Rayleigh scattering, Debye's model
/// of the permittivity of water).
pub fn coefficient(frequency_ghz: f64) -> f64 {
    let f = frequency_ghz;
    let theta: f64 = 300.0 / 273.15;
    let e0 = 77.66 + 103.3 * (theta - 1.0);
    let (e1, e2) = (0.0671 * e0, 3.52);
    let fp = 20.20 - 146.0 * (theta - 1.0) + 316.0 * (theta - 1.0).powi(2);
    let fs = 39.8 * fp;
    let (p, s) = (1.0 + (f / fp).powi(2), 1.0 + (f / fs).powi(2));
    let real = (e0 - e1) / p + (e1 - e2) / s + e2;
    let imaginary = f * (e0 - e1) / (fp * p) + f * (e1 - e2) / (fs * s);
    let eta = (2.0 + real) / imaginary;
    0.819 * f / (imaginary * (1.0 + eta * eta))
}

/// Returns the attenuation by clouds, in dB. `liquid_kg_m2` is the mass of cloud water above one square metre, reduced
/// to 273.15 K (P.840-8, section 3).
pub fn attenuation_db(frequency_ghz: f64, elevation_deg: f64, liquid_kg_m2: f64) -> f64 {
    coefficient(frequency_ghz) * liquid_kg_m2 / elevation_deg.to_radians().sin()
}
