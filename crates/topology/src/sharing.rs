// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pairs of paths that share a link in the same direction. According to the routes, flows on these paths will compete.

use crate::network::{Network, Path};
use crate::route::{Tree, Workspace};
use crate::serving::Serving;
use crate::sky::{Frame, Sky, nanos};
use crate::{ConstellationSpec, Site, TopologyError};
use std::collections::BTreeMap;
use units::{Span, Time};

/// Longest time between samples for mean round trips.
const SAMPLE: Span = Span::from_secs(1);
/// Number of shortest paths that the search examines on each link. It also examines this number of longest paths.
const EXTREMES: usize = 4;

/// Two paths with common links.
#[derive(Clone, Debug, PartialEq)]
pub struct Shared {
    /// Ends `(from, to)` of the path with the longer round trip.
    pub long: (u16, u16),
    /// Ends `(from, to)` of the path with the shorter round trip.
    pub short: (u16, u16),
    /// Time during which both paths have at least one common link.
    pub time: Span,
    /// Mean propagation round trip of the longer path in that time.
    pub long_rtt: Span,
    /// Mean propagation round trip of the shorter path in that time.
    pub short_rtt: Span,
    /// The common links, each with the time for which both paths use it, the longest time first.
    pub links: Vec<(u32, Span)>,
}

impl Shared {
    /// Returns the longer round trip divided by the shorter.
    pub fn ratio(&self) -> f64 {
        self.long_rtt.secs_f64() / self.short_rtt.secs_f64().max(1e-9)
    }
    /// Returns the sort key of pairs: the common time multiplied by the ratio of the round trips, in seconds.
    pub fn score(&self) -> f64 {
        self.time.secs_f64() * self.ratio()
    }
}

type Stretch = (Time, Time);
/// A link and the intervals in which a path uses it.
type Used = (u32, Vec<Stretch>);
/// Delay of a path in nanoseconds, and its ends.
type RankedPath = (u64, (u16, u16));

/// Returns the pairs of `paths` that share a link, the highest score first. At most `keep` pairs are returned. Each
/// path must be listed once, and [`Network::paths`] must contain all paths and their reverses.
pub fn shared(network: &Network, paths: &[(u16, u16)], duration: Span, keep: usize) -> Vec<Shared> {
    let end = Time::ZERO + duration;
    let there: Vec<[&Path; 2]> =
        paths.iter().filter_map(|&(a, b)| Some([network.path(a, b)?, network.path(b, a)?])).collect();
    // For each link, the intervals in which each path uses it, in the order of the paths.
    let mut users: BTreeMap<u32, Vec<(usize, Vec<Stretch>)>> = BTreeMap::new();
    for (index, [path, _]) in there.iter().enumerate() {
        let ends = path.pieces.iter().skip(1).map(|piece| piece.from).chain([end]);
        for (piece, until) in path.pieces.iter().zip(ends) {
            for &link in &piece.links {
                let users = users.entry(link).or_default();
                match users.last_mut().filter(|(last, _)| *last == index) {
                    Some((_, stretches)) => stretches.push((piece.from, until)),
                    None => users.push((index, vec![(piece.from, until)])),
                }
            }
        }
    }
    let mut links_of: Vec<Vec<u32>> = vec![Vec::new(); there.len()];
    for (&link, users) in &users {
        for (path, _) in users {
            links_of[*path].push(link);
        }
    }
    let mut found = Vec::new();
    for (a, links) in links_of.iter().enumerate() {
        // One path is processed at a time. Memory therefore does not grow with the square of the number of paths.
        let mut common: BTreeMap<usize, Vec<Used>> = BTreeMap::new();
        for &link in links {
            let users = &users[&link];
            let at = users.partition_point(|(path, _)| *path < a);
            for (b, stretches) in &users[at + 1..] {
                let both = overlap(&users[at].1, stretches);
                if !both.is_empty() {
                    common.entry(*b).or_default().push((link, both));
                }
            }
        }
        found.extend(common.into_iter().map(|(b, links)| pair(there[a], there[b], &links)));
        if found.len() > 2 * keep {
            rank(&mut found, keep);
        }
    }
    rank(&mut found, keep);
    found
}

/// Sorts pairs by score and keeps the first `keep`.
fn rank(found: &mut Vec<Shared>, keep: usize) {
    // The sort is stable: pairs with equal scores stay in the order of the paths.
    found.sort_by(|a, b| b.score().total_cmp(&a.score()));
    found.truncate(keep);
}

/// Returns the overlap of two ascending lists of intervals.
fn overlap(a: &[Stretch], b: &[Stretch]) -> Vec<Stretch> {
    let (mut i, mut j) = (0, 0);
    let mut both = Vec::new();
    while i < a.len() && j < b.len() {
        let (from, until) = (a[i].0.max(b[j].0), a[i].1.min(b[j].1));
        if from < until {
            both.push((from, until));
        }
        if a[i].1 <= b[j].1 { i += 1 } else { j += 1 }
    }
    both
}

