// SPDX-License-Identifier: MIT OR Apache-2.0
//! Simple networks: all packets reach their destination.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bentpipe_topology as topology;
use link::{Config, Delay, LinkSpec, QueueLimit};
use topology::{Network, shapes};
use units::{Rate, Span, Time};

fn spec() -> LinkSpec {
    LinkSpec {
        rate: Some(Rate::from_bits_per_s(10_000_000)),
        queue: QueueLimit::Packets(50).into(),
        ..LinkSpec::IDEAL
    }
}

fn constant(ms: u64) -> Delay {
    Delay::Constant(Span::from_millis(ms))
}

/// Returns the nodes on the path between two sites, according to the forwarding entries, and the delay of the path at
/// time zero.
fn walk(network: &Network, from: u16, to: u16) -> (Vec<String>, Span) {
    assert_eq!(network.updates.len(), 1);
    let (mut at, end) = (network.sites[usize::from(from)], network.sites[usize::from(to)]);
    let (mut names, mut delay) = (vec![network.nodes[at as usize].name.clone()], Span::ZERO);
    while at != end {
        let entry =
            network.updates[0].entries.iter().find(|entry| entry.node == at && entry.site == to).unwrap();
        let link = &network.links[entry.link.unwrap() as usize];
        assert_eq!(link.from, at);
        delay = delay + link.config.delay.at(Time::ZERO);
        at = link.to;
        names.push(network.nodes[at as usize].name.clone());
        assert!(names.len() <= network.nodes.len(), "a loop: {names:?}");
    }
    (names, delay)
}

#[test]
fn a_dumbbell_has_a_way_there_and_a_way_back() {
    let network = shapes::dumbbell(Config::new(spec(), constant(300)), Config::new(spec(), constant(20)));
    assert_eq!(walk(&network, 0, 1), (vec!["left".to_owned(), "right".to_owned()], Span::from_millis(300)));
    assert_eq!(walk(&network, 1, 0).1, Span::from_millis(20));
    assert_eq!(network.path(0, 1).unwrap().delay(Time::ZERO), Some(Span::from_millis(300)));
    assert_eq!(network.path(1, 0).unwrap().delay(Time::ZERO), Some(Span::from_millis(20)));
    assert_eq!(network.links[0].name, "left > right");
}

#[test]
fn a_chain_joins_every_pair() {
    let network = shapes::chain(&[
        Config::new(spec(), constant(1)),
        Config::new(spec(), constant(10)),
        Config::new(spec(), constant(100)),
    ]);
    assert_eq!(walk(&network, 0, 3).0, ["0", "1", "2", "3"]);
    assert_eq!(walk(&network, 2, 1), (vec!["2".to_owned(), "1".to_owned()], Span::from_millis(10)));
    for (from, to, ms) in [(0, 3, 111), (3, 0, 111), (1, 3, 110), (2, 0, 11)] {
        assert_eq!(walk(&network, from, to).1, Span::from_millis(ms));
        assert_eq!(network.path(from, to).unwrap().delay(Time::ZERO), Some(Span::from_millis(ms)));
    }
    assert_eq!(network.paths.len(), 12);
    // A long chain only has the paths between its two ends.
    let long = shapes::chain(&vec![Config::new(spec(), constant(1)); 40]);
    assert_eq!(long.paths.len(), 2);
    assert_eq!(long.path(40, 0).unwrap().delay(Time::ZERO), Some(Span::from_millis(40)));
}

#[test]
fn a_star_meets_in_its_hub() {
    let branches =
        [("a", 1), ("b", 10), ("c", 100)].map(|(name, ms)| (name.to_owned(), spec(), constant(ms)));
    let network = shapes::star(&branches);
    assert_eq!(walk(&network, 0, 2), (["a", "hub", "c"].map(str::to_owned).to_vec(), Span::from_millis(101)));
    assert_eq!(walk(&network, 3, 1).0, ["hub", "b"]);
    assert_eq!(walk(&network, 1, 3).0, ["b", "hub"]);
    assert_eq!(network.paths.len(), 12);
}

#[test]
fn steps_add_up_along_a_path() {
    let at = Time::from_secs_f64;
    let steps = |second: f64, before: u64, after: u64| {
        let steps = [(Time::ZERO, Span::from_millis(before)), (at(second), Span::from_millis(after))];
        Delay::Steps(steps.into_iter().collect())
    };
    let network =
        shapes::chain(&[Config::new(spec(), steps(2.0, 10, 20)), Config::new(spec(), steps(5.0, 100, 300))]);
    let path = network.path(0, 2).unwrap();
    for (second, ms) in [(0.0, 110), (1.9, 110), (2.0, 120), (4.9, 120), (5.0, 320), (9.0, 320)] {
        assert_eq!(path.delay(at(second)), Some(Span::from_millis(ms)), "{second} s");
    }
}
