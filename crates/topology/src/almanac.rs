// SPDX-License-Identifier: MIT OR Apache-2.0
//! A satellite network laid out page by page, for as long as somebody turns the pages.
//!
//! At every route step from zero the sky is looked at, the shortest ways (by propagation delay) to each site are
//! found, and what changed in the forwarding is written down. In between, routes rest and delays move on. What leads
//! from one look to the next (trees, serving satellites, the numbers of links) is carried from page to page: pages of any
//! length, put together, are one long page, to the bit.
//!
//! Memory does not grow with time. Kept are
//! - a link's ends for each ordered pair of nodes that was ever on a way: no more than the sky has, and no new ones once
//!   the constellation has shown itself over the sites from all sides;
//! - delays, outages and pieces of paths between `since` and the end of the page that was asked for last, delays only of
//!   links that are there meanwhile.
//!
//! A page must be laid out further ahead than packets wait on any link and than changes are announced. Outside the
//! window that is kept, a path has no answer.

mod delays;
mod draft;

use crate::departures::Departures;
use crate::kept::{Keeper, Motion};
use crate::moment::{Moment, Steps, Watched, between, look};
use crate::network::{LinkPlan, Network, Path, RouteUpdate};
use crate::route::Workspace;
use crate::serving::Serving;
use crate::sky::Sky;
use crate::spec::{ConstellationSpec, RouteTimes, Site};
use crate::{Seen, TopologyError};
use draft::Draft;
use link::{Course, Delay};
use std::collections::BTreeSet;
use std::sync::Arc;
use units::{Span, Time};

/// What is new on a network over a stretch of time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// Where the page before ended.
    pub from: Time,
    /// Everything that happens before this moment is laid out.
    pub until: Time,
    /// Number of the first of [`Self::links`].
    pub first_link: u32,
    /// Links that no page had before; their delays reach from `since` to the end of the page.
    pub links: Vec<LinkPlan>,
    /// New delays of links that other pages had and that were there at some time from `since` on, by number. They reach
    /// as far as those of new links.
    pub delays: Vec<(u32, Delay)>,
    /// New courses of links that other pages had: outages came, those that are forgotten are gone.
    pub courses: Vec<(u32, Arc<Course>)>,
    /// Of each link, by number, whose rate or loss is to be found besides and whose delay is here.
    pub seen: Vec<(u32, Seen)>,
    /// What changes when, sorted by time; on the first page the first, at zero, is complete.
    pub updates: Vec<RouteUpdate>,
    /// All paths, as far as they are known.
    pub paths: Vec<Path>,
    /// What a user should know: satellites that left.
    pub notes: Vec<String>,
}

/// Whether anything follows after a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Follows {
    /// The run ends with it: it is not looked beyond, and what is never connected is an error.
    Nothing,
    /// Another page may be asked for.
    Page,
}

/// Asked at every step whether to give up.
pub type Stop<'a> = &'a dyn Fn() -> bool;

/// Nobody gives up.
pub fn never() -> bool {
    false
}

pub(crate) fn ask(stop: Stop<'_>) -> Result<(), TopologyError> {
    if stop() { Err(TopologyError::Interrupted) } else { Ok(()) }
}

/// A satellite network over time, from zero on and without an end.
///
/// ```
/// use bentpipe_topology::{Almanac, presets, sites};
/// use units::{Span, Time};
///
/// let spec = presets::find("iridium")?;
/// let sites = [sites::find("Berkeley")?, sites::find("Boston")?];
/// let (mut almanac, mut network) = Almanac::open(&spec, &sites, &[(0, 1)])?;
/// let mut now = Time::ZERO;
/// for _ in 0..5 {
///     // A minute ahead of what happens now; what is past is forgotten.
///     network.turn_to(almanac.extend(now, now + Span::from_secs(60), &bentpipe_topology::never)?);
///     assert!(network.path(0, 1).and_then(|path| path.delay(now)).is_some());
///     now += Span::from_secs(30);
/// }
/// # Ok::<(), bentpipe_topology::TopologyError>(())
/// ```
#[derive(Clone)]
pub struct Almanac {
    sky: Sky,
    sites: Vec<Site>,
    draft: Draft,
    watched: Vec<Watched>,
    steps: Steps,
    /// The last moment that was looked at.
    now: Moment,
    keepers: Vec<Keeper>,
    motion: Motion,
    work: Workspace,
    departures: Departures,
    /// What was before is forgotten.
    since: Time,
    /// Where the last page ended.
    laid: Time,
    failed: Option<TopologyError>,
}

impl std::fmt::Debug for Almanac {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Almanac").field("laid", &self.laid).finish_non_exhaustive()
    }
}

impl Almanac {
    /// The network of `spec` between `sites`, before anything is laid out on it: it has nodes and no links. See
    /// [`crate::constellation::build`] for nodes, `pairs` and addresses.
    ///
    /// # Errors
    /// [`TopologyError::BothOnFibre`], [`TopologyError::HomeWithoutFibre`], [`TopologyError::IslUnknown`],
    /// [`TopologyError::TooManySites`], [`TopologyError::CatalogueUnreadable`], [`TopologyError::Orbit`].
    ///
    /// # Panics
    /// If a pair names a site that is not in `sites`.
    pub fn open(
        spec: &ConstellationSpec,
        sites: &[Site],
        pairs: &[(u16, u16)],
    ) -> Result<(Self, Network), TopologyError> {
        let sky = Sky::new(spec, sites)?;
        let (draft, network) = Draft::new(&sky, sites, pairs)?;
        let now = Moment::at(&sky, Time::ZERO, &Serving::default(), draft.routes())?;
        let step = if spec.route_step == Span::ZERO { Span::MAX } else { spec.route_step };
        let almanac = Self {
            sites: sites.to_vec(),
            watched: draft.watched(),
            steps: Steps::new(&sky, step),
            keepers: vec![Keeper::default(); now.routes.len()],
            motion: Motion::default(),
            work: Workspace::default(),
            departures: Departures::default(),
            since: Time::ZERO,
            laid: Time::ZERO,
            failed: None,
            now,
            draft,
            sky,
        };
        Ok((almanac, network))
    }

