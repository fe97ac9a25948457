// SPDX-License-Identifier: MIT OR Apache-2.0
//! Link budgets between satellites and the ground: elevation, distance and latitude follow from the positions.

use crate::ScenarioError;
use crate::budget::Budget;
use crate::check::Source;
use crate::format;
use crate::text::Q;
use radio::{LookAngles, State, Weather};
use units::{Angle, Code, Rate, Span, Time};

/// Default reaction time, from a change at the receiver to the change of modulation and code: a few round trips of a
/// low orbit and the frames in flight. An assumption: no published value is known.
const REACTION: Span = Span::from_millis(50);

/// Direction of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkDirection {
    /// To the satellite.
    Up,
    /// From the satellite.
    Down,
}

/// Rate over a stretch of time, and when frames are lost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FollowedPass {
    /// Rate from each of these times on; zero: no modulation and code is possible.
    pub rates: Vec<(Time, Rate)>,
    /// Intervals in which frames are lost.
    pub lost: Vec<(Time, Time)>,
    /// The state of the link from each of the times of `rates` on; its hop is stored as `down`.
    pub states: Vec<State>,
}

impl format::Budget {
    /// The budget at `path` of a link to or from a site or gateway. The satellite forwards data, so the other direction
    /// is a link of its own.
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
            let message = format!("a budget of this link needs the hop `{key}`");
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
    /// Refuses keys that follow from the positions of satellite and site.
    fn refuse_fixed(&self, source: &Source<'_>, path: &str) -> Result<(), ScenarioError> {
        let fixed = [
            ("satellite", self.satellite.is_some()),
            ("latitude", self.latitude.is_some()),
            ("longitude", self.longitude.is_some()),
            ("elevation", self.elevation.is_some()),
            ("range", self.range.is_some()),
        ];
        if let Some((key, _)) = fixed.iter().find(|(_, there)| *there) {
            let message = "the positions of the satellite and of the site determine this value";
            return Err(source
                .error(Code::ScenarioValue, &format!("{path}.{key}"), message)
                .fix("remove it"));
        }
        if self.rain.as_ref().is_some_and(|rain| rain.start.is_some()) {
            let message =
                "the attenuation of rain follows the elevation, so the run cannot begin with a fixed value";
            return Err(source
                .error(Code::ScenarioValue, &format!("{path}.rain.start"), message)
                .fix("remove it"));
        }
        Ok(())
    }
}

impl Budget {
    /// The budget of the link of a site or a gateway.
    fn of(&self, site: &str) -> &radio::Budget {
        self.stations.get(site).map_or(&self.radio, |(_, radio)| radio)
    }

    /// The cell of its rain at a site; `None`: no rain.
    pub fn cell<'a>(&'a self, site: &'a str) -> Option<&'a str> {
        let rain = self.of(site).down.rain.as_ref()?;
        Some(if rain.cell.is_empty() { site } else { &rain.cell })
    }

    /// What is drawn at its sites or gateways.
    pub fn draws_in_passes(&self) -> impl Iterator<Item = &'static str> {
        let Self { radio, text: _, stations } = self;
        let own = stations.values().map(|(_, radio)| radio);
        std::iter::once(radio).chain(own).map(radio::Budget::draws_in_passes)
    }

    /// The rain of a cell over a run.
    pub fn rain(duration: Span, seed: u64) -> Weather {
        radio::rain_of_run(duration, seed)
    }

    /// What the modem of a site or gateway does during a pass, until `end`.
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

    /// The budget of a link in a state of a run; `site` is the site or gateway of a link whose satellite moves.
    pub fn in_state(&self, site: &str, state: &State) -> radio::Budget {
        let radio = self.of(site);
        state
            .sight
            .map_or_else(|| radio.clone(), |(elevation_deg, range_km)| radio.seen(elevation_deg, range_km))
    }

    /// The highest rate of a site or gateway, with the satellite in the zenith of a clear sky; the lowest rate if none
    /// is possible there.
    pub fn best(&self, site: &str, look: &LookAngles) -> Rate {
        let radio = self.of(site);
        let lowest = || radio.ladder.rungs()[0].rate(radio.symbols_per_s());
        radio.best(look).unwrap_or_else(lowest)
    }
}
