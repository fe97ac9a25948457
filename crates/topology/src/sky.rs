// SPDX-License-Identifier: MIT OR Apache-2.0
//! The constellation at one time: the links between nodes, and the satellites that each place sees.
//!
//! Node indices are in this order: satellites (shell by shell), gateways, points of presence, sites. All nodes before
//! the sites are the *core*, which relays packets. Sites do not relay.
//!
//! A constellation is a list of shells: Walker shells on circles, Walker shells as mean elements propagated by SGP4, or
//! catalogues of real elements. It also has a pattern of inter-satellite links, a rule for visibility, and stations on
//! the ground.

mod departed;
mod frame;
mod load;

pub(crate) use frame::Frame;
pub(crate) use load::{may_leave, refused};

use crate::isl::{Edge, Pairing};
use crate::spec::{Attachment, ConstellationSpec, IslPattern, Orbits, Slot};
use crate::view::{Observer, sorted_below};
use crate::{Site, TopologyError};
use departed::Departed;
use load::{Catalogues, of_run, time_of_day};
use orbit::earth::great_circle;
use orbit::{Fleet, Ground, Satellites};
use std::collections::BTreeSet;
use std::sync::Arc;
use units::{SPEED_OF_LIGHT_M_S, Span, Time};

/// Position of a satellite that has left: the centre of the Earth. No place sees this point.
pub(crate) const GONE: [f64; 3] = [0.0; 3];
/// Largest number of sites. Packets carry the number of their site in 13 bits.
const MOST_SITES: usize = link::Parcel::SITES;

/// A constellation whose state can be computed for any time.
#[derive(Clone)]
pub(crate) struct Sky {
    pub spec: Arc<ConstellationSpec>,
    pub shells: Vec<Satellites>,
    /// For each shell whose satellites may leave, the times at which they leave.
    departed: Vec<Option<Departed>>,
    /// Index of the first satellite of each shell, followed by the number of all satellites.
    first: Vec<u32>,
    pairing: Pairing,
    below_m: f64,
    gateways: Vec<Observer>,
    /// Fibre links of the core, with lengths in metres of vacuum.
    fibre: Vec<Edge>,
    /// View of each site, followed by the views of sites in cells that are not in the list of sites. `None` for a site
    /// on fibre.
    observers: Vec<Option<Observer>>,
    /// For each site, the points of presence to which it is connected by fibre: node and length in metres of vacuum.
    wired: Vec<Vec<(u32, f64)>>,
    /// The sites of each cell that shares a beam, as indices into `observers`.
    pub cells: Vec<Vec<usize>>,
    /// For each entry of `observers`, whether the site is in a cell.
    in_cell: Vec<bool>,
    /// Times at which satellites are assigned to sites, relative to the start of the run.
    pub slot: Option<Slot>,
    /// Names of catalogue satellites that are unique only together with the catalogue number.
    shared_names: BTreeSet<String>,
    /// Notes for the user about the satellites.
    pub notes: Vec<String>,
}

/// Returns the name of a satellite, followed by its catalogue number.
fn numbered(name: &str, fleet: &Fleet, index: usize) -> String {
    format!("{name} ({})", fleet.norad_id(index))
}

impl Sky {
    /// Returns notes for the user about the satellites, as they are at the end of a run of this length.
    pub fn notes_at_end(&self, length: Span) -> Vec<String> {
        let of_shell = |(shell, satellites): (&crate::Shell, &Satellites)| match (&shell.orbits, satellites) {
            (Orbits::Catalogue { file, .. }, Satellites::Sgp4(fleet)) => {
                fleet.far_at_end(length).map(|note| format!("{}: {note}", file.display()))
            }
            _ => None,
        };
        self.spec.shells.iter().zip(&self.shells).filter_map(of_shell).collect()
    }

