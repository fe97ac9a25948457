// SPDX-License-Identifier: MIT OR Apache-2.0
//! A satellite network over time, computed page by page without a fixed end.
//!
//! At every route step, starting at zero, the almanac computes positions and links. From these it computes the shortest
//! paths (by propagation delay) to each site, and records all changes of the forwarding. Between steps, routes are
//! constant and delays change. The state at a step (trees, serving satellites, numbers of links) is carried over from
//! page to page. Therefore several pages together contain exactly the same numbers as one long page, for any lengths of
//! pages.
//!
//! Memory does not grow with time. It contains
//!
//! - the ends of each link that was ever on a path. The number of these links is bounded, because the satellites over
//!   the sites repeat their positions;
//! - delays, outages and path pieces from `since` to the end of the last page. Delays are kept only for links that
//!   exist in that time.
//!
//! Packets that wait on a link, and announcements of changes, need delays and paths ahead of the present time. A page
//! must reach at least that far ahead. Outside the time that is kept, the delay of a path is unknown.

mod delays;
mod draft;

use crate::departures::Departures;
use crate::incremental::{Motion, TreeUpdater};
use crate::moment::{Moment, Steps, Watched, between, look};
use crate::network::{LinkPlan, Network, Path, RouteUpdate};
use crate::route::Workspace;
use crate::serving::Serving;
use crate::sky::Sky;
use crate::spec::{ConstellationSpec, RouteTimes, Site};
use crate::{LinkGeometry, TopologyError};
use draft::PageBuilder;
use link::{Course, Delay};
use std::collections::BTreeSet;
use std::sync::Arc;
use units::{Span, Time};

/// The changes of a network from one time to another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// End of the page before.
    pub from: Time,
    /// End of this page. Everything before this time is computed.
    pub until: Time,
    /// Number of the first link in [`Self::links`].
    pub first_link: u32,
    /// Links that are new on this page. Their delays cover the time from `since` to the end of the page.
    pub links: Vec<LinkPlan>,
    /// New delays of known links, by number. The list contains all links that existed at some time from `since` on. The
    /// delays cover the same time as the delays of new links.
    pub delays: Vec<(u32, Delay)>,
    /// New courses of known links, by number. A new course contains the added outages, but no forgotten outages.
    pub courses: Vec<(u32, Arc<Course>)>,
    /// Geometry of each link whose rate or loss is computed elsewhere, by number. Only links with a delay on this page
    /// are listed.
    pub seen: Vec<(u32, LinkGeometry)>,
    /// Changes of routes, sorted by time. On the first page, the first update (at zero) contains all routes.
    pub updates: Vec<RouteUpdate>,
    /// All paths, as far as they are known.
    pub paths: Vec<Path>,
    /// Notes for the user: satellites that left.
    pub notes: Vec<String>,
}

/// Whether another page follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Follows {
    /// The run ends with this page: nothing later is computed. A pair that was never connected is an error.
    Nothing,
    /// Another page may follow.
    Page,
}

/// Function that is called at every step to ask whether to stop.
pub type Stop<'a> = &'a dyn Fn() -> bool;

/// A [`Stop`] function that never stops.
pub fn never() -> bool {
    false
}

pub(crate) fn ask(stop: Stop<'_>) -> Result<(), TopologyError> {
    if stop() { Err(TopologyError::Interrupted) } else { Ok(()) }
}

/// A satellite network over time, from zero on and without a fixed end.
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
///     // Each page reaches a minute ahead of `now`; everything before `now` is forgotten.
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
    draft: PageBuilder,
    watched: Vec<Watched>,
    steps: Steps,
    /// State of the network at the last computed time.
    now: Moment,
    keepers: Vec<TreeUpdater>,
    motion: Motion,
    work: Workspace,
    departures: Departures,
    /// Everything before this time is forgotten.
    since: Time,
    /// End of the last page.
    laid: Time,
    failed: Option<TopologyError>,
}

impl std::fmt::Debug for Almanac {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Almanac").field("laid", &self.laid).finish_non_exhaustive()
    }
}

