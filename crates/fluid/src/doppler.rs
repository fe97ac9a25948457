// SPDX-License-Identifier: MIT OR Apache-2.0
//! Effects of moving satellites on a congestion controller while the route does not change.

use crate::answer::{Answer, Panel};
use crate::error::ModelError;
use crate::model::{Model, Settings};
use crate::parameter::{Parameter, Plain};
use units::SPEED_OF_LIGHT_M_S;

/// Mean radius of the Earth, in km (IUGG).
const EARTH_RADIUS_KM: f64 = 6371.0;
/// Gravitational parameter of the Earth, in km^3/s^2 (WGS 84).
const EARTH_GM_KM3_S2: f64 = 398_600.441_8;
/// Rotation rate of the Earth, in rad/s (WGS 84).
const EARTH_ROTATION_RAD_S: f64 = 7.292_115e-5;

pub(crate) const DOPPLER: Model = Model {
    name: "doppler",
    about: "the largest drift of the round trip caused by moving satellites, and its effect on a \
    controller",
    source: "circular orbits; Doppler as in 3GPP TR 38.811, section 6.7.1, with the rotation of the Earth",
    parameters: &[
        Parameter::list(
            "altitude_km",
            "km",
            &[340.0, 550.0, 630.0, 780.0, 1015.0, 1200.0, 1500.0, 2000.0, 8062.0],
            160.0..=36_000.0,
            "altitudes (340 and 550: Starlink, 630: Kuiper, 780: Iridium, 1015: Telesat, 1200: OneWeb, 8062: \
             O3b)",
        ),
        Parameter::one(
            "inclination_deg",
            "deg",
            &[53.0],
            0.0..=180.0,
            "inclination of the orbits (Starlink's)",
        ),
        Parameter::one(
            "elevation_deg",
            "deg",
            &[25.0],
            0.0..=90.0,
            "lowest elevation at which a satellite is used (Starlink's); the drift is largest there",
        ),
        Parameter::whole(
            "ground_links",
            "none",
            &[4.0],
            1.0..=100.0,
            "number of links between ground and satellite in a round trip (4 for a bent pipe: up and down \
            in each direction)",
        ),
        Parameter::one(
            "window_s",
            "s",
            &[10.0],
            0.1..=1000.0,
            "length of the window over which the \
        smallest round trip is taken (BBR: 10 s)",
        ),
        Parameter::one(
            "bottleneck_mbit_s",
            "Mbit/s",
            &[100.0],
            0.001..=1e6,
            "rate that sets the spacing \
        of ACKs",
        ),
        Parameter::one("packet_bytes", "bytes", &[1500.0], 40.0..=65_535.0, "packet"),
    ],
    compute: doppler,
};

/// A circular orbit seen from the ground.
#[derive(Clone, Copy, Debug)]
struct Orbit {
    radius_km: f64,
    cos_inclination: f64,
}

impl Orbit {
    /// Returns the orbital speed, in km/s.
    fn speed_km_s(self) -> f64 {
        // v = sqrt(GM/a)
        (EARTH_GM_KM3_S2 / self.radius_km).sqrt()
    }

    /// Returns the largest speed relative to the rotating Earth, in km/s. It occurs at the equator. There, the angle
    /// between the orbit and the equator is the inclination.
    fn ground_speed_km_s(self) -> f64 {
        let (v, turning) = (self.speed_km_s(), EARTH_ROTATION_RAD_S * self.radius_km);
        // |v - omega x r|, by the law of cosines.
        (v * v + turning * turning - 2.0 * v * turning * self.cos_inclination).sqrt()
    }

    /// Returns the largest rate of change, in km/s, of the distance to a site. The site sees the satellite at
    /// `elevation_rad` or higher.
    fn range_rate_km_s(self, elevation_rad: f64) -> f64 {
        // 3GPP TR 38.811, section 6.7.1: v R/(R + h) cos(elevation). For a site in the plane of the orbit, the part of
        // v along the line of sight is v sin(nadir angle). By the law of sines, sin(nadir angle) = R cos(elevation)/a.
        self.ground_speed_km_s() * EARTH_RADIUS_KM * elevation_rad.cos() / self.radius_km
    }

    /// Returns the distance to a site that sees the satellite at `elevation_rad`, in km.
    fn slant_range_km(self, elevation_rad: f64) -> f64 {
        // Law of cosines: a^2 = R^2 + d^2 + 2 R d sin(elevation).
        let sin = elevation_rad.sin();
        let across = EARTH_RADIUS_KM * EARTH_RADIUS_KM * (sin * sin - 1.0) + self.radius_km * self.radius_km;
        across.sqrt() - EARTH_RADIUS_KM * sin
    }
}

