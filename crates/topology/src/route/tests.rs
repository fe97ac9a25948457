// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares updated trees with new trees, and with the Bellman-Ford algorithm.

use super::*;
use crate::serving::Serving;
use crate::sky::Sky;
use crate::{ConstellationSpec, IslPattern, Site, presets, sites};
use units::{Span, Time};

fn places(names: &[&str]) -> Vec<Site> {
    names.iter().map(|name| sites::find(name).unwrap_or_else(|error| panic!("{error}"))).collect()
}

fn look(sky: &Sky, at: Time) -> Frame {
    let mut frame = Frame::default();
    sky.look(at, &mut frame).unwrap_or_else(|error| panic!("{error}"));
    Serving::default().apply(sky, at, &mut frame).unwrap_or_else(|error| panic!("{error}"));
    frame
}

/// Computes distances by relaxing all links until nothing changes (Bellman-Ford). Sites do not relay.
fn plain(frame: &Frame, site: u16) -> Vec<f64> {
    let core = frame.core();
    let mut metres = vec![f64::INFINITY; core + frame.sites()];
    for &(node, length) in frame.view(site) {
        metres[node as usize] = length;
    }
    loop {
        let mut changed = false;
        for &(a, b, length) in frame.edges() {
            for (a, b) in [(a as usize, b as usize), (b as usize, a as usize)] {
                if metres[a] + length < metres[b] {
                    metres[b] = metres[a] + length;
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    for other in 0..frame.sites() {
        if other != usize::from(site) {
            let ways = frame.view(other as u16).iter().map(|&(node, length)| metres[node as usize] + length);
            metres[core + other] = ways.fold(f64::INFINITY, f64::min);
        }
    }
    metres[core + usize::from(site)] = 0.0;
    metres
}

fn check(spec: &ConstellationSpec, moments: impl Iterator<Item = Time>) -> usize {
    let sites = places(&["London", "Sydney", "Boston", "61.2, -149.9"]);
    let sky = Sky::new(spec, &sites).unwrap_or_else(|error| panic!("{error}"));
    let nodes = sky.core() as usize + sites.len();
    let grow = |site| Tree::new(Destination { site, via: None }, nodes);
    let mut kept: Vec<Tree> = (0..4).map(grow).collect();
    let mut work = Workspace::default();
    let mut changes = 0;
    for at in moments {
        let frame = look(&sky, at);
        for site in 0..4 {
            let before = kept[usize::from(site)].next.clone();
            kept[usize::from(site)].update(&frame, &mut work);
            let tree = &kept[usize::from(site)];
            // The reported changes must be the real changes.
            let changed: Vec<u32> = work.changes.iter().map(|change| change.node).collect();
            let differs = (0..nodes as u32).filter(|&node| before[node as usize] != tree.next[node as usize]);
            assert_eq!(changed, differs.collect::<Vec<_>>());
            changes += changed.len();
            let mut fresh = grow(site);
            fresh.update(&frame, &mut Workspace::default());
            assert_eq!(tree.next, fresh.next, "{} at {at}", spec.name);
            let metres = plain(&frame, site);
            let mut way = Vec::new();
            for node in 0..nodes as u32 {
                tree.way(&frame, node, &mut way);
                let long: f64 = way
                    .windows(2)
                    .map(|leg| {
                        let core = frame.core() as u32;
                        let in_view = |site: u32, node: u32| {
                            let view = frame.view((site - core) as u16).iter();
                            view.clone().find(|&&(seen, _)| seen == node).map(|&(_, metres)| metres)
                        };
                        let length = match (leg[0] >= core, leg[1] >= core) {
                            (true, _) => in_view(leg[0], leg[1]),
                            (_, true) => in_view(leg[1], leg[0]),
                            _ => Some(frame.length(leg[0], leg[1])).filter(|metres| metres.is_finite()),
                        };
                        length.unwrap_or_else(|| panic!("{leg:?} is no link"))
                    })
                    .sum();
                if way.is_empty() {
                    assert!(metres[node as usize].is_infinite() || metres[node as usize] == 0.0);
                } else {
                    assert!((long - metres[node as usize]).abs() < 1e-3, "{long} {}", metres[node as usize]);
                }
            }
        }
    }
    changes
}

#[test]
fn a_tree_kept_up_is_the_tree_grown_anew_also_backwards_in_time() {
    let secs = |secs: u64| Time::ZERO + Span::from_secs(secs);
    for name in ["iridium", "hypatia-kuiper-630", "starlink-flown"] {
        let spec = presets::find(name).unwrap_or_else(|error| panic!("{error}"));
        let changes = check(&spec, [0, 1, 2, 17, 300, 2, 5000, 5001].into_iter().map(secs));
        assert!(changes > 500, "{name}: {changes}");
    }
}

#[test]
fn links_that_come_and_go_do_not_matter() {
    let base = presets::find("kuiper").unwrap_or_else(|error| panic!("{error}"));
    let isl = base.isl.clone().map(|isl| crate::IslSpec {
        pattern: IslPattern::Nearest { terminals: 3 },
        inter_shell: true,
        ..isl
    });
    let spec = ConstellationSpec { isl, ..base };
    check(&spec, [0, 30, 60].into_iter().map(|at| Time::ZERO + Span::from_secs(at)));
}
