// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads the network of a scenario: presets and what changes them, plain shapes, links.

use crate::ScenarioError;
use crate::check::Source;
use crate::document::NetworkChoice;
use crate::format::{self, Constellation, Isl, Loss};
use crate::plain::{chain, dumbbell, star, starlink};
use crate::text::{Q, Unlimited};
use link::{Bursts, CongestionWarning, Impairment, QueueLimit};
use orbit::{Walker, WalkerPattern};
use std::path::{Path, PathBuf};
use topology::{ConstellationSpec, InFlight, IslSpec, LinkSpec, Orbits, Site};
use units::{Angle, Code, Rate, Span};

/// Queue of a satellite's link where neither file nor preset says.
const SATELLITE_QUEUE: QueueLimit = QueueLimit::Packets(50);
/// Minimum elevation where neither file nor preset says: Starlink's and Hypatia's.
const MIN_ELEVATION: Angle = Angle::from_deg(25.0);
/// Interval of routes where neither file nor preset says: ns-2's handoff interval.
const ROUTE_STEP: Span = Span::from_secs(10);

/// Steps of the chain of bursts where the file does not say: the bins of the measurements.
const BURST_BIN: Span = Span::from_millis(100);

/// A network, and what flows need to know of it.
#[derive(Debug)]
pub struct Network {
    /// The network itself; the sites of a constellation are taken in as flows name them.
    pub choice: NetworkChoice,
    /// Where flows come from and go to if they do not say.
    pub default_ends: Option<[String; 2]>,
    /// Places that the file adds to the shipped list.
    pub places: Vec<Site>,
}

/// What a file says of a link besides its delay.
#[derive(Debug, Default)]
pub struct LinkText {
    pub rate: Option<Q<Unlimited<Rate>>>,
    pub queue: Option<Q<QueueLimit>>,
    pub loss: Option<Loss>,
    pub reorder: Option<bool>,
    pub warn_above: Option<f64>,
}

/// A link without loss that keeps order.
pub const fn spec(rate: Option<Rate>, queue: QueueLimit) -> LinkSpec {
    LinkSpec { rate, queue, loss: Impairment::None, reorder: false, warning: None }
}

impl LinkText {
    /// The link `base` with what the file says put over it.
    pub fn over(self, base: &LinkSpec, source: &Source<'_>, path: &str) -> Result<LinkSpec, ScenarioError> {
        let loss = self.loss.map(|loss| impairment(&loss, source, path)).transpose()?;
        Ok(LinkSpec {
            rate: self.rate.map_or(base.rate, |Q(Unlimited(rate))| rate),
            queue: self.queue.map_or(base.queue, |q| q.0),
            loss: loss.unwrap_or(base.loss),
            reorder: self.reorder.unwrap_or(base.reorder),
            warning: self.warn_above.map(|above| CongestionWarning { above }).or(base.warning),
        })
    }

    /// As [`Self::over`] an ideal link, but the rate must be said.
    pub fn whole(
        self,
        queue: QueueLimit,
        source: &Source<'_>,
        path: &str,
    ) -> Result<LinkSpec, ScenarioError> {
        if self.rate.is_none() {
            let message = format!(
                "`{path}` needs the key `rate` (write rate = \"50 Mbit/s\", or \"unlimited\" for an ideal wire)"
            );
            return Err(source.error(Code::ScenarioMissingKey, &format!("{path}.rate"), message));
        }
        self.over(&spec(None, queue), source, path)
    }
}

impl From<format::Medium> for LinkText {
    fn from(text: format::Medium) -> Self {
        Self {
            rate: text.rate,
            queue: text.queue,
            loss: text.loss,
            reorder: text.reorder,
            warn_above: text.warn_above,
        }
    }
}

