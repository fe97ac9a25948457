// SPDX-License-Identifier: MIT OR Apache-2.0
//! Links that share a transmitter: the terminals of a beam, the satellites of a gateway.

use crate::sky::Sky;
use crate::spec::Site;

/// Which links of a kind have one transmitter for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Those between a satellite and the sites of one cell.
    Beam,
    /// Those of a satellite.
    Satellite,
    /// Those of a gateway.
    Gateway,
}

/// Which links share a transmitter, each direction for itself. Their rate is that of the transmitter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shared {
    /// Sites to satellites.
    pub uplink: Option<Scope>,
    /// Satellites to sites.
    pub downlink: Option<Scope>,
    /// Satellites to gateways, and gateways to satellites.
    pub feeder: Option<Scope>,
}

/// A site where it shares a transmitter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terminal {
    /// Sites of one cell are in one beam of a satellite; `None`: it has a beam of its own.
    pub cell: Option<String>,
    /// Its share of a transmitter against others of its class.
    pub weight: u16,
    /// Terminals of a higher class go first.
    pub class: u8,
}

impl Terminal {
    /// One as any other.
    pub const PLAIN: Self = Self { cell: None, weight: 1, class: 0 };
}

/// One of the transmitters that links share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Transmitter {
    /// Whether the node receives.
    receives: bool,
    /// The satellite or gateway.
    node: u32,
    /// For gateways, for all sites, or for which cell.
    of: Of,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Of {
    Feeder,
    Sites,
    Cell(u16),
}

/// The right of a link to a transmitter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Which one.
    pub transmitter: Transmitter,
    /// Share, against others of its class.
    pub weight: u16,
    /// Links of a higher class go first.
    pub class: u8,
}

/// What the link between two nodes shares; `None`: its transmitter is its own.
pub(crate) fn turn(sky: &Sky<'_>, sites: &[Site], from: u32, to: u32) -> Option<Turn> {
    let (shared, satellites, core) = (sky.spec.shared, sky.satellites(), sky.core());
    let (satellite, other) = (from.min(to), from.max(to));
    if satellite >= satellites || other < satellites {
        return None;
    }
    let plain = |node, of| {
        let transmitter = Transmitter { receives: to == node, node, of };
        Some(Turn { transmitter, weight: Terminal::PLAIN.weight, class: Terminal::PLAIN.class })
    };
    let Some(site) = other.checked_sub(core) else {
        return match shared.feeder? {
            Scope::Gateway => plain(other, Of::Feeder),
            Scope::Satellite | Scope::Beam => plain(satellite, Of::Feeder),
        };
    };
    let name = &sites[site as usize].name;
    let terminals = &sky.spec.terminals;
    let terminal =
        terminals.iter().find(|(of, _)| of == name).map_or(&Terminal::PLAIN, |(_, terminal)| terminal);
    let of = match if to == satellite { shared.uplink? } else { shared.downlink? } {
        Scope::Beam => {
            let cell = terminal.cell.as_ref()?;
            // A cell goes by the number of the first of its sites.
            Of::Cell(terminals.iter().position(|(_, other)| other.cell.as_ref() == Some(cell))? as u16)
        }
        Scope::Satellite | Scope::Gateway => Of::Sites,
    };
    Some(Turn { weight: terminal.weight, class: terminal.class, ..plain(satellite, of)? })
}
