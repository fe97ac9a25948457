// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes the constellation of a scenario: presets and their overrides, shells, ground stations.

mod access;
mod ground;
mod isl;
mod key;
mod mask;
mod orbits;
mod returns;
mod shared;

use crate::budget::{Budget, LOWEST_DEG};
use crate::check::Source;
use crate::format::{self, Access, Constellation, Handover, Isl, MovingLink, Place, SharedLinks};
use crate::moving_budget::LinkDirection;
use crate::network::numbered;
use crate::sight::refuse_hours;
use crate::station::{Placed, Station, station, with_stations};
use crate::text::{Q, Unlimited};
use crate::words::W;
use crate::{ScenarioError, sight};
use ground::{read_gateways, read_places, site, visibility, write_gateway, write_place, write_site};
use isl::Rules;
use key::at;
use link::sight::SightRate;
use link::{LinkSpec, Queue, QueueLimit};
use orbits::{shells, write_shells};
use returns::Returns;
use std::path::Path;
use std::sync::Arc;
use topology::{ConstellationSpec, InFlight, IslPattern, Orbits, Site, Visibility};
use units::{Code, Rate, Span};

/// Default interval between route updates: the handoff interval of ns-2.
const ROUTE_STEP: Span = Span::from_secs(10);
/// Default fibre factor: light in glass takes 1.47 times as long as in vacuum, and cables are rarely straight.
const FIBRE_FACTOR: f64 = 1.5;
/// Default rate and queue of a link to a gateway.
const FEEDER: (Rate, Queue) =
    (Rate::from_bits_per_s(10_000_000_000), Queue::drop_tail(QueueLimit::Packets(500)));

/// Reads `[network.constellation]`. Returns the constellation, and the places that the file adds to the built-in list.
/// Without a preset, defaults come from `base`, a constellation without satellites.
pub fn read(
    mut text: Constellation,
    base: Option<ConstellationSpec>,
    source: &Source<'_>,
) -> Result<(ConstellationSpec, Vec<Site>, Budgets), ScenarioError> {
    let preset = match text.preset.take() {
        None => base,
        Some(name) => Some(
            topology::presets::find(&name)
                .map_err(|error| source.error(error.code(), &at("preset"), error.to_string()))?,
        ),
    };
    let old = preset.as_ref();
    let name = old.map(|p| p.name.clone()).or(text.name.take()).or_else(|| stem(text.catalogue.as_deref()?));
    let name = name.unwrap_or_else(|| "custom".to_owned());
    let shells = shells(&mut text, old, &name, source)?;
    let visibility = visibility(&text, old);
    let pops: Vec<Site> = match text.pops.take() {
        Some(pops) => read_pops(pops, source)?,
        None => old.map(|p| p.pops.clone()).unwrap_or_default(),
    };
    let sites = counted(text.sites.take().unwrap_or_default());
    let stations = stations(&sites, &text);
    let gateways = match text.gateways.take() {
        Some(gateways) => read_gateways(gateways, &pops, source)?,
        None => old.map(|p| p.gateways.clone()).unwrap_or_default(),
    };
    let places = read_places(sites, &pops, source)?;
    let (both, returns) = text.user_link.map(|link| (link.moving, link.return_link)).unzip();
    let (up, up_returns) = text.uplink.map(|link| (link.moving, link.return_link)).unzip();
    let returns = Returns { both: returns.unwrap_or_default(), up: up_returns.unwrap_or_default() };
    let user = |base: Option<&LinkSpec>| match both.clone() {
        Some(link) => link.read(base, source, &at("user_link")).map(Some),
        None => Ok(base.cloned()),
    };
    let in_file = [("uplink", &up), ("downlink", &text.downlink)].map(|(key, link)| {
        let of = |(key, link): (&'static str, &Option<MovingLink>)| {
            Some((key, link.as_ref()?.sight.budget.clone()?))
        };
        of((key, link)).or_else(|| of(("user_link", &both)))
    });
    let (uplink, downlink) = (user(old.map(|p| &p.uplink))?, user(old.map(|p| &p.downlink))?);
    let uplink = returns.over(direction(up, uplink, source, &at("uplink"))?, source)?;
    let downlink = direction(text.downlink, downlink, source, &at("downlink"))?;
    let feeder = LinkSpec { rate: Some(FEEDER.0), queue: FEEDER.1, ..LinkSpec::IDEAL };
    let feeder = old.map_or(feeder, |p| p.feeder.clone());
    let feeder_text = text.feeder.unwrap_or_default();
    let of_feeder = feeder_text.sight.budget.clone().map(|budget| ("feeder", budget));
    let feeder = feeder_text.read(Some(&feeder), source, &at("feeder"))?;
    let in_catalogue = |orbits: &Orbits| matches!(orbits, Orbits::Catalogue { .. });
    let rules = Rules {
        latitude_limit: text.isl_latitude_limit.map(|q| q.0),
        cross_seam: text.cross_seam,
        shells: shells.len(),
        laid_out: shells.iter().any(|shell| !in_catalogue(&shell.orbits)),
    };
    let dated = shells.iter().any(|shell| in_catalogue(&shell.orbits));
    if text.fibre_factor.is_some() && pops.is_empty() {
        let message = "`fibre` connects points of presence, but this network has no points of presence";
        return Err(source
            .error(Code::ScenarioValue, &at("fibre_factor"), message)
            .fix("remove `fibre`, or write pops = [{ name = \"London\" }]"));
    }
    let isl = isl::read(text.isl, old.and_then(|p| p.isl.as_ref()), rules, source)?;
    // Satellites that SGP4 propagates have a date.
    let known = shells.iter().any(|shell| !matches!(shell.orbits, Orbits::Walker(_)));
    let of_isl = isl.as_ref().map(|isl| ("isl", &isl.link));
    let links = [("uplink", &uplink), ("downlink", &downlink), ("feeder", &feeder)];
    links
        .into_iter()
        .chain(of_isl)
        .try_for_each(|(key, link)| refuse_hours(link, known, source, &at(key)))?;
    let access = text.access.unwrap_or_default().read(old.map(|p| p.choice), dated, source)?;
    let handover = text.handover.unwrap_or_default().read(old.map(|p| p.handover), source)?;
    let terminals = places.placed_terminals();
    let (shared, beams) =
        shared::read(text.shared, text.beams, &places.terminals, old, &terminals, &gateways, source)?;
    returns::refuse_two_schedulers(&uplink, &shared, source)?;
    let spec = ConstellationSpec {
        name,
        shells,
        isl,
        gateways,
        pops,
        attachments: places.attachments,
        fibre_factor: text.fibre_factor.or(old.map(|p| p.fibre_factor)).unwrap_or(FIBRE_FACTOR),
        feeder,
        uplink,
        downlink,
        visibility,
        masks: places.masks,
        gso_exclusion: text.gso_exclusion.map(|q| q.0).or(old.map(|p| p.gso_exclusion)).unwrap_or_default(),
        choice: access,
        shared,
        terminals,
        beams,
        handover,
        route_step: text.route_step.map_or(old.map_or(ROUTE_STEP, |p| p.route_step), |q| q.0),
        route_times: text.route_times.map_or(old.map(|p| p.route_times).unwrap_or_default(), |word| word.0),
        offset: text.offset.map_or(Span::ZERO, |q| q.0),
        in_flight: text.in_flight.map_or(old.map_or(InFlight::Forward, |p| p.in_flight), |word| word.0),
    };
    let [up, down] = in_file;
    let budgets = read_budgets([up, down, of_feeder.clone(), of_feeder], &spec, &stations, source)?;
    Ok((spec, places.sites, budgets))
}