fn impairment(loss: &Loss, source: &Source<'_>, path: &str) -> Result<Impairment, ScenarioError> {
    match (loss.per, loss.ber, loss.bursts) {
        (Some(per), None, None) => Ok(Impairment::PacketErrorRate(per)),
        (None, Some(ber), None) => Ok(Impairment::BitErrorRate(ber)),
        (None, None, Some(format::Bursts { to_bad, to_good, loss, bin })) => {
            let bin = bin.map_or(BURST_BIN, |q| q.0);
            Ok(Impairment::Bursts(Bursts { bin, to_bad, to_good, loss }))
        }
        (None, None, None) => Ok(Impairment::None),
        (Some(_), Some(_), None) => {
            let message = "packet and bit error rate contradict each other (write one of `per` and `ber`)";
            Err(source.error(Code::ScenarioValue, &format!("{path}.loss"), message))
        }
        (_, _, Some(_)) => {
            let message = "bursts contradict another error rate (write one of `per`, `ber` and `bursts`)";
            Err(source.error(Code::ScenarioValue, &format!("{path}.loss"), message))
        }
    }
}

/// A file that a scenario names: relative to its folder.
pub fn beside(source: &Source<'_>, file: &str) -> PathBuf {
    Path::new(source.origin).parent().unwrap_or(Path::new("")).join(file)
}

/// Reads the network.
pub fn read(network: format::Network, source: &Source<'_>) -> Result<Network, ScenarioError> {
    let plain =
        |choice, ends: Option<[String; 2]>| Network { choice, default_ends: ends, places: Vec::new() };
    match network {
        format::Network {
            constellation: Some(text),
            dumbbell: None,
            chain: None,
            star: None,
            starlink: None,
            ..
        } => constellation(text, source),
        format::Network {
            constellation: None,
            dumbbell: Some(text),
            chain: None,
            star: None,
            starlink: None,
            ..
        } => Ok(plain(dumbbell(text, source)?, Some(["left".to_owned(), "right".to_owned()]))),
        format::Network {
            constellation: None,
            dumbbell: None,
            chain: Some(text),
            star: None,
            starlink: None,
            ..
        } => {
            let links = chain(text, source)?;
            let ends = ["0".to_owned(), links.len().to_string()];
            Ok(plain(NetworkChoice::Chain { links }, Some(ends)))
        }
        format::Network {
            constellation: None,
            dumbbell: None,
            chain: None,
            star: Some(text),
            starlink: None,
            ..
        } => Ok(plain(star(text, source)?, None)),
        format::Network {
            constellation: None,
            dumbbell: None,
            chain: None,
            star: None,
            starlink: Some(text),
            ..
        } => {
            let path = NetworkChoice::Starlink(starlink(text, source)?);
            Ok(plain(path, Some(["dish".to_owned(), "server".to_owned()])))
        }
        format::Network {
            constellation: None,
            dumbbell: None,
            chain: None,
            star: None,
            starlink: None,
            ..
        } => {
            let message = "a scenario needs a network (write [network.constellation], [network.dumbbell], [network.chain], [network.star] or [network.starlink])";
            Err(source.error(Code::ScenarioMissingKey, "network", message))
        }
        _ => {
            let message = "a scenario has exactly one network (keep one of [network.constellation], [network.dumbbell], [network.chain], [network.star], [network.starlink])";
            Err(source.error(Code::ScenarioValue, "network", message))
        }
    }
}

