// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads the constellation of a scenario: presets and what changes them, shells, ground stations.

mod write;

pub use write::write;

use crate::ScenarioError;
use crate::check::Source;
use crate::document::NetworkChoice;
use crate::network::{LinkText, Network};
use crate::satellites::{self as text, Constellation, Isl};
use crate::text::{Q, Unlimited};
use link::{Queue, QueueLimit};
use orbit::{Walker, WalkerPattern};
use topology::{
    Access, Attachment, ConstellationSpec, During, Gateway, Handover, InFlight, IslPattern, IslSpec,
    LinkSpec, Orbits, Policy, RouteTimes, Shell, Site, Slot, Visibility,
};
use units::{Angle, Code, Rate, Span};

/// Queue of a satellite's link where neither file nor preset says.
const SATELLITE_QUEUE: Queue = Queue::drop_tail(QueueLimit::Packets(50));
/// Minimum elevation where neither file nor preset says: Starlink's and Hypatia's.
const MIN_ELEVATION: Visibility = Visibility::Elevation(Angle::from_deg(25.0));
/// Interval of routes where neither file nor preset says: ns-2's handoff interval.
const ROUTE_STEP: Span = Span::from_secs(10);
/// Links of a satellite that takes the nearest ones: as many as of a grid.
const TERMINALS: u32 = 4;
/// Fibre where neither file nor preset says: light in glass takes 1.47 times as long, and cables are seldom straight.
const FIBRE_FACTOR: f64 = 1.5;
/// Link to a gateway where neither file nor preset says.
const FEEDER: (Rate, Queue) =
    (Rate::from_bits_per_s(10_000_000_000), Queue::drop_tail(QueueLimit::Packets(500)));
/// Eccentricity and epoch of a shell propagated by SGP4 where the file does not say: Hypatia's.
const ECCENTRICITY: f64 = 1e-7;
const EPOCH: &str = "2000-01-01T00:00:00Z";

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
    let feeder = crate::network::spec(Some(FEEDER.0), FEEDER.1);
    let feeder = old.map_or(feeder, |p| p.feeder.clone());
    let feeder = match text.feeder {
        Some(link) => over_or_whole(link.into(), Some(&feeder), source, &at("feeder"))?,
        None => feeder,
    };
    let rules =
        IslRules { latitude_limit: text.isl_latitude_limit.map(|q| q.0), cross_seam: text.cross_seam };
    let isl = isl(text.isl, old.and_then(|p| p.isl.as_ref()), rules, source, &at("isl"))?;
    let access = access(&text.access.unwrap_or_default(), old.map(|p| p.access), source)?;
    let handover = text.handover.unwrap_or_default();
    let old_handover = old.map(|p| p.handover).unwrap_or_default();
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
        handover: Handover {
            outage: handover.outage.map_or(old_handover.outage, |q| q.0),
            during: match handover.during {
                Some(text::During::Hold) => During::Hold,
                Some(text::During::Lose) => During::Lose,
                None => old_handover.during,
            },
        },
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

