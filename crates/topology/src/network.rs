// SPDX-License-Identifier: MIT OR Apache-2.0
//! The network as the engine runs it: everything that depends on time is already laid out.
//!
//! Indices: a node index points into [`Network::nodes`], a link index into [`Network::links`], a site index into
//! [`Network::sites`]. Flows attach to sites; access links of single hosts are added by the engine's wiring.
//!
//! A packet addressed to a wired site has to pass the home point of presence of the dish that it comes from.
//! Forwarding knows only the destination, so the site has one address for each home (`Network::address`).

use crate::turns::Turn;
use crate::{Page, Seen};
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
    /// It shares a transmitter; `None`: it has one of its own.
    pub turn: Option<Turn>,
}

/// From now on packets at `node` that go to `site` take `link`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RouteEntry {
    /// Where the packet is.
    pub node: u32,
    /// Where it goes: a site index.
    pub site: u16,
    /// The link it takes; `None`: no route (packets are lost to outage).
    pub link: Option<u32>,
}

/// Everything that changes at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RouteUpdate {
    /// When. The first update of a network is at time zero and complete.
    pub at: Time,
    /// Forwarding entries that change (only those).
    pub entries: Vec<RouteEntry>,
    /// Links that exist no more from now on: what waits there is forwarded anew or lost, as the scenario says.
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
    /// What was before is forgotten; zero where nothing ever is.
    pub since: Time,
    /// What comes after is not known: the run ends then, or what follows is not laid out yet.
    pub until: Time,
    /// Pieces in order of time. The first was in force at [`Self::since`], and may have begun earlier.
    pub pieces: Vec<PathPiece>,
}

/// A network over the whole of a run, or over the part of it that is laid out at present.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Network {
    /// Nodes.
    pub nodes: Vec<Node>,
    /// Links, one per direction.
    pub links: Vec<LinkPlan>,
    /// Nodes to which flows may attach, by site index.
    pub sites: Vec<u32>,
    /// What changes when, sorted by time; the first of a run, at zero, is complete.
    pub updates: Vec<RouteUpdate>,
    /// Paths of the pairs of sites that flows use (both directions).
    pub paths: Vec<Path>,
    /// Where a pair of sites sends to an address of its own: `((from, to), address)`, sorted.
    pub aliases: Vec<((u16, u16), u16)>,
    /// What a user should know of the satellites: sets left out, how old they are.
    pub notes: Vec<String>,
    /// Of each link, by number, whose rate or loss is to be found besides.
    pub seen: Vec<(u32, Seen)>,
    /// Time of day in UTC when the run begins, where satellites have a date.
    pub time_of_day: Option<Span>,
    /// Great-circle distance in metres between sites, where they lie on the Earth: `[from][to]`.
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

    /// Whether it is known what the path is at `at`.
    pub fn knows(&self, at: Time) -> bool {
        (self.since..=self.until).contains(&at)
    }

    /// One-way propagation delay at `at`; `None`: no path, or it is not known.
    pub fn delay(&self, at: Time) -> Option<Span> {
        let piece = self.knows(at).then(|| self.piece(at))?;
        piece.delay.as_ref().map(|delay| delay.at(at))
    }
}

impl Network {
    /// Goes on to the next page: links are added, those known get their new delays and courses, updates and paths are
    /// those of the page.
    ///
    /// # Panics
    /// If it is not the page that follows on the last one.
    pub fn turn_to(&mut self, page: Page) {
        assert_eq!(self.links.len(), page.first_link as usize, "pages are turned one by one");
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

    /// The site index that a flow between two sites uses for `to`: where packets have to pass the home point of
    /// presence of `from`, `to` has one index for each such point.
    pub fn address(&self, from: u16, to: u16) -> u16 {
        self.aliases.binary_search_by_key(&(from, to), |&(pair, _)| pair).map_or(to, |at| self.aliases[at].1)
    }

    /// The path between two sites, if it was asked for when the network was made.
    pub fn path(&self, from: u16, to: u16) -> Option<&Path> {
        self.paths.iter().find(|path| path.from == from && path.to == to)
    }
}
