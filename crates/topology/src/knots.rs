// SPDX-License-Identifier: MIT OR Apache-2.0
//! Positions of the satellites of a run at a limited number of times (*knots*). The knots are few enough to be stored,
//! and near enough to each other for interpolation.
//!
//! The error of a cubic Hermite polynomial over a span h is at most h^4/384 times the fourth derivative. In a circular
//! orbit of radius r and mean motion n, the fourth derivative is r n^4. For h = 300 s, the error is 0.2 km at an
//! altitude of 300 km, and less at higher altitudes. At the perigee of an orbit with eccentricity e, the error is 1 +
//! 3e times the error of a circular orbit at the same height. The rotation of the Earth adds little, because it is 15
//! times slower than the fastest orbits.

use crate::TopologyError;
use crate::sky::{Frame, Sky};
use crate::spec::{ConstellationSpec, IslPattern};
use units::{Span, Time};

/// Largest time between two knots.
pub const MOST: Span = Span::from_secs(300);

/// The satellites of a constellation over a run.
pub struct Knots {
    sky: Sky,
}

/// Earth-fixed position (metres) and velocity (m/s).
pub type State = ([f64; 3], [f64; 3]);

impl Knots {
    /// Creates the satellites of `spec`. Their numbers equal the numbers of the nodes in its network.
    ///
    /// # Errors
    /// The errors of [`crate::constellation::build`].
    pub fn new(spec: &ConstellationSpec) -> Result<Self, TopologyError> {
        Ok(Self { sky: Sky::new(spec, &[])? })
    }

    /// Returns the number of satellites.
    pub fn satellites(&self) -> u32 {
        self.sky.satellites()
    }

    /// Returns the name of a satellite's shell.
    pub fn shell(&self, satellite: u32) -> &str {
        &self.sky.spec.shells[usize::from(self.sky.shell_of(satellite))].name
    }

    /// Returns the pairs of satellites that are linked at the start, if the links follow from the places of satellites
    /// in the constellation. Returns no pairs if satellites are linked because they are near each other.
    pub fn grid(&self) -> Vec<(u32, u32)> {
        let fixed =
            self.sky.spec.isl.as_ref().is_some_and(|isl| !matches!(isl.pattern, IslPattern::Nearest { .. }));
        let mut frame = Frame::default();
        if !fixed || self.sky.look(Time::ZERO, &mut frame).is_err() {
            return Vec::new();
        }
        let satellites = self.satellites();
        let ordered = frame.edges().iter().map(|&(a, b, _)| (a.min(b), a.max(b)));
        let mut pairs: Vec<_> = ordered.filter(|&(_, b)| b < satellites).collect();
        pairs.sort_unstable();
        pairs
    }

    /// Returns the position and velocity of a satellite; `None` if it has left.
    pub fn state(&self, satellite: u32, at: Time) -> Option<State> {
        self.sky.state(satellite, at).ok()
    }
}