    /// Creates the constellation of `spec` over `sites`.
    pub fn new(spec: &ConstellationSpec, sites: &[Site]) -> Result<Self, TopologyError> {
        let mut shells = Vec::new();
        if sites.len() > MOST_SITES {
            return Err(TopologyError::TooManySites { count: sites.len(), most: MOST_SITES });
        }
        let (mut first, mut notes) = (vec![0_u32], Vec::new());
        let catalogues = Catalogues::read(spec)?;
        for index in 0..spec.shells.len() {
            let satellites = catalogues.satellites(spec, index, &mut notes)?;
            first.push(first[first.len() - 1] + satellites.len() as u32);
            shells.push(satellites);
        }
        let mut sky = Self {
            spec: Arc::new(spec.clone()),
            slot: spec.choice.slot.map(|slot| of_run(slot, spec, &shells)),
            departed: (spec.shells.iter().zip(&shells))
                .map(|(shell, satellites)| may_leave(shell).then(|| Departed::new(satellites.len())))
                .collect(),
            pairing: Pairing::new(first.clone()),
            shells,
            first,
            below_m: 0.0,
            gateways: Vec::new(),
            fibre: Vec::new(),
            observers: Vec::new(),
            wired: Vec::new(),
            cells: Vec::new(),
            in_cell: Vec::new(),
            shared_names: BTreeSet::new(),
            notes,
        };
        sky.shared_names = sky.find_shared_names(sites);
        let mut positions = Vec::new();
        sky.positions(Time::ZERO, &mut positions)?;
        sky.below_m = sorted_below(&positions);
        sky.pair(&positions)?;
        sky.lay_fibre(sites);
        Ok(sky)
    }

    /// Returns the number of satellites.
    pub fn satellites(&self) -> u32 {
        self.first[self.first.len() - 1]
    }

    /// Returns the number of nodes of the core, which relay packets.
    pub fn core(&self) -> u32 {
        self.satellites() + (self.spec.gateways.len() + self.spec.pops.len()) as u32
    }

