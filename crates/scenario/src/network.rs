// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes the network of a scenario, and the sites that flows may name.

use crate::ScenarioError;
use crate::capture::matches;
use crate::check::{Source, nearest};
use crate::constellation;
use crate::document::NetworkChoice;
use crate::format::{self, Chain, Dumbbell, Network as Text, Star, Starlink};
use crate::preset::{self, Ends, Origin};
use topology::Site;
use units::Code;

/// A network, and the places where flows find their sites.
#[derive(Debug)]
pub struct Network {
    /// The network. For a constellation, sites are added as flows name them.
    pub choice: NetworkChoice,
    /// Places that the file adds to the built-in list.
    places: Vec<Site>,
    /// The preset that the network comes from, if any.
    pub origin: Option<Origin>,
}

impl Network {
    /// Reads the network. The document must contain exactly one network.
    pub fn read(mut text: Text, source: &Source<'_>) -> Result<Self, ScenarioError> {
        let origin = origin(text.preset.take(), text.origin.take(), source)?;
        Self::one(text, source).map(|network| Self { origin, ..network })
    }

    fn one(text: Text, source: &Source<'_>) -> Result<Self, ScenarioError> {
        let plain = |choice| Self { choice, places: Vec::new(), origin: None };
        let satellites = |text| {
            let (spec, places, budgets) = constellation::read(text, None, source)?;
            let choice = NetworkChoice::Constellation { spec, sites: Vec::new(), budgets };
            Ok(Self { choice, places, origin: None })
        };
        let there = [
            text.constellation.map(satellites),
            text.dumbbell.map(|text| text.read(source).map(plain)),
            text.chain.map(|text| text.read(source).map(plain)),
            text.star.map(|text| text.read(source).map(plain)),
            text.starlink.map(|text| text.read(source).map(NetworkChoice::Starlink).map(plain)),
        ];
        there.into_iter().flatten().next().unwrap_or_else(|| {
            let message = "a scenario needs a network, but the network of the preset is \"off\"";
            Err(source.error(Code::ScenarioMissingKey, "network", message).fix("remove \"off\""))
        })
    }

    /// Returns the default ends of flows: from the server to the terminal, or the ends of a row.
    pub fn default_ends(&self) -> Option<[String; 2]> {
        let known = self.known_sites();
        if let Some(ends) = self.preset_ends()
            && let down = [ends.server, ends.terminal]
            && down.iter().all(|site| known.contains(site))
        {
            return Some(down);
        }
        match self.choice {
            NetworkChoice::Constellation { .. } | NetworkChoice::Star { .. } => None,
            NetworkChoice::Starlink(_) => Some([known.last()?.clone(), known.first()?.clone()]),
            NetworkChoice::Dumbbell { .. } | NetworkChoice::Chain { .. } => {
                Some([known.first()?.clone(), known.last()?.clone()])
            }
        }
    }

    /// Returns the sites that the preset calls terminal and server.
    fn preset_ends(&self) -> Option<Ends> {
        self.origin.as_ref().map(|origin| origin.preset.ends())
    }

    /// Returns the site for a name (terminal or server) that every preset has.
    fn preset_end(&self, name: &str) -> Option<String> {
        let Ends { terminal, server } = self.preset_ends()?;
        match name {
            "terminal" => Some(terminal),
            "server" => Some(server),
            _ => None,
        }
    }

    fn is_constellation(&self) -> bool {
        matches!(self.choice, NetworkChoice::Constellation { .. })
    }

    /// Returns the names of the sites that a name or a pattern with `*` means, in the order of the network. A pattern
    /// matches the sites of a plain network, or the sites that the scenario lists for a constellation.
    pub fn sites_named(&self, said: &str) -> Result<Vec<String>, (Code, String)> {
        if !said.contains('*') {
            return self.site_name(said).map(|site| vec![site]);
        }
        let known = self.known_sites();
        let sites: Vec<String> = known.iter().filter(|site| matches(said, site)).cloned().collect();
        if sites.is_empty() {
            let known = match known.len() {
                0 => "the scenario lists no sites, and a pattern does not match cities of the built-in list"
                    .to_owned(),
                1..=20 => format!("sites are {}", known.join(", ")),
                many => format!("{many} sites, {} to {}", known[0], known[many - 1]),
            };
            return Err((Code::SiteUnknown, format!("no site matches \"{said}\" ({known})")));
        }
        Ok(sites)
    }