/// Returns the knots of a run of this length. They are equally spaced and include both ends.
pub fn moments(length: Span) -> impl Iterator<Item = Time> {
    let count = length.nanos().div_ceil(MOST.nanos()).max(1);
    (0..=count).map(move |knot| {
        Time::from_nanos((u128::from(length.nanos()) * u128::from(knot) / u128::from(count)) as u64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presets;
    use orbit::{Fleet, Satellites, Walker};
    use units::{Angle, Distance};

    #[test]
    fn moments_lie_no_farther_apart_than_the_bound() {
        let seconds = |length| moments(Span::from_secs(length)).map(Time::secs_f64).collect::<Vec<_>>();
        assert_eq!(seconds(60), [0.0, 60.0]);
        assert_eq!(seconds(300), [0.0, 300.0]);
        assert_eq!(seconds(301), [0.0, 150.5, 301.0]);
        assert_eq!(moments(Span::from_secs(7 * 86_400)).count(), 2017);
    }

    #[test]
    fn satellites_have_the_shells_and_states_of_the_sky() {
        let spec = presets::find("o3b").expect("a preset");
        let knots = Knots::new(&spec).expect("its orbits are fine");
        assert_eq!(knots.shell(0), spec.shells[0].name);
        let ([x, y, z], _) = knots.state(0, Time::ZERO).expect("it is there");
        // O3b orbits over the equator at a radius of 8,062 km + 6,378 km.
        let radius_km = (x * x + y * y + z * z).sqrt() / 1e3;
        assert!((radius_km - 14_440.0).abs() < 10.0, "{radius_km}");
    }

    #[test]
    fn a_grid_has_two_links_for_each_satellite_but_at_the_seam() {
        // A Walker delta of 72 planes with 22 satellites each. Each satellite adds one link along its plane and one
        // link to the next plane.
        let grid = |name: &str| {
            let spec = presets::find(name).expect("a preset");
            let pairs = Knots::new(&spec).expect("its orbits are fine").grid();
            assert!(pairs.iter().all(|(a, b)| a < b), "{pairs:?}");
            pairs.len()
        };
        assert_eq!(grid("starlink-550"), 2 * 72 * 22);
        assert_eq!(grid("o3b"), 0, "a bent pipe");
    }

    fn circle(altitude_km: f64, inclination_deg: f64) -> Satellites {
        Satellites::Walker(Walker::delta(
            1,
            4,
            Distance::from_km(altitude_km),
            Angle::from_deg(inclination_deg),
        ))
    }

    /// Returns a satellite with a perigee of 500 km and the shape of a Molniya orbit, propagated by SGP4.
    fn molniya() -> Satellites {
        let Satellites::Walker(walker) = circle(500.0, 63.4) else {
            unreachable!("a circle is a Walker shell")
        };
        let fleet = Fleet::from_walker(&walker, 2.006, 0.737, "2024-01-01T00:00:00Z");
        Satellites::Sgp4(fleet.expect("SGP4 takes it"))
    }

    /// Returns the largest distance over one day, in km, between the propagated orbit and the polynomial. The
    /// polynomial is computed as in the viewer.
    fn worst_km(satellites: &Satellites) -> f64 {
        let state = |at| satellites.state(1, at).expect("it can be followed");
        let times: Vec<Time> = moments(Span::from_secs(86_400)).collect();
        let mut worst = 0.0_f64;
        for knots in times.windows(2) {
            let ((p0, v0), (p1, v1)) = (state(knots[0]), state(knots[1]));
            let span = knots[1].since(knots[0]);
            for part in 1..20_u64 {
                let real = satellites.position(1, knots[0] + span * part / 20).expect("it can be followed");
                let (s, h) = (part as f64 / 20.0, span.secs_f64());
                let apart = |axis: usize| {
                    // Numbers as the table stores them, with 32 bits.
                    let [p0, v0, p1, v1] =
                        [p0, v0, p1, v1].map(|state: [f64; 3]| f64::from((state[axis] / 1e3) as f32));
                    let (t, u) = (1.0 - s, s * s);
                    (1.0 + 2.0 * s) * t * t * p0 + s * t * t * h * v0 + u * (3.0 - 2.0 * s) * p1
                        - u * t * h * v1
                        - real[axis] / 1e3
                };
                worst = worst.max((0..3).map(|axis| apart(axis).powi(2)).sum::<f64>().sqrt());
            }
        }
        worst
    }

    #[test]
    fn between_two_moments_a_polynomial_is_within_a_kilometre() {
        let orbits = [
            ("very low", circle(200.0, 53.0), 0.4),
            ("Starlink", circle(550.0, 53.0), 0.3),
            ("Iridium", circle(780.0, 86.4), 0.3),
            ("O3b", circle(8_062.0, 0.0), 0.05),
            ("geostationary", circle(35_786.0, 0.0), 0.01),
            ("Molniya", molniya(), 1.0),
        ];
        for (name, satellites, bound_km) in orbits {
            let worst = worst_km(&satellites);
            assert!(worst < bound_km, "{name}: {worst} km");
        }
    }
}