    fn pair(&mut self, positions: &[[f64; 3]]) -> Result<(), TopologyError> {
        let Some(isl) = &self.spec.isl else { return Ok(()) };
        match &isl.pattern {
            IslPattern::Nearest { .. } => {}
            IslPattern::List(pairs) => {
                let count = self.satellites();
                if let Some(&(a, b)) = pairs.iter().find(|(a, b)| a.max(b) >= &count || a == b) {
                    return Err(TopologyError::IslUnknown { pair: (a, b), satellites: count });
                }
                self.pairing.list(pairs);
            }
            IslPattern::Grid => {
                for (shell, (satellites, &first)) in self.shells.iter().zip(&self.first).enumerate() {
                    match (&self.spec.shells[shell].orbits, satellites) {
                        (Orbits::Walker(walker) | Orbits::Elements { walker, .. }, _) => {
                            self.pairing.walker(walker, first, isl);
                        }
                        (Orbits::Catalogue { .. }, Satellites::Sgp4(fleet)) => {
                            let start = Time::ZERO;
                            crate::planes::join(&mut self.pairing, fleet, first, isl, start, positions)
                                .map_err(|error| refused(&self.spec.shells[shell], error))?;
                        }
                        (Orbits::Catalogue { .. }, Satellites::Walker(_)) => {
                            unreachable!("a catalogue is propagated by SGP4")
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Creates the terrestrial network: fibre from gateways to their points of presence, between points of presence,
    /// and to wired sites.
    fn lay_fibre(&mut self, sites: &[Site]) {
        let spec = self.spec.clone();
        let observe = |site: &Site| {
            Observer::new(ground(site), spec.visibility, self.below_m)
                .behind(spec.mask(&site.name), spec.gso_exclusion)
        };
        self.gateways = spec
            .gateways
            .iter()
            .map(|gateway| {
                let rule = gateway.visibility.unwrap_or(spec.visibility);
                Observer::new(ground(&gateway.site), rule, self.below_m)
                    .behind(gateway.mask.as_ref(), gateway.gso_exclusion.unwrap_or(spec.gso_exclusion))
            })
            .collect();
        let first_gateway = self.satellites();
        let first_pop = first_gateway + spec.gateways.len() as u32;
        let metres =
            |a: &Site, b: &Site| great_circle(a.coordinates(), b.coordinates()).m() * spec.fibre_factor;
        for (at, gateway) in spec.gateways.iter().enumerate() {
            if let Some(pop) = gateway.pop {
                let length = metres(&gateway.site, &spec.pops[usize::from(pop)]);
                self.fibre.push((first_gateway + at as u32, first_pop + u32::from(pop), length));
            }
        }
        for (a, one) in spec.pops.iter().enumerate() {
            for (b, other) in spec.pops.iter().enumerate().skip(a + 1) {
                self.fibre.push((first_pop + a as u32, first_pop + b as u32, metres(one, other)));
            }
        }
        let mut observers = Vec::new();
        for site in sites {
            let wired = spec.attachment(&site.name) == Attachment::Fibre;
            observers.push((!wired).then(|| observe(site)));
            self.wired.push(if wired {
                let to_pop = |(pop, other): (usize, &Site)| (first_pop + pop as u32, metres(site, other));
                spec.pops.iter().enumerate().map(to_pop).collect()
            } else {
                Vec::new()
            });
        }
        let (cells, others) = crate::turns::cells(&spec, sites);
        observers.extend(others.into_iter().map(|site| Some(observe(site))));
        self.in_cell = vec![false; observers.len()];
        for &site in cells.iter().flatten() {
            self.in_cell[site] = true;
        }
        self.cells = cells;
        self.observers = observers;
    }

    /// Returns the name of a satellite, which is unique among satellites. If several catalogue satellites have the same
    /// name, the catalogue number is appended to the name.
    pub fn name(&self, satellite: u32) -> String {
        let name = self.listed_name(satellite);
        let (shell, index) = self.place(satellite);
        match &self.shells[shell] {
            Satellites::Sgp4(fleet) if self.shared_names.contains(&name) => numbered(&name, fleet, index),
            _ => name,
        }
    }

    /// Returns the name of a satellite in its catalogue, or the name of its shell and its place in the shell.
    fn listed_name(&self, satellite: u32) -> String {
        let (shell, index) = self.place(satellite);
        let name = self.shells[shell].name(index);
        match &self.spec.shells[shell].orbits {
            Orbits::Catalogue { .. } => name,
            _ => format!("{} {name}", self.spec.shells[shell].name),
        }
    }

    /// Returns the names of catalogue satellites that are not unique. A name is not unique if another satellite, site,
    /// gateway or point of presence has it. It is also not unique if it equals the name of another satellite with that
    /// satellite's number appended.
    fn find_shared_names(&self, sites: &[Site]) -> BTreeSet<String> {
        let on_the_ground =
            self.spec.gateways.iter().map(|gateway| &gateway.site).chain(&self.spec.pops).chain(sites);
        let mut known: BTreeSet<String> = on_the_ground.map(|site| site.name.clone()).collect();
        let mut shared = BTreeSet::new();
        // The names of shells differ, and so do the places in a shell.
        let listed: Vec<_> = (0..self.satellites()).map(|satellite| self.listed_name(satellite)).collect();
        for name in &listed {
            if !known.insert(name.clone()) {
                shared.insert(name.clone());
            }
        }
        // "A (2)" is the name of satellite A with the number 2. Another satellite of the catalogue may have this name.
        for (satellite, name) in (0..).zip(&listed) {
            if shared.contains(name) {
                let (shell, index) = self.place(satellite);
                if let Satellites::Sgp4(fleet) = &self.shells[shell] {
                    let numbered = numbered(name, fleet, index);
                    if known.contains(&numbered) {
                        shared.insert(numbered);
                    }
                }
            }
        }
        shared
    }

    /// Returns the name of a node of the core.
    pub fn node_name(&self, node: u32) -> String {
        let Some(gateway) = node.checked_sub(self.satellites()) else { return self.name(node) };
        let gateways = self.spec.gateways.iter().map(|gateway| &gateway.site);
        let site = gateways.chain(&self.spec.pops).nth(gateway as usize);
        site.map(|site| site.name.clone()).unwrap_or_default()
    }

    /// Returns the shell of a satellite.
    pub fn shell_of(&self, satellite: u32) -> u16 {
        self.place(satellite).0 as u16
    }

    fn place(&self, satellite: u32) -> (usize, usize) {
        let shell = self.first.partition_point(|&first| first <= satellite) - 1;
        (shell, (satellite - self.first[shell]) as usize)
    }

    /// Returns the time from the epoch of a shell's orbits to the start of the run. It is zero for a catalogue, because
    /// the time of a catalogue begins at the start of the run.
    fn offset(&self, shell: usize) -> Span {
        match self.spec.shells[shell].orbits {
            Orbits::Catalogue { .. } => Span::ZERO,
            Orbits::Walker(_) | Orbits::Elements { .. } => self.spec.offset,
        }
    }

    /// Returns the time at which a satellite left, if it left by `at`. Both times are in the time of its shell.
    fn left(&self, shell: usize, index: usize, at: Time) -> Option<Time> {
        let departed = self.departed[shell].as_ref()?;
        departed.by(&self.shells[shell], at, |gone| Some(gone[index]).filter(|&gone| gone <= at))
    }

    /// Returns the Earth-fixed position of one satellite in metres; [`GONE`] if it has left.
    pub fn position(&self, satellite: u32, at: Time) -> Result<[f64; 3], TopologyError> {
        let (shell, index) = self.place(satellite);
        let (spec, at) = (&self.spec.shells[shell], at + self.offset(shell));
        if self.left(shell, index, at).is_some() {
            return Ok(GONE);
        }
        match self.shells[shell].position(index, at) {
            Ok(position) => Ok(position),
            Err(_) if may_leave(spec) => Ok(GONE),
            Err(error) => Err(refused(spec, error)),
        }
    }

    /// Returns the Earth-fixed position (metres) and velocity (m/s) of one satellite. For a satellite that has left,
    /// returns the error of SGP4 at the time at which the satellite left.
    pub fn state(&self, satellite: u32, at: Time) -> Result<([f64; 3], [f64; 3]), TopologyError> {
        let (shell, index) = self.place(satellite);
        let at = at + self.offset(shell);
        self.shells[shell]
            .state(index, self.left(shell, index, at).unwrap_or(at))
            .map_err(|error| refused(&self.spec.shells[shell], error))
    }

    /// Writes the Earth-fixed positions of all satellites, in metres, to `positions`. For a satellite that has left,
    /// writes [`GONE`].
    pub fn positions(&self, at: Time, positions: &mut Vec<[f64; 3]>) -> Result<(), TopologyError> {
        positions.clear();
        let mut shell_positions = Vec::new();
        for (index, (satellites, shell)) in self.shells.iter().zip(&self.spec.shells).enumerate() {
            let at = at + self.offset(index);
            match satellites.positions(at, &mut shell_positions) {
                Ok(()) => {}
                Err(_) if may_leave(shell) => {
                    let place = |member| satellites.position(member, at).unwrap_or(GONE);
                    shell_positions.clear();
                    shell_positions.extend((0..satellites.len()).map(place));
                }
                Err(error) => return Err(refused(shell, error)),
            }
            if let Some(departed) = &self.departed[index] {
                departed.by(satellites, at, |gone| {
                    for (position, _) in shell_positions.iter_mut().zip(gone).filter(|(_, gone)| **gone <= at)
                    {
                        *position = GONE;
                    }
                });
            }
            positions.extend_from_slice(&shell_positions);
        }
        Ok(())
    }

    /// Returns the view of a site; `None` for a site on fibre.
    pub fn observer(&self, site: usize) -> Option<&Observer> {
        self.observers[site].as_ref()
    }

    /// Returns whether a site is in a cell. The sites of a cell choose a satellite together.
    pub fn in_cell(&self, site: usize) -> bool {
        self.in_cell[site]
    }

    /// Returns the gateway at a node, if there is one.
    pub fn gateway(&self, node: u32) -> Option<&Site> {
        let gateway = node.checked_sub(self.satellites())? as usize;
        self.spec.gateways.get(gateway).map(|gateway| &gateway.site)
    }

    /// Returns the place at a node, if the node is a gateway or a site with a dish.
    pub fn ground(&self, node: u32) -> Option<&Ground> {
        let gateway = node.checked_sub(self.satellites())? as usize;
        let observer = match self.gateways.get(gateway) {
            Some(gateway) => gateway,
            None => self.observers.get(node.checked_sub(self.core())? as usize)?.as_ref()?,
        };
        Some(&observer.ground)
    }

    /// Returns the time of day in UTC at the start of the run, if the satellites have a date.
    pub fn time_of_day(&self) -> Option<Span> {
        time_of_day(&self.spec, &self.shells)
    }

    /// Returns the views of the gateways.
    pub fn gateways(&self) -> &[Observer] {
        &self.gateways
    }

    /// Returns the position of a node on the ground.
    pub fn ground_position(&self, node: u32) -> Option<[f64; 3]> {
        let gateway = node.checked_sub(self.satellites())? as usize;
        if let Some(gateway) = self.gateways.get(gateway) {
            return Some(gateway.ground.position_m);
        }
        let pop = gateway - self.gateways.len();
        if let Some(pop) = self.spec.pops.get(pop) {
            return Some(ground(pop).position_m);
        }
        let site = pop - self.spec.pops.len();
        self.observers.get(site)?.as_ref().map(|observer| observer.ground.position_m)
    }

    /// Returns the length of the fibre between two nodes on the ground, in metres of vacuum with the same delay.
    pub fn fibre_m(&self, a: u32, b: u32) -> f64 {
        let (site, node) = (a.max(b), a.min(b));
        let found = match site.checked_sub(self.core()) {
            Some(site) => self.wired[site as usize].iter().find(|&&(pop, _)| pop == node).map(|&(_, m)| m),
            None => self
                .fibre
                .iter()
                .find(|&&(x, y, _)| (x.min(y), x.max(y)) == (node, site))
                .map(|&(_, _, metres)| metres),
        };
        found.unwrap_or_else(|| unreachable!("nodes {a} and {b} are not wired together"))
    }

    /// Fills `frame` with the network at `at`.
    pub fn look(&self, at: Time, frame: &mut Frame) -> Result<(), TopologyError> {
        self.positions(at, &mut frame.positions)?;
        frame.gateways = self.gateways.len() as u32;
        frame.pops = self.spec.pops.len() as u32;
        frame.pop_of_gateway.clear();
        frame.pop_of_gateway.extend(self.spec.gateways.iter().map(|gateway| gateway.pop));
        match &self.spec.isl {
            Some(isl) => self.pairing.links(isl, &frame.positions, &mut frame.edges),
            None => frame.edges.clear(),
        }
        frame.cells.sort(&frame.positions, self.below_m);
        for (at, gateway) in self.gateways.iter().enumerate() {
            gateway.see(&frame.cells, &frame.positions, &mut frame.seen);
            let node = self.satellites() + at as u32;
            frame.edges.extend(frame.seen.iter().map(|seen| (seen.satellite, node, seen.range_m)));
        }
        frame.edges.extend_from_slice(&self.fibre);
        frame.connect();
        frame.views.resize_with(self.wired.len(), Vec::new);
        frame.sightings.resize_with(self.observers.len(), Vec::new);
        for (observer, sightings) in self.observers.iter().zip(&mut frame.sightings) {
            sightings.clear();
            if let Some(observer) = observer {
                observer.see(&frame.cells, &frame.positions, sightings);
            }
        }
        let seen = frame.sightings.iter().zip(&self.wired);
        for (view, (sightings, wired)) in frame.views.iter_mut().zip(seen) {
            view.clear();
            view.extend(sightings.iter().map(|seen| (seen.satellite, seen.range_m)));
            view.extend_from_slice(wired);
        }
        Ok(())
    }
}

/// Returns the position of a site.
pub(crate) fn ground(site: &Site) -> Ground {
    Ground::at(site.geodetic())
}

/// Converts a length in metres of vacuum to a delay in nanoseconds.
pub(crate) fn nanos(metres: f64) -> f64 {
    metres / SPEED_OF_LIGHT_M_S * 1e9
}

#[cfg(test)]
mod tests;
