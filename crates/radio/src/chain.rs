// SPDX-License-Identifier: MIT OR Apache-2.0
//! From power to rate, line by line, at one state of the weather.

use crate::geometry::free_space_loss_db;
use crate::{Budget, Hop, Modcod, State, cloud};
use units::Rate;

/// Boltzmann's constant, 1.380649e-23 J/K (SI definition), in dB.
pub const BOLTZMANN_DBW_K_HZ: f64 = -228.599_167_173_217_67;
/// Mean radiating temperature of the rain, and of the noise behind it (P.618-14, section 3).
const MEDIUM_K: f64 = 275.0;
const COSMIC_K: f64 = 2.7;

/// The attenuations of a hop's atmosphere at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HopChain {
    /// Name of the hop: "up" or "down".
    pub name: &'static str,
    /// In free space.
    pub free_space_db: f64,
    /// Oxygen and water vapour.
    pub gas_db: f64,
    /// Clouds.
    pub cloud_db: f64,
    /// Rain.
    pub rain_db: f64,
    /// Scintillation.
    pub scintillation_db: f64,
    /// All of the atmosphere.
    pub atmosphere_db: f64,
    /// Reduction of G/T by the noise of what attenuates.
    pub noise_rise_db: f64,
    /// Carrier over noise density.
    pub c_n0_db_hz: f64,
    /// Carrier over noise in the bandwidth of the symbol rate.
    pub c_n_db: f64,
    /// The same with interference.
    pub c_ni_db: f64,
}

/// A budget at one state of the weather.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// Its hops.
    pub hops: Vec<HopChain>,
    /// Carrier over noise and interference at the receiver, which is Es/N0.
    pub es_n0_db: f64,
    /// The transmitted modulation and code.
    pub rung: Rung,
}

/// The result for the ladder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rung {
    /// A modulation and code.
    Holds {
        /// The modulation and code.
        modcod: Modcod,
        /// Es/N0 above its threshold; negative while a modem has not followed yet.
        above_db: f64,
        /// Rate of data.
        rate: Rate,
    },
    /// Es/N0 is below the lowest rung with its margin.
    Outage {
        /// Missing Es/N0.
        missing_db: f64,
    },
}

/// The sum of noises, each given as carrier over noise.
pub(crate) fn together(c_n_db: impl Iterator<Item = f64>) -> f64 {
    -10.0 * c_n_db.map(|db| 10f64.powf(-db / 10.0)).sum::<f64>().log10()
}

/// Es/N0 at the end of these hops.
fn es_n0(hops: &[HopChain]) -> f64 {
    together(hops.iter().map(|hop| hop.c_ni_db))
}

/// The parts of a hop that do not change with the weather.
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

    /// As [`Self::new`], with a known attenuation by gases in the zenith: it is divided by the sine of the elevation.
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

    /// The hop with this rain and scintillation.
    fn with(&self, rain_db: f64, scintillation_db: f64) -> HopChain {
        let Self { name, hop, free_space_db, gas_db, cloud_db, bandwidth_db_hz } = *self;
        // P.618-14, section 2.5, equation for the total attenuation.
        let wet_db = rain_db + cloud_db;
        let atmosphere_db = gas_db + wet_db.hypot(scintillation_db);
        // P.618-14, section 3, for attenuation in addition to the clear sky for which G/T is given; scintillation makes
        // no noise.
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

    /// Carrier over noise and interference with this rain.
    pub(crate) fn raining(&self, rain_db: f64) -> f64 {
        self.with(rain_db, 0.0).c_ni_db
    }
}

impl Budget {
    /// In clear sky (gases and permanent clouds), or for an availability in percent. For an availability each hop has
    /// the rain and scintillation that are exceeded for the rest of the time, as if they occurred at once in all hops.
    pub fn chain(&self, availability: Option<f64>) -> Chain {
        let symbols = self.symbols_per_s();
        let hops = self.still().into_iter().map(|still| {
            let Some(p) = availability.map(|percent| 100.0 - percent) else { return still.with(0.0, 0.0) };
            let rain_db = still.hop.rain_path().map_or(0.0, |path| path.exceeded_db(p));
            // Its distribution is defined from 0.01 % on.
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

    /// In a state of a run: with its rain, and without scintillation, which the margin covers. The modulation and code
    /// are those of the modem, which follows the weather later.
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

    /// The hops in the order of travel, without their weather.
    pub(crate) fn still(&self) -> Vec<Still<'_>> {
        self.hops().map(|(name, hop)| Still::new(name, hop, self.symbols_per_s())).collect()
    }
}
