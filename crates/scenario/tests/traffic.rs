// SPDX-License-Identifier: MIT OR Apache-2.0
//! Traffic matrices: which sites send to which sites, and refused settings.

use bentpipe_scenario::{FlowKind, Scenario};
use std::collections::BTreeSet;
use units::{Bytes, Code, Span, Time};

fn kuiper(traffic: &str) -> String {
    format!("duration = \"10 s\"\nnetwork.constellation = {{ preset = \"hypatia-kuiper-630\" }}\n{traffic}")
}

fn read(text: &str) -> Scenario {
    // The files are in the folder of this test.
    let origin = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/a.toml");
    Scenario::from_toml(text, origin).unwrap_or_else(|error| panic!("{error}"))
}

/// Reads a matrix over Kuiper, with Reno.
fn flows(traffic: &str) -> Scenario {
    read(&kuiper(&format!("[[traffic]]\ncontroller = \"reno\"\n{traffic}\n")))
}

fn ends(scenario: &Scenario) -> Vec<(&str, &str)> {
    scenario.flows.iter().map(|flow| (flow.from.as_str(), flow.to.as_str())).collect()
}

#[test]
fn pairs_become_flows_with_the_keys_of_a_flow() {
    let scenario = read(&kuiper(
        "tcp = { initial_window = 3 }\n[[flows]]\nname = \"first\"\nfrom = \"Boston\"\nto = \"Paris\"\n\
         controller = \"cubic\"\n[[traffic]]\nmatrix = \"pairs\"\npairs = [[\"wuhan\", \"Madrid\"], [\"Tehran\", \
         \"Madrid\"]]\nname = \"bulk\"\nstart = \"2 s\"\ncount = 3\ncontroller = { name = \"hybla\" }\ntcp = { prr = true }\n",
    ));
    let names: Vec<_> = scenario.flows.iter().map(|flow| flow.name.as_str()).collect();
    assert_eq!(names, ["first", "bulk Wuhan > Madrid", "bulk Tehran > Madrid"]);
    for flow in &scenario.flows[1..] {
        assert_eq!((flow.count, flow.start), (3, Time::ZERO + Span::from_secs(2)));
        let FlowKind::Tcp { controller, config, .. } = &flow.kind else { panic!("{flow:?}") };
        assert_eq!((controller.name.as_str(), config.initial_window, config.prr), ("hybla", 3, Some(true)));
    }
    // The printed text has the same meaning and does not contain the matrix.
    let text = scenario.to_toml("");
    assert!(!text.contains("traffic"), "{text}");
    assert_eq!(read(&text), scenario);
}

#[test]
fn a_matrix_may_be_of_pings() {
    let scenario = read(&kuiper(
        "[[traffic]]\nmatrix = \"pairs\"\npairs = [[\"Wuhan\", \"Madrid\"]]\nkind = \"ping\"\ninterval = \"1 s\"\n",
    ));
    let expected = FlowKind::Ping { interval: Span::from_secs(1), packet: Bytes::new(84) };
    assert_eq!(scenario.flows[0].kind, expected);
    assert_eq!(read(&scenario.to_toml("")), scenario);
}

#[test]
fn a_permutation_pairs_off_all_sites_both_ways() {
    let scenario = flows("matrix = \"permutation\"\ntop = 100");
    let all = ends(&scenario);
    let pairs: BTreeSet<_> = all.iter().copied().collect();
    assert_eq!((all.len(), pairs.len()), (100, 100));
    assert!(pairs.iter().all(|&(from, to)| pairs.contains(&(to, from))));
    assert_eq!(pairs.iter().map(|pair| pair.0).collect::<BTreeSet<_>>().len(), 100);
    // The hundred largest cities: Tokyo is one of them, and Berkeley is not.
    assert!(pairs.iter().any(|pair| pair.0 == "Tokyo") && !pairs.iter().any(|pair| pair.0 == "Berkeley"));
    let draw = |more: &str| {
        let scenario = flows(&format!("matrix = \"permutation\"\ntop = 100\n{more}"));
        ends(&scenario).iter().map(|&(a, b)| (a.to_owned(), b.to_owned())).collect::<Vec<_>>()
    };
    assert_eq!(draw(""), draw("seed = 1"));
    assert_ne!(draw(""), draw("seed = 2"));
    // The seed of the run does not affect the matrix, so sweeps over seeds compare the same traffic.
    let other = read(&kuiper("").replace("duration", "seed = 9\nduration").replace(
        "preset = \"hypatia-kuiper-630\" }\n",
        "preset = \"hypatia-kuiper-630\" }\n[[traffic]]\ncontroller = \"reno\"\nmatrix = \"permutation\"\ntop = 100\n",
    ));
    assert_eq!(ends(&other), all);
}

