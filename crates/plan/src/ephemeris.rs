// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the geometry says about a flow's path, as its controller may ask for it.

use control::{Ephemeris, PathState};
use std::sync::{Arc, PoisonError, RwLock};
use topology::Path;
use units::{Rate, Span, Time};

/// What stays of a flow's path, whatever links it takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ends {
    /// Propagation of both access links, one way.
    pub access: Span,
    /// Distance between the ends in metres.
    pub distance_m: Option<f64>,
    /// Slowest access link.
    pub access_rate: Option<Rate>,
}

impl Ends {
    /// The path at a time; `rates` are those of the network's links. Of a moment that is forgotten, or that is not laid out
    /// yet, nothing but the distance of the ends.
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

    /// The path between two hosts at one site, or a host and a proxy there: their access links alone.
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

/// Of a connection between neighbours.
#[derive(Debug)]
pub(crate) struct Beside(pub Ends);

impl Ephemeris for Beside {
    fn path(&self, _at: Time) -> PathState {
        self.0.beside()
    }
    fn propagation_rtt(&self, _at: Time) -> Option<Span> {
        self.0.beside().propagation_rtt
    }
}

/// Of a run that is laid out to its end: all flows look at the same.
#[derive(Debug)]
pub(crate) struct Laid {
    pub known: Arc<Known>,
    /// Places of both paths among those known.
    pub places: [usize; 2],
    pub ends: Ends,
}

impl Ephemeris for Laid {
    fn path(&self, at: Time) -> PathState {
        self.ends.path(self.places.map(|place| &self.known.paths[place]), &self.known.rates, at)
    }
    fn propagation_rtt(&self, at: Time) -> Option<Span> {
        self.ends.propagation_rtt(self.places.map(|place| &self.known.paths[place]), at)
    }
}

/// What is known of the paths, as far as they are laid out.
#[derive(Debug, Default)]
pub struct Known {
    /// The paths.
    pub paths: Vec<Path>,
    /// Rate of each link of the network.
    pub rates: Vec<Option<Rate>>,
}

/// Of a run that is laid out page by page.
#[derive(Debug)]
pub(crate) struct Unfolding {
    pub known: Arc<RwLock<Known>>,
    /// Places of both paths among those known.
    pub places: [usize; 2],
    pub ends: Ends,
}

impl Ephemeris for Unfolding {
    fn path(&self, at: Time) -> PathState {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        self.ends.path(self.places.map(|place| &known.paths[place]), &known.rates, at)
    }
    fn propagation_rtt(&self, at: Time) -> Option<Span> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        self.ends.propagation_rtt(self.places.map(|place| &known.paths[place]), at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use link::Delay;
    use topology::PathPiece;

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
        let known = || Known { paths: vec![reverse.clone(), forward.clone()], rates: rates.to_vec() };
        let oracles: [Box<dyn Ephemeris>; 2] = [
            Box::new(Laid { known: Arc::new(known()), places: [1, 0], ends }),
            Box::new(Unfolding { known: Arc::new(RwLock::new(known())), places: [1, 0], ends }),
        ];
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
