// SPDX-License-Identifier: MIT OR Apache-2.0
//! Links that share a transmitter, such as the links of a beam's terminals or the links between a gateway and its
//! satellites.

use crate::sky::Sky;
use crate::spec::{ConstellationSpec, Site};
use link::RateSchedule;
use units::Rate;

/// Which links of a kind share one transmitter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The links between a satellite and the sites of one cell. One satellite at a time serves a cell.
    Beam,
    /// All links of a satellite.
    Satellite,
    /// All links of a gateway.
    Gateway,
}

/// Unit in which turns on a shared transmitter are charged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Turns {
    /// Bytes: links with enough data get the same rate.
    #[default]
    Bytes,
    /// Time: links with enough data get the same time. In this time, each link sends at its own rate.
    Time,
}

/// Which links share a transmitter, separately for each direction. Each of these links has the rate of the transmitter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shared {
    /// Links from sites to satellites.
    pub uplink: Option<Scope>,
    /// Links from satellites to sites.
    pub downlink: Option<Scope>,
    /// Links between satellites and gateways, in both directions.
    pub feeder: Option<Scope>,
    /// Unit in which turns are charged.
    pub turns: Turns,
    /// Limits of the total rate of several transmitters.
    pub totals: Totals,
}

/// Limits of the total rate of several transmitters, separately for each direction. Each transmitter is also limited by
/// its own rate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Total of a satellite's links from sites.
    pub uplink: Option<TotalRate>,
    /// Total of a satellite's links to sites.
    pub downlink: Option<TotalRate>,
    /// Total of a gateway's links, for each direction.
    pub feeder: Option<TotalRate>,
}

/// Value of a total.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TotalRate {
    /// Constant rate.
    Constant(Rate),
    /// Rate over time.
    Schedule(RateSchedule),
}

impl TotalRate {
    /// Returns the highest rate over time.
    pub fn highest(&self) -> Rate {
        match self {
            Self::Constant(rate) => *rate,
            Self::Schedule(schedule) => schedule.highest().unwrap_or_default(),
        }
    }
}

/// Settings of the beam of a cell within a total.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beam {
    /// Name of the cell.
    pub cell: String,
    /// Weight, which sets the share of the total among beams of the same class.
    pub weight: u16,
    /// Priority class. Beams of a higher class precede beams of a lower class.
    pub class: u8,
}

/// Settings of a site on shared transmitters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terminal {
    /// Cell of the site. All sites of a cell are in the same beam, which comes from one satellite at a time. With
    /// `None`, the site has its own beam.
    pub cell: Option<String>,
    /// Weight, which sets the share of a transmitter among terminals of the same class.
    pub weight: u16,
    /// Priority class. Terminals of a higher class precede terminals of a lower class.
    pub class: u8,
}

impl Terminal {
    /// The default settings.
    pub const PLAIN: Self = Self { cell: None, weight: 1, class: 0 };
}

/// A transmitter that links share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Transmitter {
    /// Whether the node is the receiving end of the links.
    receives: bool,
    /// Node of the satellite or gateway.
    node: u32,
    /// Which links of the node use this transmitter.
    of: Of,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Of {
    Feeder,
    Sites,
    Cell(u16),
    /// A single link.
    Own(u32),
    /// A carrier of the node.
    Carrier(u16),
}

impl Transmitter {
    /// Returns a carrier of a node, by its number there.
    pub const fn carrier(node: u32, number: u16) -> Self {
        Self { receives: false, node, of: Of::Carrier(number) }
    }
}

/// The group that a transmitter serves. A cell has one beam at a time, which may come from any satellite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, saved::Plain)]
pub enum Serves {
    /// A cell, by the index of its first site among the terminals.
    Cell(u16),
    /// All sites of the satellite at this node.
    Sites(u32),
    /// All gateways of the satellite at this node, or all satellites of the gateway at this node.
    Feeder(u32),
    /// All transmitters that share the total at this node.
    Total(u32),
}

impl Transmitter {
    /// Returns the group that the transmitter serves, and whether the group sends and the node receives. Returns `None`
    /// for the transmitter of a single link, and for a carrier.
    pub fn serves(&self) -> Option<(Serves, bool)> {
        let serves = match self.of {
            Of::Cell(number) => Serves::Cell(number),
            Of::Sites => Serves::Sites(self.node),
            Of::Feeder => Serves::Feeder(self.node),
            // The branches of a star, not the group, determine the members of a carrier.
            Of::Own(_) | Of::Carrier(_) => return None,
        };
        Some((serves, self.receives))
    }
}

/// A total that transmitters share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Total {
    /// Whether the node is the receiving end of the links.
    receives: bool,
    /// Node of the satellite or gateway.
    node: u32,
}

