// SPDX-License-Identifier: MIT OR Apache-2.0
//! A link budget over a run. The rain is drawn at random. Es/N0 depends on the rain, and the modem reacts to Es/N0.

use crate::acm::Stretch;
use crate::chain::together;
use crate::state::State;
use crate::weather::BETA_PER_S;
use crate::{Budget, Hop, Modcod, Weather, frames};
use std::collections::BTreeMap;
use units::{Rate, Span};

/// Time step of the rain (P.1853-2, annex 1, section 2.2: Ts).
const STEP: Span = Span::from_secs(1);

/// Result of a link budget over a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The rungs of the ladder.
    pub rungs: Vec<Modcod>,
    /// The periods with a constant transmitted rung and a constant Es/N0.
    pub stretches: Vec<Stretch>,
    /// Start and end of the intervals in which frames are lost, in seconds.
    pub lost: Vec<(f64, f64)>,
    /// The state of the link. Each entry applies from the start of a period on.
    pub states: Vec<State>,
}

impl Hop {
    /// Returns the weather cell of this hop's rain, and the initial value of the rain process. The result is `None` if
    /// the scenario contains no initial attenuation.
    pub fn start(&self) -> Option<(&str, f64)> {
        let rain = self.rain.as_ref()?;
        Some((&rain.cell, self.marginal()?.place(rain.start_db?)))
    }
}

impl Budget {
    /// Computes the budget over a run. `starts` contains the initial values of rain processes, by weather cell. `seed`
    /// returns the seed of a named stream: "rain CELL" for each weather cell, and "frames". Links in the same cell use
    /// the same stream for their rain.
    pub fn series(
        &self,
        duration: Span,
        starts: &BTreeMap<String, f64>,
        seed: impl Fn(&str) -> u64,
    ) -> Series {
        let count = duration.nanos().div_ceil(STEP.nanos()).max(1) as usize;
        let rain = |hop: &Hop| {
            let (Some(rain), Some(marginal)) = (&hop.rain, hop.marginal()) else { return vec![0.0; count] };
            let seed = seed(&format!("rain {}", rain.cell));
            let weather = Weather::draw(seed, STEP, count, BETA_PER_S, starts.get(&rain.cell).copied());
            weather.values().iter().map(|&x| marginal.attenuation_db(x)).collect()
        };
        let rain_db: Vec<Vec<f64>> = self.hops().map(|(_, hop)| rain(hop)).collect();
        let still = self.still();
        let es_n0_db: Vec<f64> = (0..count)
            .map(|step| together(still.iter().zip(&rain_db).map(|(hop, rain)| hop.raining(rain[step]))))
            .collect();
        let clear_db = together(still.iter().map(|hop| hop.raining(0.0)));
        let rungs = self.ladder.rungs();
        let stretches = self.acm.follow(&rungs, STEP, &es_n0_db);
        let end_s = duration.secs_f64();
        let lost = frames::lost(&stretches, &rungs, self.symbols_per_s(), end_s, seed("frames"));
        let below_ladder_db = rungs[0].es_n0_db + self.acm.margin_db;
        let state = |stretch: &Stretch| State {
            from_s: stretch.from_s,
            rain_db: [self.up.is_some().then_some(0), Some(rain_db.len() - 1)]
                .map(|hop| Some(rain_db[hop?][stretch.index])),
            fade_db: clear_db - stretch.es_n0_db,
            es_n0_db: stretch.es_n0_db,
            modcod: stretch.rung.map(|rung| rungs[rung]),
            rate: stretch.rung.map_or(Rate::default(), |rung| rungs[rung].rate(self.symbols_per_s())),
            missing_db: below_ladder_db - stretch.es_n0_db,
            sight: None,
        };
        let states = stretches.iter().map(state).collect();
        Series { rungs, stretches, lost, states }
    }
}
