// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads the constellation of a scenario: presets and what changes them, shells, ground stations.

mod ground;
mod isl;
mod orbits;
mod write;

pub use write::write;

use crate::ScenarioError;
use crate::check::Source;
use crate::document::NetworkChoice;
use crate::network::{LinkText, Network};
use crate::satellites::{self as text, Constellation};
use crate::text::Q;
use ground::{read_gateways, read_places, site, visibility};
use isl::{Rules, isl};
use link::{LinkSpec, Queue, QueueLimit};
use orbits::shells;
use topology::{
    Access, ConstellationSpec, During, Handover, InFlight, Orbits, Policy, RouteTimes, Site, Slot,
};
use units::{Angle, Code, Rate, Span};

/// Queue of a satellite's link where neither file nor preset says.
const SATELLITE_QUEUE: Queue = Queue::drop_tail(QueueLimit::Packets(50));
/// Interval of routes where neither file nor preset says: ns-2's handoff interval.
const ROUTE_STEP: Span = Span::from_secs(10);
/// Starlink assigns its satellites anew at :12, :27, :42 and :57 of every minute (Pan et al., ICC 2024; Tanveer et al.,
/// CoNEXT 2023).
const STARLINK_SLOT: Slot = Slot { period: Span::from_secs(15), phase: Span::from_secs(12) };
/// Fibre where neither file nor preset says: light in glass takes 1.47 times as long, and cables are seldom straight.
const FIBRE_FACTOR: f64 = 1.5;
/// Link to a gateway where neither file nor preset says.
const FEEDER: (Rate, Queue) =
    (Rate::from_bits_per_s(10_000_000_000), Queue::drop_tail(QueueLimit::Packets(500)));

const PATH: &str = "network.constellation";

fn at(key: &str) -> String {
    format!("{PATH}.{key}")
}

/// Reads `[network.constellation]`.
pub fn read(text: Constellation, source: &Source<'_>) -> Result<Network, ScenarioError> {
    read_over(text, None, source)
}

/// As [`read`], where a preset is not named over `rules`: a constellation without satellites.
pub fn read_over(
    mut text: Constellation,
    rules: Option<ConstellationSpec>,
    source: &Source<'_>,
) -> Result<Network, ScenarioError> {
    let preset = match text.preset.take() {
        None => rules,
        Some(_) if text.name.is_some() => {
            let message = "`name` contradicts `preset` (keep one)";
            return Err(source.error(Code::ScenarioValue, &at("name"), message));
        }
        Some(name) => Some(
            topology::presets::find(&name)
                .map_err(|error| source.error(error.code(), &at("preset"), error.to_string()))?,
        ),
    };
    let old = preset.as_ref();
    let name = old.map(|p| p.name.clone()).or(text.name.take()).unwrap_or_else(|| "custom".to_owned());
    let shells = shells(&mut text, old, &name, source)?;
    let visibility = visibility(&text, old, source)?;
    let pops: Vec<Site> = match text.pops.take() {
        Some(pops) => {
            let place = |(index, place): (usize, text::Place)| {
                site(place.name, place.latitude, place.longitude, source, &at(&format!("pops[{index}]")))
            };
            pops.into_iter().enumerate().map(place).collect::<Result<_, _>>()?
        }
        None => old.map(|p| p.pops.clone()).unwrap_or_default(),
    };
    let gateways = match text.gateways.take() {
        Some(gateways) => read_gateways(gateways, &pops, source)?,
        None => old.map(|p| p.gateways.clone()).unwrap_or_default(),
    };
    let (places, attachments) = read_places(text.sites.take().unwrap_or_default(), &pops, source)?;
    let user = |base: Option<&LinkSpec>| match text.user_link.clone() {
        Some(link) => over_or_whole(link.into(), base, source, &at("user_link")).map(Some),
        None => Ok(base.cloned()),
    };
    let (uplink, downlink) = (user(old.map(|p| &p.uplink))?, user(old.map(|p| &p.downlink))?);
    let uplink = direction(text.uplink, uplink, source, &at("uplink"))?;
    let downlink = direction(text.downlink, downlink, source, &at("downlink"))?;
    let feeder = LinkSpec { rate: Some(FEEDER.0), queue: FEEDER.1, ..LinkSpec::IDEAL };
    let feeder = old.map_or(feeder, |p| p.feeder.clone());
    let feeder = match text.feeder {
        Some(link) => over_or_whole(link.into(), Some(&feeder), source, &at("feeder"))?,
        None => feeder,
    };
    let in_catalogue = |orbits: &Orbits| matches!(orbits, Orbits::Catalogue { .. });
    let rules = Rules {
        latitude_limit: text.isl_latitude_limit.map(|q| q.0),
        cross_seam: text.cross_seam,
        shells: shells.len(),
        laid_out: shells.iter().any(|shell| !in_catalogue(&shell.orbits)),
    };
    let dated = shells.iter().any(|shell| in_catalogue(&shell.orbits));
    if text.fibre_factor.is_some() && pops.is_empty() {
        let message = "all fibre leads to points of presence, and there are none (remove it, or write pops = [{ name = \"London\" }])";
        return Err(source.error(Code::ScenarioValue, &at("fibre_factor"), message));
    }
    let isl = isl(text.isl, old.and_then(|p| p.isl.as_ref()), rules, source, &at("isl"))?;
    let access = access(&text.access.unwrap_or_default(), old.map(|p| p.access), dated, source)?;
    let handover = handover(&text.handover.unwrap_or_default(), old.map(|p| p.handover), source)?;
    let spec = ConstellationSpec {
        name,
        shells,
        isl,
        gateways,
        pops,
        attachments,
        fibre_factor: text.fibre_factor.or(old.map(|p| p.fibre_factor)).unwrap_or(FIBRE_FACTOR),
        feeder,
        uplink,
        downlink,
        visibility,
        access,
        handover,
        route_step: text.route_step.map_or(old.map_or(ROUTE_STEP, |p| p.route_step), |q| q.0),
        route_times: match text.route_times {
            Some(text::RouteTimes::Steps) => RouteTimes::Steps,
            Some(text::RouteTimes::Events) => RouteTimes::Events,
            None => old.map(|p| p.route_times).unwrap_or_default(),
        },
        offset: text.offset.map_or(Span::ZERO, |q| q.0),
        in_flight: match text.in_flight {
            Some(text::InFlight::Forward) => InFlight::Forward,
            Some(text::InFlight::Drop) => InFlight::Drop,
            None => old.map_or(InFlight::Forward, |p| p.in_flight),
        },
    };
    Ok(Network {
        choice: NetworkChoice::Constellation { spec, sites: Vec::new() },
        default_ends: None,
        places,
    })
}

