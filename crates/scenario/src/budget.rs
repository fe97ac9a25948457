// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes link budgets: converts the text of a file to the types of crate `radio`.
//!
//! Sites and gateways may have their own rain, EIRP and G/T. A budget contains a copy of itself for each such place.

use crate::check::Source;
use crate::document::{NetworkChoice, WireService};
use crate::format::{self, BudgetFile};
use crate::moving_budget::LinkDirection;
use crate::station::Station;
use crate::text::{Fraction, Q};
use crate::words::{W, Word};
use crate::{Scenario, ScenarioError};
use radio::gas::Air;
use radio::{Acm, Ladder};
use std::collections::BTreeMap;
use std::sync::LazyLock;
use units::{Angle, Code, Column, Decibels, Distance, Pressure, Temperature, Vapour};

/// A link budget as in the file, with all defaults filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct Budget {
    /// The values in the form of crate `radio`.
    pub radio: radio::Budget,
    /// The text of the file.
    pub(crate) text: format::Budget,
    /// For each place with its own values, these values and the budget with them.
    pub(crate) stations: BTreeMap<String, (Station, radio::Budget)>,
}

/// A file with a link budget.
#[derive(Clone, Debug, PartialEq)]
pub struct BudgetSheet {
    /// The budget.
    pub budget: radio::Budget,
    /// Availabilities to report, in percent.
    pub availability: Vec<f64>,
}

/// Default availabilities.
const AVAILABILITY: [f64; 3] = [99.0, 99.9, 99.99];
/// Lowest elevation for which the recommendations on rain, gases and scintillation are valid, in degrees.
pub(crate) const LOWEST_DEG: f64 = 5.0;

impl Word for Ladder {
    const NAME: &'static str = "Ladder";
    const MEANING: &'static str = "Modulations and codes of a modem.";
    const ALL: &'static [Self] = Self::ALL;
    fn word(self) -> &'static str {
        self.word()
    }
}

impl BudgetSheet {
    /// Reads a file with a link budget. `origin` is its path.
    ///
    /// # Errors
    /// The faults of the file, each with line, key, allowed values and fix.
    pub fn from_toml(text: &str, origin: &str) -> Result<Self, ScenarioError> {
        static SCHEMA: LazyLock<serde_json::Value> =
            LazyLock::new(|| schemars::schema_for!(BudgetFile).to_value());
        let source = Source::parse(text, origin)?;
        source.check(&SCHEMA)?;
        let file: BudgetFile = toml::from_str(text)
            .map_err(|error| source.error(Code::ScenarioWrongType, "", error.message()))?;
        let availability = file.availability.unwrap_or_else(|| AVAILABILITY.to_vec());
        Ok(Self { budget: file.budget.read(&source, "budget")?.radio, availability })
    }
}

impl format::Budget {
    /// Reads the budget at `path`.
    pub fn read(mut self, source: &Source<'_>, path: &str) -> Result<Budget, ScenarioError> {
        self.fill(source, path)?;
        let up = self.up.as_mut().map(|up| up.read(source, &format!("{path}.up"))).transpose()?;
        let Some(down) = &mut self.down else {
            let message = format!(
                "`{path}` needs the key `down`, which describes the hop from the satellite to a \
                station"
            );
            return Err(source.error(Code::ScenarioMissingKey, &format!("{path}.down"), message));
        };
        let down = down.read(source, &format!("{path}.down"))?;
        let radio = self.radio(up, down);
        Ok(Budget { radio, text: self, stations: BTreeMap::new() })
    }

    /// Fills in the defaults of the modem, and refuses keys that an uplink cannot have.
    fn fill(&mut self, source: &Source<'_>, path: &str) -> Result<(), ScenarioError> {
        let acm = Acm::default();
        self.roll_off.get_or_insert(Fraction(0.2));
        self.margin.get_or_insert(Q(Decibels::from_db(acm.margin_db)));
        self.hysteresis.get_or_insert(Q(Decibels::from_db(acm.hysteresis_db)));
        self.reaction.get_or_insert(Q(acm.reaction));
        self.modcods.get_or_insert(W(Ladder::default()));
        if let Some(up) = &self.up
            && up.noise_temperature.is_some()
        {
            let message = "`noise_temperature` has no effect on the uplink: rain adds no noise at a satellite, because \
                           the satellite's antenna always receives the noise of the warm Earth";
            return Err(source
                .error(Code::ScenarioValue, &format!("{path}.up.noise_temperature"), message)
                .fix("remove `noise_temperature`, or write it in `down`, for the receiver of the station"));
        }
        Ok(())
    }