/// The satellites: those of the preset, or what the file says.
fn shells(
    text: &mut Constellation,
    preset: Option<&ConstellationSpec>,
    name: &str,
    source: &Source<'_>,
) -> Result<Vec<Shell>, ScenarioError> {
    let has_catalogue =
        text.catalogue.is_some() || text.shells.iter().flatten().any(|shell| shell.catalogue.is_some());
    for (key, there) in [
        ("start", text.start.is_some()),
        ("oldest", text.oldest.is_some()),
        ("unusable", text.unusable.is_some()),
    ] {
        if there && !has_catalogue {
            let message =
                format!("`{key}` belongs to a catalogue (remove it, or name a file in `catalogue`)");
            return Err(source.error(Code::ScenarioValue, &at(key), message));
        }
    }
    let start = text.start.take();
    let oldest = text.oldest.take().map(|q| q.0);
    let skip_unusable = matches!(text.unusable, Some(text::Unusable::Skip));
    let catalogue = |file: String| Orbits::Catalogue {
        file: crate::network::beside(source, &file),
        start: start.clone(),
        oldest,
        skip_unusable,
    };
    let preset = preset.filter(|preset| !preset.shells.is_empty());
    match (preset, text.walker.take(), text.catalogue.take(), text.shells.take()) {
        (Some(preset), None, None, None) => Ok(preset.shells.clone()),
        (None, Some(shell), None, None) => {
            Ok(vec![Shell { name: name.to_owned(), orbits: orbits(&shell, &at("walker"), source)? }])
        }
        (None, None, Some(file), None) => Ok(vec![Shell { name: name.to_owned(), orbits: catalogue(file) }]),
        (None, None, None, Some(shells)) if !shells.is_empty() => {
            let mut read = Vec::new();
            for (index, shell) in shells.into_iter().enumerate() {
                let path = at(&format!("shells[{index}]"));
                let orbits = match (shell.walker, shell.catalogue) {
                    (Some(walker), None) => orbits(&walker, &format!("{path}.walker"), source)?,
                    (None, Some(file)) => catalogue(file),
                    _ => {
                        let message = "a shell is one of `walker` and `catalogue`";
                        return Err(source.error(Code::ScenarioValue, &path, message));
                    }
                };
                let name = shell.name.unwrap_or_else(|| format!("{name} {}", index + 1));
                read.push(Shell { name, orbits });
            }
            Ok(read)
        }
        (None, None, None, _) => {
            let message = "a constellation needs its satellites (write preset = \"iridium\", walker = { … }, catalogue = \"file\" or shells = [ … ])";
            Err(source.error(Code::ScenarioMissingKey, &at("preset"), message))
        }
        _ => {
            let message = "`preset`, `walker`, `catalogue` and `shells` contradict each other (keep one)";
            Err(source.error(Code::ScenarioValue, PATH, message))
        }
    }
}

fn orbits(text: &text::Walker, path: &str, source: &Source<'_>) -> Result<Orbits, ScenarioError> {
    let walker = Walker {
        planes: text.planes,
        per_plane: text.per_plane,
        altitude: text.altitude.0,
        inclination: text.inclination.0,
        pattern: text
            .spacing
            .map_or(WalkerPattern::Delta, |spacing| WalkerPattern::Star { spacing: spacing.0 }),
        first_node: text.first_node.map_or(Angle::from_deg(0.0), |q| q.0),
        phase: text.phase.map_or(Angle::from_deg(0.0), |q| q.0),
        alternate_half_slot: text.alternate_half_slot.unwrap_or(false),
    };
    let Some(mean_motion) = text.mean_motion else {
        for (key, there) in [("eccentricity", text.eccentricity.is_some()), ("epoch", text.epoch.is_some())] {
            if there {
                let message =
                    format!("`{key}` belongs to mean elements (remove it, or write mean_motion = 15.19)");
                return Err(source.error(Code::ScenarioValue, &format!("{path}.{key}"), message));
            }
        }
        return Ok(Orbits::Walker(walker));
    };
    Ok(Orbits::Elements {
        walker,
        mean_motion,
        eccentricity: text.eccentricity.unwrap_or(ECCENTRICITY),
        epoch: text.epoch.clone().unwrap_or_else(|| EPOCH.to_owned()),
    })
}

fn visibility(
    text: &Constellation,
    preset: Option<&ConstellationSpec>,
    source: &Source<'_>,
) -> Result<Visibility, ScenarioError> {
    match (text.min_elevation, text.max_slant_range) {
        (Some(Q(least)), None) => Ok(Visibility::Elevation(least)),
        (None, Some(Q(most))) => Ok(Visibility::Range(most)),
        (None, None) => Ok(preset.map_or(MIN_ELEVATION, |p| p.visibility)),
        (Some(_), Some(_)) => {
            let message = "`min_elevation` and `max_slant_range` contradict each other (keep one)";
            Err(source.error(Code::ScenarioValue, &at("max_slant_range"), message))
        }
    }
}

/// A place: as stated, or the city of that name.
fn site(
    name: String,
    latitude: Option<Q<Angle>>,
    longitude: Option<Q<Angle>>,
    source: &Source<'_>,
    path: &str,
) -> Result<Site, ScenarioError> {
    match (latitude, longitude) {
        (Some(Q(latitude)), Some(Q(longitude))) => Ok(Site { name, latitude, longitude }),
        (None, None) => topology::sites::find(&name)
            .map(|city| Site { name, ..city })
            .map_err(|error| source.error(error.code(), &format!("{path}.name"), error.to_string())),
        _ => {
            let message = "a place has both latitude and longitude, or neither and the name of a city";
            Err(source.error(Code::ScenarioMissingKey, path, message))
        }
    }
}