impl Almanac {
    /// Returns the network of `spec` between `sites` before the first page. This network has nodes, but no links.
    /// [`crate::constellation::build`] describes nodes, `pairs` and addresses.
    ///
    /// # Errors
    /// [`TopologyError::BothOnFibre`], [`TopologyError::HomeWithoutFibre`], [`TopologyError::IslUnknown`],
    /// [`TopologyError::TooManySites`], [`TopologyError::CatalogueUnreadable`], [`TopologyError::Orbit`].
    ///
    /// # Panics
    /// If `pairs` contains an index that is not in `sites`.
    pub fn open(
        spec: &ConstellationSpec,
        sites: &[Site],
        pairs: &[(u16, u16)],
    ) -> Result<(Self, Network), TopologyError> {
        let sky = Sky::new(spec, sites)?;
        let (draft, network) = PageBuilder::new(&sky, sites, pairs)?;
        let now = Moment::at(&sky, Time::ZERO, &Serving::default(), draft.routes())?;
        let step = if spec.route_step == Span::ZERO { Span::MAX } else { spec.route_step };
        let almanac = Self {
            sites: sites.to_vec(),
            watched: draft.watched(),
            steps: Steps::new(&sky, step),
            keepers: vec![TreeUpdater::default(); now.routes.len()],
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

    /// Returns notes for the user about the satellites, as they are at the end of a run of this length.
    pub fn notes_at_end(&self, length: Span) -> Vec<String> {
        self.sky.notes_at_end(length)
    }

    /// Sets the links that will ever have an outage ([`Self::interrupted`]). Only these links then have a course.
    #[must_use]
    pub fn prepared_for(mut self, interrupted: BTreeSet<u32>) -> Self {
        self.draft.prepared = Some(interrupted);
        self
    }

    /// Computes the next page, at least until `until`, and forgets everything before `since`. `since` must not be later
    /// than now.
    ///
    /// The delay of a packet is the delay of the link at the time at which the packet leaves the link. Therefore
    /// `until` must be later than now by more than two times: the longest wait of a packet on any link, and the lead
    /// time of announced path changes.
    ///
    /// If paths also change between route steps ([`RouteTimes::Events`]), a page ends with a step.
    ///
    /// If [`crate::spec::Handover::outage`] is not zero, some links have a course (their changes over time). If
    /// [`Self::prepared_for`] was not called, these are all links at sites. If it was called, these are the links in
    /// its set, as in a network that is computed as a whole.
    ///
    /// # Errors
    /// [`TopologyError::Interrupted`] if `stop` returns true. [`TopologyError::Orbit`] if a satellite cannot be
    /// propagated further; all later pages then fail in the same way.
    pub fn extend(&mut self, since: Time, until: Time, stop: Stop<'_>) -> Result<Page, TopologyError> {
        self.lay(since, until, Follows::Page, stop)
    }

    /// Computes the last page. This function works as [`Self::extend`] with `until` = `end`, but no page may follow.
    ///
    /// # Errors
    /// [`TopologyError::NoSatelliteInView`] if a site of a pair never saw a satellite on any page;
    /// [`TopologyError::NoPath`] if a pair was never connected; and the errors of [`Self::extend`].
    pub fn end(&mut self, since: Time, end: Time, stop: Stop<'_>) -> Result<Page, TopologyError> {
        self.lay(since, end, Follows::Nothing, stop)
    }

    /// Returns whether every pair was connected at some time.
    pub fn all_connected(&self) -> bool {
        self.draft.all_connected()
    }

    /// Returns the links that had an outage on any page so far.
    pub fn interrupted(&self) -> &BTreeSet<u32> {
        self.draft.interrupted()
    }

    /// Returns the end of the last page.
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
        let without_satellite =
            (follows == Follows::Nothing).then(|| self.draft.without_satellite(&self.sky)).flatten();
        let notes = self.departures.note(&self.sky).into_iter().chain(without_satellite).collect();
        let page = Page { from, until: self.laid, first_link, notes, ..Page::default() };
        Ok(self.draft.page(page, &self.sky, &self.sites, since, follows))
    }

    /// Computes the network step by step.
    fn follow(&mut self, until: Time, follows: Follows, stop: Stop<'_>) -> Result<(), TopologyError> {
        let events = self.sky.spec.route_times == RouteTimes::Events;
        // Changes between two steps are found when the later step is computed. If `until` lies between two steps, the
        // later step is therefore computed too.
        let ahead = |now: Time| events && now < until;
        while let Some(at) = self.steps.after(self.now.at).filter(|&at| at < until || ahead(self.now.at)) {
            ask(stop)?;
            let (frame, serving) = look(&self.sky, at, &self.now.serving)?;
            // Changes between two steps are found by bisection, which starts from the routes of both steps.
            let mut routes =
                if events { self.now.routes.clone() } else { std::mem::take(&mut self.now.routes) };
            self.motion.follow(&self.now.frame, &frame);
            for (tree, keeper) in routes.iter_mut().zip(&mut self.keepers) {
                keeper.update(tree, &frame, &self.motion, &mut self.work);
            }
            let next = Moment { at, frame, serving, routes };
            // No page follows the last one: what happens after its end does not exist.
            let exists = |at: Time| at < until || follows == Follows::Page;
            if events {
                between(&self.sky, &self.watched, &self.now, &next, &mut |_, after| {
                    if exists(after.at) {
                        self.draft.write(&self.sky, after);
                    }
                    Ok(())
                })?;
            }
            if !exists(at) {
                break;
            }
            self.draft.write(&self.sky, &next);
            self.departures.watch(&self.sky, at, &next.frame.positions);
            self.now = next;
        }
        Ok(())
    }
}
