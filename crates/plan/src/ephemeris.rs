// SPDX-License-Identifier: MIT OR Apache-2.0
//! The future of a flow's path as far as geometry determines it. The controller of the flow may query it.

use control::{Ephemeris, PathState};
use link::Course;
use std::sync::{Arc, PoisonError, RwLock};
use topology::Path;
use units::{Rate, Span, Time};

/// Properties of a flow's path that do not depend on the links of the network.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ends {
    /// One-way propagation delay of both access links.
    pub access: Span,
    /// Distance between the ends, in metres.
    pub distance_m: Option<f64>,
    /// Rate of the slowest access link.
    pub access_rate: Option<Rate>,
}

impl Ends {
    /// Returns the path at a time. `rates` are the rates of the network's links. For a time that is discarded or not
    /// computed yet, the result contains only the distance of the ends.
    pub fn path(&self, [forward, reverse]: [&Path; 2], rates: &[Option<Rate>], at: Time) -> PathState {
        if !(forward.knows(at) && reverse.knows(at)) {
            return PathState { distance_m: self.distance_m, ..PathState::default() };
        }
        let links = &forward.piece(at).links;
        PathState {
            propagation_rtt: self.propagation_rtt([forward, reverse], at),
            distance_m: self.distance_m,
            capacity: links.iter().filter_map(|&link| rates[link as usize]).chain(self.access_rate).min(),
            hops: u32::try_from(links.len()).ok(),
        }
    }

    /// Returns the path between two hosts at the same site, or between a host and a proxy at its site. It consists only
    /// of access links.
    pub fn beside(&self) -> PathState {
        PathState {
            propagation_rtt: Some(self.access * 2),
            distance_m: self.distance_m,
            capacity: self.access_rate,
            hops: Some(0),
        }
    }

    fn propagation_rtt(&self, [forward, reverse]: [&Path; 2], at: Time) -> Option<Span> {
        Some(forward.delay(at)? + reverse.delay(at)? + self.access * 2)
    }
}

/// Changes over time of the links of a flow's hosts; `None` if the delay in addition to propagation does not count.
pub(crate) type ExtraDelay = Option<Vec<Arc<Course>>>;

fn on_top<'a>(courses: impl IntoIterator<Item = &'a Arc<Course>>, at: Time) -> Span {
    courses.into_iter().fold(Span::ZERO, |sum, course| sum + course.delay_at(at))
}

/// The path of a connection whose ends are at the same site.
#[derive(Debug)]
pub(crate) struct Beside {
    pub ends: Ends,
    pub extra: ExtraDelay,
}

impl Ephemeris for Beside {
    fn path(&self, at: Time) -> PathState {
        let path = self.ends.beside();
        let on_top = self.extra.as_ref().map_or(Span::ZERO, |hosts| on_top(hosts, at));
        PathState { propagation_rtt: path.propagation_rtt.map(|rtt| rtt + on_top), ..path }
    }
}

/// A path in a run that is computed to its end. All flows read the same paths.
#[derive(Debug)]
pub(crate) struct Laid {
    pub known: Arc<Known>,
    /// Indices of both paths in `Known`.
    pub places: [usize; 2],
    pub ends: Ends,
    pub extra: ExtraDelay,
}

impl Ephemeris for Laid {
    fn path(&self, at: Time) -> PathState {
        self.known.path(self.places, &self.ends, &self.extra, at)
    }
    fn propagation_rtt(&self, at: Time) -> Option<Span> {
        self.known.propagation_rtt(self.places, &self.ends, &self.extra, at)
    }
}

/// The paths, as far as they are computed.
#[derive(Debug, Default)]
pub struct Known {
    /// The paths.
    pub paths: Vec<Path>,
    /// Rate of each link of the network; `None` if the link has no rate.
    pub rates: Vec<Option<Rate>>,
    /// Changes over time of each link of the network.
    pub courses: Vec<Option<Arc<Course>>>,
}

impl Known {
    fn path(&self, places: [usize; 2], ends: &Ends, extra: &ExtraDelay, at: Time) -> PathState {
        let path = ends.path(places.map(|place| &self.paths[place]), &self.rates, at);
        let rtt = path.propagation_rtt.map(|rtt| rtt + self.extra_delay(places, extra, at));
        PathState { propagation_rtt: rtt, ..path }
    }