/// All 24 orders of four sites are equally likely: three pairings, with a third each.
#[test]
fn every_pairing_is_equally_likely() {
    let mut partners = [0_u32; 3];
    for seed in 0..300 {
        let scenario = flows(&format!(
            "matrix = \"permutation\"\nsites = [\"Wuhan\", \"Madrid\", \"Tehran\", \"Toronto\"]\nseed = {seed}"
        ));
        let (_, with) = ends(&scenario).into_iter().find(|(from, _)| *from == "Wuhan").unwrap_or_default();
        partners[["Madrid", "Tehran", "Toronto"].iter().position(|name| *name == with).unwrap_or(0)] += 1;
    }
    // Standard deviation of 300 draws at 1/3: 8.2.
    assert!(partners.iter().all(|count| (75..=125).contains(count)), "{partners:?}");
}

#[test]
fn gravity_goes_by_the_product_of_populations() {
    // Populations in the list (GeoNames): New York 8 804 190, Madrid 3 255 944, Berkeley 120 972. Products of pairs in
    // 1e12: 28.666, 1.0651, 0.39388, in total 30.125.
    let scenario =
        flows("matrix = \"gravity\"\nsites = [\"New York\", \"Madrid\", \"Berkeley\"]\nflows = 20000");
    assert_eq!(scenario.flows.iter().map(|flow| flow.count).sum::<u32>(), 20_000);
    assert_eq!(scenario.flows.len(), 6);
    for (one, other, share) in
        [("New York", "Madrid", 0.9516), ("New York", "Berkeley", 0.03536), ("Madrid", "Berkeley", 0.01307)]
    {
        let of = |from: &str, to: &str| {
            let flow =
                scenario.flows.iter().find(|flow| (flow.from.as_str(), flow.to.as_str()) == (from, to));
            f64::from(flow.map_or(0, |flow| flow.count)) / 20_000.0
        };
        // Four standard deviations of a fraction of 20000 draws.
        let four = 4.0 * f64::sqrt(share * (1.0 - share) / 20_000.0);
        let both = of(one, other) + of(other, one);
        assert!((both - share).abs() < four, "{one} {other}: {both}, {share}");
        assert!((of(one, other) - share / 2.0).abs() < four, "{one} {other}: as much there as back");
    }
}

#[test]
fn a_file_has_its_own_counts_starts_and_sizes() {
    let scenario = flows("matrix = \"file\"\nfile = \"matrix.csv\"\nstart = \"1 s\"");
    assert_eq!(
        ends(&scenario),
        [("Wuhan", "Washington"), ("Toronto", "Washington"), ("37.9, -122.3", "Boston")]
    );
    let of = |flow: usize| {
        let flow = &scenario.flows[flow];
        let FlowKind::Tcp { transfer, .. } = &flow.kind else { panic!("{flow:?}") };
        (flow.count, flow.start.since(Time::ZERO), *transfer)
    };
    assert_eq!(of(0), (2, Span::from_millis(500), tcp::Transfer::Endless));
    assert_eq!(of(1), (1, Span::from_secs(1), tcp::Transfer::Finite(Bytes::new(10_000_000))));
    assert_eq!(of(2), (1, Span::from_secs(1), tcp::Transfer::Endless));
}

/// Checks the code of a fault, and the texts that the message must contain.
fn refused(traffic: &str, code: Code, says: &[&str]) {
    let text = kuiper(&format!("[[traffic]]\ncontroller = \"reno\"\n{traffic}\n"));
    let origin = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/a.toml");
    match Scenario::from_toml(&text, origin) {
        Ok(scenario) => panic!("{:?} was accepted: {traffic}", scenario.flows),
        Err(error) => {
            assert_eq!(error.code(), code, "{error}");
            for part in says {
                assert!(error.to_string().contains(part), "{error}\nlacks {part}");
            }
        }
    }
}

