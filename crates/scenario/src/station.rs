// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sites and gateways whose rain, EIRP, G/T or altitude differs from the budget of their links.

use crate::ScenarioError;
use crate::budget::Budget;
use crate::check::Source;
use crate::format::{self, Rain, StationRain};
use crate::moving_budget::LinkDirection;
use crate::text::Q;
use std::sync::Arc;
use units::{Altitude, Code, FigureOfMerit, Power};

/// The values of one place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Station {
    pub eirp: Option<Q<Power>>,
    pub g_over_t: Option<Q<FigureOfMerit>>,
    pub rain: Option<StationRain>,
    pub altitude: Option<Q<Altitude>>,
}

/// A place: its name, its path in the file, and its values.
pub type Placed = (String, String, Station);

impl Station {
    /// Returns the values of a site; `None` if it has no values of its own.
    pub fn of_site(site: &format::Site, path: String) -> Option<Placed> {
        Self { eirp: site.eirp, g_over_t: site.g_over_t, rain: site.rain.clone(), altitude: site.altitude }
            .placed(&site.name, path)
    }

    /// Returns the values of a gateway; `None` if it has no values of its own.
    pub fn of_gateway(gateway: &format::Gateway, path: String) -> Option<Placed> {
        let (eirp, g_over_t, rain) = (gateway.eirp, gateway.g_over_t, gateway.rain.clone());
        Self { eirp, g_over_t, rain, altitude: gateway.altitude }.placed(&gateway.name, path)
    }

    fn placed(self, name: &str, path: String) -> Option<Placed> {
        (self != Self::default()).then(|| (name.to_owned(), path, self))
    }

    /// If the budgets have no rain, reads the rain of this place; `None` if there is no rain here either.
    fn whole_rain(&self, source: &Source<'_>, path: &str) -> Result<Option<radio::Rain>, ScenarioError> {
        let Some(own) = &self.rain else { return Ok(None) };
        let (Some(rate_001), Some(height)) = (own.rate_001, own.height) else {
            let (key, example) =
                if own.rate_001.is_none() { ("rate_001", "28 mm/h") } else { ("height", "3 km") };
            let message =
                "the link budget has no rain, so the rain of this place needs `rate_001` and `height`";
            return Err(source
                .error(Code::ScenarioMissingKey, &format!("{path}.rain.{key}"), message)
                .fix(format!("write {key} = \"{example}\"")));
        };
        let (probability, cell) = (own.probability, own.cell.clone());
        Ok(Some(Rain { rate_001, height, tilt: None, probability, start: None, cell }.read("")))
    }

    /// Returns the place's hop of a link in this direction. `hop` is that of the budget. `rain` applies if no budget
    /// has rain.
    fn hop(&self, mut hop: radio::Hop, way: LinkDirection, rain: Option<&radio::Rain>) -> radio::Hop {
        match way {
            LinkDirection::Up => hop.eirp_dbw = self.eirp.map_or(hop.eirp_dbw, |Q(power)| power.dbw()),
            LinkDirection::Down => {
                hop.g_over_t_db_k = self.g_over_t.map_or(hop.g_over_t_db_k, |Q(merit)| merit.db_k());
            }
        }
        hop.station_km = self.altitude.map_or(hop.station_km, |Q(altitude)| altitude.m() / 1e3);
        match (&mut hop.rain, &self.rain) {
            (Some(rain), Some(own)) => {
                rain.rate_001_mm_h = own.rate_001.map_or(rain.rate_001_mm_h, |Q(rate)| rate.mm_h());
                rain.height_km = own.height.map_or(rain.height_km, |Q(height)| height.km());
                rain.probability = own.probability.map_or(rain.probability, |probability| probability.0);
                rain.cell = own.cell.clone().unwrap_or_else(|| rain.cell.clone());
            }
            (Some(_), None) => {}
            (None, _) => hop.rain = rain.cloned(),
        }
        hop
    }
}

/// Applies each place's values to the uplink and downlink budgets. `what` names the links in messages.
pub fn with_stations(
    [mut up, mut down]: [Option<Budget>; 2],
    stations: &[Placed],
    what: &str,
    source: &Source<'_>,
) -> Result<[Option<Arc<Budget>>; 2], ScenarioError> {
    for (name, path, station) in stations {
        let needed = [
            ("eirp", "up", station.eirp.is_some() && up.is_none()),
            ("g_over_t", "down", station.g_over_t.is_some() && down.is_none()),
            ("rain", "up or down", station.rain.is_some() && up.is_none() && down.is_none()),
        ];
        if let Some((key, way, _)) = needed.into_iter().find(|(.., missing)| *missing) {
            let message = format!(
                "this key changes the link budget of the direction {way}, but `{what}` has no link budget"
            );
            return Err(source
                .error(Code::ScenarioValue, &format!("{path}.{key}"), message)
                .fix(format!("remove this key, or write {what} = {{ budget = {{ … }} }}")));
        }
        // If only one direction has rain, the other direction stays dry.
        let rains = [&up, &down].into_iter().flatten().any(|budget| budget.radio.down.rain.is_some());
        let rain = if rains { None } else { station.whole_rain(source, path)? };
        for (budget, way) in [(&mut up, LinkDirection::Up), (&mut down, LinkDirection::Down)] {
            let Some(budget) = budget else { continue };
            let hop = station.hop(budget.radio.down.clone(), way, rain.as_ref());
            let radio = radio::Budget { down: hop, ..budget.radio.clone() };
            budget.stations.insert(name.clone(), (station.clone(), radio));
        }
    }
    Ok([up, down].map(|budget| budget.map(Arc::new)))
}

/// Returns the values of a place, from the budgets of its links.
pub fn station<'a>(name: &str, budgets: [&'a Option<Arc<Budget>>; 2]) -> Station {
    let mut known =
        budgets.into_iter().flatten().filter_map(|budget: &'a Arc<Budget>| budget.stations.get(name));
    known.next().map(|(station, _)| station.clone()).unwrap_or_default()
}
