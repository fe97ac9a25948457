// SPDX-License-Identifier: MIT OR Apache-2.0
//! A page (a part of the network over time) under construction: forwarding, links and paths, and their changes from one
//! time to the next.

use super::{Follows, Page, Stop};
use crate::handover::Outages;
use crate::mask::Obstacles;
use crate::moment::{Moment, Watched};
use crate::network::{LinkPlan, Network, Node, NodeKind, Path, PathPiece, RouteEntry, RouteUpdate};
use crate::route::{Destination, NOWHERE, Tree};
use crate::sky::{Frame, Sky};
use crate::spec::{Attachment, ConstellationSpec, Site};
use crate::trace::{destination, own_destination};
use crate::{LinkGeometry, LookAngles, Medium, TopologyError, link_geometry};
use link::{Config, Course, Delay, DelayCurve, LinkSpec};
use orbit::earth::great_circle;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use units::{Span, Time};

/// A link of any page.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub from: u32,
    pub to: u32,
    /// Time from which the link no longer exists; [`Time::MAX`] while it exists.
    until: Time,
    /// Delay of the link on the last page, if the link was needed there.
    pub curve: Option<Arc<DelayCurve>>,
    /// Relative positions of its ends, if its rate or loss depends on them.
    looks: Vec<LookAngles>,
    /// Whether the link did not exist at the previous step.
    fresh: bool,
}

/// A page under construction, and the state that the next page needs.
#[derive(Clone, Debug, Default)]
pub(super) struct PageBuilder {
    /// The paths of all ordered pairs of addresses, in both directions and without repetitions.
    pub paths: Vec<Path>,
    /// For each path, the start of the last piece of the previous page. The path continues with this piece on the
    /// present page.
    pub open: Vec<Time>,
    /// For each path, whether it ever existed.
    connected: Vec<bool>,
    /// Site and point of presence of each address.
    addresses: Vec<Destination>,
    /// Node of each address.
    nodes: Vec<u32>,
    /// Addresses with traffic. For each address, the next hop of each node after the last update.
    destinations: Vec<(u16, Vec<u32>)>,
    pub links: Vec<Link>,
    /// Number of the link between two nodes.
    link_of: BTreeMap<(u32, u32), u32>,
    /// For each site, whether it ever had a node in reach.
    reached: Vec<bool>,
    /// Gateways behind obstacles that have not seen a satellite yet.
    without_satellite: Vec<u32>,
    outages: Outages,
    /// All links that will ever have an outage; `None` if these links are unknown.
    pub prepared: Option<BTreeSet<u32>>,
    updates: Vec<RouteUpdate>,
    /// Whether the rate or the loss of links of any kind depends on the positions of the ends.
    looks: bool,
    /// Whether all positions of a pass must be kept until it ends.
    whole_passes: bool,
    /// Whether the first time has been recorded.
    pub begun: bool,
    way: Vec<u32>,
}

impl PageBuilder {
    /// Creates an empty page and its network.
    pub fn new(sky: &Sky, sites: &[Site], pairs: &[(u16, u16)]) -> Result<(Self, Network), TopologyError> {
        let spec = &*sky.spec;
        let satellites = sky.satellites();
        let mut nodes: Vec<Node> = (0..satellites)
            .map(|satellite| Node { name: sky.name(satellite), kind: NodeKind::Satellite })
            .collect();
        let on_ground = spec.gateways.iter().map(|gateway| &gateway.site).chain(&spec.pops).chain(sites);
        nodes.extend(on_ground.map(|site| Node { name: site.name.clone(), kind: NodeKind::Ground }));
        let attachment = |site: u16| spec.attachment(&sites[usize::from(site)].name);
        let mut addresses: Vec<Destination> =
            (0..sites.len() as u16).map(|site| own_destination(spec, sites, site)).collect();
        let mut aliases = Vec::new();
        let mut paths: Vec<Path> = Vec::new();
        for &(a, b) in pairs.iter().filter(|(a, b)| a != b) {
            if [a, b].map(attachment) == [Attachment::Fibre; 2] {
                let name = |site: u16| sites[usize::from(site)].name.clone();
                return Err(TopologyError::BothOnFibre { from: name(a), to: name(b) });
            }
            let mut ends = [a, b];
            for (end, from, to) in [(0, b, a), (1, a, b)] {
                // The path to a wired site depends on the sender. Therefore the site has a separate address for each
                // home.
                let address = destination(spec, sites, from, to)?;
                let known = addresses.iter().position(|&known| known == address);
                ends[end] = known.unwrap_or(addresses.len()) as u16;
                if known.is_none() {
                    addresses.push(address);
                }
                if ends[end] != to {
                    aliases.push(((from, to), ends[end]));
                }
            }
            for (from, to) in [(ends[0], ends[1]), (ends[1], ends[0])] {
                if !paths.iter().any(|path| (path.from, path.to) == (from, to)) {
                    paths.push(Path { from, to, since: Time::ZERO, until: Time::ZERO, pieces: Vec::new() });
                }
            }
        }
        aliases.sort_unstable();
        aliases.dedup();
        let mut destinations: Vec<u16> = paths.iter().map(|path| path.to).collect();
        destinations.sort_unstable();
        destinations.dedup();
        let places: Vec<_> = addresses
            .iter()
            .map(|address| &sites[usize::from(address.site)])
            .map(Site::coordinates)
            .collect();
        let distance_m =
            places.iter().map(|&a| places.iter().map(|&b| great_circle(a, b).m()).collect()).collect();
        let of_address = |address: &Destination| sky.core() + u32::from(address.site);
        let draft = Self {
            destinations: destinations.into_iter().map(|site| (site, vec![NOWHERE; nodes.len()])).collect(),
            nodes: addresses.iter().map(of_address).collect(),
            connected: vec![false; paths.len()],
            reached: vec![false; sites.len()],
            looks: media(spec).any(link_geometry::follows_sight),
            whole_passes: media(spec).any(link_geometry::continues),
            without_satellite: (satellites..)
                .zip(sky.gateways())
                .filter(|(_, seer)| seer.obstacles().is_some())
                .map(|(node, _)| node)
                .collect(),
            addresses,
            paths,
            ..Self::default()
        };
        let network = Network {
            sites: draft.nodes.clone(),
            nodes,
            distance_m: Some(distance_m),
            aliases,
            notes: sky.notes.clone(),
            time_of_day: sky.time_of_day(),
            ..Network::default()
        };
        Ok((draft, network))
    }

