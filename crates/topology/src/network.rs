// SPDX-License-Identifier: MIT OR Apache-2.0
//! The network as the engine runs it: everything that depends on time is already computed.
//!
//! A node index refers to [`Network::nodes`], a link index to [`Network::links`], and a site index to
//! [`Network::sites`]. Flows attach to sites. Access links of single hosts are added when the engine is wired.
//!
//! A packet to a wired site must pass the home point of presence of its sender's dish. Forwarding depends on the
//! destination only. Therefore a wired site has a separate address for each home (`Network::address`).

use crate::turns::Turn;
use crate::{LinkGeometry, Page};
use link::Config;
use units::{Span, Time};

/// Kind of a node.
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
    /// Name for display: "Berkeley", "iridium 3/7".
    pub name: String,
    /// Kind of the node.
    pub kind: NodeKind,
}

/// One direction of a link between two nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkPlan {
    /// Name for display: "Berkeley > iridium 3/7".
    pub name: String,
    /// Node at which the link starts.
    pub from: u32,
    /// Node to which the link leads.
    pub to: u32,
    /// Rate, delay, queue and loss.
    pub config: Config,
    /// Place of the link on a shared transmitter; `None` if the link has its own transmitter.
    pub turn: Option<Turn>,
}

/// Forwarding entry: packets at `node` with the destination `site` take `link`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RouteEntry {
    /// Node at which the packet is.
    pub node: u32,
    /// Destination: a site index.
    pub site: u16,
    /// The link; `None` if there is no route and packets are lost (outage).
    pub link: Option<u32>,
}

/// All changes at one time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RouteUpdate {
    /// Time of the changes. The first update of a network is at time zero and contains all entries.
    pub at: Time,
    /// The forwarding entries that change.
    pub entries: Vec<RouteEntry>,
    /// Links that end. The scenario decides whether packets that wait there are forwarded again or lost.
    pub down: Vec<u32>,
    /// Ordered pairs of sites `(from, to)` whose path changes now, for the record and for controllers.
    pub changed_paths: Vec<(u16, u16)>,
}

impl RouteUpdate {
    /// Returns whether the path between two sites changes in either direction.
    pub fn concerns(&self, from: u16, to: u16) -> bool {
        self.changed_paths.iter().any(|pair| *pair == (from, to) || *pair == (to, from))
    }
}

/// The path of an ordered pair of sites during some interval.
#[derive(Clone, Debug, PartialEq)]
pub struct PathPiece {
    /// Start of the interval, which ends where the next piece begins.
    pub from: Time,
    /// Links of the path in order; empty if there is no path.
    pub links: Vec<u32>,
    /// One-way propagation delay of the whole path; `None` if there is no path.
    pub delay: Option<link::Delay>,
}

/// The path of an ordered pair of sites over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// The site at which the path starts.
    pub from: u16,
    /// The site to which the path leads.
    pub to: u16,
    /// Start of the time for which the path is known. It is zero unless earlier pieces were forgotten.
    pub since: Time,
    /// End of the time for which the path is known: the end of the run, or of the last page.
    pub until: Time,
    /// Pieces in order of time. The first piece is valid at [`Self::since`], and may have begun earlier.
    pub pieces: Vec<PathPiece>,
}

/// A network over a complete run, or over the part of a run that is already computed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Network {
    /// All nodes.
    pub nodes: Vec<Node>,
    /// All links, one per direction.
    pub links: Vec<LinkPlan>,
    /// For each site, the node to which its flows attach.
    pub sites: Vec<u32>,
    /// Changes of routes, sorted by time. The first update of a run, at zero, contains all routes.
    pub updates: Vec<RouteUpdate>,
    /// Paths of the pairs of sites that flows use, in both directions.
    pub paths: Vec<Path>,
    /// Pairs of sites with a separate address: `((from, to), address)`, sorted.
    pub aliases: Vec<((u16, u16), u16)>,
    /// Notes for the user about the satellites: element sets that were left out, and their age.
    pub notes: Vec<String>,
    /// Geometry of each link whose rate or loss is computed elsewhere, by number.
    pub seen: Vec<(u32, LinkGeometry)>,
    /// Time of day in UTC at the start of the run, if the satellites have a date.
    pub time_of_day: Option<Span>,
    /// Great-circle distance between sites in metres, if the sites are on the Earth: `[from][to]`.
    pub distance_m: Option<Vec<Vec<f64>>>,
}

impl Path {
    /// Returns the piece that is valid at `at`.
    ///
    /// # Panics
    /// If the path has no pieces.
    pub fn piece(&self, at: Time) -> &PathPiece {
        let next = self.pieces.partition_point(|piece| piece.from <= at);
        &self.pieces[next.saturating_sub(1)]
    }

    /// Returns whether the path at `at` is known.
    pub fn knows(&self, at: Time) -> bool {
        (self.since..=self.until).contains(&at)
    }

    /// Returns the one-way propagation delay at `at`; `None` if there is no path at this time, or if the path is
    /// unknown.
    pub fn delay(&self, at: Time) -> Option<Span> {
        let piece = self.knows(at).then(|| self.piece(at))?;
        piece.delay.as_ref().map(|delay| delay.at(at))
    }
}

impl Network {
    /// Adds the next page: new links, new delays and courses of known links, and the updates and paths of the page.
    ///
    /// # Panics
    /// If the page does not follow the last page.
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

    /// Returns the site index to which a flow from `from` sends packets for `to`. If the packets must pass the home
    /// point of presence of `from`, the site `to` has a separate index for each home.
    pub fn address(&self, from: u16, to: u16) -> u16 {
        self.aliases.binary_search_by_key(&(from, to), |&(pair, _)| pair).map_or(to, |at| self.aliases[at].1)
    }

    /// Returns the path between two sites, if it was requested when the network was created.
    pub fn path(&self, from: u16, to: u16) -> Option<&Path> {
        self.paths.iter().find(|path| path.from == from && path.to == to)
    }
}