/// Returns the name of a file without its folder and its extension.
fn stem(file: &str) -> Option<String> {
    Some(Path::new(file).file_stem()?.to_string_lossy().into_owned())
}

/// Returns the sites of the file, each with its index in the file. A site with a `count` occurs several times.
fn counted(sites: Vec<format::Site>) -> Vec<(usize, format::Site)> {
    let copies = |(index, mut site): (usize, format::Site)| {
        let names = numbered(&site.name, site.count.take());
        names.into_iter().map(move |name| (index, format::Site { name, ..site.clone() })).collect::<Vec<_>>()
    };
    sites.into_iter().enumerate().flat_map(copies).collect()
}

/// Returns the overrides at sites, and the overrides at gateways.
fn stations(sites: &[(usize, format::Site)], text: &Constellation) -> [Vec<Placed>; 2] {
    let gateways = text.gateways.iter().flatten().enumerate();
    let sites = sites.iter();
    [
        sites.filter_map(|(index, site)| Station::of_site(site, at(&format!("sites[{index}]")))).collect(),
        gateways
            .filter_map(|(index, gateway)| Station::of_gateway(gateway, at(&format!("gateways[{index}]"))))
            .collect(),
    ]
}

/// Reads the points of presence.
fn read_pops(pops: Vec<Place>, source: &Source<'_>) -> Result<Vec<Site>, ScenarioError> {
    let place = |(index, place): (usize, Place)| site(place, source, &at(&format!("pops[{index}]")));
    pops.into_iter().enumerate().map(place).collect()
}

/// Link budgets: user link up, user link down, feeder link up, feeder link down.
type Budgets = [Option<Arc<Budget>>; 4];

