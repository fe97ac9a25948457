// SPDX-License-Identifier: MIT OR Apache-2.0
//! Links that share a transmitter: the terminals of a beam, the satellites of a gateway.

use crate::sky::Sky;
use crate::spec::{ConstellationSpec, Site};
use link::RateSchedule;
use units::Rate;

/// Which links of a kind share one transmitter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Those between a satellite and the sites of one cell, which one satellite serves at a time.
    Beam,
    /// Those of a satellite.
    Satellite,
    /// Those of a gateway.
    Gateway,
}

/// What a turn on a shared transmitter is charged by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Turns {
    /// Bytes: links with enough data get the same rate.
    #[default]
    Bytes,
    /// Time: they get the same time, and send in it at their own rate.
    Time,
}

/// Which links share a transmitter, separately for each direction. Their rate is that of the transmitter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shared {
    /// Sites to satellites.
    pub uplink: Option<Scope>,
    /// Satellites to sites.
    pub downlink: Option<Scope>,
    /// Satellites to gateways, and gateways to satellites.
    pub feeder: Option<Scope>,
    /// What their turns are charged by.
    pub turns: Turns,
    /// Limits of the sum of all transmitters of a kind.
    pub totals: Totals,
}

/// Limits of the sum of transmitters, separately for each direction; each also has its own rate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// From sites to a satellite.
    pub uplink: Option<TotalRate>,
    /// From a satellite to sites.
    pub downlink: Option<TotalRate>,
    /// Those of a gateway, in both directions.
    pub feeder: Option<TotalRate>,
}

/// The value of a total.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TotalRate {
    /// Constant.
    Constant(Rate),
    /// Over time.
    Schedule(RateSchedule),
}

impl TotalRate {
    /// The highest value over time.
    pub fn highest(&self) -> Rate {
        match self {
            Self::Constant(rate) => *rate,
            Self::Schedule(schedule) => schedule.highest().unwrap_or_default(),
        }
    }
}

/// The beam of a cell that shares a total.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beam {
    /// The cell that it serves.
    pub cell: String,
    /// Its share of the total, against others of the same class.
    pub weight: u16,
    /// Beams of a higher class go first.
    pub class: u8,
}

/// A site's settings on shared transmitters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terminal {
    /// Sites of one cell are in one beam, of one satellite at a time; `None`: it has its own beam.
    pub cell: Option<String>,
    /// Its share of a transmitter, against others of the same class.
    pub weight: u16,
    /// Terminals of a higher class go first.
    pub class: u8,
}

impl Terminal {
    /// The default settings.
    pub const PLAIN: Self = Self { cell: None, weight: 1, class: 0 };
}

/// A transmitter that links share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Transmitter {
    /// Whether the node receives.
    receives: bool,
    /// The satellite or gateway.
    node: u32,
    /// Whether it is for gateways, for all sites, or for a cell.
    of: Of,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Of {
    Feeder,
    Sites,
    Cell(u16),
    /// One link alone has it.
    Own(u32),
    /// One of its carriers.
    Carrier(u16),
}

impl Transmitter {
    /// A carrier of a node, by its number there.
    pub const fn carrier(node: u32, number: u16) -> Self {
        Self { receives: false, node, of: Of::Carrier(number) }
    }
}

/// What a transmitter serves alone at a time. A cell has one beam at a time, from whichever satellite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, saved::Plain)]
pub enum Serves {
    /// A cell, by the place of the first of its sites among the terminals.
    Cell(u16),
    /// All sites of the satellite at this node.
    Sites(u32),
    /// All gateways of the satellite at this node, or all satellites of the gateway there.
    Feeder(u32),
    /// All that share the total at this node.
    Total(u32),
}

impl Transmitter {
    /// What it serves, and whether that sends and the node receives; `None`: one link alone has it.
    pub fn serves(&self) -> Option<(Serves, bool)> {
        let serves = match self.of {
            Of::Cell(number) => Serves::Cell(number),
            Of::Sites => Serves::Sites(self.node),
            Of::Feeder => Serves::Feeder(self.node),
            // The branches of the star determine which of them are on a carrier.
            Of::Own(_) | Of::Carrier(_) => return None,
        };
        Some((serves, self.receives))
    }
}

/// A total that transmitters share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Total {
    /// Whether the node receives.
    receives: bool,
    /// The satellite or gateway.
    node: u32,
}

impl Total {
    /// What shares it, and whether that sends and the node receives.
    pub fn serves(&self) -> (Serves, bool) {
        (Serves::Total(self.node), self.receives)
    }
}

/// The share of a transmitter in a total.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The total.
    pub total: Total,
    /// Its value.
    pub rate: TotalRate,
    /// Share, against others of the same class.
    pub weight: u16,
    /// Transmitters of a higher class go first.
    pub class: u8,
}

/// The place of a link on a transmitter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The transmitter.
    pub transmitter: Transmitter,
    /// Share, against others of the same class.
    pub weight: u16,
    /// Links of a higher class go first.
    pub class: u8,
    /// What it is charged by.
    pub turns: Turns,
    /// The transmitter's share of a total; `None`: only its own rate bounds it.
    pub part: Option<Part>,
}

/// The cells whose sites share beams, each with the numbers of its sites; and the sites of cells that are not among
/// `sites`: their numbers follow those of `sites`.
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

/// The link's place on a shared transmitter; `None`: it has its own.
pub(crate) fn turn(sky: &Sky, sites: &[Site], from: u32, to: u32) -> Option<Turn> {
    let (shared, satellites, core) = (&sky.spec.shared, sky.satellites(), sky.core());
    let (satellite, other) = (from.min(to), from.max(to));
    if satellite >= satellites || other < satellites {
        return None;
    }
    // The node of the transmitter, or of the total.
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
            // A cell has the number of the first of its sites.
            let number = terminals.iter().position(|(_, other)| other.cell.as_ref() == Some(cell))?;
            let right = sky.spec.beams.iter().find(|beam| beam.cell == *cell);
            let (weight, class) = right.map_or((plain.weight, plain.class), |beam| (beam.weight, beam.class));
            turn(satellite, Of::Cell(number as u16), terminal, part(satellite, total, weight, class))
        }
        (Some(Scope::Beam) | None, _) => {
            // A beam of its own, with the settings of the terminal.
            let part = part(satellite, total, terminal.weight, terminal.class)?;
            turn(satellite, Of::Own(other), plain, Some(part))
        }
        (Some(Scope::Satellite | Scope::Gateway), _) => turn(satellite, Of::Sites, terminal, None),
    }
}
