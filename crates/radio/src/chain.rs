// SPDX-License-Identifier: MIT OR Apache-2.0
//! Computation of a link budget, line by line from power to rate, for one state of the weather.

use crate::geometry::free_space_loss_db;
use crate::{Budget, Hop, Modcod, State, cloud};
use units::Rate;

/// Boltzmann's constant, 1.380649e-23 J/K (SI definition), in dB.
pub const BOLTZMANN_DBW_K_HZ: f64 = -228.599_167_173_217_67;
/// Mean radiating temperature of the rain (`MEDIUM_K`), and noise temperature of space behind the rain (`COSMIC_K`), in
/// K (P.618-14, section 3).
const MEDIUM_K: f64 = 275.0;
const COSMIC_K: f64 = 2.7;

/// The lines of a hop's budget at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HopChain {
    /// Name of the hop: "up" or "down".
    pub name: &'static str,
    /// Free-space loss, in dB.
    pub free_space_db: f64,
    /// Attenuation by oxygen and water vapour, in dB.
    pub gas_db: f64,
    /// Attenuation by clouds, in dB.
    pub cloud_db: f64,
    /// Attenuation by rain, in dB.
    pub rain_db: f64,
    /// Fade by scintillation, in dB.
    pub scintillation_db: f64,
    /// Total attenuation by the atmosphere, in dB.
    pub atmosphere_db: f64,
    /// Reduction of G/T by the noise that clouds and rain emit, in dB.
    pub noise_rise_db: f64,
    /// C/N0: ratio of carrier to noise density, in dB Hz.
    pub c_n0_db_hz: f64,
    /// C/N: ratio of carrier to noise in a bandwidth that equals the symbol rate, in dB.
    pub c_n_db: f64,
    /// C/(N+I): ratio of carrier to noise plus interference in a bandwidth that equals the symbol rate, in dB.
    pub c_ni_db: f64,
}

/// A link budget for one state of the weather.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// The hops in the order in which the signal passes them.
    pub hops: Vec<HopChain>,
    /// Ratio of carrier to noise plus interference at the receiver, in dB. It equals Es/N0.
    pub es_n0_db: f64,
    /// The transmitted modulation and code, or an outage.
    pub rung: Rung,
}

/// Result of a link budget with respect to the ladder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rung {
    /// The link works with this modulation and code.
    Holds {
        /// Modulation and code.
        modcod: Modcod,
        /// Es/N0 minus the threshold of this MODCOD, in dB. The value is negative if the modem has not reacted yet.
        above_db: f64,
        /// Data rate.
        rate: Rate,
    },
    /// There is an outage, because Es/N0 is below the threshold of the lowest rung plus the margin.
    Outage {
        /// Difference between the required Es/N0 and the actual Es/N0, in dB.
        missing_db: f64,
    },
}

/// Combines several noises into one. Each noise, and the result, is a ratio of carrier to noise in dB.
pub(crate) fn together(c_n_db: impl Iterator<Item = f64>) -> f64 {
    -10.0 * c_n_db.map(|db| 10f64.powf(-db / 10.0)).sum::<f64>().log10()
}

/// Returns Es/N0 after these hops, in dB.
fn es_n0(hops: &[HopChain]) -> f64 {
    together(hops.iter().map(|hop| hop.c_ni_db))
}

/// The parts of a hop's budget that do not depend on rain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Still<'a> {
    name: &'static str,
    hop: &'a Hop,
    free_space_db: f64,
    gas_db: f64,
    cloud_db: f64,
    bandwidth_db_hz: f64,
}

impl<'a> Still<'a> {
    fn new(name: &'static str, hop: &'a Hop, symbols_per_s: f64) -> Self {
        Self::under(name, hop, hop.sky.air.slant_db(hop.frequency_ghz, 90.0), symbols_per_s)
    }

    /// Like [`Self::new`], with a given attenuation by gases at zenith, in dB. This attenuation is divided by the sine
    /// of the elevation.
    pub(crate) fn under(name: &'static str, hop: &'a Hop, zenith_db: f64, symbols_per_s: f64) -> Self {
        Self {
            name,
            hop,
            free_space_db: free_space_loss_db(hop.frequency_ghz, hop.range_km),
            gas_db: zenith_db / hop.elevation_deg.to_radians().sin(),
            cloud_db: cloud::attenuation_db(hop.frequency_ghz, hop.elevation_deg, hop.sky.cloud_kg_m2),
            bandwidth_db_hz: 10.0 * symbols_per_s.log10(),
        }
    }

