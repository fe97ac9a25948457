// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes ground stations and the satellites that they see.

use super::key::at;
use super::{mask, shared};
use crate::ScenarioError;
use crate::check::Source;
use crate::format::{self, Constellation};
use crate::text::Q;
use topology::{Attachment, ConstellationSpec, Gateway, Mask, Site, Terminal, Visibility};
use units::{Altitude, Angle, Code, Distance};

/// Default minimum elevation: that of Starlink and Hypatia.
const MIN_ELEVATION: Visibility = Visibility::Elevation(Angle::from_deg(25.0));

/// Reads which satellites a site can use.
pub fn visibility(text: &Constellation, preset: Option<&ConstellationSpec>) -> Visibility {
    let by_elevation = text.min_elevation.map(|Q(least)| Visibility::Elevation(least));
    let by_range = text.max_slant_range.map(|Q(most)| Visibility::Range(most));
    by_elevation.or(by_range).unwrap_or_else(|| preset.map_or(MIN_ELEVATION, |p| p.visibility))
}

/// Reads a place: either its coordinates, or the city with this name.
pub fn site(place: format::Place, source: &Source<'_>, path: &str) -> Result<Site, ScenarioError> {
    let format::Place { name, latitude, longitude, altitude } = place;
    let altitude = altitude.map(|Q(altitude)| Distance::from_m(altitude.m()));
    if let (Some(Q(latitude)), Some(Q(longitude))) = (latitude, longitude) {
        return Ok(Site { name, latitude, longitude, altitude: altitude.unwrap_or_default() });
    }
    let found = topology::sites::find(&name)
        .map_err(|error| source.error(error.code(), &format!("{path}.name"), error.to_string()))?;
    // Places of the list have no altitude. Coordinates may have one.
    let named = found.altitude.m();
    if let Some(stated) = altitude.map(Distance::m).filter(|stated| named != 0.0 && *stated != named) {
        let message =
            format!("the altitude is {stated} m in the key `altitude`, but {named} m in \"{name}\"");
        return Err(source
            .error(Code::ScenarioValue, &format!("{path}.altitude"), message)
            .fix("remove one of the two altitudes, or write the same altitude in both places"));
    }
    Ok(Site { name, altitude: altitude.unwrap_or(found.altitude), ..found })
}

fn pop(name: &str, pops: &[Site], source: &Source<'_>, path: &str) -> Result<u16, ScenarioError> {
    pops.iter().position(|pop| pop.name == name).map(|at| at as u16).ok_or_else(|| {
        let known: Vec<_> = pops.iter().map(|pop| pop.name.as_str()).collect();
        let message =
            format!("there is no point of presence \"{name}\" (`pops` lists: {})", known.join(", "));
        source.error(Code::SiteUnknown, path, message)
    })
}

/// Reads the gateways.
pub fn read_gateways(
    gateways: Vec<format::Gateway>,
    pops: &[Site],
    source: &Source<'_>,
) -> Result<Vec<Gateway>, ScenarioError> {
    let read = |(index, gateway): (usize, format::Gateway)| {
        let path = at(&format!("gateways[{index}]"));
        Ok(Gateway {
            pop: gateway.pop.map(|name| pop(&name, pops, source, &format!("{path}.pop"))).transpose()?,
            mask: mask::read(gateway.mask, gateway.mask_file, source, &path)?,
            gso_exclusion: gateway.gso_exclusion.map(|q| q.0),
            site: site(
                format::Place {
                    name: gateway.name,
                    latitude: gateway.latitude,
                    longitude: gateway.longitude,
                    altitude: gateway.altitude,
                },
                source,
                &path,
            )?,
            visibility: gateway.min_elevation.map(|q| Visibility::Elevation(q.0)),
        })
    };
    gateways.into_iter().enumerate().map(read).collect()
}

/// Places of the file.
#[derive(Default)]
pub struct Places {
    pub sites: Vec<Site>,
    /// The connections of places that do not have a plain dish.
    pub attachments: Vec<(String, Attachment)>,
    /// Obstacles around places.
    pub masks: Vec<(String, Mask)>,
    /// Weight and priority on shared transmitters, by index in `sites`.
    pub terminals: Vec<(usize, Terminal)>,
}

impl Places {
    /// Returns the terminals with their sites.
    pub fn placed_terminals(&self) -> Vec<(Site, Terminal)> {
        let placed = |(index, terminal): &(usize, Terminal)| (self.sites[*index].clone(), terminal.clone());
        self.terminals.iter().map(placed).collect()
    }
}