impl Total {
    /// Returns the group that shares the total, and whether the group sends and the node receives.
    pub fn serves(&self) -> (Serves, bool) {
        (Serves::Total(self.node), self.receives)
    }
}

/// The place of a transmitter in a total.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The total.
    pub total: Total,
    /// Rate of the total.
    pub rate: TotalRate,
    /// Weight, which sets the share among transmitters of the same class.
    pub weight: u16,
    /// Priority class. Transmitters of a higher class precede transmitters of a lower class.
    pub class: u8,
}

/// The place of a link on a transmitter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The transmitter.
    pub transmitter: Transmitter,
    /// Weight, which sets the share among links of the same class.
    pub weight: u16,
    /// Priority class. Links of a higher class precede links of a lower class.
    pub class: u8,
    /// Unit in which turns are charged.
    pub turns: Turns,
    /// Place of the transmitter in a total; `None` if only the rate of the transmitter limits it.
    pub part: Option<Part>,
}

/// Returns the cells whose sites share beams, each as a list of site numbers. Also returns the sites of cells that are
/// not in `sites`. The numbers of these sites follow the numbers of `sites`.
pub(crate) fn cells<'a>(spec: &'a ConstellationSpec, sites: &[Site]) -> (Vec<Vec<usize>>, Vec<&'a Site>) {
    let (mut cells, mut others): (Vec<(&str, Vec<usize>)>, Vec<&Site>) = (Vec::new(), Vec::new());
    if ![spec.shared.uplink, spec.shared.downlink].contains(&Some(Scope::Beam)) {
        return (Vec::new(), others);
    }
    for (site, terminal) in &spec.terminals {
        let Some(cell) = terminal.cell.as_deref() else { continue };
        let known = sites.iter().position(|known| known.name == site.name);
        let number = known.unwrap_or(sites.len() + others.len());
        if known.is_none() {
            others.push(site);
        }
        match cells.iter_mut().find(|(name, _)| *name == cell) {
            Some((_, members)) => members.push(number),
            None => cells.push((cell, vec![number])),
        }
    }
    (cells.into_iter().map(|(_, members)| members).collect(), others)
}

/// Returns the place of a link on a shared transmitter; `None` if the link has its own transmitter.
pub(crate) fn turn(sky: &Sky, sites: &[Site], from: u32, to: u32) -> Option<Turn> {
    let (shared, satellites, core) = (&sky.spec.shared, sky.satellites(), sky.core());
    let (satellite, other) = (from.min(to), from.max(to));
    if satellite >= satellites || other < satellites {
        return None;
    }
    // Each transmitter (or total) is at one node of the link: the link either ends there or begins there.
    let receives = |node: u32| to == node;
    let turn = |node, of, terminal: &Terminal, part| {
        let transmitter = Transmitter { receives: receives(node), node, of };
        let turns = shared.turns;
        Some(Turn { transmitter, weight: terminal.weight, class: terminal.class, turns, part })
    };
    let part = |node, rate: &Option<TotalRate>, weight, class| {
        let total = Total { receives: receives(node), node };
        rate.clone().map(|rate| Part { total, rate, weight, class })
    };
    let plain = &Terminal::PLAIN;
    let Some(site) = other.checked_sub(core) else {
        return match shared.feeder {
            Some(Scope::Gateway) => turn(other, Of::Feeder, plain, None),
            Some(Scope::Satellite | Scope::Beam) => turn(satellite, Of::Feeder, plain, None),
            None => {
                let part = part(other, &shared.totals.feeder, plain.weight, plain.class)?;
                turn(other, Of::Own(satellite), plain, Some(part))
            }
        };
    };
    let terminals = &sky.spec.terminals;
    let terminal = sky.spec.terminal(&sites[site as usize].name).map_or(plain, |(_, terminal)| terminal);
    let (scope, total) = if to == satellite {
        (shared.uplink, &shared.totals.uplink)
    } else {
        (shared.downlink, &shared.totals.downlink)
    };
    match (scope, &terminal.cell) {
        (Some(Scope::Beam), Some(cell)) => {
            // The number of a cell is the number of its first site.
            let number = terminals.iter().position(|(_, other)| other.cell.as_ref() == Some(cell))?;
            let right = sky.spec.beams.iter().find(|beam| beam.cell == *cell);
            let (weight, class) = right.map_or((plain.weight, plain.class), |beam| (beam.weight, beam.class));
            turn(satellite, Of::Cell(number as u16), terminal, part(satellite, total, weight, class))
        }
        (Some(Scope::Beam) | None, _) => {
            // The site has its own beam, with the settings of the terminal.
            let part = part(satellite, total, terminal.weight, terminal.class)?;
            turn(satellite, Of::Own(other), plain, Some(part))
        }
        (Some(Scope::Satellite | Scope::Gateway), _) => turn(satellite, Of::Sites, terminal, None),
    }
}