    /// Completes the budget of the hop with these attenuations by rain and scintillation, both in dB.
    fn with(&self, rain_db: f64, scintillation_db: f64) -> HopChain {
        let Self { name, hop, free_space_db, gas_db, cloud_db, bandwidth_db_hz } = *self;
        // P.618-14, section 2.5: the equation for the total attenuation.
        let wet_db = rain_db + cloud_db;
        let atmosphere_db = gas_db + wet_db.hypot(scintillation_db);
        // P.618-14, section 3. G/T is given for clear sky, so only the additional attenuation counts. Scintillation
        // adds no noise.
        let passes = |db: f64| 10f64.powf(-db / 10.0);
        let more_k = (MEDIUM_K - COSMIC_K) * (passes(gas_db) - passes(gas_db + wet_db));
        let noise_rise_db = hop.noise_k.map_or(0.0, |noise_k| 10.0 * (1.0 + more_k / noise_k).log10());
        let c_n0_db_hz = hop.eirp_dbw - free_space_db - atmosphere_db - hop.losses_db + hop.g_over_t_db_k
            - noise_rise_db
            - BOLTZMANN_DBW_K_HZ;
        let c_n_db = c_n0_db_hz - bandwidth_db_hz;
        let c_ni_db = together([c_n_db].into_iter().chain(hop.c_over_i_db));
        HopChain {
            name,
            free_space_db,
            gas_db,
            cloud_db,
            rain_db,
            scintillation_db,
            atmosphere_db,
            noise_rise_db,
            c_n0_db_hz,
            c_n_db,
            c_ni_db,
        }
    }

    /// Returns the ratio of carrier to noise plus interference, in dB, for this rain attenuation in dB.
    pub(crate) fn raining(&self, rain_db: f64) -> f64 {
        self.with(rain_db, 0.0).c_ni_db
    }
}

impl Budget {
    /// Computes the budget in clear sky (gases and permanent clouds), or for an availability in percent. For an
    /// availability, the rain attenuation and the scintillation of every hop are those that are exceeded for the
    /// remaining percentage of time. The computation assumes that these values occur in all hops at the same time.
    pub fn chain(&self, availability: Option<f64>) -> Chain {
        let symbols = self.symbols_per_s();
        let hops = self.still().into_iter().map(|still| {
            let Some(p) = availability.map(|percent| 100.0 - percent) else { return still.with(0.0, 0.0) };
            let rain_db = still.hop.rain_path().map_or(0.0, |path| path.exceeded_db(p));
            // The distribution of scintillation is defined from 0.01 % on.
            let scintillation_db = still.hop.scintillation().map_or(0.0, |it| it.exceeded_db(p.max(0.01)));
            still.with(rain_db, scintillation_db)
        });
        let hops: Vec<HopChain> = hops.collect();
        let es_n0_db = es_n0(&hops);
        let rungs = self.ladder.rungs();
        let rung = match self.acm.best(&rungs, es_n0_db) {
            Some(index) => Rung::Holds {
                modcod: rungs[index],
                above_db: es_n0_db - rungs[index].es_n0_db,
                rate: rungs[index].rate(symbols),
            },
            None => Rung::Outage { missing_db: rungs[0].es_n0_db + self.acm.margin_db - es_n0_db },
        };
        Chain { hops, es_n0_db, rung }
    }

    /// Computes the budget in a state of a run. The budget includes the rain of this state. It does not include
    /// scintillation, because the margin covers it. The modulation and code are those that the modem uses in this
    /// state. The modem reacts to the weather with a delay.
    pub fn chain_in(&self, state: &State) -> Chain {
        let rain_db = state.rain_db.into_iter().flatten();
        let hops = self.still().into_iter().zip(rain_db).map(|(still, rain_db)| still.with(rain_db, 0.0));
        let hops: Vec<HopChain> = hops.collect();
        let es_n0_db = es_n0(&hops);
        let rung = match state.modcod {
            Some(modcod) => Rung::Holds { modcod, above_db: es_n0_db - modcod.es_n0_db, rate: state.rate },
            None => Rung::Outage { missing_db: state.missing_db },
        };
        Chain { hops, es_n0_db, rung }
    }

    /// Returns the hops in the order in which the signal passes them, without their rain.
    pub(crate) fn still(&self) -> Vec<Still<'_>> {
        self.hops().map(|(name, hop)| Still::new(name, hop, self.symbols_per_s())).collect()
    }
}
