// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares trees that are updated from time to time with new trees.

use super::*;
use crate::route::Destination;
use crate::serving::Serving;
use crate::sky::Sky;
use crate::{presets, sites};
use units::{Span, Time};

/// Follows the trees of a preset for this number of steps. Returns how often a tree was kept, and how many entries
/// changed.
fn follow(name: &str, step: Span, steps: u64) -> (usize, usize) {
    let spec = presets::find(name).unwrap_or_else(|error| panic!("{error}"));
    let places = ["London", "Sydney", "Boston", "61.2, -149.9", "Singapore", "Quito"];
    let places = places.map(|place| sites::find(place).unwrap_or_else(|error| panic!("{error}")));
    let sky = Sky::new(&spec, &places).unwrap_or_else(|error| panic!("{error}"));
    let nodes = sky.core() as usize + places.len();
    let grow = |site| Tree::new(Destination { site, via: None }, nodes);
    let mut trees: Vec<Tree> = (0..places.len() as u16).map(grow).collect();
    let mut keepers = vec![TreeUpdater::default(); places.len()];
    let (mut work, mut motion) = (Workspace::default(), Motion::default());
    let (mut before, mut serving) = (Frame::default(), Serving::default());
    let (mut kept, mut changes) = (0, 0);
    for count in 0..steps {
        let at = Time::ZERO + step * count;
        let mut frame = Frame::default();
        sky.look(at, &mut frame).unwrap_or_else(|error| panic!("{error}"));
        serving.apply(&sky, at, &mut frame).unwrap_or_else(|error| panic!("{error}"));
        motion.follow(if count == 0 { &frame } else { &before }, &frame);
        for (tree, keeper) in trees.iter_mut().zip(&mut keepers) {
            let old = tree.next.clone();
            let held = keeper.holds;
            keeper.update(tree, &frame, &motion, &mut work);
            kept += usize::from(held && motion.same_links);
            let mut fresh = Tree::new(tree.destination, nodes);
            fresh.update(&frame, &mut Workspace::default());
            assert!(tree.next == fresh.next, "{name} at {at}");
            let changed: Vec<u32> = work.changes.iter().map(|change| change.node).collect();
            let differs = (0..nodes as u32).filter(|&node| old[node as usize] != tree.next[node as usize]);
            assert_eq!(changed, differs.collect::<Vec<_>>());
            changes += if count > 0 { changed.len() } else { 0 };
        }
        before = frame;
    }
    (kept, changes)
}

#[test]
fn a_tree_kept_from_moment_to_moment_is_the_tree_grown_anew() {
    for (step_ms, steps) in [(50, 300), (100, 300), (1000, 100), (15_000, 40)] {
        let (kept, changes) = follow("hypatia-kuiper-630", Span::from_millis(step_ms), steps);
        assert!(kept > steps as usize * 4, "{kept} of {steps} steps of {step_ms} ms");
        assert!(changes > 20, "{changes}");
    }
}

#[test]
fn links_that_come_and_go_are_noticed() {
    for name in ["iridium", "starlink-flown", "kuiper"] {
        let (_, changes) = follow(name, Span::from_millis(500), 60);
        assert!(changes > 20, "{name}: {changes}");
    }
}