/// Reads the budgets of the links, each from the table at its key.
fn read_budgets(
    [up, down, feeder_up, feeder_down]: [Option<(&'static str, format::Budget)>; 4],
    spec: &ConstellationSpec,
    [sites, gateways]: &[Vec<Placed>; 2],
    source: &Source<'_>,
) -> Result<Budgets, ScenarioError> {
    let of = |text: Option<(&str, format::Budget)>, link: &LinkSpec, way: LinkDirection| {
        let by_budget = sight::of_link(link).is_some_and(|sight| sight.rate == Some(SightRate::Budget));
        let Some((key, text)) = text.filter(|_| by_budget) else { return Ok(None) };
        let low = |visibility: Visibility| !matches!(visibility, Visibility::Elevation(least) if least.deg() >= LOWEST_DEG);
        let gateways = spec.gateways.iter().filter(|_| key == "feeder");
        let of_gateways = gateways.map(|gateway| gateway.visibility.unwrap_or(spec.visibility));
        let rules = if key == "feeder" { of_gateways.collect() } else { vec![spec.visibility] };
        if rules.into_iter().any(low) {
            let message = format!(
                "the ITU-R recommendations of the link budget of {key} apply only to elevations of {LOWEST_DEG} deg \
                 or more, but `min_elevation` allows lower satellites"
            );
            return Err(source
                .error(Code::ScenarioValue, &at("min_elevation"), message)
                .fix(format!("write min_elevation = \"{LOWEST_DEG} deg\" or more")));
        }
        text.read_moving(way, source, &at(&format!("{key}.budget"))).map(Some)
    };
    let users = [of(up, &spec.uplink, LinkDirection::Up)?, of(down, &spec.downlink, LinkDirection::Down)?];
    let feeders = [
        of(feeder_up, &spec.feeder, LinkDirection::Up)?,
        of(feeder_down, &spec.feeder, LinkDirection::Down)?,
    ];
    let [up, down] = with_stations(users, sites, "user_link", source)?;
    let [feeder_up, feeder_down] = with_stations(feeders, gateways, "feeder", source)?;
    Ok([up, down, feeder_up, feeder_down])
}

fn direction(
    link: Option<MovingLink>,
    base: Option<LinkSpec>,
    source: &Source<'_>,
    path: &str,
) -> Result<LinkSpec, ScenarioError> {
    match (link, base) {
        (Some(link), base) => link.read(base.as_ref(), source, path),
        (None, Some(base)) => Ok(base),
        (None, None) => {
            let message = "a constellation without a preset needs the key `user_link`";
            Err(source
                .error(Code::ScenarioMissingKey, path, message)
                .fix("write user_link = { rate = \"1.5 Mbit/s\" }"))
        }
    }
}

/// Returns the constellation in text form, with all defaults.
pub fn write(
    spec: &ConstellationSpec,
    sites: &[Site],
    [up, down, feeder_up, feeder_down]: &Budgets,
) -> Constellation {
    let user = |link: &LinkSpec, budget: &Option<Arc<Budget>>| {
        let mut text = MovingLink::of(link);
        text.sight.budget = budget.as_deref().map(format::Budget::of);
        text
    };
    let mut feeder = user(&spec.feeder, feeder_up);
    if let (Some(both), Some(down)) = (&mut feeder.sight.budget, feeder_down) {
        both.down = format::Budget::of(down).down;
    }
    let grid = spec.isl.as_ref().filter(|isl| isl.pattern == IslPattern::Grid);
    let (min_elevation, max_slant_range) = match spec.visibility {
        Visibility::Elevation(least) => (Some(Q(least)), None),
        Visibility::Range(most) => (None, Some(Q(most))),
    };
    let gateways = spec.gateways.iter().map(|gateway| {
        let Station { eirp, g_over_t, rain, altitude: _ } =
            station(&gateway.site.name, [feeder_up, feeder_down]);
        format::Gateway { eirp, g_over_t, rain, ..write_gateway(gateway, &spec.pops) }
    });
    // Cells that receive no data are included, because they also use a satellite in view.
    let of_cells =
        spec.terminals.iter().filter(|(_, terminal)| terminal.cell.is_some()).map(|(site, _)| site);
    let silent = of_cells.filter(|site| sites.iter().all(|known| known.name != site.name));
    let sites = sites.iter().chain(silent).map(|site| {
        let Station { eirp, g_over_t, rain, altitude: _ } = station(&site.name, [up, down]);
        format::Site { eirp, g_over_t, rain, ..write_site(site, spec) }
    });
    let mut text = Constellation {
        name: Some(spec.name.clone()),
        min_elevation,
        max_slant_range,
        gso_exclusion: Some(Q(spec.gso_exclusion)),
        access: Some(Access::of(&spec.choice)),
        shared: SharedLinks::of(&spec.shared),
        beams: shared::write_beams(&spec.beams),
        handover: Some(Handover::of(&spec.handover)),
        route_step: Some(Q(spec.route_step)),
        route_times: Some(W(spec.route_times)),
        offset: Some(Q(spec.offset)),
        in_flight: Some(W(spec.in_flight)),
        isl_latitude_limit: grid.map(|isl| Q(Unlimited(isl.latitude_limit))),
        cross_seam: grid.map(|isl| isl.cross_seam),
        isl: Some(Isl::of(spec.isl.as_ref())),
        uplink: Some(format::UserLink {
            moving: user(&spec.uplink, up),
            return_link: format::ReturnLink::of(&spec.uplink),
        }),
        downlink: Some(user(&spec.downlink, down)),
        feeder: Some(feeder),
        fibre_factor: (!spec.pops.is_empty()).then_some(spec.fibre_factor),
        pops: Some(spec.pops.iter().map(write_place).collect()),
        gateways: Some(gateways.collect()),
        sites: Some(sites.collect()),
        ..Constellation::default()
    };
    write_shells(&spec.shells, &mut text);
    text
}