    fn propagation_rtt(&self, places: [usize; 2], ends: &Ends, extra: &ExtraDelay, at: Time) -> Option<Span> {
        let rtt = ends.propagation_rtt(places.map(|place| &self.paths[place]), at)?;
        Some(rtt + self.extra_delay(places, extra, at))
    }

    /// Returns the sum of the delays in addition to propagation on both paths at a time.
    fn extra_delay(&self, places: [usize; 2], extra: &ExtraDelay, at: Time) -> Span {
        let Some(hosts) = extra else { return Span::ZERO };
        let links = places.iter().flat_map(|&place| &self.paths[place].piece(at).links);
        on_top(links.filter_map(|&link| self.courses[link as usize].as_ref()).chain(hosts), at)
    }
}

/// A path in a run that is computed page by page.
#[derive(Debug)]
pub(crate) struct Unfolding {
    pub known: Arc<RwLock<Known>>,
    /// Indices of both paths in `Known`.
    pub places: [usize; 2],
    pub ends: Ends,
    pub extra: ExtraDelay,
}

impl Ephemeris for Unfolding {
    fn path(&self, at: Time) -> PathState {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.path(self.places, &self.ends, &self.extra, at)
    }
    fn propagation_rtt(&self, at: Time) -> Option<Span> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.propagation_rtt(self.places, &self.ends, &self.extra, at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use link::Delay;
    use topology::PathPiece;

    type Look = fn(Known, Ends, ExtraDelay) -> Box<dyn Ephemeris>;

    #[test]
    fn a_path_is_known_from_what_is_remembered_to_what_is_laid_out() {
        let second = |secs: u64| Time::ZERO + Span::from_secs(secs);
        let path = |from, to| {
            let delay = Some(Delay::Constant(Span::from_millis(7)));
            let pieces = vec![PathPiece { from: Time::ZERO, links: vec![u32::from(from)], delay }];
            Path { from, to, since: second(10), until: second(20), pieces }
        };
        let (forward, reverse) = (path(0, 1), path(1, 0));
        let rates = [Some(Rate::from_bits_per_s(5)), None];
        let ends = Ends { access: Span::from_millis(1), distance_m: Some(1e6), access_rate: None };
        let steps =
            |ms| Course { extra_delay: [(second(12), Span::from_millis(ms))].into(), ..Course::default() };
        let courses = || vec![Some(Arc::new(steps(500))), None];
        let known = || Known {
            paths: vec![reverse.clone(), forward.clone()],
            rates: rates.to_vec(),
            courses: courses(),
        };
        let looks: [Look; 2] = [
            |known, ends, extra| Box::new(Laid { known: Arc::new(known), places: [1, 0], ends, extra }),
            |known, ends, extra| {
                Box::new(Unfolding { known: Arc::new(RwLock::new(known)), places: [1, 0], ends, extra })
            },
        ];
        let oracles = looks.map(|look| look(known(), ends, None));
        // The propagation delay is 16 ms. From 12 s on, a link of the network adds 500 ms, and a host link adds 70 ms.
        for look in looks {
            let idle = look(known(), ends, Some(vec![Arc::new(steps(70))]));
            for (at, rtt) in
                [(9, None), (10, Some(16)), (11, Some(16)), (12, Some(586)), (20, Some(586)), (21, None)]
            {
                assert_eq!(idle.propagation_rtt(second(at)), rtt.map(Span::from_millis), "{at} s");
                assert_eq!(idle.path(second(at)).propagation_rtt, rtt.map(Span::from_millis), "{at} s");
            }
        }
        let beside = Beside { ends, extra: Some(vec![Arc::new(steps(70))]) };
        assert_eq!(
            [11, 12].map(|at| beside.propagation_rtt(second(at))),
            [2, 72].map(|ms| Some(Span::from_millis(ms)))
        );
        let known = PathState {
            propagation_rtt: Some(Span::from_millis(16)),
            distance_m: Some(1e6),
            capacity: Some(Rate::from_bits_per_s(5)),
            hops: Some(1),
        };
        let unknown = PathState { distance_m: Some(1e6), ..PathState::default() };
        for (at, said) in [(9, unknown), (10, known), (20, known), (21, unknown)] {
            for oracle in &oracles {
                assert_eq!(oracle.path(second(at)), said, "{at} s");
                assert_eq!(oracle.propagation_rtt(second(at)), said.propagation_rtt, "{at} s");
            }
        }
    }
}
