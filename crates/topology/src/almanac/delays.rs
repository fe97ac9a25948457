// SPDX-License-Identifier: MIT OR Apache-2.0
//! The delays of links and paths on a page.

use super::draft::PageBuilder;
use super::{Stop, ask};
use crate::TopologyError;
use crate::sky::{GONE, Sky, nanos};
use link::{Delay, DelayCurve};
use orbit::earth::distance_m;
use std::ops::RangeInclusive;
use std::sync::Arc;
use units::{Span, Time};

/// Distance between the knots of delay curves. Between knots, the interpolated range of a LEO satellite is accurate to
/// a millimetre (see [`DelayCurve`]).
const KNOT: Span = Span::from_secs(1);
/// Number of knots of a curve beyond the end of the page, so that the interpolation at the end does not depend on where
/// the page ends.
const MARGIN_KNOTS: u64 = 2;

/// Returns the number of the last knot at or before `at`.
fn knot(at: Time) -> u64 {
    at.nanos() / KNOT.nanos()
}

/// Returns the number of the last knot that is needed for events until `until`.
fn last_knot(until: Time) -> u64 {
    until.nanos().div_ceil(KNOT.nanos()) + MARGIN_KNOTS
}

impl PageBuilder {
    /// Sets the delay of every link that existed at `since` or later, and of every path. The page covers the time from
    /// `from` to `until`; everything from `since` on is kept.
    pub fn draw(
        &mut self,
        sky: &Sky,
        [since, from, until]: [Time; 3],
        stop: Stop<'_>,
    ) -> Result<(), TopologyError> {
        self.draw_links(sky, since, &(knot(from)..=last_knot(until)), stop)?;
        for (path, &open) in self.paths.iter_mut().zip(&self.open) {
            let mut end = until;
            for piece in path.pieces.iter_mut().rev().take_while(|piece| piece.from >= open) {
                if !piece.links.is_empty() {
                    let start = knot(piece.from);
                    let knots = start.max(knot(since))..=last_knot(end);
                    // The links of a path exist while the path exists.
                    let curves: Vec<_> =
                        piece.links.iter().map(|&link| self.links[link as usize].curve()).collect();
                    let sum =
                        |at| curves.iter().map(|curve| curve.knots_ns()[(at - curve.first()) as usize]).sum();
                    let first = *knots.start() - start;
                    let curve = DelayCurve::from_knot(
                        Time::ZERO + KNOT * start,
                        KNOT,
                        first,
                        knots.map(sum).collect(),
                    );
                    piece.delay = Some(Delay::Curve(Arc::new(curve)));
                }
                end = piece.from;
            }
        }
        Ok(())
    }

    /// Extends the curves of links that had a curve on the last page. Other curves begin at `since`.
    fn draw_links(
        &mut self,
        sky: &Sky,
        since: Time,
        knots: &RangeInclusive<u64>,
        stop: Stop<'_>,
    ) -> Result<(), TopologyError> {
        let tracks = self.tracks(sky, since, knots, stop)?;
        for link in &mut self.links {
            ask(stop)?;
            let before = link.curve.take();
            if !link.is_asked(since) {
                continue;
            }
            let known = before.as_ref().map_or(&[][..], |curve| {
                let at = |knot: u64| (knot.max(curve.first()) - curve.first()) as usize;
                &curve.knots_ns()[at(knot(since))..at(*knots.start())]
            });
            let begin = if before.is_some() { *knots.start() } else { knot(since) };
            let mut knots_ns = Vec::with_capacity(known.len() + (knots.end() - begin + 1) as usize);
            knots_ns.extend_from_slice(known);
            if link.from.min(link.to) >= sky.satellites() {
                let fibre_ns = nanos(sky.fibre_m(link.from, link.to));
                knots_ns.extend((begin..=*knots.end()).map(|_| fibre_ns));
            } else {
                let [a, b] = [link.from, link.to].map(|node| &tracks[node as usize]);
                knots_ns.extend((begin..=*knots.end()).map(|knot| nanos(distance_m(a.at(knot), b.at(knot)))));
            }
            let first = begin - known.len() as u64;
            link.curve = Some(Arc::new(DelayCurve::from_knot(Time::ZERO, KNOT, first, knots_ns)));
        }
        Ok(())
    }

    /// Computes the tracks of all nodes at the ends of the needed links, by node.
    fn tracks(
        &self,
        sky: &Sky,
        since: Time,
        knots: &RangeInclusive<u64>,
        stop: Stop<'_>,
    ) -> Result<Vec<Track>, TopologyError> {
        let asked = || self.links.iter().filter(|link| link.is_asked(since));
        let nodes = asked().map(|link| link.from.max(link.to) as usize + 1).max().unwrap_or(0);
        let mut first = vec![u64::MAX; nodes];
        for link in asked() {
            let begin = if link.curve.is_some() { *knots.start() } else { knot(since) };
            for node in [link.from, link.to] {
                first[node as usize] = begin.min(first[node as usize]);
            }
        }
        let track = |(node, first): (u32, u64)| {
            ask(stop)?;
            let places = match sky.ground_position(node) {
                _ if first == u64::MAX => Vec::new(),
                Some(position) => vec![position],
                // A wired site needs no position.
                None if node >= sky.satellites() => Vec::new(),
                None => fly(sky, node, &(first..=*knots.end()))?,
            };
            Ok(Track { first, places })
        };
        (0..).zip(first).map(track).collect()
    }
}

/// Positions of a node at each knot, beginning with the knot `first`. A place on the ground has only one position.
struct Track {
    first: u64,
    places: Vec<[f64; 3]>,
}

impl Track {
    fn at(&self, knot: u64) -> [f64; 3] {
        self.places[((knot - self.first) as usize).min(self.places.len() - 1)]
    }
}

/// Returns the positions of a satellite at each knot. If the satellite has left but routes still use it, its last
/// position is repeated.
fn fly(sky: &Sky, satellite: u32, knots: &RangeInclusive<u64>) -> Result<Vec<[f64; 3]>, TopologyError> {
    let place = |knot: u64| sky.position(satellite, Time::ZERO + KNOT * knot);
    let mut track: Vec<[f64; 3]> = Vec::with_capacity((knots.end() - knots.start() + 1) as usize);
    for knot in knots.clone() {
        let mut position = place(knot)?;
        if position == GONE {
            position = match track.last() {
                Some(&last) => last,
                None => last_seen(knot, place)?,
            };
        }
        track.push(position);
    }
    Ok(track)
}

/// Returns the last position of a satellite that has left by some knot; [`GONE`] if it has no earlier position.
fn last_seen(
    knot: u64,
    place: impl Fn(u64) -> Result<[f64; 3], TopologyError>,
) -> Result<[f64; 3], TopologyError> {
    for before in (0..knot).rev() {
        let position = place(before)?;
        if position != GONE {
            return Ok(position);
        }
    }
    Ok(GONE)
}