    /// Returns the budget with these hops. Other values must be filled in.
    fn radio(&self, up: Option<radio::Hop>, down: radio::Hop) -> radio::Budget {
        let (Some(Fraction(roll_off)), Some(margin), Some(hysteresis), Some(reaction), Some(ladder)) =
            (self.roll_off, self.margin, self.hysteresis, self.reaction, self.modcods)
        else {
            unreachable!("defaults were filled in")
        };
        let acm = Acm { margin_db: margin.0.db(), hysteresis_db: hysteresis.0.db(), reaction: reaction.0 };
        radio::Budget { up, down, bandwidth_hz: self.bandwidth.0.hz(), roll_off, ladder: ladder.0, acm }
    }

    /// Returns whether a hop has rain without the name of a cell.
    pub fn has_unnamed_rain(&self, way: LinkDirection) -> bool {
        let hop = match way {
            LinkDirection::Up => self.up.as_ref(),
            LinkDirection::Down => self.down.as_ref(),
        };
        hop.and_then(|hop| hop.rain.as_ref()).is_some_and(|rain| rain.cell.is_none())
    }

    /// Returns the text form of this budget.
    pub fn of(budget: &Budget) -> Self {
        budget.text.clone()
    }

    /// Reads a budget of one hop, for a link whose satellite moves. For both directions, the hop is stored as `down`.
    pub(crate) fn read_single(
        mut self,
        way: LinkDirection,
        source: &Source<'_>,
        path: &str,
    ) -> Result<Budget, ScenarioError> {
        self.fill(source, path)?;
        let hop = match way {
            LinkDirection::Up => self.up.as_mut(),
            LinkDirection::Down => self.down.as_mut(),
        };
        let Some(hop) = hop else { unreachable!("a budget of one hop has a hop") };
        let down = hop.placed(LOWEST_DEG, 1.0, 0.0, "");
        let radio = self.radio(None, down);
        Ok(Budget { radio, text: self, stations: BTreeMap::new() })
    }
}

impl format::Hop {
    /// Reads the hop at `path` and fills in defaults.
    fn read(&mut self, source: &Source<'_>, path: &str) -> Result<radio::Hop, ScenarioError> {
        let (elevation_deg, range_km) = self.sight(source, path)?;
        if self.rain.is_some() && self.latitude.is_none() {
            let message =
                "the attenuation by rain depends on the latitude of the station, but `latitude` is missing";
            return Err(source
                .error(Code::ScenarioMissingKey, &format!("{path}.latitude"), message)
                .fix("write latitude = \"50.1 deg\""));
        }
        let latitude_deg = self.latitude.map_or(0.0, |Q(angle)| angle.deg());
        let hop = self.placed(elevation_deg, range_km, latitude_deg, path);
        if let Some(rain) = hop.rain.as_ref().filter(|rain| rain.start_db.is_some())
            && hop.marginal().is_none()
        {
            let message = format!(
                "with these values, the rain causes no attenuation, so the run cannot start in rain: rate_001 is {} \
                 mm/h, and the rain height is {} km above the station (raise these values, or remove `start`)",
                rain.rate_001_mm_h,
                rain.height_km - hop.station_km
            );
            return Err(source.error(Code::ScenarioValue, &format!("{path}.rain.start"), message));
        }
        Ok(hop)
    }

    /// Returns the hop to a satellite at this elevation and distance, with defaults filled in. `cell` is the rain cell
    /// if the text names none.
    fn placed(&mut self, elevation_deg: f64, range_km: f64, latitude_deg: f64, cell: &str) -> radio::Hop {
        radio::Hop {
            frequency_ghz: self.frequency.0.hz() / 1e9,
            eirp_dbw: self.eirp.0.dbw(),
            g_over_t_db_k: self.g_over_t.0.db_k(),
            elevation_deg,
            range_km,
            losses_db: self.losses.get_or_insert(Q(Decibels::from_db(0.0))).0.db(),
            c_over_i_db: self.c_over_i.map(|Q(ratio)| ratio.db()),
            noise_k: self.noise_temperature.map(|Q(temperature)| temperature.k()),
            antenna_m: self.antenna.map(|Q(diameter)| diameter.m()),
            latitude_deg,
            station_km: self.altitude.get_or_insert(Q(Distance::from_m(0.0))).0.km(),
            sky: self.sky.get_or_insert_default().read(),
            rain: self.rain.as_mut().map(|rain| rain.read(cell)),
        }
    }