    /// Returns trees to all destinations, without any known routes.
    pub fn routes(&self) -> Vec<Tree> {
        let tree =
            |(address, next): &(u16, Vec<u32>)| Tree::new(self.addresses[usize::from(*address)], next.len());
        self.destinations.iter().map(tree).collect()
    }

    /// Returns, for each path, the tree that it follows and the node at which it starts.
    pub fn watched(&self) -> Vec<Watched> {
        let tree = |path: &Path| self.destinations.iter().position(|&(address, _)| address == path.to);
        let from = |path: &Path| self.nodes[usize::from(path.from)];
        self.paths.iter().filter_map(|path| Some((tree(path)?, from(path)))).collect()
    }

    /// Begins a page and forgets everything before `since`. Returns the number of the next new link.
    pub fn turn(&mut self, since: Time) -> u32 {
        for path in &mut self.paths {
            let past = path.pieces.partition_point(|piece| piece.from <= since).saturating_sub(1);
            path.pieces.drain(..past);
        }
        let last = |path: &Path| path.pieces.last().map_or(Time::ZERO, |piece| piece.from);
        self.open = self.paths.iter().map(last).collect();
        self.outages.forget(since);
        for link in &mut self.links {
            let mut past = link.looks.partition_point(|look| look.at <= since).saturating_sub(1);
            while self.whole_passes && past > 0 && !link.looks[past].first {
                past -= 1;
            }
            link.looks.drain(..past);
        }
        self.links.len() as u32
    }

    /// Records the changes since the last recorded time.
    pub fn write(&mut self, sky: &Sky, moment: &Moment) {
        let (at, frame) = (moment.at, &moment.frame);
        for (site, reached) in self.reached.iter_mut().enumerate() {
            *reached |= !frame.view(site as u16).is_empty();
        }
        self.without_satellite
            .retain(|&gateway| frame.links(gateway).all(|(other, _)| other >= sky.satellites()));
        let first = !std::mem::replace(&mut self.begun, true);
        let mut update = RouteUpdate { at, ..RouteUpdate::default() };
        let mut destinations = std::mem::take(&mut self.destinations);
        for ((address, next), tree) in destinations.iter_mut().zip(&moment.routes) {
            if !first && *next == tree.next {
                continue;
            }
            let own_node = self.nodes[usize::from(*address)];
            for (node, (&hop, before)) in tree.next.iter().zip(next.iter_mut()).enumerate() {
                let node = node as u32;
                if node != own_node && (first || hop != *before) {
                    let link = (hop != NOWHERE).then(|| self.link(node, hop));
                    update.entries.push(RouteEntry { node, site: *address, link });
                }
                *before = hop;
            }
            self.follow_paths(*address, tree, frame, first, &mut update);
        }
        self.destinations = destinations;
        for (number, link) in self.links.iter_mut().enumerate() {
            if link.until == Time::MAX && !frame.linked(link.from, link.to) {
                link.until = at;
                link.fresh = true;
                update.down.push(number as u32);
            }
        }
        if self.looks {
            for link in self.links.iter_mut().filter(|link| link.until == Time::MAX) {
                let (from, to) = (link.from, link.to);
                if link_geometry::follows_sight(medium(sky, from, to).0) {
                    let first = std::mem::replace(&mut link.fresh, false);
                    link.looks.push(LookAngles::at(sky, frame, at, first, from, to));
                }
            }
        }
        if !first {
            self.outages.switch(&self.paths, at, sky.spec.handover.outage);
        }
        update.changed_paths.sort_unstable();
        if first || !(update.entries.is_empty() && update.down.is_empty()) {
            self.updates.push(update);
        }
    }

