// SPDX-License-Identifier: MIT OR Apache-2.0
//! Link budgets of links between satellites and the ground. Elevation, distance and latitude follow from the positions.

use crate::ScenarioError;
use crate::budget::Budget;
use crate::check::Source;
use crate::format;
use crate::text::Q;
use radio::{LookAngles, State, Weather};
use units::{Angle, Code, Rate, Span, Time};

/// Default reaction time, from a change at the receiver to the change of modulation and code. It covers a few round
/// trips to a low orbit and the frames in flight. This is an assumption, because no published value is known.
const REACTION: Span = Span::from_millis(50);

/// Direction of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkDirection {
    /// Link to the satellite.
    Up,
    /// Link from the satellite.
    Down,
}

/// Rate over a period, and the times at which frames are lost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FollowedPass {
    /// The rate, and the time from which it applies. Zero means that no modulation and code is possible.
    pub rates: Vec<(Time, Rate)>,
    /// Intervals in which frames are lost.
    pub lost: Vec<(Time, Time)>,
    /// For each entry of `rates`, the state of the link from this time on. The state's hop is stored as `down`.
    pub states: Vec<State>,
}

impl format::Budget {
    /// Reads the budget at `path` of a link to or from a site or gateway. The satellite forwards data, so the two
    /// directions are separate links.
    pub fn read_moving(
        mut self,
        way: LinkDirection,
        source: &Source<'_>,
        path: &str,
    ) -> Result<Budget, ScenarioError> {
        let (own, key) = match way {
            LinkDirection::Up => (self.up.take(), "up"),
            LinkDirection::Down => (self.down.take(), "down"),
        };
        let Some(hop) = own else {
            let message = format!("the link budget of this link needs the hop `{key}`");
            return Err(source
                .error(Code::ScenarioMissingKey, &format!("{path}.{key}"), message)
                .fix(format!("write {key} = {{ frequency = \"14 GHz\", … }}")));
        };
        let of_hop = format!("{path}.{key}");
        hop.refuse_fixed(source, &of_hop)?;
        self.reaction.get_or_insert(Q(REACTION));
        let (up, down) = match way {
            LinkDirection::Up => (Some(hop), None),
            LinkDirection::Down => (None, Some(hop)),
        };
        Self { down, up, ..self }.read_single(way, source, path)
    }
}

impl format::Hop {
    /// Refuses keys whose values follow from the positions of satellite and site.
    fn refuse_fixed(&self, source: &Source<'_>, path: &str) -> Result<(), ScenarioError> {
        let fixed = [
            ("satellite", self.satellite.is_some()),
            ("latitude", self.latitude.is_some()),
            ("longitude", self.longitude.is_some()),
            ("elevation", self.elevation.is_some()),
            ("range", self.range.is_some()),
        ];
        if let Some((key, _)) = fixed.iter().find(|(_, there)| *there) {
            let message = "this key has no effect, because the positions of the satellite and of the site determine \
                           its value";
            return Err(source
                .error(Code::ScenarioValue, &format!("{path}.{key}"), message)
                .fix(format!("remove `{key}`")));
        }
        if self.rain.as_ref().is_some_and(|rain| rain.start.is_some()) {
            let message = "`start` is not possible with moving satellites: the attenuation by rain depends on the \
                           elevation, so the run cannot begin with a fixed attenuation";
            return Err(source
                .error(Code::ScenarioValue, &format!("{path}.rain.start"), message)
                .fix("remove `start`"));
        }
        Ok(())
    }
}

impl Budget {
    /// Returns the budget for the link of a site or a gateway.
    fn of(&self, site: &str) -> &radio::Budget {
        self.stations.get(site).map_or(&self.radio, |(_, radio)| radio)
    }

    /// Returns the cell of the rain at a site; `None` if there is no rain.
    pub fn cell<'a>(&'a self, site: &'a str) -> Option<&'a str> {
        let rain = self.of(site).down.rain.as_ref()?;
        Some(if rain.cell.is_empty() { site } else { &rain.cell })
    }

    /// Returns what is drawn at random at sites or gateways.
    pub fn draws_in_passes(&self) -> impl Iterator<Item = &'static str> {
        let Self { radio, text: _, stations } = self;
        let own = stations.values().map(|(_, radio)| radio);
        std::iter::once(radio).chain(own).map(radio::Budget::draws_in_passes)
    }

    /// Returns the rain of a cell over a run.
    pub fn rain(duration: Span, seed: u64) -> Weather {
        radio::rain_of_run(duration, seed)
    }

    /// Computes the behaviour of the modem of a site or gateway during a pass, until `end`.
    pub fn follow(
        &self,
        site: &str,
        latitude: Angle,
        looks: &[LookAngles],
        end: Time,
        rain: Option<&Weather>,
        seed: u64,
    ) -> FollowedPass {
        let pass = self.of(site).pass(looks, end.secs_f64(), latitude.deg(), rain, seed);
        let time = Time::from_secs_f64;
        FollowedPass {
            rates: pass.rates.iter().map(|&(at, rate)| (time(at), rate.unwrap_or_default())).collect(),
            lost: pass.lost.iter().map(|&(from, to)| (time(from), time(to))).collect(),
            states: pass.states,
        }
    }

    /// Returns the budget of a link in a state of a run. `site` is the site or gateway of a link whose satellite moves.
    pub fn in_state(&self, site: &str, state: &State) -> radio::Budget {
        let radio = self.of(site);
        state
            .sight
            .map_or_else(|| radio.clone(), |(elevation_deg, range_km)| radio.seen(elevation_deg, range_km))
    }

    /// Returns the highest rate of a site or gateway: the satellite is in the zenith, and the sky is clear. If no rate
    /// is possible even then, returns the lowest rate.
    pub fn best(&self, site: &str, look: &LookAngles) -> Rate {
        let radio = self.of(site);
        let lowest = || radio.ladder.rungs()[0].rate(radio.symbols_per_s());
        radio.best(look).unwrap_or_else(lowest)
    }
}