    /// Returns elevation in degrees and distance in km of the satellite.
    fn sight(&mut self, source: &Source<'_>, path: &str) -> Result<(f64, f64), ScenarioError> {
        let fault =
            |code, key: &str, message: &str| Err(source.error(code, &format!("{path}.{key}"), message));
        match (self.satellite, self.elevation) {
            (None, None) => fault(
                Code::ScenarioMissingKey,
                "elevation",
                "the position of the satellite is missing (write elevation = \"35 deg\", or satellite = \"9 deg\" \
                with latitude and longitude of the station)",
            ),
            (None, Some(Q(elevation))) => {
                let geostationary =
                    || Distance::from_km(radio::geometry::geostationary_range_km(elevation.deg()));
                let range = self.range.get_or_insert_with(|| Q(geostationary())).0;
                Ok((elevation.deg(), range.km()))
            }
            (Some(Q(satellite)), _) => {
                let (Some(Q(latitude)), Some(Q(longitude))) = (self.latitude, self.longitude) else {
                    let key = if self.latitude.is_none() { "latitude" } else { "longitude" };
                    let message = format!(
                        "the direction of a geostationary satellite depends on the station's {key} (write {key} = \
                        \"8.7 deg\")"
                    );
                    return fault(Code::ScenarioMissingKey, key, &message);
                };
                let apart = satellite.deg() - longitude.deg();
                let (elevation_deg, range_km) = radio::geometry::geostationary(latitude.deg(), apart);
                if elevation_deg < LOWEST_DEG {
                    let message = format!(
                        "the satellite at {satellite} is {elevation_deg:.1} deg above the horizon of the station at \
                        {latitude}, {longitude}: the elevation must be at least {LOWEST_DEG} deg, the limit of the \
                        recommendations on rain (choose another satellite, or another station)"
                    );
                    return fault(Code::ScenarioValue, "satellite", &message);
                }
                Ok((elevation_deg, range_km))
            }
        }
    }
}

impl format::Sky {
    fn read(&mut self) -> radio::Sky {
        let temperature_k = self.temperature.get_or_insert(Q(Temperature::from_k(288.15))).0.k();
        let vapour_g_m3 = self.vapour.get_or_insert(Q(Vapour::from_g_m3(7.5))).0.g_m3();
        let all_hpa = self.pressure.get_or_insert(Q(Pressure::from_hpa(1013.25))).0.hpa();
        radio::Sky {
            air: Air::of(all_hpa, temperature_k, vapour_g_m3),
            cloud_kg_m2: self.cloud.get_or_insert(Q(Column::from_kg_m2(0.0))).0.kg_m2(),
            wet_refractivity: *self.wet_refractivity.get_or_insert(50.0),
        }
    }
}

impl format::Rain {
    /// Reads the rain. `cell` is its cell if the text names none. An empty `cell` means a separate cell for each site.
    pub(crate) fn read(&mut self, cell: &str) -> radio::Rain {
        radio::Rain {
            rate_001_mm_h: self.rate_001.0.mm_h(),
            height_km: self.height.0.km(),
            tilt_deg: self.tilt.get_or_insert(Q(Angle::from_deg(45.0))).0.deg(),
            probability: self.probability.get_or_insert(Fraction(0.05)).0,
            start_db: self.start.map(|Q(fade)| fade.db()),
            cell: match &mut self.cell {
                None if cell.is_empty() => String::new(),
                named => named.get_or_insert_with(|| cell.to_owned()).clone(),
            },
        }
    }
}