    /// Records the new paths to an address.
    fn follow_paths(&mut self, to: u16, tree: &Tree, frame: &Frame, first: bool, update: &mut RouteUpdate) {
        let mut paths = std::mem::take(&mut self.paths);
        for (number, path) in paths.iter_mut().enumerate().filter(|(_, path)| path.to == to) {
            tree.way(frame, self.nodes[usize::from(path.from)], &mut self.way);
            let way = std::mem::take(&mut self.way);
            let links: Vec<u32> = way.windows(2).map(|leg| self.link(leg[0], leg[1])).collect();
            self.way = way;
            if path.pieces.last().is_none_or(|piece| piece.links != links) {
                self.connected[number] |= !links.is_empty();
                path.pieces.push(PathPiece { from: update.at, links, delay: None });
                if !first {
                    update.changed_paths.push((path.from, path.to));
                }
            }
        }
        self.paths = paths;
    }

    /// Returns the link between two nodes for a forwarding entry. Creates the link if it does not exist yet.
    fn link(&mut self, from: u32, to: u32) -> u32 {
        let new = self.links.len() as u32;
        let number = *self.link_of.entry((from, to)).or_insert(new);
        if number == new {
            self.links.push(Link { from, to, until: Time::MAX, curve: None, looks: Vec::new(), fresh: true });
        }
        self.links[number as usize].until = Time::MAX;
        number
    }

    /// Returns whether every pair was connected at some time.
    pub fn all_connected(&self) -> bool {
        self.connected.iter().all(|&connected| connected)
    }

    /// Returns the links that ever had an outage.
    pub fn interrupted(&self) -> &BTreeSet<u32> {
        self.outages.ever()
    }

    /// Returns a note on gateways from which obstacles hide all satellites.
    pub fn without_satellite(&self, sky: &Sky) -> Option<String> {
        let names: Vec<String> =
            self.without_satellite.iter().map(|&gateway| sky.node_name(gateway)).collect();
        let first = sky.gateways().get((self.without_satellite.first()? - sky.satellites()) as usize)?;
        let keys = first.obstacles().map_or("", Obstacles::keys);
        Some(format!(
            "these gateways had no usable satellite during the run, so no packets passed them: {} (because \
            of {keys} of \
            `gateways` and their minimum elevation)",
            names.join(", ")
        ))
    }

    /// Returns an error if a pair was never connected.
    pub fn check(&self, sky: &Sky, sites: &[Site], stop: Stop<'_>) -> Result<(), TopologyError> {
        let real = |address: u16| usize::from(self.addresses[usize::from(address)].site);
        for path in &self.paths {
            let site = real(path.from);
            if !self.reached[site] && !crate::why::cell_was_served(sky, &self.reached, site) {
                return Err(crate::why::never_seen(sky, sites, site, stop)?);
            }
        }
        match self.paths.iter().zip(&self.connected).find(|&(_, connected)| !connected) {
            None => Ok(()),
            Some((path, _)) => {
                let mut error =
                    crate::why::no_path(&sky.spec, &sites[real(path.from)], &sites[real(path.to)]);
                if let (TopologyError::NoPath { why, .. }, Some(without_satellite)) =
                    (&mut error, self.without_satellite(sky))
                {
                    why.push_str("; ");
                    why.push_str(&without_satellite);
                }
                Err(error)
            }
        }
    }