    /// What a user should know of the satellites at the end of a run of this length.
    pub fn notes_at_end(&self, length: Span) -> Vec<String> {
        self.sky.notes_at_end(length)
    }

    /// Knows beforehand which links will ever have an outage (see [`Self::interrupted`]): only these have a course.
    #[must_use]
    pub fn prepared_for(mut self, interrupted: BTreeSet<u32>) -> Self {
        self.draft.prepared = Some(interrupted);
        self
    }

    /// Lays out what follows on the last page, at least until `until`; of what was before `since`, no later than now,
    /// nothing is kept. The delay of a packet is that at which it leaves a link: `until` must be ahead of now by more than
    /// packets wait on any link, and by more than changes of paths are announced beforehand.
    ///
    /// Where paths change between route steps ([`RouteTimes::Events`]) a page ends with a step.
    ///
    /// If [`crate::spec::Handover::outage`] is not zero, every link at a site has a course, if it is not known which ones
    /// need it ([`Self::prepared_for`]): a sky that is laid out whole has one only on links that an outage meets.
    ///
    /// # Errors
    /// [`TopologyError::Interrupted`] where `stop` answers true; [`TopologyError::Orbit`] where a satellite cannot be followed any further, here and of all later pages.
    pub fn extend(&mut self, since: Time, until: Time, stop: Stop<'_>) -> Result<Page, TopologyError> {
        self.lay(since, until, Follows::Page, stop)
    }

    /// The last page: as [`Self::extend`] until `end`, after which nothing follows. What comes then is not looked at.
    ///
    /// # Errors
    /// [`TopologyError::NoSatelliteInView`] if a site of a pair never saw a satellite on any page,
    /// [`TopologyError::NoPath`] if a pair was never connected; and those of [`Self::extend`].
    pub fn end(&mut self, since: Time, end: Time, stop: Stop<'_>) -> Result<Page, TopologyError> {
        self.lay(since, end, Follows::Nothing, stop)
    }

    /// Whether every pair was connected at some time.
    pub fn all_connected(&self) -> bool {
        self.draft.all_connected()
    }

    /// Links on which there was an outage, on all pages so far.
    pub fn interrupted(&self) -> &BTreeSet<u32> {
        self.draft.interrupted()
    }

    /// Where the last page ended.
    pub fn laid(&self) -> Time {
        self.laid
    }

    fn lay(
        &mut self,
        since: Time,
        until: Time,
        follows: Follows,
        stop: Stop<'_>,
    ) -> Result<Page, TopologyError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        self.since = since.min(self.laid).max(self.since);
        let page = self.try_lay(until.max(self.laid), follows, stop);
        self.failed = page.as_ref().err().cloned();
        page
    }

    fn try_lay(&mut self, until: Time, follows: Follows, stop: Stop<'_>) -> Result<Page, TopologyError> {
        let (since, from) = (self.since, self.laid);
        let first_link = self.draft.turn(since);
        if !self.draft.begun {
            self.draft.write(&self.sky, &self.now);
        }
        self.follow(until, follows, stop)?;
        if follows == Follows::Nothing {
            self.draft.check(&self.sky, &self.sites, stop)?;
        }
        self.laid = until.max(self.now.at);
        self.draft.draw(&self.sky, [since, from, self.laid], stop)?;
        let blind = (follows == Follows::Nothing).then(|| self.draft.blind(&self.sky)).flatten();
        let notes = self.departures.note(&self.sky).into_iter().chain(blind).collect();
        let page = Page { from, until: self.laid, first_link, notes, ..Page::default() };
        Ok(self.draft.page(page, &self.sky, &self.sites, since, follows))
    }

    /// Looks at the sky, step by step.
    fn follow(&mut self, until: Time, follows: Follows, stop: Stop<'_>) -> Result<(), TopologyError> {
        let events = self.sky.spec.route_times == RouteTimes::Events;
        // What changes between two steps is found when the later one is looked at.
        let ahead = |now: Time| events && follows == Follows::Page && now < until;
        while let Some(at) = self.steps.after(self.now.at).filter(|&at| at < until || ahead(self.now.at)) {
            ask(stop)?;
            let (frame, serving) = look(&self.sky, at, &self.now.serving)?;
            // What happens in between follows from both moments.
            let mut routes =
                if events { self.now.routes.clone() } else { std::mem::take(&mut self.now.routes) };
            self.motion.follow(&self.now.frame, &frame);
            for (tree, keeper) in routes.iter_mut().zip(&mut self.keepers) {
                keeper.update(tree, &frame, &self.motion, &mut self.work);
            }
            let next = Moment { at, frame, serving, routes };
            if events {
                between(&self.sky, &self.watched, &self.now, &next, &mut |_, after| {
                    self.draft.write(&self.sky, after);
                    Ok(())
                })?;
            }
            self.draft.write(&self.sky, &next);
            self.departures.watch(&self.sky, at, &next.frame.positions);
            self.now = next;
        }
        Ok(())
    }
}