impl Budget {
    /// Puts a hop into the rain at the site of one of several equal branches, which are written at `path`. Both
    /// directions of a branch have the rain of its site. The sites are assumed to be so far apart (tens of km) that
    /// their rain is independent.
    pub(crate) fn rain_apart(&mut self, way: LinkDirection, path: &str, site: &str) {
        let (radio, text) = match way {
            LinkDirection::Up => (self.radio.up.as_mut(), self.text.up.as_mut()),
            LinkDirection::Down => (Some(&mut self.radio.down), self.text.down.as_mut()),
        };
        let texts = text.and_then(|hop| hop.rain.as_mut());
        if let Some((rain, text)) = radio.and_then(|hop| hop.rain.as_mut()).zip(texts) {
            rain.cell = format!("{path}{}", of_site(site));
            text.cell = Some(rain.cell.clone());
        }
    }
}

/// Returns the last part of the name of a cell that only one of several equal branches uses.
fn of_site(site: &str) -> String {
    format!(" of {site}")
}

impl Scenario {
    /// Returns a note that the rain of equal branches is assumed to be independent.
    pub fn rain_note(&self) -> Option<String> {
        let NetworkChoice::Star { branches, carriers, .. } = &self.network else { return None };
        let has_own = |at: usize, site: &str| {
            let services = [Some(&branches[at].1.service), carriers.pace(at)];
            services.into_iter().flatten().any(|service| match service {
                WireService::Budget(budget) => {
                    let mut rains = budget.radio.hops().filter_map(|(_, hop)| hop.rain.as_ref());
                    rains.any(|rain| rain.cell.ends_with(&of_site(site)))
                }
                _ => false,
            })
        };
        let sites = branches.iter().enumerate().map(|(at, (site, _))| (at, site.as_str()));
        let sites: Vec<&str> = sites.filter(|&(at, site)| has_own(at, site)).map(|(_, site)| site).collect();
        let [first, .., last] = sites[..] else { return None };
        Some(format!(
            "assumed: each of the {} sites \"{first}\" to \"{last}\" has its own independent rain, as if the sites \
             were tens of km apart. Both directions of a site have the same rain (for the same rain at all sites, \
             write cell = \"NAME\" in `rain`)",
            sites.len()
        ))
    }
}

/// Returns the budgets of a network's links.
fn budgets(network: &NetworkChoice) -> impl Iterator<Item = &Budget> {
    let services: Vec<&WireService> = match network {
        NetworkChoice::Dumbbell { forward, reverse } => vec![&forward.service, &reverse.service],
        NetworkChoice::Chain { links } => links.iter().map(|wire| &wire.service).collect(),
        NetworkChoice::Star { branches, carriers, .. } => {
            let own = branches.iter().map(|(_, wire)| &wire.service);
            own.chain(carriers.paces.iter().flatten()).collect()
        }
        NetworkChoice::Constellation { .. } | NetworkChoice::Starlink(_) => Vec::new(),
    };
    services.into_iter().filter_map(|service| match service {
        WireService::Budget(budget) => Some(budget.as_ref()),
        _ => None,
    })
}

/// Returns whether a link of a network has a budget.
pub fn has_budget(network: &NetworkChoice) -> bool {
    match network {
        NetworkChoice::Constellation { budgets, .. } => budgets.iter().any(Option::is_some),
        plain => budgets(plain).next().is_some(),
    }
}

/// Returns the initial exceedance of each rain of a network, by cell.
pub fn rain_starts(network: &NetworkChoice) -> BTreeMap<String, f64> {
    let hops = budgets(network).flat_map(|budget| budget.radio.hops());
    hops.filter_map(|(_, hop)| hop.start()).map(|(cell, start)| (cell.to_owned(), start)).collect()
}

/// Refuses a rain with two different initial states.
pub fn refuse_two_starts(network: &NetworkChoice, source: &Source<'_>) -> Result<(), ScenarioError> {
    let mut starts: BTreeMap<&str, f64> = BTreeMap::new();
    for (_, hop) in budgets(network).flat_map(|budget| budget.radio.hops()) {
        let Some((cell, start)) = hop.start() else { continue };
        let known = *starts.entry(cell).or_insert(start);
        if known != start {
            let message = format!(
                "two hops in the rain cell \"{cell}\" have the key `start`, but both hops have the same rain, so one \
                 `start` determines the attenuation of both"
            );
            return Err(source
                .error(Code::ScenarioValue, "network", message)
                .fix("remove `start` from one of the hops"));
        }
    }
    Ok(())
}