    /// Completes the page. All links and paths must already have their delays.
    pub fn page(&mut self, page: Page, sky: &Sky, sites: &[Site], since: Time, follows: Follows) -> Page {
        let interrupted = self.outages.take_changed();
        for path in &mut self.paths {
            path.since = since;
            path.until = match follows {
                Follows::Nothing => page.until,
                // Changes at exactly `until` belong to the next page.
                Follows::Page => Time::from_nanos(page.until.nanos().saturating_sub(1)),
            };
        }
        let old = page.first_link as usize;
        let delays = self.links[..old].iter().enumerate().filter(|(_, link)| link.is_asked(since));
        let delays = delays.map(|(number, link)| (number as u32, link.delay())).collect();
        let interrupted = interrupted.into_iter().filter(|&link| link < page.first_link);
        let course = |link: u32| Some((link, self.course(sky, link, follows)?));
        let courses = interrupted.filter_map(course).collect();
        let plan = |number: usize| {
            let Link { from, to, .. } = self.links[number];
            let name = |node: u32| match node.checked_sub(sky.core()) {
                Some(site) => sites[site as usize].name.clone(),
                None => sky.node_name(node),
            };
            let config = Config {
                spec: medium(sky, from, to).0.clone(),
                delay: self.links[number].delay(),
                course: self.course(sky, number as u32, follows),
            };
            LinkPlan {
                name: format!("{} > {}", name(from), name(to)),
                from,
                to,
                config,
                turn: crate::turns::turn(sky, sites, from, to),
            }
        };
        let links = (old..self.links.len()).map(plan).collect();
        let seen = self.seen(sky, sites, old, since);
        let paths = match follows {
            Follows::Nothing => std::mem::take(&mut self.paths),
            Follows::Page => self.paths.clone(),
        };
        Page { links, delays, courses, seen, paths, updates: std::mem::take(&mut self.updates), ..page }
    }

    /// Returns the geometry of all links that have a delay on this page and whose rate or loss is computed elsewhere.
    /// Links with numbers from `old` on are new.
    fn seen(&self, sky: &Sky, sites: &[Site], old: usize, since: Time) -> Vec<(u32, LinkGeometry)> {
        let asked = self.links.iter().enumerate();
        let asked = asked.filter(|(number, link)| *number >= old || link.is_asked(since));
        let of = |(number, link): (usize, &Link)| {
            let (spec, medium) = medium(sky, link.from, link.to);
            let medium = medium.filter(|_| link_geometry::is_found_elsewhere(spec))?;
            let site = match link.from.max(link.to).checked_sub(sky.core()) {
                Some(site) => Some(&sites[site as usize]),
                None => sky.gateway(link.from.max(link.to)),
            };
            let ground = site.map(|site| (site.name.clone(), site.latitude, site.longitude));
            let (outages, looks) = (self.outages.of(number as u32).to_vec(), link.looks.clone());
            Some((number as u32, LinkGeometry { medium, outages, ground, looks }))
        };
        asked.filter_map(of).collect()
    }

    /// Returns the changes of a link over time other than its delay: its outages, and the changes of its spec. Returns
    /// `None` if it has no such changes.
    fn course(&self, sky: &Sky, number: u32, follows: Follows) -> Option<Arc<Course>> {
        let (spec, &Link { from, to, .. }) = (&sky.spec, &self.links[number as usize]);
        let outages = self.outages.of(number);
        // If later outages are unknown, every link that may have an outage gets a course now.
        let prepared = follows == Follows::Page && spec.handover.outage > Span::ZERO;
        let may = match &self.prepared {
            Some(links) => links.contains(&number),
            None => from.max(to) >= sky.core(),
        };
        let medium = medium(sky, from, to).0;
        let has_course = !outages.is_empty() || (prepared && may) || medium.changes.is_some();
        has_course.then(|| Arc::new(crate::handover::course(outages, medium, spec.handover.during)))
    }
}

impl Link {
    /// Returns whether the delay of the link is needed from `since` on. A page is computed before the packets in its
    /// time are sent. Therefore a link that ends on the present page can still get packets until it ends.
    pub fn is_asked(&self, since: Time) -> bool {
        self.until >= since
    }

    pub fn curve(&self) -> &Arc<DelayCurve> {
        self.curve.as_ref().unwrap_or_else(|| unreachable!("a link that is asked has a delay"))
    }

    fn delay(&self) -> Delay {
        Delay::Curve(self.curve().clone())
    }
}

/// Returns the specs of all kinds of links of a constellation.
fn media(spec: &ConstellationSpec) -> impl Iterator<Item = &LinkSpec> {
    [&spec.uplink, &spec.downlink, &spec.feeder].into_iter().chain(spec.isl.as_ref().map(|isl| &isl.link))
}

/// Returns the spec of the link between two nodes, and the kind of the link; `None` as the kind of fibre.
fn medium(sky: &Sky, from: u32, to: u32) -> (&LinkSpec, Option<Medium>) {
    let spec = &sky.spec;
    let (satellites, core) = (sky.satellites(), sky.core());
    let in_space = |node: u32| node < satellites;
    match (&spec.isl, in_space(from), in_space(to)) {
        (Some(isl), true, true) => (&isl.link, Some(Medium::Isl)),
        (_, false, true) if from < core => (&spec.feeder, Some(Medium::FeederUp)),
        (_, true, false) if to < core => (&spec.feeder, Some(Medium::FeederDown)),
        (_, false, true) => (&spec.uplink, Some(Medium::Up)),
        (_, true, false) => (&spec.downlink, Some(Medium::Down)),
        // Fibre is never a bottleneck.
        (_, false, false) | (None, true, true) => (&LinkSpec::IDEAL, None),
    }
}