/// Reads the places of the file, each with its index in the file.
pub fn read_places(
    sites: Vec<(usize, format::Site)>,
    pops: &[Site],
    source: &Source<'_>,
) -> Result<Places, ScenarioError> {
    let mut places = Places::default();
    for (index, mut place) in sites {
        let path = at(&format!("sites[{index}]"));
        if places.sites.iter().any(|known| known.name == place.name) {
            let message = format!("the site \"{}\" is listed twice", place.name);
            return Err(source.error(Code::ScenarioValue, &format!("{path}.name"), message));
        }
        let terminal = shared::read_terminal(&mut place);
        let attachment = match (place.home, place.fibre.unwrap_or(false)) {
            (None, false) => Attachment::Dish,
            (Some(home), false) => Attachment::Home(pop(&home, pops, source, &format!("{path}.home"))?),
            (None, true) if pops.is_empty() => {
                let message =
                    "`fibre` leads to a point of presence, but this network has no points of presence";
                return Err(source
                    .error(Code::ScenarioValue, &format!("{path}.fibre"), message)
                    .fix("write `pops`"));
            }
            (None, true) => Attachment::Fibre,
            (Some(_), true) => {
                let message =
                    "`home` is only for places with a dish, but `fibre` means that this place has no dish";
                return Err(source
                    .error(Code::ScenarioValue, &path, message)
                    .fix("remove `home` or `fibre`"));
            }
        };
        if attachment != Attachment::Dish {
            places.attachments.push((place.name.clone(), attachment));
        }
        let mask = mask::read(place.mask, place.mask_file, source, &path)?;
        let radio = place.eirp.is_some() || place.g_over_t.is_some() || place.rain.is_some();
        if attachment == Attachment::Fibre && (mask.is_some() || terminal.is_some() || radio) {
            let message = "`mask`, `cell`, `weight`, `priority`, `eirp`, `g_over_t` and `rain` are only for places \
                with a dish, but `fibre` means that this place has no dish";
            return Err(source
                .error(Code::ScenarioValue, &path, message)
                .fix("remove these keys, or remove `fibre`"));
        }
        places.masks.extend(mask.map(|mask| (place.name.clone(), mask)));
        places.terminals.extend(terminal.map(|terminal| (places.sites.len(), terminal)));
        let format::Site { name, latitude, longitude, altitude, .. } = place;
        places.sites.push(site(format::Place { name, latitude, longitude, altitude }, source, &path)?);
    }
    Ok(places)
}

/// Returns a place by name and coordinates.
pub fn write_place(site: &Site) -> format::Place {
    format::Place {
        name: site.name.clone(),
        latitude: Some(Q(site.latitude)),
        longitude: Some(Q(site.longitude)),
        altitude: (site.altitude.m() != 0.0).then(|| Q(Altitude::from_m(site.altitude.m()))),
    }
}

/// Returns the table of a gateway. `pops` are the points of presence.
pub fn write_gateway(gateway: &Gateway, pops: &[Site]) -> format::Gateway {
    let format::Place { name, latitude, longitude, altitude } = write_place(&gateway.site);
    let min_elevation = match gateway.visibility {
        Some(Visibility::Elevation(least)) => Some(Q(least)),
        _ => None,
    };
    let pop = gateway.pop.map(|pop| pops[usize::from(pop)].name.clone());
    format::Gateway {
        name,
        latitude,
        longitude,
        altitude,
        pop,
        min_elevation,
        gso_exclusion: gateway.gso_exclusion.map(Q),
        mask: gateway.mask.as_ref().map(mask::write),
        mask_file: None,
        eirp: None,
        g_over_t: None,
        rain: None,
    }
}

/// Returns the table of a site, with its connection and its obstacles.
pub fn write_site(site: &Site, spec: &ConstellationSpec) -> format::Site {
    let format::Place { name, latitude, longitude, altitude } = write_place(site);
    let attachment = spec.attachment(&site.name);
    let home = match attachment {
        Attachment::Home(home) => Some(spec.pops[usize::from(home)].name.clone()),
        _ => None,
    };
    let own = spec.terminal(&site.name).map(|(_, terminal)| terminal);
    format::Site {
        name,
        count: None,
        latitude,
        longitude,
        altitude,
        home,
        fibre: Some(attachment == Attachment::Fibre),
        cell: own.and_then(|terminal| terminal.cell.clone()),
        weight: own.map(|terminal| terminal.weight),
        priority: own.map(|terminal| terminal.class),
        mask: spec.mask(&site.name).map(mask::write),
        mask_file: None,
        eirp: None,
        g_over_t: None,
        rain: None,
    }
}
