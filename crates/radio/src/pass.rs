// SPDX-License-Identifier: MIT OR Apache-2.0
//! A downlink from a moving satellite. Elevation and distance change over time, and rain is added.

use crate::acm::Stretch;
use crate::chain::{Rung, Still, together};
use crate::weather::BETA_PER_S;
use crate::{Budget, Hop, State, Weather, frames};
use units::{Rate, Span};

/// Time step of the rain (P.1853-2, annex 1, section 2.2: Ts).
const STEP: Span = Span::from_secs(1);
/// Radius of a sphere with the volume of the Earth, in km.
const EARTH_KM: f64 = 6371.0;

/// Position of a satellite at one time, as seen from a station.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAngles {
    /// Time since the start of the run, in seconds.
    pub at_s: f64,
    /// Elevation, in degrees.
    pub elevation_deg: f64,
    /// Distance, in km.
    pub range_km: f64,
}

/// Rates and losses of a modem during a pass of the satellite.
#[derive(Clone, Debug, PartialEq)]
pub struct Pass {
    /// Rate over time. Each entry is a time in seconds, and the rate from this time on. The rate is `None` in an
    /// outage.
    pub rates: Vec<(f64, Option<Rate>)>,
    /// Start and end of the intervals in which frames are lost, in seconds.
    pub lost: Vec<(f64, f64)>,
    /// State of the link. Each entry applies from the corresponding time of `rates` on. The hop is stored as `down`.
    pub states: Vec<State>,
}

/// Attenuation and position at one time of a pass.
#[derive(Clone, Copy)]
struct Moment {
    rain_db: f64,
    clear_db: f64,
    sight: (f64, f64),
}

/// Draws the rain of a weather cell for a run of this duration.
pub fn rain(duration: Span, seed: u64) -> Weather {
    let count = duration.nanos().div_ceil(STEP.nanos()).max(1) as usize;
    Weather::draw(seed, STEP, count, BETA_PER_S, None)
}

impl Budget {
    /// Computes the downlink of this budget over a pass, for a station at this latitude. `looks` contains positions of
    /// the satellite. Between two positions, the satellite is treated as stationary. The pass ends at `end_s`. The rain
    /// changes every second. The first transmitted rung is the best rung for the first position.
    ///
    /// # Panics
    /// If the budget has rain but `rain` is `None`.
    pub fn pass(
        &self,
        looks: &[LookAngles],
        end_s: f64,
        latitude_deg: f64,
        rain: Option<&Weather>,
        seed: u64,
    ) -> Pass {
        let symbols_per_s = self.symbols_per_s();
        let mut hop = self.down.clone();
        hop.latitude_deg = latitude_deg;
        // The attenuation by gases is divided by the sine of the elevation. At zenith, the sine is one.
        let zenith_db = hop.sky.air.slant_db(hop.frequency_ghz, 90.0);
        let mut es_n0_db: Vec<(f64, f64)> = Vec::with_capacity(looks.len());
        let mut moments: Vec<Moment> = Vec::with_capacity(looks.len());
        for (index, look) in looks.iter().enumerate() {
            (hop.elevation_deg, hop.range_km) = (look.elevation_deg, look.range_km);
            let until_s = looks.get(index + 1).map_or(end_s, |next| next.at_s);
            let still = Still::under("down", &hop, zenith_db, symbols_per_s);
            let at = |rain_db: f64| together([still.raining(rain_db)].into_iter());
            let (clear_db, sight) = (at(0.0), (look.elevation_deg, look.range_km));
            let Some(marginal) = hop.marginal() else {
                es_n0_db.push((look.at_s, clear_db));
                moments.push(Moment { rain_db: 0.0, clear_db, sight });
                continue;
            };
            let values = rain.map_or(&[][..], Weather::values);
            let mut raining = |at_s: f64| {
                let place = (at_s as usize).min(values.len() - 1);
                let rain_db = marginal.attenuation_db(values[place]);
                es_n0_db.push((at_s, at(rain_db)));
                moments.push(Moment { rain_db, clear_db, sight });
            };
            raining(look.at_s);
            let mut at_s = look.at_s.floor() + 1.0;
            while at_s < until_s {
                raining(at_s);
                at_s += 1.0;
            }
        }
        let rungs = self.ladder.rungs();
        let stretches: Vec<Stretch> = self.acm.follow_at(&rungs, &es_n0_db, end_s);
        let lost = frames::lost(&stretches, &rungs, symbols_per_s, end_s, seed);
        let rate = |rung: usize| rungs[rung].rate(symbols_per_s);
        let rates = stretches.iter().map(|stretch| (stretch.from_s, stretch.rung.map(rate))).collect();
        let below_ladder_db = rungs[0].es_n0_db + self.acm.margin_db;
        let state = |stretch: &Stretch| {
            let Moment { rain_db, clear_db, sight } = moments[stretch.index];
            State {
                from_s: stretch.from_s,
                rain_db: [None, Some(rain_db)],
                fade_db: clear_db - stretch.es_n0_db,
                es_n0_db: stretch.es_n0_db,
                modcod: stretch.rung.map(|rung| rungs[rung]),
                rate: stretch.rung.map_or(Rate::default(), rate),
                missing_db: below_ladder_db - stretch.es_n0_db,
                sight: Some(sight),
            }
        };
        let states = stretches.iter().map(state).collect();
        Pass { rates, lost, states }
    }