fn doppler(settings: &Settings<'_>) -> Result<Answer, ModelError> {
    let altitudes = settings.list("altitude_km");
    let elevation = settings.number("elevation_deg").to_radians();
    let (hops, window_s) = (settings.number("ground_links"), settings.number("window_s"));
    let cos_inclination = settings.number("inclination_deg").to_radians().cos();
    let light_km_s = SPEED_OF_LIGHT_M_S / 1e3;
    let orbits: Vec<Orbit> = altitudes
        .iter()
        .map(|altitude| Orbit { radius_km: EARTH_RADIUS_KM + altitude, cos_inclination })
        .collect();
    let per_hop_ppm = |orbit: &Orbit| 1e6 * orbit.range_rate_km_s(elevation) / light_km_s;
    // dRTT/dt = (passages) r'/c, where 1 ppm is 1 us/s.
    let drift_us_s = |orbit: &Orbit| hops * per_hop_ppm(orbit);
    let rtt_ms = |orbit: &Orbit| 1e3 * hops * orbit.slant_range_km(elevation) / light_km_s;
    // The smallest round trip in the window is too small by at most this time.
    let window_ms = |orbit: &Orbit| drift_us_s(orbit) * window_s / 1e3;
    let spacing_us = 8.0 * settings.number("packet_bytes") / settings.number("bottleneck_mbit_s");

    let mut answer = Answer::default();
    for (altitude, orbit) in altitudes.iter().zip(&orbits) {
        let name = Plain(*altitude);
        answer.fact(format!("range_rate_at_{name}_km_km_s"), orbit.range_rate_km_s(elevation));
        answer.fact(format!("doppler_per_hop_at_{name}_km_ppm"), per_hop_ppm(orbit));
        answer.fact(format!("rtt_drift_at_{name}_km_us_s"), drift_us_s(orbit));
        answer.fact(format!("window_drift_at_{name}_km_ms"), window_ms(orbit));
    }
    let most = |f: &dyn Fn(&Orbit) -> f64| orbits.iter().map(f).fold(0.0, f64::max);
    answer.fact("largest_orbital_speed_over_light_ppm", most(&|orbit| 1e6 * orbit.speed_km_s() / light_km_s));
    answer.fact("largest_doppler_per_hop_ppm", most(&per_hop_ppm));
    answer.fact("ack_spacing_us", spacing_us);
    // The spacing grows by the drift of both directions.
    answer.fact("largest_change_of_ack_spacing_ns", spacing_us * most(&drift_us_s) * 1e-3);
    answer.note(
        "A changing path stretches the gaps between packets by the drift of the path. The drift is about 20 ppm for \
        each link between ground and satellite. A round trip over a bent pipe has four such links, so its drift is \
        hardly more than 100 ppm. Estimates of the bandwidth are therefore wrong by about 1e-4, which no controller \
        can detect.",
    );
    answer.note(
        "A controller that takes the smallest round trip over a time window (BBR: 10 s) sees the drift add up \
        over this window. While the path becomes longer, it mistakes at most this added delay for queueing \
        delay. A change of route adds 1 to tens of milliseconds at once.",
    );
    answer.note(
        "The numbers are upper bounds: all satellites are at the lowest elevation and recede at the same \
        time, and the site is at the equator in the plane of the orbit. Links between satellites of one \
        plane do not drift. Other inter-satellite links add to the drift, but the model does not count \
        them.",
    );
    answer.numbers("altitude_km", "altitude, km", altitudes.iter().copied());
    answer.numbers(
        "orbital_speed_km_s",
        "speed of the satellite",
        orbits.iter().map(|orbit| orbit.speed_km_s()),
    );
    answer.numbers(
        "range_rate_km_s",
        "largest range rate",
        orbits.iter().map(|o| o.range_rate_km_s(elevation)),
    );
    answer.numbers("doppler_per_hop_ppm", "Doppler per passage", orbits.iter().map(per_hop_ppm));
    answer.numbers("rtt_drift_us_s", "drift of the round trip", orbits.iter().map(drift_us_s));
    answer.numbers("rtt_ms", "round trip, ms", orbits.iter().map(rtt_ms));
    answer.numbers("window_drift_ms", "drift within the window", orbits.iter().map(window_ms));
    answer.numbers(
        "window_drift_percent",
        "of the round trip",
        orbits.iter().map(|orbit| 100.0 * window_ms(orbit) / rtt_ms(orbit)),
    );
    answer.panel(Panel::lines("Drift of the round trip", "altitude_km", ["rtt_drift_us_s"], "us/s").log_x());
    answer.panel(Panel::lines("Within the window", "altitude_km", ["window_drift_ms"], "ms").log_x());
    answer.panel(Panel::lines("Of the round trip", "altitude_km", ["window_drift_percent"], "%").log_x());
    Ok(answer)
}