    /// Returns the names of the sites of a plain network, or of the sites that a constellation's file lists, in order.
    pub fn known_sites(&self) -> Vec<String> {
        match &self.choice {
            NetworkChoice::Constellation { .. } => {
                self.places.iter().map(|place| place.name.clone()).collect()
            }
            NetworkChoice::Dumbbell { .. } => vec!["left".to_owned(), "right".to_owned()],
            NetworkChoice::Starlink(_) => vec!["dish".to_owned(), "server".to_owned()],
            NetworkChoice::Chain { links } => (0..=links.len()).map(|site| site.to_string()).collect(),
            NetworkChoice::Star { branches, .. } => {
                branches.iter().map(|(site, _)| site.clone()).chain(["hub".to_owned()]).collect()
            }
        }
    }

    /// Returns the network's name for a site that a flow names. Adds the site to a constellation.
    pub fn site(&mut self, name: &str) -> Result<String, (Code, String)> {
        let (name, found) = self.find(name)?;
        if let (NetworkChoice::Constellation { sites, .. }, Some(site)) = (&mut self.choice, found)
            && !sites.iter().any(|known| known.name == site.name)
        {
            sites.push(site);
        }
        Ok(name)
    }

    /// Returns the network's name for a site. Does not add the site.
    pub fn site_name(&self, name: &str) -> Result<String, (Code, String)> {
        self.find(name).map(|(name, _)| name)
    }

    /// Returns whether the file of a constellation adds a site with this name.
    pub fn has_place(&self, name: &str) -> bool {
        self.places.iter().any(|place| place.name == name)
    }

    fn find(&self, name: &str) -> Result<(String, Option<Site>), (Code, String)> {
        let known = self.known_sites();
        let own_name = self.preset_end(name).filter(|site| known.contains(site));
        let name = match &own_name {
            Some(site) if !known.iter().any(|site| site == name) => site,
            _ => name,
        };
        if !self.is_constellation() {
            if known.iter().any(|site| site == name) {
                return Ok((name.to_owned(), None));
            }
            let hint = nearest(name, known.iter().map(String::as_str))
                .map_or_else(String::new, |near| format!("did you mean \"{near}\"? "));
            let every = match self.preset_ends() {
                Some(Ends { terminal, server }) if known.contains(&terminal) && known.contains(&server) => {
                    format!(
                        "; in every network preset, sites also have the names `terminal` (here {terminal}) and \
                         `server` (here {server})"
                    )
                }
                _ => String::new(),
            };
            let known = known.join(", ");
            let message = format!("the network has no site \"{name}\" ({hint}its sites are {known}{every})");
            return Err((Code::SiteUnknown, message));
        }
        let own = self.places.iter().find(|place| place.name == name).cloned();
        let site = match own {
            Some(site) => site,
            None => topology::sites::find(name).map_err(|error| (error.code(), error.to_string()))?,
        };
        Ok((site.name.clone(), Some(site)))
    }
}

/// Returns the names of the sites that a table with a `count` describes.
pub fn numbered(name: &str, count: Option<u32>) -> Vec<String> {
    match count {
        None => vec![name.to_owned()],
        Some(count) => (1..=count).map(|number| format!("{name} {number}")).collect(),
    }
}

/// Returns the origin of the network, from its preset or from a resolved scenario.
fn origin(
    preset: Option<String>,
    written: Option<format::Origin>,
    source: &Source<'_>,
) -> Result<Option<Origin>, ScenarioError> {
    let found = |name: &str, key: &str| {
        preset::find(name).map_err(|message| source.error(Code::PresetUnknown, key, message))
    };
    match (preset, written) {
        (Some(name), _) => found(&name, "network.preset").map(|_| source.network_origin()),
        (None, Some(format::Origin { preset, own })) => found(&preset, "network.origin.preset")
            .map(|preset| Some(Origin { preset, own: own.unwrap_or_default() })),
        (None, None) => Ok(None),
    }
}

impl format::Origin {
    /// Returns the text form of an origin.
    pub fn of(origin: &Origin) -> Self {
        let own = (!origin.own.is_empty()).then(|| origin.own.clone());
        Self { preset: origin.preset.name.to_owned(), own }
    }
}

impl Text {
    /// Returns the text form of this network.
    pub fn of(choice: &NetworkChoice) -> Self {
        let mut text = Self::default();
        match choice {
            NetworkChoice::Constellation { spec, sites, budgets } => {
                text.constellation = Some(constellation::write(spec, sites, budgets));
            }
            NetworkChoice::Dumbbell { forward, reverse } => {
                text.dumbbell = Some(Dumbbell::of(forward, reverse));
            }
            NetworkChoice::Chain { links } => text.chain = Some(Chain::of(links)),
            NetworkChoice::Star { branches, carriers, forward } => {
                text.star = Some(Star::of(branches, carriers, forward));
            }
            NetworkChoice::Starlink(path) => text.starlink = Some(Starlink::of(path)),
        }
        text
    }
}