fn pop(name: &str, pops: &[Site], source: &Source<'_>, path: &str) -> Result<u16, ScenarioError> {
    pops.iter().position(|pop| pop.name == name).map(|at| at as u16).ok_or_else(|| {
        let known: Vec<_> = pops.iter().map(|pop| pop.name.as_str()).collect();
        let message =
            format!("there is no point of presence \"{name}\" (in `pops` are: {})", known.join(", "));
        source.error(Code::SiteUnknown, path, message)
    })
}

fn read_gateways(
    gateways: Vec<text::Gateway>,
    pops: &[Site],
    source: &Source<'_>,
) -> Result<Vec<Gateway>, ScenarioError> {
    let read = |(index, gateway): (usize, text::Gateway)| {
        let path = at(&format!("gateways[{index}]"));
        Ok(Gateway {
            pop: gateway.pop.map(|name| pop(&name, pops, source, &format!("{path}.pop"))).transpose()?,
            site: site(gateway.name, gateway.latitude, gateway.longitude, source, &path)?,
            visibility: gateway.min_elevation.map(|q| Visibility::Elevation(q.0)),
        })
    };
    gateways.into_iter().enumerate().map(read).collect()
}

/// Places of the file, and how those are connected that are not plain dishes.
type Places = (Vec<Site>, Vec<(String, Attachment)>);

fn read_places(sites: Vec<text::Site>, pops: &[Site], source: &Source<'_>) -> Result<Places, ScenarioError> {
    let mut places: Vec<Site> = Vec::new();
    let mut attachments = Vec::new();
    for (index, place) in sites.into_iter().enumerate() {
        let path = at(&format!("sites[{index}]"));
        if places.iter().any(|known| known.name == place.name) {
            let message = format!("there are two sites \"{}\"", place.name);
            return Err(source.error(Code::ScenarioValue, &format!("{path}.name"), message));
        }
        let attachment = match (place.home, place.fibre.unwrap_or(false)) {
            (None, false) => Attachment::Dish,
            (Some(home), false) => Attachment::Home(pop(&home, pops, source, &format!("{path}.home"))?),
            (None, true) if pops.is_empty() => {
                let message = "there is no point of presence that the fibre could lead to (write `pops`)";
                return Err(source.error(Code::ScenarioValue, &format!("{path}.fibre"), message));
            }
            (None, true) => Attachment::Fibre,
            (Some(_), true) => {
                let message = "`home` is for dishes, `fibre` for places without one (keep one)";
                return Err(source.error(Code::ScenarioValue, &path, message));
            }
        };
        if attachment != Attachment::Dish {
            attachments.push((place.name.clone(), attachment));
        }
        places.push(site(place.name, place.latitude, place.longitude, source, &path)?);
    }
    Ok((places, attachments))
}