#[test]
fn what_is_no_matrix_is_refused() {
    let gravity = "matrix = \"gravity\"\nflows = 10\n";
    refused("matrix = \"permutaton\"", Code::ScenarioValue, &["a.toml:5: traffic[0].matrix", "permutation"]);
    refused("top = 4", Code::ScenarioMissingKey, &["traffic[0].matrix", "pairs"]);
    refused("matrix = \"permutation\"", Code::ScenarioMissingKey, &["traffic[0].sites", "top = 100"]);
    refused(
        "matrix = \"permutation\"\nsites = [\"Wuhan\"]",
        Code::ScenarioValue,
        &["at least two sites, but this matrix has 1"],
    );
    refused(
        "matrix = \"permutation\"\ntop = 99",
        Code::ScenarioValue,
        &["a.toml:6: traffic[0].top", "99 sites"],
    );
    refused("matrix = \"permutation\"\ntop = 1", Code::ScenarioValue, &["within 2 and 1000"]);
    refused(
        "matrix = \"permutation\"\ntop = 4\nsites = [\"Wuhan\"]",
        Code::ScenarioValue,
        &["keep one of them"],
    );
    let twice = "matrix = \"permutation\"\nsites = [\"Wuhan\", \"wuhan\"]";
    refused(twice, Code::ScenarioValue, &["traffic[0].sites[1]", "the site \"Wuhan\" is listed twice"]);
    let unknown = "matrix = \"permutation\"\nsites = [\"Wuhan\", \"Madird\"]";
    refused(unknown, Code::SiteUnknown, &["a.toml:6: traffic[0].sites[1]", "Madrid"]);
    refused("matrix = \"pairs\"", Code::ScenarioMissingKey, &["needs the key `pairs`"]);
    refused("matrix = \"pairs\"\npairs = []", Code::ScenarioValue, &["the matrix has no pairs"]);
    let three = "matrix = \"pairs\"\npairs = [[\"Wuhan\", \"Madrid\", \"Tehran\"]]";
    refused(three, Code::ScenarioValue, &["traffic[0].pairs[0]", "has 3"]);
    let itself = "matrix = \"pairs\"\npairs = [[\"Wuhan\", \"wuhan\"]]";
    refused(itself, Code::ScenarioValue, &["traffic[0].pairs[0]", "\"Wuhan\" to itself"]);
    refused("matrix = \"gravity\"\ntop = 4", Code::ScenarioMissingKey, &["needs the key `flows`"]);
    let nobody = format!("{gravity}sites = [\"Wuhan\", \"37.9, -122.3\"]");
    refused(
        &nobody,
        Code::ScenarioValue,
        &["traffic[0].sites[1]", "the population of \"37.9, -122.3\" is unknown"],
    );
    let foreign = "matrix = \"permutation\"\ntop = 4\nflows = 10";
    refused(foreign, Code::ScenarioValue, &["has no key `flows`", "matrix = \"gravity\""]);
    refused("matrix = \"permutation\"\ntop = 4\nfrom = \"Wuhan\"", Code::ScenarioValue, &["remove `from`"]);
    refused("matrix = \"permutation\"\ntop = 4\nstrat = \"1 s\"", Code::ScenarioUnknownKey, &["`start`"]);
    refused(
        "matrix = \"permutation\"\ntop = 4\nrate = \"1 Mbit/s\"",
        Code::ScenarioValue,
        &["has no key `rate`"],
    );
    refused(&format!("{gravity}top = 4\ncount = 100000"), Code::ScenarioValue, &["flows are too many"]);
}

#[test]
fn a_fault_in_a_file_has_its_line() {
    let cases: [(&str, Code, &[&str]); 9] = [
        ("missing.csv", Code::ScenarioUnreadable, &["missing.csv: cannot read the traffic matrix"]),
        ("unknown-site.csv", Code::SiteUnknown, &["unknown-site.csv:3: to", "Washingtn", "Washington"]),
        ("unknown-column.csv", Code::ScenarioUnknownKey, &["unknown-column.csv:1", "rate", "count"]),
        ("no-column.csv", Code::ScenarioMissingKey, &["no-column.csv:1", "\"to\""]),
        ("short-row.csv", Code::ScenarioUnreadable, &["short-row.csv:3"]),
        ("bad-count.csv", Code::ScenarioValue, &["bad-count.csv:2: count", "within 1 and 100000"]),
        ("bad-start.csv", Code::UnitUnknown, &["bad-start.csv:2: start", "10 kg"]),
        (
            "late-start.csv",
            Code::ScenarioValue,
            &["late-start.csv:2: start", "the run already ends after 10 s"],
        ),
        ("empty.csv", Code::ScenarioValue, &["empty.csv", "no rows"]),
    ];
    for (file, code, says) in cases {
        refused(&format!("matrix = \"file\"\nfile = \"{file}\""), code, says);
    }
}

#[test]
fn a_plain_shape_has_sites_of_its_own() {
    let chain = |traffic: &str| {
        format!(
            "network.chain = {{ links = 3, link = {{ rate = \"1 Mbit/s\", delay = \"1 ms\" }} }}\n[[traffic]]\n\
             controller = \"reno\"\nmatrix = \"permutation\"\n{traffic}\n"
        )
    };
    assert_eq!(read(&chain("sites = [\"0\", \"3\"]")).flows.len(), 2);
    let error = Scenario::from_toml(&chain("top = 4"), "a.toml").expect_err("a chain has no cities");
    assert!(error.to_string().contains("`top` takes cities"), "{error}");
}
