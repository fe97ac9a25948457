// SPDX-License-Identifier: MIT OR Apache-2.0
//! The time from which each satellite of a catalogue is missing.
//!
//! SGP4 computes each time independently. It refuses a satellite whose orbit dips below the surface, but propagates the
//! satellite again at the next apogee. In addition, the semi-major axis in SGP4 is the square of a polynomial of time
//! (tempa in Hoots and Roehrich 1980). After drag has reduced this polynomial to zero, the axis grows again. A real
//! satellite does not return. Therefore a satellite counts as missing from the first time at which SGP4 refuses it
//! (`orbit::Refusal` lists the reasons). This time does not depend on the order of queries.
//!
//! A satellite is checked every second while its perigee is below 200 km.

use orbit::Satellites;
use orbit::earth::{EQUATORIAL_RADIUS_M, ROTATION_RAD_S, norm};
use std::sync::{Arc, Mutex, PoisonError};
use units::{Span, Time};

/// Interval between checks of all satellites, and interval between checks of satellites with a low perigee. If SGP4
/// refuses a satellite for less than a second, this may not be noticed.
const LOOK: Span = Span::from_secs(600);
const CLOSE_LOOK: Span = Span::from_secs(1);
/// Distance of the perigee from the centre of the Earth, in metres, below which a satellite is checked often. A
/// satellite with a higher perigee cannot decay before the next check: an orbit at 200 km decays within a day, not
/// within minutes.
const LOW_M: f64 = EQUATORIAL_RADIUS_M + 200e3;
/// Standard gravitational parameter of the Earth, in m3/s2 (WGS84).
const GRAVITY: f64 = 3.986_004_418e14;

/// The satellites of a shell that may leave during a run.
#[derive(Clone, Debug)]
pub(super) struct Departed {
    /// Results so far. All copies of this value share them, because the result for a time is the same for all copies.
    known: Arc<Mutex<Known>>,
}

#[derive(Debug)]
struct Known {
    /// Time of the next check of all satellites, and of the next check of satellites with a low perigee.
    look: Time,
    close_look: Time,
    /// Indices of the satellites whose perigee was low at the last check.
    low: Vec<usize>,
    /// For each satellite, the time at which it was first refused; `Time::MAX` if it was not.
    gone: Vec<Time>,
}

impl Departed {
    /// Creates the state for a shell of `count` satellites.
    pub fn new(count: usize) -> Self {
        let known =
            Known { look: Time::ZERO, close_look: Time::ZERO, low: Vec::new(), gone: vec![Time::MAX; count] };
        Self { known: Arc::new(Mutex::new(known)) }
    }

    /// Calls `what` with the time of departure of each satellite. These times are complete up to `at`.
    pub fn by<T>(&self, satellites: &Satellites, at: Time, what: impl FnOnce(&[Time]) -> T) -> T {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.follow(satellites, at);
        what(&known.gone)
    }
}

impl Known {
    fn follow(&mut self, satellites: &Satellites, until: Time) {
        loop {
            let at = self.look.min(self.close_look);
            if at > until {
                return;
            }
            if at == self.look {
                self.look = at + LOOK;
                self.close_look = at + CLOSE_LOOK;
                self.low.clear();
                for index in 0..self.gone.len() {
                    if self.gone[index] == Time::MAX {
                        match satellites.state(index, at) {
                            Err(_) => self.gone[index] = at,
                            Ok((position, velocity)) if perigee_m(position, velocity) < LOW_M => {
                                self.low.push(index);
                            }
                            Ok(_) => {}
                        }
                    }
                }
            } else {
                self.close_look = at + CLOSE_LOOK;
                let gone = &mut self.gone;
                self.low.retain(|&index| {
                    let flies = satellites.position(index, at).is_ok();
                    if !flies {
                        gone[index] = at;
                    }
                    flies
                });
                if self.low.is_empty() {
                    self.close_look = self.look;
                }
            }
        }
    }
}

/// Returns the perigee of the orbit through an Earth-fixed state, as the distance from the centre of the Earth in
/// metres.
fn perigee_m(position: [f64; 3], velocity: [f64; 3]) -> f64 {
    let [x, y, z] = position;
    // The velocity in inertial axes is the Earth-fixed velocity plus the rotation of the Earth.
    let v = [velocity[0] - ROTATION_RAD_S * y, velocity[1] + ROTATION_RAD_S * x, velocity[2]];
    let radius = norm(position);
    let along = (x * v[0] + y * v[1] + z * v[2]) / radius;
    let speed2 = v.iter().map(|v| v * v).sum::<f64>();
    // Vis viva, and the eccentricity from the angular momentum: p = h^2 / mu = a (1 - e^2).
    let axis = 1.0 / (2.0 / radius - speed2 / GRAVITY);
    let parameter = radius * radius * (speed2 - along * along) / GRAVITY;
    parameter / (1.0 + (1.0 - parameter / axis).max(0.0).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected (Curtis, Orbital Mechanics for Engineering Students, example 4.3): for r and v with e = 0.1712 and h =
    /// 58,310 km2/s, the perigee is h^2 / mu / (1 + e) = 58310^2 / 398600 / 1.1712 = 7283.3 km.
    #[test]
    fn the_perigee_is_that_of_the_textbook() {
        let position = [-6045e3, -3490e3, 2500e3];
        let v = [-3457.0, 6618.0, 2533.0];
        let fixed = [v[0] + ROTATION_RAD_S * position[1], v[1] - ROTATION_RAD_S * position[0], v[2]];
        let found = perigee_m(position, fixed);
        assert!((found - 7_283.3e3).abs() < 1.5e3, "{found}");
    }
}