    /// Returns this budget with the satellite of the downlink at this elevation and distance.
    #[must_use]
    pub fn seen(&self, elevation_deg: f64, range_km: f64) -> Self {
        let down = Hop { elevation_deg, range_km, ..self.down.clone() };
        Self { up: None, down, ..self.clone() }
    }

    /// Returns the rate of the downlink in clear sky, if the satellite of `look` were at zenith. This is the highest
    /// possible rate of the downlink. The result is `None` if no rung is possible.
    pub fn best(&self, look: &LookAngles) -> Option<Rate> {
        // The law of cosines yields the distance between the orbit and the Earth's centre.
        let sine = look.elevation_deg.to_radians().sin();
        let orbit_km =
            (EARTH_KM.powi(2) + look.range_km.powi(2) + 2.0 * EARTH_KM * look.range_km * sine).sqrt();
        match self.seen(90.0, orbit_km - EARTH_KM).chain(None).rung {
            Rung::Holds { rate, .. } => Some(rate),
            Rung::Outage { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gas::Air;
    use crate::{Acm, Ladder, Sky};

    fn budget(reaction: Span) -> Budget {
        let sky = Sky { air: Air::of(1013.25, 288.15, 7.5), cloud_kg_m2: 0.0, wet_refractivity: 50.0 };
        Budget {
            up: None,
            down: Hop {
                frequency_ghz: 11.7,
                eirp_dbw: 36.0,
                g_over_t_db_k: 9.0,
                elevation_deg: 5.0,
                range_km: 1.0,
                losses_db: 0.0,
                c_over_i_db: None,
                noise_k: None,
                antenna_m: None,
                latitude_deg: 0.0,
                station_km: 0.0,
                sky,
                rain: None,
            },
            bandwidth_hz: 240e6,
            roll_off: 0.2,
            ladder: Ladder::DvbS2x,
            acm: Acm { reaction, hysteresis_db: 0.0, margin_db: 1.0 },
        }
    }

    /// Expected: at each position, the rate equals that of the complete budget at this position.
    #[test]
    fn a_look_has_the_rate_of_the_chain() {
        let looks: Vec<LookAngles> =
            [(0.0, 25.0, 1123.0), (60.0, 50.0, 700.0), (120.0, 90.0, 550.0), (180.0, 25.0, 1123.0)]
                .map(|(at_s, elevation_deg, range_km)| LookAngles { at_s, elevation_deg, range_km })
                .into();
        let budget = budget(Span::ZERO);
        let pass = budget.pass(&looks, 240.0, 0.0, None, 1);
        assert!(pass.lost.is_empty());
        for (look, &(at_s, rate)) in looks.iter().zip(&pass.rates) {
            let mut there = budget.clone();
            (there.down.elevation_deg, there.down.range_km) = (look.elevation_deg, look.range_km);
            let Rung::Holds { rate: wanted, .. } = there.chain(None).rung else { panic!("it is strong") };
            assert_eq!((at_s, rate), (look.at_s, Some(wanted)));
        }
        assert!(pass.rates[0].1 < pass.rates[1].1 && pass.rates[1].1 < pass.rates[2].1);
        assert_eq!(budget.best(&looks[2]), pass.rates[2].1);
    }

    /// A modem that has not reacted yet transmits on a rung that is no longer possible. Expected: all frames are lost
    /// until the modem reacts.
    #[test]
    fn a_late_modem_loses_what_it_sends() {
        let looks = [
            LookAngles { at_s: 0.0, elevation_deg: 90.0, range_km: 550.0 },
            LookAngles { at_s: 10.0, elevation_deg: 25.0, range_km: 1123.0 },
        ];
        let pass = budget(Span::from_millis(500)).pass(&looks, 20.0, 0.0, None, 1);
        let [(from, to)] = pass.lost[..] else { panic!("one stretch: {:?}", pass.lost) };
        assert!((from - 10.0).abs() < 1e-3 && (to - 10.5).abs() < 1e-3, "{from} {to}");
    }
}
