// SPDX-License-Identifier: MIT OR Apache-2.0
//! The network of a scenario, read and written: which it is, and the sites that flows may name.

use crate::ScenarioError;
use crate::check::{Source, nearest};
use crate::constellation;
use crate::document::NetworkChoice;
use crate::format::{Chain, Dumbbell, Network as Text, Star, Starlink};
use topology::Site;
use units::Code;

/// A network, and the places where flows find their sites.
#[derive(Debug)]
pub struct Network {
    /// The network itself; the sites of a constellation are taken in as flows name them.
    pub choice: NetworkChoice,
    /// Places that the file adds to the shipped list.
    places: Vec<Site>,
}

impl Network {
    /// Reads the network: exactly one must be there.
    pub fn read(text: Text, source: &Source<'_>) -> Result<Self, ScenarioError> {
        let plain = |choice| Self { choice, places: Vec::new() };
        let satellites = |text| {
            let (spec, places, budgets) = constellation::read(text, None, source)?;
            Ok(Self { choice: NetworkChoice::Constellation { spec, sites: Vec::new(), budgets }, places })
        };
        let there = [
            text.constellation.map(satellites),
            text.dumbbell.map(|text| text.read(source).map(plain)),
            text.chain.map(|text| text.read(source).map(plain)),
            text.star.map(|text| text.read(source).map(plain)),
            text.starlink.map(|text| text.read(source).map(NetworkChoice::Starlink).map(plain)),
        ];
        let mut there: Vec<_> = there.into_iter().flatten().collect();
        match (there.pop(), there.as_slice()) {
            (Some(network), []) => network,
            (None, _) => {
                let message = "a scenario needs a network (write [network.constellation], [network.dumbbell], [network.chain], [network.star] or [network.starlink])";
                Err(source.error(Code::ScenarioMissingKey, "network", message))
            }
            (Some(_), _) => {
                let message = "a scenario has exactly one network (keep one of [network.constellation], [network.dumbbell], [network.chain], [network.star], [network.starlink])";
                Err(source.error(Code::ScenarioValue, "network", message))
            }
        }
    }

    /// Where flows come from and go to if they do not say: the ends of a row.
    pub fn default_ends(&self) -> Option<[String; 2]> {
        match self.choice {
            NetworkChoice::Constellation { .. } | NetworkChoice::Star { .. } => None,
            NetworkChoice::Dumbbell { .. } | NetworkChoice::Chain { .. } | NetworkChoice::Starlink(_) => {
                let sites = self.known_sites();
                Some([sites.first()?.clone(), sites.last()?.clone()])
            }
        }
    }

    /// Names of the sites of a plain network, in order.
    fn known_sites(&self) -> Vec<String> {
        match &self.choice {
            NetworkChoice::Constellation { .. } => Vec::new(),
            NetworkChoice::Dumbbell { .. } => vec!["left".to_owned(), "right".to_owned()],
            NetworkChoice::Starlink(_) => vec!["dish".to_owned(), "server".to_owned()],
            NetworkChoice::Chain { links } => (0..=links.len()).map(|site| site.to_string()).collect(),
            NetworkChoice::Star { branches } => {
                branches.iter().map(|(site, _)| site.clone()).chain(["hub".to_owned()]).collect()
            }
        }
    }

    /// The network's name for a site that a flow names; a constellation takes the site in.
    pub fn site(&mut self, name: &str) -> Result<String, (Code, String)> {
        let (name, found) = self.find(name)?;
        if let (NetworkChoice::Constellation { sites, .. }, Some(site)) = (&mut self.choice, found)
            && !sites.iter().any(|known| known.name == site.name)
        {
            sites.push(site);
        }
        Ok(name)
    }

    /// The network's name for a site that no flow uses yet: nothing is taken in.
    pub fn site_name(&self, name: &str) -> Result<String, (Code, String)> {
        self.find(name).map(|(name, _)| name)
    }

    fn find(&self, name: &str) -> Result<(String, Option<Site>), (Code, String)> {
        if !matches!(self.choice, NetworkChoice::Constellation { .. }) {
            let known = self.known_sites();
            if known.iter().any(|site| site == name) {
                return Ok((name.to_owned(), None));
            }
            let hint = nearest(name, known.iter().map(String::as_str))
                .map_or_else(String::new, |near| format!("did you mean \"{near}\"? "));
            let message =
                format!("the network has no site \"{name}\" ({hint}its sites are {})", known.join(", "));
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

impl Text {
    /// What a file says of this network.
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
            NetworkChoice::Star { branches } => text.star = Some(Star::of(branches)),
            NetworkChoice::Starlink(path) => text.starlink = Some(Starlink::of(path)),
        }
        text
    }
}