fn constellation(text: Constellation, source: &Source<'_>) -> Result<Network, ScenarioError> {
    let path = "network.constellation";
    let at = |key: &str| format!("{path}.{key}");
    let places: Vec<Site> = text
        .sites
        .into_iter()
        .flatten()
        .map(|place| Site { name: place.name, latitude: place.latitude.0, longitude: place.longitude.0 })
        .collect();
    if let Some(index) =
        (1..places.len()).find(|&i| places[..i].iter().any(|site| site.name == places[i].name))
    {
        let message = format!("there are two sites \"{}\"", places[index].name);
        return Err(source.error(Code::ScenarioValue, &at(&format!("sites[{index}].name")), message));
    }
    if text.start.is_some() && text.tle.is_none() {
        let message = "`start` belongs to two-line elements (remove it, or name their file in `tle`)";
        return Err(source.error(Code::ScenarioValue, &at("start"), message));
    }
    let (preset, orbits) = match (text.preset, text.walker, text.tle) {
        (Some(name), None, None) => {
            if text.name.is_some() {
                let message = "`name` contradicts `preset` (keep one)";
                return Err(source.error(Code::ScenarioValue, &at("name"), message));
            }
            let preset = topology::presets::find(&name)
                .map_err(|error| source.error(error.code(), &at("preset"), error.to_string()))?;
            let orbits = preset.orbits.clone();
            (Some(preset), orbits)
        }
        (None, Some(shell), None) => (None, Orbits::Walker(walker(&shell))),
        (None, None, Some(file)) => (None, Orbits::Tle { file: beside(source, &file), start: text.start }),
        (None, None, None) => {
            let message = "a constellation needs its satellites (write preset = \"iridium\", walker = { … } or tle = \"file\")";
            return Err(source.error(Code::ScenarioMissingKey, &at("preset"), message));
        }
        _ => {
            let message = "`preset`, `walker` and `tle` contradict each other (keep one)";
            return Err(source.error(Code::ScenarioValue, path, message));
        }
    };
    let user = |base: Option<&LinkSpec>| match text.user_link.clone() {
        Some(link) => over_or_whole(link.into(), base, source, &at("user_link")).map(Some),
        None => Ok(base.cloned()),
    };
    let (uplink, downlink) =
        (user(preset.as_ref().map(|p| &p.uplink))?, user(preset.as_ref().map(|p| &p.downlink))?);
    let uplink = direction(text.uplink, uplink, source, &at("uplink"))?;
    let downlink = direction(text.downlink, downlink, source, &at("downlink"))?;
    let old = preset.as_ref();
    let rules =
        IslRules { latitude_limit: text.isl_latitude_limit.map(|q| q.0), cross_seam: text.cross_seam };
    let isl = isl(text.isl, old.and_then(|p| p.isl.as_ref()), rules, source, &at("isl"))?;
    let spec = ConstellationSpec {
        name: old.map(|p| p.name.clone()).or(text.name).unwrap_or_else(|| "custom".to_owned()),
        orbits,
        isl,
        uplink,
        downlink,
        min_elevation: text.min_elevation.map_or(old.map_or(MIN_ELEVATION, |p| p.min_elevation), |q| q.0),
        route_step: text.route_step.map_or(old.map_or(ROUTE_STEP, |p| p.route_step), |q| q.0),
        offset: text.offset.map_or(Span::ZERO, |q| q.0),
        in_flight: match text.in_flight {
            Some(format::InFlight::Forward) => InFlight::Forward,
            Some(format::InFlight::Drop) => InFlight::Drop,
            None => old.map_or(InFlight::Forward, |p| p.in_flight),
        },
    };
    Ok(Network {
        choice: NetworkChoice::Constellation { spec, sites: Vec::new() },
        default_ends: None,
        places,
    })
}

fn walker(text: &format::Walker) -> Walker {
    Walker {
        planes: text.planes,
        per_plane: text.per_plane,
        altitude: text.altitude.0,
        inclination: text.inclination.0,
        pattern: text
            .spacing
            .map_or(WalkerPattern::Delta, |spacing| WalkerPattern::Star { spacing: spacing.0 }),
        phase: text.phase.map_or(Angle::from_deg(0.0), |q| q.0),
        alternate_half_slot: text.alternate_half_slot.unwrap_or(false),
    }
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
    link: Option<format::Medium>,
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
    text: Option<Isl>,
    base: Option<&IslSpec>,
    rules: IslRules,
    source: &Source<'_>,
    path: &str,
) -> Result<Option<IslSpec>, ScenarioError> {
    let none = match text {
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
    let table = match text {
        Some(Isl::Links(table)) => table,
        _ => format::IslTable::default(),
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
        intra_plane: table.intra_plane.unwrap_or(base.is_none_or(|isl| isl.intra_plane)),
        inter_plane: table.inter_plane.unwrap_or(base.is_none_or(|isl| isl.inter_plane)),
        cross_seam: rules.cross_seam.unwrap_or(base.is_some_and(|isl| isl.cross_seam)),
        latitude_limit: rules.latitude_limit.map_or(base.and_then(|isl| isl.latitude_limit), |limit| limit.0),
        max_range: table.max_range.map_or(base.and_then(|isl| isl.max_range), |Q(Unlimited(range))| range),
    }))
}
