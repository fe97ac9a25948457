// SPDX-License-Identifier: MIT OR Apache-2.0
//! The network as the engine runs it: everything that depends on time is already laid out.
//!
//! Indices: a node index points into [`Network::nodes`], a link index into [`Network::links`], a site index into
//! [`Network::sites`]. Flows attach to sites; access links of single hosts are added by the engine's wiring.
//!
//! A packet addressed to a wired site has to pass the home point of presence of the dish that it comes from.
//! Forwarding knows only the destination, so the site has one address for each home (`Network::address`).

use crate::turns::Turn;
use crate::{LinkGeometry, Page};
use link::Config;
use units::{Span, Time};

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A satellite.
    Satellite,
    /// A ground station or a plain router.
    Ground,
}

/// A node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// For people: "Berkeley", "iridium 3/7".
    pub name: String,
    /// What it is.
    pub kind: NodeKind,
}

/// One direction of a link between two nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkPlan {
    /// For people: "Berkeley > iridium 3/7".
    pub name: String,
    /// Node it starts at.
    pub from: u32,
    /// Node it leads to.
    pub to: u32,
    /// Rate, delay, queue, loss.
    pub config: Config,
    /// Its place on a shared transmitter; `None`: it has its own transmitter.
    pub turn: Option<Turn>,
}

/// From a time on, packets at `node` to `site` take `link`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RouteEntry {
    /// Where the packet is.
    pub node: u32,
    /// Its destination: a site index.
    pub site: u16,
    /// The link it takes; `None`: no route (packets are lost to outage).
    pub link: Option<u32>,
}

/// All changes at one time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RouteUpdate {
    /// When. The first update of a network is at time zero and complete.
    pub at: Time,
    /// Forwarding entries that change (only those).
    pub entries: Vec<RouteEntry>,
    /// Links that end: packets that wait there are forwarded again or lost, as the scenario says.
    pub down: Vec<u32>,
    /// Ordered pairs of sites `(from, to)` whose path changes now (for the record and for controllers).
    pub changed_paths: Vec<(u16, u16)>,
}

impl RouteUpdate {
    /// Whether the path between two sites changes, in either direction.
    pub fn concerns(&self, from: u16, to: u16) -> bool {
        self.changed_paths.iter().any(|pair| *pair == (from, to) || *pair == (to, from))
    }
}

/// The path of an ordered pair of sites over a stretch of time.
#[derive(Clone, Debug, PartialEq)]
pub struct PathPiece {
    /// From when; it ends where the next piece begins.
    pub from: Time,
    /// Links in order; empty: no path.
    pub links: Vec<u32>,
    /// One-way propagation delay of the whole path; `None`: no path.
    pub delay: Option<link::Delay>,
}

/// The path of an ordered pair of sites over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// From site.
    pub from: u16,
    /// To site.
    pub to: u16,
    /// What was before is forgotten; zero if nothing ever is.
    pub since: Time,
    /// The end of what is known: the end of the run, or of what is laid out.
    pub until: Time,
    /// Pieces in order of time. The first was in force at [`Self::since`], and may have begun earlier.
    pub pieces: Vec<PathPiece>,
}

/// A network over a whole run, or over the part of it that is laid out at present.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Network {
    /// Nodes.
    pub nodes: Vec<Node>,
    /// Links, one per direction.
    pub links: Vec<LinkPlan>,
    /// Nodes to which flows may attach, by site index.
    pub sites: Vec<u32>,
    /// Changes of routes, sorted by time; the first of a run, at zero, is complete.
    pub updates: Vec<RouteUpdate>,
    /// Paths of the pairs of sites that flows use (both directions).
    pub paths: Vec<Path>,
    /// Pairs of sites with an address of their own: `((from, to), address)`, sorted.
    pub aliases: Vec<((u16, u16), u16)>,
    /// Notes for the user about the satellites: element sets left out, their age.
    pub notes: Vec<String>,
    /// For each link, by number, whose rate or loss is computed elsewhere.
    pub seen: Vec<(u32, LinkGeometry)>,
    /// Time of day in UTC at the start of the run, if satellites have a date.
    pub time_of_day: Option<Span>,
    /// Great-circle distance in metres between sites, if they are on the Earth: `[from][to]`.
    pub distance_m: Option<Vec<Vec<f64>>>,
}

impl Path {
    /// The piece in force at `at`.
    ///
    /// # Panics
    /// If the path has no piece.
    pub fn piece(&self, at: Time) -> &PathPiece {
        let next = self.pieces.partition_point(|piece| piece.from <= at);
        &self.pieces[next.saturating_sub(1)]
    }

    /// Whether the path at `at` is known.
    pub fn knows(&self, at: Time) -> bool {
        (self.since..=self.until).contains(&at)
    }

    /// One-way propagation delay at `at`; `None`: no path, or the path is not known.
    pub fn delay(&self, at: Time) -> Option<Span> {
        let piece = self.knows(at).then(|| self.piece(at))?;
        piece.delay.as_ref().map(|delay| delay.at(at))
    }
}

impl Network {
    /// Adds the next page: new links, new delays and courses of known links, and the page's updates and paths.
    ///
    /// # Panics
    /// If it is not the page after the last one.
    pub fn turn_to(&mut self, page: Page) {
        assert_eq!(self.links.len(), page.first_link as usize, "pages are added one by one");
        for (link, delay) in page.delays {
            self.links[link as usize].config.delay = delay;
        }
        for (link, course) in page.courses {
            self.links[link as usize].config.course = Some(course);
        }
        self.links.extend(page.links);
        self.updates = page.updates;
        self.paths = page.paths;
        self.seen = page.seen;
        self.notes.extend(page.notes);
    }

    /// The site index that a flow between two sites uses for `to`: if packets have to pass the home point of presence
    /// of `from`, `to` has one index for each such point.
    pub fn address(&self, from: u16, to: u16) -> u16 {
        self.aliases.binary_search_by_key(&(from, to), |&(pair, _)| pair).map_or(to, |at| self.aliases[at].1)
    }

    /// The path between two sites, if it was requested when the network was created.
    pub fn path(&self, from: u16, to: u16) -> Option<&Path> {
        self.paths.iter().find(|path| path.from == from && path.to == to)
    }
}
