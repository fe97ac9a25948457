// SPDX-License-Identifier: MIT OR Apache-2.0
//! Geometry between a site and a geostationary satellite.

use units::SPEED_OF_LIGHT_M_S;

/// Equatorial radius of the Earth, in km (WGS 84).
const EARTH_KM: f64 = 6378.137;
/// Radius of the geostationary orbit, in km.
const ORBIT_KM: f64 = 42_164.17;

/// Returns the elevation (degrees) and the distance (km) of a geostationary satellite, as seen from a site on a
/// spherical Earth. `longitude_apart_deg` is the difference between the longitudes of the satellite and of the site.
/// The elevation is negative below the horizon.
pub fn geostationary(latitude_deg: f64, longitude_apart_deg: f64) -> (f64, f64) {
    // The angle at the centre of the Earth: Maral, Bousquet and Sun, "Satellite Communications Systems", section 2.2.5.
    let centre = latitude_deg.to_radians().cos() * longitude_apart_deg.to_radians().cos();
    let range = (EARTH_KM.powi(2) + ORBIT_KM.powi(2) - 2.0 * EARTH_KM * ORBIT_KM * centre).sqrt();
    let elevation = ((ORBIT_KM * centre - EARTH_KM) / range).asin();
    (elevation.to_degrees(), range)
}

/// Returns the distance of a geostationary satellite at this elevation, in km.
pub fn geostationary_range_km(elevation_deg: f64) -> f64 {
    let e = elevation_deg.to_radians();
    (ORBIT_KM.powi(2) - (EARTH_KM * e.cos()).powi(2)).sqrt() - EARTH_KM * e.sin()
}

/// Returns the free-space loss between isotropic antennas, in dB: 20 log (4 π d / λ) (Recommendation ITU-R P.525-4,
/// equation 3).
pub fn free_space_loss_db(frequency_ghz: f64, range_km: f64) -> f64 {
    let wavelength_km = SPEED_OF_LIGHT_M_S / (frequency_ghz * 1e9) / 1e3;
    20.0 * (4.0 * std::f64::consts::PI * range_km / wavelength_km).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected (Maral, Bousquet and Sun): the distance is 35,786 km at the zenith. At the horizon, it is 41,679 km,
    /// with a central angle of 81.3°.
    #[test]
    fn the_two_ends_of_the_sky() {
        let (zenith, near) = geostationary(0.0, 0.0);
        assert!((zenith - 90.0).abs() < 1e-5 && (near - 35_786.0).abs() < 0.1, "{zenith} {near}");
        let (horizon, far) = geostationary(81.3, 0.0);
        assert!(horizon.abs() < 0.01 && (far - 41_679.0).abs() < 3.0, "{horizon} {far}");
        assert!((geostationary_range_km(0.0) - 41_679.0).abs() < 1.0);
        assert!((geostationary_range_km(90.0) - 35_786.0).abs() < 0.1);
    }

    /// Expected: a loss of 200.1 dB at 6.285 GHz over 38,500 km (Pratt, Bostian and Allnutt, "Satellite
    /// Communications", exercise on a C-band uplink), and a loss of 210.2 dB at 19,700.5 MHz from a geostationary
    /// satellite (filing of an operator, FCC, SAT-LOI-20110809-00148).
    #[test]
    fn free_space() {
        assert!((free_space_loss_db(6.285, 38_500.0) - 200.1).abs() < 0.05);
        let (low, high) = (free_space_loss_db(19.7005, 35_786.0), free_space_loss_db(19.7005, 41_679.0));
        assert!(low < 210.2 && 210.2 < high, "{low} {high}");
    }
}