fn pair(a: [&Path; 2], b: [&Path; 2], links: &[Used]) -> Shared {
    let total = |stretches: &[Stretch]| {
        stretches.iter().fold(Span::ZERO, |sum, (from, until)| sum + until.since(*from))
    };
    let mut all: Vec<Stretch> = links.iter().flat_map(|(_, stretches)| stretches).copied().collect();
    all.sort_unstable();
    let mut union: Vec<Stretch> = Vec::new();
    for (from, until) in all {
        match union.last_mut().filter(|last| from <= last.1) {
            Some(last) => last.1 = last.1.max(until),
            None => union.push((from, until)),
        }
    }
    let (mut sums, mut weight) = ([0.0; 2], 0.0);
    for &(from, until) in &union {
        let parts = until.since(from).nanos().div_ceil(SAMPLE.nanos());
        let part = until.since(from).nanos() / parts;
        for step in 0..parts {
            let at = from + Span::from_nanos(part * step + part / 2);
            let rtt = |[there, back]: [&Path; 2]| Some(there.delay(at)? + back.delay(at)?);
            // A path that is in use has a reverse path, which begins and ends at the same times.
            if let (Some(one), Some(other)) = (rtt(a), rtt(b)) {
                sums[0] += one.secs_f64() * part as f64;
                sums[1] += other.secs_f64() * part as f64;
                weight += part as f64;
            }
        }
    }
    let mean = |sum: f64| Span::from_nanos((sum / f64::max(weight, 1.0) * 1e9).round() as u64);
    let mut links: Vec<(u32, Span)> = links.iter().map(|(link, when)| (*link, total(when))).collect();
    links.sort_by_key(|&(link, time)| (std::cmp::Reverse(time), link));
    let [mut long, mut short] = [(a[0], mean(sums[0])), (b[0], mean(sums[1]))];
    if long.1 < short.1 {
        std::mem::swap(&mut long, &mut short);
    }
    Shared {
        long: (long.0.from, long.0.to),
        short: (short.0.from, short.0.to),
        time: total(&union),
        long_rtt: long.1,
        short_rtt: short.1,
        links,
    }
}

/// Searches all paths between `sites` for pairs with a long common time and very different round trips. Returns at most
/// `keep` pairs, the most promising pair first. [`shared`] can then measure these pairs.
///
/// Comparing all pairs of paths would take too long (49 million pairs between 100 sites). At every `step`, the search
/// examines each link that at least two paths share. On this link, it compares the four shortest paths with the four
/// longest paths, and sums the ratios of their round trips. A pair that is never among these may be missed. The ratio
/// of this pair is then below the ratios of 16 other pairs on the same link.
///
/// # Errors
/// The errors of the constellation: see [`crate::constellation::build`].
pub fn search(
    spec: &ConstellationSpec,
    sites: &[Site],
    duration: Span,
    step: Span,
    keep: usize,
) -> Result<Vec<[(u16, u16); 2]>, TopologyError> {
    let sky = Sky::new(spec, sites)?;
    let nodes = sky.core() as usize + sites.len();
    let own = |site| crate::trace::own_destination(spec, sites, site);
    let mut trees: Vec<Tree> = (0..sites.len() as u16).map(|site| Tree::new(own(site), nodes)).collect();
    let (mut frame, mut work, mut serving) = (Frame::default(), Workspace::default(), Serving::default());
    let mut scores: BTreeMap<[(u16, u16); 2], f64> = BTreeMap::new();
    let mut users: BTreeMap<(u32, u32), Vec<RankedPath>> = BTreeMap::new();
    let step = if step == Span::ZERO { Span::MAX } else { step };
    let (mut at, mut way) = (Time::ZERO, Vec::new());
    while at == Time::ZERO || at.since(Time::ZERO) < duration {
        sky.look(at, &mut frame)?;
        serving.apply(&sky, at, &mut frame)?;
        users.values_mut().for_each(Vec::clear);
        for (to, tree) in trees.iter_mut().enumerate() {
            tree.update(&frame, &mut work);
            for from in (0..sites.len()).filter(|from| *from != to) {
                tree.way(&frame, sky.core() + from as u32, &mut way);
                let metres: f64 = way.windows(2).filter_map(|leg| frame.metres(leg[0], leg[1])).sum();
                for leg in way.windows(2) {
                    let path = (nanos(metres) as u64, (from as u16, to as u16));
                    users.entry((leg[0], leg[1])).or_default().push(path);
                }
            }
        }
        // A pair counts only once, even if it shares several links.
        let mut ratios: BTreeMap<[(u16, u16); 2], f64> = BTreeMap::new();
        for users in users.values_mut().filter(|users| users.len() > 1) {
            users.sort_unstable();
            let short = &users[..EXTREMES.min(users.len())];
            let long = &users[users.len() - EXTREMES.min(users.len())..];
            for (one, a) in short {
                for (other, b) in long.iter().filter(|(_, b)| a != b) {
                    // If a path has length zero, both its ends are at one place.
                    let ratio = *other as f64 / (*one).max(1) as f64;
                    let pair = if a < b { [*a, *b] } else { [*b, *a] };
                    ratios.insert(pair, ratio.max(1.0 / ratio));
                }
            }
        }
        for (pair, ratio) in ratios {
            *scores.entry(pair).or_default() += ratio;
        }
        at += step;
    }
    let mut ranked: Vec<([(u16, u16); 2], f64)> = scores.into_iter().collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    ranked.truncate(keep);
    Ok(ranked.into_iter().map(|(pair, _)| pair).collect())
}