/// What a switch costs.
fn handover(
    text: &text::Handover,
    old: Option<Handover>,
    source: &Source<'_>,
) -> Result<Handover, ScenarioError> {
    let old = old.unwrap_or_default();
    if text.during.is_some() && text.outage.is_none() && old.outage == Span::ZERO {
        let message = "`during` belongs to an outage (write outage = \"100 ms\", or remove it)";
        return Err(source.error(Code::ScenarioMissingKey, &at("handover.during"), message));
    }
    Ok(Handover {
        outage: text.outage.map_or(old.outage, |q| q.0),
        during: match text.during {
            Some(text::During::Hold) => During::Hold,
            Some(text::During::Lose) => During::Lose,
            None => old.during,
        },
    })
}

/// Which satellite a site uses; `dated`: the satellites fly at a date, so that slots follow the clock.
fn access(
    text: &text::Access,
    old: Option<Access>,
    dated: bool,
    source: &Source<'_>,
) -> Result<Access, ScenarioError> {
    let old =
        old.unwrap_or(Access { policy: Policy::LowestDelay, slot: None, hysteresis: Angle::from_deg(0.0) });
    let known =
        |period| if dated && period == STARLINK_SLOT.period { STARLINK_SLOT.phase } else { Span::ZERO };
    let slot = match (text.slot, text.phase) {
        (Some(Q(period)), phase) => Some(Slot { period, phase: phase.map_or(known(period), |q| q.0) }),
        (None, None) => old.slot,
        (None, Some(Q(phase))) => {
            let Some(slot) = old.slot else {
                let message = "`phase` belongs to slots (write slot = \"15 s\")";
                return Err(source.error(Code::ScenarioMissingKey, &at("access.phase"), message));
            };
            Some(Slot { phase, ..slot })
        }
    };
    let policy = match text.policy {
        Some(text::Policy::LowestDelay) => Policy::LowestDelay,
        Some(text::Policy::HighestElevation) => Policy::HighestElevation,
        Some(text::Policy::Nearest) => Policy::Nearest,
        Some(text::Policy::LongestVisible) => Policy::LongestVisible,
        None => old.policy,
    };
    let access = Access { policy, slot, hysteresis: text.hysteresis.map_or(old.hysteresis, |q| q.0) };
    if text.hysteresis.is_some() && !chooses_anew(&access) {
        let message = "no satellite in use is left for a better one here that it could be kept from (write slot = \"15 s\" or policy = \"highest-elevation\", or remove it)";
        return Err(source.error(Code::ScenarioValue, &at("access.hysteresis"), message));
    }
    Ok(access)
}

/// Whether a satellite in use can be left for a better one: by the lowest delay all in view are used at once, and the one
/// that stays longest is kept until it sets, unless there are slots.
const fn chooses_anew(access: &Access) -> bool {
    access.slot.is_some() || matches!(access.policy, Policy::HighestElevation | Policy::Nearest)
}

fn over_or_whole(
    link: LinkText,
    base: Option<&LinkSpec>,
    source: &Source<'_>,
    path: &str,
) -> Result<LinkSpec, ScenarioError> {
    match base {
        Some(base) => link.over(base, source, path),
        None => link.whole(SATELLITE_QUEUE, source, path),
    }
}

fn direction(
    link: Option<crate::format::Medium>,
    base: Option<LinkSpec>,
    source: &Source<'_>,
    path: &str,
) -> Result<LinkSpec, ScenarioError> {
    match (link, base) {
        (Some(link), base) => over_or_whole(link.into(), base.as_ref(), source, path),
        (None, Some(base)) => Ok(base),
        (None, None) => {
            let message = "a constellation that is no preset needs its ground links (write user_link = { rate = \"1.5 Mbit/s\" })";
            Err(source.error(Code::ScenarioMissingKey, path, message))
        }
    }
}