fn access(text: &text::Access, old: Option<Access>, source: &Source<'_>) -> Result<Access, ScenarioError> {
    let old =
        old.unwrap_or(Access { policy: Policy::LowestDelay, slot: None, hysteresis: Angle::from_deg(0.0) });
    let slot = match (text.slot, text.phase) {
        (Some(Q(period)), phase) => Some(Slot { period, phase: phase.map_or(Span::ZERO, |q| q.0) }),
        (None, None) => old.slot,
        (None, Some(Q(phase))) => {
            let Some(slot) = old.slot else {
                let message = "`phase` belongs to slots (write slot = \"15 s\")";
                return Err(source.error(Code::ScenarioMissingKey, &at("access.phase"), message));
            };
            Some(Slot { phase, ..slot })
        }
    };
    Ok(Access {
        policy: match text.policy {
            Some(text::Policy::LowestDelay) => Policy::LowestDelay,
            Some(text::Policy::HighestElevation) => Policy::HighestElevation,
            Some(text::Policy::Nearest) => Policy::Nearest,
            Some(text::Policy::LongestVisible) => Policy::LongestVisible,
            None => old.policy,
        },
        slot,
        hysteresis: text.hysteresis.map_or(old.hysteresis, |q| q.0),
    })
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

/// Rules of links between satellites that stand beside them.
#[derive(Clone, Copy)]
struct IslRules {
    latitude_limit: Option<Unlimited<Angle>>,
    cross_seam: Option<bool>,
}

fn isl(
    links: Option<Isl>,
    base: Option<&IslSpec>,
    rules: IslRules,
    source: &Source<'_>,
    path: &str,
) -> Result<Option<IslSpec>, ScenarioError> {
    let none = match links {
        Some(Isl::Switch(flag)) => !flag,
        Some(Isl::Links(_)) => false,
        None => base.is_none(),
    };
    if none {
        if rules.latitude_limit.is_some() || rules.cross_seam.is_some() {
            let message = "there are no links between satellites that a latitude limit or a seam could concern (write isl = { rate = \"25 Mbit/s\" })";
            return Err(source.error(Code::ScenarioValue, path, message));
        }
        return Ok(None);
    }
    let table = match links {
        Some(Isl::Links(table)) => table,
        _ => text::IslTable::default(),
    };
    let link = LinkText {
        rate: table.rate,
        queue: table.queue,
        loss: table.loss,
        reorder: table.reorder,
        warn_above: table.warn_above,
    };
    Ok(Some(IslSpec {
        link: over_or_whole(link, base.map(|isl| &isl.link), source, path)?,
        pattern: pattern(table.pattern, table.terminals, table.pairs, base, source, path)?,
        shift: table.shift.or(base.and_then(|isl| isl.shift)),
        inter_shell: table.inter_shell.unwrap_or(base.is_some_and(|isl| isl.inter_shell)),
        intra_plane: table.intra_plane.unwrap_or(base.is_none_or(|isl| isl.intra_plane)),
        inter_plane: table.inter_plane.unwrap_or(base.is_none_or(|isl| isl.inter_plane)),
        cross_seam: rules.cross_seam.unwrap_or(base.is_some_and(|isl| isl.cross_seam)),
        latitude_limit: rules.latitude_limit.map_or(base.and_then(|isl| isl.latitude_limit), |limit| limit.0),
        max_range: table.max_range.map_or(base.and_then(|isl| isl.max_range), |Q(Unlimited(range))| range),
    }))
}

fn pattern(
    word: Option<text::Pattern>,
    terminals: Option<u32>,
    pairs: Option<Vec<Vec<u32>>>,
    base: Option<&IslSpec>,
    source: &Source<'_>,
    path: &str,
) -> Result<IslPattern, ScenarioError> {
    let old = base.map_or(IslPattern::Grid, |isl| isl.pattern.clone());
    if let Some(pairs) = pairs {
        if word.is_some() || terminals.is_some() {
            let message = "`pairs` says which satellites are linked (remove `pattern` and `terminals`)";
            return Err(source.error(Code::ScenarioValue, &format!("{path}.pairs"), message));
        }
        let pair = |(index, pair): (usize, Vec<u32>)| {
            let [a, b] = *pair.as_slice() else {
                let message = "a link joins two satellites (write [0, 1])";
                return Err(source.error(Code::ScenarioValue, &format!("{path}.pairs[{index}]"), message));
            };
            Ok((a, b))
        };
        return Ok(IslPattern::List(pairs.into_iter().enumerate().map(pair).collect::<Result<_, _>>()?));
    }
    let nearest = match word {
        Some(word) => matches!(word, text::Pattern::Nearest),
        None => matches!(old, IslPattern::Nearest { .. }),
    };
    if terminals.is_some() && !nearest {
        let message = "`terminals` belongs to the nearest links (remove it, or write pattern = \"nearest\")";
        return Err(source.error(Code::ScenarioValue, &format!("{path}.terminals"), message));
    }
    Ok(match (word, old) {
        (Some(text::Pattern::Grid), _) => IslPattern::Grid,
        (Some(text::Pattern::Nearest) | None, IslPattern::Nearest { terminals: old }) => {
            IslPattern::Nearest { terminals: terminals.unwrap_or(old) }
        }
        (Some(text::Pattern::Nearest), _) => {
            IslPattern::Nearest { terminals: terminals.unwrap_or(TERMINALS) }
        }
        (None, old) => old,
    })
}
