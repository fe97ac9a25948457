// SPDX-License-Identifier: MIT OR Apache-2.0
//! Links for which flows will compete: compared with durations worked out by hand, and with a search over all pairs of
//! paths.

use plan::bottlenecks::{Bottleneck, among, of_flows};
use topology::sites;
use units::Span;

fn scenario(text: &str) -> scenario::Scenario {
    scenario::Scenario::from_toml(text, "a.toml").unwrap_or_else(|error| panic!("{error}"))
}

fn found(text: &str) -> Vec<Bottleneck> {
    of_flows(&scenario(text), 1000).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn paths_of_a_chain() {
    // 0 > 3 has 3 links (60 ms round trip), 1 > 3 has two links (40 ms), and 2 > 1 has the opposite direction.
    let found = found(
        "duration = \"100 s\"\nnetwork.chain = { links = 3, link = { rate = \"5 Mbit/s\", delay = \"10 ms\" } }\n\
         [[traffic]]\nmatrix = \"pairs\"\npairs = [[\"1\", \"3\"], [\"0\", \"3\"], [\"2\", \"1\"]]\ncontroller = \"reno\"\n\
         [[flows]]\nkind = \"ping\"\nfrom = \"0\"\nto = \"3\"\n",
    );
    assert_eq!(found.len(), 1);
    let only = &found[0];
    assert_eq!((only.long.join(">"), only.short.join(">")), ("0>3".to_owned(), "1>3".to_owned()));
    let (long, short) = (Span::from_millis(60), Span::from_millis(40));
    assert_eq!((only.time, only.long_rtt, only.short_rtt), (Span::from_secs(100), long, short));
    assert_eq!((only.links, only.kind, only.link_time), (2, "ground", Span::from_secs(100)));
    assert_eq!(only.rate.map(units::Rate::mbit_per_s), Some(5.0));
    assert!((only.ratio() - 1.5).abs() < 1e-9);
}

const CITIES: [&str; 8] =
    ["Wuhan", "Washington", "Toronto", "Madrid", "Tehran", "Rio de Janeiro", "Tokyo", "Sydney"];

/// All paths between eight cities, examined every second.
fn all_pairs() -> String {
    let mut pairs = Vec::new();
    for from in CITIES {
        pairs.extend(CITIES.iter().filter(|to| **to != from).map(|to| format!("[\"{from}\", \"{to}\"]")));
    }
    format!(
        "duration = \"100 s\"\nnetwork.constellation = {{ preset = \"hypatia-kuiper-630\", route_step = \"1 s\" }}\n\
         [[traffic]]\nmatrix = \"pairs\"\npairs = [{}]\ncontroller = \"reno\"\n",
        pairs.join(", ")
    )
}

#[test]
fn the_search_finds_what_looking_at_every_pair_finds() {
    let scenario = scenario(&all_pairs());
    let every = of_flows(&scenario, 10_000).unwrap_or_else(|error| panic!("{error}"));
    let cities: Vec<_> =
        CITIES.iter().map(|name| sites::find(name).unwrap_or_else(|error| panic!("{error}"))).collect();
    let searched = among(&scenario, &cities, 50).unwrap_or_else(|error| panic!("{error}"));
    // The ten worst pairs of 56 paths are found, with the same numbers.
    assert!(every.len() > 20, "{}", every.len());
    assert_eq!(searched[..10], every[..10]);
    assert!(every.windows(2).all(|two| {
        let score = |it: &Bottleneck| it.time.secs_f64() * it.ratio();
        score(&two[0]) >= score(&two[1])
    }));
}

/// The pair of the LEO study shares the downlink to Washington. The round-trip time is that of the path alone, computed
/// by independent code.
#[test]
fn wuhan_and_toronto_meet_at_washington() {
    let found = found(
        "duration = \"100 s\"\nnetwork.constellation = { preset = \"hypatia-kuiper-630\" }\n[[traffic]]\nmatrix = \
         \"pairs\"\npairs = [[\"Wuhan\", \"Washington\"], [\"Toronto\", \"Washington\"]]\ncontroller = \"reno\"\n",
    );
    assert_eq!(found.len(), 1);
    let only = &found[0];
    assert_eq!((only.long[0].as_str(), only.short[0].as_str(), only.kind), ("Wuhan", "Toronto", "down"));
    let spec = topology::presets::find("hypatia-kuiper-630").unwrap_or_else(|error| panic!("{error}"));
    for (from, rtt) in [("Wuhan", only.long_rtt), ("Toronto", only.short_rtt)] {
        let site = |name| sites::find(name).unwrap_or_else(|error| panic!("{error}"));
        let step = Span::from_secs(1);
        let samples = topology::trace::path_over_time(
            &spec,
            &site(from),
            &site("Washington"),
            Span::from_secs(100),
            step,
        );
        let samples = samples.unwrap_or_else(|error| panic!("{error}"));
        let rtts: Vec<f64> =
            samples.iter().filter_map(topology::PathSample::rtt).map(Span::millis_f64).collect();
        let (least, most) = rtts.iter().fold((f64::MAX, 0.0_f64), |(a, b), &x| (a.min(x), b.max(x)));
        assert!((least..=most).contains(&rtt.millis_f64()), "{from}: {rtt} not within {least}..{most} ms");
    }
}

#[test]
fn a_plain_shape_has_no_cities() {
    let scenario = scenario(
        "network.dumbbell = { rate = \"1 Mbit/s\", rtt = \"1 ms\" }\nflows = [{ controller = \"reno\" }]\n",
    );
    let error = among(&scenario, &[], 10).expect_err("a dumbbell has no sky");
    assert_eq!(error.code(), units::Code::ScenarioValue);
    assert!(error.to_string().contains("is not a constellation"), "{error}");
}
